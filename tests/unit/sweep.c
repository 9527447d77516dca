// Sweeps against their definition in doubles: every pixel is off by one level at most, except where the gradient jumps.
#include <math.h>

#include "stijl/stijl.h"
#include "test.h"

enum { SIDE = 61 };

static const stijl_stop stops[] = {{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}};

// Returns the offset that a pixel's centre sees; NAN close to where it jumps.
static double offset_at(const stijl_paint *p, int x, int y) {
  double turn = 57.295779513082323, angle = atan2(y + 0.5 - (double)p->p0.y, x + 0.5 - (double)p->p0.x) * turn;
  double start = (double)p->start_angle, extent = (double)p->end_angle - start, forward = extent > 0.0 ? 1.0 : -1.0;
  double passed = fmod(fmod(forward * (angle - start) + p->lead_angle, 360.0) + 360.0, 360.0);
  if (passed < 0.01 || passed > 359.99) return NAN;
  double t = (passed - p->lead_angle) / fabs(extent);
  if (p->spread_x == STIJL_SPREAD_REPEAT) t -= floor(t);
  if (p->spread_x == STIJL_SPREAD_REPEAT && (t < 0.003 || t > 0.997)) return NAN;
  if (p->spread_x == STIJL_SPREAD_REFLECT) t = fabs(t - 2.0 * floor(0.5 * t + 0.5));
  return fmax(0.0, fmin(1.0, t));
}

static void check(const stijl_paint *paint) {
  static uint8_t pixels[SIDE][SIDE][4];
  stijl_scene *scene;
  stijl_renderer *renderer;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_scene_fill_all(scene, paint);
  CHECK_INT(stijl_scene_finish(scene), STIJL_OK);
  CHECK_INT(stijl_renderer_create(NULL, NULL, &renderer, NULL), STIJL_OK);
  stijl_target target = {.size = sizeof target, .width = SIDE, .height = SIDE, .pixels = pixels, .stride = SIDE * 4};
  CHECK_INT(stijl_render(renderer, scene, &target, NULL, NULL), STIJL_OK);
  int compared = 0;
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x++) {
      double wanted = 255.0 * offset_at(paint, x, y);
      if (isnan(wanted)) continue;
      compared++;
      if (!(fabs(wanted - pixels[y][x][0]) <= 1.0)) {
        sj_test_fail("sweep", 0, "%g to %g, lead %g, spread %d: (%d, %d) is %d, not %g", (double)paint->start_angle,
                     (double)paint->end_angle, paint->lead_angle, (int)paint->spread_x, x, y, pixels[y][x][0], wanted);
        y = SIDE;
        break;
      }
    }
  }
  CHECK(compared > SIDE * SIDE / 2);
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
}

TEST(definition) {
  static const float angles[][2] = {{0, 360},  {45, 270}, {270, 45}, {-90, 90},
                                    {90, -90}, {30, 500}, {500, 30}, {100, 160}};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    for (int k = 0; k < 9; k++) {
      stijl_paint paint = stijl_paint_sweep((stijl_point){30.2f, 29.7f}, angles[i][0], angles[i][1], stops, 2);
      paint.spread_x = (stijl_spread)(k % 3);
      paint.lead_angle = k / 3 == 0 ? 0.0 : k / 3 == 1 ? (double)angles[i][0] : -77.0;
      check(&paint);
    }
  }
}
