// Runs the cases of FILE.json, mistakes that end in a wrong or no answer: `node tests/cases/mistakes.mjs FILE.json [NAME...]`.
// The replies to `clauses assert` and `query_start`, without the answers themselves, must match `hint`, or must not
// match `silent`. Prints a line a case and closes with `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { Server } from '../node/harness.mjs';

const [file, ...names] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(file, 'utf8')).filter(({ name }) => names.length === 0 || names.includes(name));
const total = { passed: 0, failed: 0 };
const server = await Server.start();

/** The text of a reply without the echo of the query and the answers. */
const said = ({ text }) =>
  text
    .split('\n')
    .filter((line) => !/^(Solution|Query started|query_id): ?/.test(line))
    .join('\n');

for (const { name, clauses, query, hint, silent } of cases) {
  await server.reset();
  const replies = [
    await server.call('clauses', { operation: 'assert', clauses }),
    await server.call('query_start', { query, take: 20, timeout_ms: 5000 }),
  ];
  const text = replies.map(said).join('\n');
  const good = hint ? new RegExp(hint).test(text) : !new RegExp(silent).test(text);
  total[good ? 'passed' : 'failed'] += 1;
  console.log(good ? `ok     ${name}` : `FAILED ${name}: ${hint ? `no ${hint}` : silent} in ${JSON.stringify(text)}`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
await server.close();
process.exit(total.failed === 0 ? 0 : 1);
