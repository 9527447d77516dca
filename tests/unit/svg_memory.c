// Each allocation of loading and recording fails in turn: an error, nothing lost, and the next try works.
#include "allocator.h"
#include "svg_draw.h"

static const char *const documents[] = {
    SVG("<clipPath id='c' clip-path='url(#d)'><circle r='30'/><rect width='9' height='9' "
        "clip-path='url(#d)'/></clipPath>"
        "<clipPath id='d'><use href='#r'/></clipPath><rect id='r' width='64' height='64' clip-path='url(#c)'/>"),
    SVG("<mask id='m' color-interpolation='linearRGB' mask='url(#n)'><rect width='64' height='64' fill='gray'/></mask>"
        "<mask id='n' mask-type='alpha'><circle r='50'/></mask><g mask='url(#m)' opacity='.5'>"
        "<path d='M0 0h64v64z' transform='rotate(10)'/></g>"),
    SVG("<marker id='m' orient='auto'><path d='M0 0h9v9z' fill='context-stroke'/></marker>"
        "<path d='M0 0A30 30 0 0 1 60 60z' stroke='red' stroke-dasharray='4 1 2' marker-mid='url(#m)' "
        "style='marker-end:url(#m);fill:none'/>"),
    SVG("<linearGradient id='a' href='#b'/><linearGradient id='b'><stop stop-color='red'/><stop offset='1'/>"
        "</linearGradient><pattern id='p' width='.5' height='.5'><rect width='30' height='30' "
        "fill='url(#a)'/></pattern>"
        "<rect width='64' height='64' fill='url(#p)' stroke='url(#a)' clip-path='polygon(0 0, 60px 0, 60px 60px)'/>"),
    SVG("<image width='64' height='64' preserveAspectRatio='xMidYMid slice' href='data:image/svg+xml,&lt;svg "
        "xmlns=&quot;http://www.w3.org/2000/svg&quot;>&lt;rect width=&quot;9&quot; height=&quot;9&quot;/>&lt;/svg>'/>"
        "<symbol id='s' viewBox='0 0 9 9'><circle r='5'/></symbol><use href='#s' style='mix-blend-mode:screen'/>"),
    SVG("<style>@namespace i url(urn:i); .a[width='9'], [i|k^=b] { fill: var(--c) } g { --c: red }</style>"
        "<g class='a b' xmlns:i='urn:i' i:k='bc'><rect class='a' width='9' height='9'><animate attributeName='x' "
        "values='1'/><animate attributeName='rx' values='2'/></rect></g>"),
};

static stijl_result run(stijl_context *context, const char *text) {
  stijl_svg *svg;
  stijl_scene *scene = NULL;
  stijl_message message;
  stijl_svg_params params = STIJL_SVG_PARAMS_INIT;
  params.base_folder = "/tmp";
  stijl_result result = stijl_svg_load(context, text, strlen(text), &params, &svg, &message);
  if (result != STIJL_OK) return result;
  result = stijl_svg_scene(svg, 16, 16, &scene, &message);
  CHECK((scene != NULL) == (result == STIJL_OK));
  stijl_scene_destroy(scene);
  stijl_svg_destroy(svg);
  return result;
}

TEST(each_allocation_fails_in_turn) {
  if (!have_svg()) SKIP("built without SVG");
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    sj_test_allocator a = {.refused = LONG_MAX, .forever = true};
    stijl_context *context = sj_test_context(&a);
    long before = a.live;
    int failures = 0;
    for (long n = 0;; n++) {
      a.refused = a.requests + n;
      stijl_result result = run(context, documents[i]);
      bool all = a.requests <= a.refused;
      a.refused = LONG_MAX;
      CHECK_INT(a.live, before);
      failures += result == STIJL_ERROR_OUT_OF_MEMORY;
      // What only speeds things up may be done without.
      if (result != STIJL_OK) CHECK_INT(result, STIJL_ERROR_OUT_OF_MEMORY);
      if (all || n > 5000) break;
    }
    CHECK(failures > 10);
    CHECK_INT(run(context, documents[i]), STIJL_OK);
    stijl_context_destroy(context);
  }
}
