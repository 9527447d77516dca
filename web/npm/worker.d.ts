import type { Box, Bytes, Color, FamilyName, Isa, Known, Matrix, Medium, ModuleSource, PartSource, Pixels, Selector,
  Source, SvgOptions } from './index.js';

export type As = 'pixels' | 'bitmap' | 'png' | 'webp' | 'jpeg';
interface Given { signal?: Known<'AbortSignal'> }
interface Shown<Form extends As> {
  /**
   * The form of the result: straight RGBA, an ImageBitmap, or the bytes of a file: PNG of `level` 0 to 9, the others of
   * `quality` 1 to 100.
   */
  as?: Form; level?: number; quality?: number;
  /** Whether the result has the hash of the pixels. */
  hash?: boolean;
  /** Draws by WebGPU if possible. */
  gpu?: boolean;
  background?: Color; maxSeconds?: number; maxMemory?: number; maxWork?: number;
}
export type Result<Form extends As> = {
  width: number; height: number; drawMs: number; hash?: string; gpu?: GpuFacts; warnings: string[];
} & (Form extends 'pixels' ? { data: Pixels } :
  Form extends 'bitmap' ? { bitmap: Known<'ImageBitmap'> } : { [Name in Form]: Bytes });

/** What drew, and why it was not WebGPU. */
export interface GpuFacts { backend: 'webgpu' | 'wasm'; adapter: string | null; reason: string | null }

export interface OpenDocument {
  width: number; height: number; parseMs: number; recordMs: number; warnings: string[];
  draw<Form extends As = 'pixels'>(options: { width: number; height: number; region?: Partial<Box>;
    transform?: Matrix } & Shown<Form> & Given): Promise<Result<Form>>;
  close(): Promise<void>;
}

export interface MatchResult {
  selectors: (Selector & { matches: number[] })[];
  elements: { name: string; parent: number }[];
  matchMs: number;
  warnings: string[];
}

export declare class StijlWorker implements Disposable {
  private constructor();
  readonly ready: Promise<{ isa: Isa; threads: number; version: string }>;
  gpu(options?: { maxSeconds?: number } & Given): Promise<GpuFacts & { warnings: string[] }>;
  addFonts(files: Iterable<Source>, options?: { families?: Partial<Record<FamilyName, string>> } & Given):
    Promise<{ warnings: string[] }>;
  /** The families of fonts that are there, in the order in which they were added. */
  families(options?: Given): Promise<{ families: string[]; warnings: string[] }>;
  render<Form extends As = 'pixels'>(source: string | Source,
    options?: { width?: number; height?: number; crop?: Box | 'drawing'; transform?: Matrix } & Shown<Form> &
    Omit<SvgOptions, 'fonts'> & Given): Promise<Result<Form> & { parseMs: number; recordMs: number }>;
  open(source: string | Source, options?: Omit<SvgOptions, 'fonts'> & Given): Promise<OpenDocument>;
  match(source: string | Source,
    options: { sheets: { name?: string; text: string }[]; html?: boolean } & Medium & Given): Promise<MatchResult>;
  close(): void;
  [Symbol.dispose](): void;
}

export declare function openWorker(options?: {
  module?: ModuleSource; threadsModule?: ModuleSource; parts?: { [name: string]: PartSource };
  ahead?: Iterable<string> | true; log?: (level: 'warning' | 'debug' | 'notice', line: string) => void;
  threads?: number; maxSeconds?: number; maxMemory?: number; isa?: Isa;
  /** Starts worker-main.js (in Node: worker-main-node.js), where a bundler does not. */
  worker?: () => { postMessage(...values: any[]): void; terminate(): unknown };
}): Promise<StijlWorker>;
export declare function canShare(): boolean;
