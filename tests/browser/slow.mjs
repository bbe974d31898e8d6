// A first visit to the playground over a line of 4 Mbit/s.
import { ask, ready, rows } from './playground.mjs';

const LINE = { offline: false, latency: 100, downloadThroughput: 4e6 / 8, uploadThroughput: 4e6 / 8 };

/**
 * Opens the page, writes into the editor as soon as it is there, and asks when the engine is. Resolves with the bytes and
 * the milliseconds until either. What workers load of the page's own files is counted as it is sent, and not slowed down.
 */
export async function visitSlowly(visitors) {
  const context = await visitors.newcomer();
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => context.faults.push(error.message));
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', LINE);
  /** By request of the page. */
  const sent = new Map();
  client.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
    sent.set(requestId, (sent.get(requestId) ?? 0) + encodedDataLength),
  );
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sent.set(requestId, encodedDataLength));
  const bytes = () => [...sent.values()].reduce((sum, one) => sum + one, 0);
  const begun = performance.now();
  await page.goto(visitors.site.address, { waitUntil: 'commit' });
  const editor = page.getByLabel('Clauses', { exact: true });
  await editor.waitFor();
  const untilKeys = bytes();
  const msUntilKeys = performance.now() - begun;
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('% mine\n');
  await ready(page);
  const card = await ask(page, 'parent(pat, X)');
  if ((await rows(card)).length !== 1) throw new Error('It does not answer.');
  return { page, untilKeys, untilAnswer: bytes(), msUntilKeys, msUntilAnswer: performance.now() - begun };
}
