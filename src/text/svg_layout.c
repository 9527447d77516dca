#include "text/svg_layout.h"

#include <math.h>
#include <string.h>

#include "base/search.h"
#include "geometry/arc_length.h"
#include "geometry/trig.h"
#include "text/svg_layout_data.h"

static stijl_matrix translated(stijl_matrix m, float x, float y) {
  return stijl_matrix_multiply(m, stijl_matrix_translate(x, y));
}

static stijl_matrix rotated(stijl_matrix m, float degrees) {
  double sine, cosine;
  sj_sincos_degrees((double)degrees, &sine, &cosine);
  return stijl_matrix_multiply(m, (stijl_matrix){(float)cosine, (float)sine, (float)-sine, (float)cosine, 0.0f, 0.0f});
}

// --- chunks ---

// Finds the track of a character; NULL: it has none.
static const sj_svg_track *track_at(const sj_svg_text *text, uint32_t at) {
  size_t low = 0, high = text->track_count;
  SJ_SEARCH(low, high, i, at >= text->tracks[i].end);
  return low < text->track_count && at >= text->tracks[low].first ? &text->tracks[low] : NULL;
}

static bool begins_chunk(const sj_svg_text *text, uint32_t at, const sj_svg_track *track) {
  const sj_svg_position *p = &text->positions[at];
  if (!isnan(p->x) || !isnan(p->y)) {
    // A position does not part a letter from its marks, but it does part sequences of emoji.
    if (!sj_continues_cluster(text->characters, at) || text->characters[at] >= 0xfe00 || text->characters[at] == 0x200d)
      return true;
  }
  return track_at(text, at) != track;
}

static sj_svg_chunk next_chunk(const sj_svg_text *text, uint32_t first) {
  sj_svg_chunk c = {.first = first,
                    .end = first + 1,
                    .track = track_at(text, first),
                    .anchor = sj_svg_span_at(text, first, NULL)->anchor};
  while (c.end < text->count && !begins_chunk(text, c.end, c.track)) c.end++;
  return c;
}

// --- baselines ---

// Returns how far a baseline lies above the alphabetic one.
static float baseline_height(sj_baseline baseline, const sj_face_metrics *m, float scale) {
  float ascent = (float)m->ascent * scale, descent = (float)m->descent * scale;
  switch (baseline) {
    case SJ_BASELINE_TEXT_BEFORE_EDGE: return ascent;
    case SJ_BASELINE_TEXT_AFTER_EDGE:
    case SJ_BASELINE_IDEOGRAPHIC: return descent;
    case SJ_BASELINE_MIDDLE: return 0.5f * (float)m->x_height * scale;
    case SJ_BASELINE_CENTRAL: return 0.5f * (ascent + descent);
    case SJ_BASELINE_HANGING: return 0.8f * ascent;
    case SJ_BASELINE_MATHEMATICAL: return 0.5f * ascent;
    default: return 0.0f;
  }
}

// Returns how far the glyphs of a span move downwards.
static float baseline_offset(sj_svg_state *l, const sj_svg_span *span) {
  const sj_face *face = sj_fonts_face(l->fonts, &span->shape.font);
  if (!face) return 0.0f;
  const sj_face_metrics *m = &face->metrics;
  float scale = sj_svg_scale_of(l, span, face), down = 0.0f;
  for (size_t i = 0; i < span->shift_count; i++) {
    switch (span->shifts[i].kind) {
      case SJ_SHIFT_LENGTH: down -= span->shifts[i].length; break;
      case SJ_SHIFT_SUB: down += (float)m->subscript_offset * scale; break;
      case SJ_SHIFT_SUPER: down -= (float)m->superscript_offset * scale; break;
    }
  }
  if (l->text->vertical) return down;
  sj_baseline baseline =
      span->alignment == SJ_BASELINE_INITIAL || span->alignment == SJ_BASELINE_AUTO ? span->dominant : span->alignment;
  return down + baseline_height(baseline, m, scale);
}

// --- vertical text ---

// Turns upright clusters back, since vertical text is laid out along x, and turned by a quarter afterwards, and moves
// all clusters to the central baseline.
static void turn_upright(sj_svg_state *l) {
  if (!l->text->vertical) return;
  for (size_t i = 0; i < l->clusters.count; i++) {
    sj_svg_cluster *k = &l->clusters.data[i];
    float middle = 0.5f * (k->ascent + k->descent);
    if (k->item->upright) {
      // Glyphs that were shaped from top to bottom have their origin above them, in the middle.
      k->upright = (stijl_matrix){0.0f, -1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
      float half = 0.5f * (k->ascent - k->descent);
      k->ascent = half;
      k->descent = -half;
    } else {
      // The central baseline is in the middle between ascent and descent.
      k->upright = stijl_matrix_translate(0.0f, middle);
      k->ascent -= middle;
      k->descent -= middle;
    }
  }
}

// --- positions ---

// Finds where the clusters stand on a line that begins at 0 (SVG 2, 11.5). They stand side by side in visual order, are
// moved by dx and dy, which add up in the order of the characters, and then all together by the anchor, for which the
// ends of what was moved count.
static bool place_along(sj_svg_state *l, const sj_svg_chunk *c) {
  const sj_svg_text *text = l->text;
  bool vertical = text->vertical;
  l->shifts.count = 0;
  if (!sj_array_reserve(l->context, &l->shifts, c->end - c->first)) return false;
  sj_svg_shift *shifts = l->shifts.data, sum = {0.0, 0.0};
  memset(shifts, 0, (c->end - c->first) * sizeof *shifts);
  // Only the dx and dy of a cluster's first character count.
  uint32_t first = c->end;
  for (size_t i = 0; i < l->clusters.count; i++) {
    const sj_svg_cluster *k = &l->clusters.data[i];
    const sj_svg_position *p = &text->positions[k->character];
    shifts[k->character - c->first] =
        (sj_svg_shift){isnan(p->dx) ? 0.0 : (double)p->dx, isnan(p->dy) ? 0.0 : (double)p->dy};
    if (k->character < first) first = k->character;
  }
  for (uint32_t i = 0; i < c->end - c->first; i++) {
    sum.x += shifts[i].x;
    sum.y += shifts[i].y;
    shifts[i] = sum;
  }
  double width = 0.0, least = INFINITY, most = -INFINITY;
  bool together = true;
  for (size_t i = 0; i < l->clusters.count; i++) {
    sj_svg_cluster *k = &l->clusters.data[i];
    sj_svg_shift moved = shifts[k->character - c->first];
    float angle = text->positions[k->character].rotate;
    k->moved = !isnan(angle) && angle != 0.0f;
    if (i > 0) {
      sj_svg_shift before = shifts[k[-1].character - c->first];
      bool apart = before.x != moved.x || before.y != moved.y;
      k->moved |= apart;
      together &= !apart;
    }
    k->along = width + (vertical ? moved.y : moved.x);
    k->across = vertical ? -moved.x : moved.y;
    width += (double)k->advance;
    least = fmin(least, k->along);
    most = fmax(most, k->along + (double)k->advance);
  }
  // The shift of the first character also moves the anchor.
  double anchor = vertical ? shifts[first - c->first].y : shifts[first - c->first].x;
  if (together) {  // needed where advances are negative, so that the last cluster is not at the end
    least = anchor;
    most = anchor + width;
  }
  const sj_svg_span *span = sj_svg_span_at(text, c->first, NULL);
  bool at_end = (c->anchor == SJ_ANCHOR_END) != (c->levels ? text->right_to_left : span->right_to_left);
  double offset = c->anchor == SJ_ANCHOR_MIDDLE ? anchor - 0.5 * (least + most) : anchor - (at_end ? most : least);
  for (size_t i = 0; i < l->clusters.count; i++) l->clusters.data[i].along += offset;
  l->end_along = (text->right_to_left ? -width : width) + (vertical ? sum.y : sum.x);
  l->end_across = vertical ? -sum.x : sum.y;
  return true;
}

// Turns a cluster by its `rotate`.
static void turn(const sj_svg_state *l, sj_svg_cluster *k) {
  float angle = l->text->positions[k->character].rotate;
  if (!isnan(angle) && angle != 0.0f) k->transform = rotated(k->transform, angle);
}

static void place_on_line(sj_svg_state *l, const sj_svg_chunk *c) {
  const sj_svg_position *p = &l->text->positions[c->first];
  float x = isnan(p->x) ? l->x : p->x, y = isnan(p->y) ? l->y : p->y;
  bool vertical = l->text->vertical;
  // The text is along x in the chunk's space, and along y in user space where it is vertical.
  stijl_matrix base = stijl_matrix_translate(x, y);
  if (vertical) base = stijl_matrix_multiply(base, (stijl_matrix){0.0f, 1.0f, -1.0f, 0.0f, 0.0f, 0.0f});
  for (size_t i = 0; i < l->clusters.count; i++) {
    sj_svg_cluster *k = &l->clusters.data[i];
    k->transform = translated(base, (float)k->along, (float)k->across + baseline_offset(l, &l->text->spans[k->span]));
    turn(l, k);
  }
  l->x = (float)((double)x + (vertical ? -l->end_across : l->end_along));
  l->y = (float)((double)y + (vertical ? l->end_along : l->end_across));
}

// Places a chunk on its path, which is measured once for all chunks along it. Returns false when memory is short.
static bool place_on_path(sj_svg_state *l, const sj_svg_chunk *c) {
  const sj_svg_position *p = &l->text->positions[c->first];
  // An absolute position counts along the path.
  float offset = l->text->vertical ? p->y : p->x;
  double start = (isnan(offset) ? 0.0 : (double)offset) + (double)c->track->start;
  if (c->track->path && l->measured != c->track) {
    l->measured = NULL;
    if (!sj_path_measure(l->context, c->track->path, &l->places)) return false;
    l->measured = c->track;
  }
  for (size_t i = 0; i < l->clusters.count; i++) {
    sj_svg_cluster *k = &l->clusters.data[i];
    double middle = start + k->along + 0.5 * (double)k->width;
    stijl_point at, direction;
    k->moved = true;
    // Clusters whose middle lies beyond the ends of the path are not drawn.
    if (!c->track->path || !(middle >= 0.0) || !(middle <= l->places.length) ||
        !sj_measured_point_at(&l->places, middle, &at, &direction)) {
      k->hidden = true;
      continue;
    }
    if (direction.x == 0.0f && direction.y == 0.0f) direction.x = 1.0f;
    k->transform = (stijl_matrix){direction.x, direction.y, -direction.y, direction.x, at.x, at.y};
    k->transform =
        translated(k->transform, -0.5f * k->width, (float)k->across + baseline_offset(l, &l->text->spans[k->span]));
    turn(l, k);
    l->x = at.x + 0.5f * k->width * direction.x;
    l->y = at.y + 0.5f * k->width * direction.y;
  }
  return true;
}

// --- output ---

static bool put_glyphs(sj_svg_state *l) {
  for (size_t i = 0; i < l->clusters.count; i++) {
    const sj_svg_cluster *k = &l->clusters.data[i];
    if (k->hidden) continue;
    stijl_rect cell = {0.0f, -k->ascent, k->advance, -k->descent};
    if (!sj_array_push(l->context, &l->out->cells, (sj_placed_cell){k->span, k->character, cell, k->transform}))
      return false;
    stijl_matrix base = stijl_matrix_multiply(k->transform, k->upright);
    int64_t x = 0, y = 0;
    for (uint32_t g = 0; g < k->glyph_count; g++) {
      const sj_glyph *glyph = &l->shaped.glyphs.data[k->first_glyph + g];
      float gx = (float)(x + glyph->x_offset) * k->scale, gy = (float)(y + glyph->y_offset) * k->scale;
      sj_placed_glyph placed = {
          .face = k->item->face,
          .glyph = glyph->id,
          .span = k->span,
          .character = k->character,
          .matrix = stijl_matrix_multiply(base, (stijl_matrix){k->scale, 0.0f, 0.0f, -k->scale, gx, -gy})};
      x += glyph->x_advance;
      y += glyph->y_advance;
      if (!stijl_matrix_is_finite(placed.matrix)) continue;
      if (!sj_array_push(l->context, &l->out->glyphs, placed)) return false;
    }
  }
  return true;
}

// Adds a decoration line from a cluster on.
static bool put_line(sj_svg_state *l, const sj_svg_span *span, sj_line which, const sj_svg_cluster *first,
                     float width) {
  const sj_face *face = sj_fonts_face(l->fonts, &span->shape.font);
  if (!face) return true;
  const sj_face_metrics *m = &face->metrics;
  float scale = sj_svg_scale_of(l, span, face);
  float half = 0.5f * (float)m->underline_thickness * scale, ascent = (float)m->ascent * scale;
  float middle = 0.5f * (float)(m->ascent - m->descent) * scale, down = 0.0f;
  switch (which) {
    // Of some fonts (Liberation) the position is that of the line's top, as OpenType has it: none begins in the
    // letters.
    case SJ_LINE_UNDER: down = l->text->vertical ? middle : fmaxf(-(float)m->underline_position * scale, half); break;
    case SJ_LINE_OVER: down = l->text->vertical ? -middle : -ascent; break;
    case SJ_LINE_THROUGH: down = l->text->vertical ? 0.0f : -(float)m->strike_position * scale; break;
  }
  sj_placed_line line = {
      first->span,     which, {0.0f, down - half, width, down + half}, -ascent, -(float)m->descent * scale,
      first->transform};
  return !stijl_matrix_is_finite(line.matrix) || sj_array_push(l->context, &l->out->lines, line);
}

// Adds the decoration lines. Each goes on as long as the clusters of a span stand next to each other.
static bool put_lines(sj_svg_state *l) {
  for (size_t i = 0; i < l->clusters.count;) {
    const sj_svg_cluster *first = &l->clusters.data[i];
    const sj_svg_span *span = &l->text->spans[first->span];
    float width = first->hidden ? 0.0f : first->advance;
    for (i++; i < l->clusters.count && l->clusters.data[i].span == first->span && !l->clusters.data[i].moved; i++)
      width += l->clusters.data[i].advance;
    for (int which = 0; which < 3; which++)
      if (span->lines[which] && width > 0.0f && !put_line(l, span, (sj_line)which, first, width)) return false;
  }
  return true;
}

bool sj_svg_lay_out_chunk(sj_svg_state *l, const sj_svg_chunk *c) {
  bool good = sj_svg_make_clusters(l, c);
  if (good && l->clusters.count) {
    sj_svg_space_out(l);
    if (c->width > 0.0f) sj_svg_justify(l, c);
    turn_upright(l);
    sj_svg_adjust_lengths(l, c);
    good = place_along(l, c);
    if (good && c->track) good = place_on_path(l, c);
    if (good && !c->track) place_on_line(l, c);
    good = good && put_glyphs(l) && put_lines(l) && (!l->text->has_marks || sj_svg_put_marks(l));
  }
  sj_shaped_finish(&l->shaped);
  return good;
}

bool sj_svg_layout(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, sj_svg_placed *out) {
  *out = (sj_svg_placed){.context = context};
  out->no_fonts = sj_text_open(NULL) != STIJL_OK;
  if (out->no_fonts) return true;
  sj_svg_state l = {.fonts = fonts, .context = context, .text = text, .out = out};
  bool good = true, wrapped = (text->inline_size > 0.0f || text->area_count) && text->count > 0;
  if (wrapped) good = sj_svg_lay_out_lines(&l, text);
  for (uint32_t at = 0; at < text->count && good && !wrapped;) {
    sj_svg_chunk c = next_chunk(text, at);
    good = sj_svg_lay_out_chunk(&l, &c);
    at = c.end;
  }
  sj_svg_finish(&l);
  return good;
}

void sj_svg_finish(sj_svg_state *l) {
  sj_arrays_finish(l->context, &l->clusters, &l->spans, &l->characters, &l->shifts, &l->levels, &l->order);
  sj_measured_finish(l->context, &l->places);
  sj_shaped_finish(&l->mark);
}

void sj_svg_placed_finish(sj_svg_placed *placed) {
  sj_arrays_finish(placed->context, &placed->glyphs, &placed->cells, &placed->lines);
}
