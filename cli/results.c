#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

// --- statistics: one object, or for a batch or several sizes an array, in the order of the inputs ---

static bool is_array(const cli_results *r) { return cli_is_batch(r->options) || r->options->size_count > 1; }

static void write_text(cli_results *r, const char *text) { cli_output_write(&r->stats, text, strlen(text)); }

// Writes what no job before it is missing from. Memory is needed for what overtakes an earlier job, and no more.
static void write_waiting(cli_results *r) {
  size_t count = r->jobs->end - r->jobs->first;
  for (; r->next < count && r->ended[r->next]; r->next++) {
    cli_json *json = &r->waiting[r->next];
    if (json->failed && !r->broken) r->broken = true, cli_fail(&r->failure, "out of memory");
    if (json->text) {
      write_text(r, r->stats_begun ? ", " : is_array(r) ? "[" : "");
      write_text(r, json->text);
      r->stats_begun = true;
    }
    cli_json_finish(json);
  }
}

static bool open_stats(cli_results *r, cli_failure *failure) {
  size_t count = r->jobs->end - r->jobs->first;
  r->waiting = calloc(count + 1, sizeof *r->waiting);
  r->ended = calloc(count + 1, sizeof *r->ended);
  if (!r->waiting || !r->ended) return cli_fail(failure, "out of memory");
  return r->stats_open = cli_output_open(&r->stats, r->options->stats, failure);
}

// Closes the statistics. Without an object there is nothing to write, where no array is asked for.
static bool close_stats(cli_results *r, cli_failure *failure) {
  if (!r->stats_begun && !is_array(r)) {
    cli_output_abort(&r->stats);
    return true;
  }
  if (!r->stats_begun) write_text(r, "[");
  write_text(r, is_array(r) ? "]\n" : "\n");
  return cli_output_commit(&r->stats, failure);
}

// --- results: a line for each picture ---

static bool write_line(cli_results *r, cli_json *json, cli_failure *failure) {
  if (json->failed) return cli_fail(failure, "out of memory");
  json->text[json->length] = '\n';  // there is room: the text has a NUL
  for (size_t bytes = json->length + 1, done = 0; done < bytes;) {
    ssize_t written = write(r->fd, json->text + done, bytes - done);
    if (written < 0 && errno != EINTR) return cli_fail(failure, "%s: %s", r->options->results, strerror(errno));
    if (written > 0) done += (size_t)written;
  }
  return true;
}

static void put_picture(cli_json *json, const char *input, const char *output, const char *status) {
  cli_json_begin(json, NULL, '{');
  cli_json_name(json, "input", input);
  if (output)
    cli_json_name(json, "output", output);
  else
    cli_json_null(json, "output");
  cli_json_string(json, "status", status);
}

static bool write_picture(cli_results *r, const cli_job *job, const cli_picture *p, uint64_t bytes,
                          cli_failure *failure) {
  cli_json json = {0};
  put_picture(&json, job->input, p->output, p->drawn ? "drawn" : "failed");
  if (p->drawn) {
    cli_json_unsigned(&json, "width", (uint64_t)p->width);
    cli_json_unsigned(&json, "height", (uint64_t)p->height);
    if (!r->options->pages) cli_json_unsigned(&json, "bytes", bytes);
  } else {
    cli_json_string(&json, "message", p->failure.text);
  }
  cli_json_unsigned(&json, "warnings", p->warnings);
  cli_json_decimal(&json, "milliseconds", p->ms);
  cli_json_end(&json, '}');
  bool good = write_line(r, &json, failure);
  cli_json_finish(&json);
  return good;
}

// Writes what there is of a job that is not begun: its pictures are there already, or it is refused.
static bool write_other(cli_results *r, const cli_job *job, cli_failure *failure) {
  bool good = true;
  for (int i = 0; good && i < r->options->size_count; i++) {
    cli_json json = {0};
    size_t base;
    char *output = job->refused ? NULL : cli_job_output(r->jobs, job, i, &base);
    put_picture(&json, job->input, output, job->refused ? "failed" : "skipped");
    if (job->refused) cli_json_string(&json, "message", job->refused);
    cli_json_end(&json, '}');
    good = write_line(r, &json, failure);
    cli_json_finish(&json);
    free(output);
    if (job->refused) break;
  }
  return good;
}

// --- all of them ---

bool cli_results_open(cli_results *r, cli_jobs *jobs, cli_failure *failure) {
  const cli_options *o = jobs->options;
  *r = (cli_results){.options = o,
                     .jobs = jobs,
                     .mutex = PTHREAD_MUTEX_INITIALIZER,
                     .journal.fd = -1,
                     .fd = -1,
                     .start = cli_now_ms()};
  if (o->journal && !cli_journal_open(&r->journal, jobs, failure)) return false;
  if (o->results && strcmp(o->results, "-") == 0)
    r->fd = STDOUT_FILENO;
  else if (o->results && (r->fd = open(o->results, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
    return cli_fail(failure, "%s: %s", o->results, strerror(errno));
  return r->opened = !o->stats || open_stats(r, failure);
}

static bool record(cli_results *r, const cli_job *job, const struct stat *info, const cli_picture *pictures,
                   const uint64_t *bytes, cli_failure *failure) {
  int count = pictures ? r->options->size_count : 0;
  if (r->journal.fd >= 0 && !job->done && !cli_journal_add(&r->journal, job, info, pictures, bytes, count, failure))
    return false;
  if (r->fd >= 0 && !pictures) return write_other(r, job, failure);
  for (int i = 0; r->fd >= 0 && i < count; i++)
    if (!write_picture(r, job, &pictures[i], bytes[i], failure)) return false;
  return true;
}

size_t cli_results_add(cli_results *r, const cli_job *job, const struct stat *info, const cli_picture *pictures,
                       cli_json *json) {
  uint64_t bytes[CLI_NUMBERS_MAX] = {0};
  bool drawn = pictures != NULL;
  for (int i = 0; pictures && i < r->options->size_count; i++) {
    struct stat picture;
    drawn = drawn && pictures[i].drawn;
    if ((r->journal.fd >= 0 || r->fd >= 0) && !r->options->pages && pictures[i].drawn &&
        stat(pictures[i].output, &picture) == 0)
      bytes[i] = (uint64_t)picture.st_size;
  }
  pthread_mutex_lock(&r->mutex);
  *(drawn ? &r->drawn : job->done ? &r->skipped : &r->failed) += 1;
  if (!r->broken) r->broken = !record(r, job, info, pictures, bytes, &r->failure);
  if (r->stats_open) {
    size_t i = (size_t)(job - r->jobs->list) - r->jobs->first;
    if (json) r->waiting[i] = *json, *json = (cli_json){0};
    r->ended[i] = true;
    write_waiting(r);
  }
  size_t ended = r->broken ? 0 : r->drawn + r->skipped + r->failed;
  pthread_mutex_unlock(&r->mutex);
  return ended;
}

typedef struct count_text {
  char text[32];
} count_text;

// Writes a number as 1,234,567, and returns it.
static const char *count_as_text(size_t count, count_text *out) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%zu", count), used = 0;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) out->text[used++] = ',';
    out->text[used++] = digits[i];
  }
  out->text[used] = 0;
  return out->text;
}

static void tell_total(const cli_results *r) {
  size_t count = r->jobs->end - r->jobs->first, rest = count - r->drawn - r->skipped - r->failed;
  count_text all, drawn, skipped, failed, left;
  cli_report(NULL, "%s file%s: %s drawn, %s skipped, %s failed%s%s, %.1f s", count_as_text(count, &all),
             count == 1 ? "" : "s", count_as_text(r->drawn, &drawn), count_as_text(r->skipped, &skipped),
             count_as_text(r->failed, &failed), rest ? ", not begun: " : "", rest ? count_as_text(rest, &left) : "",
             (cli_now_ms() - r->start) * 1e-3);
}

bool cli_results_close(cli_results *r) {
  cli_failure failure;
  bool good = !r->broken;
  if (!good) cli_report(NULL, "%s", r->failure.text);
  if (r->stats_open && !close_stats(r, &failure)) good = false, cli_report(NULL, "%s", failure.text);
  if (r->fd >= 0 && r->fd != STDOUT_FILENO && close(r->fd) != 0)
    good = false, cli_report(NULL, "%s: %s", r->options->results, strerror(errno));
  cli_journal_close(&r->journal);
  for (size_t i = r->jobs->first; r->waiting && i < r->jobs->end; i++) cli_json_finish(&r->waiting[i - r->jobs->first]);
  free(r->waiting);
  free(r->ended);
  if (r->opened && cli_is_batch(r->options) && !r->options->quiet) tell_total(r);
  return good && !r->failed;
}
