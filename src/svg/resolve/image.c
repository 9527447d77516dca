// Resolves image elements (SVG 2, 12). Each picture is loaded once, however often it is shown.
#include "image/image.h"

#include <string.h>

#include "svg/resolve/attributes.h"
#include "svg/resolve/image.h"
#include "svg/resolve/omit.h"
#include "svg/style/fetch.h"

// Images of as many pixels are kept with a palette where one suffices, as for scans: in a quarter of the memory.
// Smaller ones are drawn faster without.
#define INDEXED_FROM ((uint64_t)16 << 20)

// Documents may be nested this deep as images of one another.
#define MAX_NESTING 8

static bool looks_like_svg(const unsigned char *data, size_t bytes) {
  if (bytes >= 2 && data[0] == 0x1f && data[1] == 0x8b) return true;
  for (size_t i = 0; i < bytes && i < 64; i++) {
    if (data[i] == '<') return true;
    // Before the "<" there may be byte order marks, white space, and the zero bytes of UTF-16.
    if (data[i] > ' ' && data[i] < 0x80) return false;
  }
  return false;
}

// Loads a document as an image. It is in SVG's secure mode, which reads no files, only data URLs, and shares all
// limits.
static stijl_result load_svg(sj_resolver *r, const sj_bytes *bytes, const sj_load_given *given, sj_loaded **out,
                             stijl_message *message) {
  if (r->job->nesting >= MAX_NESTING)
    return sj_fail(message, STIJL_ERROR_LIMIT, "images nested deeper than %d documents", MAX_NESTING);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = r->options->fonts;
  params.font_size = r->options->font_size;
  params.dpi = r->options->dpi;
  params.time = r->options->time;
  params.language = r->options->language;
  params.limits = r->options->limits;
  params.image_limits = r->options->image_limits;
  return sj_load_document(r->job->context, bytes->data, bytes->count, &params, given, r->job->totals, out, message);
}

static stijl_result load_pixels(sj_resolver *r, const sj_bytes *bytes, stijl_image **out, stijl_message *message) {
  sj_load_totals *totals = r->job->totals;
  stijl_image_limits limits = r->options->image_limits;
  limits.max_pixels = limits.max_pixels > totals->pixels ? limits.max_pixels - totals->pixels : 0;
  stijl_result result =
      sj_image_decode(r->job->context, bytes->data, bytes->count, &limits, INDEXED_FROM, out, message);
  if (result == STIJL_OK) totals->pixels += (uint64_t)stijl_image_width(*out) * (uint64_t)stijl_image_height(*out);
  return result;
}

// Warns that an image, or a file of a use element, is broken. The document is drawn without it.
static void tell(sj_resolver *r, const sj_fetched *fetched, bool use, stijl_result result,
                 const stijl_message *message) {
  r->job->tree->lacks_image = true;
  if (!sj_resolve_spend(r, 0)) return;
  if (result == STIJL_ERROR_OUT_OF_MEMORY) {
    sj_resolve_fail_memory(r);
    return;
  }
  if (r->job->totals->quiet) return;
  int shown = fetched->href_length < 60 ? (int)fetched->href_length : 60;
  sj_log(r->job->context, STIJL_LOG_WARNING, "%s %.*s is not drawn: %s", use ? "use of" : "image", shown, fetched->href,
         message->text[0] ? message->text : stijl_result_string(result));
}

// Finds an image that was loaded at another time.
static bool take_kept(sj_resolver *r, const sj_fetched *fetched, sj_tree_image *image) {
  sj_load_totals *totals = r->job->totals;
  const sj_loaded *keeper = r->own ? r->job->keeper : NULL;
  for (size_t i = 0; keeper && i < keeper->kept.images.count; i++) {
    const sj_still_image *kept = &keeper->kept.images.data[i];
    if (kept->href != fetched->href) continue;
    image->pixels = sj_image_retain(kept->image);
    totals->bytes += kept->bytes;
    totals->pixels += (uint64_t)stijl_image_width(kept->image) * (uint64_t)stijl_image_height(kept->image);
    return true;
  }
  return false;
}

// Keeps an image for other times. Where memory is short it is loaded again then.
static void keep(sj_resolver *r, const sj_fetched *fetched, stijl_image *image, uint64_t bytes) {
  sj_loaded *keeper = r->own ? r->job->keeper : NULL;
  if (!keeper || sj_document_is_moving(&keeper->document, fetched->href)) return;
  sj_still_image kept = {fetched->href, image, bytes};
  if (sj_array_push(keeper->context, &keeper->kept.images, kept)) sj_image_retain(image);
}

// Loads what the URL of fetched[index] points to. `use` tells that it is for an element of that document, not for an
// image.
static void load(sj_resolver *r, size_t index, bool use) {
  sj_resolve_job *job = r->job;
  sj_tree_image *image = &job->tree->images.data[index];
  sj_fetched *fetched = &job->fetched.data[index];
  sj_bytes bytes;
  stijl_message message = {{0}};
  if (take_kept(r, fetched, image)) return;
  sj_svg_options options = *r->options;
  uint64_t taken = job->totals->bytes;
  options.limits.max_bytes = options.limits.max_bytes > taken ? options.limits.max_bytes - taken : 0;
  stijl_result result = sj_fetch(job->context, &options, fetched->href, fetched->href_length, &bytes, &message);
  if (result == STIJL_OK) {
    job->totals->bytes += bytes.count;
    sj_resolve_spend(r, bytes.count * SJ_WORK_BYTE);
    if (!looks_like_svg(bytes.data, bytes.count)) {
      result = load_pixels(r, &bytes, &image->pixels, &message);
      if (result == STIJL_OK) keep(r, fetched, image->pixels, bytes.count);
    } else if (!sj_array_reserve(job->context, &job->tree->embedded, 1)) {
      result = STIJL_ERROR_OUT_OF_MEMORY;
    } else {
      result = load_svg(r, &bytes, use ? &fetched->given : NULL, &fetched->loaded, &message);
      if (result == STIJL_OK) job->tree->embedded.data[job->tree->embedded.count++] = fetched->loaded;
    }
    sj_free(job->context, bytes.data);
  }
  if (!sj_resolve_spend(r, 0)) return;
  if (result == STIJL_OK && use && !fetched->loaded)
    result = sj_fail(&message, STIJL_ERROR_UNSUPPORTED, "it is no SVG document");
  if (result != STIJL_OK) tell(r, fetched, use, result, &message);
}

// Makes the tree of a document that is shown as an image, unless that was tried.
static void make_tree(sj_resolver *r, size_t index) {
  sj_resolve_job *job = r->job;
  sj_fetched *fetched = &job->fetched.data[index];
  if (!fetched->loaded || fetched->tried) return;
  fetched->tried = true;
  stijl_message message = {{0}};
  stijl_result result = sj_load_tree(fetched->loaded, job->totals, job->nesting + 1, &message);
  if (result == STIJL_OK)
    job->tree->images.data[index].document = &fetched->loaded->tree;
  else
    tell(r, fetched, false, result, &message);
}

uint32_t sj_embed_glyph(sj_resolver *r, stijl_scene *scene, const void *data, size_t bytes) {
  sj_resolve_job *job = r->job;
  size_t index = job->fetched.count;
  static const char name[] = "of a font";
  if (index >= SJ_NONE || !sj_array_reserve(job->tree->context, &job->tree->images, 1) ||
      !sj_array_reserve(job->context, &job->fetched, 1) || !sj_array_reserve(job->context, &job->tree->embedded, 1)) {
    stijl_scene_destroy(scene);
    sj_resolve_fail_memory(r);
    return SJ_NONE;
  }
  job->tree->images.data[job->tree->images.count++] = (sj_tree_image){.scene = scene, .is_glyph = true};
  job->fetched.data[job->fetched.count++] = (sj_fetched){.href = name, .href_length = sizeof name - 1, .shown = true};
  if (scene) return (uint32_t)index;
  sj_fetched *fetched = &job->fetched.data[index];
  stijl_message message = {{0}};
  sj_bytes document = {.data = (unsigned char *)(uintptr_t)data, .count = bytes};
  stijl_result result = load_svg(r, &document, NULL, &fetched->loaded, &message);
  if (result == STIJL_OK) {
    job->tree->embedded.data[job->tree->embedded.count++] = fetched->loaded;
    make_tree(r, index);
  } else {
    tell(r, fetched, false, result, &message);
  }
  const sj_tree *made = job->tree->images.data[index].document;
  return sj_resolving(r) && made && !made->lacks_image ? (uint32_t)index : SJ_NONE;
}

static bool is_same(const sj_load_given *a, const sj_load_given *b) {
  if (a->to_parts != b->to_parts || a->properties.length != b->properties.length) return false;
  return !a->properties.length || a->properties.text == b->properties.text;
}

// Finds or loads an image, or (`given`) a document for use elements that hand over the same; returns its index in
// tree->images and job->fetched, SIZE_MAX on failure.
static size_t find_image(sj_resolver *r, const char *href, size_t length, const sj_load_given *given) {
  sj_resolve_job *job = r->job;
  if (!sj_resolve_spend(r, job->fetched.count * SJ_WORK_NODE)) return SIZE_MAX;
  for (size_t i = 0; i < job->fetched.count; i++) {
    const sj_fetched *fetched = &job->fetched.data[i];
    if (fetched->by != r->document || fetched->href_length != length) continue;
    if (fetched->used != (given != NULL) || (given && !is_same(&fetched->given, given))) continue;
    // File names are compared by their text. Data URLs are too long for that: they count as the same only if they are
    // the same attribute, which `use` shows again.
    if (fetched->href == href || (length < 1024 && memcmp(fetched->href, href, length) == 0)) return i;
  }
  size_t index = job->fetched.count;
  if (index >= SJ_NONE || !sj_array_push(job->tree->context, &job->tree->images, (sj_tree_image){0})) {
    sj_resolve_fail_memory(r);
    return SIZE_MAX;
  }
  sj_fetched made = {.by = r->document, .href = href, .href_length = length, .used = given != NULL};
  if (given) made.given = *given;
  if (!sj_array_push(job->context, &job->fetched, made)) {
    sj_resolve_fail_memory(r);
    return SIZE_MAX;
  }
  load(r, index, given != NULL);
  return sj_resolving(r) ? index : SIZE_MAX;
}

sj_resolver *sj_external_resolver(sj_resolver *r, const char *url, size_t length, const sj_load_given *given) {
  size_t index = find_image(r, url, length, given);
  if (index == SIZE_MAX || !r->job->fetched.data[index].loaded) return NULL;
  sj_fetched *fetched = &r->job->fetched.data[index];
  if (!fetched->resolver) {
    fetched->resolver = sj_alloc(r->job->context, sizeof *fetched->resolver);
    if (!fetched->resolver) {
      sj_resolve_fail_memory(r);
      return NULL;
    }
    sj_resolver_init(fetched->resolver, r->job, fetched->loaded, false);
    // Lengths in it are relative to the sizes of the document that shows it.
    fetched->resolver->styles.base = r->styles.base;
    fetched->resolver->styles.base.font_units.fonts = fetched->resolver;
  }
  return fetched->resolver;
}

// Finds the picture of a URL, and its own size. Returns its index in tree->images; SJ_NONE: there is none.
static uint32_t find_picture(sj_resolver *r, const char *url, size_t length, float *width, float *height) {
  size_t index = find_image(r, url, length, NULL);
  if (index == SIZE_MAX) return SJ_NONE;
  make_tree(r, index);
  const sj_tree_image *image = &r->job->tree->images.data[index];
  *width = *height = 0.0f;
  if (image->document) {
    *width = image->document->width;
    *height = image->document->height;
  } else if (image->pixels) {
    *width = (float)stijl_image_width(image->pixels);
    *height = (float)stijl_image_height(image->pixels);
  }
  return *width > 0.0f && *height > 0.0f && sj_resolving(r) ? (uint32_t)index : SJ_NONE;
}

bool sj_image_size(sj_resolver *r, const char *url, size_t length, float *width, float *height) {
  return find_picture(r, url, length, width, height) != SJ_NONE;
}

uint32_t sj_resolve_picture(sj_resolver *r, const sj_resolve_frame *frame, const char *url, size_t length, float *width,
                            float *height) {
  uint32_t index = find_picture(r, url, length, width, height);
  const sj_tree *document = index == SJ_NONE ? NULL : r->job->tree->images.data[index].document;
  if (!document) return index;
  // Making the tree has counted its elements once; each further use counts as many.
  if (r->job->fetched.data[index].shown) r->job->totals->elements += document->elements;
  r->job->fetched.data[index].shown = true;
  return sj_resolve_count(r, frame->depth) ? index : SJ_NONE;
}

const sj_document *sj_picture_document(const sj_resolver *r, uint32_t image) {
  return r->job->tree->images.data[image].document ? &r->job->fetched.data[image].loaded->document : NULL;
}

bool sj_resolve_image(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node,
                      const sj_given_image *given) {
  sj_tree *tree = r->job->tree;
  float own_width, own_height;
  const sj_string *href = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_HREF);
  bool fills = given && given->url;
  sj_value_text url = fills ? (sj_value_text){given->url, given->length} : (sj_value_text){0};
  if (!fills && href) url = (sj_value_text){href->text, href->length};
  uint32_t index = url.length ? sj_resolve_picture(r, frame, url.text, url.length, &own_width, &own_height) : SJ_NONE;
  if (index == SJ_NONE) return false;
  float x = 0.0f, y = 0.0f, width, height;
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  bool has_width = sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  bool has_height = sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  // A size that is auto follows from the picture's own (CSS Images 3, 5.3).
  if (!has_width) width = has_height ? height * own_width / own_height : own_width;
  if (!has_height) height = width * own_height / own_width;
  if (given) {
    x = given->rect.x0;
    y = given->rect.y0;
    width = given->rect.x1 - x;
    height = given->rect.y1 - y;
  }
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  const sj_string *aspect_text = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO);
  sj_aspect aspect = SJ_ASPECT_DEFAULT;
  sj_understood(r, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO, aspect_text,
                aspect_text && sj_parse_aspect(aspect_text->text, aspect_text->length, &aspect));
  if (fills) aspect.none = true;
  sj_view_box box = {0.0f, 0.0f, own_width, own_height};
  sj_tree_picture picture = {.image = index,
                             .nearest = frame->style->image_rendering == SJ_IMAGE_NEAREST,
                             .clips = aspect.slice && !aspect.none && frame->style->overflow != SJ_OVERFLOW_VISIBLE,
                             .rect = {x, y, x + width, y + height},
                             .place = stijl_matrix_multiply(stijl_matrix_translate(x, y),
                                                            sj_view_box_matrix(&box, &aspect, width, height, NULL))};
  tree->nodes.data[node].item = (uint32_t)tree->pictures.count;
  tree->nodes.data[node].invisible = frame->style->visibility != SJ_VISIBILITY_VISIBLE;
  if (sj_array_push(tree->context, &tree->pictures, picture)) return true;
  sj_resolve_fail_memory(r);
  return false;
}
