:- module(hb_fact_runs,
          [ place/3,                    % +Ids, +Max, -Place
            next_id/2,                  % +Place, -Id
            take_ids/2,                 % +Count, !Place
            add_facts/5                 % +Source, +Index, !Place, +Out, -Next
          ]).
:- use_module(reader).
:- use_module('../store/facts').
:- use_module('../sandbox/sandbox', [has_function/1]).
:- use_module(library(lists), [last/2]).
:- use_module('../functor').

/** <module> Facts of one predicate after each other

The fast path for importing many facts, and how far a text has been added.  That is
place(Start, Max, Runs, Last, At, First, Left), changed in place: where the next item starts, how many items
may follow, the runs of ids, Index-fact(Plain, Name, Arity) if the last item was a fact of that predicate,
the run in use, the next id of it, and how many it has left.
*/

%!  place(+Ids, +Max, -Place) is det.
%
%   nb_setarg/3 copies what it sets, so the runs of ids are not taken from a list: there may be
%   as many as clauses.

place(Ids, Max, place(0, Max, Runs, none, 1, First, Left)) :-
    compound_name_arguments(Runs, runs, Ids),
    (   Ids = [First-Left|_]
    ->  true
    ;   First = 0,
        Left = 0
    ).

%!  next_id(+Place, -Id) is semidet.

next_id(Place, Id) :-
    arg(7, Place, Left),
    Left > 0,
    arg(6, Place, Id).

%!  take_ids(+Count, !Place) is det.
%
%   The next ids, of one run, are taken.

take_ids(Count, Place) :-
    arg(6, Place, First),
    arg(7, Place, Left),
    (   Left > Count
    ->  First1 is First+Count,
        Left1 is Left-Count
    ;   arg(5, Place, At),
        At1 is At+1,
        nb_setarg(5, Place, At1),
        arg(3, Place, Runs),
        (   arg(At1, Runs, First1-Left1)
        ->  true
        ;   First1 = 0,
            Left1 = 0
        )
    ),
    nb_setarg(6, Place, First1),
    nb_setarg(7, Place, Left1).

%!  add_facts(+Source, +Index, !Place, +Out, -Next) is det.
%
%   Add facts as long as they belong to the same predicate as the previous item, and write where each ends.
%   Next is `end`, clause(Term) for another term, unread(Error), or `none` if no items or no ids are left.

add_facts(Source, Index, Place, Out-_, Next) :-
    Source = source(Stream, _, _, Scope, _),
    arg(4, Place, Last),
    (   Last = Index-fact(Plain,Name,Arity)
    ->  Like = like(Plain,Name,Arity)
    ;   Like = none
    ),
    arg(2, Place, Max),
    next_id(Place, First),
    arg(7, Place, Left),
    Count is min(Max, Left),
    Found = found(none),
    (   nonvar(Name)
    ->  begin_facts(Name, Arity, First, Mark)
    ;   true
    ),
    findall(End, add_fact(Count, Stream, Scope, Like, Mark, Found, End), Ends),
    arg(1, Found, Next),
    length(Ends, Taken),
    (   nonvar(Name)
    ->  stored_facts(Name, Arity, First, Taken)
    ;   true
    ),
    (   Taken == 0
    ->  true
    ;   take_ids(Taken, Place),
        Max1 is Max-Taken,
        nb_setarg(2, Place, Max1),
        next_start(Next, Ends, Stream, Place),
        atomic_list_concat(Ends, ',', Text),
        put_char(Out, ','),
        write(Out, Text)
    ).

%   next_start(+Next, +Ends, +Stream, !Place): note where the text after the facts begins.
%   If the stream has read no further, that is its position, and else the end of the last fact.

next_start(end, _, _, _) :-
    !.
next_start(none, _, Stream, Place) :-
    !,
    character_count(Stream, Start),
    nb_setarg(1, Place, Start).
next_start(_, Ends, _, Place) :-
    last(Ends, Start),
    nb_setarg(1, Place, Start).

%   add_fact(+Count, +Stream, +Scope, +Like, ?Mark, !Found, -End) is nondet: add up to Count facts,
%   one on each solution.  Like is `none` or like(Plain, Name, Arity), Plain being the name of
%   Name/Arity in the text.  What ends the facts is left in the argument of Found.  Backtracking frees
%   the memory that reading took.

add_fact(Count, Stream, Scope, Like, Mark, Found, End) :-
    catch(read_fact(Count, Stream, Scope, Like, Mark, Found, End),
          Error,
          ( not_a_fact(Error, Next), nb_setarg(1, Found, Next), fail )).

%   not_a_fact(+Error, -Next): functor/3 refuses p(), which was read without error.

not_a_fact(error(domain_error(compound_non_zero_arity,Term), _), clause(Term)) :-
    !.
not_a_fact(Error, unread(Error)).

read_fact(Count, Stream, Scope, Like, Mark, Found, End) :-
    Options = [module(Scope)],
    between(1, Count, Number),
    read_term(Stream, Term, Options),
    (   Like = like(Plain,Name,Arity),
        term_functor(Term, Plain, Arity),
        \+ has_function(Term)
    ->  (   Plain == Name
        ->  store_fact(Term, Mark, Number)
        ;   renamed(Term, Name, Fact),
            store_fact(Fact, Mark, Number)
        ),
        character_count(Stream, End)
    ;   !,
        (   Term == end_of_file
        ->  nb_setarg(1, Found, end)
        ;   nb_setarg(1, Found, clause(Term))
        ),
        fail
    ).
