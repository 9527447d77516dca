// Paints: what fills and strokes are painted with.
#include <string.h>

#include "module.h"

PyTypeObject *py_paint_type;

static py_paint *new_paint(stijl_paint_kind kind) {
  py_paint *self = py_new(py_paint_type);
  if (!self) return NULL;
  self->paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  self->paint.kind = kind;
  return self;
}

static void destroy(PyObject *object) {
  py_paint *self = (py_paint *)object;
  PyMem_Free(self->stops);
  if (self->paint.scene) py_read_done(&((py_scene *)self->source)->use);
  Py_XDECREF(self->source);
  py_free(object);
}

// Takes a sequence of (offset, colour).
static bool take_stops(py_paint *self, PyObject *stops) {
  Py_ssize_t count = PySequence_Check(stops) ? PySequence_Size(stops) : -1;
  if (count < 0) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "stops are pairs of an offset and a colour, not %R", stops);
    return false;
  }
  if (!(self->stops = PyMem_Calloc((size_t)count + 1, sizeof *self->stops))) {
    PyErr_NoMemory();
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *item = PySequence_GetItem(stops, i), *pair = item ? PySequence_Tuple(item) : NULL;
    bool good = pair && PyArg_ParseTuple(pair, "fO&;a stop is an offset and a colour", &self->stops[i].offset,
                                         py_to_color, &self->stops[i].color);
    Py_XDECREF(item);
    Py_XDECREF(pair);
    if (!good) return false;
  }
  self->paint.stops = self->stops;
  self->paint.stop_count = (size_t)count;
  return true;
}

// Returns the paint with what its constructor was given last, or NULL where an exception was raised.
static PyObject *done(py_paint *self, const py_matrix *transform, bool good) {
  if (good && transform && transform->given) self->paint.transform = transform->m;
  if (good) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static PyObject *method_solid(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"color", "opacity", "aliased", NULL};
  py_paint *self = new_paint(STIJL_PAINT_SOLID);
  if (!self) return NULL;
  int aliased = 0;
  bool good = PyArg_ParseTupleAndKeywords(args, keywords, "O&|$fp:solid", names, py_to_color, &self->paint.color,
                                          &self->paint.opacity, &aliased);
  self->paint.aliased = aliased;
  return done(self, NULL, good);
}

static PyObject *method_linear(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"start", "end", "stops", "spread", "transform", "opacity", NULL};
  py_paint *self = new_paint(STIJL_PAINT_LINEAR);
  if (!self) return NULL;
  stijl_paint *p = &self->paint;
  PyObject *stops;
  py_matrix transform = {false, STIJL_MATRIX_IDENTITY};
  bool good =
      PyArg_ParseTupleAndKeywords(args, keywords, "O&O&O|$O&O&f:linear", names, py_to_point, &p->p0, py_to_point,
                                  &p->p1, &stops, py_to_spread, &p->spread_x, py_to_matrix, &transform, &p->opacity) &&
      take_stops(self, stops);
  return done(self, &transform, good);
}

static PyObject *method_radial(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"center", "radius", "stops", "focus", "focus_radius", "spread", "transform", "opacity", NULL};
  py_paint *self = new_paint(STIJL_PAINT_RADIAL);
  if (!self) return NULL;
  stijl_paint *p = &self->paint;
  PyObject *stops, *focus = Py_None;
  py_matrix transform = {false, STIJL_MATRIX_IDENTITY};
  bool good =
      PyArg_ParseTupleAndKeywords(args, keywords, "O&fO|$OfO&O&f:radial", names, py_to_point, &p->p1, &p->r1, &stops,
                                  &focus, &p->r0, py_to_spread, &p->spread_x, py_to_matrix, &transform, &p->opacity) &&
      take_stops(self, stops);
  p->p0 = p->p1;
  if (good && focus != Py_None) good = py_to_point(focus, &p->p0);
  return done(self, &transform, good);
}

static PyObject *method_sweep(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"center", "start_angle", "end_angle", "stops", "spread", "transform", "opacity", NULL};
  py_paint *self = new_paint(STIJL_PAINT_SWEEP);
  if (!self) return NULL;
  stijl_paint *p = &self->paint;
  PyObject *stops;
  py_matrix transform = {false, STIJL_MATRIX_IDENTITY};
  bool good = PyArg_ParseTupleAndKeywords(args, keywords, "O&ffO|$O&O&f:sweep", names, py_to_point, &p->p0,
                                          &p->start_angle, &p->end_angle, &stops, py_to_spread, &p->spread_x,
                                          py_to_matrix, &transform, &p->opacity) &&
              take_stops(self, stops);
  return done(self, &transform, good);
}

static PyObject *method_image(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"image", "spread_x", "spread_y", "sampling", "transform", "opacity", NULL};
  py_paint *self = new_paint(STIJL_PAINT_IMAGE);
  if (!self) return NULL;
  stijl_paint *p = &self->paint;
  p->sampling = STIJL_SAMPLING_BILINEAR;
  PyObject *image;
  py_matrix transform = {false, STIJL_MATRIX_IDENTITY};
  bool good = PyArg_ParseTupleAndKeywords(args, keywords, "O!|$O&O&O&O&f:image", names, py_image_type, &image,
                                          py_to_spread, &p->spread_x, py_to_spread, &p->spread_y, py_to_sampling,
                                          &p->sampling, py_to_matrix, &transform, &p->opacity);
  if (good) {
    Py_INCREF(image);
    self->source = image;
    p->image = ((py_image *)image)->image;
  }
  return done(self, &transform, good);
}

static PyObject *method_pattern(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"scene", "tile", "spread_x", "spread_y", "sampling", "transform", "opacity", NULL};
  py_paint *self = new_paint(STIJL_PAINT_SCENE);
  if (!self) return NULL;
  stijl_rect tile;
  stijl_paint *p = &self->paint;
  p->spread_x = p->spread_y = STIJL_SPREAD_REPEAT;
  p->sampling = STIJL_SAMPLING_BILINEAR;
  PyObject *scene;
  py_matrix transform = {false, STIJL_MATRIX_IDENTITY};
  bool good = PyArg_ParseTupleAndKeywords(args, keywords, "O!O&|$O&O&O&O&f:pattern", names, py_scene_type, &scene,
                                          py_to_rect, &tile, py_to_spread, &p->spread_x, py_to_spread, &p->spread_y,
                                          py_to_sampling, &p->sampling, py_to_matrix, &transform, &p->opacity) &&
              py_scene_read((py_scene *)scene);
  if (good) {
    Py_INCREF(scene);
    self->source = scene;
    p->scene = ((py_scene *)scene)->scene;  // it is read as long as the paint lives
    p->p0 = (stijl_point){tile.x0, tile.y0};
    p->p1 = (stijl_point){tile.x1, tile.y1};
  }
  return done(self, &transform, good);
}

int py_to_paint(PyObject *object, void *out) {
  stijl_paint *paint = out;
  if (PyObject_TypeCheck(object, py_paint_type)) {
    py_paint *self = (py_paint *)object;
    *paint = self->paint;
    return 1;
  }
  *paint = stijl_paint_solid((stijl_color){0, 0, 0, 1});
  if (object != Py_None) return py_to_color(object, &paint->color);
  PyErr_SetString(PyExc_TypeError, "a paint is a stijl.Paint or a colour, not None");
  return 0;
}

#define STATIC (PY_KEYWORDS | METH_STATIC)
static PyMethodDef methods[] = {
    PY_METHOD(solid, STATIC, "solid(color, *, opacity=1, aliased=False)\n--\n\nOne colour; aliased: whole pixels."),
    PY_METHOD(linear, STATIC,
              "linear(start, end, stops, *, spread='pad', transform=None, opacity=1)\n--\n\nFrom one point to another. "
              "Stops are pairs of an offset, 0 to 1, and a colour."),
    PY_METHOD(
        radial, STATIC,
        "radial(center, radius, stops, *, focus=None, focus_radius=0, spread='pad', transform=None, opacity=1)\n--\n\n"
        "From a focus, by default the centre, to a circle."),
    PY_METHOD(
        sweep, STATIC,
        "sweep(center, start_angle, end_angle, stops, *, spread='pad', transform=None, opacity=1)\n--\n\nAround a "
        "point, clockwise where y points down; degrees."),
    PY_METHOD(image, STATIC,
              "image(image, *, spread_x='pad', spread_y='pad', sampling='bilinear', transform=None, opacity=1)\n--\n\n"
              "An image, one unit a pixel."),
    PY_METHOD(pattern, STATIC,
              "pattern(scene, tile, *, spread_x='repeat', spread_y='repeat', sampling='bilinear', transform=None, "
              "opacity=1)\n--\n\nThe rectangle `tile` of a scene, repeated."),
    {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_doc, "What fills and strokes are painted with. Where one is asked for, a colour is one as well."},
    {Py_tp_dealloc, (void *)destroy},
    {Py_tp_methods, methods},
    {0, NULL}};
static PyType_Spec spec = {"stijl.Paint", sizeof(py_paint), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

bool py_paint_init(PyObject *module) { return py_add_type(module, &spec, &py_paint_type); }
