:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(debug), [assertion/1]).
:- use_module(replies).

%   What stands where in a text: the request outline/1.

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

fresh :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _).

%   The items of a text as Kind-Marks, each mark Kind:Text or Kind:Text:Name/Arity.
outline(Text, Items) :-
    ask(outline(Text), Reply),
    findall(Kind-Marks,
            ( member([Kind,_,_,Marks0], Reply.items),
              findall(Mark, ( member(M, Marks0), mark(M, Text, Mark) ), Marks)
            ),
            Items).

mark([Kind,Start,End|About], Text, Mark) :-
    Length is End-Start,
    sub_string(Text, Start, Length, _, Part),
    (   About = [Name,Arity]
    ->  Mark = Kind:Part:Name/Arity
    ;   About = [Name,Arity,Module]
    ->  Mark = Kind:Part:Module:Name/Arity
    ;   Mark = Kind:Part
    ).

:- begin_tests(outline, [setup(fresh)]).

test(heads_goals_and_data) :-
    outline("p(X, 'a b', 1, \"s\") :- q(X), \\+ r, X = f(Y, [b|Y]).", Items),
    assertion(Items == ["r"-["h":"p":"p"/4, "v":"X", "a":"'a b'", "n":"1", "s":"\"s\"",
                             "c":"q":"q"/1, "v":"X", "c":"\\+":"\\+"/1, "c":"r":"r"/0,
                             "c":"=":"="/2, "v":"X", "a":"f", "v":"Y", "a":"b", "v":"Y"]]).
test(goals_in_meta_calls) :-
    outline("p(L) :- findall(X, q(X), L), maplist(r(1), L), forall(s, t), setof(A, B^u(A, B), _).", [_-Marks]),
    findall(N/A, ( member("c":_:N/A, Marks), memberchk(N, ["q","r","s","t","u"]) ), Calls),
    assertion(Calls == ["q"/1, "r"/2, "s"/0, "t"/0, "u"/2]).
test(a_grammar_has_two_more_arguments) :-
    outline("g(X) --> [X], h, { k(X) }, call(m, X), !, \"s\".", [Kind-Marks]),
    assertion(Kind == "g"),
    findall(K:N/A, member(K:_:N/A, Marks), Predicates),
    assertion(Predicates == ["h":"g"/3, "c":"h"/2, "c":"k"/1, "c":"call"/4, "c":"m"/3]).
test(single_sided_and_guarded) :-
    outline("p(X), q(X) => r.", [_-Marks]),
    findall(K:N, member(K:_:N/_, Marks), Predicates),
    assertion(Predicates == ["h":"p", "c":"q", "c":"r"]).
test(declarations_name_predicates) :-
    outline(":- dynamic p/1, q/2. :- discontiguous([r//0]). :- table path(_, _, min).", Items),
    findall(N/A, ( member("d"-Marks, Items), member("i":_:N/A, Marks) ), Named),
    assertion(Named == ["p"/1, "q"/2, "r"/2, "path"/3]).
test(a_module_before_a_predicate_is_told) :-
    outline("p :- one:q(1), one:(r ; two:s), maplist(one:t, []), one:findall(X, u(X), _), M:v(M).", [_-Marks]),
    findall(Named, ( member("c":_:Named, Marks), Named \= _:";"/_ ), Calls),
    assertion(Calls == ["one":"q"/1, "one":"r"/0, "two":"s"/0, "maplist"/2, "one":"t"/1,
                        "one":"findall"/3, "one":"u"/1]),
    findall(Name, member("a":Name, Marks), Atoms),
    assertion(Atoms == ["one", "one", "two", "one", "one", "v"]),
    outline("one:p(1). one:p(X) :- q(X). g --> one:h, one:{ i }.", [_-[_,"h":"p":Head|_],_-[_,"h":_:Head|_],_-Grammar]),
    assertion(Head == "one":"p"/1),
    findall(Named, member("c":_:Named, Grammar), InGrammar),
    assertion(InGrammar == ["one":"h"/2, "one":"i"/0]).
test(a_module_before_an_indicator_is_told) :-
    outline(":- dynamic one:p/1, two:(q/1, r//0). :- table one:path(_, _).", Items),
    findall(Named, ( member("d"-Marks, Items), member("i":_:Named, Marks) ), All),
    assertion(All == ["one":"p"/1, "two":"q"/1, "two":"r"/2, "one":"path"/2]).
test(operators_of_the_text_are_its_own) :-
    outline(":- op(700, xfx, likes). tom likes ann. X likes Y :- Y knows X.", Items),
    assertion(nth0(1, Items, "f"-["h":"likes":"likes"/2, "a":"tom", "a":"ann"])),
    assertion(nth0(2, Items, "e"-[])),
    outline("tom likes ann.", Others),
    assertion(Others == ["e"-[]]).
test(comments_stand_with_the_clause_behind_them) :-
    outline("% one\n  % more\np. /* two */ q.\n% three", Items),
    assertion(Items == ["f"-["%":"% one", "%":"% more", "h":"p":"p"/0], "f"-["%":"/* two */", "h":"q":"q"/0], "s"-["%":"% three"]]).
test(places_are_code_points) :-
    outline("p('\u00e9\U0001F600') :- q.", Items),
    assertion(Items == ["r"-["h":"p":"p"/1, "a":"'\u00e9\U0001F600'", "c":"q":"q"/0]]).
test(what_cannot_be_read_costs_itself_only) :-
    outline("p. q q. r.", Items),
    assertion(Items == ["f"-["h":"p":"p"/0], "e"-[], "f"-["h":"r":"r"/0]]).
test(nothing_is_added, true(Kind == "existence_error")) :-
    outline("added(1). :- initialization(added(2)).", _),
    ask(query(1, "added(X)", 1, 5.0, 1001, -1), Reply),
    Kind = Reply.error.kind.

:- end_tests(outline).
