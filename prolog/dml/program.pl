:- module(hb_dml_program,
          [ load_program/3,             % +Text, -Control, -Parts
            load_program/4,             % +Text, :Note, -Control, -Parts
            directive_goal/1,           % -Safe
            clause_offset/2,            % +Id, -Offset
            directive_only/2            % ?Name, ?Arity
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../depth', [check_text/1]).
:- use_module('../read/reader').
:- use_module('../read/recovery', [skip_layout/3]).
:- use_module('../sandbox/sandbox').
:- use_module('../read/clauses').
:- use_module('../store/store').
:- use_module('../store/kept', [without_book/0]).
:- use_module('../store/step').
:- use_module('../sandbox/outages').
:- use_module('../errors').
:- use_module(dml).
:- use_module(task_options).
:- use_module(text).
:- use_module(names).
:- use_module(library(occurs), [sub_term/2]).

/** <module> Loading a DML program

The text of a program becomes the clauses of the knowledge base.  All of it is read first, because
the meaning of a clause may depend on predicates that come after it.
*/

:- dynamic
    directive_goal/1,                   % a translated goal to run before agent_main
    main/2,                             % Arity, Names (text(Name) or @(null))
    tool/4,                             % Name, Arity, Description, Source
    program_text/1,
    clause_start/2.                     % Id, Start: in the text, with the layout before it

%!  load_program(+Text, -Control, -Parts) is det.
%
%   Add all clauses of Text.  If there are errors, the program must not be run.  Parts are the
%   errors, the names of the arguments of agent_main, the tools, and the declared parameters.

load_program(Text, Control, Parts) :-
    load_program(Text, unnoted, Control, Parts).

unnoted(_, _).

%!  load_program(+Text, :Note, -Control, -Parts) is det.
%
%   As load_program/3, but runs call(Note, Item, Source) for each item when it is read.

:- meta_predicate load_program(+, 2, -, -).

load_program(Text, Note, [errors=Count, tools=Arities], Parts) :-
    assertz(program_text(Text)),
    no_task_options,
    check_text(Text),
    setup_call_cleanup(
        open_source(file, Text, Source),
        ( read_items(Source, Note, Items),
          findall(Term, '$member'(clause(_,_,Term,_,_), Items), Terms),
          forall('$member'(Term, Terms), declare_head(Term)),
          find_goal_arguments(Terms),
          (   outages(program)
          ->  set_outages(unknown)
          ;   true
          ),
          load_items(Items, Source, 1, NextId, Errors)
        ),
        close_source(Source)),
    begin_step(NextId, -1),
    without_book,
    call_tools_directly,
    (   changes_clauses(Terms)
    ->  true
    ;   fix_all
    ),
    length(Errors, Count),
    findall(list(Names), main(_, Names), Mains),
    findall(Arity, tool(_, Arity, _, _), Arities),
    findall(list([text(Name), text(Description), text(Clause)]), tool(Name, _, Description, Clause), Tools),
    findall(Json, declared_json(Json), Declared),
    '$append'([Errors, [list(Mains)], Tools, [list(Declared)]], Parts).

%!  clause_offset(+Id, -Offset) is semidet.
%
%   The clause Id of the program begins at Offset in its text, in code points.

clause_offset(Id, Offset) :-
    clause_start(Id, Start),
    program_text(Text),
    !,
    skip_layout(Text, Start, Offset).

%   read_items(+Source, +Note, -Items): carries out directives that change how the rest is read.
%   The last argument of a clause is its position, unbound if unknown.

read_items(Source, Note, Items) :-
    read_item(Source, Item0, [subterm_positions(Position)]),
    (   Item0 = end(_)
    ->  Items = []
    ;   call(Note, Item0, Source),
        read_in(Item0, Position, Source, Item),
        Items = [Item|Items1],
        read_items(Source, Note, Items1)
    ).

read_in(clause(Start,_,(:- Directive),_), _, _, Item) :-
    nonvar(Directive),
    Directive = outages(Mode),
    !,
    (   atom(Mode),
        '$member'(Mode, [unknown,throw,fail])
    ->  (   outages(program)
        ->  set_outages(Mode)
        ;   true                        % the host has decided
        ),
        Item = done
    ;   Item = failed(Start, error(domain_error(outages, Mode), _))
    ).
read_in(clause(Start,_,(:- Directive),_), _, _, Item) :-
    nonvar(Directive),
    Directive = task_options(Options),
    !,
    catch(usual_task_options(Options), Ball, true),
    (   var(Ball)
    ->  Item = done
    ;   Item = failed(Start, Ball)
    ).
read_in(clause(Start,_,(:- Directive),_), _, _, failed(Start, Ball)) :-
    nonvar(Directive),
    hb_declarations:loads_file(Directive, Spec),
    hb_declarations:loads_chr(Spec),
    !,
    Ball = error(hornbook(message(permission_error,
                                  "Programs have no constraint handling rules: put the rules into a book, and ask it with book:Goal.")), _).
read_in(clause(Start,_,(:- Directive),_), _, Source, Item) :-
    nonvar(Directive),
    term_functor(Directive, Name, Arity),
    declaration(Name, Arity),
    !,
    Source = source(_, _, Text, Scope, _),
    catch(add_term((:- Directive), Text-Start, Scope, 0, _), Ball, true),
    (   var(Ball)
    ->  Item = done
    ;   Item = failed(Start, Ball)
    ).
read_in(clause(Start,End,(Head0 --> Body),Names), Position0, _, Item) :-
    !,
    catch(dcg_translate_rule((Head0 --> Body), Position0, Rule, Position), Ball, true),
    (   var(Ball)
    ->  Item = clause(Start, End, Rule, Names, Position)
    ;   Item = failed(Start, Ball)
    ).
read_in(clause(Start,End,Term,Names), Position, _, clause(Start,End,Term,Names,Position)) :-
    !.
read_in(Item, _, _, Item).

%   declare_head(+Term): so that clauses before those of a predicate already mean it.

declare_head(Term) :-
    (   nonvar(Term),
        Term = (Head :- _)
    ->  true
    ;   Head = Term
    ),
    (   callable(Head),
        term_functor(Head, Name, Arity),
        Name/Arity \== (:-)/1,
        \+ described_tool(Name, Arity),
        redefinable(Name, Arity)
    ->  declare(Name, Arity)
    ;   true
    ).

described_tool(tool, 2).

load_items([], _, Id, Id, []).
load_items([Item|Items], Source, Id, NextId, Errors) :-
    load_item(Item, Source, Id, Errors, Errors1),
    Id1 is Id+1,
    load_items(Items, Source, Id1, NextId, Errors1).

load_item(done, _, _, Errors, Errors).
load_item(clause(Start,End,Term,Names,Position), Source, Id, Errors, Errors1) :-
    Source = source(_, _, Text, Scope, _),
    catch(load_term(Term, Names, place(Text, Start, End, Position), Scope, Id), Ball, true),
    (   var(Ball)
    ->  Errors = Errors1,
        assertz(clause_start(Id, Start))
    ;   load_item(failed(Start, Ball), Source, Id, Errors, Errors1)
    ).
load_item(failed(Start,Ball), Source, _, [object([offset=number(At)|Pairs])|Errors], Errors) :-
    Source = source(_, _, Text, _, _),
    error_json(Ball, object(Pairs)),
    skip_layout(Text, Start, At).
load_item(error(_,_,Problem), _, _, [Error|Errors], Errors) :-
    error_json(Problem, Error).

load_term(Term, _, _, _, _) :-
    var(Term),
    !,
    throw(error(instantiation_error, _)).
load_term((:- Directive), Names, place(_,_,_,Position), _, _) :-
    !,
    last_position(Position, Inner),
    load_directive(Directive, Inner, Names).
load_term((Head0 :- Body0), Names, Place, Scope, Id) :-
    !,
    note_head(Head0, Names, Place, Head),
    Place = place(_, _, _, Position),
    last_position(Position, BodyPosition),
    named_clause_body(Body0, BodyPosition, Names, Body),
    add_term((Head :- Body), none, Scope, Id, _).
load_term(Head0, Names, Place, Scope, Id) :-
    note_head(Head0, Names, Place, Head),
    add_term(Head, none, Scope, Id, _).

%   last_position(+Position, -Last): the position of the last argument, such as the body of a
%   clause; unbound if unknown.

last_position(Position, Last) :-
    (   nonvar(Position),
        Position = term_position(_,_,_,_,Positions),
        '$append'(_, [Last0], Positions)
    ->  Last = Last0
    ;   true
    ).

%   note_head(+Head, +Names, +Place, -Head1): keep the descriptions of tool/2, and turn its clauses
%   into ones of tool/1.

note_head(Head, Names, _, Head) :-
    callable(Head),
    term_functor(Head, agent_main, Arity),
    !,
    term_parts(Head, _, Args),
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
    ->  Name = text(Name0)
    ;   Name = @(null)
    ),
    head_names(Args, Names, HeadNames).

note_tool(Head, _, _) :-
    \+ callable(Head),
    !,
    throw(error(type_error(callable, Head), _)).
note_tool(Head, Description0, place(Text,Start,End,_)) :-
    term_functor(Head, Name, Arity),
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

%   A tool can be called as a predicate of its name if the program has no other of that name.

call_tools_directly :-
    forall(( tool(Name, Arity, _, _),
             \+ own(Name, Arity),
             \+ class(Name, Arity, _)
           ),
           ( term_functor(Head, Name, Arity),
             add_term((Head :- tool(Head)), none, none, 0, _) )).

%   changes_clauses(+Terms): they name a predicate that changes clauses.  Otherwise all predicates
%   are static, which is faster.

changes_clauses(Terms) :-
    sub_term(Term, Terms),
    callable(Term),
    term_functor(Term, Name, _),
    changes(Name),
    !.

changes(assert).
changes(asserta).
changes(assertz).
changes(retract).
changes(retractall).
changes(abolish).
changes(dynamic).

                /*******************************
                *          directives          *
                *******************************/

load_directive(Goal, _, _) :-
    var(Goal),
    !,
    throw(error(instantiation_error, _)).
load_directive(param(Key, Description), _, _) :-
    !,
    declare_parameter(Key, Description, none).
load_directive(param(Key, Description, Default), _, _) :-
    !,
    declare_parameter(Key, Description, default(Default)).
load_directive(initialization(Goal), Position, Names) :-
    !,
    last_position(Position, Inner),
    later(Goal, Inner, Names).
load_directive(initialization(Goal, _), _, Names) :-
    !,
    later(Goal, _, Names).
load_directive(module(Module, _), _, _) :-
    !,
    own_module(Module).
load_directive(Goal, _, _) :-
    term_functor(Goal, Name, Arity),
    without_effect(Name, Arity),
    !.
load_directive(Goal, Position, Names) :-
    later(Goal, Position, Names).

%   declaration(?Name, ?Arity): carried out when it is read.

declaration(use_module, 1).
declaration(use_module, 2).
declaration(ensure_loaded, 1).
declaration(dynamic, 1).
declaration(discontiguous, 1).
declaration(table, 1).
declaration(op, 3).
declaration(set_prolog_flag, 2).

%   Declarations about a file, in a program that has no other files.

without_effect(multifile, 1).
without_effect(meta_predicate, 1).    % hb_dml_names has seen it
without_effect(style_check, 1).

%!  directive_only(?Name, ?Arity) is nondet.
%
%   A directive of this name cannot be called as a goal.

directive_only(param, 2).
directive_only(param, 3).
directive_only(outages, 1).
directive_only(task_options, 1).
directive_only(module, 2).
directive_only(Name, Arity) :-
    declaration(Name, Arity).
directive_only(Name, Arity) :-
    without_effect(Name, Arity).

%   Goals run in order when all clauses are there, before agent_main.

later(Goal0, Position, Names) :-
    named_clause_body(Goal0, Position, Names, Goal),
    safe_body(Goal, Safe),
    assertz(directive_goal(Safe)).
