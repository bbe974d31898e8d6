% A grammar reads sentences, and writes them: a rule with --> is a relation
% between two lists. The tree shows how a sentence was read.
%
% ?- sentence_tree("the cat sees a mouse", Tree).
% ?- phrase(sentence(_), Words), atomic_list_concat(Words, ' ', Sentence).
% ?- phrase(digits(Ds), `2026`), number_codes(N, Ds).

:- use_rendering(svgtree).

sentence(s(NP, VP)) --> noun_phrase(NP), verb_phrase(VP).

noun_phrase(np(D, N)) --> determiner(D), noun(N).

verb_phrase(vp(V, NP)) --> verb(V), noun_phrase(NP).
verb_phrase(vp(V))     --> verb(V).

determiner(d(the)) --> [the].
determiner(d(a))   --> [a].

noun(n(cat))   --> [cat].
noun(n(mouse)) --> [mouse].

verb(v(sees))   --> [sees].
verb(v(sleeps)) --> [sleeps].

sentence_tree(Text, Tree) :-
    split_string(Text, " ", " .", Parts),
    maplist([Part, Word]>>atom_string(Word, Part), Parts, Words),
    phrase(sentence(Tree), Words).

% A grammar of characters.
digits([D|Ds]) --> digit(D), digits(Ds).
digits([D])    --> digit(D).

digit(D) --> [D], { code_type(D, digit) }.
