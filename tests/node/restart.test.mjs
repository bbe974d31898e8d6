// What clauses mean: the same in the engine that took the changes one by one as in a new one that reads the book.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Process } from '../support/process.mjs';

let server;
before(() => (server = new Process({})));
after(() => server.end());

const call = (name, values) => server.call(0, name, values);

/** The answers of a goal, or the start of its error's message. */
async function solve(query) {
  const { answers, error, output } = await call('query_start', { query, take: 20 });
  return error
    ? error.message.split('\n')[0]
    : (answers ?? []).map((one) => Object.values(one).join(' ')).join(', ') + (output ?? '');
}

const STEPS = {
  '+': (clauses) => call('clauses', { operation: 'assert', clauses: [clauses] }),
  '-': (clauses) => call('clauses', { operation: 'retract', clauses: [clauses] }),
  '?': (query) => call('query_start', { query, take: 20 }),
  undo: () => call('workspace', { operation: 'undo', steps: 1 }),
  unimport: (filename) => call('files', { operation: 'unimport', filename }),
};

/** `steps`: `[sign, text]`, or `[file, text]` to import; `goals`: each with what solve gives, a text or a pattern. */
function stays(name, steps, goals) {
  test(name, async () => {
    await call('workspace', { operation: 'reset' });
    for (const [what, text] of steps) {
      if (what.endsWith('.pl')) await call('files', { operation: 'import', filename: what, text });
      else await STEPS[what](text);
    }
    for (const when of ['at first', 'in a new engine']) {
      for (const [goal, answers] of Object.entries(goals)) {
        const given = await solve(goal);
        if (answers instanceof RegExp) assert.match(given, answers, `${goal} ${when}`);
        else assert.equal(given, answers, `${goal} ${when}`);
      }
      assert.deepEqual(await server.differences(), [], when);
      server.endEngines();
    }
  });
}

const FUNCTION = 'p(1).\nq(1).\np(_{a:1}.a).';
stays('a fact with functional notation is evaluated, after other facts too', [['+', FUNCTION]], { 'p(X)': '1, 1' });
stays(
  '… after a failing query',
  [
    ['+', FUNCTION],
    ['?', 'retract(p(1)), fail'],
  ],
  { 'p(X)': '1, 1' },
);
stays('… after an undo', [['+', FUNCTION], ['?', 'retract(p(1))'], ['undo']], { 'p(X)': '1, 1' });
stays('… when it follows at once', [['+', 'p(1). p(_{a:1}.a). p(2).']], { 'p(X)': '1, 1, 2' });

stays(
  'a term that reads as functional notation cannot be asserted',
  [
    ['?', "compound_name_arguments(X, '.', [a,b]), assertz(q(X))"],
    ['+', 'q(1).'],
  ],
  {
    'q(X)': '1',
    "compound_name_arguments(X, '.', [a,b]), catch(assertz(q(X)), error(representation_error(T),_), true), T == dict_function, X = _":
      /./,
  },
);

const ALL = { 'findall(X, a(X), L)': /\[9,10\]/, 'findall(X, m:a(X), L)': /\[8\]/ };
stays('a fact after a fact of a module stays where it was written', [['+', 'm:a(8). a(9). a(10).']], ALL);
stays(
  '… in calls of their own',
  [
    ['+', 'm:a(8).'],
    ['+', 'a(9). a(10).'],
  ],
  ALL,
);
stays('… as running code has asserted it', [['?', 'assertz(m:a(8)), assertz(a(9)), assertz(a(10))']], ALL);
stays(
  '… in the text of another module',
  [['one.pl', ':- module(one, []).\ntwo:a(8).\na(9).\nt(L) :- findall(X, a(X), L).']],
  {
    'one:t(L)': '[9]',
    'findall(X, two:a(X), L)': /\[8\]/,
  },
);
stays(
  '… for facts of no module in the text of a module',
  [['one.pl', ':- module(one, []).\na(9).\nuser:a(8).\na(10).']],
  {
    'findall(X, one:a(X), L)': /\[9,10\]/,
    'findall(X, a(X), L)': /\[8\]/,
  },
);
stays('… for atoms', [['?', 'assertz(m:k), assertz(k)']], { k: '', 'm:k': '' });
stays(
  'tests belong to the module of their text, the second too',
  [
    [
      'one.pl',
      ':- module(one, []).\nloc(1).\n:- begin_tests(u).\ntest(a, true(loc(_))).\ntest(b, true(loc(_))).\n:- end_tests(u).',
    ],
  ],
  { run_tests: /2 passed/ },
);

const TWO = ['two.pl', ':- module(two, []).\nd(1).'];
stays('call/N of a private predicate', [TWO, ['?', 'assertz((y(X) :- call(two:d,X)))']], {
  'y(X)': '1',
  'clause(y(_),B)': /call\(two:d,/,
});
stays(
  '… after what makes clauses translate again',
  [TWO, ['+', 'y(X) :- call(two:d,X).'], ['+', ':- use_module(library(reif)).']],
  { 'y(X)': '1' },
);
const THREE = (more) => ['three.pl', `:- module(three, [t/1]).\nloc(1).\nt(X) :- call(loc,X).\n${more}`];
stays('… in its own module', [THREE('')], { 't(X)': '1' });
stays('… with calls of what comes later', [THREE('s :- later.\nlater.')], { 't(X)': '1' });
stays('… after a clause for a predicate of a library', [THREE(''), ['+', 'append(a,b,c).']], { 't(X)': '1' });

const ASSERTED = [
  ['one.pl', ':- module(one, []).\ng --> "x".\nnine(A,_,_,_,_,_,_,_,_) :- A = 1.'],
  [
    '?',
    'assertz(one:(p(L) :- phrase(g,L))), assertz(one:(d(L) :- call_dcg(g,L,[]))), ' +
      'assertz(one:(w(X) :- call(nine,X,2,3,4,5,6,7,8,9))), assertz(one:(c(M) :- context_module(M)))',
  ],
];
stays('clauses asserted into a module are text of it', ASSERTED, {
  'one:p(`x`)': '',
  'one:d(`x`)': '',
  'one:w(X)': '1',
  'one:c(M)': 'one',
});

stays(
  'a clause that is refused makes nothing private',
  [
    ['+', 'c(1).'],
    ['?', 'catch(assertz(three:(c(_) :- shell(x))), _, true)'],
  ],
  {
    'three:c(X)': '1',
  },
);
stays(
  '… in a file',
  [
    ['m.pl', ':- module(m, []).\nt(X) :- c(X).\nc(X) :- shell(X).'],
    ['+', 'c(1).'],
  ],
  { 'm:t(X)': '1' },
);
stays(
  'a definition that is refused defines nothing',
  [
    ['+', 'x :- shell(a).\nshell(X) :- rename_file(X, y).'],
    ['+', 'y :- shell(a).\n:- if(fail).\nshell(b).\n:- endif.'],
  ],
  {
    x: /dangerous predicate shell/,
    y: /dangerous predicate shell/,
    'assertz((q :- shell(1)))': /dangerous predicate shell/,
  },
);

for (const [what, goal] of Object.entries({
  strip_module: 'strip_module(two:foo, _, _)',
  portray_clause: 'portray_clause((c(X) :- two:app(b,X)))',
})) {
  stays(
    `${what} leaves a module free`,
    [
      ['?', 'assertz((c(X) :- two:app(b,X)))'],
      ['?', goal],
      ['?', 'assertz(two:app(b,1))'],
    ],
    { 'c(X)': '1' },
  );
}

stays(
  'a closure keeps its module',
  [
    ['?', 'assertz(one:d(1))'],
    ['+', 'c(flat).\nt(X) :- maplist(one:c,[X]).'],
    ['?', 'assertz(one:c(priv))'],
  ],
  { 't(X)': 'priv', 'clause(t(_),B)': /one:c/ },
);
stays(
  'a call of an exported predicate keeps its module',
  [
    ['m.pl', ':- module(one, [a/1]).\na(1).'],
    ['+', 't(X) :- one:a(X).\nu(L) :- findall(X, one:a(X), L).\nv(X) :- maplist(one:a, [X]).'],
    ['?', 'assertz((w(X) :- one:a(X)))'],
    ['unimport', 'm.pl'],
    ['m.pl', ':- module(one, [b/1]).\na(2).\nb(3).'],
  ],
  { 't(X)': '2', 'u(L)': '[2]', 'v(X)': '2', 'w(X)': '2' },
);
const LIB = ':- module(lib, [app/2]).\n';
const META = ':- meta_predicate app(1, ?).\n';
const APP = 'app(G, X) :- call(G, X).\nloc(lib).\n';
const USE = ['use.pl', ':- module(use, []).\nloc(use).\nt(X) :- app(loc, X).'];
const FLAT = ['+', 'loc(flat).\nt2(X) :- app(loc, X).'];
stays(
  'callers follow a meta_predicate declaration that goes',
  [['lib.pl', LIB + META + APP], USE, FLAT, ['unimport', 'lib.pl'], ['lib.pl', LIB + APP]],
  { 'use:t(X)': 'lib', 't2(X)': 'lib' },
);
stays('… and one that comes later', [USE, FLAT, ['lib.pl', LIB + META + APP]], { 'use:t(X)': 'use', 't2(X)': 'flat' });
stays(
  'a multifile declaration outlives what running code takes back',
  [
    ['+', ':- multifile a/1.'],
    ['?', 'assertz(a(1)), fail'],
  ],
  {
    'a(X)': '',
  },
);
stays('… and an undo', [['+', ':- multifile a/1.'], ['?', 'assertz(a(1))'], ['undo']], { 'a(X)': '' });
stays(
  'a private predicate that becomes exported keeps its clauses',
  [
    ['?', 'assertz(one:a(1))'],
    ['m.pl', ':- module(one, [a/1]).\na(2).'],
  ],
  { 'findall(X, one:a(X), L)': /\[1,2\]/, 'findall(X, a(X), L)': /\[1,2\]/ },
);
stays(
  '… or multifile',
  [
    ['m.pl', ':- module(one, []).\nhook(1).\nt(X) :- hook(X).'],
    ['+', ':- multifile one:hook/1.'],
  ],
  { 'one:t(X)': '1' },
);
for (const [what, text] of [
  ['', ''],
  [' with clauses', '\none:c(1).'],
]) {
  stays(
    `a declaration goes with its file${what}`,
    [
      ['f3.pl', `:- dynamic one:c/1.${text}`],
      ['unimport', 'f3.pl'],
    ],
    {
      'c(X)': /Unknown procedure/,
      'one:c(X)': /Unknown procedure/,
    },
  );
}
