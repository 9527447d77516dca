// Draws in a worker, where hostile input can do no harm: it may take the memory and the time that it is given.
// Exceeding these, or breaking the module, costs that worker alone. Results are transferred and not copied.
import { StijlError, tell } from './error.js';
import { registryOf } from './handle.js';
import { compile } from './module.js';
import { Parts, placesOf } from './parts.js';

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

// How long a call may exceed its time before the worker is ended; the library itself looks at the clock, too.
const GRACE_SECONDS = 2;
const MOST_MS = 2 ** 31 - 1;  // of timers
const GPU_SECONDS = 180;  // a software device's compiler has taken more than 60 on a busy machine of two cores

const forgotten = registryOf((close) => close());

export class StijlWorker {
  #options;
  #open;
  #worker = null;  // null: the next call starts one
  #ready;
  #log;
  #waiting = new Map();  // by the number of the call
  #count = 0;
  #generation = 0;  // of workers
  #last = Promise.resolve();
  #closed = false;

  // `open(handlers)` starts a worker and returns { post, end, ref, unref }.
  constructor({ log, ...options }, open) {
    this.#open = open;
    this.#log = log;
    this.#options = { ...options, logs: Boolean(log), fonts: [] };
    this.#start();
  }

  /** Resolves to { isa, threads, version } once the worker can draw. */
  get ready() {
    if (!this.#worker && !this.#closed) this.#start();
    return this.#ready;
  }

  #start() {
    const received = ({ number, result, error, log }) => {
      if (worker !== this.#worker) return;  // that worker has been ended
      if (log) return tell(this.#log, ...log);
      const job = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (!error) return job.resolve(result);
      job.reject(new StijlError(error.code, error.message));
      if (error.broken) this.#end(new StijlError('INVALID_STATE', 'the worker was started anew'));
    };
    // No other worker is started before there is another call: what ends one by itself would end the next one, too.
    const failed = (error) => {
      const why = error.message || 'its script cannot be loaded';
      if (worker === this.#worker) this.#end(new StijlError('DEVICE', `the worker failed: ${why}`));
    };
    const worker = this.#open({ received, failed });
    this.#worker = worker;
    this.#ready = this.#post('start', this.#options, []);
    this.#ready.catch(() => {});  // those who wait for it are told
  }

  #post(call, argument, transfer) {
    return new Promise((resolve, reject) => {
      const number = ++this.#count;
      this.#waiting.set(number, { resolve, reject });
      this.#worker.ref();  // Node keeps running while an answer is waited for
      this.#worker.post({ number, call, argument }, transfer);
    }).finally(() => { if (this.#waiting.size === 0) this.#worker?.unref(); });
  }

  // Ends the worker, whatever it does. The next call starts another one.
  #end(error) {
    const worker = this.#worker, jobs = [...this.#waiting.values()];
    this.#worker = null;
    this.#generation++;
    this.#waiting.clear();
    worker?.end();
    for (const job of jobs) job.reject(error);
  }

  // Calls wait for each other.
  #call(call, argument, { signal, transfer = [] } = {}) {
    const seconds = argument.maxSeconds ?? this.#options.maxSeconds,
          stopped = () => new StijlError('CANCELLED', 'cancelled');
    const run = async () => {
      if (this.#closed) throw new StijlError('INVALID_STATE', 'the worker has been closed');
      if (signal?.aborted) throw stopped();
      if (!this.#worker) this.#start();
      await this.#ready;
      if (signal?.aborted) throw stopped();
      const late = setTimeout(() => this.#end(new StijlError('LIMIT', `it takes longer than max_seconds (${seconds})`)),
        Math.min((seconds + GRACE_SECONDS) * 1000, MOST_MS));
      const abort = () => this.#end(stopped());
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await this.#post(call, argument, transfer);
      } finally {
        clearTimeout(late);
        signal?.removeEventListener('abort', abort);
      }
    };
    if (!(typeof seconds === 'number' && seconds >= 0))
      return Promise.reject(new StijlError('INVALID_ARGUMENT', `maxSeconds (${seconds}) is no number from 0 on`));
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    if (!signal) return result;
    // A call that still waits for others has nothing to end in the worker, and ends at once.
    let leave;
    const left = new Promise((_, reject) => { leave = () => reject(stopped()); });
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    return Promise.race([result, left]).finally(() => signal.removeEventListener('abort', leave));
  }

  /**
   * Prepares drawing by WebGPU, which calls then ask for by `gpu: true`; in 180 s, if `maxSeconds` is not given.
   * Returns { backend, adapter, reason }.
   */
  gpu({ signal, maxSeconds = GPU_SECONDS } = {}) { return this.#call('gpu', { maxSeconds }, { signal }); }

  /**
   * Adds font files, with which the documents of later calls are drawn. `families`: what generic ones stand for, such
   * as { serif: 'Noto Serif' }.
   */
  async addFonts(files, { families = {}, signal } = {}) {
    const given = { files: [...files], families };
    const result = await this.#call('addFonts', given, { signal });
    this.#options.fonts.push(given);  // for a worker that is started anew
    return result;
  }

  /** Tells which families of fonts are there: { families }. */
  families({ signal } = {}) { return this.#call('families', {}, { signal }); }

  /** Draws SVG. */
  render(source, { signal, ...options } = {}) { return this.#call('render', { source, ...options }, { signal }); }

  /** Reads a document, to draw it many times. */
  async open(source, { signal, ...options } = {}) {
    const id = ++this.#count, facts = await this.#call('open', { id, source, ...options }, { signal });
    const generation = this.#generation;
    const close = async () => {
      if (generation === this.#generation && !this.#closed) await this.#call('close', { id });
    };
    const document = {
      ...facts,
      draw: async ({ signal: stop, ...given }) => {
        if (generation !== this.#generation)
          throw new StijlError('INVALID_STATE', 'the worker was started anew: open the document again');
        return this.#call('draw', { id, ...given }, { signal: stop });
      },
      close,
    };
    // The worker cannot see whether anyone still holds the document.
    forgotten.register(document, () => close().catch(() => {}));
    return document;
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

// Starts a worker before it is known what it gets, so that its script comes while the module does. `take(handlers)`
// returns it, once.
function startEarly(startWorker, start) {
  let handlers = null, failure = null;
  let worker = startWorker({
    received: (message) => handlers?.received(message),
    failed: (error) => (handlers ? handlers.failed(error) : (failure ??= error)),
  }, start);
  return {
    take(given) {
      const taken = worker;
      worker = null;
      if (taken) handlers = given;
      if (taken && failure) queueMicrotask(() => given.failed(failure));
      return taken;
    },
    end: () => worker?.end(),
  };
}

/**
 * Returns openWorker(), which starts a worker. It takes what load() takes, and: `threads` may be more than one if
 * memory can be shared. `maxSeconds` is for each call. `maxMemory` is how many bytes the module may have, at least 16
 * MiB. `module` and `threadsModule` say where the modules are; `parts` where parts of the one that is used are, by
 * their names. `ahead` names parts that are fetched now, for every worker that is started. `worker`: a function that
 * starts worker-main.js itself. `machine` and `files` are as for loader() (library.js); files.webgpu() tells where
 * webgpu.js is.
 */
export const opener = (machine, files, canShare, startWorker) => async (
  { module, threadsModule, parts, ahead = [], log, threads = 1, maxSeconds = 10, maxMemory = 2 ** 30, isa,
    worker: start } = {}) => {
  const several = threads > 1 && canShare(), given = several ? threadsModule : module,
        first = startEarly(startWorker, start);
  let worker;
  try {
    const compiled = await compile(machine, given ?? files[several ? 'stijl-threads' : 'stijl']());
    const all = new Parts(machine, compiled, { places: placesOf(machine, compiled, given, files, parts) });
    await all.fetch(ahead);
    let webgpu;
    try { webgpu = files.webgpu().href; } catch {}  // in a bundle without import.meta there is none
    // The module is compiled once: a worker that is started anew gets it, and parts that were fetched, as they are.
    const places = { ...all.places, ...Object.fromEntries(all.data().compiled) };
    worker = new StijlWorker(
      { module: compiled, parts: places, log, threads: several ? threads : 1, maxSeconds, maxMemory, isa, webgpu },
      (handlers) => first.take(handlers) ?? startWorker(handlers, start));
    await worker.ready;
    return worker;
  } catch (error) {
    first.end();
    worker?.close();
    throw error;
  }
};
