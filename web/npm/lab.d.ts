export type LabUnit = 'name' | 'count' | 'bytes' | 'us' | 'rate' | 'work' | 'share' | 'factor';
export type LabInstrument = 'contraction' | 'access' | 'transpose' | 'matmul' | 'workgroup';

export interface LabTable {
  key: string; title: string;
  /** Of each: its name in JSON, its title, and the unit of its values. */
  columns: [key: string, title: string, unit: LabUnit][];
  /** Text, or numbers as they are: microseconds, bytes a second. NaN: there is none. */
  rows: (string | number)[][];
}
export interface LabPlot { key: string; title: string; unit: LabUnit; rows: { name: string; value: number }[]; marks?: { name: string; value: number }[] }

export interface LabResult {
  device: { name: string; type: 'cpu' | 'gpu'; driver: string; quick: boolean; timer: 'timestamp-query' | 'submissions'; step_us: number };
  /** Sentences: what was found; what pays on this device; and checks that have failed. */
  verdict: string[]; likes: string[]; wrongs: string[];
  tables: LabTable[]; plots: LabPlot[];
  /** What `stijl lab report --against` reads, once written as JSON. */
  json: { passed: boolean } & Record<string, unknown>;
}

export declare const instrumentNames: LabInstrument[];
/** Measures by WebGPU. Fails with a StijlError where there is no device, with the signal's reason where that aborts. */
export declare function runLab(options?: {
  /** navigator.gpu, unless another is given. */
  gpu?: unknown;
  only?: LabInstrument[];
  /** Problems as large as `stijl lab` has, or as with --quick. */
  size?: 'quick' | 'full';
  /** False: submissions are timed, as where the device's clock is not told. */
  clock?: boolean;
  /** What tells whether the renderer draws with the device, such as `() => stijl.gpu()`. */
  selfTest?: () => Promise<{ reason: string | null }>;
  signal?: AbortSignal; progress?: (name: string, done: number, count: number) => void;
  powerPreference?: 'low-power' | 'high-performance'; forceFallbackAdapter?: boolean;
}): Promise<LabResult>;

/** A value for people. */
export declare function format(unit: LabUnit, value: string | number): string;
/** A plot as SVG. Without `words`, which want fonts, it has the bars alone, `rowHeight` for each. */
export declare function bars(plot: Pick<LabPlot, 'unit' | 'rows' | 'marks'>, options?: { words?: boolean; width?: number }): string;
export declare const rowHeight: number;
