// The package where WebAssembly is imported: as modules in Cloudflare's workers, or as URLs or bytes by esbuild's and
// Rollup's loaders. Nothing is fetched but these, and no import.meta is needed.
import stijl from './stijl.wasm';
import documents from './stijl-documents.wasm';
import encoders from './stijl-encoders.wasm';
import fonts from './stijl-fonts.wasm';
import images from './stijl-images.wasm';
import programs from './stijl-programs.wasm';
import scripts from './stijl-scripts.wasm';
import shapes from './stijl-shapes.wasm';
import { loader } from './library.js';
import { web } from './machine-web.js';

export * from './public.js';

const parts = { documents, encoders, fonts, images, programs, scripts, shapes }, open = loader(web, {});
/** Loads the module (library.js, `loader`). */
export const load = (options = {}) => open({ module: stijl, ...options, parts: { ...parts, ...options.parts } });
