:- module(hb_lambda,
          [ (^)/3, (^)/4, (^)/5, (^)/6, (^)/7, (^)/8, (^)/9,                  % ?V1, :Lambda, ?A1, ...
            (\)/1, (\)/2, (\)/3, (\)/4, (\)/5, (\)/6, (\)/7, (\)/8,         % :Lambda, ?A1, ...
            (+\)/2, (+\)/3, (+\)/4, (+\)/5, (+\)/6, (+\)/7, (+\)/8, (+\)/9  % +Free, :Lambda, ?A1, ...
          ]).

/** <module> Lambda expressions

As in Ulrich Neumerkel's library(lambda): `\X1^...^XN^Goal` takes N arguments and renames its
variables on each call, except those in Free of `Free+\X1^...^XN^Goal`.
*/

:- use_module('../query/copied', [note_copy/2]).

:- op(201, xfx, +\).

:- meta_predicate
    ^(?,0,?), ^(?,1,?,?), ^(?,2,?,?,?), ^(?,3,?,?,?,?), ^(?,4,?,?,?,?,?), ^(?,5,?,?,?,?,?,?),
    ^(?,6,?,?,?,?,?,?,?),
    \(0), \(1,?), \(2,?,?), \(3,?,?,?), \(4,?,?,?,?), \(5,?,?,?,?,?), \(6,?,?,?,?,?,?),
    \(7,?,?,?,?,?,?,?),
    +\(?,0), +\(?,1,?), +\(?,2,?,?), +\(?,3,?,?,?), +\(?,4,?,?,?,?), +\(?,5,?,?,?,?,?),
    +\(?,6,?,?,?,?,?,?), +\(?,7,?,?,?,?,?,?,?).

%!  ^(?V1, :Lambda, ?A1, ...) is nondet.
%
%   V1 is the first argument A1, and Lambda takes the others.

^(V, Lambda, V) :- call(Lambda).
^(V, Lambda, V, A2) :- call(Lambda, A2).
^(V, Lambda, V, A2, A3) :- call(Lambda, A2, A3).
^(V, Lambda, V, A2, A3, A4) :- call(Lambda, A2, A3, A4).
^(V, Lambda, V, A2, A3, A4, A5) :- call(Lambda, A2, A3, A4, A5).
^(V, Lambda, V, A2, A3, A4, A5, A6) :- call(Lambda, A2, A3, A4, A5, A6).
^(V, Lambda, V, A2, A3, A4, A5, A6, A7) :- call(Lambda, A2, A3, A4, A5, A6, A7).

%!  \(:Lambda, ?A1, ...) is nondet.
%
%   Call Lambda with fresh variables.

\(Lambda) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own).
\(Lambda, A1) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1).
\(Lambda, A1, A2) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1, A2).
\(Lambda, A1, A2, A3) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1, A2, A3).
\(Lambda, A1, A2, A3, A4) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1, A2, A3, A4).
\(Lambda, A1, A2, A3, A4, A5) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1, A2, A3, A4, A5).
\(Lambda, A1, A2, A3, A4, A5, A6) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1, A2, A3, A4, A5, A6).
\(Lambda, A1, A2, A3, A4, A5, A6, A7) :- note_copy({}, \Lambda), copy_term_nat(Lambda, Own), call(Own, A1, A2, A3, A4, A5, A6, A7).

%!  +\(+Free, :Lambda, ?A1, ...) is nondet.
%
%   Call Lambda with fresh variables, except those in Free.

+\(Free, Lambda) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own).
+\(Free, Lambda, A1) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1).
+\(Free, Lambda, A1, A2) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1, A2).
+\(Free, Lambda, A1, A2, A3) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1, A2, A3).
+\(Free, Lambda, A1, A2, A3, A4) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1, A2, A3, A4).
+\(Free, Lambda, A1, A2, A3, A4, A5) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1, A2, A3, A4, A5).
+\(Free, Lambda, A1, A2, A3, A4, A5, A6) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1, A2, A3, A4, A5, A6).
+\(Free, Lambda, A1, A2, A3, A4, A5, A6, A7) :- note_copy(Free, Free+\Lambda), copy_term_nat(Free+Lambda, Free+Own), call(Own, A1, A2, A3, A4, A5, A6, A7).
