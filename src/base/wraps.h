// Unsigned arithmetic that may wrap: clang's -fsanitize=unsigned-integer-overflow reports it everywhere else.
#ifndef SJ_BASE_WRAPS_H
#define SJ_BASE_WRAPS_H

// Stands before a function that means it: hashes, random numbers.
#ifdef __clang__
#define SJ_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define SJ_WRAPS
#endif

#endif
