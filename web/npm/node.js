// The package in Node and Bun.
import { nodeFiles } from './files-node.js';
import { loader } from './library.js';
import { node } from './machine-node.js';

export * from './public.js';
/** Loads the module (library.js, `loader`). */
export const load = loader(node, nodeFiles);
