// How soon a page and an agent on standard input and output learn what others write to a served book, measured from the
// request to write, so that it includes the work of the writer and the server.
import { Hands } from '../browser/hands.mjs';

/** Changes per writer and round. */
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
          // The first round warms up.
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
