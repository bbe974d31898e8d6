:- module(hb_formats,
          [ harmless_format/1,          % +Goal
            text_sink/1,                % +Out
            safe_format_text/4,         % +Format, +Args, -Text, -SafeArgs
            safe_options/1              % +Options
          ]).

:- use_module('../depth').

/** <module> Formats that call no hidden goals

A format may call a goal (`~@`), or write a term with options that name one
(`~W`).  This module reads formats exactly as format/2 does.
*/

%!  harmless_format(+Goal) is semidet.
%
%   Goal, a call of format/1,2,3, has a known format without goal arguments, and
%   writes to the current output or to a text.

harmless_format(Goal) :-
    compound_name_arguments(Goal, _, Args),
    (   Args = [Out,Format,_]
    ->  text_sink(Out)
    ;   Args = [Format|_]
    ),
    ( atom(Format) ; string(Format) ),
    !,
    string_codes(Format, Codes),
    (   \+ '$member'(0'@, Codes),
        \+ '$member'(0'W, Codes)
    ->  true
    ;   directives(Codes, Directives),
        \+ '$member'(goal, Directives),
        \+ '$member'(options, Directives)
    ).

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
    text_to_string(Format, Text),
    string_codes(Text, Codes),
    (   \+ '$member'(0'@, Codes),
        \+ '$member'(0'W, Codes)
    ->  SafeArgs = Args
    ;   (   directives(Codes, Directives)
        ->  true
        ;   throw(error(format('no such directive'), _))
        ),
        (   is_list(Args)
        ->  List = Args
        ;   List = [Args]
        ),
        safe_arguments(Directives, List, SafeArgs)
    ).

%   directives(+Codes, -Directives): what each directive of a format takes, in order:
%   `any`, `options` or `goal`.  Fails on a directive that format/2 does not know.

directives([], []).
directives([0'~|T0], Directives) :-
    !,
    column(T0, T1, Directives, Directives1),
    (   T1 = [0':|T2]
    ->  true
    ;   T2 = T1
    ),
    T2 = [Code|T],
    takes(Code, Directives1, Directives2),
    directives(T, Directives2).
directives([_|T], Directives) :-
    directives(T, Directives).

column([0'-,D|T0], T, Ds, Ds) :-
    digit(D),
    !,
    digits(T0, T).
column([D|T0], T, Ds, Ds) :-
    digit(D),
    !,
    digits(T0, T).
column([0'*|T], T, [any|Ds], Ds) :-
    !.
column([0'`,_|T], T, Ds, Ds) :-
    !.
column(T, T, Ds, Ds).

digits([D|T0], T) :-
    digit(D),
    !,
    digits(T0, T).
digits(T, T).

digit(D) :-
    D >= 0'0,
    D =< 0'9.

takes(0'@, [goal|Ds], Ds) :- !.
takes(0'W, [any,options|Ds], Ds) :- !.
takes(Code, Ds, Ds) :-
    '$member'(Code, `~nNt|+`),
    !.
takes(Code, [any|Ds], Ds) :-
    '$member'(Code, `aceEfFgGhHdDrRIsikpqw`),
    !.

safe_arguments([], Args, Args).
safe_arguments([_|_], [], []).
safe_arguments([Directive|Ds], [Arg|Args], [Safe|SafeArgs]) :-
    safe_argument(Directive, Arg, Safe),
    safe_arguments(Ds, Args, SafeArgs).

safe_argument(any, Arg, Arg).
safe_argument(goal, Goal, hb_checked:checked(Goal)).
safe_argument(options, Options, Options) :-
    safe_options(Options).

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
