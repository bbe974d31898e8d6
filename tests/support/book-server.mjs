// An MCP server on a book file, started like `hornbook --book`, with a client that calls its tools.
import { BIN, META, StdioProcess } from './stdio.mjs';

export class BookServer extends StdioProcess {
  constructor(book, ...args) {
    super([BIN, '--book', book, ...args]);
  }

  /** The result of a tool; `undefined` if the process ends first. */
  async call(name, values) {
    const params = { name, arguments: values, _meta: META };
    const reply = await this.ask((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })).reply;
    return reply?.result;
  }

  /** The text of the result. */
  async text(name, values) {
    return (await this.call(name, values))?.content[0].text;
  }

  assert(...clauses) {
    return this.text('clauses', { operation: 'assert', clauses });
  }

  snapshot() {
    return this.text('workspace', { operation: 'snapshot' });
  }

  /** The values of X in all answers, in order. */
  async values(goal) {
    const result = await this.call('query_start', { query: `findall(X, (${goal}), L)`, take: 1 });
    return result?.structuredContent.answers[0]?.L;
  }
}
