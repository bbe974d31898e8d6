:- module(hb_shown_text,
          [ cut_text/3,                 % +Text0, +Most, -Text
            bind_nameless/1             % ?Vars
          ]).

/** <module> Texts of terms in messages
*/

%!  cut_text(+Text0, +Most, -Text:string) is det.
%
%   Text is Text0, or its first Most characters and an ellipsis if it is longer.

cut_text(Text0, Most, Text) :-
    string_length(Text0, Length),
    (   Length =< Most
    ->  Text = Text0
    ;   sub_string(Text0, 0, Most, _, Begin),
        string_concat(Begin, "…", Text)
    ).

%!  bind_nameless(?Vars) is det.
%
%   Bind these variables so that numbervars(true) writes each as `_`.

bind_nameless([]).
bind_nameless(['$VAR'('_')|Vars]) :-
    bind_nameless(Vars).
