:- module(hb_workflow_block,
          [ read_block/2,               % +Source, -Items
            ahead/3,                    % +Items, -First, -Rest
            add_items/2,                % +Items, +Source
            clause_indicator/2,         % +Term, -PI
            check_own/1,                % +PI
            node_clause/2,              % +Count, -Id
            place_line/3,               % +Source, +Place, -Line
            place_text/3,               % +Source, +Place, -Text
            without_loading/2,          % +Goal, -Goal1
            node_predicate/2            % ?Name, ?Arity
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/libraries').
:- use_module('../read/reader').
:- use_module('../read/recovery', [skip_layout/3]).
:- use_module('../read/clauses').
:- use_module('../store/store').
:- use_module('../store/step', [node_ids/1]).

/** <module> The text of a node, read as clauses and goals

How each term of a block is taken:

  - `:- D` and `?- G`: a directive that declares something is carried out when it
    is read; any other is a goal.
  - `H :- B` and `H --> B`: a clause.
  - a control construct, including a conjunction: a goal.
  - a call of a predicate of the system, of a library, or of the book that the
    block runs in, unless the block defines it: a goal.
  - the last term of a block, if it has no other goal, or its predicate has rules in
    the block: a goal.  An atom with rules in the block is a goal anywhere.
  - anything else: a fact.
*/

%!  node_predicate(?Name, ?Arity) is nondet.
%
%   The predicates that only nodes have.

node_predicate(state, 2).
node_predicate(return, 2).
node_predicate(interrupt, 2).

%!  read_block(+Source, -Items) is det.
%
%   Items are clause(Place, Term) and goal(Place, Goal), in the order of the text.
%   Everything is read before any goal runs.

read_block(Source, Items) :-
    read_terms(Source, Terms, Delayed),
    '$append'(Terms, Delayed, All),
    findall(PI, ( '$member'(term(_, Term), All), rule_of(Term, PI) ), Rules),
    classified(All, Rules, false, Items).

%   read_terms(+Source, -Terms, -Delayed): carries out directives that declare, because they change
%   how the rest is read.  Delayed are the goals of initialization/1.

read_terms(Source, Terms, Delayed) :-
    read_item(Source, Item),
    read_more(Item, Source, Terms, Delayed).

read_more(end(_), _, [], []).
read_more(error(_,_,Problem), _, _, _) :-
    throw(Problem).
read_more(clause(Start,End,Term,_), Source, Terms, Delayed) :-
    Place = Start-End,
    (   directive_of(Term, Directive, Bare),
        declares(Directive, Goals),
        \+ ( Bare == bare, Goals \== none )
    ->  (   Goals = goal(Goal)
        ->  Terms = Terms1,
            Delayed = [term(Place, (?- Goal))|Delayed1]
        ;   carry_out(Directive, Place, Source),
            Terms = Terms1,
            Delayed = Delayed1
        )
    ;   Terms = [term(Place, Term)|Terms1],
        Delayed = Delayed1
    ),
    read_terms(Source, Terms1, Delayed1).

directive_of(Term, _, _) :-
    var(Term),
    !,
    throw(error(instantiation_error, _)).
directive_of((:- Directive), Directive, written) :- !.
directive_of(Term, Term, bare).

%   declares(+Directive, -Goals): Goals is `none`, or goal(Goal) to run when everything is read.

declares(Directive, _) :-
    var(Directive),
    !,
    fail.
declares(initialization(Goal), goal(Goal)).
declares(initialization(Goal, _), goal(Goal)).
declares(use_module(_), none).
declares(use_module(_, _), none).
declares(ensure_loaded(_), none).
declares(dynamic(_), none).
declares(discontiguous(_), none).
declares(table(_), none).
declares(op(_, _, _), none).
declares(module(_, _), none).
declares(set_prolog_flag(_, _), none).

carry_out(module(_, Exports), Place, Source) :-
    !,
    forall(exported_operator(Exports, Operator), carry_out(Operator, Place, Source)).
carry_out(Directive, Place, Source) :-
    Place = Start-_,
    Source = source(_, _, Text, Scope, _),
    catch(( no_files(Directive),
            forall(tabled_by(Directive, PI), check_own(PI)),
            add_term((:- Directive), Text-Start, Scope, 0, _) ),
          Ball,
          ( place_line(Source, Place, Line), throw(at(Line, Ball)) )).

%   exported_operator(+Exports, -Operator) is nondet: all that a module header changes in a block,
%   which is a module of its own in any case.

exported_operator(Exports, Operator) :-
    is_list(Exports),
    '$member'(Operator, Exports),
    nonvar(Operator),
    Operator = op(_, _, _).

%   no_files(+Directive): refuse to load a file, as for a call of consult/1.

no_files(Directive) :-
    (   loads(Directive, Spec),
        \+ libraries(Spec)
    ->  term_functor(Directive, Name, Arity),
        throw(error(permission_error(call, sandboxed, Name/Arity), _))
    ;   true
    ).

loads(use_module(Spec), Spec).
loads(use_module(Spec, _), Spec).
loads(ensure_loaded(Spec), Spec).

%   tabled_by(+Directive, -PI) is nondet.

tabled_by(table(Spec), PI) :-
    tabled_in(Spec, PI).

tabled_in(Var, _) :-
    var(Var),
    !,
    fail.
tabled_in((A,B), PI) :-
    !,
    (   tabled_in(A, PI)
    ;   tabled_in(B, PI)
    ).
tabled_in(Specs, PI) :-
    is_list(Specs),
    !,
    '$member'(Spec, Specs),
    tabled_in(Spec, PI).
tabled_in(_:Spec, PI) :-
    !,
    tabled_in(Spec, PI).
tabled_in(as(Spec,_), PI) :-
    !,
    tabled_in(Spec, PI).
tabled_in(Name/Arity, Name/Arity) :- !.
tabled_in(Name//Arity0, Name/Arity) :-
    !,
    integer(Arity0),
    Arity is Arity0+2.
tabled_in(Head, Name/Arity) :-
    name_arity(Head, Name, Arity).

%!  check_own(+PI) is det.
%
%   A block may define PI: if it runs in a book, neither the book nor a library defines it.

check_own(Name/Arity) :-
    (   lent(_, _),
        ( class(Name, Arity, _) ; own(Name, Arity), \+ new(Name, Arity) )
    ->  format(string(Message),
               "A node that uses the book cannot define ~q, which is there already: take another name, or change \c
                the book with assertz/1 and retract/1.", [Name/Arity]),
        throw(error(hornbook(message(permission_error, Message)), _))
    ;   true
    ).

libraries(Spec) :-
    var(Spec),
    !.
libraries([]).
libraries([H|T]) :-
    libraries(H),
    libraries(T).
libraries(library(_)).


%   rule_of(+Term, -PI): Term is a rule of PI.

rule_of(Term, PI) :-
    nonvar(Term),
    (   Term = (Head :- _)
    ->  head_indicator(Head, 0, PI)
    ;   Term = (Head --> _)
    ->  head_indicator(Head, 2, PI)
    ;   Term = (Head => _)
    ->  (   nonvar(Head),
            Head = (Guarded, _)
        ->  head_indicator(Guarded, 0, PI)
        ;   head_indicator(Head, 0, PI)
        )
    ).

head_indicator(Head0, More, Name/Arity) :-
    nonvar(Head0),
    (   More == 2,
        Head0 = (Head, _)
    ->  true
    ;   Head = Head0
    ),
    callable(Head),
    term_functor(Head, Name, Arity0),
    Arity is Arity0+More.

%   classified(+Terms, +Rules, +Ran, -Items): Ran tells whether there was a goal before.

classified([], _, _, []).
classified([term(Place,Term)|Terms], Rules, Ran, [Item|Items]) :-
    (   is_goal(Term, Rules, Ran, Terms, Goal0)
    ->  without_loading(Goal0, Goal),
        Item = goal(Place, Goal),
        Ran1 = true
    ;   own_clause(Term),
        Item = clause(Place, Term),
        Ran1 = Ran
    ),
    classified(Terms, Rules, Ran1, Items).

is_goal((?- Goal), _, _, _, Goal) :- !.
is_goal((:- Goal), _, _, _, Goal) :- !.
is_goal((_ :- _), _, _, _, _) :- !, fail.
is_goal((_ --> _), _, _, _, _) :- !, fail.
is_goal((_ => _), _, _, _, _) :- !, fail.
is_goal(Term, Rules, Ran, After, Term) :-
    callable(Term),
    term_functor(Term, Name, Arity),
    (   '$member'(Name/Arity, Rules)
    ->  (   After == []
        ->  true
        ;   Arity == 0
        )
    ;   class(Name, Arity, _)
    ->  true
    ;   lent(_, _),
        own(Name, Arity),
        \+ new(Name, Arity)
    ->  true
    ;   Term = _:_
    ->  true
    ;   After == [],
        Ran == false
    ).

%   own_clause(+Term): state/2 and its kin belong to the workflow.

own_clause(Term) :-
    (   ( Term = (Head :- _) ; Term = Head ),
        nonvar(Head),
        term_functor(Head, Name, Arity),
        node_predicate(Name, Arity)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity), _))
    ;   true
    ).

%!  ahead(+Items, -First, -Rest) is det.
%
%   First are the clauses to add before any goal runs: those of predicates that have none
%   before the first goal.  Helpers may thus come below the goal that calls them.  Further
%   clauses of predicates that goals have already seen are added in their place.

ahead(Items, First, Rest) :-
    before_goal(Items, Known),
    ahead(Items, Known, First, Rest).

before_goal([clause(_,Term)|Items], [PI|PIs]) :-
    clause_indicator(Term, PI),
    !,
    before_goal(Items, PIs).
before_goal(_, []).

ahead([], _, [], []).
ahead([Item|Items], Known, First, Rest) :-
    (   Item = clause(_, Term),
        clause_indicator(Term, PI),
        \+ '$member'(PI, Known)
    ->  First = [Item|First1],
        Rest = Rest1
    ;   First = First1,
        Rest = [Item|Rest1]
    ),
    ahead(Items, Known, First1, Rest1).

%!  clause_indicator(+Term, -PI) is det.
%
%   PI is the predicate of the clause Term.

clause_indicator(Term, PI) :-
    (   rule_of(Term, PI0)
    ->  PI = PI0
    ;   head_indicator(Term, 0, PI)
    ).

%!  add_items(+Items, +Source) is det.
%
%   Add clauses to the knowledge base.

add_items([], _) :-
    retranslate_shadowed.
add_items([clause(Place,Term)|Items], Source) :-
    Place = Start-_,
    Source = source(_, _, Text, Scope, _),
    flag(hb_node_clause, Count, Count+1),
    node_clause(Count, Id),
    catch(add_term(Term, Text-Start, Scope, Id, _), Ball,
          ( place_line(Source, Place, Line), throw(at(Line, Ball)) )),
    add_items(Items, Source).

%!  node_clause(+Count, -Id) is det.
%
%   Id is the id of clause number Count, from 0.  It is beyond the ids that a book gives.

node_clause(Count, Id) :-
    node_ids(Least),
    Id is Least+Count.

%!  place_line(+Source, +Place, -Line) is det.
%
%   Line, from 1, is where the term begins whose text, with its layout, is at Place, Start-End.

place_line(source(_, _, Text, _, _), Start-_, Line) :-
    skip_layout(Text, Start, At),
    sub_atom(Text, 0, At, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line).

%!  place_text(+Source, +Place, -Text) is det.
%
%   Text is that of the term at Place, without the layout before it.

place_text(source(_, _, Atom, _, _), Start-End, Text) :-
    skip_layout(Atom, Start, At),
    Length is End-At,
    sub_string(Atom, At, Length, _, Text).

%!  without_loading(+Goal, -Goal1) is det.
%
%   The predicates of the allowed libraries are always there: replace goals in a
%   conjunction that load one of them by true.

without_loading(Goal, Goal) :-
    var(Goal),
    !.
without_loading((A0,B0), (A,B)) :-
    !,
    without_loading(A0, A),
    without_loading(B0, B).
without_loading(use_module(library(Library)), true) :-
    ground(Library),
    allowed_library(Library),
    !.
without_loading(use_module(library(Library), _), true) :-
    ground(Library),
    allowed_library(Library),
    !.
without_loading(Goal, Goal).
