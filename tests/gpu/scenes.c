// scenes FOLDER: writes SVG files that take more than one batch or part of one on GPUs with little room. To be drawn by
// the CPU and the GPU, and compared: what tests/gpu/limits.c does with less of everything.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Returns a number of a linear congruential generator (Knuth, MMIX): the same numbers everywhere.
static int random_int(uint64_t *state, int lo, int hi) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return lo + (int)((*state >> 33) % (uint32_t)(hi - lo));
}

static FILE *open_scene(const char *folder, const char *name, int width, int height) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.svg", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n", width, height);
  return file;
}

static void close_scene(FILE *file) {
  fputs("</svg>\n", file);
  if (fclose(file) != 0) {
    perror("scenes");
    exit(1);
  }
}

// Writes the same shape over and over.
static void write_pile(const char *folder, const char *name, int count, const char *shape) {
  FILE *file = open_scene(folder, name, 64, 64);
  for (int i = 0; i < count; i++) fprintf(file, "%s\n", shape);
  close_scene(file);
}

// Writes circles and strokes in a group, which is a layer with a clip and a mask.
static void write_layer(const char *folder, const char *name, int count, bool stroked) {
  FILE *file = open_scene(folder, name, 100, 80);
  uint64_t r = 1;
  fputs(
      "<clipPath id=\"c\"><circle cx=\"50\" cy=\"40\" r=\"38\"/></clipPath>\n"
      "<mask id=\"m\"><path fill=\"#ccc\" d=\"M0 0H100V50L0 80z\"/></mask>\n"
      "<rect width=\"70\" height=\"60\" fill=\"#fd0\"/>\n"
      "<g opacity=\".7\" clip-path=\"url(#c)\"><g mask=\"url(#m)\" style=\"mix-blend-mode:multiply\">\n",
      file);
  for (int i = 0; i < count; i++) {
    int x = random_int(&r, 0, 100), y = random_int(&r, 0, 80), color = random_int(&r, 0, 0xffffff);
    if (stroked)
      fprintf(file, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\".%d\" d=\"M%d %dq9 3 %d 7\"/>\n", color,
              3 + i % 7, x, y, i % 11);
    else if (i % 1000 == 7)
      fprintf(file, "<g opacity=\".5\"><circle cx=\"%d\" cy=\"%d\" r=\"9\" fill=\"#%06x\"/></g>\n", x, y, color);
    else
      fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"#%06x\" fill-opacity=\".%d\"/>\n", x, y, color,
              1 + i % 9);
  }
  fputs("</g></g>\n", file);
  close_scene(file);
}

// Writes one path, whose pieces follow each other about the picture.
static void write_cubics(const char *folder, const char *name, int count, const char *style) {
  FILE *file = open_scene(folder, name, 128, 128);
  uint64_t r = 2;
  int x = 640, y = 640;  // tenths of pixels
  fprintf(file, "<path style=\"%s\" d=\"M%.1f %.1f", style, x * 0.1, y * 0.1);
  for (int i = 0; i < count; i++) {
    fputc(i % 8 ? 'C' : '\n', file);
    if (i % 8 == 0) fputc('C', file);
    for (int k = 0; k < 3; k++) {
      int px = x + random_int(&r, -30, 31), py = y + random_int(&r, -30, 31);
      fprintf(file, "%.1f %.1f ", px * 0.1, py * 0.1);
      if (k < 2) continue;
      x = px < 0 ? 0 : px > 1280 ? 1280 : px;
      y = py < 0 ? 0 : py > 1280 ? 1280 : py;
    }
  }
  fputs("\"/>\n", file);
  close_scene(file);
}

static void write_gradients(const char *folder, const char *name, int count) {
  FILE *file = open_scene(folder, name, 200, 200);
  for (int i = 0; i < count; i++) {
    int x = i * 7 % 190, y = i * 13 % 190;
    fprintf(file,
            "<linearGradient id=\"g%d\"><stop stop-color=\"#%06x\"/><stop offset=\"1\" stop-color=\"#%06x\" "
            "stop-opacity=\".5\"/></linearGradient><path fill=\"url(#g%d)\" d=\"M%d %dh9l-4 8z\"/>\n",
            i, i * 977 % 0x1000000, i * 3571 % 0x1000000, i, x, y);
  }
  close_scene(file);
}

// Writes long edges, thousands of them, and short ones beside.
static void write_long(const char *folder, const char *name, int width, int height) {
  FILE *file = open_scene(folder, name, width, height);
  fputs("<path fill-rule=\"evenodd\" d=\"M0 0", file);
  for (int i = 0; i < 9000; i++) {
    int along = i < 600 ? (i % 2 ? 1 : (width > height ? width : height) - 9) : i % 7, across = i % 13;
    fprintf(file, "L%d.5 %d.5 ", width > height ? along : across, width > height ? across : along);
  }
  fputs("\"/>\n", file);
  close_scene(file);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "Usage: scenes FOLDER\n");
    return 2;
  }
  write_pile(argv[1], "triangles", 29000, "<path d=\"M1 1L58 13L19 52z\"/>");
  write_pile(argv[1], "squares", 100000, "<path fill=\"#f00\" fill-opacity=\".01\" d=\"M6 6h40v40h-40z\"/>");
  write_pile(argv[1], "circles", 50000, "<circle cx=\"31\" cy=\"30\" r=\"25\" fill=\"#08f\" fill-opacity=\".01\"/>");
  write_layer(argv[1], "layer", 40000, false);
  write_layer(argv[1], "strokes", 40000, true);
  write_cubics(argv[1], "cubics-filled", 1000000, "fill-rule:evenodd");
  write_cubics(argv[1], "cubics-stroked", 1000000, "fill:none;stroke:#08f;stroke-width:.1;stroke-opacity:.7");
  write_gradients(argv[1], "gradients", 9000);
  write_long(argv[1], "wide", 30000, 16);
  write_long(argv[1], "high", 16, 30000);
  return 0;
}
