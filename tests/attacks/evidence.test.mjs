// Attacks on relations that are asked: a program that reaches for what the host has not named, arguments that are code, and
// answers of tools that are huge, deep, of another shape, or Prolog.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBook } from '../../pkg/index.js';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-attacks-evidence-'));
const at = (name) => join(folder, name);
const script = join(import.meta.dirname, '../support/shop-server.mjs');
process.env.TILL_KEY_OF_TEST = 'very-hushed-key';
const server = {
  command: process.execPath,
  args: [script, at('world.json'), at('calls.log')],
  env: { TILL_KEY: '${TILL_KEY_OF_TEST}' },
};
const calls = () => readFileSync(at('calls.log'), 'utf8').split('\n').filter(Boolean);
const N = ['-n'];
const relations = {
  echo: ['+value', '-said'],
  secret: N,
  huge: ['-text'],
  many: N,
  deep: N,
  deep_enough: N,
  other: N,
  listless: N,
  nul: N,
  code: N,
  proto: N,
  two: ['-n', '-m'],
  text: ['-a', '-b'],
};
let book;

before(async () => {
  writeFileSync(at('world.json'), '{"tea":3}');
  writeFileSync(at('calls.log'), '');
  book = await openBook({ data: { shop: { server, relations, record: true } } });
  await book.assert(Object.entries(relations).map(([name, { length }]) => `:- data(${name}/${length}, shop:${name}).`));
});
after(async () => {
  await book.close();
  rmSync(folder, { recursive: true, force: true });
});

test('what is known is a value for the tool, whatever it has', async () => {
  const values = [
    '"}, "item": "x',
    "'), halt, foo('",
    '${TILL_KEY_OF_TEST}',
    '{item}',
    '../../x',
    'a\nb',
    '__proto__',
    'ünï 🫖',
    '',
  ];
  for (const value of values) {
    const { S } = await book.once(`echo('${value.replaceAll("'", "\\'").replaceAll('\n', '\\n')}', S)`);
    assert.deepEqual(JSON.parse(S), { value });
  }
  assert.equal((await book.once('echo(null, S)')).S, '{"value":null}');
});

test('an answer is values, whatever it has', async () => {
  assert.deepEqual(await book.once('code(N), atom(N)'), { N: "x'), halt, foo('" });
  await assert.rejects(book.once('proto(N)'), /its answer has none of the columns n/);
  assert.equal({}.n, undefined);
  await assert.rejects(book.once('nul(N)'), /NUL character/);
});

test('an answer that is huge, deep or of another shape is an error that says so, and the next is asked', async () => {
  for (const [goal, why] of [
    ['huge(_)', /shop: its answer has more than 1048576 bytes \(limit: data_answer_bytes\)/],
    ['many(_)', /shop: its answer has more than 1048576 bytes/],
    ['deep(_)', /shop: its answer is nested deeper than 100 levels/],
    ['deep_enough(_)', /shop: its answer is nested deeper than 100 levels/],
    ['other(_)', /shop: its answer has none of the columns n/],
    ['text(_, _)', /shop: its answer has none of the columns a, b/],
    ['two(_, _)', /shop: there is no tool two/],
  ]) {
    await assert.rejects(book.once(goal), (error) => {
      assert.match(error.message, why, goal);
      assert.ok(error.message.length < 1_500, goal);
      assert.doesNotMatch(error.message, /\.m?js:\d/);
      return true;
    });
    assert.ok(await book.once('echo(1, _)'));
  }
  assert.deepEqual(await book.all('listless(N)'), [{ N: 1 }, { N: 7 }, { N: null }]);
});

test('an error does not tell what the environment of the server has', async () => {
  await assert.rejects(book.once('secret(_)'), (error) => {
    assert.match(error.message, /no access with …/);
    assert.doesNotMatch(JSON.stringify([error.message, error.stack]), /very-hushed-key/);
    return true;
  });
});

test('a program reaches only what the host has named', async () => {
  const before = calls().length;
  for (const from of [
    'shop:get_price',
    "shop:'get_price'",
    "shop:'__proto__'",
    'shop:constructor',
    'other:echo',
    "'shop:echo'",
  ]) {
    const name = `reach${before + Math.floor(Math.random() * 1e9)}`;
    await book.assert(`:- data(${name}/2, ${from}).`);
    await assert.rejects(book.once(`${name}(a, X)`), /has no relation|there is no source/, from);
  }
  await assert.rejects(book.assert(':- data(x/2, shop:echo:more).'));
  await assert.rejects(book.assert(':- data(x/2, tool(F)).'));
  assert.equal(calls().length, before);
});

test('a proof of why not asks what the goal says, and tries no other values', async () => {
  const before = calls().length;
  const told = String(await book.why("echo('Tea', tea)"));
  assert.match(told, /echo\('Tea',tea\) fails/);
  assert.deepEqual([...new Set(calls().slice(before))], ['echo {"value":"Tea"}']);
});

test('answers that a query asks for without end are bounded', async () => {
  await assert.rejects(book.once('repeat, echo(1, S), S == no', { timeoutMs: 700 }), { kind: 'timeout' });
  assert.equal(calls().filter((call) => call === 'echo {"value":1}').length <= 12, true);
  assert.ok(await book.once('forall(between(1, 1200, I), echo(I, _))', { timeoutMs: 60_000 }));
});
