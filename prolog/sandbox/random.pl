:- module(hb_random,
          [ safe_set_random/1,          % +Option
            safe_setrand/1              % +State
          ]).

/** <module> The state of the random numbers

SWI-Prolog takes any integer of the right length as a state, and reads outside its table of numbers if
the place in it is made up.
*/

%!  safe_set_random(+Option) is det.
%!  safe_setrand(+State) is det.
%
%   As in SWI-Prolog.
%
%   @error domain_error(random_state, State) if getrand/1 never gives such a state.

safe_set_random(Option) :-
    (   nonvar(Option),
        Option = state(State)
    ->  check_state(State)
    ;   true
    ),
    set_random(Option).

safe_setrand(State) :-
    (   nonvar(State),
        State = rand(_,_,_)
    ->  true
    ;   check_state(State)
    ),
    random:setrand(State).

%   A state is 626 words, the second being the place in a table of 624, with its lowest byte first.

check_state(State) :-
    var(State),
    !,
    throw(error(instantiation_error, _)).
check_state(State) :-
    integer(State),
    Word is (State >> (32*624)) /\ 0xffffffff,
    Place is (Word >> 24) \/ ((Word >> 8) /\ 0xff00) \/ ((Word << 8) /\ 0xff0000) \/ ((Word << 24) /\ 0xff000000),
    Place =< 624,
    !.
check_state(State) :-
    throw(error(domain_error(random_state, State), _)).
