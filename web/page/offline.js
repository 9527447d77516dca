// The service worker. It keeps the page's files for when there is no network, and serves them with the headers that
// isolate the page, so that threads may share memory even where the server does not send these.
const NAME = 'stijl-9';
const parts = ['documents', 'encoders', 'images', 'fonts', 'scripts', 'programs', 'shapes'];
const scripts =
  ['worker', 'worker-main', 'helper', 'webgpu', 'lab', 'lab-bench', 'lab-page', 'lab-shaders', 'lab-told', 'error'];
const files = ['./', './page.css', './page.js', './draw.js', './fonts.js', './lab.js', './match.js', './icon.svg',
  './sample.svg', './NOTICE',
  ...scripts.map((name) => `./stijl/${name}.js`),
  './stijl/lab.wasm', ...['stijl', 'stijl-threads'].flatMap(
    (name) => [`./stijl/${name}.wasm`, ...parts.map((part) => `./stijl/${name}-${part}.wasm`)])];

addEventListener('install',
  (event) => event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(files)).then(() => skipWaiting())));
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
