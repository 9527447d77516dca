#include "text/svg_layout.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "geometry/arc_length.h"
#include "geometry/trig.h"
#include "libraries/harfbuzz.h"
#include "libraries/unibreak.h"

#define WORK_CLUSTER 300

// What is placed as one: a character with its marks, a ligature.
typedef struct cluster {
  uint32_t character, end;
  uint32_t span;
  const sj_item *item;
  uint32_t first_glyph, glyph_count;  // of the chunk's shaped text
  float scale;                        // user units a font unit
  float width, advance;
  float ascent, descent;   // user units; descent is negative
  double along, across;    // where its baseline begins, from where the chunk does
  stijl_matrix transform;  // from the cluster's own space, whose origin is its baseline's start, to that of the chunk
  stijl_matrix upright;    // from the space of the glyphs to the cluster's own
  bool hidden, moved;      // moved: a decoration line ends before it
} cluster;

// How far dx and dy have moved a character and all behind it.
typedef struct shift {
  double x, y;
} shift;

// Characters up to the next absolute position, or along one path.
typedef struct chunk {
  uint32_t first, end;
  const sj_svg_track *track;
  const uint8_t *levels;  // of a line: those of its characters
} chunk;

typedef struct layout {
  stijl_fonts *fonts;
  stijl_context *context;
  const sj_svg_text *text;
  sj_svg_placed *out;
  sj_shaped shaped;            // of the chunk at work
  SJ_ARRAY(cluster) clusters;  // in visual order
  SJ_ARRAY(sj_shape_span) spans;
  SJ_ARRAY(uint32_t) characters;  // of the chunk behind those that open its embeddings, where there are any
  uint32_t opening;               // how many these are
  SJ_ARRAY(shift) shifts;         // of the chunk's characters
  SJ_ARRAY(uint8_t) levels;
  SJ_ARRAY(uint32_t) order;
  double end_along, end_across;  // where the chunk ends, were it not for its anchor
  float x, y;                    // where the last one did
} layout;

static stijl_matrix translated(stijl_matrix m, float x, float y) {
  return stijl_matrix_multiply(m, stijl_matrix_translate(x, y));
}

static stijl_matrix rotated(stijl_matrix m, float degrees) {
  double sine, cosine;
  sj_sincos_degrees((double)degrees, &sine, &cosine);
  return stijl_matrix_multiply(m, (stijl_matrix){(float)cosine, (float)sine, (float)-sine, (float)cosine, 0.0f, 0.0f});
}

// --- chunks ---

static const sj_svg_track *track_at(const sj_svg_text *text, uint32_t at) {
  // They follow each other.
  size_t low = 0, high = text->track_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (at >= text->tracks[middle].end) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < text->track_count && at >= text->tracks[low].first ? &text->tracks[low] : NULL;
}

static bool begins_chunk(const sj_svg_text *text, uint32_t at, const sj_svg_track *track) {
  const sj_svg_position *p = &text->positions[at];
  if (!isnan(p->x) || !isnan(p->y)) {
    // Between a letter and its marks nothing begins, but it does in sequences of emoji.
    if (!sj_continues_cluster(text->characters, at) || text->characters[at] >= 0xfe00 || text->characters[at] == 0x200d)
      return true;
  }
  return track_at(text, at) != track;
}

static chunk next_chunk(const sj_svg_text *text, uint32_t first) {
  chunk c = {.first = first, .end = first + 1, .track = track_at(text, first)};
  while (c.end < text->count && !begins_chunk(text, c.end, c.track)) c.end++;
  return c;
}

// --- from glyphs to clusters ---

static const sj_svg_span *span_at(const sj_svg_text *text, uint32_t at, uint32_t *index) {
  uint32_t low = 0, high = text->span_count - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (at >= text->spans[middle].end) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (index) *index = low;
  return &text->spans[low];
}

static bool same_text(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a == b ? a_length == b_length : a && b && a_length == b_length && memcmp(a, b, a_length) == 0;
}

// Whether letters of the two may be kerned and joined.
static bool shape_alike(const sj_svg_span *a, const sj_svg_span *b) {
  const sj_shape_style *x = &a->shape, *y = &b->shape;
  if (a->paint != b->paint || a->font_size != b->font_size ||
      (a->letter_spacing != 0.0f) != (b->letter_spacing != 0.0f))
    return false;
  if (x->font.weight != y->font.weight || x->font.stretch != y->font.stretch || x->font.slant != y->font.slant ||
      x->font.optical_size != y->font.optical_size || x->font.axis_count != y->font.axis_count ||
      x->font.no_synthesis_weight != y->font.no_synthesis_weight ||
      x->font.no_synthesis_style != y->font.no_synthesis_style || x->feature_count != y->feature_count ||
      x->no_kerning != y->no_kerning || x->caps != y->caps || x->no_synthesis_caps != y->no_synthesis_caps ||
      x->orientation != y->orientation || x->language_system != y->language_system)
    return false;
  if (x->font.axis_count && memcmp(x->font.axes, y->font.axes, x->font.axis_count * sizeof *x->font.axes) != 0)
    return false;
  if (x->feature_count && memcmp(x->features, y->features, x->feature_count * sizeof *x->features) != 0) return false;
  return same_text(x->font.families, x->font.families_length, y->font.families, y->font.families_length) &&
         same_text(x->language, x->language ? strlen(x->language) : 0, y->language,
                   y->language ? strlen(y->language) : 0);
}

// Characters are reordered within a chunk only (SVG 1.1, 10.5); what is embedded when it begins goes on there, as in
// browsers.
static bool open_embeddings(layout *l, const chunk *c) {
  const sj_svg_text *text = l->text;
  l->characters.count = 0;
  l->opening = 0;
  if (c->levels) return true;
  sj_context_check(l->context, 2 * (uint64_t)text->embedding_count);
  for (size_t i = 0; i < text->embedding_count; i++) {
    const sj_svg_embedding *e = &text->embeddings[i];
    if (e->first >= c->first || c->first >= e->end) continue;
    for (int k = 0; k < 2 && e->controls[k]; k++)
      if (!sj_array_push(l->context, &l->characters, e->controls[k])) return false;
  }
  l->opening = (uint32_t)l->characters.count;
  size_t count = c->end - c->first;
  if (!l->opening) return true;
  if (!sj_array_reserve(l->context, &l->characters, count)) return false;
  memcpy(l->characters.data + l->opening, text->characters + c->first, count * sizeof *text->characters);
  l->characters.count += count;
  return true;
}

static bool shape_chunk(layout *l, const chunk *c) {
  const sj_svg_text *text = l->text;
  uint32_t first;
  if (!open_embeddings(l, c)) return false;
  span_at(text, c->first, &first);
  l->spans.count = 0;
  for (uint32_t i = first; i < text->span_count; i++) {
    const sj_svg_span *span = &text->spans[i];
    sj_shape_span part = {.end = l->opening + (span->end < c->end ? span->end : c->end) - c->first,
                          .style = span->shape};
    if (span->letter_spacing != 0.0f) part.style.no_ligatures = true;
    if (i > first && shape_alike(&text->spans[i - 1], span)) {
      l->spans.data[l->spans.count - 1].end = part.end;
    } else if (!sj_array_push(l->context, &l->spans, part)) {
      return false;
    }
    if (span->end >= c->end) break;
  }
  bool good = sj_shape(l->fonts, l->context, l->opening ? l->characters.data : text->characters + c->first,
                       l->opening + c->end - c->first, l->spans.data, (uint32_t)l->spans.count,
                       text->right_to_left ? SJ_BASE_RTL : SJ_BASE_LTR, c->levels, text->vertical, &l->shaped);
  if (l->shaped.missing && !l->out->missing) l->out->missing = l->shaped.missing;
  if (good && !l->shaped.items.count) l->out->no_fonts = true;
  return good;
}

// A metric in font units; 0: the font does not tell it.
static float metric_of(const sj_face *face, sj_text_metric metric) {
  hb_codepoint_t glyph;
  switch (metric) {
    case SJ_METRIC_EX_HEIGHT: return (float)face->metrics.x_height;
    case SJ_METRIC_CAP_HEIGHT: return (float)face->metrics.cap_height;
    case SJ_METRIC_CH_WIDTH:
      return hb_font_get_nominal_glyph(face->hb, '0', &glyph) ? (float)hb_font_get_glyph_h_advance(face->hb, glyph) : 0;
    case SJ_METRIC_IC_WIDTH:
      return hb_font_get_nominal_glyph(face->hb, 0x6c34, &glyph) ? (float)hb_font_get_glyph_h_advance(face->hb, glyph)
                                                                 : 0;
    case SJ_METRIC_IC_HEIGHT:
      return hb_font_get_nominal_glyph(face->hb, 0x6c34, &glyph) ? -(float)hb_font_get_glyph_v_advance(face->hb, glyph)
                                                                 : 0;
    default: return 0.0f;
  }
}

// User units a font unit, with font-size-adjust (CSS Fonts 5, 2.7), which makes up for what a rule's size-adjust says.
static float scale_of(const layout *l, const sj_svg_span *span, const sj_face *face) {
  float em = (float)face->metrics.units_per_em, factor = span->size_factor;
  float metric = span->size_metric ? metric_of(face, span->size_metric) : 0.0f;
  if (metric > 0.0f && factor < 0.0f) {
    const sj_face *first = sj_fonts_face(l->fonts, &span->shape.font);
    factor = first ? metric_of(first, span->size_metric) / (float)first->metrics.units_per_em : 0.0f;
    if (!(factor > 0.0f)) metric = 0.0f;
  }
  return metric > 0.0f ? span->font_size * factor / metric : span->font_size * face->size_adjust / em;
}

// Nothing is drawn for these, nor anything kept away from them.
static bool is_bidi_control(uint32_t c) {
  return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static bool add_clusters(layout *l, const chunk *c, const sj_item *item) {
  const sj_svg_text *text = l->text;
  uint32_t opening = l->opening;  // clusters count from there
  const sj_glyph *glyphs = l->shaped.glyphs.data;
  uint32_t end = item->first_glyph + item->glyph_count;
  for (uint32_t i = item->first_glyph; i < end;) {
    uint32_t number = glyphs[i].cluster;
    cluster k = {.character = c->first + number - opening,
                 .item = item,
                 .first_glyph = i,
                 .transform = STIJL_MATRIX_IDENTITY,
                 .upright = STIJL_MATRIX_IDENTITY};
    int64_t advance = 0;
    for (; i < end && glyphs[i].cluster == number; i++)
      advance += item->upright ? -(int64_t)glyphs[i].y_advance : glyphs[i].x_advance;
    k.glyph_count = i - k.first_glyph;
    // Its characters go up to the next cluster's: in the order of the text, which may be behind.
    uint32_t next = item->end;
    if (item->level % 2 == 0 || item->upright) {
      if (i < end) next = glyphs[i].cluster;
    } else if (k.first_glyph > item->first_glyph) {
      next = glyphs[k.first_glyph - 1].cluster;
    }
    if (next <= number) next = number + 1;
    if (number < opening || (next == number + 1 && is_bidi_control(text->characters[k.character]))) continue;
    k.end = c->first + next - opening;
    const sj_svg_span *span = span_at(text, k.character, &k.span);
    const sj_face_metrics *m = &item->face->metrics;
    k.scale = scale_of(l, span, item->face);
    if (item->small) k.scale *= SJ_SMALL_CAPS;
    k.width = k.advance = (float)advance * k.scale;
    k.ascent = (float)m->ascent * k.scale;
    k.descent = (float)m->descent * k.scale;
    if (!sj_array_push(l->context, &l->clusters, k)) return false;
  }
  return sj_context_check(l->context, WORK_CLUSTER * ((uint64_t)item->glyph_count + 1));
}

// Clusters in visual order, from left to right or from top to bottom.
static bool make_clusters(layout *l, const chunk *c) {
  size_t count = l->shaped.items.count;
  l->clusters.count = l->levels.count = l->order.count = 0;
  if (!sj_array_reserve(l->context, &l->levels, count) || !sj_array_reserve(l->context, &l->order, count)) return false;
  for (size_t i = 0; i < count; i++) l->levels.data[i] = l->shaped.items.data[i].level;
  if (count) sj_visual_order(l->levels.data, (uint32_t)count, l->order.data);
  for (size_t i = 0; i < count; i++)
    if (!add_clusters(l, c, &l->shaped.items.data[l->order.data[i]])) return false;
  return true;
}

// --- spacing and lengths ---

// Scripts whose letters join, or hang from one line (CSS Text 3, 8.3).
static bool takes_letter_spacing(hb_script_t script) {
  switch (script) {
    case HB_SCRIPT_ARABIC:
    case HB_SCRIPT_SYRIAC:
    case HB_SCRIPT_NKO:
    case HB_SCRIPT_MANICHAEAN:
    case HB_SCRIPT_PSALTER_PAHLAVI:
    case HB_SCRIPT_MANDAIC:
    case HB_SCRIPT_MONGOLIAN:
    case HB_SCRIPT_PHAGS_PA:
    case HB_SCRIPT_DEVANAGARI:
    case HB_SCRIPT_BENGALI:
    case HB_SCRIPT_GURMUKHI:
    case HB_SCRIPT_MODI:
    case HB_SCRIPT_SHARADA:
    case HB_SCRIPT_SYLOTI_NAGRI:
    case HB_SCRIPT_TIRHUTA:
    case HB_SCRIPT_OGHAM: return false;
    default: return true;
  }
}

// CSS Text 3, 8.2.
static bool is_word_separator(uint32_t c) {
  return c == 0x20 || c == 0xa0 || c == 0x1361 || c == 0x10100 || c == 0x10101 || c == 0x1039f || c == 0x1091f;
}

static void space_out(layout *l) {
  const sj_svg_text *text = l->text;
  for (size_t i = 0; i < l->clusters.count; i++) {
    cluster *k = &l->clusters.data[i];
    const sj_svg_span *span = &text->spans[k->span];
    // Behind the last one there is nothing to be kept away.
    if (span->letter_spacing != 0.0f &&
        takes_letter_spacing(hb_unicode_script(hb_unicode_funcs_get_default(), text->characters[k->character]))) {
      if (i + 1 < l->clusters.count) k->advance += span->letter_spacing;
      if (!(k->advance > 0.0f)) {
        k->advance = k->width = 0.0f;
        k->hidden = true;
      }
    }
    if (span->word_spacing != 0.0f && is_word_separator(text->characters[k->character]))
      k->advance += span->word_spacing;
  }
}

// textLength counts per chunk; what spacing added is replaced.
static void adjust_lengths(layout *l, const chunk *c) {
  sj_context_check(l->context, 2 * (uint64_t)l->text->length_count);
  for (size_t n = 0; n < l->text->length_count; n++) {
    const sj_svg_length *length = &l->text->lengths[n];
    if (length->end <= c->first || length->first >= c->end) continue;
    sj_context_check(l->context, 4 * (uint64_t)l->clusters.count);
    uint32_t count = 0;
    float width = 0.0f;
    for (size_t i = 0; i < l->clusters.count; i++) {
      const cluster *k = &l->clusters.data[i];
      if (k->character < length->first || k->character >= length->end) continue;
      count++;
      width += k->width;
    }
    if (!count) continue;
    float gap = count > 1 ? (length->length - width) / (float)(count - 1) : 0.0f;
    float factor = width > 0.0f ? length->length / width : 0.0f;
    if (length->glyphs && !(factor >= 0.001f)) continue;
    for (size_t i = 0; i < l->clusters.count; i++) {
      cluster *k = &l->clusters.data[i];
      if (k->character < length->first || k->character >= length->end) continue;
      if (!length->glyphs) {
        k->advance = k->width + (--count ? gap : 0.0f);
        continue;
      }
      k->upright = stijl_matrix_multiply(stijl_matrix_scale(factor, 1.0f), k->upright);
      k->width *= factor;
      k->advance = k->width;
    }
  }
}

// --- baselines ---

// How far a baseline lies above the alphabetic one.
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

// How far down the glyphs of a span move.
static float baseline_offset(layout *l, const sj_svg_span *span) {
  const sj_face *face = sj_fonts_face(l->fonts, &span->shape.font);
  if (!face) return 0.0f;
  const sj_face_metrics *m = &face->metrics;
  float scale = scale_of(l, span, face), down = 0.0f;
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

// --- vertical text: laid out along x, and turned by a quarter afterwards ---

static void turn_upright(layout *l) {
  if (!l->text->vertical) return;
  for (size_t i = 0; i < l->clusters.count; i++) {
    cluster *k = &l->clusters.data[i];
    float middle = 0.5f * (k->ascent + k->descent);
    if (k->item->upright) {
      // Glyphs shaped from top to bottom have their origin above them, in the middle.
      k->upright = (stijl_matrix){0.0f, -1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
      float half = 0.5f * (k->ascent - k->descent);
      k->ascent = half;
      k->descent = -half;
    } else {
      // The baseline in the middle is the central one.
      k->upright = stijl_matrix_translate(0.0f, middle);
      k->ascent -= middle;
      k->descent -= middle;
    }
  }
}

// --- positions ---

// Where everything stands on a line that begins at 0 (SVG 2, 11.5): side by side as they are seen, then moved by dx and
// dy, which count on in the order of the characters; then the anchor, for which the ends of what was moved count.
static bool place_along(layout *l, const chunk *c) {
  const sj_svg_text *text = l->text;
  bool vertical = text->vertical;
  l->shifts.count = 0;
  if (!sj_array_reserve(l->context, &l->shifts, c->end - c->first)) return false;
  shift *shifts = l->shifts.data, sum = {0.0, 0.0};
  memset(shifts, 0, (c->end - c->first) * sizeof *shifts);
  // What the first character of a cluster says; those within it say nothing of it.
  uint32_t first = c->end;
  for (size_t i = 0; i < l->clusters.count; i++) {
    const cluster *k = &l->clusters.data[i];
    const sj_svg_position *p = &text->positions[k->character];
    shifts[k->character - c->first] = (shift){isnan(p->dx) ? 0.0 : (double)p->dx, isnan(p->dy) ? 0.0 : (double)p->dy};
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
    cluster *k = &l->clusters.data[i];
    shift moved = shifts[k->character - c->first];
    float angle = text->positions[k->character].rotate;
    k->moved = !isnan(angle) && angle != 0.0f;
    if (i > 0) {
      shift before = shifts[k[-1].character - c->first];
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
  // The first character's own shift moves the anchor.
  double anchor = vertical ? shifts[first - c->first].y : shifts[first - c->first].x;
  if (together) {  // also where lengths below 0 make what is behind stand before
    least = anchor;
    most = anchor + width;
  }
  const sj_svg_span *span = span_at(text, c->first, NULL);
  bool at_end = (span->anchor == SJ_ANCHOR_END) != (c->levels ? text->right_to_left : span->right_to_left);
  double offset = span->anchor == SJ_ANCHOR_MIDDLE ? anchor - 0.5 * (least + most) : anchor - (at_end ? most : least);
  for (size_t i = 0; i < l->clusters.count; i++) l->clusters.data[i].along += offset;
  l->end_along = (text->right_to_left ? -width : width) + (vertical ? sum.y : sum.x);
  l->end_across = vertical ? -sum.x : sum.y;
  return true;
}

static void turn(const layout *l, cluster *k) {
  float angle = l->text->positions[k->character].rotate;
  if (!isnan(angle) && angle != 0.0f) k->transform = rotated(k->transform, angle);
}

static void place_on_line(layout *l, const chunk *c) {
  const sj_svg_position *p = &l->text->positions[c->first];
  float x = isnan(p->x) ? l->x : p->x, y = isnan(p->y) ? l->y : p->y;
  bool vertical = l->text->vertical;
  // The chunk's own space has the text along x.
  stijl_matrix base = stijl_matrix_translate(x, y);
  if (vertical) base = stijl_matrix_multiply(base, (stijl_matrix){0.0f, 1.0f, -1.0f, 0.0f, 0.0f, 0.0f});
  for (size_t i = 0; i < l->clusters.count; i++) {
    cluster *k = &l->clusters.data[i];
    k->transform = translated(base, (float)k->along, (float)k->across + baseline_offset(l, &l->text->spans[k->span]));
    turn(l, k);
  }
  l->x = (float)((double)x + (vertical ? -l->end_across : l->end_along));
  l->y = (float)((double)y + (vertical ? l->end_along : l->end_across));
}

static void place_on_path(layout *l, const chunk *c) {
  const sj_svg_position *p = &l->text->positions[c->first];
  // An absolute position counts along the path.
  float offset = l->text->vertical ? p->y : p->x;
  double start = (isnan(offset) ? 0.0 : (double)offset) + (double)c->track->start;
  double length = c->track->path ? sj_path_length(c->track->path) : 0.0;
  for (size_t i = 0; i < l->clusters.count; i++) {
    cluster *k = &l->clusters.data[i];
    double middle = start + k->along + 0.5 * (double)k->width;
    stijl_point at, direction;
    k->moved = true;
    // What has its middle beyond the path's ends is not drawn.
    if (!c->track->path || !(middle >= 0.0) || !(middle <= length) ||
        !sj_path_point_at(c->track->path, middle, &at, &direction)) {
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
}

// --- output ---

static bool put_glyphs(layout *l) {
  for (size_t i = 0; i < l->clusters.count; i++) {
    const cluster *k = &l->clusters.data[i];
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

static bool put_line(layout *l, const sj_svg_span *span, sj_line which, const cluster *first, float width) {
  const sj_face *face = sj_fonts_face(l->fonts, &span->shape.font);
  if (!face) return true;
  const sj_face_metrics *m = &face->metrics;
  float scale = scale_of(l, span, face);
  float half = 0.5f * (float)m->underline_thickness * scale, ascent = (float)m->ascent * scale;
  float middle = 0.5f * (float)(m->ascent - m->descent) * scale, down = 0.0f;
  switch (which) {
    case SJ_LINE_UNDER: down = l->text->vertical ? middle : -(float)m->underline_position * scale; break;
    case SJ_LINE_OVER: down = l->text->vertical ? -middle : -ascent; break;
    case SJ_LINE_THROUGH: down = l->text->vertical ? 0.0f : -(float)m->strike_position * scale; break;
  }
  sj_placed_line line = {first->span, which, {0.0f, down - half, width, down + half}, first->transform};
  return !stijl_matrix_is_finite(line.matrix) || sj_array_push(l->context, &l->out->lines, line);
}

// A line goes on as long as its clusters stand next to each other.
static bool put_lines(layout *l) {
  for (size_t i = 0; i < l->clusters.count;) {
    const cluster *first = &l->clusters.data[i];
    const sj_svg_span *span = &l->text->spans[first->span];
    float width = first->hidden ? 0.0f : first->advance;
    for (i++; i < l->clusters.count && l->clusters.data[i].span == first->span && !l->clusters.data[i].moved; i++)
      width += l->clusters.data[i].advance;
    for (int which = 0; which < 3; which++)
      if (span->lines[which] && width > 0.0f && !put_line(l, span, (sj_line)which, first, width)) return false;
  }
  return true;
}

static bool lay_out_chunk(layout *l, const chunk *c) {
  bool good = shape_chunk(l, c) && make_clusters(l, c);
  if (good && l->clusters.count) {
    space_out(l);
    turn_upright(l);
    adjust_lengths(l, c);
    good = place_along(l, c);
    if (good && c->track) place_on_path(l, c);
    if (good && !c->track) place_on_line(l, c);
    good = good && put_glyphs(l) && put_lines(l);
  }
  sj_shaped_finish(&l->shaped);
  return good;
}

// --- lines of an inline-size: SVG 2, 11.7.1 ---

static float line_height_of(const layout *l, const sj_svg_span *span) {
  if (span->line_height >= 0.0f) return span->line_height;
  const sj_face *face = sj_fonts_face(l->fonts, &span->shape.font);
  if (!face) return span->font_size;
  return (float)(face->metrics.ascent - face->metrics.descent + face->metrics.line_gap) * scale_of(l, span, face);
}

// How far each character moves on in the text without breaks, where it may be broken behind a character, and the levels
// that it has there.
static bool measure(layout *l, float *advances, char *breaks, uint8_t *levels) {
  const sj_svg_text *text = l->text;
  chunk whole = {.end = text->count};
  bool good = shape_chunk(l, &whole) && make_clusters(l, &whole);
  if (good) space_out(l);
  for (size_t i = 0; good && i < l->clusters.count; i++)
    advances[l->clusters.data[i].character] += l->clusters.data[i].advance;
  if (good) memcpy(levels, l->shaped.levels.data, text->count);
  sj_shaped_finish(&l->shaped);
  const char *language = text->spans[0].shape.language;
  return good && sj_line_breaks(l->context, text->characters, text->count, language, breaks);
}

// Where the line that begins at `first` ends: at the last break before it is too long. Blanks at its end may hang, and
// a word that is too long alone is not broken.
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

// Only the first position counts; each line is a chunk from there on, further along by its height.
static bool lay_out_lines(layout *l, const sj_svg_text *given) {
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
    good = measure(l, advances, breaks, levels);
  }
  const sj_svg_position *start = given->positions;
  float x = isnan(start->x) ? 0.0f : start->x, y = isnan(start->y) ? 0.0f : start->y;
  for (uint32_t first = 0; first < text.count && good;) {
    chunk c = {.first = first, .end = line_end(&text, advances, breaks, first), .levels = levels + first};
    uint32_t next = c.end, from, to;
    if (first) {
      float height = 0.0f;
      span_at(&text, first, &from);
      span_at(&text, next - 1, &to);
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
    if (c.end > first) good = lay_out_chunk(l, &c);
    good = good && sj_context_check(l->context, WORK_CLUSTER * ((uint64_t)next - first));
    first = next;
  }
  l->text = given;
  sj_free(l->context, positions);
  sj_free(l->context, advances);
  sj_free(l->context, breaks);
  sj_free(l->context, levels);
  return good;
}

bool sj_svg_layout(stijl_fonts *fonts, stijl_context *context, const sj_svg_text *text, sj_svg_placed *out) {
  *out = (sj_svg_placed){.context = context};
  out->no_fonts = sj_text_open(NULL) != STIJL_OK;
  if (out->no_fonts) return true;
  layout l = {.fonts = fonts, .context = context, .text = text, .out = out};
  bool good = true, wrapped = text->inline_size > 0.0f && text->count > 0;
  if (wrapped) good = lay_out_lines(&l, text);
  for (uint32_t at = 0; at < text->count && good && !wrapped;) {
    chunk c = next_chunk(text, at);
    good = lay_out_chunk(&l, &c);
    at = c.end;
  }
  sj_array_finish(context, &l.clusters);
  sj_array_finish(context, &l.spans);
  sj_array_finish(context, &l.characters);
  sj_array_finish(context, &l.shifts);
  sj_array_finish(context, &l.levels);
  sj_array_finish(context, &l.order);
  return good;
}

void sj_svg_placed_finish(sj_svg_placed *placed) {
  sj_array_finish(placed->context, &placed->glyphs);
  sj_array_finish(placed->context, &placed->cells);
  sj_array_finish(placed->context, &placed->lines);
}
