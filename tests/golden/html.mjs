// HTML in foreignObject beside Chromium: `node html.mjs STIJL [NAME...]`, TAP. Both draw it in the system's fonts.
// Pictures are blurred by a box of three pixels; one differs where neither has, within a tolerance, the other's colour
// in the nine pixels around it, as Chromium moves text to whole pixels. Anything that is 2 pixels off its place is
// found.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Chromium, noChromium } from '../wasm/chromium.mjs';
import { documents } from './foreign.mjs';

const [program, ...names] = process.argv.slice(2);
const WIDTH = 240, HEIGHT = 140, TOLERANCE = 40, MOST = 20;

if (noChromium) {
  console.log(`1..0 # SKIP ${noChromium}`);
  process.exit(0);
}

// Counts how many pixels differ, in a page.
async function differing(one, two, w, h, tolerance) {
  const read = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(w, h).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, w, h), blurred = new Float32Array(3 * w * h);
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++)
        for (let c = 0; c < 3; c++) {
          let sum = 0, count = 0;
          for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, h - 1); v++)
            for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, w - 1); u++, count++)
              sum += data[4 * (v * w + u) + c];
          blurred[3 * (y * w + x) + c] = sum / count;
        }
    return blurred;
  };
  const a = await read(one), b = await read(two);
  const found = (from, to, x, y) => {
    const at = 3 * (y * w + x);
    for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, h - 1); v++)
      for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, w - 1); u++)
        if ([0, 1, 2].every((c) => Math.abs(from[at + c] - to[3 * (v * w + u) + c]) <= tolerance)) return true;
    return false;
  };
  let count = 0;
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) if (!found(a, b, x, y) || !found(b, a, x, y)) count++;
  return count;
}

const folder = mkdtempSync(join(tmpdir(), 'stijl-html-'));
const keep = process.env.STIJL_KEEP;  // a folder for the pictures that differ
const chromium = new Chromium(['--disable-gpu', '--font-render-hinting=none']);
const judge = await chromium.page('about:blank');
const chosen = Object.entries(documents).filter(([name]) => !names.length || names.includes(name));
console.log(`1..${chosen.length}`);
let number = 0, failed = 0;
for (const [name, content] of chosen) {
  const file = join(folder, 'a.svg'), picture = join(folder, 'a.png');
  writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" style="font: 16px sans-serif"><foreignObject width="${WIDTH}" height="${HEIGHT}"><div xmlns="http://www.w3.org/1999/xhtml" style="height: 100%">${content}</div></foreignObject></svg>`);
  const page = await chromium.page(`file://${file}`, { width: WIDTH, height: HEIGHT });
  const data = (await page.screenshot()).toString('base64');
  await page.close();
  execFileSync(program, ['render', file, '-q', '-b', 'white', '-o', picture]);
  const own = readFileSync(picture).toString('base64');
  const count = await judge.evaluate(differing, `data:image/png;base64,${own}`, `data:image/png;base64,${data}`, WIDTH,
    HEIGHT, TOLERANCE);
  const bad = count > MOST;
  failed += bad;
  console.log(`${bad ? 'not ok' : 'ok'} ${++number} - ${name}${bad ? `: ${count} pixels` : ''}`);
  if (!bad || !keep) continue;
  mkdirSync(keep, { recursive: true });
  writeFileSync(join(keep, `${name}-chromium.png`), Buffer.from(data, 'base64'));
  writeFileSync(join(keep, `${name}-stijl.png`), Buffer.from(own, 'base64'));
}
await chromium.close();
rmSync(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
