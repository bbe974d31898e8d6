:- module(hb_dml_check,
          [ check_program/3             % +Text, -Control, -Parts
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../read/recovery', [skip_layout/3]).
:- use_module('../read/reader').
:- use_module('../store/store').
:- use_module(dml).
:- use_module(text).
:- use_module(names).
:- use_module(program).

/** <module> What a DML program uses, found without running it

The program is loaded as for a run.  In addition, each clause is read again with the
places of its terms, and its goals are walked in the order in which they run, with the
variables that may be bound by then.
*/

:- dynamic
    program_text/1,
    read/4,                             % Start, Term, Names, Positions
    use/3,                              % Kind, What, Offset
    asserted/2.                         % Name, Arity: the program adds clauses of it

%!  check_program(+Text, -Control, -Parts) is det.
%
%   As load_program/3, and
%
%     - uses: [Kind, Offset].  Kind is `undefined` (a predicate), `tool` (of exec/2), `unbound` (a
%       variable of the clause named in a text before anything can have bound it) or `unknown` (a name
%       in a text that is no variable of the clause).  Their parts are the names.

check_program(Text, Control, Parts) :-
    assertz(program_text(Text)),
    load_program(Text, hb_dml_check:note_clause, Control0, Parts0),
    forall(read(Start, Term, Names, Positions), ignore(walk_clause(Term, Positions, Names, Start))),
    findall(Kind-What-Offset, told_use(Kind, What, Offset), Uses),
    findall([Kind,Offset], '$member'(Kind-_-Offset, Uses), Places),
    findall(text(What), '$member'(_-What-_, Uses), Whats),
    '$append'(Control0, [uses=Places], Control),
    '$append'(Parts0, Whats, Parts).

:- public note_clause/2.

note_clause(clause(Start,End,_,_), source(_,_,Text,Scope,_)) :-
    !,
    Length is End-Start,
    sub_string(Text, Start, Length, _, Clause),
    setup_call_cleanup(
        open_string(Clause, Stream),
        read_term(Stream, Term, [module(Scope), variable_names(Names), subterm_positions(Positions)]),
        close(Stream)),
    assertz(read(Start, Term, Names, Positions)).
note_clause(_, _).

told_use(Kind, What, Offset) :-
    use(Kind, What0, Offset),
    (   Kind == undefined
    ->  \+ defined(What0),
        format(string(What), "~q", [What0])
    ;   What = What0
    ).

defined(Name/Arity) :-
    (   own(Name, Arity)
    ;   asserted(Name, Arity)
    ;   read(_, Term, _, _),
        clause_head(Term, Head),
        callable(Head),
        term_functor(Head, Name, Arity)
    ),
    !.

clause_head((Head :- _), Head) :- !.
clause_head(Head, Head).

                /*******************************
                *           clauses            *
                *******************************/

%   walk_clause(+Term, +Positions, +Names, +Start): adding Start to a position gives a place in the text.

walk_clause(Term, Positions0, Names, Start) :-
    inside(Positions0, Positions),
    walk_term(Term, Positions, at(Start, Names)).

walk_term((:- Directive), term_position(_,_,_,_,[Position]), At) :-
    !,
    walk_directive(Directive, Position, At).
walk_term((Head :- Body), term_position(_,_,_,_,[_,Position]), At) :-
    !,
    term_variables(Head, Bound),
    walk(Body, Position, At, Bound, _).
walk_term((Head --> Body), term_position(_,_,_,_,[_,Position]), At) :-
    !,
    term_variables(Head, Bound),
    walk_grammar(Body, Position, At, Bound, _).
walk_term(_, _, _).

walk_directive(initialization(Goal), Position, At) :-
    !,
    arguments(Position, [GoalPosition]),
    walk(Goal, GoalPosition, At, [], _).
walk_directive(Goal, Position, At) :-
    callable(Goal),
    term_functor(Goal, Name, Arity),
    \+ directive_only(Name, Arity),
    !,
    walk(Goal, Position, At, [], _).
walk_directive(_, _, _).

                /*******************************
                *            goals             *
                *******************************/

%   walk(+Goal, +Position, +At, +Bound0, -Bound): Bound0 are the variables that may be bound before
%   Goal, Bound those that may be bound after it.

walk(Goal, _, _, Bound, Bound) :-
    \+ callable(Goal),
    !.
walk(Goal, Position0, At, Bound0, Bound) :-
    inside(Position0, Position),
    walk_goal(Goal, Position, At, Bound0, Bound).

walk_goal((A;B), Position, At, Bound0, Bound) :-
    !,
    arguments(Position, [PA,PB]),
    walk(A, PA, At, Bound0, BoundA),
    walk(B, PB, At, Bound0, BoundB),
    term_variables(BoundA-BoundB, Bound).
walk_goal(Goal, Position, At, Bound0, Bound) :-
    sequence(Goal, A, B),
    !,
    arguments(Position, [PA,PB]),
    walk(A, PA, At, Bound0, Bound1),
    walk(B, PB, At, Bound1, Bound).
walk_goal(\+ Goal, Position, At, Bound, Bound) :-
    !,
    arguments(Position, [GoalPosition]),
    walk(Goal, GoalPosition, At, Bound, _).
walk_goal(Module:Goal, _, _, Bound0, Bound) :-
    Module == book,
    !,
    term_variables(Bound0-Goal, Bound).
walk_goal(_:Goal, Position, At, Bound0, Bound) :-
    !,
    arguments(Position, [_,GoalPosition]),
    walk(Goal, GoalPosition, At, Bound0, Bound).
walk_goal(Goal, Position, At, Bound0, Bound) :-
    walk_call(Goal, 0, Position, At, Bound0),
    term_variables(Bound0-Goal, Bound).

sequence((A,B), A, B).
sequence((A->B), A, B).
sequence((A*->B), A, B).

%   walk_call(+Goal, +N, +Position, +At, +Bound): Goal is called with N more arguments.

walk_call(Goal, N, Position, At, Bound) :-
    term_functor(Goal, Name, Arity0),
    Arity is Arity0+N,
    (   own(Name, Arity)
    ->  walk_class(own, Goal, N, Position, At, Bound)
    ;   class(Name, Arity, Class)
    ->  walk_class(Class, Goal, N, Position, At, Bound)
    ;   note_use(undefined, Name/Arity, Position, At)
    ).

walk_class(offered(_), Goal, _, Position, At, Bound) :-
    !,
    arguments(Position, Positions),
    walk_dml(Goal, Positions, At, Bound).
walk_class(replaced(_), Goal, _, _, _, _) :-
    asserting(Goal, Clause),
    !,
    (   clause_head(Clause, Head),
        callable(Head)
    ->  term_functor(Head, Name, Arity),
        assertz(asserted(Name, Arity))
    ;   true
    ).
walk_class(_, Goal, N, Position, At, Bound0) :-
    goal_arguments(Goal, N, Kinds),
    !,
    term_parts(Goal, _, Args),
    arguments(Position, Positions),
    other_arguments(Kinds, Args, Others),
    term_variables(Bound0-Others, Bound),
    walk_arguments(Kinds, Args, Positions, At, Bound).
walk_class(_, _, _, _, _, _).

asserting(assert(Clause), Clause).
asserting(asserta(Clause), Clause).
asserting(assertz(Clause), Clause).

%   goal_arguments(+Goal, +N, -Kinds): the kinds of the arguments of Goal, as in a meta-predicate declaration.

goal_arguments(Goal, N, Kinds) :-
    term_parts(Goal, Name, Args),
    argument_kinds(Name, Args, N, Kinds0),
    length(Args, Arity),
    length(Kinds, Arity),
    '$append'(Kinds, _, Kinds0),
    !.

other_arguments([], [], []).
other_arguments([Kind|Kinds], [Arg|Args], Others) :-
    (   goal_kind(Kind)
    ->  Others = Others1
    ;   Others = [Arg|Others1]
    ),
    other_arguments(Kinds, Args, Others1).

walk_arguments([], [], _, _, _).
walk_arguments([Kind|Kinds], [Arg|Args], [Position|Positions], At, Bound0) :-
    (   integer(Kind)
    ->  walk_closure(Arg, Kind, Position, At, Bound0, Bound)
    ;   Kind == (^)
    ->  walk_closure(Arg, 0, Position, At, Bound0, Bound)
    ;   Kind == (//)
    ->  walk_grammar(Arg, Position, At, Bound0, Bound)
    ;   Bound = Bound0
    ),
    walk_arguments(Kinds, Args, Positions, At, Bound).

walk_closure(Closure, _, _, _, Bound, Bound) :-
    \+ callable(Closure),
    !.
walk_closure(Closure, N, Position0, At, Bound0, Bound) :-
    inside(Position0, Position),
    walk_lambda(Closure, N, Position, At, Bound0, Bound).

walk_lambda(Left^Goal, N, Position, At, Bound0, Bound) :-
    !,
    walk_right(Left, Goal, N, Position, At, Bound0, Bound).
walk_lambda(Free/Lambda, N, Position, At, Bound0, Bound) :-
    !,
    walk_right(Free, Lambda, N, Position, At, Bound0, Bound).
walk_lambda(Parameters>>Body, N, Position, At, Bound0, Bound) :-
    !,
    (   is_list(Parameters)
    ->  length(Parameters, Given),
        More is max(0, N-Given)
    ;   More = 0
    ),
    walk_right(Parameters, Body, More, Position, At, Bound0, Bound).
walk_lambda(Goal, 0, Position, At, Bound0, Bound) :-
    !,
    walk_goal(Goal, Position, At, Bound0, Bound).
walk_lambda(_:Closure, N, Position, At, Bound0, Bound) :-
    !,
    arguments(Position, [_,ClosurePosition]),
    walk_closure(Closure, N, ClosurePosition, At, Bound0, Bound).
walk_lambda(Closure, N, Position, At, Bound0, Bound) :-
    walk_call(Closure, N, Position, At, Bound0),
    term_variables(Bound0-Closure, Bound).

walk_right(Left, Closure, N, Position, At, Bound0, Bound) :-
    arguments(Position, [_,ClosurePosition]),
    term_variables(Bound0-Left, Bound1),
    walk_closure(Closure, N, ClosurePosition, At, Bound1, Bound).

                /*******************************
                *           grammars           *
                *******************************/

walk_grammar(Body, _, _, Bound, Bound) :-
    \+ callable(Body),
    !.
walk_grammar(Body, Position0, At, Bound0, Bound) :-
    inside(Position0, Position),
    walk_rule(Body, Position, At, Bound0, Bound).

walk_rule(Body, Position, At, Bound0, Bound) :-
    ( sequence(Body, A, B) ; Body = (A;B) ; Body = (A|B) ),
    !,
    arguments(Position, [PA,PB]),
    walk_grammar(A, PA, At, Bound0, Bound1),
    walk_grammar(B, PB, At, Bound1, Bound).
walk_rule(\+ Body, Position, At, Bound, Bound) :-
    !,
    arguments(Position, [BodyPosition]),
    walk_grammar(Body, BodyPosition, At, Bound, _).
walk_rule({Goal}, brace_term_position(_,_,GoalPosition), At, Bound0, Bound) :-
    !,
    walk(Goal, GoalPosition, At, Bound0, Bound).
walk_rule(Body, _, _, Bound0, Bound) :-
    terminal(Body),
    !,
    term_variables(Bound0-Body, Bound).
walk_rule(Body, Position, At, Bound0, Bound) :-
    term_functor(Body, Name, Arity),
    (   Name == call
    ->  arguments(Position, [ClosurePosition|_]),
        arg(1, Body, Closure),
        More is Arity+1,
        walk_closure(Closure, More, ClosurePosition, At, Bound0, _)
    ;   walk_call(Body, 2, Position, At, Bound0)
    ),
    term_variables(Bound0-Body, Bound).

terminal(!).
terminal({}).
terminal([]).
terminal([_|_]).
terminal(String) :-
    string(String).

                /*******************************
                *         DML's goals          *
                *******************************/

walk_dml(exec(Tool,_), [Position|_], At, _) :-
    !,
    walk_tool(Tool, Position, At).
walk_dml(first_solution(_,Goals,_), [_,Position|_], At, Bound) :-
    is_list(Goals),
    Position = list_position(_,_,Positions,_),
    !,
    forall(nth_both(Goals, Positions, Goal, GoalPosition), walk(Goal, GoalPosition, At, Bound, _)).
walk_dml(exec(Tool), [Position], At, _) :-
    !,
    walk_tool(Tool, Position, At).
walk_dml(Goal, [Position|_], At, Bound) :-
    term_functor(Goal, Name, _),
    text_predicate(Name),
    arg(1, Goal, Text),
    literal(Text, String),
    !,
    At = at(_, Names),
    text_names(String, InText0),
    sort(InText0, InText),
    forall('$member'(Name1, InText), check_name(Name1, Names, Bound, Position, At)).
walk_dml(_, _, _, _).

nth_both([Goal|_], [Position|_], Goal, Position).
nth_both([_|Goals], [_|Positions], Goal, Position) :-
    nth_both(Goals, Positions, Goal, Position).

walk_tool(Tool, Position, At) :-
    (   catch(exec_call(Tool, Name0, _), error(_, _), fail)
    ->  format(string(Name), "~w", [Name0]),
        note_use(tool, Name, Position, At)
    ;   true
    ).

check_name(Name, Names, Bound, Position, At) :-
    (   '$member'(Name=Variable, Names)
    ->  (   '$member'(Variable1, Bound),
            Variable1 == Variable
        ->  true
        ;   note_name(unbound, Name, Position, At)
        )
    ;   note_name(unknown, Name, Position, At)
    ).

%   The place of a name is that of its opening brace.

note_name(Kind, Name, Position, at(Start, _)) :-
    arg(1, Position, From0),
    From is Start+From0,
    program_text(Text),
    format(string(Braces), "{~w}", [Name]),
    sub_string(Text, From, _, 0, Rest),
    (   sub_string(Rest, Before, _, _, Braces)
    ->  Offset is From+Before
    ;   Offset = From
    ),
    atom_string(Name, What),
    assertz(use(Kind, What, Offset)).

note_use(Kind, What, Position, at(Start, _)) :-
    arg(1, Position, From),
    Offset is Start+From,
    assertz(use(Kind, What, Offset)).

                /*******************************
                *            places            *
                *******************************/

%   inside(+Position0, -Position): remove parentheses.

inside(parentheses_term_position(_,_,Position0), Position) :-
    !,
    inside(Position0, Position).
inside(Position, Position).

%   arguments(+Position, -Positions): the positions of the arguments of a compound.

arguments(term_position(_,_,_,_,Positions), Positions) :-
    !.
arguments(brace_term_position(_,_,Position), [Position]) :-
    !.
arguments(_, []).
