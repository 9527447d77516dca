// The parts of the module (docs/browser.md, "Parts"): what few documents need is in modules of its own, which use the
// memory and the table of the first one. One is loaded when the first of its functions is called. That call cannot
// wait, so the part is read and compiled synchronously, unless it has been fetched before.
import { compile } from './module.js';

/** The names of all parts that there may be. */
export const partNames = ['documents', 'encoders', 'images', 'fonts', 'scripts', 'programs', 'shapes'];

const TRIES = 3;  // to read a part, since what carries it may fail for a moment

/**
 * Reads the section "parts" of a module: which build it is of, the names of its parts, and the places in the table that
 * the functions of each have, like "5-7,9".
 */
function wanted(module) {
  const [section] = WebAssembly.Module.customSections(module, 'parts');
  const [name = 'stijl', build, ...parts] = section ? new TextDecoder().decode(section).split(' ') : [];
  const ranges = Object.fromEntries(parts.map((part) => part.split(':')));
  return { name, build, ranges, names: Object.keys(ranges) };
}

function* placesIn(ranges) {
  for (const range of ranges.split(',')) {
    const [first, last = first] = range.split('-').map(Number);
    for (let place = first; place <= last; place++) yield place;
  }
}

/**
 * Returns where each part of a module is, { name: place }, in a form that can be sent to workers. Parts are beside the
 * module if `source`, where that came from, is a URL; else where `files` say. `given` has the places of those that are
 * elsewhere.
 */
export function placesOf(machine, module, source, files, given = {}) {
  const { name, names } = wanted(module), beside = typeof source === 'string' || source instanceof URL;
  const place = (part) => {
    if (given[part]) return typeof given[part] === 'string' ? machine.url(given[part]) : given[part];
    return beside ? new URL(`${name}-${part}.wasm`, machine.url(source)) : files[`${name}-${part}`]?.() ?? null;
  };
  return Object.fromEntries(
    names.map((part) => [part, place(part)]).map(([part, at]) => [part, at instanceof URL ? at.href : at]));
}

export class Parts {
  #compiled;
  /** The names of the parts that have been needed. */
  loaded = new Set();
  constructor(machine, module, { places, compiled = new Map() }) {
    const { build, ranges, names } = wanted(module);
    Object.assign(this, { machine, build, ranges, names, places });
    this.#compiled = compiled;
  }

  /** Fetches and compiles parts, so that they are there when they are needed. */
  async fetch(names) {
    await Promise.all((names === true ? this.names : [...names]).map(async (name) => {
      if (this.names.includes(name) && !this.#compiled.has(name))
        this.#compiled.set(name, await compile(this.machine, this.places[name]));
    }));
  }

  /** Returns the names of the parts that could not be read by a call that needs them. */
  unreadable() {
    return this.names.filter((name) => typeof this.places[name] === 'string' &&
      !this.machine.canReadNow(new URL(this.places[name])));
  }

  #get(name) {
    const place = this.places[name];
    if (place instanceof WebAssembly.Module) return place;
    for (let tries = 1; !this.#compiled.has(name); tries++) {
      try {
        if (!place) throw new Error('nobody has told where it is');
        this.#compiled.set(name,
          new WebAssembly.Module(typeof place === 'string' ? this.machine.readNow(new URL(place)) : place));
      } catch (error) {
        if (typeof place !== 'string' || tries === TRIES) throw error;
      }
    }
    return this.#compiled.get(name);
  }

  /**
   * Returns the imports by which an instance calls functions of its parts. `exports()` returns the instance's exports.
   * `fail(message)` has to throw: it is called if a part cannot be loaded, after which the instance cannot be used.
   */
  imports(exports, fail) {
    return Object.fromEntries(this.names.map((part) => {
      let here = false;
      const load = () => {
        if (here) return;
        const { table, ...others } = exports();
        // The names of functions are their places in the table.
        const given = new Proxy({ table, ...others }, { get: (own, name) => own[name] ?? table.get(Number(name)) });
        try {
          new WebAssembly.Instance(this.#get(part), { [this.build]: given });
        } catch (error) {
          fail(`the part "${part}" of the module cannot be loaded: ${error.message}`);
        }
        here = true;
        this.loaded.add(part);
      };
      // The imports have no names: they are asked for in their order (WebAssembly JavaScript Interface, "read the
      // imports"). Each calls a place in the table, which is filled once its part is there.
      const next = placesIn(this.ranges[part]);
      return [part, new Proxy({}, { get: () => {
        const { value: place } = next.next();
        return (...values) => {
          load();
          return exports().table.get(place)(...values);
        };
      } })];
    }));
  }

  /** Returns what a worker needs for instances of its own. */
  data() { return { places: this.places, compiled: this.#compiled }; }
}
