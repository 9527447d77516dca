// `stijl tiles`: a document as a pyramid of tiles.
#include "tiles.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>

#include "clock.h"
#include "commands.h"
#include "file.h"
#include "hash.h"
#include "memory.h"
#include "parse.h"
#include "resources.h"
#include "uses.h"
#include "watch.h"

#define STACK_BYTES ((size_t)4 << 20)
#define PROGRESS_MS 50
// The small levels have no more: each one more needs memory, and the others have work to do.
#define SMALL_THREADS 4

// --- options ---

static bool parse_shard(cli_tiles_options *o, cli_failure *failure) {
  o->count = o->join ? o->join : 1;
  o->index = o->join;
  if (!o->shard) return true;
  const char *slash = strchr(o->shard, '/');
  char index[16];
  unsigned long long i, n;
  size_t length = slash ? (size_t)(slash - o->shard) : sizeof index;
  if (length < sizeof index) {
    memcpy(index, o->shard, length);
    index[length] = 0;
  }
  if (length >= sizeof index || !cli_parse_whole(slash + 1, 1, 1e6, &n) || !cli_parse_whole(index, 1, (double)n, &i))
    return cli_fail(failure, "--shard takes I/N, such as 2/7 for the second of seven parts, not \"%.100s\"", o->shard);
  o->index = (unsigned)i - 1;
  o->count = (unsigned)n;
  return true;
}

static bool choose_tile(cli_tiles_options *o, cli_failure *failure) {
  static const int sizes[] = {254, 256, 512, 256};
  bool deep_zoom = o->layout == CLI_LAYOUT_DEEP_ZOOM;
  if (!o->tile_size) o->tile_size = sizes[o->layout];
  if (o->overlap < 0) o->overlap = deep_zoom ? 1 : 0;
  if (o->overlap && !deep_zoom) return cli_fail(failure, "--overlap is for --layout dzi alone");
  return o->overlap <= o->tile_size / 2 ||
         cli_fail(failure, "--overlap %d is more than half a tile (--tile-size %d)", o->overlap, o->tile_size);
}

static bool check(cli_tiles_options *o, cli_failure *failure) {
  bool archive = o->layout == CLI_LAYOUT_PMTILES;
  if (!o->render.output) return cli_fail(failure, "where do the tiles go? -o FOLDER");
  if (o->join && !archive && !o->shrink)
    return cli_fail(failure, "--join is for --layout pmtiles and for --shrink: other pyramids have nothing to join");
  if (o->join && (o->shard || o->resume)) return cli_fail(failure, "--join goes without --shard and --resume");
  if (o->shrink && o->max_level >= 0)
    return cli_fail(failure, "--shrink begins with the highest level: it goes without --max-level");
  if (o->join) o->resume = true;  // what it has made before it was killed is kept
  if (o->name && strchr(o->name, '/')) return cli_fail(failure, "--name takes a name without slashes");
  if (o->size.zoom > 0 && (o->size.width || o->size.height))
    return cli_fail(failure, "-z cannot be used with -w or -h");
  if (o->render.stretch && !(o->size.width && o->size.height))
    return cli_fail(failure, "--stretch needs both -w and -h");
  if (o->render.format == CLI_FORMAT_NONE) o->render.format = CLI_FORMAT_PNG;
  if (!cli_options_check_format(&o->render, failure)) return false;
  if (o->shrink && (o->render.format == CLI_FORMAT_JPEG || o->render.quality > 0))
    return cli_fail(failure, "--shrink reads tiles back: it goes with png and lossless webp alone");
  o->render.tiles = true;
  o->render.sizes[0] = o->size;
  o->render.size_count = 1;
  return choose_tile(o, failure) && parse_shard(o, failure) && cli_options_check_drawing(&o->render, failure);
}

// Returns the NAME of FOLDER/NAME.svg, which the caller frees.
static char *name_of(const cli_tiles_options *o, const char *input) {
  if (o->name) return strdup(o->name);
  const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
  size_t length = strlen(name);
  if (length > 4 && strcasecmp(name + length - 4, ".svg") == 0) return strndup(name, length - 4);
  if (length > 5 && strcasecmp(name + length - 5, ".svgz") == 0) return strndup(name, length - 5);
  return strdup(name);
}

// --- the stamp ---

typedef struct hash {
  uint64_t value;
} hash;

// Adds to a hash as FNV-1a does, a word at a time: nobody is to be kept from finding two documents with one stamp.
static bool add(void *user, const void *data, size_t bytes) {
  hash *h = user;
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, (const unsigned char *)data + i, bytes - i < sizeof word ? bytes - i : sizeof word);
    h->value = cli_hash_add(h->value, word);
    h->value ^= h->value >> 32;
  }
  return true;
}

static bool make_stamp(cli_tiles *t, cli_failure *failure) {
  const cli_tiles_options *o = t->options;
  const stijl_matrix *m = &t->drawing->transform;
  const stijl_color *b = &t->drawing->background;
  hash h = {CLI_HASH_OF_NOTHING};
  char text[512];
  int length = snprintf(
      text, sizeof text, "%s %d %d %d %d %" PRId64 "x%" PRId64 " %d %d %d %g %a %a %a %a %a %a %a %a %a %a",
      stijl_version(), (int)o->layout, (int)o->shrink, o->tile_size, o->overlap, t->pyramid.width, t->pyramid.height,
      (int)o->blank, (int)o->render.format, o->render.png_level, o->render.quality, (double)m->a, (double)m->b,
      (double)m->c, (double)m->d, (double)m->e, (double)m->f, (double)b->r, (double)b->g, (double)b->b, (double)b->a);
  add(&h, text, (size_t)length);
  stijl_message message = {""};
  stijl_result result = stijl_scene_save(t->drawing->scene, NULL, add, &h, &message);
  if (result) return cli_fail_with_advice(failure, result, message.text);
  snprintf(t->stamp, sizeof t->stamp, "%016" PRIx64, h.value);
  return true;
}

// --- drawing on threads ---

typedef struct run {
  const cli_tiles *tiles;
  cli_store *store;
  cli_shard *shard;
  cli_small *small;
  cli_renderer *first;  // which has loaded the document
  atomic_bool failed;
  atomic_ullong done, kept, blank, told_ms;
  uint64_t count;
  int threads, whole_levels;
} run;

static void tell(run *r) {
  uint64_t done = atomic_fetch_add(&r->done, 1) + 1;
  unsigned long long now = (unsigned long long)cli_now_ms(), told = atomic_load(&r->told_ms);
  if (r->tiles->options->render.quiet || now < told + PROGRESS_MS) return;
  if (atomic_compare_exchange_strong(&r->told_ms, &told, now)) cli_progress(done, r->count, "tiles");
}

static bool put_tile(run *r, cli_tile tile, const cli_tile_picture *picture, cli_failure *failure) {
  if (picture->blank) atomic_fetch_add(&r->blank, 1);
  return r->store->put(r->store, tile, picture, failure);
}

static bool keeps(run *r, cli_tile tile) {
  if (!r->tiles->options->resume || !r->store->has(r->store, tile)) return false;
  atomic_fetch_add(&r->kept, 1);
  return true;
}

static bool make_tile(run *r, cli_tile_drawer *drawer, cli_tile tile, cli_tile_picture *picture, cli_failure *failure) {
  return cli_tile_draw(drawer, tile, picture, failure) && put_tile(r, tile, picture, failure);
}

static void fail_run(run *r, const cli_tile *tile, const cli_failure *failure) {
  char where[64] = "";
  if (tile) snprintf(where, sizeof where, "tile %" PRIu32 ",%" PRIu32 " of level %d: ", tile->x, tile->y, tile->level);
  if (!atomic_exchange(&r->failed, true)) cli_report(r->first->subject, "%s%s", where, failure->text);
}

static bool open_drawer(run *r, int threads, cli_renderer *renderer, cli_tile_drawer *drawer) {
  cli_failure failure;
  *drawer = (cli_tile_drawer){0};
  if (!cli_renderer_create(&r->tiles->options->render, threads, renderer, &failure)) {
    fail_run(r, NULL, &failure);
    return false;
  }
  renderer->subject = r->first->subject;
  if (cli_tile_drawer_create(r->tiles, r->store, renderer, drawer, &failure)) return true;
  fail_run(r, NULL, &failure);
  cli_renderer_destroy(renderer);
  return false;
}

static void close_drawer(cli_renderer *renderer, cli_tile_drawer *drawer) {
  cli_tile_drawer_destroy(drawer);
  cli_renderer_destroy(renderer);
}

// Draws the small levels, and such of their tiles as they could not be drawn for.
static void draw_small_levels(run *r, int threads) {
  cli_failure failure;
  cli_renderer renderer;
  cli_tile_drawer drawer;
  cli_tile_picture picture = {0};
  if (open_drawer(r, threads, &renderer, &drawer)) {
    for (cli_tile tile; !atomic_load(&r->failed) && cli_small_draw(r->small, &drawer, &tile); tell(r))
      if (!make_tile(r, &drawer, tile, &picture, &failure)) fail_run(r, &tile, &failure);
    free(picture.data);
    close_drawer(&renderer, &drawer);
  }
  cli_small_end(r->small);
}

// Draws tiles one after the other, and then cuts some from the small levels.
static void *work(void *user) {
  run *r = user;
  cli_failure failure;
  cli_renderer renderer;
  cli_tile_drawer drawer;
  cli_tile_picture picture = {0};
  if (!open_drawer(r, 1, &renderer, &drawer)) return NULL;
  for (cli_tile tile; !atomic_load(&r->failed) && cli_shard_next(r->shard, r->tiles->last, &tile); tell(r))
    if (!keeps(r, tile) && !make_tile(r, &drawer, tile, &picture, &failure)) fail_run(r, &tile, &failure);
  for (cli_tile tile; !atomic_load(&r->failed) && cli_small_next(r->small, &drawer, &tile); tell(r))
    if (!cli_tile_encode(&drawer, tile, &picture, &failure) || !put_tile(r, tile, &picture, &failure))
      fail_run(r, &tile, &failure);
  free(picture.data);
  close_drawer(&renderer, &drawer);
  return NULL;
}

// Gives the tiles of small levels to who draws these.
static void choose_small(run *r, int last) {
  cli_failure failure;
  for (cli_tile tile; cli_shard_next(r->shard, last, &tile);) {
    if (keeps(r, tile)) {
      tell(r);
    } else if (!cli_small_add(r->small, tile)) {
      cli_fail(&failure, "out of memory");
      fail_run(r, NULL, &failure);
      return;
    }
  }
}

// Draws all tiles. Each thread draws tiles of its own; but for the small levels, each of which shows the whole
// document: they are drawn meanwhile by a few threads together, one after the other, so that there is one encoding of
// the whole document at a time. If some threads cannot be started it only takes longer.
static bool draw_all(run *r, const cli_tiles *levels) {
  const cli_options *o = &r->tiles->options->render;
  int last = cli_small_last(levels);
  uint64_t threads = (uint64_t)(o->threads ? o->threads : cli_usable_processors()), all = threads;
  r->small = cli_small_create(levels);
  if (!r->small) {
    cli_report(r->first->subject, "out of memory");
    return false;
  }
  choose_small(r, last);
  if (threads > r->count) threads = r->count ? r->count : 1;
  pthread_t handles[256];
  size_t started = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  while (started + 1 < threads && pthread_create(&handles[started], &attributes, work, r) == 0) started++;
  pthread_attr_destroy(&attributes);
  r->threads = (int)started + 1;
  bool alone = cli_small_tiles(r->small) == cli_shard_tiles(r->shard);
  draw_small_levels(r, (int)(alone || all < SMALL_THREADS ? all : SMALL_THREADS));
  work(r);
  for (size_t i = 0; i < started; i++) pthread_join(handles[i], NULL);
  r->whole_levels += cli_small_levels(r->small);
  cli_small_destroy(r->small);
  r->small = NULL;
  if (!o->quiet) cli_progress_end();
  return !atomic_load(&r->failed);
}

// --- statistics ---

static bool write_stats(const run *r, const char *input, const cli_load_times *load, double seconds,
                        cli_failure *failure) {
  const cli_tiles *t = r->tiles;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  uint64_t drawn = atomic_load(&r->done) - atomic_load(&r->kept);
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_string(&json, "input", input);
  cli_json_string(&json, "output", t->options->render.output);
  cli_json_unsigned(&json, "width", (uint64_t)t->pyramid.width);
  cli_json_unsigned(&json, "height", (uint64_t)t->pyramid.height);
  cli_json_unsigned(&json, "levels", (uint64_t)t->pyramid.levels);
  cli_json_unsigned(&json, "shard", t->options->index + 1);
  cli_json_unsigned(&json, "shards", t->options->count);
  cli_json_unsigned(&json, "pyramid_tiles", cli_pyramid_tiles(&t->pyramid, t->first, t->last));
  cli_json_unsigned(&json, "tiles", r->count);
  cli_json_unsigned(&json, "drawn", drawn);
  cli_json_unsigned(&json, "kept", atomic_load(&r->kept));
  cli_json_unsigned(&json, "blank", atomic_load(&r->blank));
  cli_json_unsigned(&json, "whole_levels", (uint64_t)r->whole_levels);
  cli_json_unsigned(&json, "bytes", r->store ? atomic_load(&r->store->bytes) : 0);
  cli_json_unsigned(&json, "threads", (uint64_t)r->threads);
  cli_json_decimal(&json, "parse_ms", load->parse_ms);
  cli_json_decimal(&json, "style_ms", load->style_ms);
  cli_json_decimal(&json, "tiles_ms", seconds * 1e3);
  cli_json_decimal(&json, "tiles_per_second", seconds > 0 ? (double)drawn / seconds : 0);
  cli_json_unsigned(&json, "peak_rss_bytes", (uint64_t)usage.ru_maxrss * 1024);
  cli_json_end(&json, '}');
  cli_output output;
  bool good = !json.failed || cli_fail(failure, "out of memory");
  good = good && cli_output_open(&output, t->options->render.stats, failure);
  if (good) {
    cli_output_write(&output, json.text, json.length);
    cli_output_write(&output, "\n", 1);
    good = cli_output_commit(&output, failure);
  }
  cli_json_finish(&json);
  return good;
}

// --- the command ---

static bool choose_levels(cli_tiles *t, cli_failure *failure) {
  const cli_tiles_options *o = t->options;
  t->first = o->min_level < 0 ? 0 : o->min_level;
  t->last = o->max_level < 0 || o->max_level >= t->pyramid.levels ? t->pyramid.levels - 1 : o->max_level;
  return t->first <= t->last ||
         cli_fail(failure, "no level is left: the pyramid has those from 0 to %d (--min-level, --max-level)",
                  t->pyramid.levels - 1);
}

static bool check_warnings(const cli_renderer *r, cli_failure *failure) {
  if (!r->options->quiet) cli_report_further_warnings(r->subject, atomic_load(&r->warnings));
  return !r->options->strict || !atomic_load(&r->warnings) ||
         cli_fail(failure, "no tiles (--strict): %.400s", r->first_warning.text);
}

static bool load(cli_renderer *r, const char *input, cli_drawing *drawing, cli_load_times *times,
                 cli_failure *failure) {
  r->subject = strcmp(input, "-") == 0 ? "standard input" : input;
  r->watched = true;
  if (stijl_budget_create(r->context, &r->options->budget, &r->budget) != STIJL_OK)
    return cli_fail(failure, "out of memory");
  bool good = cli_drawing_make(r, input, drawing, times, failure);
  cli_watch_end();
  return good && check_warnings(r, failure);
}

// Draws the tiles of the shard that are in some levels; an empty failure has been reported.
static bool draw_levels(run *r, const cli_tiles *levels, cli_failure *failure) {
  failure->text[0] = 0;
  r->shard = cli_shard_create(levels, r->first, failure);
  if (!r->shard) return false;
  stijl_budget_destroy(r->first->budget);
  r->first->budget = NULL;
  if (!levels->options->shrink || levels->owners) r->count += cli_shard_tiles(r->shard);
  bool good = draw_all(r, levels);
  cli_shard_destroy(r->shard);
  r->shard = NULL;
  return good;
}

// Shrinks one level after the other, from the highest down, since each is made of the one above it.
static bool shrink_levels(run *r, cli_failure *failure) {
  const cli_tiles_options *o = r->tiles->options;
  cli_tiles level = *r->tiles;
  cli_owners *owners = NULL;
  if (o->shard || o->join) {
    owners = cli_owners_create(r->tiles, r->first, failure);
    if (!owners) return false;
  } else {
    r->count = cli_pyramid_tiles(&r->tiles->pyramid, r->tiles->first, r->tiles->last);
  }
  bool good = true;
  level.owners = owners;
  for (int i = r->tiles->last; good && i >= r->tiles->first; i--) {
    level.first = level.last = i;
    good = draw_levels(r, &level, failure) && r->store->settle(r->store, failure);
  }
  cli_owners_destroy(owners);
  return good;
}

static bool draw_pyramid(run *r, cli_failure *failure) {
  const cli_tiles *t = r->tiles;
  bool archive = t->pyramid.layout == CLI_LAYOUT_PMTILES, complete = false;
  r->store = archive ? cli_archive_open(t, &complete, failure) : cli_folder_open(t, failure);
  if (!r->store) return complete && cli_archive_join(t, failure);
  bool good = t->options->join && !t->options->shrink;
  if (!good) good = t->options->shrink ? shrink_levels(r, failure) : draw_levels(r, t, failure);
  return good && r->store->finish(r->store, failure);
}

static bool make_pyramid(const cli_tiles_options *o, const char *input, cli_renderer *r, cli_failure *failure) {
  cli_drawing drawing = {0};
  cli_load_times times = {0};
  char *name = name_of(o, input);
  cli_tiles t = {.options = o, .name = name, .drawing = &drawing};
  run state = {.tiles = &t, .first = r};
  bool good = name && load(r, input, &drawing, &times, failure);
  if (!name) cli_fail(failure, "out of memory");
  if (good) {
    t.pyramid = cli_pyramid_make(o->layout, drawing.size.width, drawing.size.height, o->tile_size, o->overlap);
    good = choose_levels(&t, failure) && make_stamp(&t, failure);
  }
  double start = cli_now_ms();
  if (good) good = draw_pyramid(&state, failure);
  if (good && o->render.stats) good = write_stats(&state, input, &times, (cli_now_ms() - start) * 1e-3, failure);
  if (state.store) state.store->close(state.store);
  stijl_budget_destroy(r->budget);
  r->budget = NULL;
  stijl_scene_destroy(drawing.scene);
  free(name);
  return good;
}

static bool check_uses(const cli_tiles_options *o, const char *input, cli_failure *failure) {
  cli_use uses[] = {
      {input, NULL, false, NULL}, {o->render.stylesheet, NULL, false, NULL}, {o->render.stats, "--stats", true, NULL}};
  return cli_uses_check(uses, sizeof uses / sizeof *uses, false, "", failure);
}

int cli_command_tiles(int argc, char **argv) {
  cli_tiles_options o = {.render = cli_options_defaults(), .overlap = -1, .min_level = -1, .max_level = -1};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_TILES], argc, argv, &o, &operands, &status)) return status;
  cli_failure failure;
  const char *input = argv[1];
  bool good = (operands == 1 || cli_fail(&failure, "tiles takes one document (see stijl tiles --help)")) &&
              ((strcmp(input, "-") != 0 || o.name) ||
               cli_fail(&failure, "standard input has no name to call the tiles by: --name NAME")) &&
              check(&o, &failure) && check_uses(&o, input, &failure);
  if (!good) {
    cli_report(NULL, "%s", failure.text);
    return 1;
  }
  if (o.render.budget.max_memory) cli_memory_return();
  cli_options_limit_pixels(&o.render);
  cli_resources resources;
  cli_renderer renderer = {0};
  good = cli_resources_open(&o.render, &resources, &failure) &&
         cli_renderer_create(&o.render, 1, &renderer, &failure) && make_pyramid(&o, input, &renderer, &failure);
  if (!good && failure.text[0]) cli_report(strcmp(input, "-") == 0 ? "standard input" : input, "%s", failure.text);
  cli_renderer_destroy(&renderer);
  cli_resources_close(&resources);
  return good ? 0 : 1;
}
