// Arguments: names, numbers, colours, matrices.
#include <stdlib.h>
#include <string.h>

#include "module.h"

// --- names ---

static int find_name(PyObject *object, const char *const *names, const char *what, int *out) {
  const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, NULL) : NULL;
  if (PyErr_Occurred()) return 0;
  for (int i = 0; text && names[i]; i++) {
    if (strcmp(text, names[i]) == 0) {
      *out = i;
      return 1;
    }
  }
  char list[512] = "";
  for (int i = 0; names[i]; i++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", names[i]);
  }
  PyErr_Format(text ? PyExc_ValueError : PyExc_TypeError, "%s is one of %s, not %R", what, list, object);
  return 0;
}

// An enumeration of the library's whose values are 0, 1, ...; the names are those of SVG and CSS where they have any.
#define NAMES(function, type, what, ...)                    \
  int function(PyObject *object, void *out) {               \
    static const char *const names[] = {__VA_ARGS__, NULL}; \
    int value;                                              \
    if (!find_name(object, names, what, &value)) return 0;  \
    *(type *)out = (type)value;                             \
    return 1;                                               \
  }

static const char *const format_names[] = {"RGBa", "BGRa", "RGBA", "BGRA", "A", NULL};
int py_to_format(PyObject *object, void *out) {
  int value;
  if (!find_name(object, format_names, "format", &value)) return 0;
  *(stijl_format *)out = (stijl_format)value;
  return 1;
}
const char *py_format_name(stijl_format format) { return format_names[format]; }

NAMES(py_to_spread, stijl_spread, "spread", "pad", "repeat", "reflect", "none")
NAMES(py_to_sampling, stijl_sampling, "sampling", "nearest", "bilinear", "bicubic")
NAMES(py_to_fill_rule, stijl_fill_rule, "rule", "nonzero", "evenodd")
NAMES(py_to_cap, stijl_cap, "cap", "butt", "round", "square")
NAMES(py_to_join, stijl_join, "join", "miter", "round", "bevel", "miter-clip")
NAMES(py_to_blend, stijl_blend, "blend", "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge",
      "color-burn", "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity",
      "plus-lighter")
NAMES(py_to_mask, stijl_mask, "kind", "alpha", "luminance", "luminance-linear")
NAMES(py_to_box, stijl_svg_box, "which", "object", "stroke", "layer")
NAMES(py_to_slant, stijl_font_slant, "slant", "normal", "italic", "oblique")
NAMES(py_to_align, stijl_align, "align", "start", "end", "left", "right", "center", "justify")
NAMES(py_to_direction, stijl_direction, "direction", "auto", "ltr", "rtl")
NAMES(py_to_family, stijl_generic_family, "generic", "default", "serif", "sans-serif", "cursive", "fantasy",
      "monospace")
NAMES(py_to_backend, stijl_backend, "backend", "auto", "cpu", "vulkan")
NAMES(py_to_isa, stijl_isa, "isa", "auto", "scalar", "sse", "avx2", "avx512", "neon", "wasm")
NAMES(py_to_edge, stijl_filter_edge, "edge", "none", "duplicate", "wrap")
NAMES(py_to_operator, stijl_filter_operator, "operator", "over", "in", "out", "atop", "xor", "lighter")
NAMES(py_to_channel, stijl_channel, "channel", "R", "G", "B", "A")

// --- numbers ---

bool py_numbers(PyObject *object, float *out, Py_ssize_t count, const char *what) {
  Py_ssize_t length = PySequence_Check(object) && !PyUnicode_Check(object) ? PySequence_Size(object) : -1;
  if (length != count) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s, not %R", what, object);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *item = PySequence_GetItem(object, i);
    if (!item) return false;
    out[i] = (float)PyFloat_AsDouble(item);
    Py_DECREF(item);
    if (PyErr_Occurred()) return false;
  }
  return true;
}

bool py_float_list(PyObject *object, float **out, size_t *count, const char *what) {
  *out = NULL;
  *count = 0;
  if (!object || object == Py_None) return true;
  Py_ssize_t length = PySequence_Check(object) ? PySequence_Size(object) : -1;
  if (length < 0) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s, not %R", what, object);
    return false;
  }
  *out = PyMem_Malloc(((size_t)length + 1) * sizeof **out);
  *count = (size_t)length;
  if (*out && py_numbers(object, *out, length, what)) return true;
  if (!*out) PyErr_NoMemory();
  PyMem_Free(*out);
  *out = NULL;
  return false;
}

int py_to_matrix(PyObject *object, void *out) {
  py_matrix *matrix = out;
  matrix->given = object != Py_None;
  matrix->m = stijl_matrix_identity();
  float n[6];
  if (!matrix->given) return 1;
  if (!py_numbers(object, n, 6, "a matrix is six numbers a, b, c, d, e, f")) return 0;
  matrix->m = (stijl_matrix){n[0], n[1], n[2], n[3], n[4], n[5]};
  return 1;
}

int py_to_point(PyObject *object, void *out) {
  float n[2];
  if (!py_numbers(object, n, 2, "a point is two numbers x, y")) return 0;
  *(stijl_point *)out = (stijl_point){n[0], n[1]};
  return 1;
}

int py_to_rect(PyObject *object, void *out) {
  float n[4];
  if (!py_numbers(object, n, 4, "a rectangle is four numbers x0, y0, x1, y1")) return 0;
  *(stijl_rect *)out = (stijl_rect){n[0], n[1], n[2], n[3]};
  return 1;
}

int py_to_color(PyObject *object, void *out) {
  stijl_color *color = out;
  if (object == Py_None) {
    *color = (stijl_color){0, 0, 0, 0};
    return 1;
  }
  if (PyUnicode_Check(object)) {
    const char *text = PyUnicode_AsUTF8AndSize(object, NULL);
    if (!text) return 0;
    if (stijl_color_parse(text, color) == STIJL_OK) return 1;
    PyErr_Format(PyExc_ValueError, "%R is no colour of CSS", object);
    return 0;
  }
  float n[4] = {0, 0, 0, 1};
  Py_ssize_t length = PySequence_Check(object) ? PySequence_Size(object) : -1;
  if (length != 3) length = 4;
  if (!py_numbers(object, n, length, "a colour is a text of CSS's, or three or four numbers from 0 to 1")) return 0;
  *color = (stijl_color){n[0], n[1], n[2], n[3]};
  return 1;
}

PyObject *py_from_matrix(const stijl_matrix *m) {
  return Py_BuildValue("(ffffff)", (double)m->a, (double)m->b, (double)m->c, (double)m->d, (double)m->e, (double)m->f);
}

PyObject *py_from_rect(const stijl_rect *r) {
  return Py_BuildValue("(ffff)", (double)r->x0, (double)r->y0, (double)r->x1, (double)r->y1);
}

// --- bytes ---

bool py_bytes_write(void *user, const void *data, size_t count) {
  py_bytes *bytes = user;
  if (bytes->length + count > bytes->capacity) {
    size_t capacity = (bytes->length + count) * 3 / 2 + 4096;
    char *larger = realloc(bytes->data, capacity);
    if (!larger) return false;
    bytes->data = larger;
    bytes->capacity = capacity;
  }
  if (count) memcpy(bytes->data + bytes->length, data, count);
  bytes->length += count;
  return true;
}

PyObject *py_bytes_take(py_bytes *bytes) {
  PyObject *object = PyErr_Occurred() ? NULL : PyBytes_FromStringAndSize(bytes->data, (Py_ssize_t)bytes->length);
  free(bytes->data);
  *bytes = (py_bytes){NULL, 0, 0};
  return object;
}

// --- matrices and colours as functions ---

static PyObject *method_matrix_rotate(PyObject *self, PyObject *args) {
  float degrees;
  if (!PyArg_ParseTuple(args, "f:matrix_rotate", &degrees)) return NULL;
  stijl_matrix m = stijl_matrix_rotate(degrees);
  return py_from_matrix(&m);
}

static PyObject *method_matrix_skew(PyObject *self, PyObject *args) {
  float x, y;
  if (!PyArg_ParseTuple(args, "ff:matrix_skew", &x, &y)) return NULL;
  stijl_matrix m = stijl_matrix_skew(x, y);
  return py_from_matrix(&m);
}

static PyObject *method_matrix_multiply(PyObject *self, PyObject *args) {
  py_matrix outer, inner;
  if (!PyArg_ParseTuple(args, "O&O&:matrix_multiply", py_to_matrix, &outer, py_to_matrix, &inner)) return NULL;
  stijl_matrix m = stijl_matrix_multiply(outer.m, inner.m);
  return py_from_matrix(&m);
}

static PyObject *method_matrix_invert(PyObject *self, PyObject *args) {
  py_matrix given;
  if (!PyArg_ParseTuple(args, "O&:matrix_invert", py_to_matrix, &given)) return NULL;
  stijl_matrix m;
  if (stijl_matrix_invert(given.m, &m)) return py_from_matrix(&m);
  py_fail(STIJL_ERROR_INVALID_ARGUMENT, "the matrix has no finite inverse");
  return NULL;
}

static PyObject *method_matrix_apply(PyObject *self, PyObject *args) {
  py_matrix matrix;
  stijl_point p;
  if (!PyArg_ParseTuple(args, "O&O&:matrix_apply", py_to_matrix, &matrix, py_to_point, &p)) return NULL;
  p = stijl_matrix_apply(matrix.m, p);
  return Py_BuildValue("(ff)", (double)p.x, (double)p.y);
}

static PyObject *method_matrix_apply_rect(PyObject *self, PyObject *args) {
  py_matrix matrix;
  stijl_rect r;
  if (!PyArg_ParseTuple(args, "O&O&:matrix_apply_rect", py_to_matrix, &matrix, py_to_rect, &r)) return NULL;
  r = stijl_matrix_apply_rect(matrix.m, r);
  return py_from_rect(&r);
}

static PyObject *method_color(PyObject *self, PyObject *args) {
  stijl_color c;
  if (!PyArg_ParseTuple(args, "O&:color", py_to_color, &c)) return NULL;
  return Py_BuildValue("(ffff)", (double)c.r, (double)c.g, (double)c.b, (double)c.a);
}

PyMethodDef py_math_methods[] = {
    PY_METHOD(matrix_rotate, METH_VARARGS, NULL),   PY_METHOD(matrix_skew, METH_VARARGS, NULL),
    PY_METHOD(matrix_multiply, METH_VARARGS, NULL), PY_METHOD(matrix_invert, METH_VARARGS, NULL),
    PY_METHOD(matrix_apply, METH_VARARGS, NULL),    PY_METHOD(matrix_apply_rect, METH_VARARGS, NULL),
    PY_METHOD(color, METH_VARARGS, NULL),           {NULL, NULL, 0, NULL}};
