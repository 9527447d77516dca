// openWorker() in Node and Bun.
import { Worker } from 'node:worker_threads';
import { nodeFiles, found } from './files-node.js';
import { threadFiles } from './files-threads.js';
import { installed, node } from './machine-node.js';
import { StijlWorker, opener } from './worker-client.js';

export { StijlWorker };

/** Tells whether several threads may share memory here: always. */
export const canShare = () => true;

function startWorker({ received, failed }, start) {
  const worker = start ? start() :
    new Worker(installed('worker-main-node.js', new URL('./worker-main-node.js', import.meta.url)));
  worker.on('message', received);
  worker.on('error', failed);
  worker.on('exit', (code) => failed({ message: `it ended itself with ${code}` }));
  worker.unref();
  return { post: (message, transfer) => worker.postMessage(message, transfer), end: () => worker.terminate(),
    ref: () => worker.ref(), unref: () => worker.unref() };
}

const places = { ...nodeFiles, ...found(threadFiles),
  webgpu: () => installed('webgpu.js', new URL('./webgpu.js', import.meta.url)) };
/** Starts a worker (worker-client.js, `opener`). */
export const openWorker = opener(node, places, canShare, startWorker);
