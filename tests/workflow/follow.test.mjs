// Runs that the answers of a goal begin: one for each, also after the process was killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { Workflow } from '../../pkg/workflow.js';
import { BIN } from '../node/harness.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-follow-'));
after(() => rmSync(directory, { recursive: true }));

const YAML = `
name: shipping
on: { goal: "order(Id, Item), \\\\+ shipped(Id)" }
nodes:
- { name: pack, uses: pack, with: { item: "{{ state.Item }}" }, output: parcel }
- { name: ship, book: true, language: prolog, run: "state('Id', Id), assertz(shipped(Id))." }
`;

/** The last events of so many runs, and the errors of the goal meanwhile, each told to `failed`. */
async function follow(book, wanted, pack, { yaml = YAML, failed = () => {} } = {}) {
  const workflow = await Workflow.load(yaml, { book: book.hornbook, actions: { pack } });
  const ends = [];
  const errors = [];
  for await (const event of workflow.follow()) {
    if (event.type === 'goal_error') {
      errors.push(event.error);
      failed();
    }
    if (['final', 'error', 'interrupt', 'run_error'].includes(event.type)) ends.push(event);
    if (ends.length === wanted) break;
  }
  workflow.close();
  return { ends, errors };
}

test('each answer has one run, also one that comes later, and one that comes back has none', async () => {
  const path = join(directory, 'orders.book');
  const box = ({ item }) => `box of ${item}`;
  let book = await openBook({ path });
  let later;
  const failed = () => {
    later ??= (async () => {
      await book.assert('shipped(0)', 'order(1, apple)', 'order(2, pear(green))');
      await book.assert('order(3, plum)');
    })();
  };
  const { ends, errors } = await follow(book, 3, box, { failed });
  await later;
  // The goal was followed before the book had its predicates.
  assert.match(errors[0], /order\/2/);
  assert.deepEqual(
    ends.map(({ state }) => state),
    [
      { Id: 1, Item: 'apple', parcel: 'box of apple' },
      { Id: 2, Item: 'pear(green)', parcel: 'box of pear(green)' },
      { Id: 3, Item: 'plum', parcel: 'box of plum' },
    ],
  );
  assert.equal(new Set(ends.map(({ run }) => run)).size, 3);
  await book.close();

  book = await openBook({ path });
  await book.retract('shipped(1)');
  await book.assert('order(4, fig)');
  const packed = [];
  const again = await follow(book, 1, ({ item }) => {
    packed.push(item);
    return 'box';
  });
  assert.deepEqual([again.ends[0].state.Id, packed], [4, ['fig']]);
  await book.close();
});

test('a run that failed is resumed when the goal is followed again; one that waits is left', async () => {
  const book = await openBook({});
  await book.assert('shipped(0)', 'order(1, apple)');
  const failed = await follow(book, 1, () => {
    throw new Error('no boxes');
  });
  assert.equal(failed.ends[0].type, 'error');
  const { ends } = await follow(book, 1, () => 'box');
  assert.deepEqual([ends[0].type, ends[0].run], ['final', failed.ends[0].run]);
  // Another workflow with the same goal has runs of its own.
  const asks = YAML.replace('shipping', 'asking').replace('{ name: pack,', '{ name: pack, interrupt: before,');
  await book.retract('shipped(1)');
  const waits = await follow(book, 1, () => 'box', { yaml: asks });
  assert.equal(waits.ends[0].type, 'interrupt');
  await book.assert('order(2, pear)');
  const second = await follow(book, 1, () => 'box', { yaml: asks });
  assert.equal(second.ends[0].state.Id, 2);
  await book.close();
});

test('a run is resumed although what it did has made the goal false', async () => {
  const book = await openBook({});
  await book.assert('order(1)', 'shipped(0)');
  const yaml = `
on: { goal: "order(Id), \\\\+ shipped(Id)" }
nodes:
- { name: ship, book: true, language: prolog, run: "state('Id', Id), assertz(shipped(Id))." }
- { name: pack, uses: pack, output: parcel }
`;
  const fails = () => {
    throw new Error('no boxes');
  };
  const failed = await follow(book, 1, fails, { yaml });
  assert.deepEqual(await book.all('order(Id), \\+ shipped(Id)'), []);
  const { ends } = await follow(book, 1, () => 'box', { yaml });
  assert.deepEqual([ends[0].type, ends[0].run], ['final', failed.ends[0].run]);
  await book.close();
});

test('a run that fails or cannot be resumed, and an answer that begins none, leave the others to go on', async () => {
  const book = await openBook({});
  const yaml = (value) => `
on: { goal: "p(X)" }
config: { raise_exceptions: true }
nodes:
- { name: a, language: prolog, run: "return(a, ${value})." }
- { name: pack, uses: pack, with: { item: "{{ state.X }}" }, output: o }
`;
  await book.assert('p(1)', 'p(2)');
  const pack = ({ item }) => {
    if (item !== 1) return 'box';
    throw new Error('no boxes');
  };
  const { ends } = await follow(book, 2, pack, { yaml: yaml(1) });
  assert.deepEqual(
    ends.map(({ type }) => type),
    ['error', 'final'],
  );
  await book.assert('p(X) :- X = f(X)', 'p(3)');
  const changed = await follow(book, 2, pack, { yaml: yaml(2) });
  assert.deepEqual([changed.ends[0].type, changed.ends[0].run], ['run_error', ends[0].run]);
  assert.match(changed.ends[0].error, /node 'a' was changed/);
  assert.equal(changed.ends[1].state.X, 3);
  assert.match(changed.errors[0], /begins no run\. A value of the answer contains itself/);
  await book.close();
});

test('timers have their turn between runs', async () => {
  const book = await openBook({});
  const yaml = `on: { goal: "between(1, 900, X)" }\nnodes: [{ name: pack, uses: pack, output: o }]`;
  const workflow = await Workflow.load(yaml, { book: book.hornbook, actions: { pack: () => 1 } });
  const ended = new AbortController();
  let runs = 0;
  for await (const event of workflow.follow({ signal: ended.signal })) {
    if (event.type !== 'final') continue;
    runs += 1;
    if (runs === 1) setTimeout(() => ended.abort());
  }
  assert.ok(runs < 100, `${runs} runs`);
  workflow.close();
  await book.close();
});

test('a workflow without a goal, or without a book, cannot follow one', async () => {
  const plain = await Workflow.load('nodes: [{ name: a }]');
  await assert.rejects(plain.follow().next(), /its text needs `on: \{ goal: 'G' \}`, /);
  plain.close();
  const without = await Workflow.load("on: { goal: 'p(X)' }\nnodes: [{ name: a }]");
  await assert.rejects(without.follow().next(), /load it with `book`/);
  without.close();
});

test('the command follows until it is killed, and nothing runs twice', async () => {
  const path = join(directory, 'killed.book');
  const log = join(directory, 'packed.txt');
  const file = join(directory, 'ship.yaml');
  const tools = join(directory, 'tools.mjs');
  writeFileSync(file, YAML);
  // The second order hangs the first time.
  writeFileSync(
    tools,
    `import { appendFileSync, existsSync } from 'node:fs';
export const pack = {
  description: 'Pack.',
  parameters: { type: 'object', properties: { item: { type: 'string' } } },
  execute({ item }, { key }) {
    appendFileSync(${JSON.stringify(log)}, item + ' ' + key.replace(/^on-[0-9a-f]+/, '') + '\\n');
    return item === 'pear' && !existsSync(${JSON.stringify(join(directory, 'again'))}) ? new Promise(() => {}) : 'box';
  },
};
`,
  );
  const orders = await openBook({ path });
  await orders.assert('shipped(0)', 'order(1, apple)', 'order(2, pear)');
  await orders.close();
  const packed = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line)
      : [];
  for (const lines of [2, 3]) {
    const child = spawn(process.execPath, [BIN, 'flow', file, '--book', path, '--follow', '--tool-file', tools]);
    let out = '';
    child.stdout.on('data', (data) => (out += data));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const deadline = Date.now() + 60_000;
    const over = () => packed().length >= lines && (lines === 2 || out.includes('"Id":2'));
    while (!over() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGKILL');
    await ended;
    writeFileSync(join(directory, 'again'), '');
  }
  assert.deepEqual(packed(), ['apple /pack/1', 'pear /pack/1', 'pear /pack/1']);
  const book = await openBook({ path });
  assert.deepEqual(await book.all('shipped(Id)'), [{ Id: 0 }, { Id: 1 }, { Id: 2 }]);
  await book.close();
});
