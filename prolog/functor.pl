:- module(hb_functor,
          [ term_functor/3,             % ?Term, ?Name, ?Arity
            term_parts/3,               % +Term, -Name, -Arguments
            is_too_wide/1               % @Arity
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
