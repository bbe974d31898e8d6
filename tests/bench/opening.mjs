// The time a server takes to open a book in NATS from a snapshot in an object store, relative to the time without one:
// for a book of 100,000 clauses written in 2,000 pieces, and for one of 2,000 clauses changed over and over, whose log
// is nearly as long as it gets before it is rewritten. Everything runs on this machine, so there is no network latency.
import { NATS, Nats } from '../support/nats.mjs';
import { ObjectServer, S3 } from '../support/s3.mjs';
import { Serving } from '../support/serve.mjs';

const PIECES = 2_000;
const PIECE = 50;
/** The number of clauses in the changed book, and of changes. */
const CLAUSES = 2_000;
const CHANGES = 5_500;

export async function opening(rounds) {
  if (!NATS || !S3) return [];
  const [nats, objects] = await Promise.all([Nats.start(), ObjectServer.start()]);
  const begin = (snapshots) =>
    Serving.startOn(
      ['--log', nats.url, '--client', 'requests=100000', ...(snapshots ? ['--snapshots', objects.url] : [])],
      {
        env: objects.env,
      },
    );
  const opened = async (book, snapshots) => {
    const server = await begin(snapshots);
    await server.answers(book, 'fact(0, X)', 'X');
    const { ms } = await server.event('book_opened');
    await server.stop();
    return ms;
  };
  try {
    const writer = await begin(false);
    for (let piece = 0; piece < PIECES; piece += 1) {
      const facts = Array.from({ length: PIECE }, (_, n) => `fact(${piece * PIECE + n}, v${n % 7}).`);
      await writer.assert('long', facts.join('\n'));
    }
    const facts = Array.from({ length: CLAUSES }, (_, n) => `fact(${n}, v0).`);
    await writer.assert('changed', facts.join('\n'));
    for (let change = 1; change <= CHANGES; change += 1) {
      const n = change % CLAUSES;
      await writer.answers('changed', `retract(fact(${n}, _)), assertz(fact(${n}, v${change}))`, 'X');
    }
    await writer.stop();
    const rows = [];
    for (const [book, what, goal] of [
      ['long', '100,000 clauses in NATS', 1.1],
      ['changed', `2,000 clauses in NATS, changed ${CHANGES.toLocaleString('en')} times`, 0.8],
    ]) {
      // The first to open it without a snapshot writes one.
      const first = await begin(true);
      await first.answers(book, 'fact(0, X)', 'X');
      await first.event('snapshot_written');
      await first.stop();
      const values = [];
      for (let round = 0; round < rounds; round += 1) {
        const without = await opened(book, false);
        values.push((await opened(book, true)) / without);
      }
      rows.push({ what: `${what}, by a snapshot, to without`, values, goal, unit: 'ratio' });
    }
    return rows;
  } finally {
    await Promise.all([nats.stop(), objects.stop()]);
  }
}
