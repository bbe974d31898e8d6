// How long a server takes to open a book of 100,000 clauses in NATS, written in 2,000 pieces, by a snapshot in an object store,
// to how long it takes without. All are on this machine, where it is to cost nothing: what it saves is what a network adds.
import { NATS, Nats } from '../support/nats.mjs';
import { ObjectServer, S3 } from '../support/s3.mjs';
import { Serving } from '../support/serve.mjs';

const PIECES = 2_000;
const PIECE = 50;

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
  const opened = async (snapshots) => {
    const server = await begin(snapshots);
    await server.answers('long', 'fact(0, X)', 'X');
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
    await writer.stop();
    // Who opens it without a snapshot writes one.
    const first = await begin(true);
    await first.answers('long', 'fact(0, X)', 'X');
    await first.event('snapshot_written');
    await first.stop();
    const values = [];
    for (let round = 0; round < rounds; round += 1) {
      const without = await opened(false);
      values.push((await opened(true)) / without);
    }
    return [{ what: '100,000 clauses in NATS, by a snapshot, to without', values, goal: 1.1, unit: 'ratio' }];
  } finally {
    await Promise.all([nats.stop(), objects.stop()]);
  }
}
