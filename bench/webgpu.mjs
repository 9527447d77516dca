// webgpu.mjs: the WebGPU backend in Deno, on whatever Vulkan driver the machine has: are its pictures those of the
// native build, and how long do frames take? Prints JSON lines.
//
//   deno run -A --unstable-webgpu bench/webgpu.mjs [--hashes FILE [--seconds MOST]] [--fonts FOLDER] [--specialise
//     never] [--quick] [PICTURE.svg:WIDTHxHEIGHT...]
//
// FILE: lines "HASH WIDTH HEIGHT PATH" as tests/golden/hashes prints them, of pictures WIDTH wide, or of saved scenes
// (.stijl) with the hash of their pixels in RGBA8; fonts are what `hashes` was given. Of each PICTURE:
//   back_to_back  one frame again and again, submitted at once; nobody waits for it or reads it; by the device's clock
//   device        a frame onto a texture, waited for
//   memory        the same into memory
// --quick: the latter are left out.
//   stages        by the device's clock, one after the other, right behind frames back to back
// Each but the last is the median of the last five batches, which agree within 1.5 % unless four seconds have passed.
// Deno 2.9 asks every 10 ms whether a device is done, which is most of what `device` and `memory` have of small
// pictures. STIJL_WEB: the folder with npm/ in it (build-web).
const root = new URL('..', import.meta.url), web = Deno.env.get('STIJL_WEB') ?? new URL('build-web', root).pathname;
const from = (name) => import(new URL(`npm/${name}`, `file://${web}/`)), { load } = await from('index.js'),
      { openGpu } = await from('webgpu.js');
const args = [...Deno.args], option = (name) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : null);
const stijl = await load(), specialise = option('--specialise') ?? 'wait', opening = performance.now(),
      gpu = await openGpu(stijl, { powerPreference: 'high-performance', specialise });
const quick = args.includes('--quick') && args.splice(args.indexOf('--quick'), 1);
const print = (value) => console.log(JSON.stringify(value));
print(
  { adapter: gpu.adapter, backend: gpu.backend, reason: gpu.reason, specialise, open_ms: performance.now() - opening });

const hashes = option('--hashes'), seconds = Number(option('--seconds') ?? Infinity), fontFolder = option('--fonts'),
      ROUND = 0.015, AGREEING = 5, MAX_MS = 4000, BATCH_MS = 100;

/** Font files in a folder and below, added to fonts. */
async function fontsOf(folder) {
  const fonts = stijl.fonts();
  const add = async (path) => {
    for (const { name, isDirectory } of [...Deno.readDirSync(path)].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isDirectory) await add(`${path}/${name}`);
      else if (/\.[ot]tf$/.test(name)) fonts.add(await Deno.readFile(`${path}/${name}`));
    }
  };
  await add(folder);
  // What the suite wants generic families to stand for.
  for (const [family, name] of Object.entries(
    { default: 'Noto Sans', serif: 'Noto Serif', 'sans-serif': 'Noto Sans', cursive: 'Yellowtail',
    fantasy: 'Sedgwick Ave Display', monospace: 'Noto Mono' })) fonts.setFamily(family, name);
  return fonts;
}

async function hashOf(path, width, fonts) {
  const data = await Deno.readFile(path), saved = path.endsWith('.stijl') ? stijl.savedScene(data) : null;
  const svg = saved ? null : stijl.svg(data, { fonts }), size = svg?.fit({ width }),
        scene = saved?.scene ?? svg.scene(size);
  const options = saved ? { width: saved.width, height: saved.height, background: saved.background, format: 'rgba8' }
    : size.canvas;
  const hash = stijl.hash((await gpu.render(scene, options)).data);
  scene.free();
  svg?.free();
  return hash;
}

async function compare(list) {
  const fonts = fontFolder ? await fontsOf(fontFolder) : undefined, differing = [], byModule = [],
        start = performance.now();
  let compared = 0;
  for (const [hash, width, , ...path] of list) {
    const name = path.join(' '), got = await hashOf(name, Number(width), fonts);
    compared++;
    if (gpu.frameReason) byModule.push([name, gpu.frameReason]);
    if (got !== hash) differing.push(name);
    if (performance.now() - start > seconds * 1e3) break;
  }
  print({ compared, of: list.length, differing, byModule, seconds: (performance.now() - start) / 1e3 });
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Microseconds of a frame, by a function that draws a batch and gives its figure. */
async function settled(batch) {
  const start = performance.now(), values = [];
  for (;;) {
    values.push(await batch());
    const last = values.slice(-AGREEING),
          agree = values.length >= 2 * AGREEING && Math.max(...last) <= Math.min(...last) * (1 + ROUND);
    if (agree || performance.now() - start > MAX_MS)
      return { us: median(last), first_us: values[0], batches: values.length, agree };
  }
}

/** A canvas for machines that have none: a texture. */
function textureCanvas() {
  let device, texture;
  return { width: 0, height: 0, getContext() {
    return { configure: (options) => { device = options.device; },
      getCurrentTexture: () => (texture ??= device.createTexture(
        { size: [this.width, this.height], format: 'rgba8unorm', usage: GPUTextureUsage.COPY_DST })) };
  } };
}

async function measure(picture) {
  const [, path, width, height] = picture.match(/^(.*):(\d+)x(\d+)$/),
        size = { width: Number(width), height: Number(height) };
  const svg = stijl.svg(await Deno.readFile(path)), scene = svg.scene(size),
        options = { ...size, background: 'white', format: 'rgba8' };
  const canvas = textureCanvas(), expected = stijl.hash(stijl.renderer().render(scene, options).data);
  const same = stijl.hash((await gpu.render(scene, options)).data) === expected;
  const start = performance.now();
  await gpu.render(scene, options);
  const most = Math.ceil(BATCH_MS / (performance.now() - start));
  const each = (most, draw) => async () => {
    const us = [], frames = Math.min(most, 40);
    for (let i = 0; i < frames; i++) {
      const start = performance.now();
      await draw();
      us.push((performance.now() - start) * 1e3);
    }
    return median(us);
  };
  const { encodeMs, gpuMs } = gpu.stats(),
        device = quick ? null : await settled(each(most, () => gpu.render(scene, { ...options, canvas })));
  const { us } = await gpu.repeat(1), frames = Math.min(Math.max(Math.round(BATCH_MS * 1e3 / us), 1), 400);
  let stages;
  const backToBack = await settled(async () => {
    const repeated = await gpu.repeat(frames);
    ({ stages } = repeated);
    return repeated.us;
  });
  const memory = quick ? null : await settled(each(most, () => gpu.render(scene, options)));
  print({ picture, same, frameReason: gpu.frameReason, back_to_back: backToBack, device, memory,
    gpu_us: gpuMs === null ? null : gpuMs * 1e3,
    encode_us: encodeMs * 1e3, stages });
  scene.free();
  svg.free();
}

if (hashes)
  await compare(Deno.readTextFileSync(hashes).trim().split('\n').map((line) => line.split(' '))
    .filter(([word]) => word !== 'ERROR'));
for (const picture of args) await measure(picture);
