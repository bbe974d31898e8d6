// An MCP server that speaks plain JSON lines, so that it can send what no library would: a tool whose schema is not one,
// and results of every kind. With --bare it offers no tools at all; with --long its result has 16 MiB.
import { createInterface } from 'node:readline';

const [bare, long] = ['--bare', '--long'].map((option) => process.argv.includes(option));
const RESULT = [
  { type: 'text', text: 'downloaded' },
  { type: 'resource', resource: { uri: 'repo://a/README.md', mimeType: 'text/markdown', text: 'THE CONTENTS' } },
  { type: 'resource', resource: { uri: 'repo://a/logo.png', mimeType: 'image/png', blob: 'AAAA' } },
  { type: 'resource_link', uri: 'https://example.org/more', name: 'more' },
  { type: 'image', mimeType: 'image/png', data: 'AAAA' },
];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: bare ? {} : { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  }),
  'tools/list': () => ({
    tools: [
      { name: 'file', inputSchema: { type: 'object' } },
      { name: 'odd', inputSchema: { type: 'string' } },
      { name: 'none' },
    ],
  }),
  'tools/call': () => ({ content: long ? [{ type: 'text', text: 'x'.repeat(16 << 20) }] : RESULT }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const error = { code: -32601, message: `no method ${method}` };
  const reply = answers[method] ? { result: answers[method](params) } : { error };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
}
