#include "svg/parse/color_space.h"

#include <math.h>

#include "base/power.h"
#include "geometry/trig.h"

// --- powers ---

// Returns |x| to the power of y with the sign of x, which is how transfer functions are extended to negative values.
static double signed_power(double x, double y) {
  if (x == 0.0) return 0.0;
  double p = sj_power(fabs(x), y);
  return x < 0.0 ? -p : p;
}

// --- transfer functions ---

static double srgb_decode(double v) {
  return fabs(v) <= 0.04045 ? v / 12.92
         : v < 0.0          ? -signed_power((0.055 - v) / 1.055, 2.4)
                            : signed_power((v + 0.055) / 1.055, 2.4);
}

static double srgb_encode(double v) {
  if (fabs(v) <= 0.0031308) return v * 12.92;
  double p = 1.055 * signed_power(fabs(v), 1.0 / 2.4) - 0.055;
  return v < 0.0 ? -p : p;
}

static double prophoto_decode(double v) { return fabs(v) <= 16.0 / 512.0 ? v / 16.0 : signed_power(v, 1.8); }

static double rec2020_decode(double v) {
  const double alpha = 1.09929682680944, beta = 0.018053968510807;
  if (fabs(v) < beta * 4.5) return v / 4.5;
  double p = signed_power((fabs(v) + alpha - 1.0) / alpha, 1.0 / 0.45);
  return v < 0.0 ? -p : p;
}

// --- matrices ---

typedef double matrix3[3][3];

static const matrix3 d50_to_d65 = {{0.955473421488075, -0.02309845494876471, 0.06325924320057072},
                                   {-0.0283697093338637, 1.0099953980813041, 0.021041441191917323},
                                   {0.012314014864481998, -0.020507649298898964, 1.330365926242124}};
static const matrix3 xyz_to_srgb = {{12831.0 / 3959, -329.0 / 214, -1974.0 / 3959},
                                    {-851781.0 / 878810, 1648619.0 / 878810, 36519.0 / 878810},
                                    {705.0 / 12673, -2585.0 / 12673, 705.0 / 667}};
static const matrix3 p3_to_xyz = {{608311.0 / 1250200, 189793.0 / 714400, 198249.0 / 1000160},
                                  {35783.0 / 156275, 247089.0 / 357200, 198249.0 / 2500400},
                                  {0.0, 32229.0 / 714400, 5220557.0 / 5000800}};
static const matrix3 a98_to_xyz = {{573536.0 / 994567, 263643.0 / 1420810, 187206.0 / 994567},
                                   {591459.0 / 1989134, 6239551.0 / 9945670, 374412.0 / 4972835},
                                   {53769.0 / 1989134, 351524.0 / 4972835, 4929758.0 / 4972835}};
static const matrix3 prophoto_to_xyz_d50 = {{0.79776664490064230, 0.13518129740053308, 0.03134773412839220},
                                            {0.28807482881940130, 0.71183523424187300, 0.00008993693872564},
                                            {0.0, 0.0, 0.82510460251046020}};
static const matrix3 rec2020_to_xyz = {{63426534.0 / 99577255, 20160776.0 / 139408157, 47086771.0 / 278816314},
                                       {26158966.0 / 99577255, 472592308.0 / 697040785, 8267143.0 / 139408157},
                                       {0.0, 19567812.0 / 697040785, 295819943.0 / 278816314}};
static const matrix3 oklab_to_lms = {{1.0, 0.3963377773761749, 0.2158037573099136},
                                     {1.0, -0.1055613458156586, -0.0638541728258133},
                                     {1.0, -0.0894841775298119, -1.2914855480194092}};
static const matrix3 lms_to_xyz = {{1.2268798758459243, -0.5578149944602171, 0.2813910456659647},
                                   {-0.0405757452148008, 1.1122868032803170, -0.0717110580655164},
                                   {-0.0763729366746601, -0.4214933324022432, 1.5869240198367816}};

static void multiply(const matrix3 m, double c[3]) {
  double x = c[0], y = c[1], z = c[2];
  for (int i = 0; i < 3; i++) c[i] = m[i][0] * x + m[i][1] * y + m[i][2] * z;
}

static void each(double (*function)(double), double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = function(c[i]);
}

// --- cylindrical and Lab spaces ---

static double hue_in_turn(double degrees) {
  double h = fmod(degrees, 360.0);
  return h < 0.0 ? h + 360.0 : h;
}

static void hsl_to_srgb(double c[3]) {
  double h = hue_in_turn(c[0]), s = c[1], l = c[2], a = s * (l < 1.0 - l ? l : 1.0 - l);
  static const double offset[3] = {0.0, 8.0, 4.0};
  for (int i = 0; i < 3; i++) {
    double k = fmod(offset[i] + h / 30.0, 12.0);
    double ramp = k - 3.0 < 9.0 - k ? k - 3.0 : 9.0 - k;
    if (ramp > 1.0) ramp = 1.0;
    if (ramp < -1.0) ramp = -1.0;
    c[i] = l - a * ramp;
  }
}

static void hwb_to_srgb(double c[3]) {
  double white = c[1], black = c[2];
  if (white + black >= 1.0) {
    c[0] = c[1] = c[2] = white / (white + black);
    return;
  }
  c[1] = 1.0;
  c[2] = 0.5;
  hsl_to_srgb(c);
  for (int i = 0; i < 3; i++) c[i] = c[i] * (1.0 - white - black) + white;
}

static void polar_to_rectangular(double c[3]) {
  double sine, cosine;
  sj_sincos_degrees(c[2], &sine, &cosine);
  c[2] = c[1] * sine;
  c[1] = c[1] * cosine;
}

static void lab_to_xyz_d50(double c[3]) {
  const double kappa = 24389.0 / 27.0, epsilon = 216.0 / 24389.0;
  double fy = (c[0] + 16.0) / 116.0, fx = c[1] / 500.0 + fy, fz = fy - c[2] / 200.0;
  double x = fx * fx * fx > epsilon ? fx * fx * fx : (116.0 * fx - 16.0) / kappa;
  double y = c[0] > kappa * epsilon ? fy * fy * fy : c[0] / kappa;
  double z = fz * fz * fz > epsilon ? fz * fz * fz : (116.0 * fz - 16.0) / kappa;
  c[0] = x * (0.3457 / 0.3585);
  c[1] = y;
  c[2] = z * ((1.0 - 0.3457 - 0.3585) / 0.3585);
}

static double cube(double v) { return v * v * v; }

static double a98_decode(double v) { return signed_power(v, 563.0 / 256.0); }

// Converts to linear sRGB, by way of XYZ with white D65 unless it is that already.
static void to_linear(sj_color_space space, double c[3]) {
  switch (space) {
    case SJ_SPACE_LCH: polar_to_rectangular(c); __attribute__((fallthrough));
    case SJ_SPACE_LAB:
      lab_to_xyz_d50(c);
      multiply(d50_to_d65, c);
      break;
    case SJ_SPACE_OKLCH: polar_to_rectangular(c); __attribute__((fallthrough));
    case SJ_SPACE_OKLAB:
      multiply(oklab_to_lms, c);
      each(cube, c);
      multiply(lms_to_xyz, c);
      break;
    case SJ_SPACE_DISPLAY_P3:
      each(srgb_decode, c);
      multiply(p3_to_xyz, c);
      break;
    case SJ_SPACE_A98_RGB:
      each(a98_decode, c);
      multiply(a98_to_xyz, c);
      break;
    case SJ_SPACE_PROPHOTO_RGB:
      each(prophoto_decode, c);
      multiply(prophoto_to_xyz_d50, c);
      multiply(d50_to_d65, c);
      break;
    case SJ_SPACE_REC2020:
      each(rec2020_decode, c);
      multiply(rec2020_to_xyz, c);
      break;
    case SJ_SPACE_XYZ_D50: multiply(d50_to_d65, c); break;
    default: break;
  }
  if (space != SJ_SPACE_SRGB_LINEAR) multiply(xyz_to_srgb, c);
}

void sj_color_to_srgb(sj_color_space space, double c[3]) {
  if (space == SJ_SPACE_SRGB) return;
  if (space == SJ_SPACE_HSL) {
    hsl_to_srgb(c);
  } else if (space == SJ_SPACE_HWB) {
    hwb_to_srgb(c);
  } else {
    to_linear(space, c);
    each(srgb_encode, c);
  }
}

// --- from sRGB ---

static void multiply_inverse(const matrix3 m, double c[3]) {
  double x[3] = {c[0], c[1], c[2]}, determinant = 0.0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    determinant += m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]);
  }
  // Cramer's rule: the right-hand side takes the place of column i.
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = (x[0] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]) + x[1] * (m[2][j] * m[0][k] - m[2][k] * m[0][j]) +
            x[2] * (m[0][j] * m[1][k] - m[0][k] * m[1][j])) /
           determinant;
  }
}

static double cube_root(double v) { return signed_power(v, 1.0 / 3.0); }

// Returns the angle of (x, y) in degrees, 0 to 360. It bisects, since the cosine falls from 0 to 180 degrees, and needs
// no function of the C library.
static double direction(double x, double y) {
  double length = sqrt(x * x + y * y), low = 0.0, high = 180.0;
  for (int i = 0; i < 48 && length > 0.0; i++) {
    double middle = 0.5 * (low + high), sine, cosine;
    sj_sincos_degrees(middle, &sine, &cosine);
    if (cosine * length > x)
      low = middle;
    else
      high = middle;
  }
  return y < 0.0 ? 360.0 - low : low;
}

static void rectangular_to_polar(double c[3]) {
  double hue = direction(c[1], c[2]);
  c[1] = sqrt(c[1] * c[1] + c[2] * c[2]);
  c[2] = hue;
}

static void xyz_d50_to_lab(double c[3]) {
  const double kappa = 24389.0 / 27.0, epsilon = 216.0 / 24389.0;
  const double white[3] = {0.3457 / 0.3585, 1.0, (1.0 - 0.3457 - 0.3585) / 0.3585};
  double f[3];
  for (int i = 0; i < 3; i++) {
    double v = c[i] / white[i];
    f[i] = v > epsilon ? cube_root(v) : (kappa * v + 16.0) / 116.0;
  }
  c[0] = 116.0 * f[1] - 16.0;
  c[1] = 500.0 * (f[0] - f[1]);
  c[2] = 200.0 * (f[1] - f[2]);
}

static void srgb_to_hsl(double c[3]) {
  double low = c[0], high = c[0];
  int top = 0;
  for (int i = 1; i < 3; i++) {
    if (c[i] < low) low = c[i];
    if (c[i] > high) high = c[i], top = i;
  }
  double range = high - low, light = 0.5 * (low + high), hue = 0.0, saturation = 0.0;
  if (range > 0.0) {
    hue = 120.0 * top + 60.0 * (c[(top + 1) % 3] - c[(top + 2) % 3]) / range;
    saturation = range / (1.0 - fabs(2.0 * light - 1.0));
  }
  c[0] = hue_in_turn(hue);
  c[1] = saturation;
  c[2] = light;
}

static void srgb_to_hwb(double c[3]) {
  double low = c[0], high = c[0];
  for (int i = 1; i < 3; i++) low = c[i] < low ? c[i] : low, high = c[i] > high ? c[i] : high;
  srgb_to_hsl(c);
  c[1] = low;
  c[2] = 1.0 - high;
}

bool sj_color_from_srgb(sj_color_space space, double c[3]) {
  if (space == SJ_SPACE_SRGB) return true;
  if (space == SJ_SPACE_HSL || space == SJ_SPACE_HWB) {
    if (space == SJ_SPACE_HSL)
      srgb_to_hsl(c);
    else
      srgb_to_hwb(c);
    return true;
  }
  each(srgb_decode, c);
  if (space == SJ_SPACE_SRGB_LINEAR) return true;
  multiply_inverse(xyz_to_srgb, c);
  switch (space) {
    case SJ_SPACE_XYZ_D65: return true;
    case SJ_SPACE_XYZ_D50: multiply_inverse(d50_to_d65, c); return true;
    case SJ_SPACE_LAB:
    case SJ_SPACE_LCH:
      multiply_inverse(d50_to_d65, c);
      xyz_d50_to_lab(c);
      if (space == SJ_SPACE_LCH) rectangular_to_polar(c);
      return true;
    case SJ_SPACE_OKLAB:
    case SJ_SPACE_OKLCH:
      multiply_inverse(lms_to_xyz, c);
      each(cube_root, c);
      multiply_inverse(oklab_to_lms, c);
      if (space == SJ_SPACE_OKLCH) rectangular_to_polar(c);
      return true;
    case SJ_SPACE_DISPLAY_P3:
      multiply_inverse(p3_to_xyz, c);
      each(srgb_encode, c);
      return true;
    default: return false;
  }
}

int sj_color_hue(sj_color_space space) {
  if (space == SJ_SPACE_HSL || space == SJ_SPACE_HWB) return 0;
  return space == SJ_SPACE_LCH || space == SJ_SPACE_OKLCH ? 2 : -1;
}

bool sj_color_is_grey(sj_color_space space, const double c[3]) {
  if (space == SJ_SPACE_HSL) return !(c[1] > 1e-5);
  if (space == SJ_SPACE_HWB) return c[1] + c[2] > 1.0 - 1e-5;
  return !(c[1] > (space == SJ_SPACE_LCH ? 0.0015 : 4e-6));
}
