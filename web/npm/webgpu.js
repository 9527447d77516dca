// Draws by WebGPU. The module encodes a scene and writes programs (src/gpu/web.h): how large buffers have to be, what
// goes into them, what is dispatched. Here programs are carried out, and the module is told what the device has
// counted. If something did not fit, the module gives the program again, with larger buffers. What the device cannot
// do, the module draws.
import * as shaders from './webgpu-shaders.js';

let StijlError;  // the library's, which openGpu gets: workers import this file alone

const COMPUTE = 4, MAP_READ = 1, COPY_SRC = 4, COPY_DST = 8, UNIFORM = 64, STORAGE = 128, INDIRECT = 256,
      QUERY_RESOLVE = 512, COPY_TO_TEXTURE = 2, RENDER_ATTACHMENT = 16;  // as WebGPU has them
const NEEDED = 28;  // bytes in which a frame has counted what it needs (g_needs)
const TIMES = 32, MOST_PASSES = 14;  // where timestamps begin in what is read back, two for each pass
const PIXELS = 256;  // where the pixels begin in it
const ROW_BYTES = 256;  // rows of the target have a multiple of this many bytes
// These are steps that dispatch nothing, behind those of the stages (sj_web_op).
const OPS = ['clear', 'count', 'load', 'store'];
const PARAMS = 128;  // bytes of a stage's parameters
const MOST_RANGE = 2 ** 30;

/** Opens a device that has what the stages need; throws the reason if there is none. */
async function openDevice(gpu, { powerPreference, forceFallbackAdapter }) {
  if (!shaders.stages) throw new StijlError('UNSUPPORTED', 'this package was built without shaders');
  const adapter = await gpu.requestAdapter({ powerPreference, forceFallbackAdapter });
  if (!adapter) throw new StijlError('UNSUPPORTED', 'there is no WebGPU adapter');
  const most = Math.max(...Object.values(shaders.stages).map(({ bindings }) => bindings.length - 1));
  const { maxStorageBuffersPerShaderStage: buffers, maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  if (buffers < most)
    throw new StijlError('UNSUPPORTED', `the adapter has ${buffers} storage buffers a stage, and ${most} are needed`);
  const range = Math.min(maxStorageBufferBindingSize, maxBufferSize, MOST_RANGE);
  const requiredFeatures = adapter.features.has('timestamp-query') ? ['timestamp-query'] : [];
  const device =
    await adapter.requestDevice({ requiredFeatures, requiredLimits: { maxStorageBuffersPerShaderStage: most,
    maxStorageBufferBindingSize: range, maxBufferSize: Math.min(maxBufferSize, 2 * range) } });
  const { vendor, architecture, description } = adapter.info ?? {};
  return { device, range, name: description || [vendor, architecture].filter(Boolean).join(' ') || 'WebGPU' };
}

// A device and its pipelines, which all renderers of a page share.
class Pipelines {
  lost = null;
  last = Promise.resolve();  // the last frame that any renderer asked for, since errors are reported by device
  constructor({ device, range, name }) {
    Object.assign(this, { device, range, name, bindings: shaders.bindings,
      stages: Object.entries(shaders.stages).map(([name, stage]) => ({ name, ...stage })),
      checking: { ...shaders.check } });
    // The pipelines that draw filters, made when first needed, one for each kind of item.
    for (const [name, kind] of shaders.kinds)
      this.stages.push({ name: 'filters', rare: true, ...shaders.filters[name], chosen: [],
        constants: kind === undefined ? {} : { 0: kind } });
    if (device.features.has('timestamp-query')) {
      this.times = device.createQuerySet({ type: 'timestamp', count: 2 * MOST_PASSES });
      this.resolved = device.createBuffer({ size: 16 * MOST_PASSES, usage: QUERY_RESOLVE | COPY_SRC });
    }
    device.lost.then(({ message }) => { this.lost = `the device was lost: ${message}`; });
  }

  // Returns a promise, so that a pipeline which is asked for twice is made once. `variant` has a bit for each constant
  // that is chosen; without it the stage does everything.
  pipeline(stage, variant = null) {
    const { device } = this, { bindings, code, chosen = [], constants: own } = stage;
    stage.layout ??= device.createBindGroupLayout({ entries: bindings.map(([binding, type]) => ({
      binding, visibility: COMPUTE, buffer: { type, hasDynamicOffset: type === 'uniform' } })) });
    stage.module ??= device.createShaderModule({ code });
    stage.pipelines ??= new Map();
    const key = variant === null || !chosen.length ? null : chosen.reduce((bits, id) => bits | (variant & 1 << id), 0);
    if (!stage.pipelines.has(key)) {
      const constants = key === null ? own : Object.fromEntries(chosen.map((id) => [id, key >> id & 1]));
      const made = { pipeline: null, promise:
        device.createComputePipelineAsync({ layout: device.createPipelineLayout({ bindGroupLayouts: [stage.layout] }),
        compute: { module: stage.module, entryPoint: 'main', constants } }) };
      stage.pipelines.set(key, made);
      made.promise.then((pipeline) => { made.pipeline = pipeline; }, () => {});
    }
    return stage.pipelines.get(key);
  }

  /**
   * Sets the pipelines of steps: those that are specialised for what the frame has or, until all of these are compiled,
   * general ones, which give the same bits. `specialise`: 'later', 'wait' until they are compiled, or 'never'.
   */
  async pipelinesOf(steps, specialise) {
    const used = steps.filter(({ stage }) => stage),
          all = (way) => used.map(({ stage, variant }) => this.pipeline(stage, way ? variant : null));
    if (specialise !== 'never') {
      const special = all(true);
      if (specialise === 'wait') await Promise.all(special.map(({ promise }) => promise));
      if (special.every(({ pipeline }) => pipeline)) return used.forEach((step, i) => {
        step.pipeline = special[i].pipeline;
      });
    }
    const made = await Promise.all(all(false).map(({ promise }) => promise));
    used.forEach((step, i) => { step.pipeline = made[i]; });
  }

  /** Tells whether the kernel's functions give the right words on the device (src/gpu/check.h). */
  async check() {
    const { device } = this, { count, group: lanes, sum, ...stage } = this.checking,
          pipeline = await this.pipeline(stage).promise;
    const make = (size, usage) => device.createBuffer({ size, usage });
    const results = make(4 * count, STORAGE | COPY_SRC), params = make(PARAMS, UNIFORM),
          back = make(4 * count, COPY_DST | MAP_READ);
    const group = device.createBindGroup({ layout: stage.layout, entries: stage.bindings.map(([binding, type]) => ({
      binding, resource: { buffer: type === 'uniform' ? params : results } })) });
    const commands = device.createCommandEncoder(), pass = commands.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group, [0]);
    pass.dispatchWorkgroups(count / lanes);
    pass.end();
    commands.copyBufferToBuffer(results, 0, back, 0, 4 * count);
    device.queue.submit([commands.finish()]);
    await back.mapAsync(MAP_READ);
    const words = new Uint32Array(back.getMappedRange().slice(0));
    for (const buffer of [results, params, back]) buffer.destroy();
    return words.reduce((hash, word) => Math.imul(hash ^ word, 16777619), 0) >>> 0 === sum;
  }

  static #opened = new WeakMap();
  /**
   * Returns the pipelines of a navigator.gpu. The first call makes them, except those that few scenes need: the first
   * such frame does.
   */
  static async open(gpu, options) {
    if (!gpu) throw new StijlError('UNSUPPORTED', 'there is no WebGPU here');
    const all = Pipelines.#opened.get(gpu) ?? new Map(),
          kind = JSON.stringify([options.powerPreference, options.forceFallbackAdapter]);
    Pipelines.#opened.set(gpu, all);
    const opened = all.get(kind) ?? openDevice(gpu, options).then(async (found) => {
      const pipelines = new Pipelines(found);
      await Promise.all(pipelines.stages.filter(({ rare }) => !rare).map((stage) => pipelines.pipeline(stage).promise));
      return pipelines;
    });
    all.set(kind, opened);
    const forget = () => { if (all.get(kind) === opened) all.delete(kind); };
    const pipelines = await opened.catch((error) => { forget(); throw error; });
    pipelines.device.lost.then(forget);
    return pipelines;
  }
}

// A renderer's buffers on the device, and programs that run with them.
class Device {
  buffers = [];
  groups = new Map();  // of each stage
  canvases = new WeakSet();  // canvases that have been set up
  constructor(pipelines, specialise) {
    this.pipelines = pipelines;
    this.specialise = specialise;
    this.count = Object.keys(pipelines.bindings).length;
  }

  // Returns a buffer of at least so many bytes. Growing loses what it held, and zeroes it.
  buffer(index, bytes) {
    const old = this.buffers[index];
    if (old && old.size >= bytes) return old;
    const { bindings, range, device } = this.pipelines;
    old?.destroy();
    for (const stage of this.groups.keys())
      if (stage.bindings.some(([binding]) => binding === index))
        this.groups.delete(stage);
    const usage = index === this.count ? COPY_DST | MAP_READ : index === bindings.PARAMS ? UNIFORM | COPY_DST
      : STORAGE | COPY_SRC | COPY_DST | (index === bindings.CONTROL ? INDIRECT : 0);
    const size = Math.min(Math.max(256, old ? bytes + (bytes >>> 2) : bytes), range) + 255 & ~255;
    return (this.buffers[index] = device.createBuffer({ size: Math.max(bytes, size), usage }));
  }

  group(stage) {
    let group = this.groups.get(stage);
    if (!group) {
      group = this.pipelines.device.createBindGroup(
        { layout: stage.layout, entries: stage.bindings.map(([binding, type]) => ({
        binding, resource: { buffer: this.buffer(binding, 0), ...(type === 'uniform' && { size: PARAMS }) } })) });
      this.groups.set(stage, group);
    }
    return group;
  }

  // Makes the buffers of a program, fills them, and returns its steps.
  async prepare(module, address) {
    const { count, pipelines } = this, { device, stages } = pipelines;
    const words = module.words(address, 3 * count + 3).slice();
    const [last, stepCount, stepsAt] = words.subarray(3 * count);
    for (let i = 0; i < count; i++) {
      const [bytes, data, dataBytes] = words.subarray(3 * i);
      const buffer = this.buffer(i, bytes);
      if (dataBytes) device.queue.writeBuffer(buffer, 0, module.memory.buffer, data, dataBytes);
    }
    const steps = Array.from({ length: stepCount }, (_, i) => {
      const [op, x, y, params, variant] = module.words(stepsAt + 20 * i, 5);
      return { op, stage: stages[op], x, y, params, variant };
    });
    await pipelines.pipelinesOf(steps, this.specialise);
    return { last, steps, targetBytes: words[3 * pipelines.bindings.TARGET] };
  }

  // Writes steps into commands, and returns the stages with which the `timed` passes begin. `apart` makes each dispatch
  // a pass, so that its time is known. `first` is the pair of timestamps to begin with.
  encode(commands, steps, { timed: wanted = false, apart = false, first = 0 } = {}) {
    const { pipelines } = this, { bindings, stages, times } = pipelines, timed = [];
    const [lists, control, texels, target] =
      ['LISTS', 'CONTROL', 'TEXELS', 'TARGET'].map((name) => this.buffers[bindings[name]]);
    let pass = null;
    const end = () => { pass?.end(); pass = null; };
    const begin = (name) => {
      if (!wanted || !times || timed.length + first === MOST_PASSES) return commands.beginComputePass();
      const at = 2 * (timed.push(name) - 1 + first);
      return commands.beginComputePass(
        { timestampWrites: { querySet: times, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 } });
    };
    for (const { op, stage, x, y, params, pipeline } of steps) {
      if (stage) {
        if (apart) end();
        pass ??= begin(stage.name);
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, this.group(stage), [params]);
        if (x) pass.dispatchWorkgroups(x, y);
        else pass.dispatchWorkgroupsIndirect(control, y);
        continue;
      }
      end();
      const what = OPS[op - stages.length];
      if (what === 'clear') commands.clearBuffer(this.buffers[x]);
      else if (what === 'load') commands.copyBufferToBuffer(texels, 4 * x, target, 0, 4 * y);
      else if (what === 'store') commands.copyBufferToBuffer(target, 0, texels, 4 * x, 4 * y);
      else {
        commands.copyBufferToBuffer(control, 0, lists, 0, NEEDED);
        commands.clearBuffer(control);
      }
    }
    end();
    return timed;
  }

  // Submits commands, waits, and returns the first bytes of what they have copied for reading back.
  async submit(commands, back, bytes, passes) {
    const { device, times, resolved } = this.pipelines;
    if (passes) {
      commands.resolveQuerySet(times, 0, 2 * passes, resolved, 0);
      commands.copyBufferToBuffer(resolved, 0, back, TIMES, 16 * passes);
    }
    device.queue.submit([commands.finish()]);
    await back.mapAsync(MAP_READ, 0, bytes);
    const data = back.getMappedRange(0, bytes).slice(0);
    back.unmap();
    const stamps = new BigUint64Array(data, TIMES, 2 * passes);
    return { data, passMs: Array.from({ length: passes }, (_, i) => Number(stamps[2 * i + 1] - stamps[2 * i]) * 1e-6) };
  }

  /**
   * Carries out a program, and returns { needed, pixels, gpuMs }. Pixels, those of whole tiles, are read only if they
   * are wanted and the program is the frame's last. The time is null if the device has no clock.
   */
  async run(module, address, wanted) {
    const { last, steps, targetBytes } = await this.prepare(module, address),
          { device, bindings, times } = this.pipelines;
    const pixelBytes = last && wanted ? targetBytes : 0, back = this.buffer(this.count, PIXELS + pixelBytes);
    const commands = device.createCommandEncoder(), timed = this.encode(commands, steps, { timed: true });
    commands.copyBufferToBuffer(this.buffers[bindings.LISTS], 0, back, 0, NEEDED);
    if (pixelBytes) commands.copyBufferToBuffer(this.buffers[bindings.TARGET], 0, back, PIXELS, pixelBytes);
    const { data, passMs } = await this.submit(commands, back, PIXELS + pixelBytes, timed.length);
    this.steps = steps;
    return { needed: new Uint32Array(data, 0, NEEDED / 4), pixels: new Uint8Array(data, PIXELS),
      gpuMs: times ? passMs.reduce((a, b) => a + b, 0) : null };
  }

  /**
   * Carries out the last program again and again, and waits once. Returns { us, stages }: the microseconds of a frame
   * and, from one more frame, of each stage. Both are by the device's clock; without one, `us` is the host's and
   * `stages` null.
   */
  async repeat(frames) {
    const { pipelines, steps } = this, { device, times } = pipelines, back = this.buffer(this.count, PIXELS);
    const record = (write) => {
      const commands = device.createCommandEncoder();
      write(commands);
      return commands.finish();
    };
    const stamp = (index) => (commands) => {
      if (times) commands.beginComputePass({ timestampWrites: { querySet: times, endOfPassWriteIndex: index } }).end();
    };
    const many = [record(stamp(0)),
      ...Array.from({ length: frames }, () => record((commands) => this.encode(commands, steps))), record(stamp(1))];
    const start = performance.now();
    device.queue.submit(many);
    if (!times) {
      await device.queue.onSubmittedWorkDone();
      return { us: (performance.now() - start) * 1e3 / frames, stages: null };
    }
    const commands = device.createCommandEncoder(),
          timed = this.encode(commands, steps, { timed: true, apart: true, first: 1 });
    const { passMs: [ms, ...apart] } = await this.submit(commands, back, PIXELS, timed.length + 1), stages = {};
    timed.forEach((name, i) => { stages[name] = (stages[name] ?? 0) + apart[i] * 1e3; });
    return { us: ms * 1e3 / frames, stages };
  }

  /** Copies the device's picture to a canvas. */
  show(canvas, width, height) {
    const { device, bindings } = this.pipelines, commands = device.createCommandEncoder(),
          bytesPerRow = Math.ceil(width * 4 / ROW_BYTES) * ROW_BYTES;
    commands.copyBufferToTexture({ buffer: this.buffers[bindings.TARGET], bytesPerRow },
      { texture: this.texture(canvas, width, height) }, [width, height]);
    device.queue.submit([commands.finish()]);
  }

  /** Copies premultiplied pixels that WebAssembly has drawn to a canvas. */
  write(canvas, { width, height, data }) {
    const texture = this.texture(canvas, width, height);
    this.pipelines.device.queue.writeTexture({ texture }, data, { bytesPerRow: 4 * width }, [width, height]);
  }

  texture(canvas, width, height) {
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext('webgpu');
    if (!context) throw new StijlError('INVALID_ARGUMENT', 'the canvas has a context of another kind');
    if (!this.canvases.has(canvas)) {
      context.configure({ device: this.pipelines.device, format: 'rgba8unorm',
        usage: COPY_TO_TEXTURE | RENDER_ATTACHMENT, alphaMode: 'premultiplied' });
      this.canvases.add(canvas);
    }
    return context.getCurrentTexture();
  }

  // Forgets the buffers: after a failure it is not known what they hold.
  forget() {
    for (const buffer of this.buffers) buffer?.destroy();
    this.buffers = [];
    this.groups.clear();
  }
}

/** Draws by WebGPU what it can, and everything else as Renderer does. */
export class GpuRenderer {
  #tools; #device = null; #frames = null; #last = Promise.resolve(); #gpuMs = null;
  /** Why nothing is drawn by WebGPU; null if it is. */
  reason = null;
  /** Why the last frame was not drawn by WebGPU; null if it was. */
  frameReason = null;

  constructor(tools) { this.#tools = tools; }
  get backend() { return this.#device ? 'webgpu' : 'wasm'; }
  /** Returns the adapter's name, as the browser tells it. */
  get adapter() { return this.#device?.pipelines.name ?? null; }

  static async open(tools, { gpu = globalThis.navigator?.gpu, firstTiles = 0, maxRange = Infinity, selfTest = true,
    specialise = 'later', ...options }) {
    const renderer = new GpuRenderer(tools);
    try {
      if (!tools.module.exports.gpu_create) throw new StijlError('UNSUPPORTED', 'this module was built without WebGPU');
      await tools.stijl.ahead(['programs']);  // some places cannot load parts synchronously
      const pipelines = await Pipelines.open(gpu, options);
      renderer.#device = new Device(pipelines, specialise);
      renderer.#frames = tools.frames(Math.min(pipelines.range, maxRange), firstTiles);
      if (selfTest) await renderer.#inTurn(() => renderer.#test());
    } catch (error) {
      renderer.#close(error.message);
    }
    return renderer;
  }

  // Computes and draws with both. A device whose arithmetic differs from WebAssembly's is found out here.
  async #test() {
    const { stijl, renderer } = this.#tools;
    const wrong = (what) =>
      new StijlError('UNSUPPORTED', `${this.adapter} does not give the same bits: ${what} of the self-test differ`);
    if (!(await this.#device.pipelines.check())) throw wrong('results');
    for (const [what, make, size] of [['the picture', testScene, 96], ['the filters', testFilters, 48]]) {
      const scene = make(stijl), options = { width: size, height: size, format: 'rgba8' };
      const expected = renderer.render(scene, options).data, { data } = await this.#draw(scene, options);
      scene.free();
      const differ = expected.reduce((sum, byte, i) => sum + (byte !== data[i]), 0);
      if (differ) throw wrong(`${differ} of ${data.length} bytes of ${what}`);
    }
  }

  #close(reason) {
    this.reason = reason;
    this.#frames?.free();
    this.#device?.forget();
    this.#frames = this.#device = null;
  }

  // Frames wait for each other, also those of other renderers on the device.
  #inTurn(job) {
    const own = { last: this.#last }, line = this.#device?.pipelines ?? own, done = line.last.then(job);
    this.#last = line.last = done.catch(() => {});
    return done;
  }

  /**
   * Does what Renderer.render does, but later: frames are drawn in the order of the calls, each with its scene as it
   * was then. With a `canvas`, which gets the picture's size, the pixels go there and are not read back.
   */
  render(scene, options = {}) {
    const kept = this.#tools.keep(scene);
    return this.#inTurn(() => this.#render(kept, options)).finally(() => kept.free());
  }

  async #render(scene, options) {
    this.frameReason = this.reason;
    this.#gpuMs = null;
    if (this.#device) {
      try {
        return await this.#draw(scene, options);
      } catch (error) {
        if (this.#device.pipelines.lost) this.#close(this.#device.pipelines.lost);
        if (error instanceof StijlError && error.code !== 'LIMIT' && error.code !== 'DEVICE') throw error;
        this.frameReason = error.message;
      }
    }
    const { canvas } = options, { renderer } = this.#tools;
    if (!canvas) return renderer.render(scene, options);
    const drawn = renderer.render(scene, { ...options, format: this.#device ? 'rgba8' : 'rgba8-straight' }),
          { width, height } = drawn;
    if (this.#device) this.#device.write(canvas, drawn);
    else {
      const context = canvas.getContext('2d');
      if (!context) throw new StijlError('DEVICE', `this canvas cannot be drawn on any more: ${this.reason}`);
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      context.putImageData(drawn.toImageData(), 0, 0);
    }
    return { width, height, canvas };
  }

  async #draw(scene, options) {
    const { module, frameOf, picture, budgetOf } = this.#tools, { device } = this.#device.pipelines,
          frames = this.#frames.address;
    const { at, size, box, w, h, stride, format, number, matrix, color } = frameOf(module, scene, options);
    const budget = budgetOf(module, options), { canvas } = options;
    let result = 9, drawn, gpuMs = 0;  // STIJL_ERROR_DEVICE
    for (const kind of ['validation', 'out-of-memory', 'internal']) device.pushErrorScope(kind);
    try {
      const [matrixAt] = module.put(matrix);
      module.check(module.run('gpu_begin', frames, at, ...size, ...box, matrixAt, ...color, budget));
      try {
        for (let again = 1; again;) {
          const told = await this.#device.run(module, module.made(module.run('gpu_next', frames)), !canvas),
                { needed } = told;
          gpuMs = told.gpuMs === null ? null : gpuMs + told.gpuMs;
          again = module.lend(needed, (place) => module.run('gpu_told', frames, place));
          if (again < 0) throw module.error(module.run('last'));
          drawn = told.pixels;
        }
        this.#gpuMs = gpuMs;
        if (canvas) this.#device.show(canvas, w, h);
        result = 0;
        if (canvas) return { width: w, height: h, canvas };
        const data = new Uint8ClampedArray(stride * h), out = module.alloc(stride * h);
        try {
          module.lend(drawn, (place) => module.run('gpu_pixels', frames, place, number, out, stride));
          data.set(module.bytes(out, stride * h));
        } finally {
          module.free(out);
        }
        return picture(module, w, h, format, data);
      } finally {
        if (!module.broken) {
          const ended = module.run('gpu_end', frames, result);
          if (!result) module.check(ended);
        }
      }
    } finally {
      if (budget && !module.broken) module.run('budget_destroy', budget);
      const errors = await Promise.all([device.popErrorScope(), device.popErrorScope(), device.popErrorScope()]);
      const error = errors.find(Boolean);
      if (error || result) {
        this.#device.forget();
        if (!module.broken) module.run('gpu_forget', frames);
      }
      if (error) throw new StijlError('DEVICE', error.message);
    }
  }

  /**
   * Returns numbers of the last frame. `batches`: submissions that drew a part of it; `retries`: submissions whose
   * buffers were too small; `surfaces`: layers with filters, masks and tiles of patterns that the device drew, not
   * WebAssembly; `gpuMs`: the device's time for all submissions, null if it has no clock.
   */
  stats() {
    const { module } = this.#tools;
    if (!this.#frames) return this.#tools.renderer.stats();
    module.run('gpu_stats', this.#frames.address);
    const [encodeMs, draws, batches, retries, surfaces] = module.doubles(module.scratch(), 5);
    return { encodeMs, draws, batches, retries, surfaces, gpuMs: this.#gpuMs };
  }

  /**
   * Draws the last frame again, for measurements: `frames` times, without waiting or reading in between. Returns { us,
   * stages }: the microseconds of a frame and of each stage run alone; `stages` is null if the device has no clock.
   * Fails unless WebGPU drew the frame in one submission.
   */
  repeat(frames = 1) {
    return this.#inTurn(() => {
      if (this.frameReason || this.stats().batches !== 1)
        throw new StijlError('INVALID_STATE', 'the last frame was not drawn by WebGPU in one submission');
      return this.#device.repeat(frames);
    });
  }

  /** Frees the renderer once the frames that have been asked for are drawn. */
  free() {
    this.#inTurn(async () => {
      this.#close('this GpuRenderer has been freed');
      this.#tools.renderer.free();
    });
  }
}

/**
 * Makes a renderer that draws by WebGPU if the device gives the same bits. Else it draws by WebAssembly, and its
 * `reason` tells why.
 */
export function openGpu(stijl, { threads, maxLayerBytes, ...options } = {}) {
  const tools = stijl.gpuTools({ threads, maxLayerBytes });
  ({ StijlError } = tools);
  return GpuRenderer.open(tools, options);
}

/** Makes a scene with every kind of arithmetic that could differ between devices. */
function testScene(stijl) {
  const scene = stijl.scene(), path = stijl.path();
  let seed = 1;
  const random = (most) => { seed = Math.imul(seed, 1103515245) + 12345 >>> 0; return (seed >>> 8) / 16777216 * most; };
  const point = () => [random(110) - 7, random(110) - 7], stops = () =>
          [0, 0.3, 1].map((offset) => ({ offset, color: [random(1), random(1), random(1), 0.4 + random(0.6)] }));
  const some = () => path.clear().moveTo(...point()).cubicTo(...point(), ...point(), ...point())
    .quadTo(...point(), ...point()).lineTo(...point()).close();
  const paints = [() => [random(1), random(1), random(1), random(1)],
    () => ({ from: point(), to: point(), stops: stops(), spread: 'reflect' }),
    () =>
      ({ kind: 'radial', center: point(), radius: 10 + random(100), focus: point(), stops: stops(), spread: 'repeat' }),
    () => ({ kind: 'sweep', center: point(), stops: stops() })];
  const image = stijl.imageFromPixels(8, 8, Uint8Array.from({ length: 256 }, () => random(256)));
  paints.push(() => ({ image, spread: 'reflect', sampling: ['nearest', 'bilinear', 'bicubic'][Math.floor(random(3))],
    transform: [3 + random(9), random(4), -random(4), 5, ...point()] }));
  const blends = ['normal', 'multiply', 'soft-light', 'color-dodge', 'hue', 'luminosity'];
  for (let i = 0; i < 48; i++) {
    const paint = paints[i % paints.length]();
    if (i % 12 === 0)
      scene.pushLayer({ opacity: 0.3 + random(0.7), blend: blends[i / 12 % blends.length], clip: some() });
    if (i % 3) scene.fill(some(), paint, { rule: i % 2 ? 'nonzero' : 'evenodd' });
    else scene.stroke(some(), paint, { width: random(20), cap: ['butt', 'round', 'square'][i / 3 % 3],
      join: ['miter', 'round', 'bevel'][i / 3 % 3], dashes: i % 2 ? [random(30), random(20)] : undefined });
    if (i % 12 === 9) scene.popLayer();
  }
  image.free();
  scene.finish();
  path.free();
  return scene;
}

// This layer has a filter: small and large blurs, noise, light, pixels from elsewhere, and what is computed from these.
function testFilters(stijl) {
  const scene = stijl.scene(), path = stijl.path().moveTo(6, 30).cubicTo(10, -12, 50, 4, 40, 42).lineTo(20, 26).close(),
        filter = stijl.filter();
  const soft = filter.blur('source', 1.5, 1), wide = filter.blur('source', 7, 3, { linear: true });
  const noise = filter.turbulence({ frequency: [0.07, 0.11], octaves: 2, seed: 3 });
  const lit = filter.specularLight(soft,
    { kind: 'point', position: [10, 12, 20], color: [1, 0.8, 0.5, 1], surfaceScale: 4, exponent: 12 });
  const moved = filter.displace(filter.dilate(wide, 2, 1), noise, 14, 'r', 'g');
  const sharp = filter.convolve(moved, { kernel: [0, -1, 0, -1, 5.5, -1, 0, -1, 0.5] });
  filter.merge([filter.css(noise, 'hue-rotate', 40), filter.blend(soft, sharp, 'multiply'), lit]);
  scene.pushLayer({ filter });
  scene.fill(path, { from: [0, 0], to: [48, 40],
    stops: [{ offset: 0, color: [1, 0.2, 0, 1] }, { offset: 1, color: [0, 0.6, 1, 0.5] }] });
  scene.popLayer();
  scene.finish();
  filter.free();
  path.free();
  return scene;
}
