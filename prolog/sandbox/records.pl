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
:- use_module('../store/restrictions').
:- use_module('../limits').
:- use_module('../depth').
:- use_module('../functor').
:- use_module(globals, [check_kept_records/0]).
:- use_module(database, [referred_clause/2, erase_clause/1]).

/** <module> The recorded database of untrusted code

Records belong to the engine, as global variables do, and not to the book: nothing of them is undone, and
they are gone when the engine starts again.  A reference is '$record'(N), as SWI-Prolog's own would show an address.
*/

%   The records of a key are kept under a name of our own, as terms record(N, Plain, Term), where Plain is an atomic term,
%   or Name/Arity for a functor.  What is known of N is recorded under N.  Not as clauses: a transaction takes those back,
%   and no records.

%!  recorda(+Key, +Term) is det.
%!  recorda(+Key, +Term, -Reference) is det.
%!  recordz(+Key, +Term) is det.
%!  recordz(+Key, +Term, -Reference) is det.
%
%   Record Term under Key, before or after the others.  Of a compound Key the functor counts.
%
%   @error resource_error(entries) for more records than a book may have clauses, permission_error in a goal that leaves
%   nothing behind

recorda(Key, Term) :-
    recorda(Key, Term, _).

recorda(Key, Term, Reference) :-
    new_record(Key, Term, Reference, Own, Record),
    add_record(first, Own, Record).

recordz(Key, Term) :-
    recordz(Key, Term, _).

recordz(Key, Term, Reference) :-
    new_record(Key, Term, Reference, Own, Record),
    add_record(last, Own, Record).

%   add_record(+Place, +Own, +Record): with what is known of it, or not at all.

add_record(Place, Own, Record) :-
    whole(hb_records:place_record(Place, Own, Record, Ball)),
    (   var(Ball)
    ->  true
    ;   throw(Ball)
    ).

place_record(Place, Own, Record, Ball) :-
    catch(place_record(Place, Own, Record), Ball, true).

place_record(Place, Own, Record) :-
    (   Place == first
    ->  system:recorda(Own, Record, Ref)
    ;   system:recordz(Own, Record, Ref)
    ),
    Record = record(N, _, _),
    system:recordz(N, Ref),
    flag(hb_records, Count, Count+1).

new_record(Key, Term, Reference, Own, record(N, Plain, Term)) :-
    must_be_first,
    check_kept_records,
    (   var(Reference)
    ->  true
    ;   throw(error(uninstantiation_error(Reference), _))
    ),
    (   acyclic_term(Term)
    ->  check_depth(Term)
    ;   throw(error(type_error(acyclic_term, Term), _))
    ),
    get_flag(hb_records, Count),
    limit_of(entries, Most),
    (   Count < Most
    ->  true
    ;   throw(error(resource_error(entries), _))
    ),
    plain_key(Key, Plain),
    check_depth(Plain),
    own_key(Plain, Own),
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

%   own_key(+Plain, -Own): no two keys share a name.

own_key(Plain, Own) :-
    (   atom(Plain)
    ->  atom_concat('hb_record ', Plain, Own)
    ;   format(atom(Own), 'hb_record_~W', [Plain, [quoted(true), ignore_ops(true)]])
    ).

%   used_key(-Own, -Plain) is nondet: records are kept under Own; in the order of the first one of each.

used_key(Own, Plain) :-
    findall(N-used(Own0, Plain0),
            ( system:current_key(Own0),
              own_name(Own0),
              once(system:recorded(Own0, record(N, Plain0, _))) ),
            Used0),
    keysort(Used0, Used),
    '$member'(_-used(Own, Plain), Used).

own_name(Own) :-
    atom(Own),
    sub_atom(Own, 0, _, _, hb_record).

%!  recorded(?Key, ?Term) is nondet.
%!  recorded(?Key, ?Term, ?Reference) is nondet.
%
%   Term is recorded under Key.

recorded(Key, Term) :-
    recorded(Key, Term, _).

recorded(Key, Term, Reference) :-
    must_be_first,
    (   var(Key)
    ->  used_key(Own, Plain)
    ;   plain_key(Key, Plain),
        own_key(Plain, Own)
    ),
    (   var(Reference)
    ->  system:recorded(Own, record(N, _, Term)),
        Reference = '$record'(N)
    ;   reference(Reference, N),
        system:recorded(Own, record(N, _, Term))
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
%
%   Reference is that of a record, or of a clause, which is Term.

instance(Reference, Term) :-
    is_clause_reference(Reference),
    !,
    referred_clause(Reference, Term).
instance(Reference, Term) :-
    must_be_first,
    reference(Reference, N),
    system:recorded(N, Ref),
    system:instance(Ref, record(_, _, Term0)),
    Term = Term0.

is_clause_reference(Reference) :-
    nonvar(Reference),
    Reference = '$clause'(_,_).

%!  erase(+Reference) is semidet.
%
%   Reference is that of a record or a clause.  Fails if it is gone.

erase(Reference) :-
    is_clause_reference(Reference),
    !,
    erase_clause(Reference).
erase(Reference) :-
    must_be_first,
    check_kept_records,
    reference(Reference, N),
    once(system:recorded(N, Ref, Known)),
    whole(hb_records:take_record(Ref, Known)).

take_record(Ref, Known) :-
    system:erase(Known),
    system:erase(Ref),
    flag(hb_records, Count, Count-1).

%!  current_key(-Key) is nondet.
%
%   Something is recorded under Key.

current_key(Key) :-
    must_be_first,
    used_key(_, Plain),
    general_key(Plain, Key).

%!  forget_records is det.

forget_records :-
    forall(( used_key(Own, _), system:recorded(Own, record(N, _, _), Ref) ),
           ( system:erase(Ref),
             forall(system:recorded(N, _, Known), system:erase(Known)) )),
    set_flag(hb_records, 0).
