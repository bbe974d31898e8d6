// node tests/attacks/run.mjs [FILE.json...]: attacks as data, over MCP on the built server (all files of this directory
// if none is named). A file is an array of cases: `name`, `kind`, `steps` (tool calls `{tool, args}`, or `{method, params}`
// for another request), and `worked_if: {reply: REGEX}`, which no reply may match, or `expect: {reply: REGEX}`, which the
// last must match. After the steps `canary(X)` must answer `X = alive` within a second. One line for a case that fails;
// the last line is `N passed, N failed`.
//
// Each case has a fresh workspace with the fact `canary(alive).`; servers are used again after `workspace reset`, and a
// case that fails so is tried once more on a server of its own. The server's root holds `inside.pl` and `link.pl`, a
// symbolic link to a file outside with the fact `smuggled(yes).`
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failure } from './case.mjs';

const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const SERVERS = 2;
/** No step takes longer than the server's own time limit; in ms. */
const PATIENCE = 60_000;

class Server {
  #next = 0;
  #waiting = new Map();
  #gone = false;

  constructor(directory) {
    const root = mkdtempSync(join(directory, 'root-'));
    writeFileSync(join(root, 'inside.pl'), 'inside(yes).\n');
    symlinkSync(join(directory, 'outside.pl'), join(root, 'link.pl'));
    this.process = spawn(process.execPath, [BIN, '--root', root], { stdio: ['pipe', 'pipe', 'ignore'] });
    let rest = '';
    this.process.stdout.setEncoding('utf8').on('data', (text) => {
      rest += text;
      for (let at; (at = rest.indexOf('\n')) >= 0; rest = rest.slice(at + 1)) this.#take(rest.slice(0, at));
    });
    this.process.stdin.on('error', () => {});
    this.process.on('exit', () => {
      this.#gone = true;
      for (const { reject } of this.#waiting.values()) reject(new Error('the server is gone'));
    });
  }

  #take(line) {
    const message = JSON.parse(line);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    waiting?.resolve(message);
  }

  /** The reply, a JSON-RPC message. */
  request(method, params, patience = PATIENCE) {
    if (this.#gone) return Promise.reject(new Error('the server is gone'));
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no reply to ${method} within ${patience} ms`)), patience);
      const settle = (then) => (value) => (clearTimeout(timer), then(value));
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async open() {
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'attacks', version: '1' } });
    this.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }

  end() {
    this.process.kill('SIGKILL');
  }
}

const files = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(HERE).filter((name) => name.endsWith('.json')).map((name) => join(HERE, name));
const cases = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
const directory = mkdtempSync(join(tmpdir(), 'hornbook-attacks-'));
writeFileSync(join(directory, 'outside.pl'), 'smuggled(yes).\n');
mkdirSync(join(directory, 'beside'));

let failed = 0;
async function work(queue) {
  let server = await new Server(directory).open();
  for (let one; (one = queue.shift()); ) {
    let why = await failure(server, one).catch((error) => error.message);
    if (why !== undefined) {
      server.end();
      server = await new Server(directory).open();
      why = await failure(server, one).catch((error) => error.message);
    }
    if (why !== undefined) {
      failed += 1;
      console.log(`FAILED ${one.kind}: ${one.name}: ${why}`);
      server.end();
      server = await new Server(directory).open();
    }
  }
  server.end();
}
const queue = [...cases];
await Promise.all(Array.from({ length: SERVERS }, () => work(queue)));
rmSync(directory, { recursive: true, force: true });
console.log(`${cases.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
