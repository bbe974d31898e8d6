:- module(hb_tabling,
          [ table_specs/2,              % +Spec, -Specs
            table_one/4,                % +Spec, -Name, -Arity, -Own
            follows_changes/1,          % +Spec
            as_set/1                    % +Spec
          ]).
:- use_module('../functor').
:- use_module('../sandbox/policy').
:- use_module('../store/store').
:- use_module('../store/heads').

/** <module> What may be tabled, and how

The specifications of table/1: user predicates, modes and options.
*/

%!  table_specs(+Spec, -Specs) is det.
%
%   Specs is the list of the specifications in Spec, which is one of them, (A, B, ...) or a list.

table_specs(Spec, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
table_specs((A,B), Specs) :-
    !,
    table_specs(A, SpecsA),
    table_specs(B, SpecsB),
    '$append'(SpecsA, SpecsB, Specs).
table_specs([], []) :-
    !.
table_specs([H|T], Specs) :-
    !,
    table_specs((H,T), Specs).
table_specs(Spec, [Spec]).

%!  table_one(+Spec, -Name, -Arity, -Own) is det.
%
%   Own is Spec for Name/Arity without the user's module.  Throws if it may not be tabled.

table_one(Named:Spec, Name, Arity, Own) :-
    !,
    home_module(Named),
    module_of(Named, Module),
    in_module(Module, hb_tabling:table_one(Spec, Name, Arity, Own)).
table_one(Qualified/Arity0, Name, Arity, Own) :-
    nonvar(Qualified),
    Qualified = Named:Name0,
    !,
    table_one(Named:(Name0/Arity0), Name, Arity, Own).
table_one(Spec, Name, Arity, Own) :-
    table_head(Spec, Head0),
    text_head(Head0, Head),
    check_head(Head, Name, Arity),
    own_spec(Spec, Name, Own).

%   own_spec(+Spec, +Engine, -Own): Own is Spec for the predicate that is called Engine in the engine.

own_spec(Spec as Options0, Engine, Own) :-
    !,
    own_spec(Spec, Engine, Own0),
    (   kept_options(Options0, Options)
    ->  Own = (Own0 as Options)
    ;   Own = Own0
    ).
own_spec(_/Arity, Engine, Own) :-
    !,
    Own = Engine/Arity.
own_spec(_//Arity, Engine, Own) :-
    !,
    Own = Engine//Arity.
own_spec(Moded, Engine, Own) :-
    term_parts(Moded, _, Modes0),
    own_modes(Modes0, Modes),
    Own =.. [Engine|Modes].

own_modes([], []).
own_modes([Mode0|Modes0], [Mode|Modes]) :-
    (   nonvar(Mode0),
        Mode0 = lattice(Spec)
    ->  own_aggregator_name(Spec, 3, Engine),
        Mode = lattice(Engine/3)
    ;   nonvar(Mode0),
        Mode0 = po(Spec)
    ->  own_aggregator_name(Spec, 2, Engine),
        Mode = po(Engine/2)
    ;   Mode = Mode0
    ),
    own_modes(Modes0, Modes).

own_aggregator_name(Spec, Arity, Engine) :-
    (   Spec = Name/_
    ->  true
    ;   atom(Spec)
    ->  Name = Spec
    ;   term_functor(Spec, Name, _)
    ),
    (   private_here(Name, Arity, Engine0)
    ->  Engine = Engine0
    ;   Engine = Name
    ).

table_head(Spec as Options, Head) :-
    !,
    table_options(Options),
    check_set(Spec, Options),
    table_head(Spec, Head).
table_head(Name/Arity, Head) :-
    atom(Name),
    integer(Arity),
    Arity >= 0,
    !,
    term_functor(Head, Name, Arity).
table_head(Name//Arity0, Head) :-
    atom(Name),
    integer(Arity0),
    Arity0 >= 0,
    !,
    Arity is Arity0+2,
    term_functor(Head, Name, Arity).
table_head(Moded, Head) :-
    callable(Moded),
    !,
    term_functor(Moded, Name, Arity),
    term_functor(Head, Name, Arity),
    forall(arg(_, Moded, Mode), table_mode(Mode)).
table_head(Spec, _) :-
    throw(error(type_error(table_declaration, Spec), _)).

%   The predicates of `lattice` and `po` are called with answers, so only the user's
%   own are allowed.

table_mode(Mode) :-
    var(Mode),
    !.
table_mode(Mode) :-
    plain_mode(Mode),
    !.
table_mode(lattice(Spec)) :-
    own_aggregator(Spec, 3),
    !.
table_mode(po(Spec)) :-
    own_aggregator(Spec, 2),
    !.
table_mode(Mode) :-
    throw(error(domain_error(table_mode, Mode), _)).

plain_mode(index).
plain_mode(+).                          % the same in B-Prolog
plain_mode(-).
plain_mode(first).
plain_mode(last).
plain_mode(min).
plain_mode(max).
plain_mode(sum).

own_aggregator(Spec, Arity) :-
    nonvar(Spec),
    (   Spec = Name/Arity
    ->  true
    ;   atom(Spec)
    ->  Name = Spec
    ;   compound(Spec),
        Spec \= _:_,
        compound_name_arity(Spec, Name, Arity)
    ),
    atom(Name),
    (   own(Name, Arity)
    ->  true
    ;   class(Name, Arity, Class)
    ->  (   Class == plain
        ->  true
        ;   throw(error(permission_error(call, sandboxed, Name/Arity), _))
        )
    ;   true
    ).

%   kept_options(+Options0, -Options) is semidet: those that SWI-Prolog's tabling is to know.

kept_options((A0,B0), Options) :-
    !,
    (   kept_options(A0, A)
    ->  (   kept_options(B0, B)
        ->  Options = (A,B)
        ;   Options = A
        )
    ;   kept_options(B0, Options)
    ).
kept_options(Option, Option) :-
    kept_option(Option).

kept_option(variant).
kept_option(subsumptive).
kept_option(max_answers(Count)) :-
    restraint(Count).
kept_option(subgoal_abstract(Size)) :-
    restraint(Size).
kept_option(answer_abstract(Size)) :-
    restraint(Size).

restraint(Number) :-
    (   integer(Number)
    ->  true
    ;   var(Number)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(integer, Number), _))
    ).

%   void_option(?Option): there are no threads, and each table is made anew once clauses have changed,
%   in whatever way (incremental/1 of the tables that follow changes within a query).

void_option(set).                       % as_set/1
void_option(shared).
void_option(private).
void_option(incremental).
void_option(monotonic).
void_option(lazy).
void_option(opaque).
void_option(dynamic).

%!  follows_changes(+Spec) is semidet.
%
%   The tables that Spec declares follow the changes that the query itself makes.

follows_changes(Spec) :-
    table_option(Spec, Option),
    following(Option),
    !.

following(incremental).
following(monotonic).

%!  as_set(+Spec) is semidet.
%
%   What Spec declares is evaluated as a set where a data engine is at hand.

as_set(Spec) :-
    once(table_option(Spec, set)).

%   table_option(+Spec, ?Option) is nondet: Option is one of those that Spec has after `as`.

table_option(_ as Options, Option) :-
    option_in(Options, Option).
table_option(_:Spec, Option) :-
    table_option(Spec, Option).

option_in((A,B), Option) :-
    !,
    ( option_in(A, Option) ; option_in(B, Option) ).
option_in(Option, Option).

%   check_set(+Spec, +Options): modes are aggregates of Prolog's tables.

check_set(Spec, Options) :-
    (   once(option_in(Options, set)),
        compound(Spec),
        \+ Spec = _/_,
        \+ Spec = _//_
    ->  throw(error(hornbook(directive((table)/1, "A predicate with modes is no set: write `Name/Arity as set`, or leave `as set` out.")), _))
    ;   true
    ).

table_options(Options) :-
    var(Options),
    !,
    throw(error(instantiation_error, _)).
table_options((A,B)) :-
    !,
    table_options(A),
    table_options(B).
table_options(Option) :-
    kept_option(Option),
    !.
table_options(Option) :-
    void_option(Option),
    !.
table_options(Option) :-
    throw(error(domain_error(table_option, Option), _)).
