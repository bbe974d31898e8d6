:- module(hb_transactions,
          [ transaction/1,              % :Goal
            snapshot/1                  % :Goal
          ]).
:- use_module('../store/store', [undeclare_lost/0, tables_changed/0]).
:- use_module('../store/restrictions').

/** <module> Transactions of untrusted code

SWI-Prolog's own take back what the store notes of the clauses together with the clauses, as both are clauses.
*/

:- meta_predicate
    transaction(0),
    snapshot(0).

%!  transaction(:Goal) is semidet.
%
%   As once(Goal).  If it fails or throws, its changes of clauses are taken back.

transaction(Goal) :-
    must_be_first,
    setup_call_catcher_cleanup(true, system:transaction(Goal), End, ended(End)).

%!  snapshot(:Goal) is semidet.
%
%   As once(Goal), whose changes of clauses are taken back.

snapshot(Goal) :-
    must_be_first,
    setup_call_cleanup(true, system:snapshot(Goal), taken_back).

ended(exit) :-
    !,
    undeclare_lost.
ended(_) :-
    taken_back.

%   taken_back: the changes of a goal were taken back, and with them the tables that it has seen or made.

taken_back :-
    undeclare_lost,
    tables_changed.
