// What all shaders that draw begin with.
#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require

#ifndef WEBGPU
// Floats of 32 bits are rounded to nearest (capability and execution mode RoundingModeRTE): Vulkan leaves it to the
// device otherwise. The host takes only devices that can.
spirv_execution_mode(capabilities = [4467], 4462, 32);
#endif

#include "groups.glsl"
