#include "gpu/places.h"

#include <string.h>

#include "gpu/plan.h"

uint32_t sj_places_add(stijl_context *context, sj_places *places, stijl_irect box) {
  sj_place made = {
      .box = box, .stride = sj_row_stride(box.x1 - box.x0), .texels = sj_target_bytes(box) / 4, .sheet = SJ_NO_PLACE};
  return sj_array_push(context, &places->places, made) ? (uint32_t)places->places.count - 1 : SJ_NO_PLACE;
}

// Returns the base of a picture, as g_picture has it.
static K_WRAPS uint32_t base_of(const sj_places *places, const sj_source *source) {
  if (source->place == SJ_NO_PLACE) return 0;
  const sj_place *place = &places->places.data[source->place];
  uint32_t x = (uint32_t)place->box.x0 + (uint32_t)source->x, y = (uint32_t)place->box.y0 + (uint32_t)source->y;
  return place->first - y * place->stride - x;
}

// --- Levels ---

// Calls `visit` for each surface that a pass reads.
static void each_input(const sj_encoded *scene, const k_pass *pass, void (*visit)(void *user, uint32_t surface),
                       void *user) {
  if (pass->filter_use) {
    sj_each_source(scene, pass, visit, user);
    return;
  }
  for (uint32_t i = pass->first; i < pass->end; i++) {
    int64_t image = sj_image_of(scene, &scene->draws.data[i]);
    if (image >= (int64_t)scene->scene_image_count) visit(user, (uint32_t)(image - (int64_t)scene->scene_image_count));
  }
}

typedef struct {
  sj_places *out;
  sj_moment moment;
  uint32_t level;  // the lowest that is possible
} reader;

static void find_level(void *user, uint32_t surface) {
  reader *r = user;
  r->level = k_max(r->level, r->out->places.data[surface].level + 1);
}

static void note_reader(void *user, uint32_t surface) {
  reader *r = user;
  sj_place *place = &r->out->places.data[surface];
  place->last = k_max(place->last, r->moment);
}

// Finds the level of each pass. With `side_by_side` it is the lowest at which all that the pass reads is complete, so
// that passes of a level can be drawn together; else each pass has a level of its own.
static bool find_levels(stijl_context *context, const sj_encoded *scene, bool side_by_side, sj_places *out) {
  uint32_t count = (uint32_t)scene->passes.count - 1;  // without the target's
  out->level_count = 0;
  out->levels.count = out->order.count = 0;
  if (!sj_array_reserve(context, &out->levels, count) || !sj_array_reserve(context, &out->order, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const k_pass *pass = &scene->passes.data[i];
    reader r = {.out = out};
    if (!side_by_side) {
      r.level = i;
    } else {
      each_input(scene, pass, find_level, &r);
      if (pass->flags & K_PASS_CONTINUES) find_level(&r, pass->surface);
    }
    out->levels.data[out->levels.count++] = r.level;
    sj_place *place = &out->places.data[pass->surface];
    place->level = r.level;
    if (!(pass->flags & K_PASS_CONTINUES)) place->from = (sj_moment)r.level << 32;
    out->level_count = k_max(out->level_count, r.level + 1);
  }
  for (uint32_t level = 0; !side_by_side && level < count; level++) out->order.data[out->order.count++] = level;
  if (!side_by_side) return true;
  // By counting: order.count says where the next pass of a level goes.
  uint32_t *starts = sj_alloc_zero(context, ((size_t)out->level_count + 1) * sizeof *starts);
  if (!starts) return false;
  for (uint32_t i = 0; i < count; i++) starts[out->levels.data[i] + 1]++;
  for (uint32_t i = 0; i < out->level_count; i++) starts[i + 1] += starts[i];
  for (uint32_t i = 0; i < count; i++) out->order.data[starts[out->levels.data[i]]++] = i;
  out->order.count = count;
  sj_free(context, starts);
  return true;
}

// Sorts a list by moments, byte by byte; those that are the same keep their order.
static bool sort_by_moment(stijl_context *context, sj_places *out, sj_due_list *list) {
  size_t count = list->count;
  out->sorting.count = 0;
  if (!sj_array_reserve(context, &out->sorting, count)) return false;
  uint64_t same = UINT64_MAX, first = count ? list->data[0].moment : 0;
  for (size_t i = 0; i < count; i++) same &= ~(list->data[i].moment ^ first);
  for (uint32_t shift = 0; shift < 64; shift += 8) {
    if ((same >> shift & 255) == 255) continue;
    size_t starts[257] = {0};
    for (size_t i = 0; i < count; i++) starts[(list->data[i].moment >> shift & 255) + 1]++;
    for (int i = 0; i < 255; i++) starts[i + 1] += starts[i];
    for (size_t i = 0; i < count; i++) out->sorting.data[starts[list->data[i].moment >> shift & 255]++] = list->data[i];
    sj_due_list sorted = out->sorting;
    sorted.count = count;
    out->sorting = *list;
    *list = sorted;
  }
  return true;
}

// --- Sheets ---

#define SHEET_WIDTH 2048          // at least: it is as wide as the widest surface
#define SHEET_HEIGHT 16384        // at most
#define SHEET_TEXELS (32u << 20)  // at most: the pixels of a band (MAX_TARGET_BYTES)
#define LARGEST_SIDE 16384        // of a surface on a sheet
// The same where room is short, since a sheet keeps all of its surfaces for as long as one of them is read.
#define SMALL_SIDE 512
#define FEWEST 2  // surfaces that have a sheet

// A sheet that is being filled: surfaces stand side by side on shelves, which are as high as the first one.
typedef struct {
  stijl_context *context;
  sj_places *out;
  uint32_t align;
  uint32_t largest_side;  // of a surface
  uint32_t width;         // of the level's sheets
  uint32_t place;         // of the open sheet
  uint32_t x, y, height;  // where the next surface goes, and the height of the ones beside
} shelves;

static uint32_t width_of(const shelves *s, int width) {
  return (sj_row_stride(width) + s->align - 1) / s->align * s->align;
}

// Puts a surface on the open sheet, whose surfaces are in the order of their heights. Returns false when it is full.
static bool put(shelves *s, uint32_t surface) {
  sj_place *place = &s->out->places.data[surface];
  uint32_t width = width_of(s, place->box.x1 - place->box.x0);
  uint32_t height = sj_row_stride(place->box.y1 - place->box.y0);
  if (s->x + width > s->width) {
    s->x = 0;
    s->y += s->height;
    s->height = 0;
  }
  s->height = k_max(s->height, height);
  if (s->y + s->height > k_min(SHEET_HEIGHT, SHEET_TEXELS / s->width)) return false;
  place->sheet = s->place;
  place->stride = s->width;
  place->x = s->x;
  place->y = s->y;
  s->x += width;
  return true;
}

static void end_sheet(shelves *s) {
  sj_place *place = &s->out->places.data[s->place];
  uint32_t height = s->y + s->height, width = s->y ? s->width : s->x;
  place->box = (stijl_irect){0, 0, (int)width, (int)height};
  place->stride = s->width;
  place->texels = (uint64_t)s->width * height;
}

static bool begin_sheet(shelves *s, uint32_t level) {
  s->place = sj_places_add(s->context, s->out, (stijl_irect){0, 0, (int)s->width, G_TILE});
  s->x = s->y = s->height = 0;
  if (s->place == SJ_NO_PLACE) return false;
  s->out->places.data[s->place].from = (sj_moment)level << 32;
  return sj_array_push(s->context, &s->out->sheets, (sj_sheet){.place = s->place, .level = level});
}

// Returns whether a pass draws a surface for a sheet.
static bool is_for_sheet(const shelves *s, const sj_encoded *scene, const k_pass *pass) {
  const k_surface *surface = &scene->surfaces.data[pass->surface];
  int side = (int)s->largest_side;
  return !pass->filter_use && !pass->flags && surface->width <= side && surface->height <= side &&
         (uint64_t)width_of(s, surface->width) * sj_row_stride(surface->height) <= SHEET_TEXELS;
}

// Finds places for the passes of a level, which are out->order's first..end.
static bool fill_sheets(shelves *s, const sj_encoded *scene, uint32_t level, size_t first, size_t end) {
  sj_places *out = s->out;
  out->begins.count = 0;
  s->width = SHEET_WIDTH;
  for (size_t i = first; i < end; i++) {
    const k_pass *pass = &scene->passes.data[out->order.data[i]];
    if (is_for_sheet(s, scene, pass))
      s->width = k_max(s->width, width_of(s, scene->surfaces.data[pass->surface].width));
  }
  for (size_t i = first; i < end; i++) {
    const k_pass *pass = &scene->passes.data[out->order.data[i]];
    int height = scene->surfaces.data[pass->surface].height;
    if (is_for_sheet(s, scene, pass) && sj_row_stride(height) <= SHEET_TEXELS / s->width &&
        !sj_array_push(s->context, &out->begins, (sj_due){(sj_moment)height, pass->surface}))
      return false;
  }
  if (out->begins.count < FEWEST) return true;
  if (!sort_by_moment(s->context, out, &out->begins)) return false;
  size_t sheet = out->sheets.count;
  if (!begin_sheet(s, level)) return false;
  for (size_t i = out->begins.count; i-- > 0;)
    if (!put(s, out->begins.data[i].place)) {
      // A sheet that is still empty forgets the height of the surface that did not fit.
      if (s->x == 0) s->height = 0;
      end_sheet(s);
      if (!begin_sheet(s, level) || !put(s, out->begins.data[i].place)) return false;
    }
  end_sheet(s);
  for (; sheet < out->sheets.count; sheet++) {
    out->sheets.data[sheet].first = (uint32_t)out->sheet_passes.count;
    for (size_t i = first; i < end; i++) {
      const k_pass *pass = &scene->passes.data[out->order.data[i]];
      if (out->places.data[pass->surface].sheet == out->sheets.data[sheet].place &&
          !sj_array_push(s->context, &out->sheet_passes, out->order.data[i]))
        return false;
    }
    out->sheets.data[sheet].end = (uint32_t)out->sheet_passes.count;
  }
  return true;
}

static bool find_sheets(stijl_context *context, const sj_encoded *scene, uint32_t align, uint32_t largest_side,
                        sj_places *out) {
  shelves s = {.context = context, .out = out, .align = align, .largest_side = largest_side};
  for (size_t first = 0, end; first < out->order.count; first = end) {
    uint32_t level = out->levels.data[out->order.data[first]];
    for (end = first; end < out->order.count && out->levels.data[out->order.data[end]] == level; end++) {
    }
    if (!fill_sheets(&s, scene, level, first, end)) return false;
  }
  return true;
}

// --- Places ---

static uint32_t list_of(uint64_t texels) {
  uint32_t list = 0;
  for (; texels > 1; texels >>= 1) list++;
  return list;
}

static bool give_back(stijl_context *context, sj_places *out, uint32_t first, uint64_t texels) {
  uint32_t *list = &out->lists[list_of(texels)];
  if (!sj_array_push(context, &out->free, (sj_free_place){first, *list, texels})) return false;
  *list = (uint32_t)out->free.count;
  return true;
}

#define TRIES 8  // blocks of about the size that are looked at

// Returns a free block, or one behind all others.
static sj_free_place take(sj_places *out, uint64_t texels) {
  uint32_t own = list_of(texels);
  for (uint32_t list = own; list < own + 2; list++) {
    uint32_t *at = &out->lists[list];
    for (int i = 0; *at && i < TRIES; i++) {
      sj_free_place *block = &out->free.data[*at - 1];
      if (block->texels >= texels) {
        *at = block->next;
        return *block;
      }
      at = &block->next;
    }
  }
  sj_free_place made = {.first = (uint32_t)out->texels, .texels = texels};
  out->texels += texels;
  return made;
}

// Gives each place its texels, which later ones use again. Returns false where there is not enough room.
static bool find_texels(stijl_context *context, const sj_places_limits *limits, sj_places *out) {
  size_t count = out->places.count;
  out->begins.count = out->ends.count = out->free.count = 0;
  memset(out->lists, 0, sizeof out->lists);
  out->texels = limits->first;
  if (!sj_array_reserve(context, &out->begins, count) || !sj_array_reserve(context, &out->ends, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    sj_place *place = &out->places.data[i];
    place->last = k_max(place->last, place->from);
    if (place->sheet != SJ_NO_PLACE) {
      sj_place *sheet = &out->places.data[place->sheet];
      sheet->last = k_max(sheet->last, place->last);
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    const sj_place *place = &out->places.data[i];
    if (place->sheet != SJ_NO_PLACE || place->unused) continue;
    out->begins.data[out->begins.count++] = (sj_due){place->from, i};
    out->ends.data[out->ends.count++] = (sj_due){place->last, i};
  }
  count = out->begins.count;
  if (!count) return true;
  if (!sort_by_moment(context, out, &out->begins) || !sort_by_moment(context, out, &out->ends)) return false;
  for (size_t i = 0, ended = 0; i < count; i++) {
    sj_place *place = &out->places.data[out->begins.data[i].place];
    for (; out->ends.data[ended].moment < place->from; ended++) {
      const sj_place *over = &out->places.data[out->ends.data[ended].place];
      if (!give_back(context, out, over->first, over->texels)) return false;
    }
    sj_free_place block = take(out, place->texels);
    place->first = block.first;
    place->texels = block.texels;
    if (out->texels > limits->end || out->texels - limits->first > limits->most) return false;
  }
  for (size_t i = 0; i < out->places.count; i++) {
    sj_place *place = &out->places.data[i];
    if (place->sheet != SJ_NO_PLACE)
      place->first = out->places.data[place->sheet].first + place->y * place->stride + place->x;
  }
  return true;
}

// --- A frame ---

// Plans places. `largest_side` is that of surfaces that have a sheet; where it is 0, passes are drawn one after the
// other.
static bool plan(stijl_context *context, const sj_encoded *scene, const sj_places_limits *limits, uint32_t largest_side,
                 sj_places *out) {
  out->places.count = out->items.count = out->words.count = out->fixups.count = out->notes.count = 0;
  out->templates.count = 0;
  if (!sj_array_reserve(context, &out->templates, scene->plans.count)) return false;
  while (out->templates.count < scene->plans.count) out->templates.data[out->templates.count++].made = false;
  out->sheets.count = out->sheet_passes.count = 0;
  memset(out->shared, 0, sizeof out->shared);
  for (size_t i = 0; i < scene->surfaces.count; i++) {
    const k_surface *s = &scene->surfaces.data[i];
    stijl_irect box = {s->x, s->y, s->x + s->width, s->y + s->height};
    if (sj_places_add(context, out, box) == SJ_NO_PLACE) return false;
  }
  if (!find_levels(context, scene, largest_side > 0, out)) return false;
  if (largest_side && !find_sheets(context, scene, limits->align, largest_side, out)) return false;
  for (size_t i = 0; i < scene->passes.count; i++) {
    const k_pass *pass = &scene->passes.data[i];
    if (pass->filter_use) {
      if (!sj_items_add(context, scene, pass, out->levels.data[i], out)) return false;
      continue;
    }
    reader r = {.out = out, .moment = SJ_NEVER_FREE};
    if (pass->surface != K_TARGET) r.moment = (sj_moment)out->levels.data[i] << 32;
    each_input(scene, pass, note_reader, &r);
    if (pass->surface != K_TARGET) note_reader(&r, pass->surface);
  }
  return find_texels(context, limits, out);
}

// Fills in what follows from the places.
static void set_bases(sj_places *out) {
  for (size_t i = 0; i < out->fixups.count; i++) {
    const sj_fixup *fixup = &out->fixups.data[i];
    out->words.data[fixup->word] = base_of(out, &fixup->source);
  }
  for (size_t i = 0; i < out->items.count; i++) {
    sj_filter_item *item = &out->items.data[i];
    sj_source to = {.place = item->to};
    item->item.from.base = base_of(out, &item->from);
    item->item.to.base = base_of(out, &to);
  }
}

// Finds the order in which items are drawn, and what goes together.
static bool order_items(stijl_context *context, sj_places *out) {
  size_t count = out->items.count;
  out->begins.count = out->item_order.count = out->filter_runs.count = 0;
  if (!sj_array_reserve(context, &out->begins, count) || !sj_array_reserve(context, &out->item_order, count))
    return false;
  for (size_t i = 0; i < count; i++) {
    const sj_filter_item *item = &out->items.data[i];
    out->begins.data[out->begins.count++] = (sj_due){item->moment * G_ITEMS + item->kind, (uint32_t)i};
  }
  if (!sort_by_moment(context, out, &out->begins)) return false;
  for (uint32_t i = 0; i < count; i++) {
    sj_filter_item *item = &out->items.data[out->begins.data[i].place];
    if (i == 0 || out->begins.data[i].moment != out->begins.data[i - 1].moment) {
      sj_filter_run run = {.moment = item->moment, .kind = item->kind, .first = i};
      if (!sj_array_push(context, &out->filter_runs, run)) return false;
    }
    sj_filter_run *run = &out->filter_runs.data[out->filter_runs.count - 1];
    item->item.group = run->groups;
    run->groups += item->groups;
    run->end = i + 1;
    out->item_order.data[out->item_order.count++] = out->begins.data[i].place;
  }
  return true;
}

bool sj_places_plan(stijl_context *context, const sj_encoded *scene, const sj_places_limits *limits, sj_places *out) {
  // Side by side, where there is room for all that is needed at a time; else one pass after the other.
  if (!plan(context, scene, limits, LARGEST_SIDE, out) && !plan(context, scene, limits, SMALL_SIDE, out) &&
      !plan(context, scene, limits, 0, out))
    return false;
  set_bases(out);
  return order_items(context, out);
}

void sj_places_finish(stijl_context *context, sj_places *places) {
  sj_arrays_finish(context, &places->places, &places->items, &places->words, &places->fixups, &places->notes,
                   &places->templates, &places->levels, &places->order, &places->sheets, &places->sheet_passes,
                   &places->begins, &places->ends, &places->sorting, &places->item_order, &places->filter_runs,
                   &places->free, &places->steps);
}
