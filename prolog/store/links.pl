:- module(hb_links,
          [ add_link/4,                 % +Id, +Name, +Arity, +From
            link/4,                     % ?Id, ?Name, ?Arity, -From
            linked/0,
            rows_supposed/0,
            forget_link/1,              % +Id
            forget_links/0
          ]).

/** <module> The predicates of the book whose rows are in a table of the host's data
*/

:- dynamic link/4.                      % Id, Name, Arity, From

%!  add_link(+Id, +Name, +Arity, +From) is det.
%!  link(?Id, ?Name, ?Arity, -From) is nondet.
%
%   The entry Id of the book says that Name/Arity, an engine's name, has the rows of From: a source, or
%   Source:Table.  Its calls are translated otherwise than those of other predicates (hb_joins).

add_link(Id, Name, Arity, From) :-
    assertz(link(Id, Name, Arity, From)),
    hb_store:meanings_changed.

%!  linked is semidet.
%
%   There are such predicates.

linked :-
    link(_, _, _, _),
    !.

%!  rows_supposed is semidet.
%
%   A query supposes clauses beside the rows of such a predicate, which only Prolog knows.

rows_supposed :-
    hb_store:passes,
    link(_, Name, Arity, _),
    functor(Head, Name, Arity),
    predicate_property(knowledge_base:Head, number_of_clauses(Count)),
    Count > 1,
    !.

%!  forget_link(+Id) is semidet.
%!  forget_links is det.
%
%   Forget the link that is the entry Id; or all of them.

forget_link(Id) :-
    retract(link(Id, _, _, _)),
    !,
    hb_store:meanings_changed.

forget_links :-
    retractall(link(_, _, _, _)).
