// Serves the playground, and the documentation under /docs/: files of this machine, and nothing else.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { ROOT } from './steps.mjs';

const PAGE = join(ROOT, 'target', 'playground');
const DOCS = join(ROOT, 'target', 'docs');

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/**
 * The policy of the worker that calls a model endpoint: it may reach the one origin named in its address. The page
 * itself may reach none.
 */
function endpointPolicy({ pathname, searchParams }) {
  if (!/\/endpoint-worker-[\w-]+\.js$/.test(pathname)) return {};
  const origin = searchParams.get('origin') ?? '';
  const reached = /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin) ? origin : "'none'";
  return { 'content-security-policy': `default-src 'none'; connect-src ${reached}` };
}

/**
 * Serve the page on a port of this machine, or on any free one if that is taken. Resolves with its address and `close`.
 */
export async function servePage(port) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://page');
    const path = decodeURIComponent(url.pathname);
    try {
      if (path.split('/').includes('..')) throw new Error('outside of the page');
      const file = path.endsWith('/') ? `${path}index.html` : path;
      const body = await readFile(file.startsWith('/docs/') ? join(DOCS, file.slice(6)) : join(PAGE, file));
      // Only files with a content hash in their name are cached without revalidation.
      const kept = /^\/(docs\/)?assets\//.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
      response.writeHead(200, {
        'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream',
        'cache-control': kept,
        'x-content-type-options': 'nosniff',
        ...endpointPolicy(url),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('There is no such file.\n');
    }
  });
  const listen = (wanted) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(port).catch(() => listen(0));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { address: `http://localhost:${server.address().port}/`, close };
}
