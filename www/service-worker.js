// Keeps what the page is made of, and gives it without a network. Nothing else passes through here.
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
  const answer = async () => (await caches.match(request, { ignoreSearch: true, cacheName: CACHE })) ?? fetch(request);
  event.respondWith(answer());
});
