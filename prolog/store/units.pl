:- module(hb_units,
          [ begin_unit/3,               % +Unit, +Options, +Id
            end_unit/2,                 % +Unit, +Id
            test_unit/3,                % +Id, -Unit, -Options
            forget_unit/1,              % +Id
            forget_units/0
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).

/** <module> Test units: the entries of the book between two directives
*/

:- dynamic
    unit_begin/3,                       % Id, Unit, Options
    unit_end/2.                         % Id, Unit

%!  begin_unit(+Unit, +Options, +Id) is det.
%!  end_unit(+Unit, +Id) is det.
%
%   The entry Id of the book begins or ends the tests of Unit.

begin_unit(Unit, Options, Id) :-
    assertz(unit_begin(Id, Unit, Options)).

end_unit(Unit, Id) :-
    assertz(unit_end(Id, Unit)).

%!  test_unit(+Id, -Unit, -Options) is semidet.
%
%   The clause Id is among the tests of Unit, the innermost of those that are not ended before it.

test_unit(Id, Unit, Options) :-
    aggregate_all(max(Begin, unit(Unit0,Options0)),
                  ( unit_begin(Begin, Unit0, Options0),
                    Begin < Id,
                    \+ ( unit_end(End, Unit0), End > Begin, End < Id )
                  ),
                  max(_, unit(Unit,Options))).

%!  forget_unit(+Id) is semidet.
%!  forget_units is det.
%
%   Forget the entry Id, which begins or ends a unit; or all of them.

forget_unit(Id) :-
    (   retract(unit_begin(Id, _, _))
    ;   retract(unit_end(Id, _))
    ),
    !.

forget_units :-
    retractall(unit_begin(_,_,_)),
    retractall(unit_end(_,_)).
