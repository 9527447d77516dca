// The index: what fontconfig said about the system's fonts, kept on disk (base/cache.h).
//
// It is only valid in the environment in which it was made, and as long as each file and folder that fontconfig read,
// or looked for in vain, is as it was then. If anything differs, fontconfig is asked again.
//
// Numbers have the byte order of the machine. Strings end with a NUL, and are filled up to a multiple of 4 bytes. The
// file has
//   head, environment, sources (stamp, path), fonts (record, path, families, full names), answers (record, names,
//   order)
// A second file has the characters of the fonts. It is only needed by texts that need other fonts than their own.

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cache.h"
#include "base/hash.h"
#include "text/system.h"

#define MAGIC 0x35787466u  // "ftx5"; the digit must change with the format, or with the meaning of a value
#define MAX_BYTES ((size_t)64 << 20)
#define MAX_SOURCES 16384
// If there are more answers than this, none are kept, so that a document with any number of families leaves room for
// those of later documents.
#define MAX_ANSWERS (SJ_MAX_SYSTEM_ANSWERS / 4)
// A file may change twice within the resolution of its time stamps, so younger ones are not relied on.
#define MIN_AGE_SECONDS 2

typedef struct head {
  uint32_t magic, bytes;
  uint64_t sum;  // the checksum of all that follows the head
  uint32_t source_count, font_count, range_count, answer_count;
  uint64_t ranges_sum;  // the checksum of the second file
} head;

// What tells whether a file or folder has changed. All are zero where nothing has that name.
typedef struct stamp {
  uint64_t device, inode, size;
  int64_t changed, changed_ns, written, written_ns;
} stamp;

typedef struct font_record {
  float weight_min, weight_max, stretch_min, stretch_max;
  uint32_t index, flags, families_bytes, full_names_bytes, first_range, range_count;
} font_record;

enum { ITALIC = 1, OBLIQUE = 2 };

typedef struct answer_record {
  uint32_t has_exact, has_loose, order_count, has_order;
} answer_record;

// --- the environment of an index ---

// All variables that fontconfig reads.
static const char *const variables[] = {"FONTCONFIG_FILE",
                                        "FONTCONFIG_PATH",
                                        "FONTCONFIG_SYSROOT",
                                        "FC_LANG",
                                        "LC_ALL",
                                        "LC_CTYPE",
                                        "LANG",
                                        "HOME",
                                        "XDG_CONFIG_HOME",
                                        "XDG_CONFIG_DIRS",
                                        "XDG_DATA_HOME",
                                        "XDG_DATA_DIRS",
                                        "XDG_CACHE_HOME",
                                        "XDG_CURRENT_DESKTOP"};

typedef SJ_ARRAY(char) buffer;

static bool put(buffer *b, const void *data, size_t bytes) {
  if (b->count + bytes + 4 > MAX_BYTES || !sj_array_reserve(sj_context(NULL), b, bytes + 4)) return false;
  if (bytes) memcpy(b->data + b->count, data, bytes);
  b->count += bytes;
  while (b->count % 4) b->data[b->count++] = 0;
  return true;
}

static bool put_string(buffer *b, const char *text) { return put(b, text, strlen(text) + 1); }

// Puts what an index depends on beside files: the version, the program and its environment. fontconfig's rules may
// depend on the program, so its name counts, too.
static bool put_environment(buffer *b) {
  bool good = put_string(b, STIJL_VERSION) && put_string(b, program_invocation_short_name);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    good = good && put_string(b, value ? variables[i] : "") && put_string(b, value ? value : "");
  }
  return good;
}

// Returns a checksum, which is the same in each process.
static uint64_t sum_of(const void *data, size_t bytes) { return sj_siphash(1, 3, (sj_hash_key){0}, data, bytes); }

// Makes the name of an index from its environment.
static void name_of(const buffer *environment, char name[17]) {
  snprintf(name, 17, "%016llx", (unsigned long long)sum_of(environment->data, environment->count));
}

typedef struct file_name {
  char text[40];
} file_name;

static file_name file_of(const char *kind, const char *name) {
  file_name file;
  snprintf(file.text, sizeof file.text, "%s-%s", kind, name);
  return file;
}

static stamp stamp_of(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return (stamp){0};
  return (stamp){.device = info.st_dev,
                 .inode = info.st_ino,
                 .size = (uint64_t)info.st_size,
                 .changed = info.st_ctim.tv_sec,
                 .changed_ns = info.st_ctim.tv_nsec,
                 .written = info.st_mtim.tv_sec,
                 .written_ns = info.st_mtim.tv_nsec};
}

// --- reading ---

typedef struct reader {
  char *at, *end;
} reader;

// Takes the next bytes, and what fills them up to a multiple of 4. Returns NULL when there are fewer.
static void *take(reader *r, size_t bytes) {
  size_t filled = (bytes + 3) & ~(size_t)3;
  if (bytes > filled || filled > (size_t)(r->end - r->at)) return NULL;
  void *at = r->at;
  r->at += filled;
  return at;
}

static char *take_string(reader *r) {
  char *end = memchr(r->at, 0, (size_t)(r->end - r->at));
  return end ? take(r, (size_t)(end - r->at) + 1) : NULL;
}

// Takes a list of names, which must end with a NUL of its own. Returns NULL when there is none.
static char *take_names(reader *r, size_t bytes) {
  char *names = bytes ? take(r, bytes) : NULL;
  return names && !names[bytes - 1] && (bytes == 1 || !names[bytes - 2]) ? names : NULL;
}

static bool sources_unchanged(reader *r, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const void *then = take(r, sizeof(stamp));
    const char *path = then ? take_string(r) : NULL;
    if (!path) return false;
    stamp now = stamp_of(path);
    if (memcmp(then, &now, sizeof now) != 0) return false;
  }
  return true;
}

static bool read_fonts(reader *r, const head *h, sj_system *system) {
  sj_system_font *fonts = calloc((size_t)h->font_count + 1, sizeof *fonts);
  system->fonts = fonts;
  bool good = fonts != NULL;
  for (uint32_t i = 0; i < h->font_count && good; i++) {
    const font_record *record = take(r, sizeof *record);
    char *path = record ? take_string(r) : NULL;
    char *families = path ? take_names(r, record->families_bytes) : NULL;
    char *full_names = families ? take_names(r, record->full_names_bytes) : NULL;
    good = full_names && record->first_range <= h->range_count &&
           record->range_count <= h->range_count - record->first_range;
    if (!good) break;
    fonts[i] = (sj_system_font){.path = path,
                                .families = families,
                                .full_names = full_names,
                                .index = record->index,
                                .weight_min = record->weight_min,
                                .weight_max = record->weight_max,
                                .stretch_min = record->stretch_min,
                                .stretch_max = record->stretch_max,
                                .italic = (record->flags & ITALIC) != 0,
                                .oblique = (record->flags & OBLIQUE) != 0,
                                .first_range = record->first_range,
                                .range_count = record->range_count};
  }
  system->count = h->font_count;
  system->range_count = h->range_count;
  system->ranges_sum = h->ranges_sum;
  return good;
}

static bool read_answers(reader *r, const head *h, sj_system *system) {
  if (h->answer_count > MAX_ANSWERS) return false;
  system->answers = calloc((size_t)h->answer_count + 1, sizeof *system->answers);
  if (!system->answers) return false;
  system->answer_capacity = h->answer_count + 1;
  for (uint32_t i = 0; i < h->answer_count; i++) {
    const answer_record *record = take(r, sizeof *record);
    sj_system_answer answer = {.family = record ? take_string(r) : NULL};
    if (answer.family && record->has_exact) answer.exact = take_string(r);
    if (answer.family && record->has_loose) answer.loose = take_string(r);
    if (!answer.family || !answer.exact != !record->has_exact || !answer.loose != !record->has_loose) return false;
    answer.order_count = record->order_count;
    if (record->has_order) answer.order = take(r, (size_t)answer.order_count * sizeof *answer.order);
    if (!answer.order && (record->has_order || answer.order_count)) return false;
    for (uint32_t k = 0; k < answer.order_count; k++)
      if (answer.order[k] >= system->count) return false;
    system->answers[system->answer_count++] = answer;
  }
  return r->at == r->end;
}

static bool read_all(char *data, size_t bytes, const buffer *environment, sj_system *out) {
  reader r = {data, data + bytes};
  head *h = take(&r, sizeof *h);
  if (!h || h->magic != MAGIC || h->bytes != bytes) return false;
  const void *then = take(&r, environment->count);
  return then && memcmp(then, environment->data, environment->count) == 0 && sources_unchanged(&r, h->source_count) &&
         sum_of(data + sizeof *h, bytes - sizeof *h) == h->sum && read_fonts(&r, h, out) && read_answers(&r, h, out);
}

bool sj_index_read(sj_system *system) {
  buffer environment = {0};
  size_t bytes;
  sj_system found = {0};
  bool good = put_environment(&environment);
  if (good) {
    name_of(&environment, found.name);
    // Blocks of the context are aligned for any type.
    found.block = sj_cache_read(sj_context(NULL), file_of("fonts", found.name).text, MAX_BYTES, &bytes);
    good = found.block && read_all(found.block, bytes, &environment, &found) && found.count;
  }
  sj_array_finish(sj_context(NULL), &environment);
  if (good) {
    *system = found;
    return true;
  }
  free(found.fonts);
  free(found.answers);
  sj_free(sj_context(NULL), found.block);
  return false;
}

bool sj_index_read_ranges(sj_system *system) {
  size_t bytes;
  sj_char_range *ranges = sj_cache_read(sj_context(NULL), file_of("characters", system->name).text, MAX_BYTES, &bytes);
  if (ranges && bytes == system->range_count * sizeof *ranges && sum_of(ranges, bytes) == system->ranges_sum) {
    system->ranges.data = ranges;
    system->ranges.count = system->ranges.capacity = system->range_count;
    return true;
  }
  sj_free(sj_context(NULL), ranges);
  return false;
}

// --- writing ---

typedef struct source_list {
  int64_t since;  // that of the system
  buffer bytes;
  SJ_ARRAY(size_t) paths;  // where the paths are in `bytes`
} source_list;

// Returns whether a file of the configuration is a link to one of a package, as most are: below /usr/share. Those are
// never written to, only replaced, so the time stamp of their folder stands for all of them, as it does for fonts. The
// stamp of the links' own folder shows whether there are other links. `folder` becomes the folder of the linked file.
// Returns false when the path is no such link, or leads through further links.
static bool is_packaged(const char *path, char folder[PATH_MAX]) {
  static const char packages[] = "/usr/share/";
  char found[PATH_MAX];
  struct stat info;
  ssize_t length = readlink(path, folder, PATH_MAX - 1);
  if (length <= 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  folder[length] = 0;
  if (strncmp(folder, packages, sizeof packages - 1) != 0 || !realpath(path, found) || strcmp(found, folder) != 0)
    return false;
  *strrchr(folder, '/') = 0;
  return true;
}

// Adds a file or folder that the index depends on. Returns false when it has changed too recently, or there are too
// many.
static bool add_source(void *user, const char *path) {
  source_list *list = user;
  char folder[PATH_MAX];
  if (is_packaged(path, folder)) path = folder;
  for (size_t i = 0; i < list->paths.count; i++)
    if (strcmp(list->bytes.data + list->paths.data[i], path) == 0) return true;
  stamp now = stamp_of(path);
  int64_t latest = now.changed > now.written ? now.changed : now.written;
  if (list->paths.count >= MAX_SOURCES || latest > list->since - MIN_AGE_SECONDS) return false;
  return put(&list->bytes, &now, sizeof now) && sj_array_push(sj_context(NULL), &list->paths, list->bytes.count) &&
         put_string(&list->bytes, path);
}

static size_t names_bytes(const char *names) {
  const char *at = names;
  while (*at) at += strlen(at) + 1;
  return (size_t)(at - names) + 1;
}

static bool put_fonts(buffer *b, const sj_system *system) {
  bool good = true;
  for (size_t i = 0; i < system->count && good; i++) {
    const sj_system_font *font = &system->fonts[i];
    font_record record = {.weight_min = font->weight_min,
                          .weight_max = font->weight_max,
                          .stretch_min = font->stretch_min,
                          .stretch_max = font->stretch_max,
                          .index = font->index,
                          .flags = (font->italic ? ITALIC : 0u) | (font->oblique ? OBLIQUE : 0u),
                          .families_bytes = (uint32_t)names_bytes(font->families),
                          .full_names_bytes = (uint32_t)names_bytes(font->full_names),
                          .first_range = font->first_range,
                          .range_count = font->range_count};
    good = put(b, &record, sizeof record) && put_string(b, font->path) &&
           put(b, font->families, record.families_bytes) && put(b, font->full_names, record.full_names_bytes);
  }
  return good;
}

static size_t kept_answers(const sj_system *system) {
  return system->answer_count > MAX_ANSWERS ? 0 : system->answer_count;
}

static bool put_answers(buffer *b, const sj_system *system) {
  bool good = true;
  for (size_t i = 0; i < kept_answers(system) && good; i++) {
    const sj_system_answer *answer = &system->answers[i];
    answer_record record = {answer->exact != NULL, answer->loose != NULL, answer->order_count, answer->order != NULL};
    good = put(b, &record, sizeof record) && put_string(b, answer->family) &&
           (!answer->exact || put_string(b, answer->exact)) && (!answer->loose || put_string(b, answer->loose)) &&
           put(b, answer->order, answer->order_count * sizeof *answer->order);
  }
  return good;
}

void sj_index_write(const sj_system *system) {
  source_list sources = {.since = system->since};
  buffer environment = {0}, out = {0};
  head h = {.magic = MAGIC,
            .font_count = (uint32_t)system->count,
            .range_count = system->range_count,
            .answer_count = (uint32_t)kept_answers(system),
            .ranges_sum = system->ranges_sum};
  bool has_ranges = system->ranges.count == system->range_count;
  size_t ranges_bytes = system->ranges.count * sizeof *system->ranges.data;
  if (has_ranges) h.ranges_sum = sum_of(system->ranges.data, ranges_bytes);
  char name[17];
  bool good = put_environment(&environment) && sj_fontconfig_sources(add_source, &sources) && put(&out, &h, sizeof h) &&
              put(&out, environment.data, environment.count) && put(&out, sources.bytes.data, sources.bytes.count) &&
              put_fonts(&out, system) && put_answers(&out, system);
  if (good) {
    name_of(&environment, name);
    h.bytes = (uint32_t)out.count;
    h.source_count = (uint32_t)sources.paths.count;
    h.sum = sum_of(out.data + sizeof h, out.count - sizeof h);
    memcpy(out.data, &h, sizeof h);
    // The characters are written first. If the index cannot be written, they do not fit the old one, and are not used.
    if (has_ranges) sj_cache_write(file_of("characters", name).text, system->ranges.data, ranges_bytes);
    sj_cache_write(file_of("fonts", name).text, out.data, out.count);
  }
  sj_arrays_finish(sj_context(NULL), &sources.bytes, &sources.paths, &environment, &out);
}
