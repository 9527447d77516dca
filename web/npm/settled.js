/**
 * Vite's server of development packs packages into files below node_modules/.vite/deps, and leaves what else they have where
 * it is. Returns the URL of that.
 */
export const settled = (url) => new URL(url.href.replace(/\/\.vite\/deps[^/]*\/(?=[^/]*$)/, '/stijl-wasm/'));
