// Adds characters to a text as text-transform has them (CSS Text 3, 2.1). Attributes count the characters of the
// document: what a letter becomes beyond one is marked as added.

#include "svg/resolve/text_content.h"
#include "text/caps.h"

static bool is_language(const sj_text_scope *scope, const char *a, const char *b) {
  const char *language = scope->language;
  if (!language || !language[0] || !language[1] || (language[2] && language[2] != '-' && language[2] != '_'))
    return false;
  return sj_is_keyword(language, 2, a) || sj_is_keyword(language, 2, b);
}

// Returns whether a character goes on with a word. Letters and digits make words, with the marks on them, and with what
// stands between two of them as in "o'clock".
static bool goes_on(uint32_t character, bool in_word) {
  if (character == '\'' || character == 0x2019 || character == 0xb7) return in_word;
  switch (hb_unicode_general_category(hb_unicode_funcs_get_default(), character)) {
    case HB_UNICODE_GENERAL_CATEGORY_LOWERCASE_LETTER:
    case HB_UNICODE_GENERAL_CATEGORY_MODIFIER_LETTER:
    case HB_UNICODE_GENERAL_CATEGORY_OTHER_LETTER:
    case HB_UNICODE_GENERAL_CATEGORY_TITLECASE_LETTER:
    case HB_UNICODE_GENERAL_CATEGORY_UPPERCASE_LETTER:
    case HB_UNICODE_GENERAL_CATEGORY_DECIMAL_NUMBER:
    case HB_UNICODE_GENERAL_CATEGORY_LETTER_NUMBER:
    case HB_UNICODE_GENERAL_CATEGORY_OTHER_NUMBER: return true;
    case HB_UNICODE_GENERAL_CATEGORY_CONNECT_PUNCTUATION:
    case HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK:
    case HB_UNICODE_GENERAL_CATEGORY_FORMAT: return in_word;
    default: return false;
  }
}

// Returns the fullwidth form of a character of ASCII.
static uint32_t full_width(uint32_t character) {
  return character == ' ' ? 0x3000 : character > ' ' && character < 0x7f ? character + 0xfee0 : character;
}

static uint32_t to_capital(const sj_text_scope *scope, uint32_t character, bool title, uint32_t out[SJ_MAX_CAPITALS]) {
  if (character == 'i' && is_language(scope, "tr", "az")) return out[0] = 0x130, 1;
  return title ? sj_title_of(character, out) : sj_capitals_of(character, out);
}

static uint32_t lower(sj_text_content *t, const sj_text_scope *scope, uint32_t character,
                      uint32_t out[SJ_MAX_CAPITALS]) {
  bool turkish = is_language(scope, "tr", "az");
  if (character == 'I' && turkish) return out[0] = 0x131, 1;
  if (character == 0x130) return out[0] = 'i', out[1] = 0x307, turkish ? 1 : 2;
  // A sigma at the end of a word looks different. That it is the end is known once no letter has followed.
  if (character == 0x3a3 && t->in_word) {
    t->last_sigma = (uint32_t)t->characters.count + 1;
    return out[0] = 0x3c2, 1;
  }
  return out[0] = sj_small_of(character), 1;
}

bool sj_text_add_letter(sj_text_content *t, uint32_t at, uint32_t character) {
  const sj_text_scope *scope = &t->scopes.data[at];
  int transform = scope->style.font.transform;
  uint32_t made[SJ_MAX_CAPITALS] = {0}, count = 0;
  bool goes = (transform || t->last_sigma) && goes_on(character, t->in_word), begins = goes && !t->in_word;
  if (goes && t->last_sigma && t->last_sigma <= t->characters.count) t->characters.data[t->last_sigma - 1] = 0x3c3;
  t->last_sigma = 0;
  if (transform & SJ_TRANSFORM_UPPER) count = to_capital(scope, character, false, made);
  if (transform & SJ_TRANSFORM_LOWER) count = lower(t, scope, character, made);
  if ((transform & SJ_TRANSFORM_CAPITALIZE) && begins) count = to_capital(scope, character, true, made);
  t->in_word = goes;
  if (!count) made[count++] = character;
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    uint32_t wide = transform & SJ_TRANSFORM_FULL_WIDTH ? full_width(made[i]) : made[i];
    good = sj_text_add_character(t, at, wide, i ? SJ_CHARACTER_ADDED : SJ_CHARACTER_OWN);
  }
  return good;
}
