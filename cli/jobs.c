#include "jobs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "uses.h"

#define FORCE " (--force does so)"

static const char *shown(const char *input) { return strcmp(input, "-") == 0 ? "standard input" : input; }

void cli_jobs_finish(cli_jobs *jobs) {
  for (size_t i = 0; i < jobs->count; i++) {
    free(jobs->list[i].input);
    free(jobs->list[i].output);
    cli_json_finish(&jobs->list[i].stats);
  }
  free(jobs->list);
  *jobs = (cli_jobs){0};
}

// --- inputs ---

// Takes over `input`, which may be NULL.
static bool add(cli_jobs *jobs, char *input, size_t kept) {
  if (input && jobs->count == jobs->capacity) {
    size_t capacity = jobs->capacity ? jobs->capacity * 2 : 16;
    cli_job *larger = realloc(jobs->list, capacity * sizeof *larger);
    if (larger) {
      jobs->list = larger;
      jobs->capacity = capacity;
    } else {
      free(input);
      input = NULL;
    }
  }
  if (!input) return false;
  jobs->list[jobs->count++] = (cli_job){.input = input, .kept = kept};
  return true;
}

// Bytes of ".svg" or ".svgz" at the end of the name; 0 without.
static size_t ending_length(const char *name) {
  size_t length = strlen(name);
  if (length > 4 && strcasecmp(name + length - 4, ".svg") == 0) return 4;
  return length > 5 && strcasecmp(name + length - 5, ".svgz") == 0 ? 5 : 0;
}

static int is_entry(const struct dirent *entry) { return strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."); }
static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

// The documents in the folder and, without following links to folders, below it. False when memory is short.
static bool walk(cli_jobs *jobs, const char *folder, size_t kept) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_entry, by_bytes);
  if (count < 0) {
    cli_report(folder, "%s", strerror(errno));
    jobs->failed = true;
    return true;
  }
  bool good = true;
  for (int i = 0; i < count; i++) {
    char *path = NULL;
    struct stat info;
    bool ends = folder[strlen(folder) - 1] == '/';
    if (good && asprintf(&path, "%s%s%s", folder, ends ? "" : "/", entries[i]->d_name) < 0) path = NULL, good = false;
    if (good && lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
      good = walk(jobs, path, kept);
    else if (good && ending_length(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode))
      good = add(jobs, path, kept), path = NULL;
    free(path);
    free(entries[i]);
  }
  free(entries);
  return good;
}

static bool gather(const cli_options *o, cli_jobs *jobs, cli_failure *failure) {
  for (int i = 0; i < o->input_count; i++) {
    const char *input = o->inputs[i];
    size_t before = jobs->count, length = strlen(input);
    bool good;
    if (o->recursive && cli_is_folder(input)) {
      good = walk(jobs, input, length + (input[length - 1] != '/'));
      if (good && jobs->count == before && !jobs->failed) {
        cli_report(input, "no .svg or .svgz file in this folder or below");
        jobs->failed = true;
      }
    } else if (cli_is_folder(input)) {
      cli_report(input, "is a folder (-r draws what is below it)");
      jobs->failed = good = true;
    } else {
      const char *slash = strrchr(input, '/');
      good = add(jobs, strdup(input), slash ? (size_t)(slash + 1 - input) : 0);
    }
    if (!good) return cli_fail(failure, "out of memory");
  }
  return true;
}

// --- outputs ---

// FOLDER/NAME.png for NAME.svg or NAME.svgz; other endings are kept.
static bool place_in(cli_job *job, const char *folder) {
  const char *name = job->input + job->kept;
  int length = (int)(strlen(name) - ending_length(name));
  bool ends = folder[strlen(folder) - 1] == '/';
  job->base = strlen(folder) + !ends;
  if (asprintf(&job->output, "%s%s%.*s.png", folder, ends ? "" : "/", length, name) >= 0) return true;
  job->output = NULL;
  return false;
}

static void refuse(cli_jobs *jobs, cli_job *job) {
  free(job->output);
  job->output = NULL;
  jobs->failed = true;
}

// What a picture would overwrite is told by its input.
static void refuse_outputs(cli_jobs *jobs, const cli_use *inputs, const cli_use *outputs) {
  for (size_t i = 0; i < jobs->count; i++) {
    const cli_use *same = outputs[i].same;
    if (!same) continue;
    cli_failure why;
    if (same->output)
      cli_report(shown(jobs->list[i].input), "%s is the picture of %s already (-r FOLDER keeps folders)",
                 outputs[i].path, inputs[same - outputs].path);
    else if (!cli_use_fail(&outputs[i], FORCE, &why))
      cli_report(shown(jobs->list[i].input), "%s", why.text);
    refuse(jobs, &jobs->list[i]);
  }
}

// No input, style sheet or font is overwritten, and no file is written twice.
static bool check_uses(const cli_options *o, cli_jobs *jobs, cli_failure *failure) {
  size_t pictures = jobs->count, others = 3 + (size_t)o->fonts.files.count, count = 2 * pictures + others;
  cli_use *uses = calloc(count, sizeof *uses), *inputs = uses, *outputs = uses + pictures, *use = outputs + pictures;
  if (!uses) return cli_fail(failure, "out of memory");
  for (size_t i = 0; i < pictures; i++) {
    inputs[i].path = jobs->list[i].input;
    outputs[i] = (cli_use){jobs->list[i].output, "the picture", true, NULL};
  }
  *use++ = (cli_use){o->stylesheet, NULL, false, NULL};
  for (int i = 0; i < o->fonts.files.count; i++) *use++ = (cli_use){o->fonts.files.items[i], NULL, false, NULL};
  *use++ = (cli_use){o->save_scene, "--save-scene", true, NULL};
  *use++ = (cli_use){o->stats, "--stats", true, NULL};
  bool good = cli_uses_compare(uses, count, o->force) || cli_fail(failure, "out of memory");
  for (cli_use *other = outputs + pictures; other < use && good; other++)
    good = !other->same || cli_use_fail(other, FORCE, failure);
  if (good) refuse_outputs(jobs, inputs, outputs);
  free(uses);
  return good;
}

// Makes the folder of -o, and those that it is in.
static bool make_output(const char *output, cli_failure *failure) {
  char *path = NULL;
  if (asprintf(&path, "%s/", output) < 0) return cli_fail(failure, "out of memory");
  bool good = cli_make_folders(path, 1, failure);
  free(path);
  return good && (cli_is_folder(output) || cli_fail(failure, "%s: %s", output, strerror(ENOTDIR)));
}

static bool place(const cli_options *o, cli_jobs *jobs, cli_failure *failure) {
  const char *output = o->output;
  bool to_folder = o->recursive || o->input_count > 1 || cli_is_folder(output) || output[strlen(output) - 1] == '/';
  if (!jobs->count) return true;
  if (!to_folder) {
    if (strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
      return cli_fail(failure, "a picture is not written to a terminal (use -o OUT.png, or redirect the output)");
    jobs->list[0].output = strdup(output);
    return jobs->list[0].output || cli_fail(failure, "out of memory");
  }
  for (size_t i = 0; i < jobs->count; i++) {
    if (strcmp(jobs->list[i].input, "-") == 0)
      return cli_fail(failure, "standard input has no name to write to a folder by (use -o OUT.png)");
    if (!place_in(&jobs->list[i], output)) return cli_fail(failure, "out of memory");
  }
  return cli_is_folder(output) || make_output(output, failure);
}

bool cli_jobs_plan(const cli_options *options, cli_jobs *jobs, cli_failure *failure) {
  return gather(options, jobs, failure) && place(options, jobs, failure) && check_uses(options, jobs, failure);
}

bool cli_job_make_folders(const cli_job *job, cli_failure *failure) {
  return !job->base || cli_make_folders(job->output, job->base, failure);
}
