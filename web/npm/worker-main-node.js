// The script of a worker in Node.
import { Worker, parentPort } from 'node:worker_threads';
import { node } from './machine-node.js';
import { serve } from './worker-calls.js';

const startHelper = (data) => new Promise((resolve, reject) => {
  const helper = new Worker(new URL('./helper-node.js', import.meta.url), { workerData: data });
  helper.once('message', resolve);
  helper.once('error', reject);
});

parentPort.on('message',
  serve({ machine: node, startHelper, post: (message, transfer) => parentPort.postMessage(message, transfer) }));
