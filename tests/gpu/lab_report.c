#include "lab_report.h"

#include <unistd.h>

stijl_lab_params lab_params(void) {
  stijl_renderer_params device = sj_test_gpu_params();
  stijl_lab_params params = STIJL_LAB_PARAMS_INIT;
  params.device = device.device;
  params.device_name = device.device_name;
  params.quick = true;
  return params;
}

stijl_result lab_try(const char *name, const char *file, stijl_lab_report **report, stijl_message *message) {
  stijl_lab_params params = lab_params();
  params.trace = true;
  params.file = file;
  return stijl_lab_run(NULL, name, &params, report, message);
}

stijl_lab_report *lab_run(const char *name, const char *file) {
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  CHECK_INT(lab_try(name, file, &report, &message), STIJL_OK);
  CHECK_STR(message.text, "");
  return report;
}

bool lab_is_balanced(const char *json) {
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

void lab_check(const stijl_lab_report *report, const char *table, uint32_t rows) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\": [", table);
  const char *json = stijl_lab_json(report), *at = strstr(json, key);
  CHECK(stijl_lab_passed(report));
  if (!stijl_lab_passed(report)) fprintf(stderr, "%s", stijl_lab_text(report));
  CHECK(lab_is_balanced(json) && strstr(json, "\"passed\": true") && at);
  for (uint32_t i = 0; at && i < rows; i++) {
    at = strchr(at, '{');
    CHECK(at != NULL);
    at = at ? strchr(at, '}') : NULL;
  }
  CHECK(at && (!rows || at[1] == ']'));
  CHECK(strstr(stijl_lab_html(report), "<!DOCTYPE html>") && strstr(stijl_lab_html(report), "</html>"));
}

void lab_write(char *path, const char *text) {
  int fd = mkstemp(path);
  CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  if (fd >= 0) close(fd);
}
