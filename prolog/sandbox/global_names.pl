:- module(hb_global_names,
          [ own_global/2,               % +Goal, -Safe
            written_global/2,           % +Safe, -Goal
            own_name/2,                 % +Key, -Own
            users_key/2                 % @Own, -Key
          ]).

/** <module> The names of global variables

The user's keys are kept apart from those of the libraries.
*/

%!  own_name(+Key, -Own) is det.
%!  users_key(@Own, -Key) is semidet.
%
%   Own is the key in the engine of the user's Key.

own_name(Key, Own) :-
    atomic_list_concat([hb_user_, Key], Own).

users_key(Own, Key) :-
    atom(Own),
    atom_concat(hb_user_, Key, Own).

%!  own_global(+Goal, -Safe) is semidet.
%!  written_global(+Safe, -Goal) is semidet.
%
%   Safe is the translation of Goal, which names a global variable: most programs that use them do so in loops.

own_global(nb_getval(Key, Value), nb_getval(Own, Value)) :-
    atom(Key),
    own_name(Key, Own).
own_global(b_getval(Key, Value), b_getval(Own, Value)) :-
    atom(Key),
    own_name(Key, Own).
own_global(b_setval(Key, Value), b_setval(Own, Value)) :-
    atom(Key),
    own_name(Key, Own).
own_global(nb_setval(Key, Value), hb_globals:set_global(Own, Value)) :-
    atom(Key),
    own_name(Key, Own).

written_global(nb_getval(Own, Value), nb_getval(Key, Value)) :-
    users_key(Own, Key).
written_global(b_getval(Own, Value), b_getval(Key, Value)) :-
    users_key(Own, Key).
written_global(b_setval(Own, Value), b_setval(Key, Value)) :-
    users_key(Own, Key).
written_global(hb_globals:set_global(Own, Value), nb_setval(Key, Value)) :-
    users_key(Own, Key).
