// Caches the files of the page, and serves them without a network. Nothing else passes through here. The worker that
// calls a model endpoint gets the policy for its address, as from scripts/page.mjs.
const VERSION = __VERSION__;
const FILES = __FILES__;
const CACHE = `hornbook-${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('activate', (event) => {
  const old = async () => {
    for (const name of await caches.keys())
      if (name.startsWith('hornbook-') && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(old());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const url = new URL(request.url);
  const answer = async () => {
    const found = await caches.match(request, { ignoreSearch: true, cacheName: CACHE });
    if (!found) return fetch(request);
    if (!/\/endpoint-worker-[\w-]+\.js$/.test(url.pathname)) return found;
    const origin = url.searchParams.get('origin') ?? '';
    const headers = new Headers(found.headers);
    const reached = /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin) ? origin : "'none'";
    headers.set('content-security-policy', `default-src 'none'; connect-src ${reached}`);
    return new Response(found.body, { status: 200, headers });
  };
  event.respondWith(answer());
});
