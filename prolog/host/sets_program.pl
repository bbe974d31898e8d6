:- module(hb_sets_program,
          [ set_program/5,              % +PI, -Program, -Links, -Facts, -Marks
            mark/2,                     % +Head, -Mark
            fact_ref/2,                 % +Head, -Ref
            fact_row/2,                 % +Ref, -Row
            goal_arguments/3,           % +Head, -Args, -Jsons
            rule_clause/3,              % +Goal, +Rule, -Ref
            clause_with/4,              % +Ref, +Goal, +Bindings, -Body
            refused_set/2               % +PI, +Why
          ]).
:- use_module('../store/store').
:- use_module('../sandbox/written').
:- use_module('../functor').
:- use_module(linked, [from_names/2]).
:- use_module(library(lists), [nth1/3]).

/** <module> Rules and facts as the host evaluates them

A program has the predicates that a goal reaches: those whose rows are linked data, and those with clauses.  Its JSON is
that of `src/data/rules/program.rs`.
*/

%!  set_program(+PI, -Program, -Links, -Facts, -Marks) is det.
%
%   Program and Links are JSON.  Facts has fact(Relation, Head, Numbered) for each predicate with facts: rows of each
%   fact_ref/2, which fact_row/2 makes.  Marks has Head-Mark of each predicate, to see whether it changed.

set_program(PI, object([predicates=list(Jsons)]), list(Links), Facts, Marks) :-
    reached([PI], [], Predicates),
    findall(Json, ( '$member'(predicate(_, _, _, Shapes), Predicates), '$member'(derived(Json), Shapes) ), Jsons),
    findall(Link, ( '$member'(predicate(_, _, _, Shapes), Predicates), '$member'(link(Link), Shapes) ), Links),
    findall(fact(Relation, Head, Numbered),
            ( '$member'(predicate(_, Head, _, Shapes), Predicates), '$member'(facts(Relation, Numbered), Shapes) ),
            Facts),
    findall(Head-Mark, '$member'(predicate(_, Head, Mark, _), Predicates), Marks).

%!  mark(+Head, -Mark) is det.
%
%   Mark is another one once the predicate of Head has changed.

mark(Head, Mark-Tabled) :-
    (   predicate_property(knowledge_base:Head, last_modified_generation(Mark0))
    ->  Mark = Mark0
    ;   Mark = none
    ),
    term_functor(Head, Name, Arity),
    (   hb_store:tabled(Name, Arity)
    ->  Tabled = true
    ;   Tabled = false
    ).

reached([], Predicates, Predicates).
reached([PI|PIs], Predicates0, Predicates) :-
    (   '$member'(predicate(PI, _, _, _), Predicates0)
    ->  reached(PIs, Predicates0, Predicates)
    ;   ( PI = rows(Name/Arity) -> true ; PI = Name/Arity ),
        term_functor(Head, Name, Arity),
        mark(Head, Mark),
        predicate_shapes(PI, Head, Shapes, Calls),
        '$append'(Calls, PIs, PIs1),
        reached(PIs1, [predicate(PI, Head, Mark, Shapes)|Predicates0], Predicates)
    ).

%   predicate_shapes(+PI, +Head, -Shapes, -Calls): Shapes are what the predicate consists of.  With rows(PI) each row and
%   fact has one more argument, its number.

predicate_shapes(PI, _, [link(Link)], []) :-
    ( PI = rows(Name/Arity) -> true ; PI = Name/Arity ),
    link(_, Name, Arity, From),
    !,
    from_names(From, Names),
    relation_name(PI, Relation, Numbered),
    Link = object([name=text(Relation), arity=number(Arity), data=list(Names), numbered= @(Numbered)]).
predicate_shapes(rows(_/0), _, _, _) :-
    !,
    no_set(head, "a predicate without arguments has no rows that can be counted").
predicate_shapes(rows(Name/Arity), Head, [facts(Relation, true)], []) :-
    \+ \+ fact_ref(Head, _),
    !,
    relation_name(rows(Name/Arity), Relation, _).
predicate_shapes(rows(Name/Arity), _, [derived(Derived)], []) :-
    !,
    relation_name(rows(Name/Arity), Relation, _),
    Arity1 is Arity+1,
    derived(Relation, Arity1, [], Derived).
predicate_shapes(Name/_, _, _, _) :-
    sub_atom(Name, _, _, 0, ')'),
    sub_atom(Name, _, _, _, ' ('),
    no_set(head, "predicates of sets have no name that ends in parentheses: rename it").
predicate_shapes(Name/Arity, Head, Shapes, Calls) :-
    findall(clause(Jsons, Calls0, Extra), clause_rules(Head, Name/Arity, _, Jsons, Calls0, Extra), Clauses),
    findall(Json, ( '$member'(clause(Jsons, _, _), Clauses), '$member'(Json, Jsons) ), Rules),
    findall(Call, ( '$member'(clause(_, Calls0, _), Clauses), '$member'(Call, Calls0) ), Calls),
    findall(derived(More), ( '$member'(clause(_, _, Extra), Clauses), '$member'(More, Extra) ), Extras),
    (   Arity > 0,
        \+ \+ fact_ref(Head, _)
    ->  (   Rules == []
        ->  Shapes = [facts(Name, false)]
        ;   atom_concat(Name, ' (facts)', Relation),
            own_facts(Relation, Arity, Rule),
            '$append'(Rules, [Rule], AllRules),
            derived(Name, Arity, AllRules, Derived),
            Shapes = [derived(Derived), facts(Relation, false)|Extras]
        )
    ;   derived(Name, Arity, Rules, Derived),
        Shapes = [derived(Derived)|Extras]
    ).

relation_name(rows(Name/_), Relation, true) :-
    atom_concat(Name, ' (rows)', Relation).
relation_name(Name/_, Name, false).

derived(Name, Arity, Rules, object([name=text(Name), arity=number(Arity), rules=list(Rules)])).

own_facts(Relation, Arity, object([head=list(Args), body=list([Call])])) :-
    findall(variable(Variable), ( between(1, Arity, N), atom_concat('A', N, Variable) ), Args),
    Call = object([goal=object([name=text(Relation), arguments=list(Args)])]).

%!  fact_ref(+Head, -Ref) is nondet.
%!  fact_row(+Ref, -Row) is det.
%
%   Ref is a fact of the predicate of Head, and Row has a text for each of its arguments, with the tag of its kind.

fact_ref(Head0, Ref) :-
    term_functor(Head0, Name, Arity),
    term_functor(Head, Name, Arity),
    stored_safe(Head, Safe, Ref),
    Safe == true,
    ground(Head).

fact_row(Ref, Row) :-
    clause(knowledge_base:Head, true, Ref),
    compound_name_arguments(Head, Name, Args),
    tagged_row(Args, Name, Row).

tagged_row([], _, []).
tagged_row([Arg|Args], Name, [text(Tagged)|Row]) :-
    (   constant(Arg, Kind, Text)
    ->  tag(Kind, Tag),
        atom_concat(Tag, Text, Tagged)
    ;   unusable(Name, Arg)
    ),
    tagged_row(Args, Name, Row).

tag(integer, i).
tag(float, f).
tag(atom, a).
tag(string, s).
tag(other, t).

%   constant(+Value, -Kind, -Text) is semidet.  Of numbers and other terms Text is what Prolog writes.

constant([], other, '[]') :-            % not the atom '[]'
    !.
constant(Value, atom, Value) :-
    atom(Value),
    !.
constant(Value, integer, Text) :-
    integer(Value),
    !,
    number_string(Value, Text).
constant(Value, float, Text) :-
    float(Value),
    !,
    Value =:= Value,
    abs(Value) < inf,
    number_string(Value, Text).
constant(Value, string, Value) :-
    string(Value),
    !.
constant(Value, other, Text) :-
    ground(Value),
    acyclic_term(Value),
    \+ ( sub_term(Part, Value), blob(Part, Type), Type \== text, Part \== [] ),
    format(string(Text), "~W", [Value, [quoted(true), ignore_ops(true), numbervars(false)]]).

sub_term(Term, Term).
sub_term(Part, Term) :-
    compound(Term),
    arg(_, Term, Arg),
    sub_term(Part, Arg).

unusable(Name, Arg) :-
    format(string(Why), "A fact of ~q has ~p, which only Prolog can hold", [Name,Arg]),
    throw(error(hornbook(message(permission_error, Why)), _)).

%!  goal_arguments(+Head, -Args, -Jsons) is det.
%
%   Jsons are the arguments of a goal.  What is no constant is unified with the answers.

goal_arguments(Head, Args, Jsons) :-
    (   compound(Head)
    ->  compound_name_arguments(Head, _, Args)
    ;   Args = []
    ),
    goal_jsons(Args, [], Jsons).

goal_jsons([], _, []).
goal_jsons([Arg|Args], Before, [Json|Jsons]) :-
    (   var(Arg)
    ->  place(Before, Arg, 0, Place),
        atom_concat('V', Place, Variable),
        Json = variable(Variable),
        '$append'(Before, [Arg], Before1)
    ;   ground(Arg),
        constant(Arg, _, _)
    ->  constant_json(Arg, Json),
        Before1 = Before
    ;   Json = variable('_'),
        Before1 = Before
    ),
    goal_jsons(Args, Before1, Jsons).

place([], _, Place, Place).
place([First|Before], Arg, Place0, Place) :-
    (   First == Arg
    ->  Place = Place0
    ;   Place1 is Place0+1,
        place(Before, Arg, Place1, Place)
    ).

constant_json(Value, Json) :-
    constant(Value, Kind, Text),
    (   Kind == float
    ->  Json = object([float=number(Value)])
    ;   Json = object([Kind=text(Text)])
    ).

%   clause_rules(+Head, +PI, -Ref, -Jsons, -Calls, -Extra) is nondet: the rules that the clause Ref means which is no fact of
%   constants, and the predicates that they need beside those of the book.

clause_rules(Head0, Name/Arity, Ref, Jsons, Calls, Extra) :-
    term_functor(Head0, Name, Arity),
    term_functor(Head, Name, Arity),
    stored_safe(Head, Safe, Ref),
    \+ ( Safe == true, Arity > 0, ground(Head) ),
    as_written(Safe, Body),
    (   neck(Ref, _)
    ->  refused_clause(Name/Arity, Head, Body, "it is a rule with `=>`")
    ;   true
    ),
    (   sub_term(Part, Head-Body),
        nonvar(Part),
        Part = '$VAR'(_)
    ->  refused_clause(Name/Arity, Head, Body, "it has the term '$VAR'/1")
    ;   true
    ),
    named(Head, Body),
    (   compound(Head)
    ->  compound_name_arguments(Head, _, Args)
    ;   Args = []
    ),
    catch(( terms(Args, HeadJsons),
            rules_of(Body, HeadJsons, Name-Ref, Jsons, Calls, Extra) ),
          hb_no_set(Goal, Why),
          refused_goal(Name/Arity, Goal, Why)).

rules_of(Body, Head, Of, Jsons, Calls, Extra) :-
    (   divided(Body, Before, Aggregate, After)
    ->  aggregate_rules(Before, Aggregate, After, Head, Of, Jsons, Calls, Extra)
    ;   body(Body, Literals, [], Calls, []),
        Jsons = [object([head=list(Head), body=list(Literals)])],
        Extra = []
    ).

%!  rule_clause(+Goal, +Rule, -Ref) is semidet.
%
%   Ref is the clause that is rule number Rule, from 1, of the predicate of Goal.  The last rule is the facts: then Ref is
%   that of Goal.

rule_clause(Goal, Rule, Ref) :-
    term_functor(Goal, Name, Arity),
    findall(Each, ( clause_rules(Goal, Name/Arity, Each, Jsons, _, _), '$member'(_, Jsons) ), Refs),
    (   nth1(Rule, Refs, Ref)
    ->  true
    ;   stored_safe(Goal, Safe, Ref),
        Safe == true
    ),
    !.

%!  clause_with(+Ref, +Goal, +Bindings, -Body) is semidet.
%
%   Body is the body of the clause Ref whose head is Goal, with its variables as Bindings have them, Name=Value by their
%   names in the program.

clause_with(Ref, Goal, Bindings, Body) :-
    clause(knowledge_base:Head, Body, Ref),
    as_written(Body, Written),
    term_variables(Head-Body, Variables),
    copy_term(Variables-Head-Written, Named-NamedHead-NamedBody),
    named(NamedHead, NamedBody),
    bound(Variables, Named, Bindings),
    Head = Goal.

bound([], [], _).
bound([Variable|Variables], [Named|More], Bindings) :-
    (   nonvar(Named),
        Named = '$VAR'(Name),
        '$member'(Name=Value, Bindings)
    ->  Variable = Value
    ;   true
    ),
    bound(Variables, More, Bindings).

%   divided(+Body, -Before, -Aggregate, -After) is semidet: After may have another aggregate.

divided((A,B), Before, Aggregate, After) :-
    !,
    (   divided(A, Before, Aggregate, After0)
    ->  After = (After0,B)
    ;   divided(B, Before0, Aggregate, After),
        Before = (A,Before0)
    ).
divided(Goal, true, Goal, true) :-
    nonvar(Goal),
    Goal = aggregate_all(_, _, _),
    \+ hb_store:own(aggregate_all, 3).

%   aggregate_rules(+Before, +Aggregate, +After, +Head, +Of, -Jsons, -Calls, -Extra): one predicate has what the goals
%   before the aggregate bind of its variables, another one the result for each of these.  Without a solution a count and a
%   sum are 0.

aggregate_rules(Before, Goal, After, Head, Name-Ref, Jsons, Calls, [Bound,Total]) :-
    Goal = aggregate_all(What, Of, Result),
    (   divided(After, _, Second, _)
    ->  no_set(Second, "a clause has one aggregate: give the other one a rule of its own")
    ;   true
    ),
    (   aggregate(What, HeadArgument, Least)
    ->  true
    ;   no_set(Goal, "aggregates of sets are count, sum(X), min(X) and max(X) of a variable X")
    ),
    shared(Before, Head, After, Result, What-Of, Goal, Shared),
    findall(variable(Variable), '$member'(Variable, Shared), Args),
    id_of(Ref, Id),
    atomic_list_concat([Name, ' (bound ', Id, ')'], BoundName),
    atomic_list_concat([Name, ' (total ', Id, ')'], TotalName),
    length(Shared, Count),
    Count1 is Count+1,
    body(Before, BeforeJsons, [], Calls, Calls1),
    derived(BoundName, Count, [object([head=list(Args), body=list(BeforeJsons)])], Bound),
    BoundGoal = object([goal=object([name=text(BoundName), arguments=list(Args)])]),
    each(Of, Least, OfJsons, Calls1, Calls2),
    '$append'(Args, [HeadArgument], TotalHead),
    derived(TotalName, Count1, [object([head=list(TotalHead), body=list([BoundGoal|OfJsons])])], Total),
    body(After, AfterJsons, [], Calls2, []),
    term(Result, Goal, ResultJson),
    '$append'(Args, [ResultJson], TotalArgs),
    TotalGoal = object([goal=object([name=text(TotalName), arguments=list(TotalArgs)])]),
    '$append'(BeforeJsons, [TotalGoal|AfterJsons], Body),
    Rule = object([head=list(Head), body=list(Body)]),
    (   Least == none
    ->  Jsons = [Rule]
    ;   '$append'(Args, [variable('_')], AnyArgs),
        Without = object([not=object([name=text(TotalName), arguments=list(AnyArgs)])]),
        Zero = object([values=object([operator=text(=), left=ResultJson, right=object([integer=text("0")])])]),
        '$append'(BeforeJsons, [Without,Zero|AfterJsons], Body0),
        Jsons = [Rule, object([head=list(Head), body=list(Body0)])]
    ).

%   aggregate(+What, -HeadArgument, -Least): Least is the result without a solution.

aggregate(count, text(count), zero).
aggregate(sum('$VAR'(X)), object([sum=text(X)]), zero).
aggregate(min('$VAR'(X)), object([min=text(X)]), none).
aggregate(max('$VAR'(X)), object([max=text(X)]), none).

%   shared(+Before, +Head, +After, +Result, +Inner, +Goal, -Shared): the names that the aggregate has in common with the
%   rest of the clause.  What is not bound before it would be one result for all its values.

shared(Before, Head, After, Result, Inner, Goal, Shared) :-
    names(Inner, Names),
    names(Before, InBefore),
    names([Head,After,Result], Others),
    findall(Name, ( '$member'(Name, Names), Name \== '_', '$member'(Name, InBefore) ), Shared),
    (   '$member'(Name, Names),
        Name \== '_',
        '$member'(Name, Others),
        \+ '$member'(Name, InBefore)
    ->  format(string(Why), "~w is not bound before it, so that all its values would go into one result: put a goal that binds it before", [Name]),
        no_set(Goal, Why)
    ;   true
    ).

names(Term, Names) :-
    findall(Name, ( sub_term(Part, Term), nonvar(Part), ( Part = '$VAR'(Name) ; Part = variable(Name) ) ), Names0),
    sort(Names0, Names).

%   each(+Goal, +Least, -Literals, +Calls0, -Calls): a count and a sum are of all solutions, also of those that are the
%   same, so that each row and fact counts.

each(Goal, Least, Literals, Calls0, Calls) :-
    (   Least == none
    ->  body(Goal, Literals, [], Calls0, Calls)
    ;   each_row(Goal, Literals, [], Calls0, Calls)
    ).

each_row((A,B), Literals0, Literals, Calls0, Calls) :-
    !,
    each_row(A, Literals0, Literals1, Calls0, Calls1),
    each_row(B, Literals1, Literals, Calls1, Calls).
each_row(Goal, [Literal|Literals], Literals, [Call|Calls], Calls) :-
    user_call(Goal, object([name=_, arguments=list(Args)]), [Name/Arity|Calls], Calls),
    \+ hb_store:tabled(Name, Arity),
    !,
    (   has_rules(Name, Arity)
    ->  format(string(Why), "~q may have an answer more than once, and is not tabled: table it", [Name/Arity]),
        no_set(Goal, Why)
    ;   true
    ),
    Call = rows(Name/Arity),
    atom_concat(Name, ' (rows)', Rows),
    '$append'(Args, [variable('_')], RowArgs),
    Literal = object([goal=object([name=text(Rows), arguments=list(RowArgs)])]).
each_row(Goal, _, _, _, _) :-
    Goal = member(_, _),
    !,
    no_set(Goal, "it gives each element of the list once, and would count others less often: write a fact for each").
each_row(Goal, Literals0, Literals, Calls0, Calls) :-
    body(Goal, Literals0, Literals, Calls0, Calls).

has_rules(Name, Arity) :-
    \+ link(_, Name, Arity, _),
    term_functor(Head, Name, Arity),
    stored_safe(Head, Safe, _),
    \+ ( Safe == true, ground(Head) ),
    !.

%   named(+Head, +Body): bind the variables to '$VAR'(Name).  One that only one goal names is '_'.

named(Head, Body) :-
    term_variables(Head, InHead),
    name_each(InHead, 0, Next),
    term_singletons(Body, Single),
    anonymous(Single),
    term_variables(Body, InBody),
    name_each(InBody, Next, _).

anonymous([]).
anonymous(['$VAR'('_')|Variables]) :-
    anonymous(Variables).

name_each([], Next, Next).
name_each(['$VAR'(Name)|Variables], Next0, Next) :-
    Letter is 0'A+Next0 mod 26,
    Round is Next0//26,
    (   Round =:= 0
    ->  char_code(Name, Letter)
    ;   char_code(First, Letter),
        atom_concat(First, Round, Name)
    ),
    Next1 is Next0+1,
    name_each(Variables, Next1, Next).

%   body(+Body)//, with the predicates that are called.

body((A,B), Literals0, Literals, Calls0, Calls) :-
    !,
    body(A, Literals0, Literals1, Calls0, Calls1),
    body(B, Literals1, Literals, Calls1, Calls).
body(true, Literals, Literals, Calls, Calls) :-
    !.
body(\+Goal, [object([not=Json])|Literals], Literals, Calls0, Calls) :-
    !,
    (   user_call(Goal, Json, Calls0, Calls)
    ->  true
    ;   no_set(\+Goal, "`\\+` takes the call of one predicate with clauses: give what it negates a name by a rule")
    ).
body(Goal, [object([values=object([operator=text(Operator), left=Left, right=Right])])|Literals], Literals, Calls, Calls) :-
    Goal =.. [Operator,A,B],
    '$member'(Operator, [=, \=, ==, \==, @<, @=<, @>, @>=]),
    !,
    term(A, Goal, Left),
    term(B, Goal, Right).
body(Goal, [object([compare=object([operator=text(Operator), left=Left, right=Right])])|Literals], Literals, Calls, Calls) :-
    Goal =.. [Operator,A,B],
    '$member'(Operator, [=:=, =\=, <, =<, >, >=]),
    !,
    expression(A, Goal, Left),
    expression(B, Goal, Right).
body(Goal, [object([is=object([result=Result, expression=Json])])|Literals], Literals, Calls, Calls) :-
    Goal = (A is B),
    !,
    term(A, Goal, Result),
    expression(B, Goal, Json).
body(Goal, [Literal|Literals], Literals, Calls0, Calls) :-
    user_call(Goal, Json, Calls0, Calls),
    !,
    Literal = object([goal=Json]).
body(Goal, [object([member=object([element=Element, list=list(Constants)])])|Literals], Literals, Calls, Calls) :-
    Goal = member(A, List),
    !,
    term(A, Goal, Element),
    (   is_list(List)
    ->  constants(List, Goal, Constants)
    ;   no_set(Goal, "the list is not known: write its elements, or make them facts")
    ).
body((A;B), _, _, _, _) :-
    !,
    no_set((A;B), "write a clause for each alternative").
body(Goal, _, _, _, _) :-
    Goal = aggregate_all(_, _, _),
    !,
    no_set(Goal, "an aggregate stands in the body of a clause, not within another goal").
body('$VAR'(Name), _, _, _, _) :-
    !,
    no_set('$VAR'(Name), "the predicate is not known: write it").
body(Goal, _, _, _, _) :-
    no_set(Goal, "rules as sets have calls of predicates with clauses, `\\+`, comparisons, `is` and member/2").

user_call(Goal, object([name=text(Name), arguments=list(Args)]), [Name/Arity|Calls], Calls) :-
    hb_store:meant_goal(Goal, Meant),
    callable(Meant),
    Meant \= '$VAR'(_),
    term_functor(Meant, Name, Arity),
    own(Name, Arity),
    (   compound(Meant)
    ->  compound_name_arguments(Meant, _, Args0)
    ;   Args0 = []
    ),
    terms(Args0, Meant, Args).

terms(Args, Jsons) :-
    terms(Args, head, Jsons).

terms([], _, []).
terms([Arg|Args], Goal, [Json|Jsons]) :-
    term(Arg, Goal, Json),
    terms(Args, Goal, Jsons).

term('$VAR'(Name), _, variable(Name)) :-
    !.
term(Value, Goal, Json) :-
    (   \+ ( sub_term(Part, Value), nonvar(Part), Part = '$VAR'(_) ),
        constant(Value, _, _)
    ->  constant_json(Value, Json)
    ;   no_set(Goal, "an argument is a variable or a constant, no term with variables")
    ).

constants([], _, []).
constants([Value|Values], Goal, [Json|Jsons]) :-
    (   Value = '$VAR'(_)
    ->  no_set(Goal, "the list has a variable: its elements are constants")
    ;   term(Value, Goal, Json)
    ),
    constants(Values, Goal, Jsons).

expression(Value, Goal, Json) :-
    (   ( Value = '$VAR'(_) ; number(Value) )
    ->  term(Value, Goal, Json)
    ;   compound(Value),
        Value =.. [Operation|Args],
        length(Args, Arity),
        operation(Operation, Arity)
    ->  expressions(Args, Goal, Jsons),
        Json = object([operation=text(Operation), arguments=list(Jsons)])
    ;   no_set(Goal, "arithmetic of sets has + - * / // mod min max abs, variables and numbers")
    ).

expressions([], _, []).
expressions([Arg|Args], Goal, [Json|Jsons]) :-
    expression(Arg, Goal, Json),
    expressions(Args, Goal, Jsons).

operation(+, 2).
operation(-, 2).
operation(-, 1).
operation(*, 2).
operation(/, 2).
operation(//, 2).
operation(mod, 2).
operation(min, 2).
operation(max, 2).
operation(abs, 1).

no_set(Goal, Why) :-
    throw(hb_no_set(Goal, Why)).

refused_goal(PI, Goal, Why) :-
    (   Goal == head
    ->  format(string(Said), "~q, its head: ~s", [PI,Why])
    ;   format(string(Said), "~q, `~W`: ~s", [PI,Goal,[quoted(true),numbervars(true),portray(true),spacing(next_argument)],Why])
    ),
    refused_set(PI, Said).

refused_clause(PI, Head, Body, Why) :-
    format(string(Said), "~q, `~W`: ~s", [PI,(Head:-Body),[quoted(true),numbervars(true),portray(true)],Why]),
    refused_set(PI, Said).

%!  refused_set(+PI, +Why) is failure.
%
%   @error hornbook(message(_, _)) which says Why PI is no set, and what to do.

refused_set(PI, Why) :-
    format(string(Said), "~q cannot be evaluated as a set. ~s. Write it otherwise, or leave `as set` out: then Prolog tables it.", [PI,Why]),
    throw(error(hornbook(message(permission_error, Said)), _)).
