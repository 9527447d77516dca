// Scenes. Errors stick within the library; each call here reports the first at once.
#include <math.h>

#include "module.h"

PyTypeObject *py_scene_type;
static PyTypeObject *guard_type;

// Returns the C scene, to be changed, or NULL with an exception.
static stijl_scene *begin(PyObject *object) {
  py_scene *self = (py_scene *)object;
  if (self->finished) {
    py_fail(STIJL_ERROR_INVALID_STATE, "the scene is finished: it was drawn, saved, or finish() was called");
    return NULL;
  }
  return py_change(&self->use, "scene") ? self->scene : NULL;
}

static bool end(PyObject *object) {
  py_scene *self = (py_scene *)object;
  bool good = !*stijl_scene_message(self->scene);
  if (!good) {
    self->finished = true;
    stijl_result result = stijl_scene_finish(self->scene);
    py_fail(result, stijl_scene_message(self->scene));
  }
  py_change_done(&self->use);
  return good;
}

static PyObject *end_none(PyObject *object) {
  if (!end(object)) return NULL;
  Py_RETURN_NONE;
}

bool py_scene_finished(py_scene *scene) {
  if (scene->finished && !*stijl_scene_message(scene->scene)) return true;
  if (!py_change(&scene->use, "scene")) return false;
  stijl_result result = stijl_scene_finish(scene->scene);
  scene->finished = true;
  py_change_done(&scene->use);
  return result == STIJL_OK || py_fail(result, stijl_scene_message(scene->scene));
}

bool py_scene_read(py_scene *scene) { return py_scene_finished(scene) && py_read(&scene->use, "scene"); }

py_scene *py_scene_wrap(stijl_scene *scene, py_budget *budget) {
  py_scene *self = py_new(py_scene_type);
  if (!self) {
    stijl_scene_destroy(scene);
    return NULL;
  }
  self->scene = scene;
  self->finished = true;
  Py_XINCREF((PyObject *)budget);
  self->budget = budget;
  return self;
}

// --- drawing ---

static PyObject *method_fill(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"path", "paint", "rule", "transform", NULL};
  PyObject *object;
  stijl_paint paint;
  stijl_fill_rule rule = STIJL_FILL_NONZERO;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&|$O&O&:fill", names, py_path_type, &object, py_to_paint, &paint,
                                   py_to_fill_rule, &rule, py_to_matrix, &m))
    return NULL;
  py_path *path = (py_path *)object;
  if (!py_read(&path->use, "path")) return NULL;
  stijl_scene *scene = begin(self);
  if (scene) stijl_scene_fill(scene, path->path, rule, m.given ? &m.m : NULL, &paint);
  py_read_done(&path->use);
  return scene ? end_none(self) : NULL;
}

// What strokes are made with; `dashes` has to be freed.
typedef struct {
  stijl_stroke stroke;
  PyObject *dashes;
  float *lengths;
  py_matrix pen, transform;
} stroke_args;

static const stroke_args stroke_defaults = {
    STIJL_STROKE_INIT, NULL, NULL, {false, STIJL_MATRIX_IDENTITY}, {false, STIJL_MATRIX_IDENTITY}};

static bool take_dashes(stroke_args *a) {
  if (!py_float_list(a->dashes, &a->lengths, &a->stroke.dash_count, "dashes are a list of lengths")) return false;
  a->stroke.dashes = a->stroke.dash_count ? a->lengths : NULL;
  a->stroke.pen = a->pen.given ? &a->pen.m : NULL;
  return true;
}

#define STROKE_FORMAT "fO&O&fOfO&O&"
#define STROKE_NAMES "width", "cap", "join", "miter_limit", "dashes", "dash_offset", "pen", "transform", NULL
#define STROKE_TARGETS(a)                                                                                            \
  &(a).stroke.width, py_to_cap, &(a).stroke.cap, py_to_join, &(a).stroke.join, &(a).stroke.miter_limit, &(a).dashes, \
      &(a).stroke.dash_offset, py_to_matrix, &(a).pen, py_to_matrix, &(a).transform

static PyObject *method_stroke(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"path", "paint", STROKE_NAMES};
  PyObject *object;
  stijl_paint paint;
  stroke_args a = stroke_defaults;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&|$" STROKE_FORMAT ":stroke", names, py_path_type, &object,
                                   py_to_paint, &paint, STROKE_TARGETS(a)) ||
      !take_dashes(&a))
    return NULL;
  py_path *path = (py_path *)object;
  stijl_scene *scene = NULL;
  if (py_read(&path->use, "path")) {
    scene = begin(self);
    if (scene) stijl_scene_stroke(scene, path->path, &a.stroke, a.transform.given ? &a.transform.m : NULL, &paint);
    py_read_done(&path->use);
  }
  PyMem_Free(a.lengths);
  return scene ? end_none(self) : NULL;
}

static PyObject *method_image(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"image", "transform", "sampling", "opacity", NULL};
  PyObject *image;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  stijl_sampling sampling = STIJL_SAMPLING_BILINEAR;
  float opacity = 1;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|$O&O&f:image", names, py_image_type, &image, py_to_matrix, &m,
                                   py_to_sampling, &sampling, &opacity))
    return NULL;
  stijl_scene *scene = begin(self);
  if (!scene) return NULL;
  stijl_scene_image(scene, ((py_image *)image)->image, sampling, opacity, m.given ? &m.m : NULL);
  return end_none(self);
}

static PyObject *method_fill_all(PyObject *self, PyObject *args) {
  stijl_paint paint;
  if (!PyArg_ParseTuple(args, "O&:fill_all", py_to_paint, &paint)) return NULL;
  stijl_scene *scene = begin(self);
  if (!scene) return NULL;
  stijl_scene_fill_all(scene, &paint);
  return end_none(self);
}

static PyObject *method_add(PyObject *self, PyObject *args) {
  PyObject *other;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  if (!PyArg_ParseTuple(args, "O!|O&:add", py_scene_type, &other, py_to_matrix, &m)) return NULL;
  if (other == self) {
    py_fail(STIJL_ERROR_INVALID_ARGUMENT, "a scene cannot hold itself");
    return NULL;
  }
  if (!py_scene_read((py_scene *)other)) return NULL;
  stijl_scene *scene = begin(self);
  if (scene) stijl_scene_add_scene(scene, ((py_scene *)other)->scene, m.given ? &m.m : NULL);
  py_read_done(&((py_scene *)other)->use);
  return scene ? end_none(self) : NULL;
}

// --- text ---

static bool laid_out(py_text *text) {
  return text->laid_out || py_fail(STIJL_ERROR_INVALID_STATE, "the text has no layout yet: layout() makes one");
}

static PyObject *method_text(PyObject *self, PyObject *args) {
  PyObject *object;
  stijl_paint paint;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  if (!PyArg_ParseTuple(args, "O!O&|O&:text", py_text_type, &object, py_to_paint, &paint, py_to_matrix, &m))
    return NULL;
  py_text *text = (py_text *)object;
  if (!laid_out(text) || !py_read(&text->use, "text")) return NULL;
  stijl_scene *scene = begin(self);
  if (scene) {
    py_call call;
    py_call_begin(&call, NULL);
    stijl_scene_text(scene, text->text, m.given ? &m.m : NULL, &paint);
    if (!py_call_end(&call, STIJL_OK, NULL)) scene = NULL;
    if (!scene) py_change_done(&((py_scene *)self)->use);
  }
  py_read_done(&text->use);
  return scene ? end_none(self) : NULL;
}

static PyObject *method_text_stroke(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"text", "paint", STROKE_NAMES};
  PyObject *object;
  stijl_paint paint;
  stroke_args a = stroke_defaults;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&|$" STROKE_FORMAT ":text_stroke", names, py_text_type, &object,
                                   py_to_paint, &paint, STROKE_TARGETS(a)) ||
      !take_dashes(&a))
    return NULL;
  py_text *text = (py_text *)object;
  stijl_scene *scene = NULL;
  if (laid_out(text) && py_read(&text->use, "text")) {
    scene = begin(self);
    if (scene) stijl_scene_text_stroke(scene, text->text, &a.stroke, a.transform.given ? &a.transform.m : NULL, &paint);
    py_read_done(&text->use);
  }
  PyMem_Free(a.lengths);
  return scene ? end_none(self) : NULL;
}

// --- layers and masks ---

// What `with` ends.
typedef struct {
  PyObject_HEAD PyObject *scene;
  bool mask, ended;
} guard;

static PyObject *new_guard(PyObject *scene, bool mask) {
  guard *self = py_new(guard_type);
  if (!self) return NULL;
  Py_INCREF(scene);
  self->scene = scene;
  self->mask = mask;
  return (PyObject *)self;
}

static PyObject *guard_enter(PyObject *object, PyObject *none) {
  PyObject *scene = ((guard *)object)->scene;
  Py_INCREF(scene);
  return scene;
}

// Ends a block. An exception within it goes on; a scene that failed there is ended already.
static PyObject *guard_exit(PyObject *object, PyObject *args) {
  guard *self = (guard *)object;
  PyObject *type = PyTuple_Size(args) ? PyTuple_GetItem(args, 0) : Py_None;
  if (self->ended || (type != Py_None && ((py_scene *)self->scene)->finished)) Py_RETURN_NONE;
  stijl_scene *scene = begin(self->scene);
  if (!scene) return NULL;
  self->ended = true;
  if (self->mask)
    stijl_scene_pop_mask(scene);
  else
    stijl_scene_pop_layer(scene);
  return end_none(self->scene);
}

static void guard_destroy(PyObject *object) {
  Py_XDECREF(((guard *)object)->scene);
  py_free(object);
}

static PyMethodDef guard_methods[] = {{"__enter__", guard_enter, METH_NOARGS, "The scene."},
                                      {"__exit__", guard_exit, METH_VARARGS, "Ends the layer or the mask."},
                                      {NULL, NULL, 0, NULL}};
static PyType_Slot guard_slots[] = {{Py_tp_doc, "A layer or a mask, which ends where its `with` block does."},
                                    {Py_tp_dealloc, (void *)guard_destroy},
                                    {Py_tp_methods, guard_methods},
                                    {0, NULL}};
static PyType_Spec guard_spec = {"stijl.Layer", sizeof(guard), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, guard_slots};

static PyObject *method_layer(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"opacity",          "blend", "clip", "clip_rule", "clip_transform", "filter",
                          "filter_transform", NULL};
  stijl_layer layer = STIJL_LAYER_INIT;
  PyObject *clip = Py_None, *filter = Py_None;
  py_matrix cm = {false, STIJL_MATRIX_IDENTITY}, fm = cm;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$fO&OO&O&OO&:layer", names, &layer.opacity, py_to_blend,
                                   &layer.blend, &clip, py_to_fill_rule, &layer.clip_rule, py_to_matrix, &cm, &filter,
                                   py_to_matrix, &fm))
    return NULL;
  py_path *path = clip == Py_None ? NULL : (py_path *)clip;
  py_filter *effect = filter == Py_None ? NULL : (py_filter *)filter;
  if ((path && !PyObject_TypeCheck(clip, py_path_type)) || (effect && !PyObject_TypeCheck(filter, py_filter_type))) {
    PyErr_SetString(PyExc_TypeError, "clip is a stijl.Path, and filter a stijl.Filter");
    return NULL;
  }
  if (path && !py_read(&path->use, "path")) return NULL;
  stijl_scene *scene = NULL;
  if (!effect || py_read(&effect->use, "filter")) {
    layer.clip = path ? path->path : NULL;
    layer.clip_transform = cm.given ? &cm.m : NULL;
    layer.filter = effect ? effect->filter : NULL;
    layer.filter_transform = fm.given ? &fm.m : NULL;
    scene = begin(self);
    if (scene) stijl_scene_push_layer(scene, &layer);
    if (effect) py_read_done(&effect->use);
  }
  if (path) py_read_done(&path->use);
  return scene && end(self) ? new_guard(self, false) : NULL;
}

static PyObject *method_mask(PyObject *self, PyObject *args) {
  stijl_mask kind = STIJL_MASK_ALPHA;
  if (!PyArg_ParseTuple(args, "|O&:mask", py_to_mask, &kind)) return NULL;
  stijl_scene *scene = begin(self);
  if (!scene) return NULL;
  stijl_scene_push_mask(scene, kind);
  return end(self) ? new_guard(self, true) : NULL;
}

// --- what a finished scene is asked for ---

static PyObject *method_finish(PyObject *self, PyObject *none) {
  if (!py_scene_finished((py_scene *)self)) return NULL;
  Py_RETURN_NONE;
}

static PyObject *method_bounds(PyObject *self, PyObject *none) {
  if (!py_scene_read((py_scene *)self)) return NULL;
  stijl_rect box;
  stijl_extent extent = stijl_scene_bounds(((py_scene *)self)->scene, &box);
  py_read_done(&((py_scene *)self)->use);
  if (extent == STIJL_EXTENT_EMPTY) Py_RETURN_NONE;
  if (extent == STIJL_EXTENT_INFINITE) box = (stijl_rect){-INFINITY, -INFINITY, INFINITY, INFINITY};
  return py_from_rect(&box);
}

static PyObject *get_bytes(PyObject *self, void *none) {
  return PyLong_FromUnsignedLongLong(stijl_scene_bytes(((py_scene *)self)->scene));
}

static PyObject *method_to_bytes(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"width", "height", "background", NULL};
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "ii|$O&:to_bytes", names, &canvas.width, &canvas.height, py_to_color,
                                   &canvas.background))
    return NULL;
  py_scene *self = (py_scene *)object;
  if (!py_scene_read(self)) return NULL;
  py_bytes bytes = {NULL, 0, 0};
  stijl_message message = {""};
  py_call call;
  py_call_begin(&call, NULL);
  stijl_result result = stijl_scene_save(self->scene, &canvas, py_bytes_write, &bytes, &message);
  py_call_end(&call, result == STIJL_ERROR_IO ? STIJL_ERROR_OUT_OF_MEMORY : result, message.text);
  py_read_done(&self->use);
  return py_bytes_take(&bytes);
}

static PyObject *method_load(PyObject *type, PyObject *args) {
  Py_buffer data;
  if (!PyArg_ParseTuple(args, "y*:load", &data)) return NULL;
  stijl_scene *scene = NULL;
  stijl_canvas canvas = STIJL_CANVAS_INIT;
  stijl_message message = {""};
  py_call call;
  py_call_begin(&call, NULL);
  stijl_result result = stijl_scene_load(py_context, data.buf, (size_t)data.len, NULL, &scene, &canvas, &message);
  bool good = py_call_end(&call, result, message.text);
  PyBuffer_Release(&data);
  if (!good) {
    stijl_scene_destroy(scene);
    return NULL;
  }
  return Py_BuildValue("(Nii)", py_scene_wrap(scene, NULL), canvas.width, canvas.height);
}

// --- changing a finished scene ---

static PyObject *get_draw_count(PyObject *self, void *none) {
  return PyLong_FromUnsignedLong(stijl_scene_draw_count(((py_scene *)self)->scene));
}

static PyObject *method_change(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"draw", "transform", "paint", "opacity", "hidden", NULL};
  unsigned int draw;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  PyObject *paint_object = Py_None, *opacity_object = Py_None, *hidden_object = Py_None;
  stijl_paint paint = STIJL_PAINT_INIT;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "I|$O&OOO:change", names, &draw, py_to_matrix, &m, &paint_object,
                                   &opacity_object, &hidden_object))
    return NULL;
  if (paint_object != Py_None && !py_to_paint(paint_object, &paint)) return NULL;
  double opacity = opacity_object == Py_None ? 0 : PyFloat_AsDouble(opacity_object);
  int hidden = hidden_object == Py_None ? 0 : PyObject_IsTrue(hidden_object);
  if (PyErr_Occurred()) return NULL;
  py_scene *self = (py_scene *)object;
  if (!py_change(&self->use, "scene")) return NULL;
  stijl_scene *scene = self->scene;
  stijl_message message = {""};
  stijl_result result = m.given ? stijl_scene_set_transform(scene, draw, &m.m, &message) : STIJL_OK;
  if (result == STIJL_OK && paint_object != Py_None) result = stijl_scene_set_paint(scene, draw, &paint, &message);
  if (result == STIJL_OK && opacity_object != Py_None)
    result = stijl_scene_set_opacity(scene, draw, (float)opacity, &message);
  if (result == STIJL_OK && hidden_object != Py_None) result = stijl_scene_set_hidden(scene, draw, hidden, &message);
  py_change_done(&self->use);
  if (result == STIJL_OK) Py_RETURN_NONE;
  py_fail(result, message.text);
  return NULL;
}

// --- the type ---

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"max_segments", "max_draws", "max_layers", NULL};
  stijl_scene_limits limits = STIJL_SCENE_LIMITS_INIT;
  unsigned long long segments = limits.max_segments;
  unsigned int draws = limits.max_draws, layers = limits.max_layers;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$KII:Scene", names, &segments, &draws, &layers)) return NULL;
  limits.max_segments = segments;
  limits.max_draws = draws;
  limits.max_layers = layers;
  py_scene *self = py_new(type);
  if (!self) return NULL;
  stijl_result result = stijl_scene_create(py_context, &limits, &self->scene);
  if (result == STIJL_OK) return (PyObject *)self;
  py_fail(result, NULL);
  Py_DECREF(self);
  return NULL;
}

static void destroy(PyObject *object) {
  stijl_scene_destroy(((py_scene *)object)->scene);
  Py_XDECREF((PyObject *)((py_scene *)object)->budget);
  py_free(object);
}

static PyMethodDef methods[] = {
    PY_METHOD(fill, PY_KEYWORDS, "fill($self, path, paint, *, rule='nonzero', transform=None)\n--\n\nFills a path."),
    PY_METHOD(
        stroke, PY_KEYWORDS,
        "stroke($self, path, paint, *, width=1, cap='butt', join='miter', miter_limit=4, dashes=None, dash_offset=0, "
        "pen=None, transform=None)\n--\n\nStrokes a path."),
    PY_METHOD(
        image, PY_KEYWORDS,
        "image($self, image, *, transform=None, sampling='bilinear', opacity=1)\n--\n\nDraws an image, its top left "
        "corner at the origin, one unit a pixel."),
    PY_METHOD(fill_all, METH_VARARGS,
              "fill_all($self, paint)\n--\n\nPaints everything, to the borders of the picture."),
    PY_METHOD(text, METH_VARARGS, "text($self, text, paint, transform=None)\n--\n\nDraws a text that was laid out."),
    PY_METHOD(text_stroke, PY_KEYWORDS,
              "text_stroke($self, text, paint, **stroke)\n--\n\nStrokes the outlines of a text."),
    PY_METHOD(add, METH_VARARGS,
              "add($self, other, transform=None)\n--\n\nDraws all of another scene, which is finished by it."),
    PY_METHOD(
        layer, PY_KEYWORDS,
        "layer($self, *, opacity=1, blend='normal', clip=None, clip_rule='nonzero', clip_transform=None, filter=None, "
        "filter_transform=None)\n--\n\nBegins a layer, for `with`: what is drawn in the block is clipped, masked, "
        "faded "
        "and blended as one picture."),
    PY_METHOD(mask, METH_VARARGS,
              "mask($self, kind='alpha')\n--\n\nFor `with`: what is drawn in the block becomes the mask of the layer "
              "around it."),
    PY_METHOD(finish, METH_NOARGS, "Ends the recording. The first drawing of a scene does so, too."),
    PY_METHOD(bounds, METH_NOARGS,
              "A box that holds all that is drawn; None where nothing is, infinite where no box holds it."),
    PY_METHOD(to_bytes, PY_KEYWORDS, "to_bytes($self, width, height, *, background=None)\n--\n\nThe scene as a file."),
    PY_METHOD(
        change, PY_KEYWORDS,
        "change($self, draw, *, transform=None, paint=None, opacity=None, hidden=None)\n--\n\nChanges a draw of a "
        "finished scene, which was number `draw_count` before it was recorded. The opacity is that of a layer or an "
        "image. InvalidStateError while a thread draws the scene, or a Paint shows it."),
    PY_METHOD(load, METH_VARARGS | METH_STATIC, "load(data)\n--\n\n(scene, width, height) of a file's bytes."),
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getters[] = {{"nbytes", get_bytes, NULL, "The memory that the recording takes.", NULL},
                                {"draw_count", get_draw_count, NULL, "The number of the next draw or layer.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_doc,
                               "Scene(*, max_segments=2**26, max_draws=2**24, max_layers=65536)\n--\n\nA recording of "
                               "draws, in painting order. Once finished any threads may draw it at any size, "
                               "and change() changes a draw."},
                              {Py_tp_new, (void *)create},
                              {Py_tp_dealloc, (void *)destroy},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getters},
                              {0, NULL}};
static PyType_Spec spec = {"stijl.Scene", sizeof(py_scene), 0, Py_TPFLAGS_DEFAULT, slots};

bool py_scene_init(PyObject *module) {
  return py_add_type(module, &guard_spec, &guard_type) && py_add_type(module, &spec, &py_scene_type);
}
