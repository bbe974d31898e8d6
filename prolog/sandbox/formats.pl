:- module(hb_formats,
          [ harmless_format/1,          % +Goal
            text_sink/1,                % +Out
            safe_format_text/4,         % +Format, +Args, -Text, -SafeArgs
            safe_options/1              % +Options
          ]).

:- use_module('../depth').

/** <module> Formats that call no hidden goals and read no other memory

A format may call a goal (`~@`), or write a term with options that name one
(`~W`).  SWI-Prolog reads what is before the digits of a large integer where
`~Nd` asks for as many decimals as it has digits, or more: that is written here.
This module reads formats exactly as format/2 does.
*/

%!  harmless_format(+Goal) is semidet.
%
%   Goal, a call of format/1,2,3, has a known format without goal arguments and
%   decimals of integers, and writes to the current output or to a text.

harmless_format(Goal) :-
    compound_name_arguments(Goal, _, Args),
    (   Args = [Out,Format,_]
    ->  text_sink(Out)
    ;   Args = [Format|_]
    ),
    ( atom(Format) ; string(Format) ),
    !,
    string_codes(Format, Codes),
    (   plain(Codes)
    ->  true
    ;   directives(Codes, Directives),
        forall('$member'(directive(_, Takes), Directives), Takes = any(_))
    ).

%   plain(+Codes): no directive of Codes takes anything but text to write; may fail for others, too.

plain(Codes) :-
    \+ '$member'(0'@, Codes),
    \+ '$member'(0'W, Codes),
    \+ counted(Codes).

%   counted(+Codes): Codes may have a `d` or `D` with a count.  SWI-Prolog takes decimal digits of any script for one.

counted([C,D|_]) :-
    ( D == 0'd ; D == 0'D ; D == 0': ),
    ( digit(C) ; C == 0'* ; C > 127 ),
    !.
counted([0'`,_,D|_]) :-
    ( D == 0'd ; D == 0'D ; D == 0': ),
    !.
counted([_|Cs]) :-
    counted(Cs).

text_sink(Out) :-
    compound(Out),
    compound_name_arity(Out, Name, Arity),
    text_sink(Name, Arity).

text_sink(atom, 1).
text_sink(string, 1).
text_sink(codes, 1).
text_sink(codes, 2).
text_sink(chars, 1).
text_sink(chars, 2).

%!  safe_format_text(+Format, +Args, -Text:string, -SafeArgs) is det.
%
%   format(Text, SafeArgs) does what format(Format, Args) does, but checks the goals in
%   Args when it calls them.

safe_format_text(Format, Args, Text, SafeArgs) :-
    check_depth(Args),
    text_to_string(Format, Text0),
    string_codes(Text0, Codes),
    (   plain(Codes)
    ->  Text = Text0,
        SafeArgs = Args
    ;   (   directives(Codes, Directives)
        ->  true
        ;   throw(error(format('no such directive'), _))
        ),
        (   is_list(Args)
        ->  List = Args
        ;   List = [Args]
        ),
        safe_directives(Directives, List, Parts, SafeArgs),
        atomics_to_string(Parts, Text)
    ).

%   directives(+Codes, -Directives): Directives is a list of text(Codes) and directive(Codes, Takes).  Takes is
%   any(Count), how many arguments are written; options; goal; or decimals(Count), where Count is `*` if it is an
%   argument.  Fails on a directive that format/2 does not know.

directives([], []).
directives([0'~|T0], [directive(Codes, Takes)|Directives]) :-
    !,
    column(T0, T1, Column),
    (   T1 = [0':|T2]
    ->  true
    ;   T2 = T1
    ),
    T2 = [Code|T],
    takes(Code, Takes0),
    with_column(Column, Takes0, Takes),
    before(T0, T, Codes0),
    Codes = [0'~|Codes0],
    directives(T, Directives).
directives([C|Codes0], [text([C|Text])|Directives]) :-
    until_directive(Codes0, Text, Codes),
    directives(Codes, Directives).

until_directive([C|Cs0], [C|Text], Cs) :-
    C \== 0'~,
    !,
    until_directive(Cs0, Text, Cs).
until_directive(Cs, [], Cs).

%   before(+Codes, +Tail, -Before): what comes before Tail in Codes.

before(Codes, Tail, []) :-
    same_term(Codes, Tail),
    !.
before([C|Codes], Tail, [C|Before]) :-
    before(Codes, Tail, Before).

%   column(+Codes, -Rest, -Column): Column is `none`, `*`, or the count.

column([0'-,D|T0], T, none) :-
    digit(D),
    !,
    digits(T0, T, _).
column([D|T0], T, Count) :-
    digit(D),
    !,
    digits(T0, T, Digits),
    number_codes(Count, [D|Digits]).
column([D|_], _, _) :-
    D > 127,
    !,
    fail.
column([0'*|T], T, *) :-
    !.
column([0'`,Count|T], T, Count) :-
    !.
column(T, T, none).

digits([D|T0], T, [D|Ds]) :-
    digit(D),
    !,
    digits(T0, T, Ds).
digits(T, T, []).

digit(D) :-
    D >= 0'0,
    D =< 0'9.

takes(0'@, goal) :- !.
takes(0'W, options) :- !.
takes(Code, decimals) :-
    '$member'(Code, `dD`),
    !.
takes(Code, any(0)) :-
    '$member'(Code, `~nNt|+`),
    !.
takes(Code, any(1)) :-
    '$member'(Code, `aceEfFgGhHrRIsikpqw`),
    !.

with_column(none, decimals, any(1)) :- !.
with_column(Column, decimals, decimals(Column)) :- !.
with_column(*, any(Count0), any(Count)) :-
    !,
    Count is Count0+1.
with_column(*, Takes, starred(Takes)) :- !.
with_column(_, Takes, Takes).

%   safe_directives(+Directives, +Args, -Texts, -SafeArgs): Texts and SafeArgs do what Directives do with Args.

safe_directives([], Args, [], Args).
safe_directives([text(Codes)|Ds], Args, [Text|Texts], SafeArgs) :-
    !,
    string_codes(Text, Codes),
    safe_directives(Ds, Args, Texts, SafeArgs).
safe_directives([directive(Codes, Takes)|Ds], Args0, [Text|Texts], SafeArgs0) :-
    (   safe_arguments(Takes, Args0, Args, SafeArgs0, SafeArgs, Written)
    ->  (   var(Written)
        ->  string_codes(Text, Codes)
        ;   Text = Written
        ),
        safe_directives(Ds, Args, Texts, SafeArgs)
    ;   string_codes(Text, Codes),              % format/2 tells that there are too few arguments
        SafeArgs0 = [],
        safe_directives(Ds, [], Texts, _)
    ).

%   safe_arguments(+Takes, +Args, -RestArgs, ?SafeArgs, ?RestSafe, -Written) is semidet: what one directive takes.
%   Written is what to write in place of it, if it is not itself.  Fails if there are too few arguments.

safe_arguments(any(Count), Args, Rest, Safe, RestSafe, _) :-
    taken(Count, Args, Rest, Safe, RestSafe).
safe_arguments(goal, [Goal|Rest], Rest, [hb_checked:checked(Goal)|RestSafe], RestSafe, _).
safe_arguments(options, [Arg,Options|Rest], Rest, [Arg,Options|RestSafe], RestSafe, _) :-
    safe_options(Options).
safe_arguments(starred(Takes), [Count|Args], Rest, [Count|Safe], RestSafe, _) :-
    safe_arguments(Takes, Args, Rest, Safe, RestSafe, _).
safe_arguments(decimals(*), [Count|Args], Rest, Safe0, RestSafe, Written) :-
    !,
    (   integer_value(Count, Value),
        safe_arguments(decimals(Value), Args, Rest, Safe, RestSafe, Written),
        nonvar(Written)
    ->  Safe0 = Safe
    ;   Args = [Arg|Rest],
        Safe0 = [Count,Arg|RestSafe]
    ).
safe_arguments(decimals(Count), [Arg|Rest], Rest, [Safe|RestSafe], RestSafe, Written) :-
    (   small_fraction(Arg, Count, Safe)
    ->  Written = "~s"
    ;   Safe = Arg
    ).

taken(0, Args, Args, Safe, Safe) :-
    !.
taken(Count0, [Arg|Args], Rest, [Arg|Safe], RestSafe) :-
    Count is Count0-1,
    taken(Count, Args, Rest, Safe, RestSafe).

%   integer_value(+Arg, -Integer) is semidet: format/2 evaluates what it writes as an integer.

integer_value(Arg, Integer) :-
    (   integer(Arg)
    ->  Integer = Arg
    ;   compound(Arg),
        catch(Integer is Arg, _, fail),
        integer(Integer)
    ).

%   small_fraction(+Arg, +Count, -Text:string) is semidet: Arg is an integer beyond 64 bits and has at most Count digits;
%   Text is what `~Countd` writes for it.

small_fraction(Arg, Count, Text) :-
    integer_value(Arg, Integer),
    \+ between(-9223372036854775808, 9223372036854775807, Integer),
    Absolute is abs(Integer),
    number_codes(Absolute, Digits),
    length(Digits, Length),
    Count >= Length,
    Zeros is Count-Length,
    (   Integer < 0
    ->  Sign = "-"
    ;   Sign = ""
    ),
    format(string(Text), "~s0.~*c~s", [Sign,Zeros,0'0,Digits]).

%!  safe_options(+Options) is det.
%
%   Options of write_term/2 that call no goal and name no module but the
%   user's own.

safe_options(Options) :-
    is_list(Options),
    !,
    forall('$member'(Option, Options), safe_option(Option)).
safe_options(Options) :-
    throw(error(type_error(list, Options), _)).

safe_option(Option) :-
    var(Option),
    !,
    throw(error(instantiation_error, _)).
safe_option(Option) :-
    (   Option = (Name=Value)
    ->  true
    ;   compound(Option),
        compound_name_arguments(Option, Name, [Value])
    ),
    (   safe_option_name(Name)
    ->  true
    ;   Name == module,
        hb_store:users_module(Value)
    ),
    !.
safe_option(Option) :-
    throw(error(domain_error(write_option, Option), _)).

safe_option_name(quoted).
safe_option_name(ignore_ops).
safe_option_name(numbervars).
safe_option_name(variable_names).
safe_option_name(max_depth).
safe_option_name(spacing).
safe_option_name(portray).
safe_option_name(portrayed).
safe_option_name(priority).
safe_option_name(partial).
safe_option_name(cycles).
safe_option_name(attributes).
safe_option_name(blobs).
safe_option_name(character_escapes).
safe_option_name(character_escapes_unicode).
safe_option_name(dotlists).
safe_option_name(brace_terms).
safe_option_name(fullstop).
safe_option_name(nl).
safe_option_name(no_lists).
safe_option_name(float_format).
safe_option_name(quote_non_ascii).
safe_option_name(double_quotes).
safe_option_name(back_quotes).
safe_option_name(var_prefix).
