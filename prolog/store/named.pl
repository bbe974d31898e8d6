:- module(hb_named,
          [ context/1,                  % -Module
            in_module/2,                % +Module, :Goal
            module_of/2,                % @Named, -Module
            text_head/2,                % +Head, -Engine
            run_head/3,                 % +Module, +Head, -Engine
            called_head/3,              % +Module, +Head, -Engine
            text_name/4,                % +Module, +Name, +Arity, -Engine
            called_name/4,              % +Module, +Name, +Arity, -Engine
            private_here/3,             % +Name, +Arity, -Engine
            private/4,                  % ?Module, ?Name, ?Arity, ?Engine
            note_private/2,             % +Engine, +Arity
            forget_private/2,           % +Engine, +Arity
            engine_name/1,              % @Name
            is_module_name/1,           % +Module
            engine_parts/3,             % +Engine, -Module, -Name
            seen_as/2,                  % +Goal, -Seen
            seen_goal/2,                % @Goal, -Seen
            seen_indicator/2,           % @PI, -Seen
            meant_goal/2,               % +Seen, -Goal
            private_or_plain/3,         % +Engine, +Arity, -Name
            qualified/2,                % +Goal, -Qualified
            stale/1,                    % -Module
            export/4,                   % ?Module, ?Name, ?Arity, ?Id
            note_flat/2,                % +Name, +Arity
            here/1,                     % -Module
            as_if_private/2,            % +Head, :Goal
            stands_if_shared/2,         % +Name, +Arity
            note_system_modules/0,
            check_names/0,
            ask_anew/0,
            asked_anew/0,
            forget_stale/0,
            in_clause/2,                % +Head, :Goal
            passed_arguments/4,         % +Engine, +Arity, +Goal, -Passed
            passed_arguments/5,         % +Engine, +Arity, +Goal, -Passed, -Later
            pass_later/2,               % +Later, +Module
            takes_more_goals/3,         % +Engine, +Arity, +Given
            without_passed/3,           % +Passed, +Extra, -Goal
            plain_head/2,               % +Head, -Plain
            home_module/1,              % +Module
            users_module/1,             % @Module
            free_module/1,              % @Module
            add_module/3,               % +Module, +Exports, +Id
            add_shared/3,               % +Module, +PIs, +Id
            add_meta/3,                 % +Engine, +Spec, +Id
            text_module/3,              % +Kind0, -Kind, -Module
            no_given_exports/0,
            scope_module/2,             % +Scope, ?Module
            set_scope_module/2,         % +Scope, +Module
            forget_name/1,              % +Id
            forget_names/0
          ]).
:- use_module('../sandbox/policy').
:- use_module('../functor').

/** <module> What directives of the book name: modules, and what is private to them

The engine keeps all user code in one module.  A predicate `step` that a file of the module `one`
defines and does not export is called `one:step` there: an atom, and a name that no text may give to
a predicate.  While text of that module is translated, the module is the _context_, and `step` means
that predicate.  Everything else, exported predicates included, is _flat_: its name in the engine is
the one in the text.
*/

:- dynamic
    module_name/2,                      % Module, Id
    export/4,                           % Module, Name, Arity, Id
    shared/4,                           % Module, Name, Arity, Id: multifile in Module
    meta/3,                             % Engine, Spec, Id
    private/4,                          % Module, Name, Arity, Engine
    called_flat/3,                      % Module, Name, Arity: called as one of Module, and not private to it
    system_module/1,                    % Module: not the user's
    resolved/5,                         % How, Module, Name, Arity, Engine: a head in text is that of Engine/Arity
    names_changed/0,                    % since resolved/5 was checked
    anew/0,                             % the engine must be rebuilt from the book
    stale/1,                            % Module: a call in its text, or one that names it, may mean another predicate now
    in_scope/2,                         % Scope, Module: text read in Scope is of Module
    given_export/2.                     % Name, Arity: exported by the module of the text, whose header may come later

%!  context(-Module) is semidet.
%
%   Text of Module is being translated.  Fails for text of no module.

context(Module) :-
    nb_current(hb_module, Module),
    Module \== user.

%!  in_module(+Module, :Goal) is semidet.
%
%   As once(Goal), with Module as the context, or `user` for no module.

:- meta_predicate in_module(+, 0).

in_module(Module, Goal) :-
    here(Before),
    (   Before == Module
    ->  once(Goal)
    ;   b_setval(hb_module, Module),
        once(Goal),
        b_setval(hb_module, Before)
    ).

%!  here(-Module) is det.
%
%   Module is the context, or `user` for no module.

here(Module) :-
    (   nb_current(hb_module, Module0)
    ->  Module = Module0
    ;   Module = user
    ).

%!  module_of(@Named, -Module) is det.
%
%   Module is the context of code qualified with Named, one of the user's modules.

module_of(Named, Module) :-
    (   Named == knowledge_base
    ->  Module = user
    ;   Module = Named
    ).

%!  text_head(+Head, -Engine) is det.
%
%   Engine is the head in the engine of a clause whose head in the text is Head, perhaps qualified
%   with a module.  Declares nothing.
%
%   @error permission_error(modify, static_procedure, Name/Arity) if only private predicates have such a Name.

text_head(Var, Var) :-
    var(Var),
    !.
text_head(_ : -(_), _) :-
    throw(error(hornbook(message(syntax_error, "`: -` is not an operator: write `:-` without a space.")), _)).
text_head(Module:Head0, Head) :-
    !,
    home_module(Module),
    module_of(Module, Context),
    run_head(Context, Head0, Head).
text_head(Head0, Head) :-
    here(Module),
    (   named_so(Head0, Name, Arity)
    ->  no_engine_name(Name, Arity),
        text_name(Module, Name, Arity, Engine),
        named(Head0, Name, Engine, Head),
        note_resolved(text, Module, Name, Arity, Engine)
    ;   Head = Head0
    ).

%!  run_head(+Module, +Head, -Engine) is det.
%
%   As text_head/2, for a clause that running code or text of another module adds to Module.  If a
%   flat predicate has the name, and a file declares Module, the clause joins it.

run_head(Module0, Head0, Head) :-
    without_module(Head0, Module0, Head1, Module),
    (   named_so(Head1, Name, Arity)
    ->  no_engine_name(Name, Arity),
        may_have(Module, Name, Arity),
        run_name(Module, Name, Arity, Engine),
        named(Head1, Name, Engine, Head),
        note_resolved(run, Module, Name, Arity, Engine)
    ;   Head = Head1
    ).

%   note_resolved(+How, +Module, +Name, +Arity, +Engine): which predicate a head in text of Module, or one that
%   names Module, belongs to.  check_names/0 asks later whether that is still so.

note_resolved(How, Module, Name, Arity, Engine) :-
    (   Module == user
    ->  true
    ;   resolved(How, Module, Name, Arity, Engine)
    ->  true
    ;   given_export(Name, Arity)
    ->  true
    ;   assertz(resolved(How, Module, Name, Arity, Engine))
    ).

%!  check_names is det.
%
%   Clauses keep the predicate that their head meant when they were added.  If a head would be that of another
%   predicate now, as in an engine that reads the book, the engine must be rebuilt.

check_names :-
    (   retract(names_changed),
        \+ given_export(_, _)
    ->  retractall(names_changed),
        (   resolved(How, Module, Name, Arity, Engine),
            resolve(How, Module, Name, Arity, Now),
            Now \== Engine,
            hb_store:own(Engine, Arity)
        ->  ask_anew
        ;   true
        )
    ;   true
    ).

resolve(text, Module, Name, Arity, Engine) :-
    text_name(Module, Name, Arity, Engine).
resolve(run, Module, Name, Arity, Engine) :-
    run_name(Module, Name, Arity, Engine).

change_names :-
    (   names_changed
    ->  true
    ;   assertz(names_changed)
    ).

%!  ask_anew is det.
%!  asked_anew is semidet.
%
%   Ask for the engine to be rebuilt from the book; whether that was asked since asked_anew/0 last succeeded.

ask_anew :-
    (   anew
    ->  true
    ;   assertz(anew)
    ).

asked_anew :-
    retract(anew),
    !.

%   may_have(+Module, +Name, +Arity): in the module `prolog` the user may define messages, but no
%   hooks of the system.

may_have(Module, Name, Arity) :-
    (   Module \== prolog
    ->  true
    ;   Name/Arity == message/3
    ->  true
    ;   throw(error(permission_error(access, module, Module), _))
    ).

run_name(Module, Name, Arity, Engine) :-
    (   Module \== user,
        private(Module, Name, Arity, Engine0)
    ->  Engine = Engine0
    ;   hb_store:own(Name, Arity),
        sees_flat(Module)
    ->  Engine = Name
    ;   text_name(Module, Name, Arity, Engine)
    ).

%   sees_flat(+Module): flat predicates may be exported or imported by Module.  A module that no
%   file declares does neither.

sees_flat(Module) :-
    (   Module == user
    ->  true
    ;   module_name(Module, _)
    ).

%!  called_head(+Module, +Head, -Engine) is det.
%
%   As run_head/3, for a predicate that is called, looked up or taken out: declares nothing.

called_head(Module0, Head0, Head) :-
    without_module(Head0, Module0, Head1, Module),
    (   named_so(Head1, Name, Arity)
    ->  no_engine_name(Name, Arity),
        called_name(Module, Name, Arity, Engine),
        named(Head1, Name, Engine, Head)
    ;   Head = Head1
    ).

%   without_module(@Head0, +Module0, -Head, -Module): Head is Head0 without its qualification;
%   Module is the module it is qualified with, or else Module0.

without_module(Head0, Module0, Head, Module) :-
    (   nonvar(Head0),
        Head0 = Named:Head1
    ->  home_module(Named),
        module_of(Named, Module1),
        without_module(Head1, Module1, Head, Module)
    ;   Head = Head0,
        Module = Module0
    ).

%   named_so(@Head, -Name, -Arity): SWI-Prolog takes p() for p, both as a head and as a goal.

named_so(Head, Name, Arity) :-
    (   compound(Head)
    ->  compound_name_arity(Head, Name, Arity)
    ;   atom(Head)
    ->  Name = Head,
        Arity = 0
    ).

named(Term0, Name, Engine, Term) :-
    (   atom(Term0)
    ->  Term = Engine
    ;   compound_name_arity(Term0, _, 0)
    ->  Term = Engine
    ;   Name == Engine
    ->  Term = Term0
    ;   compound_name_arguments(Term0, _, Args),
        compound_name_arguments(Term, Engine, Args)
    ).

%!  text_name(+Module, +Name, +Arity, -Engine) is det.
%
%   Engine is the name in the engine of a predicate that text of Module defines as Name/Arity.

text_name(user, Name, _, Engine) :-
    !,
    Engine = Name.
text_name(Module, Name, Arity, Engine) :-
    (   flat(Module, Name, Arity)
    ->  Engine = Name
    ;   atomic_list_concat([Module,:,Name], Engine)
    ).

%   flat(+Module, +Name, +Arity): Name/Arity would not be private to Module.  What may not be
%   defined at all is flat too: its definition is refused later.

flat(Module, Name, Arity) :-
    export(Module, Name, Arity, _),
    !.
flat(_, Name, Arity) :-
    given_export(Name, Arity),
    !.
flat(Module, Name, Arity) :-
    shared(Module, Name, Arity, _),
    !.
flat(_, Name, Arity) :-
    hook(Name, Arity),
    !.
flat(_, Name, Arity) :-
    hb_capability:asked(Name, Arity),
    !.
flat(_, Name, Arity) :-
    hb_chr:declared(_, Name, Arity, _),
    !.
flat(_, Name, Arity) :-
    \+ redefinable(Name, Arity).

%!  called_name(+Module, +Name, +Arity, -Engine) is det.
%
%   Engine is the name in the engine of the predicate that text of Module calls as Name/Arity.

called_name(Module, Name, Arity, Engine) :-
    (   Module \== user,
        private(Module, Name, Arity, Engine0)
    ->  Engine = Engine0
    ;   Engine = Name
    ).

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

%!  export(?Module, ?Name, ?Arity, ?Id) is nondet.
%
%   Module exports Name/Arity, by the header with the entry Id.

%!  note_flat(+Name, +Arity) is det.
%
%   Name/Arity, which is flat, is defined now, or no longer: modules that call it call it directly, or wait for it.

note_flat(Name, Arity) :-
    change_names,
    forall(called_flat(Module, Name, Arity), now_stale(Module)).

%!  private(?Module, ?Name, ?Arity, ?Engine) is nondet.
%
%   Name/Arity is private to Module, and is Engine/Arity in the engine.

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

%!  stale(-Module) is nondet.
%!  forget_stale is det.
%
%   Calls in clauses of Module may no longer mean the predicates they were translated to.

forget_stale :-
    retractall(stale(_)).

%!  engine_name(@Name) is semidet.
%!  engine_parts(+Engine, -Module, -Name) is semidet.
%
%   Engine is an atom of the form that private predicates have in the engine: Module:Name, where
%   Module begins like a word and contains no colon.

engine_name(Engine) :-
    engine_parts(Engine, _, _).

engine_parts(Engine, Module, Name) :-
    atom(Engine),
    sub_atom(Engine, Before, 1, After, :),
    !,
    Before > 0,
    After > 0,
    sub_atom(Engine, 0, Before, _, Module),
    is_module_name(Module),
    sub_atom(Engine, _, After, 0, Name).

%!  is_module_name(+Module) is semidet.
%
%   Module is allowed as the name of a module.

is_module_name(Module) :-
    sub_atom(Module, 0, 1, _, First),
    char_type(First, csym),
    \+ sub_atom(Module, _, 1, _, :).

no_engine_name(Name, Arity) :-
    (   engine_name(Name)
    ->  throw(error(permission_error(modify, static_procedure, Name/Arity),
                    context(_, 'a name with a colon stands for a predicate of a module: write the module, a colon and the name without quotation marks')))
    ;   true
    ).

%!  seen_as(+Goal, -Seen) is semidet.
%
%   Goal calls a private predicate; Seen is the goal as people see it: qualified, or under its plain
%   name if its own module is the context.

seen_as(Goal, Seen) :-
    named_so(Goal, Engine, _),
    engine_parts(Engine, Module, Name),
    named(Goal, Engine, Name, Plain),
    (   context(Module)
    ->  Seen = Plain
    ;   Seen = Module:Plain
    ).

%!  seen_goal(@Goal, -Seen) is det.
%!  seen_indicator(@PI, -Seen) is det.
%
%   Seen is a goal or predicate indicator of the engine as people see it.  Only existing private
%   predicates look different.

seen_goal(Goal, Seen) :-
    (   named_so(Goal, Name, Arity),
        private(_, _, Arity, Name),
        seen_as(Goal, Seen0)
    ->  Seen = Seen0
    ;   Seen = Goal
    ).

seen_indicator(PI, Seen) :-
    (   nonvar(PI),
        PI = Name/Arity,
        atom(Name),
        private(Module, Plain, Arity, Name)
    ->  Seen = Module:Plain/Arity
    ;   Seen = PI
    ).

%!  private_or_plain(+Engine, +Arity, -Name) is det.
%
%   Name is the name of the predicate Engine/Arity in the text of its module.

private_or_plain(Engine, Arity, Name) :-
    (   private(_, Plain, Arity, Engine)
    ->  Name = Plain
    ;   Name = Engine
    ).

%!  meant_goal(+Seen, -Goal) is det.
%
%   Goal is the engine's goal for what people see as Seen.

meant_goal(Seen, Goal) :-
    (   nonvar(Seen),
        Seen = Module:_,
        users_module(Module)
    ->  called_head(user, Seen, Goal)
    ;   Goal = Seen
    ).

%!  qualified(+Goal, -Qualified) is det.
%
%   Qualified is Goal, which is translated later, qualified with its context.

qualified(Goal, Qualified) :-
    (   context(Module),
        \+ is_qualified(Goal)
    ->  Qualified = Module:Goal
    ;   Qualified = Goal
    ).

%!  in_clause(+Head, :Goal) is semidet.
%
%   As once(Goal), which translates the body of a clause of Head.  An argument of Head that its
%   meta_predicate declaration marks as a goal has its context already: no other is added when the
%   body passes it on.

:- meta_predicate in_clause(+, 0).

in_clause(Head, Goal) :-
    (   compound(Head),
        compound_name_arguments(Head, Engine, Args),
        meta(Engine, _, _),
        length(Args, Arity),
        term_functor(Spec, Engine, Arity),
        meta(Spec, _)
    ->  Spec =.. [_|Kinds],
        given_goals(Args, Kinds, Given),
        b_setval(hb_given, Given),
        once(Goal),
        b_setval(hb_given, [])
    ;   once(Goal)
    ).

given_goals([], _, []).
given_goals([Arg|Args], [Kind|Kinds], Given) :-
    (   var(Arg),
        goal_kind(Kind)
    ->  Given = [Arg|Given1]
    ;   Given = Given1
    ),
    given_goals(Args, Kinds, Given1).

is_given(Var) :-
    nb_current(hb_given, Given),
    '$member'(One, Given),
    One == Var,
    !.

%!  passed_arguments(+Engine, +Arity, +Goal, -Passed, -Later) is det.
%
%   Passed is Goal, a call of a user predicate, with the context added to the arguments that its
%   meta_predicate declaration marks as goals, as in SWI-Prolog.  Goal may lack its last arguments.
%   Later is a list of Arg-PassedArg: PassedArg is in Passed, and with_context/3 tells it as soon as
%   Arg is known.

passed_arguments(Engine, Arity, Goal, Passed, Later) :-
    (   compound(Goal),
        meta(Engine, _, _),
        term_functor(Spec, Engine, Arity),
        meta(Spec, _)
    ->  Goal =.. [Name|Args],
        Spec =.. [_|Kinds],
        here(Module),
        passed(Args, Kinds, Module, PassedArgs, Later),
        Passed =.. [Name|PassedArgs]
    ;   Passed = Goal,
        Later = []
    ).

%!  passed_arguments(+Engine, +Arity, +Goal, -Passed) is det.
%
%   As passed_arguments/5, for a Goal that is called now.

passed_arguments(Engine, Arity, Goal, Passed) :-
    passed_arguments(Engine, Arity, Goal, Passed, Later),
    (   Later == []
    ->  true
    ;   here(Module),
        pass_later(Later, Module)
    ).

%!  pass_later(+Later, +Module) is det.
%
%   The arguments in Later are known now.

pass_later([], _).
pass_later([Arg-Passed|Later], Module) :-
    with_context(Arg, Module, Passed),
    pass_later(Later, Module).

%   with_context(@Arg, +Module, -Passed): Passed is Arg qualified with the innermost module that it names,
%   or with Module if it names none.

with_context(Arg, Module, Passed) :-
    (   nonvar(Arg),
        Arg = Named:Inner,
        ( var(Named) ; atom(Named) )
    ->  (   atom(Named),
            nonvar(Inner),
            Inner = Other:_,
            atom(Other)
        ->  with_context(Inner, Module, Passed)
        ;   Passed = Arg
        )
    ;   Passed = Module:Arg
    ).

%!  takes_more_goals(+Engine, +Arity, +Given) is semidet.
%
%   The meta_predicate declaration of Engine/Arity marks an argument after the first Given as a goal.

takes_more_goals(Engine, Arity, Given) :-
    meta(Engine, _, _),
    term_functor(Spec, Engine, Arity),
    meta(Spec, _),
    arg(I, Spec, Kind),
    I > Given,
    goal_kind(Kind),
    !.

meta(Spec, Id) :-
    meta(Engine, Spec0, Id),
    term_functor(Spec, Engine, Arity),
    term_functor(Spec0, _, Arity),
    !,
    Spec0 =.. [_|Kinds],
    Spec =.. [Engine|Kinds].

passed([], _, _, [], []).
passed([Arg|Args], [Kind|Kinds], Module, [Passed|PassedArgs], Later) :-
    (   \+ goal_kind(Kind)
    ->  Passed = Arg,
        Later = Later1
    ;   known_later(Arg)
    ->  Later = [Arg-Passed|Later1]
    ;   var(Arg)                        % given with its context
    ->  Passed = Arg,
        Later = Later1
    ;   with_context(Arg, Module, Passed),
        Later = Later1
    ),
    passed(Args, Kinds, Module, PassedArgs, Later1).

%   known_later(@Arg): which module Arg names may be known only when it is passed.

known_later(Arg) :-
    (   var(Arg)
    ->  \+ is_given(Arg)
    ;   Arg = _:Inner,
        var(Inner)
    ).

is_qualified(Goal) :-
    nonvar(Goal),
    Goal = Named:_,
    atom(Named).                        % also of a module that is yet to come

%!  without_passed(+Passed, +Extra, -Goal) is det.
%
%   Goal is Passed, which is called with Extra more arguments, in the form of text of the context: the
%   inverse of passed_arguments/4.

without_passed(Passed, Extra, Goal) :-
    (   compound(Passed),
        compound_name_arity(Passed, Engine, Given),
        Arity is Given+Extra,
        meta(Engine, _, _),
        term_functor(Spec, Engine, Arity),
        meta(Spec, _)
    ->  Passed =.. [_|PassedArgs],
        Spec =.. [_|Kinds],
        here(Module),
        not_passed(PassedArgs, Kinds, Module, Args),
        Goal =.. [Engine|Args]
    ;   Goal = Passed
    ).

not_passed([], _, _, []).
not_passed([Arg0|Args0], [Kind|Kinds], Module, [Arg|Args]) :-
    (   goal_kind(Kind),
        nonvar(Arg0),
        Arg0 = Named:Arg1,
        Named == Module
    ->  Arg = Arg1
    ;   Arg = Arg0
    ),
    not_passed(Args0, Kinds, Module, Args).

%!  plain_head(+Head, -Plain) is det.
%
%   Plain is the head in the engine of an existing predicate that the context calls Head.

plain_head(Head0, Head) :-
    here(Module),
    called_head(Module, Head0, Head).

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
    (   meta(Engine, _, _)
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
    (   hb_store:may_be_head(Name, Arity),
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
    ->  abolish(knowledge_base:Name/Arity)
    ;   true
    ).

%!  add_meta(+Engine, +Spec, +Id) is det.
%
%   The entry Id declares that Engine takes goals where Spec says so.

add_meta(Engine, Spec, Id) :-
    meta(Engine, Spec0, Id),
    Spec0 =@= Spec,                     % known before it was read
    !.
add_meta(Engine, Spec, Id) :-
    assertz(meta(Engine, Spec, Id)),
    forget_direct,
    hb_store:meanings_changed.

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

%!  forget_name(+Id) is semidet.
%!  forget_names is det.
%
%   Forget the names that the entry Id declares, or all names.  Fails if Id declares none.

forget_name(Id) :-
    (   retract(module_name(Module, Id)),
        change_names,
        now_stale(Module),
        forall(retract(export(Module, Name0, _, Id)), meta_changed(Name0))
    ;   retract(shared(_, Name, Arity, Id)),
        change_names,
        not_empty(Name, Arity),
        forall(retract(shared(_, Name1, Arity1, Id)), not_empty(Name1, Arity1))
    ;   retract(meta(_, _, Id)),
        retractall(meta(_, _, Id)),
        hb_store:meanings_changed
    ),
    !.

forget_names :-
    retractall(module_name(_,_)),
    retractall(export(_,_,_,_)),
    forall(retract(shared(_, Name, Arity, _)), not_empty(Name, Arity)),
    retractall(meta(_,_,_)),
    retractall(private(_,_,_,_)),
    retractall(called_flat(_,_,_)),
    retractall(resolved(_,_,_,_,_)),
    retractall(names_changed),
    retractall(anew),
    retractall(stale(_)).
