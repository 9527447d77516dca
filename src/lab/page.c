#include "lab/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COLUMNS = 16, CELL = 96 };

// All texts of a page.
#define TEXTS(p)                                                                                                     \
  {                                                                                                                  \
    &(p)->verdict, &(p)->verdict_json, &(p)->text, &(p)->json, &(p)->likes, &(p)->device, &(p)->wrongs, &(p)->cards, \
        &(p)->overview, &(p)->contents, &(p)->sections, &(p)->said, &(p)->html                                       \
  }
enum { TEXTS_COUNT = 13 };

void sj_lab_page_init(sj_lab_page *p, stijl_context *context, const char *name) {
  *p = (sj_lab_page){.context = context, .name = name};
  sj_lab_text *texts[TEXTS_COUNT] = TEXTS(p);
  for (int i = 0; i < TEXTS_COUNT; i++) texts[i]->context = context;
}

void sj_lab_page_finish(sj_lab_page *p) {
  sj_lab_text *texts[TEXTS_COUNT] = TEXTS(p);
  for (int i = 0; i < TEXTS_COUNT; i++) sj_lab_text_finish(texts[i]);
}

// --- Sentences ---

void sj_lab_sentence(sj_lab_page *p, sj_lab_sentence_kind kind, const char *format, ...) {
  char words[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  if (kind == SJ_LAB_LIKE) {
    sj_lab_add(&p->likes, "%s%s", p->likes.count ? "; " : "It pays here: ", words);
    sj_lab_add(&p->cards, "%s<article><h3>", p->card ? "</article>\n" : "");
    sj_lab_add_xml(&p->cards, words);
    sj_lab_add(&p->cards, "</h3>\n<p><a href=\"#%s\">%s</a></p>\n", p->section ? p->section : "measured",
               p->section ? p->section : "measured");
    p->card = true;
    return;
  }
  bool wrong = kind == SJ_LAB_WRONG;
  p->failed |= wrong;
  sj_lab_add(&p->verdict, "%s%s\n", wrong ? "WRONG: " : "", words);
  if (p->verdict_json.count) sj_lab_add_all(&p->verdict_json, ",");
  sj_lab_add_json(&p->verdict_json, words);
  sj_lab_add(&p->said, "<li%s>", wrong ? " class=\"wrong\"" : "");
  sj_lab_add_xml(&p->said, words);
  sj_lab_add_all(&p->said, "</li>\n");
  if (!wrong) return;
  sj_lab_add_all(&p->wrongs, "<li>");
  sj_lab_add_xml(&p->wrongs, words);
  sj_lab_add_all(&p->wrongs, "</li>\n");
}

// --- Numbers ---

// Writes a number with three digits and the prefix of its power of `base`.
static void scaled(char *out, size_t bytes, double n, double base, const char *const *prefixes, const char *unit) {
  int i = 0;
  for (; fabs(n) >= base && prefixes[i + 1]; i++) n /= base;
  snprintf(out, bytes, "%.*f %s%s",
           fabs(n) >= 100 || (n == floor(n) && !i) ? 0
           : fabs(n) >= 10                         ? 1
                                                   : 2,
           n, prefixes[i], unit);
}

void sj_lab_format(char *out, size_t bytes, sj_lab_unit unit, double n) {
  static const char *const binary[] = {"", "Ki", "Mi", "Gi", NULL}, *const decimal[] = {"", "k", "M", "G", "T", NULL};
  static const char *const time[] = {"u", "m", "", NULL};
  if (!isfinite(n))
    snprintf(out, bytes, "-");
  else if (unit == SJ_LAB_COUNT)
    snprintf(out, bytes, n == floor(n) ? "%.0f" : "%.1f", n);
  else if (unit == SJ_LAB_BYTES)
    scaled(out, bytes, n, 1024, binary, "B");
  else if (unit == SJ_LAB_US)
    scaled(out, bytes, n, 1000, time, "s");
  else if (unit == SJ_LAB_RATE)
    scaled(out, bytes, n, 1000, decimal, "B/s");
  else if (unit == SJ_LAB_WORK)
    scaled(out, bytes, n, 1000, decimal, "op/s");
  else if (unit == SJ_LAB_SHARE)
    snprintf(out, bytes, "%.1f %%", n * 100);
  else
    snprintf(out, bytes, "%.2fx", n);
}

// --- Tables ---

static void format_cell(char *out, const sj_lab_column *column, const sj_lab_cell *cell) {
  if (column->unit == SJ_LAB_NAME)
    snprintf(out, CELL, "%s", cell->text ? cell->text : "");
  else
    sj_lab_format(out, CELL, column->unit, cell->number);
}

static void table_text(sj_lab_page *p, const char *title, const sj_lab_column *columns, uint32_t count,
                       const sj_lab_cell *cells, uint32_t rows) {
  int widths[MAX_COLUMNS];
  char cell[CELL];
  for (uint32_t c = 0; c < count; c++) {
    widths[c] = (int)strlen(columns[c].title);
    for (uint32_t r = 0; r < rows; r++) {
      format_cell(cell, &columns[c], &cells[r * count + c]);
      if ((int)strlen(cell) > widths[c]) widths[c] = (int)strlen(cell);
    }
  }
  sj_lab_add(&p->text, "\n%s\n", title);
  for (uint32_t r = 0; r <= rows; r++) {
    for (uint32_t c = 0; c < count; c++) {
      if (r)
        format_cell(cell, &columns[c], &cells[(r - 1) * count + c]);
      else
        snprintf(cell, sizeof cell, "%s", columns[c].title);
      bool last = c + 1 == count;
      if (columns[c].unit == SJ_LAB_NAME)
        sj_lab_add(&p->text, "  %-*s", last ? 0 : widths[c], cell);
      else
        sj_lab_add(&p->text, "  %*s", widths[c], cell);
    }
    sj_lab_add_all(&p->text, "\n");
  }
}

static void table_json(sj_lab_page *p, const char *key, const sj_lab_column *columns, uint32_t count,
                       const sj_lab_cell *cells, uint32_t rows) {
  sj_lab_add(&p->json, ",\n\"%s\": [", key);
  for (uint32_t r = 0; r < rows; r++) {
    sj_lab_add_all(&p->json, r ? ",\n  {" : "\n  {");
    for (uint32_t c = 0; c < count; c++) {
      const sj_lab_cell *cell = &cells[r * count + c];
      sj_lab_add(&p->json, "%s\"%s\": ", c ? ", " : "", columns[c].key);
      if (columns[c].unit == SJ_LAB_NAME)
        sj_lab_add_json(&p->json, cell->text ? cell->text : "");
      else
        sj_lab_add_number(&p->json, cell->number);
    }
    sj_lab_add_all(&p->json, "}");
  }
  sj_lab_add_all(&p->json, "]");
}

static void table_html(sj_lab_page *p, const char *title, const sj_lab_column *columns, uint32_t count,
                       const sj_lab_cell *cells, uint32_t rows) {
  sj_lab_heading(p, title);
  sj_lab_add_all(&p->html, "<div class=\"wide\"><table>\n");
  for (uint32_t r = 0; r <= rows; r++) {
    sj_lab_add_all(&p->html, "<tr>");
    for (uint32_t c = 0; c < count; c++) {
      char cell[CELL];
      if (r)
        format_cell(cell, &columns[c], &cells[(r - 1) * count + c]);
      else
        snprintf(cell, sizeof cell, "%s", columns[c].title);
      sj_lab_add(&p->html, "<t%c%s>", r ? 'd' : 'h', columns[c].unit == SJ_LAB_NAME ? " class=\"name\"" : "");
      sj_lab_add_xml(&p->html, cell);
      sj_lab_add(&p->html, "</t%c>", r ? 'd' : 'h');
    }
    sj_lab_add_all(&p->html, "</tr>\n");
  }
  sj_lab_add_all(&p->html, "</table></div>\n");
}

void sj_lab_table(sj_lab_page *p, const char *key, const char *title, const sj_lab_column *columns, uint32_t count,
                  const sj_lab_cell *cells, uint32_t rows) {
  if (count > MAX_COLUMNS || !rows) return;
  table_text(p, title, columns, count, cells, rows);
  table_json(p, key, columns, count, cells, rows);
  table_html(p, title, columns, count, cells, rows);
}

// --- The whole ---

static const char *or_empty(const sj_lab_text *t) { return t->data ? t->data : ""; }

bool sj_lab_page_close(stijl_lab_report *r) {
  const sj_lab_page *p = &r->page;
  r->text.context = r->json.context = r->html.context = p->context;
  if (p->likes.count) sj_lab_add(&r->text, "%s.\n", p->likes.data);
  sj_lab_add_all(&r->text, or_empty(&p->verdict));
  sj_lab_add_all(&r->text, or_empty(&p->text));

  sj_lab_add(&r->json, "{\"instrument\": \"%s\", \"passed\": %s,\n\"verdict\": [", p->name,
             p->failed ? "false" : "true");
  if (p->likes.count) {
    sj_lab_add_json(&r->json, p->likes.data);
    if (p->verdict_json.count) sj_lab_add_all(&r->json, ",");
  }
  sj_lab_add_all(&r->json, or_empty(&p->verdict_json));
  sj_lab_add_all(&r->json, "]");
  sj_lab_add_all(&r->json, or_empty(&p->json));
  sj_lab_add_all(&r->json, "}\n");

  sj_lab_end_section(&r->page);
  sj_lab_page_html(&r->page, &r->html);
  bool failed = r->text.failed || r->json.failed || r->html.failed;
  sj_lab_text *texts[TEXTS_COUNT] = TEXTS(&r->page);
  for (int i = 0; i < TEXTS_COUNT; i++) failed |= texts[i]->failed;
  return !failed;
}
