// The lab where there is no device: in a build without Vulkan, or with a loader that finds no driver.
#include <stdlib.h>

#include "stijl/lab.h"
#include "test.h"

static stijl_lab_report *run(const char *name, stijl_result expected, stijl_message *message) {
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  params.quick = true;
  stijl_lab_report *report = NULL;
  setenv("VK_DRIVER_FILES", "/nonexistent", 1);
  setenv("VK_ICD_FILENAMES", "/nonexistent", 1);
  CHECK_INT(stijl_lab_run(NULL, name, &params, &report, message), expected);
  CHECK((expected == STIJL_OK) == (report != NULL));
  return report;
}

TEST(the_processor_is_measured) {
  stijl_message message = {""};
  stijl_lab_report *report = run("cpu", STIJL_OK, &message);
  CHECK_STR(message.text, "");
  if (!report) return;
  CHECK(stijl_lab_passed(report) && strstr(stijl_lab_json(report), "\"bands\": ["));
  stijl_lab_report_destroy(report);
}

TEST(the_report_is_about_the_processor) {
  stijl_message message = {""};
  stijl_lab_report *report = run("report", STIJL_OK, &message);
  CHECK_STR(message.text, "");
  if (!report) return;
  CHECK(strstr(stijl_lab_text(report), "no Vulkan device") && strstr(stijl_lab_json(report), "\"memory\": ["));
  stijl_lab_report_destroy(report);
}

TEST(what_needs_a_device_says_so) {
  size_t count = 0;
  for (; stijl_lab_name(count); count++) {
    const char *name = stijl_lab_name(count);
    stijl_message message = {""};
    if (strcmp(name, "cpu") == 0 || strcmp(name, "report") == 0 || strcmp(name, "scene") == 0) continue;
    run(name, STIJL_ERROR_UNSUPPORTED, &message);
    CHECK(strlen(message.text) > 20);
  }
  CHECK(count > 10);
}
