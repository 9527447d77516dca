// The script of a thread in Node.
import { parentPort, workerData } from 'node:worker_threads';
import { help } from './help.js';
import { node } from './machine-node.js';

help(node, workerData, () => parentPort.postMessage('ready'));
