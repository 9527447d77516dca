'use client';
// <StijlSvg source={svg} width={320} />: a picture that a worker draws, in the device's pixels. The worker is shared, and
// started with the first picture. `onDraw` gets { width, height, warnings }, `onError` a StijlError.
import { useEffect, useRef } from 'react';
import { openWorker } from 'stijl-wasm/worker';

let worker = null;
const sharedWorker = () => (worker ??= openWorker({ maxSeconds: 5 }));

export function StijlSvg({ source, width, background, onDraw, onError, ...others }) {
  const canvas = useRef(null), told = useRef({});
  told.current = { onDraw, onError };
  useEffect(() => {
    let stopped = false;
    const pixels = Math.round(width * devicePixelRatio);
    const draw = async () => {
      const { bitmap, warnings } = await (await sharedWorker()).render(source, { width: pixels, background, as: 'bitmap' });
      if (stopped) return bitmap.close();
      Object.assign(canvas.current, { width: bitmap.width, height: bitmap.height });
      told.current.onDraw?.({ width: bitmap.width, height: bitmap.height, warnings });
      canvas.current.getContext('bitmaprenderer').transferFromImageBitmap(bitmap);
    };
    draw().catch((error) => { if (!stopped) told.current.onError?.(error); });
    return () => { stopped = true; };
  }, [source, width, background]);
  return <canvas ref={canvas} style={{ width, height: 'auto' }} {...others} />;
}
