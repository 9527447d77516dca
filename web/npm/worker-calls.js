// What runs in the worker (worker-client.js is its other end): a module, the documents that have been opened, and a
// renderer. In isolated pages, and in Node, it has helpers, which run helper.js or helper-node.js.
import { StijlError, loader, placed } from './library.js';

let stijl, renderer, gpu = null, fonts, options = {};
let machine, post, startHelper;  // what serve() gets
let webgpu;                      // where webgpu.js is
let logged = 0;  // lines in this call
const documents = new Map(), warnings = [];
const MOST_WARNINGS = 100;  // hostile input may cause any number of them

const takeWarnings = () => warnings.splice(0, warnings.length);

// Converts a picture to the form asked for, and lists what of it is transferred.
async function give(picture, as, { level, quality }) {
  switch (as) {
    case 'pixels': return [{ data: picture.data }, [picture.data.buffer]];
    case 'bitmap': {
      const bitmap = await picture.toImageBitmap();
      return [{ bitmap }, [bitmap]];
    }
    case 'png':
    case 'webp':
    case 'jpeg': {
      const file = stijl.encode(picture, { type: `image/${as}`, level, quality });
      return [{ [as]: file }, [file.buffer]];
    }
    default: throw new StijlError('INVALID_ARGUMENT', `"${as}" is none of pixels, bitmap, png, webp, jpeg`);
  }
}

async function draw(scene, { as = 'pixels', hash = false, level, quality, gpu: byGpu = false, ...given }) {
  const drawing = byGpu ? await openGpu() : renderer, start = performance.now();
  const picture = await drawing.render(scene, { ...options, ...given, format: 'rgba8-straight' });
  const drawMs = performance.now() - start, digits = hash ? stijl.hash(picture.data) : undefined;
  const [result, transfer] = await give(picture, as, { level, quality });
  return [{ width: picture.width, height: picture.height, drawMs, hash: digits,
    gpu: byGpu ? gpuFacts(drawing) : undefined, ...result }, transfer];
}

// Opens the GPU when it is first asked for, since its shaders take a while to compile. Workers of some bundlers cannot
// import what is bundled with them, so webgpu.js comes from an address, alone.
async function openGpu() {
  if (gpu) return gpu;
  if (!webgpu) throw new StijlError('UNSUPPORTED', 'this bundle cannot tell where webgpu.js is');
  const { openGpu: open } =
    await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ webgpu);
  return (gpu = await open(stijl, { threads: renderer.threads }));
}
const gpuFacts = ({ backend, adapter, frameReason }) =>
  ({ backend: frameReason ? 'wasm' : backend, adapter, reason: frameReason });

const calls = {
  async start({ module, parts, maxMemory, threads, isa, logs, fonts: given, webgpu: place, ...rest }) {
    options = rest;
    webgpu = place;
    const log = (level, line) => {
      if (logs && logged++ < MOST_WARNINGS) post({ log: [level, line] });
      if (level === 'warning' && warnings.length < MOST_WARNINGS) warnings.push(line);
    };
    stijl = await loader(machine, {})({ module, parts, maxMemory, log, ahead: [] });
    if (stijl.shared) for (let n = 1; n < threads; n++) await startHelper(stijl.helperData());
    renderer = stijl.renderer({ threads: stijl.shared ? threads : 1, isa });
    for (const one of given) calls.addFonts(one);
    return [{ isa: renderer.isa, threads: renderer.threads, version: stijl.version }];
  },

  async gpu() {
    const { backend, adapter, reason } = await openGpu();
    return [{ backend, adapter, reason }];
  },

  addFonts({ files, families }) {
    fonts ??= stijl.fonts();
    for (const file of files) fonts.add(file);
    for (const [generic, family] of Object.entries(families)) fonts.setFamily(generic, family);
    return [{}];
  },

  families() { return [{ families: fonts?.families() ?? [] }]; },

  open({ id, source, ...given }) {
    const start = performance.now(), svg = stijl.svg(source, { ...options, ...given, fonts });
    try {
      const parsed = performance.now(), scene = svg.scene();
      documents.set(id, { svg, scene });
      return [{ width: svg.width, height: svg.height, parseMs: parsed - start, recordMs: performance.now() - parsed }];
    } catch (error) {
      svg.free();
      throw error;
    }
  },
  draw({ id, ...given }) {
    const document = documents.get(id);
    if (!document) throw new StijlError('INVALID_STATE', 'this document has been closed');
    return draw(document.scene, given);
  },
  close({ id }) {
    const document = documents.get(id);
    documents.delete(id);
    document?.scene.free();
    document?.svg.free();
    return [{}];
  },

  // Draws a document or a part of it, in its own size or fitted into a box.
  async render({ source, width, height, crop, ...given }) {
    const start = performance.now(), svg = stijl.svg(source, { ...options, ...given, fonts });
    let scene;
    try {
      const { size, whole, transform } = placed(svg, { crop, width, height, transform: given.transform }),
            parsed = performance.now();
      scene = svg.scene(whole);
      const recorded = performance.now();
      const [result, transfer] = await draw(scene, { ...given, ...size.canvas, transform });
      return [{ ...result, parseMs: parsed - start, recordMs: recorded - parsed }, transfer];
    } finally {
      scene?.free();
      svg.free();
    }
  },

  match({ source, html = false, sheets, ...medium }) {
    const css = stijl.css(medium);
    let document, matcher;
    try {
      for (const sheet of sheets) css.add(sheet.text, { name: sheet.name });
      document = stijl.document(source, { html });
      const start = performance.now();
      matcher = stijl.matcher(css, document);
      const { offsets, selectors } = matcher.match(), matchMs = performance.now() - start;
      const all = css.selectors().map((selector) => ({ ...selector, matches: [] }));
      for (let element = 0; element < document.count; element++)
        for (let i = offsets[element]; i < offsets[element + 1]; i++) all[selectors[i]].matches.push(element);
      const elements =
        Array.from({ length: document.count }, (_, i) => ({ name: document.name(i), parent: document.parent(i) }));
      return [{ selectors: all, elements, matchMs }];
    } finally {
      matcher?.free();
      document?.free();
      css.free();
    }
  },
};

/**
 * Returns what takes the calls: `given` is how to post to the other end and to start helpers, and the machine
 * (machine-web.js).
 */
export function serve(given) {
  ({ machine, post, startHelper } = given);
  return receive;
}

async function receive({ number, call, argument }) {
  takeWarnings();
  logged = 0;
  try {
    const [result, transfer] = await calls[call](argument);
    post({ number, result: { ...result, warnings: takeWarnings() } }, transfer);
  } catch (error) {
    post({ number,
      error: { code: error.code ?? 'INVALID_STATE', message: error.message, broken: !stijl || stijl.broken } });
  }
}
