// Reads SPIR-V (Khronos: "SPIR-V Specification", 1.6): the instructions that declare variables, their types, and the
// constants that their sizes depend on.
#include "vulkan/spirv.h"

#include <string.h>

// Instructions, decorations and storage classes by their numbers in the specification.
enum {
  EXECUTION_MODE = 16,
  TYPE_BOOL = 20,
  TYPE_INT = 21,
  TYPE_FLOAT = 22,
  TYPE_VECTOR = 23,
  TYPE_ARRAY = 28,
  TYPE_RUNTIME_ARRAY = 29,
  TYPE_STRUCT = 30,
  TYPE_POINTER = 32,
  CONSTANT_TRUE = 41,
  CONSTANT = 43,
  SPEC_CONSTANT_TRUE = 48,
  SPEC_CONSTANT_FALSE = 49,
  SPEC_CONSTANT = 50,
  SPEC_CONSTANT_OP = 52,
  FUNCTION = 54,
  VARIABLE = 59,
  DECORATE = 71,
  MEMBER_DECORATE = 72,
  EXECUTION_MODE_ID = 331,
};
enum { SPEC_ID = 1, BUFFER_BLOCK = 3, BUILT_IN = 11, BINDING = 33, SET = 34, OFFSET = 35 };
enum { CLASS_UNIFORM_CONSTANT = 0, CLASS_UNIFORM = 2, CLASS_SHARED = 4, CLASS_PUSH = 9, CLASS_STORAGE = 12 };
enum { LOCAL_SIZE = 17, LOCAL_SIZE_ID = 38, ROUND_TO_NEAREST = 4462 };
#define MAGIC 0x07230203u
#define MAX_IDS 65536u
#define MAX_DEPTH 32

typedef struct id {
  uint32_t at;            // of the instruction that makes it, or 0
  uint32_t value;         // of a constant of 32 bits
  uint8_t spec, binding;  // its SpecId or Binding plus 1, or 0
  bool outside;           // of a descriptor set other than 0
} id;

typedef struct module {
  const uint32_t *words;
  uint32_t count, bound;
  id *ids;
  bool bad;  // something is out of range, or not known here
} module;

static uint32_t operation(const module *m, uint32_t at) { return m->words[at] & 0xffff; }
static uint32_t length(const module *m, uint32_t at) { return m->words[at] >> 16; }

// Returns the instruction that makes an id; a word with no operation for none.
static uint32_t maker(module *m, uint32_t name) {
  if (name < m->bound && m->ids[name].at) return m->ids[name].at;
  m->bad = true;
  return 1;  // the version, whose length is less than that of any instruction that is looked at
}

static uint32_t value(module *m, uint32_t name) { return name < m->bound ? m->ids[name].value : (m->bad = true, 0); }

static uint32_t word(module *m, uint32_t at, uint32_t i) {
  return i < length(m, at) ? m->words[at + i] : (m->bad = true, 0);
}

// Returns the result of an operation of specialisation constants.
static uint32_t compute(module *m, uint32_t at) {
  uint32_t op = word(m, at, 3), a = value(m, word(m, at, 4)), b = length(m, at) > 5 ? value(m, word(m, at, 5)) : 0;
  int32_t sa = (int32_t)a, sb = (int32_t)b;
  switch (op) {
    case 124: return a;  // OpBitcast
    case 128: return a + b;
    case 130: return a - b;
    case 132: return a * b;
    case 134: return b ? a / b : 0;
    case 135: return b && sb != -1 ? (uint32_t)(sa / sb) : 0 - a;
    case 164:
    case 170: return a == b;
    case 165:
    case 171: return a != b;
    case 166: return a || b;
    case 167: return a && b;
    case 168: return !a;
    case 169: return a ? b : value(m, word(m, at, 6));
    case 172: return a > b;
    case 173: return sa > sb;
    case 174: return a >= b;
    case 175: return sa >= sb;
    case 176: return a < b;
    case 177: return sa < sb;
    case 178: return a <= b;
    case 179: return sa <= sb;
    case 194: return a >> (b & 31);
    case 196: return a << (b & 31);
    case 197: return a | b;
    case 199: return a & b;
    default: return 0;  // a value that sizes do not depend on, as far as is known; zero sizes are refused
  }
}

static uint64_t round_up(uint64_t n, uint32_t to) { return (n + to - 1) / to * to; }

// Returns the size of a type by std430, and its alignment, which is not 0 unless the module is bad. Structures: by the
// offsets of their members, where they have any.
static uint64_t size_of(module *m, uint32_t type, uint32_t *align, int depth);

static uint64_t size_of_struct(module *m, uint32_t at, uint32_t *align, int depth) {
  uint32_t name = word(m, at, 1), most = 4;
  uint64_t end = 0;
  for (uint32_t i = 0; i + 2 < length(m, at); i++) {
    uint32_t own = 4;
    uint64_t size = size_of(m, word(m, at, 2 + i), &own, depth + 1);
    if (m->bad) return 0;
    uint64_t from = round_up(end, own);
    for (uint32_t d = 5; d < at; d += length(m, d))
      if (operation(m, d) == MEMBER_DECORATE && length(m, d) == 5 && m->words[d + 1] == name && m->words[d + 2] == i &&
          m->words[d + 3] == OFFSET)
        from = m->words[d + 4];
    if (from + size > end) end = from + size;
    if (own > most) most = own;
  }
  *align = most;
  return end;
}

static uint64_t size_of(module *m, uint32_t type, uint32_t *align, int depth) {
  uint32_t at = maker(m, type);
  *align = 4;
  if (depth > MAX_DEPTH) m->bad = true;
  if (m->bad) return 0;
  switch (operation(m, at)) {
    case TYPE_BOOL: return 4;
    case TYPE_INT:
    case TYPE_FLOAT: {
      uint32_t bits = word(m, at, 2);
      if (bits != 8 && bits != 16 && bits != 32 && bits != 64) m->bad = true;
      return *align = m->bad ? 1 : bits / 8;
    }
    case TYPE_VECTOR: {
      uint32_t count = word(m, at, 3), own;
      if (count < 2 || count > 4) m->bad = true;
      uint64_t size = size_of(m, word(m, at, 2), &own, depth + 1);
      *align = own * (count == 3 ? 4 : count);
      return size * count;
    }
    case TYPE_ARRAY: {
      uint64_t size = size_of(m, word(m, at, 2), align, depth + 1), count = value(m, word(m, at, 3));
      // So large that none of them is allowed, and their products fit 64 bits.
      if (!count || size > INT32_MAX) m->bad = true;
      return m->bad ? 0 : round_up(size, *align) * count;
    }
    case TYPE_STRUCT: return size_of_struct(m, at, align, depth);
    case TYPE_RUNTIME_ARRAY: return 0;
    default: m->bad = true; return 0;
  }
}

static void read_variable(module *m, uint32_t at, sj_vk_interface *out) {
  uint32_t pointer = maker(m, word(m, at, 1)), name = word(m, at, 2), class = word(m, at, 3), align;
  uint32_t type = word(m, pointer, 3);
  if (m->bad) return;
  if (class == CLASS_STORAGE) {
    if (!m->ids[name].binding || m->ids[name].outside)
      m->bad = true;
    else
      out->bindings |= 1u << (m->ids[name].binding - 1);
  } else if (class == CLASS_UNIFORM || class == CLASS_UNIFORM_CONSTANT) {
    m->bad = true;
  } else if (class == CLASS_PUSH) {
    uint64_t size = size_of(m, type, &align, 0);
    out->push_bytes = size < UINT16_MAX ? (uint32_t)size : UINT16_MAX;
  } else if (class == CLASS_SHARED) {
    uint64_t total = out->shared_bytes + (size_of(m, type, &align, 0) + 15) / 16 * 16;
    out->shared_bytes = total < INT32_MAX ? (uint32_t)total : INT32_MAX;
  }
}

static void read_decoration(module *m, uint32_t at) {
  uint32_t name = word(m, at, 1), what = word(m, at, 2);
  if (m->bad || name >= m->bound || length(m, at) < 4) return;
  uint32_t number = m->words[at + 3];
  id *i = &m->ids[name];
  if (what == SPEC_ID && number < UINT8_MAX) i->spec = (uint8_t)(number + 1);
  if (what == SET && number) i->outside = true;
  if (what != BINDING) return;
  if (number < SJ_VK_MAX_BINDINGS)
    i->binding = (uint8_t)(number + 1);
  else
    i->outside = true;
}

// Reads an instruction before the first function.
static void read(module *m, uint32_t at, const uint32_t *constants, uint32_t count, sj_vk_interface *out) {
  uint32_t op = operation(m, at), name = 0;
  if (op == DECORATE) read_decoration(m, at);
  if (op == EXECUTION_MODE || op == EXECUTION_MODE_ID) {
    uint32_t mode = word(m, at, 2);
    if (mode == LOCAL_SIZE || mode == LOCAL_SIZE_ID)
      for (uint32_t i = 0; i < 3; i++) out->local[i] = word(m, at, 3 + i);
    if (mode == ROUND_TO_NEAREST && word(m, at, 3) == 32) out->rounds = true;
  }
  if (op >= TYPE_BOOL && op <= TYPE_POINTER) name = word(m, at, 1);
  if ((op >= CONSTANT_TRUE && op <= SPEC_CONSTANT_OP) || op == VARIABLE) name = word(m, at, 2);
  if (name >= m->bound) m->bad = true;
  if (m->bad || !name) return;
  id *made = &m->ids[name];
  made->at = at;
  if (op == CONSTANT_TRUE || op == SPEC_CONSTANT_TRUE) made->value = 1;
  if (op == CONSTANT || op == SPEC_CONSTANT) made->value = word(m, at, 3);
  if (op == SPEC_CONSTANT_OP) made->value = compute(m, at);
  if (made->spec && made->spec <= count) made->value = constants[made->spec - 1];
  if (op == VARIABLE) read_variable(m, at, out);
}

stijl_result sj_vk_reflect(stijl_context *context, const sj_vk_shader *shader, const uint32_t *constants,
                           uint32_t count, sj_vk_interface *out, stijl_message *message) {
  *out = (sj_vk_interface){0};
  module m = {.words = shader->words, .count = (uint32_t)(shader->bytes / 4)};
  m.bad = m.count < 5 || m.words[0] != MAGIC || m.words[3] > MAX_IDS;
  if (!m.bad) {
    m.bound = m.words[3];
    m.ids = sj_alloc_zero(context, (m.bound + 1) * sizeof *m.ids);
    if (!m.ids) return sj_fail_memory(message);
  }
  bool by_id = false;
  for (uint32_t at = 5; !m.bad && at < m.count && operation(&m, at) != FUNCTION; at += length(&m, at)) {
    if (!length(&m, at) || length(&m, at) > m.count - at) {
      m.bad = true;
      break;
    }
    by_id = by_id || operation(&m, at) == EXECUTION_MODE_ID;
    read(&m, at, constants, count, out);
  }
  for (int i = 0; by_id && i < 3; i++) out->local[i] = value(&m, out->local[i]);
  for (int i = 0; i < 3; i++) m.bad = m.bad || !out->local[i];
  for (uint32_t b = out->bindings; b; b &= b - 1) out->storage_buffers++;
  sj_free(context, m.ids);
  if (!m.bad) return STIJL_OK;
  return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                 "the shader %s is not the SPIR-V of a compute shader that binds storage buffers of set 0",
                 shader->name);
}
