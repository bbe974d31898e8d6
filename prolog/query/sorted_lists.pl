:- module(hb_sorted_lists,
          [ misled_by_order/3,          % +Outcome, +Goal, -Reason
            takes_sorted/1              % @Goal
          ]).
:- use_module(again, [replaced/4]).
:- use_module(library(ordsets), []).

/** <module> Lists that a predicate of library(ordsets) takes for sorted

It looks no further than where an element of a sorted list would be, and so misses those of another one.
*/

%   The longest list that is looked at.

longest(200).

%!  takes_sorted(@Goal) is semidet.

takes_sorted(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, Name, Arity),
    sorted(Name, Arity, _).

%   sorted(?Name, ?Arity, -Which): the arguments Which of ordsets:Name/Arity are lists without duplicates in the standard order.

sorted(ord_subtract, 3, [1,2]).
sorted(ord_union, 3, [1,2]).
sorted(ord_intersection, 3, [1,2]).
sorted(ord_symdiff, 3, [1,2]).
sorted(ord_add_element, 3, [1]).
sorted(ord_del_element, 3, [1]).
sorted(ord_memberchk, 2, [2]).
sorted(ord_subset, 2, [1,2]).
sorted(ord_disjoint, 2, [1,2]).
sorted(ord_intersect, 2, [1,2]).
sorted(ord_seteq, 2, [1,2]).

%!  misled_by_order(+Outcome, +Goal, -Reason) is semidet.
%
%   Goal was `held` or `failed`, and has another outcome, or another result, with its lists sorted.  Reason is Format-Terms.

misled_by_order(Outcome, Goal, "~s takes ~s for sorted, and so misses elements: sort/2 makes such a list."-[Name/Arity, List]) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, Args0),
    length(Args0, Arity),
    sorted(Name, Arity, Which),
    sorted_arguments(Which, Args0, Args, Lists),
    Lists = [List|_],
    other_outcome(Outcome, Name, Args).

sorted_arguments([], Args, Args, []).
sorted_arguments([I|Is], Args0, Args, Unsorted) :-
    nth_list(I, Args0, List),
    sort(List, Sorted),
    replaced(I, Args0, Sorted, Args1),
    (   msort(List, List)                   % with duplicates it is taken for what it is
    ->  Unsorted = Unsorted1
    ;   Unsorted = [List|Unsorted1]
    ),
    sorted_arguments(Is, Args1, Args, Unsorted1).

nth_list(I, Args, List) :-
    compound_name_arguments(Term, args, Args),
    arg(I, Term, List),
    is_list(List),
    length(List, Length),
    longest(Longest),
    Length =< Longest,
    ground(List).

other_outcome(held, Name, [A,B]) :-
    \+ called(Name, [A,B]).
other_outcome(held, Name, [A,B,Result]) :-
    is_list(Result),
    called(Name, [A,B,Right]),
    msort(Result, Sorted),
    Sorted \== Right.
other_outcome(failed, Name, [A,B]) :-
    called(Name, [A,B]).
other_outcome(failed, Name, [A,B,Result]) :-
    is_list(Result),
    sort(Result, Sorted),
    called(Name, [A,B,Sorted]).

called(Name, Args) :-
    compound_name_arguments(Goal, Name, Args),
    once(ordsets:Goal).
