:- module(hb_hint,
          [ hint/5                      % +Text, +Assumed, +Seconds, -Control, -Parts
          ]).
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../limits').
:- use_module('../read/doubts', [goal_doubts/4]).
:- use_module(query_text).
:- use_module(assumed).
:- use_module(bounded, [run_again_if/1]).
:- use_module(changes).
:- use_module(copied, [take_copied/3]).
:- use_module(failure).
:- use_module(tries, [forget_tries/0, by_chance/0]).
:- use_module(proof_nodes, [named_pairs/3]).
:- use_module(reasons).
:- use_module(stale_tables).

/** <module> The nearest reason why a query has no answer

The query is run once more by the interpreter of hb_failure, within little time and where it can
change nothing; goals of it are run again only if it took little (hb_bounded).  Of the goals at which
it stopped, the one is told whose reason is the clearest.
*/

%!  hint(+Text, +Assumed, +Seconds, -Control, -Parts) is det.
%
%   Why the query Text has no answer while the clauses of the texts Assumed hold; or why it has one only because of a
%   cut, or of a slip in a goal inside another one.  Control has `doubts`, the kinds of the doubts about the goal
%   (goal_doubts/4) whose words begin Parts, and `hint`: whether a sentence follows.  Call within beside/2.

hint(Text, Assumed, Seconds, [doubts=Kinds, hint=IsHint|Control], Parts) :-
    (   catch(( begin(Assumed),             % what it takes away comes back also after an error
                found(Text, Seconds, Doubts, Hints)
              ),
              _, fail)
    ->  true
    ;   Doubts = [],
        Hints = []
    ),
    run_again_if(asked),
    take_copied(none, _, _),                % of a lambda the query itself has told
    end(Assumed, Control, Last),
    doubt_parts(Doubts, Kinds, Parts, Parts1),
    (   Hints = [Hint]
    ->  IsHint = true,
        Parts1 = [text(Hint)|Last]
    ;   IsHint = false,
        Parts1 = Last
    ).

begin([]) :-
    !.
begin(Texts) :-
    read_assumed(Texts, Assumed, _),
    assume(Assumed).

end([], [], []) :-
    !.
end(_, [reload=Arities], Parts) :-
    uninterrupted(hb_assumed:drop_assumed(PIs)),
    predicate_parts(PIs, Arities, Parts).

doubt_parts([], [], Parts, Parts).
doubt_parts([doubt(Kind,_,_,Words)|Doubts], [Kind|Kinds], [list(Words)|Parts], Rest) :-
    doubt_parts(Doubts, Kinds, Parts, Rest).

%   A query that took this many seconds is not run again at all.

long_step(0.5).

found(Text, Seconds, Doubts, Hints) :-
    query_goal(Text, Goal, Pairs),
    (   stale_table(Goal, Hint)             % a query that changes clauses is run no further than to the change
    ->  Doubts = [],
        Hints = [Hint]
    ;   found(Goal, Pairs, Seconds, Doubts, Hints)
    ).

found(Goal, Pairs, Seconds, Doubts, Hints) :-
    named_pairs(Pairs, Names, Values),
    safe_body(Goal, Safe),
    short_step,
    start_step(Seconds),
    run_again_if(never),
    get_time(Begin),
    get_flag(hb_spent, Inferences),
    ran(Safe, Values, Result),
    get_time(End),
    (   End-Begin < 0.1,
        Inferences < 30_000
    ->  Again = bounded
    ;   Again = never
    ),
    busy_search(Busy),
    continue_step(Busy),
    few_beats,
    watched_once(Doubts-Hints, searched(Result, Again, Goal, Pairs, Names, Values, Doubts, Hints), Next),
    forget_tries,
    Next = the(Doubts-Hints).

%   The most seconds of a search for a reason, on a busy machine; on any, few_beats/0 bounds it.

busy_search(1.0).

%   searched(+Result, +Again, +Goal, +Pairs, +Names, +Values, -Doubts, -Hints): the terms that the query made may be such that
%   the search takes too long, and is stopped.

searched(Result, Again, Goal, Pairs, Names, Values, Doubts, Hints) :-
    run_again_if(Again),
    (   Result \== stopped,
        goal_doubts(Result, Goal, Pairs, Doubts0),
        Doubts0 = [_|_]
    ->  Doubts = Doubts0,
        Hints = []
    ;   Doubts = [],
        (   \+ by_chance,
            hint_of(Result, Goal, Names, Values, Hint)
        ->  Hints = [Hint]
        ;   Hints = []
        )
    ).

short_step :-
    long_step(Long),
    get_flag(hb_step_took, Took),
    Took < Long.

hint_of(failed, Goal, Names, _, Hint) :-
    nearest_reason(Goal, Names, Hint).
hint_of(holds(Values), Goal, Names, Vars, Hint) :-
    (   cut_reason(Goal, Hint)
    ->  true
    ;   unbound_reason(Names, Values, Hint)
    ->  true
    ;   inner_reason(Goal, Names, Hint)
    ->  true
    ;   other_way_reason(Goal, Hint)
    ->  true
    ;   open_reason(Goal, Names, Vars, Values, Hint)
    ).

%   ran(+Safe, +Values, -Result): Result is `failed`, `stopped`, or holds(Answer) with Values as they are then.

ran(Safe, Values, Result) :-
    setup_call_cleanup(
        engine_create(Values, hb_failure:watched(Safe, Values), Engine),
        next_reified(Engine, Next),
        catch(engine_destroy(Engine), _, true)),
    catch(take_output(_), _, true),
    (   Next == no
    ->  Result = failed
    ;   Next = the(Answer)
    ->  Result = holds(Answer)
    ;   Result = stopped
    ).
