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

#include "frames.h"
#include "stijl/stijl.h"
#include "stijl/text.h"

enum { WIDTH = 3840, HEIGHT = 2160, GLYPHS = 67000, MAX_LINES = 400, LETTERS = 26 };

static void check(stijl_result result, const char *message) {
  if (result == STIJL_OK) return;
  fprintf(stderr, "bench_page: %s: %s\n", stijl_result_string(result), message);
  exit(1);
}

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
  check(stijl_fonts_create(NULL, &params, &fonts, &message), message.text);
  check(stijl_fonts_add_file(fonts, font, &message), message.text);
  uint32_t seed = 1;
  float y = 12.0f;
  while (p->glyphs < GLYPHS) {
    if (p->count == MAX_LINES || y > HEIGHT) check(STIJL_ERROR_LIMIT, "the page is too small for so many glyphs");
    line *l = &p->lines[p->count];
    l->size = p->count % 2 ? 13.0f : 11.0f;
    size_t letters = (size_t)((float)WIDTH / (0.66f * l->size));
    if (letters > GLYPHS - p->glyphs) letters = GLYPHS - p->glyphs;
    size_t bytes = write_words(words, letters, &seed);
    stijl_text_style style = STIJL_TEXT_STYLE_INIT;
    style.font_size = l->size;
    check(stijl_text_create(NULL, fonts, &l->text), "text");
    check(stijl_text_append(l->text, words, bytes, &style), "text");
    check(stijl_text_layout(l->text, NULL, &message), message.text);
    l->matrix = stijl_matrix_translate(8.37f, y - l->size);
    y += l->size * 1.17f;
    p->glyphs += letters;
    p->count++;
    check(stijl_path_create(NULL, &l->path), "path");
    check(stijl_text_outline(l->text, NULL, l->path), "path");
  }
}

// "gl1 WIDTH HEIGHT FONT", then for each line "R SIZE RRGGBBAA" and its glyphs, without blanks: "G NUMBER X Y".
static void write_page(const page *p, const char *font, const char *file) {
  FILE *out = fopen(file, "w");
  if (!out) check(STIJL_ERROR_IO, file);
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
  if (fclose(out)) check(STIJL_ERROR_IO, file);
}

static bool append(void *user, const void *data, size_t bytes) { return fwrite(data, 1, bytes, user) == bytes; }

typedef struct job {
  const page *page;
  bool paths, redraw;
  stijl_scene *scene;
  stijl_renderer *renderer;
  stijl_target target;
  stijl_render_params params;
} job;

static void record(job *j) {
  stijl_paint paint = stijl_paint_solid((stijl_color){32.0f / 255, 32.0f / 255, 32.0f / 255, 1});
  stijl_scene_reset(j->scene);
  for (size_t i = 0; i < j->page->count; i++) {
    const line *l = &j->page->lines[i];
    if (j->paths)
      stijl_scene_fill(j->scene, l->path, STIJL_FILL_NONZERO, &l->matrix, &paint);
    else
      stijl_scene_text(j->scene, l->text, &l->matrix, &paint);
  }
  check(stijl_scene_finish(j->scene), stijl_scene_message(j->scene));
}

static void save_scene(job *j, const char *file) {
  stijl_message message = {""};
  check(stijl_scene_create(NULL, NULL, &j->scene), "scene");
  record(j);
  FILE *out = fopen(file, "wb");
  if (!out) check(STIJL_ERROR_IO, file);
  stijl_canvas canvas = {sizeof canvas, WIDTH, HEIGHT, {1.0f, 1.0f, 1.0f, 1.0f}};
  check(stijl_scene_save(j->scene, &canvas, append, out, &message), message.text);
  if (fclose(out)) check(STIJL_ERROR_IO, file);
}

static void frame(void *user) {
  job *j = user;
  stijl_message message;
  if (!j->redraw) record(j);
  check(stijl_render(j->renderer, j->scene, &j->target, &j->params, &message), message.text);
}

int main(int argc, char **argv) {
  static page p;
  job j = {.page = &p, .params = STIJL_RENDER_PARAMS_INIT};
  stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
  bool stats = false;
  for (; argc > 1 && strncmp(argv[1], "--", 2) == 0; argc--, argv++) {
    j.paths |= strcmp(argv[1], "--paths") == 0;
    j.redraw |= strcmp(argv[1], "--redraw") == 0;
    stats |= strcmp(argv[1], "--stats") == 0;
    if (strcmp(argv[1], "--isa") == 0 && argc > 2) {
      for (int isa = STIJL_ISA_AUTO; stijl_isa_name((stijl_isa)isa); isa++)
        if (strcmp(stijl_isa_name((stijl_isa)isa), argv[2]) == 0) params.isa = (stijl_isa)isa;
      argc--, argv++;
    }
  }
  if (argc < 4) {
    fprintf(stderr,
            "usage: bench_page [--paths] [--redraw] [--isa NAME] [--stats] FONT THREADS SECONDS MIN_FRAMES "
            "[DUMP.ppm]\n       bench_page FONT --write PAGE\n       bench_page FONT --save SCENE\n");
    return 2;
  }
  make_page(&p, argv[1]);
  if (strcmp(argv[2], "--write") == 0) {
    write_page(&p, argv[1], argv[3]);
    return 0;
  }
  if (strcmp(argv[2], "--save") == 0) {
    save_scene(&j, argv[3]);
    return 0;
  }
  if (argc < 5) return 2;
  bench_options options = {.list = {.width = WIDTH, .height = HEIGHT},
                           .size = WIDTH,
                           .height = HEIGHT,
                           .threads = atoi(argv[2]),
                           .seconds = atof(argv[3]),
                           .min_frames = atoi(argv[4]),
                           .dump = argc > 5 ? argv[5] : NULL};
  params.threads = options.threads;
  stijl_message message;
  check(stijl_scene_create(NULL, NULL, &j.scene), "scene");
  check(stijl_renderer_create(NULL, &params, &j.renderer, &message), message.text);
  size_t stride = (size_t)WIDTH * 4;
  uint8_t *pixels = malloc(stride * HEIGHT);
  if (!pixels) check(STIJL_ERROR_OUT_OF_MEMORY, "pixels");
  memset(pixels, 1, stride * HEIGHT);  // a first touch is slow, and not the renderer's
  j.target = (stijl_target){.size = sizeof j.target,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .format = STIJL_FORMAT_RGBA8,
                            .pixels = pixels,
                            .stride = stride};
  j.params.background = (stijl_color){1, 1, 1, 1};
  record(&j);
  if (stats) {
    uint64_t bytes = stijl_scene_bytes(j.scene);
    fprintf(stderr, "%zu glyphs, %llu bytes, %.1f a glyph\n", p.glyphs, (unsigned long long)bytes,
            (double)bytes / (double)p.glyphs);
  }
  bench_frames(j.paths ? "stijl (paths)" : "stijl", &options, frame, &j);
  if (stats) {
    stijl_render_stats s = {.size = sizeof s};
    stijl_renderer_stats(j.renderer, &s);
    fprintf(stderr,
            "isa %s: encode %.3f ms, render %.3f ms (flatten %.3f), %u draws, %llu lines, %u bands, %.1f MiB scratch\n",
            stijl_isa_name(stijl_renderer_isa(j.renderer)), s.encode_ms, s.render_ms, s.flatten_ms, s.draws,
            (unsigned long long)s.lines, s.bands, (double)s.scratch_bytes / 1048576.0);
  }
  bench_dump(&options, pixels, stride, 0, 1, 2);
  return 0;
}
