// Where the module and its parts are, in a form that bundlers see. Nothing is looked up before it is needed, since
// import.meta has no URL in some bundles.
import { settled } from './settled.js';

export const files = {
  stijl: () => settled(new URL('./stijl.wasm', import.meta.url)),
  'stijl-documents': () => settled(new URL('./stijl-documents.wasm', import.meta.url)),
  'stijl-encoders': () => settled(new URL('./stijl-encoders.wasm', import.meta.url)),
  'stijl-images': () => settled(new URL('./stijl-images.wasm', import.meta.url)),
  'stijl-fonts': () => settled(new URL('./stijl-fonts.wasm', import.meta.url)),
  'stijl-scripts': () => settled(new URL('./stijl-scripts.wasm', import.meta.url)),
  'stijl-programs': () => settled(new URL('./stijl-programs.wasm', import.meta.url)),
  'stijl-shapes': () => settled(new URL('./stijl-shapes.wasm', import.meta.url)),
};
