// What a program in TypeScript says, strict, without the DOM's types (bundlers.mjs, "typescript").
import { load, Path, StijlError, type Picture, type Svg } from 'stijl-wasm';
import { openWorker } from 'stijl-wasm/worker';
import { openGpu } from 'stijl-wasm/webgpu';
import { runLab } from 'stijl-wasm/lab';

export async function uses(file: Uint8Array): Promise<number> {
  const stijl = await load({ maxMemory: 2 ** 28, ahead: ['documents'], log: (level, line) => void `${level}${line}` });
  const path: Path = stijl.path('M0 0L9 9').lineTo(3, 4), scene = stijl.scene().fill(path, 'teal', { rule: 'evenodd' }).finish();
  const picture: Picture = stijl.renderer().render(scene, { width: 9, height: 9 }), document: Svg = stijl.svg(file);
  const png: Uint8Array = stijl.png(picture), gpu = await openGpu(stijl, { specialise: 'wait' });
  const worker = await openWorker({ threads: 2 }), { data } = await worker.render(file, { width: 9 });
  const webp: Uint8Array = stijl.encode(picture, { type: 'image/webp', quality: 80 }), families: string[] = stijl.fonts().families();
  const { jpeg } = await worker.render(file, { as: 'jpeg', quality: 90, crop: 'drawing' }), words = (await worker.families()).families;
  const { verdict } = await runLab({ size: 'quick' });
  path[Symbol.dispose]();
  document.free();
  // @ts-expect-error: functions of a loaded Stijl make objects
  new Path();
  // @ts-expect-error: there is no such word
  scene.fill(path, 'red', { rule: 'odd' });
  try { path.check(); } catch (error) { if (error instanceof StijlError && error.code === 'MALFORMED') return error.offset ?? 0; }
  return png.length + webp.length + jpeg.length + families.concat(words).length + data.length + verdict.length + (await gpu.render(scene, { width: 9, height: 9 })).data.length;
}
