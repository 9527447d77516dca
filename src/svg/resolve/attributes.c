#include "svg/resolve/attributes.h"

#include <math.h>
#include <string.h>

#include "svg/resolve/omit.h"

float sj_frame_axis(const sj_resolve_frame *frame, sj_axis axis) {
  if (axis == SJ_AXIS_X) return frame->width;
  if (axis == SJ_AXIS_Y) return frame->height;
  // The diagonal, normalised (SVG 2, 8.9).
  double w = (double)frame->width, h = (double)frame->height;
  return (float)sqrt((w * w + h * h) * 0.5);
}

float sj_resolve_length(const sj_resolver *r, const sj_resolve_frame *frame, sj_length length, sj_axis axis) {
  sj_length_base base = sj_style_base(&r->styles, frame->style);
  return sj_length_pixels(length, &base, sj_frame_axis(frame, axis));
}

float sj_resolve_computed(const sj_resolve_frame *frame, sj_computed_length length, sj_axis axis) {
  return length.percent == 0.0f ? length.pixels : length.pixels + length.percent * 0.01f * sj_frame_axis(frame, axis);
}

bool sj_length_attribute(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, sj_name name,
                         sj_axis axis, float *out) {
  sj_length length;
  const char *text;
  size_t text_length;
  if (!sj_document_geometry(r->document, frame->copy, element, name, &text, &text_length)) return false;
  if (!sj_parse_length(text, text_length, &length)) {
    sj_omit_value(r, sj_name_text(name), text, text_length);
    return false;
  }
  *out = sj_resolve_length(r, frame, length, axis);
  return true;
}

bool sj_units_are_box(const sj_string *attribute, bool fallback) {
  if (!attribute) return fallback;
  if (strcmp(attribute->text, "objectBoundingBox") == 0) return true;
  if (strcmp(attribute->text, "userSpaceOnUse") == 0) return false;
  return fallback;
}

// --- conditional processing: SVG 2, 5.8 ---

static bool same_letters(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (sj_to_lower(a[i]) != sj_to_lower(b[i])) return false;
  }
  return true;
}

// Returns whether a language tag of the document fits one of the user's: one has to be equal to the other, or to its
// part before a "-" (SVG 2, 5.8.3).
static bool language_fits(const char *user, size_t user_length, const char *tag, size_t tag_length) {
  if (user_length > tag_length) {
    // The document's "en" fits a user's "en-GB".
    return tag_length && same_letters(user, tag, tag_length) && user[tag_length] == '-';
  }
  return user_length && same_letters(user, tag, user_length) && (user_length == tag_length || tag[user_length] == '-');
}

// Takes the next item of a comma-separated list, trimmed. Returns false at the end.
static bool next_item(const char **cursor, const char *end, const char **item, size_t *length) {
  if (*cursor >= end) return false;
  const char *start = *cursor;
  while (*cursor < end && **cursor != ',') ++*cursor;
  const char *stop = *cursor;
  if (*cursor < end) ++*cursor;
  while (start < stop && sj_is_space(*start)) start++;
  while (stop > start && sj_is_space(stop[-1])) stop--;
  *item = start;
  *length = (size_t)(stop - start);
  return true;
}

bool sj_conditions_hold(const sj_resolver *r, uint32_t element) {
  // HTML is the only extension. Every feature is supported, since SVG 2 has no requiredFeatures any more.
  const sj_string *extension = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_REQUIRED_EXTENSIONS);
  if (extension && !sj_is_keyword(extension->text, extension->length, "http://www.w3.org/1999/xhtml")) return false;
  const sj_string *languages = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_SYSTEM_LANGUAGE);
  if (!languages) return true;
  bool fits = false;
  const char *cursor = languages->text, *end = cursor + languages->length, *tag, *user;
  size_t tag_length, user_length;
  while (!fits && next_item(&cursor, end, &tag, &tag_length)) {
    const char *users = r->options->language, *users_end = users + strlen(users);
    while (!fits && next_item(&users, users_end, &user, &user_length)) {
      fits = language_fits(user, user_length, tag, tag_length);
    }
  }
  return fits;
}
