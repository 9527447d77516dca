// Which files a document may read: those below its folder, and no others.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "svg_draw.h"
#include "test.h"

static const char green_svg[] = SVG("<rect width='64' height='64' fill='green'/>");

// Makes root/secret.svg, root/docs/{in,reader}.svg, root/docs/sub/in.svg, root/docs/link.svg -> ../secret.svg.
static bool make_files(void) {
  if (!make_folder()) return false;
  write_file("secret.svg", green_svg);
  write_file("docs/in.svg", green_svg);
  write_file("docs/a b.svg", green_svg);
  write_file("docs/sub/in.svg", green_svg);
  write_file("docs-other/in.svg", green_svg);  // its name begins like the folder's
  write_file("docs/reader.svg", SVG("<image width='64' height='64' href='in.svg'/>"));
  write_file("secret.css", "rect{fill:green}");
  write_file("docs/green.css", "rect{fill:green}");
  write_file("docs/imports.css", "@import 'sub/more.css';");
  write_file("docs/sub/more.css", "@import url(../green.css);@import 'more.css';");
  write_file("docs/parts.svg",
             SVG("<symbol id='s' viewBox='0 0 1 1'><rect width='1' height='1' fill='green'/></symbol>"
                 "<linearGradient id='g'><stop stop-color='green'/></linearGradient>"
                 "<g id='g1'><rect width='64' height='64'/></g>"
                 "<rect id='r' width='64' height='64' fill='url(#g)'/>"
                 "<path id='l' d='M0 0h1'/><rect id='c' width='64' height='64' fill='context-stroke'/>"
                 "<use id='u' href='parts.svg#u'/>"));
  return symlink(in_folder("secret.svg"), in_folder("docs/link.svg")) == 0;
}

// Returns whether a document whose rectangle is red comes to be green, for what it takes from files of root/docs.
static bool is_green(const char *head, const char *body, const char *folder) {
  char text[1024];
  snprintf(text, sizeof text, "%s" SVG("%s"), head, body);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.base_folder = folder ? in_folder(folder) : NULL;
  static drawn d;
  draw_svg(text, &params, &d);
  if (d.result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s%s: %s", head, body, d.message.text);
  return pixel(&d, 32, 32) == GREEN;
}

// Returns whether the image at `href` comes to be drawn. `folder` NULL: no base folder.
static bool image_is_drawn(const char *href, const char *folder, bool allow_all) {
  char text[1024];
  snprintf(text, sizeof text, SVG("<image width='64' height='64' href='%s'/>"), href);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.base_folder = folder ? in_folder(folder) : NULL;
  params.allow_all_files = allow_all;
  static drawn d;
  draw_svg(text, &params, &d);
  // A file that may not be read is a warning, and the rest of the document is drawn.
  if (d.result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s: %s", href, d.message.text);
  bool shown = pixel(&d, 32, 32) == GREEN;
  if (shown == (d.warnings > 0)) sj_test_fail(__FILE__, __LINE__, "%s: %d warnings", href, d.warnings);
  return shown;
}

TEST(files_below_the_folder_only) {
  if (!have_svg()) SKIP("built without SVG");
  if (!make_files()) SKIP("no files can be made in /tmp");
  char absolute[160], url[160];
  CHECK(image_is_drawn("in.svg", "docs", false));
  CHECK(image_is_drawn("./sub/../in.svg", "docs", false));
  CHECK(image_is_drawn("sub/in.svg", "docs", false));
  CHECK(image_is_drawn("a%20b.svg#fragment", "docs", false));
  CHECK(image_is_drawn(" in.svg ", "docs/", false));
  strcpy(absolute, in_folder("docs/in.svg"));
  CHECK(image_is_drawn(absolute, "docs", false));
  snprintf(url, sizeof url, "file://%s", in_folder("docs/in.svg"));
  CHECK(image_is_drawn(url, "docs", false));
  snprintf(url, sizeof url, "file:%s", in_folder("docs/in.svg"));
  CHECK(image_is_drawn(url, "docs", false));
  snprintf(url, sizeof url, "FILE://localhost%s#f", in_folder("docs/in.svg"));
  CHECK(image_is_drawn(url, "docs", false));
  // Outside, by any way.
  CHECK(!image_is_drawn("../secret.svg", "docs", false));
  CHECK(!image_is_drawn("sub/../../secret.svg", "docs", false));
  CHECK(!image_is_drawn("%2e%2e/secret.svg", "docs", false));
  CHECK(!image_is_drawn("link.svg", "docs", false));
  CHECK(!image_is_drawn("../docs-other/in.svg", "docs", false));
  CHECK(!image_is_drawn("in.svg", "docs/sub/..", false) == false);
  strcpy(absolute, in_folder("secret.svg"));
  CHECK(!image_is_drawn(absolute, "docs", false));
  snprintf(url, sizeof url, "file://%s", in_folder("secret.svg"));
  CHECK(!image_is_drawn(url, "docs", false));
  snprintf(url, sizeof url, "file:%s", in_folder("secret.svg"));
  CHECK(!image_is_drawn(url, "docs", false));
  snprintf(url, sizeof url, "file://host%s", in_folder("docs/in.svg"));
  CHECK(!image_is_drawn(url, "docs", true));
  CHECK(!image_is_drawn("file:in.svg", "docs", true));
  CHECK(!image_is_drawn("/etc/passwd", "docs", false));
  CHECK(!image_is_drawn("/dev/zero", "docs", true));
  CHECK(!image_is_drawn("sub", "docs", false));
  CHECK(!image_is_drawn("in.svg%00.png", "docs", false));
  CHECK(!image_is_drawn("missing.svg", "docs", false));
  // Without a folder nothing; the network never.
  CHECK(!image_is_drawn("in.svg", NULL, false));
  CHECK(!image_is_drawn("http://127.0.0.1/in.svg", "docs", true));
  CHECK(!image_is_drawn("//127.0.0.1/in.svg", "docs", true));
  CHECK(!image_is_drawn("ftp:in.svg", "docs", true));
  // When allowed, everywhere.
  CHECK(image_is_drawn("../secret.svg", "docs", true));
  CHECK(image_is_drawn("link.svg", "docs", true));
  // A document within an image reads no files itself.
  CHECK(!image_is_drawn("reader.svg", "docs", true));
  remove_folder();
}

TEST(style_sheets_in_files) {
  if (!have_svg()) SKIP("built without SVG");
  if (!make_files()) SKIP("no files can be made in /tmp");
#define RECT "<rect width='64' height='64' fill='red'/>"
  CHECK(is_green("<?xml-stylesheet href='green.css'?>", RECT, "docs"));
  CHECK(is_green("<?xml-stylesheet type=\"text/css\" href=\"imports.css\" ?>", RECT, "docs"));
  CHECK(is_green("<?xml-stylesheet href='data:text/css,rect%7Bfill:green%7D'?>", RECT, NULL));
  CHECK(is_green("", "<style>@import 'green.css';</style>" RECT, "docs"));
  CHECK(is_green("", "<style>@import url(sub/more.css) screen;</style>" RECT, "docs"));
  CHECK(!is_green("", "<style>@import url(green.css) print;</style>" RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='green.css' type='text/xsl'?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='green.css' media='print'?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='green.css' alternate='yes'?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='../secret.css'?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='missing.css'?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='green.css'?>", RECT, NULL));
  CHECK(!is_green("<?xml-stylesheet href='http://127.0.0.1/green.css'?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href?>", RECT, "docs"));
  CHECK(!is_green("<?xml-stylesheet href='green.css?>", RECT, "docs"));
  CHECK(!is_green("", "<style>@import '../secret.css';</style>" RECT, "docs"));
#undef RECT
  remove_folder();
}

TEST(use_of_files) {
  if (!have_svg()) SKIP("built without SVG");
  if (!make_files()) SKIP("no files can be made in /tmp");
  CHECK(is_green("", "<use href='parts.svg#s'/>", "docs"));
  CHECK(is_green("", "<use href='parts.svg#s' x='16' y='16' width='32' height='32'/>", "docs"));
  CHECK(!is_green("", "<use href='parts.svg#s' width='32' height='32'/>", "docs"));
  // What it refers to is in its own document, what it inherits comes from the use element.
  CHECK(is_green("", "<use xlink:href='parts.svg#r'/>", "docs"));
  CHECK(is_green("", "<use href='parts.svg#g1' fill='green'/>", "docs"));
  // References that it inherits are within the document of the use element, context paints are that element's.
  CHECK(is_green("",
                 "<linearGradient id='g'><stop stop-color='red'/></linearGradient><linearGradient id='own'><stop "
                 "stop-color='green'/></linearGradient><use href='parts.svg#g1' fill='url(#own)'/>",
                 "docs"));
  CHECK(is_green("",
                 "<linearGradient id='g'><stop stop-color='green'/></linearGradient><use href='parts.svg#g1' "
                 "fill='url(#g)'/>",
                 "docs"));
  CHECK(is_green("",
                 "<marker id='m' markerUnits='userSpaceOnUse' markerWidth='64' markerHeight='64'><rect width='64' "
                 "height='64' fill='green'/></marker><use href='parts.svg#l' marker-start='url(#m)'/>",
                 "docs"));
  CHECK(is_green("", "<use href='parts.svg#c' fill='red' stroke='green'/>", "docs"));
  CHECK(is_green("", "<use href='in.svg'/>", "docs"));
  CHECK(is_green("", "<use href='sub/../in.svg#'/>", "docs") == false);
  CHECK(!is_green("", "<use href='parts.svg#missing'/>", "docs"));
  CHECK(!is_green("", "<use href='parts.svg#u'/>", "docs"));
  CHECK(!is_green("", "<use href='../secret.svg'/>", "docs"));
  CHECK(!is_green("", "<use href='parts.svg#s'/>", NULL));
  CHECK(!is_green("", "<use href='http://127.0.0.1/parts.svg#s'/>", "docs"));
  // It has a bounding box.
  CHECK(is_green("",
                 "<mask id='m' maskContentUnits='objectBoundingBox'><rect width='1' height='1' fill='white'/></mask>"
                 "<use href='parts.svg#r' mask='url(#m)'/>",
                 "docs"));
  remove_folder();
}

TEST(data_urls) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK(
      image_is_drawn("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2264%22 height=%2264%22"
                     "%3E%3Crect width=%2264%22 height=%2264%22 fill=%22green%22/%3E%3C/svg%3E",
                     NULL, false));
  // <svg xmlns="http://www.w3.org/2000/svg"><rect width="100" height="100" fill="green"/></svg>
#define BASE64                                                                                       \
  "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxyZWN0IHdpZHRoPSIxMDAiIGhlaWdodD0iMTAwIiBm" \
  "aWxsPSJncmVlbiIvPjwvc3ZnPg=="
  CHECK(image_is_drawn("data:image/svg+xml;base64," BASE64, NULL, false));
  CHECK(image_is_drawn("data:;base64, \n" BASE64, NULL, false));
  CHECK(!image_is_drawn("data:image/svg+xml;base64,*" BASE64, NULL, false));
  CHECK(!image_is_drawn("data:image/png;base64,iVBORw0KGgo=", NULL, false));
  CHECK(!image_is_drawn("data:", NULL, false));
  CHECK(!image_is_drawn("data:,", NULL, false));
}

// An application's files, by their names, and what it was asked for.
typedef struct {
  const char *files[8][2];
  char asked[256];
} given_files;

static stijl_result give_file(void *user, const char *url, const void **data, size_t *bytes) {
  given_files *given = user;
  size_t used = strlen(given->asked);
  snprintf(given->asked + used, sizeof given->asked - used, "[%s]", url);
  if (strcmp(url, "refused.svg") == 0) return STIJL_ERROR_REFUSED;
  for (size_t i = 0; given->files[i][0]; i++) {
    if (strcmp(url, given->files[i][0]) != 0) continue;
    *data = given->files[i][1];
    *bytes = strlen(given->files[i][1]);
    return STIJL_OK;
  }
  return STIJL_ERROR_UNSUPPORTED;
}

// Draws a document of which `given` has files and, if it is not NULL, the folder others; whether it comes to be green.
static bool green_of_given(given_files *given, const char *head, const char *body, const char *folder,
                           uint64_t max_bytes) {
  char text[1024];
  snprintf(text, sizeof text, "%s" SVG("%s"), head, body);
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.base_folder = folder ? in_folder(folder) : NULL;
  params.read = give_file;
  params.read_user = given;
  if (max_bytes) params.limits.max_bytes = max_bytes;
  given->asked[0] = 0;
  static drawn d;
  draw_svg(text, &params, &d);
  if (d.result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s%s: %s", head, body, d.message.text);
  return pixel(&d, 32, 32) == GREEN;
}

TEST(files_that_the_application_gives) {
  if (!have_svg()) SKIP("built without SVG");
  if (!make_files()) SKIP("no files can be made in /tmp");
  static const char embedding[] = SVG("<image width='64' height='64' href='https://x.org/a.svg'/>");
  static given_files given = {.files = {{"https://x.org/a.svg", green_svg},
                                        {"a.css", "@import 'sub/b.css';"},
                                        {"sub/b.css", "rect{fill:green}"},
                                        {"embedding.svg", embedding},
                                        {"parts.svg", SVG("<rect id='r' width='64' height='64' fill='green'/>")}}};
#define IMAGE(href) "<image width='64' height='64' href='" href "'/>"
#define RED_RECT "<rect width='64' height='64' fill='red'/>"
  CHECK(green_of_given(&given, "", IMAGE("https://x.org/a.svg#f"), NULL, 0));
  CHECK(strcmp(given.asked, "[https://x.org/a.svg]") == 0);
  CHECK(green_of_given(&given, "<?xml-stylesheet href='a.css'?>", RED_RECT, NULL, 0));
  CHECK(strcmp(given.asked, "[a.css][sub/b.css]") == 0);
  CHECK(green_of_given(&given, "", "<use href='parts.svg#r'/>", NULL, 0));
  // What it does not know comes from the folder; what it refuses does not.
  CHECK(green_of_given(&given, "", IMAGE("in.svg"), "docs", 0));
  CHECK(!green_of_given(&given, "", IMAGE("in.svg"), NULL, 0));
  write_file("docs/refused.svg", green_svg);
  CHECK(!green_of_given(&given, "", IMAGE("refused.svg"), "docs", 0));
  // It is not asked for data, nor for what an embedded document refers to; limits hold.
  CHECK(!green_of_given(&given, "", IMAGE("embedding.svg") IMAGE("data:,"), NULL, 0));
  CHECK(strcmp(given.asked, "[embedding.svg]") == 0);
  CHECK(!green_of_given(&given, "", IMAGE("https://x.org/a.svg"), NULL, 210));
  remove_folder();
}
