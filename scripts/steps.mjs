// Running and naming the steps of setup, build and test. Uses only Node's built-in modules: a fresh clone has nothing
// else.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Where built tools are kept: outside the clone, so that other clones find them. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hornbook');
const STAMPS = join(ROOT, 'target', 'stamps');

/** The PATH for all commands, with the tools of the cache and of npm first. */
export const PATH = [
  join(CACHE, 'bin'),
  join(ROOT, 'node_modules', '.bin'),
  process.env.PATH,
  join(homedir(), '.cargo', 'bin'),
].join(delimiter);

/** A failure reported as one sentence, without a stack trace. */
export class Plain extends Error {}

export const say = (text) => process.stderr.write(`${text}\n`);

/** The path of a command, or undefined. */
export function which(command, path = PATH) {
  return path
    .split(delimiter)
    .map((directory) => join(directory, command))
    .find((file) => existsSync(file));
}

/**
 * Run a command. Resolves with its standard output. If it fails, its last `lines` lines are shown, and the error's
 * message is `explain` or the command itself. Every 30 seconds, a line says that `heartbeat` is still running.
 */
export function run(command, args, { cwd = ROOT, env = {}, explain, heartbeat, lines = 40 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let all = '';
    let last = '';
    const hear = (chunk) => {
      all += chunk;
      last = String(chunk).trim().split('\n').at(-1)?.trim() || last;
    };
    child.stdout.on('data', (chunk) => {
      out += chunk;
      hear(chunk);
    });
    child.stderr.on('data', hear);
    const started = Date.now();
    const timer =
      heartbeat &&
      setInterval(
        () => say(`  … ${heartbeat}: ${Math.round((Date.now() - started) / 1000)} s, ${last.slice(0, 100)}`),
        30_000,
      );
    child.on('error', (error) => {
      clearInterval(timer);
      reject(
        new Plain(
          error.code === 'ENOENT' ? `${command} is not installed${explain ? `: ${explain}` : ''}` : error.message,
        ),
      );
    });
    child.on('close', (code, signal) => {
      clearInterval(timer);
      if (code === 0) return resolve(out);
      const tail = all.trim().split('\n').slice(-lines).join('\n');
      if (tail) say(tail);
      const error = new Plain(explain ?? `\`${[command, ...args].join(' ')}\` ended with ${signal ?? `code ${code}`}`);
      reject(Object.assign(error, { output: out }));
    });
  });
}

/** The standard output of a short command; undefined if it fails or does not exist. */
export async function output(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, PATH, ...options.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? out : undefined));
  });
}

/** All files under the given files and directories of the clone, sorted. */
export function files(...paths) {
  const walk = (path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .sort()
          .flatMap((name) => walk(join(path, name)))
      : [path];
  return paths
    .map((path) => join(ROOT, path))
    .filter(existsSync)
    .flatMap(walk);
}

/** Whether a step must run: its inputs changed since {@link done}, or an output is missing. */
export function stale(step, inputs, outputs, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const file of inputs) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  const digest = hash.digest('hex');
  const stamp = join(STAMPS, step);
  const fresh =
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digest &&
    outputs.every((file) => existsSync(join(ROOT, file)));
  return fresh ? undefined : { step, digest };
}

/** Record that a step was done with the inputs that {@link stale} saw. */
export function done({ step, digest }) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, step), digest);
}

/** Whether the module is the script that Node was started with. */
export const isMain = (url) =>
  existsSync(process.argv[1] ?? '') && url === pathToFileURL(realpathSync(process.argv[1])).href;

/** Run the main function of a script. A {@link Plain} failure prints one sentence and exits with code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    say(error instanceof Plain ? `hornbook: ${error.message}` : error.stack);
    process.exitCode = 1;
  }
}

/** Seconds since `started`, formatted for people. */
export const since = (started) => `${((Date.now() - started) / 1000).toFixed(1)} s`;
