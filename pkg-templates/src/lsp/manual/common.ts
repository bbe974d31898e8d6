/** The predicates that programs call most. */
export const common = String.raw`
=(?X, ?Y) is semidet|X and Y unify.
\=(@X, @Y) is semidet|X and Y do not unify.
==(@X, @Y) is semidet|X and Y are the same term.
\==(@X, @Y) is semidet|X and Y are not the same term.
is(-Number, +Expression) is semidet|Number is the value of an arithmetic expression.
<(+X, +Y) is semidet|The value of X is less than that of Y.
>(+X, +Y) is semidet|The value of X is greater than that of Y.
=<(+X, +Y) is semidet|The value of X is at most that of Y.
>=(+X, +Y) is semidet|The value of X is at least that of Y.
=:=(+X, +Y) is semidet|The values of X and Y are equal.
=\=(+X, +Y) is semidet|The values of X and Y differ.
@<(@X, @Y) is semidet|X comes before Y in the standard order of terms.
=..(?Term, ?List) is det|List has the name of Term and then its arguments.
\+(:Goal) is semidet|Goal cannot be proven. Binds nothing.
!() is det|Discards the choice points made since the clause was entered.
true() is det|Always succeeds.
fail() is failure|Always fails.
call(:Goal) is nondet|Calls Goal; with more arguments, they are added to it.
once(:Goal) is semidet|The first solution of Goal.
ignore(:Goal) is det|Calls Goal once, and succeeds whether or not it does.
not(:Goal) is semidet|As \+/1, which is preferred.
forall(:Condition, :Action) is semidet|For each solution of Condition, Action holds. Binds nothing.
findall(+Template, :Goal, -List) is det|List has the instances of Template for each solution of Goal, [] where there is none.
findall(+Template, :Goal, -List, +Tail) is det|As findall/3, with Tail behind the last element.
bagof(+Template, :Goal, -List) is nondet|As findall/3, but fails where there is no solution, and backtracks over free variables of Goal; Var^Goal excepts one.
setof(+Template, ^Goal, -Set) is nondet|As bagof/3, sorted and without duplicates.
aggregate_all(+Aggregate, :Goal, -Result) is semidet|Result is count, sum(E), max(E), min(E), bag(E) or set(E) over the solutions of Goal.
catch(:Goal, ?Catcher, :Recovery) is nondet|Calls Goal; an exception that unifies with Catcher is handled by Recovery.
throw(+Exception) is failure|Raises an exception.
between(+Low, +High, ?Value) is nondet|Value is an integer from Low to High; High may be inf.
succ(?Int, ?Next) is det|Next is Int + 1, both natural numbers.
pow(+X, +Y, -Z) is det|Z is X ** Y.
plus(?X, ?Y, ?Z) is det|Z is X + Y, with any two of them given.
length(?List, ?Length) is nondet|List has Length elements.
append(?Xs, ?Ys, ?XsYs) is nondet|XsYs is Xs followed by Ys.
append(+Lists, ?List) is nondet|List is the lists of Lists, one after the other.
member(?Element, ?List) is nondet|Element is an element of List.
memberchk(?Element, +List) is semidet|The first element of List that unifies with Element.
reverse(+List, -Reversed) is det|The elements of List in the opposite order.
nth0(?Index, ?List, ?Element) is nondet|Element is at Index of List, from 0.
nth1(?Index, ?List, ?Element) is nondet|Element is at Index of List, from 1.
last(+List, ?Last) is semidet|Last is the last element of List.
select(?Element, ?List, ?Rest) is nondet|Rest is List without one occurrence of Element.
selectchk(+Element, +List, -Rest) is semidet|The first solution of select/3.
exclude(:Goal, +List, -Kept) is det|Kept has the elements for which Goal fails.
include(:Goal, +List, -Kept) is det|Kept has the elements for which Goal holds.
partition(:Goal, +List, -In, -Out) is det|Divides List by whether Goal holds.
maplist(:Goal, ?List) is nondet|Goal holds for each element of List.
maplist(:Goal, ?Xs, ?Ys) is nondet|Goal holds for each pair of elements at the same place.
maplist(:Goal, ?Xs, ?Ys, ?Zs) is nondet|Goal holds for the elements of three lists at the same place.
foldl(:Goal, +List, +V0, -V) is nondet|Calls Goal(Element, V0, V1) for each element, from V0 to V.
sum_list(+Numbers, -Sum) is det|Sum is the sum of a list of numbers.
sumlist(+Numbers, -Sum) is det|As sum_list/2.
max_list(+Numbers, -Max) is semidet|The largest number of a list.
min_list(+Numbers, -Min) is semidet|The smallest number of a list.
max_member(-Max, +List) is semidet|The largest element in the standard order of terms.
min_member(-Min, +List) is semidet|The smallest element in the standard order of terms.
numlist(+Low, +High, -List) is semidet|List has the integers from Low to High.
permutation(?Xs, ?Ys) is nondet|Ys is a permutation of Xs.
delete(+List, @Element, -Rest) is det|Rest is List without the elements that unify with Element.
subtract(+Set, +Delete, -Rest) is det|Rest has the elements of Set that are not in Delete.
intersection(+Xs, +Ys, -Both) is det|The elements that both lists have.
union(+Xs, +Ys, -All) is det|The elements that either list has.
list_to_set(+List, -Set) is det|The elements of List without duplicates, in its order.
sort(+List, -Sorted) is det|Sorted by the standard order of terms, without duplicates.
sort(+Key, +Order, +List, -Sorted) is det|Sorted by an argument, or by 0 the whole term; Order is @<, @=<, @> or @>=.
msort(+List, -Sorted) is det|Sorted by the standard order of terms; duplicates stay.
predsort(:Goal, +List, -Sorted) is det|Sorted by Goal(Order, A, B), where Order is <, = or >.
keysort(+Pairs, -Sorted) is det|Pairs Key-Value sorted by their keys; the order of equal ones stays.
pairs_keys_values(?Pairs, ?Keys, ?Values) is det|Pairs are Key-Value, of two lists.
pairs_keys(?Pairs, ?Keys) is det|The keys of pairs Key-Value.
pairs_values(?Pairs, ?Values) is det|The values of pairs Key-Value.
functor(?Term, ?Name, ?Arity) is det|Term has this name and so many arguments.
arg(?N, +Term, ?Argument) is nondet|Argument is the one with the number N, from 1, of Term.
copy_term(+Term, -Copy) is det|Copy is Term with variables of its own.
term_variables(+Term, -Variables) is det|The variables of Term, each once.
term_to_atom(?Term, ?Atom) is det|Atom is the text of Term.
var(@Term) is semidet|Term is a variable.
nonvar(@Term) is semidet|Term is not a variable.
atom(@Term) is semidet|Term is an atom.
number(@Term) is semidet|Term is a number.
integer(@Term) is semidet|Term is an integer.
float(@Term) is semidet|Term is a float.
atomic(@Term) is semidet|Term is an atom, a number or a string.
compound(@Term) is semidet|Term is a compound.
callable(@Term) is semidet|Term is an atom or a compound.
is_list(@Term) is semidet|Term is a list with an end.
string(@Term) is semidet|Term is a string.
ground(@Term) is semidet|Term has no variables.
atom_codes(?Atom, ?Codes) is det|Codes are the character codes of Atom.
atom_chars(?Atom, ?Chars) is det|Chars are the characters of Atom.
char_code(?Char, ?Code) is det|Code is the character code of Char.
atom_length(+Atom, ?Length) is det|The number of characters of Atom.
atom_concat(?A, ?B, ?AB) is nondet|AB is A followed by B.
sub_atom(+Atom, ?Before, ?Length, ?After, ?Sub) is nondet|Sub is a part of Atom.
atom_number(?Atom, ?Number) is semidet|Atom is the text of Number.
number_codes(?Number, ?Codes) is det|Codes are the text of Number.
upcase_atom(+Text, -Upper) is det|Text in capital letters.
atomic_list_concat(+Parts, -Atom) is det|The texts of Parts together.
atomic_list_concat(?Parts, +Separator, ?Atom) is det|The texts of Parts with Separator between them; the other way it splits.
string_concat(?A, ?B, ?AB) is nondet|AB is A followed by B, as strings.
string_length(+String, ?Length) is det|The number of characters of String.
string_codes(?String, ?Codes) is det|Codes are the character codes of String.
string_chars(?String, ?Chars) is det|Chars are the characters of String.
string_to_atom(?String, ?Atom) is det|The same text as string and as atom.
string_lower(+Text, -Lower) is det|Text in small letters.
string_upper(+Text, -Upper) is det|Text in capital letters.
sub_string(+String, ?Before, ?Length, ?After, ?Sub) is nondet|Sub is a part of String.
split_string(+String, +Separators, +Pad, -Parts) is det|Splits at any of the separators; characters of Pad go from both ends of each part.
number_string(?Number, ?String) is semidet|String is the text of Number.
term_string(?Term, ?String) is det|String is the text of Term.
write(+Term) is det|Writes Term without quotes.
print(+Term) is det|Writes Term as answers are written.
writeln(+Term) is det|Writes Term and a line break.
writeq(+Term) is det|Writes Term so that it can be read back.
write_canonical(+Term) is det|Writes Term with quotes and without operators.
print_message(+Kind, +Message) is det|Tells a message.
nl() is det|Writes a line break.
format(+Format, :Args) is det|Writes Format with ~w, ~q, ~a, ~d, ~s, ~p and ~n replaced.
format(+Output, +Format, :Args) is det|As format/2, to atom(A), string(S) or codes(Cs).
assertz(+Clause) is det|Adds a clause behind the others of its predicate.
asserta(+Clause) is det|Adds a clause before the others of its predicate.
retract(+Clause) is nondet|Takes out the first clause that unifies.
retractall(+Head) is det|Takes out all clauses whose head unifies.
clause(:Head, ?Body) is nondet|A clause with this head and body.
clause(:Head, ?Body, ?Reference) is nondet|As clause/2; Reference is that of the clause, by which it is found.
phrase(:Body, ?List) is nondet|List is a sentence of the grammar rule Body.
phrase(:Body, ?List, ?Rest) is nondet|List begins with a sentence of Body, and Rest follows it.
tab(+N) is det|Writes N spaces.
nb_setval(+Key, +Value) is det|Gives a global variable a value that backtracking keeps.
nb_getval(+Key, -Value) is det|The value of a global variable.
b_setval(+Key, +Value) is det|Gives a global variable a value until backtracking.
b_getval(+Key, -Value) is det|The value of a global variable.
dif(@X, @Y) is semidet|X and Y are and stay different: a constraint.
freeze(+Var, :Goal) is det|Calls Goal when Var is bound.
when(@Condition, :Goal) is det|Calls Goal when Condition, as nonvar(X) or ground(T), holds.
#=(?X, ?Y) is det|CLP(FD): the integer expressions X and Y are equal.
#\=(?X, ?Y) is det|CLP(FD): X and Y differ.
#<(?X, ?Y) is det|CLP(FD): X is less than Y.
#>(?X, ?Y) is det|CLP(FD): X is greater than Y.
#=<(?X, ?Y) is det|CLP(FD): X is at most Y.
#>=(?X, ?Y) is det|CLP(FD): X is at least Y.
in(?Var, +Domain) is det|CLP(FD): Var is in a domain, as 1..10.
ins(+Vars, +Domain) is det|CLP(FD): each of Vars is in a domain.
all_different(+Vars) is det|CLP(FD): Vars are pairwise different.
all_distinct(+Vars) is det|CLP(FD): as all_different/1, with stronger propagation.
sum(+Vars, +Relation, ?Value) is det|CLP(FD): the sum of Vars has the relation, as #=, to Value.
label(+Vars) is nondet|CLP(FD): assigns values to Vars.
labeling(+Options, +Vars) is nondet|CLP(FD): assigns values to Vars, with options as ff, min(E), max(E).
tuples_in(+Tuples, +Relation) is det|CLP(FD): each tuple is an element of Relation.
get_assoc(+Key, +Assoc, -Value) is semidet|The value of Key in an AVL tree.
put_assoc(+Key, +Assoc, +Value, -New) is det|New is Assoc with Value for Key.
list_to_assoc(+Pairs, -Assoc) is det|An AVL tree of pairs Key-Value.
empty_assoc(-Assoc) is det|An AVL tree without keys.
assoc_to_list(+Assoc, -Pairs) is det|The pairs of an AVL tree, by their keys.
dict_pairs(?Dict, ?Tag, ?Pairs) is det|The pairs Key-Value of a dict, by their keys.
get_dict(?Key, +Dict, -Value) is nondet|Dict has Value for Key.
put_dict(+Key, +Dict, +Value, -New) is det|New is Dict with Value for Key.
call_with_time_limit(+Seconds, :Goal) is semidet|The first solution of Goal, within a time.
call_with_depth_limit(:Goal, +Limit, -Result) is nondet|Goal, where no proof is deeper than Limit.
limit(+Count, :Goal) is nondet|The first Count solutions of Goal.
order_by(+Specs, :Goal) is nondet|The solutions of Goal ordered, as by [asc(X), desc(Y)].
distinct(:Goal) is nondet|The solutions of Goal without duplicates.
string_code(+Index, +String, -Code) is semidet|The character code at Index, from 1.
nb_current(?Key, ?Value) is nondet|A global variable and its value.
tnot(:Goal) is semidet|Negation of a tabled goal, by the well-founded semantics.
`;
