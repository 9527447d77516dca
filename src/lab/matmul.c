// `lab matmul` multiplies two matrices of 32-bit floats, from the naive loop to blocks in registers. Elements are small
// whole numbers, so that every sum is exact and a product is either right or wrong.
#include <stdio.h>

#include "lab/cases.h"
#include "lab/harness.h"
#include "lab/tell.h"

enum { BLOCKED = 4, WAYS };

typedef struct way {
  const char *key, *name;
  uint32_t way, pitch, tile;
} way;

#define WAY(...) {__VA_ARGS__},
static const way ways[WAYS] = {SJ_LAB_PRODUCTS(WAY)};

static stijl_result count_wrong(sj_lab *lab, const float *c, uint32_t n, uint32_t *wrong) {
  uint64_t *x = sj_alloc_array(lab->context, (size_t)n * 2, sizeof *x);
  if (!x) return sj_fail_memory(lab->message);
  const sj_lab_product product = {n, x, x + n};
  sj_lab_product_begin(&product);
  *wrong = sj_lab_wrong_rows(c, 0, n, &product);
  sj_free(lab->context, x);
  return STIJL_OK;
}

static void write(sj_lab *lab, const sj_lab_case *cases, uint32_t n) {
  const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                   {"name", "product", SJ_LAB_NAME},
                                   SJ_LAB_TIME_COLUMNS("time"),
                                   {"rate", "operations", SJ_LAB_WORK},
                                   {"share", "of multiply-adds", SJ_LAB_SHARE}};
  sj_lab_cell cells[WAYS * 7];
  sj_lab_bar bars[WAYS];
  sj_lab_estimate times[WAYS];
  for (uint32_t i = 0; i < WAYS; i++) {
    double work = sj_lab_work(&cases[i]);
    const sj_lab_cell row[] = {SJ_LAB_TEXT(ways[i].key), SJ_LAB_TEXT(ways[i].name), SJ_LAB_TIME(cases[i]),
                               SJ_LAB_NUMBER(work), SJ_LAB_NUMBER(work / lab->ceilings.fma)};
    for (uint32_t c = 0; c < 7; c++) cells[i * 7 + c] = row[c];
    bars[i] = (sj_lab_bar){ways[i].name, work};
    times[i] = SJ_LAB_ESTIMATE(cases[i]);
  }
  sj_lab_tell_products(lab->page, times, cases[0].operations, lab->ceilings.fma);
  char title[96];
  snprintf(title, sizeof title, "Multiplying %u x %u floats of 32 bits; every row verified", n, n);
  sj_lab_table(lab->page, "matmul", title, columns, 7, cells, WAYS);
  sj_lab_text plot = {.context = lab->context};
  const sj_lab_mark mark = {"multiply-adds alone", lab->ceilings.fma};
  sj_lab_bars(&plot, SJ_LAB_WORK, bars, WAYS, &mark, 1);
  sj_lab_picture(lab->page, "Operations a second", &plot);
  sj_lab_text_finish(&plot);
}

static stijl_result create(sj_lab *lab, uint32_t i, const sj_buffer *const *buffers, sj_lab_kernel *out) {
  if (i == BLOCKED) {
    const uint32_t depth = lab->vk.properties.limits.maxComputeSharedMemorySize >= 32768 ? 16 : 8;
    return sj_lab_kernel_create(lab, &sj_lab_matmul_blocked, &depth, 1, buffers, out);
  }
  const uint32_t constants[] = {ways[i].way, ways[i].pitch};
  return sj_lab_kernel_create(lab, &sj_lab_matmul_shader, constants, 2, buffers, out);
}

// Copies both factors into the device's own memory.
static stijl_result upload(sj_lab *lab, sj_buffer *a, sj_buffer *b, uint32_t n) {
  sj_buffer staging;
  VkDeviceSize bytes = (VkDeviceSize)n * n * 4;
  stijl_result result = sj_lab_buffer(lab, &staging, SJ_BUFFER_READBACK, "what is sent", bytes);
  if (result == STIJL_OK) {
    sj_lab_factor(staging.mapped, 0, n * n, false);
    result = sj_lab_copy(lab, &staging, a, bytes);
  }
  if (result == STIJL_OK) {
    sj_lab_factor(staging.mapped, 0, n * n, true);
    result = sj_lab_copy(lab, &staging, b, bytes);
  }
  sj_lab_buffer_finish(lab, &staging);
  return result;
}

stijl_result sj_lab_run_matmul(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  uint32_t n = lab->software ? 128 : lab->quick ? 1024 : 4096;
  VkDeviceSize bytes = (VkDeviceSize)n * n * 4;
  sj_buffer a = {0}, b = {0}, c = {0}, back = {0};
  sj_lab_kernel kernels[WAYS] = {0};
  sj_lab_case cases[WAYS];
  result = sj_lab_buffer(lab, &a, SJ_BUFFER_DEVICE, "a factor", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &b, SJ_BUFFER_DEVICE, "another factor", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &c, SJ_BUFFER_DEVICE, "the product", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &back, SJ_BUFFER_READBACK, "the result", bytes);
  if (result == STIJL_OK) result = upload(lab, &a, &b, n);
  const sj_buffer *buffers[] = {&a, &b, &c};
  for (uint32_t i = 0; i < WAYS && result == STIJL_OK; i++) {
    result = create(lab, i, buffers, &kernels[i]);
    cases[i] = (sj_lab_case){.name = ways[i].name,
                             .kernel = &kernels[i],
                             .groups = {n / ways[i].tile, n / ways[i].tile, 1},
                             .push = {n},
                             .operations = 2.0 * n * n * n};
    if (result == STIJL_OK) result = sj_lab_number_by(lab, &c, bytes, 1);
    if (result == STIJL_OK) result = sj_lab_once(lab, &cases[i]);
    if (result == STIJL_OK) result = sj_lab_copy(lab, &c, &back, bytes);
    uint32_t wrong = 0;
    if (result == STIJL_OK) result = count_wrong(lab, back.mapped, n, &wrong);
    if (wrong) sj_lab_wrong(lab->page, "%s: %u rows are wrong", ways[i].name, wrong);
  }
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, WAYS);
  if (result == STIJL_OK) {
    sj_lab_judge(lab, cases, WAYS);
    write(lab, cases, n);
  }
  for (uint32_t i = 0; i < WAYS; i++) sj_lab_kernel_destroy(lab, &kernels[i]);
  sj_lab_buffer_finish(lab, &a);
  sj_lab_buffer_finish(lab, &b);
  sj_lab_buffer_finish(lab, &c);
  sj_lab_buffer_finish(lab, &back);
  return result;
}
