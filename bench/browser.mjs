// browser.mjs: the tiger, or another SVG, at 1024 x 1024 on one thread, in Chromium: stijl's module, resvg's, and
// Chromium's own drawing, in turn; and the native command with SSE beside them. Prints minima, medians and ratios.
//
//   STIJL_TIGER=tiger.svg [STIJL_RESVG=FOLDER with index_bg.wasm and index.mjs] node bench/browser.mjs [ROUNDS]
//
// What is compared is a frame of a document that has been read: encoding, flattening and painting. resvg's module has
// only one call for reading and drawing, so that its reading is measured by itself, at 1 x 1, and subtracted.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Chromium, noChromium, serve } from '../tests/wasm/chromium.mjs';
import { noPackage, root, web } from '../tests/wasm/native.mjs';

const file = process.env.STIJL_TIGER, resvg = process.env.STIJL_RESVG, rounds = Number(process.argv[2] ?? 60),
      SIZE = 1024;
for (const why of [noPackage, noChromium, file ? false : 'STIJL_TIGER names no file']) {
  if (why) {
    console.error(`browser.mjs: ${why}`);
    process.exit(1);
  }
}

const server =
  await serve({ '/': join(web, 'page/'), '/npm/': join(web, 'npm/'), ...(resvg ? { '/resvg/': resvg + '/' } : {}) });
const chromium = new Chromium();
const page = await chromium.page(`${server.url}/page.css`);
const times = await page.evaluate(async (source, size, rounds, resvg) => {
  const { load } = await import('/npm/index.js');
  const stijl = await load(), svg = stijl.svg(source), scale = size / Math.max(svg.width, svg.height);
  const scene = svg.scene({ width: svg.width * scale, height: svg.height * scale }),
        renderer = stijl.renderer({ threads: 1 });
  const into = new Uint8ClampedArray(size * size * 4),
        times = { stijl: [], whole: [], frame: [], chromium: [], resvg: [] };
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([source], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true });
  // What web/page does: drawn in a worker on as many threads as the page takes, transferred, put on a canvas.
  const { openWorker } = await import('/npm/worker.js');
  const worker = await openWorker({ threads: Math.min(navigator.hardwareConcurrency, 4) }),
        opened = await worker.open(source);
  const visible = Object.assign(document.createElement('canvas'), { width: size, height: size }).getContext('2d');
  let other = null;
  if (resvg) {
    other = await import('/resvg/index.mjs');
    await other.initWasm(fetch('/resvg/index_bg.wasm'));
  }
  const resvgDraws = (width) => {
    const start = performance.now(),
          drawn = new other.Resvg(source, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } });
    const picture = drawn.render(), ms = performance.now() - start;
    picture.free?.();
    drawn.free?.();
    return ms;
  };
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    renderer.render(scene, { width: size, height: size, format: 'rgba8', into });
    times.whole.push(performance.now() - start);
    const { encodeMs, renderMs } = renderer.stats();
    times.stijl.push(encodeMs + renderMs);
    const own = performance.now();
    canvas.clearRect(0, 0, size, size);
    canvas.drawImage(image, 0, 0, image.width * scale, image.height * scale);
    canvas.getImageData(0, 0, 1, 1);  // so that it is drawn now
    times.chromium.push(performance.now() - own);
    const sent = performance.now(),
          frame = await opened.draw({ width: size, height: size, transform: [scale, 0, 0, scale, 0, 0] });
    visible.putImageData(new ImageData(frame.data, size, size), 0, 0);
    times.frame.push(performance.now() - sent);
    if (other && i % 4 === 0) times.resvg.push(resvgDraws(size) - resvgDraws(1));
  }
  worker.close();
  return times;
}, readFileSync(file, 'utf8'), SIZE, rounds, Boolean(resvg));
await chromium.close();
server.close();

const folder = mkdtempSync(join(tmpdir(), 'stijl-bench-')), stats = join(folder, 'stats.json');
execFileSync(join(process.env.STIJL_NATIVE ?? join(root, 'build'), 'cli/stijl'),
  ['render', file, '-o', join(folder, 'out.png'), '-w', String(SIZE), '-h', String(SIZE),
  '--isa', 'sse', '--threads', '1', '--repeat', String(rounds), '--stats', stats]);
const { render_ms: native, encode_ms: encode } = JSON.parse(readFileSync(stats, 'utf8'));
times.native = native.map((ms) => ms + encode);
rmSync(folder, { recursive: true });

const names = { native: 'native, SSE', stijl: 'stijl in Chromium', whole: 'the same, with the pixels in JavaScript',
  frame: 'a frame of the page, drawn and shown', chromium: 'Chromium itself', resvg: 'resvg in Chromium' };
for (const [key, name] of Object.entries(names)) {
  const sorted = [...times[key]].sort((a, b) => a - b);
  if (!sorted.length) continue;
  const median = sorted[sorted.length >> 1].toFixed(2), part = (Math.min(...times.stijl) / sorted[0]).toFixed(2);
  console.log(`${name.padEnd(40)} min ${sorted[0].toFixed(2)} ms, median ${median} ms, stijl takes ${part} of it`);
}
