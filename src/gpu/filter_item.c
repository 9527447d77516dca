// Adds items of filters to the plan of a frame, and the words that they refer to.
#include <string.h>

#include "gpu/filter_items.h"

// --- Words ---

bool sj_items_add_words(sj_filter_items *items, const void *words, size_t count) {
  if (items->out->words.count + count > SJ_MOST_WORDS || !sj_array_reserve(items->context, &items->out->words, count))
    return false;
  if (count) memcpy(items->out->words.data + items->out->words.count, words, count * sizeof(uint32_t));
  items->out->words.count += count;
  return true;
}

bool sj_items_note(sj_filter_items *items, uint32_t word, sj_note_kind kind) {
  return sj_array_push(items->context, &items->out->notes, (sj_word_note){word, kind});
}

bool sj_items_note_box(sj_filter_items *items, uint32_t word) {
  return sj_items_note(items, word, SJ_NOTE_X) && sj_items_note(items, word + 1, SJ_NOTE_Y) &&
         sj_items_note(items, word + 2, SJ_NOTE_X) && sj_items_note(items, word + 3, SJ_NOTE_Y);
}

bool sj_items_share_words(sj_filter_items *items, const void *words, uint32_t count, uint32_t *at) {
  sj_places *out = items->out;
  for (uint32_t i = 0; i < SJ_SHARED_WORDS; i++) {
    *at = out->shared[i].word;
    if (out->shared[i].count == count && memcmp(out->words.data + *at, words, count * sizeof(uint32_t)) == 0)
      return true;
  }
  *at = (uint32_t)out->words.count;
  out->shared[out->shared_next++ % SJ_SHARED_WORDS] = (sj_shared_words){*at, count};
  items->shares = true;
  return sj_items_add_words(items, words, count);
}

static g_picture picture_of(const sj_filter_items *items, const sj_source *source) {
  g_picture p = {.x0 = source->box.x0, .y0 = source->box.y0, .x1 = source->box.x1, .y1 = source->box.y1};
  if (source->place != SJ_NO_PLACE) p.stride = items->out->places.data[source->place].stride;
  return p;
}

bool sj_items_add_picture(sj_filter_items *items, const sj_source *source) {
  g_picture p = picture_of(items, source);
  sj_fixup fixup = {(uint32_t)items->out->words.count, *source};
  return sj_items_note_box(items, fixup.word + 2) && sj_items_add_words(items, &p, sizeof p / sizeof(uint32_t)) &&
         (source->place == SJ_NO_PLACE || sj_array_push(items->context, &items->out->fixups, fixup));
}

// --- Items ---

sj_item_draft sj_items_begin_item(const sj_filter_items *items, uint32_t kind) {
  return (sj_item_draft){.kind = kind,
                         .word = (uint32_t)items->out->words.count,
                         .from = {.place = SJ_NO_PLACE},
                         .fixups = items->out->fixups.count};
}

static void read_at(sj_place *place, sj_moment moment) { place->last = k_max(place->last, moment); }

bool sj_items_add_item(sj_filter_items *items, const sj_item_draft *i) {
  sj_places *out = items->out;
  sj_place *places = out->places.data;
  sj_moment moment = items->begin;
  for (size_t k = i->fixups; k < out->fixups.count; k++)
    moment = k_max(moment, places[out->fixups.data[k].source.place].from);
  if (i->from.place != SJ_NO_PLACE) moment = k_max(moment, places[i->from.place].from);
  moment++;
  for (size_t k = i->fixups; k < out->fixups.count; k++) read_at(&places[out->fixups.data[k].source.place], moment);
  if (i->from.place != SJ_NO_PLACE) read_at(&places[i->from.place], moment);
  places[i->to].from = moment;
  stijl_irect box = places[i->to].box;
  uint32_t columns = (uint32_t)(box.x1 - box.x0 + G_FILTER_SIDE - 1) / G_FILTER_SIDE;
  uint32_t rows = (uint32_t)(box.y1 - box.y0 + G_FILTER_SIDE - 1) / G_FILTER_SIDE, groups = columns * rows;
  if (i->kind == G_ITEM_BOXES || i->kind == G_ITEM_BOXES_WIDE) {
    bool vertical = (i->flags & G_ITEM_VERTICAL) != 0;
    int wide = box.x1 - box.x0, high = box.y1 - box.y0, lines = vertical ? wide : high;
    columns = (uint32_t)(lines + G_BOXES_LINES - 1) / G_BOXES_LINES;
    groups = columns * (uint32_t)(((vertical ? high : wide) + i->part - 1) / i->part);
  }
  if (i->kind == G_ITEM_BLUR || i->kind == G_ITEM_BLUR_TINY) groups = 1;
  sj_source to = {.place = i->to, .box = box};
  sj_filter_item made = {.moment = moment,
                         .kind = i->kind,
                         .groups = groups,
                         .from = i->from,
                         .to = i->to,
                         .item = {.columns = columns,
                                  .word = i->word,
                                  .flags = i->flags | (i->from.alpha ? G_ITEM_ALPHA : 0),
                                  .from = picture_of(items, &i->from),
                                  .to = picture_of(items, &to)}};
  return sj_array_push(items->context, &out->items, made);
}
