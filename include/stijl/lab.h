// The lab: instruments that measure a Vulkan device and its compute shaders, or a processor, and report in words what
// they found.
//
//   stijl_lab_run(context, "transpose", &params, &report, &message);
//   puts(stijl_lab_text(report));
//   stijl_lab_report_destroy(report);
//
// docs/lab.md tells what each instrument does. Without a Vulkan device, or in a build without Vulkan, only the
// instruments of the CPU work: cpu, scene and report; the others return STIJL_ERROR_UNSUPPORTED. The lab is in a
// library of its own, libstijl-lab, which builds for WebAssembly do not have.
#ifndef STIJL_LAB_H
#define STIJL_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "stijl/context.h"
#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns an instrument's name, or in one line what it does; NULL behind the last one. The texts are static.
STIJL_API const char *stijl_lab_name(size_t index);
STIJL_API const char *stijl_lab_summary(size_t index);

// What an instrument measures.
typedef struct stijl_lab_params {
  size_t size;              // bytes of this struct; set by the initialiser
  int device;               // an index of stijl_devices; the default, -1, is the best one
  const char *device_name;  // a part of the device's name, or its type; NULL for any
  bool quick;               // runs small problems and few repetitions, as is always done on software drivers
  bool trace;               // access: also draws pictures of the addresses that a subgroup touches
  const char *file;         // the file that the instrument looks at, if it looks at one
  const char *against;      // a file with the JSON of another run, to compare with; NULL for none
} stijl_lab_params;

#define STIJL_LAB_PARAMS_INIT STIJL_INIT(stijl_lab_params, .device = -1)
STIJL_API void stijl_lab_params_init(stijl_lab_params *params, size_t size);

// What an instrument found.
typedef struct stijl_lab_report stijl_lab_report;

// Runs an instrument; if `params` is NULL, the defaults apply. The caller destroys *out. Returns
// STIJL_ERROR_INVALID_ARGUMENT for an unknown name, STIJL_ERROR_UNSUPPORTED if there is no such device, and
// STIJL_ERROR_DEVICE if the device is lost or does not answer. A measurement that cannot be right (a wrong result, or a
// figure beyond what the device can do) is no failure of the call: the report tells it, and stijl_lab_passed returns
// false.
STIJL_API stijl_result stijl_lab_run(stijl_context *context, const char *name, const stijl_lab_params *params,
                                     stijl_lab_report **out, stijl_message *message);
// Frees the report. NULL is allowed.
STIJL_API void stijl_lab_report_destroy(stijl_lab_report *report);

// Returns the report: as text for a terminal, as one JSON object, or as a page of HTML that needs no other file and has
// its plots as SVG. The texts are NUL-terminated and valid until the report is destroyed.
STIJL_API const char *stijl_lab_text(const stijl_lab_report *report);
STIJL_API const char *stijl_lab_json(const stijl_lab_report *report);
STIJL_API const char *stijl_lab_html(const stijl_lab_report *report);
// Returns whether all measurements can be right.
STIJL_API bool stijl_lab_passed(const stijl_lab_report *report);

#ifdef __cplusplus
}
#endif
#endif
