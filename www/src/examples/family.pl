% A family: facts, a rule that calls itself, and a rule that says "not".
%
% ?- ancestor(tom, Who).
% ?- grandparent(Old, Young).
% ?- parent(Parent, Child).
% ?- childless(Who).

parent(tom, bob).
parent(tom, liz).
parent(pam, bob).
parent(bob, ann).
parent(bob, pat).
parent(pat, jim).

female(pam).
female(liz).
female(ann).
female(pat).
male(tom).
male(bob).
male(jim).

% An ancestor is a parent, or a parent's ancestor.
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).

grandparent(X, Z) :- parent(X, Y), parent(Y, Z).

sister(X, Y) :-
    parent(P, X),
    parent(P, Y),
    female(X),
    X \= Y.

person(X) :- male(X).
person(X) :- female(X).

% \+ means: it cannot be proved.
childless(X) :- person(X), \+ parent(X, _).
