// Measures the renderer's stage `fine` at each number of pixels a lane, for `lab occupancy`: what the compiler tells of
// it, how many lanes it has at work, and how long a frame takes.
#include <math.h>
#include <string.h>

#include "lab/frames.h"
#include "lab/statistics.h"

enum { CHUNKS = 5, USUAL = 2 };  // the renderer uses 1 << USUAL pixels a lane where there are no gradients

typedef struct run {
  sj_lab *lab;
  sj_lab_canvas canvas;
  stijl_scene *scene;
  stijl_renderer *renderers[CHUNKS];
  sj_lab_statistics statistics[CHUNKS];
  sj_vk_interface interfaces[CHUNKS];
  sj_lab_estimate times[CHUNKS];
  uint32_t peaks[CHUNKS];
} run;

// Records many draws over each other, so that a workgroup is at work for long.
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

// Counts the workgroups of fine that are at work at a time. The shader does so itself, in the picture's last row of
// tiles.
static stijl_result count(run *r, const sj_vk_shader *shader, uint32_t *peak) {
  sj_lab *lab = r->lab;
  const sj_pipelines_change change = {.stage = SJ_STAGE_FINE, .shader = *shader};
  uint32_t size = (uint32_t)r->canvas.size, tiles = size / G_TILE * (size / G_TILE);
  const uint32_t *counters = r->canvas.pixels + (size_t)(size - G_TILE) * size;
  stijl_target target = STIJL_TARGET_INIT;
  stijl_render_params frame = STIJL_RENDER_PARAMS_INIT;
  stijl_renderer *renderer = NULL;
  target.width = target.height = r->canvas.size;
  target.stride = (size_t)size * 4;
  target.pixels = r->canvas.pixels;
  frame.keep = true;
  frame.budget = r->canvas.budget;
  *peak = 0;
  stijl_result result = sj_lab_renderer_create(lab, &change, &renderer, lab->message);
  for (int round = 0; round < (lab->quick ? 1 : 3) && result == STIJL_OK; round++) {
    memset(r->canvas.pixels, 0, target.stride * size);
    result = stijl_render(renderer, r->scene, &target, &frame, lab->message);
    if (result != STIJL_OK) break;
    if (counters[0] || counters[2] != tiles || counters[1] > tiles || !counters[1])
      sj_lab_wrong(lab->page, "%s: %u of %u workgroups were counted, and %u left over", shader->name, counters[2],
                   tiles, counters[0]);
    if (counters[1] > *peak) *peak = counters[1];
  }
  stijl_renderer_destroy(renderer);
  return result;
}

// Reads what the compiler tells, and draws a first frame, which has to be the same with any number of pixels a lane.
static stijl_result prepare(run *r, uint32_t i) {
  sj_lab *lab = r->lab;
  sj_vk_shader shader = sj_shader_of(SJ_STAGE_FINE, 0, 1u << i);
  const sj_pipelines_change change = {.stage = SJ_STAGE_FINE, .shader = shader};
  bool same = false;
  stijl_result result = sj_lab_compile(lab, &shader, NULL, 0, &r->statistics[i]);
  if (result == STIJL_OK) result = sj_vk_reflect(lab->context, &shader, NULL, 0, &r->interfaces[i], lab->message);
  if (result == STIJL_OK) result = sj_lab_renderer_create(lab, &change, &r->renderers[i], lab->message);
  if (result == STIJL_OK) result = sj_lab_draw(&r->canvas, r->renderers[i], r->scene, i == 0, &same, lab->message);
  if (result == STIJL_OK && !same) sj_lab_wrong(lab->page, "%s: the picture is another", shader.name);
  return result;
}

static void say(const run *r) {
  sj_lab_page *page = r->lab->page;
  uint32_t most = 0, fastest = USUAL;
  for (uint32_t i = 0; i < CHUNKS; i++) {
    if (r->peaks[i] * r->interfaces[i].local[0] > r->peaks[most] * r->interfaces[most].local[0]) most = i;
    if (r->times[i].us < r->times[fastest].us) fastest = i;
  }
  sj_lab_say(page, "The renderer's fine has most lanes at work, %u, with %u pixel%s a lane.",
             r->peaks[most] * r->interfaces[most].local[0], 1u << most, most ? "s" : "");
  if (r->lab->software) return;
  double gain = 1 - r->times[fastest].us / r->times[USUAL].us;
  if (sj_lab_changed(r->times[USUAL], r->times[fastest]) != SJ_LAB_FASTER) {
    sj_lab_say(page,
               "Frames of translucent rectangles are no faster, beyond the noise, with another number of pixels a lane "
               "than the %u that the renderer uses.",
               1u << USUAL);
    return;
  }
  sj_lab_say(
      page,
      "Frames of translucent rectangles take %.0f %% less with %u pixels a lane than with the %u that the renderer "
      "uses: STIJL_VULKAN_CHUNK=%u makes it use as many.",
      gain * 100, 1u << fastest, 1u << USUAL, 1u << fastest);
  sj_lab_like(page, "the renderer's fine with %u pixels a lane (%.0f %% less than with %u)", 1u << fastest, gain * 100,
              1u << USUAL);
  sj_lab_card(page, SJ_LAB_US,
              (const sj_lab_bar[]){{"as many as it uses", r->times[USUAL].us}, {"the best", r->times[fastest].us}}, 2);
}

static void write(const run *r) {
  const sj_lab *lab = r->lab;
  static const sj_lab_column columns[] = {{"shader", "shader", SJ_LAB_NAME},
                                          {"lanes", "lanes", SJ_LAB_COUNT},
                                          {"registers", "registers", SJ_LAB_COUNT},
                                          {"shared", "shared memory", SJ_LAB_BYTES},
                                          {"predicted", "lanes at work, by registers", SJ_LAB_COUNT},
                                          {"counted", "counted", SJ_LAB_COUNT},
                                          SJ_LAB_TIME_COLUMNS("a frame")};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  sj_lab_cell cells[CHUNKS * COLUMNS];
  for (uint32_t i = 0; i < CHUNKS; i++) {
    double registers = r->statistics[i].registers;
    const sj_lab_cell row[] = {SJ_LAB_TEXT(sj_shader_of(SJ_STAGE_FINE, 0, 1u << i).name),
                               SJ_LAB_NUMBER(r->interfaces[i].local[0]),
                               SJ_LAB_NUMBER(registers),
                               SJ_LAB_NUMBER(r->interfaces[i].shared_bytes),
                               SJ_LAB_NUMBER(sj_lab_lanes_by_registers(lab, registers, r->interfaces[i].local[0])),
                               SJ_LAB_NUMBER(r->peaks[i] * r->interfaces[i].local[0]),
                               SJ_LAB_TIME(r->times[i])};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
  }
  sj_lab_table(lab->page, "fine", "The renderer's fine, by the pixels of a lane", columns, COLUMNS, cells, CHUNKS);
}

stijl_result sj_lab_count_fine(sj_lab *lab) {
  static const sj_vk_shader *const counted[] = {&sj_lab_fine_1, &sj_lab_fine_2, &sj_lab_fine_4, &sj_lab_fine_8,
                                                &sj_lab_fine_16};
  run *r = sj_alloc_zero(lab->context, sizeof *r);
  if (!r) return sj_fail_memory(lab->message);
  r->lab = lab;
  stijl_result result = sj_lab_canvas_init(lab, lab->software ? 128 : 2048, &r->canvas);
  if (result == STIJL_OK) result = record(lab, r->canvas.size, &r->scene);
  for (uint32_t i = 0; i < CHUNKS && result == STIJL_OK; i++) {
    result = prepare(r, i);
    if (result == STIJL_OK) result = count(r, counted[i], &r->peaks[i]);
  }
  if (result == STIJL_OK) result = sj_lab_time_frames(lab, r->renderers, CHUNKS, r->times);
  if (result == STIJL_OK) {
    say(r);
    write(r);
  }
  for (uint32_t i = 0; i < CHUNKS; i++) {
    sj_lab_statistics_finish(lab, &r->statistics[i]);
    stijl_renderer_destroy(r->renderers[i]);
  }
  stijl_scene_destroy(r->scene);
  sj_lab_canvas_finish(lab, &r->canvas);
  sj_free(lab->context, r);
  return result;
}
