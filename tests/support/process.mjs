// A server process with its clients (server.mjs): calls tools, compares engine and book, and can be killed.
import { fileURLToPath } from 'node:url';
import { META, StdioProcess } from './stdio.mjs';

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));
/** A reply that takes longer than this, in milliseconds, counts as missing. */
const NEVER = 180_000;

export class Process extends StdioProcess {
  started = performance.now();

  /** @param options of the server */
  constructor(options) {
    super([SERVER, JSON.stringify(options)]);
  }

  hear(told) {
    this.answer(told.agree ?? told.desk ?? told.message.id, told);
  }

  /** The server's answer to a line; `undefined` if the process ends first. */
  async #told(lineOf, what, patience) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no reply to ${what} within ${patience} ms`)), patience);
    });
    const { id, reply } = this.ask(lineOf);
    return Promise.race([reply, late]).finally(() => {
      clearTimeout(timer);
      this.forget(id);
    });
  }

  /** The reply to a request, a JSON-RPC message. */
  async request(client, method, params, patience = NEVER) {
    const message = { jsonrpc: '2.0', method, params: { ...params, _meta: META } };
    const told = await this.#told(
      (id) => ({ client, message: { ...message, id } }),
      `${method} ${JSON.stringify(params)}`,
      patience,
    );
    return told?.message;
  }

  /** The structured result of a tool. */
  async call(client, name, values) {
    const reply = await this.request(client, 'tools/call', { name, arguments: values });
    if (reply?.error) throw new Error(reply.error.message);
    return reply?.result.structuredContent;
  }

  /** The differences between engine and book, a sentence each. */
  async differences() {
    const told = await this.#told((id) => ({ agree: id }), 'a comparison', NEVER);
    if (told?.error) throw new Error(told.error);
    return told?.differences;
  }

  /** What the draft proposes, and what became of a decision about it; `undefined` if the process ends first. */
  async desk(decision) {
    const told = await this.#told((id) => ({ desk: id, decision }), 'a review', NEVER);
    if (told?.error) return { error: told.error };
    return told;
  }

  endEngines() {
    this.send({ end: 'engines' });
  }

  /** End it as a client does. */
  async end() {
    const { code, signal } = await super.end();
    if (code !== 0) throw new Error(`the server ended with ${signal ?? code}: ${this.stderr}`);
  }
}
