// Drawing by WebGPU, in Chromium and in Deno on their software drivers: the golden scenes, and documents, have the bits
// of the native build. STIJL_WEBGPU_DOCUMENTS: each so many of the documents are drawn; by default 60.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import test from 'node:test';

import { Chromium, noChromium, serve } from './chromium.mjs';
import { Deno, noDeno } from './deno.mjs';
import { documents, native, nativeTests, noPackage, root, suite, web } from './native.mjs';

const WIDTH = 200;
const flags = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan',
  '--use-vulkan=swiftshader'];
const noShaders = statSync(join(web, 'npm/webgpu.js'), { throwIfNoEntry: false })?.size > 1e5 ? false :
  'the package was built without shaders (naga)';
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
  const { load } = await import(`${base}/index.js`), { openGpu } = await import(`${base}/webgpu.js`),
        stijl = await load({ ahead: true });
  Object.assign(globalThis, { base, stijl, openGpu, gpu: await openGpu(stijl) });
  return true;
}

async function drawsGolden(names) {
  // From small buffers, and by stages that are specialised by what each scene has.
  const small = await openGpu(stijl, { firstTiles: 1, selfTest: false, specialise: 'wait' }), results = {};
  for (const name of names) {
    const { scene, width, height, background } =
      stijl.savedScene(await (await fetch(`${base}/scenes/${name}.stijl`)).arrayBuffer());
    // Shaders are compiled meanwhile, on machines that are busy: that is no reason to give the frame up.
    const hash = async (one) => {
      const { data } = await one.render(scene, { width, height, background, format: 'rgba8', maxSeconds: 1000 });
      return [one.frameReason, stijl.hash(data)];
    };
    results[name] = [...await hash(gpu), ...await hash(small), small.stats().retries];
    scene.free();
  }
  small.free();
  return results;
}

async function drawsDocument(path, width) {
  const svg = stijl.svg(await (await fetch(`${base}/suite/${path}`)).arrayBuffer()), size = svg.fit({ width }),
        scene = svg.scene(size);
  const { data } = await gpu.render(scene, { ...size.canvas, maxSeconds: 1000 });
  scene.free();
  svg.free();
  return [stijl.hash(data), gpu.frameReason];
}

// Draws a line of so many segments that a workgroup gets more of them than it has room for curves.
async function drawsManySegments() {
  const results = [];
  for (const specialise of ['wait', 'never']) {
    const renderer = await openGpu(stijl, { specialise, selfTest: false }), path = stijl.path().moveTo(0, 0);
    for (let i = 0; i < 40000; i++) path.lineTo(i / 160, 60 + (i * 7919 % 13 - 6) * 3 + 50 * Math.sin(i / 50));
    const scene = stijl.scene().fill(path.close(), 'teal', { rule: 'evenodd' }).finish(),
          size = { width: 250, height: 125 };
    const expected = stijl.renderer().render(scene, size).data,
          { data } = await renderer.render(scene, { ...size, maxSeconds: 1000 });
    results.push([renderer.frameReason, expected.reduce((sum, byte, i) => sum + (byte !== data[i]), 0)]);
    renderer.free();
  }
  return results;
}

// Surfaces: every primitive of filters, masks, patterns and images, from small buffers that grow; again, when what has
// been planned and uploaded is used again, and larger, when more texels are needed. [of, surfaces of the device, why
// not, bytes that differ]
async function drawsSurfaces(primitives) {
  const row = (make) => Array.from({ length: 60 }, (_, i) => make(i % 10 * 18, Math.floor(i / 10) * 20, i)).join('');
  const documents = {
    primitives,
    shadows: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="140"><filter id="f"><feDropShadow stdDeviation="1.5" dy="2" flood-color="#036"/></filter>
      ${row((x, y, i) => `<path d="M${x + 3} ${y + 3}h9l${i % 5} 11z" fill="hsl(${i * 6} 80% 50%)" filter="url(#f)"/>`)}</svg>`,
    wide: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="140"><filter id="f" x="-2" y="-2" width="5" height="5"><feGaussianBlur stdDeviation="230 9"/>
      <feComponentTransfer><feFuncA type="linear" slope="9"/></feComponentTransfer></filter><rect x="40" y="40" width="110" height="60" fill="#a50" filter="url(#f)"/></svg>`,
    masks: `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="140"><pattern id="p" width="23" height="17" patternUnits="userSpaceOnUse" patternTransform="rotate(20)">
      <circle cx="9" cy="8" r="7" fill="teal"/><g opacity=".5"><path d="M0 0h12v12z"/></g></pattern><mask id="m"><rect width="200" height="140" fill="url(#p)"/><circle cx="90" cy="60" r="40" fill="#fff"/></mask>
      <image width="60" height="60" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR4nGP8z8Dwn4GBgYGJAQoAHxcCAr7pLqEAAAAASUVORK5CYII="/>
      <g mask="url(#m)"><rect width="200" height="140" fill="url(#p)" stroke="#c30" stroke-width="30"/></g></svg>`,
  };
  const results = [], cpu = stijl.renderer(), options = { maxSeconds: 1000 };
  const renderers = [await openGpu(stijl, { firstTiles: 1, selfTest: false, specialise: 'wait' }),
    await openGpu(stijl, { selfTest: false, specialise: 'never' }),
    await openGpu(stijl, { maxRange: 160000, firstTiles: 1, selfTest: false, specialise: 'never' })];
  for (const [of, text] of Object.entries(documents)) {
    const svg = stijl.svg(text), width = Math.ceil(svg.width), height = Math.ceil(svg.height),
          scene = svg.scene({ width, height });
    for (const one of renderers.slice(0, width > 200 ? 2 : 3)) for (const scale of [0.5, 1, 1]) {
      const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale),
        transform: [scale, 0, 0, scale, 0, 0], ...options };
      const expected = cpu.render(scene, size).data, { data } = await one.render(scene, size);
      results.push(
        [of, one.stats().surfaces, one.frameReason, expected.reduce((sum, byte, i) => sum + (byte !== data[i]), 0)]);
    }
    scene.free();
    svg.free();
  }
  for (const one of renderers) one.free();
  return results;
}

// Draws two that fall back: without WebGPU, and for a frame that is too large.
async function fallsBack() {
  const none = await openGpu(stijl, { gpu: null }),
        tiny = await openGpu(stijl, { maxRange: 65536, firstTiles: 1, selfTest: false });
  const path = stijl.path().rect(1, 1, 200, 100), scene = stijl.scene().fill(path, 'red').finish();
  const size = { width: 300, height: 150 }, expected = stijl.hash(stijl.renderer().render(scene, size).data),
        results = [];
  for (const one of [none, tiny]) {
    const { data } = await one.render(scene, size);
    results.push([one.backend, one.reason, one.frameReason, stijl.hash(data) === expected]);
    one.free();
  }
  return results;
}

// Draws on a canvas, by WebGPU and, from a renderer that is without, by WebAssembly: does it show what is drawn into
// memory? And frames of two renderers at a time, of scenes that are freed meanwhile.
async function drawsOnCanvases() {
  const draw = (color) => stijl.scene().fillAll('white').fill(stijl.path('M10 5 90 30 40 70Z'), color).finish(),
        size = { width: 90, height: 75 };
  const shown = (canvas) => {
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    return stijl.hash(context.getImageData(0, 0, canvas.width, canvas.height).data);
  };
  const scene = draw('#17c'), expected = stijl.hash(stijl.renderer().render(scene, size).data), results = [];
  for (const one of [gpu, await openGpu(stijl, { gpu: null }),
    await openGpu(stijl, { maxRange: 4096, firstTiles: 1, selfTest: false })]) {
    const canvas = new OffscreenCanvas(1, 1);
    await one.render(scene, { ...size, canvas });
    results.push([one.backend, one.frameReason === null, shown(canvas) === expected]);
  }
  const other = await openGpu(stijl, { firstTiles: 1, selfTest: false }),
        frames = [gpu, other, gpu, other].map((one) => {
    const scene = draw('#17c'), frame = one.render(scene, size);
    scene.free();
    return frame;
  });
  other.free();
  for (const frame of frames) results.push(stijl.hash((await frame).data) === expected);
  return results;
}

// Fails the test by a device whose sums and products are off by one bit in the shaders that have that text: what guards
// them is not zero.
async function failsTheTest(text) {
  const create = GPUDevice.prototype.createShaderModule, { requestAdapter } = navigator.gpu;
  GPUDevice.prototype.createShaderModule = function ({ code }) {
    return create.call(this, { code: code.includes(text) ? code.replaceAll(/\w+\.params\[7u\]\[3u\]/g, '1u') : code });
  };
  try {
    const other =
      await openGpu(stijl, { gpu: { requestAdapter: (options) => requestAdapter.call(navigator.gpu, options) } });
    const path = stijl.path().rect(1, 1, 20, 10), scene = stijl.scene().fill(path, 'red').finish(),
          size = { width: 30, height: 20 };
    const same =
      stijl.hash((await other.render(scene, size)).data) === stijl.hash(stijl.renderer().render(scene, size).data);
    return [other.backend, other.reason, same];
  } finally {
    GPUDevice.prototype.createShaderModule = create;
  }
}

// Runs the lab, with the clock of the device and with the host's: what has been verified, and the JSON. A kernel with a
// fault is found.
async function runsLab() {
  const { bars, runLab } = await import(`${base}/lab.js`), runs = [];
  for (const [clock, only] of [[true, undefined], [false, ['transpose']]]) {
    const { device, wrongs, tables, plots, json } =
      await runLab({ clock, only, selfTest: async () => ({ reason: null }) });
    const times = tables.flatMap(({ columns, rows }) => {
      const [us, low, high] = ['us', 'low', 'high'].map((key) => columns.findIndex(([name]) => name === key));
      return us < 0 ? [] : rows.map((row) => row[low] <= row[us] && row[us] <= row[high] && row[high] > 0);
    });
    const drawn = plots.map((plot) => new Set(stijl.render(bars(plot, { words: false })).data).size > 1);
    runs.push({ timer: device.timer, wrongs, keys: tables.map(({ key }) => key), times, drawn, passed: json.passed,
      json: JSON.stringify(json) });
  }
  const { requestAdapter } = navigator.gpu, create = GPUDevice.prototype.createShaderModule;
  GPUDevice.prototype.createShaderModule = function ({ code }) {
    return create.call(this, { code: code.replaceAll('31u', '30u') });
  };
  try {
    const { wrongs, json } = await runLab(
      { only: ['transpose'], gpu: { requestAdapter: (options) => requestAdapter.call(navigator.gpu, options) } });
    runs.push({ wrongs, passed: json.passed });
  } finally {
    GPUDevice.prototype.createShaderModule = create;
  }
  return runs;
}

test('the page shows what WebGPU draws, and that it differs nowhere', { skip: places.Chromium.skip }, async (t) => {
  const server = await serve({ '/': join(web, 'page/') }), browser = new Chromium([...flags, '--disable-gpu']);
  try {
    const page = await browser.page(`${server.url}/`), ready = 'document.documentElement.dataset.state === "ready"';
    await page.waitFor(ready, 60000);
    if (!(await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()))))
      return t.skip('no WebGPU adapter');
    await page.evaluate(() => {
      const show = document.getElementById('show');
      document.documentElement.dataset.state = 'chosen';
      show.value = 'webgpu';
      show.dispatchEvent(new Event('change'));
    });
    await page.waitFor(ready, 240000);
    const shown =
      await page.evaluate(() => ['gpu', 'gpu-differ', 'status'].map((id) => document.getElementById(id).textContent));
    assert.match(shown[0], / ms$/);
    assert.equal(shown[1], 'none', shown[2]);
    assert.match(shown[2], /swiftshader/i);
    await page.evaluate(() => {
      document.getElementById('tab-lab').click();
      document.getElementById('lab-run').click();
    });
    const said = await page.waitFor("['ready', 'failed'].includes(document.documentElement.dataset.lab) && document.getElementById('lab-status').textContent", 240000);
    assert.match(said, /every result is right/);
    const lab = await page.evaluate(() => ({
      found: document.querySelectorAll('#lab-verdict li').length,
      // That bars have been drawn, of colours of their own.
      plots: [...document.querySelectorAll('#lab-results canvas')].map((canvas) => canvas.getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height).data.some((byte, i) => i % 4 === 3 && byte === 255)),
      wide: document.documentElement.scrollWidth - innerWidth,
    }));
    assert.ok(lab.found >= 9 && lab.plots.length === 7 && lab.plots.every(Boolean) && lab.wide === 0,
      JSON.stringify(lab));
    if (process.env.STIJL_TEST_SHOTS)
      writeFileSync(join(process.env.STIJL_TEST_SHOTS, 'lab.png'), await page.screenshot());
    if (process.env.STIJL_AXE) {
      await page.evaluate(`${readFileSync(process.env.STIJL_AXE, 'utf8')}\n;0`);
      assert.deepEqual(await page.evaluate(async () => (await axe.run())
        .violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)), []);
    }
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
    const { evaluate, close } = await open(server.url)
      .then((one) => ({ evaluate: one.evaluate.bind(one), close: one.close.bind(one) }));
    try {
      if (!(await evaluate(loads, server.url))) return t.skip('no WebGPU adapter');
      await t.test('the device passes the self-test', async () => {
        // Its last picture is that of filters, which the device has to have drawn.
        assert.deepEqual(await evaluate(async () => [gpu.backend, gpu.reason, gpu.stats().surfaces > 0]),
          ['webgpu', null, true]);
        t.diagnostic(await evaluate(async () => gpu.adapter));
      });
      await t.test('the golden scenes have their bits, from small buffers that grow, too',
        { skip: existsSync(pictures) ? false : 'there is no native build' }, async () => {
        execFileSync(pictures, ['hashes'], { env: { ...process.env, STIJL_GOLDEN_SAVE: saved } });
        const golden = Object.fromEntries(readFileSync(join(root, 'tests/golden/pictures.txt'), 'utf8').trim()
          .split('\n').map((line) => line.split(' ')));
        const results = await evaluate(drawsGolden, Object.keys(golden));
        for (const [name, hash] of Object.entries(golden))
          assert.deepEqual(results[name].slice(0, 4), [null, hash, null, hash], name);
        assert.ok(Object.values(results).some(([, , , , retries]) => retries > 0));
      });
      await t.test('documents have the bits of the native build', async (t) => {
        const step = Number(process.env.STIJL_WEBGPU_DOCUMENTS ?? 60);
        const surfaces = (path) => /filters|mask|pattern/.test(relative(suite, path));
        const files = documents().filter((path, i) => (i % step === 0 || (surfaces(path) && i % step % 12 === 0)) &&
          !relative(suite, path).startsWith('..'));
        const expected = files.length ? native(files, WIDTH) : 'the SVG suite is not here';
        if (typeof expected === 'string') return t.skip(expected);
        const differing = [];
        for (const { path, hash } of expected.filter(({ hash }) => hash)) {
          const name = relative(suite, path), url = name.split(sep).map(encodeURIComponent).join('/'),
                [result, reason] = await evaluate(drawsDocument, url, WIDTH);
          if (result !== hash || reason) differing.push([name, reason]);
        }
        t.diagnostic(`${files.length} documents, ${differing.length} differ`);
        assert.deepEqual(differing, []);
      });
      await t.test('lines of very many segments have their bits', async () => {
        assert.deepEqual(await evaluate(drawsManySegments), [[null, 0], [null, 0]]);
      });
      await t.test('surfaces and filters have their bits, and the device draws them', async () => {
        const results = await evaluate(drawsSurfaces, readFileSync(join(root, 'docs/filters.svg'), 'utf8'));
        for (const [of, surfaces, reason, differ] of results)
          assert.deepEqual([of, reason, differ], [of, null, 0], surfaces);
        // The last of the renderers has too little room for the wide blur.
        assert.deepEqual(results.filter(([, surfaces]) => !surfaces).map(([of]) => of), ['wide', 'wide']);
      });
      await t.test('what WebGPU cannot draw the module draws, and tells why', async () => {
        const [none, tiny] = await evaluate(fallsBack);
        assert.deepEqual(none, ['wasm', 'there is no WebGPU here', 'there is no WebGPU here', true]);
        assert.deepEqual([tiny[0], tiny[1], tiny[3]], ['webgpu', null, true]);
        assert.match(tiny[2], /more than the device draws at a time/);
      });
      await t.test('canvases show it; renderers take turns', { skip: place === 'Deno' ? 'no canvas' : false },
        async () => {
        assert.deepEqual(await evaluate(drawsOnCanvases),
          [['webgpu', true, true], ['wasm', false, true], ['webgpu', false, true], true, true, true, true]);
      });
      await t.test('a frame is repeated, and leaves the next one as it was', async () => {
        const [us, stages, same] = await evaluate(async () => {
          const scene = stijl.scene().fill(stijl.path('M1 1 60 9 30 70Z'), 'teal').finish(),
                size = { width: 64, height: 75 };
          const before = stijl.hash((await gpu.render(scene, size)).data), { us, stages } = await gpu.repeat(3);
          return [us, stages && Object.keys(stages), stijl.hash((await gpu.render(scene, size)).data) === before];
        });
        assert.ok(us > 0 && same);
        if (stages) assert.ok(stages.includes('fine'), stages);
      });
      await t.test('the lab measures, and verifies what it measures', async (t) => {
        const [all, submissions, faulty] = await evaluate(runsLab);
        for (const run of [all, submissions]) {
          assert.deepEqual([run.wrongs, run.passed], [[], true]);
          assert.ok(run.times.every(Boolean) && run.drawn.every(Boolean), run.json);
        }
        assert.deepEqual(all.keys, ['ceilings', 'bandwidth', 'contraction', 'orders', 'widths', 'layouts', 'transpose',
          'matmul', 'shapes', 'selftest']);
        assert.equal(submissions.timer, 'submissions');
        assert.ok(!faulty.passed && faulty.wrongs.some((text) => /words are wrong/.test(text)), faulty.wrongs);
        const file = join(saved, 'lab.json'), command = join(nativeTests, '../cli/stijl');
        writeFileSync(file, all.json);
        const native = existsSync(command) &&
          spawnSync(command, ['lab', 'transpose', '--quick', '--against', file], { encoding: 'utf8', timeout: 60000 });
        if (native?.status !== 0) return t.diagnostic('not compared with the native lab: it has no device');
        assert.match(native.stdout, /transpose\/padded +\d/);
      });
      await t.test('a device with other arithmetic is refused', async () => {
        for (const [text, what] of [['', /does not give the same bits: results/],
          [': Items;', /bytes of the filters of the self-test differ/]]) {
          const [backend, reason, same] = await evaluate(failsTheTest, text);
          assert.deepEqual([backend, same], ['wasm', true]);
          assert.match(reason, what);
        }
      });
    } finally {
      await close();
      server.close();
      rmSync(saved, { recursive: true });
    }
  });
}
