:- module(hb_nearest,
          [ nearest/2,                  % +Goal, -Nearest
            most_compared/1             % -Most
          ]).
:- use_module('../functor').
:- use_module(library(solution_sequences), [limit/2]).

/** <module> Facts that a goal may have meant
*/

%   The most facts that are reported.

most_nearest(3).

%!  most_compared(-Most) is det.
%
%   The most clauses of a predicate that are compared with a goal.

most_compared(500).

%!  nearest(+Goal, -Nearest) is det.
%
%   Nearest are the user facts, Head-Ref, that match Goal in the most arguments.

nearest(Goal, Nearest) :-
    findall(Ref-Score, near_fact(Goal, Score, Ref), Found0),
    sort(1, @<, Found0, Found1),                % each once
    findall(Nth-(Score-Ref), ( '$member'(Ref-Score, Found1), nth_clause(_, Nth, Ref) ), Found2),
    sort(1, @<, Found2, Found3),
    findall(Scored, '$member'(_-Scored, Found3), Found4),
    sort(1, @>=, Found4, Found),
    most_nearest(Most),
    term_functor(Goal, Name, Arity),
    term_functor(Head, Name, Arity),
    findall(Head-Ref, ( first_of(Found, Most, _-Ref), clause(knowledge_base:Head, true, Ref) ), Nearest).

first_of([Item|Items], Most, Member) :-
    Most > 0,
    (   Member = Item
    ;   Most1 is Most-1,
        first_of(Items, Most1, Member)
    ).

%   Facts that match in an argument are found by its index.  The others are compared only if they are few.

near_fact(Goal, Score, Ref) :-
    term_functor(Goal, Name, Arity),
    most_compared(Most),
    (   between(1, Arity, I),
        arg(I, Goal, Arg),
        nonvar(Arg),
        term_functor(Like, Name, Arity),
        arg(I, Like, Arg)
    ;   term_functor(Like, Name, Arity)
    ),
    term_functor(Head, Name, Arity),
    limit(Most, clause(knowledge_base:Like, true, Ref)),
    clause(knowledge_base:Head, true, Ref),
    score(1, Arity, Goal, Head, 0, Score),
    Score > 0.

score(I, Arity, _, _, Score, Score) :-
    I > Arity,
    !.
score(I, Arity, Goal, Head, Score0, Score) :-
    arg(I, Goal, Arg),
    arg(I, Head, HeadArg),
    (   ( var(Arg) ; var(HeadArg) )
    ->  Score1 = Score0
    ;   \+ Arg \= HeadArg
    ->  Score1 is Score0+2
    ;   alike(Arg, HeadArg)
    ->  Score1 is Score0+1
    ;   Score1 = Score0
    ),
    I1 is I+1,
    score(I1, Arity, Goal, Head, Score1, Score).

%   alike(+A, +B): texts that differ in one letter, in case, or as atom and string; or neighbouring numbers.

alike(A, B) :-
    number(A),
    number(B),
    !,
    abs(A-B) =< 1.
alike(A, B) :-
    text(A, TextA),
    text(B, TextB),
    (   TextA == TextB
    ->  true
    ;   dwim_match(TextA, TextB)
    ).

text(Text, Lower) :-
    ( atom(Text) ; string(Text) ),
    !,
    string_length(Text, Length),
    Length =< 100,
    downcase_atom(Text, Lower).
