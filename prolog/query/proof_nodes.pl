:- module(hb_proof_nodes,
          [ proof_json/5,               % +Names, +Values, +Proof, -Nodes, -Cut
            nodes_json/5,               % +Proof, +Depth, +Left, -Nodes, ?Rest
            most_nodes/1,               % -Count
            node_parts/4,               % +Nodes, -Places, -Parts, ?Last
            kept_id/2,                  % +Ref, -Id
            named_pairs/3,              % +Pairs, -Names, -Values
            goal_text/2                 % +Goal, -Text
          ]).
:- use_module('../shown_text', [cut_text/3]).
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module(answer).

/** <module> Proofs as replies have them

The trees of hb_proof as a list of nodes in preorder, whose goals are text.
*/

most_nodes(2000).
deepest_term(30).
longest_goal(400).

%!  proof_json(+Names, +Values, +Proof, -Nodes, -Cut) is det.
%
%   The tree in preorder, as terms node(Depth, Id, Goal, How, Count), for node_parts/4.  Id is that of the clause, or null.
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
nodes_json([node(Goal, How, Children)|More], Depth, Left, [node(Depth,Id,Text,Kind,1)|Nodes0], Nodes) :-
    arg(1, Left, N),
    N1 is N-1,
    nb_setarg(1, Left, N1),
    goal_text(Goal, Text),
    how_json(How, Kind, Id),
    Depth1 is Depth+1,
    (   Children = why_not(Below)
    ->  moved(Below, Depth, Nodes0, Nodes1)
    ;   nodes_json(Children, Depth1, Left, Nodes0, Nodes1)
    ),
    nodes_json(More, Depth, Left, Nodes1, Nodes).

%   moved(+Nodes0, +Depth, -Nodes, ?Rest): the nodes that explain a negation, below Depth.

moved([], _, Nodes, Nodes).
moved([node(Depth0,Id,Text,How,Count)|Nodes0], Depth, [node(Depth1,Id,Text,How,Count)|Nodes1], Nodes) :-
    Depth1 is Depth+Depth0,
    moved(Nodes0, Depth, Nodes1, Nodes).

how_json(clause(Ref), clause, Id) :-
    !,
    kept_id(Ref, Id).
how_json(source(Source), Source, null) :-
    !.
how_json(library(Module), Text, null) :-
    !,
    format(string(Text), "library(~w)", [Module]).
how_json(negation(_), negation, null) :-
    !.
how_json(Kind, Kind, null).

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
    cut_text(Text0, Longest, Text).
