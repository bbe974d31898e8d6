:- module(hb_depth,
          [ shallow/2,                  % +Term, +Depth
            check_depth/1,              % +Term
            check_text_depth/1,         % +Text
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

%!  check_text_depth(+Text) is det.
%
%   Text will be read as a term.  Brackets in quotes count too.
%
%   @error resource_error(nesting) if its brackets nest too deeply.

check_text_depth(Text) :-
    (   text(Text)
    ->  limit_of(nesting, Depth),
        string_length(Text, Length),
        (   Length =< Depth
        ->  true
        ;   pieces_nest_within(0, Length, Text, 0, Depth)
        ->  true
        ;   throw(error(resource_error(nesting), _))
        )
    ;   true
    ).

text(Text) :-
    (   atom(Text)
    ;   string(Text)
    ),
    !.

%   pieces_nest_within(+At, +Length, +Text, +Level, +Depth): a list of all codes of a long text would
%   take more memory than there is.

pieces_nest_within(At, Length, Text, Level0, Depth) :-
    (   At >= Length
    ->  true
    ;   Size is min(16384, Length-At),
        sub_string(Text, At, Size, _, Piece),
        string_codes(Piece, Codes),
        nests_within(Codes, Level0, Level, Depth),
        At1 is At+Size,
        pieces_nest_within(At1, Length, Text, Level, Depth)
    ).

%   nests_within(+Codes, +Level0, -Level, +Depth)

nests_within([], Level, Level, _).
nests_within([Code|Codes], Level0, Level, Depth) :-
    bracket(Code, Step),
    !,
    Level1 is max(0, Level0+Step),
    Level1 =< Depth,
    nests_within(Codes, Level1, Level, Depth).
nests_within([_|Codes], Level0, Level, Depth) :-
    nests_within(Codes, Level0, Level, Depth).

bracket(0'(, 1).
bracket(0'[, 1).
bracket(0'{, 1).
bracket(0'), -1).
bracket(0'], -1).
bracket(0'}, -1).
