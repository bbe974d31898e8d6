:- module(hb_stops,
          [ inner/1,                    % +In
            at_one_place/3,             % +In, +Which, -Rows
            below/3,                    % +Ref, +Context0, -Context
            in_clause_text/2,           % +In, -Where
            occurs_in/2,                % @Given, +Context
            written_in/2,               % @Given, +Context
            asked/2,                    % +Context, -Query
            is_inside/1,                % +Context
            conjunct/2                  % +Body, -Goal
          ]).
:- use_module('../functor').
:- use_module('../store/store').
:- use_module('../read/subterms', [sub_term_of/2]).
:- use_module(tries, [tried/3]).

/** <module> Where a goal stopped

In is in(Try, Sole, Context): the goal is of the body Try of hb_failure, and a single way led there if Sole is true.  Sole
is rows(Count) if so many ways led there from the begin of a body to which a single way led.
Context holds what was written: it is asked(Query), none(Query) where what the query has does not count,
in_body(Context, Clause) for a goal of the body of Clause, or inside(Context) for a goal inside another one.
*/

%!  inner(+In) is semidet.
%
%   A single way led to the goal, and it is not the whole query.

inner(in(Try, true, Context)) :-
    (   Try \== 0
    ->  true
    ;   asked(Context, Query),
        nonvar(Query),
        Query = (_,_)
    ).

%!  at_one_place(+In, +Which, -Rows:string) is semidet.
%
%   As inner/1, or several ways led to the goal from the begin of its body.  Rows then says that it is the one that Which,
%   `first` or `nearest`, names.

at_one_place(In, _, "") :-
    inner(In),
    !.
at_one_place(in(Try, rows(Count), Context), Which, Rows) :-
    inner(in(Try, true, Context)),
    format(string(Rows), ", the ~w of ~d", [Which,Count]).

%!  below(+Ref, +Context0, -Context) is det.
%
%   Context has what is written in the clause Ref, too, if it is one.

below(Ref, Context, in_body(Context, Head-Body)) :-
    blob(Ref, clause),
    clause(knowledge_base:Head, Body, Ref),
    !.
below(_, Context, Context).

%!  asked(+Context, -Query) is det.

asked(asked(Query), Query).
asked(none(Query), Query).
asked(in_body(Context, _), Query) :-
    asked(Context, Query).
asked(inside(Context), Query) :-
    asked(Context, Query).

%!  is_inside(+Context) is semidet.
%
%   The goal is inside another one, as in a negation.

is_inside(inside(_)).
is_inside(in_body(Context, _)) :-
    is_inside(Context).

%!  in_clause_text(+In, -Where:string) is det.
%
%   Where names the predicate of the clause, to be read after a goal; it is empty for the query.

in_clause_text(in(Try, _, _), Where) :-
    (   tried(_, Try, Ref),
        clause(knowledge_base:Head, _, Ref)
    ->  term_functor(Head, Name, Arity),
        hb_store:seen_indicator(Name/Arity, Seen),
        format(string(Where), " (in ~q)", [Seen])
    ;   Where = ""
    ).

%!  occurs_in(@Given, +Context) is semidet.
%
%   Given is written in Context.

occurs_in(Given, Context) :-
    written_part(Context, Part),
    sub_term_of(Sub, Part),
    Sub =@= Given,
    !.

%!  written_in(@Given, +Context) is semidet.
%
%   As occurs_in/2, but of a term, which may have got its arguments later, only the name and the number of arguments count.

written_in(Given, Context) :-
    (   compound(Given),
        Given \= [_|_]
    ->  compound_name_arity(Given, Name, Arity),
        compound_name_arity(Like, Name, Arity)
    ;   Like = Given
    ),
    written_part(Context, Part),
    sub_term_of(Sub, Part),
    (   Like == Given
    ->  Sub =@= Given
    ;   subsumes_term(Like, Sub)
    ),
    !.

written_part(asked(Query), Query).
written_part(inside(Context), Part) :-
    written_part(Context, Part).
written_part(in_body(Context, Clause), Part) :-
    (   Part = Clause
    ;   written_part(Context, Part)
    ).

%!  conjunct(+Body, -Goal) is nondet.
%
%   Goal is one of the conjunction Body, and known.

conjunct(Goal, _) :-
    var(Goal),
    !,
    fail.
conjunct((A,B), Goal) :-
    !,
    ( conjunct(A, Goal) ; conjunct(B, Goal) ).
conjunct(Goal, Goal).
