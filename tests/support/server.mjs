// A server for tests that kill it: several clients share one connection, the book is in a file or in memory, and engines
// can be ended from outside and compared with the book. Its argument is `{book?, ...options}` as JSON, with Hornbook's
// options.
//
// Each line is JSON. To the server: `{"client": 0, "message": …}`, `{"end": "engines"}`, `{"agree": 7}`, and
// `{"desk": 7, "decision": "accept"}` for a person who decides about what the client "draft" proposes, or looks at it.
// From it: `{"client": 0, "message": …}`, and `{"agree": 7, "differences": [Text]}` or `{"agree": 7, "error": Text}`;
// `{"desk": 7, "added": [Text]}` with `"decided": true` after a decision, or `{"desk": 7, "error": {kind, message}}`.
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
/** The book with the draft; opened on first use, as it has an engine of its own. */
let draft;
const drafted = () => (draft ??= hornbook.draft('agent'));
const client = async (name) => {
  // Node buffers what the pipe cannot take at once. Returns nothing, so the client counts as one that keeps reading.
  const carry = (message) => void send(`{"client":${JSON.stringify(name)},"message":${message}}`);
  const of = name === 'draft' ? await drafted() : hornbook;
  if (!clients.has(name)) clients.set(name, of.connect(carry));
  return clients.get(name);
};
async function review(id, decision) {
  try {
    const isThere = (await hornbook.drafts()).length > 0;
    const proposal = isThere ? await (await drafted()).proposal() : { added: [], operations: [] };
    const keys = proposal.operations.map(({ key }) => key);
    if (decision) await (await drafted())[decision](keys, 'ann', 'seen');
    send(JSON.stringify({ desk: id, added: proposal.added.map(({ clause }) => clause), decided: decision && true }));
  } catch ({ kind, message }) {
    send(JSON.stringify({ desk: id, error: { kind, message } }));
  }
}
async function agree(id) {
  try {
    send(JSON.stringify({ agree: id, differences: await hornbook.differences() }));
  } catch (error) {
    send(JSON.stringify({ agree: id, error: error.message }));
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  const { client: name, message, end, agree: id, desk, decision } = JSON.parse(line);
  if (end) host.endEngines();
  else if (id) void agree(id);
  else if (desk) void review(desk, decision);
  else (await client(name)).receive(JSON.stringify(message));
}
await (await draft)?.idle();
(await draft)?.close();
await hornbook.idle();
hornbook.close();
host.close();
await store?.close();
