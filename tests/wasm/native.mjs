// What the tests of the package share: where it is, and what the native build draws.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const web = process.env.STIJL_WEB ?? join(root, 'build-web');
export const noPackage = existsSync(join(web, 'npm/stijl.wasm')) ? false :
  'there is no package: scripts/build-web makes it';

const shared = process.env.STIJL_SHARED ?? join(root, '../shared');
export const suite = process.env.STIJL_SVG_SUITE ?? join(shared, 'svg-suite');
export const nativeTests = join(process.env.STIJL_NATIVE ?? join(root, 'build'), 'tests');
const hashes = join(nativeTests, 'golden/hashes');

const filesBelow = (folder) => readdirSync(folder).sort().flatMap((name) => {
  const path = join(folder, name);
  return statSync(path).isDirectory() ? filesBelow(path) : [path];
});

/** The documents that are there: of the suite, and the tiger. */
export function documents() {
  const files = existsSync(suite) ? filesBelow(suite).filter((path) => path.endsWith('.svg')) : [];
  if (process.env.STIJL_TIGER) files.push(process.env.STIJL_TIGER);
  return files;
}

/** The suite's fonts, and what it wants generic families to stand for, as tests/golden/hashes.c has it. */
export const fonts = () =>
  (existsSync(join(suite, 'fonts')) ? filesBelow(join(suite, 'fonts')).filter((path) => /\.[ot]tf$/.test(path)) : []);
export const families = { default: 'Noto Sans', serif: 'Noto Serif', 'sans-serif': 'Noto Sans', cursive: 'Yellowtail',
  fantasy: 'Sedgwick Ave Display',
  monospace: 'Noto Mono' };

/**
 * [{ path, hash, width, height }], hash null for those that fail; or why there is nothing to compare with. `withFonts`:
 * font files that text is drawn with.
 */
export function native(files, width, withFonts = []) {
  if (!existsSync(hashes)) return 'there is no native build to compare with';
  const lines = execFileSync(hashes, [...withFonts.flatMap((path) => ['--font', path]), String(width), ...files],
    { encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n');
  return lines.map((line) => {
    if (line.startsWith('ERROR ')) return { path: line.slice(6), hash: null };
    const [hash, w, h, ...path] = line.split(' ');
    return { hash, width: Number(w), height: Number(h), path: path.join(' ') };
  });
}
