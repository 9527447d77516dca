// Pictures of everything the scene interface can record, as hashes that must come out on every instruction set, thread
// count and architecture: pictures.txt holds them. When one changes on purpose:
//   STIJL_GOLDEN_UPDATE=1 test_pictures     writes pictures.txt anew
//   STIJL_GOLDEN_WRITE=FOLDER test_pictures writes every picture as FOLDER/NAME.ppm, over a grey check, to look at
//   STIJL_GOLDEN_SAVE=FOLDER test_pictures  saves the scenes as FOLDER/NAME.stijl, to be drawn elsewhere
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/wraps.h"
#include "gpu/device.h"
#include "isas.h"
#include "stijl/stijl.h"
#include "test.h"

enum { SIZE = 192 };

typedef struct picture {
  uint8_t pixels[SIZE][SIZE * 4];
} picture;

typedef struct recording {
  stijl_scene *scene;
  stijl_path *path;
} recording;

static stijl_paint solid(uint32_t rgba) {
  return stijl_paint_solid((stijl_color){(float)(rgba >> 24) / 255.0f, (float)(rgba >> 16 & 255) / 255.0f,
                                         (float)(rgba >> 8 & 255) / 255.0f, (float)(rgba & 255) / 255.0f});
}

static void fill(recording *r, stijl_paint paint) {
  stijl_scene_fill(r->scene, r->path, STIJL_FILL_NONZERO, NULL, &paint);
  stijl_path_clear(r->path);
}

static void star(stijl_path *path, float x, float y, float radius) {
  static const float points[5][2] = {
      {0, -1}, {0.588f, 0.809f}, {-0.951f, -0.309f}, {0.951f, -0.309f}, {-0.588f, 0.809f}};
  for (int i = 0; i < 5; i++) {
    float px = x + radius * points[i][0], py = y + radius * points[i][1];
    if (i == 0)
      stijl_path_move_to(path, px, py);
    else
      stijl_path_line_to(path, px, py);
  }
  stijl_path_close(path);
}

static void fills(recording *r) {
  star(r->path, 50.3f, 52.7f, 46);
  stijl_paint paint = solid(0x3366ccff);
  stijl_scene_fill(r->scene, r->path, STIJL_FILL_EVENODD, NULL, &paint);
  stijl_path_clear(r->path);
  star(r->path, 140, 50, 46);
  fill(r, solid(0xcc3333c0));
  stijl_path_add_ellipse(r->path, 60, 140, 51.5f, 33.25f);
  stijl_path_add_round_rect(r->path, 90, 100, 90, 80, 20, 10);
  fill(r, solid(0x33aa6680));
  for (int i = 0; i < 60; i++) stijl_path_add_rect(r->path, (float)i * 3.1f, 96.0f + (float)i * 0.13f, 0.37f, 20);
  fill(r, solid(0x000000ff));
}

static void curves(recording *r) {
  sj_random n = sj_random_seed(7);
  for (int i = 0; i < 30; i++) {
    float p[8];
    for (int k = 0; k < 8; k++) p[k] = sj_random_float(&n, -20, SIZE + 20);
    stijl_path_move_to(r->path, p[0], p[1]);
    if (i % 3 == 0)
      stijl_path_quad_to(r->path, p[2], p[3], p[4], p[5]);
    else if (i % 3 == 1)
      stijl_path_cubic_to(r->path, p[2], p[3], p[4], p[5], p[6], p[7]);
    else
      stijl_path_arc_to(r->path, 30, 60, p[2], i & 1, i & 2, p[6], p[7]);
    fill(r, solid(sj_random_u32(&n) | 0x40));
  }
}

static void strokes(recording *r) {
  static const float dashes[] = {9, 4, 1, 4};
  for (int i = 0; i < 9; i++) {
    float x = 10.0f + (float)(i % 3) * 62.0f, y = 12.0f + (float)(i / 3) * 62.0f;
    stijl_path_clear(r->path);
    stijl_path_move_to(r->path, x, y);
    stijl_path_line_to(r->path, x + 40, y + 7);
    stijl_path_line_to(r->path, x + 3, y + 20);
    stijl_path_cubic_to(r->path, x + 60, y + 10, x - 20, y + 60, x + 44, y + 44);
    stijl_stroke s = STIJL_STROKE_INIT;
    s.width = 1.5f + (float)i;
    s.cap = (stijl_cap)(i % 3);
    s.join = (stijl_join)(i / 3);
    s.miter_limit = 10;
    if (i % 2) s.dashes = dashes, s.dash_count = 4, s.dash_offset = (float)i;
    stijl_paint paint = solid(0x203040c0u + (uint32_t)i * 0x10070500u);
    stijl_scene_stroke(r->scene, r->path, &s, NULL, &paint);
  }
  stijl_path_clear(r->path);
  stijl_path_add_ellipse(r->path, 96, 96, 88, 80);
  stijl_stroke hair = STIJL_STROKE_INIT;
  hair.width = 0.3f;
  stijl_paint black = solid(0x000000ff);
  stijl_scene_stroke(r->scene, r->path, &hair, NULL, &black);
  stijl_matrix squeeze = {0.2f, 0.1f, 0, 1, 70, 3}, identity = STIJL_MATRIX_IDENTITY;
  hair.width = 3;
  hair.pen = &identity;
  stijl_scene_stroke(r->scene, r->path, &hair, &squeeze, &black);
}

static const stijl_stop rainbow[] = {{0.0f, {1, 0, 0, 1}},
                                     {0.25f, {1, 1, 0, 0.5f}},
                                     {0.25f, {0, 0.5f, 0, 1}},
                                     {0.7f, {0, 0.6f, 1, 0.9f}},
                                     {1.0f, {0.3f, 0, 0.6f, 1}}};
enum { RAINBOW = sizeof rainbow / sizeof *rainbow };

static void gradients(recording *r) {
  for (int i = 0; i < 12; i++) {
    float x = (float)(i % 4) * 48.0f, y = (float)(i / 4) * 64.0f;
    stijl_paint paint;
    stijl_point center = {x + 24, y + 30};
    if (i / 4 == 0)
      paint = stijl_paint_linear((stijl_point){x + 14, y + 10}, (stijl_point){x + 30, y + 40}, rainbow, RAINBOW);
    else if (i / 4 == 1)
      paint = stijl_paint_radial(center, 17, (stijl_point){x + 30, y + 22}, i == 7 ? 5 : 0, rainbow, RAINBOW);
    else
      paint = stijl_paint_sweep(center, 30.0f * (float)(i % 4), 400, rainbow, RAINBOW);
    paint.spread_x = (stijl_spread)(i % 3);
    if (i % 4 == 3) paint.transform = (stijl_matrix){1.1f, 0.2f, -0.3f, 0.8f, 10, 10};
    paint.opacity = i % 2 ? 1.0f : 0.8f;
    stijl_path_add_round_rect(r->path, x + 1.5f, y + 1.5f, 45, 60, 8, 8);
    fill(r, paint);
  }
}

// Sweeps whose turn begins elsewhere than their gradient, and some that go counterclockwise.
static void sweeps(recording *r) {
  static const float angles[6][2] = {{45, 270}, {270, 45}, {45, 110}, {110, 45}, {-90, 500}, {500, -90}};
  for (int i = 0; i < 18; i++) {
    float x = (float)(i % 6) * 32.0f, y = (float)(i / 6) * 64.0f;
    const float *a = angles[i % 6];
    stijl_paint paint = stijl_paint_sweep((stijl_point){x + 15, y + 27}, a[0], a[1], rainbow, RAINBOW);
    paint.spread_x = (stijl_spread)(i / 6);
    paint.lead_angle = a[1] > a[0] ? (double)a[0] : 360.0 - (double)a[0];
    if (i % 5 == 4) paint.lead_angle = 33.5;
    stijl_path_add_rect(r->path, x + 0.5f, y + 1.5f, 31, 60);
    fill(r, paint);
  }
}

static void images(recording *r) {
  uint8_t texels[9 * 7 * 4];
  for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i * 77 + i * i * 3);
  stijl_image *image = NULL;
  CHECK_INT(stijl_image_create(NULL, 9, 7, STIJL_FORMAT_RGBA8_STRAIGHT, texels, 36, &image), STIJL_OK);
  for (int i = 0; i < 12; i++) {
    float x = (float)(i % 3) * 64.0f, y = (float)(i / 3) * 48.0f;
    stijl_paint paint = stijl_paint_image(image, (stijl_sampling)(i % 3));
    paint.spread_x = (stijl_spread)(i / 3);
    paint.spread_y = (stijl_spread)(i / 3 ^ 1);
    paint.transform = (stijl_matrix){2.3f, 0.4f, -0.7f, 2.1f, x + 20.3f, y + 12.1f};
    stijl_path_add_rect(r->path, x + 1, y + 1, 62, 46);
    fill(r, paint);
  }
  for (int i = 0; i < 3; i++) {
    stijl_matrix m = {7.0f, -1.0f, 1.0f, 5.0f, 10.5f + 60.0f * (float)i, 80};
    stijl_scene_image(r->scene, image, (stijl_sampling)i, 0.75f, &m);
  }
  stijl_image_destroy(image);
}

static void blends(recording *r) {
  stijl_path_add_rect(r->path, 0, 0, SIZE, SIZE);
  fill(r, stijl_paint_linear((stijl_point){0, 0}, (stijl_point){SIZE, 40}, rainbow, RAINBOW));
  for (int i = 0; i < 16; i++) {
    float x = (float)(i % 4) * 48.0f, y = (float)(i / 4) * 48.0f;
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.blend = (stijl_blend)i;
    layer.opacity = i % 3 ? 1.0f : 0.7f;
    stijl_scene_push_layer(r->scene, &layer);
    stijl_path_add_ellipse(r->path, x + 24, y + 24, 22, 17);
    fill(r, stijl_paint_linear((stijl_point){x, y + 48}, (stijl_point){x + 48, y}, rainbow, RAINBOW));
    stijl_path_add_rect(r->path, x + 16, y + 16, 20, 30);
    fill(r, solid(0x8040c0a0));
    stijl_scene_pop_layer(r->scene);
  }
}

static void layers(recording *r) {
  stijl_path *clip = NULL;
  CHECK_INT(stijl_path_create(NULL, &clip), STIJL_OK);
  star(clip, 96, 96, 92);
  for (int i = 0; i < 3; i++) {
    stijl_matrix m = stijl_matrix_multiply(stijl_matrix_translate(96, 96), stijl_matrix_rotate(20.0f * (float)i));
    m = stijl_matrix_multiply(m, stijl_matrix_translate(-96, -96));
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.opacity = 0.8f;
    layer.clip = clip;
    layer.clip_rule = i == 1 ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO;
    layer.clip_transform = &m;
    stijl_scene_push_layer(r->scene, &layer);
    stijl_paint paint = stijl_paint_sweep((stijl_point){96, 96}, 0, 360, rainbow, RAINBOW);
    stijl_scene_fill_all(r->scene, &paint);
  }
  for (int i = 0; i < 3; i++) stijl_scene_pop_layer(r->scene);
  stijl_path_destroy(clip);
  for (int i = 0; i < 2; i++) {
    stijl_layer layer = STIJL_LAYER_INIT;
    stijl_scene_push_layer(r->scene, &layer);
    stijl_path_add_rect(r->path, 20, 10 + 90 * (float)i, 150, 80);
    fill(r, solid(i ? 0xff8800ff : 0x0044ffff));
    stijl_scene_push_mask(r->scene, i ? STIJL_MASK_LUMINANCE : STIJL_MASK_ALPHA);
    stijl_path_add_ellipse(r->path, 96, 50 + 90 * (float)i, 70, 38);
    fill(r, stijl_paint_linear((stijl_point){30, 0}, (stijl_point){160, 0}, rainbow, RAINBOW));
    stijl_scene_pop_mask(r->scene);
    stijl_scene_pop_layer(r->scene);
  }
}

static void masks(recording *r) {
  for (int i = 0; i < 3; i++) {
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.opacity = i == 1 ? 0.8f : 1.0f;
    stijl_scene_push_layer(r->scene, &layer);
    stijl_path_add_rect(r->path, 8, 6 + 62 * (float)i, 176, 56);
    fill(r, stijl_paint_linear((stijl_point){0, 0}, (stijl_point){192, 192}, rainbow, RAINBOW));
    stijl_scene_push_mask(r->scene, (stijl_mask)i);
    for (int k = 0; k < 6; k++) {
      stijl_path_add_ellipse(r->path, 24 + 29 * (float)k, 34 + 62 * (float)i, 17.5f, 29.25f);
      stijl_color from = {(float)k / 5, 0.5f, 1, 0.4f}, to = {1, 1, 1, 1};
      stijl_stop stops[] = {{0, from}, {1, to}};
      fill(r, stijl_paint_linear((stijl_point){0, 62 * (float)i}, (stijl_point){0, 62 * (float)i + 62}, stops, 2));
    }
    stijl_scene_pop_mask(r->scene);
    stijl_scene_pop_layer(r->scene);
  }
}

static void aliased(recording *r) {
  stijl_paint paint = solid(0x225588ff);
  paint.aliased = true;
  star(r->path, 50.3f, 52.7f, 46);
  stijl_scene_fill(r->scene, r->path, STIJL_FILL_EVENODD, NULL, &paint);
  stijl_path_clear(r->path);
  paint = stijl_paint_linear((stijl_point){100, 0}, (stijl_point){190, 0}, rainbow, RAINBOW);
  paint.aliased = true;
  for (int i = 0; i < 8; i++) {
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = 0.15f + (float)i * 0.4f;
    stijl_path_move_to(r->path, 100, 10 + (float)i * 11);
    stijl_path_quad_to(r->path, 150, (float)i * 17 - 20, 188, 14 + (float)i * 9);
    stijl_paint plain = solid(0x884400ff);
    plain.aliased = true;
    stijl_scene_stroke(r->scene, r->path, &stroke, NULL, i & 1 ? &paint : &plain);
    stijl_path_clear(r->path);
  }
  stijl_path_add_ellipse(r->path, 90, 150, 300, 37.3f);
  stijl_path_add_ellipse(r->path, -40.5f, 150.5f, 90, 20);
  paint.spread_x = STIJL_SPREAD_REFLECT;
  fill(r, paint);
  for (int i = 0; i < 40; i++)
    stijl_path_add_rect(r->path, (float)i * 4.7f, 140.0f + (float)i * 0.3f, 0.1f * (float)i, 9.5f);
  paint = solid(0x000000c0);
  paint.aliased = true;
  fill(r, paint);
}

static stijl_scene *part(void (*record)(recording *part)) {
  recording p = {0};
  CHECK_INT(stijl_path_create(NULL, &p.path), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &p.scene), STIJL_OK);
  record(&p);
  CHECK_INT(stijl_scene_finish(p.scene), STIJL_OK);
  stijl_path_destroy(p.path);
  return p.scene;
}

static void checks(recording *r) {
  stijl_path_add_rect(r->path, 0, 0, 3, 3);
  stijl_path_add_rect(r->path, 3, 3, 3, 3);
  fill(r, solid(0x2244aaff));
}

static void flower(recording *r) {
  stijl_scene *inner = part(checks);
  star(r->path, 12, 12, 11);
  fill(r, stijl_paint_scene(inner, (stijl_rect){0, 0, 6, 6}));
  star(r->path, 26, 20, 8);
  fill(r, solid(0xcc4400c0));
  stijl_scene_destroy(inner);
}

// Draws scenes as paints and within scenes.
static void scenes(recording *r) {
  stijl_scene *tile = part(flower);
  stijl_paint paint = stijl_paint_scene(tile, (stijl_rect){0, 0, 36, 28});
  stijl_path_add_rect(r->path, 4, 4, 90, 90);
  fill(r, paint);
  paint.transform = stijl_matrix_multiply(stijl_matrix_rotate(30), stijl_matrix_scale(1.7f, 0.6f));
  paint.opacity = 0.7f;
  stijl_path_add_ellipse(r->path, 146, 48, 44, 44);
  fill(r, paint);
  paint.spread_x = STIJL_SPREAD_REFLECT;
  paint.spread_y = STIJL_SPREAD_NONE;
  paint.sampling = STIJL_SAMPLING_BICUBIC;
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 30;
  stijl_path_move_to(r->path, 10, 180);
  stijl_path_quad_to(r->path, 50, 60, 96, 150);
  paint.transform = stijl_matrix_translate(10, 120);
  stijl_scene_stroke(r->scene, r->path, &stroke, NULL, &paint);
  stijl_path_clear(r->path);
  for (int i = 0; i < 7; i++) {
    stijl_matrix m = stijl_matrix_multiply(stijl_matrix_translate(146, 146), stijl_matrix_rotate((float)i * 51));
    stijl_scene_add_scene(r->scene, tile, &m);
  }
  stijl_scene_destroy(tile);
}

// Makes three outlines, two of them with a counter.
static void outlines(stijl_scene *scene, uint32_t numbers[3]) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, 100, 0);
  stijl_path_line_to(path, 480, 1000);
  stijl_path_line_to(path, 560, 1000);
  stijl_path_line_to(path, 900, 0);
  stijl_path_line_to(path, 500, 300);
  numbers[0] = stijl_scene_add_outline(scene, path);
  stijl_path_clear(path);
  stijl_path_add_ellipse(path, 400, 400, 350, 420);
  stijl_path_move_to(path, 400, 200);
  stijl_path_quad_to(path, 100, 300, 400, 640);
  stijl_path_quad_to(path, 700, 500, 400, 200);
  numbers[1] = stijl_scene_add_outline(scene, path);
  stijl_path_clear(path);
  star(path, 300, 500, 480);
  numbers[2] = stijl_scene_add_outline(scene, path);
  stijl_path_destroy(path);
}

// Draws glyph runs: small and large, turned, squeezed, overlapping, cut, in layers, within a scene, far outside.
static void glyph_line(recording *r) {
  uint32_t numbers[3];
  outlines(r->scene, numbers);
  const stijl_matrix matrices[] = {{0.011f, 0, 0, -0.011f, 0, 0}, {0.009f, 0.003f, 0.002f, -0.012f, 0.5f, -0.25f}};
  stijl_instance instances[60];
  for (uint32_t i = 0; i < 60; i++)
    instances[i] =
        (stijl_instance){numbers[i * 7 % 3], i % 5 == 4, 7.37f * (float)(i % 24), 14.0f + 11.3f * (float)(i / 24)};
  stijl_glyph_run run = {sizeof run, instances, 60, matrices, 2};
  stijl_paint paint = solid(0x102030ff);
  stijl_scene_fill_glyphs(r->scene, &run, NULL, &paint);
}

static void glyphs(recording *r) {
  stijl_scene *line = part(glyph_line);
  const stijl_matrix places[] = {{1, 0, 0, 1, 3.3f, 2.1f}, {0.4f, 0.1f, -0.1f, 0.5f, 90, 38}};
  for (int i = 0; i < 2; i++) stijl_scene_add_scene(r->scene, line, &places[i]);
  uint32_t numbers[3];
  outlines(r->scene, numbers);
  const stijl_matrix large = {0.09f, 0.01f, 0, -0.08f, 0, 0};
  const stijl_instance words[] = {
      {numbers[1], 0, -20, 120}, {numbers[2], 0, 35, 124}, {numbers[0], 0, 70, 130}, {numbers[2], 0, 150, 128}};
  stijl_glyph_run run = {sizeof run, words, 4, &large, 1};
  stijl_paint paint = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){190, 60}, rainbow, RAINBOW);
  paint.opacity = 0.7f;
  stijl_scene_fill_glyphs(r->scene, &run, NULL, &paint);
  paint = solid(0xa02010c0);
  paint.aliased = true;
  const stijl_matrix small = {0.02f, 0, 0, -0.02f, 0, 0};
  run.matrices = &small;
  stijl_matrix m = {0.5f, 0.2f, -0.3f, 0.6f, 120, 90};
  stijl_scene_fill_glyphs(r->scene, &run, &m, &paint);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.blend = STIJL_BLEND_MULTIPLY;
  star(r->path, 60, 150, 44);
  layer.clip = r->path;
  stijl_scene_push_layer(r->scene, &layer);
  stijl_scene_fill_all(r->scene, &(stijl_paint)STIJL_PAINT_INIT);
  paint = solid(0xffffffff);
  const stijl_instance far_out[] = {{numbers[2], 0, -30, 80}, {numbers[1], 0, 4e4f, 1e5f}, {numbers[0], 0, 20, 60}};
  const stijl_matrix vast = {80.0f, 3.0f, 2.0f, -90.0f, -2.4e4f, 4.5e4f};
  run = (stijl_glyph_run){sizeof run, far_out, 3, &vast, 1};
  m = stijl_matrix_translate(60.3f, 90.7f);
  stijl_scene_fill_glyphs(r->scene, &run, &m, &paint);
  stijl_scene_pop_layer(r->scene);
  stijl_path_clear(r->path);
  stijl_scene_destroy(line);
}

// Draws geometry that leaves the canvas, lies far outside, is tiny, or crosses itself many times.
static void extremes(recording *r) {
  stijl_path_add_ellipse(r->path, 5000, 96, 4950, 30000);
  fill(r, solid(0xddeeffff));
  stijl_path_move_to(r->path, -1e8f, 20);
  stijl_path_line_to(r->path, 1e8f, 60);
  stijl_path_line_to(r->path, 1e8f, 61);
  stijl_path_line_to(r->path, -1e8f, 22);
  fill(r, solid(0xff0000ff));
  for (int i = 0; i < 400; i++) {
    float x = 96.0f + 90.0f * (float)((i * 37) % 101 - 50) / 50.0f,
          y = 96.0f + 90.0f * (float)((i * 53) % 97 - 48) / 48.0f;
    if (i == 0)
      stijl_path_move_to(r->path, x, y);
    else
      stijl_path_line_to(r->path, x, y);
  }
  stijl_paint paint = solid(0x00000050);
  stijl_scene_fill(r->scene, r->path, STIJL_FILL_EVENODD, NULL, &paint);
  stijl_path_clear(r->path);
  for (int i = 0; i < 500; i++)
    stijl_path_add_rect(r->path, (float)(i * 61 % 190), (float)(i * 31 % 187), 0.05f, 0.07f);
  fill(r, solid(0x000000ff));
  stijl_path_add_rect(r->path, -1e9f, 150.5f, 2e9f, 3.25f);
  fill(r, solid(0x008800ff));
  stijl_path_move_to(r->path, 100, 100);
  stijl_path_line_to(r->path, 100, 100);
  stijl_stroke dot = STIJL_STROKE_INIT;
  dot.width = 25;
  dot.cap = STIJL_CAP_ROUND;
  paint = solid(0x8800ffff);
  stijl_scene_stroke(r->scene, r->path, &dot, NULL, &paint);
}

#ifdef STIJL_HAVE_TEXT
// Adds a font from memory, as WebAssembly has it.
static void add_font(stijl_fonts *fonts, const char *name) {
  static unsigned char data[1 << 20];
  FILE *in = fopen(sj_test_font(name), "rb");
  CHECK(in);
  if (!in) return;
  CHECK_INT(stijl_fonts_add_memory(fonts, data, fread(data, 1, sizeof data, in), NULL), STIJL_OK);
  fclose(in);
}

// Draws words in three scripts, by fonts of the tests and no others: kerned, joined, slanted, emboldened, of an axis'
// weight, broken into lines, filled and stroked.
static void text(recording *r) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  stijl_fonts *fonts;
  stijl_text *words;
  CHECK_INT(stijl_fonts_create(NULL, &params, &fonts, NULL), STIJL_OK);
  add_font(fonts, "dejavu.ttf");
  add_font(fonts, "stijl-variable.ttf");
  CHECK_INT(stijl_text_create(NULL, fonts, &words), STIJL_OK);
  static const struct {
    const char *utf8;
    float size, weight;
    stijl_font_slant slant;
  } parts[] = {{"Stijl draws text: AVA ", 19.3f, 400, STIJL_FONT_NORMAL},
               {"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d ", 27.7f, 400, STIJL_FONT_NORMAL},
               {"fi ffi \xc3\xa9\xc5\x93\xc3\x9f ", 23.1f, 700, STIJL_FONT_NORMAL},
               {"\xce\xa9\xd0\xb6 0123 ", 21.9f, 400, STIJL_FONT_ITALIC}};
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    style.families = "DejaVu Sans";
    style.font_size = parts[i].size;
    style.weight = parts[i].weight;
    style.slant = parts[i].slant;
    CHECK_INT(stijl_text_append(words, parts[i].utf8, strlen(parts[i].utf8), &style), STIJL_OK);
  }
  style.families = "Stijl Variable";
  style.variations = "'wght' 637";
  CHECK_INT(stijl_text_append(words, "AVe\xc3\xa9", 5, &style), STIJL_OK);
  stijl_text_params layout = STIJL_TEXT_PARAMS_INIT;
  layout.width = 180;
  layout.align = STIJL_ALIGN_JUSTIFY;
  stijl_message message;
  CHECK_INT(stijl_text_layout(words, &layout, &message), STIJL_OK);
  stijl_matrix place = {1.0f, 0.05f, -0.1f, 1.0f, 14.3f, 6.7f};
  stijl_paint blue = solid(0x203090ff), red = solid(0xc02020a0);
  stijl_scene_text(r->scene, words, &place, &blue);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = 0.7f;
  place.f += 100;
  stijl_scene_text_stroke(r->scene, words, &stroke, &place, &red);
  stijl_text_destroy(words);
  stijl_fonts_destroy(fonts);
}
#endif

static const struct {
  const char *name;
  void (*record)(recording *r);
} pictures[] = {
    {"fills", fills},     {"curves", curves},     {"strokes", strokes}, {"gradients", gradients}, {"sweeps", sweeps},
    {"images", images},   {"blends", blends},     {"layers", layers},   {"masks", masks},         {"scenes", scenes},
    {"aliased", aliased}, {"extremes", extremes}, {"glyphs", glyphs},
#ifdef STIJL_HAVE_TEXT
    {"text", text},
#endif
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static stijl_scene *record(int index) {
  recording r = {0};
  CHECK_INT(stijl_path_create(NULL, &r.path), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &r.scene), STIJL_OK);
  pictures[index].record(&r);
  stijl_result result = stijl_scene_finish(r.scene);
  if (result != STIJL_OK) sj_test_fail(pictures[index].name, 0, "%s", stijl_scene_message(r.scene));
  stijl_path_destroy(r.path);
  return r.scene;
}

static void draw(const stijl_scene *scene, stijl_isa isa, int threads, picture *out) {
  memset(out, 0, sizeof *out);
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  renderer_params.isa = isa;
  renderer_params.threads = threads;
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  CHECK_INT(stijl_renderer_create(NULL, &renderer_params, &renderer, &message), STIJL_OK);
  stijl_target target = {.size = sizeof target,
                         .width = SIZE,
                         .height = SIZE,
                         .format = STIJL_FORMAT_RGBA8,
                         .pixels = out->pixels,
                         .stride = sizeof out->pixels[0]};
  if (renderer && stijl_render(renderer, scene, &target, NULL, &message) != STIJL_OK)
    sj_test_fail(stijl_isa_name(isa), threads, "%s", message.text);
  stijl_renderer_destroy(renderer);
}

// Returns the FNV-1a of a picture, 64 bits.
SJ_WRAPS static uint64_t hash(const picture *p) {
  uint64_t h = 0xcbf29ce484222325u;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE * 4; x++) h = (h ^ p->pixels[y][x]) * 0x100000001b3u;
  return h;
}

static void write_picture(const char *folder, const char *name, const picture *p) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.ppm", folder, name);
  FILE *out = fopen(path, "wb");
  if (!out) {
    sj_test_fail(path, 0, "%s", strerror(errno));
    return;
  }
  fprintf(out, "P6\n%d %d\n255\n", SIZE, SIZE);
  for (int y = 0; y < SIZE; y++) {
    for (int x = 0; x < SIZE; x++) {
      const uint8_t *c = &p->pixels[y][x * 4];
      int below = ((x >> 3 ^ y >> 3) & 1) ? 255 : 224;
      for (int k = 0; k < 3; k++) putc(c[k] + below * (255 - c[3]) / 255, out);
    }
  }
  fclose(out);
}

static bool append(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

static void save(const char *folder, const char *name, const stijl_scene *scene) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.stijl", folder, name);
  FILE *out = fopen(path, "wb");
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  canvas.width = canvas.height = SIZE;
  if (!out || stijl_scene_save(scene, &canvas, append, out, NULL) != STIJL_OK)
    sj_test_fail(path, 0, "%s", strerror(errno));
  if (out) fclose(out);
}

// Returns the hash that pictures.txt holds for a name; 0 when there is none.
static uint64_t wanted(const char *name) {
  FILE *in = fopen(GOLDEN_FOLDER "/pictures.txt", "r");
  char found[64];
  unsigned long long value, result = 0;
  while (in && fscanf(in, "%63s %llx", found, &value) == 2)
    if (strcmp(found, name) == 0) result = value;
  if (in) fclose(in);
  return result;
}

TEST(hashes) {
  static picture p;
  const char *folder = getenv("STIJL_GOLDEN_WRITE"), *saved = getenv("STIJL_GOLDEN_SAVE");
  FILE *update = getenv("STIJL_GOLDEN_UPDATE") ? fopen(GOLDEN_FOLDER "/pictures.txt", "w") : NULL;
  for (int i = 0; i < PICTURES; i++) {
    stijl_scene *scene = record(i);
    draw(scene, STIJL_ISA_SCALAR, 1, &p);
    if (saved) save(saved, pictures[i].name, scene);
    stijl_scene_destroy(scene);
    if (folder) write_picture(folder, pictures[i].name, &p);
    if (update)
      fprintf(update, "%s %016llx\n", pictures[i].name, (unsigned long long)hash(&p));
    else if (hash(&p) != wanted(pictures[i].name))
      sj_test_fail(pictures[i].name, 0, "is %016llx", (unsigned long long)hash(&p));
  }
  if (update) fclose(update);
}

TEST(isas_and_threads) {
  static picture scalar, other;
  static const int threads[] = {1, 2, 7};
  for (int i = 0; i < PICTURES; i++) {
    stijl_scene *scene = record(i);
    draw(scene, STIJL_ISA_SCALAR, 1, &scalar);
    EACH_ISA(isa, STIJL_ISA_SCALAR) {
      for (int t = 0; t < 3; t++) {
        draw(scene, isa, threads[t], &other);
        if (memcmp(&scalar, &other, sizeof scalar) != 0)
          sj_test_fail(pictures[i].name, 0, "%s with %d threads differs", stijl_isa_name(isa), threads[t]);
      }
    }
    stijl_scene_destroy(scene);
  }
}

static void tell_difference(const char *name, const picture *scalar, const picture *gpu) {
  int count = 0, where = 0;
  for (int i = SIZE * SIZE - 1; i >= 0; i--)
    if (memcmp(&scalar->pixels[0][0] + i * 4, &gpu->pixels[0][0] + i * 4, 4) != 0) {
      count++;
      where = i;
    }
  const uint8_t *a = &scalar->pixels[0][0] + where * 4, *b = &gpu->pixels[0][0] + where * 4;
  sj_test_fail(name, 0, "%d pixels differ on the GPU, first %d, %d: %02x%02x%02x%02x, not %02x%02x%02x%02x", count,
               where % SIZE, where / SIZE, b[0], b[1], b[2], b[3], a[0], a[1], a[2], a[3]);
}

TEST(gpu) {
  stijl_renderer *renderer = sj_test_gpu();
  if (!renderer) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static picture scalar, other;
  for (int i = 0; i < PICTURES; i++) {
    stijl_scene *scene = record(i);
    draw(scene, STIJL_ISA_SCALAR, 1, &scalar);
    stijl_target target = {.size = sizeof target,
                           .width = SIZE,
                           .height = SIZE,
                           .format = STIJL_FORMAT_RGBA8,
                           .pixels = other.pixels,
                           .stride = sizeof other.pixels[0]};
    stijl_message message = {""};
    memset(&other, 0x5a, sizeof other);
    if (stijl_render(renderer, scene, &target, NULL, &message) != STIJL_OK)
      sj_test_fail(pictures[i].name, 0, "%s", message.text);
    else if (memcmp(&scalar, &other, sizeof scalar) != 0)
      tell_difference(pictures[i].name, &scalar, &other);
    stijl_scene_destroy(scene);
  }
  stijl_renderer_destroy(renderer);
}
