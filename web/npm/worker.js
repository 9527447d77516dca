// openWorker() in pages and Deno; worker-node.js is the same for Node.
import { files } from './files.js';
import { threadFiles } from './files-threads.js';
import { web } from './machine-web.js';
import { settled } from './settled.js';
import { startScript } from './start.js';
import { StijlWorker, opener } from './worker-client.js';

export { StijlWorker };

/** Tells whether several threads may share memory here: in pages that are cross-origin isolated. */
export const canShare = () => globalThis.crossOriginIsolated === true;

const bundled = () => new Worker(new URL('./worker-main.js', import.meta.url), { type: 'module' });

function startWorker({ received, failed }, start) {
  const worker = start ? start() :
    startScript({ here: import.meta.url, self: 'worker.js', name: './worker-main.js', bundled });
  worker.onmessage = (event) => received(event.data);
  worker.onerror = failed;
  return { post: (message, transfer) => worker.postMessage(message, transfer), end: () => worker.terminate(), ref() {},
    unref() {} };
}

const places = { ...files, ...threadFiles, webgpu: () => settled(new URL('./webgpu.js', import.meta.url)) };
/** Starts a worker (worker-client.js, `opener`). */
export const openWorker = opener(web, places, canShare, startWorker);
