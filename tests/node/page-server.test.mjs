// The server of `npm start`: files of the page, for this machine only.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileOf, servePage } from '../../scripts/page.mjs';
import { directory } from './harness.mjs';

test('the page is served to this machine, compressed, and nothing outside of it', async (t) => {
  const folder = directory({
    'page/index.html': '<p>'.repeat(1_000),
    'page/x.woff2': 'x',
    'docs/a.html': 'a',
    'secret.txt': 'secret',
  });
  const { address, close } = await servePage(0, join(folder, 'page'), join(folder, 'docs'));
  t.after(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const { port } = new URL(address);
  /** The status of a request that no client would send as it is. */
  const raw = (path, host = 'localhost') =>
    new Promise((resolve, reject) => {
      const socket = connect(port, 'localhost', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (data) => (text += data));
      socket.on('end', () => resolve(Number(text.split(' ')[1])));
      socket.on('error', reject);
    });
  for (const path of ['/%', '/%ff', '/../secret.txt', '/%2e%2e/secret.txt', '/..%5Csecret.txt', '/%00'])
    assert.ok([400, 404].includes(await raw(path)), path);
  assert.equal(await raw('//'), 200);
  assert.equal(await raw('/', 'evil.example'), 403);
  assert.equal(await raw('/docs/a.html'), 200);
  const got = (accept) =>
    new Promise((resolve, reject) => {
      request(address, { headers: accept ? { 'Accept-Encoding': accept } : {} }, (response) => {
        let length = 0;
        response.on('data', (part) => (length += part.length));
        response.on('end', () => resolve({ length, encoding: response.headers['content-encoding'] }));
      })
        .on('error', reject)
        .end();
    });
  assert.deepEqual(await got(), { length: 3_000, encoding: undefined });
  const { length, encoding } = await got('gzip, br');
  assert.equal(encoding, 'gzip');
  assert.ok(length < 300);
  assert.match(await (await fetch(address)).text(), /^(<p>){1000}$/);
});

test('a path never leads out of the page, whatever separates folders', () => {
  for (const path of ['/..\\..\\secret.txt', '/C:\\secret.txt', '/docs/..\\x', '/a:b', 'x', '/a/../../x'])
    assert.equal(fileOf(path, '/page', '/docs'), undefined, path);
  assert.equal(fileOf('/docs/', '/page', '/docs'), join('/docs', 'index.html'));
});
