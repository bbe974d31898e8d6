// What a query reads in the playground: a field below the query asks for it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, ask, begin, leave, rows, settled } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('a query that reads asks in its card; the answer, no answer, and Stop', async () => {
  const page = await visitors.open();
  const card = await begin(page, 'write("Name? "), read(X), read(Y)');
  const form = card.locator('form.asking');
  await form.getByLabel('The program asks: Name?').fill('ada');
  await form.getByRole('button', { name: 'Answer', exact: true }).click();
  await form.getByRole('button', { name: 'No answer' }).click();
  await settled(card);
  assert.deepEqual(await rows(card), [['ada', 'end_of_file', 'Name?']]);
  assert.equal(await form.count(), 0);

  const stopped = await begin(page, 'read(X)');
  await stopped.locator('form.asking').waitFor();
  await stopped.getByRole('button', { name: 'Stop' }).click();
  await settled(stopped);
  assert.equal(await stopped.locator('form.asking').count(), 0);
  assert.deepEqual(await rows(await ask(page, 'X = 1')), [['1']]);
  await leave(page);
});
