// Replaces the lab in builds for WebAssembly, which has no clock of processor time.
#include "base/context.h"
#include "stijl/lab.h"

const char *stijl_lab_name(size_t index) { return NULL; }
const char *stijl_lab_summary(size_t index) { return NULL; }

stijl_result stijl_lab_run(stijl_context *context, const char *name, const stijl_lab_params *params,
                           stijl_lab_report **out, stijl_message *message) {
  if (out) *out = NULL;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "builds for WebAssembly have no lab");
}
