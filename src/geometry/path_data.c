// Reads SVG's path data (SVG 2, 9.3 "Path data"). A segment is read completely before it is appended, so that exactly
// the segments before an error are kept (9.5 "Error handling").
#include <math.h>

#include "geometry/number.h"
#include "geometry/path.h"

typedef struct reader {
  const char *text;
  size_t length, at;
  bool lone_comma;  // a comma was skipped, which another argument must follow
} reader;

static void skip_space(reader *r) {
  while (r->at < r->length && sj_is_space(r->text[r->at])) r->at++;
}

// Skips what may separate two arguments: white space, with a comma at most (comma_wsp? in the grammar).
static void skip_separator(reader *r) {
  skip_space(r);
  r->lone_comma = r->at < r->length && r->text[r->at] == ',';
  if (r->lone_comma) {
    r->at++;
    skip_space(r);
  }
}

static bool starts_number(const reader *r) {
  if (r->at >= r->length) return false;
  char c = r->text[r->at];
  return sj_is_digit(c) || c == '+' || c == '-' || c == '.';
}

// Reads numbers with separators between them. Returns false when one is missing, or beyond the range of float.
static bool read_numbers(reader *r, double *out, int count) {
  for (int i = 0; i < count; i++) {
    if (i) skip_separator(r);
    size_t used = sj_number_parse(r->text + r->at, r->length - r->at, &out[i]);
    if (!used || fabs(out[i]) > 3.4e38) return false;
    r->at += used;
  }
  return true;
}

// Reads a flag. Flags are single digits, and need no separators: "a1 1 0 00.5.5".
static bool read_flag(reader *r, bool *out) {
  skip_separator(r);
  if (r->at >= r->length || (r->text[r->at] != '0' && r->text[r->at] != '1')) return false;
  *out = r->text[r->at++] == '1';
  return true;
}

typedef struct drawer {
  stijl_path *path;
  // Positions are doubles, so that long chains of relative segments do not drift.
  double x, y;                  // the current point
  double start_x, start_y;      // where the subpath starts
  double control_x, control_y;  // the last control point of the previous segment, which S and T reflect
  char previous;                // the previous segment's command, in upper case
} drawer;

static double clamp(double v) {
  const double limit = (double)SJ_PATH_LIMIT;
  return v > limit ? limit : v < -limit ? -limit : v;
}

static stijl_point to_point(double x, double y) { return (stijl_point){sj_path_clamp(x), sj_path_clamp(y)}; }

// Returns how many arguments a command other than Z has.
static int argument_count(char upper) {
  switch (upper) {
    case 'M':
    case 'L':
    case 'T': return 2;
    case 'H':
    case 'V': return 1;
    case 'S':
    case 'Q': return 4;
    case 'C': return 6;
    default: return 7;
  }
}

// Appends a segment. `upper` is its command in upper case, and its arguments `v` are absolute.
static void draw(drawer *d, char upper, const double *v, bool large_arc, bool sweep) {
  stijl_point points[3];
  double control_x = 0.0, control_y = 0.0, x, y;
  switch (upper) {
    case 'M':
    case 'L':
      x = v[0], y = v[1];
      points[0] = to_point(x, y);
      sj_path_append(d->path, upper == 'M' ? STIJL_PATH_MOVE : STIJL_PATH_LINE, points, 1);
      if (upper == 'M') d->start_x = x, d->start_y = y;
      break;
    case 'H':
    case 'V':
      x = upper == 'H' ? v[0] : d->x, y = upper == 'H' ? d->y : v[0];
      points[0] = to_point(x, y);
      sj_path_append(d->path, STIJL_PATH_LINE, points, 1);
      break;
    case 'C':
    case 'S':
      if (upper == 'C') {
        points[0] = to_point(v[0], v[1]);
        v += 2;
      } else {
        bool reflect = d->previous == 'C' || d->previous == 'S';
        points[0] = reflect ? to_point(2.0 * d->x - d->control_x, 2.0 * d->y - d->control_y) : to_point(d->x, d->y);
      }
      control_x = v[0], control_y = v[1];
      x = v[2], y = v[3];
      points[1] = to_point(control_x, control_y);
      points[2] = to_point(x, y);
      sj_path_append(d->path, STIJL_PATH_CUBIC, points, 3);
      break;
    case 'Q':
    case 'T':
      if (upper == 'Q') {
        control_x = v[0], control_y = v[1];
        v += 2;
      } else if (d->previous == 'Q' || d->previous == 'T') {
        control_x = 2.0 * d->x - d->control_x, control_y = 2.0 * d->y - d->control_y;
      } else {
        control_x = d->x, control_y = d->y;
      }
      x = v[0], y = v[1];
      points[0] = to_point(control_x, control_y);
      points[1] = to_point(x, y);
      sj_path_append(d->path, STIJL_PATH_QUAD, points, 2);
      break;
    default:
      x = v[3], y = v[4];
      sj_path_arc(d->path, clamp(d->x), clamp(d->y), v[0], v[1], v[2], large_arc, sweep, clamp(x), clamp(y));
      break;
  }
  // The current point is limited, too, so that chains of relative segments and reflections never become infinite.
  d->x = clamp(x), d->y = clamp(y);
  d->control_x = clamp(control_x), d->control_y = clamp(control_y);
  d->previous = upper;
}

// Makes the arguments of a relative command absolute.
static void make_absolute(const drawer *d, char upper, double *v, int count) {
  if (upper == 'H' || upper == 'V') {
    v[0] += upper == 'H' ? d->x : d->y;
    return;
  }
  for (int i = upper == 'A' ? 3 : 0; i + 1 < count; i += 2) v[i] += d->x, v[i + 1] += d->y;
}

static bool read_segment(reader *r, drawer *d, char command) {
  char upper = command & ~0x20;
  int count = argument_count(upper);
  double v[7];
  bool large_arc = false, sweep = false;
  if (upper == 'A') {
    // The arguments are rx ry rotation flag flag x y. The flags are kept apart, so x and y are v[3] and v[4].
    count = 5;
    if (!read_numbers(r, v, 3) || !read_flag(r, &large_arc) || !read_flag(r, &sweep)) return false;
    skip_separator(r);
    if (!read_numbers(r, v + 3, 2)) return false;
  } else if (!read_numbers(r, v, count)) {
    return false;
  }
  if (command != upper) make_absolute(d, upper, v, count);
  draw(d, upper, v, large_arc, sweep);
  return true;
}

static bool is_command(char c) {
  switch (c & ~0x20) {
    case 'M':
    case 'L':
    case 'H':
    case 'V':
    case 'C':
    case 'S':
    case 'Q':
    case 'T':
    case 'A':
    case 'Z': return sj_is_letter(c);
    default: return false;
  }
}

// Draws the data. Returns false when it is malformed at r->at.
static bool read_path(reader *r, drawer *d) {
  skip_space(r);
  bool first = true;
  while (r->at < r->length && !d->path->status) {
    char command = r->text[r->at];
    if (!is_command(command) || (first && (command & ~0x20) != 'M')) return false;
    first = false;
    r->at++;
    skip_space(r);
    if ((command & ~0x20) == 'Z') {
      stijl_path_close(d->path);
      d->x = d->start_x, d->y = d->start_y;
      d->previous = 'Z';
      continue;
    }
    do {
      if (!read_segment(r, d, command)) return false;
      // Further pairs of coordinates after a moveto are linetos (9.3.3).
      if (command == 'M') command = 'L';
      if (command == 'm') command = 'l';
      skip_separator(r);
    } while (starts_number(r) && !d->path->status);
    if (r->lone_comma) return false;
  }
  return true;
}

stijl_result stijl_path_add_svg(stijl_path *path, const char *data, size_t length, size_t *error_offset) {
  if (error_offset) *error_offset = 0;
  if (!path || (!data && length)) return STIJL_ERROR_INVALID_ARGUMENT;
  if (path->status) return path->status;
  reader r = {.text = data, .length = length};
  drawer d = {.path = path};
  bool good = read_path(&r, &d);
  if (path->status) return path->status;
  if (good) return STIJL_OK;
  if (error_offset) *error_offset = r.at;
  return STIJL_ERROR_MALFORMED;
}
