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
    /^shop\.book: version 1\.2\.0 is in use; \d+ clauses added, 0 removed\. 1 test passes\.\n$/,
  );
  assert.equal(hornbook('ask', '--book', 'shop.book', 'cheap(X)').stdout.includes('X = tea'), true);
  writeFileSync(join(directory, 'rules.pl'), `price(tea, 3).\n${RULES(2)}`);
  hornbook('bundle', '--release', '1.3.0', '--out', 'c.bundle', 'rules.pl', 'rules.plt');
  const refused = hornbook('deploy', 'shop.book', 'c.bundle');
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(refused.stderr, /The bundle 1\.3\.0 is not deployed.*1 fails that passed before/);
  assert.match(hornbook('bundle', 'rules.pl').stderr, /takes a version, where it goes and files/);
});
