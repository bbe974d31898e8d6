:- module(hb_session,
          [ open_query/3,               % +Id, +Text, -Variables
            query_goal/3,               % +Text, -Goal, -Pairs
            changes_taken_back/1,       % -Pairs
            next_answers/4,             % +Id, +Take, +Options, -Reply
            close_query/2,              % +Id, -WasOpen
            close_all/0
          ]).
:- use_module(reader).
:- use_module(sandbox).
:- use_module(store).
:- use_module(step).
:- use_module(limits).
:- use_module(answer).
:- use_module(clause_text).
:- use_module(errors).
:- use_module(library(apply), [maplist/3]).

/** <module> Open queries

Each open query is a Prolog engine, so that queries interleave freely and
their choice points stay.  A step takes some answers of one query; changes
that it makes to the clauses are told in the reply, or taken back when the
query ends with an error or without any answer.
*/

:- dynamic
    session/4,                          % Id, Engine, Names, Answers so far (none or some)
    given/1.                            % Text: an answer of this step

%!  open_query(+Id, +Text, -Variables) is det.
%
%   Open the query Text as Id.  Variables are the names of its variables, those that begin
%   with an underscore left out.

open_query(Id, Text, Variables) :-
    query_goal(Text, Goal, Pairs),
    shown_variables(Pairs, Variables, Values),
    maplist(json_name, Variables, Names),
    safe_body(Goal, Safe),
    engine_create(Answer, hb_session:solve(Safe, Names, Values, Answer), Engine),
    assertz(session(Id, Engine, Names, none)).

%!  query_goal(+Text, -Goal, -Pairs) is det.
%
%   Goal is that of the query Text, Pairs are its variables, Name=Variable.

query_goal(Text, Goal, Pairs) :-
    read_query(Text, Term, Pairs),
    (   nonvar(Term),
        Term = (?- Goal)
    ->  true
    ;   nonvar(Term),
        Term = (:- _)
    ->  throw(error(hornbook(message(syntax_error,
                                     "A query is a goal; a directive is added with the clauses.")), _))
    ;   nonvar(Term),
        ( Term = (_ :- _) ; Term = (_ --> _) )
    ->  throw(error(hornbook(message(syntax_error,
                                     "This is a rule, not a goal: add it with the clauses tool.")), _))
    ;   Goal = Term
    ),
    (   var(Goal)
    ->  throw(error(instantiation_error, _))
    ;   true
    ).

shown_variables([], [], []).
shown_variables([Name=Value|Pairs], Names, Values) :-
    (   sub_atom(Name, 0, _, _, '_')
    ->  shown_variables(Pairs, Names, Values)
    ;   Names = [Name|Names1],
        Values = [Value|Values1],
        shown_variables(Pairs, Names1, Values1)
    ).

%   json_name(+Variable, -Name): with the begin of its binding in an answer.

json_name(Variable, name(Variable, Start)) :-
    format(string(Start), '["~w",', [Variable]).

%   solve(:Safe, +Names, +Values, -Answer): runs in the query's engine.  Answer
%   is last(A) when no choice point is left, and otherwise some(A, Inferences),
%   Inferences those of the query so far; A is a string, or the argument of
%   answer_text/3.  Where more answers are wanted a string is left in given/1,
%   and the goal goes on at once: that is faster than a step of the engine.

solve(Safe, Names, Values, Answer) :-
    watch,
    call_cleanup(knowledge_base:Safe, ended(Last)),
    (   no_output,
        simple_answer(Names, Values, A)
    ->  true
    ;   take_output(Output),
        A = answer(Copy, Residual, Output),
        (   term_attvars(Values, [])
        ->  Copy = Values,
            Residual = []
        ;   hb_builtins:safe_copy_term(Values, Copy0, Residual0),
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
    ;   statistics(inferences, Inferences),
        Answer = some(A, Inferences)
    ).

short_enough(Text) :-
    limit_of(answer_chars, Limit),
    string_length(Text, Length),
    Length =< Limit.

%   ended(-Last): nothing is left of the goal, whether it succeeded, failed or threw.

ended(true) :-
    statistics(inferences, Inferences),
    spent(Inferences).

%   spent(+Inferences): what the query of this step has taken so far.  A flag is
%   seen in every engine.

spent(Inferences) :-
    set_flag(hb_spent, Inferences).

%!  next_answers(+Id, +Take, +Seconds, -Reply) is det.
%
%   Take up to Take answers within Seconds.  Reply is a list of Name=Value
%   for hb_answer:write_json/2.

next_answers(Id, Take, Seconds, Reply) :-
    session(Id, Engine, Names, Before),
    !,
    start_step(Seconds),
    spent(0),
    catch(( take_answers(Take, Engine, Names, Texts, End),
            list_text(Texts, List)
          ),
          Ball,                             % there is no room for the answers
          ( Texts = [], List = "[]", End = error(Ball) )),
    (   whole
    ->  true
    ;   throw(error(hornbook(message(engine_died, "it ran out of stack while it changed clauses")), _))
    ),
    (   Texts == [],
        Before == none
    ->  Answered = none
    ;   Answered = some
    ),
    (   run_changed
    ->  step_changes(End, Answered, Changes)
    ;   Changes = []
    ),
    step_end(End, Id, Answered, Ends),
    get_flag(hb_spent, Inferences),
    Reply = [answers=raw(List), inferences=Inferences|Rest],
    '$append'(Changes, Ends, Rest).
next_answers(Id, _, _, _) :-
    format(string(Message), "There is no open query ~w.", [Id]),
    throw(error(hornbook(message(no_such_query, Message)), _)).

%   take_answers(+Take, +Engine, +Names, -Texts, -End): End is open, done or
%   error(Ball).

take_answers(Take, Engine, Names, Texts, End) :-
    retractall(given(_)),
    set_flag(hb_wanted, Take),
    engine_next_reified(Engine, Next),
    findall(Text, given(Text), Texts, Texts1),
    retractall(given(_)),
    get_flag(hb_wanted, Left),
    (   next_answer(Next, Answer, More)
    ->  take_answer(Answer, More, Left, Engine, Names, Texts1, End)
    ;   Texts1 = [],
        ended(Next, End)
    ).

%   take_answer(+Answer, +More, +Left, +Engine, +Names, -Texts, -End): Answer was
%   made, and so many are wanted that were not left in given/1.

take_answer(Answer, More, Left, Engine, Names, Texts, End) :-
    (   string(Answer)
    ->  Text = Answer
    ;   catch(answer_text(Names, Answer, Text), Ball, true)
    ),
    (   nonvar(Ball)
    ->  Texts = [],
        End = error(Ball)
    ;   \+ short_enough(Text)
    ->  Texts = [],
        End = error(error(hornbook(limit(answer_chars)), _))
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

%   next_answer(+Next, -Answer, -More): More is false, or the inferences so far.

next_answer(the(some(Answer,Inferences)), Answer, Inferences).
next_answer(the(last(Answer)), Answer, false).

ended(no, done).
ended(throw(Ball), error(Ball)).

list_text(Texts, List) :-
    atomic_list_concat(Texts, ',', Elements),
    atomics_to_string(['[', Elements, ']'], List).

%   step_changes(+End, +Answered, -Pairs): keep what the step has changed, or
%   take it back.

step_changes(End, Answered, Changes) :-
    (   End = error(_)
    ;   End == done,
        Answered == none
    ),
    !,
    changes_taken_back(Changes).
step_changes(_, _, [changes=json([added=Texts, removed=Removed, declared=Declared])]) :-
    run_changes(Added, Removed),
    declared(PIs),
    indicator_texts(PIs, Declared),
    maplist(added_text, Added, Texts),
    '$append'(Added, Removed, All),
    length(All, Count),
    changed(Count).

%!  changes_taken_back(-Pairs) is det.
%
%   Whatever the step has changed is taken back; Pairs tell it.

changes_taken_back([undone=Count, changes=json([reload=Texts])]) :-
    run_changed,
    !,
    undo_run(Count, PIs),
    indicator_texts(PIs, Texts),
    changed(Count).
changes_taken_back([]).

indicator_texts(PIs, Texts) :-
    findall(Text, ( '$member'(Name/Arity, PIs), format(string(Text), '~w/~w', [Name, Arity]) ), Texts).

changed(0) :-
    !.
changed(_) :-
    tables_changed.

added_text(added(Id, Ref), [Id, Text, Name, Arity]) :-
    clause(knowledge_base:Head, Safe, Ref),
    functor(Head, Name, Arity),
    as_written(Safe, Body),
    clause_text(Head, Body, Text).

step_end(open, Id, Answered, [more=true]) :-
    (   session(Id, _, _, Answered)
    ->  true
    ;   retract(session(Id, Engine, Names, _)),
        assertz(session(Id, Engine, Names, Answered))
    ).
step_end(done, Id, _, Output) :-
    last_output(Output),
    close_query(Id, _).
step_end(error(Ball), Id, _, [error=Error|Output]) :-
    last_output(Output),
    error_json(Ball, Error),
    close_query(Id, _).

%   last_output(-Pairs): what was written after the last answer.

last_output(Pairs) :-
    (   catch(take_output(Output), _, fail),
        Output \== ""
    ->  Pairs = [output=Output]
    ;   Pairs = []
    ).

%!  close_query(+Id, -WasOpen) is det.

close_query(Id, true) :-
    retract(session(Id, Engine, _, _)),
    !,
    catch(engine_destroy(Engine), _, true).
close_query(_, false).

%!  close_all is det.

close_all :-
    forall(session(Id, _, _, _), close_query(Id, _)).
