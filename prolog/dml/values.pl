:- module(hb_dml_values,
          [ value_json/2,               % +Term, -Json
            texts_json/2                % +Texts, -Json
          ]).
:- use_module('../depth', [written_depth/3]).

/** <module> Values of a DML program as JSON

As hb_reply writes it.
*/

%!  value_json(+Term, -Json) is det.
%
%   Json is for hb_reply: lists and dicts as such, the atoms true, false and null as in JSON, other
%   atoms and strings as strings, and other compounds as their text.

value_json(Var, @(null)) :-
    var(Var),
    !.
value_json(Integer, Json) :-
    integer(Integer),
    !,
    (   abs(Integer) < 9007199254740992
    ->  Json = number(Integer)
    ;   Json = text(Integer)
    ).
value_json(Float, Json) :-
    float(Float),
    !,
    float_class(Float, Class),
    (   ( Class == nan ; Class == infinite )
    ->  Json = text(Float)
    ;   Json = number(Float)
    ).
value_json([], list([])) :-
    !.
value_json(Atom, @(Atom)) :-
    ( Atom == true ; Atom == false ; Atom == null ),
    !.
value_json(Text, text(Text)) :-
    ( atom(Text) ; string(Text) ),
    !.
value_json(Dict, object(Pairs)) :-
    is_dict(Dict),
    !,
    dict_pairs(Dict, _, Pairs0),
    pairs_json(Pairs0, Pairs).
value_json(List, list(Jsons)) :-
    is_list(List),
    !,
    values_json(List, Jsons).
value_json(Term, text(Text)) :-
    written_depth(Term, 1000, Levels),
    format(string(Text), "~W", [Term, [quoted(true), cycles(true), max_depth(Levels)]]).

values_json([], []).
values_json([Term|Terms], [Json|Jsons]) :-
    value_json(Term, Json),
    values_json(Terms, Jsons).

pairs_json([], []).
pairs_json([Key-Value|Pairs0], [Key-Json|Pairs]) :-
    value_json(Value, Json),
    pairs_json(Pairs0, Pairs).

%!  texts_json(+Texts, -Json) is det.

texts_json(Texts, list(Jsons)) :-
    findall(text(Text), '$member'(Text, Texts), Jsons).
