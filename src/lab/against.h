// Compares the times of a run with those of another one, read from its JSON.
#ifndef SJ_LAB_AGAINST_H
#define SJ_LAB_AGAINST_H

#include "lab/harness.h"

// Compares the times on the lab's page so far with those in the file, and writes what has become faster or slower.
stijl_result sj_lab_compare_with(sj_lab *lab, const char *path);

#endif
