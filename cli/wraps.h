// Marks unsigned arithmetic that is meant to wrap, as src/base/wraps.h does for the library.
#ifndef CLI_WRAPS_H
#define CLI_WRAPS_H

// Stands before a function whose arithmetic wraps on purpose, such as a hash.
#ifdef __clang__
#define CLI_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define CLI_WRAPS
#endif

#endif
