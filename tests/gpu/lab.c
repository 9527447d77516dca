// The lab's instruments on the device of STIJL_TEST_DEVICE: their results are right, they agree with themselves, and
// what they write can be read. And its plots, drawn by stijl.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/budget.h"
#include "gpu/device.h"
#include "lab/ablate.h"
#include "lab/access.h"
#include "lab/assembly.h"
#include "lab/elements.h"
#include "lab/frames.h"
#include "lab/instructions.h"
#include "lab/nvidia.h"

// Runs an instrument on a file.
static stijl_result run_file(const char *name, const char *file, stijl_lab_report **report, stijl_message *message) {
  stijl_renderer_params device = sj_test_gpu_params();
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  params.device = device.device;
  params.device_name = device.device_name;
  params.quick = true;
  params.trace = true;
  params.file = file;
  return stijl_lab_run(NULL, name, &params, report, message);
}

// Runs an instrument; NULL where no device is asked for.
static stijl_lab_report *run(const char *name) {
  if (!getenv("STIJL_TEST_DEVICE")) return NULL;
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(run_file(name, NULL, &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  return report;
}

// Whether brackets and quotes are closed in their order.
static bool is_balanced(const char *json) {
  char open[64];
  int depth = 0;
  for (bool quoted = false; *json; json++) {
    if (quoted) {
      if (*json == '\\' && json[1])
        json++;
      else
        quoted = *json != '"';
    } else if (*json == '"') {
      quoted = true;
    } else if (*json == '{' || *json == '[') {
      if (depth == 64) return false;
      open[depth++] = *json;
    } else if (*json == '}' || *json == ']') {
      if (!depth || open[--depth] != (*json == '}' ? '{' : '[')) return false;
    }
  }
  return depth == 0;
}

// What every report has to be, with a table of so many rows; 0: any number.
static void check_report(const stijl_lab_report *report, const char *table, uint32_t rows) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\": [", table);
  const char *json = stijl_lab_json(report), *at = strstr(json, key);
  CHECK(stijl_lab_passed(report));
  if (!stijl_lab_passed(report)) fprintf(stderr, "%s", stijl_lab_text(report));
  CHECK(is_balanced(json) && strstr(json, "\"passed\": true") && at);
  for (uint32_t i = 0; at && i < rows; i++) {
    at = strchr(at, '{');
    CHECK(at != NULL);
    at = at ? strchr(at, '}') : NULL;
  }
  CHECK(at && (!rows || at[1] == ']'));
  CHECK(strstr(stijl_lab_html(report), "<!DOCTYPE html>") && strstr(stijl_lab_html(report), "</html>"));
}

TEST(device) {
  stijl_lab_report *report = run("device");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "shaders", 13);
  CHECK(strstr(stijl_lab_text(report), "stijl renders here") != NULL);
  stijl_lab_report_destroy(report);
}

TEST(access) {
  stijl_lab_report *report = run("access");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "orders", 14);
  check_report(report, "layouts", 4);
  check_report(report, "bindings", 15);
  CHECK(strstr(stijl_lab_html(report), "every 32nd word: 32 lines, 32 sectors for 32 lanes") != NULL);
  stijl_lab_report_destroy(report);
}

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
    const sj_lab_access a = {"", "", NULL, cases[i].pattern, cases[i].step, cases[i].bytes};
    sj_lab_touched touched = sj_lab_touch(&a, 16);
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

TEST(transpose) {
  stijl_lab_report *report = run("transpose");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "transpose", 10);
  stijl_lab_report_destroy(report);
}

TEST(matmul) {
  stijl_lab_report *report = run("matmul");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "matmul", 5);
  stijl_lab_report_destroy(report);
}

TEST(workgroup) {
  stijl_lab_report *report = run("workgroup");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "shapes", 0);
  stijl_lab_report_destroy(report);
}

TEST(occupancy) {
  stijl_lab_report *report = run("occupancy");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "occupancy", 13);
  check_report(report, "fine", 5);
  CHECK(strstr(stijl_lab_json(report), "\"counted\": ") && !strstr(stijl_lab_json(report), "\"counted\": 0"));
  stijl_lab_report_destroy(report);
}

TEST(aliasing) {
  stijl_lab_report *report = run("aliasing");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "aliasing", 7);
  stijl_lab_report_destroy(report);
}

TEST(spill) {
  stijl_lab_report *report = run("spill");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "spill", 6);
  stijl_lab_report_destroy(report);
}

TEST(litmus) {
  stijl_lab_report *report = run("litmus");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "litmus", 0);
  stijl_lab_report_destroy(report);
}

TEST(isa) {
  stijl_lab_report *report = run("isa");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "isa", 0);
  check_report(report, "spirv", 11);
  stijl_lab_report_destroy(report);
}

// Counted by hand in shaders/lab.
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

static bool has_glslc(void) { return system("glslc --version >/dev/null 2>&1") == 0; }

// The planted line is found to change nothing; what is needed is found to be needed.
TEST(ablate) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  if (!has_glslc()) SKIP("no glslc");
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(run_file("ablate", STIJL_SOURCE_ROOT "/tests/gpu/lab/cliff.txt", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  check_report(report, "ablation", 6);
  const char *row = strstr(stijl_lab_json(report), "{\"lines\": \"16\"");
  CHECK(row && strstr(row, "if (t == never)") &&
        strcspn(strstr(row, "\"result\"") + 10, "}") == strlen("\"the same\""));
  row = strstr(stijl_lab_json(report), "{\"lines\": \"15\"");
  CHECK(row && strncmp(strstr(row, "\"result\"") + 10, "\"another\"", 9) == 0);
  stijl_lab_report_destroy(report);
}

// A user's kernel counts its workgroups, though its main returns early; SPIR-V cannot be made to.
TEST(counted) {
  sj_lab_text out = {.context = sj_context(NULL)};
  static const char begin[] =
      "#version 460\n#extension A : require\n#define main sj_main\nvoid main() { if (x) return; }\n";
  static const char text[] = "#version 460\n#extension A : require\nvoid main() { if (x) return; }";
  CHECK(sj_lab_count_groups(&out, text, sizeof text - 1, 3));
  CHECK(strncmp(out.data, begin, sizeof begin - 1) == 0 && strstr(out.data, "binding = 3"));
  sj_lab_text_finish(&out);
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  if (!has_glslc()) SKIP("no glslc");
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(run_file("occupancy", STIJL_SOURCE_ROOT "/tests/gpu/lab/cliff.txt", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  check_report(report, "occupancy", 1);
  CHECK(strstr(stijl_lab_json(report), "of its 64 workgroups of 64 were at work at a time"));
  stijl_lab_report_destroy(report);
}

// A user's kernel by workgroups of every shape into which its dispatch divides.
TEST(shapes) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  if (!has_glslc()) SKIP("no glslc");
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(run_file("workgroup", STIJL_SOURCE_ROOT "/tests/gpu/lab/cliff.txt", &report, &message),
            STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "no line \"shape X Y\""));
  CHECK_INT(run_file("workgroup", STIJL_SOURCE_ROOT "/tests/gpu/lab/shapes.txt", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  check_report(report, "shapes", 0);
  CHECK(strstr(stijl_lab_json(report), "\"1 x 256\""));
  CHECK(strstr(stijl_lab_json(report), "of the time that its own 16 x 8 take"));
  CHECK(!strstr(stijl_lab_json(report), "leave another result"));
  stijl_lab_report_destroy(report);
}

// --- Ablation of a shader that is not there ---

// A subject whose time and result the test decides by what is left of the text: each line is a letter.
typedef struct fake {
  char left[SJ_LAB_MAX_SLOTS][256];
  bool noisy;  // among others, what is without e seems to be faster
  bool loses;  // without c the device is lost
} fake;

static bool fake_has(const char *text, char letter) {
  const char *at = strstr(text, " = ");
  for (; at; at = strstr(at + 1, " = "))
    if (at[-1] == letter) return true;
  return false;
}

// b needs a's declaration.
static stijl_result fake_compile(void *user, const char *text, size_t bytes, sj_vk_shader *out) {
  if (fake_has(text, 'b') && !fake_has(text, 'a')) return STIJL_ERROR_MALFORMED;
  char *words = sj_alloc(sj_context(NULL), bytes + 1);
  memcpy(words, text, bytes);
  words[bytes] = 0;
  *out = (sj_vk_shader){"fake", (const uint32_t *)(const void *)words, strlen(text)};
  return STIJL_OK;
}

// Only r is needed.
static stijl_result fake_put(void *user, uint32_t slot, const sj_vk_shader *shader, int feature,
                             sj_lab_outcome *outcome) {
  fake *f = user;
  snprintf(f->left[slot], sizeof *f->left, "%s", shader ? (const char *)shader->words : "a = b = c = d = e = r = ");
  *outcome = fake_has(f->left[slot], 'r') ? SJ_LAB_OUTCOME_SAME : SJ_LAB_OUTCOME_ANOTHER;
  if (f->loses && !fake_has(f->left[slot], 'c')) *outcome = SJ_LAB_OUTCOME_LOST;
  return STIJL_OK;
}

static void fake_clear(void *user, uint32_t slot) { ((fake *)user)->left[slot][0] = 0; }

// Any of b and d keeps a compiler from something that takes a third of the time.
static stijl_result fake_time(void *user, uint32_t count, sj_lab_times *out) {
  fake *f = user;
  for (uint32_t i = 0; i < count; i++) {
    double us = fake_has(f->left[i], 'b') || fake_has(f->left[i], 'd') ? 30 : 20;
    if (f->noisy && count > 2 && !fake_has(f->left[i], 'e')) us /= 2;
    out[i] = (sj_lab_times){us, us * 0.99, us * 1.01};
  }
  return STIJL_OK;
}

static stijl_lab_report *ablate_fake(fake *f, double seconds) {
  static const char text[] = "void main() {\n  int a = 1;\n  b = a;\n  c = 1;\n  d = 1;\n  e = 1;\n  r = 1;\n}\n";
  stijl_message message = {""};
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  stijl_lab_report *report = sj_alloc_zero(sj_context(NULL), sizeof *report);
  sj_lab_page_init(&report->page, sj_context(NULL), "ablate");
  sj_lab lab = {.context = sj_context(NULL), .message = &message, .params = &params, .page = &report->page};
  const sj_lab_subject subject = {.name = "fake",
                                  .text = text,
                                  .bytes = sizeof text - 1,
                                  .slots = 3,
                                  .seconds = seconds,
                                  .user = f,
                                  .compile = fake_compile,
                                  .put = fake_put,
                                  .clear = fake_clear,
                                  .time = fake_time};
  CHECK_INT(sj_lab_ablate(&lab, &subject), STIJL_OK);
  CHECK(sj_lab_page_close(report));
  return report;
}

// Two lines that cost, each as long as the other is there, are found by bisection, though neither does by itself.
static void check_bisection(bool noisy) {
  static fake f;
  f.noisy = noisy;
  stijl_lab_report *report = ablate_fake(&f, 0);
  const char *json = stijl_lab_json(report);
  CHECK(strstr(json, "Nothing costs 3 % or more by itself"));
  CHECK(strstr(json, "Lines 3, 5 cost 33 % together"));
  // a can go only once b has.
  CHECK(strstr(json, "\"lines\": \"2, 3, 4, 5, 6\", \"statements\": 5"));
  stijl_lab_report_destroy(report);
}

TEST(bisection) { check_bisection(false); }

// What seems to cost in one measurement, and not in a second one, is not named.
TEST(confirmation) { check_bisection(true); }

// What there is no time for is told, and so is what the device does not survive; neither is counted as needless.
TEST(unfinished) {
  static fake f;
  stijl_lab_report *report = ablate_fake(&f, 1e-9);
  CHECK(strstr(stijl_lab_json(report), "There was no time for its last 6 statements, those from line 2 on."));
  CHECK(!strstr(stijl_lab_json(report), "\"sets\""));
  stijl_lab_report_destroy(report);
  f.loses = true;
  report = ablate_fake(&f, 0);
  const char *json = stijl_lab_json(report);
  CHECK(strstr(json, "Without lines 4 the device was lost or did not answer in time."));
  CHECK(!strstr(json, "\"lines\": \"4\""));
  CHECK(strstr(json, "\"lines\": \"2, 3, 5, 6\", \"statements\": 4"));
  stijl_lab_report_destroy(report);
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
  static const char *const names[] = {"a", "b<"}, *const texts[] = {cases[1].text, "LDG.E <x>\n"};
  stijl_lab_report *report = sj_alloc_zero(sj_context(NULL), sizeof *report);
  sj_lab_page_init(&report->page, sj_context(NULL), "isa");
  CHECK(sj_lab_write_assemblies(&report->page, "pair", "Two", names, texts) && sj_lab_page_close(report));
  CHECK(strstr(stijl_lab_html(report), "| <mark> buffer_load_dwordx3 v[5:7]</mark>\n"));
  CHECK(strstr(stijl_lab_html(report), "<b>b&lt;</b>\n  <mark>LDG.E &lt;x&gt;</mark>\n"));
  CHECK(strstr(stijl_lab_json(report), "\"pair_1\": \"LDG.E <x>\\u000a\"") && is_balanced(stijl_lab_json(report)));
  stijl_lab_report_destroy(report);
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

// Renderers are on the lab's device, also where RADV offers a chip that it only compiles for, before all others.
TEST(same_device) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_message message = {""};
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  static sj_lab lab;
  lab = (sj_lab){.context = sj_context(NULL), .message = &message, .params = &params};
  setenv("RADV_FORCE_FAMILY", "navi21", 1);
  CHECK_INT(sj_lab_open(&lab), STIJL_OK);
  stijl_renderer *renderer = NULL;
  CHECK_INT(sj_lab_renderer_create(&lab, NULL, &renderer, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  CHECK_STR(stijl_renderer_device(renderer), lab.vk.properties.deviceName);
  stijl_renderer_destroy(renderer);
  sj_lab_close(&lab);
  unsetenv("RADV_FORCE_FAMILY");
}

// A stage of the renderer by its source: the whole of it draws what the built one draws, and what it needs is found.
TEST(stage) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  if (!has_glslc()) SKIP("no glslc");
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(run_file("ablate", STIJL_SOURCE_ROOT "/shaders/small.comp:76-81", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  check_report(report, "ablation", 0);
  CHECK(strstr(stijl_lab_json(report), "\"result\": \"another\""));
  stijl_lab_report_destroy(report);
}

// The renderer's features are forced, and change no pixel.
TEST(features) {
  stijl_lab_report *report = run("ablate");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  check_report(report, "features", 12);
  stijl_lab_report_destroy(report);
  stijl_message message = {""};
  CHECK_INT(run_file("ablate", STIJL_SOURCE_ROOT "/bench/icon.svg", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  check_report(report, "features", 6);
  stijl_lab_report_destroy(report);
}

// Drawing many frames on a canvas is never too much work: at full size the first few reach the budget of one.
TEST(canvas) {
  stijl_message message = {""};
  sj_lab lab = {.context = sj_context(NULL), .message = &message};
  sj_lab_canvas canvas;
  CHECK_INT(sj_lab_canvas_init(&lab, 64, &canvas), STIJL_OK);
  CHECK(sj_budget_check(canvas.budget, (uint64_t)1 << 50));
  sj_lab_canvas_finish(&lab, &canvas);
}

static sj_lab_cut find(const char *text, uint32_t line) {
  sj_lab_cut cuts[32], none = {0, 0};
  uint32_t count = sj_lab_find_cuts(text, strlen(text), cuts, 32);
  for (uint32_t i = 0; i < count; i++)
    if (cuts[i].first == line) return cuts[i];
  return none;
}

// Statements with their blocks are found; what loops need to end is left alone.
TEST(cuts) {
  static const char text[] =
      "uniform Push { uint n; };\n"  // 1
      "void main() {\n"
      "  uint i = 0u, a = 1u;\n"  // a loop needs i
      "  while (i < n) {\n"       // 4
      "    a = a *\n"             // 5
      "        2u;  // }\n"
      "    i += 1u;\n"
      "    if (a == 7u) {\n"  // 8
      "      a++;\n"
      "    }\n"
      "    if (a == 8u) break;\n"  // 11
      "    ++i;\n"
      "    a = i == 3u ? a : 0u;\n"  // 13
      "  }\n"
      "}\n";
  CHECK_INT(find(text, 1).first, 0);
  CHECK_INT(find(text, 3).first, 0);
  CHECK_INT(find(text, 4).last, 14);
  CHECK_INT(find(text, 5).last, 6);
  CHECK_INT(find(text, 7).first, 0);
  CHECK_INT(find(text, 8).last, 10);
  CHECK_INT(find(text, 9).last, 9);
  CHECK_INT(find(text, 11).first, 0);
  CHECK_INT(find(text, 12).first, 0);
  CHECK_INT(find(text, 13).last, 13);
  char copy[] = "a\nbc\nd\n";
  sj_lab_cut_out(copy, sizeof copy - 1, (sj_lab_cut){2, 2});
  CHECK_STR(copy, "a\n  \nd\n");
}

// What the message for a broken manifest has to hold, and the manifest.
// Every loop of a shader gets an end; comments and what stands before the last directive are left alone.
TEST(guards) {
  static const struct {
    const char *text, *guarded;
  } cases[] = {
      {"#version 460\nvoid main() {\n  for (uint i = 0u; i < f(n, 2u); i++) a += i;\n}\n",
       "#version 460\nuint sj_turns = 0u;\nvoid main() {\n  for (uint i = 0u;sj_turns++ < 9u && ( i < f(n, 2u)); i++) "
       "a += "
       "i;\n}\n"},
      {"for (;;) while(a[b(1)])\ndo { } while (x); // for (;;)\n",
       "uint sj_turns = 0u;\nfor (;sj_turns++ < 9u && (true);) while(sj_turns++ < 9u && (a[b(1)]))\ndo { } while "
       "(sj_turns++ < 9u && (x)); // for (;;)\n"},
      {"#ifdef A\n#extension B : require\n#endif\n#include \"c\"\nfor_each(1); int whilex = 1;\n#define D 1\n",
       "#ifdef A\n#extension B : require\n#endif\n#include \"c\"\nuint sj_turns = 0u;\nfor_each(1); int whilex = "
       "1;\n#define D 1\n"},
      {"while (a", "uint sj_turns = 0u;\nwhile (a"},
      {"for (a; b", "uint sj_turns = 0u;\nfor (a; b"},
      {"", "uint sj_turns = 0u;\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sj_lab_text out = {.context = sj_context(NULL)};
    CHECK(sj_lab_guard_loops(&out, cases[i].text, strlen(cases[i].text), 9));
    CHECK_STR(out.data, cases[i].guarded);
    sj_lab_text_finish(&out);
  }
}

TEST(manifest_errors) {
  static const struct {
    const char *text, *said;
  } cases[] = {{"shadow a.comp\n", ":1: \"shadow\" is none of"},
               {"# nothing\n", "no line says which shader"},
               {"", "no line says which shader"},
               {"// A shader.\n#version 460\n", "is a shader: this takes a manifest"},
               {"shader a.comp\n", "no line says dispatch"},
               {"shader a.comp\ndispatch 0\n", ":2: no workgroups"},
               {"dispatch x\n", "\"x\" is no whole number from 0 to 65535"},
               {"dispatch -1\n", "\"-1\" is no whole number"},
               {"buffer 0\n", "buffer needs 2 numbers"},
               {"buffer 0 7 zero\n", "a multiple of 4"},
               {"buffer 0 8 one\n", "not \"one\""},
               {"buffer 0 8\nbuffer 0 8\n", ":2: binding 0 has a buffer already"},
               {"buffer 99 8\n", "from 0 to 7"},
               {"constant 1 5\n", "0 is next"},
               {"feature 0 1\n", "ordinary value"},
               {"push 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21\n", "more than 20 words"},
               {"shader there-is-none.comp\ndispatch 1\n", "there-is-none.comp: there is no such file"}};
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  char path[] = "/tmp/stijl-manifest-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    stijl_lab_report *report = NULL;
    stijl_message message = {""};
    FILE *file = fopen(path, "w");
    fputs(cases[i].text, file);
    fclose(file);
    CHECK(run_file("ablate", path, &report, &message) != STIJL_OK && !report);
    if (!strstr(message.text, cases[i].said))
      sj_test_fail(__FILE__, __LINE__, "\"%s\" lacks \"%s\"", message.text, cases[i].said);
  }
  close(fd);
  remove(path);
}

// A lost device and one that does not answer end in an error that says so.
TEST(faults) {
  static const char *const faults[][2] = {{"lost", "the device was lost"}, {"hang", "did not answer in time"}};
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  for (int i = 0; i < 2; i++) {
    stijl_lab_report *report = NULL;
    stijl_message message = {""};
    setenv("STIJL_VULKAN_FAULT", faults[i][0], 1);
    CHECK_INT(run_file("transpose", NULL, &report, &message), STIJL_ERROR_DEVICE);
    CHECK(!report && strstr(message.text, faults[i][1]));
    unsetenv("STIJL_VULKAN_FAULT");
  }
}

// --- Scenes ---

// A document of small squares and, in their middle, what was planted.
static void write_document(const char *path, int squares, const char *planted) {
  FILE *file = fopen(path, "w");
  sj_random random = sj_random_seed(7);
  fputs("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>\n", file);
  for (int i = 0; i < squares; i++) {
    fprintf(file, "<rect id='r%d' x='%d' y='%d' width='3' height='3' fill='#%03x'/>\n", i,
            sj_random_int(&random, 0, 95), sj_random_int(&random, 0, 95), (unsigned)sj_random_int(&random, 0, 4096));
    if (i != squares / 2) continue;
    if (strcmp(planted, "clips") == 0) {
      fputs("<defs>", file);
      for (int k = 0; k < 64; k++)
        fprintf(file, "<clipPath id='c%d' clip-path='%s%d%s'><circle cx='50' cy='50' r='%d'/></clipPath>", k,
                k ? "url(#c" : "none", k - 1, k ? ")" : "", 120 - k);
      fputs("</defs><g id='planted' clip-path='url(#c63)'><rect width='100' height='100'/></g>\n", file);
    } else if (strcmp(planted, "blend") == 0) {
      fputs(
          "<g id='planted' style='mix-blend-mode: multiply'><rect width='100' height='100' fill='#ffc'/>"
          "<circle cx='50' cy='50' r='49' fill='#fcf'/></g>\n",
          file);
    } else if (strcmp(planted, "filter") == 0) {
      fputs(
          "<filter id='f'><feGaussianBlur stdDeviation='4'/></filter><circle id='planted' cx='50' cy='50' r='45' "
          "filter='url(#f)'/>\n",
          file);
    } else {
      fputs("<path id='planted' fill='none' stroke='#000' stroke-width='.05' stroke-dasharray='.5 .5' d='", file);
      for (int k = 0; k < 1000; k++) fprintf(file, "M0 %d.%dH100", k / 10, k % 10);
      fputs("'/>\n", file);
    }
  }
  fputs("</svg>\n", file);
  fclose(file);
}

// What the CPU draws, and the device that tests run on only where it is asked for, as a software device is slow.
static stijl_result run_scene(const char *file, bool on_device, stijl_lab_report **report, stijl_message *message) {
  if (on_device) return run_file("scene", file, report, message);
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  params.quick = true;
  params.file = file;
  return stijl_lab_run(NULL, "scene", &params, report, message);
}

static void check_first(const stijl_lab_report *report, const char *name) {
  const char *table = strstr(stijl_lab_json(report), name), *first = table ? strstr(table, "\"element\"") : NULL;
  if (!first || !strstr(first, "#planted") || strstr(first, "#planted") > strchr(first, '}'))
    sj_test_fail(__FILE__, __LINE__, "%s: another element is the first: %s", name, stijl_lab_text(report));
}

// A frame with a filter takes several submissions, which a GPU cannot repeat; its cost is found all the same.
TEST(scene_on_gpu) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  char path[] = "/tmp/stijl-scene-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  write_document(path, 4, "filter");
  stijl_result result = run_scene(path, true, &report, &message);
  CHECK_STR(result == STIJL_ERROR_UNSUPPORTED ? "" : message.text, "");
  if (report) {
    check_report(report, "stages_gpu", 0);
    check_first(report, "\"costly_gpu\"");
    // What is blurred, the blur, and the target.
    check_report(report, "passes_cpu", 3);
    check_report(report, "passes_gpu", 3);
    const char *passes = strstr(stijl_lab_json(report), "\"passes_cpu\"");
    CHECK(strstr(passes, "a surface") < strstr(passes, "a filter") &&
          strstr(passes, "a filter") < strstr(passes, "the target"));
  }
  stijl_lab_report_destroy(report);
  close(fd);
  remove(path);
}

TEST(scene) {
  static const char *const planted[] = {"clips", "blend", "dashes"};
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  char path[] = "/tmp/stijl-scene-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  for (int i = 0; i < 3; i++) {
    stijl_lab_report *report = NULL;
    stijl_message message = {""};
    write_document(path, 1000, planted[i]);
    stijl_result result = run_scene(path, false, &report, &message);
    if (result == STIJL_ERROR_UNSUPPORTED) break;  // built without SVG
    CHECK_STR(message.text, "");
    if (!report) continue;
    check_report(report, "costly_cpu", 0);
    check_first(report, "\"costly_cpu\"");
    CHECK(strstr(stijl_lab_html(report), "data:image/png;base64,iVBOR") != NULL);
    stijl_lab_report_destroy(report);
  }
  close(fd);
  remove(path);
}

TEST(elements) {
  static const char text[] =
      "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a '>'>]>\n<svg><!-- <g> -->\n<defs><path/></defs>"
      "<g a='>' id='x'>\n<rect/><![CDATA[</g>]]></g></svg>\n";
  sj_lab_elements elements;
  char name[32];
  CHECK(sj_lab_elements_find(&elements, sj_context(NULL), text, strlen(text)));
  CHECK_INT(elements.list.count, 5);
  const sj_lab_element *g = &elements.list.data[3], *rect = &elements.list.data[4];
  CHECK(!elements.list.data[1].drawn && !elements.list.data[2].drawn && g->drawn && rect->drawn);
  CHECK_INT(g->line, 4);
  CHECK_INT(rect->line, 5);
  CHECK_INT(g->children, 1);
  CHECK_INT(rect->parent, 3);
  sj_lab_element_name(text, g, name, sizeof name);
  CHECK_STR(name, "g #x");
  CHECK(strncmp(text + g->end, "</svg>", 6) == 0 && sj_lab_element_has(text, g, "id='x'"));
  sj_lab_elements_finish(&elements);
  static const char *const broken[] = {"<a>", "</a>", "<a", "", "<!--", "<a><b></a>"};
  for (int i = 0; i < 5; i++) {
    sj_lab_elements_find(&elements, sj_context(NULL), broken[i], strlen(broken[i]));
    CHECK(i == 2 || !elements.list.count || elements.list.data[0].end <= strlen(broken[i]));
    sj_lab_elements_finish(&elements);
  }
}

// A report has all parts, and compares with itself as unchanged in what is compared.
TEST(report) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_lab_report *report = run("spill");
  char path[] = "/tmp/stijl-against-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0 && report);
  FILE *file = fopen(path, "w");
  fputs(stijl_lab_json(report), file);
  fclose(file);
  stijl_lab_report_destroy(report);
  stijl_renderer_params device = sj_test_gpu_params();
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  params.device = device.device;
  params.device_name = device.device_name;
  params.quick = true;
  params.against = path;
  stijl_message message = {""};
  CHECK_INT(stijl_lab_run(NULL, "report", &params, &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (report) {
    check_report(report, "against", 6);
    check_report(report, "litmus", 0);
    check_report(report, "shaders", 13);
    CHECK(strstr(stijl_lab_text(report), "It pays here: ") == stijl_lab_text(report));
    CHECK(strstr(stijl_lab_json(report), "\"spill/private_64\"") != NULL);
  }
  stijl_lab_report_destroy(report);
  file = fopen(path, "w");
  fputs("{\"spill\": [{\"key\": ", file);
  fclose(file);
  CHECK_INT(stijl_lab_run(NULL, "spill", &params, &report, &message), STIJL_ERROR_MALFORMED);
  CHECK(strstr(message.text, "is no JSON of the lab") != NULL);
  close(fd);
  remove(path);
}

TEST(counters) {
  stijl_lab_report *report = run("counters");
  if (!report) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  CHECK(stijl_lab_passed(report) && is_balanced(stijl_lab_json(report)));
  CHECK(strstr(stijl_lab_text(report), "offers") != NULL);
  // counters_layer.c offers seven, one of them for render passes, and counts two at a time; 256 x 256 words are 8 x 8
  // tiles.
  if (getenv("STIJL_TEST_LAYER")) {
    check_report(report, "counters", 6);
    CHECK(strstr(stijl_lab_text(report), "offers 7 counters; 6 were sampled, in 3 runs of each kernel.") != NULL);
    static const char *const rows[] = {
        ("\"name\": \"workgroups\", \"category\": \"a category\", \"unit\": \"\", \"copy\": 64, \"naive\": 64, "
         "\"padded\": 64,"),
        "\"name\": \"dispatches\", \"category\": \"a category\", \"unit\": \"\", \"copy\": 1,",
        "\"name\": \"negative\", \"category\": \"a category\", \"unit\": \"\", \"copy\": -64,",
        "\"name\": \"half\", \"category\": \"a category\", \"unit\": \"\", \"copy\": 32,",
        "\"name\": \"negative half\", \"category\": \"a category\", \"unit\": \"\", \"copy\": -32,",
        "\"name\": \"twice\", \"category\": \"a category\", \"unit\": \"\", \"copy\": 128,"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) CHECK(strstr(stijl_lab_json(report), rows[i]) != NULL);
  }
  stijl_lab_report_destroy(report);
}

TEST(cpu) {
  if (!getenv("STIJL_TEST_DEVICE")) SKIP("no GPU asked for (STIJL_TEST_DEVICE)");
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  stijl_result result = run_file("cpu", NULL, &report, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) SKIP("built without SVG");
  CHECK_STR(message.text, "");
  if (!report) return;
  check_report(report, "memory", 9);
  check_report(report, "kernels", 0);
  check_report(report, "bands", 54);
  CHECK(strstr(stijl_lab_json(report), "\"opaque_scalar\"") != NULL);
  stijl_lab_report_destroy(report);
}

TEST(unknown) {
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(stijl_lab_run(NULL, "cauldron", NULL, &report, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(!report && strstr(message.text, "cauldron"));
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  params.file = "blur.txt";
  CHECK_INT(stijl_lab_run(NULL, "device", &params, &report, &message), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(!report && strstr(message.text, "device takes no file"));
}

// --- The harness ---

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

// --- Plots ---

enum { WIDTH = 880, HEIGHT = 320, NO_SVG = -2 };

// The pixels of a plot of that colour (0xrrggbb); -1 where it cannot be drawn, NO_SVG in a build that reads none.
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
  long blue = count_drawn(&svg, 0x2166ac);
  if (blue != NO_SVG) CHECK_NEAR(blue, (470 + 235) * 18, 36);
  sj_lab_text_finish(&svg);
}

TEST(lines) {
  sj_lab_text svg = {.context = sj_context(NULL)};
  const double x[] = {65536, 262144, 1048576, 4194304}, y[] = {1e9, 2e9, NAN, 3e9}, none[] = {NAN, NAN, NAN, NAN};
  const sj_lab_series series[] = {{"something", y}, {"nothing", none}};
  sj_lab_lines(&svg, SJ_LAB_BYTES, x, 4, SJ_LAB_RATE, series, 2);
  CHECK(!svg.failed && strstr(svg.data, "64.0 KiB") && strstr(svg.data, "something") && !strstr(svg.data, ">nothing"));
  CHECK(strstr(svg.data, "3.00 GB/s") != NULL);
  long blue = count_drawn(&svg, 0x2166ac);
  if (blue != NO_SVG) CHECK(blue > 300);
  sj_lab_text_finish(&svg);
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
