// How soon a page and an agent on standard input and output hear of what others write to a served book: from when the
// writer is asked to, so that its own work and the server's are in it.
import { Hands } from '../browser/hands.mjs';

/** Changes of each writer in a round. */
const CHANGES = 10;

const NAMES = { page: 'a page', agent: 'an agent', server: 'a client of the server' };

export async function following(rounds) {
  const hands = await Hands.start();
  const times = {};
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (let change = 0; change < CHANGES; change += 1) {
        for (const writer of Object.keys(hands.writers)) {
          const heard = await hands.write(writer, `said(${writer}, ${round}, ${change}).`);
          // The first round warms all of them.
          if (round < 0) continue;
          for (const [name, ms] of Object.entries(heard)) {
            const what = `${NAMES[writer]} writes, ${NAMES[name]} hears of it`;
            times[what] = [...(times[what] ?? []), ms];
          }
        }
      }
    }
  } finally {
    await hands.close();
  }
  return Object.entries(times).map(([what, values]) => ({ what, values, goal: 200, unit: 'ms' }));
}
