#include "text/line_breaks.h"

#include <string.h>

#include "libraries/unibreak.h"
#include "text/characters.h"

// Returns whether libunibreak 1 fails an assertion, which ends the process, at a character: at the letters of flags,
// which are newer than it, and at U+FFFF, which it takes for the end of the text.
static bool ends_unibreak(uint32_t c) { return sj_is_regional(c) || c == 0xffff; }

// Breaks a text with such characters, for which ideographs and U+FFFD stand. Each two letters are one flag, which is
// not broken (UAX 14, LB30a).
static void break_others(const uint32_t *text, uint32_t *copy, uint32_t count, const char *language, char *out) {
  for (uint32_t i = 0; i < count; i++)
    copy[i] = sj_is_regional(text[i]) ? 0x4e00 : text[i] == 0xffff ? 0xfffd : text[i];
  set_linebreaks_utf32(copy, count, language, out);
  for (uint32_t i = 0; i + 1 < count; i++) {
    if (!sj_is_regional(text[i]) || !sj_is_regional(text[i + 1])) continue;
    out[i] = LINEBREAK_NOBREAK;
    i++;
  }
}

bool sj_line_breaks(stijl_context *context, const uint32_t *text, uint32_t count, const char *language, char *out) {
  stijl_message message;
  bool safe = true, good = true;
  if (sj_open_unibreak(&message) != STIJL_OK) {
    sj_log(context, STIJL_LOG_WARNING, "lines are not broken: %s", message.text);
    memset(out, LINEBREAK_NOBREAK, count);
    return true;
  }
  for (uint32_t i = 0; i < count && safe; i++) safe = !ends_unibreak(text[i]);
  if (!safe) {
    uint32_t *copy = sj_alloc_array(context, count, sizeof *copy);
    good = copy != NULL;
    if (good) break_others(text, copy, count, language ? language : "", out);
    sj_free(context, copy);
  } else {
    set_linebreaks_utf32(text, count, language ? language : "", out);
  }
  return good;
}
