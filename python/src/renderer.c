// Renderers: scenes become pixels.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "module.h"

PyTypeObject *py_renderer_type;

typedef struct {
  PyObject_HEAD stijl_renderer *renderer;
  py_use use;
} py_renderer;

// --- renderers for draws that name none ---

// As many as draws at a time, up to a few; each holds its threads and working memory from draw to draw.
#define SPARE 4
static struct {
  pthread_mutex_t mutex;
  pid_t process;
  stijl_renderer *spare[SPARE];
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// Begins the pool anew in a process that was forked: the threads of a renderer are not there, so what was is left
// alone.
static void check_process(void) {
  if (pool.process != getpid()) memset(pool.spare, 0, sizeof pool.spare);
  pool.process = getpid();
}

static stijl_result take_renderer(stijl_renderer **out, stijl_message *message) {
  *out = NULL;
  pthread_mutex_lock(&pool.mutex);
  check_process();
  for (int i = 0; i < SPARE && !*out; i++) {
    *out = pool.spare[i];
    pool.spare[i] = NULL;
  }
  pthread_mutex_unlock(&pool.mutex);
  return *out ? STIJL_OK : stijl_renderer_create(py_context, NULL, out, message);
}

static void give_renderer(stijl_renderer *renderer) {
  pthread_mutex_lock(&pool.mutex);
  for (int i = 0; i < SPARE && renderer; i++) {
    if (pool.spare[i]) continue;
    pool.spare[i] = renderer;
    renderer = NULL;
  }
  pthread_mutex_unlock(&pool.mutex);
  stijl_renderer_destroy(renderer);
}

// --- drawing ---

typedef struct {
  py_scene *scene;  // NULL: there are `pictures`
  stijl_picture *pictures;
  size_t picture_count;
  py_renderer *renderer;  // NULL: one of the pool
  stijl_target target;
  stijl_render_params params;
  py_budget *budget;  // held
} job;

static bool draw(job *j) {
  if (j->renderer && !py_change(&j->renderer->use, "renderer")) return false;
  stijl_message message = {""};
  j->params.budget = py_budget_enter(j->budget);
  py_call call;
  py_call_begin(&call, j->params.budget);
  stijl_renderer *renderer = j->renderer ? j->renderer->renderer : NULL;
  stijl_result result = renderer ? STIJL_OK : take_renderer(&renderer, &message);
  if (result == STIJL_OK && j->scene)
    result = stijl_render(renderer, j->scene->scene, &j->target, &j->params, &message);
  else if (result == STIJL_OK)
    result = stijl_render_many(renderer, j->pictures, j->picture_count, &j->target, j->params.budget, &message);
  if (!j->renderer) give_renderer(renderer);
  bool good = py_call_end(&call, result, message.text);
  py_budget_leave(j->budget);
  if (j->renderer) py_change_done(&j->renderer->use);
  return good;
}

static bool take_region(PyObject *object, job *j, int *width, int *height) {
  stijl_irect *r = &j->target.region;
  *width = j->target.width;
  *height = j->target.height;
  if (object == Py_None) return true;
  PyObject *tuple = PySequence_Tuple(object);
  bool good = tuple && PyArg_ParseTuple(tuple, "iiii;region is four whole numbers x0, y0, x1, y1", &r->x0, &r->y0,
                                        &r->x1, &r->y1);
  Py_XDECREF(tuple);
  if (!good) return false;
  if (r->x0 < 0 || r->y0 < 0 || r->x0 >= r->x1 || r->y0 >= r->y1 || r->x1 > *width || r->y1 > *height)
    return py_fail(STIJL_ERROR_INVALID_ARGUMENT, "region lies within the canvas, and holds a pixel");
  *width = r->x1 - r->x0;
  *height = r->y1 - r->y0;
  return true;
}

static bool fits(const py_pixels *pixels, const job *j, int width, int height) {
  if (pixels->width == width && pixels->height == height &&
      (size_t)pixels->channels == stijl_format_bytes(j->target.format))
    return true;
  char text[128];
  snprintf(text, sizeof text, "out is an array of %d x %d x %zu bytes, not %d x %d x %d", height, width,
           stijl_format_bytes(j->target.format), pixels->height, pixels->width, pixels->channels);
  return py_fail(STIJL_ERROR_INVALID_ARGUMENT, text);
}

// Draws into `out`, or a new picture: the one returned.
static PyObject *draw_into(job *j, PyObject *out, int width, int height) {
  if (out == Py_None) {
    if (j->params.keep) {
      py_fail(STIJL_ERROR_INVALID_ARGUMENT, "keep needs out, which holds something");
      return NULL;
    }
    py_picture *picture = py_picture_new(width, height, j->target.format);
    if (!picture) return NULL;
    j->target.pixels = picture->pixels;
    j->target.stride = picture->stride;
    if (draw(j)) return (PyObject *)picture;
    Py_DECREF(picture);
    return NULL;
  }
  if (PyObject_TypeCheck(out, py_picture_type)) j->target.format = ((py_picture *)out)->format;
  py_pixels pixels;
  if (!py_pixels_get(out, &pixels, true)) return NULL;
  j->target.pixels = pixels.data;
  j->target.stride = pixels.stride;
  bool good = fits(&pixels, j, width, height) && draw(j);
  py_pixels_done(&pixels);
  if (!good) return NULL;
  Py_INCREF(out);
  return out;
}

static bool hold_budget(job *j) {
  if (!j->budget && j->scene) j->budget = j->scene->budget;
  if (j->budget)
    Py_INCREF((PyObject *)j->budget);
  else
    j->budget = py_budget_new(false);
  return j->budget;
}

static PyObject *render(py_renderer *renderer, PyObject *args, PyObject *keywords) {
  static char *names[] = {"scene",  "width", "height", "background", "transform", "format",
                          "region", "out",   "keep",   "budget",     NULL};
  job j = {.renderer = renderer, .target = STIJL_TARGET_INIT, .params = STIJL_RENDER_PARAMS_INIT};
  j.target.format = STIJL_FORMAT_RGBA8_STRAIGHT;
  j.params.reads = true;
  PyObject *scene, *region = Py_None, *out = Py_None;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  int keep = 0, width, height;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!ii|$O&O&O&OOpO&:render", names, py_scene_type, &scene,
                                   &j.target.width, &j.target.height, py_to_color, &j.params.background, py_to_matrix,
                                   &m, py_to_format, &j.target.format, &region, &out, &keep, py_to_optional_budget,
                                   &j.budget))
    return NULL;
  j.scene = (py_scene *)scene;
  j.params.keep = keep;
  j.params.transform = m.m;
  if (!take_region(region, &j, &width, &height) || !py_scene_read(j.scene)) return NULL;
  PyObject *drawn = hold_budget(&j) ? draw_into(&j, out, width, height) : NULL;
  Py_XDECREF((PyObject *)j.budget);
  py_read_done(&j.scene->use);
  return drawn;
}

// --- many pictures ---

// Reads a picture: a tuple of a scene and its place, with a transform and a background if it has them.
static bool take_picture(PyObject *item, stijl_picture *out, py_scene **held) {
  PyObject *scene;
  stijl_irect *r = &out->place;
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  if (!PyTuple_Check(item)) return py_fail(STIJL_ERROR_INVALID_ARGUMENT, "a picture is a tuple: scene, place, ...");
  if (!PyArg_ParseTuple(item,
                        "O!(iiii)|O&O&;a picture is a scene, its place (x0, y0, x1, y1), and perhaps a transform "
                        "and a background",
                        py_scene_type, &scene, &r->x0, &r->y0, &r->x1, &r->y1, py_to_matrix, &m, py_to_color,
                        &out->background) ||
      !py_scene_read((py_scene *)scene))
    return false;
  *held = (py_scene *)scene;
  out->scene = (*held)->scene;
  out->transform = m.m;
  return true;
}

// Draws the pictures of a tuple, which holds their scenes.
static PyObject *draw_pictures(job *j, PyObject *tuple, PyObject *out) {
  j->picture_count = (size_t)PyTuple_Size(tuple);
  j->pictures = PyMem_Calloc(j->picture_count, sizeof *j->pictures);
  py_scene **held = PyMem_Calloc(j->picture_count, sizeof *held);
  bool good = j->pictures && held;
  if (!good) PyErr_NoMemory();
  size_t taken = 0;
  for (; taken < j->picture_count && good; taken += good) {
    j->pictures[taken] = (stijl_picture)STIJL_PICTURE_INIT;
    good = take_picture(PyTuple_GetItem(tuple, (Py_ssize_t)taken), &j->pictures[taken], &held[taken]);
  }
  PyObject *drawn = NULL;
  if (good && hold_budget(j)) {
    drawn = draw_into(j, out, j->target.width, j->target.height);
    Py_DECREF((PyObject *)j->budget);
  }
  while (taken) py_read_done(&held[--taken]->use);
  PyMem_Free(held);
  PyMem_Free(j->pictures);
  return drawn;
}

static PyObject *method_render_many(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"pictures", "width", "height", "format", "out", "budget", NULL};
  job j = {.renderer = (py_renderer *)self, .target = STIJL_TARGET_INIT};
  j.target.format = STIJL_FORMAT_RGBA8_STRAIGHT;
  PyObject *pictures, *out = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "Oii|$O&OO&:render_many", names, &pictures, &j.target.width,
                                   &j.target.height, py_to_format, &j.target.format, &out, py_to_optional_budget,
                                   &j.budget))
    return NULL;
  PyObject *tuple = PySequence_Tuple(pictures);
  PyObject *drawn = tuple ? draw_pictures(&j, tuple, out) : NULL;
  Py_XDECREF(tuple);
  return drawn;
}

static PyObject *method_render(PyObject *self, PyObject *args, PyObject *keywords) {
  return render((py_renderer *)self, args, keywords);
}

static PyObject *method_render_scene(PyObject *module, PyObject *args, PyObject *keywords) {
  return render(NULL, args, keywords);
}

// --- the type ---

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"threads", "backend", "isa", "device", "max_layer_bytes", NULL};
  stijl_renderer_params p = STIJL_RENDERER_PARAMS_INIT;
  unsigned long long bytes = p.max_layer_bytes;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$iO&O&zK:Renderer", names, &p.threads, py_to_backend, &p.backend,
                                   py_to_isa, &p.isa, &p.device_name, &bytes))
    return NULL;
  p.max_layer_bytes = bytes;
  py_renderer *self = py_new(type);
  if (!self) return NULL;
  stijl_message message = {""};
  py_call call;
  py_call_begin(&call, NULL);
  stijl_result result = stijl_renderer_create(py_context, &p, &self->renderer, &message);
  if (py_call_end(&call, result, message.text)) return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void destroy(PyObject *object) {
  stijl_renderer_destroy(((py_renderer *)object)->renderer);
  py_free(object);
}

static PyObject *get_threads(PyObject *self, void *none) {
  return PyLong_FromLong(stijl_renderer_threads(((py_renderer *)self)->renderer));
}
static PyObject *get_isa(PyObject *self, void *none) {
  return PyUnicode_FromString(stijl_isa_name(stijl_renderer_isa(((py_renderer *)self)->renderer)));
}
static PyObject *get_device(PyObject *self, void *none) {
  return PyUnicode_FromString(stijl_renderer_device(((py_renderer *)self)->renderer));
}

static PyMethodDef methods[] = {
    PY_METHOD(
        render, PY_KEYWORDS,
        "render($self, scene, width, height, *, background=None, transform=None, format='RGBA', region=None, out=None, "
        "keep=False, budget=None)\n--\n\nDraws a scene, which is finished by it, on a canvas of width x height pixels, "
        "or "
        "the region of it. With `out`, an array\nof height x width x 4 bytes, the pixels go there, over what it holds "
        "with `keep`. Returns the picture, or `out`."),
    PY_METHOD(render_many, PY_KEYWORDS,
              "render_many($self, pictures, width, height, *, format='RGBA', out=None, budget=None)\n--\n\nDraws many "
              "pictures side by side on a canvas of width x height pixels, which is transparent where there are none.\n"
              "Each is a tuple: a scene, which is finished by it, its place (x0, y0, x1, y1) in pixels, and perhaps a "
              "transform,\nfrom the scene to the picture's top left corner, and a background. No two places overlap."),
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getters[] = {{"threads", get_threads, NULL, "How many threads draw.", NULL},
                                {"isa", get_isa, NULL, "The instruction set.", NULL},
                                {"device", get_device, NULL, "The GPU's name; 'cpu'.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Renderer(*, threads=0, backend='auto', isa='auto', device=None, max_layer_bytes=2**30)\n--\n\nThreads and "
     "working "
     "memory, kept from draw to draw. Draws that are given none share some. One draw at a time for each."},
    {Py_tp_new, (void *)create},
    {Py_tp_dealloc, (void *)destroy},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {0, NULL}};
static PyType_Spec spec = {"stijl.Renderer", sizeof(py_renderer), 0, Py_TPFLAGS_DEFAULT, slots};

static PyMethodDef functions[] = {PY_METHOD(render_scene, PY_KEYWORDS, "Renderer.render with one that is shared."),
                                  {NULL, NULL, 0, NULL}};

bool py_renderer_init(PyObject *module) {
  return py_add_type(module, &spec, &py_renderer_type) && PyModule_AddFunctions(module, functions) == 0;
}
