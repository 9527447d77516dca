#include "text/shape.h"

#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "libraries/harfbuzz.h"
#include "text/shaper.h"

#define WORK_CHARACTER 200
#define WORK_GLYPH 500

// HarfBuzz's time grows with the square of a syllable's length, and of the number of marks in a row. So words of more
// characters than this, which are no real words, are cut into items.
#define MAX_WORD 512
// What HarfBuzz may take grows with an item's length. So an item of more characters than this ends at the next blank.
#define LONG_ITEM 16384

typedef struct shaper {
  stijl_fonts *fonts;
  stijl_context *context;
  const uint32_t *text;
  uint32_t count;
  const sj_shape_span *spans;
  uint32_t span_count;
  bool vertical;
  sj_shaped *out;
  hb_script_t *scripts;  // for each character
  sj_face **faces;       // for each character
} shaper;

static bool find_levels(shaper *s, sj_base_direction direction, const uint8_t *given) {
  sj_shaped *out = s->out;
  if (!sj_array_reserve(s->context, &out->levels, s->count)) return false;
  out->levels.count = s->count;
  if (!given) return sj_find_levels(s->context, s->text, s->count, direction, out->levels.data, &out->base_level);
  out->base_level = direction == SJ_BASE_RTL;
  memcpy(out->levels.data, given, s->count);
  return true;
}

// --- scripts (UAX 24, 5.1) ---

// Finds the scripts of a run of one direction: a full stop behind words of the other direction does not belong to them.
// Characters without a script of their own have that of what precedes them. A mark has the script of its base, and a
// base without a script that of its mark (UAX 24, 5.2).
static void find_scripts_between(shaper *s, uint32_t first, uint32_t end) {
  hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
  hb_script_t last = HB_SCRIPT_COMMON;
  uint32_t first_real = end, base = first;
  bool base_real = false;
  for (uint32_t i = first; i < end; i++) {
    hb_script_t script = hb_unicode_script(unicode, s->text[i]);
    bool real = script != HB_SCRIPT_COMMON && script != HB_SCRIPT_INHERITED && script != HB_SCRIPT_UNKNOWN;
    if (i > first && sj_continues_cluster(s->text, i)) {
      if (real && !base_real) {
        for (uint32_t k = base; k < i; k++) s->scripts[k] = script;
      } else {
        real = false;
      }
    } else {
      base = i;
      base_real = false;
    }
    base_real |= real;
    if (real) last = script;
    if (real && first_real == end) first_real = i;
    s->scripts[i] = last;
  }
  // What stands before the first letter has its script.
  for (uint32_t i = first; i < first_real && first_real < end; i++) s->scripts[i] = s->scripts[first_real];
}

static void find_scripts(shaper *s) {
  const uint8_t *levels = s->out->levels.data;
  for (uint32_t first = 0, end; first < s->count; first = end) {
    for (end = first + 1; end < s->count && levels[end] == levels[first]; end++) {
    }
    find_scripts_between(s, first, end);
  }
}

// --- fonts, for each cluster ---

static bool has_all(const sj_face *face, const uint32_t *text, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (sj_is_ignorable(text[i]) || sj_face_has_char(face, text[i])) continue;
    // The font may have a mark only together with its base, as in é.
    hb_codepoint_t composed;
    if (i && sj_is_mark(text[i]) &&
        hb_unicode_compose(hb_unicode_funcs_get_default(), text[i - 1], text[i], &composed) &&
        sj_face_has_char(face, composed))
      continue;
    return false;
  }
  return true;
}

// Finds the characters of a cluster that a font has to have, at most `max`, and returns how many they are.
static size_t needed(const uint32_t *text, uint32_t count, uint32_t *out, size_t max) {
  size_t found = 0;
  for (uint32_t i = 0; i < count && found < max; i++) {
    if (!sj_is_ignorable(text[i])) out[found++] = text[i];
  }
  return found;
}

// Returns whether a face that has a cluster is one for it.
static bool suits(const sj_face *face, sj_presentation presentation, bool first) {
  if (presentation == SJ_PRESENT_ANY || (first && presentation < SJ_PRESENT_TEXT_ONLY)) return true;
  return face->has_color == (presentation == SJ_PRESENT_EMOJI || presentation == SJ_PRESENT_EMOJI_ONLY);
}

// Finds a face for each cluster. Where the style's face lacks its characters, it is the face that was last found, or
// one that is looked for.
static bool find_faces(shaper *s) {
  uint32_t at = 0;
  for (uint32_t span = 0; span < s->span_count; span++) {
    const sj_font_style *style = &s->spans[span].style.font;
    sj_face *first = sj_fonts_face(s->fonts, style), *last = first;
    if (!first) return true;
    uint32_t end = s->spans[span].end < s->count ? s->spans[span].end : s->count, charged = at;
    while (at < end) {
      uint32_t next = at + 1;
      while (next < end && sj_continues_cluster(s->text, next)) next++;
      uint32_t characters[16];
      size_t count = 0;
      sj_presentation presentation = SJ_PRESENT_ANY;
      if (sj_may_be_emoji(s->text + at, next - at))
        presentation = sj_presentation_of(s->text + at, next - at, s->spans[span].style.emoji);
      if (!first->partial && suits(first, presentation, true) && has_all(first, s->text + at, next - at)) {
        last = first;
      } else if (last == first || first->partial || !suits(last, presentation, false) ||
                 !has_all(last, s->text + at, next - at)) {
        count = needed(s->text + at, next - at, characters, 16);
        sj_face *other = count ? sj_fonts_face_for(s->fonts, style, characters, count, presentation) : first;
        if (!other && !s->out->missing) s->out->missing = characters[0];
        last = other ? other : first;
      }
      for (; at < next; at++) s->faces[at] = last;
      if (at - charged < LONG_ITEM && at < end) continue;
      if (!sj_context_check(s->context, WORK_CHARACTER * (uint64_t)(at - charged))) return false;
      charged = at;
    }
  }
  return true;
}

// --- items ---

// Returns whether a character stands upright in vertical text. For some that depends on whether the font has a form for
// it.
static bool stands_upright(const sj_face *face, uint32_t character) {
  if (!sj_is_transformed(character)) return sj_is_upright(character);
  static const hb_tag_t tags[] = {HB_TAG('v', 'e', 'r', 't'), HB_TAG('v', 'r', 't', '2'), HB_TAG_NONE};
  hb_codepoint_t glyph;
  hb_set_t *lookups = hb_set_create();
  hb_ot_layout_collect_lookups(face->hb_face, HB_OT_TAG_GSUB, NULL, NULL, tags, lookups);
  bool found = false;
  if (hb_font_get_nominal_glyph(face->hb, character, &glyph))
    for (hb_codepoint_t lookup = HB_SET_VALUE_INVALID; !found && hb_set_next(lookups, &lookup);)
      found = hb_ot_layout_lookup_would_substitute(face->hb_face, lookup, &glyph, 1, false);
  hb_set_destroy(lookups);
  return found;
}

// Finds the capitals of a letter, and returns how many they are; 0: there are none, or the font lacks one.
static uint32_t capitals_of(const sj_face *face, uint32_t letter, uint32_t out[SJ_MAX_CAPITALS]) {
  uint32_t count = sj_capitals_of(letter, out);
  for (uint32_t i = 0; i < count; i++)
    if (!sj_face_has_char(face, out[i])) return 0;
  return count;
}

// Returns whether a character is drawn small, because the font has no small capital for it. As in browsers, where both
// small letters and capitals are, everything between them is, too.
static bool becomes_small(const sj_face *face, const sj_caps_plan *plan, uint32_t character) {
  uint32_t capitals[SJ_MAX_CAPITALS];
  if (plan->letters) return plan->capitals || capitals_of(face, character, capitals);
  return plan->capitals && hb_unicode_general_category(hb_unicode_funcs_get_default(), character) ==
                               HB_UNICODE_GENERAL_CATEGORY_UPPERCASE_LETTER;
}

static bool make_items(shaper *s) {
  uint32_t span = 0, word = 0, planned = UINT32_MAX;
  sj_caps_plan plan = {{0}, false, false};
  sj_item item = {0};
  for (uint32_t i = 0; i < s->count; i++) {
    while (span < s->span_count && s->spans[span].end <= i) span++;
    if (span == s->span_count) break;
    bool upright = false;
    if (s->vertical) {
      switch (s->spans[span].style.orientation) {
        case SJ_ORIENT_UPRIGHT: upright = true; break;
        case SJ_ORIENT_SIDEWAYS: break;
        default:
          upright = i && sj_continues_cluster(s->text, i) ? item.upright : stands_upright(s->faces[i], s->text[i]);
      }
    }
    const sj_shape_style *style = &s->spans[span].style;
    if (style->caps && !style->no_synthesis_caps && (planned != span || s->faces[i] != s->faces[i - 1])) {
      plan = sj_caps_of(s->faces[i], style->caps);
      planned = span;
    }
    bool small = false;
    if (planned == span)
      small = i && sj_continues_cluster(s->text, i) ? item.small : becomes_small(s->faces[i], &plan, s->text[i]);
    sj_item next = {.first = i,
                    .end = i + 1,
                    .span = span,
                    .level = s->out->levels.data[i],
                    .upright = upright,
                    .script = s->scripts[i],
                    .small = small,
                    .face = s->faces[i]};
    word = s->text[i] == ' ' ? 0 : word + 1;
    bool cut = word % MAX_WORD == MAX_WORD - 1 ||
               (i - item.first >= LONG_ITEM && s->text[i - 1] == ' ' && !sj_continues_cluster(s->text, i));
    if (i && !cut && next.span == item.span && next.level == item.level && next.upright == item.upright &&
        next.script == item.script && next.small == item.small && next.face == item.face) {
      item.end = i + 1;
      continue;
    }
    if (i && !sj_array_push(s->context, &s->out->items, item)) return false;
    item = next;
  }
  return !s->count || sj_array_push(s->context, &s->out->items, item);
}

// --- shaping ---

// Places upright glyphs of a font without metrics for vertical text: they are as high as lines of the font are, as in
// browsers, so that none overlaps the next. HarfBuzz has already given blanks that the font lacks the height which
// their names tell.
static void stand_upright(shaper *s, const sj_item *item) {
  const sj_face_metrics *m = &item->face->metrics;
  for (uint32_t i = 0; i < item->glyph_count; i++) {
    sj_glyph *g = &s->out->glyphs.data[item->first_glyph + i];
    if (!g->y_advance || g->y_advance != hb_font_get_glyph_v_advance(item->face->hb, g->id)) continue;
    g->y_offset = -m->ascent;
    g->y_advance = m->descent - m->ascent;
  }
}

// Adds the capitals of an item's letters to the buffer. Those of one letter are one cluster.
static void add_capitals(const shaper *s, hb_buffer_t *buffer, const sj_item *item) {
  hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE);
  for (uint32_t i = item->first; i < item->end; i++) {
    uint32_t capitals[SJ_MAX_CAPITALS], count = capitals_of(item->face, s->text[i], capitals);
    if (!count) hb_buffer_add(buffer, s->text[i], i);
    for (uint32_t k = 0; k < count; k++) hb_buffer_add(buffer, capitals[k], i);
  }
}

// Returns the language for HarfBuzz. It takes OpenType's language systems as private languages, with their tags in
// hexadecimal.
static hb_language_t language_of(const sj_shape_style *style, const sj_face *face) {
  uint32_t tag = style->language_system ? style->language_system : face->language_system;
  if (!tag) return style->language ? hb_language_from_string(style->language, -1) : NULL;
  char text[sizeof "x-hbot-00000000"];
  snprintf(text, sizeof text, "x-hbot-%08x", (unsigned)tag);
  return hb_language_from_string(text, -1);
}

static bool shape_item(shaper *s, hb_buffer_t *buffer, sj_item *item) {
  const sj_shape_style *style = &s->spans[item->span].style;
  hb_feature_t features[64];
  unsigned count = 0;
  if (style->no_kerning) features[count++] = (hb_feature_t){HB_TAG('k', 'e', 'r', 'n'), 0, 0, (unsigned)-1};
  if (style->no_ligatures) {
    features[count++] = (hb_feature_t){HB_TAG('l', 'i', 'g', 'a'), 0, 0, (unsigned)-1};
    features[count++] = (hb_feature_t){HB_TAG('c', 'l', 'i', 'g'), 0, 0, (unsigned)-1};
  }
  for (size_t i = 0; i < item->face->feature_count && count < 64; i++) features[count++] = item->face->features[i];
  for (size_t i = 0; i < style->feature_count && count < 64; i++) features[count++] = style->features[i];
  hb_tag_t more[2] = {0};
  if (style->caps) memcpy(more, sj_caps_of(item->face, style->caps).features, sizeof more);
  for (int i = 0; i < 2 && more[i] && count < 64; i++) features[count++] = (hb_feature_t){more[i], 1, 0, (unsigned)-1};
  hb_buffer_clear_contents(buffer);
  if (item->small) {
    add_capitals(s, buffer, item);
  } else {
    hb_buffer_add_codepoints(buffer, s->text, (int)s->count, item->first, (int)(item->end - item->first));
  }
  hb_buffer_set_direction(buffer, item->upright     ? HB_DIRECTION_TTB
                                  : item->level % 2 ? HB_DIRECTION_RTL
                                                    : HB_DIRECTION_LTR);
  hb_buffer_set_script(buffer, item->script);
  hb_buffer_set_language(buffer, language_of(style, item->face));
  hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES);
  // Capitals may be as many as SJ_MAX_CAPITALS for a letter.
  uint32_t characters = (item->end - item->first) * (item->small ? SJ_MAX_CAPITALS : 1);
  if (!sj_shaper_shape(item->face, s->context, buffer, characters, features, count)) return false;
  unsigned glyph_count;
  const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &glyph_count);
  const hb_glyph_position_t *position = hb_buffer_get_glyph_positions(buffer, NULL);
  if (!hb_buffer_allocation_successful(buffer) || !sj_array_reserve(s->context, &s->out->glyphs, glyph_count))
    return false;
  item->first_glyph = (uint32_t)s->out->glyphs.count;
  item->glyph_count = glyph_count;
  for (unsigned i = 0; i < glyph_count; i++) {
    // Clusters are those that were added, whatever the font says. Positions may be anything in a broken font.
    s->out->glyphs.data[s->out->glyphs.count++] = (sj_glyph){.id = info[i].codepoint,
                                                             .cluster = info[i].cluster,
                                                             .x_advance = position[i].x_advance,
                                                             .y_advance = position[i].y_advance,
                                                             .x_offset = position[i].x_offset,
                                                             .y_offset = position[i].y_offset};
  }
  if (item->upright && !item->face->has_vertical) stand_upright(s, item);
  return sj_context_check(s->context, WORK_GLYPH * ((uint64_t)glyph_count + 4));
}

static bool shape_all(shaper *s) {
  hb_buffer_t *buffer = hb_buffer_create();
  bool good = hb_buffer_allocation_successful(buffer);
  for (size_t i = 0; i < s->out->items.count && good; i++) good = shape_item(s, buffer, &s->out->items.data[i]);
  hb_buffer_destroy(buffer);
  return good;
}

bool sj_shape(stijl_fonts *fonts, stijl_context *context, const uint32_t *text, uint32_t count,
              const sj_shape_span *spans, uint32_t span_count, sj_base_direction direction, const uint8_t *levels,
              bool vertical, sj_shaped *out) {
  *out = (sj_shaped){.context = context};
  unsigned refusals = sj_fonts_refusals(fonts);
  if (!count || count > SJ_MAX_TEXT) return !count;
  if (sj_text_open(NULL)) return true;
  shaper s = {.fonts = fonts,
              .context = context,
              .text = text,
              .count = count,
              .spans = spans,
              .span_count = span_count,
              .vertical = vertical,
              .out = out};
  s.scripts = sj_alloc_array(context, count, sizeof *s.scripts);
  s.faces = sj_alloc_zero(context, count * sizeof *s.faces);
  bool good = s.scripts && s.faces && find_levels(&s, direction, levels);
  if (good) {
    find_scripts(&s);
    good = find_faces(&s);
  }
  bool has_fonts = good;
  for (uint32_t i = 0; i < count && has_fonts; i++) has_fonts = s.faces[i] != NULL;
  good = good && (!has_fonts || (make_items(&s) && shape_all(&s)));
  sj_free(context, s.scripts);
  sj_free(context, s.faces);
  return good && sj_fonts_refusals(fonts) == refusals;
}

void sj_shaped_finish(sj_shaped *shaped) {
  sj_arrays_finish(shaped->context, &shaped->items, &shaped->glyphs, &shaped->levels);
}
