// The lines of a text with an inline-size (SVG 2, 11.7.1).
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "libraries/unibreak.h"
#include "text/line_breaks.h"
#include "text/svg_layout_data.h"

static float line_height_of(const sj_svg_state *l, const sj_svg_span *span) {
  if (span->line_height >= 0.0f) return span->line_height;
  const sj_face *face = sj_fonts_face(l->fonts, &span->shape.font);
  if (!face) return span->font_size;
  return (float)(face->metrics.ascent - face->metrics.descent + face->metrics.line_gap) *
         sj_svg_scale_of(l, span, face);
}

// Lays the text out without breaks, and finds each character's advance and level.
static bool measure(sj_svg_state *l, float *advances, uint8_t *levels) {
  const sj_svg_text *text = l->text;
  sj_svg_chunk whole = {.end = text->count};
  bool good = sj_svg_make_clusters(l, &whole);
  if (good) sj_svg_space_out(l);
  for (size_t i = 0; good && i < l->clusters.count; i++)
    advances[l->clusters.data[i].character] += l->clusters.data[i].advance;
  if (good) memcpy(levels, l->shaped.levels.data, text->count);
  sj_shaped_finish(&l->shaped);
  return good;
}

bool sj_svg_measure(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, float *advances,
                    uint8_t *levels) {
  sj_svg_placed unused = {.context = context};
  sj_svg_state l = {.fonts = fonts, .context = context, .text = text, .out = &unused};
  memset(advances, 0, text->count * sizeof *advances);
  memset(levels, 0, text->count);
  if (!text->count || sj_text_open(NULL) != STIJL_OK) return true;
  bool good = measure(&l, advances, levels);
  sj_svg_finish(&l);
  return good;
}

// Finds where the line that begins at `first` ends: at the last break before it is too long. Blanks at its end may
// hang, and a single word that is too long is not broken.
static uint32_t line_end(const sj_svg_text *text, const float *advances, const char *breaks, uint32_t first) {
  uint32_t best = first;
  float width = 0.0f;
  for (uint32_t i = first; i < text->count; i++) {
    width += advances[i];
    if (best > first && width > text->inline_size && text->characters[i] != ' ') return best;
    if (breaks[i] == LINEBREAK_ALLOWBREAK || breaks[i] == LINEBREAK_MUSTBREAK) best = i + 1;
    if (breaks[i] == LINEBREAK_MUSTBREAK) return best;
  }
  return text->count;
}

// Only the first position counts. Each line is a chunk, which is moved by its height from the line before.
bool sj_svg_lay_out_lines(sj_svg_state *l, const sj_svg_text *given) {
  sj_svg_text text = *given;
  text.length_count = text.track_count = 0;
  sj_svg_position *positions = sj_alloc_array(l->context, text.count, sizeof *positions);
  float *advances = sj_alloc_zero(l->context, text.count * sizeof *advances);
  char *breaks = sj_alloc_zero(l->context, text.count);
  uint8_t *levels = sj_alloc_zero(l->context, text.count);
  bool good = positions && advances && breaks && levels;
  if (good) {
    memcpy(positions, given->positions, text.count * sizeof *positions);
    for (uint32_t i = 0; i < text.count; i++) positions[i].x = positions[i].y = NAN;
    text.positions = positions;
    l->text = &text;
    good = measure(l, advances, levels) &&
           sj_line_breaks(l->context, text.characters, text.count, text.spans[0].shape.language, breaks);
  }
  const sj_svg_position *start = given->positions;
  float x = isnan(start->x) ? 0.0f : start->x, y = isnan(start->y) ? 0.0f : start->y;
  for (uint32_t first = 0; first < text.count && good;) {
    sj_svg_chunk c = {.first = first, .end = line_end(&text, advances, breaks, first), .levels = levels + first};
    uint32_t next = c.end, from, to;
    if (first) {
      float height = 0.0f;
      sj_svg_span_at(&text, first, &from);
      sj_svg_span_at(&text, next - 1, &to);
      for (uint32_t i = from; i <= to; i++) height = fmaxf(height, line_height_of(l, &text.spans[i]));
      if (text.vertical) {
        x -= height;
      } else {
        y += height;
      }
    }
    while (c.end > first && text.characters[c.end - 1] == ' ') c.end--;
    l->x = x;
    l->y = y;
    if (c.end > first) good = sj_svg_lay_out_chunk(l, &c);
    good = good && sj_context_check(l->context, SJ_SVG_WORK_CLUSTER * ((uint64_t)next - first));
    first = next;
  }
  l->text = given;
  sj_free(l->context, positions);
  sj_free(l->context, advances);
  sj_free(l->context, breaks);
  sj_free(l->context, levels);
  return good;
}
