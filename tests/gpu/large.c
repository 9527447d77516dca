// The GPU against scalar code where a picture asks for more than a loop, a workgroup or a storage range takes.
#include <stdlib.h>

#include "gpu/device.h"
#include "gpu/job.h"

TEST(long_path) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { COUNT = 1000000 };
  job j = begin(128, 128);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  sj_random r = sj_random_seed(9);
  stijl_path_move_to(path, 64, 64);
  for (int i = 0; i < COUNT; i++) stijl_path_line_to(path, sj_random_float(&r, 0, 128), sj_random_float(&r, 0, 128));
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 0.5f});
  stijl_scene_fill(j.scene, path, STIJL_FILL_EVENODD, NULL, &paint);
  stijl_path_destroy(path);
  compare_frames(&j, gpu, "a million segments", 1);
  stijl_renderer_destroy(gpu);
}

TEST(many_draws) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  compare_shapes(gpu, 64, 64, 3000, 4, "many draws");  // more commands in a tile than its list holds
  stijl_renderer_destroy(gpu);
}

// More draws in a bin than coarse looks at together.
TEST(crowded_bins) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  sj_random r = sj_random_seed(12);
  job small = begin(20, 16);
  for (int i = 0; i < 10000; i++)
    fill_ellipse(&small, sj_random_float(&r, 0, 20), sj_random_float(&r, 0, 16), 5, 3, random_color(&r, false));
  compare(&small, gpu, "10,000 draws over two tiles");

  // Layers that stay open for long, and mostly short ones within. Those painted only on the left and in a corner on the
  // right stay empty in between; of those clipped to the right half and a corner on the left nothing is seen in
  // between. After some of them opaque draws hide all before.
  job layered = begin(150, 70);
  stijl_path *right = NULL, *most = NULL;
  CHECK_INT(stijl_path_create(NULL, &right), STIJL_OK);
  CHECK_INT(stijl_path_create(NULL, &most), STIJL_OK);
  stijl_path_add_rect(right, 70, -10, 100, 100);
  stijl_path_add_rect(right, 0, 0, 3, 3);
  stijl_path_add_rect(most, 0, 0, 140, 70);
  for (int part = 0, open = 0; part < 9; part++) {
    int least = part % 2 ? 3 : 40, most_open = part == 7 ? least : 80;
    for (int i = 0; i < 1000; i++) {
      bool ends = i >= 900;
      while (open > 0 && (ends || (open > least && sj_random_int(&r, 0, 5) == 0))) {
        stijl_scene_pop_layer(layered.scene);
        open--;
      }
      while (!ends && (open < least || (open < most_open && sj_random_int(&r, 0, 5) == 0))) {
        stijl_layer layer = STIJL_LAYER_INIT;
        int kind = sj_random_int(&r, 0, 6);
        if (kind == 1 || (part == 7 && open == 1)) layer.clip = right;
        if (kind == 2 || part % 2 == 0) layer.opacity = 0.97f;
        if (kind == 3 && part % 2) layer.blend = STIJL_BLEND_MULTIPLY;  // is something even where it is empty
        stijl_scene_push_layer(layered.scene, &layer);
        open++;
      }
      stijl_color color = random_color(&r, part < 5 && i == 945);
      if (i % 45 == 0 && (ends || part % 2)) {
        if (color.a < 1) color.a = 0.1f;
        stijl_paint paint = stijl_paint_solid(color);
        stijl_scene_fill(layered.scene, most, STIJL_FILL_NONZERO, NULL, &paint);
      } else if (i == 890) {
        fill_ellipse(&layered, 145, 65, 3, 3, color);
      } else {
        fill_ellipse(&layered, sj_random_float(&r, 0, 40), sj_random_float(&r, 0, 70), 20, 12, color);
      }
    }
  }
  stijl_path_destroy(most);
  stijl_path_destroy(right);
  compare(&layered, gpu, "9,000 draws and layers");
  stijl_renderer_destroy(gpu);
}

static void add_stroke(job *j, const stijl_point points[4], float width, stijl_join join) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_move_to(path, points[0].x, points[0].y);
  stijl_path_cubic_to(path, points[1].x, points[1].y, points[2].x, points[2].y, points[3].x, points[3].y);
  stijl_path_close(path);
  stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 0.5f});
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = width;
  stroke.join = join;
  stijl_scene_stroke(j->scene, path, &stroke, NULL, &paint);
  stijl_path_destroy(path);
}

// Strokes so wide that one workgroup's loops would take more turns than llvmpipe lets them.
TEST(wide_strokes) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  static const stijl_point shapes[][4] = {{{22.9f, 58.8f}, {1323417.12f, 16.47f}, {125, 20.4f}, {-18.77f, -9e7f}},
                                          {{22.9f, 58.8f}, {-4e5f, 1e6f}, {7e5f, 20.4f}, {-18.77f, 40}}};
  for (int i = 0; i < 2; i++)
    for (int join = 0; join < 2; join++) {
      job j = begin(72, 56);
      add_stroke(&j, shapes[i], 9e5f, (stijl_join)join);
      compare(&j, gpu, "wide strokes");
    }
  stijl_renderer_destroy(gpu);
}

// Segments that several workgroups share, though one would do.
TEST(shares) {
  static const char *const shares[] = {"2", "5"};
  for (int i = 0; i < 2; i++) {
    stijl_renderer *gpu = open_with("shares", shares[i]);
    if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
    compare_shapes(gpu, 300, 200, 30, (uint64_t)i, "shares");
    stijl_renderer_destroy(gpu);
  }
}

// Many draws over each other: llvmpipe ends loops after 65,535 turns of an invocation, all loops taken together.
TEST(piles) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_render_stats stats = {.size = sizeof stats};
  sj_random r = sj_random_seed(21);
  job squares = begin(16, 16);
  for (int i = 0; i < 40000; i++) {
    stijl_color color = random_color(&r, false);
    color.a = 0.01f;
    stijl_paint paint = stijl_paint_solid(color);
    fill_rect(&squares, 1.5f, 2.25f, 10, 11, &paint);
  }
  compare_frames(&squares, gpu, "40,000 squares", 1);
  stijl_renderer_stats(gpu, &stats);
  CHECK(stats.submits >= 4);
  job layered = begin(20, 16);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = 0.8f;
  layer.blend = STIJL_BLEND_MULTIPLY;
  stijl_scene_push_layer(layered.scene, &layer);
  for (int i = 0; i < 15000; i++)
    fill_ellipse(&layered, sj_random_float(&r, 0, 20), sj_random_float(&r, 0, 16), 5, 3, random_color(&r, i == 9000));
  stijl_scene_push_mask(layered.scene, STIJL_MASK_LUMINANCE);
  fill_ellipse(&layered, 10, 8, 9, 7, random_color(&r, true));
  stijl_scene_pop_mask(layered.scene);
  stijl_scene_pop_layer(layered.scene);
  compare_frames(&layered, gpu, "15,000 draws in a layer", 1);
  job images = begin(16, 16);
  stijl_image *image = random_image(&r, 9, 7);
  for (int i = 0; i < 1200; i++) {
    stijl_paint paint = stijl_paint_image(image, STIJL_SAMPLING_BICUBIC);
    paint.transform = stijl_matrix_translate(sj_random_float(&r, 0, 8), sj_random_float(&r, 0, 8));
    paint.opacity = 0.1f;
    fill_rect(&images, 1.5f, 2.25f, 10, 11, &paint);
  }
  stijl_image_destroy(image);
  compare_frames(&images, gpu, "1,200 images", 1);
  stijl_renderer_destroy(gpu);
}

// Edges so long, and rows so wide, that a workgroup gets fewer of them.
TEST(long_edges) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int wide = 0; wide < 2; wide++) {
    job j = wide ? begin(30000, 16) : begin(16, 30000);
    stijl_path *path = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    stijl_path_move_to(path, 0, 0);
    for (int i = 0; i < 9000; i++) {
      float along = i < 300 ? i % 2 ? 1.0f : 29990.0f : (float)(i % 7), across = (float)(i % 13) + 0.5f;
      if (wide)
        stijl_path_line_to(path, along, across);
      else
        stijl_path_line_to(path, across, along);
    }
    stijl_paint paint = stijl_paint_solid((stijl_color){1, 0, 0, 1});
    stijl_scene_fill(j.scene, path, STIJL_FILL_EVENODD, NULL, &paint);
    if (wide)  // 16,384 rows of draws, so that rank takes many at a time
      for (int i = 0; i < 16400; i++) {
        stijl_path_clear(path);
        stijl_path_move_to(path, i < 20 ? -1.0f : 29900.0f, 3);
        stijl_path_line_to(path, i < 20 ? 29999.0f : 29901.0f, 9);
        stijl_path_line_to(path, i < 20 ? 29999.0f : 29901.0f, 12);
        stijl_scene_fill(j.scene, path, STIJL_FILL_NONZERO, NULL, &paint);
      }
    stijl_path_destroy(path);
    compare_frames(&j, gpu, wide ? "wide" : "high", 1);
  }
  stijl_renderer_destroy(gpu);
}

// One draw with more edges than a storage range holds (4096): a fill, a stroke, a clip.
TEST(parts) {
  stijl_renderer *gpu = open_with("range", "65536");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  sj_random r = sj_random_seed(22);
  for (int kind = 0; kind < 4; kind++) {
    job j = begin(100, 90);
    add_shapes(&j, 3, 7);
    stijl_path *path = NULL;
    CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
    stijl_path_move_to(path, 50, 45);
    for (int i = 0; i < 500; i++) {
      float x[6];
      for (int c = 0; c < 6; c++) x[c] = sj_random_float(&r, -10, 110);
      if (kind != 3) stijl_path_cubic_to(path, x[0], x[1], x[2], x[3], x[4], x[5]);
      for (int k = 0; k < 10 && kind == 3; k++) stijl_path_line_to(path, sj_random_float(&r, 0, 100), x[k % 6]);
    }
    stijl_paint paint = stijl_paint_solid(random_color(&r, false));
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = 0.3f;
    stijl_layer layer = STIJL_LAYER_INIT;
    layer.clip = path;
    layer.clip_rule = STIJL_FILL_EVENODD;
    if (kind == 1)
      stijl_scene_stroke(j.scene, path, &stroke, NULL, &paint);
    else if (kind != 2)
      stijl_scene_fill(j.scene, path, STIJL_FILL_EVENODD, NULL, &paint);
    else
      stijl_scene_push_layer(j.scene, &layer);
    add_shapes(&j, 3, 8);
    if (kind == 2) stijl_scene_pop_layer(j.scene);
    stijl_path_destroy(path);
    compare(&j, gpu, "edges in parts");
    stijl_render_stats stats = {.size = sizeof stats};
    stijl_renderer_stats(gpu, &stats);
    CHECK_INT(stats.bands, 1);
  }
  stijl_renderer_destroy(gpu);
}

// More gradients, paints and pens than a storage range holds: 4, 682 and 819.
TEST(paged_paints) {
  stijl_renderer *gpu = open_with("range", "65536");
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  sj_random r = sj_random_seed(23);
  job j = begin(60, 50);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  for (int i = 0; i < 1000; i++) {
    float x = sj_random_float(&r, 0, 60), y = sj_random_float(&r, 0, 50);
    stijl_stop stops[] = {{0, {1, 0, (float)(i / 60) / 20.0f, 1}}, {1, {0, 0, 1, 0.5f}}};
    stijl_paint gradient = stijl_paint_linear((stijl_point){0, 0}, (stijl_point){x, 50}, stops, 2);
    stijl_paint solid = stijl_paint_solid(random_color(&r, false));
    stijl_path_clear(path);
    stijl_path_move_to(path, x, y);
    stijl_path_line_to(path, x + 3, y + 1);
    stijl_path_line_to(path, x, y + 4);
    stijl_stroke stroke = STIJL_STROKE_INIT;
    stroke.width = 0.5f + (float)i / 900.0f;
    stijl_scene_stroke(j.scene, path, &stroke, NULL, &solid);
    stijl_scene_fill(j.scene, path, STIJL_FILL_NONZERO, NULL, &gradient);
  }
  stijl_path_destroy(path);
  compare(&j, gpu, "paged paints");
  stijl_renderer_destroy(gpu);
}

// Vello draws nothing from 70,000 on.
TEST(million_strokes) {
  stijl_renderer *gpu = sj_test_gpu();
  if (!gpu) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  enum { SIZE = 1024 };
  const int count = (int)sj_test_share(1000000);
  job j = begin(SIZE, SIZE);
  sj_random r = sj_random_seed(10);
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_stroke stroke = STIJL_STROKE_INIT;
  for (int i = 0; i < count; i++) {
    float x = sj_random_float(&r, 0, SIZE), y = sj_random_float(&r, 0, SIZE);
    stijl_path_clear(path);
    stijl_path_move_to(path, x, y);
    stijl_path_line_to(path, x + sj_random_float(&r, -4, 4), y + sj_random_float(&r, -4, 4));
    stroke.width = sj_random_float(&r, 0.3f, 2);
    stroke.cap = (stijl_cap)(i % 3);
    stijl_paint paint = stijl_paint_solid(random_color(&r, i % 2));
    stijl_scene_stroke(j.scene, path, &stroke, NULL, &paint);
  }
  stijl_path_destroy(path);
  compare_frames(&j, gpu, "a million strokes", 1);
  stijl_renderer_destroy(gpu);
}
