#include "frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FRAMES = 200000 };

bench_options bench_read_options(int argc, char **argv) {
  if (argc < 6) {
    fprintf(stderr, "usage: %s SCENE SIZE THREADS SECONDS MIN_FRAMES [DUMP.ppm]\n", argv[0]);
    exit(2);
  }
  const char *dot = strrchr(argv[1], '.');
  return (bench_options){.file = argv[1],
                         .list = dot && strcmp(dot, ".dl") == 0 ? dl_load(argv[1]) : (dl_list){0},
                         .size = atoi(argv[2]),
                         .threads = atoi(argv[3]),
                         .seconds = atof(argv[4]),
                         .min_frames = atoi(argv[5]),
                         .dump = argc > 6 ? argv[6] : NULL};
}

static double now_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void print_list(const char *name, const double *values, int count) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < count; i++) printf("%s%.4f", i ? "," : "", values[i]);
  putchar(']');
}

void bench_frames(const char *peer, const bench_options *options, void (*frame)(void *user), void *user) {
  static double wall[MAX_FRAMES], cpu[MAX_FRAMES];
  double start = now_ms(CLOCK_MONOTONIC);
  frame(user);
  double first = now_ms(CLOCK_MONOTONIC) - start;
  int count = 0;
  start = now_ms(CLOCK_MONOTONIC);
  for (double end = start; count < MAX_FRAMES && (count < options->min_frames || end - start < options->seconds * 1e3);
       count++) {
    double cpu_before = now_ms(CLOCK_PROCESS_CPUTIME_ID), before = now_ms(CLOCK_MONOTONIC);
    frame(user);
    end = now_ms(CLOCK_MONOTONIC);
    wall[count] = end - before;
    cpu[count] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu_before;
  }
  printf("{\"peer\":\"%s\",\"size\":%d,\"threads\":%d,\"first\":%.4f", peer, options->size, options->threads, first);
  print_list("wall", wall, count);
  print_list("cpu", cpu, count);
  printf("}\n");
}

void bench_dump(const bench_options *options, const uint8_t *pixels, size_t stride, int r, int g, int b) {
  if (!options->dump) return;
  int height = options->height ? options->height : options->size;
  FILE *out = fopen(options->dump, "wb");
  if (!out) {
    perror(options->dump);
    exit(1);
  }
  fprintf(out, "P6\n%d %d\n255\n", options->size, height);
  for (int y = 0; y < height; y++) {
    const uint8_t *p = pixels + (size_t)y * stride;
    for (int x = 0; x < options->size; x++, p += 4) {
      putc(p[r], out);
      putc(p[g], out);
      putc(p[b], out);
    }
  }
  if (fclose(out) != 0) {
    perror(options->dump);
    exit(1);
  }
}
