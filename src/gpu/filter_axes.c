// Makes items of the steps of filters that go along rows and columns: blurs and morphology.
#include <stddef.h>

#include "base/irect.h"
#include "gpu/filter_items.h"

// --- Along an axis ---

typedef struct {
  bool vertical;
  int from, to;  // where the input begins and ends, for its edges
  uint32_t edge;
  const k_filter_blur *blur;
  bool larger;
  int radius;
} axis;

static bool blur_along(sj_filter_items *items, const axis *a, const sj_source *from, uint32_t to, uint32_t flags) {
  const k_filter_blur *blur = a->blur;
  sj_item_draft i = sj_items_begin_item(items, !blur->window                       ? G_ITEM_WEIGHTS
                                               : blur->window > K_FILTER_WINDOW_32 ? G_ITEM_BOXES_WIDE
                                                                                   : G_ITEM_BOXES);
  // Each part of a line begins with what reaches into it. That should be the smaller share of the work.
  i.part = k_max(G_BOXES_PART, 2 * blur->reach);
  g_blur_words words = {blur->reach, blur->window, blur->scale, a->edge, a->from, a->to, i.part};
  i.from = *from;
  i.to = to;
  i.flags = flags | (a->vertical ? G_ITEM_VERTICAL : 0);
  sj_note_kind kind = a->vertical ? SJ_NOTE_Y : SJ_NOTE_X;
  uint32_t from_word = i.word + offsetof(g_blur_words, from) / sizeof(uint32_t);
  return sj_items_note(items, from_word, kind) && sj_items_note(items, from_word + 1, kind) &&
         sj_items_add_words(items, &words, G_BLUR_WORDS) &&
         (blur->window || sj_items_add_words(items, blur->weights, K_FILTER_WEIGHTS)) && sj_items_add_item(items, &i);
}

#define PLACES 8  // how many places an item compares at a time

static stijl_irect with_range(stijl_irect box, bool vertical, int from, int to) {
  return vertical ? (stijl_irect){box.x0, from, box.x1, to} : (stijl_irect){from, box.y0, to, box.y1};
}

// Finds the extremes of windows in steps: of windows of up to eight places, of up to eight of those side by side, and
// so on. Each result is stored where its window begins.
static bool extreme_along(sj_filter_items *items, const axis *a, const sj_source *from, uint32_t to, uint32_t flags) {
  stijl_irect box = items->out->places.data[to].box;
  int first = a->vertical ? box.y0 : box.x0, end = a->vertical ? box.y1 : box.x1, window = 2 * a->radius + 1;
  int in_first = a->vertical ? from->box.y0 : from->box.x0, in_end = a->vertical ? from->box.y1 : from->box.x1;
  sj_source source = *from;
  for (int length = 1; length < window;) {
    int count = k_min(PLACES, (window + length - 1) / length), longer = k_min(window, count * length);
    sj_item_draft i = sj_items_begin_item(items, G_ITEM_EXTREME);
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
      i.to = sj_places_add(items->context, items->out, wanted);
      source = (sj_source){.place = i.to, .box = wanted};
      if (i.to == SJ_NO_PLACE) return false;
    }
    length = longer;
    if (!sj_items_add_words(items, words, (size_t)count + 1) || !sj_items_add_item(items, &i)) return false;
  }
  return true;
}

static bool along(sj_filter_items *items, const axis *a, const sj_source *from, uint32_t to, uint32_t flags) {
  return a->blur ? blur_along(items, a, from, to, flags) : extreme_along(items, a, from, to, flags);
}

// --- Small blurs ---

// Computes how often the sum of three boxes counts the pixel at each distance: the coefficients of the product of the
// boxes, each 1 + z + ... + z^(w - 1).
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

static bool axis_words(sj_filter_items *items, const k_filter_blur *blur, g_blur_axis *out) {
  int32_t taps[G_BLUR_TAPS];
  *out = (g_blur_axis){.reach = blur->reach, .boxes = blur->window != 0, .scale = blur->scale};
  if (blur->window) find_taps(blur, taps);
  return sj_items_share_words(items, blur->window ? taps : blur->weights, (uint32_t)blur->reach + 1, &out->weights);
}

// Returns the part of its input that a blur reads.
static stijl_irect read_by(const sj_filter_step *step, stijl_irect input) {
  stijl_irect box = step->box;
  box = (stijl_irect){box.x0 - step->x, box.y0 - step->y, box.x1 + step->x, box.y1 + step->y};
  return sj_irect_intersect(input, box);
}

// Returns how many words of shared memory the input takes, and what the first axis makes of it. Rows have an odd number
// of words.
static uint64_t pixels_of_blur(stijl_irect in, uint64_t columns) {
  return (uint64_t)(in.y1 - in.y0) * (((uint64_t)(in.x1 - in.x0) | 1) + (columns | 1));
}

// Returns whether one workgroup can blur the step's input along both axes.
static bool is_small_blur(const sj_filter_step *step, const sj_source *from) {
  if (step->kind != SJ_FILTER_BLUR || step->op != K_FILTER_EDGE_NONE || from->place == SJ_NO_PLACE ||
      k_max(step->x, step->y) >= G_BLUR_TAPS)
    return false;
  stijl_irect in = read_by(step, from->box), out = step->box;
  uint64_t columns = (uint64_t)(out.x1 - out.x0);
  return !sj_irect_is_empty(in) && pixels_of_blur(in, columns) <= G_BLUR_PIXELS &&
         columns * (uint64_t)(out.y1 - out.y0) <= G_BLUR_MOST_PIXELS;
}

#define NEAR_STEPS 16  // how far behind a step its reader is looked for

// Returns whether the step's pixels are read once, by instructions whose result is stored.
static bool is_read_once(const sj_filter_items *items, uint32_t index) {
  uint32_t last = items->plan->result;
  for (uint32_t reader = index + 1; reader <= last && reader - index <= NEAR_STEPS; reader++) {
    const sj_filter_step *step = sj_items_step(items, reader);
    bool reads = false;
    for (uint32_t i = 0; i < step->input_count; i++) reads = reads || sj_items_input(items, step, i) == index;
    if (!reads || !step->readers) continue;
    if (sj_items_step(items, index)->readers != 1 || !sj_items_is_point(step->kind)) return false;
    if (items->stored[reader] || reader == last) return true;
    index = reader;
  }
  return false;
}

static bool small_blur(sj_filter_items *items, uint32_t index, const sj_source *from) {
  const sj_filter_step *step = sj_items_step(items, index);
  const sj_filter_blurs *blurs = &items->plan->blurs.data[step->item];
  sj_source source = *from;
  source.box = read_by(step, from->box);
  source.alpha = source.alpha || step->black;
  uint64_t pixels = pixels_of_blur(source.box, (uint64_t)(step->box.x1 - step->box.x0));
  g_blur_axis axes[2];
  if (!axis_words(items, &blurs->x, &axes[0]) || !axis_words(items, &blurs->y, &axes[1])) return false;
  sj_item_draft i = sj_items_begin_item(items, pixels <= G_BLUR_TINY_PIXELS ? G_ITEM_BLUR_TINY : G_ITEM_BLUR);
  i.from = source;
  if (!sj_items_begin_output(items, index, &i.to, &i.flags)) return false;
  items->place[index] = i.to;
  const int32_t more[3] = {0, step->box.x0, step->box.x1};
  if (!sj_items_add_words(items, axes, 2 * G_BLUR_AXIS_WORDS) || !sj_items_add_words(items, more, 3) ||
      !sj_items_add_item(items, &i) || !sj_items_note(items, i.word + G_BLUR_FROM, SJ_NOTE_X) ||
      !sj_items_note(items, i.word + G_BLUR_TO, SJ_NOTE_X))
    return false;
  items->blurred = i.to != items->surface && is_read_once(items, index) ? (uint32_t)items->out->items.count : 0;
  return true;
}

bool sj_items_add_axes(sj_filter_items *items, uint32_t index) {
  const sj_filter_step *step = sj_items_step(items, index);
  uint32_t input = sj_items_input(items, step, 0), edge = step->kind == SJ_FILTER_BLUR ? step->op : K_FILTER_EDGE_NONE,
           to, flags;
  if (input == SJ_FILTER_NO_STEP) return true;
  if (step->x <= 0 && step->y <= 0) {  // the result is the input itself
    if (!sj_items_begin_output(items, index, &to, &flags)) return false;
    items->place[index] = to;
    return sj_items_add_program(items, input, step->linear, to, flags);
  }
  sj_source from;
  if (!sj_items_get_source(items, input, step->linear, &from)) return false;
  if (is_small_blur(step, &from)) return small_blur(items, index, &from);
  stijl_irect box = step->box, source = edge == K_FILTER_EDGE_NONE ? sj_items_step(items, input)->box : step->full;
  const sj_filter_blurs *blurs = step->kind == SJ_FILTER_BLUR ? &items->plan->blurs.data[step->item] : NULL;
  stijl_irect all = sj_irect_unite(source, box);  // a larger radius makes no difference
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
    uint32_t middle = sj_places_add(items->context, items->out, between);
    if (middle == SJ_NO_PLACE || !along(items, &horizontal, &from, middle, 0)) return false;
    from = (sj_source){.place = middle, .box = between};
  }
  if (!sj_items_begin_output(items, index, &to, &flags)) return false;
  items->place[index] = to;
  return along(items, step->y > 0 ? &vertical : &horizontal, &from, to, flags);
}
