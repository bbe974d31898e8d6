:- module(hb_clauses,
          [ add/5,                      % +Kind, +Texts, +Ids, +Max, -Reply
            add_more/3,                 % +Ids, +Max, -Reply
            add_abort/0,
            reload/3,                   % +Predicates, +Loads, -Items
            retract_text/2,             % +Text, -Id
            remove/1                    % +Ids
          ]).
:- use_module(reader).
:- use_module(recovery, [skip_layout/3]).
:- use_module(directives).
:- use_module(sandbox).
:- use_module(store).
:- use_module(errors).

/** <module> Clauses from text

The requests that add clauses from text and take them out again.  A clause
that cannot be added costs its neighbours nothing; each item of the text is
told as added or not, in order (`ARCHITECTURE.md`, "The engine protocol").

A list of ids is written as runs, First-Count.
*/

%!  add(+Kind, +Texts, +Ids, +Max, -Reply) is det.
%
%   Read clauses from the strings Texts and add them with the ids of the
%   runs Ids, at most Max items of text.  Kind is `inline` or `file`: the
%   texts of one call share one scope.  Reply is a list of Name=Value.

add(Kind, Texts, Ids, Max, Reply) :-
    add_abort,
    new_scope(Scope),
    add_items(adding(Kind, Scope, 0, Texts, none, []), Ids, Max, Reply).

%!  add_more(+Ids, +Max, -Reply) is det.
%
%   Go on with the last add/5, which had more.

add_more(Ids, Max, Reply) :-
    nb_current(hb_adding, State),
    State = adding(_,_,_,_,_,_),
    !,
    add_items(State, Ids, Max, Reply).
add_more(_, _, _) :-
    throw(error(hornbook(message(existence_error, "There is nothing more to add.")), _)).

%!  add_abort is det.
%
%   Drop the rest of an add that has more, and take out what it has added.

add_abort :-
    nb_current(hb_adding, adding(_, Scope, _, _, Source, Added)),
    !,
    nb_setval(hb_adding, []),
    forall('$member'(Ids, Added), remove(Ids)),
    close_open(Source),
    free_scope(Scope).
add_abort.

close_open(none) :-
    !.
close_open(Source) :-
    close_source(Source).

%   The state between two requests is adding(Kind, Scope, Index, Texts,
%   Source, Added): Texts are those from number Index on, Source is what is
%   open of the first of them, or none; Added is a list of lists of runs, the
%   ids that may be taken.

add_items(adding(Kind, Scope, Index, Texts, Source, Added), Ids, Max,
          [items=Items, more=More]) :-
    read_texts(Texts, Source, Index, Kind-Scope, Max, Ids, Items, End),
    (   End = open(Index1, Texts1, Source1)
    ->  nb_setval(hb_adding, adding(Kind, Scope, Index1, Texts1, Source1, [Ids|Added])),
        More = true
    ;   nb_setval(hb_adding, []),
        free_scope(Scope),
        More = false
    ),
    retranslate_shadowed,
    tables_changed.

%   read_texts(+Texts, +Source, +Index, +How, +Max, +Ids, -Items, -End): End
%   is done, or open(Index, Texts, Source) after Max items.

read_texts([], _, _, _, _, _, [], done).
read_texts([Text|Texts], Source0, Index, Kind-Scope, Max, Ids, Items, End) :-
    (   Source0 == none
    ->  open_source(Kind, Text, Scope, Source)
    ;   Source = Source0
    ),
    read_items(Max, Source, Index, Scope, Ids, none, Items, Rest, Max1, Ids1),
    (   Max1 == 0
    ->  Rest = [],
        End = open(Index, [Text|Texts], Source)
    ;   close_source(Source),
        Index1 is Index+1,
        read_texts(Texts, none, Index1, Kind-Scope, Max1, Ids1, Rest, End)
    ).

%   read_items(+Max, +Source, +Index, +Scope, +Ids, +Last, -Items, ?Rest,
%   -Max1, -Ids1): Last is the kind, name and arity of the item before; the
%   items of a long run of facts are then only where they end.

read_items(0, _, _, _, Ids, _, Items, Items, 0, Ids) :-
    !.
read_items(Max, Source, Index, Scope, Ids, Last, Items, Rest, Max1, Ids1) :-
    read_item(Source, Read),
    read_item(Read, Max, Source, Index, Scope, Ids, Last, Items, Rest, Max1, Ids1).

read_item(end(_), Max, _, _, _, Ids, _, Items, Items, Max, Ids) :-
    !.
read_item(clause(Start,End,Term,Names), Max, Source, Index, Scope, Ids, Last,
          [Item|Items], Rest, Max1, Ids1) :-
    !,
    Ids = [First-Count|Runs],
    Max0 is Max-1,
    catch(add_term(Term, Names, Scope, First, Added), Ball, true),
    (   var(Ball)
    ->  (   Added == Last
        ->  Item = End
        ;   added_item(Added, Index, Start, End, Item)
        ),
        Count1 is Count-1,
        (   Count1 == 0
        ->  Ids0 = Runs
        ;   First1 is First+1,
            Ids0 = [First1-Count1|Runs]
        ),
        read_items(Max0, Source, Index, Scope, Ids0, Added, Items, Rest, Max1, Ids1)
    ;   refused_item(Ball, Index, Start, End, Source, Item),
        read_items(Max0, Source, Index, Scope, Ids, none, Items, Rest, Max1, Ids1)
    ).
read_item(error(Start,End,Problem), Max, Source, Index, Scope, Ids, _,
          [[e, Index, Start, End, Error]|Items], Rest, Max1, Ids1) :-
    error_json(Problem, Error),
    Max0 is Max-1,
    read_items(Max0, Source, Index, Scope, Ids, none, Items, Rest, Max1, Ids1).

refused_item(Ball, Index, Start, End, Source, [e, Index, Start, End, json([offset=At|Pairs])]) :-
    error_json(Ball, json(Pairs)),
    Source = source(_, _, Text, _, _),
    skip_layout(Text, Start, At).

added_item(added(Kind, Name, Arity), Index, Start, End, [Kind, Index, Start, End, Name, Arity]).
added_item(added(Kind, Name, Arity, Restore), Index, Start, End,
           [Kind, Index, Start, End, Name, Arity, Restore]).
added_item(to_run(Goal), Index, Start, End, [i, Index, Start, End, Goal]).

%   add_term(+Term, +Names, +Scope, +Id, -Added)

add_term(Term, _, _, Id, added(f, Name, Arity)) :-
    functor(Term, Name, Arity),
    own(Name, Arity),
    !,
    store(Term, true, Id, last, _).
add_term((:- Directive), Names, Scope, _, Added) :-
    !,
    directive(Directive, Names, Scope, Added).
add_term((?- _), _, _, _, _) :-
    !,
    throw(error(hornbook(message(permission_error,
                                 "A query is not a clause: ask it with query_start.")), _)).
add_term((_ => _), _, _, _, _) :-
    !,
    throw(error(hornbook(message(permission_error,
                                 "Rules with => are not supported: write them with :- and a cut.")), _)).
add_term((Head --> Body), _, _, Id, added(g, Name, Arity)) :-
    !,
    dcg_translate_rule((Head --> Body), (Head1 :- Body1)),
    add_clause(Head1, Body1, Id, Name, Arity).
add_term((Head :- Body), _, _, Id, added(r, Name, Arity)) :-
    !,
    add_clause(Head, Body, Id, Name, Arity).
add_term(Head, _, _, Id, added(f, Name, Arity)) :-
    add_clause(Head, true, Id, Name, Arity).

add_clause(Head0, Body, Id, Name, Arity) :-
    plain_head(Head0, Head),
    check_head(Head, Name, Arity),
    (   Body == true
    ->  Safe = true
    ;   safe_clause_body(Body, Safe)
    ),
    declare(Name, Arity),
    store(Head, Safe, Id, last, _).

%   The book may hold a clause that was allowed when it was added and now is
%   not, because a predicate of the user's that it calls is gone: it stays,
%   and its call is refused.

safe_clause_body(Body, Safe) :-
    catch(safe_body(Body, Safe), error(hornbook(Unsafe), _), true),
    (   var(Unsafe)
    ->  true
    ;   nb_current(hb_loading, true)
    ->  Safe = hb_sandbox:translated(Body, throw(error(hornbook(Unsafe), _)))
    ;   throw(error(hornbook(Unsafe), _))
    ).

%   retranslate_shadowed: the user has given clauses for a predicate that a
%   library has too.  Clauses that called the library's now mean the user's.

retranslate_shadowed :-
    retract(shadowed),
    !,
    retractall(shadowed),
    findall(Name/Arity, own(Name, Arity), PIs),
    forall('$member'(PI, PIs), retranslate(PI)).
retranslate_shadowed.

retranslate(Name/Arity) :-
    functor(Head, Name, Arity),
    findall(clause(Head, Old, New, Ref),
            (   clause(knowledge_base:Head, Old, Ref),
                as_written(Old, Written),
                catch(safe_body(Written, New), _, New = Old)
            ),
            Clauses),
    (   '$member'(clause(_, Old, New, _), Clauses),
        Old \=@= New
    ->  forall('$member'(clause(H, _, New1, Ref1), Clauses), replace(Ref1, H, New1))
    ;   true
    ).

%!  reload(+Predicates, +Loads, -Items) is det.
%
%   The clauses of Predicates go, then those of Loads are added: a list of
%   load(Kind, Text, Ids), each in a scope of its own.

reload(PIs, Loads, Items) :-
    forall('$member'(Name/Arity, PIs), forget_predicate(Name, Arity)),
    load(Loads, Lists),
    '$append'(Lists, Items).

load([], []).
load([load(Kind, Text, Ids)|Loads], [Items|Lists]) :-
    setup_call_cleanup(
        nb_setval(hb_loading, true),
        add(Kind, [Text], Ids, -1, [items=Items|_]),
        nb_setval(hb_loading, false)),
    load(Loads, Lists).

%!  remove(+Ids) is det.
%
%   The clauses with the ids of the runs Ids go.

remove(Runs) :-
    forall(( '$member'(First-Count, Runs),
             Last is First+Count-1,
             between(First, Last, Id)
           ),
           ignore(forget_id(Id))),
    tables_changed.

%!  retract_text(+Text, -Id) is semidet.
%
%   The first clause that unifies with Text goes, as with retract/1.

retract_text(Text, Id) :-
    read_query(Text, Term, _),
    retract_pattern(Term, Head, Body),
    stored(Head, Written, Ref),
    Body = Written,
    !,
    id_of(Ref, Id),
    forget_id(Id),
    tables_changed.

retract_pattern(Term, _, _) :-
    var(Term),
    !,
    throw(error(instantiation_error, _)).
retract_pattern((Head0 --> Body0), Head, Body) :-
    !,
    dcg_translate_rule((Head0 --> Body0), (Head1 :- Body)),
    retract_pattern(Head1, Head, true).
retract_pattern((Head0 :- Body), Head, Body) :-
    !,
    retract_pattern(Head0, Head, true).
retract_pattern(Head0, Head, true) :-
    plain_head(Head0, Head),
    (   callable(Head)
    ->  true
    ;   var(Head)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(callable, Head), _))
    ).
