#include "svg/style/mask_layers.h"

#include "svg/style/keyword.h"

#define ALL SJ_PROPERTY_MASK  // as the name of an item: that of the shorthand
#define PART(name) ((name)-SJ_PROPERTY_MASK_CLIP)

static const sj_keyword modes[] = {
    {"match-source", SJ_MASK_MATCH}, {"alpha", SJ_MASK_MODE_ALPHA}, {"luminance", SJ_MASK_MODE_LUMINANCE}, {0}};
static const sj_keyword repeats[] = {{"repeat", SJ_MASK_REPEAT},
                                     {"no-repeat", SJ_MASK_NO_REPEAT},
                                     {"space", SJ_MASK_SPACE},
                                     {"round", SJ_MASK_ROUND},
                                     {0}};
// Elements of SVG have three boxes, so that several names mean one.
static const sj_keyword boxes[] = {{"border-box", SJ_MASK_BORDER_BOX},
                                   {"padding-box", SJ_MASK_FILL_BOX},
                                   {"content-box", SJ_MASK_FILL_BOX},
                                   {"margin-box", SJ_MASK_BORDER_BOX},
                                   {"fill-box", SJ_MASK_FILL_BOX},
                                   {"stroke-box", SJ_MASK_STROKE_BOX},
                                   {"view-box", SJ_MASK_VIEW_BOX},
                                   {"border", SJ_MASK_BORDER_BOX},
                                   {"padding", SJ_MASK_FILL_BOX},
                                   {"content", SJ_MASK_FILL_BOX},
                                   {0}};
// The last ones are those of -webkit-mask-composite.
static const sj_keyword composites[] = {{"add", SJ_MASK_ADD},
                                        {"subtract", SJ_MASK_SUBTRACT},
                                        {"intersect", SJ_MASK_INTERSECT},
                                        {"exclude", SJ_MASK_EXCLUDE},
                                        {"source-over", SJ_MASK_ADD},
                                        {"source-out", SJ_MASK_SUBTRACT},
                                        {"source-in", SJ_MASK_INTERSECT},
                                        {"xor", SJ_MASK_EXCLUDE},
                                        {0}};

static bool keyword(const sj_keyword *table, sj_value_text part, int *out) {
  return sj_parse_keyword(table, part.text, part.length, out);
}

static bool is(sj_value_text part, const char *name) { return sj_is_keyword(part.text, part.length, name); }

sj_mask_layer sj_mask_initial(void) {
  return (sj_mask_layer){.auto_width = true,
                         .auto_height = true,
                         .position = {{{.unit = SJ_UNIT_PERCENT}, false}, {{.unit = SJ_UNIT_PERCENT}, false}}};
}

// --- parts of an item ---

// These read from parts[0..count) and return how many they took, 0 where it is something else.

static int read_image(const sj_value_text *parts, int count, sj_mask_layer *out) {
  const char *url;
  size_t length;
  sj_css_gradient gradient;
  if (count < 1) return 0;
  if (is(parts[0], "none")) {
    out->image = (sj_value_text){0};
    return 1;
  }
  if (!sj_parse_url(parts[0].text, parts[0].length, &url, &length, NULL, NULL) &&
      !sj_parse_css_gradient(parts[0].text, parts[0].length, &gradient))
    return 0;
  out->image = parts[0];
  return 1;
}

static int read_repeat(const sj_value_text *parts, int count, sj_mask_layer *out) {
  if (count < 1) return 0;
  bool x = is(parts[0], "repeat-x");
  if (x || is(parts[0], "repeat-y")) {
    out->repeat_x = x ? SJ_MASK_REPEAT : SJ_MASK_NO_REPEAT;
    out->repeat_y = x ? SJ_MASK_NO_REPEAT : SJ_MASK_REPEAT;
    return 1;
  }
  if (!keyword(repeats, parts[0], &out->repeat_x)) return 0;
  if (count > 1 && keyword(repeats, parts[1], &out->repeat_y)) return 2;
  out->repeat_y = out->repeat_x;
  return 1;
}

static bool read_side(sj_value_text part, bool *is_auto, sj_length *out) {
  *is_auto = is(part, "auto");
  return *is_auto || (sj_parse_length(part.text, part.length, out) && out->value >= 0.0f);
}

static int read_size(const sj_value_text *parts, int count, sj_mask_layer *out) {
  static const sj_keyword fits[] = {{"contain", SJ_MASK_CONTAIN}, {"cover", SJ_MASK_COVER}, {0}};
  if (count < 1) return 0;
  out->fit = SJ_MASK_SIZE_GIVEN;
  if (keyword(fits, parts[0], &out->fit)) return 1;
  if (!read_side(parts[0], &out->auto_width, &out->width)) return 0;
  if (count > 1 && read_side(parts[1], &out->auto_height, &out->height)) return 2;
  out->auto_height = true;
  return 1;
}

// Reads as many parts as belong to a position.
static int read_position(const sj_value_text *parts, int count, sj_mask_layer *out) {
  for (int most = count < 4 ? count : 4; most > 0; most--)
    if (sj_parse_css_position(parts, most, &out->position)) return most;
  return 0;
}

static int read_box(const sj_value_text *parts, int count, bool clips, int *out) {
  if (count < 1) return 0;
  if (clips && is(parts[0], "no-clip")) {
    *out = SJ_MASK_NO_CLIP;
    return 1;
  }
  return keyword(boxes, parts[0], out);
}

int sj_mask_read(sj_name name, const sj_value_text *parts, int count, sj_mask_layer *out) {
  switch (name) {
    case SJ_PROPERTY_MASK_CLIP: return read_box(parts, count, true, &out->clip);
    case SJ_PROPERTY_MASK_COMPOSITE: return count > 0 && keyword(composites, parts[0], &out->composite);
    case SJ_PROPERTY_MASK_IMAGE: return read_image(parts, count, out);
    case SJ_PROPERTY_MASK_MODE: return count > 0 && keyword(modes, parts[0], &out->mode);
    case SJ_PROPERTY_MASK_ORIGIN: return read_box(parts, count, false, &out->origin);
    case SJ_PROPERTY_MASK_POSITION: return read_position(parts, count, out);
    case SJ_PROPERTY_MASK_REPEAT: return read_repeat(parts, count, out);
    default: return read_size(parts, count, out);
  }
}

int sj_mask_read_any(const sj_name *names, unsigned name_count, unsigned *seen, const sj_value_text *parts, int count,
                     sj_mask_layer *out) {
  for (unsigned i = 0; i < name_count; i++) {
    int taken = *seen & 1u << i ? 0 : sj_mask_read(names[i], parts, count, out);
    if (!taken) continue;
    *seen |= 1u << i;
    if (names[i] != SJ_PROPERTY_MASK_POSITION || taken == count || !is(parts[taken], "/")) return taken;
    int size = read_size(parts + taken + 1, count - taken - 1, out);
    return size ? taken + 1 + size : -1;
  }
  return 0;
}

// Reads a layer of the shorthand, in which each thing stands once, in any order.
static bool read_all(const sj_value_text *parts, int count, sj_mask_layer *out) {
  static const sj_name names[] = {SJ_PROPERTY_MASK_IMAGE, SJ_PROPERTY_MASK_POSITION, SJ_PROPERTY_MASK_REPEAT,
                                  SJ_PROPERTY_MASK_COMPOSITE, SJ_PROPERTY_MASK_MODE};
  unsigned seen = 0;
  int box_count = 0, at = 0;
  while (at < count) {
    int box, taken = sj_mask_read_any(names, sizeof names / sizeof *names, &seen, parts + at, count - at, out);
    // The first box is that of both, a second one that of the clip.
    if (!taken && box_count < 2 && read_box(parts + at, count - at, true, &box)) {
      taken = 1;
      if (box_count == 0 && box != SJ_MASK_NO_CLIP) out->origin = box;
      out->clip = box;
      box_count++;
    }
    if (taken <= 0) return false;
    at += taken;
  }
  return count > 0;
}

// --- lists ---

#define MOST_PARTS 16  // of an item; none that is valid has more

// Reads the next item of a list into a layer. Returns false when it is not valid.
static bool next_item(sj_name name, sj_scan *s, sj_mask_layer *out) {
  sj_value_text parts[MOST_PARTS];
  int count = sj_css_next_parts(s, parts, MOST_PARTS);
  if (count > MOST_PARTS) return false;
  if (!sj_scan_char(s, ',') && !sj_scan_done(s)) return false;
  return name == ALL ? read_all(parts, count, out) : count > 0 && sj_mask_read(name, parts, count, out) == count;
}

static bool is_valid(sj_name name, const char *text, size_t length) {
  sj_scan s = {text, text + length};
  sj_mask_layer ignored = sj_mask_initial();
  do {
    if (!next_item(name, &s, &ignored)) return false;
  } while (!sj_scan_done(&s));
  return text[length - 1] != ',';
}

bool sj_mask_apply(sj_name name, const char *text, size_t length, const sj_mask_values *parent, sj_mask_values *out) {
  static const char *const initials[] = {"initial", "unset", "revert", "revert-layer"};
  sj_trim(&text, &length);
  if (!length) return false;
  sj_value_text value = {text, length};
  if (name == ALL) {
    if (!is_valid(ALL, text, length)) return false;
    *out = (sj_mask_values){.all = value};
    return true;
  }
  bool good = sj_is_keyword(text, length, "inherit");
  if (good) value = parent ? parent->parts[PART(name)] : (sj_value_text){0};
  for (size_t i = 0; i < sizeof initials / sizeof *initials; i++) good |= sj_is_keyword(text, length, initials[i]);
  if (!good && !is_valid(name, text, length)) return false;
  out->parts[PART(name)] = value;
  return true;
}

bool sj_mask_only_image(const sj_mask_values *values, sj_value_text *out) {
  sj_value_text image = values->parts[PART(SJ_PROPERTY_MASK_IMAGE)];
  for (int i = 0; i < SJ_MASK_PARTS; i++)
    if (values->parts[i].text && i != PART(SJ_PROPERTY_MASK_IMAGE)) return false;
  *out = image.text ? image : values->all;
  // What else the shorthand says counts beside an image of its longhand.
  return !image.text || !values->all.text;
}

// Gives each layer the value of a longhand, whose list is repeated for as long as there are layers.
static void apply_list(sj_name name, sj_value_text value, sj_mask_list *list) {
  sj_scan s = {value.text, value.text + value.length};
  for (size_t i = 0; i < list->count; i++) {
    if (sj_scan_done(&s)) s.at = value.text;
    sj_mask_layer *layer = &list->data[i];
    // What is valid always reads. The initial value does not, and leaves what is to be initial.
    if (!next_item(name, &s, layer)) return;
  }
}

static void reset(sj_name name, sj_mask_layer *layer) {
  sj_mask_layer initial = sj_mask_initial();
  switch (name) {
    case SJ_PROPERTY_MASK_CLIP: layer->clip = initial.clip; break;
    case SJ_PROPERTY_MASK_COMPOSITE: layer->composite = initial.composite; break;
    case SJ_PROPERTY_MASK_IMAGE: layer->image = initial.image; break;
    case SJ_PROPERTY_MASK_MODE: layer->mode = initial.mode; break;
    case SJ_PROPERTY_MASK_ORIGIN: layer->origin = initial.origin; break;
    case SJ_PROPERTY_MASK_POSITION: layer->position = initial.position; break;
    case SJ_PROPERTY_MASK_REPEAT: layer->repeat_x = layer->repeat_y = initial.repeat_x; break;
    default:
      layer->fit = initial.fit;
      layer->auto_width = layer->auto_height = true;
      break;
  }
}

// Adds a layer for each item of a list that has images.
static bool add_layers(stijl_context *context, sj_name name, sj_value_text value, sj_mask_list *out) {
  sj_scan s = {value.text, value.text + value.length};
  do {
    sj_mask_layer layer = sj_mask_initial();
    if (!next_item(name, &s, &layer)) return true;
    if (!sj_array_push(context, out, layer)) return false;
  } while (!sj_scan_done(&s));
  return true;
}

bool sj_mask_list_make(stijl_context *context, const sj_mask_values *values, sj_mask_list *out) {
  sj_value_text image = values->parts[PART(SJ_PROPERTY_MASK_IMAGE)];
  if (values->all.text && !add_layers(context, ALL, values->all, out)) return false;
  if (image.text) {
    // There are as many layers as images. What the shorthand said of the others is repeated for them.
    sj_mask_list of_images = {0};
    bool good = add_layers(context, SJ_PROPERTY_MASK_IMAGE, image, &of_images);
    for (size_t i = 0; good && i < of_images.count && out->count; i++) {
      sj_value_text own = of_images.data[i].image;
      of_images.data[i] = out->data[i % out->count];
      of_images.data[i].image = own;
    }
    sj_array_finish(context, out);
    *out = of_images;
    if (!good) return false;
  }
  for (int i = 0; i < SJ_MASK_PARTS; i++) {
    sj_name name = (sj_name)(SJ_PROPERTY_MASK_CLIP + i);
    if (!values->parts[i].text || name == SJ_PROPERTY_MASK_IMAGE) continue;
    for (size_t k = 0; k < out->count; k++) reset(name, &out->data[k]);
    apply_list(name, values->parts[i], out);
  }
  return true;
}
