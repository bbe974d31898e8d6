:- module(hb_dml_names,
          [ find_goal_arguments/1,      % +Terms
            own_module/1,               % +Module
            named_clause_body/4,        % +Body, +Position, +Names, -Body1
            variable_name/3,            % +Variable, +Names, -Name
            argument_kinds/4,           % +Name, +Args, +N, -Kinds
            text_predicate/1,           % ?Name
            literal/2,                  % +Text, -String
            text_names/2                % +String, -Names
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../store/store').
:- use_module(dml).
:- use_module(types).
:- use_module(text).
:- use_module(place).

/** <module> The names of variables in the goals of a DML program

`{Name}` in the text of a DML goal is tied to the variable of its clause, and the outputs of a task
get their names.  The names are only known when the clause is read.
*/

:- dynamic
    goal_argument/4,                    % Name, Arity, I, N: called with N more arguments
    program_module/1.

%!  own_module(+Module) is det.
%
%   The program calls itself Module: from now on goals qualified with it mean its own predicates.

own_module(Module) :-
    assertz(program_module(Module)).

%!  find_goal_arguments(+Terms) is det.
%
%   Terms are the program.  Find the arguments of its own predicates that are goals: those declared by
%   `:- meta_predicate`, and those that a clause calls.

find_goal_arguments(Terms) :-
    forall(( '$member'(Term, Terms), nonvar(Term), Term = (:- Declared), nonvar(Declared), Declared = meta_predicate(Specs) ),
           forall(declared_spec(Specs, Spec), note_spec(Spec))),
    findall(Head-Body, ( '$member'(Term, Terms), nonvar(Term), Term = (Head :- Body), compound(Head) ), Rules),
    find_called_arguments(Rules).

declared_spec(Var, _) :-
    var(Var),
    !,
    fail.
declared_spec((A,B), Spec) :-
    !,
    (   declared_spec(A, Spec)
    ;   declared_spec(B, Spec)
    ).
declared_spec(Spec, Spec) :-
    compound(Spec).

note_spec(Spec) :-
    term_functor(Spec, Name, Arity),
    forall(( arg(I, Spec, Kind), called_with(Kind, N) ), note(Name, Arity, I, N)).

note(Name, Arity, I, N) :-
    (   goal_argument(Name, Arity, I, _)
    ->  true
    ;   assertz(goal_argument(Name, Arity, I, N))
    ).

%   called_with(+Kind, -N): an argument of this kind is a goal, called with N more arguments.

called_with(N, N) :-
    integer(N).
called_with(^, 0).

find_called_arguments(Rules) :-
    findall(found(Name,Arity,I,N),
            ( '$member'(Head-Body, Rules),
              called_variable(Body, Variable, N),
              arg(I, Head, Arg),
              Arg == Variable,
              term_functor(Head, Name, Arity),
              \+ goal_argument(Name, Arity, I, _)
            ),
            Found),
    (   Found == []
    ->  true
    ;   forall('$member'(found(Name,Arity,I,N), Found), note(Name, Arity, I, N)),
        find_called_arguments(Rules)
    ).

%   called_variable(+Body, -Variable, -N): Body calls Variable with N more arguments.

called_variable(Body, Variable, N) :-
    called_closure(Body, 0, Variable, N).

called_closure(Var, N, Var, N) :-
    var(Var),
    !.
called_closure(Closure, N0, Variable, N) :-
    inner_closure(Closure, N0, Inner, N1, _, _),
    !,
    called_closure(Inner, N1, Variable, N).
called_closure(Closure, N0, Variable, N) :-
    compound(Closure),
    compound_name_arguments(Closure, Name, Args),
    argument_kinds(Name, Args, N0, Kinds),
    called_argument(Kinds, Args, Variable, N).

called_argument([Kind|_], [Arg|_], Variable, N) :-
    called_with(Kind, N0),
    called_closure(Arg, N0, Variable, N).
called_argument([_|Kinds], [_|Args], Variable, N) :-
    called_argument(Kinds, Args, Variable, N).

%   inner_closure(+Closure, +N, -Inner, -N1, -Closure1, -Inner1): Closure, called with N more
%   arguments, calls Inner with N1; Closure1 is Closure with Inner1 in its place.

inner_closure(Var^Inner, 0, Inner, 0, Var^Inner1, Inner1).
inner_closure(Free/Inner, N, Inner, N, Free/Inner1, Inner1).
inner_closure(Module:Inner, N, Inner, N, Module:Inner1, Inner1).
inner_closure(Parameters>>Inner, N, Inner, N1, Parameters>>Inner1, Inner1) :-
    (   nonvar(Parameters),
        Parameters = _/List
    ->  true
    ;   List = Parameters
    ),
    (   is_list(List)
    ->  length(List, Given),
        N1 is max(0, N-Given)
    ;   N1 = 0
    ).

%!  argument_kinds(+Name, +Args, +N, -Kinds) is semidet.
%
%   Kinds are the kinds of the arguments, as in a meta-predicate declaration, of a goal with Args
%   and N more arguments.

argument_kinds(Name, Args, N, Kinds) :-
    length(Args, Given),
    Arity is Given+N,
    (   own(Name, Arity)
    ->  goal_argument(Name, Arity, _, _),
        findall(Kind, ( between(1, Arity, I), own_kind(Name, Arity, I, Kind) ), Kinds)
    ;   class(Name, Arity, Class),
        class_kinds(Class, Name, Arity, Kinds)
    ),
    !.

own_kind(Name, Arity, I, Kind) :-
    (   goal_argument(Name, Arity, I, N)
    ->  Kind = N
    ;   Kind = ?
    ).

class_kinds(control, _, 1, [0]).
class_kinds(control, _, 2, [0,0]).
class_kinds(catch, _, _, [0,?,0]).
class_kinds(Class, _, _, Kinds) :-
    goal_spec(Class, Spec),
    compound_name_arguments(Spec, _, Kinds).
class_kinds(replaced(_), Name, 1, [clause]) :-
    asserting(Name).

goal_spec(meta(Spec), Spec).
goal_spec(library(_, Spec), Spec).
goal_spec(offered(_, Spec), Spec).

asserting(assert).
asserting(asserta).
asserting(assertz).

%!  named_clause_body(+Body, +Position, +Names, -Body1) is det.
%
%   Tie the texts of DML goals to the variables and to their places, in goals at any depth.  Names
%   are the names of the variables of the clause, Name=Variable.  Position is that of Body from
%   read_term/2, unbound if unknown.

named_clause_body(Body0, Position, Names, Body) :-
    findall(Name=N, ( called_variable(Body0, Variable, N), variable_name(Variable, Names, Name) ), Called),
    named_closure(Body0, Position, 0, names(Names, Called, placed), Body).

named_closure(Closure0, Position, N, Names, Closure) :-
    named(Closure0, Position, N, Names, Closure1),
    (   N == 0,
        Names = names(_, _, placed),
        offset(Position, At),
        At \== null,
        placed_goal(Closure1, At, Placed)
    ->  Closure = Placed
    ;   Closure = Closure1
    ).

%   unplaced(+Names, -Names1): for a goal that the program may inspect as a term: nothing but its texts changes.

unplaced(names(Known,Called,_), names(Known,Called,unplaced)).

named(Var, _, _, _, Var) :-
    var(Var),
    !.
named(Module:Closure0, Position, N, Names, Closure) :-
    atom(Module),
    program_module(Module),
    !,
    positions(Position, [_,Position1]),
    named_closure(Closure0, Position1, N, Names, Closure).
named(Book:Goal, _, _, _, Book:Goal) :-     % its text goes to the book
    Book == book,
    !.
named(Closure0, Position, N, Names, Closure) :-
    inner_closure(Closure0, N, Inner0, N1, Closure, Inner),
    !,
    positions(Position, [_,Position1]),
    named_closure(Inner0, Position1, N1, Names, Inner).
named(first_solution(X,Goals0,Options), Position, 0, Names, first_solution(X,Goals,Options)) :-
    is_list(Goals0),
    class(first_solution, 3, offered(hb_dml)),
    !,
    findall(0, '$member'(_, Goals0), Kinds),
    positions(Position, [_,Listed|_]),
    positions(Listed, Positions),
    named_arguments(Kinds, Goals0, Positions, Names, Goals).
named(Variable=Goal0, Position, 0, Names, Variable=Goal) :-
    Names = names(Known, Called, _),
    unplaced(Names, Names1),
    variable_name(Variable, Known, Name),
    '$member'(Name=N, Called),
    !,
    positions(Position, [_,Position1]),
    named_closure(Goal0, Position1, N, Names1, Goal).
named(Closure0, Position, N, Names, Closure) :-
    compound(Closure0),
    !,
    compound_name_arguments(Closure0, Name, Args0),
    (   argument_kinds(Name, Args0, N, Kinds)
    ->  positions(Position, Positions),
        length(Kinds, Arity),
        (   own(Name, Arity)
        ->  unplaced(Names, Names1)
        ;   Names1 = Names
        ),
        named_arguments(Kinds, Args0, Positions, Names1, Args),
        compound_name_arguments(Closure, Name, Args)
    ;   placed_predicate(Name),
        length(Args0, Given),
        Arity is Given+N,
        class(Name, Arity, offered(hb_dml))
    ->  offset(Position, At),
        named_text(Closure0, At, Names, Closure)
    ;   Closure = Closure0
    ).
named(Closure, _, _, _, Closure).

named_arguments(_, [], _, _, []) :-
    !.
named_arguments([Kind|Kinds], [Arg0|Args0], [Position|Positions], Names, [Arg|Args]) :-
    (   called_with(Kind, N)
    ->  named_closure(Arg0, Position, N, Names, Arg)
    ;   Kind == clause,
        nonvar(Arg0),
        Arg0 = (Head :- Body0)
    ->  Arg = (Head :- Body),
        positions(Position, [_,BodyPosition]),
        named_closure(Body0, BodyPosition, 0, Names, Body)
    ;   Arg = Arg0
    ),
    named_arguments(Kinds, Args0, Positions, Names, Args).

%   positions(+Position, -Positions): the positions of the arguments of a term, or of the elements
%   of a list; unbound if unknown.

positions(Position, Positions) :-
    (   nonvar(Position),
        inner_positions(Position, Positions0)
    ->  Positions = Positions0
    ;   true
    ).

inner_positions(parentheses_term_position(_,_,Position), Positions) :-
    positions(Position, Positions).
inner_positions(term_position(_,_,_,_,Positions), Positions).
inner_positions(list_position(_,_,Positions,_), Positions).
inner_positions(brace_term_position(_,_,Position), [Position]).

%   offset(+Position, -At): where the term begins, or null.

offset(Position, At) :-
    (   nonvar(Position),
        Position = parentheses_term_position(_,_,Inner)
    ->  offset(Inner, At)
    ;   compound(Position),
        arg(1, Position, At0),
        integer(At0)
    ->  At = At0
    ;   At = null
    ).

%   placed_predicate(?Name): requests and events of DML's Name/N carry the place of the goal.

placed_predicate(exec).
placed_predicate(Name) :-
    text_predicate(Name).

%   named_text(+Goal, +At, +Names, -Goal1): Goal may lack its last arguments.

named_text(Goal0, At, names(Names, _, _), Goal) :-
    term_parts(Goal0, Name, [Text|Args]),
    (   text_predicate(Name),
        literal(Text, String),
        sub_string(String, _, _, _, "{")
    ->  string_codes(String, Codes),
        segments(Codes, [], Names, Segments)
    ;   Segments = none
    ),
    outputs_named(Args, Names, Outputs),
    (   Segments == none,
        Outputs == [],
        At == null
    ->  Goal = Goal0
    ;   tie_text(Text, Segments, Outputs, At, Tied),
        Goal =.. [Name,Tied|Args]
    ).

%!  text_predicate(?Name) is nondet.
%
%   The first argument of DML's Name/N is a text that may contain names.

text_predicate(task).
text_predicate(prompt).
text_predicate(system).
text_predicate(user).
text_predicate(answer).
text_predicate(yield).
text_predicate(output).
text_predicate(log).
text_predicate(wait_for_input).
text_predicate(input).

%!  literal(+Text, -String) is semidet.

literal(Text, Text) :-
    string(Text),
    !.
literal(Atom, Text) :-
    atom(Atom),
    Atom \== [],
    atom_string(Atom, Text).

outputs_named([], _, []).
outputs_named([Arg|Args], Names, [output(Name,Type)|Outputs]) :-
    output_type(Arg, Type, Variable),
    (   variable_name(Variable, Names, Name0)
    ->  Name = Name0
    ;   true
    ),
    outputs_named(Args, Names, Outputs).

%!  text_names(+String, -Names) is det.
%
%   Names are the atoms in braces in String.

text_names(String, Names) :-
    string_codes(String, Codes),
    segments(Codes, [], [], Segments),
    findall(Name, ( '$member'(parameter(Name0), Segments), atom_string(Name, Name0) ), Names).

%   segments(+Codes, +Before, +Names, -Segments): Before are the codes of the text before, in reverse.

segments([], Before, _, Segments) :-
    text_segment(Before, [], Segments).
segments([0'{|Codes], Before, Names, Segments) :-
    name_codes(Codes, NameCodes, [0'}|Codes1]),
    NameCodes = [_|_],
    !,
    text_segment(Before, [Segment|Segments1], Segments),
    atom_codes(Name, NameCodes),
    (   '$member'(Name=Variable, Names)
    ->  Segment = value(Variable)
    ;   atom_string(Name, Parameter),
        Segment = parameter(Parameter)
    ),
    segments(Codes1, [], Names, Segments1).
segments([Code|Codes], Before, Names, Segments) :-
    segments(Codes, [Code|Before], Names, Segments).

text_segment([], Segments, Segments) :-
    !.
text_segment(Before, Segments, [text(Text)|Segments]) :-
    reversed(Before, [], Codes),
    string_codes(Text, Codes).

reversed([], Codes, Codes).
reversed([Code|Before], Codes0, Codes) :-
    reversed(Before, [Code|Codes0], Codes).

%   A name does not begin with a digit: {3} is not a name.

name_codes([Code|Codes], [Code|NameCodes], Rest) :-
    code_type(Code, csymf),
    !,
    more_name_codes(Codes, NameCodes, Rest).

more_name_codes([Code|Codes], [Code|NameCodes], Rest) :-
    code_type(Code, csym),
    !,
    more_name_codes(Codes, NameCodes, Rest).
more_name_codes(Rest, [], Rest).

%!  variable_name(+Variable, +Names, -Name) is semidet.

variable_name(Variable, Names, Name) :-
    var(Variable),
    '$member'(Name=Variable1, Names),
    Variable1 == Variable,
    !.
