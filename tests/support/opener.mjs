// One of several processes that open a book, read it, write to it and close it, at random, until it is told to stop.
// It reports to its parent what it is about to write, what was answered, and every refusal.
import { openBook } from '../../pkg/index.js';
import { loadCrate } from '../../pkg/node/crate.js';
import { NodeHost } from '../../pkg/node/open.js';
import { SharedStore } from '../../pkg/node/shared-store.js';

const [, , path, name, from] = process.argv;
/** Asserted and retracted, so that the journal is rewritten now and then. */
const PADDING = `padding("${'x'.repeat(300_000)}").`;
const random = (below) => Math.floor(Math.random() * below);
const report = (message) => process.send(message);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let written = Number(from);
let stopped = false;
process.on('message', () => (stopped = true));
process.on('disconnect', () => process.exit());

/** Opens and reads, as `openBook` does, without an engine. */
async function look() {
  const { Hornbook } = await loadCrate('full');
  const host = new NodeHost(() => {});
  const store = new SharedStore(path);
  const notices = [];
  try {
    const hornbook = await Hornbook.open(host, store, {});
    if (hornbook.notice) notices.push(hornbook.notice);
    const text = await hornbook.snapshot();
    hornbook.close();
    report({ read: text.match(/^w\(\w+, \d+\)\.$/gm) ?? [], notices });
  } finally {
    host.close();
    await store.close();
  }
}

/** Opens, and writes a few times or for a while. */
async function work() {
  const book = await openBook({ path });
  try {
    for (let left = random(2) === 0 ? 3 : 60; left > 0 && !stopped; left -= 1) {
      written += 1;
      const fact = `w(${name}, ${written})`;
      report({ begun: fact });
      if (random(4) === 0) await book.once(`assertz(${fact})`);
      else await book.assert(`${fact}.`);
      report({ answered: fact });
      if (random(12) > 0) continue;
      await book.assert(PADDING);
      await book.retract('padding(_)');
    }
  } finally {
    await book.close();
  }
}

while (!stopped) {
  try {
    if (random(3) === 0) await work();
    else await look();
  } catch (error) {
    report({ refused: String(error?.message ?? error) });
  }
  await pause(random(30));
}
report({ ended: true });
process.exit();
