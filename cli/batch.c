// `stijl render`: one file, or many spread over threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "file.h"
#include "jobs.h"
#include "memory.h"
#include "render.h"
#include "resources.h"
#include "results.h"
#include "vector.h"

#define STACK_BYTES ((size_t)4 << 20)

typedef struct batch {
  const cli_options *options;
  cli_jobs jobs;
  cli_results results;
  int renderer_threads;
  cli_pages pages;
  bool unfinished;  // the file of pages is not there
  atomic_size_t next;
} batch;

// What a thread keeps from file to file.
typedef struct worker {
  batch *batch;
  cli_renderer renderer;
  bool ready;
  cli_picture *pictures;
} worker;

static const char *shown(const char *input) { return strcmp(input, "-") == 0 ? "standard input" : input; }

// Prepares a thread's renderer. Whatever keeps a thread from drawing concerns each of its files.
static bool prepare(worker *w, cli_failure *failure) {
  const cli_options *o = w->batch->options;
  if (!w->pictures && !(w->pictures = malloc((size_t)o->size_count * sizeof *w->pictures)))
    return cli_fail(failure, "out of memory");
  if (!w->ready) w->ready = cli_renderer_create(o, w->batch->renderer_threads, &w->renderer, failure);
  w->renderer.pages = o->pages ? &w->batch->pages : NULL;
  w->renderer.watched = w->batch->jobs.count == 1 && o->repeat == 1 && o->size_count == 1;
  return w->ready;
}

// Reports each reason once, since what concerns a file fails all its pictures.
static void report_failures(const cli_options *o, const cli_job *job, const cli_picture *pictures) {
  const char *before = "";
  for (int i = 0; i < o->size_count; i++) {
    if (pictures[i].drawn || strcmp(before, pictures[i].failure.text) == 0) continue;
    before = pictures[i].failure.text;
    cli_report(shown(job->input), "%s", before);
  }
}

static size_t render(worker *w, cli_job *job) {
  batch *b = w->batch;
  const cli_options *o = b->options;
  cli_failure failure;
  cli_json json = {0};
  struct stat info;
  if (!prepare(w, &failure)) {
    free(job->refused);
    job->refused = strdup(failure.text);
    cli_report(shown(job->input), "%s", failure.text);
    return cli_results_add(&b->results, job, NULL, NULL, NULL);
  }
  bool there = o->journal && stat(job->input, &info) == 0;
  if (!cli_render(&w->renderer, &b->jobs, job, w->pictures, o->stats ? &json : NULL))
    report_failures(o, job, w->pictures);
  size_t ended = cli_results_add(&b->results, job, there ? &info : NULL, w->pictures, &json);
  for (int i = 0; i < o->size_count; i++) free(w->pictures[i].output);
  cli_json_finish(&json);
  return ended;
}

static void *work(void *user) {
  batch *b = user;
  worker w = {.batch = b};
  size_t count = b->jobs.end - b->jobs.first, ended = 1;
  for (size_t i; ended && (i = atomic_fetch_add(&b->next, 1)) < count;) {
    cli_job *j = &b->jobs.list[b->jobs.first + i];
    if (j->refused) cli_report(shown(j->input), "%s", j->refused);
    ended = j->refused || j->done ? cli_results_add(&b->results, j, NULL, NULL, NULL) : render(&w, j);
    if (count > 1 && ended && !b->options->quiet) cli_progress(ended, count, "files");
  }
  cli_failure failure;
  if (b->options->pages && !cli_pages_finish(&b->pages, &failure)) {
    b->unfinished = true;
    cli_report(NULL, "%s", failure.text);
  }
  if (w.ready) cli_renderer_destroy(&w.renderer);
  free(w.pictures);
  return NULL;
}

// Runs the batch on threads, of which the calling one is one. If some cannot be started it only takes longer.
static void run(batch *b) {
  int threads = b->options->threads ? b->options->threads : cli_usable_processors();
  size_t count = b->jobs.end - b->jobs.first;
  int workers = (size_t)threads < count ? threads : count ? (int)count : 1;
  if (b->options->pages) workers = 1;  // in their order
  b->renderer_threads = threads / workers;
  if (b->options->budget.max_memory)
    cli_memory_return();
  else if (b->jobs.count == 1)
    cli_memory_keep();
  else
    cli_memory_reuse();
  pthread_t *handles = workers > 1 ? malloc((size_t)workers * sizeof *handles) : NULL;
  int started = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // The stack has a known size, whatever the C library's default is; see stijl_svg_limits.
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  while (handles && started < workers - 1 && pthread_create(&handles[started], &attributes, work, b) == 0) started++;
  pthread_attr_destroy(&attributes);
  work(b);
  for (int i = 0; i < started; i++) pthread_join(handles[i], NULL);
  free(handles);
  if (count > 1 && !b->options->quiet) cli_progress_end();
}

int cli_command_render(int argc, char **argv) {
  cli_options options;
  int status;
  if (!cli_options_parse(&options, argc, argv, &status)) return status;
  batch b = {.options = &options};
  cli_failure failure;
  cli_resources resources;
  bool good = cli_resources_open(&options, &resources, &failure) && cli_jobs_plan(&options, &b.jobs, &failure);
  if (good) {
    good = cli_results_open(&b.results, &b.jobs, &failure);
    if (good) run(&b);
    if (!good) cli_report(NULL, "%s", failure.text);
    good = cli_results_close(&b.results) && good && !b.unfinished;
  } else {
    cli_report(NULL, "%s", failure.text);
  }
  cli_jobs_finish(&b.jobs);
  cli_resources_close(&resources);
  free(options.described);
  return good ? 0 : 1;
}
