// Comparing a run with another one's JSON.
#ifndef SJ_LAB_AGAINST_H
#define SJ_LAB_AGAINST_H

#include "lab/harness.h"

enum { SJ_LAB_TIMES_NAME = 96 };

// What a report was measured on: empty where it does not say. Problems are small where `quick`, and smaller on
// software.
typedef struct sj_lab_device_told {
  char name[SJ_LAB_TIMES_NAME], driver[SJ_LAB_TIMES_NAME];
  bool software, quick;
} sj_lab_device_told;

// The times of a report: "table/row" and the microseconds of each row that has any.
typedef struct sj_lab_row_time {
  char name[SJ_LAB_TIMES_NAME];
  double us, low, high;
} sj_lab_row_time;

typedef struct sj_lab_times {
  sj_lab_device_told device;
  SJ_ARRAY(sj_lab_row_time) list;
} sj_lab_times;

// Reads JSON that the lab has written. False where it is something else or memory is short.
bool sj_lab_times_read(stijl_context *context, const char *json, sj_lab_times *out);
void sj_lab_times_finish(stijl_context *context, sj_lab_times *times);

// Compares what the page holds so far with a file; says what has become faster or slower.
stijl_result sj_lab_compare_with(sj_lab *lab, const char *path);

#endif
