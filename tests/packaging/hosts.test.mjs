// What hosts and the MCP registry are told of the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverJson } from '../../scripts/package.mjs';
import { ROOT } from './harness.mjs';

test('server.json, the manifest and the package have one name and version', () => {
  const server = serverJson();
  const manifest = JSON.parse(readFileSync(join(ROOT, 'pkg', 'package.json'), 'utf8'));
  assert.equal(server.name, manifest.mcpName);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.description.length <= 100);
  for (const { identifier, version } of [{ identifier: 'hornbook', version: server.version }, ...server.packages])
    assert.deepEqual([identifier, version], [manifest.name, manifest.version]);
});

test('the links of the README install the server', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\((https:[^)]*install[^)]*)\)/g)].map(([, link]) => new URL(link).searchParams);
  const config = { command: 'npx', args: ['-y', 'hornbook', '--root', '${workspaceFolder}'] };
  assert.deepEqual(
    links.map((link) => [link.get('name'), JSON.parse(readable(link.get('config')))]),
    [
      ['hornbook', config],
      ['hornbook', config],
    ],
  );
});

/** Cursor has it in base64. */
const readable = (text) => (text.startsWith('{') ? text : Buffer.from(text, 'base64').toString());
