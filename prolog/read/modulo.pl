:- module(hb_modulo,
          [ modulo_comment/6,           % +Text, +Place, +Comments, +Scope, -At, -Message
            ends_in_modulo/2            % +Before, -Message
          ]).
:- use_module(library(lists), [member/2, memberchk/2, reverse/2]).

/** <module> `%` where modulo was meant

In other languages `X % 2` is the remainder.  In Prolog `%` begins a comment, which swallows the rest of the
line: goals, and the final period.  A comment is taken for modulo if an operand stands before it on its line and
another one after its `%`: a number, or a variable that stands before, too.
*/

%!  modulo_comment(+Text, +Place, +Comments, +Scope, -At, -Message:string) is semidet.
%
%   Place is place(Start, End, Origin): a clause from Start to End of Text has Comments, as from read_term/2 with a
%   stream that began at the offset Origin.  One of them, at the offset At, looks like modulo, and with `mod`
%   in its place there is a term, too, up to the first period behind it or the end of the clause.

modulo_comment(Text, place(Start, End, Origin), Comments, Scope, At, Message) :-
    member(Position-Comment, Comments),
    sub_string(Comment, 0, 1, _, "%"),
    stream_position_data(char_count, Position, Count),
    At is Origin+Count,
    Length is At-Start,
    sub_string(Text, Start, Length, _, Before),
    After is At+1,
    Left is End-After,
    sub_string(Text, After, Left, _, Rest),
    modulo(Before, Rest, Message),
    atomics_to_string([Before, ' mod ', Rest, '\n.'], Meant),
    catch(reads(Meant, Scope), _, fail),
    !.

reads(Text, Scope) :-
    setup_call_cleanup(
        open_string(Text, Stream),
        read_term(Stream, _, [module(Scope)]),
        close(Stream)).

%!  ends_in_modulo(+Before, -Message:string) is semidet.
%
%   Before, an atom, ends in a line comment that looks like modulo.

ends_in_modulo(Before, Message) :-
    atomic_list_concat(Lines, '\n', Before),
    '$append'(_, [Line], Lines),
    atom_codes(Line, Codes),
    comment_in(Codes, none, 0, At),
    sub_string(Line, 0, At, _, Left),
    After is At+1,
    sub_string(Line, After, _, 0, Right),
    modulo(Left, Right, Message).

%   comment_in(+Codes, +Quote, +At0, -At) is semidet: At is the place of the first `%` outside quotes.

comment_in([0'%|_], none, At, At) :-
    !.
comment_in([0'0, 0'', _|Codes], none, At0, At) :-
    !,
    At1 is At0+3,
    comment_in(Codes, none, At1, At).
comment_in([Code|Codes], Quote0, At0, At) :-
    (   memberchk(Code, `'"\``)
    ->  (   Quote0 == none
        ->  Quote = Code
        ;   Quote0 == Code
        ->  Quote = none
        ;   Quote = Quote0
        )
    ;   Quote = Quote0
    ),
    At1 is At0+1,
    comment_in(Codes, Quote, At1, At).

%   modulo(+Before, +After, -Message) is semidet: an operand of an expression ends Before, on its last line,
%   and one begins After.

modulo(Before, After, Message) :-
    left_operand(Before, Left),
    right_operand(Before, After, Right),
    format(string(Message), "`%` begins a comment: write `~w mod ~w`", [Left, Right]).

left_operand(Before, Left) :-
    string_codes(Before, Codes),
    reverse(Codes, Reversed0),
    without_blanks(Reversed0, Reversed),
    (   Reversed = [0')|Inside]
    ->  opened(Inside, 1, Outside),
        arithmetic(Outside),
        Left = '(…)'
    ;   word(Reversed, Word0),
        reverse(Word0, Word),
        is_operand(Word),
        atom_codes(Left, Word)
    ).

right_operand(Before, After, Right) :-
    string_codes(After, Codes0),
    without_blanks(Codes0, Codes),
    (   Codes = [0'(|Inside]
    ->  right_word(Before, Inside, _),
        Right = '(…)'
    ;   Codes = [0'-|Number],
        word(Number, Digits),
        is_number(Digits)
    ->  atom_codes(Right, [0'-|Digits])
    ;   right_word(Before, Codes, Right)
    ).

right_word(Before, Codes, Right) :-
    word(Codes, Word),
    is_operand(Word),
    atom_codes(Right, Word),
    (   is_number(Word)
    ->  true
    ;   stands_in(Right, Before)
    ).

%   stands_in(+Word, +Text) is semidet: as a word of its own.

stands_in(Word, Text) :-
    sub_string(Text, At, Length, _, Word),
    \+ ( At > 0, csym_at(At, Text) ),
    After is At+Length+1,
    \+ csym_at(After, Text),
    !.

%   csym_at(+N, +Text): the character number N of Text, from 1, can be part of a name.

csym_at(N, Text) :-
    string_code(N, Text, Code),
    code_type(Code, csym).

without_blanks([Code|Codes0], Codes) :-
    memberchk(Code, ` \t`),
    !,
    without_blanks(Codes0, Codes).
without_blanks(Codes, Codes).

word([Code|Codes], [Code|Word]) :-
    code_type(Code, csym),
    !,
    word(Codes, Word).
word(_, []).

%   is_operand(+Codes): a number or a variable.

is_operand(Codes) :-
    is_number(Codes),
    !.
is_operand([Code|_]) :-
    ( Code == 0'_ ; code_type(Code, upper) ),
    !.

is_number([Code|_]) :-
    code_type(Code, digit).

%   opened(+Reversed, +Depth, -Outside) is semidet: Outside is what stands before the bracket that was closed.

opened([0'(|Outside], 1, Outside) :-
    !.
opened([Code|Codes], Depth0, Outside) :-
    (   Code == 0')
    ->  Depth is Depth0+1
    ;   Code == 0'(
    ->  Depth is Depth0-1
    ;   Depth = Depth0
    ),
    opened(Codes, Depth, Outside).

%   arithmetic(+Reversed): the bracket is one of an expression, not of the arguments of a goal.

arithmetic(Reversed) :-
    word(Reversed, Word0),
    (   Word0 == []
    ->  true
    ;   reverse(Word0, Word),
        atom_codes(Name, Word),
        memberchk(Name, [abs,max,min,floor,ceiling,round,truncate,integer,sqrt,gcd,sign,msb])
    ).
