// Texts that are hard to divide into clauses are kept as they were read: after a restart, and in a snapshot.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Server, directory } from './harness.mjs';

const TEXTS = [
  't(1) /* /* */ x. %*/',
  "t('\\x41\\. ')",
  't(‘a. b’)',
  't(2) % x\r',
  "t(0'\\x41\\)",
  '\ufefft(3)',
  't(→)',
];

test('hard texts are there after a restart, and a snapshot of them is the same book', async () => {
  const book = join(directory(), 'book');
  const first = await Server.start({ args: ['--book', book] });
  await first.assert(['before.']);
  for (const text of TEXTS) await first.assert([text]);
  await first.assert(TEXTS.map((text) => text.replace('t(', 'u(')));
  await first.import(
    'f.pl',
    `#!/usr/bin/swipl '. x\n${TEXTS.slice(0, 5)
      .map((text) => `${text.replace('t(', 'v(')}\n.`)
      .join('\n')}\n`,
  );
  await first.assert(['after.']);
  const answers = async (server) => [
    await server.solve('t(X)'),
    await server.solve('u(X)'),
    await server.solve('v(X)'),
    await server.solve('before, after'),
  ];
  const known = await answers(first);
  assert.deepEqual(
    known.map(({ length }) => length),
    [7, 7, 5, 1],
  );
  const snapshot = await first.snapshot();
  await first.close();
  const second = await Server.start({ args: ['--book', book] });
  assert.deepEqual(await answers(second), known);
  assert.equal(await second.snapshot(), snapshot);
  await second.reset();
  await second.import('all.pl', snapshot);
  assert.deepEqual(await answers(second), known);
  assert.equal(await second.snapshot(), snapshot);
  await second.close();
});
