// A pool of threads that runs numbered tasks. The calling thread works too, and the threads stay until the pool is
// destroyed.
#ifndef SJ_BASE_POOL_H
#define SJ_BASE_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

typedef struct sj_pool sj_pool;

// A task is called once for each index, in any order. `thread` is the number of the thread that calls it, from 0, the
// thread that called sj_pool_run, to threads - 1.
typedef void (*sj_pool_task)(void *user, uint32_t index, int thread);

// The size of a thread's stack. It is set because the C libraries' defaults differ (128 KiB with musl, 8 MiB with
// glibc). No task was seen to need more than 64 KiB. Only the depth of matching selectors depends on the input, and
// that is limited (max_nesting).
#define SJ_STACK_BYTES ((size_t)512 << 10)

// Makes a pool of `threads` threads, at least 1, of which the caller is one. It does not start them. Returns NULL when
// memory is short.
sj_pool *sj_pool_create(stijl_context *context, int threads);
void sj_pool_destroy(sj_pool *pool);
int sj_pool_threads(const sj_pool *pool);
// Starts the threads early, so that they are there when work comes. Otherwise the first run of several tasks starts
// them, so that a pool which never runs several does not pay for them.
void sj_pool_start(sj_pool *pool);
// Returns whether threads have been started. Only the thread that runs the pool may ask.
bool sj_pool_started(const sj_pool *pool);
// Calls `task` for the indices 0 to count - 1, and returns when all calls have ended.
void sj_pool_run(sj_pool *pool, uint32_t count, sj_pool_task task, void *user);

#endif
