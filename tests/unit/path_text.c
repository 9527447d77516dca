#include "path_text.h"

#include <stdlib.h>

#include "test.h"

const char *path_text(const stijl_path *path) {
  static char texts[2][16384];
  static int turn;
  char *text = texts[turn ^= 1];
  static const int point_count[] = {1, 1, 2, 3, 0};
  const unsigned char *verbs;
  const stijl_point *points;
  size_t verb_count = stijl_path_verbs(path, &verbs), left = stijl_path_points(path, &points), used = 0;
  text[0] = 0;
  bool move_needed = true;
  for (size_t i = 0; i < verb_count && used + 256 < sizeof texts[0]; i++) {
    CHECK(verbs[i] <= STIJL_PATH_CLOSE);
    CHECK(verbs[i] == STIJL_PATH_MOVE || !move_needed);
    move_needed = verbs[i] == STIJL_PATH_CLOSE;
    used += (size_t)snprintf(text + used, sizeof texts[0] - used, "%s%c", i ? " " : "", "MLQCZ"[verbs[i]]);
    for (int k = 0; k < point_count[verbs[i]]; k++, points++, left--) {
      // + 0: no negative zeros.
      used += (size_t)snprintf(text + used, sizeof texts[0] - used, "%s%.6g,%.6g", k ? " " : "",
                               (double)points->x + 0.0, (double)points->y + 0.0);
    }
  }
  CHECK_INT(left, 0);
  return text;
}

stijl_path *path_from(const char *data) {
  stijl_path *path;
  if (stijl_path_create(NULL, &path) != STIJL_OK) abort();
  CHECK_INT(stijl_path_add_svg(path, data, strlen(data), NULL), STIJL_OK);
  return path;
}
