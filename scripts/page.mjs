// Serves the playground, and the documentation under /docs/: files of this machine, and nothing else.
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ROOT } from './steps.mjs';

const PAGE = join(ROOT, 'target', 'playground');
const DOCS = join(ROOT, 'target', 'docs');

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Kinds of files that become shorter when compressed. */
const TEXT = /^(text\/|image\/svg|application\/(wasm|json|javascript|manifest))/;
const compressed = promisify(gzip);
/** Compressed files of this size or more are kept, so that each is compressed once. */
const KEPT = 1 << 16;
const kept = new Map();

/**
 * The file for a path of the page, or `undefined` if the path names none: nothing outside of the two folders, on any
 * system.
 */
export function fileOf(path, page, docs) {
  const isPlain = path.startsWith('/') && !/[\\:\0]/.test(path) && !path.split('/').includes('..');
  if (!isPlain) return undefined;
  const file = path.endsWith('/') ? `${path}index.html` : path;
  const [folder, name] = file.startsWith('/docs/') ? [docs, file.slice(6)] : [page, file];
  const found = join(folder, name);
  return found.startsWith(folder + sep) ? found : undefined;
}

/** The URL that a request names; `undefined` if it names none. */
function urlOf({ url }) {
  try {
    const parsed = new URL(`http://page${url}`);
    return { url: parsed, path: decodeURIComponent(parsed.pathname) };
  } catch {
    return undefined;
  }
}

/** Whether a request names this machine: another name could be that of a page that was made to point here. */
const isHere = ({ headers: { host = '' } }) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host);

/** A file's contents, compressed if the browser takes that. */
async function bodyOf(file, type, request) {
  const body = await readFile(file);
  if (!TEXT.test(type) || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return { body };
  const { mtimeMs, size } = await stat(file);
  const key = `${file} ${mtimeMs} ${size}`;
  const encoded = kept.get(key) ?? (await compressed(body));
  if (body.length >= KEPT) kept.set(key, encoded);
  return { body: encoded, encoding: { 'content-encoding': 'gzip' } };
}

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
export async function servePage(port, page = PAGE, docs = DOCS) {
  const server = createServer(async (request, response) => {
    const refuse = (status, text) => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(text);
    };
    if (!isHere(request)) return refuse(403, 'This server is localhost, and nothing else.\n');
    const asked = urlOf(request);
    const file = asked && fileOf(asked.path, page, docs);
    try {
      if (!file) throw new Error('no file of the page');
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      const { body, encoding } = await bodyOf(file, type, request);
      // Only files with a content hash in their name are cached without revalidation.
      const isHashed = /^\/(docs\/)?assets\//.test(asked.path);
      response.writeHead(200, {
        'content-type': type,
        'content-length': body.length,
        'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
        ...encoding,
        ...endpointPolicy(asked.url),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch {
      refuse(404, 'There is no such file.\n');
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
