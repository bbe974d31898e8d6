:- module(hb_indexes,
          [ judge_indexes/0
          ]).

/** <module> Indexes of predicates with many clauses

SWI-Prolog makes an index when a call first wants it.  One that leaves more
than ci_min_speedup_ratio clauses for a key is poor, and for a call that binds
several arguments an index of two of them is then tried, as many times as the
predicate has arguments and once more.  Each time takes as long as reading all
clauses.  How many an index leaves is reckoned with the square of their number,
in a word of 32 bits here: from 65,536 clauses on the best index passes for a
poor one.
*/

%!  judge_indexes is det.
%
%   Have indexes judged by what is there: where a predicate may have so many
%   clauses, one that narrows them down at all is good enough.

judge_indexes :-
    statistics(clauses, Count),
    (   Count < 65_536
    ->  Ratio = 3.0                     % SWI-Prolog's own
    ;   Ratio = 1000.0
    ),
    set_prolog_flag(ci_min_speedup_ratio, Ratio).
