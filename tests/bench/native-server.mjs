// A minimal MCP server over a native Prolog: the official SDK, and `swipl` over pipes. Its one tool reads a query,
// checks that it is safe, and answers with the bindings of the first solution.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { nativeOver } from './rivals.mjs';

const ANSWER = `
:- use_module(library(sandbox)).
first :- repeat, read_term(T, [variable_names(Vs)]), ( T == end_of_file -> ! ; answer(T, Vs), nl, flush_output, fail ).
answer(G, Vs) :- catch(( safe_goal(user:G), once(G) ), E, ( print(E), fail )), !,
    forall('$member'(N=V, Vs), ( write(N), write(' = '), print(V), write(' ') )).
answer(_, _) :- write(false).
`;

const swipl = nativeOver(ANSWER, 'first');
const server = new Server({ name: 'native', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
  content: [{ type: 'text', text: await swipl.ask(params.arguments.query) }],
}));
await server.connect(new StdioServerTransport());
process.stdin.on('end', swipl.close);
