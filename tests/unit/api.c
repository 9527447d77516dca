// What the public interface does with arguments that are wrong or absent: getters answer with nothing, calls refuse,
// and what is logged of a document cannot command a terminal.
#include <math.h>

#include "base/context.h"
#include "stijl/stijl.h"
#include "test.h"

TEST(getters_without_an_object) {
  stijl_rect box = {1, 2, 3, 4};
  CHECK(!stijl_path_bounds(NULL, &box) && box.x1 == 0.0f);
  CHECK(!stijl_path_bounds(NULL, NULL) && !stijl_path_control_bounds(NULL, NULL) && stijl_path_is_empty(NULL));
  CHECK(stijl_path_verbs(NULL, NULL) == 0 && stijl_path_points(NULL, NULL) == 0);
  CHECK_INT(stijl_path_status(NULL), STIJL_ERROR_INVALID_ARGUMENT);
  size_t stride = 7;
  CHECK(!stijl_image_pixels(NULL, &stride) && stride == 0 && !stijl_image_pixels(NULL, NULL));
  CHECK(stijl_image_width(NULL) == 0 && stijl_image_height(NULL) == 0);
  CHECK_INT(stijl_image_format(NULL), STIJL_FORMAT_RGBA8);
  CHECK_INT(stijl_scene_bounds(NULL, NULL), STIJL_EXTENT_EMPTY);
  CHECK_STR(stijl_scene_message(NULL), "");
  CHECK_INT(stijl_renderer_isa(NULL), STIJL_ISA_AUTO);
  CHECK_INT(stijl_renderer_threads(NULL), 0);
  CHECK_INT(stijl_renderer_backend(NULL), STIJL_BACKEND_CPU);
  CHECK_STR(stijl_renderer_device(NULL), "cpu");
  stijl_render_stats stats = {.size = sizeof stats, .draws = 5};
  stijl_renderer_stats(NULL, &stats);
  stijl_renderer_stats(NULL, NULL);
  float width = 1, height = 1;
  stijl_svg_size(NULL, &width, &height);
  stijl_svg_size(NULL, NULL, NULL);
  CHECK(width == 0.0f && height == 0.0f);
  CHECK(stijl_format_bytes((stijl_format)99) == 0 && !stijl_isa_name((stijl_isa)99));
  CHECK(!stijl_isa_available((stijl_isa)99) && !stijl_isa_available((stijl_isa)-1));
  CHECK(stijl_result_string((stijl_result)99) != NULL);
}

TEST(getters_with_a_place_that_is_null) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, 0, 0, 1, 1);
  CHECK(stijl_path_bounds(path, NULL) && stijl_path_control_bounds(path, NULL));
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_paint paint = STIJL_PAINT_INIT;
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, NULL, &paint);
  CHECK_INT(stijl_scene_bounds(scene, NULL), STIJL_EXTENT_BOUNDED);
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
}

static void check_no_selector(const stijl_css *css, size_t index) {
  stijl_css_selector selector = {.size = sizeof selector, .length = 5, .text = NULL};
  stijl_css_selector_get(css, index, &selector);
  stijl_css_selector_get(css, index, NULL);
  CHECK(selector.length == 0 && selector.text && selector.sheet);
  CHECK(stijl_css_declaration_count(css, index) == 0);
  stijl_css_declaration declaration = {.size = sizeof declaration, .name_length = 5};
  stijl_css_declaration_get(css, index, 0, &declaration);
  stijl_css_declaration_get(css, index, 0, NULL);
  CHECK(declaration.name_length == 0 && declaration.name && declaration.value);
}

TEST(css_getters) {
  stijl_css *css = NULL;
  static const char sheet[] = "a { b: c }";
  check_no_selector(NULL, 0);
  CHECK_INT(stijl_css_create(NULL, NULL, &css), STIJL_OK);
  check_no_selector(css, 0);
  CHECK_INT(stijl_css_add(css, sheet, strlen(sheet), NULL, STIJL_CSS_ORIGIN_AUTHOR, NULL), STIJL_OK);
  check_no_selector(css, 1);
  check_no_selector(css, SIZE_MAX);
  stijl_css_declaration declaration = STIJL_CSS_DECLARATION_INIT;
  stijl_css_declaration_get(css, 0, 0, &declaration);
  CHECK(declaration.value_length == 1 && *declaration.value == 'c');
  stijl_css_declaration_get(css, 0, 1, &declaration);
  stijl_css_declaration_get(css, 0, SIZE_MAX, &declaration);
  CHECK(declaration.value_length == 0);

  CHECK(stijl_css_document_elements(NULL) == 0 && stijl_css_document_parent(NULL, 0) == STIJL_CSS_NO_ELEMENT);
  CHECK_STR(stijl_css_document_name(NULL, 0), "");
  CHECK(!stijl_css_document_get_attribute(NULL, 0, "id"));
  stijl_css_document *document = NULL;
  CHECK_INT(stijl_css_document_create(NULL, false, NULL, &document), STIJL_OK);
  stijl_css_document_begin(document, NULL, "a");
  stijl_css_document_attribute(document, NULL, "id", "x");
  stijl_css_document_end(document);
  CHECK_INT(stijl_css_document_finish(document, NULL), STIJL_OK);
  CHECK_STR(stijl_css_document_get_attribute(document, 0, "id"), "x");
  CHECK(!stijl_css_document_get_attribute(document, 0, NULL) && !stijl_css_document_get_attribute(document, 1, "id"));
  CHECK(stijl_css_document_parent(document, 7) == STIJL_CSS_NO_ELEMENT);
  CHECK_STR(stijl_css_document_name(document, STIJL_CSS_NO_ELEMENT), "");

  const uint32_t *selectors = NULL, *offsets = NULL;
  CHECK(stijl_css_matches(NULL, 0, &selectors) == 0 && stijl_css_matches(NULL, 0, NULL) == 0);
  CHECK(stijl_css_matches_all(NULL, NULL, NULL) == 0);
  stijl_css_matcher *matcher = NULL;
  CHECK_INT(stijl_css_matcher_create(css, document, NULL, &matcher, NULL), STIJL_OK);
  CHECK(stijl_css_matches(matcher, 0, &selectors) == 0);  // nothing was matched yet
  CHECK_INT(stijl_css_match(matcher, NULL), STIJL_OK);
  CHECK(stijl_css_matches(matcher, 0, &selectors) == 1 && stijl_css_matches(matcher, 0, NULL) == 1);
  CHECK(stijl_css_matches(matcher, 1, &selectors) == 0 && !selectors);
  CHECK(stijl_css_matches_all(matcher, NULL, NULL) == 1 && stijl_css_matches_all(matcher, &offsets, &selectors) == 1);
  stijl_css_stats stats = {.size = sizeof stats};
  stijl_css_matcher_stats(NULL, &stats);
  stijl_css_matcher_stats(matcher, NULL);
  CHECK_INT(stijl_css_match(NULL, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_css_rematch(NULL, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_css_matcher_destroy(matcher);
  stijl_css_document_destroy(document);
  stijl_css_destroy(css);
}

static stijl_result filled(stijl_fill_rule rule, bool as_clip) {
  stijl_path *path = NULL;
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  stijl_path_add_rect(path, 0, 0, 8, 8);
  stijl_paint paint = STIJL_PAINT_INIT;
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.clip = path;
  layer.clip_rule = rule;
  if (as_clip) stijl_scene_push_layer(scene, &layer);
  stijl_scene_fill(scene, path, as_clip ? STIJL_FILL_NONZERO : rule, NULL, &paint);
  if (as_clip) stijl_scene_pop_layer(scene);
  stijl_result result = stijl_scene_finish(scene);
  stijl_scene_destroy(scene);
  stijl_path_destroy(path);
  return result;
}

TEST(unknown_fill_rules_are_refused) {
  for (int as_clip = 0; as_clip < 2; as_clip++) {
    CHECK_INT(filled(STIJL_FILL_EVENODD, as_clip), STIJL_OK);
    CHECK_INT(filled((stijl_fill_rule)2, as_clip), STIJL_ERROR_INVALID_ARGUMENT);
    CHECK_INT(filled((stijl_fill_rule)-1, as_clip), STIJL_ERROR_INVALID_ARGUMENT);
  }
}

TEST(a_time_limit_that_is_no_number_is_refused) {
  static const char svg_text[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  stijl_svg_params svg_params = STIJL_SVG_PARAMS_INIT;
  svg_params.limits.max_seconds = NAN;
  stijl_svg *svg = NULL;
  CHECK_INT(stijl_svg_load(NULL, svg_text, strlen(svg_text), &svg_params, &svg, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_css_params css_params = STIJL_CSS_PARAMS_INIT;
  css_params.limits.max_seconds = NAN;
  stijl_css *css = NULL;
  CHECK_INT(stijl_css_create(NULL, &css_params, &css), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_css_document *document = NULL;
  CHECK_INT(stijl_css_document_create(NULL, false, &css_params.limits, &document), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_result result = stijl_css_document_parse_xml(NULL, "<a/>", 4, &css_params.limits, &document, NULL);
  CHECK(result == STIJL_ERROR_INVALID_ARGUMENT || result == STIJL_ERROR_UNSUPPORTED);
  result = stijl_css_document_parse_html(NULL, "<a>", 3, &css_params.limits, &document, NULL);
  CHECK(result == STIJL_ERROR_INVALID_ARGUMENT || result == STIJL_ERROR_UNSUPPORTED);
}

static void keep(void *user, stijl_log_level level, const char *line) {
  (void)level;
  snprintf(user, 600, "%s", line);
}

TEST(control_characters_are_written_out) {
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xaf", "plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xaf"},
      {"\x1b[2J\a\r\n\t\x7f", "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f"},
      {"csi \xc2\x9b"
       "31m",
       "csi \\u{009b}31m"},
      {"\xe2\x80\xae"
       "gnp.exe\xe2\x81\xa6",
       "\\u{202e}gnp.exe\\u{2066}"},
      {"\xd8\x9c\xe2\x80\x8f\xe2\x80\xa8", "\\u{061c}\\u{200f}\\u{2028}"},
      {"\x9b"
       "31m \xff\xc3",
       "\\x9b31m \\xff\\xc3"},                                 // no UTF-8
      {"\xc0\x9b \xe0\x82\x9b \xed\xa0\x80 \xf4\x90\x80\x80",  // too long, a surrogate, beyond
       "\\xc0\\x9b \\xe0\\x82\\x9b \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80"},
  };
  char line[600];
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = keep;
  params.user = line;
  stijl_context *context = NULL;
  CHECK_INT(stijl_context_create(&params, &context), STIJL_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sj_log(context, STIJL_LOG_WARNING, "%s", cases[i].text);
    CHECK_STR(line, cases[i].expected);
    stijl_message message;
    CHECK_INT(sj_fail(&message, STIJL_ERROR_LIMIT, "%s", cases[i].text), STIJL_ERROR_LIMIT);
    CHECK_STR(message.text, cases[i].expected);
  }
  // A long text ends within its room, with a whole character.
  char text[2000];
  for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = "\xe2\x82\xac\x1b"[i % 4];
  text[sizeof text - 1] = 0;
  sj_log(context, STIJL_LOG_WARNING, "%s", text);
  CHECK(strlen(line) < 512 && strlen(line) > 480);
  for (size_t i = 0; i < strlen(line); i += 7)
    CHECK(memcmp(line + i, "\xe2\x82\xac\\x1b", 7) == 0 || i + 7 > strlen(line));
  for (size_t i = 0; i + 1 < sizeof text; i++) text[i] = "\xe2\x82\xac"[i % 3];
  sj_log(context, STIJL_LOG_WARNING, "%s", text);
  CHECK_INT(strlen(line), 510);
  stijl_context_destroy(context);
}

// A name that a style sheet writes with controls, as a warning tells of it.
TEST(warnings_about_sheets) {
  char line[600] = "";
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = keep;
  params.user = line;
  stijl_context *context = NULL;
  CHECK_INT(stijl_context_create(&params, &context), STIJL_OK);
  stijl_css *css = NULL;
  CHECK_INT(stijl_css_create(context, NULL, &css), STIJL_OK);
  static const char sheet[] = "a\x1b]0;owned\a\xc2\x9b$ { b: c }";
  CHECK_INT(stijl_css_add(css, sheet, strlen(sheet), "s.css", STIJL_CSS_ORIGIN_AUTHOR, NULL), STIJL_OK);
  CHECK(strstr(line, "\\x1b]0;owned\\x07\\u{009b}$") && !strchr(line, '\x1b'));
  stijl_css_destroy(css);
  stijl_context_destroy(context);
}
