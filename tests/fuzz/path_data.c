// Path data and attribute values: the whole input as each kind of value in turn. What a parser accepts is used, as a
// renderer would, and must be finite and in order.
#include <math.h>
#include <stdlib.h>

#include "css/declaration.h"
#include "fuzz.h"
#include "geometry/dash.h"
#include "stijl/path.h"
#include "svg/parse/values.h"

uint64_t fuzz_complete;

static void demand(bool condition) {
  if (!condition) abort();
}

// Checks the invariants that every consumer of a path relies on.
static void check_path(const stijl_path *path) {
  static const int point_count[] = {1, 1, 2, 3, 0};
  const unsigned char *verbs;
  const stijl_point *points;
  size_t verb_count = stijl_path_verbs(path, &verbs), left = stijl_path_points(path, &points);
  bool move_needed = true;
  for (size_t i = 0; i < verb_count; i++) {
    demand(verbs[i] <= STIJL_PATH_CLOSE && (verbs[i] == STIJL_PATH_MOVE || !move_needed));
    move_needed = verbs[i] == STIJL_PATH_CLOSE;
    for (int k = 0; k < point_count[verbs[i]]; k++, points++) {
      demand(left-- > 0 && fabsf(points->x) <= 1e9f && fabsf(points->y) <= 1e9f);
    }
  }
  demand(left == 0);
  stijl_rect tight, loose;
  demand(stijl_path_bounds(path, &tight) == stijl_path_control_bounds(path, &loose));
  demand(tight.x0 >= loose.x0 && tight.y0 >= loose.y0 && tight.x1 <= loose.x1 && tight.y1 <= loose.y1);
}

static void try_path(const char *text, size_t size) {
  stijl_path *path, *dashes;
  if (stijl_path_create(NULL, &path)) return;
  size_t offset = 0;
  stijl_result result = stijl_path_add_svg(path, text, size, &offset);
  demand((result == STIJL_OK || result == STIJL_ERROR_MALFORMED) && stijl_path_status(path) == STIJL_OK);
  demand(offset <= size);
  check_path(path);
  if (stijl_path_create(NULL, &dashes) == STIJL_OK) {
    const float pattern[] = {3.0f, 1.0f, 0.0f, 2.0f};
    const stijl_matrix measure = {0.5f, 0.25f, -3.0f, 1.0f, 0.0f, 0.0f};
    result = sj_path_dash(path, pattern, 4, (float)size, size % 2 ? &measure : NULL, 5000, dashes);
    demand(result == STIJL_OK || result == STIJL_ERROR_LIMIT);
    check_path(dashes);
    stijl_path_destroy(dashes);
    fuzz_complete += !stijl_path_is_empty(path);
  }
  stijl_path_destroy(path);
}

static void try_numbers(const char *text, size_t size, const sj_length_base *base) {
  float number;
  if (sj_parse_number(text, size, &number)) demand(isfinite(number));
  if (sj_parse_number_or_percent(text, size, &number)) demand(isfinite(number));
  if (sj_parse_angle(text, size, &number)) demand(isfinite(number));
  sj_length length;
  if (sj_parse_length(text, size, &length)) demand(isfinite(sj_length_pixels(length, base, 1e30f)));
  sj_list list = sj_list_begin(NULL, text, size);
  while (sj_list_next_number(&list, &number)) demand(isfinite(number));
  list = sj_list_begin(NULL, text, size);
  while (sj_list_next_length(&list, &length)) demand(isfinite(sj_length_pixels(length, base, 100.0f)));
}

static bool is_color(stijl_color c) {
  return c.r >= 0 && c.r <= 1 && c.g >= 0 && c.g <= 1 && c.b >= 0 && c.b <= 1 && c.a >= 0 && c.a <= 1;
}

static void try_paints(const char *text, size_t size) {
  sj_color_kind kind;
  stijl_color color;
  if (sj_parse_color(text, size, NULL, &kind, &color) && kind == SJ_COLOR_RGBA) demand(is_color(color));
  sj_paint_value paint;
  if (sj_parse_paint(text, size, NULL, &paint)) {
    demand(is_color(paint.color));
    const char *id;
    size_t id_length;
    if (paint.kind == SJ_PAINT_VALUE_URL && sj_url_fragment(paint.url, paint.url_length, &id, &id_length)) {
      demand(id > text && id + id_length <= text + size);
    }
  }
}

static void try_transforms(const char *text, size_t size, const sj_length_base *base) {
  stijl_matrix m;
  if (sj_parse_transform(text, size, &m)) demand(stijl_matrix_is_finite(m));
  if (sj_parse_css_transform(text, size, base, 200.0f, 100.0f, &m)) demand(stijl_matrix_is_finite(m));
  sj_length x, y;
  if (sj_parse_transform_origin(text, size, &x, &y)) demand(isfinite(x.value) && isfinite(y.value));
  sj_view_box box;
  sj_aspect aspect = SJ_ASPECT_DEFAULT;
  sj_parse_aspect(text, size, &aspect);
  if (sj_parse_view_box(text, size, &box)) {
    stijl_rect visible;
    demand(stijl_matrix_is_finite(sj_view_box_matrix(&box, &aspect, 300.0f, 150.0f, &visible)));
    demand(isfinite(visible.x0) && isfinite(visible.y0) && isfinite(visible.x1) && isfinite(visible.y1));
  }
}

static void try_declarations(const char *text, size_t size) {
  sj_declarations list = sj_declarations_begin(text, size);
  sj_declaration d;
  const char *before = text;
  while (sj_declarations_next(&list, &d)) {
    demand(d.name_length > 0 && d.name >= before && d.name + d.name_length <= d.value);
    demand(d.value + d.value_length <= text + size);
    before = d.value + d.value_length;
    try_paints(d.value, d.value_length);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const sj_length_base base = {
      .font_size = 1e30f, .root_font_size = 16.0f, .dpi = 96.0f, .viewport_width = 640.0f, .viewport_height = 480.0f};
  const char *text = (const char *)data;
  try_path(text, size);
  try_numbers(text, size, &base);
  try_paints(text, size);
  try_transforms(text, size, &base);
  try_declarations(text, size);
  return 0;
}
