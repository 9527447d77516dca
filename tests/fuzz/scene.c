// Random bytes become calls of the recording interface; the scene is then drawn in several ways that must agree: by the
// scalar code and by the best instruction set, on one thread and on several, as a whole and region by region, with
// subnormal floats and without. With STIJL_TEST_DEVICE (gpu/device.h) that GPU draws it instead. With STIJL_TEST_SOAK
// canvases are larger than the usual 64 x 64, which are quick to draw, or tiles get more than 35,000 draws.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trial.h"
#include "base/wraps.h"
#include "fuzz.h"
#include "gpu/device.h"
#include "random_filter.h"
#include "render/renderer.h"
#include "stijl/stijl.h"
#include "subnormals.h"
#include "written.h"

enum { SIZE = 64, MAX_SIDE = 400, SOAK_DRAWS = 35000, MAX_CALLS = 400, MAX_STOPS = 4, MAX_DASHES = 4 };

typedef struct input {
  const uint8_t *data;
  size_t left;
  bool tame;  // only ordinary numbers, so that long recordings come to be drawn
} input;

uint64_t fuzz_complete;

static uint8_t byte(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->data++;
}

static bool flag(input *in) { return byte(in) & 1; }

// Returns mostly a coordinate about the canvas, sometimes one far away (up to 10^8), or a value that arithmetic likes
// least.
static float number(input *in) {
  static const float special[] = {0.0f,  1e9f,   -1e9f,   1e-30f,    -1e-30f, 3e38f,    32767.5f, -32768.0f,
                                  1e20f, 0.125f, 8388608, 0x1p-149f, 0.5f,    255.999f, 64.0f,    -0.0f};
  uint8_t kind = byte(in);
  if (in->tame || kind < 160) return (float)(int8_t)byte(in) + (float)kind * 0x1p-6f;
  if (kind < 208) return (float)(int8_t)byte(in) * 0x1p-7f;
  if (kind < 220) return ldexpf((float)(int8_t)byte(in), kind - 200);
  if (kind < 252) return special[kind % 16];
  return kind < 254 ? NAN : INFINITY;
}

// Returns 0..1, rarely a number beyond.
static float unit(input *in) {
  uint8_t v = byte(in);
  return v == 255 && !in->tame ? number(in) : (float)v / 250.0f;
}

static stijl_color color(input *in) {
  float r = unit(in), g = unit(in), b = unit(in);
  return (stijl_color){r, g, b, unit(in)};
}

static stijl_point point(input *in) {
  float x = number(in);
  return (stijl_point){x, number(in)};
}

static stijl_matrix matrix(input *in) {
  uint8_t kind = byte(in) % 4;
  if (kind == 0) return stijl_matrix_identity();
  stijl_point p = point(in), q = point(in);
  if (kind == 1) return stijl_matrix_translate(p.x, p.y);
  if (kind == 2) return stijl_matrix_multiply(stijl_matrix_rotate(p.x), stijl_matrix_scale(q.x, q.y));
  float e = number(in);
  return (stijl_matrix){p.x, p.y, q.x, q.y, e, number(in)};
}

static void extend_path(input *in, stijl_path *path) {
  for (int i = byte(in) % 8; i >= 0; i--) {
    stijl_point p = point(in);
    switch (byte(in) % 10) {
      case 0: stijl_path_move_to(path, p.x, p.y); break;
      case 1:
      case 2:
      case 3: stijl_path_line_to(path, p.x, p.y); break;
      case 4: {
        stijl_point q = point(in);
        stijl_path_quad_to(path, p.x, p.y, q.x, q.y);
        break;
      }
      case 5: {
        stijl_point q = point(in), r = point(in);
        stijl_path_cubic_to(path, p.x, p.y, q.x, q.y, r.x, r.y);
        break;
      }
      case 6: {
        float rx = number(in), ry = number(in), turn = number(in);
        bool large = flag(in);
        stijl_path_arc_to(path, rx, ry, turn, large, flag(in), p.x, p.y);
        break;
      }
      case 7: {
        stijl_point q = point(in), r = point(in);
        stijl_path_add_round_rect(path, p.x, p.y, q.x, q.y, r.x, r.y);
        break;
      }
      case 8: {
        stijl_point q = point(in);
        stijl_path_add_ellipse(path, p.x, p.y, q.x, q.y);
        break;
      }
      default: stijl_path_close(path); break;
    }
  }
  // A sticky error would end the story early: mostly begin again.
  if (stijl_path_status(path) != STIJL_OK && byte(in) < 250) stijl_path_clear(path);
}

// Makes a paint. `other` may be NULL.
static stijl_paint paint(input *in, const stijl_image *image, const stijl_scene *other,
                         stijl_stop stops[static MAX_STOPS]) {
  int count = byte(in) % (MAX_STOPS + 1);
  for (int i = 0; i < count; i++) {
    stops[i].offset = unit(in);
    stops[i].color = color(in);
  }
  stijl_paint p = STIJL_PAINT_INIT;
  stijl_point a = point(in), b = point(in);
  switch (byte(in) % 7) {
    case 0:
    case 1: p = stijl_paint_solid(color(in)); break;
    case 2: p = stijl_paint_linear(a, b, stops, (size_t)count); break;
    case 3: {
      float r1 = number(in);
      p = stijl_paint_radial(a, r1, b, number(in), stops, (size_t)count);
      break;
    }
    case 4: {
      float from = number(in);
      p = stijl_paint_sweep(a, from, number(in), stops, (size_t)count);
      if (byte(in) % 2) p.lead_angle = (double)number(in);
      break;
    }
    case 5:
      if (other) {
        p = stijl_paint_scene(other,
                              (stijl_rect){a.x, a.y, a.x + 1.0f + unit(in) * 30.0f, a.y + 1.0f + unit(in) * 30.0f});
        p.sampling = (stijl_sampling)(byte(in) % 3);
        break;
      }
      __attribute__((fallthrough));
    default: p = stijl_paint_image(image, (stijl_sampling)(byte(in) % 3)); break;
  }
  if (p.kind != STIJL_PAINT_SOLID) {
    p.spread_x = (stijl_spread)(byte(in) % (p.kind >= STIJL_PAINT_IMAGE ? 4 : 3));
    p.spread_y = (stijl_spread)(byte(in) % 4);
    p.transform = matrix(in);
    // Of a large tile only what is seen is drawn.
    if (p.kind == STIJL_PAINT_SCENE && byte(in) % 4 == 0)
      p.transform = stijl_matrix_multiply(p.transform, stijl_matrix_scale(40, 40));
  }
  p.opacity = flag(in) ? 1.0f : unit(in);
  p.aliased = byte(in) % 4 == 0;
  return p;
}

static void draw_stroke(input *in, stijl_scene *scene, const stijl_path *path, const stijl_paint *p) {
  float dashes[MAX_DASHES];
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = number(in);
  stroke.cap = (stijl_cap)(byte(in) % 3);
  stroke.join = (stijl_join)(byte(in) % 4);
  stroke.miter_limit = 1.0f + unit(in) * 8.0f;
  stroke.dash_count = byte(in) % (MAX_DASHES + 1);
  for (size_t i = 0; i < stroke.dash_count; i++) dashes[i] = number(in);
  stroke.dashes = stroke.dash_count ? dashes : NULL;
  stroke.dash_offset = stroke.dash_count ? number(in) : 0.0f;
  stijl_matrix pen = matrix(in), m = matrix(in);
  stroke.pen = byte(in) % 4 == 0 ? &pen : NULL;
  stijl_scene_stroke(scene, path, &stroke, &m, p);
}

// Draws a glyph run of the scene's outlines, of which there are so many.
static void draw_glyphs(input *in, stijl_scene *scene, uint32_t outlines, const stijl_paint *p) {
  enum { MOST = 12, MATRICES = 3 };
  stijl_instance instances[MOST];
  stijl_matrix matrices[MATRICES];
  stijl_glyph_run run = {sizeof run, instances, byte(in) % (MOST + 1), matrices, 1 + byte(in) % MATRICES};
  for (size_t i = 0; i < run.matrix_count; i++) matrices[i] = matrix(in);
  for (size_t i = 0; i < run.instance_count; i++) {
    stijl_point at = point(in);
    uint8_t choice = byte(in);
    bool wrong = choice == 255 && !in->tame;
    instances[i] =
        (stijl_instance){wrong ? choice : choice % outlines, choice / 8 % (uint32_t)run.matrix_count, at.x, at.y};
  }
  if (flag(in)) run.matrices = NULL;
  for (size_t i = 0; !run.matrices && i < run.instance_count; i++) instances[i].matrix = 0;
  stijl_matrix m = matrix(in);
  stijl_scene_fill_glyphs(scene, &run, &m, p);
}

static stijl_filter *filter(input *in, const stijl_scene *other) {
  stijl_filter *f = NULL;
  if (stijl_filter_create(NULL, &f) != STIJL_OK) return NULL;
  for (int i = 0, count = byte(in) % 4; i < count; i++) {
    stijl_filter_options options = STIJL_FILTER_OPTIONS_INIT;
    float x = 60.0f * unit(in), y = 60.0f * unit(in), amount = 9.0f * unit(in);
    stijl_rect region = {x - 20.0f, y - 20.0f, x + 30.0f, y + 40.0f};
    options.linear = flag(in);
    options.region = flag(in) ? &region : NULL;
    int before = i - 1 - byte(in) % 2;
    switch (byte(in) % 10) {
      case 0: stijl_filter_blur(f, &options, before, amount, 2.0f, (stijl_filter_edge)(byte(in) % 3)); break;
      case 1: stijl_filter_composite(f, &options, before, -1, (stijl_filter_operator)(byte(in) % 6)); break;
      case 2: stijl_filter_offset(f, &options, before, amount, -amount); break;
      case 3: stijl_filter_morphology(f, &options, before, flag(in), amount, 1.0f); break;
      case 4: stijl_filter_backdrop(f, &options); break;
      case 5: stijl_filter_flood(f, &options, color(in)); break;
      case 6: {
        stijl_matrix m = matrix(in);
        if (other) stijl_filter_scene(f, &options, other, &m);
        break;
      }
      default: {  // of any kind
        uint64_t low = byte(in), high = byte(in);
        sj_random r = sj_random_seed(high << 8 | low);
        add_random_primitive(f, &r, i);
        break;
      }
    }
  }
  return f;
}

static void push_layer(input *in, stijl_scene *scene, const stijl_path *path, const stijl_scene *other) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = flag(in) ? 1.0f : unit(in);
  uint8_t blend = byte(in);
  layer.blend = (stijl_blend)(blend % K_BLEND_MODES);
  stijl_filter *f = blend >= 224 ? filter(in, other) : NULL;
  stijl_matrix user = f ? matrix(in) : stijl_matrix_identity();
  layer.filter = f;
  layer.filter_transform = &user;
  stijl_matrix m = matrix(in);
  if (flag(in)) {
    layer.clip = path;
    layer.clip_rule = flag(in) ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO;
    layer.clip_transform = &m;
  }
  stijl_scene_push_layer(scene, &layer);
  stijl_filter_destroy(f);
}

// Calls until the bytes end. `other` may be NULL. Keeps pushes and pops matched most of the time.
static void record(input *in, stijl_scene *scene, stijl_path *path, const stijl_image *image,
                   const stijl_scene *other) {
  enum { MAX_OPEN = 24 };
  bool is_mask[MAX_OPEN];
  int open = 0;
  uint32_t outlines = 0;
  for (int call = 0; call < MAX_CALLS && in->left > 0; call++) {
    stijl_stop stops[MAX_STOPS];
    uint8_t what = byte(in);
    switch (what < 228 ? what % 12 : 12 + what % 2) {
      case 0:
      case 1:
      case 2: extend_path(in, path); break;
      case 3: stijl_path_clear(path); break;
      case 4:
      case 5: {
        stijl_paint p = paint(in, image, other, stops);
        stijl_matrix m = matrix(in);
        stijl_scene_fill(scene, path, flag(in) ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO, &m, &p);
        break;
      }
      case 6: {
        stijl_paint p = paint(in, image, other, stops);
        draw_stroke(in, scene, path, &p);
        break;
      }
      case 7: {
        stijl_paint p = paint(in, image, other, stops);
        stijl_scene_fill_all(scene, &p);
        break;
      }
      case 8: {
        stijl_matrix m = matrix(in);
        stijl_scene_image(scene, image, (stijl_sampling)(byte(in) % 3), unit(in), &m);
        break;
      }
      case 9: {
        if (open == MAX_OPEN) break;
        is_mask[open] = open > 0 && !is_mask[open - 1] && flag(in);
        if (is_mask[open])
          stijl_scene_push_mask(scene, (stijl_mask)(byte(in) % 3));
        else
          push_layer(in, scene, path, other);
        open++;
        break;
      }
      case 10:
        if (open == 0) break;
        if (is_mask[--open])
          stijl_scene_pop_mask(scene);
        else
          stijl_scene_pop_layer(scene);
        break;
      case 12: stijl_scene_add_outline(scene, path), outlines++; break;
      case 13: {
        if (!outlines) break;
        stijl_paint p = paint(in, image, other, stops);
        draw_glyphs(in, scene, outlines, &p);
        break;
      }
      default:
        if (other) {
          stijl_matrix m = matrix(in);
          stijl_scene_add_scene(scene, other, &m);
        } else if (byte(in) == 0) {
          stijl_scene_pop_layer(scene);  // out of order, perhaps
        }
        break;
    }
  }
  while (open-- > 0) {
    if (is_mask[open])
      stijl_scene_pop_mask(scene);
    else
      stijl_scene_pop_layer(scene);
  }
}

static stijl_scene *make_scene(input *in, stijl_path *path, const stijl_image *image, const stijl_scene *other) {
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  limits.max_segments = 4096;
  limits.max_draws = 512;
  limits.max_layers = 32;
  stijl_scene *scene = NULL;
  if (stijl_scene_create(NULL, &limits, &scene) != STIJL_OK) return NULL;
  record(in, scene, path, image, other);
  if (stijl_scene_finish(scene) != STIJL_OK) {
    stijl_scene_destroy(scene);
    return NULL;
  }
  return scene;
}

typedef struct picture {
  stijl_result result;
  uint8_t pixels[MAX_SIDE][MAX_SIDE * 4];
} picture;

static int canvas_width, canvas_height;
// Where the canvas lies in a larger one; NULL: it is the canvas. About the corner of four blocks, and about the
// farthest.
static const struct place {
  int width, height, x, y;
} * place, places[] = {{70000, 40000, 8448 - SIZE / 2, 14080 - SIZE / 3},
                       {2147483647, 2147483647, 2147483647 / 2816 * 2816 - SIZE / 2, 2816 - SIZE / 2}};

static void clear(picture *p) {
  p->result = STIJL_OK;
  for (int y = 0; y < canvas_height; y++) memset(p->pixels[y], 0, (size_t)canvas_width * 4);
}

#define MAX_WORK 100000000

// Also of surfaces: tiles that are transformed to millions of pixels take their time, and show nothing new.
#define MAX_LAYER_BYTES ((uint64_t)1 << 20)

// Draws the canvas in `parts` x `parts` regions.
static void draw_parts(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                       stijl_format format, int parts, picture *out) {
  int w = canvas_width, h = canvas_height, step_x = w / parts + 1, step_y = h / parts + 1;
  size_t bytes = stijl_format_bytes(format);
  for (int y = 0; y < h; y += step_y) {
    for (int x = 0; x < w; x += step_x) {
      int right = x + step_x < w ? x + step_x : w, bottom = y + step_y < h ? y + step_y : h;
      int left = place ? place->x : 0, top = place ? place->y : 0;
      stijl_target target = {.size = sizeof target,
                             .width = place ? place->width : w,
                             .height = place ? place->height : h,
                             .region = {x + left, y + top, right + left, bottom + top},
                             .format = format,
                             .pixels = out->pixels[y] + (size_t)x * bytes,
                             .stride = sizeof out->pixels[0]};
      stijl_message message;
      stijl_result result = stijl_render(renderer, scene, &target, params, &message);
      if (result != STIJL_OK) out->result = result;
    }
  }
}

// Draws the canvas as a picture among others (stijl_render_many).
static void draw_among(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                       stijl_format format, picture *out) {
  enum { LEFT = 5, TOP = 3, SIDE = 20 };
  static uint8_t atlas[MAX_SIDE + TOP + SIDE][(MAX_SIDE + LEFT + SIDE) * 4];
  int w = canvas_width, h = canvas_height;
  stijl_picture pictures[3];
  const stijl_irect at[] = {
      {LEFT, TOP, LEFT + w, TOP + h}, {0, TOP + h, SIDE, TOP + h + SIDE}, {LEFT + w, 0, LEFT + w + SIDE, SIDE}};
  for (int i = 0; i < 3; i++) {
    pictures[i] = (stijl_picture)STIJL_PICTURE_INIT;
    pictures[i].scene = scene;
    pictures[i].transform = params->transform;
    pictures[i].background = params->background;
    pictures[i].place = at[i];
  }
  stijl_target target = {.size = sizeof target,
                         .width = LEFT + w + SIDE,
                         .height = TOP + h + SIDE,
                         .format = format,
                         .pixels = atlas,
                         .stride = sizeof atlas[0]};
  clear(out);
  out->result = stijl_render_many(renderer, pictures, 3, &target, params->budget, NULL);
  size_t each = stijl_format_bytes(format);
  for (int y = 0; y < h; y++) memcpy(out->pixels[y], atlas[TOP + y] + LEFT * each, (size_t)w * each);
}

// Draws in batches of `lines` lines; 0: as many as usual.
static void draw_batches(const stijl_scene *scene, const stijl_render_params *params, stijl_format format,
                         const sj_kernels *kernels, int threads, int parts, uint32_t lines, picture *out) {
  clear(out);
  stijl_renderer_params renderer_params = STIJL_RENDERER_PARAMS_INIT;
  renderer_params.threads = threads;
  renderer_params.max_layer_bytes = MAX_LAYER_BYTES;
  stijl_renderer *renderer = NULL;
  out->result = stijl_renderer_create(NULL, &renderer_params, &renderer, NULL);
  if (out->result != STIJL_OK) return;
  sj_renderer_use_kernels(renderer, kernels);
  sj_renderer_limit_batches(renderer, lines);
  if (parts > 1) sj_renderer_stream_from(renderer, 0);
  draw_parts(renderer, scene, params, format, parts, out);
  stijl_renderer_destroy(renderer);
}

static void draw(const stijl_scene *scene, const stijl_render_params *params, stijl_format format,
                 const sj_kernels *kernels, int threads, int parts, picture *out) {
  draw_batches(scene, params, format, kernels, threads, parts, 0, out);
}

// Draws by scalar code, within a budget: what takes long is drawn once and left, since it would hide for minutes, with
// sanitizers, what other inputs show. Returns whether it is drawn.
static bool draw_scalar(const stijl_scene *scene, stijl_render_params *params, stijl_format format, picture *out) {
  stijl_budget_params work = STIJL_BUDGET_PARAMS_INIT;
  work.max_work = getenv("STIJL_TEST_SOAK") ? 0 : MAX_WORK;
  if (stijl_budget_create(NULL, &work, &params->budget) != STIJL_OK) abort();
  draw(scene, params, format, sj_kernels_for(STIJL_ISA_SCALAR), 1, 1, out);
  stijl_budget_destroy(params->budget);
  params->budget = NULL;
  return out->result == STIJL_OK;
}

// Saves and loads a scene, which has to be possible.
static stijl_scene *reload(const stijl_scene *scene) {
  sj_test_written file = {NULL, 0};
  stijl_scene *loaded = NULL;
  stijl_message message = {""};
  if (stijl_scene_save(scene, NULL, sj_test_append, &file, &message) != STIJL_OK ||
      stijl_scene_load(NULL, file.data, file.bytes, NULL, &loaded, NULL, &message) != STIJL_OK) {
    printf("# a scene that was changed is not loaded: %s\n", message.text);
    fflush(stdout);
    abort();
  }
  free(file.data);
  return loaded;
}

// Changes some of the draws. Whatever is refused has no effect.
SJ_WRAPS static void change(stijl_scene *scene, uint32_t choice) {
  uint32_t draws = stijl_scene_draw_count(scene);
  for (uint32_t i = 0; draws && i < 1 + choice % 9; i++) {
    choice = choice * 1664525u + 1013904223u;
    uint32_t draw = (choice >> 8) % draws;
    float x = (float)(choice & 0xffff) / 512 - 64, y = (float)(choice >> 16) / 512 - 64;
    stijl_stop stops[2] = {{0, {1, 0, 0, 1}}, {1, {0, x, 1, 0.5f}}};
    stijl_matrix m = {x / 40, choice & 64 ? y / 50 : 0, 0, choice & 32 ? 1 : 1e12f, x, y};
    stijl_paint paint = choice & 4 ? stijl_paint_solid((stijl_color){0, 1, 0, choice & 8 ? 1 : 0})
                                   : stijl_paint_linear((stijl_point){x, y}, (stijl_point){y, 9}, stops, 2);
    switch (choice >> 30) {
      case 0: stijl_scene_set_transform(scene, draw, choice & 16 ? &m : NULL, NULL); break;
      case 1: stijl_scene_set_paint(scene, draw, &paint, NULL); break;
      case 2: stijl_scene_set_opacity(scene, draw, x / 64, NULL); break;
      default: stijl_scene_set_hidden(scene, draw, choice & 1, NULL);
    }
  }
}

static void must_equal(const picture *a, const picture *b) {
  // What can be drawn whole can be drawn in any way. Parts may stay below a limit that the whole reaches.
  if (a->result != STIJL_OK) return;
  if (b->result != STIJL_OK) {
    printf("# drawn by one, but not by the other: %s\n", stijl_result_string(b->result));
    fflush(stdout);
    abort();
  }
  fuzz_complete++;
  for (int y = 0; y < canvas_height; y++)
    for (int x = 0; x < canvas_width; x++)
      if (memcmp(&a->pixels[y][x * 4], &b->pixels[y][x * 4], 4) != 0) {
        const uint8_t *p = &a->pixels[y][x * 4], *q = &b->pixels[y][x * 4];
        printf("# pixel %d, %d: %02x%02x%02x%02x and %02x%02x%02x%02x\n", x, y, p[0], p[1], p[2], p[3], q[0], q[1],
               q[2], q[3]);
        fflush(stdout);
        abort();
      }
}

// Makes a scene that is another over and over, until it makes so many draws; NULL where that makes none.
static stijl_scene *pile_up(const stijl_scene *scene, const stijl_render_params *params) {
  static picture unused;
  clear(&unused);
  stijl_renderer *renderer = NULL;
  stijl_render_stats stats = {.size = sizeof stats};
  stijl_scene *pile = NULL;
  if (stijl_renderer_create(NULL, NULL, &renderer, NULL) != STIJL_OK) abort();
  draw_parts(renderer, scene, params, STIJL_FORMAT_RGBA8, 1, &unused);
  stijl_renderer_stats(renderer, &stats);
  stijl_renderer_destroy(renderer);
  if (unused.result != STIJL_OK || stats.draws == 0 || stijl_scene_create(NULL, NULL, &pile) != STIJL_OK) return NULL;
  for (uint32_t drawn = 0; drawn <= SOAK_DRAWS; drawn += stats.draws) stijl_scene_add_scene(pile, scene, NULL);
  if (stijl_scene_finish(pile) == STIJL_OK) return pile;
  stijl_scene_destroy(pile);
  return NULL;
}

// Returns a renderer on the CPU that is kept, with the memory that is set for others.
static stijl_renderer *among_renderer(void) {
  static stijl_renderer *renderer;
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.threads = 2;
  params.max_layer_bytes = MAX_LAYER_BYTES;
  if (!renderer && stijl_renderer_create(NULL, &params, &renderer, NULL) != STIJL_OK) abort();
  return renderer;
}

// Returns a renderer on the GPU, which is kept, as opening a device takes longer than all else. Others than the first
// have so little room that frames are split in all ways: in bands, in batches, also within layers, and draws in parts;
// two of them have all sums long.
static stijl_renderer *gpu_renderer(size_t number) {
  static const struct {
    const char *range, *turns, *tiles, *windings, *shares, *resident, *ramps;
  } small[] = {{"0", "0", "0", "0", "0", "1", "64"},
               {"0", "40", "0", "1", "3", "1", "1"},
               {"20000", "100", "1", "1", "0", "1", "1"},
               {"65536", "0", "0", "0", "2", "0", "1"}};
  enum { COUNT = sizeof small / sizeof *small };
  static stijl_renderer *renderers[COUNT];
  number %= COUNT;
  if (renderers[number] || !getenv("STIJL_TEST_DEVICE")) return renderers[number];
  sj_trial_set("range", small[number].range);
  sj_trial_set("turns", small[number].turns);
  sj_trial_set("tiles", small[number].tiles);
  sj_trial_set("windings", small[number].windings);
  sj_trial_set("shares", small[number].shares);
  sj_trial_set("resident", small[number].resident);
  sj_trial_set("ramps", small[number].ramps);
  renderers[number] = sj_test_gpu();
  return renderers[number];
}

SJ_WRAPS static uint32_t hash(const uint8_t *data, size_t size) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  return h;
}

// Makes an image of up to 8 pixels a side, where edges are everywhere, or, in width, of more than the registers hold
// that look pixels up.
static stijl_image *make_image(input *in) {
  uint8_t across = byte(in), down = byte(in), texels[8][128][4], *bytes = &texels[0][0][0];
  int width = 1 + across % (across & 128 ? 128 : 8), height = 1 + down % 8;
  bool opaque = down & 128;
  for (size_t i = 0; i < sizeof texels; i++) bytes[i] = opaque && i % 4 == 3 ? 255 : (uint8_t)(i * 37 + (i >> 3) * 11);
  stijl_image *image;
  if (stijl_image_create(NULL, width, height, STIJL_FORMAT_RGBA8_STRAIGHT, texels, sizeof texels[0], &image) !=
      STIJL_OK)
    abort();
  return image;
}

// Checks a window of a large canvas: as a whole, in parts, by scalar code and the best.
static void check_place(const stijl_scene *scene, stijl_render_params params, stijl_format format) {
  static picture scalar, parted, without;
  stijl_budget_params work = STIJL_BUDGET_PARAMS_INIT;
  work.max_work = MAX_WORK;
  if (stijl_budget_create(NULL, &work, &params.budget) != STIJL_OK) abort();
  params.transform = stijl_matrix_multiply(stijl_matrix_translate((float)place->x, (float)place->y), params.transform);
  if (stijl_matrix_is_finite(params.transform))
    draw(scene, &params, format, sj_kernels_for(STIJL_ISA_SCALAR), 1, 1, &scalar);
  else
    scalar.result = STIJL_ERROR_INVALID_ARGUMENT;
  stijl_budget_destroy(params.budget);
  params.budget = NULL;
  if (scalar.result != STIJL_OK) return;
  draw(scene, &params, format, sj_kernels_for(STIJL_ISA_AUTO), 2, 3, &parted);
  must_equal(&scalar, &parted);
  if (!kernels_without_subnormals()) return;
  draw(scene, &params, format, kernels_without_subnormals(), 1, 2, &without);
  must_equal(&scalar, &without);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {.data = data, .left = size};
  in.tame = flag(&in);
  stijl_image *image = make_image(&in);
  stijl_path *path = NULL;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();

  stijl_scene *other = NULL;
  if (flag(&in)) {  // from the first quarter of the bytes
    input quarter = {.data = in.data, .left = in.left / 4, .tame = in.tame};
    in.data += quarter.left;
    in.left -= quarter.left;
    stijl_scene *inner = NULL;
    if (flag(&quarter)) {
      input first = {.data = quarter.data, .left = quarter.left / 4, .tame = in.tame};
      quarter.data += first.left;
      quarter.left -= first.left;
      inner = make_scene(&first, path, image, NULL);
    }
    other = make_scene(&quarter, path, image, inner);
    stijl_scene_destroy(inner);
  }
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform = matrix(&in);
  params.background = color(&in);
  stijl_format format = (stijl_format)(byte(&in) % 5);
  stijl_scene *scene = make_scene(&in, path, image, other);
  stijl_scene_destroy(other);
  stijl_image_destroy(image);
  stijl_path_destroy(path);
  canvas_width = canvas_height = SIZE;
  if (scene && getenv("STIJL_TEST_SOAK")) {
    uint32_t choice = hash(data, size);
    bool large = choice >> 31;
    canvas_width = large ? SIZE + (int)(choice % (MAX_SIDE - SIZE)) : 16;
    canvas_height = large ? SIZE + (int)(choice / MAX_SIDE % (MAX_SIDE - SIZE)) : 16;
    stijl_scene *pile = large ? NULL : pile_up(scene, &params);
    if (pile) {
      stijl_scene_destroy(scene);
      scene = pile;
    }
  }
  if (scene) {
    static picture scalar, without, best, parted, batched;
#ifdef FUZZ_DEVICE
    setenv("STIJL_TEST_DEVICE", FUZZ_DEVICE, 0);
#endif
    stijl_renderer *gpu = gpu_renderer(getenv("STIJL_TEST_SOAK") ? 0 : size / 2);
    if (!draw_scalar(scene, &params, format, &scalar)) {
      stijl_scene_destroy(scene);
      return 0;
    }
    if (gpu) {
      clear(&best);
      draw_parts(gpu, scene, &params, format, size & 1 ? 1 : 3, &best);
      // Layers may be more than the little room holds.
      if (best.result != STIJL_ERROR_LIMIT || gpu == gpu_renderer(0)) must_equal(&scalar, &best);
      if (size % 4 < 2) {
        draw_among(gpu, scene, &params, format, &best);
        if (best.result != STIJL_ERROR_LIMIT || gpu == gpu_renderer(0)) must_equal(&scalar, &best);
      }
      if (size & 1) {
        // The device encodes what it draws again (gpu/resident.h).
        clear(&best);
        draw_parts(gpu, scene, &params, format, 1, &best);
        if (best.result != STIJL_ERROR_LIMIT || gpu == gpu_renderer(0)) must_equal(&scalar, &best);
        for (uint32_t i = 0; i < 2; i++) {
          change(scene, hash(data, size) + i);
          if (!draw_scalar(scene, &params, format, &scalar)) break;
          clear(&best);
          draw_parts(gpu, scene, &params, format, 1, &best);
          if (best.result != STIJL_ERROR_LIMIT || gpu == gpu_renderer(0)) must_equal(&scalar, &best);
        }
      }
      stijl_scene_destroy(scene);
      return 0;
    }
    stijl_renderer *among = among_renderer();
    draw_among(among, scene, &params, format, &best);
    must_equal(&scalar, &best);
    if (kernels_without_subnormals()) {
      draw(scene, &params, format, kernels_without_subnormals(), 1, 1, &without);
      must_equal(&scalar, &without);
    }
    const sj_kernels *kernels = sj_kernels_for(STIJL_ISA_AUTO);
    draw(scene, &params, format, kernels, 2, 1, &best);
    draw(scene, &params, format, kernels, 1, 3, &parted);
    must_equal(&scalar, &best);
    must_equal(&scalar, &parted);
    // Batches of a few draws, which end within layers too.
    draw_batches(scene, &params, format, kernels, 1 + (int)(size & 1), 1, 8 << (size % 8), &batched);
    must_equal(&scalar, &batched);
    if (canvas_width == SIZE && !getenv("STIJL_TEST_SOAK")) {
      place = &places[size % 2];
      check_place(scene, params, format);
      place = NULL;
    }
    change(scene, hash(data, size));
    if (draw_scalar(scene, &params, format, &scalar)) {
      draw_among(among, scene, &params, format, &best);
      must_equal(&scalar, &best);
      stijl_scene *loaded = reload(scene);
      draw(loaded, &params, format, kernels, 2, 1, &best);
      must_equal(&scalar, &best);
      stijl_scene_destroy(loaded);
    }
    stijl_scene_destroy(scene);
  }
  return 0;
}
