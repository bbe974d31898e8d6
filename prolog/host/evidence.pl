:- module(hb_evidence,
          [ record_answer/3,            % +From, +Name, +Answer
            recorded_answer/4,          % +From, +Goal, -Rows, -Place
            read_place/4                % +From, +Given, +Time, -Place
          ]).
:- use_module('../store/store').
:- use_module('../store/step', [store_run/2]).
:- use_module(library(lists), [last/2]).

/** <module> What goals have read of relations that are asked

The book keeps an answer as a fact, which goals may read, and which can be undone and taken out:

    data_read(shop:get_price, price(tea,_), [item=tea], '2026-01-31T10:14:03Z', 'sha256:…', [price(tea,3)]).

It has the source, the goal with what it was asked with, the same by columns, when it was read, the hash of what came, and the
rows.  Of several facts for a goal the last holds.
*/

%!  record_answer(+From, +Name, +Answer) is det.
%
%   Keep Answer, answer(Values, Given, Rows, Time, Hash): what the predicate Name was asked with and what it answered.  If the last
%   answer to that has the same hash, it stays.

record_answer(From, Name, answer(Values, Given, Rows, Time, Hash)) :-
    Goal =.. [Name|Values],
    (   last_read(From, Known, hb_evidence:(Known =@= Goal), data_read(_, _, _, _, Hash0, _)),
        Hash0 == Hash
    ->  true
    ;   findall(Read, ( '$member'(Args, Rows), Read =.. [Name|Args] ), Reads),
        store_run(data_read(From, Goal, Given, Time, Hash, Reads), last)
    ).

%!  recorded_answer(+From, +Goal, -Rows, -Place) is semidet.
%
%   Rows, lists of arguments, are the last answer that the book has to what Goal knows, and Place says when it was read.

recorded_answer(From, Goal, Rows, Place) :-
    Goal =.. [_|Args],
    last_read(From, Known, hb_evidence:answers(Known, Args), data_read(_, _, Given, Time, _, Reads)),
    findall(Row, ( '$member'(Read, Reads), compound(Read), Read =.. [_|Row] ), Rows),
    read_place(From, Given, Time, Place).

answers(Known, Args) :-
    compound(Known),
    Known =.. [_|Values],
    subsumes_term(Values, Args).

%   last_read(+From, ?Goal, :Condition, -Read) is semidet: Read is the last fact of From of whose Goal Condition holds.

:- meta_predicate last_read(+, ?, 0, -).

last_read(From, Goal, Condition, Read) :-
    own(data_read, 6),
    findall(Ref,
            ( stored(data_read(From, Goal, _, _, _, _), true, Ref),
              \+ \+ call(Condition) ),
            Refs),
    last(Refs, Ref),
    stored(Read, true, Ref),
    Read = data_read(_, _, _, _, _, Reads),
    is_list(Reads).

%!  read_place(+From, +Given, +Time, -Place) is det.
%
%   Place says where and when something was read: `shop:get_price({item: tea}) at 2026-01-31T10:14:03Z`.

read_place(From, Given, Time, Place) :-
    findall(Text,
            ( is_list(Given),
              '$member'(Column=Value, Given),
              format(atom(Text), "~w: ~q", [Column, Value]) ),
            Texts),
    atomic_list_concat(Texts, ', ', Known),
    format(atom(Place), "~w({~w}) at ~w", [From, Known, Time]).
