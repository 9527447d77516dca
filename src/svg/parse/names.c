#include "svg/parse/names.h"

#include <string.h>
#include <strings.h>

#include "base/search.h"

static const char *const element_names[] = {"",
#define SJ_X(id, name, is) name,
                                            SJ_ELEMENTS(SJ_X)
#undef SJ_X
};

static const unsigned short element_kinds[] = {0,
#define SJ_X(id, name, is) is,
                                               SJ_ELEMENTS(SJ_X)
#undef SJ_X
};

static const char *const names[] = {
#define SJ_X(id, name) name,
    SJ_PROPERTIES(SJ_X) SJ_ATTRIBUTES(SJ_X, SJ_X)
#undef SJ_X
};

static const bool geometry_properties[SJ_NAME_COUNT] = {
#define SJ_X(id, name)
#define SJ_G(id, name) [SJ_ATTRIBUTE_##id] = true,
    SJ_ATTRIBUTES(SJ_X, SJ_G)
#undef SJ_G
#undef SJ_X
};

// Returns the index of the name in table[first..end), or `end`.
static int find(const char *const *table, int first, int end, const char *name, size_t length) {
  size_t low = (size_t)first, high = (size_t)end;
  SJ_SEARCH(low, high, i, sj_compare_texts(table[i], strlen(table[i]), name, length) < 0);
  bool found = low < (size_t)end && sj_compare_texts(table[low], strlen(table[low]), name, length) == 0;
  return found ? (int)low : end;
}

sj_element sj_element_find(const char *name, size_t length) {
  int found = length ? find(element_names, 1, SJ_ELEMENT_COUNT, name, length) : SJ_ELEMENT_COUNT;
  return found == SJ_ELEMENT_COUNT ? SJ_ELEMENT_UNKNOWN : (sj_element)found;
}

sj_name sj_attribute_find(const char *name, size_t length) {
  int found = find(names, 0, SJ_PROPERTY_COUNT, name, length);
  if (found == SJ_PROPERTY_COUNT) found = find(names, SJ_PROPERTY_COUNT, SJ_NAME_COUNT, name, length);
  return (sj_name)found;
}

size_t sj_old_prefix(const char *lower, size_t length) {
  static const char prefix[] = "-webkit-";
  size_t skip = sizeof prefix - 1;
  return length > skip && memcmp(lower, prefix, skip) == 0 ? skip : 0;
}

sj_name sj_property_find(const char *name, size_t length) {
  char lower[48];
  if (length > sizeof lower) return SJ_NAME_UNKNOWN;
  for (size_t i = 0; i < length; i++) lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
  size_t skip = sj_old_prefix(lower, length);
  if (skip) return sj_property_find(lower + skip, length - skip);
  sj_name found = sj_attribute_find(lower, length);
  if (found < SJ_PROPERTY_COUNT) return found;
  return found < SJ_NAME_COUNT && geometry_properties[found] ? found : SJ_NAME_UNKNOWN;
}

// The first ROOT_MISSING count at the root only.
#define ROOT_MISSING 1
static const char *const missing[] = {"border-image",
                                      "-webkit-box-reflect",
                                      "-webkit-mask-box-image",
                                      "-webkit-mask-box-image-source",
                                      "-webkit-mask-position-x",
                                      "-webkit-mask-position-y",
                                      "-webkit-text-security",
                                      "all",
                                      "backdrop-filter",
                                      "block-size",
                                      "content-visibility",
                                      "mask-border",
                                      "mask-border-source",
                                      "offset",
                                      "offset-position",
                                      "outline",
                                      "outline-style",
                                      "zoom"};
_Static_assert(sizeof missing / sizeof *missing <= 64, "a document has a bit for each");

int sj_property_missing(const char *name, size_t length, bool at_root) {
  if (at_root && length >= 7 && strncasecmp(name, "outline", 7) == 0) return -1;  // of a root it is drawn
  for (size_t i = at_root ? 0 : ROOT_MISSING; i < sizeof missing / sizeof *missing; i++)
    if (strlen(missing[i]) == length && strncasecmp(name, missing[i], length) == 0) return (int)i;
  return -1;
}

const char *sj_property_missing_text(int number) {
  return (size_t)number < sizeof missing / sizeof *missing ? missing[number] : NULL;
}

bool sj_element_is(sj_element element, unsigned kinds) { return element_kinds[element] & kinds; }

const char *sj_element_name(sj_element element) {
  return (unsigned)element < SJ_ELEMENT_COUNT ? element_names[element] : "";
}

const char *sj_name_text(sj_name name) { return (unsigned)name < SJ_NAME_COUNT ? names[name] : ""; }
