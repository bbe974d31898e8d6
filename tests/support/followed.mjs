// The log of a book that two servers share, as seen over HTTP.
import assert from 'node:assert/strict';
import { BookServer } from './book-server.mjs';

/** @param begin starts a server */
export async function followed(begin) {
  const [one, other] = [await begin(), await begin()];
  const agents = [one, other].map(({ url }) => new BookServer(`${url}/log/followed`));
  try {
    const offsets = [];
    for (let number = 1; number <= 3; number++) {
      await agents[number % 2].assert(`p(${number}).`);
      const end = await fetch(`${(number === 2 ? one : other).url}/log/followed`, { method: 'HEAD' });
      offsets.push(end.headers.get('stream-next-offset'));
    }
    await other.assert('followed', 'p(4).');
    for (const agent of agents) assert.equal(await agent.values('p(X)'), '[1,2,3,4]');
    // What was read before can be read again, from the offsets of either server.
    for (const { url } of [one, other, one]) {
      const texts = await Promise.all(
        offsets.map(async (offset) => (await fetch(`${url}/log/followed?offset=${offset}`)).text()),
      );
      assert.deepEqual(
        texts.map((text) => text.split('\n').length - 1),
        [3, 2, 1],
      );
    }
  } finally {
    await Promise.all([...agents, one, other].map((process) => process.kill()));
  }
}
