// Measures for the lab: a WebGPU device, its buffers and kernels, and their times.
import { StijlError } from './error.js';

// These are as WebGPU has them.
const COMPUTE = 4, MAP_READ = 1, COPY_SRC = 4, COPY_DST = 8, UNIFORM = 64, STORAGE = 128, QUERY_RESOLVE = 512;
const PARAMS_BYTES = 128, MOST_REPEATS = 200, MOST_PASSES = 32;
const SAMPLE_US = 1500;  // a sample takes so long, or longer if the clock's step is more than a twentieth of it
// Submissions take so long each, and so many are under way: more than the 10 ms after which Deno asks.
const PART_US = 20000, FLYING = 2;
const WITNESS_US = 500, SLOW = 1.03, MOST_WARMING = 2000;
const HOST_SLACK_US = 50;
export const WORD = 2654435761;  // word i of what is read is i times this

const byNumber = (a, b) => a - b;
/** Returns the median and its 95 % confidence interval by order statistics, as src/lab/lab.c does. */
export function medianOf(values) {
  const all = [...values].sort(byNumber), count = all.length, half = 1.96 * Math.sqrt(count) / 2;
  const at = (i) => all[Math.min(Math.max(i, 0), count - 1)];
  return { us: (all[count - 1 >> 1] + all[count >> 1]) / 2, low: at(Math.floor(count / 2 - half)),
    high: at(Math.ceil(count / 2 + half)) };
}

const gcd = (a, b) => (b ? gcd(b, a % b) : a);

export class Bench {
  /**
   * The step of the device's clock in microseconds or, without a clock, by how much submissions without work differ.
   */
  stepUs = 0;
  #empty = { us: 0, low: 0, high: 0 };
  #layouts = new Map(); #pipelines = new Map(); #buffers = []; #stamps = [];
  #pace = null;  // shows whether the device still has its frequency: { one, count, us of one dispatch }

  constructor(fields) {
    Object.assign(this, fields);
    const { device } = this;
    if (device.features.has('timestamp-query')) {
      this.times = device.createQuerySet({ type: 'timestamp', count: 2 * MOST_PASSES });
      this.resolved = this.buffer(16 * MOST_PASSES, QUERY_RESOLVE | COPY_SRC);
    }
  }

  /**
   * Opens the adapter's device with every feature and limit that the lab uses. `clock` false: times submissions in any
   * case.
   */
  static async open(gpu, { powerPreference, forceFallbackAdapter, clock = true, size } = {}) {
    if (!gpu) throw new StijlError('UNSUPPORTED', 'there is no WebGPU here');
    const shaders = await import('./lab-shaders.js');
    if (!shaders.kernels) throw new StijlError('UNSUPPORTED', 'this package was built without shaders');
    const adapter = await gpu.requestAdapter({ powerPreference, forceFallbackAdapter });
    if (!adapter) throw new StijlError('UNSUPPORTED', 'there is no WebGPU adapter');
    const names = ['maxStorageBufferBindingSize', 'maxBufferSize', 'maxComputeWorkgroupStorageSize',
      'maxComputeInvocationsPerWorkgroup',
      'maxComputeWorkgroupSizeX', 'maxComputeWorkgroupSizeY'];
    const requiredLimits = Object.fromEntries(names.map((name) => [name, adapter.limits[name]]));
    const requiredFeatures = clock && adapter.features.has('timestamp-query') ? ['timestamp-query'] : [];
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    const { vendor = '', architecture = '', description = '', isFallbackAdapter } = adapter.info ?? {};
    const name = description || [vendor, architecture].filter(Boolean).join(' ') || 'WebGPU';
    const software = Boolean(isFallbackAdapter) ||
      /llvmpipe|lavapipe|swiftshader|basic render/i.test(`${name} ${architecture}`);
    const bench =
      new Bench({ device, shaders, name, software, quick: software || size !== 'full', limits: device.limits });
    device.lost.then(({ reason, message }) => {
      if (reason !== 'destroyed') bench.lost = `the device was lost: ${message}`;
    });
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

  /** Destroys the buffers that were made since the last free() or stay(). */
  free() { for (const buffer of this.#buffers.splice(0)) buffer.destroy(); }
  /** Keeps the buffers that were made since then as long as the device. */
  stay() { this.#buffers = []; }

  /** Returns the largest power of two of bytes that is at most `wanted` and that a buffer can have. */
  size(wanted) {
    const most = Math.min(wanted, this.limits.maxStorageBufferBindingSize, this.limits.maxBufferSize);
    return 2 ** Math.floor(Math.log2(most));
  }

  /** Sets word i of a buffer to i times the factor. */
  async number(buffer, bytes, factor = WORD) {
    const words = bytes / 4, groups = Math.min(Math.ceil(words / 256), 8192);
    await this.once(
      { name: 'numbering', kernel: 'number', buffers: { 0: buffer }, push: [words, factor], groups: [groups] });
  }

  async read(buffer, bytes, Type = Uint32Array) {
    const back = this.device.createBuffer({ size: bytes, usage: COPY_DST | MAP_READ }),
          commands = this.device.createCommandEncoder();
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
    if (!this.#layouts.has(name))
      this.#layouts.set(name, device.createBindGroupLayout({ entries: kernel.bindings.map(([binding, type]) => ({
      binding, visibility: COMPUTE, buffer: { type } })) }));
    const layout = this.#layouts.get(name);
    if (!this.#pipelines.has(key)) this.#pipelines.set(key, await device.createComputePipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ code: kernel.code }), entryPoint: 'main', constants } }));
    return { pipeline: this.#pipelines.get(key), layout, bindings: kernel.bindings };
  }

  /**
   * Makes the pipeline and bind group of a case: { name, kernel, constants, buffers, push, groups, bytes, workingSet,
   * operations }.
   */
  async #ready(one) {
    if (one.ready) return one.ready;
    const { device } = this, { pipeline, layout, bindings } = await this.#pipeline(one.kernel, one.constants ?? {});
    const params = this.buffer(PARAMS_BYTES, UNIFORM | COPY_DST);
    device.queue.writeBuffer(params, 0, Uint32Array.from(one.push ?? [0]));  // Deno refuses to write nothing
    const group = device.createBindGroup({ layout, entries: bindings.map(([binding, type]) => ({
      binding, resource: { buffer: type === 'uniform' ? params : one.buffers[binding] } })) });
    return (one.ready = { pipeline, group });
  }

  // --- Times ---

  /**
   * Submits dispatches at once: [[case, count]]. Returns { us: how long all dispatches of each case took, waited: how
   * long the host waited }. Each dispatch waits for the one before, because both write the same memory. Without a clock
   * the list may have one case at most.
   */
  async #submit(list) {
    const { device, times } = this, commands = device.createCommandEncoder(), bytes = 16 * list.length;
    for (const [one] of list) await this.#ready(one);
    const stamps = times && list.length ?
      this.#stamps.pop() ?? device.createBuffer({ size: 16 * MOST_PASSES, usage: COPY_DST | MAP_READ }) : null;
    for (const [i, [one, count]] of list.entries()) {
      const { pipeline, group } = one.ready,
            timestampWrites = { querySet: times, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 };
      const pass = commands.beginComputePass(times ? { timestampWrites } : {});
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      for (let k = 0; k < count; k++) pass.dispatchWorkgroups(...one.groups);
      pass.end();
    }
    if (stamps) {
      commands.resolveQuerySet(times, 0, 2 * list.length, this.resolved, 0);
      commands.copyBufferToBuffer(this.resolved, 0, stamps, 0, bytes);
    }
    const made = commands.finish(), start = performance.now();
    device.queue.submit([made]);
    // This waits once for two things, since Deno asks only every 10 ms whether something is over.
    await (stamps ? stamps.mapAsync(MAP_READ, 0, bytes) : device.queue.onSubmittedWorkDone());
    const waited = (performance.now() - start) * 1e3;
    if (this.lost) throw new StijlError('DEVICE', this.lost);
    if (!stamps) return { us: [waited], waited };
    const all = new BigUint64Array(stamps.getMappedRange(0, bytes).slice(0));
    stamps.unmap();
    this.#stamps.push(stamps);
    return { us: list.map((_, i) => Number(all[2 * i + 1] - all[2 * i]) * 1e-3), waited, all };
  }

  // Does the same; a failure shows when it is waited for.
  #launch(list) {
    const promise = this.#submit(list);
    promise.catch(() => {});
    return promise;
  }

  // Finds by how much the clock steps, which browsers make coarse; or how long a submission takes that does nothing.
  async #learn() {
    const one = { name: 'nothing', kernel: 'nothing', groups: [1] }, stamps = [], empty = [];
    for (let i = 0; i < 12; i++) {
      const { all = [] } = await this.#submit([[one, 1]]);
      stamps.push(...all);
      if (!this.times) empty.push((await this.#submit([])).us[0]);
    }
    if (this.times) {
      const nanoseconds = stamps.reduce((all, stamp) => gcd(all, stamp), 0n);
      this.stepUs = Math.min(Number(nanoseconds) * 1e-3, 1000);  // a clock that stands still gives times of 0
    } else {
      this.#empty = medianOf(empty);
      this.stepUs = this.#empty.high - this.#empty.low;
    }
  }

  async once(one) {
    await this.#submit([[one, 1]]);
    delete one.ready;
  }

  /**
   * Runs samples, { one, count }, and sets the `us` of each to the time of one dispatch. If the device has a clock,
   * several are submitted at a time, and more before these are over: a device that idles lowers its frequency. Each
   * submission begins with the warming case, which shows the frequency. If that case is slow, the whole submission is
   * run again, for `again` samples at most. Returns how many samples were kept although they are slow.
   */
  async #run(samples, { wrong, signal, again = 0 }) {
    const queue = [...samples], flying = [];
    let slow = 0;
    const land = async () => {
      const { part, witness, promise } = flying.shift(), { us, waited } = await promise,
            sum = us.reduce((a, b) => a + b, 0);
      signal?.throwIfAborted();
      const names = [...new Set(part.map(({ one }) => one.name))].join(', ');
      if (this.times && sum > waited * 1.01 + HOST_SLACK_US + this.stepUs)
        wrong(`${names}: the device says it took ${sum.toFixed(1)} us, and the host has waited ` +
          `${waited.toFixed(1)} us for it`);
      if (witness && us.shift() > witness * this.#pace.us * SLOW + this.stepUs) {
        if (again >= part.length) {
          again -= part.length;
          queue.push(...part);
          return;
        }
        slow += part.length;
      }
      part.forEach((sample, i) => {
        sample.us = Math.max(us[i] - (this.times ? 0 : this.#empty.us), 0) / sample.count;
      });
    };
    try {
      while (queue.length || flying.length) {
        while (queue.length && flying.length < (this.times && !this.software ? FLYING : 1)) {
          const witness = this.#pace && this.times ? this.#pace.count : 0, part = [];
          let us = 0;
          do {
            const sample = queue.shift();
            us += sample.count * (sample.one.guess ?? Infinity);
            part.push(sample);
          } while (queue.length && this.times && us < PART_US && part.length + 1 < MOST_PASSES);
          const list = part.map(({ one, count }) => [one, count]);
          if (witness) list.unshift([this.#pace.one, witness]);
          flying.push({ part, witness, promise: this.#launch(list) });
        }
        await land();
      }
    } finally {
      await Promise.allSettled(flying.map(({ promise }) => promise));
    }
    return slow;
  }

  /**
   * Measures cases in turns, so that whatever changes meanwhile changes all of them. Sets the `us`, `low` and `high` of
   * each: the median of the rounds and its interval, which the clock's step makes wider. Returns { slow, of }: how many
   * samples were taken at a low frequency, and how many there are.
   */
  async time(cases, { wrong, signal }) {
    const rounds = this.quick ? 5 : 15, least = Math.max(SAMPLE_US, this.stepUs * 20),
          short = new Map(cases.map((one) => [one, 1]));
    for (const one of cases) one.guess = undefined;
    // Repeats until it takes long enough for the clock.
    while (short.size) {
      const tries = [...short].map(([one, count]) => ({ one, count }));
      await this.#run(tries, { wrong, signal });
      for (const { one, count, us } of tries) {
        one.guess = us;
        one.repeats = us > 0 ? Math.min(Math.max(Math.round(least / us), 1), MOST_REPEATS) : MOST_REPEATS;
        if (us * count >= least / 4 || count === MOST_REPEATS) short.delete(one);
        else short.set(one, us > 0 ? one.repeats : Math.min(count * 4, MOST_REPEATS));
      }
    }
    // No case is always the first.
    const samples = Array.from({ length: rounds }, (_, round) => cases.map((_, k) => cases[(round + k) % cases.length]))
      .flat().map((one) => ({ one, count: one.repeats }));
    const slow = await this.#run(samples, { wrong, signal, again: samples.length });
    for (const one of cases) {
      const { us, low, high } = medianOf(samples.filter((sample) => sample.one === one).map(({ us }) => us)),
            step = this.stepUs / one.repeats;
      Object.assign(one, { us, low: Math.max(low - step, 0), high: high + step });
      delete one.ready;
    }
    delete this.#pace?.one.ready;
    return { slow, of: samples.length };
  }

  /**
   * Keeps the device busy with a case of arithmetic until its frequency has settled: six submissions in a row differ by
   * less than 0.5 % from each other, and by less than 2 % from the best so far. From then on this case shows whether
   * the frequency is still the same.
   */
  async warm(one) {
    if (this.software || !this.times) return;
    const best = this.#pace?.us ?? Infinity,
          [leastMs, mostMs] = this.quick ? [20, 200] : [best === Infinity ? 500 : 100, 3000];
    const start = performance.now(), flying = [], last = [];
    let { us: [us] } = await this.#submit([[one, 1]]), low = best, count = 1;
    for (;;) {
      if (us > 0) count = Math.min(Math.ceil(PART_US / us), MOST_WARMING);
      while (flying.length < FLYING) flying.push({ count, promise: this.#launch([[one, count]]) });
      const next = flying.shift();
      us = (await next.promise).us[0] / next.count;
      last.push(us);
      low = Math.min(low, us);
      const six = last.slice(-6), slowest = Math.max(...six) - this.stepUs / count, spent = performance.now() - start;
      if (six.length === 6 && spent > leastMs && slowest < Math.min(...six) * 1.005 && slowest < low * 1.02) break;
      if (spent > mostMs) {
        low = us;  // it does not reach its best again, for example because it is too hot
        break;
      }
    }
    await Promise.all(flying.map(({ promise }) => promise));
    this.#pace = { one, us: low, count: Math.ceil(Math.max(WITNESS_US, this.stepUs * 20) / low) };
  }
}
