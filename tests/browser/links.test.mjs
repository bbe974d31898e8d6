// A few hostile links; `links.mjs` opens as many as you like, at random.
import { after, before, test } from 'node:test';
import { openLinks } from './links.mjs';
import { Visitors } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('the page survives hostile links, and starts at its plain address after each', async (t) => {
  await openLinks(visitors, 8, Number(process.env.SEED ?? 1), (_, __, failed) => failed && t.diagnostic(failed));
});
