:- module(hb_dml_program,
          [ load_program/2,             % +Text, -Reply
            load_program/3,             % +Text, :Note, -Reply
            directive_goal/1,           % -Safe
            directive_only/2,           % ?Name, ?Arity
            goal_spec/2,                % +Class, -Spec
            text_predicate/1,           % ?Name
            literal/2,                  % +Text, -String
            text_names/2                % +String, -Names
          ]).
:- use_module(policy).
:- use_module(reader).
:- use_module(recovery, [skip_layout/3]).
:- use_module(sandbox).
:- use_module(clauses).
:- use_module(store).
:- use_module(errors).
:- use_module(dml).

/** <module> Loading a DML program

The text of a program becomes the clauses of the knowledge base.  Here the
names of variables are known: `{Name}` in the text of a DML goal is tied to the variable of
its clause, and the outputs of a task get their names.
*/

:- dynamic
    directive_goal/1,                   % a translated goal, to be run before agent_main
    main/2,                             % Arity, Names (name or null)
    tool/4.                             % Name, Arity, Description, Source

%!  load_program(+Text, -Reply) is det.
%
%   Add all clauses of Text.  Reply is a list of Name=Value; where `errors` is not empty the
%   program must not be run.

load_program(Text, Reply) :-
    load_program(Text, unnoted, Reply).

unnoted(_, _).

%!  load_program(+Text, :Note, -Reply) is det.
%
%   The same; call(Note, Item, Source) is called with each item before it is loaded.

:- meta_predicate load_program(+, 2, -).

load_program(Text, Note, [errors=Errors, mains=Mains, tools=Tools]) :-
    setup_call_cleanup(
        open_source(file, Text, Source),
        load_items(Source, Note, 1, NextId, Errors),
        close_source(Source)),
    begin_step(NextId, -1),
    call_tools_directly,
    retranslate_shadowed,
    findall(Names, main(_, Names), Mains),
    findall(json([name=Name, arity=Arity, description=Description, source=Clause]),
            tool(Name, Arity, Description, Clause),
            Tools).

load_items(Source, Note, Id, NextId, Errors) :-
    read_item(Source, Item),
    (   Item = end(_)
    ->  NextId = Id,
        Errors = []
    ;   call(Note, Item, Source),
        load_item(Item, Source, Id, Errors, Errors1),
        Id1 is Id+1,
        load_items(Source, Note, Id1, NextId, Errors1)
    ).

load_item(clause(Start,End,Term,Names), Source, Id, Errors, Errors1) :-
    Source = source(_, _, Text, Scope, _),
    catch(load_term(Term, Names, place(Text, Start, End), Scope, Id), Ball, true),
    (   var(Ball)
    ->  Errors = Errors1
    ;   error_json(Ball, json(Pairs)),
        skip_layout(Text, Start, At),
        Errors = [json([offset=At|Pairs])|Errors1]
    ).
load_item(error(_,_,Problem), _, _, [Error|Errors], Errors) :-
    error_json(Problem, Error).

load_term(Term, _, _, _, _) :-
    var(Term),
    !,
    throw(error(instantiation_error, _)).
load_term((:- Directive), Names, place(Text,Start,_), Scope, _) :-
    !,
    load_directive(Directive, Names, Text-Start, Scope).
load_term((Head --> Body), Names, Place, Scope, Id) :-
    !,
    dcg_translate_rule((Head --> Body), Rule),
    load_term(Rule, Names, Place, Scope, Id).
load_term((Head0 :- Body0), Names, Place, Scope, Id) :-
    !,
    note_head(Head0, Names, Place, Head),
    named_body(Body0, Names, Body),
    add_term((Head :- Body), none, Scope, Id, _).
load_term(Head0, Names, Place, Scope, Id) :-
    note_head(Head0, Names, Place, Head),
    add_term(Head, none, Scope, Id, _).

%   note_head(+Head, +Names, +Place, -Head1): the clauses of tool/2 are those of tool/1, their
%   descriptions are kept.

note_head(Head, Names, _, Head) :-
    callable(Head),
    functor(Head, agent_main, Arity),
    !,
    Head =.. [_|Args],
    head_names(Args, Names, HeadNames),
    assertz(main(Arity, HeadNames)).
note_head(tool(Head), _, Place, tool(Head)) :-
    !,
    note_tool(Head, "", Place).
note_head(tool(Head,Description), _, Place, tool(Head)) :-
    !,
    note_tool(Head, Description, Place).
note_head(Head, _, _, Head).

head_names([], _, []).
head_names([Arg|Args], Names, [Name|HeadNames]) :-
    (   variable_name(Arg, Names, Name0)
    ->  Name = Name0
    ;   Name = null
    ),
    head_names(Args, Names, HeadNames).

variable_name(Variable, Names, Name) :-
    var(Variable),
    '$member'(Name=Variable1, Names),
    Variable1 == Variable,
    !.

note_tool(Head, _, _) :-
    \+ callable(Head),
    !,
    throw(error(type_error(callable, Head), _)).
note_tool(Head, Description0, place(Text,Start,End)) :-
    functor(Head, Name, Arity),
    skip_layout(Text, Start, From),
    Length is End-From,
    sub_string(Text, From, Length, _, Source),
    format(string(Description), "~w", [Description0]),
    (   retract(tool(Name, Arity, Description1, Source1))
    ->  atomic_list_concat([Source1, '\n', Source], Source2),
        (   Description1 == ""
        ->  Description2 = Description
        ;   Description2 = Description1
        ),
        assertz(tool(Name, Arity, Description2, Source2))
    ;   assertz(tool(Name, Arity, Description, Source))
    ).

%   A tool can be called as a predicate of its name, where the program has no other of that name.

call_tools_directly :-
    forall(( tool(Name, Arity, _, _),
             \+ own(Name, Arity),
             \+ class(Name, Arity, _)
           ),
           ( functor(Head, Name, Arity),
             add_term((Head :- tool(Head)), none, none, 0, _) )).

                /*******************************
                *          directives          *
                *******************************/

load_directive(Goal, _, _, _) :-
    var(Goal),
    !,
    throw(error(instantiation_error, _)).
load_directive(param(Key, Description), _, _, _) :-
    !,
    declare_parameter(Key, Description, none).
load_directive(param(Key, Description, Default), _, _, _) :-
    !,
    declare_parameter(Key, Description, default(Default)).
load_directive(initialization(Goal), Names, _, _) :-
    !,
    later(Goal, Names).
load_directive(initialization(Goal, _), Names, _, _) :-
    !,
    later(Goal, Names).
load_directive(Goal, _, Place, Scope) :-
    functor(Goal, Name, Arity),
    declaration(Name, Arity),
    !,
    add_term((:- Goal), Place, Scope, 0, _).
load_directive(Goal, _, _, _) :-
    functor(Goal, Name, Arity),
    without_effect(Name, Arity),
    !.
load_directive(Goal, Names, _, _) :-
    later(Goal, Names).

declaration(use_module, 1).
declaration(use_module, 2).
declaration(ensure_loaded, 1).
declaration(dynamic, 1).
declaration(discontiguous, 1).
declaration(table, 1).
declaration(op, 3).
declaration(set_prolog_flag, 2).

%   What is said of a file, in a program that has no other files.

without_effect(module, 2).
without_effect(multifile, 1).
without_effect(style_check, 1).

%!  directive_only(?Name, ?Arity) is nondet.
%
%   A directive of this name is no goal.

directive_only(param, 2).
directive_only(param, 3).
directive_only(Name, Arity) :-
    declaration(Name, Arity).
directive_only(Name, Arity) :-
    without_effect(Name, Arity).

%   Goals run in order when all clauses are there, before agent_main.

later(Goal0, Names) :-
    named_body(Goal0, Names, Goal),
    safe_body(Goal, Safe),
    assertz(directive_goal(Safe)).

                /*******************************
                *       names in goals         *
                *******************************/

%   named_body(+Body, +Names, -Body1): tie the texts of DML goals to the variables, at any depth
%   where a goal is.

named_body(Var, _, Var) :-
    var(Var),
    !.
named_body(Module:Body0, Names, Module:Body) :-
    !,
    named_body(Body0, Names, Body).
named_body(Goal0, Names, Goal) :-
    callable(Goal0),
    !,
    functor(Goal0, Name, Arity),
    (   class(Name, Arity, Class)
    ->  named_goal(Class, Goal0, Names, Goal)
    ;   Goal = Goal0
    ).
named_body(Body, _, Body).

named_goal(control, Goal0, Names, Goal) :-
    !,
    Goal0 =.. [Name|Args0],
    named_bodies(Args0, Names, Args),
    Goal =.. [Name|Args].
named_goal(catch, Goal0, Names, Goal) :-
    !,
    Goal0 =.. [Name,G0,Ball,R0],
    named_body(G0, Names, G),
    named_body(R0, Names, R),
    Goal =.. [Name,G,Ball,R].
named_goal(dml, Goal0, Names, Goal) :-
    !,
    named_text(Goal0, 0, Names, Goal).
named_goal(Class, Goal0, Names, Goal) :-
    goal_spec(Class, Spec),
    !,
    compound_name_arguments(Goal0, Name, Args0),
    compound_name_arguments(Spec, _, Kinds),
    named_arguments(Kinds, Args0, Names, Args),
    compound_name_arguments(Goal, Name, Args).
named_goal(_, Goal, _, Goal).

%!  goal_spec(+Class, -Spec) is semidet.
%
%   Spec is the meta-predicate declaration of a predicate of this class.

goal_spec(meta(Spec), Spec).
goal_spec(library(_, Spec), Spec).
goal_spec(dml(Spec), Spec).

named_bodies([], _, []).
named_bodies([Body0|Bodies0], Names, [Body|Bodies]) :-
    named_body(Body0, Names, Body),
    named_bodies(Bodies0, Names, Bodies).

named_arguments([], [], _, []).
named_arguments([Kind|Kinds], [Arg0|Args0], Names, [Arg|Args]) :-
    (   integer(Kind)
    ->  named_closure(Arg0, Kind, Names, Arg)
    ;   Kind == (^)
    ->  named_closure(Arg0, 0, Names, Arg)
    ;   Arg = Arg0
    ),
    named_arguments(Kinds, Args0, Names, Args).

named_closure(Var, _, _, Var) :-
    var(Var),
    !.
named_closure(Var^Goal0, N, Names, Var^Goal) :-
    !,
    named_closure(Goal0, N, Names, Goal).
named_closure(Free/Lambda0, N, Names, Free/Lambda) :-
    !,
    named_closure(Lambda0, N, Names, Lambda).
named_closure(Parameters>>Body0, N, Names, Parameters>>Body) :-
    !,
    (   is_list(Parameters)
    ->  length(Parameters, Given),
        More is max(0, N-Given)
    ;   More = 0
    ),
    named_closure(Body0, More, Names, Body).
named_closure(Goal0, 0, Names, Goal) :-
    !,
    named_body(Goal0, Names, Goal).
named_closure(Module:Closure0, N, Names, Module:Closure) :-
    !,
    named_closure(Closure0, N, Names, Closure).
named_closure(Closure0, N, Names, Closure) :-
    compound(Closure0),
    functor(Closure0, Name, Arity0),
    Arity is Arity0+N,
    class(Name, Arity, dml),
    !,
    named_text(Closure0, N, Names, Closure).
named_closure(Closure, _, _, Closure).

%   named_text(+Goal, +N, +Names, -Goal1): Goal is called with N more arguments.

named_text(Goal0, _, Names, Goal) :-
    compound(Goal0),
    Goal0 =.. [Name,Text|Args],
    text_predicate(Name),
    !,
    (   literal(Text, String),
        sub_string(String, _, _, _, "{")
    ->  string_codes(String, Codes),
        segments(Codes, [], Names, Segments)
    ;   Segments = none
    ),
    outputs_named(Args, Names, Outputs),
    (   Segments == none,
        Outputs == []
    ->  Goal = Goal0
    ;   Goal =.. [Name,'$dml'(Text,Segments,Outputs)|Args]
    ).
named_text(Goal, _, _, Goal).

%!  text_predicate(?Name) is nondet.
%
%   The first argument of DML's Name/N is a text in which names may stand.

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
%   Names are the atoms that stand in braces in String.

text_names(String, Names) :-
    string_codes(String, Codes),
    segments(Codes, [], [], Segments),
    findall(Name, ( '$member'(parameter(Name0), Segments), atom_string(Name, Name0) ), Names).

%   segments(+Codes, +Before, +Names, -Segments): Before are the codes of the text before, the last first.

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

%   A name does not begin with a digit: {3} is no name.

name_codes([Code|Codes], [Code|NameCodes], Rest) :-
    code_type(Code, csymf),
    !,
    more_name_codes(Codes, NameCodes, Rest).

more_name_codes([Code|Codes], [Code|NameCodes], Rest) :-
    code_type(Code, csym),
    !,
    more_name_codes(Codes, NameCodes, Rest).
more_name_codes(Rest, [], Rest).
