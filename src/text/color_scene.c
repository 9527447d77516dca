#include "text/color_scene.h"

#include <string.h>

#include "base/array.h"
#include "base/pairs.h"
#include "scene/scene.h"
#include "stijl/image.h"

// The most that a face keeps. When it would be more, all scenes are forgotten.
#define MAX_BYTES ((uint64_t)1 << 25)
#define MAX_SCENES 4096

struct sj_color_scenes {
  SJ_ARRAY(sj_color_scene *) glyphs;  // the newest scene of each glyph
  sj_pairs numbers;                   // a glyph's index in `glyphs`
  uint64_t bytes;
  size_t count;
};

static bool same_palette(const sj_palette *a, const sj_palette *b) {
  return a->base == b->base && a->number == b->number && a->color_count == b->color_count &&
         (!a->color_count || memcmp(a->colors, b->colors, a->color_count * 2 * sizeof *a->colors) == 0);
}

// Returns whether a scene is what would be drawn for the key.
static bool fits(const sj_color_scene *scene, const sj_color_key *key) {
  const sj_color_key *of = &scene->key;
  return (!scene->uses.foreground || of->foreground == key->foreground) &&
         (!scene->uses.palette || same_palette(&of->palette, &key->palette)) &&
         (!scene->has_scale || (of->scale_x == key->scale_x && of->scale_y == key->scale_y));
}

// Returns the memory that a scene holds, including its images.
static uint64_t held_bytes(const stijl_scene *scene) {
  uint64_t bytes = stijl_scene_bytes(scene);
  for (size_t i = 0; scene && i < scene->images.count; i++) {
    const stijl_image *image = scene->images.data[i];
    size_t stride;
    stijl_image_pixels(image, &stride);
    bytes += (uint64_t)stijl_image_height(image) * stride;
  }
  return bytes;
}

static void let_go(stijl_context *context, sj_color_scene *scene) {
  if (--scene->users) return;
  stijl_scene_destroy(scene->scene);
  sj_free(context, scene->colors);
  sj_free(context, scene);
}

static void forget(stijl_context *context, struct sj_color_scenes *all) {
  for (size_t i = 0; i < all->glyphs.count; i++) {
    for (sj_color_scene *at = all->glyphs.data[i], *next; at; at = next) {
      next = at->next;
      let_go(context, at);
    }
  }
  all->glyphs.count = all->count = 0;
  all->bytes = 0;
  sj_pairs_clear(&all->numbers);
}

// Finds a scene, and adds a user. The lock is held.
static sj_color_scene *find(const struct sj_color_scenes *all, const sj_color_key *key) {
  uint32_t number;
  if (!all || !sj_pairs_find(&all->numbers, 0, key->glyph, &number)) return NULL;
  sj_color_scene *at = all->glyphs.data[number];
  while (at && !fits(at, key)) at = at->next;
  if (at) at->users++;
  return at;
}

sj_color_scene *sj_color_scene_find(sj_face *face, const sj_color_key *key) {
  pthread_mutex_lock(&face->library->lock);
  sj_color_scene *found = find(face->colors, key);
  pthread_mutex_unlock(&face->library->lock);
  return found;
}

// Adds a scene to those that are kept. The lock is held. Returns false when memory is short.
static bool keep(stijl_context *context, sj_face *face, sj_color_scene *scene) {
  if (!face->colors) face->colors = sj_alloc_zero(context, sizeof *face->colors);
  struct sj_color_scenes *all = face->colors;
  uint32_t number;
  if (!all) return false;
  if (all->bytes > MAX_BYTES || all->count >= MAX_SCENES) forget(context, all);
  if (!sj_pairs_find(&all->numbers, 0, scene->key.glyph, &number)) {
    number = (uint32_t)all->glyphs.count;
    if (!sj_array_push(context, &all->glyphs, NULL)) return false;
    if (!sj_pairs_add(context, &all->numbers, 0, scene->key.glyph, number)) {
      all->glyphs.count--;
      return false;
    }
  }
  scene->next = all->glyphs.data[number];
  all->glyphs.data[number] = scene;
  all->bytes += scene->bytes;
  all->count++;
  return true;
}

sj_color_scene *sj_color_scene_add(sj_face *face, const sj_color_key *key, sj_color_uses uses, bool has_scale,
                                   stijl_scene *scene) {
  stijl_context *context = face->library->context;
  size_t colors = uses.palette ? key->palette.color_count * 2 * sizeof *key->palette.colors : 0;
  sj_color_scene *made = sj_alloc_zero(context, sizeof *made), *other = NULL;
  uint32_t *copy = made && colors ? sj_alloc(context, colors) : NULL;
  if (!made || (colors && !copy)) {
    sj_free(context, made);
    stijl_scene_destroy(scene);
    return NULL;
  }
  if (copy) memcpy(copy, key->palette.colors, colors);
  *made = (sj_color_scene){.scene = scene,
                           .has_scale = has_scale,
                           .uses = uses,
                           .key = *key,
                           .colors = copy,
                           .bytes = sizeof *made + colors + held_bytes(scene),
                           .users = 1};
  made->key.palette.colors = copy;
  pthread_mutex_lock(&face->library->lock);
  other = find(face->colors, key);  // another thread may have made one meanwhile
  bool kept = other || keep(context, face, made);
  if (!other && kept) made->users++;
  if (other || !kept) let_go(context, made);
  pthread_mutex_unlock(&face->library->lock);
  return other ? other : kept ? made : NULL;
}

void sj_color_scene_release(sj_face *face, sj_color_scene *scene) {
  if (!scene) return;
  pthread_mutex_lock(&face->library->lock);
  let_go(face->library->context, scene);
  pthread_mutex_unlock(&face->library->lock);
}

void sj_color_scenes_finish(sj_face *face) {
  stijl_context *context = face->library->context;
  forget(context, face->colors);
  sj_array_finish(context, &face->colors->glyphs);
  sj_pairs_finish(context, &face->colors->numbers);
  sj_free(context, face->colors);
}
