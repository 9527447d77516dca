// `lab isa` shows what compilers make of a shader, and what is in its SPIR-V. With a file it writes all that they tell
// of it, with the instructions; without one, the renderer's stages side by side.
#include <math.h>
#include <string.h>

#include "gpu/pipeline.h"
#include "lab/instructions.h"
#include "lab/statistics.h"
#include "lab/user.h"

enum { DEVICES = 2 };

typedef struct run {
  sj_lab *devices[DEVICES];  // the device that was asked for, and one that only compiles
  uint32_t count;
} run;

static const char *name_of(const sj_lab *lab) { return lab->vk.properties.deviceName; }

static void write_assembly(sj_lab *lab, const sj_lab *device, const sj_lab_statistics *s) {
  if (!s->assembly) return;
  sj_lab_page *page = lab->page;
  sj_lab_add(&page->text, "\n%s\n", name_of(device));
  sj_lab_add_all(&page->text, s->assembly);
  sj_lab_add(&page->json, ",\n\"assembly_%s\": ", device == lab ? "device" : "compiler");
  sj_lab_add_json(&page->json, s->assembly);
  sj_lab_heading(page, name_of(device));
  sj_lab_add_all(&page->html, "<pre>");
  sj_lab_add_xml(&page->html, s->assembly);
  sj_lab_add_all(&page->html, "</pre>\n");
}

// Writes what is in the shader's SPIR-V.
static stijl_result write_instructions(sj_lab *lab, const sj_vk_shader *shader) {
  static const sj_lab_column columns[] = {{"what", "in the SPIR-V", SJ_LAB_NAME}, {"count", "count", SJ_LAB_COUNT}};
  sj_lab_cell cells[32 * 2];
  sj_lab_instructions counts;
  stijl_result result = sj_lab_count_instructions(lab->context, shader, &counts, lab->message);
  if (result != STIJL_OK) return result;
  uint32_t rows = 0, n;
  for (const char *name; rows < 32 && sj_lab_instructions_get(&counts, rows, &name, &n); rows++) {
    cells[rows * 2] = SJ_LAB_TEXT(name);
    cells[rows * 2 + 1] = SJ_LAB_NUMBER(n);
  }
  sj_lab_table(lab->page, "spirv", "As it is written, before the driver's compiler", columns, 2, cells, rows);
  return STIJL_OK;
}

static stijl_result look_at(run *r, const sj_vk_shader *shader) {
  static const sj_lab_column columns[] = {
      {"device", "device", SJ_LAB_NAME}, {"statistic", "statistic", SJ_LAB_NAME}, {"value", "value", SJ_LAB_COUNT}};
  sj_lab *lab = r->devices[0];
  sj_lab_cell cells[DEVICES * SJ_LAB_MAX_STATISTICS * 3];
  sj_lab_statistics all[DEVICES] = {0};
  uint32_t rows = 0;
  stijl_result result = STIJL_OK;
  for (uint32_t d = 0; d < r->count && result == STIJL_OK; d++) {
    result = sj_lab_compile(r->devices[d], shader, NULL, 0, &all[d]);
    if (result != STIJL_OK && d) *lab->message = *r->devices[d]->message;
    for (uint32_t i = 0; i < all[d].count; i++, rows++) {
      cells[rows * 3] = SJ_LAB_TEXT(name_of(r->devices[d]));
      cells[rows * 3 + 1] = SJ_LAB_TEXT(all[d].all[i].name);
      cells[rows * 3 + 2] = SJ_LAB_NUMBER(all[d].all[i].value);
    }
  }
  if (result == STIJL_OK) {
    if (!rows) sj_lab_say(lab->page, "%s compiles; nothing is told about what came of it.", shader->name);
    if (lab->has_statistics && !all[0].assembly)
      sj_lab_say(lab->page, "%s keeps its instructions to itself%s.", name_of(lab),
                 lab->vk.properties.vendorID == SJ_LAB_NVIDIA
                     ? "; with CUDA's nvdisasm, nvidia-smi and libzstd they are read from the driver's pipeline cache"
                     : "");
    for (uint32_t d = 0; d < r->count; d++)
      if (isfinite(all[d].registers))
        sj_lab_say(lab->page, "%s: %.0f registers, %.0f spilled, %.0f bytes of code.", name_of(r->devices[d]),
                   all[d].registers, isfinite(all[d].spilled) ? all[d].spilled : 0, all[d].code_bytes);
    sj_lab_table(lab->page, "isa", shader->name, columns, 3, cells, rows);
    result = write_instructions(lab, shader);
    for (uint32_t d = 0; d < r->count; d++) write_assembly(lab, r->devices[d], &all[d]);
  }
  for (uint32_t d = 0; d < r->count; d++) sj_lab_statistics_finish(lab, &all[d]);
  return result;
}

// The renderer's shaders: each stage, and the last one, fine, with each number of pixels a lane.
enum { CHUNKS = 5, SHADERS = SJ_STAGES - 1 + CHUNKS };

static sj_vk_shader stage_shader(uint32_t i) {
  return i < SJ_STAGE_FINE ? sj_shader_of((sj_stage)i, 0, 4)
                           : sj_shader_of(SJ_STAGE_FINE, 0, 1u << (i - SJ_STAGE_FINE));
}

static stijl_result write_stages(sj_lab *lab) {
  static const sj_lab_column columns[] = {
      {"shader", "shader", SJ_LAB_NAME},      {"spirv", "SPIR-V", SJ_LAB_BYTES},
      {"all", "instructions", SJ_LAB_COUNT},  {"buffers", "loads and stores of buffers", SJ_LAB_COUNT},
      {"shared", "shared", SJ_LAB_COUNT},     {"atomics", "atomics", SJ_LAB_COUNT},
      {"barriers", "barriers", SJ_LAB_COUNT}, {"loops", "loops", SJ_LAB_COUNT},
      {"floats", "floats", SJ_LAB_COUNT},     {"integers", "integers", SJ_LAB_COUNT}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  sj_lab_cell cells[SHADERS * COLUMNS];
  for (uint32_t i = 0; i < SHADERS; i++) {
    sj_vk_shader shader = stage_shader(i);
    sj_lab_instructions n;
    stijl_result result = sj_lab_count_instructions(lab->context, &shader, &n, lab->message);
    if (result != STIJL_OK) return result;
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(shader.name),
                                      SJ_LAB_NUMBER(shader.bytes),
                                      SJ_LAB_NUMBER(n.all),
                                      SJ_LAB_NUMBER(n.buffer_loads + n.buffer_stores),
                                      SJ_LAB_NUMBER(n.shared_loads + n.shared_stores),
                                      SJ_LAB_NUMBER(n.atomics),
                                      SJ_LAB_NUMBER(n.barriers),
                                      SJ_LAB_NUMBER(n.loops),
                                      SJ_LAB_NUMBER(n.floats),
                                      SJ_LAB_NUMBER(n.integers)};
    memcpy(&cells[i * COLUMNS], row, sizeof row);
  }
  sj_lab_table(lab->page, "spirv", "The renderer's shaders as they are written, before the driver's compiler", columns,
               COLUMNS, cells, SHADERS);
  return STIJL_OK;
}

static stijl_result look_at_stages(run *r) {
  static const sj_lab_column columns[] = {
      {"shader", "shader", SJ_LAB_NAME},         {"device", "device", SJ_LAB_NAME},
      {"registers", "registers", SJ_LAB_COUNT},  {"spilled", "spilled", SJ_LAB_COUNT},
      {"shared", "shared memory", SJ_LAB_BYTES}, {"code", "code", SJ_LAB_BYTES}};
  sj_lab *lab = r->devices[0];
  sj_lab_cell cells[DEVICES * SHADERS * 6];
  uint32_t rows = 0;
  for (uint32_t i = 0; i < SHADERS; i++)
    for (uint32_t d = 0; d < r->count; d++) {
      sj_vk_shader shader = stage_shader(i);
      sj_lab_statistics s;
      stijl_result result = sj_lab_compile(r->devices[d], &shader, NULL, 0, &s);
      if (result != STIJL_OK) return result;
      const sj_lab_cell row[] = {SJ_LAB_TEXT(shader.name),      SJ_LAB_TEXT(name_of(r->devices[d])),
                                 SJ_LAB_NUMBER(s.registers),    SJ_LAB_NUMBER(s.spilled),
                                 SJ_LAB_NUMBER(s.shared_bytes), SJ_LAB_NUMBER(s.code_bytes)};
      memcpy(&cells[rows++ * 6], row, sizeof row);
      if (isfinite(s.spilled) && s.spilled > 0)
        sj_lab_say(lab->page, "%s spills %.0f on %s.", shader.name, s.spilled, name_of(r->devices[d]));
      sj_lab_statistics_finish(r->devices[d], &s);
    }
  sj_lab_table(lab->page, "isa", "The renderer's shaders, with no feature left out", columns, 6, cells, rows);
  return write_stages(lab);
}

stijl_result sj_lab_run_isa(sj_lab *lab) {
  sj_lab *compiler = sj_alloc_zero(lab->context, sizeof *compiler);
  if (!compiler) return sj_fail_memory(lab->message);
  run r = {.devices = {lab, compiler}, .count = 1};
  if (sj_lab_open_compiler(lab, compiler)) r.count = 2;
  sj_lab_write_device(lab);
  sj_lab_say_compilers(lab, r.count == 2);
  sj_vk_shader shader = {0};
  stijl_result result = STIJL_OK;
  if (lab->params->file) result = sj_lab_load_shader(lab, lab->params->file, NULL, 0, &shader);
  if (result == STIJL_OK) result = lab->params->file ? look_at(&r, &shader) : look_at_stages(&r);
  // The words were allocated for this run.
  sj_free(lab->context, (void *)(uintptr_t)shader.words);
  if (r.count == 2) sj_lab_close(compiler);
  sj_free(lab->context, compiler);
  return result;
}
