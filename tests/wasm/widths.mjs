// widths.mjs [PLACE...]: every document of the SVG suite, and the tiger, at five widths in Node, Chromium and Firefox:
// the pixels and the sizes of the native build, text with the suite's fonts. scripts/check --full=browser. TAP.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Chromium, noChromium, serve } from './chromium.mjs';
import { Firefox, noFirefox } from './firefox.mjs';
import { documents, families, fonts, native, noPackage, suite, web } from './native.mjs';

const widths = [64, 120, 240, 300, 500];
const BATCH = 50;  // documents that a page is asked for at a time

// Runs where the package is, as the function below does: they load it, and draw documents: [[hash, width, height],
// ...], null for those that fail.
async function loads(base, given, families) {
  const { load } = await import(base);
  const stijl = await load({ ahead: true }), all = stijl.fonts();
  for (const font of given) all.add(typeof font === 'string' ? await (await fetch(font)).arrayBuffer() : font);
  for (const [generic, family] of Object.entries(families)) all.setFamily(generic, family);
  globalThis.drawn = (source, width) => {
    try {
      const picture = stijl.render(source, { width, fonts: all });
      return [stijl.hash(picture.data), picture.width, picture.height];
    } catch (error) {
      if (stijl.broken) throw error;
      return null;
    }
  };
}
async function draws(urls, width) {
  const results = [];
  for (const url of urls) results.push(globalThis.drawn(await (await fetch(url)).arrayBuffer(), width));
  return results;
}

// A place: what is there instead of it, and how to open one: a function that draws files, and how to close it.
const inPage = (start) => async () => {
  const server = await serve({ '/': join(web, 'npm/'), '/any/': '/' }),
        url = (path) => `${server.url}/any${path.split('/').map(encodeURIComponent).join('/')}`;
  let browser = null;
  const close = async () => {
    await browser?.close();
    server.close();
  };
  try {
    browser = await start(`${server.url}/index.js`);  // a page of the same origin, shown as text
    await browser.page.evaluate(loads, `${server.url}/index.js`, fonts().map(url), families);
  } catch (error) {
    await close();
    throw error;
  }
  const draw = async (files, width) => {
    const results = [];
    for (let at = 0; at < files.length; at += BATCH)
      results.push(...await browser.page.evaluate(draws, files.slice(at, at + BATCH).map(url), width));
    return results;
  };
  return { draw, close };
};
const places = {
  Node: { missing: false, async open() {
    await loads(join(web, 'npm/node.js'), fonts().map((path) => readFileSync(path)), families);
    return { draw: async (files, width) => files.map((path) => globalThis.drawn(readFileSync(path), width)),
      async close() {} };
  } },
  Chromium: { missing: noChromium, open: inPage(async (url) => {
    const chromium = new Chromium();
    return { page: await chromium.page(url), close: () => chromium.close() };
  }) },
  Firefox: { missing: noFirefox, open: inPage(async (url) => {
    const page = await Firefox.page(url);
    return { page, close: () => page.close() };
  }) },
};

let number = 0;
function tell(what, wrong) {
  for (const line of wrong) console.log(`# ${line}`);
  console.log(`${wrong.length ? 'not ok' : 'ok'} ${++number} - ${what}`);
  if (wrong.length) process.exitCode = 1;
}

async function compare(name, { missing, open }, expected) {
  if (missing) return console.log(`ok ${++number} - the suite in ${name} # SKIP ${missing}`);
  const place = await open();
  try {
    for (const [width, natives] of expected) {
      const results = await place.draw(natives.map(({ path }) => path), width);
      const wrong = natives.flatMap(({ path, hash, width: w, height }, i) => {
        const wanted = hash ? [hash, w, height] : null;
        return `${results[i]}` === `${wanted}` ? [] : [`${path}: ${results[i]} instead of ${wanted}`];
      });
      tell(`${natives.length} documents ${width} wide in ${name}, ${natives.filter(({ hash }) => hash).length} of them drawn`, wrong);
    }
  } finally {
    await place.close();
  }
}

const files = documents();
const why = noPackage || (files.some((path) => path.startsWith(suite)) ? null : 'the SVG suite is not here');
const expected = why ? null : widths.map((width) => [width, native(files, width, fonts())]);
const skip = why ?? expected.map(([, natives]) => natives).find((natives) => typeof natives === 'string');
if (skip) {
  console.log(`1..0 # SKIP ${skip}`);
} else {
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(places)) {
    await compare(name, places[name], expected)
      .catch((error) => tell(`the suite in ${name}`, String(error.stack).split('\n')));
  }
  console.log(`1..${number}`);
}
