:- module(hb_reply,
          [ reply_string/2,             % +Reply, -Text
            write_item/3,               % +Out, +Word, +Numbers
            write_part/2,               % +Out, +Json
            json_string/2               % +Json, -Text
          ]).
:- use_module(capability).
:- use_module(library(json), []).
:- use_module(library(lists), [numlist/3]).

/** <module> Replies, and JSON

A reply is lines of text.  The first, the control line, is what the conductor
obeys: it is made of numbers and of the words in word/1 and
hb_capability:word/1 alone, and is complete before any text that untrusted
code can shape.  Each further line, a part, is one JSON value, in which no
newline stands (`docs/engine-protocol.md`).

A JSON value is a typed term, so that no term of the user's can be taken for
one:

  - text(Text): an atom, a string or a number, as a string
  - quoted(Text): text of a term, in which NUL stands in quotes: it reads back as an
    escape only
  - plain(Text): what needs no escapes, as a string: a number, the name of a
    variable, an atom that hb_answer:plain_atom/1 knows
  - number(Number): an integer that a double holds exactly, or a finite float
  - @(true), @(false), @(null)
  - list(Values)
  - variable(Name): `{"variable": Name}`
  - object(Pairs): of Name=Value, Name an atom that needs no escapes, or Text-Value

JSON is put together from pieces: writing to a stream piece by piece costs
much more.
*/

%!  reply_string(+Reply, -Text:string) is det.
%
%   Reply is one of
%
%     - reply(Kind, Control, Parts): Kind is `ok`, `refused` or `died`, Control a
%       list of Word=Value, Value as control//1 has it, Parts the lines that
%       follow: JSON values, line(Text) for one that is written already, or
%       lines(Text) for any number of those, each ended by a newline.
%
%   @error type_error(word_of_reply, Value) where Control holds anything but
%   numbers and words: then it is not the engine that speaks.

reply_string(reply(Kind, Control, Parts), Text) :-
    reply(Kind, Control, Parts, Pieces, []),
    atomics_to_string(Pieces, Text).

reply(Kind, Control, Parts) -->
    word(Kind),
    [' {'],
    control_pairs(Control),
    ['}\n'],
    parts(Parts).

word(Word) -->
    { atom(Word), known_word(Word) },
    !,
    [Word].
word(Word) -->
    { throw(error(type_error(word_of_reply, Word), _)) }.

control_pairs([]) -->
    [].
control_pairs([Word=Value|Pairs]) -->
    ['"'], word(Word), ['":'],
    control(Value),
    (   { Pairs == [] }
    ->  []
    ;   [','],
        control_pairs(Pairs)
    ).

%   control(+Value)//: an integer, `true`, `false`, `null`, another word, a list of
%   these, or written(Text), the elements of a list that write_item/3 has written.

control(Var) -->
    { var(Var) },
    !,
    word(Var).
control(Number) -->
    { integer(Number) },
    !,
    [Number].
control([]) -->
    !,
    ['[]'].
control([Value|Values]) -->
    !,
    ['['],
    control(Value),
    controls(Values),
    [']'].
control(written(Text)) -->
    !,
    ['[', Text, ']'].
control(Constant) -->
    { constant(Constant) },
    !,
    [Constant].
control(Word) -->
    ['"'], word(Word), ['"'].

controls([]) -->
    [].
controls([Value|Values]) -->
    [','],
    control(Value),
    controls(Values).

constant(true).
constant(false).
constant(null).

known_word(Word) :-
    word(Word).
known_word(Word) :-
    hb_capability:word(Word).

%   word(?Word): the vocabulary of control lines, but for that of capabilities.

word(ok).
word(refused).
word(died).

word(more).
word(items).
word(f).
word(r).
word(g).
word(d).
word(i).
word(n).
word(s).
word(e).
word(removed).
word(open).
word(answers).
word(asks).
word(leaves).
word(inferences).
word(output).
word(error).
word(added).
word(declared).
word(reload).
word(undone).
word(problems).
word(names).
word(branch).
word(goal).
word(value).
word(function).
word(hyphen).
word(rule).
word(quotes).
word(calls).
word(shadows).
word(apart).
word(nodes).
word(cut).

%!  write_item(+Out, +Word, +Numbers) is det.
%
%   Write an element of a list of a control line to Out, with a comma before it: a list of a
%   word and integers.

write_item(Out, Word, Numbers) :-
    word(Word, _, []),
    integers(Numbers),
    atomic_list_concat(Numbers, ',', Text),
    format(Out, ',["~w",~w]', [Word, Text]).

integers([]).
integers([Number|Numbers]) :-
    (   integer(Number)
    ->  integers(Numbers)
    ;   throw(error(type_error(word_of_reply, Number), _))
    ).

parts([]) -->
    [].
parts([Part|Parts]) -->
    part(Part),
    parts(Parts).

part(line(Text)) -->
    !,
    [Text, '\n'].
part(lines(Text)) -->
    !,
    [Text].
part(Json) -->
    json(Json),
    ['\n'].

%!  write_part(+Out, +Json) is det.
%
%   Write a JSON value to Out, as a line.

write_part(Out, Json) :-
    json(Json, Pieces, ['\n']),
    atomics_to_string(Pieces, Text),
    write(Out, Text).

%!  json_string(+Json, -Text:string) is det.
%
%   @error type_error(json, Json) if it is no typed value.

json_string(Json, Text) :-
    json(Json, Pieces, []),
    atomics_to_string(Pieces, Text).

json(Var) -->
    { var(Var) },
    !,
    { throw(error(type_error(json, Var), _)) }.
json(text(Text)) -->
    !,
    json_text(Text).
json(plain(Text)) -->
    !,
    ['"', Text, '"'].
json(quoted(Text)) -->
    !,
    json_quoted(Text).
json(number(Number)) -->
    { json_number(Number) },
    !,
    [Number].
json(variable(Name)) -->
    !,
    ['{"variable":"', Name, '"}'].
json(list(Values)) -->
    !,
    ['['],
    elements(Values),
    [']'].
json(object(Pairs)) -->
    !,
    ['{'],
    pairs(Pairs),
    ['}'].
json(@(Constant)) -->
    { constant(Constant) },
    !,
    [Constant].
json(Other) -->
    { throw(error(type_error(json, Other), _)) }.

json_number(Number) :-
    (   integer(Number)
    ->  abs(Number) =< 9007199254740991
    ;   float(Number),
        float_class(Number, Class),
        Class \== nan,
        Class \== infinite
    ).

pairs([]) -->
    [].
pairs([Pair|Pairs]) -->
    pair(Pair),
    (   { Pairs == [] }
    ->  []
    ;   [','],
        pairs(Pairs)
    ).

pair(Name=Value) -->
    !,
    ['"', Name, '":'],
    json(Value).
pair(Text-Value) -->
    json_text(Text),
    [':'],
    json(Value).

elements([]) -->
    [].
elements([Value|Values]) -->
    json(Value),
    (   { Values == [] }
    ->  []
    ;   [','],
        elements(Values)
    ).

%   json_text(+Text)//: Text as a JSON string.
%   json_quoted(+Text)//: and NUL as Prolog reads it.

json_text(Number) -->
    { number(Number) },
    !,
    ['"', Number, '"'].
json_text(Text) -->
    (   { unescaped(Text) }
    ->  ['"', Text, '"']
    ;   { escape(Text, Json) },
        [Json]
    ).

json_quoted(Text) -->
    (   { unescaped(Text) }
    ->  ['"', Text, '"']
    ;   { atomic_list_concat(Parts, '\000\', Text),
          atomic_list_concat(Parts, '\\000\\', Text1),
          escape(Text1, Json)
        },
        [Json]
    ).

unescaped(Text) :-
    escaped(Escaped),
    split_string(Text, Escaped, "", [_]),
    \+ sub_atom(Text, _, _, _, '\000\').

escape(Text, Json) :-
    with_output_to(string(Json),
                   ( current_output(Out),
                     json:json_write_string(Out, Text) )).

%   The characters that are escaped in JSON, but for NUL: split_string/4 takes
%   it for the end of its separators.

:- dynamic escaped/1.

:- numlist(1, 31, Control),
   string_codes(Escaped, [0'", 0'\\, 127|Control]),
   assertz(escaped(Escaped)).
