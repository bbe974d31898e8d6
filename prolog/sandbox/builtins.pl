:- module(hb_builtins,
          [ phrase_list/1,              % +List
            begin_epoch/0
          ]).
:- use_module('../grammar_rule').
:- use_module(policy).
:- use_module(sandbox).
:- use_module(checked).
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../store/untracked').
:- use_module('../store/operators', [without_home/2]).
:- use_module(globals).
:- use_module(output).
:- use_module(streams).
:- use_module(current_input).
:- use_module(input).
:- use_module(files).
:- use_module(json).
:- use_module(times).
:- use_module(random).
:- use_module(guarded).
:- use_module(libraries).
:- use_module(depth_limit, []).
:- use_module(continuations, []).
:- use_module(transactions, []).
:- use_module(coroutines, []).
:- use_module(records, []).
:- use_module('../depth').
:- use_module('../limits').
:- use_module('../functor').

/** <module> Checked versions of built-in predicates

hb_policy:class/3 sends a call of p/n here as safe_p/n.  Each does what p/n
does, but only with the user's own clauses, variables and output.  Only translated
code calls them, so they are not exported.  Those that write are in hb_output,
global variables and counters in hb_globals.
*/

                /*******************************
                *            clauses           *
                *******************************/

%   In loops that change clauses, most goals take the first clause of these: every goal before it costs time.

safe_assert(Clause) :- safe_assertz(Clause).

safe_assertz(Clause) :-
    nonvar(Clause),
    untracked_fact(Clause),
    !,
    assertz(knowledge_base:Clause).
safe_assertz(Clause) :-
    store_run(Clause, last).

safe_asserta(Clause) :-
    nonvar(Clause),
    untracked_fact(Clause),
    !,
    asserta(knowledge_base:Clause).
safe_asserta(Clause) :-
    store_run(Clause, first).

safe_retract(Clause) :-
    nonvar(Clause),
    untracked(Clause),
    !,
    retract(knowledge_base:Clause).
safe_retract(Clause) :-
    clause_pattern(Clause, Module, Head, Body),
    check_given(Head),
    stored_in(Module, Head, Body, Ref),
    forget(Head, Ref).

%   stored_in(+Module, ?Head, -Body, -Ref) is nondet: Body is text of Module.

stored_in(user, Head, Body, Ref) :-
    !,
    stored(Head, Body, Ref).
stored_in(Module, Head, Body, Ref) :-
    stored_safe(Head, Safe, Ref),
    in_module(Module, as_written(Safe, Written)),
    Body = Written.

safe_retractall(Head) :-
    nonvar(Head),
    untracked(Head),
    !,
    retractall(knowledge_base:Head).
safe_retractall(Head0) :-
    must_be_open,
    without_body(Head0, Head1),
    run_head(user, Head1, Head),
    check_head(Head, Name, Arity),
    declare(Name, Arity),
    (   stored(Head, _, Ref),
        forget(Head, Ref),
        untracked(Head)                 % from now on
    ->  retractall(knowledge_base:Head)
    ;   true
    ).

without_body(Pattern, _) :-
    var(Pattern),
    !,
    throw(error(instantiation_error, _)).
without_body(Module:Pattern, Module:Head) :-
    !,
    without_body(Pattern, Head).
without_body((Head0:-_), Head) :-
    !,
    without_body(Head0, Head).
without_body(Head, Head) :-
    (   callable(Head)
    ->  true
    ;   throw(error(type_error(callable, Head), _))
    ).

safe_abolish(Name, Arity) :-
    safe_abolish(Name/Arity).

safe_abolish(PI0) :-
    own_indicator(PI0, Module, Name/Arity),
    term_functor(Head, Name, Arity),
    safe_retractall(Module:Head).

%   Meta-interpreters call this at each step, mostly with the plain head of a user predicate.  Every
%   goal before clause/2 costs time.

safe_clause(Head, Body) :-
    nonvar(Head),
    var(Body),
    verbatim(Head),
    !,
    clause(knowledge_base:Head, Body).
safe_clause(Head, Body) :-
    name_arity(Head, Name, Arity),
    own(Name, Arity),
    \+ private(_, _, Arity, Name),
    !,
    clause_of(user, Head, Body).
safe_clause(Head, Body) :-
    nonvar(Head),
    Head = [_|_],                       % no predicate of this name has clauses
    !,
    check_body(Body),
    fail.
safe_clause(Head0, Body) :-
    clause_pattern(Head0, Module, Head, _),
    check_body(Body),
    term_functor(Head, Name, Arity),
    (   own(Name, Arity)
    ->  clause_of(Module, Head, Body)
    ;   class(Name, Arity, _),
        throw(error(permission_error(access, private_procedure, Name/Arity), _))
    ).

%   clause_of(+Module, +Head, -Body) is nondet: Body is text of Module.

clause_of(user, Head, Body) :-
    !,
    check_body(Body),
    clause(knowledge_base:Head, Safe),
    as_called(Safe, Called),
    Body = Called.                      % last, because it may wake a goal
clause_of(Module, Head, Body) :-
    check_body(Body),
    clause(knowledge_base:Head, Safe),
    in_module(Module, as_called(Safe, Called)),
    Body = Called.

check_body(Body) :-
    (   var(Body)
    ->  true
    ;   callable(Body)
    ->  true
    ;   throw(error(type_error(callable, Body), _))
    ).

%   clause_pattern(+Pattern, -Module, -Head, -Body): Head is the engine's head, Body is text of Module.

clause_pattern(Pattern, Module, Head, Body) :-
    clause_pattern(Pattern, user, Module, Head, Body).

clause_pattern(Pattern, _, _, _, _) :-
    var(Pattern),
    !,
    throw(error(instantiation_error, _)).
clause_pattern(Named:Pattern, _, Module, Head, Body) :-
    !,
    home_module(Named),
    module_of(Named, Module0),
    clause_pattern(Pattern, Module0, Module, Head, Body).
clause_pattern((Head0:-Body), Module0, Module, Head, Body) :-
    !,
    clause_pattern(Head0, Module0, Module, Head, true).
clause_pattern(Head0, Module, Module, Head, true) :-
    (   callable(Head0)
    ->  called_head(Module, Head0, Head)
    ;   throw(error(type_error(callable, Head0), _))
    ).

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

safe_dynamic(Spec) :-
    must_be_open,
    indicators(Spec, PIs),
    findall(Head, ( '$member'(PI, PIs), declared_head(PI, Head) ), Heads),
    forall('$member'(Head, Heads), check_head(Head, _, _)),
    forall('$member'(Head, Heads), ( term_functor(Head, Name, Arity), declare(Name, Arity) )).

%   declared_head(+ModuleAndPI, -Head): Head is the most general head in the engine of a declaration in Module.

declared_head(Module-(Name/Arity), Head) :-
    term_functor(Head0, Name, Arity),
    in_module(Module, text_head(Head0, Head)).

safe_discontiguous(Spec) :-
    indicators(Spec, _).

%   indicators(+Spec, -PIs): Spec is an indicator, a list of them, or (A,B,...); PIs are pairs
%   Module-(Name/Arity).

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
    in_module(Module, hb_builtins:indicators(Spec, PIs)).
indicators(Spec, [Module-PI]) :-
    own_indicator(Spec, Module, PI).

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
    ;   in_module(Module, hb_builtins:indicators(Spec, PIs)),
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

%   own_clause(+Head, -Seen, -Body) is nondet: Head is the engine's head, Seen is the head as people see it.

own_clause(Head, Seen, Body) :-
    clause(knowledge_base:Head, Safe),
    as_called(Safe, Body),
    (   seen_as(Head, Seen0)
    ->  Seen = Seen0
    ;   Seen = Head
    ).

portray_stored(Head, true) :-
    !,
    safe_portray_clause(Head).
portray_stored(Head, Body) :-
    safe_portray_clause((Head:-Body)).

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
visible_property(tabled).
visible_property(tabled(_)).
visible_property(number_of_clauses(_)).
visible_property(number_of_rules(_)).

                /*******************************
                *     attributed variables     *
                *******************************/

%   An attribute of another module could contain goals that the hooks of that module call.

own_attribute(Module) :-
    var(Module),
    !,
    throw(error(instantiation_error, _)).
own_attribute(Module) :-
    (   Module == knowledge_base
    ;   Module == user
    ),
    !.
own_attribute(Module) :-
    throw(error(permission_error(access, attribute, Module), _)).

safe_put_attr(Var, Module, Value) :- own_attribute(Module), put_attr(Var, knowledge_base, Value).
safe_get_attr(Var, Module, Value) :- own_attribute(Module), get_attr(Var, knowledge_base, Value).
safe_del_attr(Var, Module)        :- own_attribute(Module), del_attr(Var, knowledge_base).

safe_copy_term(Term, Copy, Written) :-
    copy_term(Term, Copy, Goals),
    goals_as_written(Goals, Written).

goals_as_written([], []).
goals_as_written([G|Gs], [W|Ws]) :-
    copy_written(G, W),
    goals_as_written(Gs, Ws).

%   Returns a copy: a delayed goal that could be changed in place would be called unchecked.

copy_written(Goal, Written) :-
    as_written(Goal, Written0),
    term_variables(Written0, Vars),
    copy_term_nat(Vars-Written0, Vars-Written).

safe_frozen(Term, Written) :-
    frozen(Term, Goal),
    conjunction_as_written(Goal, Written).

conjunction_as_written((A,B), (WA,WB)) :-
    !,
    conjunction_as_written(A, WA),
    conjunction_as_written(B, WB).
conjunction_as_written(Goal, Written) :-
    copy_written(Goal, Written).

                /*******************************
                *            control           *
                *******************************/

safe_throw(Ball) :-
    nonvar(Ball),
    reserved(Ball),
    !,
    throw(error(permission_error(throw, exception, Ball), _)).
safe_throw(Ball) :-
    throw(Ball).

%   Ends the query; no catch/3 catches it.

safe_halt    :- throw('$hb_stop'(halt)).
safe_halt(_) :- safe_halt.

%   Libraries are always available, except those that are loaded by name.

safe_use_module(Spec)    :- must_be_at_hand(Spec).
safe_use_module(Spec, _) :- must_be_at_hand(Spec).

must_be_at_hand(Spec) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
must_be_at_hand(Specs) :-
    is_list(Specs),
    !,
    forall('$member'(Spec, Specs), must_be_at_hand(Spec)).
must_be_at_hand(library(Library)) :-
    allowed_library(Library),
    \+ ( named_library(Library), \+ hb_policy:used(Library, _) ),
    !.
must_be_at_hand(library(Library)) :-
    named_library(Library),
    !,
    format(string(Message), "library(~w) is loaded by a directive: add `:- use_module(library(~w)).` as a clause.", [Library, Library]),
    throw(error(hornbook(message(permission_error, Message)), _)).
must_be_at_hand(library(Library)) :-
    !,
    throw(error(hornbook(library(Library)), _)).
must_be_at_hand(_) :-
    throw(error(permission_error(call, sandboxed, use_module/1), _)).

safe_exists_source(Spec) :-
    nonvar(Spec),
    Spec = library(Library),
    ground(Library),
    allowed_library(Library),
    !.

safe_apply(Closure, Extra) :-
    (   is_list(Extra)
    ->  extended(Closure, Extra, Goal),
        checked(Goal)
    ;   throw(error(type_error(list, Extra), _))
    ).

%!  assertion(:Goal) is det.
%
%   As in library(debug), but without a backtrace of the engine.

:- meta_predicate assertion(0).

assertion(Goal) :-
    \+ \+ Goal,
    !.
assertion(_:Safe) :-
    as_written(Safe, Goal),
    format(user_error, 'Assertion failed: ~q~n', [Goal]),
    throw(error(assertion_error(fail, Goal), _)).

%   Functional notation on dicts, except for functions defined by modules.

'safe_.'(Dict, Function, Value) :-
    (   dict_function(Function)
    ->  '.'(Dict, Function, Value)
    ;   compound_name_arity(Function, Name, Arity),
        throw(error(existence_error(dict_function, Name/Arity), _))
    ).

dict_function(Function) :-
    \+ compound(Function),
    !.
dict_function(get(_)).
dict_function(get(_,_)).
dict_function(put(_)).
dict_function(put(_,_)).

safe_phrase(Body, List) :-
    safe_phrase(Body, List, []).
safe_phrase(Body, List, Rest) :-
    phrase_list(List),
    phrase_list(Rest),
    safe_call_dcg(Body, List, Rest).

safe_call_dcg(Body, _, _) :-
    var(Body),
    !,
    throw(error(instantiation_error, _)).
safe_call_dcg(Named:Body, List, Rest) :-
    !,
    home_module(Named),
    (   var(Body)
    ->  throw(error(instantiation_error, _))
    ;   Body = _:_
    ->  safe_call_dcg(Body, List, Rest)
    ;   grammar_rule(('$hb' --> Body), ('$hb'(List,Rest) :- Goal)),
        checked(Named:Goal)
    ).
safe_call_dcg(Body, List, Rest) :-
    grammar_rule(('$hb' --> Body), ('$hb'(List,Rest) :- Goal)),
    checked(Goal).

%!  phrase_list(+List) is det.
%
%   Check the list arguments of phrase/2,3.

phrase_list(List) :-
    '$skip_list'(_, List, Tail),
    (   var(Tail)
    ->  true
    ;   Tail == []
    ->  true
    ;   throw(error(type_error(list, List), _))
    ).

%   Settings that a stand-alone system has for its files and messages: they do nothing here.

safe_debug(_).
safe_nodebug(_).
safe_style_check(_).
safe_load_test_files(_).

%   The arithmetic function, as a predicate.

safe_pow(Base, Exponent, Power) :-
    Power0 is Base**Exponent,
    Power = Power0.

%   The answer for text without a header; hb_sandbox knows the module of other text.

safe_context_module(user).

%   Goals and terms of programs are not expanded, except that grammars are translated.

safe_expand_goal(Goal, Goal).

safe_expand_term(Term, Expanded) :-
    (   nonvar(Term),
        Term = (_ --> _)
    ->  grammar_rule(Term, Expanded)
    ;   Expanded = Term
    ).

%!  begin_epoch is det.
%
%   The process starts now.  An engine starts with the memory of another, which holds the start of that one.

:- dynamic
    epoch/1.                            % Time

begin_epoch :-
    retractall(epoch(_)),
    get_time(Now),
    assertz(epoch(Now)).

safe_statistics(Key, Value) :-
    (   Key == process_epoch
    ->  epoch(Value)
    ;   statistics(Key, Value)
    ).

safe_current_op(Priority, Type, Name) :-
    without_home(Name, Plain),
    current_op(Priority, Type, user:Plain).

safe_current_prolog_flag(Flag, Value) :-
    visible_flag(Flag),
    current_prolog_flag(Flag, Value).

visible_flag(bounded).
visible_flag(max_integer).
visible_flag(min_integer).
visible_flag(max_tagged_integer).
visible_flag(min_tagged_integer).
visible_flag(max_arity).
visible_flag(double_quotes).
visible_flag(occurs_check).
visible_flag(unknown).
visible_flag(version).
visible_flag(dialect).
visible_flag(prefer_rationals).
visible_flag(iso).
visible_flag(float_max).
visible_flag(float_min).
