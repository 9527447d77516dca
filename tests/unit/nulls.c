// Every public function, with NULL for what it is given (nulls.py): none may crash, whatever it does otherwise.
#include <signal.h>

#include "stijl/stijl.h"
#include "test.h"

static bool write_nothing(void *user, const void *data, size_t bytes) {
  (void)user, (void)data, (void)bytes;
  return true;
}

static stijl_path *make_path(void) {
  stijl_path *path = NULL;
  CHECK_INT(stijl_path_create(NULL, &path), STIJL_OK);
  stijl_path_add_rect(path, 0.0f, 0.0f, 4.0f, 4.0f);
  return path;
}

static stijl_scene *make_scene(void) {
  stijl_scene *scene = NULL;
  CHECK_INT(stijl_scene_create(NULL, NULL, &scene), STIJL_OK);
  return scene;
}

static stijl_filter *make_filter(void) {
  stijl_filter *filter = NULL;
  CHECK_INT(stijl_filter_create(NULL, &filter), STIJL_OK);
  return filter;
}

static stijl_budget *make_budget(void) {
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, NULL, &budget), STIJL_OK);
  return budget;
}

static stijl_image *make_image(void) {
  stijl_image *image = NULL;
  uint32_t pixel = 0;
  CHECK_INT(stijl_image_create(NULL, 1, 1, STIJL_FORMAT_RGBA8, &pixel, 4, &image), STIJL_OK);
  return image;
}

static stijl_renderer *make_renderer(void) {
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  params.backend = STIJL_BACKEND_CPU;
  stijl_renderer *renderer = NULL;
  CHECK_INT(stijl_renderer_create(NULL, &params, &renderer, NULL), STIJL_OK);
  return renderer;
}

static stijl_css *make_css(void) {
  stijl_css *css = NULL;
  CHECK_INT(stijl_css_create(NULL, NULL, &css), STIJL_OK);
  CHECK_INT(stijl_css_add(css, "a { b: c }", 10, NULL, STIJL_CSS_ORIGIN_AUTHOR, NULL), STIJL_OK);
  return css;
}

// Makes a document that is not finished, so that functions which add to it may.
static stijl_css_document *make_css_document(void) {
  stijl_css_document *document = NULL;
  CHECK_INT(stijl_css_document_create(NULL, false, NULL, &document), STIJL_OK);
  stijl_css_document_begin(document, NULL, "a");
  return document;
}

// Makes a matcher. What it needs lives until the next one, or the program's end.
static stijl_css_matcher *make_css_matcher(void) {
  static stijl_css *css;
  static stijl_css_document *document;
  stijl_css_document_destroy(document);
  stijl_css_destroy(css);
  css = make_css();
  document = make_css_document();
  stijl_css_document_end(document);
  CHECK_INT(stijl_css_document_finish(document, NULL), STIJL_OK);
  stijl_css_matcher *matcher = NULL;
  CHECK_INT(stijl_css_matcher_create(css, document, NULL, &matcher, NULL), STIJL_OK);
  return matcher;
}

// Returns NULL, since it would take its time to make a report.
static stijl_lab_report *make_lab_report(void) { return NULL; }

// Builds may lack what makes the following: then there is no object.

static stijl_svg *make_svg(void) {
  static const char text[] =
      "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><rect id='a' width='4'/></svg>";
  stijl_svg *svg = NULL;
  stijl_svg_load(NULL, text, sizeof text - 1, NULL, &svg, NULL);
  return svg;
}

static stijl_fonts *make_fonts(void) {
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  stijl_fonts *fonts = NULL;
  stijl_fonts_create(NULL, &params, &fonts, NULL);
  return fonts;
}

static stijl_text *make_text(void) {
  stijl_text *text = NULL;
  stijl_text_create(NULL, NULL, &text);
  return text;
}

typedef struct {
  unsigned char data[1024];
  size_t bytes;
} file;

static bool write_file(void *user, const void *data, size_t bytes) {
  file *to = user;
  if (bytes > sizeof to->data - to->bytes) return false;
  memcpy(to->data + to->bytes, data, bytes);
  to->bytes += bytes;
  return true;
}

static stijl_image_reader *make_image_reader(void) {
  static file png;
  uint32_t pixel = 0;
  png.bytes = 0;
  CHECK_INT(stijl_png_encode(NULL, 1, 1, STIJL_FORMAT_RGBA8, &pixel, 4, NULL, write_file, &png, NULL), STIJL_OK);
  stijl_image_reader *reader = NULL;
  stijl_image_reader_create(NULL, png.data, png.bytes, NULL, &reader, NULL);
  return reader;
}

static stijl_image_writer *make_image_writer(void) {
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  params.width = params.height = 2;
  stijl_image_writer *writer = NULL;
  stijl_image_writer_create(NULL, &params, write_nothing, NULL, &writer, NULL);
  return writer;
}

static stijl_pdf *make_pdf(void) {
  stijl_pdf *pdf = NULL;
  stijl_pdf_create(NULL, NULL, write_nothing, NULL, &pdf, NULL);
  return pdf;
}

static stijl_webp_animation *make_webp_animation(void) {
  stijl_webp_animation_params params = STIJL_WEBP_ANIMATION_PARAMS_INIT;
  params.width = params.height = 2;
  stijl_webp_animation *animation = NULL;
  stijl_webp_animation_create(NULL, &params, &animation, NULL);
  return animation;
}

// Makes a context. The default one is NULL as well.
static stijl_context *make_context(void) {
  stijl_context *context = NULL;
  CHECK_INT(stijl_context_create(NULL, &context), STIJL_OK);
  return context;
}

// What is being called, which is told where it crashes.
static const char *volatile calling;

static void tell(int number) {
  printf("# %s crashes\n", calling);
  signal(number, SIG_DFL);
  raise(number);
}

TEST(nothing_is_given) {
  signal(SIGSEGV, tell);
#define NULLS(call) calling = #call, (void)(call);
#define OBJECT(type, call)
#include "nulls.inc"
#undef NULLS
#undef OBJECT
}

TEST(an_object_is_given_and_nothing_else) {
  signal(SIGSEGV, tell);
#define NULLS(call)
#define OBJECT(type, call)                \
  {                                       \
    stijl_##type *object = make_##type(); \
    calling = #call, (void)(call);        \
    stijl_##type##_destroy(object);       \
  }
#include "nulls.inc"
}
