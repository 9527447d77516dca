// `lab workgroup` times one kernel, a sum of 3x3 words, with workgroups of every shape; or a user's
// (workgroup_kernel.c).
#include <stdio.h>
#include <string.h>

#include "lab/ablate.h"
#include "lab/tell.h"

enum { MOST = SJ_LAB_SHAPES, COLUMNS = 8 };

#define SHAPE(x, y) {x, y},
const uint32_t sj_lab_workgroup_shapes[SJ_LAB_SHAPES][2] = {SJ_LAB_WORKGROUPS(SHAPE)};

typedef struct shape {
  char name[32];
  uint32_t x, y, peak;
} shape;

typedef struct run {
  sj_lab *lab;
  uint32_t n;
  sj_buffer from, to, back;
  shape shapes[MOST];
  sj_lab_kernel kernels[MOST];
  sj_lab_case cases[MOST];
  uint32_t count;
} run;

static stijl_result verify(run *r, uint32_t i) {
  sj_lab *lab = r->lab;
  VkDeviceSize bytes = (VkDeviceSize)r->n * r->n * 4;
  stijl_result result = sj_lab_number_by(lab, &r->to, bytes, 1);
  if (result == STIJL_OK) result = sj_lab_once(lab, &r->cases[i]);
  if (result == STIJL_OK) result = sj_lab_copy(lab, &r->to, &r->back, bytes);
  uint32_t wrong = result == STIJL_OK ? sj_lab_wrong_neighbours(r->back.mapped, 0, r->n, r->n) : 0;
  if (wrong) sj_lab_wrong(lab->page, "workgroups of %s: %u words are wrong", r->shapes[i].name, wrong);
  return result;
}

// Counts how many workgroups of this shape are at work at a time, by a variant of the kernel that is not timed.
static stijl_result count(run *r, uint32_t i, const sj_buffer *const *buffers) {
  const uint32_t constants[] = {r->shapes[i].x, r->shapes[i].y, 1};
  sj_lab_kernel kernel;
  sj_lab_case c = r->cases[i];
  stijl_result result = sj_lab_kernel_create(r->lab, &sj_lab_shapes, constants, 3, buffers, &kernel);
  c.kernel = &kernel;
  memset(r->lab->little.mapped, 0, 8);
  if (result == STIJL_OK) result = sj_lab_once(r->lab, &c);
  r->shapes[i].peak = ((uint32_t *)r->lab->little.mapped)[1];
  sj_lab_kernel_destroy(r->lab, &kernel);
  return result;
}

static stijl_result add(run *r, uint32_t x, uint32_t y) {
  sj_lab *lab = r->lab;
  const VkPhysicalDeviceLimits *l = &lab->vk.properties.limits;
  if (x * y > l->maxComputeWorkGroupInvocations || x > l->maxComputeWorkGroupSize[0] ||
      y > l->maxComputeWorkGroupSize[1] || x > r->n || y > r->n)
    return STIJL_OK;
  uint32_t i = r->count;
  const sj_buffer *buffers[] = {&r->from, &r->to, &lab->little};
  const uint32_t constants[] = {x, y, 0};
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_shapes, constants, 3, buffers, &r->kernels[i]);
  if (result != STIJL_OK) return result;
  shape *s = &r->shapes[r->count++];
  s->x = x;
  s->y = y;
  snprintf(s->name, sizeof s->name, "%u x %u", x, y);
  double bytes = 2.0 * r->n * r->n * 4;
  r->cases[i] = (sj_lab_case){.name = s->name,
                              .kernel = &r->kernels[i],
                              .groups = {r->n / x, r->n / y, 1},
                              .push = {r->n - 1},
                              .bytes = bytes,
                              .working_set = bytes};
  result = verify(r, i);
  return result == STIJL_OK ? count(r, i, buffers) : result;
}

static void write(run *r) {
  const sj_lab_column columns[COLUMNS] = {{"name", "workgroup", SJ_LAB_NAME},
                                          {"lanes", "lanes", SJ_LAB_COUNT},
                                          SJ_LAB_TIME_COLUMNS("time"),
                                          {"rate", "read and written", SJ_LAB_RATE},
                                          {"factor", "of the best", SJ_LAB_FACTOR},
                                          {"at_work", "lanes at work", SJ_LAB_COUNT}};
  sj_lab_cell cells[MOST * COLUMNS];
  sj_lab_bar bars[MOST];
  sj_lab_estimate times[MOST];
  uint32_t sides[2 * MOST], best = 0;
  for (uint32_t i = 0; i < r->count; i++)
    if (r->cases[i].us < r->cases[best].us) best = i;
  for (uint32_t i = 0; i < r->count; i++) {
    const sj_lab_case *c = &r->cases[i];
    double lanes = r->shapes[i].x * r->shapes[i].y;
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(c->name),
                                      SJ_LAB_NUMBER(lanes),
                                      SJ_LAB_TIME(*c),
                                      SJ_LAB_NUMBER(sj_lab_rate(c)),
                                      SJ_LAB_NUMBER(c->us / r->cases[best].us),
                                      SJ_LAB_NUMBER(r->shapes[i].peak * lanes)};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
    bars[i] = (sj_lab_bar){c->name, sj_lab_rate(c)};
    times[i] = SJ_LAB_ESTIMATE(*c);
    sides[2 * i] = r->shapes[i].x;
    sides[2 * i + 1] = r->shapes[i].y;
  }
  sj_lab_tell_shapes(r->lab->page, times, sides, r->count, r->cases[0].bytes);
  char title[96];
  snprintf(title, sizeof title, "Sums of 3x3 of %u x %u words; every word verified", r->n, r->n);
  sj_lab_table(r->lab->page, "shapes", title, columns, COLUMNS, cells, r->count);
  sj_lab_text plot = {.context = r->lab->context};
  const sj_lab_mark mark = {"a copy", sj_lab_copy_at(r->lab, r->cases[0].working_set)};
  sj_lab_bars(&plot, SJ_LAB_RATE, bars, r->count, &mark, 1);
  sj_lab_picture(r->lab->page, "Bytes read and written a second, by the shape of the workgroup", &plot);
  sj_lab_text_finish(&plot);
}

static stijl_result measure(run *r) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < SJ_LAB_SHAPES && result == STIJL_OK; i++)
    result = add(r, sj_lab_workgroup_shapes[i][0], sj_lab_workgroup_shapes[i][1]);
  if (result == STIJL_OK) result = sj_lab_time(r->lab, r->cases, r->count);
  if (result != STIJL_OK) return result;
  sj_lab_judge(r->lab, r->cases, r->count);
  write(r);
  return STIJL_OK;
}

stijl_result sj_lab_run_workgroup(sj_lab *lab) {
  if (lab->params->file) return sj_lab_sweep_kernel(lab, lab->params->file);
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  r->n = lab->software ? 256 : lab->quick ? 1024 : 4096;
  VkDeviceSize bytes = (VkDeviceSize)r->n * r->n * 4;
  result = sj_lab_buffer(lab, &r->from, SJ_BUFFER_DEVICE, "a picture", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &r->to, SJ_BUFFER_DEVICE, "sums", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &r->back, SJ_BUFFER_READBACK, "the result", bytes);
  if (result == STIJL_OK) result = sj_lab_number(lab, &r->from, bytes);
  if (result == STIJL_OK) result = measure(r);
  for (uint32_t i = 0; i < r->count; i++) sj_lab_kernel_destroy(lab, &r->kernels[i]);
  sj_lab_buffer_finish(lab, &r->from);
  sj_lab_buffer_finish(lab, &r->to);
  sj_lab_buffer_finish(lab, &r->back);
  sj_free(lab->context, r);
  return result;
}
