#include "cpu/filter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/irect.h"

// --- Colour spaces --------------------------------------------------------------------------------------------------

// What a premultiplied channel becomes, by alpha and channel: straight, linear, and back to sRGB.
static struct { uint8_t straight[256][256], to_linear[256][256], to_srgb[256][256]; } tables;

static void make_tables(void) {
  const sj_filter_spaces *spaces = sj_filter_spaces_get();
  for (uint32_t a = 0; a < 256; a++)
    for (uint32_t c = 0; c <= a; c++) {
      uint32_t straight = k_filter_straight(c, a);
      tables.straight[a][c] = (uint8_t)straight;
      tables.to_linear[a][c] = (uint8_t)k_div255(spaces->to_linear[straight] * a);
      tables.to_srgb[a][c] = (uint8_t)k_div255(spaces->to_srgb[straight] * a);
    }
}

static void need_tables(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_tables);
}

static inline uint32_t look_up(uint8_t (*table)[256], uint32_t p) {
  const uint8_t *row = table[p >> 24];
  return row[p & 255] | (uint32_t)row[(p >> 8) & 255] << 8 | (uint32_t)row[(p >> 16) & 255] << 16 | (p & 0xff000000u);
}

// Takes pixels to linear light, or back.
static void convert(bool to_linear, const uint32_t *in, uint32_t *out, size_t n) {
  uint8_t(*table)[256] = to_linear ? tables.to_linear : tables.to_srgb;
  for (size_t i = 0; i < n; i++) out[i] = in[i] ? look_up(table, in[i]) : 0;
}

static void transfer(const uint8_t *functions, const uint32_t *in, uint32_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t p = in[i], alpha = functions[3 * 256 + (p >> 24)], r = alpha << 24;
    const uint8_t *straight = tables.straight[p >> 24];
    for (uint32_t c = 0; c < 3; c++) r |= k_div255(functions[c * 256 + straight[k_channel(p, c)]] * alpha) << (8 * c);
    out[i] = r;
  }
}

// Does the same for pixels that are black, whose straight colours are all the same.
static void transfer_black(const uint8_t *functions, const uint32_t *in, uint32_t *out, size_t n) {
  const uint8_t *alphas = functions + 3 * 256;
  uint32_t colors[3] = {functions[0], functions[256], functions[512]};
  bool black = !(colors[0] | colors[1] | colors[2]);
  for (size_t i = 0; i < n; i++) {
    uint32_t alpha = alphas[in[i] >> 24], r = alpha << 24;
    for (uint32_t c = 0; c < 3 && !black; c++) r |= k_div255(colors[c] * alpha) << (8 * c);
    out[i] = r;
  }
}

// --- Rows -----------------------------------------------------------------------------------------------------------

// A chain of steps needs two rows for each, and one for what is read last.
#define ROWS (2 * SJ_FILTER_CHAIN + 4)

typedef struct {
  sj_filter_job *job;
  const sj_filter_step *step;  // at work
  uint32_t index;
  const sj_filter_kernels *kernels;
  sj_surface in, out;   // of the pass at work
  sj_filter_axis axis;  // of blur and morphology
  const k_filter_blur *blur;
  int radius;
  bool vertical;
  uint32_t *scratch;  // of all threads
  size_t row, each;   // pixels of a scratch row, and of a thread's scratch
  atomic_bool failed;
} runner;

static const sj_filter_step *step_at(const runner *r, uint32_t index) { return &r->job->plan->steps.data[index]; }

static const uint32_t *compute(const runner *r, const sj_filter_step *step, int y, int x0, int n, uint32_t *out,
                               uint32_t *scratch);

// Returns n pixels of a row of a step from x0 on, in the colour space asked for; they may lie outside of its box. The
// result is in the step's surface or in `scratch`.
static const uint32_t *fetch(const runner *r, uint32_t index, bool linear, int y, int x0, int n, uint32_t *scratch) {
  const sj_filter_step *step = index == SJ_FILTER_NO_STEP ? NULL : step_at(r, index);
  const sj_surface *surface = step && step->stored ? &r->job->steps[index] : NULL;
  stijl_irect box = surface ? sj_irect_intersect(surface->box, step->full)
                    : step  ? step->box
                            : (stijl_irect){0, 0, 0, 0};
  int from = k_max(x0, box.x0), to = k_min(x0 + n, box.x1);
  if (!step || y < box.y0 || y >= box.y1 || from >= to || (surface && !surface->pixels)) {
    memset(scratch, 0, (size_t)n * sizeof *scratch);
    return scratch;
  }
  uint32_t *at = scratch + (from - x0);
  size_t count = (size_t)(to - from);
  const uint32_t *pixels =
      surface ? sj_surface_at(surface, from, y) : compute(r, step, y, from, (int)count, at, scratch + r->row);
  if (step->linear != linear && !step->black) {
    convert(linear, pixels, at, count);
    pixels = at;
  }
  if ((int)count == n) return pixels;
  if (pixels != at) memcpy(at, pixels, count * sizeof *at);
  memset(scratch, 0, (size_t)(from - x0) * sizeof *scratch);
  memset(at + count, 0, (size_t)(x0 + n - to) * sizeof *at);
  return scratch;
}

static uint32_t in_space(uint32_t color, bool linear) { return linear ? look_up(tables.to_linear, color) : color; }

static const uint32_t *merge(const runner *r, const sj_filter_step *step, int y, int x0, int n, uint32_t *out,
                             uint32_t *scratch) {
  const uint32_t *inputs = r->job->plan->inputs.data + step->input;
  bool any = false;
  for (uint32_t i = 0; i < step->input_count; i++) {
    if (inputs[i] == SJ_FILTER_NO_STEP) continue;
    const uint32_t *in = fetch(r, inputs[i], step->linear, y, x0, n, scratch);
    if (any) {
      r->kernels->over(in, out, out, (size_t)n);
    } else {
      memcpy(out, in, (size_t)n * sizeof *out);
    }
    any = true;
  }
  if (!any) memset(out, 0, (size_t)n * sizeof *out);
  return out;
}

static const uint32_t *tint(const runner *r, const sj_filter_step *step, uint32_t color, int y, int x0, int n,
                            uint32_t *out, uint32_t *scratch) {
  uint32_t input = r->job->plan->inputs.data[step->input];
  bool own = input != SJ_FILTER_NO_STEP && step_at(r, input)->linear;  // colours are not looked at
  const uint32_t *in = fetch(r, input, own, y, x0, n, scratch);
  if (color != 0xff000000u) {
    r->kernels->tint(color, in, out, (size_t)n);
  } else {
    for (int i = 0; i < n; i++) out[i] = in[i] & 0xff000000u;
  }
  return out;
}

// A row of each of a step's two inputs.
typedef struct {
  const uint32_t *s, *d;
} row_pair;

static row_pair fetch_both(const runner *r, const sj_filter_step *step, int y, int x0, int n, uint32_t *scratch) {
  const uint32_t *inputs = r->job->plan->inputs.data + step->input;
  const uint32_t *s = fetch(r, inputs[0], step->linear, y, x0, n, scratch);
  return (row_pair){s, fetch(r, inputs[1], step->linear, y, x0, n, scratch + r->row)};
}

// Computes pixels of a row within the step's box. Returns `out`, or where they already are.
static const uint32_t *compute(const runner *r, const sj_filter_step *step, int y, int x0, int n, uint32_t *out,
                               uint32_t *scratch) {
  const stijl_filter *filter = r->job->plan->filter;
  const uint32_t *inputs = r->job->plan->inputs.data + step->input;
  bool linear = step->linear;
  switch (step->kind) {
    case SJ_FILTER_OFFSET: {
      const uint32_t *in = fetch(r, inputs[0], linear, y - step->y, x0 - step->x, n, scratch);
      // Pixels in scratch rows are copied, since the caller's next fetch writes there.
      return in >= scratch && in < scratch + r->row ? memcpy(out, in, (size_t)n * sizeof *out) : in;
    }
    case SJ_FILTER_FLOOD: {
      uint32_t color = in_space(step->color, linear);
      for (int i = 0; i < n; i++) out[i] = color;
      return out;
    }
    case SJ_FILTER_TINT: return tint(r, step, in_space(step->color, linear), y, x0, n, out, scratch);
    case SJ_FILTER_ALPHA: return tint(r, step, 0xff000000u, y, x0, n, out, scratch);
    case SJ_FILTER_MERGE: return merge(r, step, y, x0, n, out, scratch);
    case SJ_FILTER_MATRIX: {
      k_filter_matrix m;
      memcpy(&m, filter->floats.data + step->item, sizeof m);
      r->kernels->matrix(&m, fetch(r, inputs[0], linear, y, x0, n, scratch), out, (size_t)n);
      return out;
    }
    case SJ_FILTER_TRANSFER: {
      bool black = inputs[0] == SJ_FILTER_NO_STEP || step_at(r, inputs[0])->black;
      const uint32_t *in = fetch(r, inputs[0], linear, y, x0, n, scratch);
      (black ? transfer_black : transfer)(filter->bytes.data + step->item, in, out, (size_t)n);
      return out;
    }
    case SJ_FILTER_COMPOSITE: {
      row_pair in = fetch_both(r, step, y, x0, n, scratch);
      r->kernels->composite(step->op, in.s, in.d, out, (size_t)n);
      return out;
    }
    case SJ_FILTER_ARITHMETIC: {
      const float *k = filter->floats.data + step->item;
      row_pair in = fetch_both(r, step, y, x0, n, scratch);
      r->kernels->arithmetic(
          (k_filter_arithmetic){k[0] * (1.0f / 65025.0f), k[1] * (1.0f / 255.0f), k[2] * (1.0f / 255.0f), k[3]}, in.s,
          in.d, out, (size_t)n);
      return out;
    }
    case SJ_FILTER_BLEND: {
      row_pair in = fetch_both(r, step, y, x0, n, scratch);
      r->kernels->blend(step->op, in.s, in.d, out, (size_t)n);
      return out;
    }
    case SJ_FILTER_BLUR:
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_CONVOLVE:
    case SJ_FILTER_DISPLACE:
    case SJ_FILTER_TILE:
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_LIGHT:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: break;  // no points: they are always stored
  }
  return out;
}

static uint32_t *scratch_of(const runner *r, int thread) { return r->scratch + (size_t)thread * r->each; }

static bool may_go_on(runner *r) {
  if (atomic_load_explicit(&r->failed, memory_order_relaxed)) return false;
  if (sj_budget_look(r->job->budget)) return true;
  atomic_store(&r->failed, true);
  return false;
}

// Runs a task for each of `count` numbers, with scratch of so many pixels for each thread.
static bool run(runner *r, uint32_t count, size_t scratch, sj_pool_task task) {
  size_t threads = (size_t)sj_pool_threads(r->job->pool);
  r->each = (scratch + 31) & ~(size_t)15;
  uint32_t *memory = NULL;
  if (r->each < SIZE_MAX / 8 / threads) memory = sj_alloc(r->job->surfaces->context, r->each * threads * 4 + 64);
  if (!memory) return false;
  r->scratch = (uint32_t *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
  sj_pool_run(r->job->pool, count, task, r);
  sj_free(r->job->surfaces->context, memory);
  return !atomic_load(&r->failed);
}

// Makes the surface of the step at work, which of the last step is the job's. Returns false if there is no room.
static bool create_output(const runner *r, sj_surface *out) {
  if (r->index != r->job->plan->result) return sj_surface_create(r->job->surfaces, r->step->box, out);
  *out = r->job->result;
  return true;
}

#define ROWS_A_TASK 16

static uint32_t row_tasks(stijl_irect box) { return (uint32_t)(box.y1 - box.y0 + ROWS_A_TASK - 1) / ROWS_A_TASK; }

// --- Points ---------------------------------------------------------------------------------------------------------

static void point_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  stijl_irect box = r->out.box;
  int n = box.x1 - box.x0, y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  for (; y < end; y++) {
    uint32_t *out = sj_surface_at(&r->out, box.x0, y);
    const uint32_t *got = compute(r, r->step, y, box.x0, n, out, scratch_of(r, thread));
    if (got != out) memcpy(out, got, (size_t)n * sizeof *out);
  }
}

static void noise_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  (void)thread;
  if (!may_go_on(r)) return;
  stijl_irect box = r->out.box;
  int y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  const k_filter_noise *noise = &r->job->plan->noises.data[r->step->item];
  for (; y < end; y++)
    r->kernels->noise(noise, sj_surface_at(&r->out, box.x0, y), (size_t)(box.x1 - box.x0), box.x0, y);
}

// --- Along an axis --------------------------------------------------------------------------------------------------

static void along(const runner *r, const sj_filter_axis *axis, uint32_t *scratch) {
  if (r->blur) {
    r->kernels->blur(r->blur, axis);
  } else {
    r->kernels->extreme(r->step->op != 0, r->radius, axis, scratch);
  }
}

// Works on 16 rows, which are fetched and turned into strips and back.
static void horizontal_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  const sj_surface *out = &r->out;
  uint32_t *scratch = scratch_of(r, thread), *strips = scratch + ROWS * r->row;
  uint32_t input = r->job->plan->inputs.data[r->step->input];
  sj_filter_axis axis = r->axis;
  int x0 = axis.first;  // where the input begins
  size_t count = (size_t)axis.count, wide = (size_t)(out->box.x1 - out->box.x0);
  axis.in = strips;
  axis.out = strips + count * SJ_STRIP;
  axis.first = out->box.x0 - x0;
  uint32_t *more = axis.out + wide * SJ_STRIP;
  const uint32_t *rows[SJ_STRIP] = {0};
  uint32_t *to[SJ_STRIP] = {0};
  uint32_t *kept = more + (r->blur ? 0 : (wide + 4 * (size_t)r->radius + 2) * SJ_STRIP);
  for (int i = 0; i < SJ_STRIP; i++) {
    int y = out->box.y0 + (int)task * SJ_STRIP + i;
    if (y >= out->box.y1) break;
    rows[i] = fetch(r, input, r->step->linear, y, x0, axis.count, scratch);
    // What was computed in the scratch row waits elsewhere for the other rows.
    if (rows[i] >= scratch && rows[i] < scratch + ROWS * r->row) {
      rows[i] = memcpy(kept + (size_t)i * count, rows[i], count * sizeof *kept);
    }
    to[i] = sj_surface_at(out, out->box.x0, y);
  }
  r->kernels->to_strips(rows, strips, count);
  along(r, &axis, more);
  r->kernels->from_strips(axis.out, to, wide);
}

// Works on 16 columns of what the pass before has made.
static void vertical_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  const sj_surface *in = &r->in, *out = &r->out;
  int x = out->box.x0 + (int)task * SJ_STRIP, n = k_min(SJ_STRIP, out->box.x1 - x);
  uint32_t *strips = scratch_of(r, thread);
  sj_filter_axis axis = r->axis;
  size_t count = (size_t)axis.count, high = (size_t)(out->box.y1 - out->box.y0), bytes = (size_t)n * sizeof *strips;
  axis.in = strips;
  axis.out = strips + count * SJ_STRIP;
  axis.first = out->box.y0 - in->box.y0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t *from = in->pixels + i * in->stride + (size_t)(x - in->box.x0);
    if (n == SJ_STRIP) {
      memcpy(strips + i * SJ_STRIP, from, SJ_STRIP * sizeof *strips);
    } else {
      memset(strips + i * SJ_STRIP, 0, SJ_STRIP * sizeof *strips);
      memcpy(strips + i * SJ_STRIP, from, bytes);
    }
  }
  along(r, &axis, axis.out + high * SJ_STRIP);
  for (size_t i = 0; i < high; i++) memcpy(sj_surface_at(out, x, out->box.y0 + (int)i), axis.out + i * SJ_STRIP, bytes);
}

static void fetch_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  stijl_irect box = r->out.box;
  uint32_t input = r->job->plan->inputs.data[r->step->input], *scratch = scratch_of(r, thread);
  int n = box.x1 - box.x0, y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  for (; y < end; y++) {
    const uint32_t *got = fetch(r, input, r->step->linear, y, box.x0, n, scratch);
    memcpy(sj_surface_at(&r->out, box.x0, y), got, (size_t)n * sizeof *got);
  }
}

// Blurs, or does morphology: along the rows into a surface that has all rows that are read, then along its columns.
static bool both_axes(runner *r) {
  const sj_filter_step *step = r->step;
  uint32_t input = r->job->plan->inputs.data[step->input],
           edge = step->kind == SJ_FILTER_BLUR ? step->op : K_FILTER_EDGE_NONE;
  if (input == SJ_FILTER_NO_STEP) return true;  // transparent, as a surface without pixels is
  stijl_irect box = step->box, source = edge == K_FILTER_EDGE_NONE ? step_at(r, input)->box : step->full;
  const sj_filter_blurs *blurs = step->kind == SJ_FILTER_BLUR ? &r->job->plan->blurs.data[step->item] : NULL;
  // A radius beyond both pictures is no larger than what is around them.
  stijl_irect all = sj_irect_unite(source, box);
  int radius_x = k_min(step->x, all.x1 - all.x0), radius_y = k_min(step->y, all.y1 - all.y0);
  stijl_irect between = {box.x0, source.y0, box.x1, source.y1};
  if (edge == K_FILTER_EDGE_NONE) {
    between.y0 = k_max(between.y0, box.y0 - step->y);
    between.y1 = k_min(between.y1, box.y1 + step->y);
  }
  bool vertical = step->y > 0;
  if (!vertical) between = box;
  sj_surface middle, result;
  if (!(vertical ? sj_surface_create(r->job->surfaces, between, &middle) : create_output(r, &middle))) return false;
  r->out = middle;
  size_t wide = (size_t)(source.x1 - source.x0), to = (size_t)(box.x1 - box.x0);
  bool ok;
  r->row = ((k_max(wide, to) + 15) & ~(size_t)15) + 16;
  if (step->x > 0) {
    r->blur = blurs ? &blurs->x : NULL;
    r->radius = radius_x;
    r->axis = (sj_filter_axis){.count = (int)wide, .first = source.x0, .out_count = (int)to, .edge = edge};
    size_t more = blurs ? 0 : (to + 4 * (size_t)radius_x + 2) * SJ_STRIP;
    ok = run(r, row_tasks(between), ROWS * r->row + (wide + to) * SJ_STRIP + more + wide * SJ_STRIP, horizontal_task);
  } else {
    ok = run(r, row_tasks(between), ROWS * r->row, fetch_task);
  }
  if (!ok || !vertical) {
    if (ok)
      r->job->steps[r->index] = middle;
    else
      sj_surface_destroy(r->job->surfaces, &middle);
    return ok;
  }
  if (!create_output(r, &result)) {
    sj_surface_destroy(r->job->surfaces, &middle);
    return false;
  }
  r->in = middle;
  r->out = result;
  r->blur = blurs ? &blurs->y : NULL;
  r->radius = radius_y;
  size_t high = (size_t)(between.y1 - between.y0), rows = (size_t)(box.y1 - box.y0);
  r->axis = (sj_filter_axis){.count = (int)high, .out_count = (int)rows, .edge = edge};
  size_t more = blurs ? 0 : (rows + 4 * (size_t)radius_y + 2) * SJ_STRIP;
  ok = run(r, (uint32_t)(to + SJ_STRIP - 1) / SJ_STRIP, (high + rows) * SJ_STRIP + more, vertical_task);
  sj_surface_destroy(r->job->surfaces, &middle);
  if (ok)
    r->job->steps[r->index] = result;
  else
    sj_surface_destroy(r->job->surfaces, &result);
  return ok;
}

// --- Neighbours -----------------------------------------------------------------------------------------------------

static int edge_at(int i, int from, int to, uint32_t edge) {
  if (edge == K_FILTER_EDGE_DUPLICATE) return i < from ? from : i >= to ? to - 1 : i;
  int n = to - from, k = (i - from) % n;
  return from + (k < 0 ? k + n : k);
}

// Fills rows of the surface `out`; pixels that lie beyond the step's picture are as its edges say.
static void padded_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  stijl_irect box = r->out.box, full = r->step->full;
  uint32_t input = r->job->plan->inputs.data[r->step->input], *scratch = scratch_of(r, thread);
  uint32_t edge = r->step->kind == SJ_FILTER_CONVOLVE ? r->step->op : K_FILTER_EDGE_NONE;
  bool linear = r->step->linear;
  int n = box.x1 - box.x0, y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  for (; y < end; y++) {
    uint32_t *out = sj_surface_at(&r->out, box.x0, y);
    if (edge == K_FILTER_EDGE_NONE) {
      const uint32_t *got = fetch(r, input, linear, y, box.x0, n, scratch);
      memcpy(out, got, (size_t)n * sizeof *out);
      // Of what lies outside, nothing is seen.
      for (int x = box.x0; x < box.x1; x++)
        if (y < full.y0 || y >= full.y1 || x < full.x0 || x >= full.x1) out[x - box.x0] = 0;
    } else {
      int row = edge_at(y, full.y0, full.y1, edge);
      const uint32_t *got = fetch(r, input, linear, row, full.x0, full.x1 - full.x0, scratch);
      for (int x = box.x0; x < box.x1; x++) out[x - box.x0] = got[edge_at(x, full.x0, full.x1, edge) - full.x0];
    }
  }
}

static void convolve_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  const stijl_convolution *given = &r->job->plan->filter->convolutions.data[r->step->item];
  sj_filter_convolve c = {given->columns,
                          given->rows,
                          given->target_x,
                          given->target_y,
                          r->job->plan->filter->floats.data + r->step->kernel,
                          given->bias,
                          given->preserve_alpha};
  stijl_irect box = r->out.box;
  int y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  uint32_t *scratch = scratch_of(r, thread);
  const uint32_t **rows = (const uint32_t **)(void *)scratch;
  float *sums = (float *)(void *)(scratch + 2 * (size_t)c.rows + 2);
  for (; y < end && may_go_on(r); y++) {
    for (int i = 0; i < c.rows; i++) rows[i] = sj_surface_at(&r->in, r->in.box.x0, y - c.target_y + i);
    r->kernels->convolve(&c, rows, sj_surface_at(&r->out, box.x0, y), sums, (size_t)(box.x1 - box.x0));
  }
}

static void light_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  (void)thread;
  if (!may_go_on(r)) return;
  stijl_irect box = r->out.box, full = r->step->full;
  const k_filter_light *light = &r->job->plan->lights.data[r->step->item];
  int y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  uint32_t left = box.x0 == full.x0 ? K_EDGE_LEFT : 0, right = box.x1 == full.x1 ? K_EDGE_RIGHT : 0;
  for (; y < end; y++) {
    uint32_t rows = (y == full.y0 ? K_EDGE_TOP : 0) | (y == full.y1 - 1 ? K_EDGE_BOTTOM : 0);
    r->kernels->light(light, sj_surface_at(&r->in, box.x0, y - 1), sj_surface_at(&r->in, box.x0, y),
                      sj_surface_at(&r->in, box.x0, y + 1), sj_surface_at(&r->out, box.x0, y),
                      (size_t)(box.x1 - box.x0), rows | left, rows | right, box.x0, y);
  }
}

// Does convolution or light, which read from a copy of the input with the edges around.
static bool neighbours(runner *r) {
  const sj_filter_step *step = r->step;
  stijl_irect around = step->box;
  size_t scratch = 16;
  bool convolves = step->kind == SJ_FILTER_CONVOLVE;
  if (convolves) {
    const stijl_convolution *c = &r->job->plan->filter->convolutions.data[step->item];
    around.x0 -= c->target_x;
    around.y0 -= c->target_y;
    around.x1 += c->columns - 1 - c->target_x;
    around.y1 += c->rows - 1 - c->target_y;
    scratch = 4 * (size_t)(step->box.x1 - step->box.x0) + 2 * (size_t)c->rows + 2;
  } else {
    around = (stijl_irect){around.x0 - 1, around.y0 - 1, around.x1 + 1, around.y1 + 1};
  }
  sj_surface padded, result;
  if (!sj_surface_create(r->job->surfaces, around, &padded)) return false;
  r->out = padded;
  size_t wide = (size_t)(around.x1 - around.x0);
  if (convolves && step->op != K_FILTER_EDGE_NONE) wide = k_max(wide, (size_t)(step->full.x1 - step->full.x0));
  r->row = ((wide + 15) & ~(size_t)15) + 16;
  bool ok = run(r, row_tasks(around), ROWS * r->row, padded_task) && create_output(r, &result);
  if (ok) {
    r->in = padded;
    r->out = result;
    ok = run(r, row_tasks(step->box), scratch, convolves ? convolve_task : light_task);
    if (ok)
      r->job->steps[r->index] = result;
    else
      sj_surface_destroy(r->job->surfaces, &result);
  }
  sj_surface_destroy(r->job->surfaces, &padded);
  return ok;
}

// --- Displacement and tiles -----------------------------------------------------------------------------------------

static void displace_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  const sj_filter_step *step = r->step;
  const uint32_t *inputs = r->job->plan->inputs.data + step->input;
  const sj_surface *in = inputs[0] == SJ_FILTER_NO_STEP ? NULL : &r->job->steps[inputs[0]];
  stijl_irect box = r->out.box, from = in && in->pixels ? sj_irect_intersect(in->box, step_at(r, inputs[0])->full)
                                                        : (stijl_irect){0, 0, 0, 0};
  int n = box.x1 - box.x0, y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  for (; y < end; y++) {
    const uint32_t *map = fetch(r, inputs[1], step->op != 0, y, box.x0, n, scratch_of(r, thread));
    uint32_t *out = sj_surface_at(&r->out, box.x0, y);
    for (int i = 0; i < n; i++) {
      uint32_t a = map[i] >> 24, v[2];
      for (int k = 0; k < 2; k++)
        v[k] = step->channels[k] == STIJL_CHANNEL_A ? a : tables.straight[a][k_channel(map[i], step->channels[k])];
      int sx = box.x0 + i + k_filter_displacement(step->scale_x, v[0]);
      int sy = y + k_filter_displacement(step->scale_y, v[1]);
      bool inside = sx >= from.x0 && sx < from.x1 && sy >= from.y0 && sy < from.y1;
      out[i] = inside ? *sj_surface_at(in, sx, sy) : 0;
    }
  }
}

static void tile_task(void *user, uint32_t task, int thread) {
  runner *r = user;
  if (!may_go_on(r)) return;
  const sj_filter_step *step = r->step;
  uint32_t input = r->job->plan->inputs.data[step->input];
  stijl_irect box = r->out.box;
  k_filter_tile tx = step->tile_x, ty = step->tile_y;
  int n = box.x1 - box.x0, y = box.y0 + (int)task * ROWS_A_TASK, end = k_min(y + ROWS_A_TASK, box.y1);
  for (; y < end; y++) {
    uint32_t *out = sj_surface_at(&r->out, box.x0, y);
    if (tx.to <= tx.from || ty.to <= ty.from) {
      memset(out, 0, (size_t)n * sizeof *out);
      continue;
    }
    int row = k_filter_tile_place(ty, k_filter_in_tile(ty, y));
    for (int x = box.x0; x < box.x1;) {
      // As far as pixels follow each other: to the end of the repetition, or of the pixels.
      int inside = k_filter_in_tile(tx, x), from = k_filter_tile_place(tx, inside);
      int left = (tx.period - inside + (1 << tx.bits) - 1) >> tx.bits,
          count = k_min(k_min(left, tx.to - from), box.x1 - x);
      const uint32_t *got = fetch(r, input, step->linear, row, from, count, scratch_of(r, thread));
      memcpy(out + (x - box.x0), got, (size_t)count * sizeof *out);
      x += count;
    }
  }
}

// --- A filter -------------------------------------------------------------------------------------------------------

static bool by_rows(runner *r, sj_pool_task task) {
  r->row = (((size_t)(r->step->box.x1 - r->step->box.x0) + 15) & ~(size_t)15) + 16;
  if (!create_output(r, &r->out)) return false;
  bool ok = run(r, row_tasks(r->step->box), ROWS * r->row, task);
  if (ok)
    r->job->steps[r->index] = r->out;
  else
    sj_surface_destroy(r->job->surfaces, &r->out);
  return ok;
}

static bool execute_step(runner *r) {
  switch (r->step->kind) {
    case SJ_FILTER_BLUR:
    case SJ_FILTER_MORPHOLOGY: return both_axes(r);
    case SJ_FILTER_CONVOLVE:
    case SJ_FILTER_LIGHT: return neighbours(r);
    case SJ_FILTER_TURBULENCE: return by_rows(r, noise_task);
    case SJ_FILTER_DISPLACE: return by_rows(r, displace_task);
    case SJ_FILTER_TILE: return by_rows(r, tile_task);
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_ARITHMETIC:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE: return by_rows(r, point_task);
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: break;  // drawn before
  }
  return true;
}

static stijl_result execute(runner *r, stijl_message *message) {
  sj_filter_job *job = r->job;
  const sj_filter_plan *plan = job->plan;
  for (uint32_t i = 0; i <= plan->result; i++) {
    r->index = i;
    r->step = step_at(r, i);
    if (!r->step->stored || r->step->kind == SJ_FILTER_SOURCE || sj_irect_is_empty(r->step->box) || !r->step->readers)
      continue;
    if (!execute_step(r)) {
      if (atomic_load(&r->failed)) return sj_budget_spent(message);
      if (job->surfaces->limited)
        return sj_fail(message, STIJL_ERROR_LIMIT, "the surfaces of a filter take more than max_layer_bytes, %llu",
                       (unsigned long long)job->surfaces->max_bytes);
      return sj_fail_memory(message);
    }
    for (uint32_t k = 0; k < i; k++)
      if (job->steps[k].pixels && plan->steps.data[k].last <= i && k != plan->result)
        sj_surface_destroy(job->surfaces, &job->steps[k]);
  }
  return STIJL_OK;
}

// Brings the result to sRGB; a source that is the result is copied.
static void finish_result(const runner *r) {
  const sj_filter_plan *plan = r->job->plan;
  const sj_filter_step *step = step_at(r, plan->result);
  const sj_surface *out = &r->job->result;
  size_t n = (size_t)(out->box.x1 - out->box.x0);
  bool copied = step->kind == SJ_FILTER_SOURCE || !r->job->steps[plan->result].pixels;
  if (!copied && (!step->linear || step->black)) return;
  for (int y = out->box.y0; y < out->box.y1; y++) {
    uint32_t *row = sj_surface_at(out, out->box.x0, y);
    if (!copied) {
      convert(false, row, row, n);
      continue;
    }
    const uint32_t *got = fetch(r, plan->result, false, y, out->box.x0, (int)n, row);
    if (got != row) memcpy(row, got, n * sizeof *row);
  }
}

stijl_result sj_filter_execute(sj_filter_job *job, stijl_message *message) {
  const sj_filter_plan *plan = job->plan;
  if (plan->result == SJ_FILTER_NO_STEP) return STIJL_OK;
  need_tables();
  runner r = {.job = job, .kernels = &job->kernels->filter};
  atomic_init(&r.failed, false);
  stijl_result result = execute(&r, message);
  if (result == STIJL_OK) finish_result(&r);
  for (size_t i = 0; i < plan->steps.count; i++) sj_surface_destroy(job->surfaces, &job->steps[i]);
  return result;
}
