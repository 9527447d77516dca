#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require

#include "css/layout.h"

#include "groups.glsl"

layout(push_constant, scalar) uniform Params { m_params P; };
