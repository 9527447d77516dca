import { Handle, enums, numberOf } from './handle.js';

export class Fonts extends Handle {
  /**
   * Adds the fonts of a file: TrueType, OpenType, a collection, or WOFF. A file that is no font is left out, with a
   * warning, once text needs it.
   */
  add(file) {
    this.module.lend(file, (at, count) => this.module.check(this.module.run('fonts_add', this.address, at, count)));
    return this;
  }
  /** Sets the family that a generic one stands for; 'default' is for text whose families are not there. */
  setFamily(generic, family) {
    const { module } = this, number = numberOf('family', generic);
    module.lend(family, (at) => module.check(module.run('fonts_set_family', this.address, number, at)));
    return this;
  }
  /** Returns the names of the families that are there, in the order in which they were added. */
  families() {
    const { module } = this, names = new Set();
    for (let index = 0, at; (at = module.run('fonts_family', this.address, index)); index++) names.add(module.text(at));
    return [...names];
  }
  /**
   * Returns what text has asked for so far, and what it got: [{ families, weight, family, how }]; family '' means that
   * there was no font.
   */
  uses() {
    const { module } = this, uses = [];
    while (module.run('fonts_use', this.address, uses.length) === 0) {
      const at = module.scratch(), [families, family, how] = module.words(at, 3), [weight] = module.floats(at + 12, 1);
      uses.push({ families: module.text(families), weight, family: module.text(family), how: enums.fontHow[how] });
    }
    return uses;
  }
}
