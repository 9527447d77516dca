// A part of a PMTiles archive, as a store that tiles are put into.
#include "tiles_part.h"

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
#include "hash.h"
#include "hilbert.h"
#include "json.h"
#include "pmtiles.h"

#define HEAD_BYTES 32
#define RECORD_BYTES 24
#define END_ID UINT64_MAX        // of the record behind the last tile, whose hash is how many there are
#define TAG_ID (UINT64_MAX - 1)  // of a record for each process, whose hash is the tag of its temporary files
#define MAX_PICTURE ((uint32_t)1 << 30)

typedef struct archive {
  cli_store store;
  char *path;  // of the part
  int fd;
  pthread_mutex_t mutex;
  cli_records kept;   // what was there already, or is settled, in the order of ids
  cli_records fresh;  // what has come since; with --shrink alone, which reads it
  int *others;        // --join with --shrink: the files of the shards' parts, which are read
  unsigned other_count;
  uint64_t end;  // of the file
  uint64_t count;
} archive;

static bool fail_memory(cli_failure *failure) { return cli_fail(failure, "out of memory"); }
static bool fail_file(const char *path, cli_failure *failure) {
  return cli_fail(failure, "%.300s: %s", path, strerror(errno));
}

char *cli_archive_path(const cli_tiles *t) {
  char *path = NULL;
  return asprintf(&path, "%s/%s.pmtiles", t->options->render.output, t->name) < 0 ? NULL : path;
}

char *cli_part_path(const cli_tiles *t, unsigned index, unsigned count) {
  const char *folder = t->options->render.output;
  char *path = NULL;
  int made = index == count ? asprintf(&path, "%s/%s.pmtiles.join-of-%u.part", folder, t->name, count)
                            : asprintf(&path, "%s/%s.pmtiles.%u-of-%u.part", folder, t->name, index + 1, count);
  return made < 0 ? NULL : path;
}

// --- records ---

static void put_little(unsigned char *at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

uint64_t cli_get_little(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

static void make_head(const cli_tiles *t, unsigned char head[HEAD_BYTES]) {
  char text[HEAD_BYTES + 1];
  snprintf(text, sizeof text, "stijl tiles 01 %s\n", t->stamp);
  memcpy(head, text, HEAD_BYTES);
}

bool cli_read_at(int fd, void *data, size_t bytes, uint64_t offset) {
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

static bool add_record(cli_records *r, const cli_record *new) {
  if (r->count == r->capacity) {
    size_t capacity = r->capacity ? 2 * r->capacity : 1024;
    cli_record *larger = realloc(r->list, capacity * sizeof *larger);
    if (!larger) return false;
    r->list = larger;
    r->capacity = capacity;
  }
  r->list[r->count++] = *new;
  return true;
}

typedef struct scan {
  const char *folder;   // where what processes that were killed have left is removed; NULL: nowhere
  uint64_t good_bytes;  // up to the first record that is not complete; 0: the head is not that of this pyramid
  bool ended;
} scan;

static void sweep(const char *folder, uint64_t number) {
  char tag[17], *tags[] = {tag};
  snprintf(tag, sizeof tag, "%016" PRIx64, number);
  cli_temporary_sweep(folder, tags, 1);
}

// Reads what a part holds, up to where its process ended. False when memory is short.
static bool scan_part(const cli_tiles *t, int fd, unsigned part, cli_records *out, scan *s) {
  unsigned char head[HEAD_BYTES], wanted[HEAD_BYTES], raw[RECORD_BYTES], *data = NULL;
  size_t capacity = 0, first = out->count;
  bool memory = true;
  s->good_bytes = 0;
  s->ended = false;
  make_head(t, wanted);
  if (!cli_read_at(fd, head, sizeof head, 0) || memcmp(head, wanted, sizeof head) != 0) return true;
  s->good_bytes = HEAD_BYTES;
  while (memory && cli_read_at(fd, raw, sizeof raw, s->good_bytes)) {
    cli_record r = {cli_get_little(raw, 8), cli_get_little(raw + 8, 8), s->good_bytes + RECORD_BYTES,
                    (uint32_t)cli_get_little(raw + 16, 4), part};
    if (r.id == END_ID) {
      s->ended = r.hash == out->count - first && r.length == 0;
      break;
    }
    if (r.id == TAG_ID) {
      if (s->folder) sweep(s->folder, r.hash);
      s->good_bytes = r.offset;
      continue;
    }
    if (r.length > MAX_PICTURE) break;
    if (r.length > capacity) {
      unsigned char *larger = realloc(data, r.length);
      if ((memory = larger != NULL)) data = larger, capacity = r.length;
      if (!memory) break;
    }
    if (!cli_read_at(fd, data, r.length, r.offset) || cli_hash(data, r.length) != r.hash) break;
    memory = add_record(out, &r);
    s->good_bytes = r.offset + r.length;
  }
  free(data);
  return memory;
}

static int by_id(const void *a, const void *b) {
  const cli_record *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

void cli_records_sort(cli_records *r) {
  if (r->count) qsort(r->list, r->count, sizeof *r->list, by_id);
}

bool cli_part_read(const cli_tiles *t, unsigned index, unsigned count, int *fd, cli_records *out,
                   cli_failure *failure) {
  char *path = cli_part_path(t, index, count);
  scan s = {0};
  if (!path) return fail_memory(failure);
  bool good = (*fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0 || fail_file(path, failure);
  if (good && !scan_part(t, *fd, index, out, &s)) good = fail_memory(failure);
  if (good && !s.good_bytes)
    good = cli_fail(failure, "%.300s is of another document, of other options or of another version", path);
  if (good && !s.ended) good = cli_fail(failure, "%.300s is not complete (--resume goes on with it)", path);
  free(path);
  return good;
}

// --- a part ---

static uint64_t id_of(cli_tile tile) { return cli_hilbert_id(tile.level, tile.x, tile.y); }

static const cli_record *find(const archive *a, cli_tile tile) {
  cli_record wanted = {.id = id_of(tile)};
  return a->kept.count ? bsearch(&wanted, a->kept.list, a->kept.count, sizeof wanted, by_id) : NULL;
}

static bool has(cli_store *store, cli_tile tile) { return find((archive *)store, tile); }

static bool append(archive *a, uint64_t id, uint64_t hash, const void *data, uint32_t length, cli_failure *failure) {
  unsigned char raw[RECORD_BYTES] = {0};
  put_little(raw, id, 8);
  put_little(raw + 8, hash, 8);
  put_little(raw + 16, length, 4);
  pthread_mutex_lock(&a->mutex);
  const cli_tiles_options *o = a->store.tiles->options;
  cli_record r = {id, hash, a->end + RECORD_BYTES, length, o->index};
  bool good = write_all(a->fd, raw, sizeof raw) && write_all(a->fd, data, length);
  bool memory = !good || !o->shrink || id >= TAG_ID || add_record(&a->fresh, &r);
  if (good && id < TAG_ID) a->count++;
  a->end = r.offset + length;
  pthread_mutex_unlock(&a->mutex);
  if (!good) return fail_file(a->path, failure);
  return memory || fail_memory(failure);
}

static bool put(cli_store *store, cli_tile tile, const cli_tile_picture *p, cli_failure *failure) {
  if (p->bytes > MAX_PICTURE) return cli_fail(failure, "a tile of more than 1 GiB (--tile-size)");
  atomic_fetch_add(&store->bytes, p->bytes);
  return append((archive *)store, id_of(tile), cli_hash(p->data, p->bytes), p->data, (uint32_t)p->bytes, failure);
}

static bool get(cli_store *store, cli_tile tile, cli_tile_picture *p, cli_failure *failure) {
  archive *a = (archive *)store;
  const cli_record *r = find(a, tile);
  if (!r) return cli_fail(failure, "%.300s lacks a tile that was in it", a->path);
  if (r->length > p->capacity) {
    free(p->data);
    *p = (cli_tile_picture){.data = malloc(r->length)};
    if (!p->data) return fail_memory(failure);
    p->capacity = r->length;
  }
  p->bytes = r->length;
  int fd = r->part < a->other_count ? a->others[r->part] : a->fd;
  return cli_read_at(fd, p->data, r->length, r->offset) || fail_file(a->path, failure);
}

static bool settle(cli_store *store, cli_failure *failure) {
  archive *a = (archive *)store;
  for (size_t i = 0; i < a->fresh.count; i++)
    if (!add_record(&a->kept, &a->fresh.list[i])) return fail_memory(failure);
  a->fresh.count = 0;
  cli_records_sort(&a->kept);
  return true;
}

static bool finish(cli_store *store, cli_failure *failure) {
  archive *a = (archive *)store;
  const cli_tiles_options *o = store->tiles->options;
  bool last = o->count == 1 && !o->shard;
  return append(a, END_ID, a->count, NULL, 0, failure) &&
         (!(last || o->join) || cli_archive_join(store->tiles, failure));
}

static void close_archive(cli_store *store) {
  archive *a = (archive *)store;
  if (a->fd >= 0) close(a->fd);
  for (unsigned i = 0; i < a->other_count; i++)
    if (a->others[i] >= 0) close(a->others[i]);
  free(a->others);
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
  scan s = {.folder = t->options->render.output};
  make_head(t, head);
  if (fstat(a->fd, &info) != 0) return fail_file(a->path, failure);
  if (t->options->resume && info.st_size >= HEAD_BYTES) {
    if (!scan_part(t, a->fd, t->options->index, &a->kept, &s)) return fail_memory(failure);
    if (!s.good_bytes)
      return cli_fail(failure, "%.300s is of another document, of other options or of another version: remove it",
                      a->path);
  }
  a->count = a->kept.count;
  a->end = s.good_bytes ? s.good_bytes : HEAD_BYTES;
  bool good = ftruncate(a->fd, (off_t)s.good_bytes) == 0 && lseek(a->fd, (off_t)s.good_bytes, SEEK_SET) >= 0 &&
              (s.good_bytes || write_all(a->fd, head, sizeof head));
  return good ? append(a, TAG_ID, strtoull(cli_temporary_tag(), NULL, 16), NULL, 0, failure)
              : fail_file(a->path, failure);
}

// Opens what shards have made, for the process that makes the rest of it.
static bool read_others(archive *a, cli_failure *failure) {
  const cli_tiles_options *o = a->store.tiles->options;
  if (!o->join || !o->shrink) return true;
  a->others = malloc(o->count * sizeof *a->others);
  if (!a->others) return fail_memory(failure);
  for (a->other_count = 0; a->other_count < o->count; a->other_count++) a->others[a->other_count] = -1;
  bool good = true;
  for (unsigned i = 0; good && i < o->count; i++)
    good = cli_part_read(a->store.tiles, i, o->count, &a->others[i], &a->kept, failure);
  return good;
}

// Returns whether the archive is there already, of the same tiles.
bool cli_archive_is_complete(const cli_tiles *t) {
  unsigned char head[CLI_PMTILES_HEADER_BYTES], text[4096];
  char *path = cli_archive_path(t), wanted[64];
  snprintf(wanted, sizeof wanted, "\"stamp\": \"%s\"", t->stamp);
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  bool good = fd >= 0 && cli_read_at(fd, head, sizeof head, 0) && memcmp(head, "PMTiles\3", 8) == 0;
  uint64_t bytes = good ? cli_get_little(head + 32, 8) : 0;
  good = good && bytes <= sizeof text && cli_read_at(fd, text, (size_t)bytes, cli_get_little(head + 24, 8)) &&
         head[100] == t->first && head[101] == t->last && memmem(text, (size_t)bytes, wanted, strlen(wanted));
  if (fd >= 0) close(fd);
  free(path);
  return good;
}

cli_store *cli_archive_open(const cli_tiles *tiles, bool *complete, cli_failure *failure) {
  *complete = tiles->options->resume && cli_archive_is_complete(tiles);
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
  a->path = cli_part_path(tiles, tiles->options->index, tiles->options->count);
  bool good = (a->path || fail_memory(failure)) && cli_make_folders(a->path, 1, failure);
  if (good) a->fd = open(a->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (good && a->fd < 0) good = fail_file(a->path, failure);
  if (good && flock(a->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    good = cli_fail(failure, "%.300s is being written by another process", a->path);
  good = good && prepare_part(a, failure) && read_others(a, failure);
  cli_records_sort(&a->kept);
  if (good) return &a->store;
  close_archive(&a->store);
  return NULL;
}
