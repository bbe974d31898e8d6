:- module(hb_list_slips,
          [ list_slip/4                 % +Kind, +Head, +Body, -List
          ]).
:- use_module('../functor').
:- use_module(subterms).

/** <module> Lists of a clause that are not written as they are meant

  - two
    The head has `[H,T]`, a list of two, and the body calls the predicate again with T where the head has the list.
  - nested
    The head has `[H|T]`, and the body calls the predicate again with `[T]` in its place.
  - tail
    After the bar of a list in the head comes an element, as in `[a|b]`.
*/

%!  list_slip(+Kind, +Head, +Body, -List) is nondet.
%
%   List, of the clause with Head and Body, is a slip of Kind.

list_slip(two, Head, Body, List) :-
    passed_again(Head, Body, List, Passed),
    List = [First,Second],
    var(First),
    var(Second),
    Passed == Second.
list_slip(nested, Head, Body, Passed) :-
    passed_again(Head, Body, List, Passed),
    nonvar(Passed),
    Passed = [Only|End],
    End == [],
    List = [_|Tail],
    var(Tail),
    Only == Tail.
list_slip(tail, Head, _, List) :-
    sub_term_of(List, Head),
    nonvar(List),
    List = [_|Tail],
    atomic(Tail),
    Tail \== [].

%   passed_again(+Head, +Body, -List, -Passed) is nondet: an argument of Head is List, and a goal of Body calls its predicate
%   again with Passed there.

passed_again(Head, Body, List, Passed) :-
    compound(Head),
    term_functor(Head, Name, Arity),
    sub_term_of(Call, Body),
    compound(Call),
    term_functor(Call, Name, Arity),
    arg(I, Head, List),
    nonvar(List),
    List = [_|_],
    arg(I, Call, Passed).
