// Which tiles a shard makes. The tiles of each level are divided into squares along its Hilbert curve; all squares,
// with an estimate of their cost, are one row, of which each shard takes a range.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hilbert.h"
#include "tiles.h"

#define MAX_SQUARES 65536u
// What a tile costs beside its pixels, and a draw within it, as so many pixels.
#define TILE_COST 16384u
#define DRAW_COST 256u
// The scene's draws are counted in cells of this many a side, of a canvas of PROBE_PIXELS.
#define CELLS 16
#define PROBE_PIXELS 256

typedef struct square {
  uint64_t cost;  // of all before it
  uint64_t position;
  int level;
} square;

struct cli_shard {
  const cli_tiles *tiles;
  uint64_t draws[CELLS][CELLS];  // by row and column
  int square_order;              // squares have 2^square_order tiles a side
  square *squares;
  size_t count, first, end;  // first, end: those of this shard
  uint64_t tile_count;
  pthread_mutex_t mutex;
  size_t at;          // the square at work
  uint64_t position;  // of the next tile, where inside; UINT64_MAX: the square's first
};

// --- squares ---

static int order_of(const cli_shard *s, const cli_level *l) {
  return l->order < s->square_order ? l->order : s->square_order;
}

static uint64_t count_squares(const cli_shard *s) {
  uint64_t count = 0;
  for (int i = s->tiles->first; i <= s->tiles->last; i++) {
    cli_level l = cli_pyramid_level(&s->tiles->pyramid, i);
    int k = order_of(s, &l);
    count += ((((uint64_t)l.columns - 1) >> k) + 1) * ((((uint64_t)l.rows - 1) >> k) + 1);
  }
  return count;
}

typedef struct range {
  uint32_t x0, y0, x1, y1;  // of tiles
} range;

static range range_of(const cli_shard *s, const square *q, const cli_level *l) {
  int k = order_of(s, l);
  uint32_t x, y, side = (uint32_t)1 << k;
  cli_hilbert_place(l->order - k, q->position >> (2 * k), &x, &y);
  range r = {x << k, y << k, l->columns, l->rows};
  if (r.x1 - r.x0 > side) r.x1 = r.x0 + side;
  if (r.y1 - r.y0 > side) r.y1 = r.y0 + side;
  return r;
}

// --- cost ---

// Returns how much of cell i is in from..to, of `whole` pixels that all cells have: in 256ths.
static uint64_t part_of_cell(int i, uint64_t from, uint64_t to, uint64_t whole) {
  uint64_t unit = (uint64_t)CELLS * 256, low = from * unit / whole, high = (to * unit + whole - 1) / whole;
  uint64_t begin = (uint64_t)i * 256, end = begin + 256;
  if (low < begin) low = begin;
  if (high > end) high = end;
  return high > low ? high - low : 0;
}

// Returns the cost of a square, in whole numbers alone: every machine divides these in the same way.
static uint64_t cost_of(const cli_shard *s, const square *q) {
  cli_level l = cli_pyramid_level(&s->tiles->pyramid, q->level);
  range r = range_of(s, q, &l);
  uint64_t side = (uint64_t)s->tiles->pyramid.tile_size, tiles = (uint64_t)(r.x1 - r.x0) * (r.y1 - r.y0), draws = 0;
  uint64_t width = (uint64_t)l.width, height = (uint64_t)l.height;
  uint64_t right = r.x1 * side < width ? r.x1 * side : width, low = r.y1 * side < height ? r.y1 * side : height;
  for (int y = 0; y < CELLS; y++) {
    uint64_t rows = part_of_cell(y, r.y0 * side, low, height);
    for (int x = 0; rows && x < CELLS; x++)
      draws += s->draws[y][x] * (rows * part_of_cell(x, r.x0 * side, right, width)) / 65536;
  }
  return tiles * (side * side + TILE_COST) + draws * DRAW_COST;
}

// Finds how many draws each cell of the scene has. The scene's own numbers alone decide, so all shards find the same.
static bool probe(cli_shard *s, cli_renderer *renderer, cli_failure *failure) {
  uint32_t pixels[PROBE_PIXELS / CELLS * (PROBE_PIXELS / CELLS)];
  const cli_tiles *t = s->tiles;
  stijl_target target = STIJL_TARGET_INIT;
  target.width = target.height = PROBE_PIXELS;
  target.pixels = pixels;
  target.stride = PROBE_PIXELS / CELLS * sizeof *pixels;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  stijl_matrix to_probe =
      stijl_matrix_scale((float)PROBE_PIXELS / (float)t->pyramid.width, (float)PROBE_PIXELS / (float)t->pyramid.height);
  params.transform = stijl_matrix_multiply(to_probe, t->drawing->transform);
  params.budget = renderer->budget;
  for (int i = 0; i < CELLS * CELLS; i++) {
    int side = PROBE_PIXELS / CELLS, x = i % CELLS * side, y = i / CELLS * side;
    target.region = (stijl_irect){x, y, x + side, y + side};
    stijl_budget_restart(renderer->budget);
    stijl_message message = {""};
    stijl_result result = stijl_render(renderer->renderer, t->drawing->scene, &target, &params, &message);
    if (result) return cli_fail_with_advice(failure, result, message.text);
    stijl_render_stats stats = {.size = sizeof stats};
    stijl_renderer_stats(renderer->renderer, &stats);
    s->draws[i / CELLS][i % CELLS] = stats.draws;
  }
  return true;
}

// --- ranges ---

static void list_squares(cli_shard *s) {
  uint64_t cost = 0;
  for (int i = s->tiles->first; i <= s->tiles->last; i++) {
    cli_level l = cli_pyramid_level(&s->tiles->pyramid, i);
    int k = order_of(s, &l), order = l.order - k;
    uint32_t columns = ((l.columns - 1) >> k) + 1, rows = ((l.rows - 1) >> k) + 1;
    for (uint64_t p = 0; (p = cli_hilbert_inside(order, columns, rows, p)) < (uint64_t)1 << (2 * order); p++) {
      square q = {cost, p << (2 * k), i};
      cost += cost_of(s, &q);
      s->squares[s->count++] = q;
    }
  }
  s->squares[s->count] = (square){cost, 0, 0};
}

// Returns where the part of a shard begins: index / count of it all.
static uint64_t part_of(uint64_t total, unsigned index, unsigned count) {
  return total / count * index + total % count * index / count;
}

static bool is_own(const cli_shard *s, cli_tile tile) {
  return !s->tiles->owners || cli_owners_find(s->tiles->owners, tile) == s->tiles->options->index;
}

// Chooses all squares, of which other shards' tiles are left out.
static void choose_own(cli_shard *s) {
  s->end = s->count;
  for (int i = s->tiles->first; i <= s->tiles->last; i++) {
    cli_level l = cli_pyramid_level(&s->tiles->pyramid, i);
    for (uint32_t y = 0; y < l.rows; y++)
      for (uint32_t x = 0; x < l.columns; x++) s->tile_count += is_own(s, (cli_tile){i, x, y});
  }
}

// Chooses the squares of the shard: those that begin in its part of the cost.
static void choose_range(cli_shard *s) {
  const cli_tiles_options *o = s->tiles->options;
  uint64_t total = s->squares[s->count].cost;
  size_t i = 0;
  while (i < s->count && s->squares[i].cost < part_of(total, o->index, o->count)) i++;
  s->first = s->at = i;
  while (i < s->count && s->squares[i].cost < part_of(total, o->index + 1, o->count)) i++;
  s->end = i;
  for (i = s->first; i < s->end; i++) {
    cli_level l = cli_pyramid_level(&s->tiles->pyramid, s->squares[i].level);
    range r = range_of(s, &s->squares[i], &l);
    s->tile_count += (uint64_t)(r.x1 - r.x0) * (r.y1 - r.y0);
  }
}

static cli_shard *make_squares(const cli_tiles *tiles, cli_renderer *renderer, bool costs, cli_failure *failure) {
  cli_shard *s = calloc(1, sizeof *s);
  if (s) {
    s->tiles = tiles;
    s->position = UINT64_MAX;
    pthread_mutex_init(&s->mutex, NULL);
    while (count_squares(s) > MAX_SQUARES) s->square_order++;
    s->squares = calloc((size_t)count_squares(s) + 1, sizeof *s->squares);
  }
  if (!s || !s->squares) cli_fail(failure, "out of memory");
  if (!s || !s->squares || (costs && !probe(s, renderer, failure))) {
    cli_shard_destroy(s);
    return NULL;
  }
  list_squares(s);
  return s;
}

cli_shard *cli_shard_create(const cli_tiles *tiles, cli_renderer *renderer, cli_failure *failure) {
  cli_shard *s = make_squares(tiles, renderer, tiles->options->count > 1 && !tiles->owners, failure);
  if (s && tiles->owners)
    choose_own(s);
  else if (s)
    choose_range(s);
  return s;
}

void cli_shard_destroy(cli_shard *s) {
  if (!s) return;
  pthread_mutex_destroy(&s->mutex);
  free(s->squares);
  free(s);
}

uint64_t cli_shard_tiles(const cli_shard *s) { return s->tile_count; }

bool cli_shard_next(cli_shard *s, int last, cli_tile *tile) {
  bool found = false;
  pthread_mutex_lock(&s->mutex);
  while (!found && s->at < s->end && s->squares[s->at].level <= last) {
    const square *q = &s->squares[s->at];
    cli_level l = cli_pyramid_level(&s->tiles->pyramid, q->level);
    uint64_t end = q->position + ((uint64_t)1 << (2 * order_of(s, &l)));
    uint64_t from = s->position == UINT64_MAX ? q->position : s->position;
    uint64_t position = cli_hilbert_inside(l.order, l.columns, l.rows, from);
    found = position < end;
    if (found) {
      tile->level = q->level;
      cli_hilbert_place(l.order, position, &tile->x, &tile->y);
      s->position = position + 1;
      found = is_own(s, *tile);
    } else {
      s->position = UINT64_MAX;
      s->at++;
    }
  }
  pthread_mutex_unlock(&s->mutex);
  return found;
}

// --- owners ---

struct cli_owners {
  const cli_tiles *tiles;
  cli_level level;       // the highest
  int order;             // of its squares
  uint32_t columns;      // of squares
  unsigned by_square[];  // by rows
};

// Gives each square to the shard in whose part of the cost it begins.
static void divide(cli_owners *o, const cli_shard *s) {
  unsigned owner = 0, count = o->tiles->options->count;
  for (size_t i = 0; i < s->count; i++) {
    while (owner + 1 < count && s->squares[i].cost >= part_of(s->squares[s->count].cost, owner + 1, count)) owner++;
    range r = range_of(s, &s->squares[i], &o->level);
    o->by_square[(size_t)(r.y0 >> o->order) * o->columns + (r.x0 >> o->order)] = owner;
  }
}

cli_owners *cli_owners_create(const cli_tiles *tiles, cli_renderer *renderer, cli_failure *failure) {
  cli_tiles highest = *tiles;
  highest.first = highest.last = tiles->pyramid.levels - 1;
  cli_shard *s = make_squares(&highest, renderer, true, failure);
  if (!s) return NULL;
  cli_owners *o = calloc(1, sizeof *o + s->count * sizeof *o->by_square);
  if (o) {
    o->tiles = tiles;
    o->level = cli_pyramid_level(&tiles->pyramid, highest.last);
    o->order = order_of(s, &o->level);
    o->columns = ((o->level.columns - 1) >> o->order) + 1;
    divide(o, s);
  } else {
    cli_fail(failure, "out of memory");
  }
  cli_shard_destroy(s);
  return o;
}

void cli_owners_destroy(cli_owners *o) { free(o); }

// Finds the squares that a row or column of a level is made of: of those below it and, where tiles overlap, of a tile
// more on each side for each level between.
static void find_sources(const cli_owners *o, uint32_t at, int halvings, uint32_t count, uint32_t *first,
                         uint32_t *last) {
  int64_t unit = (int64_t)1 << halvings, more = o->tiles->pyramid.overlap ? unit - 1 : 0;
  int64_t low = at * unit - more, high = (at + 1) * unit - 1 + more;
  *first = (uint32_t)(low > 0 ? low : 0) >> o->order;
  *last = (uint32_t)(high < count ? high : count - 1) >> o->order;
}

unsigned cli_owners_find(const cli_owners *o, cli_tile tile) {
  uint32_t x0, y0, x1, y1;
  cli_level l = cli_pyramid_level(&o->tiles->pyramid, tile.level);
  find_sources(o, tile.x, l.halvings, o->level.columns, &x0, &x1);
  find_sources(o, tile.y, l.halvings, o->level.rows, &y0, &y1);
  unsigned owner = o->by_square[(size_t)y0 * o->columns + x0];
  for (uint32_t y = y0; y <= y1; y++)
    for (uint32_t x = x0; x <= x1; x++)
      if (o->by_square[(size_t)y * o->columns + x] != owner) return o->tiles->options->count;
  return owner;
}
