// Attacks, as data, on Hornbook in a page: those that reach for what surrounds an engine, and those that kill it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { failure } from '../attacks/case.mjs';
import { ROOT, launch, servePackage, visit } from './harness.mjs';

let browser, site;
before(async () => {
  [browser, site] = await Promise.all([launch(), servePackage()]);
});
after(async () => {
  await browser.close();
  await site.close();
});

/** A page as a server: messages pass through unchanged. */
async function server() {
  const page = await visit(browser, site.origin);
  await page.evaluate(async () => {
    const hornbook = await createHornbook();
    const { port1, port2 } = new MessageChannel();
    hornbook.connect(port1);
    const waiting = new Map();
    port2.onmessage = ({ data }) => waiting.get(data.id)?.(data);
    let last = 0;
    window.request = (method, params, patience = 60_000) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, resolve);
        port2.postMessage({ jsonrpc: '2.0', id, method, params });
        setTimeout(() => reject(new Error(`no reply to ${method} within ${patience} ms`)), patience);
      });
    await request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'attacks', version: '1' },
    });
  });
  return { page, request: (...args) => page.evaluate((args) => request(...args), args) };
}

for (const file of ['host', 'hooks', 'names', 'state', 'deaths']) {
  test(`attacks: ${file}`, async () => {
    const cases = JSON.parse(readFileSync(join(ROOT, 'tests', 'attacks', `${file}.json`), 'utf8'));
    const failed = [];
    let one = await server();
    for (const attack of cases) {
      let why = await failure(one, attack).catch(({ message }) => message);
      if (why !== undefined) {
        await one.page.close();
        one = await server();
        why = await failure(one, attack).catch(({ message }) => message);
      }
      if (why !== undefined) failed.push(`${attack.name}: ${why}`);
    }
    assert.deepEqual(failed, []);
    // None of the attempts has reached the page.
    assert.deepEqual(one.page.faults, []);
    await one.page.close();
  });
}
