// Lays out boxes: their edges and sizes, and the blocks in block containers (CSS 2, 8.3.1 and 10).
#include <string.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"

void sj_html_edges(sj_html_box *box, sj_unit64 base_width) {
  const sj_html_style *s = box->style;
  sj_unit64 base = base_width == SJ_HTML_AUTO ? 0 : base_width;
  for (int side = 0; side < 4; side++) {
    bool drawn = s->border[side] && s->border[side] != SJ_BORDER_HIDDEN;
    box->border[side] = box->collapsed ? box->shared[side] : drawn ? s->border_width[side] : 0;
    bool padded = !box->collapsed || box->kind != SJ_HTML_TABLE;
    box->padding[side] = padded ? sj_html_most(0, sj_html_resolve(&s->padding[side], base)) : 0;
    sj_unit64 margin = sj_html_resolve(&s->margin[side], base);
    box->margin[side] = margin == SJ_HTML_AUTO ? 0 : margin;
  }
}

sj_unit64 sj_html_frame(const sj_html_box *box, bool vertical) {
  int a = vertical ? SJ_TOP : SJ_LEFT, b = vertical ? SJ_BOTTOM : SJ_RIGHT;
  return box->border[a] + box->border[b] + box->padding[a] + box->padding[b];
}

static sj_unit64 border_size(const sj_html_box *box, bool vertical, const sj_html_length *length, sj_unit64 base) {
  sj_unit64 size = sj_html_resolve(length, base), frame = sj_html_frame(box, vertical);
  if (size == SJ_HTML_AUTO) return size;
  return box->style->border_box ? sj_html_most(size, frame) : size + frame;
}

sj_unit64 sj_html_clamp(const sj_html_box *box, bool vertical, sj_unit64 size, sj_unit64 base) {
  const sj_html_style *s = box->style;
  sj_unit64 most = border_size(box, vertical, vertical ? &s->max_height : &s->max_width, base);
  sj_unit64 least = border_size(box, vertical, vertical ? &s->min_height : &s->min_width, base);
  if (most != SJ_HTML_AUTO) size = sj_html_least(size, most);
  if (least != SJ_HTML_AUTO) size = sj_html_most(size, least);
  return sj_html_most(size, sj_html_frame(box, vertical));
}

sj_unit64 sj_html_given(const sj_html_box *box, bool vertical, sj_unit64 base) {
  return border_size(box, vertical, vertical ? &box->style->height : &box->style->width, base);
}

// --- replaced elements: CSS 2, 10.3.2 and 10.6.2 ---

static void layout_replaced(sj_html_box *box, const sj_html_space *space) {
  sj_unit64 frame_x = sj_html_frame(box, false), frame_y = sj_html_frame(box, true);
  sj_unit64 width = space->width, height = space->height;
  if (width == SJ_HTML_AUTO) width = sj_html_given(box, false, space->base_width);
  if (height == SJ_HTML_AUTO) height = sj_html_given(box, true, space->base_height);
  double ratio = box->natural[1] > 0 ? (double)box->natural[0] / (double)box->natural[1] : 0.0;
  bool no_width = width == SJ_HTML_AUTO, no_height = height == SJ_HTML_AUTO;
  if (no_width) {
    sj_unit64 content = box->natural[0];
    if (!no_height && ratio > 0.0) content = sj_html_from_pixels((double)(height - frame_y) * ratio / 64.0);
    width = content + frame_x;
  }
  width = sj_html_clamp(box, false, width, space->base_width);
  if (no_height) {
    sj_unit64 content = box->natural[1];
    if (ratio > 0.0) content = sj_html_from_pixels((double)(width - frame_x) / ratio / 64.0);
    height = content + frame_y;
  }
  sj_unit64 clamped = sj_html_clamp(box, true, height, space->base_height);
  if (no_width && clamped != height && ratio > 0.0)
    width = sj_html_clamp(box, false, sj_html_from_pixels((double)(clamped - frame_y) * ratio / 64.0) + frame_x,
                          space->base_width);
  box->width = width;
  box->height = clamped;
}

// --- formulas ---

static void layout_math(sj_html_box *box, const sj_html_space *space) {
  sj_unit64 top = box->border[SJ_TOP] + box->padding[SJ_TOP];
  box->width = space->width == SJ_HTML_AUTO ? box->natural[0] + sj_html_frame(box, false) : space->width;
  box->height = space->height == SJ_HTML_AUTO ? box->natural[1] + sj_html_frame(box, true) : space->height;
  box->baseline = box->last_baseline = top + box->ascent;
}

// --- block containers ---

// Adds a margin to those that collapse with each other.
static void join(sj_unit64 strut[2], sj_unit64 margin) {
  if (margin > strut[0]) strut[0] = margin;
  if (margin < strut[1]) strut[1] = margin;
}

static void join_strut(sj_unit64 strut[2], const sj_unit64 other[2]) {
  join(strut, other[0]);
  join(strut, other[1]);
}

static bool is_auto(const sj_html_length *length) { return length->kind != SJ_SIZE_LENGTH; }

// Returns the width of a block in flow: all there is, unless something says otherwise.
static sj_unit64 block_width(sj_html *h, uint32_t index, sj_unit64 available) {
  sj_html_box *box = sj_html_at(h, index);
  sj_unit64 width = sj_html_given(box, false, available);
  sj_unit64 room = sj_html_most(0, available - box->margin[SJ_LEFT] - box->margin[SJ_RIGHT]);
  sj_html_size kind = box->style->width.kind;
  bool shrinks = box->kind == SJ_HTML_TABLE || kind > SJ_SIZE_LENGTH;
  if (width == SJ_HTML_AUTO && shrinks) {
    sj_unit64 least, most;
    sj_html_sizes(h, index, &least, &most);
    least = box->least, most = box->most;
    width = kind == SJ_SIZE_MIN_CONTENT   ? least
            : kind == SJ_SIZE_MAX_CONTENT ? most
                                          : sj_html_least(sj_html_most(least, room), most);
  }
  if (width == SJ_HTML_AUTO) width = room;
  return sj_html_clamp(box, false, width, available);
}

// Places a block at its left or right edge, or in the middle, as its margins or the alignment of the container say.
static void place_block(const sj_html_box *container, sj_html_box *box, sj_unit64 left, sj_unit64 available) {
  const sj_html_style *s = box->style;
  sj_unit64 rest = available - box->width - box->margin[SJ_LEFT] - box->margin[SJ_RIGHT];
  bool auto_left = is_auto(&s->margin[SJ_LEFT]), auto_right = is_auto(&s->margin[SJ_RIGHT]);
  sj_unit64 shift = 0;
  if (rest > 0) {
    if (auto_left)
      shift = auto_right ? rest / 2 : rest;
    else if (!auto_right && container->style->in.text_align == SJ_TEXT_BLOCK_CENTER)
      shift = rest / 2;
    else if (!auto_right && container->style->svg.font.right_to_left)
      shift = rest;
  }
  box->x = left + box->margin[SJ_LEFT] + shift;
}

// Lays out the blocks of a container, from its content's corner on. *end becomes where they end, without the last
// margin, which goes to `bottom`. `open_top` tells that the first margin is the container's own.
static void layout_blocks(sj_html *h, uint32_t index, sj_unit64 width, sj_unit64 base_height, bool open_top,
                          sj_unit64 *end, sj_unit64 bottom[2]) {
  sj_html_box *box = sj_html_at(h, index);
  sj_unit64 left = box->border[SJ_LEFT] + box->padding[SJ_LEFT], top = box->border[SJ_TOP] + box->padding[SJ_TOP];
  sj_unit64 y = top, strut[2] = {0, 0};
  bool at_top = open_top;
  for (uint32_t i = box->first; i != SJ_NONE && sj_resolve_spend(h->r, SJ_WORK_NODE); i = sj_html_at(h, i)->next) {
    sj_html_box *child = sj_html_at(h, i);
    sj_html_edges(child, width);
    sj_html_space space = {width, base_height, SJ_HTML_AUTO, SJ_HTML_AUTO};
    bool replaced = child->kind == SJ_HTML_IMAGE || child->kind == SJ_HTML_SVG;
    if (!replaced) space.width = block_width(h, i, width);
    sj_html_layout(h, i, &space);
    join_strut(strut, child->strut[0]);
    place_block(box, child, left, width);
    if (child->collapses) {
      child->y = y + strut[0] + strut[1];
      continue;
    }
    if (at_top) {
      memcpy(box->strut[0], strut, sizeof strut);
      at_top = false;
    } else {
      y += strut[0] + strut[1];
    }
    child->y = y;
    if (box->baseline == SJ_HTML_AUTO && child->baseline != SJ_HTML_AUTO) box->baseline = y + child->baseline;
    if (child->last_baseline != SJ_HTML_AUTO) box->last_baseline = y + child->last_baseline;
    y += child->height;
    memcpy(strut, child->strut[1], sizeof strut);
  }
  *end = y;
  if (at_top) memcpy(box->strut[0], strut, sizeof strut);
  bottom[0] = at_top ? 0 : strut[0];
  bottom[1] = at_top ? 0 : strut[1];
  box->collapses = at_top;
}

static void layout_lines(sj_html *h, uint32_t index, sj_unit64 width, sj_unit64 base_height, sj_unit64 *end) {
  sj_html_box *box = sj_html_at(h, index);
  sj_unit64 top = box->border[SJ_TOP] + box->padding[SJ_TOP];
  *end = top;
  if (box->first == SJ_NONE) return;
  *end += sj_html_make_lines(h, index, width, base_height);
  const sj_html_flow *flow = box->flow;
  if (!flow || !flow->lines.count) return;
  box->baseline = top + flow->lines.data[0].y + flow->lines.data[0].baseline;
  const sj_html_line *last = &flow->lines.data[flow->lines.count - 1];
  box->last_baseline = top + last->y + last->baseline;
}

// Lays out the marker of a list item, which stands before its first line.
static void layout_marker(sj_html *h, uint32_t item) {
  sj_html_box *box = sj_html_at(h, item), *marker = sj_html_at(h, box->marker);
  sj_unit64 least, most;
  sj_html_edges(marker, 0);
  sj_html_sizes(h, box->marker, &least, &most);
  sj_html_layout(h, box->marker, &(sj_html_space){0, SJ_HTML_AUTO, most, SJ_HTML_AUTO});
  sj_unit64 content = box->border[SJ_LEFT] + box->padding[SJ_LEFT];
  marker->x = content - marker->width;
  marker->y = box->border[SJ_TOP] + box->padding[SJ_TOP];
  if (box->baseline != SJ_HTML_AUTO && marker->baseline != SJ_HTML_AUTO) marker->y = box->baseline - marker->baseline;
}

static void layout_container(sj_html *h, uint32_t index, const sj_html_space *space) {
  sj_html_box *box = sj_html_at(h, index);
  sj_unit64 width = sj_html_most(0, box->width - sj_html_frame(box, false)), end, bottom[2] = {0, 0};
  sj_unit64 given = space->height;
  if (given == SJ_HTML_AUTO && box->kind != SJ_HTML_CELL) given = sj_html_given(box, true, space->base_height);
  bool has_height = given != SJ_HTML_AUTO;
  sj_unit64 inner =
      has_height ? sj_html_most(0, sj_html_clamp(box, true, given, space->base_height) - sj_html_frame(box, true))
                 : SJ_HTML_AUTO;
  bool open_top = !box->is_root && !box->border[SJ_TOP] && !box->padding[SJ_TOP];
  bool open_bottom = !box->is_root && !box->border[SJ_BOTTOM] && !box->padding[SJ_BOTTOM] && !has_height;
  box->baseline = box->last_baseline = SJ_HTML_AUTO;
  memset(box->strut, 0, sizeof box->strut);
  box->collapses = false;
  if (box->has_blocks) {
    layout_blocks(h, index, width, inner, open_top, &end, bottom);
  } else {
    layout_lines(h, index, width, inner, &end);
    box->collapses = box->baseline == SJ_HTML_AUTO;
  }
  sj_unit64 frame_bottom = box->border[SJ_BOTTOM] + box->padding[SJ_BOTTOM];
  if (!open_bottom) end += bottom[0] + bottom[1];
  sj_unit64 height = sj_html_clamp(box, true, has_height ? given : end + frame_bottom, space->base_height);
  if (space->height != SJ_HTML_AUTO) height = space->height;
  box->height = height;
  box->collapses = box->collapses && open_top && open_bottom && height == 0 && box->marker == SJ_NONE;
  if (open_bottom) memcpy(box->strut[1], bottom, sizeof bottom);
  if (!open_top) memset(box->strut[0], 0, sizeof box->strut[0]);
  join(box->strut[0], box->margin[SJ_TOP]);
  join(box->strut[box->collapses ? 0 : 1], box->margin[SJ_BOTTOM]);
  if (box->marker != SJ_NONE) layout_marker(h, index);
}

static void set_margins(sj_html_box *box) {
  memset(box->strut, 0, sizeof box->strut);
  join(box->strut[0], box->margin[SJ_TOP]);
  join(box->strut[1], box->margin[SJ_BOTTOM]);
  box->collapses = false;
}

sj_unit64 sj_html_height_base(const sj_html_box *box, sj_unit64 base_height) {
  const sj_html_style *s = box->style;
  bool any = s->height.percent != 0.0f || s->min_height.percent != 0.0f || s->max_height.percent != 0.0f ||
             s->basis.percent != 0.0f;
  return any ? base_height : SJ_HTML_AUTO;
}

void sj_html_layout(sj_html *h, uint32_t index, const sj_html_space *space) {
  sj_html_box *box = sj_html_at(h, index);
  if (!sj_resolve_spend(h->r, SJ_WORK_ELEMENT)) return;
  // Boxes around may ask for the same again, which would take long where they are nested deeply.
  sj_unit64 base_height = sj_html_height_base(box, space->base_height);
  if (box->is_laid_out && box->for_width == space->width && box->for_height == space->height &&
      box->for_base == base_height && box->for_own == space->base_width)
    return;
  box->is_laid_out = true;
  box->for_width = space->width;
  box->for_height = space->height;
  box->for_base = base_height;
  box->for_own = space->base_width;
  sj_html_edges(box, space->base_width);
  switch ((sj_html_kind)box->kind) {
    case SJ_HTML_IMAGE:
    case SJ_HTML_SVG:
      layout_replaced(box, space);
      box->baseline = box->last_baseline = SJ_HTML_AUTO;
      set_margins(box);
      break;
    case SJ_HTML_MATH:
      layout_math(box, space);
      set_margins(box);
      break;
    case SJ_HTML_FLEX_BOX:
      box->width = space->width;
      sj_html_layout_flex(h, index, space, space->width);
      set_margins(box);
      break;
    case SJ_HTML_TABLE:
      box->width = space->width;
      sj_html_layout_table(h, index, space);
      set_margins(box);
      break;
    default:
      box->width = space->width;
      layout_container(h, index, space);
      break;
  }
}
