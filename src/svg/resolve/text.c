// Makes shapes of text, span by span: first the lines below it, then its glyphs, then the line through it.
#include "svg/resolve/text.h"

#include <string.h>

#include "base/utf8.h"
#include "svg/resolve/image.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"
#include "svg/resolve/text_content.h"
#include "svg/resolve/text_fonts.h"
#include "text/color.h"

typedef void (*visit)(sj_text_content *t, const sj_resolve_frame *frame, uint32_t element, const stijl_path *path,
                      void *user);

// Returns the style of glyphs and lines. They are filled as fonts mean their outlines, and what tells whether they are
// smoothed is text-rendering; shape-rendering is for shapes alone.
static sj_style glyph_style(const sj_text_scope *scope) {
  sj_style style = scope->style;
  style.fill_rule = STIJL_FILL_NONZERO;
  style.shape_rendering = style.text_rendering;
  return style;
}

static void visit_path(sj_text_content *t, const sj_text_scope *scope, const sj_style *style, const stijl_path *path,
                       visit each, void *user) {
  sj_resolve_frame frame = t->frame;
  frame.style = style;
  stijl_result status = stijl_path_status(path);
  // Paths beyond the range of coordinates are not drawn.
  if (status != STIJL_ERROR_INVALID_ARGUMENT && sj_resolve_check(t->r, status) && !stijl_path_is_empty(path))
    each(t, &frame, scope->element, path, user);
}

// Returns the style of lines. A colour of their own replaces fill and stroke.
static sj_style line_style(const sj_text_scope *owner, const sj_decoration *decoration) {
  sj_style style = glyph_style(owner);
  if (!decoration->painted) return style;
  bool current = decoration->color_kind == SJ_COLOR_CURRENT;
  style.fill = (sj_paint_value){.kind = SJ_PAINT_VALUE_COLOR, .color = current ? style.color : decoration->color};
  style.fill_opacity = 1.0f;
  style.stroke.kind = SJ_PAINT_VALUE_NONE;
  return style;
}

static void visit_line(sj_text_content *t, uint32_t span, sj_line which, const sj_line_owner *of, visit each,
                       void *user) {
  float width = 0.0f;
  stijl_path *path = sj_take_path(t->r);
  if (!path) return;
  sj_text_add_lines(t, span, which, of->scope, &of->decoration, t->draws, path, &width);
  sj_style style = line_style(of->scope, &of->decoration);
  if (width > 0.0f) {  // a wave, which is stroked with what fills other lines
    style.stroke = style.fill;
    style.stroke_opacity = style.fill_opacity;
    style.stroke_width = (sj_computed_length){.pixels = width};
    style.line_cap = STIJL_CAP_BUTT;
    style.line_join = SJ_LINE_JOIN_ROUND;
    style.dashes = (sj_length_list){0};
    style.non_scaling_stroke = 0;
    style.fill.kind = SJ_PAINT_VALUE_NONE;
  }
  visit_path(t, of->scope, &style, path, each, user);
  sj_give_path(t->r, path);
}

// Calls `each` for the lines of one kind that a span has. Lines of elements further out come first, so that they are
// below those of inner ones.
static void visit_lines(sj_text_content *t, uint32_t span, sj_line which, visit each, void *user) {
  SJ_ARRAY(sj_line_owner) owners = {0};
  sj_line_owner owner = {.next = t->span_scopes.data[span]};
  while (sj_text_next_owner(t, which, &owner) && sj_resolve_spend(t->r, SJ_WORK_NODE))
    if (!sj_text_remember(t, sj_array_push(t->r->job->context, &owners, owner))) break;
  for (size_t left = owners.count; left > 0 && sj_resolving(t->r); left--)
    visit_line(t, span, which, &owners.data[left - 1], each, user);
  sj_array_finish(t->r->job->context, &owners);
}

static const sj_placed_glyph *glyph_of(const sj_text_content *t, uint32_t i) {
  return &t->placed.glyphs.data[t->order.data[i]];
}

// A function that handles the glyphs of a span.
typedef void (*visit_span)(sj_text_content *t, uint32_t span, void *user);

static void visit_all(sj_text_content *t, visit each, visit_span glyphs, void *user) {
  for (uint32_t span = 0; span < t->spans.count && sj_resolving(t->r); span++) {
    if (t->has_groups && t->draws) sj_text_enter_groups(t, span, *(const uint32_t *)user);
    uint32_t shadow = t->draws ? sj_text_begin_shadow(t, span) : SJ_NONE;
    if (t->spans.data[span].lines[SJ_LINE_UNDER]) visit_lines(t, span, SJ_LINE_UNDER, each, user);
    if (t->spans.data[span].lines[SJ_LINE_OVER]) visit_lines(t, span, SJ_LINE_OVER, each, user);
    glyphs(t, span, user);
    if (t->spans.data[span].lines[SJ_LINE_THROUGH]) visit_lines(t, span, SJ_LINE_THROUGH, each, user);
    if (shadow != SJ_NONE) sj_text_end_shadow(t, span, shadow);
  }
  if (t->groups.count) sj_text_enter_groups(t, (uint32_t)t->spans.count, *(const uint32_t *)user);
}

// Begins the node of a shape in the text; SJ_NONE on failure.
static uint32_t begin_shape(sj_text_content *t, const sj_resolve_frame *frame, uint32_t element, uint32_t text) {
  bool own = element == t->r->job->tree->nodes.data[text].element;
  return sj_node_begin(t->r, SJ_TREE_SHAPE, frame, own ? SJ_NONE : element);
}

// Ends it. The box for its paints is that of the whole text.
static void end_shape(sj_text_content *t, const sj_resolve_frame *frame, uint32_t element, uint32_t text, uint32_t node,
                      uint32_t geometry) {
  if (geometry == SJ_NONE) return;
  sj_box box = *sj_node_box(t->r, text);
  t->r->job->tree->nodes.data[node].box = box;
  sj_add_shape(t->r, frame, element, node, geometry);
}

static void add_shape(sj_text_content *t, const sj_resolve_frame *frame, uint32_t element, const stijl_path *path,
                      void *user) {
  const uint32_t *text = user;
  sj_resolve_frame own = *frame;
  own.depth--;  // the text element's
  uint32_t node = begin_shape(t, &own, element, *text);
  if (node != SJ_NONE) end_shape(t, &own, element, *text, node, sj_add_geometry(t->r, path));
}

// Returns the colour of the text, which colour glyphs may use, as 0xRRGGBBAA.
static uint32_t foreground(const sj_style *style) {
  return sj_straight_color(style->fill.kind == SJ_PAINT_VALUE_COLOR ? style->fill.color : style->color);
}

// Returns the image of a colour glyph, made once; SJ_NONE if it has no colours.
static uint32_t color_image(sj_text_content *t, const sj_placed_glyph *glyph, const sj_style *style) {
  sj_resolve_job *job = t->r->job;
  sj_palette palette;
  uint32_t color = foreground(style), identity = sj_resolver_palette(t->r, glyph->face, &style->font.palette, &palette);
  if (!sj_resolve_spend(t->r, job->glyphs.count)) return SJ_NONE;
  for (size_t i = 0; i < job->glyphs.count; i++) {
    const sj_glyph_image *known = &job->glyphs.data[i];
    if (known->face == glyph->face && known->glyph == glyph->glyph && (known->color == color || !known->uses_color) &&
        (known->palette == identity || !known->uses_palette))
      return known->image;
  }
  sj_glyph_image known = {
      .face = glyph->face, .glyph = glyph->glyph, .color = color, .palette = identity, .image = SJ_NONE};
  sj_color_picture picture;
  unsigned refusals = atomic_load(&glyph->face->library->refusals);
  if (sj_color_glyph(glyph->face, job->context, job->tree->context, glyph->glyph, color, &palette, &picture)) {
    known.image = sj_embed_glyph(t->r, picture.scene, picture.document.data, picture.document.count);
    sj_array_finish(job->context, &picture.document);
  }
  if (picture.uses.too_large) sj_omit(t->r, SJ_OMIT_COLOR_GLYPH, "", 0);
  known.uses_color = picture.uses.foreground;
  known.uses_palette = picture.uses.palette;
  if (atomic_load(&glyph->face->library->refusals) != refusals || !sj_array_push(job->context, &job->glyphs, known))
    sj_resolve_fail_memory(t->r);
  return known.image;
}

// Adds a glyph in its colours. Returns false if it has an outline instead.
static bool add_color_glyph(sj_text_content *t, const sj_placed_glyph *glyph) {
  sj_resolver *r = t->r;
  sj_tree *tree = r->job->tree;
  const sj_style *style = &t->scopes.data[t->span_scopes.data[glyph->span]].style;
  uint32_t image = color_image(t, glyph, style);
  if (image == SJ_NONE) return !sj_resolving(r);
  if (!sj_resolve_count(r, t->frame.depth)) return true;
  sj_resolve_frame own = t->frame;
  own.depth--;
  uint32_t node = sj_node_begin(r, SJ_TREE_IMAGE, &own, SJ_NONE);
  if (node == SJ_NONE) return true;
  float em = (float)glyph->face->metrics.units_per_em;
  stijl_matrix down = {1.0f, 0.0f, 0.0f, -1.0f, -em, 2.0f * em};
  sj_tree_picture picture = {.image = image, .place = stijl_matrix_multiply(glyph->matrix, down)};
  picture.rect = stijl_matrix_apply_rect(picture.place, (stijl_rect){0.0f, 0.0f, 4.0f * em, 4.0f * em});
  tree->nodes.data[node].item = (uint32_t)tree->pictures.count;
  tree->nodes.data[node].invisible = style->visibility != SJ_VISIBILITY_VISIBLE;
  tree->nodes.data[node].opacity = style->fill_opacity;
  if (!sj_array_push(tree->context, &tree->pictures, picture)) sj_resolve_fail_memory(r);
  return true;
}

uint32_t sj_text_outline(sj_text_content *t, const sj_placed_glyph *glyph) {
  static const stijl_matrix units = STIJL_MATRIX_IDENTITY;
  sj_resolver *r = t->r;
  sj_tree *tree = r->job->tree;
  uint32_t number = SJ_NONE;
  if (sj_pairs_find(&r->job->outlines, glyph->face->serial, glyph->glyph, &number)) return number;
  stijl_path *path = sj_take_path(r);
  if (!path) return SJ_NONE;
  stijl_rect bounds;
  sj_face_outline(glyph->face, r->job->context, glyph->glyph, &units, path);
  if (sj_resolve_check(r, stijl_path_status(path)) && stijl_path_bounds(path, &bounds)) {
    sj_glyph_size size = sj_face_glyph_size(glyph->face, glyph->glyph);
    sj_tree_outline made = {{glyph->face->serial, glyph->glyph}, size, sj_add_geometry(r, path)};
    number = (uint32_t)tree->outlines.count;
    if (made.geometry != SJ_NONE) tree->geometries.data[made.geometry].bounds = (sj_box){.known = true, .rect = bounds};
    if (number >= SJ_NONE || !sj_array_push(tree->context, &tree->outlines, made)) sj_resolve_fail_memory(r);
  }
  sj_give_path(r, path);
  if (!sj_pairs_add(r->job->context, &r->job->outlines, glyph->face->serial, glyph->glyph, number))
    sj_resolve_fail_memory(r);
  return number;
}

// Returns whether all of a glyph is within the range of coordinates.
static bool in_range(const sj_tree *tree, const sj_tree_glyph *glyph) {
  const sj_geometry *outline = &tree->geometries.data[tree->outlines.data[glyph->outline].geometry];
  stijl_rect box = stijl_matrix_apply_rect(glyph->matrix, outline->bounds.rect);
  return stijl_matrix_is_finite(glyph->matrix) && sj_path_coordinate_ok(glyph->matrix.e) &&
         sj_path_coordinate_ok(glyph->matrix.f) && sj_path_coordinate_ok(box.x0) && sj_path_coordinate_ok(box.y0) &&
         sj_path_coordinate_ok(box.x1) && sj_path_coordinate_ok(box.y1);
}

// Finds where clusters begin, so that it is known which characters are a glyph's.
static bool find_clusters(sj_text_content *t) {
  if (t->clusters.count || !t->placed.glyphs.count) return true;
  if (!sj_array_reserve(t->r->job->context, &t->clusters, t->characters.count + 1)) return false;
  t->clusters.count = t->characters.count + 1;
  memset(t->clusters.data, 0, t->clusters.count);
  for (size_t i = 0; i < t->placed.glyphs.count; i++) t->clusters.data[t->placed.glyphs.data[i].character] = 1;
  t->clusters.data[t->characters.count] = 1;
  return true;
}

// Adds what a glyph says to that of the span's last one. Of several glyphs of a cluster the first says it. What is seen
// of a blank is that the next glyph is farther away, and so the glyph before says it.
static bool add_text(sj_text_content *t, const sj_placed_glyph *glyph, sj_glyph_text *text) {
  sj_tree *tree = t->r->job->tree;
  uint32_t i = glyph->character;
  if (!text || t->clusters.data[i] != 1) return true;
  t->clusters.data[i] = 2;  // said
  do {
    if (t->kinds.data[i] == SJ_CHARACTER_CONTROL) continue;
    if (!sj_array_reserve(tree->context, &tree->utf8, SJ_UTF8_MOST)) return false;
    size_t bytes = sj_utf8_put(t->characters.data[i], tree->utf8.data + tree->utf8.count);
    tree->utf8.count += bytes;
    text->count += (uint32_t)bytes;
  } while (!t->clusters.data[++i]);
  return true;
}

// Adds a span's glyphs to the tree. Returns false if some are beyond the range of coordinates: then the span is not
// drawn.
static bool place_glyphs(sj_text_content *t, uint32_t span) {
  sj_tree *tree = t->r->job->tree;
  size_t first = tree->glyphs.count;
  bool good = true;
  if (!find_clusters(t)) sj_resolve_fail_memory(t->r);
  for (uint32_t i = t->starts.data[span]; i < t->starts.data[span + 1] && sj_resolve_spend(t->r, SJ_WORK_NODE); i++) {
    const sj_placed_glyph *g = glyph_of(t, i);
    if (g->face->has_color && add_color_glyph(t, g)) continue;
    sj_tree_glyph made = {sj_text_outline(t, g), g->matrix, {(uint32_t)tree->utf8.count, 0}};
    if (!sj_resolving(t->r)) continue;
    bool drawn = made.outline != SJ_NONE;
    good = good && (!drawn || in_range(tree, &made));
    if (tree->glyphs.count >= SJ_NONE || (drawn && !sj_array_push(tree->context, &tree->glyphs, made)) ||
        !add_text(t, g, tree->glyphs.count > first ? &tree->glyphs.data[tree->glyphs.count - 1].text : NULL))
      sj_resolve_fail_memory(t->r);
  }
  return good && sj_resolving(t->r);
}

static void add_glyphs(sj_text_content *t, uint32_t span, void *user) {
  const uint32_t *text = user;
  const sj_text_scope *scope = &t->scopes.data[t->span_scopes.data[span]];
  sj_tree *tree = t->r->job->tree;
  uint32_t first = (uint32_t)tree->glyphs.count;
  bool good = place_glyphs(t, span);
  if (!good) tree->glyphs.count = first;
  if (!good || tree->glyphs.count == first) return;
  sj_resolve_frame frame = t->frame;
  sj_style style = glyph_style(scope);
  frame.style = &style;
  frame.depth--;  // the text element's
  uint32_t node = begin_shape(t, &frame, scope->element, *text);
  if (node != SJ_NONE) end_shape(t, &frame, scope->element, *text, node, sj_add_glyph_geometry(t->r, first));
}

static void add_outline(sj_text_content *t, const sj_resolve_frame *frame, uint32_t element, const stijl_path *path,
                        void *user) {
  stijl_path_add_path(user, path, NULL);
}

// Adds the outlines of a span's glyphs to a path.
static void outline_glyphs(sj_text_content *t, uint32_t span, void *user) {
  stijl_path *path = sj_take_path(t->r);
  if (!path) return;
  for (uint32_t i = t->starts.data[span]; i < t->starts.data[span + 1] && sj_resolve_spend(t->r, 0); i++) {
    const sj_placed_glyph *g = glyph_of(t, i);
    sj_face_outline(g->face, t->r->job->context, g->glyph, &g->matrix, path);
  }
  const sj_text_scope *scope = &t->scopes.data[t->span_scopes.data[span]];
  sj_style style = glyph_style(scope);
  visit_path(t, scope, &style, path, add_outline, user);
  sj_give_path(t->r, path);
}

// Adds the cells of the glyphs, which make the object bounding box (SVG 2, 8.10).
static bool add_cells(const sj_text_content *t, sj_range *out) {
  sj_tree *tree = t->r->job->tree;
  out->first = (uint32_t)tree->cells.count;
  for (size_t i = 0; i < t->placed.cells.count; i++) {
    const sj_placed_cell *cell = &t->placed.cells.data[i];
    if (tree->cells.count >= SJ_NONE ||
        !sj_array_push(tree->context, &tree->cells, (sj_tree_cell){cell->matrix, cell->rect}))
      return false;
  }
  out->end = (uint32_t)tree->cells.count;
  return true;
}

bool sj_text_draw(sj_text_content *t, uint32_t node) {
  sj_tree *tree = t->r->job->tree;
  sj_tree_text text;
  t->draws = true;
  tree->nodes.data[node].item = (uint32_t)tree->texts.count;
  if (!add_cells(t, &text.cells) || tree->texts.count >= SJ_NONE || !sj_array_push(tree->context, &tree->texts, text))
    sj_resolve_fail_memory(t->r);
  else
    visit_all(t, add_shape, add_glyphs, &node);
  return sj_resolving(t->r);
}

bool sj_resolve_text(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node) {
  sj_text_content t;
  bool some = sj_text_content_init(r, frame, element, &t) && sj_text_draw(&t, node);
  sj_text_content_finish(&t);
  return some && sj_resolving(r);
}

bool sj_text_path(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_path *path) {
  sj_text_content t;
  bool good = sj_text_content_init(r, frame, element, &t);
  if (good) visit_all(&t, add_outline, outline_glyphs, path);
  sj_text_content_finish(&t);
  return good && !stijl_path_is_empty(path);
}
