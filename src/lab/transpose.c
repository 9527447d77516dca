// `lab transpose` measures a transpose in the ways that textbooks show, and verifies each word by word.
#include <math.h>
#include <stdio.h>

#include "lab/cases.h"
#include "lab/harness.h"

enum { COPY, READ_ROWS, WRITE_ROWS, SAME_LANES, TILED, PADDED, SWIZZLED, WIDE, REGISTERS };

typedef struct way {
  const char *key, *name;
  uint32_t way, tile, pitch, lanes;
} way;

#define WAY(...) {__VA_ARGS__},
static const way ways[] = {SJ_LAB_TRANSPOSES(WAY)};
enum { WAYS = sizeof ways / sizeof *ways, REGISTERS_ROW = WAYS - 2 };

// Counts words that are not those of the copy or the transpose; by blocks, so that reading them in either order is
// cheap.
static uint64_t count_wrong(const uint32_t *got, uint32_t n, bool copied) {
  enum { BLOCK = 64 };
  uint64_t wrong = 0;
  for (uint32_t top = 0; top < n; top += BLOCK)
    for (uint32_t y = top; y < top + BLOCK; y++)
      for (uint32_t x = 0; x < n; x++) {
        uint32_t from = copied ? y * n + x : x * n + y;
        wrong += got[(size_t)y * n + x] != from * SJ_LAB_WORD;
      }
  return wrong;
}

// Whether the best way has a tile, or keeps blocks in registers.
static const char *kind_of(uint32_t row) {
  return row == REGISTERS_ROW ? "blocks in registers" : "tiles in shared memory";
}

void sj_lab_say_transpose(sj_lab *lab, const sj_lab_case *cases, uint32_t count, const double *copy_share) {
  sj_lab_page *page = lab->page;
  uint32_t best = PADDED, naive = cases[READ_ROWS].us < cases[WRITE_ROWS].us ? READ_ROWS : WRITE_ROWS;
  for (uint32_t i = PADDED; i < count; i++)
    if (cases[i].us < cases[best].us) best = i;
  const sj_lab_estimate plain = SJ_LAB_ESTIMATE(cases[naive]), tiled = SJ_LAB_ESTIMATE(cases[TILED]),
                        padded = SJ_LAB_ESTIMATE(cases[PADDED]);
  double gain = cases[naive].us / cases[best].us;
  sj_lab_change change = sj_lab_changed(plain, SJ_LAB_ESTIMATE(cases[best]));
  if (change == SJ_LAB_FASTER) {
    sj_lab_say(page, "The best transpose here is \"%s\": %.0f %% of a copy's speed, %.1f times the better naive one.",
               ways[best].name, copy_share[best] * 100, gain);
    sj_lab_like(page, "%s for a transpose (%.1f times as fast)", kind_of(best), gain);
    sj_lab_card(page, SJ_LAB_RATE,
                (const sj_lab_bar[]){{ways[naive].name, sj_lab_rate(&cases[naive])},
                                     {ways[best].name, sj_lab_rate(&cases[best])}},
                2);
  } else {
    sj_lab_say(page, "No tile pays here: the best, \"%s\", takes %.2f times the time of the better naive transpose%s.",
               ways[best].name, 1 / gain, change == SJ_LAB_SLOWER ? "" : ", which is no difference beyond the noise");
  }
  if (sj_lab_changed(tiled, padded) == SJ_LAB_FASTER) {
    sj_lab_like(page, "tiles with rows of 33 words (%.2f times as fast as of 32)", tiled.us / padded.us);
    sj_lab_card(page, SJ_LAB_RATE,
                (const sj_lab_bar[]){{ways[TILED].name, sj_lab_rate(&cases[TILED])},
                                     {ways[PADDED].name, sj_lab_rate(&cases[PADDED])}},
                2);
  }
  uint32_t lanes = lab->p11.subgroupSize < 32 ? lab->p11.subgroupSize : 32;
  double same = cases[SAME_LANES].us / cases[READ_ROWS].us;
  sj_lab_say(page,
             "A tile that is stored by the lanes that loaded it, as often published, transposes nothing about the "
             "accesses: each store of %u lanes touches %u rows, as in the naive one that reads rows; it takes %.2f "
             "times the time of that%s.",
             lanes, lanes, same,
             sj_lab_changed(SJ_LAB_ESTIMATE(cases[READ_ROWS]), SJ_LAB_ESTIMATE(cases[SAME_LANES])) == SJ_LAB_FASTER
                 ? ", so something else than the order of accesses counts here"
                 : "");
  sj_lab_say_effect(page, "Rows of 33 words instead of 32 in the tile", tiled, padded,
                    "since its columns are spread over banks");
}

static void write(sj_lab *lab, const sj_lab_case *cases, uint32_t count, uint32_t n) {
  const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                   {"name", "transpose", SJ_LAB_NAME},
                                   SJ_LAB_TIME_COLUMNS("time"),
                                   {"rate", "read and written", SJ_LAB_RATE},
                                   {"share", "of copy", SJ_LAB_SHARE}};
  sj_lab_cell cells[WAYS * 7];
  sj_lab_bar bars[WAYS];
  double share[WAYS];
  // The best that a copy of that size reaches in any way.
  double copy = fmax(sj_lab_rate(&cases[COPY]), sj_lab_copy_at(lab, cases[COPY].working_set));
  for (uint32_t i = 0; i < count; i++) {
    share[i] = sj_lab_rate(&cases[i]) / copy;
    const sj_lab_cell row[] = {SJ_LAB_TEXT(ways[i].key), SJ_LAB_TEXT(ways[i].name), SJ_LAB_TIME(cases[i]),
                               SJ_LAB_NUMBER(sj_lab_rate(&cases[i])), SJ_LAB_NUMBER(share[i])};
    for (uint32_t c = 0; c < 7; c++) cells[i * 7 + c] = row[c];
    bars[i] = (sj_lab_bar){ways[i].name, sj_lab_rate(&cases[i])};
  }
  sj_lab_say_transpose(lab, cases, count, share);
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
    uint64_t wrong = result == STIJL_OK ? count_wrong(back.mapped, n, ways[i].way == COPY) : 0;
    if (wrong) sj_lab_wrong(lab->page, "%s: %llu words are wrong", ways[i].name, (unsigned long long)wrong);
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
