// Eight writers on one book, alternating between two servers, while servers are killed and the storage they write to
// has faults. A constraint refuses some of what they write, and somebody watches it all. Beside them a program proposes into
// a draft, over the log of a server, and accepts it.
import { openBook } from '../../pkg/index.js';
import { wrong } from './linear.mjs';

const WRITERS = 8;
/** Their book, unless a test names another. */
const BOOK = 'line';
/** Some values end in an x. */
const RULES = [':- dynamic(v/1).', ':- constraint((v(X), sub_atom(X, _, 1, 0, x)), "~w must not be"-[X]).'];
/** Each writer writes one of so many values that the constraint refuses. */
const REFUSED = 6;
/** How long the watcher may take to hear of the last write, in milliseconds. */
const HEARD_MS = 30_000;
/** The least number of writes answered between two faults. */
const WRITES = 15;
/** How long a writer pauses between two writes, in milliseconds, when only a draft is waited for. */
const SLOW_MS = 500;
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
  const history = { appends: [], reads: [], refused: [] };
  let working = true;
  let slow = false;
  const leaving = new AbortController();
  const answered = () => history.appends.filter(({ to }) => to !== undefined).length;
  const read = async (server) => {
    const from = now();
    const values = await server.answers(book, 'catch(v(X), _, fail)', 'X', { client: 'reader' });
    history.reads.push({ values, from, to: now() });
  };
  const write = async (writer) => {
    for (let n = 0; working; n++) {
      const server = servers[(writer + n) % servers.length];
      const value = `w${writer}_${n}${n % REFUSED === 3 ? 'x' : ''}`;
      const append = { value, from: now() };
      history.appends.push(append);
      try {
        const { isError, content } = await server.assert(book, `v(${value}).`, { client: `writer ${writer}` });
        if (!isError) append.to = now();
        else if (/must not be/.test(content[0].text)) history.refused.push(value);
        if (n % 5 === 0) await read(server);
        if (slow) await pause(SLOW_MS);
      } catch {
        // The server is gone, or is starting.
        await pause(50);
      }
    }
  };
  /** Each of the answers that the watcher is told is what somebody could have read since it began. */
  let heard = [];
  const watch = async () => {
    for (let n = 0; !leaving.signal.aborted; n++) {
      const from = now();
      try {
        const goal = encodeURIComponent("findall(X, v(X), L), atomic_list_concat(L, ' ', A)");
        const url = `${servers[n % servers.length].url}/watch/${book}?goal=${goal}`;
        const { body } = await fetch(url, { signal: leaving.signal });
        for await (const data of eventsOf(body)) {
          const [{ A } = {}] = data.answers;
          if (A === undefined) continue;
          // An atom with spaces is quoted.
          heard = A.replaceAll("'", '').split(' ').filter(Boolean);
          history.reads.push({ values: heard, from, to: now() });
        }
      } catch {
        // The server is gone, or this is over.
      }
      await pause(50);
    }
  };
  const drafted = { accepted: 0, conflicts: 0 };
  /** What is proposed counts from the moment that it is accepted. */
  const propose = async (opened, n) => {
    const draft = await opened.draft(`d${n}`);
    try {
      await draft.book.assert(`v(d_${n}).`);
      await draft.proposal();
      const append = { value: `d_${n}`, from: now() };
      history.appends.push(append);
      try {
        await draft.accept({ by: 'ann' });
        append.to = now();
        drafted.accepted += 1;
      } catch (error) {
        // The writers may be faster each time; then it is said that nothing was changed.
        if (!/Nothing was changed|was not carried out/.test(error.message)) throw error;
        history.refused.push(append.value);
        drafted.conflicts += 1;
        await draft.reject({ by: 'ann' });
      }
    } finally {
      await draft.close();
    }
  };
  const draft = async () => {
    for (let n = 0; working; ) {
      let opened;
      try {
        opened = await openBook({ path: `${servers[n % servers.length].url}/log/${book}` });
        while (working) await propose(opened, n++);
      } catch {
        // The server is gone, or is starting: nobody decides about what was proposed.
        n += 1;
        await pause(50);
      } finally {
        await opened?.close().catch(() => {});
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
    // Not each decision may end with a conflict.
    slow = true;
    while (drafted.accepted === 0) await pause(20);
    working = false;
  };
  await servers[0].assert(book, RULES);
  const watching = watch();
  await Promise.all([trouble(), draft(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
  for (const server of servers) await read(server);
  const last = history.reads.at(-1).values;
  for (let waited = 0; waited < HEARD_MS && `${heard}` !== `${last}`; waited += 50) await pause(50);
  const isDeaf = `${heard}` !== `${last}` && `the watcher has heard ${heard.length} values of ${last.length}`;
  leaving.abort();
  await watching;
  await Promise.all(servers.map((server) => server.stop()));
  const told = `${answered()} of ${history.appends.length} writes answered, ${history.refused.length} refused by the constraint, ${history.reads.length} reads, ${drafted.accepted} drafts accepted, ${drafted.conflicts} conflicts, ${troubles.length} faults`;
  return { wrong: wrong(history) ?? (isDeaf || undefined), told };
}

/** The data of server-sent events. */
async function* eventsOf(body) {
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text
        .slice(0, end)
        .split('\n')
        .filter((line) => line.startsWith('data:'));
      text = text.slice(end + 2);
      if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5)).join('\n'));
    }
  }
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
