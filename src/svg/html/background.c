// Images and gradients behind boxes (CSS Backgrounds 3, 2).
#include <math.h>
#include <string.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"
#include "svg/resolve/mask_layers.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"
#include "svg/style/keyword.h"
#include "svg/style/mask_layers.h"

// A layer, which has the parts that one of a mask has, and boxes of its own: 0 border, 1 padding, 2 content.
typedef struct layer {
  sj_mask_layer image;
  int origin, clip;
} layer;

#define MAX_PARTS 16  // of a layer; none that is valid has more
#define MAX_TILES 65536.0f

static layer initial(void) { return (layer){.image = sj_mask_initial(), .origin = 1}; }

static bool read_box(sj_value_text part, int *out) {
  static const sj_keyword boxes[] = {{"border-box", 0}, {"padding-box", 1}, {"content-box", 2}, {0}};
  return sj_parse_keyword(boxes, part.text, part.length, out);
}

static bool is_other(sj_value_text part) {
  static const char *const attachments[] = {"scroll", "fixed", "local"};
  static const stijl_color current = {0.0f, 0.0f, 0.0f, 1.0f};
  sj_color_kind kind = SJ_COLOR_RGBA;
  stijl_color color;
  for (size_t i = 0; i < sizeof attachments / sizeof *attachments; i++)
    if (sj_is_keyword(part.text, part.length, attachments[i])) return true;
  return sj_parse_color(part.text, part.length, &current, &kind, &color);
}

// Reads a layer of the shorthand, in which each thing stands once, in any order. What is not of an image is skipped.
static bool read_all(const sj_value_text *parts, int count, layer *out) {
  static const sj_name names[] = {SJ_PROPERTY_MASK_IMAGE, SJ_PROPERTY_MASK_POSITION, SJ_PROPERTY_MASK_REPEAT};
  unsigned seen = 0;
  int boxes = 0, at = 0;
  while (at < count) {
    int box, taken = sj_mask_read_any(names, sizeof names / sizeof *names, &seen, parts + at, count - at, &out->image);
    if (!taken && boxes < 2 && read_box(parts[at], &box)) {
      if (boxes++ == 0) out->origin = box;
      out->clip = box;
      taken = 1;
    }
    if (!taken && is_other(parts[at])) taken = 1;
    if (taken <= 0) return false;
    at += taken;
  }
  return count > 0;
}

// Reads the next item of a list into a layer. Returns false when it is not valid.
static bool next_item(sj_html_background which, sj_scan *s, layer *out) {
  static const sj_name names[SJ_BACKGROUNDS] = {[SJ_BACKGROUND_IMAGE] = SJ_PROPERTY_MASK_IMAGE,
                                                [SJ_BACKGROUND_POSITION] = SJ_PROPERTY_MASK_POSITION,
                                                [SJ_BACKGROUND_SIZE] = SJ_PROPERTY_MASK_SIZE,
                                                [SJ_BACKGROUND_REPEAT] = SJ_PROPERTY_MASK_REPEAT};
  sj_value_text parts[MAX_PARTS];
  int count = sj_css_next_parts(s, parts, MAX_PARTS);
  if (count > MAX_PARTS || (!sj_scan_char(s, ',') && !sj_scan_done(s))) return false;
  switch (which) {
    case SJ_BACKGROUND_ALL: return read_all(parts, count, out);
    case SJ_BACKGROUND_ORIGIN: return count == 1 && read_box(parts[0], &out->origin);
    case SJ_BACKGROUND_CLIP: return count == 1 && read_box(parts[0], &out->clip);
    default: return count > 0 && sj_mask_read(names[which], parts, count, &out->image) == count;
  }
}

bool sj_html_read_background(sj_html_style *style, const sj_html_style *parent, sj_html_background which,
                             sj_value_text value) {
  static const char *const initials[] = {"initial", "unset", "revert", "revert-layer"};
  sj_value_text *all = style->background;
  bool good = sj_is_keyword(value.text, value.length, "inherit");
  if (good) value = parent ? parent->background[which] : (sj_value_text){0};
  for (size_t i = 0; i < sizeof initials / sizeof *initials && !good; i++) {
    good = sj_is_keyword(value.text, value.length, initials[i]);
    if (good) value = (sj_value_text){0};
  }
  sj_scan s = {value.text, value.text + value.length};
  layer ignored = initial();
  while (!good) {
    if (!next_item(which, &s, &ignored)) return false;
    good = sj_scan_done(&s);
  }
  if (which == SJ_BACKGROUND_ALL) memset(all, 0, sizeof style->background);
  // Most are a colour alone.
  if (which == SJ_BACKGROUND_ALL && !memchr(value.text ? value.text : "", '(', value.length))
    value = (sj_value_text){0};
  all[which] = value;
  return true;
}

// Gives a layer the value of a longhand, whose list is repeated for as long as there are layers.
static void apply_item(sj_html *h, sj_html_background which, sj_value_text value, size_t index, layer *out) {
  sj_scan s = {value.text, value.text + value.length};
  for (size_t i = 0; i <= index && sj_resolve_spend(h->r, SJ_WORK_NODE); i++) {
    layer item = *out;
    if (sj_scan_done(&s)) s.at = value.text;
    if (!next_item(which, &s, &item)) return;
    if (i == index) *out = item;
  }
}

// --- drawing ---

// Draws a tile, `x` and `y` further than the first.
static void paint_tile(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const sj_tree_mask_layer *l,
                       float x, float y, const stijl_path *path) {
  sj_resolver *r = h->r;
  sj_tree *tree = r->job->tree;
  if (l->is_image) {
    uint32_t node = sj_node_begin(r, SJ_TREE_IMAGE, frame, SJ_NONE);
    if (node == SJ_NONE) return;
    sj_tree_picture picture = l->picture;
    picture.rect = (stijl_rect){l->tile.x0 + x, l->tile.y0 + y, l->tile.x1 + x, l->tile.y1 + y};
    picture.place = stijl_matrix_multiply(stijl_matrix_translate(x, y), picture.place);
    tree->nodes.data[node].item = (uint32_t)tree->pictures.count;
    tree->nodes.data[node].invisible = box->style->svg.visibility != SJ_VISIBILITY_VISIBLE;
    if (!sj_array_push(tree->context, &tree->pictures, picture)) sj_resolve_fail_memory(r);
    if (sj_resolving(r)) sj_node_end(r, node);
    return;
  }
  uint32_t server = l->server;
  if (x != 0.0f || y != 0.0f) {
    sj_tree_server moved = tree->servers.data[server];
    moved.transform = stijl_matrix_multiply(stijl_matrix_translate(x, y), moved.transform);
    server = (uint32_t)tree->servers.count;
    if (server >= SJ_NONE || !sj_array_push(tree->context, &tree->servers, moved)) {
      sj_resolve_fail_memory(r);
      return;
    }
  }
  float opacity = box->kind == SJ_HTML_INLINE ? box->style->svg.opacity : 1.0f;
  size_t shapes = tree->shapes.count;
  sj_fill_path(r, frame, box->element, &box->style->svg, path, STIJL_FILL_EVENODD,
               (stijl_color){0.0f, 0.0f, 0.0f, 1.0f}, opacity);
  if (tree->shapes.count > shapes)
    tree->shapes.data[shapes].fill = (sj_tree_paint){.kind = SJ_TREE_PAINT_SERVER, .server = server};
}

static float first_of(float at, float step, float from) {
  return step > 0.0f ? floorf((from - at) / step) * step : 0.0f;
}

static float tiles_along(float step, float from, float to) { return step > 0.0f ? (to - from) / step + 2.0f : 1.0f; }

// Draws the tiles that are seen.
static void paint_tiles(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const sj_tree_mask_layer *l,
                        stijl_rect seen, stijl_path *path) {
  float x0 = first_of(l->tile.x0, l->step_x, seen.x0), y = first_of(l->tile.y0, l->step_y, seen.y0);
  if (!(tiles_along(l->step_x, seen.x0, seen.x1) * tiles_along(l->step_y, seen.y0, seen.y1) <= MAX_TILES)) {
    sj_html_omit(h, "a background of very many tiles", NULL, 0);
    return;
  }
  for (;; y += l->step_y) {
    for (float x = x0;; x += l->step_x) {
      if (!sj_resolve_count(h->r, frame->depth) || !sj_resolve_spend(h->r, SJ_WORK_NODE)) return;
      stijl_path_clear(path);
      stijl_path_add_rect(path, l->tile.x0 + x, l->tile.y0 + y, l->tile.x1 - l->tile.x0, l->tile.y1 - l->tile.y0);
      paint_tile(h, box, frame, l, x, y, path);
      if (!(l->step_x > 0.0f) || !(l->tile.x0 + x + l->step_x < seen.x1) || x + l->step_x == x) break;
    }
    if (!(l->step_y > 0.0f) || !(l->tile.y0 + y + l->step_y < seen.y1) || y + l->step_y == y) break;
  }
}

// Makes the node of a layer show what is within a path.
static void clip_to(sj_html *h, uint32_t node, const stijl_path *path) {
  sj_tree *tree = h->r->job->tree;
  uint32_t geometry = sj_add_geometry(h->r, path);
  if (geometry == SJ_NONE) return;
  sj_tree_layer clips = {.mask = SJ_NONE, .filter = SJ_NONE};
  clips.clips.first = (uint32_t)tree->clip_uses.count;
  clips.clips.end = clips.clips.first + 1;
  sj_tree_clip_use use = {.clip = SJ_NONE, .geometry = geometry, .rule = STIJL_FILL_EVENODD};
  if (tree->clip_uses.count + 1 >= SJ_NONE || tree->layers.count >= SJ_NONE ||
      !sj_array_push(tree->context, &tree->clip_uses, use) || !sj_array_push(tree->context, &tree->layers, clips))
    sj_resolve_fail_memory(h->r);
  else
    tree->nodes.data[node].layer = (uint32_t)tree->layers.count - 1;
}

static void paint_layer(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame, const layer *each,
                        const stijl_rect areas[3], const sj_html_shape shapes[3]) {
  stijl_rect area = areas[each->origin];
  const sj_html_shape *shape = &shapes[each->clip];
  sj_tree_mask_layer l;
  stijl_result status = stijl_path_status(shape->path);
  if (status == STIJL_ERROR_INVALID_ARGUMENT || !sj_resolve_check(h->r, status)) return;
  if (stijl_path_is_empty(shape->path) || !(area.x1 > area.x0) || !(area.y1 > area.y0) ||
      !sj_resolve_layer_image(h->r, frame, &each->image, area, &l))
    return;
  bool covers = l.tile.x0 <= shape->rect.x0 && l.tile.y0 <= shape->rect.y0 && l.tile.x1 >= shape->rect.x1 &&
                l.tile.y1 >= shape->rect.y1;
  if (covers && !l.is_image) {
    paint_tile(h, box, frame, &l, 0.0f, 0.0f, shape->path);
    return;
  }
  uint32_t node = sj_node_begin(h->r, SJ_TREE_GROUP, frame, SJ_NONE);
  stijl_path *path = node == SJ_NONE ? NULL : sj_take_path(h->r);
  if (!path) return;
  paint_tiles(h, box, frame, &l, shape->rect, path);
  sj_give_path(h->r, path);
  if (!sj_resolving(h->r)) return;
  sj_node_end(h->r, node);
  clip_to(h, node, shape->path);
}

void sj_html_paint_background(sj_html *h, const sj_html_box *box, const sj_resolve_frame *frame,
                              const stijl_rect areas[3], const sj_html_shape shapes[3]) {
  const sj_value_text *all = box->style->background;
  sj_html_background images = all[SJ_BACKGROUND_IMAGE].length ? SJ_BACKGROUND_IMAGE : SJ_BACKGROUND_ALL;
  SJ_ARRAY(layer) layers = {0};
  sj_scan s = {all[images].text, all[images].text + all[images].length};
  bool good = true;
  while (good && !sj_scan_done(&s)) {
    layer each = initial();
    size_t index = layers.count;
    good = sj_resolve_spend(h->r, SJ_WORK_NODE) && next_item(images, &s, &each);
    sj_value_text image = each.image.image;
    if (images != SJ_BACKGROUND_ALL && all[SJ_BACKGROUND_ALL].length)
      apply_item(h, SJ_BACKGROUND_ALL, all[SJ_BACKGROUND_ALL], index, &each);
    each.image.image = image;
    for (int i = SJ_BACKGROUND_POSITION; good && i < SJ_BACKGROUNDS; i++)
      if (all[i].length) apply_item(h, (sj_html_background)i, all[i], index, &each);
    if (good && !sj_array_push(h->context, &layers, each)) {
      sj_resolve_fail_memory(h->r);
      good = false;
    }
  }
  // The first is on top.
  for (size_t left = layers.count; left > 0 && sj_resolving(h->r); left--)
    paint_layer(h, box, frame, &layers.data[left - 1], areas, shapes);
  sj_array_finish(h->context, &layers);
}
