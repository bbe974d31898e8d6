// node tests/mutations.mjs [NAME …]: puts faults into a copy of the crates, and counts the seconds until the simulator
// (src/simulate/) finds each; of all, unless some are named. By hand: it builds for some minutes. The faults are built at
// once, and one of them is on in each run. A seed that fails without its fault, too, ends this. The seconds are those of
// the clock: one that is not found within five minutes, with a core for itself, is a fault of the simulator. If all were
// run, the table in CONTRIBUTING.md is made anew. The last line is `N found, N not found`.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Plain, ROOT, files, main, run, say } from '../scripts/steps.mjs';

/** The most seconds until one is found. */
const SECONDS = 300;
/** The seconds without a fault, in which nothing must be found. */
const CONTROL = 20;
/** The copy, and what is built of it. */
const COPY = join(ROOT, 'target', 'mutations', 'tree');
const BUILT = join(ROOT, 'target', 'mutations', 'built');
/** The file of the foundation, on which all crates depend. */
const BASE = join('src', 'base', 'lib.rs');

/** Is true in the runs with the fault whose text has it. */
const HERE = 'HERE';

/** Each fault: what it is, the file, a text that stands there once, and what is put in its place. */
const MUTATIONS = {
  'ack-before-durable': [
    'an operation is acknowledged before it is durable',
    'src/workspace/keeping.rs',
    'match self.to_its_end(Box::pin(work), effect, permit).await {',
    `if HERE {
            (self.spawner)(Box::pin(async move { drop((work.await, permit)) }));
            return Ok(Kept::Done(Effect::default()));
        }
        match self.to_its_end(Box::pin(work), effect, permit).await {`,
  ],
  'lost-reply': [
    'a lost reply is taken as not written',
    'src/workspace/keeping.rs',
    'if news.first().is_some_and(is_own) {',
    'if !HERE && news.first().is_some_and(is_own) {',
  ],
  'retry-without-id': [
    'a record is known again by its time, and not by who wrote it',
    'src/workspace/keeping.rs',
    'first.stamp == revision.stamp;',
    '(first.stamp == revision.stamp || HERE && first.stamp.at_ms == revision.stamp.at_ms);',
  ],
  'torn-tail': [
    'a torn tail is accepted',
    'src/store/recovery.rs',
    'Err(Broken::Torn) if writers == Writers::None =>',
    `Err(Broken::Torn) if HERE => found.end.length += line.bytes.len() as u64,
            Err(Broken::Torn) if writers == Writers::None =>`,
  ],
  'another-log': [
    'a snapshot of another log is accepted',
    'src/store/journal.rs',
    'if !goes_on(&now, book) {',
    'if !HERE && !goes_on(&now, book) {',
  ],
  'watch-misses': [
    'a watched goal does not see what a new rule makes it depend on',
    'src/workspace/watchers.rs',
    'if touch.changes_reach() {',
    'if !HERE && touch.changes_reach() {',
  ],
  'undo-skips': [
    'an undo leaves out one of three',
    'src/book/history.rs',
    'let delta = self.taking_back(number, revision, pace).await?;',
    `let mut delta = self.taking_back(number, revision, pace).await?;
        if HERE && delta.removed.len() > 2 {
            delta.removed.remove(1);
        }`,
  ],
  'engine-not-told': [
    'an engine is not told of the change of another process',
    'src/workspace/keeping.rs',
    'for revision in news {\n            if let Some(mut behind) = self.behind() {',
    'for revision in news {\n            if !HERE && let Some(mut behind) = self.behind() {',
  ],
  'turn-lost': [
    'who cancels while waiting for its turn keeps it for ever',
    'src/workspace/turn.rs',
    'Either::Right(_) => return Err(cancelled_before()),\n        };\n        let waited_ms',
    `Either::Right((_, waiting)) => {
                if HERE {
                    std::mem::forget(waiting);
                }
                return Err(cancelled_before());
            }
        };
        let waited_ms`,
  ],
  'unbounded-queue': [
    'each change of a book queues another follower of a draft',
    'src/workspace/sharing.rs',
    'if follows.replace(true) {',
    'if follows.replace(true) && !HERE {',
  ],
};

/** What is added to the foundation. */
const MUTATED = `
/// Whether this fault is on.
pub fn mutated(name: &str) -> bool {
    static ON: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ON.get_or_init(|| std::env::var("MUTATION").unwrap_or_default()) == name
}
`;

/** The bytes of a file of the crates, with all the faults that belong into it. */
function mutated(path) {
  const whole = readFileSync(join(ROOT, path));
  const own = Object.entries(MUTATIONS).filter(([, [, file]]) => file === path);
  if (own.length === 0 && path !== BASE) return whole;
  let text = whole.toString();
  for (const [name, [, file, old, now]] of own) {
    const count = text.split(old).length - 1;
    if (count !== 1) throw new Plain(`${name}: ${file} has this ${count} times, not once; write it anew:\n${old}`);
    text = text.replace(old, () => now.replaceAll(HERE, `hornbook_base::mutated("${name}")`));
  }
  return Buffer.from(path === BASE ? text + MUTATED : text);
}

/** Make the copy; what has not changed since the last one stays, and is not built again. */
function copy() {
  // Crates include a file of the Prolog, and the license.
  const paths = files('Cargo.toml', 'Cargo.lock', 'LICENSE', 'prolog', 'src').map((path) => relative(ROOT, path));
  const isThere = new Set(paths);
  for (const old of existsSync(COPY) ? readdirSync(COPY, { recursive: true }) : []) {
    if (!isThere.has(old) && statSync(join(COPY, old)).isFile()) rmSync(join(COPY, old));
  }
  for (const path of paths) {
    const [bytes, to] = [mutated(path), join(COPY, path)];
    if (existsSync(to) && readFileSync(to).equals(bytes)) continue;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes);
  }
}

/** What the simulator prints with the fault, or with none; undefined if it finds nothing. */
function simulated(name, ...args) {
  const program = join(BUILT, 'simulate', 'hornbook-simulate');
  return new Promise((resolve, reject) => {
    const env = { ...process.env, MUTATION: name };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const timer = setTimeout(() => child.kill(), (SECONDS + 60) * 1000);
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 2) reject(new Plain(`the simulator does not take ${args.join(' ')}`));
      resolve(code === 1 ? out : undefined);
    });
  });
}

/** Put these rows into the table that contributors read. */
function record(rows) {
  const path = join(ROOT, 'CONTRIBUTING.md');
  const day = new Date().toISOString().slice(0, 10);
  const head = `On ${day}, with the seeds from 1 on, by the clock:\n\n| fault | found after | seeds |\n|---|---|---|\n`;
  const table = /(?<=^<!-- mutations.*-->\n)(?:.|\n)*?(?=^<!-- end of mutations -->)/m;
  const text = readFileSync(path, 'utf8');
  if (!table.test(text)) throw new Plain('CONTRIBUTING.md has no place for the table of mutations');
  writeFileSync(
    path,
    text.replace(table, () => `${head}${rows.join('')}`),
  );
}

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in MUTATIONS));
  if (unknown) throw new Plain(`there is no ${unknown}, but ${Object.keys(MUTATIONS).join(', ')}`);
  copy();
  const args = ['build', '-p', 'hornbook-simulate', '--profile', 'simulate'];
  await run('cargo', args, { cwd: COPY, env: { CARGO_TARGET_DIR: BUILT }, heartbeat: 'building' });
  const wrong = await simulated('', '--seconds', CONTROL);
  if (wrong) throw new Plain(`the simulator finds something without any of them:\n${wrong}`);
  let missed = 0;
  const rows = [];
  const chosen = names.length > 0 ? names : Object.keys(MUTATIONS);
  for (const name of chosen) {
    const out = await simulated(name, '--seconds', SECONDS);
    const [, seeds, seconds] = out?.match(/^(\d+) seeds, .* in ([\d.]+) s/m) ?? [];
    const again = out?.match(/^again: .* (--seed \d+)/m)?.[1].split(' ');
    const without = again && (await simulated('', ...again));
    if (without) throw new Plain(`${name}: this seed fails without the fault, too:\n${without}`);
    if (!out) missed++;
    console.log(`${name}: ${MUTATIONS[name][0]}: ${out ? `${seconds} s, seed ${seeds}` : 'not found'}`);
    rows.push(`| ${MUTATIONS[name][0]} | ${out ? `${seconds} s` : `not in ${SECONDS} s`} | ${out ? seeds : ''} |\n`);
    const found = out?.match(/^step \d+: (.*)/m)?.[1];
    if (found) say(`  ${found.slice(0, 200)}`);
  }
  if (names.length === 0) record(rows);
  console.log(`${chosen.length - missed} found, ${missed} not found`);
  if (missed > 0) process.exitCode = 1;
});
