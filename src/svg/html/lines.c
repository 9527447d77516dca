// Breaks the inline content of block containers into lines (CSS Text 3, 5; CSS 2, 10.8).
#include <math.h>

#include "libraries/unibreak.h"
#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "svg/resolve/text_fonts.h"

// --- font metrics ---

static sj_unit64 whole(float pixels) { return sj_html_from_pixels(floor((double)pixels + 0.5)); }

// Returns how far a face reaches, rounded as browsers do, and its line gap.
static sj_html_extent face_extent(const sj_face *face, float scale, sj_unit64 *gap) {
  float ascent = (float)face->metrics.ascent * scale, descent = -(float)face->metrics.descent * scale;
  *gap = whole((float)face->metrics.line_gap * scale);
  return (sj_html_extent){whole(ascent), whole(descent)};
}

static sj_html_extent font_extent(const sj_html *h, const sj_html_style *style, sj_unit64 *gap) {
  float scale;
  const sj_face *face = sj_resolver_face(h->r, &style->svg, &scale);
  *gap = 0;
  return face ? face_extent(face, scale, gap) : (sj_html_extent){whole(style->svg.font_size), 0};
}

sj_html_extent sj_html_font_extent(sj_html *h, const sj_html_style *style) {
  sj_unit64 gap;
  return font_extent(h, style, &gap);
}

static sj_unit64 line_height(const sj_html_style *style, sj_html_extent font, sj_unit64 gap) {
  const sj_line_height *height = &style->svg.font.line_height;
  switch (height->kind) {
    case SJ_LINE_HEIGHT_FACTOR: return sj_html_from_pixels((double)height->value * (double)style->svg.font_size);
    case SJ_LINE_HEIGHT_PIXELS: return sj_html_from_pixels((double)height->value);
    default: return font.above + font.below + gap;
  }
}

// Rounds down to whole pixels.
static sj_unit64 whole_down(sj_unit64 v) { return v >= 0 ? v / 64 * 64 : -((-v + 63) / 64 * 64); }

// Returns how far marks of text-emphasis reach from the baseline: they are half as large as the em box, on which they
// stand.
static sj_unit64 mark_reach(const sj_html *h, const sj_html_style *style) {
  float scale, above = 0.8f, size = style->svg.font_size;
  const sj_face *face = sj_resolver_face(h->r, &style->svg, &scale);
  if (face) above = sj_face_em_ascent(face);
  float part = style->svg.font.emphasis.under & 1 ? 1.5f - above : 0.5f + above;
  return sj_html_from_pixels(ceil((double)part * (double)size));
}

// Adds half of what a line-height has more on each side.
static sj_html_extent with_leading(sj_html_extent e, sj_unit64 height) {
  sj_unit64 leading = height - e.above - e.below;
  sj_unit64 above = whole_down(leading >= 0 ? leading / 2 : -((-leading + 1) / 2));
  return (sj_html_extent){e.above + above, e.below + leading - above};
}

// Returns how far the text of a style reaches.
static sj_html_extent text_extent(const sj_html *h, const sj_html_style *style) {
  sj_unit64 gap;
  sj_html_extent e = font_extent(h, style, &gap), whole = with_leading(e, line_height(style, e, gap));
  const sj_emphasis *emphasis = &style->svg.font.emphasis;
  // Marks stand in the leading as far as there is room.
  if (emphasis->mark && emphasis->under & 1)
    whole.below = sj_html_most(whole.below, mark_reach(h, style));
  else if (emphasis->mark)
    whole.above = sj_html_most(whole.above, mark_reach(h, style));
  return whole;
}

// --- vertical-align: CSS 2, 10.8.1 ---

static sj_html_extent box_extent(const sj_html *h, uint32_t index) {
  const sj_html_box *box = sj_html_at(h, index);
  if (box->kind == SJ_HTML_INLINE) return text_extent(h, box->style);
  sj_unit64 height = box->height + box->margin[SJ_TOP] + box->margin[SJ_BOTTOM];
  // The baseline is that of the last line, or the bottom margin edge where there is none to see.
  bool none = box->last_baseline == SJ_HTML_AUTO || (box->style->hides && box->kind == SJ_HTML_BLOCK);
  sj_unit64 baseline = box->kind == SJ_HTML_FLEX_BOX || box->kind == SJ_HTML_TABLE ? box->baseline : box->last_baseline;
  sj_unit64 above = none ? height : box->margin[SJ_TOP] + baseline;
  return (sj_html_extent){above, height - above};
}

sj_unit64 sj_html_above(const sj_html *h, uint32_t box) { return box_extent(h, box).above; }

// Returns how far the box's baseline lies below that of the box around.
static sj_unit64 own_shift(sj_html *h, uint32_t index) {
  const sj_html_box *box = sj_html_at(h, index);
  const sj_html_style *parent = sj_html_at(h, box->parent)->style;
  sj_html_extent e, font;
  float scale;
  switch (box->style->vertical) {
    case SJ_VERTICAL_SUB: return sj_html_from_pixels((double)parent->svg.font_size / 5.0 + 1.0);
    case SJ_VERTICAL_SUPER: return -sj_html_from_pixels((double)parent->svg.font_size / 3.0 + 1.0);
    case SJ_VERTICAL_MIDDLE: {
      const sj_face *face = sj_resolver_face(h->r, &parent->svg, &scale);
      double x_height = face ? (double)sj_face_x_height(face) * (double)scale : 0.0;
      e = box_extent(h, index);
      return (e.above - e.below) / 2 - sj_html_from_pixels(x_height / 2.0);
    }
    case SJ_VERTICAL_TEXT_TOP: font = sj_html_font_extent(h, parent); return box_extent(h, index).above - font.above;
    case SJ_VERTICAL_TEXT_BOTTOM: font = sj_html_font_extent(h, parent); return font.below - box_extent(h, index).below;
    case SJ_VERTICAL_LENGTH: {
      sj_unit64 gap;
      font = font_extent(h, box->style, &gap);
      return -sj_html_resolve(&box->style->vertical_length, line_height(box->style, font, gap));
    }
    default: return 0;
  }
}

static bool by_line(const sj_html_box *box) {
  return box->style->vertical == SJ_VERTICAL_TOP || box->style->vertical == SJ_VERTICAL_BOTTOM;
}

sj_unit64 sj_html_shift(sj_html *h, uint32_t index, uint32_t block, const sj_html_line *line) {
  sj_unit64 shift = 0;
  for (uint32_t i = index; i != block && i != SJ_NONE; i = sj_html_at(h, i)->parent) {
    const sj_html_box *box = sj_html_at(h, i);
    if (by_line(box)) {
      sj_html_extent e = box_extent(h, i);
      return shift + (box->style->vertical == SJ_VERTICAL_TOP ? e.above - line->baseline
                                                              : line->height - line->baseline - e.below);
    }
    shift += own_shift(h, i);
  }
  return shift;
}

typedef struct measuring {
  sj_html *h;
  uint32_t block;
  sj_html_extent line;  // without boxes that stand at the line's top or bottom
  sj_unit64 tallest;    // of those
} measuring;

static void add_extent(measuring *m, uint32_t index, sj_html_extent e) {
  sj_html *h = m->h;
  for (uint32_t i = index; i != m->block && i != SJ_NONE; i = sj_html_at(h, i)->parent)
    if (by_line(sj_html_at(h, i))) {
      m->tallest = sj_html_most(m->tallest, e.above + e.below);
      return;
    }
  sj_unit64 shift = sj_html_shift(h, index, m->block, NULL);
  m->line.above = sj_html_most(m->line.above, e.above - shift);
  m->line.below = sj_html_most(m->line.below, e.below + shift);
}

static void add_box(measuring *m, uint32_t index) { add_extent(m, index, box_extent(m->h, index)); }

// Adds a face to a line. Where line-height is normal, fonts that have what the first one lacks make the line higher
// (CSS Inline 3, 5.2).
static void add_face(measuring *m, uint32_t index, const sj_face *face) {
  const sj_html_style *style = sj_html_at(m->h, index)->style;
  if (style->svg.font.line_height.kind != SJ_LINE_HEIGHT_NORMAL || !sj_resolve_spend(m->h->r, SJ_WORK_NODE)) return;
  sj_unit64 gap;
  sj_html_extent e =
      face_extent(face, style->svg.font_size * face->size_adjust / (float)face->metrics.units_per_em, &gap);
  add_extent(m, index, with_leading(e, e.above + e.below + gap));
}

// Finds how high a line is and where its baseline is.
static void measure_line(sj_html *h, uint32_t block, const sj_html_flow *f, sj_html_line *line, uint32_t from) {
  measuring m = {h, block, text_extent(h, sj_html_at(h, block)->style), 0};
  uint32_t owner = SJ_NONE;
  const sj_face *face = NULL;
  for (uint32_t i = from; i < line->raw_end && sj_resolve_spend(h->r, 1); i++) {
    uint32_t atom = f->atoms.data[i], box = f->scope_boxes.data[f->text.owners.data[i]];
    if (atom >= SJ_HTML_ATOM) add_box(&m, atom - SJ_HTML_ATOM);
    if (!atom && f->faces[i] && (f->faces[i] != face || box != owner)) add_face(&m, box, face = f->faces[i]);
    if (box == owner) continue;
    owner = box;
    // Boxes around count, too: each has a strut.
    for (uint32_t n = box; n != block && n != SJ_NONE; n = sj_html_at(h, n)->parent) add_box(&m, n);
  }
  line->baseline = m.line.above;
  line->height = sj_html_most(m.line.above + m.line.below, m.tallest);
}

// --- breaking ---

// Lays out what stands in lines.
static void lay_out_atoms(sj_html *h, const sj_html_flow *f, sj_unit64 width, sj_unit64 base_height) {
  for (size_t i = 0; i < f->atoms.count && sj_resolving(h->r); i++) {
    if (f->atoms.data[i] < SJ_HTML_ATOM) continue;
    uint32_t index = f->atoms.data[i] - SJ_HTML_ATOM;
    sj_html_box *box = sj_html_at(h, index);
    sj_html_space space = {width, base_height, SJ_HTML_AUTO, SJ_HTML_AUTO};
    sj_html_edges(box, width);
    if (box->kind != SJ_HTML_IMAGE && box->kind != SJ_HTML_SVG) {
      sj_unit64 given = sj_html_given(box, false, width), least, most;
      if (given == SJ_HTML_AUTO) {
        sj_html_sizes(h, index, &least, &most);
        sj_unit64 room = sj_html_most(0, width - box->margin[SJ_LEFT] - box->margin[SJ_RIGHT]);
        given = sj_html_least(sj_html_most(box->least, room), box->most);
        sj_html_edges(box, width);
      }
      space.width = sj_html_clamp(box, false, given, width);
    }
    sj_html_layout(h, index, &space);
  }
}

static bool is_blank(const sj_html *h, const sj_html_flow *f, uint32_t i) {
  return f->text.characters.data[i] == ' ' && !f->atoms.data[i] && !sj_html_text_style(h, f, i)->keeps_spaces;
}

// Finds the end of the line that begins where the walk stands, and moves the walk there. A word that is too long is
// broken only where its style lets it.
static void find_end(sj_html *h, sj_html_flow *f, sj_html_walk *w, sj_unit64 room) {
  uint32_t count = (uint32_t)f->text.characters.count, first = w->at;
  sj_html_walk best = *w, before = *w;
  bool some = false;
  while (w->at < count && sj_resolve_spend(h->r, SJ_WORK_NODE)) {
    uint32_t i = w->at;
    before = *w;
    sj_html_walk_next(w);
    bool blank = is_blank(h, f, i) || f->atoms.data[i] == SJ_HTML_FORCED;
    // Browsers let lines be a 64th of a pixel too long.
    if (!blank && sj_html_walk_width(w) > room + 1) {
      const sj_html_inherited *in = sj_html_text_style(h, f, i);
      if (some) {
        *w = best;
        return;
      }
      if (in->breaks_words && !in->no_wrap && i > first && f->advances[i] > 0.0f) {
        *w = before;
        return;
      }
    }
    if (f->breaks[i] == LINEBREAK_MUSTBREAK) return;
    if (f->breaks[i] == LINEBREAK_ALLOWBREAK) {
      best = *w;
      some = true;
    }
  }
}

static void align_line(const sj_html *h, uint32_t block, const sj_html_flow *f, sj_html_line *line, sj_unit64 room) {
  const sj_html_style *style = sj_html_at(h, block)->style;
  sj_unit64 rest = room - line->width;
  bool rtl = style->svg.font.right_to_left;
  // What is too long begins at its start.
  if (rest < 0) {
    line->x += rtl ? rest : 0;
    return;
  }
  switch (style->in.text_align) {
    case SJ_TEXT_CENTER:
    case SJ_TEXT_BLOCK_CENTER: line->x += rest / 2; break;
    case SJ_TEXT_RIGHT: line->x += rest; break;
    case SJ_TEXT_LEFT: break;
    case SJ_TEXT_END: line->x += rtl ? 0 : rest; break;
    default: line->x += rtl ? rest : 0; break;
  }
}

// Spreads the words of a line that another one follows.
static void justify_line(const sj_html *h, uint32_t block, const sj_html_flow *f, sj_html_line *line, sj_unit64 room) {
  if (sj_html_at(h, block)->style->in.text_align != SJ_TEXT_JUSTIFY || line->raw_end >= f->text.characters.count ||
      f->breaks[line->raw_end - 1] == LINEBREAK_MUSTBREAK || room <= line->width)
    return;
  sj_unit64 spaces = 0;
  for (uint32_t i = line->first; i < line->end; i++) spaces += is_blank(h, f, i);
  if (spaces) line->stretch = (room - line->width) / spaces;
}

static sj_unit64 make_line(sj_html *h, uint32_t block, sj_html_flow *f, sj_html_walk *w, sj_unit64 room, sj_unit64 y) {
  sj_unit64 indent = f->lines.count ? 0 : sj_html_resolve(&sj_html_at(h, block)->style->in.indent, room);
  if (indent == SJ_HTML_AUTO) indent = 0;
  sj_html_line line = {.first = w->at, .first_edge = (uint32_t)w->edge, .x = indent, .y = y};
  sj_html_walk start = *w;
  start.width = 0;
  start.run = 0.0f;
  start.owner = SJ_NONE;
  *w = start;
  find_end(h, f, w, room - indent);
  line.raw_end = w->at;
  line.end_edge = (uint32_t)w->edge;
  line.end = w->at;
  if (line.end > line.first && f->atoms.data[line.end - 1] == SJ_HTML_FORCED) line.end--;
  while (line.end > line.first && is_blank(h, f, line.end - 1)) line.end--;
  // The width without what is left out; edges behind it count.
  line.width = sj_html_walk_width(w);
  float left_out = 0.0f;
  for (uint32_t i = line.end; i < line.raw_end; i++) left_out += f->advances[i];
  line.width -= sj_html_ceil((double)left_out);
  line.shown = line.end;
  sj_html_cut_line(h, block, f, &line, room - indent);
  measure_line(h, block, f, &line, line.first);
  justify_line(h, block, f, &line, room - indent);
  align_line(h, block, f, &line, room - indent);
  if (!sj_array_push(h->context, &f->lines, line)) sj_resolve_fail_memory(h->r);
  return line.height;
}

sj_unit64 sj_html_make_lines(sj_html *h, uint32_t block, sj_unit64 width, sj_unit64 base_height) {
  sj_html_flow *f = sj_html_flow_of(h, block);
  if (!f) return 0;
  sj_html_flow_edges(h, f, width);
  lay_out_atoms(h, f, width, base_height);
  f->lines.count = 0;
  sj_html_walk w;
  sj_html_walk_begin(h, &w, f, 0, 0);
  sj_unit64 y = 0;
  while (w.at < f->text.characters.count && sj_resolving(h->r)) {
    uint32_t before = w.at;
    y += make_line(h, block, f, &w, width, y);
    if (w.at == before) break;  // never: each line takes a character
  }
  return y;
}
