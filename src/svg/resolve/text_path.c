// Makes the paths that text is laid along (textPath: SVG 2, 11.8).
#include <string.h>

#include "geometry/arc_length.h"
#include "svg/resolve/job.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/shapes.h"
#include "svg/resolve/text_content.h"
#include "svg/resolve/transforms.h"

static uint32_t track_target(sj_text_content *t, uint32_t element) {
  uint32_t target = sj_find_href(t->r, element);
  return target != SJ_NO_ELEMENT && sj_element_is((sj_element)t->r->document->nodes.data[target].element, SJ_IS_SHAPE)
             ? target
             : SJ_NO_ELEMENT;
}

// Adds the reversed path to `out`, for side="right".
static bool reverse(const stijl_path *path, stijl_path *out) {
  const unsigned char *verbs;
  const stijl_point *points;
  static const int counts[] = {1, 1, 2, 3, 0};
  size_t verb_count = stijl_path_verbs(path, &verbs), point_count = stijl_path_points(path, &points);
  // It goes subpath by subpath from the last, and segment by segment from its end.
  size_t end = verb_count;
  const stijl_point *p = points + point_count;
  while (end > 0) {
    size_t begin = end;
    while (begin > 0 && verbs[begin - 1] != STIJL_PATH_MOVE) begin--;
    bool closed = verbs[end - 1] == STIJL_PATH_CLOSE;
    const stijl_point *last = p - 1;
    stijl_path_move_to(out, last->x, last->y);
    for (size_t left = end; left > begin; left--) {
      size_t i = left - 1;
      int n = counts[verbs[i]];
      const stijl_point *to = p - n - 1;
      switch ((stijl_path_verb)verbs[i]) {
        case STIJL_PATH_LINE: stijl_path_line_to(out, to->x, to->y); break;
        case STIJL_PATH_QUAD: stijl_path_quad_to(out, p[-2].x, p[-2].y, to->x, to->y); break;
        case STIJL_PATH_CUBIC: stijl_path_cubic_to(out, p[-2].x, p[-2].y, p[-3].x, p[-3].y, to->x, to->y); break;
        default: break;
      }
      p -= n;
    }
    p--;  // that of the MOVE
    if (closed) stijl_path_close(out);
    end = begin - 1;
  }
  return stijl_path_status(out) == STIJL_OK;
}

// Returns the path; NULL, and gives it back, if it is beyond the range of coordinates: then it counts as none.
static stijl_path *checked(sj_resolver *r, stijl_path *path) {
  if (!path || stijl_path_status(path) == STIJL_OK) return path;
  if (stijl_path_status(path) == STIJL_ERROR_OUT_OF_MEMORY) sj_resolve_fail_memory(r);
  sj_give_path(r, path);
  return NULL;
}

stijl_path *sj_text_shape_path(sj_text_content *t, const sj_resolve_frame *frame, uint32_t target,
                               const sj_style *style, float *length) {
  sj_resolver *r = t->r;
  stijl_path *path = sj_take_path(r), *out = NULL;
  if (!path) return NULL;
  sj_resolve_frame own = *frame;
  own.style = style;
  own.copy = SJ_NO_COPY;
  stijl_matrix matrix;
  stijl_rect reference = sj_view_reference(&own);
  bool good = sj_shape_path(r, &own, target, path);
  if (good && sj_transform_needs_box(r, &own, target)) stijl_path_bounds(path, &reference);
  if (good && sj_own_transform(r, &own, target, SJ_PROPERTY_TRANSFORM, reference, &matrix)) out = sj_take_path(r);
  if (out) stijl_path_add_path(out, path, &matrix);
  if (good && length) *length = (float)sj_path_length(path);
  sj_give_path(r, path);
  return checked(r, out);
}

// Returns the outline that a textPath is along, in the user space of the text; NULL if there is none. *author becomes
// how many user units a unit of pathLength is, 0 for no pathLength.
static stijl_path *track_path(sj_text_content *t, const sj_resolve_frame *frame, uint32_t element, float *author) {
  sj_resolver *r = t->r;
  stijl_path *out = NULL;
  const sj_string *data = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_PATH);
  uint32_t target = track_target(t, element);
  *author = 0.0f;
  if (data) {  // SVG 2 prefers the attribute `path` to the reference
    out = sj_take_path(r);
    if (!out) return NULL;
    stijl_result result = stijl_path_add_svg(out, data->text, data->length, NULL);
    if (result == STIJL_ERROR_OUT_OF_MEMORY) sj_resolve_fail_memory(r);
    if ((result != STIJL_ERROR_MALFORMED && result != STIJL_OK) || stijl_path_is_empty(out)) {
      sj_give_path(r, out);
      out = NULL;
    }
  } else if (target != SJ_NO_ELEMENT) {
    sj_style style;
    sj_style_in_document(&r->styles, target, &style);
    float length;
    const sj_string *wanted = sj_document_attribute(r->document, target, SJ_ATTRIBUTE_PATH_LENGTH);
    if (!wanted || !sj_parse_number(wanted->text, wanted->length, author) || *author < 0.0f) *author = 0.0f;
    out = sj_text_shape_path(t, frame, target, &style, *author > 0.0f ? &length : NULL);
    if (out && *author > 0.0f) *author = length / *author;
  }
  const sj_string *side = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_SIDE);
  if (out && side && strcmp(side->text, "right") == 0) {
    stijl_path *turned = sj_take_path(r);
    if (turned && reverse(out, turned)) {
      sj_give_path(r, out);
      out = turned;
    } else {
      sj_give_path(r, turned);
    }
  }
  return checked(r, out);
}

bool sj_text_open_track(sj_text_content *t, sj_text_scope *scope, bool *there) {
  sj_resolver *r = t->r;
  sj_resolve_frame frame = t->frame;
  frame.style = &scope->style;
  float scale;
  stijl_path *path = track_path(t, &frame, scope->element, &scale);
  *there = path != NULL;
  if (!sj_resolving(r) || (path && !sj_text_remember(t, sj_array_push(r->job->context, &t->paths, path)))) {
    sj_give_path(r, path);
    return false;
  }
  if (!path) return true;
  sj_svg_track track = {.first = (uint32_t)t->characters.count, .path = path};
  sj_length start;
  const sj_string *offset = sj_document_attribute(r->document, scope->element, SJ_ATTRIBUTE_START_OFFSET);
  bool moved = offset && sj_parse_length(offset->text, offset->length, &start);
  if (sj_understood(r, SJ_ATTRIBUTE_START_OFFSET, offset, moved)) {
    sj_length_base base = sj_style_base(&r->styles, &scope->style);
    track.start = sj_length_pixels(start, &base, (float)sj_path_length(path));
    // A plain length is in the author's units of pathLength.
    if (start.unit != SJ_UNIT_PERCENT && scale > 0.0f) track.start *= scale;
  }
  scope->track = (uint32_t)t->tracks.count;
  return sj_text_remember(t, sj_array_push(r->job->context, &t->tracks, track));
}
