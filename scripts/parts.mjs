// The module in parts: what few documents need is in modules of its own, which the first call of a function in one
// loads (docs/browser.md, "Parts"). web/parts.txt has what is where; wasm-split (binaryen) moves the functions, on the
// memory and the table of the first module.
//
//   parts.mjs split MODULE MAP FOLDER    FOLDER/NAME.wasm and FOLDER/NAME-PART.wasm, of the module NAME.wasm, smaller
//
// MODULE is linked with --emit-relocs, which tell who refers to which data. MAP: what wasm-ld writes with -Map, where
// functions stand in the order of the module.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const CUSTOM = 0, IMPORT = 2, TABLE = 4, EXPORT = 7, ELEMENTS = 9, CODE = 10, DATA = 11;
const rules = readFileSync(new URL('../web/parts.txt', import.meta.url), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#')).map((line) => line.match(/^(\S+)\s+(.*)$/))
  .map(([, part, pattern]) => ({ part, pattern: new RegExp(pattern) }));
const parts = [...new Set(rules.map(({ part }) => part))].filter((part) => part !== 'main');
const partOf = (symbol) => rules.find(({ pattern }) => pattern.test(symbol))?.part ?? 'main';

// --- the binary format: WebAssembly Core, 5 ---

class Reader {
  constructor(bytes, at = 0) { this.bytes = bytes; this.at = at; }
  byte() { return this.bytes[this.at++]; }
  number() {
    let value = 0, shift = 0, byte;
    do {
      byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte & 128);
    return value;
  }
  signed() {
    let value = 0, shift = 0, byte;
    do {
      byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    return shift < 32 && byte & 64 ? value | -1 << shift : value;
  }
  take(count) { return this.bytes.subarray(this.at, this.at += count); }
}

function leb(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push(value % 128 | 128);
  return Buffer.from([...out, value]);
}
function signedLeb(value) {
  const out = [];
  for (; value < -64 || value > 63; value >>= 7) out.push(value & 127 | 128);
  return Buffer.from([...out, value & 127]);
}
const sized = (bytes) => Buffer.concat([leb(bytes.length), bytes]);

function sectionsOf(bytes) {
  const reader = new Reader(bytes, 8), sections = [];
  while (reader.at < bytes.length) {
    const id = reader.byte();
    sections.push({ id, bytes: reader.take(reader.number()) });
  }
  return sections;
}
const moduleOf = (header, sections) =>
  Buffer.concat([header.subarray(0, 8), ...sections.flatMap(({ id, bytes }) => [Buffer.from([id]), sized(bytes)])]);
const isNames = ({ id, bytes }) => id === CUSTOM && bytes.subarray(0, 5).equals(Buffer.from('\x04name'));

// Reads the imports: { module, name, kind, what }, where `what` is the bytes behind the kind.
function importsOf(sections) {
  const reader = new Reader(sections.find(({ id }) => id === IMPORT)?.bytes ?? Buffer.from([0])), imports = [];
  const limits = () => { for (let n = reader.byte() & 1 ? 2 : 1; n > 0; n--) reader.number(); };
  for (let count = reader.number(); count > 0; count--) {
    const module = reader.take(reader.number()).toString(), name = reader.take(reader.number()).toString(),
          kind = reader.byte(), start = reader.at;
    switch (kind) {
      case 0: reader.number(); break;
      case 1: reader.byte(); limits(); break;
      case 2: limits(); break;
      case 3: reader.take(2); break;
      default: reader.byte(); reader.number();
    }
    imports.push({ module, name, kind, what: reader.bytes.subarray(start, reader.at) });
  }
  return imports;
}
const importSection = (imports) =>
  ({ id: IMPORT, bytes: Buffer.concat([leb(imports.length), ...imports.flatMap(({ module, name, kind, what }) =>
  [sized(Buffer.from(module)), sized(Buffer.from(name)), Buffer.from([kind]), what])]) });

// Reads the exports: [{ name, kind, index }].
function exportsOf(section) {
  const reader = new Reader(section.bytes), list = [];
  for (let count = reader.number(); count > 0; count--)
    list.push({ name: reader.take(reader.number()).toString(), kind: reader.byte(), index: reader.number() });
  return list;
}
const exportSection = (list) =>
  ({ id: EXPORT, bytes: Buffer.concat([leb(list.length), ...list.flatMap(({ name, kind, index }) =>
  [sized(Buffer.from(name)), Buffer.from([kind]), leb(index)])]) });

// Reads where functions are in the table, by their indices.
function slotsOf(section) {
  const reader = new Reader(section.bytes), slots = new Map();
  for (let count = reader.number(); count > 0; count--) {
    if (reader.number() !== 0 || reader.byte() !== 0x41) throw new Error('elements of another kind');
    let slot = reader.signed();
    reader.byte();
    for (let size = reader.number(); size > 0; size--) slots.set(reader.number(), slot++);
  }
  return slots;
}

// Returns the elements with one more segment of them: the functions from a slot on.
function withElements(section, slot, functions) {
  const reader = new Reader(section.bytes), count = reader.number();
  return { id: ELEMENTS,
    bytes: Buffer.concat([leb(count + 1), section.bytes.subarray(reader.at), Buffer.from([0, 0x41]), signedLeb(slot),
    Buffer.from([0x0b]), leb(functions.length), ...functions.map(leb)]) };
}

// Reads the size of the only table; the second function writes a larger one.
const tableSize = (section) => new Reader(section.bytes, 3).number();
const largerTable = (size) => ({ id: TABLE, bytes: Buffer.concat([Buffer.from([1, 0x70, 0]), leb(size)]) });

// Writes growing numbers as runs: "5-7,9".
function runsOf(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.length && runs.at(-1)[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join();
}

// --- what the linker tells ---

// Reads the linker's map: the functions, as `library.a(object):(symbol)`, and the segments of data: { name, address }.
function readMap(file) {
  const functions = [], places = [];
  let inCode = false;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, address, indent, what] = line.match(/^\s*(\S+)\s+\S+\s+\S+ (\s*)(.*)$/) ?? [];
    if (what === undefined) continue;
    if (!indent) inCode = what === 'CODE';
    else if (inCode && indent.length === 8) functions.push(what.split('/').at(-1));
    if (!indent && /^\.\w/.test(what)) places.push({ name: what, address: parseInt(address, 16) });
  }
  return { functions, places };
}

// Finds the data that only one part refers to: [{ part, start, end }], by addresses. Symbols and relocations are as in
// WebAssembly's "Linking" conventions (tool-conventions, Linking.md).
function dataOfParts(sections, functions, segments) {
  const custom = (name) =>
    sections.find(({ id, bytes }) => id === CUSTOM && bytes.subarray(1, 1 + bytes[0]).toString() === name);
  const reader = new Reader(custom('linking').bytes, 8), symbols = [];
  if (reader.number() !== 2) throw new Error('another version of "linking"');
  while (reader.at < reader.bytes.length) {
    const kind = reader.byte(), end = reader.number() + reader.at;
    for (let count = kind === 8 ? reader.number() : 0; count > 0; count--) {
      const type = reader.byte(), flags = reader.number(), defined = !(flags & 16), symbol = { users: new Set() };
      if (type === 1) {
        reader.take(reader.number());
        if (defined) {
          const segment = segments[reader.number()];
          symbol.start = segment.address + reader.number();
          symbol.end = symbol.start + reader.number();
        }
      } else {
        reader.number();
        if (type !== 3 && (defined || flags & 64)) reader.take(reader.number());
      }
      symbols.push(symbol);
    }
    reader.at = end;
  }
  // Returns [offset in the section, symbol] of references to data.
  const references = (name) => {
    const section = custom(name), list = [];
    if (!section) return list;
    const entries = new Reader(section.bytes, 1 + name.length);
    entries.number();
    for (let count = entries.number(); count > 0; count--) {
      const type = entries.byte(), offset = entries.number(), index = entries.number();
      if ([3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23].includes(type)) entries.signed();
      if ([3, 4, 5].includes(type)) list.push([offset, symbols[index]]);
    }
    return list;
  };
  const code = new Reader(sections.find(({ id }) => id === CODE).bytes), ends = [];
  for (let count = code.number(); count > 0; count--) {
    code.take(code.number());
    ends.push(code.at);
  }
  let at = 0;
  for (const [offset, symbol] of references('reloc.CODE').sort((a, b) => a[0] - b[0])) {
    while (ends[at] <= offset) at++;
    symbol.users.add(partOf(functions[at]));
  }
  // What refers to a table refers to what that points to, too.
  const placed = symbols.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || a.end - b.end);
  const pointers = references('reloc.DATA').map(([offset, to]) => {
    const { address, first } = segments.findLast((segment) => segment.first <= offset), from = address + offset - first;
    return [placed.filter(({ start, end }) => start <= from && from < end), to];
  });
  for (let changed = true; changed;) {
    changed = false;
    for (const [holders, to] of pointers) {
      for (const user of holders.length ? holders.flatMap(({ users }) => [...users]) : ['main']) {
        changed ||= !to.users.has(user);
        to.users.add(user);
      }
    }
  }
  // Equal ends of texts are stored once, so symbols may share bytes.
  const owners = new Map();
  for (const { start, end, users } of placed) {
    const owner = users.size === 1 ? [...users][0] : 'main';
    for (let byte = start; byte < end; byte++) owners.set(byte, (owners.get(byte) ?? owner) === owner ? owner : 'main');
  }
  const ranges = [];
  for (const [byte, part] of [...owners].sort((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1);
    if (last && last.end === byte && last.part === part) last.end++;
    else ranges.push({ part, start: byte, end: byte + 1 });
  }
  return ranges.filter(({ part }) => part !== 'main');
}

// --- names ---

// Returns the module with names for its functions that begin with their parts', and without the zeros that
// --emit-relocs writes: the memory that it gets has them.
function named(bytes, functions) {
  const sections = sectionsOf(bytes), count = new Reader(sections.find(({ id }) => id === CODE).bytes).number();
  if (count !== functions.length) throw new Error(`${count} functions, but ${functions.length} in the map`);
  const first = importsOf(sections).filter(({ kind }) => kind === 0).length;
  const list = functions.flatMap((symbol, i) => [leb(first + i), sized(Buffer.from(`${partOf(symbol)}.${i}`))]);
  const names = Buffer.concat([Buffer.from('\x04name'), Buffer.from([1]), sized(Buffer.concat([leb(count), ...list]))]);
  const data = sections.find(({ id }) => id === DATA), active = segmentsOf(data);
  if (active) data.bytes = dataSection(active.filter((segment) => segment.bytes.some((byte) => byte))).bytes;
  return moduleOf(bytes, [...sections.filter(({ id }) => id !== CUSTOM), { id: CUSTOM, bytes: names }]);
}

function namesOf(sections) {
  const reader = new Reader(sections.find(isNames).bytes, 5), names = [];
  while (reader.at < reader.bytes.length) {
    const kind = reader.byte(), end = reader.number() + reader.at;
    if (kind === 1) {
      for (let count = reader.number(); count > 0; count--) {
        reader.number();
        names.push(reader.take(reader.number()).toString());
      }
    }
    reader.at = end;
  }
  return names;
}

// --- data ---

// Reads the segments of a module. Those for shared memory have no addresses, since the first thread copies them; they
// get those of the linker's map. Without one the result is null.
function segmentsOf(section, places = null) {
  const reader = new Reader(section.bytes), segments = [];
  for (let count = reader.number(); count > 0; count--) {
    const shared = reader.number() === 1;
    if (shared && !places) return null;
    if (!shared && reader.byte() !== 0x41) throw new Error('segments of another kind');
    const address = shared ? places[segments.length].address : reader.signed();
    if (!shared) reader.byte();
    const size = reader.number(), first = reader.at;  // within the section
    segments.push({ address, first, bytes: reader.take(size) });
  }
  return segments;
}
const dataSection = (segments) =>
  ({ id: DATA, bytes: Buffer.concat([leb(segments.length), ...segments.map(({ address, bytes }) =>
  Buffer.concat([Buffer.from([0, 0x41]), signedLeb(address), Buffer.from([0x0b]), sized(bytes)]))]) });

// Splits segments into what lies within the ranges, which are sorted and apart, and what does not.
function cut(segments, ranges) {
  const inside = [], outside = [];
  for (const { address, bytes } of segments) {
    let at = address;
    const put = (list, end) => {
      if (end <= at) return;
      list.push({ address: at, bytes: bytes.subarray(at - address, end - address) });
      at = end;
    };
    for (const range of ranges) {
      if (range.end <= at || range.start >= address + bytes.length) continue;
      put(outside, Math.max(range.start, at));
      put(inside, Math.min(range.end, address + bytes.length));
    }
    put(outside, address + bytes.length);
  }
  return { inside, outside };
}

// --- parts ---

const features =
  ['simd', 'bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'exception-handling', 'threads']
  .map((feature) => `--enable-${feature}`);
const binaryen = (tool, ...options) =>
  execFileSync(tool, [...options, ...features], { stdio: ['ignore', 'ignore', 'inherit'] });

function split(file, map, folder) {
  const { functions, places } = readMap(map), linked = readFileSync(file), work = mkdtempSync(join(tmpdir(), 'parts-')),
        base = basename(file, '.wasm');
  const main = join(work, 'main.wasm'), next = join(work, 'next.wasm'), second = join(work, 'part.wasm'),
        list = join(work, 'list');
  // Makes a module smaller. Inlining makes one compress worse. Merging equal functions is done last, since the one that
  // is kept could be any part's.
  const smaller = (path) => {
    binaryen('wasm-opt', '-Oz', '--one-caller-inline-max-function-size=0', '--low-memory-unused',
      '--zero-filled-memory', path, '-o', path);
    return readFileSync(path);
  };
  try {
    const before = sectionsOf(linked), placed = segmentsOf(before.find(({ id }) => id === DATA), places);
    const shared = !segmentsOf(before.find(({ id }) => id === DATA));
    // In shared memory each instance of a part writes its data again, so only data that nobody changes can be in parts.
    const [constant] = placed.filter((_, i) => places[i].name === '.rodata');
    const isConstant = ({ start, end }) => constant && start >= constant.address &&
      end <= constant.address + constant.bytes.length;
    const data = dataOfParts(before, functions, placed).filter((range) => !shared || isConstant(range)),
          own = new Map();
    for (const part of parts) {
      const { inside } = cut(placed, data.filter((range) => range.part === part));
      own.set(part, inside.map(({ address, bytes }) => ({ address, bytes: Buffer.from(bytes) })));
      for (const { bytes } of inside) bytes.fill(0);
    }
    writeFileSync(main, named(linked, functions));
    const made = new Map();
    for (const [index, part] of parts.entries()) {
      const names = namesOf(sectionsOf(readFileSync(main))).filter((one) => one.startsWith(`${part}.`));
      if (!names.length) continue;  // this build has no such part
      writeFileSync(list, names.join('\n'));
      binaryen('wasm-split', main, '-g', `--split-funcs=@${list}`, '-o1', next, '-o2', second,
        `--placeholder-namespace=${part}`,
        '--import-namespace=stijl', `--export-prefix=${String.fromCharCode(97 + index)}.`);
      renameSync(next, main);
      made.set(part, smaller(second));
    }
    const whole = smaller(main), sections = sectionsOf(whole).filter(({ id }) => id !== CUSTOM);
    const build = createHash('sha256').update(whole).digest('hex').slice(0, 8);
    // Takes the limit off a table, which grows with each part that is split off.
    const unlimited = ({ kind, what }) =>
      (kind === 1 ? Buffer.concat([what.subarray(0, 1), Buffer.from([0, 0])]) : what);
    const find = (id) => sections.find((section) => section.id === id);
    const replace = (list, id, make) => {
      const at = list.findIndex((section) => section.id === id);
      if (at >= 0) list[at] = make(list[at]);
    };
    // Parts find what they call of this module in its table, by their places in it, which are shorter than names.
    const forParts = ({ name }) => /^[a-z]\./.test(name), exported = exportsOf(find(EXPORT)), names = new Map();
    const slots = slotsOf(find(ELEMENTS)), size = tableSize(find(TABLE)), more = [];
    for (const one of exported.filter(forParts).sort((a, b) => a.index - b.index)) {
      if (one.kind === 0) {
        if (!slots.has(one.index)) slots.set(one.index, size + more.push(one.index) - 1);
        names.set(one.name, String(slots.get(one.index)));
      } else {
        names.set(one.name, one.kind === 1 ? 'table' : `_${one.name.slice(2)}`);
      }
    }
    const rename = (name) => names.get(name) ?? name;
    replace(sections, TABLE, () => largerTable(size + more.length));
    replace(sections, ELEMENTS, (section) => withElements(section, size, more));
    const kept = new Map(exported.filter((one) => !forParts(one) || one.kind !== 0)
      .map((one) => [rename(one.name), { ...one, name: rename(one.name) }]));
    replace(sections, EXPORT, () => exportSection([...kept.values()]));
    // What this module calls of parts has no names: the section "parts" lists the places, in their order.
    const imported = importsOf(sections);
    const called = Object.fromEntries(
      parts.map((part) => [part, imported.filter(({ module }) => module === part).map(({ name }) => Number(name))]));
    replace(sections, IMPORT,
      () => importSection(imported.map((one) => (called[one.module] ? { ...one, name: '' } : one))));
    for (const [part, bytes] of made) {
      const list = sectionsOf(bytes).filter(({ id }) => id !== CUSTOM);
      replace(list, IMPORT, () => importSection(
        importsOf(list).map((one) => ({ ...one, module: build, name: rename(one.name), what: unlimited(one) }))));
      if (own.get(part).length) list.push(dataSection(own.get(part)));
      writeFileSync(join(folder, `${base}-${part}.wasm`), moduleOf(bytes, list));
    }
    const notice = { id: CUSTOM, bytes: Buffer.concat([sized(Buffer.from('parts')),
      Buffer.from([base, build, ...[...made.keys()].map((part) => `${part}:${runsOf(called[part])}`)].join(' '))]) };
    writeFileSync(join(folder, `${base}.wasm`), moduleOf(whole, [...sections, notice]));
  } finally {
    rmSync(work, { recursive: true });
  }
}

const [command, ...args] = process.argv.slice(2);
if (command !== 'split') throw new Error('parts.mjs split MODULE MAP FOLDER');
split(...args);
