:- module(hb_named,
          [ plain_head/2,               % +Head, -Plain
            home_module/1,              % +Module
            users_module/1,             % @Module
            add_module/2,               % +Module, +Id
            begin_unit/3,               % +Unit, +Options, +Id
            end_unit/2,                 % +Unit, +Id
            test_unit/3,                % +Id, -Unit, -Options
            forget_name/1,              % +Id
            forget_names/0
          ]).
:- use_module(library(aggregate), [aggregate_all/3]).

/** <module> What directives of the book name: modules and units of tests

All code of the user's is in one module.  What directives of the book call a module is a name of that one; a unit of tests is
what stands between two entries.
*/

:- dynamic
    module_name/2,                      % Module, Id
    unit_begin/3,                       % Id, Unit, Options
    unit_end/2.                         % Id, Unit

%!  plain_head(+Head, -Plain) is det.
%
%   Plain is Head without the name of the user's module.  SWI-Prolog takes p() for p, as a head and as a goal.

plain_head(Var, Var) :-
    var(Var),
    !.
plain_head(Module:Head0, Head) :-
    !,
    home_module(Module),
    plain_head(Head0, Head).
plain_head(Head, Name) :-
    compound(Head),
    compound_name_arity(Head, Name, 0),
    !.
plain_head(Head, Head).

%!  home_module(+Module) is det.
%
%   @error permission_error(access, module, Module) if it is not the user's.

home_module(Module) :-
    (   users_module(Module)
    ->  true
    ;   throw(error(permission_error(access, module, Module), _))
    ).

%!  users_module(@Module) is semidet.
%
%   Module is the user's: text is written for one module, which people call `user` elsewhere; and the
%   modules that files of the book declare are that one.

users_module(Module) :-
    (   Module == knowledge_base
    ;   Module == user
    ;   atom(Module),
        module_name(Module, _)
    ),
    !.

%!  add_module(+Module, +Id) is det.
%
%   The entry Id of the book declares Module.

add_module(Module, Id) :-
    assertz(module_name(Module, Id)).

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
%   The clause Id stands among the tests of Unit.

test_unit(Id, Unit, Options) :-
    aggregate_all(max(Begin0, unit(Unit0,Options0)),
                  ( unit_begin(Begin0, Unit0, Options0), Begin0 < Id ),
                  max(Begin, unit(Unit,Options))),
    \+ ( unit_end(End, Unit), End > Begin, End < Id ).

%!  forget_name(+Id) is semidet.
%!  forget_names is det.
%
%   The entry Id, which names something, goes; or all go.

forget_name(Id) :-
    (   retract(module_name(_, Id))
    ;   retract(unit_begin(Id, _, _))
    ;   retract(unit_end(Id, _))
    ),
    !.

forget_names :-
    retractall(module_name(_,_)),
    retractall(unit_begin(_,_,_)),
    retractall(unit_end(_,_)).
