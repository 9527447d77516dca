// loading.mjs: the tiger 512 wide, from its text to pixels, and how long loading takes, beside resvg-wasm in turns: in
// Node and in Chromium. Prints minima and medians in ms, what stijl takes of resvg's time, and what memory the module
// has.
//
//   STIJL_TIGER=tiger.svg STIJL_RESVG=FOLDER node bench/loading.mjs [ROUNDS]
//
// FOLDER has index_bg.wasm and index.mjs of @resvg/resvg-wasm. Loading is in a new process, or a new page, each time.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Chromium, noChromium, serve } from '../tests/wasm/chromium.mjs';
import { noPackage, web } from '../tests/wasm/native.mjs';

const { STIJL_TIGER: tiger, STIJL_RESVG: resvg } = process.env, rounds = Number(process.argv[2] ?? 100);

// Draws where the modules are, with both of them; `bytes` gives a file of the other's, which wants it.
async function draws(stijlAt, resvgAt, text, rounds, bytes) {
  const [{ load }, { initWasm, Resvg }] = [await import(stijlAt), await import(`${resvgAt}/index.mjs`)];
  const stijl = await load(), times = { stijl: [], resvg: [] };
  await initWasm(await (bytes ?? fetch)(`${resvgAt}/index_bg.wasm`));
  const jobs = {
    stijl: () => stijl.render(text, { width: 512 }).data,
    resvg() {
      const document = new Resvg(text, { fitTo: { mode: 'width', value: 512 }, font: { loadSystemFonts: false } });
      const picture = document.render(), { pixels } = picture;
      picture.free();
      document.free();
      return pixels;
    },
  };
  for (let i = 0; i < rounds; i++) {
    for (const [name, job] of Object.entries(jobs)) {
      const start = performance.now();
      job();
      times[name].push(performance.now() - start);
    }
  }
  return { ...times, memory: stijl.memory };
}
async function loads(name, stijlAt, resvgAt, bytes) {
  const start = performance.now();
  if (name === 'stijl') await (await import(stijlAt)).load();
  else await (await import(`${resvgAt}/index.mjs`)).initWasm(await (bytes ?? fetch)(`${resvgAt}/index_bg.wasm`));
  return performance.now() - start;
}

function tell(place, what, { stijl, resvg }) {
  const sorted = [stijl, resvg].map((times) => [...times].sort((a, b) => a - b));
  const [least, median] = [0, 0.5].map((part) => sorted.map((times) => times[Math.floor(part * times.length)]));
  const line = ([a, b]) => `stijl ${a.toFixed(1)}, resvg ${b.toFixed(1)}, ${(a / b).toFixed(2)} of it`;
  console.log(`${place}, ${what}: least ${line(least)}; medians ${line(median)}`);
}
/** Takes turns: `load(name)` loads one. */
async function loadInTurns(load) {
  const times = { stijl: [], resvg: [] };
  for (let i = 0; i < 20; i++) for (const name of ['stijl', 'resvg']) times[name].push(await load(name));
  return times;
}

async function inNode(text) {
  const at = [join(web, 'npm/node.js'), resvg].map((path) => pathToFileURL(path).href),
        bytes = (url) => readFileSync(new URL(url));
  const times = await draws(...at, text, rounds, bytes);
  tell('Node', 'text to pixels', times);
  tell('Node', 'loading', await loadInTurns((name) => {
    const code = `import { readFileSync } from 'node:fs'; const bytes = (url) => readFileSync(new URL(url));
      console.log(await (${loads})(${JSON.stringify(name)}, ${at.map((url) => JSON.stringify(url))}, bytes))`;
    return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
  }));
  console.log(`memory after drawing: ${times.memory / 2 ** 20} MiB`);
}

async function inChromium(text) {
  const server = await serve({ '/npm/': join(web, 'npm'), '/resvg/': resvg }), chromium = new Chromium();
  const at = [`${server.url}/npm/index.js`, `${server.url}/resvg`],
        open = () => chromium.page(`${server.url}/npm/index.js`);
  try {
    tell('Chromium', 'text to pixels', await (await open()).evaluate(draws, ...at, text, rounds));
    tell('Chromium', 'loading', await loadInTurns(async (name) => {
      const page = await open(), ms = await page.evaluate(loads, name, ...at);
      await page.close();
      return ms;
    }));
  } finally {
    await chromium.close();
    server.close();
  }
}

const why = noPackage || noChromium || (tiger && resvg ? false : 'STIJL_TIGER and STIJL_RESVG have to be set');
if (why) {
  console.error(`loading.mjs: ${why}`);
  process.exitCode = 1;
} else {
  const text = readFileSync(tiger, 'utf8');
  await inNode(text);
  await inChromium(text);
}
