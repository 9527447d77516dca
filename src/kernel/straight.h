// What has no branches: reciprocal, roots, sine, cosine, arc tangents, the curve of sRGB, and blend modes that need
// them. float.h includes this for one number at a time, in C and GLSL, and cpu/vec_common.h for vectors of them. Either
// defines what numbers are: kreal, and kexact for those that are computed, kbits, kpair and krgb for several of them,
// and how they are compared. K_SET_LESS sets its first argument where a < b.

// Does a step of Newton's towards 1 / x, or, in the second function, towards 1 / sqrt(2 half_x). Loops of them would
// keep C compilers from making vectors of what is around.
K_STRAIGHT kreal k_recip_step(kreal x, kreal y) {
  kexact e = x * y;
  e = 2.0f - e;
  e = y * e;
  return e;
}

K_STRAIGHT kreal k_rsqrt_step(kreal half_x, kreal y) {
  kexact e = half_x * y;
  e = e * y;
  e = 1.5f - e;
  e = y * e;
  return e;
}

// Returns 1 / x for |x| in 2^-100 .. 2^100, error < 2.4e-7. The first estimate subtracts the exponent (error 0.12),
// each Newton step squares the error: 1.5e-2, 2.2e-4, 4.8e-8.
K_STRAIGHT kreal k_recip(kreal x) {
  kbits bits = K_BITS_OF(x);
  kreal positive = K_OF_BITS(bits & 0x7fffffffu);
  kreal y = K_OF_BITS(0x7EF311C7u - (bits & 0x7fffffffu));
  y = k_recip_step(positive, k_recip_step(positive, k_recip_step(positive, y)));
  return K_OF_BITS(K_BITS_OF(y) | (bits & 0x80000000u));
}

// Returns 1 / sqrt(x) for x in 2^-100 .. 2^100, error < 2.0e-7. The estimate is off by 0.035; steps: 1.8e-3, 4.7e-6,
// 3.3e-11.
K_STRAIGHT kreal k_rsqrt(kreal x) {
  kreal y = K_OF_BITS(0x5F3759DFu - (K_BITS_OF(x) >> 1));
  kexact half_x = 0.5f * x;
  return k_rsqrt_step(half_x, k_rsqrt_step(half_x, k_rsqrt_step(half_x, y)));
}

// Returns sqrt(x), error < 2.5e-7; 0 below 2^-100, where x counts as zero.
K_STRAIGHT kreal k_sqrt(kreal x) {
  kexact r = x * k_rsqrt(K_MAX(x, 7.9e-31f));
  return K_LESS(x, 7.9e-31f, 0.0f, r);
}

// Returns (cos, sin) of an angle within +-pi, absolute error < 2e-6. Taylor polynomials at half the angle (at most
// pi/2), then the doubling formulas.
K_STRAIGHT kpair k_cos_sin(kreal angle) {
  kexact h = 0.5f * angle;
  kexact z = h * h;
  kexact s = -2.50521084e-8f * z;
  s = (s + 2.75573192e-6f) * z;
  s = (s - 1.98412698e-4f) * z;
  s = (s + 8.33333333e-3f) * z;
  s = (s - 1.66666667e-1f) * z;
  s = s * h;
  s = s + h;
  kexact c = -2.75573192e-7f * z;
  c = (c + 2.48015873e-5f) * z;
  c = (c - 1.38888889e-3f) * z;
  c = (c + 4.16666667e-2f) * z;
  c = (c - 0.5f) * z;
  c = c + 1.0f;
  kexact cosine = c * c - s * s;
  kexact sine = s * c;
  sine = sine + sine;
  return K_PAIR(cosine, sine);
}

// Returns the angle of (x, y) within +-pi, absolute error < 4e-6; 0 for the origin. Polynomial of arctan on 0..1 after
// Abramowitz & Stegun 4.4.49.
K_STRAIGHT kreal k_atan2(kreal y, kreal x) {
  kreal ax = K_ABS(x), ay = K_ABS(y);
  kreal lo = K_MIN(ax, ay), hi = K_MAX(ax, ay);
  kexact q = lo * k_recip(K_MAX(hi, 1e-30f));
  kexact z = q * q;
  kexact r = 0.0028662257f * z;
  r = (r - 0.0161657367f) * z;
  r = (r + 0.0429096138f) * z;
  r = (r - 0.0752896400f) * z;
  r = (r + 0.1065626393f) * z;
  r = (r - 0.1420889944f) * z;
  r = (r + 0.1999355085f) * z;
  r = (r - 0.3333314528f) * z;
  r = (r + 1.0f) * q;
  K_SET_LESS(r, ax, ay, 1.57079632f - r);
  K_SET_LESS(r, x, 0.0f, K_PI - r);
  return K_LESS(y, 0.0f, -r, r);
}

// For gradients, of which every pixel takes one: less exact, in fewer steps.

// sqrt(x) for x in 2^-100 .. 2^100, error < 6e-7, and for smaller ones some number below 2^-50; 0 for 0. With Newton's
// own constants errors all have one sign; these are chosen together with the estimate so that they have either: 6e-4
// after the first step, 3.2e-7 after the second, and rounding.
#define K_ROOT_ESTIMATE 0x5F600000
#define K_ROOT_SCALE 0.296306417f
#define K_ROOT_FIRST 1.41589733f
#define K_ROOT_SECOND 1.25993566f
K_STRAIGHT kreal k_root(kreal x) {
  kexact y = K_OF_BITS(k_uint(K_ROOT_ESTIMATE) - (K_BITS_OF(x) >> 1));
  kexact scaled = K_ROOT_SCALE * x;
  kexact e = scaled * y;
  e = e * y;
  e = K_ROOT_FIRST - e;
  y = y * e;
  e = scaled * y;
  e = e * y;
  e = K_ROOT_SECOND - e;
  y = y * e;
  y = x * y;
  return y;
}

// The angle of (x, y) in turns, 0 .. 1: absolute error < 1.1e-5; 0 for the origin. One step of Newton's, with constants
// as above, gives 0.515 / hi, off by at most 1.2e-4 of it; the polynomial of arctan on 0..1 (minimax, 1.9e-6) is scaled
// to fit.
#define K_TURNS_ESTIMATE 0x7EB50000
#define K_TURNS_STEP 1.43552017f
K_STRAIGHT kreal k_turns(kreal y, kreal x) {
  kreal ax = K_ABS(x), ay = K_ABS(y);
  kreal lo = K_MIN(ax, ay), hi = K_MAX(K_MAX(ax, ay), 1e-30f);
  kreal inverse = K_OF_BITS(k_uint(K_TURNS_ESTIMATE) - K_BITS_OF(hi));
  kexact e = hi * inverse;
  e = K_TURNS_STEP - e;
  kexact q = lo * inverse;
  q = q * e;
  kexact z = q * q;
  kexact r = 1.29907320f * z;
  r = (r - 1.40820721f) * z;
  r = (r + 0.790544585f) * z;
  r = (r - 0.384595976f) * z;
  r = (r + 0.308924241f) * q;
  K_SET_LESS(r, ax, ay, 0.25f - r);
  K_SET_LESS(r, x, 0.0f, 0.5f - r);
  K_SET_LESS(r, y, 0.0f, 1.0f - r);
  return r;
}

// Returns the light of a byte of sRGB from 11 on, 0..65535 and a half, which is then cut (srgb.h).
K_STRAIGHT kreal k_srgb_curve(kreal value) {
  kexact u = value * (1.0f / 128.0f);
  u = u - 1.0f;
  kexact p = -7.46693134f * u;
  p = (p + 14.7166548f) * u;
  p = (p - 5.50092888f) * u;
  p = (p + 5.70999479f) * u;
  p = (p - 35.3196831f) * u;
  p = (p + 94.854927f) * u;
  p = (p - 313.963165f) * u;
  p = (p + 2318.98145f) * u;
  p = (p + 19304.0078f) * u;
  p = (p + 30598.7246f) * u;
  p = p + 14146.417f;
  p = p + 0.5f;
  return p;
}

// Returns soft light of straight colours (W3C Compositing and Blending 1, 10.1.10).
K_STRAIGHT kreal k_soft_light(kreal backdrop, kreal source) {
  kexact w = 2.0f * source;
  w = w - 1.0f;
  kexact dark = backdrop * (1.0f - backdrop);
  dark = dark * w;
  dark = backdrop + dark;
  kexact x = 16.0f * backdrop;
  x = (x - 12.0f) * backdrop;
  x = (x + 4.0f) * backdrop;
  K_SET_LESS(x, 0.25f, backdrop, k_sqrt(backdrop));
  kexact light = (x - backdrop) * w;
  light = backdrop + light;
  return K_LESS(0.0f, w, light, dark);
}

// Returns Lum of a straight colour; Sat, SetLum and SetSat follow (10.2 there).
K_STRAIGHT kreal k_rgb_lum(krgb c) {
  kexact l = 0.3f * c.r + 0.59f * c.g;
  l = l + 0.11f * c.b;
  return l;
}

K_STRAIGHT kreal k_rgb_sat(krgb c) {
  kexact s = K_MAX(c.r, K_MAX(c.g, c.b)) - K_MIN(c.r, K_MIN(c.g, c.b));
  return s;
}

// Returns one channel of ClipColor; lo and hi are of the whole colour.
K_STRAIGHT kreal k_clip_channel(kreal c, kreal l, kreal lo, kreal low_scale, kreal hi, kreal high_scale) {
  kexact low = (c - l) * low_scale;
  low = l + low;
  kexact r = K_LESS(lo, 0.0f, low, c);
  kexact high = (r - l) * high_scale;
  high = l + high;
  return K_LESS(1.0f, hi, high, r);
}

K_STRAIGHT krgb k_set_lum(krgb c, kreal lum) {
  kexact d = lum - k_rgb_lum(c);
  kexact r = c.r + d, g = c.g + d, b = c.b + d;
  kreal l = k_rgb_lum(K_RGB(r, g, b));
  kreal lo = K_MIN(r, K_MIN(g, b)), hi = K_MAX(r, K_MAX(g, b));
  kexact low_scale = l * k_recip(K_MAX(l - lo, 1e-10f));
  kexact high_scale = (1.0f - l) * k_recip(K_MAX(hi - l, 1e-10f));
  return K_RGB(k_clip_channel(r, l, lo, low_scale, hi, high_scale), k_clip_channel(g, l, lo, low_scale, hi, high_scale),
               k_clip_channel(b, l, lo, low_scale, hi, high_scale));
}

K_STRAIGHT krgb k_set_sat(krgb c, kreal sat) {
  kreal lo = K_MIN(c.r, K_MIN(c.g, c.b));
  kexact span = K_MAX(c.r, K_MAX(c.g, c.b)) - lo;
  kexact scale = sat * k_recip(K_MAX(span, 1e-6f));
  kexact r = (c.r - lo) * scale, g = (c.g - lo) * scale, b = (c.b - lo) * scale;
  return K_RGB(K_LESS(1e-6f, span, r, 0.0f), K_LESS(1e-6f, span, g, 0.0f), K_LESS(1e-6f, span, b, 0.0f));
}

#undef K_STRAIGHT
#undef kreal
#undef kexact
#undef kbits
#undef kpair
#undef K_PAIR
#undef krgb
#undef K_RGB
#undef K_BITS_OF
#undef K_OF_BITS
#undef K_ABS
#undef K_MIN
#undef K_MAX
#undef K_LESS
#undef K_SET_LESS
