:- module(hb_error_text,
          [ term_text/2,                % +Term, -Text
            shortened/3,                % +Text0, +Most, -Text
            phrase_for/2,               % +Term, -Text
            plain_indicator/2           % @PI0, -PI
          ]).
:- use_module(depth, [written_depth/3]).

/** <module> Terms in the messages of errors
*/

%!  term_text(+Term, -Text) is det.
%
%   Cuts deep and long terms, because people and models read the text.

term_text(Term, Text) :-
    copy_term_nat(Term, Copy),
    written_depth(Copy, 20, Levels),
    catch(format(string(Text0), "~W",
                 [ Copy,
                   [quoted(true), max_depth(Levels), spacing(next_argument), float_format('~15h')] ]),
          _, Text0 = "a term that cannot be written"),
    shortened(Text0, 500, Text).

%!  shortened(+Text0, +Most, -Text) is det.

shortened(Text, Most, Text) :-
    string_length(Text, Length),
    Length =< Most,
    !.
shortened(Text0, Most, Text) :-
    Length is Most-3,
    sub_string(Text0, 0, Length, _, Start),
    string_concat(Start, "...", Text).

%!  phrase_for(+Term, -Text) is det.
%
%   The words of an error term, separated by spaces.

phrase_for(Term, Text) :-
    term_text(Term, Text0),
    split_string(Text0, "_", "", Parts),
    atomic_list_concat(Parts, ' ', Atom),
    atom_string(Atom, Text).

%!  plain_indicator(@PI0, -PI) is det.
%
%   PI is without its module.

plain_indicator(Var, Var) :-
    var(Var),
    !.
plain_indicator(Module:PI, PI) :-
    nonvar(PI),
    !,
    atom(Module).
plain_indicator(PI, PI).
