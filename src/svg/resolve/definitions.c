// Keeps definitions. What clip paths, masks, markers and patterns contain is resolved once for each viewport that its
// percentages may refer to, however many elements refer to it.
#include "svg/resolve/definitions.h"

#include "svg/resolve/clip.h"
#include "svg/resolve/hatch.h"
#include "svg/resolve/image.h"
#include "svg/resolve/marker.h"
#include "svg/resolve/paint.h"
#include "svg/resolve/resolve.h"

// Makes a zeroed array with an entry for each element, if it is not there.
static bool make_array(sj_resolver *r, uint32_t **array) {
  if (!*array) *array = sj_alloc_zero(r->job->context, r->document->nodes.count * sizeof **array);
  if (!*array) sj_resolve_fail_memory(r);
  return *array;
}

sj_known *sj_know(sj_resolver *r, uint32_t element, float width, float height, bool *made) {
  *made = false;
  if (!make_array(r, &r->first_known)) return NULL;
  uint32_t passed = 0;
  for (uint32_t i = r->first_known[element]; i; i = r->known.data[i - 1].next, passed++) {
    sj_known *known = &r->known.data[i - 1];
    if (known->width == width && known->height == height) return known;
    if (passed % 64 == 63 && !sj_resolve_spend(r, 64 * SJ_WORK_NODE)) return NULL;
  }
  sj_known known = {.element = element,
                    .width = width,
                    .height = height,
                    .index = SJ_NONE,
                    .state = SJ_SERVER_NONE,
                    .next = r->first_known[element]};
  if (r->known.count >= SJ_NONE - 1 || !sj_array_push(r->job->context, &r->known, known)) {
    sj_resolve_fail_memory(r);
    return NULL;
  }
  *made = true;
  r->first_known[element] = (uint32_t)r->known.count;
  return &r->known.data[r->known.count - 1];
}

void sj_forget(sj_resolver *r) {
  sj_known last = r->known.data[--r->known.count];
  r->first_known[last.element] = last.next;
}

bool sj_define(sj_resolver *r, sj_content_kind kind, uint32_t element, uint32_t index, float width, float height,
               sj_definition *out) {
  if (!make_array(r, &r->identities)) return false;
  if (!r->identities[element]) r->identities[element] = ++r->job->tree->identities;
  *out = (sj_definition){.identity = r->identities[element] - 1};
  sj_content content = {
      .kind = kind, .resolver = r, .element = element, .index = index, .width = width, .height = height};
  if (sj_array_push(r->job->context, &r->job->contents, content)) return true;
  sj_resolve_fail_memory(r);
  return false;
}

static sj_definition *definition_of(sj_tree *tree, const sj_content *content) {
  switch (content->kind) {
    case SJ_CONTENT_CLIP: return &tree->clips.data[content->index].of;
    case SJ_CONTENT_MASK: return &tree->masks.data[content->index].of;
    case SJ_CONTENT_MARKER: return &tree->markers.data[content->index].of;
    case SJ_CONTENT_PATTERN:
    case SJ_CONTENT_HATCH: break;
    case SJ_CONTENT_ELEMENT:
    case SJ_CONTENT_FILTER_IMAGE: return &tree->filter_contents.data[content->index].of;
  }
  return &tree->servers.data[content->index].of;
}

// Resolves the element that an feImage shows.
static void element_content(sj_resolver *r, const sj_content *content, sj_resolve_frame *frame) {
  sj_style parent;
  uint32_t above = r->document->dom->parent.data[content->element];
  if (above != SJ_NO_ELEMENT) {
    sj_style_in_document(&r->styles, above, &parent);
    frame->style = &parent;
    sj_resolve_element(r, frame, content->element);
  }
}

// Resolves the picture of a file that an feImage shows.
static void image_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame) {
  sj_given_image given = {.rect = r->job->tree->filter_contents.data[content->index].rect};
  uint32_t node = sj_node_begin(r, SJ_TREE_IMAGE, frame, content->element);
  if (node == SJ_NONE) return;
  if (sj_resolve_image(r, frame, content->element, node, &given))
    sj_node_end(r, node);
  else
    sj_node_drop(r, node);
}

void sj_resolve_contents(sj_resolver *outermost) {
  sj_resolve_job *job = outermost->job;
  for (size_t i = 0; i < job->contents.count && sj_resolving(outermost); i++) {
    sj_content content = job->contents.data[i];
    sj_resolver *r = content.resolver;
    sj_style style;
    sj_style_in_document(&r->styles, content.element, &style);
    sj_resolve_frame frame = {.style = &style, .width = content.width, .height = content.height, .depth = 1};
    uint32_t first = (uint32_t)job->tree->nodes.count;
    switch (content.kind) {
      case SJ_CONTENT_CLIP: sj_clip_content(r, &content, &frame); break;
      case SJ_CONTENT_HATCH: sj_hatch_content(r, &content, &frame); break;
      case SJ_CONTENT_MARKER: sj_marker_content(r, &content, &frame); break;
      case SJ_CONTENT_ELEMENT: element_content(r, &content, &frame); break;
      case SJ_CONTENT_FILTER_IMAGE: image_content(r, &content, &frame); break;
      default: sj_resolve_children(r, &frame, content.element); break;
    }
    definition_of(job->tree, &content)->nodes = (sj_range){first, (uint32_t)job->tree->nodes.count};
  }
}
