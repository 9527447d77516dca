// text-emphasis and its longhands (CSS Text Decoration 3, 3).
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "svg/parse/scan.h"
#include "svg/style/keyword.h"
#include "svg/style/text_effects.h"

static const sj_keyword marks[] = {{"dot", 0x2022},      {"circle", 0x25cf}, {"double-circle", 0x25c9},
                                   {"triangle", 0x25b2}, {"sesame", 0xfe45}, {0}};
static const sj_keyword open_marks[] = {{"dot", 0x25e6},      {"circle", 0x25cb}, {"double-circle", 0x25ce},
                                        {"triangle", 0x25b3}, {"sesame", 0xfe46}, {0}};

// Takes a string off, and finds its first character.
static bool read_string(sj_scan *s, uint32_t *out) {
  sj_scan_space(s);
  if (sj_scan_done(s) || (*s->at != '"' && *s->at != '\'')) return false;
  const char *end = memchr(s->at + 1, *s->at, (size_t)(s->end - s->at - 1)), *at = s->at + 1;
  if (!end || end == at) return false;
  uint32_t found = 0;
  int digits = 0;
  if (*at == '\\')
    for (int digit; ++at < end && digits < 6 && (digit = sj_hex_digit(*at)) >= 0; digits++)
      found = 16 * found + (uint32_t)digit;
  if (!digits) found = (uint32_t)sj_utf8_next(&at, end);
  s->at = end + 1;
  *out = found;
  return found >= ' ' && found < 0x110000u;
}

// Reads the words of a style: filled or open, and a shape, or a string.
static bool read_marks(sj_scan *s, uint32_t *out, sj_text_part *rest) {
  int open = -1, found = 0, other = 0;
  *rest = (sj_text_part){0};
  if (read_string(s, out)) {
    sj_next_text_part(s, rest);
    return true;
  }
  for (sj_text_part p; sj_next_text_part(s, &p);) {
    bool filled = sj_is_keyword(p.text, p.length, "filled");
    if (filled || sj_is_keyword(p.text, p.length, "open")) {
      if (open >= 0) return false;
      open = !filled;
    } else if (!found && sj_parse_keyword(marks, p.text, p.length, &found)) {
      sj_parse_keyword(open_marks, p.text, p.length, &other);
    } else if (!rest->length) {
      *rest = p;
      if (read_string(s, out)) return open < 0 && !found;
    } else {
      return false;
    }
  }
  *out = found       ? (uint32_t)(open == 1 ? other : found)
         : open == 1 ? SJ_EMPHASIS_OPEN
         : open == 0 ? SJ_EMPHASIS_FILLED
                     : 0;
  return true;
}

static bool read_emphasis_color(sj_text_part p, sj_emphasis_color *out) {
  static const stijl_color unknown = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_color_kind kind = SJ_COLOR_RGBA;
  if (!sj_parse_color(p.text, p.length, &unknown, &kind, &out->value)) return false;
  out->given = true;
  out->kind = (int)kind;
  return true;
}

// Reads over or under, and right or left, which may be left out. Returns false for any other value.
static bool read_emphasis_position(const char *text, size_t length, int *under) {
  sj_scan s = {text, text + length};
  int block = -1, side = -1;
  for (sj_text_part p; sj_next_text_part(&s, &p);) {
    bool low = sj_is_keyword(p.text, p.length, "under"), left = sj_is_keyword(p.text, p.length, "left");
    bool is_side = left || sj_is_keyword(p.text, p.length, "right");
    if (!is_side && !low && !sj_is_keyword(p.text, p.length, "over")) return false;
    if (is_side ? side >= 0 : block >= 0) return false;
    *(is_side ? &side : &block) = is_side ? left : low;
  }
  if (block < 0 || !sj_scan_done(&s)) return false;
  *under = block | (side > 0 ? 2 : 0);
  return true;
}

bool sj_emphasis_apply(sj_name name, const char *text, size_t length, sj_emphasis *out) {
  sj_emphasis made = *out;
  sj_scan s = {text, text + length};
  sj_text_part rest;
  if (name == SJ_PROPERTY_TEXT_EMPHASIS_POSITION) return read_emphasis_position(text, length, &out->under);
  if (name == SJ_PROPERTY_TEXT_EMPHASIS_COLOR) return read_emphasis_color((sj_text_part){text, length}, &out->color);
  bool none = sj_is_keyword(text, length, "none");
  made.mark = 0;
  if (name == SJ_PROPERTY_TEXT_EMPHASIS) made.color = (sj_emphasis_color){0};
  if (!none && (!read_marks(&s, &made.mark, &rest) || !sj_scan_done(&s))) return false;
  if (!none && rest.length && sj_is_keyword(rest.text, rest.length, "none")) rest.length = 0;
  if (!none && rest.length && (name == SJ_PROPERTY_TEXT_EMPHASIS_STYLE || !read_emphasis_color(rest, &made.color)))
    return false;
  if (!none && !rest.length && !made.mark) return false;
  *out = made;
  return true;
}
