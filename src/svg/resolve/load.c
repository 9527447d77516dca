// Loads a document: parsing, styles, size, render tree.
#include "svg/resolve/load.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "svg/parse/html_names.h"
#include "svg/resolve/definitions.h"
#include "svg/resolve/job.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/text_fonts.h"
#include "svg/style/animate.h"
#include "svg/style/sheets.h"

// The sides of the viewport of a document without width, height and viewBox, as long as nothing better is known.
#define FALLBACK_SIZE 100.0f

void sj_loaded_destroy(sj_loaded *loaded) {
  if (!loaded) return;
  for (size_t i = 0; i < loaded->kept.images.count; i++) stijl_image_destroy(loaded->kept.images.data[i].image);
  sj_array_finish(loaded->context, &loaded->kept.images);
  sj_load_forget(loaded);
  sj_document_finish(&loaded->document);
  sj_free(loaded->context, loaded->options.language);
  sj_free(loaded->context, loaded->options.base_folder);
  sj_free(loaded->context, loaded);
}

static bool take_options(sj_loaded *loaded, const stijl_svg_params *params) {
  sj_svg_options *options = &loaded->options;
  *options = (sj_svg_options){.limits = params->limits,
                              .image_limits = params->image_limits,
                              .allow_all_files = params->allow_all_files,
                              .dpi = params->dpi,
                              .fonts = params->fonts,
                              .font_size = params->font_size,
                              .time = params->time,
                              .read = params->read,
                              .read_user = params->read_user};
  if (options->limits.max_depth > SJ_MAX_DEPTH) options->limits.max_depth = SJ_MAX_DEPTH;
  const char *language = params->language ? params->language : "";
  options->language = sj_strndup(loaded->context, language, strlen(language));
  if (!params->base_folder) return options->language;
  options->base_folder = sj_strndup(loaded->context, params->base_folder, strlen(params->base_folder));
  return options->language && options->base_folder;
}

// Parses with what is left of max_bytes.
static stijl_result parse(sj_loaded *loaded, const void *data, size_t bytes, sj_load_totals *totals,
                          stijl_message *message) {
  stijl_svg_limits limits = loaded->options.limits;
  // The bytes of fetched files count already; what they unpack to counts, too.
  limits.max_bytes = limits.max_bytes > totals->bytes ? limits.max_bytes - totals->bytes : 0;
  stijl_result result = sj_document_parse(&loaded->document, loaded->context, data, bytes, &limits, message);
  if (result == STIJL_OK) totals->bytes += loaded->document.bytes;
  return result;
}

// Computes the document's declarations and attributes at a time. Without animations in style sheets declarations are
// gathered once.
static stijl_result style(sj_loaded *loaded, double time, stijl_message *message) {
  sj_document *document = &loaded->document;
  sj_schedule *schedule = NULL;
  stijl_result result = STIJL_OK;
  if (loaded->has_smil) result = sj_schedule_create(document, time, &schedule, message);
  sj_timeline line = {.time = time, .end = schedule ? sj_schedule_end(schedule) : 0.0};
  if (result == STIJL_OK && !document->unmoved.styled)
    result = sj_svg_apply_sheets(document, &line, loaded->options.limits.max_elements, message);
  if (result == STIJL_OK && !loaded->moved) sj_document_check_values(document);
  if (result == STIJL_OK && loaded->animated && !document->unmoved.known) {
    sj_document_mark(document, true);
    sj_svg_end_matching(document);
  }
  if (result == STIJL_OK && schedule && !isfinite(time)) {
    sj_schedule_destroy(schedule);
    result = sj_schedule_create(document, line.end, &schedule, message);
  }
  if (result == STIJL_OK && schedule) result = sj_document_animate(document, schedule, message);
  sj_schedule_destroy(schedule);
  loaded->line = line;
  loaded->options.time = time;
  return result;
}

static bool has_smil(const sj_document *document) {
  for (uint32_t i = 0; i < document->nodes.count; i++)
    if (sj_element_is((sj_element)document->nodes.data[i].element, SJ_IS_ANIMATION)) return true;
  return false;
}

static bool take_given(sj_document *document, const sj_load_given *given) {
  size_t length = given->properties.length;
  document->given_to_parts = given->to_parts;
  document->given = (sj_string){sj_arena_text(&document->arena, given->properties.text, length), (uint32_t)length, 0};
  return document->given.text;
}

stijl_result sj_load_document(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                              const sj_load_given *given, sj_load_totals *totals, sj_loaded **out,
                              stijl_message *message) {
  sj_loaded *loaded = sj_alloc_zero(context, sizeof *loaded);
  if (!loaded) return sj_fail_memory(message);
  loaded->context = loaded->document.context = loaded->tree.context = context;
  stijl_result result = STIJL_OK;
  sj_document *document = &loaded->document;
  if (!take_options(loaded, params)) result = sj_fail_memory(message);
  if (result == STIJL_OK) result = parse(loaded, data, bytes, totals, message);
  if (result == STIJL_OK && given && !take_given(document, given)) result = sj_fail_memory(message);
  if (result == STIJL_OK) result = sj_svg_match_sheets(document, &loaded->options, params->style_sheet, message);
  if (result == STIJL_OK) {
    loaded->has_smil = has_smil(document);
    loaded->animated = loaded->has_smil || sj_svg_has_keyframes(document);
    if (sj_svg_has_keyframes(document)) sj_document_mark(document, false);
    result = style(loaded, params->time, message);
  }
  if (result == STIJL_OK && !loaded->animated) sj_svg_end_matching(document);
  if (result == STIJL_OK)
    *out = loaded;
  else
    sj_loaded_destroy(loaded);
  return result;
}

// Empties the tree but for the outlines that are kept, which it begins with.
static void empty_tree(sj_loaded *loaded) {
  sj_tree *tree = &loaded->tree, next = {.context = loaded->context};
  const sj_kept *kept = &loaded->kept;
  if (kept->geometries) {
    sj_tree_cut_geometries(tree, kept->geometry_count);
#define TAKE(array, kept_count)                         \
  memcpy(&next.array, &tree->array, sizeof next.array); \
  memset(&tree->array, 0, sizeof tree->array);          \
  next.array.count = (kept_count)
    TAKE(verbs, kept->verb_count);
    TAKE(points, kept->point_count);
    TAKE(geometries, kept->geometry_count);
#undef TAKE
  }
  sj_tree_finish(tree);
  *tree = next;
}

void sj_load_forget(sj_loaded *loaded) {
  sj_free(loaded->context, loaded->kept.geometries);
  loaded->kept.geometries = NULL;
  empty_tree(loaded);
}

stijl_result sj_load_restyle(sj_loaded *loaded, double time, stijl_message *message) {
  empty_tree(loaded);
  loaded->moved = true;
  loaded->options.time = time;
  if (!loaded->document.unmoved.known) return STIJL_OK;
  sj_document_rewind(&loaded->document);
  return style(loaded, time, message);
}

bool sj_load_is_animated(const sj_loaded *loaded) {
  bool animated = loaded->animated;
  for (size_t i = 0; i < loaded->tree.embedded.count && !animated; i++)
    animated = sj_load_is_animated(loaded->tree.embedded.data[i]);
  return animated;
}

stijl_result sj_load_timeline(const sj_loaded *loaded, sj_timeline *line, stijl_message *message) {
  sj_schedule *schedule = NULL;
  stijl_result result = STIJL_OK;
  line->end = fmax(line->end, loaded->line.end);
  if (loaded->line.period == SJ_NO_PERIOD)
    line->period = SJ_NO_PERIOD;
  else if (loaded->line.period)
    sj_timeline_repeats(line, loaded->line.begun, (double)loaded->line.period * 1e-6);
  if (loaded->has_smil) result = sj_schedule_create(&loaded->document, (double)INFINITY, &schedule, message);
  if (schedule && result == STIJL_OK) sj_schedule_tell(schedule, line);
  sj_schedule_destroy(schedule);
  for (size_t i = 0; i < loaded->tree.embedded.count && result == STIJL_OK; i++)
    result = sj_load_timeline(loaded->tree.embedded.data[i], line, message);
  return result;
}

// --- size and tree ---

typedef struct size {
  float width, height;
  bool by_content;
} size;

// Applies max-width and the like of the root. Where the width itself is not known, as 100% is not (`percent`), the root
// is as wide as it may be; where only one side is given the other one follows.
static void bound_size(const sj_document *document, const sj_length_base *base, float sides[2], bool given[2],
                       bool percent, float ratio) {
  static const int most_names[] = {SJ_HTML_MAX_WIDTH, SJ_HTML_MAX_HEIGHT};
  static const int least_names[] = {SJ_HTML_MIN_WIDTH, SJ_HTML_MIN_HEIGHT};
  sj_cascade cascade = sj_cascade_of(document, &document->nodes.data[0]);
  float most[2] = {-1.0f, -1.0f}, least[2] = {-1.0f, -1.0f};
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
    for (int axis = 0; axis < 2; axis++) {
      float *out = d->name == most_names[axis] ? most : d->name == least_names[axis] ? least : NULL;
      sj_length length;
      if (!out) continue;
      bool known = sj_parse_length(d->value, d->length, &length) && length.unit != SJ_UNIT_PERCENT &&
                   (length.unit != SJ_UNIT_NONE || length.value == 0.0f) &&
                   sj_length_pixels(length, base, 0.0f) == sj_length_pixels(length, base, FALLBACK_SIZE);
      out[axis] = known ? sj_length_pixels(length, base, 0.0f) : -1.0f;
    }
  if (!given[0] && most[0] > 0.0f && (given[1] ? percent : ratio > 0.0f)) {
    sides[0] = most[0];
    given[0] = true;
  }
  for (int axis = 0; axis < 2; axis++) {
    if (given[axis] && most[axis] >= 0.0f && sides[axis] > most[axis]) sides[axis] = most[axis];
    if (given[axis] && sides[axis] < least[axis]) sides[axis] = least[axis];
  }
}

// Finds width and height. If one is missing it follows from the viewBox. A document without any size has that of its
// content with its strokes, as in librsvg.
static size find_size(const sj_loaded *loaded) {
  const sj_document *document = &loaded->document;
  sj_style style;
  sj_style_context styles = {.document = document, .font_size = loaded->options.font_size};
  // Lengths are relative to the default viewport.
  styles.base = (sj_length_base){.dpi = loaded->options.dpi,
                                 .root_font_size = 0.0f,
                                 .viewport_width = FALLBACK_SIZE,
                                 .viewport_height = FALLBACK_SIZE};
  sj_style_compute(&styles, SJ_NO_COPY, 0, NULL, &style);
  styles.base.root_font_size = style.font_size;
  sj_view_box box;
  const sj_string *view_box = sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX);
  bool has_box = view_box && sj_parse_view_box(view_box->text, view_box->length, &box);
  has_box = has_box && box.width > 0.0f && box.height > 0.0f;
  sj_length_base base = sj_style_base(&styles, &style);
  float sides[2];
  bool given[2], percent = false;
  for (int axis = 0; axis < 2; axis++) {
    sj_length length;
    const char *text;
    size_t text_length;
    // A negative size is an error and counts as absent. A percentage refers to what holds the document, which is not
    // known.
    given[axis] = sj_document_geometry(document, SJ_NO_COPY, 0, axis ? SJ_ATTRIBUTE_HEIGHT : SJ_ATTRIBUTE_WIDTH, &text,
                                       &text_length) &&
                  sj_parse_length(text, text_length, &length);
    if (axis == 0) percent = given[0] && length.unit == SJ_UNIT_PERCENT;
    if (given[axis])
      given[axis] = length.unit != SJ_UNIT_PERCENT && (sides[axis] = sj_length_pixels(length, &base, 0.0f)) >= 0.0f;
    // calc() may contain percentages.
    if (given[axis]) given[axis] = sides[axis] == sj_length_pixels(length, &base, FALLBACK_SIZE);
    if (!given[axis]) sides[axis] = FALLBACK_SIZE;
  }
  bound_size(document, &base, sides, given, percent, has_box ? box.width / box.height : 0.0f);
  bool both = given[0] && given[1];
  if (has_box && !both) {
    if (given[0])
      sides[1] = sides[0] / box.width * box.height;
    else
      sides[0] = given[1] ? sides[1] / box.height * box.width : box.width;
    if (!given[0] && !given[1]) sides[1] = box.height;
  }
  return (size){.width = sides[0], .height = sides[1], .by_content = !has_box && !both};
}

// Sets the size to that of the content with its strokes, if there is any.
static bool measure_content(sj_tree *tree) {
  sj_box box = {.known = true, .empty = true};
  stijl_matrix identity = stijl_matrix_identity();
  if (!sj_tree_measure(tree, tree->context, tree->picture, &identity, SJ_MEASURE_INK, &box)) return false;
  if (box.empty) return true;
  tree->left = box.rect.x0;
  tree->top = box.rect.y0;
  tree->width = box.rect.x1 - box.rect.x0;
  tree->height = box.rect.y1 - box.rect.y0;
  return true;
}

static void finish_job(sj_resolve_job *job) {
  for (size_t i = 0; i < job->fetched.count; i++) {
    if (job->fetched.data[i].resolver) sj_resolver_finish(job->fetched.data[i].resolver);
    sj_free(job->context, job->fetched.data[i].resolver);
  }
  for (size_t i = 0; i < job->spare_paths.count; i++) stijl_path_destroy(job->spare_paths.data[i]);
  sj_arrays_finish(job->context, &job->fetched, &job->glyphs);
  sj_pairs_finish(job->context, &job->outlines);
  sj_arrays_finish(job->context, &job->spare_paths, &job->owners, &job->contents);
}

// Has the resolver take outlines that were made at another time.
static bool take_outlines(sj_resolver *r, const sj_loaded *loaded) {
  size_t count = loaded->document.nodes.count;
  if (!loaded->kept.geometries) return true;
  r->geometries = sj_alloc_array(r->job->context, count, sizeof *r->geometries);
  if (!r->geometries) return false;
  for (size_t i = 0; i < count; i++)
    r->geometries[i] = loaded->document.nodes.data[i].moves ? 0 : loaded->kept.geometries[i];
  return true;
}

// Keeps the outlines that the resolver has made, for other times.
static void keep_outlines(sj_resolver *r, sj_loaded *loaded) {
  const sj_tree *tree = &loaded->tree;
  if (loaded->kept.geometries || !sj_resolving(r)) return;
  loaded->kept.geometries = r->geometries;
  r->geometries = NULL;
  loaded->kept.verb_count = tree->verbs.count;
  loaded->kept.point_count = tree->points.count;
  loaded->kept.geometry_count = tree->geometries.count;
}

// Returns whether the document was written for browsers, as those of HTML are, and those whose root is at most so wide.
// There lengths in ex and ch are of the font; elsewhere they are half an em, as in librsvg and resvg.
static bool is_of_page(const sj_document *document) {
  if (document->has_html) return true;
  sj_cascade cascade = sj_cascade_of(document, &document->nodes.data[0]);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
    if (d->name == SJ_HTML_MAX_WIDTH) return true;
  return false;
}

// Resolves the document to a render tree for a canvas of that size; 0 stands for the document's own size. `keeper`
// keeps for other times what does not move; NULL: nobody does.
static stijl_result resolve(const sj_loaded *loaded, stijl_context *context, float width, float height, sj_tree *tree,
                            sj_loaded *keeper, sj_load_totals *totals, uint32_t nesting, stijl_message *message) {
  stijl_message unused;
  sj_resolve_job job = {.context = context,
                        .message = message ? message : &unused,
                        .tree = tree,
                        .totals = totals,
                        .nesting = nesting,
                        .keeper = keeper};
  uint64_t before = totals->elements;
  size found = find_size(loaded);
  tree->context = context;
  tree->number = totals->documents++;
  tree->max_elements = loaded->options.limits.max_elements;
  tree->max_depth = loaded->options.limits.max_depth;
  tree->width = found.width;
  tree->height = found.height;
  if (found.by_content) found.width = found.height = FALLBACK_SIZE;
  sj_resolver r;
  sj_resolver_init(&r, &job, loaded, true);
  r.styles.base = (sj_length_base){.dpi = loaded->options.dpi,
                                   .viewport_width = width > 0.0f ? width : found.width,
                                   .viewport_height = height > 0.0f ? height : found.height,
                                   .viewport_met = &tree->by_canvas};
  if (is_of_page(r.document)) r.styles.base.font_units = (sj_font_units){.find = sj_resolver_font_unit, .fonts = &r};
  if (keeper && !take_outlines(&r, keeper)) sj_resolve_fail_memory(&r);
  sj_resolve_root(&r, found.width, found.height);
  tree->picture.end = (uint32_t)tree->nodes.count;
  sj_resolve_contents(&r);
  if (found.by_content && sj_resolving(&r) && !measure_content(tree)) {
    sj_resolve_spend(&r, 0);
    sj_resolve_fail_memory(&r);
  }
  sj_resolve_spend(&r, 0);
  if (keeper) keep_outlines(&r, keeper);
  sj_resolver_finish(&r);
  finish_job(&job);
  tree->elements = totals->elements - before;
  return job.result;
}

stijl_result sj_load_tree(sj_loaded *loaded, sj_load_totals *totals, uint32_t nesting, stijl_message *message) {
  sj_loaded *keeper = loaded->animated && !loaded->document.moves_variables ? loaded : NULL;
  return resolve(loaded, loaded->context, 0.0f, 0.0f, &loaded->tree, keeper, totals, nesting, message);
}

stijl_result sj_load_tree_for(const sj_loaded *loaded, stijl_context *context, float width, float height, sj_tree *out,
                              stijl_message *message) {
  sj_load_totals totals = {.bytes = loaded->document.bytes, .quiet = true};
  *out = (sj_tree){.context = context};
  stijl_result result = resolve(loaded, context, width, height, out, NULL, &totals, 0, message);
  if (result != STIJL_OK) sj_tree_finish(out);
  return result;
}
