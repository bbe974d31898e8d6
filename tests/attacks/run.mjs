// node tests/attacks/run.mjs [FILE.json...]: attacks as data, over MCP on the built server (all files of this directory
// if none is named). A file is an array of cases: `name`, `kind`, `steps` (tool calls `{tool, args}`, or `{method, params}`
// for another request), and `worked_if: {reply: REGEX}`, which no reply may match, or `expect: {reply: REGEX}`, which the
// last must match. After the steps `canary(X)` must answer `X = alive` within a second, and engine and book agree. One line for a case that fails;
// the last line is `N passed, N failed`.
//
// Each case has a fresh workspace with the fact `canary(alive).`; servers are used again after `workspace reset`, and a
// case that fails so is tried once more on a server of its own. The server's root holds `inside.pl` and `link.pl`, a
// symbolic link to a file outside with the fact `smuggled(yes).`
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Process } from '../support/process.mjs';
import { failure } from './case.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SERVERS = 2;
/** No step takes longer than the server's own time limit; in ms. */
const PATIENCE = 60_000;

class Server {
  constructor(directory) {
    const root = mkdtempSync(join(directory, 'root-'));
    writeFileSync(join(root, 'inside.pl'), 'inside(yes).\n');
    symlinkSync(join(directory, 'outside.pl'), join(root, 'link.pl'));
    this.process = new Process({ roots: [root] });
  }

  /** The reply, a JSON-RPC message. */
  async request(method, params, patience = PATIENCE) {
    return (await this.process.request(0, method, params, patience)) ?? Promise.reject(new Error('the server is gone'));
  }

  async differences() {
    return (await this.process.differences()) ?? Promise.reject(new Error('the server is gone'));
  }

  anew() {
    this.process.endEngines();
  }

  end() {
    this.process.child.kill('SIGKILL');
  }
}

const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : readdirSync(HERE)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(HERE, name));
const cases = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
const directory = mkdtempSync(join(tmpdir(), 'hornbook-attacks-'));
writeFileSync(join(directory, 'outside.pl'), 'smuggled(yes).\n');
mkdirSync(join(directory, 'beside'));

let failed = 0;
async function work(queue) {
  let server = new Server(directory);
  while (queue.length > 0) {
    const one = queue.shift();
    let why = await failure(server, one).catch((error) => error.message);
    if (why !== undefined) {
      server.end();
      server = new Server(directory);
      why = await failure(server, one).catch((error) => error.message);
    }
    if (why !== undefined) {
      failed += 1;
      console.log(`FAILED ${one.kind}: ${one.name}: ${why}`);
      server.end();
      server = new Server(directory);
    }
  }
  server.end();
}
const queue = [...cases];
await Promise.all(Array.from({ length: SERVERS }, () => work(queue)));
rmSync(directory, { recursive: true, force: true });
console.log(`${cases.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
