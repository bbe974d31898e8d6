:- module(hb_depth,
          [ shallow/2,                  % +Term, +Depth
            check_depth/1,              % +Term
            check_text/1,         % +Text
            check_levels/1              % +Levels
          ]).
:- use_module(limits).

/** <module> Terms that the stacks of C and JavaScript can bear

SWI-Prolog writes, compiles and reads terms by recursion on the C stack, and
overflowing that kills the engine.  Terms nested deeper than the limit
`answer_depth` are refused before.
*/

%!  shallow(+Term, +Depth) is semidet.
%
%   Term is nested at most Depth levels deep.  The elements of a list are all on one level.

shallow(Term, _) :-
    atomic(Term),
    !.
shallow(Term, Depth) :-
    '$term_size'(Term, Depth, _),           % fails when it is larger
    !.
shallow(Term, Depth) :-
    acyclic_term(Term),
    within_depth(Term, Depth).

within_depth(Term, _) :-
    \+ compound(Term),
    !.
within_depth(_, 0) :-
    !,
    fail.
within_depth([H|T], Depth) :-
    !,
    Depth1 is Depth-1,
    within_depth(H, Depth1),
    within_depth(T, Depth).
within_depth(Term, Depth) :-
    Depth1 is Depth-1,
    compound_name_arity(Term, _, Arity),
    arguments_within_depth(Arity, Term, Depth1).

arguments_within_depth(0, _, _) :-
    !.
arguments_within_depth(I, Term, Depth) :-
    arg(I, Term, Arg),
    within_depth(Arg, Depth),
    I1 is I-1,
    arguments_within_depth(I1, Term, Depth).

%!  check_depth(+Term) is det.
%
%   @error resource_error(answer_depth) if Term nests too deeply.

check_depth(Term) :-
    (   var(Term)
    ->  true
    ;   limit_of(answer_depth, Depth),
        shallow(Term, Depth)
    ->  true
    ;   throw(error(resource_error(answer_depth), _))
    ).

%!  check_levels(+Levels) is det.
%
%   A text will be read as terms whose brackets nest Levels levels deep.
%
%   @error resource_error(nesting) if that is too deep.

check_levels(Levels) :-
    limit_of(nesting, Most),
    (   Levels =< Most
    ->  true
    ;   throw(error(resource_error(nesting), _))
    ).

%!  check_text(+Text) is det.
%
%   Text will be read as a term.  Brackets in quotes count too.
%
%   @error resource_error(nesting) if its brackets nest too deeply.
%   @error resource_error(numeral_digits) if it has a number of so many digits that reading it, which takes quadratic time,
%   would not end.

check_text(Text) :-
    (   text(Text)
    ->  limit_of(nesting, Depth),
        limit_of(numeral_digits, Digits),
        string_length(Text, Length),
        (   Length =< min(Depth, Digits)
        ->  true
        ;   check_pieces(0, Length, Text, 0, none, most(Depth, Digits))
        )
    ;   true
    ).

text(Text) :-
    (   atom(Text)
    ;   string(Text)
    ),
    !.

%   check_pieces(+At, +Length, +Text, +Level, +Number, +Most): a list of all codes of a long text would
%   take more memory than there is.

check_pieces(At, Length, Text, Level0, Number0, Most) :-
    (   At >= Length
    ->  true
    ;   Size is min(16384, Length-At),
        sub_string(Text, At, Size, _, Piece),
        string_codes(Piece, Codes),
        check_codes(Codes, Level0, Level, Number0, Number, Most),
        At1 is At+Size,
        check_pieces(At1, Length, Text, Level, Number, Most)
    ).

%   check_codes(+Codes, +Level0, -Level, +Number0, -Number, +Most): Number is what the text before has begun: `none`, `word`,
%   or number(Kind, Digits), where Kind is `decimal`, `radix` or, behind a blank or `_`, `gap`.

check_codes([], Level, Level, Number, Number, _).
check_codes([Code|Codes], Level0, Level, Number0, Number, Most) :-
    (   bracket(Code, Step)
    ->  Level1 is max(0, Level0+Step),
        arg(1, Most, Depth),
        (   Level1 =< Depth
        ->  true
        ;   throw(error(resource_error(nesting), _))
        ),
        check_codes(Codes, Level1, Level, none, Number, Most)
    ;   code_in_number(Number0, Code, Number1),
        (   Number1 = number(_, Digits),
            arg(2, Most, MostDigits),
            Digits > MostDigits
        ->  throw(error(resource_error(numeral_digits), _))
        ;   true
        ),
        check_codes(Codes, Level0, Level, Number1, Number, Most)
    ).

code_in_number(number(decimal, Digits0), Code, number(decimal, Digits)) :-
    digit(Code),
    !,
    Digits is Digits0+1.
code_in_number(number(radix, Digits0), Code, number(radix, Digits)) :-
    code_type(Code, alnum),
    !,
    Digits is Digits0+1.
code_in_number(number(gap, Digits0), Code, number(decimal, Digits)) :-
    digit(Code),
    !,
    Digits is Digits0+1.
code_in_number(number(decimal, Digits), Code, number(gap, Digits)) :-
    ( Code == 0'_ ; Code == 0'\s ),
    !.
code_in_number(number(gap, Digits), Code, number(gap, Digits)) :-
    code_type(Code, space),
    !.
code_in_number(number(radix, Digits), 0'_, number(radix, Digits)) :-
    !.
code_in_number(number(decimal, 1), Code, number(radix, 0)) :-
    memberchk(Code, `xob`),
    !.
code_in_number(number(decimal, Digits), 0'', number(radix, 0)) :-
    Digits =< 2,
    !.
code_in_number(number(decimal, _), 0'r, number(decimal, 0)) :-
    !.
code_in_number(Number, Code, number(decimal, 1)) :-
    digit(Code),
    Number \== word,
    !.
code_in_number(_, Code, word) :-
    code_type(Code, csym),
    !.
code_in_number(_, _, none).

digit(Code) :-
    between(0'0, 0'9, Code).

bracket(0'(, 1).
bracket(0'[, 1).
bracket(0'{, 1).
bracket(0'), -1).
bracket(0'], -1).
bracket(0'}, -1).
