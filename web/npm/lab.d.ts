import type { Known } from './index.js';

export type LabUnit = 'name' | 'count' | 'bytes' | 'us' | 'rate' | 'work' | 'share' | 'factor';
export type LabInstrument = 'contraction' | 'access' | 'transpose' | 'matmul' | 'workgroup';

export interface LabTable {
  key: string; title: string;
  /** Each column has a name in JSON, a title, and the unit of its values. */
  columns: [key: string, title: string, unit: LabUnit][];
  /** Text, or numbers in base units: microseconds, bytes a second. NaN stands for no value. */
  rows: (string | number)[][];
}
export interface LabPlot { key: string; title: string; unit: LabUnit; rows: { name: string; value: number }[];
  marks?: { name: string; value: number }[] }

export interface LabResult {
  device: { name: string; type: 'cpu' | 'gpu'; driver: string; quick: boolean; timer: 'timestamp-query' | 'submissions';
    step_us: number };
  /** Sentences. `verdict`: what was found; `likes`: what pays on this device; `wrongs`: checks that have failed. */
  verdict: string[]; likes: string[]; wrongs: string[];
  tables: LabTable[]; plots: LabPlot[];
  /** The report that `stijl lab report --against` reads, once written as JSON. */
  json: { passed: boolean } & Record<string, unknown>;
}

export declare const instrumentNames: LabInstrument[];
/** Measures by WebGPU. Fails with a StijlError if there is no device, or with the signal's reason if that aborts. */
export declare function runLab(options?: {
  /** navigator.gpu, unless another is given. */
  gpu?: unknown;
  only?: LabInstrument[];
  /** How large the problems are: as for `stijl lab` (full) or for `stijl lab --quick`. */
  size?: 'quick' | 'full';
  /** False: times submissions, as if the device had no clock. */
  clock?: boolean;
  /** Tells whether the renderer can draw with the device, like `() => openGpu(stijl)`. */
  selfTest?: () => Promise<{ reason: string | null }>;
  signal?: Known<'AbortSignal'>; progress?: (name: string, done: number, count: number) => void;
  powerPreference?: 'low-power' | 'high-performance'; forceFallbackAdapter?: boolean;
}): Promise<LabResult>;

/** Formats a value for people. */
export declare function format(unit: LabUnit, value: string | number): string;
/** Draws a plot as SVG. Without `words`, which need fonts, it has only the bars, `rowHeight` for each. */
export declare function bars(plot: Pick<LabPlot, 'unit' | 'rows' | 'marks'>,
  options?: { words?: boolean; width?: number }): string;
export declare const rowHeight: number;
