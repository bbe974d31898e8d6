:- module(hb_builtins,
          [ phrase_list/1               % +List
          ]).
:- use_module(policy).
:- use_module(sandbox).
:- use_module(checked).
:- use_module('../store/store').
:- use_module('../store/step').
:- use_module('../store/operators', [without_home/2]).
:- use_module(globals).
:- use_module(output).
:- use_module(input).
:- use_module(json).
:- use_module(libraries).
:- use_module(depth_limit, []).
:- use_module(continuations, []).
:- use_module('../depth').
:- use_module('../limits').

/** <module> Checked versions of built-in predicates

hb_policy:class/3 sends a call of p/n here as safe_p/n.  Each does what p/n
does, within the user's own clauses, variables and output.  They are called
by translated code only, so they are not exported.  Those that write are in
hb_output, global variables and counters in hb_globals.
*/

                /*******************************
                *            clauses           *
                *******************************/

safe_assert(Clause)  :- store_run(Clause, last).
safe_assertz(Clause) :- store_run(Clause, last).
safe_asserta(Clause) :- store_run(Clause, first).

safe_retract(Clause) :-
    clause_pattern(Clause, Head, Body),
    check_given(Head),
    stored(Head, Body, Ref),
    forget(Head, Ref).

safe_retractall(Head0) :-
    must_be_open,
    clause_pattern(Head0, Head, _),
    check_head(Head, Name, Arity),
    declare(Name, Arity),
    forall(stored(Head, _, Ref), forget(Head, Ref)).

safe_abolish(Name, Arity) :-
    safe_abolish(Name/Arity).

safe_abolish(PI0) :-
    own_indicator(PI0, Name/Arity),
    functor(Head, Name, Arity),
    safe_retractall(Head).

%   Meta-interpreters call this for each step, mostly of a predicate of the user's by its plain head: each goal in front of
%   clause/2 counts.

safe_clause(Head, Body) :-
    nonvar(Head),
    var(Body),
    verbatim(Head),
    !,
    clause(knowledge_base:Head, Body).
safe_clause(Head, Body) :-
    name_arity(Head, Name, Arity),
    own(Name, Arity),
    !,
    check_body(Body),
    clause(knowledge_base:Head, Safe),
    as_called(Safe, Called),
    Body = Called.                      % a goal that this wakes finds all done
safe_clause(Head, Body) :-
    nonvar(Head),
    Head = [_|_],                       % no predicate of that name has clauses
    !,
    check_body(Body),
    fail.
safe_clause(Head0, Body) :-
    clause_pattern(Head0, Head, _),
    check_body(Body),
    (   Head == Head0
    ->  functor(Head, Name, Arity),
        class(Name, Arity, _),
        throw(error(permission_error(access, private_procedure, Name/Arity), _))
    ;   safe_clause(Head, Body)
    ).

check_body(Body) :-
    (   var(Body)
    ->  true
    ;   callable(Body)
    ->  true
    ;   throw(error(type_error(callable, Body), _))
    ).

clause_pattern(Pattern, _, _) :-
    var(Pattern),
    !,
    throw(error(instantiation_error, _)).
clause_pattern(Module:Pattern, Head, Body) :-
    !,
    home_module(Module),
    clause_pattern(Pattern, Head, Body).
clause_pattern((Head0:-Body), Head, Body) :-
    !,
    clause_pattern(Head0, Head, true).
clause_pattern(Head0, Head, true) :-
    (   callable(Head0)
    ->  plain_head(Head0, Head)
    ;   throw(error(type_error(callable, Head0), _))
    ).

own_indicator(PI, _) :-
    var(PI),
    !,
    throw(error(instantiation_error, _)).
own_indicator(Module:PI0, PI) :-
    !,
    home_module(Module),
    own_indicator(PI0, PI).
own_indicator(Name//Arity0, Name/Arity) :-
    atom(Name),
    integer(Arity0),
    !,
    Arity is Arity0+2.
own_indicator(Name/Arity, Name/Arity) :-
    atom(Name),
    integer(Arity),
    !.
own_indicator(PI, _) :-
    throw(error(type_error(predicate_indicator, PI), _)).

safe_dynamic(Spec) :-
    must_be_open,
    indicators(Spec, PIs),
    forall('$member'(Name/Arity, PIs),
           ( functor(Head, Name, Arity),
             check_head(Head, _, _) )),
    forall('$member'(Name/Arity, PIs), declare(Name, Arity)).

safe_discontiguous(Spec) :-
    indicators(Spec, _).

%   indicators(+Spec, -PIs): Spec is one indicator, a list, or (A,B,...).

indicators(Spec, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
indicators([], []) :-
    !.
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
indicators(Spec, [PI]) :-
    own_indicator(Spec, PI).

safe_listing :-
    forall(own(Name, Arity), list_predicate(Name/Arity)).

safe_listing(Spec) :-
    (   atom(Spec)
    ->  forall(own(Spec, Arity), list_predicate(Spec/Arity))
    ;   indicators(Spec, PIs),
        forall('$member'(PI, PIs), list_predicate(PI))
    ).

list_predicate(Name/Arity) :-
    functor(Head, Name, Arity),
    format(':- dynamic ~q.~n~n', [Name/Arity]),
    forall(safe_clause(Head, Body), portray_stored(Head, Body)),
    nl.

portray_stored(Head, true) :-
    !,
    safe_portray_clause(Head).
portray_stored(Head, Body) :-
    safe_portray_clause((Head:-Body)).

safe_current_predicate(Spec) :-
    (   nonvar(Spec),
        Spec = Module:Spec1
    ->  (   var(Module)
        ->  Module = knowledge_base
        ;   home_module(Module)
        ),
        safe_current_predicate(Spec1)
    ;   Spec = Name/Arity,
        own(Name, Arity),
        (   functor(Head, Name, Arity),
            predicate_property(knowledge_base:Head, number_of_clauses(Count)),
            Count > 0
        ->  true
        )
    ).

safe_current_predicate(Name, Head0) :-
    (   nonvar(Head0),
        Head0 = Module:Head
    ->  (   var(Module)
        ->  Module = knowledge_base
        ;   home_module(Module)
        )
    ;   Head = Head0
    ),
    own(Name, Arity),
    functor(Head, Name, Arity).

safe_predicate_property(Head0, Property) :-
    (   nonvar(Head0),
        Head0 = Module:Head
    ->  home_module(Module)
    ;   Head = Head0
    ),
    (   var(Head)
    ->  own(Name, Arity),
        functor(Head, Name, Arity)
    ;   functor(Head, Name, Arity)
    ),
    (   own(Name, Arity)
    ->  visible_property(Property),
        predicate_property(knowledge_base:Head, Property)
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

%   An attribute of another module could hold goals that its hooks call.

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

%   A copy, since a delayed goal that could be changed in place would be
%   called unchecked.

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

%   It ends the query, and no catch/3 takes it.

safe_halt    :- throw('$hb_stop'(halt)).
safe_halt(_) :- safe_halt.

%   Libraries are at hand without a goal that loads them, but for those that are loaded by name.

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
%   As library(debug) has it, without a backtrace of the engine.

:- meta_predicate assertion(0).

assertion(Goal) :-
    \+ \+ Goal,
    !.
assertion(_:Safe) :-
    as_written(Safe, Goal),
    format(user_error, 'Assertion failed: ~q~n', [Goal]),
    throw(error(assertion_error(fail, Goal), _)).

%   Functional notation on dicts, without the functions that modules define.

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
safe_call_dcg(Module:Body, List, Rest) :-
    !,
    home_module(Module),
    safe_call_dcg(Body, List, Rest).
safe_call_dcg(Body, List, Rest) :-
    dcg_translate_rule(('$hb' --> Body), ('$hb'(List,Rest) :- Goal)),
    checked(Goal).

%!  phrase_list(+List) is det.
%
%   The check of the lists of phrase/2,3.

phrase_list(List) :-
    '$skip_list'(_, List, Tail),
    (   var(Tail)
    ->  true
    ;   Tail == []
    ->  true
    ;   throw(error(type_error(list, List), _))
    ).

%   What a system that runs by itself does about its files, and what it reports: nothing here.

safe_debug(_).
safe_nodebug(_).
safe_style_check(_).
safe_load_test_files(_).

%   The function, as a predicate.

safe_pow(Base, Exponent, Power) :-
    Power0 is Base**Exponent,
    Power = Power0.

%   All user code is in one module; its operators are those of `user` (hb_operators).

safe_context_module(user).

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
