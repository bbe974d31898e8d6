:- module(hb_difference_text,
          [ difference_text/4           % +Slip, +Given, +Kept, -Text
          ]).
:- use_module('../depth', [written_depth/3]).
:- use_module('../shown_text', [cut_text/3, bind_nameless/1]).
:- use_module(answer, [short_text/3]).

/** <module> Differences of values, in words
*/

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
difference_format(sublist,  "the list ~w, not ~w").
difference_format(functor,  "~w, not ~w").
difference_format(sequence, "~w, not ~w").
difference_format(key,      "the pair ~w, not ~w").
difference_format(tail,     "the list ~w; in ~w the tail is no list").
difference_format(wrapped,  "~w, not ~w").
difference_format(unwrapped, "~w, not ~w").
difference_format(keys,     "the dict ~w; ~w has other keys (:</2 takes some)").
difference_format(list_text, "the list ~w; ~w is text (string_chars/2, string_codes/2)").
difference_format(text_list, "the text ~w; ~w is a list (string_chars/2, string_codes/2)").
difference_format(code,     "the code ~w, not ~w (string_chars/2 gives characters)").
difference_format(character, "~w, not its code ~w (string_chars/2 gives characters)").
difference_format(synonym,  "~w, not ~w").
difference_format(term_text, "the text ~w; ~w is a term (term_to_atom/2)").
difference_format(text_term, "the term ~w; ~w is text (term_to_atom/2)").
difference_format(words,    "the words ~w, not the codes ~w (split_string/4 makes words)").
difference_format(term,     "the number ~w; ~w is a term: write no space").
difference_format(negated,  "the term ~w, which is no number; ~w is one").
difference_format(value,    "the term ~w, which nothing computes; ~w is its value").
difference_format(expression, "~w; nothing computes ~w (is/2 does)").

short(Term, Text) :-
    copy_term_nat(Term, Copy),
    term_variables(Copy, Vars),
    (   Vars == []
    ->  short_text(Copy, 6, Text0)
    ;   bind_nameless(Vars),
        written_depth(Copy, 6, Levels),
        format(string(Text0), '~W', [Copy, [quoted(true), numbervars(true), priority(999), max_depth(Levels), float_format('~15h')]])
    ),
    cut_text(Text0, 60, Text).
