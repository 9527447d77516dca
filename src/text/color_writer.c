#include "text/color_writer.h"

#include <string.h>

#include "geometry/path.h"

#define MAX_BYTES (1 << 22)  // of a document
#define MAX_NUMBER 1e9

void sj_color_refused(sj_color_writer *w) {
  w->failed = true;
  sj_font_refused(w->face->library);
}

void sj_color_put_bytes(sj_color_writer *w, const char *text, size_t length) {
  if (w->failed) return;
  if (w->out->count + length > MAX_BYTES) {
    w->failed = w->too_large = true;
  } else if (!sj_array_reserve(w->context, w->out, length)) {
    sj_color_refused(w);
  } else {
    memcpy(w->out->data + w->out->count, text, length);
    w->out->count += length;
  }
}

void sj_color_put(sj_color_writer *w, const char *text) { sj_color_put_bytes(w, text, strlen(text)); }

void sj_color_put_unsigned(sj_color_writer *w, uint64_t value, int digits) {
  char text[24];
  int at = sizeof text;
  do {
    text[--at] = (char)('0' + value % 10);
    value /= 10;
    digits--;
  } while (value || digits > 0);
  sj_color_put_bytes(w, text + at, sizeof text - (size_t)at);
}

void sj_color_put_digits(sj_color_writer *w, double value) {
  if (!(value > -MAX_NUMBER && value < MAX_NUMBER)) value = value > 0.0 ? MAX_NUMBER : -MAX_NUMBER;
  if (value < 0.0) sj_color_put(w, "-");
  uint64_t millionths = (uint64_t)((value < 0.0 ? -value : value) * 1e6 + 0.5);
  sj_color_put_unsigned(w, millionths / 1000000, 1);
  if (millionths % 1000000) {
    sj_color_put(w, ".");
    sj_color_put_unsigned(w, millionths % 1000000, 6);
  }
}

void sj_color_put_number(sj_color_writer *w, double value) {
  sj_color_put_digits(w, value);
  sj_color_put(w, " ");
}

void sj_color_put_attribute(sj_color_writer *w, const char *name, double value) {
  sj_color_put(w, " ");
  sj_color_put(w, name);
  sj_color_put(w, "=\"");
  sj_color_put_number(w, value);
  sj_color_put(w, "\"");
}

void sj_color_put_hex(sj_color_writer *w, uint32_t rgba) {
  static const char hex[] = "0123456789abcdef";
  char text[] = "#00000000";
  for (int i = 0; i < 8; i++) text[1 + i] = hex[rgba >> (28 - 4 * i) & 15];
  sj_color_put(w, text);
}

void sj_color_put_fill(sj_color_writer *w, uint32_t color, double alpha) {
  uint32_t rgba = sj_colr_color(&w->tables, color);
  sj_color_put(w, " fill=\"");
  sj_color_put_hex(w, rgba | 0xff);
  sj_color_put(w, "\"");
  alpha = alpha < 0.0 ? 0.0 : alpha > 1.0 ? 1.0 : alpha;
  sj_color_put_attribute(w, "fill-opacity", alpha * (double)(rgba & 255) / 255.0);
}

void sj_color_put_outline(sj_color_writer *w, uint32_t glyph) {
  static const char letters[] = "MLQCZ";
  const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  stijl_path *path;
  sj_color_put(w, " d=\"");
  if (stijl_path_create(w->context, &path) == STIJL_OK) {
    sj_face_outline(w->face, w->context, glyph, &identity, path);
    if (stijl_path_status(path) == STIJL_ERROR_OUT_OF_MEMORY) sj_color_refused(w);
    const unsigned char *verbs;
    const stijl_point *p;
    size_t count = stijl_path_verbs(path, &verbs);
    stijl_path_points(path, &p);
    for (size_t i = 0; i < count; i++) {
      sj_color_put_bytes(w, &letters[verbs[i]], 1);
      for (int k = 0; k < sj_path_verb_points(verbs[i]); k++, p++) {
        sj_color_put_number(w, (double)p->x);
        sj_color_put_number(w, (double)p->y);
      }
    }
    stijl_path_destroy(path);
  } else {
    sj_color_refused(w);
  }
  sj_color_put(w, "\"");
}

uint32_t sj_color_begin_id(sj_color_writer *w) { return w->ids++; }

void sj_color_put_id(sj_color_writer *w, const char *before, uint32_t id, const char *behind) {
  sj_color_put(w, before);
  sj_color_put_unsigned(w, id, 1);
  sj_color_put(w, behind);
}
