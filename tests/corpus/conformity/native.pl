% `swipl native.pl -- FILE NAME...`: the outcome of each case NAME of FILE, a line each.

:- use_module(library(time)).
:- initialization(main, main).

main([File|Names]) :-
    load_files(user:File, [silent(true)]),
    forall(member(Name, Names),
           (   catch(( call_with_time_limit(2, user:Name) -> Outcome = passed ; Outcome = failed ), Error, outcome(Error, Outcome)),
               format("~w ~q~n", [Name, Outcome])
           )).

outcome(error(Formal, _), Formal) :-
    !.
outcome(Ball, Ball).
