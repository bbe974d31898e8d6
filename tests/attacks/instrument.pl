:- module(hb_instrument, []).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).

/** <module> See what untrusted code reaches

Loaded into a test engine only.  Every predicate that the sandbox refuses is
wrapped: when it is called with the mark zz_mark as an argument, or at all if
it has no arguments, while a query runs, that is noted, and the call throws.
Two requests are added to the engine protocol: `predicates` lists every
predicate of every module, and `reached` what was noted since it was asked.
*/

:- dynamic reached/1.

%   trusted(?Name, ?Arity): called by trusted code with what users give it.

trusted('$append', 3).
trusted('$append', 2).
trusted('$member', 2).
trusted('$memberchk', 3).
trusted('$skip_list', 3).
trusted(assertz, 2).
trusted(asserta, 2).

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
    \+ predicate_property(Module:Head, dynamic).
refused(hb_store, Head) :-
    '$member'(Head, [forget_id(_), forget_predicate(_,_), forget_all, next_ids(_,_), replace(_,_,_)]).
refused(hb_limits, set_output_limit(_)).
refused(hb_session, close_query(_,_)).
refused(hb_session, close_all).
refused(hb_adding, add(_,_,_,_,_)).
refused(hornbook, serve(_,_)).

%   inner(?Module): none of it can be reached.

inner(wasm).
inner(user).
inner(prolog_stack).
inner(prolog_codewalk).
inner(prolog_source).
inner(prolog_operator).
inner(prolog_wrap).
inner(check).
inner(settings).
inner(json).
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
    (   PI = _/0
    ->  true
    ;   '$member'(Arg, Args),
        ( Arg == zz_mark ; Arg == [zz_mark] )
    ),
    !,
    assertz(reached(Module:PI)),
    throw(reached(Module:PI)).
note(_, _, _).

%   in_query: no note of what the engine does between queries.

answer("predicates", Reply) :-
    !,
    findall(Text,
            ( current_module(M),
              predicate_property(M:H, defined),
              \+ predicate_property(M:H, imported_from(_)),
              functor(H, N, A),
              format(string(Text), "~q", [p(M,N,A)]) ),
            Texts),
    atomic_list_concat(Texts, '\n', Atom),
    atom_string(Atom, Reply).
answer("reached", Reply) :-
    !,
    findall(Text, ( retract(reached(R)), format(string(Text), "~q", [R]) ), Texts),
    atomic_list_concat(Texts, '\n', Atom),
    atom_string(Atom, Reply).

:- initialization(
       ( forall(refused(Module, Head), wrap(Module, Head)),
         wrap_predicate(hornbook:serve(Request, Reply), hb_instrument_requests, Served,
                        ( hb_instrument:answer(Request, Reply) -> true ; Served ))
       )).
