// wgsl.mjs OUT [FOLDER]: the renderer's stages as WGSL, in a JavaScript module (and each in a file of the folder): GLSL
// by glslc to SPIR-V, by naga to WGSL, which naga validates. STIJL_NAGA: where that is.
//
// On the way what WGSL lacks is put in:
// - `precise` sums and products are guarded, since nothing in WGSL forbids to contract a * b + c, or to make (a + b) -
//   b an a: the bits of each result are combined with a word of the parameters that is always zero, by exclusive or. A
//   compiler cannot know the word.
// - Specialisation constants become the constants that a variant has.
// - `uniform_of` (shaders/webgpu.glsl) becomes workgroupUniformLoad, which GLSL has no word for.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { labCases } from './lab-cases.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const naga = process.env.STIJL_NAGA ?? 'naga';

/** Returns a number that a header of src/gpu defines. */
function numberOf(header, name) {
  return Number(
    readFileSync(join(root, `src/gpu/${header}.h`), 'utf8').match(new RegExp(`#define ${name} (\\w+?)u?\\s`))[1]);
}

// The bindings by name, numbered as in gpu/layout.h; behind those of all stages are WebGPU's own.
const layout = readFileSync(join(root, 'src/gpu/layout.h'), 'utf8');
const between = layout.slice(layout.indexOf('#define G_POINTS'), layout.indexOf('#define G_WEB_BINDINGS'));
const bindings = Object.fromEntries([...between.matchAll(/#define G_(?:WEB_)?(\w+) (\d+)/g)].filter(
  ([, name]) => name !== 'BINDINGS').map(([, name, number]) => [name, Number(number)]));

// The stages, in the order of sj_web_op (src/gpu/web.h). Each variant has its source, the compiler's options, and the
// specialisation constants that are not the default.
const variants = {
  flatten: ['flatten', [], { 6: true },
    { 0: 'STROKES', 1: 'FAR', 2: 'CURVES', 3: 'ALIASED', 4: 'SHARES', 5: 'GLYPHS', 6: 'SHEET' }],
  small: ['small', [], { 0: true }, { 0: 'SHEET' }],
  rank: ['rank'],
  cover: ['cover', [], {}, { 2: 'ALIASED' }],
  cover_long: ['cover', [], { 1: true }, { 2: 'ALIASED' }],
  resolve: ['resolve'],
  resolve_long: ['resolve', [], { 1: true }],
  coarse: ['coarse', ['-DGROUP=128'], {}, { 0: 'LAYERS' }],
  fine: ['fine', ['-DCHUNK=4'], { 5: true },
    { 0: 'LAYERS', 1: 'GRADIENTS', 2: 'IMAGES', 3: 'BLENDS', 4: 'OPAQUE', 5: 'SHEET' }],
};
const check = ['check'];  // it is no stage
// The shaders that draw filters, and for each the kinds of items (gpu/filter_layout.h) in their order: the values of
// constant 0.
const filters = {
  filter: ['filter', [], {}, { 0: 'KIND' }],
  boxes: ['boxes', [], {}, { 0: 'WIDE' }],
  blur_tiny: ['blur', [], { 0: numberOf('filter_layout', 'G_BLUR_TINY_PIXELS') }],
  blur: ['blur'],
};
const kinds =
  [...Array.from({ length: 8 }, (_, kind) => ['filter', kind]), ['boxes', 0], ['boxes', 1], ['blur_tiny'], ['blur']];
if (kinds.length !== numberOf('filter_layout', 'G_ITEMS')) throw new Error('items of filters have other kinds');

// The lab's kernels (web/npm/lab.js), in the same form, and the numbers and names of the specialisation constants that
// are chosen when a pipeline is made.
const cases = labCases(), BLOCKED = 3;  // that product has a shader of its own
const ways =
  Object.fromEntries(cases.transposes.map(({ key, way, tile, pitch, lanes }) => [key, [way, tile, pitch, lanes]]));
const products = Object.fromEntries(
  cases.products.filter(({ way }) => way !== BLOCKED).map(({ key, way, pitch }) => [key, [way, pitch]]));
const written = '-DUNROLLED=4u';  // so many turns of loops are unrolled
const loads = (...options) => ['lab/access', options, { 0: 256 }, { 1: 'PATTERN', 2: 'STEP' }];
const each = (prefix, source, all) =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [prefix + name, [source, [], { ...values }]]));
const lab = {
  nothing: ['lab/nothing'],
  number: ['lab/number'],
  contraction: ['lab/contraction'],
  ...each('', 'lab/stream', { copy: [256, 0, 4], copy_1: [256, 0, 1], fill: [256, 1, 4], read: [256, 2, 4] }),
  ...each('', 'lab/compute', { floats: [256, 8, false], integers: [256, 8, true] }),
  floats_64: ['lab/compute', ['-DSTEPS=64u'], { 0: 256, 1: 8, 2: false }],
  access_32: loads('-DTYPE=uint', written),
  access_32_loop: loads('-DTYPE=uint'),
  access_64: loads('-DTYPE=uvec2', '-DVECTOR2', written),
  access_128: loads('-DTYPE=uvec4', '-DVECTOR4', written),
  ...each('transpose_', 'lab/transpose', ways),
  ...Object.fromEntries(
    Object.entries(products).map(([name, values]) => [`matmul_${name}`, ['lab/matmul', [written], { ...values }]])),
  ...each('matmul_', 'lab/blocked', { blocked: [8], blocked_16: [16] }),
  shapes: ['lab/shapes', [], { 0: 1, 1: 1 }],
};

const Op = { Name: 5, TypeArray: 28, SpecConstantTrue: 48, SpecConstantFalse: 49, SpecConstant: 50, SpecConstantOp: 52,
  Store: 62, VectorShuffle: 79, CompositeExtract: 81,
  CompositeInsert: 82, LoopMerge: 246, SelectionMerge: 247, Branch: 249, BranchConditional: 250, Switch: 251,
  ReturnValue: 254, ExtInst: 12, TypeInt: 21, TypeFloat: 22, TypeStruct: 30, TypePointer: 32, Constant: 43,
  Function: 54,
  FunctionEnd: 56, Variable: 59, Load: 61, AccessChain: 65, Decorate: 71, MemberDecorate: 72, Bitcast: 124, FAdd: 129,
  FSub: 131, FMul: 133,
  VectorTimesScalar: 142, BitwiseXor: 198, BitCount: 205, Label: 248 };
const SPEC_ID = 1, BINDING = 33, NO_CONTRACTION = 42, RESTRICT = 19, NON_WRITABLE = 24;  // decorations
const UNIFORM = 2, PRIVATE = 6;  // storage classes
const ZERO = [7, 3];  // the indices that lead to the parameters' zero, their last word (shaders/webgpu.glsl)
const FINDS = [73, 74, 75], FMA = 50;  // of GLSL.std.450: FindILsb, FindSMsb, FindUMsb; Fma

/**
 * Replaces specialisation constants, { number: name }, by variables wherever functions use them; functions then also
 * compute what is derived from them. Naga turns those variables into WGSL's, which `overrides` makes constants of the
 * pipeline. Constants that sizes of arrays depend on keep their defaults.
 */
function choose(words, chosen, values) {
  let bound = words[3];
  const id = () => bound++, make = (op, ...operands) => [(operands.length + 1) << 16 | op, ...operands],
        opOf = (one) => one[0] & 0xffff;
  const list = [], found = [], functions = [], out = [];
  for (let at = 5; at < words.length; at += words[at] >>> 16)
    list.push([...words.subarray(at, at + (words[at] >>> 16))]);
  const numbers = new Map(list.filter((one) => opOf(one) === Op.Decorate && one[2] === SPEC_ID && chosen[one[3]])
    .map((one) => [one[1], one[3]]));
  const constants = list.filter((one) => numbers.has(one[2]) &&
    [Op.SpecConstantTrue, Op.SpecConstantFalse, Op.SpecConstant].includes(opOf(one)));
  if (constants.length !== Object.keys(chosen).length) throw new Error(`no such constants: ${Object.values(chosen)}`);
  const ops = list.filter((one) => opOf(one) === Op.SpecConstantOp), depends = new Set(constants.map((one) => one[2])),
        fixed = new Set();
  for (const one of ops) if (one.slice(4).some((operand) => depends.has(operand))) depends.add(one[2]);
  for (const one of list) if (opOf(one) === Op.TypeArray) fixed.add(one[3]);
  for (const one of [...ops].reverse())
    if (fixed.has(one[2]))
      for (const operand of one.slice(4))
        if (!constants.some((constant) => constant[2] === operand))
          fixed.add(operand);
  const derived = ops.filter((one) => depends.has(one[2]) && !fixed.has(one[2]));
  const variables = new Map(constants.map((one) => [one[2], { type: one[1], pointer: id(), variable: id() }]));
  for (const one of constants)
    found.push([numbers.get(one[2]), chosen[numbers.get(one[2])],
      numbers.get(one[2]) in values ? String(values[numbers.get(one[2])]) :
      opOf(one) === Op.SpecConstant ? String(one[3]) : String(opOf(one) === Op.SpecConstantTrue)]);
  // Where an instruction has operands. Its other words are numbers that may look like these.
  const operandsOf = { [Op.Store]: [1, 2], [Op.Switch]: [1, 2], [Op.ExtInst]: [5, Infinity],
    [Op.CompositeExtract]: [3, 4], [Op.CompositeInsert]: [3, 5], [Op.VectorShuffle]: [3, 5],
    [Op.Load]: [3, 4], [Op.SelectionMerge]: [0, 0], [Op.LoopMerge]: [0, 0], [Op.Label]: [0, 0], [Op.Branch]: [0, 0],
    [Op.BranchConditional]: [1, 2], [Op.Variable]: [0, 0], [Op.Function]: [0, 0] };
  let names = null;  // of the constants in this function
  list.forEach((one, i) => {
    const op = opOf(one);
    if (op === Op.Name && variables.has(one[1])) one[1] = variables.get(one[1]).variable;
    if (op === Op.Function && !functions.length) for (const { type, pointer, variable } of variables.values())
      out.push(make(Op.TypePointer, pointer, PRIVATE, type), make(Op.Variable, pointer, variable, PRIVATE));
    if (op === Op.Function) {
      functions.push(i);
      names = null;
    }
    if (functions.length && names) {
      const [from, to] = operandsOf[op] ?? [3, Infinity];
      for (let k = from; k < Math.min(to, one.length); k++) one[k] = names.get(one[k]) ?? one[k];
      if (op === Op.ReturnValue) one[1] = names.get(one[1]) ?? one[1];
    }
    out.push(one);
    if (functions.length && !names && (op === Op.Label || op === Op.Variable) && opOf(list[i + 1]) !== Op.Variable) {
      names = new Map();
      for (const [constant, { type, variable }] of variables) {
        names.set(constant, id());
        out.push(make(Op.Load, type, names.get(constant), variable));
      }
      for (const [, type, result, what, ...operands] of derived) {
        const name = id();
        out.push(make(what, type, name, ...operands.map((operand) => names.get(operand) ?? operand)));
        names.set(result, name);
      }
    }
  });
  return { words: Uint32Array.from([...words.subarray(0, 3), bound, words[4], ...out.flat()]), found };
}

/**
 * Makes SPIR-V that naga accepts, and guards its precise sums and products: no compiler may join what a XOR with zero
 * separates.
 */
function prepare(words, ofLab) {
  let bound = words[3];
  const id = () => bound++, make = (op, ...operands) => [(operands.length + 1) << 16 | op, ...operands];
  const opOf = (one) => one[0] & 0xffff, decorates = (one, what) => opOf(one) === Op.Decorate && one[2] === what;
  const list = [], out = [];
  for (let at = 5; at < words.length; at += words[at] >>> 16)
    list.push([...words.subarray(at, at + (words[at] >>> 16))]);
  const precise = new Set(list.filter((one) => decorates(one, NO_CONTRACTION)).map((one) => one[1]));
  const uint = list.find((one) => opOf(one) === Op.TypeInt && one[2] === 32 && one[3] === 0)?.[1];
  const float = list.find((one) => opOf(one) === Op.TypeFloat)?.[1];
  const params = list.find((one) => decorates(one, BINDING) && one[3] === bindings.PARAMS)?.[1];
  // glslc marks each member of a buffer as read-only; naga looks at the buffer itself.
  const members = new Map(), readOnly = [];
  for (const one of list)
    if (opOf(one) === Op.MemberDecorate && one[3] === NON_WRITABLE)
      members.set(one[1], (members.get(one[1]) ?? 0) + 1);
  for (const one of list) {
    if (opOf(one) !== Op.Variable) continue;
    const type = list.find((other) => opOf(other) === Op.TypePointer && other[1] === one[1])[3];
    const struct = list.find((other) => opOf(other) === Op.TypeStruct && other[1] === type);
    if (struct && members.get(type) === struct.length - 2) readOnly.push(make(Op.Decorate, one[2], NON_WRITABLE));
  }
  const pointer = id(), places = [0, ...ZERO].map((value) => [id(), value]);
  const types = new Map();  // of values
  const guarded = [Op.FAdd, Op.FSub, Op.FMul, Op.VectorTimesScalar];
  const isGuarded = (one) => (guarded.includes(opOf(one)) && precise.has(one[2])) ||
    (!ofLab && opOf(one) === Op.ExtInst && one[4] === FMA);
  let zero, inFunctions = false;  // the function's zero: loaded where it begins, after its variables
  list.forEach((one, i) => {
    const op = opOf(one);
    if (op === Op.Function && !inFunctions) {
      inFunctions = true;
      out.push(make(Op.TypePointer, pointer, UNIFORM, uint),
        ...places.map(([name, value]) => make(Op.Constant, uint, name, value)));
    }
    if (op === Op.Function) zero = undefined;
    if (op === Op.Decorate) out.push(...readOnly.splice(0));
    if (decorates(one, NO_CONTRACTION) || decorates(one, RESTRICT)) return;
    if (isGuarded(one)) {
      if (one[1] !== float) throw new Error('a precise sum or product of vectors: write it component by component');
      const result = id(), bits = id(), same = id();
      out.push([one[0], float, result, ...one.slice(3)], make(Op.Bitcast, uint, bits, result),
        make(Op.BitwiseXor, uint, same, bits, zero),
        make(Op.Bitcast, float, one[2], same));
    } else if (op === Op.BitCount || (op === Op.ExtInst && FINDS.includes(one[4]))) {
      // naga takes the result to have the type of the operand.
      const type = types.get(one.at(-1)), found = id();
      out.push([one[0], type, found, ...one.slice(3)], make(Op.Bitcast, one[1], one[2], found));
    } else out.push(one);
    if (inFunctions && one.length > 2) types.set(one[2], one[1]);
    if (inFunctions && zero === undefined && (op === Op.Label || op === Op.Variable) &&
      opOf(list[i + 1]) !== Op.Variable) {
      const end = list.findIndex((other, k) => k > i && opOf(other) === Op.FunctionEnd), chain = id();
      zero = id();
      if (list.slice(i, end).some(isGuarded))
        out.push(make(Op.AccessChain, pointer, chain, params, ...places.map(([name]) => name)),
          make(Op.Load, uint, zero, chain));
    }
  });
  return Uint32Array.from([...words.subarray(0, 3), bound, words[4], ...out.flat()]);
}

/** Shortens the names of functions, into which naga puts the types of their parameters. */
function shortNames(code) {
  const names = new Map();
  return code.replace(/\b(\w+?)_u0028_\w*/g, (whole, name) => {
    if (!names.has(whole)) names.set(whole, `${name}_f${names.size}`);
    return names.get(whole);
  });
}

/** Makes uniform_of use workgroupUniformLoad, which WGSL has and GLSL has not. */
function uniformLoads(code) {
  return code.replace(/fn uniform_of_\w*\((\w+): ptr<function, u32>\) -> u32 \{[^]*?\n\}/, (body, value) => {
    const slot = body.match(/uniform_slot\w*/)[0], index = body.match(/gl_LocalInvocationIndex\w*/)[0];
    return `${body.split('\n')[0]}\n    if (${index} == 0u) {\n        ${slot} = *${value};\n    }\n` +
      `    return workgroupUniformLoad(&${slot});\n}`;
  });
}

/** Reads a shader, and makes its push constants a uniform buffer and the sizes of its workgroups numbers. */
function rewrite(source, constants) {
  const code = readFileSync(join(root, `shaders/${source}.comp`), 'utf8');
  const valueOf = (id) => constants[id] ??
    code.match(new RegExp(`constant_id = ${id}\\) const \\w+ \\w+ = (\\w+);`))[1];
  return code
    .replace(/layout\(push_constant, \w+\)( uniform \w+ \{[^}]*\};)/,
      `layout(set = 0, binding = ${bindings.PARAMS}, std140)$1`)
    // naga ignores these.
    .replaceAll(/local_size_([xy])_id = (\d+)/g, (whole, axis, id) => `local_size_${axis} = ${valueOf(id)}`);
}

/** Makes constants of the pipeline of the variables that `choose` has put in place of constants. */
function overrides(code, found) {
  for (const [id, name, value] of found)
    code = code.replace(new RegExp(`var<private> (${name}\\w*): (\\w+)(?: = [^;]*)?;`),
      (line, as, type) => `@id(${id}) override ${as}: ${type} = ${type === 'u32' ? `${parseInt(value)}u` : value};`);
  return code;
}

// Some of the lab's shaders bind one buffer as two types, of which a variant uses one, so what is unused is removed
// first. Loops that ask for it are unrolled, which WGSL cannot ask for; naga makes every other loop count its turns.
const unused = ['--eliminate-dead-branches', '--eliminate-dead-functions', '--eliminate-dead-code-aggressive',
  '--eliminate-dead-variables'];
// The renderer's shaders need more. Chromium has to see that all lanes reach a barrier, but loops that carry values
// unchanged make these look as if each lane had its own, so such loops are removed. Bindings stay: prepare() needs the
// parameters.
const ofStages = ['--preserve-bindings', '--ssa-rewrite', '--loop-unroll', '--simplify-instructions',
  '--eliminate-dead-code-aggressive'];
const unrolled = ['--merge-return', '--inline-entry-points-exhaustive', '--eliminate-dead-functions', '--ssa-rewrite',
  '--loop-unroll', '--ccp', '--simplify-instructions',
  '--eliminate-dead-branches', '--scalar-replacement=100', '--ssa-rewrite', '--eliminate-dead-code-aggressive',
  '--eliminate-dead-variables'];

function compile([source, options = [], constants = {}, chosen = {}], folder, name) {
  const spirv = join(folder, `${name}.spv`), wgsl = join(folder, `${name}.wgsl`), ofLab = source.startsWith('lab/');
  const file = join(folder, `${name}.comp`);
  writeFileSync(file, rewrite(source, constants));
  const run = (program, ...args) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, RUST_LOG: 'error' } });
  run('glslc', '-O0', '-I', join(root, 'src'), '-I', join(root, 'shaders'), '-DWEBGPU', '--target-env=vulkan1.1',
    ...options, '-o', spirv, file);
  const read = () => {
    const words = readFileSync(spirv);
    return new Uint32Array(words.buffer, words.byteOffset, words.length / 4);
  };
  const { words, found } = choose(read(), chosen, constants);
  writeFileSync(spirv, words);
  const values = Object.entries(constants).filter(([id]) => !chosen[id]).map(([id, value]) => `${id}:${value}`)
    .join(' ');
  run('spirv-opt', spirv, ...(values ? [`--set-spec-const-default-value=${values}`] : []), '--freeze-spec-const',
    '--fold-spec-const-op-composite',
    ...(ofLab ? [...unused, ...unrolled] : ofStages), '-o', spirv);
  writeFileSync(spirv, prepare(read(), ofLab));
  run(naga, spirv, wgsl);
  return shortNames(uniformLoads(overrides(readFileSync(wgsl, 'utf8'), found)));
}

/** Returns the bindings of a stage: [number, kind]. */
function bindingsOf(code) {
  const kinds = { uniform: 'uniform', 'storage, read_write': 'storage', storage: 'read-only-storage',
    'storage, read': 'read-only-storage' };
  return [...code.matchAll(/@binding\((\d+)\)\s*var<([^>]*)>/g)].map(
    ([, number, kind]) => [Number(number), kinds[kind.trim()]]);
}

/** Returns the numbers of the constants that are left to be chosen when a pipeline is made. */
function overridesOf(code) {
  return [...code.matchAll(/@id\((\d+)\) override/g)].map(([, number]) => Number(number));
}

const folder = mkdtempSync(join(tmpdir(), 'stijl-wgsl-'));
try {
  const make = (all) => Object.fromEntries(Object.entries(all).map(([name, variant]) => {
    const code = compile(variant, folder, name);
    if (process.argv[3]) writeFileSync(join(process.argv[3], `${name}.wgsl`), code);
    return [name, { bindings: bindingsOf(code), ...(variant[3] && { chosen: overridesOf(code) }),
      ...(name.endsWith('_long') && { rare: true }), code: code.replace(/^ +/gm, '') }];
  }));
  const stages = make({ ...variants, check }), of = make(filters), kernels = make(lab);
  // The lab makes workgroups of every shape.
  kernels.shapes.code = '@id(0) override X: u32 = 16;\n@id(1) override Y: u32 = 16;\n' +
    kernels.shapes.code.replace('@workgroup_size(1, 1, 1)', '@workgroup_size(X, Y)');
  const exported = (values) => Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join('');
  writeFileSync(join(dirname(process.argv[2]), 'lab-shaders.js'),
    '// Made by scripts/wgsl.mjs of shaders/lab/*.comp and src/lab/cases.h.\n' +
    exported({ cases, params: bindings.PARAMS, kernels }));
  // What the words of all checks amount to, as in gpu/check.h.
  const { check: checking, ...rest } = stages;
  Object.assign(checking, { count: numberOf('check', 'G_CHECKS'), group: numberOf('check', 'G_CHECK_GROUP'),
    sum: numberOf('check', 'G_CHECK_SUM') });
  writeFileSync(process.argv[2], '// Made by scripts/wgsl.mjs of shaders/*.comp.\n' +
    exported({ bindings, stages: rest, filters: of, kinds, check: checking }));
} finally {
  rmSync(folder, { recursive: true });
}
