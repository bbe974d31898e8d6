// A few hostile links at random; `links.mjs` opens as many as you like.
import { after, before, test } from 'node:test';
import { openLinks } from './links.mjs';
import { Visitors } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

test('the page survives hostile links, and starts at its plain address after each', async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  await openLinks(visitors, 10, seed);
});
