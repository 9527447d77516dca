// `stijl match`: which selectors of style sheets apply to which elements, and which apply to none.
#include "match.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "commands.h"
#include "file.h"
#include "parse.h"
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

// --- documents ---

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), n = strlen(ending);
  return length > n && strcmp(path + length - n, ending) == 0;
}

static bool is_xml(const char *path, const unsigned char *data, size_t bytes) {
  if (has_ending(path, ".svg") || has_ending(path, ".xml") || has_ending(path, ".xhtml")) return true;
  if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) data += 3, bytes -= 3;
  return (bytes >= 5 && memcmp(data, "<?xml", 5) == 0) || (bytes >= 4 && memcmp(data, "<svg", 4) == 0);
}

typedef struct input {
  const char *path;
  unsigned char *data;
  size_t bytes;
} input;

static bool read_input(const cli_match_options *o, const char *path, input *in, cli_failure *failure) {
  cli_failure why;
  in->path = path;
  return cli_read(path, o->css.limits.max_bytes, &in->data, &in->bytes, &why) ||
         cli_fail(failure, "%s: %s", path, why.text);
}

static bool load(const cli_match_options *o, stijl_context *context, const input *in, stijl_css_document **document,
                 cli_failure *failure) {
  stijl_message message;
  const char *text = (const char *)in->data;
  stijl_result result =
      is_xml(in->path, in->data, in->bytes)
          ? stijl_css_document_parse_xml(context, text, in->bytes, &o->css.limits, document, &message)
          : stijl_css_document_parse_html(context, text, in->bytes, &o->css.limits, document, &message);
  return result == STIJL_OK || cli_fail(failure, "%s: %s", in->path, message.text);
}

static bool match(const cli_match_options *o, const stijl_css *css, stijl_css_document *document, int threads,
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

// --- one document ---

static bool run_one(const cli_match_options *o, stijl_context *context, const stijl_css *css, warnings *w,
                    const input *in, cli_match_times *times, cli_failure *failure) {
  double start = cli_now_ms();
  stijl_css_document *document;
  if (!load(o, context, in, &document, failure)) return false;
  times->build_ms = cli_now_ms() - start;
  stijl_css_matcher *matcher = NULL;
  bool good = check_warnings(o, w, failure) && match(o, css, document, o->threads, &matcher, times, failure);
  cli_watch_writing(&o->budget);
  if (good) {
    good = cli_match_print(o, css, matcher, times->elements) || out_of_memory(failure);
    stijl_css_matcher_destroy(matcher);
  }
  stijl_css_document_destroy(document);
  return good;
}

// --- --unused ---

typedef struct unused_search {
  const cli_match_options *o;
  stijl_context *context;
  const stijl_css *css;
  char **documents;
  size_t count;
  int threads_each;
  atomic_size_t next;
  atomic_uchar *used;  // per selector
  atomic_bool failed;
  stijl_budget *budget;
  atomic_bool spent;  // the budget: what `why` says holds for all documents that are left
  cli_failure why;
} unused_search;

static void *search(void *user) {
  unused_search *u = user;
  for (size_t i; !atomic_load(&u->spent) && (i = atomic_fetch_add(&u->next, 1)) < u->count;) {
    cli_failure failure;
    stijl_css_document *document;
    stijl_css_matcher *matcher = NULL;
    input in = {0};
    bool good = read_input(u->o, u->documents[i], &in, &failure) && load(u->o, u->context, &in, &document, &failure);
    free(in.data);
    if (good) {
      good = match(u->o, u->css, document, u->threads_each, &matcher, NULL, &failure);
      if (good) {
        const uint32_t *offsets, *selectors;
        size_t pairs = stijl_css_matches_all(matcher, &offsets, &selectors);
        for (size_t k = 0; k < pairs; k++) atomic_store_explicit(&u->used[selectors[k]], 1, memory_order_relaxed);
        stijl_css_matcher_destroy(matcher);
      }
      stijl_css_document_destroy(document);
    }
    if (good) continue;
    atomic_store(&u->failed, true);
    if (!stijl_budget_spent(u->budget))
      cli_report(NULL, "%s", failure.text);
    else if (!atomic_exchange(&u->spent, true))
      u->why = failure;
  }
  return NULL;
}

// What is wrong with the inputs, if anything.
static bool check_inputs(const cli_match_options *o, size_t documents, size_t sheets, cli_failure *failure) {
  if (o->unused && (o->stats || o->repeat > 1))
    return cli_fail(failure, "--stats and --repeat measure the matching of one document, not --unused");
  if (!o->unused && o->input_count > 1 && has_ending(o->inputs[0], ".css") && !has_ending(o->inputs[1], ".css"))
    return cli_fail(failure, "%s is a style sheet: the document comes first", o->inputs[0]);
  if (o->unused && sheets && !documents) return cli_fail(failure, "no document among the files, only style sheets");
  if (o->unused && documents && !sheets) return cli_fail(failure, "no style sheet (.css) among the files");
  return (documents && sheets) || cli_fail(failure, "a document and style sheets are needed (see stijl match --help)");
}

// Documents side by side; one thread for each, or several where there are fewer documents.
static bool run_unused(const cli_match_options *o, stijl_budget *budget, const stijl_css *css, warnings *w,
                       char **documents, size_t count, cli_failure *failure) {
  int threads = o->threads ? o->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (threads < 1) threads = 1;
  int workers = (size_t)threads < count ? threads : (int)count;
  unused_search u = {.o = o, .budget = budget, .css = css, .documents = documents, .count = count};
  u.context = stijl_budget_context(budget);
  u.threads_each = threads / workers;
  u.used = calloc(stijl_css_selector_count(css) + 1, sizeof *u.used);
  pthread_t *handles = calloc((size_t)workers, sizeof *handles);
  if (!u.used || !handles) {
    free(u.used);
    free(handles);
    return out_of_memory(failure);
  }
  int started = 0;
  while (started < workers - 1 && pthread_create(&handles[started], NULL, search, &u) == 0) started++;
  search(&u);
  for (int i = 0; i < started; i++) pthread_join(handles[i], NULL);
  bool good = !atomic_load(&u.failed);
  cli_watch_writing(&o->budget);
  if (atomic_load(&u.spent))
    *failure = u.why;
  else if (!good)
    cli_fail(failure, "not all documents could be matched: nothing is said about what is unused");
  else
    good = check_warnings(o, w, failure) && (cli_match_print_unused(o, css, u.used) || out_of_memory(failure));
  free(u.used);
  free(handles);
  return good;
}

// --- the command ---

// The options bound the whole of it, so that no limit of one step may be lower. What is repeated is measured, and takes
// as long as it takes.
static void set_limits(cli_match_options *o) {
  if (o->budget.max_seconds > 0) o->css.limits.max_seconds = o->budget.max_seconds;
  if (o->budget.max_memory) o->css.limits.max_memory = o->budget.max_memory;
  if (o->repeat > 1 && !(o->budget.max_seconds > 0)) o->budget.max_seconds = 1e9;
  if (o->repeat > 1 && !o->budget.max_work) o->budget.max_work = UINT64_MAX / 2;
}

static bool run(cli_match_options *o, cli_failure *failure) {
  char **documents = calloc((size_t)o->input_count, sizeof *documents);
  char **sheets = calloc((size_t)o->input_count, sizeof *sheets);
  cli_match_times times = {.match_ms = calloc((size_t)o->repeat, sizeof *times.match_ms)};
  size_t document_count = 0, sheet_count = 0;
  if (!documents || !sheets || !times.match_ms) {
    free(documents);
    free(sheets);
    free(times.match_ms);
    return out_of_memory(failure);
  }
  for (int i = 0; i < o->input_count; i++) {
    bool sheet = o->unused ? has_ending(o->inputs[i], ".css") : i > 0;
    if (sheet)
      sheets[sheet_count++] = o->inputs[i];
    else
      documents[document_count++] = o->inputs[i];
  }
  o->css.may_match = o->unused;
  warnings w = {.quiet = o->quiet, .mutex = PTHREAD_MUTEX_INITIALIZER};
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  context_params.log = log_line;
  context_params.user = &w;
  set_limits(o);
  stijl_context *outer = NULL;
  stijl_budget *budget = NULL;
  stijl_css *css = NULL;
  input document = {0};
  bool good = check_inputs(o, document_count, sheet_count, failure) &&
              (o->unused || read_input(o, documents[0], &document, failure));
  if (good && (stijl_context_create(&context_params, &outer) || stijl_budget_create(outer, &o->budget, &budget) ||
               stijl_css_create(stijl_budget_context(budget), &o->css, &css)))
    good = out_of_memory(failure);
  stijl_context *context = stijl_budget_context(budget);
  if (good && o->repeat == 1) cli_watch_begin(budget, NULL);
  double start = cli_now_ms();
  for (size_t s = 0; good && s < sheet_count; s++) good = add_sheet(css, sheets[s], o->css.limits.max_bytes, failure);
  times.parse_ms = cli_now_ms() - start;
  if (good && o->unused)
    good = run_unused(o, budget, css, &w, documents, document_count, failure);
  else if (good)
    good = run_one(o, context, css, &w, &document, &times, failure);
  if (good && o->stats && !o->unused) good = cli_match_write_stats(o, css, &times, failure);
  stijl_css_destroy(css);
  cli_watch_end();
  if (!o->quiet) cli_report_further_warnings(NULL, atomic_load(&w.count));
  stijl_budget_destroy(budget);
  stijl_context_destroy(outer);
  free(document.data);
  free(documents);
  free(sheets);
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
