// `stijl match`: which selectors of style sheets apply to which elements, and which apply to none.
#include "match.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "commands.h"
#include "file.h"
#include "parse.h"
#include "uses.h"
#include "watch.h"

static bool out_of_memory(cli_failure *failure) { return cli_fail(failure, "out of memory"); }

// --- sheets ---

// What sheets and documents warn of, from any thread.
typedef struct warnings {
  bool quiet;
  pthread_mutex_t mutex;
  cli_failure first;
  atomic_uint count;
} warnings;

static void log_line(void *user, stijl_log_level level, const char *line) {
  warnings *w = user;
  if (level != STIJL_LOG_WARNING) return;
  pthread_mutex_lock(&w->mutex);
  unsigned before = atomic_fetch_add(&w->count, 1);
  if (before == 0) cli_fail(&w->first, "%s", line);
  pthread_mutex_unlock(&w->mutex);
  if (!w->quiet && before < CLI_MAX_WARNINGS) cli_report(NULL, "warning: %s", line);
}

static bool check_warnings(const cli_match_options *o, warnings *w, cli_failure *failure) {
  if (!o->strict || !atomic_load(&w->count)) return true;
  if (!o->quiet) return cli_fail(failure, "no answer, because of the warnings (--strict)");
  return cli_fail(failure, "no answer (--strict): %.400s", w->first.text);
}

static bool add_sheet(stijl_css *css, const char *path, uint64_t max_bytes, cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  cli_failure why;
  if (!cli_read(path, max_bytes, &data, &bytes, &why)) return cli_fail(failure, "%s: %s", path, why.text);
  stijl_message message;
  stijl_result result = stijl_css_add(css, (const char *)data, bytes, path, STIJL_CSS_ORIGIN_AUTHOR, &message);
  free(data);
  return result == STIJL_OK || cli_fail(failure, "%s", message.text);
}

// --- matching ---

bool cli_match_run(const cli_match_options *o, const stijl_css *css, stijl_css_document *document, int threads,
                   stijl_css_matcher **matcher, cli_match_times *times, cli_failure *failure) {
  stijl_css_matcher_params params = STIJL_CSS_MATCHER_PARAMS_INIT;
  params.engine = o->engine;
  params.device = o->device;
  params.threads = threads;
  stijl_message message;
  stijl_result result = stijl_css_matcher_create(css, document, &params, matcher, &message);
  stijl_css_stats stats = {.size = sizeof stats};
  for (int i = 0; i < o->repeat && result == STIJL_OK; i++) {
    result = stijl_css_match(*matcher, &message);
    stijl_css_matcher_stats(*matcher, &stats);
    if (times) times->match_ms[i] = stats.match_ms;
  }
  if (result) {
    stijl_css_matcher_destroy(*matcher);
    return cli_fail(failure, "%s", message.text);
  }
  if (times) {
    const uint32_t *offsets, *selectors;
    times->index_ms = stats.index_ms;
    times->upload_ms = stats.upload_ms;
    times->readback_ms = stats.readback_ms;
    times->on_cpu = stats.on_cpu;
    times->elements = stijl_css_document_elements(document);
    times->pairs = stijl_css_matches_all(*matcher, &offsets, &selectors);
  }
  return true;
}

static bool has_sheets(const stijl_css *css, const cli_match_document *first, cli_failure *failure) {
  return stijl_css_sheet_count(css) || cli_fail(failure, "%s: no style sheets in it, and none are named behind it",
                                                strcmp(first->path, "-") == 0 ? "standard input" : first->path);
}

// --- one document ---

static bool run_one(const cli_match_options *o, stijl_context *context, stijl_css *css, warnings *w,
                    cli_match_inputs *in, cli_match_times *times, cli_failure *failure) {
  double start = cli_now_ms();
  stijl_css_document *document;
  if (!cli_match_load(o, context, &in->documents[0], &document, failure)) return false;
  times->build_ms = cli_now_ms() - start;
  start = cli_now_ms();
  bool good = !in->page_sheets || cli_match_add_page(css, &in->documents[0], document, failure);
  times->parse_ms += cli_now_ms() - start;
  stijl_css_matcher *matcher = NULL;
  good = good && has_sheets(css, &in->documents[0], failure) && check_warnings(o, w, failure) &&
         cli_match_run(o, css, document, o->threads, &matcher, times, failure);
  cli_watch_writing(&o->budget);
  if (good) {
    good = cli_match_print(o, css, matcher, times->elements) || out_of_memory(failure);
    stijl_css_matcher_destroy(matcher);
  }
  stijl_css_document_destroy(document);
  return good;
}

// --- --unused and --prune ---

// Adds the sheets of all pages, which have to be there before the first document is matched.
static bool add_pages(const cli_match_options *o, stijl_context *context, stijl_css *css, cli_match_inputs *in,
                      cli_failure *failure) {
  bool good = true;
  for (size_t i = 0; good && i < in->document_count; i++) {
    stijl_css_document *document;
    good = cli_match_load(o, context, &in->documents[i], &document, failure);
    if (!good) break;
    good = cli_match_add_page(css, &in->documents[i], document, failure);
    stijl_css_document_destroy(document);
  }
  return good;
}

static bool run_search(const cli_match_options *o, stijl_budget *budget, stijl_css *css, warnings *w,
                       cli_match_inputs *in, cli_failure *failure) {
  unsigned char *used = NULL;
  bool good = !in->page_sheets || add_pages(o, stijl_budget_context(budget), css, in, failure);
  good = good && has_sheets(css, &in->documents[0], failure) && cli_match_search(o, budget, css, in, &used, failure);
  cli_watch_writing(&o->budget);
  good = good && check_warnings(o, w, failure);
  if (good && o->prune)
    good = cli_match_prune(o, css, in, used, failure);
  else if (good)
    good = cli_match_print_unused(o, css, used) || out_of_memory(failure);
  free(used);
  return good;
}

// --- the command ---

// Checks that no output replaces an input. Where pruned sheets go is known later.
static bool check_uses(const cli_match_options *o, const cli_match_inputs *in, cli_failure *failure) {
  size_t count = in->document_count + in->sheet_count + 1;
  cli_use *uses = calloc(count, sizeof *uses), *use = uses;
  if (!uses) return out_of_memory(failure);
  for (size_t i = 0; i < in->document_count; i++) *use++ = (cli_use){in->documents[i].path, NULL, false, NULL};
  for (size_t i = 0; i < in->sheet_count; i++) *use++ = (cli_use){in->sheets[i], NULL, false, NULL};
  *use++ = (cli_use){o->stats, "--stats", true, NULL};
  bool good = cli_uses_check(uses, count, o->force, " (--force does so)", failure);
  free(uses);
  return good;
}

// Sets the limits. The options bound the whole of it, so that no limit of one step may be lower. What is repeated is
// measured, and takes as long as it takes.
static void set_limits(cli_match_options *o) {
  o->css.limits.max_seconds = o->budget.max_seconds;
  if (o->budget.max_memory) o->css.limits.max_memory = o->budget.max_memory;
  if (o->repeat > 1 && !(o->budget.max_seconds > 0)) o->budget.max_seconds = 1e9;
  if (o->repeat > 1 && !o->budget.max_work) o->budget.max_work = UINT64_MAX / 2;
}

static bool run(cli_match_options *o, cli_failure *failure) {
  bool search = o->unused || o->prune;
  cli_match_inputs in;
  cli_match_times times = {.match_ms = calloc((size_t)o->repeat, sizeof *times.match_ms)};
  o->css.may_match = search;
  o->css.pseudo_elements = 1;
  warnings w = {.quiet = o->quiet, .mutex = PTHREAD_MUTEX_INITIALIZER};
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.log = log_line;
  context_params.user = &w;
  set_limits(o);
  stijl_context *outer = NULL;
  stijl_budget *budget = NULL;
  stijl_css *css = NULL;
  bool good = cli_match_sort(o, &in, failure) && check_uses(o, &in, failure) &&
              (search || cli_match_read(o, &in.documents[0], failure));
  if (good && (!times.match_ms || stijl_context_create(&context_params, &outer) ||
               stijl_budget_create(outer, &o->budget, &budget) ||
               stijl_css_create(stijl_budget_context(budget), &o->css, &css)))
    good = out_of_memory(failure);
  stijl_context *context = stijl_budget_context(budget);
  if (good && o->repeat == 1) cli_watch_begin(budget, NULL, o->engine != STIJL_CSS_ENGINE_VULKAN, 1);
  double start = cli_now_ms();
  for (size_t s = 0; good && s < in.sheet_count; s++)
    good = add_sheet(css, in.sheets[s], o->css.limits.max_bytes, failure);
  times.parse_ms = cli_now_ms() - start;
  if (good && search)
    good = run_search(o, budget, css, &w, &in, failure);
  else if (good)
    good = run_one(o, context, css, &w, &in, &times, failure);
  if (good && o->stats && !search) good = cli_match_write_stats(o, css, &times, failure);
  stijl_css_destroy(css);
  cli_watch_end();
  if (!o->quiet) cli_report_further_warnings(NULL, atomic_load(&w.count));
  stijl_budget_destroy(budget);
  stijl_context_destroy(outer);
  cli_match_inputs_finish(&in);
  free(times.match_ms);
  return good;
}

int cli_command_match(int argc, char **argv) {
  cli_match_options o = {.repeat = 1,
                         .device = -1,
                         .engine = STIJL_CSS_ENGINE_CPU,
                         .css = STIJL_CSS_PARAMS_INIT,
                         .budget = STIJL_BUDGET_PARAMS_INIT};
  int status;
  if (!cli_parse(&cli_commands[CLI_MATCH], argc, argv, &o, &o.input_count, &status)) return status;
  o.inputs = argv + 1;
  o.css.all_media = !o.applied;
  o.css.files = o.all_files ? STIJL_CSS_FILES_ALL : STIJL_CSS_FILES_BELOW;
  cli_failure failure;
  if (o.input_count == 0)
    cli_fail(&failure, "match takes a document and style sheets (see stijl match --help)");
  else if (run(&o, &failure))
    return 0;
  cli_report(NULL, "%s", failure.text);
  return 1;
}
