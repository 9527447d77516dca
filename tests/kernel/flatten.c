// Chords stay within the tolerance of their curve.
#include "kernel/flatten.h"

#include <math.h>

#include "test.h"

typedef struct {
  double x, y;
} point;

static double cubic_at(float a, float b, float c, float d, double t) {
  return (((double)a * t + (double)b) * t + (double)c) * t + (double)d;
}

static point curve_at(const k_curve *q, double t) {
  return (point){cubic_at(q->a.x, q->b.x, q->c.x, q->d.x, t), cubic_at(q->a.y, q->b.y, q->c.y, q->d.y, t)};
}

static double distance(point p, point a, point b) {
  double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  double s = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

// Returns the largest distance of the curve from its n chords.
static double deviation(const k_curve *q, int n) {
  float inverse = k_recip((float)n);
  double most = 0.0, t0 = 0.0;
  for (int i = 1; i <= n; i++) {
    double t1 = i == n ? 1.0 : (double)k_chord_t(i, inverse);
    point a = curve_at(q, t0), b = curve_at(q, t1);
    for (int k = 1; k < 16; k++) most = fmax(most, distance(curve_at(q, t0 + (t1 - t0) * k / 16), a, b));
    t0 = t1;
  }
  return most;
}

// Returns a curve of a size from a few pixels to some thousands; among them are ones with cusps, loops, doubled points
// and nearly straight ones.
static k_curve any_curve(sj_random *r, int number) {
  float size = powf(10.0f, sj_random_float(r, 0.5f, 3.5f));
  k_vec p[4];
  for (int i = 0; i < 4; i++) p[i] = k_vec_make(sj_random_float(r, 0.0f, size), sj_random_float(r, 0.0f, size));
  if (number % 8 == 1) p[1] = p[0];
  if (number % 8 == 2) p[2] = p[1];
  if (number % 8 == 3) p[3] = p[0];
  float bend = number % 16 == 4 ? 0.0f : 2.0f;
  if (number % 8 == 4)
    for (int i = 1; i < 4; i++) p[i].y = p[0].y + 0.3f * (p[i].x - p[0].x) + sj_random_float(r, 0.0f, bend);
  if (number % 8 == 5) {  // almost a cusp
    p[2] = k_vec_make(p[0].x + sj_random_float(r, 0.0f, 2.0f), p[0].y + sj_random_float(r, 0.0f, 2.0f));
    p[3] = p[1];
  }
  return number % 8 == 6 ? k_curve_quad(p[0], p[1], p[2]) : k_curve_cubic(p[0], p[1], p[2], p[3]);
}

TEST(tolerance) {
  sj_random r = sj_random_seed(1);
  double worst = 0.0;
  for (int i = 0; i < 50000; i++) {
    k_curve q = any_curve(&r, i);
    worst = fmax(worst, deviation(&q, k_chords(q.bend, 0.0f)));
  }
  printf("# largest distance %.4f pixels\n", worst);
  CHECK(worst < 1.0005 * (double)K_TOLERANCE);
  CHECK(worst > 0.99 * (double)K_TOLERANCE);  // no more chords than it takes
}
