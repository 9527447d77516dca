// What bilinear sampling of an image reads (`sj_image_sample` in cpu/pixel.h).
#include "scene/sampled.h"

#include "base/irect.h"
#include "kernel/paint.h"
#include "scene/matrix64.h"

// Returns the first of the two pixels in a row, or a column, that are read.
static int first_read(float u) { return k_image_fixed(u, 0.0f) >> 8; }

stijl_irect sj_sampled(stijl_matrix m, stijl_irect box) {
  if (sj_irect_is_empty(box)) return (stijl_irect){0, 0, 0, 0};
  // Rounding keeps order, so that the outermost places of all are those of the corners.
  const float x[2] = {(float)box.x0 + 0.5f, (float)(box.x1 - 1) + 0.5f};
  const float y[2] = {(float)box.y0 + 0.5f, (float)(box.y1 - 1) + 0.5f};
  stijl_irect all = {K_CORNER_MOST, K_CORNER_MOST, -K_CORNER_MOST, -K_CORNER_MOST};
  for (int i = 0; i < 4; i++) {
    int u = first_read(k_paint_u(sj_to_k(m), x[i & 1], y[i >> 1]));
    int v = first_read(k_paint_v(sj_to_k(m), x[i & 1], y[i >> 1]));
    all = (stijl_irect){k_min(all.x0, u), k_min(all.y0, v), k_max(all.x1, u + 2), k_max(all.y1, v + 2)};
  }
  const stijl_irect most = {-K_CORNER_MOST, -K_CORNER_MOST, K_CORNER_MOST, K_CORNER_MOST};
  return sj_irect_intersect(all, most);
}

// Returns the largest number of the box, without its sign.
static double most_of(int a, int b) { return fmax(fabs((double)a), fabs((double)b)); }

stijl_irect sj_sampling(stijl_matrix m, stijl_irect part, stijl_irect box) {
  sj_matrix64 to = sj_to64(m), back;
  if (sj_irect_is_empty(part) || !sj_invert64(to, &back)) return box;
  // A pixel reads those whose centres are less than one away from its place, which is rounded four times.
  double x = most_of(box.x0, box.x1), y = most_of(box.y0, box.y1);
  double slack_u = 0.51 + (fabs(to.a) * x + fabs(to.c) * y + fabs(to.e)) * 0x1p-21;
  double slack_v = 0.51 + (fabs(to.b) * x + fabs(to.d) * y + fabs(to.f)) * 0x1p-21;
  double u0 = part.x0 - slack_u, u1 = part.x1 + slack_u, v0 = part.y0 - slack_v, v1 = part.y1 + slack_v;
  double x0 = fmin(back.a * u0, back.a * u1) + fmin(back.c * v0, back.c * v1) + back.e;
  double x1 = fmax(back.a * u0, back.a * u1) + fmax(back.c * v0, back.c * v1) + back.e;
  double y0 = fmin(back.b * u0, back.b * u1) + fmin(back.d * v0, back.d * v1) + back.f;
  double y1 = fmax(back.b * u0, back.b * u1) + fmax(back.d * v0, back.d * v1) + back.f;
  // These are the pixels whose centres are within.
  stijl_irect all = box;
  if (x0 - 0.5 > box.x0) all.x0 = x0 - 0.5 < box.x1 ? (int)ceil(x0 - 0.5) : box.x1;
  if (y0 - 0.5 > box.y0) all.y0 = y0 - 0.5 < box.y1 ? (int)ceil(y0 - 0.5) : box.y1;
  if (x1 - 0.5 < box.x1 - 1) all.x1 = x1 - 0.5 > box.x0 ? (int)floor(x1 - 0.5) + 1 : box.x0;
  if (y1 - 0.5 < box.y1 - 1) all.y1 = y1 - 0.5 > box.y0 ? (int)floor(y1 - 0.5) + 1 : box.y0;
  return sj_irect_is_empty(all) ? (stijl_irect){0, 0, 0, 0} : all;
}
