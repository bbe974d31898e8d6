// A process that runs a workflow in a book: node child.mjs BOOK WORKFLOW [N]. It kills itself with SIGKILL once N
// records are written; without N it runs to the end and prints the last state. If the book has the run, it is resumed.
import { appendFileSync } from 'node:fs';
import { FileStore, Hornbook, NodeHost, loadCrate } from '../../../pkg/node.js';
import { Workflow } from '../../../pkg/workflow.js';
import { WORKFLOWS } from './workflows.mjs';

const [path, name, count] = process.argv.slice(2);
let left = Number(count ?? Infinity);

class Killing extends FileStore {
  async append(...given) {
    await super.append(...given);
    left -= 1;
    if (left <= 0) process.kill(process.pid, 'SIGKILL');
  }
}

await loadCrate();
const host = new NodeHost(() => {});
const store = new Killing(path);
const book = await Hornbook.open(host, store, {});
const [state, yaml] = WORKFLOWS[name];
const tell = (_, { key }) => {
  appendFileSync(`${path}.told`, `${key}\n`);
  return { told: true };
};
const workflow = await Workflow.load(yaml, { book, host, actions: { tell }, engines: 1 });
const known = book
  .runs()
  .list()
  .some(({ run }) => run === 'r');
const events = known ? workflow.resume('r') : workflow.run(state, { run: 'r' });
for await (const event of events) {
  if (event.type === 'final')
    console.log(JSON.stringify(event.state, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
  if (event.type === 'error') console.log(`error: ${event.error}`);
}
workflow.close();
book.close();
host.close();
await store.close();
