// The module: its types, and calls of the library that run without the GIL.
#include "module.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

stijl_context *py_context;

// --- errors ---

static PyObject *errors[STIJL_ERROR_CANCELLED + 1], *document_warning;

static const char *const error_names[] = {
    NULL,         "OutOfMemoryError", "InvalidArgumentError", "InvalidStateError", "MalformedError", "UnsupportedError",
    "LimitError", "RefusedError",     "InputOutputError",     "DeviceError",       "CancelledError"};

bool py_errors_init(void) {
  PyObject *module = PyImport_ImportModule("stijl.errors");
  for (int i = 1; module && i <= STIJL_ERROR_CANCELLED; i++)
    if (!(errors[i] = PyObject_GetAttrString(module, error_names[i]))) break;
  if (module) document_warning = PyObject_GetAttrString(module, "DocumentWarning");
  Py_XDECREF(module);
  return !PyErr_Occurred();
}

bool py_fail(stijl_result result, const char *message) {
  if (PyErr_Occurred()) return false;
  bool known = result > STIJL_OK && result <= STIJL_ERROR_CANCELLED;
  PyErr_SetString(known ? errors[result] : PyExc_SystemError,
                  message && *message ? message : stijl_result_string(result));
  return false;
}

// --- who uses an object ---

static bool in_use(const char *what) {
  char text[128];
  snprintf(text, sizeof text, "another thread is using the %s", what);
  return py_fail(STIJL_ERROR_INVALID_STATE, text);
}

bool py_read(py_use *use, const char *what) {
  int count = atomic_load(&use->count);
  while (count >= 0)
    if (atomic_compare_exchange_weak(&use->count, &count, count + 1)) return true;
  return in_use(what);
}

bool py_change(py_use *use, const char *what) {
  int none = 0;
  return atomic_compare_exchange_strong(&use->count, &none, -1) || in_use(what);
}

void py_read_done(py_use *use) { atomic_fetch_sub(&use->count, 1); }
void py_change_done(py_use *use) { atomic_store(&use->count, 0); }

// --- warnings ---

static _Thread_local py_call *current;
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static py_log orphans;  // of threads that are within no call: the library's own

static void append_line(py_log *log, const char *line) {
  size_t length = strlen(line), needed = log->length + length + 2;
  if (needed > log->capacity) {
    char *text = realloc(log->text, needed * 2);
    if (!text) return;
    log->text = text;
    log->capacity = needed * 2;
  }
  memcpy(log->text + log->length, line, length);
  log->length += length;
  memcpy(log->text + log->length++, "\n", 2);
}

static void on_log(void *user, stijl_log_level level, const char *line) {
  if (level != STIJL_LOG_WARNING) return;
  if (current) {
    append_line(&current->log, line);
    return;
  }
  pthread_mutex_lock(&log_mutex);
  append_line(&orphans, line);
  pthread_mutex_unlock(&log_mutex);
}

static bool give_warnings(py_log *log) {
  bool good = true;
  for (char *line = log->text, *end; good && line && *line; line = end + 1) {
    end = strchr(line, '\n');
    *end = 0;
    good = PyErr_WarnEx(document_warning, line, 1) == 0;
  }
  free(log->text);
  *log = (py_log){NULL, 0, 0};
  return good;
}

// --- Ctrl-C ---

// The budget that Ctrl-C cancels. Python's handler only takes a note. Ours stands before it while the main thread is
// within the library.
static _Atomic(stijl_budget *) interruptible;
static struct sigaction pythons;

static void on_interrupt(int signal, siginfo_t *info, void *context) {
  stijl_budget *budget = atomic_load(&interruptible);
  if (budget) stijl_budget_cancel(budget);
  if (pythons.sa_flags & SA_SIGINFO)
    pythons.sa_sigaction(signal, info, context);
  else
    pythons.sa_handler(signal);
}

// Signals are handled by the main thread alone. A program that has none for SIGINT ends, as it wants to.
static bool watch_interrupt(stijl_budget *budget) {
  stijl_budget *none = NULL;
  if (!budget || gettid() != getpid() || !atomic_compare_exchange_strong(&interruptible, &none, budget)) return false;
  struct sigaction ours = {.sa_sigaction = on_interrupt, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&ours.sa_mask);
  bool handled = sigaction(SIGINT, NULL, &pythons) == 0 &&
                 ((pythons.sa_flags & SA_SIGINFO) || (pythons.sa_handler != SIG_DFL && pythons.sa_handler != SIG_IGN));
  if (handled) handled = sigaction(SIGINT, &ours, NULL) == 0;
  if (!handled) atomic_store(&interruptible, NULL);
  return handled;
}

static void unwatch_interrupt(void) {
  sigaction(SIGINT, &pythons, NULL);
  atomic_store(&interruptible, NULL);
}

// --- calls ---

void py_call_begin(py_call *call, stijl_budget *budget) {
  *call = (py_call){.outer = current, .budget = budget};
  call->watches = watch_interrupt(budget);
  current = call;
  call->thread = PyEval_SaveThread();
}

bool py_call_end(py_call *call, stijl_result result, const char *message) {
  PyEval_RestoreThread(call->thread);
  current = call->outer;
  if (call->watches) unwatch_interrupt();
  pthread_mutex_lock(&log_mutex);
  py_log others = orphans;
  orphans = (py_log){NULL, 0, 0};
  pthread_mutex_unlock(&log_mutex);
  bool good = true;
  if (call->watches && result == STIJL_ERROR_CANCELLED) good = PyErr_CheckSignals() == 0;
  if (good && result != STIJL_OK) good = py_fail(result, message);
  // What a failure was warned of before is not the caller's concern any more.
  if (!good) {
    free(call->log.text);
    free(others.text);
    return false;
  }
  good = give_warnings(&others);
  if (good) return give_warnings(&call->log);
  free(call->log.text);
  return false;
}

// --- the module ---

void *py_new(PyTypeObject *type) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  return allocate(type, 0);
}

void py_free(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

bool py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
  *type = (PyTypeObject *)PyType_FromSpec(spec);
  return *type && PyModule_AddType(module, *type) == 0;
}

static int fill_module(PyObject *module) {
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = on_log;
  if (!py_context && stijl_context_create(&params, &py_context) != STIJL_OK) {
    PyErr_NoMemory();
    return -1;
  }
  bool good = py_errors_init() && py_budget_init(module) && py_picture_init(module) && py_image_init(module) &&
              py_path_init(module) && py_paint_init(module) && py_filter_init(module) && py_scene_init(module) &&
              py_fonts_init(module) && py_text_init(module) && py_document_init(module) && py_renderer_init(module) &&
              PyModule_AddFunctions(module, py_css_methods) == 0 &&
              PyModule_AddFunctions(module, py_math_methods) == 0 &&
              PyModule_AddStringConstant(module, "version", stijl_version()) == 0;
  return good ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill_module},
#ifdef Py_GIL_DISABLED
                                   {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
                                   {0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "stijl._stijl", .m_slots = slots,
                                        .m_doc = "The library, as the package `stijl` shows it."};

PyMODINIT_FUNC PyInit__stijl(void);
PyMODINIT_FUNC PyInit__stijl(void) { return PyModuleDef_Init(&definition); }
