// Threads in WebAssembly: as much of pthread.h as the library uses. Some C libraries for WebAssembly have a pthread.h
// of their own. It is not used, so that the library is the same with all of them, and names here are others than
// theirs.
//
// A module cannot start a thread. The page that runs it lends helpers instead: instances of the same module on the same
// memory, each in a worker that calls stijl_wasi_help and stays in it (src/base/wasi/wasi.c). Creating a thread fails
// when no helper is free. In a module without shared memory there are no helpers.
#ifndef SJ_BASE_WASI_PTHREAD_H
#define SJ_BASE_WASI_PTHREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define pthread_t sj_wasi_thread
#define pthread_attr_t sj_wasi_attributes
#define pthread_mutexattr_t sj_wasi_mutex_attributes
#define pthread_mutex_t sj_wasi_mutex
#define pthread_cond_t sj_wasi_condition
#define pthread_once_t sj_wasi_once
#define pthread_mutex_lock sj_wasi_mutex_lock
#define pthread_mutex_unlock sj_wasi_mutex_unlock
#define pthread_cond_wait sj_wasi_condition_wait
#define pthread_cond_signal sj_wasi_condition_signal
#define pthread_cond_broadcast sj_wasi_condition_broadcast
#define pthread_once sj_wasi_call_once
#define pthread_create sj_wasi_thread_create
#define pthread_join sj_wasi_thread_join

typedef struct {
  int helper;
  int32_t turn;
} pthread_t;

typedef struct {
  size_t stack_bytes;  // ignored, since a helper has its own stack
} pthread_attr_t;

typedef struct {
  bool recursive;
} pthread_mutexattr_t;

typedef struct {
  _Atomic int32_t state;  // 0 free, 1 held, 2 held and waited for
  bool recursive;
  _Atomic int32_t owner;  // of a recursive mutex: the thread that holds it; 0: none does
  int32_t depth;          // how often the owner has locked it again
} pthread_mutex_t;

typedef struct {
  _Atomic int32_t signals;
} pthread_cond_t;

typedef struct {
  _Atomic int32_t state;  // 0 not begun, 1 begun, 2 done
} pthread_once_t;

#define PTHREAD_MUTEX_INITIALIZER \
  { 0 }
#define PTHREAD_COND_INITIALIZER \
  { 0 }
#define PTHREAD_ONCE_INIT \
  { 0 }

static inline int pthread_attr_init(pthread_attr_t *attributes) {
  attributes->stack_bytes = 0;
  return 0;
}
static inline int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
  attributes->stack_bytes = bytes;
  return 0;
}
static inline int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

#define PTHREAD_MUTEX_RECURSIVE 1
static inline int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  attributes->recursive = false;
  return 0;
}
static inline int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  attributes->recursive = type == PTHREAD_MUTEX_RECURSIVE;
  return 0;
}
static inline int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  atomic_init(&mutex->state, 0);
  mutex->recursive = attributes && attributes->recursive;
  atomic_init(&mutex->owner, 0);
  mutex->depth = 0;
  return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  (void)mutex;
  return 0;
}
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes) {
  (void)attributes;
  atomic_init(&condition->signals, 0);
  return 0;
}
static inline int pthread_cond_destroy(pthread_cond_t *condition) {
  (void)condition;
  return 0;
}
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);

int pthread_once(pthread_once_t *once, void (*make)(void));

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);

// Returns how many helpers have been lent.
int sj_wasi_helpers(void);

#endif
