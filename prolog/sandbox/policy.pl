:- module(hb_policy,
          [ class/3,                    % ?Name, ?Arity, ?Class
            build_policy/0,
            allow/1,                    % +Capability
            allowed_library/1,          % ?Library
            preloaded_library/1,        % ?Library
            redefinable/2,              % +Name, +Arity
            goal_kind/1,                % +Kind
            hook/2,                     % ?Name, ?Arity
            builtin_name/2              % ?Name, ?Arity
          ]).
:- use_module('../capability').
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(prolog_autoload), [autoload_all/1]).

/** <module> What untrusted code may call

One table, class/3, says of every predicate that untrusted code could reach
how it may be called.  What is not in the table is the user's own, or unknown.
The table is built once, from the lists in this file and from what the
system knows of its predicates (their existence and meta-predicate
declarations), so that a predicate which a new version of the system brings
is refused until it is listed here.

A class is one of

  - plain
    Harmless, takes no goals: called as it is.
  - meta(Spec)
    A system predicate that takes goals where Spec (a meta-predicate
    declaration) says so.
  - library(M), library(M, Spec)
    Exported by an allowed library; Spec is its meta-predicate declaration.
  - control
    A control construct: hb_sandbox translates its arguments.
  - wide
    call/N with more arguments than it has as a predicate, which the
    compiler takes all the same.
  - replaced(Name), format(Name)
    Called as hb_builtins:Name(...), a checked version; format(Name) only
    when hb_formats cannot tell that it is harmless.
  - catch, phrase
    Treated by hb_sandbox each in its way.
  - offered(M), offered(M, Spec)
    A predicate that a capability offers, called in the module M of it.
  - override(M)
    A predicate of the system or of a library in whose place a capability has one of its own in M.
    The user may define it, too.
  - refused
    Outside the sandbox.

Beside those of SWI-Prolog, a Spec may have the kind `tabled`: the goal of
tnot/1, which is looked at before it is called.
*/

:- use_module(safe).

:- dynamic listed/3.                    % Name, Arity, Class

%!  class(?Name, ?Arity, ?Class) is nondet.
%
%   True when Name/Arity is a predicate of the system or of an allowed
%   library.

class(Name, Arity, Class) :-
    listed(Name, Arity, Class).
class(call, Arity, wide) :-
    integer(Arity),
    Arity > 8.
class(Name, Arity, refused) :-              % inner ones may come to be later
    atom(Name),
    sub_atom(Name, 0, 1, _, $),
    integer(Arity),
    \+ listed(Name, Arity, _).

%!  goal_kind(+Kind) is semidet.
%
%   An argument of this kind in a meta-predicate declaration is translated.

goal_kind(Kind) :-
    integer(Kind),
    !.
goal_kind(^).
goal_kind(//).
goal_kind(:).
goal_kind(tabled).

%!  allowed_library(?Library) is nondet.
%
%   True when untrusted files may load Library and the host may ask for it.

allowed_library(Library) :-
    preloaded_library(Library).
allowed_library(Library) :-
    setof(Picked, PI^picked(Picked, PI), Libraries),
    '$member'(Library, Libraries).
allowed_library(Library) :-
    nothing_of(Library).

%   nothing_of(?Library): it may be asked for, but its predicates read files or change the
%   syntax, and are refused.

nothing_of(readutil).
nothing_of(quasi_quotations).

%!  preloaded_library(?Library) is nondet.

preloaded_library(clpfd).
preloaded_library(clpb).
preloaded_library(clpr).
preloaded_library(lists).
preloaded_library(apply).
preloaded_library(aggregate).
preloaded_library(assoc).
preloaded_library(pairs).
preloaded_library(sort).
preloaded_library(dicts).
preloaded_library(option).
preloaded_library(ordsets).
preloaded_library(random).
preloaded_library(solution_sequences).
preloaded_library(ugraphs).
preloaded_library(rbtrees).
preloaded_library(heaps).
preloaded_library(occurs).
preloaded_library(nb_set).
preloaded_library(terms).
preloaded_library(charsio).
preloaded_library(yall).
preloaded_library(dif).
preloaded_library(when).
preloaded_library(error).
preloaded_library(gensym).
preloaded_library(strings).
preloaded_library(varnumbers).
preloaded_library(dcg/basics).
preloaded_library(dcg/high_order).

%   excluded(?Library, ?PI): exported by an allowed library, but not safe:
%   it opens a stream, takes goals that its declaration does not show, or
%   reaches what belongs to the host.

excluded(charsio, open_chars_stream/2).
excluded(charsio, with_output_to_chars/3).
excluded(charsio, with_output_to_chars/4).
excluded(charsio, format_to_chars/3).
excluded(charsio, format_to_chars/4).
excluded(strings, interpolate_string/4).
excluded(strings, string/4).
excluded(error, current_type/3).
excluded(error, has_type/2).
excluded(yall, is_lambda/1).
excluded(yall, lambda_calls/_).
excluded(apply, forall/2).

%   picked(?Library, ?PI): the one predicate of a library that is allowed.

picked(backcomp, string_to_atom/2).
picked(backcomp, sumlist/2).
picked(backcomp, concat_atom/2).
picked(backcomp, concat_atom/3).
picked(backcomp, proper_list/1).
picked(backcomp, checklist/2).
picked(backcomp, sublist/3).
picked(prolog_code, comma_list/2).
picked(prolog_code, semicolon_list/2).
picked(prolog_code, mkconj/3).
picked(prolog_code, mkdisj/3).
picked(statistics, time/1).
picked(statistics, call_time/2).
picked(statistics, call_time/3).
picked(date, parse_time/2).
picked(date, parse_time/3).
picked(date, date_time_value/3).
picked(date, day_of_the_week/2).
picked(date, day_of_the_year/2).
picked(date, week_ordinal/4).

%!  redefinable(+Name, +Arity) is semidet.
%
%   True when the user may give clauses for a predicate of this name: it
%   is not the system's, or it is one that SWI-Prolog lets a module
%   redefine and that this table does not treat specially.

redefinable(Name, Arity) :-
    atom(Name),
    \+ not_a_head(Name, Arity),
    (   class(Name, Arity, Class)
    ->  redefinable_class(Class, Name, Arity)
    ;   \+ sub_atom(Name, 0, _, _, $)
    ).

redefinable_class(library(_), _, _).
redefinable_class(library(_,_), _, _).
redefinable_class(plain, Name, Arity)       :- \+ core(Name, Arity).
redefinable_class(meta(_), Name, Arity)     :- \+ core(Name, Arity).
redefinable_class(replaced(_), Name, Arity) :- \+ core(Name, Arity).
redefinable_class(override(_), Name, Arity) :- \+ core(Name, Arity).
redefinable_class(format(_), _, _).
redefinable_class(phrase, _, _).
redefinable_class(refused, Name, Arity) :-
    \+ core(Name, Arity),
    \+ sub_atom(Name, 0, _, _, $),
    \+ compiled(Name, Arity).

core(Name, Arity) :-
    functor(Head, Name, Arity),
    predicate_property(system:Head, iso),
    !.

%   compiled(?Name, ?Arity): a call of it is not a call of a predicate.

compiled(@, 2).

%   not_a_head(?Name, ?Arity): a fact of it is a clause of something else, or
%   what SWI-Prolog's predicates that declare others take for an indicator.

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
control(\+, 1).

%!  hook(?Name, ?Arity) is nondet.
%
%   Hooks of the system that the user must not think to have defined.

hook(term_expansion, 2).
hook(term_expansion, 4).
hook(goal_expansion, 2).
hook(goal_expansion, 4).
hook(dcg_call, 4).
hook(portray, 1).
hook(message_hook, 3).
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
%   Fill class/3 and load what the allowed libraries need.  Called once, when
%   the engine's state is made.

build_policy :-
    retractall(listed(_,_,_)),
    forall(preloaded_library(Library), library_module(Library, _)),
    forall(picked(Library, _), library_module(Library, _)),
    autoload_all([verbose(false)]),     % for nothing loads by itself later
    forall(control(Name, Arity), add_class(Name, Arity, control)),
    forall(special(Name/Arity, Class), add_class(Name, Arity, Class)),
    forall(system_predicate(Name, Arity),
           ( system_class(Name, Arity, Class) -> add_class(Name, Arity, Class) )),
    forall(preloaded_library(Library), add_library(Library)),
    forall(picked(Library, PI), add_picked(Library, PI)).

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
    library_module(Library, Module),
    module_property(Module, exports(Exports)),
    forall(( member(PI, Exports), \+ excluded(Library, PI) ),
           add_export(Module, PI)).

add_picked(Library, PI) :-
    library_module(Library, Module),
    add_export(Module, PI).

library_module(Library, Module) :-
    use_module(library(Library), []),
    absolute_file_name(library(Library), Loaded, [file_type(prolog), access(read)]),
    file_name_extension(Base, _, Loaded),
    file_name_extension(Base, pl, File),
    module_property(Module, file(File)),
    !.

add_export(Module, Name/Arity) :-
    functor(Head, Name, Arity),
    (   predicate_property(Module:Head, meta_predicate(Spec)),
        takes_goals(Spec)
    ->  add_class(Name, Arity, library(Module, Spec))
    ;   add_class(Name, Arity, library(Module))
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
    forall(hb_capability:class(Capability, Name, Arity, Class),
           ( retractall(listed(Name, Arity, _)),
             assertz(listed(Name, Arity, Class)) )).
