:- module(hb_scope,
          [ new_scope/1,                % -Scope
            new_scope/2,                % +Base, -Scope
            free_scope/1,               % +Scope
            scope_op/5,                 % +Scope, +Priority, +Type, +Names, -Restore
            scope_flag/4,               % +Scope, +Flag, +Value, -Restore
            begin_unit_flags/3,         % +Scope, +Unit, -Restore
            end_unit_flags/3,           % +Scope, +Unit, -Restore
            unit_in_scope/2,            % +Scope, -Unit
            default_flags/1,            % +Scope
            op_kind/2,                  % ?Type, ?Kind
            library_operators/1         % -Operators
          ]).
:- use_module(declarations, [fixed_flag/2]).

/** <module> What text is read with: operators and flags

A _scope_ is an operator table and read flags of its own on top of the trusted
ones: a module without predicates that inherits from the module `hb_syntax`, which
has the default flags and the operators of the system and of the allowed libraries.
User code cannot change `hb_syntax`.
*/

:- dynamic
    around_unit/3.                      % Scope, Unit, Flags: those of the text around the unit of tests that it is in, innermost first

%!  new_scope(-Scope) is det.
%!  new_scope(+Base, -Scope) is det.
%
%   Scope has the default flags and the trusted operators, or those of the module Base.

new_scope(Scope) :-
    new_scope(hb_syntax, Scope).

new_scope(Base, Scope) :-
    flag(hb_scope, N, N+1),
    atom_concat(hb_scope_, N, Scope),
    set_module(Scope:class(temporary)),
    set_module(Scope:base(Base)),
    default_flags(Scope).

%!  free_scope(+Scope) is det.
%
%   Scope is no longer used.

free_scope(Scope) :-
    retractall(around_unit(Scope, _, _)),
    '$destroy_module'(Scope).

%!  scope_op(+Scope, +Priority, +Type, +Names, -Restore) is det.
%
%   Declare operators in Scope as op/3 does.  Names is an atom or a list of atoms.
%   Restore is a list of terms op(Priority, Type, Name) that undo it.
%
%   @throws the errors of op/3.  Scope is then unchanged.

scope_op(Scope, Priority, Type, Names, Restore) :-
    must_be_names(Names, List),
    check_op(List, Priority, Type),
    findall(Old,
            ( member(Name, List),
              old_op(Scope, Type, Name, Old)
            ),
            Restore),
    op(Priority, Type, Scope:List).

must_be_names(Names, _) :-
    var(Names),
    !,
    throw(error(instantiation_error, _)).
must_be_names(Names, Names) :-
    is_list(Names),
    Names \== [],
    !.
must_be_names(Name, [Name]).

% op/3 declares all names before the first illegal one: try on a scratch table first.
check_op(Names, Priority, Type) :-
    forall(member(Name, Names),
           (   atom(Name)
           ->  true
           ;   var(Name)
           ->  throw(error(instantiation_error, _))
           ;   throw(error(type_error(atom, Name), _))
           )),
    (   Priority == -1
    ->  throw(error(domain_error(operator_priority, Priority), _))
    ;   true
    ),
    new_scope(Trial),
    call_cleanup(op(Priority, Type, Trial:Names), free_scope(Trial)).

old_op(Scope, Type, Name, op(Priority, OldType, Name)) :-
    op_kind(Type, Kind),
    (   op_kind(OldType, Kind),
        current_op(Priority, OldType, Scope:Name)
    ->  true
    ;   Priority = 0,
        OldType = Type
    ).

%!  op_kind(?Type, ?Kind) is nondet.
%
%   The Kind of operators of Type: a name may be one operator of each kind.

op_kind(fx,  prefix).
op_kind(fy,  prefix).
op_kind(xf,  postfix).
op_kind(yf,  postfix).
op_kind(xfx, infix).
op_kind(xfy, infix).
op_kind(yfx, infix).

%!  scope_flag(+Scope, +Flag, +Value, -Restore) is det.
%
%   Set a flag that changes how text is read.  Restore is a list of the term
%   set_prolog_flag(Flag, Old) that undoes it.
%
%   @throws permission_error(modify, flag, Flag) if Flag is not one of these,
%   and the errors of set_prolog_flag/2.

scope_flag(Scope, Flag, Value, [set_prolog_flag(Flag, Old)]) :-
    (   default_flag(Flag, _)
    ->  current_prolog_flag(Scope:Flag, Old),
        set_prolog_flag(Scope:Flag, Value)
    ;   var(Flag)
    ->  throw(error(instantiation_error, _))
    ;   fixed_flag(Flag, Said)
    ->  throw(error(permission_error(modify, flag, Flag), context(_, Said)))
    ;   throw(error(permission_error(modify, flag, Flag), _))
    ).

%!  begin_unit_flags(+Scope, +Unit, -Restore) is det.
%!  end_unit_flags(+Scope, +Unit, -Restore) is det.
%
%   A unit of tests is a module of its own, which begins with the default flags; after it those from before it count
%   again.  Restore is as for scope_flag/4.

begin_unit_flags(Scope, Unit, Restore) :-
    read_flags(Scope, Around),
    asserta(around_unit(Scope, Unit, Around)),
    findall(Flag=Value, default_flag(Flag, Value), Flags),
    change_flags(Flags, Scope, Restore).

end_unit_flags(Scope, Unit, Restore) :-
    (   retract(around_unit(Scope, Unit, Around))
    ->  change_flags(Around, Scope, Restore)
    ;   Restore = []
    ).

%!  unit_in_scope(+Scope, -Unit) is semidet.
%
%   Unit is the innermost unit of tests that the text in Scope has begun and not ended.

unit_in_scope(Scope, Unit) :-
    around_unit(Scope, Unit0, _),
    !,
    Unit = Unit0.

read_flags(Scope, Flags) :-
    findall(Flag=Value, ( default_flag(Flag, _), current_prolog_flag(Scope:Flag, Value) ), Flags).

change_flags(Flags, Scope, Restore) :-
    read_flags(Scope, Olds),
    findall(set_prolog_flag(Flag, Old),
            ( member(Flag=Old, Olds), \+ memberchk(Flag=Old, Flags) ),
            Restore),
    forall(member(Flag=Value, Flags), set_prolog_flag(Scope:Flag, Value)).

%!  default_flags(+Scope) is det.
%
%   Set the flags of the module Scope that change how text is read to what they are at the start of a text.

default_flags(Scope) :-
    forall(default_flag(Flag, Value),
           set_prolog_flag(Scope:Flag, Value)).

default_flag(double_quotes, string).
default_flag(back_quotes, codes).
default_flag(rational_syntax, compatibility).
default_flag(character_escapes, true).
default_flag(var_prefix, false).

%!  library_operators(-Operators) is det.
%
%   The operator that SWI-Prolog's module `user` has beyond those of the system, `$`, and those that
%   the allowed libraries export, as op(P, T, Name).  Only clpfd, clpb and lambda have any.

library_operators([ op(1, fx, $),
                    op(760, yfx, #<==>),
                    op(750, xfy, #==>),
                    op(750, yfx, #<==),
                    op(740, yfx, #\/),
                    op(730, yfx, #\),
                    op(720, yfx, #/\),
                    op(710,  fy, #\),
                    op(700, xfx, #>),
                    op(700, xfx, #<),
                    op(700, xfx, #>=),
                    op(700, xfx, #=<),
                    op(700, xfx, #=),
                    op(700, xfx, #\=),
                    op(700, xfx, in),
                    op(700, xfx, ins),
                    op(700, xfx, in_set),
                    op(450, xfx, ..),
                    op(201, xfx, +\),
                    op(300,  fy, ~),
                    op(500, yfx, #)
                  ]).

% The module hb_syntax is the trusted operator table.  It inherits from system, not
% from user, so that no later declaration changes it.
:- initialization(
       ( set_module(hb_syntax:base(system)),
         default_flags(hb_syntax),
         library_operators(Operators),
         forall(member(op(P, T, Name), Operators),
                op(P, T, hb_syntax:Name))
       ), now).
