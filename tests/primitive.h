// Each primitive of filters, and scenes that show it, for tests of CPUs and GPUs.
#ifndef SJ_PRIMITIVE_H
#define SJ_PRIMITIVE_H

#include "stijl/stijl.h"
#include "test.h"

static inline stijl_scene *begin_scene(void) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  return scene;
}

static inline void add_ellipse(stijl_scene *scene, float x, float y, float rx, float ry, stijl_color color) {
  stijl_path *path = NULL;
  stijl_path_create(NULL, &path);
  stijl_path_add_ellipse(path, x, y, rx, ry);
  stijl_paint paint = stijl_paint_solid(color);
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_destroy(path);
}

// Makes some ellipses with a filter, whose user space is placed by `transform`; NULL: the scene's.
static inline stijl_scene *filtered_under(const stijl_filter *filter, const stijl_matrix *transform, int width,
                                          int height) {
  stijl_scene *scene = begin_scene();
  float w = (float)width, h = (float)height;
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = filter;
  layer.filter_transform = transform;
  CHECK_STR(stijl_filter_message(filter), "");
  stijl_scene_push_layer(scene, &layer);
  add_ellipse(scene, w * 0.4f, h * 0.4f, w * 0.3f + 0.4f, h * 0.4f + 0.4f, (stijl_color){0.9f, 0.4f, 0.1f, 1.0f});
  add_ellipse(scene, w * 0.7f, h * 0.6f, w * 0.3f, h * 0.3f, (stijl_color){0.1f, 0.6f, 0.8f, 0.6f});
  stijl_scene_pop_layer(scene);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  return scene;
}

static inline stijl_scene *filtered_scene(const stijl_filter *filter, int width, int height) {
  return filtered_under(filter, NULL, width, height);
}

// Adds one primitive of each kind, and extremes of what it takes.
static inline void add_primitive(stijl_filter *f, int which, bool linear) {
  stijl_filter_options o = STIJL_FILTER_OPTIONS_INIT;
  o.linear = linear;
  const int source = STIJL_FILTER_SOURCE, alpha = STIJL_FILTER_SOURCE_ALPHA;
  const float k[4] = {0.7f, -0.4f, 1.3f, 0.1f};
  float values[20];
  for (int i = 0; i < 20; i++) values[i] = (float)(i * 7 % 11 - 5) * 0.3f;
  switch (which) {
    case 0: stijl_filter_blur(f, &o, source, 1.2f, 0.6f, STIJL_FILTER_EDGE_NONE); break;
    case 1: stijl_filter_blur(f, &o, source, 3.0f, 4.1f, STIJL_FILTER_EDGE_NONE); break;
    case 2: stijl_filter_blur(f, &o, source, 5.3f, 0.0f, STIJL_FILTER_EDGE_DUPLICATE); break;
    case 3: stijl_filter_blur(f, &o, source, 0.0f, 150.0f, STIJL_FILTER_EDGE_WRAP); break;
    case 4: stijl_filter_blur(f, &o, alpha, 130.0f, 2.0f, STIJL_FILTER_EDGE_NONE); break;
    case 5: stijl_filter_blur(f, &o, source, 1e6f, 1e6f, STIJL_FILTER_EDGE_NONE); break;
    case 6: stijl_filter_blur(f, &o, source, 0.0f, 0.0f, STIJL_FILTER_EDGE_NONE); break;
    case 7: stijl_filter_offset(f, &o, source, 3, -5); break;
    case 8: stijl_filter_color_matrix(f, &o, source, values); break;
    case 9: {
      stijl_transfer t[4] = {{STIJL_TRANSFER_TABLE, values, 5, 0, 0, 0},
                             {STIJL_TRANSFER_DISCRETE, values + 1, 4, 0, 0, 0},
                             {STIJL_TRANSFER_LINEAR, NULL, 0, 0.8f, 0.1f, 0},
                             {STIJL_TRANSFER_GAMMA, NULL, 0, 1.0f, 0.1f, 0.4f}};
      stijl_filter_transfer(f, &o, source, t);
      break;
    }
    case 10: stijl_filter_drop_shadow(f, &o, source, 3, 4, 2.5f, 2.5f, (stijl_color){0.2f, 0, 0.4f, 0.7f}); break;
    case 11: stijl_filter_morphology(f, &o, source, true, 3.0f, 1.0f); break;
    case 12: stijl_filter_morphology(f, &o, source, false, 2.0f, 9.0f); break;
    case 13: stijl_filter_morphology(f, &o, source, true, 1e5f, 70.0f); break;
    case 14: stijl_filter_morphology(f, &o, source, false, 0.0f, 1e5f); break;
    case 15: stijl_filter_arithmetic(f, &o, source, stijl_filter_offset(f, &o, source, 9, 9), k); break;
    case 16: {
      stijl_turbulence t = STIJL_TURBULENCE_INIT;
      t.frequency_x = 0.07f;
      t.frequency_y = 0.13f;
      t.octaves = 12;
      t.seed = -3;
      stijl_rect tile = {1, 2, 33, 40};
      t.stitch = linear ? &tile : NULL;
      t.fractal = linear;
      stijl_filter_composite(f, &o, stijl_filter_turbulence(f, &o, &t), source, STIJL_FILTER_ATOP);
      break;
    }
    case 17: stijl_filter_tile(f, &o, source, (stijl_rect){3, 4, 14, 21}); break;
    case 18: {
      stijl_turbulence t = STIJL_TURBULENCE_INIT;
      t.frequency_x = t.frequency_y = 0.1f;
      stijl_filter_displace(f, &o, source, stijl_filter_turbulence(f, NULL, &t), 30, STIJL_CHANNEL_R, STIJL_CHANNEL_G);
      break;
    }
    default: {
      int n = which - 19;
      if (n < STIJL_BLEND_PLUS_LIGHTER + 1) {
        stijl_filter_blend(f, &o, source, stijl_filter_offset(f, &o, source, -4, 6), (stijl_blend)n);
      } else if ((n -= STIJL_BLEND_PLUS_LIGHTER + 1) < 6) {
        stijl_filter_composite(f, &o, source, stijl_filter_offset(f, &o, source, -4, 6), (stijl_filter_operator)n);
      } else if ((n -= 6) < 6) {
        stijl_light light = STIJL_LIGHT_INIT;
        light.kind = (stijl_light_kind)(n / 2);
        light.color = (stijl_color){1.0f, 0.8f, 0.6f, 1.0f};
        light.azimuth = 40;
        light.elevation = 30;
        light.x = light.y = 10;
        light.z = 20;
        light.at_x = 30;
        light.cone = 40;
        light.exponent = 9;
        light.surface_scale = 4;
        if (n & 1)
          stijl_filter_specular_light(f, &o, source, &light);
        else
          stijl_filter_diffuse_light(f, &o, source, &light);
      } else {
        n -= 6;
        stijl_convolution c = STIJL_CONVOLUTION_INIT;
        c.kernel = values;
        c.columns = n == 3 ? 1 : 5;
        c.rows = n == 4 ? 1 : 4;
        c.edge = (stijl_filter_edge)(n % 3);
        c.bias = n == 2 ? 0.2f : 0.0f;
        c.target_x = n == 1 ? 0 : -1;
        c.preserve_alpha = n >= 3;
        stijl_filter_convolve(f, &o, source, &c);
      }
    }
  }
}
enum { PRIMITIVES = 19 + STIJL_BLEND_PLUS_LIGHTER + 1 + 6 + 6 + 5, SAME_LAYERS = PRIMITIVES + 2 };

// Adds a layer that is the n-th of many whose filters are the same but for where they are; some reach beyond the
// canvas.
static inline void add_same_layer(stijl_scene *scene, int which, int n) {
  stijl_matrix move = stijl_matrix_translate((float)(n % 6) * 17.0f - 4.0f, (float)n * 3.25f - 6.0f);
  stijl_filter *f = NULL;
  stijl_filter_create(NULL, &f);
  if (which < PRIMITIVES) {
    add_primitive(f, which, n == 7);
  } else {
    stijl_rect region = {move.e - 3.0f, move.f - 2.0f, move.e + 12.5f, move.f + 14.5f};
    stijl_filter_options o = STIJL_FILTER_OPTIONS_INIT;
    o.region = &region;
    int blurred = stijl_filter_blur(f, &o, STIJL_FILTER_SOURCE_ALPHA, 2.0f, 3.0f, STIJL_FILTER_EDGE_DUPLICATE);
    if (which == PRIMITIVES + 1)
      blurred = stijl_filter_tile(f, NULL, blurred, (stijl_rect){move.e, move.f, move.e + 5, move.f + 4});
    stijl_filter_merge(f, &o, (int[]){blurred, STIJL_FILTER_SOURCE}, 2);
  }
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.filter = f;
  layer.filter_transform = which < PRIMITIVES ? &move : NULL;
  stijl_scene_push_layer(scene, &layer);
  add_ellipse(scene, move.e + 5.0f, move.f + 6.0f, 4.5f, 5.0f, (stijl_color){0.9f, 0.04f * (float)n, 0.1f, 0.8f});
  stijl_scene_pop_layer(scene);
  stijl_filter_destroy(f);
}

#endif
