// node tests/mutations.mjs [NAME …]: puts faults into a copy of the crates, and counts the seconds until the simulator
// (src/simulate/) finds each; of all, unless some are named. By hand: it builds for some minutes. The faults are built at
// once, and one of them is on in each run. A seed that fails without its fault, too, ends this. One that is not found
// within five minutes of a core is a fault of the simulator.
// The last line is `N found, N not found`.
import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Plain, ROOT, main, run, say } from '../scripts/steps.mjs';

/** The most seconds until one is found. */
const SECONDS = 300;
/** The seconds without a fault, in which nothing must be found. */
const CONTROL = 20;
/** The copy, and what is built of it. */
const COPY = join(ROOT, 'target', 'mutations', 'tree');
const BUILT = join(ROOT, 'target', 'mutations', 'built');

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

/** What is added to the foundation, on which all crates depend. */
const MUTATED = `
/// Whether this fault is on.
pub fn mutated(name: &str) -> bool {
    static ON: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ON.get_or_init(|| std::env::var("MUTATION").unwrap_or_default()) == name
}
`;

/** Put a fault into the copy. */
function mutate(name) {
  const [, file, old, now] = MUTATIONS[name];
  const text = readFileSync(join(COPY, file), 'utf8');
  const count = text.split(old).length - 1;
  if (count !== 1) throw new Plain(`${name}: ${file} has this ${count} times, not once; write it anew:\n${old}`);
  writeFileSync(
    join(COPY, file),
    text.replace(old, () => now.replaceAll(HERE, `hornbook_base::mutated("${name}")`)),
  );
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

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in MUTATIONS));
  if (unknown) throw new Plain(`there is no ${unknown}, but ${Object.keys(MUTATIONS).join(', ')}`);
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  // With their times: what has not changed is not built again.
  for (const part of ['Cargo.toml', 'Cargo.lock', 'src']) {
    cpSync(join(ROOT, part), join(COPY, part), { recursive: true, preserveTimestamps: true });
  }
  for (const name in MUTATIONS) mutate(name);
  appendFileSync(join(COPY, 'src', 'base', 'lib.rs'), MUTATED);
  const args = ['build', '-p', 'hornbook-simulate', '--profile', 'simulate'];
  await run('cargo', args, { cwd: COPY, env: { CARGO_TARGET_DIR: BUILT }, heartbeat: 'building' });
  const wrong = await simulated('', '--seconds', CONTROL);
  if (wrong) throw new Plain(`the simulator finds something without any of them:\n${wrong}`);
  let missed = 0;
  const chosen = names.length > 0 ? names : Object.keys(MUTATIONS);
  for (const name of chosen) {
    const out = await simulated(name, '--seconds', SECONDS);
    const [, seeds, seconds] = out?.match(/^(\d+) seeds, .* in ([\d.]+) s/m) ?? [];
    const again = out?.match(/^again: .* (--seed \d+)/m)?.[1].split(' ');
    const without = again && (await simulated('', ...again));
    if (without) throw new Plain(`${name}: this seed fails without the fault, too:\n${without}`);
    if (!out) missed++;
    console.log(`${name}: ${MUTATIONS[name][0]}: ${out ? `${seconds} s, seed ${seeds}` : 'not found'}`);
    const found = out?.match(/^step \d+: (.*)/m)?.[1];
    if (found) say(`  ${found.slice(0, 200)}`);
  }
  console.log(`${chosen.length - missed} found, ${missed} not found`);
  if (missed > 0) process.exitCode = 1;
});
