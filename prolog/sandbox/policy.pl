:- module(hb_policy,
          [ class/3,                    % ?Name, ?Arity, ?Class
            build_policy/0,
            allow/1,                    % +Capability
            lend/1,                     % +Capability
            take_back_lent/0,
            lent/2,                     % ?Name, ?Arity
            use_library/2,              % +Library, +Id
            leave_library/1,            % +Id
            leave_libraries/0,
            direct_from_now/3,          % +Extra, +Name, +Arity
            known_lambda/3,             % +N, ?Lambda, -Safe
            lambda_from_now/3,          % +N, +Lambda, +Safe
            forget_direct/0,
            redefinable/2,              % +Name, +Arity
            goal_kind/1,                % +Kind
            hook/2,                     % ?Name, ?Arity
            builtin_name/2              % ?Name, ?Arity
          ]).
:- use_module('../capability').
:- use_module('../functor').
:- use_module(libraries).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(prolog_autoload), [autoload_all/1]).

/** <module> What untrusted code may call

A single table, class/3, says how untrusted code may call each predicate that it could
reach.  A predicate that is not in the table is the user's own, or unknown.  The table
is built once, from the lists in this file and from what the system knows of its
predicates (their existence and meta-predicate declarations).  A predicate added by a
new version of the system is therefore refused until it is listed here.

A class is one of

  - plain
    Harmless, and takes no goals: called as it is.
  - meta(Spec)
    A system predicate that takes goals where the meta-predicate declaration Spec
    says so.
  - library(M), library(M, Spec)
    Exported by an allowed library; Spec is its meta-predicate declaration.
    Predicates of a library that is loaded by name are in the table while the
    book has a directive that loads it.
  - control
    A control construct: hb_sandbox translates its arguments.
  - wide
    call/N with more arguments than exist as a predicate; the compiler accepts
    it all the same.
  - replaced(Name), format(Name)
    Called as hb_builtins:Name(...), a checked version; format(Name) only if
    hb_formats cannot tell that the call is harmless.
  - catch, phrase
    hb_sandbox handles these specially.
  - offered(M), offered(M, Spec)
    Offered by a capability, and called in its module M.
  - override(M)
    A predicate of the system or a library that a capability replaces by its own in M.
    The user may define it as well.
  - refused
    Outside the sandbox.

A Spec may also have the kind `tabled`, which SWI-Prolog does not know: the goal of
tnot/1, which is inspected before it is called.
*/

:- use_module(safe).

:- dynamic
    listed/3,                           % Name, Arity, Class
    named_export/4,                     % Library, Name, Arity, Class
    lent/2,                             % Name, Arity
    direct/1,                           % Ref: the clause of hb_checked:checked/N for calls of one functor
    known_lambda/3,                     % N, Lambda, Safe
    used/2,                             % Library, Id: the entry Id of the book loads it
    hidden/3.                           % Name, Arity, Class: hidden while a library is used

%!  class(?Name, ?Arity, ?Class) is nondet.
%
%   True when Name/Arity is a predicate of the system or of an allowed
%   library.

class(Name, Arity, Class) :-
    listed(Name, Arity, Class).
class(call, Arity, wide) :-
    integer(Arity),
    Arity > 8.
class(Name, Arity, refused) :-              % further internal ones may appear later
    atom(Name),
    sub_atom(Name, 0, 1, _, $),
    Name \== $,
    integer(Arity),
    \+ listed(Name, Arity, _).

%!  goal_kind(+Kind) is semidet.
%
%   Arguments of this kind in a meta-predicate declaration are translated.

goal_kind(Kind) :-
    integer(Kind),
    !.
goal_kind(^).
goal_kind(//).
goal_kind(:).
goal_kind(tabled).

%!  redefinable(+Name, +Arity) is semidet.
%
%   True when the user may define a predicate of this name: it is not a system
%   predicate, or it is one that SWI-Prolog lets a module redefine and then calls in
%   bodies, and that this table does not treat specially.

redefinable(Name, Arity) :-
    atom(Name),
    \+ not_a_head(Name, Arity),
    \+ compiled(Name, Arity),
    (   class(Name, Arity, Class)
    ->  redefinable_class(Class, Name),
        \+ core(Name, Arity)
    ;   Name == $                       % no inner one, but an operator
    ->  true
    ;   \+ sub_atom(Name, 0, _, _, $)
    ).

redefinable_class(library(_), Name) :- \+ sub_atom(Name, 0, _, _, $).
redefinable_class(library(_,_), _).
redefinable_class(plain, _).
redefinable_class(meta(_), _).
redefinable_class(replaced(_), _).
redefinable_class(override(_), _).
redefinable_class(format(_), _).
redefinable_class(phrase, _).
redefinable_class(refused, Name) :- \+ sub_atom(Name, 0, _, _, $).

%   core(+Name, +Arity): SWI-Prolog lets no module define it.

core(Name, Arity) :-
    term_functor(Head, Name, Arity),
    '$get_predicate_attribute'(system:Head, iso, 1).

%   compiled(?Name, ?Arity): in a body SWI-Prolog compiles it to instructions, whatever the module defines.  Control
%   constructs have the class `control`, all others are core/2.

compiled($, 0).
compiled($, 1).
compiled(string, 1).
compiled(rational, 1).

%   not_a_head(?Name, ?Arity): such a fact would be a clause of something else, or look
%   like an indicator to the predicates with which SWI-Prolog declares others.

not_a_head(:-, _).
not_a_head(?-, _).
not_a_head(-->, 2).
not_a_head(=>, 2).
not_a_head(?=>, 2).
not_a_head({}, 1).
not_a_head('[|]', 2).
not_a_head(/, 2).
not_a_head(//, 2).

control(',', 2).
control(;, 2).
control(->, 2).
control(*->, 2).
control('|', 2).
control(:, 2).
control(@, 2).
control(\+, 1).

%!  hook(?Name, ?Arity) is nondet.
%
%   Hooks of the system, which users must not believe they can define.

hook(term_expansion, 2).
hook(term_expansion, 4).
hook(goal_expansion, 2).
hook(goal_expansion, 4).
hook(dcg_call, 4).
hook(portray, 1).
hook(message_property, 2).
hook(message_prefix, 3).
hook(exception, 3).
hook(prolog_exception_hook, 4).
hook(prolog_exception_hook, 5).
hook(prolog_load_file, 2).
hook(prolog_file_type, 2).
hook(file_search_path, 2).
hook(library_directory, 1).
hook(expand_query, 4).
hook(expand_answer, 2).
hook(prolog_event_hook, 1).

%!  builtin_name(?Name, ?Arity) is nondet.
%
%   True of the predicates that untrusted code may call.

builtin_name(Name, Arity) :-
    class(Name, Arity, Class),
    Class \== refused,
    \+ sub_atom(Name, 0, _, _, $).

%!  build_policy is det.
%
%   Fill class/3 and load what the allowed libraries need.  Called once, when the
%   engine's state is made.

build_policy :-
    retractall(listed(_,_,_)),
    forall(preloaded_library(Library), library_module(Library, _)),
    forall(picked(Library, _), library_module(Library, _)),
    forall(named_library(Library), library_module(Library, _)),
    autoload_all([verbose(false)]),     % later nothing loads by itself
    forall(control(Name, Arity), add_class(Name, Arity, control)),
    forall(special(Name/Arity, Class), add_class(Name, Arity, Class)),
    forall(system_predicate(Name, Arity),
           ( system_class(Name, Arity, Class) -> add_class(Name, Arity, Class) )),
    forall(preloaded_library(Library), add_library(Library)),
    forall(picked(Library, PI), add_picked(Library, PI)),
    retractall(named_export(_,_,_,_)),
    forall(( named_library(Library), library_export(Library, Name, Arity, Class) ),
           assertz(named_export(Library, Name, Arity, Class))).

add_class(Name, Arity, _) :-
    listed(Name, Arity, _),
    !.
add_class(Name, Arity, Class) :-
    assertz(listed(Name, Arity, Class)).

system_predicate(Name, Arity) :-
    predicate_property(system:Head, defined),
    functor(Head, Name, Arity).

system_class(Name, Arity, Class) :-
    (   plain(Name/Arity)
    ->  Class = plain
    ;   meta(Name/Arity, Spec)
    ->  Class = meta(Spec)
    ;   Class = refused
    ).

add_library(Library) :-
    forall(library_export(Library, Name, Arity, Class), add_class(Name, Arity, Class)).

add_picked(Library, Name/Arity) :-
    library_module(Library, Module),
    export_class(Module, Name, Arity, Class),
    add_class(Name, Arity, Class).

%   library_export(+Library, -Name, -Arity, -Class) is nondet.

library_export(Library, Name, Arity, Class) :-
    library_module(Library, Module),
    module_property(Module, exports(Exports)),
    member(Name/Arity, Exports),
    \+ excluded(Library, Name/Arity),
    export_class(Module, Name, Arity, Class).

library_module(Library, Module) :-
    own_library(Library, Module),
    !.
library_module(Library, Module) :-
    use_module(library(Library), []),
    absolute_file_name(library(Library), Loaded, [file_type(prolog), access(read)]),
    file_name_extension(Base, _, Loaded),
    file_name_extension(Base, pl, File),
    module_property(Module, file(File)),
    !.

export_class(Module, Name, Arity, Class) :-
    functor(Head, Name, Arity),
    (   predicate_property(Module:Head, meta_predicate(Spec)),
        takes_goals(Spec)
    ->  Class = library(Module, Spec)
    ;   Class = library(Module)
    ).

takes_goals(Spec) :-
    arg(_, Spec, Kind),
    goal_kind(Kind),
    !.

%!  allow(+Capability) is det.
%
%   From now on untrusted code may call the predicates of Capability.
%
%   @error existence_error(capability, Capability)

allow(Capability) :-
    (   hb_capability:class(Capability, _, _, _)
    ->  true
    ;   throw(error(existence_error(capability, Capability), _))
    ),
    forget_direct,
    forall(hb_capability:class(Capability, Name, Arity, Class),
           ( retractall(listed(Name, Arity, _)),
             assertz(listed(Name, Arity, Class)) )).

%!  lend(+Capability) is det.
%!  take_back_lent is det.
%!  lent(?Name, ?Arity) is nondet.
%
%   Until take_back_lent/0, code that is translated may call the predicates of Capability.  They
%   take precedence over user predicates of the same name, but existing clauses keep calling those.

lend(Capability) :-
    forget_direct,
    forall(hb_capability:class(Capability, Name, Arity, Class),
           ( asserta(listed(Name, Arity, Class)),
             assertz(lent(Name, Arity)) )).

take_back_lent :-
    forall(retract(lent(Name, Arity)),
           ( listed(Name, Arity, _)
           ->  retract(listed(Name, Arity, _))
           ;   true
           )).

%!  use_library(+Library, +Id) is det.
%!  leave_library(+Id) is semidet.
%!  leave_libraries is det.
%
%   The entry Id of the book loads Library, which is loaded by name; or Id goes; or all
%   such entries go.  If two of these libraries export the same predicate, the first
%   loaded provides it, as in SWI-Prolog.

use_library(Library, Id) :-
    assertz(used(Library, Id)),
    refresh_exports(Library).

leave_library(Id) :-
    retract(used(Library, Id)),
    !,
    refresh_exports(Library).

leave_libraries :-
    findall(Library, retract(used(Library, _)), Libraries),
    forall(member(Library, Libraries), refresh_exports(Library)).

refresh_exports(Library) :-
    forget_direct,
    forall(named_export(Library, Name, Arity, _), refresh_exports(Name, Arity)).

refresh_exports(Name, Arity) :-
    (   hidden(Name, Arity, _)
    ->  retractall(listed(Name, Arity, _))
    ;   (   retract(listed(Name, Arity, Before))
        ->  true
        ;   Before = none
        ),
        assertz(hidden(Name, Arity, Before))
    ),
    (   used(Library, _),
        named_export(Library, Name, Arity, Class)
    ->  assertz(listed(Name, Arity, Class))
    ;   retract(hidden(Name, Arity, Class)),
        (   Class == none
        ->  true
        ;   assertz(listed(Name, Arity, Class))
        )
    ).

%!  direct_from_now(+Extra, +Name, +Arity) is det.
%!  forget_direct is det.
%
%   A goal Name/Arity, called with Extra more arguments, calls a predicate of the user's own in the way it is
%   written, so it needs no translation.  hb_checked finds that out once for each functor and step, and gets a clause that
%   calls it.  What changes the meaning of a goal calls forget_direct/0.

direct_from_now(Extra, Name, Arity) :-
    length(Arguments, Arity),
    length(More, Extra),
    Closure =.. [Name|Arguments],
    '$append'(Arguments, More, All),
    Goal =.. [Name|All],
    Call =.. [checked,Closure|More],
    asserta(( hb_checked:Call => knowledge_base:Goal ), Ref),
    assertz(direct(Ref)).

%!  known_lambda(+N, ?Lambda, -Safe) is nondet.
%!  lambda_from_now(+N, +Lambda, +Safe) is det.
%
%   Safe is the translation of the closure Lambda, called with N arguments: of a few that were called before in this step.

lambda_from_now(N, Lambda, Safe) :-
    predicate_property(known_lambda(_, _, _), number_of_clauses(Count)),
    (   Count < 8
    ->  assertz(known_lambda(N, Lambda, Safe))
    ;   true
    ).

forget_direct :-
    forall(retract(direct(Ref)), erase(Ref)),
    retractall(known_lambda(_, _, _)).
