// Coverage beside the area that is inside, by kinds of paths: it is exact where no pixel holds more than two windings,
// and so for all that is recorded as the outline of what it covers. Where it is not this tells how far it is off
// (docs/architecture.md, "Arithmetic").
//   STIJL_EXACTNESS_CASES=N   so many random paths of each kind
#include <stdlib.h>

#include "exact.h"
#include "cpu/kernels.h"
#include "geometry/dense.h"
#include "geometry/path.h"
#include "isas.h"
#include "picture.h"
#include "random.h"
#include "scene/encode.h"

enum { SIZE = 40, CASES = 25 };

typedef struct kind {
  const char *name;
  bool stroke;
  void (*add)(sj_random *r, stijl_path *path);  // in pixels
  bool plain;                                   // no pixel may have more windings than two, or be inexact
  bool curved;                                  // there may be curves, or round joins and caps
} kind;

static float any(sj_random *r, float lo, float hi) { return sj_random_float(r, lo, hi); }
static bool chance(sj_random *r, int of) { return sj_random_int(r, 0, of) == 0; }

// Adds a contour around a point, with no two corners in one direction: it does not cross itself.
static void add_star(sj_random *r, stijl_path *path, float x, float y, float low, float high, bool back) {
  int corners = sj_random_int(r, 3, 12), curved = sj_random_int(r, 0, 2);
  for (int i = 0; i < corners; i++) {
    float angle = 6.2831853f * ((float)i + any(r, 0.1f, 0.9f)) / (float)corners * (back ? -1.0f : 1.0f);
    float radius = any(r, low, high), px = x + radius * cosf(angle), py = y + radius * sinf(angle);
    if (i == 0)
      stijl_path_move_to(path, px, py);
    else if (curved && i % 2 == 0)  // bent towards the middle of the star, so it stays in its own sector
      stijl_path_quad_to(path, x + 0.7f * (px - x), y + 0.7f * (py - y), px, py);
    else
      stijl_path_line_to(path, px, py);
  }
  stijl_path_close(path);
}

static void simple(sj_random *r, stijl_path *path) {
  float radius = any(r, 0.3f, 22);
  add_star(r, path, any(r, 5, 35), any(r, 5, 35), 0.3f * radius, radius, chance(r, 2));
}

// Adds a contour each for some cells of a grid, a pixel apart or more, all in one direction or each in its own.
static void apart(sj_random *r, stijl_path *path) {
  int cells = sj_random_int(r, 2, 6), mixed = sj_random_int(r, 0, 2);
  bool back = chance(r, 2);
  float side = (float)SIZE / (float)cells;
  for (int i = 0; i < cells * cells; i++) {
    if (chance(r, 3)) continue;
    float x = side * ((float)(i % cells) + 0.5f), y = side * ((float)(i / cells) + 0.5f);
    add_star(r, path, x, y, 0.5f, 0.5f * side - 1.1f, mixed ? chance(r, 2) : back);
  }
}

static void holes(sj_random *r, stijl_path *path) {
  float x = any(r, 15, 25), y = any(r, 15, 25);
  bool back = chance(r, 2);
  for (float radius = 22; radius > 2; back = !back) {
    float inner = radius * any(r, 0.4f, 0.9f);
    stijl_path_move_to(path, x + radius, y);
    for (int i = 1; i < 24; i++) {
      float angle = 0.2617994f * (float)i * (back ? -1.0f : 1.0f), at = radius;
      stijl_path_line_to(path, x + at * cosf(angle), y + at * sinf(angle));
    }
    stijl_path_close(path);
    radius = inner - 1.5f;
  }
}

static float snapped(sj_random *r, bool snap, float lo, float hi) {
  float v = any(r, lo, hi);
  return snap ? 0.5f * (float)(int)(2.0f * v) : v;
}

// Adds contours that meet, overlap, coincide and run against one another.
static void contours(sj_random *r, stijl_path *path) {
  int few = sj_random_int(r, 2, 20), count = chance(r, 4) ? sj_random_int(r, 20, 201) : few;
  bool snap = chance(r, 2);
  float x = 10, y = 10, w = 10, h = 10;
  for (int i = 0; i < count; i++) {
    if (!chance(r, 4)) {  // else the one before, once more
      x = snapped(r, snap, -3, 38);
      y = snapped(r, snap, -3, 38);
      w = snapped(r, snap, 0.5f, chance(r, 3) ? 30 : 6);
      h = snapped(r, snap, 0.5f, chance(r, 3) ? 30 : 6);
    }
    bool back = chance(r, 2);
    int shape = sj_random_int(r, 0, 4);
    if (shape == 0) {
      stijl_path_move_to(path, x, y);
      stijl_path_line_to(path, back ? x : x + w, back ? y + h : y);
      stijl_path_line_to(path, x + w, y + h);
      stijl_path_line_to(path, back ? x + w : x, back ? y : y + h);
      stijl_path_close(path);
    } else if (shape == 1) {
      stijl_path_add_ellipse(path, x + 0.5f * w, y + 0.5f * h, 0.5f * w, 0.5f * h);
    } else if (shape == 2) {
      add_star(r, path, x, y, 0.3f * w, w, back);
    } else {  // crosses itself
      stijl_path_move_to(path, x, y);
      stijl_path_line_to(path, x + w, y + h);
      stijl_path_line_to(path, x + w, y);
      stijl_path_line_to(path, x, y + h);
      stijl_path_close(path);
    }
  }
}

// Adds a grid whose cells run in turn forwards and backwards.
static void lattice(sj_random *r, stijl_path *path) {
  float x0 = any(r, 0, 4), y0 = any(r, 0, 4), side = any(r, 1.5f, 9);
  int cells = (int)(34 / side);
  for (int i = 0; i < cells * cells; i++) {
    float x = x0 + side * (float)(i % cells), y = y0 + side * (float)(i / cells);
    bool back = (i % cells + i / cells) & 1;
    stijl_path_move_to(path, x, y);
    stijl_path_line_to(path, back ? x : x + side, back ? y + side : y);
    stijl_path_line_to(path, x + side, y + side);
    stijl_path_line_to(path, back ? x + side : x, back ? y : y + side);
    stijl_path_close(path);
  }
}

static void spokes(sj_random *r, stijl_path *path) {
  int count = sj_random_int(r, 20, 200);
  float x = any(r, 15, 25), y = any(r, 15, 25), radius = any(r, 8, 25);
  for (int i = 0; i < count; i++) {
    float a = 6.2831853f * (float)i / (float)count, b = a + 6.2831853f * any(r, 0.3f, 1.5f) / (float)count;
    stijl_path_move_to(path, x, y);
    stijl_path_line_to(path, x + radius * cosf(a), y + radius * sinf(a));
    stijl_path_line_to(path, x + radius * cosf(b), y + radius * sinf(b));
    stijl_path_close(path);
  }
}

static void polyline(sj_random *r, stijl_path *path) {
  int points = sj_random_int(r, 2, 14);
  for (int i = 0; i < points; i++) (i ? stijl_path_line_to : stijl_path_move_to)(path, any(r, -2, 42), any(r, -2, 42));
  if (chance(r, 3)) stijl_path_close(path);
}

// Adds a line as a chart's: it only goes right.
static void chart(sj_random *r, stijl_path *path) {
  float step = any(r, 1, 8);
  for (float x = 1; x < SIZE; x += step) (x > 1 ? stijl_path_line_to : stijl_path_move_to)(path, x, any(r, 5, 35));
}

// Adds a line as a map's: many short pieces.
static void coast(sj_random *r, stijl_path *path) {
  float x = any(r, 5, 35), y = any(r, 5, 35), angle = any(r, -3, 3), step = any(r, 0.3f, 3);
  stijl_path_move_to(path, x, y);
  for (int i = sj_random_int(r, 10, 80); i > 0; i--) {
    angle += any(r, -0.9f, 0.9f);
    stijl_path_line_to(path, x += step * cosf(angle), y += step * sinf(angle));
  }
}

static void curves(sj_random *r, stijl_path *path) {
  stijl_path_move_to(path, any(r, 0, 40), any(r, 0, 40));
  for (int i = sj_random_int(r, 1, 5); i > 0; i--)
    stijl_path_cubic_to(path, any(r, 0, 40), any(r, 0, 40), any(r, 0, 40), any(r, 0, 40), any(r, 0, 40), any(r, 0, 40));
  if (chance(r, 3)) stijl_path_close(path);
}

static void boxes(sj_random *r, stijl_path *path) {
  for (int i = sj_random_int(r, 1, 4); i > 0; i--) {
    float w = any(r, 3, 20), h = any(r, 3, 20);
    stijl_path_add_rect(path, any(r, 1, 30), any(r, 1, 30), w, h);
  }
}

// Adds lines that run forth and back, nearly along one another.
static void hatching(sj_random *r, stijl_path *path) {
  float gap = any(r, 0.3f, 4);
  for (float y = 3; y < 37; y += gap) {
    stijl_path_move_to(path, any(r, 1, 4), y + any(r, -0.2f, 0.2f));
    stijl_path_line_to(path, any(r, 36, 39), y + any(r, -0.2f, 0.2f));
    stijl_path_line_to(path, any(r, 1, 4), y + any(r, -0.2f, 0.2f));
  }
}

static const kind kinds[] = {
    {"simple contours", false, simple, true, true},
    {"contours apart", false, apart, true, true},
    {"rings", false, holes, true, false},
    {"any contours", false, contours, false, true},
    {"any curves", false, curves, false, true},
    {"lattices", false, lattice, true, false},
    {"spokes", false, spokes, false, false},
    {"polylines", true, polyline, false, true},
    {"charts", true, chart, false, true},
    {"coasts", true, coast, false, true},
    {"boxes", true, boxes, false, true},
    {"curves", true, curves, false, true},
    {"hatching", true, hatching, false, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static stijl_stroke any_stroke(sj_random *r, float scale, float *dashes) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  float w = any(r, 0, 1);
  stroke.width = (0.2f + 12.0f * w * w * w) / scale;
  stroke.cap = (stijl_cap)sj_random_int(r, 0, 3);
  stroke.join = (stijl_join)sj_random_int(r, 0, 4);
  stroke.miter_limit = any(r, 1, 10);
  if (!chance(r, 4)) return stroke;
  dashes[0] = any(r, 0.5f, 8) / scale;
  dashes[1] = any(r, 0.1f, 8) / scale;
  stroke.dashes = dashes;
  stroke.dash_count = 2;
  stroke.dash_offset = any(r, 0, 4) / scale;
  return stroke;
}

// How a path was recorded: OVERLAPS are left where an outline would take too long, and in strokes whose segments
// overlap though they meet nowhere. CORNERS are all that is cut of a stroke.
typedef enum { OVERLAPS, CORNERS, OUTLINE } form;

// Records a path as it is, and not as the outline of what it covers.
static void record_plainly(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool evenodd,
                           const stijl_matrix *grow) {
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 1, 1, 1});
  if (stroke) {  // strokes with a pen of their own are
    stijl_stroke penned = *stroke;
    penned.pen = grow;
    stijl_scene_stroke(scene, path, &penned, grow, &paint);
    return;
  }
  sj_draw draw = {.op = K_DRAW_FILL, .flags = evenodd ? K_DRAW_EVENODD : 0, .transform = *grow};
  CHECK(sj_scene_add_paint(scene, &paint, &draw) && sj_scene_add_fill_path(scene, path, &draw.path));
  if (draw.path.segment_count) CHECK(sj_scene_add_draw(scene, &draw));
}

// Records a path of one kind, as a scene, in pixels / scale, and in *plain as it is.
static stijl_scene *record(const kind *k, sj_random *r, float scale, bool *evenodd, form *recorded,
                           stijl_scene **plain) {
  stijl_path *path = NULL, *scaled = NULL;
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, plain), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &scaled), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  k->add(r, path);
  stijl_matrix shrink = stijl_matrix_scale(1.0f / scale, 1.0f / scale), grow = stijl_matrix_scale(scale, scale);
  stijl_path_add_path(scaled, path, &shrink);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 1, 1, 1});
  float dashes[2];
  stijl_stroke stroke = any_stroke(r, scale, dashes);
  // Whether miters of lines that turn back are bevels depends on the last bits of both ways to make them.
  if (k->add == hatching) stroke.join = stroke.join % 2 ? STIJL_JOIN_ROUND : STIJL_JOIN_BEVEL;
  *evenodd = !k->stroke && chance(r, 2);
  if (k->stroke)
    stijl_scene_stroke(scene, scaled, &stroke, &grow, &paint);
  else
    stijl_scene_fill(scene, scaled, *evenodd ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO, &grow, &paint);
  record_plainly(*plain, scaled, k->stroke ? &stroke : NULL, *evenodd, &grow);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_INT(stijl_scene_finish(*plain), STIJL_OK);
  // Dashes keep no outlines that would tell.
  const sj_united *kept = scaled->own.united;
  bool whole = k->add != curves || (kept && kept->key.kind == SJ_UNITED_STROKE);
  *recorded = OVERLAPS;
  if (k->stroke ? scene->draws.count && scene->draws.data[0].op == K_DRAW_FILL : kept && kept->path)
    *recorded = whole ? OUTLINE : CORNERS;
  stijl_path_destroy(path);
  stijl_path_destroy(scaled);
  return scene;
}

static bool lines_of(const stijl_scene *scene, sj_lines *lines) {
  sj_encoded encoded = {0};
  CHECK_INT(
      sj_encode(sj_context(NULL), scene, stijl_matrix_identity(), (stijl_irect){0, 0, SIZE, SIZE}, &encoded, NULL),
      STIJL_OK);
  for (size_t i = 0; i < encoded.draws.count; i++)
    sj_kernels_for(STIJL_ISA_SCALAR)->flatten(&encoded, &encoded.draws.data[i], lines);
  CHECK(encoded.draws.count <= 1 && !lines->failed);
  sj_encoded_finish(sj_context(NULL), &encoded);
  return lines->count > 0;
}

// What was seen of a kind.
typedef struct tally {
  uint64_t united, lines, edges, mixed;  // outlines; pixels on edges; those of more windings than sums hold
  uint64_t off[3];                       // by > limits
  int most;
} tally;

static const int limits[3] = {2, 8, 32};

// Returns whether the sum of areas is the area inside: windings of two values next to each other, one of which is
// outside, or of which all are inside.
static bool sums_hold(exact_pixel p, bool evenodd) {
  if (evenodd) return p.high - p.low <= 1;
  return p.low >= 0 ? p.high <= 1 || p.low >= 1 : p.high <= 0 && (p.low >= -1 || p.high <= -1);
}

static void check_case(const kind *k, uint64_t n, const stijl_scene *scene, const sj_lines *lines, bool evenodd,
                       form recorded, int slack, stijl_renderer *renderer, tally *t) {
  static exact_pixel exact[SIZE * SIZE];
  static uint8_t pixels[SIZE * SIZE * 4];
  exact_picture(lines, SIZE, SIZE, evenodd, exact);
  memset(pixels, 0, sizeof pixels);
  if (!sj_test_draw(renderer, scene, SIZE, SIZE, (stijl_irect){0, 0, SIZE, SIZE}, NULL, pixels)) return;
  t->lines += lines->count;
  t->united += recorded == OUTLINE;
  for (int i = 0; i < SIZE * SIZE; i++) {
    int level = (int)fmin(256.0 * exact[i].area + 1e-6, 255.0), off = abs((int)pixels[4 * i + 3] - level);
    bool hold = sums_hold(exact[i], evenodd);
    t->edges += exact[i].low != exact[i].high;
    t->mixed += !hold;
    t->most = off > t->most ? off : t->most;
    for (int limit = 0; limit < 3; limit++) t->off[limit] += off > limits[limit];
    // Each line's crossings of the pixel's sides are rounded to 1/256, which may add half a level; mostly they cancel.
    int most = limits[0] + (int)exact[i].lines / 16 + slack;
    if (((hold || recorded == OUTLINE) && off > most) || (k->plain && !hold && recorded != OUTLINE))
      sj_test_fail(__FILE__, __LINE__, "case %llu, %s: pixel %d, %d is %d, not %d; windings %d to %d",
                   (unsigned long long)n, k->name, i % SIZE, i / SIZE, pixels[4 * i + 3], level, exact[i].low,
                   exact[i].high);
  }
}

static double distance(double x, double y, stijl_point a, stijl_point b) {
  double dx = (double)b.x - (double)a.x, dy = (double)b.y - (double)a.y, length = dx * dx + dy * dy;
  double t = length > 0 ? ((x - (double)a.x) * dx + (y - (double)a.y) * dy) / length : 0;
  t = fmax(0, fmin(1, t));
  return hypot(x - (double)a.x - t * dx, y - (double)a.y - t * dy);
}

static int winding_at(const sj_lines *lines, double x, double y) {
  int winding = 0;
  for (size_t i = 0; i < lines->count; i++) {
    double x0 = lines->x0[i] / 256.0, y0 = lines->y0[i] / 256.0, x1 = lines->x1[i] / 256.0, y1 = lines->y1[i] / 256.0;
    if ((y0 <= y) == (y1 <= y)) continue;
    if (x0 + (x1 - x0) * (y - y0) / (y1 - y0) < x) winding += y0 <= y ? 1 : -1;
  }
  return winding;
}

// What a stroke with round joins and caps winds around is what is near its path, wherever its corners are and however
// short its segments.
TEST(strokes_are_what_is_near) {
  uint64_t inside = 0;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(2000)); n++) {
    sj_random r = sj_random_seed(n);
    stijl_point p[12];
    int count = sj_random_int(&r, 2, 13), closed = sj_random_int(&r, 0, 2);
    float size = any(&r, 1, 20), squeeze = chance(&r, 3) ? any(&r, 0, 0.2f) : 1;
    stijl_path *path = NULL;
    stijl_scene *scene = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    for (int i = 0; i < count; i++) {
      p[i] = (stijl_point){20 + any(&r, -size, size), 20 + squeeze * any(&r, -size, size)};
      if (n % 4 == 0) {  // nearly regular, and so with all corners inside of one another where it is small
        float angle = 6.2831853f * ((float)i + any(&r, 0, 0.2f)) / (float)count;
        p[i] = (stijl_point){20 + size * cosf(angle), 20 + size * sinf(angle)};
      }
      (i ? stijl_path_line_to : stijl_path_move_to)(path, p[i].x, p[i].y);
    }
    if (closed) stijl_path_close(path);
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = any(&r, 0.5f, 14);
    stroke.cap = STIJL_CAP_ROUND;
    stroke.join = STIJL_JOIN_ROUND;
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 1, 1, 1});
    stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    sj_lines lines = {.context = sj_context(NULL)};
    lines_of(scene, &lines);
    for (int i = 0; i < 200; i++) {
      float reach = size + 0.5f * stroke.width;
      double x = 20 + (double)any(&r, -reach, reach), y = 20 + (double)any(&r, -reach, reach), near = 1e9;
      for (int k = 0; k + 1 < count + closed; k++) near = fmin(near, distance(x, y, p[k], p[(k + 1) % count]));
      double beyond = near - 0.5 * (double)stroke.width;
      if (fmin(x, y) < 0 || fmax(x, y) > SIZE) continue;  // lines out there may be left out
      if (fabs(beyond) < 0.12) continue;                  // a tenth for the chords of round joins, and rounding
      inside += beyond < 0;
      int winding = winding_at(&lines, x, y);
      if ((winding != 0) != (beyond < 0) || winding < 0)
        sj_test_fail(__FILE__, __LINE__, "case %llu: %g, %g, %g beyond the stroke, has winding %d",
                     (unsigned long long)n, x, y, beyond, winding);
    }
    sj_lines_finish(&lines);
    stijl_scene_destroy(scene);
    stijl_path_destroy(path);
  }
  CHECK(inside > 0);
}

// A curve of `length` that leaves a point in some direction and bends a little.
typedef struct {
  stijl_point p[4];
} sprout;

static sprout any_sprout(sj_random *r, float x, float y, float angle, float length) {
  float dx = length * cosf(angle), dy = length * sinf(angle);
  sprout out = {{{x, y}}};
  for (int i = 1; i < 4; i++) {
    float along = (float)i / 3, beside = i > 1 ? any(r, -0.08f, 0.08f) : 0;
    out.p[i] = (stijl_point){x + along * dx - beside * dy, y + along * dy + beside * dx};
  }
  return out;
}

static double distance_to(const sprout *c, double x, double y) {
  double near = 1e9;
  stijl_point last = c->p[0];
  for (int i = 1; i <= 64; i++) {
    float t = (float)i / 64, u = 1 - t, w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    stijl_point next = {0, 0};
    for (int k = 0; k < 4; k++) next = (stijl_point){next.x + w[k] * c->p[k].x, next.y + w[k] * c->p[k].y};
    near = fmin(near, distance(x, y, last, next));
    last = next;
  }
  return near;
}

// Tips of fur: what two curves cover that meet in a sharp corner is what is near them, and all of it once.
TEST(corners_of_curves_are_cut) {
  uint64_t inside = 0, cut = 0;
  for (uint64_t n = 0; sj_test_cases(&n, sj_test_share(400)); n++) {
    sj_random r = sj_random_seed(n);
    float x = any(&r, 4, 8), y = any(&r, 14, 26), middle = any(&r, -0.2f, 0.2f), half = any(&r, 0.2f, 0.5f);
    // The sides cross half a width / tan(half the corner) behind its tip.
    float length = any(&r, 16, 28), width = any(&r, 0.5f, 0.9f * length * tanf(half));
    sprout a = any_sprout(&r, x, y, middle - half, length), b = any_sprout(&r, x, y, middle + half, length);
    stijl_path *path = NULL;
    stijl_scene *scene = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
    stijl_path_move_to(path, a.p[3].x, a.p[3].y);
    stijl_path_cubic_to(path, a.p[2].x, a.p[2].y, a.p[1].x, a.p[1].y, x, y);
    stijl_path_cubic_to(path, b.p[1].x, b.p[1].y, b.p[2].x, b.p[2].y, b.p[3].x, b.p[3].y);
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = width;
    stroke.cap = STIJL_CAP_ROUND;
    stroke.join = STIJL_JOIN_ROUND;
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 1, 1, 1});
    cut += !sj_stroke_is_dense(path, &stroke);
    stijl_scene_stroke(scene, path, &stroke, NULL, &paint);
    CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
    CHECK_INT(scene->draws.data[0].op, K_DRAW_FILL);
    sj_lines lines = {.context = sj_context(NULL)};
    lines_of(scene, &lines);
    for (int i = 0; i < 200; i++) {
      double px = (double)any(&r, 0, SIZE), py = (double)any(&r, 0, SIZE);
      double beyond = fmin(distance_to(&a, px, py), distance_to(&b, px, py)) - 0.5 * (double)width;
      if (fabs(beyond) < 0.12) continue;  // a tenth for chords, and rounding
      inside += beyond < 0;
      int winding = winding_at(&lines, px, py);
      if (abs(winding) != (beyond < 0))
        sj_test_fail(__FILE__, __LINE__, "case %llu: %g, %g, %g beyond the stroke, has winding %d",
                     (unsigned long long)n, px, py, beyond, winding);
    }
    sj_lines_finish(&lines);
    stijl_scene_destroy(scene);
    stijl_path_destroy(path);
  }
  CHECK(inside > 0 && cut > 0);
}

TEST(exactness) {
  const char *asked = getenv("STIJL_EXACTNESS_CASES");
  uint64_t cases = (asked ? strtoull(asked, NULL, 10) : sj_test_share(CASES)) * KINDS;
  stijl_renderer *renderer = sj_test_cpu(STIJL_ISA_SCALAR, 1);
  static tally tallies[KINDS];
  for (uint64_t n = 0; sj_test_cases(&n, cases); n++) {
    sj_random r = sj_random_seed(n);
    const kind *k = &kinds[n % KINDS];
    float scale = 0.05f * powf(1000.0f, any(&r, 0, 1));
    bool evenodd;
    form recorded;
    stijl_scene *plain, *scene = record(k, &r, scale, &evenodd, &recorded, &plain);
    sj_lines lines = {.context = sj_context(NULL)};
    // Curves that are cut, and those of strokes, have other chords than before: each is a tenth of a pixel off at most,
    // and a pixel may hold some of them. Where curves of strokes bend tighter than the pen, chords make joins.
    int slack = recorded == OVERLAPS ? 0 : k->stroke && k->add == curves ? 255 : k->curved ? 64 : 2;
    if (lines_of(plain, &lines))
      check_case(k, n, scene, &lines, evenodd, recorded, slack, renderer, &tallies[n % KINDS]);
    // Of its own lines an outline holds nothing twice, unless chords cross that are nearer than that to one another.
    static tally unused;
    lines.count = 0;
    if (recorded == OUTLINE && lines_of(scene, &lines))
      check_case(k, n, scene, &lines, evenodd, recorded, k->stroke || !k->curved ? 0 : 26, renderer, &unused);
    sj_lines_finish(&lines);
    stijl_scene_destroy(scene);
    stijl_scene_destroy(plain);
  }
  stijl_renderer_destroy(renderer);
  printf("# %-16s %8s %8s %8s %8s  off by > %d %6s > %d %6s > %d  most\n", "", "outlines", "lines", "on edges", "mixed",
         limits[0], "", limits[1], "", limits[2]);
  for (int i = 0; i < KINDS; i++) {
    const tally *t = &tallies[i];
    printf("# %-16s %8llu %8llu %8llu %8llu  %12llu %10llu %10llu  %4d\n", kinds[i].name, (unsigned long long)t->united,
           (unsigned long long)t->lines, (unsigned long long)t->edges, (unsigned long long)t->mixed,
           (unsigned long long)t->off[0], (unsigned long long)t->off[1], (unsigned long long)t->off[2], t->most);
  }
}
