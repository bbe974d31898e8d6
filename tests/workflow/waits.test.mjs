// Runs that wait for people, times and signals: in branches, from Prolog, over MCP, from the command line, after kills.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { ResumeError, Workflow } from '../../pkg/workflow.js';
import { BIN, Server } from '../node/harness.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-waits-'));
after(() => rmSync(directory, { recursive: true }));

const ASKS = `
name: asks
language: prolog
nodes:
- { name: fan }
- { name: legal, interrupt: before, run: "state(ok, X), return(legal, X)." }
- name: take
  book: true
  run: "retract(stock(N)), interrupt(_{left: N}, A), M is N - A, assertz(stock(M)), return(took, A)."
- { name: join, run: "state(parallel_results, Rs), length(Rs, N), return(n, N)." }
edges:
- { from: fan, to: legal, type: parallel, fan_in: join }
- { from: fan, to: take, type: parallel, fan_in: join }
`;
const LEGAL = 'fan[0]/legal:before';
const TAKE = 'fan[1]/take:1';

async function lastOf(events) {
  let last;
  for await (const event of events) last = event;
  return last;
}

/** The command, to its end. */
function flow(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, 'flow', ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('a branch that asks and one that waits: any order, also in other processes, nothing doubled in the book', async () => {
  for (const order of [
    [LEGAL, TAKE],
    [TAKE, LEGAL],
  ]) {
    const path = join(directory, `asks-${order[0].length}.book`);
    let book = await openBook({ path });
    await book.assert('stock(5)');
    let workflow = await Workflow.load(ASKS, { book: book.hornbook });
    const waits = await lastOf(workflow.run({}, { run: 'r' }));
    assert.deepEqual(
      waits.interrupts.map(({ id, question }) => [id, question]),
      [
        [LEGAL, undefined],
        [TAKE, { left: 5 }],
      ],
    );
    // What the block did before it asked is taken back.
    assert.deepEqual(await book.all('stock(N)'), [{ N: 5 }]);
    await assert.rejects(lastOf(workflow.resume('r', { ok: true })), /name one of/);
    const answers = { [LEGAL]: { ok: true }, [TAKE]: { answer: 2 } };
    for (const [index, id] of order.entries()) {
      workflow.close();
      await book.close();
      book = await openBook({ path });
      workflow = await Workflow.load(ASKS, { book: book.hornbook });
      assert.deepEqual(
        book.hornbook
          .runs()
          .interrupts('r')
          .map((one) => one.id),
        [LEGAL, TAKE].filter((known) => order.indexOf(known) >= index),
      );
      const event = await lastOf(workflow.resume('r', answers[id], { interrupt: id }));
      assert.equal(event.type, index === 1 ? 'final' : 'interrupt');
      await assert.rejects(lastOf(workflow.resume('r', answers[id], { interrupt: id })), /does not wait at/);
    }
    assert.deepEqual(await book.all('stock(N)'), [{ N: 3 }]);
    workflow.close();
    await book.close();
  }
});

test('a run that cannot be resumed says why by the kind of the error', async () => {
  const book = await openBook();
  await book.assert('stock(5)');
  const workflow = await Workflow.load(ASKS, { book: book.hornbook });
  const { checkpoint } = await lastOf(workflow.run({}, { run: 'r' }));
  const other = await Workflow.load(
    ASKS.replace('length(Rs, N)', 'length(Rs, _), N = 2').replace('name: fan', 'name: fan, run: "return(z, 1)."'),
    { book: book.hornbook },
  );
  const kinds = {
    no_such_run: () => workflow.resume('nope', { ok: 1 }),
    several_interrupts: () => workflow.resume(checkpoint, {}),
    not_waiting: () => workflow.resume('r', { ok: 1 }, { interrupt: 'join:1' }),
    changed_text: () => other.resume('r', { ok: 1 }, { interrupt: LEGAL }),
    invalid_argument: () => workflow.resume('r', 7, { interrupt: LEGAL }),
  };
  for (const [kind, resume] of Object.entries(kinds))
    await assert.rejects(lastOf(resume()), (error) => error instanceof ResumeError && error.kind === kind, kind);
  await lastOf(workflow.resume('r', { ok: 1 }, { interrupt: LEGAL }));
  const twice = lastOf(workflow.resume('r', { ok: 1 }, { interrupt: LEGAL }));
  await assert.rejects(twice, { name: 'ResumeError', kind: 'not_waiting' });
  assert.equal((await lastOf(workflow.resume('r', { answer: 2 }))).type, 'final');
  await assert.rejects(lastOf(workflow.resume('r', { ok: 1 })), { kind: 'ended' });
  for (const call of [() => workflow.run({}, { runs: 'x' }), () => workflow.resume('r', {}, { interupt: 'x' })])
    assert.throws(call, /there is no option `(runs|interupt)`; did you mean `(run|interrupt)`/);
  other.close();
  workflow.close();
  await book.close();
});

test('items that ask are answered over MCP', async () => {
  const yaml = `
name: items
language: prolog
state_schema: { said: { type: list, reduce: append } }
nodes:
- name: each
  type: dynamic_parallel
  items: [1, 2]
  fan_in: end
  steps: [{ name: sure, run: "state(item, I), interrupt(I, A), return(said, A)." }]
- { name: end }
`;
  const args = ['--tools', 'prolog,workflow', '--book', join(directory, 'mcp.book')];
  const call = (server, name, values) => server.request('tools/call', { name, arguments: values });
  let server = await Server.start({ args });
  const { content, structuredContent: waits } = await call(server, 'workflow_run', { yaml });
  assert.match(content[0].text, /waits at each\[0\]\.sure:1 \(for an answer to node 'each\[0\]\.sure': 1\), each\[1\]/);
  assert.deepEqual(
    waits.interrupts.map(({ id, question }) => [id, question]),
    [
      ['each[0].sure:1', 1],
      ['each[1].sure:1', 2],
    ],
  );
  const { run } = waits;
  const wrong = await call(server, 'workflow_resume', { run, state: { answer: 'x' } });
  assert.match(wrong.content[0].text, /name one of 'each\[0\]\.sure:1', 'each\[1\]\.sure:1'/);
  await server.close();
  server = await Server.start({ args });
  const one = await call(server, 'workflow_resume', { run, interrupt: 'each[1].sure:1', state: { answer: 'b' } });
  assert.equal(one.structuredContent.status, 'waiting');
  const looked = await call(server, 'workflow_runs', { run });
  assert.match(looked.content[0].text, /It waits at each\[0\]\.sure:1 \(/);
  const ended = await call(server, 'workflow_resume', { run, state: { answer: 'a' } });
  assert.deepEqual([ended.structuredContent.status, ended.structuredContent.state.said], ['ended', ['a', 'b']]);
  await server.close();
});

test('the command names interrupts, answers one, sends signals, lists, cancels and forgets', async () => {
  const book = join(directory, 'command.book');
  const file = join(directory, 'command.yaml');
  writeFileSync(
    file,
    `
name: command
language: prolog
nodes:
- { name: ask, run: "interrupt('sure?', A), return(said, A)." }
- { name: paid, wait: { signal: paid } }
`,
  );
  const first = await flow(file, '--book', book);
  assert.equal(first.code, 1, first.stderr);
  const [, run] = /^run (\w+)$/m.exec(first.stderr);
  assert.match(first.stderr, /ask:1: ask asks "sure\?"\n/);
  assert.match(first.stderr, /--resume \w+ --state answer=VALUE/);
  const unnamed = await flow('--book', book, '--resume', run, '--interrupt', 'ask:2', '--state', 'answer=1');
  assert.match(unnamed.stderr, /does not wait at 'ask:2'; it waits at 'ask:1'/);
  const second = await flow('--book', book, '--resume', run, '--interrupt', 'ask:1', '--state', 'answer=yes');
  assert.match(second.stderr, /paid waits for the signal paid/);
  assert.match((await flow('--book', book, '--runs', '--status', 'waiting')).stdout, /waiting\tpaid/);
  assert.equal((await flow('--book', book, '--runs', '--status', 'failed')).stdout, '');
  assert.match((await flow('--book', book, '--resume', run, '--signal', 'pay')).stderr, /Did you mean 'paid'\?/);
  assert.equal((await flow('--book', book, '--resume', run, '--signal', 'paid={"sum":40}')).code, 0);
  const third = await flow('--book', book, '--resume', run);
  assert.deepEqual(JSON.parse(third.stdout), { said: 'yes', paid: { sum: 40 } });
  const other = await flow(file, '--book', book);
  const [, waiting] = /^run (\w+)$/m.exec(other.stderr);
  assert.equal((await flow('--book', book, '--cancel', waiting)).code, 0);
  assert.match((await flow('--book', book, '--resume', waiting, '--state', 'answer=1')).stderr, /was cancelled/);
  assert.match((await flow('--book', book, '--forget-days', '1')).stderr, /forgot 0 runs/);
  assert.match((await flow('--cancel', waiting)).stderr, /--cancel needs the book/);
});

const PAYS = `
name: pays
language: prolog
state_schema: { paid: int }
nodes:
- { name: ask, interrupt: before, run: "return(asked, yes)." }
- { name: paid, wait: { signal: paid } }
`;

test('over MCP, a call that is refused keeps nothing: no signal, no fork; and a run is cancelled', async () => {
  const server = await Server.start({ args: ['--tools', 'prolog,workflow', '--book', join(directory, 'pays.book')] });
  const call = async (name, values) => {
    const { content, structuredContent, isError } = await server.request('tools/call', { name, arguments: values });
    return { text: content[0].text, data: structuredContent, isError };
  };
  const revision = async () => (await call('workspace', { operation: 'history' })).data.revision;
  const { data } = await call('workflow_run', { yaml: PAYS });
  const { run } = data;
  const before = await revision();
  const refusals = [
    [{ signals: { piad: 1 } }, /waits for the signal 'piad'\. Did you mean 'paid'\?/],
    [{ signals: { paid: 'much' } }, /'paid' of the state must be an integer/],
    [{ signals: { paid: 1 }, interrupt: 'ask:2' }, /does not wait at 'ask:2'/],
    [{ signals: { paid: 1 }, from: 99 }, /no checkpoint 99/],
    [{ from: 1, interrupt: 'ask:2' }, /does not wait/],
    [{ cancel: true, signals: { paid: 1 } }, /`signals` means nothing/],
  ];
  for (const [values, message] of refusals) {
    const refused = await call('workflow_resume', { run, ...values });
    assert.ok(refused.isError, JSON.stringify(values));
    assert.match(refused.text, message);
  }
  assert.equal(await revision(), before);
  // What is sent with `from` is for the new run.
  const fork = await call('workflow_resume', { run, from: 1, signals: { paid: 7 } });
  assert.notEqual(fork.data.run, run);
  const ended = await call('workflow_resume', { run: fork.data.run, state: {} });
  assert.deepEqual([ended.data.status, ended.data.state.paid], ['ended', 7]);
  const cancelled = await call('workflow_resume', { run, cancel: true });
  assert.deepEqual([cancelled.data.status, cancelled.isError ?? false], ['cancelled', false]);
  assert.match(cancelled.text, /is cancelled: it does not go on/);
  assert.match((await call('workflow_runs', { run })).text, /: cancelled/);
  assert.match(
    (await call('workflow_resume', { run, signals: { paid: 1 } })).text,
    /was cancelled, and takes no signals/,
  );
  assert.match((await call('workflow_resume', { run, state: {} })).text, /was cancelled/);
  await call('workspace', { operation: 'undo' });
  const again = await call('workflow_resume', { run, state: {}, signals: { paid: 3 } });
  assert.deepEqual([again.data.status, again.data.state.paid], ['ended', 3]);
  await server.close();
});

test('who cancels a run in the same process aborts its action, and its caller is told', async () => {
  const book = await openBook();
  let pays = () => {};
  const begun = new Promise((resolve) => {
    pays = resolve;
  });
  let aborted = false;
  const pay = (_, { signal }) => {
    pays();
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        aborted = true;
        resolve('late');
      }),
    );
  };
  const workflow = await Workflow.load('nodes: [{ name: pay, uses: pay, output: paid }]', {
    book: book.hornbook,
    actions: { pay },
  });
  const ended = (async () => {
    let last;
    for await (const event of workflow.run({}, { run: 'r' })) last = event;
    return last;
  })();
  await begun;
  await book.hornbook.runs().cancel('r');
  const last = await ended;
  assert.ok(aborted);
  assert.deepEqual([last.type, last.kind], ['error', 'cancelled']);
  assert.match(last.error, /The run r was cancelled/);
  assert.deepEqual(
    book.hornbook
      .runs()
      .list()
      .map(({ status }) => status),
    ['cancelled'],
  );
  await book.undo();
  assert.equal(book.hornbook.runs().list()[0].interrupted, true);
  workflow.close();
  await book.close();
});

const TIMES = `
name: times
language: prolog
nodes:
- { name: a, wait: 1, book: true, run: "assertz(woken(a))." }
- { name: b, wait: { signal: go, output: data }, book: true, run: "state(data, D), assertz(woken(D))." }
`;

test('times and signals go on by themselves, once, whenever the process is killed', async () => {
  const path = join(directory, 'times.book');
  const file = join(directory, 'times.yaml');
  writeFileSync(file, TIMES);
  let book = await openBook({ path });
  await book.assert('woken(none)');
  let workflow = await Workflow.load(TIMES, { book: book.hornbook });
  for (const run of ['x', 'y', 'z']) assert.equal((await lastOf(workflow.run({}, { run }))).when, 'time');
  // They come before they are waited for.
  for (const run of ['x', 'y', 'z']) await workflow.signal(run, 'go', run);
  workflow.close();
  await book.close();
  for (const ms of [700, 900, 1100, 1300]) {
    const child = spawn(process.execPath, [BIN, 'flow', file, '--book', path, '--follow']);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill('SIGKILL');
    await ended;
  }
  book = await openBook({ path });
  workflow = await Workflow.load(TIMES, { book: book.hornbook });
  const over = () => book.hornbook.runs().list('ended').length === 3;
  const stop = new AbortController();
  const guard = setTimeout(() => stop.abort(), 30_000);
  if (!over())
    for await (const event of workflow.follow({ signal: stop.signal })) if (event.type === 'final' && over()) break;
  clearTimeout(guard);
  assert.ok(over());
  const woken = await book.all('woken(W)');
  assert.deepEqual(woken.map(({ W }) => W).sort(), ['a', 'a', 'a', 'none', 'x', 'y', 'z']);
  workflow.close();
  await book.close();
});

test('each time of a schedule has one run, and the follower that began last is the one', async () => {
  const book = await openBook({});
  const yaml = 'name: minutely\non: { cron: "* * * * *", start: { kind: x } }\nnodes: [{ name: a, wait: 3600 }]';
  const first = await Workflow.load(yaml, { book: book.hornbook });
  const second = await Workflow.load(yaml, { book: book.hornbook });
  const refused = assert.rejects(async () => {
    for await (const _ of first.follow());
  }, /Another process now follows this workflow/);
  await new Promise((resolve) => setTimeout(resolve, 600));
  const stop = new AbortController();
  const events = [];
  const following = (async () => {
    for await (const event of second.follow({ signal: stop.signal })) events.push(event);
  })();
  await refused;
  // Ten minutes pass.
  await new Promise((resolve) => setTimeout(resolve, 600));
  const { now } = Date;
  Date.now = () => now() + 10 * 60_000;
  const deadline = Date.now() + 20_000;
  while (events.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  stop.abort();
  await following;
  Date.now = now;
  const runs = book.hornbook.runs().list();
  // The minute may have changed meanwhile.
  assert.ok(runs.length === 1 || runs.length === 2, `${runs.length} runs`);
  assert.deepEqual(book.hornbook.runs().state(runs[0].run), { kind: 'x' });
  first.close();
  second.close();
  await book.close();
});

test('a run that was cut off after an answer goes on where its workflow is followed', async () => {
  const path = join(directory, 'cut.book');
  const yaml = `
name: cut
language: prolog
nodes:
- { name: f, run: "return(z, 1)." }
- { name: p, uses: hang, interrupt: before }
- { name: q, wait: { signal: s } }
- { name: r, wait: 0.3 }
- { name: j }
edges:
- { from: f, to: p, type: parallel, fan_in: j }
- { from: f, to: q, type: parallel, fan_in: j }
- { from: f, to: r, type: parallel, fan_in: j }
`;
  let book = await openBook({ path });
  let workflow = await Workflow.load(yaml, { book: book.hornbook, actions: { hang: () => new Promise(() => {}) } });
  await lastOf(workflow.run({}, { run: 'cut' }));
  const answered = workflow.resume('cut', {}, { interrupt: 'f[0]/p:before' });
  for await (const event of answered) if (event.type === 'node_start' && event.node === 'p') break;
  assert.ok(book.hornbook.runs().list('interrupted').length === 1);
  workflow.close();
  await book.close();
  book = await openBook({ path });
  workflow = await Workflow.load(yaml, { book: book.hornbook, actions: { hang: () => null } });
  await workflow.signal('cut', 's', 1);
  const stop = new AbortController();
  const guard = setTimeout(() => stop.abort(), 20_000);
  for await (const event of workflow.follow({ signal: stop.signal })) if (event.type === 'final') break;
  clearTimeout(guard);
  assert.equal(book.hornbook.runs().list('ended').length, 1);
  workflow.close();
  await book.close();
});

test('a signal that does not fit is refused, or dropped, and names are strings', async () => {
  const book = await openBook({});
  const runs = book.hornbook.runs();
  const yaml = 'name: pay\nstate_schema: { pay: int }\nnodes: [{ name: a, wait: { signal: pay } }]';
  const workflow = await Workflow.load(yaml, { book: book.hornbook });
  await lastOf(workflow.run({}, { run: 'r' }));
  await assert.rejects(workflow.signal('r', 'pay', 'bad'), /'pay' of the state must be/);
  await runs.signal('r', 'pay', 'bad');
  const types = [];
  for await (const event of workflow.resume('r')) types.push(event.type);
  assert.ok(types.includes('signal_dropped') && types.at(-1) === 'interrupt', types.join());
  await assert.rejects(workflow.signal('r', 5, 1), /The name of the signal must be a string, not number/);
  assert.throws(() => workflow.resume('r', {}, { interrupt: 5 }), /The id of the interrupt must be a string/);
  assert.throws(() => workflow.run({}, { run: 5 }), /The name of the run must be a string/);
  await assert.rejects(runs.signal('r', 5), /The name of the signal must be a string/);
  assert.throws(() => runs.checkpoints(5), /The name of the run must be a string/);
  await workflow.signal('r', 'pay', 7);
  assert.deepEqual((await lastOf(workflow.resume('r'))).state, { pay: 7 });
  workflow.close();
  await book.close();
});

test('what a workflow cannot wait for is told when it is loaded', async () => {
  for (const [yaml, why] of [
    ['nodes: [{ name: a, wait: soon }]', /'wait' of node 'a' must be seconds, a duration as '10m'/],
    ['nodes: [{ name: a, wait: 1e13 }]', /must come within ten years/],
    ['nodes: [{ name: a, wait: "nan" }]', /must be seconds/],
    ['on: { cron: "*/61 * * * *" }\nnodes: [{ name: a }]', /a step of 61 is more than the 60 values/],
    ['on: { cron: "99 * * * *" }\nnodes: [{ name: a }]', /is not a cron expression/],
  ])
    await assert.rejects(Workflow.load(yaml), why);
  const workflow = await Workflow.load('nodes: [{ name: a }]');
  await assert.rejects(workflow.follow().next(), /does nothing by itself/);
  await assert.rejects(workflow.signal('r', 'x'), /load the workflow with `book`/);
  workflow.close();
});
