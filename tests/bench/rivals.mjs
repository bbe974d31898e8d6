// The classical programs in other Prologs: native SWI-Prolog if there is one, and Trealla in WebAssembly; and a shorter
// program in Tau Prolog, which is written in JavaScript. The two npm packages are installed beside when first measured.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { timed } from './queries.mjs';
import { server } from './server.mjs';

const PROGRAMS = ['browse', 'crypt', 'deriv', 'nrev', 'poly', 'primes', 'queens', 'tak', 'zebra'];
const VERSIONS = { trealla: '0.17.10', 'tau-prolog': '0.3.4' };

/** A program that Tau Prolog finishes in seconds; its library lacks numlist/3. */
const SHORT = `
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
count(0, []).
count(N, [N|T]) :- N > 0, M is N - 1, count(M, T).
bench :- count(60, L), nrev(L, _).
`;

const text = (name) => readFileSync(new URL(`programs/${name}.pl`, import.meta.url), 'utf8');

export async function rivals(rounds) {
  const times = Math.min(rounds, 3);
  const others = [await native(), await trealla()].filter((other) => other !== undefined);
  const rows = [];
  for (const name of PROGRAMS) {
    const ours = await hornbook(text(name));
    for (const { called, open } of others) {
      const theirs = await open(name);
      rows.push({ what: `${name}, to ${called}`, values: await compare(ours, theirs, times), unit: 'ratio' });
      theirs.close();
    }
    await ours.close();
  }
  const tau = await tauProlog();
  if (tau) {
    const ours = await hornbook(SHORT);
    rows.push({ what: `${tau.called}, to nrev of 60 here`, values: await compare(tau, ours, times), unit: 'ratio' });
    await ours.close();
  }
  return rows;
}

async function compare(ours, theirs, rounds) {
  const values = [];
  for (let round = -1; round < rounds; round += 1) {
    const theirTime = await timed(theirs.run);
    const ourTime = await timed(ours.run);
    if (round >= 0) values.push(ourTime / theirTime); // the first round warms both up
  }
  return values;
}

async function hornbook(program) {
  const ours = await server('--timeout', '120000');
  await ours.call('files', { operation: 'import', filename: 'program.pl', text: program });
  return { run: () => ours.call('query_start', { query: 'bench', take: 1 }), close: ours.close };
}

/** The system's `swipl`: `open(name)` starts it on that program. */
async function native() {
  const version = nativeVersion();
  if (!version) return undefined;
  const open = (name) => {
    const { ask, close } = nativeOver(text(name) + LOOP, 'loop');
    return { run: () => ask('bench'), close };
  };
  return { called: `native SWI-Prolog ${version}`, open };
}

/** The version of `swipl` on this machine. */
export function nativeVersion() {
  const { status, stdout } = spawnSync('swipl', ['--version'], { encoding: 'utf8' });
  if (status === 0) return /\d+\.\d+\.\d+/.exec(stdout)[0];
  console.error('bench: there is no swipl on this machine, and it is left out');
  return undefined;
}

/** Runs the goals it reads, and writes a line after each. */
const LOOP = `
loop :- repeat, read(G), ( G == end_of_file -> ! ; ignore(G), writeln(done), flush_output, fail ).
`;

/**
 * `swipl` over pipes with a program that runs the loop `goal`: each question is a line sent to it, each answer a line
 * back.
 */
export function nativeOver(program, goal) {
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-bench-'));
  const file = join(folder, 'program.pl');
  writeFileSync(file, program);
  const child = spawn('swipl', ['-q', '-g', goal, '-t', 'halt', file], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.once('exit', () => rmSync(folder, { recursive: true }));
  const lines = createInterface({ input: child.stdout });
  const ask = (goal) =>
    new Promise((resolve) => {
      lines.once('line', resolve);
      child.stdin.write(`${goal}.\n`);
    });
  return { ask, close: () => child.stdin.end() };
}

async function trealla() {
  const place = installed('trealla');
  if (!place) return undefined;
  const { load, Prolog } = await import(pathToFileURL(join(place, 'trealla.js')));
  await load();
  const open = async (name) => {
    const prolog = new Prolog();
    await prolog.consultText(text(name));
    return { run: () => prolog.queryOnce('bench'), close: () => {} };
  };
  return { called: `Trealla ${VERSIONS.trealla} of npm`, open };
}

async function tauProlog() {
  const place = installed('tau-prolog');
  if (!place) return undefined;
  const session = createRequire(join(place, 'package.json'))('tau-prolog').create(1e9);
  const step = (ask) => new Promise((success, error) => ask({ success, error, fail: error, limit: error }));
  await step((then) => session.consult(SHORT, then));
  const run = async () => {
    await step((then) => session.query('bench.', then));
    await step((then) => session.answer(then));
  };
  return { called: `Tau Prolog ${VERSIONS['tau-prolog']}`, run };
}

/** The folder of an npm package, or undefined if it cannot be installed. */
function installed(name) {
  const version = VERSIONS[name];
  const place = join(homedir(), '.cache', 'hornbook', `${name}-${version}`);
  const folder = join(place, 'node_modules', name);
  if (existsSync(folder)) return folder;
  mkdirSync(place, { recursive: true });
  const npm = ['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
  if (spawnSync('npm', npm, { stdio: 'ignore' }).status === 0) return folder;
  console.error(`bench: ${name} cannot be installed, and is left out`);
  return undefined;
}
