// Draws: a document is opened in the worker and drawn there for each view of it; only pixels come back.
import { lendsFonts, lentFonts } from './fonts.js';

const byId = (id) => document.getElementById(id);
const MAX_FILE = 64 * 2 ** 20, MAX_SIDE = 4096, TYPING_MS = 250, IDLE_MS = 200;
const GPU_SECONDS = 30;  // for one frame, since WebGPU may be software
const ms = (x) => `${x < 10 ? x.toFixed(2) : x.toFixed(0)} ms`;
// A new picture is drawn again so often, or so long: the first time code is still compiled.
const WARM_FRAMES = 5, WARM_MS = 400;
const begins = (...heads) => (bytes) => heads.some((head) => [...head].every((c, i) => bytes[i] === c.charCodeAt(0)));
const isFont = begins('\0\x01\0\0', 'OTTO', 'true', 'ttcf', 'wOFF', 'wOF2'), isGzip = begins('\x1f\x8b');
const isPixels = begins('\x89PNG', '\xff\xd8\xff', 'RIFF', 'GIF8');

// Unpacks a gzipped document, at most MAX_FILE of it.
async function unpacked(bytes) {
  const parts = [], reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (let left = MAX_FILE; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    left -= value.length;
    if (left < 0) throw new Error(`unpacked it is larger than ${MAX_FILE >> 20} MiB`);
    parts.push(value);
  }
}
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

export function startDraw(worker) {
  const canvas = byId('canvas'), context = canvas.getContext('2d'), source = byId('source'), status = byId('status'),
        show = byId('show');
  let opened = null;                        // the document that the worker has opened
  let view = { scale: 1, x: 0, y: 0 };      // from the document to the canvas's pixels
  let fits = true;                          // the view is the one that Fit makes
  let times = { draw: [], frame: [], gpu: [] };
  let own = null;                           // the document as the browser draws it: an image
  let files = {};                           // what was dropped beside it, by names
  let text = '';                            // the document itself: a string, or the bytes of a file
  let running = false, wanted = false, idle = 0, last = null, opening = null;

  const say = (text, failed = false) => {
    status.textContent = text;
    status.className = failed ? 'failed' : '';
  };
  const setState = (state) => { document.documentElement.dataset.state = state; };

  function size() {
    const box = canvas.getBoundingClientRect(),
          ratio = Math.min(devicePixelRatio || 1, MAX_SIDE / Math.max(box.width, box.height, 1));
    return { width: Math.max(1, Math.round(box.width * ratio)), height: Math.max(1, Math.round(box.height * ratio)),
      ratio };
  }

  function fit() {
    if (!opened) return;
    const { width, height } = size(), margin = 0.96;
    const scale = margin * Math.min(width / opened.width, height / opened.height);
    view = { scale, x: (width - opened.width * scale) / 2, y: (height - opened.height * scale) / 2 };
    fits = true;
    request();
  }

  function zoom(factor, x = canvas.width / 2, y = canvas.height / 2) {
    const scale = Math.min(Math.max(view.scale * factor, 1e-3), 1e4), by = scale / view.scale;
    view = { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
    fits = false;
    request();
  }

  function pan(x, y) {
    view = { ...view, x: view.x + x, y: view.y + y };
    fits = false;
    request();
  }

  // Draws one frame at a time; views that come while it is drawn are skipped, except for the last.
  function request() {
    wanted = true;
    if (!running) requestAnimationFrame(frame);
    running = true;
  }

  async function frame() {
    while (wanted && opened) {
      wanted = false;
      await drawOnce(false);
    }
    running = false;
    clearTimeout(idle);
    idle = setTimeout(settle, IDLE_MS);
  }

  // Draws once. While WebGPU is shown, it draws whatever moves.
  async function drawOnce(hash) {
    const byGpu = show.value === 'webgpu' && gpu && !hash;
    setState('working');
    const { width, height, ratio } = size(), start = performance.now(), { scale, x, y } = view;
    byId('zoom').textContent = `${Math.round(scale / ratio * 100)} %`;
    try {
      const result = await opened.draw({ width, height, transform: [scale, 0, 0, scale, x, y], hash,
        ...(byGpu && { gpu: true, maxSeconds: GPU_SECONDS }) });
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      last = new ImageData(result.data, width, height);
      if (show.value === 'stijl' || byGpu) context.putImageData(last, 0, 0);
      if (byGpu) return tellGpu(result);
      if (hash) byId('hash').textContent = result.hash;
      else {
        times.draw.push(result.drawMs);
        times.frame.push(performance.now() - start);
        byId('hash').textContent = '…';
      }
      byId('draw')
        .textContent = `${ms(median(times.draw))} (${times.draw.length} frame${times.draw.length > 1 ? 's' : ''})`;
      byId('frame').textContent = ms(median(times.frame));
      byId('pixels').textContent = `${width} × ${height}`;
    } catch (error) {
      failed(error);
    }
  }

  // Does once nothing moves: draws a new picture again, shows the hash, and the comparison where it is asked for.
  async function settle() {
    if (running || !opened) return;
    for (const end = performance.now() + WARM_MS; opened && !running && times.draw.length < WARM_FRAMES &&
      performance.now() < end;)
      await drawOnce(false);
    if (running || !opened) return;
    await drawOnce(true);
    if (show.value === 'webgpu') await compareGpu();
    else if (show.value !== 'stijl') await compare();
    if (!running) setState('ready');
  }

  // Shows a failure. While a source is edited and wrong, the picture before stays, faded.
  function failed(error, edited = false) {
    opened = null;
    last = null;
    canvas.classList.toggle('old', edited);
    if (!edited) context.clearRect(0, 0, canvas.width, canvas.height);
    say(error.message, true);
    for (const id of ['parse', 'record', 'draw', 'frame', 'pixels', 'hash']) byId(id).textContent = '…';
    setState('failed');
  }

  /** Draws a new source: text, or bytes of a file. */
  async function open(data, { keepView = false, intoEditor = true } = {}) {
    opening?.abort();
    const control = opening = new AbortController();
    setState('working');
    say('Reading…');
    forgetOwn();
    byId('warnings').replaceChildren();
    byId('fonts').hidden = true;
    text = data;
    if (intoEditor) source.value = typeof data === 'string' ? data : new TextDecoder().decode(data);
    opened?.close();
    opened = null;
    try {
      const document = await worker.open(data, { files, signal: control.signal });
      if (control.signal.aborted) return void document.close();
      opened = document;
      canvas.classList.remove('old');
      times = { draw: [], frame: [], gpu: [] };
      say(`${+document.width.toFixed(2)} × ${+document.height.toFixed(2)} CSS pixels`);
      byId('parse').textContent = ms(document.parseMs);
      byId('record').textContent = ms(document.recordMs);
      byId('warnings').replaceChildren(
        ...document.warnings.map((line) => Object.assign(window.document.createElement('li'), { textContent: line })));
      byId('fonts').hidden = !lendsFonts || !document.warnings.some((line) => /no fonts|no font has/.test(line));
      if (keepView && !fits) request();
      else fit();
    } catch (error) {
      if (!control.signal.aborted) failed(error, keepView);
    }
  }

  const again = () => open(text, { keepView: true, intoEditor: false });

  async function useFonts(fonts) {
    try {
      await worker.addFonts(fonts);
    } catch (error) {
      return say(error.message, true);
    }
    return again();
  }

  /**
   * Opens what was chosen or dropped: fonts, which are added, and a document, with the images and sheets that it refers
   * to.
   */
  async function openFiles(list) {
    const fonts = [], others = {};
    let document;
    try {
      for (const file of list) {
        if (file.size > MAX_FILE) throw new Error(`${file.name} is larger than ${MAX_FILE >> 20} MiB`);
        let bytes = new Uint8Array(await file.arrayBuffer());
        if (isGzip(bytes)) bytes = await unpacked(bytes);
        if (isFont(bytes)) fonts.push(bytes);
        else if (isPixels(bytes) || /\.css$/i.test(file.name)) others[encodeURI(file.name)] = others[file.name] = bytes;
        else if (document) others[encodeURI(file.name)] = others[file.name] = bytes;
        else document = bytes;
      }
      if (fonts.length) await worker.addFonts(fonts);
    } catch (error) {
      return say(error.message, true);
    }
    if (document) files = others;
    else files = { ...files, ...others };
    return document ? open(document) : again();
  }

  // --- against WebGPU ---

  let gpu = null;  // the GPU that the worker has opened

  function tellGpu(result) {
    const { backend, reason } = result.gpu;
    if (backend === 'webgpu') times.gpu.push(result.drawMs);
    byId('gpu').textContent = backend === 'webgpu' ? ms(median(times.gpu)) : reason;
  }

  async function compareGpu() {
    if (!last || !opened) return;
    try {
      if (!gpu) {
        say('WebGPU compiles its shaders…');
        gpu = await worker.gpu();
        say(gpu.reason ? `No WebGPU: ${gpu.reason}` : `WebGPU draws on ${gpu.adapter}`);
      }
      const { width, height } = last, { scale, x, y } = view;
      const result =
        await opened.draw({ width, height, transform: [scale, 0, 0, scale, x, y], gpu: true, maxSeconds: GPU_SECONDS });
      const { differing } = difference(result.data, last.data, new Uint8ClampedArray(result.data.length));
      tellGpu(result);
      byId('gpu-differ').textContent = result.gpu.backend !== 'webgpu' ? 'not drawn by it' :
        differing ? differing.toLocaleString('en') : 'none';
      context.putImageData(new ImageData(result.data, width, height), 0, 0);
    } catch (error) {
      gpu = null;
      byId('gpu').textContent = error.message;
    }
  }

  // --- against the browser ---

  function forgetOwn() {
    if (own) URL.revokeObjectURL(own.src);
    own = null;
    for (const id of ['browser', 'differ', 'gpu', 'gpu-differ']) byId(id).textContent = 'not tried';
  }

  // Compares with an image. That runs no scripts and loads nothing, but the browser draws it in the page's process. So
  // it is done only for those who ask for it.
  async function compare() {
    if (!last || !opened) return;
    try {
      if (!own) {
        const image = new Image();
        image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
        await image.decode();
        own = image;
      }
      const other = new OffscreenCanvas(last.width, last.height).getContext('2d', { willReadFrequently: true });
      const start = performance.now();
      other.setTransform(view.scale, 0, 0, view.scale, view.x, view.y);
      other.drawImage(own, 0, 0, opened.width, opened.height);
      const theirs = other.getImageData(0, 0, last.width, last.height);
      byId('browser').textContent = ms(performance.now() - start);
      const shown = new ImageData(last.width, last.height),
            { differing, largest } = difference(last.data, theirs.data, shown.data);
      byId('differ').textContent = differing ? `${differing.toLocaleString('en')}, by ${largest} at most` : 'none';
      if (show.value === 'browser') context.putImageData(theirs, 0, 0);
      else if (show.value === 'difference') context.putImageData(shown, 0, 0);
    } catch {
      byId('browser').textContent = byId('differ').textContent = 'it does not draw this file';
    }
  }

  // --- the controls ---

  byId('zoom-in').addEventListener('click', () => zoom(1.25));
  byId('zoom-out').addEventListener('click', () => zoom(0.8));
  byId('fit').addEventListener('click', fit);
  byId('file').addEventListener('change', (event) => {
    if (event.target.files.length) openFiles([...event.target.files]);
  });
  show.addEventListener('change', () => {
    if (show.value === 'stijl' && last) context.putImageData(last, 0, 0);
    else settle();
  });
  byId('save').addEventListener('click', async () => {
    if (!opened) return;
    const { png } = await opened.draw({ width: canvas.width, height: canvas.height,
      transform: [view.scale, 0, 0, view.scale, view.x, view.y], as: 'png', level: 6 });
    const link = Object.assign(document.createElement('a'),
      { download: 'stijl.png', href: URL.createObjectURL(new Blob([png], { type: 'image/png' })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  byId('lend').addEventListener('click', async () => {
    say('Reading fonts…');
    const fonts = await lentFonts(source.value).catch(() => []);
    if (fonts.length) await useFonts(fonts);
    else say('The browser has lent no fonts', true);
  });

  let typing = 0;
  source.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => open(source.value, { keepView: true, intoEditor: false }), TYPING_MS);
  });

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    // With Ctrl it is a pinch on a touchpad.
    const [x, y] = pointOf(event), speed = event.deltaMode === 1 ? 0.05 : event.ctrlKey ? 0.01 : 0.0015;
    zoom(Math.exp(-event.deltaY * speed), x, y);
  }, { passive: false });
  // One pointer drags. Two pointers pinch: their middle moves the picture, and their distance scales it.
  const pointers = new Map();
  function pointOf({ clientX, clientY }) {
    const { ratio } = size(), box = canvas.getBoundingClientRect();
    return [(clientX - box.left) * ratio, (clientY - box.top) * ratio];
  }
  function hold() {
    const [[x, y], [x2, y2] = [x, y]] = [...pointers.values()];
    return { x: (x + x2) / 2, y: (y + y2) / 2, apart: Math.hypot(x2 - x, y2 - y) };
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || pointers.size === 2) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOf(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = hold();
    pointers.set(event.pointerId, pointOf(event));
    const now = hold();
    pan(now.x - before.x, now.y - before.y);
    if (before.apart > 0 && now.apart > 0) zoom(now.apart / before.apart, now.x, now.y);
  });
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'])
    canvas.addEventListener(type, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener('keydown', (event) => {
    const step = 40 * size().ratio;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) pan(...moves[event.key]);
    else if (event.key === '+' || event.key === '=') zoom(1.25);
    else if (event.key === '-') zoom(0.8);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  });
  // When the stage changes its size, the picture is fitted again, or keeps its scale.
  let seen = '';
  new ResizeObserver(() => {
    const { width, height } = size(), now = `${width} ${height}`;
    if (byId('panel-draw').hidden || now === seen) return;
    seen = now;
    if (fits) fit();
    else request();
  }).observe(canvas);

  return { open, openFiles };
}

// Shows where pictures differ: the difference of each channel, made visible on black.
function difference(ours, theirs, out) {
  let differing = 0, largest = 0;
  for (let i = 0; i < ours.length; i += 4) {
    let most = 0;
    for (let k = 0; k < 4; k++) {
      const d = Math.abs(ours[i + k] - theirs[i + k]);
      if (d > most) most = d;
      if (k < 3) out[i + k] = Math.min(255, d * 4);
    }
    out[i + 3] = 255;
    if (most) differing++;
    if (most > largest) largest = most;
  }
  return { differing, largest };
}
