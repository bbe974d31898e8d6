:- module(hb_marks,
          [ mark//3,                    % +Kind, +Start, +End
            predicate//5,               % +Kind, +Start, +End, +Name, +Arity
            comments//1,                % +Comments
            data//2,                    % +Term, +Position
            all_data//2                 % +Terms, +Positions
          ]).

/** <module> The marks of an outline

Marks of comments and of data, by the positions from read_term/3.  Those of
predicates depend on what is a goal: hb_outline finds them.
*/

%!  mark(+Kind, +Start, +End)// is det.
%!  predicate(+Kind, +Start, +End, +Name, +Arity)// is det.
%
%   A mark from Start to End.  If Name is not an atom, there is no predicate.

mark(Kind, Start, End) -->
    [list([text(Kind), number(Start), number(End)])].

predicate(Kind, Start, End, Name, Arity) -->
    { atom(Name) },
    !,
    [list([text(Kind), number(Start), number(End), text(Name), number(Arity)])].
predicate(_, _, _, _, _) -->
    [].

%!  comments(+Comments)// is det.
%
%   Comments come from read_term/3, as Position-Text.

comments([]) -->
    [].
comments([Position-Comment|Comments]) -->
    { stream_position_data(char_count, Position, Start) },
    comment(Comment, Start),
    comments(Comments).

%   read_term/3 joins line comments on consecutive lines into one.

comment(Comment, Start) -->
    { sub_string(Comment, 0, 1, _, "%") },
    !,
    { split_string(Comment, "\n", "", Lines) },
    line_comments(Lines, Start).
comment(Comment, Start) -->
    { string_length(Comment, Length),
      End is Start+Length
    },
    mark('%', Start, End).

line_comments([], _) -->
    [].
line_comments([Line|Lines], Start) -->
    { string_length(Line, Length),
      End is Start+Length,
      Next is End+1
    },
    (   { sub_string(Line, Before, _, _, "%") }
    ->  { From is Start+Before },
        mark('%', From, End)
    ;   []
    ),
    line_comments(Lines, Next).

%!  data(+Term, +Position)// is det.
%!  all_data(+Terms, +Positions)// is det.
%
%   Term is neither goal nor head.  If Positions ends early, so do the marks.

data(Var, Start-End) -->
    { var(Var) },
    !,
    mark(v, Start, End).
data(Term, parentheses_term_position(_, _, Position)) -->
    !,
    data(Term, Position).
data(Term, Start-End) -->
    { simple(Term, Kind) },
    !,
    mark(Kind, Start, End).
data(_, string_position(Start, End)) -->
    !,
    mark(s, Start, End).
data({Term}, brace_term_position(_, _, Position)) -->
    !,
    data(Term, Position).
data(List, list_position(_, _, Positions, TailPosition)) -->
    !,
    elements(Positions, List, TailPosition).
data(Term, term_position(_, _, Start, End, Positions)) -->
    { compound(Term) },
    !,
    mark(a, Start, End),
    { compound_name_arguments(Term, _, Args) },
    all_data(Args, Positions).
data(Dict, dict_position(_, _, _, _, Positions)) -->
    { is_dict(Dict) },
    !,
    values(Positions, Dict).
data(_, _) -->
    [].

simple(Term, n) :-
    number(Term).
simple(Term, s) :-
    string(Term).
simple(Term, a) :-
    atom(Term),
    Term \== [].

all_data([Arg|Args], [Position|Positions]) -->
    !,
    data(Arg, Position),
    all_data(Args, Positions).
all_data(_, _) -->
    [].

elements([], Tail, Position) -->
    (   { Position == none }
    ->  []
    ;   data(Tail, Position)
    ).
elements([Position|Positions], [Element|List], TailPosition) -->
    data(Element, Position),
    elements(Positions, List, TailPosition).

values([], _) -->
    [].
values([key_value_position(_, _, _, _, Key, _, Position)|Positions], Dict) -->
    { get_dict(Key, Dict, Value) },
    data(Value, Position),
    values(Positions, Dict).
