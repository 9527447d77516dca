// Drawing by WebGPU, in Chromium and in Deno on their software drivers: the golden scenes, and documents, have the bits of the
// native build. STIJL_WEBGPU_DOCUMENTS: each so many of the documents are drawn; by default 60.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import test from 'node:test';

import { Chromium, noChromium, serve } from './chromium.mjs';
import { Deno, noDeno } from './deno.mjs';
import { documents, native, nativeTests, noPackage, root, suite, web } from './native.mjs';

const WIDTH = 200;
const flags = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader'];
const noShaders = existsSync(join(web, 'npm/webgpu-shaders.js')) ? false : 'the package was built without shaders (naga)';
const missing = noPackage || noShaders;
const pictures = join(nativeTests, 'golden/test_pictures');

/** Chromium and Deno, each as { evaluate(function, ...values), close() }. */
const places = {
  Chromium: { skip: missing || noChromium, async open(url) {
    const browser = new Chromium([...flags, '--use-angle=swiftshader']);  // with canvases on the GPU
    const { evaluate } = await browser.page(`${url}/package.json`);
    return { evaluate, close: () => browser.close() };
  } },
  Deno: { skip: missing || noDeno, open: async () => new Deno() },
};

async function loads(base) {
  if (!(await navigator.gpu?.requestAdapter())) return false;
  const { load, fit } = await import(`${base}/index.js`);
  Object.assign(globalThis, { base, fit, stijl: await load() });
  globalThis.gpu = await stijl.gpu();
  return true;
}

async function drawsGolden(names) {
  const small = await stijl.gpu({ firstTiles: 1, selfTest: false }), results = {};
  for (const name of names) {
    const { scene, width, height, background } = stijl.savedScene(await (await fetch(`${base}/scenes/${name}.stijl`)).arrayBuffer());
    const hash = async (one) => [one.frameReason, stijl.hash((await one.render(scene, { width, height, background, format: 'rgba8' })).data)];
    results[name] = [...await hash(gpu), ...await hash(small), small.stats().retries];
    scene.free();
  }
  small.free();
  return results;
}

async function drawsDocument(path, width) {
  const svg = stijl.svg(await (await fetch(`${base}/suite/${path}`)).arrayBuffer()), size = fit(svg, width), scene = svg.scene(size);
  const { data } = await gpu.render(scene, { width: Math.ceil(size.width), height: Math.max(1, Math.ceil(size.height)) });
  scene.free();
  svg.free();
  return [stijl.hash(data), gpu.frameReason];
}

// Two that fall back: without WebGPU, and for a frame that is too large.
async function fallsBack() {
  const none = await stijl.gpu({ gpu: null }), tiny = await stijl.gpu({ maxRange: 65536, firstTiles: 1, selfTest: false });
  const path = stijl.path().rect(1, 1, 200, 100), scene = stijl.scene().fill(path, 'red').finish();
  const size = { width: 300, height: 150 }, expected = stijl.hash(stijl.renderer().render(scene, size).data), results = [];
  for (const one of [none, tiny]) {
    const { data } = await one.render(scene, size);
    results.push([one.backend, one.reason, one.frameReason, stijl.hash(data) === expected]);
    one.free();
  }
  return results;
}

// On a canvas, by WebGPU and, from a renderer that is without, by WebAssembly: does it show what is drawn into memory? And
// frames of two renderers at a time, of scenes that are freed meanwhile.
async function drawsOnCanvases() {
  const draw = (color) => stijl.scene().fillAll('white').fill(stijl.path('M10 5 90 30 40 70Z'), color).finish(), size = { width: 90, height: 75 };
  const shown = (canvas) => {
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return stijl.hash(context.getImageData(0, 0, canvas.width, canvas.height).data);
  };
  const scene = draw('#17c'), expected = stijl.hash(stijl.renderer().render(scene, size).data), results = [];
  for (const one of [gpu, await stijl.gpu({ gpu: null }), await stijl.gpu({ maxRange: 4096, firstTiles: 1, selfTest: false })]) {
    const canvas = new OffscreenCanvas(1, 1);
    await one.render(scene, { ...size, canvas });
    results.push([one.backend, one.frameReason === null, shown(canvas) === expected]);
  }
  const other = await stijl.gpu({ firstTiles: 1, selfTest: false }), frames = [gpu, other, gpu, other].map((one) => {
    const scene = draw('#17c'), frame = one.render(scene, size);
    scene.free();
    return frame;
  });
  other.free();
  for (const frame of frames) results.push(stijl.hash((await frame).data) === expected);
  return results;
}

// A device whose sums and products are off by one bit: what guards them is not zero.
async function failsTheTest() {
  const create = GPUDevice.prototype.createShaderModule, { requestAdapter } = navigator.gpu;
  GPUDevice.prototype.createShaderModule = function ({ code }) {
    return create.call(this, { code: code.replaceAll(/\w+\.params\[7u\]\[3u\]/g, '1u') });
  };
  try {
    const other = await stijl.gpu({ gpu: { requestAdapter: (options) => requestAdapter.call(navigator.gpu, options) } });
    const path = stijl.path().rect(1, 1, 20, 10), scene = stijl.scene().fill(path, 'red').finish(), size = { width: 30, height: 20 };
    const same = stijl.hash((await other.render(scene, size)).data) === stijl.hash(stijl.renderer().render(scene, size).data);
    return [other.backend, other.reason, same];
  } finally {
    GPUDevice.prototype.createShaderModule = create;
  }
}

test('the page shows what WebGPU draws, and that it differs nowhere', { skip: places.Chromium.skip }, async (t) => {
  const server = await serve({ '/': join(web, 'page/') }), browser = new Chromium([...flags, '--disable-gpu']);
  try {
    const page = await browser.page(`${server.url}/`), ready = 'document.documentElement.dataset.state === "ready"';
    await page.waitFor(ready, 60000);
    if (!(await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter())))) return t.skip('no WebGPU adapter');
    await page.evaluate(() => {
      const show = document.getElementById('show');
      document.documentElement.dataset.state = 'chosen';
      show.value = 'webgpu';
      show.dispatchEvent(new Event('change'));
    });
    await page.waitFor(ready, 100000);
    const shown = await page.evaluate(() => ['gpu', 'gpu-differ', 'status'].map((id) => document.getElementById(id).textContent));
    assert.match(shown[0], / ms$/);
    assert.equal(shown[1], 'none', shown[2]);
    assert.match(shown[2], /swiftshader/i);
    assert.deepEqual(page.errors, []);
  } finally {
    await browser.close();
    server.close();
  }
});

for (const [place, { skip, open }] of Object.entries(places)) {
  test(`WebGPU in ${place}`, { skip }, async (t) => {
    const saved = mkdtempSync(join(tmpdir(), 'stijl-scenes-'));
    const server = await serve({ '/': join(web, 'npm'), '/scenes/': saved, '/suite/': suite });
    const { evaluate, close } = await open(server.url).then((one) => ({ evaluate: one.evaluate.bind(one), close: one.close.bind(one) }));
    try {
      if (!(await evaluate(loads, server.url))) return t.skip('no WebGPU adapter');
      await t.test('the device passes the self-test', async () => {
        assert.deepEqual(await evaluate(async () => [gpu.backend, gpu.reason]), ['webgpu', null]);
        t.diagnostic(await evaluate(async () => gpu.adapter));
      });
      await t.test('the golden scenes have their bits, from small buffers that grow, too', { skip: existsSync(pictures) ? false : 'there is no native build' }, async () => {
        execFileSync(pictures, ['hashes'], { env: { ...process.env, STIJL_GOLDEN_SAVE: saved } });
        const golden = Object.fromEntries(readFileSync(join(root, 'tests/golden/pictures.txt'), 'utf8').trim().split('\n').map((line) => line.split(' ')));
        const results = await evaluate(drawsGolden, Object.keys(golden));
        for (const [name, hash] of Object.entries(golden)) assert.deepEqual(results[name].slice(0, 4), [null, hash, null, hash], name);
        assert.ok(Object.values(results).some(([, , , , retries]) => retries > 0));
      });
      await t.test('documents have the bits of the native build', async (t) => {
        const step = Number(process.env.STIJL_WEBGPU_DOCUMENTS ?? 60);
        const files = documents().filter((path, i) => i % step === 0 && !relative(suite, path).startsWith('..'));
        const expected = files.length ? native(files, WIDTH) : 'the SVG suite is not here';
        if (typeof expected === 'string') return t.skip(expected);
        const differing = [];
        for (const { path, hash } of expected.filter(({ hash }) => hash)) {
          const name = relative(suite, path), url = name.split(sep).map(encodeURIComponent).join('/'), [result, reason] = await evaluate(drawsDocument, url, WIDTH);
          if (result !== hash || reason) differing.push([name, reason]);
        }
        t.diagnostic(`${files.length} documents, ${differing.length} differ`);
        assert.deepEqual(differing, []);
      });
      await t.test('what WebGPU cannot draw the module draws, and tells why', async () => {
        const [none, tiny] = await evaluate(fallsBack);
        assert.deepEqual(none, ['wasm', 'there is no WebGPU here', 'there is no WebGPU here', true]);
        assert.deepEqual([tiny[0], tiny[1], tiny[3]], ['webgpu', null, true]);
        assert.match(tiny[2], /more than the device draws at a time/);
      });
      await t.test('canvases show it; renderers take turns', { skip: place === 'Deno' ? 'no canvas' : false }, async () => {
        assert.deepEqual(await evaluate(drawsOnCanvases), [['webgpu', true, true], ['wasm', false, true], ['webgpu', false, true], true, true, true, true]);
      });
      await t.test('a device with other arithmetic is refused', async () => {
        const [backend, reason, same] = await evaluate(failsTheTest);
        assert.deepEqual([backend, same], ['wasm', true]);
        assert.match(reason, /does not give the same bits/);
      });
    } finally {
      await close();
      server.close();
      rmSync(saved, { recursive: true });
    }
  });
}
