// A page collects what an instrument says, in three forms at once: for a terminal, as JSON, and as HTML.
#ifndef SJ_LAB_PAGE_H
#define SJ_LAB_PAGE_H

#include "lab/text.h"
#include "stijl/lab.h"

// The unit of a column's numbers. JSON has plain numbers; for people they are scaled and have three digits.
typedef enum sj_lab_unit {
  SJ_LAB_NAME,  // text instead of numbers
  SJ_LAB_COUNT,
  SJ_LAB_BYTES,
  SJ_LAB_US,     // microseconds
  SJ_LAB_RATE,   // bytes a second
  SJ_LAB_WORK,   // operations a second
  SJ_LAB_SHARE,  // 1 is the whole; people see percent
  SJ_LAB_FACTOR
} sj_lab_unit;

typedef struct sj_lab_column {
  const char *key;    // in JSON
  const char *title;  // for people
  sj_lab_unit unit;
} sj_lab_column;

// A cell has a number or a text, by the column's unit. A number that is not finite means that there is none.
typedef struct sj_lab_cell {
  double number;
  const char *text;
} sj_lab_cell;
#define SJ_LAB_TEXT(t) \
  (sj_lab_cell) { 0, t }
#define SJ_LAB_NUMBER(n) \
  (sj_lab_cell) { (double)(n), NULL }
// The three columns of a measured time, and their cells; `time` has members us, low and high.
#define SJ_LAB_TIME_COLUMNS(title) \
  {"us", title, SJ_LAB_US}, {"low", "95 % from", SJ_LAB_US}, { "high", "to", SJ_LAB_US }
#define SJ_LAB_TIME(time) SJ_LAB_NUMBER((time).us), SJ_LAB_NUMBER((time).low), SJ_LAB_NUMBER((time).high)

typedef struct sj_lab_page {
  stijl_context *context;
  const char *name;
  sj_lab_text verdict, verdict_json;  // sentences
  sj_lab_text text, json;             // facts and tables
  sj_lab_text likes;                  // what pays on the device, a few words each
  // Of the HTML: what is on top of all sections, and those that are complete.
  sj_lab_text device, wrongs, cards, overview, contents, sections;
  // The section at work: its sentences, and what follows them.
  const char *section, *summary;
  sj_lab_text said, html;
  uint32_t headings;  // so far; each has an anchor
  bool card;          // the last card is open
  bool failed;        // a check has failed
} sj_lab_page;

struct stijl_lab_report {
  sj_lab_page page;
  sj_lab_text text, json, html;
};

void sj_lab_page_init(sj_lab_page *page, stijl_context *context, const char *name);
void sj_lab_page_finish(sj_lab_page *page);

typedef enum sj_lab_sentence_kind {
  SJ_LAB_SAY,   // a sentence of the verdict
  SJ_LAB_LIKE,  // a few words on what pays on this device, such as "padded tiles"; they become the first sentence
  SJ_LAB_WRONG  // a failed check, with which the run fails
} sj_lab_sentence_kind;
__attribute__((format(printf, 3, 4))) void sj_lab_sentence(sj_lab_page *page, sj_lab_sentence_kind kind,
                                                           const char *format, ...);
#define sj_lab_say(page, ...) sj_lab_sentence(page, SJ_LAB_SAY, __VA_ARGS__)
#define sj_lab_like(page, ...) sj_lab_sentence(page, SJ_LAB_LIKE, __VA_ARGS__)
#define sj_lab_wrong(page, ...) sj_lab_sentence(page, SJ_LAB_WRONG, __VA_ARGS__)

// Begins the section of an instrument: what follows belongs to it. Names and summaries stay; the name is its anchor.
void sj_lab_section(sj_lab_page *page, const char *name, const char *summary);

// Adds a heading, and its anchor, to the HTML.
void sj_lab_heading(sj_lab_page *page, const char *title);
// Adds a table. `cells` has `rows` times `column_count` cells, row by row. A table without rows is left out.
void sj_lab_table(sj_lab_page *page, const char *key, const char *title, const sj_lab_column *columns,
                  uint32_t column_count, const sj_lab_cell *cells, uint32_t rows);
// Adds a picture to the HTML: the text of an SVG element.
void sj_lab_picture(sj_lab_page *page, const char *title, const sj_lab_text *svg);
// Adds a picture to the card of the last thing that was liked, or to what is on top of all sections.
void sj_lab_card_picture(sj_lab_page *page, const sj_lab_text *svg);
void sj_lab_overview(sj_lab_page *page, const sj_lab_text *svg);
// Formats a number for people, such as "4.05 TB/s".
void sj_lab_format(char *out, size_t bytes, sj_lab_unit unit, double number);

// Writes the HTML of a page (page_html.c).
void sj_lab_page_html(sj_lab_page *page, sj_lab_text *out);
// Ends the section at work.
void sj_lab_end_section(sj_lab_page *page);

// Makes the report of the page. Returns false where memory is or was short.
bool sj_lab_page_close(stijl_lab_report *report);

#endif
