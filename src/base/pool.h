// A persistent pool of threads that runs numbered tasks; the calling thread works too.
#ifndef SJ_BASE_POOL_H
#define SJ_BASE_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

typedef struct sj_pool sj_pool;

// A task is called once for every index, in any order; `thread` is 0..threads-1, 0 the caller's.
typedef void (*sj_pool_task)(void *user, uint32_t index, int thread);

// threads >= 1; one thread starts none. NULL when memory or threads are refused.
sj_pool *sj_pool_create(stijl_context *context, int threads);
void sj_pool_destroy(sj_pool *pool);
int sj_pool_threads(const sj_pool *pool);
// Starts the threads, so that they are there when work comes; else the first work for several starts them, and work for
// one never pays for them.
void sj_pool_start(sj_pool *pool);
bool sj_pool_started(const sj_pool *pool);  // asked by the thread that runs it
// Returns when all tasks have ended.
void sj_pool_run(sj_pool *pool, uint32_t count, sj_pool_task task, void *user);

#endif
