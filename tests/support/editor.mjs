// An editor from the language server's point of view: JSON-RPC with headers on a process's standard input and output.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BIN } from './stdio.mjs';

export class Editor {
  stderr = '';
  /** The last published diagnostics, by URI. */
  diagnostics = new Map();
  #waiting = new Map();
  #watchers = new Set();
  #ids = new WeakMap();
  #lastId = 0;
  #buffer = Buffer.alloc(0);

  /** An editor with this folder open, and with its files. */
  static async start(folder, { options = {}, capabilities = {}, bin = BIN } = {}) {
    const editor = new Editor(folder, bin);
    const rootUri = pathToFileURL(folder).href;
    const workspaceFolders = [{ uri: rootUri, name: 'folder' }];
    const params = { processId: process.pid, rootUri, workspaceFolders, capabilities, initializationOptions: options };
    editor.server = await editor.request('initialize', params);
    editor.notify('initialized', {});
    return editor;
  }

  constructor(folder, bin) {
    this.folder = folder;
    this.child = spawn(process.execPath, [bin, 'lsp', '--stdio'], { cwd: folder });
    this.child.stdin.on('error', () => {});
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.child.stdout.on('data', (chunk) => this.#take(chunk));
    this.closed = once(this.child, 'close').then(([code]) => code);
  }

  uri(name) {
    return pathToFileURL(join(this.folder, name)).href;
  }

  /** Open a text that need not exist on disk. Resolves with the diagnostics published for it. */
  open(name, text, languageId = 'prolog') {
    const uri = this.uri(name);
    const published = this.published(uri, 1);
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return published;
  }

  /** Replace the text. Resolves with the diagnostics of this version. */
  change(name, text, version, range) {
    const uri = this.uri(name);
    const published = this.published(uri, version);
    this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text, range }] });
    return published;
  }

  /** The next diagnostics published for this version or a later one. */
  published(uri, version) {
    return this.until(({ method, params }) =>
      method === 'textDocument/publishDiagnostics' && params.uri === uri && params.version >= version
        ? params.diagnostics
        : undefined,
    );
  }

  /** Resolves with the first defined result of `look` on an incoming message. */
  until(look) {
    return new Promise((resolve) => {
      const watch = (message) => {
        const found = look(message);
        if (found === undefined) return;
        this.#watchers.delete(watch);
        resolve(found);
      };
      this.#watchers.add(watch);
    });
  }

  /** Send a request about the position of `mark` in a text, moved by `by`. */
  at(method, name, text, mark, more = {}, by = 0) {
    const offset = text.indexOf(mark);
    assert.ok(offset >= 0, `${mark} is in the text`);
    const before = text.slice(0, offset + by).split('\n');
    const position = { line: before.length - 1, character: before.at(-1).length };
    return this.request(method, { textDocument: { uri: this.uri(name) }, position, ...more });
  }

  request(method, params) {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#ids.set(answer, id);
    return answer;
  }

  /** The id of a request, by the promise of its answer. */
  idOf(answer) {
    return this.#ids.get(answer);
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  /** Shut down as editors do. Resolves with the exit code. */
  async close() {
    await this.request('shutdown');
    this.notify('exit');
    return this.closed;
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child.stdin.write(body);
  }

  #take(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.subarray(0, end).toString())[1]);
      if (this.#buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.#buffer.subarray(end + 4, end + 4 + length));
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#hear(message);
    }
  }

  #hear(message) {
    if (message.method !== undefined) {
      if (message.method === 'textDocument/publishDiagnostics')
        this.diagnostics.set(message.params.uri, message.params.diagnostics);
      // Every request from the server to its editor is granted.
      if (message.id !== undefined) this.#send({ id: message.id, result: null });
      for (const watch of this.#watchers) watch(message);
      return;
    }
    const { resolve, reject } = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else resolve(message.result);
  }
}
