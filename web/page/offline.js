// The service worker. It keeps the page's files for when there is no network, and serves them with the headers that
// isolate the page, so that threads may share memory even where the server does not send these.
const NAME = 'stijl-5';
const parts = ['jpeg', 'webp', 'images', 'encode', 'woff2', 'fonts', 'variable', 'scripts', 'unicode', 'languages', 'lines', 'blends', 'messages', 'doctype', 'gzip', 'encodings', 'sheets', 'animation', 'atrules', 'query', 'gpu', 'saved', 'scalar'];
const files = ['./', './page.css', './page.js', './draw.js', './fonts.js', './lab.js', './match.js', './icon.svg', './sample.svg', './NOTICE', './stijl/index.js', './stijl/handle.js',
  './stijl/filter.js', './stijl/fonts.js', './stijl/module.js', './stijl/parts.js', './stijl/part-urls.js', './stijl/webgpu.js', './stijl/lab.js',
  './stijl/lab-bench.js', './stijl/lab-page.js', './stijl/worker.js', './stijl/worker-main.js', './stijl/helper.js',
  ...['stijl', 'stijl-threads'].flatMap((name) => [`./stijl/${name}.wasm`, ...parts.map((part) => `./stijl/${name}-${part}.wasm`)])];

addEventListener('install', (event) => event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(files)).then(() => skipWaiting())));
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
  await clients.claim();
})()));

const isolated = (response) => {
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

// The network is asked first, so that a new version is seen at once.
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    try {
      const response = await fetch(request);
      if (response.ok && response.type === 'basic') (await caches.open(NAME)).put(request, response.clone());
      return response.ok && response.type === 'basic' ? isolated(response) : response;
    } catch (error) {
      const kept = await caches.match(request, { ignoreSearch: true });
      if (!kept) throw error;
      return isolated(kept);
    }
  })());
});
