// Makes instructions of the steps of filters that need one pixel of each input. Steps whose pixels are not kept become
// instructions of the item that reads them.
#include "base/irect.h"
#include "gpu/filter_items.h"

#define MOST_INSTRUCTIONS 4000  // of an item: at most 10 turns of loops each

static const stijl_irect everywhere = {INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, nothing = {0, 0, 0, 0};

static stijl_irect moved(stijl_irect r, int x, int y) { return (stijl_irect){r.x0 + x, r.y0 + y, r.x1 + x, r.y1 + y}; }

// --- Instructions ---

static bool emit(sj_filter_items *items, uint32_t op, uint32_t depth, uint32_t value, const sj_source *source) {
  const uint32_t head[2] = {op | depth << G_DEPTH_SHIFT, value};
  return sj_items_add_words(items, head, 2) && sj_items_add_picture(items, source);
}

// Makes the last instruction leave what is outside of the box transparent.
static void cut_last(sj_filter_items *items, stijl_irect box) {
  int32_t *corners = (int32_t *)(items->out->words.data + items->out->words.count - 4);
  corners[0] = k_max(corners[0], box.x0);
  corners[1] = k_max(corners[1], box.y0);
  corners[2] = k_min(corners[2], box.x1);
  corners[3] = k_min(corners[3], box.y1);
}

static bool compute(sj_filter_items *items, uint32_t index, int x, int y, uint32_t depth);

static bool flood(sj_filter_items *items, uint32_t depth, uint32_t color) {
  return emit(items, G_FLOOD, depth, color, &(sj_source){.place = SJ_NO_PLACE, .box = everywhere});
}

static stijl_irect kept_box(const sj_filter_items *items, uint32_t index) {
  return sj_irect_intersect(items->out->places.data[items->place[index]].box, sj_items_step(items, index)->full);
}

// Puts a step's pixel, moved by (x, y), on the stack, which has `depth` pixels before, in the colour space asked for.
static bool fetch(sj_filter_items *items, uint32_t index, bool linear, int x, int y, uint32_t depth) {
  if (index == SJ_FILTER_NO_STEP) return flood(items, depth, 0);
  const sj_filter_step *step = sj_items_step(items, index);
  if (!items->stored[index]) {
    if (!compute(items, index, x, y, depth)) return false;
  } else {
    if (items->place[index] == SJ_NO_PLACE) return flood(items, depth, 0);
    sj_source source = {.place = items->place[index], .x = x, .y = y, .box = moved(kept_box(items, index), x, y)};
    if (!emit(items, G_LOAD, depth, 0, &source)) return false;
  }
  if (step->linear == linear || step->black) return true;
  return emit(items, G_SPACE, depth + 1, linear ? G_TO_LINEAR : G_TO_SRGB,
              &(sj_source){.place = SJ_NO_PLACE, .box = everywhere});
}

// Converts a colour by the tables of colour spaces, which are the first words.
static uint32_t in_space(const sj_filter_items *items, uint32_t color, bool linear) {
  if (!linear) return color;
  const uint8_t *table = (const uint8_t *)(items->out->words.data + G_TO_LINEAR);
  uint32_t a = color >> 24, r = a << 24;
  for (uint32_t c = 0; c < 3; c++) r |= k_div255(table[k_filter_straight(k_channel(color, c), a)] * a) << (8 * c);
  return r;
}

// Does the same where only the pixel's alpha matters, so that colours need not be computed.
static bool fetch_alpha(sj_filter_items *items, uint32_t index, int x, int y, uint32_t depth) {
  bool known = index != SJ_FILTER_NO_STEP;
  const sj_filter_step *step = known ? sj_items_step(items, index) : NULL;
  if (!known || items->stored[index] || step->kind != SJ_FILTER_TRANSFER)
    return fetch(items, index, known && step->linear, x, y, depth);
  sj_source box = {.place = SJ_NO_PLACE, .box = moved(step->box, x, y)};
  return fetch_alpha(items, sj_items_input(items, step, 0), x, y, depth) &&
         emit(items, G_ALPHA_TABLE, depth + 1, items->data[index], &box);
}

// Returns whether the step is a flood cut by another step's alpha: one instruction, G_TINT, does both.
static bool tints(const sj_filter_items *items, const sj_filter_step *step) {
  uint32_t first = sj_items_input(items, step, 0);
  return step->kind == SJ_FILTER_COMPOSITE && step->op == K_FILTER_IN && first != SJ_FILTER_NO_STEP &&
         !items->stored[first] && sj_items_step(items, first)->kind == SJ_FILTER_FLOOD &&
         sj_items_step(items, first)->linear == step->linear;
}

static bool tint(sj_filter_items *items, uint32_t index, int x, int y, uint32_t depth, uint32_t color,
                 const sj_source *box) {
  return fetch_alpha(items, index, x, y, depth) &&
         emit(items, color == 0xff000000u ? G_ALPHA : G_TINT, depth + 1, color, box);
}

static bool merge(sj_filter_items *items, const sj_filter_step *step, int x, int y, uint32_t depth,
                  const sj_source *box) {
  bool any = false;
  for (uint32_t i = 0; i < step->input_count; i++) {
    uint32_t in = sj_items_input(items, step, i);
    if (in == SJ_FILTER_NO_STEP) continue;
    if (!fetch(items, in, step->linear, x, y, depth + any)) return false;
    if (any && !emit(items, G_OVER, depth + 2, 0, box)) return false;
    any = true;
  }
  return any || flood(items, depth, 0);
}

// Adds the instructions of a step, which leave its pixel on the stack with `depth` pixels before.
static bool compute(sj_filter_items *items, uint32_t index, int x, int y, uint32_t depth) {
  const sj_filter_step *step = sj_items_step(items, index);
  uint32_t first = sj_items_input(items, step, 0), second = sj_items_input(items, step, 1), value = items->data[index];
  bool linear = step->linear, ok = false;
  sj_source box = {.place = SJ_NO_PLACE, .box = moved(step->box, x, y)};
  switch (step->kind) {
    case SJ_FILTER_OFFSET: ok = fetch(items, first, linear, x + step->x, y + step->y, depth); break;
    case SJ_FILTER_MERGE: ok = merge(items, step, x, y, depth, &box); break;
    case SJ_FILTER_FLOOD: ok = flood(items, depth, in_space(items, step->color, linear)); break;
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA: {
      uint32_t color = step->kind == SJ_FILTER_TINT ? in_space(items, step->color, linear) : 0xff000000u;
      ok = tint(items, first, x, y, depth, color, &box);
      break;
    }
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
      ok = fetch(items, first, linear, x, y, depth) &&
           emit(items, step->kind == SJ_FILTER_MATRIX ? G_MATRIX : G_TABLES, depth + 1, value, &box);
      break;
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_ARITHMETIC:
    case SJ_FILTER_BLEND: {
      if (tints(items, step)) {
        const sj_filter_step *flooded = sj_items_step(items, first);
        box.box = sj_irect_intersect(box.box, moved(flooded->box, x, y));
        ok = tint(items, second, x, y, depth, in_space(items, flooded->color, linear), &box);
        break;
      }
      uint32_t op = step->kind == SJ_FILTER_COMPOSITE ? G_COMPOSITE
                    : step->kind == SJ_FILTER_BLEND   ? G_BLEND
                                                      : G_ARITHMETIC;
      ok = fetch(items, first, linear, x, y, depth) && fetch(items, second, linear, x, y, depth + 1) &&
           emit(items, op, depth + 2, op == G_ARITHMETIC ? value : step->op, &box);
      break;
    }
    case SJ_FILTER_BLUR:
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_CONVOLVE:
    case SJ_FILTER_DISPLACE:
    case SJ_FILTER_TILE:
    case SJ_FILTER_TURBULENCE:
    case SJ_FILTER_LIGHT:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: break;  // no points: they are always stored
  }
  if (ok) cut_last(items, box.box);
  return ok;
}

// Joins an item of instructions with the item of the blur before it, where these instructions alone read the blurred
// picture: the blur's workgroups then run them on what they have blurred, and that picture is never stored.
static bool follow_blur(sj_filter_items *items, sj_item_draft *i) {
  sj_places *out = items->out;
  if (!items->blurred) return true;
  const sj_filter_item *blur = &out->items.data[items->blurred - 1];
  sj_place *place = &out->places.data[blur->to];
  stijl_irect box = out->places.data[i->to].box;
  size_t at = i->fixups;
  while (at < out->fixups.count && out->fixups.data[at].source.place != blur->to) at++;
  if (at == out->fixups.count || items->blurred != out->items.count ||
      (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0) > G_BLUR_MOST_PIXELS)
    return true;
  items->blurred = 0;
  sj_fixup load = out->fixups.data[at];
  out->fixups.data[at] = out->fixups.data[--out->fixups.count];
  uint32_t *words = out->words.data + load.word;  // the instruction's picture, behind its operation and value
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
  return sj_items_note(items, i->word + G_BLUR_PROGRAM, SJ_NOTE_WORD);
}

bool sj_items_add_program(sj_filter_items *items, uint32_t index, bool linear, uint32_t to, uint32_t flags) {
  sj_item_draft i = sj_items_begin_item(items, G_ITEM_PIXELS);
  const uint32_t none = 0;
  i.to = to;
  if (!sj_items_add_words(items, &none, 1) || !fetch(items, index, linear, 0, 0, 0)) return false;
  if (flags && !emit(items, G_SPACE, 1, G_TO_SRGB, &(sj_source){.place = SJ_NO_PLACE, .box = everywhere})) return false;
  uint32_t count = (uint32_t)(items->out->words.count - i.word - 1) / G_INSTRUCTION_WORDS;
  items->out->words.data[i.word] = count;
  if (count > MOST_INSTRUCTIONS) return false;
  return follow_blur(items, &i) && sj_items_add_item(items, &i);
}

// --- Inputs of other steps ---

// Finds where the step's pixels can be read without computing them: in a place that keeps them or, for a step that only
// moves its input or makes it black, in its input's. Returns false where there is no such place.
static bool find_source(const sj_filter_items *items, uint32_t index, bool linear, sj_source *out) {
  const sj_filter_step *step = sj_items_step(items, index);
  if (step->linear != linear && !step->black) return false;
  if (items->stored[index]) {
    *out = (sj_source){.place = items->place[index], .box = nothing};
    if (out->place != SJ_NO_PLACE) out->box = kept_box(items, index);
    return true;
  }
  uint32_t first = sj_items_input(items, step, 0);
  bool alpha = step->kind == SJ_FILTER_ALPHA || (step->kind == SJ_FILTER_TINT && step->color == 0xff000000u);
  if ((!alpha && step->kind != SJ_FILTER_OFFSET) || first == SJ_FILTER_NO_STEP ||
      !find_source(items, first, alpha ? sj_items_step(items, first)->linear : step->linear, out))
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

bool sj_items_get_source(sj_filter_items *items, uint32_t index, bool linear, sj_source *out) {
  *out = (sj_source){.place = SJ_NO_PLACE};
  if (index == SJ_FILTER_NO_STEP || find_source(items, index, linear, out)) return true;
  stijl_irect box = sj_items_step(items, index)->box;
  if (items->stored[index] && items->place[index] == SJ_NO_PLACE) box = nothing;
  if (items->stored[index] && items->place[index] != SJ_NO_PLACE) box = sj_irect_intersect(box, kept_box(items, index));
  *out = (sj_source){.place = SJ_NO_PLACE};
  if (sj_irect_is_empty(box)) return true;
  uint32_t place = sj_places_add(items->context, items->out, box);
  *out = (sj_source){.place = place, .box = box};
  return place != SJ_NO_PLACE && sj_items_add_program(items, index, linear, place, 0);
}

bool sj_items_begin_output(sj_filter_items *items, uint32_t index, uint32_t *place, uint32_t *flags) {
  const sj_filter_step *step = sj_items_step(items, index);
  bool result = index == items->plan->result;
  *place = result ? items->surface : sj_places_add(items->context, items->out, step->box);
  *flags = result && step->linear && !step->black ? G_ITEM_TO_SRGB : 0;
  return *place != SJ_NO_PLACE;
}
