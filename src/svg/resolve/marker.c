// Resolves markers (SVG 2, 13.7). They stand on path, line, polyline and polygon, as in every browser.

#include "svg/resolve/marker.h"

#include <math.h>
#include <string.h>

#include "geometry/number.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/definitions.h"
#include "svg/resolve/layer.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/resolve.h"

bool sj_has_markers(const sj_resolver *r, const sj_style *style, uint32_t element) {
  return (style->marker_start.url || style->marker_mid.url || style->marker_end.url) &&
         sj_element_is((sj_element)r->document->nodes.data[element].element, SJ_IS_MARKED);
}

// --- vertices ---

// A vertex of a path. Directions are unit vectors, or zero where none is known.
typedef struct vertex {
  stijl_point at, in, out;
  bool begins;       // it begins a subpath
  bool ends_closed;  // it ends a subpath by closepath
  uint32_t first;    // index of the vertex where its subpath begins
} vertex;

typedef struct vertices {
  SJ_ARRAY(vertex) list;
} vertices;

static stijl_point direction(stijl_point from, stijl_point to) {
  float x = to.x - from.x, y = to.y - from.y, length = sqrtf(x * x + y * y);
  if (!(length > 0.0f)) return (stijl_point){0.0f, 0.0f};
  return (stijl_point){x / length, y / length};
}

static bool is_zero(stijl_point v) { return v.x == 0.0f && v.y == 0.0f; }

// Returns the direction from `at` to the first of the points that does not coincide with it.
static stijl_point tangent(stijl_point at, const stijl_point *points, int count, int step) {
  stijl_point found = {0.0f, 0.0f};
  for (int i = 0; i < count && is_zero(found); i++) {
    found = step > 0 ? direction(at, points[i]) : direction(points[-i], at);
  }
  return found;
}

// A reader of path data. It tells how many verbs each segment became: an arc is several curves, but one segment.
typedef struct segments {
  const char *text, *end;
  char command;
} segments;

static void skip_separators(segments *s) {
  while (s->text < s->end && (sj_is_space(*s->text) || *s->text == ',')) s->text++;
}

// Reads the command of the next segment, and its numbers into v (at most 7). Returns 0 at the end or at an error. The
// path was made from the same data and ends at the same error, so nothing else has to be checked.
static char next_segment(segments *s, double *v) {
  skip_separators(s);
  if (s->text >= s->end) return 0;
  bool explicit_command = sj_is_letter(*s->text);
  if (explicit_command) {
    s->command = *s->text++;
  } else if (s->command == 'M' || s->command == 'm') {
    s->command = s->command == 'M' ? 'L' : 'l';
  }
  static const char kinds[] = "MLHVCSQTAZ";
  static const int counts[] = {2, 2, 1, 1, 6, 4, 4, 2, 7, 0};
  const char *kind = s->command ? strchr(kinds, s->command & ~0x20) : NULL;
  if (!kind || (*kind == 'Z' && !explicit_command)) return 0;
  for (int i = 0; i < counts[kind - kinds]; i++) {
    skip_separators(s);
    size_t used;
    if (*kind == 'A' && (i == 3 || i == 4)) {
      used = s->text < s->end;
    } else {
      used = sj_number_parse(s->text, (size_t)(s->end - s->text), &v[i]);
    }
    if (!used) return 0;
    s->text += used;
  }
  return s->command;
}

static int verb_points(unsigned char verb) {
  static const int counts[] = {1, 1, 2, 3, 0};
  return counts[verb];
}

// Returns how many verbs belong to an arc that starts at `from`.
static size_t arc_verbs(const unsigned char *verbs, size_t verb_count, const stijl_point *points, stijl_point from,
                        const double *v, bool relative) {
  double x = v[5] + (relative ? (double)from.x : 0.0), y = v[6] + (relative ? (double)from.y : 0.0);
  // The curves of an arc end much further apart than rounding moves them.
  double near = 1e-3 * (fabs(v[0]) + fabs(v[1])) + 1e-5 * (fabs(x) + fabs(y));
  size_t count = 0, at = 0;
  while (count < verb_count && (verbs[count] == STIJL_PATH_CUBIC || verbs[count] == STIJL_PATH_LINE)) {
    bool line = verbs[count] == STIJL_PATH_LINE;
    at += (size_t)verb_points(verbs[count++]);
    stijl_point end = points[at - 1];
    if (line || fabs((double)end.x - x) + fabs((double)end.y - y) <= near || count == 4) break;
  }
  return count;
}

static bool collect(sj_resolver *r, const stijl_path *path, const char *data, size_t length, vertices *out) {
  const unsigned char *verbs;
  const stijl_point *points;
  size_t verb_count = stijl_path_verbs(path, &verbs);
  stijl_path_points(path, &points);
  segments source = {.text = data, .end = data ? data + length : NULL};
  stijl_point at = {0.0f, 0.0f}, start = at;
  uint32_t first = 0;
  size_t i = 0;
  while (i < verb_count) {
    char command = 0;
    double v[7];
    if (data && !(command = next_segment(&source, v))) break;
    // After a closepath the path always has a move, which the data may leave out.
    if (verbs[i] == STIJL_PATH_MOVE && command && (command & ~0x20) != 'M') {
      at = *points++;
      if (++i == verb_count) break;
    }
    size_t count = 1;
    if ((command & ~0x20) == 'A') count = arc_verbs(verbs + i, verb_count - i, points, at, v, command == 'a');
    if (!count) continue;  // an arc without length became no verb
    vertex next = {.first = first};
    if (verbs[i] == STIJL_PATH_MOVE) {
      next.begins = true;
      first = (uint32_t)out->list.count;
      next.first = first;
      at = start = *points++;
    } else if (verbs[i] == STIJL_PATH_CLOSE) {
      next.ends_closed = true;
      if (out->list.count) out->list.data[out->list.count - 1].out = direction(at, start);
      next.in = direction(at, start);
      at = start;
    } else {
      int total = 0;
      for (size_t k = 0; k < count; k++) total += verb_points(verbs[i + k]);
      if (out->list.count) out->list.data[out->list.count - 1].out = tangent(at, points, total, 1);
      stijl_point end = points[total - 1];
      next.in = total > 1 ? tangent(end, points + total - 2, total - 1, -1) : (stijl_point){0.0f, 0.0f};
      if (is_zero(next.in)) next.in = direction(at, end);
      points += total;
      at = end;
    }
    next.at = at;
    i += count;
    if (!sj_array_push(r->job->context, &out->list, next)) {
      sj_resolve_fail_memory(r);
      return false;
    }
  }
  return true;
}

// Gives segments without length the direction of the one before in their subpath, else that of the one after.
static void fill_directions(vertices *v) {
  vertex *list = v->list.data;
  size_t count = v->list.count;
  for (size_t i = 0; i + 1 < count; i++) {
    if (list[i + 1].begins || !is_zero(list[i + 1].in)) continue;
    list[i].out = list[i + 1].in = list[i].in;
  }
  for (size_t left = count; left > 1; left--) {
    size_t i = left - 1;
    if (list[i].begins || !is_zero(list[i].in)) continue;
    list[i - 1].out = list[i].in = list[i].out;
  }
  // Where a subpath closes, its first and last vertex have both directions.
  for (size_t i = 0; i < count; i++) {
    if (!list[i].ends_closed) continue;
    list[list[i].first].in = list[i].in;
    list[i].out = list[list[i].first].out;
  }
}

// Returns the bisector of a vertex's two directions.
static stijl_point bisector(const vertex *v) {
  if (is_zero(v->in)) return is_zero(v->out) ? (stijl_point){1.0f, 0.0f} : v->out;
  if (is_zero(v->out)) return v->in;
  stijl_point sum = {v->in.x + v->out.x, v->in.y + v->out.y};
  stijl_point unit = direction((stijl_point){0.0f, 0.0f}, sum);
  // Where the path turns straight back, both right angles bisect; browsers take the one to its left.
  return is_zero(unit) || sum.x * sum.x + sum.y * sum.y < 1e-10f ? (stijl_point){v->in.y, -v->in.x} : unit;
}

// --- definitions ---

// Reads refX or refY: a length in the content's space, or a keyword.
static float reference_point(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                             sj_axis axis, float origin, float size) {
  const sj_string *attribute = sj_document_attribute(r->document, element, name);
  if (!attribute) return 0.0f;
  static const char *const keywords[2][3] = {{"left", "center", "right"}, {"top", "center", "bottom"}};
  for (int i = 0; i < 3; i++) {
    if (sj_is_keyword(attribute->text, attribute->length, keywords[axis == SJ_AXIS_Y][i])) {
      return origin + 0.5f * (float)i * size;
    }
  }
  float value = 0.0f;
  sj_length_attribute(r, frame, element, name, axis, &value);
  return value;
}

// Enters the marker element's viewport within that of the shape; `inner` becomes the frame of its content. Returns
// false if nothing is drawn.
static bool enter(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element, sj_resolve_frame *inner,
                  stijl_matrix *fit, bool *clips, stijl_rect *clip) {
  sj_viewport viewport = {.width = 3.0f, .height = 3.0f};
  sj_length_attribute(r, outer, element, SJ_ATTRIBUTE_MARKER_WIDTH, SJ_AXIS_X, &viewport.width);
  sj_length_attribute(r, outer, element, SJ_ATTRIBUTE_MARKER_HEIGHT, SJ_AXIS_Y, &viewport.height);
  *inner = *outer;
  if (!sj_enter_viewport(r, inner, element, &viewport, fit, clips, clip)) return false;
  sj_view_box box = {0.0f, 0.0f, viewport.width, viewport.height};
  const sj_string *view_box = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_VIEW_BOX);
  if (view_box) sj_parse_view_box(view_box->text, view_box->length, &box);
  // Percentages of refX and refY refer to the viewport that the marker is used in.
  stijl_point ref = {reference_point(r, outer, element, SJ_ATTRIBUTE_REF_X, SJ_AXIS_X, box.x, box.width),
                     reference_point(r, outer, element, SJ_ATTRIBUTE_REF_Y, SJ_AXIS_Y, box.y, box.height)};
  ref = stijl_matrix_apply(*fit, ref);
  *fit = stijl_matrix_multiply(stijl_matrix_translate(-ref.x, -ref.y), *fit);
  *clip = stijl_matrix_apply_rect(stijl_matrix_translate(-ref.x, -ref.y), *clip);
  return true;
}

// Returns the marker that the element is, in tree->markers; SJ_NONE if it draws nothing.
static uint32_t find_marker(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  sj_tree *tree = r->job->tree;
  bool made, clips;
  sj_known *known = sj_know(r, element, frame->width, frame->height, &made);
  if (!known || !made) return known ? known->index : SJ_NONE;
  sj_style style;
  sj_style_in_document(&r->styles, element, &style);
  sj_resolve_frame own = *frame, inner;
  own.style = &style;
  own.copy = SJ_NO_COPY;
  stijl_matrix fit, inverse;
  stijl_rect clip;
  if (!enter(r, &own, element, &inner, &fit, &clips, &clip) || !stijl_matrix_invert(fit, &inverse)) return SJ_NONE;
  uint32_t index = (uint32_t)tree->markers.count;
  known->index = index;
  sj_tree_marker marker;
  if (!sj_define(r, SJ_CONTENT_MARKER, element, index, frame->width, frame->height, &marker.of)) return SJ_NONE;
  if (tree->markers.count < SJ_NONE && sj_array_push(tree->context, &tree->markers, marker)) return index;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}

// Adds the content of a marker to the tree. The frame `outer` has the viewport of the shapes.
void sj_marker_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *outer) {
  sj_tree *tree = r->job->tree;
  sj_resolve_frame frame;
  stijl_matrix fit;
  stijl_rect clip;
  bool clips;
  if (!enter(r, outer, content->element, &frame, &fit, &clips, &clip)) return;
  uint32_t node = sj_node_begin(r, SJ_TREE_GROUP, &frame, content->element);
  if (node == SJ_NONE) return;
  tree->nodes.data[node].transform = fit;
  sj_resolve_children(r, &frame, content->element);
  if (!sj_resolving(r)) return;
  sj_node_end(r, node);
  if (clips && !sj_content_fits(r, node + 1, &fit, clip)) {
    tree->nodes.data[node].item = (uint32_t)tree->viewports.count;
    if (!sj_array_push(tree->context, &tree->viewports, (sj_tree_viewport){clip})) sj_resolve_fail_memory(r);
  }
  sj_resolve_layer(r, &frame, node, false);
}

// --- markers of a shape ---

typedef struct marker {
  uint32_t index;       // in tree->markers
  stijl_matrix turned;  // from the marker's space, before the direction of the path turns it
  bool automatic, reverse_start;
} marker;

static bool prepare_marker(sj_resolver *r, const sj_resolve_frame *frame, const sj_reference *reference, marker *out) {
  r = sj_owner(r, reference->owner);
  const sj_document *document = r->document;
  if (!reference->url) return false;
  uint32_t element = sj_find_url(r, reference->url, reference->length);
  if (element == SJ_NO_ELEMENT || document->nodes.data[element].element != SJ_ELEMENT_MARKER) return false;
  *out = (marker){.index = find_marker(r, frame, element), .turned = STIJL_MATRIX_IDENTITY};
  if (out->index == SJ_NONE) return false;
  const sj_string *units = sj_document_attribute(document, element, SJ_ATTRIBUTE_MARKER_UNITS);
  if (!units || strcmp(units->text, "userSpaceOnUse") != 0) {
    float width = sj_resolve_computed(frame, frame->style->stroke_width, SJ_AXIS_DIAGONAL);
    if (!(width > 0.0f)) return false;
    out->turned = stijl_matrix_scale(width, width);
  }
  const sj_string *orient = sj_document_attribute(document, element, SJ_ATTRIBUTE_ORIENT);
  float degrees;
  if (orient) {
    out->reverse_start = sj_is_keyword(orient->text, orient->length, "auto-start-reverse");
    out->automatic = out->reverse_start || sj_is_keyword(orient->text, orient->length, "auto");
    bool good = !out->automatic && sj_parse_angle(orient->text, orient->length, &degrees);
    sj_understood(r, SJ_ATTRIBUTE_ORIENT, orient, good || out->automatic);
    if (good) {
      out->turned = stijl_matrix_multiply(stijl_matrix_rotate(degrees), out->turned);
    }
  }
  return true;
}

static void add_mark(sj_resolver *r, const sj_resolve_frame *shape, const marker *m, const vertex *v, bool start) {
  sj_tree *tree = r->job->tree;
  if (!sj_resolve_count(r, shape->depth)) return;
  stijl_matrix turn = m->turned, inverse;
  if (m->automatic) {
    stijl_point unit = bisector(v);
    if (start && m->reverse_start) unit = (stijl_point){-unit.x, -unit.y};
    turn = stijl_matrix_multiply((stijl_matrix){unit.x, unit.y, -unit.y, unit.x, 0.0f, 0.0f}, turn);
  }
  sj_tree_mark mark = {.marker = m->index,
                       .place = stijl_matrix_multiply(stijl_matrix_translate(v->at.x, v->at.y), turn)};
  if (!stijl_matrix_is_finite(mark.place) || !stijl_matrix_invert(mark.place, &inverse)) return;
  if (tree->marks.count >= SJ_NONE || !sj_array_push(tree->context, &tree->marks, mark)) sj_resolve_fail_memory(r);
}

void sj_resolve_markers(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t geometry,
                        sj_range *out) {
  sj_tree *tree = r->job->tree;
  const sj_style *style = frame->style;
  const sj_reference *references[3] = {&style->marker_start, &style->marker_mid, &style->marker_end};
  vertices v = {0};
  const char *data = NULL;
  size_t length = 0;
  const sj_string *attribute = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_D);
  if (r->document->nodes.data[element].element == SJ_ELEMENT_PATH && attribute) {
    data = attribute->text;
    length = attribute->length;
  }
  out->first = out->end = (uint32_t)tree->marks.count;
  // A path that is one move draws nothing, markers included.
  stijl_path path = sj_tree_path(tree, geometry);
  if (path.verbs.count < 2) return;
  if (collect(r, &path, data, length, &v)) {
    fill_directions(&v);
    for (int which = 0; which < 3 && v.list.count; which++) {
      marker m;
      if (!prepare_marker(r, frame, references[which], &m)) continue;
      size_t last = v.list.count - 1;
      size_t from = which == 2 ? last : (size_t)which, to = which == 0 ? 1 : which == 1 ? last : last + 1;
      for (size_t i = from; i < to && sj_resolving(r); i++) add_mark(r, frame, &m, &v.list.data[i], which == 0);
    }
  }
  out->end = (uint32_t)tree->marks.count;
  sj_array_finish(r->job->context, &v.list);
}
