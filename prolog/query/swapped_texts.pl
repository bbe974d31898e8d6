:- module(hb_swapped_texts,
          [ holds_swapped/2             % +Goal, -Swapped
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../read/subterms', [sub_term_of/2]).
:- use_module(again, [answers_within/4]).
:- use_module(domains, [one_domain/2, in_a_clause/1]).
:- use_module(text_differences, [text/1]).

/** <module> Goals of rules with their two arguments the wrong way round
*/

%!  holds_swapped(+Goal, -Swapped) is semidet.
%
%   Goal, of a predicate with rules and with two texts as arguments, holds as Swapped, with the other first.  The texts are of
%   two domains: of values of one, and of those that no clause has, nothing tells that they are the wrong way round.

holds_swapped(Goal, Swapped) :-
    of_rules(Goal, Name, 2),
    compound_name_arguments(Goal, Name, [A,B]),
    text(A),
    text(B),
    in_a_clause(A),
    in_a_clause(B),
    \+ one_domain(A, B),
    \+ compares(Name),
    \+ holds_of_nothing(Name),
    compound_name_arguments(Swapped, Name, [B,A]),
    answers_within(true, 1, Swapped, [_]).

%   holds_of_nothing(+Name): a rule of Name/2 has a negation, which holds for what there is not, too.

holds_of_nothing(Name) :-
    term_functor(Head, Name, 2),
    clause(knowledge_base:Head, Body),
    as_written(Body, Written),
    sub_term_of(Sub, Written),
    nonvar(Sub),
    ( Sub = (\+_) ; Sub = not(_) ; Sub = forall(_, _) ),
    !.

%   compares(+Name): a rule of Name/2 compares its arguments, which are so of one domain.

compares(Name) :-
    term_functor(Head, Name, 2),
    clause(knowledge_base:Head, Body),
    arg(1, Head, A),
    arg(2, Head, B),
    as_written(Body, Written),
    sub_term_of(Sub, Written),
    compound(Sub),
    compound_name_arguments(Sub, Op, Sides),
    comparison(Op, Sides, X, Y),
    ( X-Y == A-B ; X-Y == B-A ),
    !.

comparison(Op, [X,Y], X, Y) :-
    '$member'(Op, [<,>,=<,>=,=:=,=\=,@<,@>,@=<,@>=,==,\==,=,\=,dif]).
comparison(compare, [_,X,Y], X, Y).

of_rules(Goal, Name, Arity) :-
    compound(Goal),
    term_functor(Goal, Name, Arity),
    own(Name, Arity),
    term_functor(Head, Name, Arity),
    once(( clause(knowledge_base:Head, Body), Body \== true )).
