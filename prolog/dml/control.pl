:- module(hb_dml_control,
          [ setup_call_cleanup/3,       % :Setup, :Goal, :Cleanup
            call_cleanup/2,             % :Goal, :Cleanup
            setup_call_catcher_cleanup/4,
                                        % :Setup, :Goal, ?Catcher, :Cleanup
            with_output_to/2,           % +Sink, :Goal
            start_gas/1                 % +Gas
          ]).
:- use_module(library(prolog_stream), [open_prolog_stream/4]).
:- use_module('../limits').

/** <module> Control constructs in which a DML program may wait for its host

SWI-Prolog's own versions call goals from C, where an engine cannot yield.  These call
them from Prolog.
*/

:- redefine_system_predicate(setup_call_cleanup(_,_,_)).
:- redefine_system_predicate(call_cleanup(_,_)).
:- redefine_system_predicate(setup_call_catcher_cleanup(_,_,_,_)).
:- redefine_system_predicate(with_output_to(_,_)).

:- meta_predicate
    setup_call_cleanup(0, 0, 0),
    call_cleanup(0, 0),
    setup_call_catcher_cleanup(0, 0, ?, 0),
    with_output_to(?, 0).

:- dynamic captured/2.                  % Stream, Text

setup_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, _, Cleanup).

call_cleanup(Goal, Cleanup) :-
    setup_call_catcher_cleanup(true, Goal, _, Cleanup).

%!  setup_call_catcher_cleanup(:Setup, :Goal, ?Catcher, :Cleanup) is nondet.
%
%   As in SWI-Prolog.  Cleanup is called from C only if Goal is left by a cut, or by a limit of the run.

setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    once(Setup),
    must_be_callable(Goal),
    must_be_callable(Cleanup),
    Left = left(true),
    system:setup_call_catcher_cleanup(
               true,
               hb_dml_control:call_left(Left, Goal, Catcher, Cleanup),
               Reason,
               hb_dml_control:clean(Left, Reason, Catcher, Cleanup)).

must_be_callable(_:Goal) :-
    (   callable(Goal)
    ->  true
    ;   var(Goal)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(callable, Goal), _))
    ).

call_left(Left, Goal, Catcher, Cleanup) :-
    catch(system:call_cleanup(Goal, Last=true), Ball, true),
    (   nonvar(Ball)
    ->  not_a_stop(Ball),
        clean(Left, exception(Ball), Catcher, Cleanup),
        throw(Ball)
    ;   Last == true
    ->  !,
        clean(Left, exit, Catcher, Cleanup)
    ;   true
    ).
call_left(Left, _, Catcher, Cleanup) :-
    clean(Left, fail, Catcher, Cleanup),
    fail.

clean(Left, Reason, Catcher, Cleanup) :-
    (   arg(1, Left, true)
    ->  nb_setarg(1, Left, false),
        (   Catcher = Reason
        ->  within_gas(Reason, Cleanup)
        ;   true
        )
    ;   true
    ).

%   within_gas(+Reason, :Cleanup): SWI-Prolog lifts its inference limit when it is reached,
%   whether it is that of the gas or one that the program sets.  Cleanup then gets the gas
%   that is left, and a little extra that all cleanups share.

within_gas(exception(Ball), Cleanup) :-
    nonvar(Ball),
    stop(Ball),
    nb_current(hb_dml_gas, Last),
    !,
    statistics(inferences, Used),
    gas_for_cleanup(More),
    Gas is Last+More-Used,
    (   Gas > 0
    ->  system:call_with_inference_limit(ignore(Cleanup), Gas, Result)
    ;   Result = inference_limit_exceeded
    ),
    (   Result == inference_limit_exceeded
    ->  throw('$hb_stop'(gas))
    ;   true
    ).
within_gas(_, Cleanup) :-
    ignore(Cleanup).

gas_for_cleanup(100000).

%!  start_gas(+Gas) is det.
%
%   The program in this engine may take Gas inferences from now, or any number if Gas is `none`.

start_gas(none) :-
    !.
start_gas(Gas) :-
    statistics(inferences, Used),
    Last is Used+Gas,
    nb_setval(hb_dml_gas, Last).

%!  with_output_to(?Sink, :Goal) is semidet.

with_output_to(Sink, Goal) :-
    current_output(Before),
    open_prolog_stream(hb_dml_control, write, Stream, []),
    set_output(Stream),
    (   catch(Goal, Ball, true)
    ->  true
    ;   Failed = true
    ),
    close(Stream),
    set_output(Before),
    findall(Text, retract(captured(Stream, Text)), Texts),
    (   nonvar(Ball)
    ->  throw(Ball)
    ;   Failed \== true,
        atomics_to_string(Texts, Text),
        format(Sink, "~w", [Text])
    ).

:- public stream_write/2, stream_close/1.

stream_write(Stream, Text) :-
    assertz(captured(Stream, Text)).

stream_close(_).
