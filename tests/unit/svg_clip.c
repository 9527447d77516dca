// The shapes that `clip-path` takes: two pixels tell each, one that is kept and one that is cut away.
#include "svg_draw.h"
#include "test.h"

typedef struct clip {
  const char *value;
  int in_x, in_y, out_x, out_y;  // what is kept, and what is cut away; in_x < 0: nothing is kept
} clip;

static void check(const char *attributes, const clip *clips, size_t count) {
  if (!have_svg()) SKIP("built without SVG");
  static drawn d;
  for (size_t i = 0; i < count; i++) {
    char text[1000];
    snprintf(text, sizeof text, SVG("<rect %s fill='green' clip-path='%s'/>"), attributes, clips[i].value);
    draw_svg(text, NULL, &d);
    const clip *c = &clips[i];
    if (d.result) sj_test_fail(__FILE__, __LINE__, "%s: %s", c->value, d.message.text);
    if (c->in_x >= 0 && pixel(&d, c->in_x, c->in_y) != GREEN)
      sj_test_fail(__FILE__, __LINE__, "%s: %d, %d is cut away", c->value, c->in_x, c->in_y);
    if (c->out_x >= 0 && pixel(&d, c->out_x, c->out_y) != 0)
      sj_test_fail(__FILE__, __LINE__, "%s: %d, %d is kept", c->value, c->out_x, c->out_y);
  }
}
#define CHECK_CLIPS(attributes, clips) check(attributes, clips, sizeof clips / sizeof *clips)

// A box from 8, 16 to 56, 48.
#define BOX "x='8' y='16' width='48' height='32'"

TEST(circles) {
  static const clip clips[] = {
      {"circle()", 32, 17, 14, 32},                         // closest-side: 16
      {"circle(closest-side)", 32, 17, 14, 32},             //
      {"circle(farthest-side)", 9, 32, -1, 0},              // 24
      {"circle(10px)", 32, 23, 32, 20},                     //
      {"circle(50%)", 13, 32, 9, 32},                       // of the diagonal by root 2: 20.4
      {"circle(10px at 8px 8px)", 16, 24, 30, 24},          // from the box's corner
      {"circle(10px at right bottom)", 50, 44, 32, 32},     //
      {"circle(closest-side at 25% 50%)", 20, 32, 34, 32},  // 12
      {"circle(farthest-side at 0 0)", 50, 20, -1, 0},      // 48
      {"CIRCLE( 10PX AT 50% 50% )", 32, 23, 32, 20},        //
      {"circle(calc(4px + 6px))", 32, 23, 32, 20},          //
  };
  CHECK_CLIPS(BOX, clips);
}

TEST(ellipses) {
  static const clip clips[] = {
      {"ellipse()", 10, 32, 9, 17},
      {"ellipse(10px 4px)", 23, 32, 32, 37},
      {"ellipse(50% 25%)", 10, 32, 32, 42},
      {"ellipse(closest-side farthest-side at 12px 8px)", 20, 38, 34, 24},  // 12 x 24 about 20, 24
      {"ellipse(farthest-side 4px at 0 50%)", 50, 32, 20, 38},
  };
  CHECK_CLIPS(BOX, clips);
}

TEST(insets) {
  static const clip clips[] = {
      {"inset(4px)", 12, 20, 11, 32},        {"inset(4px 8px)", 16, 20, 15, 32},
      {"inset(0 0 8px)", 9, 39, 32, 41},     {"inset(0 0 0 50%)", 33, 20, 31, 32},
      {"inset(0 25% 0 0)", 43, 20, 45, 32},  {"inset(0 round 16px)", 10, 32, 9, 17},
      {"inset(0 round 50%)", 10, 32, 9, 17}, {"inset(60% 0)", -1, 0, 32, 32},
  };
  CHECK_CLIPS(BOX, clips);
}

TEST(polygons_and_paths) {
  static const clip clips[] = {
      {"polygon(0 0, 100% 0, 0 100%)", 10, 40, 50, 40},
      {"polygon(nonzero, 0 0, 48px 0, 48px 32px, 0 32px, 0 0, 24px 0, 24px 32px, 0 32px)", 12, 20, -1, 0},
      {"polygon(evenodd, 0 0, 48px 0, 48px 32px, 0 32px, 0 0, 24px 0, 24px 32px, 0 32px)", 40, 20, 12, 20},
      {"path(\"M0 0H24V32H0z\")", 20, 40, 40, 40},
      {"path(nonzero, \"M0 0H24V32H0z\")", 20, 40, 40, 40},
      {"path(evenodd,\"M0 0H48V32H0zM0 0H24V32H0z\")", 40, 40, 20, 40},
  };
  CHECK_CLIPS(BOX, clips);
}

TEST(reference_boxes) {
  static const clip clips[] = {
      {"view-box", 9, 17, -1, 0},
      {"view-box inset(20px)", 21, 21, 21, 18},
      {"inset(20px) view-box", 21, 21, 21, 18},
      {"fill-box", 9, 17, -1, 0},
      {"content-box inset(0 0 0 50%)", 33, 20, 31, 20},
      {"padding-box circle(4px at 0 0)", 9, 17, 14, 17},
      {"stroke-box inset(0 0 0 8px)", 16, 20, 15, 20},
      {"margin-box", 9, 17, -1, 0},
  };
  CHECK_CLIPS(BOX, clips);
  // With a stroke the box is larger by half of it.
  static const clip stroked[] = {
      {"inset(0 0 0 8px)", 12, 20, 11, 20},
      {"fill-box inset(0 0 0 8px)", 16, 20, 15, 20},
      {"border-box inset(0 0 0 8px)", 12, 20, 11, 20},
  };
  CHECK_CLIPS(BOX " stroke='green' stroke-width='8'", stroked);
}

// A value that is not valid clips nothing.
TEST(invalid_shapes) {
  static const clip clips[] = {
      {"circle(-4px)", 9, 17, -1, 0},
      {"circle(4px 4px)", 9, 17, -1, 0},
      {"circle(4px at)", 9, 17, -1, 0},
      {"circle(4px", 9, 17, -1, 0},
      {"ellipse(4px)", 9, 17, -1, 0},
      {"inset()", 9, 17, -1, 0},
      {"inset(4px round)", 9, 17, -1, 0},
      {"polygon(0 0, 4px)", 9, 17, -1, 0},
      {"polygon(oddeven, 0 0, 4px 4px, 0 4px)", 9, 17, -1, 0},
      {"polygon(evenodd 0 0, 4px 4px, 0 4px)", 9, 17, -1, 0},
      {"path(M0 0H4V4z)", 9, 17, -1, 0},
      {"path(\"M0 0H4V4x\")", 9, 17, -1, 0},
      {"path(\"M0 0H4V4z)", 9, 17, -1, 0},
      {"circle(4px) circle(4px)", 9, 17, -1, 0},
      {"fill-box view-box", 9, 17, -1, 0},
      {"circle(4px) nonsense-box", 9, 17, -1, 0},
      {"star(5)", 9, 17, -1, 0},
  };
  CHECK_CLIPS(BOX, clips);
}
