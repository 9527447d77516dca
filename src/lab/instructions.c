#include "lab/instructions.h"

#include <stddef.h>
#include <string.h>

// Operations by their numbers (SPIR-V Specification 1.6, 3.52).
enum {
  TYPE_POINTER = 32,
  FUNCTION = 54,
  PARAMETER = 55,
  CALL = 57,
  VARIABLE = 59,
  LOAD = 61,
  STORE = 62,
  COPY_MEMORY = 63,
  ACCESS_CHAIN = 65,
  POINTER_CHAIN = 70,
  COPY_OBJECT = 83,
  CONTROL_BARRIER = 224,
  MEMORY_BARRIER = 225,
  LOOP_MERGE = 246,
  BRANCH_CONDITIONAL = 250,
  SWITCH = 251
};
enum { CLASS_UNIFORM = 2, CLASS_SHARED = 4, CLASS_PUSH = 9, CLASS_STORAGE = 12, NO_CLASS = 255 };
enum { MOST_IDS = 4194303 };  // SPIR-V Specification, 2.17, universal limits

// Kinds of instructions that can be told by their operation alone, as ranges of its numbers, with the member that
// counts them.
static const struct {
  uint16_t first, last;
  size_t at;
} kinds[] = {
#define KIND(first, last, member) \
  { first, last, offsetof(sj_lab_instructions, member) }
    KIND(CALL, CALL, calls),
    KIND(86, 106, images),  // OpSampledImage to OpImageQueryLevels
    KIND(109, 124, conversions),
    KIND(126, 126, integers),
    KIND(127, 127, floats),
    KIND(128, 128, integers),
    KIND(129, 129, floats),
    KIND(130, 130, integers),
    KIND(131, 131, floats),
    KIND(132, 132, integers),
    KIND(133, 133, floats),
    KIND(134, 135, integers),
    KIND(136, 136, floats),
    KIND(137, 139, integers),
    KIND(140, 148, floats),  // including products of vectors and matrices
    KIND(149, 152, integers),
    KIND(170, 179, integers),
    KIND(180, 191, floats),
    KIND(194, 205, integers),
    KIND(CONTROL_BARRIER, MEMORY_BARRIER, barriers),
    KIND(227, 242, atomics),
    KIND(LOOP_MERGE, LOOP_MERGE, loops),
    KIND(BRANCH_CONDITIONAL, SWITCH, branches),
    KIND(333, 366, subgroup),  // OpGroupNonUniformElect to OpGroupNonUniformQuadSwap
#undef KIND
};

// Returns the counter of a load or store, by the storage class of its pointer.
static uint32_t *accesses(sj_lab_instructions *out, uint8_t class, bool store) {
  switch (class) {
    case CLASS_UNIFORM:
    case CLASS_STORAGE: return store ? &out->buffer_stores : &out->buffer_loads;
    case CLASS_SHARED: return store ? &out->shared_stores : &out->shared_loads;
    case CLASS_PUSH: return &out->push_loads;
    default: return NULL;  // memory of the lane's own
  }
}

stijl_result sj_lab_count_instructions(stijl_context *context, const sj_vk_shader *shader, sj_lab_instructions *out,
                                       stijl_message *message) {
  const uint32_t *words = shader->words, count = (uint32_t)(shader->bytes / 4), bound = count > 5 ? words[3] : 0;
  *out = (sj_lab_instructions){0};
  if (count <= 5 || bound > MOST_IDS)
    return sj_fail(message, STIJL_ERROR_MALFORMED, "%.160s is no SPIR-V", shader->name);
  uint8_t *classes = sj_alloc(context, (size_t)bound + 1);  // by id: the class of a pointer or pointer type
  if (!classes) return sj_fail_memory(message);
  memset(classes, NO_CLASS, (size_t)bound + 1);
  bool in_function = false;
  for (uint32_t at = 5, length; at < count; at += length) {
    uint32_t op = words[at] & 0xffff;
    length = words[at] >> 16;
    if (!length || length > count - at) break;
    // Of all instructions that make pointers, the first operand is the type of the result and the second is the result.
    uint32_t a = length > 1 && words[at + 1] < bound ? words[at + 1] : bound;
    uint32_t b = length > 2 && words[at + 2] < bound ? words[at + 2] : bound;
    uint32_t c = length > 3 && words[at + 3] < bound ? words[at + 3] : bound;
    in_function = in_function || op == FUNCTION;
    if (op == TYPE_POINTER && length > 2 && words[at + 2] < NO_CLASS) classes[a] = (uint8_t)words[at + 2];
    if (op == VARIABLE || op == PARAMETER || op == COPY_OBJECT || (op >= ACCESS_CHAIN && op <= POINTER_CHAIN))
      classes[b] = classes[a];
    classes[bound] = NO_CLASS;
    if (!in_function) continue;
    out->all++;
    uint32_t *load = op == LOAD          ? accesses(out, classes[c], false)
                     : op == COPY_MEMORY ? accesses(out, classes[b], false)
                                         : NULL;
    uint32_t *store = op == STORE || op == COPY_MEMORY ? accesses(out, classes[a], true) : NULL;
    if (load) ++*load;
    if (store) ++*store;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
      if (op >= kinds[i].first && op <= kinds[i].last) ++*(uint32_t *)(void *)((char *)out + kinds[i].at);
  }
  sj_free(context, classes);
  return STIJL_OK;
}

bool sj_lab_instructions_get(const sj_lab_instructions *instructions, uint32_t index, const char **name,
                             uint32_t *count) {
  static const struct {
    const char *name;
    size_t at;
  } all[] = {
#define COUNT(name, member) {name, offsetof(sj_lab_instructions, member)}
      COUNT("instructions", all),
      COUNT("loads from buffers", buffer_loads),
      COUNT("stores to buffers", buffer_stores),
      COUNT("loads from shared memory", shared_loads),
      COUNT("stores to shared memory", shared_stores),
      COUNT("loads of push constants", push_loads),
      COUNT("accesses of images", images),
      COUNT("atomics", atomics),
      COUNT("barriers", barriers),
      COUNT("operations of subgroups", subgroup),
      COUNT("loops", loops),
      COUNT("branches", branches),
      COUNT("calls", calls),
      COUNT("operations of floats", floats),
      COUNT("operations of integers", integers),
      COUNT("conversions", conversions)
#undef COUNT
  };
  if (index >= sizeof all / sizeof *all) return false;
  *name = all[index].name;
  *count = *(const uint32_t *)(const void *)((const char *)instructions + all[index].at);
  return true;
}
