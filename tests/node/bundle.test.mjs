// Bundles of rules: made, deployed once their tests pass, refused, and taken back.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bundleOf, openBook } from '../../pkg/index.js';
import { BIN } from '../support/stdio.mjs';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-bundle-')));
after(() => rmSync(directory, { recursive: true }));

const RULES = (limit) => `cheap(X) :- price(X, P), P < ${limit}.\n`;
const TESTS = ':- begin_tests(cheap).\ntest(tea) :- cheap(tea).\n:- end_tests(cheap).\n';
const bundle = (version, limit, ...more) =>
  bundleOf(version, [{ name: 'rules.pl', text: RULES(limit) }, { name: 'rules.plt', text: TESTS }, ...more]);

test('a bundle is taken over as one revision, the next one in its place, and undone', async () => {
  const book = await openBook();
  await book.assert('price(tea, 3).', 'price(coffee, 7).');
  const first = await book.deploy(await bundle('1.0.0', 5, { name: 'extra.pl', text: 'extra(1).\n' }));
  assert.equal(first.version, '1.0.0');
  assert.equal(first.before, undefined);
  assert.deepEqual(
    { passed: first.tests.passed, failed: first.tests.failed, added: first.clausesAdded > 0 },
    { passed: 1, failed: 0, added: true },
  );
  const second = await book.deploy(JSON.stringify(await bundle('1.1.0', 10)));
  assert.equal(second.before, '1.0.0');
  assert.deepEqual(await book.all('cheap(X)'), [{ X: 'tea' }, { X: 'coffee' }]);
  assert.deepEqual((await book.files()).map(({ filename }) => filename).sort(), [
    'deployed_bundle.pl',
    'rules.pl',
    'rules.plt',
  ]);
  assert.equal((await book.once('deployed_bundle(V, _, _)')).V, '1.1.0');
  await book.undo();
  assert.deepEqual(await book.all('cheap(X), extra(Y)'), [{ X: 'tea', Y: 1 }]);
  assert.equal((await book.once('deployed_bundle(V, _, _)')).V, '1.0.0');
  await book.close();
});

test('a bundle whose tests fail, that cannot be read or was changed is refused, and nothing changes', async () => {
  const book = await openBook();
  await book.assert('price(tea, 3).');
  await book.deploy(await bundle('1.0.0', 5));
  const source = await book.source();
  await assert.rejects(async () => book.deploy(await bundle('2.0.0', 2)), {
    kind: 'tests_failed',
    message:
      /^The bundle 2\.0\.0 is not deployed, and nothing was changed\. 0 tests pass, 1 fails that passed before\.\n {2}cheap:tea: /,
  });
  const broken = await bundleOf('2.0.1', [{ name: 'rules.pl', text: 'cheap(X :- price(X, _).\n' }]);
  await assert.rejects(() => book.deploy(broken), { kind: 'import_errors', message: /rules\.pl/ });
  const changed = { ...(await bundle('2.0.2', 5)), version: '2.0.3' };
  await assert.rejects(() => book.deploy(changed), {
    kind: 'invalid_argument',
    message: /was changed after it was made/,
  });
  await assert.rejects(() => book.deploy('{}'), {
    kind: 'invalid_argument',
    message: /not a bundle: it has no version/,
  });
  assert.equal(await book.source(), source);
  await assert.rejects(() => book.deploy(broken), { message: /and nothing was changed\. rules\.pl: (?!.*undo)/ });
  const wrong = { kind: 'invalid_argument' };
  for (const files of ['1', undefined, [null], [{ name: 'a.pl' }], [{ name: './deployed_bundle.pl', text: '' }]])
    await assert.rejects(() => bundleOf('1', files), wrong);
  await assert.rejects(async () => book.deploy(await bundle('3', 5), { timeoutMs: -3 }), wrong);
  await book.close();
});

const files = (version, contents) =>
  bundleOf(
    version,
    Object.entries(contents).map(([name, text]) => ({ name, text })),
  );
const names = async (book) => (await book.files()).map(({ filename }) => filename).sort();

test('what checks find in a bundle is told, and refuses it only where no test looks', async () => {
  const book = await openBook();
  await book.assert('price(tea, 3).');
  const rules = { name: 'rules.pl', text: 'cheap(X) :- price(X, P), P < 5.\ndear(X) :- cost(X, _).\n' };
  await assert.rejects(async () => book.deploy(await bundleOf('1', [rules])), {
    kind: 'import_errors',
    message:
      /^The bundle 1 is not deployed.* no tests.*: rules\.pl:2:11: cost\/2 is not defined\. Did you mean cos\/2\? Mend that/,
  });
  assert.equal(await book.source(), 'price(tea, 3).');
  const tests = { name: 'rules.plt', text: ':- begin_tests(c).\ntest(tea) :- cheap(tea).\n:- end_tests(c).\n' };
  const { problems } = await book.deploy(await bundleOf('1', [rules, tests]));
  assert.deepEqual(problems, ['rules.pl:2:11: cost/2 is not defined. Did you mean cos/2?']);
  const declared = { name: 'rules.pl', text: `:- dynamic cost/2.\n${rules.text}` };
  const other = await openBook();
  await other.assert('price(tea, 3).');
  assert.deepEqual((await other.deploy(await bundleOf('2', [declared]))).problems, []);
  const asks = 'any(X) :- ( current_predicate(opt/1) -> opt(X) ; X = none ).\n';
  assert.deepEqual((await other.deploy(await bundleOf('2.1', [{ name: 'any.pl', text: asks }]))).problems, []);
  await assert.rejects(
    async () => other.deploy(await bundleOf('2.2', [{ name: 'any.pl', text: `${asks}one :- opt(1).\n` }])),
    {
      message: /any\.pl:2:7: opt\/1 is not defined/,
    },
  );
  await other.undo();
  for (const directive of ['fail', 'throw(no)', 'initialization(cheap(gold))'])
    await assert.rejects(
      async () => other.deploy(await bundleOf('3', [{ name: 'rules.pl', text: `${declared.text}:- ${directive}.\n` }])),
      { kind: 'import_errors', message: /^The bundle 3 is not deployed, and nothing was changed\. rules\.pl: / },
    );
  await book.close();
  await other.close();
});

test('a bundle that is deployed again leaves retracted what goals have retracted', async () => {
  const book = await openBook();
  const counter = await files('1', {
    'n.pl': ':- dynamic n/1.\nn(0).\nbump :- retract(n(N)), M is N+1, assertz(n(M)).\n',
  });
  await book.deploy(counter);
  await book.once('bump');
  const again = await book.deploy(counter);
  assert.deepEqual([again.clausesRetracted, again.clausesAdded, again.replaced], [1, 0, []]);
  assert.deepEqual(await book.all('n(X)'), [{ X: 1 }]);
  await book.close();
});

test('files that were changed since a bundle was deployed are told when they are replaced', async () => {
  const book = await openBook();
  const first = await files('1', { 'a.pl': 'a(1).\n', 'b.pl': 'b(1).\n' });
  await book.deploy(first);
  await book.import('b.pl', 'b(2).\n');
  const again = await book.deploy(first);
  assert.deepEqual([again.changed, again.replaced], [['b.pl'], ['b.pl']]);
  assert.deepEqual(await book.all('b(X)'), [{ X: 1 }]);
  await book.import('b.pl', 'b(2).\n');
  const fixed = await book.deploy(await files('2', { 'a.pl': 'a(1).\n', 'b.pl': 'b(2).\n' }));
  assert.deepEqual(fixed.changed, [], 'the bundle has the same change');
  await book.close();
});

test('bundle: a file that is no bundle is only overwritten with --force', () => {
  const [rules, out] = [join(directory, 'forced.pl'), join(directory, 'mine.txt')];
  writeFileSync(rules, 'a(1).\n');
  writeFileSync(out, 'mine\n');
  const run = (...args) =>
    spawnSync(process.execPath, [BIN, 'bundle', '--release', '1', '--out', out, ...args, 'forced.pl'], {
      cwd: directory,
      encoding: 'utf8',
    });
  const refused = run();
  assert.deepEqual([refused.status, readFileSync(out, 'utf8')], [2, 'mine\n']);
  assert.match(refused.stderr, /is no bundle: name another file, or add --force/);
  assert.equal(run('--force').status, 0);
  assert.equal(run().status, 0, 'a bundle is overwritten');
});

test('only what deploy has written says which files a bundle had', async () => {
  const book = await openBook();
  await book.import('keep.pl', 'keep(1).\n');
  await book.assert('deployed_bundle("0", "0", ["keep.pl"]).');
  assert.equal((await book.deploy(await files('1', { 'a.pl': 'p(1).\n' }))).before, undefined);
  await book.assert('deployed_bundle("x", "y", []).');
  const { before, replaced } = await book.deploy(await files('2', { 'b.pl': 'p(2).\n' }));
  assert.deepEqual([before, replaced], ['1', []]);
  assert.deepEqual(await names(book), ['b.pl', 'deployed_bundle.pl', 'keep.pl']);
  await book.unimport('deployed_bundle.pl');
  const next = await book.deploy(await files('3', { 'keep.pl': 'keep(2).\n' }));
  assert.deepEqual([next.before, next.replaced], [undefined, ['keep.pl']]);
  assert.deepEqual(await names(book), ['b.pl', 'deployed_bundle.pl', 'keep.pl']);
  assert.deepEqual(await book.all('keep(X)'), [{ X: 2 }]);
  await book.close();
});

test('clauses are in the order of the files, whatever was deployed before', async () => {
  const book = await openBook();
  await book.deploy(await files('1', { 'b.pl': 'p(b).\n' }));
  await book.deploy(await files('2', { 'a.pl': 'p(a).\n', 'b.pl': 'p(b).\n' }));
  assert.deepEqual(await book.all('p(X)'), [{ X: 'a' }, { X: 'b' }]);
  await book.close();
});

test('what was retracted stays so when a file before another one changes, and when it is deployed again', async () => {
  const book = await openBook();
  const counter = ':- dynamic n/1.\nn(0).\nbump :- retract(n(N)), M is N+1, assertz(n(M)).\n';
  const of = (version, text) => files(version, { 'c.pl': text, 'r.pl': 'r(1).\n' });
  await book.deploy(await of('1', counter));
  await book.once('bump');
  const told = [];
  for (const version of ['2', '3', '4']) {
    const { problems } = await book.deploy(await of(version, version === '4' ? counter : `${counter}z(1).\n`));
    told.push(problems.length);
    assert.deepEqual(await book.all('n(X)'), [{ X: 1 }], `after ${version}`);
  }
  assert.deepEqual(told, [0, 1, 1], 'the order of the files is told');
  await book.close();
});

test('a bundle is taken over beside a writer that never pauses', async () => {
  const book = await openBook();
  let isOver = false;
  let written = 0;
  const writer = (async () => {
    while (!isOver) await book.assert(`w(${written++}).`);
  })();
  for (const version of ['1', '2'])
    await book.deploy(await files(version, { 'rules.pl': `cheap(tea).\nversion(${version}).\n`, 'rules.plt': TESTS }));
  isOver = true;
  await writer;
  assert.deepEqual(await book.all('version(X)'), [{ X: 2 }]);
  assert.equal((await book.once('aggregate_all(count, w(_), N)')).N, written);
  await book.close();
});

test('a loop over answers goes on while a bundle is taken over', async () => {
  const book = await openBook();
  await book.assert('price(tea, 3).', 'price(milk, 1).', 'price(coffee, 7).');
  await book.deploy(await bundle('1.0.0', 5));
  const found = [];
  for await (const { X } of book.query('between(1, 2, N), cheap(X)', { ahead: 1 })) {
    found.push(X);
    if (found.length === 1) await book.deploy(await bundle('1.1.0', 10));
  }
  assert.deepEqual(found, ['tea', 'milk', 'tea', 'milk', 'coffee'], 'what it calls afterwards is new');
  await book.close();
});

test('the command line makes the same bundle of the same files, and deploys it', async () => {
  const hornbook = (...args) => spawnSync(process.execPath, [BIN, ...args], { cwd: directory, encoding: 'utf8' });
  writeFileSync(join(directory, 'rules.pl'), `price(tea, 3).\n${RULES(5)}`);
  writeFileSync(join(directory, 'rules.plt'), TESTS);
  const made = hornbook('bundle', '--release', '1.2.0', '--out', 'a.bundle', 'rules.pl', 'rules.plt');
  assert.match(made.stdout, /^a\.bundle: version 1\.2\.0, 2 files, sha256 [0-9a-f]{64}\n$/);
  hornbook('bundle', '--release', '1.2.0', '--out', 'b.bundle', './rules.pl', join(directory, 'rules.plt'));
  const [a, b] = ['a.bundle', 'b.bundle'].map((name) => readFileSync(join(directory, name), 'utf8'));
  assert.equal(a, b);
  const done = hornbook('deploy', 'shop.book', 'a.bundle');
  assert.match(
    done.stdout,
    /^shop\.book: a new book\nshop\.book: version 1\.2\.0 is in use, no bundle is known to be before it; 3 clauses added, 0 removed\. 1 test passes\.\n$/,
  );
  assert.equal(hornbook('ask', '--book', 'shop.book', 'cheap(X)').stdout.includes('X = tea'), true);
  writeFileSync(join(directory, 'rules.pl'), `price(tea, 3).\n${RULES(2)}`);
  hornbook('bundle', '--release', '1.3.0', '--out', 'c.bundle', 'rules.pl', 'rules.plt');
  const refused = hornbook('deploy', 'shop.book', 'c.bundle');
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(refused.stderr, /The bundle 1\.3\.0 is not deployed.*1 fails that passed before/);
  writeFileSync(join(directory, 'other.pl'), 'other(1).\n');
  hornbook('bundle', '--release', '1.4.0', '--out', 'd.bundle', 'other.pl');
  assert.match(
    hornbook('deploy', 'shop.book', 'd.bundle').stdout,
    /before it 1\.2\.0; 1 clause added, .*\n {2}the test cheap:tea is removed\n$/,
  );
  assert.match(hornbook('bundle', '--release', '1', '--out', './other.pl', 'other.pl').stderr, /is one of the files/);
  assert.match(hornbook('bundle', 'rules.pl').stderr, /takes a version, where it goes and files/);
});
