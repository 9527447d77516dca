// Filters with the same plan come to the same items and words, except for where they are. So these are made once a
// frame (filter_items.c), and copied for all others.
#include <string.h>

#include "base/irect.h"
#include "gpu/places.h"

#define FAR (1 << 28)  // sides so far away are not moved, as in scene/filter_plan.c

typedef struct {
  sj_places *out;
  const sj_filter_template *from;
  const sj_filter_use *use;
  uint32_t surface;
  int x, y;              // how far boxes are moved
  uint64_t later;        // how much later the copy's moments are
  uint32_t place, word;  // where the copies of the template's begin
} copier;

static uint32_t place_of(const copier *c, uint32_t place) {
  if (place == SJ_NO_PLACE) return place;
  if (place == c->from->use.source) return c->use->source;
  if (place == c->from->surface) return c->surface;
  return place - c->from->begin.places + c->place;
}

static int moved_side(int side, int by) { return side <= -FAR || side >= FAR ? side : side + by; }

static stijl_irect moved(const copier *c, stijl_irect r) {
  return (stijl_irect){moved_side(r.x0, c->x), moved_side(r.y0, c->y), moved_side(r.x1, c->x), moved_side(r.y1, c->y)};
}

static uint32_t copied_word(const copier *c, uint32_t word) {
  bool own = word >= c->from->begin.words && word < c->from->end.words;
  return own ? word - c->from->begin.words + c->word : word;
}

static sj_source copied_source(const copier *c, const sj_source *source) {
  sj_source copy = *source;
  copy.place = place_of(c, source->place);
  copy.box = moved(c, source->box);
  return copy;
}

static void copy_words(const copier *c) {
  sj_places *out = c->out;
  const sj_filter_ends *begin = &c->from->begin, *end = &c->from->end;
  uint32_t count = end->words - begin->words, *words = out->words.data + c->word;
  memcpy(words, out->words.data + begin->words, count * sizeof *words);
  out->words.count += count;
  for (uint32_t i = begin->notes; i < end->notes; i++) {
    const sj_word_note *note = &out->notes.data[i];
    uint32_t *word = &words[note->word - begin->words];
    if (note->kind == SJ_NOTE_WORD)
      *word = copied_word(c, *word);
    else
      *word = (uint32_t)moved_side((int)*word, note->kind == SJ_NOTE_X ? c->x : c->y);
  }
}

K_WRAPS static void copy_places(const copier *c) {
  for (uint32_t i = c->from->begin.places; i < c->from->end.places; i++) {
    sj_place place = c->out->places.data[i];
    place.box = moved(c, place.box);
    place.from += c->later;
    if (place.last) place.last += c->later;
    c->out->places.data[c->out->places.count++] = place;
  }
}

static void copy_fixups(const copier *c) {
  sj_places *out = c->out;
  for (uint32_t i = c->from->begin.fixups; i < c->from->end.fixups; i++) {
    sj_fixup copy = {copied_word(c, out->fixups.data[i].word), copied_source(c, &out->fixups.data[i].source)};
    out->words.data[copy.word + 1] = out->places.data[copy.source.place].stride;
    out->fixups.data[out->fixups.count++] = copy;
  }
}

static g_picture copied_picture(const copier *c, const g_picture *picture, uint32_t place) {
  stijl_irect box = moved(c, (stijl_irect){picture->x0, picture->y0, picture->x1, picture->y1});
  uint32_t stride = place == SJ_NO_PLACE ? picture->stride : c->out->places.data[place].stride;
  return (g_picture){picture->base, stride, box.x0, box.y0, box.x1, box.y1};
}

K_WRAPS static void copy_items(const copier *c) {
  sj_places *out = c->out;
  for (uint32_t i = c->from->begin.items; i < c->from->end.items; i++) {
    sj_filter_item copy = out->items.data[i];
    copy.moment += c->later;
    copy.from = copied_source(c, &copy.from);
    copy.to = place_of(c, copy.to);
    copy.item.word = copied_word(c, copy.item.word);
    copy.item.from = copied_picture(c, &copy.item.from, copy.from.place);
    copy.item.to = copied_picture(c, &copy.item.to, copy.to);
    out->items.data[out->items.count++] = copy;
  }
}

// Returns whether a surface is where the template's is, moved as boxes are.
static bool is_alike(const copier *c, uint32_t from, uint32_t to) {
  if (from == SJ_NO_PLACE || to == SJ_NO_PLACE) return from == to;
  return sj_irect_equal(moved(c, c->out->places.data[from].box), c->out->places.data[to].box);
}

K_WRAPS bool sj_items_copy(stijl_context *context, const sj_filter_template *from, const sj_filter_use *use,
                           uint32_t surface, sj_moment begin, sj_places *out, bool *copied) {
  const sj_filter_ends *first = &from->begin, *end = &from->end;
  copier c = {.out = out,
              .from = from,
              .use = use,
              .surface = surface,
              .x = use->x - from->use.x,
              .y = use->y - from->use.y,
              .later = begin - from->moment,
              .place = (uint32_t)out->places.count,
              .word = (uint32_t)out->words.count};
  bool early = use->source == SJ_FILTER_NO_STEP || out->places.data[use->source].from <= begin;
  *copied = early && is_alike(&c, from->use.source, use->source) && is_alike(&c, from->surface, surface);
  if (!*copied) return true;
  if (out->words.count + (end->words - first->words) > SJ_MOST_WORDS ||
      !sj_array_reserve(context, &out->words, end->words - first->words) ||
      !sj_array_reserve(context, &out->places, end->places - first->places) ||
      !sj_array_reserve(context, &out->fixups, end->fixups - first->fixups) ||
      !sj_array_reserve(context, &out->items, end->items - first->items))
    return false;
  copy_words(&c);
  copy_places(&c);
  copy_fixups(&c);
  copy_items(&c);
  out->places.data[surface].from = out->places.data[from->surface].from + c.later;
  if (use->source != SJ_FILTER_NO_STEP && from->source_read) {
    sj_place *source = &out->places.data[use->source];
    source->last = k_max(source->last, from->source_read + c.later);
  }
  return true;
}
