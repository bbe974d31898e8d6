// `hornbook serve`, as driven by the tests and the benchmark: requests of the session-less revision, through fetch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { BIN, META } from './stdio.mjs';

let last = 0;

/** The response of a server to a message; `client` is the client's name. */
export function send(
  url,
  book,
  method,
  params = {},
  { client = 'tests', headers = {}, capabilities = {}, signal } = {},
) {
  const _meta = {
    ...META,
    'io.modelcontextprotocol/clientInfo': { name: client, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const named = params.name ?? params.uri;
  return fetch(`${url}/mcp/${book}`, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(named && { 'Mcp-Name': named }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params: { ...params, _meta } }),
  });
}

export class Serving {
  /** The events it has logged. */
  events = [];
  #watchers = new Set();

  /** Serve the books of a folder, on a free port. */
  static start(folder, args = [], options) {
    return Serving.startOn(['--books', folder, ...args], options);
  }

  /** The same, with arguments that say where the books are. */
  static async startOn(args, { env = {}, command = [process.execPath, BIN] } = {}) {
    const serving = new Serving([...command, 'serve', '--port', '0', ...args], env);
    const { url } = await serving.event('listening');
    serving.url = url;
    return serving;
  }

  constructor([command, ...args], env) {
    this.child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH, ...env } });
    /** Resolves with how it ended. */
    this.closed = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    createInterface({ input: this.child.stderr }).on('line', (line) => {
      this.events.push(line.startsWith('{') ? JSON.parse(line) : { event: line });
      for (const watch of this.#watchers) watch();
    });
  }

  /** The first event with this name, once it is there. Fails if the server ends first. */
  event(name, fits = () => true) {
    const found = new Promise((resolve) => {
      const watch = () => {
        const event = this.events.find((one) => one.event === name && fits(one));
        if (!event) return;
        this.#watchers.delete(watch);
        resolve(event);
      };
      this.#watchers.add(watch);
      watch();
    });
    const ended = this.closed.then(() => {
      throw new Error(`it ended: ${JSON.stringify(this.events)}`);
    });
    return Promise.race([found, ended]);
  }

  /** The response to a message. */
  send(...message) {
    return send(this.url, ...message);
  }

  /** The result of a tool. */
  async call(book, name, values, options) {
    const response = await this.send(book, 'tools/call', { name, arguments: values }, options);
    const { result, error } = await response.json();
    if (error) throw Object.assign(new Error(error.message), { status: response.status });
    return result;
  }

  assert(book, clauses, options) {
    return this.call(book, 'clauses', { operation: 'assert', clauses }, options);
  }

  /** All answers to a goal, as the texts of one variable. */
  async answers(book, query, variable, options) {
    const { structuredContent } = await this.call(book, 'query_start', { query, take: 1000 }, options);
    return structuredContent.answers.map((answer) => answer[variable]);
  }

  /** Send SIGTERM. Resolves with how it ended. */
  stop() {
    this.child.kill('SIGTERM');
    return this.closed;
  }

  kill() {
    this.child.kill('SIGKILL');
    return this.closed;
  }
}
