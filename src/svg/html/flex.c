// Lays out flex containers (CSS Flexbox 1, 9).
#include <string.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"

typedef struct item {
  uint32_t box;
  sj_unit64 base, least, main, cross;  // of the border box
  sj_unit64 margins[2];                // along the main axis and across
  sj_unit64 baseline;
  bool frozen;
} item;

typedef struct flex {
  sj_html *h;
  uint32_t box;
  bool column;
  sj_unit64 width, height;  // of the content box; the height may be SJ_HTML_AUTO
  sj_unit64 gap, cross_gap;
  SJ_ARRAY(item) items;
} flex;

static bool is_auto(const sj_html_length *length) { return length->kind != SJ_SIZE_LENGTH; }

// Returns the side where an axis begins; the second function returns the other one.
static int start_side(bool vertical) { return vertical ? SJ_TOP : SJ_LEFT; }
static int end_side(bool vertical) { return vertical ? SJ_BOTTOM : SJ_RIGHT; }

static int align_of(const flex *f, const item *it) {
  int own = sj_html_at(f->h, it->box)->style->align_self;
  if (!own) own = sj_html_at(f->h, f->box)->style->align_items;
  return own ? own : SJ_ALIGN_STRETCH;
}

// Returns the width of an item in a column: all there is if it is stretched, else what its content needs.
static sj_unit64 width_in_column(const flex *f, const item *it) {
  sj_html_box *box = sj_html_at(f->h, it->box);
  const sj_html_style *s = box->style;
  sj_unit64 room = sj_html_most(0, f->width - it->margins[1]), width = sj_html_given(box, false, f->width);
  bool stretches = (align_of(f, it) & ~SJ_ALIGN_SAFE) == SJ_ALIGN_STRETCH && !is_auto(&s->margin[SJ_LEFT]) &&
                   !is_auto(&s->margin[SJ_RIGHT]);
  if (width == SJ_HTML_AUTO && stretches && s->width.kind == SJ_SIZE_AUTO) width = room;
  if (width == SJ_HTML_AUTO) {
    sj_unit64 least, most;
    sj_html_sizes(f->h, it->box, &least, &most);
    width = sj_html_least(sj_html_most(box->least, room), box->most);
  }
  return sj_html_clamp(box, false, width, f->width);
}

static void lay_out(const flex *f, const item *it, sj_unit64 width, sj_unit64 height) {
  sj_html_layout(f->h, it->box, &(sj_html_space){f->width, f->height, width, height});
}

// Finds how high an item gets at a width, and where its baseline is then. Layouts of containers within containers ask
// for it many times.
static void measure(const flex *f, const item *it, sj_unit64 width, sj_unit64 *height, sj_unit64 *baseline) {
  sj_html_box *box = sj_html_at(f->h, it->box);
  sj_unit64 base = sj_html_height_base(box, f->height);
  if (!box->is_measured || box->at_width != width || box->at_base[0] != f->width || box->at_base[1] != base) {
    lay_out(f, it, width, SJ_HTML_AUTO);
    box->is_measured = true;
    box->at_width = width;
    box->at_base[0] = f->width;
    box->at_base[1] = base;
    box->auto_height = box->height;
    box->auto_baseline = box->baseline;
  }
  *height = box->auto_height;
  *baseline = box->auto_baseline;
}

// Finds the item's size along the main axis before it grows or shrinks, and the least that it shrinks to.
static void find_base(flex *f, item *it) {
  sj_html_box *box = sj_html_at(f->h, it->box);
  const sj_html_style *s = box->style;
  sj_html_edges(box, f->width);
  it->margins[!f->column] = box->margin[SJ_TOP] + box->margin[SJ_BOTTOM];
  it->margins[f->column] = box->margin[SJ_LEFT] + box->margin[SJ_RIGHT];
  sj_unit64 base = sj_html_resolve(&s->basis, f->column ? f->height : f->width), content, least;
  if (base != SJ_HTML_AUTO && !s->border_box) base += sj_html_frame(box, f->column);
  if (base == SJ_HTML_AUTO) base = sj_html_given(box, f->column, f->column ? f->height : f->width);
  sj_unit64 given = sj_html_given(box, f->column, f->column ? f->height : f->width);
  if (f->column) {
    bool replaced = box->kind == SJ_HTML_IMAGE || box->kind == SJ_HTML_SVG;
    sj_unit64 unused;
    measure(f, it, replaced ? SJ_HTML_AUTO : width_in_column(f, it), &content, &unused);
    least = content;
  } else {
    sj_unit64 all_least, all_most;
    sj_html_sizes(f->h, it->box, &all_least, &all_most);
    content = box->most;
    least = given == SJ_HTML_AUTO ? box->least : box->content_least;
  }
  if (base == SJ_HTML_AUTO) base = content;
  if (given != SJ_HTML_AUTO) least = sj_html_least(least, given);
  it->least = s->hides ? sj_html_frame(box, f->column) : least;
  it->base = sj_html_most(base, sj_html_frame(box, f->column));
}

static sj_unit64 clamp_main(const flex *f, const item *it, sj_unit64 size) {
  const sj_html_box *box = sj_html_at(f->h, it->box);
  const sj_html_length *least = f->column ? &box->style->min_height : &box->style->min_width;
  if (is_auto(least)) size = sj_html_most(size, it->least);
  return sj_html_clamp(box, f->column, size, f->column ? f->height : f->width);
}

// Grows or shrinks the items of a line to the space along it (9.7).
static void resolve_line(flex *f, item *items, size_t count, sj_unit64 space) {
  sj_unit64 used = count ? f->gap * (sj_unit64)(count - 1) : 0;
  for (size_t i = 0; i < count; i++) {
    items[i].main = clamp_main(f, &items[i], items[i].base);
    used += items[i].main + items[i].margins[0];
    items[i].frozen = false;
  }
  if (space == SJ_HTML_AUTO) return;
  bool grows = used < space;
  for (size_t round = 0; round < count && sj_resolve_spend(f->h->r, SJ_WORK_NODE * count); round++) {
    sj_unit64 rest = space - f->gap * (sj_unit64)(count - 1);
    double factors = 0.0;
    for (size_t i = 0; i < count; i++) {
      const sj_html_style *s = sj_html_at(f->h, items[i].box)->style;
      rest -= (items[i].frozen ? items[i].main : items[i].base) + items[i].margins[0];
      if (!items[i].frozen) factors += grows ? (double)s->grow : (double)s->shrink * (double)items[i].base;
    }
    if (!(factors > 0.0)) return;
    double share = (double)rest;
    if (grows && factors < 1.0) share *= factors;
    bool violated = false;
    sj_unit64 violation = 0;
    for (size_t i = 0; i < count; i++) {
      const sj_html_style *s = sj_html_at(f->h, items[i].box)->style;
      if (items[i].frozen) continue;
      double factor = (grows ? (double)s->grow : (double)s->shrink * (double)items[i].base) / factors;
      sj_unit64 wanted = items[i].base + (sj_unit64)(share * factor);
      items[i].main = clamp_main(f, &items[i], wanted);
      violation += items[i].main - wanted;
      violated |= items[i].main != wanted;
    }
    if (!violated) return;
    // Items whose limits were met are frozen, and the others share what is left.
    for (size_t i = 0; i < count; i++) {
      const sj_html_style *s = sj_html_at(f->h, items[i].box)->style;
      if (items[i].frozen) continue;
      double factor = (grows ? (double)s->grow : (double)s->shrink * (double)items[i].base) / factors;
      sj_unit64 wanted = items[i].base + (sj_unit64)(share * factor);
      if (violation == 0 || (violation > 0 && items[i].main > wanted) || (violation < 0 && items[i].main < wanted))
        items[i].frozen = true;
    }
  }
}

// Finds how the space that is left along an axis is spread: before the first of `count`, and between two.
static void spread(int align, sj_unit64 rest, size_t count, bool reverse, sj_unit64 *before, sj_unit64 *between) {
  bool safe = align & SJ_ALIGN_SAFE;
  sj_unit64 n = (sj_unit64)count;
  align &= ~SJ_ALIGN_SAFE;
  *before = *between = 0;
  bool shares = align == SJ_ALIGN_BETWEEN || align == SJ_ALIGN_AROUND || align == SJ_ALIGN_EVENLY;
  if (reverse && (align <= SJ_ALIGN_STRETCH || align == SJ_ALIGN_FLEX_START))
    align = SJ_ALIGN_END;
  else if (reverse && align == SJ_ALIGN_FLEX_END)
    align = SJ_ALIGN_START;
  if (rest < 0 && (safe || shares)) return;
  switch (align) {
    case SJ_ALIGN_CENTER: *before = rest / 2; break;
    case SJ_ALIGN_END:
    case SJ_ALIGN_FLEX_END: *before = rest; break;
    case SJ_ALIGN_BETWEEN: *between = n > 1 ? rest / (n - 1) : 0; break;
    case SJ_ALIGN_AROUND:
      *between = rest / n;
      *before = *between / 2;
      break;
    case SJ_ALIGN_EVENLY: *before = *between = rest / (n + 1); break;
    default: break;
  }
}

// Places the items of a line along the main axis.
static void place_main(flex *f, item *items, size_t count, sj_unit64 space) {
  const sj_html_box *box = sj_html_at(f->h, f->box);
  const sj_html_style *s = box->style;
  int start = start_side(f->column), end = end_side(f->column);
  sj_unit64 rest = space - f->gap * (sj_unit64)(count - 1), before, between;
  sj_unit64 autos = 0;
  for (size_t i = 0; i < count; i++) {
    const sj_html_style *of = sj_html_at(f->h, items[i].box)->style;
    rest -= items[i].main + items[i].margins[0];
    autos += is_auto(&of->margin[start]) + is_auto(&of->margin[end]);
  }
  sj_unit64 each = autos && rest > 0 ? rest / autos : 0;
  bool reverse = s->reverse != (!f->column && s->svg.font.right_to_left);
  spread(s->justify, autos && rest > 0 ? 0 : rest, count, reverse, &before, &between);
  sj_unit64 at = box->border[start] + box->padding[start] + before;
  for (size_t n = 0; n < count; n++) {
    sj_html_box *of = sj_html_at(f->h, items[reverse ? count - 1 - n : n].box);
    const item *it = &items[reverse ? count - 1 - n : n];
    at += of->margin[start] + (is_auto(&of->style->margin[start]) ? each : 0);
    *(f->column ? &of->y : &of->x) = at;
    at += it->main + of->margin[end] + (is_auto(&of->style->margin[end]) ? each : 0) + f->gap + between;
  }
}

static bool is_replaced(const sj_html_box *box) { return box->kind == SJ_HTML_IMAGE || box->kind == SJ_HTML_SVG; }

// Finds how large the items of a line are across it, and returns the size that they need. *ascent is that of their
// common baseline.
static sj_unit64 find_cross(flex *f, item *items, size_t count, sj_unit64 *ascent) {
  sj_unit64 most = 0, above = 0, below = 0;
  for (size_t i = 0; i < count && sj_resolving(f->h->r); i++) {
    item *it = &items[i];
    sj_html_box *box = sj_html_at(f->h, it->box);
    it->baseline = SJ_HTML_AUTO;
    if (!f->column) {
      measure(f, it, it->main, &it->cross, &it->baseline);
    } else if (is_replaced(box)) {
      lay_out(f, it, SJ_HTML_AUTO, it->main);
      it->cross = box->width;
    } else {
      it->cross = width_in_column(f, it);
    }
    most = sj_html_most(most, it->cross + it->margins[1]);
    if (f->column || (align_of(f, it) & ~SJ_ALIGN_SAFE) != SJ_ALIGN_BASELINE) continue;
    sj_unit64 baseline = box->margin[SJ_TOP] + (it->baseline == SJ_HTML_AUTO ? it->cross : it->baseline);
    above = sj_html_most(above, baseline);
    below = sj_html_most(below, it->cross + it->margins[1] - baseline);
  }
  *ascent = above;
  return sj_html_most(most, above + below);
}

// Places the items of a line across it, where it is `space` wide from `at` on.
static void place_cross(flex *f, item *items, size_t count, sj_unit64 at, sj_unit64 space, sj_unit64 ascent) {
  int start = start_side(!f->column), end = end_side(!f->column);
  for (size_t i = 0; i < count && sj_resolving(f->h->r); i++) {
    item *it = &items[i];
    sj_html_box *box = sj_html_at(f->h, it->box);
    const sj_html_style *s = box->style;
    bool auto_start = is_auto(&s->margin[start]), auto_end = is_auto(&s->margin[end]);
    int align = align_of(f, it);
    bool stretches = (align & ~SJ_ALIGN_SAFE) == SJ_ALIGN_STRETCH && !auto_start && !auto_end;
    sj_unit64 height = SJ_HTML_AUTO;
    if (stretches && !f->column && s->height.kind == SJ_SIZE_AUTO)
      height = it->cross = sj_html_clamp(box, true, space - it->margins[1], f->height);
    if (!f->column)
      lay_out(f, it, it->main, height);
    else
      lay_out(f, it, is_replaced(box) ? SJ_HTML_AUTO : it->cross, it->main);
    sj_unit64 rest = space - it->cross - it->margins[1], before = 0, between;
    spread(align, rest, 1, false, &before, &between);
    if ((align & ~SJ_ALIGN_SAFE) == SJ_ALIGN_BASELINE && !f->column)
      before = ascent - box->margin[SJ_TOP] - (it->baseline == SJ_HTML_AUTO ? it->cross : it->baseline);
    if (rest > 0 && (auto_start || auto_end)) before = auto_start ? (auto_end ? rest / 2 : rest) : 0;
    *(f->column ? &box->x : &box->y) = at + before + box->margin[start];
  }
}

static bool gather(flex *f) {
  for (uint32_t i = sj_html_at(f->h, f->box)->first; i != SJ_NONE; i = sj_html_at(f->h, i)->next) {
    item it = {.box = i};
    if (!sj_resolve_spend(f->h->r, SJ_WORK_NODE)) return false;
    find_base(f, &it);
    if (!sj_resolving(f->h->r)) return false;
    if (!sj_array_push(f->h->context, &f->items, it)) {
      sj_resolve_fail_memory(f->h->r);
      return false;
    }
  }
  return true;
}

static size_t line_end(const flex *f, size_t first, sj_unit64 space) {
  if (!sj_html_at(f->h, f->box)->style->wraps || space == SJ_HTML_AUTO) return f->items.count;
  sj_unit64 used = 0;
  for (size_t i = first; i < f->items.count; i++) {
    used += clamp_main(f, &f->items.data[i], f->items.data[i].base) + f->items.data[i].margins[0];
    if (used > space && i > first) return i;
    used += f->gap;
  }
  return f->items.count;
}

// Lays out all lines, and returns how far they reach along and across. `place`: the container's size is known.
static void lay_out_lines(flex *f, sj_unit64 main, sj_unit64 cross, bool place, sj_unit64 reach[2]) {
  const sj_html_box *box = sj_html_at(f->h, f->box);
  int start = start_side(!f->column);
  sj_unit64 at = box->border[start] + box->padding[start], first_at = at, shift = 0, between = 0;
  if (place && box->style->wraps && cross != SJ_HTML_AUTO && reach[1] < cross) {
    size_t lines = 0;
    for (size_t i = 0; i < f->items.count; i = line_end(f, i, main)) lines++;
    if (lines && (box->style->align_content & ~SJ_ALIGN_SAFE) > SJ_ALIGN_STRETCH)
      spread(box->style->align_content, cross - reach[1], lines, false, &shift, &between);
    else if (lines)
      between = (cross - reach[1]) / (sj_unit64)lines;
  }
  bool stretches = (box->style->align_content & ~SJ_ALIGN_SAFE) <= SJ_ALIGN_STRETCH;
  reach[0] = 0;
  at += shift;
  for (size_t i = 0; i < f->items.count && sj_resolving(f->h->r);) {
    size_t end = line_end(f, i, main), count = end - i;
    sj_unit64 ascent, used = f->gap * (sj_unit64)(count - 1);
    item *items = f->items.data + i;
    resolve_line(f, items, count, main);
    sj_unit64 size = find_cross(f, items, count, &ascent);
    for (size_t n = 0; n < count; n++) used += items[n].main + items[n].margins[0];
    reach[0] = sj_html_most(reach[0], used);
    if (place) {
      if (!box->style->wraps && cross != SJ_HTML_AUTO)
        size = cross;
      else if (stretches)
        size += between;
      place_main(f, items, count, main == SJ_HTML_AUTO ? used : main);
      place_cross(f, items, count, at, size, ascent);
      if (!stretches) at += between;
    }
    at += size + (end < f->items.count ? f->cross_gap : 0);
    i = end;
  }
  reach[1] = at - first_at - shift;
}

void sj_html_layout_flex(sj_html *h, uint32_t index, const sj_html_space *space, sj_unit64 width) {
  sj_html_box *box = sj_html_at(h, index);
  const sj_html_style *s = box->style;
  sj_unit64 frame = sj_html_frame(box, true), given = space->height;
  if (given == SJ_HTML_AUTO) given = sj_html_given(box, true, space->base_height);
  flex f = {.h = h, .box = index, .column = s->column, .height = SJ_HTML_AUTO};
  f.width = sj_html_most(0, width - sj_html_frame(box, false));
  if (given != SJ_HTML_AUTO) f.height = sj_html_most(0, sj_html_clamp(box, true, given, space->base_height) - frame);
  f.gap = sj_html_most(0, sj_html_resolve(&s->gap[f.column ? 0 : 1], f.width));
  f.cross_gap = sj_html_most(0, sj_html_resolve(&s->gap[f.column ? 1 : 0], f.width));
  box->baseline = box->last_baseline = SJ_HTML_AUTO;
  sj_unit64 reach[2] = {0, 0};
  if (gather(&f)) {
    lay_out_lines(&f, f.column ? f.height : f.width, f.column ? f.width : f.height, false, reach);
    sj_unit64 content = f.height;
    if (content == SJ_HTML_AUTO)
      content = sj_html_clamp(box, true, reach[f.column ? 0 : 1] + frame, space->base_height) - frame;
    lay_out_lines(&f, f.column ? content : f.width, f.column ? f.width : content, true, reach);
    box->height = space->height != SJ_HTML_AUTO ? space->height : content + frame;
  }
  for (size_t i = 0; i < f.items.count; i++) {
    const sj_html_box *of = sj_html_at(h, f.items.data[i].box);
    if (of->baseline == SJ_HTML_AUTO) continue;
    if (box->baseline == SJ_HTML_AUTO) box->baseline = of->y + of->baseline;
    box->last_baseline = of->y + of->last_baseline;
  }
  sj_array_finish(h->context, &f.items);
}
