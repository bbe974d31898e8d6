:- module(hb_coroutines,
          [ engine_create/3,            % +Template, :Goal, -Engine
            engine_create/4,            % +Template, :Goal, -Engine, +Options
            engine_next/2,              % +Engine, -Answer
            engine_next_reified/2,      % +Engine, -Next
            engine_post/2,              % +Engine, +Term
            engine_post/3,              % +Engine, +Term, -Answer
            engine_yield/1,             % +Answer
            engine_fetch/1,             % -Term
            engine_self/1,              % -Engine
            engine_destroy/1,           % +Engine
            is_engine/1,                % @Term
            current_engine/1,           % ?Engine
            end_coroutines/0
          ]).
:- use_module('../limits').
:- use_module('../store/step').
:- use_module(open_streams, [query_engine/1]).
:- use_module(library(option), [option/2]).

/** <module> Engines as coroutines

SWI-Prolog's engines for untrusted code.  A handle is '$engine'(N) or an alias, as SWI-Prolog's own would show an
address.  A query is an engine, too: those that it makes end with it.  They run with its limits and share its output.
*/

:- meta_predicate
    engine_create(?, 0, -),
    engine_create(?, 0, -, +).

%   An engine is the record engine(Handle, Native, Owner); what was posted to it is posted(Handle, Term).  Records,
%   because transactions do not take them back.  hb_coroutine is the handle of the engine that runs.

most_engines(100).

%!  engine_create(+Template, :Goal, -Engine) is det.
%!  engine_create(+Template, :Goal, -Engine, +Options) is det.
%
%   Engine gives the instances of Template for the solutions of Goal, one by one.  Of Options only alias(Name) has a
%   meaning.
%
%   @error resource_error(engines) for more than 100

engine_create(Template, Goal, Engine) :-
    engine_create(Template, Goal, Engine, []).

engine_create(Template, Goal, Engine, Options) :-
    (   var(Engine)
    ->  true
    ;   throw(error(uninstantiation_error(Engine), context(engine_create/3, _)))
    ),
    new_handle(Options, Handle),
    check_room,
    query_engine(Owner),
    system:engine_create(the(Template), hb_coroutines:run(Handle, Owner, Goal), Native),
    recordz(hb_coroutines, engine(Handle, Native, Owner)),
    Engine = Handle.

run(Handle, Owner, Goal) :-
    watch,
    nb_setval(hb_coroutine, Handle),
    nb_setval(hb_owner, Owner),
    call(Goal).

new_handle(Options, Handle) :-
    option(alias(Alias), Options),
    !,
    (   atom(Alias)
    ->  true
    ;   throw(error(type_error(atom, Alias), _))
    ),
    (   native(Alias, _)
    ->  throw(error(permission_error(create, engine, Alias), context(engine_create/4, 'Alias name already taken')))
    ;   Handle = Alias
    ).
new_handle(_, '$engine'(N)) :-
    flag(hb_coroutine, N0, N0+1),
    N is N0+1.

check_room :-
    forall(( recorded(hb_coroutines, engine(Handle, Native, Owner)), \+ is_there(Owner) ),
           destroy(Handle, Native)),
    most_engines(Most),
    findall(x, recorded(hb_coroutines, engine(_, _, _)), All),
    length(All, Count),
    (   Count < Most
    ->  true
    ;   throw(error(resource_error(engines), context(engine_create/3, 'engine_destroy/1 ends one')))
    ).

%   native(+Handle, -Native): the query that made the engine is still there; what a hint or an explanation made, as it ran
%   the query again, is nobody's.

native(Handle, Native) :-
    recorded(hb_coroutines, engine(Handle, Native, Owner)),
    is_there(Owner),
    !.

is_there(Owner) :-
    (   Owner == main
    ->  true
    ;   system:is_engine(Owner)
    ).

%   must_be_engine(+Handle, -Native).

must_be_engine(Handle, Native) :-
    (   var(Handle)
    ->  throw(error(instantiation_error, _))
    ;   native(Handle, Native0)
    ->  Native = Native0
    ;   throw(error(existence_error(engine, Handle), _))
    ).

%!  engine_next(+Engine, -Answer) is semidet.
%!  engine_next_reified(+Engine, -Next) is det.
%
%   The next answer of Engine.  Next is the(Answer), `no` or throw(Error), after which there is no Engine.
%
%   @error permission_error(resume, engine, Engine) if Engine runs

engine_next(Handle, Answer) :-
    next_of(Handle, Next),
    (   Next = the(Answer0)
    ->  Answer = Answer0
    ;   Next = throw(Ball)
    ->  throw(Ball)
    ;   fail
    ).

engine_next_reified(Handle, Next) :-
    next_of(Handle, Next0),
    (   Next0 = throw(Ball),
        stop(Ball)
    ->  throw(Ball)
    ;   Next = Next0
    ).

next_of(Handle, Next) :-
    must_be_engine(Handle, Native),
    (   current_transaction(_)          % whose changes the engine would not see
    ->  throw(error(permission_error(resume, engine, Handle), context(_, 'an engine does not run within a transaction')))
    ;   true
    ),
    (   recorded(hb_coroutines, running(Handle))
    ->  throw(error(permission_error(resume, engine, Handle), _))
    ;   true
    ),
    recordz(hb_coroutines, running(Handle), Running),
    next_reified(Native, Next0),
    erase(Running),
    (   Next0 = the(Given)
    ->  Given = the(Answer),
        Next = the(Answer)
    ;   forget_engine(Handle),
        Next = Next0
    ).

%!  engine_post(+Engine, +Term) is det.
%!  engine_post(+Engine, +Term, -Answer) is semidet.
%
%   Give Term to Engine, which takes it by engine_fetch/1; then engine_next/2.
%
%   @error permission_error(post_to, engine, Engine) before Engine has taken the last

engine_post(Handle, Term) :-
    must_be_engine(Handle, _),
    (   recorded(hb_coroutines, posted(Handle, _))
    ->  throw(error(permission_error(post_to, engine, Handle), _))
    ;   recordz(hb_coroutines, posted(Handle, Term))
    ).

engine_post(Handle, Term, Answer) :-
    engine_post(Handle, Term),
    engine_next(Handle, Answer).

%!  engine_yield(+Answer) is det.
%
%   Called in an engine: Answer is its next answer, and the goal goes on with the one after it.
%
%   @error permission_error(execute, vmi, 'I_YIELD') in no engine, or below C code that has called Prolog

engine_yield(Answer) :-
    (   nb_current(hb_coroutine, _)
    ->  system:engine_yield(the(Answer))
    ;   throw(error(permission_error(execute, vmi, 'I_YIELD'), context(engine_yield/1, 'not an engine')))
    ).

%!  engine_fetch(-Term) is det.
%
%   Called in an engine: Term was posted to it.
%
%   @error existence_error(term, delivery, Engine)

engine_fetch(Term) :-
    (   nb_current(hb_coroutine, Handle)
    ->  true
    ;   Handle = main
    ),
    (   recorded(hb_coroutines, posted(Handle, Posted), Ref)
    ->  erase(Ref),
        Term = Posted
    ;   throw(error(existence_error(term, delivery, Handle), context(engine_fetch/1, 'Use engine_post/2,3')))
    ).

%!  engine_self(-Engine) is semidet.
%
%   The goal runs in Engine.

engine_self(Engine) :-
    nb_current(hb_coroutine, Engine).

%!  engine_destroy(+Engine) is det.

engine_destroy(Handle) :-
    must_be_engine(Handle, Native),
    (   recorded(hb_coroutines, running(Handle))
    ->  throw(error(permission_error(destroy, engine, Handle), _))
    ;   destroy(Handle, Native)
    ).

destroy(Handle, Native) :-
    catch(system:engine_destroy(Native), _, true),
    forget_engine(Handle).

forget_engine(Handle) :-
    forall(( recorded(hb_coroutines, engine(Handle, _, _), Ref)
           ; recorded(hb_coroutines, posted(Handle, _), Ref)
           ),
           erase(Ref)).

%!  is_engine(@Term) is semidet.
%!  current_engine(?Engine) is nondet.

is_engine(Term) :-
    nonvar(Term),
    native(Term, _).

current_engine(Engine) :-
    findall(Handle, ( recorded(hb_coroutines, engine(Handle, _, Owner)), is_there(Owner) ), Handles),
    '$member'(Engine, Handles).

%!  end_coroutines is det.
%
%   The query that runs here has ended: so do the engines that it has made.

end_coroutines :-
    (   recorded(hb_coroutines, _)
    ->  query_engine(Owner),
        forall(( recorded(hb_coroutines, engine(Handle, Native, Owner0)), Owner0 == Owner ),
               destroy(Handle, Native)),
        forall(recorded(hb_coroutines, running(Handle), Ref),
               ( native(Handle, _) -> true ; erase(Ref) ))
    ;   true
    ).
