// What drafts cost over a book of 100,000 clauses: a write in a draft beside the same write in the book, in turns; opening a
// draft; what follows from it.
import { openBook } from '../../pkg/index.js';

const CLAUSES = 100_000;
const OPERATIONS = 100;
/** Changes of each kind per round. */
const CHANGES = 20;
const GOALS = ['t(k5, X)', 't(k99999, X)', 'extra(X)', 'big(K)', 'aggregate_all(count, t(_, _), N)'];

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export async function review(rounds) {
  const book = await openBook();
  const facts = Array.from({ length: CLAUSES }, (_, key) => `t(k${key}, ${key}).`);
  await book.import('facts.pl', facts.join('\n'));
  await book.import('rules.pl', 'big(K) :- t(K, V), V > 99990.\n:- dynamic extra/1, other/1.');
  const writing = await book.draft('writing');
  const [ratios, opened, asked] = [[], [], []];
  let number = 0;
  for (let round = -1; round < rounds; round += 1) {
    const [inBook, inDraft] = [[], []];
    for (let change = 0; change < CHANGES; change += 1) {
      const text = `other(${number++}).`;
      inDraft.push(await timed(() => writing.book.assert(text)));
      inBook.push(await timed(() => book.assert(text)));
    }
    // The first round warms up.
    if (round >= 0) ratios.push(median(inDraft) / median(inBook));
  }
  await writing.close();
  const long = await book.draft('long');
  for (let operation = 0; operation < OPERATIONS; operation += 1) await long.book.assert(`extra(${operation}).`);
  await long.close();
  for (let round = -1; round < rounds; round += 1) {
    let draft;
    const time = await timed(async () => {
      draft = await book.draft('long');
      await draft.proposal();
    });
    // The engines of both states load the book.
    await draft.consequences(['true']);
    const taken = await timed(() => draft.consequences(GOALS));
    await draft.close();
    if (round < 0) continue;
    opened.push(time);
    asked.push(taken);
  }
  await book.close();
  return [
    { what: 'an assert in a draft, to the same in its book', values: ratios, goal: 2, unit: 'ratio' },
    {
      what: `a draft of ${OPERATIONS} operations, until what it proposes is told`,
      values: opened,
      goal: 500,
      unit: 'ms',
    },
    { what: `what follows from it for ${GOALS.length} goals`, values: asked, goal: 500, unit: 'ms' },
  ];
}
