// Filters: graphs of effects, for layers. Each call returns the number of its result.
#include <string.h>

#include "module.h"

PyTypeObject *py_filter_type;

// Every call may be given these by name.
typedef struct {
  stijl_filter_options options;
  int linear;
  PyObject *region;
  stijl_rect rect;
} shared;

#define SHARED_FORMAT "pO"
#define SHARED_NAMES "linear", "region", NULL
#define SHARED_TARGETS(s) &(s).linear, &(s).region

static const shared defaults = {STIJL_FILTER_OPTIONS_INIT, 0, NULL, {0, 0, 0, 0}};

static stijl_filter *begin(PyObject *object, shared *s) {
  py_filter *self = (py_filter *)object;
  if (s && s->region && s->region != Py_None) {
    if (!py_to_rect(s->region, &s->rect)) return NULL;
    s->options.region = &s->rect;
  }
  if (s) s->options.linear = s->linear;
  return py_change(&self->use, "filter") ? self->filter : NULL;
}

static PyObject *end(PyObject *object, int number) {
  py_filter *self = (py_filter *)object;
  stijl_result status = stijl_filter_status(self->filter);
  if (status) py_fail(status, stijl_filter_message(self->filter));
  py_change_done(&self->use);
  return status ? NULL : PyLong_FromLong(number);
}

#define PARSE(format, ...) PyArg_ParseTupleAndKeywords(args, keywords, format, names, __VA_ARGS__, SHARED_TARGETS(s))
#define RESULT(call)                          \
  stijl_filter *f = begin(self, &s);          \
  const stijl_filter_options *o = &s.options; \
  return f ? end(self, call) : NULL

static PyObject *method_blur(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "x", "y", "edge", SHARED_NAMES};
  shared s = defaults;
  int in;
  float x, y = -1;
  stijl_filter_edge edge = STIJL_FILTER_EDGE_NONE;
  if (!PARSE("if|f$O&" SHARED_FORMAT ":blur", &in, &x, &y, py_to_edge, &edge)) return NULL;
  RESULT(stijl_filter_blur(f, o, in, x, y < 0 ? x : y, edge));
}

static PyObject *method_offset(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "dx", "dy", SHARED_NAMES};
  shared s = defaults;
  int in;
  float dx, dy;
  if (!PARSE("iff|$" SHARED_FORMAT ":offset", &in, &dx, &dy)) return NULL;
  RESULT(stijl_filter_offset(f, o, in, dx, dy));
}

static PyObject *method_alpha(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", SHARED_NAMES};
  shared s = defaults;
  int in;
  if (!PARSE("i|$" SHARED_FORMAT ":alpha", &in)) return NULL;
  RESULT(stijl_filter_alpha(f, o, in));
}

static PyObject *method_flood(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"color", SHARED_NAMES};
  shared s = defaults;
  stijl_color color;
  if (!PARSE("O&|$" SHARED_FORMAT ":flood", py_to_color, &color)) return NULL;
  RESULT(stijl_filter_flood(f, o, color));
}

static PyObject *method_color_matrix(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "matrix", SHARED_NAMES};
  shared s = defaults;
  int in;
  PyObject *matrix;
  float m[20];
  if (!PARSE("iO|$" SHARED_FORMAT ":color_matrix", &in, &matrix)) return NULL;
  if (!py_numbers(matrix, m, 20, "a colour matrix is 20 numbers, row after row")) return NULL;
  RESULT(stijl_filter_color_matrix(f, o, in, m));
}

// --- transfer functions ---

// Takes ("table", [...]), ("discrete", [...]), ("linear", a, b), ("gamma", a, exponent, b), or None.
static bool take_transfer(PyObject *object, stijl_transfer *out, float **values) {
  *out = (stijl_transfer){.kind = STIJL_TRANSFER_IDENTITY};
  if (!object || object == Py_None) return true;
  PyObject *tuple = PySequence_Tuple(object), *name = tuple && PyTuple_Size(tuple) ? PyTuple_GetItem(tuple, 0) : NULL;
  const char *kind = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  bool good = false;
  PyErr_Clear();
  if (kind && (strcmp(kind, "table") == 0 || strcmp(kind, "discrete") == 0)) {
    out->kind = *kind == 't' ? STIJL_TRANSFER_TABLE : STIJL_TRANSFER_DISCRETE;
    PyObject *list = PyTuple_Size(tuple) == 2 ? PyTuple_GetItem(tuple, 1) : NULL;
    good = list && py_float_list(list, values, &out->count, "a table is a list of numbers");
    out->values = *values;
  } else if (kind && strcmp(kind, "linear") == 0) {
    out->kind = STIJL_TRANSFER_LINEAR;
    good = PyArg_ParseTuple(tuple, "Off", &name, &out->a, &out->b);
  } else if (kind && strcmp(kind, "gamma") == 0) {
    out->kind = STIJL_TRANSFER_GAMMA;
    good = PyArg_ParseTuple(tuple, "Offf", &name, &out->a, &out->exponent, &out->b);
  }
  Py_XDECREF(tuple);
  if (!good && !PyErr_Occurred())
    PyErr_Format(
        PyExc_ValueError,
        "a transfer function is ('table', [...]), ('discrete', [...]), ('linear', a, b) or ('gamma', a, exponent, "
        "b), not %R",
        object);
  return good;
}

static PyObject *method_transfer(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "red", "green", "blue", "alpha", SHARED_NAMES};
  shared s = defaults;
  int in, number = 0;
  PyObject *given[4] = {NULL, NULL, NULL, NULL};
  if (!PARSE("i|OOOO$" SHARED_FORMAT ":transfer", &in, &given[0], &given[1], &given[2], &given[3])) return NULL;
  stijl_transfer functions[4];
  float *values[4] = {NULL, NULL, NULL, NULL};
  bool good = true;
  for (int i = 0; i < 4 && good; i++) good = take_transfer(given[i], &functions[i], &values[i]);
  stijl_filter *f = good ? begin(self, &s) : NULL;
  if (f) number = stijl_filter_transfer(f, &s.options, in, functions);
  for (int i = 0; i < 4; i++) PyMem_Free(values[i]);
  return f ? end(self, number) : NULL;
}

// --- several inputs ---

static PyObject *method_composite(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "input2", "operator", SHARED_NAMES};
  shared s = defaults;
  int in, in2;
  stijl_filter_operator op = STIJL_FILTER_OVER;
  if (!PARSE("ii|O&$" SHARED_FORMAT ":composite", &in, &in2, py_to_operator, &op)) return NULL;
  RESULT(stijl_filter_composite(f, o, in, in2, op));
}

static PyObject *method_arithmetic(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "input2", "k1", "k2", "k3", "k4", SHARED_NAMES};
  shared s = defaults;
  int in, in2;
  float k[4];
  if (!PARSE("iiffff|$" SHARED_FORMAT ":arithmetic", &in, &in2, &k[0], &k[1], &k[2], &k[3])) return NULL;
  RESULT(stijl_filter_arithmetic(f, o, in, in2, k));
}

static PyObject *method_blend(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "input2", "mode", SHARED_NAMES};
  shared s = defaults;
  int in, in2;
  stijl_blend mode = STIJL_BLEND_NORMAL;
  if (!PARSE("ii|O&$" SHARED_FORMAT ":blend", &in, &in2, py_to_blend, &mode)) return NULL;
  RESULT(stijl_filter_blend(f, o, in, in2, mode));
}

static PyObject *method_merge(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"inputs", SHARED_NAMES};
  shared s = defaults;
  PyObject *list;
  if (!PARSE("O|$" SHARED_FORMAT ":merge", &list)) return NULL;
  PyObject *tuple = PySequence_Tuple(list);
  if (!tuple) return NULL;
  size_t count = (size_t)PyTuple_Size(tuple);
  int *inputs = PyMem_Malloc((count + 1) * sizeof *inputs), number = 0;
  for (size_t i = 0; inputs && i < count && !PyErr_Occurred(); i++)
    inputs[i] = (int)PyLong_AsLong(PyTuple_GetItem(tuple, (Py_ssize_t)i));
  if (!inputs) PyErr_NoMemory();
  stijl_filter *f = PyErr_Occurred() ? NULL : begin(self, &s);
  if (f) number = stijl_filter_merge(f, &s.options, inputs, count);
  PyMem_Free(inputs);
  Py_DECREF(tuple);
  return f ? end(self, number) : NULL;
}

static PyObject *method_drop_shadow(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "dx", "dy", "deviation", "color", SHARED_NAMES};
  shared s = defaults;
  int in;
  float dx, dy, deviation;
  stijl_color color = {0, 0, 0, 1};
  if (!PARSE("ifff|O&$" SHARED_FORMAT ":drop_shadow", &in, &dx, &dy, &deviation, py_to_color, &color)) return NULL;
  RESULT(stijl_filter_drop_shadow(f, o, in, dx, dy, deviation, deviation, color));
}

static PyObject *method_morphology(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "dilate", "x", "y", SHARED_NAMES};
  shared s = defaults;
  int in, dilate;
  float x, y = -1;
  if (!PARSE("ipf|f$" SHARED_FORMAT ":morphology", &in, &dilate, &x, &y)) return NULL;
  RESULT(stijl_filter_morphology(f, o, in, dilate, x, y < 0 ? x : y));
}

static PyObject *method_convolve(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input",    "kernel",   "columns", "divisor",        "bias",
                          "target_x", "target_y", "edge",    "preserve_alpha", SHARED_NAMES};
  shared s = defaults;
  stijl_convolution c = STIJL_CONVOLUTION_INIT;
  int in, preserve = 0, number = 0;
  PyObject *kernel;
  if (!PARSE("iOi|$ffiiO&p" SHARED_FORMAT ":convolve", &in, &kernel, &c.columns, &c.divisor, &c.bias, &c.target_x,
             &c.target_y, py_to_edge, &c.edge, &preserve))
    return NULL;
  float *values;
  size_t count;
  if (!py_float_list(kernel, &values, &count, "a kernel is a list of numbers, row after row")) return NULL;
  if (c.columns < 1 || count == 0 || count > 1 << 20 || count % (size_t)c.columns) {
    PyMem_Free(values);
    py_fail(STIJL_ERROR_INVALID_ARGUMENT, "a kernel has whole rows of `columns` numbers, at most 1024 of 1024");
    return NULL;
  }
  c.rows = (int)(count / (size_t)c.columns);
  c.kernel = values;
  c.preserve_alpha = preserve;
  stijl_filter *f = begin(self, &s);
  if (f) number = stijl_filter_convolve(f, &s.options, in, &c);
  PyMem_Free(values);
  return f ? end(self, number) : NULL;
}

static PyObject *method_displace(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "map", "scale", "x", "y", SHARED_NAMES};
  shared s = defaults;
  int in, map;
  float scale;
  stijl_channel x = STIJL_CHANNEL_A, y = STIJL_CHANNEL_A;
  if (!PARSE("iif|O&O&$" SHARED_FORMAT ":displace", &in, &map, &scale, py_to_channel, &x, py_to_channel, &y))
    return NULL;
  RESULT(stijl_filter_displace(f, o, in, map, scale, x, y));
}

static PyObject *method_tile(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"input", "tile", SHARED_NAMES};
  shared s = defaults;
  int in;
  stijl_rect tile;
  if (!PARSE("iO&|$" SHARED_FORMAT ":tile", &in, py_to_rect, &tile)) return NULL;
  RESULT(stijl_filter_tile(f, o, in, tile));
}

static PyObject *method_turbulence(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"frequency_x", "frequency_y", "octaves", "seed", "fractal", "stitch", SHARED_NAMES};
  shared s = defaults;
  stijl_turbulence t = STIJL_TURBULENCE_INIT;
  int fractal = 0;
  float y = -1;
  PyObject *stitch = Py_None;
  stijl_rect tile;
  if (!PARSE("f|f$iipO" SHARED_FORMAT ":turbulence", &t.frequency_x, &y, &t.octaves, &t.seed, &fractal, &stitch))
    return NULL;
  if (stitch != Py_None && !py_to_rect(stitch, &tile)) return NULL;
  t.frequency_y = y < 0 ? t.frequency_x : y;
  t.fractal = fractal;
  t.stitch = stitch != Py_None ? &tile : NULL;
  RESULT(stijl_filter_turbulence(f, o, &t));
}

// --- light ---

static PyObject *light(PyObject *self, PyObject *args, PyObject *keywords, bool specular) {
  static char *names[] = {"input", "color",    "azimuth",  "elevation",     "at",        "points_at", "focus",
                          "cone",  "constant", "exponent", "surface_scale", SHARED_NAMES};
  shared s = defaults;
  stijl_light l = STIJL_LIGHT_INIT;
  int in;
  PyObject *at = Py_None, *to = Py_None;
  if (!PARSE("i|$O&ffOOfffff" SHARED_FORMAT ":light", &in, py_to_color, &l.color, &l.azimuth, &l.elevation, &at, &to,
             &l.focus, &l.cone, &l.constant, &l.exponent, &l.surface_scale))
    return NULL;
  float p[3];
  if (at != Py_None) {
    if (!py_numbers(at, p, 3, "a light stands at three numbers")) return NULL;
    l.kind = STIJL_LIGHT_POINT;
    l.x = p[0], l.y = p[1], l.z = p[2];
  }
  if (to != Py_None) {
    if (!py_numbers(to, p, 3, "a spot points at three numbers")) return NULL;
    l.kind = STIJL_LIGHT_SPOT;
    l.at_x = p[0], l.at_y = p[1], l.at_z = p[2];
  }
  RESULT(specular ? stijl_filter_specular_light(f, o, in, &l) : stijl_filter_diffuse_light(f, o, in, &l));
}

static PyObject *method_diffuse_light(PyObject *self, PyObject *args, PyObject *keywords) {
  return light(self, args, keywords, false);
}
static PyObject *method_specular_light(PyObject *self, PyObject *args, PyObject *keywords) {
  return light(self, args, keywords, true);
}

// --- other pictures ---

static PyObject *add_scene(PyObject *self, shared s, const stijl_scene *scene, const stijl_matrix *transform) {
  RESULT(stijl_filter_scene(f, o, scene, transform));
}

static PyObject *method_scene(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"scene", "transform", SHARED_NAMES};
  shared s = defaults;
  PyObject *scene;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  if (!PARSE("O!|O&$" SHARED_FORMAT ":scene", py_scene_type, &scene, py_to_matrix, &m)) return NULL;
  if (!py_scene_read((py_scene *)scene)) return NULL;
  PyObject *result = add_scene(self, s, ((py_scene *)scene)->scene, m.given ? &m.m : NULL);
  py_read_done(&((py_scene *)scene)->use);
  return result;
}

static PyObject *method_backdrop(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {SHARED_NAMES};
  shared s = defaults;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$" SHARED_FORMAT ":backdrop", names, SHARED_TARGETS(s)))
    return NULL;
  RESULT(stijl_filter_backdrop(f, o));
}

// --- the functions of CSS ---

#define CSS_FUNCTION(name)                                               \
  static PyObject *method_##name(PyObject *self, PyObject *args) {       \
    int in;                                                              \
    float amount;                                                        \
    if (!PyArg_ParseTuple(args, "if:" #name, &in, &amount)) return NULL; \
    stijl_filter *f = begin(self, NULL);                                 \
    return f ? end(self, stijl_filter_##name(f, in, amount)) : NULL;     \
  }
CSS_FUNCTION(brightness)
CSS_FUNCTION(contrast)
CSS_FUNCTION(grayscale)
CSS_FUNCTION(hue_rotate)
CSS_FUNCTION(invert)
CSS_FUNCTION(opacity)
CSS_FUNCTION(saturate)
CSS_FUNCTION(sepia)

// --- the type ---

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, ":Filter", names)) return NULL;
  py_filter *self = py_new(type);
  if (!self) return NULL;
  if (stijl_filter_create(py_context, &self->filter) == STIJL_OK) return (PyObject *)self;
  Py_DECREF(self);
  return PyErr_NoMemory();
}

static void destroy(PyObject *object) {
  stijl_filter_destroy(((py_filter *)object)->filter);
  py_free(object);
}

static PyMethodDef methods[] = {
    PY_METHOD(blur, PY_KEYWORDS, "Gaussian blur by standard deviations."),
    PY_METHOD(offset, PY_KEYWORDS, "Moves by whole pixels."),
    PY_METHOD(alpha, PY_KEYWORDS, "The input's alpha, black."),
    PY_METHOD(flood, PY_KEYWORDS, "One colour."),
    PY_METHOD(color_matrix, PY_KEYWORDS, "Straight colours times four rows of five: red, green, blue, alpha, one."),
    PY_METHOD(transfer, PY_KEYWORDS, "Functions of straight red, green, blue and alpha."),
    PY_METHOD(composite, PY_KEYWORDS, "Porter and Duff's operators, of the input on the second."),
    PY_METHOD(arithmetic, PY_KEYWORDS, "k1 a b + k2 a + k3 b + k4, of premultiplied colours."),
    PY_METHOD(blend, PY_KEYWORDS, "The input blended onto the second."),
    PY_METHOD(merge, PY_KEYWORDS, "One over the other, the first at the bottom."),
    PY_METHOD(drop_shadow, PY_KEYWORDS, "The input over its shadow."),
    PY_METHOD(morphology, PY_KEYWORDS, "The smallest or (dilate) largest of each channel within the radii."),
    PY_METHOD(convolve, PY_KEYWORDS, "A kernel over the pixels of the target."),
    PY_METHOD(displace, PY_KEYWORDS, "Each pixel from elsewhere, by two channels of a map."),
    PY_METHOD(tile, PY_KEYWORDS, "What lies within a rectangle, repeated."),
    PY_METHOD(turbulence, PY_KEYWORDS, "Perlin's noise."),
    PY_METHOD(diffuse_light, PY_KEYWORDS,
              "A surface whose height is the input's alpha, lit; a point with `at`, a spot with points_at."),
    PY_METHOD(specular_light, PY_KEYWORDS, "The same, as something that shines."),
    PY_METHOD(scene, PY_KEYWORDS, "What a scene draws."),
    PY_METHOD(backdrop, PY_KEYWORDS, "What was drawn below the layer."),
    PY_METHOD(brightness, METH_VARARGS, "CSS's function; 1 is 100 %."),
    PY_METHOD(contrast, METH_VARARGS, "CSS's function; 1 is 100 %."),
    PY_METHOD(grayscale, METH_VARARGS, "CSS's function; 1 is 100 %."),
    PY_METHOD(hue_rotate, METH_VARARGS, "CSS's function; degrees."),
    PY_METHOD(invert, METH_VARARGS, "CSS's function; 1 is 100 %."),
    PY_METHOD(opacity, METH_VARARGS, "CSS's function; 1 is 100 %."),
    PY_METHOD(saturate, METH_VARARGS, "CSS's function; 1 is 100 %."),
    PY_METHOD(sepia, METH_VARARGS, "CSS's function; 1 is 100 %."),
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Filter()\n--\n\nEffects that a layer's picture goes through. Each call returns the number of its result, which "
     "later "
     "calls take\nas their input, as they do SOURCE, SOURCE_ALPHA and NOTHING; the last one is drawn."},
    {Py_tp_new, (void *)create},
    {Py_tp_dealloc, (void *)destroy},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"stijl.Filter", sizeof(py_filter), 0, Py_TPFLAGS_DEFAULT, slots};

static bool set_input(const char *name, long value) {
  PyObject *number = PyLong_FromLong(value);
  bool good = number && PyObject_SetAttrString((PyObject *)py_filter_type, name, number) == 0;
  Py_XDECREF(number);
  return good;
}

bool py_filter_init(PyObject *module) {
  return py_add_type(module, &spec, &py_filter_type) && set_input("SOURCE", STIJL_FILTER_SOURCE) &&
         set_input("SOURCE_ALPHA", STIJL_FILTER_SOURCE_ALPHA) && set_input("NOTHING", STIJL_FILTER_NOTHING);
}
