:- module(hb_dcgs,
          [ seq/3,                      % ?Seq, ?List, ?Rest
            seqq/3,                     % ?SeqOfSeqs, ?List, ?Rest
            ... /2                      % ?List, ?Rest
          ]).

/** <module> Lists in grammars

Under the names of Scryer Prolog's library(dcgs).
*/

%!  seq(?Seq)// is nondet.
%
%   The elements of Seq.

seq([]) -->
    [].
seq([E|Es]) -->
    [E],
    seq(Es).

%!  seqq(?SeqOfSeqs)// is nondet.

seqq([]) -->
    [].
seqq([Es|Ess]) -->
    seq(Es),
    seqq(Ess).

%!  ... // is nondet.
%
%   Any list, the shortest first.

... -->
    [].
... -->
    [_],
    ... .
