// Compares the times of a run with those of another one, read from its JSON.
#ifndef SJ_LAB_AGAINST_H
#define SJ_LAB_AGAINST_H

#include "lab/harness.h"

enum { SJ_LAB_TIMES_NAME = 96 };

// What a report was measured on; names are empty where it does not say. Whether problems are quick or on software
// matters, as these are smaller and their times are not comparable.
typedef struct sj_lab_device_told {
  char name[SJ_LAB_TIMES_NAME], driver[SJ_LAB_TIMES_NAME];
  bool software, quick;
} sj_lab_device_told;

// One row of a report that has a time: its name, "table/row", and microseconds.
typedef struct sj_lab_row_time {
  char name[SJ_LAB_TIMES_NAME];
  double us, low, high;
} sj_lab_row_time;

typedef struct sj_lab_report_times {
  sj_lab_device_told device;
  SJ_ARRAY(sj_lab_row_time) list;
} sj_lab_report_times;

// Reads JSON that the lab has written. Returns false where it is something else or memory is short.
bool sj_lab_report_times_read(stijl_context *context, const char *json, sj_lab_report_times *out);
void sj_lab_report_times_finish(stijl_context *context, sj_lab_report_times *times);

// Compares the times on the lab's page so far with those in the file, and writes what has become faster or slower.
stijl_result sj_lab_compare_with(sj_lab *lab, const char *path);

#endif
