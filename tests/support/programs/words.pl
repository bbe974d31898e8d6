% How often each word of a text occurs, in an AVL tree.

:- use_module(library(assoc)).
:- use_module(library(pairs)).

word_counts(Text, Counts) :-
    string_lower(Text, Lower),
    split_string(Lower, " \n\t", ".,;:!?\"'()", Parts),
    exclude(==(""), Parts, Words),
    empty_assoc(Empty),
    foldl(count_word, Words, Empty, Counts).

count_word(String, Counts0, Counts) :-
    atom_string(Word, String),
    (   get_assoc(Word, Counts0, N0)
    ->  true
    ;   N0 = 0
    ),
    N is N0 + 1,
    put_assoc(Word, Counts0, N, Counts).

%  The most frequent words first; words of the same frequency by the alphabet.
ranking(Text, Ranking) :-
    word_counts(Text, Counts),
    assoc_to_list(Counts, Pairs),
    transpose_pairs(Pairs, ByCount),
    group_pairs_by_key(ByCount, Groups0),
    reverse(Groups0, Groups),
    findall(Word-N, ( member(N-Words, Groups), member(Word, Words) ), Ranking).

text("It was the best of times, it was the worst of times.\nIt was the age of \"wisdom\"; it was the age of foolishness!").
