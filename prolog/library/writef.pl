:- module(hb_writef,
          [ writef/1,                   % +Format
            writef/2,                   % +Format, +Args
            swritef/2,                  % -String, +Format
            swritef/3,                  % -String, +Format, +Args
            write_ln/1                  % +Term
          ]).
:- use_module('../sandbox/output').
:- use_module(library(dcg/basics), [integer//1]).

/** <module> Edinburgh's writef

As in SWI-Prolog's library(writef), which older programs use to print.
*/

%!  writef(+Format) is det.
%!  writef(+Format, +Args) is det.
%
%   Write Format.  Everything stands for itself except `%w`, `%d` (write/1), `%q` (writeq/1), `%p`
%   and `%t` (print/1), the next argument; `%s`, text from a list of codes; `%n`, the character of a
%   code; `%r`, an argument as many times as the next one says; `%Nc`, `%Nl`, `%Nr`, the next
%   argument in N columns, centred, left- or right-aligned; `\n` and `\l`, a newline; `\r`, `\t`,
%   `\\`.
%
%   @error format('...') if there are fewer arguments than Format needs.

writef(Format) :-
    writef(Format, []).
writef(Format, Args) :-
    must_be(list, Args),
    text_to_string(Format, Text),
    string_codes(Text, Codes),
    pieces(Codes, Args).

%!  swritef(-String, +Format) is det.
%!  swritef(-String, +Format, +Args) is det.
%
%   String is what writef/2 writes.

swritef(String, Format) :-
    swritef(String, Format, []).
swritef(String, Format, Args) :-
    with_output_to(string(Written), writef(Format, Args)),
    String = Written.

%!  write_ln(+Term) is det.
%
%   The older name of writeln/1.

write_ln(Term) :-
    safe_writeln(Term).

pieces([], _).
pieces([0'%|Codes], Args) :-
    phrase(directive(Directive), Codes, Rest),
    !,
    argument(Args, Arg, Args1),
    (   Directive == repeated
    ->  argument(Args1, Times, Args2),
        must_be(integer, Times),
        forall(between(1, Times, _), safe_write(Arg))
    ;   write_argument(Directive, Arg),
        Args2 = Args1
    ),
    pieces(Rest, Args2).
pieces([0'\\,Code|Codes], Args) :-
    escaped(Code, Written),
    !,
    put_code(Written),
    pieces(Codes, Args).
pieces([Code|Codes], Args) :-
    put_code(Code),
    pieces(Codes, Args).

directive(written)        --> "w", !.
directive(written)        --> "d", !.
directive(quoted)         --> "q", !.
directive(printed)        --> "p", !.
directive(printed)        --> "t", !.
directive(character)      --> "n", !.
directive(repeated)       --> "r", !.
directive(text)           --> "s", !.
directive(column(N,Side)) --> integer(N), { N >= 0, N =< 1000 }, side(Side).

side(centre) --> "c".
side(left)   --> "l".
side(right)  --> "r".

escaped(0'n, 0'\n).
escaped(0'l, 0'\n).
escaped(0'r, 0'\r).
escaped(0't, 0'\t).
escaped(0'\\, 0'\\).

argument([Arg|Args], Arg, Args) :-
    !.
argument([], _, _) :-
    throw(error(format('not enough arguments'), _)).

write_argument(written, Arg) :-
    safe_write(Arg).
write_argument(quoted, Arg) :-
    safe_writeq(Arg).
write_argument(printed, Arg) :-
    safe_print(Arg).
write_argument(character, Arg) :-
    safe_put(Arg).
write_argument(text, Arg) :-
    text_to_string(Arg, Text),
    write(Text).
write_argument(column(Width,Side), Arg) :-
    with_output_to(string(Text), safe_write(Arg)),
    string_length(Text, Length),
    Spaces is max(0, Width-Length),
    spaces(Side, Spaces, Before, After),
    tab(Before),
    write(Text),
    tab(After).

spaces(left, All, 0, All).
spaces(right, All, All, 0).
spaces(centre, All, Before, After) :-
    Before is All//2,
    After is All-Before.
