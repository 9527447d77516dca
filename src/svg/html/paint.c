// Makes nodes of the render tree of boxes that are laid out.
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "svg/html/html.h"
#include "svg/resolve/image.h"
#include "svg/resolve/job.h"
#include "svg/resolve/layer.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"
#include "svg/resolve/transforms.h"
#include "svg/resolve/use.h"

// --- backgrounds and borders ---

typedef struct frame_box {
  float x0, y0, x1, y1;
  float radius[4];  // of the corners
} frame_box;

// Rounds a place: boxes are drawn at whole pixels of the foreignObject's user space, as in browsers.
static float snap(sj_unit64 v) { return sj_html_pixels(sj_html_snap(v)); }

static void add_corner(stijl_path *path, float x, float y, float dx0, float dy0, float dx1, float dy1) {
  const float k = 0.55228475f;
  stijl_path_cubic_to(path, x - dx0 * (1.0f - k), y - dy0 * (1.0f - k), x - dx1 * (1.0f - k), y - dy1 * (1.0f - k),
                      x - dx1, y - dy1);
}

static void add_frame(stijl_path *path, const frame_box *b) {
  const float *r = b->radius;
  if (!(b->x1 > b->x0) || !(b->y1 > b->y0)) return;
  stijl_path_move_to(path, b->x0 + r[0], b->y0);
  stijl_path_line_to(path, b->x1 - r[1], b->y0);
  if (r[1] > 0.0f) add_corner(path, b->x1, b->y0, r[1], 0.0f, 0.0f, -r[1]);
  stijl_path_line_to(path, b->x1, b->y1 - r[2]);
  if (r[2] > 0.0f) add_corner(path, b->x1, b->y1, 0.0f, r[2], r[2], 0.0f);
  stijl_path_line_to(path, b->x0 + r[3], b->y1);
  if (r[3] > 0.0f) add_corner(path, b->x0, b->y1, -r[3], 0.0f, 0.0f, r[3]);
  stijl_path_line_to(path, b->x0, b->y0 + r[0]);
  if (r[0] > 0.0f) add_corner(path, b->x0, b->y0, 0.0f, -r[0], -r[0], 0.0f);
  stijl_path_close(path);
}

// Adds a shape of one colour. A part of a line is no layer of its own, so that its shapes take over the opacity.
static void add_shape(sj_html *h, const sj_html_box *box, const sj_resolve_frame *outer, const stijl_path *path,
                      stijl_color color) {
  const sj_style *style = &box->style->svg;
  float opacity = box->kind == SJ_HTML_INLINE ? style->opacity : 1.0f;
  sj_fill_path(h->r, outer, box->element, style, path, STIJL_FILL_EVENODD, color, opacity);
}

static stijl_color scaled(stijl_color c, float factor) {
  return (stijl_color){c.r * factor, c.g * factor, c.b * factor, c.a};
}

static float brightest(stijl_color c) { return fmaxf(c.r, fmaxf(c.g, c.b)); }

static stijl_color lighter(stijl_color c) {
  float v = brightest(c), grey = 84.0f / 255.0f;
  return v > 0.0f ? scaled(c, fminf(1.0f, v + 0.33f) / v) : (stijl_color){grey, grey, grey, c.a};
}

static stijl_color darker(stijl_color c) {
  float v = brightest(c);
  return scaled(c, v > 0.33f ? (v - 0.33f) / v : 0.0f);
}

// Returns the colour of a side of a border that is inset or outset: they look like light from the top left, in shades
// as in Chromium: two lighter ones of what is almost black. That of others is their own.
static stijl_color shade(stijl_color c, sj_html_border border, int side) {
  if (border != SJ_BORDER_INSET && border != SJ_BORDER_OUTSET) return c;
  bool dark = (side == SJ_TOP || side == SJ_LEFT) == (border == SJ_BORDER_INSET);
  float most = 32.0f / 255.0f;
  if (c.r * c.r + c.g * c.g + c.b * c.b <= 3.0f * most * most) return dark ? lighter(c) : lighter(lighter(c));
  return dark ? darker(c) : lighter(c);
}

static stijl_color side_color(const sj_html_style *s, int side) {
  sj_style_color color = s->border_color[side];
  return shade(color.kind == SJ_COLOR_CURRENT ? s->svg.color : color.color, s->border[side], side);
}

// Finds the corners' radii, made smaller where they would meet (CSS Backgrounds 3, 4.5).
static void find_radii(const sj_html_box *box, sj_unit64 width, sj_unit64 height, bool cut_left, bool cut_right,
                       frame_box *out) {
  sj_unit64 least = sj_html_least(width, height);
  float factor = 1.0f, w = out->x1 - out->x0, y = out->y1 - out->y0;
  for (int i = 0; i < 4; i++) {
    bool cut = i == 0 || i == 3 ? cut_left : cut_right;
    out->radius[i] = cut ? 0.0f : sj_html_pixels(sj_html_most(0, sj_html_resolve(&box->style->radius[i], least)));
  }
  for (int i = 0; i < 4; i++) {
    float sum = out->radius[i] + out->radius[(i + 1) % 4], side = i % 2 ? y : w;
    if (sum > side && side / sum < factor) factor = side / sum;
  }
  for (int i = 0; i < 4; i++) out->radius[i] *= factor;
}

static frame_box inner_of(const frame_box *b, const float width[4]) {
  frame_box in = {
      b->x0 + width[SJ_LEFT], b->y0 + width[SJ_TOP], b->x1 - width[SJ_RIGHT], b->y1 - width[SJ_BOTTOM], {0}};
  for (int i = 0; i < 4; i++) in.radius[i] = fmaxf(0.0f, b->radius[i] - fmaxf(width[i], width[(i + 3) % 4]));
  return in;
}

// Adds one side of a border, as a trapezoid.
static void add_side(stijl_path *path, const frame_box *b, const frame_box *in, int side) {
  const float x[4] = {b->x0, b->x1, b->x1, b->x0}, y[4] = {b->y0, b->y0, b->y1, b->y1};
  const float ix[4] = {in->x0, in->x1, in->x1, in->x0}, iy[4] = {in->y0, in->y0, in->y1, in->y1};
  int next = (side + 1) % 4;
  stijl_path_move_to(path, x[side], y[side]);
  stijl_path_line_to(path, x[next], y[next]);
  stijl_path_line_to(path, ix[next], iy[next]);
  stijl_path_line_to(path, ix[side], iy[side]);
  stijl_path_close(path);
}

// Finds how many dashes a line has, and how long they and the gaps are: as in browsers the gaps are as near to what
// they should be as can be, and a line too short for two dashes is one.
static float divide_line(float length, float *dash, float *gap) {
  float two = 2.0f * *dash + *gap;
  if (length <= 2.0f * *dash) {
    *dash = length;
    return 1.0f;
  }
  if (length <= two) {
    *dash *= length / two;
    *gap *= length / two;
    return 2.0f;
  }
  float count = floorf((length + *gap) / (*dash + *gap));
  float wide = (length - count * *dash) / (count - 1.0f), narrow = (length - (count + 1.0f) * *dash) / count;
  bool fewer = narrow <= 0.0f || fabsf(wide - *gap) < fabsf(narrow - *gap);
  *gap = fewer ? wide : narrow;
  return fminf(fewer ? count : count + 1.0f, 100000.0f);
}

// Adds dashes along a side; dots are round.
static void add_dashes(sj_html *h, stijl_path *path, const frame_box *b, int side, float width, bool dots) {
  bool across = side == SJ_TOP || side == SJ_BOTTOM;
  float length = across ? b->x1 - b->x0 : b->y1 - b->y0;
  float dash = dots            ? width
               : width >= 3.0f ? 2.0f * width
                               : 3.0f * width,
        gap = dots || width >= 3.0f ? width : 2.0f * width;
  if (!(width > 0.0f) || !(length > 0.0f)) return;
  float count = divide_line(length, &dash, &gap);
  if (!sj_resolve_spend(h->r, (uint64_t)count * SJ_WORK_NODE)) return;
  for (float i = 0.0f; i < count; i += 1.0f) {
    float at = i * (dash + gap), end = fminf(length, at + dash);
    float x0 = across ? b->x0 + at : side == SJ_LEFT ? b->x0 : b->x1 - width;
    float y0 = across ? (side == SJ_TOP ? b->y0 : b->y1 - width) : b->y0 + at;
    float w = across ? end - at : width, y = across ? width : end - at;
    if (dots)
      stijl_path_add_ellipse(path, x0 + 0.5f * w, y0 + 0.5f * y, 0.5f * w, 0.5f * y);
    else
      stijl_path_add_rect(path, x0, y0, w, y);
  }
}

static bool is_uniform(const sj_html_box *box, const float width[4]) {
  const sj_html_style *s = box->style;
  for (int i = 1; i < 4; i++) {
    stijl_color a = side_color(s, 0), b = side_color(s, i);
    if (s->border[i] != s->border[0] || width[i] != width[0] || memcmp(&a, &b, sizeof a) != 0) return false;
  }
  return s->border[0] == SJ_BORDER_SOLID || s->border[0] == SJ_BORDER_DOUBLE;
}

static void paint_border(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const frame_box *b,
                         const float width[4], stijl_path *path) {
  const sj_html_style *s = box->style;
  frame_box in = inner_of(b, width);
  if (is_uniform(box, width)) {
    add_frame(path, b);
    add_frame(path, &in);
    if (s->border[0] == SJ_BORDER_DOUBLE && width[0] >= 3.0f) {
      float third = floorf(width[0] / 3.0f + 0.5f), outer[4] = {third, third, third, third};
      float rest = width[0] - third, inner[4] = {rest, rest, rest, rest};
      frame_box first = inner_of(b, outer), second = inner_of(b, inner);
      add_frame(path, &first);
      add_frame(path, &second);
    }
    add_shape(h, box, frame, path, side_color(s, 0));
    return;
  }
  for (int side = 0; side < 4; side++) {
    if (!(width[side] > 0.0f)) continue;
    stijl_path_clear(path);
    bool two = s->border[side] == SJ_BORDER_GROOVE || s->border[side] == SJ_BORDER_RIDGE;
    if (two && width[side] >= 2.0f) {
      // The outer half of a groove is inset, the inner one outset.
      float half[4];
      for (int i = 0; i < 4; i++)
        half[i] = i == SJ_TOP || i == SJ_LEFT ? ceilf(0.5f * width[i]) : floorf(0.5f * width[i]);
      frame_box middle = inner_of(b, half);
      for (int i = 0; i < 2; i++) {
        bool inset = (s->border[side] == SJ_BORDER_GROOVE) == (i == 0);
        stijl_path_clear(path);
        add_side(path, i ? &middle : b, i ? &in : &middle, side);
        add_shape(h, box, frame, path, shade(side_color(s, side), inset ? SJ_BORDER_INSET : SJ_BORDER_OUTSET, side));
      }
      continue;
    }
    if (s->border[side] == SJ_BORDER_DASHED || s->border[side] == SJ_BORDER_DOTTED)
      add_dashes(h, path, b, side, width[side], s->border[side] == SJ_BORDER_DOTTED);
    else
      add_side(path, b, &in, side);
    add_shape(h, box, frame, path, side_color(s, side));
  }
}

static stijl_rect rect_of(const frame_box *b) { return (stijl_rect){b->x0, b->y0, b->x1, b->y1}; }

// Draws the images of a background; `path` is that of the border box.
static void paint_pictures(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const frame_box *b,
                           const float widths[4], const stijl_path *path) {
  float paddings[4];
  for (int i = 0; i < 4; i++) paddings[i] = sj_html_pixels(box->padding[i]);
  frame_box padding = inner_of(b, widths), content = inner_of(&padding, paddings);
  stijl_path *inner[2] = {sj_take_path(h->r), NULL};
  if (inner[0]) inner[1] = sj_take_path(h->r);
  if (inner[1]) {
    add_frame(inner[0], &padding);
    add_frame(inner[1], &content);
    const stijl_rect areas[3] = {rect_of(b), rect_of(&padding), rect_of(&content)};
    const sj_html_shape shapes[3] = {{areas[0], path}, {areas[1], inner[0]}, {areas[2], inner[1]}};
    sj_html_paint_background(h, box, frame, areas, shapes);
  }
  for (int i = 1; i >= 0; i--)
    if (inner[i]) sj_give_path(h->r, inner[i]);
}

void sj_html_paint_frame(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y,
                         sj_unit64 width, sj_unit64 height, bool cut_left, bool cut_right) {
  const sj_html_style *s = box->style;
  stijl_color back = s->svg.background_kind == SJ_COLOR_CURRENT ? s->svg.color : s->svg.background;
  float widths[4], sum = 0.0f;
  for (int i = 0; i < 4; i++) {
    bool cut = (i == SJ_LEFT && cut_left) || (i == SJ_RIGHT && cut_right);
    widths[i] = cut || box->collapsed ? 0.0f : sj_html_pixels(box->border[i]);
    sum += widths[i];
  }
  bool shaded = s->shadow.length && !box->is_anonymous;
  bool pictured = sj_html_has_background(s);
  if (!(back.a > 0.0f) && !(sum > 0.0f) && !shaded && !pictured) return;
  frame_box b = {snap(x), snap(y), snap(x + width), snap(y + height), {0}};
  stijl_path *path = sj_take_path(h->r);
  if (!path) return;
  find_radii(box, width, height, cut_left, cut_right, &b);
  if (back.a > 0.0f || shaded || pictured) add_frame(path, &b);
  if (shaded) sj_html_paint_shadows(h, box, frame, path, false);
  if (back.a > 0.0f) add_shape(h, box, frame, path, back);
  if (pictured) paint_pictures(h, box, frame, &b, widths, path);
  stijl_path_clear(path);
  if (shaded) {
    frame_box in = inner_of(&b, widths);
    add_frame(path, &in);
    sj_html_paint_shadows(h, box, frame, path, true);
    stijl_path_clear(path);
  }
  if (sum > 0.0f) paint_border(h, box, frame, &b, widths, path);
  sj_give_path(h->r, path);
}

// Paints a line of borders that cells share. What is inset is a ridge there, and what is outset a groove (CSS 2,
// 17.6.3).
static void paint_shared_line(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, sj_unit64 x,
                              sj_unit64 y, const sj_html_grid_line *line, stijl_path *path) {
  const sj_html_style *s = line->rule.style;
  int border = (int)s->border[line->rule.side], side = line->is_down ? SJ_LEFT : SJ_TOP;
  sj_style_color color = s->border_color[line->rule.side];
  stijl_color c = color.kind == SJ_COLOR_CURRENT ? s->svg.color : color.color;
  frame_box b = {snap(x + line->box[SJ_LEFT]),
                 snap(y + line->box[SJ_TOP]),
                 snap(x + line->box[SJ_RIGHT]),
                 snap(y + line->box[SJ_BOTTOM]),
                 {0}};
  float width = line->is_down ? b.x1 - b.x0 : b.y1 - b.y0, rest = width;
  bool ridge = border == SJ_BORDER_RIDGE || border == SJ_BORDER_INSET;
  bool two = ridge || border == SJ_BORDER_GROOVE || border == SJ_BORDER_OUTSET;
  stijl_path_clear(path);
  if (border == SJ_BORDER_DASHED || border == SJ_BORDER_DOTTED) {
    add_dashes(h, path, &b, side, width, border == SJ_BORDER_DOTTED);
    add_shape(h, box, frame, path, c);
    return;
  }
  if (border == SJ_BORDER_DOUBLE && width >= 3.0f) rest = floorf(width / 3.0f + 0.5f);
  if (two && width >= 2.0f) rest = ceilf(0.5f * width);
  frame_box first = b, last = b;
  *(line->is_down ? &first.x1 : &first.y1) = (line->is_down ? b.x0 : b.y0) + rest;
  *(line->is_down ? &last.x0 : &last.y0) += two ? rest : width - rest;
  add_frame(path, &first);
  if (two && width >= 2.0f) {
    add_shape(h, box, frame, path, shade(c, ridge ? SJ_BORDER_OUTSET : SJ_BORDER_INSET, side));
    stijl_path_clear(path);
    c = shade(c, ridge ? SJ_BORDER_INSET : SJ_BORDER_OUTSET, side);
  }
  if (rest < width) add_frame(path, &last);
  add_shape(h, box, frame, path, c);
}

static void paint_shared(sj_html *h, uint32_t index, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  sj_html_shared shared = {0};
  stijl_path *path = sj_take_path(h->r);
  if (path && sj_html_table_shared(h, index, &shared)) {
    sj_html_grid_walk walk = {0};
    for (sj_html_grid_line line; sj_html_grid_next(h, &shared.grid, shared.xs.data, shared.ys.data, &walk, &line);)
      paint_shared_line(h, sj_html_at(h, index), frame, x, y, &line, path);
  }
  sj_html_grid_finish(h, &shared.grid);
  sj_array_finish(h->context, &shared.xs);
  sj_array_finish(h->context, &shared.ys);
  if (path) sj_give_path(h->r, path);
}

// --- boxes ---

static bool needs_group(const sj_html_box *box) {
  const sj_style *s = &box->style->svg;
  return !box->is_anonymous && (s->opacity < 1.0f || s->transform.text || s->translate.text || s->rotate.text ||
                                s->scale.text || s->offset_path.text || s->filter.text || s->clip_path.text ||
                                sj_has_mask(s) || s->blend != STIJL_BLEND_NORMAL || s->isolate);
}

static bool has_lines(const sj_html_box *box) {
  return (box->kind == SJ_HTML_BLOCK || box->kind == SJ_HTML_CELL) && !box->has_blocks;
}

// Returns whether a box among blocks is of position: relative, and so drawn by its z-index, behind those in flow where
// it has none.
static bool is_lifted(const sj_html_box *box) {
  return box->style->position == 1 && !box->is_anonymous && box->kind != SJ_HTML_ROW && box->kind != SJ_HTML_CELL;
}

// Paints the disc, circle or square of a list item, as large as browsers draw it.
static void paint_bullet(sj_html *h, const sj_html_box *item, const sj_html_box *marker, const sj_resolve_frame *frame,
                         sj_unit64 x, sj_unit64 y) {
  sj_unit64 ascent = sj_html_font_extent(h, marker->style).above / 64;
  float size = (float)((ascent * 2 / 3 + 1) / 2), offset = (float)(ascent * 2 / 3);
  float content = sj_html_pixels(x + item->border[SJ_LEFT] + item->padding[SJ_LEFT]);
  float base = sj_html_pixels(y + (item->baseline == SJ_HTML_AUTO ? ascent * 64 : item->baseline));
  float left = content - offset - 7.0f, top = base - (float)ascent + (float)(3 * (ascent - ascent * 2 / 3) / 2);
  stijl_path *path = sj_take_path(h->r);
  if (!path) return;
  float half = 0.5f * size;
  if (item->style->in.list == SJ_LIST_SQUARE)
    stijl_path_add_rect(path, left, top, size, size);
  else
    stijl_path_add_ellipse(path, left + half, top + half, half, half);
  if (item->style->in.list == SJ_LIST_CIRCLE && half > 1.0f)
    stijl_path_add_ellipse(path, left + half, top + half, half - 1.0f, half - 1.0f);
  add_shape(h, marker, frame, path, marker->style->svg.color);
  sj_give_path(h->r, path);
}

// Paints a formula that is a block of its own, in the middle.
static void paint_math(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  sj_unit64 room = box->width - sj_html_frame(box, false) - box->natural[0];
  x += box->border[SJ_LEFT] + box->padding[SJ_LEFT] + sj_html_most(0, room / 2);
  if (box->math) sj_math_paint(box->math, frame, sj_html_pixels(x), sj_html_pixels(y + box->baseline));
}

static void paint_children(sj_html *h, uint32_t index, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  const sj_html_box *box = sj_html_at(h, index);
  if (box->marker != SJ_NONE) {
    if (sj_html_at(h, box->marker)->first == SJ_NONE)
      paint_bullet(h, box, sj_html_at(h, box->marker), frame, x, y);
    else
      sj_html_paint(h, box->marker, frame, x, y);
  }
  if (has_lines(box)) {
    sj_html_paint_lines(h, index, frame, x, y);
    return;
  }
  for (uint32_t i = box->first; i != SJ_NONE && sj_resolving(h->r); i = sj_html_at(h, i)->next)
    if (!is_lifted(sj_html_at(h, i))) sj_html_paint(h, i, frame, x, y + box->shift);
  if (box->kind == SJ_HTML_TABLE && box->collapsed && sj_resolving(h->r)) paint_shared(h, index, frame, x, y);
}

static void paint_replaced(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, sj_unit64 x,
                           sj_unit64 y) {
  sj_resolver *r = h->r;
  stijl_rect content =
      sj_html_snapped(x + box->border[SJ_LEFT] + box->padding[SJ_LEFT], y + box->border[SJ_TOP] + box->padding[SJ_TOP],
                      x + box->width - box->border[SJ_RIGHT] - box->padding[SJ_RIGHT],
                      y + box->height - box->border[SJ_BOTTOM] - box->padding[SJ_BOTTOM]);
  bool image = box->kind == SJ_HTML_IMAGE;
  uint32_t node = sj_node_begin(r, image ? SJ_TREE_IMAGE : SJ_TREE_GROUP, frame, box->element);
  if (node == SJ_NONE) return;
  r->job->tree->nodes.data[node].counts = true;
  sj_viewport v = {content.x0, content.y0, content.x1 - content.x0, content.y1 - content.y0};
  if (!image) {
    sj_resolve_in_viewport(r, frame, box->element, &v);
  } else if (!sj_resolve_image(r, frame, box->element, node, &(sj_given_image){content, box->text, box->length})) {
    sj_node_drop(r, node);
    return;
  }
  if (sj_resolving(r)) sj_node_end(r, node);
}

// Makes the node of a box clip what is in it, if that does not fit.
static void clip(sj_html *h, const sj_html_box *box, uint32_t node, sj_unit64 x, sj_unit64 y) {
  sj_tree *tree = h->r->job->tree;
  stijl_rect rect = sj_html_snapped(x + box->border[SJ_LEFT], y + box->border[SJ_TOP],
                                    x + box->width - box->border[SJ_RIGHT], y + box->height - box->border[SJ_BOTTOM]);
  stijl_matrix identity = stijl_matrix_identity();
  if (sj_content_fits(h->r, node + 1, &identity, rect)) return;
  if (box->style->scrolls) sj_html_omit(h, "a scroll bar", NULL, 0);
  tree->nodes.data[node].item = (uint32_t)tree->viewports.count;
  if (!sj_array_push(tree->context, &tree->viewports, (sj_tree_viewport){rect})) sj_resolve_fail_memory(h->r);
}

// Draws the background that a cell has from what is around it.
static void paint_behind(sj_html *h, const sj_html_box *cell, const sj_html_box *of, const sj_html_style *style,
                         const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  if (!style) return;
  sj_html_box behind = *of;
  memset(behind.border, 0, sizeof behind.border);
  behind.style = style;
  behind.is_anonymous = true;  // without its shadows
  sj_html_paint_frame(h, &behind, frame, x, y, cell->width, cell->height, false, false);
}

// Paints what a cell shows of the background of a row or a column, or of a group of them: that of its cells, without
// what is between them.
static void paint_row(sj_html *h, const sj_html_box *cell, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  const sj_html_box *row = sj_html_at(h, cell->parent);
  uint32_t at = 0, column = sj_html_at(h, row->parent)->first_column;
  for (; column != SJ_NONE && sj_resolve_spend(h->r, SJ_WORK_NODE); column = sj_html_at(h, column)->next) {
    const sj_html_box *of = sj_html_at(h, column);
    at += of->number;
    if (at <= cell->column) continue;
    paint_behind(h, cell, of, of->group, frame, x, y);
    paint_behind(h, cell, of, of->style, frame, x, y);
    break;
  }
  paint_behind(h, cell, row, row->group, frame, x, y);
  if (!row->is_anonymous) paint_behind(h, cell, row, row->style, frame, x, y);
}

// A box with a position, when it is drawn, and where the box around it stands.
typedef struct layer {
  int order;
  uint32_t box;
  sj_unit64 x, y;
} layer;

typedef SJ_ARRAY(layer) layers;

static int compare_layers(const void *a, const void *b) {
  const layer *x = a, *y = b;
  return x->order != y->order ? (x->order < y->order ? -1 : 1) : (x->box > y->box) - (x->box < y->box);
}

static void add_layer(sj_html *h, layers *out, uint32_t box, sj_unit64 x, sj_unit64 y) {
  layer each = {sj_html_at(h, box)->style->order, box, x, y};
  if (!sj_array_push(h->context, out, each)) sj_resolve_fail_memory(h->r);
}

// Returns whether a box is drawn with all that is in it, and others before or behind that.
static bool is_whole(const sj_html_box *box) {
  bool own = box->style->hides || box->style->position;
  return box->is_inline_level || needs_group(box) || (own && !box->is_anonymous);
}

// Finds the boxes of position: relative among the blocks in a box; `x` and `y` are its own.
static void find_lifted(sj_html *h, uint32_t index, sj_unit64 x, sj_unit64 y, layers *out) {
  const sj_html_box *box = sj_html_at(h, index);
  if (has_lines(box)) return;
  y += box->shift;
  for (uint32_t i = box->first; i != SJ_NONE && sj_resolve_spend(h->r, SJ_WORK_NODE); i = sj_html_at(h, i)->next) {
    const sj_html_box *child = sj_html_at(h, i);
    if (is_lifted(child))
      add_layer(h, out, i, x, y);
    else if (!is_whole(child))
      find_lifted(h, i, x + child->x, y + child->y, out);
  }
}

// Finds the boxes that are drawn below the content of a box, by their z-index, or above it.
static void find_layers(sj_html *h, uint32_t index, sj_unit64 x, sj_unit64 y, layers *out) {
  for (uint32_t i = sj_html_at(h, index)->first_placed; i != SJ_NONE; i = sj_html_at(h, i)->next)
    add_layer(h, out, i, x, y);
  if (h->lifts && (index == 0 || is_whole(sj_html_at(h, index)))) find_lifted(h, index, x, y, out);
  if (!sj_sort(h->context, out->data, out->count, sizeof *out->data, compare_layers)) sj_resolve_fail_memory(h->r);
}

static void paint_layers(sj_html *h, const layers *all, const sj_resolve_frame *frame, bool below) {
  for (size_t i = 0; i < all->count && sj_resolving(h->r); i++) {
    const layer *each = &all->data[i];
    // Where it stands is known before what is in flow is placed only if that does not matter.
    if ((each->order < 0 && sj_html_at(h, each->box)->anchor == SJ_NONE) != below) continue;
    if (sj_html_at(h, each->box)->style->position > 1) sj_html_layout_placed(h, each->box);
    sj_html_paint(h, each->box, frame, each->x, each->y);
  }
}

static void paint_content(sj_html *h, uint32_t index, const sj_resolve_frame *frame, sj_unit64 x, sj_unit64 y) {
  const sj_html_box *box = sj_html_at(h, index);
  if (box->kind == SJ_HTML_CELL) paint_row(h, box, frame, x, y);
  if (box->kind != SJ_HTML_ROW)
    sj_html_paint_frame(h, box, frame, x, y + box->caption, box->width, box->height - box->caption, false, false);
  if (box->kind == SJ_HTML_IMAGE || box->kind == SJ_HTML_SVG) {
    paint_replaced(h, box, frame, x, y);
    return;
  }
  if (box->kind == SJ_HTML_MATH) {
    paint_math(h, box, frame, x, y);
    return;
  }
  bool clips = box->style->hides && index != 0 && !box->is_anonymous;
  uint32_t node = clips ? sj_node_begin(h->r, SJ_TREE_GROUP, frame, SJ_NONE) : SJ_NONE;
  layers all = {0};
  find_layers(h, index, x, y, &all);
  paint_layers(h, &all, frame, true);
  if (sj_resolving(h->r)) paint_children(h, index, frame, x, y);
  paint_layers(h, &all, frame, false);
  sj_array_finish(h->context, &all);
  if (node == SJ_NONE || !sj_resolving(h->r)) return;
  sj_node_end(h->r, node);
  clip(h, box, node, x, y);
}

void sj_html_paint(sj_html *h, uint32_t index, const sj_resolve_frame *outer, sj_unit64 x, sj_unit64 y) {
  const sj_html_box *box = sj_html_at(h, index);
  sj_resolver *r = h->r;
  const sj_html_style *s = box->style;
  x += box->x;
  y += box->y;
  if (s->position == 1 && !box->is_anonymous) {
    sj_unit64 left = sj_html_resolve(&s->inset[SJ_LEFT], SJ_HTML_AUTO),
              right = sj_html_resolve(&s->inset[SJ_RIGHT], SJ_HTML_AUTO);
    sj_unit64 top = sj_html_resolve(&s->inset[SJ_TOP], SJ_HTML_AUTO),
              bottom = sj_html_resolve(&s->inset[SJ_BOTTOM], SJ_HTML_AUTO);
    x += left != SJ_HTML_AUTO ? left : right != SJ_HTML_AUTO ? -right : 0;
    y += top != SJ_HTML_AUTO ? top : bottom != SJ_HTML_AUTO ? -bottom : 0;
  }
  sj_resolve_frame frame = *outer;
  frame.style = &s->svg;
  frame.copy = s->copy;
  frame.depth++;
  if (!sj_resolve_spend(r, SJ_WORK_NODE)) return;
  if (!needs_group(box)) {
    paint_content(h, index, &frame, x, y);
    return;
  }
  uint32_t node = sj_node_begin(r, SJ_TREE_GROUP, &frame, box->element);
  if (node == SJ_NONE) return;
  stijl_rect reference = {sj_html_pixels(x), sj_html_pixels(y), sj_html_pixels(x + box->width),
                          sj_html_pixels(y + box->height)};
  stijl_matrix matrix;
  bool drawn = sj_own_transform(r, &frame, box->element, SJ_PROPERTY_TRANSFORM, reference, &matrix);
  if (drawn) {
    r->job->tree->nodes.data[node].transform = matrix;
    paint_content(h, index, &frame, x, y);
  }
  if (!drawn || !sj_resolving(r)) {
    sj_node_drop(r, node);
    return;
  }
  sj_node_end(r, node);
  sj_resolve_layer(r, &frame, node, false);
}
