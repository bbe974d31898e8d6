:- module(hb_depth,
          [ shallow/2,                  % +Term, +Depth
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
