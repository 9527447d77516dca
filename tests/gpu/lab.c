// The lab's instruments on the device of STIJL_TEST_DEVICE: their results are right, they agree with themselves, and
// what they write can be read.
#include "base/budget.h"
#include "base/trial.h"
#include "lab/frames.h"
#include "lab_report.h"

TEST(device) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run("device", NULL);
  if (!report) return;
  lab_check(report, "shaders", 13);
  CHECK(strstr(stijl_lab_text(report), "stijl renders here") != NULL);
  stijl_lab_report_destroy(report);
}

TEST(access) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run("access", NULL);
  if (!report) return;
  lab_check(report, "orders", 14);
  lab_check(report, "layouts", 4);
  lab_check(report, "bindings", 15);
  CHECK(strstr(stijl_lab_html(report), "every 32nd word: 32 lines, 32 sectors for 32 lanes") != NULL);
  stijl_lab_report_destroy(report);
}

TEST(occupancy) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run("occupancy", NULL);
  if (!report) return;
  lab_check(report, "occupancy", 13);
  lab_check(report, "fine", 5);
  CHECK(strstr(stijl_lab_json(report), "\"counted\": ") && !strstr(stijl_lab_json(report), "\"counted\": 0"));
  stijl_lab_report_destroy(report);
}

TEST(isa) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run("isa", NULL);
  if (!report) return;
  lab_check(report, "isa", 0);
  lab_check(report, "spirv", 11);
  stijl_lab_report_destroy(report);
}

// Runs an instrument and checks its report.
static void check_instrument(const char *name, const char *table, uint32_t rows) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run(name, NULL);
  if (!report) return;
  lab_check(report, table, rows);
  stijl_lab_report_destroy(report);
}

TEST(transpose) { check_instrument("transpose", "transpose", 10); }
TEST(matmul) { check_instrument("matmul", "matmul", 5); }
TEST(workgroup) { check_instrument("workgroup", "shapes", 0); }
TEST(aliasing) { check_instrument("aliasing", "aliasing", 7); }
TEST(spill) { check_instrument("spill", "spill", 6); }
TEST(litmus) { check_instrument("litmus", "litmus", 0); }

TEST(counters) {
  NEEDS_DEVICE;
  stijl_lab_report *report = lab_run("counters", NULL);
  if (!report) return;
  CHECK(stijl_lab_passed(report) && lab_is_balanced(stijl_lab_json(report)));
  CHECK(strstr(stijl_lab_text(report), "offers") != NULL);
  // counters_layer.c offers seven, one of them for render passes, and counts two at a time; 256 x 256 words are 8 x 8
  // tiles.
  if (getenv("STIJL_TEST_LAYER")) {
    lab_check(report, "counters", 6);
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
  NEEDS_DEVICE;
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  stijl_result result = lab_try("cpu", NULL, &report, &message);
  if (result == STIJL_ERROR_UNSUPPORTED) SKIP("built without SVG");
  CHECK_STR(message.text, "");
  if (!report) return;
  lab_check(report, "memory", 9);
  lab_check(report, "kernels", 0);
  lab_check(report, "bands", 54);
  CHECK(strstr(stijl_lab_json(report), "\"opaque_scalar\"") != NULL);
  stijl_lab_report_destroy(report);
}

// A report has all parts, and compares with itself as unchanged in what is compared.
TEST(report) {
  NEEDS_DEVICE;
  char path[] = "/tmp/stijl-against-XXXXXX";
  stijl_lab_report *report = lab_run("spill", NULL);
  if (!report) return;
  lab_write(path, stijl_lab_json(report));
  stijl_lab_report_destroy(report);
  stijl_lab_params params = lab_params();
  params.against = path;
  stijl_message message = {""};
  CHECK_INT(stijl_lab_run(NULL, "report", &params, &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  if (report) {
    lab_check(report, "against", 6);
    lab_check(report, "litmus", 0);
    lab_check(report, "shaders", 13);
    CHECK(strstr(stijl_lab_text(report), "It pays here: ") == stijl_lab_text(report));
    CHECK(strstr(stijl_lab_json(report), "\"spill/private_64\"") != NULL);
  }
  stijl_lab_report_destroy(report);
  // Times of other problems are not compared.
  FILE *file = fopen(path, "w");
  fputs(
      "{\"device\": {\"name\": \"A GPU\", \"type\": \"gpu\", \"driver\": \"WebGPU\", \"quick\": false, "
      "\"step_us\": 0.1}, \"spill\": [{\"key\": \"private_64\", \"us\": 1, \"low\": 1, \"high\": 1}]}",
      file);
  fclose(file);
  CHECK_INT(stijl_lab_run(NULL, "spill", &params, &report, &message), STIJL_OK);
  CHECK(report &&
        strstr(stijl_lab_text(report), "(A GPU, WebGPU) has the times of large problems, and this run") != NULL);
  CHECK(report && strstr(stijl_lab_json(report), "\"against\"") == NULL);
  stijl_lab_report_destroy(report);
  file = fopen(path, "w");
  fputs("{\"spill\": [{\"key\": ", file);
  fclose(file);
  CHECK_INT(stijl_lab_run(NULL, "spill", &params, &report, &message), STIJL_ERROR_MALFORMED);
  CHECK(strstr(message.text, "is no JSON of the lab") != NULL);
  remove(path);
}

// Renderers are on the lab's device, also where RADV offers a chip that it only compiles for, before all others.
TEST(same_device) {
  NEEDS_DEVICE;
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

// A lost device and one that does not answer end in an error that says so.
TEST(faults) {
  static const char *const faults[][2] = {{"lost", "the device was lost"}, {"hang", "did not answer in time"}};
  NEEDS_DEVICE;
  for (int i = 0; i < 2; i++) {
    stijl_lab_report *report = NULL;
    stijl_message message = {""};
    sj_trial_set("fault", faults[i][0]);
    CHECK_INT(lab_try("transpose", NULL, &report, &message), STIJL_ERROR_DEVICE);
    CHECK(!report && strstr(message.text, faults[i][1]));
    sj_trial_set("fault", NULL);
  }
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
