#include "text/fonts.h"

#include <string.h>

#include "base/params.h"
#include "libraries/harfbuzz.h"
#include "text/file.h"
#include "text/folder.h"
#include "text/fonts_data.h"
#include "text/system.h"
#include "text/web.h"

stijl_result stijl_fonts_create(stijl_context *context, const stijl_fonts_params *params, stijl_fonts **out,
                                stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  params = SJ_PARAMS(stijl_fonts_params, STIJL_FONTS_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_fonts *fonts = sj_alloc_zero(context, sizeof *fonts);
  if (!fonts) return sj_fail_memory(message);
  fonts->context = context;
  fonts->system = params->system;
  fonts->max_faces = params->max_faces;
  if (pthread_mutex_init(&fonts->lock, NULL) != 0 ||
      !sj_font_library_init(&fonts->library, context, params->max_bytes, params->max_memory)) {
    sj_free(context, fonts);
    return sj_fail_memory(message);
  }
  *out = fonts;
  return STIJL_OK;
}

static void forget_styles(stijl_fonts *fonts) {
  for (int i = 0; i < SJ_KNOWN_STYLES; i++) {
    sj_free(fonts->context, fonts->known[i].families);
    fonts->known[i] = (sj_known_style){0};
  }
}

static void finish_entry(const stijl_fonts *fonts, sj_font_entry *e) {
  if (e->system) return;
  sj_free(fonts->context, e->is.families);
  sj_free(fonts->context, e->is.name);
  sj_free(fonts->context, e->is.full_names);
}

void stijl_fonts_destroy(stijl_fonts *fonts) {
  if (!fonts) return;
  stijl_context *context = fonts->context;
  if (fonts->web) {
    sj_web_fonts_finish(fonts->web);
    sj_free(context, fonts);
    return;
  }
  forget_styles(fonts);
  for (size_t i = 0; i < fonts->open.count; i++) sj_face_close(fonts->open.data[i].face);
  for (size_t i = 0; i < fonts->entries.count; i++) {
    hb_set_destroy(fonts->entries.data[i].characters);
    finish_entry(fonts, &fonts->entries.data[i]);
  }
  sj_font_library_finish(&fonts->library);
  for (size_t i = 0; i < fonts->sources.count; i++) {
    sj_free(context, fonts->sources.data[i].path);
    sj_free(context, fonts->sources.data[i].data);
  }
  for (int i = 0; i < SJ_GENERIC_FAMILIES; i++) sj_free(context, fonts->generic[i]);
  sj_arrays_finish(context, &fonts->sources, &fonts->entries, &fonts->open);
  sj_fonts_finish_uses(fonts);
  pthread_mutex_destroy(&fonts->lock);
  sj_free(context, fonts);
}

stijl_fonts *sj_fonts_over(stijl_context *context, struct sj_web_fonts *web) {
  stijl_fonts *fonts = sj_alloc_zero(context, sizeof *fonts);
  if (!fonts) return NULL;
  fonts->context = context;
  fonts->web = web;
  return fonts;
}

void sj_fonts_limits(const stijl_fonts *fonts, uint64_t *max_bytes, uint64_t *max_memory) {
  const stijl_fonts_params initial = STIJL_FONTS_PARAMS_INIT;
  *max_bytes = fonts ? fonts->library.max_bytes : initial.max_bytes;
  *max_memory = fonts ? fonts->library.max_held : initial.max_memory;
}

unsigned sj_fonts_refusals(const stijl_fonts *fonts) {
  return fonts->web ? sj_web_refusals(fonts->web) : atomic_load(&fonts->library.refusals);
}

// --- adding fonts ---

static bool add_path(void *user, const char *path) {
  stijl_fonts *fonts = user;
  sj_font_source s = {.path = sj_strndup(fonts->context, path, strlen(path))};
  if (s.path && sj_array_push(fonts->context, &fonts->sources, s)) return true;
  sj_free(fonts->context, s.path);
  return false;
}

stijl_result stijl_fonts_add_file(stijl_fonts *fonts, const char *path, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!fonts || !path) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "fonts or path is NULL");
  if (!sj_font_file_readable(path)) return sj_fail(message, STIJL_ERROR_IO, "the font %.200s cannot be read", path);
  return add_path(fonts, path) ? STIJL_OK : sj_fail_memory(message);
}

stijl_result stijl_fonts_add_folder(stijl_fonts *fonts, const char *path, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!fonts || !path) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "fonts or path is NULL");
  return sj_each_font_file(fonts->context, path, add_path, fonts, message);
}

stijl_result stijl_fonts_add_memory(stijl_fonts *fonts, const void *data, size_t bytes, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!fonts || !data) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "fonts or data is NULL");
  if (bytes > fonts->library.max_bytes)
    return sj_fail(message, STIJL_ERROR_LIMIT, "the font is larger than max_bytes (%llu)",
                   (unsigned long long)fonts->library.max_bytes);
  sj_font_source s = {.data = sj_alloc(fonts->context, bytes + 1), .size = bytes};
  if (!s.data) return sj_fail_memory(message);
  memcpy(s.data, data, bytes);
  if (sj_array_push(fonts->context, &fonts->sources, s)) return STIJL_OK;
  sj_free(fonts->context, s.data);
  return sj_fail_memory(message);
}

stijl_result stijl_fonts_set_family(stijl_fonts *fonts, stijl_generic_family generic, const char *family) {
  if (!fonts || (unsigned)generic >= SJ_GENERIC_FAMILIES) return STIJL_ERROR_INVALID_ARGUMENT;
  char *copy = family ? sj_strndup(fonts->context, family, strlen(family)) : NULL;
  if (family && !copy) return STIJL_ERROR_OUT_OF_MEMORY;
  sj_free(fonts->context, fonts->generic[generic]);
  fonts->generic[generic] = copy;
  forget_styles(fonts);
  return STIJL_OK;
}

// --- finding out which faces there are; the lock is held ---

// The source whose faces are added.
typedef struct adding {
  stijl_fonts *fonts;
  uint32_t source;
} adding;

static bool add_entry(void *user, uint32_t index, const sj_face_description *description) {
  adding *a = user;
  stijl_fonts *fonts = a->fonts;
  sj_font_entry e = {.is = *description, .source = a->source, .index = index};
  if (fonts->entries.count < fonts->max_faces && sj_array_push(fonts->context, &fonts->entries, e)) return true;
  finish_entry(fonts, &e);
  return fonts->entries.count >= fonts->max_faces || sj_font_refused(&fonts->library);
}

static sj_font_bytes source_bytes(const sj_font_source *s) {
  return (sj_font_bytes){.path = s->path, .data = s->data, .size = s->size};
}

sj_font_bytes sj_fonts_bytes(const stijl_fonts *fonts, const sj_font_entry *e) {
  return e->system ? (sj_font_bytes){.path = e->system->path} : source_bytes(&fonts->sources.data[e->source]);
}

static void drop_entries(stijl_fonts *fonts, size_t from) {
  while (fonts->entries.count > from) finish_entry(fonts, &fonts->entries.data[--fonts->entries.count]);
}

void sj_fonts_load(stijl_fonts *fonts) {
  if (fonts->described == fonts->sources.count && (fonts->system_there || !fonts->system)) return;
  forget_styles(fonts);
  // The system's fonts are removed, and added again at the end.
  fonts->entries.count = fonts->own_count;
  fonts->system_there = false;
  for (; fonts->described < fonts->sources.count; fonts->described++) {
    adding a = {.fonts = fonts, .source = (uint32_t)fonts->described};
    sj_font_bytes bytes = source_bytes(&fonts->sources.data[a.source]);
    stijl_message message = {""};
    unsigned refusals = atomic_load(&fonts->library.refusals);
    size_t before = fonts->entries.count;
    stijl_result result = sj_font_describe(&fonts->library, &bytes, add_entry, &a, &message);
    if (atomic_load(&fonts->library.refusals) != refusals) {
      // Memory was short; the next text tries again.
      drop_entries(fonts, before);
      break;
    }
    if (result != STIJL_OK)
      sj_log(fonts->context, STIJL_LOG_WARNING, "font %.200s left out: %s", bytes.path ? bytes.path : "in memory",
             message.text);
  }
  fonts->own_count = fonts->entries.count;
  if (!fonts->system) return;
  const sj_system_font *list;
  size_t count = sj_system_fonts(&list);
  if (!sj_array_reserve(fonts->context, &fonts->entries, count)) {
    sj_font_refused(&fonts->library);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    fonts->entries.data[fonts->entries.count++] = (sj_font_entry){.is = {.families = list[i].families,
                                                                         .name = list[i].families,
                                                                         .full_names = list[i].full_names,
                                                                         .weight_min = list[i].weight_min,
                                                                         .weight_max = list[i].weight_max,
                                                                         .stretch_min = list[i].stretch_min,
                                                                         .stretch_max = list[i].stretch_max,
                                                                         .italic = list[i].italic,
                                                                         .oblique = list[i].oblique},
                                                                  .index = list[i].index,
                                                                  .system = &list[i]};
  }
  fonts->system_there = true;
}

// --- the fonts of the process ---

static stijl_fonts *process_fonts;
static pthread_once_t process_once = PTHREAD_ONCE_INIT;

static void make_process_fonts(void) { stijl_fonts_create(NULL, NULL, &process_fonts, NULL); }

stijl_fonts *sj_fonts_default(void) {
  pthread_once(&process_once, make_process_fonts);
  return process_fonts;
}
