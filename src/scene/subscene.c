// Scenes within scenes: what another scene draws is copied into this one's arrays, once however often it is shown, so
// that a scene holds all that it needs.
#include "scene/copier.h"

// How deep scenes may be nested in one another.
#define MAX_NESTING 64

static bool find(const stijl_scene *scene, uint64_t serial, uint32_t *out) {
  return sj_pairs_find(&scene->embedded, serial, 0, out);
}

static bool check(stijl_scene *scene, const stijl_scene *other) {
  if (!other || other == scene || !other->finished)
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "a scene within a scene has to be another, finished one");
  else if (other->status != STIJL_OK)
    sj_scene_fail(scene, other->status, "the scene to add has failed: %s", other->message.text);
  else if (other->nesting >= MAX_NESTING)
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "scenes are nested deeper than %d", MAX_NESTING);
  return scene->status == STIJL_OK;
}

// Finds which of the scenes here each of those within the other is: one that is embedded already, or one that will be.
static void map_subscenes(const stijl_scene *scene, const stijl_scene *other, uint32_t *map) {
  uint32_t next = (uint32_t)scene->subscenes.count;
  for (size_t i = 0; i < other->subscenes.count; i++)
    if (!find(scene, other->subscenes.data[i].serial, &map[i])) map[i] = next++;
}

static bool embed(sj_copier *c) {
  const stijl_scene *other = c->from;
  size_t before = c->to->subscenes.count;
  for (size_t i = 0; i < other->subscenes.count; i++) {
    const sj_subscene *sub = &other->subscenes.data[i];
    if (c->subscenes[i] >= before && !sj_copy_subscene(c, *sub, sj_array_at(&other->inner, sub->first))) return false;
  }
  sj_subscene made = {.serial = other->serial,
                      .count = (uint32_t)other->draws.count,
                      .depth = other->depth,
                      .nesting = other->nesting + 1,
                      .drawn = other->drawn,
                      .blends = other->blends,
                      .backdrops = other->backdrops};
  made.extent = (uint32_t)stijl_scene_bounds(other, &made.box);
  if (made.nesting > c->to->nesting) c->to->nesting = made.nesting;
  return sj_copy_subscene(c, made, other->draws.data);
}

bool sj_scene_embed(stijl_scene *scene, const stijl_scene *other, uint32_t *out) {
  if (!check(scene, other)) return false;
  if (find(scene, other->serial, out)) return true;
  sj_copier c;
  bool made = sj_copier_begin(&c, scene, other);
  if (made) {
    map_subscenes(scene, other, c.subscenes);
    made = embed(&c);
  }
  sj_copier_finish(&c);
  if (made) *out = (uint32_t)scene->subscenes.count - 1;
  return made;
}
