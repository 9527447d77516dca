// Pictures: pixels that Python sees where they are, by the buffer protocol.
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "stijl/image_writer.h"

PyTypeObject *py_picture_type;
static PyTypeObject *made_type;  // of those that draws make: Python's class, once it is there

py_picture *py_picture_new(int width, int height, stijl_format format) {
  if (width < 1 || height < 1 || width > 32767 || height > 32767) {
    char text[96];
    snprintf(text, sizeof text, "a picture of %d x %d pixels: its sides have 1 to 32767", width, height);
    py_fail(STIJL_ERROR_INVALID_ARGUMENT, text);
    return NULL;
  }
  py_picture *self = py_new(made_type);
  if (!self) return NULL;
  self->width = width;
  self->height = height;
  self->format = format;
  // Rows follow one another without a gap, so that views of it are contiguous.
  self->stride = (size_t)width * stijl_format_bytes(format);
  size_t bytes = self->stride * (size_t)height;
  self->pixels = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (self->pixels) return self;
  Py_DECREF(self);
  PyErr_NoMemory();
  return NULL;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"width", "height", "format", NULL};
  int width, height;
  stijl_format format = STIJL_FORMAT_RGBA8_STRAIGHT;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "ii|O&:Picture", names, &width, &height, py_to_format, &format))
    return NULL;
  py_picture *self = type == made_type || type == py_picture_type ? py_picture_new(width, height, format) : NULL;
  if (!self && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "pictures have no further classes");
  if (self) memset(self->pixels, 0, self->stride * (size_t)height);
  return (PyObject *)self;
}

static void destroy(PyObject *object) {
  free(((py_picture *)object)->pixels);
  py_free(object);
}

// Shape and strides of a view. Views keep the picture, and its size never changes.
typedef struct {
  Py_ssize_t shape[3], strides[3];
} view_size;

static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
  py_picture *self = (py_picture *)object;
  view_size *size = PyMem_Malloc(sizeof *size);
  view->obj = NULL;
  if (!size) {
    PyErr_NoMemory();
    return -1;
  }
  Py_ssize_t channels = (Py_ssize_t)stijl_format_bytes(self->format);
  *size = (view_size){{self->height, self->width, channels}, {(Py_ssize_t)self->stride, channels, 1}};
  view->buf = self->pixels;
  view->len = (Py_ssize_t)self->stride * self->height;
  view->itemsize = 1;
  view->readonly = 0;
  view->format = flags & PyBUF_FORMAT ? (char *)"B" : NULL;
  bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
  view->ndim = !shaped ? 1 : self->format == STIJL_FORMAT_A8 ? 2 : 3;
  view->shape = shaped ? size->shape : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? size->strides : NULL;
  view->suboffsets = NULL;
  view->internal = size;
  Py_INCREF(object);
  view->obj = object;
  return 0;
}

static void release_buffer(PyObject *object, Py_buffer *view) { PyMem_Free(view->internal); }

static PyObject *get_width(PyObject *self, void *none) { return PyLong_FromLong(((py_picture *)self)->width); }
static PyObject *get_height(PyObject *self, void *none) { return PyLong_FromLong(((py_picture *)self)->height); }
static PyObject *get_size(PyObject *self, void *none) {
  return Py_BuildValue("(ii)", ((py_picture *)self)->width, ((py_picture *)self)->height);
}
static PyObject *get_format(PyObject *self, void *none) {
  return PyUnicode_FromString(py_format_name(((py_picture *)self)->format));
}

static PyObject *get_array_interface(PyObject *object, void *none) {
  py_picture *self = (py_picture *)object;
  PyObject *shape = self->format == STIJL_FORMAT_A8 ? Py_BuildValue("(ii)", self->height, self->width)
                                                    : Py_BuildValue("(iii)", self->height, self->width, 4);
  PyObject *address = shape ? PyLong_FromVoidPtr(self->pixels) : NULL;
  if (!address) {
    Py_XDECREF(shape);
    return NULL;
  }
  return Py_BuildValue("{s:i,s:s,s:N,s:(NO)}", "version", 3, "typestr", "|u1", "shape", shape, "data", address,
                       Py_False);
}

static PyObject *encode(const py_picture *self, stijl_image_writer_params *params) {
  params->width = self->width;
  params->height = self->height;
  params->format = self->format;
  py_bytes bytes = {NULL, 0, 0};
  stijl_message message = {""};
  py_call call;
  py_call_begin(&call, NULL);
  stijl_result result =
      stijl_image_encode(py_context, params, self->pixels, self->stride, py_bytes_write, &bytes, &message);
  if (result == STIJL_ERROR_IO) result = STIJL_ERROR_OUT_OF_MEMORY;  // nothing else can fail to be written
  py_call_end(&call, result, message.text);
  return py_bytes_take(&bytes);
}

static PyObject *method_to_png(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"level", "threads", NULL};
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$ii:to_png", names, &params.level, &params.threads)) return NULL;
  return encode((py_picture *)object, &params);
}

static PyObject *method_encode(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"format", "quality", "background", "level", "threads", NULL};
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  const char *format;
  PyObject *quality = Py_None;
  stijl_color background = {1, 1, 1, 1};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|$OO&ii:encode", names, &format, &quality, py_to_color,
                                   &background, &params.level, &params.threads))
    return NULL;
  if (!stijl_file_format_find(format, &params.file_format)) {
    char text[96];
    snprintf(text, sizeof text, "no pictures are written as \"%.40s\"", format);
    py_fail(STIJL_ERROR_UNSUPPORTED, text);
    return NULL;
  }
  if (quality != Py_None) {
    params.quality = PyFloat_AsDouble(quality);
    if (PyErr_Occurred()) return NULL;
    // The default of the library, 0, is None here.
    if (params.quality == 0) params.quality = -1;
  }
  const float channels[] = {background.r, background.g, background.b};
  for (int i = 0; i < 3; i++)
    params.background[i] = (unsigned char)(channels[i] >= 1 ? 255 : channels[i] > 0 ? channels[i] * 255 + 0.5f : 0);
  return encode((py_picture *)object, &params);
}

static PyObject *represent(PyObject *object) {
  py_picture *self = (py_picture *)object;
  return PyUnicode_FromFormat("<stijl.Picture %d x %d %s>", self->width, self->height, py_format_name(self->format));
}

static PyMethodDef methods[] = {
    PY_METHOD(to_png, PY_KEYWORDS,
              "to_png(*, level=1, threads=0)\n--\n\nThe bytes of a PNG file. Levels go from 0 "
              "(not compressed) to 9 (small), and 10 tries all ways."),
    PY_METHOD(
        encode, PY_KEYWORDS,
        "encode(format, *, quality=None, background='white', level=1, threads=0)\n--\n\nThe bytes of a file: "
        "png, webp, jpeg, ppm, pam or rgba. quality: 1 to 100, of jpeg (90 without it) and webp (lossless without "
        "it). background: below what is translucent, of jpeg and ppm. level: of png."),
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getters[] = {
    {"width", get_width, NULL, "Pixels in a row.", NULL},
    {"height", get_height, NULL, "Rows.", NULL},
    {"size", get_size, NULL, "(width, height)", NULL},
    {"format", get_format, NULL, "RGBA, BGRA (straight), RGBa, BGRa (premultiplied) or A.", NULL},
    {"__array_interface__", get_array_interface, NULL, "NumPy's, of the same memory.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc,
                               "Picture(width, height, format='RGBA')\n--\n\nTransparent pixels, which draws fill.\n"
                               "A buffer of height x width x 4 bytes: numpy.asarray(picture) shares its memory."},
                              {Py_tp_new, (void *)create},
                              {Py_tp_dealloc, (void *)destroy},
                              {Py_tp_repr, (void *)represent},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getters},
                              {Py_bf_getbuffer, (void *)get_buffer},
                              {Py_bf_releasebuffer, (void *)release_buffer},
                              {0, NULL}};
// Python's side of it adds files (picture.py).
static PyType_Spec spec = {"stijl._stijl.Picture", sizeof(py_picture), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           slots};

static PyObject *method__use_picture(PyObject *module, PyObject *type) {
  if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, py_picture_type)) {
    PyErr_SetString(PyExc_TypeError, "a class of pictures");
    return NULL;
  }
  Py_INCREF(type);
  made_type = (PyTypeObject *)type;
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {PY_METHOD(_use_picture, METH_O, NULL), {NULL, NULL, 0, NULL}};

bool py_picture_init(PyObject *module) {
  if (!py_add_type(module, &spec, &py_picture_type)) return false;
  made_type = py_picture_type;
  return PyModule_AddFunctions(module, functions) == 0;
}
