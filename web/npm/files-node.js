import { files } from './files.js';
import { installed } from './machine-node.js';

export const found = (all) =>
  Object.fromEntries(Object.entries(all).map(([name, place]) => [name, () => installed(`${name}.wasm`, place())]));
export const nodeFiles = found(files);
