:- module(hb_recursions,
          [ recursion/2                 % +Context, -Detail
          ]).
:- use_module(functor).
:- use_module(shown_text, [bind_nameless/1]).
:- use_module(library(lists), [list_to_set/2]).

/** <module> Which recursion has filled the stack
*/

%!  recursion(+Context, -Detail) is semidet.
%
%   Which predicates call each other: those that SWI-Prolog found to, or else those that occur more than
%   once among the last frames.

recursion(Context, Detail) :-
    (   get_dict(cycle, Context, Frames)
    ->  Least = 1
    ;   get_dict(non_terminating, Context, Frames)
    ->  Least = 1
    ;   get_dict(stack, Context, Frames),
        Least = 2
    ),
    is_list(Frames),
    findall(Name/Arity, called_again(Frames, _, Name, Arity), PIs0),
    list_to_set(PIs0, PIs1),
    findall(Seen,
            ( '$member'(PI, PIs1), often(Least, PI, PIs0), hb_store:seen_indicator(PI, Seen) ),
            PIs),
    (   get_dict(depth, Context, Depth),
        integer(Depth)
    ->  format(string(Deep), ", ~D calls deep", [Depth])
    ;   Deep = ""
    ),
    (   PIs = [PI]
    ->  format(string(Calls), "~q calls itself~s.", [PI, Deep])
    ;   PIs = [_,_|_],
        '$append'(Some, [Last], PIs),
        atomic_list_of(Some, Text),
        format(string(Calls), "~w and ~q call each other~s.", [Text, Last, Deep])
    ),
    (   called_again(Frames, Goal, Name, Arity),
        written_whole(Goal),
        called_again(Frames, Other, Name, Arity),
        Goal \== Other,
        Goal =@= Other
    ->  hb_store:seen_goal(Goal, SeenGoal),
        nameless(SeenGoal, Nameless),
        format(string(GoalText), "~W", [Nameless, [quoted(true), numbervars(true), spacing(next_argument)]]),
        hb_store:private_or_plain(Name, Arity, Plain),
        format(string(Detail), "~s ~s is called again with the same arguments: `:- table ~q.` may end that.",
               [Calls, GoalText, Plain/Arity])
    ;   PIs = [_]
    ->  string_concat(Calls, " Does a clause or a condition end that?", Detail)
    ;   Detail = Calls
    ).

%   nameless(+Goal, -Copy): the variables of Goal are to be written as `_`.

nameless(Goal, Copy) :-
    copy_term_nat(Goal, Copy),
    term_variables(Copy, Vars),
    bind_nameless(Vars).

often(Least, PI, PIs) :-
    findall(PI, '$member'(PI, PIs), Found),
    length(Found, Count),
    Count >= Least.

%   written_whole(+Goal): no argument is compound, as SWI-Prolog gives only the names of those.

written_whole(Goal) :-
    \+ ( compound(Goal),
         arg(_, Goal, Arg),
         compound(Arg)
       ).

called_again(Frames, Goal, Name, Arity) :-
    '$member'(Frame, Frames),
    compound(Frame),
    Frame = frame(_, knowledge_base:Goal, _),
    callable(Goal),
    term_functor(Goal, Name, Arity),
    hb_store:own(Name, Arity).

atomic_list_of(PIs, Text) :-
    findall(Atom, ( '$member'(PI, PIs), format(atom(Atom), '~q', [PI]) ), Atoms),
    atomic_list_concat(Atoms, ', ', Text).
