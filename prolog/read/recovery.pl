:- module(hb_recovery,
          [ clause_damage/3,            % +Text, +Start, -Damage
            skip_layout/3               % +Text, +Start, -End
          ]).
:- use_module(foreign).

/** <module> Find out what is wrong with a clause that cannot be read

After a syntax error, Prolog's reader skips to the next period that ends a clause.
If a quote was not closed, that is too far: the reader has taken the next quote in
the text for the closing one.  This module scans the text as Prolog's tokeniser
does, and guesses where the clause was meant to end.

Offsets are in code points, from 0.
*/

%!  clause_damage(+Text, +Start, -Damage) is det.
%
%   Look for an open quote or comment in the clause of Text, an atom, that
%   begins at Start, layout and comments included. Damage is one of
%
%     - comment(Open)
%       The block comment that opens at Open is not closed.
%     - quote(Code, Open, Resume)
%       The quote that Code opens at Open is not closed; Resume is where
%       the next clause begins.  A quote is taken for open if it continues past
%       the end of a line and there is a period followed by layout, by `%` or
%       by the end of the text in it, or in a quote of the same kind before it
%       on that line.  The first such period is where the clause was meant to
%       end.  A quote that is closed on its line is fine, whatever it contains.
%     - line(Begin, End, Message)
%       The line is in another language: a comment, or the fence of a block of Markdown.  Only this
%       line is lost.
%     - none(Begin)
%       None of these.  The first token is at Begin.

clause_damage(Text, Start, Damage) :-
    skip_layout(Text, Start, Begin),
    (   block_comment(Text, Begin)
    ->  Damage = comment(Begin)
    ;   foreign_line(Text, Begin, Message)
    ->  Damage = line(Begin, End, Message),
        line_end(Begin, Text, End)
    ;   tokens(Begin, Text, [], Begin, Damage)
    ).

% tokens(+I, +Text, +Ends, +Begin, -Damage): at I, outside quotes.  For each kind of
% quote, Ends holds Code-end(Open, Resume), the first place within such quotes on this
% line where the clause may end.

tokens(I, Text, Ends, Begin, Damage) :-
    code(I, Text, Code),
    I1 is I+1,
    (   Code == -1
    ->  Damage = none(Begin)
    ;   Code == 0'\n
    ->  tokens(I1, Text, [], Begin, Damage)
    ;   quote(Code, Close)
    ->  quoted(I1, Text, Code, Close, I, Ends, Begin, Damage)
    ;   Code == 0'.,
        ends_clause(I1, Text)
    ->  Damage = none(Begin)
    ;   Code == 0'%
    ->  line_end(I1, Text, J),
        tokens(J, Text, Ends, Begin, Damage)
    ;   block_comment(Text, I)
    ->  (   skip_block_comment(Text, I, J)
        ->  tokens(J, Text, [], Begin, Damage)
        ;   Damage = comment(I)
        )
    ;   symbol(Code)
    ->  run(symbol, I1, Text, J),
        tokens(J, Text, Ends, Begin, Damage)
    ;   word(Code)
    ->  run(word, I1, Text, J),
        after_number(I, J, Text, K),
        tokens(K, Text, Ends, Begin, Damage)
    ;   tokens(I1, Text, Ends, Begin, Damage)
    ).

% quoted(+I, +Text, +Code, +Close, +Open, +Ends, +Begin, -Damage): at I, in the quote
% that Code opened at Open.

quoted(I, Text, Code, Close, Open, Ends, Begin, Damage) :-
    code(I, Text, C),
    I1 is I+1,
    (   C == Close
    ->  (   code(I1, Text, Close)
        ->  I2 is I+2,
            quoted(I2, Text, Code, Close, Open, Ends, Begin, Damage)
        ;   tokens(I1, Text, Ends, Begin, Damage)
        )
    ;   C == 0'\\
    ->  I2 is I+2,
        quoted(I2, Text, Code, Close, Open, Ends, Begin, Damage)
    ;   ( C == 0'\n ; C == -1 ),
        memberchk(Code-end(First, Resume), Ends)
    ->  Damage = quote(Code, First, Resume)
    ;   C == -1
    ->  atom_length(Text, Length),
        Damage = quote(Code, Open, Length)
    ;   C == 0'.,
        ends_clause(I1, Text),
        \+ memberchk(Code-_, Ends)
    ->  quoted(I1, Text, Code, Close, Open, [Code-end(Open, I1)|Ends],
               Begin, Damage)
    ;   quoted(I1, Text, Code, Close, Open, Ends, Begin, Damage)
    ).

quote(0'', 0'').
quote(0'", 0'").
quote(0'`, 0'`).
quote(0x2018, 0x2019).
quote(0x201C, 0x201D).
quote(0x00AB, 0x00BB).
quote(0x2039, 0x203A).
quote(0x2E02, 0x2E03).
quote(0x2E04, 0x2E05).
quote(0x2E09, 0x2E0A).
quote(0x2E0C, 0x2E0D).
quote(0x2E1C, 0x2E1D).
quote(0x2E20, 0x2E21).

ends_clause(I, Text) :-
    code(I, Text, Code),
    (   Code == -1
    ;   Code == 0'%
    ;   layout(Code)
    ),
    !.

% after_number(+Start, +End, +Text, -Next): the token that begins with the word
% Start..End continues at Next: the quotes in 0'c and 16'FF are part of it.

after_number(Start, End, Text, Next) :-
    code(End, Text, 0''),
    Length is End-Start,
    Length =< 2,
    sub_string(Text, Start, Length, _, Digits),
    catch(number_string(Radix, Digits), _, fail),
    Radix =< 36,
    I is End+1,
    code(I, Text, Code),
    (   Radix =:= 0
    ->  character_end(Code, I, Text, Next)
    ;   code_type(Code, digit(Weight)),
        Weight < Radix
    ->  Next = I
    ;   code_type(Code, alpha),
        Weight is (Code \/ 0x20) - 0'a + 10,
        Weight < Radix
    ->  Next = I
    ),
    !.
after_number(_, End, _, End).

character_end(0'\\, I, _, Next) :-
    !,
    Next is I+2.
character_end(0'', I, Text, Next) :-
    !,
    I1 is I+1,
    (   code(I1, Text, 0'')
    ->  Next is I+2
    ;   Next = I1
    ).
character_end(_, I, _, Next) :-
    Next is I+1.

%!  skip_layout(+Text, +Start, -End) is det.
%
%   The text from Start to End is layout and comments only.  Stops at a comment that
%   is not closed.

skip_layout(Text, I, End) :-
    code(I, Text, Code),
    (   layout(Code)
    ->  I1 is I+1,
        skip_layout(Text, I1, End)
    ;   Code == 0'%
    ->  line_end(I, Text, J),
        skip_layout(Text, J, End)
    ;   block_comment(Text, I),
        skip_block_comment(Text, I, J)
    ->  skip_layout(Text, J, End)
    ;   End = I
    ).

line_end(I, Text, End) :-
    code(I, Text, Code),
    (   memberchk(Code, [-1, 0'\n, 0'\v, 0'\f, 0'\r, 0x85, 0x2028, 0x2029])
    ->  End = I
    ;   I1 is I+1,
        line_end(I1, Text, End)
    ).

block_comment(Text, I) :-
    code(I, Text, 0'/),
    I1 is I+1,
    code(I1, Text, 0'*).

% skip_block_comment(+Text, +Open, -End) is semidet: block comments nest.

skip_block_comment(Text, Open, End) :-
    I is Open+2,
    comment_end(I, Text, 1, End).

% The two marks may share a character, as in `/*/`.

comment_end(I, Text, Level, End) :-
    next_mark(I, Text, Mark, At),
    (   Mark == close,
        Level =:= 1
    ->  End is At+2
    ;   ( Mark == open -> Level1 is Level+1 ; Level1 is Level-1 ),
        I1 is At+1,
        comment_end(I1, Text, Level1, End)
    ).

% next_mark(+I, +Text, -Mark, -At) is semidet: searches about 4,000 characters at a
% time, because the mark may be far away.

next_mark(I, Text, Mark, At) :-
    atom_length(Text, Length),
    Size is min(4096, Length-I),
    Size >= 2,
    sub_string(Text, I, Size, _, Window),
    findall(Before-M,
            ( mark(M, Chars),
              once(sub_string(Window, Before, _, _, Chars))
            ),
            Found),
    (   msort(Found, [First-Mark0|_])
    ->  Mark = Mark0,
        At is I+First
    ;   I1 is I+Size-1,
        next_mark(I1, Text, Mark, At)
    ).

mark(open,  "/*").
mark(close, "*/").

run(Type, I, Text, End) :-
    code(I, Text, Code),
    (   call(Type, Code)
    ->  I1 is I+1,
        run(Type, I1, Text, End)
    ;   End = I
    ).

% code(+I, +Text, ?Code): Code is -1 after the end.

code(I, Text, Code) :-
    I1 is I+1,
    (   string_code(I1, Text, Code0)
    ->  Code = Code0
    ;   Code = -1
    ).

layout(Code) :-
    Code >= 0,
    code_type(Code, space).

symbol(Code) :-
    Code >= 0,
    code_type(Code, prolog_symbol).

word(Code) :-
    Code >= 0,
    code_type(Code, prolog_identifier_continue).
