// What the command's lab knows of results and says of times (src/lab/expect.h, tell.h), in a module of its own
// (src/lab/web.c).
import { StijlError } from './error.js';
import { settled } from './settled.js';

const kinds = ['say', 'like', 'wrong'];  // as sj_lab_sentence_kind has them
const refused = () => 8;                 // no file is open

export class Told {
  #exports; #memory; #room; #bytes;
  constructor(exports) {
    exports._initialize();
    this.#exports = exports;
    this.#memory = exports.memory.buffer;  // which never grows
    this.#room = exports.room();
    this.#bytes = exports.room_bytes();
  }

  static async open() {
    const response = await fetch(settled(new URL('./lab.wasm', import.meta.url)));
    if (!response.ok) throw new StijlError('IO', `${response.url}: ${response.status} ${response.statusText}`);
    const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(),
      { wasi_snapshot_preview1: { fd_close: refused, fd_seek: refused, fd_write: refused } });
    return new Told(instance.exports);
  }

  #view(Type, count) { return new Type(this.#memory, this.#room, count); }

  // Calls `use(first, count)` for pieces of as many rows as there is room for.
  #pieces(rows, row, use) {
    const most = Math.floor(this.#bytes / 4 / row);
    for (let first = 0; first < rows; first += most) use(first, Math.min(most, rows - first));
  }

  /** Counts what is wrong in a result, by a function that gets its rows, or (`row` 1) its words. */
  wrong(got, name, row, ...values) {
    let wrong = 0;
    this.#pieces(got.length / row, row, (first, count) => {
      this.#view(got.constructor, count * row).set(got.subarray(first * row, (first + count) * row));
      wrong += this.#exports[name](first, count, ...values) >>> 0;
    });
    return wrong;
  }

  /** Returns a factor of a product: `count` floats. */
  factor(count, second) {
    const all = new Float32Array(count);
    this.#pieces(count, 1, (first, part) => {
      this.#exports.factor(first, part, second ? 1 : 0);
      all.set(this.#view(Float32Array, part), first);
    });
    return all;
  }

  /**
   * Reports what a function says of times, { us, low, high } each (undefined: not measured), and of the numbers behind
   * them.
   */
  tell(report, name, times, numbers, ...values) {
    const all = [...times.flatMap((one) => [one?.us ?? NaN, one?.low ?? NaN, one?.high ?? NaN]), ...numbers];
    this.#view(Float64Array, all.length).set(all);
    this.#say(report, name, values);
  }
  #say(report, name, values) {
    const bytes = new Uint8Array(this.#memory, this.#exports[name](...values) >>> 0),
          text = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    for (const line of text.split('\n').filter(Boolean)) report[kinds[line[0]]](line.slice(1));
  }

  /** Reports how many results are contracted, and returns that for each expression. */
  contraction(report, got) {
    this.#view(Float32Array, got.length).set(got);
    this.#say(report, 'tell_contraction', [got.length / 4]);
    return [...this.#view(Uint32Array, 4)];
  }
}
