// What hosts and the MCP registry are told about the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverJson } from '../../scripts/package.mjs';
import { ROOT, run } from './harness.mjs';

test('server.json, the manifest and the package have the same name and version', () => {
  const server = serverJson();
  const manifest = JSON.parse(readFileSync(join(ROOT, 'pkg', 'package.json'), 'utf8'));
  assert.equal(server.name, manifest.mcpName);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.description.length <= 100);
  for (const { identifier, version } of [{ identifier: 'hornbook', version: server.version }, ...server.packages])
    assert.deepEqual([identifier, version], [manifest.name, manifest.version]);
});

// The registry publishes a schema at the address in server.json, but in no package. These are its rules for these
// members.
test('server.json matches the schema of the registry', async () => {
  const { $schema, name, title, description, version, packages, ...others } = serverJson();
  assert.deepEqual(others, {});
  assert.match($schema, /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/);
  assert.ok(name.length >= 3 && name.length <= 200);
  for (const text of [title, description]) assert.ok(text.length >= 1 && text.length <= 100, text);
  // A single version, not a range.
  assert.match(version, /^\d+\.\d+\.\d+$/);
  const options = await run(process.execPath, [join(ROOT, 'pkg', 'bin.js'), '--help'], ROOT);
  for (const { registryType, identifier, version, runtimeHint, transport, packageArguments, ...others } of packages) {
    assert.deepEqual(others, {});
    assert.deepEqual([registryType, identifier, runtimeHint, transport], ['npm', 'hornbook', 'npx', { type: 'stdio' }]);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    for (const { type, name, description, format = 'string', isRepeated = false, ...others } of packageArguments) {
      assert.equal(type, 'named');
      assert.ok(options.includes(`  ${name} `), `${name} is no option`);
      assert.equal(typeof description, 'string');
      assert.ok(['string', 'number', 'boolean', 'filepath'].includes(format), format);
      assert.equal(typeof isRepeated, 'boolean');
      assert.deepEqual(
        Object.keys(others).filter((key) => key !== 'default'),
        [],
      );
      assert.equal(typeof (others.default ?? ''), 'string');
    }
  }
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

/** Cursor encodes it in base64. */
const readable = (text) => (text.startsWith('{') ? text : Buffer.from(text, 'base64').toString());
