:- module(hb_functor,
          [ term_functor/3,             % ?Term, ?Name, ?Arity
            term_parts/3,               % +Term, -Name, -Arguments
            is_too_wide/1,              % @Arity
            name_arity/3,               % @Goal, -Name, -Arity
            renamed/3,                  % +Goal, +Name, -Renamed
            extended/3                  % +Closure, +Args, -Goal
          ]).

/** <module> Names and arities of terms that somebody wrote

SWI-Prolog reads `p()` as a compound without arguments, takes it for `p` as a head and as a goal, and
refuses it in functor/3.
*/

%!  term_functor(?Term, ?Name, ?Arity) is det.
%
%   As functor/3, and of `p()` the Name is `p`, the Arity 0.
%
%   @error representation_error(max_procedure_arity) if Term is unbound and Arity too large

term_functor(Term, Name, Arity) :-
    (   compound(Term)
    ->  compound_name_arity(Term, Name, Arity)
    ;   var(Term),
        is_too_wide(Arity)
    ->  throw(error(representation_error(max_procedure_arity), _))
    ;   functor(Term, Name, Arity)
    ).

%!  is_too_wide(@Arity) is semidet.
%
%   No term has so many arguments: SWI-Prolog for WebAssembly writes all over its memory when the
%   words of one overflow 32 bits.

is_too_wide(Arity) :-
    integer(Arity),
    Arity > 0x3fffffff.

%!  term_parts(+Term, -Name, -Arguments) is det.
%
%   As `Term =.. [Name|Arguments]`, and of `p()` the Name is `p`, with no Arguments.

term_parts(Term, Name, Arguments) :-
    (   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments)
    ;   Name = Term,
        Arguments = []
    ).

%!  name_arity(@Goal, -Name, -Arity) is semidet.
%
%   Goal has a predicate indicator: it is an atom, or a compound whose name is one.

name_arity(Goal, Name, Arity) :-
    (   atom(Goal)
    ->  Name = Goal,
        Arity = 0
    ;   compound(Goal),
        compound_name_arity(Goal, Name, Arity),
        atom(Name)
    ).

%!  renamed(+Goal, +Name, -Renamed) is det.

renamed(Goal, Name, Renamed) :-
    (   atom(Goal)
    ->  Renamed = Name
    ;   compound_name_arguments(Goal, _, Args),
        compound_name_arguments(Renamed, Name, Args)
    ).

%!  extended(+Closure, +Args, -Goal) is det.
%
%   Goal is Closure with more arguments, as for call/N.

extended(Closure, _, _) :-
    var(Closure),
    !,
    throw(error(instantiation_error, _)).
extended(Module:Closure, Args, Module:Goal) :-
    !,
    extended(Closure, Args, Goal).
extended(Closure, Args, Goal) :-
    (   atom(Closure)
    ->  compound_name_arguments(Goal, Closure, Args)
    ;   compound(Closure)
    ->  compound_name_arguments(Closure, Name, Args0),
        '$append'(Args0, Args, Args1),
        compound_name_arguments(Goal, Name, Args1)
    ;   throw(error(type_error(callable, Closure), _))
    ).
