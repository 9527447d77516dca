// `lab access` measures what the same loads cost in other orders, widths and layouts.
#include "lab/access.h"

#include <math.h>
#include <stdio.h>

enum { GROUP = 256, TURNS = 16 };

#define LOAD(key, name, pattern, step, bits) {key, name, &sj_lab_access_##bits, SJ_LAB_##pattern, step, bits / 8},
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
  return (a->bytes != 1 || lab->features.f12.storageBuffer8BitAccess) &&
         (a->bytes != 2 || lab->f11.storageBuffer16BitAccess);
}

// Returns how many elements a lane loads in a turn.
static uint32_t parts(const sj_lab_access *a) {
  return a->pattern == SJ_LAB_STRUCTS || a->pattern == SJ_LAB_FIELDS || a->pattern == SJ_LAB_PADDED ? 3 : 1;
}

static stijl_result verify(run *r, const sj_lab_access *a, const sj_lab_case *c, uint32_t lanes) {
  sj_lab *lab = r->lab;
  stijl_result result = sj_lab_number_by(lab, &r->sums, lanes * 4, 1);
  if (result == STIJL_OK) result = sj_lab_once(lab, c);
  if (result == STIJL_OK) result = sj_lab_copy(lab, &r->sums, &r->back, lanes * 4);
  uint32_t wrong = 0;
  for (uint32_t lane = 0; result == STIJL_OK && lane < lanes; lane++)
    wrong += ((uint32_t *)r->back.mapped)[lane] != sj_lab_sum(a, r->bits, lane, lanes, TURNS);
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
    sj_lab_touched touched = sj_lab_touch(which[i], r->bits);
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
    const uint32_t constants[] = {GROUP, a->pattern, a->step};
    result = sj_lab_kernel_create(lab, a->shader, constants, 3, buffers, &kernels[count]);
    double loaded = (double)lanes * TURNS * a->bytes * parts(a);
    cases[count] = (sj_lab_case){.name = a->name,
                                 .kernel = &kernels[count],
                                 .groups = {lanes / GROUP, 1, 1},
                                 .push = {r->bits, TURNS, lanes},
                                 .bytes = loaded + lanes * 4.0,
                                 .working_set = a->pattern == SJ_LAB_SAME ? loaded / 32 : loaded};
    if (result == STIJL_OK) result = verify(r, a, &cases[count], lanes);
    which[count++] = a;
  }
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, count);
  // Memory moves only one of the loads that lanes share, so their rate is no bandwidth.
  for (uint32_t i = 0; i < count && result == STIJL_OK; i++) {
    us[which[i] - all] = SJ_LAB_ESTIMATE(cases[i]);
    if (which[i]->pattern != SJ_LAB_SAME) sj_lab_judge(lab, &cases[i], 1);
  }
  if (result == STIJL_OK) write(r, key, title, which, cases, count);
  for (uint32_t i = 0; i < count; i++) sj_lab_kernel_destroy(lab, &kernels[i]);
  return result;
}

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

static sj_lab_estimate times(sj_lab_estimate e, double factor) {
  return (sj_lab_estimate){e.us * factor, e.low * factor, e.high * factor};
}

// Says what the orders (o), widths (w) and layouts (l) take.
static void say(sj_lab_page *page, const sj_lab_estimate *o, const sj_lab_estimate *w, const sj_lab_estimate *l) {
  sj_lab_say(page,
             "Order: the same words take %.1f times the time when 32 lanes take every 8th (a sector for each), %.1f "
             "times for every 32nd (a line for each), %.1f times at random.",
             o[7].us / o[0].us, o[9].us / o[0].us, o[12].us / o[0].us);
  if (sj_lab_changed(o[0], o[1]) == SJ_LAB_SLOWER)
    sj_lab_say(page, "Being off by a word costs %.0f %%.", (o[1].us / o[0].us - 1) * 100);
  else
    sj_lab_say(page, "Being off by a word costs nothing beyond the noise.");
  // Four single words beside one vector; four bytes beside one word.
  sj_lab_estimate words = times(w[2], 4), bytes = times(w[0], 4);
  sj_lab_say_effect(page, "Width: vectors of 4 against single words", words, w[4], "so load wide where you can");
  if (sj_lab_changed(w[2], bytes) == SJ_LAB_SLOWER)
    sj_lab_say(page, "Bytes loaded one by one move %.2f of what words do: pack them.", w[2].us / bytes.us);
  else if (isfinite(bytes.us))
    sj_lab_say(page, "Bytes loaded one by one move as much as words do, within the noise.");
  sj_lab_say(page,
             "Structures of three words: an array for each word takes %.2f, padding to four words %.2f of the time of "
             "an array of structures; one word of each structure still takes %.2f of the time of all three.",
             l[2].us / l[0].us, l[1].us / l[0].us, l[3].us / l[0].us);
  if (sj_lab_changed(o[0], o[9]) == SJ_LAB_SLOWER && o[9].us / o[0].us > 1.5) {
    sj_lab_like(page, "lanes that load side by side (every 32nd word: %.1f times the time)", o[9].us / o[0].us);
    sj_lab_card(page, SJ_LAB_US,
                (const sj_lab_bar[]){{"side by side", o[0].us},
                                     {"every 8th word", o[7].us},
                                     {"every 32nd word", o[9].us},
                                     {"at random", o[12].us}},
                4);
  }
  if (sj_lab_changed(words, w[4]) == SJ_LAB_FASTER && words.us / w[4].us > 1.1) {
    sj_lab_like(page, "vectors of 4 (%.1f times the bytes)", words.us / w[4].us);
    sj_lab_card(page, SJ_LAB_US, (const sj_lab_bar[]){{"four words, one by one", words.us}, {"a vector of 4", w[4].us}},
                2);
  }
  if (sj_lab_changed(w[2], bytes) == SJ_LAB_SLOWER && bytes.us / w[2].us > 1.25) {
    sj_lab_like(page, "words and not bytes (%.1f times as fast)", bytes.us / w[2].us);
    sj_lab_card(page, SJ_LAB_US, (const sj_lab_bar[]){{"four bytes, one by one", bytes.us}, {"a word", w[2].us}}, 2);
  }
  if (sj_lab_changed(l[0], l[1]) == SJ_LAB_SLOWER && l[1].us / l[0].us > 1.1) {
    sj_lab_like(page, "structures without padding (%.1f times the time with it)", l[1].us / l[0].us);
    sj_lab_card(page, SJ_LAB_US, (const sj_lab_bar[]){{"three words", l[0].us}, {"padded to four", l[1].us}}, 2);
  }
}

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
  say(lab->page, o, w, l);
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
