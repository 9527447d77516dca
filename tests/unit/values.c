// Values of SVG attributes and CSS properties.
#include "svg/parse/values.h"

#include <float.h>
#include <math.h>

#include "css/declaration.h"
#include "test.h"

#define TEXT(s) (s), strlen(s)

static const sj_length_base base = {
    .font_size = 20, .root_font_size = 16, .dpi = 96, .viewport_width = 400, .viewport_height = 200};

// Returns the pixels of a length; NaN when it is none.
static double pixels(const char *text) {
  sj_length length;
  if (!sj_parse_length(text, strlen(text), &length)) return (double)NAN;
  return (double)sj_length_pixels(length, &base, 50);
}

TEST(lengths) {
  CHECK_NEAR(pixels("5"), 5, 0);
  CHECK_NEAR(pixels("  -1.5e1px "), -15, 0);
  CHECK_NEAR(pixels("10%"), 5, 1e-6);
  CHECK_NEAR(pixels("1in"), 96, 0);
  CHECK_NEAR(pixels("2.54CM"), 96, 1e-4);
  CHECK_NEAR(pixels("25.4mm"), 96, 1e-4);
  CHECK_NEAR(pixels("101.6Q"), 96, 1e-4);
  CHECK_NEAR(pixels("72pt"), 96, 0);
  CHECK_NEAR(pixels("6pc"), 96, 0);
  CHECK_NEAR(pixels("2em"), 40, 0);
  CHECK_NEAR(pixels("1e1em"), 200, 0);
  CHECK_NEAR(pixels("2ex"), 20, 0);
  CHECK_NEAR(pixels("2ch"), 20, 0);
  CHECK_NEAR(pixels("2rem"), 32, 0);
  CHECK_NEAR(pixels("1vw"), 4, 0);
  CHECK_NEAR(pixels("1vh"), 2, 0);
  CHECK_NEAR(pixels("1vmin"), 2, 0);
  CHECK_NEAR(pixels("1vmax"), 4, 0);
  CHECK_NEAR(pixels("/*a*/3px/*b*/"), 3, 0);
  CHECK(isfinite(pixels("1e999in")));
  static const char *const bad[] = {"", " ", "px", "5 px", "5q5", "5pxx", "5px;", "1,2", "--5", "auto", "5%%", "0x5"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (!isnan(pixels(bad[i]))) sj_test_fail(__FILE__, __LINE__, "\"%s\" is a length", bad[i]);
  }
}

TEST(numbers_and_angles) {
  float v = 7;
  CHECK(sj_parse_number(TEXT(" .5 "), &v) && v == 0.5f);
  CHECK(!sj_parse_number(TEXT("0.1mm"), &v) && v == 0.5f);
  CHECK(sj_parse_number(TEXT("1."), &v) && v == 1.0f);
  CHECK(!sj_parse_number(TEXT("."), &v));
  CHECK(sj_parse_number_or_percent(TEXT("50%"), &v) && v == 0.5f);
  CHECK(sj_parse_number_or_percent(TEXT("-5"), &v) && v == -5);
  CHECK(!sj_parse_number_or_percent(TEXT("50 %"), &v));
  CHECK(sj_parse_angle(TEXT("90"), &v) && v == 90);
  CHECK(sj_parse_angle(TEXT("90deg"), &v) && v == 90);
  CHECK(sj_parse_angle(TEXT("100GRAD"), &v) && v == 90);
  CHECK(sj_parse_angle(TEXT("0.25turn"), &v) && v == 90);
  CHECK(sj_parse_angle(TEXT("3.14159265358979rad"), &v) && v == 180);
  CHECK(!sj_parse_angle(TEXT("90px"), &v));
}

TEST(lists) {
  float v, sum = 0;
  int count = 0;
  sj_list list = sj_list_begin(NULL, TEXT(" 1,2 3 ,\t4-5.5.5 "));
  for (; sj_list_next_number(&list, &v); count++) sum += v;
  CHECK(!list.failed && count == 6 && sum == 1 + 2 + 3 + 4 - 5.5f + .5f);
  CHECK(!sj_list_next_number(&list, &v));
  list = sj_list_begin(NULL, TEXT("10px 5% 2em"));
  sj_length length;
  CHECK(sj_list_next_length(&list, &length) && length.unit == SJ_UNIT_PX && length.value == 10);
  CHECK(sj_list_next_length(&list, &length) && length.unit == SJ_UNIT_PERCENT && length.value == 5);
  CHECK(sj_list_next_length(&list, &length) && length.unit == SJ_UNIT_EM && length.value == 2);
  CHECK(!sj_list_next_length(&list, &length) && !list.failed);
  static const char *const bad[] = {"1,", "1,,2", ",1", "1 x", "1px"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    list = sj_list_begin(NULL, TEXT(bad[i]));
    while (sj_list_next_number(&list, &v)) continue;
    CHECK(list.failed);
    CHECK(!sj_list_next_number(&list, &v));
  }
  list = sj_list_begin(NULL, TEXT("  "));
  CHECK(!sj_list_next_number(&list, &v) && !list.failed);
}

// Returns "r g b a", all of 255; "current"; or "bad".
static const char *color(const char *text) {
  static char out[64];
  sj_color_kind kind;
  stijl_color c;
  if (!sj_parse_color(text, strlen(text), NULL, &kind, &c)) return "bad";
  if (kind == SJ_COLOR_CURRENT) return "current";
  snprintf(out, sizeof out, "%.3g %.3g %.3g %.3g", (double)c.r * 255, (double)c.g * 255, (double)c.b * 255,
           (double)c.a * 255);
  return out;
}

TEST(colors_of_srgb) {
  CHECK_STR(color("red"), "255 0 0 255");
  CHECK_STR(color(" GreeN "), "0 128 0 255");
  CHECK_STR(color("aliceblue"), "240 248 255 255");
  CHECK_STR(color("yellowgreen"), "154 205 50 255");
  CHECK_STR(color("LightGoldenrodYellow"), "250 250 210 255");
  CHECK_STR(color("rebeccapurple"), "102 51 153 255");
  CHECK_STR(color("transparent"), "0 0 0 0");
  CHECK_STR(color("currentColor"), "current");
  CHECK_STR(color("#39D"), "51 153 221 255");
  CHECK_STR(color("#0A0A"), "0 170 0 170");
  CHECK_STR(color("#00fF01"), "0 255 1 255");
  CHECK_STR(color("#01020380"), "1 2 3 128");
  CHECK_STR(color("rgb(0.8, 127.5, 14.2)"), "1 128 14 255");
  CHECK_STR(color("rgb(0 128 0)"), "0 128 0 255");
  CHECK_STR(color("rgb(0%, 45.5%, 0%)"), "0 116 0 255");
  CHECK_STR(color("rgb(-10%, 50%, 120%)"), "0 128 255 255");
  CHECK_STR(color("rgb(59.60784313725490196078431372549%,98.431372549019607843137254901961%,59.607843%)"),
            "152 251 152 255");
  CHECK_STR(color("rgba(0, 127, 0, 2)"), "0 127 0 255");
  CHECK_STR(color("rgba(0%, 50%, 0%, 0.5)"), "0 128 0 128");
  CHECK_STR(color("RGB(1 50% 3 / 20%)"), "1 128 3 51");
  CHECK_STR(color("rgb(none 5 none/none)"), "0 5 0 0");
  CHECK_STR(color("rgb(1,2,3"), "1 2 3 255");
  CHECK_STR(color("rgb( 1 , 2 , 3 , .4 )"), "1 2 3 102");
  CHECK_STR(color("hsl(120, 100%, 25%)"), "0 128 0 255");
  CHECK_STR(color("hsla(-240, 100%, 25%, 0.5)"), "0 128 0 128");
  CHECK_STR(color("hsl(0.5turn 100 50)"), "0 255 255 255");
  CHECK_STR(color("hsl(200deg, 250%, 50%)"), "0 170 255 255");
  CHECK_STR(color("hwb(120 0% 50%)"), "0 128 0 255");
  CHECK_STR(color("hwb(0 80% 120%)"), "113 113 113 255");  // white / (white + black), of 80 % and 100 %: 4/9
}

TEST(malformed_colors) {
  static const char *const bad[] = {"",
                                    "#",
                                    "#12",
                                    "#12345",
                                    "#1234567",
                                    "#123456789",
                                    "#ggg",
                                    "# fff",
                                    "re d",
                                    "reds",
                                    "red blue",
                                    "rgb",
                                    "rgb()",
                                    "rgb(1,2)",
                                    "rgb(1,2,3,4,5)",
                                    "rgb(1 2,3)",
                                    "rgb(1,2 3)",
                                    "rgb(1 2 3, 4)",
                                    "rgb(1,2,3/4)",
                                    "rgb(1,2,3)x",
                                    "rgb (1,2,3)",
                                    "rgba(0, 50%, 0, 0.5)",
                                    "rgb(1px 2 3)",
                                    "rgb(none, 1, 2)",
                                    "hsl(120, 100, 25)",
                                    "hsl(120px 100% 25%)",
                                    "hwb(1, 2%, 3%)",
                                    "lab(1, 2, 3)",
                                    "color(1 1 1)",
                                    "color(cmyk 1 1 1)",
                                    "color(srgb 1 1)",
                                    "inherit",
                                    "none",
                                    "url(#a)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (strcmp(color(bad[i]), "bad") != 0) sj_test_fail(__FILE__, __LINE__, "\"%s\" is a colour", bad[i]);
  }
}

// Values of the CSS Color 4 specification's examples and of its web platform tests.
TEST(colors_of_other_spaces) {
  CHECK_STR(color("lab(46.2775% -47.5621 48.5837)"), "0 128 0 255");
  CHECK_STR(color("lab(100 0 0)"), "255 255 255 255");
  CHECK_STR(color("lab(0 0 0)"), "0 0 0 255");
  CHECK_STR(color("lch(46.2775% 67.9892 134.3912)"), "0 128 0 255");
  CHECK_STR(color("oklab(51.975% -0.1403 0.10768)"), "0 128 0 255");
  CHECK_STR(color("oklch(51.975% 0.17686 142.495)"), "0 128 0 255");
  CHECK_STR(color("oklab(1 0 0)"), "255 255 255 255");
  CHECK_STR(color("color(srgb 0 0.5 1 / 50%)"), "0 128 255 128");
  CHECK_STR(color("color(srgb-linear 1 0.21586 0)"), "255 128 0 255");
  CHECK_STR(color("color(display-p3 0.21604 0.49418 0.13151)"), "0 128 0 255");
  CHECK_STR(color("color(a98-rgb 0.281363 0.498012 0.116746)"), "0 128 0 255");
  CHECK_STR(color("color(prophoto-rgb 0.230479 0.395789 0.129968)"), "0 128 0 255");
  CHECK_STR(color("color(rec2020 0.235202 0.431704 0.085432)"), "0 128 0 255");
  CHECK_STR(color("color(xyz 0.07719 0.15438 0.02573)"), "0 128 0 255");
  CHECK_STR(color("color(xyz-d65 0.07719 0.15438 0.02573)"), "0 128 0 255");
  CHECK_STR(color("color(xyz-d50 0.08314 0.154746 0.020966)"), "0 128 0 255");
  static const char *const whites[] = {"color(display-p3 1 1 1)",     "color(a98-rgb 1 1 1)",
                                       "color(prophoto-rgb 1 1 1)",   "color(rec2020 1 1 1)",
                                       "color(srgb-linear 100% 1 1)", "color(xyz 9e37 9e37 9e37)"};
  for (size_t i = 0; i < sizeof whites / sizeof *whites; i++) CHECK_STR(color(whites[i]), "255 255 255 255");
  CHECK_STR(color("color(display-p3 0 1 0)"), "0 255 0 255");  // clamped
}

TEST(system_colors) {
  CHECK_STR(color("Canvas"), "255 255 255 255");
  CHECK_STR(color("accentcolor"), "0 117 255 255");
  CHECK_STR(color("LinkText"), "0 0 238 255");
  CHECK_STR(color("VISITEDTEXT"), "85 26 139 255");
  CHECK_STR(color("windowtext"), "0 0 0 255");
  CHECK_STR(color("selecteditemtext"), "255 255 255 255");
  CHECK_STR(color("canvastex"), "bad");
}

// The expected values are those of Chromium.
TEST(relative_colors) {
  CHECK_STR(color("color(from #00f srgb r 0.5 b)"), "0 128 255 255");
  CHECK_STR(color("rgb(from red r g b / 50%)"), "255 0 0 128");
  CHECK_STR(color("rgba(from #ff000080 r g b)"), "255 0 0 128");
  CHECK_STR(color("rgb(from #102030 b calc(r * 2) 7)"), "48 32 7 255");
  CHECK_STR(color("hsl(from green calc(h + 120) s l)"), "0 0 128 255");
  CHECK_STR(color("hwb(from #369 H W B / calc(alpha / 2))"), "51 102 153 128");
  CHECK_STR(color("oklch(from red l c h)"), "255 0 0 255");
  CHECK_STR(color("oklab(from #808080 l a b / alpha)"), "128 128 128 255");
  CHECK_STR(color("lab(from white 50 a b)"), "119 119 119 255");
  CHECK_STR(color("color(from red xyz x y z)"), "255 0 0 255");
  CHECK_STR(color("rgb(from rgb(from light-dark(#123, red) r g b) b g r)"), "51 34 17 255");
  CHECK_STR(color("color(from white srgb clamp(0,calc(9e9*(0.5 - (0.2126*r + 0.7152*g + 0.0722*b))),1) 0 none)"),
            "0 0 0 255");
  static const char *const bad[] = {"rgb(from red)",
                                    "rgb(from red r g)",
                                    "rgb(from red, r, g, b)",
                                    "rgb(from red h s l)",
                                    "rgb(r g b)",
                                    "rgb(from currentColor r g b)",
                                    "rgb(from nonsense r g b)",
                                    "color(srgb from red r g b)",
                                    "rgb(from r g b)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK_STR(color(bad[i]), "bad");
}

TEST(light_colors) {
  CHECK_STR(color("light-dark(#123, white)"), "17 34 51 255");
  CHECK_STR(color("LIGHT-DARK( rgb(1 2 3), light-dark(red, blue) )"), "1 2 3 255");
  CHECK_STR(color("light-dark(currentColor, red)"), "current");
  CHECK_STR(color("color-mix(in srgb, light-dark(red, white), blue)"), "128 0 128 255");
  static const char *const bad[] = {"light-dark(red)",      "light-dark(red, none)",     "light-dark(red, blue, green)",
                                    "light-dark(red blue)", "light-dark(nonsense, red)", "light-dark(red, blue) red"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK_STR(color(bad[i]), "bad");
}

TEST(mixed_colors) {
  CHECK_STR(color("color-mix(in srgb, red, blue)"), "128 0 128 255");
  CHECK_STR(color("color-mix(in srgb, red 25%, blue)"), "64 0 191 255");
  CHECK_STR(color("color-mix(in srgb, 25% red, blue)"), "64 0 191 255");
  CHECK_STR(color("color-mix(in srgb, red, blue 75%)"), "64 0 191 255");
  CHECK_STR(color("color-mix(in srgb, red 25%, blue 25%)"), "128 0 128 128");
  CHECK_STR(color("color-mix(in srgb, red 80%, transparent)"), "255 0 0 204");
  CHECK_STR(color("color-mix(in srgb-linear, red, blue)"), "188 0 188 255");
  CHECK_STR(color("color-mix(in oklab, red 25%, blue)"), "81 71 210 255");
  CHECK_STR(color("color-mix(in hsl longer hue, red 25%, blue)"), "0 255 255 255");
  CHECK_STR(color("color-mix(in hsl, red, blue)"), "255 0 255 255");
  CHECK_STR(color("color-mix(in hwb, white, red)"), "255 128 128 255");
  CHECK_STR(color("color-mix(in lch, lime, lime)"), "0 255 0 255");
  CHECK_STR(color("color-mix(in oklch, teal, teal)"), "0 128 128 255");
  CHECK_STR(color("color-mix(in lab, teal, teal 0%)"), "0 128 128 255");
  CHECK_STR(color("color-mix(in xyz, red, color-mix(in srgb, red, red))"), "255 0 0 255");
  CHECK_STR(color("color-mix(in srgb, red)"), "bad");
  CHECK_STR(color("color-mix(in srgb, red 0%, blue 0%)"), "bad");
  CHECK_STR(color("color-mix(in srgb, red 101%, blue)"), "bad");
  CHECK_STR(color("color-mix(in srgb longer hue, red, blue)"), "bad");
  CHECK_STR(color("color-mix(red, blue)"), "bad");
  CHECK_STR(color("color-mix(in srgb, currentColor, blue)"), "bad");
  sj_color_kind kind;
  stijl_color current = {1.0f, 0.0f, 0.0f, 1.0f}, c;
  CHECK(sj_parse_color(TEXT("color-mix(in srgb, currentColor 20%, #000)"), &current, &kind, &c));
  CHECK(kind == SJ_COLOR_RGBA && c.r == 51.0f / 255.0f && c.g == 0.0f && c.a == 1.0f);
  CHECK_STR(color("rgb(calc(100 + 28) 0 calc(50%) / calc(1 / 2))"), "128 0 128 128");
  CHECK_STR(color("hsl(calc(60deg * 2) 100% 50%)"), "0 255 0 255");
}

static float pixels_of(const char *text) {
  const sj_length_base ten = {10.0f, 20.0f, 96.0f, 200.0f, 100.0f, NULL, {0}};
  sj_length length;
  return sj_parse_length(text, strlen(text), &length) ? sj_length_pixels(length, &ten, 50.0f) : -99.0f;
}

TEST(calculations) {
  CHECK_NEAR(pixels_of("calc(1px + 2px)"), 3, 0);
  CHECK_NEAR(pixels_of(" CALC( 2em - 1px )"), 19, 0);
  CHECK_NEAR(pixels_of("calc(10% + 5px)"), 10, 0);
  CHECK_NEAR(pixels_of("calc(2 * (1px + 3px) / 4)"), 2, 0);
  CHECK_NEAR(pixels_of("calc(2 * 3 * 1rem)"), 120, 0);
  CHECK_NEAR(pixels_of("min(10px, 10%, 1em)"), 5, 0);
  CHECK_NEAR(pixels_of("max(10px, 50%)"), 25, 0);
  CHECK_NEAR(pixels_of("clamp(1px, 30px, 20px)"), 20, 0);
  CHECK_NEAR(pixels_of("clamp(25px, 1px, 20px)"), 25, 0);
  CHECK_NEAR(pixels_of("calc(-1 * calc(1px + (2px)))"), -3, 0);
  CHECK_NEAR(pixels_of("calc(10%)"), 5, 0);
  CHECK_NEAR(pixels_of("calc(1px+2px)"), -99, 0);
  CHECK_NEAR(pixels_of("calc(1px * 2px)"), -99, 0);
  CHECK_NEAR(pixels_of("calc(1px + 2)"), -99, 0);
  CHECK_NEAR(pixels_of("calc(1px + 2deg)"), -99, 0);
  CHECK_NEAR(pixels_of("calc(1px"), 1, 0);
  CHECK_NEAR(pixels_of("calc()"), -99, 0);
  CHECK_NEAR(pixels_of("clamp(1px, 2px)"), -99, 0);
  CHECK_NEAR(pixels_of("calc(1px / 0)"), FLT_MAX, 0);
  char deep[4000] = "";
  for (int i = 0; i < 900; i++) strcat(deep, "calc");
  CHECK_NEAR(pixels_of(deep), -99, 0);
  strcpy(deep, "calc");
  for (int i = 0; i < 3000; i++) strcat(deep, "(");
  CHECK_NEAR(pixels_of(deep), -99, 0);
  float v;
  CHECK(sj_parse_number_or_percent(TEXT("calc(10% * 3)"), &v) && v == 0.3f);
  CHECK(sj_parse_angle(TEXT("calc(1turn / 4)"), &v) && v == 90.0f);
  stijl_matrix m;
  const sj_length_base ten = {10.0f, 20.0f, 96.0f, 200.0f, 100.0f, NULL, {0}};
  CHECK(sj_parse_css_transform(TEXT("translate(calc(50% - 1em), 3px)"), &ten, 100, 100, &m) && m.e == 40 && m.f == 3);
}

TEST(single_transforms) {
  const sj_length_base ten = {10.0f, 20.0f, 96.0f, 200.0f, 100.0f, NULL, {0}};
  stijl_matrix m;
  CHECK(sj_parse_translate(TEXT("10px 50%"), &ten, 30, 60, &m) && m.e == 10 && m.f == 30);
  CHECK(sj_parse_translate(TEXT("1em"), &ten, 30, 60, &m) && m.e == 10 && m.f == 0);
  CHECK(!sj_parse_translate(TEXT("1em 2 3 4"), &ten, 30, 60, &m));
  CHECK(sj_parse_rotate(TEXT("90deg"), &m) && m.a == 0 && m.b == 1);
  CHECK(sj_parse_rotate(TEXT("z .25turn"), &m) && m.b == 1);
  CHECK(!sj_parse_rotate(TEXT("x 90deg"), &m));
  CHECK(sj_parse_scale(TEXT("2"), &m) && m.a == 2 && m.d == 2);
  CHECK(sj_parse_scale(TEXT("50% 3"), &m) && m.a == 0.5f && m.d == 3);
  CHECK(!sj_parse_scale(TEXT("1px"), &m));
}

TEST(urls) {
  const char *url, *rest, *id;
  size_t n, rest_n, id_n;
  static const char *const same[] = {"url(#a)",     " url( #a ) ",     "URL('#a')", "url(\"#a\")",
                                     "url( '#a' )", "url(\n\"#a\"\t)", "url(#a",    "url('#a'"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    CHECK(sj_parse_url(TEXT(same[i]), &url, &n, NULL, NULL) && n == 2 && memcmp(url, "#a", 2) == 0);
    CHECK(sj_url_fragment(url, n, &id, &id_n) && id_n == 1 && *id == 'a');
  }
  CHECK(!sj_parse_url(TEXT("url(#a) b"), &url, &n, NULL, NULL));
  CHECK(sj_parse_url(TEXT("url(#a) b "), &url, &n, &rest, &rest_n) && *rest == 'b');
  CHECK(!sj_parse_url(TEXT("url (#a)"), &url, &n, NULL, NULL));
  CHECK(!sj_parse_url(TEXT("url('#a"), &url, &n, NULL, NULL));
  CHECK(!sj_parse_url(TEXT("#a"), &url, &n, NULL, NULL));
  CHECK(!sj_parse_url(TEXT("url(#a b)"), &url, &n, NULL, NULL));
  CHECK(!sj_parse_url(TEXT("url(#a(b)"), &url, &n, NULL, NULL));
  CHECK(sj_parse_url(TEXT("url('#a b')"), &url, &n, NULL, NULL) && n == 4);
  CHECK(!sj_url_fragment(TEXT("#"), &id, &id_n));
  CHECK(!sj_url_fragment(TEXT(""), &id, &id_n));
  CHECK(!sj_url_fragment(TEXT("other.svg#a"), &id, &id_n));
}

TEST(paints) {
  sj_paint_value p;
  CHECK(sj_parse_paint(TEXT("none"), NULL, &p) && p.kind == SJ_PAINT_VALUE_NONE);
  CHECK(sj_parse_paint(TEXT(" Lime "), NULL, &p) && p.kind == SJ_PAINT_VALUE_COLOR && p.color.g == 1 && p.color.a == 1);
  CHECK(sj_parse_paint(TEXT("currentcolor"), NULL, &p) && p.kind == SJ_PAINT_VALUE_CURRENT_COLOR);
  CHECK(sj_parse_paint(TEXT("context-fill"), NULL, &p) && p.kind == SJ_PAINT_VALUE_CONTEXT_FILL);
  CHECK(sj_parse_paint(TEXT("context-stroke"), NULL, &p) && p.kind == SJ_PAINT_VALUE_CONTEXT_STROKE);
  CHECK(sj_parse_paint(TEXT("#CD853F icc-color(acmecmyk, 0.11, 0.48)"), NULL, &p) && p.kind == SJ_PAINT_VALUE_COLOR);
  CHECK(sj_parse_paint(TEXT(" url( #lg1 ) "), NULL, &p) && p.kind == SJ_PAINT_VALUE_URL && p.url_length == 4);
  CHECK(!p.has_fallback);
  CHECK(sj_parse_paint(TEXT("url(#a) none"), NULL, &p) && p.has_fallback && p.fallback == SJ_PAINT_VALUE_NONE);
  CHECK(sj_parse_paint(TEXT("url(#a)lime"), NULL, &p) && p.fallback == SJ_PAINT_VALUE_COLOR && p.color.g == 1);
  CHECK(sj_parse_paint(TEXT("url(#a) currentColor"), NULL, &p) && p.fallback == SJ_PAINT_VALUE_CURRENT_COLOR);
  CHECK(sj_parse_paint(TEXT("url(#a) green icc-color(x, 1)"), NULL, &p) && p.fallback == SJ_PAINT_VALUE_COLOR);
  p.url_length = 99;
  CHECK(!sj_parse_paint(TEXT("url(#a) qwe"), NULL, &p) && p.url_length == 99);
  CHECK(!sj_parse_paint(TEXT(""), NULL, &p));
  CHECK(!sj_parse_paint(TEXT("none none"), NULL, &p));
  CHECK(!sj_parse_paint(TEXT("red url(#a)"), NULL, &p));
}

// Returns "a b c d e f" of a transform, attribute or CSS; or "bad".
static const char *transform(const char *text, bool css) {
  static char out[128];
  stijl_matrix m;
  bool good = css ? sj_parse_css_transform(text, strlen(text), &base, 200, 100, &m)
                  : sj_parse_transform(text, strlen(text), &m);
  if (!good) return "bad";
  snprintf(out, sizeof out, "%.4g %.4g %.4g %.4g %.4g %.4g", (double)m.a + 0.0, (double)m.b + 0.0, (double)m.c + 0.0,
           (double)m.d + 0.0, (double)m.e + 0.0, (double)m.f + 0.0);
  return out;
}

TEST(transform_attribute) {
  CHECK_STR(transform("", false), "1 0 0 1 0 0");
  CHECK_STR(transform(" matrix ( 1 2,3 4 5 6 ) ", false), "1 2 3 4 5 6");
  CHECK_STR(transform("translate(10)", false), "1 0 0 1 10 0");
  CHECK_STR(transform("translate(10-20)", false), "1 0 0 1 10 -20");
  CHECK_STR(transform("scale(2)", false), "2 0 0 2 0 0");
  CHECK_STR(transform("scale(2 3)", false), "2 0 0 3 0 0");
  CHECK_STR(transform("rotate(90)", false), "0 1 -1 0 0 0");
  CHECK_STR(transform("rotate(90 100 50)", false), "0 1 -1 0 150 -50");
  CHECK_STR(transform("skewX(45)", false), "1 0 1 1 0 0");
  CHECK_STR(transform("skewY(45)", false), "1 1 0 1 0 0");
  CHECK_STR(transform("translate(10 20)scale(2),translate(1,1)", false), "2 0 0 2 12 22");
  CHECK_STR(transform("skewX(90)", false), "0 0 0 0 0 0");
  CHECK_STR(transform("scale(1e30) scale(1e30)", false), "0 0 0 0 0 0");
  static const char *const bad[] = {"qwe",          "scale",          "scale(",        "scale(1",        "scale()",
                                    "scale(1 2 3)", "scale(1,)",      "scale(1,,2)",   "scale(,1)",      "scale(2px)",
                                    "rotate(1 2)",  "rotate(45deg)",  "matrix(1 2 3)", "scale(2) x",     "scale(2),",
                                    "scaleX(2)",    "translateX(10)", "none",          "rotate(1 2 3 4)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (strcmp(transform(bad[i], false), "bad") != 0) sj_test_fail(__FILE__, __LINE__, "\"%s\" is good", bad[i]);
  }
}

TEST(transform_property) {
  CHECK_STR(transform("none", true), "1 0 0 1 0 0");
  CHECK_STR(transform("scale(2)", true), "2 0 0 2 0 0");
  CHECK_STR(transform("scale(50%, 2)", true), "0.5 0 0 2 0 0");
  CHECK_STR(transform("translate(10px, 1em) scaleX(2)", true), "2 0 0 1 10 20");
  CHECK_STR(transform("translate(50%, 50%)", true), "1 0 0 1 100 50");
  CHECK_STR(transform("translateX(1in)translateY(2px)", true), "1 0 0 1 96 2");
  CHECK_STR(transform("translate(1px, 0)", true), "1 0 0 1 1 0");
  CHECK_STR(transform("translate(1, 2)", true), "bad");
  CHECK_STR(transform("rotate(45)", true), "bad");
  CHECK_STR(transform("ROTATE(0.25TURN)", true), "0 1 -1 0 0 0");
  CHECK_STR(transform("rotate(100grad)", true), "0 1 -1 0 0 0");
  CHECK_STR(transform("skew(45deg)", true), "1 0 1 1 0 0");
  CHECK_STR(transform("skewY(45deg) scaleY(3)", true), "1 1 0 3 0 0");
  static const char *const bad[] = {"",           "none none",  "scale (2)", "rotate(5px)", "translate(5deg)",
                                    "scale(2px)", "rotate3d(1)"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (strcmp(transform(bad[i], true), "bad") != 0) sj_test_fail(__FILE__, __LINE__, "\"%s\" is good", bad[i]);
  }
}

TEST(transform_origin) {
  static const struct {
    const char *text;
    float x, y;
    sj_unit x_unit, y_unit;
  } cases[] = {{"center", 50, 50, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"bottom", 50, 100, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"right", 100, 50, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"top left", 0, 0, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"right bottom", 100, 100, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"center left", 0, 50, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"center top", 50, 0, SJ_UNIT_PERCENT, SJ_UNIT_PERCENT},
               {"100 100", 100, 100, SJ_UNIT_NONE, SJ_UNIT_NONE},
               {" 10px 20% 3px ", 10, 20, SJ_UNIT_PX, SJ_UNIT_PERCENT},
               {"10px", 10, 50, SJ_UNIT_PX, SJ_UNIT_PERCENT},
               {"left 5px", 0, 5, SJ_UNIT_PERCENT, SJ_UNIT_PX},
               {"5px top", 5, 0, SJ_UNIT_PX, SJ_UNIT_PERCENT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sj_length x, y;
    CHECK(sj_parse_transform_origin(TEXT(cases[i].text), &x, &y));
    CHECK(x.value == cases[i].x && y.value == cases[i].y && x.unit == cases[i].x_unit && y.unit == cases[i].y_unit);
  }
  static const char *const bad[] = {"",        "left right", "top bottom", "top 5px", "5px left",
                                    "1 2 3 4", "1 2 3%",     "x",          "1 2 left"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sj_length x, y;
    if (sj_parse_transform_origin(TEXT(bad[i]), &x, &y)) sj_test_fail(__FILE__, __LINE__, "\"%s\" is good", bad[i]);
  }
}

TEST(view_boxes) {
  sj_view_box box;
  CHECK(sj_parse_view_box(TEXT("-1 2,3 , 4"), &box) && box.x == -1 && box.y == 2 && box.width == 3 && box.height == 4);
  CHECK(sj_parse_view_box(TEXT("0 0 0 4"), &box) && box.width == 0);
  static const char *const bad[] = {"", "0 0 1", "0 0 -1 1", "0 0 1 1 1", "0 0 1 1px", "0 0 1 1,", "a"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!sj_parse_view_box(TEXT(bad[i]), &box));
}

TEST(aspects) {
  sj_aspect a;
  CHECK(sj_parse_aspect(TEXT("none"), &a) && a.none);
  CHECK(sj_parse_aspect(TEXT(" xMinYMax  slice "), &a) && a.x == SJ_ALIGN_MIN && a.y == SJ_ALIGN_MAX && a.slice &&
        !a.none);
  CHECK(sj_parse_aspect(TEXT("defer xMidYMid meet"), &a) && a.x == SJ_ALIGN_MID && !a.slice);
  static const char *const bad[] = {"",         "xMinYMi", "xminymin", "xMinYMin cover", "xMinYMin meet x",
                                    "yMinxMin", "slice"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!sj_parse_aspect(TEXT(bad[i]), &a));
}

TEST(view_box_matrices) {
  const sj_view_box box = {10, 20, 100, 50};
  sj_aspect a = SJ_ASPECT_DEFAULT;
  stijl_rect seen;
  stijl_matrix m = sj_view_box_matrix(&box, &a, 200, 200, &seen);
  // Fits the width at 2; 100 high, so 50 above and below.
  CHECK(m.a == 2 && m.d == 2 && m.e == -20 && m.f == 10 && m.b == 0 && m.c == 0);
  CHECK(seen.x0 == 10 && seen.y0 == -5 && seen.x1 == 110 && seen.y1 == 95);
  a.slice = true;
  a.x = SJ_ALIGN_MAX;
  m = sj_view_box_matrix(&box, &a, 200, 200, &seen);
  CHECK(m.a == 4 && m.d == 4 && m.e == -240 && m.f == -80);
  CHECK(seen.x0 == 60 && seen.y0 == 20 && seen.x1 == 110 && seen.y1 == 70);
  a.none = true;
  m = sj_view_box_matrix(&box, &a, 200, 200, NULL);
  CHECK(m.a == 2 && m.d == 4 && m.e == -20 && m.f == -80);
  const sj_view_box flat = {0, 0, 0, 5}, huge = {3e38f, 0, 1e-30f, 1e-30f};
  m = sj_view_box_matrix(&flat, &a, 200, 200, &seen);
  CHECK(m.a == 1 && m.d == 1);
  CHECK(stijl_matrix_is_finite(sj_view_box_matrix(&huge, &a, 3e38f, 200, &seen)) && isfinite(seen.x1));
}

// Returns all declarations as "name=value;", with "!" behind important ones.
static const char *declarations(const char *text) {
  static char out[1024];
  size_t used = 0;
  out[0] = 0;
  sj_declarations list = sj_declarations_begin(TEXT(text));
  sj_declaration d;
  while (sj_declarations_next(&list, &d)) {
    used += (size_t)snprintf(out + used, sizeof out - used, "%.*s=%.*s%s;", (int)d.name_length, d.name,
                             (int)d.value_length, d.value, d.important ? "!" : "");
  }
  return out;
}

TEST(style_attributes) {
  CHECK_STR(declarations(""), "");
  CHECK_STR(declarations("a:b"), "a=b;");
  CHECK_STR(declarations(" a : b ; c : d !important ; "), "a=b;c=d!;");
  CHECK_STR(declarations("a:b ! IMPORTANT;a:b!important"), "a=b!;a=b!;");
  CHECK_STR(declarations("/*text*/fill:green/*text*/"), "fill=green;");
  CHECK_STR(declarations("a/**/:/**/b/*;*/;c:d"), "a=b;c=d;");
  CHECK_STR(declarations("font-variation-settings: 'wdth' 75, 'GRAD' 100;--X:y"),
            "font-variation-settings='wdth' 75, 'GRAD' 100;--X=y;");
  CHECK_STR(declarations("a:url(data:x;base64,AA);b:c"), "a=url(data:x;base64,AA);b=c;");
  CHECK_STR(declarations("a:\"x;y\\\";z\";b:c"), "a=\"x;y\\\";z\";b=c;");
  CHECK_STR(declarations("a:f(\"x)\";);b:c"), "a=f(\"x)\";);b=c;");
  CHECK_STR(declarations("a:{x;y};b:c"), "a={x;y};b=c;");
  CHECK_STR(declarations("a:"), "a=;");
  // Malformed ones go, the rest stays.
  CHECK_STR(declarations("x;a:b"), "a=b;");
  CHECK_STR(declarations(":x;;;a:b;italic"), "a=b;");
  CHECK_STR(declarations("x y:z;a:b"), "a=b;");
  CHECK_STR(declarations("a:(b;c:d"), "a=(b;c:d;");
  CHECK_STR(declarations("a:b;/* open"), "a=b;");
  CHECK_STR(declarations("a:b important"), "a=b important;");
  CHECK_STR(declarations("a:b ! x important;a:!b;a:b!importantly;a:\"!important\""),
            "a=b ! x important;a=!b;a=b!importantly;a=\"!important\";");
  CHECK_STR(declarations("a:b/*1*/!/*2*/important/*3*/;a:!important;a:/**/;a:b/*!*/"), "a=b!;a=!;a=;a=b;");
}

TEST(keywords_and_trimming) {
  CHECK(sj_is_keyword(TEXT("NoNe"), "none"));
  CHECK(!sj_is_keyword(TEXT("nonee"), "none"));
  CHECK(!sj_is_keyword(TEXT("non"), "none"));
  CHECK(sj_is_keyword(TEXT(""), ""));
  const char *text = " /*x*/ a /*y*/ b /*z*/";
  size_t length = strlen(text);
  sj_trim(&text, &length);
  CHECK(length == 9 && memcmp(text, "a /*y*/ b", 9) == 0);
  text = " /*";
  length = 3;
  sj_trim(&text, &length);
  CHECK_INT(length, 0);
}
