#include "lab/manifest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 24 };

typedef struct reader {
  sj_lab *lab;
  const char *path;
  uint32_t line;
  char *words[MAX_WORDS];
  uint32_t count;
  sj_lab_manifest *out;
} reader;

__attribute__((format(printf, 2, 3))) static stijl_result wrong(const reader *r, const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sj_fail(r->lab->message, STIJL_ERROR_MALFORMED, "%.80s:%u: %s", r->path, r->line, text);
}

// Reads word `i` as a whole number up to `most`.
static stijl_result number(const reader *r, uint32_t i, uint64_t most, uint64_t *out) {
  char *end = NULL;
  *out = 0;
  errno = 0;
  unsigned long long value = i < r->count ? strtoull(r->words[i], &end, 0) : 0;
  if (i >= r->count) return wrong(r, "%s needs %u numbers", r->words[0], i);
  if (errno || *end || end == r->words[i] || r->words[i][0] == '-' || value > most)
    return wrong(r, "\"%.40s\" is no whole number from 0 to %llu", r->words[i], (unsigned long long)most);
  *out = value;
  return STIJL_OK;
}

static stijl_result small_number(const reader *r, uint32_t i, uint32_t most, uint32_t *out) {
  uint64_t value;
  stijl_result result = number(r, i, most, &value);
  *out = (uint32_t)value;
  return result;
}

static stijl_result read_shader(reader *r) {
  sj_lab_manifest *m = r->out;
  if (r->count != 2) return wrong(r, "shader takes the name of a file");
  const char *slash = strrchr(r->path, '/');
  int length = slash && r->words[1][0] != '/' ? (int)(slash - r->path) + 1 : 0;
  if (length + strlen(r->words[1]) >= sizeof m->shader) return wrong(r, "the name of the shader is too long");
  snprintf(m->shader, sizeof m->shader, "%.*s%s", length, r->path, r->words[1]);
  snprintf(m->folder, sizeof m->folder, "%s", m->shader);
  char *end = strrchr(m->folder, '/');
  if (end)
    end[end == m->folder] = 0;
  else
    snprintf(m->folder, sizeof m->folder, ".");
  return STIJL_OK;
}

static stijl_result read_define(reader *r) {
  sj_lab_manifest *m = r->out;
  if (r->count < 2 || r->count > 3) return wrong(r, "define takes a name and a value");
  if (m->define_count == SJ_LAB_MAX_DEFINES) return wrong(r, "more than %d defines", SJ_LAB_MAX_DEFINES);
  snprintf(m->defines[m->define_count++], sizeof *m->defines, "-D%s=%s", r->words[1], r->count > 2 ? r->words[2] : "1");
  return STIJL_OK;
}

static stijl_result read_constant(reader *r) {
  sj_lab_manifest *m = r->out;
  uint32_t id, value;
  stijl_result result = small_number(r, 1, SJ_VK_MAX_CONSTANTS - 1, &id);
  if (result == STIJL_OK) result = small_number(r, 2, UINT32_MAX, &value);
  if (result != STIJL_OK) return result;
  if (id != m->constant_count)
    return wrong(r, "constants come in their order, without gaps: %u is next", m->constant_count);
  m->constants[m->constant_count++] = value;
  return STIJL_OK;
}

static stijl_result read_buffer(reader *r) {
  static const char *const fills[] = {"zero", "number", "random"};
  sj_lab_manifest *m = r->out;
  uint32_t binding, fill = 0;
  uint64_t bytes;
  stijl_result result = small_number(r, 1, SJ_LAB_MAX_BUFFERS - 1, &binding);
  if (result == STIJL_OK) result = number(r, 2, (uint64_t)1 << 30, &bytes);
  if (result != STIJL_OK) return result;
  if (m->buffer_count == SJ_LAB_MAX_BUFFERS) return wrong(r, "more than %d buffers", SJ_LAB_MAX_BUFFERS);
  if (!bytes || bytes % 4) return wrong(r, "a buffer has a multiple of 4 bytes, and not 0");
  while (r->count > 3 && fill < 3 && strcmp(r->words[3], fills[fill]) != 0) fill++;
  if (fill == 3) return wrong(r, "a buffer is filled with zero, number or random, not \"%.40s\"", r->words[3]);
  for (uint32_t i = 0; i < m->buffer_count; i++)
    if (m->buffers[i].binding == binding) return wrong(r, "binding %u has a buffer already", binding);
  m->buffers[m->buffer_count].binding = binding;
  m->buffers[m->buffer_count].bytes = bytes;
  m->buffers[m->buffer_count++].fill = (sj_lab_fill)fill;
  return STIJL_OK;
}

static stijl_result read_push(reader *r) {
  if (r->count - 1 > 20) return wrong(r, "more than 20 words of push constants");
  stijl_result result = STIJL_OK;
  for (uint32_t i = 1; i < r->count && result == STIJL_OK; i++)
    result = small_number(r, i, UINT32_MAX, &r->out->push[i - 1]);
  r->out->push_count = r->count - 1;
  return result;
}

static stijl_result read_dispatch(reader *r) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < 3 && result == STIJL_OK; i++) {
    r->out->groups[i] = 1;
    if (!i || i + 1 < r->count) result = small_number(r, i + 1, 65535, &r->out->groups[i]);
    if (result == STIJL_OK && !r->out->groups[i]) result = wrong(r, "no workgroups");
  }
  return result;
}

static stijl_result read_feature(reader *r) {
  sj_lab_manifest *m = r->out;
  uint32_t id, value;
  stijl_result result = small_number(r, 1, SJ_VK_MAX_CONSTANTS - 1, &id);
  if (result == STIJL_OK) result = small_number(r, 2, UINT32_MAX, &value);
  if (result != STIJL_OK) return result;
  if (m->feature_count == SJ_LAB_MAX_FEATURES) return wrong(r, "more than %d features", SJ_LAB_MAX_FEATURES);
  if (id >= m->constant_count) return wrong(r, "constant %u has to be given its ordinary value before", id);
  m->features[m->feature_count].id = id;
  m->features[m->feature_count++].value = value;
  return STIJL_OK;
}

static stijl_result read_shape(reader *r) {
  sj_lab_manifest *m = r->out;
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < 2 && result == STIJL_OK; i++) {
    result = small_number(r, i + 1, SJ_VK_MAX_CONSTANTS - 1, &m->shape[i]);
    if (result == STIJL_OK && m->shape[i] >= m->constant_count)
      result = wrong(r, "constant %u has to be given its ordinary value before", m->shape[i]);
  }
  m->has_shape = result == STIJL_OK;
  return result;
}

static stijl_result read_check(reader *r) {
  sj_lab_manifest *m = r->out;
  stijl_result result = small_number(r, 1, SJ_LAB_MAX_BUFFERS - 1, &m->check_binding);
  if (result == STIJL_OK) result = number(r, 2, UINT64_MAX, &m->check_hash);
  m->has_check = result == STIJL_OK;
  return result;
}

static stijl_result read_line(reader *r) {
  static const struct {
    const char *word;
    stijl_result (*read)(reader *r);
  } kinds[] = {{"shader", read_shader},   {"define", read_define}, {"constant", read_constant},
               {"buffer", read_buffer},   {"push", read_push},     {"dispatch", read_dispatch},
               {"feature", read_feature}, {"shape", read_shape},   {"check", read_check}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(r->words[0], kinds[i].word) == 0) return kinds[i].read(r);
  return wrong(r, "\"%.40s\" is none of shader, define, constant, buffer, push, dispatch, feature, shape, check",
               r->words[0]);
}

stijl_result sj_lab_manifest_read(sj_lab *lab, const char *path, sj_lab_manifest *out) {
  *out = (sj_lab_manifest){.groups = {0}};
  char *data = NULL, *rest, *next;
  size_t bytes;
  stijl_result result = sj_lab_read_file(lab, path, &data, &bytes);
  reader r = {.lab = lab, .path = path, .out = out};
  // Newcomers try the shader itself first. It would be read as a manifest, whose comments begin with '#' too, and the
  // message would be about something else.
  if (result == STIJL_OK && (strstr(data, "#version") || (bytes >= 4 && memcmp(data, "\x03\x02\x23\x07", 4) == 0)))
    result = sj_fail(lab->message, STIJL_ERROR_MALFORMED,
                     "%.80s is a shader: this takes a manifest, a text file that names it (\"shader %.80s\"), its "
                     "buffers and its dispatch",
                     path, path);
  for (char *line = data; result == STIJL_OK && line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    line[strcspn(line, "#\r")] = 0;
    r.line++;
    r.count = 0;
    for (char *word = strtok_r(line, " \t", &rest); word && r.count < MAX_WORDS; word = strtok_r(NULL, " \t", &rest))
      r.words[r.count++] = word;
    if (r.count == MAX_WORDS)
      result = wrong(&r, "too many words");
    else if (r.count)
      result = read_line(&r);
  }
  sj_free(lab->context, data);
  if (result != STIJL_OK) return result;
  if (!*out->shader) return sj_fail(lab->message, STIJL_ERROR_MALFORMED, "%.160s: no line says which shader", path);
  if (!out->groups[0]) return sj_fail(lab->message, STIJL_ERROR_MALFORMED, "%.160s: no line says dispatch", path);
  return STIJL_OK;
}
