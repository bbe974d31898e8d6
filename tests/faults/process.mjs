// A server process with its clients: tools are called, and it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));
/** A reply that takes longer, in milliseconds, never comes. */
const NEVER = 180_000;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'faults', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class Process {
  #waiting = new Map();
  #next = 1;
  gone = false;
  stderr = '';

  constructor(book, root) {
    this.started = performance.now();
    this.child = spawn(process.execPath, [SERVER, book, root]);
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
    let message;
    try {
      ({ message } = JSON.parse(line));
    } catch {
      return; // The last line before a kill.
    }
    this.#waiting.get(message.id)?.answer(message);
  }

  /** The structured result of a tool; `undefined` when the process is gone before it answers. */
  call(client, name, values) {
    if (this.gone) return Promise.resolve(undefined);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no reply to ${name} ${JSON.stringify(values)}`)), NEVER);
      const settle = (how) => (value) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        how(value);
      };
      this.#waiting.set(id, {
        gone: settle(() => resolve(undefined)),
        answer: settle(({ result, error }) => (result ? resolve(result.structuredContent) : reject(new Error(error.message)))),
      });
      this.#send({ client, message: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values, _meta: META } } });
    });
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
