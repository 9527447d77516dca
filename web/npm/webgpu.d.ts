import type { Known, Picture, RenderOptions, RenderStats, Scene, Stijl } from './index.js';

export interface GpuOptions {
  threads?: number; maxLayerBytes?: number;
  /** navigator.gpu, unless another is given (types: @webgpu/types). */
  gpu?: unknown;
  powerPreference?: 'low-power' | 'high-performance'; forceFallbackAdapter?: boolean;
  /** False: skips the test whether the device gives the same bits. */
  selfTest?: boolean;
  /** Whether stages are compiled for what a frame has: 'later' (the default), 'wait' until they are, or 'never'. */
  specialise?: 'later' | 'wait' | 'never';
  /** For tests: how much room there is at first, and at most. */
  firstTiles?: number; maxRange?: number;
}

/** `surfaces`: layers with filters, masks and tiles of patterns that the device drew, not WebAssembly. */
export interface GpuStats { encodeMs: number; draws: number; batches: number; retries: number; surfaces: number;
  gpuMs: number | null }

/** Draws by WebGPU what it can, and everything else as Renderer does. */
export declare class GpuRenderer {
  private constructor();
  readonly backend: 'webgpu' | 'wasm';
  /** Why nothing is drawn by WebGPU; null if it is. */
  readonly reason: string | null;
  /** Why the last frame was not drawn by WebGPU; null if it was. */
  readonly frameReason: string | null;
  readonly adapter: string | null;
  render(scene: Scene, options: RenderOptions & { canvas?: undefined }): Promise<Picture>;
  /** Draws onto a canvas, which gets the picture's size; nothing is read back. */
  render<Canvas extends Known<'HTMLCanvasElement'> | Known<'OffscreenCanvas'>>(scene: Scene,
    options: RenderOptions & { canvas: Canvas }): Promise<{ width: number; height: number; canvas: Canvas }>;
  stats(): GpuStats | RenderStats;
  /**
   * For measurements: draws the last frame again, `frames` times, without waiting or reading in between. Returns the
   * microseconds of a frame, and of its stages if the device has a clock. Fails unless WebGPU drew the frame in one
   * submission.
   */
  repeat(frames?: number): Promise<{ us: number; stages: Record<string, number> | null }>;
  free(): void;
}

/**
 * Makes a renderer that draws by WebGPU if the device gives the same bits. Else it draws by WebAssembly, and its
 * `reason` tells why.
 */
export declare function openGpu(stijl: Stijl, options?: GpuOptions): Promise<GpuRenderer>;
