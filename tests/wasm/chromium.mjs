// A Chromium without a window, driven by its DevTools protocol through a pipe, and a server for what it loads.
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const names = [process.env.STIJL_CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean);
const program = names.find((name) => spawnSync(name, ['--version'], { timeout: 20000 }).status === 0);
export const noChromium = program ? false : 'no Chromium';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
  '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.json': 'application/json' };

/** Serves folders: { '/prefix/': folder }. With `isolated` pages may share memory between threads. */
export async function serve(folders, { isolated = true } = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const prefix = Object.keys(folders).sort((a, b) => b.length - a.length).find((one) => path.startsWith(one));
    const file = prefix && join(folders[prefix], normalize('/' + path.slice(prefix.length)) || '/');
    const found = file && statSync(file, { throwIfNoEntry: false });
    const real = found?.isDirectory() ? join(file, 'index.html') : file;
    if (!real || !statSync(real, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    const headers = { 'Content-Type': types[extname(real)] ?? 'application/octet-stream', 'Cache-Control': 'no-store' };
    if (isolated)
      Object.assign(headers,
        { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' });
    createReadStream(real).pipe(response.writeHead(200, headers));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => {
    server.closeAllConnections?.();
    server.close();
  } };
}

export class Chromium {
  #process;
  #profile = mkdtempSync(join(tmpdir(), 'stijl-chromium-'));
  #waiting = new Map();
  #count = 0;
  #rest = '';
  events = new Map();  // session + method: function

  constructor(options = ['--disable-gpu']) {
    this.#process = spawn(program,
      ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--hide-scrollbars', '--force-color-profile=srgb',
      '--no-first-run', '--remote-debugging-pipe', `--user-data-dir=${this.#profile}`, ...options, 'about:blank'],
    { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#process.stdio[4].setEncoding('utf8').on('data', (data) => {
      const messages = (this.#rest + data).split('\0');
      this.#rest = messages.pop();
      for (const message of messages) this.#received(JSON.parse(message));
    });
    this.#process.stdio[3].on('error', () => {});
  }

  #received({ id, result, error, method, params, sessionId }) {
    const job = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (job) error ? job.reject(new Error(error.message)) : job.resolve(result);
    else this.events.get(`${sessionId} ${method}`)?.(params);
  }

  send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve, reject });
      this.#process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
  }

  /** A page of its own: { evaluate(function, ...arguments), screenshot(), send(method, params), errors }. */
  async page(url, { width = 1280, height = 800, dark = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const send = (method, params) => this.send(method, params, sessionId), errors = [];
    this.events.set(`${sessionId} Runtime.exceptionThrown`,
      ({ exceptionDetails }) => errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text));
    this.events.set(`${sessionId} Log.entryAdded`, ({ entry }) => {
      if (entry.level === 'error') errors.push(entry.text);
    });
    for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
    await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await send('Emulation.setEmulatedMedia',
      { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    const loaded = new Promise((resolve) => this.events.set(`${sessionId} Page.loadEventFired`, resolve));
    await send('Page.navigate', { url });
    await loaded;
    const evaluate = async (code, ...values) => {
      const expression = typeof code === 'string' ? code : `(${code})(...${JSON.stringify(values)})`;
      const { result, exceptionDetails } =
        await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    const waitFor = async (code, ms = 20000) => {
      for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 30))) {
        const value = await evaluate(code);
        if (value) return value;
      }
      throw new Error(`${code} did not come true`);
    };
    const screenshot = async () =>
      Buffer.from((await send('Page.captureScreenshot', { format: 'png' })).data, 'base64');
    const close = () => this.send('Target.closeTarget', { targetId });
    return { evaluate, waitFor, screenshot, send, errors, close };
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    // Its group: what Chromium has started would write to the profile for a while yet, had it not ended as well.
    try {
      process.kill(-this.#process.pid, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
