// All of stijl's public interface.
#ifndef STIJL_STIJL_H
#define STIJL_STIJL_H

#include "stijl/budget.h"
#include "stijl/context.h"
#include "stijl/css.h"
#include "stijl/geometry.h"
#include "stijl/image.h"
#include "stijl/path.h"
#include "stijl/render.h"
#include "stijl/result.h"
#include "stijl/scene.h"
#include "stijl/svg.h"

#endif
