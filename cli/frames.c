// `stijl frames`: an animated document as pictures, one after the other.
#include "frames.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "commands.h"
#include "file.h"
#include "hash.h"
#include "memory.h"
#include "parse.h"
#include "resources.h"
#include "uses.h"
#include "watch.h"

#define MOST_FRAMES 1000000u
#define LONGEST 600.0  // seconds that nobody asked for
#define MAX_PARTS 1000000.0

// --- options ---

// Parses N, N.NNN or N/D.
static bool parse_rate(cli_frames_options *o, cli_failure *failure) {
  const char *text = o->rate_text, *slash = strchr(text, '/');
  char *end;
  double rate = strtod(text, &end), scale = 1.0;
  bool good = end != text && (slash ? end == slash : !*end);
  if (good && slash) {
    scale = strtod(slash + 1, &end);
    good = end != slash + 1 && !*end && rate == floor(rate) && scale == floor(scale);
  } else if (good && rate != floor(rate)) {
    scale = 1000.0;
    rate = round(rate * scale);
  }
  good = good && scale >= 1.0 && scale <= MAX_PARTS && rate >= 1.0 && rate <= MAX_PARTS && rate / scale <= 1000.0;
  if (!good)
    return cli_fail(failure, "--fps takes a number up to 1000, or a fraction such as 30000/1001, not \"%.100s\"", text);
  o->rate = (uint32_t)rate;
  o->scale = (uint32_t)scale;
  uint32_t a = o->rate, b = o->scale;
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  o->rate /= a;
  o->scale /= a;
  return true;
}

static const char *ending_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');
  return point && point > name ? point + 1 : "";
}

static bool choose_format(cli_frames_options *o, cli_failure *failure) {
  static const struct {
    const char *ending;
    cli_frames_format format;
  } known[] = {
      {"apng", CLI_FRAMES_APNG}, {"webp", CLI_FRAMES_WEBP}, {"y4m", CLI_FRAMES_Y4M}, {"rgba", CLI_FRAMES_RGBA}};
  static const char *const others[] = {"avi", "avif", "gif", "jpeg", "jpg", "mkv", "mov", "mp4", "png", "webm"};
  const char *output = o->render.output, *ending = ending_of(output);
  bool stream = strcmp(output, "-") == 0;
  if (o->format == CLI_FRAMES_BY_NAME && stream)
    return cli_fail(failure, "standard output needs a format: --format y4m, rgba, apng or webp");
  if (o->format == CLI_FRAMES_PNG && stream)
    return cli_fail(failure, "--format png makes files in a folder: -o FOLDER");
  if (o->format != CLI_FRAMES_BY_NAME) return true;
  for (size_t i = 0; i < sizeof known / sizeof *known && !cli_is_folder(output); i++)
    if (strcasecmp(ending, known[i].ending) == 0) o->format = known[i].format;
  for (size_t i = 0; i < sizeof others / sizeof *others && !cli_is_folder(output); i++)
    if (strcasecmp(ending, others[i]) == 0)
      return cli_fail(failure,
                      "%s: frames go to a folder, or to NAME.apng, .webp, .y4m or .rgba (others are made by ffmpeg: "
                      "-o - --format y4m | ffmpeg -i - NAME)",
                      output);
  if (o->format == CLI_FRAMES_BY_NAME) o->format = CLI_FRAMES_PNG;
  return true;
}

static bool check(cli_frames_options *o, cli_failure *failure) {
  cli_options *r = &o->render;
  if (!r->output) return cli_fail(failure, "where do the frames go? -o FOLDER, NAME.apng, NAME.webp, or -");
  if (o->size.zoom > 0 && (o->size.width || o->size.height))
    return cli_fail(failure, "-z cannot be used with -w or -h");
  if (r->stretch && !(o->size.width && o->size.height)) return cli_fail(failure, "--stretch needs both -w and -h");
  if (!parse_rate(o, failure) || !choose_format(o, failure) || !cli_options_check_drawing(r, failure)) return false;
  if (o->loops && o->format != CLI_FRAMES_APNG && o->format != CLI_FRAMES_WEBP)
    return cli_fail(failure, "--loop is of animated PNG and WebP alone");
  if (r->png_level >= 0 && o->format != CLI_FRAMES_PNG && o->format != CLI_FRAMES_APNG)
    return cli_fail(failure, "--png-level is of PNG alone");
  if (r->png_level < 0) r->png_level = ((stijl_png_params)STIJL_PNG_PARAMS_INIT).level;
  if (o->quality >= 0.0 && o->format != CLI_FRAMES_WEBP)
    return cli_fail(failure, "--quality is of WebP alone: all other formats are lossless");
  if (o->format == CLI_FRAMES_Y4M && r->background_text && r->background.a < 1.0f)
    return cli_fail(failure, "y4m has no transparency: --background needs an opaque colour");
  if (strcmp(r->output, "-") == 0 && isatty(STDOUT_FILENO))
    return cli_fail(failure, "frames are not written to a terminal (redirect the output, or use -o NAME)");
  r->sizes[0] = o->size;
  r->size_count = 1;
  r->format = CLI_FORMAT_PNG;  // of a frame
  return cli_options_check_format(r, failure);
}

// --- how long ---

// Chooses how long what is not asked for goes on.
static bool choose_duration(const cli_frames_options *o, const stijl_svg_timing *t, double *seconds, bool *ends,
                            cli_failure *failure) {
  static const char help[] = "--duration SECONDS says how much is drawn";
  double begun = fmax(t->end, t->begun);
  *ends = false;
  if (!t->animated) return cli_fail(failure, "the document has no animations (stijl render draws it; %s)", help);
  if (t->period == STIJL_SVG_END)
    return cli_fail(failure, "its animations do not come back to where they were: %s", help);
  *ends = t->period == 0.0;
  *seconds = *ends ? t->end - o->from : t->period + fmax(begun - o->from, 0.0);
  if (*seconds < 0.0) return cli_fail(failure, "at %g s (--from) its animations have ended, at %g s", o->from, t->end);
  return *seconds <= LONGEST || cli_fail(failure, "its animations go on for %g s: %s", *seconds, help);
}

static bool choose_count(cli_frames *f, const stijl_svg_timing *timing, cli_failure *failure) {
  const cli_frames_options *o = f->options;
  double seconds = o->duration;
  bool ends = false;
  if (!(seconds > 0.0) && !choose_duration(o, timing, &seconds, &ends, failure)) return false;
  // What ends is shown as it stands then, in one more frame.
  double count = ceil(seconds * o->rate / o->scale - 1e-6) + (ends ? 1.0 : 0.0);
  if (count < 1.0) count = 1.0;
  if (count > MOST_FRAMES)
    return cli_fail(failure, "%.0f frames are too many: %u is the most (--duration, --fps)", count, MOST_FRAMES);
  f->count = (uint64_t)count;
  f->digits = f->count > 100000 ? 6 : 5;
  return true;
}

// --- warnings ---

// Each thread has a document of its own, which says what the others have said.
typedef struct heard {
  pthread_mutex_t mutex;
  uint64_t hashes[CLI_MAX_WARNINGS];
  size_t count;
} heard;

static bool is_new(void *user, const char *line) {
  heard *h = user;
  uint64_t hash = cli_hash(line, strlen(line));
  // That a picture shows one time is what is asked for.
  if (strncmp(line, "animated, ", 10) == 0) return false;
  pthread_mutex_lock(&h->mutex);
  bool new = true;
  for (size_t i = 0; i < h->count; i++) new = new && h->hashes[i] != hash;
  if (new && h->count < CLI_MAX_WARNINGS) h->hashes[h->count++] = hash;
  pthread_mutex_unlock(&h->mutex);
  return new;
}

// --- the command ---

// Makes the folder, which may have no frames of another run behind those of this one.
static bool make_folder(const cli_frames *f, cli_failure *failure) {
  char *path = NULL;
  const char *folder = f->options->render.output;
  if (asprintf(&path, "%s/", folder) < 0) return cli_fail(failure, "out of memory");
  bool good = cli_is_folder(folder) || cli_make_folders(path, 1, failure);
  free(path);
  if (good && !cli_is_folder(folder)) good = cli_fail(failure, "%s: %s", folder, strerror(ENOTDIR));
  if (good && asprintf(&path, "%s/frame-%0*llu.png", folder, f->digits, (unsigned long long)f->count) < 0)
    return cli_fail(failure, "out of memory");
  if (!good) return false;
  if (access(path, F_OK) == 0)
    good = cli_fail(failure, "%s is there, of a longer animation (remove its frames, or choose another folder)", path);
  free(path);
  return good;
}

static bool load(cli_renderer *r, const char *input, unsigned char **data, size_t *bytes, stijl_svg **svg,
                 stijl_svg_timing *timing, cli_failure *failure) {
  if (stijl_budget_create(r->context, &r->options->budget, &r->budget) != STIJL_OK)
    return cli_fail(failure, "out of memory");
  if (!cli_read(input, r->options->svg.limits.max_bytes, data, bytes, failure)) return false;
  stijl_budget_restart(r->budget);
  if (stijl_scene_is_saved(*data, *bytes))
    return cli_fail(failure, "a saved scene does not move (stijl render draws it)");
  cli_watch_begin(r->budget, r->subject, stijl_renderer_backend(r->renderer) == STIJL_BACKEND_CPU, 1);
  bool good = cli_document_load(r, input, *data, *bytes, svg, failure);
  stijl_message message = {""};
  if (good && stijl_svg_get_timing(*svg, timing, &message) != STIJL_OK)
    good = cli_fail_with_advice(failure, STIJL_ERROR_LIMIT, message.text);
  cli_watch_end();
  if (good && r->options->strict && atomic_load(&r->warnings))
    good = cli_fail(failure, "no frames (--strict): %.400s", r->first_warning.text);
  return good;
}

static bool make_frames(const cli_frames_options *o, const char *input, cli_renderer *r, cli_failure *failure) {
  unsigned char *data = NULL;
  size_t bytes = 0;
  stijl_svg *svg = NULL;
  stijl_svg_timing timing = STIJL_SVG_TIMING_INIT;
  cli_frames f = {.options = o, .background = o->render.background};
  float width, height;
  bool good = load(r, input, &data, &bytes, &svg, &timing, failure) && choose_count(&f, &timing, failure);
  if (good) {
    stijl_svg_size(svg, &width, &height);
    good = cli_choose_size(&o->render, &o->size, width, height, &f.size, failure);
  }
  if (good && o->format == CLI_FRAMES_Y4M && !o->render.background_text) f.background = (stijl_color){1, 1, 1, 1};
  f.opaque = f.background.a >= 1.0f;
  bool straight = !f.opaque && (o->format == CLI_FRAMES_RGBA);
  f.format = straight ? STIJL_FORMAT_RGBA8_STRAIGHT : STIJL_FORMAT_RGBA8;
  good = good && (o->format != CLI_FRAMES_PNG || make_folder(&f, failure)) &&
         cli_frames_draw(&f, r, svg, input, data, bytes, failure);
  stijl_svg_destroy(svg);
  stijl_budget_destroy(r->budget);
  r->budget = NULL;
  free(data);
  return good;
}

static bool check_uses(const cli_frames_options *o, const char *input, cli_failure *failure) {
  const char *file = o->format == CLI_FRAMES_PNG ? NULL : o->render.output;
  cli_use uses[] = {
      {input, NULL, false, NULL}, {o->render.stylesheet, NULL, false, NULL}, {file, "the animation", true, NULL}};
  return cli_uses_check(uses, sizeof uses / sizeof *uses, false, "", failure);
}

int cli_command_frames(int argc, char **argv) {
  cli_frames_options o = {.render = cli_options_defaults(), .rate_text = "30", .quality = -1.0};
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_FRAMES], argc, argv, &o, &operands, &status)) return status;
  cli_failure failure = {""};
  const char *input = argv[1];
  bool good = (operands == 1 || cli_fail(&failure, "frames takes one document (see stijl frames --help)")) &&
              check(&o, &failure) && check_uses(&o, input, &failure);
  if (!good) {
    cli_report(NULL, "%s", failure.text);
    return 1;
  }
  signal(SIGPIPE, SIG_IGN);  // a reader that has gone is an error like a full disk
  if (o.render.budget.max_memory) cli_memory_return();
  cli_options_limit_pixels(&o.render);
  o.render.svg.time = o.from;
  cli_resources resources;
  cli_renderer renderer = {0};
  heard lines = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  good = cli_resources_open(&o.render, &resources, &failure) && cli_renderer_create(&o.render, 1, &renderer, &failure);
  renderer.subject = strcmp(input, "-") == 0 ? "standard input" : input;
  renderer.heard = is_new;
  renderer.heard_user = &lines;
  good = good && make_frames(&o, input, &renderer, &failure);
  if (!good) cli_report(renderer.subject ? renderer.subject : input, "%s", failure.text);
  cli_renderer_destroy(&renderer);
  cli_resources_close(&resources);
  return good ? 0 : 1;
}
