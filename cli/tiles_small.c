// The small levels of a pyramid, which are drawn whole.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tiles.h"

// Larger levels are not drawn whole. Smaller ones take 22 MB together.
#define MOST_PIXELS (2048 * 2048)
#define MOST_TILES 4096
// Levels of no more tiles are small, however many pixels they have.
#define FEW_TILES 16

// What is drawn of a level: where its tiles are that are to be made.
typedef struct level {
  uint32_t *pixels;  // NULL: its tiles are drawn one by one
  cli_tile_box box;
  size_t first, end;  // of its tiles in the list
} level;

struct cli_small {
  const cli_tiles *tiles;
  cli_tile *list;
  size_t count, capacity;
  level levels[32];
  int at;         // the level that is drawn next
  size_t single;  // the next tile of the level before that is drawn by itself
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool has_ended;
  size_t next;  // the next tile to be cut
};

int cli_small_last(const cli_tiles *t) {
  int last = t->first - 1;
  if (t->options->shrink && t->first < t->pyramid.levels - 1) return last;  // these are not drawn
  for (; last < t->last; last++) {
    cli_level l = cli_pyramid_level(&t->pyramid, last + 1);
    uint64_t tiles = (uint64_t)l.columns * l.rows;
    if (tiles > FEW_TILES && (tiles > MOST_TILES || l.width * l.height > MOST_PIXELS)) break;
  }
  return last;
}

cli_small *cli_small_create(const cli_tiles *tiles) {
  cli_small *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->tiles = tiles;
  pthread_mutex_init(&s->mutex, NULL);
  pthread_cond_init(&s->ended, NULL);
  return s;
}

void cli_small_destroy(cli_small *s) {
  if (!s) return;
  for (int i = 0; i < 32; i++) free(s->levels[i].pixels);
  pthread_cond_destroy(&s->ended);
  pthread_mutex_destroy(&s->mutex);
  free(s->list);
  free(s);
}

size_t cli_small_tiles(const cli_small *s) { return s->count; }

int cli_small_levels(const cli_small *s) {
  int count = 0;
  for (int i = 0; i < 32; i++) count += s->levels[i].pixels != NULL;
  return count;
}

bool cli_small_add(cli_small *s, cli_tile tile) {
  if (s->count == s->capacity) {
    size_t capacity = s->capacity ? 2 * s->capacity : 64;
    cli_tile *larger = realloc(s->list, capacity * sizeof *larger);
    if (!larger) return false;
    s->list = larger;
    s->capacity = capacity;
  }
  level *l = &s->levels[tile.level];
  cli_tile_box b = cli_pyramid_box(&s->tiles->pyramid, tile), *all = &l->box;
  if (l->first == l->end) {
    l->first = s->count;
    *all = b;
  }
  if (b.x0 < all->x0) all->x0 = b.x0;
  if (b.y0 < all->y0) all->y0 = b.y0;
  if (b.x1 > all->x1) all->x1 = b.x1;
  if (b.y1 > all->y1) all->y1 = b.y1;
  all->width = (int)(all->x1 - all->x0);
  all->height = (int)(all->y1 - all->y0);
  s->list[s->count++] = tile;
  l->end = s->count;
  return true;
}

// Draws a level. Whatever fails shows again where the level's tiles are drawn one by one, each within the limits of
// one.
static void draw_level(cli_small *s, int number, cli_tile_drawer *drawer) {
  level *l = &s->levels[number];
  cli_failure ignored;
  if ((int64_t)l->box.width * l->box.height > MOST_PIXELS) return;
  uint32_t *pixels = cli_memory_for_pixels((size_t)l->box.width * (size_t)l->box.height * sizeof *pixels);
  if (pixels && cli_tile_drawer_paint(drawer, number, &l->box, pixels, &ignored))
    l->pixels = pixels;
  else
    free(pixels);
}

bool cli_small_draw(cli_small *s, cli_tile_drawer *drawer, cli_tile *tile) {
  for (;; s->at++) {
    if (s->at > 0 && s->single < s->levels[s->at - 1].end) {
      *tile = s->list[s->single++];
      return true;
    }
    if (s->at == s->tiles->pyramid.levels) return false;
    level *l = &s->levels[s->at];
    if (l->first < l->end) draw_level(s, s->at, drawer);
    s->single = l->pixels ? l->end : l->first;
  }
}

void cli_small_end(cli_small *s) {
  pthread_mutex_lock(&s->mutex);
  s->has_ended = true;
  pthread_cond_broadcast(&s->ended);
  pthread_mutex_unlock(&s->mutex);
}

static void cut(const level *l, const cli_tile_box *b, uint32_t *pixels) {
  size_t row = (size_t)(b->x1 - b->x0);
  for (int64_t y = b->y0; y < b->y1; y++)
    memcpy(pixels + (size_t)(y - b->y0) * (size_t)b->width,
           l->pixels + (size_t)(y - l->box.y0) * (size_t)l->box.width + (size_t)(b->x0 - l->box.x0),
           row * sizeof *pixels);
}

bool cli_small_next(cli_small *s, cli_tile_drawer *drawer, cli_tile *tile) {
  pthread_mutex_lock(&s->mutex);
  while (!s->has_ended) pthread_cond_wait(&s->ended, &s->mutex);
  while (s->next < s->count && !s->levels[s->list[s->next].level].pixels) s->next++;
  bool found = s->next < s->count;
  if (found) *tile = s->list[s->next++];
  pthread_mutex_unlock(&s->mutex);
  if (!found) return false;
  cli_tile_box box = cli_pyramid_box(&s->tiles->pyramid, *tile);
  cut(&s->levels[tile->level], &box, drawer->pixels);
  return true;
}
