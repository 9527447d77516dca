#include "base/processors.h"

#define MOST 256

#ifdef __wasi__
#include "base/wasi/pthread.h"

static long count_processors(void) { return 1 + sj_wasi_helpers(); }
#else
#include <sched.h>
#include <unistd.h>

static long count_processors(void) {
#ifdef __linux__
  cpu_set_t set;  // the call fails on machines with more processors than the set has room for
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return sysconf(_SC_NPROCESSORS_ONLN);
}
#endif

int sj_processors(void) {
  long count = count_processors();
  return count < 1 ? 1 : count > MOST ? MOST : (int)count;
}
