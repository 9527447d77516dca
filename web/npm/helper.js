// A thread of the module: an instance of its own on the memory of the first, that waits for work and never returns.
import { Module, nodeModule } from './module.js';

const node = await nodeModule('worker_threads');

function help({ module, memory, stack }) {
  const { exports } = new WebAssembly.Instance(module, Module.imports(() => new DataView(memory.buffer), memory, () => {}));
  exports.__stack_pointer.value = stack;
  (node ? node.parentPort : globalThis).postMessage('ready');
  exports.stijl_wasi_help();
}

if (node) help(node.workerData);
else globalThis.onmessage = (event) => help(event.data);
