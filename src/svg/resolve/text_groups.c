// Makes groups of what elements within a text draw, where they have opacity, a blend mode, a filter, a clip path or a
// mask of their own. As in browsers, their object bounding box is that of the whole text.
#include "svg/resolve/job.h"
#include "svg/resolve/layer.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/text_content.h"

static bool needs_group(const sj_style *style) {
  return style->opacity < 1.0f || style->blend != STIJL_BLEND_NORMAL || style->isolate || style->filter.text ||
         style->clip_path.text || sj_has_mask(style);
}

void sj_text_note_group(sj_text_content *t, const sj_style *style) { t->has_groups |= needs_group(style); }

// Returns whether the scope is the other one, or within it.
static bool is_within(const sj_text_content *t, uint32_t scope, uint32_t outer) {
  while (scope != SJ_NO_SCOPE && scope != outer) scope = t->scopes.data[scope].parent;
  return scope == outer;
}

static void close_group(sj_text_content *t) {
  sj_text_group group = t->groups.data[--t->groups.count];
  sj_tree *tree = t->r->job->tree;
  if (!sj_resolving(t->r)) return;
  if (tree->nodes.count == group.node + 1) {  // there is nothing in it
    sj_node_drop(t->r, group.node);
    return;
  }
  sj_node_end(t->r, group.node);
  sj_resolve_frame frame = t->frame;
  frame.style = &t->scopes.data[group.scope].style;
  frame.depth--;  // the text element's
  sj_resolve_layer(t->r, &frame, group.node, false);
}

// Opens the groups of a scope and of those that it is in, outer ones first.
static void open_groups(sj_text_content *t, uint32_t scope, uint32_t text) {
  const sj_text_scope *of = &t->scopes.data[scope];
  if (of->parent == SJ_NO_SCOPE) return;  // the text element's own are those of its node
  open_groups(t, of->parent, text);
  for (size_t i = 0; i < t->groups.count; i++)
    if (t->groups.data[i].scope == scope) return;
  if (!needs_group(&of->style) || !sj_resolve_count(t->r, t->frame.depth)) return;
  sj_box box = *sj_node_box(t->r, text);
  sj_resolve_frame frame = t->frame;
  frame.depth--;
  uint32_t node = sj_node_begin(t->r, SJ_TREE_GROUP, &frame, SJ_NONE);
  if (node == SJ_NONE) return;
  t->r->job->tree->nodes.data[node].box = box;
  sj_text_remember(t, sj_array_push(t->r->job->context, &t->groups, (sj_text_group){scope, node}));
}

void sj_text_enter_groups(sj_text_content *t, uint32_t span, uint32_t text) {
  bool ends = span == t->spans.count;
  uint32_t scope = ends ? SJ_NO_SCOPE : t->span_scopes.data[span];
  while (t->groups.count && (ends || !is_within(t, scope, t->groups.data[t->groups.count - 1].scope))) close_group(t);
  if (!ends) open_groups(t, scope, text);
}
