:- module(hb_copied,
          [ wrap_lambdas/0,
            forget_copied/1,            % +Id
            note_words/2,               % +Id, +Words
            copied_names/1,             % +Shown
            note_copy/2,                % +Free, +Lambda
            take_copied/3               % +Id, -Control, -Parts
          ]).
:- use_module(library(yall), []).
:- use_module('../depth', [written_depth/3]).
:- use_module('../sandbox/written').

:- op(201, xfx, +\).

/** <module> Constraints that lambdas lose

A lambda expression copies its variables on each call, except those that it shares by `Free/`.  The
copy of a variable has none of its constraints, so a goal in it restricts nothing.  SWI-Prolog does
this without a word; here the reply says which variable was copied, once a step.
*/

:- dynamic
    words/2,                            % Id, Words: of the text of a query and what it assumes
    copied/1.                           % Words: of the goals that run

%!  forget_copied(+Id) is det.

forget_copied(Id) :-
    retractall(words(Id, _)).

%!  note_words(+Id, +Words) is det.
%
%   The text of the query Id, or a clause that it assumes, has lambdas that copy variables with
%   constraints; Words, strings, are the names of these.

note_words(_, []) :-
    !.
note_words(Id, Words) :-
    assertz(words(Id, Words)).

%!  copied_names(+Shown) is det.
%
%   Shown, Names-Values with Names from query_names/2, are the variables of the query that runs in this engine.

copied_names(Shown) :-
    b_setval(hb_shown, Shown).

%!  wrap_lambdas is det.
%
%   From now on lambdas are looked at before they are copied.  Call once in an engine that has started: a saved
%   state does not keep wrappers.

wrap_lambdas :-
    wrap_predicate(yall:unify_lambda_parameters(Parameters, _, _, Lambda, _), hb_copied, Wrapped,
                   ( hb_copied:note_lambda(Parameters, Lambda), Wrapped )).

%   note_lambda(+Parameters, +Lambda): Parameters>>Lambda is about to be copied.

note_lambda(Parameters, Lambda) :-
    (   nonvar(Parameters),
        Parameters = Free/_
    ->  note_copy(Free, Parameters>>Lambda)
    ;   note_copy({}, Parameters>>Lambda)
    ).

%!  note_copy(+Free, +Lambda) is det.
%
%   Lambda is about to be copied, except for the variables in Free.

note_copy(Free, Lambda) :-
    (   term_attvars(Lambda, [])
    ->  true
    ;   copied(_)
    ->  true
    ;   term_attvars(Lambda, Vars),
        term_attvars(Free, Shared),
        '$member'(Var, Vars),
        \+ ( '$member'(Other, Shared), Other == Var )
    ->  word_of(Var, Lambda, Word),
        assertz(copied([Word]))
    ;   true
    ).

%   word_of(+Var, +Lambda, -Word): the name of the variable, or the lambda.

word_of(Var, _, Word) :-
    nb_current(hb_shown, Names-Values),
    name_of(Names, Values, Var, Name),
    !,
    atom_string(Name, Word).
word_of(_, Lambda, Word) :-
    copy_term_nat(Lambda, Copy),
    shown_lambda(Copy, Shown),
    numbervars(Shown, 0, _, [singletons(true)]),
    written_depth(Shown, 12, Levels),
    format(string(Text), "~W", [Shown, [quoted(true), numbervars(true), max_depth(Levels), portray(false), float_format('~15h')]]),
    format(string(Word), "a variable in `~w`", [Text]).

shown_lambda(Parameters>>Body0, Parameters>>Body) :-
    !,
    shown_body(Body0, Body).
shown_lambda(\Lambda0, \Lambda) :-
    !,
    shown_body(Lambda0, Lambda).
shown_lambda(Free+\Lambda0, Free+\Lambda) :-
    shown_body(Lambda0, Lambda).

shown_body(Body, Body) :-
    var(Body),
    !.
shown_body(Module:Body0, Body) :-
    '$member'(Module, [knowledge_base,hb_lambda]),
    !,
    shown_body(Body0, Body).
shown_body(Parameter^Body0, Parameter^Body) :-
    !,
    shown_body(Body0, Body).
shown_body(Safe, Body) :-
    as_written(Safe, Body).

name_of([name(Name,_)|_], [Value|_], Var, Name) :-
    Value == Var,
    !.
name_of([_|Names], [_|Values], Var, Name) :-
    name_of(Names, Values, Var, Name).

%!  take_copied(+Id, -Control, -Parts) is det.
%
%   Report what this step of the query Id has copied, if anything.

take_copied(Id, Control, Parts) :-
    findall(Word, ( taken(Id, Words), '$member'(Word, Words) ), Found),
    sort(Found, Sorted),
    (   Sorted == []
    ->  Control = [],
        Parts = []
    ;   Control = [copied=true],
        findall(text(Word), '$member'(Word, Sorted), Texts),
        Parts = [list(Texts)]
    ).

taken(Id, Words) :-
    retract(words(Id, Words)).
taken(_, Words) :-
    retract(copied(Words)).
