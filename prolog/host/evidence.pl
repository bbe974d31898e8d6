:- module(hb_evidence,
          [ record_answer/3,            % +From, +Name, +Answer
            recorded_answer/4,          % +From, +Goal, -Rows, -Place
            read_place/4                % +From, +Given, +Time, -Place
          ]).
:- use_module('../store/store').
:- use_module('../store/step', [store_recorded/1]).

/** <module> What goals have read of relations that are asked

The book keeps an answer as a fact, which goals may read, and which can be undone and taken out:

    data_read(shop:get_price, price(tea,_), [item=tea], '2026-01-31T10:14:03.120Z', 'sha256:…', [price(tea,3)]).

It has the source, the goal with what it was asked with, the same by columns, when it was read, the hash of what came, and the
rows.  A column that could have been told but was not has a variable, which the goal has, too: `listed(B,_,_), [below=B]`.
Of several facts for a goal the last by time holds.  They are found by the values that they were asked with.
*/

:- dynamic
    pattern/4,                          % From, Name, Arity, Places: a fact knows just these arguments
    read_ref/2,                         % Hash, Ref: of a fact that knows such arguments, by their hash
    indexed_at/1.                       % Generation of data_read/6 when these were right

%!  record_answer(+From, +Name, +Answer) is det.
%
%   Keep Answer, answer(Values, Given, Rows, Time, Hash): what the predicate Name was asked with and what it answered.  If the last
%   answer to that has the same hash, it stays.

record_answer(From, Name, answer(Values, Given, Rows, Time, Hash)) :-
    Goal =.. [Name|Values],
    (   last_read(From, Goal, exact, data_read(_, _, _, _, Hash0, _)),
        Hash0 == Hash
    ->  true
    ;   findall(Read, ( '$member'(Args, Rows), Read =.. [Name|Args] ), Reads),
        indexed,
        store_recorded(data_read(From, Goal, Given, Time, Hash, Reads)),
        predicate_property(knowledge_base:data_read(_, _, _, _, _, _), number_of_clauses(Count)),
        nth_clause(knowledge_base:data_read(_, _, _, _, _, _), Count, Ref),
        index(From, Goal, Ref),
        retractall(indexed_at(_)),
        generation(Generation),
        assertz(indexed_at(Generation))
    ).

%!  recorded_answer(+From, +Goal, -Rows, -Place) is semidet.
%
%   Rows, lists of arguments, are the last answer that the book has to what Goal knows, and Place says when it was read.  An
%   answer to just that counts before one to less.

recorded_answer(From, Goal, Rows, Place) :-
    (   last_read(From, Goal, exact, Read)
    ->  true
    ;   last_read(From, Goal, wide, Read)
    ),
    Read = data_read(_, _, Given, Time, _, Reads),
    findall(Row, ( '$member'(Told, Reads), compound(Told), Told =.. [_|Row] ), Rows),
    read_place(From, Given, Time, Place).

%   last_read(+From, +Goal, +How, -Read) is semidet: Read is the last fact of From that answers Goal: `exact`, or `wide` if it was
%   asked with less, and the rows tell the rest.

last_read(From, Goal, How, Read) :-
    own(data_read, 6),
    indexed,
    findall(Time-Ref,
            ( read_like(From, Goal, Ref),
              answers(Ref, From, Goal, How, Time) ),
            [First|Others]),
    latest(Others, First, Ref),
    Read = data_read(_, _, _, _, _, _),
    stored_safe(Read, true, Ref).

latest([], _-Ref, Ref).
latest([Time-Ref|Others], Time0-Ref0, Last) :-
    (   Time @< Time0
    ->  latest(Others, Time0-Ref0, Last)
    ;   latest(Others, Time-Ref, Last)
    ).

%   indexed: pattern/4 and read_ref/2 are right.  They are made again after other changes than those of record_answer/3.

indexed :-
    generation(Generation),
    (   indexed_at(Generation)
    ->  true
    ;   retractall(indexed_at(_)),
        retractall(pattern(_, _, _, _)),
        retractall(read_ref(_, _)),
        forall(stored_safe(data_read(From, Goal, _, _, _, _), true, Ref), index(From, Goal, Ref)),
        assertz(indexed_at(Generation))
    ).

generation(Generation) :-
    (   predicate_property(knowledge_base:data_read(_, _, _, _, _, _), last_modified_generation(Generation0))
    ->  Generation = Generation0
    ;   Generation = none
    ).

index(From, Goal, Ref) :-
    (   compound(Goal),
        findall(Place, ( arg(Place, Goal, Arg), nonvar(Arg) ), Places),
        values_hash(From, Goal, Places, Hash)
    ->  compound_name_arity(Goal, Name, Arity),
        (   pattern(From, Name, Arity, Places)
        ->  true
        ;   assertz(pattern(From, Name, Arity, Places))
        ),
        assertz(read_ref(Hash, Ref))
    ;   true                            % of another form, from an older book: no answer
    ).

%   read_like(+From, +Goal, -Ref) is nondet: the fact Ref of From knows of the arguments what Goal has, or less.

read_like(From, Goal, Ref) :-
    compound_name_arity(Goal, Name, Arity),
    pattern(From, Name, Arity, Places),
    values_hash(From, Goal, Places, Hash),
    read_ref(Hash, Ref).

%   values_hash(+From, +Goal, +Places, -Hash) is semidet: fails unless all arguments at Places are ground.

values_hash(From, Goal, Places, Hash) :-
    findall(Arg, ( '$member'(Place, Places), arg(Place, Goal, Arg) ), Args),
    ground(From-Args),
    term_hash(From-Places-Args, Hash).

answers(Ref, From, Goal, How, Time) :-
    stored_safe(data_read(From, Known, Given, Time, _, Reads), true, Ref),
    compound(Known),
    subsumes_term(Known, Goal),
    is_list(Reads),
    term_variables(Given, Open),
    (   asked_besides(Known, Open, Goal, _)
    ->  How == wide,
        Reads = [_|_],
        \+ ( asked_besides(Known, Open, Goal, At),
             '$member'(Row, Reads),
             compound(Row),
             arg(At, Row, null) )
    ;   How == exact
    ).

%   asked_besides(+Known, +Open, +Goal, -At) is nondet: Goal knows the argument At, which is asked with, and Known did not.

asked_besides(Known, Open, Goal, At) :-
    arg(At, Known, Arg),
    var(Arg),
    arg(At, Goal, Value),
    nonvar(Value),
    \+ \+ ( '$member'(One, Open), One == Arg ).

%!  read_place(+From, +Given, +Time, -Place) is det.
%
%   Place says where and when something was read: `shop:get_price({item: tea}) at 2026-01-31T10:14:03.120Z`.

read_place(From, Given, Time, Place) :-
    findall(Text,
            ( is_list(Given),
              '$member'(Column=Value, Given),
              nonvar(Value),
              format(atom(Text), "~w: ~q", [Column, Value]) ),
            Texts),
    atomic_list_concat(Texts, ', ', Known),
    format(atom(Place), "~w({~w}) at ~w", [From, Known, Time]).
