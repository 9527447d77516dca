// Which selectors any of several documents needs.
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "match.h"

typedef struct search {
  const cli_match_options *o;
  stijl_context *context;
  const stijl_css *css;
  cli_match_inputs *inputs;
  int threads_each;
  atomic_size_t next;
  atomic_uchar *used;  // per selector
  atomic_bool failed;
  stijl_budget *budget;
  atomic_bool spent;  // the budget: what `why` says holds for all documents that are left
  cli_failure why;
} search;

static bool search_one(search *u, cli_match_document *in, cli_failure *failure) {
  stijl_css_document *document;
  stijl_css_matcher *matcher = NULL;
  if (!cli_match_load(u->o, u->context, in, &document, failure)) return false;
  bool good = cli_match_run(u->o, u->css, document, u->threads_each, &matcher, NULL, failure);
  if (good) {
    const uint32_t *offsets, *selectors;
    size_t pairs = stijl_css_matches_all(matcher, &offsets, &selectors);
    for (size_t k = 0; k < pairs; k++) atomic_store_explicit(&u->used[selectors[k]], 1, memory_order_relaxed);
    stijl_css_matcher_destroy(matcher);
  }
  stijl_css_document_destroy(document);
  return good;
}

static void *work(void *user) {
  search *u = user;
  for (size_t i; !atomic_load(&u->spent) && (i = atomic_fetch_add(&u->next, 1)) < u->inputs->document_count;) {
    cli_failure failure;
    if (search_one(u, &u->inputs->documents[i], &failure)) continue;
    atomic_store(&u->failed, true);
    if (!stijl_budget_spent(u->budget))
      cli_report(NULL, "%s", failure.text);
    else if (!atomic_exchange(&u->spent, true))
      u->why = failure;
  }
  return NULL;
}

// Marks the selectors that a regular expression matches.
static bool keep(const stijl_css *css, const char *expression, unsigned char *used, cli_failure *failure) {
  regex_t regex;
  int wrong = regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB);
  if (wrong) {
    char why[100];
    regerror(wrong, &regex, why, sizeof why);
    return cli_fail(failure, "--keep \"%.200s\": %s", expression, why);
  }
  bool good = true;
  for (size_t s = 0; good && s < stijl_css_selector_count(css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (used[s]) continue;
    char *text = cli_match_text(&selector);
    good = text || cli_fail(failure, "out of memory");
    if (good && regexec(&regex, text, 0, NULL, 0) == 0) used[s] = 1;
    free(text);
  }
  regfree(&regex);
  return good;
}

// Searches documents side by side, with one thread for each, or several where there are fewer documents.
bool cli_match_search(const cli_match_options *o, stijl_budget *budget, const stijl_css *css, cli_match_inputs *inputs,
                      unsigned char **used, cli_failure *failure) {
  size_t count = inputs->document_count, selectors = stijl_css_selector_count(css);
  int threads = o->threads ? o->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (threads < 1) threads = 1;
  int workers = (size_t)threads < count ? threads : (int)count;
  search u = {.o = o, .budget = budget, .css = css, .inputs = inputs};
  u.context = stijl_budget_context(budget);
  u.threads_each = threads / workers;
  u.used = calloc(selectors + 1, sizeof *u.used);
  *used = calloc(selectors + 1, 1);
  pthread_t *handles = calloc((size_t)workers, sizeof *handles);
  bool good = (u.used && *used && handles) || cli_fail(failure, "out of memory");
  if (good) {
    int started = 0;
    while (started < workers - 1 && pthread_create(&handles[started], NULL, work, &u) == 0) started++;
    work(&u);
    for (int i = 0; i < started; i++) pthread_join(handles[i], NULL);
    for (size_t s = 0; s < selectors; s++) (*used)[s] = atomic_load(&u.used[s]);
    good = !atomic_load(&u.failed);
  }
  if (atomic_load(&u.spent))
    *failure = u.why;
  else if (atomic_load(&u.failed))
    cli_fail(failure, "not all documents could be matched: nothing is said about what is unused");
  for (int i = 0; good && i < o->keep.count; i++) good = keep(css, o->keep.items[i], *used, failure);
  free(u.used);
  free(handles);
  return good;
}
