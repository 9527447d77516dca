#include "text/face_description.h"

#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "text/font_stream.h"
#include FT_TRUETYPE_IDS_H

#define MAX_NAMES 4096
#define MAX_NAME_BYTES 512

// Converts a name to UTF-8, of less than MAX_NAME_BYTES bytes, and returns its length; 0 for encodings that nobody uses
// any more.
static size_t decode_name(const FT_SfntName *name, char out[MAX_NAME_BYTES]) {
  size_t length = 0;
  bool utf16 = name->platform_id == TT_PLATFORM_APPLE_UNICODE || name->platform_id == TT_PLATFORM_MICROSOFT;
  if (!utf16 && !(name->platform_id == TT_PLATFORM_MACINTOSH && name->encoding_id == 0)) return 0;
  for (FT_UInt i = 0; i + (utf16 ? 1 : 0) < name->string_len && length + 4 < MAX_NAME_BYTES; i += utf16 ? 2 : 1) {
    uint32_t c = utf16 ? (uint32_t)name->string[i] << 8 | name->string[i + 1] : name->string[i];
    if (utf16 && c >= 0xd800 && c < 0xdc00 && i + 3 < name->string_len) {
      uint32_t low = (uint32_t)name->string[i + 2] << 8 | name->string[i + 3];
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        i += 2;
      }
    }
    if (!c || (c >= 0xd800 && c < 0xe000) || (!utf16 && c > 126)) return 0;
    length += sj_utf8_put(c, out + length);
  }
  return length;
}

typedef SJ_ARRAY(char) text_array;

// Adds a name to a list, in lower case, unless it is there. Returns false when memory is short.
static bool add_name(stijl_context *context, text_array *list, const char *name, size_t length) {
  if (!length || list->count > 1 << 16) return true;
  char lower[MAX_NAME_BYTES];
  for (size_t i = 0; i < length; i++) lower[i] = sj_to_lower(name[i]);
  for (size_t at = 0; at < list->count; at += strlen(list->data + at) + 1) {
    if (strlen(list->data + at) == length && memcmp(list->data + at, lower, length) == 0) return true;
  }
  if (!sj_array_reserve(context, list, length + 1)) return false;
  memcpy(list->data + list->count, lower, length);
  list->data[list->count + length] = 0;
  list->count += length + 1;
  return true;
}

// A face, and what is found about it. FreeType may be left by a long jump, so everything that is allocated is here.
typedef struct description {
  stijl_context *context;
  sj_ft *freetype;
  FT_Face ft;
  text_array families, full_names;
  sj_face_description is;
  bool good;
} description;

static bool describe_full_names(description *d) {
  FT_UInt count = FT_Get_Sfnt_Name_Count(d->ft);
  bool good = true;
  char text[MAX_NAME_BYTES];
  for (FT_UInt i = 0; i < count && i < MAX_NAMES && good; i++) {
    FT_SfntName name;
    if (FT_Get_Sfnt_Name(d->ft, i, &name) ||
        (name.name_id != TT_NAME_ID_FULL_NAME && name.name_id != TT_NAME_ID_PS_NAME))
      continue;
    good = add_name(d->context, &d->full_names, text, decode_name(&name, text));
  }
  return good && sj_array_push(d->context, &d->full_names, 0);
}

// Finds the names of the families. The typographic family (name 16) comes before the family that has four styles at
// most (name 1).
static bool describe_names(description *d) {
  static const FT_UShort ids[] = {TT_NAME_ID_TYPOGRAPHIC_FAMILY, TT_NAME_ID_FONT_FAMILY, TT_NAME_ID_WWS_FAMILY};
  sj_face_description *out = &d->is;
  FT_UInt count = FT_Get_Sfnt_Name_Count(d->ft);
  bool good = true;
  char text[MAX_NAME_BYTES];
  for (int k = 0; k < 3; k++) {
    for (FT_UInt i = 0; i < count && i < MAX_NAMES && good; i++) {
      FT_SfntName name;
      if (FT_Get_Sfnt_Name(d->ft, i, &name) || name.name_id != ids[k]) continue;
      size_t length = decode_name(&name, text);
      bool english =
          name.platform_id != TT_PLATFORM_MICROSOFT || name.language_id == TT_MS_LANGID_ENGLISH_UNITED_STATES;
      if (length && english && !out->name) good = (out->name = sj_strndup(d->context, text, length)) != NULL;
      good = good && add_name(d->context, &d->families, text, length);
    }
  }
  if (good && !d->families.count) {
    const char *name = d->ft->family_name ? d->ft->family_name : "";
    good = add_name(d->context, &d->families, name, strnlen(name, MAX_NAME_BYTES - 1));
  }
  if (good && !out->name) {
    const char *name = d->families.count ? d->families.data : "";
    good = (out->name = sj_strndup(d->context, name, strlen(name))) != NULL;
  }
  return good && sj_array_push(d->context, &d->families, 0);
}

static void describe(void *user) {
  description *d = user;
  FT_Face ft = d->ft;
  sj_face_description *out = &d->is;
  static const float widths[] = {50.0f, 62.5f, 75.0f, 87.5f, 100.0f, 112.5f, 125.0f, 150.0f, 200.0f};
  out->weight_min = 400.0f;
  out->stretch_min = 100.0f;
  const TT_OS2 *os2 = FT_Get_Sfnt_Table(ft, FT_SFNT_OS2);
  if (os2 && os2->version == 0xffff) os2 = NULL;
  out->italic = (ft->style_flags & FT_STYLE_FLAG_ITALIC) != 0;
  if (os2) {
    if (os2->usWeightClass >= 1 && os2->usWeightClass <= 1000) out->weight_min = os2->usWeightClass;
    if (os2->usWeightClass >= 1 && os2->usWeightClass <= 9) out->weight_min = 100.0f * os2->usWeightClass;
    if (os2->usWidthClass >= 1 && os2->usWidthClass <= 9) out->stretch_min = widths[os2->usWidthClass - 1];
    out->italic = (os2->fsSelection & 1) != 0;
    out->oblique = (os2->fsSelection & 512) != 0;
  } else if (ft->style_flags & FT_STYLE_FLAG_BOLD) {
    out->weight_min = 700.0f;
  }
  out->weight_max = out->weight_min;
  out->stretch_max = out->stretch_min;
  FT_MM_Var *variations;
  if (FT_HAS_MULTIPLE_MASTERS(ft) && !FT_Get_MM_Var(ft, &variations)) {
    for (FT_UInt i = 0; i < variations->num_axis; i++) {
      const FT_Var_Axis *axis = &variations->axis[i];
      float low = (float)axis->minimum / 65536.0f, high = (float)axis->maximum / 65536.0f;
      if (axis->tag == FT_MAKE_TAG('w', 'g', 'h', 't')) out->weight_min = low, out->weight_max = high;
      if (axis->tag == FT_MAKE_TAG('w', 'd', 't', 'h')) out->stretch_min = low, out->stretch_max = high;
      if (axis->tag == FT_MAKE_TAG('s', 'l', 'n', 't') || axis->tag == FT_MAKE_TAG('i', 't', 'a', 'l'))
        out->has_slant_axis = true;
    }
    FT_Done_MM_Var(d->freetype->ft, variations);
  }
  d->good = describe_names(d) && describe_full_names(d);
}

// Describes an open face. False, with a message: memory is short.
static bool describe_face(sj_font_library *library, sj_font_stream *stream, FT_Face ft, sj_face_description *out,
                          stijl_message *message) {
  description d = {.context = library->context, .freetype = stream->freetype, .ft = ft};
  bool lost = !sj_ft_run(stream->freetype, describe, &d);
  if (d.good) {
    *out = d.is;
    out->families = d.families.data;
    out->full_names = d.full_names.data;
    return true;
  }
  sj_free(library->context, d.is.name);
  sj_arrays_finish(library->context, &d.families, &d.full_names);
  if (lost) return sj_font_stream_fail(stream, message);
  sj_font_refused(library);
  return sj_fail_memory(message) == STIJL_OK;
}

stijl_result sj_font_describe(sj_font_library *library, const sj_font_bytes *bytes,
                              bool (*add)(void *user, uint32_t index, const sj_face_description *description),
                              void *user, stijl_message *message) {
  stijl_result result = sj_text_open(message);
  if (result) return result;
  pthread_mutex_lock(&library->lock);
  long count = 1;
  for (long i = 0; i < count && result == STIJL_OK; i++) {
    FT_Face ft;
    sj_font_stream *stream;
    if (!sj_font_stream_open(library, bytes, (uint32_t)i, &stream, &ft, message)) {
      if (i == 0) result = STIJL_ERROR_MALFORMED;
      continue;
    }
    if (i == 0) count = ft->num_faces < 256 ? ft->num_faces : 256;
    sj_face_description found;
    if (!describe_face(library, stream, ft, &found, message))
      result = stream->freetype->over ? STIJL_ERROR_LIMIT : STIJL_ERROR_OUT_OF_MEMORY;
    else if (!add(user, (uint32_t)i, &found))
      result = sj_fail_memory(message);
    sj_font_stream_close(stream);
  }
  pthread_mutex_unlock(&library->lock);
  return result;
}
