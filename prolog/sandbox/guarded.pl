:- module(hb_guarded,
          [ safe_functor/3,             % ?Term, ?Name, ?Arity
            safe_functor/4,             % ?Term, ?Name, ?Arity, ?Type
            safe_compound_name_arity/3, % ?Term, ?Name, ?Arity
            safe_pi_head/2,             % ?Indicator, ?Head
            safe_head_name_arity/3,     % ?Head, ?Name, ?Arity
            safe_bounded_number/3,      % ?Low, ?High, +Number
            safe_variant_hash/2         % +Term, -Hash
          ]).
:- use_module('../functor').
:- use_module(library(prolog_code), [pi_head/2,head_name_arity/3]).

:- redefine_system_predicate(setup_call_cleanup(_,_,_)).
:- redefine_system_predicate(setup_call_catcher_cleanup(_,_,_,_)).

/** <module> Predicates whose C does not check what it is given

SWI-Prolog for WebAssembly writes or aborts where these get other arguments than they are made for.
*/

%!  safe_functor(?Term, ?Name, ?Arity) is det.
%!  safe_functor(?Term, ?Name, ?Arity, ?Type) is det.
%!  safe_compound_name_arity(?Term, ?Name, ?Arity) is det.
%!  safe_pi_head(?Indicator, ?Head) is det.
%!  safe_head_name_arity(?Head, ?Name, ?Arity) is det.
%
%   As in SWI-Prolog.
%
%   @error resource_error(memory) if Arity is more than any stack can hold

safe_functor(Term, Name, Arity) :-
    may_be_arity(Arity),
    functor(Term, Name, Arity).

safe_functor(Term, Name, Arity, Type) :-
    may_be_arity(Arity),
    functor(Term, Name, Arity, Type).

safe_compound_name_arity(Term, Name, Arity) :-
    may_be_arity(Arity),
    compound_name_arity(Term, Name, Arity).

safe_pi_head(Indicator, Head) :-
    (   sub_term_arity(Indicator, Arity)
    ->  may_be_arity(Arity)
    ;   true
    ),
    pi_head(Indicator, Head).

safe_head_name_arity(Head, Name, Arity) :-
    may_be_arity(Arity),
    head_name_arity(Head, Name, Arity).

%   sub_term_arity(@Indicator, -Arity): Arity is what comes after the slash.

sub_term_arity(Indicator, _) :-
    var(Indicator),
    !,
    fail.
sub_term_arity(_:Indicator, Arity) :-
    sub_term_arity(Indicator, Arity).
sub_term_arity(_/Arity, Arity).
sub_term_arity(_//Arity, Arity).

may_be_arity(Arity) :-
    (   is_too_wide(Arity)
    ->  throw(error(resource_error(memory), _))
    ;   true
    ).

%!  safe_bounded_number(?Low, ?High, +Number) is semidet.
%
%   As in SWI-Prolog: Number is between Low and High, which are the numbers next to it if they are
%   unbound.  C frees what it never set if one of them is not a number.
%
%   @error type_error(number, Value)

safe_bounded_number(Low, High, Number) :-
    must_be(number, Number),
    bound(Low),
    bound(High),
    (   var(Low)
    ->  below(Number, Low0)
    ;   Low < Number,
        Low0 = Low
    ),
    (   var(High)
    ->  above(Number, High0)
    ;   Number < High,
        High0 = High
    ),
    Low = Low0,
    High = High0.

bound(Bound) :-
    (   var(Bound)
    ->  true
    ;   must_be(number, Bound)
    ).

below(Number, Low) :-
    (   integer(Number)
    ->  Low is Number-1
    ;   Low is nexttoward(Number, -inf)
    ).

above(Number, High) :-
    (   integer(Number)
    ->  High is Number+1
    ;   High is nexttoward(Number, inf)
    ).

%!  safe_variant_hash(+Term, -Hash) is det.
%
%   As in SWI-Prolog, which aborts on variables with attributes.
%
%   @error type_error(free_of_attvar, Term), as variant_sha1/2 has it

safe_variant_hash(Term, Hash) :-
    (   term_attvars(Term, [])
    ->  variant_hash(Term, Hash)
    ;   throw(error(type_error(free_of_attvar, Term), _))
    ).

%!  setup_call_cleanup(:Setup, :Goal, :Cleanup).
%!  setup_call_catcher_cleanup(:Setup, :Goal, ?Catcher, :Cleanup).
%
%   As in SWI-Prolog, but Setup is not called from C, so that it can open a file, for which the host may
%   have to be asked.  What stops a query may come between Setup and Goal.

:- public setup_call_cleanup/3, setup_call_catcher_cleanup/4.
:- meta_predicate
    setup_call_cleanup(0, 0, 0),
    setup_call_catcher_cleanup(0, 0, ?, 0).

setup_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, _, Cleanup).

setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    once(Setup),
    system:setup_call_catcher_cleanup(true, Goal, Catcher, Cleanup).
