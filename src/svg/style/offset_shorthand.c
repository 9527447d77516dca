#include "svg/style/offset_shorthand.h"

#include "svg/parse/values.h"
#include "svg/style/syntax.h"

static bool is_path(sj_span value) {
  return value.length && (value.text[value.length - 1] == ')' || sj_is_keyword(value.text, value.length, "none"));
}

static bool is_rotation(sj_span value) {
  float degrees, number;
  return sj_is_among("auto reverse", value.text, value.length) ||
         (sj_parse_angle(value.text, value.length, &degrees) && !sj_parse_number(value.text, value.length, &number));
}

// Reads what stands before the anchor: a path, and then a distance and a rotation of up to two words.
static bool read_line(sj_span line, sj_span *path, sj_span *distance, sj_span *rotation) {
  sj_span part;
  sj_length length;
  bool turned = false;
  if (!sj_next_part(&line, 0, path) || !is_path(*path)) return false;
  while (sj_next_part(&line, 0, &part)) {
    if (is_rotation(part)) {
      // Its words stand together, so that they are one piece of the text.
      if (turned && rotation->text + rotation->length + 1 < part.text && !sj_is_space(part.text[-1])) return false;
      *rotation = turned ? (sj_span){rotation->text, (size_t)(part.text + part.length - rotation->text)} : part;
      turned = true;
    } else if (sj_parse_length(part.text, part.length, &length)) {
      *distance = part;
    } else {
      return false;
    }
  }
  return true;
}

bool sj_split_offset(sj_span name, sj_span value, bool important, sj_declared out[SJ_OFFSET_PARTS]) {
  static const sj_name names[SJ_OFFSET_PARTS] = {SJ_PROPERTY_OFFSET_PATH, SJ_PROPERTY_OFFSET_DISTANCE,
                                                 SJ_PROPERTY_OFFSET_ROTATE, SJ_PROPERTY_OFFSET_ANCHOR};
  if (!sj_is_keyword(name.text, name.length, "offset")) return false;
  sj_span parts[SJ_OFFSET_PARTS] = {{"none", 4}, {"0px", 3}, {"auto", 4}, {"auto", 4}}, left = value, line, rest;
  sj_trim_space(&value.text, &value.length);
  if (sj_is_wide_keyword(value.text, value.length)) {
    for (int i = 0; i < SJ_OFFSET_PARTS; i++) parts[i] = value;
  } else {
    if (!sj_next_part(&left, '/', &line) || !read_line(line, &parts[0], &parts[1], &parts[2])) return false;
    if (sj_next_part(&left, '/', &parts[3]) && sj_next_part(&left, '/', &rest)) return false;
  }
  for (int i = 0; i < SJ_OFFSET_PARTS; i++)
    out[i] = (sj_declared){
        .name = (uint16_t)names[i], .important = important, .value = parts[i].text, .length = parts[i].length};
  return true;
}
