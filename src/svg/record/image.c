// Records images, reduced to about the scale at which they are seen, and documents that are shown as images.
#include "image/image.h"

#include <math.h>

#include "svg/record/record.h"

// Writes the mean of each 2 x 2 block of two rows. The last column of an odd size counts twice.
static void halve_rows(const unsigned char *row0, const unsigned char *row1, int width, size_t channels,
                       unsigned char *out) {
  for (int x = 0; x < width; x += 2) {
    size_t left = (size_t)x * channels, right = x + 1 < width ? left + channels : left;
    for (size_t k = 0; k < channels; k++) {
      unsigned sum = (unsigned)row0[left + k] + row0[right + k] + row1[left + k] + row1[right + k];
      *out++ = (unsigned char)((sum + 2) / 4);
    }
  }
}

// Returns an image with the mean of each 2 x 2 block. The last column or row of an odd size counts twice.
static stijl_image *halve(sj_recorder *r, const stijl_image *from) {
  int width = from->width, height = from->height;
  size_t channels = stijl_format_bytes(from->format);
  stijl_image *half = sj_image_create_blank(r->context, (width + 1) / 2, (height + 1) / 2, from->format);
  uint32_t *rows = sj_alloc_array(r->context, (size_t)width, 2 * sizeof *rows);  // for colours of a palette
  if (!half || !rows) {
    stijl_image_destroy(half);
    half = NULL;
    sj_record_fail_memory(r);
  }
  for (int y = 0; half && y < height; y += 2) {
    const unsigned char *row0 = sj_image_row(from, y, rows);
    const unsigned char *row1 = y + 1 < height ? sj_image_row(from, y + 1, rows + width) : row0;
    halve_rows(row0, row1, width, channels, half->pixels + (size_t)(y / 2) * half->stride);
  }
  sj_free(r->context, rows);
  return half;
}

sj_kept_image *sj_record_image_of(sj_recorder *r, const sj_tree *tree, uint32_t image) {
  sj_recorded_tree *source = sj_record_source(r, tree);
  if (source && !source->images) {
    source->images = sj_alloc_zero(r->context, tree->images.count * sizeof *source->images);
    source->image_count = source->images ? tree->images.count : 0;
  }
  if (source && source->images) return &source->images[image];
  sj_record_fail_memory(r);
  return NULL;
}

// Returns the picture, halved until it is drawn at more than half of its size: bilinear sampling looks at four pixels
// only, and would skip others.
static const stijl_image *level_for(sj_recorder *r, const sj_tree *tree, uint32_t index, float scale) {
  const stijl_image *image = tree->images.data[index].pixels;
  if (scale > 0.5f) return image;
  sj_kept_image *kept = sj_record_image_of(r, tree, index);
  if (!kept) return NULL;
  stijl_image **half = kept->half;
  for (int level = 0; scale <= 0.5f && level < SJ_MAX_LEVELS; level++, scale *= 2.0f) {
    if (stijl_image_width(image) < 2 && stijl_image_height(image) < 2) break;
    if (!half[level]) half[level] = halve(r, image);
    if (!half[level]) return NULL;
    image = half[level];
  }
  return image;
}

static void draw_pixels(sj_recorder *r, const sj_record_place *place, const sj_tree_picture *picture, float opacity) {
  const stijl_image *full = place->tree->images.data[picture->image].pixels, *image = full;
  stijl_matrix matrix = stijl_matrix_multiply(place->matrix, picture->place);
  float sx = sqrtf(matrix.a * matrix.a + matrix.b * matrix.b), sy = sqrtf(matrix.c * matrix.c + matrix.d * matrix.d);
  float scale = sx > sy ? sx : sy;
  stijl_sampling sampling = scale > 1.0f ? STIJL_SAMPLING_BICUBIC : STIJL_SAMPLING_BILINEAR;
  if (picture->nearest) {
    sampling = STIJL_SAMPLING_NEAREST;
  } else {
    image = level_for(r, place->tree, picture->image, r->detail > 0.0 ? scale * (float)r->detail : scale);
    if (!image) return;
    matrix = stijl_matrix_multiply(
        matrix, stijl_matrix_scale((float)stijl_image_width(full) / (float)stijl_image_width(image),
                                   (float)stijl_image_height(full) / (float)stijl_image_height(image)));
  }
  if (stijl_matrix_is_finite(matrix)) stijl_scene_image(place->scene, image, sampling, opacity, &matrix);
}

static void draw_document(sj_recorder *r, const sj_record_place *place, const sj_tree_picture *picture, float opacity) {
  const sj_tree *document = place->tree->images.data[picture->image].document;
  sj_record_place inner = *place;
  inner.matrix = stijl_matrix_multiply(place->matrix, picture->place);
  if (!stijl_matrix_is_finite(inner.matrix)) return;
  sj_push_clip_rect(r, &inner, (stijl_rect){0.0f, 0.0f, document->width, document->height}, opacity);
  inner.level++;
  sj_record_tree(r, &inner, document, &inner.matrix);
  stijl_scene_pop_layer(place->scene);
}

void sj_record_image(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node) {
  sj_record_picture(r, place, &place->tree->pictures.data[node->item]);
}

void sj_record_picture(sj_recorder *r, const sj_record_place *place, const sj_tree_picture *picture) {
  if (picture->clips) sj_push_clip_rect(r, place, picture->rect, 1.0f);
  const sj_tree_image *image = &place->tree->images.data[picture->image];
  if (image->is_glyph)
    sj_record_glyph_image(r, place, picture);
  else if (image->document)
    draw_document(r, place, picture, place->opacity);
  else
    draw_pixels(r, place, picture, place->opacity);
  if (picture->clips) stijl_scene_pop_layer(place->scene);
}
