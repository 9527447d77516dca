// bundlers.mjs [NAME...]: installs the package from its tarball into fresh projects of bundlers and runtimes, in the
// versions that are named here, and wants each to draw what the native build draws. scripts/check --full=bundlers. TAP;
// needs a network once. STIJL_BUNDLERS: a folder in which the tools stay installed.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Chromium, noChromium, serve } from './chromium.mjs';
import { native, noPackage, web } from './native.mjs';

const widths = [64, 300, 512];
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 40"><style>.a { fill: url(#g) } @media screen { .b { stroke: #fc3 } }</style>'
  + '<defs><linearGradient id="g"><stop stop-color="teal"/><stop offset="1" stop-color="#c08"/></linearGradient><filter id="f"><feGaussianBlur stdDeviation="2"/></filter></defs>'
  + '<circle class="a" cx="20" cy="20" r="17"/><path class="b" d="M4 36C20-20 30 60 44 4" fill="none" stroke-width="3" filter="url(#f)"/></svg>';
const folder = process.env.STIJL_BUNDLERS ?? mkdtempSync(join(tmpdir(), 'stijl-bundlers-'));
const work = mkdtempSync(join(tmpdir(), 'stijl-projects-'));

const drawing = `const svg = ${JSON.stringify(svg)}, widths = ${JSON.stringify(widths)};
const drawn = (stijl) => widths.map((width) => stijl.hash(stijl.render(svg, { width }).data));
`;
const loading = (from = 'stijl-wasm') => `import { load } from '${from}';\n${drawing}`;
const direct = (from) => `${loading(from)}load().then((stijl) => { globalThis.direct = drawn(stijl); }, (error) => { globalThis.direct = String(error.stack); });\n`;
const working = `import { openWorker } from 'stijl-wasm/worker';
${drawing}async function work() {
  const worker = await openWorker({ threads: 2 }), hashes = [];
  for (const width of widths) hashes.push((await worker.render(svg, { width, hash: true })).hash);
  return hashes;
}
`;
const both = `import './direct.js';\n${working}work().then((hashes) => { globalThis.worker = hashes; }, (error) => { globalThis.worker = String(error.stack); });\n`;
const html = (script) => `<!doctype html><title>stijl</title><body>${script}</body>`;
const page = html('<script type="module" src="./main.js"></script>');
const browserApp = { 'main.js': both, 'direct.js': direct(), 'index.html': page };

const run = (cwd, command, ...args) => {
  try {
    return execFileSync(command, args,
      { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 300000, maxBuffer: 1 << 28,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CI: '1' } });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}: ${error.message}\n${(error.stdout ?? '').slice(-2000)}\n${(error.stderr ?? '').slice(-2000)}`);
  }
};
const bin = (project, name) => join(project, 'node_modules/.bin', name);
const filesBelow = (path) => readdirSync(path, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map(({ name }) => name);

/** Makes a project with tools of npm, which stay installed, and the package. */
function project(name, packages, tarball, files) {
  const kept = join(folder, [name, ...packages].join('_').replace(/[^\w.@^~-]/g, '-')), made = join(work, name);
  if (!existsSync(join(kept, 'done'))) {
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    if (packages.length) run(kept, 'npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packages);
    writeFileSync(join(kept, 'done'), '');
  }
  cpSync(kept, made, { recursive: true, verbatimSymlinks: true });
  run(made, 'npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', tarball);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(made, file, '..'), { recursive: true });
    writeFileSync(join(made, file), text);
  }
  return made;
}

async function until(job, ms = 60000) {
  for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    try {
      const value = await job();
      if (value) return value;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    if (Date.now() > end) throw new Error('it took too long');
  }
}

let chromium = null;
async function inPage(url, names) {
  chromium ??= new Chromium();
  const shown = await chromium.page(url), result = {};
  try {
    for (const name of names)
      result[name] = await until(() => shown.evaluate(`globalThis.${name}`).catch(() => null))
        .catch(() => `nothing; ${shown.errors.join('; ')}`);
  } finally {
    await shown.close();
  }
  return result;
}
async function served(path, names = ['direct', 'worker']) {
  const server = await serve({ '/': path });
  try {
    return await inPage(server.url + '/', names);
  } finally {
    server.close();
  }
}
/** Starts a server of a tool, does something with it, and ends it. */
async function withServer(made, command, args, port, job) {
  const server = spawn(command, args, { cwd: made, stdio: ['ignore', 'pipe', 'pipe'], detached: true,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => { said += data; });
  try {
    const url = `http://localhost:${port}/`;
    await until(async () => (await fetch(url)).ok);
    return await job(url);
  } catch (error) {
    throw new Error(`${error.message}\n${said.slice(-2000)}`);
  } finally {
    process.kill(-server.pid, 'SIGKILL');
  }
}

// Reads a file of examples/web, to see what an element shows, in colours that canvases keep as they are.
const example = (name) => readFileSync(new URL(`../../examples/web/${name}`, import.meta.url), 'utf8');
const opaque =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="#08f"/></svg>';
const look = `function look(canvas) {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height }).getContext('2d').drawImage(canvas, 0, 0);
  return [canvas.width, canvas.height, ...copy.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data].join();
}
`;
const seen = '300,150,0,136,255,255';

const viteConfig = "export default { server: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } } };\n";
const vite = (version) => ({
  packages: [`vite@${version}`], files: { ...browserApp, 'vite.config.js': viteConfig,
    'alone/index.html': html('<script type="module" src="../direct.js"></script>'),
    'element/index.html': html('<stijl-svg src="opaque.svg" style="width: 300px; height: 150px"></stijl-svg><script type="module" src="./main.js"></script>'), 'element/public/opaque.svg': opaque,
    'element/stijl-svg.js': example('stijl-svg.js'),
    'element/main.js': `import './stijl-svg.js';\n${look}const element = document.querySelector('stijl-svg');
const show = () => { globalThis.element = look(element.shadowRoot.querySelector('canvas')); };\nelement.addEventListener('load', show);\nelement.addEventListener('error', (event) => { globalThis.element = event.message; });\n` },
  async draws(made, port) {
    run(made, bin(made, 'vite'), 'build');
    run(made, bin(made, 'vite'), 'build', 'alone', '--outDir', '../dist-alone', '--base', './');
    run(made, bin(made, 'vite'), 'build', 'element', '--outDir', '../dist-element');
    const { element } = await served(join(made, 'dist-element'), ['element']);
    const built = await served(join(made, 'dist')), alone = await served(join(made, 'dist-alone'), ['direct']);
    const dev = await withServer(made, bin(made, 'vite'), ['--port', `${port}`, '--strictPort', '--host', 'localhost'],
      port, (url) => inPage(url, ['direct', 'worker']));
    return { [`the element, ${element}`]: element === seen, 'build': built.direct, 'build, worker': built.worker,
      'load() alone': alone.direct, 'dev': dev.direct, 'dev, worker': dev.worker,
      emitted: filesBelow(join(made, 'dist-alone')) };
  },
});

const next = {
  packages: ['next@16.4.6', 'react@19', 'react-dom@19'],
  files: {
    'app/layout.js': 'export default function Layout({ children }) { return <html><body>{children}</body></html>; }\n',
    'app/page.js': `'use client';\nimport { useEffect } from 'react';\nimport { StijlSvg } from './StijlSvg.jsx';\n${look}${loading()}${working.replace(drawing, '')}
export default function Page() {
  useEffect(() => {
    load().then((stijl) => { globalThis.direct = drawn(stijl); }, (error) => { globalThis.direct = String(error.stack); });
    work().then((hashes) => { globalThis.worker = hashes; }, (error) => { globalThis.worker = String(error.stack); });
  }, []);
  const show = () => setTimeout(() => { globalThis.component = look(document.querySelector('canvas')); }, 100);
  return <StijlSvg source={${JSON.stringify(opaque)}} width={300} onDraw={show} onError={(error) => { globalThis.component = error.message; }} />;
}\n`,
    'app/StijlSvg.jsx': example('StijlSvg.jsx'),
    'app/draw/route.js': `${loading()}export const dynamic = 'force-dynamic';
export async function GET() { return Response.json(drawn(await load())); }\n`,
  },
  async draws(made, port) {
    const all = {};
    for (const [name, option] of [['turbopack', '--turbopack'], ['webpack', '--webpack']]) {
      rmSync(join(made, '.next'), { recursive: true, force: true });
      run(made, bin(made, 'next'), 'build', option);
      await withServer(made, bin(made, 'next'), ['start', '--port', `${port}`], port, async (url) => {
        all[`${name}, server`] = await (await fetch(`${url}draw`)).json().catch(String);
        const { direct: client, worker, component } = await inPage(url, ['direct', 'worker', 'component']);
        Object.assign(all, { [`${name}, the component, ${component}`]: component === seen, [`${name}, client`]: client,
          [`${name}, worker`]: worker });
      });
    }
    return all;
  },
};

const script = (program, ...args) => async (made) =>
  ({ draws: JSON.parse(run(made, program(made), ...args).trim().split('\n').at(-1)) });
const printing = (from) => `${loading(from)}load().then((stijl) => console.log(JSON.stringify(drawn(stijl))));\n`;

const tools = {
  'vite-5': vite('5.4.9'), 'vite-6': vite('6.4.6'), 'vite-7': vite('7.3.8'), 'vite-8': vite('8.3.8'),
  'webpack-5': {
    packages: ['webpack@5.112.2', 'webpack-cli@6'],
    files: { ...browserApp, 'public/index.html': html('<script src="main.js"></script>') },
    async draws(made) {
      const build = (entry, to) => run(made, bin(made, 'webpack'), '--mode', 'production', '--entry', entry, '-o', to);
      build('./main.js', 'dist');
      build('./direct.js', 'dist-alone');
      cpSync(join(made, 'public'), join(made, 'dist'), { recursive: true });
      const { direct: built, worker } = await served(join(made, 'dist'));
      return { 'build': built, 'build, worker': worker, emitted: filesBelow(join(made, 'dist-alone')) };
    },
  },
  'next-16': next,
  'parcel-2': {
    packages: ['parcel@2.16.4'], files: browserApp,
    async draws(made) {
      run(made, bin(made, 'parcel'), 'build', 'index.html', '--no-cache');
      const { direct: built, worker } = await served(join(made, 'dist'));
      return { 'build': built, 'build, worker': worker };
    },
  },
  'rollup-4': {
    packages: ['rollup@4.68.8', '@rollup/plugin-node-resolve@16', '@rollup/plugin-url@8'],
    files: { 'direct.js': direct('stijl-wasm/modules'), 'public/index.html': page.replace('main.js', 'direct.js'),
      'rollup.config.js': `import resolve from '@rollup/plugin-node-resolve';\nimport url from '@rollup/plugin-url';
export default { input: 'direct.js', output: { dir: 'dist' }, plugins: [resolve({ browser: true }), url({ include: '**/*.wasm', limit: 0 })] };\n` },
    async draws(made) {
      run(made, bin(made, 'rollup'), '-c');
      cpSync(join(made, 'public'), join(made, 'dist'), { recursive: true });
      return { 'build': (await served(join(made, 'dist'), ['direct'])).direct };
    },
  },
  esbuild: {
    packages: ['esbuild@0.28.2'], files: { ...browserApp, 'modules.js': direct('stijl-wasm/modules'),
      'iife/index.html': html('<script src="modules.js"></script>') },
    async draws(made) {
      const build = (...args) => run(made, bin(made, 'esbuild'), '--bundle', ...args);
      build('main.js', '--format=esm', '--outdir=esm');
      for (const name of filesBelow(join(made, 'node_modules/stijl-wasm'))) // what the README says to copy
        if (/\.wasm$|^(worker-main|helper|webgpu)\.js$/.test(name))
          cpSync(join(made, 'node_modules/stijl-wasm', name), join(made, 'esm', name));
      cpSync(join(made, 'index.html'), join(made, 'esm/index.html'));
      build('modules.js', '--format=iife', '--outdir=iife', '--loader:.wasm=file');
      build('modules.js', '--format=esm', '--outdir=binary', '--loader:.wasm=binary');
      cpSync(join(made, 'iife/index.html'), join(made, 'binary/index.html'));
      const esm = await served(join(made, 'esm'));
      return { 'esm': esm.direct, 'esm, worker': esm.worker,
        'iife': (await served(join(made, 'iife'), ['direct'])).direct,
        'binary': (await served(join(made, 'binary'), ['direct'])).direct };
    },
  },
  // workerd, which Cloudflare's workers run in; wrangler makes of them what esbuild does here.
  workerd: {
    packages: ['miniflare@4.20260730.0', 'esbuild@0.28.2'],
    files:
      { 'worker.js': `${loading()}export default { async fetch() { return Response.json(drawn(await load())); } };\n`,
      'run.mjs': `import { readFileSync, readdirSync } from 'node:fs';\nimport { Miniflare } from 'miniflare';
const contents = (name) => readFileSync(\`dist/\${name}\`);
const modules = readdirSync('dist').sort((a) => (a === 'worker.js' ? -1 : 1)).map((name) => ({ type: name.endsWith('.js') ? 'ESModule' : 'CompiledWasm', path: name, contents: contents(name) }));
for (const compatibilityDate of ['2024-01-01', '2026-07-01']) {
  const flare = new Miniflare({ modules, compatibilityDate });
  console.log(await (await flare.dispatchFetch('http://localhost/')).text());
  await flare.dispose();
}\n` },
    async draws(made) {
      run(made, bin(made, 'esbuild'), '--bundle', 'worker.js', '--format=esm', '--outdir=dist',
        '--conditions=workerd,worker,browser', '--loader:.wasm=copy');
      const [old, now] = run(made, process.execPath, 'run.mjs').trim().split('\n');
      return { 'of 2024': JSON.parse(old), 'of 2026': JSON.parse(now) };
    },
  },
  deno: {
    packages: ['deno@2.9.6'], files: { 'main.mjs': printing() },
    async draws(made) {
      const deno = (...args) =>
        JSON.parse(run(made, bin(made, 'deno'), 'run', '-A', '--no-lock', ...args).trim().split('\n').at(-1));
      const server = await serve({ '/': join(made, 'node_modules/stijl-wasm') });
      writeFileSync(join(made, 'far.mjs'), printing(`${server.url}/index.js`));
      // Deno has a process of its own to wait for here, and this one serves it.
      const child = spawn(bin(made, 'deno'), ['run', '-A', '--no-lock', 'far.mjs'], { cwd: made });
      let said = '', wrong = '';
      child.stdout.on('data', (data) => { said += data; });
      child.stderr.on('data', (data) => { wrong += data; });
      await new Promise((resolve) => child.once('close', resolve));
      server.close();
      return { 'from npm': deno('main.mjs'), 'over http': said ? JSON.parse(said.trim().split('\n').at(-1)) : wrong };
    },
  },
  bun: { packages: ['bun@1.4.5'], files: { 'main.mjs': printing() },
    draws: script((made) => bin(made, 'bun'), 'main.mjs') },
  node: {
    packages: [], files: { 'main.mjs': printing(), 'main.cjs': `const { load } = require('stijl-wasm');\n${drawing}load().then((stijl) => console.log(JSON.stringify(drawn(stijl))));\n`,
      'worker.cjs': `const { openWorker } = require('stijl-wasm/worker');\n${working.split('\n').slice(1).join('\n')}work().then((hashes) => { console.log(JSON.stringify(hashes)); process.exit(); });\n` },
    async draws(made) {
      const all = {};
      for (const program of [process.execPath, process.env.STIJL_OLDEST_NODE].filter(Boolean)) {
        const version = run(made, program, '--version').trim();
        for (const file of ['main.mjs', 'main.cjs', 'worker.cjs'])
          all[`${version} ${file}`] = JSON.parse(run(made, program, file));
      }
      return all;
    },
  },
};

// Types: of a module, and of CommonJS.
// CommonJS has the GPU and the lab by import() alone.
const typed = readFileSync(new URL('types/uses.ts', import.meta.url), 'utf8');
const typedCommon = typed.replace(/^import .*\/(webgpu|lab)';$/gm, '')
  .replace(/const \{ verdict \} = .*/, "const verdict = [0];")
  .replace('await openGpu(', "await (await import('stijl-wasm/webgpu')).openGpu(");
const typescript = (version) => ({
  packages: [`typescript@${version}`], files: { 'main.mts': typed, 'main.cts': typedCommon, 'main.ts': typed },
  async draws(made) {
    const check = (file, module, moduleResolution, lib) => run(made, bin(made, 'tsc'), '--noEmit', '--strict',
      '--target', 'es2022', '--lib', lib, '--module', module, '--moduleResolution', moduleResolution, file);
    const all = {};
    for (const [file, ...kind] of [['main.mts', 'nodenext', 'nodenext'], ['main.cts', 'nodenext', 'nodenext'],
      ['main.ts', 'esnext', 'bundler']])
      for (const lib of ['es2022', 'es2022,dom'])
        all[`${file}, ${kind[1]}, ${lib}`] = check(file, ...kind, lib) === '';
    return all;
  },
});
for (const version of ['5.0.4', '5.2.2', '5.4.5', '5.9.3', '7.0.2'])
  tools[`typescript-${version}`] = typescript(version);

const MOST_FILES = 10;  // that load() alone makes a bundler emit: the module, its six parts, a page, scripts

function pack() {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--offline', '--ignore-scripts',
    '--pack-destination', work], { cwd: join(web, 'npm'), encoding: 'utf8' }));
  return join(work, filename);
}

async function main(names) {
  if (noPackage || noChromium) return console.log(`1..0 # SKIP ${noPackage || noChromium}`);
  const picture = join(work, 'picture.svg'), tarball = pack();
  writeFileSync(picture, svg);
  const wanted = widths.map((width) => native([picture], width)[0].hash);
  let number = 0;
  const tell = (good, what, why = '') => {
    for (const line of good ? [] : why.split('\n')) console.log(`# ${line}`);
    console.log(`${good ? 'ok' : 'not ok'} ${++number} - ${what}`);
    if (!good) process.exitCode = 1;
  };
  for (const [index, name] of names.entries()) {
    const { packages, files, draws } = tools[name];
    try {
      const { emitted, ...drawn } = await draws(project(name, packages, tarball, files), 4300 + index);
      for (const [what, hashes] of Object.entries(drawn))
        tell(hashes === true || `${hashes}` === `${wanted}`, `${name}: ${what}`, `${hashes} instead of ${wanted}`);
      if (emitted)
        tell(emitted.length <= MOST_FILES, `${name}: load() alone emits ${emitted.length} files`, emitted.join(' '));
    } catch (error) {
      tell(false, name, String(error.stack));
    }
    if (!process.env.STIJL_KEEP) rmSync(join(work, name), { recursive: true, force: true });
  }
  console.log(`1..${number}`);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(tools);
try {
  await main(names);
} finally {
  await chromium?.close();
  if (!process.env.STIJL_KEEP) rmSync(work, { recursive: true, force: true });
  if (!process.env.STIJL_BUNDLERS) rmSync(folder, { recursive: true, force: true });
}
