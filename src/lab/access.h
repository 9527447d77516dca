// The patterns of `lab access`, which shaders/lab/access.comp implements, in C.
#ifndef SJ_LAB_ACCESS_H
#define SJ_LAB_ACCESS_H

#include "lab/cases.h"
#include "lab/harness.h"

#define SJ_LAB_PATTERN_(name) SJ_LAB_##name,
typedef enum sj_lab_pattern { SJ_LAB_PATTERNS(SJ_LAB_PATTERN_) SJ_LAB_PATTERN_COUNT } sj_lab_pattern;

typedef struct sj_lab_access {
  const char *key, *name;
  const sj_vk_shader *shader;
  sj_lab_pattern pattern;
  uint32_t step;
  uint32_t bytes;  // of an element: 1, 2, 4, 8 or 16
} sj_lab_access;

// Returns the index of the element that load number i of 2^bits reads.
uint32_t sj_lab_place(sj_lab_pattern pattern, uint32_t step, uint32_t bits, uint32_t i);
// Writes the byte offsets of the elements that load number i reads, and returns how many these are, at most 4.
uint32_t sj_lab_words(const sj_lab_access *a, uint32_t bits, uint32_t i, uint64_t bytes[4]);
// Returns the sum of all that a lane loads from a buffer whose word i is i * SJ_LAB_WORD.
uint32_t sj_lab_sum(const sj_lab_access *a, uint32_t bits, uint32_t lane, uint32_t lanes, uint32_t turns);

// How many lines of 128 bytes and sectors of 32 bytes one load of lanes 0 to 31 touches.
typedef struct sj_lab_touched {
  double lines, sectors;
} sj_lab_touched;
sj_lab_touched sj_lab_touch(const sj_lab_access *a, uint32_t bits);
// Draws these lines as strips, in which the words that are loaded are filled.
void sj_lab_draw_trace(sj_lab_text *out, const sj_lab_access *a, uint32_t bits);

// Measures 2^bits of the same loads from storage buffers, uniform buffers, push constants, textures and images
// (access_bindings.c). `from` holds numbers as sj_lab_number writes them; `sums` and `back` are overwritten.
stijl_result sj_lab_access_bindings(sj_lab *lab, const sj_buffer *from, const sj_buffer *sums, const sj_buffer *back,
                                    uint32_t bits);

#endif
