// The image element: SVG 2, 12.

#include <math.h>
#include <string.h>

#include "svg/convert.h"
#include "svg/style/fetch.h"

// How many halvings of a picture are kept, for drawing it small. No image is so large that it needs more.
#define MAX_LEVELS 15
// How deep documents may be nested as images of one another.
#define MAX_NESTING 8

struct sj_loaded_image {
  const char *href;  // what it was loaded from
  size_t href_length;
  stijl_image *levels[MAX_LEVELS];  // each half of the one before, made when needed
  stijl_svg *svg;                   // instead of levels, where the image is a document
};

void sj_finish_images(sj_convert *c) {
  for (size_t i = 0; i < c->images.count; i++) {
    for (int k = 0; k < MAX_LEVELS; k++) stijl_image_destroy(c->images.data[i].levels[k]);
    stijl_svg_destroy(c->images.data[i].svg);
  }
  sj_array_finish(c->context, &c->images);
}

static bool looks_like_svg(const unsigned char *data, size_t bytes) {
  if (bytes >= 2 && data[0] == 0x1f && data[1] == 0x8b) return true;
  for (size_t i = 0; i < bytes && i < 64; i++) {
    if (data[i] == '<') return true;
    // Byte order marks, white space, and the zero bytes of UTF-16.
    if (data[i] > ' ' && data[i] < 0x80) return false;
  }
  return false;
}

// A document within an image is in SVG's secure mode: it reads no files, only data URLs.
static stijl_result load_svg(sj_convert *c, const sj_bytes *bytes, stijl_svg **out, stijl_message *message) {
  if (c->svg->nesting >= MAX_NESTING) {
    return sj_fail(message, STIJL_ERROR_LIMIT, "images nested deeper than %d documents", MAX_NESTING);
  }
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.fonts = c->svg->options.fonts;
  params.font_size = c->svg->options.font_size;
  params.dpi = c->svg->options.dpi;
  params.language = c->svg->options.language;
  params.limits = c->svg->options.limits;
  params.image_limits = c->svg->options.image_limits;
  return sj_svg_load(c->context, bytes->data, bytes->count, &params, c->svg->nesting + 1, out, message);
}

// Broken images are no reason to refuse the document: they draw nothing, with a warning.
static void load(sj_convert *c, sj_loaded_image *image, bool tell) {
  sj_bytes bytes;
  stijl_message message = {{0}};
  stijl_result result = sj_fetch(c->context, &c->svg->options, image->href, image->href_length, &bytes, &message);
  if (result == STIJL_OK) {
    sj_convert_spend(c, bytes.count * SJ_WORK_BYTE);
    if (looks_like_svg(bytes.data, bytes.count)) {
      result = load_svg(c, &bytes, &image->svg, &message);
    } else {
      stijl_image_limits limits = c->svg->options.image_limits;
      limits.max_pixels = limits.max_pixels > c->image_pixels ? limits.max_pixels - c->image_pixels : 0;
      result = stijl_image_decode(c->context, bytes.data, bytes.count, &limits, &image->levels[0], &message);
      if (result == STIJL_OK) {
        c->image_pixels +=
            (uint64_t)stijl_image_width(image->levels[0]) * (uint64_t)stijl_image_height(image->levels[0]);
      }
    }
    sj_free(c->context, bytes.data);
  }
  if (!sj_convert_spend(c, 0)) return;
  if (result == STIJL_ERROR_OUT_OF_MEMORY) {
    sj_convert_fail_memory(c);
  } else if (result != STIJL_OK && c->scene && tell) {  // without a scene the document is only measured
    int shown = image->href_length < 60 ? (int)image->href_length : 60;
    sj_log(c->context, STIJL_LOG_WARNING, "image %.*s is not drawn: %s", shown, image->href,
           message.text[0] ? message.text : stijl_result_string(result));
  }
}

// An index into c->images, or SIZE_MAX on failure.
static size_t find_image(sj_convert *c, const char *href, size_t length, bool tell) {
  if (!sj_convert_spend(c, c->images.count * SJ_WORK_NODE)) return SIZE_MAX;
  for (size_t i = 0; i < c->images.count; i++) {
    const sj_loaded_image *image = &c->images.data[i];
    if (image->href_length != length) continue;
    // File names are compared by their text. Data URLs are too long for that: they are the same only at the same place,
    // which `use` shows again.
    if (image->href == href || (length < 1024 && memcmp(image->href, href, length) == 0)) return i;
  }
  sj_loaded_image image = {.href = href, .href_length = length};
  if (!sj_array_reserve(c->context, &c->images, 1)) {
    sj_convert_fail_memory(c);
    return SIZE_MAX;
  }
  load(c, &image, tell);
  c->images.data[c->images.count++] = image;
  return c->images.count - 1;
}

const stijl_svg *sj_external_document(sj_convert *c, const char *url, size_t length) {
  size_t index = find_image(c, url, length, false);
  return index == SIZE_MAX || c->result != STIJL_OK ? NULL : c->images.data[index].svg;
}

// The mean of each 2 x 2 block; the last column or row of an odd size counts twice.
static stijl_image *halve(sj_convert *c, const stijl_image *from) {
  int width = stijl_image_width(from), height = stijl_image_height(from);
  stijl_format format = stijl_image_format(from);
  size_t channels = stijl_format_bytes(format), stride;
  const unsigned char *pixels = stijl_image_pixels(from, &stride);
  int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  size_t half_stride = (size_t)half_width * channels;
  unsigned char *half = sj_alloc_array(c->context, (size_t)half_height, half_stride);
  stijl_image *made = NULL;
  if (half) {
    for (int y = 0; y < half_height; y++) {
      const unsigned char *row0 = pixels + (size_t)(2 * y) * stride;
      const unsigned char *row1 = 2 * y + 1 < height ? row0 + stride : row0;
      unsigned char *out = half + (size_t)y * half_stride;
      for (int x = 0; x < half_width; x++) {
        size_t left = (size_t)(2 * x) * channels, right = 2 * x + 1 < width ? left + channels : left;
        for (size_t k = 0; k < channels; k++) {
          unsigned sum = (unsigned)row0[left + k] + row0[right + k] + row1[left + k] + row1[right + k];
          *out++ = (unsigned char)((sum + 2) / 4);
        }
      }
    }
    sj_convert_check(c, stijl_image_create(c->context, half_width, half_height, format, half, half_stride, &made));
    sj_free(c->context, half);
  } else {
    sj_convert_fail_memory(c);
  }
  return made;
}

// The picture, halved until it is drawn at more than half of that size: bilinear sampling looks at four pixels only,
// and would skip others.
static const stijl_image *level_for(sj_convert *c, size_t index, float scale) {
  sj_loaded_image *image = &c->images.data[index];
  int level = 0;
  while (scale <= 0.5f && level + 1 < MAX_LEVELS) {
    const stijl_image *from = image->levels[level];
    if (stijl_image_width(from) < 2 && stijl_image_height(from) < 2) break;
    if (!image->levels[level + 1]) image->levels[level + 1] = halve(c, from);
    if (!image->levels[level + 1]) return NULL;
    level++;
    scale *= 2.0f;
  }
  return image->levels[level];
}

static void draw_raster(sj_convert *c, const sj_frame *frame, size_t index, stijl_matrix place, float opacity) {
  const stijl_image *full = c->images.data[index].levels[0];
  stijl_matrix matrix = stijl_matrix_multiply(frame->matrix, place);
  float sx = sqrtf(matrix.a * matrix.a + matrix.b * matrix.b), sy = sqrtf(matrix.c * matrix.c + matrix.d * matrix.d);
  float scale = sx > sy ? sx : sy;
  stijl_sampling sampling = scale > 1.0f ? STIJL_SAMPLING_BICUBIC : STIJL_SAMPLING_BILINEAR;
  const stijl_image *image = full;
  if (frame->style->image_rendering == SJ_IMAGE_NEAREST) {
    sampling = STIJL_SAMPLING_NEAREST;
  } else {
    image = level_for(c, index, scale);
    if (!image) return;
    matrix = stijl_matrix_multiply(
        matrix, stijl_matrix_scale((float)stijl_image_width(full) / (float)stijl_image_width(image),
                                   (float)stijl_image_height(full) / (float)stijl_image_height(image)));
  }
  if (stijl_matrix_is_finite(matrix)) stijl_scene_image(c->scene, image, sampling, opacity, &matrix);
}

static void draw_svg(sj_convert *c, const sj_frame *frame, const stijl_svg *svg, stijl_matrix place, float opacity) {
  stijl_matrix host = stijl_matrix_multiply(frame->matrix, place);
  stijl_path *path = sj_convert_path(c);
  if (!path || !stijl_matrix_is_finite(host)) {
    sj_convert_give_path(c, path);
    return;
  }
  sj_add_rect(path, (stijl_rect){0.0f, 0.0f, svg->width, svg->height});
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = opacity;
  layer.clip = path;
  layer.clip_transform = &host;
  stijl_scene_push_layer(c->scene, &layer);
  sj_convert_give_path(c, path);
  sj_convert inner;
  sj_convert_nest(&inner, c, svg);
  inner.canvas_width = svg->width;
  inner.canvas_height = svg->height;
  sj_convert_document(&inner, &host, frame->depth + 1);
  sj_convert_unnest(&inner, c);
  stijl_scene_pop_layer(c->scene);
}

void sj_convert_image(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity) {
  const sj_attribute *href = sj_document_attribute(c->document, element, SJ_ATTRIBUTE_HREF);
  if (!href || !href->length) return;
  size_t index = find_image(c, href->value, href->length, true);
  if (index == SIZE_MAX || c->result != STIJL_OK) return;
  const sj_loaded_image *image = &c->images.data[index];
  float own_width, own_height;
  if (image->svg) {
    stijl_svg_size(image->svg, &own_width, &own_height);
  } else if (image->levels[0]) {
    own_width = (float)stijl_image_width(image->levels[0]);
    own_height = (float)stijl_image_height(image->levels[0]);
  } else {
    return;
  }
  if (!(own_width > 0.0f) || !(own_height > 0.0f)) return;
  float x = 0.0f, y = 0.0f, width, height;
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  bool has_width = sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  bool has_height = sj_length_attribute(c, frame, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  // A size that is auto follows from the picture's own: CSS Images 3, 5.3.
  if (!has_width) width = has_height ? height * own_width / own_height : own_width;
  if (!has_height) height = width * own_height / own_width;
  if (!(width > 0.0f) || !(height > 0.0f)) return;
  if (c->measure) {
    sj_box_add(c->measure, stijl_matrix_apply_rect(frame->matrix, (stijl_rect){x, y, x + width, y + height}));
    return;
  }
  if (frame->style->visibility != SJ_VISIBILITY_VISIBLE) return;
  const sj_attribute *aspect_text = sj_document_attribute(c->document, element, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO);
  sj_aspect aspect = SJ_ASPECT_DEFAULT;
  if (aspect_text) sj_parse_aspect(aspect_text->value, aspect_text->length, &aspect);
  sj_view_box box = {0.0f, 0.0f, own_width, own_height};
  stijl_matrix place =
      stijl_matrix_multiply(stijl_matrix_translate(x, y), sj_view_box_matrix(&box, &aspect, width, height, NULL));
  bool clips = aspect.slice && !aspect.none && frame->style->overflow != SJ_OVERFLOW_VISIBLE;
  if (clips) sj_push_clip_rect(c, frame, (stijl_rect){x, y, x + width, y + height});
  if (image->svg) {
    draw_svg(c, frame, image->svg, place, opacity);
  } else {
    draw_raster(c, frame, index, place, opacity);
  }
  if (clips) stijl_scene_pop_layer(c->scene);
}
