// What WebAssembly's C library lacks: threads (wasi/pthread.h) and setjmp (wasi/setjmp.h).
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/wasi/pthread.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

// --- setjmp ---
// LLVM turns setjmp and longjmp into calls of these functions (llvm/lib/Target/WebAssembly/
// WebAssemblyLowerEmscriptenEHSjLj.cpp, "Wasm setjmp/longjmp handling").

#define LONGJMP_TAG 1
#if __clang_major__ >= 20  // earlier versions define the exception's tag themselves
__asm__(".weak __c_longjmp\n.tagtype __c_longjmp i32\n__c_longjmp:\n");
#endif

// These are weak because newer C libraries define them, too.
__attribute__((weak)) void __wasm_setjmp(void *jump, unsigned label, void *frame);
__attribute__((weak)) unsigned __wasm_setjmp_test(void *jump, void *frame);
__attribute__((weak)) _Noreturn void __wasm_longjmp(void *jump, int value);

void __wasm_setjmp(void *jump, unsigned label, void *frame) {
  jmp_buf *j = jump;
  (*j)->frame = frame;
  (*j)->label = label;
}

unsigned __wasm_setjmp_test(void *jump, void *frame) {
  jmp_buf *j = jump;
  return (*j)->frame == frame ? (*j)->label : 0;
}

_Noreturn void __wasm_longjmp(void *jump, int value) {
  jmp_buf *j = jump;
  (*j)->thrown.jump = jump;
  (*j)->thrown.value = value ? value : 1;
  __builtin_wasm_throw(LONGJMP_TAG, &(*j)->thrown);
}

#ifdef __wasm_atomics__

// --- waiting ---

static void wait_while(_Atomic int32_t *word, int32_t value) {
  __builtin_wasm_memory_atomic_wait32((int32_t *)word, value, -1);
}

static void wake(_Atomic int32_t *word, uint32_t count) { __builtin_wasm_memory_atomic_notify((int32_t *)word, count); }

enum { HELPERS = 64 };

static struct {
  _Atomic int32_t turn;  // odd while the helper runs a thread, even while it is free; each change adds 1
  void *(*start)(void *);
  void *argument;
  uintptr_t stack;  // the address from which its stack grows downwards
} helpers[HELPERS];
static _Atomic int lent;  // how many helpers there are

// Returns the number of the calling thread: 1 for the first thread, i + 2 for helper i, which is recognised by its
// stack.
static int32_t self(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  int count = atomic_load(&lent);
  for (int i = 0; i < count && i < HELPERS; i++)
    if (here <= helpers[i].stack && helpers[i].stack - here < SJ_STACK_BYTES) return i + 2;
  return 1;
}

// Locks a mutex as in Ulrich Drepper, "Futexes Are Tricky" (2011), section 5, "Mutex, Take 2".
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int32_t found = 0;
  if (mutex->recursive && atomic_load(&mutex->owner) == self()) {
    mutex->depth++;
    return 0;
  }
  if (!atomic_compare_exchange_strong(&mutex->state, &found, 1)) {
    if (found != 2) found = atomic_exchange(&mutex->state, 2);
    while (found != 0) {
      wait_while(&mutex->state, 2);
      found = atomic_exchange(&mutex->state, 2);
    }
  }
  if (mutex->recursive) atomic_store(&mutex->owner, self());
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (mutex->depth) {
    mutex->depth--;
    return 0;
  }
  atomic_store(&mutex->owner, 0);
  if (atomic_exchange(&mutex->state, 0) == 2) wake(&mutex->state, 1);
  return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int32_t signals = atomic_load(&condition->signals);
  pthread_mutex_unlock(mutex);
  wait_while(&condition->signals, signals);
  return pthread_mutex_lock(mutex);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  atomic_fetch_add(&condition->signals, 1);
  wake(&condition->signals, 1);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  atomic_fetch_add(&condition->signals, 1);
  wake(&condition->signals, UINT32_MAX);
  return 0;
}

int pthread_once(pthread_once_t *once, void (*make)(void)) {
  int32_t found = 0;
  if (atomic_compare_exchange_strong(&once->state, &found, 1)) {
    make();
    atomic_store(&once->state, 2);
    wake(&once->state, UINT32_MAX);
  }
  while (atomic_load(&once->state) != 2) wait_while(&once->state, 1);
  return 0;
}

// --- helpers ---

int sj_wasi_helpers(void) { return atomic_load(&lent); }

// Returns the end of a new stack for a helper; NULL when memory is short. It is never freed, since helpers stay.
void *EXPORT(stijl_wasi_stack)(void) {
  char *stack = aligned_alloc(64, SJ_STACK_BYTES);
  return stack ? stack + SJ_STACK_BYTES : NULL;
}

// Makes the calling helper run the threads that pthread_create gives it. The helper has set its instance's
// __stack_pointer to the end of a stack before. The call returns only if there are too many helpers already.
void EXPORT(stijl_wasi_help)(void) {
  int index = atomic_fetch_add(&lent, 1);
  if (index >= HELPERS) {
    atomic_fetch_sub(&lent, 1);
    return;
  }
  helpers[index].stack = (uintptr_t)__builtin_frame_address(0);
  for (;;) {
    int32_t turn = atomic_load(&helpers[index].turn);
    if (turn & 1) {
      helpers[index].start(helpers[index].argument);
      atomic_store(&helpers[index].turn, turn + 1);
      wake(&helpers[index].turn, UINT32_MAX);
    } else {
      wait_while(&helpers[index].turn, turn);
    }
  }
}

// Gives a thread to a free helper. Only the first thread creates threads, so no other can take the helper that is found
// to be free. Fails with EAGAIN when none is free.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  (void)attributes;
  for (int i = 0; i < sj_wasi_helpers() && i < HELPERS; i++) {
    int32_t turn = atomic_load(&helpers[i].turn);
    if (turn & 1) continue;
    helpers[i].start = start;
    helpers[i].argument = argument;
    *thread = (pthread_t){i, turn + 1};
    atomic_store(&helpers[i].turn, turn + 1);
    wake(&helpers[i].turn, 1);
    return 0;
  }
  return EAGAIN;
}

int pthread_join(pthread_t thread, void **result) {
  (void)result;
  while (atomic_load(&helpers[thread.helper].turn) == thread.turn)
    wait_while(&helpers[thread.helper].turn, thread.turn);
  return 0;
}

// --- malloc ---
// The C library's allocator is built for one thread. The linker's --wrap redirects all calls of it here, where a lock
// guards it.

static pthread_mutex_t heap;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *block);

void *__wrap_malloc(size_t bytes) {
  pthread_mutex_lock(&heap);
  void *block = __real_malloc(bytes);
  pthread_mutex_unlock(&heap);
  return block;
}
void *__wrap_calloc(size_t count, size_t bytes) {
  pthread_mutex_lock(&heap);
  void *block = __real_calloc(count, bytes);
  pthread_mutex_unlock(&heap);
  return block;
}
void *__wrap_realloc(void *block, size_t bytes) {
  pthread_mutex_lock(&heap);
  block = __real_realloc(block, bytes);
  pthread_mutex_unlock(&heap);
  return block;
}
void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  pthread_mutex_lock(&heap);
  void *block = __real_aligned_alloc(alignment, bytes);
  pthread_mutex_unlock(&heap);
  return block;
}
void __wrap_free(void *block) {
  pthread_mutex_lock(&heap);
  __real_free(block);
  pthread_mutex_unlock(&heap);
}

#else

// Does nothing: in a module with one thread nobody waits.
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  (void)condition;
  (void)mutex;
  return 0;
}
int pthread_cond_signal(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}
int pthread_once(pthread_once_t *once, void (*make)(void)) {
  if (atomic_exchange(&once->state, 2) == 0) make();
  return 0;
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  (void)thread;
  (void)attributes;
  (void)start;
  (void)argument;
  return EAGAIN;
}
int pthread_join(pthread_t thread, void **result) {
  (void)thread;
  (void)result;
  return EINVAL;
}
int sj_wasi_helpers(void) { return 0; }

#endif
