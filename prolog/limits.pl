:- module(hb_limits,
          [ start_step/1,               % +Seconds
            continue_step/1,            % +Seconds
            watch/0,
            next_reified/2,             % +Engine, -Next
            not_a_stop/1,               % ?Ball
            stop/1,                     % @Ball
            reserved/1,                 % @Ball
            open_output/0,
            whole/1,                    % :Goal
            surely/1,                   % :Goal
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
:- use_module(indexes).
:- use_module(library(prolog_stream), [open_prolog_stream/4]).

/** <module> Limits of running code

The soft limits, under the names that the conductor gives them.  A
heartbeat, which SWI-Prolog calls every so many inferences, stops code that
has run too long or written too much, counts which predicates run, and has the
virtual machine entered again.  It does not reach built-in predicates
nor recursion that exits no fact: there the conductor ends the whole engine.

What untrusted code writes goes to one stream, which is taken as text after
every answer.
*/

:- dynamic
    limit_of/2,
    output_stream/1,
    chunk/1,
    overflow/0,
    broken/0.

%!  limit_of(+Name, -Value) is det.
%
%   Value is the default until the conductor's boot request sets it.

%   Generated from src/base/limits.rs by `cargo run -p hornbook-generate`:

limit_of(entries, 1000000).
limit_of(nesting, 1000).
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

%   flag_of(+Name, -Flag): SWI-Prolog itself keeps this limit.

flag_of(stack_bytes, stack_limit).
flag_of(table_bytes, table_space).
flag_of(integer_bytes, max_integer_size).

inferences_between_heartbeats(100000).

%!  start_step(+Seconds) is det.
%
%   Code may run for Seconds from now.

start_step(Seconds) :-
    continue_step(Seconds),
    limit_of(inferences, Inferences),
    inferences_between_heartbeats(N),
    Beats is Inferences//N,
    set_flag(hb_beats_left, Beats),
    forget_places,
    output_stream(Stream),
    flush_output(Stream),
    (   get_flag(hb_written, 0)
    ->  true
    ;   drop_output
    ).

%!  continue_step(+Seconds) is det.
%
%   Code that has waited may go on for Seconds from now.

continue_step(Seconds) :-
    get_time(Now),
    Deadline is Now+Seconds,
    set_flag(hb_deadline, Deadline).

%!  watch is det.
%
%   Have the heartbeat in this engine, and its output captured.  Whoever runs it calls next_reified/2.

watch :-
    inferences_between_heartbeats(N),
    set_prolog_flag(heartbeat, N),
    roomy_stack,
    output_stream(Stream),
    set_output(Stream).

%   roomy_stack: what a collection of garbage leaves free at least, in units of 16 bytes, before the stack grows; 4 MiB of
%   the stack that is usual.  An engine begins with a small one, and would collect all the time.

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
    ->  enter_again
    ;   true
    ).

%   enter_again: leave SWI-Prolog's virtual machine, which is one function of the wasm, and have next_reified/2 call it
%   again at once.  A JavaScript machine compiles a function quickly first and well later, and a call that has begun is
%   never replaced: a query that comes before the good code is there would run in the slow one to its end.  It cannot be
%   left below C that has called Prolog.

enter_again :-
    catch(engine_yield('$enter_again'), error(permission_error(_, _, _), _), true).

%!  next_reified(+Engine, -Next) is det.
%
%   As engine_next_reified/2, of an engine that has called watch/0.

next_reified(Engine, Next) :-
    engine_next_reified(Engine, Next0),
    (   Next0 == the('$enter_again')
    ->  next_reified(Engine, Next)
    ;   Next = Next0
    ).

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

%   step_deadline(-Time): when the step must end, as get_time/1 has it; 0
%   before the first.

step_deadline(Time) :-
    get_flag(hb_deadline, Time).

%!  whole(:Goal) is semidet.
%
%   Goal, of trusted code, changes the store in the middle of untrusted code,
%   and is done whole: a stop waits until its end, and so does the limit of a
%   call_with_inference_limit/3 around it.  Where it ends with an error all the
%   same, as of a full stack, whole/0 fails from then on.
%
%   The flag hb_whole is 1 while Goal runs, and 2 when a stop waits.

:- meta_predicate
    whole(0),
    surely(0).

whole(Goal) :-
    lift_inference_limit(Limit),
    get_flag(hb_whole, Before),
    set_flag(hb_whole, 1),
    (   Before =:= 0
    ->  true
    ;   assertz(broken)
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

%   lift_inference_limit(-Limit): there is none now; Limit is what it was.  To be
%   told it a new one must be given, larger than any that a program comes to.

lift_inference_limit(Limit) :-
    '$inference_limit'(4611686018427387904, Limit),
    set_inference_limit(infinite).

set_inference_limit(Limit) :-
    \+ '$inference_limit_false'(Limit).   % sets it, and fails

%!  surely(:Goal) is semidet.
%
%   Goal changes the store where no untrusted code runs, and nothing stops it.
%   Where it fails or ends with an error whole/0 fails from then on.

surely(Goal) :-
    catch(Goal, Ball, ( assertz(broken), throw(Ball) )),
    !.
surely(_) :-
    assertz(broken),
    fail.

%!  whole is semidet.
%
%   Everything that was begun was ended.  Else nobody knows what this engine
%   holds.

whole :-
    \+ broken,
    get_flag(hb_whole, 0).

%!  died(+Message:string) is det.
%
%   Nobody knows any more what this engine holds: the conductor is told, and ends
%   it.

died(Message) :-
    throw(hb_died(Message)).

%!  not_a_stop(?Ball) is det.
%
%   Called first in the recovery of every catch/3 of untrusted code, which
%   must not go on after a stop.

not_a_stop(Ball) :-
    nonvar(Ball),
    stop(Ball),
    !,
    throw(Ball).
not_a_stop(_).

%!  stop(@Ball) is semidet.
%
%   Ball ends untrusted code because of a limit.

stop('$hb_stop'(_)).
stop(inference_limit_exceeded).

%!  reserved(@Ball) is semidet.
%
%   Ball, which is no variable, means something to this system or to SWI-Prolog: untrusted code does not throw it.

reserved(unwind(_)).
reserved('$hb_stop'(_)).
reserved('$aborted').
reserved(inference_limit_exceeded).

%!  open_output is det.
%
%   Make the stream for what untrusted code writes, under the names of all
%   standard output streams.

open_output :-
    open_prolog_stream(hb_limits, write, Stream, []),
    set_stream(Stream, buffer(full)),
    set_stream(Stream, alias(user_output)),
    set_stream(Stream, alias(user_error)),
    retractall(output_stream(_)),
    assertz(output_stream(Stream)).

%   Called when the buffer is written out.  Text over the limit is cut off
%   here, which its last character tells, and the heartbeat or the end of the
%   step says so.

stream_write(_, Text) :-
    string_length(Text, Length),
    limit_of(output_chars, Limit),
    get_flag(hb_written, Before),
    Written is Before+Length,
    set_flag(hb_written, Written),
    (   Written =< Limit
    ->  assertz(chunk(Text))
    ;   overflow
    ->  true
    ;   Fits is max(0, Limit-Before-1),
        sub_string(Text, 0, Fits, _, Begin),
        string_concat(Begin, "…", Cut),
        assertz(chunk(Cut)),
        assertz(overflow)
    ).

%!  no_output is semidet.
%
%   Nothing was written to the current output, that of watch/0, since
%   take_output/1: what is called for every answer must be fast.

no_output :-
    flush_output,
    get_flag(hb_written, 0).

%!  take_output(-Text:string) is det.
%
%   Text is what was written since the last call.
%
%   Throws '$hb_stop'(output_chars) if it was too much; the start of it is then
%   what take_last_output/1 gives.

take_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    (   get_flag(hb_written, 0)
    ->  Text = ""
    ;   overflow
    ->  retractall(overflow),
        throw('$hb_stop'(output_chars))
    ;   take_chunks(Text)
    ).

%!  output_beyond_limit is semidet.
%
%   More was written since take_output/1 than may be.

output_beyond_limit :-
    output_stream(Stream),
    flush_output(Stream),
    overflow.

%!  take_last_output(-Text:string) is det.
%
%   As take_output/1 where a goal has ended: of what was too much Text is the
%   begin.

take_last_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    take_chunks(Text).

%!  new_output(-Text:string) is det.
%
%   Text is the end of what was written since the last answer and since the last call; it stays what is taken with the
%   next answer.

new_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    findall(Chunk, chunk(Chunk), Chunks),
    atomics_to_string(Chunks, All),
    string_length(All, Length),
    get_flag(hb_prompted, Told),
    set_flag(hb_prompted, Length),
    Before is max(Told, Length-2000),
    sub_string(All, Before, _, 0, Text).

take_chunks(Text) :-
    findall(Chunk, retract(chunk(Chunk)), Chunks),
    atomic_list_concat(Chunks, Atom), atom_string(Atom, Text),
    drop_output.

drop_output :-
    retractall(chunk(_)),
    retractall(overflow),
    set_flag(hb_written, 0),
    set_flag(hb_prompted, 0).
