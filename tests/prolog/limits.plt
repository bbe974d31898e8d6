:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(debug), [assertion/1]).
:- use_module('../../prolog/hornbook').
:- use_module(replies).

/** <module> Limits that hold after the answer, too, and the tables of what was cut short or taken back

`big(s, T)` is a term of 60 levels with 2^60 parts, `big(d, T)` has 1,000,000 levels, `big(c, T)` is cyclic.
*/

book("
sh(0, T, T) :- !.
sh(N, A, T) :- M is N-1, sh(M, f(A,A), T).
dp(0, T, T) :- !.
dp(N, A, T) :- M is N-1, dp(M, f(A), T).
big(s, T) :- sh(60, x, T).
big(d, T) :- dp(1000000, x, T).
big(c, T) :- T = f(T).
p(T) :- functor(T, f, _), q(T).
q(T) :- atom(T).
:- dynamic([d/1], [incremental(true)]).
d(1).
:- table t/1 as incremental.
t(X) :- d(X).
").

plain("
:- dynamic d/1.
d(1).
:- table t/1.
t(X) :- d(X).
:- table c/2.
c(X, Y) :- c(X, Z), e(Z, Y).
c(X, Y) :- e(X, Y).
e(1, 2).
e(2, 3).
e(3, 1).
:- table s/1 as subsumptive.
s(X) :- c(1, X).
:- table m(_, max).
m(X, Y) :- e(X, Y).
:- table outer/1.
outer(X) :- between(1, 60, N), call_with_inference_limit(( c(1, _), fail ; true ), N, _), c(1, X).
").

ask(Request, Reply) :-
    format(string(Text), '~q', [Request]),
    reply_to(Text, Reply).

fresh(Book) :-
    (   catch(hb_limits:output_stream(_), _, fail)
    ->  true
    ;   ask(boot([unknown(error)]), _)
    ),
    ask(reset, _),
    call(Book, Text),
    string_length(Text, Length),
    format(string(Request), 'add(inline,[~d],[-1-2,1-99],100)~n~w', [Length, Text]),
    reply_to(Request, Reply),
    assertion(get_dict(items, Reply, _)).

asked(Text, Reply) :-
    ask(query(1, Text, 10, 20, 100_001, -1000), Reply).

%   value(+Text, -Value): Value is that of the last variable in the only answer of the query.

value(Text, Value) :-
    asked(Text, Reply),
    assertion(\+ get_dict(error, Reply, _)),
    last(Reply.answers, Answer),
    last(Answer.bindings, [_,Value|_]).

%   soon(:Goal): Goal ends within a few seconds.

:- meta_predicate soon(0).

soon(Goal) :-
    statistics(cputime, Begin),
    call(Goal),
    statistics(cputime, End),
    assertion(End-Begin < 10).

failing("big(~w,T), fail").
failing("big(~w,T), atom(T)").
failing("big(~w,T), p(T)").
failing("big(~w,T), \\+ T = f(_)").
failing("big(~w,T), maplist(q, [T])").
failing("big(~w,T), forall(member(X,[T]), q(X))").
failing("big(~w,T), catch(throw(T), _, fail)").
failing("big(~w,T), findall(T, fail, [T])").
failing("big(~w,T), big(~w,S), S \\== T").
failing("big(~w,T), X = \"a\", X = T").
failing("big(~w,T), member(T, [a,f(b)])").
failing("big(~w,T), dif(X, T), X = a, q(T)").

failing(Kind, Text) :-
    member(Kind, [s,d,c]),
    failing(Format),
    (   sub_string(Format, _, _, _, "S")
    ->  Args = [Kind,Kind]
    ;   Args = [Kind]
    ),
    \+ ( Kind == d, sub_string(Format, _, _, _, "maplist") ),
    format(string(Text), Format, Args).

:- begin_tests(limits).

test(the_search_for_a_reason_ends_whatever_terms_there_are, [setup(fresh(book)), forall(failing(_, Text))]) :-
    soon(serve_hint(Text)).
test(why_ends_whatever_terms_there_are, [setup(fresh(book)), forall(failing(_, Text))]) :-
    soon(ask(refute(Text, 5, 100_001, -1000), Reply)),
    assertion(get_dict(nodes, Reply, _)).

serve_hint(Text) :-
    ask_text(query(1, Text, 10, 20, 100_001, -1000), _),
    ask_text(beside(hint(Text, [], 0.05, 100_001, -1000)), Said),
    assertion(sub_string(Said, 0, _, _, "ok ")).

ask_text(Request, Said) :-
    format(string(Text), '~q', [Request]),
    serve(Text, Said).

test(an_answer_of_many_shared_parts_is_too_long, [setup(fresh(book)), true(Kind == "resource_error")]) :-
    soon(asked("big(s,T)", Reply)),
    Kind = Reply.error.kind.
test(so_is_a_residual_goal, [setup(fresh(book)), true(Kind == "resource_error")]) :-
    soon(asked("big(s,T), dif(X,T), Y = 1", Reply)),
    Kind = Reply.error.kind.
test(an_error_cuts_a_term_of_many_shared_parts, [setup(fresh(book)), forall(member(Goal, ["throw(T)","T","atom_length(T,_)","X is T","call(1,T)"]))]) :-
    string_concat("big(s,T), ", Goal, Text),
    soon(asked(Text, Reply)),
    assertion(get_dict(error, Reply, _)).

:- end_tests(limits).

:- begin_tests(tables).

test(a_table_follows_what_is_taken_back,
     [ setup(fresh(book)), true(Value == "[1]"),
       forall(member(Undone, ["snapshot((retractall(d(_)), \\+ t(_)))",
                              "catch(transaction((retractall(d(_)), \\+ t(_), throw(x))),_,true)",
                              "\\+ transaction((retractall(d(_)), \\+ t(_), fail))",
                              "transaction(snapshot((retractall(d(_)), \\+ t(_))))"])) ]) :-
    format(string(Text), "findall(A,t(A),_), ~w, findall(X,t(X),L)", [Undone]),
    value(Text, Value).
test(a_table_that_is_not_incremental_is_made_anew_after_what_is_taken_back, [setup(fresh(plain)), true(Value == "[1]")]) :-
    value("snapshot((retractall(d(_)), \\+ t(_))), findall(X,t(X),L)", Value).
test(a_table_of_changes_that_are_gone_at_the_end_is_gone, [setup(fresh(plain)), true(Value == "[1]")]) :-
    value("assertz(d(2)), findall(X,t(X),_), retract(d(2)), L = 1", _),
    value("findall(X,t(X),L)", Value).
test(a_transaction_that_is_kept_keeps_its_tables, [setup(fresh(book)), true(Value == "[1,2]")]) :-
    value("transaction((assertz(d(2)), t(2))), findall(X,t(X),L0), msort(L0,L)", Value).
test(a_limit_on_inferences_breaks_no_table,
     [ setup(fresh(plain)), true(Value == "[1,2,3]"),
       forall(( member(Call, ["c(1,X)","s(X)"]), between(1, 20, N) )) ]) :-
    format(string(Text), "call_with_inference_limit((~w,fail;true),~d,_), findall(X,~w,L0), msort(L0,L)", [Call,N,Call]),
    value(Text, Value).
test(a_limit_on_inferences_breaks_no_table_with_a_mode, [setup(fresh(plain)), true(Value == "3"), forall(between(1, 20, N))]) :-
    format(string(Text), "call_with_inference_limit((m(_,_),fail;true),~d,_), aggregate_all(max(X),m(_,X),Y)", [N]),
    value(Text, Value).
test(a_limit_within_an_evaluation_breaks_no_table, [setup(fresh(plain)), true(Value == "[1,2,3]")]) :-
    value("findall(X,outer(X),L0), msort(L0,L)", Value).
test(what_is_thrown_or_cut_in_an_evaluation_breaks_no_table,
     [ setup(fresh(plain)), true(Value == "[1,2,3]"),
       forall(member(Goal, ["catch((c(1,_),throw(x)),_,true)", "once(c(1,_))", "call_with_depth_limit(c(1,_),3,_)",
                            "catch(call_with_time_limit(0.000001,(c(1,_),fail;true)),_,true)"])) ]) :-
    format(string(Text), "~w, findall(X,c(1,X),L0), msort(L0,L)", [Goal]),
    value(Text, Value).

:- end_tests(tables).

:- begin_tests(shown).

test(what_only_looks_like_a_dict_is_shown,
     [ setup(fresh(plain)), forall(member(Goal, ["X=..[N,t,1]", "X=..[N,t]", "functor(X,N,3)", "functor(X,N,2)", "functor(X,N,5)",
                                                 "X = \"a\"", "Y=..[N,t,1], X = [Y]"])) ]) :-
    string_concat("_{a:1}=..[N|_], ", Goal, Text),
    asked(Text, Reply),
    assertion(\+ get_dict(error, Reply, _)),
    assertion(Reply.answers = [_]).
test(an_error_about_a_cyclic_term_is_that_error, [setup(fresh(plain)), true(Kind-Has == "type_error"-true)]) :-
    asked("X = f(X), Y is X", Reply),
    Kind = Reply.error.kind,
    ( sub_string(Reply.error.message, _, _, _, "f(f(f(...)))") -> Has = true ; Has = Reply.error.message ).

:- end_tests(shown).
