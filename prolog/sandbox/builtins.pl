:- module(hb_builtins,
          [ phrase_list/1,              % +List
            begin_epoch/0
          ]).
:- use_module('../grammar_rule').
:- use_module(policy).
:- use_module(sandbox).
:- use_module('../functor').
:- use_module('../read/declarations', [ignored_flag/1, set_without_effect/2, fixed_flag/2]).
:- use_module(checked).
:- use_module(database).
:- use_module(predicates).
:- use_module('../store/store').
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
:- use_module(hashes, []).
:- use_module(libraries).
:- use_module(depth_limit, []).
:- use_module(continuations, []).
:- use_module(transactions, []).
:- use_module(coroutines, []).
:- use_module(records, []).
:- use_module('../limits').
:- use_module(library(apply), [maplist/3]).

/** <module> Checked versions of built-in predicates

hb_policy:class/3 sends a call of p/n here as safe_p/n.  Each does what p/n
does, but only with the user's own clauses, variables and output.  Only translated
code calls them, so they are not exported.  Those that write are in hb_output,
global variables and counters in hb_globals.
*/

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

safe_copy_term(Term, Copy, Goals) :-
    copy_as_written(Term, Copy, Written),
    maplist(waiting_in_user, Written, Goals).

%!  copy_as_written(+Term, -Copy, -Written) is det.
%
%   As copy_term/3.  Written are the goals as people wrote them.

copy_as_written(Term, Copy, Written) :-
    copy_term(Term, Copy, Goals),
    goals_as_written(Goals, Written).

goals_as_written([], []).
goals_as_written([G|Gs], [W|Ws]) :-
    copy_written(G, W),
    goals_as_written(Gs, Ws).

%   Returns a copy: a delayed goal that could be changed in place would be called unchecked.

copy_written(Goal, Written) :-
    (   attribute_written(Goal, Written0)
    ->  true
    ;   as_written(Goal, Written0)
    ),
    term_variables(Written0, Vars),
    copy_term_nat(Vars-Written0, Vars-Written).

%   attribute_written(@Goal, -Written): Goal restores an attribute, as only copy_term/3 shows it.

attribute_written(put_attr(Var, Module, Value), put_attr(Var, user, Value)) :-
    Module == knowledge_base.
attribute_written(lazy_list(lazy_lists:Next, List), Written) :-
    subsumes_term(lazy_state(_, s(_)), Next),
    Next = lazy_state(Closure, s(State)),
    as_written(lazy_list(Closure, State, List), Written).

%   waiting_in_user(+Goal0, -Goal): a goal that waits names its module, as in SWI-Prolog.

waiting_in_user(freeze(Var, Goal0), freeze(Var, Goal)) :-
    !,
    in_user(Goal0, Goal).
waiting_in_user(when(Condition, Goal0), when(Condition, Goal)) :-
    !,
    in_user(Goal0, Goal).
waiting_in_user(Goal, Goal).

in_user(Goal, Qualified) :-
    (   nonvar(Goal),
        Goal = _:_
    ->  Qualified = Goal
    ;   Qualified = user:Goal
    ).

safe_frozen(Term, Written) :-
    frozen(Term, Goal),
    conjunction_as_written(Goal, Written).

conjunction_as_written((A,B), (WA,WB)) :-
    !,
    conjunction_as_written(A, WA),
    conjunction_as_written(B, WB).
conjunction_as_written(Goal, Written) :-
    copy_written(Goal, Written0),
    waiting_in_user(Written0, Written).

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
safe_abort   :- throw('$hb_stop'(abort)).

%   What it changes is how lists of codes are shown, and no list is shown as codes here.

safe_portray_text(_).

%   Libraries are always available, except those that are loaded by name.

safe_use_module(Spec)    :- check_library_available(Spec).
safe_use_module(Spec, _) :- check_library_available(Spec).

check_library_available(Spec) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
check_library_available(Specs) :-
    is_list(Specs),
    !,
    forall('$member'(Spec, Specs), check_library_available(Spec)).
check_library_available(library(Library)) :-
    allowed_library(Library),
    \+ ( named_library(Library), \+ hb_policy:used(Library, _) ),
    !.
check_library_available(library(Library)) :-
    named_library(Library),
    !,
    format(string(Message), "library(~w) is loaded by a directive: add `:- use_module(library(~w)).` as a clause.", [Library, Library]),
    throw(error(hornbook(message(permission_error, Message)), _)).
check_library_available(library(Library)) :-
    !,
    throw(error(hornbook(library(Library)), _)).
check_library_available(_) :-
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

%   Functional notation on dicts.  A module of the book defines functions of the dicts that have its name for a tag.

'safe_.'(Dict, Function, Value) :-
    (   dict_function(Function)
    ->  '.'(Dict, Function, Value)
    ;   is_dict(Dict, Module),
        atom(Module),
        hb_store:users_module(Module)
    ->  extended(Function, [Dict,Value], Goal),
        checked(Module:Goal)
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

safe_debug.
safe_nodebug.
safe_debug(_).
safe_nodebug(_).
safe_prompt1(_).
safe_style_check(_).
safe_load_test_files(_).

%   The arithmetic function, as a predicate.

safe_pow(Base, Exponent, Power) :-
    Power0 is Base**Exponent,
    Power = Power0.

%   The answer for text without a header; hb_sandbox knows the module of other text.

safe_context_module(user).

%   Text without a header is in the module user.

safe_strip_module(Term, Module, Plain) :-
    strip_module(user:Term, Module, Plain).

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
    assertz(epoch(Now)),
    set_flag(hb_runtime, 0).

safe_statistics(Key, Value) :-
    (   Key == process_epoch
    ->  epoch(Value)
    ;   nonvar(Key),
        clock(Key, Value0)
    ->  Value = Value0
    ;   statistics(Key, Value)
    ).

%   clock(+Key, -Value) is semidet: what the engine took so far.  Its own clocks begin anew with each query, some of them below
%   zero.

clock(cputime, Seconds) :-
    seconds(Seconds).
clock(process_cputime, Seconds) :-
    seconds(Seconds).
clock(runtime, [Now,SinceLast]) :-
    seconds(Seconds),
    Now is truncate(Seconds*1000),
    get_flag(hb_runtime, Last),
    set_flag(hb_runtime, Now),
    SinceLast is Now-Last.
clock(system_time, [0,0]).

seconds(Seconds) :-
    epoch(Start),
    get_time(Now),
    Seconds is max(0.0, Now-Start).

safe_current_op(Priority, Type, Name) :-
    without_home(Name, Plain),
    current_op(Priority, Type, user:Plain).

safe_current_prolog_flag(Flag, Value) :-
    nonvar(Flag),
    !,
    once(visible_flag(Flag)),
    current_prolog_flag(Flag, Value).
safe_current_prolog_flag(Flag, Value) :-
    visible_flag(Each),
    current_prolog_flag(Each, Has),     % a Value of another type would be an error
    Flag-Value = Each-Has.

safe_set_prolog_flag(Flag, Value) :-
    (   ( var(Flag) ; var(Value) )
    ->  throw(error(instantiation_error, _))
    ;   set_without_effect(Flag, Value)
    ->  true
    ;   fixed_flag(Flag, Said)
    ->  throw(error(permission_error(modify, flag, Flag), context(_, Said)))
    ;   throw(error(permission_error(call, sandboxed, set_prolog_flag/2), _))
    ).

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
visible_flag(Flag) :-
    ignored_flag(Flag).
