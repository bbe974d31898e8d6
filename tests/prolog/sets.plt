:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(debug)).
:- use_module(replies).
:- use_module('../../prolog/hornbook').

%   Predicates that are tabled as sets: what the host is given, and what is made of its answers.

booted :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   serve("boot([unknown(error)])", _)
    ).

ask(Request, Reply) :-
    format(string(Text), "~q", [Request]),
    reply_to(Text, Reply).

%   with(+Clauses, -Reply): a new engine with these clauses, as far as that goes.

with(Clauses, Reply) :-
    booted,
    serve("reset", _),
    retractall(hb_sets:without_engine),
    atom_length(Clauses, Length),
    format(string(Add), "add(inline,[~d],[1-50],50)~n~w", [Length,Clauses]),
    reply_to(Add, Reply).

with(Clauses) :-
    with(Clauses, _).

query(Query, Reply) :-
    ask(query(1, Query, 100, 60.0, 1001, -1), Reply).

says(Answer, Reply) :-
    ask(told(1, said(Answer), 100, 60.0, 1001, -1), Reply).

values(Reply, Values) :-
    get_dict(answers, Reply, Answers),
    findall(Texts,
            ( member(Answer, Answers),
              get_dict(bindings, Answer, Bindings),
              findall(Text, member([_,Text,_], Bindings), Texts) ),
            Values).

predicate(Reply, Name, Predicate) :-
    member(Predicate, Reply.asks.set.program.predicates),
    Predicate.name == Name,
    !.

closure(":- table reach/2 as set.\nlink(a, b).\nlink(b, c).\nreach(X, Y) :- link(X, Y).\nreach(X, Y) :- link(X, Z), reach(Z, Y).").

:- begin_tests(sets).

test(program, [Heads,Goals] == [2,["link","link","reach"]]) :-
    closure(Text),
    with(Text),
    query("reach(a, Y)", Reply),
    predicate(Reply, "reach", Reach),
    length(Reach.rules, Heads),
    findall(Name, ( member(Rule, Reach.rules), member(Literal, Rule.body), Name = Literal.goal.name ), Goals).

test(conversation, [Rows,Arguments,Values] == [[["aa","ab"],["ab","ac"]],["a","V0"],[["b"],["c"]]]) :-
    closure(Text),
    with(Text),
    query("reach(a, Y)", _),
    says("set(7)", Facts),
    Facts.asks.facts == "link",
    Rows = Facts.asks.rows,
    says("done", Goal),
    Goal.asks.set == 7,
    Goal.asks.goal.arguments = [First,Second],
    Arguments = [First.atom,Second.variable],
    says("rows([[a,b],[a,c]],none)", Reply),
    values(Reply, Values).

test(kept, Number == 7) :-              % until a clause changes
    closure(Text),
    with(Text),
    query("reach(a, Y), reach(b, Z)", _),
    says("set(7)", _),
    says("done", _),
    says("rows([[a,b]],none)", Reply),
    Number = Reply.asks.set.

test(gone, Links == []) :-
    with(":- table p/1 as set.\np(X) :- q(X).\nq(1)."),
    query("p(X)", _),
    says("set(7)", _),
    says("done", _),
    says("gone", Reply),
    Links = Reply.asks.set.links.

test(count, [Asked,Values] == ["p",[["12"]]]) :-
    with(":- table p/1 as set.\np(X) :- q(X).\nq(1)."),
    query("aggregate_all(count, p(_), N)", _),
    says("set(7)", _),
    says("done", Reply0),
    Asked = Reply0.asks.count.name,
    says("count(12)", Reply),
    values(Reply, Values).

test(count_of_a_program_that_is_gone, Set == 8) :-
    with(":- table p/1 as set.\np(X) :- q(X).\nq(1)."),
    query("aggregate_all(count, p(_), N)", _),
    says("set(7)", _),
    says("done", _),
    says("gone", Reply0),
    [] = Reply0.asks.set.links,
    says("set(8)", _),
    says("done", Reply),
    _{count:_, set:Set} :< Reply.asks.

test(changed, New == true) :-
    with(":- table p/1 as set.\np(X) :- q(X).\nq(1)."),
    query("p(X), assertz(q(2)), p(Y)", _),
    says("set(7)", _),
    says("done", _),
    says("rows([[1]],none)", Reply),
    (   get_dict(program, Reply.asks.set, _)
    ->  New = true
    ;   New = false
    ).

test(without_engine, Values == [["b"],["c"]]) :-
    closure(Text),
    with(Text),
    query("reach(a, Y), Y @> a", _),
    says("none", Reply),
    values(Reply, Values0),
    msort(Values0, Values).

test(links, [Names,Data] == [["p"],["shop","things"]]) :-
    with(":- data(t/2, shop:things).\n:- table p/1 as set.\np(X) :- t(X, Y), Y > 1."),
    query("p(X)", Reply),
    findall(Name, ( member(Predicate, Reply.asks.set.program.predicates), Name = Predicate.name ), Names),
    Reply.asks.set.links = [Link],
    Data = Link.data.

test(facts_and_rules, Call == "p (facts)") :-
    with(":- table p/1 as set.\np(1).\np(Y) :- p(X), Y is X+1, Y < 5."),
    query("p(X)", Reply),
    predicate(Reply, "p", P),
    last(P.rules, Rule),
    Rule.body = [Literal],
    Call = Literal.goal.name.

test(values, Rows == [["i1","f0.5","aa b","sx","tf(a)","t[]"]]) :-
    with(":- table p/1 as set.\np(X) :- q(X, _, _, _, _, _).\nq(1, 0.5, 'a b', \"x\", f(a), [])."),
    query("p(X)", _),
    says("set(1)", Reply),
    Rows = Reply.asks.rows.

test(refused, true(sub_string(Message, _, _, _, "p/1, `format(a)`"))) :-
    with(":- table p/1 as set.\np(X) :- q(X), format(a).\nq(1)."),
    query("p(X)", Reply),
    Message = Reply.error.message.

test(built_terms, true(sub_string(Message, _, _, _, "leave `as set` out"))) :-
    with(":- table p/1 as set.\np(X) :- q(f(X, _)).\nq(1)."),
    query("p(X)", Reply),
    Message = Reply.error.message.

test(host_refuses, true(sub_string(Message, _, _, _, "p/1 cannot be evaluated as a set. negation"))) :-
    with(":- table p/1 as set.\np(X) :- q(X).\nq(1)."),
    query("p(X)", _),
    says("set(1)", _),
    says("done", _),
    says("refused(\"negation\")", Reply),
    Message = Reply.error.message.

test(division, true(sub_string(Message, _, _, _, "zero"))) :-
    with(":- table p/1 as set.\np(X) :- q(X).\nq(1)."),
    query("p(X)", _),
    says("set(1)", _),
    says("done", _),
    says("zero_divisor", Reply),
    Message = Reply.error.message.

test(proof_without_its_step, Nodes == [[0,"reach(a,c)","clause"],[1,"link(a,b)","clause"],
                                       [1,"reach(b,c)","clause"],[2,"link(b,c)","clause"]]) :-
    closure(Text),
    with(Text),
    ask(prove("reach(a, c)", 1, 60.0, 1001, -1), Reply0),
    told_all(Reply0, Reply),
    findall([Depth,Goal,How], member([Depth,Goal,How|_], Reply.nodes), Nodes).

%   told_all(+Reply0, -Reply): answer what is asked, but for the step of reach(b, c).

told_all(Reply0, Reply) :-
    (   get_dict(asks, Reply0, Asks)
    ->  told(Asks, Said),
        ask(told(-2, said(Said), 100, 60.0, 1001, -1), Reply1),
        told_all(Reply1, Reply)
    ;   Reply = Reply0
    ).

told(Asks, "done") :-
    get_dict(facts, Asks, _),
    !.
told(Asks, "step(2,['A'=a,'B'=c,'C'=b],[premise(reach,[b,c],3,1,1)])") :-
    get_dict(prove, Asks, Prove),
    \+ get_dict(at, Prove, _),
    Prove.goal.arguments = [First|_],
    First.atom == "a",
    !.
told(Asks, "none") :-
    get_dict(prove, Asks, _),
    !.
told(Asks, Rows) :-
    get_dict(goal, Asks, Goal),
    !,
    Goal.arguments = [First,Second],
    format(string(Rows), "rows([[~w,~w]],none)", [First.atom,Second.atom]).
told(_, "set(7)").

test(modes, Kind == "e") :-
    with(":- table p(_, min) as set.", Reply),
    Reply.items = [[Kind|_]|_].

test(aggregate, [Names,Rules,Args] == [["order (rows)"],2,4]) :-
    with(":- data(order/3, shop).\ncustomer(a).\n:- table total/2 as set.\ntotal(C, S) :- customer(C), aggregate_all(sum(A), order(_, C, A), S)."),
    query("total(C, S)", Reply),
    findall(Name, ( member(Link, Reply.asks.set.links), Link.numbered == true, Name = Link.name ), Names),
    predicate(Reply, "total", Total),
    length(Total.rules, Rules),
    member(Predicate, Reply.asks.set.program.predicates),
    sub_string(Predicate.name, 0, _, _, "total (total "),
    Predicate.rules = [Rule],
    last(Rule.body, Goal),
    length(Goal.goal.arguments, Args),
    !.

test(all_in_one, true(sub_string(Message, _, _, _, "is not bound before it"))) :-
    with(":- data(order/3, shop).\n:- table total/2 as set.\ntotal(C, S) :- aggregate_all(sum(A), order(_, C, A), S)."),
    query("total(C, S)", Reply),
    Message = Reply.error.message.

test(not_distinct, true(sub_string(Message, _, _, _, "q/1 may have an answer more than once"))) :-
    with(":- table n/1 as set.\nn(N) :- aggregate_all(count, q(_), N).\nq(X) :- r(X).\nr(1)."),
    query("n(N)", Reply),
    Message = Reply.error.message.

:- end_tests(sets).
