#include "format.h"

#include <string.h>
#include <strings.h>

const cli_format_row cli_formats[CLI_FORMATS] = {
    [CLI_FORMAT_PNG] = {"png", "png", .streams = true, .tile_type = 2, .file = STIJL_FILE_PNG},
    [CLI_FORMAT_WEBP] = {"webp", "webp", .lossy = true, .tile_type = 4, .file = STIJL_FILE_WEBP},
    [CLI_FORMAT_JPEG] = {"jpeg", "jpg jpeg jpe jfif", .opaque = true, .streams = true, .lossy = true, .tile_type = 3,
                         .file = STIJL_FILE_JPEG},
    [CLI_FORMAT_PPM] = {"ppm", "ppm", .opaque = true, .streams = true, .file = STIJL_FILE_PPM},
    [CLI_FORMAT_PAM] = {"pam", "pam", .streams = true, .file = STIJL_FILE_PAM},
    [CLI_FORMAT_RGBA] = {"rgba", "rgba", .streams = true, .file = STIJL_FILE_RGBA},
    [CLI_FORMAT_PDF] = {"pdf", "pdf", .vector = true},
    [CLI_FORMAT_SVG] = {"svg", "svg", .vector = true},
};

const char *cli_format_ending(cli_format format, int *length) {
  const char *endings = cli_formats[format].endings;
  *length = (int)strcspn(endings, " ");
  return endings;
}

cli_format cli_format_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *point = strrchr(name, '.');
  if (!point || point == name) return CLI_FORMAT_NONE;
  size_t length = strlen(point + 1);
  for (int i = 0; i < CLI_FORMATS && length; i++)
    for (const char *e = cli_formats[i].endings; *e; e += strspn(e, " ")) {
      size_t known = strcspn(e, " ");
      if (known == length && strncasecmp(e, point + 1, length) == 0) return (cli_format)i;
      e += known;
    }
  return CLI_FORMAT_NONE;
}
