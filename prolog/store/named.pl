:- module(hb_named,
          [ text_head/2,                % +Head, -Engine
            run_head/3,                 % +Module, +Head, -Engine
            called_head/3,              % +Module, +Head, -Engine
            plain_head/2,               % +Head, -Plain
            text_name/4,                % +Module, +Name, +Arity, -Engine
            called_name/4,              % +Module, +Name, +Arity, -Engine
            seen_as/2,                  % +Goal, -Seen
            seen_goal/2,                % @Goal, -Seen
            seen_indicator/2,           % @PI, -Seen
            meant_goal/2,               % +Seen, -Goal
            check_names/0,
            ask_anew/0,
            asked_anew/0,
            forget_name/1,              % +Id
            forget_names/0
          ]).
:- use_module('../sandbox/policy').
:- use_module(context).
:- use_module(engine_name).
:- use_module(meta_arguments).
:- use_module(determinism).
:- use_module(modules).

/** <module> Which predicate of the engine a name in a text means, and how people see it */

:- dynamic
    resolved/5,                         % How, Module, Name, Arity, Engine: a head in text is that of Engine/Arity
    anew/0.                             % the engine must be rebuilt from the book

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
    (   term_name(Head0, Name, Arity)
    ->  no_engine_name(Name, Arity),
        text_name(Module, Name, Arity, Engine),
        with_name(Head0, Name, Engine, Head),
        note_resolved(text, Module, Name, Arity, Engine)
    ;   Head = Head0
    ).

%!  run_head(+Module, +Head, -Engine) is det.
%
%   As text_head/2, for a clause that running code or text of another module adds to Module.  If a
%   flat predicate has the name, and a file declares Module, the clause joins it.

run_head(Module0, Head0, Head) :-
    without_module(Head0, Module0, Head1, Module),
    (   term_name(Head1, Name, Arity)
    ->  no_engine_name(Name, Arity),
        may_have(Module, Name, Arity),
        run_name(Module, Name, Arity, Engine),
        with_name(Head1, Name, Engine, Head),
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
    ;   declared_module(Module)
    ).

%!  called_head(+Module, +Head, -Engine) is det.
%
%   As run_head/3, for a predicate that is called, looked up or taken out: declares nothing.

called_head(Module0, Head0, Head) :-
    without_module(Head0, Module0, Head1, Module),
    (   term_name(Head1, Name, Arity)
    ->  no_engine_name(Name, Arity),
        called_name(Module, Name, Arity, Engine),
        with_name(Head1, Name, Engine, Head)
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

%!  plain_head(+Head, -Plain) is det.
%
%   Plain is the head in the engine of an existing predicate that the context calls Head.

plain_head(Head0, Head) :-
    here(Module),
    called_head(Module, Head0, Head).

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
    hb_chr_rules:declared(_, Name, Arity, _),
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

%!  seen_as(+Goal, -Seen) is semidet.
%
%   Goal calls a private predicate; Seen is the goal as people see it: qualified, or under its plain
%   name if its own module is the context.

seen_as(Goal, Seen) :-
    term_name(Goal, Engine, _),
    engine_parts(Engine, Module, Name),
    with_name(Goal, Engine, Name, Plain),
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
    (   term_name(Goal, Name, Arity),
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

%!  check_names is det.
%
%   Clauses keep the predicate that their head meant when they were added.  If a head would be that of another
%   predicate now, as in an engine that reads the book, the engine must be rebuilt.

check_names :-
    (   names_have_changed
    ->  (   resolved(How, Module, Name, Arity, Engine),
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

%!  forget_name(+Id) is semidet.
%!  forget_names is det.
%
%   Forget the names that the entry Id declares, or all names.  Fails if Id declares none.

forget_name(Id) :-
    (   forget_module(Id)
    ->  true
    ;   forget_det(Id)
    ->  true
    ;   forget_meta(Id),
        hb_store:meanings_changed
    ).

forget_names :-
    forget_modules,
    ignore(forget_meta(_)),
    ignore(forget_det(_)),
    retractall(resolved(_,_,_,_,_)),
    retractall(anew).
