:- module(hb_declared_arities,
          [ begin_arities/1,            % +Book
            note_declaration/4,         % +Kind, +Key, +Arity, +Place
            note_clause/5,              % +Key, +Arity, +Head, +Body, +Place
            other_arity_declared/3      % -Start, -End, -PIs
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module(subterms).

/** <module> Declarations of a predicate with another number of arguments

`:- table fib/1.` with clauses of fib/2 tables nothing.  A dynamic predicate without clauses is usual, so it is in doubt
only where nothing in the text names it.
*/

:- dynamic
    by_book/0,                          % what the book declares counts
    declared/4,                         % Kind, Key, Arity, Place
    has_clause/4,                       % Key, Arity, Kind (`fact` or `rule`), Place: the first of its kind
    named/2.                            % Key, Arity: a body has such a term

%!  begin_arities(+Book) is det.
%
%   A new text.  Book is `true` if what the book has counts.

begin_arities(Book) :-
    retractall(by_book),
    retractall(declared(_,_,_,_)),
    retractall(has_clause(_,_,_,_)),
    retractall(named(_,_)),
    (   Book == true
    ->  assertz(by_book)
    ;   true
    ).

%!  note_declaration(+Kind, +Key, +Arity, +Place) is det.
%
%   A directive at Place, Start-End, declares Key/Arity `table` or `dynamic`.

note_declaration(Kind, Key, Arity, Place) :-
    (   '$member'(Kind, [(table),(dynamic)])
    ->  assertz(declared(Kind, Key, Arity, Place))
    ;   true
    ).

%!  note_clause(+Key, +Arity, +Head, +Body, +Place) is det.

note_clause(Key, Arity, Head, Body, Place) :-
    ( Body == true -> Kind = fact ; Kind = rule ),
    (   has_clause(Key, Arity, Kind, _)
    ->  true
    ;   assertz(has_clause(Key, Arity, Kind, Place))
    ),
    forall(( declared(dynamic, Name, Count, _),
             \+ named(Name, Count),
             sub_term_of(Sub, Head-Body),
             callable(Sub),
             Sub \== Head,
             ( term_functor(Sub, Name, Count) ; Sub = Name/Count ; Sub = Name//_ ) ),
           assertz(named(Name, Count))).

%!  other_arity_declared(-Start, -End, -PIs) is nondet.
%
%   PIs, `fib/1 fib/2`, are a declared predicate without clauses and one of its name with clauses and without a declaration.
%   Start and End are those of the declaration, or of the first clause if the book has the declaration.

other_arity_declared(Start, End, PIs) :-
    declared(Kind, Key, Arity, Start-End),
    once(meant(Kind, Key, Arity, Other)),
    pis(Key, Arity, Other, PIs).
other_arity_declared(Start, End, PIs) :-
    by_book,
    has_clause(Key, Other, _, Start-End),
    \+ is_tabled(Key, Other),
    once(( hb_store:tabled(Key, Arity),
           Arity =\= Other,
           \+ declared(table, Key, Arity, _),
           \+ clauses_of(Key, Arity) )),
    \+ ( has_clause(Key, Other, _, Before-_), Before < Start ),
    pis(Key, Arity, Other, PIs).

meant(table, Key, Arity, Other) :-
    \+ clauses_of(Key, Arity),
    clauses_of(Key, Other),
    Other =\= Arity,
    \+ is_tabled(Key, Other).
meant(dynamic, Key, Arity, Other) :-
    \+ clauses_of(Key, Arity),
    \+ named(Key, Arity),
    has_clause(Key, Other, fact, _),
    \+ has_clause(Key, Other, rule, _),
    Other =\= Arity,
    \+ declared(_, Key, Other, _).

%   clauses_of(+Key, ?Arity) is nondet.

clauses_of(Key, Arity) :-
    has_clause(Key, Arity, _, _).
clauses_of(Key, Arity) :-
    by_book,
    own(Key, Arity),
    term_functor(Head, Key, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    Count > 0.

is_tabled(Key, Arity) :-
    (   declared(table, Key, Arity, _)
    ;   by_book,
        hb_store:tabled(Key, Arity)
    ),
    !.

pis(Key, Arity, Other, PIs) :-
    format(string(PIs), "~q ~q", [Key/Arity,Key/Other]).
