/** Constraints over integers, Booleans and numbers. */
export const constraints = String.raw`
#\/(?P, ?Q) is det|CLP(FD): P or Q.
#/\(?P, ?Q) is det|CLP(FD): P and Q.
#\(?P) is det|CLP(FD): not P.
#\(?P, ?Q) is det|CLP(FD): either P or Q.
#==>(?P, ?Q) is det|CLP(FD): P implies Q.
#<==(?P, ?Q) is det|CLP(FD): Q implies P.
#<==>(?P, ?Q) is det|CLP(FD): P and Q are equivalent.
indomain(?Var) is nondet|CLP(FD): assigns the values of Var, from the smallest.
scalar_product(+Coefficients, +Vars, +Relation, ?Value) is det|CLP(FD): the scalar product has the relation to Value.
lex_chain(+Lists) is det|CLP(FD): each list comes before the next, or is equal.
chain(+Vars, +Relation) is det|CLP(FD): each has the relation, as #<, to the next.
element(?Index, +Vars, ?Value) is det|CLP(FD): Value is at Index of Vars, from 1.
global_cardinality(+Vars, +Pairs) is det|CLP(FD): Key-Count tells how often each value is there.
global_cardinality(+Vars, +Pairs, +Options) is det|CLP(FD): as global_cardinality/2, with costs.
circuit(+Vars) is det|CLP(FD): Vars, the next of each, are one round trip.
cumulative(+Tasks) is det|CLP(FD): tasks task(Start, Duration, End, Need, Id) need at most 1 at any time.
cumulative(+Tasks, +Options) is det|CLP(FD): as cumulative/1, with limit(L).
disjoint2(+Rectangles) is det|CLP(FD): rectangles F(X, Width, Y, Height) do not overlap.
serialized(+Starts, +Durations) is det|CLP(FD): tasks do not overlap.
automaton(+Vars, +Nodes, +Arcs) is det|CLP(FD): Vars are a word of an automaton.
automaton(+Sequence, ?Template, +Signature, +Nodes, +Arcs, +Counters, +Initials, ?Finals) is det|CLP(FD): as automaton/3, with counters.
transpose(+Matrix, ?Transposed) is det|The columns of a list of rows.
zcompare(?Order, ?A, ?B) is det|CLP(FD): as compare/3, for integers not known yet.
in_set(?Var, +Set) is det|CLP(FD): Var is in a set of fd_set/2.
fd_var(?Var) is semidet|CLP(FD): Var has a domain and no value yet.
fd_inf(?Var, -Min) is det|CLP(FD): the smallest value that Var may have.
fd_sup(?Var, -Max) is det|CLP(FD): the largest value that Var may have.
fd_size(?Var, -Count) is det|CLP(FD): how many values Var may have.
fd_dom(?Var, -Domain) is det|CLP(FD): the domain of Var, as 1..3\/5.
fd_degree(?Var, -Count) is det|CLP(FD): how many constraints Var has.
fd_set(?Var, -Set) is det|CLP(FD): the domain of Var as a set.
empty_fdset(-Set) is det|CLP(FD): the empty set.
empty_interval(+Min, +Max) is semidet|CLP(FD): no value is from Min to Max.
is_fdset(@Set) is semidet|CLP(FD): a set of fd_set/2.
list_to_fdset(+Integers, -Set) is det|CLP(FD): a set of integers.
fdset_to_list(+Set, -Integers) is det|CLP(FD): the integers of a set.
range_to_fdset(+Domain, -Set) is det|CLP(FD): a set of a domain.
fdset_to_range(+Set, -Domain) is det|CLP(FD): the domain of a set.
fdset_interval(?Set, ?Min, ?Max) is semidet|CLP(FD): a set of the integers from Min to Max.
fdset_singleton(?Set, ?Element) is semidet|CLP(FD): a set of one integer.
fdset_parts(?Set, ?Min, ?Max, ?Rest) is semidet|CLP(FD): the first interval of a set, and the rest.
fdset_min(+Set, -Min) is semidet|CLP(FD): the smallest element.
fdset_max(+Set, -Max) is semidet|CLP(FD): the largest element.
fdset_size(+Set, -Count) is det|CLP(FD): the number of elements.
fdset_member(?Element, +Set) is nondet|CLP(FD): an element of a set.
fdset_add_element(+Set, +Element, -New) is det|CLP(FD): a set with Element.
fdset_del_element(+Set, +Element, -New) is det|CLP(FD): a set without Element.
fdset_union(+A, +B, -Union) is det|CLP(FD): what either set has.
fdset_union(+Sets, -Union) is det|CLP(FD): what any of the sets has.
fdset_intersection(+A, +B, -Both) is det|CLP(FD): what both sets have.
fdset_subtract(+A, +B, -Rest) is det|CLP(FD): what A has and B has not.
fdset_complement(+Set, -Complement) is det|CLP(FD): the integers that are not in a set.
fdset_disjoint(+A, +B) is semidet|CLP(FD): two sets have nothing in common.
fdset_intersect(+A, +B) is semidet|CLP(FD): two sets have something in common.
fdset_subset(+A, +B) is semidet|CLP(FD): all of A is in B.
fdset_eq(+A, +B) is semidet|CLP(FD): two sets are equal.
sat(+Formula) is semidet|CLP(B): the formula, of ~ * + # =:= =< and variables, is true.
taut(+Formula, -Truth) is semidet|CLP(B): Truth is 1 or 0 where the formula is that in any case.
labeling(+Vars) is nondet|CLP(B): assigns 0 or 1 to Vars.
sat_count(+Formula, -Count) is det|CLP(B): how many assignments make the formula true.
weighted_maximum(+Weights, +Vars, -Max) is nondet|CLP(B): assigns Vars so that the sum of the weights is largest.
random_labeling(+Seed, +Vars) is det|CLP(B): one assignment at random.
{}(+Constraints) is semidet|CLP(Q) and CLP(R): linear constraints, as {X > 2*Y}.
maximize(+Expression) is semidet|CLP(Q) and CLP(R): Expression gets its largest value.
minimize(+Expression) is semidet|CLP(Q) and CLP(R): Expression gets its smallest value.
sup(+Expression, -Sup) is semidet|CLP(Q) and CLP(R): the least upper bound.
sup(+Expression, -Sup, +Vector, -Vertex) is semidet|CLP(Q) and CLP(R): as sup/2, with values of Vector there.
inf(+Expression, -Inf) is semidet|CLP(Q) and CLP(R): the greatest lower bound.
inf(+Expression, -Inf, +Vector, -Vertex) is semidet|CLP(Q) and CLP(R): as inf/2, with values of Vector there.
bb_inf(+Integers, +Expression, -Inf) is semidet|CLP(Q) and CLP(R): as inf/2, where some variables are integers.
bb_inf(+Integers, +Expression, -Inf, -Vertex, +Margin) is semidet|CLP(Q) and CLP(R): as bb_inf/3, with values of the integers.
entailed(+Constraint) is semidet|CLP(Q) and CLP(R): what is there implies Constraint.
ordering(+Vars) is semidet|CLP(Q) and CLP(R): in which order variables are told.
dump(+Vars, +NewVars, -Constraints) is det|CLP(Q) and CLP(R): the constraints on Vars, with NewVars in their place.
clp_type(+Var, -Type) is semidet|CLP(Q) and CLP(R): Type is clpq or clpr.
`;
