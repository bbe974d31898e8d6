:- module(hb_indexes,
          [ judge_indexes/0
          ]).

/** <module> Indexes of predicates with many clauses

SWI-Prolog makes an index when a call first wants it.  An index is poor if it leaves
more than ci_min_speedup_ratio clauses for a key.  For a call that binds several
arguments, SWI-Prolog then tries indexes of two of them, one more time than the
predicate has arguments, and each try takes as long as reading all clauses.  It
computes how many clauses an index leaves from the square of their number, in a word
that has 32 bits here: from 65,536 clauses on, the best index looks poor.
*/

%!  judge_indexes is det.
%
%   Adapt the threshold to the number of clauses: if a predicate may have that many, any
%   index that narrows them down is good enough.

judge_indexes :-
    statistics(clauses, Count),
    (   Count < 65_536
    ->  Ratio = 3.0                     % SWI-Prolog's own
    ;   Ratio = 1000.0
    ),
    set_prolog_flag(ci_min_speedup_ratio, Ratio).
