:- module(hb_inner_differences,
          [ inner_difference/5,         % +Given, +Kept, -InGiven, -InKept, -Slip
            kind_difference/5,          % +Given, +Kept, -InGiven, -InKept, -Slip
            of_kind/2,                  % +Slip, @Given
            head_differences/3          % +Goal, +Head, -Slips
          ]).
:- use_module(differences, [difference/3]).

/** <module> Slips within the values of a goal and of a clause
*/

%!  kind_difference(@Given, @Kept, -InGiven, -InKept, -Slip) is semidet.
%
%   As inner_difference/5, where the same text or number is meant, of another kind or in other letters.

kind_difference(Given, Kept, InGiven, InKept, Slip) :-
    inner_difference(Given, Kept, InGiven, InKept, Slip),
    of_kind(Slip, InGiven).

%!  of_kind(+Slip, @Given) is semidet.
%
%   Given has a Slip of kind, as for kind_difference/5.

of_kind(string, _).
of_kind(atom, _).
of_kind(case, Text) :- string_length(Text, Length), Length > 1.     % of letters each may be meant
of_kind(number, _).
of_kind(text, _).
of_kind(integer, _).
of_kind(float, _).
of_kind(code, _).
of_kind(character, _).
of_kind(expression, _).
of_kind(value, _).

%!  head_differences(@Goal, @Head, -Slips:list) is semidet.
%
%   Goal would match Head but for Slips, one or two terms difference(Given, Kept, Slip).

head_differences(Goal, Head, Slips) :-
    phrase(argument_differences(Goal, Head), Slips),
    Slips = [_|More],
    ( More == [] ; More = [_] ),
    !.

argument_differences(Goal, Head) -->
    { compound(Goal),
      compound(Head),
      compound_name_arguments(Goal, Name, Givens),
      compound_name_arguments(Head, Name, Kepts)
    },
    each_difference(Givens, Kepts).

each_difference([], []) -->
    [].
each_difference([Given|Givens], [Kept|Kepts]) -->
    value_differences(Given, Kept),
    each_difference(Givens, Kepts).

value_differences(Given, Kept) -->
    { \+ Given \= Kept },
    !.
value_differences(Given, Kept) -->
    { difference(Given, Kept, Slip) },
    !,
    [difference(Given, Kept, Slip)].
value_differences(Given, Kept) -->
    { nonvar(Given), Given = [_|_],
      nonvar(Kept), Kept = [_|_] },
    !,
    { phrase(element_differences(Given, Kept), Differences),
      Differences = [difference(G,K,Slip)|More],
      \+ ( '$member'(difference(_,_,Other), More), Other \== Slip )
    },
    [difference(G,K,Slip)].
value_differences(Given, Kept) -->
    argument_differences(Given, Kept).

%   element_differences(+Givens, +Kepts)//: lists of the same length, as far as they are known.

element_differences(Givens, Kepts) -->
    { ( var(Givens) ; var(Kepts) ; Givens == [], Kepts == [] ) },
    !,
    [].
element_differences([Given|Givens], [Kept|Kepts]) -->
    value_differences(Given, Kept),
    element_differences(Givens, Kepts).

%!  inner_difference(@Given, @Kept, -InGiven, -InKept, -Slip) is semidet.
%
%   Given and Kept differ by the Slip between InGiven and InKept alone, which are parts of them, or which they are.

inner_difference(Given, Kept, InGiven, InKept, Slip) :-
    phrase(value_differences(Given, Kept), [difference(InGiven,InKept,Slip)]),
    !.
