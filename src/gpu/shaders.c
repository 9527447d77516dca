// SPIR-V, embedded at build time.
#include "gpu/filter_layout.h"
#include "gpu/pipeline.h"

static const uint32_t flatten[] = {
#include "flatten.spv.inc"
};
static const uint32_t rank[] = {
#include "rank.spv.inc"
};
static const uint32_t cover_32[] = {
#include "cover_32.spv.inc"
};
static const uint32_t cover_64[] = {
#include "cover_64.spv.inc"
};
static const uint32_t resolve[] = {
#include "resolve.spv.inc"
};
static const uint32_t small[] = {
#include "small.spv.inc"
};
static const uint32_t coarse_128[] = {
#include "coarse_128.spv.inc"
};
static const uint32_t coarse_256[] = {
#include "coarse_256.spv.inc"
};
static const uint32_t fine_1[] = {
#include "fine_1.spv.inc"
};
static const uint32_t fine_2[] = {
#include "fine_2.spv.inc"
};
static const uint32_t fine_4[] = {
#include "fine_4.spv.inc"
};
static const uint32_t fine_8[] = {
#include "fine_8.spv.inc"
};
static const uint32_t fine_16[] = {
#include "fine_16.spv.inc"
};

static const uint32_t filter[] = {
#include "filter.spv.inc"
};
static const uint32_t blur[] = {
#include "blur.spv.inc"
};
static const uint32_t boxes[] = {
#include "boxes.spv.inc"
};

const char *sj_stage_name(sj_stage stage) {
  static const char *const names[SJ_STAGES] = {"flatten", "small", "rank", "cover", "resolve", "coarse", "fine"};
  return names[stage];
}

#define SHADER(name) \
  (sj_vk_shader) { #name, name, sizeof name }

sj_vk_shader sj_filter_shader_of(uint32_t kind) {
  switch (kind) {
    case G_ITEM_BOXES:
    case G_ITEM_BOXES_WIDE: return SHADER(boxes);
    case G_ITEM_BLUR:
    case G_ITEM_BLUR_TINY: return SHADER(blur);
    default: return SHADER(filter);
  }
}

sj_vk_shader sj_shader_of(sj_stage stage, uint32_t features, uint32_t chunk) {
  switch (stage) {
    case SJ_STAGE_FLATTEN: return SHADER(flatten);
    case SJ_STAGE_RANK: return SHADER(rank);
    case SJ_STAGE_COVER: return features & SJ_FEATURE_WIDE ? SHADER(cover_64) : SHADER(cover_32);
    case SJ_STAGE_RESOLVE: return SHADER(resolve);
    case SJ_STAGE_SMALL: return SHADER(small);
    case SJ_STAGE_COARSE: return features & SJ_FEATURE_FEW_BINS ? SHADER(coarse_256) : SHADER(coarse_128);
    default: break;
  }
  switch (chunk) {
    case 1: return SHADER(fine_1);
    case 4: return SHADER(fine_4);
    case 8: return SHADER(fine_8);
    case 16: return SHADER(fine_16);
    default: return SHADER(fine_2);
  }
}
