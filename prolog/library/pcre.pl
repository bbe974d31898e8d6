:- module(hb_pcre,
          [ re_match/2,                 % +Regex, +On
            re_match/3,                 % +Regex, +On, +Options
            re_matchsub/3,              % +Regex, +On, -Sub
            re_matchsub/4,              % +Regex, +On, -Sub, +Options
            re_foldl/6,                 % :Goal, +Regex, +On, ?V0, ?V, +Options
            re_split/3,                 % +Regex, +On, -Splits
            re_split/4,                 % +Regex, +On, -Splits, +Options
            re_replace/4,               % +Regex, +With, +On, -Result
            re_replace/5,               % +Regex, +With, +On, -Result, +Options
            re_compile/3                % +Text, -Regex, +Options
          ]).
:- use_module(library(pcre), []).

/** <module> Regular expressions

As in SWI-Prolog's library(pcre), but without captures of the type `term`, whose text would be read
as Prolog with the system's own operators and to any depth.  A pattern that takes too many steps
ends in PCRE's own resource error.
*/

:- meta_predicate
    re_foldl(3, +, +, ?, ?, +).

re_match(Regex, On)          :- re_match(Regex, On, []).
re_match(Regex, On, Options) :- check(Regex, Options), pcre:re_match(Regex, On, Options).

re_matchsub(Regex, On, Sub)          :- re_matchsub(Regex, On, Sub, []).
re_matchsub(Regex, On, Sub, Options) :- check(Regex, Options), pcre:re_matchsub(Regex, On, Sub, Options).

re_foldl(Goal, Regex, On, V0, V, Options) :- check(Regex, Options), pcre:re_foldl(Goal, Regex, On, V0, V, Options).

re_split(Regex, On, Splits)          :- re_split(Regex, On, Splits, []).
re_split(Regex, On, Splits, Options) :- check(Regex, Options), pcre:re_split(Regex, On, Splits, Options).

re_replace(Regex, With, On, Result)          :- re_replace(Regex, With, On, Result, []).
re_replace(Regex, With, On, Result, Options) :- check(Regex, Options), pcre:re_replace(Regex, With, On, Result, Options).

re_compile(Text, Regex, Options) :- check(Text, Options), pcre:re_compile(Text, Regex, Options).

%   check(+Regex, +Options): no capture has the type `term`.

check(Regex, Options) :-
    must_be(list, Options),
    (   '$member'(Option, Options),
        subsumes_term(capture_type(term), Option)
    ->  throw(error(domain_error(capture_type, term), _))
    ;   text_of(Regex, Text),
        ( sub_string(Text, _, _, _, "_T>") ; sub_string(Text, _, _, _, "_T'") )
    ->  throw(error(domain_error(regular_expression, Regex),
                    context(_, 'A capture of the type T is not read here: capture the text and give it to term_to_atom/2')))
    ;   true
    ).

%   text_of(+Regex, -Text) is semidet.  A compiled pattern has no text, and was checked before.

text_of(Regex, _) :-
    var(Regex),
    !,
    throw(error(instantiation_error, _)).
text_of(Regex/_Flags, Text) :-
    !,
    text_of(Regex, Text).
text_of(Regex, Text) :-
    \+ blob(Regex, regex),
    text_to_string(Regex, Text).
