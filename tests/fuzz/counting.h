// Counts what the process allocates, whoever does: the library, or a library that it calls. Where the C library or a
// sanitizer does not allow that, all counts are 0.
#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>

// Begins to look for the largest count.
void counting_begin(void);
// Returns the largest count of bytes since then, beyond the count at that time.
size_t counting_peak(void);

#endif
