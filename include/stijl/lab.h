// The lab: instruments that measure a Vulkan device and its compute shaders, or a processor, and say in words what they
// found.
//
//   stijl_lab_run(context, "transpose", &params, &report, &message);
//   puts(stijl_lab_text(report));
//   stijl_lab_report_destroy(report);
//
// docs/lab.md tells what each instrument does. Where there is no Vulkan device, or none is built in, there is the CPU's
// half of it: cpu, scene, and report; the others return STIJL_ERROR_UNSUPPORTED. All this is in a library of its own,
// libstijl-lab, which builds for WebAssembly have not.
#ifndef STIJL_LAB_H
#define STIJL_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "stijl/context.h"
#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// An instrument's name and what it does in one line; NULL behind the last one.
STIJL_API const char *stijl_lab_name(size_t index);
STIJL_API const char *stijl_lab_summary(size_t index);

typedef struct stijl_lab_params {
  size_t size;              // bytes of this struct; set by the initialiser
  int device;               // an index of stijl_devices; -1: the best
  const char *device_name;  // part of the device's name, or its type; NULL: any
  bool quick;               // small problems and few repetitions, as on software drivers, where this is always so
  bool trace;               // access: pictures of the addresses that a subgroup touches
  const char *file;         // what the instrument looks at, where it looks at a file
  const char *against;      // a file with the JSON of another run, to compare with; NULL: none
} stijl_lab_params;

#define STIJL_LAB_PARAMS_INIT \
  { sizeof(stijl_lab_params), -1, NULL, false, false, NULL, NULL }
STIJL_API void stijl_lab_params_init(stijl_lab_params *params, size_t size);

typedef struct stijl_lab_report stijl_lab_report;

// Runs an instrument. `params` NULL: the defaults. STIJL_ERROR_INVALID_ARGUMENT for a name that is none,
// STIJL_ERROR_UNSUPPORTED where there is no such device, STIJL_ERROR_DEVICE where the device is lost or does not
// answer. A measurement that cannot be right (a wrong result, a figure beyond what the device can do) is no error here:
// the report tells it, and stijl_lab_passed is false.
STIJL_API stijl_result stijl_lab_run(stijl_context *context, const char *name, const stijl_lab_params *params,
                                     stijl_lab_report **out, stijl_message *message);
STIJL_API void stijl_lab_report_destroy(stijl_lab_report *report);

// NUL-terminated, and valid until the report is destroyed: for a terminal; one JSON object; a page of HTML that needs
// nothing beside it, with plots as SVG.
STIJL_API const char *stijl_lab_text(const stijl_lab_report *report);
STIJL_API const char *stijl_lab_json(const stijl_lab_report *report);
STIJL_API const char *stijl_lab_html(const stijl_lab_report *report);
STIJL_API bool stijl_lab_passed(const stijl_lab_report *report);

#ifdef __cplusplus
}
#endif
#endif
