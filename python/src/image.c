// Images: pixels and files that scenes draw.
#include <string.h>

#include "module.h"

PyTypeObject *py_image_type;

// --- pixels of other objects ---

static bool wrong_shape(PyObject *object) {
  PyErr_Format(PyExc_TypeError, "pixels are bytes (uint8) of height x width x 4, x 3, or height x width, not %R",
               object);
  return false;
}

static void copy_rows(py_pixels *out, const Py_buffer *b) {
  for (int y = 0; y < out->height; y++) {
    unsigned char *to = out->copy + (size_t)y * out->stride;
    for (int x = 0; x < out->width; x++)
      for (int c = 0; c < out->channels; c++)
        *to++ = ((const unsigned char *)
                     b->buf)[y * b->strides[0] + x * b->strides[1] + (b->ndim == 3 ? c * b->strides[2] : 0)];
  }
}

bool py_pixels_get(PyObject *object, py_pixels *out, bool writable) {
  *out = (py_pixels){.channels = 1};
  Py_buffer *b = &out->buffer;
  if (PyObject_GetBuffer(object, b, PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) != 0) return false;
  if (b->ndim == 3) out->channels = (int)b->shape[2];
  bool good = b->itemsize == 1 && (!b->format || strcmp(b->format, "B") == 0) && (b->ndim == 2 || b->ndim == 3) &&
              (out->channels == 1 || out->channels == 3 || out->channels == 4) && b->shape[0] >= 1 &&
              b->shape[0] <= 32767 && b->shape[1] >= 1 && b->shape[1] <= 32767;
  if (good) {
    out->height = (int)b->shape[0];
    out->width = (int)b->shape[1];
    out->stride = (size_t)out->width * (size_t)out->channels;
  }
  bool whole = good && b->strides[1] == out->channels && (b->ndim == 2 || b->strides[2] == 1) &&
               b->strides[0] >= (Py_ssize_t)out->stride;
  if (whole) {
    out->data = b->buf;
    out->stride = (size_t)b->strides[0];
    return true;
  }
  if (good && writable) {
    PyErr_SetString(PyExc_BufferError, "pixels to draw to lie side by side in each row, and rows go downward");
  } else if (good && (out->copy = PyMem_Malloc(out->stride * (size_t)out->height))) {
    copy_rows(out, b);
    out->data = out->copy;
    return true;
  } else if (good) {
    PyErr_NoMemory();
  } else {
    wrong_shape(object);
  }
  PyBuffer_Release(b);
  return false;
}

void py_pixels_done(py_pixels *pixels) {
  PyMem_Free(pixels->copy);
  PyBuffer_Release(&pixels->buffer);
}

// --- images ---

static PyObject *wrap(stijl_image *image) {
  py_image *self = py_new(py_image_type);
  if (self)
    self->image = image;
  else
    stijl_image_destroy(image);
  return (PyObject *)self;
}

static unsigned char *add_alpha(const py_pixels *pixels) {
  size_t width = (size_t)pixels->width, height = (size_t)pixels->height;
  unsigned char *rgba = PyMem_Malloc(width * height * 4), *to = rgba;
  for (size_t y = 0; rgba && y < height; y++) {
    const unsigned char *from = pixels->data + y * pixels->stride;
    for (size_t x = 0; x < width; x++, to += 4, from += 3) {
      memcpy(to, from, 3);
      to[3] = 255;
    }
  }
  if (!rgba) PyErr_NoMemory();
  return rgba;
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"pixels", "format", NULL};
  PyObject *object;
  stijl_format format = STIJL_FORMAT_RGBA8_STRAIGHT;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O&:Image", names, &object, py_to_format, &format)) return NULL;
  if (PyObject_TypeCheck(object, py_picture_type)) format = ((py_picture *)object)->format;
  py_pixels pixels;
  if (!py_pixels_get(object, &pixels, false)) return NULL;
  if (pixels.channels == 1) format = STIJL_FORMAT_A8;
  bool swapped = format == STIJL_FORMAT_BGRA8 || format == STIJL_FORMAT_BGRA8_STRAIGHT;
  unsigned char *rgba = pixels.channels == 3 ? add_alpha(&pixels) : NULL;
  stijl_image *image = NULL;
  if (pixels.channels == 4 && format == STIJL_FORMAT_A8) {
    wrong_shape(object);
  } else if (pixels.channels != 3 || rgba) {
    if (rgba) format = swapped ? STIJL_FORMAT_BGRA8 : STIJL_FORMAT_RGBA8;  // opaque: both are the same
    py_call call;
    py_call_begin(&call, NULL);
    stijl_result result = stijl_image_create(py_context, pixels.width, pixels.height, format, rgba ? rgba : pixels.data,
                                             rgba ? (size_t)pixels.width * 4 : pixels.stride, &image);
    if (!py_call_end(&call, result, NULL)) {
      stijl_image_destroy(image);
      image = NULL;
    }
  }
  PyMem_Free(rgba);
  py_pixels_done(&pixels);
  return image ? wrap(image) : NULL;
}

static PyObject *method_decode(PyObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"data", "max_pixels", "budget", NULL};
  Py_buffer data;
  unsigned long long max_pixels = 0;
  py_budget *budget = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "y*|$KO&:decode", names, &data, &max_pixels, py_to_optional_budget,
                                   &budget))
    return NULL;
  stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
  if (max_pixels) limits.max_pixels = max_pixels;
  stijl_image *image = NULL;
  stijl_message message = {""};
  stijl_budget *shared = py_budget_enter(budget);
  stijl_context *context = shared ? stijl_budget_context(shared) : py_context;
  py_call call;
  py_call_begin(&call, shared);
  stijl_result result = stijl_image_decode(context, data.buf, (size_t)data.len, &limits, &image, &message);
  bool good = py_call_end(&call, result, message.text);
  py_budget_leave(budget);
  PyBuffer_Release(&data);
  if (good) return wrap(image);
  stijl_image_destroy(image);
  return NULL;
}

static void destroy(PyObject *object) {
  stijl_image_destroy(((py_image *)object)->image);
  py_free(object);
}

static PyObject *get_width(PyObject *self, void *none) {
  return PyLong_FromLong(stijl_image_width(((py_image *)self)->image));
}
static PyObject *get_height(PyObject *self, void *none) {
  return PyLong_FromLong(stijl_image_height(((py_image *)self)->image));
}
static PyObject *get_format(PyObject *self, void *none) {
  return PyUnicode_FromString(py_format_name(stijl_image_format(((py_image *)self)->image)));
}

// Gives the stored pixels, which may only be read.
static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
  const stijl_image *image = ((py_image *)object)->image;
  Py_ssize_t *size = PyMem_Malloc(6 * sizeof *size),
             channels = (Py_ssize_t)stijl_format_bytes(stijl_image_format(image));
  size_t stride;
  void *pixels = (void *)(uintptr_t)stijl_image_pixels(image, &stride);
  view->obj = NULL;
  bool whole = stride == (size_t)stijl_image_width(image) * (size_t)channels;
  if (!size || (flags & PyBUF_WRITABLE) || (!whole && (flags & PyBUF_STRIDES) != PyBUF_STRIDES)) {
    PyMem_Free(size);
    PyErr_SetString(PyExc_BufferError, "the pixels of an image are read only, by rows");
    return -1;
  }
  Py_ssize_t all[6] = {stijl_image_height(image), stijl_image_width(image), channels, (Py_ssize_t)stride, channels, 1};
  memcpy(size, all, sizeof all);
  bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
  view->buf = pixels;
  view->len = all[0] * all[1] * channels;
  view->itemsize = 1;
  view->readonly = 1;
  view->format = flags & PyBUF_FORMAT ? (char *)"B" : NULL;
  view->ndim = !shaped ? 1 : channels == 1 ? 2 : 3;
  view->shape = shaped ? size : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? size + 3 : NULL;
  view->suboffsets = NULL;
  view->internal = size;
  Py_INCREF(object);
  view->obj = object;
  return 0;
}

static void release_buffer(PyObject *object, Py_buffer *view) { PyMem_Free(view->internal); }

static PyMethodDef methods[] = {
    PY_METHOD(
        decode, PY_KEYWORDS | METH_STATIC,
        "decode(data, *, max_pixels=2**28, budget=None)\n--\n\nThe image of a PNG, JPEG, WebP or GIF file's bytes."),
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getters[] = {{"width", get_width, NULL, "Pixels in a row.", NULL},
                                {"height", get_height, NULL, "Rows.", NULL},
                                {"format", get_format, NULL, "RGBa or A, as it is kept.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc, "An image that scenes and paints draw. It never changes."},
                              {Py_tp_new, (void *)create},
                              {Py_tp_dealloc, (void *)destroy},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getters},
                              {Py_bf_getbuffer, (void *)get_buffer},
                              {Py_bf_releasebuffer, (void *)release_buffer},
                              {0, NULL}};
static PyType_Spec spec = {"stijl.Image", sizeof(py_image), 0, Py_TPFLAGS_DEFAULT, slots};

bool py_image_init(PyObject *module) { return py_add_type(module, &spec, &py_image_type); }
