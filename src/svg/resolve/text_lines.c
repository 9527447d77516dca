// Makes the outlines of decoration lines.
#include <math.h>

#include "svg/resolve/text_content.h"

// A line with more dots, dashes or waves than this is solid: nobody could tell.
#define MAX_MARKS 20000.0f

const sj_text_scope *sj_text_line_owner(const sj_text_content *t, uint32_t span, sj_line line, sj_decoration *out) {
  // The nearest element that asks for the line (CSS Text Decoration 3, 2.1), else the text element for those around it.
  static const int bits[3] = {SJ_DECORATION_UNDER, SJ_DECORATION_OVER, SJ_DECORATION_THROUGH};
  const sj_text_scope *s = &t->scopes.data[t->span_scopes.data[span]];
  while (s->parent != SJ_NO_SCOPE && !(s->style.font.decoration.lines & bits[line])) s = &t->scopes.data[s->parent];
  const sj_font_values *font = &s->style.font;
  *out = font->decoration.lines & bits[line] ? font->decoration : font->above;
  return s;
}

static void add_rect(stijl_path *path, const stijl_matrix *matrix, stijl_rect r) {
  stijl_point p[4] = {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
  for (int i = 0; i < 4; i++) {
    p[i] = stijl_matrix_apply(*matrix, p[i]);
    if (i) {
      stijl_path_line_to(path, p[i].x, p[i].y);
    } else {
      stijl_path_move_to(path, p[i].x, p[i].y);
    }
  }
  stijl_path_close(path);
}

// Adds marks of that length along a line, with gaps about as long as given between them, so that one stands at either
// end.
static bool add_marks(sj_text_content *t, stijl_path *path, const stijl_matrix *matrix, stijl_rect line, float mark,
                      float gap, bool round) {
  float width = line.x1 - line.x0, count = floorf((width + gap) / (mark + gap));
  if (!(count < MAX_MARKS) || !sj_resolve_spend(t->r, (uint64_t)count * SJ_WORK_NODE)) return false;
  if (count < 2.0f) return false;
  float step = (width - mark) / (count - 1.0f), radius = 0.5f * mark;
  stijl_path *dots = round ? sj_take_path(t->r) : NULL;
  for (int i = 0; i < (int)count; i++) {
    float x = line.x0 + (float)i * step;
    if (dots)
      stijl_path_add_ellipse(dots, x + radius, 0.5f * (line.y0 + line.y1), radius, radius);
    else
      add_rect(path, matrix, (stijl_rect){x, line.y0, x + mark, line.y1});
  }
  if (dots) {
    stijl_path_add_path(path, dots, matrix);
    sj_give_path(t->r, dots);
  }
  return true;
}

// Adds waves of about four line widths each, as Chromium has them. They are open, and to be stroked.
static bool add_waves(sj_text_content *t, stijl_path *path, const stijl_matrix *matrix, stijl_rect line, float y) {
  float width = line.x1 - line.x0, thickness = line.y1 - line.y0;
  float count = fmaxf(1.0f, floorf(width / (4.0f * thickness) + 0.5f)), step = 0.5f * width / count;
  if (!(count < MAX_MARKS) || !sj_resolve_spend(t->r, (uint64_t)count * SJ_WORK_NODE)) return false;
  stijl_point p = stijl_matrix_apply(*matrix, (stijl_point){line.x0, y});
  stijl_path_move_to(path, p.x, p.y);
  for (int i = 0; i < (int)count; i++) {
    float x = line.x0 + 2.0f * step * (float)i;
    stijl_point a = stijl_matrix_apply(*matrix, (stijl_point){x + step, y + 3.0f * thickness});
    stijl_point b = stijl_matrix_apply(*matrix, (stijl_point){x + step, y - 3.0f * thickness});
    p = stijl_matrix_apply(*matrix, (stijl_point){x + 2.0f * step, y});
    stijl_path_cubic_to(path, a.x, a.y, b.x, b.y, p.x, p.y);
  }
  return true;
}

// Adds a line. Whatever makes it higher grows away from the text. Returns whether it is a wave.
static bool add_line(sj_text_content *t, const sj_placed_line *line, const sj_decoration *d, bool waves,
                     stijl_path *path) {
  stijl_rect r = line->rect;
  float thickness = d->thickness >= 0.0f ? d->thickness : r.y1 - r.y0;
  if (!(thickness > 0.0f)) return false;
  float away = line->line == SJ_LINE_UNDER ? 1.0f : line->line == SJ_LINE_OVER ? -1.0f : 0.0f;
  float middle = 0.5f * (r.y0 + r.y1 + away * (thickness - (r.y1 - r.y0)));
  r.y0 = middle - 0.5f * thickness;
  r.y1 = middle + 0.5f * thickness;
  if (d->style == SJ_LINE_WAVY && waves && add_waves(t, path, &line->matrix, r, middle + away * thickness)) return true;
  if (d->style == SJ_LINE_DOTTED && add_marks(t, path, &line->matrix, r, thickness, thickness, true)) return false;
  if (d->style == SJ_LINE_DASHED && add_marks(t, path, &line->matrix, r, 2.0f * thickness, thickness, false))
    return false;
  bool two = d->style == SJ_LINE_DOUBLE;
  float up = two && away == 0.0f ? thickness : 0.0f, apart = two ? (away < 0.0f ? -2.0f : 2.0f) * thickness : 0.0f;
  add_rect(path, &line->matrix, (stijl_rect){r.x0, r.y0 - up, r.x1, r.y1 - up});
  if (two) add_rect(path, &line->matrix, (stijl_rect){r.x0, r.y0 - up + apart, r.x1, r.y1 - up + apart});
  return false;
}

void sj_text_add_lines(sj_text_content *t, uint32_t span, sj_line which, const sj_decoration *decoration, bool waves,
                       stijl_path *path, float *width) {
  *width = 0.0f;
  for (size_t i = 0; i < t->placed.lines.count; i++) {
    const sj_placed_line *line = &t->placed.lines.data[i];
    if (line->span != span || line->line != which || !add_line(t, line, decoration, waves, path)) continue;
    *width = decoration->thickness >= 0.0f ? decoration->thickness : line->rect.y1 - line->rect.y0;
  }
  sj_resolve_spend(t->r, t->placed.lines.count * SJ_WORK_NODE);
}
