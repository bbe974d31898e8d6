// npm start: sets up, builds, then holds a short conversation between the official MCP client and the server.
// npm start -- ARGUMENTS: sets up, builds, then runs `hornbook ARGUMENTS` (`npm start -- --help` lists its commands).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { setup } from './setup.mjs';
import { ROOT, main } from './steps.mjs';

const BIN = join(ROOT, 'pkg', 'bin.js');

const PUZZLE = `% Three scholars, three houses in a row.
solution([ada-A, boole-B, cleo-C]) :-
    permutation([1, 2, 3], [A, B, C]),
    A =\\= 1,               % Ada does not live at the left end,
    B =:= C + 1.           % and Boole lives just right of Cleo.
`;

async function converse() {
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const directory = mkdtempSync(join(tmpdir(), 'hornbook-'));
  writeFileSync(join(directory, 'puzzle.pl'), PUZZLE);

  const client = new Client({ name: 'npm-start', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, '--root', directory], env: {} }));
  try {
    const { tools } = await client.listTools();
    console.log(`${client.getServerVersion().name} ${client.getServerVersion().version} speaks MCP ${client.getNegotiatedProtocolVersion()}; its tools: ${tools.map(({ name }) => name).join(', ')}`);
    const call = async (name, values) => {
      console.log(`\n→ ${name} ${JSON.stringify(values)}`);
      const { content, isError } = await client.callTool({ name, arguments: values });
      console.log(content.map(({ text }) => text.replace(/^/gm, '  ')).join('\n'));
      if (isError) throw new Error(`${name} failed`);
    };
    await call('files', { operation: 'import', filename: join(directory, 'puzzle.pl') });
    await call('clauses', { operation: 'assert', clauses: ['lives(Who, House) :- solution(All), member(Who-House, All).', 'reads(ada, greek).'] });
    await call('query_start', { query: 'lives(Who, House)', take: 5 });
    await call('query_start', { query: 'X * X + Y * Y #= 625, 0 #< X, X #< Y, label([X, Y])', take: 3 });
    await call('workspace', { operation: 'snapshot' });
  } finally {
    await client.close();
    rmSync(directory, { recursive: true });
  }
  console.log('\nGive this server to your own client: README.md has the lines for mcp.json.');
}

await main(async () => {
  await build(await setup());
  const args = process.argv.slice(2);
  if (args.length === 0) return converse();
  const child = spawn(process.execPath, [BIN, ...args], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
});
