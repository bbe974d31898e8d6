:- module(hb_format,
          [ format_/4                   % +Format, +Args, ?List, ?Rest
          ]).
:- use_module('../sandbox/output').

/** <module> Formatted text in grammars

As in Scryer Prolog's library(format).
*/

%!  format_(+Format, +Args)// is det.
%
%   What format/2 writes, as characters where Format is a list of them, and as codes otherwise.

format_(Format, Args, List, Rest) :-
    (   Format = [Char|_],
        atom(Char)
    ->  safe_format(chars(Written, Rest), Format, Args)
    ;   safe_format(codes(Written, Rest), Format, Args)
    ),
    List = Written.
