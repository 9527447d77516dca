#include "text/color_document.h"

#include <string.h>

#include "base/budget.h"
#include "libraries/harfbuzz.h"
#include "markup/namespaces.h"

#define MAX_BYTES (1 << 22)  // of a document

typedef struct writer {
  sj_face *face;
  stijl_context *context;
  sj_color_document *out;
  sj_colr *tables;
  bool failed;     // nothing more is written
  bool too_large;  // that is why
} writer;

static void put_bytes(writer *w, const char *text, size_t length) {
  if (w->failed) return;
  if (w->out->count + length > MAX_BYTES) {
    w->failed = w->too_large = true;
  } else if (!sj_array_reserve(w->context, w->out, length)) {
    w->failed = true;
    sj_font_refused(w->face->library);
  } else {
    memcpy(w->out->data + w->out->count, text, length);
    w->out->count += length;
  }
}

static void put(writer *w, const char *text) { put_bytes(w, text, strlen(text)); }

static void put_integer(writer *w, int64_t value) {
  char text[24];
  int at = sizeof text;
  uint64_t left = value < 0 ? (uint64_t) - (value + 1) + 1 : (uint64_t)value;
  do {
    text[--at] = (char)('0' + left % 10);
    left /= 10;
  } while (left);
  if (value < 0) text[--at] = '-';
  put_bytes(w, text + at, sizeof text - (size_t)at);
}

// Writes a number between two texts.
static void put_id(writer *w, const char *before, uint32_t id, const char *behind) {
  put(w, before);
  put_integer(w, id);
  put(w, behind);
}

static void put_attribute(writer *w, const char *name, int64_t value) {
  put(w, " ");
  put(w, name);
  put(w, "=\"");
  put_integer(w, value);
  put(w, "\"");
}

// Writes a straight 0xRRGGBBAA as #rrggbbaa.
static void put_hex(writer *w, uint32_t rgba) {
  static const char hex[] = "0123456789abcdef";
  char text[] = "#00000000";
  for (int i = 0; i < 8; i++) text[1 + i] = hex[rgba >> (28 - 4 * i) & 15];
  put(w, text);
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
static void put_variables(writer *w, const char *data, unsigned length) {
  static const char name[] = "--color";
  for (unsigned at = 0; (at = find(data, length, at, name)) < length && !w->failed;) {
    uint32_t index = 0, color;
    unsigned first = at += sizeof name - 1;
    while (at < length && data[at] >= '0' && data[at] <= '9' && index < 0xffff)
      index = index * 10 + (uint32_t)(data[at++] - '0');
    if (at == first || !sj_colr_find_color(w->tables, index, &color)) continue;
    put_id(w, name, index, ":");
    put_hex(w, color);
    put(w, ";");
  }
}

static void put_foreground(writer *w, const char *before) {
  put(w, before);
  put_hex(w, sj_colr_foreground(w->tables));
}

static void put_base64(writer *w, const unsigned char *data, unsigned length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned i = 0; i < length && !w->failed; i += 3) {
    uint32_t bits = (uint32_t)data[i] << 16 | (i + 1 < length ? (uint32_t)data[i + 1] << 8 : 0) |
                    (i + 2 < length ? data[i + 2] : 0);
    char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63], i + 1 < length ? letters[bits >> 6 & 63] : '=',
                    i + 2 < length ? letters[bits & 63] : '='};
    put_bytes(w, four, 4);
  }
}

// Draws the glyph of a compressed document. Its text cannot be read here, so it is referred to like another file.
static void put_compressed(writer *w, uint32_t glyph, const char *data, unsigned length) {
  put(w, "<g");
  put_foreground(w, " color=\"");
  put(w, "\"><use xlink:href=\"data:image/svg+xml;base64,");
  put_base64(w, (const unsigned char *)data, length);
  put_id(w, "#glyph", glyph, "\"/></g>");
}

// Draws the glyph of a document of the table SVG, which is copied from its root element on. A style sheet hides all but
// the glyph's own element. Returns false when the glyph has none.
static bool put_svg(writer *w, uint32_t glyph) {
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
    put(w, "<style>:root{");
    put_variables(w, root, rest);
    if (by_name) put_foreground(w, "color:");
    put(w, "}");
    put(w, place);
    put(w, "{overflow:visible!important}");
    put(w, place);
    put_id(w, ":not(#glyph", glyph, ")>:not(#glyph");
    put_id(w, "", glyph, "):not(defs):not(style){display:none}");
    // context-fill and context-stroke are the colour of the text, as of an element that uses the document.
    if (in_context) {
      put_foreground(w, "svg>use{fill:");
      put_foreground(w, ";stroke:");
      put(w, "}</style><defs><g id=\"of-a-font\" fill=\"#000\" stroke=\"none\">");
    } else {
      put(w, "</style>");
    }
    put_bytes(w, root, rest);
    if (in_context) put(w, "</g></defs><use xlink:href=\"#of-a-font\"/>");
  }
  hb_blob_destroy(blob);
  return root != NULL;
}

// Draws the bitmap of a glyph. Returns false when it has none.
static bool put_bitmap(writer *w, uint32_t glyph) {
  hb_glyph_extents_t box;
  if (!hb_ot_color_has_png(w->face->hb_face) || !hb_font_get_glyph_extents(w->face->hb, glyph, &box) || !box.width ||
      !box.height)
    return false;
  hb_blob_t *blob = hb_ot_color_glyph_reference_png(w->face->hb, glyph);
  unsigned length;
  const char *data = hb_blob_get_data(blob, &length);
  if (length) {
    put(w, "<image preserveAspectRatio=\"none\"");
    put_attribute(w, "x", box.x_bearing);
    put_attribute(w, "y", -(int64_t)box.y_bearing);
    put_attribute(w, "width", box.width);
    put_attribute(w, "height", -(int64_t)box.height);
    put(w, " href=\"data:image/png;base64,");
    put_base64(w, (const unsigned char *)data, length);
    put(w, "\"/>");
  }
  hb_blob_destroy(blob);
  return length > 0;
}

bool sj_color_write(sj_face *face, stijl_context *context, sj_colr *tables, uint32_t glyph, sj_color_document *out,
                    bool *too_large) {
  writer w = {.face = face, .context = context, .out = out, .tables = tables};
  int64_t em = (int64_t)face->metrics.units_per_em;
  put(&w, "<svg xmlns=\"" SJ_SPACE_SVG "\" xmlns:xlink=\"" SJ_SPACE_XLINK "\" viewBox=\"");
  const int64_t box[] = {-em, -2 * em, 4 * em, 4 * em};
  for (int i = 0; i < 4; i++) {
    put_integer(&w, box[i]);
    put(&w, " ");
  }
  put(&w, "\"");
  put_attribute(&w, "width", 4 * em);
  put_attribute(&w, "height", 4 * em);
  put(&w, ">");
  bool any = put_svg(&w, glyph) || put_bitmap(&w, glyph);
  put(&w, "</svg>");
  *too_large = w.too_large;
  if (!any || w.failed) sj_array_finish(context, out);
  return any;
}
