// The guard band is a square around the origin, larger than any canvas, whose coordinates fixed point can hold. Lines
// that leave it are cut: parts above or below it cannot be seen and are dropped; parts beyond its sides move onto the
// side, since they wind around everything to their right even if they are not seen.
#ifndef K_CLIP_H
#define K_CLIP_H

#include "float.h"

#define K_GUARD 32768.0f   // pixels from the origin, in both directions
#define K_FAR 67108864.0f  // larger device coordinates are clamped to this before anything is computed with them

K_FN k_vec k_pull_in(k_vec p) { return k_vec_make(k_max(-K_FAR, k_min(K_FAR, p.x)), k_max(-K_FAR, k_min(K_FAR, p.y))); }

// Returns how far the lines of a segment may lie outside of the hull of its control points, or of what a stroke adds to
// it; no coordinate of either is beyond `largest`. Everything that leaves out lines by their hull allows for as much.
//
// Curves (flatten.h): u = 2^-24 is what one operation rounds by at most, relative to its result, M is `largest`. With
// p(t) = ((a t + b) t + c) t + d on t = 0..1, a, b and c are at most 8 M, 12 M and 6 M, and off by at most 24 u M, 36 u
// M and 12 u M, as they are sums of rounded differences. Then a t and a t + b round by 8 and 12 u M, since the latter
// is half of a second derivative's mean, 12 M; the next two operations by 12 and 6 u M, since their result is a mean of
// the first derivative, 6 M; the last two by 2 and 1 u M. Together 113 u M. Cut lines: k_cross_x multiplies a
// difference of 2 M by a parameter of which each of four factors and roundings is off (k_recip by 4 u, the others by
// u): with its own two roundings 19 u M. Likewise k_cut_column, for heights within the guard band. A stroke's offsets
// add one rounding, u M. So 133 u M, and terms of u^2, are less than 2^-16 M = 256 u M; the sixteenth of a pixel is for
// fixed point.
K_FN float k_hull_margin(float largest) {
  kfloat margin = largest * (1.0f / 65536.0f);
  margin = margin + 1.0f / 16.0f;
  return margin;
}

// What the band's top and bottom leave of a line, if anything.
K_STRUCT(k_cut) {
  k_vec a, b;
  bool visible;
};

// Returns the x at which a line from a to b crosses the height y; it does cross it.
K_FN float k_cross_x(k_vec a, k_vec b, float y) {
  kfloat t = (y - a.y) * k_recip(b.y - a.y);
  kfloat x = (b.x - a.x) * t;
  x = x + a.x;
  return x;
}

K_FN k_cut k_cut_rows(k_vec a, k_vec b) {
  k_cut c;
  c.a = a;
  c.b = b;
  c.visible = !(a.y < -K_GUARD && b.y < -K_GUARD) && !(a.y > K_GUARD && b.y > K_GUARD);
  if (!c.visible) return c;
  if (a.y < -K_GUARD) c.a = k_vec_make(k_cross_x(a, b, -K_GUARD), -K_GUARD);
  if (a.y > K_GUARD) c.a = k_vec_make(k_cross_x(a, b, K_GUARD), K_GUARD);
  if (b.y < -K_GUARD) c.b = k_vec_make(k_cross_x(a, b, -K_GUARD), -K_GUARD);
  if (b.y > K_GUARD) c.b = k_vec_make(k_cross_x(a, b, K_GUARD), K_GUARD);
  return c;
}

// Returns point i (0..3) of the polyline that replaces a line. A line that crosses both sides becomes three: along one
// side, within the band, and along the other. The points are the line's ends, moved onto the side where they lie beyond
// it, and the two crossings between them. Where a side is not crossed, points coincide.
K_FN k_vec k_cut_column(k_vec a, k_vec b, int i) {
  k_vec p = i == 0 ? a : b;
  if (i == 1 || i == 2) {
    bool swap = (i == 1) == (a.x > b.x);
    float side = swap ? K_GUARD : -K_GUARD;  // a line that runs rightwards meets the left side first
    bool crosses = (a.x < side) != (b.x < side);
    if (!crosses) {
      p = i == 1 ? a : b;
    } else {
      kfloat t = (side - a.x) * k_recip(b.x - a.x);
      kfloat y = (b.y - a.y) * t;
      y = y + a.y;
      p = k_vec_make(side, y);
    }
  }
  return k_vec_make(k_max(-K_GUARD, k_min(K_GUARD, p.x)), k_max(-K_GUARD, k_min(K_GUARD, p.y)));
}

#endif
