// The lab's shaders as SPIR-V, embedded at build time.
#include "lab/harness.h"

#define SHADER(name, of) const sj_vk_shader name = {"lab/" #of, of, sizeof of};

static const uint32_t number[] = {
#include "lab_number.spv.inc"
};
SHADER(sj_lab_number_shader, number)
static const uint32_t nothing[] = {
#include "lab_nothing.spv.inc"
};
SHADER(sj_lab_nothing, nothing)
static const uint32_t stream[] = {
#include "lab_stream.spv.inc"
};
SHADER(sj_lab_stream, stream)
static const uint32_t compute[] = {
#include "lab_compute.spv.inc"
};
SHADER(sj_lab_compute, compute)
static const uint32_t compute_clock[] = {
#include "lab_compute-clock.spv.inc"
};
SHADER(sj_lab_compute_clock, compute_clock)
static const uint32_t transpose[] = {
#include "lab_transpose.spv.inc"
};
SHADER(sj_lab_transpose_shader, transpose)
static const uint32_t matmul[] = {
#include "lab_matmul.spv.inc"
};
SHADER(sj_lab_matmul_shader, matmul)
static const uint32_t blocked[] = {
#include "lab_blocked.spv.inc"
};
SHADER(sj_lab_matmul_blocked, blocked)
static const uint32_t access_8[] = {
#include "lab_access-8.spv.inc"
};
SHADER(sj_lab_access_8, access_8)
static const uint32_t access_16[] = {
#include "lab_access-16.spv.inc"
};
SHADER(sj_lab_access_16, access_16)
static const uint32_t access_32[] = {
#include "lab_access-32.spv.inc"
};
SHADER(sj_lab_access_32, access_32)
static const uint32_t access_64[] = {
#include "lab_access-64.spv.inc"
};
SHADER(sj_lab_access_64, access_64)
static const uint32_t access_128[] = {
#include "lab_access-128.spv.inc"
};
SHADER(sj_lab_access_128, access_128)
static const uint32_t access_push[] = {
#include "lab_access-push.spv.inc"
};
SHADER(sj_lab_access_push, access_push)
static const uint32_t access_uniform[] = {
#include "lab_access-uniform.spv.inc"
};
SHADER(sj_lab_access_uniform, access_uniform)
static const uint32_t access_texture[] = {
#include "lab_access-texture.spv.inc"
};
SHADER(sj_lab_access_texture, access_texture)
static const uint32_t access_image[] = {
#include "lab_access-image.spv.inc"
};
SHADER(sj_lab_access_image, access_image)
static const uint32_t occupancy[] = {
#include "lab_occupancy.spv.inc"
};
SHADER(sj_lab_occupancy, occupancy)
static const uint32_t shapes[] = {
#include "lab_shapes.spv.inc"
};
SHADER(sj_lab_shapes, shapes)
static const uint32_t aliasing_0[] = {
#include "lab_aliasing-0.spv.inc"
};
SHADER(sj_lab_aliasing_0, aliasing_0)
static const uint32_t aliasing_1[] = {
#include "lab_aliasing-1.spv.inc"
};
SHADER(sj_lab_aliasing_1, aliasing_1)
static const uint32_t aliasing_2[] = {
#include "lab_aliasing-2.spv.inc"
};
SHADER(sj_lab_aliasing_2, aliasing_2)
static const uint32_t aliasing_3[] = {
#include "lab_aliasing-3.spv.inc"
};
SHADER(sj_lab_aliasing_3, aliasing_3)
static const uint32_t aliasing_4[] = {
#include "lab_aliasing-4.spv.inc"
};
SHADER(sj_lab_aliasing_4, aliasing_4)
static const uint32_t aliasing_5[] = {
#include "lab_aliasing-5.spv.inc"
};
SHADER(sj_lab_aliasing_5, aliasing_5)
static const uint32_t aliasing_6[] = {
#include "lab_aliasing-6.spv.inc"
};
SHADER(sj_lab_aliasing_6, aliasing_6)
static const uint32_t spill_0[] = {
#include "lab_spill-0.spv.inc"
};
SHADER(sj_lab_spill_0, spill_0)
static const uint32_t spill_1[] = {
#include "lab_spill-1.spv.inc"
};
SHADER(sj_lab_spill_1, spill_1)
static const uint32_t spill_2[] = {
#include "lab_spill-2.spv.inc"
};
SHADER(sj_lab_spill_2, spill_2)
static const uint32_t litmus_0[] = {
#include "lab_litmus-0.spv.inc"
};
SHADER(sj_lab_litmus_0, litmus_0)
static const uint32_t litmus_1[] = {
#include "lab_litmus-1.spv.inc"
};
SHADER(sj_lab_litmus_1, litmus_1)
static const uint32_t litmus_2[] = {
#include "lab_litmus-2.spv.inc"
};
SHADER(sj_lab_litmus_2, litmus_2)
static const uint32_t progress[] = {
#include "lab_progress.spv.inc"
};
SHADER(sj_lab_progress, progress)
static const uint32_t fine_1[] = {
#include "lab_fine-1.spv.inc"
};
SHADER(sj_lab_fine_1, fine_1)
static const uint32_t fine_2[] = {
#include "lab_fine-2.spv.inc"
};
SHADER(sj_lab_fine_2, fine_2)
static const uint32_t fine_4[] = {
#include "lab_fine-4.spv.inc"
};
SHADER(sj_lab_fine_4, fine_4)
static const uint32_t fine_8[] = {
#include "lab_fine-8.spv.inc"
};
SHADER(sj_lab_fine_8, fine_8)
static const uint32_t fine_16[] = {
#include "lab_fine-16.spv.inc"
};
SHADER(sj_lab_fine_16, fine_16)
