// One case of an attack (run.mjs says what it is made of), against whatever serves MCP.

/** After the steps the workspace answers within this, in ms. */
const ALIVE = 10_000;
/** The kinds of case after which a new engine must agree with the book, too. */
const ANEW = new Set(['modules', 'names', 'loading', 'clauses', 'retract']);

/**
 * Why the case failed on this server, or undefined.
 *
 * @param server `request(method, params, patience)` gives the reply, a JSON-RPC message, or rejects when there is none
 *   within `patience` ms; `differences()`, where it can, what differs between engine and book;
 *   `anew()`, where it can, ends the engine, so that the next one reads the book
 */
export async function failure(server, { kind, steps, worked_if, expect }) {
  const call = (name, args, patience) => server.request('tools/call', { name, arguments: args }, patience);
  await call('workspace', { operation: 'reset' });
  await call('clauses', { operation: 'assert', clauses: ['canary(alive).'] });
  let last = '';
  for (const { tool, args, method, params } of steps) {
    last = JSON.stringify(await (method ? server.request(method, params) : call(tool, args)));
    if (worked_if && new RegExp(worked_if.reply, 's').test(last)) return `it worked: ${last.slice(0, 500)}`;
  }
  if (expect && !new RegExp(expect.reply, 's').test(last)) return `not ${expect.reply}: ${last.slice(0, 500)}`;
  const canary = JSON.stringify(await call('query_start', { query: 'canary(X)', take: 1 }, ALIVE));
  if (!canary.includes('X = alive')) return `the canary is gone: ${canary.slice(0, 500)}`;
  const differences = (await server.differences?.()) ?? [];
  if (differences.length === 0 && server.anew && ANEW.has(kind)) {
    server.anew();
    differences.push(...(await server.differences()));
  }
  return differences.length === 0 ? undefined : `engine and book do not agree: ${differences.slice(0, 5).join('; ')}`;
}
