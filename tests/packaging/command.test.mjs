// `npx hornbook` from the tarball, for a person who has only Node.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { HOME, TARBALL, directory, project, run } from './harness.mjs';

/** Node and npm are found, but nothing of this repository; npm has an empty cache and no network. */
const BARE = {
  PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
  npm_config_cache: join(HOME, 'empty-cache'),
  npm_config_offline: 'true',
};

test('npx answers in an empty folder, from an empty cache', async (t) => {
  const empty = join(HOME, 'empty');
  mkdirSync(empty);
  const started = performance.now();
  const answer = await run('npx', ['--yes', `--package=${TARBALL}`, 'hornbook', 'ask', 'X is 6 * 7'], empty, BARE);
  t.diagnostic(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  assert.equal(answer, 'X = 42.\n');
});

test('the command prints the version of the package', async () => {
  const path = directory('version');
  const version = await run('npx', ['--yes', `--package=${TARBALL}`, 'hornbook', '--version'], path, BARE);
  assert.ok(TARBALL.endsWith(`hornbook-${version.trim()}.tgz`));
});

test('the lines of an mcp.json start a server', async () => {
  const path = await project('host', {
    'mcp.json': JSON.stringify({
      mcpServers: { hornbook: { command: 'npx', args: ['-y', 'hornbook', '--root', '.'] } },
    }),
    'family.pl': 'parent(tom, bob).\n',
  });
  const { default: config } = await import(join(path, 'mcp.json'), { with: { type: 'json' } });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(new StdioClientTransport({ ...config.mcpServers.hornbook, cwd: path, env: BARE }));
  await client.callTool({ name: 'files', arguments: { operation: 'import', filename: 'family.pl' } });
  const { content } = await client.callTool({ name: 'query_start', arguments: { query: 'parent(tom, X)', take: 1 } });
  assert.match(content[0].text, /X = bob/);
  await client.close();
});
