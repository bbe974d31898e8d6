:- module(hb_grammars,
          [ grammar_body/2,             % +Body, -Kind
            phrase_calls/3              % +Body, +Lists, -Calls
          ]).
:- use_module('../grammar_rule', [grammar_rule/2]).

/** <module> The sandbox: grammar bodies

Grammar bodies as arguments of goals, and those that phrase/2,3 calls.
*/

%!  grammar_body(+Body, -Kind) is det.
%
%   Kind is what Body, which phrase/3 calls, is: `literal` if it calls nothing, `control` if its parts are looked at when it
%   is called, and `closure` if it is called with two more arguments.

grammar_body(Body, Kind) :-
    (   grammar_literal(Body)
    ->  Kind = literal
    ;   ( var(Body) ; grammar_control(Body) )
    ->  Kind = control
    ;   Kind = closure
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

%!  phrase_calls(+Body, +Lists, -Calls) is semidet.
%
%   Calls is what Body calls between Lists, one or two, if it is known now.

phrase_calls(Body, Lists, Calls) :-
    nonvar(Body),
    Body \= _:_,
    catch(grammar_rule(('$hb' --> Body), ('$hb'(S0,S) :- Calls)), error(_,_), fail),
    (   Lists = [S0]
    ->  S = []
    ;   Lists = [S0,S]
    ).
