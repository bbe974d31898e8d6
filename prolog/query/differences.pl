:- module(hb_differences,
          [ difference/3,                     % +Given, +Kept, -Slip
            by_chance/1,                      % +Slip
            difference_text/4,                % +Slip, +Given, +Kept, -Text
            head_differences/3,               % +Goal, +Head, -Slips
            value/2                           % +Expression, -Value
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
%     - spaces
%       The letters and digits are the same, what is between them differs.
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
%     - term, negated
%       Given is the term -(N) or the negative number, Kept the other.
%     - expression, value
%       Given is the expression or its value, Kept the other.
%     - among
%       Given is one of the goals or alternatives that Kept, a term of commas or semicolons, is made of.
%     - length
%       Both are lists, and Given is one of variables with another number of elements.
%     - pair
%       The same two arguments under another name, of those that stand for pairs.
%     - parts
%       The words of the text are the arguments of the term, as for "2001-02-03" and date(2001,2,3).

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
    ;   is_minus(Kept, Number)
    ->  Number =:= Given,
        Slip = negated
    ;   value(Kept, Value)
    ->  Value =:= Given,
        Slip = value
    ;   member_of(Given, Kept),
        Slip = member
    ).
differ(Given, Kept, Slip) :-
    number(Kept),
    compound(Given),
    !,
    (   is_minus(Given, Number)
    ->  Number =:= Kept,
        Slip = term
    ;   value(Given, Value)
    ->  Value =:= Kept,
        Slip = expression
    ;   list_of(Given, Kept),
        Slip = list
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
    ;   letters(GivenText, Letters),
        Letters = [_,_,_|_],
        letters(KeptText, Letters)
    ->  Slip = spaces
    ;   one_letter(GivenText, KeptText)
    ->  Slip = spelling
    ).
differ(Given, Kept, Slip) :-
    proper(Given),
    proper(Kept),
    !,
    Given \== [],
    (   msort(Given, Sorted),
        msort(Kept, Sorted)
    ->  Slip = order
    ;   Kept \== [],
        length(Given, GivenLength),
        \+ length(Kept, GivenLength),
        \+ ( '$member'(Element, Given), nonvar(Element) ),
        Slip = length
    ).
differ(Given, Kept, member) :-
    proper(Kept),
    member_of(Given, Kept),
    !.
differ([Given], Kept, list) :-
    \+ proper(Kept),
    \+ Given \= Kept,
    !.
differ(Given, Kept, list) :-
    atomic(Kept),
    Kept \== [],
    list_of(Given, Kept),
    !.
differ(Given, Kept, among) :-
    atomic(Given),
    joined(Kept),
    in_joined(Kept, Given),
    !.
differ(Given, Kept, pair) :-
    pair_of(Given, A1, B1),
    pair_of(Kept, A2, B2),
    !,
    \+ A1-B1 \= A2-B2.
differ(Given, Kept, parts) :-
    (   text(Given)
    ->  parts(Given, Kept)
    ;   text(Kept)
    ->  parts(Kept, Given)
    ).
differ(Given, Kept, arity) :-
    compound(Given),
    compound(Kept),
    compound_name_arity(Given, Name, Arity),
    compound_name_arity(Kept, Name, Other),
    Arity =\= Other,
    Name \== '[|]'.

list_of(List, Member) :-
    proper(List),
    member_of(Member, List).

joined(Term) :-
    compound(Term),
    ( Term = (_,_) ; Term = (_;_) ; Term = '|'(_,_) ),
    !.

in_joined(Term, Part) :-
    (   joined(Term)
    ->  arg(_, Term, Sub),
        in_joined(Sub, Part)
    ;   Term == Part
    ),
    !.

%   is_minus(+Term, -Number): Term is -(N), which is written `- N`, and stands for Number.

is_minus(Term, Number) :-
    compound(Term),
    compound_name_arguments(Term, -, [N]),
    number(N),
    Number is -N.

pair_of(Term, A, B) :-
    compound(Term),
    compound_name_arguments(Term, Name, [A,B]),
    '$member'(Name, [',',-,/,:,=]),
    !.

%   parts(+Text, +Term): the words of Text are the arguments of Term, from two on.

parts(Text, Term) :-
    compound(Term),
    \+ Term = [_|_],
    compound_name_arguments(Term, _, [A,B|More]),
    length(More, Others),
    Others =< 4,
    string_length(Text, Length),
    Length =< 60,
    split_string(Text, " -_/:.,", "", Words),
    same_words(Words, [A,B|More]).

same_words([], []).
same_words([Word|Words], [Part|Parts]) :-
    (   number(Part)
    ->  text_number(Word, Number),
        Number =:= Part
    ;   text(Part),
        string_lower(Word, Lower),
        string_lower(Part, Lower)
    ),
    same_words(Words, Parts).

%   letters(+Text, -Letters): the letters of Text, small, and its digits.

letters(Text, Letters) :-
    string_length(Text, Length),
    Length =< 60,
    string_lower(Text, Lower),
    string_chars(Lower, Chars),
    alphanumeric(Chars, Letters).

alphanumeric([], []).
alphanumeric([Char|Chars], Letters) :-
    (   char_type(Char, alnum)
    ->  Letters = [Char|More]
    ;   Letters = More
    ),
    alphanumeric(Chars, More).

%!  value(+Expression, -Value) is semidet.
%
%   Value of an arithmetic expression that is small enough to be computed at once.

value(Expression, Value) :-
    ground(Expression),
    arithmetic(Expression),
    catch(Value is Expression, _, fail).

arithmetic(E) :-
    number(E),
    !,
    ( float(E) -> true ; abs(E) < 1.0e18 ).
arithmetic(E) :-
    compound(E),
    compound_name_arguments(E, Op, Args),
    '$member'(Op, [+,-,*,/,//,mod,rem,min,max,abs]),
    all_arithmetic(Args).

all_arithmetic([]).
all_arithmetic([E|Es]) :-
    arithmetic(E),
    all_arithmetic(Es).

%!  by_chance(+Slip) is semidet.
%
%   Values differ so by chance, too: what was meant has to come from the text of the query.

by_chance(spelling).
by_chance(order).
by_chance(arity).
by_chance(member).
by_chance(list).
by_chance(pair).
by_chance(parts).

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
difference_format(spaces,   "~w, not ~w").
difference_format(number,   "the text ~w; ~w is a number").
difference_format(text,     "the number ~w; ~w is text (atom_number/2, number_string/2)").
difference_format(integer,  "the float ~w; ~w is an integer (=:= compares values)").
difference_format(float,    "the integer ~w; ~w is a float (=:= compares values)").
difference_format(member,   "the list ~w, not ~w: use member/2").
difference_format(list,     "~w, not the list ~w").
difference_format(order,    "~w, not ~w: the same elements in another order").
difference_format(arity,    "~w, not ~w").
difference_format(spelling, "~w, not ~w").
difference_format(among,    "the term ~w, not ~w: write a clause for each").
difference_format(length,   "~w, not ~w ([H|T] is a head and a tail)").
difference_format(pair,     "~w, not ~w").
difference_format(parts,    "~w, not ~w").
difference_format(term,     "the number ~w; ~w is a term: write no space").
difference_format(negated,  "the term ~w, which is no number; ~w is one").
difference_format(value,    "the term ~w, which nothing computes; ~w is its value").
difference_format(expression, "~w; nothing computes ~w (is/2 does)").

short(Term, Text) :-
    copy_term_nat(Term, Copy),
    term_variables(Copy, Vars),
    (   Vars == []
    ->  short_text(Copy, 6, Text0)
    ;   nameless(Vars),
        format(string(Text0), '~W', [Copy, [quoted(true), numbervars(true), priority(999), max_depth(6)]])
    ),
    string_length(Text0, Length),
    (   Length > 60
    ->  sub_string(Text0, 0, 60, _, Begin),
        string_concat(Begin, "…", Text)
    ;   Text = Text0
    ).

nameless([]).
nameless(['$VAR'('_')|Vars]) :-
    nameless(Vars).
