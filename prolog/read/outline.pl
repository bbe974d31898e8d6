:- module(hb_outline,
          [ outline/3                   % +Text, -Places, -Parts
          ]).
:- use_module('../functor').
:- use_module(reader).
:- use_module(marks).
:- use_module(check, [check_directive/3]).
:- use_module('../sandbox/policy', [class/3]).

/** <module> What stands where in a file

For editors: where a text defines, calls and names predicates, and where its
variables, atoms, numbers, strings and comments are.  The text is read as if to
add it, but nothing is added.
*/

%!  outline(+Text, -Places, -Parts) is det.
%
%   Places is a list of [Kind, Start, End], one for each item of Text, in order.
%   Kind is `f`, `r`, `g` or `d` as for added items, `e` for an item that cannot be
%   read, and `s` for comments after the last clause.  Start is where the term
%   begins.  Parts has a list of marks for each item, comments first.  A mark is a
%   list of a kind, a start and an end; for predicates also a name, an arity, and the
%   module that qualifies them, if any:
%
%     - `h`, `c`, `i`
%       The name of a predicate in the head of a clause, in a goal and in a
%       predicate indicator.
%     - `v`, `a`, `n`, `s`, `%`
%       A variable, an atom or the name of a compound, a number, a string and
%       a comment.

outline(Text, Places, Parts) :-
    setup_call_cleanup(
        open_source(file, Text, Source),
        items(Source, Places, Parts),
        close_source(Source)).

items(Source, Places, Parts) :-
    read_item(Source, Item, [subterm_positions(Position), comments(Comments)]),
    item(Item, Source, Position, Comments, Places, Parts, Places1, Parts1),
    (   Item = end(_)
    ->  Places1 = [],
        Parts1 = []
    ;   items(Source, Places1, Parts1)
    ).

item(end(_), _, _, [], Places, Parts, Places, Parts) :-
    !.
item(end(Start), _, _, Comments, [[s,Start,Start]|Places], [Part|Parts], Places, Parts) :-
    part(comments(Comments), Part).
item(error(Start, End, _), _, _, _, [[e,Start,End]|Places], [list([])|Parts], Places, Parts).
item(clause(_, End, Term, _), Source, Position, Comments,
     [[Kind,Start,End]|Places], [Part|Parts], Places, Parts) :-
    arg(1, Position, Start),
    read_on(Term, Source-Start),
    part((comments(Comments), clause(Term, Position, Kind)), Part).

:- meta_predicate part(//, -).

part(Marks, list(Part)) :-
    phrase(Marks, Part).

%   Carry out a directive that changes how the rest is read, even if the book would refuse it.

read_on((:- Directive), Source-Start) :-
    nonvar(Directive),
    !,
    source_scope(Source, Scope),
    catch(check_directive(Directive, Source-Start, Scope), _, true).
read_on(_, _).


                /*******************************
                *            CLAUSES           *
                *******************************/

%   clause(+Term, +Position, -Kind)//

clause(Term, parentheses_term_position(_, _, Position), Kind) -->
    { nonvar(Term) },
    !,
    clause(Term, Position, Kind).
clause(Term, term_position(_, _, _, _, Positions), Kind) -->
    { nonvar(Term),
      parts_of(Term, Kind, Parts)
    },
    !,
    together(Parts, Positions).
clause(Head, Position, f) -->
    head(Head, 0, Position).

parts_of((:- Directive), d, [directive(Directive)]).
parts_of((?- Goal), d, [body(Goal)]).
parts_of((Head :- Body), r, [head(Head, 0), body(Body)]).
parts_of((Head => Body), r, [guarded(Head), body(Body)]).
parts_of((Head --> Body), g, [pushed(Head), grammar(Body)]).

%   together(+Closures, +Positions)//: pairs each closure with its position.

together([], []) -->
    [].
together([Closure|Closures], [Position|Positions]) -->
    at(Closure, Position),
    together(Closures, Positions).

at(data(Term), Position)            --> data(Term, Position).
at(head(Head, More), Position)      --> head(Head, More, Position).
at(guarded(Head), Position)         --> guarded(Head, Position).
at(pushed(Head), Position)          --> pushed(Head, Position).
at(body(Goal), Position)            --> body(Goal, Position).
at(closure(Goal, More), Position)   --> closure(Goal, More, Position).
at(grammar(Body), Position)         --> grammar(Body, Position).
at(directive(Directive), Position)  --> directive(Directive, Position).
at(existential(Goal), Position)     --> existential(Goal, Position).
at(indicators(Indicators), Position) --> indicators(Indicators, Position).

head(Term, More, parentheses_term_position(_, _, Position)) -->
    !,
    head(Term, More, Position).
head(Term, More, term_position(_, _, _, _, [ModulePosition,Position])) -->
    { nonvar(Term), Term = Module:Head },
    !,
    data(Module, ModulePosition),
    of_module(Module, head(Head, More, Position), Head, Position).
head(Term, More, Position) -->
    named(h, Term, More, Position, Args, Positions),
    !,
    all_data(Args, Positions).
head(Term, _, Position) -->
    data(Term, Position).

guarded(Term, term_position(_, _, _, _, [Position,GuardPosition])) -->
    { nonvar(Term), Term = (Head,Guard) },
    !,
    head(Head, 0, Position),
    body(Guard, GuardPosition).
guarded(Head, Position) -->
    head(Head, 0, Position).

pushed(Term, term_position(_, _, _, _, [Position,BackPosition])) -->
    { nonvar(Term), Term = (Head,Back) },
    !,
    head(Head, 2, Position),
    data(Back, BackPosition).
pushed(Head, Position) -->
    head(Head, 2, Position).

%   of_module(+Module, +Marks, +Term, +Position)//: the marks of Term, which is qualified with
%   Module.  If Module is only known at run time, there are no predicates.

of_module(Module, Marks, _, _) -->
    { atom(Module) },
    !,
    { phrase(Marks, Plain),
      with_module(Plain, Module, Qualified)
    },
    Qualified.
of_module(_, _, Term, Position) -->
    data(Term, Position).

%   with_module(+Plain, +Module, -Qualified): qualify predicates that have no module yet with Module.

with_module([], _, []).
with_module([list(Mark)|Plain], Module, [list(Qualified)|Marks]) :-
    (   Mark = [Kind,Start,End,Name,Arity]
    ->  Qualified = [Kind,Start,End,Name,Arity,text(Module)]
    ;   Qualified = Mark
    ),
    with_module(Plain, Module, Marks).

%   named(+Kind, +Term, +More, +Position, -Args, -Positions)//: mark the name of a term
%   that is a predicate when called with More additional arguments.

named(Kind, Term, More, Position, Args, Positions) -->
    { callable(Term),
      name_place(Position, Start, End, Positions),
      Term \== [],
      compound_or_atom(Term, Name, Args),
      same_length(Args, Positions),
      length(Args, Count),
      Arity is Count+More
    },
    predicate(Kind, Start, End, Name, Arity).

compound_or_atom(Term, Name, Args) :-
    compound(Term),
    !,
    compound_name_arguments(Term, Name, Args).
compound_or_atom(Atom, Atom, []).

name_place(Start-End, Start, End, []).
name_place(term_position(_, _, Start, End, Positions), Start, End, Positions).

same_length([], []).
same_length([_|As], [_|Bs]) :-
    same_length(As, Bs).


                /*******************************
                *             GOALS            *
                *******************************/

body(Term, Position) -->
    closure(Term, 0, Position).

%   closure(+Goal, +More, +Position)//: a goal that is called with More additional arguments.

closure(Var, _, Position) -->
    { var(Var) },
    !,
    data(Var, Position).
closure(Term, More, parentheses_term_position(_, _, Position)) -->
    !,
    closure(Term, More, Position).
closure(Module:Goal, More, term_position(_, _, _, _, [ModulePosition,Position])) -->
    !,
    data(Module, ModulePosition),
    of_module(Module, closure(Goal, More, Position), Goal, Position).
closure(Term, 0, term_position(_, _, _, _, Positions)) -->
    { control(Term, Parts) },
    !,
    together(Parts, Positions).
closure(Parameters>>Lambda, _, term_position(_, _, _, _, [Position1,Position2])) -->
    !,
    data(Parameters, Position1),
    body(Lambda, Position2).
closure(Term, More, Position) -->
    named(c, Term, More, Position, Args, Positions),
    !,
    { roles(Term, More, Args, Parts) },
    together(Parts, Positions).
closure(Term, _, Position) -->
    data(Term, Position).

control((A,B),   [body(A), body(B)]).
control((A;B),   [body(A), body(B)]).
control((A'|'B), [body(A), body(B)]).
control((A->B),  [body(A), body(B)]).
control((A*->B), [body(A), body(B)]).

%   roles(+Goal, +More, +Args, -Parts): the roles of the arguments by the declaration of a
%   meta predicate.

roles(Term, More, Args, Parts) :-
    compound_or_atom(Term, Name, _),
    length(Args, Count),
    Arity is Count+More,
    class(Name, Arity, Class),
    takes_goals(Class, Meta),
    !,
    compound_name_arguments(Meta, _, Specs),
    roles(Args, Specs, Parts).
roles(\+_, 0, [Goal], [body(Goal)]) :-
    !.
roles(_, _, Args, Parts) :-
    data_roles(Args, Parts).

takes_goals(meta(Meta), Meta).
takes_goals(library(_, Meta), Meta).
takes_goals(offered(_, Meta), Meta).
takes_goals(catch, catch(0, ?, 0)).
takes_goals(phrase, phrase(//, ?, ?)).

roles([], _, []).
roles([Arg|Args], [Spec|Specs], [Part|Parts]) :-
    role(Spec, Arg, Part),
    roles(Args, Specs, Parts).

role(0, Arg, body(Arg)) :- !.
role(^, Arg, body(Goal)) :-
    var(Arg),
    !,
    Goal = Arg.
role(^, Arg, existential(Arg)) :- !.
role(//, Arg, grammar(Arg)) :- !.
role(More, Arg, closure(Arg, More)) :-
    integer(More),
    !.
role(_, Arg, data(Arg)).

data_roles([], []).
data_roles([Arg|Args], [data(Arg)|Parts]) :-
    data_roles(Args, Parts).

existential(Term, parentheses_term_position(_, _, Position)) -->
    !,
    existential(Term, Position).
existential(Term, term_position(_, _, _, _, [Position1,Position2])) -->
    { nonvar(Term), Term = Var^Goal },
    !,
    data(Var, Position1),
    existential(Goal, Position2).
existential(Goal, Position) -->
    body(Goal, Position).


                /*******************************
                *       GRAMMARS, OTHERS       *
                *******************************/

grammar(Var, Position) -->
    { var(Var) },
    !,
    data(Var, Position).
grammar(Term, parentheses_term_position(_, _, Position)) -->
    !,
    grammar(Term, Position).
grammar(Module:Body, term_position(_, _, _, _, [ModulePosition,Position])) -->
    !,
    data(Module, ModulePosition),
    of_module(Module, grammar(Body, Position), Body, Position).
grammar({Goal}, brace_term_position(_, _, Position)) -->
    !,
    body(Goal, Position).
grammar(Term, term_position(_, _, _, _, Positions)) -->
    { grammar_control(Term, Parts) },
    !,
    together(Parts, Positions).
grammar(Term, Position) -->
    { Term == ! },
    !,
    data(Term, Position).
grammar(Term, Position) -->
    { \+ is_list(Term) },
    named(c, Term, 2, Position, Args, Positions),
    !,
    (   { Args = [Goal|Rest], term_functor(Term, call, _) }
    ->  { length(Rest, More0),
          More is More0+2,
          Positions = [GoalPosition|RestPositions]
        },
        closure(Goal, More, GoalPosition),
        all_data(Rest, RestPositions)
    ;   all_data(Args, Positions)
    ).
grammar(Term, Position) -->
    data(Term, Position).

grammar_control((A,B),   [grammar(A), grammar(B)]).
grammar_control((A;B),   [grammar(A), grammar(B)]).
grammar_control((A'|'B), [grammar(A), grammar(B)]).
grammar_control((A->B),  [grammar(A), grammar(B)]).
grammar_control((A*->B), [grammar(A), grammar(B)]).
grammar_control(\+A,     [grammar(A)]).

directive(Term, parentheses_term_position(_, _, Position)) -->
    !,
    directive(Term, Position).
directive(Term, Position) -->
    { callable(Term),
      term_functor(Term, Name, Arity),
      declares(Name/Arity, Roles)
    },
    named(c, Term, 0, Position, Args, Positions),
    !,
    { declared(Roles, Args, Parts) },
    together(Parts, Positions).
directive(Goal, Position) -->
    body(Goal, Position).

declares((dynamic)/1,        [indicators]).
declares((discontiguous)/1,  [indicators]).
declares((multifile)/1,      [indicators]).
declares((public)/1,         [indicators]).
declares((meta_predicate)/1, [indicators]).
declares(det/1,            [indicators]).
declares((table)/1,          [indicators]).
declares(data/2,           [indicators,data]).
declares(module/2,         [data,indicators]).
declares(use_module/2,     [data,indicators]).
declares((initialization)/1, [body]).
declares((initialization)/2, [body,data]).

declared([], [], []).
declared([Role|Roles], [Arg|Args], [Part|Parts]) :-
    Part =.. [Role,Arg],
    declared(Roles, Args, Parts).

indicators(Term, parentheses_term_position(_, _, Position)) -->
    { nonvar(Term) },
    !,
    indicators(Term, Position).
indicators(Elements, list_position(_, _, Positions, none)) -->
    !,
    each_indicators(Elements, Positions).
indicators(Term, term_position(_, _, _, _, [Position1,Position2])) -->
    { nonvar(Term),
      (   Term = (A,B)
      ;   Term = (A as B)
      )
    },
    !,
    indicators(A, Position1),
    indicators(B, Position2).
indicators(Term, term_position(_, _, _, _, [ModulePosition,Position])) -->
    { nonvar(Term), Term = Module:Indicators },
    !,
    data(Module, ModulePosition),
    of_module(Module, indicators(Indicators, Position), Indicators, Position).
indicators(Term, term_position(_, _, _, _, [NamePosition,ArityPosition])) -->
    { nonvar(Term),
      (   Term = Name/Arity0,
          More = 0
      ;   Term = Name//Arity0,
          More = 2
      ),
      nonvar(Name),
      integer(Arity0)
    },
    !,
    { Arity is Arity0+More },
    indicator(Name, Arity, NamePosition),
    data(Arity0, ArityPosition).
indicators(Term, Position) -->
    { compound(Term), Term \= op(_, _, _), Term \= except(_) },
    named(i, Term, 0, Position, Args, Positions),
    !,
    all_data(Args, Positions).
indicators(Term, Position) -->
    data(Term, Position).

%   indicator(+Name, +Arity, +Position)//: `:` binds closer than `/`.

indicator(Module:Name, Arity, term_position(_, _, _, _, [ModulePosition,Position])) -->
    !,
    data(Module, ModulePosition),
    of_module(Module, indicator(Name, Arity, Position), Name, Position).
indicator(Name, Arity, Start-End) -->
    { atom(Name) },
    !,
    predicate(i, Start, End, Name, Arity).
indicator(Name, _, Position) -->
    data(Name, Position).

each_indicators([], []) -->
    [].
each_indicators([Element|Elements], [Position|Positions]) -->
    indicators(Element, Position),
    each_indicators(Elements, Positions).
