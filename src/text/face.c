#include "text/face.h"

#include "base/budget.h"
#include "base/search.h"
#include "geometry/path.h"
#include "libraries/harfbuzz.h"
#include "text/color_scene.h"
#include "text/font_stream.h"
#include "text/shaper.h"
#include "text/shaping_memory.h"

// How often reading one glyph may read the font. A composite glyph reads each of its parts once, and variations read
// their data, which in real fonts adds up to some thousand times. But fonts have been made whose glyphs contain each
// other 10^10 times.
#define MAX_GLYPH_READS 200000
#define WORK_READ 100
#define WORK_OUTLINE 2000

stijl_result sj_text_open(stijl_message *message) {
  stijl_result result = sj_open_harfbuzz(message);
  return result ? result : sj_open_freetype(message);
}

// --- tables, for HarfBuzz ---

// A copy of a table, which HarfBuzz frees.
typedef struct table_bytes {
  stijl_context *context;
  unsigned char *data;
} table_bytes;

static void free_table(void *user) {
  table_bytes *t = user;
  sj_free(t->context, t->data);
  sj_free(t->context, t);
}

static hb_blob_t *copy_table(sj_face *face, hb_tag_t tag, FT_ULong length) {
  stijl_context *context = face->library->context;
  table_bytes *t = sj_font_alloc(face->library, sizeof *t);
  unsigned char *data = sj_font_alloc(face->library, length);
  if (t && data && !FT_Load_Sfnt_Table(face->ft, tag, 0, data, &length)) {
    *t = (table_bytes){context, data};
    return hb_blob_create((const char *)data, (unsigned)length, HB_MEMORY_MODE_READONLY, t, free_table);
  }
  face->starved = !t || !data;
  sj_free(context, data);
  sj_free(context, t);
  return NULL;
}

// Finds a table of a font in memory, by having FreeType read it through the stream, which notes where that is.
static hb_blob_t *find_table(sj_face *face, hb_tag_t tag, FT_ULong length) {
  sj_font_stream *stream = face->stream;
  unsigned char none;
  stream->only_locate = true;
  bool good = !FT_Load_Sfnt_Table(face->ft, tag, 0, &none, &length);
  stream->only_locate = false;
  const char *data = (const char *)stream->located;
  return good ? hb_blob_create(data, (unsigned)length, HB_MEMORY_MODE_READONLY, NULL, NULL) : NULL;
}

// Counts what HarfBuzz will make of a table. Returns false when memory is short, or the table is left out, with a
// warning.
static bool count_table(sj_tables *tables, hb_tag_t tag, hb_blob_t *blob) {
  sj_face *face = tables->face;
  unsigned length;
  const char *data = hb_blob_get_data(blob, &length);
  sj_table_memory memory;
  bool known = sj_table_memory_of(tag, (const unsigned char *)data, length, &memory);
  if (!known || memory.face > face->library->max_held || memory.plan > face->library->max_held) {
    sj_log(face->library->context, STIJL_LOG_WARNING, "the table %c%c%c%c of a font is left out: %s", HB_UNTAG(tag),
           known ? "it takes more than the fonts' max_memory" : "it is of an unknown version, or too large");
    return false;
  }
  if (!sj_font_reserve(face->library, memory.face)) {
    face->starved = true;
    return false;
  }
  tables->reserved += memory.face;
  tables->plan_bytes += memory.plan;
  tables->multiplies |= memory.multiplies;
  return true;
}

// Returns a table. HarfBuzz asks for one when it first needs it, from any thread.
static hb_blob_t *reference_table(hb_face_t *hb_face, hb_tag_t tag, void *user) {
  (void)hb_face;
  sj_tables *tables = user;
  sj_face *face = tables->face;
  const sj_font_stream *stream = face->stream;
  hb_blob_t *blob = NULL;
  if (tag == HB_TAG_NONE) return NULL;
  pthread_mutex_lock(&face->library->lock);
  FT_ULong length = 0;
  if (!stream->freetype->lost && !FT_Load_Sfnt_Table(face->ft, tag, 0, NULL, &length) && length &&
      length <= stream->ft.size)
    blob = stream->fd < 0 ? find_table(face, tag, length) : copy_table(face, tag, length);
  if (blob && !count_table(tables, tag, blob)) {
    hb_blob_destroy(blob);
    blob = NULL;
  }
  pthread_mutex_unlock(&face->library->lock);
  return blob;
}

bool sj_tables_open(sj_tables *tables, sj_face *face) {
  *tables = (sj_tables){.face = face};
  if (!sj_font_reserve(face->library, SJ_FACE_BYTES)) return false;
  tables->reserved = SJ_FACE_BYTES;
  tables->hb_face = hb_face_create_for_tables(reference_table, tables, NULL);
  hb_face_set_index(tables->hb_face, face->index);
  hb_face_set_upem(tables->hb_face, (unsigned)face->metrics.units_per_em);
  hb_face_set_glyph_count(tables->hb_face, face->glyph_count);
  return true;
}

void sj_tables_close(sj_tables *tables) {
  hb_face_destroy(tables->hb_face);
  sj_budget_release(tables->face->library->context, tables->reserved);
}

// --- advances ---

// Notes that FreeType was refused memory for a glyph: by the context, which the text's caller learns, or by the limit.
static void note_loss(sj_face *face) {
  const sj_font_stream *stream = face->stream;
  stijl_message why;
  sj_font_stream_fail(stream, &why);
  if (!stream->freetype->over)
    face->starved = true;
  else if (!face->broken)
    sj_log(face->library->context, STIJL_LOG_WARNING, "glyphs of a font are left out: %s", why.text);
  face->broken = true;
}

// Runs what loads a glyph. The library's lock is held.
static bool run_glyph(sj_face *face, void (*read)(void *), void *glyph) {
  sj_font_stream *stream = face->stream;
  stream->reads = 0;
  stream->max_reads = MAX_GLYPH_READS;
  bool good = sj_ft_run(stream->freetype, read, glyph);
  if (!good) note_loss(face);
  stream->max_reads = 0;
  return good;
}

// A glyph whose width is asked for.
typedef struct glyph_width {
  FT_Face ft;
  uint32_t glyph;
  FT_Pos width;
} glyph_width;

static void read_width(void *user) {
  glyph_width *g = user;
  if (!FT_Load_Glyph(g->ft, g->glyph, FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
    g->width = g->ft->glyph->metrics.horiAdvance;
}

// Returns an advance of a font without hmtx. HarfBuzz asks for it from any thread.
static hb_position_t advance_of(hb_font_t *font, void *font_data, hb_codepoint_t glyph, void *user) {
  (void)font, (void)user;
  sj_face *face = font_data;
  if (glyph >= face->glyph_count) return 0;
  pthread_mutex_lock(&face->library->lock);
  uint32_t *known = &face->widths[glyph];
  if (!*known) {
    glyph_width g = {face->ft, glyph, 0};
    if (!face->broken) run_glyph(face, read_width, &g);
    *known = 1 + (uint32_t)(g.width < 0 ? 0 : g.width > UINT16_MAX ? UINT16_MAX : g.width);
  }
  hb_position_t width = (hb_position_t)(*known - 1);
  pthread_mutex_unlock(&face->library->lock);
  return width;
}

hb_font_t *sj_tables_font(const sj_tables *tables) {
  sj_face *face = tables->face;
  hb_font_t *font = hb_font_create(tables->hb_face);
  hb_font_set_scale(font, face->metrics.units_per_em, face->metrics.units_per_em);
  if (!face->widths) return font;
  hb_font_t *own = hb_font_create_sub_font(font);
  hb_font_funcs_t *functions = hb_font_funcs_create();
  hb_font_funcs_set_glyph_h_advance_func(functions, advance_of, NULL, NULL);
  hb_font_set_funcs(own, functions, face, NULL);
  hb_font_funcs_destroy(functions);
  hb_font_destroy(font);
  return own;
}

// --- metrics ---

static void read_metrics(sj_face *face) {
  FT_Face ft = face->ft;
  sj_face_metrics *m = &face->metrics;
  const TT_OS2 *os2 = FT_Get_Sfnt_Table(ft, FT_SFNT_OS2);
  const TT_HoriHeader *hhea = FT_Get_Sfnt_Table(ft, FT_SFNT_HHEA);
  const TT_Postscript *post = FT_Get_Sfnt_Table(ft, FT_SFNT_POST);
  if (os2 && os2->version == 0xffff) os2 = NULL;
  // For fonts of bitmaps FreeType has no units per em. Those of a font without head are in CFF.
  const TT_Header *head = FT_Get_Sfnt_Table(ft, FT_SFNT_HEAD);
  int em = head && head->Units_Per_EM ? head->Units_Per_EM : ft->units_per_EM;
  m->units_per_em = em >= 16 && em <= 16384 ? em : 1000;
  // CSS Inline 3, A.1: the typographic metrics if the font demands them (bit 7), else those of hhea, else any that
  // there are.
  if (os2 && (os2->fsSelection & 128)) {
    m->ascent = os2->sTypoAscender;
    m->descent = os2->sTypoDescender;
    m->line_gap = os2->sTypoLineGap;
  } else if (hhea) {
    m->ascent = hhea->Ascender;
    m->descent = hhea->Descender;
    m->line_gap = hhea->Line_Gap;
  }
  if (!m->ascent && !m->descent && os2) {
    m->ascent = os2->sTypoAscender ? os2->sTypoAscender : os2->usWinAscent;
    m->descent = os2->sTypoAscender ? os2->sTypoDescender : -(int)os2->usWinDescent;
  }
  if (!m->ascent && !m->descent) {
    m->ascent = m->units_per_em * 4 / 5;
    m->descent = m->ascent - m->units_per_em;
  }
  if (m->descent > 0) m->descent = -m->descent;
  if (m->line_gap < 0) m->line_gap = 0;
  bool typo = os2 && os2->sTypoAscender > os2->sTypoDescender;
  m->typo_ascent = typo ? os2->sTypoAscender : m->ascent;
  m->typo_descent = typo ? os2->sTypoDescender : m->descent;
  m->knows_x_height = os2 && os2->version >= 2 && os2->sxHeight > 0;
  m->x_height = m->knows_x_height ? os2->sxHeight : (m->ascent - m->descent) * 45 / 100;
  m->cap_height = os2 && os2->version >= 2 && os2->sCapHeight > 0 ? os2->sCapHeight : m->ascent * 7 / 10;
  m->underline_thickness = post && post->underlineThickness > 0 ? post->underlineThickness : m->units_per_em / 12;
  m->underline_position =
      post && post->underlineThickness > 0 ? post->underlinePosition : -m->underline_thickness * 3 / 2;
  face->bold = os2 ? os2->usWeightClass >= 600 : (face->ft->style_flags & FT_STYLE_FLAG_BOLD) != 0;
  face->italic = (face->ft->style_flags & FT_STYLE_FLAG_ITALIC) != 0;
  bool strike = os2 && os2->yStrikeoutSize > 0;
  m->strike_thickness = strike ? os2->yStrikeoutSize : m->underline_thickness;
  m->strike_position = strike ? os2->yStrikeoutPosition : m->x_height / 2;
  m->subscript_offset = os2 && os2->ySubscriptYOffset ? os2->ySubscriptYOffset : m->units_per_em / 5;
  m->superscript_offset = os2 && os2->ySuperscriptYOffset ? os2->ySuperscriptYOffset : m->units_per_em * 2 / 5;
}

// Axes that are to be set, and those of the font, as HarfBuzz wants them.
typedef struct axes {
  sj_face *face;
  const sj_axis_value *values;
  size_t value_count;
  hb_variation_t set[SJ_MOST_FONT_AXES];
  unsigned count;
} axes;

// Notes which axes the font has, and sets them if there are values.
static void set_axes_of_freetype(void *user) {
  axes *a = user;
  FT_Face ft = a->face->ft;
  const sj_font_stream *stream = a->face->stream;
  FT_MM_Var *variations = NULL;
  FT_Fixed coordinates[SJ_MOST_FONT_AXES];
  if (FT_Get_MM_Var(ft, &variations)) return;
  a->count = variations->num_axis <= SJ_MOST_FONT_AXES ? variations->num_axis : 0;
  a->face->axis_count = a->count;
  for (unsigned i = 0; i < a->count; i++) {
    const FT_Var_Axis *axis = &variations->axis[i];
    FT_Fixed value = axis->def;
    a->face->axes[i] = (uint32_t)axis->tag;
    for (size_t k = 0; k < a->value_count; k++) {
      if (a->values[k].tag != axis->tag) continue;
      float v = a->values[k].value;
      value = (FT_Fixed)((v < -32000.0f ? -32000.0f : v > 32000.0f ? 32000.0f : v) * 65536.0f);
    }
    if (value > axis->maximum) value = axis->maximum;
    if (value < axis->minimum) value = axis->minimum;
    coordinates[i] = value;
    a->set[i] = (hb_variation_t){(hb_tag_t)axis->tag, (float)value / 65536.0f};
  }
  if (a->count && a->value_count) FT_Set_Var_Design_Coordinates(ft, a->count, coordinates);
  FT_Done_MM_Var(stream->freetype->ft, variations);
}

// Sets the axes, for FreeType and for HarfBuzz. False, with a message: FreeType is lost.
static bool set_axes(sj_face *face, const sj_axis_value *values, size_t value_count, stijl_message *message) {
  axes a = {.face = face, .values = values, .value_count = value_count};
  sj_font_stream *stream = face->stream;
  pthread_mutex_lock(&face->library->lock);
  bool good = sj_ft_run(stream->freetype, set_axes_of_freetype, &a) || sj_font_stream_fail(stream, message);
  pthread_mutex_unlock(&face->library->lock);
  // HarfBuzz reads tables here, so reference_table takes the lock.
  if (good && a.count && value_count) hb_font_set_variations(face->hb, a.set, a.count);
  return good;
}

// --- open and close ---

static bool has_table(FT_Face ft, FT_ULong tag) {
  FT_ULong bytes = 0;
  return !FT_Load_Sfnt_Table(ft, tag, 0, NULL, &bytes) && bytes;
}

sj_face *sj_face_open(sj_font_library *library, const sj_font_bytes *bytes, uint32_t index, const sj_instance *instance,
                      stijl_message *message) {
  if (sj_text_open(message)) return NULL;
  sj_face *face = sj_font_alloc(library, sizeof *face);
  if (!face) {
    sj_fail_memory(message);
    return NULL;
  }
  static _Atomic uint64_t last;
  face->library = library;
  face->size_adjust = 1.0f;
  face->serial = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
  face->slanted = instance && instance->slanted;
  face->emboldened = instance && instance->emboldened;
  sj_font_stream *stream = NULL;
  pthread_mutex_lock(&library->lock);
  bool good = sj_font_stream_open(library, bytes, index, &stream, &face->ft, message);
  if (good) {
    face->stream = stream;
    face->glyph_count = (uint32_t)face->ft->num_glyphs;
    face->has_color = FT_HAS_COLOR(face->ft) || has_table(face->ft, FT_MAKE_TAG('S', 'V', 'G', ' ')) ||
                      has_table(face->ft, FT_MAKE_TAG('C', 'O', 'L', 'R'));
    // FreeType denies that a font with the table sbix has outlines, but reads them all the same.
    face->has_outlines = FT_IS_SCALABLE(face->ft) || has_table(face->ft, FT_MAKE_TAG('g', 'l', 'y', 'f'));
    face->has_vertical = FT_HAS_VERTICAL(face->ft);
    read_metrics(face);
  }
  // Fonts that Illustrator embeds in documents are "CFF " and cmap alone: HarfBuzz looks for widths in hmtx, but here
  // they are in CFF.
  if (good && face->has_outlines && !has_table(face->ft, FT_MAKE_TAG('h', 'm', 't', 'x'))) {
    face->widths = sj_font_alloc(library, (face->glyph_count + (size_t)1) * sizeof *face->widths);
    good = face->widths || sj_fail_memory(message) == STIJL_OK;
  }
  face->index = index;
  good = good && (sj_tables_open(&face->tables, face) || sj_fail_memory(message) == STIJL_OK);
  pthread_mutex_unlock(&library->lock);
  if (!good) {
    sj_font_stream_close(face->stream);
    sj_free(library->context, face->widths);
    sj_free(library->context, face);
    return NULL;
  }
  // HarfBuzz may ask for tables from here on, so the lock must be open.
  face->hb_face = face->tables.hb_face;
  face->hb = sj_tables_font(&face->tables);
  bool whole = hb_font_get_face(face->hb) == face->hb_face;
  if (!whole) sj_fail_memory(message);  // HarfBuzz had no memory, and returned its empty font
  if (whole && FT_HAS_MULTIPLE_MASTERS(face->ft))
    whole = set_axes(face, instance ? instance->axes : NULL, instance ? instance->axis_count : 0, message);
  hb_font_make_immutable(face->hb);
  if (whole) return face;
  sj_face_close(face);
  return NULL;
}

void sj_face_close(sj_face *face) {
  if (!face) return;
  if (face->colors) sj_color_scenes_finish(face);
  hb_font_destroy(face->hb);
  hb_blob_destroy(face->colr);
  hb_blob_destroy(face->cpal);
  pthread_mutex_lock(&face->library->lock);
  sj_shaper_finish(face);
  sj_tables_close(&face->tables);
  sj_font_stream_close(face->stream);
  pthread_mutex_unlock(&face->library->lock);
  sj_free(face->library->context, face->widths);
  sj_free(face->library->context, face);
}

bool sj_in_ranges(const uint32_t *ranges, size_t count, uint32_t character) {
  size_t low = 0, high = count;
  SJ_SEARCH(low, high, i, character > ranges[2 * i + 1]);
  return low < count && character >= ranges[2 * low];
}

bool sj_face_has_char(const sj_face *face, uint32_t character) {
  hb_codepoint_t glyph;
  bool within = !face->ranges || sj_in_ranges(face->ranges, face->range_count, character);
  if (!within) return false;
  if (hb_font_get_nominal_glyph(face->hb, character, &glyph) && glyph) return true;
  // The shaper takes a space for one that does not break.
  return character == 0xa0 && hb_font_get_nominal_glyph(face->hb, ' ', &glyph) && glyph;
}

// --- outlines ---

// Where FreeType's callbacks put an outline.
typedef struct sink {
  stijl_path *path;
  const stijl_matrix *matrix;
  bool open;  // a contour has begun
} sink;

static stijl_point place(const sink *s, const FT_Vector *v) {
  return stijl_matrix_apply(*s->matrix, (stijl_point){(float)v->x, (float)v->y});
}

static int sink_move(const FT_Vector *to, void *user) {
  sink *s = user;
  if (s->open) stijl_path_close(s->path);
  s->open = true;
  stijl_point p = place(s, to);
  stijl_path_move_to(s->path, p.x, p.y);
  return 0;
}

static int sink_line(const FT_Vector *to, void *user) {
  sink *s = user;
  stijl_point p = place(s, to);
  stijl_path_line_to(s->path, p.x, p.y);
  return 0;
}

static int sink_quad(const FT_Vector *control, const FT_Vector *to, void *user) {
  sink *s = user;
  stijl_point a = place(s, control), p = place(s, to);
  stijl_path_quad_to(s->path, a.x, a.y, p.x, p.y);
  return 0;
}

static int sink_cubic(const FT_Vector *c1, const FT_Vector *c2, const FT_Vector *to, void *user) {
  sink *s = user;
  stijl_point a = place(s, c1), b = place(s, c2), p = place(s, to);
  stijl_path_cubic_to(s->path, a.x, a.y, b.x, b.y, p.x, p.y);
  return 0;
}

#define SLANT 0.2493f  // tan(14 degrees), the angle of "oblique" (CSS Fonts 4, 2.6)

// A glyph that is read, and how.
typedef struct glyph_outline {
  sj_face *face;
  uint32_t glyph;
  sink sink;
  bool good;
} glyph_outline;

static void read_glyph(void *user) {
  static const FT_Outline_Funcs funcs = {sink_move, sink_line, sink_quad, sink_cubic, 0, 0};
  glyph_outline *g = user;
  FT_Face ft = g->face->ft;
  sj_font_stream *stream = g->face->stream;
  // In font units points are integers. Those of variable fonts are rounded from FreeType's fixed point.
  g->good = !FT_Load_Glyph(ft, g->glyph, FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) &&
            ft->glyph->format == FT_GLYPH_FORMAT_OUTLINE;
  stream->max_reads = 0;
  if (!g->good) return;
  FT_Outline *outline = &ft->glyph->outline;
  // This is how much FT_GlyphSlot_Embolden adds, without its rounding to pixels.
  if (g->face->emboldened) FT_Outline_Embolden(outline, g->face->metrics.units_per_em / 24);
  g->good = !FT_Outline_Decompose(outline, &funcs, &g->sink);
  if (g->sink.open) stijl_path_close(g->sink.path);
}

float sj_face_em_ascent(const sj_face *face) {
  int ascent = face->metrics.typo_ascent, height = ascent - face->metrics.typo_descent;
  return height > 0 ? (float)ascent / (float)height : 0.8f;
}

int sj_face_x_height(const sj_face *face) {
  hb_codepoint_t glyph;
  hb_glyph_extents_t box;
  bool measured = !face->metrics.knows_x_height && hb_font_get_nominal_glyph(face->hb, 'x', &glyph) &&
                  hb_font_get_glyph_extents(face->hb, glyph, &box) && box.y_bearing > 0;
  return measured ? box.y_bearing : face->metrics.x_height;
}

int sj_face_advance(const sj_face *face, uint32_t character) {
  hb_codepoint_t glyph;
  return hb_font_get_nominal_glyph(face->hb, character, &glyph) ? hb_font_get_glyph_h_advance(face->hb, glyph) : -1;
}

sj_glyph_size sj_face_glyph_size(const sj_face *face, uint32_t glyph) {
  hb_position_t advance = hb_font_get_glyph_h_advance(face->hb, glyph);
  return (sj_glyph_size){(float)face->metrics.units_per_em, (float)advance};
}

bool sj_face_outline(sj_face *face, stijl_context *context, uint32_t glyph, const stijl_matrix *matrix,
                     stijl_path *out) {
  if (!face->has_outlines || face->broken || glyph >= face->glyph_count) return false;
  stijl_matrix m = *matrix;
  if (face->slanted) m = stijl_matrix_multiply(m, (stijl_matrix){1.0f, 0.0f, SLANT, 1.0f, 0.0f, 0.0f});
  glyph_outline g = {.face = face, .glyph = glyph, .sink = {.path = out, .matrix = &m}};
  sj_font_stream *stream = face->stream;
  pthread_mutex_lock(&face->library->lock);
  if (!run_glyph(face, read_glyph, &g) && !stream->freetype->over && stijl_path_status(out) == STIJL_OK)
    out->status = STIJL_ERROR_OUT_OF_MEMORY;
  uint32_t reads = stream->reads;
  // A font with such a glyph has more of them.
  if (reads > MAX_GLYPH_READS) face->broken = true;
  pthread_mutex_unlock(&face->library->lock);
  sj_context_check(context, WORK_OUTLINE + (uint64_t)reads * WORK_READ);
  return g.good && g.sink.open;
}
