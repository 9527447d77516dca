// The stages, and what of a scene they are specialised by.
#ifndef SJ_GPU_STAGES_H
#define SJ_GPU_STAGES_H

#include <stdint.h>

typedef enum sj_stage {
  SJ_STAGE_FLATTEN,
  SJ_STAGE_SMALL,
  SJ_STAGE_RANK,
  SJ_STAGE_COVER,
  SJ_STAGE_RESOLVE,
  SJ_STAGE_COARSE,
  SJ_STAGE_FINE,
  SJ_STAGES
} sj_stage;

// What a scene uses, a bit each. Stages are specialised by these (sj_stage_variant has which).
#define SJ_FEATURE_LAYERS 1u  // coarse and fine
#define SJ_FEATURE_GRADIENTS 2u
#define SJ_FEATURE_IMAGES 4u
#define SJ_FEATURE_BLENDS 8u
#define SJ_FEATURE_OPAQUE 16u   // fine: the background is opaque, and there are no layers
#define SJ_FEATURE_STROKES 32u  // flatten
#define SJ_FEATURE_FAR 64u
#define SJ_FEATURE_CURVES 128u
#define SJ_FEATURE_FEW_BINS 256u  // coarse: more lanes a workgroup
#define SJ_FEATURE_WIDE 512u      // cover and resolve: the device adds 64 bits at a time
#define SJ_FEATURE_LONG_SUMS 1024u
#define SJ_FEATURE_ALIASED 2048u     // flatten and cover: draws without anti-aliasing
#define SJ_FEATURE_SHARES 4096u      // flatten: several workgroups share segments
#define SJ_FEATURE_GLYPHS 8192u      // flatten: glyph runs
#define SJ_FEATURE_SHEET 16384u      // flatten, small and fine: several surfaces at a time
#define SJ_FEATURE_CROSSINGS 65536u  // cover: not LONG_SUMS yet, but it is counted whether the batch needs them
#define SJ_FEATURE_CLIPPED 32768u    // fine: the target has no room for pixels of tiles outside of the region
#define SJ_FEATURE_RESIDENT 131072u  // flatten, small, rank and coarse: the device has encoded the draws

enum { SJ_STAGE_FEATURES = 8 };  // of a stage, at most

// Returns the constants of a stage's shader that these features set: bit i is constant i.
uint32_t sj_stage_variant(sj_stage stage, uint32_t features);

#endif
