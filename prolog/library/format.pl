:- module(hb_format,
          [ format_/4                   % +Format, +Args, ?List, ?Rest
          ]).
:- use_module('../sandbox/output').

/** <module> Formatted text in grammars

As in Scryer Prolog's library(format).
*/

%!  format_(+Format, +Args)// is det.
%
%   What format/2 writes, as characters if Format is a list of characters, and else as codes.

format_(Format, Args, List, Rest) :-
    (   Format = [Char|_],
        atom(Char)
    ->  safe_format(chars(Written, Rest), Format, Args)
    ;   safe_format(codes(Written, Rest), Format, Args)
    ),
    List = Written.
