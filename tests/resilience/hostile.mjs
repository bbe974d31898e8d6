// Attackers with tokens of their own against one `hornbook serve`, while an honest client works in the same book:
//
//   node tests/resilience/hostile.mjs [SECONDS] [tokens | issuer] [--only ATTACK] [--elsewhere] [--each]
//
// With an issuer, the attackers may only read, and try to write. Reports how long the honest client waited, and the
// memory of the server. Fails unless the client was always answered, memory stayed bounded, and the book has what the
// client wrote and nothing else. With `--elsewhere` the attackers attack a second server on the same machine: what the
// honest client then waits is what the machine costs. `--each` runs the attacks one by one, and tells a line of each.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Issuer } from '../support/issuer.mjs';
import { Serving } from '../support/serve.mjs';
import { ALONE, ATTACKS, NAMES, PATIENCE, read } from './attackers.mjs';

const BOOK = 'shared';
/** How much memory the server may take beyond what it had, in MiB: what clients may send at once, and engines. */
const ROOM = 1_500;

const memoryOf = ({ child }) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024;
/** What a part of the numbers stays below, as a whole number. */
const within = (part, numbers) =>
  Math.round(numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))] ?? 0);
const median = (numbers) => within(0.5, numbers);

/** Have attackers attack in a process of their own. Resolves with how often each attack was done, and refused. */
async function attackers(what) {
  const child = fork(fileURLToPath(new URL('attackers.mjs', import.meta.url)), [JSON.stringify(what)]);
  const [counted] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the attackers ended with ${code}`);
    }),
  ]);
  return counted;
}

/** Attack for this many seconds. Resolves with the figures. */
export async function attack(seconds, kind, { only, elsewhere = false, say = () => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-hostile-'));
  const issuer = kind === 'issuer' ? await Issuer.start() : undefined;
  const tokens = {};
  for (const name of ['honest', ...NAMES])
    tokens[name] = issuer
      ? await issuer.token(name, name === 'honest' ? 'write' : 'read')
      : `token-of-${name}-for-the-server`;
  writeFileSync(join(folder, 'tokens'), Object.values(tokens).join('\n'));
  const access = issuer ? issuer.arguments : ['--token-file', join(folder, 'tokens')];
  const start = (books) => Serving.start(join(folder, books), ['--tools', 'prolog,dml,memory,workflow', ...access]);
  const server = await start('books');
  const attacked = elsewhere ? await start('others') : server;
  let ended;
  void server.closed.then((how) => (ended = how));
  const optionsOf = (token) => ({
    headers: { Authorization: `Bearer ${token}`, ...ALONE },
    signal: AbortSignal.timeout(PATIENCE),
  });
  try {
    const admin = issuer ? await issuer.token('root', 'admin') : tokens.honest;
    for (const one of new Set([server, attacked])) await one.assert(BOOK, 'written(0).', optionsOf(admin));
    let written = 0;
    /** One change and one question of the honest client; how long both took. */
    const work = async () => {
      const began = performance.now();
      await server.assert(BOOK, `written(${written + 1}).`, optionsOf(tokens.honest));
      written++;
      const goal = 'aggregate_all(max(N), written(N), M)';
      const [found] = await server.answers(BOOK, goal, 'M', optionsOf(tokens.honest));
      assert.equal(found, String(written));
      return performance.now() - began;
    };
    const usual = [];
    for (let time = 0; time < 40; time++) usual.push(await work());

    const before = memoryOf(server);
    const memory = [];
    /** How long a request waits that needs no book. */
    const health = [];
    const { honest: _, ...others } = tokens;
    const { url } = attacked;
    let isOver = false;
    const goesOn = () => !isOver && !ended;
    const attacks = attackers({ url, book: BOOK, tokens: others, reads: issuer !== undefined, seconds, only }).finally(
      () => (isOver = true),
    );
    const during = [];
    const honest = async () => {
      while (goesOn()) {
        during.push(await work());
        await pause(100);
      }
    };
    const watch = async () => {
      while (goesOn()) {
        memory.push(memoryOf(server));
        const began = performance.now();
        await read(fetch(`${server.url}/health`, { headers: ALONE, signal: AbortSignal.timeout(PATIENCE) }));
        health.push(performance.now() - began);
        say(`${Math.round(memory.at(-1))} MiB, ${median(during.slice(-20))} ms`);
        await pause(seconds > 60 ? 10_000 : 1_000);
      }
    };
    const [counted] = await Promise.all([attacks, honest(), watch()]).catch((cause) => {
      throw ended
        ? new Error(`the server has ended: ${JSON.stringify([ended, server.events.at(-1)])}`, { cause })
        : cause;
    });
    assert.equal(ended, undefined, 'the server has ended');
    const options = optionsOf(tokens.honest);
    const [there] = await server.answers(BOOK, 'aggregate_all(count, written(_), N)', 'N', options);
    assert.equal(there, String(written + 1));
    const symbols = await server.call(BOOK, 'workspace', { operation: 'snapshot' }, options);
    assert.doesNotMatch(symbols.content[0].text, /owned/);
    const half = memory.slice(Math.floor(memory.length / 2));
    const figures = {
      'usual, ms': median(usual),
      'under attack, ms': median(during),
      '95 % within, ms': within(0.95, during),
      '99 % within, ms': within(0.99, during),
      'longest, ms': within(1, during),
      ratio: Math.round((median(during) / median(usual)) * 10) / 10,
      'without a book, ms': median(health),
      'honest rounds': during.length,
      'memory before, MiB': Math.round(before),
      'in the first half at most': Math.round(Math.max(...memory.slice(0, half.length))),
      'in the second half at most': Math.round(Math.max(...half)),
      'failed events': server.events.filter(({ event }) => event === 'failed').length,
      ...counted,
    };
    assert.ok(Math.max(...memory) < before + ROOM, JSON.stringify(figures));
    return figures;
  } finally {
    for (const one of new Set([server, attacked])) await one.kill();
    issuer?.close();
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, elsewhere: { type: 'boolean' }, each: { type: 'boolean' } },
  });
  const [seconds = '60', kind = 'tokens'] = positionals;
  const { only, elsewhere } = values;
  if (only !== undefined && !(only in ATTACKS)) throw new Error(`--only is one of: ${Object.keys(ATTACKS).join(', ')}`);
  if (values.each)
    for (const one of Object.keys(ATTACKS)) {
      const figures = await attack(Number(seconds), kind, { only: one, elsewhere });
      const { done, refused, ...rest } = figures;
      console.log(`${one}: ${JSON.stringify({ ...rest, done: done[one] ?? 0, refused: refused[one] ?? 0 })}`);
    }
  else console.log(await attack(Number(seconds), kind, { only, elsewhere, say: console.log }));
}
