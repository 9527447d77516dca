// What an instrument says, written three times while it works: for a terminal, as JSON, and as HTML.
#ifndef SJ_LAB_PAGE_H
#define SJ_LAB_PAGE_H

#include "lab/text.h"
#include "stijl/lab.h"

// The unit of a column's numbers. JSON has them as they are; for people they are scaled.
typedef enum sj_lab_unit {
  SJ_LAB_NAME,  // no number, but text
  SJ_LAB_COUNT,
  SJ_LAB_BYTES,
  SJ_LAB_US,     // microseconds
  SJ_LAB_RATE,   // bytes a second
  SJ_LAB_WORK,   // operations a second
  SJ_LAB_SHARE,  // 1 is all of it
  SJ_LAB_FACTOR
} sj_lab_unit;

typedef struct sj_lab_column {
  const char *key;    // in JSON
  const char *title;  // for people
  sj_lab_unit unit;
} sj_lab_column;

// One of the two, by the column's unit. A number that is not finite is one that there is none of.
typedef struct sj_lab_cell {
  double number;
  const char *text;
} sj_lab_cell;
#define SJ_LAB_TEXT(t) \
  (sj_lab_cell) { 0, t }
#define SJ_LAB_NUMBER(n) \
  (sj_lab_cell) { (double)(n), NULL }
// A measured time in three columns and their cells; `time` has members us, low and high.
#define SJ_LAB_TIME_COLUMNS(title) \
  {"us", title, SJ_LAB_US}, {"low", "95 % from", SJ_LAB_US}, { "high", "to", SJ_LAB_US }
#define SJ_LAB_TIME(time) SJ_LAB_NUMBER((time).us), SJ_LAB_NUMBER((time).low), SJ_LAB_NUMBER((time).high)

typedef struct sj_lab_page {
  stijl_context *context;
  const char *name;
  sj_lab_text verdict, verdict_json, verdict_html;  // sentences
  sj_lab_text text, json, html;                     // facts and tables
  sj_lab_text likes;                                // what the device likes, a few words each
  bool failed;                                      // a check has
} sj_lab_page;

struct stijl_lab_report {
  sj_lab_page page;
  sj_lab_text text, json, html;
};

void sj_lab_page_init(sj_lab_page *page, stijl_context *context, const char *name);
void sj_lab_page_finish(sj_lab_page *page);

typedef enum sj_lab_sentence_kind {
  SJ_LAB_SAY,   // of the verdict
  SJ_LAB_LIKE,  // a few words on what pays on this device: "padded tiles"; they become the first sentence
  SJ_LAB_WRONG  // a check that has failed, and the run with it
} sj_lab_sentence_kind;
__attribute__((format(printf, 3, 4))) void sj_lab_sentence(sj_lab_page *page, sj_lab_sentence_kind kind,
                                                           const char *format, ...);
#define sj_lab_say(page, ...) sj_lab_sentence(page, SJ_LAB_SAY, __VA_ARGS__)
#define sj_lab_like(page, ...) sj_lab_sentence(page, SJ_LAB_LIKE, __VA_ARGS__)
#define sj_lab_wrong(page, ...) sj_lab_sentence(page, SJ_LAB_WRONG, __VA_ARGS__)

// `cells` has `rows` times `column_count` of them.
void sj_lab_table(sj_lab_page *page, const char *key, const char *title, const sj_lab_column *columns,
                  uint32_t column_count, const sj_lab_cell *cells, uint32_t rows);
// A picture for HTML: the text of an SVG element.
void sj_lab_picture(sj_lab_page *page, const char *title, const sj_lab_text *svg);
// A number for people: "4.05 TB/s".
void sj_lab_format(char *out, size_t bytes, sj_lab_unit unit, double number);

// The report; false where memory is short.
bool sj_lab_page_close(stijl_lab_report *report);

#endif
