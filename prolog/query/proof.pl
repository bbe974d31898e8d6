:- module(hb_proof,
          [ proof/2,                    % +Safe, -Nodes
            shown/2,                    % +Nodes0, -Nodes
            step_kind/2                 % +Goal, -How
          ]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module('../sandbox/namesakes', [taken_back/1]).
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module(undefined).
:- use_module('../host/linked', [placed_row/3]).
:- use_module('../host/sets', [in_set/1, set_derivation/6, set_solution/1]).
:- use_module('../sandbox/libraries', [own_library/2]).

/** <module> How an answer was derived

An interpreter that runs the translated bodies of user clauses, so that it reaches
nothing that the query itself would not, and records what was proved by what.  Its
answers come in the order of the query's own.  A goal that it does not look into is a
single step: built-in and library predicates, negation (which proved nothing), and
constraints (the answer shows what they mean together).  A goal over linked data is a row,
with where it is.  Answers of tabled predicates come from their tables, also below one another.  A goal that only succeeds because it is
undefined is `neither`: neither true nor false.
*/

most_tabled(2000).

%!  proof(+Safe, -Nodes) is nondet.
%
%   Nodes, terms node(Goal, How, Nodes), prove Safe, with cuts local to it.  For hb_proof_nodes:proof_json/5.

proof(Safe, Nodes) :-
    prolog_current_choice(Choice),
    proof(Safe, Choice, Nodes, []).

proof(Var, _, _, _) :-
    var(Var),
    !,
    throw(error(instantiation_error, _)).
proof(true, _, Nodes, Nodes) :-
    !.
proof((A,B), Choice, Nodes0, Nodes) :-
    !,
    proof(A, Choice, Nodes0, Nodes1),
    proof(B, Choice, Nodes1, Nodes).
proof(!, Choice, [node(!, cut, [])|Nodes], Nodes) :-
    !,
    prolog_cut_to(Choice).
proof((C->A;B), Choice, Nodes0, Nodes) :-
    !,
    (   proof(C, Proof)
    ->  append_nodes(Proof, Nodes0, Nodes1),
        proof(A, Choice, Nodes1, Nodes)
    ;   negation(C, Nodes0, Nodes1),
        proof(B, Choice, Nodes1, Nodes)
    ).
proof((C*->A;B), Choice, Nodes0, Nodes) :-
    !,
    (   proof(C, Proof)
    *-> append_nodes(Proof, Nodes0, Nodes1),
        proof(A, Choice, Nodes1, Nodes)
    ;   negation(C, Nodes0, Nodes1),
        proof(B, Choice, Nodes1, Nodes)
    ).
proof((A;B), Choice, Nodes0, Nodes) :-
    !,
    (   proof(A, Choice, Nodes0, Nodes)
    ;   proof(B, Choice, Nodes0, Nodes)
    ).
proof('|'(A,B), Choice, Nodes0, Nodes) :-
    !,
    proof((A;B), Choice, Nodes0, Nodes).
proof((C->A), Choice, Nodes0, Nodes) :-
    !,
    proof((C->A;fail), Choice, Nodes0, Nodes).
proof((C*->A), Choice, Nodes0, Nodes) :-
    !,
    proof((C*->A;fail), Choice, Nodes0, Nodes).
proof(\+Goal, _, Nodes0, Nodes) :-
    !,
    \+ call(knowledge_base:Goal),
    negation(Goal, Nodes0, Nodes).

%   The user's predicates come before those of the system with the same name: their
%   arguments are data, and were not translated.

proof(Goal, _, Nodes0, Nodes) :-
    name_arity(Goal, Name, Arity),
    own(Name, Arity),
    !,
    (   hb_store:tabled(Name, Arity)
    ->  step(Goal, Nodes0, Nodes)
    ;   hb_store:link(_, Name, Arity, From)
    ->  row(Goal, From, Nodes0, Nodes)
    ;   Nodes0 = [node(Goal, clause(Ref), Children)|Nodes],
        by_clause(Goal, Ref, Children)
    ).
proof(once(Goal), _, Nodes0, Nodes) :-
    !,
    once(proof(Goal, Proof)),
    append_nodes(Proof, Nodes0, Nodes).
proof(ignore(Goal), _, Nodes0, Nodes) :-
    \+ taken_back(ignore(Goal)),              % else Goal was perhaps not translated
    !,
    (   proof(Goal, Proof)
    ->  append_nodes(Proof, Nodes0, Nodes)
    ;   negation(Goal, Nodes0, Nodes)
    ).
proof(hb_joins:join(Goals, Place), Choice, Nodes0, Nodes) :-
    !,
    hb_joins:join(Goals, Place),            % one statement, then the row of each goal
    once(proof(Goals, Choice, Nodes0, Nodes)).
proof(hb_checked:translated(_, (hb_checked:pass(Later, Module),Goal)), _, Nodes0, Nodes) :-
    !,
    hb_checked:pass(Later, Module),
    proof(Goal, Proof),
    append_nodes(Proof, Nodes0, Nodes).
proof(hb_checked:translated(Written, Safe), _, [Node|Nodes], Nodes) :-
    !,
    proof(Safe, Proof),
    (   Proof = [node(_, How, Children)],
        How \= clause(_)
    ->  Node = node(Written, How, Children)
    ;   Node = node(Written, call, Proof)
    ).
proof(hb_checked:Checked, _, Nodes0, Nodes) :-
    compound(Checked),
    compound_name_arguments(Checked, checked, [Closure|Args]),
    !,
    extended(Closure, Args, Goal),
    safe_goal(Goal, Safe),
    (   Safe = hb_checked:checked(_)
    ->  step(hb_checked:checked(Goal), Nodes0, Nodes)
    ;   proof(Safe, Proof),
        append_nodes(Proof, Nodes0, Nodes)
    ).
proof(hb_builtins:phrase_list(List), _, Nodes, Nodes) :-
    !,
    hb_builtins:phrase_list(List).
proof(knowledge_base:Goal, _, Nodes0, Nodes) :-
    !,
    proof(Goal, Proof),
    append_nodes(Proof, Nodes0, Nodes).
proof(Goal, _, Nodes0, Nodes) :-
    compound(Goal),
    compound_name_arguments(Goal, call, [Closure|Args]),
    !,
    extended(Closure, Args, Extended),
    proof(Extended, Proof),
    append_nodes(Proof, Nodes0, Nodes).
proof(Goal, _, Nodes0, Nodes) :-
    step(Goal, Nodes0, Nodes).

%   by_clause(+Goal, -Ref, -Children): a cut in the clause also cuts the other clauses.

by_clause(Goal, Ref, Children) :-
    prolog_current_choice(Choice),
    clause(knowledge_base:Goal, Body, Ref),
    proof(Body, Choice, Children, []).

%!  shown(+Nodes0, -Nodes) is det.
%
%   Replace answers of tables by the clauses that derive them without resting on the answers
%   themselves, if such a proof is found soon.

shown([], []).
shown([node(Goal,How,Children0)|Nodes0], [Node|Nodes]) :-
    (   from_table(Goal, How)
    ->  most_tabled(Most),
        hb_store:meant_goal(Goal, Meant),
        (   catch(grounded(Meant, How, [], left(Most), Node), hb_proof_too_long, fail)
        ->  true
        ;   Node = node(Goal, How, [])
        )
    ;   shown(Children0, Children),
        Node = node(Goal, How, Children)
    ),
    shown(Nodes0, Nodes).

%   from_table(+Goal, +How): Goal, as written, is an answer of a table of the user's.

from_table(_, tabled).
from_table(Goal, neither) :-
    hb_store:meant_goal(Goal, Meant),
    name_arity(Meant, Name, Arity),
    hb_store:tabled(Name, Arity).

%   grounded(+Goal, +How, +Above, +Left, -Node): the first proof by clauses none of whose goals is an
%   answer in Above.  What is true rests on nothing undefined.  Left is left(Count), the number of
%   answers that may still be looked into.

grounded(Goal, tabled, Above, Left, Node) :-
    ground(Goal),
    derived(Goal, goal, reading(Goal, Above, Left), Node),
    !.
grounded(Goal, How, Above, Left, node(Goal, clause(Ref), Children)) :-
    \+ ( '$member'(Other, Above), Other =@= Goal ),
    one_less(Left),
    copy_term_nat(Goal, Answer),
    delay_list(Delays),
    by_clause(Goal, Ref, Children0),
    Goal =@= Answer,
    (   How == neither
    ->  \+ same_delays(Delays)
    ;   same_delays(Delays)
    ),
    all_grounded(Children0, [Goal|Above], Left, Children),
    !.

one_less(Left) :-
    arg(1, Left, Count),
    (   Count > 0
    ->  Count1 is Count-1,
        nb_setarg(1, Left, Count1)
    ;   throw(hb_proof_too_long)
    ).

%   derived(+Goal, +At, +Reading, -Node) is semidet: Goal is a tuple of a set, and Node is read off its tables.  Reading is
%   reading(Asked, Above, Left): they were made for Asked; Above and Left are as for grounded/5.  At is as for
%   set_derivation/6.

derived(Goal, At, reading(Asked, Above, Left), node(Goal, clause(Ref), Children)) :-
    set_derivation(Asked, At, Goal, Body, Ref, Premises),
    one_less(Left),
    once(from_premises(Body, Premises, reading(Asked, [Goal|Above], Left), Children, [])).

from_premises(true, _, _, Nodes, Nodes) :-
    !.
from_premises((A,B), Premises, Reading, Nodes0, Nodes) :-
    !,
    from_premises(A, Premises, Reading, Nodes0, Nodes1),
    from_premises(B, Premises, Reading, Nodes1, Nodes).
from_premises(hb_joins:join(Goals, _), Premises, Reading, Nodes0, Nodes) :-
    !,
    from_premises(Goals, Premises, Reading, Nodes0, Nodes).
from_premises(Goal, Premises, Reading, [Node|Nodes], Nodes) :-
    '$member'(premise(Goal, At), Premises),
    (   Reading = reading(_, _, left(0))
    ->  Node = node(Goal, tabled, [])       % no more are shown
    ;   derived(Goal, At, Reading, Node)
    ),
    !.
from_premises(\+Goal, _, _, Nodes0, Nodes) :-
    in_set(Goal),
    !,
    \+ set_solution(Goal),
    negation(Goal, Nodes0, Nodes).
from_premises(Goal, _, reading(_, Above, Left), Nodes0, Nodes) :-
    proof(Goal, Proof0),
    all_grounded(Proof0, Above, Left, Proof),
    append_nodes(Proof, Nodes0, Nodes).

all_grounded([], _, _, []).
all_grounded([node(Goal,How,Children0)|Nodes0], Above, Left, [Node|Nodes]) :-
    (   from_table(Goal, How)
    ->  hb_store:meant_goal(Goal, Meant),
        (   grounded(Meant, How, Above, Left, Node)
        ->  true
        ;   How == neither            % it may rest on itself
        ->  Node = node(Goal, neither, [])
        )
    ;   all_grounded(Children0, Above, Left, Children),
        Node = node(Goal, How, Children)
    ),
    all_grounded(Nodes0, Above, Left, Nodes).

step(Goal, [node(Written, How, [])|Nodes], Nodes) :-
    delay_list(Delays),
    call(knowledge_base:Goal),
    as_written(Goal, Written),
    (   same_delays(Delays)
    ->  step_kind(Goal, How)
    ;   How = neither
    ).

%   row(+Goal, +From, -Nodes, ?Rest): Goal is a row of the table From.

row(Goal, From, [node(Written, source(Source), [])|Nodes], Nodes) :-
    placed_row(From, Goal, Place),
    as_written(Goal, Written),
    atom_concat('from ', Place, Source).

%!  step_kind(+Goal, -How) is det.
%
%   How describes a goal that is not looked into.

step_kind(hb_joins:_, library(aggregate)) :-
    !.
step_kind(Module:Goal, How) :-
    !,
    (   hb_capability:source(Module, Goal, Source)
    ->  How = source(Source)
    ;   constraints(Module)
    ->  How = constraint
    ;   builtins(Module)
    ->  How = builtin
    ;   own_library(Library, Module)
    ->  How = library(Library)
    ;   How = library(Module)
    ).
step_kind(Goal, How) :-
    term_functor(Goal, Name, Arity),
    (   hb_store:tabled(Name, Arity)
    ->  How = tabled
    ;   hb_store:link(_, Name, Arity, From)
    ->  hb_linked:from_text(From, Text),
        atom_concat('from ', Text, Source),
        How = source(Source)
    ;   delays(Name)
    ->  How = constraint
    ;   How = builtin
    ).

%   builtins(+Module): Module has checked versions of predicates that are SWI-Prolog's own.

builtins(system).
builtins(hb_builtins).
builtins(hb_guarded).
builtins(hb_files).
builtins(pure_input).
builtins(hb_continuations).
builtins(hb_output).
builtins(hb_tables).
builtins(hb_transactions).
builtins(hb_coroutines).
builtins(hb_records).

constraints(clpfd).
constraints(clpb).
constraints(clpBNR).
constraints(dif).
constraints(when).
constraints(hb_chr_store).

delays(dif).
delays(freeze).
delays(when).

negation(Goal, [node(\+Written, negation(Goal), [])|Nodes], Nodes) :-
    as_written(Goal, Written).

append_nodes(Proof, Nodes0, Nodes) :-
    '$append'(Proof, Nodes, Nodes0).
