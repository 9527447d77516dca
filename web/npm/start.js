// Starts a script of the package in a page's worker. Bundlers see workers only where `new Worker(new URL('./x.js',
// import.meta.url))` stands, so that stands where scripts are started, and is given here as `bundled`.
import { settled } from './settled.js';

/**
 * Starts a script. `here`: import.meta.url of the script that asks, whose own name is `self`; undefined in some
 * bundles.
 */
export function startScript({ here, self, name, bundled }) {
  if (/\/\.vite\/deps/.test(here)) return new Worker(settled(new URL(name, here)), { type: 'module' });
  // Workers have to be of the page's origin. One that imports a script of another, such as a CDN, is.
  // In a bundle the script has another name, or the address `file:` that webpack gives it.
  const own = /^https?:/.test(here) && new URL(here).pathname.endsWith(`/${self}`);
  if (!own || !globalThis.location || new URL(here).origin === location.origin) return bundled();
  const code = `import ${JSON.stringify(new URL(name, here).href)};`;
  return new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
}
