// What machine-web.js has, for Node and Bun.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const requireHere = () => createRequire(join(process.cwd(), 'index.js'));

export const node = {
  /** Makes a URL of what a caller gives: a URL, or a path. */
  url: (source) =>
    (source instanceof URL || /^[a-z][a-z0-9+.-]+:/i.test(source) ? new URL(source) : pathToFileURL(source)),
  async read(source) {
    const url = node.url(source);
    return url.protocol === 'file:' ? readFile(url) : fetch(url);
  },
  // Node 18 has no global one; to import node:crypto takes 3 ms.
  random: (bytes) => (globalThis.crypto ?? requireHere()('node:crypto').webcrypto).getRandomValues(bytes),

  canReadNow: ({ protocol }) => protocol === 'file:',
  readNow(url) {
    if (url.protocol !== 'file:') throw new Error('it has to be fetched before: load({ ahead: true })');
    return readFileSync(url);
  },
};

/**
 * Finds a file of the package. Bundlers for servers take files along, or do not, or tell an address that only their
 * own server knows: then the package that is installed has it.
 */
export function installed(name, url) {
  if (url.protocol === 'file:' && existsSync(fileURLToPath(url))) return url;
  try {
    return pathToFileURL(requireHere().resolve(`stijl-wasm/${name}`));
  } catch {
    return url;  // reading it tells what is missing
  }
}
