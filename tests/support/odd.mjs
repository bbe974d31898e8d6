// Terms that are hard to write, to read, or to carry, as Prolog text of one line each.

const deep = (depth) => `${'f('.repeat(depth)}x${')'.repeat(depth)}`;

/** Arguments that every clause may have. */
export const ODD = [
  '"\\x0\\"', "'\\x0\\'", '"a\\x0\\\\"b"', '"\\n"', "'\\\\'", "'it''s'", '"\\u202E\\u0000\\u2028"', '"\\uFEFF\\U0001F600"', "'\\e[31m'",
  "'$VAR'(1)", "'$VAR'('X')", "'$VAR'('\"}]')", "'$VAR'(\"x\")", "'$VAR'(-1)", "g(A, B, A, '$VAR'(0), _)",
  '- 1', '-(1)', '-(-(1))', '1 - -1', '- a', '\\+a', '(a:-b,c;d->e)', '(:- a)', '[a|b]', "'[]'", '[]', "'[]'(1)", '{}', '{a,b}', "'{}'", "','", "'|'", '(a|b)',
  '#', '#(1)', '#(-(1))', '-(#(1))', '$', '$(1)', '*', '(=)', '[-]', '[(:-)]', '(dynamic)', 'dynamic(a)', '\\', '^', '(a:b:c)', "';'(a)", '!', "'.'", "'.'(1,1)", '!(a)',
  'end_of_file', '(end_of_file:-a)', "'/*'", '"/* %"', "'%'", '"*/"', "0'a", "[0' ,0'''']", '1.0Inf', '1.5NaN', '-0.0', '1.0e100', '123456789012345678901234567890', '1r3',
  'a/b', 'parent/2', 'a//2', '_{a: 1, b: "x"}', 'point{x: _, y: 2}', '"a b"', "'A'", "'_x'", "''", '""', '`ab`', "'\\t'", "' '", 'é', "'日本'", 'A-B-A', '[_, _|_]',
  deep(400), `[${Array(300).fill('x').join(',')}]`, `"${'long '.repeat(2000)}"`, `'${'x'.repeat(5000)}'`, '(a,b,c)', '((a,b),c)', 'f((a,b))', "f(',')", "'\\x7F\\'",
];

/** Goals that change clauses, or try to, in ways that must not be half done. */
export const CHANGES = [
  'assertz(a/b)', 'assertz(parent/2)', 'retractall(_/_)', 'dynamic((/)/2)', 'abolish((//)/2)', 'assertz(end_of_file)', 'assertz((end_of_file:-true))',
  'assertz(#(!))', 'assertz([a])', "assertz('[]'(1))", 'assertz([])', 'assertz({a})', 'assertz(null(1))', 'assertz(true(1))', 'assertz(false(1))',
  'current_output(S),assertz(zz_stream(S))', 'clause(zz_none,_,R),assertz(zz_ref(R))', 'X=f(X),assertz(zz_cyclic(X))', 'freeze(V,true),assertz(zz_frozen(V))',
  'put_attr(V,user,x),asserta(zz_attr(V))', 'dynamic([zz_good/1,atom/1])', 'dynamic(zz_far/100000)', 'retract((zz_p(_):-_))', 'asserta((zz_p(1):-zz_q,!))',
  'numlist(1,2000,L),foldl([_,T0,f(T0)]>>true,L,x,T),assertz(zz_deep(T))', "assertz('$zz'(1))", 'assertz((:- zz))', 'assertz((a-->b))', 'assertz((zz(X):-X))', 'assertz(foo:zz)',
  'forall(between(1,50,I),(assertz(zz_many(I)),(I mod 2=:=0->retract(zz_many(I));true)))', 'retractall(zz_many(_))', 'abolish(zz_many/1)', 'assertz((zz_p(X):-X=a,\\+b(X)))',
];
