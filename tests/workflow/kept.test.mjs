// Runs of workflows that a book keeps: killed, resumed, rewound, forked, pruned; from JavaScript and the command line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBook } from '../../pkg/index.js';
import { openHornbook } from '../../pkg/node.js';
import { Workflow } from '../../pkg/workflow.js';
import { once, told, withBook } from './kills/kills.mjs';

const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));

/** Uses a book with a workflow, and closes everything afterwards. */
async function using(path, yaml, use, actions = {}) {
  const { hornbook, close } = await openHornbook({}, () => {}, path);
  const workflow = await Workflow.load(yaml, { book: hornbook, engines: 1, actions });
  try {
    return await use(workflow, hornbook);
  } finally {
    workflow.close();
    await close();
  }
}

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

// How many records a process lives for; the long ones have too many for a process each.
for (const [name, records] of [
  ['round', 2],
  ['branches', 3],
  ['items', 4],
  ['book', 2],
  ['graph', 3],
]) {
  test(`a run whose process is killed again and again ends as if it had not been: ${name}`, async () => {
    const expected = await withBook(async (book) => ({
      state: (await once(book, name)).stdout,
      told: await told(book),
    }));
    assert.match(expected.state, /^\{/);
    await withBook(async (book) => {
      let kills = 0;
      for (;;) {
        const { killed, stdout, stderr } = await once(book, name, records);
        if (!killed) {
          assert.deepEqual({ state: stdout, told: await told(book) }, expected, stderr);
          break;
        }
        kills += 1;
      }
      assert.ok(kills >= 2, `${kills} kills`);
    });
  });
}

test('a node that uses the book needs one', async () => {
  const workflow = await Workflow.load('nodes:\n- { name: decide, book: true, run: "return(a, 1)." }\n');
  const { type, kind, error } = await lastOf(workflow.run());
  assert.deepEqual([type, kind], ['error', 'book']);
  assert.match(
    error,
    /Node 'decide' uses the book, and the run is kept in none: load the workflow with the option `book`/,
  );
  workflow.close();
});

const ASKS = `
name: review
language: prolog
nodes:
- { name: draft, run: "return(text, hello)." }
- { name: send, interrupt: before, run: "( state(approved, true) -> return(sent, true) ; return(sent, false) )." }
`;

test('a run waits in the book, and is resumed by name in another process', async () => {
  await withBook(async (book) => {
    await using(book, ASKS, async (workflow, { runs }) => {
      assert.equal(typeof runs, 'function');
      assert.equal((await lastOf(workflow.run({}, { run: 'r1' }))).type, 'interrupt');
    });
    await using(book, ASKS, async (workflow, hornbook) => {
      const [listed] = hornbook.runs().list();
      assert.deepEqual(
        [listed.run, listed.workflow, listed.status, listed.node, listed.interrupted],
        ['r1', 'review', 'waiting', 'send', false],
      );
      await hornbook.runs().fork('r1', 2, 'r2');
      assert.equal((await lastOf(workflow.resume('r1', { approved: true }))).state.sent, true);
      // The fork is where the run was, and knows nothing of what was said there.
      await lastOf(workflow.resume('r2'));
      assert.equal((await lastOf(workflow.resume('r2'))).state.sent, false);
      assert.deepEqual(
        hornbook
          .runs()
          .checkpoints('r1')
          .map(({ what }) => what),
        ['base', 'node', 'waits', 'resumed', 'node', 'ended'],
      );
      assert.deepEqual(hornbook.runs().state('r1', 2), { text: 'hello' });
      assert.equal(await hornbook.runs().prune('r1', 1), 5);
      assert.deepEqual((await lastOf(workflow.resume('r1'))).state, { approved: true, sent: true, text: 'hello' });
      await hornbook.runs().forget('r1');
      assert.deepEqual(
        hornbook
          .runs()
          .list()
          .map(({ run }) => run),
        ['r2'],
      );
    });
  });
});

test('a changed text resumes as far as it agrees, and reports where it departs', async () => {
  await withBook(async (book) => {
    await using(book, ASKS, (workflow) => lastOf(workflow.run({}, { run: 'r' })));
    const changed = (from, to) => using(book, ASKS.replace(from, to), (workflow) => lastOf(workflow.resume('r')));
    await assert.rejects(changed('hello', 'goodbye'), {
      message:
        "The text departs from the run at checkpoint 2: node 'draft' was changed. Go on from checkpoint 1, or with the text that the run has.",
    });
    assert.equal((await changed('return(sent, false)', 'return(sent, later)')).state.sent, 'later');
  });
});

test('running the same run twice at once is refused', async () => {
  await withBook(async (book) => {
    await using(book, ASKS, async (workflow) => {
      const first = workflow.run({}, { run: 'r' });
      await first.next();
      await assert.rejects(workflow.resume('r').next(), { message: 'The run r is already running.' });
      await first.return();
      assert.equal((await lastOf(workflow.resume('r'))).type, 'interrupt');
    });
  });
});

test('if two processes resume one run, one goes on and the other is told', async () => {
  await withBook(async (book) => {
    await using(book, ASKS, (workflow) => lastOf(workflow.run({}, { run: 'r' })));
    const [one, other] = await using(book, ASKS, (first) =>
      using(book, ASKS, (second) =>
        Promise.all([lastOf(first.resume('r', { approved: true })), lastOf(second.resume('r', { approved: true }))]),
      ),
    );
    const [won, told] = one.type === 'final' ? [one, other] : [other, one];
    assert.equal(won.state.sent, true);
    assert.deepEqual([told.type, told.kind], ['error', 'book']);
    assert.match(told.error, /^Another process has resumed the run r/);
  });
});

test('nodes of two processes that change the same clauses of a book take turns: no change is lost, and none counts twice', async () => {
  const yaml = `
language: prolog
nodes:
- name: take
  book: true
  run: "stock(N), M is N - 1, retract(stock(N)), assertz(stock(M)), return(left, M)."
`;
  await withBook(async (book) => {
    const stock = await openBook({ path: book });
    await stock.assert('stock(20).');
    const take = (name) =>
      using(book, yaml, async (workflow) => {
        const left = [];
        for (let n = 0; n < 10; n += 1) {
          const last = await lastOf(workflow.run({}, { run: `${name}-${n}` }));
          left.push(last.state.left ?? last.error);
        }
        return left;
      });
    const left = (await Promise.all([take('a'), take('b')])).flat();
    assert.deepEqual(
      left.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, n) => n),
    );
    await stock.close();
  });
});

test('the keys of actions name the run, the node with its visit, and the attempt', async () => {
  const yaml = `
nodes:
- { name: a, uses: note, on_error: { mode: retry, base_delay: 0.01 }, goto: [{ if: "state.n < 2", to: a }, { to: b }] }
- name: b
  type: dynamic_parallel
  items: [x, y]
  fan_in: c
  steps: [{ name: s, uses: note }]
- { name: c, run: { type: expression, value: state.n } }
`;
  const keys = [];
  const note = (_, { key, state }) => {
    keys.push(key);
    if (keys.length === 1) throw new Error('once');
    return { n: (state.n ?? 0) + 1 };
  };
  await withBook((book) => using(book, yaml, (workflow) => lastOf(workflow.run({}, { run: 'r' })), { note }));
  assert.deepEqual(keys, ['r/a/1', 'r/a/2', 'r/a#2/1', 'r/b[0].s/1', 'r/b[1].s/1']);
});

test('hornbook flow keeps runs, lists them, resumes them and rewinds them', async () => {
  await withBook(async (book) => {
    const file = join(dirname(book), 'flow.yaml');
    await writeFile(file, ASKS);
    const flow = (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, [BIN, 'flow', ...args], (error, out, err) =>
          resolve({ code: error ? error.code : 0, out, err }),
        );
      });
    const first = await flow(file, '--book', book);
    assert.equal(first.code, 1, first.err);
    const run = /^run (\w+)$/m.exec(first.err)[1];
    assert.match(first.err, new RegExp(`Resume with: hornbook flow ${file} --book ${book} --resume ${run} --state`));
    const second = await flow('--book', book, '--resume', run, '--state', 'approved=true');
    assert.deepEqual([second.code, JSON.parse(second.out)], [0, { approved: true, sent: true, text: 'hello' }]);
    assert.match((await flow('--book', book, '--resume', run, '--runs')).out, /^2\t\S+\tnode\tdraft$/m);
    const third = await flow('--book', book, '--resume', run, '--from', '2');
    assert.equal(third.code, 1, third.err);
    assert.match((await flow('--book', book, '--runs')).out, new RegExp(`waiting\tsend\treview\tfork of ${run} at 2`));
    const wrong = await flow('--book', book, '--resume', 'nope');
    assert.deepEqual([wrong.code, /There is no run 'nope'\. The latest are: /.test(wrong.err)], [2, true], wrong.err);
    assert.match((await flow('--resume', run)).err, /--resume needs the book that keeps the runs: --book PATH/);
  });
});

test('hornbook flow provides the tools of its book as actions', async () => {
  await withBook(async (book) => {
    const file = join(dirname(book), 'tools.yaml');
    const yaml = `
nodes:
- { name: learn, uses: kn_intel, with: { action: learn, content: "{{ state.said }}", type: decision }, output: { kept: "{{ result.stored_as }}" } }
- { name: add, uses: clauses, with: { operation: assert, clauses: ["seen(owl)."] }, output: added }
- name: look
  book: true
  run: "seen(X), kn_experience(_, _, Said), return(bird, X), return(remembered, Said)."
`;
    await writeFile(file, yaml);
    const { code, out, err } = await new Promise((resolve) => {
      const args = [BIN, 'flow', file, '--book', book, '--state', 'said=Owls see at night'];
      execFile(process.execPath, args, (error, out, err) => resolve({ code: error ? error.code : 0, out, err }));
    });
    assert.equal(code, 0, err);
    const { kept, bird, remembered } = JSON.parse(out);
    assert.deepEqual({ kept, bird, remembered }, { kept: 'node', bird: 'owl', remembered: 'Owls see at night' });
  });
});

test('a run that is stopped in the middle of a node ends at once, and is resumed there', async () => {
  const yaml = `language: prolog
nodes:
- {name: quick, run: 'return(x, 1).'}
- {name: slow, run: 'state(go, true) -> true ; repeat, fail.'}
`;
  await withBook((path) =>
    using(path, yaml, async (workflow, hornbook) => {
      const stop = new AbortController();
      const told = [];
      for await (const event of workflow.run({}, { run: 'r', signal: stop.signal })) {
        told.push(`${event.type} ${event.node ?? ''}`.trim());
        if (event.type === 'node_start' && event.node === 'slow') setTimeout(() => stop.abort(), 50);
      }
      assert.deepEqual(told, ['start', 'node_start quick', 'node_end quick', 'node_start slow']);
      const [{ status, interrupted }] = hornbook.runs().list();
      assert.deepEqual([status, interrupted], ['running', true]);
      const last = await lastOf(workflow.resume('r', { go: true }));
      assert.deepEqual([last.type, last.state.x], ['final', 1]);
    }),
  );
});
