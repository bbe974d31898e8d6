// A client that may only propose tries every door, and nothing changes but its draft.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../../pkg/client.js';
import { openHornbook } from '../../pkg/node.js';
import { asked, DOORS, SHOP } from './doors.mjs';

const PRICES = 'findall(A-B, price(A, B), L), catch(findall(A-B, may_change(A, B), M), _, true)';
const TOOLS = ['prolog', 'dml', 'memory', 'workflow'];

describe('a client that may only propose', () => {
  let book;
  let draft;
  let owner;
  let agent;
  const state = async () => {
    const read = (tool, values) => owner.callTool(tool, values).then(({ text }) => text);
    return {
      snapshot: await read('workspace', { operation: 'snapshot' }),
      engine: await read('query_start', { query: PRICES, take: 1, query_id: 'prices' }),
      files: await read('files', { operation: 'list' }),
      memory: book.hornbook.exportMemory(),
      runs: await read('workflow_runs', {}),
    };
  };

  before(async () => {
    book = await openHornbook({ tools: TOOLS, dmlBook: 'write' }, () => {});
    owner = new Client(book.hornbook, 'owner').asHost();
    for (const [tool, values] of SHOP) await owner.callTool(tool, asked(tool, values));
    draft = await book.hornbook.draft('eve');
    agent = new Client(draft, 'eve');
  });
  after(async () => {
    draft.close();
    await book.close();
  });

  for (const [door, steps] of Object.entries(DOORS)) {
    test(`changes only its draft by ${door}`, async () => {
      const begun = await state();
      for (const [tool, values] of steps) await agent.callTool(tool, asked(tool, values)).catch(() => undefined);
      assert.deepEqual(await state(), begun);
      assert.deepEqual(await draft.differences(), []);
    });
  }

  test('has proposed what it tried', async () => {
    // A reset is the last door, and what it takes is proposed, too.
    const { operations } = await draft.proposal();
    assert.ok(operations.length > 30, `${operations.length} operations`);
  });
});
