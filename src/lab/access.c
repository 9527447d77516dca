// `lab access` measures what the same loads cost in other orders, widths and layouts.
#include "lab/access.h"

#include <math.h>
#include <stdio.h>

#include "lab/tell.h"

enum { GROUP = 256, TURNS = 16 };

#define LOAD(key, name, pattern, step, bits) {key, name, &sj_lab_access_##bits, {SJ_LAB_##pattern, step, bits / 8}},
static const sj_lab_access orders[] = {SJ_LAB_ORDERS(LOAD)};
static const sj_lab_access widths[] = {SJ_LAB_WIDTHS(LOAD)};
static const sj_lab_access layouts[] = {SJ_LAB_LAYOUTS(LOAD)};
enum { MOST = 16, COLUMNS = 8 };

typedef struct run {
  sj_lab *lab;
  uint32_t bits;  // 2^bits loads
  sj_buffer from, sums, back;
} run;

static bool can(const sj_lab *lab, const sj_lab_access *a) {
  return (a->load.bytes != 1 || lab->features.f12.storageBuffer8BitAccess) &&
         (a->load.bytes != 2 || lab->f11.storageBuffer16BitAccess);
}

// Returns how many elements a lane loads in a turn.
static uint32_t parts(const sj_lab_access *a) {
  return a->load.pattern == SJ_LAB_STRUCTS || a->load.pattern == SJ_LAB_FIELDS || a->load.pattern == SJ_LAB_PADDED ? 3
                                                                                                                   : 1;
}

static stijl_result verify(run *r, const sj_lab_access *a, const sj_lab_case *c, uint32_t lanes) {
  sj_lab *lab = r->lab;
  stijl_result result = sj_lab_number_by(lab, &r->sums, lanes * 4, 1);
  if (result == STIJL_OK) result = sj_lab_once(lab, c);
  if (result == STIJL_OK) result = sj_lab_copy(lab, &r->sums, &r->back, lanes * 4);
  uint32_t wrong =
      result == STIJL_OK ? sj_lab_wrong_sums(r->back.mapped, 0, lanes, &a->load, r->bits, lanes, TURNS) : 0;
  if (wrong) sj_lab_wrong(lab->page, "%s: %u sums are wrong", a->name, wrong);
  return result;
}

static void write(run *r, const char *key, const char *title, const sj_lab_access *const *which,
                  const sj_lab_case *cases, uint32_t count) {
  const sj_lab_column columns[COLUMNS] = {{"key", "", SJ_LAB_NAME},
                                          {"name", "loads", SJ_LAB_NAME},
                                          SJ_LAB_TIME_COLUMNS("time"),
                                          {"rate", "useful bytes", SJ_LAB_RATE},
                                          {"sectors", "sectors", SJ_LAB_COUNT},
                                          {"lines", "lines of 32 lanes", SJ_LAB_COUNT}};
  sj_lab_cell cells[MOST * COLUMNS];
  sj_lab_bar bars[MOST];
  for (uint32_t i = 0; i < count; i++) {
    sj_lab_touched touched = sj_lab_touch(&which[i]->load, r->bits);
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(which[i]->key),     SJ_LAB_TEXT(which[i]->name),
                                      SJ_LAB_TIME(cases[i]),          SJ_LAB_NUMBER(sj_lab_rate(&cases[i])),
                                      SJ_LAB_NUMBER(touched.sectors), SJ_LAB_NUMBER(touched.lines)};
    for (uint32_t c = 0; c < COLUMNS; c++) cells[i * COLUMNS + c] = row[c];
    bars[i] = (sj_lab_bar){which[i]->name, sj_lab_rate(&cases[i])};
  }
  sj_lab_table(r->lab->page, key, title, columns, COLUMNS, cells, count);
  sj_lab_text plot = {.context = r->lab->context};
  const sj_lab_mark mark = {"the most", sj_lab_bandwidth(r->lab, cases[0].working_set)};
  sj_lab_bars(&plot, SJ_LAB_RATE, bars, count, &mark, 1);
  sj_lab_picture(r->lab->page, title, &plot);
  sj_lab_text_finish(&plot);
}

// Measures a table of accesses; us[i] becomes the time of access i, all NAN where the device cannot do it.
static stijl_result measure(run *r, const char *key, const char *title, const sj_lab_access *all, uint32_t all_count,
                            sj_lab_estimate *us) {
  sj_lab *lab = r->lab;
  uint32_t lanes = (1u << r->bits) / TURNS, count = 0;
  const sj_lab_access *which[MOST];
  sj_lab_kernel kernels[MOST] = {0};
  sj_lab_case cases[MOST];
  stijl_result result = STIJL_OK;
  const sj_buffer *buffers[] = {&r->from, &r->sums};
  for (uint32_t i = 0; i < all_count && result == STIJL_OK; i++) {
    const sj_lab_access *a = &all[i];
    us[i] = (sj_lab_estimate){(double)NAN, (double)NAN, (double)NAN};
    if (!can(lab, a)) continue;
    const uint32_t constants[] = {GROUP, a->load.pattern, a->load.step};
    result = sj_lab_kernel_create(lab, a->shader, constants, 3, buffers, &kernels[count]);
    double loaded = (double)lanes * TURNS * a->load.bytes * parts(a);
    cases[count] = (sj_lab_case){.name = a->name,
                                 .kernel = &kernels[count],
                                 .groups = {lanes / GROUP, 1, 1},
                                 .push = {r->bits, TURNS, lanes},
                                 .bytes = loaded + lanes * 4.0,
                                 .working_set = a->load.pattern == SJ_LAB_SAME ? loaded / 32 : loaded};
    if (result == STIJL_OK) result = verify(r, a, &cases[count], lanes);
    which[count++] = a;
  }
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, count);
  // Memory moves only one of the loads that lanes share, so their rate is no bandwidth.
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++) {
    us[which[i] - all] = SJ_LAB_ESTIMATE(cases[i]);
    if (which[i]->load.pattern != SJ_LAB_SAME) sj_lab_judge(lab, &cases[i], 1);
  }
  if (result == STIJL_OK) write(r, key, title, which, cases, count);
  for (uint32_t i = 0; i < count; i++) sj_lab_kernel_destroy(lab, &kernels[i]);
  return result;
}

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

static stijl_result measure_all(run *r) {
  sj_lab *lab = r->lab;
  sj_lab_estimate o[MOST], w[MOST], l[MOST];
  char title[3][128];
  snprintf(title[0], sizeof *title, "Orders: %u loads of 32 bits", 1u << r->bits);
  snprintf(title[1], sizeof *title, "Widths: %u elements", 1u << r->bits);
  stijl_result result = measure(r, "orders", title[0], orders, COUNT(orders), o);
  if (result == STIJL_OK) result = measure(r, "widths", title[1], widths, COUNT(widths), w);
  r->bits -= 2;
  snprintf(title[2], sizeof *title, "Structures: %u of three words", 1u << r->bits);
  if (result == STIJL_OK) result = measure(r, "layouts", title[2], layouts, COUNT(layouts), l);
  r->bits += 2;
  if (result != STIJL_OK) return result;
  sj_lab_tell_loads(lab->page, o, w, l);
  return STIJL_OK;
}

static void draw_traces(run *r) {
  sj_lab_text picture = {.context = r->lab->context};
  for (uint32_t i = 0; i < COUNT(orders); i++) sj_lab_draw_trace(&picture, &orders[i], r->bits);
  for (uint32_t i = 0; i < COUNT(widths); i++) sj_lab_draw_trace(&picture, &widths[i], r->bits);
  for (uint32_t i = 0; i < COUNT(layouts); i++) sj_lab_draw_trace(&picture, &layouts[i], r->bits - 2);
  sj_lab_picture(r->lab->page, "Lines of 128 bytes that 32 lanes touch, and their sectors of 32", &picture);
  sj_lab_text_finish(&picture);
}

stijl_result sj_lab_run_access(sj_lab *lab) {
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result != STIJL_OK) return result;
  run r = {.lab = lab, .bits = lab->software ? 16 : lab->quick ? 20 : 26};
  // The largest elements are vectors of four words, 16 bytes.
  while (((VkDeviceSize)16 << r.bits) > sj_lab_size(lab, (VkDeviceSize)16 << r.bits)) r.bits--;
  VkDeviceSize bytes = (VkDeviceSize)16 << r.bits, sums = ((VkDeviceSize)4 << r.bits) / TURNS;
  result = sj_lab_buffer(lab, &r.from, SJ_BUFFER_DEVICE, "what is loaded", bytes);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &r.sums, SJ_BUFFER_DEVICE, "sums", sums);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &r.back, SJ_BUFFER_READBACK, "the result", sums);
  if (result == STIJL_OK) result = sj_lab_number(lab, &r.from, bytes);
  if (result == STIJL_OK) result = measure_all(&r);
  if (result == STIJL_OK) result = sj_lab_access_bindings(lab, &r.from, &r.sums, &r.back, r.bits);
  if (result == STIJL_OK && lab->params->trace) draw_traces(&r);
  sj_lab_buffer_finish(lab, &r.from);
  sj_lab_buffer_finish(lab, &r.sums);
  sj_lab_buffer_finish(lab, &r.back);
  return result;
}
