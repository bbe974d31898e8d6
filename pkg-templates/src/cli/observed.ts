/** What the arguments of a book's predicates are: a program in Prolog, which a goal of its own asks. */

import { Goal, prolog } from '../book/goal.js';
import type { Term } from '../book/values.js';

/** What is known of a value: a name, or of a list its elements. `unknown` is any. */
export type Kind =
  | 'number'
  | 'bigint'
  | 'rational'
  | 'string'
  | 'boolean'
  | 'null'
  | 'dict'
  | 'term'
  | 'unknown'
  | Kind[];

/**
 * `observed(Predicates, Name, Arity, Module, Plain, Kinds)`: `Plain` is the name in its `Module`, and `Kinds` are, for each argument, those of its values in all facts and in what
 * rules derive, sorted; a list of kinds is a list with such elements. It begins with the facts. Each round adds what the
 * rules derive from what is known, until nothing is new; what still grows after some rounds is `unknown`.
 */
const PROGRAM = String.raw`
observed(PIs, Name, Arity, Module, Plain, Kinds) :-
    findall(PI-Kinds0, ( observed_in(PI, PIs), observed_facts(PI, Kinds0) ), Facts),
    findall(PI, ( observed_in(PI, PIs), observed_rule(PI, _, _) ), Ruled0),
    sort(Ruled0, Ruled),
    observed_rounds(20, Ruled, Facts, All),
    observed_in(Name/Arity-Kinds, All),
    observed_home(Name/Arity, Module, Plain).

observed_in(X, [X|_]).
observed_in(X, [_|Xs]) :- observed_in(X, Xs).

observed_home(Name/Arity, Module, Plain) :-
    (   functor(Head, Name, Arity),
        catch(clause(Head, _), _, fail)
    ->  Module = user, Plain = Name
    ;   sub_atom(Name, Before, 1, After, ':'), Before > 0, After > 0
    ->  sub_atom(Name, 0, Before, _, Module),
        sub_atom(Name, _, After, 0, Plain)
    ;   Module = user, Plain = Name
    ).

observed_clause(PI, Head, Body) :-
    PI = _/Arity,
    observed_home(PI, Module, Plain),
    functor(Head, Plain, Arity),
    (   Module == user
    ->  catch(clause(Head, Body), _, fail)
    ;   catch(clause(Module:Head, Body), _, fail)
    ).

observed_rule(PI, Head, Body) :- observed_clause(PI, Head, Body), Body \== true.

observed_facts(Name/Arity, Kinds) :-
    (   \+ observed_clause(Name/Arity, _, _)
    ->  findall([unknown], between(1, Arity, _), Kinds)
    ;   findall(Kinds1,
                ( between(1, Arity, I),
                  findall(Kind, ( observed_clause(Name/Arity, Head, true), arg(I, Head, Value), observed_kind(Value, Kind) ), Kinds0),
                  observed_union(Kinds0, Kinds1) ),
                Kinds)
    ).

observed_kind(X, unknown) :- var(X), !.
observed_kind(X, number) :- integer(X), abs(X) < 9007199254740992, !.
observed_kind(X, bigint) :- integer(X), !.
observed_kind(X, number) :- float(X), !.
observed_kind(X, rational) :- rational(X), !.
observed_kind(X, string) :- string(X), !.
observed_kind([], []) :- !.
observed_kind(true, boolean) :- !.
observed_kind(false, boolean) :- !.
observed_kind(null, null) :- !.
observed_kind(X, string) :- atom(X), !.
observed_kind(X, Kinds) :-
    is_list(X), !,
    findall(Kind, ( observed_in(Element, X), observed_kind(Element, Kind) ), Kinds0),
    observed_union(Kinds0, Kinds).
observed_kind([_|_], unknown) :- !.
observed_kind(X, dict) :- is_dict(X), !.
observed_kind(_, term).

observed_union(Kinds0, Kinds) :-
    sort(Kinds0, Kinds1),
    findall(Kind, ( observed_in(Kind, Kinds1), atom(Kind), Kind \== [] ), Plain),
    findall(List, ( observed_in(List, Kinds1), is_list(List) ), Lists),
    (   Lists == []
    ->  Kinds = Plain
    ;   findall(Element, ( observed_in(List, Lists), observed_in(Element, List) ), Elements0),
        observed_union(Elements0, Elements),
        sort([Elements|Plain], Kinds)
    ).

observed_rounds(N, Ruled, Known0, Known) :-
    findall(PI-Kinds, ( observed_in(PI-Kinds0, Known0), observed_round(PI, Ruled, N, Known0, Kinds0, Kinds) ), Known1),
    (   Known1 == Known0
    ->  Known = Known0
    ;   N1 is N-1,
        observed_rounds(N1, Ruled, Known1, Known)
    ).

observed_round(PI, Ruled, _, _, Kinds, Kinds) :- \+ observed_in(PI, Ruled), !.
observed_round(_/Arity, _, N, _, _, Kinds) :-
    N =< 0, !,
    findall([unknown], between(1, Arity, _), Kinds).
observed_round(Name/Arity, _, _, Known, Kinds0, Kinds) :-
    observed_home(Name/Arity, Module, _),
    findall(Kinds1,
            ( between(1, Arity, I),
              observed_nth(I, Kinds0, Before),
              findall(Kind,
                      ( observed_rule(Name/Arity, Head, Body),
                        arg(I, Head, Value),
                        observed_value(Value, Body, in(Module, 3, Known, Body), Those),
                        observed_in(Kind, Those) ),
                      New),
              findall(Kind, ( observed_in(Kind, Before) ; observed_in(Kind, New) ), Both),
              observed_union(Both, Kinds1) ),
            Kinds).

observed_nth(I, [X|Xs], Nth) :- ( I =:= 1 -> Nth = X ; I1 is I-1, observed_nth(I1, Xs, Nth) ).

observed_value(Value, Body, In, Kinds) :-
    (   nonvar(Value)
    ->  observed_kind(Value, Kind),
        Kinds = [Kind]
    ;   findall(Badness-Told, ( observed_told(Body, Value, In, Told), observed_badness(Told, Badness) ), All),
        sort(All, [_-Kinds|_])
    ->  true
    ;   Kinds = [unknown]
    ).

observed_badness(Kinds, Badness) :-
    (   observed_in(unknown, Kinds)
    ->  Badness = 1000
    ;   length(Kinds, Badness)
    ).

observed_told(Goal, _, _, _) :- var(Goal), !, fail.
observed_told((A, B), V, In, Kinds) :- !,
    ( observed_told(A, V, In, Kinds) ; observed_told(B, V, In, Kinds) ).
observed_told((A ; B), V, In, Kinds) :- !,
    observed_told(A, V, In, KindsA),
    observed_told(B, V, In, KindsB),
    findall(Kind, ( observed_in(Kind, KindsA) ; observed_in(Kind, KindsB) ), Both),
    observed_union(Both, Kinds).
observed_told((A -> B), V, In, Kinds) :- !,
    observed_told((A, B), V, In, Kinds).
observed_told(A = B, V, _, [Kind]) :- !,
    ( A == V, nonvar(B), observed_kind(B, Kind) ; B == V, nonvar(A), observed_kind(A, Kind) ).
observed_told(X is Sum, V, In, Kinds) :- !,
    X == V,
    ( observed_rational(Sum, In) -> Kinds = [bigint,number,rational] ; Kinds = [bigint,number] ).
observed_told(length(_, N), V, _, [number]) :- !, N == V.
observed_told(number(X), V, _, [bigint,number,rational]) :- !, X == V.
observed_told(integer(X), V, _, [bigint,number]) :- !, X == V.
observed_told(float(X), V, _, [number]) :- !, X == V.
observed_told(string(X), V, _, [string]) :- !, X == V.
observed_told(findall(T, Goal, L), V, In, [Kinds]) :- !,
    L == V,
    In = in(Module, Left, Known, _),
    observed_value(T, Goal, in(Module, Left, Known, Goal), Kinds).
observed_told(Goal, V, in(Module, _, Known, _), Kinds) :-
    observed_called(Goal, Module, Known, Plain, All),
    arg(I, Plain, X),
    X == V,
    observed_nth(I, All, Kinds).

observed_called(Module:Goal, _, Known, Plain, All) :- !,
    atom(Module), nonvar(Goal),
    observed_called(Goal, Module, Known, Plain, All).
observed_called(Goal, Module, Known, Goal, All) :-
    functor(Goal, Name, Arity),
    (   atomic_list_concat([Module,Name], ':', Private),
        observed_in(Private/Arity-All0, Known)
    ->  All = All0
    ;   observed_in(Name/Arity-All, Known)
    ).

observed_rational(X, in(Module, Left, Known, Body)) :- var(X), !,
    (   Left =:= 0
    ->  true
    ;   Left1 is Left-1,
        observed_value(X, Body, in(Module, Left1, Known, Body), Kinds),
        ( observed_in(rational, Kinds) ; observed_in(unknown, Kinds) )
    ->  true
    ).
observed_rational(X, _) :- atomic(X), !, rational(X), \+ integer(X).
observed_rational(X, In) :-
    functor(X, Name, Arity),
    \+ observed_in(Name/Arity,
                   [(//)/2, div/2, mod/2, rem/2, integer/1, round/1, floor/1, ceiling/1, truncate/1, float/1, sqrt/1, exp/1, log/1]),
    (   observed_in(Name/Arity, [rdiv/2, rational/1, rationalize/1])
    ->  true
    ;   arg(_, X, Argument),
        observed_rational(Argument, In)
    ->  true
    ).
`;

/** Names of predicates that no book has. */
const own = (text: string) => text.replace(/\bobserved(?:_\w+)?(?=\()/g, (name) => `'${name} by hornbook types'`);

/** The program, to be assumed. */
export const OBSERVED = own(PROGRAM);

/** The goal that asks it of predicates. */
export function observedOf(indicators: Term[]): Goal {
  const { text, valueChars } = prolog`observed(${indicators}, Name, Arity, Module, Plain, Kinds)`;
  return new Goal(text.replace('observed(', own('observed(')), valueChars);
}
