#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "report.h"

// One more than threads can write at a time.
#define MAX_FILES 257
#define MAX_TRIES 1000

// A file is made, renamed and removed by its thread while the place is BUSY; signals are blocked for that thread then.
// The handler, in whatever thread it runs, takes each place from FREE or HELD to ENDED, and waits where it is BUSY:
// that lasts no longer than the thread's system call. Once all places have ended, no file is left and none can be made.
typedef enum state { FREE, BUSY, HELD, ENDED } state;

struct cli_temporary {
  atomic_int state;
  char *name;
  sigset_t mask;  // of the thread, while BUSY
};

static cli_temporary files[MAX_FILES];

void cli_temporary_end(void) {
  for (size_t i = 0; i < MAX_FILES; i++) {
    for (;;) {
      int seen = FREE;
      if (atomic_compare_exchange_strong(&files[i].state, &seen, ENDED) || seen == ENDED) break;
      seen = HELD;
      if (atomic_compare_exchange_strong(&files[i].state, &seen, ENDED)) {
        unlink(files[i].name);
        break;
      }
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
  }
}

static void end_process(int signal_number) {
  cli_temporary_end();
  cli_progress_abandon();
  signal(signal_number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  raise(signal_number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void cli_temporary_catch_signals(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  struct sigaction action = {.sa_handler = end_process}, before;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    // What was ignored on purpose (nohup, a background job) stays so. A pipe's end is not.
    if (signals[i] != SIGPIPE && sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signals[i], &action, NULL);
  }
  signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is a failed write
}

// Takes the place for this thread; where a signal ends the process, waits for that.
static bool enter(cli_temporary *file, state from) {
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  int seen = (int)from;
  bool taken = atomic_compare_exchange_strong(&file->state, &seen, BUSY);
  if (taken)
    file->mask = mask;
  else
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
  while (!taken && seen == ENDED) pause();
  return taken;
}

static void leave(cli_temporary *file, state to) {
  int error = errno;
  sigset_t mask = file->mask;
  if (to == FREE) {
    free(file->name);
    file->name = NULL;
  }
  atomic_store(&file->state, (int)to);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = error;
}

// --- names ---

#define PREFIX ".stijl-"
#define SUFFIX ".tmp"

static char tag[17];

static void choose_tag(void) {
  uint64_t number;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    number = (uint64_t)getpid() << 40 ^ (uint64_t)t.tv_sec << 30 ^ (uint64_t)t.tv_nsec;
  }
  snprintf(tag, sizeof tag, "%016" PRIx64, number);
}

const char *cli_temporary_tag(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_tag);
  return tag;
}

// Returns the length of the tag of a temporary file of this name; 0: it is none.
static size_t find_tag(const char *name) {
  size_t length = strlen(name), prefix = sizeof PREFIX - 1, suffix = sizeof SUFFIX - 1;
  if (length <= prefix + suffix || strncmp(name, PREFIX, prefix) || strcmp(name + length - suffix, SUFFIX)) return 0;
  const char *end = strrchr(name + prefix, '-');
  return end ? (size_t)(end - name) - prefix : 0;
}

size_t cli_temporary_sweep(const char *folder, char *const *tags, size_t count) {
  DIR *dir = opendir(folder);
  size_t removed = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    size_t length = find_tag(entry->d_name);
    const char *found = entry->d_name + sizeof PREFIX - 1;
    for (size_t i = 0; length && i < count; i++)
      if (strlen(tags[i]) == length && memcmp(tags[i], found, length) == 0)
        removed += unlinkat(dirfd(dir), entry->d_name, 0) == 0;
  }
  if (dir) closedir(dir);
  return removed;
}

cli_temporary *cli_temporary_create(const char *path, int *fd) {
  static atomic_uint serial;
  cli_temporary *file = NULL;
  for (size_t i = 0; i < MAX_FILES && !file; i++)
    if (enter(&files[i], FREE)) file = &files[i];
  if (!file) {
    errno = EMFILE;
    return NULL;
  }
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash + 1 - path) : 0;
  *fd = -1;
  const char *own = cli_temporary_tag();
  // A name may be taken, by whoever wants that.
  for (int i = 0; i < MAX_TRIES && *fd < 0; i++) {
    free(file->name);
    if (asprintf(&file->name, "%.*s" PREFIX "%s-%u" SUFFIX, folder, path, own, atomic_fetch_add(&serial, 1)) < 0) {
      file->name = NULL;
      errno = ENOMEM;
      break;
    }
    *fd = open(file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (*fd < 0 && errno != EEXIST) break;
  }
  bool good = *fd >= 0;
  leave(file, good ? HELD : FREE);
  return good ? file : NULL;
}

bool cli_temporary_rename(cli_temporary *file, const char *path) {
  enter(file, HELD);
  bool good = rename(file->name, path) == 0;
  if (!good) {
    int error = errno;
    unlink(file->name);
    errno = error;
  }
  leave(file, FREE);
  return good;
}

void cli_temporary_remove(cli_temporary *file) {
  enter(file, HELD);
  unlink(file->name);
  leave(file, FREE);
}
