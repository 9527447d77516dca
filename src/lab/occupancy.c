// `lab occupancy` measures how many workgroups a device has at work at the same time, counted by themselves, and what
// limits them.
#include <math.h>
#include <string.h>

#include "lab/frames.h"
#include "lab/statistics.h"

typedef struct sample {
  const char *key, *name;
  uint32_t group, words, values;
} sample;

static const sample samples[] = {
    {"group_32", "workgroups of 32", 32, 1, 4},
    {"group_64", "workgroups of 64", 64, 1, 4},
    {"group_128", "workgroups of 128", 128, 1, 4},
    {"group_256", "workgroups of 256", 256, 1, 4},
    {"group_512", "workgroups of 512", 512, 1, 4},
    {"group_1024", "workgroups of 1024", 1024, 1, 4},
    {"shared_4", "256, 4 KiB of shared memory", 256, 1024, 4},
    {"shared_8", "256, 8 KiB", 256, 2048, 4},
    {"shared_16", "256, 16 KiB", 256, 4096, 4},
    {"shared_32", "256, 32 KiB", 256, 8192, 4},
    {"values_32", "256, 32 values a lane", 256, 1, 32},
    {"values_64", "256, 64 values a lane", 256, 1, 64},
    {"values_128", "256, 128 values a lane", 256, 1, 128},
};
enum { SAMPLES = sizeof samples / sizeof *samples, COLUMNS = 8 };

static bool fits(const sj_lab *lab, const sample *s) {
  const VkPhysicalDeviceLimits *l = &lab->vk.properties.limits;
  return s->group <= l->maxComputeWorkGroupInvocations && s->group <= l->maxComputeWorkGroupSize[0] &&
         s->words * 4 <= l->maxComputeSharedMemorySize;
}

// Counts the workgroups at work at a time, the most of three runs, and checks that all have been counted.
static stijl_result count(sj_lab *lab, const sample *s, uint32_t *peak) {
  const uint32_t constants[] = {s->group, s->words, s->values};
  const sj_buffer *buffers[] = {&lab->little};
  sj_lab_kernel kernel;
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_occupancy, constants, 3, buffers, &kernel);
  if (result != STIJL_OK) return result;
  double lanes = sj_lab_most_lanes(lab);
  uint32_t groups = lab->software ? 64 : (uint32_t)(lanes > 0 ? 3 * lanes : 1 << 20) / s->group;
  // The first workgroups have to be still at work when the last of those that fit begins.
  uint32_t turns = (lab->software ? 2000 : 100000) / s->values;
  const sj_lab_case c = {.name = s->name, .kernel = &kernel, .groups = {groups, 1, 1}, .push = {turns, 12345}};
  uint32_t *counters = lab->little.mapped;
  *peak = 0;
  for (uint32_t round = 0; round < (lab->quick ? 1 : 3) && result == STIJL_OK; round++) {
    memset(counters, 0, 16);
    result = sj_lab_once(lab, &c);
    if (result != STIJL_OK) break;
    if (counters[0] || counters[2] != groups || counters[1] > groups || !counters[1])
      sj_lab_wrong(lab->page, "%s: %u of %u workgroups were counted, and %u left over", s->name, counters[2], groups,
                   counters[0]);
    if (counters[1] > *peak) *peak = counters[1];
  }
  sj_lab_kernel_destroy(lab, &kernel);
  return result;
}

static void say(sj_lab *lab, const double *lanes, double best) {
  double told = sj_lab_most_lanes(lab);
  if (told > 0)
    sj_lab_say(lab->page,
               "At most %.0f lanes were at work at a time, %.1f %% of the %.0f that the device tells of (%u "
               "multiprocessors, %u "
               "subgroups of %u each).",
               best, best / told * 100, told, lab->multiprocessors, lab->warps, lab->p11.subgroupSize);
  else
    sj_lab_say(lab->page, "At most %.0f lanes were at work at a time; the device does not tell how many it could have.",
               best);
  if (isfinite(lanes[9]))
    sj_lab_say(lab->page,
               "32 KiB of shared memory for a workgroup of 256 leave %.0f %% of them; 128 values in each lane %.0f %%.",
               lanes[9] / best * 100, lanes[12] / best * 100);
  if (told > 0 && best > told)
    sj_lab_wrong(lab->page, "%.0f lanes at work are more than the device has, %.0f", best, told);
}

stijl_result sj_lab_run_occupancy(sj_lab *lab) {
  if (lab->params->file) return sj_lab_count_kernel(lab, lab->params->file);
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result == STIJL_OK) result = sj_lab_warm(lab);
  const sj_lab_column columns[COLUMNS] = {{"key", "", SJ_LAB_NAME},
                                          {"name", "kernel", SJ_LAB_NAME},
                                          {"registers", "registers", SJ_LAB_COUNT},
                                          {"shared", "shared", SJ_LAB_BYTES},
                                          {"groups", "groups", SJ_LAB_COUNT},
                                          {"lanes", "lanes at work", SJ_LAB_COUNT},
                                          {"predicted", "by registers", SJ_LAB_COUNT},
                                          {"share", "of the most", SJ_LAB_SHARE}};
  sj_lab_cell cells[SAMPLES * COLUMNS];
  sj_lab_bar bars[SAMPLES];
  double lanes[SAMPLES], best = 0, told = sj_lab_most_lanes(lab);
  for (uint32_t i = 0; i < SAMPLES && result == STIJL_OK; i++) {
    const sample *s = &samples[i];
    uint32_t peak = 0;
    const uint32_t constants[] = {s->group, s->words, s->values};
    sj_lab_statistics statistics = {.registers = (double)NAN};
    bool possible = fits(lab, s);
    if (possible) result = count(lab, s, &peak);
    if (possible && result == STIJL_OK) result = sj_lab_compile(lab, &sj_lab_occupancy, constants, 3, &statistics);
    sj_lab_statistics_finish(lab, &statistics);
    lanes[i] = possible ? (double)peak * s->group : (double)NAN;
    if (possible) best = fmax(best, lanes[i]);
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(s->key),
                                      SJ_LAB_TEXT(s->name),
                                      SJ_LAB_NUMBER(statistics.registers),
                                      SJ_LAB_NUMBER(s->words > 1 ? s->words * 4.0 : 0),
                                      SJ_LAB_NUMBER(possible ? peak : (double)NAN),
                                      SJ_LAB_NUMBER(lanes[i]),
                                      SJ_LAB_NUMBER(sj_lab_lanes_by_registers(lab, statistics.registers, s->group)),
                                      SJ_LAB_NUMBER(0)};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
    bars[i] = (sj_lab_bar){s->name, lanes[i]};
  }
  if (result != STIJL_OK) return result;
  for (uint32_t i = 0; i < SAMPLES; i++) cells[i * COLUMNS + 7].number = lanes[i] / (told > 0 ? told : best);
  say(lab, lanes, best);
  sj_lab_table(lab->page, "occupancy", "Workgroups at work at the same time, counted by themselves", columns, COLUMNS,
               cells, SAMPLES);
  sj_lab_text plot = {.context = lab->context};
  const sj_lab_mark mark = {"what the device tells", told > 0 ? told : (double)NAN};
  sj_lab_bars(&plot, SJ_LAB_COUNT, bars, SAMPLES, &mark, 1);
  sj_lab_picture(lab->page, "Lanes at work at the same time", &plot);
  sj_lab_text_finish(&plot);
  return sj_lab_count_fine(lab);
}
