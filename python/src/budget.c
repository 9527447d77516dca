// Budgets: what a job may take.
#include <math.h>
#include <string.h>

#include "module.h"

PyTypeObject *py_budget_type;

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"max_seconds", "max_memory", "max_work", "max_cpu_seconds", "asked_pixels", NULL};
  stijl_budget_params p = STIJL_BUDGET_PARAMS_INIT;
  unsigned long long memory = 0, work = 0, pixels = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$dKKdK:Budget", names, &p.max_seconds, &memory, &work,
                                   &p.max_cpu_seconds, &pixels))
    return NULL;
  p.max_memory = memory;
  p.max_work = work;
  p.asked_pixels = pixels;
  py_budget *self = py_new(type);
  if (!self) return NULL;
  stijl_result result = stijl_budget_create(py_context, &p, &self->budget);
  if (result == STIJL_OK) return (PyObject *)self;
  py_fail(result, NULL);
  Py_DECREF(self);
  return NULL;
}

py_budget *py_budget_new(bool limited) {
  stijl_budget_params p = STIJL_BUDGET_PARAMS_INIT;
  if (!limited) {
    p.max_seconds = 1e9;
    p.max_cpu_seconds = (double)INFINITY;
    p.max_memory = p.max_work = UINT64_MAX / 2;
  }
  py_budget *self = py_new(py_budget_type);
  if (!self) return NULL;
  self->own = true;
  if (stijl_budget_create(py_context, &p, &self->budget) == STIJL_OK) return self;
  Py_DECREF(self);
  PyErr_NoMemory();
  return NULL;
}

stijl_budget *py_budget_enter(py_budget *budget) {
  if (!budget) return NULL;
  if (atomic_fetch_add(&budget->calls, 1) == 0 && budget->own) stijl_budget_restart(budget->budget);
  return budget->budget;
}

void py_budget_leave(py_budget *budget) {
  if (budget) atomic_fetch_sub(&budget->calls, 1);
}

static void destroy(PyObject *object) {
  stijl_budget_destroy(((py_budget *)object)->budget);
  py_free(object);
}

static PyObject *method_cancel(PyObject *self, PyObject *none) {
  stijl_budget_cancel(((py_budget *)self)->budget);
  Py_RETURN_NONE;
}

static PyObject *method_restart(PyObject *object, PyObject *none) {
  py_budget *self = (py_budget *)object;
  if (atomic_load(&self->calls)) {
    py_fail(STIJL_ERROR_INVALID_STATE, "a call shares the budget");
    return NULL;
  }
  stijl_budget_restart(self->budget);
  Py_RETURN_NONE;
}

static PyObject *method_limits(PyObject *self, PyObject *none) {
  stijl_budget_params p = STIJL_BUDGET_PARAMS_INIT;
  stijl_budget_limits(((py_budget *)self)->budget, &p);
  return Py_BuildValue("{s:d,s:K,s:K,s:d}", "max_seconds", p.max_seconds, "max_memory",
                       (unsigned long long)p.max_memory, "max_work", (unsigned long long)p.max_work, "max_cpu_seconds",
                       p.max_cpu_seconds);
}

static PyObject *get_spent(PyObject *self, void *none) {
  return PyBool_FromLong(stijl_budget_spent(((py_budget *)self)->budget));
}
static PyObject *get_work(PyObject *self, void *none) {
  return PyLong_FromUnsignedLongLong(stijl_budget_work(((py_budget *)self)->budget));
}
static PyObject *get_cpu_seconds(PyObject *self, void *none) {
  return PyFloat_FromDouble(stijl_budget_cpu_seconds(((py_budget *)self)->budget));
}
static PyObject *get_seconds_left(PyObject *self, void *none) {
  return PyFloat_FromDouble(stijl_budget_seconds_left(((py_budget *)self)->budget));
}

int py_to_optional_budget(PyObject *object, void *out) {
  *(py_budget **)out = NULL;
  if (object == Py_None) return 1;
  if (!PyObject_TypeCheck(object, py_budget_type)) {
    PyErr_Format(PyExc_TypeError, "budget is a stijl.Budget or None, not %R", object);
    return 0;
  }
  *(py_budget **)out = (py_budget *)object;
  return 1;
}

static PyMethodDef methods[] = {
    PY_METHOD(cancel, METH_NOARGS, "Ends the calls that share the budget, and every later one, with CancelledError."),
    PY_METHOD(restart, METH_NOARGS, "Times and work count from zero again, and a cancellation is forgotten."),
    PY_METHOD(limits, METH_NOARGS, "The limits as they stand now, the defaults filled in."),
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getters[] = {
    {"spent", get_spent, NULL, "Whether time or work is spent, or the budget cancelled.", NULL},
    {"work", get_work, NULL, "Steps spent so far.", NULL},
    {"cpu_seconds", get_cpu_seconds, NULL, "Processor time spent so far.", NULL},
    {"seconds_left", get_seconds_left, NULL, "Seconds until max_seconds ends the calls.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Budget(*, max_seconds=0, max_memory=0, max_work=0, max_cpu_seconds=0, asked_pixels=0)\n--\n\n"
     "Bounds on the time, the memory (bytes) and the work (steps, some 10**9 a second) of all calls that are given "
     "it.\n"
     "0 stands for the default, which grows with the document and the picture."},
    {Py_tp_new, (void *)create},
    {Py_tp_dealloc, (void *)destroy},
    {Py_tp_methods, methods},
    {Py_tp_getset, getters},
    {0, NULL}};
static PyType_Spec spec = {"stijl.Budget", sizeof(py_budget), 0, Py_TPFLAGS_DEFAULT, slots};

bool py_budget_init(PyObject *module) { return py_add_type(module, &spec, &py_budget_type); }
