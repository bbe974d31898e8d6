:- module(hb_differences,
          [ difference/3,                     % +Given, +Kept, -Slip
            difference_text/4,                % +Slip, +Given, +Kept, -Text
            head_differences/3                % +Goal, +Head, -Slips
          ]).
:- use_module(answer, [short_text/3]).

/** <module> Values that differ as by a slip

A value that a goal gives and the value that a clause has do not unify, but are so alike that one
was probably meant for the other: an atom and a string, capital and small letters, a number and its
text, a list and its member.
*/

%!  difference(@Given, @Kept, -Slip) is semidet.
%
%   Given and Kept do not unify, and differ as by a slip.  Slip is one of
%
%     - string, atom
%       Given is the string or the atom, Kept the other, of the same text.
%     - case
%       The letters differ in case.
%     - number, text
%       Given is the number or the text, Kept the other.
%     - integer, float
%       Given is the integer or the float, Kept the other, of equal value.
%     - member, list
%       Given is the member or the list, Kept the other.
%     - order
%       The same elements in another order.
%     - arity
%       The same name with another number of arguments.
%     - spelling
%       One letter is missing, added, changed or swapped.

difference(Given, Kept, Slip) :-
    nonvar(Given),
    nonvar(Kept),
    differ(Given, Kept, Slip),
    !.

differ(Given, Kept, Slip) :-
    number(Given),
    !,
    (   number(Kept)
    ->  Given =:= Kept,
        (   integer(Given)
        ->  Slip = integer
        ;   Slip = float
        )
    ;   text(Kept)
    ->  text_number(Kept, Number),
        Number =:= Given,
        Slip = number
    ;   member_of(Given, Kept),
        Slip = member
    ).
differ(Given, Kept, Slip) :-
    text(Given),
    number(Kept),
    !,
    text_number(Given, Number),
    Number =:= Kept,
    Slip = text.
differ(Given, Kept, Slip) :-
    text(Given),
    text(Kept),
    !,
    atom_string(Given, GivenText),
    atom_string(Kept, KeptText),
    (   GivenText == KeptText
    ->  (   string(Given)
        ->  Slip = string
        ;   Slip = atom
        )
    ;   string_lower(GivenText, Lower),
        string_lower(KeptText, Lower)
    ->  Slip = case
    ;   one_letter(GivenText, KeptText)
    ->  Slip = spelling
    ).
differ(Given, Kept, Slip) :-
    proper(Given),
    proper(Kept),
    !,
    Given \== [],
    msort(Given, Sorted),
    msort(Kept, Sorted),
    Slip = order.
differ(Given, Kept, member) :-
    proper(Kept),
    member_of(Given, Kept),
    !.
differ([Given], Kept, list) :-
    \+ proper(Kept),
    \+ Given \= Kept,
    !.
differ(Given, Kept, list) :-
    proper(Given),
    atomic(Kept),
    Kept \== [],
    member_of(Kept, Given),
    !.
differ(Given, Kept, arity) :-
    compound(Given),
    compound(Kept),
    compound_name_arity(Given, Name, Arity),
    compound_name_arity(Kept, Name, Other),
    Arity =\= Other,
    Name \== '[|]'.

text(Text) :- string(Text), !.
text(Text) :- atom(Text), Text \== [].

proper(List) :-
    is_list(List),
    length(List, Length),
    Length =< 1000.

member_of(Member, List) :-
    proper(List),
    nonvar(Member),
    '$member'(Other, List),
    Other == Member,
    !.

text_number(Text, Number) :-
    atom_string(Text, String),
    string_length(String, Length),
    Length =< 30,
    catch(number_string(Number, String), _, fail).

%   one_letter(+A, +B): words of at least four letters that differ in one letter or in two neighbouring
%   letters that are swapped.  Digits do not count: names such as node1 and node2 are meant.

one_letter(A, B) :-
    string_length(A, LengthA),
    string_length(B, LengthB),
    min(LengthA, LengthB) >= 3,
    max(LengthA, LengthB) >= 4,
    max(LengthA, LengthB) =< 60,
    abs(LengthA-LengthB) =< 1,
    string_chars(A, CharsA),
    string_chars(B, CharsB),
    first_difference(CharsA, CharsB, RestA, RestB),
    one_edit(RestA, RestB).

first_difference([C|A0], [C|B0], A, B) :-
    !,
    first_difference(A0, B0, A, B).
first_difference(A, B, A, B).

one_edit([_|A], A).                     % one too many
one_edit(A, [_|A]).                     % one too few
one_edit([C|A], [D|A]) :-
    \+ char_type(C, digit),
    \+ char_type(D, digit).
one_edit([C,D|A], [D,C|A]).

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
    { \+ is_list(Given) },
    argument_differences(Given, Kept).

%!  difference_text(+Slip, +Given, +Kept, -Text:string) is det.
%
%   How Kept, which a clause has, differs from Given: to be read after "has".

difference_text(Slip, Given, Kept, Text) :-
    short(Given, G),
    short(Kept, K),
    difference_format(Slip, Format),
    format(string(Text), Format, [K,G]).

difference_format(string,   "the atom ~w; ~w is a string").
difference_format(atom,     "the string ~w; ~w is an atom").
difference_format(case,     "~w, not ~w (letter case)").
difference_format(number,   "the text ~w; ~w is a number").
difference_format(text,     "the number ~w; ~w is text (atom_number/2, number_string/2)").
difference_format(integer,  "the float ~w; ~w is an integer (=:= compares values)").
difference_format(float,    "the integer ~w; ~w is a float (=:= compares values)").
difference_format(member,   "the list ~w, not ~w: use member/2").
difference_format(list,     "~w, not the list ~w").
difference_format(order,    "~w, not ~w: the same elements in another order").
difference_format(arity,    "~w, not ~w").
difference_format(spelling, "~w, not ~w").

short(Term, Text) :-
    copy_term_nat(Term, Copy),
    short_text(Copy, 6, Text0),
    string_length(Text0, Length),
    (   Length > 60
    ->  sub_string(Text0, 0, 60, _, Begin),
        string_concat(Begin, "…", Text)
    ;   Text = Text0
    ).
