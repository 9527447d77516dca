// The WebAssembly module: instances of it, memory, errors. The rest of the package calls its functions (web/module) by
// `call`, which knows what a failure is.
import { StijlError, tell } from './error.js';

const codes =
  ['OK', 'OUT_OF_MEMORY', 'INVALID_ARGUMENT', 'INVALID_STATE', 'MALFORMED', 'UNSUPPORTED', 'LIMIT', 'REFUSED',
  'IO', 'DEVICE', 'CANCELLED'];

const levels = ['warning', 'debug', 'notice'];

const utf8 = new TextEncoder();
const text = new TextDecoder();
const PAGE = 65536;
const FIRST_PAGES = 256;  // pages of 64 KiB, as in web/meson.build
const MAX_BYTES = 2 ** 31;

// Returns the few calls of WASI that the C library makes: a clock, randomness, and its standard output, which is thrown
// away.
function systemCalls(machine, view) {
  const BADF = 8;
  return {
    environ_get: () => 0,
    environ_sizes_get(count, bytes) {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    clock_time_get(clock, precision, time) {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(time, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    fd_close: () => BADF,
    fd_fdstat_get: () => BADF,
    fd_seek: () => BADF,
    fd_write: () => BADF,
    proc_exit(status) {
      throw new WebAssembly.RuntimeError(`stijl ended itself with ${status}`);
    },
    random_get(address, bytes) {
      const random = machine.random(new Uint8Array(bytes));  // an array of its own, since shared memory is refused
      new Uint8Array(view().buffer).set(random, address);
      return 0;
    },
  };
}

/** Tells whether a compiled module needs shared memory, and so can draw on helpers' threads. */
export const isShared = (module) => WebAssembly.Module.exports(module).some((one) => one.name === 'stijl_wasi_help');

/** Reads and compiles. `source` is a URL, bytes, a Response or a module. */
export async function compile(machine, source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) source = await machine.read(source);
  // Bytes are seen first, since in Node to look for Response loads all of fetch(), 15 ms.
  const isData = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  if (isData || typeof Response === 'undefined' || !(source instanceof Response)) return WebAssembly.compile(source);
  if (!source.ok) throw new StijlError('IO', `${source.url}: ${source.status} ${source.statusText}`);
  // While it comes, if its server tells what it is.
  if (WebAssembly.compileStreaming && source.headers.get('Content-Type') === 'application/wasm')
    return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(await source.arrayBuffer());
}

function bytesOf(data) {
  if (typeof data === 'string') return utf8.encode(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('a string, an ArrayBuffer or a view of one is wanted');
}

/**
 * Returns the function of a URL that gives what a document refers to: `files` or, where that is an object, what it has
 * by this name. undefined is not known, null is refused.
 */
export const giverOf = (files) =>
    (typeof files === 'function' ? files : (url) => (files && Object.hasOwn(files, url) ? files[url] : undefined));

// Returns what is thrown where JavaScript makes no number of a value.
const noNumber = (error) => new StijlError('INVALID_ARGUMENT', `a number is wanted: ${error.message}`);

const REFUSED = codes.indexOf('REFUSED'), UNKNOWN = codes.indexOf('UNSUPPORTED'),
      NO_MEMORY = codes.indexOf('OUT_OF_MEMORY');

export class Module {
  readers = new Map();  // by their numbers, what gives the files of documents
  #readers = 0;

  // This is the first instance on its memory; helpers have others.
  constructor(machine, module, { maxMemory = MAX_BYTES, log, parts }) {
    this.module = module;
    this.parts = parts;
    this.shared = isShared(module);
    this.broken = null;
    const maximum = Math.min(Math.max(Math.ceil(maxMemory / PAGE), FIRST_PAGES), MAX_BYTES / PAGE);
    this.memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: this.shared });
    this.exports = Module.instantiate(machine, module, this.memory, parts, {
      view: () => this.view(),
      log: (level, address, length) => tell(log, levels[level] ?? 'debug', this.text(address, length)),
      read: (number, address, length, found) => this.#read(this.readers.get(number), this.text(address, length), found),
      fail: (message) => {
        this.broken = message;
        this.renewable = true;  // the fault is not in what was asked for
        throw new StijlError('IO', message);
      },
    });
    this.exports._initialize();
    this.check(this.exports.start());
  }

  /** Returns the exports of a new instance. */
  static instantiate(machine, module, memory, parts, {view, log, read = () => REFUSED, fail}) {
    const {exports} = new WebAssembly.Instance(module, {
      env: {memory},
      stijl: {log, read},
      wasi_snapshot_preview1: systemCalls(machine, view),
      ...parts.imports(() => exports, fail)
    });
    return exports;
  }

  /** Notes what gives the files of a document. Returns a number for the module, 0 for none. */
  addReader(files) {
    if (!files) return 0;
    this.readers.set(++this.#readers, {give: giverOf(files)});
    return this.#readers;
  }
  #read(reader, url, found) {
    let file;
    try {
      file = reader.give(url);
      if (file != null) file = bytesOf(file);
    } catch (error) {
      reader.thrown ??= {error};  // nothing may be thrown through the module
      return REFUSED;
    }
    if (!file) return file === null ? REFUSED : UNKNOWN;
    const address = this.exports.alloc(file.length) >>> 0;
    if (!address) return NO_MEMORY;
    this.bytes(address, file.length).set(file);
    this.words(found, 2).set([address, file.length]);
    return 0;
  }

  view() {
    if (this.data?.buffer !== this.memory.buffer) this.data = new DataView(this.memory.buffer);
    return this.data;
  }
  bytes(address, count) { return new Uint8Array(this.memory.buffer, address >>> 0, count); }
  floats(address, count) { return new Float32Array(this.memory.buffer, address >>> 0, count); }
  doubles(address, count) { return new Float64Array(this.memory.buffer, address >>> 0, count); }
  words(address, count) { return new Uint32Array(this.memory.buffer, address >>> 0, count); }

  /** Returns the text at an address: `length` bytes, or up to the NUL. */
  text(address, length) {
    address >>>= 0;
    if (!address) return '';
    if (length === undefined) length = new Uint8Array(this.memory.buffer).indexOf(0, address) - address;
    return text.decode(this.bytes(address, length).slice());  // a copy, since decoders do not take shared memory
  }

  /** Throws unless the result of a call is good. */
  check(result) {
    if (result) throw this.error(result);
  }
  error(result, message) {
    message ||= this.text(this.exports.message()) || this.text(this.exports.result_text(result));
    return new StijlError(codes[result] ?? 'UNKNOWN', message);
  }
  /** Returns a new object's address; throws the library's error if it could not be made. */
  made(address) {
    if (!address) throw this.error(this.exports.last());
    return address;
  }

  // Runs a call. One that traps, or runs out of the machine's stack, leaves the module in an unknown state, so nothing
  // more is done with it.
  run(name, ...values) {
    if (this.broken) throw new StijlError('INVALID_STATE', `stijl cannot be used any more: ${this.broken}`);
    try {
      return this.exports[name](...values);
    } catch (error) {
      if (error instanceof StijlError) throw error;
      // No number was made of a value: the call did not begin, so the module is as it was.
      if (error instanceof TypeError) throw noNumber(error);
      this.broken = error.message;
      const deep = error instanceof RangeError;
      throw new StijlError(deep ? 'LIMIT' : 'INVALID_STATE',
        deep ? 'the input is nested too deeply for the stack of this machine' : error.message);
    }
  }

  alloc(bytes) {
    const address = bytes <= MAX_BYTES ? this.run('alloc', bytes) >>> 0 : 0;  // more would be taken for less
    if (!address) throw new StijlError('OUT_OF_MEMORY', 'out of memory');
    return address;
  }
  free(address) { if (!this.broken) this.exports.free(address); }

  /**
   * Lends a document or a style sheet. A string is text already, so a mark says UTF-8 and overrules what it declares;
   * bytes are of the encoding that they declare.
   */
  lendSource(source, use) {
    return this.lend(source, use, typeof source === 'string' && source[0] !== '\ufeff' ? [0xef, 0xbb, 0xbf] : []);
  }

  /**
   * Calls `use(address, bytes)` with the data, or the text as UTF-8, in the module's memory, behind `mark`; a NUL
   * follows.
   */
  lend(data, use, mark = []) {
    data = bytesOf(data);
    const count = mark.length + data.length, address = this.alloc(count + 1);
    try {
      const place = this.bytes(address, count + 1);
      place.set(mark);
      place.set(data, mark.length);
      place[count] = 0;
      return use(address, count);
    } finally {
      this.free(address);
    }
  }

  /** Puts lists of floats into memory for one call, and returns their addresses, 0 for absent ones. */
  put(...lists) {
    const count = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
    if (count > (this.room ?? 0)) {
      const room = Math.max(256, 2 * count);
      this.free(this.place ?? 0);
      this.place = this.room = 0;  // as long as there is no memory for more
      this.place = this.alloc(room * 4);
      this.room = room;
    }
    let at = this.place;
    return lists.map((list) => {
      if (!list?.length) return 0;
      try {
        this.floats(at, list.length).set(list);
      } catch (error) {
        throw error instanceof TypeError ? noNumber(error) : error;
      }
      at += list.length * 4;
      return at - list.length * 4;
    });
  }

  /** Returns the address where calls leave results of more than one number. */
  scratch() { return this.exports.scratch(0) >>> 0; }
}
