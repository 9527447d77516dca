#include "panel.h"

#include <stdlib.h>
#include <string.h>

#define FONT_SIZE 14.0f
#define MARGIN 8.0f

struct panel {
  stijl_context *context;
  stijl_fonts *fonts;
  stijl_scene *scene;
  stijl_path *path;
};

static const stijl_color paper = {1, 1, 1, 0.85f}, ink = {0.1f, 0.11f, 0.13f, 1}, bad = {0.7f, 0.1f, 0.1f, 1},
                         accent = {0.1f, 0.34f, 0.77f, 1};

panel *panel_create(stijl_context *context) {
  panel *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->context = context;
  stijl_message message;
  // Without text the panel has boxes and the time line.
  if (stijl_fonts_create(context, NULL, &p->fonts, &message) != STIJL_OK) p->fonts = NULL;
  if (stijl_scene_create(context, NULL, &p->scene) == STIJL_OK && stijl_path_create(context, &p->path) == STIJL_OK)
    return p;
  panel_destroy(p);
  return NULL;
}

void panel_destroy(panel *p) {
  if (!p) return;
  stijl_path_destroy(p->path);
  stijl_scene_destroy(p->scene);
  stijl_fonts_destroy(p->fonts);
  free(p);
}

static void fill(panel *p, float x, float y, float width, float height, stijl_color color) {
  stijl_paint paint = stijl_paint_solid(color);
  stijl_path_clear(p->path);
  stijl_path_add_rect(p->path, x, y, width, height);
  stijl_scene_fill(p->scene, p->path, STIJL_FILL_NONZERO, NULL, &paint);
}

static stijl_text *lay_out(panel *p, const char *line, float width) {
  stijl_text *text = NULL;
  stijl_message message;
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  stijl_text_params params = STIJL_TEXT_PARAMS_INIT;
  style.families = "sans-serif";
  style.font_size = FONT_SIZE;
  params.width = width;
  params.max_lines = 2;
  params.ellipsis = "...";
  if (stijl_text_create(p->context, p->fonts, &text) != STIJL_OK) return NULL;
  if (stijl_text_append(text, line, strlen(line), &style) == STIJL_OK &&
      stijl_text_layout(text, &params, &message) == STIJL_OK)
    return text;
  stijl_text_destroy(text);
  return NULL;
}

static float draw_line(panel *p, const char *line, float y, float width, stijl_color color) {
  stijl_text *text = p->fonts && *line ? lay_out(p, line, width) : NULL;
  if (!text) return y;
  float wide, high;
  stijl_text_size(text, &wide, &high);
  fill(p, 0, y, wide + 2 * MARGIN, high + 4, paper);
  stijl_matrix place = stijl_matrix_translate(MARGIN, y + 2);
  stijl_paint paint = stijl_paint_solid(color);
  stijl_scene_text(p->scene, text, &place, &paint);
  stijl_text_destroy(text);
  return y + high + 4;
}

static void draw_box(panel *p, const stijl_rect *box) {
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stijl_paint paint = stijl_paint_solid(accent);
  stroke.width = 2;
  stijl_path_clear(p->path);
  stijl_path_add_rect(p->path, box->x0 - 1, box->y0 - 1, box->x1 - box->x0 + 2, box->y1 - box->y0 + 2);
  stijl_scene_stroke(p->scene, p->path, &stroke, NULL, &paint);
}

const stijl_scene *panel_scene(panel *p, int width, int height, const panel_content *content) {
  float w = (float)width, h = (float)height, y = 0;
  stijl_scene_reset(p->scene);
  if (content->box) draw_box(p, content->box);
  for (int i = 0; content->lines[i]; i++)
    y = draw_line(p, content->lines[i], y, w - 2 * MARGIN, content->failed && !content->lines[i + 1] ? bad : ink);
  if (content->position >= 0.0) {
    fill(p, 0, h - PANEL_TIME_LINE, w, PANEL_TIME_LINE, paper);
    fill(p, MARGIN, h - PANEL_TIME_LINE / 2 - 1, w - 2 * MARGIN, 3, ink);
    fill(p, MARGIN + (w - 2 * MARGIN) * (float)content->position - 3, h - PANEL_TIME_LINE + 5, 7, PANEL_TIME_LINE - 10,
         accent);
  }
  return stijl_scene_finish(p->scene) == STIJL_OK ? p->scene : NULL;
}
