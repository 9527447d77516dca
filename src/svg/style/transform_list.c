#include "svg/style/transform_list.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "svg/parse/values.h"

#define MAX_FUNCTIONS 64

typedef enum kind { TRANSLATE, SCALE, ROTATE, SKEW_X, SKEW_Y, SKEW, MATRIX } kind;

typedef struct function {
  kind kind;
  sj_span whole;    // as it is written
  sj_span args[2];  // of all but matrix(), in both axes where there are two
} function;

static const struct {
  const char *name;
  kind kind;
  int axis;  // which of two arguments is given; -1: all
} kinds[] = {{"translate", TRANSLATE, -1}, {"translatex", TRANSLATE, 0}, {"translatey", TRANSLATE, 1},
             {"scale", SCALE, -1},         {"scalex", SCALE, 0},         {"scaley", SCALE, 1},
             {"rotate", ROTATE, -1},       {"skewx", SKEW_X, -1},        {"skewy", SKEW_Y, -1},
             {"skew", SKEW, -1},           {"matrix", MATRIX, -1}};
static const char *const written[] = {"translate", "scale", "rotate", "skewX", "skewY", "skew", "matrix"};

static bool has_two(kind k) { return k == TRANSLATE || k == SCALE || k == SKEW; }

static sj_span nothing(kind k) { return k == SCALE ? (sj_span){"1", 1} : (sj_span){"0", 1}; }

// Splits the text between parentheses at commas that stand in no further ones. Returns the number of pieces.
static int split_arguments(const char *at, const char *end, sj_span out[2]) {
  int count = 0, open = 0;
  const char *start = at;
  for (; at <= end; at++) {
    if (at < end && *at == '(') open++;
    if (at < end && *at == ')') open--;
    if (at < end && (*at != ',' || open)) continue;
    if (count == 2) return 3;
    out[count] = (sj_span){start, (size_t)(at - start)};
    sj_trim_space(&out[count].text, &out[count].length);
    count++;
    start = at + 1;
  }
  return count;
}

// Reads a list. Returns the number of functions, -1 for one that is in error, too long, or of three dimensions.
static int read_list(sj_span text, function *out) {
  int count = 0;
  if (sj_is_keyword(text.text, text.length, "none")) return 0;
  const char *at = text.text, *end = at + text.length;
  for (;;) {
    while (at < end && sj_is_space(*at)) at++;
    if (at == end) return count;
    const char *name = at;
    while (at < end && (sj_is_letter(*at) || *at == '3')) at++;
    size_t length = (size_t)(at - name), i = 0, known = sizeof kinds / sizeof *kinds;
    while (i < known && !sj_is_keyword(name, length, kinds[i].name)) i++;
    if (i == known || at == end || *at != '(' || count == MAX_FUNCTIONS) return -1;
    const char *open = ++at;
    for (int depth = 1; at < end; at++) {
      depth += (*at == '(') - (*at == ')');
      if (!depth) break;
    }
    if (at == end) return -1;
    function f = {.kind = kinds[i].kind, .whole = {name, (size_t)(at + 1 - name)}};
    f.args[0] = f.args[1] = nothing(f.kind);
    if (f.kind != MATRIX) {
      sj_span args[2];
      int given = split_arguments(open, at, args);
      if (given > (has_two(f.kind) && kinds[i].axis < 0 ? 2 : 1)) return -1;
      if (kinds[i].axis >= 0) {
        f.args[kinds[i].axis] = args[0];
      } else {
        f.args[0] = args[0];
        if (given == 2) f.args[1] = args[1];
        if (given == 1 && f.kind == SCALE) f.args[1] = args[0];
      }
    }
    out[count++] = f;
    at++;
  }
}

static bool append(stijl_context *context, sj_span_buffer *out, const char *text) {
  return sj_span_append(context, out, text, strlen(text));
}

// Adds factors, of which only what they are beyond 1 counts.
static sj_combined add_factors(stijl_context *context, sj_span a, sj_span b, sj_span_buffer *out) {
  float x, y;
  if (!sj_parse_number(a.text, a.length, &x) || !sj_parse_number(b.text, b.length, &y)) return SJ_NOT_ALIKE;
  return sj_span_append_number(context, out, (double)x + (double)y - 1.0) ? SJ_COMBINED : SJ_COMBINE_NO_MEMORY;
}

static bool combine_pair(stijl_context *context, const function *a, double weight_a, const function *b, double weight_b,
                         sj_span_buffer *out, bool *alike) {
  bool memory = append(context, out, written[a->kind]) && append(context, out, "(");
  for (int i = 0; i < (has_two(a->kind) ? 2 : 1) && memory && *alike; i++) {
    bool adds = a->kind == SCALE && weight_a + weight_b == 2.0;
    sj_combined made = adds ? add_factors(context, a->args[i], b->args[i], out)
                            : sj_combine_lengths(context, a->args[i], weight_a, b->args[i], weight_b, out);
    memory = made != SJ_COMBINE_NO_MEMORY && (i || !has_two(a->kind) || append(context, out, ","));
    *alike = made == SJ_COMBINED;
  }
  return memory && append(context, out, ") ");
}

// --- matrices ---

// A matrix as what is interpolated (CSS Transforms 1, 12.1: decomposing a 2D matrix).
typedef struct parts {
  double translate[2], scale[2], angle, m11, m12, m21, m22;
} parts;

static parts decompose(stijl_matrix m) {
  double row0x = (double)m.a, row0y = (double)m.b, row1x = (double)m.c, row1y = (double)m.d;
  parts p = {.translate = {(double)m.e, (double)m.f}};
  p.scale[0] = sqrt(row0x * row0x + row0y * row0y);
  p.scale[1] = sqrt(row1x * row1x + row1y * row1y);
  if (row0x * row1y - row0y * row1x < 0.0) {
    if (row0x < row1y)
      p.scale[0] = -p.scale[0];
    else
      p.scale[1] = -p.scale[1];
  }
  if (p.scale[0] != 0.0) row0x /= p.scale[0], row0y /= p.scale[0];
  if (p.scale[1] != 0.0) row1x /= p.scale[1], row1y /= p.scale[1];
  p.angle = atan2(row0y, row0x);
  if (p.angle != 0.0) {
    double sn = -row0y, cs = row0x, m11 = row0x, m12 = row0y, m21 = row1x, m22 = row1y;
    row0x = cs * m11 + sn * m21;
    row0y = cs * m12 + sn * m22;
    row1x = -sn * m11 + cs * m21;
    row1y = -sn * m12 + cs * m22;
  }
  p.m11 = row0x, p.m12 = row0y, p.m21 = row1x, p.m22 = row1y;
  p.angle *= 57.29577951308232;
  return p;
}

static double mix(double a, double b, double t) { return a + (b - a) * t; }

static bool append_matrix(stijl_context *context, sj_span_buffer *out, const double v[6]) {
  bool memory = append(context, out, "matrix(");
  for (int i = 0; i < 6; i++)
    memory = memory && sj_span_append_number(context, out, v[i]) && append(context, out, i < 5 ? "," : ")");
  return memory;
}

static bool interpolate_matrices(stijl_context *context, stijl_matrix from, stijl_matrix to, double t,
                                 sj_span_buffer *out) {
  parts a = decompose(from), b = decompose(to);
  if ((a.scale[0] < 0.0 && b.scale[1] < 0.0) || (a.scale[1] < 0.0 && b.scale[0] < 0.0)) {
    a.scale[0] = -a.scale[0];
    a.scale[1] = -a.scale[1];
    a.angle += a.angle < 0.0 ? 180.0 : -180.0;
  }
  if (a.angle == 0.0) a.angle = 360.0;
  if (b.angle == 0.0) b.angle = 360.0;
  if (fabs(a.angle - b.angle) > 180.0) {
    if (a.angle > b.angle)
      a.angle -= 360.0;
    else
      b.angle -= 360.0;
  }
  double angle = mix(a.angle, b.angle, t) / 57.29577951308232, cs = cos(angle), sn = sin(angle);
  double sx = mix(a.scale[0], b.scale[0], t), sy = mix(a.scale[1], b.scale[1], t);
  double m11 = mix(a.m11, b.m11, t), m12 = mix(a.m12, b.m12, t), m21 = mix(a.m21, b.m21, t), m22 = mix(a.m22, b.m22, t);
  double v[6] = {(m11 * cs - m12 * sn) * sx,
                 (m11 * sn + m12 * cs) * sx,
                 (m21 * cs - m22 * sn) * sy,
                 (m21 * sn + m22 * cs) * sy,
                 mix(a.translate[0], b.translate[0], t),
                 mix(a.translate[1], b.translate[1], t)};
  return append_matrix(context, out, v);
}

// Computes the matrix of functions; false where they depend on a box or a font.
static bool matrix_of(const function *list, int count, stijl_matrix *out) {
  *out = stijl_matrix_identity();
  if (!count) return true;
  const char *text = list[0].whole.text, *end = list[count - 1].whole.text + list[count - 1].whole.length;
  for (const char *at = text; at < end; at++)
    if (*at == '%' || (*at == 'e' && at + 1 < end && at[1] == 'm')) return false;
  const sj_length_base base = {.font_size = 16.0f, .dpi = 96.0f};
  return sj_parse_css_transform(text, (size_t)(end - text), &base, 0.0f, 0.0f, out);
}

// Returns a function of that kind that does nothing.
static function identity(const function *like) {
  return (function){.kind = like->kind, .args = {nothing(like->kind), nothing(like->kind)}};
}

sj_combined sj_interpolate_transforms(stijl_context *context, sj_span a, sj_span b, double t, sj_span_buffer *out) {
  function left[MAX_FUNCTIONS], right[MAX_FUNCTIONS];
  int count = read_list(a, left), other = read_list(b, right), i = 0;
  size_t kept = out->count;
  bool memory = true, alike = true;
  if (count < 0 || other < 0) return SJ_NOT_ALIKE;
  for (; (i < count || i < other) && memory && alike; i++) {
    // A matrix has to be met by one, or by nothing.
    if ((i < count && left[i].kind == MATRIX) || (i < other && right[i].kind == MATRIX)) break;
    if (i < count && i < other && left[i].kind != right[i].kind) break;
    function f = i < count ? left[i] : identity(&right[i]), g = i < other ? right[i] : identity(&left[i]);
    memory = combine_pair(context, &f, 1.0 - t, &g, t, out, &alike);
  }
  if (memory && alike && (i < count || i < other)) {
    stijl_matrix from, to;
    alike =
        matrix_of(left + i, count > i ? count - i : 0, &from) && matrix_of(right + i, other > i ? other - i : 0, &to);
    if (alike) memory = interpolate_matrices(context, from, to, t, out);
  }
  if (!memory) return SJ_COMBINE_NO_MEMORY;
  if (alike && out->count == kept && !append(context, out, "none")) return SJ_COMBINE_NO_MEMORY;
  if (!alike) out->count = kept;
  return alike ? SJ_COMBINED : SJ_NOT_ALIKE;
}

sj_combined sj_accumulate_transforms(stijl_context *context, sj_span a, sj_span b, sj_span_buffer *out) {
  function left[MAX_FUNCTIONS], right[MAX_FUNCTIONS];
  int count = read_list(a, left), other = read_list(b, right);
  if (count < 0 || other < 0) return SJ_NOT_ALIKE;
  bool memory = true, alike = true;
  size_t kept = out->count;
  for (int i = 0; (i < count || i < other) && memory && alike; i++) {
    alike = (i >= count || left[i].kind != MATRIX) && (i >= other || right[i].kind != MATRIX) &&
            (i >= count || i >= other || left[i].kind == right[i].kind);
    if (!alike) break;
    function f = i < count ? left[i] : identity(&right[i]), g = i < other ? right[i] : identity(&left[i]);
    memory = combine_pair(context, &f, 1.0, &g, 1.0, out, &alike);
  }
  if (!memory) return SJ_COMBINE_NO_MEMORY;
  if (alike) return SJ_COMBINED;
  out->count = kept;
  return SJ_NOT_ALIKE;
}
