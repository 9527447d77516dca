// Makes the layers that the nodes of elements need.
#include "svg/resolve/layer.h"

#include "svg/resolve/clip.h"
#include "svg/resolve/filter.h"
#include "svg/resolve/mask.h"
#include "svg/resolve/resolve.h"

static void add_layer(sj_resolver *r, uint32_t node, const sj_tree_layer *layer) {
  sj_tree *tree = r->job->tree;
  if (tree->layers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->layers, *layer))
    sj_resolve_fail_memory(r);
  else
    tree->nodes.data[node].layer = (uint32_t)tree->layers.count - 1;
}

// Adds the clips of the element; *needs_box as in sj_resolve_clip.
static sj_range add_clips(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, bool *needs_box) {
  sj_range clips = {(uint32_t)r->job->tree->clip_uses.count, 0};
  if (frame->style->clip_path.text) sj_resolve_clip(r, frame, node, &frame->style->clip_path, needs_box);
  clips.end = (uint32_t)r->job->tree->clip_uses.count;
  return clips;
}

void sj_resolve_clip_layer(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node) {
  bool needs_box = false;
  sj_tree_layer layer = {.mask = SJ_NONE, .filter = SJ_NONE};
  layer.clips = add_clips(r, frame, node, &needs_box);
  if (layer.clips.first == layer.clips.end) return;
  if (needs_box) layer.box = *sj_node_box(r, node);
  add_layer(r, node, &layer);
}

void sj_resolve_layer(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, bool single) {
  sj_tree *tree = r->job->tree;
  const sj_style *style = frame->style;
  tree->nodes.data[node].opacity = style->opacity;
  tree->nodes.data[node].folds = single && style->blend == STIJL_BLEND_NORMAL && !style->clip_path.text &&
                                 !sj_has_mask(style) && !style->filter.text;
  if (!(style->opacity > 0.0f)) {
    tree->nodes.data[node].invisible = true;
    return;
  }
  sj_tree_layer layer = {.isolates = r->document->has_blend && (style->isolate || style->blend != STIJL_BLEND_NORMAL),
                         .blend = (uint8_t)style->blend,
                         .mask = SJ_NONE,
                         .filter = sj_resolve_filter(r, frame, node)};
  bool needs_box = false;
  layer.clips = add_clips(r, frame, node, &needs_box);
  if (sj_has_mask(style)) layer.mask = sj_resolve_mask(r, frame, node, &style->mask);
  if (!layer.isolates && layer.clips.first == layer.clips.end && layer.mask == SJ_NONE && layer.filter == SJ_NONE)
    return;
  if (needs_box || (layer.mask != SJ_NONE && tree->masks.data[layer.mask].needs_box)) layer.box = *sj_node_box(r, node);
  add_layer(r, node, &layer);
}
