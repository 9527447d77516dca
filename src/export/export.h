// Writing scenes as vector files: the walk over a scene's draws, which hands each to a format, and draws what the
// format cannot say as an image.
#ifndef SJ_EXPORT_EXPORT_H
#define SJ_EXPORT_EXPORT_H

#include "base/budget.h"
#include "scene/matrix64.h"
#include "scene/scene.h"
#include "stijl/export.h"
#include "stijl/render.h"

#define SJ_WORK_EXPORT 500       // steps for a draw
#define SJ_EXPORT_PIXELS 0x1p25  // of a page's images, at most

// A picture of some draws. Its pixels are at x.. y.. of a page that is drawn whole.
typedef struct sj_raster {
  unsigned char *pixels;  // BGRA8, premultiplied; NULL: nothing is seen
  stijl_irect box;
} sj_raster;

typedef struct sj_exporter sj_exporter;

// What a format does. Matrices are from the space of the draws to the page, in CSS pixels.
typedef struct sj_format {
  bool blends_plus_lighter, masks_luminance;
  // Writes a fill, a stroke, a fill of everything or a glyph run. Returns false when the format cannot say it.
  bool (*draw)(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m);
  // Writes an image, and takes over its pixels.
  void (*raster)(sj_exporter *x, sj_raster *raster, uint32_t blend);
  // A layer begins, on which so many masks will act, and ends. Returns false when the format cannot say it, and it has
  // not begun.
  bool (*begin_layer)(sj_exporter *x, const sj_draw *push, const stijl_matrix *m, uint32_t masks);
  void (*end_layer)(sj_exporter *x);
  // A mask of the open layer begins (K_BLEND_MASK_*), and ends.
  void (*begin_mask)(sj_exporter *x, uint32_t kind);
  void (*end_mask)(sj_exporter *x);
  // A mask that is the alpha of an image, whose pixels are taken over.
  void (*mask_raster)(sj_exporter *x, sj_raster *raster);
} sj_format;

struct sj_exporter {
  stijl_context *context;     // of the budget
  stijl_renderer **renderer;  // made when it is first needed
  stijl_context *renderer_context;
  int threads;
  const stijl_scene *scene;
  const sj_format *format;
  void *user;         // the format's
  double scale;       // pixels of images a CSS pixel
  int width, height;  // of the page, in pixels of images
  uint32_t depth;
  stijl_result result;
  stijl_message *message;
};

static inline bool sj_exporting(const sj_exporter *x) { return x->result == STIJL_OK; }
void sj_export_fail_memory(sj_exporter *x);
// Charges the budget. Returns false when it is spent.
bool sj_export_spend(sj_exporter *x, uint64_t work);

// Checks what the caller gave: the page in this version's form, in *known or given.
stijl_result sj_export_check(const stijl_scene *scene, const stijl_page *page, stijl_message *message);
// Sets the resolution of images: of a page so many units large, of which an inch has `inch`.
void sj_export_set_scale(sj_exporter *x, double width, double height, double inch, double dpi);

// Hands a list of draws to the format (walk.c).
void sj_export_draws(sj_exporter *x, const sj_draw *draws, uint32_t count, const stijl_matrix *m);
// Does the same for all of the scene.
void sj_export_scene(sj_exporter *x, const stijl_matrix *m);

// Draws some draws into pixels as if they were alone on the page (raster.c). Of a mask (`mask`) the picture is white
// where it lets through.
void sj_export_raster(sj_exporter *x, const sj_draw *draws, uint32_t count, const stijl_matrix *m, bool mask,
                      sj_raster *out);

// The points of a path, as it goes to a format.
typedef struct sj_pen_ops {
  void (*move)(void *user, double x, double y);
  void (*line)(void *user, double x, double y);
  void (*curve)(void *user, const double p[6]);
  void (*close)(void *user);
  void (*quad)(void *user, const double p[4]);  // NULL: a curve says it
  double dot;                                   // the length of the line that stands for a subpath without length
} sj_pen_ops;

// Goes along a draw's path, or an outline's, under a matrix (path.c). `strokes`: subpaths may be open.
void sj_export_path(const stijl_scene *scene, const sj_path_range *path, const sj_matrix64 *m, bool strokes,
                    const sj_pen_ops *ops, void *user);
// Does the same with all outlines of a glyph run.
void sj_export_run(const stijl_scene *scene, uint32_t run, const sj_matrix64 *m, const sj_pen_ops *ops, void *user);

// A stop of a ramp, not premultiplied, 0..1.
typedef struct sj_export_stop {
  double t, r, g, b, a;
} sj_export_stop;

// Finds the stops of a gradient; `out` has room for two a piece, and its count is returned.
size_t sj_export_stops(const stijl_scene *scene, const sj_paint *paint, sj_export_stop *out);
// Returns whether a gradient has an extent. One without is its last colour.
bool sj_export_has_extent(const sj_paint *paint);
// Returns whether all that a draw shows of an image is within it, so that it does not matter what is beyond.
bool sj_export_within_image(const sj_draw *draw, const sj_paint *paint, double width, double height);
// Returns the channels of a premultiplied colour, straight, 0..1.
sj_export_stop sj_export_color(uint32_t color);

static inline bool sj_is_regular(const sj_matrix64 *m) {
  sj_matrix64 inverse;
  return sj_invert64(*m, &inverse);
}

#endif
