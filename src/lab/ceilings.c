// Measures the ceilings: what a device can do at most, in the run whose figures are held against it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "lab/harness.h"

enum { GROUP = 256, STEPS = 16 };

// --- The clock ---

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Returns how many workgroups fill any device, or a software device's few processors.
static uint32_t many_groups(const sj_lab *lab) { return lab->quick ? 64 : 132 * 8 * 4; }

static sj_lab_case compute_case(const sj_lab *lab, const sj_lab_kernel *kernel, const char *name, uint32_t chains,
                                uint32_t groups, uint32_t turns, bool integer) {
  return (sj_lab_case){
      .name = name,
      .kernel = kernel,
      .groups = {groups, 1, 1},
      .push = {turns, integer ? 1664525u : bits_of(0.999f), integer ? 1013904223u : bits_of(0.001f), 12345u},
      .operations = 2.0 * groups * GROUP * chains * STEPS * turns};
}

static stijl_result make_warmer(sj_lab *lab) {
  if (lab->warmer.pipeline) return STIJL_OK;
  stijl_result result = STIJL_OK;
  if (!lab->little.handle) result = sj_lab_buffer(lab, &lab->little, SJ_BUFFER_READBACK, "results", 4096);
  const sj_buffer *buffers[] = {&lab->little};
  const uint32_t constants[] = {GROUP, 8, 0};
  if (result == STIJL_OK) result = sj_lab_kernel_create(lab, &sj_lab_compute, constants, 3, buffers, &lab->warmer);
  return result;
}

sj_lab_case sj_lab_warming(const sj_lab *lab) {
  return compute_case(lab, &lab->warmer, "warming up", 8, many_groups(lab), lab->quick ? 16 : 128, false);
}

bool sj_lab_is_steady(sj_lab_warmth *w, double us) {
  enum { STEADY = sizeof w->last / sizeof *w->last };
  w->last[w->count++ % STEADY] = us;
  w->best = w->best > 0 ? fmin(w->best, us) : us;
  double low = us, high = us;
  for (uint32_t i = 0; i < STEADY && i < w->count; i++) {
    low = fmin(low, w->last[i]);
    high = fmax(high, w->last[i]);
  }
  return w->count >= STEADY && high < low * 1.005 && high < w->best * 1.02;
}

stijl_result sj_lab_warm(sj_lab *lab) {
  stijl_result result = make_warmer(lab);
  if (result != STIJL_OK || lab->software) return result;
  sj_lab_case work = sj_lab_warming(lab);
  bool first = !(lab->warmth.best > 0);  // it is not known yet how fast the device may become
  double most_us = lab->quick ? 2e5 : 3e6, least_us = lab->quick ? 2e4 : first ? 5e5 : 1e5, us = 0;
  lab->warmth.count = 0;
  for (double begin = sj_now_us(), spent = 0; result == STIJL_OK && spent <= most_us;) {
    result = sj_lab_run_repeats(lab, &work, 8, &us);
    spent = sj_now_us() - begin;
    if (sj_lab_is_steady(&lab->warmth, us) && spent > least_us) return result;
  }
  lab->warmth.best = us;  // the device does not reach its best again, for example because it is too hot
  return result;
}

static stijl_result measure_clock(sj_lab *lab) {
  if (!lab->has_clock || lab->software) return STIJL_OK;
  sj_lab_kernel kernel;
  const sj_buffer *buffers[] = {&lab->little};
  const uint32_t constants[] = {32, 1, 0};
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_compute_clock, constants, 3, buffers, &kernel);
  sj_lab_case chain = compute_case(lab, &kernel, "the clock", 1, 1, 30000, false);
  chain.once = true;
  if (result == STIJL_OK) result = sj_lab_time(lab, &chain, 1);
  if (result == STIJL_OK && chain.us > 0) {
    const uint32_t *words = lab->little.mapped;
    lab->ceilings.clock_mhz = (double)((uint64_t)words[2] << 32 | words[1]) / chain.us;
  }
  sj_lab_kernel_destroy(lab, &kernel);
  return result;
}

// --- Launches, arithmetic ---

static stijl_result measure_launch(sj_lab *lab) {
  sj_lab_kernel kernel;
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_nothing, NULL, 0, NULL, &kernel);
  sj_lab_case cases[] = {{.name = "launches", .kernel = &kernel, .groups = {1, 1, 1}},
                         {.name = "launches behind barriers", .kernel = &kernel, .groups = {1, 1, 1}, .apart = true}};
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, 2);
  lab->ceilings.launch_us = cases[0].us;
  lab->ceilings.barrier_us = cases[1].us;
  sj_lab_kernel_destroy(lab, &kernel);
  return result;
}

static stijl_result measure_arithmetic(sj_lab *lab, bool details) {
  stijl_result result = make_warmer(lab);
  if (result != STIJL_OK) return result;
  sj_lab_kernel integers, one_chain;
  const sj_buffer *buffers[] = {&lab->little};
  const uint32_t integer[] = {GROUP, 8, 1}, chain[] = {32, 1, 0};
  result = sj_lab_kernel_create(lab, &sj_lab_compute, integer, 3, buffers, &integers);
  if (result == STIJL_OK)
    result = sj_lab_kernel_create(lab, &sj_lab_compute, chain, 3, buffers, &one_chain);
  else
    one_chain = (sj_lab_kernel){0};
  uint32_t turns = lab->quick ? 16 : 256, long_turns = lab->quick ? 256 : 20000;
  sj_lab_case cases[] = {compute_case(lab, &lab->warmer, "multiply-adds of floats", 8, many_groups(lab), turns, false),
                         compute_case(lab, &integers, "multiply-adds of integers", 8, many_groups(lab), turns, true),
                         compute_case(lab, &one_chain, "one chain of floats", 1, 1, long_turns, false)};
  cases[2].once = true;  // two dispatches would run side by side
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, 3);
  sj_lab_kernel_destroy(lab, &integers);
  sj_lab_kernel_destroy(lab, &one_chain);
  if (result != STIJL_OK) return result;
  lab->ceilings.fma = sj_lab_work(&cases[0]);
  if (!details) return STIJL_OK;
  double latency = cases[2].us * 1e3 / ((double)long_turns * STEPS);
  char clocks[64] = "";
  if (lab->ceilings.clock_mhz > 0)
    snprintf(clocks, sizeof clocks, "%.1f cycles", latency * lab->ceilings.clock_mhz * 1e-3);
  const sj_lab_column columns[] = {{"what", "arithmetic", SJ_LAB_NAME},
                                   {"operations", "a second", SJ_LAB_WORK},
                                   {"ns", "ns each", SJ_LAB_COUNT},
                                   {"cycles", "", SJ_LAB_NAME}};
  const sj_lab_cell cells[] = {SJ_LAB_TEXT("multiply-adds of 32-bit floats, two operations each"),
                               SJ_LAB_NUMBER(lab->ceilings.fma),
                               SJ_LAB_NUMBER(NAN),
                               SJ_LAB_TEXT(""),
                               SJ_LAB_TEXT("multiply-adds of 32-bit integers"),
                               SJ_LAB_NUMBER(sj_lab_work(&cases[1])),
                               SJ_LAB_NUMBER(NAN),
                               SJ_LAB_TEXT(""),
                               SJ_LAB_TEXT("one lane's, each waiting for the one before"),
                               SJ_LAB_NUMBER(NAN),
                               SJ_LAB_NUMBER(latency),
                               SJ_LAB_TEXT(clocks)};
  sj_lab_table(lab->page, "arithmetic", "Arithmetic", columns, 4, cells, 3);
  return STIJL_OK;
}

// --- Memory ---

// Kernels that stream through memory, with the number of vectors that a lane takes. Copies have two shapes, of which
// the better counts.
enum { COPY, COPY_ONE, FILL, READ, STREAMS };
static const struct {
  const char *name;
  uint32_t mode, items, moves;
} streams[STREAMS] = {{"copy", 0, 4, 2}, {"copy, a vector a lane", 0, 1, 2}, {"fill", 1, 4, 1}, {"read", 2, 4, 1}};

static stijl_result check_copy(sj_lab *lab, const sj_buffer *to, VkDeviceSize bytes) {
  sj_buffer back;
  stijl_result result = sj_lab_buffer(lab, &back, SJ_BUFFER_READBACK, "what was copied", bytes);
  if (result == STIJL_OK) result = sj_lab_copy(lab, to, &back, bytes);
  uint32_t wrong = result == STIJL_OK ? sj_lab_wrong_copies(back.mapped, 0, (uint32_t)(bytes / 4)) : 0;
  if (wrong) sj_lab_wrong(lab->page, "a copy has %u wrong words", wrong);
  sj_lab_buffer_finish(lab, &back);
  return result;
}

static sj_lab_case stream_case(const sj_lab *lab, const sj_lab_kernel *kernel, uint32_t s, VkDeviceSize size) {
  uint32_t items = streams[s].items, part = GROUP * items * 16;
  uint32_t groups = (uint32_t)(size / part), least = (lab->quick ? 256 : 16384) / items;
  if (groups < least) groups = least;
  double one = (double)groups * part;
  uint32_t passes = one >= 256 << 20 || lab->quick ? 1 : (uint32_t)((256 << 20) / one);
  return (sj_lab_case){.name = streams[s].name,
                       .kernel = kernel,
                       .groups = {groups < 32768 ? groups : 32768, groups < 32768 ? 1 : groups / 32768, 1},
                       .push = {(uint32_t)(size / 16 - 1), passes, 5 * GROUP * items, 12345},
                       .bytes = one * passes * streams[s].moves};
}

// Measures bandwidth by the size of the buffer, from sizes that fit caches to those that do not.
static stijl_result measure_streams(sj_lab *lab) {
  sj_lab_ceilings *ceilings = &lab->ceilings;
  VkDeviceSize most = sj_lab_size(lab, lab->quick ? (VkDeviceSize)4 << 20 : (VkDeviceSize)1 << 30);
  sj_buffer from = {0}, to = {0};
  sj_lab_kernel kernels[STREAMS] = {0};
  stijl_result result = sj_lab_buffer(lab, &from, SJ_BUFFER_DEVICE, "what is copied", most);
  if (result == STIJL_OK) result = sj_lab_buffer(lab, &to, SJ_BUFFER_DEVICE, "a copy", most);
  const sj_buffer *buffers[] = {&from, &to};
  for (uint32_t s = 0; s < STREAMS && result == STIJL_OK; s++) {
    const uint32_t constants[] = {GROUP, streams[s].mode, streams[s].items};
    result = sj_lab_kernel_create(lab, &sj_lab_stream, constants, 3, buffers, &kernels[s]);
  }
  if (result == STIJL_OK) result = sj_lab_number(lab, &from, most);
  sj_lab_case cases[SJ_LAB_MAX_SIZES * STREAMS];
  uint32_t sizes = 0;
  for (VkDeviceSize size = 65536; size <= most && sizes < SJ_LAB_MAX_SIZES; size *= 4, sizes++) {
    for (uint32_t s = 0; s < STREAMS; s++) cases[sizes * STREAMS + s] = stream_case(lab, &kernels[s], s, size);
    ceilings->bytes[sizes] = (double)size;
  }
  for (uint32_t s = COPY; s <= COPY_ONE; s++) {
    if (result == STIJL_OK) result = sj_lab_number_by(lab, &to, most, 0);
    if (result == STIJL_OK) result = sj_lab_once(lab, &cases[(sizes - 1) * STREAMS + s]);
    if (result == STIJL_OK) result = check_copy(lab, &to, most < 64 << 20 ? most : 64 << 20);
  }
  if (result == STIJL_OK) result = sj_lab_time(lab, cases, sizes * STREAMS);
  for (uint32_t i = 0; i < sizes && result == STIJL_OK; i++) {
    const sj_lab_case *of = &cases[i * STREAMS];
    ceilings->copy[i] = fmax(sj_lab_rate(&of[COPY]), sj_lab_rate(&of[COPY_ONE]));
    ceilings->fill[i] = sj_lab_rate(&of[FILL]);
    ceilings->read[i] = sj_lab_rate(&of[READ]);
  }
  ceilings->sizes = sizes;
  for (uint32_t s = 0; s < STREAMS; s++) sj_lab_kernel_destroy(lab, &kernels[s]);
  sj_lab_buffer_finish(lab, &from);
  sj_lab_buffer_finish(lab, &to);
  return result;
}

static void write_streams(sj_lab *lab) {
  const sj_lab_ceilings *c = &lab->ceilings;
  const sj_lab_column columns[] = {{"bytes", "buffer", SJ_LAB_BYTES},
                                   {"copy", "copy (read and written)", SJ_LAB_RATE},
                                   {"fill", "fill", SJ_LAB_RATE},
                                   {"read", "read", SJ_LAB_RATE}};
  sj_lab_cell cells[SJ_LAB_MAX_SIZES * 4];
  for (uint32_t i = 0; i < c->sizes; i++) {
    cells[i * 4] = SJ_LAB_NUMBER(c->bytes[i]);
    cells[i * 4 + 1] = SJ_LAB_NUMBER(c->copy[i]);
    cells[i * 4 + 2] = SJ_LAB_NUMBER(c->fill[i]);
    cells[i * 4 + 3] = SJ_LAB_NUMBER(c->read[i]);
  }
  sj_lab_table(lab->page, "bandwidth", "Bandwidth by size", columns, 4, cells, c->sizes);
  sj_lab_text plot = {.context = lab->context};
  const sj_lab_series series[] = {{"copy", c->copy}, {"fill", c->fill}, {"read", c->read}};
  sj_lab_lines(&plot, SJ_LAB_BYTES, c->bytes, c->sizes, SJ_LAB_RATE, series, 3);
  sj_lab_picture(lab->page, "Bandwidth by size of the buffer", &plot);
  sj_lab_text_finish(&plot);
}

double sj_lab_bandwidth(const sj_lab *lab, double working_set) {
  const sj_lab_ceilings *c = &lab->ceilings;
  double best = 0;
  for (uint32_t i = 0; i < c->sizes; i++) {
    bool largest = i + 1 == c->sizes;
    if (largest || 2 * c->bytes[i] >= working_set / 2) best = fmax(best, c->copy[i]);
    if (largest || c->bytes[i] >= working_set / 2) best = fmax(best, fmax(c->fill[i], c->read[i]));
  }
  return best;
}

double sj_lab_copy_at(const sj_lab *lab, double working_set) {
  const sj_lab_ceilings *c = &lab->ceilings;
  double best = 0, distance = INFINITY;
  for (uint32_t i = 0; i < c->sizes; i++) {
    double d = fabs(log2(2 * c->bytes[i] / working_set));
    if (d <= distance) best = c->copy[i], distance = d;
  }
  return best;
}

// --- All ---

void sj_lab_write_device(sj_lab *lab) {
  if (lab->described) return;
  lab->described = true;
  const VkPhysicalDeviceProperties *p = &lab->vk.properties;
  sj_lab_page *page = lab->page;
  sj_lab_add(&page->text, "\n%s (%s), driver %s %s, Vulkan %u.%u\n", p->deviceName, sj_vk_type_name(p->deviceType),
             lab->p12.driverName, lab->p12.driverInfo, VK_API_VERSION_MAJOR(p->apiVersion),
             VK_API_VERSION_MINOR(p->apiVersion));
  sj_lab_add_all(&page->json, ",\n\"device\": {\"name\": ");
  sj_lab_add_json(&page->json, p->deviceName);
  sj_lab_add(&page->json, ", \"type\": \"%s\", \"driver\": ", sj_vk_type_name(p->deviceType));
  sj_lab_add_json(&page->json, lab->p12.driverInfo);
  sj_lab_add_all(&page->json, lab->quick ? ", \"quick\": true}" : ", \"quick\": false}");
  sj_lab_add_all(&page->device, "<p class=\"device\">");
  sj_lab_add_xml(&page->device, p->deviceName);
  sj_lab_add_all(&page->device, ", driver ");
  sj_lab_add_xml(&page->device, lab->p12.driverInfo);
  sj_lab_add_all(&page->device, lab->quick ? ", small problems</p>\n" : "</p>\n");
}

static void write_ceilings(sj_lab *lab) {
  const sj_lab_ceilings *c = &lab->ceilings;
  double most = 0;
  for (uint32_t i = 0; i < c->sizes; i++) most = fmax(most, c->copy[i]);
  const sj_lab_column columns[] = {{"clock_mhz", "clock (MHz)", SJ_LAB_COUNT},    {"launch_us", "a launch", SJ_LAB_US},
                                   {"barrier_us", "behind a barrier", SJ_LAB_US}, {"fma", "multiply-adds", SJ_LAB_WORK},
                                   {"copy", "copy, largest", SJ_LAB_RATE},        {"cache", "copy, best", SJ_LAB_RATE}};
  const sj_lab_cell cells[] = {SJ_LAB_NUMBER(c->clock_mhz > 0 ? floor(c->clock_mhz + 0.5) : (double)NAN),
                               SJ_LAB_NUMBER(c->launch_us),
                               SJ_LAB_NUMBER(c->barrier_us),
                               SJ_LAB_NUMBER(c->fma),
                               SJ_LAB_NUMBER(c->sizes ? c->copy[c->sizes - 1] : (double)NAN),
                               SJ_LAB_NUMBER(most)};
  sj_lab_table(lab->page, "ceilings", "What the device can do, measured in this run", columns, 6, cells, 1);
  if (!c->sizes || !(c->fma > 0) || !(c->copy[c->sizes - 1] > 0)) return;
  sj_lab_text plot = {.context = lab->context};
  sj_lab_roof(&plot, c->copy[c->sizes - 1], most, c->fma);
  sj_lab_overview(lab->page, &plot);
  sj_lab_text_finish(&plot);
}

stijl_result sj_lab_measure_ceilings(sj_lab *lab, bool details) {
  if (lab->ceilings.sizes) return STIJL_OK;
  sj_lab_write_device(lab);
  stijl_result result = sj_lab_warm(lab);
  if (result == STIJL_OK) result = measure_clock(lab);
  if (result == STIJL_OK) result = measure_launch(lab);
  if (result == STIJL_OK) result = measure_arithmetic(lab, details);
  if (result == STIJL_OK) result = measure_streams(lab);
  if (result != STIJL_OK) return result;
  write_ceilings(lab);
  if (details) write_streams(lab);
  return STIJL_OK;
}
