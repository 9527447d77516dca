// What the files of the extension module `stijl._stijl` share.
//
// It is built on the limited API of Python 3.11, so that one file serves this version and all later ones. There is one
// context of the library's for the process, which is never destroyed: no object can outlive it. Which call a warning
// belongs to is told by the thread that it comes from.
#ifndef STIJL_PYTHON_MODULE_H
#define STIJL_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stijl/stijl.h>

extern stijl_context *py_context;

// --- errors ---

// Raises the exception for a result; always false.
bool py_fail(stijl_result result, const char *message);
// Adds the classes that errors.py declares.
bool py_errors_init(void);

// --- who uses an object ---

// Python may run other threads while one is within the library, and builds without a GIL run them at all times. An
// object is read by any number of threads or changed by one; who comes too late gets an InvalidStateError, not a race.
typedef struct py_use {
  atomic_int count;  // -1: it is being changed
} py_use;

bool py_read(py_use *use, const char *what);
bool py_change(py_use *use, const char *what);
void py_read_done(py_use *use);
void py_change_done(py_use *use);

// --- calls without the GIL ---

typedef struct py_log {
  char *text;  // lines, each ended by a newline
  size_t length, capacity;
} py_log;

typedef struct py_call {
  PyThreadState *thread;
  struct py_call *outer;
  stijl_budget *budget;
  py_log log;
  bool watches;  // for Ctrl-C
} py_call;

// Releases the GIL. Ctrl-C cancels the budget (NULL: nothing) where the main thread calls.
void py_call_begin(py_call *call, stijl_budget *budget);
// Takes the GIL again, and gives warnings to Python's module of that name. False with an exception: the result is an
// error, a signal's handler raised, or a warning is one.
bool py_call_end(py_call *call, stijl_result result, const char *message);

// --- arguments ---

// Converters for "O&". Each takes None for "not given", where that makes sense.
typedef struct py_matrix {
  bool given;
  stijl_matrix m;
} py_matrix;

int py_to_matrix(PyObject *object, void *out);  // py_matrix: six numbers
int py_to_point(PyObject *object, void *out);   // stijl_point
int py_to_rect(PyObject *object, void *out);    // stijl_rect: x0, y0, x1, y1
int py_to_color(PyObject *object,
                void *out);  // stijl_color: a text of CSS's, or three or four numbers; None: transparent
int py_to_format(PyObject *object, void *out);  // stijl_format
int py_to_spread(PyObject *object, void *out);
int py_to_sampling(PyObject *object, void *out);
int py_to_fill_rule(PyObject *object, void *out);
int py_to_cap(PyObject *object, void *out);
int py_to_join(PyObject *object, void *out);
int py_to_blend(PyObject *object, void *out);
int py_to_mask(PyObject *object, void *out);
int py_to_box(PyObject *object, void *out);
int py_to_slant(PyObject *object, void *out);
int py_to_align(PyObject *object, void *out);
int py_to_direction(PyObject *object, void *out);
int py_to_family(PyObject *object, void *out);
int py_to_backend(PyObject *object, void *out);
int py_to_isa(PyObject *object, void *out);
int py_to_edge(PyObject *object, void *out);
int py_to_operator(PyObject *object, void *out);
int py_to_channel(PyObject *object, void *out);

const char *py_format_name(stijl_format format);
bool py_numbers(PyObject *object, float *out, Py_ssize_t count, const char *what);
// Makes a block of floats of any length, which PyMem_Free frees. Returns false with an exception.
bool py_float_list(PyObject *object, float **out, size_t *count, const char *what);

PyObject *py_from_matrix(const stijl_matrix *m);
PyObject *py_from_rect(const stijl_rect *r);

// Bytes that `write` callbacks collect.
typedef struct py_bytes {
  char *data;
  size_t length, capacity;
} py_bytes;
bool py_bytes_write(void *bytes, const void *data, size_t count);
PyObject *py_bytes_take(py_bytes *bytes);  // frees them

// --- types ---

typedef struct {
  PyObject_HEAD stijl_budget *budget;
  bool own;          // nobody sees it but one document: its times begin anew with every call
  atomic_int calls;  // that share it now
} py_budget;

typedef struct {
  PyObject_HEAD int width, height;
  stijl_format format;
  unsigned char *pixels;
  size_t stride;
} py_picture;

typedef struct {
  PyObject_HEAD stijl_image *image;
} py_image;

typedef struct {
  PyObject_HEAD stijl_path *path;
  py_use use;
} py_path;

typedef struct {
  PyObject_HEAD stijl_paint paint;
  stijl_stop *stops;
  PyObject *source;  // the image or the scene
} py_paint;

typedef struct {
  PyObject_HEAD stijl_filter *filter;
  py_use use;
} py_filter;

typedef struct {
  PyObject_HEAD stijl_scene *scene;
  bool finished;
  py_budget *budget;  // of the document that it was made from, or NULL
  py_use use;
} py_scene;

typedef struct {
  PyObject_HEAD stijl_fonts *fonts;
  py_use use;
} py_fonts;

typedef struct {
  PyObject_HEAD stijl_text *text;
  py_fonts *fonts;
  bool laid_out;
  py_use use;
} py_text;

typedef struct {
  PyObject_HEAD stijl_svg *svg;
  py_budget *budget;
  py_fonts *fonts;
} py_document;

extern PyTypeObject *py_budget_type, *py_picture_type, *py_image_type, *py_path_type, *py_paint_type, *py_filter_type,
    *py_scene_type, *py_fonts_type, *py_text_type, *py_document_type, *py_renderer_type;

// Adds its type to the module.
bool py_budget_init(PyObject *module);
bool py_picture_init(PyObject *module);
bool py_image_init(PyObject *module);
bool py_path_init(PyObject *module);
bool py_paint_init(PyObject *module);
bool py_filter_init(PyObject *module);
bool py_scene_init(PyObject *module);
bool py_fonts_init(PyObject *module);
bool py_text_init(PyObject *module);
bool py_document_init(PyObject *module);
bool py_renderer_init(PyObject *module);

extern PyMethodDef py_css_methods[], py_math_methods[];

bool py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type);
// Makes an object of a type, zeroed.
void *py_new(PyTypeObject *type);
void py_free(PyObject *object);  // what tp_dealloc ends with

// Makes a budget without limits, for what the program recorded itself, or with those of a document.
py_budget *py_budget_new(bool limited);
// Does what a call that shares the budget has to do before or after. None and NULL are allowed.
stijl_budget *py_budget_enter(py_budget *budget);
void py_budget_leave(py_budget *budget);

py_picture *py_picture_new(int width, int height, stijl_format format);

// Takes a paint, or a colour. The struct is valid as long as the object.
int py_to_paint(PyObject *object, void *out);  // stijl_paint
// Takes an object of a type, or None.
int py_to_optional_budget(PyObject *object, void *out);
int py_to_optional_fonts(PyObject *object, void *out);

// The pixels of an object with the buffer protocol: rows of `width` pixels. `channels`: 1, 3 or 4.
typedef struct py_pixels {
  Py_buffer buffer;
  int width, height, channels;
  size_t stride;
  unsigned char *copy;  // where rows were not whole; buffer.buf otherwise
  unsigned char *data;
} py_pixels;
bool py_pixels_get(PyObject *object, py_pixels *out, bool writable);
void py_pixels_done(py_pixels *pixels);

// Finishes the recording if nobody has, and reports its error.
bool py_scene_finished(py_scene *scene);
bool py_scene_read(py_scene *scene);  // finishes it, too, and py_read
py_scene *py_scene_wrap(stijl_scene *scene, py_budget *budget);

#define PY_METHOD(name, flags, doc) \
  { #name, (PyCFunction)(void (*)(void))method_##name, flags, doc }
#define PY_KEYWORDS (METH_VARARGS | METH_KEYWORDS)

#endif
