#include "text/color.h"

#include "base/budget.h"
#include "libraries/harfbuzz.h"
#include "text/color_document.h"
#include "text/color_graph.h"

// Returns a table, which the face keeps once it has been asked for.
static sj_colr_table find_table(sj_face *face, hb_blob_t **kept, hb_tag_t tag) {
  pthread_mutex_lock(&face->library->lock);
  bool known = *kept;
  pthread_mutex_unlock(&face->library->lock);
  hb_blob_t *read = known ? NULL : hb_face_reference_table(face->hb_face, tag);
  pthread_mutex_lock(&face->library->lock);
  if (!*kept) {
    *kept = read;
    read = NULL;
  }
  hb_blob_t *blob = *kept;
  pthread_mutex_unlock(&face->library->lock);
  hb_blob_destroy(read);
  unsigned length;
  const char *data = hb_blob_get_data(blob, &length);
  return (sj_colr_table){(const unsigned char *)data, length};
}

bool sj_color_glyph(sj_face *face, stijl_context *context, stijl_context *memory, uint32_t glyph, uint32_t foreground,
                    const sj_palette *palette, sj_color_picture *out) {
  sj_colr tables = {.palettes = find_table(face, &face->cpal, HB_TAG('C', 'P', 'A', 'L')), .foreground = foreground};
  *out = (sj_color_picture){0};
  if (sj_context_check(context, sj_colr_choose(&tables, palette)) &&
      !sj_color_write(face, context, &tables, glyph, &out->document, &out->uses.too_large)) {
    tables.colr = find_table(face, &face->colr, HB_TAG('C', 'O', 'L', 'R'));
    tables.place = hb_font_get_var_coords_normalized(face->hb, &tables.axis_count);
    out->scene = sj_color_graph(face, context, memory, &tables, glyph, &out->uses.too_large);
  }
  out->uses.foreground = tables.met_foreground;
  out->uses.palette = tables.met_palette;
  return out->scene || out->document.count;
}
