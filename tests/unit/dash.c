// Arc lengths and dashes.
#include "geometry/dash.h"

#include <math.h>

#include "allocator.h"
#include "geometry/arc_length.h"
#include "path_text.h"

#define LIMIT 100000

// Returns the dashes of SVG path data as text; the result's phrase in place of them when there is none.
static const char *dash(const char *data, float offset, const float *dashes, size_t count) {
  stijl_path *p = path_from(data), *out;
  if (stijl_path_create(NULL, &out) != STIJL_OK) abort();
  stijl_result result = sj_path_dash(p, dashes, count, offset, NULL, LIMIT, out);
  const char *text = result ? stijl_result_string(result) : path_text(out);
  stijl_path_destroy(p);
  stijl_path_destroy(out);
  return text;
}

#define DASH(data, offset, ...) \
  dash(data, offset, (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}) / sizeof(float))

TEST(lines) {
  CHECK_STR(DASH("M0 0H100", 0, 30, 10), "M0,0 L30,0 M40,0 L70,0 M80,0 L100,0");
  CHECK_STR(DASH("M0 0H10M0 5H10", 0, 6, 2), "M0,0 L6,0 M8,0 L10,0 M0,5 L6,5 M8,5 L10,5");
  CHECK_STR(DASH("M0 0H100", 0, 30), "M0,0 L30,0 M60,0 L90,0");
  CHECK_STR(DASH("M0 0H60", 0, 10, 5, 2), "M0,0 L10,0 M15,0 L17,0 M27,0 L32,0 M34,0 L44,0 M49,0 L51,0");
  CHECK_STR(DASH("M0 0L10 0L20 10", 0, 5, 5), "M0,0 L5,0 M10,0 L13.5355,3.53553 M17.0711,7.07107 L20,10");
}

TEST(offsets) {
  CHECK_STR(DASH("M0 0H20", 5, 8, 2), "M0,0 L3,0 M5,0 L13,0 M15,0 L20,0");
  CHECK_STR(DASH("M0 0H20", -5, 8, 2), "M0,0 L3,0 M5,0 L13,0 M15,0 L20,0");
  CHECK_STR(DASH("M0 0H20", 9, 8, 2), "M1,0 L9,0 M11,0 L19,0");
  CHECK_STR(DASH("M0 0H20", 10, 8, 2), DASH("M0 0H20", 1e6f, 8, 2));
  CHECK_STR(DASH("M0 0H20", 8, 8, 2), "M2,0 L10,0 M12,0 L20,0");
}

TEST(corners_are_joined) { CHECK_STR(DASH("M0 0L10 0L10 10L0 10", 0, 15, 5), "M0,0 L10,0 L10,5 M10,10 L0,10"); }

TEST(closed_subpaths) {
  // On at the start and at the end: one piece through the start, the last in the list.
  CHECK_STR(DASH("M0 0H100V100H0Z", 20, 60, 40),
            "M80,0 L100,0 L100,40 M100,80 L100,100 L60,100 M20,100 L0,100 L0,60 M0,20 L0,0 L40,0");
  // Also when the first dash ends exactly in a corner.
  CHECK_STR(DASH("M0 0H100V100H0Z", 0, 100, 50), "M100,50 L100,100 L50,100 M0,100 L0,0 L100,0");
  // Off at the start.
  CHECK_STR(DASH("M0 0H100V100H0Z", 250, 200, 100), "M50,0 L100,0 L100,100 L50,100 M0,50 L0,0");
  // The closing line counts; one that is drawn already does not count twice.
  CHECK_STR(DASH("M0 0H100V100H0V0Z", 250, 200, 100), "M50,0 L100,0 L100,100 L50,100 M0,50 L0,0");
  // All of it in one dash: stays closed, curves and all.
  CHECK_STR(DASH("M0 0H100V100Q50 50 0 100Z", 0, 1000, 1), "M0,0 L100,0 L100,100 Q50,50 0,100 Z");
  CHECK_STR(DASH("M0 0H10V10H0ZM50 50h10v10h-10z", 0, 15, 10),
            "M5,10 L0,10 L0,0 L10,0 L10,5 M55,60 L50,60 L50,50 L60,50 L60,55");
}

TEST(solid_patterns) {
  CHECK_STR(DASH("M0 0H100Z", 0, 0, 0), "M0,0 L100,0 Z");
  CHECK_STR(DASH("M0 0H100Z", 0, 20, 40, -60), "M0,0 L100,0 Z");
  CHECK_STR(DASH("M0 0H100Z", 3, 20, 0, 5, 0), "M0,0 L100,0 Z");
  CHECK_STR(dash("M0 0H100Z", 0, NULL, 0), "M0,0 L100,0 Z");
}

TEST(dots_have_a_direction) {
  const float dashes[] = {0, 40};
  stijl_path *p = path_from("M0 0H80V80Z"), *out;
  if (stijl_path_create(NULL, &out) != STIJL_OK) abort();
  CHECK_INT(sj_path_dash(p, dashes, 2, 0, NULL, LIMIT, out), STIJL_OK);
  const stijl_point *q;
  // 273.1 long: dots at 0, 40, ..., 240.
  CHECK_INT(stijl_path_points(out, &q), 14);
  const stijl_point expected[7] = {{0, 0}, {40, 0}, {80, 0}, {80, 40}, {80, 80}, {51.72f, 51.72f}, {23.43f, 23.43f}};
  for (int i = 0; i < 7; i++) {
    double dx = (double)q[2 * i + 1].x - (double)q[2 * i].x, dy = (double)q[2 * i + 1].y - (double)q[2 * i].y;
    CHECK_NEAR((q[2 * i].x + q[2 * i + 1].x) / 2, expected[i].x, 0.01);
    CHECK_NEAR((q[2 * i].y + q[2 * i + 1].y) / 2, expected[i].y, 0.01);
    double length = sqrt(dx * dx + dy * dy);
    CHECK_NEAR(length, 80.0 / 16384, 1e-4);
    // The direction of the side that the dot begins.
    CHECK_NEAR(dx / length, i < 2 ? 1 : i < 4 ? 0 : -0.7071, 1e-2);
    CHECK_NEAR(dy / length, i < 2 ? 0 : i < 4 ? 1 : -0.7071, 1e-2);
  }
  stijl_path_destroy(p);
  stijl_path_destroy(out);
  // None at the very end of an open line.
  CHECK_STR(DASH("M0 0H80", 20, 0, 40), "M19.9976,0 L20.0024,0 M59.9976,0 L60.0024,0");
  CHECK_STR(DASH("M0 0H80", 0, 0, 80), "M-0.00244141,0 L0.00244141,0");
}

TEST(subpaths_without_length) {
  CHECK_STR(DASH("M5 5Z", 0, 1, 1), "M5,5 Z");
  CHECK_STR(DASH("M5 5L5 5", 0, 1, 1), "M5,5 L5,5");
  CHECK_STR(DASH("M5 5Z", 1, 1, 1), "");
  CHECK_STR(DASH("M5 5M6 6", 1, 1, 1), "");
  CHECK_STR(DASH("M0 0L0 0L10 0L10 0", 0, 6, 3), "M0,0 L6,0 M9,0 L10,0");
}

TEST(limits_and_bad_arguments) {
  CHECK_STR(DASH("M0 0H1e9", 0, 1, 1), "limit reached");
  CHECK_STR(DASH("M0 0H10", 0, 1e-30f, 1e-30f), "limit reached");
  CHECK_STR(DASH("M0 0H10", 0, 0, 1e-3f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "limit reached");
  CHECK_STR(DASH("M0 0H10", 0, NAN, 1), "invalid argument");
  CHECK_STR(DASH("M0 0H10", INFINITY, 1, 1), "invalid argument");
  CHECK_STR(DASH("M0 0H10", 3e38f, 3e38f, 3e38f), "");
  stijl_path *p = path_from("M0 0H10");
  const float dashes[] = {1, 1};
  CHECK_INT(sj_path_dash(p, dashes, 2, 0, NULL, 10, p), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path *out;
  if (stijl_path_create(NULL, &out) != STIJL_OK) abort();
  CHECK_INT(sj_path_dash(p, dashes, 2, 0, NULL, 10, out), STIJL_OK);  // 5 dashes of one segment
  stijl_path_clear(out);
  CHECK_INT(sj_path_dash(p, dashes, 2, 0, NULL, 9, out), STIJL_ERROR_LIMIT);
  stijl_path_destroy(out);
  stijl_path_destroy(p);
}

TEST(measured_in_another_space) {
  stijl_path *p = path_from("M0 0H10V10"), *out;
  if (stijl_path_create(NULL, &out) != STIJL_OK) abort();
  const float dashes[] = {10, 5};
  stijl_matrix wide = {4, 0, 0, 1, 1000, 1000};
  CHECK_INT(sj_path_dash(p, dashes, 2, 0, &wide, LIMIT, out), STIJL_OK);
  CHECK_STR(path_text(out), "M0,0 L2.5,0 M3.75,0 L6.25,0 M7.5,0 L10,0 M10,5 L10,10");
  stijl_path_clear(out);
  stijl_matrix flat = {0, 0, 0, 0, 0, 0};
  CHECK_INT(sj_path_dash(p, dashes, 2, 0, &flat, LIMIT, out), STIJL_OK);
  CHECK_STR(path_text(out), "M0,0 L10,0 L10,10");
  stijl_path_destroy(p);
  stijl_path_destroy(out);
}

static stijl_point curve_at(const stijl_point *q, int count, double t) {
  double u = 1 - t, w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}, x = 0, y = 0;
  if (count == 2) w[0] = u, w[1] = t;
  if (count == 3) w[0] = u * u, w[1] = 2 * u * t, w[2] = t * t;
  for (int i = 0; i < count; i++) x += w[i] * (double)q[i].x, y += w[i] * (double)q[i].y;
  return (stijl_point){(float)x, (float)y};
}

// Returns the length between two parameters by brute force, in double.
static double chords(const stijl_point *q, int count, double t0, double t1) {
  enum { STEPS = 8000 };
  double sum = 0, px = 0, py = 0;
  for (int i = 0; i <= STEPS; i++) {
    double t = t0 + (t1 - t0) * i / STEPS, u = 1 - t;
    double w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}, x = 0, y = 0;
    if (count == 3) w[0] = u * u, w[1] = 2 * u * t, w[2] = t * t;
    for (int k = 0; k < count; k++) x += w[k] * (double)q[k].x, y += w[k] * (double)q[k].y;
    if (i) sum += sqrt((x - px) * (x - px) + (y - py) * (y - py));
    px = x, py = y;
  }
  return sum;
}

TEST(arc_lengths) {
  for (uint64_t n = 0; sj_test_cases(&n, 400); n++) {
    sj_random r = sj_random_seed(n);
    int count = 3 + (int)(n & 1);
    stijl_point q[4];
    // Small integers make cusps, coinciding points and straight curves common.
    for (int i = 0; i < 4; i++) {
      q[i] = (stijl_point){(float)sj_random_int(&r, 0, 4) * 30, (float)sj_random_int(&r, 0, 3) * 30};
    }
    stijl_matrix identity = STIJL_MATRIX_IDENTITY;
    sj_arc_length arc;
    sj_arc_length_init(&arc, q, count, &identity);
    double length = chords(q, count, 0, 1);
    CHECK_NEAR(arc.length, length, 1e-3);
    if (length < 1) continue;
    double part = arc.length * (double)sj_random_float(&r, 0, 1), t = sj_arc_length_parameter(&arc, part);
    CHECK(t >= 0 && t <= 1);
    CHECK_NEAR(chords(q, count, 0, t), part, 2e-3);
    CHECK(sj_arc_length_parameter(&arc, 0) == 0 && sj_arc_length_parameter(&arc, arc.length) == 1);
  }
}

// Each point of a path lies on the segment that reaches its distance, as far along it as is left of the distance.
TEST(points_of_measured_paths) {
  sj_measured_path measured = {0};
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    stijl_path *path;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    // The segments, with the lines that close subpaths. Small integers make segments without length common; some paths
    // have none with it, and the first no point.
    stijl_point segments[16][4], first = {0}, start = {0}, at = {0};
    int counts[16], segment_count = 0, count = n ? sj_random_int(&r, 1, 12) : 0, range = n % 8 == 1 ? 0 : 3;
    for (int i = 0; i < count; i++) {
      stijl_point p[3], *segment = segments[segment_count];
      for (int k = 0; k < 3; k++)
        p[k] = (stijl_point){(float)sj_random_int(&r, 0, range) * 10, (float)sj_random_int(&r, 0, range) * 10};
      int points = i ? sj_random_int(&r, 0, 4) : 0;
      switch (points) {
        case 0: stijl_path_move_to(path, p[0].x, p[0].y); break;
        case 1: stijl_path_line_to(path, p[0].x, p[0].y); break;
        case 2: stijl_path_quad_to(path, p[0].x, p[0].y, p[1].x, p[1].y); break;
        case 3: stijl_path_cubic_to(path, p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y); break;
        default: stijl_path_close(path); break;
      }
      if (!i) first = p[0];
      if (!points) {
        start = at = p[0];
        continue;
      }
      if (points == 4) points = 1, p[0] = start;
      segment[0] = at;
      for (int k = 0; k < points; k++) segment[k + 1] = p[k];
      at = p[points - 1];
      counts[segment_count++] = points + 1;
    }
    CHECK(sj_path_measure(sj_context(NULL), path, &measured));
    double length = sj_path_length(path);
    CHECK(measured.length == length);
    stijl_matrix identity = STIJL_MATRIX_IDENTITY;
    for (int i = 0; i < 20; i++) {
      double distance = i < 3 ? length * (0.5 * i) : (double)sj_random_float(&r, -1, (float)length + 1);
      stijl_point found, direction;
      CHECK_INT(sj_measured_point_at(&measured, distance, &found, &direction), count > 0);
      if (!count) continue;
      stijl_point expected = first, ahead = {0};
      double left = distance;
      for (int k = 0; k < segment_count; k++) {
        sj_arc_length arc;
        sj_arc_length_init(&arc, segments[k], counts[k], &identity);
        if (!(arc.length > 0)) continue;
        double t = left < arc.length ? sj_arc_length_parameter(&arc, left) : 1;
        expected = curve_at(segments[k], counts[k], t);
        // The direction within a segment, from a point before to one behind.
        double around = fmin(t, 1 - t) * 1e-2;
        stijl_point a = curve_at(segments[k], counts[k], t - around), b = curve_at(segments[k], counts[k], t + around);
        double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, size = sqrt(x * x + y * y);
        ahead = (stijl_point){0};
        if (size > 1e-2) ahead = (stijl_point){(float)(x / size), (float)(y / size)};
        if (left <= arc.length) break;
        left -= arc.length;
      }
      CHECK_NEAR(found.x, expected.x, 1e-3);
      CHECK_NEAR(found.y, expected.y, 1e-3);
      // Where segments meet either one's direction will do, and a cusp has none.
      if (ahead.x == 0 && ahead.y == 0) continue;
      CHECK_NEAR(direction.x, ahead.x, 2e-2);
      CHECK_NEAR(direction.y, ahead.y, 2e-2);
    }
    stijl_path_destroy(path);
  }
  sj_measured_finish(sj_context(NULL), &measured);
}

// Dashes of a curve are pieces of that curve, of the right length.
TEST(pieces_of_curves) {
  for (uint64_t n = 0; sj_test_cases(&n, 200); n++) {
    sj_random r = sj_random_seed(n);
    stijl_point q[4];
    for (int i = 0; i < 4; i++) q[i] = (stijl_point){sj_random_float(&r, 0, 200), sj_random_float(&r, 0, 200)};
    int count = 3 + (int)(n & 1);
    stijl_path *p, *out;
    if (stijl_path_create(NULL, &p) != STIJL_OK || stijl_path_create(NULL, &out) != STIJL_OK) abort();
    stijl_path_move_to(p, q[0].x, q[0].y);
    if (count == 3) {
      stijl_path_quad_to(p, q[1].x, q[1].y, q[2].x, q[2].y);
    } else {
      stijl_path_cubic_to(p, q[1].x, q[1].y, q[2].x, q[2].y, q[3].x, q[3].y);
    }
    const float dashes[] = {17, 9};
    CHECK_INT(sj_path_dash(p, dashes, 2, 4, NULL, LIMIT, out), STIJL_OK);
    const unsigned char *verbs;
    const stijl_point *d;
    size_t verb_count = stijl_path_verbs(out, &verbs), pieces = verb_count / 2;
    stijl_path_points(out, &d);
    double length = chords(q, count, 0, 1);
    CHECK_INT(verb_count % 2, 0);
    CHECK_INT(pieces, (int)ceil((length + 4) / 26));
    for (size_t i = 0; i < pieces; i++, d += count) {
      CHECK_INT(verbs[2 * i + 1], count == 3 ? STIJL_PATH_QUAD : STIJL_PATH_CUBIC);
      double from = i ? 26.0 * (double)i - 4 : 0, to = 26.0 * (double)i + 13;
      if (to > length) to = length;
      CHECK_NEAR(chords(d, count, 0, 1), to - from, 5e-3);
      // The middle of the piece lies on the curve.
      stijl_point middle = curve_at(d, count, 0.5);
      double nearest = 1e9;
      for (int k = 0; k <= 4000; k++) {
        stijl_point c = curve_at(q, count, k / 4000.0);
        double dx = (double)(c.x - middle.x), dy = (double)(c.y - middle.y);
        nearest = fmin(nearest, sqrt(dx * dx + dy * dy));
      }
      CHECK_NEAR(nearest, 0, 0.15);
    }
    stijl_path_destroy(p);
    stijl_path_destroy(out);
  }
}

static stijl_result dash_within(stijl_context *context) {
  static const char data[] = "M0 0H10V10H0ZM0 0C9 0 9 9 0 9A5 5 0 1 1 40 40Q1 2 3 4z";
  const float dashes[] = {2, 1};
  stijl_path *p = NULL, *out = NULL;
  stijl_result result = stijl_path_create(context, &p);
  if (!result) result = stijl_path_create(context, &out);
  if (!result) result = stijl_path_add_svg(p, data, sizeof data - 1, NULL);
  if (!result) result = sj_path_dash(p, dashes, 2, 0, NULL, LIMIT, out);
  stijl_path_destroy(p);
  stijl_path_destroy(out);
  return result;
}

TEST(memory_may_run_out) {
  long n = 0;
  stijl_result result = STIJL_ERROR_OUT_OF_MEMORY;
  for (; n < 1000 && result; n++) {
    sj_test_allocator a = {.refused = n};
    stijl_context *context = sj_test_context(&a);
    result = context ? dash_within(context) : STIJL_ERROR_OUT_OF_MEMORY;
    stijl_context_destroy(context);
    CHECK(result == STIJL_OK || result == STIJL_ERROR_OUT_OF_MEMORY);
    CHECK_INT(a.live, 0);
  }
  CHECK_INT(result, STIJL_OK);
  CHECK(n > 8);
}
