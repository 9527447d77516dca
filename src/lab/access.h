// The loads of `lab access`: which memory they touch.
#ifndef SJ_LAB_ACCESS_H
#define SJ_LAB_ACCESS_H

#include "lab/harness.h"

typedef struct sj_lab_access {
  const char *key, *name;
  const sj_vk_shader *shader;
  sj_lab_load load;
} sj_lab_access;

// How many lines of 128 bytes and sectors of 32 bytes one load of lanes 0 to 31 touches.
typedef struct sj_lab_touched {
  double lines, sectors;
} sj_lab_touched;
sj_lab_touched sj_lab_touch(const sj_lab_load *load, uint32_t bits);
// Draws these lines as strips, in which the words that are loaded are filled.
void sj_lab_draw_trace(sj_lab_text *out, const sj_lab_access *a, uint32_t bits);

// Measures 2^bits of the same loads from storage buffers, uniform buffers, push constants, textures and images
// (access_bindings.c). `from` holds numbers as sj_lab_number writes them; `sums` and `back` are overwritten.
stijl_result sj_lab_access_bindings(sj_lab *lab, const sj_buffer *from, const sj_buffer *sums, const sj_buffer *back,
                                    uint32_t bits);

#endif
