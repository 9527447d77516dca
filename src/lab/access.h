// The patterns of `lab access`, as shaders/lab/access.comp has them.
#ifndef SJ_LAB_ACCESS_H
#define SJ_LAB_ACCESS_H

#include "lab/harness.h"

// As the shader numbers them.
typedef enum sj_lab_pattern {
  SJ_LAB_LINEAR,
  SJ_LAB_STRIDED,
  SJ_LAB_RANDOM,
  SJ_LAB_SAME,
  SJ_LAB_STRUCTS,
  SJ_LAB_ONE_FIELD,
  SJ_LAB_FIELDS,
  SJ_LAB_PADDED,
  SJ_LAB_COLUMNS
} sj_lab_pattern;

typedef struct sj_lab_access {
  const char *key, *name;
  const sj_vk_shader *shader;
  sj_lab_pattern pattern;
  uint32_t step;
  uint32_t bytes;  // of an element: 1, 2, 4, 8 or 16
} sj_lab_access;

// The element of load number i, of 2^bits.
uint32_t sj_lab_place(sj_lab_pattern pattern, uint32_t step, uint32_t bits, uint32_t i);
// The first words of the elements that a load of number i reads, up to 4; how many these are.
uint32_t sj_lab_words(const sj_lab_access *a, uint32_t bits, uint32_t i, uint64_t bytes[4]);
// What a lane's loads add up to, where word i is i * SJ_LAB_WORD.
uint32_t sj_lab_sum(const sj_lab_access *a, uint32_t bits, uint32_t lane, uint32_t lanes, uint32_t turns);

// Lines of 128 bytes and sectors of 32 that lanes 0 to 31 touch with a load.
typedef struct sj_lab_touched {
  double lines, sectors;
} sj_lab_touched;
sj_lab_touched sj_lab_touch(const sj_lab_access *a, uint32_t bits);
// A picture of these: a strip for each line, in which the words that are loaded are filled.
void sj_lab_draw_trace(sj_lab_text *out, const sj_lab_access *a, uint32_t bits);

// access_bindings.c: the same loads by way of storage buffers, uniform buffers, push constants, textures and images.
// 2^bits of them, of `from`, which holds numbers; `sums` and `back` are scratch.
stijl_result sj_lab_access_bindings(sj_lab *lab, const sj_buffer *from, const sj_buffer *sums, const sj_buffer *back,
                                    uint32_t bits);

#endif
