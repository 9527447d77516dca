// Lists the instruments by name, and runs one.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/params.h"
#include "lab/against.h"

// --- What all instruments use ---

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Sorts the values, and finds their median and its confidence interval. That lies between the order statistics whose
// ranks are 1.96 standard deviations of the binomial distribution away from the middle (Conover: "Practical
// Nonparametric Statistics", 3.2).
void sj_lab_median(double *values, uint32_t count, double *median, double *low, double *high) {
  qsort(values, count, sizeof *values, by_value);
  *median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  double half = 1.96 * sqrt((double)count) / 2;
  double first = floor((double)count / 2 - half), last = ceil((double)count / 2 + half);
  *low = values[first > 0 ? (uint32_t)first : 0];
  *high = values[last < count ? (uint32_t)last : count - 1];
}

double sj_lab_processor_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

stijl_result sj_lab_read_file(sj_lab *lab, const char *path, char **data, size_t *bytes) {
  sj_bytes all = {NULL, 0};
  stijl_message why = {""};
  stijl_result result = sj_file_read(lab->context, NULL, path, 16 << 20, &all, &why);
  *data = (char *)all.data;
  *bytes = all.count;
  return result == STIJL_OK ? STIJL_OK : sj_fail(lab->message, result, "%.160s: %.120s", path, why.text);
}

stijl_result sj_lab_record(sj_lab *lab, const char *svg, size_t bytes, int width, int height, stijl_scene **out) {
  stijl_svg *document = NULL;
  *out = NULL;
  stijl_result result = stijl_svg_load(lab->context, svg, bytes, NULL, &document, lab->message);
  if (result == STIJL_OK) result = stijl_svg_scene(document, (float)width, (float)height, out, lab->message);
  stijl_svg_destroy(document);
  return result;
}

// --- Instruments ---

typedef struct instrument {
  const char *name, *summary;
  stijl_result (*run)(sj_lab *lab);
  uint32_t is;
} instrument;

enum {
  WITHOUT_DEVICE = 1,  // it runs without a device, too
  ALONE = 2,           // it is no part of `lab report`
  TAKES_FILE = 4
};

// Instruments that need a device are named in every build.
#ifdef STIJL_HAVE_VULKAN
#define ON_DEVICE(run) run
#else
#define ON_DEVICE(run) NULL
#endif

static stijl_result run_report(sj_lab *lab);

static const instrument instruments[] = {
    {"device", "what the device has, what it can do at most, and which of stijl's shaders fit it",
     ON_DEVICE(sj_lab_run_device), 0},
    {"access", "loads in other orders, widths, layouts and bindings, and what each costs", ON_DEVICE(sj_lab_run_access),
     0},
    {"transpose", "a transpose in many ways, each as a share of a plain copy", ON_DEVICE(sj_lab_run_transpose), 0},
    {"matmul", "a product of matrices in five ways, each as a share of the multiply-adds there are",
     ON_DEVICE(sj_lab_run_matmul), 0},
    {"workgroup", "one kernel by workgroups of every shape (FILE: a manifest, or none)",
     ON_DEVICE(sj_lab_run_workgroup), TAKES_FILE},
    {"occupancy", "how many workgroups are at work at the same time, and what stops them (FILE: a manifest, or none)",
     ON_DEVICE(sj_lab_run_occupancy), TAKES_FILE},
    {"aliasing", "what a store that never happens costs, by how buffers are declared", ON_DEVICE(sj_lab_run_aliasing),
     0},
    {"spill", "a stack in registers, in shared memory and in a buffer", ON_DEVICE(sj_lab_run_spill), 0},
    {"isa", "what compilers make of a shader: statistics and instructions", ON_DEVICE(sj_lab_run_isa), TAKES_FILE},
    {"ablate",
     "a shader with its statements left out (FILE: a manifest, or shaders/fine.comp), or the renderer's features "
     "forced on (FILE: an SVG document, or none)",
     ON_DEVICE(sj_lab_run_ablate), TAKES_FILE},
    {"litmus", "which orders of memory accesses the device shows, and that it shows none that is forbidden",
     ON_DEVICE(sj_lab_run_litmus), 0},
    {"scene", "why a picture costs what it costs (FILE: an SVG document)", sj_lab_run_scene,
     WITHOUT_DEVICE | ALONE | TAKES_FILE},
    {"counters", "what the hardware counts during some kernels, where the driver tells", ON_DEVICE(sj_lab_run_counters),
     0},
    {"cpu", "what a processor moves by size, and how near the renderer comes to it", sj_lab_run_cpu, WITHOUT_DEVICE},
    {"report", "all that needs no file, on one page", run_report, WITHOUT_DEVICE | ALONE},
};
#define INSTRUMENTS (sizeof instruments / sizeof *instruments)

// Runs all instruments on one page; they share the ceilings, which are measured once.
static stijl_result run_report(sj_lab *lab) {
  stijl_result result = STIJL_OK;
  if (!lab->has_device) sj_lab_say(lab->page, "There is no Vulkan device here: this is about the CPU alone.");
  for (size_t i = 0; i < INSTRUMENTS && result == STIJL_OK; i++) {
    if (instruments[i].is & ALONE || !(lab->has_device || instruments[i].is & WITHOUT_DEVICE)) continue;
    sj_lab_section(lab->page, instruments[i].name, instruments[i].summary);
    result = instruments[i].run(lab);
    if (result == STIJL_OK || result == STIJL_ERROR_DEVICE || result == STIJL_ERROR_OUT_OF_MEMORY) continue;
    // The other instruments are useful without this one.
    if (result == STIJL_ERROR_UNSUPPORTED)
      sj_lab_say(lab->page, "Without %s: %s.", instruments[i].name, lab->message->text);
    else
      sj_lab_wrong(lab->page, "%s failed: %s", instruments[i].name, lab->message->text);
    *lab->message = (stijl_message){""};
    result = STIJL_OK;
  }
  return result;
}

const char *stijl_lab_name(size_t index) { return index < INSTRUMENTS ? instruments[index].name : NULL; }
const char *stijl_lab_summary(size_t index) { return index < INSTRUMENTS ? instruments[index].summary : NULL; }

static stijl_result run(stijl_context *context, const instrument *what, const stijl_lab_params *params,
                        stijl_lab_report *report, stijl_message *message) {
  stijl_message unused;
  if (!message) message = &unused;
  sj_lab *lab = sj_alloc_zero(context, sizeof *lab);
  if (!lab) return sj_fail_memory(message);
  *lab = (sj_lab){
      .context = context, .message = message, .params = params, .page = &report->page, .index = params->device};
  stijl_result result = sj_lab_open(lab);
  lab->has_device = result == STIJL_OK;
  bool asked = params->device >= 0 || params->device_name;
  if (result != STIJL_OK && what->is & WITHOUT_DEVICE && !asked) {
    *message = (stijl_message){""};
    result = STIJL_OK;
  }
  if (what->run != run_report) sj_lab_section(&report->page, what->name, what->summary);
  if (result == STIJL_OK) result = what->run(lab);
  if (params->against) sj_lab_section(&report->page, "against", "what is faster or slower than in another run");
  if (result == STIJL_OK && params->against) result = sj_lab_compare_with(lab, params->against);
  sj_lab_close(lab);
  sj_free(context, lab);
  if (result == STIJL_OK && !sj_lab_page_close(report)) result = sj_fail_memory(message);
  return result;
}

void stijl_lab_params_init(stijl_lab_params *params, size_t size) {
  static const stijl_lab_params defaults = STIJL_LAB_PARAMS_INIT;
  sj_params_init(params, size, &defaults, sizeof defaults);
}

stijl_result stijl_lab_run(stijl_context *context, const char *name, const stijl_lab_params *params,
                           stijl_lab_report **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out || !name) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no instrument, or no place for its report");
  *out = NULL;
  params = SJ_PARAMS(stijl_lab_params, STIJL_LAB_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  const instrument *what = NULL;
  for (size_t i = 0; i < INSTRUMENTS; i++)
    if (strcmp(instruments[i].name, name) == 0) what = &instruments[i];
  if (!what) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the lab has no instrument \"%.64s\"", name);
  if (params->file && !(what->is & TAKES_FILE))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%s takes no file", name);
  context = sj_context(context);
  stijl_lab_report *report = sj_alloc_zero(context, sizeof *report);
  if (!report) return sj_fail_memory(message);
  sj_lab_page_init(&report->page, context, what->name);
  stijl_result result = run(context, what, params, report, message);
  if (result != STIJL_OK)
    stijl_lab_report_destroy(report);
  else
    *out = report;
  return result;
}
