:- module(hb_failure_nodes,
          [ stops//4                    % +Try, +Depth, +Names, +Left
          ]).
:- use_module('../functor').
:- use_module(tries).
:- use_module(answer).
:- use_module('../host/linked', [from_text/2]).
:- use_module(proof_nodes).
:- use_module(nearest).
:- use_module(unmet).

/** <module> Why a goal fails, as people read it

Turns what hb_failure has kept into the nodes of a tree: the goals that stopped, below each the
clauses that were tried, and below each clause where it stopped.
*/

%!  stops(+Try, +Depth, +Names, +Left)// is det.
%
%   Where the body of Try stopped, as nodes node(Depth, Id, Goal, How, Ways).  Left is left(Count),
%   changed in place: how many more nodes are allowed.

stops(Try, Depth, Names, Left) -->
    { findall(stop(Goal, Values, Why), stopped(Try, Goal, Values, Why), Stops),
      (   furthest(Try, _, Ways)
      ->  true
      ;   Ways = 0
      )
    },
    each_stop(Stops, Ways, Depth, Names, Left).

each_stop([], _, _, _, _) -->
    [].
each_stop([stop(Goal, Values, Why)|Stops], Ways, Depth, Names, Left) -->
    (   { taken(Left) }
    ->  { why_text(Why, How),
          copy_term(Goal-Values, Named-NamedValues),
          named_text(Named, Names, NamedValues, Text)
        },
        [node(Depth, null, Text, How, Ways)],
        { Depth1 is Depth+1 },
        below(Why, Goal, Values, Depth1, Names, Left)
    ;   []
    ),
    each_stop(Stops, 1, Depth, Names, Left).

taken(Left) :-
    arg(1, Left, Count),
    Count > 0,
    Count1 is Count-1,
    nb_setarg(1, Left, Count1).

%   taken_with_reason(+Left) is semidet: as taken/1, if there is room for another node below; else there is no more for any.

taken_with_reason(Left) :-
    arg(1, Left, Count),
    (   Count > 1
    ->  taken(Left)
    ;   nb_setarg(1, Left, 0),
        fail
    ).

named_text(where(Goal, Residual), Names, Values, Text) :-
    !,
    name_variables(Names, Values, Values+Goal+Residual),
    goal_text(Goal, GoalText),
    findall(ResidualText, ( '$member'(R, Residual), goal_text(R, ResidualText) ), Texts),
    atomic_list_concat(Texts, ', ', With),
    format(string(Text), "~w, where ~w", [GoalText, With]).
named_text(Goal, Names, Values, Text) :-
    name_variables(Names, Values, Values+Goal),
    goal_text(Goal, Text).

why_text(call(_, _), "fails").
why_text(holds(_), "fails(negation)").
why_text(case(Kind, _, _, _), Text) :-
    why_text(kind(Kind), Text).
why_text(result(Kind, _), Text) :-
    why_text(kind(Kind), Text).
why_text(near_row(From, _), Text) :-
    why_text(row(From), Text).
why_text(row(From), Text) :-
    from_text(From, Source),
    format(string(Text), "fails(from ~w)", [Source]).
why_text(kind(Kind), Text) :-
    kind_text(Kind, KindText),
    format(string(Text), "fails(~w)", [KindText]).

kind_text(library(Module), Text) :-
    !,
    format(string(Text), "library(~w)", [Module]).
kind_text(source(Source), Source) :-
    !.
kind_text(Kind, Kind).

below(kind(undefined), Goal, _, Depth, _, _) -->
    !,
    { hb_store:meant_goal(Goal, Meant),
      term_functor(Meant, Name, Arity),
      hb_store:seen_indicator(Name/Arity, Seen),
      format(string(PI), "~q", [Seen])
    },
    [node(Depth, null, PI, "undefined", 1)].
below(kind(_), _, _, _, _, _) -->
    [].
below(row(_), _, _, _, _, _) -->
    [].
below(near_row(_, Text), _, _, Depth, _, Left) -->
    (   { taken(Left) }
    ->  [node(Depth, null, Text, "reason", 1)]
    ;   []
    ).
below(case(_, Format, Case, Try), _, Values, Depth, Names, Left) -->
    !,
    because(Format, Case, Values, Depth, Names, Left),
    { Depth1 is Depth+1 },
    stops(Try, Depth1, Names, Left).
below(result(_, Result), _, Values, Depth, Names, Left) -->
    !,
    because("the result is ~w", Result, Values, Depth, Names, Left).
below(holds(Proof), _, Values, Depth, Names, Left) -->
    { name_variables(Names, Values, Values+Proof),
      nodes_json(Proof, Depth, Left, Nodes, [])
    },
    Nodes.
below(call(Call, Tries), Goal, _, Depth, Names, Left) -->
    { findall(Try-Ref, tried(Call, Try, Ref), Kept),
      length(Kept, Count)
    },
    others(Goal, Tries, Depth, Left),
    each_try(Kept, Goal, Depth, Names, Left),
    { More is Tries-Count },
    (   { More > 0 }
    ->  [node(Depth, null, "", "tried", More)]
    ;   []
    ).

%   because(+Format, +Term, +Values, +Depth, +Names, +Left)//: a node that says what makes the goal above it fail.

because(Format, Term, Values, Depth, Names, Left) -->
    (   { taken(Left) }
    ->  { copy_term(Term-Values, Named-NamedValues),
          named_text(Named, Names, NamedValues, Text0),
          format(string(Text), Format, [Text0])
        },
        [node(Depth, null, Text, "reason", 1)]
    ;   []
    ).

each_try([], _, _, _, _) -->
    [].
each_try([Try-Ref|Tries], Goal, Depth, Names, Left) -->
    (   { furthest(Try, _, _),
          clause(knowledge_base:Head, _, Ref),
          taken_with_reason(Left)
        }
    ->  { kept_id(Ref, Id),
          Depth1 is Depth+1,
          nth_clause(_, Nth, Ref),
          term_functor(Head, Name, Arity),
          hb_store:seen_indicator(Name/Arity, Seen),
          format(string(Text), "~q", [Seen])
        },
        [node(Depth, Id, Text, "tried", Nth)],
        stops(Try, Depth1, Names, Left),
        { deepest_unmet(Deepest),
          (   Depth =< Deepest
          ->  unmet(Try, Goal, Ref, Unmet)
          ;   Unmet = []
          )
        },
        each_unmet(Unmet, Depth1, Left)
    ;   []
    ),
    each_try(Tries, Goal, Depth, Names, Left).

%   How deep goals after the one that stopped a clause are looked at.

deepest_unmet(2).

each_unmet([], _, _) -->
    [].
each_unmet([Goal|Goals], Depth, Left) -->
    (   { taken(Left) }
    ->  { named_text(Goal, [], [], Text) },
        [node(Depth, null, Text, "also", 1)]
    ;   []
    ),
    each_unmet(Goals, Depth, Left).

%   others(+Goal, +Tries, +Depth, +Left)//: the clauses of the predicate of Goal that were not
%   tried, because of a cut or because their heads do not match.  If none was tried, the nearest
%   facts.

others(where(Goal, _), Tries, Depth, Left) -->
    !,
    others(Goal, Tries, Depth, Left).
others(Goal0, Tries, Depth, Left) -->
    { hb_store:meant_goal(Goal0, Goal),
      term_functor(Goal, Name, Arity),
      term_functor(Head, Name, Arity),
      hb_store:seen_indicator(Name/Arity, Seen),
      format(string(PI), "~q", [Seen]),
      (   predicate_property(knowledge_base:Head, number_of_clauses(Count))
      ->  true
      ;   Count = 0
      ),
      most_compared(Most),
      (   Tries > 0,
          Count =< Most
      ->  findall(1, clause(knowledge_base:Goal, _, _), Matching),
          length(Matching, Matches),
          Untried is max(0, Matches-Tries)
      ;   Untried = 0
      ),
      Unmatched is Count-Tries-Untried,
      Depth1 is Depth+1
    },
    (   { Untried > 0, taken(Left) }
    ->  [node(Depth, null, PI, "untried", Untried)]
    ;   []
    ),
    (   { ( Unmatched > 0 ; Count =:= 0 ), taken(Left) }
    ->  [node(Depth, null, PI, "unmatched", Unmatched)],
        { Tries =:= 0
        ->  nearest(Goal, Nearest)
        ;   Nearest = []
        },
        each_nearest(Nearest, Depth1, Left)
    ;   []
    ).

each_nearest([], _, _) -->
    [].
each_nearest([Head-Ref|Nearest], Depth, Left) -->
    (   { taken(Left) }
    ->  { kept_id(Ref, Id),
          named_text(Head, [], [], Text)
        },
        [node(Depth, Id, Text, "nearest", 1)]
    ;   []
    ),
    each_nearest(Nearest, Depth, Left).
