// Reads and writes public structs that later versions may extend: see stijl.h, "size".
#ifndef SJ_BASE_PARAMS_H
#define SJ_BASE_PARAMS_H

#include "base/context.h"
#include "base/shared.h"

// Returns the caller's struct in the form that this version of the library knows. `given` starts with its own size in
// bytes; `known` has this version's size, `bytes`, and holds the defaults. The result is
// - `given` itself where the sizes agree,
// - else `known`, into which the caller's fields are copied,
// - `known` with the defaults where `given` is NULL and not `needed`,
// - NULL, with a message that names the struct `name`, where a needed struct is NULL, where the struct had this size in
//   no version, or where a field is set that this version does not know.
SJ_SHARED const void *sj_params_read(const void *given, void *known, size_t bytes, const char *name, bool needed,
                                     stijl_message *message);

// The same with the type's name and initialiser, which is only evaluated where the sizes differ. For NULL the first
// macro gives the defaults, and the second an error.
#define SJ_PARAMS(type, INIT, given, message) SJ_PARAMS_READ_(type, given, false, message, INIT)
#define SJ_GIVEN(type, INIT, given, message) SJ_PARAMS_READ_(type, given, true, message, INIT)

// The initialiser contains commas, so it has to be the last argument.
#define SJ_PARAMS_READ_(type, given, needed, message, ...) \
  ((const type *)((given) && (given)->size == sizeof(type) \
                      ? (given)                            \
                      : sj_params_read((given), &(type)__VA_ARGS__, sizeof(type), #type, (needed), (message))))

// Fills a caller's struct with as much of `known` as its size has room for. The size is its first field, which is then
// set to how many bytes were filled. False, and nothing is written, where the struct had this size in no version.
bool sj_params_write(void *out, const void *known, size_t bytes, const char *name);
#define SJ_WRITE(type, out, known) sj_params_write((out), (known), sizeof(type), #type)

// Returns whether the struct `name` had the size that `given` says: in this version, where it is `bytes`, in an earlier
// one, or perhaps in a later one. `message` (may be NULL) tells that it had not.
bool sj_params_has_size(const void *given, size_t bytes, const char *name, stijl_message *message);

// Writes the defaults to a struct of `size` bytes, for functions that initialise: what is beyond them becomes zero.
SJ_SHARED void sj_params_init(void *out, size_t size, const void *defaults, size_t bytes);

#endif
