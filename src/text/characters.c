#include "text/characters.h"

#include "base/utf8.h"
#include "libraries/harfbuzz.h"

// Each two letters of flags are one cluster, counted from the first of their row. In longer rows, which are no flags,
// each letter is a cluster, so that counting takes bounded time.
#define MAX_FLAG_LETTERS 512

bool sj_is_mark(uint32_t c) {
  switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), c)) {
    case HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK: return true;
    default: return false;
  }
}

static bool is_variation_selector(uint32_t c) { return (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef); }

bool sj_is_regional(uint32_t c) { return c >= 0x1f1e6 && c <= 0x1f1ff; }

bool sj_is_ignorable(uint32_t c) {
  return c == 0xad || c == 0x34f || c == 0x61c || (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || is_variation_selector(c) || (c >= 0xe0000 && c <= 0xe0fff) ||
         c < 0x20 || (c >= 0x7f && c < 0xa0);
}

bool sj_ends_line(uint32_t c) { return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool sj_continues_cluster(const uint32_t *text, uint32_t at) {
  uint32_t c = text[at];
  if (at == 0 || sj_ends_line(text[at - 1])) return false;
  if (sj_is_mark(c) || is_variation_selector(c) || c == 0x200d || (c >= 0x1f3fb && c <= 0x1f3ff) ||
      (c >= 0xe0020 && c <= 0xe007f))
    return true;
  if (text[at - 1] == 0x200d)  // a joiner goes on a cluster of emoji, but of no script
    return (c >= 0x2190 && c < 0x2c00) || c == 0x3030 || c == 0x303d || c == 0x3297 || c == 0x3299 ||
           (c >= 0x1f000 && c < 0x20000);
  if (sj_is_regional(c) && sj_is_regional(text[at - 1])) {
    uint32_t before = 0;
    while (before < at && before < MAX_FLAG_LETTERS && sj_is_regional(text[at - 1 - before])) before++;
    return before % 2 == 1;
  }
  return false;
}

bool sj_decode_utf8(stijl_context *context, const char *text, size_t length, uint32_t **out, uint32_t **offsets,
                    uint32_t *count) {
  const char *at = text, *end = text + length;
  *out = sj_alloc_array(context, length + 1, sizeof **out);
  if (offsets) *offsets = sj_alloc_array(context, length + 1, sizeof **offsets);
  if (!*out || (offsets && !*offsets)) {
    sj_free(context, *out);
    if (offsets) sj_free(context, *offsets);
    return false;
  }
  uint32_t n = 0;
  while (at < end) {
    if (offsets) (*offsets)[n] = (uint32_t)(at - text);
    int32_t c = sj_utf8_next(&at, end);
    (*out)[n++] = c < 0 ? SJ_REPLACEMENT_CHARACTER : (uint32_t)c;
  }
  if (offsets) (*offsets)[n] = (uint32_t)length;
  *count = n;
  return true;
}
