:- module(hb_commits,
          [ committed/4,                % +Call, +Goal, -Sentence, -Instance
            committed_query/2           % +Query, -Sentence
          ]).
:- use_module('../functor').
:- use_module('../sandbox/written', [as_written/2]).
:- use_module('../store/store').
:- use_module(tries, [tried/3]).
:- use_module(again, [first_of/3, first_safe/3]).
:- use_module(bounded, [may_run_again/1]).

/** <module> Goals that fail because only a first answer was tried

A cut, once/1, memberchk/2 and the condition of `->` keep the first answer of what is before them.  Where the next goal
wants another one, the clause fails.  It is run again without them.
*/

%!  committed(+Call, +Goal, -Sentence:string, -Instance) is semidet.
%
%   Goal, looked into as Call, failed.  It has the answer Instance by one of its clauses without what Sentence names.

committed(Call, Goal, Sentence, Instance) :-
    callable(Goal),
    tried(Call, _, Ref),
    clause(knowledge_base:Goal, Body, Ref),
    uncommitted(Body, Open, Commits, []),
    Commits = [Commit|_],
    as_written(Open, Written),
    may_run_again(Written),
    first_safe(Goal, Open, Instance),
    !,
    term_functor(Goal, Name, Arity),
    hb_store:seen_indicator(Name/Arity, Seen),
    format(string(Where), " in ~q", [Seen]),
    sentence(Commit, Where, Sentence).

%!  committed_query(+Query, -Sentence:string) is semidet.
%
%   Query, which failed, has an answer without what Sentence names.

committed_query(Query, Sentence) :-
    uncommitted(Query, Open, Commits, []),
    Commits = [Commit|_],
    first_of(true, Open, _),
    sentence(Commit, "", Sentence).

sentence(Commit, Where, Sentence) :-
    sentence_format(Commit, Format),
    format(string(Sentence), Format, [Where]).

sentence_format(cut,       "The cut~s keeps only the first answer before it; without it,").
sentence_format(once,      "once/1~s keeps only the first answer; without it,").
sentence_format(memberchk, "memberchk/2~s keeps only the first answer; with member/2,").
sentence_format(condition, "`->`~s keeps only the first answer of its condition; with `*->`,").

%   uncommitted(+Body, -Open, -Commits, ?Tail): Open is Body without Commits, a difference list.

uncommitted(Body, Body, Commits, Commits) :-
    var(Body),
    !.
uncommitted((A0,B0), (A,B), Commits, Tail) :-
    !,
    uncommitted(A0, A, Commits, Commits1),
    uncommitted(B0, B, Commits1, Tail).
uncommitted((C->A0;B0), (C*->A;B), [condition|Commits], Tail) :-
    !,
    uncommitted(A0, A, Commits, Commits1),
    uncommitted(B0, B, Commits1, Tail).
uncommitted((A0;B0), (A;B), Commits, Tail) :-
    !,
    uncommitted(A0, A, Commits, Commits1),
    uncommitted(B0, B, Commits1, Tail).
uncommitted((C->A0), (C,A), [condition|Commits], Tail) :-
    !,
    uncommitted(A0, A, Commits, Tail).
uncommitted(!, true, [cut|Tail], Tail) :-
    !.
uncommitted(once(Goal), Goal, [once|Tail], Tail) :-
    !.
uncommitted(memberchk(X, List), member(X, List), [memberchk|Tail], Tail) :-
    !.
uncommitted(Goal, Goal, Commits, Commits).
