:- module(hb_clause_notes,
          [ note_text/4,                % +Ref, +Head, +Body, +Written
            note_neck/2,                % +Ref, +Neck
            neck/2,                     % ?Ref, ?Neck
            single_sided/5,             % +Head0, +Body0, -Head, -Neck, -Body
            with_neck/3,                % +Neck, +Body, -Stored
            stored_as/3,                % +Ref, +Body, -Stored
            clause_module/2,            % ?Ref, ?Module
            clause_text_of/5,           % +Ref, ?Head, +Safe, -Module, -Written
            clause_naming/2,            % +Module, -Ref
            forget_notes/1              % ?Ref
          ]).
:- use_module(context).

/** <module> What clauses are as text

The engine has the translation of a clause.  What its text says beside that is noted here, by the reference of the clause,
so that it can be shown, compared and translated again.
*/

:- dynamic
    neck/2,                             % Ref, Neck: the clause is a rule with => or ?=>
    clause_module/2,                    % Ref, Module: the body is text of Module
    written/3,                          % Ref, Head, Body: the body before its translation, if they differ
    mention/2.                          % Ref, Module: the body names Module

%!  note_text(+Ref, +Head, +Body, +Written) is det.
%
%   Record what the clause is as text of the context, so that it can be translated again.

note_text(Ref, Head, Body, Written) :-
    (   context(Module),
        ( Written \== true ; compound(Head), compound_name_arity(Head, test, _) )
    ->  assertz(clause_module(Ref, Module))
    ;   true
    ),
    (   Written == true
    ->  true
    ;   (   Body = hb_store:single_sided(_, Safe)
        ->  true
        ;   Safe = Body
        ),
        (   Written == Safe
        ->  true
        ;   assertz(written(Ref, Head, Written))
        ),
        mentions(Written, [], Modules),
        forall('$member'(Named, Modules), assertz(mention(Ref, Named)))
    ).

%   mentions(+Term, +Modules0, -Modules): add the modules that Term names.

mentions(Term, Modules0, Modules) :-
    (   compound(Term)
    ->  (   Term = Named:_,
            atom(Named),
            \+ '$member'(Named, Modules0)
        ->  Modules1 = [Named|Modules0]
        ;   Modules1 = Modules0
        ),
        compound_name_arity(Term, _, Arity),
        mentions(1, Arity, Term, Modules1, Modules)
    ;   Modules = Modules0
    ).

mentions(I, Arity, Term, Modules0, Modules) :-
    (   I < Arity
    ->  arg(I, Term, Arg),
        mentions(Arg, Modules0, Modules1),
        I1 is I+1,
        mentions(I1, Arity, Term, Modules1, Modules)
    ;   I == Arity
    ->  arg(I, Term, Arg),
        mentions(Arg, Modules0, Modules)
    ;   Modules = Modules0
    ).

%!  clause_module(?Ref, ?Module) is nondet.
%
%   The body of the clause Ref is text of Module.

%!  clause_text_of(+Ref, ?Head, +Safe, -Module, -Written) is det.
%
%   The clause Ref with Head and the translated body Safe has the body Written in the text of Module,
%   which is `user` for no module.

clause_text_of(Ref, Head, Safe, Module, Written) :-
    (   clause_module(Ref, Module0)
    ->  Module = Module0
    ;   Module = user
    ),
    (   written(Ref, Head, Written0)
    ->  Written = Written0
    ;   Written = Safe
    ).

%!  clause_naming(+Module, -Ref) is nondet.
%
%   The body of the clause Ref is text of Module, or names Module.

clause_naming(Module, Ref) :-
    clause_module(Ref, Module).
clause_naming(Module, Ref) :-
    mention(Ref, Module).

%!  neck(?Ref, ?Neck) is nondet.
%!  note_neck(+Ref, +Neck) is det.
%
%   The clause Ref is a rule with Neck, `=>` or `?=>`.

note_neck(Ref, Neck) :-
    assertz(neck(Ref, Neck)).

%!  single_sided(+Head0, +Body0, -Head, -Neck, -Body) is det.
%
%   A rule `Head0 => Body0` in the form of the database: with its guard in Body.

single_sided(Head0, Body0, Head, Neck, Body) :-
    (   nonvar(Head0),
        Head0 = (Head,Guard)
    ->  Neck = (?=>),
        Body = (Guard,!,Body0)
    ;   Head = Head0,
        Neck = (=>),
        Body = Body0
    ).

%!  with_neck(+Neck, +Body, -Stored) is det.
%!  stored_as(+Ref, +Body, -Stored) is det.
%
%   Stored is Body, of a clause with Neck or of the clause Ref, in the form of store/6.

with_neck(Neck, Body, Stored) :-
    (   Neck == (:-)
    ->  Stored = Body
    ;   Stored = hb_store:single_sided(Neck, Body)
    ).

stored_as(Ref, Body, Stored) :-
    (   neck(Ref, Neck)
    ->  with_neck(Neck, Body, Stored)
    ;   Stored = Body
    ).

%!  forget_notes(?Ref) is det.
%
%   Forget what is noted of the clause Ref, or of all clauses.

forget_notes(Ref) :-
    retractall(neck(Ref, _)),
    retractall(clause_module(Ref, _)),
    retractall(written(Ref, _, _)),
    retractall(mention(Ref, _)).
