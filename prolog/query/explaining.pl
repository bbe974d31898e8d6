:- module(hb_explaining,
          [ explain/3,                  % :Goal, -Control, -Parts
            explain_on/4,               % +Told, +Seconds, -Control, -Parts
            asking/2,                   % +What, :Goal
            next_answered/2             % +Engine, -Next
          ]).
:- use_module('../limits').
:- use_module('../store/store').
:- use_module('../capability').
:- use_module('../host/sets', [some_set/0]).

/** <module> Explanations and constraints that ask the host

What is explained, the goal of a constraint, and a node of a workflow run in an engine of their own, as ever.  If the book has linked data, sets, or
predicates that the host answers, whoever asks for it runs in an engine, too, and hands its questions on: then the request
ends with a question, and goes on when it is answered.
*/

:- meta_predicate
    explain(2, -, -),
    asking(+, 0).

%!  explain(:Goal, -Control, -Parts) is det.
%
%   Call Goal with Control and Parts, those of its reply.  They may be those of a question.

explain(Goal, Control, Parts) :-
    forget_asking,
    (   asks
    ->  engine_create(Control0-Parts0, call(Goal, Control0, Parts0), Engine),
        go_on(Engine, Control, Parts)
    ;   call(Goal, Control, Parts)
    ).

%   asks: something that is explained may ask the host.

asks :-
    linked,
    !.
asks :-
    some_set,
    !.
asks :-
    hb_capability:class(host, _, _, _),
    !.

%   forget_asking: end what has asked and was not answered.

forget_asking :-
    forall(recorded(hb_explaining, Engine, Record),
           ( erase(Record),
             catch(engine_destroy(Engine), _, true) )).

%!  explain_on(+Told, +Seconds, -Control, -Parts) is det.
%
%   Resume the explanation that asked.  Told is as for hb_session:host_answered/6.

explain_on(Told, Seconds, Control, Parts) :-
    recorded(hb_explaining, Engine, Record),
    !,
    erase(Record),
    continue_step(Seconds),
    engine_post(Engine, Told),
    go_on(Engine, Control, Parts).

go_on(Engine, Control, Parts) :-
    engine_next_reified(Engine, Next),
    (   Next = the('$ask'(Question))
    ->  recordz(hb_explaining, Engine),
        Control = [asks=true],
        Parts = [Question]
    ;   catch(engine_destroy(Engine), _, true),
        (   Next = the(Control0-Parts0)
        ->  Control = Control0,
            Parts = Parts0
        ;   Next = throw(Ball),
            throw(Ball)
        )
    ).

%!  asking(+What, :Goal) is nondet.
%
%   Goal, in an engine that next_answered/2 runs, may ask for linked data, and if What is `explained` and not `linked`, for
%   what the host answers.

asking(What, Goal) :-
    nb_setval(hb_asks, What),
    call(Goal).

%!  next_answered(+Engine, -Next) is det.
%
%   As next_reified/2, for an engine whose goal asks.

next_answered(Engine, Next) :-
    next_reified(Engine, Next0),
    (   Next0 = the('$ask'(Question))
    ->  engine_yield('$ask'(Question)),
        engine_fetch(Told),
        engine_post(Engine, Told),
        next_answered(Engine, Next)
    ;   Next = Next0
    ).
