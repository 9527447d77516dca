import { Handle, addressIn, matrixOf, numberOf } from './handle.js';
import { StijlError } from './error.js';

const utf8 = new TextEncoder();

/** Characters with styles, shaped and broken into lines. Offsets are those of JavaScript's strings. */
export class Text extends Handle {
  #string = '';
  #index = null;  // of each byte in the string; and the byte of each index
  #byte = null;

  // Lends texts that may be absent: `use` gets their addresses, 0 for these.
  #lend(texts, use, ...at) {
    const [text, ...others] = texts;
    if (texts.length === 0) return use(...at);
    return text === undefined ? this.#lend(others, use, ...at, 0) :
      this.module.lend(text, (one) => this.#lend(others, use, ...at, one));
  }

  append(string, { families, size = 16, weight = 400, stretch = 100, slant = 'normal', letterSpacing = 0,
    wordSpacing = 0, lineHeight = 0, language,
    features, variations, palette = 0 } = {}) {
    const { module } = this, number = numberOf('slant', slant), which = { light: -1, dark: -2 }[palette] ?? palette;
    module.lend(string, (at, count) =>
      this.#lend([families, language, features, variations], (familiesAt, languageAt, featuresAt, variationsAt) =>
      module.check(module.run('text_append', this.address, at, count, familiesAt, size, weight, stretch, number,
        letterSpacing, wordSpacing, lineHeight,
        languageAt, featuresAt, variationsAt, which))));
    this.#string += string;
    this.#index = null;
    return this;
  }
  layout({ width = 0, align = 'start', direction = 'auto', maxLines = 0, ellipsis } = {}) {
    const { module } = this, numbers = [numberOf('align', align), numberOf('direction', direction)];
    this.#lend([ellipsis],
      (at) => module.check(module.run('text_layout', this.address, width, ...numbers, maxLines, at)));
    return this;
  }

  #map() {
    if (this.#index) return;
    const index = [], byte = [];
    let at = 0, bytes = 0;
    for (const character of this.#string) {
      const count = utf8.encode(character).length;
      for (let i = 0; i < character.length; i++) byte.push(bytes);
      for (let i = 0; i < count; i++) index.push(at);
      at += character.length;
      bytes += count;
    }
    this.#index = [...index, at];
    this.#byte = [...byte, bytes];
  }
  /**
   * Returns the box of all lines, and the first character that no font has, if there is one: { width, height,
   * missing }.
   */
  measure() {
    const missing = this.module.run('text_size', this.address) >>> 0,
          [width, height] = this.module.floats(this.module.scratch(), 2);
    return { width, height, missing: missing ? String.fromCodePoint(missing) : null };
  }
  lines() {
    this.#map();
    return Array.from({ length: this.module.run('text_lines', this.address) }, (_, i) => {
      this.module.run('text_line', this.address, i);
      const [start, end, x, baseline, width, ascent, descent] = this.module.doubles(this.module.scratch(), 7);
      return { start: this.#index[start], end: this.#index[end], x, baseline, width, ascent, descent };
    });
  }
  /** Returns where the caret stands before the character at an offset, or behind the last; null without lines. */
  caret(offset) {
    this.#map();
    if (!(offset in this.#byte)) throw new StijlError('INVALID_ARGUMENT', `there is no character at ${offset}`);
    if (!this.module.run('text_caret', this.address, this.#byte[offset])) return null;
    const [x, y0, y1, line, leftwards] = this.module.doubles(this.module.scratch(), 5);
    return { x, y0, y1, line, rightToLeft: leftwards !== 0 };
  }
  /** Returns the offset of the caret that is nearest to a point. */
  hit(x, y) {
    this.#map();
    return this.#index[this.module.run('text_hit', this.address, x, y)];
  }
  /** Appends the outlines to a path. */
  outline(path, transform) {
    const { module } = this, [matrix] = module.put(matrixOf(transform));
    module.check(module.run('text_outline', this.address, matrix, addressIn(module, path, path.constructor)));
    return path;
  }
}
