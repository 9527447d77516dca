#include "text/color.h"

#include <string.h>

#include "base/budget.h"
#include "base/namespaces.h"
#include "libraries/harfbuzz.h"
#include "text/color_writer.h"

#define MAX_LAYERS 4096

// Draws the layers of COLR version 0. False: the glyph has none.
static bool put_layers(sj_color_writer *w, uint32_t glyph) {
  uint32_t first, count = sj_colr_layers(&w->tables, glyph, &first);
  for (uint32_t i = 0; i < count && !w->failed; i++) {
    sj_colr_layer layer = sj_colr_layer_at(&w->tables, first + i);
    w->failed = ++w->paints > MAX_LAYERS || w->tables.broken;
    sj_color_put(w, "<path");
    sj_color_put_outline(w, layer.glyph);
    sj_color_put_fill(w, layer.color, 1.0);
    sj_color_put(w, "/>");
  }
  return count > 0;
}

// Finds a word of lower case in a document from `at` on, in upper or lower case. Returns the document's length where
// there is none.
static unsigned find(const char *data, unsigned length, unsigned at, const char *word) {
  unsigned count = (unsigned)strlen(word), k = 0;
  for (; at + count <= length; at++) {
    for (k = 0; k < count && (data[at + k] | (word[k] >= 'a' ? 32 : 0)) == word[k]; k++) continue;
    if (k == count) return at;
  }
  return length;
}

// Defines the colours that a document asks for by name, --color0 and so on (OpenType, "SVG", "Color palettes").
static void put_variables(sj_color_writer *w, const char *data, unsigned length) {
  static const char name[] = "--color";
  for (unsigned at = 0; (at = find(data, length, at, name)) < length && !w->failed;) {
    uint32_t index = 0, color;
    unsigned first = at += sizeof name - 1;
    while (at < length && data[at] >= '0' && data[at] <= '9' && index < 0xffff)
      index = index * 10 + (uint32_t)(data[at++] - '0');
    if (at == first || !sj_colr_find_color(&w->tables, index, &color)) continue;
    sj_color_put_id(w, name, index, ":");
    sj_color_put_hex(w, color);
    sj_color_put(w, ";");
  }
}

static void put_foreground(sj_color_writer *w, const char *before) {
  sj_color_put(w, before);
  sj_color_put_hex(w, sj_colr_foreground(&w->tables));
}

static void put_base64(sj_color_writer *w, const unsigned char *data, unsigned length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned i = 0; i < length && !w->failed; i += 3) {
    uint32_t bits = (uint32_t)data[i] << 16 | (i + 1 < length ? (uint32_t)data[i + 1] << 8 : 0) |
                    (i + 2 < length ? data[i + 2] : 0);
    char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63], i + 1 < length ? letters[bits >> 6 & 63] : '=',
                    i + 2 < length ? letters[bits & 63] : '='};
    sj_color_put_bytes(w, four, 4);
  }
}

// Draws the glyph of a compressed document. Its text cannot be read here, so it is referred to like another file.
static void put_compressed(sj_color_writer *w, uint32_t glyph, const char *data, unsigned length) {
  sj_color_put(w, "<g");
  put_foreground(w, " color=\"");
  sj_color_put(w, "\"><use xlink:href=\"data:image/svg+xml;base64,");
  put_base64(w, (const unsigned char *)data, length);
  sj_color_put_id(w, "#glyph", glyph, "\"/></g>");
}

// Draws the glyph of a document of the table SVG, which is copied from its root element on. A style sheet hides all but
// the glyph's own element. False: the glyph has none.
static bool put_svg(sj_color_writer *w, uint32_t glyph) {
  hb_blob_t *blob =
      hb_ot_color_has_svg(w->face->hb_face) ? hb_ot_color_glyph_reference_svg(w->face->hb_face, glyph) : NULL;
  unsigned length = 0;
  const char *data = blob ? hb_blob_get_data(blob, &length) : NULL, *root = NULL;
  for (unsigned i = 0; i + 4 < length && !root; i++)
    if (memcmp(data + i, "<svg", 4) == 0) root = data + i;
  if (length > 2 && data[0] == '\x1f' && data[1] == '\x8b') {
    put_compressed(w, glyph, data, length);
    hb_blob_destroy(blob);
    return true;
  }
  w->failed = w->failed || !sj_context_check(w->context, (uint64_t)length * SJ_WORK_BYTE);
  if (root && !w->failed) {
    unsigned rest = length - (unsigned)(root - data);
    bool by_name = find(root, rest, 0, "currentcolor") < rest, in_context = find(root, rest, 0, "context-") < rest;
    const char *place = in_context ? "#of-a-font>svg" : "svg>svg";
    sj_color_put(w, "<style>:root{");
    put_variables(w, root, rest);
    if (by_name) put_foreground(w, "color:");
    sj_color_put(w, "}");
    sj_color_put(w, place);
    sj_color_put(w, "{overflow:visible!important}");
    sj_color_put(w, place);
    sj_color_put_id(w, ":not(#glyph", glyph, ")>:not(#glyph");
    sj_color_put_id(w, "", glyph, "):not(defs):not(style){display:none}");
    // context-fill and context-stroke are the colour of the text, as of an element that uses the document.
    if (in_context) {
      put_foreground(w, "svg>use{fill:");
      put_foreground(w, ";stroke:");
      sj_color_put(w, "}</style><defs><g id=\"of-a-font\" fill=\"#000\" stroke=\"none\">");
    } else {
      sj_color_put(w, "</style>");
    }
    sj_color_put_bytes(w, root, rest);
    if (in_context) sj_color_put(w, "</g></defs><use xlink:href=\"#of-a-font\"/>");
  }
  hb_blob_destroy(blob);
  return root != NULL;
}

// Draws the bitmap of a glyph. False: it has none.
static bool put_bitmap(sj_color_writer *w, uint32_t glyph) {
  hb_glyph_extents_t box;
  if (!hb_ot_color_has_png(w->face->hb_face) || !hb_font_get_glyph_extents(w->face->hb, glyph, &box) || !box.width ||
      !box.height)
    return false;
  hb_blob_t *blob = hb_ot_color_glyph_reference_png(w->face->hb, glyph);
  unsigned length;
  const char *data = hb_blob_get_data(blob, &length);
  if (length) {
    sj_color_put(w, "<image preserveAspectRatio=\"none\"");
    sj_color_put_attribute(w, "x", box.x_bearing);
    sj_color_put_attribute(w, "y", -(double)box.y_bearing);
    sj_color_put_attribute(w, "width", box.width);
    sj_color_put_attribute(w, "height", -(double)box.height);
    sj_color_put(w, " href=\"data:image/png;base64,");
    put_base64(w, (const unsigned char *)data, length);
    sj_color_put(w, "\"/>");
  }
  hb_blob_destroy(blob);
  return length > 0;
}

// Returns a table, which the face keeps once it has been asked for.
static sj_colr_table find_table(sj_face *face, hb_blob_t **kept, hb_tag_t tag) {
  pthread_mutex_lock(&face->library->lock);
  bool known = *kept;
  pthread_mutex_unlock(&face->library->lock);
  hb_blob_t *read = known ? NULL : hb_face_reference_table(face->hb_face, tag);
  pthread_mutex_lock(&face->library->lock);
  if (!*kept) {
    *kept = read;
    read = NULL;
  }
  hb_blob_t *blob = *kept;
  pthread_mutex_unlock(&face->library->lock);
  hb_blob_destroy(read);
  unsigned length;
  const char *data = hb_blob_get_data(blob, &length);
  return (sj_colr_table){(const unsigned char *)data, length};
}

bool sj_color_glyph(sj_face *face, stijl_context *context, uint32_t glyph, uint32_t foreground,
                    const sj_palette *palette, sj_color_document *out, sj_color_uses *uses) {
  sj_color_writer w = {.face = face, .context = context, .out = out};
  double em = (double)face->metrics.units_per_em;
  *out = (sj_color_document){0};
  sj_color_put(
      &w, "<svg xmlns=\"" SJ_SPACE_SVG "\" xmlns:xlink=\"" SJ_SPACE_XLINK "\" xmlns:s=\"" SJ_SPACE_OWN "\" viewBox=\"");
  sj_color_put_number(&w, -em);
  sj_color_put_number(&w, -2.0 * em);
  sj_color_put_number(&w, 4.0 * em);
  sj_color_put_number(&w, 4.0 * em);
  sj_color_put(&w, "\"");
  sj_color_put_attribute(&w, "width", 4.0 * em);
  sj_color_put_attribute(&w, "height", 4.0 * em);
  sj_color_put(&w, ">");
  w.tables.palettes = find_table(face, &face->cpal, HB_TAG('C', 'P', 'A', 'L'));
  w.tables.foreground = foreground;
  w.failed = w.failed || !sj_context_check(context, sj_colr_choose(&w.tables, palette));
  bool any = put_svg(&w, glyph) || put_bitmap(&w, glyph);
  if (!any) {
    w.tables.colr = find_table(face, &face->colr, HB_TAG('C', 'O', 'L', 'R'));
    w.tables.place = hb_font_get_var_coords_normalized(face->hb, &w.tables.axis_count);
    sj_color_put(&w, "<g transform=\"scale(1 -1)\">");
    any = sj_color_put_graph(&w, glyph) || put_layers(&w, glyph);
    sj_color_put(&w, "</g>");
  }
  sj_color_put(&w, "</svg>");
  *uses =
      (sj_color_uses){.foreground = w.tables.met_foreground, .palette = w.tables.met_palette, .too_large = w.too_large};
  if (any && !w.failed) return true;
  sj_array_finish(context, out);
  return false;
}
