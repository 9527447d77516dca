// A thread of the module: an instance of its own on the memory of the first one. It waits for work and never returns.
import { Module } from './module.js';
import { Parts, nodeModule } from './parts.js';

const node = await nodeModule('worker_threads');

function help({ module, memory, stack, parts }) {
  const exports = Module.instantiate(module, memory, new Parts(module, parts), {
    view: () => new DataView(memory.buffer),
    log() {},
    fail(message) { throw new Error(message); },
  });
  exports.__stack_pointer.value = stack;
  (node ? node.parentPort : globalThis).postMessage('ready');
  exports.stijl_wasi_help();
}

if (node) help(node.workerData);
else globalThis.onmessage = (event) => help(event.data);
