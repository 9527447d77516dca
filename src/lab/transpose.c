// `lab transpose` measures a transpose in the ways that textbooks show, and verifies each word by word.
#include <math.h>
#include <stdio.h>

#include "lab/cases.h"
#include "lab/harness.h"
#include "lab/tell.h"

enum { COPY, WIDE = 7 };  // as shaders/lab/transpose.comp knows them; WIDE and what follows make 64 x 64 words

typedef struct way {
  const char *key, *name;
  uint32_t way, tile, pitch, lanes;
} way;

#define WAY(...) {__VA_ARGS__},
static const way ways[] = {SJ_LAB_TRANSPOSES(WAY)};
enum { WAYS = sizeof ways / sizeof *ways };

static void write(sj_lab *lab, const sj_lab_case *cases, uint32_t count, uint32_t n) {
  const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                   {"name", "transpose", SJ_LAB_NAME},
                                   SJ_LAB_TIME_COLUMNS("time"),
                                   {"rate", "read and written", SJ_LAB_RATE},
                                   {"share", "of copy", SJ_LAB_SHARE}};
  sj_lab_cell cells[WAYS * 7];
  sj_lab_bar bars[WAYS];
  double share[WAYS];
  sj_lab_estimate times[WAYS];
  // The best that a copy of that size reaches in any way.
  double copy = fmax(sj_lab_rate(&cases[COPY]), sj_lab_copy_at(lab, cases[COPY].working_set));
  for (uint32_t i = 0; i < count; i++) {
    share[i] = sj_lab_rate(&cases[i]) / copy;
    const sj_lab_cell row[] = {SJ_LAB_TEXT(ways[i].key), SJ_LAB_TEXT(ways[i].name), SJ_LAB_TIME(cases[i]),
                               SJ_LAB_NUMBER(sj_lab_rate(&cases[i])), SJ_LAB_NUMBER(share[i])};
    for (uint32_t c = 0; c < 7; c++) cells[i * 7 + c] = row[c];
    bars[i] = (sj_lab_bar){ways[i].name, sj_lab_rate(&cases[i])};
    times[i] = SJ_LAB_ESTIMATE(cases[i]);
  }
  sj_lab_tell_transposes(lab->page, times, count, cases[COPY].bytes, share);
  char title[96];
  snprintf(title, sizeof title, "Transposing %u x %u words of 32 bits; every word verified", n, n);
  sj_lab_table(lab->page, "transpose", title, columns, 7, cells, count);
  sj_lab_text plot = {.context = lab->context};
  const sj_lab_mark mark = {"the best copy", copy};
  sj_lab_bars(&plot, SJ_LAB_RATE, bars, count, &mark, 1);
  sj_lab_picture(lab->page, "Bytes read and written a second", &plot);
  sj_lab_text_finish(&plot);
}

stijl_result sj_lab_run_transpose(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  uint32_t n = lab->software ? 512 : lab->quick ? 2048 : 8192;
  while ((VkDeviceSize)n * n * 4 > sj_lab_size(lab, (VkDeviceSize)n * n * 4)) n /= 2;
  VkDeviceSize bytes = (VkDeviceSize)n * n * 4;
  uint32_t count = lab->vk.properties.limits.maxComputeWorkGroupInvocations < 512 ? WAYS - 1 : WAYS;
  sj_buffer from = {0}, to = {0}, back = {0};
  sj_lab_kernel kernels[WAYS] = {0};
  sj_lab_case cases[WAYS];
  result = sj_lab_buffer(lab, &from, SJ_BUFFER_DEVICE, "a matrix", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &to, SJ_BUFFER_DEVICE, "its transpose", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &back, SJ_BUFFER_READBACK, "the result", bytes);
  if (result == STIJL_OK) result = sj_lab_number(lab, &from, bytes);
  const sj_buffer *buffers[] = {&from, &to};
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++) {
    const uint32_t constants[] = {ways[i].way, ways[i].tile, ways[i].pitch, ways[i].lanes};
    result = sj_lab_kernel_create(lab, &sj_lab_transpose_shader, constants, 4, buffers, &kernels[i]);
    uint32_t groups = n / (ways[i].way >= WIDE ? 64 : 32);
    cases[i] = (sj_lab_case){.name = ways[i].name,
                             .kernel = &kernels[i],
                             .groups = {groups, groups, 1},
                             .push = {n},
                             .bytes = 2.0 * (double)bytes,
                             .working_set = 2.0 * (double)bytes};
    // The buffer is cleared, so that what is verified is this kernel's work.
    if (result == STIJL_OK) result = sj_lab_number_by(lab, &to, bytes, 0);
    if (result == STIJL_OK) result = sj_lab_once(lab, &cases[i]);
    if (result == STIJL_OK) result = sj_lab_copy(lab, &to, &back, bytes);
    uint32_t wrong = result != STIJL_OK    ? 0
                     : ways[i].way == COPY ? sj_lab_wrong_copies(back.mapped, 0, n * n)
                                           : sj_lab_wrong_transposed(back.mapped, 0, n, n);
    if (wrong) sj_lab_wrong(lab->page, "%s: %u words are wrong", ways[i].name, wrong);
  }
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, count);
  if (result == STIJL_OK) {
    sj_lab_judge(lab, cases, count);
    write(lab, cases, count, n);
  }
  for (uint32_t i = 0; i < WAYS; i++) sj_lab_kernel_destroy(lab, &kernels[i]);
  sj_lab_buffer_finish(lab, &from);
  sj_lab_buffer_finish(lab, &to);
  sj_lab_buffer_finish(lab, &back);
  return result;
}
