:- module(hb_limits,
          [ start_step/1,               % +Seconds
            watch/0,
            not_a_stop/1,               % ?Ball
            open_output/0,
            take_output/1,              % -Text
            set_output_limit/1,         % +Chars
            output_stream/1             % -Stream
          ]).
:- use_module(library(prolog_stream), [open_prolog_stream/4]).

/** <module> Time and output of running code

The soft limits.  A heartbeat, which SWI-Prolog calls every so many
inferences, stops code that has run too long or written too much.  It does
not reach built-in predicates nor recursion that exits no fact: there the
conductor ends the whole engine.

What untrusted code writes goes to one stream, which is taken as text after
every answer.
*/

:- dynamic
    deadline/1,
    output_limit/1,
    output_stream/1,
    chunk/1,
    written/1,
    overflow/0.

deadline(0).
output_limit(1000000).
written(0).

inferences_between_heartbeats(100000).

%!  start_step(+Seconds) is det.
%
%   Code may run for Seconds from now.

start_step(Seconds) :-
    get_time(Now),
    Deadline is Now+Seconds,
    retractall(deadline(_)),
    assertz(deadline(Deadline)),
    output_stream(Stream),
    flush_output(Stream),
    (   written(0)
    ->  true
    ;   drop_output
    ).

%!  watch is det.
%
%   Have the heartbeat in this engine, and its output captured.

watch :-
    inferences_between_heartbeats(N),
    set_prolog_flag(heartbeat, N),
    output_stream(Stream),
    set_output(Stream).

:- abolish(prolog:heartbeat/0).

prolog:heartbeat :-
    hb_limits:beat.

beat :-
    deadline(Deadline),
    (   Deadline > 0,
        get_time(Now),
        Now > Deadline
    ->  throw('$hb_stop'(time))
    ;   overflow
    ->  throw('$hb_stop'(output))
    ;   true
    ).

%!  not_a_stop(?Ball) is det.
%
%   Called first in the recovery of every catch/3 of untrusted code, which
%   must not go on after a stop.

not_a_stop(Ball) :-
    nonvar(Ball),
    Ball = '$hb_stop'(_),
    !,
    throw(Ball).
not_a_stop(_).

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

%   Called when the buffer is written out.  Text over the limit is dropped
%   here, and the heartbeat or the end of the step says so.

stream_write(_, Text) :-
    string_length(Text, Length),
    written(Written0),
    output_limit(Limit),
    Written is Written0+Length,
    retractall(written(_)),
    assertz(written(Written)),
    (   Written > Limit
    ->  (   overflow
        ->  true
        ;   assertz(overflow)
        )
    ;   assertz(chunk(Text))
    ).

%!  take_output(-Text:string) is det.
%
%   Text is what was written since the last call.
%
%   @error hornbook(stopped(output)) if it was too much.

take_output(Text) :-
    output_stream(Stream),
    flush_output(Stream),
    (   written(0)
    ->  Text = ""
    ;   overflow
    ->  drop_output,
        throw('$hb_stop'(output))
    ;   findall(Chunk, retract(chunk(Chunk)), Chunks),
        atomic_list_concat(Chunks, Atom), atom_string(Atom, Text),
        drop_output
    ).

drop_output :-
    retractall(chunk(_)),
    retractall(overflow),
    retractall(written(_)),
    assertz(written(0)).

%!  set_output_limit(+Chars) is det.

set_output_limit(Chars) :-
    retractall(output_limit(_)),
    assertz(output_limit(Chars)).
