// Reads the values of HTML's properties, and finds what the names of some stand for.
#include "svg/html/values.h"

#include <math.h>
#include <string.h>

#include "svg/style/keyword.h"

sj_unit64 sj_html_from_pixels(double pixels) {
  double v = pixels * 64.0, most = (double)SJ_HTML_MAX;
  return !(v > -most) ? -SJ_HTML_MAX : v < most ? (sj_unit64)v : SJ_HTML_MAX;
}

sj_unit64 sj_html_ceil(double pixels) { return sj_html_from_pixels(ceil(pixels * 64.0) / 64.0); }

sj_unit64 sj_html_resolve(const sj_html_length *length, sj_unit64 base) {
  if (length->kind != SJ_SIZE_LENGTH || (length->percent != 0.0f && base == SJ_HTML_AUTO)) return SJ_HTML_AUTO;
  double percent = length->percent == 0.0f ? 0.0 : (double)length->percent * 0.01 * ((double)base / 64.0);
  return sj_html_from_pixels((double)length->pixels + percent);
}

bool sj_html_read_length(const char *text, size_t length, const sj_length_base *base, bool negative,
                         sj_html_length *out) {
  sj_length value;
  if (sj_is_keyword(text, length, "auto") || sj_is_keyword(text, length, "none") ||
      sj_is_keyword(text, length, "initial") || sj_is_keyword(text, length, "normal")) {
    *out = (sj_html_length){0};
    return true;
  }
  static const sj_keyword sizes[] = {{"min-content", SJ_SIZE_MIN_CONTENT},
                                     {"max-content", SJ_SIZE_MAX_CONTENT},
                                     {"fit-content", SJ_SIZE_FIT_CONTENT},
                                     {"-webkit-fit-content", SJ_SIZE_FIT_CONTENT},
                                     {0}};
  int kind;
  if (sj_parse_keyword(sizes, text, length, &kind)) {
    *out = (sj_html_length){.kind = (sj_html_size)kind};
    return true;
  }
  // What is the least of a length and a percentage is no sum of both.
  bool bends = memchr(text, '%', length) && (memmem(text, length, "min(", 4) || memmem(text, length, "max(", 4) ||
                                             memmem(text, length, "clamp(", 6));
  if (bends || !sj_parse_length(text, length, &value) || (!negative && value.value < 0.0f)) return false;
  if (value.unit == SJ_UNIT_NONE && value.value != 0.0f) return false;
  float pixels = sj_length_pixels(value, base, 0.0f);
  *out = (sj_html_length){SJ_SIZE_LENGTH, pixels, sj_length_pixels(value, base, 100.0f) - pixels};
  return true;
}

void sj_html_read_sides(sj_scan w, const sj_length_base *base, bool negative, sj_html_length out[4]) {
  const char *text;
  size_t length;
  sj_html_length values[4];
  int count = 0;
  while (count < 4 && sj_scan_word(&w, &text, &length))
    if (!sj_html_read_length(text, length, base, negative, &values[count++])) return;
  for (int side = 0; count && side < 4; side++) out[side] = values[sj_side_value(count, side)];
}

// --- logical properties: CSS Logical 1 ---

// Properties that are named by how the text flows, which is from the top here, and from either side: the physical ones
// that they stand for, the starting one first, and whether each word is for one of them.
static const struct {
  int name;
  sj_html_logical of;
} logical[] = {
#define SJ_SIDES(name, start, end)                                                         \
  {SJ_HTML_##name, {start, end, true}}, {SJ_HTML_##name##_START, {start, start, false}}, { \
    SJ_HTML_##name##_END, { end, end, false }                                              \
  }
    SJ_SIDES(MARGIN_BLOCK, SJ_HTML_MARGIN_TOP, SJ_HTML_MARGIN_BOTTOM),
    SJ_SIDES(MARGIN_INLINE, SJ_HTML_MARGIN_LEFT, SJ_HTML_MARGIN_RIGHT),
    SJ_SIDES(PADDING_BLOCK, SJ_HTML_PADDING_TOP, SJ_HTML_PADDING_BOTTOM),
    SJ_SIDES(PADDING_INLINE, SJ_HTML_PADDING_LEFT, SJ_HTML_PADDING_RIGHT),
    SJ_SIDES(INSET_BLOCK, SJ_HTML_TOP, SJ_HTML_BOTTOM),
    SJ_SIDES(INSET_INLINE, SJ_HTML_LEFT, SJ_HTML_RIGHT),
#undef SJ_SIDES
    {SJ_HTML_BORDER_BLOCK, {SJ_HTML_BORDER_TOP, SJ_HTML_BORDER_BOTTOM, false}},
    {SJ_HTML_BORDER_BLOCK_START, {SJ_HTML_BORDER_TOP, SJ_HTML_BORDER_TOP, false}},
    {SJ_HTML_BORDER_BLOCK_END, {SJ_HTML_BORDER_BOTTOM, SJ_HTML_BORDER_BOTTOM, false}},
    {SJ_HTML_BORDER_INLINE, {SJ_HTML_BORDER_LEFT, SJ_HTML_BORDER_RIGHT, false}},
    {SJ_HTML_BORDER_INLINE_START, {SJ_HTML_BORDER_LEFT, SJ_HTML_BORDER_LEFT, false}},
    {SJ_HTML_BORDER_INLINE_END, {SJ_HTML_BORDER_RIGHT, SJ_HTML_BORDER_RIGHT, false}},
    {SJ_PROPERTY_INLINE_SIZE, {SJ_ATTRIBUTE_WIDTH, SJ_ATTRIBUTE_WIDTH, false}},
    {SJ_HTML_BLOCK_SIZE, {SJ_ATTRIBUTE_HEIGHT, SJ_ATTRIBUTE_HEIGHT, false}},
    {SJ_HTML_MIN_INLINE_SIZE, {SJ_HTML_MIN_WIDTH, SJ_HTML_MIN_WIDTH, false}},
    {SJ_HTML_MIN_BLOCK_SIZE, {SJ_HTML_MIN_HEIGHT, SJ_HTML_MIN_HEIGHT, false}},
    {SJ_HTML_MAX_INLINE_SIZE, {SJ_HTML_MAX_WIDTH, SJ_HTML_MAX_WIDTH, false}},
    {SJ_HTML_MAX_BLOCK_SIZE, {SJ_HTML_MAX_HEIGHT, SJ_HTML_MAX_HEIGHT, false}}};

static int other_side(int name) {
  static const int pairs[][2] = {{SJ_HTML_MARGIN_LEFT, SJ_HTML_MARGIN_RIGHT},
                                 {SJ_HTML_PADDING_LEFT, SJ_HTML_PADDING_RIGHT},
                                 {SJ_HTML_LEFT, SJ_HTML_RIGHT},
                                 {SJ_HTML_BORDER_LEFT, SJ_HTML_BORDER_RIGHT}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int k = 0; k < 2; k++)
      if (pairs[i][k] == name) return pairs[i][!k];
  return name;
}

bool sj_html_find_logical(int name, bool right_to_left, sj_html_logical *out) {
  for (size_t i = 0; i < sizeof logical / sizeof *logical; i++) {
    if (logical[i].name != name) continue;
    *out = logical[i].of;
    if (right_to_left) {
      out->first = other_side(out->first);
      out->last = other_side(out->last);
    }
    return true;
  }
  return false;
}
