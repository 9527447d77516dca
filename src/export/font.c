// Fonts of glyphs that a scene has the outlines of: OpenType with a CFF table (Adobe Technical Notes 5176 and 5177),
// the little of it that FreeType and cairo read. The outlines have been checked, whatever the font is like that they
// are of.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/pdf.h"

#define MOST_UNITS 15000.0f  // differences of coordinates are within 16.16
#define FIXED 65536.0

typedef struct {
  unsigned char *data;
  size_t count, capacity;
  bool failed;
} bytes;

static void put(bytes *b, const void *data, size_t count) {
  if (b->failed) return;
  if (b->capacity - b->count < count) {
    size_t capacity = 2 * b->capacity + count + 64;
    unsigned char *larger = realloc(b->data, capacity);
    b->failed = !larger;
    if (b->failed) return;
    b->data = larger;
    b->capacity = capacity;
  }
  if (count) memcpy(b->data + b->count, data, count);
  b->count += count;
}

static void put8(bytes *b, unsigned v) { put(b, &(unsigned char){(unsigned char)v}, 1); }
static void put16(bytes *b, unsigned v) { put(b, (unsigned char[]){(unsigned char)(v >> 8), (unsigned char)v}, 2); }
static void put32(bytes *b, uint32_t v) { put16(b, v >> 16), put16(b, v & 0xffff); }

// Puts a number of a dictionary, always in five bytes, so that offsets are known before they are written.
static void put_operand(bytes *b, uint32_t v) { put8(b, 29), put32(b, v); }
static void put_operator(bytes *b, unsigned op) {
  if (op >> 8) put8(b, op >> 8);
  put8(b, op & 0xff);
}

// --- charstrings ---

typedef struct {
  bytes *out;
  int32_t x, y;  // the current point, 16.16
} pencil;

static void put_number(bytes *b, int32_t fixed) {
  int32_t whole = fixed / 65536;
  if (fixed % 65536) {
    put8(b, 255);
    put32(b, (uint32_t)fixed);
  } else if (whole >= -107 && whole <= 107) {
    put8(b, (unsigned)(whole + 139));
  } else {
    put8(b, 28);
    put16(b, (unsigned)whole & 0xffff);
  }
}

static void put_delta(pencil *p, double px, double py) {
  int32_t x = (int32_t)lround(px * FIXED), y = (int32_t)lround(py * FIXED);
  put_number(p->out, x - p->x);
  put_number(p->out, y - p->y);
  p->x = x;
  p->y = y;
}

static void move(void *user, double x, double y) {
  put_delta(user, x, y);
  put8(((pencil *)user)->out, 21);  // rmoveto
}

static void line(void *user, double x, double y) {
  put_delta(user, x, y);
  put8(((pencil *)user)->out, 5);  // rlineto
}

static void curve(void *user, const double q[6]) {
  for (int i = 0; i < 6; i += 2) put_delta(user, q[i], q[i + 1]);
  put8(((pencil *)user)->out, 8);  // rrcurveto
}

static void close(void *user) { (void)user; }

static const sj_pen_ops pen = {move, line, curve, close, NULL, 0.0};

// --- tables ---

typedef struct {
  const stijl_scene *scene;
  uint64_t serial;
  float em;
  uint32_t count;  // of glyphs, .notdef and the blank one included
  stijl_rect box;
  bytes charstrings, offsets, advances;
} font;

static void end_glyph(font *f, float advance) {
  put8(&f->charstrings, 14);  // endchar
  put32(&f->offsets, (uint32_t)f->charstrings.count + 1);
  put16(&f->advances, (unsigned)lroundf(advance < 0.0f ? 0.0f : advance > 32767.0f ? 32767.0f : advance));
  put16(&f->advances, 0);
  f->count++;
}

static bool fits(const stijl_rect *box) {
  return box->x0 > box->x1 ||
         (box->x0 > -MOST_UNITS && box->y0 > -MOST_UNITS && box->x1 < MOST_UNITS && box->y1 < MOST_UNITS);
}

static void include(stijl_rect *box, const stijl_rect *other) {
  if (other->x0 < box->x0) box->x0 = other->x0;
  if (other->y0 < box->y0) box->y0 = other->y0;
  if (other->x1 > box->x1) box->x1 = other->x1;
  if (other->y1 > box->y1) box->y1 = other->y1;
}

// Begins a glyph's charstring, whose first operand is the advance; that of the font's dictionary, which it is counted
// from, is 0.
static void begin_glyph(font *f, float advance) {
  float whole = advance < 0.0f ? 0.0f : advance > 32767.0f ? 32767.0f : roundf(advance);
  put_number(&f->charstrings, (int32_t)(whole * 65536.0f));
}

static bool put_glyphs(font *f, uint32_t *glyphs) {
  static const sj_matrix64 identity = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  put32(&f->offsets, 1);
  begin_glyph(f, 0.0f);
  end_glyph(f, 0.0f);  // .notdef
  for (size_t i = 0; i < f->scene->outline_glyphs.count; i++) {
    const sj_outline_glyph *g = &f->scene->outline_glyphs.data[i];
    const sj_path_range *outline = &f->scene->outlines.data[i];
    if (g->name.font != f->serial) continue;
    if (!fits(&outline->box) || f->count >= 65000) return false;
    f->em = g->size.em;
    include(&f->box, &outline->box);
    glyphs[i] = f->count;
    pencil p = {.out = &f->charstrings};
    begin_glyph(f, g->size.advance);
    sj_export_path(f->scene, outline, &identity, false, &pen, &p);
    end_glyph(f, g->size.advance);
  }
  begin_glyph(f, 0.25f * f->em);
  end_glyph(f, 0.25f * f->em);  // the blank one
  return f->em >= 16.0f && f->em <= 16384.0f;
}

// Puts 1 / em as a real number in decimal digits, two to a byte.
static void put_scale(bytes *b, float em) {
  char text[32];
  unsigned nibbles[40], count = 0;
  // In whole units of 10^-12, since a locale may have another sign in place of the point.
  snprintf(text, sizeof text, "%lldE-12", llround(1e12 / (double)em));
  for (const char *c = text; *c; c++) {
    if (*c == 'E')
      nibbles[count++] = 12, c++;  // "E-"
    else
      nibbles[count++] = (unsigned)(*c - '0');
  }
  do nibbles[count++] = 15;
  while (count % 2);
  put8(b, 30);
  for (unsigned i = 0; i < count; i += 2) put8(b, nibbles[i] << 4 | nibbles[i + 1]);
}

// Where in the table the parts are that the dictionary of the font refers to.
typedef struct {
  uint32_t charset, select, charstrings, fonts;
} places;

static void put_dictionary(const font *f, const places *at, bytes *b) {
  put_operand(b, 391), put_operand(b, 392), put_operand(b, 0), put_operator(b, 0x0c1e);  // ROS
  if (f->em != 1000.0f) {
    put_scale(b, f->em), put_operand(b, 0), put_operand(b, 0), put_scale(b, f->em), put_operand(b, 0),
        put_operand(b, 0);
    put_operator(b, 0x0c07);  // FontMatrix
  }
  put_operand(b, (uint32_t)(int32_t)floorf(f->box.x0)), put_operand(b, (uint32_t)(int32_t)floorf(f->box.y0));
  put_operand(b, (uint32_t)(int32_t)ceilf(f->box.x1)), put_operand(b, (uint32_t)(int32_t)ceilf(f->box.y1));
  put_operator(b, 5);                                 // FontBBox
  put_operand(b, f->count), put_operator(b, 0x0c22);  // CIDCount
  put_operand(b, at->charset), put_operator(b, 15);
  put_operand(b, at->charstrings), put_operator(b, 17);
  put_operand(b, at->fonts), put_operator(b, 0x0c24);
  put_operand(b, at->select), put_operator(b, 0x0c25);
}

// Puts a font whose glyphs have numbers and no names (CIDFont). What its dictionary refers to comes in the order of
// `places`.
static void put_cff(const font *f, bytes *b) {
  // The bytes of parts; an index of one thing has five beside it.
  enum { HEADER = 4, NAME = 5 + 14, STRINGS = 6 + 13, NO_INDEX = 2, CHARSET = 5, SELECT = 8, FONT = 11, PRIVATE = 12 };
  bytes dictionary = {0};
  put_dictionary(f, &(places){0}, &dictionary);
  uint32_t top = (uint32_t)dictionary.count;
  places at = {.charset = HEADER + NAME + 5 + top + STRINGS + NO_INDEX};
  at.select = at.charset + CHARSET;
  at.charstrings = at.select + SELECT;
  at.fonts = at.charstrings + 3 + (uint32_t)f->offsets.count + (uint32_t)f->charstrings.count;
  put(b, "\1\0\4\4", 4);
  put16(b, 1), put8(b, 1), put8(b, 1), put8(b, 14 + 1), put(b, "Stijl-Outlines", 14);
  put16(b, 1), put8(b, 1), put8(b, 1), put8(b, top + 1);
  put_dictionary(f, &at, b);
  put16(b, 2), put8(b, 1), put8(b, 1), put8(b, 6), put8(b, 14), put(b, "AdobeIdentity", 13);  // strings
  put16(b, 0);                                                                                // no global subroutines
  put8(b, 2), put16(b, 1), put16(b, f->count - 2);                       // the charset: a range from 1 on
  put8(b, 3), put16(b, 1), put16(b, 0), put8(b, 0), put16(b, f->count);  // all are of the first font
  put16(b, f->count), put8(b, 4);
  put(b, f->offsets.data, f->offsets.count);
  put(b, f->charstrings.data, f->charstrings.count);
  put16(b, 1), put8(b, 1), put8(b, 1), put8(b, FONT + 1);
  put_operand(b, PRIVATE), put_operand(b, at.fonts + 5 + FONT), put_operator(b, 18);
  put_operand(b, 0), put_operator(b, 20), put_operand(b, 0), put_operator(b, 21);  // what advances are counted from
  b->failed = b->failed || dictionary.failed;
  free(dictionary.data);
}

static void put_head(const font *f, bytes *b) {
  put32(b, 0x00010000), put32(b, 0x00010000), put32(b, 0), put32(b, 0x5f0f3cf5);
  put16(b, 0), put16(b, (unsigned)f->em);
  put32(b, 0), put32(b, 0), put32(b, 0), put32(b, 0);  // times
  put16(b, (unsigned)(int)floorf(f->box.x0)), put16(b, (unsigned)(int)floorf(f->box.y0));
  put16(b, (unsigned)(int)ceilf(f->box.x1)), put16(b, (unsigned)(int)ceilf(f->box.y1));
  put16(b, 0), put16(b, 8), put16(b, 2), put16(b, 0), put16(b, 0);
}

static void put_hhea(const font *f, bytes *b) {
  put32(b, 0x00010000);
  put16(b, (unsigned)(0.8f * f->em)), put16(b, (unsigned)(int)(-0.2f * f->em)), put16(b, 0), put16(b, (unsigned)f->em);
  for (int i = 0; i < 11; i++) put16(b, i == 3);  // the caret is upright
  put16(b, f->count);
}

static void put_maxp(const font *f, bytes *b) { put32(b, 0x00005000), put16(b, f->count); }
static void put_hmtx(const font *f, bytes *b) { put(b, f->advances.data, f->advances.count); }

static void put_tables(const font *f, bytes *b) {
  static const struct {
    char tag[5];
    void (*put)(const font *f, bytes *b);
  } tables[] = {{"CFF ", put_cff}, {"head", put_head}, {"hhea", put_hhea}, {"hmtx", put_hmtx}, {"maxp", put_maxp}};
  enum { COUNT = sizeof tables / sizeof *tables };
  bytes body = {0};
  put(b, "OTTO", 4);
  put16(b, COUNT), put16(b, 64), put16(b, 2), put16(b, 16 * COUNT - 64);
  for (int i = 0; i < COUNT; i++) {
    bytes table = {0};
    tables[i].put(f, &table);
    put(b, tables[i].tag, 4);
    put32(b, 0);  // nobody checks sums
    put32(b, (uint32_t)(12 + 16 * COUNT + body.count));
    put32(b, (uint32_t)table.count);
    put(&body, table.data, table.count);
    while (body.count % 4 && !body.failed) put8(&body, 0);
    b->failed = b->failed || table.failed;
    free(table.data);
  }
  b->failed = b->failed || body.failed;
  put(b, body.data, body.count);
  free(body.data);
}

unsigned char *sj_make_font(const stijl_scene *scene, uint64_t serial, uint32_t *glyphs, uint32_t *blank, float *em,
                            size_t *count) {
  font f = {.scene = scene, .serial = serial, .box = {1e9f, 1e9f, -1e9f, -1e9f}};
  bytes out = {0};
  bool good = put_glyphs(&f, glyphs) && !f.charstrings.failed && !f.offsets.failed && !f.advances.failed;
  if (f.box.x0 > f.box.x1) f.box = (stijl_rect){0.0f, 0.0f, 0.0f, 0.0f};
  if (good) put_tables(&f, &out);
  free(f.charstrings.data);
  free(f.offsets.data);
  free(f.advances.data);
  *blank = f.count - 1;
  *em = f.em;
  *count = out.count;
  if (good && !out.failed) return out.data;
  free(out.data);
  return NULL;
}
