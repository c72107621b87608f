// Shows an offline page when a page can't be loaded without a connection. It caches that page's files and nothing else:
// no API responses and no pages, because those may belong to a signed-in user.
const CACHE = 'offline-1';
const FILES = ['/offline.html', '/offline.css', '/offline.js', '/favicon.svg'];

self.addEventListener('install', (event) => {
  // `reload` bypasses the browser's cache, so that a new worker keeps the new files.
  const files = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  // Preloading requests a page while the worker starts.
  event.waitUntil(Promise.all([deleteOldCaches(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { request, preloadResponse } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.mode === 'navigate') event.respondWith(orFromCache('/offline.html', preloadResponse, request));
  else if (origin === self.location.origin && FILES.includes(pathname)) {
    event.respondWith(orFromCache(pathname, undefined, request));
  }
});

async function orFromCache(file, preloaded, request) {
  try {
    return (await preloaded) ?? (await fetch(request));
  } catch {
    return (await caches.match(file)) ?? Response.error();
  }
}

async function deleteOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}
