#include "svg/style/font_variant.h"

#include "svg/parse/values.h"
#include "svg/style/font.h"

#define TAG(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define OFFSET(member) offsetof(sj_font_variant, member)

// Values that exclude each other have the same group. Alternates by names of @font-feature-values are not supported.
typedef struct value {
  const char *text;
  size_t member;
  uint32_t bit, group;
} value;

static const value values[] = {
    {"common-ligatures", OFFSET(ligatures), 1, 3},
    {"no-common-ligatures", OFFSET(ligatures), 2, 3},
    {"discretionary-ligatures", OFFSET(ligatures), 4, 12},
    {"no-discretionary-ligatures", OFFSET(ligatures), 8, 12},
    {"historical-ligatures", OFFSET(ligatures), 16, 48},
    {"no-historical-ligatures", OFFSET(ligatures), 32, 48},
    {"contextual", OFFSET(ligatures), 64, 192},
    {"no-contextual", OFFSET(ligatures), 128, 192},
    {"small-caps", OFFSET(caps), 1, 63},
    {"all-small-caps", OFFSET(caps), 2, 63},
    {"petite-caps", OFFSET(caps), 4, 63},
    {"all-petite-caps", OFFSET(caps), 8, 63},
    {"unicase", OFFSET(caps), 16, 63},
    {"titling-caps", OFFSET(caps), 32, 63},
    {"lining-nums", OFFSET(numeric), 1, 3},
    {"oldstyle-nums", OFFSET(numeric), 2, 3},
    {"proportional-nums", OFFSET(numeric), 4, 12},
    {"tabular-nums", OFFSET(numeric), 8, 12},
    {"diagonal-fractions", OFFSET(numeric), 16, 48},
    {"stacked-fractions", OFFSET(numeric), 32, 48},
    {"ordinal", OFFSET(numeric), 64, 64},
    {"slashed-zero", OFFSET(numeric), 128, 128},
    {"jis78", OFFSET(east_asian), 1, 63},
    {"jis83", OFFSET(east_asian), 2, 63},
    {"jis90", OFFSET(east_asian), 4, 63},
    {"jis04", OFFSET(east_asian), 8, 63},
    {"simplified", OFFSET(east_asian), 16, 63},
    {"traditional", OFFSET(east_asian), 32, 63},
    {"full-width", OFFSET(east_asian), 64, 192},
    {"proportional-width", OFFSET(east_asian), 128, 192},
    {"ruby", OFFSET(east_asian), 256, 256},
    {"sub", OFFSET(position), 1, 3},
    {"super", OFFSET(position), 2, 3},
    {"text", OFFSET(emoji), 1, 7},
    {"emoji", OFFSET(emoji), 2, 7},
    {"unicode", OFFSET(emoji), 4, 7},
    {"historical-forms", OFFSET(alternates), 1, 1},
};

#define NO_LIGATURES (2 | 8 | 32 | 128)

static const struct {
  size_t member;
  uint32_t bit, tag, value;
} features[] = {
    {OFFSET(ligatures), 1, TAG('l', 'i', 'g', 'a'), 1},    {OFFSET(ligatures), 1, TAG('c', 'l', 'i', 'g'), 1},
    {OFFSET(ligatures), 2, TAG('l', 'i', 'g', 'a'), 0},    {OFFSET(ligatures), 2, TAG('c', 'l', 'i', 'g'), 0},
    {OFFSET(ligatures), 4, TAG('d', 'l', 'i', 'g'), 1},    {OFFSET(ligatures), 8, TAG('d', 'l', 'i', 'g'), 0},
    {OFFSET(ligatures), 16, TAG('h', 'l', 'i', 'g'), 1},   {OFFSET(ligatures), 32, TAG('h', 'l', 'i', 'g'), 0},
    {OFFSET(ligatures), 64, TAG('c', 'a', 'l', 't'), 1},   {OFFSET(ligatures), 128, TAG('c', 'a', 'l', 't'), 0},
    {OFFSET(caps), 1, TAG('s', 'm', 'c', 'p'), 1},         {OFFSET(caps), 2, TAG('c', '2', 's', 'c'), 1},
    {OFFSET(caps), 2, TAG('s', 'm', 'c', 'p'), 1},         {OFFSET(caps), 4, TAG('p', 'c', 'a', 'p'), 1},
    {OFFSET(caps), 8, TAG('c', '2', 'p', 'c'), 1},         {OFFSET(caps), 8, TAG('p', 'c', 'a', 'p'), 1},
    {OFFSET(caps), 16, TAG('u', 'n', 'i', 'c'), 1},        {OFFSET(caps), 32, TAG('t', 'i', 't', 'l'), 1},
    {OFFSET(numeric), 1, TAG('l', 'n', 'u', 'm'), 1},      {OFFSET(numeric), 2, TAG('o', 'n', 'u', 'm'), 1},
    {OFFSET(numeric), 4, TAG('p', 'n', 'u', 'm'), 1},      {OFFSET(numeric), 8, TAG('t', 'n', 'u', 'm'), 1},
    {OFFSET(numeric), 16, TAG('f', 'r', 'a', 'c'), 1},     {OFFSET(numeric), 32, TAG('a', 'f', 'r', 'c'), 1},
    {OFFSET(numeric), 64, TAG('o', 'r', 'd', 'n'), 1},     {OFFSET(numeric), 128, TAG('z', 'e', 'r', 'o'), 1},
    {OFFSET(east_asian), 1, TAG('j', 'p', '7', '8'), 1},   {OFFSET(east_asian), 2, TAG('j', 'p', '8', '3'), 1},
    {OFFSET(east_asian), 4, TAG('j', 'p', '9', '0'), 1},   {OFFSET(east_asian), 8, TAG('j', 'p', '0', '4'), 1},
    {OFFSET(east_asian), 16, TAG('s', 'm', 'p', 'l'), 1},  {OFFSET(east_asian), 32, TAG('t', 'r', 'a', 'd'), 1},
    {OFFSET(east_asian), 64, TAG('f', 'w', 'i', 'd'), 1},  {OFFSET(east_asian), 128, TAG('p', 'w', 'i', 'd'), 1},
    {OFFSET(east_asian), 256, TAG('r', 'u', 'b', 'y'), 1}, {OFFSET(position), 1, TAG('s', 'u', 'b', 's'), 1},
    {OFFSET(position), 2, TAG('s', 'u', 'p', 's'), 1},     {OFFSET(alternates), 1, TAG('h', 'i', 's', 't'), 1},
};

static uint32_t *member(sj_font_variant *variant, size_t offset) {
  return &((uint32_t *)variant)[offset / sizeof(uint32_t)];
}

// Returns the member of a longhand; SIZE_MAX for the shorthand.
static size_t member_of(sj_name name) {
  switch (name) {
    case SJ_PROPERTY_FONT_VARIANT_ALTERNATES: return OFFSET(alternates);
    case SJ_PROPERTY_FONT_VARIANT_CAPS: return OFFSET(caps);
    case SJ_PROPERTY_FONT_VARIANT_EAST_ASIAN: return OFFSET(east_asian);
    case SJ_PROPERTY_FONT_VARIANT_EMOJI: return OFFSET(emoji);
    case SJ_PROPERTY_FONT_VARIANT_LIGATURES: return OFFSET(ligatures);
    case SJ_PROPERTY_FONT_VARIANT_NUMERIC: return OFFSET(numeric);
    case SJ_PROPERTY_FONT_VARIANT_POSITION: return OFFSET(position);
    default: return SIZE_MAX;
  }
}

bool sj_font_variant_apply(sj_name name, const char *text, size_t length, sj_font_variant *out) {
  size_t only = member_of(name);
  sj_font_variant set = {0}, taken = {0};
  const char *word;
  size_t word_length;
  if (sj_is_keyword(text, length, "none") && (only == SIZE_MAX || only == OFFSET(ligatures))) {
    set.ligatures = NO_LIGATURES;
  } else if (!sj_is_keyword(text, length, "normal")) {
    bool any = false;
    while (sj_next_word(&text, &length, &word, &word_length)) {
      const value *found = NULL;
      for (size_t i = 0; i < sizeof values / sizeof *values && !found; i++)
        if (sj_is_keyword(word, word_length, values[i].text)) found = &values[i];
      if (!found || (only != SIZE_MAX && found->member != only) || (*member(&taken, found->member) & found->group))
        return false;
      *member(&taken, found->member) |= found->group;
      *member(&set, found->member) |= found->bit;
      any = true;
    }
    if (!any) return false;
  }
  if (only == SIZE_MAX) {
    *out = set;
  } else {
    *member(out, only) = *member(&set, only);
  }
  return true;
}

bool sj_font_variant_features(const sj_font_variant *variant, bool (*each)(void *user, uint32_t tag, uint32_t value),
                              void *user) {
  sj_font_variant copy = *variant;
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    if ((*member(&copy, features[i].member) & features[i].bit) && !each(user, features[i].tag, features[i].value))
      return false;
  return true;
}
