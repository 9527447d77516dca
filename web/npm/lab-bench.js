// What the lab measures with: a WebGPU device, its buffers and kernels, and their times.
import { StijlError } from './module.js';

const COMPUTE = 4, MAP_READ = 1, COPY_SRC = 4, COPY_DST = 8, UNIFORM = 64, STORAGE = 128, QUERY_RESOLVE = 512;  // as WebGPU has them
const PARAMS_BYTES = 128, MOST_REPEATS = 200;
const SUBMISSION_US = 1500;  // that a submission takes, or so much more that the clock's step is a twentieth of it
const HOST_SLACK_US = 50;
export const WORD = 2654435761;  // word i of what is read is i times this

const byNumber = (a, b) => a - b;
/** The median, and the interval in which it lies by 95 %: order statistics, as src/lab/lab.c has it. */
export function medianOf(values) {
  const all = [...values].sort(byNumber), count = all.length, half = 1.96 * Math.sqrt(count) / 2;
  const at = (i) => all[Math.min(Math.max(i, 0), count - 1)];
  return { us: (all[count - 1 >> 1] + all[count >> 1]) / 2, low: at(Math.floor(count / 2 - half)), high: at(Math.ceil(count / 2 + half)) };
}

const gcd = (a, b) => (b ? gcd(b, a % b) : a);

export class Bench {
  /** Microseconds by which a device's clock steps; of submissions, by how much those without work differ. */
  stepUs = 0;
  #empty = { us: 0, low: 0, high: 0 };
  #layouts = new Map(); #pipelines = new Map(); #buffers = [];

  constructor(fields) {
    Object.assign(this, fields);
    const { device } = this;
    if (device.features.has('timestamp-query')) {
      this.times = device.createQuerySet({ type: 'timestamp', count: 2 });
      this.resolved = this.buffer(16, QUERY_RESOLVE | COPY_SRC);
      this.stamps = this.buffer(16, COPY_DST | MAP_READ);
    }
  }

  /** The adapter's device, with all that it can do of what is measured. `clock`: false to time submissions in any case. */
  static async open(gpu, { powerPreference, forceFallbackAdapter, clock = true, size } = {}) {
    if (!gpu) throw new StijlError('UNSUPPORTED', 'there is no WebGPU here');
    const shaders = await import('./lab-shaders.js').catch(() => null);
    if (!shaders) throw new StijlError('UNSUPPORTED', 'this package was built without shaders');
    const adapter = await gpu.requestAdapter({ powerPreference, forceFallbackAdapter });
    if (!adapter) throw new StijlError('UNSUPPORTED', 'there is no WebGPU adapter');
    const names = ['maxStorageBufferBindingSize', 'maxBufferSize', 'maxComputeWorkgroupStorageSize', 'maxComputeInvocationsPerWorkgroup',
      'maxComputeWorkgroupSizeX', 'maxComputeWorkgroupSizeY'];
    const requiredLimits = Object.fromEntries(names.map((name) => [name, adapter.limits[name]]));
    const requiredFeatures = clock && adapter.features.has('timestamp-query') ? ['timestamp-query'] : [];
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    const { vendor = '', architecture = '', description = '', isFallbackAdapter } = adapter.info ?? {};
    const name = description || [vendor, architecture].filter(Boolean).join(' ') || 'WebGPU';
    const software = Boolean(isFallbackAdapter) || /llvmpipe|lavapipe|swiftshader|basic render/i.test(`${name} ${architecture}`);
    const bench = new Bench({ device, shaders, name, software, quick: software || size !== 'full', limits: device.limits });
    device.lost.then(({ reason, message }) => { if (reason !== 'destroyed') bench.lost = `the device was lost: ${message}`; });
    await bench.#learn();
    bench.stay();
    return bench;
  }

  close() { this.device.destroy(); }

  // --- Buffers ---

  buffer(bytes, usage = STORAGE | COPY_SRC | COPY_DST) {
    const buffer = this.device.createBuffer({ size: bytes, usage });
    this.#buffers.push(buffer);
    return buffer;
  }

  /** Frees what has been made since the last time, but for what is to stay. */
  free() { for (const buffer of this.#buffers.splice(0)) buffer.destroy(); }
  stay() { this.#buffers = []; }

  /** The largest power of two of bytes that is no more than `wanted`, and that a buffer can have. */
  size(wanted) {
    const most = Math.min(wanted, this.limits.maxStorageBufferBindingSize, this.limits.maxBufferSize);
    return 2 ** Math.floor(Math.log2(most));
  }

  /** Word i of a buffer becomes i times the factor. */
  async number(buffer, bytes, factor = WORD) {
    const words = bytes / 4, groups = Math.min(Math.ceil(words / 256), 8192);
    await this.once({ name: 'numbering', kernel: 'number', buffers: { 0: buffer }, push: [words, factor], groups: [groups] });
  }

  async read(buffer, bytes, Type = Uint32Array) {
    const back = this.device.createBuffer({ size: bytes, usage: COPY_DST | MAP_READ }), commands = this.device.createCommandEncoder();
    commands.copyBufferToBuffer(buffer, 0, back, 0, bytes);
    this.device.queue.submit([commands.finish()]);
    await back.mapAsync(MAP_READ);
    const data = new Type(back.getMappedRange().slice(0));
    back.destroy();
    return data;
  }

  // --- Kernels ---

  async #pipeline(name, constants) {
    const { device, shaders } = this, kernel = shaders.kernels[name], key = JSON.stringify([name, constants]);
    if (!this.#layouts.has(name)) this.#layouts.set(name, device.createBindGroupLayout({ entries: kernel.bindings.map(([binding, type]) => ({
      binding, visibility: COMPUTE, buffer: { type } })) }));
    const layout = this.#layouts.get(name);
    if (!this.#pipelines.has(key)) this.#pipelines.set(key, await device.createComputePipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ code: kernel.code }), entryPoint: 'main', constants } }));
    return { pipeline: this.#pipelines.get(key), layout, bindings: kernel.bindings };
  }

  /** Makes what a case needs that runs: { name, kernel, constants, buffers, push, groups, bytes, workingSet, operations }. */
  async #ready(one) {
    if (one.ready) return one.ready;
    const { device } = this, { pipeline, layout, bindings } = await this.#pipeline(one.kernel, one.constants ?? {});
    const params = this.buffer(PARAMS_BYTES, UNIFORM | COPY_DST);
    device.queue.writeBuffer(params, 0, Uint32Array.from(one.push ?? [0]));  // Deno does not take none
    const group = device.createBindGroup({ layout, entries: bindings.map(([binding, type]) => ({
      binding, resource: { buffer: type === 'uniform' ? params : one.buffers[binding] } })) });
    return (one.ready = { pipeline, group });
  }

  // --- Times ---

  /** So many dispatches of a case, waited for: microseconds of all. One dispatch waits for the one before, which wrote where it writes. */
  async #submit(one, count) {
    const { device, times } = this, ready = one && await this.#ready(one), commands = device.createCommandEncoder();
    if (one) {
      const pass = commands.beginComputePass(times ? { timestampWrites: { querySet: times, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } } : {});
      pass.setPipeline(ready.pipeline);
      pass.setBindGroup(0, ready.group);
      for (let i = 0; i < count; i++) pass.dispatchWorkgroups(...one.groups);
      pass.end();
    }
    if (times && one) {
      commands.resolveQuerySet(times, 0, 2, this.resolved, 0);
      commands.copyBufferToBuffer(this.resolved, 0, this.stamps, 0, 16);
    }
    const list = commands.finish(), start = performance.now();
    device.queue.submit([list]);
    // One wait, where two could be had: Deno asks every 10 ms whether it is over.
    await (times && one ? this.stamps.mapAsync(MAP_READ) : device.queue.onSubmittedWorkDone());
    const waited = (performance.now() - start) * 1e3;
    if (this.lost) throw new StijlError('DEVICE', this.lost);
    if (!times || !one) return { us: waited, waited };
    const [begin, end] = new BigUint64Array(this.stamps.getMappedRange().slice(0));
    this.stamps.unmap();
    return { us: Number(end - begin) * 1e-3, waited, begin, end };
  }

  // By how much the clock steps, which browsers make coarse; or how long a submission takes that does nothing.
  async #learn() {
    const one = { name: 'nothing', kernel: 'nothing', groups: [1] }, stamps = [], empty = [];
    for (let i = 0; i < 12; i++) {
      const { begin, end } = await this.#submit(one, 1);
      if (this.times) stamps.push(begin, end);
      empty.push((await this.#submit(null, 0)).us);
    }
    if (this.times) {
      const nanoseconds = stamps.reduce((all, stamp) => gcd(all, stamp), 0n);
      this.stepUs = Math.min(Number(nanoseconds) * 1e-3, 1000);  // a clock that stands still shows as times of 0
    } else {
      this.#empty = medianOf(empty);
      this.stepUs = this.#empty.high - this.#empty.low;
    }
  }

  async once(one) {
    await this.#submit(one, 1);
    delete one.ready;
  }

  // Microseconds of one dispatch.
  async #sample(one, count, wrong) {
    const { us, waited } = await this.#submit(one, count);
    if (this.times && us > waited * 1.01 + HOST_SLACK_US + this.stepUs)
      wrong(`${one.name}: the device says it took ${us.toFixed(1)} us, and the host has waited ${waited.toFixed(1)} us for it`);
    return Math.max(us - (this.times ? 0 : this.#empty.us), 0) / count;
  }

  /**
   * Measures cases in turns, so that whatever changes meanwhile changes all of them: each gets `us`, `low`, `high`: the median of
   * rounds and its interval, wider by what the clock's step is of a dispatch.
   */
  async time(cases, { wrong, signal }) {
    const rounds = this.quick ? 5 : 15, samples = cases.map(() => []), counts = [];
    const least = Math.max(SUBMISSION_US, this.stepUs * 20);
    for (const one of cases) {
      await this.#sample(one, 1, wrong);
      let count = 1;  // until it is long enough to be told
      for (; !one.once && count < MOST_REPEATS; count = Math.min(count * 4, MOST_REPEATS)) {
        const us = await this.#sample(one, count, wrong);
        if (us * count < least / 4) continue;
        count = Math.min(Math.max(Math.round(least / us), 1), MOST_REPEATS);
        break;
      }
      counts.push(count);
      signal?.throwIfAborted();
    }
    for (let round = 0; round < rounds; round++) {
      for (let k = 0; k < cases.length; k++) {
        const i = (round + k) % cases.length;  // so that none is always the first
        samples[i].push(await this.#sample(cases[i], counts[i], wrong));
      }
      signal?.throwIfAborted();
    }
    for (const [i, one] of cases.entries()) {
      const { us, low, high } = medianOf(samples[i]), step = this.stepUs / counts[i];
      Object.assign(one, { us, low: Math.max(low - step, 0), high: high + step, repeats: counts[i] });
      delete one.ready;
    }
  }

  /** Keeps the device at work until its clock stands: six runs in a row differ by less than 0.5 %. */
  async warm(one) {
    if (this.software) return;
    const [leastMs, mostMs] = this.quick ? [20, 200] : [100, 3000], start = performance.now(), last = [];
    for (;;) {
      last.push((await this.#submit(one, 8)).us);
      const spent = performance.now() - start, six = last.slice(-6);
      if (spent > mostMs || (six.length === 6 && spent > leastMs && Math.max(...six) < Math.min(...six) * 1.005)) break;
    }
    delete one.ready;
  }
}
