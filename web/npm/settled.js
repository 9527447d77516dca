/**
 * Returns the URL of a file of the package as it can be fetched. Vite's server of development packs packages into files
 * below node_modules/.vite/deps, and leaves what else they have where it is. What Next makes of new URL() is a path of
 * its server.
 */
export const settled = (url) =>
  new URL(url.href.replace(/\/\.vite\/deps[^/]*\/(?=[^/]*$)/, '/stijl-wasm/'), globalThis.location?.href ?? 'file:///');
