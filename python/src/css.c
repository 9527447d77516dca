// Style sheets matched against a document: what `stijl match --json` prints, as Python's objects.
#include <string.h>

#include "module.h"

typedef struct {
  stijl_css *css;
  stijl_css_document *document;
  stijl_css_matcher *matcher;
  Py_buffer text;
  const char *name;  // of the document, or NULL
  bool xml, page_sheets;
  PyObject *sheets;  // a tuple of (name, bytes)
} job;

// Copies of what the sheets point to, so that nothing of Python's is touched without the GIL.
typedef struct {
  const char *name, *data;
  size_t bytes;
} sheet;

static bool read_sheets(const job *j, sheet **out, size_t *count) {
  *count = (size_t)PyTuple_Size(j->sheets);
  *out = PyMem_Calloc(*count + 1, sizeof **out);
  if (!*out) {
    PyErr_NoMemory();
    return false;
  }
  for (size_t i = 0; i < *count; i++) {
    Py_ssize_t bytes;
    PyObject *pair = PyTuple_GetItem(j->sheets, (Py_ssize_t)i);
    if (!PyTuple_Check(pair)) {
      PyErr_SetString(PyExc_TypeError, "sheets are pairs of a name and bytes");
      return false;
    }
    if (!PyArg_ParseTuple(pair, "sy#;sheets are pairs of a name and bytes", &(*out)[i].name, &(*out)[i].data, &bytes))
      return false;
    (*out)[i].bytes = (size_t)bytes;
  }
  return true;
}

static stijl_result match(job *j, stijl_context *context, const stijl_css_params *params, const sheet *sheets,
                          size_t count, stijl_message *message) {
  stijl_result result = stijl_css_create(context, params, &j->css);
  for (size_t i = 0; i < count && result == STIJL_OK; i++)
    result = stijl_css_add(j->css, sheets[i].data, sheets[i].bytes, sheets[i].name, STIJL_CSS_ORIGIN_AUTHOR, message);
  if (result == STIJL_OK)
    result = (j->xml ? stijl_css_document_parse_xml : stijl_css_document_parse_html)(
        context, j->text.buf, (size_t)j->text.len, &params->limits, &j->document, message);
  if (result == STIJL_OK && j->page_sheets)
    result = stijl_css_add_document_sheets(j->css, j->document, j->name, message);
  if (result == STIJL_OK) result = stijl_css_matcher_create(j->css, j->document, NULL, &j->matcher, message);
  return result == STIJL_OK ? stijl_css_match(j->matcher, message) : result;
}

// Returns the matches: an empty list a selector first, which then gets the elements in their order.
static PyObject *matches_by_selector(const job *j) {
  Py_ssize_t count = (Py_ssize_t)stijl_css_selector_count(j->css);
  PyObject *lists = PyList_New(count);
  for (Py_ssize_t s = 0; lists && s < count; s++) PyList_SetItem(lists, s, PyList_New(0));
  const uint32_t *offsets, *selectors;
  stijl_css_matches_all(j->matcher, &offsets, &selectors);
  uint32_t elements = stijl_css_document_elements(j->document);
  for (uint32_t e = 0; lists && e < elements && !PyErr_Occurred(); e++) {
    PyObject *element = PyLong_FromUnsignedLong(e);
    for (uint32_t i = offsets[e]; element && i < offsets[e + 1]; i++)
      if (PyList_Append(PyList_GetItem(lists, (Py_ssize_t)selectors[i]), element) != 0) break;
    Py_XDECREF(element);
  }
  if (!PyErr_Occurred()) return lists;
  Py_XDECREF(lists);
  return NULL;
}

static PyObject *rules(const job *j) {
  PyObject *lists = matches_by_selector(j), *all = lists ? PyList_New(0) : NULL;
  for (size_t s = 0; all && s < stijl_css_selector_count(j->css); s++) {
    stijl_css_selector selector = STIJL_CSS_SELECTOR_INIT;
    stijl_css_selector_get(j->css, s, &selector);
    if (selector.continuation) continue;
    PyObject *rule = Py_BuildValue("{s:s,s:I,s:s#,s:I,s:N,s:O}", "sheet", *selector.sheet ? selector.sheet : "-",
                                   "line", selector.line, "selector", selector.text, (Py_ssize_t)selector.length,
                                   "specificity", selector.specificity, "active", PyBool_FromLong(selector.active),
                                   "matches", PyList_GetItem(lists, (Py_ssize_t)s));
    if (!rule || PyList_Append(all, rule) != 0) {
      Py_DECREF(all);
      all = NULL;
    }
    Py_XDECREF(rule);
  }
  Py_XDECREF(lists);
  return all;
}

static PyObject *method_match(PyObject *module, PyObject *args, PyObject *keywords) {
  static char *names[] = {"text",   "name",  "xml",    "sheets",     "page_sheets", "applied", "all_files",
                          "medium", "width", "height", "resolution", "dark",        "budget",  NULL};
  job j = {.name = NULL};
  stijl_css_params p = STIJL_CSS_PARAMS_INIT;
  int xml, page_sheets, applied = 0, all_files = 0, dark = 0;
  py_budget *budget = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "y*zpO!p|$ppsdddpO&:match", names, &j.text, &j.name, &xml,
                                   &PyTuple_Type, &j.sheets, &page_sheets, &applied, &all_files, &p.medium.type,
                                   &p.medium.width, &p.medium.height, &p.medium.resolution, &dark,
                                   py_to_optional_budget, &budget))
    return NULL;
  j.xml = xml;
  j.page_sheets = page_sheets;
  p.all_media = !applied;
  p.medium.dark = dark;
  p.pseudo_elements = 1;
  p.files = all_files ? STIJL_CSS_FILES_ALL : STIJL_CSS_FILES_BELOW;
  sheet *sheets = NULL;
  size_t count;
  bool good = read_sheets(&j, &sheets, &count);
  if (budget) Py_INCREF((PyObject *)budget);
  if (good && !budget) good = (budget = py_budget_new(true)) != NULL;
  if (good) {
    stijl_budget *shared = py_budget_enter(budget);
    stijl_message message = {""};
    py_call call;
    py_call_begin(&call, shared);
    stijl_result result = match(&j, stijl_budget_context(shared), &p, sheets, count, &message);
    good = py_call_end(&call, result, message.text);
    py_budget_leave(budget);
  }
  PyObject *list = good ? rules(&j) : NULL;
  PyObject *out =
      list ? Py_BuildValue("{s:I,s:N}", "elements", stijl_css_document_elements(j.document), "rules", list) : NULL;
  stijl_css_matcher_destroy(j.matcher);
  stijl_css_document_destroy(j.document);
  stijl_css_destroy(j.css);
  Py_XDECREF((PyObject *)budget);
  PyMem_Free(sheets);
  PyBuffer_Release(&j.text);
  return out;
}

PyMethodDef py_css_methods[] = {PY_METHOD(match, PY_KEYWORDS, NULL), {NULL, NULL, 0, NULL}};
