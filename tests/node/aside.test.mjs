// Entries of a book that cannot be loaded are reported and set aside; an engine always starts.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Server, directory } from './harness.mjs';

/**
 * A book with entries `[text, name, arity, kind?]`, each added by a goal of its own, as written by an older version.
 */
function bookOf(entries) {
  const path = join(directory(), 'book');
  const records = entries.map(([text, name, arity, kind = 'f'], at) => ({
    revision: {
      number: at + 1,
      operation: { query: 'goal' },
      at_ms: 1,
      sources: [
        {
          number: at + 1,
          origin: 'run',
          added_ms: 1,
          text: `${text}\n`,
          tail: Buffer.byteLength(text) + 1,
          restores: [],
        },
      ],
      removed: [],
      added: [[kind, at + 1, at + 1, 0, Buffer.byteLength(text), name, arity]],
      known: [[name, arity, 'no', 'written']],
    },
  }));
  const lines = records.map((record) => {
    const json = JSON.stringify(record);
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
  });
  writeFileSync(path, `hornbook 1\n${lines.join('')}`);
  return path;
}

const BAD = {
  'a directive as a clause': [':- op(700,xfx,===>).', 'op', 3],
  'a directive of tabling as a clause': [':- table mine/1.', 'mine', 1],
  'two clauses': ['two(1). three(1).', 'two', 1],
  'text that is not Prolog': ['two(a b).', 'two', 1],
  'an unclosed quote': ["two('1).", 'two', 1],
  'an unclosed comment': ['two(1). /* and', 'two', 1],
  'a comment': ['% two(1).', 'two', 1],
  'the end of a file': ['end_of_file.', 'end_of_file', 0],
  'a script line': ['#!.', '#', 1],
  nothing: ['', 'two', 1],
  'another predicate': ['three(1).', 'two', 1],
  'what may not be defined': ['atom(1).', 'atom', 1],
};

for (const [name, entry] of Object.entries(BAD)) {
  test(`a book with ${name} has an engine, without that entry`, async () => {
    const book = bookOf([['mine(1).', 'mine', 1], entry, ['mine(2).', 'mine', 1]]);
    const server = await Server.start({ args: ['--book', book] });
    const started = await server.ok('query_start', { query: 'mine(X)', take: 9 });
    assert.deepEqual(
      started.data.answers.map((answer) => Object.values(answer)[0]),
      ['1', '2'],
    );
    assert.match(started.text, /set aside/);
    assert.ok(started.text.includes(`\`${entry[0].trim()}\``), started.text);
    assert.deepEqual(await server.solve('catch(two(X), _, fail)'), []);
    assert.deepEqual(await server.solve('X = (a ===> b)').catch(() => []), []);
    const dump = await server.snapshot();
    assert.equal(dump.split('\n').filter((line) => line.startsWith('mine(')).length, 2, dump);

    // Its snapshot gives the same clauses elsewhere.
    const other = await Server.start();
    await other.import('dump.pl', dump);
    assert.deepEqual(await other.solve('mine(X)'), ['X = 1', 'X = 2']);
    await other.close();

    // It is removed by its exact text, and running code does not disturb the clauses around it.
    await server.solve('retract(mine(1)), fail');
    if (entry[0] !== '') await server.retract([entry[0]]);
    assert.deepEqual(await server.solve('mine(X)'), ['X = 1', 'X = 2']);
    await server.close();
    const again = await Server.start({ args: ['--book', book] });
    const { text } = await again.ok('query_start', { query: 'mine(X)', take: 9 });
    if (entry[0] !== '') {
      assert.doesNotMatch(text, /set aside/);
      await again.ok('workspace', { operation: 'undo' });
      assert.deepEqual(await again.solve('mine(X)'), ['X = 1', 'X = 2']);
    }
    await again.close();
  });
}

test('a book that contains only entries that cannot be loaded has an engine, and several are counted', async () => {
  const server = await Server.start({ args: ['--book', bookOf(Object.values(BAD))] });
  const started = await server.ok('query_start', { query: 'X = 1', take: 1 });
  assert.match(started.text, new RegExp(`The same holds for ${Object.values(BAD).length - 1} other entries`));
  await server.assert(['new(1).']);
  assert.deepEqual(await server.solve('new(X)'), ['X = 1']);
  await server.close();
});

/**
 * Deeper than the stacks of an engine can bear. No version has written such an entry, and reading it back would refuse
 * it.
 */
const deep = (name) => `${name}(${'['.repeat(200_000)}${']'.repeat(200_000)}).`;

test('an entry that kills engines is found among others, reported and set aside', async () => {
  const fine = Array.from({ length: 30 }, (_, at) => [`mine(${at}).`, 'mine', 1]);
  const book = bookOf([...fine.slice(0, 20), [deep('one'), 'one', 1], ...fine.slice(20), [deep('two'), 'two', 1]]);
  const server = await Server.start({ args: ['--book', book] });
  const started = await server.ok('query_start', { query: 'aggregate_all(count, mine(_), N)', take: 1 });
  assert.equal(started.data.answers[0].N, '30');
  assert.match(
    started.text,
    /`one\(\[+\.\.\.` \(added by a goal\) could not be loaded .*: an engine died of it \(stack overflow/,
  );
  assert.match(started.text, /The same holds for one other entry\./);
  assert.ok(started.text.length < 2_000, started.text);
  // Later engines are built without it, even if its removal is undone.
  await server.retract([deep('one')]);
  await server.ok('workspace', { operation: 'undo' });
  assert.deepEqual(await server.solve('mine(29)'), ['true']);
  assert.deepEqual(await server.solve('one(_)'), []);
  await server.close();
});
