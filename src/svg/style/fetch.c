#include "svg/style/fetch.h"

#include <string.h>

#include "base/budget.h"
#include "geometry/number.h"
#include "svg/parse/values.h"

// What looking for a file takes of the budget.
#define WORK_A_FILE 20000

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (sj_is_digit(c)) return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

// Decodes base64 (RFC 4648) in place and skips white space. Returns false at any other character that is no digit.
static bool base64_decode(char *data, size_t *length) {
  size_t count = 0;
  unsigned bits = 0;
  int held = 0;
  signed char digits[256];  // a table, since branches on the kind of digit are mispredicted half of the time
  for (int c = 0; c < 256; c++) digits[c] = (signed char)base64_digit((char)c);
  for (size_t i = 0; i < *length; i++) {
    int digit = digits[(unsigned char)data[i]];
    if (digit < 0 && data[i] == '=') break;
    if (digit < 0 && sj_is_space(data[i])) continue;
    if (digit < 0) return false;
    bits = (bits << 6 | (unsigned)digit) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      data[count++] = (char)(bits >> held & 0xff);
    }
  }
  *length = count;
  return true;
}

static bool starts_with(const char *text, size_t length, const char *prefix) {
  size_t count = strlen(prefix);
  if (length < count) return false;
  for (size_t i = 0; i < count; i++) {
    if (sj_to_lower(text[i]) != prefix[i]) return false;
  }
  return true;
}

// Decodes data:[type][;parameter...][;base64],content (RFC 2397).
static stijl_result fetch_data(stijl_context *context, const char *text, size_t length, sj_bytes *out,
                               stijl_message *message) {
  const char *comma = memchr(text, ',', length);
  if (!comma) return sj_fail(message, STIJL_ERROR_MALFORMED, "the data URL has no comma");
  size_t head = (size_t)(comma - text);
  while (head && sj_is_space(text[head - 1])) head--;
  bool base64 = head >= 7 && starts_with(text + head - 7, 7, ";base64");
  size_t count = length - (size_t)(comma - text) - 1;
  char *data = sj_alloc(context, count + 1);
  if (!data) return sj_fail_memory(message);
  count = sj_percent_decode(comma + 1, count, data);
  if (base64 && !base64_decode(data, &count)) {
    sj_free(context, data);
    return sj_fail(message, STIJL_ERROR_MALFORMED, "the data URL is not base64");
  }
  *out = (sj_bytes){.data = (unsigned char *)data, .count = count};
  return STIJL_OK;
}

// Reads a file; `path` is absolute or relative to the base folder.
static stijl_result fetch_file(stijl_context *context, const sj_svg_options *options, const char *path, sj_bytes *out,
                               stijl_message *message) {
  const char *base = options->base_folder && *options->base_folder ? options->base_folder : ".";
  size_t base_length = path[0] == '/' ? 0 : strlen(base) + 1, path_length = strlen(path);
  char *joined = sj_alloc(context, base_length + path_length + 1);
  if (!joined) return sj_fail_memory(message);
  if (base_length) {
    memcpy(joined, base, base_length - 1);
    joined[base_length - 1] = '/';
  }
  memcpy(joined + base_length, path, path_length + 1);
  const char *root = options->allow_all_files ? NULL : base;
  stijl_result result = sj_file_read(context, root, joined, options->limits.max_bytes, out, message);
  sj_free(context, joined);
  return result;
}

// Asks the application for a file. STIJL_ERROR_UNSUPPORTED: it knows none by this name.
static stijl_result fetch_given(stijl_context *context, const sj_svg_options *options, const char *href, size_t length,
                                sj_bytes *out, stijl_message *message) {
  const char *fragment = memchr(href, '#', length);
  char *url = sj_strndup(context, href, fragment ? (size_t)(fragment - href) : length);
  if (!url) return sj_fail_memory(message);
  const void *data = NULL;
  size_t bytes = 0;
  stijl_result result = *url ? options->read(options->read_user, url, &data, &bytes) : STIJL_ERROR_UNSUPPORTED;
  sj_free(context, url);
  if (result != STIJL_OK) return sj_fail(message, result, "the application does not give it");
  if (bytes > options->limits.max_bytes)
    return sj_fail(message, STIJL_ERROR_LIMIT, "the file is larger than max_bytes (%llu)",
                   (unsigned long long)options->limits.max_bytes);
  unsigned char *copy = sj_alloc(context, bytes + 1);
  if (!copy) return sj_fail_memory(message);
  if (bytes) memcpy(copy, data, bytes);
  copy[bytes] = 0;
  *out = (sj_bytes){.data = copy, .count = bytes};
  return STIJL_OK;
}

stijl_result sj_fetch(stijl_context *context, const sj_svg_options *options, const char *href, size_t length,
                      sj_bytes *out, stijl_message *message) {
  sj_trim_space(&href, &length);
  if (starts_with(href, length, "data:")) return fetch_data(context, href + 5, length - 5, out, message);
  if (!sj_context_check(context, WORK_A_FILE)) return sj_budget_spent(message);
  if (options->read) {
    stijl_result given = fetch_given(context, options, href, length, out, message);
    if (given != STIJL_ERROR_UNSUPPORTED) return given;
  }
  // The fragment, which names a part of the file, is left out: all of it is read.
  char *path;
  stijl_result result = sj_url_to_path(context, href, length, &path, message);
  if (result) return result;
  if (options->base_folder || options->allow_all_files)
    result = fetch_file(context, options, path, out, message);
  else
    result = sj_fail(message, STIJL_ERROR_REFUSED, "this document may not read files");
  sj_free(context, path);
  return result;
}
