:- module(hb_directives,
          [ directive/4                 % +Goal, +Place, +Scope, -Added
          ]).
:- use_module('../sandbox/policy').
:- use_module(reader).
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').

/** <module> Directives of untrusted text

What may stand behind `:-` in a file or among inline clauses.  Everything
else is refused by name.
*/

%!  directive(+Goal, +Place, +Scope, -Added) is det.
%
%   Carry Goal out.  Added is added(d, Name, Arity), with a fourth argument,
%   the text of the directives that restore the scope, for those that change
%   how text is read; or to_run(Text) for initialization/1.

directive(Goal, _, _, _) :-
    var(Goal),
    !,
    throw(error(instantiation_error, _)).
directive(Module:Goal, Place, Scope, Added) :-
    !,
    (   ( Module == knowledge_base ; Module == user )
    ->  directive(Goal, Place, Scope, Added)
    ;   throw(error(permission_error(access, module, Module), _))
    ).
directive(use_module(Spec), _, _, added(d, use_module, 1)) :-
    !,
    library(Spec).
directive(use_module(Spec, _), _, _, added(d, use_module, 2)) :-
    !,
    library(Spec).
directive(ensure_loaded(Spec), _, _, added(d, ensure_loaded, 1)) :-
    !,
    library(Spec).
directive(dynamic(Spec), _, _, added(d, dynamic, 1)) :-
    !,
    hb_builtins:safe_dynamic(Spec).
directive(discontiguous(Spec), _, _, added(d, discontiguous, 1)) :-
    !,
    hb_builtins:safe_discontiguous(Spec).
directive(table(Spec), _, _, added(d, table, 1)) :-
    !,
    table_specs(Spec, Specs),
    findall(table(Name, Arity, One),
            ( '$member'(Spec1, Specs),
              table_one(Spec1, Name, Arity, One) ),
            Tables),
    forall('$member'(table(Name, Arity, One), Tables), table_predicate(Name, Arity, One)).
directive(op(Priority, Type, Names), _, Scope, added(d, op, 3, Restore)) :-
    !,
    scope_op(Scope, Priority, Type, Names, Goals),
    restore_text(Goals, Restore).
directive(set_prolog_flag(Flag, Value), _, Scope, added(d, set_prolog_flag, 2, Restore)) :-
    !,
    scope_flag(Scope, Flag, Value, Goals),
    restore_text(Goals, Restore).
directive(initialization(Goal), Place, Scope, to_run(Text)) :-
    !,
    goal_text(Goal, Place, Scope, Text).
directive(initialization(Goal, _), Place, Scope, to_run(Text)) :-
    !,
    goal_text(Goal, Place, Scope, Text).
directive(Goal, _, _, _) :-
    callable(Goal),
    !,
    functor(Goal, Name, Arity),
    throw(error(hornbook(directive(Name/Arity)), _)).
directive(Goal, _, _, _) :-
    throw(error(type_error(callable, Goal), _)).

%   library(+Spec): its predicates can be called without it, so that there
%   is nothing to load.

library(Spec) :-
    nonvar(Spec),
    Spec = library(Library),
    ground(Library),
    (   allowed_library(Library)
    ->  true
    ;   throw(error(hornbook(library(Library)), _))
    ),
    !.
library([]) :-
    !.
library([H|T]) :-
    !,
    library(H),
    library(T).
library(Spec) :-
    format(string(Message), "Only library(...) can be loaded, not ~q.", [Spec]),
    throw(error(hornbook(message(permission_error, Message)), _)).

%   table_specs(+Spec, -Specs): (A,B,...) and lists.

table_specs(Spec, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
table_specs((A,B), Specs) :-
    !,
    table_specs(A, SpecsA),
    table_specs(B, SpecsB),
    '$append'(SpecsA, SpecsB, Specs).
table_specs([], []) :-
    !.
table_specs([H|T], Specs) :-
    !,
    table_specs((H,T), Specs).
table_specs(Spec, [Spec]).

%   table_one(+Spec, -Name, -Arity, -Own): Own is Spec without the name of the
%   user's module, and may be tabled.

table_one(Module:Spec, Name, Arity, Own) :-
    !,
    (   ( Module == knowledge_base ; Module == user )
    ->  table_one(Spec, Name, Arity, Own)
    ;   throw(error(permission_error(access, module, Module), _))
    ).
table_one(Spec, Name, Arity, Spec) :-
    table_head(Spec, Head),
    check_head(Head, Name, Arity).

table_head(Spec as Options, Head) :-
    !,
    table_options(Options),
    table_head(Spec, Head).
table_head(Name/Arity, Head) :-
    atom(Name),
    integer(Arity),
    Arity >= 0,
    !,
    functor(Head, Name, Arity).
table_head(Name//Arity0, Head) :-
    atom(Name),
    integer(Arity0),
    Arity0 >= 0,
    !,
    Arity is Arity0+2,
    functor(Head, Name, Arity).
table_head(Moded, Head) :-
    callable(Moded),
    !,
    functor(Moded, Name, Arity),
    functor(Head, Name, Arity),
    forall(arg(_, Moded, Mode), table_mode(Mode)).
table_head(Spec, _) :-
    throw(error(type_error(table_declaration, Spec), _)).

%   The predicates of lattice and po are called with answers: only the
%   user's own are.

table_mode(Mode) :-
    var(Mode),
    !.
table_mode(Mode) :-
    plain_mode(Mode),
    !.
table_mode(lattice(Spec)) :-
    own_aggregator(Spec, 3),
    !.
table_mode(po(Spec)) :-
    own_aggregator(Spec, 2),
    !.
table_mode(Mode) :-
    throw(error(domain_error(table_mode, Mode), _)).

plain_mode(index).
plain_mode(-).
plain_mode(first).
plain_mode(last).
plain_mode(min).
plain_mode(max).
plain_mode(sum).

own_aggregator(Spec, Arity) :-
    nonvar(Spec),
    (   Spec = Name/Arity
    ->  true
    ;   atom(Spec)
    ->  Name = Spec
    ;   compound(Spec),
        Spec \= _:_,
        compound_name_arity(Spec, Name, Arity)
    ),
    atom(Name),
    (   own(Name, Arity)
    ->  true
    ;   class(Name, Arity, Class)
    ->  (   Class == plain
        ->  true
        ;   throw(error(permission_error(call, sandboxed, Name/Arity), _))
        )
    ;   true
    ).

table_options(Options) :-
    var(Options),
    !,
    throw(error(instantiation_error, _)).
table_options((A,B)) :-
    !,
    table_options(A),
    table_options(B).
table_options(variant) :-
    !.
table_options(subsumptive) :-
    !.
table_options(Option) :-
    throw(error(domain_error(table_option, Option), _)).

restore_text(Goals, Text) :-
    findall(Line,
            ( '$member'(Goal, Goals),
              format(string(Line), ":- ~W.", [Goal, [quoted(true), ignore_ops(true)]]) ),
            Lines),
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Text).

%   goal_text(+Goal, +Place, +Scope, -Text): Text reads back with any
%   operators, and has the names of the variables.  They were not read with
%   the term: that makes reading clauses faster.

goal_text(Goal0, Text0-Start, Scope, Text) :-
    safe_body(Goal0, _),
    sub_string(Text0, Start, _, 0, Rest),
    setup_call_cleanup(
        open_source(inline, Rest, Scope, Source),
        read_item(Source, clause(_, _, (:- Directive), Names)),
        close_source(Source)),
    arg(1, Directive, Goal),
    format(string(Text), "~W",
           [Goal, [quoted(true), ignore_ops(true), variable_names(Names)]]).
