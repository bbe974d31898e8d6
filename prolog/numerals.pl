:- module(hb_numerals,
          [ check_numerals/2,           % +Text, +Most
            bound_conversions/0
          ]).
:- use_module(limits).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).

/** <module> Numbers in texts that can be read in time

SWI-Prolog takes quadratic time to read a number, and nothing interrupts it.  Such texts are scanned as its reader
does, except that it goes on where that raises an error.  The conductor's lexer (src/book/lexer/numbers.rs) does the
same for clauses.
*/

%!  bound_conversions is det.
%
%   From now on predicates that make a number of a text, those that libraries call too, raise
%   resource_error(numeral_digits) if it is too long.

bound_conversions :-
    forall(converts(Goal, Text),
           wrap_predicate(system:Goal, hb_numerals, Wrapped, ( hb_numerals:check_conversion(Text), Wrapped ))).

converts(atom_number(Text, _), Text).
converts(number_codes(_, Text), Text).
converts(number_chars(_, Text), Text).
converts(number_string(_, Text), Text).
converts(name(_, Text), Text).

check_conversion(Text) :-
    limit_of(numeral_digits, Most),
    (   is_list(Text)
    ->  length(Text, Length)
    ;   ( atom(Text) ; string(Text) )
    ->  atom_length(Text, Length)
    ;   Length = 0
    ),
    (   Length =< Most
    ->  true
    ;   catch(text_to_string(Text, String), _, fail)    % else the predicate says what is wrong
    ->  check_numerals(String, Most)
    ;   true
    ).

%!  check_numerals(+Text, +Most) is det.
%
%   @error resource_error(numeral_digits) if Text, an atom or a string, has a number of more than Most digits.

check_numerals(Text, Most) :-
    setup_call_cleanup(
        open_string(Text, In),
        text(In, none, Most),
        close(In)).

%   text(+In, +Before, +Most): Before is `word` if a letter, digit or underscore precedes, which a digit then continues,
%   and `symbol` if a character of operators does, after which `/*` begins no comment.

text(In, Before0, Most) :-
    read_string(In, "0123456789'\"`%/", "", Stop, Passed),
    check_foreign_digits(Passed, Most),
    (   Stop == -1
    ->  true
    ;   before(Passed, Before0, Before),
        stop(Stop, In, Before, Most, After),
        text(In, After, Most)
    ).

before("", Before, Before) :-
    !.
before(Passed, _, Before) :-
    string_length(Passed, Length),
    string_code(Length, Passed, Last),
    (   code_type(Last, csym)
    ->  Before = word
    ;   code_type(Last, prolog_symbol)
    ->  Before = symbol
    ;   Before = none
    ).

stop(0'%, In, _, _, none) :-
    !,
    line(In).
stop(0'/, In, Before, _, After) :-
    !,
    (   Before \== symbol,
        peek_code(In, 0'*)
    ->  comment(In),
        After = none
    ;   After = symbol
    ).
stop(Quote, In, _, _, none) :-
    memberchk(Quote, `'"\``),
    !,
    quoted(Quote, In).
stop(_, _, word, _, word) :-
    !.
stop(0'0, In, _, Most, word) :-
    peek_code(In, Next),
    zero(Next, In, Most),
    !.
stop(Digit, In, _, Most, word) :-
    Value is Digit-0'0,
    decimal(In, 1, Value, Most).

zero(0'', In, _) :-
    get_code(In, _),
    get_code(In, Code),
    character(Code, In).
zero(0'x, In, Most) :-
    get_code(In, _),
    digits(In, 16, 0, Most).
zero(0'o, In, Most) :-
    get_code(In, _),
    digits(In, 8, 0, Most).
zero(0'b, In, Most) :-
    get_code(In, _),
    digits(In, 2, 0, Most).

character(0'\\, In) :-
    !,
    escape(In).
character(0'', In) :-
    peek_code(In, 0''),
    !,
    get_code(In, _).
character(_, _).

%   decimal(+In, +Count, +Value, +Most): Count digits of value Value, or 99 if they cannot be a radix, were read.

decimal(In, Count0, Value0, Most) :-
    peek_code(In, Code),
    (   digit(10, Code, Weight)
    ->  get_code(In, _),
        counted(Count0, Most, Count),
        Value is min(99, Value0*10+Weight),
        decimal(In, Count, Value, Most)
    ;   gap(Code, 10, In)
    ->  (   next_is_digit(In, 10)
        ->  decimal(In, Count0, 99, Most)
        ;   true
        )
    ;   Code == 0'',
        between(2, 36, Value0),
        ahead(In, 2, Second),
        digit(Value0, Second, _)
    ->  get_code(In, _),
        digits(In, Value0, Count0, Most)
    ;   goes_on(Code, In, Length)
    ->  read_string(In, Length, _),
        decimal(In, Count0, 99, Most)
    ;   true
    ).

%   goes_on(+Code, +In, -Length): a fraction, a denominator or an exponent follows Length characters, of which Code is the first.

goes_on(Code, In, Length) :-
    memberchk(Code, `.reE`),
    ahead(In, 2, Second),
    (   digit(10, Second, _)
    ->  Length = 1
    ;   memberchk(Second, `+-`),
        memberchk(Code, `eE`),
        ahead(In, 3, Third),
        digit(10, Third, _)
    ->  Length = 2
    ).

digits(In, Radix, Count0, Most) :-
    peek_code(In, Code),
    (   digit(Radix, Code, _)
    ->  get_code(In, _),
        counted(Count0, Most, Count),
        digits(In, Radix, Count, Most)
    ;   gap(Code, Radix, In)
    ->  (   next_is_digit(In, Radix)
        ->  digits(In, Radix, Count0, Most)
        ;   true
        )
    ;   true
    ).

counted(Count0, Most, Count) :-
    Count is Count0+1,
    (   Count =< Most
    ->  true
    ;   throw(error(resource_error(numeral_digits), _))
    ).

%   gap(+Code, +Radix, +In) is semidet: pass what may separate groups of digits, `_` with layout behind it or one space.

gap(0'_, _, In) :-
    get_code(In, _),
    layout(In).
gap(0'\s, Radix, In) :-
    Radix =< 10,
    get_code(In, _).

next_is_digit(In, Radix) :-
    peek_code(In, Code),
    digit(Radix, Code, _).

%   ahead(+In, +N, -Code) is semidet: Code is the N-th next code.

ahead(In, N, Code) :-
    peek_string(In, N, Next),
    string_code(N, Next, Code).

digit(Radix, Code, Weight) :-
    (   Code =< 0'9
    ->  Weight is Code-0'0,
        Weight >= 0
    ;   Code =< 0'z
    ->  (   Code >= 0'a
        ->  Weight is Code-0'a+10
        ;   Weight is Code-0'A+10,
            Weight >= 10
        )
    ;   code_type(Code, decimal(Weight))
    ),
    Weight < Radix.

%   check_foreign_digits(+Passed, +Most): Passed has no digit of ASCII.  Only conversions take others, at their end.

check_foreign_digits(Passed, Most) :-
    string_length(Passed, Length),
    (   (   Length =< Most
        ;   string_code(Length, Passed, Last),
            Last < 128
        )
    ->  true
    ;   string_codes(Passed, Codes),
        foldl(foreign_digits(Most), Codes, 0, _)
    ).

foreign_digits(Most, Code, Count0, Count) :-
    (   Code > 127,
        digit(10, Code, _)
    ->  counted(Count0, Most, Count)
    ;   Count = 0
    ).

%   quoted(+Quote, +In): pass the rest of a quoted text.  A doubled quote begins another.

quoted(Quote, In) :-
    string_codes(Stops, [Quote, 0'\\]),
    read_string(In, Stops, "", Stop, _),
    (   Stop == 0'\\
    ->  escape(In),
        quoted(Quote, In)
    ;   true
    ).

%   escape(+In): pass what follows a backslash.  Another closes a code.

escape(In) :-
    get_code(In, Code),
    (   code_radix(Code, Radix)
    ->  escaped_digits(In, Radix),
        (   peek_code(In, 0'\\)
        ->  get_code(In, _)
        ;   true
        )
    ;   true
    ).

code_radix(0'x, 16).
code_radix(Code, 8) :-
    between(0'0, 0'7, Code).

escaped_digits(In, Radix) :-
    peek_code(In, Code),
    (   digit(Radix, Code, _)
    ->  get_code(In, _),
        escaped_digits(In, Radix)
    ;   true
    ).

%   layout(+In), line(+In), comment(+In): pass layout and comments, the rest of a line, and a comment from its `*` on.

layout(In) :-
    peek_code(In, Code),
    (   code_type(Code, space)
    ->  get_code(In, _),
        layout(In)
    ;   Code == 0'%
    ->  line(In),
        layout(In)
    ;   Code == 0'/,
        ahead(In, 2, 0'*)
    ->  get_code(In, _),
        comment(In),
        layout(In)
    ;   true
    ).

line(In) :-
    read_string(In, "\n", "", _, _).

comment(In) :-
    get_code(In, _),
    comment_end(In).

comment_end(In) :-
    read_string(In, "*", "", Stop, _),
    (   Stop == -1
    ->  true
    ;   peek_code(In, 0'/)
    ->  get_code(In, _)
    ;   comment_end(In)
    ).
