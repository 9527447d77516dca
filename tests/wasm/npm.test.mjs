// The package in Node: what it offers, how it fails, and that it stays in step with the headers of the library.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

import { noPackage, root, web } from './native.mjs';

const skip = noPackage;
const { load, enums, states, partNames, StijlError } = skip ? {} : await import(join(web, 'npm/node.js'));
const { openWorker } = skip ? {} : await import(join(web, 'npm/worker-node.js'));
const svg = (content, attributes = 'width="20" height="10"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
const square = svg('<rect width="10" height="10" fill="#f00"/>');
const fails = (code, message) => (error) => error instanceof StijlError && error.code === code &&
  (message === undefined || error.message.includes(message));

test('words are numbered as the headers number them', { skip }, () => {
  const headers = ['image', 'path', 'render', 'scene', 'css', 'result', 'svg', 'filter', 'fonts',
    'text'].map((name) => readFileSync(join(root, 'include/stijl', `${name}.h`), 'utf8')).join('\n');
  const names = (prefix, marker = prefix) => {
    const body = [...headers.matchAll(/typedef enum [^{]*\{([^}]*)\}/g)].map((match) => match[1].replace(/\/\/.*/g, ''))
      .find((text) => text.includes(marker));
    return body.split(',').map((word) => word.trim().split(/[ =]/)[0]).filter(Boolean)
      .map((word) => word.replace(prefix, '').toLowerCase().replaceAll('_', '-'));
  };
  const prefixes = { isa: 'STIJL_ISA_', format: 'STIJL_FORMAT_', spread: 'STIJL_SPREAD_', sampling: 'STIJL_SAMPLING_',
    fillRule: 'STIJL_FILL_', cap: 'STIJL_CAP_', join: 'STIJL_JOIN_', blend: 'STIJL_BLEND_', mask: 'STIJL_MASK_',
    extent: 'STIJL_EXTENT_',
    svgBox: 'STIJL_SVG_BOX_', filterEdge: 'STIJL_FILTER_EDGE_', transfer: 'STIJL_TRANSFER_', channel: 'STIJL_CHANNEL_',
    light: 'STIJL_LIGHT_',
    family: 'STIJL_FAMILY_', fontHow: 'STIJL_FONT_', origin: 'STIJL_CSS_ORIGIN_', verb: 'STIJL_PATH_',
    align: 'STIJL_ALIGN_', direction: 'STIJL_DIRECTION_' };
  for (const [kind, prefix] of Object.entries(prefixes)) assert.deepEqual(enums[kind], names(prefix), kind);
  assert.deepEqual(enums.filterOperator, names('STIJL_FILTER_', 'STIJL_FILTER_OVER'));
  assert.deepEqual(enums.slant, names('STIJL_FONT_', 'STIJL_FONT_ITALIC'));
  assert.deepEqual(enums.svgKind, names('STIJL_SVG_', 'STIJL_SVG_GROUP'));
  assert.deepEqual(enums.paint, names('STIJL_PAINT_').slice(0, enums.paint.length));
  const bits = Object.fromEntries([...headers.matchAll(/define STIJL_CSS_STATE_(\w+) \(\(uint64_t\)1 << (\d+)\)/g)]
    .map(([, name, bit]) => [name.toLowerCase().replaceAll('_', '-'), Number(bit)]));
  assert.deepEqual(states, bits);
});

test('a recorded scene is drawn', { skip }, async () => {
  const stijl = await load(), path = stijl.path().rect(0, 0, 2, 1), scene = stijl.scene();
  scene.fill(path, 'lime').fill(path, { color: [0, 0, 1] }, { transform: [0.5, 0, 0, 1, 0, 0] }).finish();
  const renderer = stijl.renderer();
  const { data } = renderer.render(scene, { width: 3, height: 1, background: '#00000080' });
  assert.deepEqual([...data], [0, 0, 255, 255, 0, 255, 0, 255, 0, 0, 0, 128]);
  assert.deepEqual([...renderer.render(scene, { width: 3, height: 1, region: { x0: 1, x1: 2 } }).data],
    [0, 255, 0, 255]);
  assert.equal(renderer.isa, 'wasm');
  assert.equal(renderer.stats().draws, 2);
  assert.deepEqual(scene.bounds(), { extent: 'bounded', x0: 0, y0: 0, x1: 2, y1: 1 });
  assert.deepEqual(path.bounds(), { x0: 0, y0: 0, x1: 2, y1: 1 });
});

test('filters of layers', { skip }, async () => {
  const stijl = await load(), renderer = stijl.renderer(), square = stijl.path().rect(2, 2, 2, 2);
  // Returns what a red square becomes, 6 x 6 pixels.
  const draw = (build) => {
    const filter = stijl.filter(), scene = stijl.scene();
    build(filter);
    scene.pushLayer({ filter }).fill(square, 'red').popLayer().finish();
    filter.free();
    return renderer.render(scene, { width: 6, height: 6 });
  };
  const at = ({ data }, x, y) => [...data.subarray(4 * (6 * y + x), 4 * (6 * y + x) + 4)];
  const whole = { x0: 0, y0: 0, x1: 6, y1: 6 }, red = [255, 0, 0, 255], none = [0, 0, 0, 0];
  assert.deepEqual(at(draw((f) => f.offset('source', 2, 1)), 5, 4), red);
  assert.deepEqual(at(draw((f) => f.flood('lime', { region: { x0: 0, y0: 0, x1: 1, y1: 1 } })), 0, 0),
    [0, 255, 0, 255]);
  assert.deepEqual(at(draw((f) => f.flood('lime', { region: { x0: 0, y0: 0, x1: 1, y1: 1 } })), 1, 0), none);
  assert.deepEqual(at(draw((f) => f.alpha('source')), 2, 2), [0, 0, 0, 255]);
  assert.deepEqual(
    at(draw((f) => f.colorMatrix('source', [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])), 2, 2),
    [0, 255, 0, 255]);
  assert.deepEqual(at(draw((f) => f.transfer('source', { r: { values: [1, 0] }, b: { kind: 'linear', a: 0, b: 1 } })),
    2, 2), [0, 0, 255, 255]);
  assert.deepEqual(at(draw((f) => f.merge([f.flood('blue', { region: whole }), 'source'])), 2, 2), red);
  assert.deepEqual(at(draw((f) => f.composite(f.flood('blue', { region: whole }), 'source', 'out')), 2, 2), none);
  assert.deepEqual(at(draw((f) => f.arithmetic('source', 'source', [0, 0.5, 0.5, 0])), 3, 3), red);
  assert.deepEqual(at(draw((f) => f.blend(f.flood('#0ff', { region: whole }), 'source', 'screen')), 2, 2),
    [255, 255, 255, 255]);
  assert.deepEqual(at(draw((f) => f.dropShadow('source', 2, 0, 0, 'blue')), 5, 2), [0, 0, 255, 255]);
  assert.deepEqual(at(draw((f) => f.dilate('source', 1)), 1, 1), red);
  assert.deepEqual(at(draw((f) => f.erode('source', 1)), 2, 2), none);
  assert.deepEqual(at(draw((f) => f.tile('source', { x0: 2, y0: 2, x1: 4, y1: 4 }, { region: whole })), 0, 5), red);
  assert.deepEqual(at(
    draw((f) => f.displace('source', f.flood('#000', { region: whole }), 2, 'a', 'r', { region: whole })), 1, 3), red);
  assert.deepEqual(at(draw((f) => f.convolve('source', { kernel: [0, 0, 0, 1, 0, 0, 0, 0, 0], edge: 'none' })), 1, 2),
    red);
  assert.deepEqual(at(draw((f) => f.css('source', 'invert')), 2, 2), [0, 255, 255, 255]);
  assert.deepEqual(at(draw((f) => f.scene(stijl.scene().fill(square, 'teal').finish(), [1, 0, 0, 1, 2, 0])), 5, 2),
    [0, 128, 128, 255]);
  assert.deepEqual(at(draw((f) => f.diffuseLight('source', { elevation: 90, color: 'yellow' }, { region: whole })), 0,
    0), [255, 255, 0, 255]);
  assert.ok(
    at(draw((f) => f.specularLight('source', { kind: 'point', position: [3, 3, 5] }, { region: whole })), 0, 0)[3] > 0);
  const blurred = draw((f) => f.blur('source', 1)),
        noise = draw((f) => f.turbulence({ frequency: 0.3, octaves: 2, fractal: true }, { region: whole }));
  assert.ok(at(blurred, 1, 2)[3] > 0 && at(blurred, 2, 2)[3] < 255);
  assert.ok(new Set(noise.data).size > 10);
  // The same by SVG.
  const same = stijl.render(svg('<filter id="f" x="0" y="0" width="6" height="6" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="1"/></filter><rect x="2" y="2" width="2" height="2" fill="red" filter="url(#f)"/>',
    'width="6" height="6"'));
  assert.deepEqual([...draw((f) => f.blur('source', 1, 1, { region: whole })).data], [...same.data]);
  const filter = stijl.filter();
  assert.throws(() => filter.blur(3, 1), fails('INVALID_ARGUMENT'));
  assert.throws(() => filter.blur('sauce', 1), fails('INVALID_ARGUMENT', 'sauce'));
  assert.throws(() => stijl.filter().tile('source'), fails('INVALID_ARGUMENT', 'x0'));
  assert.throws(() => stijl.filter().colorMatrix('source', [1]), fails('INVALID_ARGUMENT', '20'));
});

test('text, with fonts from memory', { skip }, async () => {
  const lines = [], stijl = await load({ log: (level, line) => { if (level === 'warning') lines.push(line); } });
  const font = (name) => readFileSync(join(root, 'tests/fonts', name)),
        words = svg('<text y="9" font-family="Stijl Test" font-size="10">A</text>');
  const empty = stijl.render(svg(''));
  const fonts = stijl.fonts();
  assert.deepEqual(stijl.render(words, { fonts }).data, empty.data);
  fonts.add(font('stijl-regular.ttf'));
  const drawn = stijl.render(words, { fonts });
  assert.notDeepEqual(drawn.data, empty.data);
  assert.ok(fonts.uses().some(({ families, family, how }) => families.includes('Stijl Test') &&
    family === 'Stijl Test' && how === 'named'), JSON.stringify(fonts.uses()));
  fonts.add(font('stijl-color.ttf')).add(font('stijl-bold.ttf'));
  assert.deepEqual(fonts.families(), ['Stijl Test', 'Stijl Color']);
  assert.deepEqual(stijl.fonts().families(), []);
  // The same font, compressed.
  const woff = stijl.fonts().add(font('stijl-regular.woff'));
  assert.deepEqual(stijl.render(words, { fonts: woff }).data, drawn.data);
  // A document keeps its fonts.
  const kept = stijl.svg(words, { fonts });
  fonts.free();
  assert.deepEqual(stijl.renderer().render(kept.scene(), { width: 20, height: 10 }).data, drawn.data);
  kept.free();
  assert.throws(() => stijl.svg(words, { fonts }), fails('INVALID_STATE', 'freed'));
  assert.throws(() => stijl.fonts().setFamily('script', 'x'), fails('INVALID_ARGUMENT', 'script'));
  assert.throws(() => stijl.fonts({ maxBytes: 10 }).add(font('stijl-regular.ttf')), fails('LIMIT', 'max_bytes'));
  // Colours, in the palette for dark backgrounds: the box of A is blue.
  const colored = svg('<text y="9" font-family="Stijl Color" font-size="10" font-palette="dark">A</text>');
  const pixels = stijl.render(colored, { fonts: stijl.fonts().add(font('stijl-color.ttf')) });
  assert.deepEqual([...pixels.data.subarray(4 * (5 * pixels.width + 3), 4 * (5 * pixels.width + 3) + 4)],
    [0, 0, 255, 255]);
  // What begins as a font and is none is left out.
  lines.length = 0;
  stijl.render(words, { fonts: stijl.fonts().add(font('stijl-regular.ttf').subarray(0, 100)) });
  assert.ok(lines.some((line) => line.includes('left out')), lines.join());
});

test('a worker draws text, also once it has been started anew', { skip }, async () => {
  const worker = await openWorker({ maxSeconds: 5 }), words = svg('<text y="9" font-size="10">A</text>');
  await worker.addFonts([readFileSync(join(root, 'tests/fonts/stijl-regular.ttf'))],
    { families: { default: 'Stijl Test' } });
  assert.deepEqual((await worker.families()).families, ['Stijl Test']);
  const { hash } = await worker.render(words, { hash: true }),
        { hash: empty } = await worker.render(svg(''), { hash: true });
  assert.notEqual(hash, empty);
  const stop = new AbortController();
  const job = worker.render(words, { signal: stop.signal });
  stop.abort();
  await assert.rejects(job, fails('CANCELLED'));
  assert.equal((await worker.render(words, { hash: true })).hash, hash);
  worker.close();
});

test('gradients, strokes, layers, masks, images', { skip }, async () => {
  const stijl = await load(), renderer = stijl.renderer();
  const draw = (record, width = 4, height = 1) => {
    const scene = stijl.scene();
    record(scene);
    return [...renderer.render(scene.finish(), { width, height }).data];
  };
  const all = stijl.path().rect(0, 0, 4, 4), stops = [{ offset: 0, color: '#000' }, { offset: 1, color: '#fff' }];
  const steps = draw((s) => s.fill(all, { from: [0, 0], to: [4, 0], stops })).filter((_, i) => i % 4 === 0);
  assert.ok(steps.every((x, i) => i === 0 || x > steps[i - 1]), `${steps}`);
  assert.deepEqual(draw((s) => s.fill(all, { kind: 'radial', center: [2, 0], radius: 1e-3, stops }), 1),
    [255, 255, 255, 255]);
  assert.deepEqual(draw((s) => s.stroke(stijl.path('M0 0.5H4'), 'red', { dashes: [1, 1] }))
    .filter((_, i) => i % 4 === 3), [255, 0, 255, 0]);
  assert.deepEqual(draw((s) => s.pushLayer({ opacity: 0.5, clip: stijl.path().rect(1, 0, 1, 1) }).fill(all, 'red')
    .popLayer(), 2), [0, 0, 0, 0, 255, 0, 0, 128]);
  assert.deepEqual(draw((s) => s.pushLayer().fill(all, 'red').pushMask('alpha')
    .fill(stijl.path().rect(0, 0, 1, 1), 'red').popMask().popLayer(), 2),
    [255, 0, 0, 255, 0, 0, 0, 0]);
  const image = stijl.imageFromPixels(2, 1, new Uint8Array([255, 0, 0, 255, 0, 0, 255, 128]));
  assert.deepEqual([image.width, image.height, image.format], [2, 1, 'rgba8']);
  assert.deepEqual(draw((s) => s.image(image), 2), [255, 0, 0, 255, 0, 0, 255, 128]);
  assert.deepEqual(draw((s) => s.fill(all, { image, spread: 'repeat' }), 3).slice(8), [255, 0, 0, 255]);
});

test('SVG is drawn, as large as asked', { skip }, async () => {
  const stijl = await load();
  const picture = stijl.render(square);
  assert.deepEqual([picture.width, picture.height], [20, 10]);
  assert.deepEqual([...picture.data.slice(36, 44)], [255, 0, 0, 255, 0, 0, 0, 0]);
  const wide = stijl.render(new TextEncoder().encode(square), { width: 7, background: 'white' });
  assert.deepEqual([wide.width, wide.height], [7, 4]);
  assert.equal(stijl.render(gzipSync(square)).width, 20);
  assert.deepEqual(stijl.fit({ width: 3, height: 7 }, { width: 300, height: 100 }),
    { width: Math.fround(300 / 7), height: 100, canvas: { width: 43, height: 100 } });
});

test('files come from the caller', { skip }, async () => {
  const stijl = await load({ log: () => {} });
  const image =
    svg('<image width="20" height="10" href="https://x.org/a.svg#f"/><image width="1" height="1" href="b.svg"/>');
  const sheet = `<?xml-stylesheet href="a.css"?>${svg('<rect width="20" height="10"/>')}`;
  const red = svg('<rect width="20" height="10" fill="red"/>'), at = ({ data }) => [...data.subarray(40, 44)];
  const files = { 'https://x.org/a.svg': red, 'a.css': "@import 'sub/b.css'",
    'sub/b.css': new TextEncoder().encode('rect { fill: red }') };
  assert.deepEqual(at(stijl.render(image)), [0, 0, 0, 0]);
  assert.deepEqual(at(stijl.render(image, { files })), [255, 0, 0, 255]);
  assert.deepEqual(at(stijl.render(sheet, { files })), [255, 0, 0, 255]);
  assert.deepEqual(at(stijl.render(image, { files: (url) => (url.endsWith('a.svg') ? red : null) })), [255, 0, 0, 255]);
  assert.deepEqual(stijl.references(image), ['https://x.org/a.svg', 'b.svg']);
  assert.deepEqual(stijl.references(sheet), ['a.css']);
  assert.deepEqual(stijl.references(sheet, { files: { 'a.css': files['a.css'] } }), ['sub/b.css']);
  assert.deepEqual(stijl.references(image, { files: { ...files, 'b.svg': null } }), []);
  // What goes wrong there is told, and harms nothing.
  assert.throws(() => stijl.render(image, { files() {
    throw new RangeError('not that one');
  } }), { name: 'RangeError', message: 'not that one' });
  assert.throws(() => stijl.render(image, { files: { 'https://x.org/a.svg': 7 } }), TypeError);
  // A document whose lengths follow the canvas asks again, after other documents have come and gone.
  const wide = stijl.svg(svg('<image width="100vw" height="100vh" href="a.svg"/>',
    'width="20" height="10" viewBox="0 0 20 10"'), { files: { 'a.svg': red } });
  stijl.render(image, { files });
  const renderer = stijl.renderer();
  assert.deepEqual(at(renderer.render(wide.scene({ width: 40, height: 20 }), { width: 40, height: 20 })),
    [255, 0, 0, 255]);
  wide.free();
  const worker = await openWorker();
  assert.deepEqual(at(await worker.render(image, { files })), [255, 0, 0, 255]);
  worker.close();
});

test('a part of a document, and a time', { skip }, async () => {
  const stijl = await load();
  const source =
    svg('<rect x="4" y="2" width="8" height="4" fill="red"/><rect x="8" y="2" width="4" height="4" fill="blue"/>');
  const part = stijl.render(source, { crop: { x0: 6, y0: 2, x1: 10, y1: 4 }, width: 8 });
  assert.deepEqual([part.width, part.height, ...part.data.subarray(12, 20)], [8, 4, 255, 0, 0, 255, 0, 0, 255, 255]);
  const drawing = stijl.render(source, { crop: 'drawing' });
  assert.deepEqual([drawing.width, drawing.height, ...drawing.data.subarray(0, 4)], [8, 4, 255, 0, 0, 255]);
  const moved = stijl.render(source, { crop: 'drawing', transform: [1, 0, 0, 1, 4, 0] });
  assert.deepEqual([...moved.data.subarray(12, 20)], [0, 0, 0, 0, 255, 0, 0, 255]);
  const worker = await openWorker();
  assert.deepEqual((await worker.render(source, { crop: { x0: 6, y0: 2, x1: 10, y1: 4 }, width: 8 })).data, part.data);
  assert.deepEqual((await worker.render(source, { crop: 'drawing', transform: [1, 0, 0, 1, 4, 0] })).data, moved.data);
  worker.close();
  assert.throws(() => stijl.render(source, { crop: { x0: 1, y0: 0, x1: 1, y1: 5 } }),
    fails('INVALID_ARGUMENT', 'crop'));
  assert.throws(() => stijl.render(svg(''), { crop: 'drawing' }), fails('INVALID_ARGUMENT', 'crop'));
  const animated =
    svg('<rect width="20" height="10" fill="red"><set attributeName="fill" to="blue" begin="1s"/></rect>');
  const first = (options) => [...stijl.render(animated, options).data.subarray(0, 4)];
  assert.deepEqual([first(), first({ time: 2 }), first({ time: 'end' })],
    [[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 255, 255]]);
  assert.throws(() => first({ time: -1 }), fails('INVALID_ARGUMENT', 'time'));
});

test('what a document draws can be asked for', { skip }, async () => {
  const stijl = await load();
  const document = stijl.svg(
    svg('<g id="a" transform="translate(5 0)"><rect id="b" width="4" height="3" stroke="red" stroke-width="2"/></g>'));
  const a = document.find('a'), b = document.find('b');
  assert.deepEqual([document.node(0).parent, document.node(a).kind, document.node(b).kind, document.node(b).element,
    document.node(b).id],
    [-1, 'group', 'shape', 'rect', 'b']);
  assert.equal(document.node(b).parent, a);
  assert.deepEqual(document.node(b).toCanvas, [1, 0, 0, 1, 5, 0]);
  assert.deepEqual(document.box(b), { x0: 5, y0: 0, x1: 9, y1: 3 });
  assert.deepEqual(document.box(b, { which: 'stroke', onCanvas: false }), { x0: -1, y0: -1, x1: 5, y1: 4 });
  assert.deepEqual([document.hit(6, 1), document.hit(15, 9), document.find('c')], [b, -1, -1]);
  const alone = stijl.renderer().render(document.nodeScene(b, { width: 6, height: 5 }), { width: 6, height: 5 });
  assert.deepEqual([...alone.data.slice(0, 4)], [255, 0, 0, 255]);
  assert.throws(() => document.node(document.nodes), fails('INVALID_ARGUMENT'));
  assert.throws(() => document.box(document.nodes), fails('INVALID_ARGUMENT'));
});

test('PNG out and in', { skip }, async () => {
  const stijl = await load(), picture = stijl.render(square);
  for (const level of [0, 1, 9]) {
    const file = stijl.png(picture, { level });
    assert.deepEqual([...file.slice(1, 4)].map((x) => String.fromCharCode(x)).join(''), 'PNG');
    const image = stijl.image(file);
    assert.deepEqual([image.width, image.height], [20, 10]);
    assert.deepEqual([...image.pixels().slice(0, 4)], [255, 0, 0, 255]);
  }
});

test('WebP and JPEG out', { skip }, async () => {
  const stijl = await load(), picture = stijl.render(svg(
          '<rect width="12" height="10" fill="#f00" fill-opacity="0.5"/><circle cx="9" cy="5" r="4" fill="#28c"/>'));
  const webp = stijl.encode(picture, { type: 'image/webp' }), again = stijl.image(webp);
  // Without a quality nothing is lost.
  const expected = stijl.imageFromPixels(picture.width, picture.height, picture.data);
  assert.deepEqual([again.width, again.height, again.pixels()], [20, 10, expected.pixels()]);
  const large = stijl.render(readFileSync(join(root, 'docs/picture.svg')), { width: 400 });
  const sizes = ['image/webp', 'image/jpeg'].map((type) => [90, 20].map((quality) => {
    const file = stijl.encode(large, { type, quality }), { width, height } = stijl.image(file);
    assert.deepEqual([width, height], [large.width, large.height]);
    return file.length;
  }));
  for (const [fine, coarse] of sizes) assert.ok(coarse < fine / 1.5, `${sizes}`);
  // What is translucent lies on white in a JPEG file, or on the colour that is asked for.
  const flat = stijl.render(svg('<rect width="20" height="10" fill="#f00" fill-opacity="0.5"/>'));
  const first = (background) =>
    [...stijl.image(stijl.encode(flat, { type: 'image/jpeg', background })).pixels().subarray(0, 3)];
  const near = (a, b) => assert.ok(a.every((x, i) => Math.abs(x - b[i]) < 4), `${a} ${b}`);
  near(first(), [255, 127, 127]);
  near(first('#00f'), [127, 0, 127]);
  const blob = picture.toBlob({ type: 'image/jpeg', quality: 100 });
  assert.equal(blob.type, 'image/jpeg');
  assert.deepEqual([...new Uint8Array(await blob.arrayBuffer()).subarray(0, 2)], [0xff, 0xd8]);
  assert.throws(() => stijl.encode(picture, { type: 'image/gif' }), fails('INVALID_ARGUMENT', 'image/webp'));
  assert.throws(() => stijl.encode(picture, { type: 'image/jpeg', quality: 0.8 }),
    fails('INVALID_ARGUMENT', 'quality'));
  assert.throws(() => stijl.encode({ width: 20000, height: 1, data: new Uint8Array(80000) }, { type: 'image/webp' }),
    fails('LIMIT', '16383'));
  const worker = await openWorker();
  for (const as of ['webp', 'jpeg'])
    assert.equal(stijl.image((await worker.render(square, { as, quality: 80 }))[as]).width, 20);
  await assert.rejects(worker.render(square, { as: 'gif' }), fails('INVALID_ARGUMENT', 'webp'));
  worker.close();
});

test('every format of images is read', { skip }, async () => {
  const stijl = await load(), folder = join(root, 'tests/fuzz/corpus/image');
  for (const name of ['grey.jpg', 'lossy.webp', 'animated.gif'])
    assert.ok(stijl.image(readFileSync(join(folder, name))).width > 0, name);
});

test('selectors match', { skip }, async () => {
  const stijl = await load(), css = stijl.css({ width: 500 });
  css.add('b, a > b.x { color: red !important; margin: 0 } @media (min-width: 600px) { b { top: 0 } }',
    { name: 'one.css' });
  const document = stijl.document('<a><b class="x"/><c/></a>'), matcher = stijl.matcher(css, document),
        matches = matcher.match();
  const selectors = css.selectors();
  assert.deepEqual(selectors.map((s) => [s.text, s.sheet, s.active]),
    [['b', 'one.css', true], ['a > b.x', 'one.css', true], ['b', 'one.css', false]]);
  assert.deepEqual(selectors[1].specificity, [0, 1, 2]);
  assert.deepEqual(css.declarations(0),
    [{ name: 'color', value: 'red', important: true }, { name: 'margin', value: '0', important: false }]);
  assert.deepEqual([0, 1, 2].map((e) => [...matches.of(e)]), [[], [0, 1], []]);
  document.setAttribute(1, 'class', null).setState(1, 'hover');
  assert.deepEqual([...matcher.rematch().of(1)], [0]);
  assert.deepEqual([document.count, document.name(2), document.parent(0), document.parent(2),
    document.attribute(1, 'class')], [3, 'c', -1, 0, null]);
});

test('errors are exceptions with the text of the library', { skip }, async () => {
  const stijl = await load();
  assert.throws(() => stijl.svg('<svg'), fails('MALFORMED', 'line 1'));
  assert.throws(() => stijl.path('M0 0L1 x'), (error) => fails('MALFORMED')(error) && error.offset === 7);
  assert.throws(() => stijl.path().moveTo(NaN, 0).check(), fails('INVALID_ARGUMENT'));
  assert.throws(() => stijl.scene().popLayer().finish(), fails('INVALID_STATE'));
  assert.throws(() => stijl.image(new Uint8Array(4)), fails('UNSUPPORTED'));
  assert.throws(() => stijl.scene().fill(stijl.path(), 'no colour'), fails('MALFORMED', 'no colour'));
  assert.throws(() => stijl.scene().pushLayer({ blend: 'normale' }), fails('INVALID_ARGUMENT', 'multiply'));
  assert.throws(() => stijl.scene().fill({}, 'red'), fails('INVALID_ARGUMENT'));
  assert.throws(() => stijl.renderer().render(stijl.scene().finish(), { width: 0, height: 1 }),
    fails('INVALID_ARGUMENT', '32767'));
  assert.throws(() => stijl.svg(svg('<g>'.repeat(300))), fails('LIMIT', 'max_depth'));
  assert.throws(() => stijl.svg(square, { maxMemory: 1000 }), fails('LIMIT', 'max_memory'));
  assert.throws(() => stijl.document('<a>', { html: false }), fails('MALFORMED'));
  const other = await load();
  assert.throws(() => stijl.scene().fill(other.path(), 'red'), fails('INVALID_ARGUMENT', 'another Stijl'));
});

test('what is freed is gone, and memory does not grow', { skip }, async () => {
  const stijl = await load(), path = stijl.path('M0 0H9V9Z');
  path.free();
  path.free();
  assert.throws(() => path.lineTo(1, 1), fails('INVALID_STATE', 'freed'));
  const disposed = stijl.scene();
  disposed[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  assert.ok(disposed.freed);
  stijl.render(square, { width: 1000 });
  const before = stijl.memory;
  for (let i = 0; i < 50; i++) stijl.png(stijl.render(square, { width: 1000 }));
  assert.equal(stijl.memory, before);
});

test('what a matcher needs stays for it, in whatever order all is freed or collected', { skip }, async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc'), stijl = await load();
  const make = () => {
    const css = stijl.css(), document = stijl.document('<a/>');
    css.add('a {}');
    return [css, document, stijl.matcher(css, document)];
  };
  make().forEach((one) => one.free());
  const [css, , matcher] = make();
  css.free();
  assert.throws(() => matcher.match(), fails('INVALID_STATE', 'Css has been freed'));
  matcher.free();
  const memory = stijl.memory;
  for (let i = 0; i < 100; i++) {
    for (let j = 0; j < 100; j++) make();
    collect();
    await setTimeout(1);  // finalisers run between tasks
  }
  assert.ok(!stijl.broken);
  assert.equal(stijl.memory, memory);
});

test('memory stays within its limit', { skip }, async () => {
  const first = await load();
  first.render(square);
  assert.ok(first.memory <= 32 << 20, `${first.memory}`);
  const stijl = await load({ maxMemory: 80 << 20 });
  assert.throws(() => stijl.render(square, { width: 8000, height: 8000 }), fails('OUT_OF_MEMORY'));
  assert.equal(stijl.render(square).width, 20);
  assert.ok(stijl.memory <= 80 << 20);
});

test('nesting at its limit does not break the module', { skip }, async () => {
  const stijl = await load(), depth = 1024;
  const deep = svg('<g opacity="0.9">'.repeat(depth - 2) + '<path d="M0 0H9V9Z"/>' + '</g>'.repeat(depth - 2));
  assert.equal(stijl.render(deep, { maxDepth: depth }).width, 20);
  assert.ok(!stijl.broken);
});

test('warnings are told', { skip }, async () => {
  const lines = [], stijl = await load({ log: (level, line) => lines.push([level, line]) });
  stijl.render(svg('<image href="x.png" width="9" height="9"/>'));
  assert.equal(lines.length, 1);
  assert.equal(lines[0][0], 'warning');
});

for (const threads of [1, 3]) {
  test(`a worker draws on ${threads} thread${threads > 1 ? 's' : ''}`, { skip }, async () => {
    const stijl = await load(), worker = await openWorker({ threads });
    const expected = stijl.render(square, { width: 500 });
    const given = await worker.render(square, { width: 500, hash: true });
    assert.equal(given.hash, stijl.hash(expected.data));
    assert.deepEqual(given.data, expected.data);
    const { png } = await worker.render(square, { as: 'png' });
    assert.equal(stijl.image(png).width, 20);
    const document = await worker.open(square);
    assert.deepEqual([document.width, document.height], [20, 10]);
    const part =
      await document.draw({ width: 40, height: 20, transform: [2, 0, 0, 2, 0, 0], region: { x0: 19, x1: 21, y1: 1 } });
    assert.deepEqual([...part.data], [255, 0, 0, 255, 0, 0, 0, 0]);
    await document.close();
    await assert.rejects(document.draw({ width: 1, height: 1 }), fails('INVALID_STATE'));
    await assert.rejects(worker.render('<svg'), fails('MALFORMED'));
    const { selectors } = await worker.match('<a><b/></a>', { sheets: [{ name: 'x', text: 'a b {}' }] });
    assert.deepEqual(selectors[0].matches, [1]);
    worker.close();
    await assert.rejects(worker.render(square), fails('INVALID_STATE'));
  });
}

test('a worker that is cancelled, or takes too long, is replaced', { skip }, async () => {
  const worker = await openWorker({ maxSeconds: 0.3 });
  const slow = svg('<circle r="9" stroke="red" fill="none"/>'.repeat(200000));
  await assert.rejects(worker.render(slow, { width: 20000 }), fails('LIMIT', 'max_seconds'));
  const control = new AbortController();
  const running = worker.render(slow, { width: 20000, maxSeconds: 60, signal: control.signal });
  setTimeout(50).then(() => control.abort());
  await assert.rejects(running, fails('CANCELLED'));
  assert.equal((await worker.render(square)).width, 20);
  worker.close();
});

test('all entries throw the same errors', { skip }, async () => {
  const { StijlError: other } = createRequire(import.meta.url)(join(web, 'npm/node.cjs'));
  class Special extends StijlError {}
  for (const made of [new StijlError('LIMIT', ''), new other('LIMIT', '')]) {
    assert.ok(made instanceof StijlError && made instanceof other && made instanceof Error);
    assert.ok(!(made instanceof Special));
  }
  assert.ok(new Special('LIMIT', '') instanceof Special && new Special('LIMIT', '') instanceof other);
  for (const strange of [null, undefined, 5, new Error('LIMIT'), { code: 'LIMIT' }])
    assert.ok(!(strange instanceof StijlError));
});

// A page asks for what a file imports only when that has come: that was half of the time of loading once.
test('an entry is one file', { skip }, () => {
  for (const entry of ['index', 'modules', 'worker', 'worker-main', 'helper', 'node', 'worker-node']) {
    const imports = readFileSync(join(web, `npm/${entry}.js`), 'utf8')
      .matchAll(/\b(?:import|from)\s*["']([^"']+)["']/g);
    const own = new Set([...imports].map(([, from]) => from).filter((from) => from.endsWith('.js')));
    assert.deepEqual([...own], entry.endsWith('node') ? ['./machine-node.js'] : [], entry);
  }
});

test('the types know every export', { skip }, async () => {
  for (const name of ['index', 'worker', 'webgpu']) {
    const types = readFileSync(join(web, `npm/${name}.d.ts`), 'utf8');
    for (const exported of Object.keys(await import(join(web, `npm/${name}.js`))))
      if (!['enums', 'states'].includes(exported))
        assert.match(types, new RegExp(`export declare (class|function|const) ${exported}\\b`), exported);
  }
});

test('a picture as a file', { skip }, async () => {
  const stijl = await load(), drawn = stijl.render(square), blob = drawn.toBlob({ level: 9 });
  assert.equal(blob.type, 'image/png');
  const again = stijl.image(await blob.arrayBuffer());
  assert.deepEqual([again.width, again.height, again.pixels()], [20, 10, drawn.data]);
});

test('text in scenes', { skip }, async (t) => {
  const stijl = await load(), renderer = stijl.renderer();
  let fonts;
  try { fonts = stijl.fonts(); } catch { return t.skip('-Dtext=disabled'); }
  fonts.add(readFileSync(join(root, 'tests/fonts/stijl-regular.ttf')));
  const style = { families: "'Stijl Test', serif", size: 20 }, size = { width: 80, height: 60 };
  const shown = (record) => {
    const scene = stijl.scene();
    record(scene);
    return renderer.render(scene.finish(), size).data;
  };
  const document = (content) =>
    stijl.render(svg(content, 'width="80" height="60" font-family="Stijl Test" font-size="20"'), { fonts }).data;
  // As documents have it: the baseline is the first line's ascent below the box.
  const text = stijl.text(fonts).append('AB ', style).append('A', { ...style, size: 40 }).layout(),
        [line] = text.lines();
  assert.ok(document('<rect width="9" height="9"/>').some((byte) => byte));
  assert.deepEqual(shown((scene) => scene.text(text, 'teal')),
    document(`<text y="${line.baseline}" fill="teal" xml:space="preserve">AB <tspan font-size="40">A</tspan></text>`));
  assert.deepEqual(shown((scene) => scene.strokeText(text, 'teal', { width: 2, transform: [1, 0, 0, 1, 3, 4] })),
    document(`<text transform="translate(3 4)" y="${line.baseline}" fill="none" stroke="teal" stroke-width="2" xml:space="preserve">AB <tspan font-size="40">A</tspan></text>`));
  assert.deepEqual(shown((scene) => scene.fill(text.outline(stijl.path()), 'teal')),
    shown((scene) => scene.text(text, 'teal')));
  // Offsets count as JavaScript does, not bytes.
  const words = stijl.text(fonts).append('é😀 AB', style).layout({ width: 1 }), lines = words.lines();
  assert.deepEqual([lines[0].start, lines.at(-1).end], [0, 6]);
  assert.equal(words.measure().missing, '😀');
  for (const offset of [0, 1, 3, 5, 6]) {
    const { x, y0, y1 } = words.caret(offset);
    assert.ok(y1 > y0 && x >= 0);
    if (offset === 5) assert.equal(words.hit(x, (y0 + y1) / 2), 5);
  }
  const cut = stijl.text(fonts).append('A A A A A A', style).layout({ width: 40, maxLines: 1, ellipsis: 'B' });
  assert.equal(cut.lines().length, 1);
  assert.ok(cut.measure().height < words.measure().height);
  assert.throws(() => words.caret(7), fails('INVALID_ARGUMENT', '7'));
  assert.throws(() => words.layout({ align: 'middle' }), fails('INVALID_ARGUMENT', 'align'));
  assert.throws(() => stijl.text(fonts).append('A', { size: -1 }), fails('INVALID_ARGUMENT'));
  // What has fonts keeps them.
  fonts.free();
  assert.equal(words.layout().lines().length, 1);
});

// docs/browser.md, "Parts" and "Size".
test('what few documents need is loaded when it is needed', { skip }, async () => {
  const font = (name) => readFileSync(join(root, 'tests/fonts', name)),
        read = (name) => readFileSync(join(root, 'tests/fuzz/corpus/image', name));
  const stijl = await load(), jpeg = read('rgb.jpg');
  let fonts;
  try { fonts = stijl.fonts(); } catch { /* -Dtext=disabled */ }
  fonts?.add(font('stijl-regular.ttf'));
  const text = '<text y="9" font-family="Stijl Test" font-size="10" fill="url(#g)" filter="url(#f)">AB</text>';
  stijl.render(svg(`<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
    <filter id="f"><feGaussianBlur stdDeviation="1"/><feOffset dx="1"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>
    <clipPath id="c"><circle r="5"/></clipPath><g clip-path="url(#c)" opacity="0.5" style="fill: #123">${square}</g>${text}`), { fonts });
  assert.deepEqual(stijl.parts, []);
  stijl.render(svg('<style>g > .a, rect[width] { fill: red !important } #b { stroke: blue }</style><g><circle class="a" id="b" r="5"/></g>'));
  assert.deepEqual(stijl.parts, ['documents']);
  const before = stijl.image(jpeg).pixels();
  assert.deepEqual(stijl.parts, ['documents', 'images']);
  fonts?.add(font('stijl-cff.otf'));
  if (fonts) stijl.render(svg('<text y="9" font-family="Stijl CFF">A</text>'), { fonts });
  assert.ok(!fonts || stijl.parts.includes('fonts'));
  if (fonts) {
    const [plain, packed] = ['stijl-regular.ttf', 'stijl-regular.woff2'].map((name) => {
      const given = stijl.fonts();
      given.add(font(name));
      return stijl.render(svg('<text y="9" font-family="Stijl Test" font-size="10">AB</text>'), { fonts: given });
    });
    assert.deepEqual(packed.data, plain.data);
    assert.ok(plain.data.some((byte) => byte));
  }
  // Of text and filters, what few have.
  const rare =
    { feMorphology: '<filter id="f"><feMorphology radius="1"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ...(fonts && { textPath: '<path id="p" d="M0 9H20"/><text font-family="Stijl Test" font-size="10"><textPath href="#p">AB</textPath></text>' }) };
  for (const [name, content] of Object.entries(rare)) {
    const fresh = await load(), given = fonts && fresh.fonts().add(font('stijl-regular.ttf'));
    assert.ok(fresh.render(svg(content), { fonts: given }).data.some((byte) => byte), name);
    // How long a curve is, which dashes need as well, is with those.
    assert.deepEqual(fresh.parts, name === 'textPath' ? ['documents', 'shapes'] : ['documents'], name);
  }
  // Fetched before: nothing has to be found when it is needed.
  const { wasm, lost } =
    { wasm: join(web, 'npm/stijl.wasm'), lost: Object.fromEntries(partNames.map((part) => [part, 'file:///nowhere'])) };
  const ahead = await load({ module: readFileSync(wasm),
    parts: { ...lost, images: readFileSync(join(web, 'npm/stijl-images.wasm')) }, ahead: ['images'] });
  assert.deepEqual(ahead.image(jpeg).pixels(), before);
  // One that is not there, or is of another build, ends that module and no more.
  assert.throws(() => ahead.renderer({ isa: 'scalar' })
    .render(ahead.scene().fillAll('red').finish(), { width: 1, height: 1 }), fails('IO', 'programs'));
  assert.ok(ahead.broken);
  const other = await load({ parts: { images: readFileSync(join(web, 'npm/stijl-threads-images.wasm')) } });
  assert.throws(() => other.image(jpeg), fails('IO', 'images'));
});

test('bundlers, workerd and the page know every part', { skip }, () => {
  const offline = readFileSync(join(root, 'web/page/offline.js'), 'utf8');
  const listed = [...offline.match(/const parts = \[(.*?)\]/)[1].matchAll(/'(\w+)'/g)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), [...partNames].sort());
  const made = (name) => readdirSync(join(web, 'npm'))
    .filter((file) => new RegExp(`^${name}(-(?!threads)[a-z]+)?\\.wasm$`).test(file)).sort();
  assert.deepEqual(made('stijl'), ['stijl.wasm', ...partNames.map((part) => `stijl-${part}.wasm`)].sort());
  for (const [file, ...names] of [['index', 'stijl'], ['worker', 'stijl', 'stijl-threads'], ['modules', 'stijl']]) {
    const code = readFileSync(join(web, `npm/${file}.js`), 'utf8');
    assert.deepEqual([...new Set([...code.matchAll(/"\.\/(stijl[a-z-]*\.wasm)"/g)].map(([, one]) => one))].sort(),
      names.flatMap(made).sort(), file);
  }
});

// What a page loads, by gzip -9: for a document with text and filters, and for one with a style sheet as well.
test('the package stays small', { skip }, async () => {
  const stijl = await load();
  let text = true;
  try {
    stijl.fonts();
  } catch {
    text = false;  // -Dtext=disabled
  }
  const sum = (names) =>
    names.reduce((bytes, name) => bytes + gzipSync(readFileSync(join(web, 'npm', name)), { level: 9 }).length, 0);
  const first = sum(['index.js', 'stijl.wasm']);
  const sheets = first + sum(['stijl-documents.wasm']);
  assert.ok(first <= (text ? 350e3 : 265e3), `${first} bytes by gzip`);
  assert.ok(sheets <= (text ? 461e3 : 347e3), `${sheets} bytes by gzip with a style sheet`);
});
