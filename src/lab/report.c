// The public functions of a finished report.
#include "lab/page.h"

void stijl_lab_report_destroy(stijl_lab_report *report) {
  if (!report) return;
  sj_lab_text_finish(&report->text);
  sj_lab_text_finish(&report->json);
  sj_lab_text_finish(&report->html);
  sj_lab_page_finish(&report->page);
  sj_free(report->page.context, report);
}

const char *stijl_lab_text(const stijl_lab_report *report) { return report ? report->text.data : ""; }
const char *stijl_lab_json(const stijl_lab_report *report) { return report ? report->json.data : ""; }
const char *stijl_lab_html(const stijl_lab_report *report) { return report ? report->html.data : ""; }
bool stijl_lab_passed(const stijl_lab_report *report) { return report && !report->page.failed; }
