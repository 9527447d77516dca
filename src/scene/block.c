#include "scene/block.h"

#include <math.h>
#include <string.h>

#include "base/irect.h"
#include "image/image.h"
#include "scene/filter.h"

#define WORK_DRAW 4
#define SEGMENTS_A_STEP 8

// Paths whose points are at most so many pixels from their own origin are seen from it.
#define NEAR 4096.0
// Origins are where paths can be.
#define FARTHEST 0x1p30

// Where draws are: the matrices from their space to the block's pixels, and to the space that they are made for, which
// are these pixels, or the user space of a filter. Those of scenes within are in the same as the scene's.
typedef struct {
  sj_matrix64 to_pixels, to_out;
  bool within;   // they are those of a scene within
  double reach;  // by how many pixels filters around them may move them
} space;

typedef struct {
  double x, y;
} place;

typedef SJ_ARRAY(sj_draw) draw_list;

// The copy of a paint as it is seen from an origin, moved by whole repetitions.
typedef struct sj_seen_paint {
  place origin, moved;
  uint32_t number;  // SJ_NOT_COPIED: none
} seen_paint;

static bool no_memory(sj_blocks *b) { return sj_copy_no_memory(b->scene); }

static place apply(sj_matrix64 m, place p) { return (place){m.a * p.x + m.c * p.y + m.e, m.b * p.x + m.d * p.y + m.f}; }

// --- Origins ---

// Finds the place that is in the middle of the block, or nearest to it where the matrix flattens everything. Returns
// false when there is none.
static bool find_middle(sj_matrix64 m, place *out) {
  const double middle = SJ_BLOCK_SIDE / 2;
  sj_matrix64 back;
  if (!sj_invert64(m, &back)) {
    // The inverse of a matrix that is flat.
    double r = m.a * m.a + m.b * m.b + m.c * m.c + m.d * m.d, x = middle - m.e, y = middle - m.f;
    *out = (place){(m.a * x + m.b * y) / r, (m.c * x + m.d * y) / r};
  } else {
    *out = apply(back, (place){middle, middle});
  }
  return isfinite(out->x) && isfinite(out->y);
}

static double whole_float(double v) { return (double)(float)fmax(-FARTHEST, fmin(v, FARTHEST)); }

// Returns the origin that a draw is seen from. It depends on the draw and the block alone.
static place origin_of(sj_matrix64 m) {
  place p;
  if (!find_middle(m, &p)) return (place){0.0, 0.0};
  return (place){whole_float(p.x), whole_float(p.y)};
}

static bool is_near(sj_matrix64 m, stijl_rect box) {
  double x = fmax(fabs((double)box.x0), fabs((double)box.x1)), y = fmax(fabs((double)box.y0), fabs((double)box.y1));
  return fmax(fabs(m.a) * x + fabs(m.c) * y, fabs(m.b) * x + fabs(m.d) * y) <= NEAR;
}

// Returns a matrix for what is seen from an origin.
static stijl_matrix seen_from(sj_matrix64 m, place origin) {
  place p = apply(m, origin);
  return (stijl_matrix){(float)m.a, (float)m.b, (float)m.c, (float)m.d, (float)p.x, (float)p.y};
}

static float less(float v, double origin) { return (float)((double)v - origin); }

// --- What draws refer to ---

// Copies a path. Those of scenes within, which may be shown many times, are copied once where they are seen from their
// own origin.
static bool copy_path(sj_blocks *b, sj_path_range *path, place origin, bool within) {
  bool own = origin.x == 0.0 && origin.y == 0.0, shared = own && within && path->segment_count;
  uint32_t first = path->segment, count = path->segment_count;
  if (shared && sj_pairs_find(&b->paths, first, count, &path->segment)) return true;
  if (!sj_spend(&b->spender, count / SEGMENTS_A_STEP)) return no_memory(b);
  if (!sj_copy_path(&b->copier, path, origin.x, origin.y)) return false;
  if (shared && !sj_pairs_add(b->context, &b->paths, first, count, path->segment)) return no_memory(b);
  if (own) return true;
  path->box = (stijl_rect){less(path->box.x0, origin.x), less(path->box.y0, origin.y), less(path->box.x1, origin.x),
                           less(path->box.y1, origin.y)};
  return true;
}

static bool copy_run(sj_blocks *b, sj_draw *draw, place origin) {
  stijl_scene *to = b->scene;
  const stijl_scene *from = b->copier.from;
  sj_glyph_run run = from->runs.data[draw->run];
  const stijl_instance *instances = sj_array_at(&from->instances, run.instance);
  if (!sj_spend(&b->spender, run.instance_count)) return no_memory(b);
  if (!sj_copy_matrices(&b->copier, &run)) return false;
  if (!SJ_COPY_ROOM(&b->copier, instances, run.instance_count, UINT32_MAX / 2)) return false;
  run.instance = (uint32_t)to->instances.count;
  for (uint32_t i = 0; i < run.instance_count; i++) {
    stijl_instance made = instances[i];
    if (!sj_copy_outline(&b->copier, &made.outline)) return false;
    made.x = less(made.x, origin.x);
    made.y = less(made.y, origin.y);
    to->instances.data[to->instances.count++] = made;
  }
  stijl_rect *box = &draw->path.box;
  *box =
      (stijl_rect){less(box->x0, origin.x), less(box->y0, origin.y), less(box->x1, origin.x), less(box->y1, origin.y)};
  draw->run = (uint32_t)to->runs.count;
  return sj_array_push(b->context, &to->runs, run) || no_memory(b);
}

// Copies a stroke. A pen of its own is round where the path has its origin, so that nothing of it is large.
static bool copy_stroke(sj_blocks *b, sj_draw *draw, const space *at) {
  sj_stroke made = b->copier.from->strokes.data[draw->stroke];
  if (!made.own_pen) return sj_copy_stroke(&b->copier, &draw->stroke);
  made.pen = sj_from64(sj_multiply64(at->to_out, sj_to64(made.pen)));
  made.pen.e = draw->transform.e;
  made.pen.f = draw->transform.f;
  draw->stroke = (uint32_t)b->scene->strokes.count;
  return sj_array_push(b->context, &b->scene->strokes, made) || no_memory(b);
}

// Returns by how much a paint that repeats itself can be moved so that it does so near a place.
static double repeated(uint32_t spread, double at, double from, double period) {
  if ((spread != STIJL_SPREAD_REPEAT && spread != STIJL_SPREAD_REFLECT) || !(fabs(period) > 0.0)) return 0.0;
  if (spread == STIJL_SPREAD_REFLECT) period *= 2.0;
  double moved = floor((at - from) / period) * period;
  return isfinite(moved) ? moved : 0.0;
}

static place find_repetition(const stijl_scene *scene, const sj_paint *paint, sj_matrix64 to_pixels) {
  place at, moved = {0.0, 0.0};
  if (!find_middle(to_pixels, &at)) return moved;
  double x0 = (double)paint->p0.x, y0 = (double)paint->p0.y, dx = (double)paint->p1.x - x0,
         dy = (double)paint->p1.y - y0;
  switch ((stijl_paint_kind)paint->kind) {
    case STIJL_PAINT_IMAGE: {
      const stijl_image *image = scene->images.data[paint->source];
      moved.x = repeated(paint->spread_x, at.x, 0.0, stijl_image_width(image));
      moved.y = repeated(paint->spread_y, at.y, 0.0, stijl_image_height(image));
      break;
    }
    case STIJL_PAINT_SCENE:
      moved.x = repeated(paint->spread_x, at.x, x0, dx);
      moved.y = repeated(paint->spread_y, at.y, y0, dy);
      break;
    case STIJL_PAINT_LINEAR: {
      double along = ((at.x - x0) * dx + (at.y - y0) * dy) / (dx * dx + dy * dy);
      double times = repeated(paint->spread_x, along, 0.0, 1.0);
      moved = (place){times * dx, times * dy};
      if (!isfinite(moved.x) || !isfinite(moved.y)) moved = (place){0.0, 0.0};
      break;
    }
    case STIJL_PAINT_SOLID:
    case STIJL_PAINT_RADIAL:
    case STIJL_PAINT_SWEEP: break;  // repeat nothing along a line
  }
  return moved;
}

// Copies a scene within. Those that are painted with are copied as they are: each is drawn into a tile of its own.
static bool copy_subscene(sj_blocks *b, uint32_t number, int depth);

static bool require(sj_blocks *b, const sj_draw *draw, int depth) {
  const stijl_scene *from = b->copier.from;
  bool shape = draw->op <= K_DRAW_ALL || draw->op == SJ_DRAW_GLYPHS;
  if (draw->op == SJ_DRAW_SCENE) return copy_subscene(b, draw->paint, depth);
  if (draw->filter) {
    const sj_layer_filter *filter = &from->filters.data[draw->filter - 1];
    for (size_t i = 0; i < filter->filter->scenes.count; i++)
      if (!copy_subscene(b, from->filter_scenes.data[filter->scenes + i], depth)) return false;
  }
  if (!shape || (draw->flags & K_DRAW_SOLID)) return true;
  const sj_paint *paint = &from->paints.data[draw->paint];
  return paint->kind != STIJL_PAINT_SCENE || copy_subscene(b, paint->source, depth);
}

static bool copy_subscene(sj_blocks *b, uint32_t number, int depth) {
  uint32_t *here = &b->copier.subscenes[number];
  if (*here != SJ_NOT_COPIED) return true;
  const sj_subscene *sub = &b->copier.from->subscenes.data[number];
  const sj_draw *draws = sj_array_at(&b->copier.from->inner, sub->first);
  if (!sj_spend(&b->spender, (uint64_t)sub->count * WORK_DRAW)) return no_memory(b);
  for (uint32_t i = 0; i < sub->count; i++)
    if (draws[i].op != K_DRAW_POP && !require(b, &draws[i], depth + 1)) return false;
  *here = (uint32_t)b->scene->subscenes.count;
  if (!sj_array_push(b->context, &b->copier.touched, here)) return no_memory(b);
  return sj_copy_subscene(&b->copier, *sub, draws);
}

static bool copy_paint(sj_blocks *b, sj_draw *draw, sj_matrix64 to_pixels, place origin) {
  const stijl_scene *from = b->copier.from;
  sj_paint made = from->paints.data[draw->paint];
  sj_matrix64 m = sj_to64(made.transform);
  place moved = find_repetition(from, &made, sj_multiply64(to_pixels, m)), at = apply(m, moved);
  // A float has to hold it.
  if (!(fabs(at.x) < 1e30 && fabs(at.y) < 1e30)) {
    moved = (place){0.0, 0.0};
    at = apply(m, moved);
  }
  seen_paint *seen = &b->seen[draw->paint];
  bool same = seen->number != SJ_NOT_COPIED && seen->origin.x == origin.x && seen->origin.y == origin.y &&
              seen->moved.x == moved.x && seen->moved.y == moved.y;
  if (!same) {
    made.transform.e = (float)(at.x - origin.x);
    made.transform.f = (float)(at.y - origin.y);
    if (made.kind == STIJL_PAINT_SCENE && !copy_subscene(b, made.source, 0)) return false;
    if (!sj_copy_source(&b->copier, &made)) return false;
    // The entry is forgotten when the copier is.
    if (seen->number == SJ_NOT_COPIED && !sj_array_push(b->context, &b->copier.touched, &seen->number))
      return no_memory(b);
    *seen = (seen_paint){origin, moved, (uint32_t)b->scene->paints.count};
    if (!sj_array_push(b->context, &b->scene->paints, made)) return no_memory(b);
  }
  draw->paint = seen->number;
  return true;
}

// --- Filters ---

static bool make_subscene(sj_blocks *b, uint32_t number, const space *at, uint32_t *out);

// Returns the origin of a filter. It is at a whole number of pixels from that of its user space, since the filter's
// pixels lie like that where they are turned.
static place filter_origin(sj_matrix64 to_pixels) {
  double x = sqrt(to_pixels.a * to_pixels.a + to_pixels.b * to_pixels.b);
  double y = sqrt(to_pixels.c * to_pixels.c + to_pixels.d * to_pixels.d);
  place p;
  if (!find_middle(to_pixels, &p) || !(x > 0.0) || !(y > 0.0)) return (place){0.0, 0.0};
  p = (place){floor(p.x * x + 0.5) / x, floor(p.y * y + 0.5) / y};
  return isfinite(p.x) && isfinite(p.y) ? p : (place){0.0, 0.0};
}

static bool copy_filter(sj_blocks *b, uint32_t *filter, const space *at) {
  const stijl_scene *from = b->copier.from;
  sj_layer_filter made = from->filters.data[*filter - 1];
  sj_matrix64 m = sj_to64(made.transform), to_pixels = sj_multiply64(at->to_pixels, m);
  place origin = filter_origin(to_pixels);
  made.transform = seen_from(sj_multiply64(at->to_out, m), origin);
  made.x = origin.x;
  made.y = origin.y;
  size_t count = made.filter->scenes.count;
  uint32_t *scenes = count ? sj_alloc_array(b->context, count, sizeof *scenes) : NULL;
  if (count && !scenes) return no_memory(b);
  space within = {to_pixels, {1.0, 0.0, 0.0, 1.0, -origin.x, -origin.y}, true, (double)INFINITY};
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++)
    ok = make_subscene(b, from->filter_scenes.data[made.scenes + i], &within, &scenes[i]);
  ok = ok && sj_copy_filter(&b->copier, made, scenes, true, filter);
  sj_free(b->context, scenes);
  return ok;
}

// --- Draws ---

// Adds draws, all of them or, where `numbers` is given, these.
static bool add_draws(sj_blocks *b, const sj_draw *draws, size_t count, const sj_draw_numbers *numbers,
                      const sj_index *index, const space *at, draw_list *out);

// Adds those draws of a scene within that are seen.
static bool add_within(sj_blocks *b, uint32_t number, const space *at, draw_list *out) {
  const sj_subscene *sub = &b->copier.from->subscenes.data[number];
  const sj_draw *draws = sj_array_at(&b->copier.from->inner, sub->first);
  sj_index *index = &b->inner.data[number];
  if (!isfinite(at->reach)) return add_draws(b, draws, sub->count, NULL, index, at, out);
  sj_draw_numbers found = {0};
  bool ok = sj_index_find(b->context, index, at->to_pixels, b->region, at->reach, &found);
  ok = ok ? add_draws(b, draws, found.count, &found, index, at, out) : no_memory(b);
  sj_array_finish(b->context, &found);
  return ok;
}

// Makes a scene within of another, for the same space.
static bool make_subscene(sj_blocks *b, uint32_t number, const space *at, uint32_t *out) {
  stijl_scene *to = b->scene;
  sj_subscene made = b->copier.from->subscenes.data[number];
  draw_list draws = {0};
  bool ok = add_within(b, number, at, &draws);
  made.serial = sj_scene_next_serial();
  made.first = (uint32_t)to->inner.count;
  made.count = (uint32_t)draws.count;
  made.nesting = 1;
  if (ok && (to->inner.count + draws.count > UINT32_MAX / 2 || !sj_array_reserve(b->context, &to->inner, draws.count)))
    ok = no_memory(b);
  for (size_t i = 0; ok && i < draws.count; i++) to->inner.data[to->inner.count++] = draws.data[i];
  sj_array_finish(b->context, &draws);
  *out = (uint32_t)to->subscenes.count;
  return ok && (sj_array_push(b->context, &to->subscenes, made) || no_memory(b));
}

// Adds a scene within in place of the draw that shows it. Where a filter reads what is below a layer, that is what the
// scene has below it, so such a scene stays one.
static bool add_scene(sj_blocks *b, const sj_draw *draw, const space *at, draw_list *out) {
  sj_matrix64 m = sj_to64(draw->transform);
  space within = {sj_multiply64(at->to_pixels, m), sj_multiply64(at->to_out, m), true, at->reach};
  if (!b->copier.from->subscenes.data[draw->paint].backdrops) return add_within(b, draw->paint, &within, out);
  sj_draw made = {.op = SJ_DRAW_SCENE, .transform = STIJL_MATRIX_IDENTITY};
  return make_subscene(b, draw->paint, &within, &made.paint) && (sj_array_push(b->context, out, made) || no_memory(b));
}

static bool add_pop(sj_blocks *b, draw_list *out) {
  sj_draw draw = out->data[b->open.data[--b->open.count]];  // the push, which has all that the pop has
  draw.op = K_DRAW_POP;
  return sj_array_push(b->context, out, draw) || no_memory(b);
}

static bool add_draw(sj_blocks *b, const sj_draw *from, const space *at, draw_list *out) {
  sj_draw draw = *from;
  sj_matrix64 m = sj_to64(draw.transform), to_pixels = sj_multiply64(at->to_pixels, m);
  bool shape = draw.op <= K_DRAW_ALL || draw.op == SJ_DRAW_GLYPHS;
  bool near = draw.op != K_DRAW_ALL && is_near(to_pixels, draw.path.box);
  place origin = near ? (place){0.0, 0.0} : origin_of(to_pixels);
  draw.transform = seen_from(sj_multiply64(at->to_out, m), origin);
  if (draw.op == K_DRAW_PUSH && !sj_array_push(b->context, &b->open, (uint32_t)out->count)) return no_memory(b);
  bool ok = draw.op == SJ_DRAW_GLYPHS ? copy_run(b, &draw, origin) : copy_path(b, &draw.path, origin, at->within);
  ok = ok && (draw.op != K_DRAW_STROKE || copy_stroke(b, &draw, at)) &&
       (!draw.filter || copy_filter(b, &draw.filter, at)) &&
       (!shape || (draw.flags & K_DRAW_SOLID) || copy_paint(b, &draw, to_pixels, origin));
  return ok && (sj_array_push(b->context, out, draw) || no_memory(b));
}

// Returns how far filters move the draws of a layer, in pixels, beyond those around all.
static double reach_in(const sj_index *index, uint32_t number, const space *at) {
  uint32_t layer = index->outer.count ? index->outer.data[number] : 0;
  if (!layer) return at->reach;
  double longest, shortest, reach = (double)index->layers.data[layer - 1].reach;
  sj_stretch64(at->to_pixels, &longest, &shortest);
  return at->reach + (reach > 0.0 ? reach * longest : 0.0) + index->pixels;
}

static bool add_draws(sj_blocks *b, const sj_draw *draws, size_t count, const sj_draw_numbers *numbers,
                      const sj_index *index, const space *at, draw_list *out) {
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    uint32_t number = numbers ? numbers->data[i] : (uint32_t)i;
    const sj_draw *draw = &draws[number];
    if (!sj_spend(&b->spender, WORK_DRAW)) return no_memory(b);
    if (draw->op == SJ_DRAW_SCENE) {
      space around = *at;
      around.reach = reach_in(index, number, at);
      ok = add_scene(b, draw, &around, out);
    } else {
      ok = draw->op == K_DRAW_POP ? add_pop(b, out) : add_draw(b, draw, at, out);
    }
  }
  return ok;
}

// --- Blocks ---

static void forget(sj_blocks *b) {
  for (size_t i = 0; i < b->inner.count; i++) sj_index_finish(b->context, &b->inner.data[i]);
  b->inner.count = 0;
  sj_index_finish(b->context, &b->root);
  sj_copier_finish(&b->copier);
  sj_free(b->context, b->seen);
  b->seen = NULL;
  b->serial = b->made_for = 0;
}

void sj_blocks_finish(sj_blocks *b) {
  forget(b);
  sj_arrays_finish(b->context, &b->inner, &b->open);
  sj_pairs_finish(b->context, &b->paths);
  sj_arrays_finish(b->context, &b->found, &b->part.draws);
  stijl_scene_destroy(b->scene);
  b->scene = NULL;
}

static bool build_indices(sj_blocks *b, const stijl_scene *scene) {
  if (!sj_array_reserve(b->context, &b->inner, scene->subscenes.count)) return false;
  for (size_t i = 0; i < scene->subscenes.count; i++) {
    const sj_subscene *sub = &scene->subscenes.data[i];
    if (!sj_spend(&b->spender, (uint64_t)sub->count * WORK_DRAW) ||
        !sj_index_build(b->context, scene, sj_array_at(&scene->inner, sub->first), sub->count, b->inner.data,
                        &b->inner.data[i]))
      return false;
    b->inner.count++;
  }
  return sj_spend(&b->spender, scene->draws.count * WORK_DRAW) &&
         sj_index_build(b->context, scene, scene->draws.data, scene->draws.count, b->inner.data, &b->root);
}

// Begins with another scene. Returns false when memory is out.
static bool begin_scene(sj_blocks *b, const stijl_scene *scene) {
  if (b->serial == scene->serial) return true;
  forget(b);
  if (!build_indices(b, scene)) {
    forget(b);
    return false;
  }
  b->serial = scene->serial;
  return true;
}

// Begins to copy from it. Returns false when memory is out.
static bool begin_copies(sj_blocks *b, const stijl_scene *scene) {
  if (b->seen) return true;
  if (!b->scene && stijl_scene_create(b->context, NULL, &b->scene) != STIJL_OK) return false;
  stijl_scene_reset(b->scene);
  size_t paints = scene->paints.count;
  b->seen = sj_alloc_array(b->context, paints + 1, sizeof *b->seen);
  if (!b->seen || !sj_copier_begin(&b->copier, b->scene, scene)) {
    forget(b);
    return false;
  }
  for (size_t i = 0; i < paints; i++) b->seen[i].number = SJ_NOT_COPIED;
  b->copier.shapes = true;
  return true;
}

static bool is_made(const sj_blocks *b, const stijl_scene *scene, stijl_matrix view, int x, int y, stijl_irect region) {
  return b->made_for == scene->serial && memcmp(&b->view, &view, sizeof view) == 0 && b->x == x && b->y == y &&
         sj_irect_equal(b->region, region);
}

static bool make(sj_blocks *b, const stijl_scene *scene) {
  stijl_scene *to = b->scene;
  stijl_scene_reset(to);
  sj_copier_reset(&b->copier);
  sj_pairs_clear(&b->paths);
  b->open.count = 0;
  to->limits = scene->limits;
  to->input_bytes = scene->input_bytes;
  to->blends = scene->blends;
  to->backdrops = scene->backdrops;
  to->depth = scene->depth;
  to->serial = to->arrays = sj_scene_next_serial();
  sj_matrix64 view = sj_to64(b->view);
  view.e -= b->x;
  view.f -= b->y;
  space at = {.to_pixels = view, .to_out = view};
  sj_draw_numbers found = {0};
  draw_list draws = {0};
  bool ok = sj_index_find(b->context, &b->root, view, b->region, 0.0, &found) || no_memory(b);
  ok = ok && add_draws(b, scene->draws.data, found.count, &found, &b->root, &at, &draws);
  sj_arrays_finish(b->context, &found, &to->draws);
  memcpy(&to->draws, &draws, sizeof draws);
  to->finished = true;
  return ok;
}

stijl_result sj_block_scene(sj_blocks *b, const stijl_scene *scene, stijl_matrix view, int x, int y, stijl_irect region,
                            stijl_budget *budget, const stijl_scene **out, stijl_message *message) {
  if (is_made(b, scene, view, x, y, region)) {
    *out = b->scene;
    return STIJL_OK;
  }
  b->made_for = 0;
  b->spender = (sj_spender){.budget = budget};
  if (!begin_scene(b, scene) || !begin_copies(b, scene)) return sj_fail_memory(message);
  b->view = view;
  b->x = x;
  b->y = y;
  b->region = region;
  bool ok = make(b, scene);
  stijl_result failed = b->scene->status;
  if (!ok) forget(b);  // copies are half made
  if (!sj_budget_check(budget, b->spender.work)) return sj_budget_spent(message);
  if (!ok && failed == STIJL_ERROR_LIMIT)
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "a block of the canvas shows more than %llu path segments (max_segments)",
                   (unsigned long long)scene->limits.max_segments);
  if (!ok) return sj_fail_memory(message);
  b->made_for = scene->serial;
  *out = b->scene;
  return STIJL_OK;
}

// --- Parts of other canvases ---

// A scene with fewer draws is encoded about as quickly as it is looked for.
#define FEW_DRAWS 256

const stijl_scene *sj_part_scene(sj_blocks *b, const stijl_scene *scene, stijl_matrix view, stijl_irect canvas,
                                 stijl_irect region) {
  double pixels = ((double)region.x1 - region.x0) * ((double)region.y1 - region.y0);
  double all = ((double)canvas.x1 - canvas.x0) * ((double)canvas.y1 - canvas.y0);
  if (scene == b->scene || scene->draws.count < FEW_DRAWS || !scene->serial || pixels > all / 4) return scene;
  bool again = b->parts_of == scene->serial;
  b->parts_of = scene->serial;
  b->spender = (sj_spender){0};
  if (!again && b->serial != scene->serial) return scene;
  if (!begin_scene(b, scene) || !sj_index_find(b->context, &b->root, sj_to64(view), region, 0.0, &b->found))
    return scene;
  size_t count = b->found.count;
  draw_list own;
  memcpy(&own, &b->part.draws, sizeof own);
  b->part = *scene;
  memcpy(&b->part.draws, &own, sizeof own);
  b->part.draws.count = 0;
  if (!sj_array_reserve(b->context, &b->part.draws, count)) return scene;
  for (size_t i = 0; i < count; i++) b->part.draws.data[i] = scene->draws.data[b->found.data[i]];
  b->part.draws.count = count;
  return &b->part;
}
