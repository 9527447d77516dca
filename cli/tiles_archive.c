// A PMTiles archive out of the parts that shards have made. Equal tiles are stored once.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "file.h"
#include "hilbert.h"
#include "json.h"
#include "pmtiles.h"
#include "tiles_part.h"

static bool fail_memory(cli_failure *failure) { return cli_fail(failure, "out of memory"); }

// --- the archive ---

// Bytes that are stored, for one tile or many.
typedef struct content {
  const cli_record *first;
  uint64_t offset;
} content;

typedef struct join {
  const cli_tiles *tiles;
  unsigned parts;
  int *files;
  cli_records all;
  cli_pmtiles_entry *entries;
  size_t entry_count;
  content *stored;  // in their order
  size_t stored_count;
  cli_pmtiles_header header;
} join;

static bool read_parts(join *j, cli_failure *failure) {
  bool good = true;
  for (unsigned i = 0; good && i < j->parts; i++)
    good = cli_part_read(j->tiles, i, j->tiles->options->count, &j->files[i], &j->all, failure);
  if (!good) return false;
  cli_records_sort(&j->all);
  good = j->all.count == cli_pyramid_tiles(&j->tiles->pyramid, j->tiles->first, j->tiles->last);
  for (size_t i = 1; i < j->all.count; i++) good = good && j->all.list[i - 1].id != j->all.list[i].id;
  return good || cli_fail(failure, "the parts are not those of all levels (--min-level, --max-level)");
}

static bool is_same(const join *j, const cli_record *a, const cli_record *b, unsigned char *buffers) {
  return a->hash == b->hash && a->length == b->length &&
         cli_read_at(j->files[a->part], buffers, a->length, a->offset) &&
         cli_read_at(j->files[b->part], buffers + a->length, b->length, b->offset) &&
         memcmp(buffers, buffers + a->length, a->length) == 0;
}

static void add_entry(join *j, const cli_record *r, const content *c) {
  cli_pmtiles_entry *last = j->entry_count ? &j->entries[j->entry_count - 1] : NULL;
  j->header.addressed++;
  if (last && last->offset == c->offset && last->id + last->run == r->id)
    last->run++;
  else
    j->entries[j->entry_count++] = (cli_pmtiles_entry){r->id, c->offset, r->length, 1};
}

// Gives each tile the place of the first one that is equal, or a new one.
static bool place_tiles(join *j, cli_failure *failure) {
  size_t slots = 1024, longest = 1;
  while (slots < 2 * j->all.count) slots *= 2;
  for (size_t i = 0; i < j->all.count; i++)
    if (j->all.list[i].length > longest) longest = j->all.list[i].length;
  size_t *table = calloc(slots, sizeof *table);  // of stored[] + 1
  unsigned char *buffers = malloc(2 * longest);
  j->entries = malloc((j->all.count + 1) * sizeof *j->entries);
  j->stored = malloc((j->all.count + 1) * sizeof *j->stored);
  bool good = table && buffers && j->entries && j->stored;
  for (size_t i = 0; good && i < j->all.count; i++) {
    const cli_record *r = &j->all.list[i];
    if (!r->length) continue;
    size_t slot = (size_t)(r->hash ^ r->hash >> 32) & (slots - 1);
    while (table[slot] && !is_same(j, r, j->stored[table[slot] - 1].first, buffers)) slot = (slot + 1) & (slots - 1);
    if (!table[slot]) {
      j->stored[j->stored_count++] = (content){r, j->header.tile_bytes};
      j->header.tile_bytes += r->length;
      table[slot] = j->stored_count;
    }
    add_entry(j, r, &j->stored[table[slot] - 1]);
  }
  free(table);
  free(buffers);
  return good || fail_memory(failure);
}

static void add_metadata(const cli_tiles *t, cli_bytes *out) {
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_string(&json, "name", t->name);
  cli_json_string(&json, "type", "baselayer");
  int length;
  const char *ending = cli_format_ending(t->options->render.format, &length);
  char format[8];
  snprintf(format, sizeof format, "%.*s", length, ending);
  cli_json_string(&json, "format", format);
  cli_json_begin(&json, "stijl", '{');
  cli_json_unsigned(&json, "width", (uint64_t)t->pyramid.width);
  cli_json_unsigned(&json, "height", (uint64_t)t->pyramid.height);
  cli_json_unsigned(&json, "tile_size", (uint64_t)t->pyramid.tile_size);
  cli_json_string(&json, "stamp", t->stamp);
  cli_json_end(&json, '}');
  cli_json_end(&json, '}');
  if (!json.failed) cli_pmtiles_gzip(out, json.text, json.length);
  out->failed |= json.failed;
  cli_json_finish(&json);
}

// Sets the header. Viewers lay tiles on a map of the world: level 0 is all of it, in Mercator's projection.
static void set_header(join *j) {
  const cli_tiles *t = j->tiles;
  double side = ldexp(t->pyramid.tile_size, t->pyramid.levels - 1), pi = acos(-1.0);
  cli_pmtiles_header *h = &j->header;
  h->entries = j->entry_count;
  h->contents = j->stored_count;
  h->tile_type = cli_formats[t->options->render.format].tile_type;
  h->min_zoom = t->first;
  h->max_zoom = t->last;
  h->west = -180;
  h->east = -180 + 360 * (double)t->pyramid.width / side;
  h->north = atan(sinh(pi)) * 180 / pi;
  h->south = atan(sinh(pi * (1 - 2 * (double)t->pyramid.height / side))) * 180 / pi;
}

static bool copy_contents(const join *j, cli_output *output, cli_failure *failure) {
  unsigned char *data = NULL;
  size_t capacity = 0;
  bool good = true;
  for (size_t i = 0; good && i < j->stored_count; i++) {
    const cli_record *r = j->stored[i].first;
    if (r->length > capacity) {
      free(data);
      data = malloc(capacity = r->length);
    }
    good =
        data && cli_read_at(j->files[r->part], data, r->length, r->offset) && cli_output_write(output, data, r->length);
  }
  good = good || cli_fail(failure, "%.300s: %s", output->path,
                          data ? strerror(output->error ? output->error : EIO) : "out of memory");
  free(data);
  return good;
}

static bool write_archive(join *j, const char *path, cli_failure *failure) {
  cli_bytes root = {0}, leaves = {0}, metadata = {0};
  unsigned char head[CLI_PMTILES_HEADER_BYTES];
  cli_output output;
  add_metadata(j->tiles, &metadata);
  bool good =
      (cli_pmtiles_directories(j->entries, j->entry_count, &root, &leaves) && !metadata.failed) || fail_memory(failure);
  good = good && cli_output_open(&output, path, failure);
  if (good) {
    set_header(j);
    j->header.root_bytes = root.count;
    j->header.metadata_bytes = metadata.count;
    j->header.leaf_bytes = leaves.count;
    cli_pmtiles_write_header(&j->header, head);
    cli_output_write(&output, head, sizeof head);
    cli_output_write(&output, root.data, root.count);
    cli_output_write(&output, metadata.data, metadata.count);
    if (leaves.count) cli_output_write(&output, leaves.data, leaves.count);
    good = copy_contents(j, &output, failure);
    if (good)
      good = cli_output_commit(&output, failure);
    else
      cli_output_abort(&output);
  }
  cli_bytes_finish(&root);
  cli_bytes_finish(&metadata);
  cli_bytes_finish(&leaves);
  return good;
}

static void remove_parts(const join *j) {
  for (unsigned i = 0; i < j->parts; i++) {
    char *path = cli_part_path(j->tiles, i, j->tiles->options->count);
    if (path) unlink(path);
    free(path);
  }
}

bool cli_archive_join(const cli_tiles *tiles, cli_failure *failure) {
  const cli_tiles_options *o = tiles->options;
  unsigned parts = o->count + (o->join ? 1 : 0);
  join j = {.tiles = tiles, .parts = parts, .files = malloc(parts * sizeof *j.files)};
  char *path = cli_archive_path(tiles);
  bool good = (path && j.files) || fail_memory(failure);
  for (unsigned i = 0; j.files && i < parts; i++) j.files[i] = -1;
  // Where the archive is there, all that a process may have left to do before it was killed is to take the parts away.
  if (good && (o->join || o->resume) && cli_archive_is_complete(tiles)) {
    remove_parts(&j);
    free(j.files);
    free(path);
    return true;
  }
  good = good && read_parts(&j, failure) && place_tiles(&j, failure);
  if (good && !j.stored_count) good = cli_fail(failure, "all tiles are blank, and no archive is without any");
  good = good && write_archive(&j, path, failure);
  if (good) remove_parts(&j);
  for (unsigned i = 0; j.files && i < parts; i++)
    if (j.files[i] >= 0) close(j.files[i]);
  free(j.files);
  free(j.all.list);
  free(j.entries);
  free(j.stored);
  free(path);
  return good;
}
