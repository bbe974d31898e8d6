:- module(hb_instrument, []).
:- use_module(capability).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).
:- use_module(library(occurs), [sub_term/2]).

/** <module> See what untrusted code reaches

Loaded into a test engine only.  Every predicate that the sandbox refuses is
wrapped: when it is called with the mark zz_mark as an argument while a query
runs, or at all if it has no arguments and is no inner one of the system, that
is noted, and the call throws.
It adds two requests to the engine protocol: `predicates` lists every
predicate of every module, and `reached` what was noted since it was asked.
*/

:- multifile hb_capability:request/3.

hb_capability:request(predicates, [], [text(Text)]) :-
    predicates(Text).
hb_capability:request(reached, [], [text(Text)]) :-
    reached(Text).

:- dynamic noted/1.

%   trusted(?Name, ?Arity): called by trusted code with what users give it.
%   Inner predicates of the system that clauses of the system, the libraries or
%   Hornbook call are found by trust/0.

:- dynamic trusted/2.

trusted('$undefined_procedure', 4).     % called by C
trusted('$get_dict_ex', 3).
trusted('$add_findall_bag', 1).         % by findall/3, whose clause cannot be looked at
trusted('$collect_findall_bag', 2).
trusted(get_flag, 2).                   % by the limits
trusted(set_flag, 2).
trusted(assertz, 2).
trusted(asserta, 2).
trusted(lazy_list_location, 2).         % by lazy_list_location//1 and syntax_error//1
trusted(lazy_list_character_count, 2).  % by lazy_list_character_count//1

%   trust: notes each '$'-predicate that occurs in the body of a clause of a
%   module that untrusted code may run.

trust :-
    forall(( current_module(Module),
             Module \== knowledge_base,
             \+ inner(Module),
             predicate_property(Module:Head, number_of_clauses(_)),
             \+ predicate_property(Module:Head, imported_from(_)),
             catch(clause(Module:Head, Body), error(_, _), fail),
             sub_term(Goal, Body),
             callable(Goal),
             catch(functor(Goal, Name, Arity), error(_, _), fail), % not f()
             atom(Name),
             sub_atom(Name, 0, _, _, $),
             \+ trusted(Name, Arity) ),
           assertz(trusted(Name, Arity))).

%   refused(-Module, -Head): Module:Head must not be reached.

refused(system, Head) :-
    hb_policy:class(Name, Arity, refused),
    \+ trusted(Name, Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(system:Head, imported_from(_)).
refused(Module, Head) :-
    hb_policy:class(Name, Arity, refused),
    \+ trusted(Name, Arity),
    functor(Head, Name, Arity),
    predicate_property(system:Head, imported_from(Module)).
refused(Module, Head) :-
    inner(Module),
    predicate_property(Module:Head, defined),
    \+ predicate_property(Module:Head, imported_from(_)),
    \+ predicate_property(Module:Head, dynamic),
    functor(Head, Name, Arity),
    \+ trusted(Name, Arity),
    \+ hb_policy:class(Name, Arity, library(Module)).
refused(hb_store, Head) :-
    '$member'(Head, [forget_id(_), forget_predicate(_,_), forget_all, next_ids(_,_), replace(_,_,_)]).
refused(hb_limits, start_step(_)).
refused(hb_session, close_query(_,_)).
refused(hb_session, close_all).
refused(hb_adding, add(_,_,_,_,_)).
refused(hb_capability, request(_,_,_)).

%   wrappable(:Head): a wrapper calls in its own module, which a predicate that
%   depends on its caller's does not stand, but these do well enough.

wrappable(_:Head) :-
    '$member'(Head, [consult(_), load_files(_,_), use_module(_), use_module(_,_), ensure_loaded(_), engine_create(_,_,_),
                     thread_create(_,_), clause(_,_,_), module(_), compile_predicates(_), at_halt(_)]),
    !.
wrappable(Goal) :-
    \+ predicate_property(Goal, transparent).

%   inner(?Module): none of it can be reached but what the policy names.

inner(wasm).
inner(user).
inner(prolog_codewalk).
inner(prolog_source).
inner(prolog_wrap).
inner(check).
inner(settings).
inner(modules).
inner(pure_input).
inner(quasi_quotations).

wrap(Module, Head) :-
    functor(Head, Name, Arity),
    Head =.. [_|Args],
    catch(wrap_predicate(Module:Head, hb_instrument, Wrapped,
                         ( hb_instrument:note(Module, Name/Arity, Args), Wrapped )),
          error(_, _), true).

note(Module, PI, Args) :-
    hb_limits:step_deadline(Deadline),
    Deadline > 0,                       % a query runs, or has run
    (   Args == []
    ->  engine_self(_),                 % it runs: between queries `reset` may call what it likes
        PI = Name/_,
        \+ sub_atom(Name, 0, _, _, $)
    ;   marked(Args)
    ),
    !,
    assertz(noted(Module:PI)),
    throw(reached(Module:PI)).
note(_, _, _).

marked([Arg|Args]) :-
    (   Arg == zz_mark
    ->  true
    ;   Arg == [zz_mark]
    ->  true
    ;   marked(Args)
    ).

predicates(Text) :-
    findall(Line,
            ( current_module(M),
              predicate_property(M:H, defined),
              \+ predicate_property(M:H, imported_from(_)),
              functor(H, N, A),
              format(string(Line), "~q", [p(M,N,A)]) ),
            Lines),
    atomic_list_concat(Lines, '\n', Text).

reached(Text) :-
    findall(Line, ( retract(noted(R)), format(string(Line), "~q", [R]) ), Lines),
    atomic_list_concat(Lines, '\n', Text).

:- initialization(trust).
:- initialization(forall(( refused(Module, Head), wrappable(Module:Head) ), wrap(Module, Head))).
