// A process as driven by all tests and benchmarks: one JSON text per line on standard input and output. Subclasses
// define what the texts mean.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../pkg/bin.js', import.meta.url));

/** The `_meta` of each request in the stateless revision of MCP. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class StdioProcess {
  /** What it wrote to standard error. */
  stderr = '';
  /** Standard output after the last complete line. */
  rest = '';
  gone = false;
  #waiting = new Map();
  #lastId = 0;

  /**
   * @param args of Node
   * @param options of `spawn`
   */
  constructor(args, options) {
    this.child = spawn(process.execPath, args, options);
    // Writing to a process that has ended fails; `closed` reports that.
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
    for (const line of lines) {
      try {
        this.hear(JSON.parse(line), line);
      } catch (error) {
        // Whoever waits for a reply would wait for ever.
        this.child.kill('SIGKILL');
        throw error;
      }
    }
  }

  /** Handle a message, which arrived as `line`. */
  hear(message, _line) {
    this.answer(message.id, message);
  }

  /** Deliver the reply to a request. Returns whether a request with this id was waiting. */
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
   * Send the message that `messageOf` makes from a new id. The promise `reply` resolves with `undefined` if the process
   * ends first.
   */
  ask(messageOf) {
    const id = ++this.#lastId;
    const reply = new Promise((resolve) => (this.gone ? resolve(undefined) : this.#waiting.set(id, resolve)));
    this.send(messageOf(id));
    return { id, reply };
  }

  /** Stop waiting for the reply to a request. */
  forget(id) {
    this.#waiting.delete(id);
  }

  /** End it as a client does. Resolves with how it ended. */
  end() {
    this.child.stdin.end();
    return this.closed;
  }

  /** Send SIGKILL. Resolves with how it ended. */
  kill() {
    this.child.kill('SIGKILL');
    return this.closed;
  }
}
