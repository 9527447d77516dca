// Makes the texts of tokens (MathML Core, 3.2).
#include <math.h>
#include <string.h>

#include "svg/math/formula.h"
#include "svg/resolve/omit.h"
#include "text/characters.h"

// Returns the italic form of a letter, which a name of one letter has (MathML Core, appendix C: "math-auto").
static uint32_t italic(uint32_t c) {
  static const uint32_t others[][2] = {{'h', 0x210e},     {0x131, 0x1d6a4},  {0x237, 0x1d6a5}, {0x3f4, 0x1d6f3},
                                       {0x2207, 0x1d6fb}, {0x2202, 0x1d715}, {0x3f5, 0x1d716}, {0x3d1, 0x1d717},
                                       {0x3f0, 0x1d718},  {0x3d5, 0x1d719},  {0x3f1, 0x1d71a}, {0x3d6, 0x1d71b}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (c == others[i][0]) return others[i][1];
  if (c >= 'A' && c <= 'Z') return c - 'A' + 0x1d434;
  if (c >= 'a' && c <= 'z') return c - 'a' + 0x1d44e;
  if (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) return c - 0x391 + 0x1d6e2;
  if (c >= 0x3b1 && c <= 0x3c9) return c - 0x3b1 + 0x1d6fc;
  return c;
}

// Gathers the characters of an element; white space collapses, and none is at the ends.
static bool gather(sj_math *m, uint32_t element, sj_text_content *t) {
  const sj_document *document = m->r->document;
  bool blank = false;
  size_t at = sj_document_first_text(document, element);
  uint32_t end = document->dom->end.data[element];
  for (; at < document->texts.count && document->texts.data[at].before <= end; at++) {
    const sj_text *text = &document->texts.data[at];
    if (text->parent != element || !text->length) continue;
    uint32_t *characters, count;
    if (!sj_resolve_spend(m->r, 20 * (uint64_t)text->length)) return false;
    if (!sj_decode_utf8(m->context, text->data, text->length, &characters, NULL, &count)) {
      sj_resolve_fail_memory(m->r);
      return false;
    }
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
      uint32_t c = characters[i];
      bool space = c < 0x80 && sj_is_space((char)c);
      if (!space && blank && t->characters.count) good = sj_text_add_character(t, 0, ' ', SJ_CHARACTER_OWN);
      blank = space || (blank && space);
      if (!space) good = good && sj_text_add_character(t, 0, c, SJ_CHARACTER_OWN);
    }
    sj_free(m->context, characters);
    if (!good) return false;
  }
  return true;
}

// Finds how wide the text is, and where its ink is.
static void measure(const sj_text_content *t, sj_math_node *n) {
  float right = 0.0f, above = -INFINITY, below = -INFINITY;
  for (size_t i = 0; i < t->placed.cells.count; i++) {
    const sj_placed_cell *cell = &t->placed.cells.data[i];
    right = fmaxf(right, cell->matrix.e + cell->rect.x1);
  }
  for (size_t i = 0; i < t->placed.glyphs.count; i++) {
    const sj_placed_glyph *glyph = &t->placed.glyphs.data[i];
    sj_glyph_ink ink = sj_face_ink(glyph->face, glyph->glyph, -glyph->matrix.d);
    if (!(ink.right > ink.left)) continue;
    above = fmaxf(above, ink.above - glyph->matrix.f);
    below = fmaxf(below, ink.below + glyph->matrix.f);
  }
  bool some = above > -INFINITY;
  n->text_size = (sj_math_size){right, some ? above : 0.0f, some ? below : 0.0f};
}

void sj_math_make_text(sj_math *m, uint32_t index) {
  sj_math_node *n = sj_math_at(m, index);
  sj_text_content *t = sj_alloc_zero(m->context, sizeof *t);
  if (!t) {
    sj_resolve_fail_memory(m->r);
    return;
  }
  n->text = t;
  *t = (sj_text_content){.r = m->r, .frame = m->frame, .placed = {.context = m->context}, .is_html = true};
  t->frame.style = &n->style->svg;
  bool there;
  if (!sj_text_open_scope(t, n->element, SJ_NO_SCOPE, &n->style->svg, &there) || !gather(m, n->element, t)) return;
  const sj_string *variant = sj_dom_get(m->r->document->dom, n->element, "mathvariant");
  bool upright = variant && sj_is_keyword(variant->text, variant->length, "normal");
  if (strcmp(sj_document_local(m->r->document, n->element), "mi") == 0 && t->characters.count == 1 && !upright)
    t->characters.data[0] = italic(t->characters.data[0]);
  if (n->kind == SJ_MATH_OPERATOR)
    sj_math_find_operator(m, n, t->characters.data, (uint32_t)t->characters.count, &n->op);
  if (!t->characters.count || !m->fonts) return;
  t->positions.data[0].x = t->positions.data[0].y = 0.0f;
  stijl_message message;
  if (sj_text_open(&message) != STIJL_OK) {
    sj_omit(m->r, SJ_OMIT_TEXT, message.text, strlen(message.text));
    return;
  }
  if (sj_text_make_spans(t) && sj_text_place(t, m->fonts)) measure(t, n);
}
