// Documents that are moved in time draw what documents draw that are loaded with that time. STIJL_ANIMATED: a folder of
// more documents, for tests/golden/animations.mjs.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stijl/stijl.h"
#include "svg_draw.h"
#include "test.h"

#define DOCUMENT(inside) "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>" inside "</svg>"
#define ANIMATE(name, rest) "<animate attributeName='" name "' " rest "/>"
#define GIF "data:image/gif;base64,R0lGODdhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs="

static const char *const documents[] = {
    DOCUMENT("<rect width='10' height='30'>" ANIMATE("width", "to='90' dur='2s' fill='freeze'") "</rect>"),
    // An attribute that is not there at first, one that is, one of an element that has several, and one of filters.
    DOCUMENT(
        "<circle cx='9'>" ANIMATE("r", "values='1;40' dur='1s' repeatCount='indefinite'")
            ANIMATE("cx", "from='0' to='80' dur='3s'") ANIMATE(
                "cy",
                "by='9' dur='2s' begin='1s'") "</circle>"
                                              "<filter id='f'><feGaussianBlur stdDeviation='1'>" ANIMATE(
                                                  "stdDeviation",
                                                  "to='5' dur='2s'") "</feGaussianBlur></filter><rect id='r' "
                                                                     "width='30' height='30' filter='url(#f)'>"
                                                                     "<set attributeName='fill' to='red' "
                                                                     "begin='r.click; 0.7s' dur='1s'/>"
                                                                     "<animateTransform attributeName='transform' "
                                                                     "type='rotate' to='90' dur='4s' additive='sum'/>"
                                                                     "<animateMotion path='M0 0 50 50' "
                                                                     "dur='3s'/></rect>"),
    DOCUMENT("<use href='#a'>" ANIMATE(
        "href",
        "values='#a;#b' calcMode='discrete' dur='2s'") "</use><defs>"
                                                       "<rect id='a' width='9' height='9'/><path id='b' d='M0 "
                                                       "0H9V9'>" ANIMATE(
                                                           "d",
                                                           "values='M0 0H9V9;M9 0H50V50' dur='3s'") "</path></defs>"),
    DOCUMENT("<style>@keyframes k{to{width:90px;fill:blue;opacity:.2}}@keyframes v{50%{--w:30px}}"
             "@property --w{syntax:'&lt;length>';inherits:false;initial-value:2px}"
             ".a{animation:k 2s 0.5s infinite alternate}.b{animation:v 4s;stroke-width:var(--w)}</style>"
             "<g class='b' style='--x:3'><rect class='a' width='10' height='30' stroke='red'/>"
             "<line class='b' stroke='green' x2='90' y2='var(--x)'/></g>"),
    // Blending that is there only for a time, which is what groups are isolated for.
    DOCUMENT("<rect width='50' height='50' fill='red'/><g opacity='.5'><rect width='70' height='20' fill='lime'>"
             "<set attributeName='mix-blend-mode' to='multiply' begin='1s' dur='1s'/></rect></g>"),
    DOCUMENT(
        "<style>@keyframes k{50%{mix-blend-mode:screen;transform:rotate(40deg)}}rect{animation:k 3s steps(3)}</style>"
        "<g><rect width='70' height='20' fill='lime'/></g><path d='M1 1H50V50z' fill='url(#g)'/>"
        "<linearGradient id='g'><stop stop-color='red'>" ANIMATE(
            "stop-color", "to='blue' dur='2s'") "</stop>"
                                                "<stop offset='1'>" ANIMATE(
                                                    "offset", "from='0' to='1' dur='2s'") "</stop></linearGradient>"),
    DOCUMENT("<image width='40' height='40' href='" GIF "'>" ANIMATE(
        "width", "to='90' dur='2s'") "</image>"
                                     "<image x='50' width='50' height='50' href=\"data:image/svg+xml,&lt;svg "
                                     "xmlns='http://www.w3.org/2000/svg' width='9'"
                                     " height='9'>&lt;circle r='1'>&lt;animate attributeName='r' to='9' "
                                     "dur='2s'/>&lt;/circle>&lt;/svg>\"/>"),
    // Only what it shows is animated.
    DOCUMENT(
        "<image width='50' height='50' href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' width='9'"
        " height='9'>&lt;circle r='1'>&lt;animate attributeName='r' to='9' dur='2s'/>&lt;/circle>&lt;/svg>\"/>"),
    DOCUMENT("<text y='20' font-size='9'>moved<animate attributeName='font-size' to='20' dur='2s'/></text>"
             "<clipPath id='c'><rect width='9' height='9'><animate attributeName='height' to='99' "
             "dur='3s'/></rect></clipPath>"
             "<rect width='99' height='99' clip-path='url(#c)'/>"),
    // Size and viewBox of the root.
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'><animate attributeName='viewBox' to='5 5 20 40' "
    "dur='2s'/><rect width='10' height='10'><animate id='a' attributeName='x' to='4' begin='0;b.end' dur='0.3s'/>"
    "<animate id='b' attributeName='y' to='4' begin='a.end' dur='0.4s'/></rect></svg>",
    // Copies with styles of their own, of elements that move, and of use elements that come to show others.
    DOCUMENT(
        "<style>.a{--k:red}.b{--k:blue}g>rect{stroke:var(--k,lime)}path{d:var(--d,path('M0 0H9V9'))}</style><g>"
        "<rect id='a' width='9' height='9' fill='var(--k)'>" ANIMATE("fill", "to='lime' dur='2s' additive='sum'")
            ANIMATE("x", "to='50' dur='3s'") ANIMATE(
                "stroke-width",
                "to='5' dur='2s'") "</rect><path id='b'/></g>"
                                   "<use href='#a' class='a'>" ANIMATE(
                                       "href",
                                       "values='#a;#b' calcMode='discrete' dur='2s'") "</use>"
                                                                                      "<use href='#a' class='b' "
                                                                                      "y='20'/><use href='#b' y='40' "
                                                                                      "style='--d:path(\"M0 "
                                                                                      "0H50V50\")'/>"),
    DOCUMENT("<style>@keyframes k{to{--k:90px}}@property --k{syntax:'&lt;length>';inherits:true;initial-value:2px}"
             "@keyframes m{to{fill:var(--c,red)}}.a{animation:k 2s 0.5s infinite}.m{animation:m 3s}.c{--c:blue}</style>"
             "<defs><rect id='a' class='m' style='width:var(--k)' height='9'/></defs><use href='#a' class='a'/>"
             "<use href='#a' class='c' y='20'/>"),
    DOCUMENT("<rect width='10' height='10'/>"),
};
static const double times[] = {0.0, 0.35, 1.0, 1.85, 3.2, 0.35, INFINITY, 0.0, 7.0};
#define TIMES (sizeof times / sizeof *times)

typedef struct bytes {
  unsigned char *data;
  size_t count, room;
  float width, height;
} bytes;

static bool append(void *user, const void *data, size_t count) {
  bytes *b = user;
  if (b->count + count > b->room) b->data = realloc(b->data, b->room = 2 * (b->count + count));
  memcpy(b->data + b->count, data, count);
  b->count += count;
  return true;
}

// Returns all that a document draws, as it is saved.
static bytes saved(const stijl_svg *svg) {
  bytes b = {0};
  stijl_svg_size(svg, &b.width, &b.height);
  stijl_scene *scene = NULL;
  stijl_message message = {""};
  stijl_result result = stijl_svg_scene(svg, 100.0f, 100.0f, &scene, &message);
  if (result == STIJL_OK) result = stijl_scene_save(scene, NULL, append, &b, &message);
  if (result != STIJL_OK) sj_test_fail(__FILE__, __LINE__, "%s", message.text);
  stijl_scene_destroy(scene);
  return b;
}

static stijl_svg *load(const char *text, double time, stijl_message *message) {
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.time = time;
  stijl_svg *svg = NULL;
  if (stijl_svg_load(NULL, text, strlen(text), &params, &svg, message) != STIJL_OK)
    sj_test_fail(__FILE__, __LINE__, "%s", message->text);
  return svg;
}

static void compare(const char *name, const char *text, bool may_stand) {
  stijl_message message = {""};
  stijl_svg *moved = load(text, 0.0, &message);
  bytes first = saved(moved);
  int changes = 0;
  for (size_t i = 0; i < TIMES; i++) {
    CHECK_INT(stijl_svg_set_time(moved, times[i], &message), STIJL_OK);
    stijl_svg *loaded = load(text, times[i], &message);
    bytes a = saved(moved), b = saved(loaded);
    bool same =
        a.count == b.count && memcmp(a.data, b.data, a.count) == 0 && a.width == b.width && a.height == b.height;
    if (!same) sj_test_fail(__FILE__, __LINE__, "%s moved to %g is not what is loaded then", name, times[i]);
    changes += a.count != first.count || memcmp(a.data, first.data, a.count) != 0;
    stijl_svg_destroy(loaded);
    free(a.data);
    free(b.data);
  }
  if (!changes && !may_stand) sj_test_fail(__FILE__, __LINE__, "%s is the same at all times", name);
  free(first.data);
  stijl_svg_destroy(moved);
}

TEST(moving_is_loading_with_that_time) {
  if (!have_svg()) SKIP("built without SVG");
  char name[40];
  size_t count = sizeof documents / sizeof *documents;
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "document %zu", i);
    compare(name, documents[i], i + 1 == count);
  }
}

TEST(documents_of_a_folder) {
  if (!have_svg()) SKIP("built without SVG");
  const char *folder = getenv("STIJL_ANIMATED");
  DIR *files = folder ? opendir(folder) : NULL;
  if (!files) SKIP("STIJL_ANIMATED names no folder");
  int compared = 0;
  for (const struct dirent *file; (file = readdir(files));) {
    char path[4096];
    static char text[1 << 20];
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    FILE *in = strstr(path, ".svg") ? fopen(path, "rb") : NULL;
    if (!in) continue;
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    compare(file->d_name, text, true);
    compared++;
  }
  closedir(files);
  CHECK(compared > 0);
}

static stijl_svg_timing timing_of(const char *text) {
  stijl_message message = {""};
  stijl_svg *svg = load(text, 0.0, &message);
  stijl_svg_timing timing = STIJL_SVG_TIMING_INIT;
  CHECK_INT(stijl_svg_get_timing(svg, &timing, &message), STIJL_OK);
  stijl_svg_destroy(svg);
  return timing;
}

#define TIMING(inside, ends, begins, repeats)         \
  do {                                                \
    stijl_svg_timing t = timing_of(DOCUMENT(inside)); \
    CHECK(t.animated);                                \
    CHECK_NEAR(t.end, ends, 1e-9);                    \
    CHECK_NEAR(t.begun, begins, 1e-9);                \
    CHECK(t.period == (repeats));                     \
  } while (0)
#define CSS(style) "<style>@keyframes k{to{x:9px}}rect{animation:k " style "}</style><rect width='9' height='9'/>"

TEST(how_long_it_goes_on) {
  if (!have_svg()) SKIP("built without SVG");
  CHECK(!timing_of(DOCUMENT("<rect width='9'/>")).animated);
  TIMING("<rect>" ANIMATE("x", "to='9' dur='2s' begin='1s;5s'") "</rect>", 7.0, 0.0, 0.0);
  TIMING("<rect>" ANIMATE("x", "to='9' dur='2s' begin='1s' repeatCount='indefinite'") "</rect>", 1.0, 1.0, 2.0);
  TIMING("<rect>" ANIMATE("x", "to='9' dur='2s' repeatCount='indefinite'")
             ANIMATE("y", "to='9' dur='3s' repeatDur='indefinite'") "</rect>",
         0.0, 0.0, 6.0);
  TIMING("<rect><set attributeName='x' to='9' begin='3s'/></rect>", 3.0, 0.0, 0.0);
  TIMING("<rect><animate id='a' attributeName='x' to='4' begin='0;a.end' dur='0.3s'/></rect>", 300.0, 0.0,
         STIJL_SVG_END);
  TIMING("<rect>" ANIMATE("x", "to='9' dur='1.000001s' repeatCount='indefinite'")
             ANIMATE("y", "to='9' dur='0.999999s' repeatCount='indefinite'") "</rect>",
         0.0, 0.0, STIJL_SVG_END);
  TIMING(CSS("2s 1s 3"), 7.0, 0.0, 0.0);
  TIMING(CSS("2s 1s infinite"), 0.0, 1.0, 2.0);
  TIMING(CSS("2s infinite alternate, k 5s"), 5.0, 0.0, 4.0);
  TIMING(CSS("2s -9s infinite"), 0.0, 0.0, 2.0);
  TIMING(
      "<image width='9' height='9' href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg'>&lt;rect>"
      "&lt;animate attributeName='x' to='9' dur='2s'/>&lt;/rect>&lt;/svg>\"/>",
      2.0, 0.0, 0.0);
}

TEST(a_move_that_fails) {
  if (!have_svg()) SKIP("built without SVG");
  stijl_message message = {""};
  CHECK_INT(stijl_svg_set_time(NULL, 1.0, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_svg *svg = load(documents[1], 0.0, &message);
  CHECK_INT(stijl_svg_set_time(svg, -1.0, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(stijl_svg_set_time(svg, NAN, &message), STIJL_ERROR_INVALID_ARGUMENT);
  stijl_svg_destroy(svg);
  // A budget that is spent, and then not.
  stijl_budget *budget = NULL;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  CHECK_INT(stijl_budget_create(NULL, NULL, &budget), STIJL_OK);
  params.budget = budget;
  CHECK_INT(stijl_svg_load(NULL, documents[1], strlen(documents[1]), &params, &svg, &message), STIJL_OK);
  uint32_t nodes = stijl_svg_nodes(svg);
  stijl_budget_cancel(budget);
  CHECK_INT(stijl_svg_set_time(svg, 1.0, &message), STIJL_ERROR_CANCELLED);
  CHECK_INT(stijl_svg_nodes(svg), 0);
  stijl_budget_restart(budget);
  CHECK_INT(stijl_svg_set_time(svg, 1.0, &message), STIJL_OK);
  CHECK_INT(stijl_svg_nodes(svg), nodes);
  bytes a = saved(svg);
  stijl_svg *other = load(documents[1], 1.0, &message);
  bytes b = saved(other);
  CHECK(a.count == b.count && memcmp(a.data, b.data, a.count) == 0);
  free(a.data);
  free(b.data);
  stijl_svg_destroy(other);
  stijl_svg_destroy(svg);
  stijl_budget_destroy(budget);
}
