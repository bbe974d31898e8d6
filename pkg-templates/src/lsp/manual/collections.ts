/** Lists, pairs, sets, trees, dicts, graphs, heaps. */
export const collections = `
same_length(?Xs, ?Ys) is nondet|Two lists of the same length.
proper_length(@List, -Length) is semidet|The length of a list that has an end.
proper_list(@List) is semidet|A list that has an end.
prefix(?Part, ?Whole) is nondet|Part is the beginning of a list.
nextto(?X, ?Y, ?List) is nondet|Y comes right after X.
nth0(?Index, ?List, ?Element, ?Rest) is nondet|As nth0/3, with the list without the element.
nth1(?Index, ?List, ?Element, ?Rest) is nondet|As nth1/3, with the list without the element.
select(?X, ?Xs, ?Y, ?Ys) is nondet|Ys is Xs with Y in place of one X.
selectchk(?X, ?Xs, ?Y, ?Ys) is semidet|The first solution of select/4.
subseq(+List, -Sub, -Rest) is nondet|Sub has some elements in their order, Rest the others.
subset(+Subset, +Set) is semidet|All elements of Subset are in Set.
is_set(@Set) is semidet|A list without duplicates.
flatten(+Nested, -Flat) is det|The elements of nested lists as one list.
clumped(+Items, -Pairs) is det|Item-Count for items that follow each other.
max_member(:Order, -Max, +List) is semidet|The largest element by Order(A, B).
min_member(:Order, -Min, +List) is semidet|The smallest element by Order(A, B).
maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds) is nondet|Goal holds for the elements of four lists at the same place.
convlist(:Goal, +Xs, -Ys) is det|The results of Goal(X, Y) for the elements for which it holds.
foldl(:Goal, +Xs, +Ys, +V0, -V) is nondet|As foldl/4 over two lists.
foldl(:Goal, +Xs, +Ys, +Zs, +V0, -V) is nondet|As foldl/4 over three lists.
foldl(:Goal, +Ws, +Xs, +Ys, +Zs, +V0, -V) is nondet|As foldl/4 over four lists.
scanl(:Goal, +List, +V0, -Values) is nondet|As foldl/4, with all values on the way.
scanl(:Goal, +Xs, +Ys, +V0, -Values) is nondet|As scanl/4 over two lists.
scanl(:Goal, +Xs, +Ys, +Zs, +V0, -Values) is nondet|As scanl/4 over three lists.
scanl(:Goal, +Ws, +Xs, +Ys, +Zs, +V0, -Values) is nondet|As scanl/4 over four lists.
partition(:Order, +List, -Less, -Equal, -Greater) is semidet|Divides List by Order(Element, Diff), where Diff is <, = or >.
sublist(:Goal, +List, -Kept) is det|As include/3.
checklist(:Goal, +List) is semidet|As maplist/2.
merge(+Xs, +Ys, -Merged) is det|Two sorted lists as one.
merge_set(+Xs, +Ys, -Merged) is det|Two sorted lists as one, without duplicates.
free_variables(+Term, -Variables) is det|As term_variables/2.
transpose_pairs(+Pairs, -Transposed) is det|Value-Key for Key-Value, sorted.
map_list_to_pairs(:Function, +List, -Pairs) is det|Key-Element, where Function(Element, Key).
group_pairs_by_key(+Pairs, -Groups) is det|Key-Values for pairs of the same key that follow each other.
option(?Option, +Options) is semidet|Name(Value) or Name=Value is in a list of options.
option(?Option, +Options, +Default) is semidet|As option/2, with a value where it is not there.
select_option(?Option, +Options, -Rest) is semidet|As option/2, and takes it out.
select_option(?Option, +Options, -Rest, +Default) is det|As select_option/3, with a value where it is not there.
merge_options(+New, +Old, -Merged) is det|Options of both, where the new ones count.
meta_options(:IsMeta, :Options, -Qualified) is det|Options that are goals, with their module.
dict_options(?Dict, ?Options) is det|Options as a dict, and back.
list_to_ord_set(+List, -Set) is det|A sorted list without duplicates.
is_ordset(@Term) is semidet|A sorted list without duplicates.
ord_empty(?Set) is semidet|The empty set.
ord_memberchk(+Element, +Set) is semidet|Element is in an ordered set.
ord_add_element(+Set, +Element, -New) is det|An ordered set with Element.
ord_del_element(+Set, +Element, -New) is det|An ordered set without Element.
ord_selectchk(+Element, +Set, -Rest) is semidet|Takes Element out of an ordered set that has it.
ord_union(+Sets, -Union) is det|What any of the ordered sets has.
ord_union(+A, +B, -Union) is det|What either ordered set has.
ord_union(+Set, +New, -Union, -Added) is det|As ord_union/3, with what only New has.
ord_intersection(+Sets, -Both) is semidet|What all of the ordered sets have.
ord_intersection(+A, +B, -Both) is det|What both ordered sets have.
ord_intersection(+A, +B, -Both, -OnlyB) is det|As ord_intersection/3, with what only B has.
ord_intersect(+A, +B) is semidet|Two ordered sets have something in common.
ord_intersect(+A, +B, -Both) is det|As ord_intersection/3.
ord_disjoint(+A, +B) is semidet|Two ordered sets have nothing in common.
ord_subtract(+A, +B, -Rest) is det|What A has and B has not.
ord_symdiff(+A, +B, -Difference) is det|What one of two ordered sets has.
ord_subset(+Subset, +Set) is semidet|All elements of an ordered set are in the other.
ord_seteq(+A, +B) is semidet|Two ordered sets are equal.
ord_range(+Set, ?Low, ?High, -Range) is det|The elements of an ordered set from Low to High.
oset_is(@Term) is semidet|A sorted list without duplicates.
oset_union(+A, +B, -Union) is det|What either set has.
oset_int(+A, +B, -Both) is det|What both sets have.
oset_diff(+A, +B, -Rest) is det|What A has and B has not.
oset_dunion(+Sets, -Union) is det|What any of the sets has.
oset_dint(+Sets, -Both) is semidet|What all of the sets have.
oset_power(+Set, -Power) is det|All subsets.
oset_addel(+Set, +Element, -New) is det|A set with Element.
oset_delel(+Set, +Element, -New) is det|A set without Element.
get_assoc(+Key, +Assoc, -Value, -New, ?NewValue) is semidet|As get_assoc/3, with the tree that has NewValue.
del_assoc(+Key, +Assoc, ?Value, -New) is semidet|Takes a key out of an AVL tree.
max_assoc(+Assoc, -Key, -Value) is semidet|The largest key and its value.
min_assoc(+Assoc, -Key, -Value) is semidet|The smallest key and its value.
del_max_assoc(+Assoc, ?Key, ?Value, -New) is semidet|Takes out the largest key.
del_min_assoc(+Assoc, ?Key, ?Value, -New) is semidet|Takes out the smallest key.
gen_assoc(?Key, +Assoc, ?Value) is nondet|The keys and values, in the order of the keys.
assoc_to_keys(+Assoc, -Keys) is det|The keys of an AVL tree.
assoc_to_values(+Assoc, -Values) is det|The values of an AVL tree, by their keys.
map_assoc(:Goal, +Assoc) is semidet|Goal holds for each value.
map_assoc(:Goal, +Assoc, ?New) is semidet|Goal(Old, New) for each value.
ord_list_to_assoc(+Pairs, -Assoc) is det|An AVL tree of sorted pairs.
rb_new(-Tree) is det|An empty red-black tree.
rb_empty(?Tree) is semidet|An empty red-black tree.
rb_size(+Tree, -Count) is det|The number of keys.
is_rbtree(@Term) is semidet|A red-black tree.
rb_lookup(+Key, -Value, +Tree) is semidet|The value of a key.
rb_in(?Key, ?Value, +Tree) is nondet|A key and its value.
rb_insert(+Tree, +Key, ?Value, -New) is det|A tree with a key, or with a new value of it.
rb_insert_new(+Tree, +Key, ?Value, -New) is semidet|A tree with a key that was not there.
rb_update(+Tree, +Key, ?Value, -New) is semidet|Another value of a key.
rb_update(+Tree, +Key, -Old, ?Value, -New) is semidet|As rb_update/4, with the value before.
rb_apply(+Tree, +Key, :Goal, -New) is semidet|Goal(Old, New) makes the value of a key.
rb_delete(+Tree, +Key, -New) is semidet|A tree without a key.
rb_delete(+Tree, +Key, -Value, -New) is semidet|As rb_delete/3, with its value.
rb_min(+Tree, -Key, -Value) is semidet|The smallest key and its value.
rb_max(+Tree, -Key, -Value) is semidet|The largest key and its value.
rb_del_min(+Tree, -Key, -Value, -New) is semidet|Takes out the smallest key.
rb_del_max(+Tree, -Key, -Value, -New) is semidet|Takes out the largest key.
rb_next(+Tree, +Key, -Next, -Value) is semidet|The key after this one, and its value.
rb_previous(+Tree, +Key, -Previous, -Value) is semidet|The key before this one, and its value.
rb_keys(+Tree, -Keys) is det|The keys, in order.
rb_visit(+Tree, -Pairs) is det|Pairs Key-Value, in order.
rb_visit_range(+Tree, +Low, +High, -Pairs) is det|Pairs whose keys are from Low to High.
rb_map(+Tree, :Goal) is semidet|Goal holds for each value.
rb_map(+Tree, :Goal, -New) is semidet|Goal(Old, New) for each value.
rb_partial_map(+Tree, +Keys, :Goal, -New) is semidet|As rb_map/3, for these keys.
rb_fold(:Goal, +Tree, +V0, -V) is semidet|Goal(Key-Value, V0, V1) for each key.
rb_clone(+Tree, -New, -Pairs) is det|The same keys with new variables as values.
list_to_rbtree(+Pairs, -Tree) is det|A red-black tree of pairs.
ord_list_to_rbtree(+Pairs, -Tree) is det|A red-black tree of sorted pairs.
nb_rb_insert(+Tree, +Key, +Value) is det|Changes a tree in place, which backtracking keeps.
nb_rb_get_node(+Tree, +Key, -Node) is semidet|The node of a key.
nb_rb_node_value(+Node, -Value) is det|The value of a node.
nb_rb_set_node_value(+Node, +Value) is det|Changes the value of a node in place.
empty_nb_set(-Set) is det|A set that backtracking does not take back.
add_nb_set(+Key, +Set) is det|Adds to a set in place.
add_nb_set(+Key, +Set, ?New) is semidet|As add_nb_set/2; New is whether it was not there.
size_nb_set(+Set, -Count) is det|The number of elements.
gen_nb_set(+Set, -Element) is nondet|The elements, in order.
nb_set_to_list(+Set, -List) is det|The elements as a sorted list.
empty_heap(?Heap) is semidet|A heap without elements.
singleton_heap(?Heap, ?Priority, ?Key) is semidet|A heap of one element.
add_to_heap(+Heap, +Priority, ?Key, -New) is semidet|A heap with one more element.
get_from_heap(+Heap, ?Priority, ?Key, -New) is semidet|Takes out the element of the smallest priority.
min_of_heap(+Heap, ?Priority, ?Key) is semidet|The element of the smallest priority.
min_of_heap(+Heap, ?Priority1, ?Key1, ?Priority2, ?Key2) is semidet|The two elements of the smallest priorities.
delete_from_heap(+Heap, -Priority, +Key, -New) is semidet|Takes out an element.
heap_size(+Heap, -Count) is det|The number of elements.
heap_to_list(+Heap, -Pairs) is det|Priority-Key, sorted.
list_to_heap(+Pairs, -Heap) is det|A heap of Priority-Key.
merge_heaps(+A, +B, -Heap) is det|Two heaps as one.
is_heap(@Term) is semidet|A heap.
dict_create(-Dict, +Tag, +Pairs) is det|A dict of pairs, Key=Value or Key(Value).
put_dict(+New, +Dict, -Result) is det|Dict with what New has.
del_dict(+Key, +Dict, ?Value, -New) is semidet|Dict without a key.
get_dict(+Key, +Dict, -Value, +NewValue, -New) is semidet|As get_dict/3, with the dict that has NewValue.
b_set_dict(+Key, +Dict, +Value) is det|Changes a value in place until backtracking.
nb_set_dict(+Key, +Dict, +Value) is det|Changes a value in place, which backtracking keeps.
select_dict(+Select, +From, -Rest) is semidet|Select unifies with values of From; Rest has the other keys.
:<(+Select, +From) is semidet|The values of Select unify with those of From.
>:<(+A, +B) is semidet|The values of the keys that both dicts have unify.
.(+Dict, +Function, -Value) is semidet|The value of a key of a dict, or of get, put and their kin.
dict_keys(+Dict, -Keys) is det|The keys of a dict.
dict_size(+Dict, -Count) is det|The number of keys.
dict_same_keys(?A, ?B) is semidet|Two dicts have the same keys.
dict_fill(+Value, +Key, +Dict, -Filled) is det|A value for a key that a dict lacks.
dict_no_fill(+Key, +Dict, -Value) is det|Nothing for a key that a dict lacks.
dicts_same_tag(+Dicts, -Tag) is semidet|Dicts have the same tag.
dicts_same_keys(+Dicts, -Keys) is semidet|Dicts have the same keys.
dicts_to_same_keys(+Dicts, :Fill, -New) is det|Gives dicts the keys that they lack.
dicts_join(+Key, +Dicts, -Joined) is semidet|Dicts of the same value of Key as one.
dicts_join(+Key, +A, +B, -Joined) is semidet|Two lists of dicts as one, by a key.
dicts_slice(+Keys, +Dicts, -New) is det|Dicts with these keys alone.
dicts_to_compounds(?Dicts, +Keys, :Fill, ?Compounds) is semidet|Dicts as compounds of their values.
mapdict(:Goal, +Dict) is semidet|Goal(Key, Value) holds for each key.
mapdict(:Goal, ?A, ?B) is semidet|Goal(Key, ValueA, ValueB) for each key of two dicts.
mapdict(:Goal, ?A, ?B, ?C) is semidet|Goal(Key, ValueA, ValueB, ValueC) for each key of three dicts.
vertices_edges_to_ugraph(+Vertices, +Edges, -Graph) is det|A graph, a sorted list Vertex-Neighbours, of vertices and edges A-B.
vertices(+Graph, -Vertices) is det|The vertices of a graph.
edges(+Graph, -Edges) is det|The edges of a graph, A-B.
add_vertices(+Graph, +Vertices, -New) is det|A graph with more vertices.
del_vertices(+Graph, +Vertices, -New) is det|A graph without some vertices.
add_edges(+Graph, +Edges, -New) is det|A graph with more edges.
del_edges(+Graph, +Edges, -New) is det|A graph without some edges.
neighbours(+Vertex, +Graph, -Neighbours) is semidet|Where edges of a vertex lead.
neighbors(+Vertex, +Graph, -Neighbors) is semidet|As neighbours/3.
reachable(+Vertex, +Graph, -Reachable) is semidet|Where paths from a vertex lead, with itself.
transpose_ugraph(+Graph, -Transposed) is det|The edges the other way.
compose(+A, +B, -Graph) is det|An edge of A and then one of B.
complement(+Graph, -Complement) is det|The edges that are not there.
ugraph_union(+A, +B, -Graph) is det|The edges of both graphs.
transitive_closure(+Graph, -Closure) is det|An edge for each path.
top_sort(+Graph, -Sorted) is semidet|The vertices, each before those its edges lead to; fails on a cycle.
ugraph_layers(+Graph, -Layers) is semidet|The vertices in layers, each before the next; fails on a cycle.
connect_ugraph(+Graph, -Start, -Connected) is det|A graph with a vertex from which all others are reached.
`;
