#include "base/library.h"

#include <dlfcn.h>
#include <link.h>
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

// Looks whether the program has a dynamic linker. It stops at the first object, which is the program itself: a static
// one names none.
static int look_for_linker(struct dl_phdr_info *program, size_t size, void *found) {
  for (int i = 0; i < program->dlpi_phnum; i++)
    if (program->dlpi_phdr[i].p_type == PT_INTERP) *(bool *)found = true;
  return 1;
}

static bool program_is_static(void) {
  bool linker = false;
  dl_iterate_phdr(look_for_linker, &linker);
  return !linker;
}

static stijl_result fail(stijl_message *message, const char *soname, const char *why) {
  if (program_is_static())
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "a static program cannot open the library %s", soname);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the library %s %s", soname, why);
}

void *sj_library_dlopen(const char *soname, int flags, stijl_message *message) {
  void *handle = program_is_static() ? NULL : dlopen(soname, flags);
  if (!handle) fail(message, soname, "is not installed");
  return handle;
}

static int open_locked(const sj_library *library) {
  void *handle = sj_library_dlopen(library->soname, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE, NULL);
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
  return fail(message, library->soname, "is not installed, or too old");
}
