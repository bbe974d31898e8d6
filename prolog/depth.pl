:- module(hb_depth,
          [ shallow/2,                  % +Term, +Depth
            tree_within/3,              % @Term, +Depth, +Most
            written_depth/3,            % @Term, +Depth, -Levels
            check_depth/1,              % +Term
            check_text/1,               % +Text
            check_levels/1              % +Levels
          ]).
:- use_module(limits).
:- use_module(numerals).

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

%!  tree_within(@Term, +Depth, +Most) is semidet.
%
%   Written out, Term has at most Most parts in its first Depth levels, counted as shallow/2 does.  A term of 200 cells may have
%   2^60 parts, because its subterms are shared: whatever goes through all parts of a term, as writing and compiling do,
%   must know that before.

tree_within(Term, Depth, Most) :-
    (   shares(Term)
    ->  parts_within(Term, same, Depth, Most, _)
    ;   true                            % its size is what its stack bears
    ).

%   shares(@Term): Term may have many more parts than cells.

shares(Term) :-
    compound(Term),
    \+ '$term_size'(Term, 30, _),
    \+ \+ ( duplicate_term(Term, Copy),
            '$factorize_term'(Copy, _, Shared),         % changes Copy
            Shared \== [] ).

%   parts_within(@Term, +Tails, +Depth, +Left0, -Left): Tails is `same` if the tail of a list is on its level, or `deeper`.

parts_within(Term, Tails, Depth, Left0, Left) :-
    Left0 > 0,
    Left1 is Left0-1,
    (   compound(Term),
        Depth > 0
    ->  Depth1 is Depth-1,
        (   Tails == same,
            Term = [H|T]
        ->  parts_within(H, Tails, Depth1, Left1, Left2),
            parts_within(T, Tails, Depth, Left2, Left)
        ;   compound_name_arity(Term, _, Arity),
            arguments_within(1, Arity, Term, Tails, Depth1, Left1, Left)
        )
    ;   Left = Left1
    ).

arguments_within(I, Arity, Term, Tails, Depth, Left0, Left) :-
    (   I > Arity
    ->  Left = Left0
    ;   arg(I, Term, Arg),
        parts_within(Arg, Tails, Depth, Left0, Left1),
        I1 is I+1,
        arguments_within(I1, Arity, Term, Tails, Depth, Left1, Left)
    ).

%!  written_depth(@Term, +Depth, -Levels) is det.
%
%   A text of Term that is cut below Levels levels, at most Depth, as max_depth(Levels) does, does not take long to write.

written_depth(Term, Depth, Levels) :-
    (   shares(Term)
    ->  fewer_levels(Term, Depth, Levels)
    ;   Levels = Depth
    ).

fewer_levels(Term, Depth, Levels) :-
    most_written(Most),
    (   Depth =< 2
    ->  Levels = Depth
    ;   parts_within(Term, deeper, Depth, Most, _)
    ->  Levels = Depth
    ;   Depth1 is Depth//2,
        fewer_levels(Term, Depth1, Levels)
    ).

%   The most parts of a shared term that a message quotes.

most_written(5_000).

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
%   @error resource_error(numeral_digits) if it has a number of so many digits that reading it would not end.

check_text(Text) :-
    (   text(Text)
    ->  string_length(Text, Length),
        limit_of(nesting, Depth),
        limit_of(numeral_digits, Digits),
        (   Length =< min(Depth, Digits)
        ->  true
        ;   longest_part(Text, Depth, Longest),
            (   ( Longest =< Digits, \+ may_have_comments(Text) ; Length =< Digits )
            ->  true
            ;   check_numerals(Text, Digits)
            )
        )
    ;   true
    ).

text(Text) :-
    (   atom(Text)
    ;   string(Text)
    ),
    !.

%   longest_part(+Text, +Depth, -Longest): no number without a comment in it has more than Longest digits.

longest_part(Text, Depth, Longest) :-
    setup_call_cleanup(
        open_string(Text, In),
        longest_part(In, 0, Depth, 0, Longest),
        close(In)).

longest_part(In, Level0, Depth, Longest0, Longest) :-
    read_string(In, ",()[]{}", "", Stop, Part),
    string_length(Part, Length),
    Longest1 is max(Longest0, Length),
    (   Stop == -1
    ->  Longest = Longest1
    ;   Stop == 0',
    ->  longest_part(In, Level0, Depth, Longest1, Longest)
    ;   bracket(Stop, Step),
        Level is max(0, Level0+Step),
        (   Level =< Depth
        ->  longest_part(In, Level, Depth, Longest1, Longest)
        ;   throw(error(resource_error(nesting), _))
        )
    ).

may_have_comments(Text) :-
    (   sub_atom(Text, _, _, _, '%')
    ;   sub_atom(Text, _, _, _, '/*')
    ),
    !.

bracket(0'(, 1).
bracket(0'[, 1).
bracket(0'{, 1).
bracket(0'), -1).
bracket(0'], -1).
bracket(0'}, -1).
