// Draws in a worker, where hostile input can do no harm: it may take the memory and the time that it is given.
// Exceeding these, or breaking the module, costs that worker alone. Results are transferred and not copied.
import { StijlError, compile } from './index.js';
import { nodeModule, placesOf } from './parts.js';

const node = await nodeModule('worker_threads');
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

// How long a call may exceed its time before the worker is ended; the library itself looks at the clock, too.
const GRACE_SECONDS = 2;
const GPU_SECONDS = 180;  // a software device's compiler has taken more than 60 on a busy machine of two cores

/** Tells whether several threads may share memory here: always in Node; in pages that are cross-origin isolated. */
export const canShare = () => node !== null || globalThis.crossOriginIsolated === true;

export class StijlWorker {
  #options;
  #worker;
  #ready;
  #waiting = new Map();  // by the number of the call
  #count = 0;
  #generation = 0;  // of workers
  #last = Promise.resolve();
  #closed = false;

  constructor(options) {
    this.#options = { ...options, fonts: [] };
    this.#start();
  }

  /** Resolves to { isa, threads, version } once the worker can draw. */
  get ready() { return this.#ready; }

  #start() {
    this.#generation++;
    const worker = node ? new node.Worker(new URL('./worker-main.js', import.meta.url))
      : new Worker(new URL('./worker-main.js', import.meta.url), { type: 'module' });
    const received = ({ number, result, error }) => {
      if (worker !== this.#worker) return;  // that worker has been ended
      const job = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (!error) return job.resolve(result);
      job.reject(new StijlError(error.code, error.message));
      if (error.broken) this.#end(new StijlError('INVALID_STATE', 'the worker was started anew'));
    };
    const failed = (error) => {
      if (worker === this.#worker) this.#end(new StijlError('DEVICE', `the worker failed: ${error.message ?? 'it did not start'}`));
    };
    if (node) {
      worker.on('message', received);
      worker.on('error', failed);
      worker.unref();
    } else {
      worker.onmessage = (event) => received(event.data);
      worker.onerror = failed;
    }
    this.#worker = worker;
    this.#ready = this.#post('start', this.#options, []);
    this.#ready.catch(() => {});  // those who wait for it are told
  }

  #post(call, argument, transfer) {
    return new Promise((resolve, reject) => {
      const number = ++this.#count;
      this.#waiting.set(number, { resolve, reject });
      this.#worker.ref?.();  // Node keeps running while an answer is waited for
      this.#worker.postMessage({ number, call, argument }, transfer);
    }).finally(() => { if (this.#waiting.size === 0) this.#worker.unref?.(); });
  }

  // Ends the worker, whatever it does, and starts another one.
  #end(error) {
    this.#worker.terminate();
    const jobs = [...this.#waiting.values()];
    this.#waiting.clear();
    if (!this.#closed) this.#start();
    for (const job of jobs) job.reject(error);
  }

  // Calls wait for each other.
  #call(call, argument, { signal, transfer = [] } = {}) {
    const run = async () => {
      if (this.#closed) throw new StijlError('INVALID_STATE', 'the worker has been closed');
      if (signal?.aborted) throw new StijlError('CANCELLED', 'cancelled');
      await this.#ready;
      const seconds = argument.maxSeconds ?? this.#options.maxSeconds;
      const late = setTimeout(() => this.#end(new StijlError('LIMIT', `it takes longer than max_seconds (${seconds})`)), (seconds + GRACE_SECONDS) * 1000);
      const abort = () => this.#end(new StijlError('CANCELLED', 'cancelled'));
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await this.#post(call, argument, transfer);
      } finally {
        clearTimeout(late);
        signal?.removeEventListener('abort', abort);
      }
    };
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Prepares drawing by WebGPU, which calls then ask for by `gpu: true`; in 180 s, if `maxSeconds` is not given. Returns { backend, adapter, reason }. */
  gpu({ signal, maxSeconds = GPU_SECONDS } = {}) { return this.#call('gpu', { maxSeconds }, { signal }); }

  /**
   * Adds font files, with which the documents of later calls are drawn. `families`: what generic ones stand for, such as
   * { serif: 'Noto Serif' }.
   */
  async addFonts(files, { families = {}, signal } = {}) {
    const given = { files: [...files], families };
    const result = await this.#call('addFonts', given, { signal });
    this.#options.fonts.push(given);  // for a worker that is started anew
    return result;
  }

  /** Draws SVG. */
  render(source, { signal, ...options } = {}) { return this.#call('render', { source, ...options }, { signal }); }

  /** Reads a document, to draw it many times. */
  async open(source, { signal, ...options } = {}) {
    const id = ++this.#count, facts = await this.#call('open', { id, source, ...options }, { signal });
    const generation = this.#generation;
    return {
      ...facts,
      draw: async ({ signal: stop, ...given }) => {
        if (generation !== this.#generation) throw new StijlError('INVALID_STATE', 'the worker was started anew: open the document again');
        return this.#call('draw', { id, ...given }, { signal: stop });
      },
      close: async () => { if (generation === this.#generation && !this.#closed) await this.#call('close', { id }); },
    };
  }

  /** Tells which selectors of the sheets, [{ name, text }], match which elements of a document. */
  match(source, { signal, ...options } = {}) { return this.#call('match', { source, ...options }, { signal }); }

  /** Ends the worker; calls that wait fail. */
  close() {
    this.#closed = true;
    this.#end(new StijlError('INVALID_STATE', 'the worker has been closed'));
  }
  [dispose]() { this.close(); }
}

/**
 * Starts a worker. `threads` may be more than one if memory can be shared. `maxSeconds` is for each call. `maxMemory` is how many bytes
 * the module may have, at least 64 MiB. `module` and `threadsModule` say where the modules are, if not beside this file; `parts` where
 * parts of the one that is used are, by their names.
 */
export async function openWorker({ module, threadsModule, parts, threads = 1, maxSeconds = 10, maxMemory = 2 ** 30, isa } = {}) {
  const several = threads > 1 && canShare();
  const given = several ? threadsModule : module;
  const compiled = await compile(given ?? (several ? new URL('./stijl-threads.wasm', import.meta.url) : new URL('./stijl.wasm', import.meta.url)));
  // The module is compiled once: a worker that is started anew gets it as it is.
  const worker = new StijlWorker({ module: compiled, parts: placesOf(compiled, given, parts), threads: several ? threads : 1, maxSeconds, maxMemory, isa });
  await worker.ready;
  return worker;
}
