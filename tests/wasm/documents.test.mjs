// Every document of the SVG suite, and the tiger: the package draws in Node what the native build draws, bit for bit,
// with scalar code and with vectors, on 1, 2 and 4 threads, text with the suite's fonts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { documents, families, fonts, native, noPackage, web } from './native.mjs';

const WIDTH = 300;
const files = documents();
const expected = noPackage || !files.length ? [] : native(files, WIDTH, fonts());
const skip = noPackage ||
  (!files.length ? 'the SVG suite is not here' : typeof expected === 'string' ? expected : false);

const differing = (results) => expected.filter(({ hash }, i) => hash !== results[i]).map(({ path }) => path);

for (const isa of ['scalar', 'wasm']) {
  test(`${isa} gives what the native build gives`, { skip }, async () => {
    const { load } = await import(join(web, 'npm/node.js'));
    const stijl = await load(), given = stijl.fonts();
    for (const path of fonts()) given.add(readFileSync(path));
    for (const [generic, family] of Object.entries(families)) given.setFamily(generic, family);
    const results = expected.map(({ path }) => {
      try {
        return stijl.hash(stijl.render(readFileSync(path), { width: WIDTH, isa, fonts: given }).data);
      } catch (error) {
        if (stijl.broken) throw error;
        return null;
      }
    });
    assert.deepEqual(differing(results), []);
    assert.ok(results.filter(Boolean).length > files.length / 2);
  });
}

for (const threads of [1, 2, 4]) {
  test(`a worker with ${threads} thread${threads > 1 ? 's' : ''} gives it, too`, { skip }, async () => {
    const { openWorker } = await import(join(web, 'npm/worker-node.js'));
    const worker = await openWorker({ threads });
    assert.equal((await worker.ready).threads, threads);
    await worker.addFonts(fonts().map((path) => readFileSync(path)), { families });
    const results = [];
    for (const { path } of expected)
      results.push(
        await worker.render(readFileSync(path), { width: WIDTH, hash: true }).then((r) => r.hash, () => null));
    worker.close();
    assert.deepEqual(differing(results), []);
  });
}
