#include "base/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

enum { UNTRIED, OPEN, FAILED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Copies addresses of functions through pointers to data: POSIX demands that both have one size and representation.
static bool fill(const sj_library *library, void *handle) {
  char *at = library->table;
  for (const char *name = library->names; *name; name += strlen(name) + 1, at += sizeof(void *)) {
    void *address = dlsym(handle, name);
    if (!address) return false;
    memcpy(at, &address, sizeof address);
  }
  return true;
}

static int open_locked(const sj_library *library) {
  void *handle = dlopen(library->soname, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) return FAILED;
  bool good = fill(library, handle);
  dlclose(handle);
  return good ? OPEN : FAILED;
}

stijl_result sj_library_open(sj_library *library, stijl_message *message) {
  int state = atomic_load_explicit(&library->state, memory_order_acquire);
  if (state == UNTRIED) {
    pthread_mutex_lock(&lock);
    state = atomic_load_explicit(&library->state, memory_order_relaxed);
    if (state == UNTRIED) atomic_store_explicit(&library->state, state = open_locked(library), memory_order_release);
    pthread_mutex_unlock(&lock);
  }
  if (state == OPEN) return STIJL_OK;
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the library %s is not installed, or too old", library->soname);
}
