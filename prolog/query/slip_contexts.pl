:- module(hb_slip_contexts,
          [ by_chance/1,                      % +Slip
            of_another_name/1,                % ?Slip
            same_functor/2,                   % +Term, -General
            written_so/3,                     % +Slip, @Given, +Context
            counts/3,                         % +Slip, @Given, +Context
            written_once/3                    % @A, @B, +Context
          ]).
:- use_module(stops, [occurs_in/2, written_in/2, is_inside/1, asked/2]).
:- use_module('../functor').
:- use_module('../read/subterms', [occurs/2]).
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Which differences of values are worth telling

What may be there by chance has to be written where the goal is.
*/

%!  by_chance(+Slip) is semidet.
%
%   Values differ so by chance, too: what was meant has to be written in the query or the clause.

by_chance(spelling).
by_chance(order).
by_chance(arity).
by_chance(member).
by_chance(list).
by_chance(pair).
by_chance(parts).
by_chance(wrapped).
by_chance(unwrapped).
by_chance(sublist).
by_chance(functor).
by_chance(sequence).
by_chance(key).
by_chance(synonym).

%!  of_another_name(?Slip) is nondet.
%
%   Given is a term of another name or number of arguments, which other clauses or elements may have.

of_another_name(functor).
of_another_name(sequence).
of_another_name(arity).

%!  same_functor(+Term, -General) is det.

same_functor(Term, General) :-
    (   compound(Term)
    ->  compound_name_arity(Term, Name, Arity),
        compound_name_arity(General, Name, Arity)
    ;   General = Term
    ).

%!  written_so(+Slip, @Given, +Context) is semidet.
%
%   Given, of a Slip by chance, is written in Context.

written_so(Slip, Given, Context) :-
    (   Slip == order,
        ground(Given)
    ->  occurs_in(Given, Context)
    ;   written_in(Given, Context)
    ).

%!  counts(+Slip, @Given, +Context) is semidet.
%
%   Slip is worth telling: what may be there by chance is written in Context.  Of a goal inside another one, which may well
%   have no answer, another order counts never, and spelling only where the clause itself has it.

counts(Slip, Given, Context) :-
    (   is_inside(Context)
    ->  \+ '$member'(Slip, [order,parts,spaces,sublist,synonym]),
        ( Slip == spelling -> in_rule_only(Given, Context) ; true )
    ;   true
    ),
    (   by_chance(Slip)
    ->  written_so(Slip, Given, Context)
    ;   true
    ).

%   in_rule_only(@Given, +Context): the body of the clause has Given, and the query has not.

in_rule_only(Given, inside(Context)) :-
    in_rule_only(Given, Context).
in_rule_only(Given, in_body(Context, _-Body)) :-
    occurs(Given, Body),
    asked(Context, Query),
    \+ occurs(Given, Query).

%!  written_once(@A, @B, +Context) is semidet.
%
%   A or B, which differ in kind, is written in Context, and no predicate of it looks for both.

written_once(A, B, Context) :-
    ( occurs_in(A, Context) ; occurs_in(B, Context) ),
    !,
    \+ looks_for_both(Context, A, B).

looks_for_both(asked(Query), A, B) :-
    occurs(A, Query),
    occurs(B, Query).
looks_for_both(inside(Context), A, B) :-
    looks_for_both(Context, A, B).
looks_for_both(in_body(Context, Head-_), A, B) :-
    (   term_functor(Head, Name, Arity),
        term_functor(General, Name, Arity),
        findall(General-Body, limit(100, clause(knowledge_base:General, Body)), Clauses),
        occurs(A, Clauses),
        occurs(B, Clauses)
    ->  true
    ;   looks_for_both(Context, A, B)
    ).
