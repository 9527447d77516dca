// `stijl render`: one file, or many spread over threads.
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "file.h"
#include "render.h"

static const char help[] =
    "Usage: stijl render [options] IN.svg... [-o OUT.png | -o FOLDER]\n"
    "Draws SVG files as PNG pictures. - is standard input; without -o the picture goes to standard output.\n"
    "Several inputs are drawn side by side into the folder given by -o.\n"
    "\n"
    "  -o, --output FILE        where the picture goes; several inputs need a folder\n"
    "  -w, --width PX           width; without -h the height follows\n"
    "  -h, --height PX          height; without -w the width follows\n"
    "  -z, --zoom FACTOR        a factor to both instead\n"
    "  -b, --background COLOR   a CSS colour below the picture (default: none)\n"
    "      --dpi N              pixels per inch for in, cm, mm, pt and pc (default 96)\n"
    "      --language LIST      for systemLanguage (default en)\n"
    "      --stylesheet FILE    CSS that goes before the documents' own style sheets\n"
    "      --resources-dir DIR  the folder that images may come from (default: that of the document)\n"
    "      --allow-all-files    images may come from any folder\n"
    "      --png-level 0..9     0 stores, 1 is fast (default), 9 is small\n"
    "      --backend NAME       auto, cpu or vulkan\n"
    "      --device N           of the backend\n"
    "      --isa NAME           scalar, sse, avx2, avx512 or neon (default: the best; all draw the same)\n"
    "      --threads N          default: one for each processor\n"
    "      --repeat N           draws N times, to measure\n"
    "      --stats FILE.json    times, sizes and memory\n"
    "  -q, --quiet              no warnings, no progress\n"
    "      --max-pixels N, --max-bytes N, --max-elements N, --max-depth N, --max-seconds N,\n"
    "      --max-image-pixels N, --max-layer-bytes N\n"
    "                           limits, against hostile files\n"
    "      --help               this text\n";

typedef struct {
  const char *input;
  char *output;
  cli_json stats;
} job;

typedef struct {
  const cli_options *options;
  job *jobs;
  size_t count;
  int renderer_threads;
  atomic_size_t next, done;
  atomic_bool failed;
} batch;

// --- where the outputs go ---

// FOLDER/NAME.png for NAME.svg or NAME.svgz; other endings are kept.
static char *output_in(const char *folder, const char *input) {
  const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
  size_t length = strlen(name);
  if (length > 4 && strcmp(name + length - 4, ".svg") == 0)
    length -= 4;
  else if (length > 5 && strcmp(name + length - 5, ".svgz") == 0)
    length -= 5;
  char *path = NULL;
  bool ends = folder[strlen(folder) - 1] == '/';
  return asprintf(&path, "%s%s%.*s.png", folder, ends ? "" : "/", (int)length, name) < 0 ? NULL : path;
}

static int compare_outputs(const void *a, const void *b) {
  const job *const *x = a, *const *y = b;
  return strcmp((*x)->output, (*y)->output);
}

static bool check_collisions(const batch *b, cli_failure *failure) {
  const job **sorted = malloc(b->count * sizeof *sorted);
  if (!sorted) return cli_fail(failure, "out of memory");
  for (size_t i = 0; i < b->count; i++) sorted[i] = &b->jobs[i];
  qsort(sorted, b->count, sizeof *sorted, compare_outputs);
  bool good = true;
  for (size_t i = 1; good && i < b->count; i++)
    if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0)
      good = cli_fail(failure, "%s and %s would both become %s (render them into different folders)",
                      sorted[i - 1]->input, sorted[i]->input, sorted[i]->output);
  free(sorted);
  return good;
}

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool plan_outputs(const batch *b, cli_failure *failure) {
  const cli_options *o = b->options;
  bool to_folder = b->count > 1 || (strcmp(o->output, "-") != 0 && is_folder(o->output));
  if (!to_folder) {
    b->jobs[0].output = strdup(o->output);
    if (strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO))
      return cli_fail(failure, "a picture is not written to a terminal (use -o OUT.png, or redirect the output)");
    return b->jobs[0].output || cli_fail(failure, "out of memory");
  }
  if (strcmp(o->output, "-") == 0 || !*o->output)
    return cli_fail(failure, "%s", b->count > 1 ? "several inputs need a folder: -o FOLDER" : "-o needs a name");
  for (size_t i = 0; i < b->count; i++) {
    if (strcmp(b->jobs[i].input, "-") == 0)
      return cli_fail(failure, "standard input has no name to write to a folder by (use -o OUT.png)");
    if (!(b->jobs[i].output = output_in(o->output, b->jobs[i].input))) return cli_fail(failure, "out of memory");
  }
  if (!check_collisions(b, failure)) return false;
  if (is_folder(o->output)) return true;
  return mkdir(o->output, 0777) == 0 || cli_fail(failure, "%s: %s", o->output, strerror(errno));
}

// --- work ---

static void *work(void *user) {
  batch *b = user;
  cli_failure failure;
  cli_renderer renderer;
  bool ready = false;
  for (size_t i; (i = atomic_fetch_add(&b->next, 1)) < b->count;) {
    job *j = &b->jobs[i];
    if (!ready) ready = cli_renderer_create(b->options, b->renderer_threads, &renderer, &failure);
    if (!ready || !cli_render(&renderer, j->input, j->output, b->options->stats ? &j->stats : NULL, &failure)) {
      atomic_store(&b->failed, true);
      cli_report(strcmp(j->input, "-") == 0 ? "standard input" : j->input, "%s", failure.text);
    }
    size_t done = atomic_fetch_add(&b->done, 1) + 1;
    if (b->count > 1 && !b->options->quiet) cli_progress(done, b->count);
  }
  if (ready) cli_renderer_destroy(&renderer);
  return NULL;
}

// For one picture: memory that was given back serves again, and all threads share it. A new process pays for each page
// that it touches first, which by default it would do anew for each large block and each thread.
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_ARENA_MAX, 1);
#endif
}

// The calling thread works too; with fewer threads than asked for it takes longer, no more.
static void run(batch *b) {
  int threads = b->options->threads ? b->options->threads : cli_usable_processors();
  int workers = (size_t)threads < b->count ? threads : (int)b->count;
  b->renderer_threads = threads / workers;
  if (b->count == 1) keep_memory();
  pthread_t *handles = workers > 1 ? malloc((size_t)workers * sizeof *handles) : NULL;
  int started = 0;
  while (handles && started < workers - 1 && pthread_create(&handles[started], NULL, work, b) == 0) started++;
  work(b);
  for (int i = 0; i < started; i++) pthread_join(handles[i], NULL);
  free(handles);
  if (b->count > 1 && !b->options->quiet) cli_progress_end();
}

// One object, or for several inputs an array of those that were rendered, in the order given.
static bool write_stats(const batch *b, cli_failure *failure) {
  cli_json json = {0};
  if (b->count > 1) cli_json_begin(&json, NULL, '[');
  bool good = true;
  for (size_t i = 0; i < b->count; i++) {
    good = good && !b->jobs[i].stats.failed;
    if (b->jobs[i].stats.text) cli_json_raw(&json, b->jobs[i].stats.text);
  }
  if (b->count > 1) cli_json_end(&json, ']');
  good = good && !json.failed;
  if (!good) {
    cli_fail(failure, "out of memory");
  } else if (json.length) {
    cli_output output;
    good = cli_output_open(&output, b->options->stats, failure);
    if (good) {
      cli_output_write(&output, json.text, json.length);
      cli_output_write(&output, "\n", 1);
      good = cli_output_commit(&output, failure);
    }
  }
  cli_json_finish(&json);
  return good;
}

// The text of the sheet, with a NUL behind it; *text to be freed.
static bool read_sheet(cli_options *options, char **text, cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  cli_failure why;
  if (!options->stylesheet) return true;
  if (!cli_read(options->stylesheet, options->svg.limits.max_bytes, &data, &bytes, &why))
    return cli_fail(failure, "%s: %s", options->stylesheet, why.text);
  *text = strndup((char *)data, bytes);
  free(data);
  options->svg.style_sheet = *text;
  return *text || cli_fail(failure, "out of memory");
}

int cli_command_render(int argc, char **argv) {
  cli_options options;
  cli_failure failure;
  switch (cli_options_parse(&options, argc, argv, &failure)) {
    case CLI_PARSED: break;
    case CLI_PARSED_HELP: fputs(help, stdout); return 0;
    case CLI_PARSED_WRONG: cli_report(NULL, "%s", failure.text); return 1;
  }
  batch b = {.options = &options, .count = (size_t)options.input_count};
  bool good = (b.jobs = calloc(b.count, sizeof *b.jobs)) != NULL || cli_fail(&failure, "out of memory");
  char *sheet = NULL;
  good = good && read_sheet(&options, &sheet, &failure);
  if (good) {
    for (size_t i = 0; i < b.count; i++) b.jobs[i].input = options.inputs[i];
    good = plan_outputs(&b, &failure);
  }
  if (good) {
    run(&b);
    if (options.stats) good = write_stats(&b, &failure);
  }
  if (!good) cli_report(NULL, "%s", failure.text);
  for (size_t i = 0; b.jobs && i < b.count; i++) {
    free(b.jobs[i].output);
    cli_json_finish(&b.jobs[i].stats);
  }
  free(b.jobs);
  free(sheet);
  return good && !atomic_load(&b.failed) ? 0 : 1;
}
