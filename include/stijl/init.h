// How initialisers give structs their defaults: by the names of fields, so that their order does not matter.
#ifndef STIJL_INIT_H
#define STIJL_INIT_H

#include <stddef.h>

// STIJL_INIT(type, .field = value, ...) initialises a struct that begins with its size; fields that are not named are
// 0. STIJL_PART_INIT(type, field, .field = value, ...) does so for one without a size: the given field of `type`.
//
// Initialisers of C++ name no fields before C++20. There the library's functions give the same values.
#ifndef __cplusplus
#define STIJL_INIT(type, ...) \
  { .size = sizeof(type), __VA_ARGS__ }
#define STIJL_PART_INIT(type, part, ...) \
  { __VA_ARGS__ }
#else
#define STIJL_INIT(type, ...) stijl_initialised(type##_init)
#define STIJL_PART_INIT(type, part, ...) stijl_initialised(type##_init).part

extern "C++" {  // wherever this header is included
template <typename T>
T stijl_initialised(void (*init)(T *object, size_t size)) {
  T object;
  init(&object, sizeof object);
  return object;
}
}
#endif

#endif
