#include "lab/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COLUMNS = 16, CELL = 96 };

void sj_lab_page_init(sj_lab_page *p, stijl_context *context, const char *name) {
  *p = (sj_lab_page){.context = context, .name = name};
  p->verdict.context = p->verdict_json.context = p->verdict_html.context = context;
  p->likes.context = p->text.context = p->json.context = p->html.context = context;
}

void sj_lab_page_finish(sj_lab_page *p) {
  sj_lab_text_finish(&p->likes);
  sj_lab_text_finish(&p->verdict);
  sj_lab_text_finish(&p->verdict_json);
  sj_lab_text_finish(&p->verdict_html);
  sj_lab_text_finish(&p->text);
  sj_lab_text_finish(&p->json);
  sj_lab_text_finish(&p->html);
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
    return;
  }
  bool wrong = kind == SJ_LAB_WRONG;
  p->failed |= wrong;
  sj_lab_add(&p->verdict, "%s%s\n", wrong ? "WRONG: " : "", words);
  if (p->verdict_json.count) sj_lab_add_all(&p->verdict_json, ",");
  sj_lab_add_json(&p->verdict_json, words);
  sj_lab_add(&p->verdict_html, "<p%s>", wrong ? " class=\"wrong\"" : "");
  sj_lab_add_xml(&p->verdict_html, words);
  sj_lab_add_all(&p->verdict_html, "</p>\n");
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
  sj_lab_add_all(&p->html, "<h2>");
  sj_lab_add_xml(&p->html, title);
  sj_lab_add_all(&p->html, "</h2>\n<table>\n");
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
  sj_lab_add_all(&p->html, "</table>\n");
}

void sj_lab_table(sj_lab_page *p, const char *key, const char *title, const sj_lab_column *columns, uint32_t count,
                  const sj_lab_cell *cells, uint32_t rows) {
  if (count > MAX_COLUMNS || !rows) return;
  table_text(p, title, columns, count, cells, rows);
  table_json(p, key, columns, count, cells, rows);
  table_html(p, title, columns, count, cells, rows);
}

void sj_lab_picture(sj_lab_page *p, const char *title, const sj_lab_text *svg) {
  if (svg->failed || !svg->data) {
    p->html.failed = true;
    return;
  }
  sj_lab_add_all(&p->html, "<h2>");
  sj_lab_add_xml(&p->html, title);
  sj_lab_add_all(&p->html, "</h2>\n");
  sj_lab_add_all(&p->html, svg->data);
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

  sj_lab_add(&r->html,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>stijl lab %s</title>\n<style>\n"
             "body { font: 15px/1.5 sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; color: #222 }\n"
             "h2 { font-size: 17px; margin-top: 2em }\n"
             "table { border-collapse: collapse }\n"
             "th, td { padding: 2px 12px 2px 0; text-align: right; font-variant-numeric: tabular-nums }\n"
             "th { border-bottom: 1px solid #888 }\n"
             ".name { text-align: left }\n"
             ".wrong { color: #b00; font-weight: bold }\n"
             ".pair { display: flex; gap: 1em }\n"
             ".pair pre { flex: 1; overflow-x: auto; font-size: 12px; line-height: 1.3 }\n"
             "svg { max-width: 100%%; height: auto }\n"
             "</style>\n<h1>stijl lab %s</h1>\n",
             p->name, p->name);
  if (p->likes.count) {
    sj_lab_add_all(&r->html, "<p><b>");
    sj_lab_add_xml(&r->html, p->likes.data);
    sj_lab_add_all(&r->html, ".</b></p>\n");
  }
  sj_lab_add_all(&r->html, or_empty(&p->verdict_html));
  sj_lab_add_all(&r->html, or_empty(&p->html));
  sj_lab_add_all(&r->html, "</html>\n");
  return !(p->likes.failed || p->verdict.failed || p->verdict_json.failed || p->verdict_html.failed || p->text.failed ||
           p->json.failed || p->html.failed || r->text.failed || r->json.failed || r->html.failed);
}
