:- module(hb_text_scope,
          [ text_scope/3,               % +Kind0, -Kind, -Scope
            has_changed/1,              % +Scope
            leave_scope/1,              % +Scope
            changed/1,                  % ?Scope
            with_chr/1                  % ?Scope
          ]).
:- use_module(scope).
:- use_module('../sandbox/policy', []).
:- use_module('../store/modules', [set_scope_module/2]).

/** <module> The scopes of texts that are added

Each text has a scope of its own, except the parts of a file, which share one.
*/

%   A scope that no directive has changed is used again for the next addition.

:- dynamic
    spare/1,
    changed/1,
    with_chr/1,                         % Scope: it began with the operators of library(chr)
    kept/2.                             % Number, Scope: for the next part of a file

%!  text_scope(+Kind0, -Kind, -Scope) is det.
%
%   Scope is for text of Kind0, as for add/6 of hb_adding; Kind is `inline` or `file`.

text_scope(part(Number), file, Scope) :-
    kept(Number, Scope),
    !.
text_scope(part(Number), file, Scope) :-
    !,
    text_scope(file(Number), file, Scope).
text_scope(file(Number), file, Scope) :-
    !,
    (   retract(kept(_, Before))
    ->  leave_scope(Before)
    ;   true
    ),
    clean_scope(Scope),
    assertz(kept(Number, Scope)).
text_scope(inline, inline, Scope) :-
    hb_policy:used(chr, _),
    \+ nb_current(hb_loading, true),
    !,
    new_scope(Scope),
    assertz(changed(Scope)),
    hb_chr_rules:operators(Operators),
    forall('$member'(op(Priority, Type, Name), Operators), op(Priority, Type, Scope:Name)),
    assertz(with_chr(Scope)).
text_scope(Kind, Kind, Scope) :-
    clean_scope(Scope).

clean_scope(Scope) :-
    retract(spare(Scope)),
    !.
clean_scope(Scope) :-
    new_scope(Scope).

%!  has_changed(+Scope) is det.
%
%   A directive has changed what Scope reads.

has_changed(Scope) :-
    (   changed(Scope)
    ->  true
    ;   assertz(changed(Scope))
    ).

%!  leave_scope(+Scope) is det.
%
%   Nothing more of its text is read, or only the next part of its file.

leave_scope(Scope) :-
    set_scope_module(Scope, user),
    (   kept(_, Scope)
    ->  true
    ;   retract(changed(Scope))
    ->  retractall(with_chr(Scope)),
        free_scope(Scope)
    ;   assertz(spare(Scope))
    ).

