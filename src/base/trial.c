#include "base/trial.h"

#include <stdlib.h>
#include <string.h>

#define MOST 16

static struct { const char *name, *value; } trials[MOST];

void sj_trial_set(const char *name, const char *value) {
  int i = 0;
  while (i < MOST - 1 && trials[i].name && strcmp(trials[i].name, name) != 0) i++;
  trials[i].name = name;
  trials[i].value = value;
}

const char *sj_trial(const char *name) {
  for (int i = 0; i < MOST && trials[i].name; i++)
    if (strcmp(trials[i].name, name) == 0) return trials[i].value;
  return NULL;
}

uint64_t sj_trial_number(const char *name, uint64_t otherwise) {
  const char *text = sj_trial(name);
  uint64_t value = text ? strtoull(text, NULL, 10) : 0;
  return value ? value : otherwise;
}
