// Parts of the lab that need no device: statistics, access patterns, what is read of machine code, and its plots, drawn
// by stijl.
#include <dlfcn.h>
#include <math.h>

#include "lab/access.h"
#include "lab/assembly.h"
#include "lab/instructions.h"
#include "lab/nvidia.h"
#include "lab/tell.h"
#include "lab_report.h"

TEST(median) {
  double values[] = {5, 1, 4, 2, 3, 9, 7, 8, 6, 15, 11, 12, 13, 14, 10}, median, low, high;
  sj_lab_median(values, 15, &median, &low, &high);
  CHECK_NEAR(median, 8, 0);
  // 95 % of the median's confidence of 15 values lie between the 4th and the 12th.
  CHECK_NEAR(low, 4, 0);
  CHECK_NEAR(high, 13, 1);
  sj_lab_median(values, 2, &median, &low, &high);
  CHECK_NEAR(median, 1.5, 0);
}

// A clock that stands low is none to measure by, once it is known to stand higher.
TEST(warmth) {
  sj_lab_warmth w = {0};
  for (int i = 0; i < 5; i++) CHECK(!sj_lab_is_steady(&w, 57.0));
  CHECK(sj_lab_is_steady(&w, 57.1));
  CHECK(!sj_lab_is_steady(&w, 40.0));
  for (int i = 0; i < 4; i++) CHECK(!sj_lab_is_steady(&w, 10.0 + i * 0.001));
  CHECK(!sj_lab_is_steady(&w, 10.0));
  CHECK(sj_lab_is_steady(&w, 10.0));
  for (int i = 0; i < 20; i++) CHECK(!sj_lab_is_steady(&w, 57.0));
  for (int i = 0; i < 5; i++) CHECK(!sj_lab_is_steady(&w, 10.1));
  CHECK(sj_lab_is_steady(&w, 10.1));
}

// A figure beyond the ceilings fails the run; one below does not.
TEST(physics) {
  sj_lab_page page;
  sj_lab_page_init(&page, sj_context(NULL), "test");
  sj_lab lab = {.context = sj_context(NULL), .page = &page};
  lab.ceilings = (sj_lab_ceilings){
      .fma = 1e12, .sizes = 2, .bytes = {1 << 16, 1 << 28}, .copy = {9e12, 4e12}, .read = {9e12, 2e12}};
  sj_lab_case c = {.name = "case", .us = 100, .bytes = 3.9e8, .working_set = 1 << 28};
  sj_lab_judge(&lab, &c, 1);
  CHECK(!page.failed);
  c.us = 50;
  sj_lab_judge(&lab, &c, 1);
  CHECK(page.failed && strstr(page.verdict.data, "more than this device moves"));
  page.failed = false;
  c.working_set = 1 << 16;  // a cache can
  sj_lab_judge(&lab, &c, 1);
  CHECK(!page.failed);
  c = (sj_lab_case){.name = "case", .us = 1, .operations = 2e6};
  sj_lab_judge(&lab, &c, 1);
  CHECK(page.failed && strstr(page.verdict.data, "more than this device computes"));
  sj_lab_page_finish(&page);
}

// --- Access patterns ---

// What 32 lanes touch, counted by hand.
TEST(touched) {
  static const struct {
    sj_lab_pattern pattern;
    uint32_t step, bytes, lines, sectors;
  } cases[] = {{SJ_LAB_LINEAR, 0, 4, 1, 4},   {SJ_LAB_LINEAR, 1, 4, 2, 5},   {SJ_LAB_LINEAR, 16, 4, 2, 4},
               {SJ_LAB_STRIDED, 1, 4, 2, 8},  {SJ_LAB_STRIDED, 3, 4, 8, 32}, {SJ_LAB_STRIDED, 5, 4, 32, 32},
               {SJ_LAB_SAME, 0, 4, 1, 1},     {SJ_LAB_LINEAR, 0, 16, 4, 16}, {SJ_LAB_LINEAR, 0, 1, 1, 1},
               {SJ_LAB_STRUCTS, 0, 4, 3, 12}, {SJ_LAB_PADDED, 0, 4, 4, 16},  {SJ_LAB_FIELDS, 0, 4, 3, 12},
               {SJ_LAB_COLUMNS, 0, 4, 32, 32}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sj_lab_load load = {cases[i].pattern, cases[i].step, cases[i].bytes};
    sj_lab_touched touched = sj_lab_touch(&load, 16);
    CHECK_INT(touched.lines, cases[i].lines);
    CHECK_INT(touched.sectors, cases[i].sectors);
  }
}

// Strided and column orders reach every element once.
TEST(orders) {
  enum { BITS = 13, COUNT = 1 << BITS };
  static bool seen[COUNT];
  for (uint32_t step = 1; step <= 7; step++) {
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < COUNT; i++)
      seen[sj_lab_place(step == 7 ? SJ_LAB_COLUMNS : SJ_LAB_STRIDED, step, BITS, i)] = true;
    for (uint32_t i = 0; i < COUNT; i++) CHECK(seen[i]);
  }
}

// --- Results ---

// Fills `n` x `n` words as a right kernel does, in the way that textbooks compute them.
static void make_transposed(uint32_t *to, uint32_t n) {
  for (uint32_t i = 0; i < n * n; i++) to[i % n * n + i / n] = i * SJ_LAB_WORD;
}
static void make_neighbours(uint32_t *to, uint32_t n) {
  for (uint32_t i = 0; i < n * n; i++) {
    to[i] = 0;
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++)
        to[i] += ((i / n + n + (uint32_t)y) % n * n + (i % n + n + (uint32_t)x) % n) * SJ_LAB_WORD;
  }
}
static void make_product(float *to, uint32_t n) {
  static float a[32 * 32], b[32 * 32];
  sj_lab_factor(a, 0, n * n, false);
  sj_lab_factor(b, 0, n * n, true);
  for (uint32_t i = 0; i < n * n; i++) {
    to[i] = 0;
    for (uint32_t k = 0; k < n; k++) to[i] += a[i / n * n + k] * b[k * n + i % n];
  }
}

// What is right counts as right, whole and in two pieces, and each word that is changed as wrong.
TEST(results) {
  enum { N = 32 };
  static uint32_t words[N * N];
  uint32_t (*const count[])(const uint32_t *, uint32_t, uint32_t, uint32_t) = {sj_lab_wrong_transposed,
                                                                               sj_lab_wrong_neighbours};
  void (*const make[])(uint32_t *, uint32_t) = {make_transposed, make_neighbours};
  for (int i = 0; i < 2; i++) {
    make[i](words, N);
    CHECK_INT(count[i](words, 0, N, N), 0);
    CHECK_INT(count[i](words + 9 * N, 9, N - 9, N), 0);
    for (uint32_t at = 0; at < N * N; at += 31) words[at] ^= 1u << at % 32;
    CHECK_INT(count[i](words, 0, 9, N) + count[i](words + 9 * N, 9, N - 9, N), (N * N + 30) / 31);
  }
  static float product[N * N];
  static uint64_t vectors[2 * N];
  const sj_lab_product of = {N, vectors, vectors + N};
  make_product(product, N);
  sj_lab_product_begin(&of);
  CHECK_INT(sj_lab_wrong_rows(product, 0, N, &of), 0);
  product[5 * N] += 1, product[20 * N + 3] = NAN, product[31 * N + 31] -= 0.5f;
  CHECK_INT(sj_lab_wrong_rows(product, 0, 9, &of), 1);
  CHECK_INT(sj_lab_wrong_rows(product + 9 * N, 9, N - 9, &of), 2);
}

// The sum of single loads, written by hand.
TEST(sums) {
  const sj_lab_load structs = {SJ_LAB_STRUCTS, 0, 4}, bytes = {SJ_LAB_LINEAR, 1, 1}, vectors = {SJ_LAB_LINEAR, 0, 16};
  const uint32_t word = SJ_LAB_WORD, of_structs = (3 + 4 + 5) * word + (15 + 16 + 17) * word;
  CHECK_INT(sj_lab_wrong_sums(&of_structs, 1, 1, &structs, 8, 4, 2), 0);
  const uint32_t of_bytes = (word >> 16 & 0xff) + (2 * word >> 16 & 0xff), of_vectors = (4 + 5 + 6 + 7) * word;
  CHECK_INT(sj_lab_wrong_sums(&of_bytes, 5, 1, &bytes, 8, 4, 2), 0);
  CHECK_INT(sj_lab_wrong_sums(&of_vectors, 1, 1, &vectors, 8, 4, 1), 0);
  CHECK_INT(sj_lab_wrong_sums(&of_vectors, 2, 1, &vectors, 8, 4, 1), 1);
}

// --- Code ---

// Machine code is found in a pipeline cache as NVIDIA writes it, and in nothing that has been cut off or changed.
TEST(nvidia) {
  unsigned char object[512] = "NVDANVVMNVuc", cache[1024] = "a header", *at = object + 8;
  void *library = dlopen("libzstd.so.1", RTLD_NOW), *found = library ? dlsym(library, "ZSTD_compress") : NULL, *code;
  size_t (*compress)(void *to, size_t room, const void *from, size_t bytes, int level), count;
  if (!found) SKIP("no libzstd");
  memcpy(&compress, &found, sizeof found);
  at[8] = 2;                // sections
  at[32] = 3, at[36] = 8;   // one of another kind
  at[64] = 1, at[68] = 48;  // the code: 48 bytes
  at[72] = 128;             // from here on
  for (int i = 0; i < 48; i++) at[128 + i] = (unsigned char)(i * 7);
  size_t packed = compress(cache + 100, sizeof cache - 100, object, sizeof object, 3);
  CHECK_INT(sj_lab_nvidia_code(sj_context(NULL), cache, 100 + packed, &code, &count), STIJL_OK);
  CHECK(code && count == 48 && memcmp(code, at + 128, 48) == 0);
  sj_free(sj_context(NULL), code);
  for (size_t bytes = 0; bytes < 100 + packed; bytes++) {
    unsigned char *cut = malloc(bytes + 1);
    memcpy(cut, cache, bytes);
    CHECK_INT(sj_lab_nvidia_code(sj_context(NULL), cut, bytes, &code, &count), STIJL_OK);
    CHECK(!code);
    free(cut);
  }
  static const int places[] = {8, 64, 69, 70, 71, 73, 74, 75, 76, 79};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    unsigned char kept = at[places[i]];
    at[places[i]] = i == 0 ? 1 : 0xff;
    packed = compress(cache + 100, sizeof cache - 100, object, sizeof object, 3);
    CHECK_INT(sj_lab_nvidia_code(sj_context(NULL), cache, 100 + packed, &code, &count), STIJL_OK);
    CHECK(!code);
    at[places[i]] = kept;
  }
  dlclose(library);
}

// Counted by hand in shaders/lab.
TEST(instructions) {
  sj_lab_instructions n;
  stijl_message message;
  CHECK_INT(sj_lab_count_instructions(sj_context(NULL), &sj_lab_nothing, &n, &message), STIJL_OK);
  CHECK_INT(n.all, 4);  // OpFunction, OpLabel, OpReturn, OpFunctionEnd
  CHECK_INT(sj_lab_count_instructions(sj_context(NULL), &sj_lab_number_shader, &n, &message), STIJL_OK);
  CHECK_INT(n.buffer_loads, 0);
  CHECK_INT(n.buffer_stores, 1);
  CHECK_INT(n.push_loads, 2);
  CHECK_INT(n.loops, 1);
  CHECK_INT(n.branches, 1);
  CHECK_INT(n.integers, 4);  // two products, a sum, a comparison
  CHECK_INT(n.floats + n.atomics + n.barriers + n.shared_loads, 0);
  CHECK_INT(sj_lab_count_instructions(sj_context(NULL), &sj_lab_litmus_0, &n, &message), STIJL_OK);
  CHECK(n.atomics == 15 && n.buffer_stores == 8);
  // Broken ones: cut off, and with a word changed.
  static uint32_t words[1024];
  CHECK(sj_lab_number_shader.bytes < sizeof words);
  for (uint32_t i = 0; i < sj_lab_number_shader.bytes / 4; i++) {
    memcpy(words, sj_lab_number_shader.words, sj_lab_number_shader.bytes);
    words[i] = 0xfff1003e;
    sj_vk_shader broken = {"broken", words, sj_lab_number_shader.bytes},
                 cut = {"cut", sj_lab_number_shader.words, i * 4};
    sj_lab_count_instructions(sj_context(NULL), &broken, &n, &message);
    sj_lab_count_instructions(sj_context(NULL), &cut, &n, &message);
  }
}

// Loads are counted in loops and outside of them, in the words of both compilers.
TEST(assembly) {
  static const struct {
    const char *text;
    uint32_t in_loops, outside;
  } cases[] = {
      {"", 0, 0},
      {"BB0:\n\ts_cbranch_scc1 BB8 ; ff\n\tbuffer_load_dword v3, v3\nBB1:\n\tbuffer_load_dwordx3 v[5:7]\n"
       "\ts_load_dwordx4 s[8:11]\nBB2:\n\tglobal_load_dword v1\n\ts_branch BB1 ; ff\nBB8:\n\tbuffer_load_ubyte v1",
       2, 2},
      {"        /*0010*/   LDG.E R5, [R5.U32+UR6] ;\n        /*0020*/   LDG.E.CONSTANT R5, [R5] ;\n"
       "        /*0030*/   ULDC UR4 ;\n        /*0040*/   @!P0 BRA 0x20 ;\n        /*0050*/   LDG.E R5, [R5] ;\n"
       "        /*0060*/   BRA 0x60 ;\n        /*0070*/   BRA 0x90 ;\n",
       1, 2},
      {"BB\n\ts_branch\n\ts_branch BB99\n/*\nBRA 0x\nBB7:", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sj_lab_loads loads;
    CHECK(sj_lab_find_loads(sj_context(NULL), cases[i].text, &loads));
    CHECK_INT(loads.in_loops, cases[i].in_loops);
    CHECK_INT(loads.outside, cases[i].outside);
  }
  static const char *const names[] = {"a", "b<"};
  const char *const texts[] = {cases[1].text, "LDG.E <x>\n"};
  stijl_lab_report *report = sj_alloc_zero(sj_context(NULL), sizeof *report);
  sj_lab_page_init(&report->page, sj_context(NULL), "isa");
  CHECK(sj_lab_write_assemblies(&report->page, "pair", "Two", names, texts) && sj_lab_page_close(report));
  CHECK(strstr(stijl_lab_html(report), "| <mark> buffer_load_dwordx3 v[5:7]</mark>\n"));
  CHECK(strstr(stijl_lab_html(report), "<b>b&lt;</b>\n  <mark>LDG.E &lt;x&gt;</mark>\n"));
  CHECK(strstr(stijl_lab_json(report), "\"pair_1\": \"LDG.E <x>\\u000a\"") && lab_is_balanced(stijl_lab_json(report)));
  stijl_lab_report_destroy(report);
}

// --- Plots and text ---

enum { WIDTH = 880, HEIGHT = 320, NO_SVG = -2 };

// Counts the pixels of a plot of that colour (0xrrggbb); -1 where it cannot be drawn, NO_SVG in a build that reads
// none.
static long count_drawn(const sj_lab_text *svg, uint32_t colour) {
  stijl_svg *document = NULL;
  stijl_scene *scene = NULL;
  stijl_renderer *renderer = NULL;
  stijl_message message = {""};
  stijl_target target = STIJL_TARGET_INIT;
  float width = 0, height = 0;
  static unsigned char pixels[WIDTH * HEIGHT * 4];
  long count = -1;
  target.width = WIDTH;
  target.height = HEIGHT;
  target.pixels = pixels;
  target.stride = WIDTH * 4;
  stijl_result loaded = stijl_svg_load(NULL, svg->data, svg->count, NULL, &document, &message);
  if (loaded == STIJL_ERROR_UNSUPPORTED) return NO_SVG;
  bool good = loaded == STIJL_OK;
  if (good) stijl_svg_size(document, &width, &height);
  good = good && stijl_svg_scene(document, width, height, &scene, &message) == STIJL_OK &&
         stijl_renderer_create(NULL, NULL, &renderer, &message) == STIJL_OK &&
         stijl_render(renderer, scene, &target, NULL, &message) == STIJL_OK;
  for (int i = 0; good && i < WIDTH * HEIGHT; i++)
    count += ((uint32_t)pixels[i * 4] << 16 | (uint32_t)pixels[i * 4 + 1] << 8 | pixels[i * 4 + 2]) == colour &&
             pixels[i * 4 + 3] == 255;
  CHECK_STR(message.text, "");
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  stijl_svg_destroy(document);
  return good ? count + 1 : -1;
}

// Two bars, one as long as all of the space and one half as long.
TEST(bars) {
  sj_lab_text svg = {.context = sj_context(NULL)};
  const sj_lab_bar bars[] = {{"all <of> it", 4e12}, {"half", 2e12}, {"nothing known", NAN}};
  const sj_lab_mark mark = {"a mark", 3e12};
  sj_lab_bars(&svg, SJ_LAB_RATE, bars, 3, &mark, 1);
  CHECK(!svg.failed && strstr(svg.data, "all &lt;of&gt; it") && strstr(svg.data, "4.00 TB/s"));
  // The mark's line, a pixel wide in dashes, covers some of the first.
  long blue = count_drawn(&svg, 0x0072b2);
  double widths[2] = {0, 0};
  const char *at = svg.data;
  for (int i = 0; i < 2 && (at = strstr(at, "<rect class=\"s0\"")); i++, at++)
    CHECK_INT(sscanf(strstr(at, "width="), "width=\"%lf", &widths[i]), 1);
  CHECK(widths[0] > 400);
  CHECK_NEAR(widths[1], widths[0] / 2, 0.1);
  if (blue != NO_SVG) CHECK_NEAR(blue, (widths[0] + widths[1]) * 18, 54);
  sj_lab_text_finish(&svg);
}

TEST(lines) {
  sj_lab_text svg = {.context = sj_context(NULL)};
  const double x[] = {65536, 262144, 1048576, 4194304}, y[] = {1e9, 2e9, NAN, 3e9}, none[] = {NAN, NAN, NAN, NAN};
  const sj_lab_series series[] = {{"something", y}, {"nothing", none}};
  sj_lab_lines(&svg, SJ_LAB_BYTES, x, 4, SJ_LAB_RATE, series, 2);
  CHECK(!svg.failed && strstr(svg.data, "64.0 KiB") && strstr(svg.data, "something") && !strstr(svg.data, ">nothing"));
  CHECK(strstr(svg.data, "3.00 GB/s") != NULL);
  long blue = count_drawn(&svg, 0x0072b2);
  if (blue != NO_SVG) CHECK(blue > 300);
  sj_lab_text_finish(&svg);
}

// Checks where the texts of an SVG are: no wider estimate than this is right for common fonts.
static void check_texts(const char *svg, double width) {
  double ends[64][3];  // y, from, to
  int count = 0;
  for (const char *at = svg; (at = strstr(at, "<text ")); at++) {
    double x, y;
    char anchor[16];
    const char *xs = strstr(at, " x=\""), *body = strchr(at, '>') + 1;
    CHECK_INT(sscanf(xs, " x=\"%lf\" y=\"%lf\" text-anchor=\"%15[a-z]\"", &x, &y, anchor), 3);
    double wide = (double)(strchr(body, '<') - body) * 6.5;
    double from = !strcmp(anchor, "end") ? x - wide : !strcmp(anchor, "middle") ? x - wide / 2 : x;
    if (from < 0 || from + wide > width) sj_test_fail("label", 0, "cut off: %.30s", body);
    for (int i = 0; i < count; i++)
      if (ends[i][0] > y - 12 && ends[i][0] < y + 12 && from < ends[i][2] && from + wide > ends[i][1])
        sj_test_fail("label", 0, "on another one: %.30s", body);
    if (count < 64) ends[count][0] = y, ends[count][1] = from, ends[count++][2] = from + wide;
  }
  CHECK(count > 3);
}

// Labels are neither cut off nor on one another, however long, near and many.
TEST(labels) {
  sj_lab_text svg = {.context = sj_context(NULL)};
  static const char longest[] = "the longest name of all that the lab's instruments have, and then some more of it";
  const sj_lab_bar bars[] = {{longest, 1e12}, {"short", 4e12}};
  const sj_lab_mark marks[] = {{"the best copy of all sizes", 4.1e12}, {"another ceiling", 4e12}, {"zero", 0}};
  sj_lab_bars(&svg, SJ_LAB_RATE, bars, 2, marks, 3);
  check_texts(svg.data, 880);
  svg.count = 0;
  sj_lab_small_bars(&svg, SJ_LAB_RATE, bars, 2);
  check_texts(svg.data, 330);
  svg.count = 0;
  double x[12], y[6][12];
  sj_lab_series series[6];
  static const char *const names[] = {"clearing alone",  "opaque rectangle", "translucent rectangle",
                                      "linear gradient", "blended group",    "16,384 triangles' edges and more"};
  for (int i = 0; i < 12; i++) x[i] = 65536 << i;
  for (int s = 0; s < 6; s++) {
    for (int i = 0; i < 12; i++) y[s][i] = 100 + s;
    series[s] = (sj_lab_series){names[s], y[s]};
  }
  sj_lab_lines(&svg, SJ_LAB_BYTES, x, 12, SJ_LAB_US, series, 6);
  check_texts(svg.data, 880);
  svg.count = 0;
  sj_lab_roof(&svg, 4.3e12, 8.7e12, 62e12);
  check_texts(svg.data, 880);
  svg.count = 0;
  sj_lab_roof(&svg, 4e9, 4.1e9, 60e9);
  check_texts(svg.data, 880);
  sj_lab_text_finish(&svg);
}

TEST(changes) {
  const sj_lab_estimate t = {100, 99, 101}, less = {90, 89, 91}, little = {98, 97.5, 98.5}, wide = {50, 10, 120};
  CHECK_INT(sj_lab_changed(t, less), SJ_LAB_FASTER);
  CHECK_INT(sj_lab_changed(less, t), SJ_LAB_SLOWER);
  CHECK_INT(sj_lab_changed(t, little), SJ_LAB_AS_FAST);
  CHECK_INT(sj_lab_changed(t, wide), SJ_LAB_AS_FAST);
  CHECK_INT(sj_lab_changed(t, (sj_lab_estimate){NAN, NAN, NAN}), SJ_LAB_AS_FAST);
}

// Says what the lab does of transposes whose tile with rows of 33 words takes so many times the time of one with 32.
static void say_padded(double factor, double noise, sj_lab_page *page) {
  sj_lab_estimate times[10];
  double share[10];
  for (int i = 0; i < 10; i++) {
    double us = i == 5 ? 100 * factor : i == 1 || i == 2 ? 300 : 100;
    times[i] = (sj_lab_estimate){us, us * (1 - noise), us * (1 + noise)};
    share[i] = 0.5;
  }
  sj_lab_page_init(page, sj_context(NULL), "transpose");
  sj_lab_tell_transposes(page, times, 10, 1e6, share);
}

// A loss is never explained as a gain, nor is noise.
TEST(explanations) {
  sj_lab_page page;
  say_padded(0.5, 0.01, &page);
  CHECK(strstr(page.verdict.data, "in the tile: 2.00 times as fast, since its columns are spread over banks."));
  CHECK(strstr(page.likes.data, "rows of 33"));
  sj_lab_page_finish(&page);
  say_padded(1.04, 0.001, &page);
  CHECK(strstr(page.verdict.data, "in the tile: 1.04 times the time, so that does not pay here."));
  CHECK(!strstr(page.verdict.data, "spread") && !strstr(page.likes.data, "rows of 33"));
  sj_lab_page_finish(&page);
  say_padded(0.6, 0.5, &page);
  CHECK(strstr(page.verdict.data, "no difference beyond the noise (0.60 times the time, and the intervals overlap)"));
  CHECK(!strstr(page.verdict.data, "spread") && !strstr(page.likes.data, "rows of 33"));
  sj_lab_page_finish(&page);
}

TEST(text) {
  sj_lab_text text = {.context = sj_context(NULL)};
  sj_lab_add_json(&text, "a \"b\" \\ \n");
  CHECK_STR(text.data, "\"a \\\"b\\\" \\\\ \\u000a\"");
  text.count = 0;
  sj_lab_add_number(&text, NAN);
  sj_lab_add_number(&text, 1e9);
  CHECK_STR(text.data, "null1000000000");
  sj_lab_text_finish(&text);
}
