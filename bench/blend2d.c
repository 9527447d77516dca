// Blend2D as an adapter of the benchmark.
#include <blend2d.h>
#include <stdio.h>
#include <stdlib.h>

#include "frames.h"

typedef struct job {
  const dl_list *list;
  BLPathCore *paths;  // of the list
  BLVarCore *styles;  // one for each draw: a colour, a gradient or a pattern
  BLImageCore target;
  BLContextCreateInfo create;
  double scale;
} job;

static const BLStrokeCap caps[] = {
    [DL_BUTT] = BL_STROKE_CAP_BUTT, [DL_ROUND_CAP] = BL_STROKE_CAP_ROUND, [DL_SQUARE] = BL_STROKE_CAP_SQUARE};
static const BLStrokeJoin joins[] = {
    [DL_MITER] = BL_STROKE_JOIN_MITER_BEVEL, [DL_ROUND_JOIN] = BL_STROKE_JOIN_ROUND, [DL_BEVEL] = BL_STROKE_JOIN_BEVEL};

static void check(BLResult result) {
  if (result == BL_SUCCESS) return;
  fprintf(stderr, "blend2d: error %u\n", (unsigned)result);
  exit(1);
}

static void frame(void *user) {
  job *j = user;
  const BLPoint origin = {0, 0};
  const double scale[2] = {j->scale, j->scale};
  BLContextCore c;
  check(blContextInitAs(&c, &j->target, &j->create));
  check(blContextFillAllRgba32(&c, 0xffffffffu));
  check(blContextApplyTransformOp(&c, BL_TRANSFORM_OP_SCALE, scale));
  for (size_t i = 0; i < j->list->draw_count; i++) {
    const dl_draw *d = &j->list->draws[i];
    const BLPathCore *path = &j->paths[d->path];
    if (d->paint.kind == DL_IMAGE)
      check(
          blContextSetHint(&c, BL_CONTEXT_HINT_PATTERN_QUALITY,
                           d->paint.sampling == DL_NEAREST ? BL_PATTERN_QUALITY_NEAREST : BL_PATTERN_QUALITY_BILINEAR));
    if (d->kind == DL_STROKE) {
      check(blContextSetStrokeWidth(&c, d->width));
      check(blContextSetStrokeCaps(&c, caps[d->cap]));
      check(blContextSetStrokeJoin(&c, joins[d->join]));
      check(blContextSetStrokeMiterLimit(&c, d->miter_limit));
      check(blContextStrokePathDExt(&c, &origin, path, &j->styles[i]));
    } else {
      check(blContextSetFillRule(&c, d->even_odd ? BL_FILL_RULE_EVEN_ODD : BL_FILL_RULE_NON_ZERO));
      check(blContextFillPathDExt(&c, &origin, path, &j->styles[i]));
    }
  }
  check(blContextEnd(&c));
  check(blContextDestroy(&c));
}

static void build_path(BLPathCore *path, const dl_path *source) {
  check(blPathInit(path));
  const float *p = source->points;
  for (size_t i = 0; i < source->command_count; i++) {
    switch (source->commands[i]) {
      case 'M': check(blPathMoveTo(path, p[0], p[1])), p += 2; break;
      case 'L': check(blPathLineTo(path, p[0], p[1])), p += 2; break;
      case 'C': check(blPathCubicTo(path, p[0], p[1], p[2], p[3], p[4], p[5])), p += 6; break;
      default: check(blPathClose(path)); break;
    }
  }
}

static uint32_t argb(uint32_t rgba) { return rgba >> 8 | rgba << 24; }

static BLImageCore build_image(const dl_image *source) {
  BLImageCore image;
  BLImageData data;
  check(blImageInitAs(&image, source->width, source->height, BL_FORMAT_PRGB32));
  check(blImageMakeMutable(&image, &data));
  for (int y = 0; y < source->height; y++) {
    const uint8_t *from = source->pixels + 4 * (size_t)y * (size_t)source->width;
    uint32_t *to = (uint32_t *)(void *)((char *)data.pixelData + y * data.stride);
    for (int x = 0; x < source->width; x++, from += 4)
      to[x] = (uint32_t)from[3] << 24 | (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
  }
  return image;
}

static void build_style(BLVarCore *style, const dl_paint *p, const BLImageCore *images) {
  if (p->kind == DL_SOLID) {
    check(blVarInitRgba32(style, argb(p->rgba)));
    return;
  }
  if (p->kind == DL_IMAGE) {
    const float *m = p->matrix;
    BLMatrix2D matrix = {.m = {m[0], m[1], m[2], m[3], m[4], m[5]}};
    check(blPatternInitAs((BLPatternCore *)style, &images[p->image], NULL, BL_EXTEND_MODE_REPEAT, &matrix));
    return;
  }
  BLGradientCore *gradient = (BLGradientCore *)style;
  BLLinearGradientValues line = {p->x0, p->y0, p->x1, p->y1};
  BLRadialGradientValues circle = {.x0 = p->x0, .y0 = p->y0, .x1 = p->x0, .y1 = p->y0, .r0 = p->x1};
  BLConicGradientValues turn = {.x0 = p->x0, .y0 = p->y0, .repeat = 1};
  if (p->kind == DL_LINEAR) {
    check(blGradientInitAs(gradient, BL_GRADIENT_TYPE_LINEAR, &line, BL_EXTEND_MODE_PAD, NULL, 0, NULL));
  } else if (p->kind == DL_RADIAL) {
    check(blGradientInitAs(gradient, BL_GRADIENT_TYPE_RADIAL, &circle, BL_EXTEND_MODE_PAD, NULL, 0, NULL));
  } else {
    check(blGradientInitAs(gradient, BL_GRADIENT_TYPE_CONIC, &turn, BL_EXTEND_MODE_PAD, NULL, 0, NULL));
  }
  for (int i = 0; i < p->stop_count; i++)
    check(blGradientAddStopRgba32(gradient, p->stops[i].offset, argb(p->stops[i].rgba)));
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  const dl_list *list = &options.list;
  for (size_t i = 0; i < list->draw_count; i++) {
    const dl_draw *d = &list->draws[i];
    if (d->kind > DL_STROKE || d->dash_count || (d->paint.kind == DL_IMAGE && d->paint.sampling == DL_BICUBIC)) {
      fprintf(stderr, "blend2d: it has no layers, clip paths, dashes or bicubic images\n");
      return 2;
    }
  }
  job j = {.list = list,
           .paths = calloc(list->path_count + 1, sizeof *j.paths),
           .styles = calloc(list->draw_count + 1, sizeof *j.styles),
           // Commands are queued and drawn band by band, by this thread and all but one of those named here. Without a
           // queue (0) the tiger takes twice as long at 4096 px, and some scenes a fifth less.
           .create = {.threadCount = (uint32_t)options.threads},
           .scale = (double)options.size / (double)list->width};
  BLImageCore *images = calloc(list->image_count + 1, sizeof *images);
  if (!j.paths || !j.styles || !images) abort();
  check(blImageInitAs(&j.target, options.size, options.size, BL_FORMAT_PRGB32));
  for (size_t i = 0; i < list->image_count; i++) images[i] = build_image(&list->images[i]);
  for (size_t i = 0; i < list->path_count; i++) build_path(&j.paths[i], &list->paths[i]);
  for (size_t i = 0; i < list->draw_count; i++) build_style(&j.styles[i], &list->draws[i].paint, images);

  bench_frames("blend2d", &options, frame, &j);
  BLImageData data;
  check(blImageGetData(&j.target, &data));
  bench_dump(&options, data.pixelData, (size_t)data.stride, 2, 1, 0);

  for (size_t i = 0; i < list->path_count; i++) blPathDestroy(&j.paths[i]);
  for (size_t i = 0; i < list->draw_count; i++) blVarDestroy(&j.styles[i]);
  for (size_t i = 0; i < list->image_count; i++) blImageDestroy(&images[i]);
  blImageDestroy(&j.target);
  free(j.paths);
  free(j.styles);
  free(images);
  return 0;
}
