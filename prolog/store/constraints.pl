:- module(hb_constraints,
          [ add_constraint/6,           % +Id, +Module, +Goal, +Message, +Level, +Names
            constraint/6,               % ?Id, -Module, -Goal, -Message, -Level, -Names
            forget_constraint/1,        % +Id
            forget_constraints/0
          ]).

/** <module> The constraints of the book: goals that must have no answer
*/

:- dynamic
    constraint/6.                       % Id, Module, Goal, Message, Level, Names

%!  add_constraint(+Id, +Module, +Goal, +Message, +Level, +Names) is det.
%!  constraint(?Id, -Module, -Goal, -Message, -Level, -Names) is nondet.
%
%   The entry Id of the book is a constraint, written in text of Module.  Message is text or Format-Args, which
%   shares variables with Goal; Level is `refuse` or `warn`; Names are Name=Variable.

add_constraint(Id, Module, Goal, Message, Level, Names) :-
    assertz(constraint(Id, Module, Goal, Message, Level, Names)).

%!  forget_constraint(+Id) is semidet.
%!  forget_constraints is det.
%
%   Forget the constraint that is the entry Id; or all of them.

forget_constraint(Id) :-
    retract(constraint(Id, _, _, _, _, _)),
    !.

forget_constraints :-
    retractall(constraint(_, _, _, _, _, _)).
