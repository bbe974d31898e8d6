:- module(hb_grammar_rule,
          [ grammar_rule/2,             % +Rule, ?Clause
            safe_dcg_translate_rule/2, safe_dcg_translate_rule/4
          ]).

/** <module> Grammar rules as clauses

If the first call of dcg_translate_rule/2 in an engine is given a clause with bound arguments, SWI-Prolog gives these
arguments to all clauses that it makes from then on.
*/

%!  grammar_rule(+Rule, ?Clause) is det.
%
%   As dcg_translate_rule/2, which is called with an unbound variable alone.

grammar_rule(Rule, Clause) :-
    dcg_translate_rule(Rule, Made),
    Clause = Made.

safe_dcg_translate_rule(Rule, Clause) :-
    grammar_rule(Rule, Clause).

safe_dcg_translate_rule(Rule, Position0, Clause, Position) :-
    dcg_translate_rule(Rule, Position0, Made, MadePosition),
    Clause = Made,
    Position = MadePosition.
