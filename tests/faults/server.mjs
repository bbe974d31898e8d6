// A server to be killed: several clients on one line, a book in a file, and engines that can be ended from outside.
// Each line is JSON: `{"client": 0, "message": …}` in both directions, and `{"end": "engines"}` to the server.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { initSync } from '../../pkg/core/hornbook.js';
import { FileStore, Hornbook, NodeHost } from '../../pkg/node.js';

const [book, root] = process.argv.slice(2);

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

initSync({ module: readFileSync(new URL('../../pkg/core/hornbook_bg.wasm', import.meta.url)) });
const host = new Host(() => {});
const store = new FileStore(book);
const hornbook = await Hornbook.open(host, store, { roots: [root], unknown: 'fail' });
if (hornbook.notice) process.stderr.write(`${hornbook.notice}\n`);

const clients = new Map();
const client = (name) => {
  if (!clients.has(name)) {
    clients.set(name, hornbook.connect((message) => process.stdout.write(`{"client":${name},"message":${message}}\n`)));
  }
  return clients.get(name);
};
for await (const line of createInterface({ input: process.stdin })) {
  const { client: name, message, end } = JSON.parse(line);
  if (end) host.endEngines();
  else client(name).receive(JSON.stringify(message));
}
await hornbook.idle();
hornbook.close();
host.close();
await store.close();
