// The browser's lab times what a device does, and not how its clock falls while a program waits to be told: on a device
// that is played, in time that is played too. A program is told every 10 ms; after 3 ms without work the clock is half
// as fast, until there has been work for 20 ms. A workgroup takes a microsecond.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { noPackage, web } from './native.mjs';

const skip = noPackage || (statSync(join(web, 'npm/lab-shaders.js'), { throwIfNoEntry: false })?.size > 1e5 ? false :
  'the package was built without shaders (naga)');

class Played {
  features = new Set(['timestamp-query']);
  limits = { maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28 };
  lost = new Promise(() => {});
  now = 0; free = 0; since = 0; hot = Infinity; step = 1e-3; submissions = 0;
  #waiting = []; #stamps = [];
  queue = { writeBuffer() {}, submit: ([run]) => run(), onSubmittedWorkDone: () => this.#wait() };

  createBuffer() {
    const device = this;
    let words;
    return { destroy() {}, unmap() {}, copied(from) { words = from; }, mapAsync: () => device.#wait(),
      getMappedRange: () => BigUint64Array.from(words).buffer };
  }
  createQuerySet() { return this.#stamps; }
  createBindGroupLayout() {}
  createPipelineLayout() {}
  createShaderModule() {}
  createBindGroup() {}
  async createComputePipelineAsync() {}
  destroy() {}

  createCommandEncoder() {
    const list = [];
    return {
      beginComputePass: ({ timestampWrites: { beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } }) => {
        let us = 0;
        list.push(() => {
          this.#stamps[begin] = this.#stamp();
          this.#work(us);
          this.#stamps[end] = this.#stamp();
        });
        return { setPipeline() {}, setBindGroup() {}, end() {}, dispatchWorkgroups(count) { us += count; } };
      },
      resolveQuerySet() {},
      copyBufferToBuffer: (from, at, to) => list.push(() => to.copied([...this.#stamps])),
      finish: () => () => {
        if (this.now > this.free + 3000) this.since = this.now;  // it has been idle
        this.free = Math.max(this.free, this.now + this.submissions++ * 137 % 1000);
        for (const one of list) one();
      },
    };
  }

  #stamp() { return BigInt(Math.round(Math.floor(this.free / this.step) * this.step * 1e3)); }
  #work(us) {
    for (let left = us; left > 0; left -= 100)
      this.free += Math.min(left, 100) * (this.free - this.since < 20000 || this.free > this.hot ? 2 : 1);
  }

  // What has been waited for longest is told first, once nothing else is to be done.
  #wait() {
    const end = this.free;
    return new Promise((resolve) => {
      this.#waiting.push({ end, resolve });
      setImmediate(() => {
        const { end, resolve } = this.#waiting.shift();
        this.now = Math.max(this.now, Math.ceil(end / 10000) * 10000);
        resolve();
      });
    });
  }
}

async function open(device) {
  const { Bench } = await import(join(web, 'npm/lab-bench.js'));
  setNow(() => device.now / 1e3);
  return Bench.open({ requestAdapter: async () =>
    ({ limits: device.limits, features: device.features, requestDevice: async () => device }) }, { size: 'full' });
}
// In Node 18 assigning does not do.
function setNow(value) { Object.defineProperty(performance, 'now', { value, configurable: true, writable: true }); }
const wrong = (text) => assert.fail(text);
const caseOf = (us) => ({ name: `${us} us`, kernel: 'nothing', groups: [us] });

test('a device that lowers its clock while it is not asked for anything is kept at work', { skip }, async () => {
  const { now } = performance;
  try {
    const bench = await open(new Played()), cases = [40, 100, 300, 5000].map(caseOf);
    await bench.warm(caseOf(72));
    const told = await bench.time(cases, { wrong });
    for (const { us, low, high, groups: [truth] } of cases)
      assert.ok(Math.abs(us / truth - 1) < 0.01 && high - low < us * 0.01,
        `${us} us, from ${low} to ${high}, and not ${truth}`);
    assert.deepEqual(told, { slow: 0, of: 60 });
  } finally {
    setNow(now);
  }
});

test('a clock that a browser makes coarse widens the intervals, and no more than it has to', { skip }, async () => {
  const { now } = performance;
  try {
    const bench = await open(Object.assign(new Played(), { step: 100 })), cases = [40, 100, 330, 5010].map(caseOf);
    assert.equal(bench.stepUs, 100);
    await bench.warm(caseOf(72));
    assert.deepEqual(await bench.time(cases, { wrong }), { slow: 0, of: 60 });
    for (const { us, low, high, groups: [truth] } of cases)
      assert.ok(low <= truth && truth <= high && high - low < us * 0.21,
        `${us} us, from ${low} to ${high}, and not ${truth}`);
  } finally {
    setNow(now);
  }
});

test('samples of a slow clock are taken again, and told where it stays slow', { skip }, async () => {
  const { now } = performance;
  try {
    const device = new Played(), bench = await open(device), cases = [100, 300].map(caseOf);
    await bench.warm(caseOf(72));
    device.hot = device.now + 45000;
    const { slow, of } = await bench.time(cases, { wrong });
    assert.ok(slow > 0 && slow < of && of === 30, `${slow} of ${of}`);
  } finally {
    setNow(now);
  }
});

// In pieces, since there is room for a million words: a transpose of four, and faults beside the pieces' borders.
test('what results have to be, and what times say, is told by the command\'s own functions', { skip }, async () => {
  const { fetch } = globalThis, said = [];
  globalThis.fetch = async (url) => new Response(readFileSync(url));
  try {
    const { Told } = await import(join(web, 'npm/lab-told.js')), told = await Told.open(), n = 2048, border = 1 << 20;
    const right = Uint32Array.from({ length: n * n }, (_, i) => Math.imul(i % n * n + Math.floor(i / n), 2654435761));
    assert.equal(told.wrong(right, 'wrong_transposed', n, n), 0);
    for (const at of [0, border - 1, border, n * n - 1]) right[at] ^= 1;
    assert.equal(told.wrong(right, 'wrong_transposed', n, n), 4);
    assert.equal(told.wrong(Uint32Array.from({ length: 3 * border + 5 }, (_, i) => Math.imul(i, 2654435761)),
      'wrong_copies', 1), 0);
    const [a, b] = [false, true].map((second) => told.factor(64 * 64, second)), product = new Float32Array(64 * 64);
    product.forEach((_, i) => { for (let k = 0; k < 64; k++) product[i] += a[i - i % 64 + k] * b[k * 64 + i % 64]; });
    assert.equal(told.wrong(product, 'wrong_rows', 64, 64), 0);
    product[100]++;
    assert.equal(told.wrong(product, 'wrong_rows', 64, 64), 1);
    const report =
      Object.fromEntries(['say', 'like', 'wrong'].map((kind) => [kind, (text) => said.push(`${kind}: ${text}`)])),
          time = (us) => ({ us, low: us * 0.99, high: us * 1.01 });
    told.tell(report, 'tell_shapes', [time(100), time(250)], [32, 8, 8, 1], 2, 1e6);
    assert.deepEqual(said.splice(0), ['say: A sum of 3x3 words is fastest by workgroups of 32 x 8, and takes 2.5 times as long by 8 x 1: lanes side by side in x load words side by side.',
      'like: workgroups of 32 x 8', 'say: 1 of 2 shapes are within 5 % of the best.']);
    // Without words of 8 and 16 bits nothing is said of them.
    told.tell(report, 'tell_loads', [...Array(14).fill(time(10)), undefined, undefined, time(10), time(20), time(20),
      undefined, time(10), time(20), ...Array(4).fill(time(10))], [], 14, 8);
    assert.ok(said.some((text) => /vectors of 4 against single words: 2.00 times as fast/.test(text)) &&
      !said.some((text) => /NaN|nan|[Bb]ytes loaded/.test(text)), said.join('\n'));
    assert.deepEqual(told.contraction(report, new Float32Array(4)), [1, 1, 1, 1]);
    assert.match(said.at(-2), /^wrong: 2 guarded results are not what IEEE 754 says/);
  } finally {
    globalThis.fetch = fetch;
  }
});
