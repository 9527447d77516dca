// The cases of src/lab/cases.h, which the command measures, for JavaScript: { patterns, orders, widths, layouts,
// transposes, products, workgroups }, lists of objects. scripts/wgsl.mjs makes kernels of them, and gives them to the
// browser's lab.
import { readFileSync } from 'node:fs';

const fields = { PATTERNS: ['name'], ORDERS: ['key', 'name', 'pattern', 'step', 'bits'],
  TRANSPOSES: ['key', 'name', 'way', 'tile', 'pitch', 'lanes'],
  PRODUCTS: ['key', 'name', 'way', 'pitch', 'tile'], WORKGROUPS: ['x', 'y'] };
fields.WIDTHS = fields.LAYOUTS = fields.ORDERS;

export function labCases() {
  const text = readFileSync(new URL('../src/lab/cases.h', import.meta.url), 'utf8').replace(/\\\n/g, ' '), cases = {};
  for (const [, list, all] of text.matchAll(/#define SJ_LAB_(\w+)\(CASE\)(.*)/g)) {
    const names = fields[list];
    cases[list.toLowerCase()] = [...all.matchAll(/CASE\(((?:"[^"]*"|[^()"])*)\)/g)].map(([, values]) => {
      const given = [...values.matchAll(/"([^"]*)"|([^\s,]+)/g)].map(([, string, word]) => string ??
        (Number.isNaN(Number(word)) ? word : Number(word)));
      if (given.length !== names?.length) throw new Error(`src/lab/cases.h: ${list} has other columns: ${values}`);
      return Object.fromEntries(names.map((name, i) => [name, given[i]]));
    });
  }
  cases.patterns = cases.patterns.map(({ name }) => name);
  return cases;
}
