:- module(hb_wfs,
          [ call_delays/2,              % :Goal, -Delays
            delays_residual_program/2,  % +Delays, -Clauses
            call_residual_program/2,    % :Goal, -Clauses
            answer_residual/2           % +Goal, -Residual
          ]).
:- use_module('../query/undefined').
:- use_module('../store/store').
:- use_module(library(lists)).
:- use_module('../functor').

/** <module> Well-founded semantics

SWI-Prolog's library(wfs) for the tables of the user's predicates.  Its own looks goals up in the
modules that they name, and gives them with the names of the engine.
*/

:- meta_predicate
    call_delays(0, ?),
    call_residual_program(0, ?).

%!  call_delays(:Goal, -Delays) is nondet.
%
%   Goal is true with Delays: `true`, or a conjunction of undefined goals that it rests on.

call_delays(Goal, Delays) :-
    '$wfs_call'(Goal, knowledge_base:Delays0),
    seen_goals(Delays0, Delays).

%!  delays_residual_program(+Delays, -Clauses) is det.
%
%   Clauses, terms (Goal :- Condition), are all that Delays, from call_delays/2, rest on.

delays_residual_program(Delays, Clauses) :-
    phrase(residual_program(Delays, [], _), Clauses).

%!  call_residual_program(:Goal, -Clauses) is nondet.
%
%   Goal is true, and Clauses are what it rests on; [] if it is true without conditions.

call_residual_program(Goal, Clauses) :-
    call_delays(Goal, Delays),
    delays_residual_program(Delays, Clauses).

%   residual_program(+Goals, +Done0, -Done)//

residual_program(Var, _, _) -->
    { var(Var),
      throw(error(instantiation_error, _))
    }.
residual_program(true, Done, Done) -->
    !.
residual_program(undefined, Done, Done) -->
    !.
residual_program((A;B), Done0, Done) -->
    !,
    residual_program(A, Done0, Done1),
    residual_program(B, Done1, Done).
residual_program((A,B), Done0, Done) -->
    !,
    residual_program(A, Done0, Done1),
    residual_program(B, Done1, Done).
residual_program(tnot(Goal), Done0, Done) -->
    !,
    residual_program(Goal, Done0, Done).
residual_program(Goal, Done, Done) -->
    { member(Other, Done),
      Other =@= Goal
    },
    !.
residual_program(Goal, Done0, Done) -->
    { condition(Goal, Condition) },
    !,
    [(Goal :- Condition)],
    residual_program(Condition, [Goal|Done0], Done).
residual_program(Goal, _, _) -->
    { throw(error(permission_error(answer_residual, non_tabled_procedure, Goal), _)) }.

%   condition(+Seen, -Condition) is semidet: Condition is that of the answer Seen of a table.

condition(Seen, Condition) :-
    callable(Seen),
    meant_goal(Seen, Goal),
    table(Goal, ModeArgs, Trie, Skeleton),
    copy_term(Skeleton, Answer),
    (   '$tbl_is_trienode'(ModeArgs)
    ->  '$tbl_answer'(Trie, Answer, Condition0)
    ;   '$tbl_answer'(Trie, Answer, ModeArgs, Condition0)
    ),
    Answer =@= Skeleton,
    !,
    Answer = Skeleton,
    residual_of(Condition0, Condition).

table(Goal, ModeArgs, Trie, Skeleton) :-
    term_functor(Goal, Name, Arity),
    hb_store:tabled(Name, Arity),
    knowledge_base:'$table_mode'(Goal, Variant, ModeArgs),
    (   current_table(knowledge_base:Variant, Trie)
    ->  true
    ;   '$tabling':more_general_table(knowledge_base:Variant, Trie)
    ),
    '$tbl_table_status'(Trie, _, knowledge_base:Variant, Skeleton).

residual_of((Module:Variant)/ModeArgs, Goal) :-
    !,
    Module:'$table_mode'(Goal0, Variant, ModeArgs),
    seen_goals(Goal0, Goal).
residual_of(Condition0, Condition) :-
    seen_goals(Condition0, Condition).

%!  answer_residual(+Goal, -Residual) is nondet.
%
%   Goal is an answer of a table, and Residual the condition under which it is true.

answer_residual(Goal0, Residual) :-
    (   var(Goal0)
    ->  throw(error(instantiation_error, _))
    ;   callable(Goal0)
    ->  meant_goal(Goal0, Goal)
    ;   throw(error(type_error(callable, Goal0), _))
    ),
    term_functor(Goal, Name, Arity),
    (   hb_store:tabled(Name, Arity)
    ->  true
    ;   throw(error(permission_error(answer_residual, non_tabled_procedure, Goal0), _))
    ),
    '$tbl_variant_table'(Variants),
    trie_gen(Variants, knowledge_base:Goal, Trie),
    '$tbl_table_status'(Trie, _, knowledge_base:Goal, Skeleton),
    '$tbl_answer'(Trie, Skeleton, Condition),
    residual_of(Condition, Residual).
