#include "jobs.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "list.h"
#include "uses.h"

#define FORCE " (--force does so)"

void cli_jobs_finish(cli_jobs *jobs) {
  for (size_t i = 0; i < jobs->count; i++) {
    free(jobs->list[i].input);
    free(jobs->list[i].refused);
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
  jobs->list[jobs->count++] = (cli_job){.input = input, .kept = (uint32_t)kept};
  return true;
}

__attribute__((format(printf, 2, 3))) static bool refuse(cli_job *job, const char *format, ...) {
  cli_line line;
  va_list args;
  va_start(args, format);
  vsnprintf(line.text, sizeof line.text, format, args);
  va_end(args);
  if (!job->refused) job->refused = strdup(line.text);
  return job->refused != NULL;
}

// Adds an input of which there is only to say why it is not drawn.
static bool add_refused(cli_jobs *jobs, const char *input, const char *why) {
  return add(jobs, strdup(input), 0) && refuse(&jobs->list[jobs->count - 1], "%s", why);
}

static int is_entry(const struct dirent *entry) { return strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."); }
static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

// Adds the documents in the folder and, without following links to folders, below it. Returns false when memory is
// short.
static bool walk(cli_jobs *jobs, const char *folder, size_t kept) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_entry, by_bytes);
  if (count < 0) return add_refused(jobs, folder, strerror(errno));
  bool good = true;
  for (int i = 0; i < count; i++) {
    char *path = NULL;
    struct stat info;
    bool ends = folder[strlen(folder) - 1] == '/';
    if (good && asprintf(&path, "%s%s%s", folder, ends ? "" : "/", entries[i]->d_name) < 0) path = NULL, good = false;
    if (good && lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
      good = walk(jobs, path, kept);
    else if (good && cli_document_ending(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode))
      good = add(jobs, path, kept), path = NULL;
    free(path);
    free(entries[i]);
  }
  free(entries);
  return good;
}

// Adds an input that is named, or what is in it. Returns false when memory is short.
static bool add_named(cli_jobs *jobs, const char *input) {
  size_t before = jobs->count, length = strlen(input);
  if (!cli_is_folder(input)) {
    const char *slash = strrchr(input, '/');
    if (!add(jobs, strdup(input), slash ? (size_t)(slash + 1 - input) : 0)) return false;
    return strcmp(input, "-") != 0 || jobs->naming == CLI_NAME_FILE ||
           (jobs->naming == CLI_NAME_PATTERN && !strstr(jobs->options->output, "{name}")) ||
           refuse(&jobs->list[before], "it has no name to write to a folder by (use -o OUT.png)");
  }
  if (!jobs->options->recursive) return add_refused(jobs, input, "is a folder (-r draws what is below it)");
  return walk(jobs, input, length + (input[length - 1] != '/')) &&
         (jobs->count > before || add_refused(jobs, input, "no .svg or .svgz file in this folder or below"));
}

static bool take_name(void *user, const char *text, bool whole) {
  cli_jobs *jobs = user;
  if (!whole) return add_refused(jobs, text, strerror(ENAMETOOLONG));
  if (strcmp(text, "-") == 0)
    return add_refused(jobs, text, "is not read for a list of files (./- is a file of that name)");
  return add_named(jobs, text);
}

static bool gather(cli_jobs *jobs, cli_failure *failure) {
  const cli_options *o = jobs->options;
  for (int i = 0; i < o->input_count; i++)
    if (!add_named(jobs, o->inputs[i])) return cli_fail(failure, "out of memory");
  return !o->files_from || cli_list_read(o->files_from, o->null_separated, take_name, jobs, failure);
}

// --- outputs ---

char *cli_job_output(const cli_jobs *jobs, const cli_job *job, int size, size_t *base) {
  return cli_name_picture(jobs->options, jobs->naming, job->input, job->kept, size, base);
}

// Refuses the inputs of pictures that would overwrite something, so that it is told by the input.
static bool refuse_outputs(cli_jobs *jobs, const cli_use *inputs, const cli_use *outputs) {
  size_t sizes = (size_t)jobs->options->size_count;
  bool good = true;
  for (size_t i = 0; i < jobs->count * sizes && good; i++) {
    const cli_use *same = outputs[i].same;
    cli_job *job = &jobs->list[i / sizes];
    if (!same) continue;
    cli_failure why;
    size_t other = same->output ? (size_t)(same - outputs) / sizes : 0;
    if (!same->output)
      cli_use_fail(&outputs[i], FORCE, &why), good = refuse(job, "%s", why.text);
    else if (other == i / sizes)
      good = refuse(job, "%s would be its picture at two sizes", outputs[i].path);
    else
      good =
          refuse(job, "%s is the picture of %s already (-r FOLDER keeps folders)", outputs[i].path, inputs[other].path);
  }
  return good;
}

// Checks that no input, list, style sheet or font is overwritten, and no file is written twice.
static bool check_uses(cli_jobs *jobs, cli_failure *failure) {
  const cli_options *o = jobs->options;
  size_t pictures = jobs->count * (size_t)o->size_count, inputs = jobs->count;
  size_t count = inputs + pictures + 7 + (size_t)o->fonts.files.count;
  cli_use *uses = calloc(count, sizeof *uses), *outputs = uses + inputs, *use = outputs + pictures;
  char **names = calloc(pictures + 1, sizeof *names);  // of the pictures
  bool good = uses && names;
  for (size_t i = 0; i < inputs && good; i++) {
    if (!jobs->list[i].refused) uses[i].path = jobs->list[i].input;
    for (int k = 0; k < o->size_count && good && !o->pages && !jobs->list[i].refused; k++) {
      size_t base;
      size_t at = i * (size_t)o->size_count + (size_t)k;
      names[at] = cli_job_output(jobs, &jobs->list[i], k, &base);
      outputs[at] = (cli_use){names[at], "the picture", true, NULL};
      good = names[at] != NULL;
    }
  }
  if (good) {
    *use++ = (cli_use){o->stylesheet, NULL, false, NULL};
    *use++ = (cli_use){o->files_from, NULL, false, NULL};
    for (int i = 0; i < o->fonts.files.count; i++) *use++ = (cli_use){o->fonts.files.items[i], NULL, false, NULL};
    *use++ = (cli_use){o->pages ? o->output : NULL, "the file of pages", true, NULL};
    *use++ = (cli_use){o->save_scene, "--save-scene", true, NULL};
    *use++ = (cli_use){o->stats, "--stats", true, NULL};
    *use++ = (cli_use){o->results, "--results", true, NULL};
    *use++ = (cli_use){o->journal, "--journal", true, NULL};
    good = cli_uses_compare(uses, count, o->force) && refuse_outputs(jobs, uses, outputs);
  }
  if (!good) cli_fail(failure, "out of memory");
  for (cli_use *other = outputs + pictures; good && other < use; other++)
    good = !other->same || cli_use_fail(other, FORCE, failure);
  for (size_t i = 0; names && i < pictures; i++) free(names[i]);
  free(names);
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

// Checks that where pictures go is there before the first of them is drawn, or makes it.
static bool place(const cli_jobs *jobs, cli_failure *failure) {
  const cli_options *o = jobs->options;
  if (!jobs->count || jobs->naming == CLI_NAME_PATTERN) return true;
  if (jobs->naming == CLI_NAME_IN_FOLDER) return cli_is_folder(o->output) || make_output(o->output, failure);
  if (strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO) && !jobs->list[0].refused)
    return cli_fail(failure, "a picture is not written to a terminal (use -o OUT.png, or redirect the output)");
  return true;
}

// Returns count * i / n, without overflow.
static size_t part_begin(uint64_t count, uint64_t i, uint64_t n) { return (size_t)(count / n * i + count % n * i / n); }

bool cli_jobs_plan(const cli_options *options, cli_jobs *jobs, cli_failure *failure) {
  *jobs = (cli_jobs){.options = options, .naming = cli_choose_naming(options)};
  if (!gather(jobs, failure) || !place(jobs, failure) || !check_uses(jobs, failure)) return false;
  jobs->first = part_begin(jobs->count, options->shard - 1, options->shards);
  jobs->end = part_begin(jobs->count, options->shard, options->shards);
  return true;
}
