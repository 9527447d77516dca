// Types of the package. What the functions mean in detail is in the headers of the C library (include/stijl). They need
// neither the types of the DOM nor those of Node, nor a TypeScript newer than 5.0.

/** A class of the machine's, if its types are known here. */
export type Known<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Type } } ?
  Type : never;
/** Their buffers are not shared. */
export type Bytes = ReturnType<Uint8Array['slice']>;
export type Pixels = ReturnType<Uint8ClampedArray['slice']>;
export type Source = ArrayBuffer | ArrayBufferView;
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ?
  Type : never;

// As TypeScript 5.2 and @types/node have them.
declare global {
  interface SymbolConstructor { readonly dispose: unique symbol }
  interface Disposable { [Symbol.dispose](): void }
}

export type Code = 'OUT_OF_MEMORY' | 'INVALID_ARGUMENT' | 'INVALID_STATE' | 'MALFORMED' | 'UNSUPPORTED' | 'LIMIT' |
  'REFUSED' | 'IO' | 'DEVICE' | 'CANCELLED' | 'UNKNOWN';

/** An error of the library, with the library's own message. */
export declare class StijlError extends Error {
  constructor(code: Code, message: string);
  readonly code: Code;
  /** For path data: the byte where it is wrong. */
  readonly offset?: number;
}

export type Isa = 'auto' | 'scalar' | 'wasm';
export type Format = 'rgba8' | 'bgra8' | 'rgba8-straight' | 'bgra8-straight' | 'a8';
export type Spread = 'pad' | 'repeat' | 'reflect' | 'none';
export type Sampling = 'nearest' | 'bilinear' | 'bicubic';
export type FillRule = 'nonzero' | 'evenodd';
export type Cap = 'butt' | 'round' | 'square';
export type Join = 'miter' | 'round' | 'bevel' | 'miter-clip';
export type Blend = 'normal' | 'multiply' | 'screen' | 'overlay' | 'darken' | 'lighten' | 'color-dodge' | 'color-burn' |
  'hard-light' | 'soft-light' | 'difference' | 'exclusion' | 'hue' | 'saturation' | 'color' | 'luminosity' |
  'plus-lighter';
export type State = 'hover' | 'active' | 'focus' | 'focus-visible' | 'focus-within' | 'target' | 'visited' |
  'autofill' | 'fullscreen' | 'modal' | 'playing' | 'paused' | 'popover-open' | 'user-valid' | 'user-invalid' |
  'target-within' | 'window-inactive' | 'link' | 'checked' | 'indeterminate' | 'default' | 'disabled' | 'enabled' |
  'valid' | 'invalid' | 'required' | 'optional' | 'in-range' | 'out-of-range' | 'placeholder-shown' | 'read-write' |
  'open' | 'defined' | 'rtl';

export type Point = readonly [x: number, y: number];
/** a, b, c, d, e, f as in SVG's matrix(); a DOMMatrix will do. */
export type Matrix = readonly [number, number, number, number, number, number] | ArrayLike<number> |
  { readonly a: number; readonly b: number; readonly c: number; readonly d: number; readonly e: number;
    readonly f: number };
/** CSS text, or straight r, g, b, a from 0 to 1. */
export type Color = string | readonly [number, number, number] | readonly [number, number, number, number];
export interface Stop { offset: number; color: Color }
export interface Box { x0: number; y0: number; x1: number; y1: number }

interface PaintOptions { opacity?: number; transform?: Matrix }
export interface SolidPaint extends PaintOptions { kind?: 'solid'; color: Color }
export interface LinearPaint extends PaintOptions { kind?: 'linear'; from?: Point; to?: Point; stops: Stop[];
  spread?: Spread }
export interface RadialPaint extends PaintOptions {
  kind: 'radial'; center?: Point; radius?: number; focus?: Point; focusRadius?: number; stops: Stop[]; spread?: Spread;
}
export interface SweepPaint extends PaintOptions {
  kind: 'sweep'; center?: Point; startAngle?: number; endAngle?: number; leadAngle?: number; stops: Stop[];
  spread?: Spread;
}
export interface ImagePaint extends PaintOptions {
  kind?: 'image'; image: Image; spread?: Spread | readonly [Spread, Spread]; sampling?: Sampling;
}
export type Paint = Color | SolidPaint | LinearPaint | RadialPaint | SweepPaint | ImagePaint;

export interface StrokeOptions {
  width?: number; cap?: Cap; join?: Join; miterLimit?: number; dashes?: readonly number[]; dashOffset?: number;
  pen?: Matrix; transform?: Matrix;
}

/** Bounds on what a call may use; 0 or absent: defaults that grow with the input. */
export interface Budget { maxSeconds?: number; maxMemory?: number; maxWork?: number }

export type FamilyName = 'default' | 'serif' | 'sans-serif' | 'cursive' | 'fantasy' | 'monospace';

export interface SvgOptions extends Budget {
  /** The fonts that text is drawn with; without them text is left out. `fontSize` is for text that has no size. */
  fonts?: Fonts; fontSize?: number;
  dpi?: number; language?: string; styleSheet?: string; maxElements?: number; maxDepth?: number;
  /** The most pixels of an embedded image. */
  maxPixels?: number;
  /** When animations are looked at, in seconds; 'end': when all have ended that end. */
  time?: number|'end';
  /**
   * The files that the document refers to (images, fonts, style sheets, other documents), by their URLs as it has them,
   * or a function that gives them. Without them they are left out: nothing is fetched. null: refused, undefined: not
   * known. A URL is hostile input as the document is.
   */
  files?: {readonly [url: string]: string|Source|null|undefined}|((url: string) => string | Source | null | undefined);
}

export interface RenderOptions extends Budget {
  width: number; height: number; region?: Partial<Box>; format?: Format; transform?: Matrix; background?: Color;
  /** The array that gets the pixels; by default a new one. */
  into?: Uint8ClampedArray;
}

export interface FileOptions {
  /** By default PNG. */
  type?: 'image/png' | 'image/webp' | 'image/jpeg';
  /** PNG: 0 (fast) to 9 (small). */
  level?: number; threads?: number;
  /** WebP and JPEG: 1 to 100. Without it WebP is lossless, and JPEG has 90. */
  quality?: number;
  /** JPEG: what lies below translucent pixels; white by default. */
  background?: Color;
}

export interface Picture {
  readonly width: number; readonly height: number; readonly format: Format; readonly data: Pixels;
  toImageData(): Known<'ImageData'>;
  toImageBitmap(): Promise<Known<'ImageBitmap'>>;
  /** The picture as a file. */
  toBlob(options?: FileOptions): Known<'Blob'>;
  /** Puts the picture onto a canvas, which gets its size in pixels. */
  toCanvas<Canvas extends Known<'HTMLCanvasElement'> | Known<'OffscreenCanvas'>>(canvas: Canvas): Canvas;
}

/** An object in the module's memory, given back by `using`, by free(), or some time after nobody holds it. */
export declare abstract class Handle implements Disposable {
  /** The functions of a loaded Stijl make objects. */
  protected constructor();
  readonly freed: boolean;
  free(): void;
  [Symbol.dispose](): void;
}

export declare class Path extends Handle {
  private constructor();
  moveTo(x: number, y: number): this;
  lineTo(x: number, y: number): this;
  quadTo(x1: number, y1: number, x: number, y: number): this;
  cubicTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): this;
  arcTo(rx: number, ry: number, rotation: number, largeArc: boolean, sweep: boolean, x: number, y: number): this;
  close(): this;
  rect(x: number, y: number, width: number, height: number): this;
  roundRect(x: number, y: number, width: number, height: number, rx: number, ry?: number): this;
  ellipse(cx: number, cy: number, rx: number, ry?: number): this;
  add(other: Path, transform?: Matrix): this;
  svg(data: string): this;
  clear(): this;
  check(): this;
  bounds(): Box | null;
}

export declare class Image extends Handle {
  private constructor();
  readonly width: number;
  readonly height: number;
  readonly format: 'rgba8' | 'a8';
  pixels(): Uint8ClampedArray;
}

export declare class Fonts extends Handle {
  private constructor();
  add(file: Source): this;
  setFamily(generic: FamilyName, family: string): this;
  /** The families that are there, in the order in which they were added. */
  families(): string[];
  uses(): { families: string; weight: number; family: string; how: 'named' | 'instead' | 'fallback' }[];
}

export interface TextStyle {
  /** As CSS writes them: "Noto Sans, 'DejaVu Sans', sans-serif". */
  families?: string;
  size?: number; weight?: number; stretch?: number; slant?: 'normal' | 'italic' | 'oblique';
  letterSpacing?: number; wordSpacing?: number;
  /** In font sizes; 0: the font's own. */
  lineHeight?: number;
  language?: string;
  /** As CSS writes them: "'smcp' 1", "'wght' 650". */
  features?: string; variations?: string;
  /** Of colour fonts. */
  palette?: number | 'light' | 'dark';
}
export interface TextLayout {
  /** That lines are broken to fit into; 0: only characters that end lines break. */
  width?: number;
  align?: 'start' | 'end' | 'left' | 'right' | 'center' | 'justify'; direction?: 'auto' | 'ltr' | 'rtl';
  maxLines?: number;
  /** Put behind what is left of the last line where something is left out. */
  ellipsis?: string;
}
export interface TextLine { start: number; end: number; x: number; baseline: number; width: number; ascent: number;
  descent: number }

/** Characters with styles, shaped and broken into lines. Offsets are those of JavaScript's strings. */
export declare class Text extends Handle {
  private constructor();
  append(string: string, style?: TextStyle): this;
  layout(options?: TextLayout): this;
  measure(): { width: number; height: number; missing: string | null };
  lines(): TextLine[];
  caret(offset: number): { x: number; y0: number; y1: number; line: number; rightToLeft: boolean } | null;
  hit(x: number, y: number): number;
  /** Appends the outlines to a path, and returns it. */
  outline(path: Path, transform?: Matrix): Path;
}

/** What an effect reads: an effect's result by its number, the layer's picture, its alpha, or transparent black. */
export type FilterInput = number | 'source' | 'source-alpha' | 'nothing';
export type FilterEdge = 'none' | 'duplicate' | 'wrap';
export type Channel = 'r' | 'g' | 'b' | 'a';
/** `linear`: colours are computed in linear light; else in sRGB. `region`: outside of it the result is transparent. */
export interface EffectOptions { linear?: boolean; region?: Box }
export interface Transfer { kind?: 'identity' | 'table' | 'discrete' | 'linear' | 'gamma'; values?: readonly number[];
  a?: number; b?: number; exponent?: number }
export interface Light {
  kind?: 'distant' | 'point' | 'spot'; color?: Color; azimuth?: number; elevation?: number;
  position?: readonly [number, number, number]; at?: readonly [number, number, number];
  focus?: number; cone?: number; surfaceScale?: number; constant?: number; exponent?: number;
}

/**
 * Effects that a layer's picture goes through. Each call returns the number of its result; the last result is drawn.
 */
export declare class Filter extends Handle {
  private constructor();
  blur(input: FilterInput, x: number, y?: number, options?: EffectOptions & { edge?: FilterEdge }): number;
  offset(input: FilterInput, dx: number, dy: number, options?: EffectOptions): number;
  alpha(input: FilterInput, options?: EffectOptions): number;
  flood(color: Color, options?: EffectOptions): number;
  colorMatrix(input: FilterInput, matrix: readonly number[], options?: EffectOptions): number;
  transfer(input: FilterInput, functions?: Partial<Record<Channel, Transfer>>, options?: EffectOptions): number;
  composite(input: FilterInput, input2: FilterInput, operator?: 'over' | 'in' | 'out' | 'atop' | 'xor' | 'lighter',
    options?: EffectOptions): number;
  arithmetic(input: FilterInput, input2: FilterInput, k: readonly [number, number, number, number],
    options?: EffectOptions): number;
  blend(input: FilterInput, input2: FilterInput, mode?: Blend, options?: EffectOptions): number;
  merge(inputs: readonly FilterInput[], options?: EffectOptions): number;
  dropShadow(input: FilterInput, dx: number, dy: number, deviation: number | readonly [number, number], color?: Color,
    options?: EffectOptions): number;
  erode(input: FilterInput, x: number, y?: number, options?: EffectOptions): number;
  dilate(input: FilterInput, x: number, y?: number, options?: EffectOptions): number;
  convolve(input: FilterInput,
    convolution: { columns?: number; rows?: number; kernel: readonly number[]; divisor?: number; bias?: number;
    targetX?: number; targetY?: number; edge?: FilterEdge; preserveAlpha?: boolean }, options?: EffectOptions): number;
  displace(input: FilterInput, map: FilterInput, scale: number, x?: Channel, y?: Channel, options?: EffectOptions):
    number;
  tile(input: FilterInput, tile: Box, options?: EffectOptions): number;
  turbulence(turbulence?: { frequency?: number | readonly [number, number]; octaves?: number; seed?: number;
    fractal?: boolean; stitch?: Box },
    options?: EffectOptions): number;
  diffuseLight(input: FilterInput, light?: Light, options?: EffectOptions): number;
  specularLight(input: FilterInput, light?: Light, options?: EffectOptions): number;
  scene(scene: Scene, transform?: Matrix, options?: EffectOptions): number;
  css(input: FilterInput, name: 'brightness' | 'contrast' | 'grayscale' | 'hue-rotate' | 'invert' | 'opacity' |
    'saturate' | 'sepia', amount?: number): number;
}

export declare class Scene extends Handle {
  private constructor();
  fill(path: Path, paint: Paint, options?: { rule?: FillRule; transform?: Matrix }): this;
  stroke(path: Path, paint: Paint, options?: StrokeOptions): this;
  /** Draws text that is laid out; the origin is the top left corner of the box of its lines. */
  text(text: Text, paint: Paint, options?: { transform?: Matrix }): this;
  strokeText(text: Text, paint: Paint, options?: StrokeOptions): this;
  image(image: Image, options?: { sampling?: Sampling; opacity?: number; transform?: Matrix }): this;
  fillAll(paint: Paint): this;
  pushLayer(options?: { opacity?: number; blend?: Blend; clip?: Path; rule?: FillRule; transform?: Matrix;
    filter?: Filter; filterTransform?: Matrix }): this;
  popLayer(): this;
  pushMask(kind?: 'alpha' | 'luminance' | 'luminance-linear'): this;
  popMask(): this;
  add(other: Scene, transform?: Matrix): this;
  finish(): this;
  reset(): this;
  bounds(): Box & { extent: 'empty' | 'bounded' | 'infinite' };
}

export interface SvgNode {
  kind: 'group' | 'shape' | 'image' | 'text'; end: number;
  /** -1 for the root. */
  parent: number;
  element: string; id: string; transform: number[]; toCanvas: number[];
}

/** A box to fit into, in pixels. Without either side the size is multiplied by `zoom`. */
export interface FitBox { width?: number; height?: number; zoom?: number }
/** An exact size, and the whole pixels that hold it. */
export interface Fitted { width: number; height: number; canvas: { width: number; height: number } }

export declare class Svg extends Handle {
  private constructor();
  readonly width: number;
  readonly height: number;
  fit(box?: FitBox): Fitted;
  scene(size?: { width?: number; height?: number }): Scene;
  readonly nodes: number;
  node(index: number): SvgNode;
  find(id: string): number;
  hit(x: number, y: number): number;
  box(index: number, options?: { which?: 'object' | 'stroke' | 'layer'; onCanvas?: boolean }): Box | null;
  nodeScene(index: number, size: { width: number; height: number }): Scene;
}

export interface RenderStats {
  encodeMs: number; renderMs: number; flattenMs: number; lines: number; draws: number; bands: number;
  scratchBytes: number;
}

export declare class Renderer extends Handle {
  private constructor();
  readonly isa: Isa;
  readonly threads: number;
  render(scene: Scene, options: RenderOptions): Picture;
  stats(): RenderStats;
}

export interface Medium {
  type?: string; width?: number; height?: number; resolution?: number; dark?: boolean; reducedMotion?: boolean;
  moreContrast?: boolean; hover?: boolean;
  /** Includes rules whose conditions do not hold. */
  allMedia?: boolean;
  /** Includes what might match. */
  mayMatch?: boolean;
}

export interface Selector {
  index: number; text: string; sheet: string; line: number; rule: number; specificity: [number, number, number];
  active: boolean; pseudoElement: boolean; continuation: boolean;
}

export declare class Css extends Handle {
  private constructor();
  add(sheet: string | Source, options?: { name?: string; origin?: 'user-agent' | 'user' | 'author' }): this;
  selectors(): Selector[];
  declarations(selector: number): { name: string; value: string; important: boolean }[];
}

export declare class CssDocument extends Handle {
  private constructor();
  readonly count: number;
  parent(element: number): number;
  name(element: number): string;
  attribute(element: number, name: string): string | null;
  setAttribute(element: number, name: string, value: string | null): this;
  setState(element: number, state: State, on?: boolean): this;
}

export interface Matches {
  /** Element e has the selectors from selectors[offsets[e]] up to, but without, selectors[offsets[e + 1]]. */
  offsets: Uint32Array;
  selectors: Uint32Array;
  of(element: number): Uint32Array;
}

export declare class Matcher extends Handle {
  private constructor();
  readonly css: Css;
  readonly document: CssDocument;
  match(): Matches;
  rematch(): Matches;
}

export type PartSource = string | Known<'URL'> | Source | CompiledModule;
export type ModuleSource = string | Known<'URL'> | Known<'Response'> | Source | CompiledModule;

export declare class Stijl {
  private constructor();
  readonly version: string;
  readonly broken: boolean;
  readonly memory: number;
  readonly shared: boolean;
  /** The parts of the module that have been needed so far. */
  readonly parts: string[];
  /** Fetches parts of the module before they are needed; by default all. */
  ahead(names?: Iterable<string> | true): Promise<void>;
  path(data?: string): Path;
  scene(): Scene;
  filter(): Filter;
  fonts(options?: { maxBytes?: number; maxFaces?: number; maxMemory?: number }): Fonts;
  text(fonts: Fonts): Text;
  savedScene(file: Source):
    { scene: Scene; width: number; height: number; background: [number, number, number, number] };
  image(file: Source, options?: { maxPixels?: number }): Image;
  imageFromPixels(width: number, height: number, data: Uint8Array | Uint8ClampedArray, format?: Format): Image;
  svg(source: string | Source, options?: SvgOptions): Svg;
  renderer(options?: { isa?: Isa; threads?: number; maxLayerBytes?: number }): Renderer;
  css(medium?: Medium): Css;
  document(source: string | Source, options?: { html?: boolean }): CssDocument;
  documentFrom(root: Known<'Element'>, options?: { html?: boolean }): CssDocument;
  matcher(css: Css, document: CssDocument, options?: { threads?: number }): Matcher;
  png(picture: { width: number; height: number; format?: Format; data: Uint8Array | Uint8ClampedArray },
    options?: { level?: number; threads?: number }): Bytes;
  encode(picture: { width: number; height: number; format?: Format; data: Uint8Array | Uint8ClampedArray },
    options?: FileOptions): Bytes;
  /**
   * The URLs of files that the document refers to and that `files` does not give; those that are given may refer to
   * more.
   */
  references(source: string|Source, options?: SvgOptions): string[];
  /**
   * `crop`: only this box of the document, in its CSS pixels, or the box of what it draws; that then is what is
   * fitted.
   */
  render(source: string|Source, options?: SvgOptions&Omit<Partial<RenderOptions>, 'region'>&{
    isa?: Isa;
    threads?: number;
    crop?: Box|'drawing'
  }): Picture;
  fit(size: { width: number; height: number }, box?: FitBox): Fitted;
  hash(data: Source): string;
}

/** Parts of the module are loaded when they are first needed, but those in `ahead` (true: all) at once. */
export declare function load(options?: {
  module?: ModuleSource; parts?: { [name: string]: PartSource }; ahead?: Iterable<string> | true; maxMemory?: number;
  log?: (level: 'warning' | 'debug' | 'notice', line: string) => void;
}): Promise<Stijl>;
export declare const partNames: string[];
