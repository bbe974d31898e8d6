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

A reply is lines of text.  The first, the control line, is what the conductor acts on:
it consists only of numbers and of the words in word/1 and hb_capability:word/1, and
is complete before any text that untrusted code can influence.  Each further line, a
part, is one JSON value without newlines (`docs/engine-protocol.md`).

A JSON value is a typed term, so that no term of the user's can be mistaken for one:

  - text(Text): an atom, a string or a number, as a string
  - quoted(Text): text of a term, as a string; NUL is inside quotes there, and reads
    back only as an escape
  - plain(Text): text that needs no escapes, as a string: a number, the name of a
    variable, or an atom that satisfies hb_answer:plain_atom/1
  - number(Number): an integer that a double holds exactly, or a finite float
  - @(true), @(false), @(null)
  - list(Values)
  - variable(Name): `{"variable": Name}`
  - object(Pairs): Pairs are Name=Value, Name being an atom that needs no escapes, or Text-Value

JSON is assembled from pieces, because writing to a stream piece by piece costs much more.
*/

%!  reply_string(+Reply, -Text:string) is det.
%
%   Reply is one of
%
%     - reply(Kind, Control, Parts): Kind is `ok`, `refused` or `died`.  Control is a
%       list of Word=Value, with Value as for control//1.  Parts are the lines that
%       follow: JSON values, line(Text) for one that is already written, or
%       lines(Text) for any number of those, each ended by a newline.
%
%   @error type_error(word_of_reply, Value) if Control contains anything but numbers
%   and words: then it does not come from the engine itself.

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
%   these, or written(Text), the elements of a list from write_item/3.

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

%   word(?Word): the vocabulary of control lines, without that of capabilities.

word(ok).
word(anew).
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
word(copied).
word(added).
word(declared).
word(reload).
word(undone).
word(away).
word(problems).
word(names).
word(doubts).
word(hint).
word(early).
word(compared).
word(word).
word(increment).
word(collects).
word(joins).
word(term).
word(argument).
word(order).
word(left).
word(endless).
word(two).
word(nested).
word(tail).
word(inside).
word(unreached).
word(behind).
word(rows).
word(date).
word(aggregate).
word(evaluable).
word(goals).
word(branch).
word(goal).
word(value).
word(function).
word(hyphen).
word(rule).
word(quotes).
word(modulo).
word(lambda).
word(calls).
word(shadows).
word(apart).
word(nodes).
word(cut).
word(undefined).
word(template).
word(stored).
word(labeling).
word(arity).
word(escape).

%!  write_item(+Out, +Word, +Numbers) is det.
%
%   Write a list of Word and Numbers to Out, with a comma before it, as an element of a list in the
%   control line.

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
%   Write a JSON value to Out on a line of its own.

write_part(Out, Json) :-
    json(Json, Pieces, ['\n']),
    atomics_to_string(Pieces, Text),
    write(Out, Text).

%!  json_string(+Json, -Text:string) is det.
%
%   @error type_error(json, Json) if Json is not a typed value.

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
%   json_quoted(+Text)//: the same, with NUL as the escape that Prolog reads.

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

%   The characters that JSON escapes, without NUL, which split_string/4 takes for the
%   end of its separators.

:- dynamic escaped/1.

:- numlist(1, 31, Control),
   string_codes(Escaped, [0'", 0'\\, 127|Control]),
   assertz(escaped(Escaped)).
