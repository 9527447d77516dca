// run.mjs MODULE ARGUMENT...: runs a test program that was built for WebAssembly, in Node. STIJL_WASM_HELPERS: how many
// helpers (src/base/wasi/pthread.h) a module with shared memory is lent; by default 3.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

async function instantiate(module, memory, args, first) {
  const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '/': '/' }, returnOnExit: false });
  // Each in a function of its own: called directly, those of Node 20 crash once the memory has grown.
  const calls = Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...values) => call(...values)]);
  const { exports } =
    await WebAssembly.instantiate(module, { wasi_snapshot_preview1: Object.fromEntries(calls), env: { memory } });
  if (exports._start) process.exit(wasi.start({ exports }));  // a program in the usual form: Meson's own checks
  // Only the first instance runs the constructors.
  wasi.initialize({ exports: first ? exports : { memory: exports.memory } });
  return exports;
}

if (isMainThread) {
  const [file, ...args] = process.argv.slice(2);
  const module = await WebAssembly.compile(await readFile(file));
  const shared = WebAssembly.Module.imports(module).some((wanted) => wanted.kind === 'memory');
  const memory = shared ? new WebAssembly.Memory({ initial: 256, maximum: 32768, shared }) : undefined;
  const exports = await instantiate(module, memory, [file, ...args], true);
  for (let n = shared ? Number(process.env.STIJL_WASM_HELPERS ?? 3) : 0; n > 0; n--) {
    const helper =
      new Worker(new URL(import.meta.url), { workerData: { module, memory, stack: exports.stijl_wasi_stack() } });
    await new Promise((resolve) => helper.once('message', resolve));
  }
  process.exit(exports.__main_void());
} else {
  const { module, memory, stack } = workerData;
  const exports = await instantiate(module, memory, [], false);
  exports.__stack_pointer.value = stack;
  parentPort.postMessage('ready');
  exports.stijl_wasi_help();
}
