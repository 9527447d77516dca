// What files.js has, for the module whose memory threads share: only workers need it.
import { settled } from './settled.js';

export const threadFiles = {
  'stijl-threads': () => settled(new URL('./stijl-threads.wasm', import.meta.url)),
  'stijl-threads-documents': () => settled(new URL('./stijl-threads-documents.wasm', import.meta.url)),
  'stijl-threads-encoders': () => settled(new URL('./stijl-threads-encoders.wasm', import.meta.url)),
  'stijl-threads-images': () => settled(new URL('./stijl-threads-images.wasm', import.meta.url)),
  'stijl-threads-fonts': () => settled(new URL('./stijl-threads-fonts.wasm', import.meta.url)),
  'stijl-threads-scripts': () => settled(new URL('./stijl-threads-scripts.wasm', import.meta.url)),
  'stijl-threads-programs': () => settled(new URL('./stijl-threads-programs.wasm', import.meta.url)),
  'stijl-threads-shapes': () => settled(new URL('./stijl-threads-shapes.wasm', import.meta.url)),
};
