// Real Chromium, and pages for it from a small server that sends the strictest policy under which Hornbook promises to
// work. A test fails if a page violates that policy or throws an uncaught error.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, firefox } from 'playwright-core';
import { chromiumPath } from '../../scripts/chromium.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PKG = join(ROOT, 'pkg');
const PAGES = join(ROOT, 'tests', 'browser', 'pages');

/** The policy of a strict page. */
export const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; style-src 'self'; img-src 'self' data:; frame-src http:";

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/**
 * A server of its own origin.
 *
 * @param directories what is served, by the prefix of its path; the longest that fits is taken
 * @param files contents by path, before the directories
 * @param csp the Content-Security-Policy
 */
export async function serve({ directories = {}, files = {}, csp = CSP } = {}) {
  const prefixes = Object.keys(directories).sort((a, b) => b.length - a.length);
  const requests = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const name = path.endsWith('/') ? `${path}index.html` : path;
    requests.push(name);
    const prefix = prefixes.find((prefix) => name.startsWith(prefix));
    try {
      const body =
        files[name] ?? (await readFile(join(directories[prefix], normalize(`/${name.slice(prefix.length)}`))));
      response.writeHead(200, {
        'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
        'content-security-policy': csp,
      });
      response.end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close };
}

/** A module of `tests/browser/pages/` with all its imports except Hornbook, in one file. */
export async function bundled(name) {
  const { outputFiles } = await build({
    entryPoints: [join(PAGES, name)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    external: ['/hornbook/*'],
    loader: { '.css': 'empty' },
  });
  return outputFiles[0].text;
}

/** An empty page with the official client and the code that the tests drive. */
export const PAGE =
  '<!doctype html><title>test</title><link rel="icon" href="data:,"><script type="module" src="/agent.js"></script>';

/** A server with the package under `/hornbook/`, and {@link PAGE}. */
export async function servePackage(options = {}) {
  const files = {
    '/index.html': PAGE,
    '/agent.js': await bundled('agent.mjs'),
    ...options.files,
  };
  return serve({ ...options, files, directories: { '/hornbook/': PKG, ...options.directories } });
}

/**
 * The switches that Debian's Chromium is started with. WebAssembly is not compiled again for speed, which costs a page that
 * lives for seconds more than it gains.
 */
export const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--liftoff-only',
];

/** Debian's Chromium with additional switches; or Firefox, if the variable `TEST_BROWSER` is `firefox`. */
export const launch = (switches = []) =>
  process.env.TEST_BROWSER === 'firefox'
    ? launchFirefox()
    : chromium.launch({
        executablePath: chromiumPath(),
        args: [...SWITCHES, ...switches],
      });

/** Debian's Firefox. */
export const FIREFOX = process.env.FIREFOX || '/usr/bin/firefox-esr';

/**
 * Firefox by WebDriver BiDi. It does not know yet the command with which Playwright sets the colour scheme of each new
 * context, so that command is answered here, and all pages have the browser's own scheme. `settings` are those of
 * `about:config`.
 */
export async function launchFirefox(scheme = 'light', settings = {}) {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: FIREFOX,
    firefoxUserPrefs: { 'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1, ...settings },
  });
  const { _browserSession: session } = browser._connection.toImpl(browser);
  const { send } = session;
  session.send = (method, ...rest) =>
    method === 'emulation.setMediaFeaturesOverride' ? {} : send.call(session, method, ...rest);
  return browser;
}

/** A page at an address; `faults` lists what went wrong in it: uncaught errors and violations of its policy. */
export async function visit(context, address) {
  const page = await context.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(address);
  await page.waitForFunction(() => window.ready);
  return Object.assign(page, { faults });
}

/** Checks that nothing went wrong in the page. */
export const assertSound = (page) => assert.deepEqual(page.faults, []);
