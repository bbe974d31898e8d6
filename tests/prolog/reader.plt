:- use_module(library(plunit)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module('../../prolog/read/reader').
:- use_module('../../prolog/store/operators').

:- begin_operators.

% items(+Kind, +Text, -Items): all items, after checking that they cover the
% text without a gap.

items(Kind, Text, Items) :-
    setup_call_cleanup(
        open_source(Kind, Text, Source),
        all_items(Source, Items),
        close_source(Source)),
    contiguous(Items, 0, Text).

all_items(Source, [Item|Items]) :-
    read_item(Source, Item),
    (   Item = end(_)
    ->  Items = []
    ;   all_items(Source, Items)
    ).

contiguous([end(At)], At, Text) :-
    !,
    string_length(Text, Length),
    At =< Length.
contiguous([Item|Items], At, Text) :-
    arg(1, Item, At),
    arg(2, Item, End),
    End > At,
    contiguous(Items, End, Text).

% terms(+Kind, +Text, -Terms): terms in place of clauses, `e` in place of
% errors.

terms(Kind, Text, Terms) :-
    items(Kind, Text, Items),
    convlist(item_term, Items, Terms).

item_term(clause(_, _, Term, _), Term).
item_term(error(_, _, _), e).

% slices(+Text, -Slices): the text of the items and what follows them.

slices(Text, Slices) :-
    items(file, Text, Items),
    maplist(item_slice(Text), Items, Slices).

item_slice(Text, end(At), Slice) :-
    !,
    sub_string(Text, At, _, 0, Slice).
item_slice(Text, Item, Slice) :-
    arg(1, Item, Start),
    arg(2, Item, End),
    Length is End-Start,
    sub_string(Text, Start, Length, _, Slice).

% problem(+Kind, +Text, -Place): of the first error.

problem(Kind, Text, Message, Line:Column:Offset) :-
    items(Kind, Text, Items),
    once(member(error(_, _, error(syntax_error, Message, Line, Column, Offset)), Items)).

says(Text, Place, Words) :-
    problem(file, Text, Message, Place),
    once(sub_string(Message, _, _, _, Words)).


:- begin_tests(slices).

test(layout_and_comments_belong_to_the_clause_after_them,
     Slices == ["% one\np(a).", " % on its line\n/* two */ q.", "\n% last\n"]) :-
    slices("% one\np(a). % on its line\n/* two */ q.\n% last\n", Slices).
test(several_clauses_on_a_line, Slices == ["a.", " b:-c.", "%d\ne.", ""]) :-
    slices("a. b:-c.%d\ne.", Slices).
test(crlf, Slices == ["p(a).", "\r\n%x\r\nq(b).", "\r\n"]) :-
    slices("p(a).\r\n%x\r\nq(b).\r\n", Slices).
test(code_points_beyond_the_bmp, Slices == ["p(\U0001F600).", "\nq('\U0001F468\u200D\U0001F469').", "\n"]) :-
    slices("p(\U0001F600).\nq('\U0001F468\u200D\U0001F469').\n", Slices).
test(byte_order_mark, Slices == ["\uFEFFp.", " q."-""]) :-
    slices("\uFEFFp. q.", [A, B, C]),
    Slices = [A, B-C].
test(script_line, Slices == ["#!/usr/bin/env it's\np.", "\n"]) :-
    slices("#!/usr/bin/env it's\np.\n", Slices).
test(empty_text, Items == [end(0)]) :-
    items(file, "", Items).
test(comment_only, Items == [end(0)]) :-
    items(inline, " % nothing\n", Items).
test(end_of_file_ends_the_text, Slices == ["p.", "\nend_of_file.\nq."]) :-
    slices("p.\nend_of_file.\nq.", Slices).

:- end_tests(slices).


:- begin_tests(terms).

test(quoted_periods, Terms == [p('a. b', "c. d", [0'e, 0'., 0' ])]) :-
    terms(file, "p('a. b', \"c. d\", `e. `).", Terms).
test(character_codes, Terms == [p(97, 39, 10, 46, 32, 0'\\), p(39), q]) :-
    terms(file, "p(0'a, 0''', 0'\\n, 0'., 0' , 0'\\\\). p(0''). q.", Terms).
test(radix_numbers, Terms == [p(255, 5), q]) :-
    terms(file, "p(16'FF, 2'101). q.", Terms).
test(block_comment_with_period_and_quote, Terms == [(p:-q), r]) :-
    terms(file, "p :- /* it's. here */ q. r.", Terms).
test(nested_block_comment, Terms == [p]) :-
    terms(file, "/* a /* b */ c */ p.", Terms).
test(dcg, Terms == [(s-->"a",{true},t)]) :-
    terms(file, "s --> \"a\", {true}, t.", Terms).
test(dict) :-
    terms(file, "p(_{a:1}). q(t{b:\"x. y\"}).", [p(A), q(B)]),
    get_dict(a, A, 1),
    get_dict(b, B, "x. y").
test(functional_notation_is_read_not_run) :-
    items(file, "p(X) :- writeln(X.y).", [clause(0, 21, (p(_):-writeln(Y)), _)|_]),
    compound(Y).
test(clpfd_operators, Terms == [(p:-'#<==>'('#='(1, 2), '#\\/'(3, 4))), in(a, '..'(1, 9))]) :-
    terms(file, "p :- 1 #= 2 #<==> 3 #\\/ 4. a in 1..9.", Terms).
test(clpb_operators, Terms == ['+'('~'(a), '#'(b, c))]) :-
    terms(file, "~a + (b#c).", Terms).
test(nul_in_a_quote, Terms == [p("a\000\b"), q]) :-
    terms(file, "p(\"a\000\b\"). q.", Terms).
test(variable_names, Names == ['X'=X, '_Y'=Y]) :-
    items(file, "p(X, _Y, _).", [clause(_, _, p(X, Y, _), Names)|_]).
test(continued_line_prints_nothing, Output-Terms == ""-[p(ab)]) :-
    with_output_to(string(Output), terms(file, "p('a\\\n   b').", Terms)).

:- end_tests(terms).


:- begin_tests(final_period).

test(missing_inline, Terms == [p(a), q(b)]) :-
    terms(inline, "p(a). q(b)", Terms).
test(missing_inline_before_a_comment, Items = [clause(0, 12, p(a), []), end(12)]) :-
    items(inline, "p(a) % why ?", Items).
test(missing_inline_before_modulo) :-
    items(inline, "p(X) :- 0 is X % 2.", [error(0, 19, error(syntax_error, Message, 1, 15, 15))|_]),
    assertion(sub_string(Message, 0, _, _, "`%` begins a comment: write `X mod 2`")).
test(missing_inline_after_a_symbol, Terms == [p(+)]) :-
    terms(inline, "p(+)", Terms).
test(missing_inline_after_a_quoted_code, Terms == ['a0']) :-
    terms(inline, "'a0'", Terms).
test(missing_inline_with_an_error_before, Terms == [e, q]) :-
    terms(inline, "p(a b). q", Terms).
test(code_without_character, Terms == [e]) :-
    terms(inline, "p(X) :- X = 0'", Terms).
test(missing_in_a_file, Terms == [p(a), e]) :-
    terms(file, "p(a).\nq(b)\n", Terms).
test(missing_in_a_file_says_so) :-
    says("p(a).\nq(b)", 2:4:10, "period that ends the clause is missing").

:- end_tests(final_period).


:- begin_tests(recovery).

test(quoted_atom, Terms == [e, q(x), r(1)]) :-
    terms(file, "p('abc).\nq('x').\nr(1).", Terms).
test(string, Terms == [e, q("x"), r(1)]) :-
    terms(file, "p(\"abc).\nq(\"x\").\nr(1).", Terms).
test(back_quotes, Terms == [e, q([0'x]), r(1)]) :-
    terms(file, "p(`abc).\nq(`x`).\nr(1).", Terms).
test(paired_quotes, Terms == [e, q, r(1)]) :-
    terms(file, "p(\u201Cabc).\nq.\nr(1).", Terms).
test(less_usual_paired_quotes, Terms == [e, q, r(1)]) :-
    terms(file, "p(\u2E02abc).\nq.\nr(1).", Terms).
test(comment_that_ends_with_a_carriage_return, Terms == [e, q, r(y)]) :-
    terms(file, "p(a b) % x\r'c.\nq.\nr('y').", Terms).
test(quote_on_one_line, Terms == [e, q(2), r(3)]) :-
    terms(inline, "p('abc). q(2). r(3).", Terms).
test(quote_before_a_percent, Terms == [e, q]) :-
    terms(file, "p('abc).% why\nq.", Terms).
test(quote_at_the_end, Terms == [q, e]) :-
    terms(file, "q. p('abc).", Terms).
test(every_clause_with_a_quote, Terms == [e, e, e, r]) :-
    terms(file, "p('a).\np('b).\np('c).\nr.", Terms).
test(quote_in_a_body, Terms == [e, q]) :-
    terms(file, "p :-\n    % it's fine\n    X = 0'', Y = 'it''s,\n    r.\nq.", Terms).
test(quote_after_wide_characters, Terms == [e, q('\U0001F600'), e, r]) :-
    terms(file, "p('\U0001F600).\nq(\U0001F600).\ns(\"\u00E9).\nr.", Terms).
test(closed_quote_with_a_period_is_no_end, Terms == [e, q]) :-
    terms(file, "p(\"Hello. World\" foo). q.", Terms).
test(opening_quote_is_named) :-
    says("a.\np(b, 'abc).\nq('x').", 2:5:8, "unterminated quoted atom that opens here").
test(line_counts_go_on_after_it) :-
    items(file, "p('abc).\nq('x').\nr(a b).", Items),
    last(Items, end(24)),
    memberchk(error(16, 24, error(syntax_error, _, 3, 4, 21)), Items).
test(open_bracket, Terms == [e, e, r]) :-
    terms(file, "p([1,2 .\nq(f(a.\nr.", Terms).
test(lone_period, Terms == [p, e, q]) :-
    terms(file, "p. . q.", Terms).
test(double_bar_takes_nothing_with_it, Terms == [e, q]) :-
    terms(file, "p :- a || b.\nq.", Terms).
test(open_block_comment, Items = [clause(0, 2, p, []), error(2, 14, error(syntax_error, _, 2, 0, 3)), end(14)]) :-
    items(file, "p.\n/* q.\nr. s.", Items).
test(comment_marks_that_share_a_character, Terms == [e, q]) :-
    terms(file, "/* a /*/ b */ p('c /*/.\nq.", Terms).
test(open_block_comment_in_a_clause) :-
    says("p :-\n  q, /* r.\ns.", 2:5:10, "unterminated block comment").

:- end_tests(recovery).


:- begin_tests(errors).

% doubled(+N, +String, -Doubled): 2**N times String.

doubled(0, String, String) :-
    !.
doubled(N, String, Doubled) :-
    string_concat(String, String, Twice),
    N1 is N-1,
    doubled(N1, Twice, Doubled).

test(operator_expected) :-
    says("p.\n\tq(a  b).", 2:6:9, "operator expected").
test(column_in_code_points) :-
    says("p('\U0001F600\u00E9', a b).", 1:10:10, "operator expected").
test(crlf_lines) :-
    says("p.\r\nq(a b).\r\n", 2:4:8, "operator expected").
test(several_on_a_line, Places == [1:4, 1:12, 2:5, 2:13]) :-
    items(file, "p(a b). q(a b).\n r(a b). s(a b).", Items),
    findall(Line:Column, member(error(_, _, error(_, _, Line, Column, _)), Items), Places).
test(illegal_start) :-
    says("p(a, ).", 1:5:5, "illegal start of term").
test(end_of_clause) :-
    says("p :- q, .", 1:_:_, "operand is missing").
test(first_token) :-
    says("p. ) q.", 1:3:3, "illegal start of term").
test(undefined_escape) :-
    says("p('\\q').", 1:_:_, "unknown character escape \\q").
test(too_large, [ setup(( current_prolog_flag(stack_limit, Limit),
                          set_prolog_flag(stack_limit, 6000000)
                        )),
                  cleanup(set_prolog_flag(stack_limit, Limit)),
                  Kind-Line-Next == resource_error-2-clause
                ]) :-
    doubled(17, "f(a,X),", Elements),
    format(string(Text), "a.\np([~s0]).\nq.\n", [Elements]),
    items(file, Text, [_, error(_, _, error(Kind, _, Line, 0, _)), Item, _]),
    functor(Item, Next, _).
test(nul) :-
    says("p(a\000\b).", 1:3:3, "illegal character").
test(duplicate_key) :-
    says("p(_{a:1, a:2}).", 1:_:_, "duplicate key").
test(direction_override) :-
    says("p('\u202Ea').", 1:_:_, "U+202E").

:- end_tests(errors).


:- begin_tests(quasi_quotations).
:- use_module(library(quasi_quotations)).

:- dynamic ran/0.
:- quasi_quotation_syntax(spy_syntax).

spy_syntax(_, _, _, done) :-
    assertz(ran).

test(refused_and_not_run, Terms == [e, q]) :-
    context_module(Module),
    format(string(Text), "p({|~q:spy_syntax||text|}).\nq.", [Module]),
    terms(file, Text, Terms),
    \+ ran.
test(unknown_syntax_is_refused, Terms == [e, q]) :-
    terms(file, "p({|nowhere||text|}).\nq.", Terms).

:- end_tests(quasi_quotations).


:- begin_tests(scopes).

in_scope(Scope, Text, Term) :-
    setup_call_cleanup(
        open_source(inline, Text, Scope, Source),
        read_item(Source, Item),
        close_source(Source)),
    ( Item = clause(_, _, Term, _) -> true ; Term = e ).

test(operator_and_back, A-B-C == e-(===>(a, b))-e) :-
    setup_call_cleanup(
        new_scope(Scope),
        ( in_scope(Scope, "a ===> b", A),
          scope_op(Scope, 700, xfx, [===>, is], Restore),
          in_scope(Scope, "a ===> b", B),
          maplist({Scope}/[op(P, T, N)]>>scope_op(Scope, P, T, N, _), Restore),
          in_scope(Scope, "a ===> b", C)
        ),
        free_scope(Scope)),
    Restore == [op(0, xfx, ===>), op(700, xfx, is)].
test(restore_names_the_type_it_had, Restore == [op(200, xfy, ^), op(200, fy, -)]) :-
    setup_call_cleanup(
        new_scope(Scope),
        ( scope_op(Scope, 100, yfx, ^, R1),
          scope_op(Scope, 100, fx, -, R2)
        ),
        free_scope(Scope)),
    append(R1, R2, Restore).
test(removed_operator, Term == e) :-
    setup_call_cleanup(
        new_scope(Scope),
        ( scope_op(Scope, 0, xfx, is, _),
          in_scope(Scope, "X is 1", Term)
        ),
        free_scope(Scope)).
test(illegal_operator_changes_nothing, Error-Term == permission_error(modify, operator, (','))-e) :-
    setup_call_cleanup(
        new_scope(Scope),
        ( catch(scope_op(Scope, 700, xfx, [===>, (',')], _), error(Error, _), true),
          in_scope(Scope, "a ===> b", Term)
        ),
        free_scope(Scope)).
test(operator_of_another_module, error(type_error(atom, user: ===>))) :-
    setup_call_cleanup(
        new_scope(Scope),
        scope_op(Scope, 700, xfx, user: ===>, _),
        free_scope(Scope)).
test(operator_unbound, error(instantiation_error)) :-
    setup_call_cleanup(
        new_scope(Scope),
        scope_op(Scope, 700, xfx, [a, _], _),
        free_scope(Scope)).
test(flag_and_back, [A, B, Restore] == [[0'a], "a", [set_prolog_flag(double_quotes, string)]]) :-
    setup_call_cleanup(
        new_scope(Scope),
        ( scope_flag(Scope, double_quotes, codes, Restore),
          in_scope(Scope, "\"a\"", A),
          Restore = [set_prolog_flag(Flag, Old)],
          scope_flag(Scope, Flag, Old, _),
          in_scope(Scope, "\"a\"", B)
        ),
        free_scope(Scope)).
test(other_flags_are_refused, error(permission_error(modify, flag, stack_limit))) :-
    setup_call_cleanup(
        new_scope(Scope),
        scope_flag(Scope, stack_limit, 1, _),
        free_scope(Scope)).
test(scopes_do_not_see_each_other, A-B == e-"a") :-
    setup_call_cleanup(
        ( new_scope(One), new_scope(Two) ),
        ( scope_op(One, 700, xfx, ===>, _),
          scope_flag(One, double_quotes, codes, _),
          in_scope(Two, "a ===> b", A),
          in_scope(Two, "\"a\"", B)
        ),
        ( free_scope(One), free_scope(Two) )).
test(nothing_of_the_user_is_seen, A-B == e-"a") :-
    setup_call_cleanup(
        ( op(700, xfx, user: ===>), set_prolog_flag(user:double_quotes, codes) ),
        setup_call_cleanup(
            new_scope(Scope),
            ( in_scope(Scope, "a ===> b", A),
              in_scope(Scope, "\"a\"", B)
            ),
            free_scope(Scope)),
        op(0, xfx, user: ===>)).
test(scopes_are_freed, Before == After) :-
    findall(M, current_module(M), Before),
    items(file, "p. q. r('a).\n", _),
    findall(M, current_module(M), After).

:- end_tests(scopes).


:- begin_tests(queries).

refused(Text, Line:Column:Offset, Words) :-
    catch(read_query(Text, _, _), Problem, true),
    Problem = error(syntax_error, Message, Line, Column, Offset),
    once(sub_string(Message, _, _, _, Words)).

test(without_period, Term-Names == (X=1)-['X'=X]) :-
    read_query("X = 1", Term, Names),
    Term = (X=_).
test(with_period_and_comment, Term == p) :-
    read_query("p. % yes\n /* no */ ", Term, _).
test(operators_of_the_libraries, Term == '#>'(3, 2)) :-
    read_query("3 #> 2", Term, _).
test(text_after_the_period) :-
    refused("X = 1. foo", 1:7:7, "end of clause expected").
test(end_of_file_after_the_period) :-
    refused("X = 1. end_of_file.", 1:7:7, "end of clause expected").
test(open_comment_after_the_period) :-
    refused("p.\n/* q", 2:0:3, "end of clause expected").
test(empty_text) :-
    refused("", 1:0:0, "no term").
test(comment_only) :-
    refused(" % nothing", 1:0:0, "no term").
test(syntax_error) :-
    refused("p(a b)", 1:4:4, "operator expected").
test(open_bracket) :-
    refused("p(a", 1:3:3, "expected").
test(open_quote) :-
    refused("X = 'abc", 1:4:4, "unterminated quoted atom").

:- end_tests(queries).


:- begin_tests(library_operators).

library(clpfd).
library(clpb).

test(those_the_libraries_export, Ours == Theirs) :-
    findall(Op,
            ( library(Library),
              use_module(library(Library), []),
              module_property(Library, exported_operators(Ops)),
              member(Op, Ops)
            ),
            Exported),
    sort([op(1, fx, $),op(201, xfx, +\)|Exported], Theirs),   % of `user`, and of library(lambda), which is Hornbook's own
    library_operators(Operators),
    sort(Operators, Ours).

:- end_tests(library_operators).


:- begin_tests(much_broken_text).

% fences(+Count, +After, -Text): the first line of a block of Markdown, Count times, each followed by After.
fences(Count, After, Text) :-
    format(string(Line), "```query~n~w", [After]),
    findall(Line, between(1, Count, _), Lines),
    atomic_list_concat(Lines, Text0),
    atom_string(Text0, Text).

test(lines_of_markdown_are_lost_alone, [true(Count-Terms == 50-50)]) :-
    fences(50, "p.\n", Text),
    terms(file, Text, All),
    aggregate_all(count, member(e, All), Count),
    aggregate_all(count, member(p, All), Terms).
test(without_periods_the_rest_is_not_read_again_for_each_line, [true(Count < 40)]) :-
    fences(4000, "", Text),
    terms(file, Text, All),
    length(All, Count).

:- end_tests(much_broken_text).
