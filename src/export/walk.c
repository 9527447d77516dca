// The walk over a scene's draws.
#include "export/export.h"
#include "kernel/composite.h"
#include "scene/filter.h"

#define MOST_SIDE 19200.0f  // CSS pixels: 14400 points
// How deep layers and masks may be nested in a file: cairo and viewers take a stack's room for each. Deeper ones are
// drawn as images.
#define MOST_DEPTH 32

void sj_export_fail_memory(sj_exporter *x) {
  if (sj_exporting(x)) x->result = sj_fail_memory(x->message);
}

bool sj_export_spend(sj_exporter *x, uint64_t work) {
  if (sj_exporting(x) && !sj_context_check(x->context, work)) x->result = sj_budget_spent(x->message);
  return sj_exporting(x);
}

stijl_result sj_export_check(const stijl_scene *scene, const stijl_page *page, stijl_message *message) {
  if (!scene || !scene->finished)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the scene to export has to be finished");
  if (scene->status != STIJL_OK)
    return sj_fail(message, scene->status, "the scene has failed: %s", scene->message.text);
  if (!(page->width > 0.0f && page->width <= MOST_SIDE && page->height > 0.0f && page->height <= MOST_SIDE))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "a page of %g x %g CSS pixels is not within %g x %g",
                   (double)page->width, (double)page->height, (double)MOST_SIDE, (double)MOST_SIDE);
  if (!(page->raster_dpi >= 1.0f && page->raster_dpi <= 9600.0f) || !stijl_matrix_is_finite(page->transform))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the page has a value out of range");
  return STIJL_OK;
}

// A list of draws, and where each layer of it ends.
typedef struct {
  const sj_draw *draws;
  uint32_t *ends;
  uint32_t count;
} list;

// Finds the ends of layers; false without memory.
static bool open_list(sj_exporter *x, const sj_draw *draws, uint32_t count, list *out) {
  *out = (list){draws, sj_alloc_array(x->context, count, sizeof *out->ends), count};
  SJ_ARRAY(uint32_t) open = {0};
  bool good = out->ends;
  for (uint32_t i = 0; good && i < count; i++) {
    out->ends[i] = i;
    if (draws[i].op == K_DRAW_PUSH) good = sj_array_push(x->context, &open, i);
    if (draws[i].op == K_DRAW_POP) out->ends[open.data[--open.count]] = i;
  }
  sj_array_finish(x->context, &open);
  if (!good) sj_export_fail_memory(x);
  return good;
}

static bool is_mask(const sj_draw *draw) { return draw->op == K_DRAW_PUSH && draw->blend >= K_BLEND_MASK_ALPHA; }

// Returns whether the format cannot draw a layer over what is below it.
static bool needs_below(const sj_exporter *x, const sj_draw *push) {
  return (push->blend == K_BLEND_PLUS_LIGHTER && !x->format->blends_plus_lighter) ||
         (push->filter && x->scene->filters.data[push->filter - 1].filter->reads_backdrop);
}

// Returns the same of some outermost layer of a scene within.
static bool sub_needs_below(const sj_exporter *x, const sj_subscene *sub) {
  if (!sub->blends && !sub->backdrops) return false;
  uint32_t depth = 0;
  for (uint32_t i = sub->first; i < sub->first + sub->count; i++) {
    const sj_draw *draw = &x->scene->inner.data[i];
    if (draw->op == K_DRAW_PUSH && !depth++ && needs_below(x, draw)) return true;
    if (draw->op == K_DRAW_POP) depth--;
    if (draw->op == SJ_DRAW_SCENE && !depth && sub_needs_below(x, &x->scene->subscenes.data[draw->paint])) return true;
  }
  return false;
}

// Returns whether draws of a list, those in layers apart, need what is below.
static bool some_need_below(const sj_exporter *x, const list *l, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i = l->ends[i] + 1) {
    const sj_draw *draw = &l->draws[i];
    if (draw->op == K_DRAW_PUSH && needs_below(x, draw)) return true;
    if (draw->op == SJ_DRAW_SCENE && sub_needs_below(x, &x->scene->subscenes.data[draw->paint])) return true;
  }
  return false;
}

// Returns whether all that draws show is white, so that the luminance is the alpha.
static bool only_white(const sj_draw *draws, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const sj_draw *d = &draws[i];
    bool shape = d->op <= K_DRAW_ALL || d->op == SJ_DRAW_GLYPHS;
    if (d->op == SJ_DRAW_SCENE || d->filter) return false;
    if (shape && (!(d->flags & K_DRAW_SOLID) || d->paint != (d->paint >> 24) * 0x01010101u)) return false;
    if (d->op == K_DRAW_PUSH && d->blend != K_BLEND_NORMAL && !is_mask(d)) return false;
  }
  return true;
}

static void put_raster(sj_exporter *x, const sj_draw *draws, uint32_t count, const stijl_matrix *m) {
  sj_raster raster;
  sj_export_raster(x, draws, count, m, false, &raster);
  uint32_t blend = draws->op == K_DRAW_PUSH ? draws->blend : K_BLEND_NORMAL;
  if (raster.pixels) x->format->raster(x, &raster, blend);
}

static void walk(sj_exporter *x, const list *l, uint32_t first, uint32_t end, const stijl_matrix *m);

static void walk_mask(sj_exporter *x, const list *l, uint32_t i, const stijl_matrix *m) {
  uint32_t end = l->ends[i], kind = l->draws[i].blend, count = end - i + 1;
  bool said = kind == K_BLEND_MASK_ALPHA || x->format->masks_luminance || only_white(l->draws + i + 1, count - 2);
  if (!said || x->depth >= MOST_DEPTH || some_need_below(x, l, i + 1, end)) {
    sj_raster raster;
    sj_export_raster(x, l->draws + i, count, m, true, &raster);
    if (sj_exporting(x)) x->format->mask_raster(x, &raster);
    return;
  }
  x->depth++;
  x->format->begin_mask(x, kind);
  walk(x, l, i + 1, end, m);
  if (sj_exporting(x)) x->format->end_mask(x);
  x->depth--;
}

static void walk_layer(sj_exporter *x, const list *l, uint32_t i, const stijl_matrix *m) {
  const sj_draw *push = &l->draws[i];
  uint32_t end = l->ends[i], masks = 0;
  if (push->filter || x->depth >= MOST_DEPTH || some_need_below(x, l, i + 1, end)) {
    put_raster(x, push, end - i + 1, m);
    return;
  }
  for (uint32_t k = i + 1; push->holds_mask && k < end; k = l->ends[k] + 1) masks += is_mask(&l->draws[k]);
  if (!x->format->begin_layer(x, push, m, masks)) {
    put_raster(x, push, end - i + 1, m);
    return;
  }
  x->depth++;
  walk(x, l, i + 1, end, m);
  if (sj_exporting(x)) x->format->end_layer(x);
  x->depth--;
}

static void walk(sj_exporter *x, const list *l, uint32_t first, uint32_t end, const stijl_matrix *m) {
  for (uint32_t i = first; i < end && sj_export_spend(x, SJ_WORK_EXPORT); i = l->ends[i] + 1) {
    const sj_draw *draw = &l->draws[i];
    if (draw->flags & K_DRAW_HIDDEN) continue;
    if (is_mask(draw)) {
      walk_mask(x, l, i, m);
    } else if (draw->op == K_DRAW_PUSH) {
      walk_layer(x, l, i, m);
    } else if (draw->op == SJ_DRAW_SCENE) {
      const sj_subscene *sub = &x->scene->subscenes.data[draw->paint];
      stijl_matrix inner = stijl_matrix_multiply(*m, draw->transform);
      if (stijl_matrix_is_finite(inner))
        sj_export_draws(x, sj_array_at(&x->scene->inner, sub->first), sub->count, &inner);
    } else if (!x->format->draw(x, draw, m) && sj_exporting(x)) {
      put_raster(x, draw, 1, m);
    }
  }
}

void sj_export_draws(sj_exporter *x, const sj_draw *draws, uint32_t count, const stijl_matrix *m) {
  list l;
  if (!count) return;
  if (open_list(x, draws, count, &l)) walk(x, &l, 0, count, m);
  sj_free(x->context, l.ends);
}

void sj_export_scene(sj_exporter *x, const stijl_matrix *m) {
  const stijl_scene *scene = x->scene;
  list l;
  if (!scene->draws.count || !open_list(x, scene->draws.data, (uint32_t)scene->draws.count, &l)) return;
  if (!some_need_below(x, &l, 0, l.count)) {
    walk(x, &l, 0, l.count, m);
  } else {
    sj_raster raster;
    sj_export_raster(x, l.draws, l.count, m, false, &raster);
    if (raster.pixels) x->format->raster(x, &raster, K_BLEND_NORMAL);
  }
  sj_free(x->context, l.ends);
}
