// What the lab does with a user's kernels and with the renderer's own stages: their manifests, ablation, features.
#include "lab/ablate.h"
#include "lab_report.h"

// What the message for a broken manifest has to hold, and the manifest.
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
  NEEDS_DEVICE;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[] = "/tmp/stijl-manifest-XXXXXX";
    stijl_lab_report *report = NULL;
    stijl_message message = {""};
    lab_write(path, cases[i].text);
    CHECK(lab_try("ablate", path, &report, &message) != STIJL_OK && !report);
    if (!strstr(message.text, cases[i].said))
      sj_test_fail(__FILE__, __LINE__, "\"%s\" lacks \"%s\"", message.text, cases[i].said);
    remove(path);
  }
}

// The planted line is found to change nothing; what is needed is found to be needed.
TEST(ablate) {
  NEEDS_DEVICE;
  NEEDS_GLSLC;
  stijl_lab_report *report = lab_run("ablate", STIJL_SOURCE_ROOT "/tests/gpu/lab/cliff.txt");
  if (!report) return;
  lab_check(report, "ablation", 6);
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
  NEEDS_DEVICE;
  NEEDS_GLSLC;
  stijl_lab_report *report = lab_run("occupancy", STIJL_SOURCE_ROOT "/tests/gpu/lab/cliff.txt");
  if (!report) return;
  lab_check(report, "occupancy", 1);
  CHECK(strstr(stijl_lab_json(report), "of its 64 workgroups of 64 were at work at a time"));
  stijl_lab_report_destroy(report);
}

// A user's kernel by workgroups of every shape into which its dispatch divides.
TEST(shapes) {
  NEEDS_DEVICE;
  NEEDS_GLSLC;
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(lab_try("workgroup", STIJL_SOURCE_ROOT "/tests/gpu/lab/cliff.txt", &report, &message),
            STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(strstr(message.text, "no line \"shape X Y\""));
  CHECK_INT(lab_try("workgroup", STIJL_SOURCE_ROOT "/tests/gpu/lab/shapes.txt", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  lab_check(report, "shapes", 0);
  CHECK(strstr(stijl_lab_json(report), "\"1 x 256\""));
  CHECK(strstr(stijl_lab_json(report), "of the time that its own 16 x 8 take"));
  CHECK(!strstr(stijl_lab_json(report), "leave another result"));
  stijl_lab_report_destroy(report);
}

// A stage of the renderer by its source: the whole of it draws what the built one draws, and what it needs is found.
TEST(stage) {
  NEEDS_DEVICE;
  NEEDS_GLSLC;
  stijl_lab_report *report = lab_run("ablate", STIJL_SOURCE_ROOT "/shaders/small.comp:76-81");
  if (!report) return;
  lab_check(report, "ablation", 0);
  CHECK(strstr(stijl_lab_json(report), "\"result\": \"another\""));
  stijl_lab_report_destroy(report);
}

// The renderer's features are forced, and change no pixel.
TEST(features) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run("ablate", NULL);
  if (!report) return;
  lab_check(report, "features", 12);
  stijl_lab_report_destroy(report);
  stijl_message message = {""};
  CHECK_INT(lab_try("ablate", STIJL_SOURCE_ROOT "/bench/icon.svg", &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (!report) return;
  lab_check(report, "features", 6);
  stijl_lab_report_destroy(report);
}

// --- The text of a shader ---

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

// --- Ablation of a shader that is not there ---

// A subject whose time and result the test decides by what is left of the text: each line is a letter.
typedef struct fake {
  char left[SJ_LAB_MAX_SLOTS][256];
  bool wide;   // intervals are so wide that nothing can be told
  bool noisy;  // among others, what is without e seems to be faster
  bool loses;  // without c the device is lost
} fake;

static bool fake_has(const char *text, char letter) {
  const char *at = strstr(text, " = ");
  for (; at; at = strstr(at + 1, " = "))
    if (at[-1] == letter) return true;
  return false;
}

// Compiles a text in which b needs a's declaration.
static stijl_result fake_compile(void *user, const char *text, size_t bytes, sj_vk_shader *out) {
  if (fake_has(text, 'b') && !fake_has(text, 'a')) return STIJL_ERROR_MALFORMED;
  char *words = sj_alloc(sj_context(NULL), bytes + 1);
  memcpy(words, text, bytes);
  words[bytes] = 0;
  *out = (sj_vk_shader){"fake", (const uint32_t *)(const void *)words, strlen(text)};
  return STIJL_OK;
}

// Puts a version of which only r is needed.
static stijl_result fake_put(void *user, uint32_t slot, const sj_vk_shader *shader, int feature,
                             sj_lab_outcome *outcome) {
  fake *f = user;
  snprintf(f->left[slot], sizeof *f->left, "%s", shader ? (const char *)shader->words : "a = b = c = d = e = r = ");
  *outcome = fake_has(f->left[slot], 'r') ? SJ_LAB_OUTCOME_SAME : SJ_LAB_OUTCOME_ANOTHER;
  if (f->loses && !fake_has(f->left[slot], 'c')) *outcome = SJ_LAB_OUTCOME_LOST;
  return STIJL_OK;
}

static void fake_clear(void *user, uint32_t slot) { ((fake *)user)->left[slot][0] = 0; }

// Times versions: any of b and d keeps a compiler from something that takes a third of the time.
static stijl_result fake_time(void *user, uint32_t count, sj_lab_estimate *out) {
  fake *f = user;
  for (uint32_t i = 0; i < count; i++) {
    double us = fake_has(f->left[i], 'b') || fake_has(f->left[i], 'd') ? 30 : 20;
    if (f->noisy && count > 2 && !fake_has(f->left[i], 'e')) us /= 2;
    out[i] = (sj_lab_estimate){us, us * (f->wide ? 0.5 : 0.99), us * (f->wide ? 2 : 1.01)};
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

// Checks that two lines that cost, each as long as the other is there, are found by bisection, though neither does by
// itself.
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

// Where the intervals overlap, neither the sentence nor the table says that time is saved.
TEST(overlapping) {
  static fake f;
  f.wide = true;
  stijl_lab_report *report = ablate_fake(&f, 0);
  const char *json = stijl_lab_json(report);
  CHECK(strstr(json, "5 statements together that the result does not need there is no difference beyond the noise"));
  CHECK(strstr(json, "\"saved\": 0.333") && strstr(json, "\"counts\": \"no difference beyond the noise\""));
  CHECK(strstr(json, "\"with_low\": 15") && !strstr(json, "together, and the result"));
  stijl_lab_report_destroy(report);
}

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
