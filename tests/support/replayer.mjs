// A process that makes the calls of a simulated run on a real book (tests/resilience/replayed.test.mjs): each comes as a
// message, and so does its answer, with the book's text.
import { openBook } from '../../pkg/index.js';

const book = await openBook({ path: process.argv[2] });

const CALLS = {
  assert: ({ clauses }) => book.assert(...clauses),
  retract: async ({ clause }) => {
    if (!(await book.retract(clause))) throw new Error('there is no such clause');
  },
  replace: ({ clause, by }) => book.replace(clause, by),
  import: ({ name, text }) => book.import(name, text),
  unimport: ({ name }) => book.unimport(name),
  change: ({ goal }) => book.once(goal),
  undo: ({ steps }) => book.undo(steps, { all: true }),
  redo: ({ steps }) => book.redo(steps, { all: true }),
  read: async () => {},
};

process.on('message', async (call) => {
  if (call.do === 'close') {
    await book.close();
    process.disconnect();
    return;
  }
  let refused;
  try {
    await CALLS[call.do](call);
  } catch (error) {
    refused = `${error.kind ?? ''} ${error.message}`;
  }
  process.send({ refused, source: await book.source() });
});
process.send({ ready: true });
