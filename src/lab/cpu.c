// `lab cpu` measures what one processor moves by size, how near the renderer's kernels come to that with each
// instruction set, and how their time depends on the rows that they paint at a time.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/harness.h"
#include "render/renderer.h"

enum { SIZES = 13, KERNELS = 6, ISAS = 16 /* that there may be */, BANDS = 9, SIZE = 1024 };

// --- Memory ---

typedef struct memory {
  unsigned char *from, *to;
  uint64_t sum;
} memory;

static void move(memory *m, int kind, size_t bytes) {
  if (kind == 0)
    memcpy(m->to, m->from, bytes);
  else if (kind == 1)
    memset(m->to, (int)m->sum & 1, bytes);
  else {
    uint64_t sums[8] = {0};
    const uint64_t *words = (const uint64_t *)(const void *)m->from;
    for (size_t i = 0; i + 8 <= bytes / 8; i += 8)
      for (int k = 0; k < 8; k++) sums[k] += words[i + (size_t)k];
    for (int k = 0; k < 8; k++) m->sum += sums[k];
  }
}

// Returns the best rate of some tries in bytes a second. Each takes long enough for the clock.
static double rate(memory *m, int kind, size_t bytes, bool quick) {
  double best = 0;
  uint32_t repeats = 1 + (uint32_t)((quick ? 1u << 21 : 1u << 25) / bytes);
  for (int n = 0; n < (quick ? 2 : 5); n++) {
    double before = sj_lab_processor_us();
    for (uint32_t i = 0; i < repeats; i++) move(m, kind, bytes);
    double took = sj_lab_processor_us() - before;
    if (took > 0) best = fmax(best, (double)bytes * repeats * (kind ? 1 : 2) / took * 1e6);
  }
  return best;
}

// Sets *fill_rate to the bytes a second of a buffer as large as the picture of the kernels below.
static stijl_result measure_memory(sj_lab *lab, double *fill_rate) {
  static const sj_lab_column columns[] = {{"bytes", "buffer", SJ_LAB_BYTES},
                                          {"copy", "copy (read and written)", SJ_LAB_RATE},
                                          {"fill", "fill", SJ_LAB_RATE},
                                          {"read", "read", SJ_LAB_RATE}};
  uint32_t sizes = lab->params->quick ? 9 : SIZES;
  size_t most = (size_t)16384 << (sizes - 1);
  memory m = {sj_alloc_zero(lab->context, most), sj_alloc_zero(lab->context, most), 0};
  double x[SIZES], y[3][SIZES];
  sj_lab_cell cells[SIZES * 4];
  bool good = m.from && m.to;
  for (uint32_t i = 0; i < sizes && good; i++) {
    size_t bytes = (size_t)16384 << i;
    x[i] = (double)bytes;
    cells[i * 4] = SJ_LAB_NUMBER(x[i]);
    for (int kind = 0; kind < 3; kind++) {
      y[kind][i] = rate(&m, kind, bytes, lab->params->quick);
      cells[i * 4 + 1 + (uint32_t)kind] = SJ_LAB_NUMBER(y[kind][i]);
    }
    if (bytes == 4 << 20) *fill_rate = y[1][i];
  }
  sj_free(lab->context, m.from);
  sj_free(lab->context, m.to);
  if (!good) return sj_fail_memory(lab->message);
  // The sum is used, so that the compiler cannot leave out the reads.
  if (m.sum == 1) sj_lab_say(lab->page, "Sums of nothing are not zero.");
  sj_lab_table(lab->page, "memory", "One processor's bandwidth by size", columns, 4, cells, sizes);
  sj_lab_text plot = {.context = lab->context};
  const sj_lab_series series[] = {{"copy", y[0]}, {"fill", y[1]}, {"read", y[2]}};
  sj_lab_lines(&plot, SJ_LAB_BYTES, x, sizes, SJ_LAB_RATE, series, 3);
  sj_lab_picture(lab->page, "One processor's bandwidth by size of the buffer", &plot);
  sj_lab_text_finish(&plot);
  return STIJL_OK;
}

// --- Kernels ---

#define DOCUMENT(body) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1024 1024'>" body "</svg>"
static const struct {
  const char *key, *name, *text;
} kernels[KERNELS] = {
    {"clear", "clearing alone", DOCUMENT("")},
    {"opaque", "opaque rectangle", DOCUMENT("<rect width='1024' height='1024' fill='#28c'/>")},
    {"translucent", "translucent rectangle",
     DOCUMENT("<rect width='1024' height='1024' fill='#28c' fill-opacity='.5'/>")},
    {"gradient", "linear gradient",
     DOCUMENT("<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient>"
              "<rect width='1024' height='1024' fill='url(#g)'/>")},
    {"blend", "blended group",
     DOCUMENT("<rect width='1024' height='1024' fill='#28c'/><g style='mix-blend-mode:multiply'>"
              "<rect width='1024' height='1024' fill='#fc8'/></g>")},
    {"edges", "16,384 triangles' edges", NULL},
};

static int frames(const sj_lab *lab) { return lab->params->quick ? 3 : 15; }

// Writes many small shapes, so that edges are the work.
static stijl_result write_edges(sj_lab_text *out) {
  sj_lab_add_all(out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1024 1024'><path d='");
  for (int y = 0; y < 128; y++)
    for (int x = 0; x < 128; x++) sj_lab_add(out, "M%d.3 %d.2l6.5 1.4-3 5z", x * 8, y * 8);
  sj_lab_add_all(out, "'/></svg>");
  return out->failed ? STIJL_ERROR_OUT_OF_MEMORY : STIJL_OK;
}

static stijl_result record(sj_lab *lab, uint32_t kernel, stijl_scene **out) {
  sj_lab_text made = {.context = lab->context};
  const char *text = kernels[kernel].text;
  *out = NULL;
  if (!text && write_edges(&made) != STIJL_OK) {
    sj_lab_text_finish(&made);
    return sj_fail_memory(lab->message);
  }
  if (!text) text = made.data;
  stijl_result result = sj_lab_record(lab, text, strlen(text), SIZE, SIZE, out);
  sj_lab_text_finish(&made);
  return result;
}

// Creates a renderer of one thread.
static stijl_result create_renderer(sj_lab *lab, stijl_isa isa, stijl_renderer **out) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_CPU;
  params.threads = 1;
  params.isa = isa;
  return stijl_renderer_create(lab->context, &params, out, lab->message);
}

// Draws a frame and lowers *us to its processor time if that is less.
static stijl_result time_frame(sj_lab *lab, stijl_renderer *renderer, const stijl_scene *scene, uint32_t *pixels,
                               double *us) {
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = SIZE;
  target.pixels = pixels;
  target.stride = SIZE * 4;
  double before = sj_lab_processor_us();
  stijl_result result = stijl_render(renderer, scene, &target, NULL, lab->message);
  *us = fmin(*us, sj_lab_processor_us() - before);
  return result;
}

// Sets *us to the least processor time of some frames.
static stijl_result time_frames(sj_lab *lab, stijl_isa isa, const stijl_scene *scene, uint32_t *pixels, double *us) {
  stijl_renderer *renderer = NULL;
  stijl_result result = create_renderer(lab, isa, &renderer);
  *us = INFINITY;
  for (int i = 0; i < frames(lab) && result == STIJL_OK; i++) result = time_frame(lab, renderer, scene, pixels, us);
  stijl_renderer_destroy(renderer);
  return result;
}

static stijl_result measure_kernels(sj_lab *lab, double fill_rate) {
  static const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                          {"name", "frame of 1024 x 1024", SJ_LAB_NAME},
                                          {"isa", "set", SJ_LAB_NAME},
                                          {"us", "processor time", SJ_LAB_US},
                                          {"factor", "scalar's speed", SJ_LAB_FACTOR},
                                          {"fill", "of a fill's time", SJ_LAB_FACTOR}};
  const size_t bytes = SIZE * SIZE * 4;
  uint32_t *first = sj_alloc(lab->context, bytes), *pixels = sj_alloc(lab->context, bytes);
  stijl_result result = first && pixels ? STIJL_OK : sj_fail_memory(lab->message);
  sj_lab_cell cells[KERNELS * ISAS * 6];
  char keys[KERNELS * ISAS][32];
  uint32_t rows = 0;
  double fill_us = (double)bytes / fill_rate * 1e6;
  for (uint32_t k = 0; k < KERNELS && result == STIJL_OK; k++) {
    stijl_scene *scene;
    double scalar = NAN, best = INFINITY;
    result = record(lab, k, &scene);
    for (int i = 0; i < ISAS && result == STIJL_OK; i++) {
      stijl_isa isa = (stijl_isa)(STIJL_ISA_SCALAR + i);
      if (!stijl_isa_available(isa)) continue;
      double us;
      result = time_frames(lab, isa, scene, i ? pixels : first, &us);
      if (result != STIJL_OK) break;
      if (!i) scalar = us;
      best = fmin(best, us);
      if (i && memcmp(first, pixels, bytes) != 0)
        sj_lab_wrong(lab->page, "%s: %s draws other pixels than scalar code", kernels[k].name, stijl_isa_name(isa));
      snprintf(keys[rows], sizeof *keys, "%s_%s", kernels[k].key, stijl_isa_name(isa));
      const sj_lab_cell row[] = {SJ_LAB_TEXT(keys[rows]),          SJ_LAB_TEXT(kernels[k].name),
                                 SJ_LAB_TEXT(stijl_isa_name(isa)), SJ_LAB_NUMBER(us),
                                 SJ_LAB_NUMBER(scalar / us),       SJ_LAB_NUMBER(us / fill_us)};
      memcpy(&cells[rows++ * 6], row, sizeof row);
    }
    stijl_scene_destroy(scene);
    if (result == STIJL_OK)
      sj_lab_say(lab->page, "%s: %.2f ms, %.1f times what filling as many bytes takes; vectors are worth %.1f times.",
                 kernels[k].name, best / 1e3, best / fill_us, scalar / best);
  }
  sj_free(lab->context, first);
  sj_free(lab->context, pixels);
  if (result == STIJL_OK)
    sj_lab_table(lab->page, "kernels", "The renderer by instruction set, one thread; all pixels compared", columns, 6,
                 cells, rows);
  return result;
}

// --- Bands ---

// Times a picture by the rows that are painted at a time: us[i] for 4 << i rows, the last for as many as the renderer
// chooses.
static stijl_result time_bands(sj_lab *lab, const stijl_scene *scene, uint32_t *pixels, double us[BANDS + 1]) {
  stijl_renderer *renderer = NULL;
  stijl_result result = create_renderer(lab, STIJL_ISA_AUTO, &renderer);
  for (int i = 0; i <= BANDS; i++) us[i] = INFINITY;
  for (int round = 0; round < frames(lab) && result == STIJL_OK; round++)
    for (int i = 0; i <= BANDS && result == STIJL_OK; i++) {
      sj_renderer_force_rows(renderer, i < BANDS ? 4u << i : 0);
      result = time_frame(lab, renderer, scene, pixels, &us[i]);
    }
  stijl_renderer_destroy(renderer);
  return result;
}

static stijl_result measure_bands(sj_lab *lab) {
  static const sj_lab_column columns[] = {{"key", "", SJ_LAB_NAME},
                                          {"name", "frame of 1024 x 1024", SJ_LAB_NAME},
                                          {"rows", "rows at a time", SJ_LAB_COUNT},
                                          {"us", "processor time", SJ_LAB_US},
                                          {"factor", "of the best", SJ_LAB_FACTOR}};
  uint32_t *pixels = sj_alloc(lab->context, SIZE * SIZE * 4);
  stijl_result result = pixels ? STIJL_OK : sj_fail_memory(lab->message);
  sj_lab_cell cells[KERNELS * BANDS * 5];
  char keys[KERNELS * BANDS][32];
  double x[BANDS], y[KERNELS][BANDS], worst = 1;
  sj_lab_series series[KERNELS];
  uint32_t rows = 0;
  for (uint32_t k = 0; k < KERNELS && result == STIJL_OK; k++) {
    stijl_scene *scene;
    double us[BANDS + 1];
    uint32_t best = 0;
    result = record(lab, k, &scene);
    if (result == STIJL_OK) result = time_bands(lab, scene, pixels, us);
    stijl_scene_destroy(scene);
    if (result != STIJL_OK) break;
    for (uint32_t i = 0; i < BANDS; i++)
      if (us[i] < us[best]) best = i;
    for (uint32_t i = 0; i < BANDS; i++, rows++) {
      x[i] = 4 << i;
      y[k][i] = us[i];
      snprintf(keys[rows], sizeof *keys, "%s_%d", kernels[k].key, 4 << i);
      const sj_lab_cell row[] = {SJ_LAB_TEXT(keys[rows]), SJ_LAB_TEXT(kernels[k].name), SJ_LAB_NUMBER(x[i]),
                                 SJ_LAB_NUMBER(us[i]), SJ_LAB_NUMBER(us[i] / us[best])};
      memcpy(&cells[rows * 5], row, sizeof row);
    }
    series[k] = (sj_lab_series){kernels[k].name, y[k]};
    worst = fmax(worst, us[BANDS] / us[best]);
    sj_lab_say(lab->page, "%s: %u rows at a time are best here; as many as the renderer chooses take %.2f times that.",
               kernels[k].name, 4u << best, us[BANDS] / us[best]);
  }
  sj_free(lab->context, pixels);
  if (result != STIJL_OK) return result;
  // That the choice is right is no advice, so there is no card for it.
  if (worst < 1.1)
    sj_lab_say(lab->page, "Bands of the rows that the renderer chooses are within %.0f %% of the best.",
               (worst - 1) * 100);
  sj_lab_table(lab->page, "bands", "By the rows that are painted at a time, one thread", columns, 5, cells, rows);
  sj_lab_text plot = {.context = lab->context};
  sj_lab_lines(&plot, SJ_LAB_COUNT, x, BANDS, SJ_LAB_US, series, KERNELS);
  sj_lab_picture(lab->page, "Processor time by the rows that are painted at a time", &plot);
  sj_lab_text_finish(&plot);
  return STIJL_OK;
}

stijl_result sj_lab_run_cpu(sj_lab *lab) {
  double fill_rate = 0;
  stijl_result result = measure_memory(lab, &fill_rate);
  if (result == STIJL_OK) result = measure_kernels(lab, fill_rate);
  return result == STIJL_OK ? measure_bands(lab) : result;
}
