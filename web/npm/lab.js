// The lab in the browser: what a WebGPU device does, measured with the kernels of `stijl lab` (shaders/lab) and by its
// rules (docs/lab.md): in turns, verified, held against what the device does at most. What results have to be and what
// times say is the command's own (lab-told.js). Tables have the names that the command's have, so that it compares
// itself with them.
import { Bench } from './lab-bench.js';
import { bars, format, rowHeight } from './lab-page.js';
import { Told } from './lab-told.js';

export { bars, format, rowHeight };

const GROUP = 256, TURNS = 16;
const SPREAD = 0.1;  // an interval wider than this share of its time is told in words
const rateOf = ({ bytes = 0, us }) => (us > 0 ? bytes / us * 1e6 : 0);
const workOf = ({ operations = 0, us }) => (us > 0 ? operations / us * 1e6 : 0);

// --- What is found ---

// A run's report: sentences, tables [{ key, title, columns: [[key, title, unit]], rows: [[value]] }], and plots.
class Report {
  verdict = []; likes = []; wrongs = []; tables = []; plots = [];
  say(text) { this.verdict.push(text); }
  like(text) { this.likes.push(text); }
  wrong(text) { this.wrongs.push(text); }
  table(key, title, columns, rows) { this.tables.push({ key, title, columns, rows }); }
  plot(key, title, plot) { this.plots.push({ key, title, ...plot }); }

  /** Returns the report as `stijl lab --json` writes it. */
  json(device) {
    const likes = this.likes.length ? [`It pays here: ${this.likes.join('; ')}.`] : [];
    const all = { instrument: 'report', passed: !this.wrongs.length,
      verdict: [...likes, ...this.wrongs.map((text) => `WRONG: ${text}`), ...this.verdict], device };
    for (const { key, columns, rows } of this.tables)
      all[key] = rows.map((row) => Object.fromEntries(
        row.map((value, i) => [columns[i][0], typeof value === 'number' && !Number.isFinite(value) ? null : value])));
    return all;
  }
}

// --- What the device does at most ---

async function measureCeilings(lab) {
  const { bench, report, told } = lab, little = bench.buffer(4096);
  bench.stay();
  const many = bench.quick ? 64 : 132 * 32;
  const bits = (x) => new Uint32Array(Float32Array.of(x).buffer)[0];
  const compute = (kernel, name, { steps = 16, turns = bench.quick ? 16 : 256, groups = many, factor = bits(0.999),
    term = bits(0.001) } = {}) => ({ name, kernel, buffers: { 0: little },
    push: [turns, factor, term, 12345], groups: [groups], operations: 2 * groups * GROUP * 8 * steps * turns });
  // There are two shapes, since compilers that count the turns of a loop make them cost more than their multiply-adds.
  const floats = [compute('floats', 'multiply-adds of floats')],
        integers = compute('integers', 'multiply-adds of integers', { factor: 1664525, term: 1013904223 });
  if (!bench.software)
    floats.push(compute('floats_64', 'multiply-adds of floats, 64 a turn', { steps: 64, turns: bench.quick ? 4 : 64 }));
  const launch = { name: 'launches', kernel: 'nothing', groups: [1] };
  const behind = { name: 'launches behind barriers', kernel: 'number', buffers: { 0: little }, push: [0, 0],
    groups: [1] };
  lab.warmer = compute('floats', 'warming up', { turns: 16, groups: 132 * 32 });  // enough groups for any device
  await lab.time([launch, behind, ...floats, integers]);
  const fma = Math.max(...floats.map(workOf));

  // Copies have two shapes as well: four vectors a lane, or one.
  const streams = [['copy', 4, 2], ['copy_1', 1, 2], ['fill', 4, 1], ['read', 4, 1]],
        most = bench.size(bench.quick ? 4 << 20 : 2 ** 30), sizes = [], cases = [];
  const from = bench.buffer(most), to = bench.buffer(most);
  await bench.number(from, most);
  for (let size = 65536; size <= most; size *= 4) {
    sizes.push(size);
    for (const [kernel, items, moves] of streams) {
      const part = GROUP * items * 16, groups = Math.max(size / part, (bench.quick ? 256 : 16384) / items),
            one = groups * part, passes = one >= 2 ** 28 || bench.quick ? 1 : Math.floor(2 ** 28 / one);
      cases.push({ name: `${kernel.slice(0, 4)} of ${format('bytes', size)}`, kernel, buffers: { 0: from, 1: to },
        push: [size / 16 - 1, passes, 5 * GROUP * items, 12345],
        groups: [Math.min(groups, 32768), Math.ceil(groups / 32768)], bytes: one * passes * moves });
    }
  }
  // What is written by the largest; what is read is verified where it is summed (access).
  const checked = Math.min(most, 64 << 20);
  for (const [i, name] of ['wrong_copies', 'wrong_copies', 'wrong_fills'].entries()) {
    const one = cases[cases.length - streams.length + i];
    await bench.number(to, most, 0);
    await bench.once(one);
    const wrong = told.wrong(await bench.read(to, checked), name, 1);
    if (wrong) report.wrong(`${one.name} has ${wrong} wrong words`);
  }
  await lab.time(cases);
  const rows = sizes.map((size, i) => {
    const [copy, copyOne, fill, read] = cases.slice(streams.length * i).map(rateOf);
    return [size, Math.max(copy, copyOne), fill, read];
  });
  lab.ceilings = { fma, rows, best: Math.max(...rows.map((row) => row[1])) };
  report.table('ceilings', 'What the device can do, measured in this run',
    [['launch_us', 'a launch', 'us'], ['barrier_us', 'behind a barrier', 'us'], ['fma', 'multiply-adds', 'work'],
    ['fma_integers', 'of integers', 'work'], ['copy', 'copy, largest', 'rate'], ['cache', 'copy, best', 'rate']],
    [[launch.us, behind.us, fma, workOf(integers), rows.at(-1)[1], lab.ceilings.best]]);
  report.table('bandwidth', 'Bandwidth by size; the largest copies and fill verified',
    [['bytes', 'buffer', 'bytes'], ['copy', 'copy (read and written)', 'rate'], ['fill', 'fill', 'rate'],
    ['read', 'read', 'rate']], rows);
  report.plot('bandwidth', 'Copies by the size of the buffer',
    { unit: 'rate', rows: rows.map(([bytes, copy]) => ({ name: format('bytes', bytes), value: copy })) });
}

// Returns the most bytes a second that a working set can move, and the rate of the copy nearest to its size.
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
  // A software device shares its processors with all other work.
  const { bench, report } = lab, slack = bench.software ? 10 : 1.08;
  for (const one of cases) {
    const most = bandwidth(lab, bench.software ? 0 : one.workingSet), rate = rateOf(one), work = workOf(one);
    if (!(one.high > 0)) report.wrong(`${one.name}: it took no time at all`);
    if (!(one.us > 0)) continue;  // it takes less than the clock can tell
    if (one.bytes && rate * one.us / one.high > most * slack)
      report.wrong(`${one.name}: ${format('rate', rate)} is more than this device moves, ${format('rate', most)}`);
    if (one.operations && work * one.us / one.high > lab.ceilings.fma * slack)
      report.wrong(
        `${one.name}: ${format('work', work)} is more than this device computes, ${format('work', lab.ceilings.fma)}`);
  }
}

/**
 * Runs a case and verifies what it leaves in a buffer, which has other words before, so that all of it is this kernel's
 * work. `wrongs(read)` counts what is wrong.
 */
async function verify({ bench, report }, one, buffer, bytes, wrongs, what, Type) {
  await bench.number(buffer, bytes, 1);
  await bench.once(one);
  const wrong = wrongs(await bench.read(buffer, bytes, Type));
  if (wrong) report.wrong(`${one.name}: ${wrong} ${what} are wrong`);
}

/**
 * Times cases in turns, judges them, and reports a table and a plot of what they do in a second. `columns` has those
 * before the times, `more` those behind: [key, title, unit, value of a case]; it and `mark`, the plot's, are asked for
 * once the times are there.
 */
async function measure(lab, key, cases,
  { title, columns, more = () => [], plot, unit = 'rate', what = 'read and written', mark }) {
  const does = unit === 'rate' ? rateOf : workOf;
  await lab.time(cases);
  judge(lab, cases.filter(({ shared }) => !shared));  // memory moves only one of the loads that lanes share
  const all = [...columns, ['us', 'time', 'us', ({ us }) => us], ['low', '95 % from', 'us', ({ low }) => low],
    ['high', 'to', 'us', ({ high }) => high],
    ['rate', what, unit, does], ...more()];
  lab.report.table(key, title, all.map(([id, name, of]) => [id, name, of]),
    cases.map((one) => all.map((column) => column[3](one))));
  lab.report.plot(key, plot,
    { unit, rows: cases.map((one) => ({ name: one.name, value: does(one) })), marks: [mark()] });
}
const named = (title) => [['key', '', 'name', ({ id }) => id], ['name', title, 'name', ({ name }) => name]];

// --- Contraction ---

// Finds whether the device's compiler contracts floats where nothing forbids it, and where the guard does.
async function contraction(lab) {
  const { bench, report, told } = lab, count = 16384, results = bench.buffer(count * 16);
  await bench.once({ kernel: 'contraction', buffers: { 0: results }, push: [count], groups: [count / 64] });
  const differ = told.contraction(report, await bench.read(results, count * 16, Float32Array));
  const columns =
    [['name', 'expression', 'name'], ['count', 'results', 'count'], ['differ', 'not as written', 'count']];
  report.table('contraction', 'Floats where nothing forbids contraction, and as stijl guards them', columns,
    [['a * b + c', count, differ[0]],
    ['a * b + c, guarded', count, differ[1]], ['(a + b) - b', count, differ[2]],
    ['(a + b) - b, guarded', count, differ[3]]]);
}

// --- Loads ---

async function measureLoads(lab, key, title, all, bits, from, sums) {
  const lanes = 2 ** bits / TURNS, cases = [];
  // WebGPU has no smaller words.
  for (const { key: id, name, pattern, step, bits: wide, looped = '' } of all.filter((one) => one.bits >= 32)) {
    const number = lab.cases.patterns.indexOf(pattern), words = wide / 32,
          parts = ['STRUCTS', 'FIELDS', 'PADDED'].includes(pattern) ? 3 : 1, useful = lanes * TURNS * 4 * words * parts,
          same = pattern === 'SAME';
    const one = { id, name, kernel: `access_${wide}${looped}`, constants: { 1: number, 2: step },
      buffers: { 0: from, 1: sums }, push: [bits, TURNS, lanes],
      groups: [lanes / GROUP], bytes: useful + lanes * 4, workingSet: same ? useful / 32 : useful, shared: same };
    await verify(lab, one, sums, lanes * 4,
      (got) => lab.told.wrong(got, 'wrong_sums', 1, number, step, words * 4, bits, lanes, TURNS), 'sums');
    cases.push(one);
  }
  await measure(lab, key, cases,
    { title, columns: named('loads'), what: 'useful bytes', plot: `Useful bytes a second, by ${key}`,
    mark: () => ({ name: 'the most', value: bandwidth(lab, cases[0].workingSet) }) });
  return all.map(({ key: id }) => cases.find((one) => one.id === id));
}

async function access(lab) {
  const { bench, report, told } = lab, wanted = bench.software ? 16 : bench.quick ? 20 : 26,
        bits = Math.log2(bench.size(2 ** (wanted + 4))) - 4;
  const from = bench.buffer(2 ** (bits + 4)), sums = bench.buffer(4 * 2 ** bits / TURNS);
  await bench.number(from, 2 ** (bits + 4));
  const { cases } = lab,
        looped = { ...cases.orders[0], key: 'linear_loop', name: 'side by side, in a loop', looped: '_loop' };
  const orders = await measureLoads(lab, 'orders', `Orders: ${2 ** bits} loads of 32 bits`, [...cases.orders, looped],
    bits, from, sums);
  const widths = await measureLoads(lab, 'widths', `Widths: ${2 ** bits} elements`, cases.widths, bits, from, sums);
  const layouts = await measureLoads(lab, 'layouts', `Structures: ${2 ** (bits - 2)} of three words`, cases.layouts,
    bits - 2, from, sums);
  told.tell(report, 'tell_loads', [...orders.slice(0, -1), ...widths, ...layouts], [], cases.orders.length,
    cases.widths.length);
  told.tell(report, 'tell_loop', [orders[0], orders.at(-1)], []);
}

// --- Transposes ---

async function transpose(lab) {
  const { bench, report, told } = lab;
  let n = bench.software ? 512 : bench.quick ? 2048 : 8192;
  while (n * n * 4 > bench.size(n * n * 4)) n /= 2;
  const bytes = n * n * 4, from = bench.buffer(bytes), to = bench.buffer(bytes), cases = {};
  await bench.number(from, bytes);
  for (const { key, name, lanes } of lab.cases.transposes) {
    if (lanes > bench.limits.maxComputeInvocationsPerWorkgroup) continue;
    const groups = n / (key === 'wide' || key === 'registers' ? 64 : 32);
    cases[key] = { id: key, name, kernel: `transpose_${key}`, buffers: { 0: from, 1: to }, push: [n],
      groups: [groups, groups], bytes: 2 * bytes, workingSet: 2 * bytes };
    await verify(lab, cases[key], to, bytes, (got) =>
      (key === 'copy' ? told.wrong(got, 'wrong_copies', 1) : told.wrong(got, 'wrong_transposed', n, n)), 'words');
  }
  const bestCopy = () => Math.max(rateOf(cases.copy), copyAt(lab, 2 * bytes));
  await measure(lab, 'transpose', Object.values(cases),
    { title: `Transposing ${n} x ${n} words of 32 bits; every word verified`, columns: named('transpose'),
    more: () => [['share', 'of copy', 'share', (one) => rateOf(one) / bestCopy()]],
    plot: 'Transposes: bytes read and written a second', mark: () => ({ name: 'the best copy', value: bestCopy() }) });
  const all = Object.values(cases);
  told.tell(report, 'tell_transposes', all, all.map((one) => rateOf(one) / bestCopy()), all.length, 2 * bytes);
}

// --- Products ---

async function matmul(lab) {
  const { bench, report, told } = lab, n = bench.software ? 128 : bench.quick ? 1024 : 4096, bytes = n * n * 4;
  const [a, b, c] = [0, 1, 2].map(() => bench.buffer(bytes)), cases = {};
  [a, b].forEach((buffer, second) => bench.device.queue.writeBuffer(buffer, 0, told.factor(n * n, second)));
  for (const { key, name, tile } of lab.cases.products) {
    const groups = n / tile;
    cases[key] = { id: key, name,
      kernel: `matmul_${key}${key === 'blocked' && bench.limits.maxComputeWorkgroupStorageSize >= 32768 ? '_16' : ''}`,
      buffers: { 0: a, 1: b, 2: c }, push: [n], groups: [groups, groups], operations: 2 * n ** 3 };
    await verify(lab, cases[key], c, bytes, (got) => told.wrong(got, 'wrong_rows', n, n), 'rows', Float32Array);
  }
  const { fma } = lab.ceilings;
  await measure(lab, 'matmul', Object.values(cases),
    { title: `Multiplying ${n} x ${n} floats of 32 bits; every row verified`, columns: named('product'), unit: 'work',
    what: 'operations',
    more: () => [['share', 'of multiply-adds', 'share', (one) => workOf(one) / fma]],
    plot: 'Products: operations a second', mark: () => ({ name: 'multiply-adds alone', value: fma }) });
  told.tell(report, 'tell_products', Object.values(cases), [], 2 * n ** 3, fma);
}

// --- Workgroups ---

async function workgroup(lab) {
  const { bench, report, told } = lab, { limits } = bench, n = bench.software ? 256 : bench.quick ? 1024 : 4096,
        bytes = n * n * 4;
  const from = bench.buffer(bytes), to = bench.buffer(bytes), counters = bench.buffer(256), cases = [];
  await bench.number(from, bytes);
  for (const { x, y } of lab.cases.workgroups) {
    if (x * y > limits.maxComputeInvocationsPerWorkgroup || x > Math.min(limits.maxComputeWorkgroupSizeX, n) ||
      y > Math.min(limits.maxComputeWorkgroupSizeY, n))
      continue;
    const one = { name: `${x} x ${y}`, lanes: x * y, sides: [x, y], kernel: 'shapes', constants: { 0: x, 1: y },
      buffers: { 0: from, 1: to, 2: counters }, push: [n - 1], groups: [n / x, n / y], bytes: 2 * bytes,
      workingSet: 2 * bytes };
    await verify(lab, one, to, bytes, (got) => told.wrong(got, 'wrong_neighbours', n, n), 'words of the sums of 3x3');
    cases.push(one);
  }
  const best = () => Math.min(...cases.map(({ us }) => us));
  await measure(lab, 'shapes', cases, { title: `Sums of 3x3 of ${n} x ${n} words; every word verified`,
    columns: [['name', 'workgroup', 'name', ({ name }) => name], ['lanes', 'lanes', 'count', ({ lanes }) => lanes]],
    more: () => [['factor', 'of the best', 'factor', ({ us }) => us / best()]],
    plot: 'Bytes read and written a second, by the shape of the workgroup',
    mark: () => ({ name: 'a copy', value: copyAt(lab, 2 * bytes) }) });
  told.tell(report, 'tell_shapes', cases, cases.flatMap(({ sides }) => sides), cases.length, 2 * bytes);
}

// --- All ---

// Says how far the times can be trusted: by their intervals, and by the device's clock.
function sayHowSteady({ report, timed, slow, samples }) {
  const all = timed.filter(({ us }) => us > 0).map((one) => ({ ...one, spread: (one.high - one.low) / one.us }))
    .sort((a, b) => b.spread - a.spread);
  const wide = all.filter(({ spread }) => spread > SPREAD),
        { spread = 0 } = all.find((one) => !wide.includes(one)) ?? {};
  const some = wide.slice(0, 5).map(({ name, low, high }) => `${name} (${format('us', low)} to ${format('us', high)})`);
  const rest =
    `${wide.length ? 'the others' : `All ${all.length} times`} are known to ${(spread * 100).toFixed(1)} % or better`;
  report.say(wide.length ?
    `${wide.length} of ${all.length} times are known to no better than ${SPREAD * 100} %: ${some.join(', ')}` +
    `${wide.length > some.length ? `, and ${wide.length - some.length} more` : ''}` +
    `${wide.length < all.length ? `; ${rest}` : ''}.` : `${rest}.`);
  if (slow)
    report.say(`The device's clock did not stand: ${slow} of ${samples} samples were taken while it was slower than ` +
      'when it was warm, and again when they were repeated.');
}

const instruments = { contraction, access, transpose, matmul, workgroup };
export const instrumentNames = Object.keys(instruments);

/** Runs the lab: { device, verdict, wrongs, tables, plots, json }. */
export async function runLab(
  { gpu = globalThis.navigator?.gpu, only = instrumentNames, selfTest, signal, progress = () => {}, ...options } = {}) {
  const bench = await Bench.open(gpu, options), report = new Report();
  const wrong = (text) => report.wrong(text),
        lab = { bench, report, cases: bench.shaders.cases, timed: [], slow: 0, samples: 0, async time(cases) {
    if (lab.warmer) await bench.warm(lab.warmer);
    const { slow, of } = await bench.time(cases, { wrong, signal });
    lab.timed.push(...cases);
    lab.slow += slow;
    lab.samples += of;
  } };
  const device = { name: bench.name, type: bench.software ? 'cpu' : 'gpu', driver: 'WebGPU', quick: bench.quick,
    timer: bench.times ? 'timestamp-query' : 'submissions', step_us: bench.stepUs };
  try {
    lab.told = await Told.open();
    const step = format('us', bench.stepUs), clock = `, whose clock steps by ${step}; the intervals have that`;
    report.say(bench.times ? `Times are the device's own (timestamp-query)${bench.stepUs < 0.1 ? '' : clock}.` :
      'There is no timestamp-query here: times are of submissions, of which those without work differ by ' +
      `${step}; the intervals have that.`);
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
      report.table('selftest', 'The self-test of the renderer on this device', [['name', '', 'name'],
        ['result', '', 'name']], [['arithmetic and a picture, bit for bit', reason ?? 'passed']]);
      report.say(reason ? `stijl does not draw with this device: ${reason}` :
        'stijl draws with this device: its self-test has the bits of WebAssembly.');
    }
    return { device, verdict: report.verdict, likes: report.likes, wrongs: report.wrongs, tables: report.tables,
      plots: report.plots, json: report.json(device) };
  } finally {
    bench.close();
  }
}
