// An MCP server on standard input and output: a shop whose prices are in the JSON file of its first argument, which a test may
// change. It logs each call to the file of its second.
import { appendFileSync, readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [, , world, log] = process.argv;
const said = (text) => ({ content: [{ type: 'text', text }] });
const structured = (value) => ({ ...said(JSON.stringify(value)), structuredContent: value });
const nested = (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const TOOLS = {
  get_price({ item }) {
    const price = JSON.parse(readFileSync(world, 'utf8'))[item];
    if (price === undefined) return said('null');
    return structured({ item, price, currency: 'EUR' });
  },
  list_items: ({ below = Infinity }) => {
    const all = Object.entries(JSON.parse(readFileSync(world, 'utf8')));
    return structured({ items: all.filter(([, price]) => price < below).map(([item, price]) => ({ item, price })) });
  },
  echo: (given) => structured({ said: JSON.stringify(given) }),
  fail: () => ({ ...said('the till is closed'), isError: true }),
  hang: () => new Promise(() => {}),
  secret: () => ({ ...said(`no access with ${process.env.TILL_KEY}`), isError: true }),
  huge: () => structured({ text: 'x'.repeat(3_000_000) }),
  many: () => structured({ rows: Array.from({ length: 200_000 }, () => ({ n: 1 })) }),
  deep: () => said(`{"n":${nested(100_000)}}`),
  deep_enough: () => said(`{"n":${nested(120)}}`),
  other: () => structured({ cost: 3 }),
  listless: () => structured({ rows: [{ n: 1 }, 7, null] }),
  text: () => said('plain words'),
  nul: () => structured({ n: 'a\0b' }),
  code: () => structured({ n: "x'), halt, foo('", __proto__: null }),
  proto: () => said('{"__proto__":{"n":1},"constructor":{"n":2}}'),
};

const server = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: 'object' } })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
  appendFileSync(log, `${name} ${JSON.stringify(given)}\n`);
  return TOOLS[name]?.(given) ?? { ...said(`there is no tool ${name}`), isError: true };
});
await server.connect(new StdioServerTransport());
