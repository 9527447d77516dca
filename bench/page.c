// A page of glyphs: 67,000 in two sizes on 3840 x 2160 pixels, drawn as glyph runs, a line each. A frame records the
// runs, from text that has been laid out before, and draws them. vello_cpu draws it by bench_vello_page.
//
//   bench_page FONT THREADS SECONDS MIN_FRAMES [DUMP.ppm]     times frames
//   bench_page FONT --write PAGE                              writes the page for others
//   bench_page FONT --save SCENE                              saves its scene, for bench_gpu
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
  line lines[MAX_LINES];
  size_t count, glyphs;
} page;

// Words of letters that are as frequent as in English.
static char next_letter(uint32_t *seed) {
  static const char letters[] = "eeeeeeetttttaaaaooooiiiinnnnsssshhhrrrddlluccmfwygpbvkETAOSW.,";
  *seed = *seed * 1664525u + 1013904223u;
  return letters[(*seed >> 16) % (sizeof letters - 1)];
}

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

static void make_page(page *p, const char *font) {
  static char words[4096];
  stijl_message message = {""};
  stijl_fonts *fonts = NULL;
  stijl_fonts_params params = STIJL_FONTS_PARAMS_INIT;
  params.system = false;
  ours_check(stijl_fonts_create(NULL, &params, &fonts, &message), message.text);
  ours_check(stijl_fonts_add_file(fonts, font, &message), message.text);
  uint32_t seed = 1;
  float y = 12.0f;
  while (p->glyphs < GLYPHS) {
    if (p->count == MAX_LINES || y > HEIGHT) ours_check(STIJL_ERROR_LIMIT, "the page is too small for so many glyphs");
    line *l = &p->lines[p->count];
    l->size = p->count % 2 ? 13.0f : 11.0f;
    size_t letters = (size_t)((float)WIDTH / (0.66f * l->size));
    if (letters > GLYPHS - p->glyphs) letters = GLYPHS - p->glyphs;
    size_t bytes = write_words(words, letters, &seed);
    stijl_text_style style = STIJL_TEXT_STYLE_INIT;
    style.font_size = l->size;
    ours_check(stijl_text_create(NULL, fonts, &l->text), "text");
    ours_check(stijl_text_append(l->text, words, bytes, &style), "text");
    ours_check(stijl_text_layout(l->text, NULL, &message), message.text);
    l->matrix = stijl_matrix_translate(8.37f, y - l->size);
    y += l->size * 1.17f;
    p->glyphs += letters;
    p->count++;
    ours_check(stijl_path_create(NULL, &l->path), "path");
    ours_check(stijl_text_outline(l->text, NULL, l->path), "path");
  }
}

// "gl1 WIDTH HEIGHT FONT", then for each line "R SIZE RRGGBBAA" and its glyphs, without blanks: "G NUMBER X Y".
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
  bool write = argc == 4 && strcmp(argv[2], "--write") == 0, save = argc == 4 && strcmp(argv[2], "--save") == 0;
  if (argc < 5 && !write && !save) {
    fprintf(stderr,
            "usage: bench_page [--paths] [--redraw] [--isa NAME] [--stats] FONT THREADS SECONDS MIN_FRAMES "
            "[DUMP.ppm]\n       bench_page FONT --write PAGE\n       bench_page FONT --save SCENE\n");
    return 2;
  }
  make_page(&p, argv[1]);
  if (write) {
    write_page(&p, argv[1], argv[3]);
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
