// `lab occupancy`: how many workgroups a device has at work at the same time, counted by themselves, and what it is
// that stops them.
#include <math.h>
#include <stdio.h>
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
enum { SAMPLES = sizeof samples / sizeof *samples, COLUMNS = 7 };

// The lanes that a device can have at work, where it tells: 0 else.
static double most_lanes(const sj_lab *lab) {
  return (double)lab->multiprocessors * lab->warps * lab->p11.subgroupSize;
}

static bool fits(const sj_lab *lab, const sample *s) {
  const VkPhysicalDeviceLimits *l = &lab->vk.properties.limits;
  return s->group <= l->maxComputeWorkGroupInvocations && s->group <= l->maxComputeWorkGroupSize[0] &&
         s->words * 4 <= l->maxComputeSharedMemorySize;
}

// Workgroups at work at a time, the most of three runs; checks that all have been counted.
static stijl_result count(sj_lab *lab, const sample *s, uint32_t *peak) {
  const uint32_t constants[] = {s->group, s->words, s->values};
  const sj_buffer *buffers[] = {&lab->little};
  sj_lab_kernel kernel;
  stijl_result result = sj_lab_kernel_create(lab, &sj_lab_occupancy, constants, 3, buffers, &kernel);
  if (result != STIJL_OK) return result;
  double lanes = most_lanes(lab);
  uint32_t groups = lab->software ? 64 : (uint32_t)(lanes > 0 ? 3 * lanes : 1 << 20) / s->group;
  // So long that those which began first are at work still when the last of those that fit begins.
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

// --- The renderer's fine ---

// Draws over draws, so that a workgroup is at work for long.
static stijl_result record(sj_lab *lab, int size, stijl_scene **out) {
  stijl_path *path = NULL;
  stijl_result result = stijl_path_create(lab->context, &path);
  *out = NULL;
  if (result == STIJL_OK) result = stijl_scene_create(lab->context, NULL, out);
  for (int i = 0; i < (lab->software ? 20 : 400) && result == STIJL_OK; i++) {
    stijl_paint paint = stijl_paint_solid((stijl_color){1.0f, (float)(i % 3) / 2, 0.0f, 0.01f});
    stijl_path_clear(path);
    stijl_path_add_rect(path, 0, 0, (float)(size + i), (float)size);
    stijl_scene_fill(*out, path, STIJL_FILL_NONZERO, NULL, &paint);
  }
  if (result == STIJL_OK) result = stijl_scene_finish(*out);
  stijl_path_destroy(path);
  return result == STIJL_OK ? STIJL_OK : sj_fail_memory(lab->message);
}

// Workgroups of fine at work at a time, as the shader itself counts them in the picture's last row of tiles.
static stijl_result count_fine(sj_lab *lab, const sj_vk_shader *shader, int size, uint32_t *pixels, uint32_t *peak) {
  const sj_pipelines_change change = {.stage = SJ_STAGE_FINE, .shader = *shader};
  stijl_target target = STIJL_TARGET_INIT;
  stijl_render_params frame = STIJL_RENDER_PARAMS_INIT;
  stijl_renderer *renderer = NULL;
  stijl_scene *scene = NULL;
  target.width = target.height = size;
  target.stride = (size_t)size * 4;
  target.pixels = pixels;
  frame.keep = true;
  stijl_result result = sj_lab_renderer_create(lab, &change, &renderer, lab->message);
  if (result == STIJL_OK) result = record(lab, size, &scene);
  uint32_t tiles = (uint32_t)(size / G_TILE) * (uint32_t)(size / G_TILE);
  const uint32_t *counters = pixels + (size_t)(size - G_TILE) * (size_t)size;
  *peak = 0;
  for (int round = 0; round < (lab->quick ? 1 : 3) && result == STIJL_OK; round++) {
    memset(pixels, 0, (size_t)size * (size_t)size * 4);
    result = stijl_render(renderer, scene, &target, &frame, lab->message);
    if (result != STIJL_OK) break;
    if (counters[0] || counters[2] != tiles || counters[1] > tiles || !counters[1])
      sj_lab_wrong(lab->page, "%s: %u of %u workgroups were counted, and %u left over", shader->name, counters[2],
                   tiles, counters[0]);
    if (counters[1] > *peak) *peak = counters[1];
  }
  stijl_renderer_destroy(renderer);
  stijl_scene_destroy(scene);
  return result;
}

// At each number of pixels a lane: what the compiler tells of it, and how many lanes it has at work.
static stijl_result write_fine(sj_lab *lab) {
  static const sj_vk_shader *const counted[] = {&sj_lab_fine_1, &sj_lab_fine_2, &sj_lab_fine_4, &sj_lab_fine_8,
                                                &sj_lab_fine_16};
  int size = lab->software ? 128 : 2048;
  const sj_lab_column columns[] = {{"shader", "shader", SJ_LAB_NAME},
                                   {"lanes", "lanes", SJ_LAB_COUNT},
                                   {"registers", "registers", SJ_LAB_COUNT},
                                   {"shared", "shared memory", SJ_LAB_BYTES},
                                   {"predicted", "lanes at work, by registers", SJ_LAB_COUNT},
                                   {"counted", "counted", SJ_LAB_COUNT}};
  enum { COLUMNS_OF_FINE = sizeof columns / sizeof *columns };
  sj_lab_cell cells[5 * COLUMNS_OF_FINE];
  uint32_t *pixels = sj_alloc(lab->context, (size_t)size * (size_t)size * 4), best = 0;
  double most = 0;
  if (!pixels) return sj_fail_memory(lab->message);
  for (uint32_t i = 0; i < 5; i++) {
    sj_vk_shader shader = sj_shader_of(SJ_STAGE_FINE, 0, 1u << i);
    sj_lab_statistics s;
    sj_vk_interface interface;
    stijl_result result = sj_lab_compile(lab, &shader, NULL, 0, &s);
    if (result == STIJL_OK) result = sj_vk_reflect(lab->context, &shader, NULL, 0, &interface, lab->message);
    sj_lab_statistics_finish(lab, &s);
    uint32_t peak = 0;
    if (result == STIJL_OK) result = count_fine(lab, counted[i], size, pixels, &peak);
    if (result != STIJL_OK) {
      sj_free(lab->context, pixels);
      return result;
    }
    double lanes = (double)peak * interface.local[0];
    if (lanes > most) most = lanes, best = i;
    // NVIDIA: 65,536 registers a multiprocessor, given to subgroups by 8 for each lane.
    double warps = floor(65536 / (ceil(s.registers / 8) * 8 * lab->p11.subgroupSize));
    double predicted =
        lab->warps ? fmin(warps, lab->warps) * lab->p11.subgroupSize * lab->multiprocessors : (double)NAN;
    const sj_lab_cell row[] = {SJ_LAB_TEXT(shader.name),   SJ_LAB_NUMBER(interface.local[0]),
                               SJ_LAB_NUMBER(s.registers), SJ_LAB_NUMBER(interface.shared_bytes),
                               SJ_LAB_NUMBER(predicted),   SJ_LAB_NUMBER(lanes)};
    memcpy(&cells[i * COLUMNS_OF_FINE], row, sizeof row);
  }
  sj_free(lab->context, pixels);
  sj_lab_say(lab->page, "The renderer's fine has most lanes at work, %.0f, with %u pixel%s a lane.", most, 1u << best,
             best ? "s" : "");
  sj_lab_table(lab->page, "fine", "The renderer's fine, by the pixels of a lane", columns, COLUMNS_OF_FINE, cells, 5);
  return STIJL_OK;
}

static void say(sj_lab *lab, const double *lanes, double best) {
  double told = most_lanes(lab);
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
  stijl_result result = sj_lab_measure_ceilings(lab, false);
  if (result == STIJL_OK) result = sj_lab_warm(lab);
  const sj_lab_column columns[COLUMNS] = {{"key", "", SJ_LAB_NAME},
                                          {"name", "kernel", SJ_LAB_NAME},
                                          {"registers", "registers", SJ_LAB_COUNT},
                                          {"shared", "shared", SJ_LAB_BYTES},
                                          {"groups", "groups", SJ_LAB_COUNT},
                                          {"lanes", "lanes at work", SJ_LAB_COUNT},
                                          {"share", "of the most", SJ_LAB_SHARE}};
  sj_lab_cell cells[SAMPLES * COLUMNS];
  sj_lab_bar bars[SAMPLES];
  double lanes[SAMPLES], best = 0, told = most_lanes(lab);
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
                                      SJ_LAB_NUMBER(0)};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
    bars[i] = (sj_lab_bar){s->name, lanes[i]};
  }
  if (result != STIJL_OK) return result;
  for (uint32_t i = 0; i < SAMPLES; i++) cells[i * COLUMNS + 6].number = lanes[i] / (told > 0 ? told : best);
  say(lab, lanes, best);
  sj_lab_table(lab->page, "occupancy", "Workgroups at work at the same time, counted by themselves", columns, COLUMNS,
               cells, SAMPLES);
  sj_lab_text plot = {.context = lab->context};
  const sj_lab_mark mark = {"what the device tells", told > 0 ? told : (double)NAN};
  sj_lab_bars(&plot, SJ_LAB_COUNT, bars, SAMPLES, &mark, 1);
  sj_lab_picture(lab->page, "Lanes at work at the same time", &plot);
  sj_lab_text_finish(&plot);
  return write_fine(lab);
}
