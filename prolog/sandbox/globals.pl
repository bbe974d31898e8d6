:- module(hb_globals,
          [ keep_globals/0,
            forget_globals/0,
            set_global/2,               % +Own, +Value
            safe_nb_setval/2, safe_b_setval/2, safe_nb_getval/2, safe_b_getval/2, safe_nb_current/2,
            safe_flag/3, safe_gensym/2, safe_reset_gensym/0, safe_reset_gensym/1
          ]).
:- use_module(global_names).
:- use_module('../store/step').
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
    flag(Own, Old, New).

%   Counters go on from one query to the next, so they work in one engine only.

safe_gensym(Base, Atom) :- must_be_first, gensym(Base, Atom).
safe_reset_gensym       :- must_be_first, reset_gensym.
safe_reset_gensym(Base) :- must_be_first, reset_gensym(Base).

%   Global variables outlive their query.  Each query has an engine of its own, which leaves them
%   here for the next one (keep_globals/0).

:- dynamic global/2.                    % Own, Value

%!  keep_globals is det.
%!  forget_globals is det.
%
%   Leave the global variables to the next query; or forget them, and the counters of flag/3 and gensym/2.

keep_globals :-
    (   nb_current(hb_globals, set)
    ->  nb_setval(hb_globals, kept),
        forall(( nb_current(Own, Value), atom(Own), sub_atom(Own, 0, _, _, hb_user_) ),
               keep_global(Own, Value))
    ;   true
    ).

%   A value that is cyclic, or nested deeper than a clause may be, lives only as long as its query.

keep_global(Own, Value) :-
    retractall(global(Own, _)),
    limit_of(answer_depth, Depth),
    (   acyclic_term(Value),
        shallow(Value, Depth)
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
