:- module(hb_stops,
          [ inner/1,                    % +In
            in_clause_text/2,           % +In, -Where
            occurs_in/2,                % +Given, +Query
            conjunct/2                  % +Body, -Goal
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../read/subterms', [sub_term_of/2]).
:- use_module(tries, [tried/3]).

/** <module> Where a goal stopped

In is in(Try, Sole, Query): the goal is of the body Try of hb_failure, a single way led there if Sole is true, and Query
is the query.
*/

%!  inner(+In) is semidet.
%
%   A single way led to the goal, and it is not the whole query.

inner(in(Try, true, Query)) :-
    (   Try \== 0
    ->  true
    ;   nonvar(Query),
        Query = (_,_)
    ).

%!  in_clause_text(+In, -Where:string) is det.
%
%   Where names the predicate of the clause, to be read after a goal; it is empty for the query.

in_clause_text(in(Try, _, _), Where) :-
    (   tried(_, Try, Ref),
        clause(knowledge_base:Head, _, Ref)
    ->  term_functor(Head, Name, Arity),
        hb_store:seen_indicator(Name/Arity, Seen),
        format(string(Where), " (in ~q)", [Seen])
    ;   Where = ""
    ).

%!  occurs_in(@Given, @Query) is semidet.

occurs_in(Given, Query) :-
    sub_term_of(Sub, Query),
    Sub =@= Given,
    !.

%!  conjunct(+Body, -Goal) is nondet.
%
%   Goal is one of the conjunction Body, and known.

conjunct(Goal, _) :-
    var(Goal),
    !,
    fail.
conjunct((A,B), Goal) :-
    !,
    ( conjunct(A, Goal) ; conjunct(B, Goal) ).
conjunct(Goal, Goal).
