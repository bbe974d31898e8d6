:- module(hb_bounded,
          [ run_again_if/1,             % +When
            looking_only/0,
            may_run_again/1,            % +Goal
            most_inferences/1,          % -Most
            ran_within/0,
            moderate/1                  % @Term
          ]).
:- use_module('../functor').
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../store/store').
:- use_module('../read/subterms', [sub_term_of/2]).

/** <module> Which goals may be run again for a hint

A hint must not take long, nor the memory that there is.  The inferences of a goal are counted and its stack is limited,
but a single call of the system may take seconds, or memory outside the stack.  So a goal is run again only if all that
it reaches through the clauses of the user is known to be cheap, and its arguments are small.
*/

%   The most predicates that are looked into, and the most clauses of one with rules.

most_predicates(40).
most_clauses(200).

%   The largest integer, the longest text, and the most parts of a term.

largest_integer(100_000).
longest_text(1_000).
most_parts(2_500).

%   The most inferences of a goal, and of all that is done for a hint after the first run; an engine takes about as long as so
%   many.

most_of_a_goal(30_000).
most_of_a_hint(200_000).
engine_costs(1_000).

%!  run_again_if(+When) is det.
%
%   From now on goals may be run again if When is `asked`, as for an explanation, always; if it is `bounded`, where
%   may_run_again/1 holds; if it is `never`, not at all.

run_again_if(asked)   :- set_flag(hb_run_again, 0).
run_again_if(bounded) :-
    set_flag(hb_run_again, 1),
    statistics(inferences, Now),
    most_of_a_hint(Most),
    End is Now+Most,
    set_flag(hb_hint_ends, End).
run_again_if(never)   :- set_flag(hb_run_again, 2).

%!  looking_only is semidet.
%
%   A query is run for a hint, where it can change nothing: retract/1 only looks for its fact.

looking_only :-
    get_flag(hb_run_again, 2).

%!  may_run_again(+Goal) is semidet.
%
%   Goal, as it is written, may be run again.

may_run_again(Goal) :-
    get_flag(hb_run_again, When),
    may_run_again(When, Goal).

may_run_again(0, _).
may_run_again(1, Goal) :-
    moderate(Goal),
    counts_little(Goal),
    cheap(Goal).

%!  most_inferences(-Most) is semidet.
%
%   What is run again has no more than Most inferences, or `all` for an explanation.  There are none if no goal is to be
%   run again, or the hint has taken all that it may.

most_inferences(Most) :-
    get_flag(hb_run_again, When),
    most_inferences(When, Most).

most_inferences(0, all).
most_inferences(1, Most) :-
    get_flag(hb_hint_ends, End),
    statistics(inferences, Now),
    Left is End-Now,
    Left > 0,
    most_of_a_goal(MostOfGoal),
    Most is min(Left, MostOfGoal).

%!  ran_within is det.
%
%   A goal that was run again in an engine of its own is done: what it took is taken from what the hint has left.

ran_within :-
    statistics(inferences, Took),
    engine_costs(Cost),
    flag(hb_hint_ends, End, End-Took-Cost).

%!  moderate(@Term) is semidet.
%
%   Term has few parts, and no large one.

moderate(Term) :-
    most_parts(Most),
    parts(Term, Most, _).

parts(Term, Left0, Left) :-
    Left0 > 0,
    Left1 is Left0-1,
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        Arity =< Left1,
        compound_name_arguments(Term, _, Args),
        all_parts(Args, Left1, Left)
    ;   Left = Left1,
        moderate_atomic(Term)
    ).

all_parts([], Left, Left).
all_parts([Term|Terms], Left0, Left) :-
    parts(Term, Left0, Left1),
    all_parts(Terms, Left1, Left).

moderate_atomic(Term) :-
    (   ( atom(Term) ; string(Term) )
    ->  longest_text(Longest),
        string_length(Term, Length),
        Length =< Longest
    ;   true
    ).

%   counts_little(+Goal): Goal has no large integer, by which clauses may count.

counts_little(Goal) :-
    largest_integer(Largest),
    term_functor(Goal, Name, Arity),
    (   \+ own(Name, Arity),
        cheap_call(Goal)
    ->  true                                % of the library, which computes with it
    ;   \+ ( sub_term_of(Sub, Goal), integer(Sub), abs(Sub) > Largest )
    ).

%   cheap(+Goal): what Goal reaches is cheap; what makes large texts and terms is not in a recursion.

cheap(Goal) :-
    Found = found(false, false),            % recursion, growth
    cheap(Goal, [], [], _, Found),
    Found \= found(true, true).

%   cheap(+Goal, +Above, +Seen0, -Seen, !Found): Above are the predicates whose clauses lead to Goal, Seen those looked
%   into.

cheap(Goal, _, _, _, _) :-
    var(Goal),
    !,
    fail.
cheap(Goal, Above, Seen0, Seen, Found) :-
    term_functor(Goal, Name, Arity),
    own(Name, Arity),
    !,
    own_cheap(Name/Arity, Above, Seen0, Seen, Found).
cheap(_:_, _, _, _, _) :-
    !,
    fail.
cheap(Goal, Above, Seen0, Seen, Found) :-
    goals_of(Goal, Goals),
    !,
    (   '$member'(Goal, [findall(_,_,_),findall(_,_,_,_),bagof(_,_,_),setof(_,_,_)])
    ->  nb_setarg(2, Found, true)
    ;   true
    ),
    all_cheap(Goals, Above, Seen0, Seen, Found).
cheap(Goal, _, Seen, Seen, _) :-
    cheap_call(Goal),
    !.
cheap(Goal, _, Seen, Seen, Found) :-
    term_functor(Goal, Name, Arity),
    grows(Name, Arity),
    counts_little(Goal),
    nb_setarg(2, Found, true).

all_cheap([], _, Seen, Seen, _).
all_cheap([Goal|Goals], Above, Seen0, Seen, Found) :-
    cheap(Goal, Above, Seen0, Seen1, Found),
    all_cheap(Goals, Above, Seen1, Seen, Found).

own_cheap(PI, Above, Seen0, Seen, Found) :-
    (   '$member'(PI, Above)
    ->  nb_setarg(1, Found, true),
        Seen = Seen0
    ;   '$member'(PI, Seen0)
    ->  Seen = Seen0
    ;   length(Seen0, Count),
        most_predicates(Most),
        Count < Most,
        PI = Name/Arity,
        \+ hb_store:tabled(Name, Arity),
        term_functor(Head, Name, Arity),
        (   predicate_property(knowledge_base:Head, number_of_rules(0))
        ->  Seen = [PI|Seen0]
        ;   predicate_property(knowledge_base:Head, number_of_clauses(Clauses)),
            most_clauses(MostClauses),
            Clauses =< MostClauses,
            findall(Body, ( clause(knowledge_base:Head, Safe), Safe \== true, as_written(Safe, Body) ), Bodies),
            all_cheap(Bodies, [PI|Above], [PI|Seen0], Seen, Found)
        )
    ).

%   goals_of(+Goal, -Goals) is semidet: Goal is a control construct or the like, and calls Goals.

goals_of((A,B), [A,B]).
goals_of((A;B), [A,B]).
goals_of('|'(A,B), [A,B]).
goals_of((A->B), [A,B]).
goals_of((A*->B), [A,B]).
goals_of(\+A, [A]).
goals_of(not(A), [A]).
goals_of(once(A), [A]).
goals_of(ignore(A), [A]).
goals_of(forall(A,B), [A,B]).
goals_of(_^A, [A]).
goals_of(limit(N,A), [A]) :- integer(N).
goals_of(findall(_,A,_), [A]).
goals_of(findall(_,A,_,_), [A]).
goals_of(bagof(_,A,_), [A]).
goals_of(setof(_,A,_), [A]).
goals_of(aggregate_all(_,A,_), [A]).
goals_of(aggregate_all(_,_,A,_), [A]).
goals_of(phrase(Body,_), [Goal]) :- extended_by(Body, 2, Goal).
goals_of(phrase(Body,_,_), [Goal]) :- extended_by(Body, 2, Goal).
goals_of(Goal0, [Goal]) :-
    compound(Goal0),
    compound_name_arguments(Goal0, Name, [Closure|Args]),
    length(Args, Count),
    closure_arguments(Name, Count, N),
    extended_by(Closure, N, Goal).

%   closure_arguments(+Name, +Count, -N): the predicate Name with a closure and Count further arguments calls it with N.

closure_arguments(call, N, N).
closure_arguments(maplist, N, N) :- N > 0.
closure_arguments(include, 2, 1).
closure_arguments(exclude, 2, 1).
closure_arguments(partition, 3, 1).
closure_arguments(foldl, N, N) :- N > 2.

%   extended_by(+Closure, +N, -Goal): Goal is Closure with N more arguments, or the body of a lambda.

extended_by(Closure, N, Goal) :-
    callable(Closure),
    (   Closure = _>>Goal
    ->  true
    ;   length(More, N),
        Closure =.. Args0,
        '$append'(Args0, More, Args),
        Goal =.. Args
    ).

%   cheap_call(+Goal): a goal of the system or a library that takes little in relation to its arguments.

cheap_call(Goal) :-
    (   compound(Goal),
        compound_name_arguments(Goal, Name, Args),
        '$member'(Name, [is,=:=,=\=,<,>,=<,>=])
    ->  Args = [A,B],
        cheap_expression(A),
        cheap_expression(B)
    ;   Goal = between(_, High, _)
    ->  integer(High),
        largest_integer(Largest),
        High =< Largest
    ;   term_functor(Goal, Name, Arity),
        '$member'(Name/Arity, [
            true/0, fail/0, false/0, !/0,
            (=)/2, (\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2, compare/3, dif/2, (=@=)/2,
            var/1, nonvar/1, atom/1, number/1, integer/1, float/1, atomic/1, compound/1, callable/1, string/1, is_list/1,
            ground/1, arg/3, char_type/2, code_type/2, atom_length/2, string_length/2, string_code/3, char_code/2,
            member/2, memberchk/2, select/3, selectchk/3, nth0/3, nth1/3, last/2, reverse/2, delete/3,
            subtract/3, intersection/3, union/3, list_to_set/2, sum_list/2, sumlist/2, max_list/2, min_list/2,
            max_member/2, min_member/2, msort/2, sort/2, sort/4, keysort/2, permutation/2, flatten/2,
            pairs_keys/2, pairs_values/2, pairs_keys_values/3, succ/2, plus/3, append/2, append/3,
            list_to_ord_set/2, ord_union/3, ord_subtract/3, ord_memberchk/2, subset/2, get_assoc/3,
            get_dict/3, sub_atom/5, sub_string/5, atom_number/2, number_string/2, same_length/2,
            upcase_atom/2, downcase_atom/2, string_lower/2, string_upper/2
        ])
    ).

%   grows(+Name, +Arity): what it makes may be larger than its arguments, which adds up in a recursion.

grows(length, 2).
grows(numlist, 3).
grows(atom_concat, 3).
grows(string_concat, 3).
grows(atomic_list_concat, 2).
grows(atomic_list_concat, 3).
grows(split_string, 4).
grows(atom_chars, 2).
grows(atom_codes, 2).
grows(string_chars, 2).
grows(string_codes, 2).
grows(number_codes, 2).
grows(atom_string, 2).
grows(text_concat, 3).
grows(text_to_string, 2).
grows(term_to_atom, 2).
grows(string_to_atom, 2).
grows((=..), 2).

%   cheap_expression(@Expression): it has no power or shift of what is not known yet.

cheap_expression(Expression) :-
    (   compound(Expression)
    ->  compound_name_arguments(Expression, Op, Args),
        \+ '$member'(Op, [**,^,<<,powm,random,random_float]),
        all_cheap_expressions(Args)
    ;   var(Expression)
    ->  true
    ;   \+ '$member'(Expression, [random,random_float])
    ).

all_cheap_expressions([]).
all_cheap_expressions([Expression|Expressions]) :-
    cheap_expression(Expression),
    all_cheap_expressions(Expressions).
