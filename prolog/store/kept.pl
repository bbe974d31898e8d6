:- module(hb_kept,
          [ without_book/0,
            bookless/0,
            check_kept/1                % +Clause
          ]).
:- use_module(clause_text, [check_writable/1]).

/** <module> Whether a book keeps what running code adds
*/

:- dynamic
    bookless/0.

%!  without_book is det.
%!  bookless is semidet.
%
%   From now on clauses are not reported to a book, so they need no text.

without_book :-
    assertz(bookless).

%!  check_kept(+Clause) is det.
%
%   @error representation_error(Type) if there is a book, and it cannot keep Clause.

check_kept(Clause) :-
    (   bookless
    ->  true
    ;   check_writable(Clause)
    ).
