// npm test: everything, from a fresh clone. Each stage is named with its time; the last line is `N passed, N failed`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from './build.mjs';
import { setup } from './setup.mjs';
import { Plain, ROOT, main, run, say, since } from './steps.mjs';

const total = { passed: 0, failed: 0 };

/**
 * One stage. `work` resolves with what the stage wrote; a stage that does not count its tests is one test. A failure
 * is told and counted. Resolves with whether there was none.
 */
async function stage(name, work) {
  const started = Date.now();
  say(`test: ${name}`);
  let counts;
  try {
    counts = counted(await work()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    if (!(error instanceof Plain)) throw error;
    say(error.message);
    for (const failure of failures(error.output)) say(failure);
    const { passed, failed } = counted(error.output) ?? { passed: 0, failed: 0 };
    counts = { passed, failed: Math.max(failed, 1) };
  }
  total.passed += counts.passed;
  total.failed += counts.failed;
  const good = counts.failed === 0;
  console.log(
    `${good ? 'ok    ' : 'FAILED'} ${name}: ${counts.passed} passed, ${counts.failed} failed (${since(started)})`,
  );
  return good;
}

/** The tests that node --test tells as failed, each with what it says of it: they may be far from the end. */
function failures(output = '') {
  return output.match(/^ *not ok .*\n(?: +.*\n){0,30}/gm) ?? [];
}

/** The counts that cargo, plunit (tests/prolog/run.mjs) and node --test write, if any. */
function counted(output) {
  let counts;
  const patterns = [
    /^test result: \w+\. (\d+) passed; (\d+) failed/gm,
    /^(\d+) passed, (\d+) failed$/gm,
    /^# pass (\d+)\n# fail (\d+)/gm,
  ];
  for (const pattern of patterns) {
    for (const [, passed, failed] of output?.matchAll(pattern) ?? []) {
      counts ??= { passed: 0, failed: 0 };
      counts.passed += Number(passed);
      counts.failed += Number(failed);
    }
  }
  return counts;
}

/** The test files of a directory of `tests/`. */
function tests(directory) {
  const names = readdirSync(join(ROOT, 'tests', directory)).filter((name) => name.endsWith('.test.mjs'));
  return names.map((name) => join('tests', directory, name));
}

await main(async () => {
  const started = Date.now();
  const wasm = await setup({ tests: true });
  const cargo = (args, heartbeat, env) => run('cargo', args, { heartbeat, env, lines: 200 });
  const node = (args, heartbeat) => run(process.execPath, args, { heartbeat, lines: 100 });

  /** The tests of a folder, a stage. A server that a failed test has left must not keep the others waiting. */
  const testsOf = (folder, ...options) =>
    stage(folder, () =>
      node(['--test', '--test-reporter=tap', '--test-force-exit', ...options, ...tests(folder)], `tests of ${folder}`),
    );

  /** Pages in Chromium, the editor, and the package in projects of each kind. */
  async function pages() {
    await testsOf('editor');
    for (const folder of ['browser', 'packaging']) await testsOf(folder, '--test-concurrency=1');
  }

  /** The server, programs, workflows and the memory; cases and attacks as data. */
  async function servers() {
    for (const folder of ['node', 'dml', 'memory', 'workflow', 'attacks']) await testsOf(folder);
    await testsOf('resilience', '--test-concurrency=1');
    for (const file of readdirSync(join(ROOT, 'tests', 'cases', 'data'))) {
      const [capability] = file.split(/[_.]/);
      await stage(`cases: ${file}`, () => node([`tests/cases/${capability}.mjs`, `tests/cases/data/${file}`], file));
    }
    await stage('attacks', () => node(['tests/attacks/run.mjs'], 'attacks'));
    await stage('attacks on DML', () => node(['tests/attacks/dml.mjs'], 'attacks on DML'));
    await stage('terms made at random', () => node(['tests/corpus/terms.mjs', '--seconds', '25'], 'terms at random'));
    await stage('the thread of the host', () => node(['tests/resilience/thread.mjs'], 'the thread of the host'));
    await stage('goals made at random', () => node(['tests/attacks/fuzz.mjs', '--seconds', '20'], 'fuzzing'));
    await stage('faults under load', () =>
      node(['tests/resilience/faults.mjs', '--kills', '40', '--seconds', '40'], 'faults under load'),
    );
    await stage('conformance', () => node(['tests/conformance/run.mjs'], 'conformance'));
  }

  await stage('lint', () => run('biome', ['ci', '--colors=off', '--error-on-warnings'], { lines: 200 }));
  await stage('cargo fmt', () => cargo(['fmt', '--all', '--check']));
  await stage('clippy', () => cargo(['clippy', '--workspace', '--all-targets', '--', '-D', 'warnings'], 'clippy'));
  for (const [part, features] of [
    ['the whole', []],
    ['the core', ['--no-default-features']],
  ]) {
    const command = ['clippy', '--target', 'wasm32-unknown-unknown', ...features, '--', '-D', 'warnings'];
    await stage(`clippy for wasm: ${part}`, () => cargo(command, 'clippy for wasm', wasm));
  }
  await stage('cargo doc', () =>
    cargo(['doc', '--workspace', '--no-deps'], 'cargo doc', { RUSTDOCFLAGS: '-D warnings' }),
  );
  await stage('cargo test', () => cargo(['test', '--workspace'], 'cargo test'));
  if (await stage('build', () => buildPage(wasm))) {
    await stage('types', () => run('tsc', ['--noEmit'], { lines: 200 }));
    await stage('plunit on swipl-wasm', () => node(['tests/prolog/run.mjs'], 'plunit'));
    await stage('texts that all must read alike', () => node(['tests/corpus/reader/run.mjs'], 'texts'));
    await stage('the reader on the library of SWI-Prolog', () => node(['tests/corpus/run.mjs'], 'reading the library'));
    // What drives browsers and editors mostly waits for one process, and so does the rest: both at the same time.
    await Promise.all([pages(), servers()]);
  }

  say(`test: all stages took ${since(started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
