:- module(hb_workflow_explain,
          [ explain_block/5             % +Text, +State, +Seconds, -Control, -Parts
          ]).
:- use_module(workflow).
:- use_module(block).
:- use_module('../depth', [check_text/1]).
:- use_module('../read/reader').
:- use_module('../sandbox/sandbox').
:- use_module('../query/proof').
:- use_module('../query/proof_nodes').
:- use_module('../query/failure').
:- use_module('../query/answer').
:- use_module(library(lists), [append/3, nth0/3]).

/** <module> How a node came to its decision

Reads a block and runs it again, as a run does, except that its goals are proved.  The result is the
tree of hb_proof for each goal, one after the other.  If a goal fails, the block is run again up to
that goal, and its tree is that of hb_failure.
*/

%!  explain_block(+Text, +State, +Seconds, -Control, -Parts) is det.
%
%   How the block Text comes to its end, within Seconds, with the pairs of the dict State in
%   state/2.  `end` is true, false or error.  The parts are the clauses of the block that the nodes
%   name, each as [Id, Line, Text], and the nodes, as for prove/5; or the error.

explain_block(Text, State, Seconds, [end=End, worn=Worn|Control], Parts) :-
    Half is Seconds/2,
    attempt(all, Text, State, Half, Worn0, Outcome0),
    (   Outcome0 = the(fails(Nth))
    ->  attempt(Nth, Text, State, Half, Worn1, Outcome),
        (   Worn0 == true
        ->  Worn = true
        ;   Worn = Worn1
        )
    ;   Worn = Worn0,
        Outcome = Outcome0
    ),
    outcome(Outcome, End, Control, Parts).

attempt(Which, Text, State, Seconds, Worn, Outcome) :-
    execute(hb_workflow_explain:block(Which, Text), State-[], Seconds, _, Worn, Outcome).

outcome(the(tree(End, Clauses, Nodes, Cut)), End, [nodes=Places, cut=Cut], [list(Clauses)|Parts]) :-
    !,
    node_parts(Nodes, Places, Parts, []).
outcome(the(fails(_)), error, [], [Error]) :-
    ball_error(error(hornbook(message(existence_error,
                                      "The node failed, and then it did not: it does not always do the same.")), _),
               Error).
outcome(Outcome, error, [], [Error]) :-
    unasked(Outcome, Ball),
    ball_error(Ball, Error).

:- public block/3.

%   block(+Which, +Text, -Result): Which is `all`, to prove all goals, or the number, from 1, of the
%   goal that fails.  Result is tree(Holds, Clauses, Nodes, Cut), or fails(Nth) if goal Nth turns out
%   otherwise.

block(Which, Text, Result) :-
    check_text(Text),
    setup_call_cleanup(
        open_source(inline, Text, Source),
        ( read_block(Source, Items),
          explained(Which, Items, Source, Result)
        ),
        close_source(Source)).

explained(Which, Items, Source, Result) :-
    ahead(Items, First, Rest),
    add_items(First, Source),
    most_nodes(Most),
    Left = left(Most),
    trees(Rest, 1, Which, Source, Left, Nodes, End),
    (   End = fails(_)
    ->  Result = End
    ;   End = end(Holds, Cut0),
        (   arg(1, Left, 0)
        ->  Cut = true
        ;   Cut = Cut0
        ),
        append(First, Rest, Added),
        places(Added, Places),
        named_clauses(Nodes, Places, Source, Clauses),
        Result = tree(Holds, Clauses, Nodes, Cut)
    ).

trees([], _, Which, _, _, [], End) :-
    (   Which == all
    ->  End = end(true, false)
    ;   End = fails(Which)
    ).
trees([goal(Place,Goal)|Items], Nth, Which, Source, Left, Nodes, End) :-
    !,
    place_line(Source, Place, Line),
    catch(tree(Which, Nth, Goal, Left, Outcome), Ball, throw_at(Line, Ball)),
    (   Outcome = holds(Nodes0)
    ->  Next is Nth+1,
        append(Nodes0, Nodes1, Nodes),
        trees(Items, Next, Which, Source, Left, Nodes1, End)
    ;   Outcome = why_not(Nodes, Cut)
    ->  End = end(false, Cut)
    ;   Nodes = [],
        End = fails(Nth)
    ).
trees([Item|Items], Nth, Which, Source, Left, Nodes, End) :-
    add_items([Item], Source),
    trees(Items, Nth, Which, Source, Left, Nodes, End).

%   tree(+Which, +Nth, +Goal, +Left, -Outcome): Outcome is holds(Nodes), why_not(Nodes, Cut), or `otherwise`.

tree(all, _, Goal, Left, Outcome) :-
    !,
    safe_body(Goal, Safe),
    (   proof(Safe, Proof0)
    ->  shown(Proof0, Proof1),
        copy_term_nat(Proof1, Proof),
        name_variables([], [], Proof),
        nodes_json(Proof, 0, Left, Nodes, []),
        Outcome = holds(Nodes)
    ;   Outcome = otherwise
    ).
tree(Nth, Nth, Goal, _, Outcome) :-
    !,
    safe_body(Goal, Safe),
    (   holds(Safe, [])
    ->  Outcome = otherwise
    ;   why_not([], Nodes, Cut),
        Outcome = why_not(Nodes, Cut)
    ).
tree(_, _, Goal, _, Outcome) :-
    run_goal(first, Goal, Truth),
    (   Truth == true
    ->  Outcome = holds([])
    ;   Outcome = otherwise
    ).

%   places(+Added, -Places): the places of the clauses in the order they were added.

places(Added, Places) :-
    findall(Place, '$member'(clause(Place, _), Added), Places).

%   named_clauses(+Nodes, +Places, +Source, -Clauses): the clauses of the block that the nodes name.

named_clauses(Nodes, Places, Source, Clauses) :-
    findall(Id, ( '$member'(node(_, Id, _, _, _), Nodes), integer(Id) ), Ids0),
    sort(Ids0, Ids),
    node_clause(0, Least),
    findall(list([number(Id),number(Line),quoted(Text)]),
            (   '$member'(Id, Ids),
                Count is Id-Least,
                nth0(Count, Places, Place),
                place_line(Source, Place, Line),
                place_text(Source, Place, Text)
            ),
            Clauses).
