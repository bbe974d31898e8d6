/** Terms: types, comparison, construction and inspection, constraints on variables, numbers. */
export const terms = String.raw`
=@=(@X, @Y) is semidet|X and Y are equal but for the names of variables.
\=@=(@X, @Y) is semidet|X and Y are not equal but for the names of variables.
@>(@X, @Y) is semidet|X comes after Y in the standard order of terms.
@>=(@X, @Y) is semidet|X comes after Y in the standard order of terms, or is equal.
@=<(@X, @Y) is semidet|X comes before Y in the standard order of terms, or is equal.
?=(@X, @Y) is semidet|It is known whether X and Y are equal: they are, or cannot unify.
compare(?Order, @X, @Y) is det|Order is <, = or >, by the standard order of terms.
unify_with_occurs_check(?X, ?Y) is semidet|X and Y unify, and no variable is within its own value.
unifiable(@X, @Y, -Unifier) is semidet|Unifier is a list Var=Value that makes X and Y equal.
subsumes_term(@General, @Specific) is semidet|General can be made Specific by binding variables of General alone.
subsumes(+General, @Specific) is semidet|As subsumes_term/2, and binds.
subsumes_chk(@General, @Specific) is semidet|As subsumes_term/2.
term_subsumer(+A, +B, -General) is det|The most specific term of which A and B are instances.
variant(@X, @Y) is semidet|As =@=/2.
simple(@Term) is semidet|Term is no compound term.
genarg(?N, +Term, ?Argument) is nondet|As arg/3.
abs(+X, -Y) is det|Y is abs(X).
sin(+X, -Y) is det|Y is sin(X).
cos(+X, -Y) is det|Y is cos(X).
tan(+X, -Y) is det|Y is tan(X).
log(+X, -Y) is det|Y is log(X).
log10(+X, -Y) is det|Y is log10(X).
same_term(@X, @Y) is semidet|X and Y are the same term in memory.
rational(@Term) is semidet|Term is an integer or a rational number.
rational(@Term, -Numerator, -Denominator) is semidet|Term is a rational number of these.
bounded_number(?Low, ?High, +Number) is semidet|Number is above Low and below High, at a distance.
float_class(+Float, -Class) is det|Class is nan, infinite, zero, subnormal or normal.
float_parts(+Float, -Mantissa, -Base, -Exponent) is det|The parts of a float.
divmod(+Dividend, +Divisor, -Quotient, -Remainder) is det|Division and remainder, both by floor.
nth_integer_root_and_remainder(+N, +I, -Root, -Remainder) is det|Root^N + Remainder is I.
blob(@Term, ?Type) is semidet|Term is a blob of this type; atoms are of the type text.
attvar(@Term) is semidet|Term is a variable with attributes.
is_dict(@Term) is semidet|Term is a dict.
is_dict(@Term, ?Tag) is semidet|Term is a dict with this tag.
is_assoc(@Term) is semidet|Term is an AVL tree of library(assoc).
is_stream(@Term) is semidet|Term is an open stream.
nonground(+Term, -Var) is semidet|Var is a variable of Term.
acyclic_term(@Term) is semidet|Term is not within itself.
cyclic_term(@Term) is semidet|Term is within itself.
is_most_general_term(@Term) is semidet|Term is a compound or list whose arguments are different variables.
functor(?Term, ?Name, ?Arity, ?Type) is det|As functor/3; Type is atom, compound, callable or atomic.
compound_name_arity(?Compound, ?Name, ?Arity) is det|As functor/3, also for compounds without arguments.
compound_name_arguments(?Compound, ?Name, ?Arguments) is det|As =../2, also for compounds without arguments.
setarg(+N, +Compound, +Value) is semidet|Replaces an argument until backtracking.
nb_setarg(+N, +Compound, +Value) is semidet|Replaces an argument by a copy, which backtracking keeps.
duplicate_term(+Term, -Copy) is det|As copy_term/2, without sharing.
copy_term(+Term, -Copy, -Goals) is det|Copy has no constraints: they are Goals.
copy_term(+Vars, +Term, -NewVars, -Copy) is det|Copies Term; only the variables Vars are new.
copy_term_nat(+Term, -Copy) is det|As copy_term/2, without constraints.
copy_term_nat(+Vars, +Term, -NewVars, -Copy) is det|As copy_term/4, without constraints.
size_abstract_term(+Size, +Term, -Abstract) is det|Abstract is Term to this size, with variables for what is deeper.
term_variables(+Term, -Variables, ?Tail) is det|As term_variables/2, with Tail behind the last.
term_attvars(+Term, -Variables) is det|The variables of Term that have attributes.
term_singletons(+Term, -Variables) is det|The variables that are once in Term.
term_size(@Term, -Cells) is det|The memory of Term, in cells.
term_hash(+Term, -Hash) is det|An integer for Term; unbound where Term has variables.
term_hash(+Term, +Depth, +Range, -Hash) is det|As term_hash/2, to a depth, below Range.
hash_term(+Term, -Hash) is det|As term_hash/2.
variant_sha1(+Term, -Hash) is det|A SHA1 hash, the same for variants.
variant_hash(+Term, -Hash) is det|A hash, the same for variants.
numbervars(+Term) is det|Binds variables of Term to '$VAR'(N), which is written as A, B, ….
numbervars(+Term, +Start, -End) is det|As numbervars/1, from Start on.
numbervars(+Term, +Start, -End, +Options) is det|As numbervars/3, with options.
var_number(@Term, -Name) is semidet|Term is '$VAR'(Name).
varnumbers(+Numbered, -Term) is det|Variables in place of '$VAR'(N).
varnumbers(+Numbered, +Start, -Term) is det|As varnumbers/2, for numbers from Start on.
varnumbers_names(+Numbered, -Term, -Bindings) is det|As varnumbers/2, with Name=Var.
max_var_number(+Term, +Start, -Max) is det|The largest N of '$VAR'(N) in Term.
sub_term(-Sub, +Term) is nondet|Sub is Term or within it, where they unify.
sub_var(+Sub, +Term) is semidet|Sub is Term or within it, by ==.
sub_term_shared_variables(+Sub, +Term, -Vars) is det|Variables of Sub that are in Term outside of it, too.
contains_term(+Sub, +Term) is semidet|Something in Term unifies with Sub.
contains_var(+Sub, +Term) is semidet|Something in Term is Sub, by ==.
free_of_term(+Sub, +Term) is semidet|Nothing in Term unifies with Sub.
free_of_var(+Sub, +Term) is semidet|Nothing in Term is Sub, by ==.
occurrences_of_term(@Sub, @Term, ?Count) is det|How often Sub is in Term, by unification.
occurrences_of_var(@Sub, @Term, ?Count) is det|How often Sub is in Term, by ==.
same_functor(?A, ?B) is semidet|A and B have the same name and arity.
same_functor(?A, ?B, ?Arity) is semidet|As same_functor/2, with the arity.
same_functor(?A, ?B, ?Name, ?Arity) is semidet|As same_functor/2, with name and arity.
mapargs(:Goal, ?A, ?B) is semidet|Goal holds for each pair of arguments at the same place.
mapsubterms(:Goal, +Term, -New) is det|Goal replaces parts of Term, from the outside.
mapsubterms_var(:Goal, +Term, -New) is det|As mapsubterms/3, also for variables.
foldsubterms(:Goal, +Term, +State0, -State) is semidet|Folds over the parts of Term.
foldsubterms(:Goal, +Term, -New, +State0, -State) is semidet|As foldsubterms/4, and replaces parts.
term_factorized(+Term, -Skeleton, -Substitutions) is det|Var=Part for parts that are in Term more than once.
put_attr(+Var, +Module, +Value) is det|Gives a variable an attribute.
get_attr(+Var, +Module, -Value) is semidet|The attribute of a variable.
del_attr(+Var, +Module) is det|Takes an attribute from a variable.
frozen(@Term, -Goal) is det|The goals that wait for variables of Term.
random(-Float) is det|A random float between 0 and 1.
random(+Low, +High, -Number) is det|A random number from Low to below High.
random_between(+Low, +High, -Int) is semidet|A random integer from Low to High.
random_member(-Element, +List) is det|An element of List at random.
random_select(?Element, ?List, ?Rest) is semidet|Takes an element at random.
random_permutation(?List, ?Permutation) is det|The elements in random order.
random_perm2(?A, ?B, ?X, ?Y) is semidet|X and Y are A and B, or B and A.
random_subseq(+List, -Subsequence, -Rest) is det|A subsequence at random.
random_numlist(+P, +Low, +High, -List) is det|Each integer from Low to High with the probability P.
randseq(+Count, +Max, -List) is det|Different integers from 1 to Max, in random order.
randset(+Count, +Max, -Set) is det|Different integers from 1 to Max, sorted.
maybe() is semidet|Succeeds with probability 0.5.
maybe(+P) is semidet|Succeeds with the probability P.
maybe(+K, +N) is semidet|Succeeds with the probability K/N.
set_random(+Option) is det|Sets the random generator, as seed(42).
setrand(+State) is det|Sets the state of the random generator, as getrand/1 gives it.
getrand(-State) is det|The state of the random generator.
dwim_match(+A, +B) is semidet|A and B are names that could be meant for each other.
dwim_match(+A, +B, -Difference) is semidet|As dwim_match/2, with the difference.
get_time(-Stamp) is det|The time now, in seconds since 1970.
stamp_date_time(+Stamp, -Date, +Zone) is det|Date is date(Y,M,D,H,Mn,S,Off,TZ,DST); Zone is 'UTC' or local.
date_time_stamp(+Date, -Stamp) is det|The seconds since 1970 of a date.
date_time_value(?Key, +Date, ?Value) is nondet|A part of a date, as year, month or hour.
format_time(+Output, +Format, +Stamp) is det|Writes a time as %Y-%m-%d and their kin say.
format_time(+Output, +Format, +Stamp, +Locale) is det|As format_time/3; Locale is posix.
parse_time(+Text, -Stamp) is semidet|The time of a text as ISO 8601 or RFC 1123 has it.
parse_time(+Text, ?Format, -Stamp) is semidet|As parse_time/2, in this format.
day_of_the_week(+Date, -Day) is det|Day is 1 for Monday to 7; Date is date(Y,M,D).
day_of_the_year(+Date, -Day) is det|Day is from 1 to 366; Date is date(Y,M,D).
week_ordinal(+Year, +Week, +Day, -Ordinal) is det|The day of the year of a day of an ISO week.
`;
