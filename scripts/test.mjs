// npm test: everything, from a fresh clone. Each stage reports its time; the last line is `N passed, N failed`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPage } from './build.mjs';
import { setup } from './setup.mjs';
import { Plain, ROOT, main, run, say, since } from './steps.mjs';

/** How long a file of tests may take, ms; the longest takes a few minutes. */
const HANGS_AFTER_MS = 12 * 60_000;
/** How many of the slowest tests are named at the end. */
const NAMED = 15;

const total = { passed: 0, failed: 0 };
/** The tests of Node with their times in milliseconds. */
const times = [];

/**
 * Run one stage. `work` resolves with the output of the stage; a stage that does not count its tests counts as one
 * test. A failure is reported and counted. Resolves with whether the stage passed.
 */
async function stage(name, work) {
  const started = Date.now();
  say(`test: ${name}`);
  let counts;
  try {
    const output = await work();
    counts = counted(output) ?? { passed: 1, failed: 0 };
    for (const [, test, ms] of output?.matchAll(TIMED) ?? []) times.push({ name: `${name}: ${test}`, ms: Number(ms) });
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

/** A test as node --test reports it. The report of a group of tests goes on with its type. */
const TIMED = /^ *ok \d+ - (.*)\n +---\n +duration_ms: ([\d.]+)\n +\.\.\./gm;

/** The tests that node --test reports as failed, with their details: they may be far from the end of the output. */
function failures(output = '') {
  return output.match(/^ *not ok .*\n(?: +.*\n){0,30}/gm) ?? [];
}

/** The counts that cargo, plunit (tests/prolog/run.mjs) and node --test print, if any. */
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

/** Runs of the simulator for a minute. It is built as the tests of the crates are; one that fails says how to repeat it. */
const SIMULATED = ['run', '-p', 'hornbook-simulate', '--', '--seed', '1', '--seconds', '60'];

/** Tests that mostly wait for servers of others. */
const WITH_SERVERS = /^(data-postgres|nats|postgres|snapshots)\.test\.mjs$/;

/** The test files of a directory of `tests/` whose names `fits` accepts. */
function tests(directory, fits = () => true) {
  const names = readdirSync(join(ROOT, 'tests', directory)).filter((name) => name.endsWith('.test.mjs') && fits(name));
  return names.map((name) => join('tests', directory, name));
}

await main(async () => {
  const started = Date.now();
  const wasm = await setup({ tests: true });
  const cargo = (args, heartbeat, env) => run('cargo', args, { heartbeat, env, lines: 200 });
  const node = (args, heartbeat, env) => run(process.execPath, args, { heartbeat, lines: 100, env });
  const brief = { NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'tests', 'support', 'brief.mjs')).href}` };

  /**
   * A stage that runs the tests of a folder, or those of its `files`. Neither a server left over by a failed test nor a
   * test that hangs keeps it from ending.
   */
  const testsOf = (folder, { name = folder, files = tests(folder), options = [], env } = {}) =>
    stage(name, () => {
      const always = ['--test', '--test-reporter=tap', '--test-force-exit', `--test-timeout=${HANGS_AFTER_MS}`];
      return node([...always, ...options, ...files], `tests of ${name}`, env);
    });
  const one = { options: ['--test-concurrency=1'] };

  /** A stage that runs one script with these arguments, to be started later. */
  const script =
    (name, heartbeat, ...args) =>
    () =>
      stage(name, () => node(args, heartbeat));

  /** Pages in Chromium, the editor, and the package in projects of each kind. */
  async function pages() {
    await testsOf('editor');
    for (const folder of ['browser', 'packaging']) await testsOf(folder, one);
  }

  /** The server, programs, workflows and the memory; cases and attacks as data. */
  const servers = [
    ...['node', 'memory', 'workflow', 'attacks'].map((folder) => () => testsOf(folder, { env: brief })),
    ...['dml', 'data'].map((folder) => () => testsOf(folder)),
    () => testsOf('resilience', { ...one, files: tests('resilience', (name) => !WITH_SERVERS.test(name)) }),
    ...readdirSync(join(ROOT, 'tests', 'cases', 'data')).map((file) => {
      const [capability] = file.split(/[_.]/);
      return script(`cases: ${file}`, file, `tests/cases/${capability}.mjs`, `tests/cases/data/${file}`);
    }),
    script('plunit on swipl-wasm', 'plunit', 'tests/prolog/run.mjs'),
    script('texts that all must read alike', 'texts', 'tests/corpus/reader/run.mjs'),
    script('the reader on the library of SWI-Prolog', 'reading the library', 'tests/corpus/run.mjs'),
    script('attacks', 'attacks', 'tests/attacks/run.mjs'),
    script('attacks on DML', 'attacks on DML', 'tests/attacks/dml.mjs'),
    script('terms made at random', 'terms at random', 'tests/corpus/terms.mjs', '--seconds', '12'),
    script('the thread of the host', 'the thread of the host', 'tests/resilience/thread.mjs'),
    script('hostile values', 'hostile values', 'tests/attacks/hostile.mjs', '--rounds', '1', '--seed', '1'),
    script('goals made at random', 'fuzzing', 'tests/attacks/fuzz.mjs', '--seconds', '10', '--seed', '11'),
    script('goals joined by statements', 'joins', 'tests/data/joins.mjs', '--count', '60', '--seed', '1'),
    script('rules as sets', 'rules as sets', 'tests/data/sets.mjs', '--count', '100', '--seed', '1'),
    script('what clauses mean', 'meanings', 'tests/resilience/meanings.mjs', '--count', '100', '--seed', '1'),
    script('programs that change clauses', 'changes', 'tests/resilience/changes.mjs', '--count', '100', '--seed', '1'),
    script('faults under load', 'faults', 'tests/resilience/faults.mjs', '--kills', '25', '--seconds', '25'),
  ];

  /** What mostly waits for others. */
  async function waits() {
    await script('conformance of streams', 'conformance of streams', 'tests/conformance/streams.mjs')();
    await script('conformance', 'conformance', 'tests/conformance/run.mjs')();
    const files = tests('resilience', (name) => WITH_SERVERS.test(name));
    await testsOf('resilience', { ...one, name: 'resilience with servers', files });
  }

  /** Run the remaining `servers` stages one by one; several lanes share them. */
  async function lane() {
    for (let next = servers.shift(); next; next = servers.shift()) await next();
  }

  /** The crates, natively. */
  async function natively() {
    await stage('clippy', () => cargo(['clippy', '--workspace', '--all-targets', '--', '-D', 'warnings'], 'clippy'));
    await stage('cargo doc', () =>
      cargo(['doc', '--workspace', '--no-deps'], 'cargo doc', { RUSTDOCFLAGS: '-D warnings' }),
    );
    await stage('cargo test', () => cargo(['test', '--workspace', '--no-fail-fast'], 'cargo test'));
    await stage('a simulated world', () => cargo(SIMULATED, 'the simulator'));
  }

  /** The package and the page. Resolves with whether both were built. */
  async function build() {
    for (const [part, features] of [
      ['the whole', []],
      ['the core', ['--no-default-features']],
    ]) {
      const command = ['clippy', '--target', 'wasm32-unknown-unknown', ...features, '--', '-D', 'warnings'];
      await stage(`clippy for wasm: ${part}`, () => cargo(command, 'clippy for wasm', wasm));
    }
    const isBuilt = await stage('build', () => buildPage(wasm));
    if (isBuilt) await stage('types', () => run('tsc', ['--noEmit'], { lines: 200 }));
    return isBuilt;
  }

  await stage('circles of files', () => node(['scripts/circles.mjs']));
  await stage('lint', () => run('biome', ['ci', '--colors=off', '--error-on-warnings'], { lines: 200 }));
  await stage('cargo fmt', () => cargo(['fmt', '--all', '--check']));
  // The last step of a wasm build keeps one processor busy, as do most tests: two lanes from here on.
  const [isBuilt] = await Promise.all([build(), natively()]);
  if (isBuilt) await Promise.all([pages().then(lane), lane(), waits()]);

  const slowest = times.sort((a, b) => b.ms - a.ms).slice(0, NAMED);
  say(`test: the slowest tests\n${slowest.map(({ name, ms }) => `  ${(ms / 1000).toFixed(1)} s  ${name}`).join('\n')}`);
  say(`test: all stages took ${since(started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
