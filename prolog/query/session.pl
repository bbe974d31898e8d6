:- module(hb_session,
          [ open_query/3,               % +Id, +Text, -Variables
            open_upsert/5,              % +Id, +Name, +Arity, +Key, +Text
            open_assuming/7,            % +Id, +Text, +Assumed, -Variables, -Away, -Control, -Parts
            next_answers/5,             % +Id, +Take, +Seconds, -Control, -Parts
            host_answered/6,            % +Id, +Told, +Take, +Seconds, -Control, -Parts
            close_query/2,              % +Id, -WasOpen
            close_load/2,               % +Id, +Control
            open_apart/1,               % +Asks
            open_exact/1,               % +Exact
            close_all/0
          ]).
:- use_module('../sandbox/sandbox').
:- use_module('../sandbox/streams', [close_streams/1]).
:- use_module('../sandbox/globals', [stay_apart/1]).
:- use_module('../store/step').
:- use_module('../store/restrictions').
:- use_module('../limits').
:- use_module(query_text).
:- use_module(answer).
:- use_module(assumed).
:- use_module(changes).
:- use_module(upsert).
:- use_module(copied).
:- use_module('../read/lambdas').
:- use_module(undefined).
:- use_module('../errors').
:- use_module(library(lists), [nth1/3]).

/** <module> Open queries

Each open query is a Prolog engine, so that queries can interleave freely and keep their choice
points.  A step takes some answers of one query.  The clauses it changes are reported in the reply,
or put back if the query ends with an error or without any answer.
*/

:- dynamic
    holding/2,                          % Id, Assumed: holds while this query runs
    apart/2,                            % Id, Asks: leaves nothing behind; what it may ask the host
    opening_apart/1,                    % Asks: so is the next one that is opened
    exact/1,                            % Id: its answers tell atoms from strings, and floats from integers
    given/1.                            % Text: an answer of this step

%   session(+Id, -Engine, -Names, -Answered) is semidet.
%
%   The query Id is open.  Answered is `none` or `some`: whether it has had answers.  This is a
%   record because calls of a dynamic predicate would pass all erased clauses, which SWI-Prolog
%   seldom collects.

session(Id, Engine, Names, Answered) :-
    recorded(hb_session, session(Id, Engine, Names, Answered)),
    !.

%!  open_query(+Id, +Text, -Variables) is det.
%
%   Open the query Text as Id.  Variables are the names of its variables, except those
%   that begin with an underscore.

open_query(Id, Text, Variables) :-
    query_goal(Text, Goal, Pairs),
    shown_variables(Pairs, Variables, Values),
    query_names(Variables, Names),
    lambda_words(query, Goal, Pairs, Words),
    note_words(Id, Words),
    safe_body(Goal, Safe0),
    (   of_the_load(Id)
    ->  Safe = hb_session:to_its_halt(Safe0)
    ;   Safe = Safe0
    ),
    (   opening_apart(Asks)
    ->  assertz(apart(Id, Asks))
    ;   Asks = all
    ),
    (   get_flag(hb_opening_exact, 1)
    ->  assertz(exact(Id))
    ;   true
    ),
    open_session(Id, Safe, Asks, Names, Values).

open_session(Id, Safe, Asks, Names, Values) :-
    engine_create(Answer, hb_session:solve(Safe, Asks, Names, Values, Answer), Engine),
    recordz(hb_session, session(Id, Engine, Names, none)).

%!  open_upsert(+Id, +Name, +Arity, +Key, +Text) is det.
%
%   Open as Id what brings facts up to date, as hb_upsert:upsert_goal/6 has it.  It asks the host nothing.

open_upsert(Id, Name, Arity, Key, Text) :-
    upsert_goal(Name, Arity, Key, Text, Counts, Goal),
    shown_variables(Counts, Variables, Values),
    query_names(Variables, Names),
    open_session(Id, Goal, none, Names, Values).

%!  open_apart(+Asks) is det.
%
%   The query that this request opens leaves no global variables, flags or records behind.  Asks is what it may ask the
%   host: `all`, or `again` for all but the predicates that the host answers.  `none` ends this: a query is opened as usual.

open_apart(Asks) :-
    retractall(opening_apart(_)),
    (   Asks == none
    ->  true
    ;   assertz(opening_apart(Asks))
    ).

%!  open_exact(+Exact) is det.
%
%   Whether the answers of the query that this request opens tell atoms from strings, and floats from integers: 1 or 0.
%   A flag is visible in every engine.

open_exact(Exact) :-
    set_flag(hb_opening_exact, Exact).

%   in_place(+Id): goals of the query Id run now.

in_place(Id) :-
    (   apart(Id, _)
    ->  stay_apart(true)
    ;   stay_apart(false)
    ),
    (   exact(Id)
    ->  set_flag(hb_exact, 1)
    ;   set_flag(hb_exact, 0)
    ).

%!  open_assuming(+Id, +Text, +Texts, -Variables, -Away, -Control, -Parts) is det.
%
%   As open_query/3, while the clauses of Texts hold, now and whenever the query runs.  Call
%   begin_step/2 first.  What Texts take away is only looked for: Away is as for check_away/2.  Control and
%   Parts report what is to be added again.

open_assuming(Id, Text, Texts, Variables, Away, Control, Parts) :-
    read_assumed(Texts, Assumed, Words),
    note_words(Id, Words),
    (   takes_away(Assumed)
    ->  leave_if_beside
    ;   true
    ),
    check_away(Assumed, Away),
    Assumed = assumed(_, Clauses, _),
    catch(( assume(assumed([], Clauses, [])), open_query(Id, Text, Variables) ), Ball, true),
    drop_step(Control, Parts),
    (   var(Ball)
    ->  assertz(holding(Id, Assumed))
    ;   throw(Ball)
    ).

drop_step([reload=Arities], Parts) :-
    uninterrupted(hb_assumed:drop_assumed(PIs)),
    predicate_parts(PIs, Arities, Parts).

%   of_the_load(+Id): Id is not a query but the goal of a directive.

of_the_load(-1).

%   to_its_halt(:Safe): run the goal of a file once; halt/0 ends it successfully.

to_its_halt(Safe) :-
    nb_setval(hb_asks, files),
    catch(once(knowledge_base:Safe), '$hb_stop'(halt), true).

%   solve(:Safe, +Asks, +Names, +Values, -Answer): runs in the query's engine.  Answer is
%   last(A) if no choice point is left, or else some(A, Inferences) with the inferences
%   of the query so far.  A is a string, or the argument of answer_line/3.  While more
%   answers are wanted, strings go to given/1 and the goal backtracks at once, which is
%   faster than a step of the engine.

solve(Safe, Asks, Names, Values, Answer) :-
    watch,
    nb_setval(hb_asks, Asks),
    copied_names(Names-Values),
    call_cleanup(knowledge_base:Safe, ended(Last)),
    hb_chr:store(Constraints),
    (   is_undefined
    ->  Truth = undefined
    ;   Truth = true
    ),
    (   Constraints == [],
        Truth == true,
        no_output,
        simple_answer(Names, Values, A)
    ->  true
    ;   take_output(Output),
        A = answer(Copy, Residual, Output, Truth),
        (   Constraints == [],
            term_attvars(Values, [])
        ->  Copy = Values,
            Residual = []
        ;   hb_builtins:copy_as_written(Values-Constraints, Copy0-Told, Delayed),
            '$append'(Told, Delayed, Residual0),
            copy_term_nat(Copy0-Residual0, Copy-Residual)
        )
    ),
    (   Last == true
    ->  Answer = last(A)
    ;   string(A),
        short_enough(A),
        get_flag(hb_wanted, Wanted),
        Wanted > 1
    ->  Wanted1 is Wanted-1,
        set_flag(hb_wanted, Wanted1),
        assertz(given(A)),
        fail
    ;   hb_globals:keep_globals,
        statistics(inferences, Inferences),
        Answer = some(A, Inferences)
    ).

short_enough(Text) :-
    limit_of(answer_chars, Limit),
    string_length(Text, Length),
    Length =< Limit.

%   ended(-Last): the goal is finished, whether it succeeded, failed or threw.

ended(true) :-
    hb_globals:keep_globals,
    hb_coroutines:end_coroutines,
    statistics(inferences, Inferences),
    spent(Inferences).

%   spent(+Inferences): note what the query of this step has taken so far.  A flag is
%   visible in every engine.

spent(Inferences) :-
    set_flag(hb_spent, Inferences).

%!  next_answers(+Id, +Take, +Seconds, -Control, -Parts) is det.
%
%   Take up to Take answers within Seconds.  Control and Parts are those of
%   hb_reply:reply_string/2: the answers, the output after them, the error, the clauses
%   added, the predicates to reload, and the predicates declared.

next_answers(Id, Take, Seconds, Control, Parts) :-
    session(Id, Engine, _, _),
    !,
    start_step(Seconds),
    spent(0),
    step(Id, apply_assumptions(Id), Take, Engine, Control, Parts).
next_answers(Id, _, _, _, _) :-
    format(string(Message), "There is no open query ~w.", [Id]),
    throw(error(hornbook(message(no_such_query, Message)), _)).

%!  host_answered(+Id, +Told, +Take, +Seconds, -Control, -Parts) is det.
%
%   Resume the step of the query Id that ended with a question, as next_answers/5 does.  Told is
%   said(Text), the answer, or stop(What), which stops the query.

host_answered(Id, Told, Take, Seconds, Control, Parts) :-
    session(Id, Engine, _, _),
    continue_step(Seconds),
    step(Id, engine_post(Engine, Told), Take, Engine, Control, Parts).

:- meta_predicate step(+, 0, +, +, -, -).

%   step(+Id, :Begin, +Take, +Engine, -Control, -Parts)

step(Id, Begin, Take, Engine, Control, Parts) :-
    session(Id, Engine, Names, Before),
    in_place(Id),
    catch(( call(Begin),
            take_answers(Take, Engine, Names, Texts, End),
            answer_lines(Texts, Lines)
          ),
          Ball,                             % no memory for the answers
          ( Texts = [], Lines = "", End = error(Ball) )),
    length(Texts, Count),
    (   Texts == [],
        Before == none
    ->  Answered = none
    ;   Answered = some
    ),
    (   End = asks(Question)
    ->  step_end(open, Id, Answered, _, _),
        Control = [answers=Count, asks=true],
        Parts = [lines(Lines), Question]
    ;   step_reply(Id, Engine, End, Answered, Count, Lines, Control, Parts)
    ).

step_reply(Id, Engine, End, Answered, Count0, Lines0, [answers=Count, inferences=Inferences|Control], [lines(Lines)|Parts]) :-
    (   End == open
    ->  true
    ;   end_engine(Engine)                  % cleanup is part of the step
    ),
    step_changes(Id, End, Answered, End1, Changes, Changed),
    (   End1 == End
    ->  Count = Count0,
        Lines = Lines0
    ;   Count = 0,                          % their effects were undone
        Lines = ""
    ),
    take_copied(Id, Copied, Words),
    step_end(End1, Id, Answered, Ends, Last),
    get_flag(hb_spent, Inferences),
    step_took,
    '$append'([Ends,Copied,Changes], Control),
    '$append'([Last,Words,Changed], Parts).

apply_assumptions(Id) :-
    (   holding(Id, Assumed)
    ->  (   takes_away(Assumed)
        ->  must_be_first
        ;   true
        ),
        assume(Assumed)
    ;   true
    ).

%   take_answers(+Take, +Engine, +Names, -Texts, -End): End is `open`, `done`,
%   asks(Question) or error(Ball).

take_answers(Take, Engine, Names, Texts, End) :-
    retractall(given(_)),
    set_flag(hb_wanted, Take),
    next_reified(Engine, Next),
    findall(Text, given(Text), Texts, Texts1),
    retractall(given(_)),
    get_flag(hb_wanted, Left),
    (   Next = the('$ask'(Question))
    ->  Texts1 = [],
        End = asks(Question)
    ;   next_answer(Next, Answer, More)
    ->  take_answer(Answer, More, Left, Engine, Names, Texts1, End)
    ;   Texts1 = [],
        ended(Next, End)
    ).

%   take_answer(+Answer, +More, +Left, +Engine, +Names, -Texts, -End): the engine returned
%   Answer; Left answers, this one included, were wanted beyond those in given/1.

take_answer(Answer, More, Left, Engine, Names, Texts, End) :-
    (   string(Answer)
    ->  Text = Answer
    ;   catch(answer_line(Names, Answer, Text), Ball, true)
    ),
    (   nonvar(Ball)
    ->  Texts = [],
        End = error(Ball)
    ;   \+ short_enough(Text)
    ->  Texts = [],
        long_answer(Names, Answer, Formal),
        End = error(error(hornbook(Formal), _))
    ;   Texts = [Text|Texts1],
        (   More == false
        ->  Texts1 = [],
            End = done
        ;   Left =< 1
        ->  Texts1 = [],
            End = open,
            spent(More)
        ;   Left1 is Left-1,
            take_answers(Left1, Engine, Names, Texts1, End)
        )
    ).

%   long_answer(+Names, +Answer, -Formal): Formal names the variable whose value is the longest.

long_answer(Names, answer(Values, _, Output, _), long_answer(Longest, Others)) :-
    Names = [_|_],
    limit_of(answer_chars, Limit),
    string_length(Output, Written),
    Written < Limit,
    !,
    findall(Cells-Name,
            ( nth1(I, Names, name(Name, _)),
              nth1(I, Values, Value),
              term_size(Value, Cells) ),
            Sizes0),
    sort(1, @>=, Sizes0, [_-Longest|_]),
    findall(Name, ( '$member'(name(Name, _), Names), Name \== Longest ), Others).
long_answer(_, _, limit(answer_chars)).

%   next_answer(+Next, -Answer, -More): More is false, or the inferences so far.

next_answer(the(some(Answer,Inferences)), Answer, Inferences).
next_answer(the(last(Answer)), Answer, false).

ended(no, End) :-
    (   output_beyond_limit
    ->  End = error('$hb_stop'(output_chars))
    ;   End = done
    ).
ended(throw(Ball), error(Ball)).

answer_lines([], "") :-
    !.
answer_lines(Texts, Lines) :-
    atomic_list_concat(Texts, '\n', Joined),
    atomics_to_string([Joined, '\n'], Lines).

%   step_changes(+Id, +End, +Answered, -End1, -Control, -Parts): keep the changes of the
%   step, or undo them.  End1 is End, or an error if the changes could not be reported.

step_changes(Id, End, Answered, End1, Control, Parts) :-
    (   retract(holding(Id, Assumed0))
    ->  End1 = End,
        assumed_since(Assumed0, Assumed),
        assertz(holding(Id, Assumed)),
        drop_step(Control, Parts)
    ;   \+ run_changed
    ->  End1 = End,
        Control = [],
        Parts = []
    ;   in_vain(Id, End, Answered)
    ->  End1 = End,
        changes_taken_back(Control, Parts)
    ;   changes_kept(Untold, Control, Parts),
        (   var(Untold)
        ->  End1 = End
        ;   End1 = error(Untold)
        )
    ).

%   in_vain(+Id, +End, +Answered): the changes are to be undone.  The goal of a directive keeps them
%   even when it fails or throws, as in SWI-Prolog, unless it was stopped by a limit.

in_vain(Id, End, Answered) :-
    (   of_the_load(Id)
    ->  End = error(Ball),
        stop(Ball)
    ;   End = error(_)
    ->  true
    ;   End == done,
        Answered == none
    ).

step_end(open, Id, Answered, [more=true], []) :-
    recorded(hb_session, session(Id, Engine, Names, Before), Record),
    !,
    (   Before == Answered
    ->  true
    ;   erase(Record),
        recordz(hb_session, session(Id, Engine, Names, Answered))
    ).
step_end(done, Id, _, Control, Parts) :-
    last_output(Control, Parts, [], []),
    forget_query(Id).
step_end(error(Ball), Id, _, Control, Parts) :-
    last_output(Control, Parts, [error=true], [Error]),
    error_json(Ball, Error),
    forget_query(Id).

%   last_output(-Control, -Parts, +Control0, +Parts0): put the output after the last answer
%   before the rest.

last_output(Control, Parts, Control0, Parts0) :-
    (   catch(take_last_output(Output), _, fail),
        Output \== ""
    ->  Control = [output=true|Control0],
        Parts = [text(Output)|Parts0]
    ;   Control = Control0,
        Parts = Parts0
    ).

forget_query(Id) :-
    forall(recorded(hb_session, session(Id, _, _, _), Record), erase(Record)),
    retractall(holding(Id, _)),
    retractall(apart(Id, _)),
    retractall(exact(Id)),
    forget_copied(Id).

%   end_engine(+Engine): run its cleanup goals.  closing(-Seconds): the time they get when they
%   belong to no step and other requests wait.

end_engine(Engine) :-
    catch(engine_destroy(Engine), _, true),
    close_streams(Engine).

%!  close_query(+Id, -WasOpen) is det.
%
%   Run the cleanup goals of the query.  They may not change clauses, because closing is not a step
%   and cannot report changes.

close_query(Id, true) :-
    session(Id, Engine, _, _),
    !,
    in_place(Id),
    forget_query(Id),
    closing(Seconds),
    start_step(Seconds),
    without_changes(condition, hb_session:end_engine(Engine)).
close_query(_, false).

closing(1).

%!  close_load(+Id, +Control) is det.
%
%   Close Id if it is the goal of a directive that does not wait for an answer.  Control is that of its step.

close_load(Id, Control) :-
    (   of_the_load(Id),
        \+ '$member'(asks=true, Control)
    ->  close_query(Id, _)
    ;   true
    ).

%!  close_all is det.

close_all :-
    findall(Id-Engine, recorded(hb_session, session(Id, Engine, _, _)), Open),
    closing(Seconds),
    start_step(Seconds),
    without_changes(condition,
                    forall('$member'(Id-Engine, Open),
                           ( hb_session:in_place(Id),
                             hb_session:forget_query(Id),
                             hb_session:end_engine(Engine) ))).
