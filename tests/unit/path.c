// Building paths, arcs, shapes, bounds.
#include "stijl/path.h"

#include <math.h>
#include <stdlib.h>

#include "path_text.h"
#include "test.h"

static stijl_path *new_path(void) {
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  return path;
}

TEST(segments_without_a_move) {
  stijl_path *p = new_path();
  CHECK(stijl_path_is_empty(p));
  stijl_path_close(p);
  CHECK(stijl_path_is_empty(p));
  stijl_path_line_to(p, 1, 2);
  stijl_path_close(p);
  stijl_path_close(p);
  stijl_path_quad_to(p, 1, 1, 2, 2);
  stijl_path_move_to(p, 5, 5);
  stijl_path_close(p);
  stijl_path_cubic_to(p, 1, 1, 2, 2, 3, 3);
  CHECK_STR(path_text(p), "M0,0 L1,2 Z M0,0 Q1,1 2,2 M5,5 Z M5,5 C1,1 2,2 3,3");
  stijl_path_destroy(p);
}

TEST(errors_stick) {
  stijl_path *p = new_path();
  stijl_path_move_to(p, 1, 1);
  stijl_path_line_to(p, NAN, 1);
  CHECK_INT(stijl_path_status(p), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_line_to(p, 2, 2);
  CHECK_STR(path_text(p), "M1,1");
  CHECK_INT(stijl_path_add_svg(p, "M0 0", 4, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path *other = new_path();
  stijl_path_add_path(other, p, NULL);
  CHECK_INT(stijl_path_status(other), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_clear(p);
  CHECK_INT(stijl_path_status(p), STIJL_OK);
  stijl_path_line_to(p, 1e9f, -1e9f);
  CHECK_INT(stijl_path_status(p), STIJL_OK);
  stijl_path_line_to(p, 1.1e9f, 0);
  CHECK_INT(stijl_path_status(p), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_destroy(p);
  stijl_path_destroy(other);
  stijl_path_destroy(NULL);
  stijl_path_line_to(NULL, 1, 1);
  stijl_path_arc_to(NULL, 1, 1, 0, false, false, 1, 1);
  CHECK(stijl_path_is_empty(NULL));
}

TEST(arc_of_a_bad_radius_sticks) {
  stijl_path *p = new_path();
  stijl_path_arc_to(p, NAN, 1, 0, false, false, 5, 5);
  CHECK_INT(stijl_path_status(p), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_destroy(p);
}

// Returns how far the curve's points are from the ellipse, as a share of its larger radius, and tells which part of it
// was run through, in degrees, positive clockwise where y points down.
static double arc_error(const stijl_path *p, double cx, double cy, double rx, double ry, double rotation,
                        double *swept) {
  const stijl_point *q;
  size_t count = stijl_path_points(p, &q);
  double s = sin(rotation * 0.017453292519943295), c = cos(rotation * 0.017453292519943295), worst = 0, before = 0;
  *swept = 0;
  for (size_t i = 0; i + 3 < count; i += 3) {
    for (int k = 0; k <= 32; k++) {
      double t = k / 32.0, u = 1 - t, w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}, x = -cx, y = -cy;
      for (int j = 0; j < 4; j++) x += w[j] * (double)q[i + j].x, y += w[j] * (double)q[i + j].y;
      double ex = (c * x + s * y) / rx, ey = (c * y - s * x) / ry, angle = atan2(ey, ex);
      double error = fabs(sqrt(ex * ex + ey * ey) - 1);
      if (error > worst) worst = error;
      double step = angle - before;
      if (step > 3.141592653589793) step -= 6.283185307179586;
      if (step < -3.141592653589793) step += 6.283185307179586;
      if (i || k) *swept += step / 0.017453292519943295;
      before = angle;
    }
  }
  return worst;
}

TEST(arcs_follow_their_ellipse) {
  for (uint64_t n = 0; sj_test_cases(&n, 3000); n++) {
    sj_random r = sj_random_seed(n);
    double cx = (double)sj_random_float(&r, -50, 50), cy = (double)sj_random_float(&r, -50, 50);
    double rx = (double)sj_random_float(&r, 1, 90), ry = (double)sj_random_float(&r, 1, 90);
    double rotation = (double)sj_random_float(&r, -360, 360), from = (double)sj_random_float(&r, 0, 360);
    double sweep = (double)sj_random_float(&r, -355, 355);
    if (fabs(sweep) < 5 || fabs(fabs(sweep) - 180) < 2) continue;
    double s = sin(rotation * 0.017453292519943295), c = cos(rotation * 0.017453292519943295);
    float x[2], y[2];
    for (int i = 0; i < 2; i++) {
      double a = (from + (i ? sweep : 0)) * 0.017453292519943295, ex = rx * cos(a), ey = ry * sin(a);
      x[i] = (float)(c * ex - s * ey + cx), y[i] = (float)(s * ex + c * ey + cy);
    }
    stijl_path *p = new_path();
    stijl_path_move_to(p, x[0], y[0]);
    stijl_path_arc_to(p, (float)rx, (float)ry, (float)rotation, fabs(sweep) > 180, sweep > 0, x[1], y[1]);
    const stijl_point *q;
    size_t count = stijl_path_points(p, &q);
    CHECK(count > 3 && q[count - 1].x == x[1] && q[count - 1].y == y[1]);
    double swept, error = arc_error(p, cx, cy, rx, ry, rotation, &swept);
    // 2.8e-4 by design; the rest is the ends' rounding to float, magnified where the ellipse is thin.
    CHECK_NEAR(error, 0, 3e-4 + 1e-4 * (rx > ry ? rx / ry : ry / rx));
    CHECK_NEAR(swept, sweep, 1);
    stijl_path_destroy(p);
  }
}

TEST(arcs_out_of_the_ordinary) {
  stijl_path *p = path_from("M0 0A0 5 0 0 1 10 0 A5 5 0 0 1 10 0 A1 1 0 0 1 20 0");
  // No radius: a line. Equal ends: nothing. Radii too small: scaled up to a half circle.
  CHECK_STR(path_text(p), "M0,0 L10,0 C10,-2.76142 12.2386,-5 15,-5 C17.7614,-5 20,-2.76142 20,0");
  stijl_path_clear(p);
  stijl_path_arc_to(p, -5, -5, 0, true, true, 10, 0);
  CHECK_STR(path_text(p), "M0,0 C0,-2.76142 2.23858,-5 5,-5 C7.76142,-5 10,-2.76142 10,0");
  // Three quarters, and no rest without a length.
  stijl_path_clear(p);
  CHECK_INT(stijl_path_add_svg(p, "M75 100a25 25 0 1 0 25-25", 25, NULL), STIJL_OK);
  CHECK_STR(path_text(p),
            "M75,100 C75,113.807 86.1929,125 100,125 C113.807,125 125,113.807 125,100 C125,86.1929 113.807,75 100,75");
  stijl_path_destroy(p);
}

TEST(extreme_arcs_stay_finite) {
  static const float values[] = {0, 1e-30f, 1e-6f, 1, 1e5f, 1e9f, 3e38f};
  for (int a = 0; a < 7; a++) {
    for (int b = 0; b < 7; b++) {
      for (int c = 0; c < 6; c++) {
        stijl_path *p = new_path();
        stijl_path_arc_to(p, values[a], values[b], 30, c & 1, c & 2, values[c], 1);
        const stijl_point *q;
        size_t count = stijl_path_points(p, &q);
        for (size_t i = 0; i < count; i++) CHECK(isfinite(q[i].x) && isfinite(q[i].y));
        CHECK(count == 0 || (q[count - 1].x == values[c] && q[count - 1].y == 1) || stijl_path_status(p));
        stijl_path_destroy(p);
      }
    }
  }
}

TEST(shapes) {
  stijl_path *p = new_path();
  stijl_path_add_rect(p, 1, 2, 10, 20);
  CHECK_STR(path_text(p), "M1,2 L11,2 L11,22 L1,22 Z");
  stijl_path_clear(p);
  stijl_path_add_ellipse(p, 0, 0, 100, 50);
  CHECK_STR(path_text(p),
            "M100,0 C100,27.6142 55.2285,50 0,50 C-55.2285,50 -100,27.6142 -100,0 C-100,-27.6142 -55.2285,-50 0,-50 "
            "C55.2285,-50 100,-27.6142 100,0 Z");
  stijl_path_clear(p);
  stijl_path_add_round_rect(p, 0, 0, 100, 50, 10, 0);
  CHECK_STR(path_text(p), "M0,0 L100,0 L100,50 L0,50 Z");
  stijl_path_clear(p);
  stijl_path_add_round_rect(p, 0, 0, 100, 50, 10, 99);
  CHECK_STR(path_text(p),
            "M10,0 L90,0 C95.5229,0 100,11.1929 100,25 C100,38.8071 95.5229,50 90,50 L10,50 C4.47715,50 0,38.8071 0,25 "
            "C0,11.1929 4.47715,0 10,0 Z");
  stijl_path_clear(p);
  stijl_path_add_round_rect(p, 0, 0, NAN, 50, 10, 10);
  CHECK_INT(stijl_path_status(p), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_destroy(p);
}

TEST(add_path) {
  stijl_path *p = path_from("M1 1L2 2Z"), *q = path_from("M9 9L8 8");
  stijl_matrix twice = stijl_matrix_scale(2, 2);
  stijl_path_add_path(q, p, &twice);
  stijl_path_line_to(q, 0, 0);
  CHECK_STR(path_text(q), "M9,9 L8,8 M2,2 L4,4 Z M2,2 L0,0");
  for (int i = 0; i < 3; i++) stijl_path_add_path(p, p, NULL);
  CHECK_STR(path_text(p),
            "M1,1 L2,2 Z M1,1 L2,2 Z M1,1 L2,2 Z M1,1 L2,2 Z M1,1 L2,2 Z M1,1 L2,2 Z M1,1 L2,2 Z M1,1 "
            "L2,2 Z");
  stijl_matrix huge = stijl_matrix_scale(1e9f, 1);
  stijl_path_add_path(q, p, &huge);
  CHECK_INT(stijl_path_status(q), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_path_destroy(p);
  stijl_path_destroy(q);
}

TEST(bounds) {
  stijl_rect b = {1, 1, 1, 1};
  stijl_path *p = new_path();
  CHECK(!stijl_path_bounds(p, &b) && b.x0 == 0 && b.x1 == 0);
  CHECK(!stijl_path_control_bounds(p, &b));
  stijl_path_move_to(p, 3, 4);
  CHECK(stijl_path_bounds(p, &b) && b.x0 == 3 && b.y0 == 4 && b.x1 == 3 && b.y1 == 4);
  stijl_path_destroy(p);
  p = path_from("M0 0Q50 100 100 0");
  CHECK(stijl_path_bounds(p, &b) && b.y1 == 50 && b.x1 == 100);
  CHECK(stijl_path_control_bounds(p, &b) && b.y1 == 100);
  stijl_path_destroy(p);
}

// The box against points along the curve: it holds them all, and they reach it.
TEST(bounds_are_tight) {
  for (uint64_t n = 0; sj_test_cases(&n, 2000); n++) {
    sj_random r = sj_random_seed(n);
    stijl_point q[4];
    for (int i = 0; i < 4; i++) {
      // Coordinates that coincide now and then, for the degenerate derivatives.
      q[i] = (stijl_point){(float)sj_random_int(&r, -6, 7), sj_random_float(&r, -6, 7)};
    }
    stijl_path *p = new_path();
    stijl_path_move_to(p, q[0].x, q[0].y);
    bool quad = n % 2;
    if (quad) {
      stijl_path_quad_to(p, q[1].x, q[1].y, q[2].x, q[2].y);
    } else {
      stijl_path_cubic_to(p, q[1].x, q[1].y, q[2].x, q[2].y, q[3].x, q[3].y);
    }
    stijl_rect b;
    CHECK(stijl_path_bounds(p, &b));
    double low_x = 1e9, high_x = -1e9, low_y = 1e9, high_y = -1e9;
    for (int k = 0; k <= 4000; k++) {
      double t = k / 4000.0, u = 1 - t;
      double w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
      if (quad) w[0] = u * u, w[1] = 2 * u * t, w[2] = t * t, w[3] = 0;
      double x = 0, y = 0;
      for (int i = 0; i < 4; i++) x += w[i] * (double)q[i].x, y += w[i] * (double)q[i].y;
      low_x = fmin(low_x, x), high_x = fmax(high_x, x), low_y = fmin(low_y, y), high_y = fmax(high_y, y);
    }
    CHECK_NEAR(b.x0, low_x, 1e-4);
    CHECK_NEAR(b.x1, high_x, 1e-4);
    CHECK_NEAR(b.y0, low_y, 1e-4);
    CHECK_NEAR(b.y1, high_y, 1e-4);
    stijl_path_destroy(p);
  }
}
