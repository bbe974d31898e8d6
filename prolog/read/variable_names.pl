:- module(hb_variable_names,
          [ written/3,                  % +Term, +Names, -Text
            value_word/4,               % +Other, +Expression, +Names, -Word
            without/3,                  % +Vars0, +Others, -Vars
            names_of/3                  % +Vars, +Names, -Words
          ]).
:- use_module(library(lists), [member/2]).
:- use_module('../shown_text', [cut_text/3, bind_nameless/1]).

/** <module> Terms with the names that their variables have in the text
*/

%!  written(+Term, +Names, -Text) is det.
%
%   Term with the names of its variables, cut at 60 characters.

written(Term, Names, Text) :-
    copy_term_nat(Term-Names, Copy-Copies),
    bind_names(Copies),
    term_variables(Copy, Nameless),
    bind_nameless(Nameless),
    format(string(Text0), '~W', [Copy, [quoted(true), numbervars(true), max_depth(8), spacing(next_argument)]]),
    cut_text(Text0, 60, Text).

bind_names([]).
bind_names([Name='$VAR'(Name)|Names]) :-
    !,
    bind_names(Names).
bind_names([_|Names]) :-
    bind_names(Names).

%!  value_word(@Other, +Expression, +Names, -Word) is semidet.

value_word(Other, Expression, Names, Word) :-
    (   var(Other)
    ->  names_of([Other], Names, [Word])
    ;   written(Expression, Names, Text),
        Word = text(Text)
    ).

%!  without(+Vars0, +Others, -Vars) is det.

without([], _, []).
without([Var|Vars0], Others, Vars) :-
    (   '$member'(Other, Others),
        Other == Var
    ->  Vars = Vars1
    ;   Vars = [Var|Vars1]
    ),
    without(Vars0, Others, Vars1).

%!  names_of(+Vars, +Names, -Words) is det.
%
%   The names of Vars that do not begin with an underscore, as terms text(Name).

names_of(Vars, Names, Words) :-
    findall(text(Name),
            ( member(Name=Var, Names),
              \+ sub_atom(Name, 0, _, _, '_'),
              member(Single, Vars),
              Single == Var ),
            Words).
