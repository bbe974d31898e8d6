:- module(hb_operators,
          [ begin_operators/0,
            add_operators/2,            % +Operators, +Id
            forget_operators/1,         % +Id
            forget_operators/0,
            book_operators/1,           % -Operators
            without_home/2              % +Names, -Plain
          ]).
:- use_module('../read/scope').
:- use_module(modules, [users_module/1]).
:- use_module(library(lists), [last/2]).

/** <module> The operators that the book declares

Queries and running code read and write with the operators of the system, of the allowed libraries,
and of the directives of the book, as at SWI-Prolog's prompt after loading the files.  They live in
the module `user`, where SWI-Prolog looks when it writes.  If a name is declared twice, the later
declaration in the book holds.  The text of the book is read without them, except inline clauses,
which are then kept in a text that needs none of them.
*/

:- dynamic operator/5.                  % Name, Kind, Id, Priority, Type

%!  begin_operators is det.
%
%   Give the module `user` the operators and flags that queries are read with.  Called when an
%   engine boots, because loading a saved state brings SWI-Prolog's library for pages back into
%   `user`.

begin_operators :-
    default_flags(user),
    % In a list, as [] may be a name.
    findall(op(Type, Name),
            ( current_op(Priority, Type, user:Name), \+ current_op(Priority, Type, system:Name) ),
            Brought),
    forall('$member'(op(Type, Name), Brought), own_again(Type, Name)),
    library_operators(Operators),
    forall('$member'(op(Priority, Type, Name), Operators),
           op(Priority, Type, user:Name)).

%   own_again(+Type, +Name): what the library declares of the operator Name is void, and what the system
%   declares of it holds again.

own_again(Type, Name) :-
    op(0, Type, user:[Name]),
    forall(( op_kind(Type, Kind),
             op_kind(Type1, Kind),
             current_op(Priority, Type1, hb_syntax:Name) ),
           op(Priority, Type1, user:[Name])).

%!  add_operators(+Operators, +Id) is det.
%
%   The entry Id of the book declares Operators, terms op(Priority, Type, Names) as op/3 takes
%   them.  A directive that removes an operator of the system does so for its own file only: without
%   it no query could be written.

add_operators(Operators, Id) :-
    forall(( '$member'(op(Priority, Type, Names), Operators),
             operator_name(Names, Name),
             op_kind(Type, Kind),
             \+ ( Priority == 0, system_operator(Name, Kind) ) ),
           ( assertz(operator(Name, Kind, Id, Priority, Type)),
             have_last(Name, Kind) )).

operator_name(Names, Name) :-
    (   is_list(Names),
        Names \== []
    ->  '$member'(Name, Names)
    ;   Name = Names
    ).

system_operator(Name, Kind) :-
    op_kind(Type, Kind),
    current_op(_, Type, hb_syntax:Name),
    !.

%!  forget_operators(+Id) is semidet.
%!  forget_operators is det.
%
%   Forget the operators that the entry Id declares, or all of them.  Fails if Id declares none.

forget_operators(Id) :-
    findall(Name-Kind, retract(operator(Name, Kind, Id, _, _)), [First|More]),
    forall('$member'(Name-Kind, [First|More]), have_last(Name, Kind)).

forget_operators :-
    findall(Name-Kind, retract(operator(Name, Kind, _, _, _)), All),
    sort(All, Names),
    forall('$member'(Name-Kind, Names), have_last(Name, Kind)).

%   have_last(+Name, +Kind): the last declaration in the book holds, or else that of the system and
%   the libraries.

have_last(Name, Kind) :-
    findall(op(Priority,Type), operator(Name, Kind, _, Priority, Type), Declared),
    (   last(Declared, op(Priority,Type))   % they were added in the order of the book
    ->  true
    ;   op_kind(Type, Kind),
        current_op(Priority, Type, hb_syntax:Name)
    ->  true
    ;   op_kind(Type, Kind)
    ->  Priority = 0
    ),
    op(Priority, Type, user:Name).

%!  book_operators(-Operators) is det.
%
%   Operators are the declarations of the book that hold, as terms op(Priority, Type, Name).

book_operators(Operators) :-
    findall(Name-Kind, operator(Name, Kind, _, _, _), Names0),
    sort(Names0, Names),
    findall(op(Priority, Type, Name),
            ( '$member'(Name-Kind, Names),
              op_kind(Type, Kind),
              current_op(Priority, Type, user:Name)
            ),
            Operators).

%!  without_home(+Names, -Plain) is det.
%
%   Plain is Names, an operator name or a list of them, without the user's module.

without_home(Names, Plain) :-
    nonvar(Names),
    Names = Module:Names1,
    users_module(Module),
    !,
    without_home(Names1, Plain).
without_home(Names, Plain) :-
    is_list(Names),
    Names \== [],
    !,
    without_homes(Names, Plain).
without_home(Names, Names).

without_homes([], []).
without_homes([Name|Names], [Plain|Plains]) :-
    without_home(Name, Plain),
    without_homes(Names, Plains).
