// `stijl match`: which selectors of style sheets apply to which elements, and which apply to none.
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "commands.h"
#include "file.h"
#include "json.h"
#include "stijl/css.h"

static const char help[] =
    "Usage: stijl match [options] DOCUMENT SHEET.css...\n"
    "       stijl match --unused [options] DOCUMENT... SHEET.css...\n"
    "Tells which selectors apply to which elements of an HTML, SVG or XML document; - is standard input.\n"
    "With --unused: lists the selectors that apply to nothing in any of the documents. States such as :hover are then\n"
    "taken for possible, and pseudo-elements for their elements.\n"
    "\n"
    "      --json              all selectors with the elements they match, numbered in document order\n"
    "      --unused            selectors that match nothing, with file and line\n"
    "      --engine NAME       reference, cpu (default) or vulkan; all give the same\n"
    "      --device N          vulkan: which device (see stijl devices; default: the best)\n"
    "      --threads N         default: one for each processor\n"
    "      --applied           only rules whose @media, @supports and @import conditions hold (default: all)\n"
    "      --media TYPE        the medium for these conditions (default screen)\n"
    "      --width PX, --height PX\n"
    "                          of the viewport (default 1280 x 800)\n"
    "      --dark              the medium prefers dark colours\n"
    "      --allow-all-files   @import may read files outside of the sheet's folder\n"
    "      --repeat N          matches N times, to measure\n"
    "      --stats FILE.json   times and sizes\n"
    "      --max-bytes N, --max-elements N, --max-depth N, --max-selectors N, --max-matches N, --max-memory N,\n"
    "      --max-seconds N     limits, against hostile files; an error names the one that was reached\n"
    "  -q, --quiet             no warnings\n"
    "      --help              this text\n";

typedef struct match_options {
  bool json, unused, quiet;
  int repeat, threads, device;
  stijl_css_engine engine;
  const char *stats;
  stijl_css_params css;
  char **inputs;
  int input_count;
} match_options;

typedef struct match_times {
  double parse_ms, build_ms, index_ms, *match_ms;
  uint32_t elements;
  uint64_t pairs;
  double upload_ms, readback_ms;
  uint32_t on_cpu;
} match_times;

static bool out_of_memory(cli_failure *failure) { return cli_fail(failure, "out of memory"); }

// --- options ---

enum {
  OPTION_HELP = 256,
  OPTION_JSON,
  OPTION_UNUSED,
  OPTION_ENGINE,
  OPTION_DEVICE,
  OPTION_THREADS,
  OPTION_APPLIED,
  OPTION_MEDIA,
  OPTION_WIDTH,
  OPTION_HEIGHT,
  OPTION_DARK,
  OPTION_ALL_FILES,
  OPTION_REPEAT,
  OPTION_STATS,
  OPTION_MAX_BYTES,
  OPTION_MAX_ELEMENTS,
  OPTION_MAX_DEPTH,
  OPTION_MAX_SELECTORS,
  OPTION_MAX_MATCHES,
  OPTION_MAX_MEMORY,
  OPTION_MAX_SECONDS
};

static const struct option long_options[] = {{"help", no_argument, NULL, OPTION_HELP},
                                             {"json", no_argument, NULL, OPTION_JSON},
                                             {"unused", no_argument, NULL, OPTION_UNUSED},
                                             {"engine", required_argument, NULL, OPTION_ENGINE},
                                             {"device", required_argument, NULL, OPTION_DEVICE},
                                             {"threads", required_argument, NULL, OPTION_THREADS},
                                             {"applied", no_argument, NULL, OPTION_APPLIED},
                                             {"media", required_argument, NULL, OPTION_MEDIA},
                                             {"width", required_argument, NULL, OPTION_WIDTH},
                                             {"height", required_argument, NULL, OPTION_HEIGHT},
                                             {"dark", no_argument, NULL, OPTION_DARK},
                                             {"allow-all-files", no_argument, NULL, OPTION_ALL_FILES},
                                             {"repeat", required_argument, NULL, OPTION_REPEAT},
                                             {"stats", required_argument, NULL, OPTION_STATS},
                                             {"max-bytes", required_argument, NULL, OPTION_MAX_BYTES},
                                             {"max-elements", required_argument, NULL, OPTION_MAX_ELEMENTS},
                                             {"max-depth", required_argument, NULL, OPTION_MAX_DEPTH},
                                             {"max-selectors", required_argument, NULL, OPTION_MAX_SELECTORS},
                                             {"max-matches", required_argument, NULL, OPTION_MAX_MATCHES},
                                             {"max-memory", required_argument, NULL, OPTION_MAX_MEMORY},
                                             {"max-seconds", required_argument, NULL, OPTION_MAX_SECONDS},
                                             {"quiet", no_argument, NULL, 'q'},
                                             {0}};

static bool whole(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, cli_failure *failure) {
  uint64_t value = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9' && value < UINT64_MAX / 16; c++) value = value * 10 + (uint64_t)(*c - '0');
  *out = value;
  if (*text && !*c && value >= lo && value <= hi) return true;
  return cli_fail(failure, "a whole number from %llu to %llu is needed, not \"%s\"", (unsigned long long)lo,
                  (unsigned long long)hi, text);
}

static bool take(match_options *o, int option, cli_failure *failure) {
  uint64_t value = 0;
  bool good = true;
  switch (option) {
    case 'q': o->quiet = true; break;
    case OPTION_JSON: o->json = true; break;
    case OPTION_UNUSED: o->unused = true; break;
    case OPTION_APPLIED: o->css.all_media = false; break;
    case OPTION_DARK: o->css.medium.dark = true; break;
    case OPTION_ALL_FILES: o->css.files = STIJL_CSS_FILES_ALL; break;
    case OPTION_MEDIA: o->css.medium.type = optarg; break;
    case OPTION_STATS: o->stats = optarg; break;
    case OPTION_ENGINE:
      if (strcmp(optarg, "reference") == 0)
        o->engine = STIJL_CSS_ENGINE_REFERENCE;
      else if (strcmp(optarg, "cpu") == 0)
        o->engine = STIJL_CSS_ENGINE_CPU;
      else if (strcmp(optarg, "vulkan") == 0)
        o->engine = STIJL_CSS_ENGINE_VULKAN;
      else
        return cli_fail(failure, "no engine \"%s\" (reference, cpu or vulkan)", optarg);
      break;
    case OPTION_DEVICE:
      good = whole(optarg, 0, 255, &value, failure);
      o->device = (int)value;
      break;
    case OPTION_THREADS:
      good = whole(optarg, 0, 256, &value, failure);
      o->threads = (int)value;
      break;
    case OPTION_REPEAT:
      good = whole(optarg, 1, 1000000, &value, failure);
      o->repeat = (int)value;
      break;
    case OPTION_WIDTH:
      good = whole(optarg, 0, 1000000, &value, failure);
      o->css.medium.width = (double)value;
      break;
    case OPTION_HEIGHT:
      good = whole(optarg, 0, 1000000, &value, failure);
      o->css.medium.height = (double)value;
      break;
    case OPTION_MAX_BYTES:
      good = whole(optarg, 1, UINT32_MAX - 1, &value, failure);
      o->css.limits.max_bytes = value;
      break;
    case OPTION_MAX_ELEMENTS:
      good = whole(optarg, 1, UINT32_MAX / 4, &value, failure);
      o->css.limits.max_elements = (uint32_t)value;
      break;
    case OPTION_MAX_DEPTH:
      good = whole(optarg, 1, UINT32_MAX / 4, &value, failure);
      o->css.limits.max_depth = (uint32_t)value;
      break;
    case OPTION_MAX_MATCHES: good = whole(optarg, 0, UINT32_MAX - 1, &o->css.limits.max_matches, failure); break;
    case OPTION_MAX_MEMORY: good = whole(optarg, 0, UINT64_MAX / 32, &o->css.limits.max_memory, failure); break;
    case OPTION_MAX_SELECTORS:
      good = whole(optarg, 1, UINT32_MAX / 4, &value, failure);
      o->css.limits.max_selectors = (uint32_t)value;
      break;
    case OPTION_MAX_SECONDS:
      good = whole(optarg, 1, 1000000, &value, failure);
      o->css.limits.max_seconds = (double)value;
      break;
    default: return cli_fail(failure, "unknown option, or one without its value (see stijl match --help)");
  }
  return good;
}

// --- sheets ---

static void log_line(void *user, stijl_log_level level, const char *line) {
  (void)user;
  if (level == STIJL_LOG_WARNING) cli_report(NULL, "%s", line);
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

static bool load(const match_options *o, stijl_context *context, const char *path, stijl_css_document **document,
                 cli_failure *failure) {
  unsigned char *data;
  size_t bytes;
  cli_failure why;
  if (!cli_read(path, o->css.limits.max_bytes, &data, &bytes, &why)) return cli_fail(failure, "%s: %s", path, why.text);
  stijl_message message;
  const char *text = (const char *)data;
  stijl_result result = is_xml(path, data, bytes)
                            ? stijl_css_document_parse_xml(context, text, bytes, &o->css.limits, document, &message)
                            : stijl_css_document_parse_html(context, text, bytes, &o->css.limits, document, &message);
  free(data);
  return result == STIJL_OK || cli_fail(failure, "%s: %s", path, message.text);
}

static bool match(const match_options *o, const stijl_css *css, stijl_css_document *document, int threads,
                  stijl_css_matcher **matcher, match_times *times, cli_failure *failure) {
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

// --- output ---

// Elements by selector: those of selector s are elements[first[s]] to elements[first[s + 1]].
typedef struct inverse {
  size_t *first;
  uint32_t *elements;
} inverse;

static bool invert(const stijl_css *css, const stijl_css_matcher *matcher, uint32_t count, inverse *out) {
  const uint32_t *offsets = NULL, *selectors = NULL;
  size_t pairs = stijl_css_matches_all(matcher, &offsets, &selectors), total = stijl_css_selector_count(css);
  out->first = calloc(total + 2, sizeof *out->first);
  out->elements = malloc((pairs + 1) * sizeof *out->elements);
  if (!out->first || !out->elements) return false;
  for (size_t i = 0; i < pairs; i++) out->first[selectors[i] + 2]++;
  for (size_t s = 2; s < total + 2; s++) out->first[s] += out->first[s - 1];
  for (uint32_t e = 0; e < count; e++)
    for (uint32_t i = offsets[e]; i < offsets[e + 1]; i++) out->elements[out->first[selectors[i] + 1]++] = e;
  return true;
}

static char *text_of(const stijl_css_selector *selector) {
  char *text = strndup(selector->text, selector->length);
  // A selector may go on over lines; within it white space is all the same.
  for (char *c = text; c && *c; c++)
    if (*c == '\n' || *c == '\r' || *c == '\f') *c = ' ';
  return text;
}

static bool print_json(const stijl_css *css, uint32_t elements, const inverse *in) {
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  cli_json_unsigned(&json, "elements", elements);
  cli_json_begin(&json, "rules", '[');
  for (size_t s = 0; s < stijl_css_selector_count(css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (selector.continuation) continue;
    char *text = strndup(selector.text, selector.length);
    if (!text) json.failed = true;
    cli_json_begin(&json, NULL, '{');
    cli_json_string(&json, "sheet", selector.sheet);
    cli_json_unsigned(&json, "line", selector.line);
    cli_json_string(&json, "selector", text ? text : "");
    cli_json_bool(&json, "active", selector.active);
    cli_json_begin(&json, "matches", '[');
    for (size_t i = in->first[s]; i < in->first[s + 1]; i++) cli_json_unsigned(&json, NULL, in->elements[i]);
    cli_json_end(&json, ']');
    cli_json_end(&json, '}');
    free(text);
  }
  cli_json_end(&json, ']');
  cli_json_end(&json, '}');
  bool good = !json.failed;
  if (good) {
    fwrite(json.text, 1, json.length, stdout);
    putchar('\n');
  }
  cli_json_finish(&json);
  return good;
}

static bool print_counts(const stijl_css *css, const inverse *in) {
  for (size_t s = 0; s < stijl_css_selector_count(css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(css, s, &selector);
    if (selector.continuation) continue;
    char *text = text_of(&selector);
    if (!text) return false;
    printf("%s:%u: %zu %s\n", selector.sheet, selector.line, in->first[s + 1] - in->first[s], text);
    free(text);
  }
  return true;
}

static bool write_stats(const match_options *o, const stijl_css *css, const match_times *t, cli_failure *failure) {
  cli_json json = {0};
  cli_json_begin(&json, NULL, '{');
  static const char *const engines[] = {"reference", "cpu", "vulkan"};
  cli_json_string(&json, "engine", engines[o->engine]);
  cli_json_unsigned(&json, "threads", o->threads ? (uint64_t)o->threads : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
  cli_json_decimal(&json, "parse_ms", t->parse_ms);
  cli_json_decimal(&json, "build_ms", t->build_ms);
  cli_json_decimal(&json, "index_ms", t->index_ms);
  cli_json_begin(&json, "match_ms", '[');
  for (int i = 0; i < o->repeat; i++) cli_json_decimal(&json, NULL, t->match_ms[i]);
  cli_json_end(&json, ']');
  cli_json_decimal(&json, "upload_ms", t->upload_ms);
  cli_json_decimal(&json, "readback_ms", t->readback_ms);
  if (o->engine == STIJL_CSS_ENGINE_VULKAN) cli_json_unsigned(&json, "on_cpu", t->on_cpu);
  cli_json_unsigned(&json, "elements", t->elements);
  cli_json_unsigned(&json, "selectors", stijl_css_selector_count(css));
  cli_json_unsigned(&json, "pairs", t->pairs);
  cli_json_end(&json, '}');
  cli_output output;
  bool good = !json.failed || out_of_memory(failure);
  if (good && (good = cli_output_open(&output, o->stats, failure))) {
    cli_output_write(&output, json.text, json.length);
    cli_output_write(&output, "\n", 1);
    good = cli_output_commit(&output, failure);
  }
  cli_json_finish(&json);
  return good;
}

static bool run_one(const match_options *o, stijl_context *context, const stijl_css *css, const char *path,
                    match_times *times, cli_failure *failure) {
  double start = cli_now_ms();
  stijl_css_document *document;
  if (!load(o, context, path, &document, failure)) return false;
  times->build_ms = cli_now_ms() - start;
  stijl_css_matcher *matcher = NULL;
  bool good = match(o, css, document, o->threads, &matcher, times, failure);
  if (good) {
    inverse in = {0};
    good = invert(css, matcher, times->elements, &in) &&
           (o->json ? print_json(css, times->elements, &in) : print_counts(css, &in));
    if (!good) out_of_memory(failure);
    free(in.first);
    free(in.elements);
    stijl_css_matcher_destroy(matcher);
  }
  stijl_css_document_destroy(document);
  return good;
}

// --- --unused ---

typedef struct unused_search {
  const match_options *o;
  stijl_context *context;
  const stijl_css *css;
  char **documents;
  size_t count;
  int threads_each;
  atomic_size_t next;
  atomic_uchar *used;  // per selector
  atomic_bool failed;
} unused_search;

static void *search(void *user) {
  unused_search *u = user;
  for (size_t i; (i = atomic_fetch_add(&u->next, 1)) < u->count;) {
    cli_failure failure;
    stijl_css_document *document;
    stijl_css_matcher *matcher = NULL;
    bool good = load(u->o, u->context, u->documents[i], &document, &failure);
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
    if (!good) {
      atomic_store(&u->failed, true);
      cli_report(NULL, "%s", failure.text);
    }
  }
  return NULL;
}

static bool print_unused(const unused_search *u) {
  cli_json json = {0};
  if (u->o->json) cli_json_begin(&json, NULL, '[');
  for (size_t s = 0; s < stijl_css_selector_count(u->css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(u->css, s, &selector);
    if (selector.continuation || atomic_load(&u->used[s])) continue;
    char *text = u->o->json ? strndup(selector.text, selector.length) : text_of(&selector);
    if (!text) return false;
    if (u->o->json) {
      cli_json_begin(&json, NULL, '{');
      cli_json_string(&json, "sheet", selector.sheet);
      cli_json_unsigned(&json, "line", selector.line);
      cli_json_string(&json, "selector", text);
      cli_json_end(&json, '}');
    } else {
      printf("%s:%u: %s\n", selector.sheet, selector.line, text);
    }
    free(text);
  }
  if (u->o->json) {
    cli_json_end(&json, ']');
    if (!json.failed) printf("%s\n", json.text);
  }
  bool good = !json.failed;
  cli_json_finish(&json);
  return good;
}

// What is wrong with the inputs, if anything.
static bool check_inputs(const match_options *o, size_t documents, size_t sheets, cli_failure *failure) {
  if (o->unused && (o->stats || o->repeat > 1))
    return cli_fail(failure, "--stats and --repeat measure the matching of one document, not --unused");
  if (!o->unused && o->input_count > 1 && has_ending(o->inputs[0], ".css") && !has_ending(o->inputs[1], ".css"))
    return cli_fail(failure, "%s is a style sheet: the document comes first", o->inputs[0]);
  if (o->unused && sheets && !documents) return cli_fail(failure, "no document among the files, only style sheets");
  if (o->unused && documents && !sheets) return cli_fail(failure, "no style sheet (.css) among the files");
  return (documents && sheets) || cli_fail(failure, "a document and style sheets are needed (see stijl match --help)");
}

// Documents side by side; one thread for each, or several where there are fewer documents.
static bool run_unused(const match_options *o, stijl_context *context, const stijl_css *css, char **documents,
                       size_t count, cli_failure *failure) {
  int threads = o->threads ? o->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (threads < 1) threads = 1;
  int workers = (size_t)threads < count ? threads : (int)count;
  unused_search u = {.o = o, .context = context, .css = css, .documents = documents, .count = count};
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
  if (!good)
    cli_fail(failure, "not all documents could be matched: nothing is said about what is unused");
  else if (!print_unused(&u))
    good = out_of_memory(failure);
  free(u.used);
  free(handles);
  return good;
}

// --- the command ---

static bool run(match_options *o, cli_failure *failure) {
  char **documents = calloc((size_t)o->input_count, sizeof *documents);
  char **sheets = calloc((size_t)o->input_count, sizeof *sheets);
  match_times times = {.match_ms = calloc((size_t)o->repeat, sizeof *times.match_ms)};
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
  stijl_context_params context_params = STIJL_CONTEXT_PARAMS_INIT;
  if (!o->quiet) context_params.log = log_line;
  stijl_context *context = NULL;
  stijl_css *css = NULL;
  bool good = check_inputs(o, document_count, sheet_count, failure);
  if (good && (stijl_context_create(&context_params, &context) || stijl_css_create(context, &o->css, &css)))
    good = out_of_memory(failure);
  double start = cli_now_ms();
  for (size_t s = 0; good && s < sheet_count; s++) good = add_sheet(css, sheets[s], o->css.limits.max_bytes, failure);
  times.parse_ms = cli_now_ms() - start;
  if (good && o->unused)
    good = run_unused(o, context, css, documents, document_count, failure);
  else if (good)
    good = run_one(o, context, css, documents[0], &times, failure);
  if (good && o->stats && !o->unused) good = write_stats(o, css, &times, failure);
  stijl_css_destroy(css);
  stijl_context_destroy(context);
  free(documents);
  free(sheets);
  free(times.match_ms);
  return good;
}

int cli_command_match(int argc, char **argv) {
  match_options o = {.repeat = 1, .device = -1, .engine = STIJL_CSS_ENGINE_CPU, .css = STIJL_CSS_PARAMS_INIT};
  o.css.all_media = true;
  o.css.files = STIJL_CSS_FILES_BELOW;
  cli_failure failure;
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "q", long_options, NULL)) != -1;) {
    if (option == OPTION_HELP) {
      fputs(help, stdout);
      return 0;
    }
    if (take(&o, option, &failure)) continue;
    cli_report(argv[optind - 1], "%s", failure.text);
    return 1;
  }
  o.inputs = argv + optind;
  o.input_count = argc - optind;
  if (o.input_count == 0) {
    cli_report(NULL, "match takes a document and style sheets (see stijl match --help)");
    return 1;
  }
  if (run(&o, &failure)) return 0;
  cli_report(NULL, "%s", failure.text);
  return 1;
}
