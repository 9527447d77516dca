// SVG documents. Python's side of it (document.py) opens files and makes nodes of the numbers here.
#include <string.h>

#include "module.h"

PyTypeObject *py_document_type;

// --- loading ---

static bool load(py_document *self, const Py_buffer *data, stijl_svg_params *p) {
  p->budget = py_budget_enter(self->budget);
  p->fonts = self->fonts ? self->fonts->fonts : NULL;
  bool good = !self->fonts || py_read(&self->fonts->use, "fonts");
  if (good) {
    stijl_message message = {""};
    py_call call;
    py_call_begin(&call, p->budget);
    stijl_result result = stijl_svg_load(py_context, data->buf, (size_t)data->len, p, &self->svg, &message);
    good = py_call_end(&call, result, message.text);
    if (self->fonts) py_read_done(&self->fonts->use);
  }
  py_budget_leave(self->budget);
  return good;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"data",   "base_folder", "allow_all_files", "dpi",          "language",  "style_sheet",
                          "fonts",  "font_size",   "max_bytes",       "max_elements", "max_depth", "max_image_pixels",
                          "budget", NULL};
  stijl_svg_params p = STIJL_SVG_PARAMS_INIT;
  Py_buffer data;
  int all_files = 0;
  py_fonts *fonts = NULL;
  py_budget *budget = NULL;
  unsigned long long bytes = p.limits.max_bytes, pixels = p.image_limits.max_pixels;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "y*|$zpfszO&fKIIKO&:Document", names, &data, &p.base_folder,
                                   &all_files, &p.dpi, &p.language, &p.style_sheet, py_to_optional_fonts, &fonts,
                                   &p.font_size, &bytes, &p.limits.max_elements, &p.limits.max_depth, &pixels,
                                   py_to_optional_budget, &budget))
    return NULL;
  p.allow_all_files = all_files;
  p.limits.max_bytes = bytes;
  p.image_limits.max_pixels = pixels;
  py_document *self = py_new(type);
  if (self) {
    Py_XINCREF((PyObject *)fonts);
    self->fonts = fonts;
    Py_XINCREF((PyObject *)budget);
    self->budget = budget ? budget : py_budget_new(true);
  }
  bool good = self && self->budget && load(self, &data, &p);
  PyBuffer_Release(&data);
  if (good) return (PyObject *)self;
  Py_XDECREF((PyObject *)self);
  return NULL;
}

static void destroy(PyObject *object) {
  py_document *self = (py_document *)object;
  stijl_svg_destroy(self->svg);
  Py_XDECREF((PyObject *)self->budget);
  Py_XDECREF((PyObject *)self->fonts);
  py_free(object);
}

// --- size, scenes ---

static PyObject *get_size(PyObject *self, void *none) {
  float width, height;
  stijl_svg_size(((py_document *)self)->svg, &width, &height);
  return Py_BuildValue("(ff)", (double)width, (double)height);
}

static PyObject *method_fit(PyObject *module, PyObject *args) {
  double width, height, box_width, box_height, zoom;
  if (!PyArg_ParseTuple(args, "ddddd:fit", &width, &height, &box_width, &box_height, &zoom)) return NULL;
  stijl_svg_fitted f = stijl_svg_fit(width, height, box_width, box_height, zoom);
  return Py_BuildValue("(ffdd)", (double)f.width, (double)f.height, f.pixel_width, f.pixel_height);
}

static PyObject *method_record(PyObject *object, PyObject *args) {
  py_document *self = (py_document *)object;
  float width, height;
  unsigned int node = STIJL_SVG_NO_NODE;
  if (!PyArg_ParseTuple(args, "ff|I:_record", &width, &height, &node)) return NULL;
  if (self->fonts && !py_read(&self->fonts->use, "fonts")) return NULL;
  stijl_scene *scene = NULL;
  stijl_message message = {""};
  py_call call;
  py_call_begin(&call, py_budget_enter(self->budget));
  stijl_result result = node == STIJL_SVG_NO_NODE
                            ? stijl_svg_scene(self->svg, width, height, &scene, &message)
                            : stijl_svg_node_scene(self->svg, node, width, height, &scene, &message);
  bool good = py_call_end(&call, result, message.text);
  py_budget_leave(self->budget);
  if (self->fonts) py_read_done(&self->fonts->use);
  if (good) return (PyObject *)py_scene_wrap(scene, self->budget);
  stijl_scene_destroy(scene);
  return NULL;
}

// --- nodes ---

static PyObject *get_count(PyObject *self, void *none) {
  return PyLong_FromUnsignedLong(stijl_svg_nodes(((py_document *)self)->svg));
}

static PyObject *number(uint32_t node) {
  if (node == STIJL_SVG_NO_NODE) Py_RETURN_NONE;
  return PyLong_FromUnsignedLong(node);
}

static PyObject *method_node(PyObject *self, PyObject *args) {
  static const char *const kinds[] = {"group", "shape", "image", "text"};
  unsigned int index;
  if (!PyArg_ParseTuple(args, "I:_node", &index)) return NULL;
  stijl_svg_node n = STIJL_SVG_NODE_INIT;
  stijl_result result = stijl_svg_get_node(((py_document *)self)->svg, index, &n);
  if (result != STIJL_OK) {
    PyErr_SetString(PyExc_IndexError, "no such node");
    return NULL;
  }
  return Py_BuildValue("(sssINNN)", kinds[n.kind], n.element, n.id, n.end, number(n.parent),
                       py_from_matrix(&n.transform), py_from_matrix(&n.to_canvas));
}

static PyObject *method_find(PyObject *self, PyObject *args) {
  const char *id;
  if (!PyArg_ParseTuple(args, "s:_find", &id)) return NULL;
  return number(stijl_svg_find(((py_document *)self)->svg, id));
}

static PyObject *method_hit(PyObject *object, PyObject *args) {
  py_document *self = (py_document *)object;
  float x, y;
  if (!PyArg_ParseTuple(args, "ff:_hit", &x, &y)) return NULL;
  py_call call;
  py_call_begin(&call, py_budget_enter(self->budget));
  uint32_t node = stijl_svg_hit(self->svg, x, y);
  bool good = py_call_end(&call, STIJL_OK, NULL);
  py_budget_leave(self->budget);
  return good ? number(node) : NULL;
}

static PyObject *method_box(PyObject *object, PyObject *args) {
  py_document *self = (py_document *)object;
  unsigned int node;
  stijl_svg_box which;
  int canvas;
  if (!PyArg_ParseTuple(args, "IO&p:_box", &node, py_to_box, &which, &canvas)) return NULL;
  stijl_rect box;
  bool empty = false;
  py_call call;
  py_call_begin(&call, py_budget_enter(self->budget));
  stijl_result result = stijl_svg_get_box(self->svg, node, which, canvas, &box, &empty);
  bool good = py_call_end(&call, result, NULL);
  py_budget_leave(self->budget);
  if (!good) return NULL;
  if (empty) Py_RETURN_NONE;
  return py_from_rect(&box);
}

static PyMethodDef methods[] = {
    {"_record", method_record, METH_VARARGS, NULL}, {"_node", method_node, METH_VARARGS, NULL},
    {"_find", method_find, METH_VARARGS, NULL},     {"_hit", method_hit, METH_VARARGS, NULL},
    {"_box", method_box, METH_VARARGS, NULL},       {NULL, NULL, 0, NULL}};
static PyGetSetDef getters[] = {{"size", get_size, NULL, "The exact (width, height) in CSS pixels.", NULL},
                                {"node_count", get_count, NULL, "How many nodes the document draws.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, (void *)create},
                              {Py_tp_dealloc, (void *)destroy},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getters},
                              {0, NULL}};
static PyType_Spec spec = {"stijl._stijl.Document", sizeof(py_document), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           slots};

static PyMethodDef functions[] = {PY_METHOD(fit, METH_VARARGS, NULL), {NULL, NULL, 0, NULL}};

bool py_document_init(PyObject *module) {
  return py_add_type(module, &spec, &py_document_type) && PyModule_AddFunctions(module, functions) == 0;
}
