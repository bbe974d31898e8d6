:- module(hb_workflow_json,
          [ key_text/2,                 % +Key, -Text
            returned_json/3,            % +Key, +Value, -Json
            asked_json/2                % +Question, -Json
          ]).
:- use_module('../depth', [written_depth/3]).

/** <module> Terms as the JSON of a workflow's state

An integer that a double cannot hold exactly is {"$integer": Digits}.  An object that
could be mistaken for one of these is {"$object": [[Key, Value], ...]}.
*/

%!  key_text(+Key, -Text:string) is det.

key_text(Key, _) :-
    var(Key),
    !,
    throw(error(instantiation_error, context(_, 'a key of the state'))).
key_text(Key, Text) :-
    ( atom(Key) ; string(Key) ; integer(Key) ),
    !,
    format(string(Text), "~w", [Key]).
key_text(Key, _) :-
    throw(error(type_error(state_key, Key), _)).

%!  returned_json(+Key:string, +Value, -Json) is det.
%
%   Json is Value for hb_reply.  If Value is not JSON, the error names Key.

returned_json(Key, Value, Json) :-
    checked_json(return(Key), Value, Json).

%!  asked_json(+Question, -Json) is det.
%
%   Json is Question for hb_reply.

asked_json(Question, Json) :-
    checked_json(question, Question, Json).

checked_json(What, Value, Json) :-
    (   acyclic_term(Value)
    ->  catch(json(Value, 0, Json), not_json(Why), not_json(What, Why))
    ;   not_json(What, "is cyclic")
    ).

not_json(return(Key), Why) :-
    format(string(Message), "The value that return/2 gives for ~w ~s.", [Key, Why]),
    throw(error(hornbook(message(type_error, Message)), _)).
not_json(question, Why) :-
    format(string(Message), "The question of interrupt/2 ~s.", [Why]),
    throw(error(hornbook(message(type_error, Message)), _)).

json(_, Depth, _) :-
    Depth > 100,
    !,
    throw(not_json("nests deeper than 100 levels")).
json(Value, _, Json) :-
    atomic(Value),
    !,
    atomic_json(Value, Json).
json(Value, Depth, list(Jsons)) :-
    is_list(Value),
    !,
    Depth1 is Depth+1,
    jsons(Value, Depth1, Jsons).
json(Value, Depth, Json) :-
    is_dict(Value),
    !,
    Depth1 is Depth+1,
    dict_pairs(Value, _, Pairs0),
    pairs(Pairs0, Depth1, Pairs),
    (   Pairs = [Key-_],
        '$member'(Key, ["$integer","$object"])
    ->  findall(list([text(K),J]), '$member'(K-J, Pairs), Lists),
        Json = object(["$object"-list(Lists)])
    ;   Json = object(Pairs)
    ).
json(Value, _, _) :-
    var(Value),
    !,
    (   attvar(Value)
    ->  Why = "is a variable that has constraints and no value: give it one, as label/1 does"
    ;   Why = "is an unbound variable"
    ),
    throw(not_json(Why)).
json(Value, _, _) :-
    written_depth(Value, 6, Levels),
    format(string(Why), "is the compound term ~W, which JSON cannot hold: return its parts, a list, a dict or a text",
           [Value, [quoted(true), max_depth(Levels), spacing(next_argument)]]),
    throw(not_json(Why)).

jsons([], _, []).
jsons([Value|Values], Depth, [Json|Jsons]) :-
    json(Value, Depth, Json),
    jsons(Values, Depth, Jsons).

pairs([], _, []).
pairs([Key-Value|Values], Depth, [Text-Json|Pairs]) :-
    key_text(Key, Text),
    json(Value, Depth, Json),
    pairs(Values, Depth, Pairs).

atomic_json([], list([])) :- !.
atomic_json(null, @(null)) :- !.
atomic_json(true, @(true)) :- !.
atomic_json(false, @(false)) :- !.
atomic_json(Value, Json) :-
    integer(Value),
    !,
    (   abs(Value) =< 9007199254740991
    ->  Json = number(Value)
    ;   number_string(Value, Digits),
        Json = object(["$integer"-text(Digits)])
    ).
atomic_json(Value, number(Value)) :-
    float(Value),
    float_class(Value, Class),
    Class \== nan,
    Class \== infinite,
    !.
atomic_json(Value, text(Value)) :-
    ( atom(Value) ; string(Value) ),
    !.
atomic_json(Value, _) :-
    format(string(Why), "is ~w, which JSON cannot hold", [Value]),
    throw(not_json(Why)).
