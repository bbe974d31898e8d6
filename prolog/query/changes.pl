:- module(hb_changes,
          [ changes_kept/3,             % -Untold, -Control, -Parts
            changes_taken_back/2,       % -Control, -Parts
            predicate_parts/3           % +PIs, -Arities, -Parts
          ]).
:- use_module('../sandbox/sandbox').
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../read/clauses', [retranslate_shadowed/0]).
:- use_module('../store/clause_text').
:- use_module('../limits', [uninterrupted/1]).
:- use_module('../functor').
:- use_module('../reply', [json_string/2]).

/** <module> The changes of a step, as reported in replies
*/

%!  changes_kept(-Untold, -Control, -Parts) is det.
%
%   Report the changes of the step.  If the error Untold makes that impossible, undo them.

changes_kept(Untold, Control, Parts) :-
    catch(changes_parts(Told, Texts), Ball, true),
    (   var(Ball)
    ->  Control = Told,
        Parts = Texts
    ;   unreported_error(Ball, Untold),
        changes_taken_back(Control, Parts)
    ).

unreported_error(Ball, Untold) :-
    (   Ball = error(resource_error(_), _)
    ->  Untold = error(hornbook(message(resource_error,
                                        "The goal changed more than one reply can report, so its changes were undone.")), _)
    ;   Untold = Ball
    ).

changes_parts([added=Places, removed=Removed, declared=Arities], Parts) :-
    run_changes(Added, Removed),
    added_parts(Added, none, Places, Parts, Names),
    declared(PIs),
    predicate_parts(PIs, Arities, Names),
    uninterrupted(retranslate_shadowed),
    tables_changed,                     % also if nothing has changed in the end: a table may be of what was in between
    step_over.

%!  changes_taken_back(-Control, -Parts) is det.
%
%   Undo all changes of the step.  Control and Parts report that.

changes_taken_back(Control, Parts) :-
    uninterrupted(hb_changes:take_back(Control, Parts)).

take_back([undone=Count, reload=Arities], Parts) :-
    run_changed,
    !,
    undo_run(Count, PIs),
    retranslate_shadowed,
    predicate_parts(PIs, Arities, Parts),
    tables_changed,
    step_over.
take_back([], []).

%   predicate_parts(+PIs, -Arities, -Parts): Parts are the names.

predicate_parts([], [], []).
predicate_parts([Name/Arity|PIs], [Arity|Arities], [text(Name)|Parts]) :-
    predicate_parts(PIs, Arities, Parts).

%   added_parts(+Added, +Before, -Places, -Parts, ?Rest): Places are lists [Id, Arity], Parts
%   the names and the texts.  Before is plain(Name, Arity, Begin) for the predicate of the fact before, as plain_fact/4
%   has it.

added_parts([], _, [], Parts, Parts).
added_parts([added(Id,Ref)|Added], Before0, [[Id,Arity]|Places], [line(Line)|Parts], Rest) :-
    clause(knowledge_base:Head, Safe, Ref),
    term_functor(Head, Name, Arity),
    (   Safe == true,
        \+ neck(Ref, _),
        plain_fact(Head, Name, Before0, Before),
        \+ clause_module(Ref, _),
        fact_line(Head, Before, Line)
    ->  true
    ;   Before = Before0,
        clause_text_of(Ref, Head, Safe, Module, Body),
        head_text(Module, Head, Seen),
        stored_as(Ref, Body, Stored),
        clause_text(Module, Seen, Stored, Text),
        json_string(list([text(Name),text(Text)]), Line)    % now: thousands of them as terms are too much for the stack
    ),
    added_parts(Added, Before, Places, Parts, Rest).

%   plain_fact(+Head, +Name, +Before0, -Before) is semidet: the name of Head is seen as it is, and has one usual text.
%   Steps that add thousands of facts add them to few predicates: what holds for one holds for the next.

plain_fact(Head, Name, plain(Name,Arity,Begin), plain(Name,Arity,Begin)) :-
    compound_name_arity(Head, _, Arity),
    !.
plain_fact(Head, Name, _, plain(Name,Arity,Begin)) :-
    compound(Head),
    compound_name_arity(Head, _, Arity),
    Arity > 0,
    fixed_name(Name),
    head_text(user, Head, Seen),
    Seen == Head,
    atomic_list_concat(['["', Name, '","', Name, '('], Begin).

%   fact_line(+Head, +Before, -Line) is semidet: neither JSON nor Prolog has to quote anything in the fact.

fact_line(Head, plain(_,_,Begin), Line) :-
    compound_name_arguments(Head, _, Arguments),
    fixed_parts(Arguments, '\\"', Parts, [')."]']),
    atomics_to_string([Begin|Parts], Line).

%   head_text(+Module, +Head, -Seen): Seen is the head in text of Module.

head_text(Module, Head, Seen) :-
    (   Module \== user,
        term_functor(Head, Engine, Arity),
        private_or_plain(Engine, Arity, Name),
        term_functor(Plain, Name, Arity),
        in_module(Module, text_head(Plain, Meant)),
        term_functor(Meant, Engine, _)
    ->  renamed(Head, Name, Seen)
    ;   hb_store:seen_goal(Head, Seen0),
        (   Module \== user,
            Seen0 \= _:_
        ->  Seen = user:Seen0
        ;   Seen = Seen0
        )
    ).
