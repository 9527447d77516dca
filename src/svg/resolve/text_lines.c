// Makes the outlines of decoration lines.
#include <math.h>

#include "svg/resolve/job.h"
#include "svg/resolve/text_content.h"

// A line with more dots, dashes or waves than this is solid: nobody could tell.
#define MAX_MARKS 20000.0f

// In SVG the font says where a solid line is and how thick. But those of letters up to 15 pixels are no thinner and no
// nearer to the baseline than in browsers, which ask no font; and so are all lines of other styles.
#define THICKNESS 0.1f  // font sizes
#define GAP 0.07f
#define SMALL 15.0f

bool sj_text_next_owner(const sj_text_content *t, sj_line line, sj_line_owner *owner) {
  // Each element around that asks for the line has one (CSS Text Decoration 3, 2.1), and the text element one for those
  // around it.
  static const int bits[3] = {SJ_DECORATION_UNDER, SJ_DECORATION_OVER, SJ_DECORATION_THROUGH};
  for (; owner->next != SJ_NO_SCOPE; owner->next = t->scopes.data[owner->next].parent, owner->is_above = false) {
    const sj_text_scope *s = owner->scope = &t->scopes.data[owner->next];
    const sj_font_values *font = &s->style.font;
    if (!owner->is_above) {
      owner->is_above = true;
      owner->decoration = font->decoration;
      if (owner->decoration.lines & bits[line]) return true;
    }
    if (s->parent != SJ_NO_SCOPE) continue;
    owner->next = SJ_NO_SCOPE;
    owner->decoration = font->above;
    return (owner->decoration.lines & bits[line]) != 0;
  }
  return false;
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

// Returns the pieces of a line that the part from x0 to x1 is in. They are asked for from the left to the right; *at is
// where the last answer began.
static sj_range pieces_of(const sj_line_pieces *pieces, float x0, float x1, uint32_t *at) {
  while (*at < pieces->count && pieces->data[*at].x1 <= x0) ++*at;
  uint32_t end = *at;
  while (end < pieces->count && pieces->data[end].x0 < x1) end++;
  return (sj_range){*at, end};
}

// Adds marks of that length along a line, with gaps about as long as given between them, so that one stands at either
// end. Dots that are not whole are left out.
static bool add_marks(sj_text_content *t, stijl_path *path, const stijl_matrix *matrix, stijl_rect line,
                      const sj_line_pieces *pieces, float mark, float gap, bool round) {
  float width = line.x1 - line.x0, count = floorf((width + gap) / (mark + gap));
  if (!(count < MAX_MARKS) || !sj_resolve_spend(t->r, (uint64_t)count * SJ_WORK_NODE)) return false;
  if (count < 2.0f) return false;
  float step = (width - mark) / (count - 1.0f), radius = 0.5f * mark, slack = 0.01f * mark;
  uint32_t at = 0;
  stijl_path *dots = round ? sj_take_path(t->r) : NULL;
  for (int i = 0; i < (int)count; i++) {
    float x = line.x0 + (float)i * step;
    sj_range in = pieces_of(pieces, x, x + mark, &at);
    for (uint32_t k = in.first; k < in.end; k++) {
      sj_line_piece piece = pieces->data[k];
      if (!round)
        add_rect(path, matrix, (stijl_rect){fmaxf(x, piece.x0), line.y0, fminf(x + mark, piece.x1), line.y1});
      else if (dots && piece.x0 <= x + slack && piece.x1 >= x + mark - slack)
        stijl_path_add_ellipse(dots, x + radius, 0.5f * (line.y0 + line.y1), radius, radius);
    }
  }
  if (dots) {
    stijl_path_add_path(path, dots, matrix);
    sj_give_path(t->r, dots);
  }
  return true;
}

// Returns the parameter where a wave of that width, which begins at 0, has come to x.
static float wave_parameter(float x, float width) {
  float low = 0.0f, high = 1.0f;
  if (x <= 0.0f) return low;
  if (x >= width) return high;
  for (int i = 0; i < 20; i++) {
    float t = 0.5f * (low + high), u = 1.0f - t;
    if (0.5f * width * (3.0f * t * u + 2.0f * t * t * t) < x)
      low = t;
    else
      high = t;
  }
  return low;
}

// Returns the point of a cubic by three parameters, one for each of its degrees: the control points of its parts are
// such.
static stijl_point blossom(const stijl_point p[4], float r, float s, float t) {
  float x[4] = {p[0].x, p[1].x, p[2].x, p[3].x}, y[4] = {p[0].y, p[1].y, p[2].y, p[3].y};
  const float at[3] = {r, s, t};
  for (int level = 0; level < 3; level++) {
    for (int i = 0; i < 3 - level; i++) {
      x[i] += at[level] * (x[i + 1] - x[i]);
      y[i] += at[level] * (y[i + 1] - y[i]);
    }
  }
  return (stijl_point){x[0], y[0]};
}

// Adds waves of about four line widths each, as Chromium has them. They are open, and to be stroked.
static bool add_waves(sj_text_content *t, stijl_path *path, const stijl_matrix *matrix, stijl_rect line,
                      const sj_line_pieces *pieces, float y) {
  float width = line.x1 - line.x0, thickness = line.y1 - line.y0, end = -INFINITY;
  float count = fmaxf(1.0f, floorf(width / (4.0f * thickness) + 0.5f)), step = 0.5f * width / count;
  uint32_t at = 0;
  if (!(count < MAX_MARKS) || !sj_resolve_spend(t->r, (uint64_t)count * SJ_WORK_NODE)) return false;
  for (int i = 0; i < (int)count; i++) {
    float x = line.x0 + 2.0f * step * (float)i;
    const stijl_point wave[4] = {
        {x, y}, {x + step, y + 3.0f * thickness}, {x + step, y - 3.0f * thickness}, {x + 2.0f * step, y}};
    sj_range in = pieces_of(pieces, x, x + 2.0f * step, &at);
    for (uint32_t k = in.first; k < in.end; k++) {
      float from = wave_parameter(pieces->data[k].x0 - x, 2.0f * step);
      float to = wave_parameter(pieces->data[k].x1 - x, 2.0f * step);
      stijl_point p[4] = {blossom(wave, from, from, from), blossom(wave, from, from, to), blossom(wave, from, to, to),
                          blossom(wave, to, to, to)};
      bool goes_on = from == 0.0f && end == x;
      for (int c = 0; c < 4; c++) p[c] = stijl_matrix_apply(*matrix, p[c]);
      if (!goes_on) stijl_path_move_to(path, p[0].x, p[0].y);
      stijl_path_cubic_to(path, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
      end = to == 1.0f ? line.x0 + 2.0f * step * (float)(i + 1) : -INFINITY;
    }
  }
  return true;
}

static float away_of(sj_line line) { return line == SJ_LINE_UNDER ? 1.0f : line == SJ_LINE_OVER ? -1.0f : 0.0f; }

static float size_of(const sj_text_content *t, const sj_placed_line *line) {
  return t->scopes.data[t->span_scopes.data[line->span]].style.font_size;
}

// Returns the size of letters that a line is measured by where the font asks for less.
static float least_size(const sj_text_content *t, const sj_placed_line *line, const sj_decoration *d) {
  float size = size_of(t, line);
  return d->style == SJ_LINE_SOLID ? fminf(size, SMALL) : size;
}

// Returns where a line is, with the thickness that is asked for. Whatever makes it higher grows away from the text.
static stijl_rect place_line(const sj_text_content *t, const sj_placed_line *line, const sj_style *owner,
                             const sj_decoration *d, float thickness) {
  stijl_rect r = line->rect;
  const sj_underline *under = &owner->font.underline;
  float away = away_of(line->line), top = 0.5f * (r.y0 + r.y1 + away * (thickness - (r.y1 - r.y0)) - thickness);
  bool vertical = t->scopes.data[0].style.font.writing_mode == SJ_WRITING_VERTICAL;
  if (line->line == SJ_LINE_UNDER && (under->offset.given || under->position == SJ_UNDERLINE_UNDER)) {
    top = vertical || under->position == SJ_UNDERLINE_FROM_FONT ? r.y0
          : under->position == SJ_UNDERLINE_UNDER               ? line->descent
                                                                : 0.0f;
    top += under->offset.pixels + under->offset.percent * owner->font_size;
  } else if (line->line == SJ_LINE_UNDER && under->position == SJ_UNDERLINE_AUTO && !vertical) {
    top = fmaxf(top, GAP * least_size(t, line, d));
  } else if (line->line == SJ_LINE_THROUGH && !vertical) {
    top = fminf(top, line->ascent / 3.0f * least_size(t, line, d) / size_of(t, line) - 0.5f * thickness);
  }
  r.y0 = top;
  r.y1 = top + thickness;
  return r;
}

static void add_pieces(stijl_path *path, const stijl_matrix *matrix, const sj_line_pieces *pieces, float y0, float y1) {
  for (size_t i = 0; i < pieces->count; i++)
    add_rect(path, matrix, (stijl_rect){pieces->data[i].x0, y0, pieces->data[i].x1, y1});
}

// How a line is drawn: the first of two, how far below it the other is (0: there is none), and the middle of its wave.
typedef struct placed {
  stijl_rect rect;
  float apart, middle;
} placed;

static placed place_in_svg(const sj_text_content *t, const sj_placed_line *line, const sj_style *owner,
                           const sj_decoration *d, float thickness) {
  float away = away_of(line->line), apart = thickness + GAP * least_size(t, line, d);
  placed p = {.rect = place_line(t, line, owner, d, thickness)};
  p.middle = 0.5f * (p.rect.y0 + p.rect.y1) + away * thickness;
  if (d->style == SJ_LINE_DOUBLE) p.apart = away < 0.0f ? -apart : apart;
  return p;
}

// Places a line in HTML where browsers have it: on whole pixels, by the baseline and size of the element that asks for
// it.
static placed place_in_html(const sj_placed_line *line, const sj_text_scope *owner, float below, bool two,
                            float thickness) {
  const sj_underline *under = &owner->style.font.underline;
  float ascent = floorf(0.5f - line->ascent), whole = floorf(thickness), apart = thickness + 1.0f, top = 0.0f;
  switch (line->line) {
    case SJ_LINE_UNDER:
      top = under->position == SJ_UNDERLINE_UNDER       ? line->descent
            : under->position == SJ_UNDERLINE_FROM_FONT ? line->rect.y0
            : under->offset.given                       ? 0.0f
                                                        : fmaxf(1.0f, ceilf(0.5f * thickness));
      top += under->offset.pixels + under->offset.percent * owner->style.font_size;
      break;
    case SJ_LINE_OVER:
      top = -ascent - whole;
      apart = -apart;
      break;
    case SJ_LINE_THROUGH:
      top = -ascent / 3.0f - 0.5f * thickness;
      apart = floorf(apart);
      break;
  }
  float baseline = line->matrix.f + below;
  placed p = {.rect = line->rect};
  p.rect.y0 = floorf(baseline + top + 0.5f) - line->matrix.f;
  p.rect.y1 = p.rect.y0 + whole;
  p.middle = 0.5f * (p.rect.y0 + p.rect.y1) + away_of(line->line) * thickness;
  if (two) p.apart = floorf(baseline + top + apart + 0.5f) - line->matrix.f - p.rect.y0;
  return p;
}

// Returns how thick a line is: in HTML by the size of the element that asks for it, and at least a pixel.
static float thickness_of(const sj_text_content *t, const sj_placed_line *line, const sj_style *owner,
                          const sj_decoration *d) {
  float of_font = line->rect.y1 - line->rect.y0, given = d->thickness;
  if (given == SJ_THICKNESS_FROM_FONT) given = of_font;
  if (!t->is_html) return given >= 0.0f ? given : fmaxf(of_font, THICKNESS * least_size(t, line, d));
  return fmaxf(1.0f, given >= 0.0f ? floorf(given + 0.5f) : THICKNESS * owner->font_size);
}

// Adds a line. Returns whether it is a wave.
static bool add_line(sj_text_content *t, const sj_placed_line *line, const sj_text_scope *owner, const sj_decoration *d,
                     bool waves, sj_line_pieces *pieces, stijl_path *path) {
  float thickness = thickness_of(t, line, &owner->style, d);
  if (!(thickness > 0.0f)) return false;
  bool two = d->style == SJ_LINE_DOUBLE, wave = d->style == SJ_LINE_WAVY && waves;
  float below = owner->below - t->scopes.data[t->span_scopes.data[line->span]].below;
  placed p = t->is_html ? place_in_html(line, owner, below, two, thickness)
                        : place_in_svg(t, line, &owner->style, d, thickness);
  stijl_rect r = p.rect;
  // All that the line covers: waves reach 0.87 of a thickness to either side of their middle.
  stijl_rect band = {r.x0, fminf(r.y0, r.y0 + p.apart), r.x1, fmaxf(r.y1, r.y1 + p.apart)};
  if (wave) band.y0 = p.middle - 1.37f * thickness, band.y1 = p.middle + 1.37f * thickness;
  int skip = owner->style.font.underline.skip_ink;
  pieces->count = 0;
  if (line->line == SJ_LINE_THROUGH || skip == SJ_SKIP_NONE) {
    sj_line_piece whole = {r.x0, r.x1};
    if (!sj_text_remember(t, sj_array_push(t->r->job->context, pieces, whole))) return false;
  } else if (!sj_text_line_pieces(t, line, band, thickness, skip == SJ_SKIP_ALL, pieces)) {
    return false;
  }
  if (wave && add_waves(t, path, &line->matrix, r, pieces, p.middle)) return true;
  if (d->style == SJ_LINE_DOTTED && add_marks(t, path, &line->matrix, r, pieces, thickness, thickness, true))
    return false;
  if (d->style == SJ_LINE_DASHED && add_marks(t, path, &line->matrix, r, pieces, 2.0f * thickness, thickness, false))
    return false;
  add_pieces(path, &line->matrix, pieces, r.y0, r.y1);
  if (two) add_pieces(path, &line->matrix, pieces, r.y0 + p.apart, r.y1 + p.apart);
  return false;
}

void sj_text_add_lines(sj_text_content *t, uint32_t span, sj_line which, const sj_text_scope *owner,
                       const sj_decoration *decoration, bool waves, stijl_path *path, float *width) {
  sj_line_pieces pieces = {0};
  *width = 0.0f;
  for (size_t i = 0; i < t->placed.lines.count; i++) {
    const sj_placed_line *line = &t->placed.lines.data[i];
    if (line->span != span || line->line != which || !add_line(t, line, owner, decoration, waves, &pieces, path))
      continue;
    *width = thickness_of(t, line, &owner->style, decoration);
  }
  sj_array_finish(t->r->job->context, &pieces);
  sj_resolve_spend(t->r, t->placed.lines.count * SJ_WORK_NODE);
}
