// `hornbook serve --issuer`: the server as an OAuth resource, against an issuer of the tests.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { SignJWT, UnsecuredJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { Serving } from '../support/serve.mjs';
import { directory } from './harness.mjs';

const SERVER = 'https://books.example';
const HOUR = 3600;
const now = () => Math.floor(Date.now() / 1000);

describe('tokens of an issuer', () => {
  let folder;
  let server;
  let http;
  let issuer;
  let keys;
  let others;
  /** The issuer's metadata; a test may change it. */
  let metadata;

  before(async () => {
    keys = await generateKeyPair('ES256', { extractable: true });
    others = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    http = createServer((request, response) => {
      const found = {
        '/.well-known/oauth-authorization-server': metadata,
        '/keys': { keys: [jwk] },
      }[request.url];
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(found));
    });
    await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${http.address().port}`;
    metadata = { issuer, jwks_uri: `${issuer}/keys` };
    folder = directory();
    server = await Serving.start(folder, ['--issuer', issuer, '--public-url', SERVER]);
  });
  after(async () => {
    await server.kill();
    http.close();
    rmSync(folder, { recursive: true });
  });

  const sign = (claims, { key = keys.privateKey, header = {} } = {}) =>
    new SignJWT({ iss: issuer, aud: SERVER, sub: 'ann', exp: now() + HOUR, scope: 'admin', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
      .sign(key);
  const send = async (book, tool, values, token) =>
    server.send(
      book,
      'tools/call',
      { name: tool, arguments: values },
      { headers: token ? { Authorization: `Bearer ${token}` } : {} },
    );
  const ask = (book, token) => send(book, 'query_start', { query: 'p(X)', take: 5 }, token);
  const write = (book, token) => send(book, 'clauses', { operation: 'assert', clauses: 'p(1).' }, token);

  test('a good one is accepted, for the server or for the book', async () => {
    assert.equal((await write('team', await sign({}))).status, 200);
    for (const aud of [`${SERVER}/`, `${SERVER}/mcp/team`, ['https://other.example', SERVER]])
      assert.equal((await ask('team', await sign({ aud }))).status, 200, String(aud));
  });

  test('a request without one is told where to get one', async () => {
    const response = await ask('team');
    assert.equal(response.status, 401);
    const challenge = response.headers.get('www-authenticate');
    const [, address] = /resource_metadata="([^"]+)"/.exec(challenge);
    assert.equal(address, `${SERVER}/.well-known/oauth-protected-resource/mcp/team`);
    assert.match(challenge, /scope="read:team"/);
    const told = await (await fetch(address.replace(SERVER, server.url))).json();
    assert.equal(told.resource, `${SERVER}/mcp/team`);
    assert.deepEqual(told.authorization_servers, [issuer]);
    assert.ok(told.scopes_supported.includes('write:team'));
  });

  test('every wrong one is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const claims = { iss: issuer, aud: SERVER, sub: 'ann', exp: now() + HOUR, scope: 'admin' };
    const good = await sign({});
    const [head, body] = good.split('.');
    // The public key as a shared secret.
    const hs256 = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one' })).toString('base64url');
    const secret = await exportSPKI(keys.publicKey);
    const confused = createHmac('sha256', secret).update(`${hs256}.${body}`).digest('base64url');
    const wrong = {
      'another audience': await sign({ aud: 'https://other.example' }),
      'the audience of another book': await sign({ aud: `${SERVER}/mcp/other` }),
      'no audience': await sign({ aud: undefined }),
      'another issuer': await sign({ iss: 'https://other.example' }),
      'another key': await sign({}, { key: others.privateKey }),
      'a key that the issuer does not have': await sign({}, { header: { kid: 'two' } }),
      'another algorithm': await sign({}, { key: privateKey, header: { alg: 'RS256' } }),
      expired: await sign({ exp: now() - HOUR }),
      'without an end': await sign({ exp: undefined }),
      'not valid yet': await sign({ nbf: now() + HOUR }),
      unsigned: new UnsecuredJWT(claims).encode(),
      'algorithm none with a signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.${good.split('.')[2]}`,
      'a secret out of the public key': `${hs256}.${body}.${confused}`,
      'changed claims': `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: 'eve' })).toString('base64url')}.${good.split('.')[2]}`,
      'no token at all': 'nonsense',
    };
    for (const [name, token] of Object.entries(wrong)) {
      const response = await ask('team', token);
      assert.equal(response.status, 401, name);
      assert.match(response.headers.get('www-authenticate'), /^Bearer error="invalid_token"/, name);
    }
  });

  test('an operation outside the scopes is refused with the scope it needs', async () => {
    await write('team', await sign({}));
    const none = await ask('team', await sign({ scope: 'other' }));
    assert.equal(none.status, 403);
    assert.match(none.headers.get('www-authenticate'), /error="insufficient_scope", scope="read:team"/);
    const reader = await sign({ scope: 'openid read:team' });
    assert.equal((await ask('team', reader)).status, 200);
    const refused = await write('team', reader);
    assert.equal(refused.status, 403);
    assert.match(refused.headers.get('www-authenticate'), /error="insufficient_scope", scope="write:team"/);
    assert.match((await refused.json()).error.message, /needs the scope write/);
    assert.equal((await ask('other', reader)).status, 403);
    const writer = await sign({ scope: undefined, scp: ['write:team'] });
    assert.equal((await write('team', writer)).status, 200);
    assert.equal((await send('team', 'workspace', { operation: 'reset' }, writer)).status, 403);
    // Whoever has the scope may create a book.
    const everywhere = await sign({ scope: 'write' });
    assert.equal((await write('fresh', everywhere)).status, 404);
    assert.equal((await write('fresh', await sign({ scope: 'admin:fresh' }))).status, 200);
    assert.equal((await write('fresh', everywhere)).status, 200);
  });

  test('the log of a book has the same scopes', async () => {
    await write('logged', await sign({}));
    const status = async (book, claims, method = 'GET', headers = {}) => {
      const token = await sign(claims);
      const options = {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain', ...headers },
      };
      const response = await fetch(
        `${server.url}/log/${book}`,
        method === 'POST' ? { ...options, body: 'x' } : options,
      );
      return response.status;
    };
    assert.equal(await status('logged', { scope: 'read:logged' }), 200);
    assert.equal(await status('logged', { scope: 'read:other' }), 403);
    assert.equal(await status('logged', { scope: 'read:logged' }, 'POST'), 403);
    assert.equal(await status('logged', { scope: 'write:logged' }, 'POST'), 400);
    assert.equal(await status('begun', { scope: 'write' }, 'PUT'), 404);
    assert.equal(await status('begun', { scope: 'admin' }, 'PUT'), 201);
  });

  test('a reader changes nothing, whatever its query does', async () => {
    await write('read', await sign({}));
    const reader = await sign({ scope: 'read', sub: 'bob' });
    const count = async () => {
      const response = await send('read', 'query_start', { query: 'aggregate_all(count, p(_), N)', take: 1 }, reader);
      return (await response.json()).result.structuredContent.answers[0].N;
    };
    assert.equal(await count(), '1');
    for (const query of ['assertz(p(2))', 'retract(p(1))', 'member(X, [3, 4]), assertz(p(X))']) {
      const { result } = await (await send('read', 'query_start', { query, take: 5 }, reader)).json();
      assert.match(result.content[0].text, /may only read the book/, query);
      assert.equal(await count(), '1', query);
    }
  });

  test("an issuer that cannot be reached is not the token's fault", async () => {
    const right = metadata;
    const lost = await Serving.start(folder, ['--issuer', issuer, '--public-url', SERVER]);
    try {
      const token = await sign({});
      const status = async () =>
        (await lost.send('team', 'server/discover', {}, { headers: { Authorization: `Bearer ${token}` } })).status;
      metadata = { issuer: 'https://other.example', jwks_uri: right.jwks_uri };
      assert.equal(await status(), 503);
      metadata = right;
      assert.equal(await status(), 200);
    } finally {
      metadata = right;
      await lost.kill();
    }
  });
});
