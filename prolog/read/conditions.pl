:- module(hb_conditions,
          [ no_conditions/0,
            conditional/2               % +Term, -What
          ]).
:- use_module('../sandbox/sandbox').
:- use_module('../store/step').
:- use_module('../limits').

/** <module> Conditional compilation

`:- if(Goal)`, `elif`, `else` and `endif` in a text that is added.  The clauses they leave out are
not in the book, so the directives have no effect when the book is read again.
*/

%!  no_conditions is det.
%
%   A new text begins.

no_conditions :-
    nb_setval(hb_conditions, []),
    seconds(Seconds),
    nb_setval(hb_conditions_left, Seconds).

%!  conditional(+Term, -What) is det.
%
%   What is `keep` or `skip`, or directive(Name, Arity) if Term is a directive of conditional
%   compilation that is kept itself.

conditional(Term, What) :-
    nb_getval(hb_conditions, Stack),
    (   nonvar(Term),
        Term = (:- Directive),
        callable(Directive),
        condition(Directive, Name, Arity)
    ->  (   nb_current(hb_loading, true)
        ->  true
        ;   next_stack(Directive, Stack, Stack1),
            nb_setval(hb_conditions, Stack1)
        ),
        What = directive(Name, Arity)
    ;   skipping(Stack)
    ->  What = skip
    ;   What = keep
    ).

condition(if(_), if, 1).
condition(elif(_), elif, 1).
condition(else, else, 0).
condition(endif, endif, 0).

%   The stack holds the state of each open `if`: `taken` if its current branch is read, `waiting` if
%   a later branch may be, `over` if none of the rest is.

skipping([State|_]) :-
    State \== taken.

next_stack(if(Goal), Stack, [State|Stack]) :-
    (   skipping(Stack)
    ->  State = over
    ;   nb_setval(hb_conditions, [waiting|Stack]),       % also if Goal throws
        holds(Goal)
    ->  State = taken
    ;   State = waiting
    ).
next_stack(elif(Goal), Stack0, [State|Stack]) :-
    open_if(Stack0, elif/1, State0, Stack),
    (   State0 == waiting
    ->  (   holds(Goal)
        ->  State = taken
        ;   State = waiting
        )
    ;   State = over
    ).
next_stack(else, Stack0, [State|Stack]) :-
    open_if(Stack0, else/0, State0, Stack),
    (   State0 == waiting
    ->  State = taken
    ;   State = over
    ).
next_stack(endif, Stack0, Stack) :-
    open_if(Stack0, endif/0, _, Stack).

open_if([State|Stack], _, State, Stack) :-
    !.
open_if([], PI, _, _) :-
    throw(error(hornbook(directive(PI, "There is no `:- if(Goal).` before it.")), _)).

%   holds(+Goal): run Goal in an engine of its own, which leaves no effects.

%   The seconds that all conditions of one text may take together.

seconds(2).

holds(Goal) :-
    safe_body(Goal, Safe),
    nb_getval(hb_conditions_left, Seconds),
    get_time(Start),
    start_step(Seconds),
    setup_call_cleanup(true, without_changes(condition, hb_conditions:alone(Safe)), since(Start, Seconds)).

since(Start, Seconds) :-
    get_time(Now),
    Left is max(0, Seconds-(Now-Start)),
    nb_setval(hb_conditions_left, Left).

%   alone(+Safe): its cleanup also runs before the engine is gone.

alone(Safe) :-
    setup_call_cleanup(
        engine_create(true, hb_conditions:run(Safe), Engine),
        holds_in(Engine),
        catch(engine_destroy(Engine), _, true)).

holds_in(Engine) :-
    next_reified(Engine, Next),
    (   Next = throw(Ball)
    ->  throw(Ball)
    ;   Next = the(true)
    ).

run(Safe) :-
    watch,
    call(knowledge_base:Safe).
