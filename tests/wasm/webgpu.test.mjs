// Drawing by WebGPU in Chromium, on its software driver: the golden scenes, and documents, give the bits of the native build.
// STIJL_WEBGPU_DOCUMENTS: each so many of the documents; by default 60.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import test from 'node:test';

import { Chromium, noChromium, serve } from './chromium.mjs';
import { documents, native, nativeTests, noPackage, root, suite, web } from './native.mjs';

const WIDTH = 200;
const flags = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader'];
const noShaders = existsSync(join(web, 'npm/webgpu-shaders.js')) ? false : 'the package was built without shaders (naga)';
const pictures = join(nativeTests, 'golden/test_pictures');
const saved = mkdtempSync(join(tmpdir(), 'stijl-scenes-'));
let skip = noPackage || noShaders || noChromium, server, browser, page;

test.before(async () => {
  if (skip) return;
  server = await serve({ '/': join(web, 'npm'), '/scenes/': saved, '/suite/': suite });
  browser = new Chromium(flags);
  page = await browser.page(`${server.url}/package.json`);
  skip = await page.evaluate(async () => ((await navigator.gpu?.requestAdapter()) ? false : 'no WebGPU adapter'));
  if (skip) return;
  await page.evaluate(async () => {
    globalThis.stijl = await (await import('/index.js')).load();
    globalThis.gpu = await stijl.gpu();
  });
});
test.after(async () => {
  await browser?.close();
  server?.close();
  rmSync(saved, { recursive: true });
});

test('the device passes the self-test', async (t) => {
  if (skip) return t.skip(skip);
  assert.deepEqual(await page.evaluate(() => [gpu.backend, gpu.reason]), ['webgpu', null]);
});

test('the golden scenes have their bits, from small buffers that grow, too', async (t) => {
  if (skip) return t.skip(skip);
  if (!existsSync(pictures)) return t.skip('there is no native build to compare with');
  execFileSync(pictures, ['hashes'], { env: { ...process.env, STIJL_GOLDEN_SAVE: saved } });
  const golden = Object.fromEntries(readFileSync(join(root, 'tests/golden/pictures.txt'), 'utf8').trim().split('\n').map((line) => line.split(' ')));
  const results = await page.evaluate(async (names) => {
    const small = await stijl.gpu({ firstTiles: 1, selfTest: false }), results = {};
    for (const name of names) {
      const { scene, width, height, background } = stijl.savedScene(await (await fetch(`/scenes/${name}.stijl`)).arrayBuffer());
      const hash = async (one) => [one.frameReason, stijl.hash((await one.render(scene, { width, height, background, format: 'rgba8' })).data)];
      results[name] = [...await hash(gpu), ...await hash(small), small.stats().retries];
      scene.free();
    }
    small.free();
    return results;
  }, Object.keys(golden));
  let retries = 0;
  for (const [name, hash] of Object.entries(golden)) {
    assert.deepEqual(results[name].slice(0, 4), [null, hash, null, hash], name);
    retries += results[name][4];
  }
  assert.ok(retries > 0);
});

test('documents have the bits of the native build', async (t) => {
  const step = Number(process.env.STIJL_WEBGPU_DOCUMENTS ?? 60);
  const files = documents().filter((path, i) => i % step === 0 && !relative(suite, path).startsWith('..'));
  const expected = skip || !files.length ? [] : native(files, WIDTH);
  const why = skip || (!files.length ? 'the SVG suite is not here' : typeof expected === 'string' ? expected : false);
  if (why) return t.skip(why);
  const differing = [];
  let drawn = 0;
  for (const { path, hash } of expected) {
    if (!hash) continue;
    const [result, reason] = await page.evaluate(async (url, width) => {
      const svg = stijl.svg(await (await fetch(url)).arrayBuffer());
      const { fit } = await import('/index.js'), size = fit(svg, width), scene = svg.scene(size);
      const { data } = await gpu.render(scene, { width: Math.ceil(size.width), height: Math.max(1, Math.ceil(size.height)) });
      scene.free();
      svg.free();
      return [stijl.hash(data), gpu.frameReason];
    }, `${server.url}/suite/${relative(suite, path)}`, WIDTH);
    if (result !== hash || reason) differing.push([relative(suite, path), reason]);
    drawn++;
  }
  t.diagnostic(`${drawn} documents, ${differing.length} differ`);
  assert.deepEqual(differing, []);
});

test('what WebGPU cannot draw the module draws, and tells why', async (t) => {
  if (skip) return t.skip(skip);
  const results = await page.evaluate(async () => {
    const none = await stijl.gpu({ gpu: null }), tiny = await stijl.gpu({ maxRange: 65536, firstTiles: 1, selfTest: false });
    const path = stijl.path().rect(1, 1, 200, 100), scene = stijl.scene().fill(path, 'red').finish();
    const size = { width: 300, height: 150 }, expected = stijl.hash(stijl.renderer().render(scene, size).data), results = [];
    for (const one of [none, tiny]) {
      const { data } = await one.render(scene, size);
      results.push([one.backend, one.reason, one.frameReason, stijl.hash(data) === expected]);
      one.free();
    }
    return results;
  });
  assert.deepEqual(results[0], ['wasm', 'there is no WebGPU here', 'there is no WebGPU here', true]);
  assert.deepEqual([results[1][0], results[1][1], results[1][3]], ['webgpu', null, true]);
  assert.match(results[1][2], /more than the device draws at a time/);
});
