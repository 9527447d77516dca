// A page of glyphs: 67,000 in two sizes on 3840 x 2160 pixels, drawn as glyph runs, a line each. A frame records the
// runs, from text that has been laid out before, and draws them. vello_cpu draws it by bench_vello_page.
//
//   bench_page FONT THREADS SECONDS MIN_FRAMES [DUMP.ppm]     times frames
//   bench_page FONT --write PAGE                              writes the page for others
//   bench_page FONT --save SCENE                              saves its scene, for bench_gpu
//   bench_page FONT --list LIST.dl                            writes it as a display list of a path for each glyph
//
// Options before: --paths records each line as one path instead, as a program without glyph runs would; --redraw
// records nothing in a frame; --isa NAME; --stats.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ours.h"
#include "stijl/text.h"

enum { WIDTH = 3840, HEIGHT = 2160, GLYPHS = 67000, MAX_LINES = 400, LETTERS = 26 };

typedef struct line {
  stijl_text *text;
  stijl_matrix matrix;
  stijl_path *path;  // --paths
  float size;
} line;

typedef struct page {
  stijl_fonts *fonts;
  line lines[MAX_LINES];
  size_t count, glyphs;
} page;

// As frequent as in English.
static const char alphabet[] = "eeeeeeetttttaaaaooooiiiinnnnsssshhhrrrddlluccmfwygpbvkETAOSW.,";

static char next_letter(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return alphabet[(*seed >> 16) % (sizeof alphabet - 1)];
}

// Writes words of these letters.
static size_t write_words(char *out, size_t letters, uint32_t *seed) {
  size_t length = 0;
  for (size_t i = 0, word = 0; i < letters; i++) {
    if (word > 1 && (word == 11 || (*seed >> 8) % 5 == 0)) {
      out[length++] = ' ';
      word = 0;
    }
    out[length++] = next_letter(seed);
    word++;
  }
  return length;
}

static stijl_text *lay_out(stijl_fonts *fonts, const char *words, size_t bytes, float size) {
  stijl_text *text = NULL;
  stijl_message message = {""};
  stijl_text_style style = STIJL_TEXT_STYLE_INIT;
  style.font_size = size;
  ours_check(stijl_text_create(NULL, fonts, &text), "text");
  ours_check(stijl_text_append(text, words, bytes, &style), "text");
  ours_check(stijl_text_layout(text, NULL, &message), message.text);
  return text;
}

static void make_page(page *p, const char *font) {
  static char words[4096];
  stijl_message message = {""};
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  ours_check(stijl_fonts_create(NULL, &params, &p->fonts, &message), message.text);
  ours_check(stijl_fonts_add_file(p->fonts, font, &message), message.text);
  uint32_t seed = 1;
  float y = 12.0f;
  while (p->glyphs < GLYPHS) {
    if (p->count == MAX_LINES || y > HEIGHT) ours_check(STIJL_ERROR_LIMIT, "the page is too small for so many glyphs");
    line *l = &p->lines[p->count];
    l->size = p->count % 2 ? 13.0f : 11.0f;
    size_t letters = (size_t)((float)WIDTH / (0.66f * l->size));
    if (letters > GLYPHS - p->glyphs) letters = GLYPHS - p->glyphs;
    size_t bytes = write_words(words, letters, &seed);
    l->text = lay_out(p->fonts, words, bytes, l->size);
    l->matrix = stijl_matrix_translate(8.37f, y - l->size);
    y += l->size * 1.17f;
    p->glyphs += letters;
    p->count++;
    ours_check(stijl_path_create(NULL, &l->path), "path");
    ours_check(stijl_text_outline(l->text, NULL, l->path), "path");
  }
}

// Writes "gl1 WIDTH HEIGHT FONT", then for each line "R SIZE RRGGBBAA" and its glyphs, without blanks: "G NUMBER X Y".
static void write_page(const page *p, const char *font, const char *file) {
  FILE *out = fopen(file, "w");
  if (!out) ours_check(STIJL_ERROR_IO, file);
  fprintf(out, "gl1 %d %d %s\n", WIDTH, HEIGHT, font);
  for (size_t i = 0; i < p->count; i++) {
    const line *l = &p->lines[i];
    const stijl_glyph *glyphs;
    size_t count = stijl_text_glyphs(l->text, &glyphs);
    fprintf(out, "R %g 202020ff\n", (double)l->size);
    for (size_t k = 0; k < count; k++)
      fprintf(out, "G %u %.9g %.9g\n", glyphs[k].id, (double)(glyphs[k].x + l->matrix.e),
              (double)(glyphs[k].y + l->matrix.f));
  }
  if (fclose(out)) ours_check(STIJL_ERROR_IO, file);
}

// A glyph by itself, as it is where the page has none around it.
typedef struct lone_glyph {
  uint32_t id;
  stijl_point origin;
  stijl_path *path;
} lone_glyph;

static lone_glyph make_glyph(const page *p, const char *letter, float size) {
  lone_glyph g = {0};
  const stijl_glyph *glyphs;
  stijl_text *text = lay_out(p->fonts, letter, 1, size);
  if (stijl_text_glyphs(text, &glyphs) != 1) ours_check(STIJL_ERROR_INVALID_STATE, "a letter of several glyphs");
  g.id = glyphs->id;
  g.origin = (stijl_point){glyphs->x, glyphs->y};
  ours_check(stijl_path_create(NULL, &g.path), "path");
  ours_check(stijl_text_outline(text, NULL, g.path), "path");
  stijl_text_destroy(text);
  return g;
}

// Writes an outline. Quadratic curves become cubic ones, since lists have no others.
static void write_outline(FILE *out, const stijl_path *path, stijl_point move) {
  const unsigned char *verbs;
  const stijl_point *points;
  size_t count = stijl_path_verbs(path, &verbs);
  stijl_path_points(path, &points);
  stijl_point last = {0, 0};
  fputc('P', out);
  for (size_t i = 0; i < count; i++) {
    if (verbs[i] == STIJL_PATH_CLOSE) {
      fputs(" Z", out);
      continue;
    }
    size_t n = verbs[i] == STIJL_PATH_MOVE ? 1 : verbs[i];  // points
    stijl_point p[3], end = points[n - 1];
    memcpy(p, points, n * sizeof *p);
    points += n;
    if (verbs[i] == STIJL_PATH_QUAD) {
      stijl_point control = p[0];
      p[0] = (stijl_point){last.x + (control.x - last.x) * 2 / 3, last.y + (control.y - last.y) * 2 / 3};
      p[1] = (stijl_point){end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3};
      p[2] = end;
      n = 3;
    }
    fprintf(out, verbs[i] == STIJL_PATH_MOVE ? " M" : n == 1 ? " L" : " C");
    for (size_t k = 0; k < n; k++) fprintf(out, " %.9g %.9g", (double)(p[k].x + move.x), (double)(p[k].y + move.y));
    last = end;
  }
  fputs("\nF nz solid 202020FF\n", out);
}

static void write_list(const page *p, const char *file) {
  static lone_glyph alone[2][sizeof alphabet - 1];  // of both sizes
  FILE *out = fopen(file, "w");
  if (!out) ours_check(STIJL_ERROR_IO, file);
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k + 1 < sizeof alphabet; k++) alone[i][k] = make_glyph(p, alphabet + k, p->lines[i].size);
  fprintf(out, "dl1 %d %d\n", WIDTH, WIDTH);
  for (size_t i = 0; i < p->count; i++) {
    const line *l = &p->lines[i];
    const stijl_glyph *glyphs;
    size_t count = stijl_text_glyphs(l->text, &glyphs);
    for (size_t k = 0; k < count; k++) {
      const lone_glyph *g = alone[i % 2], *end = g + sizeof alphabet - 1;
      while (g < end && g->id != glyphs[k].id) g++;
      if (g == end) continue;  // a blank
      write_outline(out, g->path,
                    (stijl_point){glyphs[k].x + l->matrix.e - g->origin.x, glyphs[k].y + l->matrix.f - g->origin.y});
    }
  }
  if (fclose(out)) ours_check(STIJL_ERROR_IO, file);
}

static bool append(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

static void record_lines(stijl_scene *scene, const page *p, bool paths) {
  stijl_paint paint = stijl_paint_solid((stijl_color){32.0f / 255, 32.0f / 255, 32.0f / 255, 1});
  for (size_t i = 0; i < p->count; i++) {
    const line *l = &p->lines[i];
    if (paths)
      stijl_scene_fill(scene, l->path, STIJL_FILL_NONZERO, &l->matrix, &paint);
    else
      stijl_scene_text(scene, l->text, &l->matrix, &paint);
  }
}

static void record_text(stijl_scene *scene, const void *what) { record_lines(scene, what, false); }
static void record_paths(stijl_scene *scene, const void *what) { record_lines(scene, what, true); }

static void save_scene(const stijl_scene *scene, const char *file) {
  stijl_message message = {""};
  FILE *out = fopen(file, "wb");
  if (!out) ours_check(STIJL_ERROR_IO, file);
  stijl_canvas canvas = {sizeof canvas, WIDTH, HEIGHT, {1.0f, 1.0f, 1.0f, 1.0f}};
  ours_check(stijl_scene_save(scene, &canvas, append, out, &message), message.text);
  if (fclose(out)) ours_check(STIJL_ERROR_IO, file);
}

int main(int argc, char **argv) {
  static page p;
  ours o = OURS_INIT;
  bool paths = false, redraw = false;
  while (argc > 1 && strncmp(argv[1], "--", 2) == 0) {
    int taken = ours_option(&o, argc - 1, argv + 1);
    paths |= strcmp(argv[1], "--paths") == 0;
    redraw |= strcmp(argv[1], "--redraw") == 0;
    argc -= taken ? taken : 1;
    argv += taken ? taken : 1;
  }
  const char *only = argc == 4 ? argv[2] : "";
  bool write = strcmp(only, "--write") == 0, save = strcmp(only, "--save") == 0, list = strcmp(only, "--list") == 0;
  if (argc < 5 && !write && !save && !list) {
    fprintf(stderr,
            "usage: bench_page [--paths] [--redraw] [--isa NAME] [--stats] FONT THREADS SECONDS MIN_FRAMES "
            "[DUMP.ppm]\n       bench_page FONT --write PAGE\n       bench_page FONT --save SCENE\n       "
            "bench_page FONT --list LIST.dl\n");
    return 2;
  }
  make_page(&p, argv[1]);
  if (write || list) {
    if (write)
      write_page(&p, argv[1], argv[3]);
    else
      write_list(&p, argv[3]);
    return 0;
  }
  ours_check(stijl_scene_create(NULL, NULL, &o.scene), "scene");
  record_lines(o.scene, &p, paths);
  ours_check(stijl_scene_finish(o.scene), stijl_scene_message(o.scene));
  if (save) {
    save_scene(o.scene, argv[3]);
    return 0;
  }
  bench_options options = {.list = {.width = WIDTH, .height = HEIGHT},
                           .size = WIDTH,
                           .height = HEIGHT,
                           .threads = atoi(argv[2]),
                           .seconds = atof(argv[3]),
                           .min_frames = atoi(argv[4]),
                           .dump = argc > 5 ? argv[5] : NULL};
  if (o.stats) {
    uint64_t bytes = stijl_scene_bytes(o.scene);
    fprintf(stderr, "%zu glyphs, %llu bytes, %.1f a glyph\n", p.glyphs, (unsigned long long)bytes,
            (double)bytes / (double)p.glyphs);
  }
  o.record = redraw ? NULL : paths ? record_paths : record_text;
  o.what = &p;
  ours_frames(&o, paths ? "stijl (paths)" : "stijl", &options);
  return 0;
}
