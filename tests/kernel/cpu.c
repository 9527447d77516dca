// Every instruction set against the scalar reference, kernel by kernel, on random input: each must give the same bits.
// With STIJL_BENCH set the same input is timed.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "cpu/kernels.h"
#include "isas.h"
#include "kernel/composite.h"
#include "kernel/coverage.h"
#include "test.h"

#define ROWS 40
#define COLUMNS 200

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Runs `body` until 50 ms are spent and prints what one run took, when benchmarking.
#define BENCH(name, isa, body)                                                           \
  if (getenv("STIJL_BENCH")) {                                                           \
    double start = now_ns(), end = start;                                                \
    int runs = 0;                                                                        \
    for (; end - start < 5e7; runs++, end = now_ns()) body;                              \
    printf("# %-12s %-7s %10.0f ns\n", name, stijl_isa_name(isa), (end - start) / runs); \
  }

// --- Memory with guards ----------------------------------------------------------------------------------------------

typedef struct {
  sj_cells cells;
  void *memory[2];
} cell_block;

static cell_block cell_block_create(int columns) {
  cell_block b = {0};
  b.cells.stride = (size_t)((columns + 15) & ~15) + SJ_CELLS_PAD;
  b.cells.touched_stride = (b.cells.stride / SJ_BLOCK + 7) & ~(size_t)7;
  b.memory[0] = aligned_alloc(64, ROWS * b.cells.stride * 4);
  b.memory[1] = aligned_alloc(64, (ROWS * b.cells.touched_stride + 63) & ~(size_t)63);
  memset(b.memory[0], 0, ROWS * b.cells.stride * 4);
  memset(b.memory[1], 0, ROWS * b.cells.touched_stride);
  b.cells.sums = b.memory[0];
  b.cells.touched = b.memory[1];
  return b;
}

static void cell_block_destroy(cell_block *b) {
  free(b->memory[0]);
  free(b->memory[1]);
}

static stijl_irect random_box(sj_random *r, int columns) {
  int x0 = sj_random_int(r, 0, columns), x1 = sj_random_int(r, x0, columns) + 1;
  int y0 = sj_random_int(r, 0, ROWS), y1 = sj_random_int(r, y0, ROWS) + 1;
  return (stijl_irect){x0, y0, x1, y1};
}

static void random_lines(sj_random *r, sj_lines *lines, int count, int size, int reach) {
  for (int i = 0; i < count; i++) {
    int x = sj_random_int(r, -reach, COLUMNS * 256 + reach), y = sj_random_int(r, -reach, ROWS * 256 + reach);
    int snap = sj_random_int(r, 0, 4);  // often on pixel borders, where mistakes live
    if (snap == 0) x &= ~255;
    if (snap == 1) y &= ~255;
    int dx = sj_random_int(r, -size, size + 1), dy = sj_random_int(r, -size, size + 1);
    if (snap == 2) dx &= ~255, x &= ~255;
    if (snap == 3) dx = 0;
    sj_lines_push(lines, x, y, x + dx, y + dy);
  }
}

// --- Tests -----------------------------------------------------------------------------------------------------------

TEST(cover) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(3000)); n++) {
    sj_random r = sj_random_seed(n);
    static const int sizes[] = {300, 1500, 20000, 4000000};
    int kind = sj_random_int(&r, 0, 4), size = sizes[kind];
    sj_lines lines = {.context = sj_context(NULL)};
    random_lines(&r, &lines, sj_random_int(&r, 0, 60), size, kind == 3 ? 4000000 : size);
    stijl_irect box = random_box(&r, COLUMNS);
    int x = sj_random_int(&r, -50, 50), y = sj_random_int(&r, -50, 50);
    cell_block reference = cell_block_create(COLUMNS);
    sj_kernels_for(STIJL_ISA_SCALAR)->cover(&reference.cells, box, x, y, &lines, 0, lines.count);
    EACH_ISA(isa, STIJL_ISA_SSE) {
      const sj_kernels *k = sj_kernels_for(isa);
      cell_block got = cell_block_create(COLUMNS);
      k->cover(&got.cells, box, x, y, &lines, 0, lines.count);
      for (int row = 0; row < ROWS; row++)
        for (size_t column = 0; column < got.cells.stride; column++) {
          size_t i = (size_t)row * got.cells.stride + column;
          if (got.cells.sums[i] != reference.cells.sums[i])
            sj_test_fail(__FILE__, __LINE__, "case %llu, %s, row %d, column %zu: %d, expected %d",
                         (unsigned long long)n, stijl_isa_name(isa), row, column, got.cells.sums[i],
                         reference.cells.sums[i]);
          if (got.cells.sums[i] && !got.cells.touched[(size_t)row * got.cells.touched_stride + column / SJ_BLOCK])
            sj_test_fail(__FILE__, __LINE__, "case %llu: sums in a block not marked", (unsigned long long)n);
        }
      stijl_irect a = k->line_box(&lines, 0), b = sj_line_box(&lines, 0);
      CHECK(memcmp(&a, &b, sizeof a) == 0);
      if (n < 4) BENCH("cover", isa, k->cover(&got.cells, box, x, y, &lines, 0, lines.count))
      cell_block_destroy(&got);
    }
    cell_block_destroy(&reference);
    sj_lines_finish(&lines);
    if (sj_test_failed()) break;
  }
}

// The sums are exact areas: a closed polygon's total over all columns is zero right of it, and its coverage is its
// area.
TEST(coverage_is_area) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(300)); n++) {
    sj_random r = sj_random_seed(n);
    int x[3], y[3];
    for (int i = 0; i < 3; i++) {
      x[i] = sj_random_int(&r, 0, COLUMNS * 256);
      y[i] = sj_random_int(&r, 0, ROWS * 256);
    }
    sj_lines lines = {.context = sj_context(NULL)};
    for (int i = 0; i < 3; i++) sj_lines_push(&lines, x[i], y[i], x[(i + 1) % 3], y[(i + 1) % 3]);
    cell_block b = cell_block_create(COLUMNS);
    sj_kernels_for(STIJL_ISA_SCALAR)->cover(&b.cells, (stijl_irect){0, 0, COLUMNS, ROWS}, 0, 0, &lines, 0, lines.count);
    double area = 0.0;
    for (int row = 0; row < ROWS; row++) {
      int sum = 0;
      for (int column = 0; column <= COLUMNS; column++) {
        sum += b.cells.sums[(size_t)row * b.cells.stride + (size_t)column];
        area += column < COLUMNS ? sum : 0;
      }
      CHECK_INT(sum, 0);
    }
    double twice = (double)(x[1] - x[0]) * (y[2] - y[0]) - (double)(x[2] - x[0]) * (y[1] - y[0]);
    // Crossings are rounded to 1/256 pixel: up to half of that for each row of each edge.
    CHECK_NEAR(fabs(area) / K_FULL_AREA, fabs(twice) / 131072.0, 3 * ROWS * 0.5 / 256 + 0.01);
    cell_block_destroy(&b);
    sj_lines_finish(&lines);
  }
}

static uint32_t random_pixel(sj_random *r) {
  uint32_t alpha = sj_random_int(r, 0, 3) ? sj_random_u32(r) & 255 : 255;
  return k_scale(sj_random_u32(r) | 0xff000000u, alpha);
}

typedef struct {
  sj_painter painter;
  k_paint paint;
  uint32_t ramp[K_RAMP_SIZE];
  uint32_t layer[ROWS * 224];
  stijl_image *image;
} source;

static void random_source(sj_random *r, source *s) {
  sj_painter *p = &s->painter;
  *p = (sj_painter){.stride = 224, .layer_stride = 224, .x = sj_random_int(r, 0, 3000), .y = sj_random_int(r, 0, 3000)};
  p->opacity = sj_random_int(r, 0, 3) ? 255 : (uint32_t)sj_random_int(r, 0, 256);
  int kind = sj_random_int(r, 0, 9);
  if (kind <= 1) {
    p->opacity = 255;
    p->color = random_pixel(r);
    p->opaque = p->color >> 24 == 255;
    return;
  }
  if (kind <= 3) {
    for (size_t i = 0; i < sizeof s->layer / sizeof *s->layer; i++) s->layer[i] = random_pixel(r);
    p->layer = s->layer;
    p->blend = kind == 3 ? (uint32_t)sj_random_int(r, 0, K_BLEND_MODES + 3) : K_BLEND_NORMAL;
    if (p->blend >= K_BLEND_MODES) p->blend += K_BLEND_MASK_ALPHA - K_BLEND_MODES;
    return;
  }
  static const uint32_t kinds[] = {K_PAINT_LINEAR, K_PAINT_CIRCLE, K_PAINT_RADIAL, K_PAINT_SWEEP, K_PAINT_IMAGE};
  _Static_assert(sizeof kinds / sizeof *kinds == K_PAINT_KINDS - 1, "all kinds are compared");
  s->paint = (k_paint){.kind = kinds[kind - 4]};
  k_paint *paint = &s->paint;
  p->paint = paint;
  paint->spread_x = (uint32_t)sj_random_int(r, 0, 3);
  paint->spread_y = (uint32_t)sj_random_int(r, 0, 4);
  bool entries = paint->kind == K_PAINT_LINEAR || paint->kind == K_PAINT_CIRCLE;
  float scale = paint->kind == K_PAINT_IMAGE ? 1.0f : sj_random_int(r, 0, 2) ? 0.01f : 0.001f;
  if (entries) scale *= K_RAMP_LAST;
  float *m = &paint->m.a;
  for (int i = 0; i < 4; i++) m[i] = sj_random_float(r, -scale, scale);
  float far = entries ? K_RAMP_LAST : 1.0f;
  m[4] = sj_random_float(r, -far, far) - m[0] * (float)p->x - m[2] * (float)p->y;
  m[5] = sj_random_float(r, -far, far) - m[1] * (float)p->x - m[3] * (float)p->y;
  if (paint->kind == K_PAINT_IMAGE) {
    paint->sampling = (uint32_t)sj_random_int(r, 0, 3);
    paint->spread_x = (uint32_t)sj_random_int(r, 0, 4);
    if (!sj_random_int(r, 0, 3))  // pixel upon pixel
      *paint = (k_paint){.kind = K_PAINT_IMAGE,
                         .sampling = paint->sampling,
                         .spread_x = paint->spread_x,
                         .spread_y = paint->spread_y,
                         .m = {1.0f, 0.0f, 0.0f, 1.0f, (float)(sj_random_int(r, -60, 20) - p->x),
                               (float)(sj_random_int(r, -20, 20) - p->y)},
                         .fx = (float)sj_random_int(r, -9, 9),
                         .fy = (float)sj_random_int(r, -9, 9)};
    uint32_t pixels[90 * 70];
    for (int i = 0; i < 90 * 70; i++) pixels[i] = random_pixel(r);
    bool small = sj_random_int(r, 0, 2);
    paint->width = small ? 5 : 90;
    paint->height = small ? 3 : 70;
    stijl_format format = sj_random_int(r, 0, 5) ? STIJL_FORMAT_RGBA8 : STIJL_FORMAT_A8;
    CHECK(stijl_image_create(NULL, paint->width, paint->height, format, pixels,
                             (size_t)paint->width * stijl_format_bytes(format), &s->image) == STIJL_OK);
    p->image = s->image;
    return;
  }
  p->opacity = 255;
  bool shared = sj_random_int(r, 0, 2), opaque = shared && sj_random_int(r, 0, 2);
  uint32_t alpha = opaque ? 255 : sj_random_u32(r) & 255;
  for (int i = 0; i < K_RAMP_SIZE; i++)
    s->ramp[i] = shared ? k_scale(sj_random_u32(r) | 0xff000000u, alpha) : random_pixel(r);
  p->ramp = s->ramp;
  paint->color = shared ? 1 + alpha : 0;
  p->opaque = opaque && paint->kind != K_PAINT_RADIAL;
  paint->fr = sj_random_int(r, 0, 2) ? 0.0f : sj_random_float(r, 0.0f, 0.8f);
  paint->fx = paint->kind == K_PAINT_SWEEP ? sj_random_float(r, -4.0f, 4.0f) * K_RAMP_LAST : 0.0f;
  paint->fy = paint->kind == K_PAINT_SWEEP ? sj_random_float(r, 0.0f, 1.0f) : 0.0f;
  paint->dx = sj_random_float(r, -0.8f, 0.8f) / K_RAMP_LAST;
  paint->dy = sj_random_float(r, -0.8f, 0.8f) / K_RAMP_LAST;
  paint->dr = sj_random_float(r, -1.0f, 1.0f) / K_RAMP_LAST;
  paint->a = paint->dx * paint->dx + paint->dy * paint->dy - paint->dr * paint->dr;
  paint->inverse_a = sj_random_int(r, 0, 4) ? 1.0f / paint->a : 0.0f;
}

// Makes sums of random coverage, most of it in runs.
static void random_sums(sj_random *r, cell_block *b, stijl_irect box) {
  for (int row = box.y0; row < box.y1; row++) {
    int sum = 0;
    for (int k = sj_random_int(r, 0, 5); k > 0; k--) {
      int column = sj_random_int(r, box.x0, box.x1), value = sj_random_int(r, -2 * K_FULL_AREA, 2 * K_FULL_AREA + 1);
      if (sj_random_int(r, 0, 2)) value = K_FULL_AREA - sum;
      sum += value;
      b->cells.sums[(size_t)row * b->cells.stride + (size_t)column] += value;
      b->cells.touched[(size_t)row * b->cells.touched_stride + (size_t)column / SJ_BLOCK] = 1;
    }
  }
}

// Returns the alpha of a gradient; that of a ramp's entry where it lies as good as upon a stop, since it may be either
// side.
static double alpha_at(const stijl_stop *stops, size_t count, double scale, double t, uint32_t entry) {
  double before = 0.0, from = (double)stops[0].color.a;
  for (size_t i = 0; i < count; i++) {
    double offset = fmax(before, fmin(1.0, (double)stops[i].offset)), to = (double)stops[i].color.a;
    if (fabs(t - offset) < 1e-6) return entry;
    if (t < offset) return scale * (from + (to - from) * (i ? (t - before) / (offset - before) : 0.0));
    before = offset;
    from = to;
  }
  return scale * from;
}

TEST(ramps) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(4000)); n++) {
    sj_random r = sj_random_seed(n);
    stijl_stop stops[40];
    size_t count = (size_t)sj_random_int(&r, 1, sj_random_int(&r, 0, 8) ? 4 : 40);
    bool opaque = sj_random_int(&r, 0, 2), close = !sj_random_int(&r, 0, 4);
    float at = sj_random_float(&r, -0.1f, 0.3f);
    for (size_t i = 0; i < count; i++) {
      stops[i] = (stijl_stop){at,
                              {sj_random_float(&r, -0.1f, 1.1f), sj_random_float(&r, 0.0f, 1.0f),
                               (float)sj_random_int(&r, 0, 2), opaque ? 1.0f : sj_random_float(&r, 0.0f, 1.0f)}};
      if (sj_random_int(&r, 0, 4)) at += sj_random_float(&r, 0.0f, close ? 1e-4f : 0.4f);
    }
    float opacity = sj_random_int(&r, 0, 2) ? 1.0f : sj_random_float(&r, 0.0f, 1.0f);
    k_ramp_piece pieces[K_RAMP_SIZE], again[K_RAMP_SIZE];
    size_t made = sj_ramp_make(stops, count, opacity, pieces);
    CHECK(sj_ramp_check(pieces, made));
    static uint32_t expected[SJ_RAMP_ROOM], got[SJ_RAMP_ROOM];
    sj_ramp_entries(pieces, made, expected);
    CHECK(expected[K_RAMP_SIZE - 1] == sj_ramp_last(pieces, made));
    EACH_ISA(isa, STIJL_ISA_SCALAR) {
      const sj_kernels *k = sj_kernels_for(isa);
      memset(got, 0, sizeof got);
      k->ramp(pieces, made, got);
      if (memcmp(got, expected, K_RAMP_SIZE * sizeof *got) != 0)
        sj_test_fail(stijl_isa_name(isa), (int)n, "another ramp");
    }
    uint32_t shared = sj_ramp_alpha(pieces, made);
    for (int i = 0; i < K_RAMP_SIZE; i++) {
      CHECK(!shared || expected[i] >> 24 == shared - 1);
      if (close) continue;  // rounding moves entries a part of what is between stops
      double wanted = alpha_at(stops, count, (double)opacity * 255.0, i / (double)K_RAMP_LAST, expected[i] >> 24);
      if (fabs((double)(expected[i] >> 24) - wanted) > 0.6)
        sj_test_fail(__FILE__, __LINE__, "case %d, entry %d: alpha %u, expected %.3f", (int)n, i, expected[i] >> 24,
                     wanted);
    }
    // Saved scenes had entries once.
    made = sj_ramp_read(expected, again);
    sj_ramp_entries(again, made, got);
    CHECK(sj_ramp_check(again, made) && memcmp(got, expected, K_RAMP_SIZE * sizeof *got) == 0);
  }
}

// Returns a rectangle in 24.8, mostly with some sides in the box.
static stijl_irect random_rectangle(sj_random *r, stijl_irect box) {
  int reach = sj_random_int(r, 0, 2) ? 300 : 20000, x = sj_random_int(r, box.x0 * 256 - reach, box.x1 * 256 + 1);
  int y = sj_random_int(r, box.y0 * 256 - reach, box.y1 * 256 + 1);
  return (stijl_irect){x, y, x + sj_random_int(r, 0, 2 * reach), y + sj_random_int(r, 0, 2 * reach)};
}

TEST(sweep_and_fill) {
  static source s;
  static uint32_t below[ROWS * 224], expected[ROWS * 224];
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(4000)); n++) {
    sj_random r = sj_random_seed(n);
    s.image = NULL;
    random_source(&r, &s);
    for (size_t i = 0; i < ROWS * 224; i++) below[i] = random_pixel(&r);
    stijl_irect box = random_box(&r, COLUMNS);
    bool evenodd = sj_random_int(&r, 0, 2), through = sj_random_int(&r, 0, 4) > 0;
    uint64_t state = r.state;
    uint32_t *pixels = aligned_alloc(64, sizeof below);
    EACH_ISA(isa, STIJL_ISA_SCALAR) {
      const sj_kernels *k = sj_kernels_for(isa);
      memcpy(pixels, below, sizeof below);
      s.painter.pixels = pixels;
      cell_block cells = cell_block_create(COLUMNS);
      r.state = state;
      if (through) {
        random_sums(&r, &cells, box);
        k->sweep(&cells.cells, box, evenodd, &s.painter);
        for (size_t i = 0; i < ROWS * cells.cells.stride; i++) CHECK_INT(cells.cells.sums[i], 0);
        for (size_t i = 0; i < ROWS * cells.cells.touched_stride; i++) CHECK_INT(cells.cells.touched[i], 0);
      } else if (sj_random_int(&r, 0, 8)) {
        k->fill(random_rectangle(&r, box), box, &s.painter);
      } else {
        k->clear(pixels, 224, box, 0x80402010u);
      }
      cell_block_destroy(&cells);
      if (isa == STIJL_ISA_SCALAR) memcpy(expected, pixels, sizeof below);
      for (int i = 0; i < ROWS * 224; i++)
        if (pixels[i] != expected[i]) {
          sj_test_fail(__FILE__, __LINE__, "case %llu, %s, paint %d, row %d, column %d: %08x, expected %08x on %08x",
                       (unsigned long long)n, stijl_isa_name(isa), s.painter.paint ? (int)s.paint.kind : -1, i / 224,
                       i % 224, pixels[i], expected[i], below[i]);
          break;
        }
      if (n < 8) BENCH("fill", isa, k->fill(random_rectangle(&r, box), box, &s.painter))
    }
    free(pixels);
    stijl_image_destroy(s.image);
    if (sj_test_failed()) break;
  }
}

// Makes a small draw somewhere on the canvas, and its lines: closed polygons within its box, which they often touch.
static sj_small random_small(sj_random *r, sj_lines *lines) {
  sj_small small = {.x = sj_random_int(r, -1, 224 - SJ_BLOCK),
                    .y = sj_random_int(r, -3, ROWS),
                    .width = sj_random_int(r, 1, SJ_SMALL_COLUMNS + 1),
                    .rows = sj_random_int(r, 1, sj_random_int(r, 0, 2) ? 4 : SJ_SMALL_ROWS + 1),
                    .opaque = sj_random_int(r, 0, 2),
                    .evenodd = sj_random_int(r, 0, 2),
                    .rectangle = !sj_random_int(r, 0, 4)};
  small.x = k_max(small.x, 0);
  small.top = k_max(0, -small.y);
  small.bottom = k_min(small.rows, ROWS - small.y);
  small.bottom = k_max(small.bottom, small.top);
  small.color = random_pixel(r) >> 24 ? 0x80402010u : 0;
  if (small.opaque) small.color = random_pixel(r) | 0xff000000u;
  int width = small.width * 256, rows = small.rows * 256, left = small.x * 256, top = small.y * 256;
  if (small.rectangle) {
    int x = sj_random_int(r, 0, width), y = sj_random_int(r, 0, rows);
    small.edges =
        (stijl_irect){left + x, top + y, left + sj_random_int(r, x, width + 1), top + sj_random_int(r, y, rows + 1)};
    return small;
  }
  small.first = lines->count;
  int x[8], y[8], count = sj_random_int(r, 2, 8);
  for (int i = 0; i < count; i++) {
    x[i] =
        left + (sj_random_int(r, 0, 5) ? sj_random_int(r, 0, width + 1) : sj_random_int(r, 0, small.width + 1) * 256);
    y[i] = top + (sj_random_int(r, 0, 5) ? sj_random_int(r, 0, rows + 1) : sj_random_int(r, 0, small.rows + 1) * 256);
  }
  for (int i = 0; i < count; i++) sj_lines_push(lines, x[i], y[i], x[(i + 1) % count], y[(i + 1) % count]);
  if (sj_lines_reserve(lines, 1) && !sj_random_int(r, 0, 4)) {  // one without height, as flattening leaves them
    lines->x0[lines->count] = x[0], lines->x1[lines->count] = x[1];
    lines->y0[lines->count] = lines->y1[lines->count] = y[0];
    lines->count++;
  }
  small.count = lines->count - small.first;
  return small;
}

// Paints a small draw as any other, which is what painting it means.
static void paint_as_any(const sj_kernels *k, const sj_lines *lines, const sj_small *draw, uint32_t *pixels) {
  cell_block b = cell_block_create(COLUMNS + 24);
  stijl_irect box = {draw->x, k_max(draw->y, 0), draw->x + draw->width, k_min(draw->y + draw->rows, ROWS)};
  sj_painter painter = {.pixels = pixels,
                        .stride = 224,
                        .color = draw->color,
                        .opacity = 255,
                        .blend = K_BLEND_NORMAL,
                        .opaque = draw->opaque};
  if (box.y0 < box.y1 && draw->rectangle) k->fill(draw->edges, box, &painter);
  if (box.y0 < box.y1 && !draw->rectangle) {
    k->cover(&b.cells, box, 0, 0, lines, draw->first, draw->count);
    k->sweep(&b.cells, box, draw->evenodd, &painter);
  }
  cell_block_destroy(&b);
}

TEST(small_draws) {
  static uint32_t below[ROWS * 224], expected[ROWS * 224], pixels[ROWS * 224];
  static int32_t sums[SJ_SMALL_SUMS];
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(3000)); n++) {
    sj_random r = sj_random_seed(n);
    for (size_t i = 0; i < ROWS * 224; i++) below[i] = expected[i] = random_pixel(&r);
    sj_lines lines = {.context = sj_context(NULL)};
    sj_small draws[SJ_SMALL_DRAWS];
    uint32_t count = 0, most = (uint32_t)sj_random_int(&r, 1, SJ_SMALL_DRAWS + 1);
    for (int rows = 0; count < most; count++) {
      draws[count] = random_small(&r, &lines);
      rows += draws[count].rectangle ? 0 : draws[count].rows;
      if (rows > SJ_SMALL_ALL_ROWS) break;
      paint_as_any(sj_kernels_for(STIJL_ISA_SCALAR), &lines, &draws[count], expected);
    }
    EACH_ISA(isa, STIJL_ISA_SCALAR) {
      const sj_kernels *k = sj_kernels_for(isa);
      if (!k->paint_small) continue;
      memcpy(pixels, below, sizeof below);
      for (uint32_t i = 0; i < count; i++)
        draws[i].pixels =
            pixels + (draws[i].y + draws[i].top < ROWS ? draws[i].y + draws[i].top : 0) * 224 + draws[i].x;
      k->paint_small(sums, &lines, draws, count, 224);
      for (size_t i = 0; i < SJ_SMALL_SUMS; i++) CHECK_INT(sums[i], 0);
      if (memcmp(pixels, expected, sizeof pixels) != 0)
        sj_test_fail(__FILE__, __LINE__, "case %llu, %s: %u draws differ", (unsigned long long)n, stijl_isa_name(isa),
                     count);
    }
    sj_lines_finish(&lines);
    if (sj_test_failed()) break;
  }
}

// --- Flattening ------------------------------------------------------------------------------------------------------

typedef struct {
  int32_t v[4];
} line;

static int compare_lines(const void *a, const void *b) { return memcmp(a, b, sizeof(line)); }

static line *sorted_lines(const sj_lines *lines, size_t *count) {
  line *all = malloc((lines->count + 1) * sizeof *all);
  *count = 0;
  for (size_t i = 0; i < lines->count; i++)
    if (lines->y0[i] != lines->y1[i])
      all[(*count)++] = (line){{lines->x0[i], lines->y0[i], lines->x1[i], lines->y1[i]}};
  qsort(all, *count, sizeof *all, compare_lines);
  return all;
}

static void random_path(sj_random *r, stijl_path *path, float size) {
#define AT sj_random_float(r, -size, size)
  stijl_path_move_to(path, AT, AT);
  float x = 0.0f, y = 0.0f;
  for (int i = sj_random_int(r, 1, 12); i > 0; i--) {
    int verb = sj_random_int(r, 0, 13);
    if (verb == 12) {  // a run of lines, whose turns are often small
      float turn = sj_random_float(r, 0.0f, 1.0f), reach = turn * turn * size;
      for (int k = sj_random_int(r, 1, sj_random_int(r, 0, 8) ? 40 : 600); k > 0; k--)
        stijl_path_line_to(path, x += 0.3f * reach + sj_random_float(r, -reach, reach),
                           y += sj_random_float(r, -reach, reach));
    } else if (verb < 3)
      stijl_path_line_to(path, x = AT, y = AT);
    else if (verb < 5)
      stijl_path_quad_to(path, AT, AT, x = AT, y = AT);
    else if (verb < 8)
      stijl_path_cubic_to(path, AT, AT, AT, AT, x = AT, y = AT);
    else if (verb == 8)
      stijl_path_close(path);
    else if (verb == 9)
      stijl_path_move_to(path, x = AT, y = AT);
    else if (verb == 10)
      stijl_path_cubic_to(path, x, y, AT, AT, AT, AT);  // starts without a tangent
    else
      stijl_path_line_to(path, x, y);  // without length
  }
#undef AT
}

static stijl_scene *random_scene(uint64_t n) {
  sj_random r = sj_random_seed(n);
  stijl_scene *scene;
  CHECK(stijl_scene_create(NULL, NULL, &scene) == STIJL_OK);
  stijl_path *path;
  CHECK(stijl_path_create(NULL, &path) == STIJL_OK);
  static const float sizes[] = {3.0f, 60.0f, 2000.0f, 5e5f};
  float size = sizes[sj_random_int(&r, 0, 4)];
  random_path(&r, path, size);
  stijl_matrix m = {sj_random_float(&r, -2, 2), sj_random_float(&r, -2, 2),  sj_random_float(&r, -2, 2),
                    sj_random_float(&r, -2, 2), sj_random_float(&r, 0, 100), sj_random_float(&r, 0, 100)};
  stijl_paint paint = STIJL_PAINT_INIT;
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, &m, &paint);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = sj_random_float(&r, 0.1f, 40.0f);
  stroke.cap = (stijl_cap)sj_random_int(&r, 0, 3);
  stroke.join = (stijl_join)sj_random_int(&r, 0, 4);
  stroke.miter_limit = sj_random_float(&r, 1.0f, 12.0f);
  stijl_matrix pen = stijl_matrix_scale(sj_random_float(&r, 0.2f, 3.0f), 1.0f);
  if (sj_random_int(&r, 0, 3) == 0) stroke.pen = &pen;
  stijl_scene_stroke(scene, path, &stroke, &m, &paint);
  stijl_path_destroy(path);
  CHECK(stijl_scene_finish(scene) == STIJL_OK);
  return scene;
}

TEST(flatten) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(3000)); n++) {
    stijl_scene *scene = random_scene(n);
    sj_encoded encoded = {0};
    stijl_context *context = sj_context(NULL);
    stijl_irect canvas = {0, 0, 400, 400};
    CHECK_INT(sj_encode(context, scene, stijl_matrix_identity(), canvas, &encoded, NULL), STIJL_OK);
    for (size_t d = 0; d < encoded.draws.count; d++) {
      sj_lines expected = {.context = context};
      sj_kernels_for(STIJL_ISA_SCALAR)->flatten(&encoded, &encoded.draws.data[d], &expected);
      size_t count;
      line *reference = sorted_lines(&expected, &count);
      EACH_ISA(isa, STIJL_ISA_SSE) {
        const sj_kernels *k = sj_kernels_for(isa);
        sj_lines got = {.context = context};
        k->flatten(&encoded, &encoded.draws.data[d], &got);
        size_t got_count;
        line *lines = sorted_lines(&got, &got_count);
        bool same = got_count == count && memcmp(lines, reference, count * sizeof *lines) == 0;
        if (!same)
          sj_test_fail(__FILE__, __LINE__, "case %llu, %s, draw %zu: other lines (%zu, expected %zu)",
                       (unsigned long long)n, stijl_isa_name(isa), d, got_count, count);
        free(lines);
        if (n < 4) BENCH("flatten", isa, (got.count = 0, k->flatten(&encoded, &encoded.draws.data[d], &got)))
        sj_lines_finish(&got);
      }
      // Whatever was drawn, the lines close, unless some were left out: what winds in winds out.
      encoded.draws.data[d].flags &= ~K_DRAW_CUT;
      expected.count = 0;
      sj_kernels_for(STIJL_ISA_SCALAR)->flatten(&encoded, &encoded.draws.data[d], &expected);
      int64_t height = 0;
      for (size_t i = 0; i < expected.count; i++) height += expected.y1[i] - expected.y0[i];
      if (!(encoded.draws.data[d].flags & K_DRAW_FAR)) CHECK_INT(height, 0);
      free(reference);
      sj_lines_finish(&expected);
    }
    sj_encoded_finish(context, &encoded);
    stijl_scene_destroy(scene);
    if (sj_test_failed()) break;
  }
}

// Makes a scene of many small fills under a few matrices.
static stijl_scene *scene_of_fills(sj_random *r) {
  stijl_scene *scene;
  CHECK(stijl_scene_create(NULL, NULL, &scene) == STIJL_OK);
  stijl_paint paint = STIJL_PAINT_INIT;
  stijl_matrix m = stijl_matrix_identity();
  for (int i = sj_random_int(r, 1, 40); i > 0; i--) {
    stijl_path *path;
    CHECK(stijl_path_create(NULL, &path) == STIJL_OK);
    float size = sj_random_int(r, 0, 12) ? sj_random_float(r, 0.1f, 40.0f) : 3000.0f;
    if (sj_random_int(r, 0, 3))
      stijl_path_add_rect(path, 0.0f, 0.0f, size, 0.5f * size);
    else
      random_path(r, path, size);
    if (!sj_random_int(r, 0, 3))
      m = (stijl_matrix){sj_random_float(r, -2, 2), sj_random_float(r, -2, 2),       sj_random_float(r, -2, 2),
                         sj_random_float(r, -2, 2), sj_random_float(r, 5000, 20000), sj_random_float(r, 5000, 20000)};
    stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, &m, &paint);
    stijl_path_destroy(path);
  }
  CHECK(stijl_scene_finish(scene) == STIJL_OK);
  return scene;
}

TEST(flatten_fills) {
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(1000)); n++) {
    sj_random r = sj_random_seed(n);
    stijl_scene *scene = scene_of_fills(&r);
    sj_encoded encoded = {0};
    stijl_context *context = sj_context(NULL);
    CHECK_INT(
        sj_encode(context, scene, stijl_matrix_identity(), (stijl_irect){-9000, -9000, 30000, 30000}, &encoded, NULL),
        STIJL_OK);
    uint32_t draws = 0;
    for (size_t d = 0; d < encoded.draws.count; d++)
      if (!(encoded.draws.data[d].flags & (K_DRAW_CUT | K_DRAW_FAR)))
        encoded.draws.data[draws++] = encoded.draws.data[d];
    EACH_ISA(isa, STIJL_ISA_SCALAR) {
      sj_lines got = {.context = context};
      size_t ends[40], first = 0;
      sj_kernels_for(isa)->flatten_fills(&encoded, encoded.draws.data, draws, &got, ends);
      for (uint32_t d = 0; d < draws; first = ends[d++]) {
        sj_lines expected = {.context = context}, own = {.count = ends[d] - first};
        sj_kernels_for(STIJL_ISA_SCALAR)->flatten(&encoded, &encoded.draws.data[d], &expected);
        own.x0 = got.x0 + first, own.y0 = got.y0 + first, own.x1 = got.x1 + first, own.y1 = got.y1 + first;
        size_t count, own_count;
        line *reference = sorted_lines(&expected, &count), *lines = sorted_lines(&own, &own_count);
        if (own_count != count || memcmp(lines, reference, count * sizeof *lines) != 0)
          sj_test_fail(__FILE__, __LINE__, "case %llu, %s, draw %u: other lines (%zu, expected %zu)",
                       (unsigned long long)n, stijl_isa_name(isa), d, own_count, count);
        free(reference);
        free(lines);
        sj_lines_finish(&expected);
      }
      CHECK(!draws || ends[draws - 1] == got.count);
      sj_lines_finish(&got);
    }
    sj_encoded_finish(context, &encoded);
    stijl_scene_destroy(scene);
    if (sj_test_failed()) break;
  }
}

// Checks that columns whose sums, with all before them, are not zero lie within the pixels of the lines, or to the
// right of them when lines were left out there.
static void check_reach(const cell_block *b, stijl_irect box, stijl_irect lines, bool past_right) {
  for (int row = box.y0; row < box.y1; row++) {
    int sum = 0;
    for (int column = box.x0; column < box.x1; column++) {
      sum += b->cells.sums[(size_t)row * b->cells.stride + (size_t)column];
      if (sum) CHECK(column >= lines.x0 >> 8 && (past_right || column < (lines.x1 + 255) >> 8));
    }
  }
}

// What lies outside of the box may be left out, and the box has the same sums, to the bit.
TEST(culling) {
  const sj_kernels *scalar = sj_kernels_for(STIJL_ISA_SCALAR);
  stijl_context *context = sj_context(NULL);
  uint64_t kept = 0, all = 0;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(1500)) && !sj_test_failed(); n++) {
    stijl_scene *scene = random_scene(n);
    sj_random r = sj_random_seed(n + 100000);
    sj_encoded encoded = {0};
    stijl_irect region = {0, 0, COLUMNS, ROWS};
    CHECK_INT(sj_encode(context, scene, stijl_matrix_identity(), region, &encoded, NULL), STIJL_OK);
    for (size_t d = 0; d < encoded.draws.count; d++) {
      k_draw *draw = &encoded.draws.data[d];
      stijl_irect box = random_box(&r, COLUMNS);
      draw->x0 = box.x0, draw->y0 = box.y0, draw->x1 = box.x1, draw->y1 = box.y1;
      sj_lines lines = {.context = context};
      draw->flags &= ~K_DRAW_CUT;
      CHECK(!scalar->flatten(&encoded, draw, &lines));
      cell_block expected = cell_block_create(COLUMNS);
      scalar->cover(&expected.cells, box, 0, 0, &lines, 0, lines.count);
      draw->flags |= K_DRAW_CUT;
      all += lines.count;
      EACH_ISA(isa, STIJL_ISA_SCALAR) {
        const sj_kernels *k = sj_kernels_for(isa);
        sj_lines few = {.context = context};
        bool past_right = k->flatten(&encoded, draw, &few);
        cell_block got = cell_block_create(COLUMNS);
        scalar->cover(&got.cells, box, 0, 0, &few, 0, few.count);
        for (int row = box.y0; row < box.y1; row++) {
          size_t at = (size_t)row * got.cells.stride + (size_t)box.x0;
          if (memcmp(got.cells.sums + at, expected.cells.sums + at, (size_t)(box.x1 - box.x0) * sizeof(int32_t)))
            sj_test_fail(__FILE__, __LINE__, "case %llu, %s, draw %zu, row %d: other sums", (unsigned long long)n,
                         stijl_isa_name(isa), d, row);
        }
        check_reach(&got, box, sj_line_box(&few, 0), past_right);
        if (isa == STIJL_ISA_SCALAR) kept += few.count;
        cell_block_destroy(&got);
        sj_lines_finish(&few);
      }
      cell_block_destroy(&expected);
      sj_lines_finish(&lines);
    }
    sj_encoded_finish(context, &encoded);
    stijl_scene_destroy(scene);
  }
  printf("# %llu of %llu lines kept\n", (unsigned long long)kept, (unsigned long long)all);
  if (all > 1000000) CHECK(5 * kept < all);  // all cases, not a single one
}

// Tells which instruction sets are not there. The tests above compare those that are.
static void told(stijl_isa isa) {
  char why[100];
  snprintf(why, sizeof why, "no %s on this processor: its code was not compared", stijl_isa_name(isa));
  if (!stijl_isa_available(isa)) sj_test_skip(why);
}

#if defined(__x86_64__) || defined(__i386__)
TEST(has_sse) { told(STIJL_ISA_SSE); }
TEST(has_avx2) { told(STIJL_ISA_AVX2); }
TEST(has_avx512) { told(STIJL_ISA_AVX512); }
#elif defined(__aarch64__)
TEST(has_neon) { told(STIJL_ISA_NEON); }
#elif defined(__wasm__)
TEST(has_wasm) { told(STIJL_ISA_WASM); }
#endif
