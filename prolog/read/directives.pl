:- module(hb_directives,
          [ directive/5                 % +Goal, +Place, +Scope, +Id, -Added
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../sandbox/libraries').
:- use_module('../limits', [uninterrupted/1]).
:- use_module(reader).
:- use_module(declarations).
:- use_module(tabling).
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/operators').

/** <module> Directives of untrusted text

The directives allowed in a file or among inline clauses.  A directive that is no
declaration is a goal, which is run under the sandbox when its turn comes.
*/

%!  directive(+Goal, +Place, +Scope, +Id, -Added) is det.
%
%   Carry out Goal.  Id is that of its entry in the book, or `none` if nothing is to
%   last.  Added is added(d, Name, Arity), with a fourth argument if Goal changes how
%   text is read: the text of the directives that restore the scope.  Or it is
%   now(Name, Arity, Text) for a goal to run now, or to_run(Text) for initialization/1.

directive(Goal, _, _, _, _) :-
    var(Goal),
    !,
    throw(error(instantiation_error, _)).
directive(Named:Goal, Place, Scope, Id, Added) :-
    !,
    home_module(Named),
    module_of(Named, Module),
    in_module(Module, hb_directives:directive(Goal, Place, Scope, Id, Added)).
directive(dynamic(Spec), _, _, _, added(d, dynamic, 1)) :-
    !,
    hb_predicates:safe_dynamic(Spec).
directive(dynamic(Spec, _), _, _, _, added(d, dynamic, 2)) :-
    !,
    hb_predicates:safe_dynamic(Spec).
directive(thread_local(Spec), _, _, _, added(d, dynamic, 1)) :-
    !,
    hb_predicates:safe_dynamic(Spec).
directive(discontiguous(Spec), _, _, _, added(d, discontiguous, 1)) :-
    !,
    hb_predicates:safe_discontiguous(Spec).
directive(table(Spec), _, _, Id, added(d, table, 1)) :-
    !,
    table_specs(Spec, Specs),
    findall(table(Name, Arity, One, Spec1),
            ( '$member'(Spec1, Specs),
              table_one(Spec1, Name, Arity, One) ),
            Tables),
    forall('$member'(table(Name, Arity, One, Spec1), Tables),
           (   table_predicate(Name, Arity, One),
               (   as_set(Spec1)
               ->  hb_sets:answer_as_set(Name, Arity)
               ;   true
               ) )),
    (   '$member'(Spec1, Specs),
        follows_changes(Spec1)
    ->  in_book(Id, follow_changes(Id))
    ;   true
    ).
directive(op(Priority, Type, Names0), _, Scope, Id, added(d, op, 3, Restore)) :-
    !,
    without_home(Names0, Names),
    scope_op(Scope, Priority, Type, Names, Goals),
    in_book(Id, add_operators([op(Priority,Type,Names)], Id)),
    restore_text(Goals, Restore).
directive(set_prolog_flag(Flag, Value), _, _, _, added(d, set_prolog_flag, 2)) :-
    set_without_effect(Flag, Value),
    !.
directive(set_prolog_flag(Flag, Value), _, Scope, _, added(d, set_prolog_flag, 2, Restore)) :-
    !,
    scope_flag(Scope, Flag, Value, Goals),
    restore_text(Goals, Restore).
directive(initialization(Goal), Place, Scope, _, to_run(Text)) :-
    !,
    goal_text(Goal, Place, Scope, 1, Text).
directive(initialization(Goal, _), Place, Scope, _, to_run(Text)) :-
    !,
    goal_text(Goal, Place, Scope, 1, Text).
directive(begin_tests(Unit), Place, Scope, Id, Added) :-
    !,
    directive(begin_tests(Unit, []), Place, Scope, Id, Added).
directive(begin_tests(Unit, Options), _, Scope, Id, Added) :-
    !,
    unit_name(Unit),
    check_list(Options),
    in_book(Id, begin_unit(Unit, Options, Id)),
    begin_unit_flags(Scope, Unit, Goals),
    changed_reading(Goals, begin_tests, 2, Added).
directive(end_tests(Unit), _, Scope, Id, Added) :-
    !,
    unit_name(Unit),
    must_end(Unit, Scope, Id),
    in_book(Id, end_unit(Unit, Id)),
    end_unit_flags(Scope, Unit, Goals),
    changed_reading(Goals, end_tests, 1, Added).
directive(constraint(Goal, Message), Place, Scope, Id, Added) :-
    !,
    take_constraint(Goal, Message, refuse, Place, Scope, Id),
    Added = added(d, constraint, 2).
directive(constraint(Goal, Message, Level), Place, Scope, Id, Added) :-
    !,
    (   Level == warn
    ->  take_constraint(Goal, Message, warn, Place, Scope, Id)
    ;   throw(error(hornbook(directive(constraint/3, "The third argument is `warn`; leave it out for a constraint that refuses.")), _))
    ),
    Added = added(d, constraint, 3).
directive(data(Spec, From), _, _, Id, added(d, data, 2)) :-
    !,
    hb_linked:link_directive(Spec, From, Id).
directive(Goal, _, _, _, _) :-
    callable(Goal),
    term_functor(Goal, constraint, Arity),
    ( Arity =:= 1 ; Arity =:= 4 ),
    \+ own(constraint, Arity),
    !,
    throw(error(hornbook(directive(constraint/Arity, "Write `:- constraint(Goal, Message).`, perhaps with `warn` as a third argument.")), _)).
directive((A,B), Place, Scope, Id, Added) :-
    declaration(A),
    declaration(B),
    !,
    directive(A, Place, Scope, Id, AddedA),
    directive(B, Place, Scope, Id, AddedB),
    both_added(AddedA, AddedB, Added).
directive(module(Module, Exports), _, Scope, Id, Added) :-
    !,
    module_header(Module, Exports, Scope, Id, Added).
directive(Goal, _, Scope, Id, Added) :-
    loads_file(Goal, Spec),
    !,
    term_functor(Goal, Name, Arity),
    load_spec(Spec, Id),
    (   loads_chr(Spec)
    ->  hb_chr_rules:operators(Operators),
        scope_operators(Operators, Scope, Restore),
        in_book(Id, add_operators(Operators, Id)),
        Added = added(d, Name, Arity, Restore)
    ;   loads_of_users(Spec),
        book_operators([First|More])
    ->  scope_operators([First|More], Scope, Restore),
        Added = added(d, Name, Arity, Restore)
    ;   Added = added(d, Name, Arity)
    ).
directive(Goal, _, _, Id, added(d, Name, 1)) :-
    callable(Goal),
    constraints(Goal, Name, Constraints),
    !,
    check_library_available(chr, Id),
    hb_chr_rules:declare_constraints(Constraints, Id).
directive(multifile(Spec), _, _, Id, added(d, multifile, 1)) :-
    !,
    shared_indicators(Spec, PIs),
    forall(( '$member'(Module-PI, PIs),
             Module \== prolog ),           % what is there is the user's as it is
           in_book(Id, add_shared(Module, [PI], Id))).
directive(meta_predicate(Spec), _, _, Id, added(d, meta_predicate, 1)) :-
    !,
    table_specs(Spec, Specs),
    forall('$member'(One, Specs), declare_meta(One, Id)).
directive(module_transparent(Spec), _, _, Id, added(d, module_transparent, 1)) :-
    !,
    hb_predicates:indicators(Spec, PIs),
    findall(Head, ( '$member'(PI, PIs), hb_predicates:declared_head(PI, Head) ), Heads),
    forall(( '$member'(Head, Heads), term_functor(Head, Name, Arity) ),
           in_book(Id, add_transparent(Name, Arity, Id))).
directive(det(Spec), _, _, Id, added(d, det, 1)) :-
    !,
    hb_predicates:indicators(Spec, PIs),
    findall(Head, ( '$member'(PI, PIs), hb_predicates:declared_head(PI, Head) ), Heads),
    forall(( '$member'(Head, Heads), term_functor(Head, Name, Arity) ),
           in_book(Id, add_det(Name, Arity, Id))).
directive(Goal, _, _, _, added(d, Name, Arity)) :-
    callable(Goal),
    term_functor(Goal, Name, Arity),
    without_effect(Name, Arity),
    !.
directive(Goal, _, _, _, _) :-
    callable(Goal),
    term_functor(Goal, Name, Arity),
    refused(Name, Arity, Said),
    !,
    throw(error(hornbook(directive(Name/Arity, Said)), _)).
directive(Goal, Place, Scope, _, Added) :-
    callable(Goal),
    !,
    term_functor(Goal, Name, Arity),
    (   nb_current(hb_loading, true)    % its effects are in the book
    ->  Added = added(d, Name, Arity)
    ;   goal_text(Goal, Place, Scope, 0, Text),
        Added = now(Name, Arity, Text)
    ).
directive(Goal, _, _, _, _) :-
    throw(error(type_error(callable, Goal), _)).

%   shared_indicators(+Spec, -PIs): ignores what Spec says about modules of the system.

shared_indicators(Spec, PIs) :-
    table_specs(Spec, Specs),
    findall(PI,
            ( '$member'(One, Specs),
              catch(hb_predicates:indicators(One, OfOne), error(permission_error(access,module,_), _), fail),
              '$member'(PI, OfOne) ),
            PIs).

%   declare_meta(+Spec, +Id): ignores a Spec that does not declare arguments.

declare_meta(Named:Spec, Id) :-
    users_module(Named),
    !,
    module_of(Named, Module),
    in_module(Module, hb_directives:declare_meta(Spec, Id)).
declare_meta(Spec, Id) :-
    compound(Spec),
    \+ Spec = _/_,
    !,
    text_head(Spec, Engine),
    term_functor(Engine, Name, _),
    in_book(Id, add_meta(Name, Spec, Id)).
declare_meta(_, _).

%   both_added(+AddedA, +AddedB, -Added): Added has the name of the declaration that an engine
%   cannot undo on its own, if one of them is such.

both_added(AddedA, AddedB, Added) :-
    findall(Restore, ( '$member'(added(_,_,_,Restore), [AddedA,AddedB]) ), Restoring),
    (   '$member'(One, [AddedA,AddedB]),
        arg(2, One, Name),
        arg(3, One, Arity),
        '$member'(Name, [dynamic,table])
    ->  true
    ;   Name = ',',
        Arity = 2
    ),
    (   Restoring == []
    ->  Added = added(d, Name, Arity)
    ;   atomic_list_concat(Restoring, '\n', Restore0),
        atom_string(Restore0, Restore1),
        Added = added(d, Name, Arity, Restore1)
    ),
    !.

%   load_spec(+Spec, +Id): there is nothing to load, except libraries that are loaded by name: the
%   predicates of the others are always available, and files of the user's were added before this
%   text.

load_spec(Spec, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
load_spec([], _) :-
    !.
load_spec([H|T], Id) :-
    !,
    load_spec(H, Id),
    load_spec(T, Id).
load_spec(library(Library), Id) :-
    ground(Library),
    !,
    (   allowed_library(Library)
    ->  true
    ;   throw(error(hornbook(library(Library)), _))
    ),
    (   named_library(Library),
        integer(Id)
    ->  uninterrupted(hb_directives:by_name(Library, Id))
    ;   true
    ).
load_spec(Spec, _) :-
    file_spec(Spec),
    !,
    (   nb_current(hb_text_kind, inline)
    ->  format(string(Message), "~q is a file: import it.", [Spec]),
        throw(error(hornbook(message(permission_error, Message)), _))
    ;   true
    ).
load_spec(Spec, _) :-
    format(string(Message), "~q is not a file or library that can be loaded.", [Spec]),
    throw(error(hornbook(message(permission_error, Message)), _)).

by_name(Library, Id) :-
    use_library(Library, Id),
    meanings_changed.

%   take_constraint(+Goal, +Message, +Level, +Place, +Scope, +Id): reads the directive again for the names of its
%   variables.

take_constraint(Goal, Message, Level, Place, Scope, Id) :-
    constraint_message(Message),
    safe_body(Goal, _),
    in_book(Id, keep_constraint(Level, Place, Scope, Id)).

constraint_message(Message) :-
    (   nonvar(Message),
        ( Message = Format-_ -> true ; Message = Format ),
        ( string(Format) ; atom(Format), Format \== [] )
    ->  true
    ;   throw(error(hornbook(directive(constraint/2, "The message is text, or Format-Arguments as for format/2, such as \"~w has two fathers\"-[C].")), _))
    ).

keep_constraint(Level, Place, Scope, Id) :-
    read_directive(Place, Scope, Directive, Names),
    here(Module),
    arg(1, Directive, Goal),
    arg(2, Directive, Message),
    hb_constraints:add_constraint(Id, Module, Goal, Message, Level, Names).

unit_name(Unit) :-
    (   atomic(Unit)
    ->  true
    ;   throw(error(type_error(atom, Unit), _))
    ).

%   must_end(+Unit, +Scope, +Id): Unit is the innermost unit of tests that has begun.  A text that is only inspected may
%   end what the book has begun.

must_end(Unit, Scope, Id) :-
    (   nb_current(hb_loading, true)
    ->  true
    ;   integer(Id)
    ->  (   test_unit(Id, Begun, _)
        ->  must_be_begun(Begun, Unit)
        ;   format(string(Message), "No unit of tests has begun that ~q could end: begin it with `:- begin_tests(~q).`, or leave this out.", [end_tests(Unit),Unit]),
            throw(error(hornbook(message(domain_error, Message)), _))
        )
    ;   unit_in_scope(Scope, Begun)
    ->  must_be_begun(Begun, Unit)
    ;   true
    ).

must_be_begun(Unit, Unit) :-
    !.
must_be_begun(Begun, Unit) :-
    format(string(Message), "~q comes within the unit of tests ~q: end that first, with `:- end_tests(~q).`", [end_tests(Unit),Begun,Begun]),
    throw(error(hornbook(message(domain_error, Message)), _)).

check_list(Options) :-
    (   is_list(Options)
    ->  true
    ;   throw(error(type_error(list, Options), _))
    ).

%   in_book(+Id, :Goal): run Goal, which records what the entry Id declares, if the declaration is to last.

in_book(Id, Goal) :-
    (   integer(Id)
    ->  uninterrupted(hb_directives:Goal)
    ;   true
    ).

%   module_header(+Module, +Exports, +Scope, +Id, -Added): the following text in Scope is of Module,
%   or of no module after `:- module(user, [])`.

module_header(Module, Exports, Scope, Id, Added) :-
    (   atom(Module)
    ->  true
    ;   var(Module)                     % SWI-Prolog takes the name of the file
    ->  throw(error(hornbook(directive(module/2, "Write the name of the module.")), _))
    ;   throw(error(type_error(module, Module), _))
    ),
    module_of(Module, Context),
    (   ( Context == user ; is_module_name(Module) )
    ->  true
    ;   throw(error(hornbook(directive(module/2, "The name of a module begins with a letter, a digit or an underscore, and has no colon.")), _))
    ),
    (   is_list(Exports)
    ->  findall(op(P,T,N), ( '$member'(Op, Exports), nonvar(Op), Op = op(P,T,N) ), Ops),
        Exported = Exports
    ;   Ops = [],
        Exported = []
    ),
    (   Context == user
    ->  true
    ;   in_book(Id, add_module(Module, Exported, Id))
    ),
    set_scope_module(Scope, Context),
    no_given_exports,
    (   Ops == []
    ->  Operators = ""
    ;   scope_operators(Ops, Scope, Operators),
        in_book(Id, add_operators(Ops, Id))
    ),
    (   Context == user
    ->  Restore = Operators
    ;   Operators == ""
    ->  Restore = ":- module(user, [])."
    ;   string_concat(Operators, "\n:- module(user, []).", Restore)
    ),
    (   Restore == ""
    ->  Added = added(d, module, 2)
    ;   Added = added(d, module, 2, Restore)
    ).

%   scope_operators(+Operators, +Scope, -Restore)

scope_operators(Ops, Scope, Restore) :-
    findall(Goal,
            ( '$member'(op(P,T,N), Ops), scope_op(Scope, P, T, N, Goals), '$member'(Goal, Goals) ),
            Restoring),
    restore_text(Restoring, Restore).

constraints(chr_constraint(Constraints), chr_constraint, Constraints).
constraints(constraints(Constraints), constraints, Constraints).

%   changed_reading(+Goals, +Name, +Arity, -Added): Goals undo what the directive changed in how text is read.

changed_reading([], Name, Arity, added(d, Name, Arity)) :-
    !.
changed_reading(Goals, Name, Arity, added(d, Name, Arity, Restore)) :-
    restore_text(Goals, Restore).

%   check_library_available(+Library, +Id): the book must load Library.  Not checked if nothing is added.

check_library_available(Library, Id) :-
    (   integer(Id),
        \+ hb_policy:used(Library, _)
    ->  format(string(Message), "Add `:- use_module(library(~w)).` before it.", [Library]),
        throw(error(hornbook(message(existence_error, Message)), _))
    ;   true
    ).

restore_text(Goals, Text) :-
    findall(Line,
            ( '$member'(Goal, Goals),
              format(string(Line), ":- ~W.", [Goal, [quoted(true), ignore_ops(true)]]) ),
            Lines),
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Text).

%   goal_text(+Goal, +Place, +Scope, +At, -Text): Goal is the directive at Place, or its argument
%   At.  Text reads back with any operators, and keeps the variable names.  Reads the directive
%   again for them, because reading clauses without the names is faster.

goal_text(Goal0, Place, Scope, At, Text) :-
    safe_body(Goal0, _),
    read_directive(Place, Scope, Plain, Names),
    (   At == 0
    ->  Goal = Plain
    ;   arg(At, Plain, Goal)
    ),
    qualified(Goal, Qualified),
    format(string(Text), "~W",
           [Qualified, [quoted(true), ignore_ops(true), variable_names(Names)]]).

%   read_directive(+Place, +Scope, -Directive, -Names): the directive at Place, without the user's module, and its
%   variables as Name=Variable.

read_directive(Text-Start, Scope, Plain, Names) :-
    sub_string(Text, Start, _, 0, Rest),
    setup_call_cleanup(
        open_source(inline, Rest, Scope, Source),
        read_item(Source, clause(_, _, (:- Directive), Names)),
        close_source(Source)),
    plain_directive(Directive, Plain).

%   plain_directive(+Directive, -Plain): remove the user's module.

plain_directive(Directive, Plain) :-
    (   Directive = _:Directive1
    ->  plain_directive(Directive1, Plain)
    ;   Plain = Directive
    ).
