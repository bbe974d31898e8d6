// A process as all tests and benchmarks drive it: one JSON text a line on standard input and output. What the texts mean
// is said by what extends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));

/** What each request has in the stateless revision of MCP. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class StdioProcess {
  /** What it wrote to standard error. */
  stderr = '';
  /** What it wrote to standard output after the last whole line. */
  rest = '';
  gone = false;
  #waiting = new Map();
  #lastId = 0;

  /**
   * @param args what node is started with
   * @param options those of `spawn`
   */
  constructor(args, options) {
    this.child = spawn(process.execPath, args, options);
    // What is written to a process that has ended; `closed` tells of that.
    this.child.stdin.on('error', () => {});
    this.child.stderr?.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.child.stdout.setEncoding('utf8').on('data', (chunk) => this.#take(chunk));
    /** Resolves with how it ended. */
    this.closed = once(this.child, 'close').then(([code, signal]) => {
      this.gone = true;
      for (const answered of this.#waiting.values()) answered(undefined);
      return { code, signal };
    });
  }

  #take(chunk) {
    const lines = chunk.split('\n');
    lines[0] = this.rest + lines[0];
    this.rest = lines.pop();
    for (const line of lines) this.hear(JSON.parse(line), line);
  }

  /** What is done with a message, which came as `line`. */
  hear(message, _line) {
    this.answer(message.id, message);
  }

  /** The message is the reply to a request. Whether one with this id waits. */
  answer(id, message) {
    const answered = this.#waiting.get(id);
    this.#waiting.delete(id);
    answered?.(message);
    return answered !== undefined;
  }

  /** Write a line as it is. */
  write(line) {
    this.child.stdin.write(`${line}\n`);
  }

  send(message) {
    this.write(JSON.stringify(message));
  }

  /**
   * Send the message that `messageOf` makes with a new id. Its reply comes in a promise, which resolves with `undefined`
   * when the process ends before.
   */
  ask(messageOf) {
    const id = ++this.#lastId;
    const reply = new Promise((resolve) => (this.gone ? resolve(undefined) : this.#waiting.set(id, resolve)));
    this.send(messageOf(id));
    return { id, reply };
  }

  /** Nobody waits any more for the reply to a request. */
  forget(id) {
    this.#waiting.delete(id);
  }

  /** End it as a client does; resolves with how it ended. */
  end() {
    this.child.stdin.end();
    return this.closed;
  }

  /** SIGKILL; resolves with how it ended. */
  kill() {
    this.child.kill('SIGKILL');
    return this.closed;
  }
}
