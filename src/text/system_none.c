// Stands in for system.c in a build without fontconfig: the system has no fonts then.
#include "text/system.h"

size_t sj_system_fonts(const sj_system_font **out) {
  *out = NULL;
  return 0;
}

bool sj_system_has_char(const sj_system_font *font, uint32_t character) { return false; }

const char *sj_system_substitute(const char *family, bool exact) { return NULL; }

size_t sj_system_fallback(const char *family, uint32_t character, uint32_t *out, size_t max) { return 0; }
