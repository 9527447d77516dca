// By which tests reach what is rare: small buffers, few turns of loops, devices that fail. Only programs that are
// linked with the static library can ask for it.
#ifndef SJ_BASE_TRIAL_H
#define SJ_BASE_TRIAL_H

#include <stdint.h>

// Sets what is tried from now on, for what is created next; NULL: as usual. The texts stay the caller's. No other
// thread may create anything meanwhile.
void sj_trial_set(const char *name, const char *value);

// Returns what is set; NULL: nothing.
const char *sj_trial(const char *name);
uint64_t sj_trial_number(const char *name, uint64_t otherwise);

#endif
