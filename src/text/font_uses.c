// What fonts are asked about their faces: which there are, which styles got which, and what their families are.
#include <string.h>

#include "base/params.h"
#include "text/fonts_data.h"
#include "text/match.h"
#include "text/web.h"

#define MAX_USES 1024

static void finish_use(const stijl_fonts *fonts, sj_font_use *u) {
  sj_free(fonts->context, u->families);
  sj_free(fonts->context, u->family);
  sj_free(fonts->context, u->path);
}

void sj_fonts_finish_uses(stijl_fonts *fonts) {
  for (size_t i = 0; i < fonts->uses.count; i++) finish_use(fonts, &fonts->uses.data[i]);
  sj_array_finish(fonts->context, &fonts->uses);
}

void sj_fonts_add_use(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                      size_t path_length, stijl_font_how how) {
  size_t length = style->families ? style->families_length : 0;
  for (size_t i = 0; i < fonts->uses.count; i++) {
    const sj_font_use *u = &fonts->uses.data[i];
    if (u->weight == style->weight && (u->how == STIJL_FONT_FALLBACK) == (how == STIJL_FONT_FALLBACK) &&
        strncmp(u->families, length ? style->families : "", length) == 0 && !u->families[length] &&
        strcmp(u->family, family) == 0 && strncmp(u->path, path, path_length) == 0 && !u->path[path_length])
      return;
  }
  if (fonts->uses.count >= MAX_USES) return;
  sj_font_use u = {.weight = style->weight, .how = how};
  u.families = sj_strndup(fonts->context, length ? style->families : "", length);
  u.family = sj_strndup(fonts->context, family, strlen(family));
  u.path = sj_strndup(fonts->context, path, path_length);
  if (!u.families || !u.family || !u.path || !sj_array_push(fonts->context, &fonts->uses, u)) finish_use(fonts, &u);
}

void sj_fonts_note(stijl_fonts *fonts, const sj_font_style *style, const char *family, const char *path,
                   size_t path_length, stijl_font_how how) {
  pthread_mutex_lock(&fonts->lock);
  sj_fonts_add_use(fonts, style, family, path, path_length, how);
  pthread_mutex_unlock(&fonts->lock);
}

stijl_result stijl_fonts_get_use(const stijl_fonts *fonts, size_t index, stijl_font_use *out) {
  if (!fonts || !out || index >= fonts->uses.count) return STIJL_ERROR_INVALID_ARGUMENT;
  const sj_font_use *u = &fonts->uses.data[index];
  stijl_font_use known = STIJL_FONT_USE_INIT;
  known.families = u->families;
  known.weight = u->weight;
  known.family = u->family;
  known.path = u->path;
  known.how = u->how;
  return SJ_WRITE(stijl_font_use, out, &known) ? STIJL_OK : STIJL_ERROR_INVALID_ARGUMENT;
}

stijl_result stijl_fonts_get_face(stijl_fonts *fonts, size_t index, stijl_font_face *out) {
  if (!fonts || !out || fonts->web) return STIJL_ERROR_INVALID_ARGUMENT;
  pthread_mutex_lock(&fonts->lock);
  sj_fonts_load(fonts);
  stijl_font_face known = STIJL_FONT_FACE_INIT;
  bool there = index < fonts->entries.count;
  if (there) {
    const sj_font_entry *e = &fonts->entries.data[index];
    const char *path = sj_fonts_bytes(fonts, e).path;
    known.family = e->is.name;
    known.path = path ? path : "";
    known.weight_min = e->is.weight_min;
    known.weight_max = e->is.weight_max;
    known.stretch_min = e->is.stretch_min;
    known.stretch_max = e->is.stretch_max;
    known.italic = e->is.italic || e->is.oblique;
  }
  pthread_mutex_unlock(&fonts->lock);
  return there && SJ_WRITE(stijl_font_face, out, &known) ? STIJL_OK : STIJL_ERROR_INVALID_ARGUMENT;
}

const sj_font_entry *sj_fonts_entry_of(const stijl_fonts *fonts, const sj_face *face) {
  for (size_t i = 0; i < fonts->open.count; i++)
    if (fonts->open.data[i].face == face) return &fonts->entries.data[fonts->open.data[i].entry];
  return NULL;
}

// Copies the first family's name; "" if it is generic or too long.
static bool take_first(void *user, const char *name, size_t length, int generic) {
  char *out = user;
  if (generic < 0 && length < SJ_MAX_FAMILY) memcpy(out, name, length);
  out[generic < 0 && length < SJ_MAX_FAMILY ? length : 0] = 0;
  return false;
}

const char *sj_fonts_instead(stijl_fonts *fonts, const sj_font_style *style, const sj_face *face,
                             char name[SJ_MAX_FAMILY]) {
  if (fonts->web) fonts = sj_web_base(fonts->web);
  name[0] = 0;
  if (style->families) sj_each_family(style->families, style->families_length, take_first, name);
  if (!fonts || !name[0]) return NULL;
  pthread_mutex_lock(&fonts->lock);
  const sj_font_entry *e = sj_fonts_entry_of(fonts, face);
  const char *instead = e && !sj_has_family(e->is.families, name, strlen(name)) ? e->is.name : NULL;
  pthread_mutex_unlock(&fonts->lock);
  return instead;
}

typedef struct face_names {
  const sj_face *face;
  const char *families;  // of a face that is not a document's own
  bool among;
} face_names;

static bool is_among(void *user, const char *name, size_t length, int generic) {
  face_names *f = user;
  if (generic < 0)
    f->among =
        f->face->family ? sj_same_family(f->face->family, name, length) : sj_has_family(f->families, name, length);
  return !f->among;
}

bool sj_fonts_is_of(stijl_fonts *fonts, const sj_face *face, const char *families, size_t length) {
  face_names f = {.face = face};
  if (face->family) {
    sj_each_family(families, length, is_among, &f);
    return f.among;
  }
  if (fonts->web) fonts = sj_web_base(fonts->web);
  if (!fonts) return false;
  pthread_mutex_lock(&fonts->lock);
  const sj_font_entry *e = sj_fonts_entry_of(fonts, face);
  if (e) f.families = e->is.families;
  if (e) sj_each_family(families, length, is_among, &f);
  pthread_mutex_unlock(&fonts->lock);
  return f.among;
}

const char *sj_face_family(const stijl_fonts *fonts, const sj_face *face) {
  const sj_font_entry *e = sj_fonts_entry_of(fonts, face);
  return e ? e->is.name : "";
}
