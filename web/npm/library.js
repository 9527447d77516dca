// The library in JavaScript: what include/stijl has, by the habits of this language. Objects have memory in the module.
// It is given back by `using`, by free(), or by the garbage collector some time after nobody holds the object.
import {StijlError} from './error.js';
import {Filter} from './filter.js';
import {Fonts} from './fonts.js';
import {addressIn, colorOf, enums, Handle, key, matrixOf, numberOf} from './handle.js';
import {compile, giverOf, isShared, Module} from './module.js';
import {Parts, placesOf} from './parts.js';
import {Text} from './text.js';

export {enums, Filter, Fonts, isShared, StijlError, Text};

const bytesOf = { rgba8: 4, bgra8: 4, 'rgba8-straight': 4, 'bgra8-straight': 4, a8: 1 };
// The bits of the states of elements (STIJL_CSS_STATE_...).
export const states = {
  hover: 0, active: 1, focus: 2, 'focus-visible': 3, 'focus-within': 4, target: 5, visited: 6, autofill: 7,
  fullscreen: 8,
  modal: 9, playing: 10, paused: 11, 'popover-open': 12, 'user-valid': 13, 'user-invalid': 14, 'target-within': 15,
  'window-inactive': 16, link: 32, checked: 33, indeterminate: 34, default: 35, disabled: 36, enabled: 37, valid: 38,
  invalid: 39, required: 40, optional: 41, 'in-range': 42, 'out-of-range': 43, 'placeholder-shown': 44,
  'read-write': 45,
  open: 46, defined: 47, rtl: 48,
};

export class Path extends Handle {
  moveTo(x, y) { this.module.run('path_move_to', this.address, x, y); return this; }
  lineTo(x, y) { this.module.run('path_line_to', this.address, x, y); return this; }
  quadTo(x1, y1, x, y) { this.module.run('path_quad_to', this.address, x1, y1, x, y); return this; }
  cubicTo(x1, y1, x2, y2, x, y) { this.module.run('path_cubic_to', this.address, x1, y1, x2, y2, x, y); return this; }
  arcTo(rx, ry, rotation, largeArc, sweep, x, y) {
    this.module.run('path_arc_to', this.address, rx, ry, rotation, largeArc ? 1 : 0, sweep ? 1 : 0, x, y);
    return this;
  }
  close() { this.module.run('path_close', this.address); return this; }
  rect(x, y, width, height) { this.module.run('path_add_rect', this.address, x, y, width, height); return this; }
  roundRect(x, y, width, height, rx, ry = rx) {
    this.module.run('path_add_round_rect', this.address, x, y, width, height, rx, ry);
    return this;
  }
  ellipse(cx, cy, rx, ry = rx) { this.module.run('path_add_ellipse', this.address, cx, cy, rx, ry); return this; }
  add(other, transform) {
    const from = addressIn(this.module, other, Path);
    const [matrix] = this.module.put(matrixOf(transform));
    this.module.run('path_add_path', this.address, from, matrix);
    return this;
  }
  /** Appends SVG path data. What comes before an error is kept, and the error tells the byte. */
  svg(data) {
    const { module } = this;
    module.lend(data, (at, count) => {
      const result = module.run('path_add_svg', this.address, at, count);
      if (!result) return;
      const offset = module.words(module.scratch(), 1)[0];
      throw Object.assign(module.error(result, `the path data is wrong at byte ${offset}`), { offset });
    });
    return this;
  }
  clear() { this.module.run('path_clear', this.address); return this; }
  /** Throws if an earlier call has failed. */
  check() {
    const result = this.module.run('path_status', this.address);
    if (result) throw this.module.error(result, this.module.text(this.module.exports.result_text(result)));
    return this;
  }
  /** Returns the tight box of the curves; null for an empty path. */
  bounds() {
    if (!this.module.run('path_bounds', this.address)) return null;
    const [x0, y0, x1, y1] = this.module.floats(this.module.scratch(), 4);
    return { x0, y0, x1, y1 };
  }
}

export class Image extends Handle {
  get width() { return this.module.run('image_width', this.address); }
  get height() { return this.module.run('image_height', this.address); }
  get format() { return enums.format[this.module.run('image_format', this.address)]; }
  /** Returns a copy of the pixels, premultiplied, rows without gaps. */
  pixels() {
    const { module, width, height, format } = this;
    const row = width * bytesOf[format], stride = module.run('image_stride', this.address);
    const from = module.run('image_pixels', this.address), out = new Uint8ClampedArray(row * height);
    for (let y = 0; y < height; y++) out.set(module.bytes(from + y * stride, row), y * row);
    return out;
  }
}

export class Scene extends Handle {
  // Sets up a paint: a colour, or { kind, ... }.
  #paint(paint, ...lists) {
    const { module } = this;
    if (typeof paint === 'string' || Array.isArray(paint)) paint = { color: paint };
    if (!paint || typeof paint !== 'object')
      throw new StijlError('INVALID_ARGUMENT', 'a paint is a colour or an object');
    const kind = numberOf('paint', paint.kind ?? (paint.image ? 'image' : paint.stops ? 'linear' : 'solid'));
    const stops = paint.stops?.flatMap(({ offset, color }) => [offset, ...colorOf(module, color)]);
    const [matrix, stopsAt, ...rest] = module.put(matrixOf(paint.transform), stops, ...lists);
    module.run('paint_start', kind, paint.opacity ?? 1, matrix);
    switch (enums.paint[kind]) {
      case 'solid': module.run('paint_color', ...colorOf(module, paint.color)); break;
      case 'linear': module.run('paint_points', ...(paint.from ?? [0, 0]), ...(paint.to ?? [1, 0])); break;
      case 'radial':
        // As the C library has it: from the focus's circle to the outer one.
        module.run('paint_points', ...(paint.focus ?? paint.center ?? [0, 0]), ...(paint.center ?? [0, 0]));
        module.run('paint_radii', paint.focusRadius ?? 0, paint.radius ?? 1);
        break;
      case 'sweep':
        module.run('paint_points', ...(paint.center ?? [0, 0]), 0, 0);
        module.run('paint_angles', paint.startAngle ?? 0, paint.endAngle ?? 360, paint.leadAngle ?? 0);
        break;
      case 'image': {
        const spread = paint.spread ?? 'pad', [x, y] = Array.isArray(spread) ? spread : [spread, spread];
        module.run('paint_image', addressIn(module, paint.image, Image), numberOf('spread', x), numberOf('spread', y),
          numberOf('sampling', paint.sampling ?? 'nearest'));
        break;
      }
    }
    if (stops) module.run('paint_stops', stopsAt, paint.stops.length, numberOf('spread', paint.spread ?? 'pad'));
    return rest;
  }

  fill(path, paint, { rule = 'nonzero', transform } = {}) {
    const at = addressIn(this.module, path, Path), number = numberOf('fillRule', rule);
    const [matrix] = this.#paint(paint, matrixOf(transform));
    this.module.run('scene_fill', this.address, at, number, matrix);
    return this;
  }
  stroke(path, paint, options) {
    return this.#stroke('scene_stroke', addressIn(this.module, path, Path), paint, options);
  }
  #stroke(call, at, paint,
    { width = 1, cap = 'butt', join = 'miter', miterLimit = 4, dashes, dashOffset = 0, pen, transform } = {}) {
    const ends = numberOf('cap', cap), corners = numberOf('join', join);
    const [matrix, dashesAt, penAt] = this.#paint(paint, matrixOf(transform), dashes, matrixOf(pen));
    this.module.run(call, this.address, at, matrix, width, ends, corners, miterLimit, dashesAt, dashes?.length ?? 0,
      dashOffset, penAt);
    return this;
  }
  /**
   * Draws text that is laid out; the origin is the top left corner of the box of its lines. Colour glyphs have their
   * own colours.
   */
  text(text, paint, { transform } = {}) {
    const at = addressIn(this.module, text, Text), [matrix] = this.#paint(paint, matrixOf(transform));
    this.module.run('scene_text', this.address, at, matrix);
    return this;
  }
  strokeText(text, paint, options) {
    return this.#stroke('scene_text_stroke', addressIn(this.module, text, Text), paint, options);
  }
  image(image, { sampling = 'nearest', opacity = 1, transform } = {}) {
    const at = addressIn(this.module, image, Image), [matrix] = this.module.put(matrixOf(transform));
    this.module.run('scene_image', this.address, at, numberOf('sampling', sampling), opacity, matrix);
    return this;
  }
  fillAll(paint) {
    this.#paint(paint);
    this.module.run('scene_fill_all', this.address);
    return this;
  }
  /** Begins a layer. It keeps the filter as it is now; changing it later does not change the layer. */
  pushLayer({ opacity = 1, blend = 'normal', clip, rule = 'nonzero', transform, filter, filterTransform } = {}) {
    const at = clip ? addressIn(this.module, clip, Path) : 0,
          through = filter ? addressIn(this.module, filter, Filter) : 0;
    const [matrix, filterMatrix] = this.module.put(matrixOf(transform), matrixOf(filterTransform));
    this.module.run('scene_push_layer', this.address, opacity, numberOf('blend', blend), at, numberOf('fillRule', rule),
      matrix, through,
      filterMatrix);
    return this;
  }
  popLayer() { this.module.run('scene_pop_layer', this.address); return this; }
  pushMask(kind = 'luminance') {
    this.module.run('scene_push_mask', this.address, numberOf('mask', kind));
    return this;
  }
  popMask() { this.module.run('scene_pop_mask', this.address); return this; }
  add(other, transform) {
    const at = addressIn(this.module, other, Scene), [matrix] = this.module.put(matrixOf(transform));
    this.module.run('scene_add_scene', this.address, at, matrix);
    return this;
  }
  /** Ends the recording, or throws its first failure. */
  finish() {
    const result = this.module.run('scene_finish', this.address);
    if (result) throw this.module.error(result, this.module.text(this.module.run('scene_message', this.address)));
    return this;
  }
  reset() { this.module.run('scene_reset', this.address); return this; }
  /** Returns { extent: 'empty' | 'bounded' | 'infinite', x0, y0, x1, y1 }. */
  bounds() {
    const extent = enums.extent[this.module.run('scene_bounds', this.address)];
    const [x0, y0, x1, y1] = this.module.floats(this.module.scratch(), 4);
    return { extent, x0, y0, x1, y1 };
  }
}

export class Svg extends Handle {
  get width() { return this.module.run('svg_width', this.address); }
  get height() { return this.module.run('svg_height', this.address); }
  /**
   * Fits the document into a box; a side that is absent follows from the other. Returns the size for scene(), and the
   * whole pixels that hold it.
   */
  fit(box) { return fitted(this.module, this, box); }
  /** Records the document, scaled to fill width x height pixels. */
  scene({ width = this.width, height = this.height } = {}) {
    return new Scene(key, this.module, 'scene_destroy',
      this.module.made(this.module.run('svg_scene', this.address, width, height)));
  }

  /**
   * Returns what the document draws as nodes in painting order. Node 0 is the root; a node's subtree is the nodes from
   * it up to, but without, its `end`.
   */
  get nodes() { return this.module.run('svg_nodes', this.address) >>> 0; }
  node(index) {
    const { module } = this;
    module.check(module.run('svg_node', this.address, index));
    const at = module.scratch(), [kind, end, parent, element, id] = module.words(at, 5),
          numbers = [...module.floats(at + 20, 12)];
    return { kind: enums.svgKind[kind], end, parent: parent === NO_NODE ? -1 : parent, element: module.text(element),
      id: module.text(id),
      transform: numbers.slice(0, 6), toCanvas: numbers.slice(6) };
  }
  /** Returns the first node of the element with this id; -1 if there is none. */
  find(id) { return this.module.lend(id, (at) => this.module.run('svg_find', this.address, at) | 0); }
  /** Returns the topmost shape, image or text at a point in CSS pixels of the document; -1 if there is none. */
  hit(x, y) { return this.module.run('svg_hit', this.address, x, y) | 0; }
  /**
   * Returns the box of a node ('object', 'stroke' or 'layer'), on the canvas or in its user space; null if it is empty.
   */
  box(index, { which = 'object', onCanvas = true } = {}) {
    const { module } = this,
          found = module.run('svg_box', this.address, index, numberOf('svgBox', which), onCanvas ? 1 : 0);
    if (found < 0) throw module.error(module.run('last'));
    if (!found) return null;
    const [x0, y0, x1, y1] = module.floats(module.scratch(), 4);
    return { x0, y0, x1, y1 };
  }
  /** Records a node alone, with its layer box scaled to fill width x height pixels. */
  nodeScene(index, { width, height }) {
    return new Scene(key, this.module, 'scene_destroy',
      this.module.made(this.module.run('svg_node_scene', this.address, index, width, height)));
  }
}

const NO_NODE = 0xffffffff;

// Fits a size by the library's own choice, which is the command's as well: every build has the same sizes.
function fitted(module, { width, height }, { width: wide, height: high, zoom = 1 } = {}) {
  module.check(module.run('svg_fit', width, height, wide ?? 0, high ?? 0, zoom));
  const [w, h, columns, rows] = module.doubles(module.scratch(), 4);
  return { width: w, height: h, canvas: { width: columns, height: rows } };
}

/**
 * Returns the size of a picture of a document or, with `crop`, of a part of it; the size of the whole document at this
 * scale; and the transform that brings the part to the picture's corner.
 */
export function placed(svg, {crop, transform, ...box}) {
  if (!crop) {
    const size = svg.fit(box);
    return {size, whole: size, transform};
  }
  if (crop === 'drawing') crop = svg.nodes ? svg.box(0, {which: 'layer'}) : null;
  if (!(crop?.x1 > crop?.x0 && crop.y1 > crop.y0))
    throw new StijlError('INVALID_ARGUMENT', 'there is nothing within the crop');
  const width = crop.x1 - crop.x0, size = fitted(svg.module, {width, height: crop.y1 - crop.y0}, box),
        scale = size.width / width;
  const [a, b, c, d, e, f] = matrixOf(transform) ?? [1, 0, 0, 1, 0, 0];
  return {
    size,
    whole: {width: svg.width * scale, height: svg.height * scale},
    transform: [a, b, c, d, e - crop.x0 * scale, f - crop.y0 * scale]
  };
}

const fileTypes = ['image/png', 'image/webp', 'image/jpeg'];  // in the order of STIJL_FILE_...

// Makes a picture a file.
function fileOf(module, { width, height, format = 'rgba8-straight', data },
  { type = 'image/png', level = 1, threads = 0, quality, background = 'white' } = {}) {
  const stride = width * bytesOf[format] || 0, number = numberOf('format', format), file = fileTypes.indexOf(type);
  if (file < 0) throw new StijlError('INVALID_ARGUMENT', `"${type}" is none of ${fileTypes.join(', ')}`);
  if (!(data?.length >= stride * height))
    throw new StijlError('INVALID_ARGUMENT', `the pixels take ${stride * height} bytes`);
  if (quality !== undefined && !(quality >= 1 && quality <= 100))
    throw new StijlError('INVALID_ARGUMENT', `quality (${quality}) is no number from 1 to 100`);
  const below = type === 'image/jpeg' ? colorOf(module, background).slice(0, 3).map((part) => Math.round(part * 255)) :
    [0, 0, 0];
  return module.lend(data, (at) => {
    try {
      module.check(type === 'image/png' ? module.run('png_encode', width, height, number, at, stride, level, threads) :
                                          module.run('image_encode', file, width, height, number, at, stride,
                                            quality ?? 0, ...below));
      return module.bytes(module.run('file_data'), module.run('file_bytes')).slice();
    } finally {
      if (!module.broken) module.run('file_free');
    }
  });
}

// Returns drawn pixels. Nothing else holds `data`, so it may be transferred.
function picture(module, width, height, format, data) {
  return {
    width, height, format, data,
    /** Returns the picture for putImageData; its format has to be the canvas's own. */
    toImageData() {
      if (format !== 'rgba8-straight')
        throw new StijlError('INVALID_ARGUMENT', 'ImageData has straight RGBA: draw with format "rgba8-straight"');
      return new ImageData(data, width, height);
    },
    /** Returns the picture as a file, as Stijl.encode makes it. */
    toBlob(options) { return new Blob([fileOf(module, this, options)], { type: options?.type ?? 'image/png' }); },
    /** Puts the picture onto a canvas, which gets its size in pixels. */
    toCanvas(canvas) {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d');
      if (!context) throw new StijlError('INVALID_ARGUMENT', 'the canvas has a context of another kind');
      context.putImageData(this.toImageData(), 0, 0);
      return canvas;
    },
    toImageBitmap() {
      return createImageBitmap(this.toImageData(), { premultiplyAlpha: 'default', colorSpaceConversion: 'none' });
    },
  };
}

// Returns what a call for a frame passes.
function frameOf(module, scene, { width, height, region, format = 'rgba8-straight', transform, background }) {
  const at = addressIn(module, scene, Scene);
  for (const side of [width, height])
    if (!Number.isInteger(side) || side < 1 || side > 32767)
      throw new StijlError('INVALID_ARGUMENT', 'width and height are whole numbers, 1 to 32767');
  const { x0 = 0, y0 = 0, x1 = width, y1 = height } = region ?? {};
  const w = x1 - x0, h = y1 - y0, number = numberOf('format', format);
  if (!(w > 0 && h > 0 && w <= width && h <= height))
    throw new StijlError('INVALID_ARGUMENT', 'the region does not lie within the canvas');
  return { at, size: [width, height], box: [x0, y0, x1, y1], w, h, stride: w * bytesOf[format], format, number,
    matrix: matrixOf(transform),
    color: background === undefined ? [0, 0, 0, 0] : colorOf(module, background) };
}

export class Renderer extends Handle {
  get isa() { return enums.isa[this.module.run('renderer_isa', this.address)]; }
  get threads() { return this.module.run('renderer_threads', this.address); }

  /** Draws a finished scene onto a canvas of width x height pixels, or a region of it. */
  render(scene, { into, ...options } = {}) {
    const { module } = this,
          { at, size, box, w, h, stride, format, number, matrix, color } = frameOf(module, scene, options);
    const pixels = module.alloc(stride * h);
    let budget = 0;
    try {
      budget = budgetOf(module, options);
      const [matrixAt] = module.put(matrix);
      module.check(
        module.run('render', this.address, at, ...size, ...box, number, pixels, stride, matrixAt, ...color, 0, budget));
      const data = into ?? new Uint8ClampedArray(stride * h);
      if (data.length < stride * h) throw new StijlError('INVALID_ARGUMENT', `the pixels take ${stride * h} bytes`);
      data.set(module.bytes(pixels, stride * h));
      return picture(module, w, h, format, data);
    } finally {
      if (budget && !module.broken) module.run('budget_destroy', budget);
      module.free(pixels);
    }
  }

  /** Returns the times and counts of the last frame. */
  stats() {
    this.module.run('renderer_stats', this.address);
    const [encodeMs, renderMs, flattenMs, lines, draws, bands, scratchBytes] =
      this.module.doubles(this.module.scratch(), 7);
    return { encodeMs, renderMs, flattenMs, lines, draws, bands, scratchBytes };
  }
}

function budgetOf(module, { maxSeconds, maxMemory, maxWork }) {
  for (const [name, value] of Object.entries({ maxSeconds, maxMemory, maxWork }))
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new StijlError('INVALID_ARGUMENT', `${name} (${value}) is no number from 0 on; 0 is the default`);
  if (!maxSeconds && !maxMemory && !maxWork) return 0;
  return module.made(module.run('budget_create', maxSeconds ?? 0, maxMemory ?? 0, maxWork ?? 0));
}

export class Css extends Handle {
  /** Puts a sheet behind those already there. */
  add(sheet, { name = '', origin = 'author' } = {}) {
    const { module } = this, number = numberOf('origin', origin);
    module.lend(name, (nameAt) => module.lendSource(sheet, (at, count) =>
      module.check(module.run('css_add', this.address, at, count, nameAt, number))));
    return this;
  }
  /** Returns all complex selectors, in the order of the sheets. */
  selectors() {
    const { module } = this, count = module.run('css_count', this.address);
    return Array.from({ length: count }, (_, index) => {
      module.run('css_selector', this.address, index);
      const [at, length, sheet, line, rule, specificity, flags] = module.words(module.scratch(), 7);
      return { index, text: module.text(at, length), sheet: module.text(sheet), line, rule,
        specificity: [specificity >>> 20, specificity >>> 10 & 1023, specificity & 1023],
        active: (flags & 1) !== 0, pseudoElement: (flags & 2) !== 0, continuation: (flags & 4) !== 0 };
    });
  }
  /** Returns the declarations of a selector's rule, in the order written. */
  declarations(selector) {
    const { module } = this;
    if (!(selector >= 0 && selector < module.run('css_count', this.address)))
      throw new StijlError('INVALID_ARGUMENT', 'there is no such selector');
    return Array.from({ length: module.run('css_declaration_count', this.address, selector) }, (_, index) => {
      module.run('css_declaration', this.address, selector, index);
      const [name, nameLength, value, valueLength, important] = module.words(module.scratch(), 5);
      return { name: module.text(name, nameLength), value: module.text(value, valueLength),
        important: important !== 0 };
    });
  }
}

export class CssDocument extends Handle {
  /** Returns how many elements there are; they are numbered in document order, the root is 0. */
  get count() { return this.module.run('document_count', this.address) >>> 0; }
  #element(element) {
    if (!(Number.isInteger(element) && element >= 0 && element < this.count))
      throw new StijlError('INVALID_ARGUMENT', 'there is no such element');
    return element;
  }
  /** Returns the parent's number, -1 for the root. */
  parent(element) { return this.module.run('document_parent', this.address, this.#element(element)) | 0; }
  name(element) { return this.module.text(this.module.run('document_name', this.address, this.#element(element))); }
  attribute(element, name) {
    const { module } = this;
    return module.lend(name, (at) => {
      const value = module.run('document_get_attribute', this.address, this.#element(element), at);
      return value ? module.text(value) : null;
    });
  }
  /** Sets an attribute. A value of null removes it. */
  setAttribute(element, name, value) {
    const { module } = this;
    const set = (nameAt, valueAt) =>
      module.check(module.run('document_set_attribute', this.address, this.#element(element), nameAt, valueAt));
    module.lend(name,
      (nameAt) => (value === null ? set(nameAt, 0) : module.lend(String(value), (valueAt) => set(nameAt, valueAt))));
    return this;
  }
  setState(element, state, on = true) {
    if (!(state in states))
      throw new StijlError('INVALID_ARGUMENT', `"${state}" is no state: ${Object.keys(states).join(', ')}`);
    this.module.check(
      this.module.run('document_set_state', this.address, this.#element(element), states[state], on ? 1 : 0));
    return this;
  }
}

export class Matcher extends Handle {
  constructor(guard, module, address, css, document) {
    super(guard, module, 'matcher_destroy', address, [css, document]);
    this.css = css;
    this.document = document;
  }
  /** Returns for each element the indices of the selectors that match it, the lowest in the cascade first. */
  match() { return this.#match(0); }
  /** Does what match() does, but faster if little has changed since. */
  rematch() { return this.#match(1); }
  #match(again) {
    const { module } = this;
    void this.css.address, this.document.address;
    module.check(module.run('match', this.address, again));
    const elements = this.document.count, count = module.run('matches', this.address) >>> 0;
    const [offsetsAt, selectorsAt] = module.words(module.scratch(), 2);
    const offsets = module.words(offsetsAt, elements + 1).slice(),
          selectors = count ? module.words(selectorsAt, count).slice() : new Uint32Array();
    return { offsets, selectors, of: (element) => selectors.subarray(offsets[element], offsets[element + 1]) };
  }
}

/** One module with its memory. Objects of one module cannot be used with another. */
export class Stijl {
  #now;
  #again;
  constructor(guard, again) {
    if (guard !== key) throw new TypeError('use load()');
    this.#again = again;
    this.#renew();
  }
  #renew() {
    this.#now = this.#again();
    this.#now.colors = new Map();
  }
  // Returns the module. One that lacked a part is replaced by the next call, which may find the part. Objects of the
  // old one are lost.
  get #module() {
    if (this.#now.renewable) this.#renew();
    return this.#now;
  }
  get version() { return this.#module.text(this.#module.run('version')); }
  /**
   * Returns whether a call has left the module in an unknown state, so that its objects cannot be used any more. If a
   * part could not be loaded, the next call begins with a new module; else nothing more can be done.
   */
  get broken() { return this.#now.broken !== null; }
  /** Bytes that the module's memory has grown to. */
  get memory() { return this.#module.memory.buffer.byteLength; }
  /** Returns whether it can draw on several threads, given helpers. */
  get shared() { return this.#module.shared; }

  /** Returns the parts of the module that have been needed so far. */
  get parts() { return [...this.#now.parts.loaded]; }
  /**
   * Fetches parts of the module (their names; true: all), so that the first call that needs one does not wait for it.
   */
  ahead(names = true) { return this.#now.parts.fetch(names); }

  path(data) {
    const path = new Path(key, this.#module, 'path_destroy', this.#module.made(this.#module.run('path_create')));
    return data === undefined ? path : path.svg(data);
  }
  scene() { return new Scene(key, this.#module, 'scene_destroy', this.#module.made(this.#module.run('scene_create'))); }
  /** Reads a scene that the library has saved, and the canvas that it is for: { scene, width, height, background }. */
  savedScene(file) {
    const module = this.#module;
    const scene = new Scene(key, module, 'scene_destroy',
      module.lend(file, (at, count) => module.made(module.run('scene_load', at, count))));
    const at = module.scratch(), [width, height] = module.words(at, 2);
    return { scene, width, height, background: [...module.floats(at + 8, 4)] };
  }
  /** Decodes a PNG, JPEG, WebP or GIF file. */
  image(file, { maxPixels = 0 } = {}) {
    const module = this.#module;
    return new Image(key, module, 'image_destroy',
      module.lend(file, (at, count) => module.made(module.run('image_decode', at, count, maxPixels))));
  }
  imageFromPixels(width, height, data, format = 'rgba8-straight') {
    const module = this.#module, stride = width * bytesOf[format] || 0, number = numberOf('format', format);
    if (!(data.length >= stride * height))
      throw new StijlError('INVALID_ARGUMENT', `the pixels take ${stride * height} bytes`);
    return new Image(key, module, 'image_destroy',
      module.lend(data, (at) => module.made(module.run('image_create', width, height, number, at, stride))));
  }
  /** Makes a set of fonts that text is drawn with. It has only the fonts of the files that are added to it. */
  fonts({ maxBytes = 0, maxFaces = 0, maxMemory = 0 } = {}) {
    const module = this.#module;
    return new Fonts(key, module, 'fonts_destroy',
      module.made(module.run('fonts_create', maxBytes, maxFaces, maxMemory)));
  }
  /** Makes a text, to be drawn with these fonts. */
  text(fonts) {
    const module = this.#module, at = addressIn(module, fonts, Fonts);
    return new Text(key, module, 'text_destroy', module.made(module.run('text_create', at)), [fonts]);
  }
  filter() {
    return new Filter(key, this.#module, 'filter_destroy', this.#module.made(this.#module.run('filter_create')));
  }
  /** Parses SVG or gzipped SVG: a text or its bytes. */
  svg(source, {
    dpi = 96,
    language,
    styleSheet,
    fonts,
    fontSize = 0,
    maxElements = 0,
    maxDepth = 0,
    maxPixels = 0,
    time = 0,
    files,
    maxSeconds,
    maxMemory,
    maxWork
  } = {}) {
    const module = this.#module, fontsAt = fonts ? addressIn(module, fonts, Fonts) : 0,
          budget = budgetOf(module, { maxSeconds, maxMemory, maxWork });
    const perhaps = (data, use) => (data === undefined ? use(0) : module.lend(data, use));
    const number = module.addReader(files), reader = module.readers.get(number),
          seconds = time === 'end' ? Infinity : time;
    const destroy = (address) => {
      module.run('svg_destroy', address);
      module.readers.delete(number);
    };
    let svg;
    try {
      svg = perhaps(
          language,
          (languageAt) => perhaps(
              styleSheet,
              (sheet) => module.lendSource(
                  source,
                  (at, count) => new Svg(
                      key, module, number ? destroy : 'svg_destroy',
                      module.made(module.run(
                          'svg_load', at, count, dpi, languageAt, sheet, maxElements, maxDepth, maxPixels, budget,
                          fontsAt, fontSize, seconds, number)),
                      fonts ? [fonts] : []))));
    } finally {
      if (!svg) module.readers.delete(number);
      if (budget && !module.broken) module.run('budget_destroy', budget);  // the document keeps the budget
    }
    if (!reader?.thrown) return svg;
    svg.free();
    throw reader.thrown.error;
  }
  /**
   * Returns the URLs of files that a document refers to (images, fonts, style sheets, other documents) and that `files`
   * does not give. Those that are given may refer to more.
   */
  references(source, {files, ...options} = {}) {
    const urls = new Set(), give = giverOf(files);
    this.svg(source, {
          ...options,
          files: (url) => {
            const file = give(url);
            if (file === undefined) urls.add(url);
            return file;
          }
        })
        .free();
    return [...urls];
  }
  renderer({ isa = 'auto', threads = 0, maxLayerBytes = 0 } = {}) {
    return new Renderer(key, this.#module, 'renderer_destroy',
      this.#module.made(this.#module.run('renderer_create', numberOf('isa', isa), threads, maxLayerBytes)));
  }
  /** Makes what webgpu.js needs of this module; its openGpu() makes renderers. */
  gpuTools({ threads, maxLayerBytes = 0 } = {}) {
    const module = this.#module, renderer = this.renderer({ threads, maxLayerBytes });
    const frames = (maxRange, firstTiles) => new Handle(key, module, 'gpu_destroy',
      module.made(module.run('gpu_create', renderer.address, maxRange, maxLayerBytes, firstTiles)), [renderer]);
    // The scene is the same, held by one more.
    const keep = (scene) => new Scene(key, module, null, addressIn(module, scene, Scene), [scene]);
    return { stijl: this, module, renderer, frames, keep, frameOf, picture, budgetOf, StijlError };
  }
  css({ type = 'screen', width = 1280, height = 800, resolution = 1, dark = false, reducedMotion = false,
    moreContrast = false,
    hover = true, allMedia = false, mayMatch = false } = {}) {
    const module = this.#module;
    const address =
      module.lend(type, (at) => module.run('css_create', at, width, height, resolution, +dark, +reducedMotion,
      +moreContrast, +hover, +allMedia, +mayMatch));
    return new Css(key, module, 'css_destroy', module.made(address));
  }
  /** Parses XML or, with `html`, HTML if the build can. In a page, documentFrom copies what the browser has parsed. */
  document(source, { html = false } = {}) {
    const module = this.#module;
    return new CssDocument(key, module, 'document_destroy',
      module.lendSource(source, (at, count) => module.made(module.run('document_parse', at, count, html ? 1 : 0))));
  }
  /** Copies a DOM tree (an element and all in it), with the states that the browser knows. */
  documentFrom(root, { html = root.ownerDocument?.contentType === 'text/html' } = {}) {
    const module = this.#module;
    const document =
      new CssDocument(key, module, 'document_destroy', module.made(module.run('document_create', html ? 1 : 0)));
    const elements = [];
    const give = (element) => {
      elements.push(element);
      module.lend(element.namespaceURI ?? '', (space) =>
        module.lend(element.localName, (name) => module.run('document_begin', document.address, space, name)));
      for (const { namespaceURI, localName, value } of element.attributes)
        module.lend(namespaceURI ?? '', (space) => module.lend(localName, (name) => module.lend(value, (at) =>
          module.run('document_attribute', document.address, space, name, at))));
      for (const child of element.childNodes) {
        if (child.nodeType === 1) give(child);
        else if ((child.nodeType === 3 || child.nodeType === 4) && child.data)
          module.run('document_text', document.address);
      }
      module.run('document_end', document.address);
    };
    give(root);
    module.check(module.run('document_finish', document.address));
    for (const state of Object.keys(states)) {
      let matches;
      try {
        matches = elements.map((element) => element.matches(`:${state === 'rtl' ? 'dir(rtl)' : state}`));
      } catch { continue; }
      matches.forEach((on, index) => { if (on) document.setState(index, state); });
    }
    return document;
  }
  matcher(css, document, { threads = 0 } = {}) {
    const module = this.#module;
    return new Matcher(key, module, module.made(module.run('matcher_create', addressIn(module, css, Css),
      addressIn(module, document, CssDocument), threads)), css, document);
  }

  /** Encodes a picture, as render returns it, as a PNG file. `level` is 0 (fast) to 9 (small). */
  png(given, { level, threads } = {}) { return fileOf(this.#module, given, { level, threads }); }
  /**
   * Encodes a picture as a file of a type: 'image/png', 'image/webp' or 'image/jpeg'. `quality` is 1 to 100: without it
   * WebP is lossless, and JPEG has 90. `background` is what lies below translucent pixels of a JPEG file.
   */
  encode(given, options) { return fileOf(this.#module, given, options); }

  /** Fits what is width x height large into a box, as Svg.fit does. */
  fit(size, box) { return fitted(this.#module, size, box); }

  /**
   * Draws SVG in one call, in the document's size or fitted into width x height. `crop`: only this box of it, in CSS
   * pixels of the document, or ('drawing') the box of what it draws; that then is what is fitted.
   */
  render(source, {width, height, isa, threads, crop, ...options} = {}) {
    const svg = this.svg(source, options);
    try {
      const {size, whole, transform} = placed(svg, {crop, width, height, transform: options.transform});
      const scene = svg.scene(whole), renderer = this.renderer({isa, threads});
      try {
        return renderer.render(scene, {...options, ...size.canvas, transform});
      } finally {
        renderer.free();
        scene.free();
      }
    } finally {
      svg.free();
    }
  }

  /** Returns the FNV-1a hash of 64 bits as hexadecimal digits, by which the library's tests know pictures. */
  hash(data) {
    const value = this.#module.lend(data, (at, count) => this.#module.run('hash', at, count));
    return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
  }

  /** Returns what helpers (worker.js) need to join this memory. */
  helperData() {
    return { module: this.#module.module, memory: this.#module.memory, stack: this.#module.run('stijl_wasi_stack'),
      parts: this.#module.parts.data() };
  }
}

/**
 * Returns load(), which loads the module: `module` is a URL, a Response, bytes or a WebAssembly.Module. `parts` gives
 * the same for parts of it, by their names; by default they are beside the module. A part is loaded when it is first
 * needed, but those in `ahead` (true: all) at once: by default those that cannot be had then. `maxMemory` is how many
 * bytes the module's memory may grow to. `log` is called with warnings. `machine`: how files are read here
 * (machine-web.js). `files`: by their names, functions that return where the package's own are.
 */
export const loader = (machine, files) => async ({ module, parts, ahead, maxMemory, log } = {}) => {
  const compiled = await compile(machine, module ?? files.stijl());
  const all = new Parts(machine, compiled, { places: placesOf(machine, compiled, module, files, parts) });
  await all.fetch(ahead ?? all.unreadable());
  return new Stijl(key, () => new Module(machine, compiled, { maxMemory, log, parts: all }));
};
