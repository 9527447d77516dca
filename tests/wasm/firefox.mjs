// A Firefox without a window, driven by its Marionette protocol, which evaluates what it is told, as a page of Chromium
// does (chromium.mjs).
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const program = [process.env.STIJL_FIREFOX, 'firefox-esr', 'firefox'].filter(Boolean)
  .find((name) => spawnSync(name, ['--version'], { timeout: 20000 }).status === 0);
export const noFirefox = program ? false : 'no Firefox';

const START_MS = 60000, SCRIPT_MS = 3600000;
const preferences = { 'marionette.port': 0, 'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.enabled': false, 'browser.startup.page': 0, 'network.captive-portal-service.enabled': false };

// Marionette runs scripts outside of the page: this one puts the code into the page, and waits for what it tells.
const inPage = `const [code, done] = arguments, script = document.createElement('script');
addEventListener('stijl-answer', (event) => done(event.detail), { once: true });
script.textContent = '(' + code + ').then((value) => ({ value }), (error) => ({ error: error + "\\\\n" + error.stack }))'
  + '.then((answer) => dispatchEvent(new CustomEvent("stijl-answer", { detail: JSON.stringify(answer) })))';
document.documentElement.append(script);`;

export class Firefox {
  #process;
  #profile = mkdtempSync(join(tmpdir(), 'stijl-firefox-'));
  #socket;
  #waiting = new Map();
  #count = 0;
  #rest = Buffer.alloc(0);

  /** A page of its own: { evaluate(function, ...arguments), close() }. */
  static async page(url) {
    const firefox = new Firefox();
    try {
      await firefox.#start();
      await firefox.#send('WebDriver:NewSession', {});
      await firefox.#send('WebDriver:SetTimeouts', { script: SCRIPT_MS });
      await firefox.#send('WebDriver:Navigate', { url });
    } catch (error) {
      await firefox.close();
      throw error;
    }
    return firefox;
  }

  async #start() {
    const lines = Object.entries(preferences)
      .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
    writeFileSync(join(this.#profile, 'user.js'), lines.join(''));
    this.#process = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', this.#profile],
      { detached: true, stdio: 'ignore', env: { ...process.env, HOME: this.#profile } });
    for (const end = Date.now() + START_MS; ; await setTimeout(100)) {
      try {
        const port = Number(readFileSync(join(this.#profile, 'MarionetteActivePort'), 'utf8'));
        return await this.#connect(port);
      } catch (error) {
        if (Date.now() > end || this.#process.exitCode !== null) throw error;
      }
    }
  }
  #connect(port) {
    return new Promise((resolve, reject) => {
      this.#socket = connect(port, '127.0.0.1', resolve).on('error', reject).on('data', (data) => this.#received(data));
      this.#socket.on('close', () => {
        for (const job of this.#waiting.values()) job.reject(new Error('Firefox has ended'));
      });
    });
  }

  // Takes a message apart: its length in bytes, a colon, and JSON: [1, number, error, result] for an answer.
  #received(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (let colon; (colon = this.#rest.indexOf(':')) >= 0;) {
      const end = colon + 1 + Number(this.#rest.subarray(0, colon));
      if (this.#rest.length < end) return;
      const message = JSON.parse(this.#rest.subarray(colon + 1, end));
      this.#rest = this.#rest.subarray(end);
      if (!Array.isArray(message)) continue;  // it says hello
      const [, number, error, result] = message, job = this.#waiting.get(number);
      this.#waiting.delete(number);
      error ? job.reject(new Error(`${error.error}: ${error.message}`)) : job.resolve(result);
    }
  }
  #send(name, parameters) {
    return new Promise((resolve, reject) => {
      const number = ++this.#count, message = JSON.stringify([0, number, name, parameters]);
      this.#waiting.set(number, { resolve, reject });
      this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  }

  async evaluate(code, ...values) {
    const call = `(async () => (${code})(...${JSON.stringify(values)}))()`;
    const { value: text } = await this.#send('WebDriver:ExecuteAsyncScript', { script: inPage, args: [call] }),
          { value, error } = JSON.parse(text);
    if (error) throw new Error(error);
    return value;
  }

  async close() {
    this.#socket?.destroy();
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      process.kill(-this.#process.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
