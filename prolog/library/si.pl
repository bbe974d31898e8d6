:- module(hb_si,
          [ atom_si/1,                  % @Term
            atomic_si/1,                % @Term
            boolean_si/1,               % @Term
            character_si/1,             % @Term
            chars_si/1,                 % @Term
            dif_si/2,                   % @X, @Y
            integer_si/1,               % @Term
            list_si/1,                  % @Term
            term_si/1                   % @Term
          ]).

/** <module> Type tests that are not decided too early

As in Scryer Prolog's library(si): throw an error if the term is not instantiated enough.
*/

atom_si(Term)    :- atomic_si(Term), atom(Term).
integer_si(Term) :- atomic_si(Term), integer(Term).

atomic_si(Term) :-
    must_be_known(Term),
    atomic(Term).

boolean_si(Term) :-
    atom_si(Term),
    ( Term = true ; Term = false ),
    !.

character_si(Term) :-
    atom_si(Term),
    atom_length(Term, 1).

chars_si(Term) :-
    must_be_list(Term, Tail),
    Tail == [],
    forall('$member'(Char, Term), character_si(Char)).

list_si(Term) :-
    must_be_list(Term, Tail),
    Tail == [].

term_si(Term) :-
    (   ground(Term)
    ->  acyclic_term(Term)
    ;   throw(error(instantiation_error, _))
    ).

dif_si(X, Y) :-
    (   X \= Y
    ->  true
    ;   X == Y
    ->  fail
    ;   throw(error(instantiation_error, _))
    ).

must_be_known(Term) :-
    (   var(Term)
    ->  throw(error(instantiation_error, _))
    ;   true
    ).

must_be_list(Term, Tail) :-
    '$skip_list'(_, Term, Tail),
    must_be_known(Tail).
