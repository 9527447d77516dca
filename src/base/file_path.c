// Makes paths of files from URLs, and from what other files refer to.
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"

size_t sj_percent_decode(const char *text, size_t length, char *out) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '%' && i + 2 < length && sj_hex_digit(text[i + 1]) >= 0 && sj_hex_digit(text[i + 2]) >= 0) {
      out[count++] = (char)(sj_hex_digit(text[i + 1]) * 16 + sj_hex_digit(text[i + 2]));
      i += 2;
    } else {
      out[count++] = text[i];
    }
  }
  return count;
}

static bool starts_with(const char *text, size_t length, const char *prefix) {
  for (; *prefix; text++, length--, prefix++)
    if (!length || sj_to_lower(*text) != *prefix) return false;
  return true;
}

// Returns whether a URL begins with a scheme ("http:": a letter, then letters, digits, + - . up to a colon) or a host
// ("//host").
static bool has_scheme(const char *text, size_t length) {
  if (length >= 2 && text[0] == '/' && text[1] == '/') return true;
  if (!length || !sj_is_letter(text[0])) return false;
  for (size_t i = 1; i < length; i++) {
    char c = text[i];
    if (c == ':') return true;
    if (!sj_is_letter(c) && !sj_is_digit(c) && c != '+' && c != '-' && c != '.') return false;
  }
  return false;
}

// Returns how many bytes stand before the path of a file: URL, whose host is this machine and whose path is absolute
// (RFC 8089, 2); 0 where it is none.
static size_t file_scheme(const char *text, size_t length) {
  static const char *const forms[] = {"file:///", "file://localhost/", "file:/"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t before = strlen(forms[i]) - 1;
    // "file://host/" begins like the last form.
    if (starts_with(text, length, forms[i]) && (length == before + 1 || text[before + 1] != '/' || i < 2))
      return before;
  }
  return 0;
}

stijl_result sj_url_to_path(stijl_context *context, const char *url, size_t length, char **path,
                            stijl_message *message) {
  size_t end = 0;
  while (end < length && url[end] != '#' && url[end] != '?') end++;
  length = end;
  if (!length) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "it refers to a part of a document");
  size_t skip = file_scheme(url, length);
  if (skip) {
    url += skip;
    length -= skip;
  } else if (has_scheme(url, length)) {
    return sj_fail(message, STIJL_ERROR_REFUSED, "addresses outside the file system are never read");
  }
  char *made = sj_alloc(context, length + 1);
  if (!made) return sj_fail_memory(message);
  size_t count = sj_percent_decode(url, length, made);
  made[count] = 0;
  if (strlen(made) != count) {
    sj_free(context, made);
    return sj_fail(message, STIJL_ERROR_REFUSED, "the file name holds a zero byte");
  }
  *path = made;
  return STIJL_OK;
}

// Resolves "." and ".." in place (RFC 3986, 5.2.4), but keeps each ".." that leads out of a relative path's start.
static void remove_dots(char *path) {
  char *out = path + (path[0] == '/'), *start = out;
  for (const char *in = out; *in;) {
    const char *end = in;
    while (*end && *end != '/') end++;
    size_t length = (size_t)(end - in), step = length + (*end == '/');
    bool up = length == 2 && in[0] == '.' && in[1] == '.';
    bool kept = out - start >= 3 && memcmp(out - 3, "../", 3) == 0 && (out - start == 3 || out[-4] == '/');
    if (up && out > start && !kept) {
      for (out--; out > start && out[-1] != '/';) out--;
    } else if ((up && path[0] == '/') || length == 0 || (length == 1 && in[0] == '.')) {
      // The segment is left out.
    } else {
      memmove(out, in, step);
      out += step;
    }
    in += step;
  }
  *out = 0;
}

char *sj_path_beside(stijl_context *context, const char *from, const char *path) {
  const char *slash = path[0] == '/' ? NULL : strrchr(from, '/');
  size_t folder = slash ? (size_t)(slash - from) + 1 : 0, length = strlen(path);
  char *made = sj_alloc(context, folder + length + 1);
  if (!made) return NULL;
  memcpy(made, from, folder);
  memcpy(made + folder, path, length + 1);
  remove_dots(made);
  return made;
}

char *sj_path_folder(stijl_context *context, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return sj_strndup(context, ".", 1);
  return sj_strndup(context, path, slash == path ? 1 : (size_t)(slash - path));
}
