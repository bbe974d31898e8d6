:- module(hb_determinism,
          [ det/3,                      % ?Name, ?Arity, ?Id
            add_det/3,                  % +Name, +Arity, +Id
            declare_det/2,              % +Name, +Arity
            forget_det/1                % ?Id
          ]).
:- use_module('../functor').

/** <module> Predicates that det/1 declares

SWI-Prolog checks them: such a predicate that fails or leaves a choice point raises an error.
*/

:- dynamic
    det/3.                              % Name, Arity, Id

%!  det(?Name, ?Arity, ?Id) is nondet.
%
%   The entry Id declares that the engine's predicate Name/Arity has exactly one solution.

%!  add_det(+Name, +Arity, +Id) is det.
%
%   The entry Id declares that the engine's predicate Name/Arity has exactly one solution.

add_det(Name, Arity, Id) :-
    (   det(Name, Arity, Id)
    ->  true
    ;   assertz(det(Name, Arity, Id)),
        declare_det(Name, Arity)
    ).

%!  declare_det(+Name, +Arity) is det.
%
%   Tell SWI-Prolog of the predicate Name/Arity what entries of the book declare, once it exists.

declare_det(Name, Arity) :-
    term_functor(Head, Name, Arity),
    (   predicate_property(knowledge_base:Head, dynamic)
    ->  (   det(Name, Arity, _)
        ->  set_det(Name, Arity, true)
        ;   set_det(Name, Arity, false)
        )
    ;   true
    ).

set_det(Name, Arity, Value) :-
    term_functor(Head, Name, Arity),
    '$set_predicate_attribute'(knowledge_base:Head, det, Value).

%!  forget_det(?Id) is semidet.
%
%   Forget what the entry Id declares, or all entries.  Fails if it declares nothing.

forget_det(Id) :-
    findall(Name/Arity, retract(det(Name, Arity, Id)), PIs),
    PIs \== [],
    forall('$member'(Name/Arity, PIs), declare_det(Name, Arity)).
