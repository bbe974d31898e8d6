:- module(hb_text_differences,
          [ text/1,                     % @Term
            text_difference/3,          % +Given, +Kept, -Slip
            text_number/2,              % +Text, -Number
            text_parts/2,               % +Text, +Term
            character_code/2,           % @Character, @Code
            characters/2                % +Text, +List
          ]).

/** <module> Atoms and strings that differ as by a slip
*/

%!  text(@Term) is semidet.
%
%   Term is a string or an atom other than [].

text(Text) :- string(Text), !.
text(Text) :- atom(Text), Text \== [].

%!  text_difference(+Given, +Kept, -Slip) is semidet.
%
%   The texts Given and Kept differ as by Slip, one of hb_differences.

text_difference(Given, Kept, Slip) :-
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
    ;   normalize_space(string(Trimmed), GivenText),
        normalize_space(string(Trimmed), KeptText)
    ->  Slip = spaces
    ;   letters(GivenText, Letters),
        Letters = [_,_,_|_],
        letters(KeptText, Letters)
    ->  Slip = spaces
    ;   one_letter(GivenText, KeptText)
    ->  Slip = spelling
    ;   words(GivenText, Words),
        Words = [_,_,_|_],
        words(KeptText, Others),
        msort(Words, Sorted),
        msort(Others, Sorted)
    ->  Slip = order
    ).

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

%   words(+Text, -Words): the words of Text, as those of a date.

words(Text, Words) :-
    string_length(Text, Length),
    Length =< 60,
    split_string(Text, " -_/:.,", "", Words).

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

%!  text_number(+Text, -Number) is semidet.
%
%   Text, not long, is that of Number.

text_number(Text, Number) :-
    atom_string(Text, String),
    string_length(String, Length),
    Length =< 30,
    catch(number_string(Number, String), _, fail).

%!  text_parts(+Text, +Term) is semidet.
%
%   The words of Text are the arguments of Term, from two on; those of `-` and `/` may be nested, as in 2001-2-3.

text_parts(Text, Term) :-
    compound(Term),
    \+ Term = [_|_],
    compound_name_arguments(Term, Name, Args),
    Args = [_,_|_],
    flat(Args, Name, Parts, []),
    length(Parts, Count),
    Count =< 6,
    words(Text, Words),
    same_words(Words, Parts).

flat([], _, Parts, Parts).
flat([Arg|Args], Name, Parts0, Parts) :-
    (   compound(Arg),
        '$member'(Name, [-,/]),
        compound_name_arguments(Arg, Name, [A,B])
    ->  flat([A,B], Name, Parts0, Parts1)
    ;   Parts0 = [Arg|Parts1]
    ),
    flat(Args, Name, Parts1, Parts).

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

%!  character_code(@Character, @Code) is semidet.
%
%   Code is that of Character, an atom.

character_code(Character, Code) :-
    atom(Character),
    atom_length(Character, 1),
    integer(Code),
    char_code(Character, Code).

%!  characters(+Text, +List) is semidet.
%
%   List has the characters or the codes of Text, at least two.

characters(Text, List) :-
    is_list(List),
    List = [First,_|_],
    (   atom(First)
    ->  catch(atom_chars(Atom, List), _, fail)
    ;   integer(First),
        catch(atom_codes(Atom, List), _, fail)
    ),
    atom_string(Text, String),
    atom_string(Atom, String).
