:- module(hb_globals,
          [ keep_globals/0,
            forget_globals/0,
            set_global/2,               % +Own, +Value
            stay_apart/1,               % +Whether
            is_apart/0,
            check_kept_records/0,
            safe_nb_setval/2, safe_b_setval/2, safe_nb_getval/2, safe_b_getval/2, safe_nb_current/2,
            safe_flag/3, safe_gensym/2, safe_reset_gensym/0, safe_reset_gensym/1
          ]).
:- use_module(global_names).
:- use_module('../store/step').
:- use_module('../store/restrictions').
:- use_module('../depth').
:- use_module('../limits').
:- use_module(library(gensym), [gensym/2, reset_gensym/0, reset_gensym/1]).

/** <module> Global variables and counters of untrusted code

hb_policy:class/3 sends a call of p/n here, by way of hb_builtins, as safe_p/n.
*/

%   Keeps the user's keys apart from those of the libraries.

:- dynamic
    known_own/2.                        % Key, Own: of a variable that was set, as the names take long to make

own_key(Key, _) :-
    var(Key),
    !,
    throw(error(instantiation_error, _)).
own_key(Key, Own) :-
    known_own(Key, Own0),
    !,
    Own = Own0.
own_key(Key, Own) :-
    atomic(Key),
    !,
    own_name(Key, Own).
own_key(Key, _) :-
    throw(error(type_error(atomic, Key), _)).

%   A variable that this query has not set has perhaps been left by an earlier one.

:- multifile user:exception/3.

user:exception(undefined_global_variable, Own, retry) :-
    users_key(Own, Key),
    (   must_be_first,
        global(Own, Value)
    ->  nb_setval(Own, Value)
    ;   throw(error(existence_error(variable, Key), _))
    ).

%!  set_global(+Own, +Value) is det.

set_global(Own, Value) :-
    must_be_first,
    nb_setval(Own, Value),
    nb_setval(hb_globals, set).

%!  stay_apart(+Whether:boolean) is det.
%
%   If Whether is true, what runs until the next call leaves no global variable, flag or counter behind: those that
%   it changes are its own.

stay_apart(true)  :- set_flag(hb_apart, 1).
stay_apart(false) :- set_flag(hb_apart, 0).

%!  is_apart is semidet.
%
%   What runs is a watched goal, or a query of a client that only reads.

is_apart :- get_flag(hb_apart, 1).

%!  check_kept_records is det.
%
%   @error permission_error if what runs may leave no records behind.

check_kept_records :-
    (   is_apart
    ->  throw(error(hornbook(message(permission_error,
                                     "A watched goal, or a query of a client that only reads, records and erases no terms: records stay.")), _))
    ;   true
    ).

safe_nb_setval(Key, Value) :-
    own_key(Key, Own),
    set_global(Own, Value),
    remember_key(Key, Own).

safe_b_setval(Key, Value) :-
    own_key(Key, Own),
    b_setval(Own, Value),
    remember_key(Key, Own).

safe_nb_getval(Key, Value) :- value_of(Key, Value).
safe_b_getval(Key, Value)  :- value_of(Key, Value).

value_of(Key, Value) :-
    nonvar(Key),
    known_own(Key, Own),
    nb_current(Own, Value0),
    !,
    Value = Value0.
value_of(Key, Value) :-
    known_key(Key, Own),
    nb_getval(Own, Value).

remember_key(Key, Own) :-
    (   known_own(Key, _)
    ->  true
    ;   assertz(known_own(Key, Own))
    ).

known_key(Key, Own) :-
    own_key(Key, Own),
    (   nb_current(Own, _)
    ->  true
    ;   must_be_first,
        global(Own, Value)
    ->  nb_setval(Own, Value)
    ;   throw(error(existence_error(variable, Key), _))
    ).

safe_flag(Key, Old, New) :-
    must_be_first,
    own_key(Key, Own),
    count(Own, Old, New).

%   count(+Flag, -Old, +New): as flag/3.  What is apart has its own value.

count(Flag, Old, New) :-
    (   is_apart
    ->  apart_name(Flag, Name),
        (   nb_current(Name, Old0)
        ->  true
        ;   get_flag(Flag, Old0)
        ),
        Old = Old0,
        Value is New,
        nb_setval(Name, Value)
    ;   flag(Flag, Old, New)
    ).

apart_name(Flag, Name) :-
    atom_concat(hb_apart_, Flag, Name).

%   Counters go on from one query to the next, so they work in one engine only.

safe_gensym(Base, Atom) :-
    must_be_first,
    (   is_apart
    ->  counter(Base, Counter),
        count(Counter, Old, Old+1),
        New is Old+1,
        atom_concat(Base, New, Atom)
    ;   gensym(Base, Atom)
    ).

safe_reset_gensym :-
    must_be_first,
    (   is_apart
    ->  findall(Counter,
                ( recorded('$gensym', Counter)
                ; nb_current(Name, _),
                  apart_name(Counter, Name),
                  counter(_, Counter)
                ),
                Counters),
        forall('$member'(Counter, Counters), hb_globals:count(Counter, _, 0))
    ;   reset_gensym
    ).

safe_reset_gensym(Base) :-
    must_be_first,
    (   is_apart
    ->  counter(Base, Counter),
        count(Counter, _, 0)
    ;   reset_gensym(Base)
    ).

%   counter(?Base, ?Counter): the flag of library(gensym).

counter(Base, Counter) :-
    atom_concat('$gs_', Base, Counter).

%   Global variables outlive their query.  Each query has an engine of its own, which leaves them
%   here for the next one (keep_globals/0).

:- dynamic global/2.                    % Own, Value

%!  keep_globals is det.
%!  forget_globals is det.
%
%   Leave the global variables to the next query; or forget them, and the counters of flag/3 and gensym/2.

keep_globals :-
    (   nb_current(hb_globals, set),
        \+ is_apart
    ->  nb_setval(hb_globals, kept),
        forall(( nb_current(Own, Value), atom(Own), sub_atom(Own, 0, _, _, hb_user_) ),
               keep_global(Own, Value))
    ;   true
    ).

%   A value that is cyclic, or nested deeper than a clause may be, lives only as long as its query; so does one that shares so
%   much that a clause would be too long.

keep_global(Own, Value) :-
    retractall(global(Own, _)),
    limit_of(answer_depth, Depth),
    (   acyclic_term(Value),
        shallow(Value, Depth),
        tree_within(Value, Depth, 1_000_000)
    ->  copy_term_nat(Value, Plain),
        assertz(global(Own, Plain))
    ;   true
    ).

forget_globals :-
    retractall(global(_, _)),
    retractall(known_own(_, _)),
    forall(( current_flag(Key), atom(Key), sub_atom(Key, 0, _, _, hb_user_) ), set_flag(Key, 0)),
    reset_gensym.

%   Makes sure that the key is the user's before binding Key and Value, which may wake goals.

safe_nb_current(Key, Value) :-
    (   var(Key)
    ->  must_be_first,
        forall(( global(Own, Kept), \+ nb_current(Own, _) ), nb_setval(Own, Kept)),
        nb_current(Own, Found),
        atom_concat(hb_user_, Name, Own),
        Key = Name
    ;   catch(known_key(Key, Own), error(existence_error(_, _), _), fail),
        nb_current(Own, Found)
    ),
    Value = Found.
