#include "svg/style/underlying.h"

#include <string.h>

static const struct {
  uint16_t name;
  bool inherited;
  const char *initial;
} values[] = {{SJ_PROPERTY_COLOR, true, "black"},
              {SJ_PROPERTY_FILL, true, "black"},
              {SJ_PROPERTY_FILL_OPACITY, true, "1"},
              {SJ_PROPERTY_FLOOD_COLOR, false, "black"},
              {SJ_PROPERTY_FLOOD_OPACITY, false, "1"},
              {SJ_PROPERTY_LIGHTING_COLOR, false, "white"},
              {SJ_PROPERTY_OFFSET_DISTANCE, false, "0px"},
              {SJ_PROPERTY_OFFSET_PATH, false, "none"},
              {SJ_PROPERTY_OFFSET_ROTATE, false, "auto"},
              {SJ_PROPERTY_OPACITY, false, "1"},
              {SJ_PROPERTY_STOP_COLOR, false, "black"},
              {SJ_PROPERTY_STOP_OPACITY, false, "1"},
              {SJ_PROPERTY_STROKE, true, "none"},
              {SJ_PROPERTY_STROKE_DASHARRAY, true, "none"},
              {SJ_PROPERTY_STROKE_DASHOFFSET, true, "0"},
              {SJ_PROPERTY_STROKE_MITERLIMIT, true, "4"},
              {SJ_PROPERTY_STROKE_OPACITY, true, "1"},
              {SJ_PROPERTY_STROKE_WIDTH, true, "1"},
              {SJ_ATTRIBUTE_CX, false, "0"},
              {SJ_ATTRIBUTE_CY, false, "0"},
              {SJ_ATTRIBUTE_HEIGHT, false, "0"},
              {SJ_ATTRIBUTE_OFFSET, false, "0"},
              {SJ_ATTRIBUTE_R, false, "0"},
              {SJ_ATTRIBUTE_WIDTH, false, "0"},
              {SJ_ATTRIBUTE_X, false, "0"},
              {SJ_ATTRIBUTE_X1, false, "0"},
              {SJ_ATTRIBUTE_Y, false, "0"},
              {SJ_ATTRIBUTE_Y1, false, "0"}};

static sj_span inherited_value(const sj_document *document, uint32_t element, sj_name name) {
  sj_span found = {0};
  for (uint32_t e = element; e != SJ_NO_ELEMENT && !found.text; e = document->dom->parent.data[e]) {
    sj_cascade cascade = sj_cascade_of(document, &document->nodes.data[e]);
    for (const sj_declared *d; (d = sj_cascade_next(&cascade));)
      if (d->name == name) found = (sj_span){d->value, d->length};
  }
  return found;
}

sj_span sj_underlying_value(const sj_document *document, uint32_t element, sj_name name) {
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (values[i].name != name) continue;
    sj_span found = {0};
    if (values[i].inherited) found = inherited_value(document, document->dom->parent.data[element], name);
    return found.text ? found : (sj_span){values[i].initial, strlen(values[i].initial)};
  }
  return (sj_span){0};
}

sj_span sj_underlying_color(const sj_document *document, uint32_t element) {
  sj_span found = inherited_value(document, element, SJ_PROPERTY_COLOR);
  return found.text ? found : (sj_span){"black", 5};
}
