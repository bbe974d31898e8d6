:- use_module(library(plunit)).
:- use_module(library(lists), [member/2]).
:- use_module(replies).

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

%   So many facts of edge/3, the last argument of each another, from the next request on; or none.
fresh(Count) :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _),
    garbage_collect_clauses,
    hb_store:declare(edge, 3),
    forall(between(1, Count, N),
           ( X is N mod 100,
             Y is N mod 90,
             assertz(knowledge_base:edge(X, Y, N))
           )).

count(Query, Count) :-
    ask(query(1, Query, 10, 30.0, 1001, -1), Reply),
    length(Reply.answers, Count),
    ask(close(1), _).

%   What the indexes of edge/3 are of.
indexed(Arguments) :-
    predicate_property(knowledge_base:edge(_,_,_), indexed(Indexes)),
    findall(Of, ( member(Index, Indexes), Of = Index.arguments ), Arguments).

:- begin_tests(indexes).

test(no_better_one_is_looked_for_where_one_has_nearly_all, [setup(fresh(70_000)), true(Arguments == [[3]])]) :-
    count("edge(50, 20, 650)", 1),
    count("edge(51, 21, 651)", 1),
    indexed(Arguments).
test(one_of_two_arguments_is_made_of_fewer_clauses, [setup(fresh(2_000)), true(Arguments == [[1,2]])]) :-
    count("edge(50, 20, _)", 2),
    indexed(Arguments).
test(and_again_when_the_clauses_have_gone, [setup(fresh(0)), true(Ratio =:= 3.0)]) :-
    count("true", 1),
    current_prolog_flag(ci_min_speedup_ratio, Ratio).

:- end_tests(indexes).
