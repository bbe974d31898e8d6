// Nodes that use books by name, and a text whose nodes all do.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHornbook } from '../../pkg/node.js';
import { Workflow, bookActions } from '../../pkg/workflow.js';
import { Server } from '../node/harness.mjs';

const directory = mkdtempSync(join(tmpdir(), 'hornbook-books-'));
after(() => rmSync(directory, { recursive: true }));
const open = (name, tools) => openHornbook({ tools }, () => {}, join(directory, `${name}.book`));

async function eventsOf(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const YAML = `
language: prolog
book: stock
nodes:
- name: take
  run: |
    enough(N) :- N > 0.
    stock(apple, N), enough(N), retract(stock(apple, N)), M is N - 1, assertz(stock(apple, M)), return(left, M).
- { name: own, book: false, run: "( catch(stock(_, _), _, fail) -> return(seen, true) ; return(seen, false) )." }
- { name: who, book: people, run: "kn_node(_, person, Name), assertz(asked(Name)), return(who, Name)." }
- { name: here, book: true, run: "assertz(done(1)), return(done, true)." }
`;

test('each node uses the book it names; its changes are one revision there, made once for a kept run', async () => {
  let runs = await open('runs', ['prolog', 'workflow']);
  const stock = await open('stock', ['prolog', 'workflow']);
  const people = await open('people', ['prolog', 'memory', 'workflow']);
  const ofStock = await bookActions(stock.hornbook);
  const ofPeople = await bookActions(people.hornbook);
  const context = { state: {}, key: '' };
  await ofStock.clauses({ operation: 'assert', clauses: 'stock(apple, 3).' }, context);
  await ofPeople.kn_graph({ action: 'add', type: 'person', name: 'Ada' }, context);
  const books = { stock: stock.hornbook, people: people.hornbook };
  let workflow = await Workflow.load(YAML, { book: runs.hornbook, books });
  const state = { left: 2, seen: false, who: 'Ada', done: true };
  const events = await eventsOf(workflow.run({}, { run: 'r' }));
  assert.deepEqual(events.at(-1), { type: 'final', state }, JSON.stringify(events.at(-1)));
  const inStock = async () => {
    const { answers } = await ofStock.query_start({ query: 'stock(apple, N)', take: 5 }, context);
    return JSON.stringify(answers);
  };
  assert.match(await inStock(), /2/);
  const asked = await ofPeople.query_start({ query: 'asked(X)', take: 5 }, context);
  assert.match(JSON.stringify(asked.answers), /Ada/);
  // As if the process was killed after the book had the change but before the run did: the record is gone, but not the
  // change.
  workflow.close();
  await runs.close();
  const journal = join(directory, 'runs.book');
  const [, begins] = readFileSync(journal, 'utf8').split('\n');
  writeFileSync(journal, `hornbook 5\n${begins}\n`);
  runs = await open('runs', ['prolog', 'workflow']);
  workflow = await Workflow.load(YAML, { book: runs.hornbook, books });
  assert.equal(runs.hornbook.runs().checkpoints('r').length, 1);
  const again = await eventsOf(workflow.resume('r'));
  assert.deepEqual(again.at(-1), { type: 'final', state });
  assert.match(await inStock(), /2/, 'it was taken once');
  // Undo in that book reverts what the node did there.
  await ofStock.workspace({ operation: 'undo' }, context);
  assert.match(await inStock(), /3/);
  // Another run does it again.
  await eventsOf(workflow.run({}, { run: 'other' }));
  assert.match(await inStock(), /2/);
  workflow.close();
  await assert.rejects(
    Workflow.load(YAML, { books: { stok: stock.hornbook } }),
    /^WorkflowLoadError: line 3, column 6: The workflow uses the book 'stock', which does not exist\. Did you mean 'stok'\?/,
  );
  await Promise.all([runs.close(), stock.close(), people.close()]);
});

test('if there is only one book, every name means it', async () => {
  const server = await Server.start({ args: ['--tools', 'prolog,workflow'] });
  const yaml = 'language: prolog\nbook: stock\nnodes:\n- { name: a, run: "assertz(seen(1)), return(x, 1)." }\n';
  const { structuredContent } = await server.request('tools/call', { name: 'workflow_run', arguments: { yaml } });
  assert.deepEqual([structuredContent.status, structuredContent.state], ['ended', { x: 1 }]);
  const asked = await server.request('tools/call', { name: 'query_start', arguments: { query: 'seen(X)', take: 2 } });
  assert.equal(asked.structuredContent.answers.length, 1);
  await server.close();
});
