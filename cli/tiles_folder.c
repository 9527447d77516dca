// Tiles as files in folders: Deep Zoom, XYZ, IIIF. A file appears under its name only when it is complete.
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complete.h"
#include "file.h"
#include "json.h"
#include "tiles.h"

#define STAMP_FILE "stijl-tiles.json"

typedef struct folder {
  cli_store store;
  char *root;             // the folder of the tiles
  char ending[8];         // of their names, without a point
  pthread_mutex_t mutex;  // of the blank ones that are shared
  bool complete;          // shrunk tiles are all there
} folder;

// --- names ---

// Finds one of the names of a tile: an IIIF picture that is whole has several, all others one. Returns false when there
// are no more.
static bool path_of(const folder *f, cli_tile t, int which, char **path) {
  const cli_pyramid *p = &f->store.tiles->pyramid;
  int made = -1;
  *path = NULL;
  if (p->layout != CLI_LAYOUT_IIIF) {
    if (which) return false;
    char between = p->layout == CLI_LAYOUT_DEEP_ZOOM ? '_' : '/';
    made = asprintf(path, "%s/%d/%" PRIu32 "%c%" PRIu32 ".%s", f->root, t.level, t.x, between, t.y, f->ending);
  } else {
    cli_level l = cli_pyramid_level(p, t.level);
    cli_tile_box b = cli_pyramid_box(p, t);
    bool whole = l.columns == 1 && l.rows == 1;
    int64_t unit = (int64_t)1 << l.halvings, x = b.x0 * unit, y = b.y0 * unit;
    int64_t w = b.x1 * unit < p->width ? b.x1 * unit - x : p->width - x;
    int64_t h = b.y1 * unit < p->height ? b.y1 * unit - y : p->height - y;
    if (which > (whole ? 2 : 0)) return false;
    if (which == 0)
      made = asprintf(path, "%s/%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "/%d,%d/0/default.%s", f->root, x, y, w,
                      h, b.width, b.height, f->ending);
    else if (which == 1)
      made = asprintf(path, "%s/full/%d,%d/0/default.%s", f->root, b.width, b.height, f->ending);
    else
      made = asprintf(path, "%s/full/max/0/default.%s", f->root, f->ending);
  }
  if (made < 0) *path = NULL;
  return true;
}

// --- files ---

// Gives an open file without a name the place of one that is there: it has a name of its own for a moment, always the
// same one, so that the next process takes away what one that was killed then has left. Where another process has been
// faster it has written the same.
static bool take_place(const char *from, const char *path) {
  const char *slash = strrchr(path, '/');
  int folder_length = slash ? (int)(slash + 1 - path) : 0;
  char *beside = NULL;
  if (asprintf(&beside, "%.*s.stijl-%s", folder_length, path, path + folder_length) < 0) return false;
  unlink(beside);
  bool good = (linkat(AT_FDCWD, from, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0 || errno == EEXIST) &&
              (rename(beside, path) == 0 || errno == ENOENT);
  free(beside);
  return good;
}

// Writes a file that has no name until it is complete, so that nothing of it is left where the process is killed.
// Returns false where the file system has no such files.
static bool write_nameless(const char *path, const unsigned char *data, size_t bytes) {
#ifdef O_TMPFILE
  char from[64], *folder_name = cli_folder_of(path);
  int fd = folder_name ? open(folder_name, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
  free(folder_name);
  if (fd < 0) return false;
  snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
  bool good = true;
  for (size_t at = 0; good && at < bytes;) {
    ssize_t written = write(fd, data + at, bytes - at);
    good = written > 0 || (written < 0 && errno == EINTR);
    if (written > 0) at += (size_t)written;
  }
  good = good && (linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ||
                  (errno == EEXIST && take_place(from, path)));
  close(fd);
  return good;
#else
  return false;
#endif
}

static bool write_file(const char *path, const void *data, size_t bytes, cli_failure *failure) {
  if (write_nameless(path, data, bytes)) return true;
  cli_output output;
  if (!cli_output_open(&output, path, failure)) return false;
  cli_output_write(&output, data, bytes);
  return cli_output_commit(&output, failure);
}

// Makes the folders that are missing on the way, which most often none is.
static bool make_folders(const folder *f, char *path, cli_failure *failure) {
  char *slash = strrchr(path, '/');
  struct stat info;
  *slash = 0;
  bool there = stat(path, &info) == 0;
  *slash = '/';
  return there || cli_make_folders(path, strlen(f->root) + 1, failure);
}

static bool has(cli_store *store, cli_tile tile) {
  char *path;
  bool good = true;
  for (int i = 0; good && path_of((folder *)store, tile, i, &path); i++) {
    good = path && cli_is_complete(path, store->tiles->options->render.format);
    free(path);
  }
  return good;
}

// Links one file for all blank tiles of a size. Returns false where the file system has no links, or no more of them
// for that one.
static bool link_blank(folder *f, const char *path, const cli_tile_box *box, const cli_tile_picture *p) {
  char *shared = NULL;
  cli_failure ignored;
  if (asprintf(&shared, "%s/blank-%dx%d.%s", f->root, box->width, box->height, f->ending) < 0) return false;
  pthread_mutex_lock(&f->mutex);
  bool good = cli_is_complete(shared, f->store.tiles->options->render.format) ||
              write_file(shared, p->data, p->bytes, &ignored);
  if (good && link(shared, path) != 0) {
    if (errno == EEXIST) unlink(path);
    // Another file takes over where this one has as many names as it may have.
    if (errno == EMLINK) good = write_file(shared, p->data, p->bytes, &ignored);
    good = good && link(shared, path) == 0;
  }
  pthread_mutex_unlock(&f->mutex);
  free(shared);
  return good;
}

static bool put(cli_store *store, cli_tile tile, const cli_tile_picture *p, cli_failure *failure) {
  folder *f = (folder *)store;
  cli_tile_box box = cli_pyramid_box(&store->tiles->pyramid, tile);
  char *path;
  bool good = true;
  for (int i = 0; good && path_of(f, tile, i, &path); i++) {
    if (!path) return cli_fail(failure, "out of memory");
    cli_blank blank = p->blank ? store->tiles->options->blank : CLI_BLANK_KEEP;
    good = blank == CLI_BLANK_SKIP || make_folders(f, path, failure);
    if (good && blank != CLI_BLANK_SKIP && !(blank == CLI_BLANK_SHARE && link_blank(f, path, &box, p))) {
      good = write_file(path, p->data, p->bytes, failure);
      atomic_fetch_add(&store->bytes, p->bytes);
    }
    free(path);
  }
  return good;
}

static bool get(cli_store *store, cli_tile tile, cli_tile_picture *p, cli_failure *failure) {
  char *path;
  cli_failure why;
  p->bytes = 0;
  path_of((folder *)store, tile, 0, &path);
  if (!path) return cli_fail(failure, "out of memory");
  free(p->data);
  *p = (cli_tile_picture){0};
  bool good = (store->tiles->options->blank == CLI_BLANK_SKIP && access(path, F_OK) != 0) ||
              cli_read(path, SIZE_MAX / 2, &p->data, &p->bytes, &why) ||
              cli_fail(failure, "%.300s: %s", path, why.text);
  p->capacity = p->bytes;
  free(path);
  return good;
}

static bool settle(cli_store *store, cli_failure *failure) {
  (void)store, (void)failure;
  return true;
}

// --- what tells viewers of it ---

static bool write_named(const char *folder_name, const char *name, const char *text, size_t bytes,
                        cli_failure *failure) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", folder_name, name) < 0) return cli_fail(failure, "out of memory");
  bool good = write_file(path, text, bytes, failure);
  free(path);
  return good;
}

static bool write_dzi(const folder *f, cli_failure *failure) {
  const cli_pyramid *p = &f->store.tiles->pyramid;
  char text[512], *name = NULL;
  int bytes = snprintf(text, sizeof text,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\"\n"
                       "  Format=\"%s\"\n  Overlap=\"%d\"\n  TileSize=\"%d\"\n  >\n"
                       "  <Size \n    Height=\"%" PRId64 "\"\n    Width=\"%" PRId64 "\"\n  />\n</Image>\n",
                       f->ending, p->overlap, p->tile_size, p->height, p->width);
  if (asprintf(&name, "%s.dzi", f->store.tiles->name) < 0) return cli_fail(failure, "out of memory");
  bool good = write_named(f->store.tiles->options->render.output, name, text, (size_t)bytes, failure);
  free(name);
  return good;
}

static void put_iiif_size(cli_json *json, const cli_level *l) {
  cli_json_begin(json, NULL, '{');
  cli_json_unsigned(json, "width", (uint64_t)l->width);
  cli_json_unsigned(json, "height", (uint64_t)l->height);
  cli_json_end(json, '}');
}

// Makes the address of the folder, which the caller frees.
static char *make_id(const cli_tiles *t) {
  static const char base[] = "https://example.com/iiif/";
  if (t->options->id) return strdup(t->options->id);
  char *id = malloc(sizeof base + 3 * strlen(t->name)), *at = id;
  if (!id) return NULL;
  at += sprintf(at, "%s", base);
  for (const char *c = t->name; *c; c++) {
    bool plain = isalnum((unsigned char)*c) || strchr("-._~", *c);
    at += plain ? sprintf(at, "%c", *c) : sprintf(at, "%%%02X", (unsigned)(unsigned char)*c);
  }
  return id;
}

// Writes the description of IIIF. A server of files alone gives the whole picture as large as one tile, which maxWidth
// and maxHeight say.
static bool write_info(const folder *f, cli_failure *failure) {
  const cli_pyramid *p = &f->store.tiles->pyramid;
  cli_level lowest = cli_pyramid_level(p, 0);
  char *id = make_id(f->store.tiles);
  if (!id) return cli_fail(failure, "out of memory");
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_string(&json, "@context", "http://iiif.io/api/image/3/context.json");
  cli_json_string(&json, "id", id);
  cli_json_string(&json, "type", "ImageService3");
  cli_json_string(&json, "protocol", "http://iiif.io/api/image");
  cli_json_string(&json, "profile", "level0");
  cli_json_unsigned(&json, "width", (uint64_t)p->width);
  cli_json_unsigned(&json, "height", (uint64_t)p->height);
  cli_json_unsigned(&json, "maxWidth", (uint64_t)p->tile_size);
  cli_json_unsigned(&json, "maxHeight", (uint64_t)p->tile_size);
  cli_json_begin(&json, "sizes", '[');
  put_iiif_size(&json, &lowest);
  cli_json_end(&json, ']');
  cli_json_begin(&json, "tiles", '[');
  cli_json_begin(&json, NULL, '{');
  cli_json_unsigned(&json, "width", (uint64_t)p->tile_size);
  cli_json_unsigned(&json, "height", (uint64_t)p->tile_size);
  cli_json_begin(&json, "scaleFactors", '[');
  for (int i = 0; i < p->levels; i++) cli_json_unsigned(&json, NULL, (uint64_t)1 << i);
  cli_json_end(&json, ']');
  cli_json_end(&json, '}');
  cli_json_end(&json, ']');
  cli_json_begin(&json, "preferredFormats", '[');
  cli_json_string(&json, NULL, f->ending);
  cli_json_end(&json, ']');
  cli_json_begin(&json, "extraFormats", '[');
  cli_json_string(&json, NULL, f->ending);
  cli_json_end(&json, ']');
  cli_json_end(&json, '}');
  bool good = json.failed ? cli_fail(failure, "out of memory")
                          : write_named(f->root, "info.json", json.text, json.length, failure);
  cli_json_finish(&json);
  free(id);
  return good;
}

// Describes the pyramid, after its tiles, so that no viewer finds one that is being made.
static bool describe(folder *f, cli_failure *failure) {
  switch (f->store.tiles->pyramid.layout) {
    case CLI_LAYOUT_DEEP_ZOOM: return write_dzi(f, failure);
    case CLI_LAYOUT_IIIF: return write_info(f, failure);
    default: return true;
  }
}

static int make_stamp_text(const folder *f, bool complete, char text[64]) {
  return snprintf(text, 64, "{\"stamp\": \"%s\"%s}\n", f->store.tiles->stamp, complete ? ", \"complete\": true" : "");
}

// Returns the name of a file without content, which the caller frees. Where lower levels are made of the highest, the
// file says that a shard has made its tiles: it is there until all are joined.
static char *shard_mark(const folder *f, unsigned index) {
  char *path = NULL;
  int made = asprintf(&path, "%s/.stijl-shard-%u-of-%u", f->root, index + 1, f->store.tiles->options->count);
  return made < 0 ? NULL : path;
}

static bool mark_shard(const folder *f, cli_failure *failure) {
  char *path = shard_mark(f, f->store.tiles->options->index);
  if (!path) return cli_fail(failure, "out of memory");
  bool good = access(path, F_OK) == 0 || write_file(path, "", 0, failure);
  free(path);
  return good;
}

// Checks that all shards have made theirs; else the first that has not is named.
static bool check_shards(const folder *f, cli_failure *failure) {
  const cli_tiles_options *o = f->store.tiles->options;
  bool good = true;
  for (unsigned i = 0; good && i < o->count; i++) {
    char *path = shard_mark(f, i);
    if (!path) return cli_fail(failure, "out of memory");
    good =
        access(path, F_OK) == 0 ||
        cli_fail(failure, "%.300s: shard %u/%u is not complete (--resume goes on with it)", f->root, i + 1, o->count);
    free(path);
  }
  return good;
}

static void remove_marks(const folder *f) {
  for (unsigned i = 0; i < f->store.tiles->options->count; i++) {
    char *path = shard_mark(f, i);
    if (path) unlink(path);
    free(path);
  }
}

static bool finish(cli_store *store, cli_failure *failure) {
  folder *f = (folder *)store;
  const cli_tiles_options *o = store->tiles->options;
  char text[64];
  // Of shards that draw all levels each one writes the same.
  if (!o->shrink) return describe(f, failure);
  if (o->shard) return f->complete || mark_shard(f, failure);
  int length = make_stamp_text(f, true, text);
  bool good = describe(f, failure) && write_named(f->root, STAMP_FILE, text, (size_t)length, failure);
  if (good && o->join) remove_marks(f);
  return good;
}

static void close_folder(cli_store *store) {
  folder *f = (folder *)store;
  pthread_mutex_destroy(&f->mutex);
  free(f->root);
  free(f);
}

// --- opening ---

// Returns whether nothing is in the folder beside files that are not complete, which other shards may be writing now.
static bool is_empty(const char *path) {
  DIR *folder_stream = opendir(path);
  bool empty = true;
  for (struct dirent *e; folder_stream && empty && (e = readdir(folder_stream));)
    empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strncmp(e->d_name, ".stijl-", 7) == 0;
  if (folder_stream) closedir(folder_stream);
  return empty;
}

// Checks the stamp, which stands in the folder before the first tile, so that tiles of two documents, or of two sizes,
// never mix.
static bool check_stamp(folder *f, cli_failure *failure) {
  char *path = NULL, text[64], whole[64];
  unsigned char *data;
  size_t bytes;
  cli_failure why;
  int length = make_stamp_text(f, false, text), whole_length = make_stamp_text(f, true, whole);
  if (asprintf(&path, "%s/" STAMP_FILE, f->root) < 0) return cli_fail(failure, "out of memory");
  bool empty = is_empty(f->root), there = cli_read(path, 4096, &data, &bytes, &why);
  f->complete = there && bytes == (size_t)whole_length && memcmp(data, whole, bytes) == 0;
  bool good = f->complete || (there && bytes == (size_t)length && memcmp(data, text, bytes) == 0);
  if (there) free(data);
  if (!good && empty)
    good = write_file(path, text, (size_t)length, failure);
  else if (!good && there)
    cli_fail(failure,
             "%.300s holds tiles of another document, of other options or of another version: remove it, or "
             "name another folder",
             f->root);
  else if (!good)
    cli_fail(failure, "%.300s is not empty, and holds no tiles of stijl: name another folder", f->root);
  free(path);
  return good;
}

cli_store *cli_folder_open(const cli_tiles *tiles, cli_failure *failure) {
  folder *f = calloc(1, sizeof *f);
  char *path = NULL;
  const char *output = tiles->options->render.output;
  int made = -1;
  if (f) {
    f->store = (cli_store){
        .tiles = tiles, .has = has, .put = put, .get = get, .settle = settle, .finish = finish, .close = close_folder};
    pthread_mutex_init(&f->mutex, NULL);
    int length;
    const char *ending = cli_format_ending(tiles->options->render.format, &length);
    snprintf(f->ending, sizeof f->ending, "%.*s", length, ending);
    made = tiles->pyramid.layout == CLI_LAYOUT_DEEP_ZOOM ? asprintf(&f->root, "%s/%s_files", output, tiles->name)
                                                         : asprintf(&f->root, "%s", output);
    if (made < 0) f->root = NULL;
    if (f->root && asprintf(&path, "%s/", f->root) < 0) path = NULL;
  }
  bool good = (path || cli_fail(failure, "out of memory")) && cli_make_folders(path, 1, failure) &&
              check_stamp(f, failure) && (!tiles->options->join || f->complete || check_shards(f, failure));
  free(path);
  if (good) return &f->store;
  if (f) close_folder(&f->store);
  return NULL;
}
