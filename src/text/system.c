#include "text/system.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/search.h"

static sj_system sys;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // guards the answers, the ranges and fontconfig

// Writes the index when the process ends.
static void save(void) {
  pthread_mutex_lock(&lock);
  if (sys.changed) sj_index_write(&sys);
  sys.changed = false;
  pthread_mutex_unlock(&lock);
}

// Reads the fonts' characters from the index, or else asks fontconfig again. The lock is held.
static void load_ranges(void) {
  if (sys.ranges.count == sys.range_count || sj_index_read_ranges(&sys)) return;
  sj_system again = {0};
  sj_fontconfig_scan(&again);
  // If the fonts have changed meanwhile, it is unknown which characters they have.
  bool same = again.count == sys.count;
  for (size_t i = 0; i < sys.count; i++) {
    sys.fonts[i].first_range = same ? again.fonts[i].first_range : 0;
    sys.fonts[i].range_count = same ? again.fonts[i].range_count : 0;
  }
  sj_array_finish(sj_context(NULL), same ? &sys.ranges : &again.ranges);
  if (same) sys.ranges = again.ranges;
  sys.range_count = (uint32_t)sys.ranges.count;
  sys.changed = same;
  for (size_t i = 0; i < again.count; i++) {
    free((char *)(uintptr_t)again.fonts[i].path);
    free(again.fonts[i].families);
    free(again.fonts[i].full_names);
  }
  free(again.fonts);
}

// Finds the system's fonts.
static void look(void) {
  int64_t since = (int64_t)time(NULL);
  bool known = sj_index_read(&sys);
  if (!known) sj_fontconfig_scan(&sys);
  sys.since = since;
  sys.changed = !known && sys.count;
  atexit(save);
}

size_t sj_system_fonts(const sj_system_font **out) {
  pthread_once(&once, look);
  *out = sys.fonts;
  return sys.count;
}

bool sj_system_has_char(const sj_system_font *font, uint32_t character) {
  const sj_char_range *characters = sj_array_at(&sys.ranges, font->first_range);
  uint32_t low = 0, high = font->range_count;
  SJ_SEARCH(low, high, i, character > characters[i].last);
  return low < font->range_count && character >= characters[low].first;
}

// Returns what fontconfig says about a family, and asks it if nobody has yet. Returns NULL when nothing is known. The
// lock is held.
static sj_system_answer *answer_for(const char *family) {
  if (!sys.count) return NULL;
  for (size_t i = 0; i < sys.answer_count; i++)
    if (strcasecmp(sys.answers[i].family, family) == 0) return &sys.answers[i];
  if (sys.answer_count >= SJ_MAX_SYSTEM_ANSWERS) return NULL;
  if (sys.answer_count == sys.answer_capacity) {
    size_t capacity = sys.answer_capacity ? 2 * sys.answer_capacity : 16;
    sj_system_answer *grown = realloc(sys.answers, capacity * sizeof *grown);
    if (!grown) return NULL;
    sys.answers = grown;
    sys.answer_capacity = capacity;
  }
  sj_system_answer answer = {.family = strdup(family)};
  if (!answer.family || !sj_fontconfig_ask(&sys, &answer)) {
    free(answer.family);
    return NULL;
  }
  sys.changed = true;
  sys.answers[sys.answer_count++] = answer;
  return &sys.answers[sys.answer_count - 1];
}

const char *sj_system_substitute(const char *family, bool exact) {
  pthread_once(&once, look);
  pthread_mutex_lock(&lock);
  const sj_system_answer *answer = answer_for(family);
  const char *found = !answer ? NULL : exact ? answer->exact : answer->loose;
  pthread_mutex_unlock(&lock);
  return found;
}

size_t sj_system_fallback(const char *family, uint32_t character, uint32_t *out, size_t max) {
  size_t count = 0;
  pthread_once(&once, look);
  pthread_mutex_lock(&lock);
  sj_system_answer *answer = answer_for(family);
  if (answer && !answer->order && sj_fontconfig_sort(&sys, answer)) sys.changed = true;
  load_ranges();
  for (uint32_t i = 0; answer && i < answer->order_count && count < max; i++)
    if (sj_system_has_char(&sys.fonts[answer->order[i]], character)) out[count++] = answer->order[i];
  pthread_mutex_unlock(&lock);
  return count;
}
