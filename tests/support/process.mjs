// A server process with its clients (server.mjs): tools are called, engine and book compared, and it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));
/** A reply that takes longer, in milliseconds, never comes. */
const NEVER = 180_000;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class Process {
  #waiting = new Map();
  #next = 1;
  gone = false;
  stderr = '';

  /** @param options those of the server */
  constructor(options) {
    this.started = performance.now();
    this.child = spawn(process.execPath, [SERVER, JSON.stringify(options)]);
    this.child.stdin.on('error', () => {});
    this.child.stderr.setEncoding('utf8').on('data', (chunk) => (this.stderr += chunk));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#take(line));
    this.closed = once(this.child, 'close').then(([code, signal]) => {
      this.gone = true;
      for (const { gone } of this.#waiting.values()) gone();
      return { code, signal };
    });
  }

  #take(line) {
    let told;
    try {
      told = JSON.parse(line);
    } catch {
      return; // The last line before a kill.
    }
    this.#waiting.get(told.agree ?? told.message.id)?.answer(told);
  }

  /** What the server says to a line that it is sent; `undefined` when the process is gone before. */
  #ask(line, what, patience) {
    if (this.gone) return Promise.resolve(undefined);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no reply to ${what} within ${patience} ms`)), patience);
      const settle = (value) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(value);
      };
      this.#waiting.set(id, { gone: () => settle(undefined), answer: settle });
      this.#send(line(id));
    });
  }

  /** The reply to a request, a JSON-RPC message. */
  async request(client, method, params, patience = NEVER) {
    const message = { jsonrpc: '2.0', method, params: { ...params, _meta: META } };
    const told = await this.#ask((id) => ({ client, message: { ...message, id } }), `${method} ${JSON.stringify(params)}`, patience);
    return told?.message;
  }

  /** The structured result of a tool. */
  async call(client, name, values) {
    const reply = await this.request(client, 'tools/call', { name, arguments: values });
    if (reply?.error) throw new Error(reply.error.message);
    return reply?.result.structuredContent;
  }

  /** What differs between engine and book, a sentence each. */
  async differences() {
    const told = await this.#ask((id) => ({ agree: id }), 'a comparison', NEVER);
    if (told?.error) throw new Error(told.error);
    return told?.differences;
  }

  endEngines() {
    this.#send({ end: 'engines' });
  }

  #send(line) {
    this.child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill() {
    this.child.kill('SIGKILL');
    await this.closed;
  }

  /** End it as a client does. */
  async end() {
    this.child.stdin.end();
    const { code, signal } = await this.closed;
    if (code !== 0) throw new Error(`the server ended with ${signal ?? code}: ${this.stderr}`);
  }
}
