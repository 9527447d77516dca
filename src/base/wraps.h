// Marks unsigned arithmetic that is meant to wrap. clang's -fsanitize=unsigned-integer-overflow reports all other.
#ifndef SJ_BASE_WRAPS_H
#define SJ_BASE_WRAPS_H

// Stands before a function whose arithmetic wraps on purpose, such as a hash or a generator of random numbers.
#ifdef __clang__
#define SJ_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define SJ_WRAPS
#endif

#endif
