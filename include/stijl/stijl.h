// All of stijl's public interface, except stijl/vulkan.h.
//
// Structs whose first field is `size` grow from version to version, always at their end. STIJL_NAME_INIT sets the
// defaults and the size, and so does stijl_name_init(&object, sizeof object) for languages without initialisers. The
// library reads the fields that the caller's size covers and takes the defaults for the rest, so that a program that
// was built with an older header runs with a newer library. A program that was built with a newer header is refused
// (STIJL_ERROR_INVALID_ARGUMENT) only if a field that the library does not know is not zero.
//
// A size that the struct had in no version, such as 0, is STIJL_ERROR_INVALID_ARGUMENT too, because the struct was not
// initialised. Such a size is smaller than today's and none of the earlier ones, or larger than today's and no multiple
// of sizeof(size_t), or more than 1024 bytes larger. Calls that fill in a struct leave one of such a size as it is,
// even if they return nothing. Structs without `size`, and those within others, never change.
//
// Where a comment says nothing else, a function that returns stijl_result returns STIJL_OK on success and
// STIJL_ERROR_INVALID_ARGUMENT for NULL where none is allowed, and one that creates an object sets *out to NULL on
// failure, and leaves it to the caller to destroy the object. `message` may always be NULL.
#ifndef STIJL_STIJL_H
#define STIJL_STIJL_H

#include "stijl/animation.h"
#include "stijl/budget.h"
#include "stijl/context.h"
#include "stijl/css.h"
#include "stijl/export.h"
#include "stijl/filter.h"
#include "stijl/fonts.h"
#include "stijl/geometry.h"
#include "stijl/image.h"
#include "stijl/image_writer.h"
#include "stijl/init.h"
#include "stijl/lab.h"
#include "stijl/path.h"
#include "stijl/render.h"
#include "stijl/result.h"
#include "stijl/scene.h"
#include "stijl/svg.h"
#include "stijl/text.h"

#endif
