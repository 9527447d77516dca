// From the plan of a filter to items. Steps whose pixels are not kept become instructions of the item that reads them.
#include <stddef.h>
#include <string.h>

#include "base/irect.h"
#include "gpu/places.h"

#define MOST_INSTRUCTIONS 4000  // of an item: at most 10 turns of loops each
#define MOST_TAPS 14000         // of a convolution: 4 turns each

typedef struct {
  stijl_context *context;
  const sj_filter_plan *plan;
  sj_places *out;
  sj_moment begin;   // of the level
  uint32_t surface;  // of the result
  // Of each step:
  uint32_t *place, *data;  // where it is; and the words that its instruction refers to
  bool *stored;            // its pixels have a place; else they are computed when they are read
  uint8_t *depth;          // pixels on the stack that its instructions need
  bool shares;             // some words that it added are for others as well
  uint32_t blurred;        // 1 + the item of a small blur that only one step reads; 0: there is none (follow_blur)
} effect;

static const stijl_irect everywhere = {INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, nothing = {0, 0, 0, 0};

static const sj_filter_step *step_at(const effect *e, uint32_t index) { return &e->plan->steps.data[index]; }
static uint32_t input_of(const effect *e, const sj_filter_step *step, uint32_t i) {
  return i < step->input_count ? e->plan->inputs.data[step->input + i] : SJ_FILTER_NO_STEP;
}

static stijl_irect moved(stijl_irect r, int x, int y) { return (stijl_irect){r.x0 + x, r.y0 + y, r.x1 + x, r.y1 + y}; }

static bool is_point(uint32_t kind) {
  return kind != SJ_FILTER_SOURCE && kind != SJ_FILTER_BLUR && kind != SJ_FILTER_MORPHOLOGY &&
         kind != SJ_FILTER_CONVOLVE && kind != SJ_FILTER_LIGHT && kind != SJ_FILTER_TURBULENCE &&
         kind != SJ_FILTER_DISPLACE && kind != SJ_FILTER_TILE;
}

// --- Words ---

static bool add_words(effect *e, const void *words, size_t count) {
  if (e->out->words.count + count > SJ_MOST_WORDS || !sj_array_reserve(e->context, &e->out->words, count)) return false;
  if (count) memcpy(e->out->words.data + e->out->words.count, words, count * sizeof(uint32_t));
  e->out->words.count += count;
  return true;
}

// Notes that a word depends on where the filter is.
static bool note(effect *e, uint32_t word, sj_note_kind kind) {
  return sj_array_push(e->context, &e->out->notes, (sj_word_note){word, kind});
}

static bool note_box(effect *e, uint32_t word) {
  return note(e, word, SJ_NOTE_X) && note(e, word + 1, SJ_NOTE_Y) && note(e, word + 2, SJ_NOTE_X) &&
         note(e, word + 3, SJ_NOTE_Y);
}

// Words that are often those of the filter before as well, and then are not written again.
static bool share_words(effect *e, const void *words, uint32_t count, uint32_t *at) {
  sj_places *out = e->out;
  for (uint32_t i = 0; i < SJ_SHARED_WORDS; i++) {
    *at = out->shared[i].word;
    if (out->shared[i].count == count && memcmp(out->words.data + *at, words, count * sizeof(uint32_t)) == 0)
      return true;
  }
  *at = (uint32_t)out->words.count;
  out->shared[out->shared_next++ % SJ_SHARED_WORDS] = (sj_shared_words){*at, count};
  e->shares = true;
  return add_words(e, words, count);
}

static g_picture picture_of(const effect *e, const sj_source *source) {
  g_picture p = {.x0 = source->box.x0, .y0 = source->box.y0, .x1 = source->box.x1, .y1 = source->box.y1};
  if (source->place != SJ_NO_PLACE) p.stride = e->out->places.data[source->place].stride;
  return p;
}

// Adds a picture whose base is to be found later.
static bool add_picture(effect *e, const sj_source *source) {
  g_picture p = picture_of(e, source);
  sj_fixup fixup = {(uint32_t)e->out->words.count, *source};
  return note_box(e, fixup.word + 2) && add_words(e, &p, sizeof p / sizeof(uint32_t)) &&
         (source->place == SJ_NO_PLACE || sj_array_push(e->context, &e->out->fixups, fixup));
}

// --- Items ---

typedef struct {
  uint32_t kind, word, flags;
  sj_source from;
  uint32_t to;
  stijl_irect box;  // what is drawn of it
  size_t fixups;    // from here on they are the item's
  int part;         // of boxes: the places of a workgroup
} item;

static item begin_item(const effect *e, uint32_t kind) {
  return (item){.kind = kind,
                .word = (uint32_t)e->out->words.count,
                .from = {.place = SJ_NO_PLACE},
                .fixups = e->out->fixups.count};
}

static void read_at(sj_place *place, sj_moment moment) { place->last = k_max(place->last, moment); }

// Adds an item to draw a place, once all that it reads is there.
static bool add_item(effect *e, const item *i) {
  sj_places *out = e->out;
  sj_place *places = out->places.data;
  sj_moment moment = e->begin;
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
  sj_effect_item made = {.moment = moment,
                         .kind = i->kind,
                         .groups = groups,
                         .from = i->from,
                         .to = i->to,
                         .item = {.columns = columns,
                                  .word = i->word,
                                  .flags = i->flags | (i->from.alpha ? G_ITEM_ALPHA : 0),
                                  .from = picture_of(e, &i->from),
                                  .to = picture_of(e, &to)}};
  return sj_array_push(e->context, &out->items, made);
}

// --- Instructions ---

static bool emit(effect *e, uint32_t op, uint32_t depth, uint32_t value, const sj_source *source) {
  const uint32_t head[2] = {op | depth << G_DEPTH_SHIFT, value};
  return add_words(e, head, 2) && add_picture(e, source);
}

// What is outside of the box becomes transparent in the last instruction.
static void cut_last(effect *e, stijl_irect box) {
  int32_t *corners = (int32_t *)(e->out->words.data + e->out->words.count - 4);
  corners[0] = k_max(corners[0], box.x0);
  corners[1] = k_max(corners[1], box.y0);
  corners[2] = k_min(corners[2], box.x1);
  corners[3] = k_min(corners[3], box.y1);
}

static bool compute(effect *e, uint32_t index, int x, int y, uint32_t depth);

static bool flood(effect *e, uint32_t depth, uint32_t color) {
  return emit(e, G_FLOOD, depth, color, &(sj_source){.place = SJ_NO_PLACE, .box = everywhere});
}

static stijl_irect kept_box(const effect *e, uint32_t index) {
  return sj_irect_intersect(e->out->places.data[e->place[index]].box, step_at(e, index)->full);
}

// Puts a step's pixel on the stack, which has `depth` then, in the colour space asked for; moved by (x, y).
static bool fetch(effect *e, uint32_t index, bool linear, int x, int y, uint32_t depth) {
  if (index == SJ_FILTER_NO_STEP) return flood(e, depth, 0);
  const sj_filter_step *step = step_at(e, index);
  if (!e->stored[index]) {
    if (!compute(e, index, x, y, depth)) return false;
  } else {
    if (e->place[index] == SJ_NO_PLACE) return flood(e, depth, 0);
    sj_source source = {.place = e->place[index], .x = x, .y = y, .box = moved(kept_box(e, index), x, y)};
    if (!emit(e, G_LOAD, depth, 0, &source)) return false;
  }
  if (step->linear == linear || step->black) return true;
  return emit(e, G_SPACE, depth + 1, linear ? G_TO_LINEAR : G_TO_SRGB,
              &(sj_source){.place = SJ_NO_PLACE, .box = everywhere});
}

// The tables of colour spaces are the first words.
static uint32_t in_space(const effect *e, uint32_t color, bool linear) {
  if (!linear) return color;
  const uint8_t *table = (const uint8_t *)(e->out->words.data + G_TO_LINEAR);
  uint32_t a = color >> 24, r = a << 24;
  for (uint32_t c = 0; c < 3; c++) r |= k_div255(table[k_filter_straight(k_channel(color, c), a)] * a) << (8 * c);
  return r;
}

// The same where its alpha alone is looked at.
static bool fetch_alpha(effect *e, uint32_t index, int x, int y, uint32_t depth) {
  bool known = index != SJ_FILTER_NO_STEP;
  const sj_filter_step *step = known ? step_at(e, index) : NULL;
  if (!known || e->stored[index] || step->kind != SJ_FILTER_TRANSFER)
    return fetch(e, index, known && step->linear, x, y, depth);
  sj_source box = {.place = SJ_NO_PLACE, .box = moved(step->box, x, y)};
  return fetch_alpha(e, input_of(e, step, 0), x, y, depth) && emit(e, G_ALPHA_TABLE, depth + 1, e->data[index], &box);
}

// Whether the step is a flood cut by another step's alpha: then one instruction, G_TINT, does both.
static bool tints(const effect *e, const sj_filter_step *step) {
  uint32_t first = input_of(e, step, 0);
  return step->kind == SJ_FILTER_COMPOSITE && step->op == K_FILTER_IN && first != SJ_FILTER_NO_STEP &&
         !e->stored[first] && step_at(e, first)->kind == SJ_FILTER_FLOOD && step_at(e, first)->linear == step->linear;
}

static bool tint(effect *e, uint32_t index, int x, int y, uint32_t depth, uint32_t color, const sj_source *box) {
  return fetch_alpha(e, index, x, y, depth) && emit(e, color == 0xff000000u ? G_ALPHA : G_TINT, depth + 1, color, box);
}

static bool merge(effect *e, const sj_filter_step *step, int x, int y, uint32_t depth, const sj_source *box) {
  bool any = false;
  for (uint32_t i = 0; i < step->input_count; i++) {
    uint32_t in = input_of(e, step, i);
    if (in == SJ_FILTER_NO_STEP) continue;
    if (!fetch(e, in, step->linear, x, y, depth + any)) return false;
    if (any && !emit(e, G_OVER, depth + 2, 0, box)) return false;
    any = true;
  }
  return any || flood(e, depth, 0);
}

// The instructions of a step; they leave its pixel on the stack, which has `depth` before.
static bool compute(effect *e, uint32_t index, int x, int y, uint32_t depth) {
  const sj_filter_step *step = step_at(e, index);
  uint32_t first = input_of(e, step, 0), second = input_of(e, step, 1), value = e->data[index];
  bool linear = step->linear, ok = false;
  sj_source box = {.place = SJ_NO_PLACE, .box = moved(step->box, x, y)};
  switch (step->kind) {
    case SJ_FILTER_OFFSET: ok = fetch(e, first, linear, x + step->x, y + step->y, depth); break;
    case SJ_FILTER_MERGE: ok = merge(e, step, x, y, depth, &box); break;
    case SJ_FILTER_FLOOD: ok = flood(e, depth, in_space(e, step->color, linear)); break;
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA: {
      uint32_t color = step->kind == SJ_FILTER_TINT ? in_space(e, step->color, linear) : 0xff000000u;
      ok = tint(e, first, x, y, depth, color, &box);
      break;
    }
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
      ok = fetch(e, first, linear, x, y, depth) &&
           emit(e, step->kind == SJ_FILTER_MATRIX ? G_MATRIX : G_TABLES, depth + 1, value, &box);
      break;
    default: {
      if (tints(e, step)) {
        const sj_filter_step *flooded = step_at(e, first);
        box.box = sj_irect_intersect(box.box, moved(flooded->box, x, y));
        ok = tint(e, second, x, y, depth, in_space(e, flooded->color, linear), &box);
        break;
      }
      uint32_t op = step->kind == SJ_FILTER_COMPOSITE ? G_COMPOSITE
                    : step->kind == SJ_FILTER_BLEND   ? G_BLEND
                                                      : G_ARITHMETIC;
      ok = fetch(e, first, linear, x, y, depth) && fetch(e, second, linear, x, y, depth + 1) &&
           emit(e, op, depth + 2, op == G_ARITHMETIC ? value : step->op, &box);
    }
  }
  if (ok) cut_last(e, box.box);
  return ok;
}

// Joins an item of instructions with the item of the blur before it, where these instructions alone read the blurred
// picture: the blur's workgroups then run them on what they have blurred, and that picture is never stored. False when
// memory is out.
static bool follow_blur(effect *e, item *i) {
  sj_places *out = e->out;
  if (!e->blurred) return true;
  const sj_effect_item *blur = &out->items.data[e->blurred - 1];
  sj_place *place = &out->places.data[blur->to];
  stijl_irect box = out->places.data[i->to].box;
  size_t at = i->fixups;
  while (at < out->fixups.count && out->fixups.data[at].source.place != blur->to) at++;
  if (at == out->fixups.count || e->blurred != out->items.count ||
      (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0) > G_BLUR_MOST_PIXELS)
    return true;
  e->blurred = 0;
  sj_fixup load = out->fixups.data[at];
  out->fixups.data[at] = out->fixups.data[--out->fixups.count];
  uint32_t *words = out->words.data + load.word;  // the picture of the instruction, behind its operation and value
  words[-2] += G_BLURRED - G_LOAD;
  words[0] = (uint32_t)load.source.x;
  words[1] = (uint32_t)load.source.y;
  out->words.data[blur->item.word + G_BLUR_PROGRAM] = i->word;
  i->kind = blur->kind;
  i->word = blur->item.word;
  i->flags = blur->item.flags & G_ITEM_ALPHA;
  i->from = blur->from;
  place->unused = true;
  out->items.count--;
  return note(e, i->word + G_BLUR_PROGRAM, SJ_NOTE_WORD);
}

// Adds an item of instructions that draw a step, in the colour space asked for; `flags` may have G_ITEM_TO_SRGB.
static bool add_program(effect *e, uint32_t index, bool linear, uint32_t to, uint32_t flags) {
  item i = begin_item(e, G_ITEM_PIXELS);
  const uint32_t none = 0;
  i.to = to;
  if (!add_words(e, &none, 1) || !fetch(e, index, linear, 0, 0, 0)) return false;
  if (flags && !emit(e, G_SPACE, 1, G_TO_SRGB, &(sj_source){.place = SJ_NO_PLACE, .box = everywhere})) return false;
  uint32_t count = (uint32_t)(e->out->words.count - i.word - 1) / G_INSTRUCTION_WORDS;
  e->out->words.data[i.word] = count;
  if (count > MOST_INSTRUCTIONS) return false;
  return follow_blur(e, &i) && add_item(e, &i);
}

// --- Inputs of other steps ---

// Finds where the step's pixels can be read without computing them: in a place that keeps them, or, of a step that only
// moves its input or makes it black, in its input's. False where there is no such place.
static bool find_source(const effect *e, uint32_t index, bool linear, sj_source *out) {
  const sj_filter_step *step = step_at(e, index);
  if (step->linear != linear && !step->black) return false;
  if (e->stored[index]) {
    *out = (sj_source){.place = e->place[index], .box = nothing};
    if (out->place != SJ_NO_PLACE) out->box = kept_box(e, index);
    return true;
  }
  uint32_t first = input_of(e, step, 0);
  bool alpha = step->kind == SJ_FILTER_ALPHA || (step->kind == SJ_FILTER_TINT && step->color == 0xff000000u);
  if ((!alpha && step->kind != SJ_FILTER_OFFSET) || first == SJ_FILTER_NO_STEP ||
      !find_source(e, first, alpha ? step_at(e, first)->linear : step->linear, out))
    return false;
  if (step->kind == SJ_FILTER_OFFSET) {
    out->x += step->x;
    out->y += step->y;
    out->box = moved(out->box, step->x, step->y);
  }
  out->alpha = out->alpha || alpha;
  out->box = sj_irect_intersect(out->box, step->box);
  return true;
}

// Finds a place with the pixels of a step in the colour space asked for; where there is none yet, adds one and the item
// that draws it.
static bool get_source(effect *e, uint32_t index, bool linear, sj_source *out) {
  *out = (sj_source){.place = SJ_NO_PLACE};
  if (index == SJ_FILTER_NO_STEP || find_source(e, index, linear, out)) return true;
  stijl_irect box = step_at(e, index)->box;
  if (e->stored[index] && e->place[index] == SJ_NO_PLACE) box = nothing;
  if (e->stored[index] && e->place[index] != SJ_NO_PLACE) box = sj_irect_intersect(box, kept_box(e, index));
  *out = (sj_source){.place = SJ_NO_PLACE};
  if (sj_irect_is_empty(box)) return true;
  uint32_t place = sj_places_add(e->context, e->out, box);
  *out = (sj_source){.place = place, .box = box};
  return place != SJ_NO_PLACE && add_program(e, index, linear, place, 0);
}

// Finds the place that an item draws a step into, and its flags: the filter's result is stored as sRGB.
static bool begin_output(effect *e, uint32_t index, uint32_t *place, uint32_t *flags) {
  const sj_filter_step *step = step_at(e, index);
  bool result = index == e->plan->result;
  *place = result ? e->surface : sj_places_add(e->context, e->out, step->box);
  *flags = result && step->linear && !step->black ? G_ITEM_TO_SRGB : 0;
  return *place != SJ_NO_PLACE;
}

// --- Along an axis ---

typedef struct {
  bool vertical;
  int from, to;  // the places that edges belong to
  uint32_t edge;
  const k_filter_blur *blur;
  bool larger;
  int radius;
} axis;

static bool blur_along(effect *e, const axis *a, const sj_source *from, uint32_t to, uint32_t flags) {
  const k_filter_blur *blur = a->blur;
  item i = begin_item(e, !blur->window                       ? G_ITEM_WEIGHTS
                         : blur->window > K_FILTER_WINDOW_32 ? G_ITEM_BOXES_WIDE
                                                             : G_ITEM_BOXES);
  // Each part of a line begins with what reaches into it, which should be the smaller share of the work.
  i.part = k_max(G_BOXES_PART, 2 * blur->reach);
  g_blur_words words = {blur->reach, blur->window, blur->scale, a->edge, a->from, a->to, i.part};
  i.from = *from;
  i.to = to;
  i.flags = flags | (a->vertical ? G_ITEM_VERTICAL : 0);
  sj_note_kind kind = a->vertical ? SJ_NOTE_Y : SJ_NOTE_X;
  uint32_t from_word = i.word + offsetof(g_blur_words, from) / sizeof(uint32_t);
  return note(e, from_word, kind) && note(e, from_word + 1, kind) && add_words(e, &words, G_BLUR_WORDS) &&
         (blur->window || add_words(e, blur->weights, K_FILTER_WEIGHTS)) && add_item(e, &i);
}

#define PLACES 8  // that are compared at a time

static stijl_irect with_range(stijl_irect box, bool vertical, int from, int to) {
  return vertical ? (stijl_irect){box.x0, from, box.x1, to} : (stijl_irect){from, box.y0, to, box.y1};
}

// The extremes of windows: of single places, of up to eight of these side by side, of up to eight of those, and so on,
// each noted where its window begins.
static bool extreme_along(effect *e, const axis *a, const sj_source *from, uint32_t to, uint32_t flags) {
  stijl_irect box = e->out->places.data[to].box;
  int first = a->vertical ? box.y0 : box.x0, end = a->vertical ? box.y1 : box.x1, window = 2 * a->radius + 1;
  int in_first = a->vertical ? from->box.y0 : from->box.x0, in_end = a->vertical ? from->box.y1 : from->box.x1;
  sj_source source = *from;
  for (int length = 1; length < window;) {
    int count = k_min(PLACES, (window + length - 1) / length), longer = k_min(window, count * length);
    item i = begin_item(e, G_ITEM_EXTREME);
    int32_t words[1 + PLACES] = {count};
    for (int k = 0; k < count; k++)
      words[1 + k] = k_min(k * length, longer - length) - (longer == window ? a->radius : 0);
    i.from = source;
    i.to = to;
    i.flags = (a->vertical ? G_ITEM_VERTICAL : 0) | (a->larger ? G_ITEM_LARGER : 0);
    if (longer == window) {
      i.flags |= flags;
    } else {
      stijl_irect wanted = with_range(box, a->vertical, k_max(first - a->radius, in_first - longer + 1),
                                      k_min(end + a->radius + 1 - longer, in_end));
      source = (sj_source){.place = SJ_NO_PLACE};
      length = longer;
      if (sj_irect_is_empty(wanted)) continue;
      i.to = sj_places_add(e->context, e->out, wanted);
      source = (sj_source){.place = i.to, .box = wanted};
      if (i.to == SJ_NO_PLACE) return false;
    }
    length = longer;
    if (!add_words(e, words, (size_t)count + 1) || !add_item(e, &i)) return false;
  }
  return true;
}

static bool along(effect *e, const axis *a, const sj_source *from, uint32_t to, uint32_t flags) {
  return a->blur ? blur_along(e, a, from, to, flags) : extreme_along(e, a, from, to, flags);
}

// --- Small blurs ---

// How often the sum of the three boxes counts the pixel at each distance: the coefficients of the product of the boxes,
// 1 + z + ... + z^(w - 1) each.
static void find_taps(const k_filter_blur *blur, int32_t *taps) {
  int w = blur->window, odd = w & 1;
  const int shifts[6] = {0, w, w + 1, 2 * w, 2 * w + 1, 3 * w + 1}, factors[6] = {1, -2, -1, 1, 2, -1};
  const int odd_shifts[4] = {0, w, 2 * w, 3 * w}, odd_factors[4] = {1, -3, 3, -1};
  for (int k = 0; k <= blur->reach; k++) {
    int sum = 0;
    for (int i = 0; i < (odd ? 4 : 6); i++) {
      int n = blur->reach + k - (odd ? odd_shifts : shifts)[i];
      if (n >= 0) sum += (odd ? odd_factors : factors)[i] * ((n + 2) * (n + 1) / 2);
    }
    taps[k] = sum;
  }
}

static bool axis_words(effect *e, const k_filter_blur *blur, g_blur_axis *out) {
  int32_t taps[G_BLUR_TAPS];
  *out = (g_blur_axis){.reach = blur->reach, .boxes = blur->window != 0, .scale = blur->scale};
  if (blur->window) find_taps(blur, taps);
  return share_words(e, blur->window ? taps : blur->weights, (uint32_t)blur->reach + 1, &out->weights);
}

// What a blur reads of its input.
static stijl_irect read_by(const sj_filter_step *step, stijl_irect input) {
  stijl_irect box = step->box;
  box = (stijl_irect){box.x0 - step->x, box.y0 - step->y, box.x1 + step->x, box.y1 + step->y};
  return sj_irect_intersect(input, box);
}

// The words that the input and what the first axis makes of it take: rows have an odd number.
static uint64_t pixels_of_blur(stijl_irect in, uint64_t columns) {
  return (uint64_t)(in.y1 - in.y0) * (((uint64_t)(in.x1 - in.x0) | 1) + (columns | 1));
}

// Whether one workgroup can blur the step's input along both axes.
static bool is_small_blur(const sj_filter_step *step, const sj_source *from) {
  if (step->kind != SJ_FILTER_BLUR || step->op != K_FILTER_EDGE_NONE || from->place == SJ_NO_PLACE ||
      k_max(step->x, step->y) >= G_BLUR_TAPS)
    return false;
  stijl_irect in = read_by(step, from->box), out = step->box;
  uint64_t columns = (uint64_t)(out.x1 - out.x0);
  return !sj_irect_is_empty(in) && pixels_of_blur(in, columns) <= G_BLUR_PIXELS &&
         columns * (uint64_t)(out.y1 - out.y0) <= G_BLUR_MOST_PIXELS;
}

#define NEAR_STEPS 16  // behind a step among which its reader is looked for

// Whether the step's pixels are read once, by instructions that end as a stored picture.
static bool is_read_once(const effect *e, uint32_t index) {
  uint32_t last = e->plan->result;
  for (uint32_t reader = index + 1; reader <= last && reader - index <= NEAR_STEPS; reader++) {
    const sj_filter_step *step = step_at(e, reader);
    bool reads = false;
    for (uint32_t i = 0; i < step->input_count; i++) reads = reads || input_of(e, step, i) == index;
    if (!reads || !step->readers) continue;
    if (step_at(e, index)->readers != 1 || !is_point(step->kind)) return false;
    if (e->stored[reader] || reader == last) return true;
    index = reader;
  }
  return false;
}

static bool small_blur(effect *e, uint32_t index, const sj_source *from) {
  const sj_filter_step *step = step_at(e, index);
  const sj_filter_blurs *blurs = &e->plan->blurs.data[step->item];
  sj_source source = *from;
  source.box = read_by(step, from->box);
  source.alpha = source.alpha || step->black;
  uint64_t pixels = pixels_of_blur(source.box, (uint64_t)(step->box.x1 - step->box.x0));
  g_blur_axis axes[2];
  if (!axis_words(e, &blurs->x, &axes[0]) || !axis_words(e, &blurs->y, &axes[1])) return false;
  item i = begin_item(e, pixels <= G_BLUR_TINY_PIXELS ? G_ITEM_BLUR_TINY : G_ITEM_BLUR);
  i.from = source;
  if (!begin_output(e, index, &i.to, &i.flags)) return false;
  e->place[index] = i.to;
  const int32_t more[3] = {0, step->box.x0, step->box.x1};
  if (!add_words(e, axes, 2 * G_BLUR_AXIS_WORDS) || !add_words(e, more, 3) || !add_item(e, &i) ||
      !note(e, i.word + G_BLUR_FROM, SJ_NOTE_X) || !note(e, i.word + G_BLUR_TO, SJ_NOTE_X))
    return false;
  e->blurred = i.to != e->surface && is_read_once(e, index) ? (uint32_t)e->out->items.count : 0;
  return true;
}

// Blur and morphology: along the rows into a picture that has all rows that are read, then along its columns.
static bool both_axes(effect *e, uint32_t index) {
  const sj_filter_step *step = step_at(e, index);
  uint32_t input = input_of(e, step, 0), edge = step->kind == SJ_FILTER_BLUR ? step->op : K_FILTER_EDGE_NONE, to, flags;
  if (input == SJ_FILTER_NO_STEP) return true;
  if (step->x <= 0 && step->y <= 0) {  // the input itself
    if (!begin_output(e, index, &to, &flags)) return false;
    e->place[index] = to;
    return add_program(e, input, step->linear, to, flags);
  }
  sj_source from;
  if (!get_source(e, input, step->linear, &from)) return false;
  if (is_small_blur(step, &from)) return small_blur(e, index, &from);
  stijl_irect box = step->box, source = edge == K_FILTER_EDGE_NONE ? step_at(e, input)->box : step->full;
  const sj_filter_blurs *blurs = step->kind == SJ_FILTER_BLUR ? &e->plan->blurs.data[step->item] : NULL;
  stijl_irect all = sj_irect_unite(source, box);  // a radius is no larger than that
  axis horizontal = {.from = source.x0,
                     .to = source.x1,
                     .edge = edge,
                     .blur = blurs ? &blurs->x : NULL,
                     .larger = step->op != 0,
                     .radius = k_min(step->x, all.x1 - all.x0)};
  axis vertical = horizontal;
  vertical.vertical = true;
  vertical.from = source.y0;
  vertical.to = source.y1;
  vertical.blur = blurs ? &blurs->y : NULL;
  vertical.radius = k_min(step->y, all.y1 - all.y0);
  if (step->x > 0 && step->y > 0) {
    stijl_irect between = {box.x0, source.y0, box.x1, source.y1};
    if (edge == K_FILTER_EDGE_NONE) {
      between.y0 = k_max(between.y0, box.y0 - step->y);
      between.y1 = k_min(between.y1, box.y1 + step->y);
    }
    uint32_t middle = sj_places_add(e->context, e->out, between);
    if (middle == SJ_NO_PLACE || !along(e, &horizontal, &from, middle, 0)) return false;
    from = (sj_source){.place = middle, .box = between};
  }
  if (!begin_output(e, index, &to, &flags)) return false;
  e->place[index] = to;
  return along(e, step->y > 0 ? &vertical : &horizontal, &from, to, flags);
}

// --- Neighbours, and other places ---

static bool convolve_words(effect *e, const sj_filter_step *step) {
  const stijl_convolution *c = &e->plan->filter->convolutions.data[step->item];
  uint64_t taps = (uint64_t)c->columns * (uint64_t)c->rows;
  g_convolve_words words = {.columns = c->columns,
                            .rows = c->rows,
                            .target_x = c->target_x,
                            .target_y = c->target_y,
                            .bias = c->bias,
                            .preserve_alpha = c->preserve_alpha,
                            .edge = step->op,
                            .x0 = step->full.x0,
                            .y0 = step->full.y0,
                            .x1 = step->full.x1,
                            .y1 = step->full.y1};
  uint32_t box = (uint32_t)e->out->words.count + offsetof(g_convolve_words, x0) / sizeof(uint32_t);
  return taps + (uint64_t)c->rows <= MOST_TAPS && note_box(e, box) && add_words(e, &words, G_CONVOLVE_WORDS) &&
         add_words(e, e->plan->filter->floats.data + step->color, (size_t)taps);
}

static bool displace_words(effect *e, const sj_filter_step *step, const sj_source *map) {
  const float scales[2] = {step->scale_x, step->scale_y};
  return add_picture(e, map) && add_words(e, scales, 2) && add_words(e, step->channels, 2);
}

static bool add_step(effect *e, uint32_t index) {
  const sj_filter_step *step = step_at(e, index);
  if (step->kind == SJ_FILTER_BLUR || step->kind == SJ_FILTER_MORPHOLOGY) return both_axes(e, index);
  uint32_t first = input_of(e, step, 0), to, flags;
  bool linear = step->linear;
  if (step->kind == SJ_FILTER_LIGHT && first != SJ_FILTER_NO_STEP) linear = step_at(e, first)->linear;
  sj_source from = {.place = SJ_NO_PLACE}, map = from;
  if (step->kind != SJ_FILTER_TURBULENCE && !get_source(e, first, linear, &from)) return false;
  if (step->kind == SJ_FILTER_DISPLACE && !get_source(e, input_of(e, step, 1), step->op != 0, &map)) return false;
  if (!begin_output(e, index, &to, &flags)) return false;
  item i = begin_item(e, G_ITEM_TILE);
  bool ok = false;
  switch (step->kind) {
    case SJ_FILTER_CONVOLVE:
      i.kind = G_ITEM_CONVOLVE;
      ok = convolve_words(e, step);
      break;
    case SJ_FILTER_LIGHT:
      i.kind = G_ITEM_LIGHT;
      from.box = sj_irect_intersect(from.box, step->full);  // of what lies outside, nothing is seen
      ok = add_words(e, &step->full, G_LIGHT_BOX_WORDS) &&
           add_words(e, &e->plan->lights.data[step->item], sizeof(k_filter_light) / sizeof(uint32_t));
      break;
    case SJ_FILTER_TURBULENCE:
      i.kind = G_ITEM_NOISE;
      ok = add_words(e, &e->plan->noises.data[step->item], sizeof(k_filter_noise) / sizeof(uint32_t));
      break;
    case SJ_FILTER_DISPLACE:
      i.kind = G_ITEM_DISPLACE;
      ok = displace_words(e, step, &map);
      break;
    default: ok = note_box(e, i.word) && add_words(e, &step->tile, 4);
  }
  i.from = from;
  i.to = to;
  i.flags = flags;
  e->place[index] = to;
  return ok && add_item(e, &i);
}

// --- A filter ---

// Whether the step only moves and cuts a picture that is kept. To read that is as good as to read a copy.
static bool is_view(const effect *e, const sj_filter_step *step) {
  uint32_t in = input_of(e, step, 0);
  return step->kind == SJ_FILTER_OFFSET && in != SJ_FILTER_NO_STEP && e->stored[in];
}

// Decides which steps are stored: those that the plan says, and operands that would need too large a stack.
static void find_stored(effect *e) {
  for (uint32_t i = 0; i <= e->plan->result; i++) {
    const sj_filter_step *step = step_at(e, i);
    e->stored[i] = step->stored && (i != e->plan->result || !is_point(step->kind)) && !is_view(e, step);
    uint32_t depth = 1;
    bool any = false;
    for (uint32_t k = 0; is_point(step->kind) && k < step->input_count; k++) {
      uint32_t in = input_of(e, step, k);
      if (in == SJ_FILTER_NO_STEP && step->kind == SJ_FILTER_MERGE) continue;
      bool stored = in == SJ_FILTER_NO_STEP || e->stored[in];
      uint32_t own = (stored ? 1 : e->depth[in]) + any;
      if (own > G_STACK) {
        e->stored[in] = true;
        own = 1 + (uint32_t)any;
      }
      depth = k_max(depth, own);
      any = true;
    }
    e->depth[i] = (uint8_t)depth;
  }
}

// The words that a step's instruction refers to.
static bool add_data(effect *e, uint32_t index) {
  const sj_filter_step *step = step_at(e, index);
  const stijl_filter *filter = e->plan->filter;
  e->data[index] = (uint32_t)e->out->words.count;
  if (step->kind == SJ_FILTER_MATRIX) return share_words(e, filter->floats.data + step->item, 20, &e->data[index]);
  if (step->kind == SJ_FILTER_TRANSFER) return share_words(e, filter->bytes.data + step->item, 256, &e->data[index]);
  if (step->kind != SJ_FILTER_ARITHMETIC) return true;
  const float *k = filter->floats.data + step->item;
  k_filter_arithmetic a = {k[0] * (1.0f / 65025.0f), k[1] * (1.0f / 255.0f), k[2] * (1.0f / 255.0f), k[3]};
  return add_words(e, &a, 4);
}

static bool add_spaces(effect *e) {
  const sj_filter_spaces *spaces = sj_filter_spaces_get();
  if (e->out->words.count) return true;
  e->shares = true;
  return add_words(e, spaces->to_linear, G_TO_SRGB - G_TO_LINEAR) &&
         add_words(e, spaces->to_srgb, G_SPACES_WORDS - G_TO_SRGB);
}

static bool add_steps(effect *e) {
  const sj_filter_plan *plan = e->plan;
  bool ok = add_spaces(e);
  for (uint32_t i = 0; ok && i <= plan->result; i++) ok = add_data(e, i);
  find_stored(e);
  for (uint32_t i = 0; ok && i <= plan->result; i++) {
    const sj_filter_step *step = step_at(e, i);
    e->place[i] = SJ_NO_PLACE;
    if (step->kind == SJ_FILTER_SOURCE) {
      if (step->item != SJ_FILTER_NO_STEP) e->place[i] = step->item;
      continue;
    }
    if (!e->stored[i] || sj_irect_is_empty(step->box) || !step->readers) continue;
    if (!is_point(step->kind)) {
      ok = add_step(e, i);
      continue;
    }
    e->stored[i] = false;  // while its instructions are written
    uint32_t to = sj_places_add(e->context, e->out, step->box);
    ok = to != SJ_NO_PLACE && add_program(e, i, step->linear, to, 0);
    e->stored[i] = true;
    e->place[i] = to;
  }
  if (ok && e->place[plan->result] != e->surface) ok = add_program(e, plan->result, false, e->surface, 0);
  return ok;
}

static sj_effect_ends ends_of(const sj_places *out) {
  return (sj_effect_ends){(uint32_t)out->words.count, (uint32_t)out->notes.count, (uint32_t)out->fixups.count,
                          (uint32_t)out->items.count, (uint32_t)out->places.count};
}

// Adds what a filter takes, and makes it the template for others that have its plan.
static bool make(stijl_context *context, const sj_encoded *scene, const k_pass *pass, sj_moment begin,
                 sj_effect_template *made, sj_places *out) {
  sj_filter_plan plan;
  if (!sj_encoded_plan(context, scene, pass, &out->steps, &plan)) return false;
  size_t count = plan.steps.count;
  effect e = {.context = context, .plan = &plan, .out = out, .begin = begin, .surface = pass->surface};
  e.place = sj_alloc_array(context, count, 2 * sizeof *e.place + sizeof *e.stored + sizeof *e.depth);
  if (!e.place) return false;
  e.data = e.place + count;
  e.stored = (bool *)(e.data + count);
  e.depth = (uint8_t *)(e.stored + count);
  sj_effect_template t = {.use = scene->filters.data[pass->effect - 1],
                          .surface = pass->surface,
                          .moment = begin,
                          .begin = ends_of(out)};
  bool has_source = t.use.source != SJ_FILTER_NO_STEP, early = !has_source || out->places.data[t.use.source].from <= begin;
  sj_moment read = has_source ? out->places.data[t.use.source].last : 0;
  if (has_source) out->places.data[t.use.source].last = 0;
  bool ok = add_steps(&e);
  sj_free(context, e.place);
  if (has_source) {
    sj_place *source = &out->places.data[t.use.source];
    t.source_read = source->last;
    source->last = k_max(source->last, read);
  }
  t.end = ends_of(out);
  // Words that others refer to would be copied in vain.
  t.made = early && !e.shares;
  if (!made->made) *made = t;
  return ok;
}

bool sj_effect_add(stijl_context *context, const sj_encoded *scene, const k_pass *pass, uint32_t level,
                   sj_places *out) {
  const sj_filter_use *use = &scene->filters.data[pass->effect - 1];
  sj_effect_template *made = &out->templates.data[use->plan];
  sj_moment begin = (sj_moment)level << 32;
  bool copied = false;
  if (made->made && !sj_effect_copy(context, made, use, pass->surface, begin, out, &copied)) return false;
  return copied || make(context, scene, pass, begin, made, out);
}
