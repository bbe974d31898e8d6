// Lookups beside long queries: one client asks for what is found at once while six others have a query of 1.5 s each, over
// and over, of the same book with two engines; compared with the same lookups alone, in a program and over HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openBook } from '../../pkg/index.js';
import { Serving } from '../support/serve.mjs';

const LOOPS = 6;
/** How long lookups are made while loops run, and alone, in milliseconds. */
const FOR_MS = 10_000;
const ALONE_MS = 3_000;
/** Between two lookups. */
const REST_MS = 5;
const FACTS = Array.from({ length: 1_000 }, (_, n) => `price(item${n}, ${n}).`).join('\n');
const LOOP = 'get_time(T0), repeat, get_time(T), T - T0 > 1.5, !';

/** What a part of the numbers stays below. */
const within = (part, numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))];

/** How long each lookup took, alone and beside the loops, and how many loops ended. */
async function measured(lookup, loop) {
  let isOver = false;
  const lookups = async (forMs) => {
    const took = [];
    const until = performance.now() + forMs;
    while (performance.now() < until) {
      const began = performance.now();
      await lookup(took.length % 1_000);
      took.push(performance.now() - began);
      await pause(REST_MS);
    }
    return took;
  };
  await lookups(500);
  const alone = await lookups(ALONE_MS);
  let ended = 0;
  const loops = Array.from({ length: LOOPS }, async (_, nth) => {
    while (!isOver) {
      await loop(nth);
      ended += 1;
    }
  });
  // The first ones wait for the second engine to start.
  await lookups(3_000);
  ended = 0;
  const beside = await lookups(FOR_MS);
  const done = ended;
  isOver = true;
  await Promise.all(loops);
  return { alone, beside, done };
}

async function inProgram() {
  const book = await openBook({ engines: 2 });
  try {
    await book.assert(FACTS);
    return await measured(
      (n) => book.once(`price(item${n}, P)`),
      () => book.once(LOOP),
    );
  } finally {
    await book.close();
  }
}

async function served() {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-lanes-'));
  const server = await Serving.start(join(folder, 'books'), []);
  const as = (name) => ({ client: name });
  try {
    await server.assert('shop', FACTS, as('looks-up'));
    return await measured(
      (n) => server.answers('shop', `price(item${n}, P)`, 'P', as('looks-up')),
      (nth) => server.answers('shop', LOOP, 'T', as(`loops-${nth}`)),
    );
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true });
  }
}

export async function lanes(rounds) {
  const rows = [];
  for (const [where, run] of [
    ['in a program', inProgram],
    ['over HTTP', served],
  ]) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await run());
    const row = (what, figure, more) => rows.push({ what: `${what}, ${where}`, values: taken.map(figure), ...more });
    for (const [part, most] of [
      [0.5, undefined],
      [0.95, undefined],
      [0.99, 50],
    ])
      row(`lookups beside six loops, ${part * 100} % within`, ({ beside }) => within(part, beside), {
        goal: most,
        unit: 'ms',
      });
    row('  half of them, to the same alone', ({ alone, beside }) => within(0.5, beside) / within(0.5, alone), {
      unit: 'ratio',
    });
    row('  loops that ended', ({ done }) => (done / FOR_MS) * 60_000, { unit: 'a minute' });
  }
  return rows;
}
