:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(replies).

%   What a check of Code finds: Kind-What-Offset, in the order of the text.

found(Code, Found) :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   reply_to("boot([unknown(error),capabilities([dml])])", _)
    ),
    reply_to("reset", _),
    retractall(hb_dml_program:directive_goal(_)),
    retractall(hb_dml_program:main(_,_)),
    retractall(hb_dml_program:tool(_,_,_,_)),
    retractall(hb_dml:declared_parameter(_,_,_)),
    retractall(hb_dml_check:program_text(_)),
    retractall(hb_dml_check:read(_,_,_,_)),
    retractall(hb_dml_check:use(_,_,_)),
    retractall(hb_dml_check:asserted(_,_)),
    format(string(Request), '~q', [dml_check(Code)]),
    reply_to(Request, Reply),
    Reply.errors == [],
    findall(Offset-(Kind-What), ( member(Use, Reply.uses), _{kind:Kind, what:What, offset:Offset} :< Use ), Pairs),
    keysort(Pairs, Sorted),
    findall(Kind-What-Offset, member(Offset-(Kind-What), Sorted), Found).

%   The place in Code where Part begins.

at(Code, Part, Offset) :-
    sub_string(Code, Offset, _, _, Part),
    !.

:- begin_tests(undefined).

test(at_any_depth, true(Found == ["undefined"-"p/1"-A, "undefined"-"q/2"-B, "undefined"-"r/3"-C, "undefined"-"s/0"-D])) :-
    Code = "agent_main :- ( p(1) -> true ; \\+ forall(member(X, [1]), q(X, 2)) ).\n\
            b :- findall(X, maplist([Y]>>r(X, Y, _), [1]), _), catch(true, _, (s, t)).\nt.\n",
    found(Code, Found),
    at(Code, "p(1)", A), at(Code, "q(X", B), at(Code, "r(X, Y", C), at(Code, "s, t", D).
test(in_closures_and_grammars, true(Found == ["undefined"-"f/2"-A, "undefined"-"g/3"-B, "undefined"-"h/0"-C])) :-
    Code = "a --> \"x\", g(1), { h }, [y], call([X,X]>>true).\nagent_main :- maplist(f(1), [2]), phrase(a, []).\n",
    found(Code, Found0),
    sort(Found0, Found),
    at(Code, "f(1)", A), at(Code, "g(1)", B), at(Code, "h }", C).
test(what_the_program_has_or_makes, true(Found == [])) :-
    found("\
:- dynamic d/1.
:- use_module(library(clpfd)).
:- op(700, xfx, ===>).
A ===> B :- A = B.
tool(t(X, Y)) :- Y = X.
agent_main :- d(_), 1 ===> X, X #> 1, t(1, _), assertz(made(1)), assertz((rule(X) :- X)), made(_), rule(_), agent_main.
", Found).

:- end_tests(undefined).

:- begin_tests(names).

test(bound_by_then, true(Found == ["unbound"-"R"-A, "unbound"-"Z"-B, "unknown"-"Topic"-C])) :-
    Code = "agent_main(Q) :-\n  task(\"{Q} about {R}\", R), X = 1, ( Y = R ; Y = X, log(\"{Y}\") ),\n  yield(\"{Y} {Z} {Topic} {\\\"a\\\":1}\"), Z = 1.\n",
    found(Code, Found),
    at(Code, "{R}", A), at(Code, "{Z}", B), at(Code, "{Topic}", C).
test(in_the_branch_where_it_is, true(Found == ["unbound"-"Y"-A])) :-
    Code = "agent_main :- ( Y = 1, log(\"{Y}\") ; log(\"no {Y}\") ), log(\"{Y}\").\n",
    found(Code, Found),
    at(Code, "{Y}\") ), log", A).
test(of_loops_and_lambdas, true(Found == [])) :-
    found("\
agent_main :- L = [1,2], forall(member(X, L), log(\"{X}\")), maplist([Y]>>log(\"{Y} {L}\"), L),
    catch(p, E, log(\"{E}\")), findall(R, ( member(T, L), task(\"{T}\", R) ), Rs), answer(\"{Rs}\").
p.
", Found).

:- end_tests(names).

:- begin_tests(tools).

test(wherever_they_are_called, true(Found == ["tool"-"web"-A, "tool"-"x y"-B, "tool"-"z"-C])) :-
    Code = "tool(t(Q, R)) :- exec(web(Q), R).\nagent_main :- once(exec('x y', _)), maplist(exec(z(1)), [_]), T = u, exec(T, _).\n",
    found(Code, Found),
    at(Code, "web", A), at(Code, "'x y'", B), at(Code, "z(1)", C).

:- end_tests(tools).
