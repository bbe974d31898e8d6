:- module(hb_predicates,
          [ safe_dynamic/1, safe_discontiguous/1, safe_abolish/1, safe_abolish/2, safe_listing/0, safe_listing/1,
            safe_current_predicate/1, safe_current_predicate/2, safe_predicate_property/2,
            indicators/2,               % +Spec, -ModuleAndPIs
            declared_head/2             % +ModuleAndPI, -Head
          ]).
:- use_module(policy).
:- use_module(written).
:- use_module(output).
:- use_module(database).
:- use_module('../store/store').
:- use_module('../store/heads').
:- use_module('../store/step').
:- use_module('../store/restrictions').
:- use_module('../store/clause_text', [clause_term/3]).
:- use_module('../functor').

/** <module> Predicates that untrusted code declares, lists and asks about

hb_policy:class/3 sends a call of p/n here, by way of hb_builtins, as safe_p/n.
*/

safe_dynamic(Spec) :-
    must_be_open,
    indicators(Spec, PIs),
    findall(Head, ( '$member'(PI, PIs), declared_head(PI, Head) ), Heads),
    forall('$member'(Head, Heads), check_head(Head, _, _)),
    forall('$member'(Head, Heads), ( term_functor(Head, Name, Arity), declare(Name, Arity) )).

%!  declared_head(+ModuleAndPI, -Head) is det.
%
%   Head is the most general head in the engine of a declaration in Module.

declared_head(Module-(Name/Arity), Head) :-
    term_functor(Head0, Name, Arity),
    in_module(Module, text_head(Head0, Head)).

safe_discontiguous(Spec) :-
    indicators(Spec, _).

%!  indicators(+Spec, -PIs) is det.
%
%   Spec is an indicator, a list of them, or (A,B,...); PIs are pairs Module-(Name/Arity).

indicators(Spec, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
indicators([], []) :-
    !.
indicators(Spec as _, PIs) :-           % incremental, abstract(0): every table is told of changes
    !,
    indicators(Spec, PIs).
indicators([H|T], PIs) :-
    !,
    indicators(H, PIs0),
    indicators(T, PIs1),
    '$append'(PIs0, PIs1, PIs).
indicators((A,B), PIs) :-
    !,
    indicators([A,B], PIs).
indicators(Spec as _, PIs) :-
    !,
    indicators(Spec, PIs).
indicators(Named:Spec, PIs) :-
    \+ Spec = _/_,
    \+ Spec = _//_,
    !,
    home_module(Named),
    module_of(Named, Module),
    in_module(Module, hb_predicates:indicators(Spec, PIs)).
indicators(Spec, [Module-PI]) :-
    own_indicator(Spec, Module, PI).

safe_abolish(Name, Arity) :-
    safe_abolish(Name/Arity).

safe_abolish(PI0) :-
    own_indicator(PI0, Module, Name/Arity),
    term_functor(Head, Name, Arity),
    safe_retractall(Module:Head).

safe_listing :-
    forall(own(Name, Arity), list_predicate(Name/Arity)).

safe_listing(Spec) :-
    list_spec(Spec, user).

list_spec(Named:Spec, _) :-
    !,
    home_module(Named),
    module_of(Named, Module),
    list_spec(Spec, Module).
list_spec(Spec, Module) :-
    (   atom(Spec)
    ->  (   private(Module, Spec, _, _)
        ->  forall(private(Module, Spec, Arity, Engine), list_predicate(Engine/Arity))
        ;   forall(own(Spec, Arity), list_predicate(Spec/Arity))
        )
    ;   in_module(Module, hb_predicates:indicators(Spec, PIs)),
        forall('$member'(Of-(Name/Arity), PIs),
               ( called_name(Of, Name, Arity, Engine), list_predicate(Engine/Arity) ))
    ).

list_predicate(Name/Arity) :-
    term_functor(Head, Name, Arity),
    (   private(Module, Plain, Arity, Name)
    ->  format(':- dynamic ~q:~q/~q.~n~n', [Module, Plain, Arity])
    ;   format(':- dynamic ~q.~n~n', [Name/Arity])
    ),
    forall(own_clause(Head, Seen, Body), portray_stored(Seen, Body)),
    nl.

%   own_clause(+Head, -Seen, -Body) is nondet: Head is the engine's head, Seen is the head as people see it.  Body is in the
%   form of store/6.

own_clause(Head, Seen, Body) :-
    clause(knowledge_base:Head, Safe, Ref),
    as_called(Safe, Body0),
    stored_as(Ref, Body0, Body),
    (   seen_as(Head, Seen0)
    ->  Seen = Seen0
    ;   Seen = Head
    ).

portray_stored(Head, Body) :-
    clause_term(Head, Body, Clause),
    safe_portray_clause(Clause).

safe_current_predicate(Spec) :-
    current_spec(Spec, user).

current_spec(Spec, Module) :-
    nonvar(Spec),
    (   Spec = Named:Spec1
    ->  true
    ;   Spec = Qualified/Arity,
        nonvar(Qualified),
        Qualified = Named:Name,
        Spec1 = Name/Arity
    ),
    !,
    named_module(Named, Module, Module1),
    current_spec(Spec1, Module1).
current_spec(Name/Arity, Module) :-
    visible(Module, Name, Arity, Engine),
    (   term_functor(Head, Engine, Arity),
        predicate_property(knowledge_base:Head, number_of_clauses(Count)),
        Count > 0
    ->  true
    ).

%   named_module(?Named, +Module0, -Module): an unbound Named becomes the engine's module, for
%   everything visible to Module0.

named_module(Named, Module, Module) :-
    var(Named),
    !,
    Named = knowledge_base.
named_module(Named, _, Module) :-
    home_module(Named),
    module_of(Named, Module).

%   visible(+Module, ?Name, ?Arity, -Engine) is nondet: text of Module can call Engine/Arity as Name/Arity.

visible(Module, Name, Arity, Engine) :-
    atom(Name),
    integer(Arity),
    !,
    \+ engine_name(Name),
    called_name(Module, Name, Arity, Engine),
    own(Engine, Arity).
visible(Module, Name, Arity, Engine) :-
    private(Module, Name, Arity, Engine),
    own(Engine, Arity).
visible(Module, Name, Arity, Name) :-
    own(Name, Arity),
    \+ private(_, _, Arity, Name),
    \+ private(Module, Name, Arity, _).

safe_current_predicate(Name, Head0) :-
    current_head(Head0, user, Name).

current_head(Head0, Module, Name) :-
    nonvar(Head0),
    Head0 = Named:Head,
    !,
    named_module(Named, Module, Module1),
    current_head(Head, Module1, Name).
current_head(Head, Module, Name) :-
    (   callable(Head)
    ->  term_functor(Head, Name, Arity)
    ;   true
    ),
    visible(Module, Name, Arity, _),
    term_functor(Head, Name, Arity).

safe_predicate_property(Head, Property) :-
    property_of(Head, user, Property).

property_of(Head0, _, Property) :-
    nonvar(Head0),
    Head0 = Named:Head,
    !,
    home_module(Named),
    module_of(Named, Module),
    property_of(Head, Module, Property).
property_of(Head, Module, Property) :-
    (   var(Head)
    ->  visible(Module, Name, Arity, Engine),
        term_functor(Head, Name, Arity)
    ;   term_functor(Head, Name, Arity),
        called_name(Module, Name, Arity, Engine)
    ),
    (   own(Engine, Arity)
    ->  \+ engine_name(Name),
        term_functor(General, Engine, Arity),
        visible_property(Property),
        predicate_property(knowledge_base:General, Property)
    ;   builtin_name(Name, Arity),
        '$member'(Property, [defined, visible, built_in, static])
    ).

visible_property(dynamic).
visible_property(defined).
visible_property(visible).
visible_property(det).
visible_property(tabled).
visible_property(tabled(_)).
visible_property(number_of_clauses(_)).
visible_property(number_of_rules(_)).

%   own_indicator(+PI0, -Module, -PI): Module qualifies PI0, or else is the context.

own_indicator(PI0, Module, PI) :-
    (   context(Module0)
    ->  true
    ;   Module0 = user
    ),
    own_indicator(PI0, Module0, Module, PI).

own_indicator(PI, _, _, _) :-
    var(PI),
    !,
    throw(error(instantiation_error, _)).
own_indicator(Named:PI0, _, Module, PI) :-
    !,
    home_module(Named),
    module_of(Named, Module0),
    own_indicator(PI0, Module0, Module, PI).
own_indicator(Qualified/Arity, Module0, Module, PI) :-
    nonvar(Qualified),
    Qualified = Named:Name,
    !,
    own_indicator(Named:(Name/Arity), Module0, Module, PI).
own_indicator(Qualified//Arity, Module0, Module, PI) :-
    nonvar(Qualified),
    Qualified = Named:Name,
    !,
    own_indicator(Named:(Name//Arity), Module0, Module, PI).
own_indicator(Name//Arity0, Module, Module, Name/Arity) :-
    atom(Name),
    integer(Arity0),
    !,
    Arity is Arity0+2.
own_indicator(Name/Arity, Module, Module, Name/Arity) :-
    atom(Name),
    integer(Arity),
    !.
own_indicator(PI, _, _, _) :-
    throw(error(type_error(predicate_indicator, PI), _)).
