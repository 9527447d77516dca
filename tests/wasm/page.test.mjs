// The page and the package in a real Chromium: the native build's pixels, two sizes and dark mode, the keyboard,
// hostile files, no network, accessibility. STIJL_TEST_SHOTS=FOLDER keeps the screenshots, to look at.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';

import { Chromium, noChromium, serve } from './chromium.mjs';
import { documents, native, noPackage, root, web } from './native.mjs';

const skip = noPackage || noChromium;
const svg = (content, attributes = 'width="20" height="10"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
const WIDTH = 300, READY = 'document.documentElement?.dataset.state === "ready"',
      FAILED = 'document.documentElement?.dataset.state === "failed"';

let chromium, server;
const files = skip ? [] : documents();
before(async () => {
  if (skip) return;
  server = await serve({ '/': join(web, 'page/'), '/npm/': join(web, 'npm/'), '/any/': '/' });
  chromium = new Chromium();
});
after(async () => {
  await chromium?.close();
  server?.close();
});

async function open(options) {
  const page = await chromium.page(`${server.url}/`, options);
  await page.waitFor(READY);
  return page;
}
const text = (page, id) => page.evaluate((id) => document.getElementById(id).textContent, id);
const write = (page, source) => page.evaluate((source) => {
  const field = document.getElementById('source');
  field.value = source;
  document.documentElement.dataset.state = 'typing';
  field.dispatchEvent(new Event('input'));
}, source);
const press = async (page, key, code = key) => {
  for (const type of ['keyDown', 'keyUp'])
    await page.send('Input.dispatchKeyEvent',
      { type, key, code, ...(key.length === 1 && type === 'keyDown' ? { text: key } : {}) });
};
// Returns what the page shows after Fit, drawn in Node.
async function fitted(page, source) {
  const { load } = await import(join(web, 'npm/node.js'));
  const stijl = await load(), document = stijl.svg(source),
        [width, height] = await page.evaluate(() => [canvas.width, canvas.height]);
  const scale = 0.96 * Math.min(width / document.width, height / document.height);
  const transform = [scale, 0, 0, scale, (width - document.width * scale) / 2, (height - document.height * scale) / 2];
  return stijl.hash(stijl.renderer().render(document.scene(), { width, height, transform }).data);
}

test('every document is drawn in Chromium as by the native build',
  { skip: skip || (files.length ? false : 'the SVG suite is not here') }, async (t) => {
  const expected = native(files, WIDTH);
  if (typeof expected === 'string') return t.skip(expected);
  const page = await chromium.page(`${server.url}/`);
  for (const [threads, isa] of [[1, 'scalar'], [1, 'auto'], [2, 'auto'], [4, 'auto']]) {
    const results = await page.evaluate(async (paths, threads, isa, width) => {
      const { openWorker } = await import('/npm/worker.js');
      const worker = await openWorker({ threads, isa });
      const facts = await worker.ready, hashes = [];
      for (const path of paths) {
        const data = await (await fetch('/any' + path.split('/').map(encodeURIComponent).join('/'))).arrayBuffer();
        hashes.push(await worker.render(data, { width, hash: true }).then((result) => result.hash, () => null));
      }
      worker.close();
      return { facts, hashes };
    }, expected.map(({ path }) => path), threads, isa, WIDTH);
    assert.equal(results.facts.threads, threads);
    assert.equal(results.facts.isa, isa === 'auto' ? 'wasm' : isa);
    assert.deepEqual(expected.filter(({ hash }, i) => hash !== results.hashes[i]).map(({ path }) => path), [],
      `${isa}, ${threads} threads`);
  }
  await page.close();
});

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 },
  dark: { width: 1280, height: 800, dark: true },
  low: { width: 1366, height: 650 }, laptop: { width: 1280, height: 720 } };
for (const [name, options] of Object.entries(sizes)) {
  test(`the page, ${name}`, { skip }, async () => {
    const page = await open(options);
    assert.equal(await text(page, 'hash'), await fitted(page, readFileSync(join(root, 'docs/picture.svg'))));
    const layout = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - innerWidth,
      covered: document.querySelector('footer').getBoundingClientRect().top < document.querySelector('main')
        .getBoundingClientRect().bottom - 1,
      // Of what is visible, nothing lies on top of another.
      overlap: [['.side', '.view', 'footer', 'header'], ['#facts', '.side .hint', '#source'],
        ['.toolbar', '#stage', '#keys', '#status']].flatMap((group) => {
        const boxes = group.map((one) => [one, document.querySelector(one).getBoundingClientRect()]);
        return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([, q]) => p.left < q.right - 1 &&
          q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1)
          .map(([b]) => `${a} ${b}`));
      }),
      paper: getComputedStyle(document.body).backgroundColor,
    }));
    assert.deepEqual(layout,
      { wide: 0, covered: false, overlap: [], paper: options.dark ? 'rgb(21, 23, 27)' : 'rgb(255, 255, 255)' });
    const shot = await page.screenshot();
    assert.ok(shot.length > 10000);
    if (process.env.STIJL_TEST_SHOTS) writeFileSync(join(process.env.STIJL_TEST_SHOTS, `${name}.png`), shot);
    assert.deepEqual(page.errors, []);
    await page.close();
  });
}

test('accessibility, by axe-core', { skip: skip || (process.env.STIJL_AXE ? false : 'no axe-core (STIJL_AXE)') },
  async () => {
  const axe = readFileSync(process.env.STIJL_AXE, 'utf8');
  for (const dark of [false, true]) {
    const page = await open({ dark });
    await page.evaluate(`${axe}\n;0`);
    for (const tab of ['draw', 'match', 'lab']) {
      await page.evaluate((tab) => document.getElementById(`tab-${tab}`).click(), tab);
      const violations = await page.evaluate(async () => (await axe.run())
        .violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`));
      assert.deepEqual(violations, []);
    }
    await page.close();
  }
});

test('the source is edited live, and errors are told', { skip }, async () => {
  const page = await open();
  const source = svg('<rect width="10" height="10" fill="#08f"/>');
  await write(page, source);
  await page.waitFor(READY);
  await page.evaluate(() => {
    document.documentElement.dataset.state = 'pressed';
    document.getElementById('fit').click();
  });
  await page.waitFor(`${READY} && document.getElementById('hash').textContent !== '…'`);
  assert.equal(await text(page, 'hash'), await fitted(page, source));
  await page.evaluate(() => {
    document.documentElement.dataset.state = 'pressed';
    document.getElementById('zoom-in').click();
  });
  await page.waitFor(READY);
  const zoom = await text(page, 'zoom');
  await write(page, '<svg');
  await page.waitFor(FAILED);
  assert.match(await text(page, 'status'), /line 1/);
  // What was drawn before stays meanwhile, faded, and then the view.
  const left = () => page.evaluate(() => [canvas.className,
    canvas.getContext('2d').getImageData(canvas.width / 2 - 9, canvas.height / 2, 1, 1).data.join()]);
  assert.deepEqual(await left(), ['old', '0,136,255,255']);
  await write(page, source);
  await page.waitFor(READY);
  assert.match(await text(page, 'status'), /20 × 10/);
  assert.deepEqual([...await left(), await text(page, 'zoom')], ['', '0,136,255,255', zoom]);
  await page.close();
});

test('a file is dropped', { skip }, async () => {
  const page = await open();
  await page.evaluate(() => { location.hash = '#match'; });
  await page.waitFor("!document.getElementById('panel-match').hidden");
  await page.evaluate((source) => {
    const data = new DataTransfer();
    data.items.add(new File([source], 'a.svg', { type: 'image/svg+xml' }));
    document.documentElement.dataset.state = 'dropped';
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, svg('<circle r="9"/>', 'width="33" height="10"'));
  await page.waitFor(READY);
  assert.match(await text(page, 'status'), /33 × 10/);
  assert.deepEqual(await page.evaluate(() => [document.getElementById('panel-draw').hidden, location.hash]),
    [false, '']);
  await page.close();
});

test('a document, its image and a font are dropped together, gzipped', { skip }, async () => {
  const page = await open(), drop = (list) => page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, text] of list)
      data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    document.documentElement.dataset.state = 'dropped';
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, list.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));
  await page.evaluate(() => { document.getElementById('show').value = 'browser'; });
  const document =
    svg('<image width="20" height="10" href="in%20here.svg"/><text x="1" y="9" font-size="9" fill="blue">A</text>');
  await drop(
    [['fonts/a.woff2', readFileSync(join(root, 'tests/fonts/stijl-regular.woff2'))], ['a.svgz', gzipSync(document)],
    ['in here.svg', svg('<rect width="20" height="10" fill="red"/>')]]);
  await page.waitFor(READY);
  assert.deepEqual([await page.evaluate(() => document.getElementById('source').value), await text(page, 'warnings')],
    [document, '']);
  assert.match(await text(page, 'browser'), /ms$/);
  const colors = await page.evaluate(() => { document.getElementById('show').value = 'stijl';
  document.getElementById('show').dispatchEvent(new Event('change'));
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height), found = new Set();
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] === 255)
        found.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
    return [found.has('255,0,0'), found.has('0,0,255')]; });
  assert.deepEqual(colors, [true, true]);
  assert.match(await text(page, 'draw'), /\([2-9] frames\)/);
  // What another document was warned of is gone with it.
  await write(page, svg('<image width="20" height="10" href="missing.png"/>'));
  await page.waitFor(READY);
  assert.match(await text(page, 'warnings'), /missing.png/);
  await write(page, '<svg');
  await page.waitFor(FAILED);
  assert.equal(await text(page, 'warnings'), '');
  await page.close();
});

test('the keyboard zooms, pans and changes tabs', { skip }, async () => {
  const page = await open();
  const state = () =>
    page.evaluate(() => [document.getElementById('zoom').textContent, document.getElementById('hash').textContent]);
  const settled = async () => {
    await page.waitFor(`${READY} && document.getElementById('hash').textContent !== '…'`);
    return state();
  };
  const first = await settled();
  await page.evaluate(() => document.getElementById('canvas').focus());
  const change = async (key) => {
    await page.evaluate(() => { document.documentElement.dataset.state = 'pressed'; });
    await press(page, key);
    return settled();
  };
  const zoomed = await change('+'), panned = await change('ArrowLeft'), back = await change('0');
  assert.notEqual(zoomed[0], first[0]);
  assert.equal(panned[0], zoomed[0]);
  assert.notEqual(panned[1], zoomed[1]);
  assert.deepEqual(back, first);
  await page.evaluate(() => document.getElementById('tab-draw').focus());
  await press(page, 'ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-match');
  assert.equal(await page.evaluate(() => document.getElementById('panel-match').hidden), false);
  const rows =
    await page.waitFor("[...document.querySelectorAll('#matches tr')].map((row) => row.lastChild.textContent).join()");
  assert.match(rows, /^(agrees,?)+$/);
  await page.close();
});

test('words are drawn with the machine\'s fonts, once they are lent', { skip }, async (t) => {
  const page = await open(), dark = () => page.evaluate(() => canvas.getContext('2d')
          .getImageData(0, 0, canvas.width, canvas.height).data.some((byte, i) => i % 4 === 3 && byte > 200));
  await write(page,
    svg('<text x="10" y="50" font-size="50" font-family="sans-serif">Words</text>', 'width="200" height="60"'));
  await page.waitFor(READY);
  assert.equal(await dark(), false);
  if (!(await page.evaluate('"queryLocalFonts" in window'))) return t.skip('this Chromium lends no fonts');
  assert.equal(await page.evaluate(() => document.getElementById('fonts').hidden), false);
  await chromium.send('Browser.grantPermissions', { permissions: ['localFonts'] });
  await page.evaluate(() => { document.documentElement.dataset.state = 'lent'; });
  await page.send('Runtime.evaluate', { expression: "document.getElementById('lend').click()", userGesture: true });
  await page.waitFor(`${READY} || document.getElementById('status').className === 'failed'`);
  const said = await text(page, 'status');
  if (/lent no fonts/.test(said)) return t.skip('this machine has none that are common');
  assert.match(said, /200 × 60/);
  assert.equal(await dark(), true);
  assert.equal(await page.evaluate(() => document.getElementById('fonts').hidden), true);
  await page.close();
});

test('two fingers zoom, and one drags; another size keeps what is seen', { skip }, async () => {
  const page = await open({ width: 390, height: 844 });
  await page.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  const [left, top, zoom] = await page.evaluate(() => {
    const { x, y } = canvas.getBoundingClientRect();
    return [x, y, parseInt(document.getElementById('zoom').textContent)];
  });
  const touch = (type, ...points) => page.send('Input.dispatchTouchEvent',
    { type, touchPoints: points.map(([x, y], id) => ({ x: left + x, y: top + y, id })) });
  const settled = async () => {
    await page.waitFor(`${READY} && document.getElementById('hash').textContent !== '…'`);
    return [parseInt(await text(page, 'zoom')), await text(page, 'hash')];
  };
  const change = async (...steps) => {
    await page.evaluate(() => { document.documentElement.dataset.state = 'touched'; });
    for (const [type, ...points] of steps) await touch(type, ...points);
    return settled();
  };
  const pinched =
    await change(['touchStart', [150, 200], [210, 200]], ['touchMove', [120, 200], [240, 200]], ['touchEnd']);
  assert.ok(Math.abs(pinched[0] / zoom - 2) < 0.05, `${zoom} to ${pinched[0]} %`);
  const dragged = await change(['touchStart', [150, 200]], ['touchMove', [180, 230]], ['touchEnd']);
  assert.equal(dragged[0], pinched[0]);
  assert.notEqual(dragged[1], pinched[1]);
  await page.evaluate(() => { document.documentElement.dataset.state = 'resized'; });
  await page.send('Emulation.setDeviceMetricsOverride',
    { width: 700, height: 844, deviceScaleFactor: 1, mobile: false });
  assert.equal((await settled())[0], pinched[0]);
  await page.close();
});

test('the difference against the browser is shown when asked for', { skip }, async () => {
  const page = await open();
  await write(page, svg('<rect width="20" height="10" fill="#08f"/>'));
  await page.waitFor(READY);
  assert.equal(await text(page, 'differ'), 'not tried');
  await page.evaluate(() => {
    const show = document.getElementById('show');
    show.value = 'difference';
    show.dispatchEvent(new Event('change'));
  });
  assert.match(await page.waitFor("document.getElementById('differ').textContent.match(/^none$|at most/)?.[0]"),
    /none|at most/);
  await page.close();
});

test('hostile files stay in the worker', { skip }, async () => {
  const page = await open();
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
    }, 10);
  });
  const many = '<use href="#0"/>'.repeat(10);
  const bomb = svg('<defs>' + Array.from({ length: 9 },
    (_, i) => `<g id="${8 - i}">${i === 0 ? '<path d="M0 0H9V9Z"/>' : many.replaceAll('#0', `#${9 - i}`)}</g>`)
    .join('') + '</defs><use href="#0"/>');
  const hostile = {
    'uses of uses': [bomb, /max_elements/],
    'entities of entities': [`<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">${'bcdefgh'.split('').map((c, i) => `<!ENTITY ${c} "${`&${'abcdefg'[i]};`.repeat(20)}">`).join('')}]>${svg('<title>&h;</title>')}`, /expand too far/],
    'layers and dashes': [svg(Array.from({ length: 60 }, () => '<g opacity=".5" style="mix-blend-mode:multiply">')
      .join('') + '<path d="M0 0H9V9Z"/>' + '</g>'.repeat(60) +
      '<path stroke="red" stroke-dasharray="1e-6" d="M0 0H99999999"/>'.repeat(1000)), /CSS pixels|max_/],
  };
  for (const [name, [source, said]] of Object.entries(hostile)) {
    await write(page, source);
    await page.waitFor(`${FAILED} || ${READY}`, 20000);
    assert.match(await text(page, 'status'), said, name);
  }
  await write(page, svg('<script>window.parent.hacked = window.hacked = true</script><rect width="9" height="9" onload="hacked = true"/><foreignObject><img src="x" onerror="hacked=true"/></foreignObject>'));
  await page.waitFor(READY);
  await page.evaluate(() => {
    const show = document.getElementById('show');
    show.value = 'browser';
    show.dispatchEvent(new Event('change'));
  });
  await page.waitFor("document.getElementById('browser').textContent !== 'not tried'");
  assert.equal(await page.evaluate('window.hacked'), undefined);
  const longest = await page.evaluate('longest');
  assert.ok(longest < 1500, `the page stood still for ${longest} ms`);
  await page.close();
});

test('a worker that does not stop is ended, and the next file is drawn', { skip }, async () => {
  const page = await open();
  const outcome = await page.evaluate(async (slow, quick) => {
    const { openWorker } = await import('/npm/worker.js');
    const worker = await openWorker({ maxSeconds: 0.2, maxMemory: 100 << 20 });
    const said = await worker.render(slow, { width: 16000 }).catch((error) => `${error.code}`);
    const { width } = await worker.render(quick);
    worker.close();
    return [said, width];
  }, svg('<circle r="9" stroke="red" fill="none"/>'.repeat(100000)), svg(''));
  assert.ok(['LIMIT', 'OUT_OF_MEMORY'].includes(outcome[0]), outcome[0]);
  assert.equal(outcome[1], 20);
  await page.close();
});

test('a picture goes onto canvases, which get its size', { skip }, async () => {
  const page = await chromium.page(`${server.url}/`);
  const [shown, kinds, wrong] = await page.evaluate(async (source) => {
    const { load } = await import('/npm/index.js'), stijl = await load(), picture = stijl.render(source, { width: 40 });
    const canvases =
      [document.createElement('canvas'), new OffscreenCanvas(1, 1)].map((canvas) => picture.toCanvas(canvas));
    const hashes = canvases.map((canvas) => stijl.hash(canvas.getContext('2d').getImageData(0, 0, 40, 20).data));
    const other = new OffscreenCanvas(1, 1);
    other.getContext('bitmaprenderer');
    let said;
    try { picture.toCanvas(other); } catch (error) { said = error.code; }
    return [[stijl.hash(picture.data), ...hashes], canvases.map(({ width, height }) => [width, height]), said];
  }, svg('<rect width="10" height="10" fill="#f00"/>'));
  assert.deepEqual(shown, [shown[0], shown[0], shown[0]]);
  assert.deepEqual(kinds, [[40, 20], [40, 20]]);
  assert.equal(wrong, 'INVALID_ARGUMENT');
  await page.close();
});

test('it works without a network', { skip }, async () => {
  const own = await serve({ '/': join(web, 'page/') }, { isolated: false });
  const page = await chromium.page(`${own.url}/`);
  await page.waitFor(READY);
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  own.close();
  await page.send('Page.reload', {});
  await page.waitFor(`${READY} && crossOriginIsolated`);
  assert.match(await text(page, 'isa'), /thread/);
  // Also what the page loads later: shaders, the lab, and the parts of both modules. index.js and modules.js are for
  // others.
  const needed = readdirSync(join(web, 'page/stijl')).filter((name) => !['index.js', 'modules.js'].includes(name));
  const missing = await page.evaluate(async (names) => {
    const found = await Promise.all(names.map((name) => fetch(`stijl/${name}`).then(({ ok }) => ok, () => false)));
    return names.filter((_, i) => !found[i]);
  }, needed);
  assert.deepEqual(missing, []);
  await page.close();
});
