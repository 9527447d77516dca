// Tiles in a PMTiles archive. Each shard appends what it has made to a part, a file of records that can be gone on with
// after its process was killed. The parts of all shards become the archive, in which equal tiles are stored once.
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
#include "tiles.h"

#define HEAD_BYTES 32
#define RECORD_BYTES 24
#define END_ID UINT64_MAX  // of the record behind the last tile, whose hash is how many there are
#define MAX_PICTURE ((uint32_t)1 << 30)

// A tile in a part.
typedef struct record {
  uint64_t id, hash, offset;  // offset: of its bytes in the file
  uint32_t length;            // 0: left out, because it is blank
  unsigned part;
} record;

typedef struct records {
  record *list;
  size_t count, capacity;
} records;

typedef struct archive {
  cli_store store;
  char *path;  // of the part
  int fd;
  pthread_mutex_t mutex;
  records kept;   // what was there already, or is settled, in the order of ids
  records fresh;  // what has come since; with --shrink alone, which reads it
  uint64_t end;   // of the file
  uint64_t count;
} archive;

static bool fail_memory(cli_failure *failure) { return cli_fail(failure, "out of memory"); }
static bool fail_file(const char *path, cli_failure *failure) {
  return cli_fail(failure, "%.300s: %s", path, strerror(errno));
}

static char *archive_path(const cli_tiles *t) {
  char *path = NULL;
  return asprintf(&path, "%s/%s.pmtiles", t->options->render.output, t->name) < 0 ? NULL : path;
}

static char *part_path(const cli_tiles *t, unsigned index, unsigned count) {
  char *path = NULL;
  return asprintf(&path, "%s/%s.pmtiles.%u-of-%u.part", t->options->render.output, t->name, index + 1, count) < 0
             ? NULL
             : path;
}

static uint64_t hash_of(const unsigned char *data, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
  return hash;
}

// --- records ---

static void put_little(unsigned char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_little(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

static void make_head(const cli_tiles *t, unsigned char head[HEAD_BYTES]) {
  char text[HEAD_BYTES + 1];
  snprintf(text, sizeof text, "stijl tiles 01 %s\n", t->stamp);
  memcpy(head, text, HEAD_BYTES);
}

static bool read_at(int fd, void *data, size_t bytes, uint64_t offset) {
  unsigned char *at = data;
  while (bytes) {
    ssize_t got = pread(fd, at, bytes, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= (size_t)got;
    offset += (uint64_t)got;
  }
  return true;
}

static bool write_all(int fd, const void *data, size_t bytes) {
  const unsigned char *at = data;
  while (bytes) {
    ssize_t written = write(fd, at, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += written;
    bytes -= (size_t)written;
  }
  return true;
}

static bool add_record(records *r, const record *new) {
  if (r->count == r->capacity) {
    size_t capacity = r->capacity ? 2 * r->capacity : 1024;
    record *larger = realloc(r->list, capacity * sizeof *larger);
    if (!larger) return false;
    r->list = larger;
    r->capacity = capacity;
  }
  r->list[r->count++] = *new;
  return true;
}

typedef struct scan {
  uint64_t good_bytes;  // up to the first record that is not complete; 0: the head is not that of this pyramid
  bool ended;
} scan;

// Reads what a part holds, up to where its process ended. False when memory is short.
static bool scan_part(const cli_tiles *t, int fd, unsigned part, records *out, scan *s) {
  unsigned char head[HEAD_BYTES], wanted[HEAD_BYTES], raw[RECORD_BYTES], *data = NULL;
  size_t capacity = 0, first = out->count;
  bool memory = true;
  *s = (scan){0};
  make_head(t, wanted);
  if (!read_at(fd, head, sizeof head, 0) || memcmp(head, wanted, sizeof head) != 0) return true;
  s->good_bytes = HEAD_BYTES;
  while (memory && read_at(fd, raw, sizeof raw, s->good_bytes)) {
    record r = {get_little(raw, 8), get_little(raw + 8, 8), s->good_bytes + RECORD_BYTES,
                (uint32_t)get_little(raw + 16, 4), part};
    if (r.id == END_ID) {
      s->ended = r.hash == out->count - first && r.length == 0;
      break;
    }
    if (r.length > MAX_PICTURE) break;
    if (r.length > capacity) {
      unsigned char *larger = realloc(data, r.length);
      if ((memory = larger != NULL)) data = larger, capacity = r.length;
      if (!memory) break;
    }
    if (!read_at(fd, data, r.length, r.offset) || hash_of(data, r.length) != r.hash) break;
    memory = add_record(out, &r);
    s->good_bytes = r.offset + r.length;
  }
  free(data);
  return memory;
}

static int by_id(const void *a, const void *b) {
  const record *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

// --- a part ---

static uint64_t id_of(cli_tile tile) { return cli_hilbert_id(tile.level, tile.x, tile.y); }

static bool has(cli_store *store, cli_tile tile) {
  archive *a = (archive *)store;
  record wanted = {.id = id_of(tile)};
  return a->kept.count && bsearch(&wanted, a->kept.list, a->kept.count, sizeof wanted, by_id);
}

static bool append(archive *a, uint64_t id, uint64_t hash, const void *data, uint32_t length, cli_failure *failure) {
  unsigned char raw[RECORD_BYTES] = {0};
  put_little(raw, id, 8);
  put_little(raw + 8, hash, 8);
  put_little(raw + 16, length, 4);
  pthread_mutex_lock(&a->mutex);
  record r = {id, hash, a->end + RECORD_BYTES, length, 0};
  bool good = write_all(a->fd, raw, sizeof raw) && write_all(a->fd, data, length);
  bool memory = !good || !a->store.tiles->options->shrink || add_record(&a->fresh, &r);
  if (good) a->count++;
  a->end = r.offset + length;
  pthread_mutex_unlock(&a->mutex);
  if (!good) return fail_file(a->path, failure);
  return memory || fail_memory(failure);
}

static bool put(cli_store *store, cli_tile tile, const cli_tile_picture *p, cli_failure *failure) {
  if (p->bytes > MAX_PICTURE) return cli_fail(failure, "a tile of more than 1 GiB (--tile-size)");
  atomic_fetch_add(&store->bytes, p->bytes);
  return append((archive *)store, id_of(tile), hash_of(p->data, p->bytes), p->data, (uint32_t)p->bytes, failure);
}

static bool get(cli_store *store, cli_tile tile, cli_tile_picture *p, cli_failure *failure) {
  archive *a = (archive *)store;
  record wanted = {.id = id_of(tile)};
  const record *r = a->kept.count ? bsearch(&wanted, a->kept.list, a->kept.count, sizeof wanted, by_id) : NULL;
  if (!r) return cli_fail(failure, "%.300s lacks a tile that was in it", a->path);
  if (r->length > p->capacity) {
    free(p->data);
    *p = (cli_tile_picture){.data = malloc(r->length)};
    if (!p->data) return fail_memory(failure);
    p->capacity = r->length;
  }
  p->bytes = r->length;
  return read_at(a->fd, p->data, r->length, r->offset) || fail_file(a->path, failure);
}

static bool settle(cli_store *store, cli_failure *failure) {
  archive *a = (archive *)store;
  for (size_t i = 0; i < a->fresh.count; i++)
    if (!add_record(&a->kept, &a->fresh.list[i])) return fail_memory(failure);
  a->fresh.count = 0;
  if (a->kept.count) qsort(a->kept.list, a->kept.count, sizeof *a->kept.list, by_id);
  return true;
}

static bool finish(cli_store *store, cli_failure *failure) {
  archive *a = (archive *)store;
  bool good = append(a, END_ID, a->count, NULL, 0, failure);
  return good && (store->tiles->options->count > 1 || cli_archive_join(store->tiles, 1, failure));
}

static void close_archive(cli_store *store) {
  archive *a = (archive *)store;
  if (a->fd >= 0) close(a->fd);
  pthread_mutex_destroy(&a->mutex);
  free(a->kept.list);
  free(a->fresh.list);
  free(a->path);
  free(a);
}

// Begins the part anew, or goes on behind the last tile that is complete.
static bool prepare_part(archive *a, cli_failure *failure) {
  const cli_tiles *t = a->store.tiles;
  unsigned char head[HEAD_BYTES];
  struct stat info;
  scan s = {0};
  make_head(t, head);
  if (fstat(a->fd, &info) != 0) return fail_file(a->path, failure);
  if (t->options->resume && info.st_size >= HEAD_BYTES) {
    if (!scan_part(t, a->fd, 0, &a->kept, &s)) return fail_memory(failure);
    if (!s.good_bytes)
      return cli_fail(failure, "%.300s is of another document, of other options or of another version: remove it",
                      a->path);
    qsort(a->kept.list, a->kept.count, sizeof *a->kept.list, by_id);
  }
  a->count = a->kept.count;
  a->end = s.good_bytes ? s.good_bytes : HEAD_BYTES;
  bool good = ftruncate(a->fd, (off_t)s.good_bytes) == 0 && lseek(a->fd, (off_t)s.good_bytes, SEEK_SET) >= 0 &&
              (s.good_bytes || write_all(a->fd, head, sizeof head));
  return good || fail_file(a->path, failure);
}

// Whether the archive is there already, of the same tiles.
static bool is_complete(const cli_tiles *t) {
  unsigned char head[CLI_PMTILES_HEADER_BYTES], text[4096];
  char *path = archive_path(t), wanted[64];
  snprintf(wanted, sizeof wanted, "\"stamp\": \"%s\"", t->stamp);
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  bool good = fd >= 0 && read_at(fd, head, sizeof head, 0) && memcmp(head, "PMTiles\3", 8) == 0;
  uint64_t bytes = good ? get_little(head + 32, 8) : 0;
  good = good && bytes <= sizeof text && read_at(fd, text, (size_t)bytes, get_little(head + 24, 8)) &&
         head[100] == t->first && head[101] == t->last && memmem(text, (size_t)bytes, wanted, strlen(wanted));
  if (fd >= 0) close(fd);
  free(path);
  return good;
}

cli_store *cli_archive_open(const cli_tiles *tiles, bool *complete, cli_failure *failure) {
  *complete = tiles->options->resume && is_complete(tiles);
  archive *a = *complete ? NULL : calloc(1, sizeof *a);
  if (*complete) return NULL;
  if (!a) {
    fail_memory(failure);
    return NULL;
  }
  a->store = (cli_store){
      .tiles = tiles, .has = has, .put = put, .get = get, .settle = settle, .finish = finish, .close = close_archive};
  a->fd = -1;
  pthread_mutex_init(&a->mutex, NULL);
  a->path = part_path(tiles, tiles->options->index, tiles->options->count);
  bool good = (a->path || fail_memory(failure)) && cli_make_folders(a->path, 1, failure);
  if (good) a->fd = open(a->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (good && a->fd < 0) good = fail_file(a->path, failure);
  if (good && flock(a->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    good = cli_fail(failure, "%.300s is being written by another process", a->path);
  if (good && prepare_part(a, failure)) return &a->store;
  close_archive(&a->store);
  return NULL;
}

// --- the archive ---

// Bytes that are stored, for one tile or many.
typedef struct content {
  const record *first;
  uint64_t offset;
} content;

typedef struct join {
  const cli_tiles *tiles;
  unsigned parts;
  int *files;
  records all;
  cli_pmtiles_entry *entries;
  size_t entry_count;
  content *stored;  // in their order
  size_t stored_count;
  cli_pmtiles_header header;
} join;

static bool read_parts(join *j, cli_failure *failure) {
  for (unsigned i = 0; i < j->parts; i++) {
    char *path = part_path(j->tiles, i, j->parts);
    if (!path) return fail_memory(failure);
    scan s;
    bool good = (j->files[i] = open(path, O_RDONLY | O_CLOEXEC)) >= 0 || fail_file(path, failure);
    if (good && !scan_part(j->tiles, j->files[i], i, &j->all, &s)) good = fail_memory(failure);
    if (good && !s.good_bytes)
      good = cli_fail(failure, "%.300s is of another document, of other options or of another version", path);
    if (good && !s.ended) good = cli_fail(failure, "%.300s is not complete (--resume goes on with it)", path);
    free(path);
    if (!good) return false;
  }
  if (j->all.count) qsort(j->all.list, j->all.count, sizeof *j->all.list, by_id);
  bool good = j->all.count == cli_pyramid_tiles(&j->tiles->pyramid, j->tiles->first, j->tiles->last);
  for (size_t i = 1; i < j->all.count; i++) good = good && j->all.list[i - 1].id != j->all.list[i].id;
  return good || cli_fail(failure, "the parts are not those of all levels (--min-level, --max-level)");
}

static bool is_same(const join *j, const record *a, const record *b, unsigned char *buffers) {
  return a->hash == b->hash && a->length == b->length && read_at(j->files[a->part], buffers, a->length, a->offset) &&
         read_at(j->files[b->part], buffers + a->length, b->length, b->offset) &&
         memcmp(buffers, buffers + a->length, a->length) == 0;
}

static void add_entry(join *j, const record *r, const content *c) {
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
    const record *r = &j->all.list[i];
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

// Viewers lay tiles on a map of the world: level 0 is all of it, in Mercator's projection.
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
    const record *r = j->stored[i].first;
    if (r->length > capacity) {
      free(data);
      data = malloc(capacity = r->length);
    }
    good = data && read_at(j->files[r->part], data, r->length, r->offset) && cli_output_write(output, data, r->length);
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
    char *path = part_path(j->tiles, i, j->parts);
    if (path) unlink(path);
    free(path);
  }
}

bool cli_archive_join(const cli_tiles *tiles, unsigned parts, cli_failure *failure) {
  join j = {.tiles = tiles, .parts = parts, .files = malloc(parts * sizeof *j.files)};
  char *path = archive_path(tiles);
  bool good = (path && j.files) || fail_memory(failure);
  for (unsigned i = 0; j.files && i < parts; i++) j.files[i] = -1;
  // Where the archive is there, all that a process may have left to do before it was killed is to take the parts away.
  if (good && tiles->options->join && is_complete(tiles)) {
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
