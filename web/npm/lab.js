// The lab in the browser: what a WebGPU device does, measured with the kernels of `stijl lab` (shaders/lab) and by its rules
// (docs/lab.md): in turns, verified, held against what the device does at most. Tables have the names that the command's have, so
// that it compares itself with them.
import { Bench, WORD } from './lab-bench.js';
import { bars, format, rowHeight } from './lab-page.js';

export { bars, format, rowHeight };

const GROUP = 256, TURNS = 16, UNROLLED = 4;
const word = (i) => Math.imul(i, WORD) >>> 0;
const mixed = (i) => Math.imul(word(i) ^ word(i) >>> 15, 0x2c1b3c6d);
const scatter = (i) => (mixed(i) ^ mixed(i) >>> 12) >>> 0;
const SPREAD = 0.1;  // an interval wider than this share of its time is told in words
// Counts the words that are not what `expected` gives for their number.
function differing(got, expected) {
  let wrong = 0;
  for (let i = 0; i < got.length; i++) wrong += got[i] !== expected(i);
  return wrong;
}
const rateOf = ({ bytes = 0, us }) => (us > 0 ? bytes / us * 1e6 : 0);
const workOf = ({ operations = 0, us }) => (us > 0 ? operations / us * 1e6 : 0);

// --- What is found ---

// A run's report: sentences, tables [{ key, title, columns: [[key, title, unit]], rows: [[value]] }], and plots.
class Report {
  verdict = []; likes = []; wrongs = []; tables = []; plots = [];
  say(text) { this.verdict.push(text); }
  wrong(text) { this.wrongs.push(text); }
  table(key, title, columns, rows) { this.tables.push({ key, title, columns, rows }); }
  plot(key, title, plot) { this.plots.push({ key, title, ...plot }); }

  /** The report as `stijl lab --json` writes it. */
  json(device) {
    const likes = this.likes.length ? [`It pays here: ${this.likes.join('; ')}.`] : [];
    const all = { instrument: 'report', passed: !this.wrongs.length, verdict: [...likes, ...this.wrongs.map((text) => `WRONG: ${text}`), ...this.verdict], device };
    for (const { key, columns, rows } of this.tables)
      all[key] = rows.map((row) => Object.fromEntries(row.map((value, i) => [columns[i][0], typeof value === 'number' && !Number.isFinite(value) ? null : value])));
    return all;
  }
}

// --- What the device does at most ---

async function measureCeilings(lab) {
  const { bench, report } = lab, little = bench.buffer(4096);
  bench.stay();
  const many = bench.quick ? 64 : 132 * 32;
  const bits = (x) => new Uint32Array(Float32Array.of(x).buffer)[0];
  const compute = (kernel, name, { steps = 16, turns = bench.quick ? 16 : 256, groups = many, factor = bits(0.999), term = bits(0.001) } = {}) => ({ name, kernel, buffers: { 0: little },
    push: [turns, factor, term, 12345], groups: [groups], operations: 2 * groups * GROUP * 8 * steps * turns });
  // There are two shapes, since compilers that count the turns of a loop make them cost more than their multiply-adds.
  const floats = [compute('floats', 'multiply-adds of floats')], integers = compute('integers', 'multiply-adds of integers', { factor: 1664525, term: 1013904223 });
  if (!bench.software) floats.push(compute('floats_64', 'multiply-adds of floats, 64 a turn', { steps: 64, turns: bench.quick ? 4 : 64 }));
  const launch = { name: 'launches', kernel: 'nothing', groups: [1] }, behind = { name: 'launches behind barriers', kernel: 'number', buffers: { 0: little }, push: [0, 0], groups: [1] };
  lab.warmer = compute('floats', 'warming up', { turns: 16, groups: 132 * 32 });  // enough groups for any device
  await lab.time([launch, behind, ...floats, integers]);
  const fma = Math.max(...floats.map(workOf));

  // Copies have two shapes as well: four vectors a lane, or one.
  const streams = [['copy', 4, 2], ['copy_1', 1, 2], ['fill', 4, 1], ['read', 4, 1]], most = bench.size(bench.quick ? 4 << 20 : 2 ** 30), sizes = [], cases = [];
  const from = bench.buffer(most), to = bench.buffer(most);
  await bench.number(from, most);
  for (let size = 65536; size <= most; size *= 4) {
    sizes.push(size);
    for (const [kernel, items, moves] of streams) {
      const part = GROUP * items * 16, groups = Math.max(size / part, (bench.quick ? 256 : 16384) / items), one = groups * part, passes = one >= 2 ** 28 || bench.quick ? 1 : Math.floor(2 ** 28 / one);
      cases.push({ name: `${kernel.slice(0, 4)} of ${format('bytes', size)}`, kernel, buffers: { 0: from, 1: to }, push: [size / 16 - 1, passes, 5 * GROUP * items, 12345],
        groups: [Math.min(groups, 32768), Math.ceil(groups / 32768)], bytes: one * passes * moves });
    }
  }
  // What is written by the largest; what is read is verified where it is summed (access).
  const checked = Math.min(most, 64 << 20);
  for (const [i, expected] of [word, word, (i) => i >>> 2].entries()) {
    const one = cases[cases.length - streams.length + i];
    await bench.number(to, most, 0);
    await bench.once(one);
    const wrong = differing(await bench.read(to, checked), expected);
    if (wrong) report.wrong(`${one.name} has ${wrong} wrong words`);
  }
  await lab.time(cases);
  const rows = sizes.map((size, i) => {
    const [copy, copyOne, fill, read] = cases.slice(streams.length * i).map(rateOf);
    return [size, Math.max(copy, copyOne), fill, read];
  });
  lab.ceilings = { fma, rows, best: Math.max(...rows.map((row) => row[1])) };
  report.table('ceilings', 'What the device can do, measured in this run', [['launch_us', 'a launch', 'us'], ['barrier_us', 'behind a barrier', 'us'], ['fma', 'multiply-adds', 'work'],
    ['fma_integers', 'of integers', 'work'], ['copy', 'copy, largest', 'rate'], ['cache', 'copy, best', 'rate']],
  [[launch.us, behind.us, fma, workOf(integers), rows.at(-1)[1], lab.ceilings.best]]);
  report.table('bandwidth', 'Bandwidth by size; the largest copies and fill verified', [['bytes', 'buffer', 'bytes'], ['copy', 'copy (read and written)', 'rate'], ['fill', 'fill', 'rate'],
    ['read', 'read', 'rate']], rows);
  report.plot('bandwidth', 'Copies by the size of the buffer', { unit: 'rate', rows: rows.map(([bytes, copy]) => ({ name: format('bytes', bytes), value: copy })) });
}

// The most bytes a second that a working set can move, and the rate of the copy nearest to its size.
function bandwidth({ ceilings: { rows } }, set) {
  return Math.max(...rows.flatMap(([bytes, copy, fill, read], i) => {
    const largest = i + 1 === rows.length;
    return [largest || 4 * bytes >= set ? copy : 0, ...(largest || 2 * bytes >= set ? [fill, read] : [])];
  }));
}
function copyAt({ ceilings: { rows } }, set) {
  const distance = ([bytes]) => Math.abs(Math.log2(2 * bytes / set));
  return rows.reduce((best, row) => (distance(row) <= distance(best) ? row : best))[1];
}

// Reports what is beyond the ceilings or the clock as wrong.
function judge(lab, cases) {
  const { bench, report } = lab, slack = bench.software ? 10 : 1.08;  // a software device shares its processors with all other work
  for (const one of cases) {
    const most = bandwidth(lab, bench.software ? 0 : one.workingSet), rate = rateOf(one), work = workOf(one);
    if (!(one.high > 0)) report.wrong(`${one.name}: it took no time at all`);
    if (!(one.us > 0)) continue;  // it takes less than the clock can tell
    if (one.bytes && rate * one.us / one.high > most * slack) report.wrong(`${one.name}: ${format('rate', rate)} is more than this device moves, ${format('rate', most)}`);
    if (one.operations && work * one.us / one.high > lab.ceilings.fma * slack)
      report.wrong(`${one.name}: ${format('work', work)} is more than this device computes, ${format('work', lab.ceilings.fma)}`);
  }
}

/**
 * Runs a case and verifies what it leaves in a buffer, which has other words before, so that all of it is this kernel's work.
 * `wrongs(read)` counts what is wrong.
 */
async function verify({ bench, report }, one, buffer, bytes, wrongs, what, Type) {
  await bench.number(buffer, bytes, 1);
  await bench.once(one);
  const wrong = wrongs(await bench.read(buffer, bytes, Type));
  if (wrong) report.wrong(`${one.name}: ${wrong} ${what} are wrong`);
}

/**
 * Times cases in turns, judges them, and reports a table and a plot of what they do in a second. `columns` has those before the times,
 * `more` those behind: [key, title, unit, value of a case]; it and `mark`, the plot's, are asked for once the times are there.
 */
async function measure(lab, key, cases, { title, columns, more = () => [], plot, unit = 'rate', what = 'read and written', mark }) {
  const does = unit === 'rate' ? rateOf : workOf;
  await lab.time(cases);
  judge(lab, cases.filter(({ shared }) => !shared));  // memory moves only one of the loads that lanes share
  const all = [...columns, ['us', 'time', 'us', ({ us }) => us], ['low', '95 % from', 'us', ({ low }) => low], ['high', 'to', 'us', ({ high }) => high],
    ['rate', what, unit, does], ...more()];
  lab.report.table(key, title, all.map(([id, name, of]) => [id, name, of]), cases.map((one) => all.map((column) => column[3](one))));
  lab.report.plot(key, plot, { unit, rows: cases.map((one) => ({ name: one.name, value: does(one) })), marks: [mark()] });
}
const named = (title) => [['key', '', 'name', ({ id }) => id], ['name', title, 'name', ({ name }) => name]];

// --- Contraction ---

// Finds whether the device's compiler contracts floats where nothing forbids it, and where the guard does.
async function contraction(lab) {
  const { bench, report } = lab, count = 16384, results = bench.buffer(count * 16), f = Math.fround;
  await bench.once({ kernel: 'contraction', buffers: { 0: results }, push: [count], groups: [count / 64] });
  const got = await bench.read(results, count * 16, Float32Array);
  const number = (i) => f(((scatter(i) >>> 8) - 8388608) / 8388608);
  const differ = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const a = number(3 * i), b = number(3 * i + 1), c = number(3 * i + 2), fma = f(f(a * b) + c), large = 512 * b, sum = f(f(a + large) - large);
    [fma, fma, sum, sum].forEach((expected, k) => { differ[k] += got[4 * i + k] !== expected; });
  }
  const columns = [['name', 'expression', 'name'], ['count', 'results', 'count'], ['differ', 'not as written', 'count']];
  report.table('contraction', 'Floats where nothing forbids contraction, and as stijl guards them', columns, [['a * b + c', count, differ[0]],
    ['a * b + c, guarded', count, differ[1]], ['(a + b) - b', count, differ[2]], ['(a + b) - b, guarded', count, differ[3]]]);
  if (differ[1] || differ[3]) report.wrong(`${differ[1] + differ[3]} guarded results are not what IEEE 754 says: stijl does not draw with this device`);
  report.say(differ[0] || differ[2] ? `Left alone, this device's compiler changes ${[differ[0] && `${differ[0]} of ${count} products with a sum`, differ[2] && `${differ[2]} of ${count} differences`]
    .filter(Boolean).join(' and ')}; guarded, as in the shaders that draw, none.` : 'This device computes floats as they are written, guarded or not.');
}

// --- Loads ---

// The element that load i of 2^bits reads, as in shaders/lab/access.comp.
function place(pattern, step, bits, i) {
  const mask = (1 << bits) - 1;
  switch (pattern) {
    case 'LINEAR': return i + step & mask;
    case 'STRIDED': return i << step & mask | (i & mask) >>> bits - step;
    case 'RANDOM': return scatter(i) & mask;
    case 'SAME': return i >>> 5 & mask;
    case 'COLUMNS': return i << (bits >> 1) & mask | (i & mask) >>> (bits + 1 >> 1);
    default: return i & mask;
  }
}

// A load of element i adds a * i + b where word i of memory is i * WORD. Sums modulo 2^32 follow from the words'
// numbers.
function loaded(pattern, bits, words) {
  if (pattern === 'STRUCTS') return [9, 3];
  if (pattern === 'ONE_FIELD') return [3, 0];
  if (pattern === 'FIELDS') return [3, 3 * 2 ** bits];
  if (pattern === 'PADDED') return [12, 3];
  return [words * words, words * (words - 1) / 2];
}

// Counts the lanes that did not get the sum of what they have loaded.
function wrongSums(got, pattern, step, bits, a, b) {
  const lanes = got.length;
  let wrong = 0;
  for (let lane = 0; lane < lanes; lane++) {
    let sum = 0;
    for (let t = 0; t < TURNS; t++) sum += place(pattern, step, bits, lane + t * lanes);
    wrong += got[lane] !== word(a * sum + b * TURNS);
  }
  return wrong;
}

async function measureLoads(lab, key, title, all, bits, from, sums) {
  const lanes = 2 ** bits / TURNS, cases = [];
  for (const { key: id, name, pattern, step, bits: wide, looped = '' } of all.filter((one) => one.bits >= 32)) {  // WebGPU has no smaller words
    const words = wide / 32, parts = ['STRUCTS', 'FIELDS', 'PADDED'].includes(pattern) ? 3 : 1, useful = lanes * TURNS * 4 * words * parts, same = pattern === 'SAME';
    const one = { id, name, kernel: `access_${wide}${looped}`, constants: { 1: lab.cases.patterns.indexOf(pattern), 2: step }, buffers: { 0: from, 1: sums }, push: [bits, TURNS, lanes],
      groups: [lanes / GROUP], bytes: useful + lanes * 4, workingSet: same ? useful / 32 : useful, shared: same };
    await verify(lab, one, sums, lanes * 4, (got) => wrongSums(got, pattern, step, bits, ...loaded(pattern, bits, words)), 'sums');
    cases.push(one);
  }
  await measure(lab, key, cases, { title, columns: named('loads'), what: 'useful bytes', plot: `Useful bytes a second, by ${key}`,
    mark: () => ({ name: 'the most', value: bandwidth(lab, cases[0].workingSet) }) });
  return Object.fromEntries(cases.map((one) => [one.id, one.us]));
}

async function access(lab) {
  const { bench, report } = lab, wanted = bench.software ? 16 : bench.quick ? 20 : 26, bits = Math.log2(bench.size(2 ** (wanted + 4))) - 4;
  const from = bench.buffer(2 ** (bits + 4)), sums = bench.buffer(4 * 2 ** bits / TURNS);
  await bench.number(from, 2 ** (bits + 4));
  const { cases } = lab, looped = { ...cases.orders[0], key: 'linear_loop', name: 'side by side, in a loop', looped: '_loop' };
  const orders = await measureLoads(lab, 'orders', `Orders: ${2 ** bits} loads of 32 bits`, [...cases.orders, looped], bits, from, sums);
  const widths = await measureLoads(lab, 'widths', `Widths: ${2 ** bits} elements`, cases.widths, bits, from, sums);
  const layouts = await measureLoads(lab, 'layouts', `Structures: ${2 ** (bits - 2)} of three words`, cases.layouts, bits - 2, from, sums);
  const ratio = (a, b) => (a / b).toFixed(2), wide = 4 * widths.linear_32 / widths.linear_128;
  report.say(`Order: the same words cost ${ratio(orders.stride_8, orders.linear)} times as much when lanes take every 8th, ${ratio(orders.stride_32, orders.linear)} times for every ` +
    `32nd, ${ratio(orders.random, orders.linear)} times at random. Being off by a word costs ${Math.max(orders.offset_1 / orders.linear * 100 - 100, 0).toFixed(0)} %.`);
  report.say(`In a loop, where a compiler for WebGPU counts the turns so that it ends, loads side by side take ${ratio(orders.linear_loop, orders.linear)} times as long as where ${UNROLLED} turns ` +
    'are written out, as kernels here have them.');
  report.say(`Width: vectors of 4 move ${wide.toFixed(2)} times the bytes of single words in the same time.`);
  report.say(`Structures of three words: an array for each word takes ${ratio(layouts.fields, layouts.structs)}, padding to four words ${ratio(layouts.padded, layouts.structs)} of the time ` +
    `of an array of structures; one word of each structure still costs ${ratio(layouts.one_field, layouts.structs)} of all three.`);
  if (orders.stride_32 > 1.5 * orders.linear) report.likes.push(`lanes that load side by side (every 32nd word: ${(orders.stride_32 / orders.linear).toFixed(1)} times the time)`);
  if (wide > 1.1) report.likes.push(`vectors of 4 (${wide.toFixed(1)} times the bytes)`);
}

// --- Transposes ---

// In same_lanes a tile is stored in the order in which it is loaded. A guide to computing with WebGL, from which many
// have learned, has it so.
async function transpose(lab) {
  const { bench, report } = lab;
  let n = bench.software ? 512 : bench.quick ? 2048 : 8192;
  while (n * n * 4 > bench.size(n * n * 4)) n /= 2;
  const bytes = n * n * 4, from = bench.buffer(bytes), to = bench.buffer(bytes), cases = {};
  await bench.number(from, bytes);
  for (const { key, name, lanes } of lab.cases.transposes) {
    if (lanes > bench.limits.maxComputeInvocationsPerWorkgroup) continue;
    const groups = n / (key === 'wide' || key === 'registers' ? 64 : 32);
    cases[key] = { id: key, name, kernel: `transpose_${key}`, buffers: { 0: from, 1: to }, push: [n], groups: [groups, groups], bytes: 2 * bytes, workingSet: 2 * bytes };
    const bits = Math.log2(n), expected = key === 'copy' ? word : (i) => word((i & n - 1) << bits | i >>> bits);
    await verify(lab, cases[key], to, bytes, (got) => differing(got, expected), 'words');
  }
  const bestCopy = () => Math.max(rateOf(cases.copy), copyAt(lab, 2 * bytes));
  await measure(lab, 'transpose', Object.values(cases), { title: `Transposing ${n} x ${n} words of 32 bits; every word verified`, columns: named('transpose'),
    more: () => [['share', 'of copy', 'share', (one) => rateOf(one) / bestCopy()]], plot: 'Transposes: bytes read and written a second', mark: () => ({ name: 'the best copy', value: bestCopy() }) });
  const copy = bestCopy(), naive = Math.min(cases.naive_read.us, cases.naive_write.us);
  const best = [cases.tiled, cases.padded, cases.swizzled, cases.registers, cases.wide].filter(Boolean).reduce((a, b) => (b.us < a.us ? b : a));
  if (best.us < naive) report.say(`The best transpose here is "${best.name}": ${(rateOf(best) / copy * 100).toFixed(0)} % of a copy's speed, ${(naive / best.us).toFixed(1)} times the better naive one.`);
  else report.say(`Nothing pays here: the best, "${best.name}", takes ${(best.us / naive).toFixed(1)} times as long as the better naive transpose.`);
  if (best.us < naive) report.likes.push(`${best === cases.registers ? 'registers' : 'tiles in workgroup memory'} for a transpose (${(naive / best.us).toFixed(1)} times as fast)`);
  report.say('A tile that is stored by the lanes that loaded it, as in the classic guide to computing with WebGL, transposes nothing about the accesses: its stores go to as many ' +
    `rows as those of the naive one that reads rows, and it takes ${(cases.same_lanes.us / cases.naive_read.us).toFixed(2)} times as long; a tile that is read by columns takes ` +
    `${(cases.tiled.us / cases.naive_read.us).toFixed(2)}, with rows of 33 words ${(cases.padded.us / cases.naive_read.us).toFixed(2)}.`);
}

// --- Products ---

const SALT = 77;

// Returns whole numbers from -2 to 2, as src/lab/matmul.c does.
const element = (i, salt) => (mixed(i + salt) >>> 16) % 5 - 2;

/** Counts the rows in which C x is not A (B x), for a random vector x (Freivalds). All numbers are whole, and their sums are exact. */
function wrongRows(c, a, b, n) {
  let state = 1, wrong = 0;
  const x = Float64Array.from({ length: n }, () => (state = Math.imul(state, 1664525) + 1013904223 | 0) >>> 12), bx = new Float64Array(n);
  const times = (matrix, row, vector) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += matrix[row * n + k] * vector[k];
    return sum;
  };
  for (let row = 0; row < n; row++) bx[row] = times(b, row, x);
  for (let row = 0; row < n; row++) wrong += !(times(c, row, x) === times(a, row, bx));
  return wrong;
}

async function matmul(lab) {
  const { bench, report } = lab, n = bench.software ? 128 : bench.quick ? 1024 : 4096, bytes = n * n * 4;
  const [a, b, c] = [0, 1, 2].map(() => bench.buffer(bytes)), factors = [0, SALT].map((salt) => Float32Array.from({ length: n * n }, (_, i) => element(i, salt))), cases = {};
  bench.device.queue.writeBuffer(a, 0, factors[0]);
  bench.device.queue.writeBuffer(b, 0, factors[1]);
  for (const { key, name, tile } of lab.cases.products) {
    const groups = n / tile;
    cases[key] = { id: key, name, kernel: `matmul_${key}${key === 'blocked' && bench.limits.maxComputeWorkgroupStorageSize >= 32768 ? '_16' : ''}`, buffers: { 0: a, 1: b, 2: c }, push: [n], groups: [groups, groups], operations: 2 * n ** 3 };
    await verify(lab, cases[key], c, bytes, (got) => wrongRows(got, ...factors, n), 'rows', Float32Array);
  }
  const { fma } = lab.ceilings;
  await measure(lab, 'matmul', Object.values(cases), { title: `Multiplying ${n} x ${n} floats of 32 bits; every row verified`, columns: named('product'), unit: 'work', what: 'operations',
    more: () => [['share', 'of multiply-adds', 'share', (one) => workOf(one) / fma]], plot: 'Products: operations a second', mark: () => ({ name: 'multiply-adds alone', value: fma }) });
  report.say(`Tiles in workgroup memory are worth ${(cases.naive.us / cases.tiled.us).toFixed(2)} times the naive product, padding them ${(cases.tiled.us / cases.padded.us).toFixed(2)} times that; ` +
    `blocks of 8x8 in the registers of each lane ${(cases.naive.us / cases.blocked.us).toFixed(1)} times the naive one, ${(workOf(cases.blocked) / fma * 100).toFixed(0)} % of the multiply-adds there are.`);
}

// --- Workgroups ---

async function workgroup(lab) {
  const { bench, report } = lab, { limits } = bench, n = bench.software ? 256 : bench.quick ? 1024 : 4096, bytes = n * n * 4;
  const from = bench.buffer(bytes), to = bench.buffer(bytes), counters = bench.buffer(256),
    cases = [], mask = n - 1;
  await bench.number(from, bytes);
  const expected = new Uint32Array(n * n);
  for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) {
    let sum = 0;
    for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) sum += (y + j & mask) * n + (x + i & mask);
    expected[y * n + x] = word(sum);
  }
  for (const { x, y } of lab.cases.workgroups) {
    if (x * y > limits.maxComputeInvocationsPerWorkgroup || x > Math.min(limits.maxComputeWorkgroupSizeX, n) || y > Math.min(limits.maxComputeWorkgroupSizeY, n)) continue;
    const one = { name: `${x} x ${y}`, lanes: x * y, kernel: 'shapes', constants: { 0: x, 1: y }, buffers: { 0: from, 1: to, 2: counters }, push: [mask], groups: [n / x, n / y], bytes: 2 * bytes, workingSet: 2 * bytes };
    await verify(lab, one, to, bytes, (got) => differing(got, (i) => expected[i]), 'words of the sums of 3x3');
    cases.push(one);
  }
  const extreme = (sign) => cases.reduce((a, b) => (sign * b.us > sign * a.us ? b : a));
  await measure(lab, 'shapes', cases, { title: `Sums of 3x3 of ${n} x ${n} words; every word verified`,
    columns: [['name', 'workgroup', 'name', ({ name }) => name], ['lanes', 'lanes', 'count', ({ lanes }) => lanes]], more: () => [['factor', 'of the best', 'factor', ({ us }) => us / extreme(-1).us]],
    plot: 'Bytes read and written a second, by the shape of the workgroup', mark: () => ({ name: 'a copy', value: copyAt(lab, 2 * bytes) }) });
  const best = extreme(-1), worst = extreme(1);
  report.say(`A sum of 3x3 words is fastest by workgroups of ${best.name}, and takes ${(worst.us / best.us).toFixed(1)} times as long by ${worst.name}; ` +
    `${cases.filter(({ us }) => us < best.us * 1.05).length} of ${cases.length} shapes are within 5 % of the best.`);
  report.likes.push(`workgroups of ${best.name}`);
}

// --- All ---

// Says how far the times can be trusted: by their intervals, and by the device's clock.
function sayHowSteady({ report, timed, slow, samples }) {
  const all = timed.filter(({ us }) => us > 0).map((one) => ({ ...one, spread: (one.high - one.low) / one.us })).sort((a, b) => b.spread - a.spread);
  const wide = all.filter(({ spread }) => spread > SPREAD), { spread = 0 } = all.find((one) => !wide.includes(one)) ?? {};
  const some = wide.slice(0, 5).map(({ name, low, high }) => `${name} (${format('us', low)} to ${format('us', high)})`);
  const rest = `${wide.length ? 'the others' : `All ${all.length} times`} are known to ${(spread * 100).toFixed(1)} % or better`;
  report.say(wide.length ? `${wide.length} of ${all.length} times are known to no better than ${SPREAD * 100} %: ${some.join(', ')}${wide.length > some.length ? `, and ${wide.length - some.length} more` : ''}` +
    `${wide.length < all.length ? `; ${rest}` : ''}.` : `${rest}.`);
  if (slow) report.say(`The device's clock did not stand: ${slow} of ${samples} samples were taken while it was slower than when it was warm, and again when they were repeated.`);
}

const instruments = { contraction, access, transpose, matmul, workgroup };
export const instrumentNames = Object.keys(instruments);

/** Runs the lab: { device, verdict, wrongs, tables, plots, json }. */
export async function runLab({ gpu = globalThis.navigator?.gpu, only = instrumentNames, selfTest, signal, progress = () => {}, ...options } = {}) {
  const bench = await Bench.open(gpu, options), report = new Report();
  const wrong = (text) => report.wrong(text), lab = { bench, report, cases: bench.shaders.cases, timed: [], slow: 0, samples: 0, async time(cases) {
    if (lab.warmer) await bench.warm(lab.warmer);
    const { slow, of } = await bench.time(cases, { wrong, signal });
    lab.timed.push(...cases);
    lab.slow += slow;
    lab.samples += of;
  } };
  const device = { name: bench.name, type: bench.software ? 'cpu' : 'gpu', driver: 'WebGPU', quick: bench.quick, timer: bench.times ? 'timestamp-query' : 'submissions', step_us: bench.stepUs };
  try {
    report.say(bench.times ? `Times are the device's own (timestamp-query)${bench.stepUs < 0.1 ? '' : `, whose clock steps by ${format('us', bench.stepUs)}; the intervals have that`}.` :
      `There is no timestamp-query here: times are of submissions, of which those without work differ by ${format('us', bench.stepUs)}; the intervals have that.`);
    progress('ceilings', 0, only.length + 1);
    await measureCeilings(lab);
    bench.free();
    for (const [i, name] of only.entries()) {
      signal?.throwIfAborted();
      progress(name, i + 1, only.length + 1);
      await instruments[name](lab);
      bench.free();
    }
    sayHowSteady(lab);
    if (selfTest) {
      const { reason } = await selfTest();
      report.table('selftest', 'The self-test of the renderer on this device', [['name', '', 'name'], ['result', '', 'name']], [['arithmetic and a picture, bit for bit', reason ?? 'passed']]);
      report.say(reason ? `stijl does not draw with this device: ${reason}` : 'stijl draws with this device: its self-test has the bits of WebAssembly.');
    }
    return { device, verdict: report.verdict, likes: report.likes, wrongs: report.wrongs, tables: report.tables, plots: report.plots, json: report.json(device) };
  } finally {
    bench.close();
  }
}
