// A thread of the module: an instance of its own on the memory of the first one. It waits for work and never returns.
import { Module } from './module.js';
import { Parts } from './parts.js';

export function help(machine, { module, memory, stack, parts }, ready) {
  const exports = Module.instantiate(machine, module, memory, new Parts(machine, module, parts), {
    view: () => new DataView(memory.buffer),
    log() {},
    fail(message) { throw new Error(message); },
  });
  exports.__stack_pointer.value = stack;
  ready();
  exports.stijl_wasi_help();
}
