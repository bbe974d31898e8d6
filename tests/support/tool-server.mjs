// A small MCP server of the official SDK: on standard input and output or, with --http, on a free port that it prints.
// It logs what happens to it to the file of --log, one line per event.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const log = (line) => option('--log') && appendFileSync(option('--log'), `${line}\n`);

const numbers = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] };
const TOOLS = [
  { name: 'add', description: 'Adds two numbers.', inputSchema: numbers },
  {
    name: 'say-hello',
    description: 'Says hello.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
  { name: 'environment', description: 'What it was started with.', inputSchema: { type: 'object' } },
  { name: 'fail', description: 'Fails.', inputSchema: { type: 'object' } },
  { name: 'hang', description: 'Never answers.', inputSchema: { type: 'object' } },
  { name: 'die', description: 'Ends the server at its first call.', inputSchema: { type: 'object' } },
];
const said = (text) => ({ content: [{ type: 'text', text }] });

function make(headers = {}) {
  const server = new Server({ name: 'tools', version: '1' }, { capabilities: { tools: {} } });
  // One tool per page, so that a list has several pages.
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const at = Number(params?.cursor ?? 0);
    return { tools: [TOOLS[at]], ...(at + 1 < TOOLS.length && { nextCursor: String(at + 1) }) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: values, _meta } }) => {
    log(`call ${name} ${_meta?.['hornbook/idempotency-key'] ?? ''}`.trim());
    switch (name) {
      case 'add': {
        const sum = values.a + values.b;
        return { ...said(String(sum)), structuredContent: { sum } };
      }
      case 'say-hello':
        return said(`hello ${values.name}`);
      case 'environment':
        return said(JSON.stringify({ word: process.env.WORD, token: headers['x-token'] }));
      case 'fail':
        return { ...said('the disk is full'), isError: true };
      case 'hang':
        return new Promise(() => {});
      case 'die':
        if (readFileSync(option('--log'), 'utf8').match(/^start$/gm).length === 1) process.exit(1);
        return said('alive');
    }
  });
  return server;
}

if (process.argv.includes('--http')) {
  const listening = createServer(async (request, response) => {
    const server = make(request.headers);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  listening.listen(0, '127.0.0.1', () => console.log(listening.address().port));
} else {
  log('start');
  process.stdin.on('end', () => log('end'));
  await make().connect(new StdioServerTransport());
}
