// The package in pages, workers and Deno; node.js is the same for Node, modules.js for those whose modules are
// imported.
import { files } from './files.js';
import { loader } from './library.js';
import { web } from './machine-web.js';

export * from './public.js';
/** Loads the module (library.js, `loader`). */
export const load = loader(web, files);
