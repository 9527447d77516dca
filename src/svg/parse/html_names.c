#include "svg/parse/html_names.h"

#include <string.h>

#include "base/search.h"

static const struct {
  const char *text;
  bool laid_out;
} properties[] = {
#define SJ_X(id, name, laid_out) {name, laid_out},
    SJ_HTML_PROPERTIES(SJ_X)
#undef SJ_X
};

#define FIRST (SJ_HTML_BEFORE_FIRST_ + 1)

int sj_html_property_find(const char *name, size_t length) {
  char lower[32];
  if (length >= sizeof lower) return SJ_NAME_UNKNOWN;
  for (size_t i = 0; i < length; i++) lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
  lower[length] = 0;
  size_t low = 0, high = SJ_HTML_END - FIRST;
  SJ_SEARCH(low, high, i, strcmp(properties[i].text, lower) < 0);
  if (low < SJ_HTML_END - FIRST && strcmp(properties[low].text, lower) == 0) return FIRST + (int)low;
  size_t skip = sj_old_prefix(lower, length);
  return skip ? sj_html_property_find(name + skip, length - skip) : SJ_NAME_UNKNOWN;
}

const char *sj_html_property_text(int name) { return properties[name - FIRST].text; }

bool sj_html_property_is_laid_out(int name) { return properties[name - FIRST].laid_out; }

bool sj_html_property_is_of_root(int name) {
  static const char *const begins[] = {"background-", "border", "box-s", "margin", "outline", "padding"};
  bool found = false;
  for (size_t i = 0; i < sizeof begins / sizeof *begins && name > SJ_HTML_BEFORE_FIRST_; i++)
    found |= strncmp(properties[name - FIRST].text, begins[i], strlen(begins[i])) == 0;
  return found && properties[name - FIRST].laid_out;
}
