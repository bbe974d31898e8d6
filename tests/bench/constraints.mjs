// What constraints and watched goals cost a book of 100,000 clauses: a change beside the same change in a book without
// them, in turns.
import { openBook } from '../../pkg/index.js';

const PREDICATES = 100;
const FACTS = 1_000;
const WATCHED = 1_000;
/** Changes of each kind per round. */
const CHANGES = 20;

const each = (write) => Array.from({ length: PREDICATES }, (_, index) => write(index)).join('\n');

async function filled(constrained) {
  const book = await openBook();
  const facts = (index) => Array.from({ length: FACTS }, (_, key) => `t${index}(k${key}, ${key}).`).join('\n');
  await book.import('facts.pl', each(facts));
  await book.import(
    'rules.pl',
    each((index) => `bad${index}(K) :- t${index}(K, V), V > 1000000.`),
  );
  if (constrained)
    await book.import(
      'constraints.pl',
      each((index) => `:- constraint(bad${index}(K), "too large: ~w"-[K]).`),
    );
  return book;
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export async function constraints(rounds) {
  const [plain, constrained] = [await filled(false), await filled(true)];
  const [extra, ratios, told] = [[], [], []];
  let fact = 0;
  for (let round = -1; round < rounds; round += 1) {
    const [without, withThem] = [[], []];
    for (let change = 0; change < CHANGES; change += 1) {
      const text = `t5(n${fact++}, 1).`;
      without.push(await timed(() => plain.assert(text)));
      withThem.push(await timed(() => constrained.assert(text)));
    }
    const rows = Array.from({ length: 20_000 }, (_, key) => `t7(r${round}_${key}, ${key}).`).join('\n');
    const file = `rows${round}.pl`;
    const ratio = (await timed(() => constrained.import(file, rows))) / (await timed(() => plain.import(file, rows)));
    // The first round warms up.
    if (round < 0) continue;
    const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
    extra.push(median(withThem) - median(without));
    ratios.push(ratio);
  }
  await constrained.close();
  let heard;
  const watches = Array.from({ length: WATCHED }, async (_, index) => {
    for await (const _answers of plain.watch(`t${index % PREDICATES}(w${index}, V)`)) heard?.(index);
  });
  const all = new Set();
  await new Promise((resolve) => {
    heard = (index) => all.add(index).size === WATCHED && resolve();
  });
  for (let round = -1; round < rounds; round += 1) {
    const seen = new Set();
    const three = [7, 500, 999].map((index) => `t${index % PREDICATES}(w${index}, ${round}).`);
    const time = await timed(async () => {
      const done = new Promise((resolve) => {
        heard = (index) => seen.add(index).size === three.length && resolve();
      });
      await plain.assert(three);
      await done;
    });
    if (round >= 0) told.push(time);
  }
  await plain.close();
  await Promise.all(watches);
  return [
    {
      what: 'an assert with 100 constraints over 100,000 clauses, more than without',
      values: extra,
      goal: 2,
      unit: 'ms',
    },
    { what: 'an import of 20,000 rows with them, to without', values: ratios, goal: 1.2, unit: 'ratio' },
    { what: 'three of 1,000 watched goals are told of a change', values: told, goal: 50, unit: 'ms' },
  ];
}
