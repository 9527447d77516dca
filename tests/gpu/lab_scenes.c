// `lab scene`: what is costly in a document is found, by the CPU and by the device of STIJL_TEST_DEVICE.
#include <unistd.h>

#include "lab/elements.h"
#include "lab_report.h"

// Writes a document of small squares and, in their middle, what was planted.
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
      // Many, since one layer of so small a picture takes little beside a thousand squares: a machine that does other
      // work meanwhile would hide it.
      fputs("<g id='planted' style='mix-blend-mode: multiply'>", file);
      for (int k = 0; k < 64; k++)
        fprintf(file, "<g style='mix-blend-mode: multiply'><rect width='100' height='100' fill='#ff%x'/></g>", k % 16);
      fputs("</g>\n", file);
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

// Runs the instrument on what the CPU draws, and on the device that tests run on only where it is asked for, as a
// software device is slow.
static stijl_result run_scene(const char *file, bool on_device, stijl_lab_report **report, stijl_message *message) {
  if (on_device) return lab_try("scene", file, report, message);
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
TEST(on_gpu) {
  NEEDS_DEVICE;
  char path[] = "/tmp/stijl-scene-XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  stijl_lab_report *report = NULL;
  stijl_message message = {""};
  write_document(path, 4, "filter");
  stijl_result result = run_scene(path, true, &report, &message);
  CHECK_STR(result == STIJL_ERROR_UNSUPPORTED ? "" : message.text, "");
  if (report) {
    lab_check(report, "stages_gpu", 0);
    check_first(report, "\"costly_gpu\"");
    // What is blurred, the blur, and the target.
    lab_check(report, "passes_cpu", 3);
    lab_check(report, "passes_gpu", 3);
    const char *passes = strstr(stijl_lab_json(report), "\"passes_cpu\"");
    CHECK(strstr(passes, "a surface") < strstr(passes, "a filter") &&
          strstr(passes, "a filter") < strstr(passes, "the target"));
  }
  stijl_lab_report_destroy(report);
  close(fd);
  remove(path);
}

TEST(costly) {
  static const char *const planted[] = {"clips", "blend", "dashes"};
  NEEDS_DEVICE;
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
    lab_check(report, "costly_cpu", 0);
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
