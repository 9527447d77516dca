// The script of a page's worker. It is delivered with what it imports, so that any address will do.
import { web } from './machine-web.js';
import { StijlError } from './error.js';
import { startScript } from './start.js';
import { serve } from './worker-calls.js';

const bundled = () => new Worker(new URL('./helper.js', import.meta.url), { type: 'module' });

const startHelper = (data) => new Promise((resolve, reject) => {
  const helper = startScript({ here: import.meta.url, self: 'worker-main.js', name: './helper.js', bundled });
  helper.onmessage = resolve;
  helper.onerror = (event) => reject(new StijlError('DEVICE', event.message ?? 'a helper did not start'));
  helper.postMessage(data);
});

const receive =
  serve({ machine: web, startHelper, post: (message, transfer) => globalThis.postMessage(message, transfer) });
globalThis.onmessage = (event) => receive(event.data);
