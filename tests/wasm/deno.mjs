// A Deno that evaluates what it is told, as a page of Chromium does (chromium.mjs): WebGPU on the machine's Vulkan
// driver. STIJL_DENO: the program.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = [process.env.STIJL_DENO, 'deno'].filter(Boolean)
  .find((name) => spawnSync(name, ['--version'], { timeout: 20000 }).status === 0);
export const noDeno = program ? false : 'no Deno (STIJL_DENO)';

// A line with code and values comes in, a line with what the function gives goes out.
const loop = `
let rest = '';
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { code, values } = JSON.parse(line);
    const answer = await eval('(' + code + ')')(...values).then((value) => ({ value }), (error) => ({ error: String(error.stack ?? error) }));
    console.log(JSON.stringify(answer));
  }
}`;

export class Deno {
  #process;
  #folder = mkdtempSync(join(tmpdir(), 'stijl-deno-'));
  #answers;

  constructor() {
    writeFileSync(join(this.#folder, 'loop.mjs'), loop);
    this.#process = spawn(program, ['run', '-A', '--no-lock', '--unstable-webgpu', join(this.#folder, 'loop.mjs')],
      { stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...process.env, DENO_DIR: this.#folder, DENO_NO_UPDATE_CHECK: '1' } });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async evaluate(code, ...values) {
    this.#process.stdin.write(JSON.stringify({ code: String(code), values }) + '\n');
    const { value: line, done } = await this.#answers.next();
    if (done) throw new Error('Deno has ended');
    const { value, error } = JSON.parse(line);
    if (error) throw new Error(error);
    return value;
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
