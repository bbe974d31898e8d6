// The checkpointer for LangGraph.js: its own validation, and a graph that goes on in another process's book.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Annotation, Command, END, START, StateGraph, interrupt } from '@langchain/langgraph';
import { BookSaver } from '../../../pkg/langgraph.js';
import { openHornbook } from '../../../pkg/node.js';
import { directory } from '../../node/harness.mjs';

test("LangGraph's validation of checkpointers passes", async () => {
  const file = fileURLToPath(new URL('validate.mjs', import.meta.url));
  const { code, output } = await new Promise((resolve) => {
    execFile(process.execPath, [file], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  assert.equal(code, 0, output.slice(-3_000));
  assert.match(output, /7\d\d passed/);
});

const State = Annotation.Root({
  seen: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  note: Annotation(),
});

const compiled = (hornbook) =>
  new StateGraph(State)
    .addNode('draft', () => ({ seen: ['draft'], note: 'unapproved' }))
    .addNode('ask', () => ({ seen: [interrupt('go on?')] }))
    .addNode('send', () => ({ seen: ['send'] }))
    .addEdge(START, 'draft')
    .addEdge('draft', 'ask')
    .addEdge('ask', 'send')
    .addEdge('send', END)
    .compile({ checkpointer: new BookSaver(hornbook) });

test('a graph waits in the book, and goes on when the book is reopened', async () => {
  const path = join(directory(), 'agents.book');
  const config = { configurable: { thread_id: 'a/b ü' } };
  const first = await openHornbook({}, () => {}, path);
  await compiled(first.hornbook).invoke({ seen: ['begin'] }, config);
  await first.close();

  const second = await openHornbook({}, () => {}, path);
  const graph = compiled(second.hornbook);
  const waiting = await graph.getState(config);
  assert.deepEqual([waiting.next, waiting.values.seen], [['ask'], ['begin', 'draft']]);
  const done = await graph.invoke(new Command({ resume: 'yes' }), config);
  assert.deepEqual(done, { seen: ['begin', 'draft', 'yes', 'send'], note: 'unapproved' });

  const history = [];
  for await (const { config: at, next } of graph.getStateHistory(config)) history.push({ at, next });
  assert.deepEqual(
    history.map(({ next }) => next[0]),
    [undefined, 'send', 'ask', 'draft', '__start__'],
  );
  // A fork from before the question: what it does leaves the first branch unchanged.
  const forked = await graph.updateState(history[2].at, { note: 'changed' });
  await graph.invoke(new Command({ resume: 'no' }), forked);
  assert.deepEqual((await graph.getState(config)).values.seen, ['begin', 'draft', 'no', 'send']);
  assert.deepEqual((await graph.getState(history[0].at)).values, done);

  await second.hornbook.undo(1);
  await graph.checkpointer.deleteThread('a/b ü');
  assert.deepEqual((await graph.getState(config)).values, {});
  await second.close();
});

test('the rooms of the book itself are not given out', async () => {
  const { hornbook, close } = await openHornbook({}, () => {});
  assert.throws(() => hornbook.room('memory'), /belongs to the book's own tools/);
  await close();
});
