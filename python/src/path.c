// Paths. Errors stick within the library; each call here reports them at once, and clears the path's.
#include <math.h>
#include <string.h>

#include "module.h"

PyTypeObject *py_path_type;

static stijl_path *begin(PyObject *object) {
  py_path *self = (py_path *)object;
  return py_change(&self->use, "path") ? self->path : NULL;
}

// Ends what begin began; the path itself, so that calls can follow one another.
static PyObject *end(PyObject *object) {
  py_path *self = (py_path *)object;
  stijl_result status = stijl_path_status(self->path);
  if (status) stijl_path_clear(self->path);
  py_change_done(&self->use);
  if (status == STIJL_ERROR_INVALID_ARGUMENT)
    py_fail(status, "coordinates of a path are finite and within +-1e9 (the path is empty now)");
  else if (status)
    py_fail(status, NULL);
  if (status) return NULL;
  Py_INCREF(object);
  return object;
}

static PyObject *method_move_to(PyObject *self, PyObject *args) {
  float x, y;
  if (!PyArg_ParseTuple(args, "ff:move_to", &x, &y)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_move_to(path, x, y);
  return end(self);
}

static PyObject *method_line_to(PyObject *self, PyObject *args) {
  float x, y;
  if (!PyArg_ParseTuple(args, "ff:line_to", &x, &y)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_line_to(path, x, y);
  return end(self);
}

static PyObject *method_quad_to(PyObject *self, PyObject *args) {
  float x1, y1, x, y;
  if (!PyArg_ParseTuple(args, "ffff:quad_to", &x1, &y1, &x, &y)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_quad_to(path, x1, y1, x, y);
  return end(self);
}

static PyObject *method_cubic_to(PyObject *self, PyObject *args) {
  float x1, y1, x2, y2, x, y;
  if (!PyArg_ParseTuple(args, "ffffff:cubic_to", &x1, &y1, &x2, &y2, &x, &y)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_cubic_to(path, x1, y1, x2, y2, x, y);
  return end(self);
}

static PyObject *method_arc_to(PyObject *self, PyObject *args) {
  float rx, ry, rotation, x, y;
  int large, sweep;
  if (!PyArg_ParseTuple(args, "fffppff:arc_to", &rx, &ry, &rotation, &large, &sweep, &x, &y)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_arc_to(path, rx, ry, rotation, large, sweep, x, y);
  return end(self);
}

static PyObject *method_close(PyObject *self, PyObject *none) {
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_close(path);
  return end(self);
}

static PyObject *method_clear(PyObject *self, PyObject *none) {
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_clear(path);
  return end(self);
}

static PyObject *method_rect(PyObject *self, PyObject *args) {
  float x, y, width, height, rx = 0, ry = -1;
  if (!PyArg_ParseTuple(args, "ffff|ff:rect", &x, &y, &width, &height, &rx, &ry)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  if (rx > 0 || ry > 0)
    stijl_path_add_round_rect(path, x, y, width, height, rx, ry < 0 ? rx : ry);
  else
    stijl_path_add_rect(path, x, y, width, height);
  return end(self);
}

static PyObject *method_ellipse(PyObject *self, PyObject *args) {
  float cx, cy, rx, ry = -1;
  if (!PyArg_ParseTuple(args, "fff|f:ellipse", &cx, &cy, &rx, &ry)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  stijl_path_add_ellipse(path, cx, cy, rx, ry < 0 ? rx : ry);
  return end(self);
}

static PyObject *method_add(PyObject *self, PyObject *args) {
  PyObject *other;
  py_matrix matrix = {false, STIJL_MATRIX_IDENTITY};
  if (!PyArg_ParseTuple(args, "O!|O&:add", py_path_type, &other, py_to_matrix, &matrix)) return NULL;
  py_path *from = (py_path *)other;
  if (other != self && !py_read(&from->use, "path")) return NULL;
  stijl_path *path = begin(self);
  if (path) stijl_path_add_path(path, from->path, matrix.given ? &matrix.m : NULL);
  if (other != self) py_read_done(&from->use);
  return path ? end(self) : NULL;
}

static bool add_svg(stijl_path *path, const char *data, Py_ssize_t length) {
  size_t offset = 0;
  stijl_result result = stijl_path_add_svg(path, data, (size_t)length, &offset);
  if (result != STIJL_ERROR_MALFORMED) return true;  // what else there is sticks
  char text[96];
  snprintf(text, sizeof text, "path data: byte %zu is not what it should be (what is before it was added)", offset);
  return py_fail(result, text);
}

static PyObject *method_svg(PyObject *self, PyObject *args) {
  const char *data;
  Py_ssize_t length;
  if (!PyArg_ParseTuple(args, "s#:svg", &data, &length)) return NULL;
  stijl_path *path = begin(self);
  if (!path) return NULL;
  bool good = add_svg(path, data, length);
  PyObject *done = good ? end(self) : NULL;
  if (!good) py_change_done(&((py_path *)self)->use);
  return done;
}

// --- points of arrays ---

// Gets a view of numbers, n x 2, of doubles or floats, with any strides.
static bool get_points(PyObject *object, Py_buffer *view) {
  if (PyObject_GetBuffer(object, view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) return false;
  const char *f = view->format ? view->format : "B";
  if (view->ndim == 2 && view->shape[1] == 2 && (strcmp(f, "d") == 0 || strcmp(f, "f") == 0)) return true;
  PyBuffer_Release(view);
  PyErr_SetString(PyExc_TypeError, "points are an array of n x 2 numbers of 64 or 32 bits (float64, float32)");
  return false;
}

typedef struct {
  const char *base;
  Py_ssize_t row, column;
  bool wide;
} points_reader;

static points_reader read_points(const Py_buffer *view) {
  return (points_reader){view->buf, view->strides[0], view->strides[1], view->itemsize == 8};
}

// Reads a point. Returns false for one that is not finite.
static bool read_point(const points_reader *r, Py_ssize_t i, const double m[6], stijl_point *out) {
  const char *at = r->base + i * r->row;
  double x, y;
  if (r->wide) {
    memcpy(&x, at, 8);
    memcpy(&y, at + r->column, 8);
  } else {
    float a, b;
    memcpy(&a, at, 4);
    memcpy(&b, at + r->column, 4);
    x = (double)a;
    y = (double)b;
  }
  double tx = m[0] * x + m[2] * y + m[4], ty = m[1] * x + m[3] * y + m[5];
  *out = (stijl_point){(float)tx, (float)ty};
  return isfinite(tx) && isfinite(ty);
}

// Lines that may leave points out. A run of points that lie within a strip, upright or level, of the tolerance's width
// becomes its first point, the two that reach farthest along the strip, and its last: no line moves by more than the
// tolerance.
typedef struct {
  stijl_path *path;
  float tolerance;  // 0: all points stay
  stijl_point last, left, right, top, bottom;
  Py_ssize_t left_at, right_at, top_at, bottom_at;
  Py_ssize_t count;  // of the run; 0: none is open
} line_run;

static void end_run(line_run *r) {
  if (r->count > 2) {
    bool upright = r->right.x - r->left.x <= r->bottom.y - r->top.y;
    stijl_point a = upright ? r->top : r->left, b = upright ? r->bottom : r->right;
    Py_ssize_t a_at = upright ? r->top_at : r->left_at, b_at = upright ? r->bottom_at : r->right_at;
    if (a_at > b_at) {
      stijl_point swapped = a;
      Py_ssize_t at = a_at;
      a = b, a_at = b_at;
      b = swapped, b_at = at;
    }
    if (a_at > 0 && a_at < r->count - 1) stijl_path_line_to(r->path, a.x, a.y);
    if (b_at > 0 && b_at < r->count - 1 && b_at != a_at) stijl_path_line_to(r->path, b.x, b.y);
  }
  if (r->count > 1) stijl_path_line_to(r->path, r->last.x, r->last.y);
}

static void begin_run(line_run *r, stijl_point p) {
  r->last = r->left = r->right = r->top = r->bottom = p;
  r->left_at = r->right_at = r->top_at = r->bottom_at = 0;
  r->count = 1;
}

static bool joins_run(const line_run *r, stijl_point p) {
  float width = fmaxf(r->right.x, p.x) - fminf(r->left.x, p.x), height = fmaxf(r->bottom.y, p.y) - fminf(r->top.y, p.y);
  return width <= r->tolerance || height <= r->tolerance;
}

// Adds a point to a run. The first point behind the run begins the next one: the line to it is drawn by its own call.
static void add_to_run(line_run *r, stijl_point p) {
  if (!(r->tolerance > 0)) {
    stijl_path_line_to(r->path, p.x, p.y);
    return;
  }
  if (!joins_run(r, p)) {
    end_run(r);
    stijl_path_line_to(r->path, p.x, p.y);
    begin_run(r, p);
    return;
  }
  if (p.x < r->left.x) r->left = p, r->left_at = r->count;
  if (p.x > r->right.x) r->right = p, r->right_at = r->count;
  if (p.y < r->top.y) r->top = p, r->top_at = r->count;
  if (p.y > r->bottom.y) r->bottom = p, r->bottom_at = r->count;
  r->last = p;
  r->count++;
}

// Adds lines, with a gap where a point is not finite.
static void add_lines(stijl_path *path, const points_reader *r, Py_ssize_t count, const double m[6], float tolerance,
                      bool closed) {
  line_run run = {.path = path, .tolerance = tolerance};
  for (Py_ssize_t i = 0; i < count; i++) {
    stijl_point p;
    if (!read_point(r, i, m, &p)) {
      end_run(&run);
      run.count = 0;
    } else if (run.count) {
      add_to_run(&run, p);
    } else {
      stijl_path_move_to(path, p.x, p.y);
      begin_run(&run, p);
    }
  }
  end_run(&run);
  if (closed && count) stijl_path_close(path);
}

static bool get_transform(PyObject *object, double m[6]) {
  static const double identity[6] = {1, 0, 0, 1, 0, 0};
  memcpy(m, identity, sizeof identity);
  if (!object || object == Py_None) return true;
  if (!PySequence_Check(object) || PySequence_Size(object) != 6) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "a matrix is six numbers a, b, c, d, e, f, not %R", object);
    return false;
  }
  for (int i = 0; i < 6; i++) {
    PyObject *item = PySequence_GetItem(object, i);
    if (!item) return false;
    m[i] = PyFloat_AsDouble(item);
    Py_DECREF(item);
    if (PyErr_Occurred()) return false;
  }
  return true;
}

static PyObject *method_lines(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"points", "closed", "transform", "tolerance", NULL};
  PyObject *points, *transform = NULL;
  int closed = 0;
  float tolerance = 0;
  double m[6];
  Py_buffer view;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$pOf:lines", names, &points, &closed, &transform, &tolerance))
    return NULL;
  if (!get_transform(transform, m) || !get_points(points, &view)) return NULL;
  stijl_path *path = begin(self);
  if (path) {
    points_reader r = read_points(&view);
    py_call call;
    py_call_begin(&call, NULL);
    add_lines(path, &r, view.shape[0], m, tolerance, closed);
    py_call_end(&call, STIJL_OK, NULL);
  }
  PyBuffer_Release(&view);
  return path ? end(self) : NULL;
}

// --- points with codes: 1 move, 2 line, 3 quadratic, 4 cubic, 79 close, as matplotlib's and AGG's ---

// Returns how many points a segment takes that begins with this code; 0 for an unknown one.
static int points_of(unsigned char code) {
  return code == 3 ? 2 : code == 4 ? 3 : code == 1 || code == 2 || code == 79;
}

static bool add_coded(stijl_path *path, const points_reader *r, const unsigned char *codes, Py_ssize_t stride,
                      Py_ssize_t count, const double m[6]) {
  bool open = false;
  for (Py_ssize_t i = 0; i < count;) {
    unsigned char code = codes[i * stride];
    int n = points_of(code);
    if (code == 0) break;  // stop
    if (!n || i + n > count) return false;
    stijl_point p[3] = {{0, 0}, {0, 0}, {0, 0}};
    bool finite = true;
    for (int k = 0; k < n; k++) finite &= read_point(r, i + k, m, &p[k]);
    i += n;
    if (code == 79) {
      if (open) stijl_path_close(path);
    } else if (!finite) {
      open = false;
    } else if (code == 1 || !open) {
      stijl_path_move_to(path, p[n - 1].x, p[n - 1].y);  // behind a gap lines go on where their segment ends
      open = true;
    } else if (code == 2) {
      stijl_path_line_to(path, p[0].x, p[0].y);
    } else if (code == 3) {
      stijl_path_quad_to(path, p[0].x, p[0].y, p[1].x, p[1].y);
    } else {
      stijl_path_cubic_to(path, p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y);
    }
  }
  return true;
}

static PyObject *method_coded(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"points", "codes", "transform", NULL};
  PyObject *points, *coded, *transform = NULL;
  double m[6];
  Py_buffer view, codes;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:coded", names, &points, &coded, &transform)) return NULL;
  if (!get_transform(transform, m) || !get_points(points, &view)) return NULL;
  if (PyObject_GetBuffer(coded, &codes, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyBuffer_Release(&view);
    return NULL;
  }
  bool good = codes.ndim == 1 && codes.itemsize == 1 && codes.shape[0] == view.shape[0];
  stijl_path *path = good ? begin(self) : NULL;
  if (path) {
    points_reader r = read_points(&view);
    py_call call;
    py_call_begin(&call, NULL);
    good = add_coded(path, &r, codes.buf, codes.strides[0], view.shape[0], m);
    py_call_end(&call, STIJL_OK, NULL);
    if (!good) py_change_done(&((py_path *)self)->use);
  }
  PyBuffer_Release(&codes);
  PyBuffer_Release(&view);
  if (!good) PyErr_SetString(PyExc_ValueError, "codes are bytes, one for each point: 1, 2, 3 3, 4 4 4, or 79");
  return good && path ? end(self) : NULL;
}

// --- reading ---

static PyObject *bounds(PyObject *object, bool (*measure)(const stijl_path *, stijl_rect *)) {
  py_path *self = (py_path *)object;
  stijl_rect box;
  if (!py_read(&self->use, "path")) return NULL;
  bool any = measure(self->path, &box);
  py_read_done(&self->use);
  if (any) return py_from_rect(&box);
  Py_RETURN_NONE;
}

static PyObject *method_bounds(PyObject *self, PyObject *none) { return bounds(self, stijl_path_bounds); }
static PyObject *method_control_bounds(PyObject *self, PyObject *none) {
  return bounds(self, stijl_path_control_bounds);
}

static PyObject *segment(unsigned char verb, const stijl_point **p) {
  static const char *const names[] = {"M", "L", "Q", "C", "Z"};
  static const int counts[] = {1, 1, 2, 3, 0};
  int n = counts[verb];
  PyObject *tuple = PyTuple_New(1 + 2 * n);
  if (!tuple) return NULL;
  PyTuple_SetItem(tuple, 0, PyUnicode_FromString(names[verb]));
  for (int i = 0; i < n; i++, (*p)++) {
    PyTuple_SetItem(tuple, 1 + 2 * i, PyFloat_FromDouble((double)(*p)->x));
    PyTuple_SetItem(tuple, 2 + 2 * i, PyFloat_FromDouble((double)(*p)->y));
  }
  return tuple;
}

static PyObject *method_segments(PyObject *object, PyObject *none) {
  py_path *self = (py_path *)object;
  if (!py_read(&self->use, "path")) return NULL;
  const unsigned char *verbs;
  const stijl_point *p;
  size_t count = stijl_path_verbs(self->path, &verbs);
  stijl_path_points(self->path, &p);
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; list && i < count; i++) {
    PyObject *item = segment(verbs[i], &p);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) != 0) {
      Py_DECREF(list);
      list = NULL;
    }
  }
  py_read_done(&self->use);
  return list;
}

static int is_true(PyObject *self) { return !stijl_path_is_empty(((py_path *)self)->path); }

// --- the type ---

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"data", NULL};
  const char *data = NULL;
  Py_ssize_t length = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|z#:Path", names, &data, &length)) return NULL;
  py_path *self = py_new(type);
  if (!self) return NULL;
  stijl_result result = stijl_path_create(py_context, &self->path);
  bool good = result == STIJL_OK ? !data || add_svg(self->path, data, length) : py_fail(result, NULL);
  if (good && (result = stijl_path_status(self->path))) good = py_fail(result, NULL);
  if (good) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void destroy(PyObject *object) {
  stijl_path_destroy(((py_path *)object)->path);
  py_free(object);
}

static PyMethodDef methods[] = {
    PY_METHOD(move_to, METH_VARARGS, "move_to($self, x, y)\n--\n\nBegins a subpath."),
    PY_METHOD(line_to, METH_VARARGS, "line_to($self, x, y)\n--\n\nA line."),
    PY_METHOD(quad_to, METH_VARARGS, "quad_to($self, x1, y1, x, y)\n--\n\nA quadratic curve."),
    PY_METHOD(cubic_to, METH_VARARGS, "cubic_to($self, x1, y1, x2, y2, x, y)\n--\n\nA cubic curve."),
    PY_METHOD(arc_to, METH_VARARGS,
              "arc_to($self, rx, ry, rotation, large, sweep, x, y)\n--\n\nSVG's elliptical arc; degrees."),
    PY_METHOD(close, METH_NOARGS, "Closes the subpath."),
    PY_METHOD(clear, METH_NOARGS, "Empties the path."),
    PY_METHOD(rect, METH_VARARGS,
              "rect($self, x, y, width, height, rx=0, ry=None)\n--\n\nA rectangle, with radii of corners."),
    PY_METHOD(ellipse, METH_VARARGS,
              "ellipse($self, cx, cy, rx, ry=None)\n--\n\nAn ellipse; with one radius a circle."),
    PY_METHOD(add, METH_VARARGS, "add($self, other, transform=None)\n--\n\nA transformed copy of another path."),
    PY_METHOD(svg, METH_VARARGS, "svg($self, data)\n--\n\nSVG path data."),
    PY_METHOD(
        lines, PY_KEYWORDS,
        "lines($self, points, *, closed=False, transform=None)\n--\n\nLines through the points of an array, n x 2. "
        "Where one is not finite there is a gap."),
    PY_METHOD(coded, PY_KEYWORDS,
              "coded($self, points, codes, transform=None)\n--\n\nSegments of an array of points, n x 2, and n codes: "
              "1 moves, "
              "2 is a line,\n3 3 a quadratic and 4 4 4 a cubic curve, 79 closes, as matplotlib's paths have it."),
    PY_METHOD(bounds, METH_NOARGS, "The tight box (x0, y0, x1, y1); None for an empty path."),
    PY_METHOD(control_bounds, METH_NOARGS, "The box of all points, control points included; None for an empty path."),
    PY_METHOD(segments, METH_NOARGS, "A list of ('M', x, y), ('L', x, y), ('Q', ...), ('C', ...), ('Z',)."),
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc,
                               "Path(data=None)\n--\n\nLines and curves. `data` is SVG path data. Calls return the "
                               "path, to be followed by others."},
                              {Py_tp_new, (void *)create},
                              {Py_tp_dealloc, (void *)destroy},
                              {Py_tp_methods, methods},
                              {Py_nb_bool, (void *)is_true},
                              {0, NULL}};
static PyType_Spec spec = {"stijl.Path", sizeof(py_path), 0, Py_TPFLAGS_DEFAULT, slots};

bool py_path_init(PyObject *module) { return py_add_type(module, &spec, &py_path_type); }
