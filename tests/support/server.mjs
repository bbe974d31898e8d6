// A server for tests that kill it: several clients share one connection, the book is in a file or in memory, and engines
// can be ended from outside and compared with the book. Its argument is `{book?, ...options}` as JSON, with Hornbook's
// options.
//
// Each line is JSON. To the server: `{"client": 0, "message": …}`, `{"end": "engines"}`, `{"agree": 7}`. From it:
// `{"client": 0, "message": …}`, and `{"agree": 7, "differences": [Text]}` or `{"agree": 7, "error": Text}`.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { initSync } from '../../pkg/full/hornbook.js';
import { FileStore, Hornbook, NodeHost } from '../../pkg/node.js';

const { book, ...options } = JSON.parse(process.argv[2]);

class Host extends NodeHost {
  engines = [];

  async spawn() {
    const engine = await super.spawn();
    this.engines.push(engine);
    return engine;
  }

  endEngines() {
    for (const engine of this.engines.splice(0)) engine.end();
  }
}

initSync({ module: readFileSync(new URL('../../pkg/full/hornbook_bg.wasm', import.meta.url)) });
const host = new Host(() => {});
const store = book === undefined ? undefined : new FileStore(book);
const hornbook = store ? await Hornbook.open(host, store, options) : new Hornbook(host, options);
if (hornbook.notice) process.stderr.write(`${hornbook.notice}\n`);

const send = (line) => process.stdout.write(`${line}\n`);
const clients = new Map();
const client = (name) => {
  // Node buffers what the pipe cannot take at once. Returns nothing, so the client counts as one that keeps reading.
  const carry = (message) => void send(`{"client":${name},"message":${message}}`);
  if (!clients.has(name)) clients.set(name, hornbook.connect(carry));
  return clients.get(name);
};
async function agree(id) {
  try {
    send(JSON.stringify({ agree: id, differences: await hornbook.differences() }));
  } catch (error) {
    send(JSON.stringify({ agree: id, error: error.message }));
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  const { client: name, message, end, agree: id } = JSON.parse(line);
  if (end) host.endEngines();
  else if (id) void agree(id);
  else client(name).receive(JSON.stringify(message));
}
await hornbook.idle();
hornbook.close();
host.close();
await store?.close();
