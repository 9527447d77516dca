// Random filters, for tests.
#ifndef SJ_RANDOM_FILTER_H
#define SJ_RANDOM_FILTER_H

#include "kernel/composite.h"
#include "random.h"
#include "scene/filter.h"
#include "stijl/filter.h"

static inline float random_number(sj_random *r, float low, float high) { return sj_random_float(r, low, high); }

static inline stijl_color random_color(sj_random *r) {
  return (stijl_color){random_number(r, 0, 1), random_number(r, 0, 1), random_number(r, 0, 1),
                       sj_random_int(r, 0, 3) ? 1.0f : random_number(r, 0, 1)};
}

// Adds a primitive of any kind, with the inputs so far.
static inline void add_random_primitive(stijl_filter *f, sj_random *r, int results) {
  stijl_filter_options o = STIJL_FILTER_OPTIONS_INIT;
  stijl_rect region = {random_number(r, -20, 60), random_number(r, -20, 60), random_number(r, 10, 90),
                       random_number(r, 10, 90)};
  o.linear = sj_random_int(r, 0, 2);
  if (!sj_random_int(r, 0, 3)) o.region = &region;
  int in = sj_random_int(r, -3, results), in2 = sj_random_int(r, -3, results);
  if (results > 0 && sj_random_int(r, 0, 2)) in = results - 1;
  stijl_filter_edge edge = (stijl_filter_edge)sj_random_int(r, 0, 3);
  float values[25];
  for (int i = 0; i < 25; i++) values[i] = random_number(r, -1, 1);
  _Static_assert(SJ_FILTER_SOURCE == 19, "a new kind is among these");
  switch (sj_random_int(r, 0, 20)) {
    case 0: stijl_filter_blur(f, &o, in, random_number(r, 0, 9), random_number(r, 0, 3), edge); break;
    case 1:
      stijl_filter_blur(f, &o, in, sj_random_int(r, 0, 2) ? 0.0f : random_number(r, 0, 2), random_number(r, 0, 2),
                        edge);
      break;
    case 2: stijl_filter_offset(f, &o, in, random_number(r, -9, 9), random_number(r, -9, 9)); break;
    case 3: stijl_filter_flood(f, &o, random_color(r)); break;
    case 4: stijl_filter_color_matrix(f, &o, in, values); break;
    case 5: {
      stijl_transfer t[4];
      for (int i = 0; i < 4; i++)
        t[i] = (stijl_transfer){
            (stijl_transfer_kind)sj_random_int(r, 0, 5), values, 3, random_number(r, -1, 2), values[5], 1.5f};
      stijl_filter_transfer(f, &o, in, t);
      break;
    }
    case 6:
    case 7: stijl_filter_composite(f, &o, in, in2, (stijl_filter_operator)sj_random_int(r, 0, 6)); break;
    case 8: stijl_filter_arithmetic(f, &o, in, in2, values); break;
    case 9: stijl_filter_blend(f, &o, in, in2, (stijl_blend)sj_random_int(r, 0, K_BLEND_MODES)); break;
    case 10: stijl_filter_merge(f, &o, (int[]){in, in2, STIJL_FILTER_SOURCE}, 3); break;
    case 11:
      stijl_filter_drop_shadow(f, &o, in, 3, -2, random_number(r, 0, 5), random_number(r, 0, 5), random_color(r));
      break;
    case 12:
      stijl_filter_morphology(f, &o, in, sj_random_int(r, 0, 2), random_number(r, 0, 6), random_number(r, 0, 6));
      break;
    case 13: {
      stijl_convolution c = STIJL_CONVOLUTION_INIT;
      c.columns = sj_random_int(r, 1, 6);
      c.rows = sj_random_int(r, 1, 6);
      c.kernel = values;
      c.target_x = sj_random_int(r, 0, c.columns);
      c.edge = edge;
      c.bias = values[3] * 0.2f;
      c.preserve_alpha = sj_random_int(r, 0, 2);
      stijl_filter_convolve(f, &o, in, &c);
      break;
    }
    case 14: stijl_filter_displace(f, &o, in, in2, random_number(r, -30, 30), STIJL_CHANNEL_R, STIJL_CHANNEL_A); break;
    case 15: stijl_filter_tile(f, &o, in, region); break;
    case 16: {
      stijl_turbulence t = STIJL_TURBULENCE_INIT;
      t.frequency_x = random_number(r, 0, 0.3f);
      t.frequency_y = random_number(r, 0, 0.3f);
      t.octaves = sj_random_int(r, 0, 4);
      t.seed = sj_random_int(r, -9, 99);
      t.fractal = sj_random_int(r, 0, 2);
      if (sj_random_int(r, 0, 2)) t.stitch = &region;
      stijl_filter_turbulence(f, &o, &t);
      break;
    }
    case 17:
    case 18: stijl_filter_backdrop(f, &o); break;
    default: {
      stijl_light light = STIJL_LIGHT_INIT;
      light.kind = (stijl_light_kind)sj_random_int(r, 0, 3);
      light.color = random_color(r);
      light.azimuth = random_number(r, -360, 360);
      light.elevation = random_number(r, 0, 90);
      light.x = random_number(r, -20, 90);
      light.z = random_number(r, 0, 50);
      light.at_x = light.at_y = 40;
      light.exponent = random_number(r, 0, 30);
      light.surface_scale = random_number(r, -5, 5);
      light.cone = random_number(r, -30, 60);
      if (sj_random_int(r, 0, 2))
        stijl_filter_diffuse_light(f, &o, in, &light);
      else
        stijl_filter_specular_light(f, &o, in, &light);
    }
  }
}

#endif
