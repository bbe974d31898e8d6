// A first visit to the playground over a line of 4 Mbit/s: when one can write, and when the first answer is there.
import { Visitors } from '../browser/playground.mjs';
import { visitSlowly } from '../browser/slow.mjs';

export async function visit(rounds) {
  const visitors = await Visitors.start();
  const [keys, answers] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const { page, msUntilKeys, msUntilAnswer } = await visitSlowly(visitors);
    keys.push(msUntilKeys / 1000);
    answers.push(msUntilAnswer / 1000);
    await page.context().close();
  }
  await visitors.close();
  return [
    { what: 'until the editor takes keys', values: keys, unit: 's' },
    { what: 'until the first answer', values: answers, unit: 's' },
  ];
}
