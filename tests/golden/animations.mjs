// Animated documents at five times each, beside Chromium: `node animations.mjs STIJL [NAME...]`, TAP. A pixel differs
// where neither picture has its colour, within a tolerance, in the other's nine pixels around it: the two smooth edges
// in their own ways.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Chromium, noChromium } from '../wasm/chromium.mjs';
import { documents } from './animated.mjs';

const [program, ...names] = process.argv.slice(2);
const SIDE = 100, TOLERANCE = 48, MOST = 4;
const times = [0.35, 1, 1.85, 3.2, 0];  // 0 is last, since at first Chromium may not have stopped yet

if (noChromium) {
  console.log(`1..0 # SKIP ${noChromium}`);
  process.exit(0);
}

// Moves everything to a time, in the page.
async function seek(time) {
  const svg = document.documentElement;
  svg.pauseAnimations();
  svg.setCurrentTime(time);
  globalThis.animations ??= document.getAnimations({ subtree: true });  // those that have ended are not listed any more
  for (const animation of globalThis.animations) {
    const paused = getComputedStyle(animation.effect.target).animationPlayState === 'paused';
    animation.pause();
    await animation.ready;
    animation.currentTime = paused ? 0 : time * 1000;
  }
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));
}

// Counts how many pixels differ, in another page.
async function differing(one, two, side, tolerance) {
  const read = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(side, side).getContext('2d');
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, side, side).data;
  };
  const a = await read(one), b = await read(two);
  const found = (from, to, x, y) => {
    const at = 4 * (y * side + x);
    for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, side - 1); v++)
      for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, side - 1); u++)
        if ([0, 1, 2].every((c) => Math.abs(from[at + c] - to[4 * (v * side + u) + c]) <= tolerance)) return true;
    return false;
  };
  let count = 0;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) if (!found(a, b, x, y) || !found(b, a, x, y)) count++;
  return count;
}

const folder = mkdtempSync(join(tmpdir(), 'stijl-animations-'));
const keep = process.env.STIJL_KEEP;  // a folder for the pictures that differ
const chromium = new Chromium();
const judge = await chromium.page('about:blank');
const chosen = Object.entries(documents).filter(([name]) => !names.length || names.includes(name));
console.log(`1..${chosen.length}`);
let number = 0, failed = 0;
for (const [name, content] of chosen) {
  const file = join(folder, 'a.svg'), picture = join(folder, 'a.png');
  const text = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${SIDE}" height="${SIDE}">${content}</svg>`;
  writeFileSync(file, text);
  const page = await chromium.page(`file://${file}`, { width: SIDE, height: SIDE });
  await page.waitFor('!!document.documentElement.pauseAnimations');
  const wrong = [];
  for (const time of times) {
    await page.evaluate(seek, time);
    const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
    execFileSync(program, ['render', file, '-q', '-b', 'white', '--time', `${time}`, '-o', picture]);
    const own = readFileSync(picture).toString('base64');
    const count =
      await judge.evaluate(differing, `data:image/png;base64,${own}`, `data:image/png;base64,${data}`, SIDE, TOLERANCE);
    if (count <= MOST) continue;
    wrong.push(`at ${time} s: ${count} pixels`);
    if (!keep) continue;
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `${name}-${time}-chromium.png`), Buffer.from(data, 'base64'));
    writeFileSync(join(keep, `${name}-${time}-stijl.png`), Buffer.from(own, 'base64'));
    writeFileSync(join(keep, `${name}.svg`), text);
  }
  await page.close();
  failed += wrong.length > 0;
  console.log(`${wrong.length ? 'not ok' : 'ok'} ${++number} - ${name}${wrong.length ? `: ${wrong.join(', ')}` : ''}`);
}
await chromium.close();
rmSync(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
