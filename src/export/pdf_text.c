// Glyph runs of a PDF file as text, in fonts that are made of the scene's outlines.
#include <stdlib.h>
#include <string.h>

#include "export/pdf.h"
#include "libraries/freetype.h"

#define FONT_BYTES 65536  // what FreeType and cairo take for a font without glyphs, about

// --- fonts ---

// What a face of cairo's needs. cairo keeps faces longer than files, so that this is the process's memory.
typedef struct {
  FT_Library library;
  FT_Face face;
  unsigned char *data;
} open_font;

static void free_font(void *user) {
  open_font *f = user;
  if (f->face) FT_Done_Face(f->face);
  if (f->library) FT_Done_FreeType(f->library);
  free(f->data);
  free(f);
}

// Opens a font, whose data it takes over. NULL on failure.
static cairo_font_face_t *open_face(unsigned char *data, size_t bytes) {
  static const cairo_user_data_key_t key;
  open_font *f = calloc(1, sizeof *f);
  if (!f) free(data);
  if (!f) return NULL;
  f->data = data;
  cairo_font_face_t *face = NULL;
  if (FT_Init_FreeType(&f->library) == 0 && FT_New_Memory_Face(f->library, data, (FT_Long)bytes, 0, &f->face) == 0)
    face = cairo_ft_font_face_create_for_ft_face(f->face, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
  if (face && cairo_font_face_set_user_data(face, &key, f, free_font) == CAIRO_STATUS_SUCCESS) return face;
  if (face) cairo_font_face_destroy(face);
  free_font(f);
  return NULL;
}

static const sj_pdf_font *find_font(sj_exporter *x, uint64_t serial) {
  sj_pdf_shared *s = sj_pdf_of(x)->shared;
  for (size_t i = 0; i < s->fonts.count; i++)
    if (s->fonts.data[i].serial == serial) return &s->fonts.data[i];
  sj_pdf_font made = {.serial = serial};
  size_t bytes = 0;
  if (!sj_pdf_reserve(x, FONT_BYTES) || !sj_export_spend(x, x->scene->outline_glyphs.count * 4)) return NULL;
  unsigned char *data = sj_make_font(x->scene, serial, s->glyphs, &made.blank, &made.em, &bytes);
  if (data && !sj_pdf_reserve(x, 2 * bytes))
    free(data);
  else if (data)
    made.face = open_face(data, bytes);
  if (!sj_array_push(x->context, &s->fonts, made)) {
    if (made.face) cairo_font_face_destroy(made.face);
    sj_export_fail_memory(x);
  }
  return sj_exporting(x) ? &s->fonts.data[s->fonts.count - 1] : NULL;
}

// --- runs ---

// Glyphs of one font under one matrix, and what they say.
typedef struct {
  sj_exporter *x;
  const sj_glyph_run *run;
  const sj_pdf_font *font;
  uint32_t matrix;
  SJ_ARRAY(cairo_glyph_t) glyphs;
  SJ_ARRAY(cairo_text_cluster_t) clusters;
  SJ_ARRAY(char) text;
  bool says;
} piece;

static const sj_outline_glyph *glyph_of(const sj_exporter *x, const stijl_instance *at) {
  const stijl_scene *scene = x->scene;
  const sj_outline_glyph *g = sj_array_at(&scene->outline_glyphs, at->outline);
  return at->outline < scene->outline_glyphs.count && g->name.font ? g : NULL;
}

// Shows what was gathered, and forgets it.
static bool show(piece *p) {
  cairo_t *cr = sj_pdf_of(p->x)->cr;
  size_t count = p->glyphs.count;
  if (!count) return true;
  const stijl_matrix *m = &p->x->scene->matrices.data[p->run->matrix + p->matrix];
  double em = (double)p->font->em;
  cairo_matrix_t place = {(double)m->a * em, (double)m->b * em, -(double)m->c * em, -(double)m->d * em, 0.0, 0.0};
  cairo_set_font_face(cr, p->font->face);
  cairo_set_font_matrix(cr, &place);
  if (p->says)
    cairo_show_text_glyphs(cr, p->text.data, (int)p->text.count, p->glyphs.data, (int)count, p->clusters.data,
                           (int)p->clusters.count, 0);
  else
    cairo_show_glyphs(cr, p->glyphs.data, (int)count);
  p->glyphs.count = p->clusters.count = p->text.count = 0;
  return true;
}

static bool add(piece *p, uint32_t glyph, double px, double py, const char *text, uint32_t bytes) {
  stijl_context *context = p->x->context;
  // A cluster of several glyphs has its text at the first of them.
  bool first = bytes || !p->clusters.count;
  if (!sj_array_push(context, &p->glyphs, (cairo_glyph_t){glyph, px, py}) ||
      !sj_array_reserve(context, &p->text, bytes) ||
      (first && !sj_array_push(context, &p->clusters, (cairo_text_cluster_t){(int)bytes, 1})))
    return false;
  if (!first) p->clusters.data[p->clusters.count - 1].num_glyphs++;
  if (bytes) memcpy(p->text.data + p->text.count, text, bytes);
  p->text.count += bytes;
  return true;
}

static bool add_instance(piece *p, uint32_t i) {
  const stijl_scene *scene = p->x->scene;
  const stijl_instance *at = &scene->instances.data[i];
  const sj_outline_glyph *g = glyph_of(p->x, at);
  const stijl_matrix *m = &scene->matrices.data[p->run->matrix + at->matrix];
  sj_glyph_text text = i < scene->texts.count ? scene->texts.data[i] : (sj_glyph_text){0, 0};
  const char *utf8 = sj_array_at(&scene->utf8, text.first);
  uint32_t blanks = 0;
  while (blanks < text.count && utf8[text.count - blanks - 1] == ' ') blanks++;
  double px = (double)at->x, py = (double)at->y, advance = (double)g->size.advance;
  if (!add(p, sj_pdf_of(p->x)->shared->glyphs[at->outline], px, py, utf8, text.count - blanks)) return false;
  px += (double)m->a * advance, py += (double)m->b * advance;
  return !blanks || add(p, p->font->blank, px, py, " ", 1);
}

// Returns whether all of a run can be text; opens its fonts.
static bool is_text(sj_exporter *x, const sj_glyph_run *run) {
  for (uint32_t i = 0; i < run->instance_count; i++) {
    const stijl_instance *at = &x->scene->instances.data[run->instance + i];
    const sj_outline_glyph *g = glyph_of(x, at);
    sj_matrix64 m = sj_to64(x->scene->matrices.data[run->matrix + at->matrix]);
    m.e = m.f = 0.0;
    const sj_pdf_font *font = g && sj_is_regular(&m) ? find_font(x, g->name.font) : NULL;
    if (!font || !font->face) return false;
  }
  return true;
}

bool sj_pdf_text(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  const sj_glyph_run *run = &x->scene->runs.data[draw->run];
  sj_matrix64 to = sj_multiply64(sj_to64(*m), sj_to64(draw->transform));
  if (!is_text(x, run) || !sj_pdf_set_matrix(x, &to)) return false;
  if (!sj_pdf_reserve(x, run->instance_count * sizeof(cairo_glyph_t) * 4)) return true;
  piece p = {.x = x, .run = run, .says = run->instance + run->instance_count <= x->scene->texts.count};
  bool good = true;
  for (uint32_t i = run->instance; good && i < run->instance + run->instance_count; i++) {
    const stijl_instance *at = &x->scene->instances.data[i];
    const sj_pdf_font *font = find_font(x, glyph_of(x, at)->name.font);
    if (!font) break;
    if (font != p.font || at->matrix != p.matrix) show(&p);
    p.font = font;
    p.matrix = at->matrix;
    good = add_instance(&p, i);
  }
  if (good)
    show(&p);
  else
    sj_export_fail_memory(x);
  sj_arrays_finish(x->context, &p.glyphs, &p.clusters, &p.text);
  return true;
}
