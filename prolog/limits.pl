:- module(hb_limits,
          [ start_step/1,               % +Seconds
            continue_step/1,            % +Seconds
            step_took/0,
            watch/0,
            next_reified/2,             % +Engine, -Next
            watched_once/3,             % +Template, :Goal, -Next
            few_beats/0,
            not_a_stop/1,               % ?Ball
            stop/1,                     % @Ball
            reserved/1,                 % @Ball
            begin_limit/3,              % +Seconds, +Ball, -Limit
            end_limit/1,                % +Limit
            pass_limit/2,               % +Seconds, +Ball
            passed_ms/1,                % -Ms
            open_output/0,
            whole/1,                    % :Goal
            uninterrupted/1,            % :Goal
            whole/0,
            died/1,                     % +Message
            no_output/0,
            take_output/1,              % -Text
            take_last_output/1,         % -Text
            new_output/1,               % -Text
            output_beyond_limit/0,
            limit_of/2,                 % +Name, -Value
            set_limit/2,                % +Name, +Value
            output_stream/1             % -Stream
          ]).
:- use_module(place).
:- use_module(profile).
:- use_module(indexes).
:- use_module(library(prolog_stream), [open_prolog_stream/4]).

/** <module> Limits of running code

The soft limits, under the conductor's names for them.  A heartbeat, which SWI-Prolog
calls every so many inferences, stops code that has run too long or written too much,
counts which predicates run, and makes the virtual machine be entered again.  It does
not reach built-in predicates, nor recursion that never exits a fact: there the
conductor ends the whole engine.

What untrusted code writes goes to one stream, which is taken as text after every answer.
*/

:- dynamic
    limit_of/2,
    output_stream/1.

%   What a transaction of untrusted code must not take back is kept in flags and records.

overflow :-
    get_flag(hb_overflow, 1).

broken :-
    get_flag(hb_broken, 1).

now_broken :-
    set_flag(hb_broken, 1).

%!  limit_of(+Name, -Value) is det.
%
%   Value is the default until the conductor's boot request sets it.

%   Generated from src/base/limits.rs by `cargo run -p hornbook-generate`:

limit_of(entries, 1000000).
limit_of(nesting, 1000).
limit_of(numeral_digits, 10000).
limit_of(answer_depth, 1000).
limit_of(json_depth, 50).
limit_of(answer_chars, 100000).
limit_of(output_chars, 100000).
limit_of(inferences, 10000000000).
limit_of(stack_bytes, 134217728).
limit_of(table_bytes, 268435456).
limit_of(integer_bytes, 1048576).

%   End of what is generated.

%!  set_limit(+Name, +Value) is det.

set_limit(Name, Value) :-
    retractall(limit_of(Name, _)),
    assertz(limit_of(Name, Value)),
    (   flag_of(Name, Flag)
    ->  set_prolog_flag(Flag, Value)
    ;   true
    ).

%   flag_of(+Name, -Flag): SWI-Prolog enforces this limit itself.

flag_of(stack_bytes, stack_limit).
flag_of(table_bytes, table_space).
flag_of(integer_bytes, max_integer_size).

inferences_between_heartbeats(100000).

%!  start_step(+Seconds) is det.
%
%   Code may run for Seconds from now.

start_step(Seconds) :-
    continue_step(Seconds),
    collect_erased,
    limit_of(inferences, Inferences),
    inferences_between_heartbeats(N),
    Beats is Inferences//N,
    set_flag(hb_beats_left, Beats),
    set_flag(hb_passed_ms, 0),
    forget_places,
    forget_samples,
    output_stream(Stream),
    flush_output(Stream),
    (   get_flag(hb_written, 0)
    ->  true
    ;   drop_output
    ).

%   collect_erased: SWI-Prolog collects erased clauses once they take an eighth of the memory of all code.  Until
%   then whoever looks for a clause of their predicate passes them, and an engine has much code.  Ask for a part
%   that is what an eighth is in a small program.

collect_erased :-
    statistics(codes, Codes),
    Part is max(8, Codes//16_384),
    '$cgc_params'(_, Stack, Clauses, Part, Stack, Clauses).

%!  continue_step(+Seconds) is det.
%
%   Code that has waited may run on for Seconds from now.

continue_step(Seconds) :-
    get_time(Now),
    set_flag(hb_step_began, Now),
    Deadline is Now+Seconds,
    set_flag(hb_deadline, Deadline).

%!  step_took is det.
%
%   The flag hb_step_took has the seconds since the step began or went on.

step_took :-
    get_flag(hb_step_began, Began),
    get_time(Now),
    Took is Now-Began,
    set_flag(hb_step_took, Took).

%!  watch is det.
%
%   Enable the heartbeat in this engine and capture its output.  Whoever runs the engine calls next_reified/2.

watch :-
    inferences_between_heartbeats(N),
    set_prolog_flag(heartbeat, N),
    roomy_stack,
    output_stream(Stream),
    set_output(Stream).

%   roomy_stack: set the least that a garbage collection must leave free before the stack grows, in
%   units of 16 bytes: 4 MiB with the usual stack limit.  An engine starts with a small stack, and
%   would collect all the time.

roomy_stack :-
    current_prolog_flag(stack_limit, Limit),
    Free is min(262_144, Limit//512),
    set_prolog_stack(global, min_free(Free)).

:- abolish(prolog:heartbeat/0).

prolog:heartbeat :-
    hb_limits:beat.

beat :-
    judge_indexes,                      % code may have added many clauses
    sample,
    (   due(What)
    ->  get_flag(hb_whole, State),
        (   State =:= 0
        ->  throw('$hb_stop'(What))
        ;   set_flag(hb_whole, 2)
        )
    ;   get_flag(hb_whole, 0)
    ->  own_limits,
        hb_step:room_left,
        enter_again
    ;   true
    ).

%   enter_again: leave SWI-Prolog's virtual machine, a single function of the wasm, and have
%   next_reified/2 call it again at once.  A JavaScript engine compiles a function quickly first and
%   well later, but never replaces a call in progress: a query that starts before the optimised code
%   exists would run in the slow code to its end.  The machine cannot be left below C code that has
%   called Prolog.

enter_again :-
    catch(engine_yield('$enter_again'), error(permission_error(_, _, _), _), true).

%!  next_reified(+Engine, -Next) is det.
%
%   As engine_next_reified/2, for an engine that has called watch/0.

next_reified(Engine, Next) :-
    engine_next_reified(Engine, Next0),
    (   Next0 == the('$enter_again')
    ->  next_reified(Engine, Next)
    ;   Next = Next0
    ).

%!  watched_once(+Template, :Goal, -Next) is det.
%
%   Run Goal once in an engine of its own, where the limits of the step hold.  Next is that of engine_next_reified/2.

:- meta_predicate watched_once(?, 0, -).

watched_once(Template, Goal, Next) :-
    setup_call_cleanup(
        engine_create(Template, hb_limits:watched(Goal), Engine),
        next_reified(Engine, Next),
        catch(engine_destroy(Engine), _, true)).

watched(Goal) :-
    watch,
    call(Goal),
    !.

%!  few_beats is det.
%
%   From now on the step has the inferences of a few heartbeats, so many as take about 100 ms, however busy the machine is.

few_beats :-
    set_flag(hb_beats_left, 5).

due(time) :-
    step_deadline(Deadline),
    Deadline > 0,
    get_time(Now),
    Now > Deadline,
    !.
due(output_chars) :-
    overflow,
    !.
due(inferences) :-
    get_flag(hb_beats_left, Beats),
    Left is Beats-1,
    set_flag(hb_beats_left, Left),
    Beats < 1.

%!  begin_limit(+Seconds, +Ball, -Limit) is det.
%!  end_limit(+Limit) is det.
%
%   From begin_limit/3 to end_limit/1 the heartbeat throws Ball once Seconds are over.

begin_limit(Seconds, Ball, Limit) :-
    get_time(Now),
    Until is Now+Seconds,
    recordz(hb_own_limits, until(Until, Seconds, Ball), Limit).

end_limit(Limit) :-
    erase(Limit).

own_limits :-
    (   recorded(hb_own_limits, until(Until, Seconds, Ball)),
        get_time(Now),
        Now > Until
    ->  pass_limit(Seconds, Ball)
    ;   true
    ).

%!  pass_limit(+Seconds, +Ball) is erroneous.
%
%   Throw Ball: a limit of Seconds is passed.

pass_limit(Seconds, Ball) :-
    Ms is max(1, round(Seconds*1000)),
    set_flag(hb_passed_ms, Ms),
    throw(Ball).

%!  passed_ms(-Ms) is semidet.
%
%   Ms is the limit that was last passed in this step, other than that of the step.

passed_ms(Ms) :-
    get_flag(hb_passed_ms, Ms),
    Ms > 0.

%   step_deadline(-Time): when the step must end, in the form of get_time/1; 0 before
%   the first step.

step_deadline(Time) :-
    get_flag(hb_deadline, Time).

%!  whole(:Goal) is semidet.
%
%   Run Goal, trusted code that changes the store in the middle of untrusted code, as a
%   whole: a stop waits until it is done, and so does the limit of a
%   call_with_inference_limit/3 around it.  If it still ends with an error, such as a
%   full stack, whole/0 fails from then on.
%
%   The flag hb_whole is 1 while Goal runs, and 2 if a stop is waiting.

:- meta_predicate
    whole(0),
    uninterrupted(0).

whole(Goal) :-
    lift_inference_limit(Limit),
    get_flag(hb_whole, Before),
    set_flag(hb_whole, 1),
    (   Before =:= 0
    ->  true
    ;   now_broken
    ),
    (   call(Goal)
    ->  end_whole(Limit)
    ;   end_whole(Limit),
        fail
    ).

end_whole(Limit) :-
    get_flag(hb_whole, State),
    set_flag(hb_whole, 0),
    (   Limit == infinite
    ->  true
    ;   set_inference_limit(Limit)
    ),
    (   State =:= 1
    ->  true
    ;   beat
    ).

%   lift_inference_limit(-Limit): remove the limit; Limit is what it was.  SWI-Prolog only
%   tells it when a new limit is set, hence one larger than any program reaches.

lift_inference_limit(Limit) :-
    '$inference_limit'(4611686018427387904, Limit),
    set_inference_limit(infinite).

set_inference_limit(Limit) :-
    \+ '$inference_limit_false'(Limit).   % sets it, and fails

%!  uninterrupted(:Goal) is semidet.
%
%   Run Goal, which changes the store while no untrusted code runs, so that nothing stops
%   it.  If it fails or throws, whole/0 fails from then on.

uninterrupted(Goal) :-
    catch(Goal, Ball, ( now_broken, throw(Ball) )),
    !.
uninterrupted(_) :-
    now_broken,
    fail.

%!  whole is semidet.
%
%   Every change that was begun has ended.  Otherwise the contents of this engine are unknown.

whole :-
    \+ broken,
    get_flag(hb_whole, 0).

%!  died(+Message:string) is det.
%
%   The contents of this engine are no longer known: report that to the conductor, which
%   ends the engine.

died(Message) :-
    throw(hb_died(Message)).

%!  not_a_stop(?Ball) is det.
%
%   Called first in the recovery of every catch/3 of untrusted code, which must not
%   go on after a stop.

not_a_stop(Ball) :-
    nonvar(Ball),
    stop(Ball),
    !,
    throw(Ball).
not_a_stop(Ball) :-
    (   cut_short(Ball)
    ->  hb_tables:drop_abandoned
    ;   true
    ).

%   cut_short(@Ball): where Ball was thrown is by chance, perhaps in the middle of what the system does.

cut_short(Ball) :-
    (   passed_ms(_)
    ->  true
    ;   nonvar(Ball),
        Ball = error(Formal, _),
        nonvar(Formal),
        Formal = resource_error(_)
    ).

%!  stop(@Ball) is semidet.
%
%   Ball ends untrusted code because of a limit.

stop('$hb_stop'(_)).
stop(inference_limit_exceeded).

%!  reserved(@Ball) is semidet.
%
%   Ball, which is nonvar, has a meaning to Hornbook or SWI-Prolog, and untrusted code may not throw it.

reserved(unwind(_)).
reserved('$hb_stop'(_)).
reserved('$aborted').
reserved(inference_limit_exceeded).

%!  open_output is det.
%
%   Open the stream for the output of untrusted code, under the names of all standard
%   output streams.

open_output :-
    open_prolog_stream(hb_limits, write, Stream, []),
    set_stream(Stream, buffer(full)),
    set_stream(Stream, alias(user_output)),
    set_stream(Stream, alias(user_error)),
    retractall(output_stream(_)),
    assertz(output_stream(Stream)).

%   Called when the buffer is flushed.  Text over the limit is cut off here, marked by
%   the last character; the heartbeat or the end of the step raises the error.

stream_write(_, Text) :-
    string_length(Text, Length),
    limit_of(output_chars, Limit),
    get_flag(hb_written, Before),
    Written is Before+Length,
    set_flag(hb_written, Written),
    (   Written =< Limit
    ->  recordz(hb_output, Text)
    ;   overflow
    ->  true
    ;   Fits is max(0, Limit-Before-1),
        sub_string(Text, 0, Fits, _, Begin),
        string_concat(Begin, "…", Cut),
        recordz(hb_output, Cut),
        set_flag(hb_overflow, 1)
    ).

%!  no_output is semidet.
%
%   Nothing was written to the current output, that of watch/0, since take_output/1.
%   Called for every answer, so it must be fast.

no_output :-
    flush_output,
    get_flag(hb_written, 0).

%!  take_output(-Text:string) is det.
%
%   Text is what was written since the last call.
%
%   Throws '$hb_stop'(output_chars) if that was too much; take_last_output/1 then gives
%   the beginning of it.

take_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    (   get_flag(hb_written, 0)
    ->  Text = ""
    ;   overflow
    ->  set_flag(hb_overflow, 0),
        throw('$hb_stop'(output_chars))
    ;   take_chunks(Text)
    ).

%!  output_beyond_limit is semidet.
%
%   More was written since take_output/1 than is allowed.

output_beyond_limit :-
    output_stream(Stream),
    flush_output(Stream),
    overflow.

%!  take_last_output(-Text:string) is det.
%
%   As take_output/1 when a goal has ended.  If too much was written, Text is the
%   beginning of it.

take_last_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    take_chunks(Text).

%!  new_output(-Text:string) is det.
%
%   Text is the end of what was written since the last answer and since the last call.  The next
%   answer still gets it as part of its output.

new_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    findall(Chunk, recorded(hb_output, Chunk), Chunks),
    atomics_to_string(Chunks, All),
    string_length(All, Length),
    get_flag(hb_prompted, Told),
    set_flag(hb_prompted, Length),
    Before is max(Told, Length-2000),
    sub_string(All, Before, _, 0, Text).

take_chunks(Text) :-
    findall(Chunk, recorded(hb_output, Chunk), Chunks),
    atomic_list_concat(Chunks, Atom), atom_string(Atom, Text),
    drop_output.

drop_output :-
    output_stream(Stream),
    set_stream(Stream, line_position(0)),       % what is written next is shown by itself
    forall(recorded(hb_output, _, Ref), erase(Ref)),
    set_flag(hb_overflow, 0),
    set_flag(hb_written, 0),
    set_flag(hb_prompted, 0).
