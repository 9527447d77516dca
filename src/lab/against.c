#include "lab/against.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, TEXT = 128, NAME = 96 };

// What a report was measured on; names are empty where it does not say. Whether problems are quick or on software
// matters, as these are smaller and their times are not comparable.
typedef struct device_told {
  char name[NAME], driver[NAME];
  bool software, quick;
} device_told;

// One row of a report that has a time: its name, "table/row", and microseconds.
typedef struct row_time {
  char name[NAME];
  double us, low, high;
} row_time;

typedef struct report_times {
  device_told device;
  SJ_ARRAY(row_time) list;
} report_times;

// --- Reading ---

typedef struct reader {
  stijl_context *context;
  const char *at;
  report_times *out;
} reader;

static void skip_space(reader *r) {
  while (*r->at && isspace((unsigned char)*r->at)) r->at++;
}

static bool take(reader *r, char c) {
  skip_space(r);
  if (*r->at != c) return false;
  r->at++;
  return true;
}

// Reads a string, cut off where it is long. Escapes stay as they are.
static bool read_string(reader *r, char out[TEXT]) {
  size_t n = 0;
  if (!take(r, '"')) return false;
  for (; *r->at && *r->at != '"'; r->at++) {
    if (n + 2 < TEXT) out[n++] = *r->at;
    if (*r->at == '\\' && r->at[1]) {
      r->at++;
      if (n + 2 < TEXT) out[n++] = *r->at;
    }
  }
  out[n] = 0;
  return take(r, '"');
}

static bool skip_value(reader *r, int depth) {
  char text[TEXT], *end;
  skip_space(r);
  if (depth > MAX_DEPTH) return false;
  if (*r->at == '"') return read_string(r, text);
  if (*r->at == '{' || *r->at == '[') {
    char close = *r->at == '{' ? '}' : ']';
    r->at++;
    if (take(r, close)) return true;
    do {
      if (close == '}' && !(read_string(r, text) && take(r, ':'))) return false;
      if (!skip_value(r, depth + 1)) return false;
    } while (take(r, ','));
    return take(r, close);
  }
  if (isalpha((unsigned char)*r->at)) {
    while (isalpha((unsigned char)*r->at)) r->at++;
    return true;
  }
  strtod(r->at, &end);
  bool number = end != r->at;
  r->at = end;
  return number;
}

// Reads a row. Its first text is its name; a row without a time is skipped.
static bool read_row(reader *r, const char *table) {
  char key[TEXT], value[TEXT], name[TEXT] = "";
  row_time row = {.us = (double)NAN, .low = (double)NAN, .high = (double)NAN};
  if (!take(r, '{')) return false;
  do {
    if (!read_string(r, key) || !take(r, ':')) return false;
    skip_space(r);
    double *number = strcmp(key, "us") == 0     ? &row.us
                     : strcmp(key, "low") == 0  ? &row.low
                     : strcmp(key, "high") == 0 ? &row.high
                                                : NULL;
    if (*r->at == '"' && !*name) {
      if (!read_string(r, value)) return false;
      memcpy(name, value, sizeof name);
    } else {
      if (number && *r->at != 'n') *number = strtod(r->at, NULL);
      if (!skip_value(r, 2)) return false;
    }
  } while (take(r, ','));
  if (!take(r, '}')) return false;
  if (!isfinite(row.us) || !*name) return true;
  snprintf(row.name, sizeof row.name, "%.30s/%.60s", table, name);
  return sj_array_push(r->context, &r->out->list, row);
}

// Reads {"name": ..., "type": ..., "driver": ..., "quick": ...}.
static bool read_device(reader *r) {
  device_told *to = &r->out->device;
  char key[TEXT], value[TEXT];
  if (!take(r, '{')) return false;
  do {
    if (!read_string(r, key) || !take(r, ':')) return false;
    skip_space(r);
    if (*r->at == '"') {
      if (!read_string(r, value)) return false;
      if (strcmp(key, "name") == 0) snprintf(to->name, sizeof to->name, "%.90s", value);
      if (strcmp(key, "driver") == 0) snprintf(to->driver, sizeof to->driver, "%.90s", value);
      if (strcmp(key, "type") == 0) to->software = strcmp(value, "cpu") == 0;
    } else {
      if (strcmp(key, "quick") == 0) to->quick = *r->at == 't';
      if (!skip_value(r, 2)) return false;
    }
  } while (take(r, ','));
  return take(r, '}');
}

// Reads JSON that the lab has written. Returns false where it is something else or memory is short.
static bool read_times(stijl_context *context, const char *json, report_times *out) {
  *out = (report_times){0};
  reader r = {context, json, out};
  char key[TEXT];
  if (!take(&r, '{')) return false;
  do {
    if (!read_string(&r, key) || !take(&r, ':')) return false;
    skip_space(&r);
    const char *value = r.at;
    if (strcmp(key, "device") == 0 && *value == '{') {
      if (!read_device(&r)) return false;
      continue;
    }
    if (take(&r, '[')) {
      skip_space(&r);
      if (*r.at == '{') {
        do {
          if (!read_row(&r, key)) return false;
        } while (take(&r, ','));
        if (!take(&r, ']')) return false;
        continue;
      }
      r.at = value;
    }
    if (!skip_value(&r, 1)) return false;
  } while (take(&r, ','));
  return take(&r, '}');
}

static void finish_times(stijl_context *context, report_times *times) { sj_array_finish(context, &times->list); }

// --- Comparing ---

static const row_time *find(const report_times *times, const char *name) {
  for (size_t i = 0; i < times->list.count; i++)
    if (strcmp(times->list.data[i].name, name) == 0) return &times->list.data[i];
  return NULL;
}

enum { PLACE = 400 };

// Writes the name of the file and of the device that its times are of.
static const char *place_of(const char *path, const report_times *times, char out[PLACE]) {
  const device_told *device = &times->device;
  if (*device->name)
    snprintf(out, PLACE, "%.200s (%s, %s)", path, device->name, device->driver);
  else
    snprintf(out, PLACE, "%.200s", path);
  return out;
}

static const char *problems_of(const device_told *device) {
  return device->software ? "a software device's" : device->quick ? "small" : "large";
}

static stijl_result write(sj_lab *lab, const report_times *before, const report_times *now, const char *path) {
  static const sj_lab_column columns[] = {{"name", "", SJ_LAB_NAME},
                                          {"before", "before", SJ_LAB_US},
                                          {"now", "now", SJ_LAB_US},
                                          {"factor", "factor", SJ_LAB_FACTOR},
                                          {"verdict", "", SJ_LAB_NAME}};
  sj_lab_cell *cells = sj_alloc_array(lab->context, now->list.count * 5 + 1, sizeof *cells);
  uint32_t rows = 0, faster = 0, slower = 0;
  if (!cells) return sj_fail_memory(lab->message);
  for (size_t i = 0; i < now->list.count; i++) {
    const row_time *a = &now->list.data[i], *b = find(before, a->name);
    if (!b || !(b->us > 0)) continue;
    // A difference counts beyond 3 %, and where the confidence intervals, if there are any, do not overlap.
    bool apart = !(a->low <= b->high && b->low <= a->high), less = a->us<b->us * 0.97, more = a->us> b->us * 1.03;
    faster += apart && less;
    slower += apart && more;
    const sj_lab_cell row[] = {SJ_LAB_TEXT(a->name), SJ_LAB_NUMBER(b->us), SJ_LAB_NUMBER(a->us),
                               SJ_LAB_NUMBER(a->us / b->us),
                               SJ_LAB_TEXT(!apart ? ""
                                           : less ? "faster"
                                           : more ? "slower"
                                                  : "")};
    memcpy(&cells[rows++ * 5], row, sizeof row);
  }
  sj_lab_say(lab->page,
             "Against %s: %u of %u times are shorter and %u longer, by 3 %% or more and beyond their intervals.", path,
             faster, rows, slower);
  sj_lab_table(lab->page, "against", "Against another run", columns, 5, cells, rows);
  sj_free(lab->context, cells);
  return STIJL_OK;
}

stijl_result sj_lab_compare_with(sj_lab *lab, const char *path) {
  char *data = NULL;
  size_t bytes;
  report_times before = {0}, now = {0};
  sj_lab_text json = {.context = lab->context};
  stijl_result result = sj_lab_read_file(lab, path, &data, &bytes);
  if (result == STIJL_OK && !read_times(lab->context, data, &before))
    result = sj_fail(lab->message, STIJL_ERROR_MALFORMED, "%.160s is no JSON of the lab", path);
  sj_lab_add_all(&json, "{\"instrument\": \"\"");
  sj_lab_add_all(&json, lab->page->json.data ? lab->page->json.data : "");
  sj_lab_add_all(&json, "}");
  if (result == STIJL_OK && (json.failed || !read_times(lab->context, json.data, &now)))
    result = sj_fail_memory(lab->message);
  char place[PLACE];
  const char *was = problems_of(&before.device), *is = problems_of(&now.device);
  if (result == STIJL_OK && *before.device.name && *now.device.name && strcmp(was, is) != 0)
    sj_lab_say(lab->page, "%s has the times of %s problems, and this run those of %s: they are not compared.",
               place_of(path, &before, place), was, is);
  else if (result == STIJL_OK)
    result = write(lab, &before, &now, place_of(path, &before, place));
  sj_lab_text_finish(&json);
  finish_times(lab->context, &before);
  finish_times(lab->context, &now);
  sj_free(lab->context, data);
  return result;
}
