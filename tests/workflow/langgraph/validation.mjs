// LangGraph's own tests of checkpointers, on a book: `langgraph.test.mjs` runs them in vitest.
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import { BookSaver } from '../../../pkg/langgraph.js';
import { openHornbook } from '../../../pkg/node.js';

const opened = new Map();

const initializer = {
  checkpointerName: 'hornbook/langgraph',
  async createCheckpointer() {
    const { hornbook, close } = await openHornbook({}, () => {});
    const saver = new BookSaver(hornbook);
    opened.set(saver, close);
    return saver;
  },
  async destroyCheckpointer(saver) {
    await opened.get(saver)();
    opened.delete(saver);
  },
};

validate(initializer);
deltaChannelHistoryTests(initializer);
