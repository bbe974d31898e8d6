// A page in Chromium: from its address to the first answer, on a first and on a later visit, compared with a page with
// a plain instance in a worker; and the first query of a fresh page.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { PKG, ROOT, launch } from '../browser/harness.mjs';
import { LONG, MILLIONS } from './first.mjs';

const SWIPL = join(ROOT, 'node_modules', 'swipl-wasm', 'dist', 'swipl');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const page = (script) => `<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`;

const FILES = {
  '/plain.html': page(`
    const worker = new Worker('/plain-worker.js');
    worker.onmessage = () => (window.answered = performance.now());`),
  '/plain-worker.js': `
    importScripts('/swipl/swipl-web.js');
    SWIPL({ arguments: ['-q'], locateFile: (name) => '/swipl/' + name }).then(({ prolog }) => {
      postMessage(prolog.query('X = 1').once());
    });`,
  '/ours.html': page(`
    import { openBook } from '/hornbook/index-web.js';
    window.book = await openBook();
    await book.once('X = 1');
    window.answered = performance.now();`),
};

/** A server whose files the browser caches. */
async function served() {
  const server = createServer(async ({ url }, response) => {
    const [, folder, name] = /^\/(hornbook|swipl)\/(.*)$/.exec(url) ?? [];
    const body = FILES[url] ?? (await readFile(join(folder === 'swipl' ? SWIPL : PKG, name)));
    const type = TYPES[extname(url)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

export async function web(rounds) {
  const { server, origin } = await served();
  const browser = await launch(['--js-flags=--no-liftoff-only']);
  /** Milliseconds from navigation to the answer. */
  const visit = async (context, name, then = () => {}) => {
    const tab = await context.newPage();
    await tab.goto(`${origin}/${name}.html`);
    await tab.waitForFunction(() => window.answered);
    const answered = await tab.evaluate(() => window.answered);
    await then(tab);
    await tab.close();
    return answered;
  };
  const [cold, warm, rates, ratios] = [[], [], [], []];
  for (let round = -1; round < rounds; round += 1) {
    const times = {};
    for (const name of ['plain', 'ours']) {
      const context = await browser.newContext();
      times[name] = [await visit(context, name), await visit(context, name)];
      await context.close();
    }
    const context = await browser.newContext();
    let queries;
    await visit(context, 'ours', async (tab) => {
      queries = await tab.evaluate(async (program) => {
        await book.import('long.pl', program);
        const ask = async () => {
          const begun = performance.now();
          await book.once('long', { timeoutMs: 60_000 });
          return performance.now() - begun;
        };
        return [await ask(), await ask()];
      }, LONG);
    });
    await context.close();
    if (round < 0) continue;
    cold.push(times.ours[0] / times.plain[0]);
    warm.push(times.ours[1] / times.plain[1]);
    rates.push((MILLIONS / queries[0]) * 1e3);
    ratios.push(queries[0] / queries[1]);
  }
  await browser.close();
  server.close();
  const what = 'first answer of a page, to a plain instance in a worker';
  return [
    { what: `${what}: first visit`, values: cold, goal: 1.2, unit: 'ratio' },
    { what: `${what}: a later one`, values: warm, goal: 1.2, unit: 'ratio' },
    { what: 'first query of a fresh page, 16 M inferences', values: rates, unit: 'M inferences/s' },
    { what: 'that query, to the same asked again', values: ratios, goal: 1.2, unit: 'ratio' },
  ];
}
