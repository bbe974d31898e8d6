:- module(hb_open_conditions,
          [ open_condition/1            % +Condition
          ]).
:- use_module('../sandbox/written', [as_written/2]).

/** <module> Constraints that are asked as conditions too early
*/

%!  open_condition(+Condition) is semidet.
%
%   Condition, as it is translated, is a constraint on variables without a value, which may hold and may not.

open_condition(Condition0) :-
    as_written(Condition0, Condition),
    compound(Condition),
    compound_name_arguments(Condition, Op, [A,B]),
    opposite(Op, Other),
    term_attvars(Condition, Vars),
    '$member'(Var, Vars),
    get_attr(Var, clpfd, _),
    compound_name_arguments(Opposite, Other, [A,B]),
    !,
    catch(\+ \+ clpfd:Opposite, _, fail),
    catch(\+ \+ clpfd:Condition, _, fail).

opposite(#=,  #\=).
opposite(#\=, #=).
opposite(#<,  #>=).
opposite(#>=, #<).
opposite(#>,  #=<).
opposite(#=<, #>).
