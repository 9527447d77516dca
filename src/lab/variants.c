#include "lab/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/assembly.h"

enum { COLUMNS = 14 };

static stijl_result verify(sj_lab *lab, const sj_lab_comparison *c, const sj_lab_case *one) {
  stijl_result result = sj_lab_number_by(lab, c->sums, c->lanes * 4, 3);
  if (result == STIJL_OK) result = sj_lab_once(lab, one);
  if (result == STIJL_OK) result = sj_lab_copy(lab, c->sums, c->back, c->lanes * 4);
  uint32_t wrong = 0;
  const uint32_t *got = c->back->mapped;
  for (uint32_t lane = 0; result == STIJL_OK && lane < c->lanes; lane++)
    wrong += got[lane] != c->expected(c->user, lane);
  if (wrong) sj_lab_wrong(lab->page, "%s: %u results are wrong", one->name, wrong);
  return result;
}

// Reads what one device's compiler tells of a variant.
static stijl_result compile(sj_lab *lab, const sj_lab_variant *v, sj_lab_compiled *out) {
  sj_lab_statistics s;
  stijl_result result = sj_lab_compile(lab, v->shader, v->constants, v->constant_count, &s);
  if (result != STIJL_OK) return result;
  out->registers = s.registers;
  out->spilled = s.spilled;
  out->assembly = s.assembly;
  sj_lab_loads loads;
  if (!s.assembly) return STIJL_OK;
  if (!sj_lab_find_loads(lab->context, s.assembly, &loads)) return sj_fail_memory(lab->message);
  out->loads_in_loops = loads.in_loops;
  out->loads_outside = loads.outside;
  return STIJL_OK;
}

static void write(sj_lab *lab, const sj_lab_comparison *c, const sj_lab_case *cases, const sj_lab_found *found,
                  bool has_compiler) {
  const sj_lab_column columns[COLUMNS] = {{"key", "", SJ_LAB_NAME},
                                          {"name", "variant", SJ_LAB_NAME},
                                          SJ_LAB_TIME_COLUMNS("time"),
                                          {"factor", "of the first", SJ_LAB_FACTOR},
                                          {"registers", "registers", SJ_LAB_COUNT},
                                          {"spilled", "spilled", SJ_LAB_COUNT},
                                          {"loads", "loads in loops", SJ_LAB_COUNT},
                                          {"loads_outside", "outside", SJ_LAB_COUNT},
                                          {"amd_registers", "AMD: registers", SJ_LAB_COUNT},
                                          {"amd_spilled", "spilled", SJ_LAB_COUNT},
                                          {"amd_loads", "loads in loops", SJ_LAB_COUNT},
                                          {"amd_loads_outside", "outside", SJ_LAB_COUNT}};
  sj_lab_cell cells[SJ_LAB_MAX_VARIANTS * COLUMNS];
  sj_lab_bar bars[SJ_LAB_MAX_VARIANTS];
  uint32_t shown = has_compiler ? COLUMNS : COLUMNS - 4, at = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const sj_lab_found *f = &found[i];
    bool run = isfinite(f->us);
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(c->variants[i].key),
                                      SJ_LAB_TEXT(c->variants[i].name),
                                      SJ_LAB_NUMBER(f->us),
                                      SJ_LAB_NUMBER(run ? cases[i].low : (double)NAN),
                                      SJ_LAB_NUMBER(run ? cases[i].high : (double)NAN),
                                      SJ_LAB_NUMBER(f->factor),
                                      SJ_LAB_NUMBER(f->by[0].registers),
                                      SJ_LAB_NUMBER(f->by[0].spilled),
                                      SJ_LAB_NUMBER(f->by[0].loads_in_loops),
                                      SJ_LAB_NUMBER(f->by[0].loads_outside),
                                      SJ_LAB_NUMBER(f->by[1].registers),
                                      SJ_LAB_NUMBER(f->by[1].spilled),
                                      SJ_LAB_NUMBER(f->by[1].loads_in_loops),
                                      SJ_LAB_NUMBER(f->by[1].loads_outside)};
    memcpy(&cells[at], row, shown * sizeof *row);
    at += shown;
    bars[i] = (sj_lab_bar){c->variants[i].name, f->us};
  }
  sj_lab_table(lab->page, c->key, c->title, columns, shown, cells, c->count);
  sj_lab_text plot = {.context = lab->context};
  sj_lab_bars(&plot, SJ_LAB_US, bars, c->count, NULL, 0);
  sj_lab_picture(lab->page, c->title, &plot);
  sj_lab_text_finish(&plot);
  sj_lab_say_compilers(lab, has_compiler);
}

static stijl_result write_instructions(sj_lab *lab, const sj_lab_comparison *c, const sj_lab_found *found) {
  static const char *const of[] = {"instructions", "instructions for AMD"}, *const keys[] = {"assembly",
                                                                                             "amd_assembly"};
  for (int d = 0; d < 2 && c->beside; d++) {
    const char *names[] = {c->variants[0].name, c->variants[c->beside].name},
               *texts[] = {found[0].by[d].assembly, found[c->beside].by[d].assembly};
    char key[64], title[128];
    if (!texts[0] || !texts[1]) continue;
    snprintf(key, sizeof key, "%s_%s", c->key, keys[d]);
    snprintf(title, sizeof title, "The %s of two of them", of[d]);
    if (!sj_lab_write_assemblies(lab->page, key, title, names, texts)) return sj_fail_memory(lab->message);
  }
  return STIJL_OK;
}

stijl_result sj_lab_compare(sj_lab *lab, const sj_lab_comparison *c, sj_lab_found *found) {
  sj_lab_kernel kernels[SJ_LAB_MAX_VARIANTS] = {0};
  sj_lab_case cases[SJ_LAB_MAX_VARIANTS], timed[SJ_LAB_MAX_VARIANTS];
  uint32_t count = 0;
  stijl_result result = STIJL_OK;
  sj_lab *compiler = sj_alloc_zero(lab->context, sizeof *compiler);
  if (!compiler) return sj_fail_memory(lab->message);
  bool has_compiler = sj_lab_open_compiler(lab, compiler);
  for (uint32_t i = 0; i < c->count && result == STIJL_OK; i++) {
    const sj_lab_variant *v = &c->variants[i];
    const double none = (double)NAN;
    const sj_lab_compiled untold = {none, none, none, none, NULL};
    found[i] = (sj_lab_found){none, none, none, none, none, {untold, untold}};
    if (v->skipped) continue;
    result = sj_lab_kernel_create(lab, v->shader, v->constants, v->constant_count, v->buffers, &kernels[i]);
    cases[i] = c->common;
    cases[i].name = v->name;
    cases[i].kernel = &kernels[i];
    if (result == STIJL_OK) result = verify(lab, c, &cases[i]);
    if (result == STIJL_OK) result = compile(lab, v, &found[i].by[0]);
    if (result == STIJL_OK && has_compiler) result = compile(compiler, v, &found[i].by[1]);
    timed[count++] = cases[i];
  }
  if (result == STIJL_OK) result = sj_lab_time(lab, timed, count);
  count = 0;
  for (uint32_t i = 0; i < c->count && result == STIJL_OK; i++) {
    if (c->variants[i].skipped) continue;
    cases[i] = timed[count++];
    found[i].us = cases[i].us;
    found[i].low = cases[i].low;
    found[i].high = cases[i].high;
    found[i].factor = cases[i].factor;
    found[i].factor_low = cases[i].factor_low;
  }
  if (result == STIJL_OK) {
    sj_lab_judge(lab, timed, count);
    write(lab, c, cases, found, has_compiler);
    result = write_instructions(lab, c, found);
  }
  for (uint32_t i = 0; i < c->count; i++)
    for (int d = 0; d < 2; d++) {
      sj_free(lab->context, found[i].by[d].assembly);
      found[i].by[d].assembly = NULL;
    }
  for (uint32_t i = 0; i < c->count; i++) sj_lab_kernel_destroy(lab, &kernels[i]);
  if (has_compiler) sj_lab_close(compiler);
  sj_free(lab->context, compiler);
  return result;
}
