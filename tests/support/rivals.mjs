// Two writers, each on a server of its own, want the same at the same time: each change is fine, and both together violate
// a constraint of the book. Meanwhile servers are killed, and the storage has faults.
import { pause } from './writers.mjs';

const RULE = ':- constraint((taken(S, A), taken(S, B), A @< B), "~w is taken twice"-[S]).';
/** The least number of seats that are decided between two faults. */
const SEATS = 8;

/**
 * What is wrong with the book in the end, a line each; and how much there was.
 *
 * @param begin starts a server
 * @param troubles the faults, one after the other; each receives the servers
 */
export async function rivals(begin, troubles, book = 'rivals') {
  const servers = [await begin(), await begin()];
  await servers[0].assert(book, `:- dynamic(taken/2).\n${RULE}`);
  /** `kept`, `refused` by the constraint, `conflict` if others were faster, or `undefined` if nobody knows. */
  const outcomes = [];
  let working = true;
  const take = async (seat, who) => {
    try {
      const { isError, content } = await servers[who].assert(book, `taken(${seat}, ${who}).`, {
        client: `rival ${who}`,
      });
      if (!isError) return 'kept';
      if (/is taken twice/.test(content[0].text)) return 'refused';
      if (/was not carried out/.test(content[0].text)) return 'conflict';
    } catch {
      // The server is gone, or is starting.
      await pause(50);
    }
    return undefined;
  };
  const work = async () => {
    while (working) outcomes.push(await Promise.all([0, 1].map((who) => take(outcomes.length, who))));
  };
  const decided = () => outcomes.filter((both) => both.includes('kept')).length;
  const some = async () => {
    const until = decided() + SEATS;
    while (decided() < until) await pause(20);
  };
  const trouble = async () => {
    for (const happens of troubles) {
      await some();
      await happens(servers);
    }
    await some();
    working = false;
  };
  await Promise.all([trouble(), work()]);
  const [seen, other] = await Promise.all(
    servers.map((server) => server.answers(book, 'taken(S, W), X = S-W', 'X', { client: 'reader' })),
  );
  await Promise.all(servers.map((server) => server.stop()));
  const wrong = [];
  if (`${seen}` !== `${other}`) wrong.push('the servers have different books');
  for (const [seat, both] of outcomes.entries()) {
    const there = both.map((_, who) => seen.filter((one) => one === `${seat}-${who}`).length);
    if (there[0] + there[1] > 1) wrong.push(`${seat} is taken twice`);
    for (const [who, outcome] of both.entries()) {
      if (outcome === 'kept' && there[who] !== 1) wrong.push(`${seat}-${who} was answered, and is not there`);
      if (['refused', 'conflict'].includes(outcome) && there[who] !== 0)
        wrong.push(`${seat}-${who} was refused, and is there`);
    }
    if (both.every((outcome) => outcome === 'refused')) wrong.push(`${seat} was refused to both`);
  }
  const count = (outcome) => outcomes.flat().filter((one) => one === outcome).length;
  const told = `${outcomes.length} seats: ${count('kept')} taken, ${count('refused')} refused, ${count('conflict')} conflicts, ${count(undefined)} unknown, ${troubles.length} faults`;
  return { wrong, told, refused: count('refused') };
}
