// Filters: graphs of effects that a layer's picture goes through (include/stijl/filter.h). Each call returns the number
// of its result, which later calls take as an input; the last result is drawn.
import { Scene } from './library.js';
import { Handle, addressIn, colorOf, enums, matrixOf, numberOf } from './handle.js';
import { StijlError } from './error.js';

const inputs = { source: -1, 'source-alpha': -2, nothing: -3 };
const functions = ['brightness', 'contrast', 'grayscale', 'hue-rotate', 'invert', 'opacity', 'saturate', 'sepia'];

function inputOf(input) {
  const number = typeof input === 'number' ? input : inputs[input];
  if (!Number.isInteger(number))
    throw new StijlError('INVALID_ARGUMENT',
      `"${input}" is no input: the number of a result, ${Object.keys(inputs).join(', ')}`);
  return number;
}

function boxOf(box) {
  if (!box) return null;
  const list = [box.x0, box.y0, box.x1, box.y1];
  if (!list.every((x) => typeof x === 'number'))
    throw new StijlError('INVALID_ARGUMENT', 'a box is { x0, y0, x1, y1 }');
  return list;
}

export class Filter extends Handle {
  // Lists are put into memory, and their addresses passed behind the numbers.
  #add(name, { linear = false, region } = {}, numbers, ...lists) {
    const [box, ...at] = this.module.put(boxOf(region), ...lists);
    return this.#call(name, linear, box, ...numbers, ...at);
  }
  #call(name, linear, box, ...values) {
    const { module } = this;
    module.run('filter_options', linear ? 1 : 0, box);
    const number = module.run(name, this.address, ...values), result = module.run('filter_status', this.address);
    if (result) throw module.error(result, module.text(module.run('filter_message', this.address)));
    if (number < 0) throw new StijlError('OUT_OF_MEMORY', 'out of memory');
    return number;
  }

  blur(input, x, y = x, { edge = 'none', ...options } = {}) {
    return this.#add('filter_blur', options, [inputOf(input), x, y, numberOf('filterEdge', edge)]);
  }
  offset(input, dx, dy, options) { return this.#add('filter_offset', options, [inputOf(input), dx, dy]); }
  alpha(input, options) { return this.#add('filter_alpha', options, [inputOf(input)]); }
  flood(color, options) { return this.#add('filter_flood', options, colorOf(this.module, color)); }
  /** Multiplies colours by `matrix`: four rows of five numbers. */
  colorMatrix(input, matrix, options) {
    if (matrix.length !== 20) throw new StijlError('INVALID_ARGUMENT', 'a colour matrix has 20 numbers');
    return this.#add('filter_color_matrix', options, [inputOf(input)], matrix);
  }
  /**
   * Takes a function for each of r, g, b and a: { kind, values, a, b, exponent }. Channels without one stay as they
   * are.
   */
  transfer(input, { r, g, b, a } = {}, { linear = false, region } = {}) {
    const { module } = this, all = [r, g, b, a], from = inputOf(input);
    const kinds = all.map((one) => numberOf('transfer', one?.kind ?? (one?.values ? 'table' : 'identity')));
    const [box, ...at] = module.put(boxOf(region), ...all.map((one) => one?.values));
    all.forEach((one, i) => module.run('filter_transfer_function', i, kinds[i], at[i], one?.values?.length ?? 0,
      one?.a ?? 1, one?.b ?? 0, one?.exponent ?? 1));
    return this.#call('filter_transfer', linear, box, from);
  }
  composite(input, input2, operator = 'over', options) {
    return this.#add('filter_composite', options,
      [inputOf(input), inputOf(input2), numberOf('filterOperator', operator)]);
  }
  /** Computes k1 input input2 + k2 input + k3 input2 + k4. */
  arithmetic(input, input2, [k1, k2, k3, k4], options) {
    return this.#add('filter_arithmetic', options, [inputOf(input), inputOf(input2), k1, k2, k3, k4]);
  }
  blend(input, input2, mode = 'normal', options) {
    return this.#add('filter_blend', options, [inputOf(input), inputOf(input2), numberOf('blend', mode)]);
  }
  /** Draws the inputs over each other, the first at the bottom. */
  merge(all, options) { return this.#add('filter_merge', options, [all.length], all.map(inputOf)); }
  dropShadow(input, dx, dy, deviation, color = '#000', options) {
    const [x, y] = typeof deviation === 'number' ? [deviation, deviation] : deviation;
    return this.#add('filter_drop_shadow', options, [inputOf(input), dx, dy, x, y, ...colorOf(this.module, color)]);
  }
  erode(input, x, y = x, options) { return this.#add('filter_morphology', options, [inputOf(input), 0, x, y]); }
  dilate(input, x, y = x, options) { return this.#add('filter_morphology', options, [inputOf(input), 1, x, y]); }
  convolve(input, { columns = 3, rows = 3, kernel, divisor = 0, bias = 0, targetX = -1, targetY = -1,
    edge = 'duplicate', preserveAlpha = false }, options) {
    if (kernel?.length !== columns * rows)
      throw new StijlError('INVALID_ARGUMENT', `a kernel of ${columns} x ${rows} has ${columns * rows} numbers`);
    return this.#add('filter_convolve', options,
      [inputOf(input), columns, rows, divisor, bias, targetX, targetY, numberOf('filterEdge', edge),
      preserveAlpha ? 1 : 0], kernel);
  }
  /** Takes each pixel of the input from scale (channel - 1/2) away, by two channels of `map`. */
  displace(input, map, scale, x = 'a', y = 'a', options) {
    return this.#add('filter_displace', options,
      [inputOf(input), inputOf(map), scale, numberOf('channel', x), numberOf('channel', y)]);
  }
  /** Repeats the part of the input that is in the box. */
  tile(input, tile, options) { return this.#add('filter_tile', options, [inputOf(input)], boxOf(tile ?? {})); }
  turbulence({ frequency = 0, octaves = 1, seed = 0, fractal = false, stitch } = {}, options) {
    const [x, y] = typeof frequency === 'number' ? [frequency, frequency] : frequency;
    return this.#add('filter_turbulence', options, [x, y, octaves, seed, fractal ? 1 : 0], boxOf(stitch));
  }
  diffuseLight(input, light, options) { return this.#light(0, input, light, options); }
  specularLight(input, light, options) { return this.#light(1, input, light, options); }
  #light(specular, input, { kind = 'distant', color = '#fff', azimuth = 0, elevation = 0, position = [0, 0, 0],
    at = [0, 0, 0], focus = 1, cone = -1,
    surfaceScale = 1, constant = 1, exponent = 1 } = {}, options) {
    return this.#add('filter_light', options, [inputOf(input), specular, numberOf('light', kind)],
      [...colorOf(this.module, color), azimuth, elevation,
      ...position, ...at, focus, cone, surfaceScale, constant, exponent]);
  }
  /** Shows what a finished scene draws. */
  scene(scene, transform, options) {
    return this.#add('filter_scene', options, [addressIn(this.module, scene, Scene)], matrixOf(transform));
  }
  /**
   * Applies one of CSS's functions, in sRGB: 'brightness', 'contrast', 'grayscale', 'hue-rotate' (degrees), 'invert',
   * 'opacity', 'saturate', 'sepia'.
   */
  css(input, name, amount = name === 'hue-rotate' ? 0 : 1) {
    const number = functions.indexOf(name);
    if (number < 0) throw new StijlError('INVALID_ARGUMENT', `"${name}" is no function: ${functions.join(', ')}`);
    return this.#add('filter_function', {}, [inputOf(input), number, amount]);
  }
}
