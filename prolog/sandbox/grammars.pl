:- module(hb_grammars,
          [ safe_grammar_body/2,        % +Body, -Safe
            safe_phrase/5               % +Body, +Name, +Lists, +Goal, -Safe
          ]).
:- use_module('../grammar_rule', [grammar_rule/2]).
:- use_module(sandbox).

/** <module> The sandbox: grammar bodies

Grammar bodies as arguments of goals, and those that phrase/2,3 calls.
*/

%!  safe_grammar_body(+Body, -Safe) is det.
%
%   Translate Body, which phrase/3 calls.

safe_grammar_body(Body, Safe) :-
    (   grammar_literal(Body)
    ->  Safe = Body
    ;   ( var(Body) ; grammar_control(Body) )
    ->  hb_store:qualified(Body, Qualified),
        Safe = hb_builtins:safe_call_dcg(Qualified)
    ;   safe_closure(Body, 2, Safe)
    ).

grammar_literal(Body) :-
    (   string(Body)
    ;   is_list(Body)
    ;   Body == !
    ;   Body == {}
    ),
    !.

grammar_control(Body) :-
    compound(Body),
    (   Body = [_|_]
    ;   Body = {_}
    ;   Body = (\+_)
    ;   Body = (_,_)
    ;   Body = (_;_)
    ;   Body = '|'(_,_)
    ;   Body = (_->_)
    ;   Body = (_*->_)
    ;   compound_name_arity(Body, call, _)
    ),
    !.

%!  safe_phrase(+Body, +Name, +Lists, +Goal, -Safe) is det.
%
%   Translate Body to a goal now, if it is known.  Goal is a call of phrase/2,3 or call_dcg/3.

safe_phrase(Body, Name, Lists, Goal, Safe) :-
    nonvar(Body),
    Body \= _:_,
    catch(grammar_rule(('$hb' --> Body), ('$hb'(S0,S) :- Calls)), error(_,_), fail),
    !,
    (   Lists = [S0]
    ->  S = []
    ;   Lists = [S0,S]
    ),
    safe_argument(Calls, SafeCalls),
    (   Name == phrase
    ->  Check = (hb_builtins:phrase_list(S0), hb_builtins:phrase_list(S))
    ;   Check = true
    ),
    Safe = hb_checked:translated(Goal, (Check,SafeCalls)).
safe_phrase(Body, Name, Lists, _, hb_builtins:Safe) :-
    atom_concat(safe_, Name, SafeName),
    hb_store:qualified(Body, Qualified),
    Safe =.. [SafeName,Qualified|Lists].
