// What the classes of the package are made of: handles of objects in the module, and conversions of arguments.
import { StijlError } from './error.js';

// These are in the order of the C enums (tests/wasm/npm.test.mjs compares them with the headers).
export const enums = {
  isa: ['auto', 'scalar', 'sse', 'avx2', 'avx512', 'neon', 'wasm'],
  format: ['rgba8', 'bgra8', 'rgba8-straight', 'bgra8-straight', 'a8'],
  paint: ['solid', 'linear', 'radial', 'sweep', 'image'],
  spread: ['pad', 'repeat', 'reflect', 'none'],
  sampling: ['nearest', 'bilinear', 'bicubic'],
  fillRule: ['nonzero', 'evenodd'],
  cap: ['butt', 'round', 'square'],
  join: ['miter', 'round', 'bevel', 'miter-clip'],
  blend: ['normal', 'multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light',
    'soft-light', 'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity', 'plus-lighter'],
  mask: ['alpha', 'luminance', 'luminance-linear'],
  extent: ['empty', 'bounded', 'infinite'],
  origin: ['user-agent', 'user', 'author'],
  svgKind: ['group', 'shape', 'image', 'text'],
  svgBox: ['object', 'stroke', 'layer'],
  filterEdge: ['none', 'duplicate', 'wrap'],
  filterOperator: ['over', 'in', 'out', 'atop', 'xor', 'lighter'],
  transfer: ['identity', 'table', 'discrete', 'linear', 'gamma'],
  channel: ['r', 'g', 'b', 'a'],
  light: ['distant', 'point', 'spot'],
  family: ['default', 'serif', 'sans-serif', 'cursive', 'fantasy', 'monospace'],
  fontHow: ['named', 'instead', 'fallback'],
  slant: ['normal', 'italic', 'oblique'],
  align: ['start', 'end', 'left', 'right', 'center', 'justify'],
  direction: ['auto', 'ltr', 'rtl'],
  verb: ['move', 'line', 'quad', 'cubic', 'close'],
};

export function numberOf(kind, word) {
  const number = enums[kind].indexOf(word);
  if (number < 0) throw new StijlError('INVALID_ARGUMENT', `"${word}" is no ${kind}: ${enums[kind].join(', ')}`);
  return number;
}

// Takes a DOMMatrix, [a, b, c, d, e, f] or { a, b, c, d, e, f }; undefined stands for the identity.
export function matrixOf(given) {
  if (given === undefined || given === null) return null;
  const list = Array.isArray(given) || ArrayBuffer.isView(given) ? given :
    [given.a, given.b, given.c, given.d, given.e, given.f];
  if (list.length !== 6 || !Array.prototype.every.call(list, (x) => typeof x === 'number'))
    throw new StijlError('INVALID_ARGUMENT', 'a matrix is six numbers: a, b, c, d, e, f');
  return list;
}

// An object in the module. It is destroyed once nothing is left of its handle and of the objects that need it: the
// garbage collector gives handles back in any order.
class Owned {
  #users = 1;
  constructor(module, destroy, address, needs) {
    Object.assign(this, { module, destroy, address, needs });
    for (const one of needs) one.#users++;
  }
  release() {
    if (--this.#users) return;
    if (this.destroy && !this.module.broken) {
      if (typeof this.destroy === 'function')
        this.destroy(this.address);
      else
        this.module.run(this.destroy, this.address);
    }
    for (const one of this.needs) one.release();
  }
}

/** A FinalizationRegistry; where there is none (workerd of 2024), nothing is given back by itself. */
export const registryOf = (call) =>
  (typeof FinalizationRegistry === 'undefined' ? { register() {}, unregister() {} } : new FinalizationRegistry(call));

const registry = registryOf((owned) => {
  try { owned.release(); } catch {}  // it fails if the module is broken, which the next call tells
});
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
export const key = Symbol('of this package');

export class Handle {
  #owned;
  /** Takes over an object. `needs`: handles of objects that have to outlive this one. */
  constructor(guard, module, destroy, address, needs = []) {
    if (guard !== key) throw new TypeError('objects are made by the functions of a loaded Stijl');
    this.module = module;
    this.#owned = new Owned(module, destroy, address, needs.map((handle) => handle.#owned));
    Object.defineProperty(this, 'module', { enumerable: false });
    registry.register(this, this.#owned, this);
  }
  /** Returns the object's address in the module. Throws once the object has been freed. */
  get address() {
    if (!this.#owned) throw new StijlError('INVALID_STATE', `this ${this.constructor.name} has been freed`);
    return this.#owned.address;
  }
  get freed() { return !this.#owned; }
  free() {
    if (!this.#owned) return;
    registry.unregister(this);
    const owned = this.#owned;
    this.#owned = null;
    owned.release();
  }
  [dispose]() { this.free(); }
}

// Objects that others hold on to are counted: images by the module, all others by Owned.
export const addressIn = (module, object, type) => {
  if (!(object instanceof type)) throw new StijlError('INVALID_ARGUMENT', `a ${type.name} is wanted`);
  if (object.module !== module) throw new StijlError('INVALID_ARGUMENT', `this ${type.name} belongs to another Stijl`);
  return object.address;
};

export function colorOf(module, color) {
  if (Array.isArray(color) || ArrayBuffer.isView(color)) return [color[0], color[1], color[2], color[3] ?? 1];
  if (typeof color !== 'string') throw new StijlError('INVALID_ARGUMENT', 'a colour is a text or [r, g, b, a], 0 to 1');
  const known = module.colors.get(color);
  if (known) return known;
  return module.lend(color, (at) => {
    const result = module.run('color_parse', at);
    if (result) throw module.error(result, `"${color}" is no colour`);
    const parsed = [...module.floats(module.scratch(), 4)];
    if (module.colors.size < 1000) module.colors.set(color, parsed);
    return parsed;
  });
}
