#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"

// --- writing ---

// Adds a line whole or not at all, as far as the file system can.
static bool add_line(cli_journal *journal, cli_json *line, cli_failure *failure) {
  if (line->failed) return cli_fail(failure, "out of memory");
  line->text[line->length] = '\n';  // there is room: the text has a NUL
  size_t bytes = line->length + 1, done = 0;
  while (done < bytes) {
    ssize_t written = write(journal->fd, line->text + done, bytes - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      cli_fail(failure, "%s: %s", journal->path, strerror(errno));
      return ftruncate(journal->fd, journal->size) == 0 && false;
    }
    done += (size_t)written;
  }
  journal->size += (off_t)bytes;
  return true;
}

// Puts what the lines of all runs that may share a journal begin with.
static void put_run(cli_json *json, const cli_options *o) {
  cli_json_begin(json, NULL, '{');
  cli_json_string(json, "stijl", stijl_version());
  cli_json_name(json, "options", o->described);
}

static bool begin_run(cli_journal *journal, const cli_options *o, cli_failure *failure) {
  cli_json json = {0};
  put_run(&json, o);
  cli_json_string(&json, "run", cli_temporary_tag());
  cli_json_end(&json, '}');
  bool good = add_line(journal, &json, failure);
  cli_json_finish(&json);
  return good;
}

// Puts the beginning of the line of a job that is done, while its input is as it was.
static void put_drawn(cli_json *json, const cli_job *job, const struct stat *info) {
  cli_time_text time;
  cli_json_begin(json, NULL, '{');
  cli_json_name(json, "input", job->input);
  cli_json_string(json, "status", "drawn");
  cli_json_unsigned(json, "bytes", (uint64_t)info->st_size);
  cli_json_string(json, "modified", cli_time(&info->st_mtim, &time));
  cli_json_begin(json, "outputs", '[');
}

static void put_failed(cli_json *json, const cli_job *job, const char *message) {
  cli_json_begin(json, NULL, '{');
  cli_json_name(json, "input", job->input);
  cli_json_string(json, "status", "failed");
  cli_json_string(json, "message", message);
}

bool cli_journal_add(cli_journal *journal, const cli_job *job, const struct stat *info, const cli_picture *pictures,
                     const uint64_t *bytes, int count, cli_failure *failure) {
  cli_json json = {0};
  double ms = 0;
  const char *message = job->refused;
  for (int i = 0; i < count && !message; i++) {
    ms += pictures[i].ms;
    if (!pictures[i].drawn) message = pictures[i].failure.text;
  }
  if (message || !info) {
    put_failed(&json, job, message ? message : "it was removed meanwhile");
  } else {
    put_drawn(&json, job, info);
    for (int i = 0; i < count; i++) {
      cli_json_begin(&json, NULL, '{');
      cli_json_name(&json, "output", pictures[i].output);
      cli_json_unsigned(&json, "bytes", bytes[i]);
      cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_number(&json, "seconds", ms * 1e-3);
  }
  cli_json_end(&json, '}');
  bool good = add_line(journal, &json, failure);
  cli_json_finish(&json);
  return good;
}

// --- reading: what is looked for is written again, and compared ---

typedef struct resumed {
  cli_journal *journal;
  cli_jobs *jobs;
  cli_job **by_name;  // those of the shard
  char **tags;        // of earlier runs
  size_t tag_count, damaged;
} resumed;

// Moves *at behind the text, if that is there.
static bool skip(const char **at, const char *text) {
  size_t length = strlen(text);
  if (strncmp(*at, text, length) != 0) return false;
  *at += length;
  return true;
}

static int hex_digit(char c) {
  const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

// Reads what cli_json_name has written, as it was; *at stands behind the opening quote. Returns false where that is
// damaged.
static bool read_name(const char **at, char *out) {
  for (const char *c = *at; *c; c++) {
    if (*c == '"') {
      *out = 0;
      *at = c + 1;
      return true;
    }
    if (*c != '\\') {
      *out++ = *c;
      continue;
    }
    if (*++c != 'u') {
      if (!*c) return false;
      *out++ = *c;
      continue;
    }
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = hex_digit(*++c);
      if (digit < 0) return false;
      code = code << 4 | (unsigned)digit;
    }
    if (code >= 0xdc80 && code <= 0xdcff)
      code -= 0xdc00, *out++ = (char)code;
    else if (code < 0x80)
      *out++ = (char)code;
    else if (code < 0x800)
      *out++ = (char)(0xc0 | code >> 6), *out++ = (char)(0x80 | (code & 0x3f));
    else
      *out++ = (char)(0xe0 | code >> 12), *out++ = (char)(0x80 | (code >> 6 & 0x3f)),
      *out++ = (char)(0x80 | (code & 0x3f));
  }
  return false;
}

static int by_name(const void *a, const void *b) {
  const cli_job *const *x = a, *const *y = b;
  return strcmp((*x)->input, (*y)->input);
}

// Returns whether the pictures that the line tells of are those of the job, and are there.
static bool has_outputs(const cli_jobs *jobs, const cli_job *job, const char *at) {
  bool good = true;
  for (int i = 0; good && i < jobs->options->size_count; i++) {
    size_t base;
    char *output = cli_job_output(jobs, job, i, &base), *end;
    cli_json json = {.comma = i > 0};
    cli_json_begin(&json, NULL, '{');
    if (output) cli_json_name(&json, "output", output);
    good = output && !json.failed && skip(&at, json.text) && skip(&at, ", \"bytes\": ");
    unsigned long long bytes = good ? strtoull(at, &end, 10) : 0;
    struct stat info;
    good = good && stat(output, &info) == 0 && S_ISREG(info.st_mode) && (uint64_t)info.st_size == bytes;
    if (good) at = end, good = skip(&at, "}");
    cli_json_finish(&json);
    free(output);
  }
  return good && skip(&at, "]");
}

static bool is_done(const cli_jobs *jobs, const cli_job *job, const char *line) {
  struct stat info;
  cli_json json = {0};
  if (job->refused || stat(job->input, &info) != 0) return false;
  put_drawn(&json, job, &info);
  const char *at = line;
  bool done = !json.failed && skip(&at, json.text) && has_outputs(jobs, job, at);
  cli_json_finish(&json);
  return done;
}

static bool read_record(resumed *r, const char *line) {
  const char *at = line;
  size_t length = strlen(line), count = r->jobs->end - r->jobs->first;
  char *name = NULL;
  bool good = length && line[length - 1] == '}' && skip(&at, "{\"input\": \"") && (name = malloc(length)) &&
              read_name(&at, name) && skip(&at, ", \"status\": \"");
  if (good) {
    cli_job wanted = {.input = name}, *key = &wanted;
    cli_job **found = bsearch(&key, r->by_name, count, sizeof *r->by_name, by_name);
    if (found) (*found)->done = is_done(r->jobs, *found, line);
  }
  free(name);
  return good;
}

// Reads a line of a run. Its options have to be those of this one.
static bool read_run(resumed *r, const char *line, cli_failure *failure) {
  cli_json json = {0};
  put_run(&json, r->jobs->options);
  const char *at = line;
  bool good =
      (!json.failed && skip(&at, json.text) && skip(&at, ", \"run\": \"")) ||
      cli_fail(failure, "%s: it is of a run with other options, or of another stijl: %.250s", r->journal->path, line);
  char **tags = good ? realloc(r->tags, (r->tag_count + 1) * sizeof *tags) : NULL;
  if (tags) {
    r->tags = tags;
    r->tags[r->tag_count] = strndup(at, strcspn(at, "\""));
    r->tag_count += r->tags[r->tag_count] != NULL;
  }
  cli_json_finish(&json);
  return good;
}

static bool read_lines(resumed *r, FILE *file, cli_failure *failure) {
  char *line = NULL;
  size_t room = 0;
  bool good = true;
  for (ssize_t length; good && (length = getline(&line, &room, file)) > 0;) {
    bool whole = line[length - 1] == '\n', run = strncmp(line, "{\"stijl\": ", 10) == 0;
    if (whole) line[length - 1] = 0;
    if (r->journal->size == 0 && !run)
      good = cli_fail(failure, "%s: it is no journal", r->journal->path);
    else if (!whole)
      break;  // torn
    else if (run)
      good = read_run(r, line, failure);
    else
      r->damaged += !read_record(r, line);
    r->journal->size += length;
  }
  if (good && ferror(file)) good = cli_fail(failure, "%s: %s", r->journal->path, strerror(errno));
  free(line);
  return good;
}

// --- what earlier runs have left ---

static int by_text(const void *a, const void *b) {
  char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

static char *folder_written(const char *output) {
  char *real = realpath(output, NULL), *folder = cli_folder_of(real ? real : output);
  free(real);
  return folder;
}

// Sweeps the folders of the pictures that are still to be drawn, and that of statistics.
static bool sweep(const resumed *r) {
  const cli_options *o = r->jobs->options;
  size_t count = 0, most = (r->jobs->end - r->jobs->first) * (size_t)o->size_count + 1;
  char **folders = malloc(most * sizeof *folders);
  bool good = folders;
  for (size_t i = r->jobs->first; good && i < r->jobs->end; i++) {
    const cli_job *job = &r->jobs->list[i];
    for (int k = 0; good && !job->done && !job->refused && k < o->size_count; k++) {
      size_t base;
      char *output = cli_job_output(r->jobs, job, k, &base), *folder = output ? folder_written(output) : NULL;
      free(output);
      good = folder;
      if (folder && count && strcmp(folders[count - 1], folder) == 0)
        free(folder);
      else if (folder)
        folders[count++] = folder;
    }
  }
  if (good && o->stats && (folders[count] = folder_written(o->stats))) count++;
  if (count) qsort(folders, count, sizeof *folders, by_text);
  for (size_t i = 0; i < count; i++)
    if (good && (i == 0 || strcmp(folders[i - 1], folders[i]) != 0))
      cli_temporary_sweep(folders[i], r->tags, r->tag_count);
  for (size_t i = 0; i < count; i++) free(folders[i]);
  free(folders);
  return good;
}

static bool resume(cli_journal *journal, cli_jobs *jobs, cli_failure *failure) {
  size_t count = jobs->end - jobs->first;
  resumed r = {.journal = journal, .jobs = jobs, .by_name = malloc((count + 1) * sizeof *r.by_name)};
  int fd = dup(journal->fd);
  FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
  bool good = (r.by_name && file) || cli_fail(failure, "%s: %s", journal->path, strerror(errno));
  if (!file && fd >= 0) close(fd);
  for (size_t i = 0; good && i < count; i++) r.by_name[i] = &jobs->list[jobs->first + i];
  if (good) qsort(r.by_name, count, sizeof *r.by_name, by_name);
  good = good && read_lines(&r, file, failure);
  if (file) fclose(file);
  if (good && r.damaged && !jobs->options->quiet)
    cli_report(journal->path, "warning: %zu damaged lines are left out", r.damaged);
  if (good && r.tag_count && !sweep(&r)) good = cli_fail(failure, "out of memory");
  if (good && ftruncate(journal->fd, journal->size) != 0)
    good = cli_fail(failure, "%s: %s", journal->path, strerror(errno));
  while (r.tag_count) free(r.tags[--r.tag_count]);
  free(r.tags);
  free(r.by_name);
  return good;
}

// --- the file ---

bool cli_journal_open(cli_journal *journal, cli_jobs *jobs, cli_failure *failure) {
  const cli_options *o = jobs->options;
  struct stat info;
  *journal = (cli_journal){.path = o->journal, .fd = open(o->journal, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
  bool good =
      (journal->fd >= 0 && fstat(journal->fd, &info) == 0) || cli_fail(failure, "%s: %s", o->journal, strerror(errno));
  if (good && !S_ISREG(info.st_mode)) good = cli_fail(failure, "%s: a journal is a regular file", o->journal);
  if (good && flock(journal->fd, LOCK_EX | LOCK_NB) != 0)
    good =
        errno == EWOULDBLOCK
            ? cli_fail(failure, "%s: another process uses this journal (each, and each shard, has its own)", o->journal)
            : cli_fail(failure, "%s: %s", o->journal, strerror(errno));
  if (good && fstat(journal->fd, &info) == 0 && info.st_size && !o->resume)
    good = cli_fail(failure, "%s: it is there already (--resume goes on with a journal)", o->journal);
  good = good && (!o->resume || resume(journal, jobs, failure)) && begin_run(journal, o, failure);
  if (!good) cli_journal_close(journal);
  return good;
}

void cli_journal_close(cli_journal *journal) {
  if (journal->fd >= 0) close(journal->fd);
  journal->fd = -1;
}
