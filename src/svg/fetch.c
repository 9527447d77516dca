#include "svg/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "geometry/number.h"

static int hex_digit(char c) {
  if (sj_is_digit(c)) return c - '0';
  c = sj_to_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Undoes %XX; never longer than the text. Returns the length.
static size_t percent_decode(const char *text, size_t length, char *out) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '%' && i + 2 < length && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      out[count++] = (char)(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      out[count++] = text[i];
    }
  }
  return count;
}

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (sj_is_digit(c)) return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

// RFC 4648 in place, white space skipped; false at anything else that is no digit.
static bool base64_decode(char *data, size_t *length) {
  size_t count = 0;
  unsigned bits = 0;
  int held = 0;
  for (size_t i = 0; i < *length; i++) {
    if (data[i] == '=') break;
    if (sj_is_space(data[i])) continue;
    int digit = base64_digit(data[i]);
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

// data:[type][;parameter...][;base64],content (RFC 2397)
static stijl_result fetch_data(const stijl_svg *svg, const char *text, size_t length, sj_bytes *out,
                               stijl_message *message) {
  const char *comma = memchr(text, ',', length);
  if (!comma) return sj_fail(message, STIJL_ERROR_MALFORMED, "the data URL has no comma");
  size_t head = (size_t)(comma - text);
  while (head && sj_is_space(text[head - 1])) head--;
  bool base64 = head >= 7 && starts_with(text + head - 7, 7, ";base64");
  size_t count = length - (size_t)(comma - text) - 1;
  char *data = sj_alloc(svg->context, count + 1);
  if (!data) return sj_fail_memory(message);
  count = percent_decode(comma + 1, count, data);
  if (base64 && !base64_decode(data, &count)) {
    sj_free(svg->context, data);
    return sj_fail(message, STIJL_ERROR_MALFORMED, "the data URL is not base64");
  }
  *out = (sj_bytes){.data = (unsigned char *)data, .count = count};
  return STIJL_OK;
}

// "http:", "ftp:", ...: a letter, then letters, digits, + - . up to a colon. Also "//host".
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

static bool is_below(const char *folder, const char *file) {
  size_t length = strlen(folder);
  if (length && folder[length - 1] == '/') length--;
  return strncmp(folder, file, length) == 0 && file[length] == '/';
}

static stijl_result read_all(const stijl_svg *svg, int fd, sj_bytes *out, stijl_message *message) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return sj_fail(message, STIJL_ERROR_REFUSED, "not an ordinary file");
  }
  if (info.st_size < 0 || (uint64_t)info.st_size > svg->limits.max_bytes) {
    return sj_fail(message, STIJL_ERROR_LIMIT, "the file is larger than max_bytes (%llu)",
                   (unsigned long long)svg->limits.max_bytes);
  }
  size_t size = (size_t)info.st_size, count = 0;
  unsigned char *data = sj_alloc(svg->context, size + 1);
  if (!data) return sj_fail_memory(message);
  while (count < size) {
    ssize_t got = read(fd, data + count, size - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      sj_free(svg->context, data);
      return sj_fail(message, STIJL_ERROR_IO, "reading failed: error %d", errno);
    }
    if (got == 0) break;
    count += (size_t)got;
  }
  *out = (sj_bytes){.data = data, .count = count};
  return STIJL_OK;
}

// `path` is absolute or relative to the base folder.
static stijl_result fetch_file(const stijl_svg *svg, const char *path, sj_bytes *out, stijl_message *message) {
  char joined[PATH_MAX], folder[PATH_MAX], resolved[PATH_MAX];
  const char *base = svg->base_folder ? svg->base_folder : ".";
  size_t base_length = strlen(base), path_length = strlen(path);
  bool absolute = path[0] == '/';
  if ((absolute ? 0 : base_length + 1) + path_length >= sizeof joined) {
    return sj_fail(message, STIJL_ERROR_REFUSED, "the file name is too long");
  }
  size_t at = 0;
  if (!absolute) {
    memcpy(joined, base, base_length);
    joined[base_length] = '/';
    at = base_length + 1;
  }
  memcpy(joined + at, path, path_length + 1);
  if (!realpath(base, folder)) return sj_fail(message, STIJL_ERROR_IO, "the folder of the document is not there");
  if (!realpath(joined, resolved)) return sj_fail(message, STIJL_ERROR_IO, "there is no such file");
  if (!svg->allow_all_files && !is_below(folder, resolved)) {
    return sj_fail(message, STIJL_ERROR_REFUSED, "the file lies outside the folder of the document");
  }
  // The name is resolved: a link that has taken its place since then is not followed. Not blocking, for pipes.
  int fd = open(resolved, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return sj_fail(message, STIJL_ERROR_IO, "the file cannot be opened");
  stijl_result result = read_all(svg, fd, out, message);
  close(fd);
  return result;
}

stijl_result sj_fetch(const stijl_svg *svg, const char *href, size_t length, sj_bytes *out, stijl_message *message) {
  while (length && sj_is_space(href[0])) href++, length--;
  while (length && sj_is_space(href[length - 1])) length--;
  if (starts_with(href, length, "data:")) return fetch_data(svg, href + 5, length - 5, out, message);
  // A fragment names a part of the file; the whole is drawn.
  const char *fragment = memchr(href, '#', length);
  if (fragment) length = (size_t)(fragment - href);
  if (!length) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "it refers to a part of a document");
  bool file_url = starts_with(href, length, "file:///") || starts_with(href, length, "file://localhost/");
  if (file_url) {
    size_t skip = starts_with(href, length, "file:///") ? 7 : 16;
    href += skip;
    length -= skip;
  } else if (has_scheme(href, length)) {
    return sj_fail(message, STIJL_ERROR_REFUSED, "addresses outside the file system are never read");
  }
  if (!svg->base_folder && !svg->allow_all_files) {
    return sj_fail(message, STIJL_ERROR_REFUSED, "this document may not read files");
  }
  char *path = sj_alloc(svg->context, length + 1);
  if (!path) return sj_fail_memory(message);
  size_t count = percent_decode(href, length, path);
  path[count] = 0;
  stijl_result result = strlen(path) == count
                            ? fetch_file(svg, path, out, message)
                            : sj_fail(message, STIJL_ERROR_REFUSED, "the file name holds a zero byte");
  sj_free(svg->context, path);
  return result;
}
