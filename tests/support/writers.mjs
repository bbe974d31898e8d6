// Eight writers on one book, alternating between two servers, while servers are killed and the storage they write to
// has faults.
import { wrong } from './linear.mjs';

const WRITERS = 8;
/** Their book, unless a test names another. */
const BOOK = 'line';
/** The least number of writes answered between two faults. */
const WRITES = 15;
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * What is wrong with the history of the book, `undefined` if it is linearizable; and how much there was.
 *
 * @param begin starts a server
 * @param troubles the faults, one after the other; each receives the servers
 * @param book a book that does not exist yet
 */
export async function history(begin, troubles, book = BOOK) {
  const servers = [await begin(), await begin()];
  const start = performance.now();
  const now = () => performance.now() - start;
  const history = { appends: [], reads: [] };
  let working = true;
  const answered = () => history.appends.filter(({ to }) => to !== undefined).length;
  const read = async (server) => {
    const from = now();
    const values = await server.answers(book, 'catch(v(X), _, fail)', 'X', { client: 'reader' });
    history.reads.push({ values, from, to: now() });
  };
  const write = async (writer) => {
    for (let n = 0; working; n++) {
      const server = servers[(writer + n) % servers.length];
      const value = `w${writer}_${n}`;
      const append = { value, from: now() };
      history.appends.push(append);
      try {
        const { isError } = await server.assert(book, `v(${value}).`, { client: `writer ${writer}` });
        if (!isError) append.to = now();
        if (n % 5 === 0) await read(server);
      } catch {
        // The server is gone, or is starting.
        await pause(50);
      }
    }
  };
  const trouble = async () => {
    for (const happens of troubles) {
      const until = answered() + WRITES;
      while (answered() < until) await pause(20);
      await happens(servers);
    }
    const until = answered() + WRITES;
    while (answered() < until) await pause(20);
    working = false;
  };
  await servers[0].assert(book, ':- dynamic v/1.');
  await Promise.all([trouble(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
  for (const server of servers) await read(server);
  await Promise.all(servers.map((server) => server.stop()));
  const told = `${answered()} of ${history.appends.length} writes answered, ${history.reads.length} reads, ${troubles.length} faults`;
  return { wrong: wrong(history), told };
}

/**
 * The connection of the first of two servers stalls: its write eventually fails and says why, others continue, and so
 * does the first server when its connection does. Returns its error message.
 */
export async function hung([one, other], relay, book) {
  relay.hang();
  let ended = false;
  const failed = one.assert(book, 'late(1).', { client: 'late' }).finally(() => (ended = true));
  const { isError } = await other.assert(book, 'meanwhile(1).', { client: 'meanwhile' });
  if (isError || ended) throw new Error('others have waited for a connection that hangs');
  const result = await failed;
  relay.goOn();
  if (!result.isError) throw new Error('it was written over a connection that hangs');
  return result.content[0].text;
}

/** The connection of a server stalls for a while, and resumes before anybody has given up. */
export async function held(relay) {
  relay.hang();
  await pause(8_000);
  relay.goOn();
}

/** Kill one of two servers, and start another in its place. */
export const killed = (which, begin) => async (servers) => {
  await servers[which].kill();
  servers[which] = await begin();
};
