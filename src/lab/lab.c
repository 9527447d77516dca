// The instruments by name, and one run.
#include <string.h>

#include "base/params.h"
#include "lab/against.h"

static stijl_result run_report(sj_lab *lab);

static const sj_lab_instrument instruments[] = {
    {"device", "what the device has, what it can do at most, and which of stijl's shaders fit it", sj_lab_run_device,
     false},
    {"access", "loads in other orders, widths, layouts and bindings, and what each costs", sj_lab_run_access, false},
    {"transpose", "a transpose in eight ways, each as a share of a plain copy", sj_lab_run_transpose, false},
    {"matmul", "a product of matrices in five ways, each as a share of the multiply-adds there are", sj_lab_run_matmul,
     false},
    {"workgroup", "one kernel by workgroups of every shape", sj_lab_run_workgroup, false},
    {"occupancy", "how many workgroups are at work at the same time, and what stops them", sj_lab_run_occupancy, false},
    {"aliasing", "what a store that never happens costs, by how buffers are declared", sj_lab_run_aliasing, false},
    {"spill", "a stack in registers, in shared memory and in a buffer", sj_lab_run_spill, false},
    {"isa", "what compilers make of a shader: statistics and instructions", sj_lab_run_isa, false},
    {"ablate", "a shader with its statements left out (FILE: a manifest), or the renderer's features",
     sj_lab_run_ablate, false},
    {"litmus", "which orders of memory accesses the device shows, and that it shows none that is forbidden",
     sj_lab_run_litmus, false},
    {"scene", "why a picture costs what it costs (FILE: an SVG document)", sj_lab_run_scene, true},
    {"counters", "which hardware counters the device offers", sj_lab_run_counters, false},
    {"cpu", "what a processor moves by size, and how near the renderer comes to it", sj_lab_run_cpu, true},
    {"report", "all that needs no file, on one page", run_report, false},
};
#define INSTRUMENTS (sizeof instruments / sizeof *instruments)

// The ceilings are measured once for all.
static stijl_result run_report(sj_lab *lab) {
  static stijl_result (*const parts[])(sj_lab * lab) = {sj_lab_run_device,   sj_lab_run_access,    sj_lab_run_transpose,
                                                        sj_lab_run_matmul,   sj_lab_run_workgroup, sj_lab_run_occupancy,
                                                        sj_lab_run_aliasing, sj_lab_run_spill,     sj_lab_run_isa,
                                                        sj_lab_run_litmus,   sj_lab_run_counters};
  stijl_result result = STIJL_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && result == STIJL_OK; i++) result = parts[i](lab);
  return result;
}

const char *stijl_lab_name(size_t index) { return index < INSTRUMENTS ? instruments[index].name : NULL; }
const char *stijl_lab_summary(size_t index) { return index < INSTRUMENTS ? instruments[index].summary : NULL; }

static stijl_result run(stijl_context *context, const sj_lab_instrument *instrument, const stijl_lab_params *params,
                        stijl_lab_report *report, stijl_message *message) {
  stijl_message unused;
  if (!message) message = &unused;
  sj_lab *lab = sj_alloc_zero(context, sizeof *lab);
  if (!lab) return sj_fail_memory(message);
  *lab = (sj_lab){.context = context, .message = message, .params = params, .page = &report->page};
  stijl_result result = sj_lab_open(lab);
  if (result != STIJL_OK && instrument->without_device) {
    *message = (stijl_message){""};
    result = STIJL_OK;
  }
  if (result == STIJL_OK) result = instrument->run(lab);
  if (result == STIJL_OK && params->against) result = sj_lab_compare_with(lab, params->against);
  sj_lab_close(lab);
  sj_free(context, lab);
  if (result == STIJL_OK && !sj_lab_page_close(report)) result = sj_fail_memory(message);
  return result;
}

stijl_result stijl_lab_run(stijl_context *context, const char *name, const stijl_lab_params *params,
                           stijl_lab_report **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out || !name) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no instrument, or no place for its report");
  *out = NULL;
  params = SJ_PARAMS(stijl_lab_params, STIJL_LAB_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  const sj_lab_instrument *instrument = NULL;
  for (size_t i = 0; i < INSTRUMENTS; i++)
    if (strcmp(instruments[i].name, name) == 0) instrument = &instruments[i];
  if (!instrument) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the lab has no instrument \"%.64s\"", name);
  context = sj_context(context);
  stijl_lab_report *report = sj_alloc_zero(context, sizeof *report);
  if (!report) return sj_fail_memory(message);
  sj_lab_page_init(&report->page, context, instrument->name);
  stijl_result result = run(context, instrument, params, report, message);
  if (result != STIJL_OK)
    stijl_lab_report_destroy(report);
  else
    *out = report;
  return result;
}
