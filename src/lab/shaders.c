// SPIR-V, embedded at build time.
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
