:- module(hb_records,
          [ recorda/2,                  % +Key, +Term
            recorda/3,                  % +Key, +Term, -Reference
            recordz/2,                  % +Key, +Term
            recordz/3,                  % +Key, +Term, -Reference
            recorded/2,                 % ?Key, ?Term
            recorded/3,                 % ?Key, ?Term, ?Reference
            instance/2,                 % +Reference, -Term
            erase/1,                    % +Reference
            current_key/1,              % -Key
            forget_records/0
          ]).
:- use_module('../store/step').
:- use_module('../limits').
:- use_module('../depth').
:- use_module('../functor').

/** <module> The recorded database of untrusted code

Records belong to the engine, as global variables do, and not to the book: nothing of them is undone, and
they are gone when the engine starts again.  A reference is '$record'(N), as SWI-Prolog's own would show an address.
*/

%   The records of a key are kept under a name of our own, as terms record(N, Term).  Key is an atomic term, or
%   Name/Arity for a functor.

:- dynamic
    own_key/2,                          % Key, Own
    known_record/2.                     % N, Ref

%!  recorda(+Key, +Term) is det.
%!  recorda(+Key, +Term, -Reference) is det.
%!  recordz(+Key, +Term) is det.
%!  recordz(+Key, +Term, -Reference) is det.
%
%   Record Term under Key, before or after the others.  Of a compound Key the functor counts.
%
%   @error resource_error(entries) for more records than a book may have clauses

recorda(Key, Term) :-
    recorda(Key, Term, _).

recorda(Key, Term, Reference) :-
    new_record(Key, Term, Reference, N, Own),
    system:recorda(Own, record(N, Term), Ref),
    assertz(known_record(N, Ref)).

recordz(Key, Term) :-
    recordz(Key, Term, _).

recordz(Key, Term, Reference) :-
    new_record(Key, Term, Reference, N, Own),
    system:recordz(Own, record(N, Term), Ref),
    assertz(known_record(N, Ref)).

new_record(Key, Term, Reference, N, Own) :-
    must_be_first,
    (   var(Reference)
    ->  true
    ;   throw(error(uninstantiation_error(Reference), _))
    ),
    (   acyclic_term(Term)
    ->  check_depth(Term)
    ;   throw(error(type_error(acyclic_term, Term), _))
    ),
    predicate_property(known_record(_, _), number_of_clauses(Count)),
    limit_of(entries, Most),
    (   Count < Most
    ->  true
    ;   throw(error(resource_error(entries), _))
    ),
    plain_key(Key, Plain),
    (   own_key(Plain, Own0)
    ->  Own = Own0
    ;   check_depth(Plain),
        get_flag(hb_record_keys, Keys0),
        Keys is Keys0+1,
        set_flag(hb_record_keys, Keys),         % no transaction takes a flag back, so no name is used twice
        atom_concat(hb_record_, Keys, Own),
        assertz(own_key(Plain, Own))
    ),
    get_flag(hb_last_record, N0),
    N is N0+1,
    set_flag(hb_last_record, N),
    Reference = '$record'(N).

plain_key(Key, Plain) :-
    (   var(Key)
    ->  throw(error(instantiation_error, _))
    ;   compound(Key)
    ->  term_functor(Key, Name, Arity),
        Plain = Name/Arity
    ;   Plain = Key
    ).

%!  recorded(?Key, ?Term) is nondet.
%!  recorded(?Key, ?Term, ?Reference) is nondet.
%
%   Term is recorded under Key.

recorded(Key, Term) :-
    recorded(Key, Term, _).

recorded(Key, Term, Reference) :-
    must_be_first,
    (   var(Key)
    ->  findall(Plain-Own, own_key(Plain, Own), Keys),
        '$member'(Plain-Own, Keys)
    ;   plain_key(Key, Plain),
        own_key(Plain, Own)
    ),
    (   var(Reference)
    ->  system:recorded(Own, record(N, Term)),
        Reference = '$record'(N)
    ;   reference(Reference, N),
        system:recorded(Own, record(N, Term))
    ),
    general_key(Plain, Key).

general_key(Plain, Key) :-
    (   Plain = Name/Arity
    ->  term_functor(General, Name, Arity),
        ( var(Key) -> Key = General ; true )
    ;   Key = Plain
    ).

reference(Reference, N) :-
    (   var(Reference)
    ->  throw(error(instantiation_error, _))
    ;   Reference = '$record'(N0),
        integer(N0)
    ->  N = N0
    ;   throw(error(type_error(db_reference, Reference), _))
    ).

%!  instance(+Reference, -Term) is semidet.

instance(Reference, Term) :-
    must_be_first,
    reference(Reference, N),
    known_record(N, Ref),
    system:instance(Ref, record(_, Term0)),
    Term = Term0.

%!  erase(+Reference) is det.
%
%   @error existence_error(db_reference, Reference)

erase(Reference) :-
    must_be_first,
    reference(Reference, N),
    (   retract(known_record(N, Ref))
    ->  system:erase(Ref)
    ;   throw(error(existence_error(db_reference, Reference), _))
    ).

%!  current_key(-Key) is nondet.
%
%   Something is recorded under Key.

current_key(Key) :-
    must_be_first,
    findall(Plain, ( own_key(Plain, Own), once(system:recorded(Own, _)) ), Keys),
    '$member'(Plain, Keys),
    general_key(Plain, Key).

%!  forget_records is det.

forget_records :-
    forall(retract(known_record(_, Ref)), system:erase(Ref)),
    retractall(own_key(_, _)).
