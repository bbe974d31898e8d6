:- module(hb_foreign,
          [ foreign/5,                  % +Text, +Begin, +Offset, +Id, -Message
            foreign_line/3,             % +Text, +Begin, -Message
            foreign_quote/3             % +Text, +Open, -Message
          ]).
:- use_module(modulo).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

/** <module> Habits from other languages in a clause that cannot be read

A syntax error says what is missing.  If the text in its place is something that people and models
carry over from other languages, HTML or Markdown, the message says what to write instead.
*/

%!  foreign(+Text, +Begin, +Offset, +Id, -Message) is semidet.
%
%   The clause of the atom Text that begins at Begin cannot be read from Offset on, for the reason
%   that read_term/3 calls Id.

foreign(Text, Begin, Offset, Id, Message) :-
    Length is max(0, Offset-Begin),
    sub_atom(Text, Begin, Length, _, Before0),
    trimmed(Before0, Before),
    sub_atom(Text, Offset, _, 0, After),
    (   Before0 == Before
    ->  Gap = none
    ;   Gap = layout
    ),
    taught(Id, Before, Gap, After, Message0),
    !,
    Message = Message0.

%   taught(+Id, +Before, +Gap, +After, -Message): Before is the clause up to Offset, without
%   trailing layout; Gap says whether there was any.

taught(_, Before, _, _, Message) :-
    ends_in_modulo(Before, Message).
taught(_, Before, _, _, "`: -` is not an operator: write `:-` without a space") :-
    ends_with(Before, ': -').
taught(_, Before, none, After, Message) :-
    begins_with(After, '('),
    last_word(Before, Word),
    variable_name(Word),
    format(string(Message), "`~w` is a variable: the name of a predicate begins with a lower-case letter", [Word]).
taught(_, Before, layout, After, "there is no space between a name and its `(`") :-
    begins_with(After, '('),
    last_word(Before, Word),
    \+ variable_name(Word).
taught(_, Before, none, After, "there are no f-strings: write format(atom(A), \"~w\", [X])") :-
    ( begins_with(After, '"') ; begins_with(After, '''') ),
    last_word(Before, f).
taught(_, _, _, After, Message) :-
    member(Entity-Instead, ['&gt;' - (>), '&lt;' - (<), '&amp;' - (&), '&quot;' - '"', '&#39;' - '''']),
    begins_with(After, Entity),
    format(string(Message), "`~w` is HTML: write `~w`", [Entity, Instead]).
taught(_, _, _, After, "outside of quotation marks `\\n` is no line break: give a real one") :-
    ( begins_with(After, '.\\n') ; begins_with(After, '\\n') ).
taught(_, Before, _, After, Message) :-
    negated_head(Before, After, Message).
taught(_, Before, _, After, Message) :-
    (   operator_at(After, Operator)
    ;   sub_atom(After, 0, 1, _, Operator)  % of Unicode
    ;   bar_before(Before, After, Operator)
    ;   last_symbols(Before, Operator),
        \+ sub_atom(Operator, _, 1, _, ':')
    ),
    foreign_operator(Operator, Instead),
    format(string(Message), "`~w` is not an operator in Prolog: write ~w", [Operator, Instead]).
taught(_, Before, _, _, Message) :-
    member(Dash, ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212']),
    atom_concat(:, Dash, Neck),
    ends_with(Before, Neck),
    format(string(Message), "`~w` is not an operator in Prolog: write `:-`, with an ASCII hyphen", [Neck]).
taught(_, Before, _, After, "`!` is the cut: write `\\+` for not") :-
    (   atom_concat('!', Goal, After)
    ;   ends_with(Before, '!'),
        Goal = After
    ),
    sub_atom(Goal, 0, 1, _, First),
    ( char_type(First, csym) ; First == '(' ).
taught(_, Before, _, After, Message) :-
    (   first_word(After, Word)
    ;   last_word(Before, Word)
    ),
    foreign_word(Word, Instead),
    format(string(Message), "`~w` is not an operator in Prolog: write ~w", [Word, Instead]).
taught(operator_clash, Before, _, After, "comparisons do not chain: write `A < B, B < C`") :-
    last_symbols(Before, Symbols),
    comparison(Symbols),
    atom_codes(After, Codes),
    up_to_comma(Codes, Goal),
    member(Sign, `<>=`),
    memberchk(Sign, Goal).
taught(operator_clash, Before, _, After, "`=>` begins the body of a rule: write `>=` for greater or equal") :-
    ends_with(Before, :-),
    sub_atom(After, _, _, _, =>).
taught(operator_expected, Before, layout, After, Message) :-
    spaced_name(Before, After, Name),
    atomic_list_concat(Words, ' ', Name),
    atomic_list_concat(Words, '_', Joined),
    format(string(Message), "operator expected: a comma may be missing before this; a name with a space is `'~w'` or `~w`", [Name, Joined]).
taught(operator_expected, Before, layout, After, Message) :-
    sentence(Before, After, Who, What),
    format(string(Message), "a fact is written with its name first, as in `~w(~w).`", [What, Who]).
taught(operator_expected, Before, layout, After, Message) :-
    last_word(Before, Before),              % the first word of the clause
    \+ variable_name(Before),
    first_word(After, Word),
    \+ variable_name(Word),
    atom_concat(Word, Rest, After),
    begins_with(Rest, ' '),
    format(string(Message), "a fact is written with its name first, as in `~w(~w, X).`", [Word, Before]).
taught(_, '', _, After, "the name of a predicate begins with a lower-case letter") :-
    sub_atom(After, 0, 1, _, Digit),
    char_type(Digit, digit(_)),
    first_word(After, Word),
    \+ atom_number(Word, _).
taught(illegal_character, _, _, After, Message) :-
    sub_atom(After, 0, 1, _, Char),
    char_code(Char, Code),
    (   member(From-To, [0x200B-0x200F, 0x2060-0x2060, 0xFEFF-0xFEFF]),
        between(From, To, Code)
    ->  Instead = ", which is invisible: leave it out"
    ;   member(From-To, [0xA0-0xA0, 0x2000-0x200A, 0x202F-0x202F, 0x3000-0x3000]),
        between(From, To, Code)
    ->  Instead = ": write a plain space"
    ;   Instead = ""
    ),
    format(string(Message), "illegal character U+~|~`0t~16R~4+~w", [Code, Instead]).

%   negated_head(+Before, +After, -Message) is semidet: a clause, not a query, begins with the sign of a negation, which is what
%   cannot be read.

negated_head(Before, After, Message) :-
    (   Before == '',
        member(Sign, ['\u00AC', !]),
        atom_concat(Sign, Head, After)
    ;   memberchk(Before, ['\u00AC', !, not]),
        Head = After
    ),
    first_word(Head, Name),
    \+ variable_name(Name),
    ( sub_atom(Head, _, _, _, :-) ; ends_with(Head, '.') ),
    !,
    format(string(Message),
           "`\\+` is not, in a body or query. A clause cannot say it: what cannot be proved is false. Leave it out, or give it a predicate of its own, as in `not_~w`", [Name]).

%   spaced_name(+Before, +After, -Name) is semidet: the error is within Name, words that are an argument or an element of a list,
%   and no variable.

spaced_name(Before, After, Name) :-
    last_word(Before, First),
    \+ variable_name(First),
    \+ atom_number(First, _),
    atom_concat(Open, First, Before),
    trimmed(Open, Opened),
    ( ends_with(Opened, '(') ; ends_with(Opened, ',') ; ends_with(Opened, '[') ),
    words(After, Rest),
    atom_concat(Words, Rest, After),
    ( begins_with(Rest, ',') ; begins_with(Rest, ')') ; begins_with(Rest, ']') ),
    !,
    atomic_list_concat([First, ' ', Words], Name).

%   sentence(+Before, +After, -Who, -What) is semidet: the clause is `Who is What` or `Who is a What`, in English.

sentence(Before, After, Who, What) :-
    first_word(Before, Who),
    \+ variable_name(Who),
    atom_concat(Who, Verb, Before),
    memberchk(Verb, [' is a', ' is an', ' is the']),
    first_word(After, What),
    \+ variable_name(What),
    atom_concat(What, Rest, After),
    begins_with(Rest, '.').

%!  foreign_line(+Text, +Begin, -Message) is semidet.
%
%   The line that begins at Begin is not Prolog.

foreign_line(Text, Begin, "``` is Markdown: give the clauses without it") :-
    sub_atom(Text, Begin, 3, _, '```'),
    !.
foreign_line(Text, Begin, "a comment begins with `%`") :-
    member(Mark, [//, '#', --]),
    sub_atom(Text, Begin, Length, _, Mark),
    After is Begin+Length,
    (   sub_atom(Text, After, 1, _, Next)
    ->  \+ char_type(Next, prolog_symbol),
        Next \== '('
    ;   true
    ),
    !.

%!  foreign_quote(+Text, +Open, -Message) is semidet.
%
%   The quotation mark at Open, which is not closed, does not belong to Prolog.

foreign_quote(Text, Open, "a backslash stands before the quotation mark: leave it out") :-
    Before is Open-1,
    Before >= 0,
    sub_atom(Text, Before, 1, _, \).

foreign_operator(&&, 'a comma for and').
foreign_operator(&, 'a comma for and').
foreign_operator('||', 'a semicolon for or').
foreign_operator('!=', '`\\=`, or `=\\=` for numbers').
foreign_operator('!==', '`\\==`').
foreign_operator(<>, '`\\=`, or `=\\=` for numbers').
foreign_operator(===, '`==`').
foreign_operator(<=, '`=<`').
foreign_operator(<-, '`:-`').
foreign_operator(-:, '`:-`').
foreign_operator(=:, '`:-`').
foreign_operator(+=, '`X1 is X + 1`: a variable keeps its value').
foreign_operator(-=, '`X1 is X - 1`: a variable keeps its value').
foreign_operator(++, '`X1 is X + 1`: a variable keeps its value').
foreign_operator('\u2264', '`=<`').
foreign_operator('\u2265', '`>=`').
foreign_operator('\u2260', '`\\=`, or `=\\=` for numbers').
foreign_operator('\u2190', '`:-`').
foreign_operator('\u2192', '`:-`, or `->` behind a condition').
foreign_operator('\u21D2', '`:-`, or `->` behind a condition').
foreign_operator('\u2212', '`-`').
foreign_operator('\u2013', '`-`').
foreign_operator('\u00D7', '`*`').
foreign_operator('\u00F7', '`/`').
foreign_operator('\u2227', 'a comma for and').
foreign_operator('\u2228', 'a semicolon for or').
foreign_operator('\u00AC', '`\\+` for not').

foreign_word(and, 'a comma').
foreign_word(or, 'a semicolon').
foreign_word(not, '`\\+`').
foreign_word(if, '`( Condition -> Then ; Else )`').
foreign_word(then, '`( Condition -> Then ; Else )`').
foreign_word(else, '`( Condition -> Then ; Else )`').
foreign_word(elif, '`( Condition -> Then ; Else )`').
foreign_word(lambda, '`[X,Y]>>(Y is X + 1)`').

comparison(<).
comparison(>).
comparison(=<).
comparison(>=).
comparison(=:=).
comparison(==).
comparison(=).


                /*******************************
                *             TEXT             *
                *******************************/

begins_with(Atom, Prefix) :-
    sub_atom(Atom, 0, _, _, Prefix),
    !.

ends_with(Atom, Suffix) :-
    sub_atom(Atom, _, _, 0, Suffix),
    !.

%   words(+Atom, -Rest) is semidet: Atom begins with words, with a space between each, before Rest.

words(Atom, Rest) :-
    first_word(Atom, Word),
    \+ variable_name(Word),
    atom_concat(Word, Rest0, Atom),
    (   atom_concat(' ', Rest1, Rest0)
    ->  words(Rest1, Rest)
    ;   Rest = Rest0
    ).

%   trimmed(+Atom, -Trimmed): remove trailing layout.

trimmed(Atom, Trimmed) :-
    atom_length(Atom, Length),
    end_of_text(Length, Atom, End),
    sub_atom(Atom, 0, End, _, Trimmed).

end_of_text(I, Atom, End) :-
    I > 0,
    I0 is I-1,
    sub_atom(Atom, I0, 1, _, Char),
    char_type(Char, space),
    !,
    end_of_text(I0, Atom, End).
end_of_text(End, _, End).

%   last_word(+Atom, -Word) is semidet: a word of letters, digits and underscores.
%   last_symbols(+Atom, -Symbols) is semidet.

last_word(Atom, Word) :-
    last_run(csym, Atom, Word).

last_symbols(Atom, Symbols) :-
    last_run(prolog_symbol, Atom, Symbols).

last_run(Type, Atom, Run) :-
    atom_length(Atom, Length),
    run_begin(Length, Type, Atom, Begin),
    Begin < Length,
    sub_atom(Atom, Begin, _, 0, Run).

run_begin(I, Type, Atom, Begin) :-
    I > 0,
    I0 is I-1,
    sub_atom(Atom, I0, 1, _, Char),
    char_type(Char, Type),
    !,
    run_begin(I0, Type, Atom, Begin).
run_begin(Begin, _, _, Begin).

first_word(Atom, Word) :-
    first_run(csym, Atom, Word).

first_run(Type, Atom, Run) :-
    run_end(0, Type, Atom, End),
    End > 0,
    sub_atom(Atom, 0, End, _, Run).

run_end(I, Type, Atom, End) :-
    sub_atom(Atom, I, 1, _, Char),
    char_type(Char, Type),
    !,
    I1 is I+1,
    run_end(I1, Type, Atom, End).
run_end(End, _, _, End).

variable_name(Word) :-
    sub_atom(Word, 0, 1, _, Char),
    ( Char == '_' ; char_type(Char, upper) ),
    !.

%   operator_at(+After, -Operator) is semidet: the symbols that After begins with, or `!` and the
%   symbols after it.

operator_at(After, Operator) :-
    (   begins_with(After, '!')
    ->  sub_atom(After, 1, _, 0, Rest),
        first_run(prolog_symbol, Rest, Symbols),
        atom_concat('!', Symbols, Operator)
    ;   begins_with(After, '||')
    ->  Operator = '||'
    ;   first_run(prolog_symbol, After, Operator)
    ).

%   bar_before(+Before, +After, -Operator) is semidet: the error is at the second bar of `||`.

bar_before(Before, After, '||') :-
    ends_with(Before, '|'),
    begins_with(After, '|').

up_to_comma(Codes, Goal) :-
    append(Goal, [Code|_], Codes),
    memberchk(Code, `,;)\n`),
    !.
up_to_comma(Codes, Codes).
