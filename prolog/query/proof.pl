:- module(hb_proof,
          [ prove/5,                    % +Text, +Nth, +Seconds, -Control, -Parts
            solve/3,                    % +Safe, +Values, -Answer
            proof/2,                    % +Safe, -Nodes
            shown/2,                    % +Nodes0, -Nodes
            once_each/2,                % +Nodes0, -Nodes
            step_kind/2,                % +Goal, -How
            proof_json/5,               % +Names, +Values, +Proof, -Nodes, -Cut
            nodes_json/5,               % +Proof, +Depth, +Left, -Nodes, ?Rest
            most_nodes/1,               % -Count
            node_parts/4,               % +Nodes, -Places, -Parts, ?Last
            kept_id/2,                  % +Ref, -Id
            named_pairs/3,              % +Pairs, -Names, -Values
            goal_text/2                 % +Goal, -Text
          ]).
:- use_module('../functor').
:- use_module('../capability').
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../limits').
:- use_module('../place', [forget_places/0]).
:- use_module(query_text).
:- use_module(changes).
:- use_module(answer).
:- use_module(undefined).
:- use_module(explaining).
:- use_module('../sandbox/libraries', [own_library/2]).
:- use_module('../errors').
:- use_module(library(apply), [maplist/3]).

/** <module> How an answer was derived

An interpreter that runs the translated bodies of user clauses, so that it reaches
nothing that the query itself would not, and records what was proved by what.  Its
answers come in the order of the query's own.  A goal that it does not look into is a
single step: built-in and library predicates, negation (which proved nothing), and
constraints (the answer shows what they mean together).  Answers of tabled predicates
come from their tables, also below one another.  A goal that only succeeds because it is
undefined is `neither`: neither true nor false.
*/

most_nodes(2000).
most_tabled(2000).
deepest_term(30).
longest_goal(400).

%!  prove(+Text, +Nth, +Seconds, -Control, -Parts) is det.
%
%   Prove answer number Nth, from 1, of the query Text; or report how many answers there are, if fewer.  Call
%   begin_step/2 first; changes that the query makes are undone.

prove(Text, Nth, Seconds, [nodes=Places, cut=Cut|Control], Parts) :-
    query_goal(Text, Goal, Pairs),
    named_pairs(Pairs, Names, Values),
    safe_body(Goal, Safe),
    start_step(Seconds),
    found(Nth, Answer, hb_proof:solve(Safe, Values, Answer), Found),
    (   Found = answer(Copy, Proof, Truth)
    ->  proof_json(Names, Copy, Proof, Nodes, Cut),
        (   Truth == undefined
        ->  Control = [undefined=true|Changes]
        ;   Control = Changes
        ),
        Last = Changed
    ;   Found = answers(Count)
    ->  Nodes = [],
        Cut = false,
        Control = [answers=Count|Changes],
        Last = Changed
    ;   Nodes = [],
        Cut = false,
        Found = error(Error0),
        error_of_goal(Safe, Nth, Error0, Error),
        error_json(Error, Json),
        Control = [error=true|Changes],
        Last = [Json|Changed]
    ),
    once_each(Nodes, Counted),
    node_parts(Counted, Places, Parts, Last),
    changes_taken_back(Changes, Changed).

%!  once_each(+Nodes0, -Nodes) is det.
%
%   Turn the nodes of nodes_json/5 into those of node_parts/4, each with the count 1.

once_each([], []).
once_each([node(Depth,Id,Goal,How)|Nodes0], [node(Depth,Id,Goal,How,1)|Nodes]) :-
    once_each(Nodes0, Nodes).

%!  node_parts(+Nodes, -Places, -Parts, ?Last) is det.
%
%   Turn Nodes, terms node(Depth, Id, Goal, How, Count), into the control line and parts.

node_parts([], [], Parts, Parts).
node_parts([node(Depth,Id,Goal,How,Count)|Nodes], [[Depth,Id,Count]|Places],
           [list([quoted(Goal),text(How)])|Parts], Last) :-
    node_parts(Nodes, Places, Parts, Last).

%!  named_pairs(+Pairs, -Names, -Values) is det.
%
%   Names are terms name(Name, _), for name_variables/3.

named_pairs([], [], []).
named_pairs([Name=Value|Pairs], [name(Name,"")|Names], [Value|Values]) :-
    named_pairs(Pairs, Names, Values).

%   found(+Nth, +Template, +Goal, -Found): run Goal in an engine of its own, up to answer Nth, and drop
%   its output.  Found is Template of that answer, answers(Count) if there are fewer, or error(Ball).

found(Nth, Template, Goal, Found) :-
    setup_call_cleanup(
        engine_create(Template, hb_explaining:asking(Goal), Engine),
        catch(nth_answer(Nth, 0, Engine, Found), Ball, Found = error(Ball)),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true).

nth_answer(Nth, Before, Engine, Found) :-
    next_answered(Engine, Next),
    (   Next = the(Answer)
    ->  Count is Before+1,
        (   Count >= Nth
        ->  Found = Answer
        ;   nth_answer(Nth, Count, Engine, Found)
        )
    ;   Next = throw(Ball)
    ->  Found = error(Ball)
    ;   Found = answers(Before)
    ).

%   error_of_goal(+Safe, +Nth, +Error0, -Error): the interpreter ended with Error0 before answer
%   Nth.  Unless that is a stop, the goal is run once more without the interpreter, because only
%   then the stack is that of the goal itself.

error_of_goal(Safe, Nth, Error0, Error) :-
    (   stop(Error0)
    ->  Error = Error0
    ;   forget_places,
        found(Nth, answer, hb_proof:plain(Safe), Found),
        (   Found = error(Error1)
        ->  Error = Error1
        ;   Error = Error0
        )
    ).

plain(Safe) :-
    watch,
    knowledge_base:Safe.

%!  solve(+Safe, +Values, -Answer) is nondet.
%
%   Answer is answer(Values, Proof, Truth), a copy for proof_json/5; Truth is `true` or `undefined`.
%   Runs in an engine.

solve(Safe, Values, answer(Copy, Proof, Truth)) :-
    watch,
    proof(Safe, Nodes0),
    (   is_undefined
    ->  Truth = undefined
    ;   Truth = true
    ),
    shown(Nodes0, Nodes),
    copy_term_nat(Values-Nodes, Copy-Proof).

%!  proof(+Safe, -Nodes) is nondet.
%
%   Nodes, terms node(Goal, How, Nodes), prove Safe, with cuts local to it.

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
    (   ( hb_store:tabled(Name, Arity) ; hb_store:link(_, Name, Arity, _) )
    ->  step(Goal, Nodes0, Nodes)
    ;   Nodes0 = [node(Goal, clause(Ref), Children)|Nodes],
        by_clause(Goal, Ref, Children)
    ).
proof(once(Goal), _, Nodes0, Nodes) :-
    !,
    once(proof(Goal, Proof)),
    append_nodes(Proof, Nodes0, Nodes).
proof(ignore(Goal), _, Nodes0, Nodes) :-
    !,
    (   proof(Goal, Proof)
    ->  append_nodes(Proof, Nodes0, Nodes)
    ;   negation(Goal, Nodes0, Nodes)
    ).
proof(hb_joins:join(Goals, _), Choice, Nodes0, Nodes) :-
    !,
    proof(Goals, Choice, Nodes0, Nodes).
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

grounded(Goal, How, Above, Left, node(Goal, clause(Ref), Children)) :-
    \+ ( '$member'(Other, Above), Other =@= Goal ),
    arg(1, Left, Count),
    (   Count > 0
    ->  Count1 is Count-1,
        nb_setarg(1, Left, Count1)
    ;   throw(hb_proof_too_long)
    ),
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

builtins(hb_builtins).
builtins(hb_guarded).
builtins(hb_files).
builtins(pure_input).
builtins(hb_continuations).
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

negation(Goal, [node(\+Written, negation, [])|Nodes], Nodes) :-
    as_written(Goal, Written).

append_nodes(Proof, Nodes0, Nodes) :-
    '$append'(Proof, Nodes, Nodes0).

%!  proof_json(+Names, +Values, +Proof, -Nodes, -Cut) is det.
%
%   The tree in preorder, as terms node(Depth, Id, Goal, How).  Id is that of the clause, or null.
%   Cut is true if there were too many nodes.

proof_json(Names, Values, Proof, Nodes, Cut) :-
    name_variables(Names, Values, Values+Proof),
    most_nodes(Most),
    Left = left(Most),
    nodes_json(Proof, 0, Left, Nodes, []),
    (   arg(1, Left, 0)
    ->  Cut = true
    ;   Cut = false
    ).

%!  nodes_json(+Proof, +Depth, +Left, -Nodes, ?Rest) is det.
%
%   As proof_json/5, for nodes whose variables have names.  Left is left(Count), how many nodes are
%   still allowed.

nodes_json([], _, _, Nodes, Nodes).
nodes_json([_|_], _, Left, Nodes, Nodes) :-
    arg(1, Left, 0),
    !.
nodes_json([node(Goal, How, Children)|More], Depth, Left, [node(Depth,Id,Text,Kind)|Nodes0], Nodes) :-
    arg(1, Left, N),
    N1 is N-1,
    nb_setarg(1, Left, N1),
    goal_text(Goal, Text),
    how_json(How, Kind, Id),
    Depth1 is Depth+1,
    nodes_json(Children, Depth1, Left, Nodes0, Nodes1),
    nodes_json(More, Depth, Left, Nodes1, Nodes).

how_json(clause(Ref), clause, Id) :-
    !,
    kept_id(Ref, Id).
how_json(source(Source), Source, null) :-
    !.
how_json(library(Module), Text, null) :-
    !,
    format(string(Text), "library(~w)", [Module]).
how_json(Kind, Kind, null).

%!  kept_id(+Ref, -Id) is det.
%
%   Id is the id of the clause Ref, or null if this step added it, since that will be undone.

kept_id(Ref, Id) :-
    (   id_of(Ref, Id0),
        \+ added_now(Id0)
    ->  Id = Id0
    ;   Id = null
    ).

%!  goal_text(+Goal, -Text) is det.
%
%   Text is Goal as text, cut if it is deep or long.

goal_text(Goal, Text) :-
    deepest_term(Depth),
    longest_goal(Longest),
    hb_store:without_passed(Goal, 0, Plain),
    hb_store:seen_goal(Plain, Seen),
    short_text(Seen, Depth, Text0),
    string_length(Text0, Length),
    (   Length > Longest
    ->  sub_string(Text0, 0, Longest, _, Begin),
        string_concat(Begin, "…", Text)
    ;   Text = Text0
    ).
