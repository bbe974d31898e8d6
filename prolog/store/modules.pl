:- module(hb_modules,
          [ home_module/1,              % +Module
            users_module/1,             % @Module
            free_module/1,              % @Module
            declared_module/1,          % ?Module
            note_system_modules/0,
            add_module/3,               % +Module, +Exports, +Id
            add_shared/3,               % +Module, +PIs, +Id
            export/4,                   % ?Module, ?Name, ?Arity, ?Id
            shared/4,                   % ?Module, ?Name, ?Arity, ?Id
            stands_if_shared/2,         % +Name, +Arity
            private/4,                  % ?Module, ?Name, ?Arity, ?Engine
            private_here/3,             % +Name, +Arity, -Engine
            private_or_plain/3,         % +Engine, +Arity, -Name
            note_private/2,             % +Engine, +Arity
            forget_private/2,           % +Engine, +Arity
            as_if_private/2,            % +Head, :Goal
            note_flat/2,                % +Name, +Arity
            stale/1,                    % -Module
            forget_stale/0,
            names_have_changed/0,
            given_export/2,             % ?Name, ?Arity
            no_given_exports/0,
            text_module/3,              % +Kind0, -Kind, -Module
            scope_module/2,             % +Scope, ?Module
            set_scope_module/2,         % +Scope, +Module
            forget_module/1,            % +Id
            forget_modules/0
          ]).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/namesakes', [take_back_name/2]).
:- use_module('../functor').
:- use_module(context).
:- use_module(engine_name).
:- use_module(meta_arguments).

/** <module> The modules of the book: what they export, share and keep private

What a module does not export is private to it.  Everything else, exported predicates included, is _flat_: its name in
the engine is the one in the text.
*/

:- dynamic
    module_name/2,                      % Module, Id
    export/4,                           % Module, Name, Arity, Id
    shared/4,                           % Module, Name, Arity, Id: multifile in Module
    private/4,                          % Module, Name, Arity, Engine
    called_flat/3,                      % Module, Name, Arity: called as one of Module, and not private to it
    system_module/1,                    % Module: not the user's
    names_changed/0,                    % since names_have_changed/0 was last asked
    stale/1,                            % Module: a call in its text, or one that names it, may mean another predicate now
    in_scope/2,                         % Scope, Module: text read in Scope is of Module
    given_export/2.                     % Name, Arity: exported by the module of the text, whose header may come later

%!  home_module(+Module) is det.
%
%   @error permission_error(access, module, Module) if Module is not one of the user's.

home_module(Module) :-
    (   users_module(Module)
    ->  true
    ;   free_module(Module)
    ->  true
    ;   nb_current(hb_loading, true),   % its header comes later in the book
        atom(Module),
        is_module_name(Module)
    ->  true
    ;   throw(error(permission_error(access, module, Module), _))
    ).

%!  users_module(@Module) is semidet.
%
%   Module is one of the user's: the module of text without a header, which people call `user`;
%   modules that files of the book declare, or that have private predicates; and `prolog`, in which
%   programs define the text of their messages.

users_module(Module) :-
    (   Module == knowledge_base
    ;   Module == user
    ;   Module == prolog                % for prolog:message//1
    ;   atom(Module),
        (   module_name(Module, _)
        ;   private(Module, _, _, _)
        )
    ),
    !.

%!  free_module(@Module) is semidet.
%
%   Module may become one of the user's: as in SWI-Prolog, it can be named before it has any contents.

free_module(Module) :-
    atom(Module),
    \+ system_module(Module),
    \+ sub_atom(Module, 0, _, _, hb_),
    is_module_name(Module).

%!  declared_module(?Module) is nondet.
%
%   A header in the book declares Module.

declared_module(Module) :-
    module_name(Module, _).

%!  note_system_modules is det.
%
%   The modules that exist now are not the user's.  SWI-Prolog also makes a module of a name that text
%   only mentions, so this cannot be asked later.

note_system_modules :-
    forall(( current_module(Module), \+ system_module(Module) ),
           assertz(system_module(Module))).

%!  add_module(+Module, +Exports, +Id) is det.
%
%   The entry Id of the book declares Module, with the list Exports.  A predicate that another
%   module already exports stays private to Module.

add_module(Module, _, Id) :-
    module_name(Module, Id),            % known before it was read
    !.
add_module(Module, Exports, Id) :-
    assertz(module_name(Module, Id)),
    change_names,
    now_stale(Module),
    forall(( '$member'(PI, Exports), exported(PI, Name, Arity) ),
           add_export(Module, Name, Arity, Id)).

exported(PI, _, _) :-
    var(PI),
    !,
    fail.
exported(Name/Arity, Name, Arity) :-
    atom(Name),
    integer(Arity).
exported(Name//Arity0, Name, Arity) :-
    atom(Name),
    integer(Arity0),
    Arity is Arity0+2.

add_export(Module, Name, Arity, _) :-
    export(Other, Name, Arity, _),
    Other \== Module,
    !.
add_export(Module, Name, Arity, Id) :-
    assertz(export(Module, Name, Arity, Id)),
    meta_changed(Name),
    not_private(Module, Name, Arity).

%   meta_changed(+Engine): whether calls of Engine pass the context may have changed.

meta_changed(Engine) :-
    (   has_meta(Engine)
    ->  hb_store:meanings_changed
    ;   true
    ).

not_private(Module, Name, Arity) :-
    (   private(Module, Name, Arity, Engine)
    ->  forget_private(Engine, Arity)
    ;   true
    ).

%!  add_shared(+Module, +PIs, +Id) is det.
%
%   The entry Id, of Module, declares that text of other modules may define PIs too.

add_shared(Module, PIs, Id) :-
    forall(( '$member'(Name/Arity, PIs), \+ shared(Module, Name, Arity, Id) ),
           ( assertz(shared(Module, Name, Arity, Id)),
             change_names,
             not_private(Module, Name, Arity),
             stands_empty(Name, Arity) )).

%   stands_empty(+Name, +Arity): without clauses the predicate fails, and is not unknown.

stands_empty(Name, Arity) :-
    (   hb_heads:may_be_head(Name, Arity),
        \+ class(Name, Arity, _)
    ->  dynamic(knowledge_base:Name/Arity)
    ;   true
    ).

%!  stands_if_shared(+Name, +Arity) is det.
%
%   Name/Arity lost its clauses and its declaration by running code, but perhaps not that of a directive.

stands_if_shared(Name, Arity) :-
    (   shared(_, Name, Arity, _)
    ->  stands_empty(Name, Arity)
    ;   true
    ).

%   not_empty(+Name, +Arity): nothing declares the predicate any more.

not_empty(Name, Arity) :-
    (   shared(_, Name, Arity, _)
    ->  true
    ;   hb_store:own(Name, Arity)
    ->  true
    ;   term_functor(Head, Name, Arity),
        predicate_property(knowledge_base:Head, dynamic),
        \+ predicate_property(knowledge_base:Head, imported_from(_))
    ->  take_back_name(Name, Arity)
    ;   true
    ).

%!  export(?Module, ?Name, ?Arity, ?Id) is nondet.
%
%   Module exports Name/Arity, by the header with the entry Id.

%!  private(?Module, ?Name, ?Arity, ?Engine) is nondet.
%
%   Name/Arity is private to Module, and is Engine/Arity in the engine.

%!  private_here(+Name, +Arity, -Engine) is semidet.
%
%   Name/Arity is private to the context.

private_here(Name, Arity, Engine) :-
    context(Module),
    (   private(Module, Name, Arity, Engine0)
    ->  Engine = Engine0
    ;   called_flat(Module, Name, Arity)
    ->  fail
    ;   assertz(called_flat(Module, Name, Arity)),
        fail
    ).

%!  private_or_plain(+Engine, +Arity, -Name) is det.
%
%   Name is the name of the predicate Engine/Arity in the text of its module.

private_or_plain(Engine, Arity, Name) :-
    (   private(_, Plain, Arity, Engine)
    ->  Name = Plain
    ;   Name = Engine
    ).

%!  note_private(+Engine, +Arity) is det.
%!  forget_private(+Engine, +Arity) is det.
%
%   A predicate of this name is defined, or goes.  If clauses of its module call another predicate
%   by that name, they must be translated again.

note_private(Engine, Arity) :-
    (   private(_, _, Arity, Engine)
    ->  true
    ;   engine_parts(Engine, Module, Name),
        \+ export(Module, Name, Arity, _),
        \+ shared(Module, Name, Arity, _)
    ->  (   called_flat(Module, Name, Arity)
        ->  now_stale(Module)
        ;   users_module(Module)
        ->  true
        ;   now_stale(Module)           % closures that name it waited for it
        ),
        assertz(private(Module, Name, Arity, Engine)),
        change_names
    ;   true
    ).

forget_private(Engine, Arity) :-
    (   retract(private(Module, _, Arity, Engine))
    ->  change_names,
        now_stale(Module)
    ;   true
    ).

now_stale(Module) :-
    (   stale(Module)
    ->  true
    ;   assertz(stale(Module))
    ).

%!  as_if_private(+Head, :Goal) is semidet.
%
%   As once(Goal), which translates the body of a clause of Head, while the predicate of Head counts as
%   private to its module already: a clause that is refused in the end must not make it so.

:- meta_predicate as_if_private(+, 0).

as_if_private(Head, Goal) :-
    term_functor(Head, Engine, Arity),
    (   \+ private(_, _, Arity, Engine),
        engine_parts(Engine, Module, Name)
    ->  setup_call_cleanup(
            assertz(private(Module, Name, Arity, Engine)),
            once(Goal),
            retract(private(Module, Name, Arity, Engine)))
    ;   once(Goal)
    ).

%!  note_flat(+Name, +Arity) is det.
%
%   Name/Arity, which is flat, is defined now, or no longer: modules that call it call it directly, or wait for it.

note_flat(Name, Arity) :-
    change_names,
    forall(called_flat(Module, Name, Arity), now_stale(Module)).

%!  names_have_changed is semidet.
%
%   Since this was last asked, what names mean may have changed.

names_have_changed :-
    retract(names_changed),
    \+ given_export(_, _),
    retractall(names_changed).

change_names :-
    (   names_changed
    ->  true
    ;   assertz(names_changed)
    ).

%!  stale(-Module) is nondet.
%!  forget_stale is det.
%
%   Calls in clauses of Module may no longer mean the predicates they were translated to.

forget_stale :-
    retractall(stale(_)).

%!  text_module(+Kind0, -Kind, -Module) is det.
%
%   Kind0 is the kind of a text, or module(Module, Exports, Kind) for text of Module.  Module is
%   `user` for other text.

text_module(Kind0, Kind, Module) :-
    retractall(given_export(_,_)),
    (   Kind0 = module(Module0, Exports, Kind1)
    ->  forall('$member'(Name/Arity, Exports), assertz(given_export(Name, Arity))),
        Module = Module0,
        Kind = Kind1
    ;   Module = user,
        Kind = Kind0
    ).

%!  no_given_exports is det.
%
%   The text has a header of its own, which says what its module exports.

no_given_exports :-
    retractall(given_export(_,_)).

%!  scope_module(+Scope, ?Module) is semidet.
%!  set_scope_module(+Scope, +Module) is det.
%
%   Text read in Scope is of Module, or of `user` for no module.

scope_module(Scope, Module) :-
    (   in_scope(Scope, Module0)
    ->  Module = Module0
    ;   Module = user
    ).

set_scope_module(Scope, Module0) :-
    module_of(Module0, Module),
    retractall(in_scope(Scope, _)),
    (   Module == user
    ->  true
    ;   assertz(in_scope(Scope, Module))
    ).

%!  forget_module(+Id) is semidet.
%!  forget_modules is det.
%
%   Forget the module, or the predicates that text of other modules may define, that the entry Id declares, or everything
%   about modules.  Fails if Id declares neither.

forget_module(Id) :-
    (   retract(module_name(Module, Id)),
        change_names,
        now_stale(Module),
        forall(retract(export(Module, Name0, _, Id)), meta_changed(Name0))
    ;   retract(shared(_, Name, Arity, Id)),
        change_names,
        not_empty(Name, Arity),
        forall(retract(shared(_, Name1, Arity1, Id)), not_empty(Name1, Arity1))
    ),
    !.

forget_modules :-
    retractall(module_name(_,_)),
    retractall(export(_,_,_,_)),
    forall(retract(shared(_, Name, Arity, _)), not_empty(Name, Arity)),
    retractall(private(_,_,_,_)),
    retractall(called_flat(_,_,_)),
    retractall(names_changed),
    retractall(stale(_)).
