// Makes items of the plan of a filter, step by step.
#include "gpu/filter_items.h"

#include <assert.h>
#include <stddef.h>

#include "base/irect.h"

#define MOST_TAPS 14000  // of a convolution: 4 turns of loops each

// --- Neighbours, and other places ---

static bool convolve_words(sj_filter_items *items, const sj_filter_step *step) {
  const stijl_convolution *c = &items->plan->filter->convolutions.data[step->item];
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
  uint32_t box = (uint32_t)items->out->words.count + offsetof(g_convolve_words, x0) / sizeof(uint32_t);
  return taps + (uint64_t)c->rows <= MOST_TAPS && sj_items_note_box(items, box) &&
         sj_items_add_words(items, &words, G_CONVOLVE_WORDS) &&
         sj_items_add_words(items, items->plan->filter->floats.data + step->kernel, (size_t)taps);
}

static bool displace_words(sj_filter_items *items, const sj_filter_step *step, const sj_source *map) {
  const float scales[2] = {step->scale_x, step->scale_y};
  return sj_items_add_picture(items, map) && sj_items_add_words(items, scales, 2) &&
         sj_items_add_words(items, step->channels, 2);
}

static bool light_words(sj_filter_items *items, const sj_filter_step *step) {
  g_light_words words = {.x0 = step->full.x0,
                         .y0 = step->full.y0,
                         .x1 = step->full.x1,
                         .y1 = step->full.y1,
                         .light = items->plan->lights.data[step->item]};
  return sj_items_add_words(items, &words, G_LIGHT_WORDS);
}

static_assert(sizeof(g_convolve_words) == 4 * G_CONVOLVE_WORDS && sizeof(g_light_words) == 4 * G_LIGHT_WORDS &&
                  sizeof(g_displace_words) == 4 * G_DISPLACE_WORDS && sizeof(k_noise_params) == 4 * G_NOISE_WORDS &&
                  sizeof(k_filter_tile) == 4 * G_TILE_AXIS_WORDS,
              "words are counted as the structures have them");

static bool noise_words(sj_filter_items *items, const sj_filter_step *step) {
  return sj_items_add_words(items, &items->plan->noises.data[step->item], sizeof(k_filter_noise) / sizeof(uint32_t));
}

static bool tile_words(sj_filter_items *items, const sj_filter_step *step) {
  uint32_t x = (uint32_t)items->out->words.count, y = x + G_TILE_AXIS_WORDS;
  return sj_items_note(items, x, SJ_NOTE_X) && sj_items_note(items, x + 1, SJ_NOTE_X) &&
         sj_items_note(items, y, SJ_NOTE_Y) && sj_items_note(items, y + 1, SJ_NOTE_Y) &&
         sj_items_add_words(items, &step->tile_x, G_TILE_AXIS_WORDS) &&
         sj_items_add_words(items, &step->tile_y, G_TILE_AXIS_WORDS);
}

static bool add_step(sj_filter_items *items, uint32_t index) {
  const sj_filter_step *step = sj_items_step(items, index);
  if (step->kind == SJ_FILTER_BLUR || step->kind == SJ_FILTER_MORPHOLOGY) return sj_items_add_axes(items, index);
  uint32_t first = sj_items_input(items, step, 0), to, flags;
  bool linear = step->linear;
  if (step->kind == SJ_FILTER_LIGHT && first != SJ_FILTER_NO_STEP) linear = sj_items_step(items, first)->linear;
  sj_source from = {.place = SJ_NO_PLACE}, map = from;
  if (step->kind != SJ_FILTER_TURBULENCE && !sj_items_get_source(items, first, linear, &from)) return false;
  if (step->kind == SJ_FILTER_DISPLACE &&
      !sj_items_get_source(items, sj_items_input(items, step, 1), step->op != 0, &map))
    return false;
  if (!sj_items_begin_output(items, index, &to, &flags)) return false;
  sj_item_draft i = sj_items_begin_item(items, G_ITEM_TILE);
  bool ok = false;
  switch (step->kind) {
    case SJ_FILTER_CONVOLVE:
      i.kind = G_ITEM_CONVOLVE;
      ok = convolve_words(items, step);
      break;
    case SJ_FILTER_LIGHT:
      i.kind = G_ITEM_LIGHT;
      from.box = sj_irect_intersect(from.box, step->full);  // what lies outside is not seen
      ok = light_words(items, step);
      break;
    case SJ_FILTER_TURBULENCE:
      i.kind = G_ITEM_NOISE;
      ok = noise_words(items, step);
      break;
    case SJ_FILTER_DISPLACE:
      i.kind = G_ITEM_DISPLACE;
      ok = displace_words(items, step, &map);
      break;
    case SJ_FILTER_TILE: ok = tile_words(items, step); break;
    case SJ_FILTER_BLUR:
    case SJ_FILTER_MORPHOLOGY:
    case SJ_FILTER_OFFSET:
    case SJ_FILTER_FLOOD:
    case SJ_FILTER_TINT:
    case SJ_FILTER_ALPHA:
    case SJ_FILTER_MATRIX:
    case SJ_FILTER_TRANSFER:
    case SJ_FILTER_COMPOSITE:
    case SJ_FILTER_ARITHMETIC:
    case SJ_FILTER_BLEND:
    case SJ_FILTER_MERGE:
    case SJ_FILTER_SCENE:
    case SJ_FILTER_BACKDROP:
    case SJ_FILTER_SOURCE: break;  // done elsewhere
  }
  i.from = from;
  i.to = to;
  i.flags = flags;
  items->place[index] = to;
  return ok && sj_items_add_item(items, &i);
}

// --- A filter ---

// Returns whether the step only moves and cuts a picture that is kept: reading that is as good as reading a copy.
static bool is_view(const sj_filter_items *items, const sj_filter_step *step) {
  uint32_t in = sj_items_input(items, step, 0);
  return step->kind == SJ_FILTER_OFFSET && in != SJ_FILTER_NO_STEP && items->stored[in];
}

// Decides which steps are stored: those that the plan says, and operands that would need too large a stack.
static void find_stored(sj_filter_items *items) {
  for (uint32_t i = 0; i <= items->plan->result; i++) {
    const sj_filter_step *step = sj_items_step(items, i);
    items->stored[i] =
        step->stored && (i != items->plan->result || !sj_items_is_point(step->kind)) && !is_view(items, step);
    uint32_t depth = 1;
    bool any = false;
    for (uint32_t k = 0; sj_items_is_point(step->kind) && k < step->input_count; k++) {
      uint32_t in = sj_items_input(items, step, k);
      if (in == SJ_FILTER_NO_STEP && step->kind == SJ_FILTER_MERGE) continue;
      bool stored = in == SJ_FILTER_NO_STEP || items->stored[in];
      uint32_t own = (stored ? 1 : items->depth[in]) + any;
      if (own > G_STACK) {
        items->stored[in] = true;
        own = 1 + (uint32_t)any;
      }
      depth = k_max(depth, own);
      any = true;
    }
    items->depth[i] = (uint8_t)depth;
  }
}

// Adds the words that a step's instruction refers to.
static bool add_data(sj_filter_items *items, uint32_t index) {
  const sj_filter_step *step = sj_items_step(items, index);
  const stijl_filter *filter = items->plan->filter;
  items->data[index] = (uint32_t)items->out->words.count;
  if (step->kind == SJ_FILTER_MATRIX)
    return sj_items_share_words(items, filter->floats.data + step->item, 20, &items->data[index]);
  if (step->kind == SJ_FILTER_TRANSFER)
    return sj_items_share_words(items, filter->bytes.data + step->item, 256, &items->data[index]);
  if (step->kind != SJ_FILTER_ARITHMETIC) return true;
  const float *k = filter->floats.data + step->item;
  k_filter_arithmetic a = {k[0] * (1.0f / 65025.0f), k[1] * (1.0f / 255.0f), k[2] * (1.0f / 255.0f), k[3]};
  return sj_items_add_words(items, &a, 4);
}

static bool add_spaces(sj_filter_items *items) {
  const sj_filter_spaces *spaces = sj_filter_spaces_get();
  if (items->out->words.count) return true;
  items->shares = true;
  return sj_items_add_words(items, spaces->to_linear, G_TO_SRGB - G_TO_LINEAR) &&
         sj_items_add_words(items, spaces->to_srgb, G_SPACES_WORDS - G_TO_SRGB);
}

static bool add_steps(sj_filter_items *items) {
  const sj_filter_plan *plan = items->plan;
  bool ok = add_spaces(items);
  for (uint32_t i = 0; ok && i <= plan->result; i++) ok = add_data(items, i);
  find_stored(items);
  for (uint32_t i = 0; ok && i <= plan->result; i++) {
    const sj_filter_step *step = sj_items_step(items, i);
    items->place[i] = SJ_NO_PLACE;
    if (step->kind == SJ_FILTER_SOURCE) {
      if (step->item != SJ_FILTER_NO_STEP) items->place[i] = step->item;
      continue;
    }
    if (!items->stored[i] || sj_irect_is_empty(step->box) || !step->readers) continue;
    if (!sj_items_is_point(step->kind)) {
      ok = add_step(items, i);
      continue;
    }
    items->stored[i] = false;  // not stored while its own instructions are written
    uint32_t to = sj_places_add(items->context, items->out, step->box);
    ok = to != SJ_NO_PLACE && sj_items_add_program(items, i, step->linear, to, 0);
    items->stored[i] = true;
    items->place[i] = to;
  }
  if (ok && items->place[plan->result] != items->surface)
    ok = sj_items_add_program(items, plan->result, false, items->surface, 0);
  return ok;
}

static sj_filter_ends ends_of(const sj_places *out) {
  return (sj_filter_ends){(uint32_t)out->words.count, (uint32_t)out->notes.count, (uint32_t)out->fixups.count,
                          (uint32_t)out->items.count, (uint32_t)out->places.count};
}

// Adds the items of a filter, and makes it the template for others with the same plan.
static bool make(stijl_context *context, const sj_encoded *scene, const k_pass *pass, sj_moment begin,
                 sj_filter_template *made, sj_places *out) {
  sj_filter_plan plan;
  if (!sj_encoded_plan(context, scene, pass, &out->steps, &plan)) return false;
  size_t count = plan.steps.count;
  sj_filter_items items = {.context = context, .plan = &plan, .out = out, .begin = begin, .surface = pass->surface};
  items.place = sj_alloc_array(context, count, 2 * sizeof *items.place + sizeof *items.stored + sizeof *items.depth);
  if (!items.place) return false;
  items.data = items.place + count;
  items.stored = (bool *)(items.data + count);
  items.depth = (uint8_t *)(items.stored + count);
  sj_filter_template t = {.use = scene->filters.data[pass->filter_use - 1],
                          .surface = pass->surface,
                          .moment = begin,
                          .begin = ends_of(out)};
  bool has_source = t.use.source != SJ_FILTER_NO_STEP,
       early = !has_source || out->places.data[t.use.source].from <= begin;
  sj_moment read = has_source ? out->places.data[t.use.source].last : 0;
  if (has_source) out->places.data[t.use.source].last = 0;
  bool ok = add_steps(&items);
  sj_free(context, items.place);
  if (has_source) {
    sj_place *source = &out->places.data[t.use.source];
    t.source_read = source->last;
    source->last = k_max(source->last, read);
  }
  t.end = ends_of(out);
  // A template with words that other filters refer to would be copied with these, in vain.
  t.made = early && !items.shares;
  if (!made->made) *made = t;
  return ok;
}

bool sj_items_add(stijl_context *context, const sj_encoded *scene, const k_pass *pass, uint32_t level, sj_places *out) {
  const sj_filter_use *use = &scene->filters.data[pass->filter_use - 1];
  sj_filter_template *made = &out->templates.data[use->plan];
  sj_moment begin = (sj_moment)level << 32;
  bool copied = false;
  if (made->made && !sj_items_copy(context, made, use, pass->surface, begin, out, &copied)) return false;
  return copied || make(context, scene, pass, begin, made, out);
}
