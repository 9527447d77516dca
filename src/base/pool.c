#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/budget.h"

struct sj_pool {
  stijl_context *context;
  pthread_t *handles;
  int threads, started;       // `threads` counts the caller, `started` does not
  pthread_mutex_t mutex;      // guards all that follows but `next`
  pthread_cond_t work, done;  // `work`: there is a new generation, or the threads shall quit; `done`: none is active
  unsigned generation;        // how many runs there have been
  int active;                 // how many of the started threads are in the run
  bool quit;
  sj_pool_task task;  // of the run; NULL once the caller has found no more indices
  void *user;
  uint32_t count;
  stijl_budget *budget;  // what the caller works for
  atomic_uint next;      // the next index to be taken
};

// A new thread may begin on all cores but that of the thread which makes it. Linux might put it on that core, and leave
// it there for longer than a small frame takes: the first frame of a process at 1024 px took 2.1 ms on two threads, and
// 1.6 ms when the new thread began elsewhere (medians of 25 processes). Once it runs, the thread may use all cores
// again.
typedef struct {
#ifdef __linux__
  cpu_set_t allowed;  // the cores that the process may use
#endif
  bool elsewhere;  // the thread began on others than its maker's
} placement;

#ifdef __linux__
static placement place_elsewhere(pthread_attr_t *attributes) {
  placement p = {.elsewhere = false};
  int here = sched_getcpu();
  // This fails on machines with more cores than the set has room for, where the system then chooses.
  if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof p.allowed, &p.allowed) != 0) return p;
  cpu_set_t others = p.allowed;
  CPU_CLR((size_t)here, &others);
  p.elsewhere = CPU_COUNT(&others) > 0 && pthread_attr_setaffinity_np(attributes, sizeof others, &others) == 0;
  return p;
}

static void free_placement(const placement *p) {
  if (p->elsewhere) pthread_setaffinity_np(pthread_self(), sizeof p->allowed, &p->allowed);
}
#else
static placement place_elsewhere(pthread_attr_t *attributes) {
  (void)attributes;
  return (placement){.elsewhere = false};
}

static void free_placement(const placement *p) { (void)p; }
#endif

typedef struct {
  sj_pool *pool;
  int thread;
  placement begin;
} worker_args;

static void work(sj_pool *pool, sj_pool_task task, void *user, uint32_t count, int thread) {
  for (uint32_t i; (i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed)) < count;)
    task(user, i, thread);
}

static void *worker(void *argument) {
  worker_args args = *(worker_args *)argument;
  sj_pool *pool = args.pool;
  sj_free(pool->context, argument);
  free_placement(&args.begin);
  unsigned seen = 0;
  pthread_mutex_lock(&pool->mutex);
  for (;;) {
    while (pool->generation == seen && !pool->quit) pthread_cond_wait(&pool->work, &pool->mutex);
    if (pool->quit) break;
    seen = pool->generation;
    if (!pool->task) continue;  // the run was over before this thread woke
    sj_pool_task task = pool->task;
    void *user = pool->user;
    uint32_t count = pool->count;
    stijl_budget *budget = pool->budget;
    pool->active++;
    pthread_mutex_unlock(&pool->mutex);
    sj_budget_enter(budget);
    work(pool, task, user, count, args.thread);
    sj_budget_leave(budget);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->active == 0) pthread_cond_signal(&pool->done);
  }
  pthread_mutex_unlock(&pool->mutex);
  return NULL;
}

sj_pool *sj_pool_create(stijl_context *context, int threads) {
  sj_pool *pool = sj_alloc_zero(context, sizeof *pool);
  if (!pool) return NULL;
  pool->context = context;
  pool->threads = threads;
  pool->handles = sj_alloc_array(context, (size_t)threads, sizeof *pool->handles);
  if (!pool->handles) {
    sj_free(context, pool);
    return NULL;
  }
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->work, NULL);
  pthread_cond_init(&pool->done, NULL);
  return pool;
}

void sj_pool_destroy(sj_pool *pool) {
  if (!pool) return;
  pthread_mutex_lock(&pool->mutex);
  pool->quit = true;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->mutex);
  for (int i = 0; i < pool->started; i++) pthread_join(pool->handles[i], NULL);
  pthread_cond_destroy(&pool->work);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->mutex);
  sj_free(pool->context, pool->handles);
  sj_free(pool->context, pool);
}

int sj_pool_threads(const sj_pool *pool) { return pool->threads; }

// Starts the threads. If some cannot be started, those that run do all the tasks.
void sj_pool_start(sj_pool *pool) {
  if (pool->started == pool->threads - 1) return;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, SJ_STACK_BYTES);
  placement begin = place_elsewhere(&attributes);
  while (pool->started < pool->threads - 1) {
    worker_args *args = sj_alloc(pool->context, sizeof *args);
    if (!args) break;
    *args = (worker_args){pool, pool->started + 1, begin};
    if (pthread_create(&pool->handles[pool->started], &attributes, worker, args) != 0) {
      sj_free(pool->context, args);
      break;
    }
    pool->started++;
  }
  pthread_attr_destroy(&attributes);
}

bool sj_pool_started(const sj_pool *pool) { return pool->started > 0; }

void sj_pool_run(sj_pool *pool, uint32_t count, sj_pool_task task, void *user) {
  if (pool->threads == 1 || count <= 1) {
    for (uint32_t i = 0; i < count; i++) task(user, i, 0);
    return;
  }
  sj_pool_start(pool);
  pthread_mutex_lock(&pool->mutex);
  pool->task = task;
  pool->user = user;
  pool->count = count;
  pool->budget = sj_budget_current();
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  pool->generation++;
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->mutex);
  work(pool, task, user, count, 0);
  pthread_mutex_lock(&pool->mutex);
  pool->task = NULL;
  while (pool->active) pthread_cond_wait(&pool->done, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}
