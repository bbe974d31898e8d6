:- module(hb_reply,
          [ json_string/2,              % +Json, -Text
            json_text//1                % +Text
          ]).
:- use_module(library(json), []).
:- use_module(library(lists), [numlist/3]).

/** <module> Replies as JSON

JSON is put together from parts: writing to a stream piece by piece costs
much more.
*/

%!  json_string(+Json, -Text:string) is det.
%
%   Json is json(List) of Name=Value, or Text-Value where a name is not ours, a list, a string, a number, true,
%   false, null, an atom (written as a string), or raw(Text), JSON already.

json_string(Json, Text) :-
    phrase(json(Json), Parts),
    atomics_to_string(Parts, Text).

json(json(Pairs)) -->
    !,
    ['{'],
    pairs(Pairs),
    ['}'].
json(raw(Text)) -->
    !,
    [Text].
json(List) -->
    { is_list(List) },
    !,
    ['['],
    elements(List),
    [']'].
json(Value) -->
    { ( number(Value) ; Value == true ; Value == false ; Value == null ) },
    !,
    [Value].
json(Text) -->
    json_text(Text).

pairs([]) -->
    [].
pairs([Name=Value|T]) -->
    ['"', Name, '":'],
    json(Value),
    pair_rest(T).
pairs([Text-Value|T]) -->
    json_text(Text),
    [':'],
    json(Value),
    pair_rest(T).

pair_rest([]) -->
    [].
pair_rest([Pair|Pairs]) -->
    [','],
    pairs([Pair|Pairs]).

elements([]) -->
    [].
elements([H|T]) -->
    json(H),
    (   { T == [] }
    ->  []
    ;   [','],
        elements(T)
    ).

%!  json_text(+Text)// is det.
%
%   Text as a JSON string.

json_text(Text) -->
    (   { escaped(Escaped),
          split_string(Text, Escaped, "", [_]),
          \+ sub_atom(Text, _, _, _, '\000\')
        }
    ->  ['"', Text, '"']
    ;   { with_output_to(string(Json),
                         ( current_output(Out),
                           json:json_write_string(Out, Text) ))
        },
        [Json]
    ).

%   The characters that are escaped in JSON, but for NUL: split_string/4 takes
%   it for the end of its separators.

:- dynamic escaped/1.

:- numlist(1, 31, Control),
   string_codes(Escaped, [0'", 0'\\, 127|Control]),
   assertz(escaped(Escaped)).
