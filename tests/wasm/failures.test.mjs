// The package where something fails: workers that do not start, parts that cannot be read, wrong arguments, calls that
// are aborted, objects that nobody frees; and what text is when it says that it is something else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

import { nativeTests, noPackage, root, web } from './native.mjs';

const skip = noPackage, hashes = join(nativeTests, 'golden/hashes');
const { load, StijlError } = skip ? {} : await import(join(web, 'npm/node.js'));
const { openWorker } = skip ? {} : await import(join(web, 'npm/worker-node.js'));
const svg = (content, attributes = 'width="20" height="10"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
const square = svg('<rect width="10" height="10" fill="#f00"/>');
const fails = (code, message = '') => (error) => error instanceof StijlError && error.code === code &&
  error.message.includes(message);

// Makes a copy of the package, in which files can be missing.
async function copied(use) {
  const folder = mkdtempSync(join(tmpdir(), 'stijl-package-'));
  try {
    cpSync(join(web, 'npm'), folder, { recursive: true });
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const noNative = skip || (existsSync(hashes) ? false : 'there is no native build to compare with');
test('sizes are those of the native build', { skip: noNative }, async () => {
  const stijl = await load(), lines = execFileSync(hashes, ['--sizes'], { encoding: 'utf8' }).trim().split('\n');
  assert.equal(lines.length, 50);
  for (const line of lines) {
    const [expected, height] = line.split(' '), sizes = new Float64Array(4 * 4096);
    for (let width = 1; width <= 4096; width++) {
      const fitted = stijl.fit({ width: 100, height: Number(height) }, { width });
      sizes.set([fitted.width, fitted.height, fitted.canvas.width, fitted.canvas.height], 4 * (width - 1));
    }
    assert.equal(stijl.hash(sizes), expected, `100 x ${height}`);
  }
  // A square has as many rows as columns, though 48.2 in 32 bits is no 48.2.
  const even = stijl.svg(svg('', 'width="48.2" height="48.2"'));
  for (const width of [120, 240, 480]) assert.deepEqual(even.fit({ width }).canvas, { width, height: width });
  assert.equal(stijl.render(svg('', 'viewBox="0 0 494.128 494.128"'), { width: 480 }).height, 480);
});

test('a worker that cannot start is started once a call, and says why', { skip }, () => copied(async (folder) => {
  const { openWorker: open } = await import(join(folder, 'worker-node.js')), starts = join(folder, 'starts');
  writeFileSync(starts, '');
  writeFileSync(join(folder, 'worker-main-node.js'), `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, 'x'); throw new Error('not today');`);
  await assert.rejects(open(), (error) => error.code === 'DEVICE' && error.message.includes('not today'));
  await setTimeout(500);
  assert.equal(readFileSync(starts, 'utf8'), 'x');
}));

test('a worker that has ended by itself is replaced by the next call', { skip }, async () => {
  const worker = await openWorker();
  await assert.rejects(worker.render('<svg'), fails('MALFORMED'));
  const stop = new AbortController(), job = worker.render(square, { signal: stop.signal });
  stop.abort();
  await assert.rejects(job, fails('CANCELLED'));
  assert.equal((await worker.render(square)).width, 20);
  worker.close();
});

test('a part that was not there may be there later', { skip }, () => copied(async (folder) => {
  const { load: open } = await import(join(folder, 'node.js')),
        { openWorker: start } = await import(join(folder, 'worker-node.js'));
  const sheet = svg('<style>rect { fill: lime }</style><rect width="9" height="9"/>'),
        part = join(folder, 'stijl-documents.wasm');
  const stijl = await open(), worker = await start(), kept = stijl.path();
  renameSync(part, `${part}.away`);
  assert.throws(() => stijl.render(sheet), (error) => error.code === 'IO' && error.message.includes('documents'));
  assert.ok(stijl.broken);
  await assert.rejects(worker.render(sheet), (error) => error.code === 'IO' && error.message.includes('documents'));
  renameSync(`${part}.away`, part);
  assert.deepEqual([...stijl.render(sheet).data.subarray(0, 4)], [0, 255, 0, 255]);
  assert.ok(!stijl.broken);
  assert.throws(() => kept.lineTo(1, 1),
    (error) => error.code === 'INVALID_STATE' && error.message.includes('documents'));
  assert.equal((await worker.render(sheet)).width, 20);
  worker.close();
}));

test('a worker starts while its module comes, and ends if that does not', { skip, timeout: 30000 }, async () => {
  let ended;
  const start = () => {
    const worker = new Worker(join(web, 'npm/worker-main-node.js'));
    ended = new Promise((resolve) => worker.once('exit', () => resolve('ended')));
    return worker;
  };
  await assert.rejects(openWorker({ module: new URL('file:///nowhere/stijl.wasm'), worker: start }), /ENOENT/);
  assert.equal(await ended, 'ended');
});

test('a worker takes what load() takes', { skip }, async () => {
  const lines = [], lost = new URL('file:///nowhere'),
        part = (name) => readFileSync(join(web, `npm/stijl-${name}.wasm`));
  const parts = { fonts: lost, documents: part('documents'), images: part('images') };
  const worker =
    await openWorker({ module: readFileSync(join(web, 'npm/stijl.wasm')), parts, ahead: ['documents', 'images'],
    log: (level, line) => lines.push([level, line]) });
  await worker.render(svg('<style>rect { fill: lime }</style><image href="x.png" width="9" height="9"/>'));
  assert.equal(lines.length, 1);
  assert.equal(lines[0][0], 'warning');
  worker.close();
});

test('a string is text, whatever encoding it declares; bytes are of that encoding', { skip }, async () => {
  const stijl = await load(), head = '<?xml version="1.0" encoding="ISO-8859-1"?>',
        id = svg('<rect id="é" width="9" height="9"/>');
  const bytes = Buffer.from(head + id, 'latin1');
  for (const source of [head + id, `\ufeff${head}${id}`, bytes, `<?xml version="1.0" encoding="UTF-16"?>${id}`])
    assert.ok(stijl.svg(source).find('é') > 0);
  assert.equal(stijl.document(`${head}<a b="é"/>`).attribute(0, 'b'), 'é');
  assert.equal(stijl.document(Buffer.from(`${head}<a b="é"/>`, 'latin1')).attribute(0, 'b'), 'é');
  const css = stijl.css(), sheet = '@charset "iso-8859-1"; .é {}';
  css.add(sheet).add(Buffer.from(sheet, 'latin1'));
  assert.deepEqual(css.selectors().map(({ text }) => text), ['.é', '.é']);
});

test('what is wrong is told at once, and is not what was wrong before', { skip }, async () => {
  const stijl = await load();
  assert.throws(() => stijl.svg('<svg'), fails('MALFORMED'));
  for (const name of ['maxSeconds', 'maxMemory', 'maxWork'])
    for (const value of [-1, NaN, '5'])
      assert.throws(() => stijl.svg(square, { [name]: value }), fails('INVALID_ARGUMENT', name));
  for (const garbage of [new Uint8Array(100), new Uint8Array(0), Buffer.from('<svg xmlns="...">')])
    assert.throws(() => stijl.fonts().add(garbage), fails('UNSUPPORTED', 'font'));
  const worker = await openWorker();
  await assert.rejects(worker.render(square, { maxSeconds: -1 }), fails('INVALID_ARGUMENT', 'maxSeconds'));
  await assert.rejects(worker.addFonts([new Uint8Array(9)]), fails('UNSUPPORTED', 'font'));
  assert.equal((await worker.render(square, { maxSeconds: Infinity })).width, 20);
  worker.close();
});

// What has no room is not put where lists were before, which others may have by then.
test('a list that is too long ends no instance', { skip }, async () => {
  const stijl = await load({ maxMemory: 32 << 20 }), line = stijl.path().moveTo(0, 5).lineTo(20, 5),
        renderer = stijl.renderer();
  const drawn = () => renderer.render(stijl.scene().stroke(line, 'red', { width: 4, dashes: [3, 2] }).finish(),
    { width: 20, height: 10 }).data, before = drawn();
  for (const length of [2 ** 27, 2 ** 29])
    assert.throws(() => stijl.scene().stroke(line, 'red', { dashes: { length } }), fails('OUT_OF_MEMORY'));
  assert.equal(stijl.image(stijl.png(stijl.render(square))).width, 20);
  assert.deepEqual(drawn(), before);
});

test('neither a value that is no number nor a log that throws ends an instance', { skip }, async () => {
  const { error: shown } = console, told = [], thrown = new Error('of the log');
  console.error = (error) => told.push(error);
  try {
    const log = () => { throw thrown; }, stijl = await load({ log }), noisy = svg('<text y="9">A</text>');
    for (const value of [1n, Symbol('wide'), { valueOf: () => 1n }]) {
      const line = stijl.path().moveTo(0, 0).lineTo(9, 0), all = (count) => Array(count).fill(value);
      for (const options of [{ width: value }, { dashes: [2, value] }, { transform: all(6) }, { pen: all(6) }])
        assert.throws(() => stijl.scene().stroke(line, 'red', options), fails('INVALID_ARGUMENT', 'number'));
      assert.throws(() => stijl.filter().colorMatrix('source', all(20)), fails('INVALID_ARGUMENT', 'number'));
      assert.equal(stijl.render(square).width, 20);
    }
    assert.equal(stijl.render(noisy).width, 20);
    assert.deepEqual([told.length > 0, told.every((error) => error === thrown)], [true, true]);
    const worker = await openWorker({ log }), before = told.length;
    assert.equal((await worker.render(noisy)).width, 20);
    assert.ok(told.length > before && told.at(-1) === thrown);
    worker.close();
  } finally {
    console.error = shown;
  }
});

test('a call that waits for others ends at once when it is aborted', { skip }, async () => {
  const worker = await openWorker({ maxSeconds: 60 }),
        slow = svg('<circle r="9" stroke="red" fill="none"/>'.repeat(200000));
  const first = new AbortController(), second = new AbortController();
  let ended = false;
  const running = worker.render(slow, { width: 20000, signal: first.signal }),
        queued = worker.render(square, { signal: second.signal });
  running.catch(() => { ended = true; });
  second.abort();
  await assert.rejects(queued, fails('CANCELLED'));
  assert.ok(!ended);
  first.abort();
  await assert.rejects(running, fails('CANCELLED'));
  worker.close();
});

test('documents of a worker that nobody closes are closed', { skip }, async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc'), worker = await openWorker({ maxMemory: 80 << 20 });
  const large = svg('<rect width="10" height="10" fill="#f00"/>'.repeat(20000));  // some MB
  for (let i = 0; i < 30; i++) {
    await worker.open(large);
    collect();
    await setTimeout(5);
  }
  assert.equal((await worker.render(square)).width, 20);
  worker.close();
});

test('the licences of what is inside are in the package and beside the page', { skip }, () => {
  const { files } = JSON.parse(readFileSync(join(web, 'npm/package.json'), 'utf8'));
  assert.ok(files.includes('NOTICE') && existsSync(join(web, 'npm/NOTICE')));
  const page = readFileSync(join(web, 'page/NOTICE'), 'utf8');
  for (const name of ['stijl', 'expat', 'zlib', 'libpng1.6', 'libjpeg-turbo', 'libwebp', 'giflib', 'harfbuzz',
    'freetype', 'brotli', 'fribidi', 'libunibreak', 'wasi-libc'])
    assert.ok(page.includes(`==== ${name} ====`), name);
  assert.match(readFileSync(join(web, 'page/index.html'), 'utf8'), /href="NOTICE"/);
});
