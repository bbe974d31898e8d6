// SIGKILL at every record of twelve workflows, or, with a number, so many at random moments:
//   node tests/workflow/kills/run.mjs [KILLS [SEED]]
import assert from 'node:assert/strict';
import { killedAfter, once, told, withBook } from './kills.mjs';
import { WORKFLOWS } from './workflows.mjs';

const names = Object.keys(WORKFLOWS);
const kills = Number(process.argv[2] ?? 0);
let x = Number(process.argv[3] ?? 1);
const below = (most) => {
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return (x >>> 0) % most;
};

/** How the run ends if nobody kills it, and how long its process takes, in milliseconds. */
async function undisturbed(name) {
  return withBook(async (book) => {
    const began = Date.now();
    const { stdout } = await once(book, name);
    return { state: stdout, told: await told(book), ms: Date.now() - began };
  });
}

let done = 0;
if (kills === 0) {
  for (const name of names) {
    const expected = await undisturbed(name);
    await withBook(async (book) => {
      // Each process writes one or two more records and is killed: an attempt whose failure was not handled yet is made
      // again.
      let processes = 0;
      for (;;) {
        const { killed, stdout, stderr } = await once(book, name, 2 + (processes++ % 2));
        if (killed) {
          done += 1;
          continue;
        }
        assert.deepEqual(
          { state: stdout, told: await told(book) },
          { state: expected.state, told: expected.told },
          stderr,
        );
        break;
      }
    });
    console.log(`${name}: as if nobody had killed it`);
  }
} else {
  while (done < kills) {
    const name = names[below(names.length)];
    const expected = await undisturbed(name);
    await withBook(async (book) => {
      while (await killedAfter(book, name, 50 + below(Math.round(expected.ms * 1.1)))) done += 1;
      const { stdout, stderr } = await once(book, name);
      assert.deepEqual(
        { state: stdout, told: await told(book) },
        { state: expected.state, told: expected.told },
        stderr,
      );
    });
    console.log(`${done} kills; ${name}: as if nobody had killed it`);
  }
}
console.log(`${done} kills`);
