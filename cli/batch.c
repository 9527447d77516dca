// `stijl render`: one file, or many spread over threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "jobs.h"
#include "memory.h"
#include "render.h"

#define STACK_BYTES ((size_t)4 << 20)

typedef struct batch {
  const cli_options *options;
  cli_jobs jobs;
  int renderer_threads;
  atomic_size_t next, done;
  atomic_bool failed;
} batch;

static void *work(void *user) {
  batch *b = user;
  cli_failure failure;
  cli_renderer renderer;
  bool ready = false;
  size_t count = b->jobs.count;
  for (size_t i; (i = atomic_fetch_add(&b->next, 1)) < count;) {
    cli_job *j = &b->jobs.list[i];
    if (j->output) {
      if (!ready) ready = cli_renderer_create(b->options, b->renderer_threads, &renderer, &failure);
      renderer.watched = count == 1 && b->options->repeat == 1;
      if (!ready || !cli_render(&renderer, j, b->options->stats ? &j->stats : NULL, &failure)) {
        atomic_store(&b->failed, true);
        cli_report(strcmp(j->input, "-") == 0 ? "standard input" : j->input, "%s", failure.text);
      }
    }
    size_t done = atomic_fetch_add(&b->done, 1) + 1;
    if (count > 1 && !b->options->quiet) cli_progress(done, count);
  }
  if (ready) cli_renderer_destroy(&renderer);
  return NULL;
}

// Runs the batch on threads, of which the calling one is one. If some cannot be started it only takes longer.
static void run(batch *b) {
  int threads = b->options->threads ? b->options->threads : cli_usable_processors();
  size_t count = b->jobs.count;
  int workers = (size_t)threads < count ? threads : (int)count;
  b->renderer_threads = threads / workers;
  if (b->options->budget.max_memory)
    cli_memory_return();
  else if (count == 1)
    cli_memory_keep();
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

// One object, or for a batch an array of those that were rendered, in the order of the inputs.
static bool write_stats(const batch *b, cli_failure *failure) {
  cli_json json = {0};
  bool array = b->options->recursive || b->jobs.count > 1, good = true;
  if (array) cli_json_begin(&json, NULL, '[');
  for (size_t i = 0; i < b->jobs.count; i++) {
    good = good && !b->jobs.list[i].stats.failed;
    if (b->jobs.list[i].stats.text) cli_json_raw(&json, b->jobs.list[i].stats.text);
  }
  if (array) cli_json_end(&json, ']');
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
  *text = realloc(data, bytes + 1);
  if (!*text) {
    free(data);
    return cli_fail(failure, "out of memory");
  }
  (*text)[bytes] = 0;
  options->svg.style_sheet = *text;
  return true;
}

static void on_font_log(void *user, stijl_log_level level, const char *line) {
  const cli_options *options = user;
  if (level == STIJL_LOG_WARNING && !options->quiet) cli_report(NULL, "warning: %s", line);
}

// The fonts that the options name, shared by all files; NULL where they name none.
static bool make_fonts(cli_options *o, stijl_context **context, cli_failure *failure) {
  bool any = o->fonts.files.count || o->fonts.folders.count || o->fonts.skip_system;
  for (int i = 0; i <= STIJL_FAMILY_MONOSPACE; i++) any |= o->fonts.families[i] != NULL;
  if (!any) return true;
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = on_font_log;
  params.user = o;
  if (stijl_context_create(&params, context) != STIJL_OK) return cli_fail(failure, "out of memory");
  return cli_fonts_create(&o->fonts, *context, &o->svg.fonts, failure);
}

int cli_command_render(int argc, char **argv) {
  cli_options options;
  int status;
  if (!cli_options_parse(&options, argc, argv, &status)) return status;
  batch b = {.options = &options};
  cli_failure failure;
  char *sheet = NULL;
  stijl_context *font_context = NULL;
  bool good = make_fonts(&options, &font_context, &failure) && read_sheet(&options, &sheet, &failure) &&
              cli_jobs_plan(&options, &b.jobs, &failure);
  if (good && b.jobs.count) {
    run(&b);
    if (options.stats) good = write_stats(&b, &failure);
  }
  if (!good) cli_report(NULL, "%s", failure.text);
  good = good && !b.jobs.failed && !atomic_load(&b.failed);
  cli_jobs_finish(&b.jobs);
  stijl_fonts_destroy(options.svg.fonts);
  stijl_context_destroy(font_context);
  free(sheet);
  return good ? 0 : 1;
}
