// A Hornbook server as driven by the tests: JSON-RPC lines on standard input and output. Checks that every line it
// writes is a JSON-RPC message that does not reveal internals.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BIN, StdioProcess } from '../support/stdio.mjs';

export { BIN };
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PROGRAMS = join(ROOT, 'tests', 'support', 'programs');

/** What no user should see: names of Hornbook's own modules and files, stacks, panics. */
const INSIDES = /\bhb_\w|\$hb|panicked|RuntimeError|unreachable|node:internal|\b\w+\.(js|mjs|rs|pl):\d+:\d+\)/;

/** A new directory with `files`, contents by name. */
export function directory(files = {}) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'hornbook-test-')));
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), contents);
  }
  return path;
}

/** All events of a run of DML. */
export async function eventsOf(dml, code, options) {
  const events = [];
  for await (const event of dml.runDML(code, options)) events.push(event);
  return events;
}

/** An answer as `X = 1, Y = 2`, with the residual constraints; `variables` are those of the query, in order. */
export function solution({ residual = [], output: _, undefined: __, ...values }, variables) {
  const names = Array.isArray(variables) ? variables : Object.keys(values);
  const known = names.filter((name) => textOf(values[name]) !== '_');
  return [...known.map((name) => `${name} = ${textOf(values[name])}`), ...residual].join(', ') || 'true';
}

/** The Prolog text of a value in an answer. */
export const textOf = (value) => (typeof value === 'string' ? value : value.text);

export class Server extends StdioProcess {
  /** Every message that was not a response. */
  notifications = [];
  #cancelled = new Set();
  #watchers = new Set();

  /** A server in a new directory with `files`, which is its root unless `args` name another. */
  static async start({ args = [], env = {}, files = {} } = {}) {
    const server = new this(args, env, directory(files));
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    await server.request('initialize', params);
    server.notify('notifications/initialized');
    return server;
  }

  constructor(args, env, cwd) {
    super([BIN, ...args], { cwd, env });
    this.directory = cwd;
    this.exit = this.closed.then(({ code, signal }) => code ?? signal);
  }

  hear(message, line) {
    assert.equal(message.jsonrpc, '2.0');
    assert.doesNotMatch(line, INSIDES);
    assert.ok(!this.#cancelled.has(message.id), 'a cancelled request was answered');
    if (this.answer(message.id, message)) return;
    this.notifications.push(message);
    for (const watch of this.#watchers) watch(message);
  }

  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request: `id` is its id, and `answer` resolves with the whole response. */
  begin(method, params) {
    const { id, reply } = this.ask((id) => ({ jsonrpc: '2.0', id, method, params }));
    const answer = reply.then(async (message) => {
      if (!message) throw new Error(`the server ended (${await this.exit}): ${this.stderr}`);
      return message;
    });
    return { id, answer };
  }

  /** Cancels a request: no response to it may come. */
  cancel(id) {
    this.forget(id);
    this.#cancelled.add(id);
    this.notify('notifications/cancelled', { requestId: id });
  }

  /** The result of a request. */
  async request(method, params) {
    const { result, error } = await this.begin(method, params).answer;
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result;
  }

  /** The error of a request. */
  async refusal(method, params) {
    const { error } = await this.begin(method, params).answer;
    assert.ok(error, `${method} was not refused`);
    return error;
  }

  /** The result of a tool: its text, its data, and whether it is an error. */
  async call(name, values = {}) {
    const {
      content,
      structuredContent,
      isError = false,
    } = await this.request('tools/call', { name, arguments: values });
    return { text: content.map(({ text }) => text).join('\n'), data: structuredContent, isError };
  }

  /** The result of a tool that must not be an error. */
  async ok(name, values) {
    const result = await this.call(name, values);
    assert.equal(result.isError, false, result.text);
    return result;
  }

  /** The result of a tool that must be an error; if the whole call failed, of the kind `kind`. */
  async fails(name, values, kind) {
    const result = await this.call(name, values);
    assert.equal(result.isError, true, `${name} did not fail: ${result.text}`);
    assert.match(result.text, /^Error: |\nError: /);
    assert.doesNotMatch(result.text, /knowledge_base/);
    if (kind) assert.equal(result.data.error.kind, kind, result.text);
    return result;
  }

  assert(clauses) {
    return this.ok('clauses', { operation: 'assert', clauses });
  }

  retract(clauses) {
    return this.ok('clauses', { operation: 'retract', clauses });
  }

  /** Imports contents under a name, without a file. */
  import(filename, text) {
    return this.ok('files', { operation: 'import', filename, text });
  }

  async snapshot() {
    let text = '';
    for (let from = 0; from !== undefined; ) {
      const { data } = await this.ok('workspace', { operation: 'snapshot', from });
      text += data.dump;
      from = data.from;
    }
    return text;
  }

  reset() {
    return this.ok('workspace', { operation: 'reset' });
  }

  /** Up to `take` solutions, as `X = 1, Y = 2`, of a query that must not end with an error. */
  async solve(query, take = 100) {
    const { answers, variables } = (await this.ok('query_start', { query, take })).data;
    return answers.map((answer) => solution(answer, variables));
  }

  /** Resolves with the next notification that `wanted` accepts. */
  heard(wanted) {
    return new Promise((resolve) => {
      const watch = (message) => {
        if (!wanted(message)) return;
        this.#watchers.delete(watch);
        resolve(message);
      };
      this.#watchers.add(watch);
    });
  }

  /** Closes the input; the server must then end by itself, successfully. */
  async close() {
    const { code, signal } = await this.end();
    assert.equal(code ?? signal, 0, this.stderr);
    assert.equal(this.rest, '');
    rmSync(this.directory, { recursive: true });
  }
}
