:- module(hb_text_slips,
          [ escaped_path/2              % +Term, -Path
          ]).
:- use_module(subterms).
:- use_module(library(lists), [memberchk/2]).

/** <module> Texts in which a backslash was meant as such
*/

%!  escaped_path(+Term, -Path:string) is nondet.
%
%   A text in Term is like a path of Windows, as `"C:\new\table.txt"`, whose backslashes the reader has taken for escapes;
%   Path is what was written.

escaped_path(Term, Path) :-
    sub_term_of(Text, Term),
    ( string(Text) ; atom(Text) ),
    sub_string(Text, 1, 1, After, ":"),
    After > 3,
    string_codes(Text, [Drive,_,First|Rest]),
    code_type(Drive, alpha),
    meant(First, _),
    Rest = [Next|_],
    code_type(Next, alnum),
    \+ ( '$member'(Code, Rest), memberchk(Code, `: ~,;=`) ),
    once(( '$member'(Mark, Rest), ( Mark == 0'. ; meant(Mark, _) ) )),
    unescaped([Drive,0':,First|Rest], Codes),
    string_codes(Path, Codes).

unescaped([], []).
unescaped([Code|Codes], Written) :-
    (   meant(Code, Letter)
    ->  Written = [0'\\,Letter|Rest]
    ;   Written = [Code|Rest]
    ),
    unescaped(Codes, Rest).

%   meant(?Code, ?Letter): a backslash and Letter stand for Code.

meant(7,  0'a).
meant(8,  0'b).
meant(9,  0't).
meant(10, 0'n).
meant(11, 0'v).
meant(12, 0'f).
meant(13, 0'r).
