// Fonts and text.
#include <string.h>

#include "module.h"

PyTypeObject *py_fonts_type, *py_text_type;

// --- fonts ---

static PyObject *create_fonts(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"system", "max_bytes", "max_faces", "max_memory", NULL};
  stijl_fonts_params p = STIJL_FONTS_PARAMS_INIT;
  int system = 1;
  unsigned long long bytes = p.max_bytes, memory = p.max_memory;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$pKIK:Fonts", names, &system, &bytes, &p.max_faces, &memory))
    return NULL;
  p.system = system;
  p.max_bytes = bytes;
  p.max_memory = memory;
  py_fonts *self = py_new(type);
  if (!self) return NULL;
  stijl_message message = {""};
  stijl_result result = stijl_fonts_create(py_context, &p, &self->fonts, &message);
  if (result == STIJL_OK) return (PyObject *)self;
  py_fail(result, message.text);
  Py_DECREF(self);
  return NULL;
}

static void destroy_fonts(PyObject *object) {
  stijl_fonts_destroy(((py_fonts *)object)->fonts);
  py_free(object);
}

static PyObject *add_path(PyObject *object, PyObject *args,
                          stijl_result (*add)(stijl_fonts *, const char *, stijl_message *)) {
  py_fonts *self = (py_fonts *)object;
  PyObject *path;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  bool good = py_change(&self->use, "fonts");
  if (good) {
    stijl_message message = {""};
    py_call call;
    py_call_begin(&call, NULL);
    stijl_result result = add(self->fonts, PyBytes_AsString(path), &message);
    good = py_call_end(&call, result, message.text);
    py_change_done(&self->use);
  }
  Py_DECREF(path);
  if (!good) return NULL;
  Py_RETURN_NONE;
}

static PyObject *method_add_file(PyObject *self, PyObject *args) { return add_path(self, args, stijl_fonts_add_file); }
static PyObject *method_add_folder(PyObject *self, PyObject *args) {
  return add_path(self, args, stijl_fonts_add_folder);
}

static PyObject *method_add_data(PyObject *object, PyObject *args) {
  py_fonts *self = (py_fonts *)object;
  Py_buffer data;
  if (!PyArg_ParseTuple(args, "y*:add_data", &data)) return NULL;
  stijl_message message = {""};
  bool good = py_change(&self->use, "fonts");
  if (good) {
    stijl_result result = stijl_fonts_add_memory(self->fonts, data.buf, (size_t)data.len, &message);
    py_change_done(&self->use);
    good = result == STIJL_OK || py_fail(result, message.text);
  }
  PyBuffer_Release(&data);
  if (!good) return NULL;
  Py_RETURN_NONE;
}

static PyObject *method_set_family(PyObject *object, PyObject *args) {
  py_fonts *self = (py_fonts *)object;
  stijl_generic_family generic;
  const char *family;
  if (!PyArg_ParseTuple(args, "O&z:set_family", py_to_family, &generic, &family)) return NULL;
  if (!py_change(&self->use, "fonts")) return NULL;
  stijl_result result = stijl_fonts_set_family(self->fonts, generic, family);
  py_change_done(&self->use);
  if (result != STIJL_OK) {
    py_fail(result, NULL);
    return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *method_uses(PyObject *object, PyObject *none) {
  static const char *const how[] = {"named", "instead", "fallback"};
  py_fonts *self = (py_fonts *)object;
  if (!py_change(&self->use, "fonts")) return NULL;
  PyObject *list = PyList_New(0);
  stijl_font_use use = STIJL_FONT_USE_INIT;
  for (size_t i = 0; list && stijl_fonts_get_use(self->fonts, i, &use) == STIJL_OK; i++) {
    PyObject *item = Py_BuildValue("{s:s,s:f,s:s,s:s,s:s}", "families", use.families, "weight", (double)use.weight,
                                   "family", use.family, "path", use.path, "how", how[use.how]);
    if (!item || PyList_Append(list, item) != 0) {
      Py_DECREF(list);
      list = NULL;
    }
    Py_XDECREF(item);
  }
  py_change_done(&self->use);
  return list;
}

int py_to_optional_fonts(PyObject *object, void *out) {
  *(py_fonts **)out = NULL;
  if (object == Py_None) return 1;
  if (!PyObject_TypeCheck(object, py_fonts_type)) {
    PyErr_Format(PyExc_TypeError, "fonts is a stijl.Fonts or None, not %R", object);
    return 0;
  }
  *(py_fonts **)out = (py_fonts *)object;
  return 1;
}

// Begins to read the fonts, as whatever lays out or draws text with fonts does.
static bool read_fonts(py_fonts *fonts) { return !fonts || py_read(&fonts->use, "fonts"); }
static void read_fonts_done(py_fonts *fonts) {
  if (fonts) py_read_done(&fonts->use);
}

static PyMethodDef fonts_methods[] = {
    PY_METHOD(add_file, METH_VARARGS, "add_file($self, path)\n--\n\nTrueType, OpenType, a collection, WOFF or WOFF2."),
    PY_METHOD(add_folder, METH_VARARGS, "add_folder($self, path)\n--\n\nAll fonts in a folder and the folders in it."),
    PY_METHOD(add_data, METH_VARARGS, "add_data($self, data)\n--\n\nA font file's bytes."),
    PY_METHOD(set_family, METH_VARARGS,
              "set_family($self, generic, family)\n--\n\nWhat 'serif', 'sans-serif', ..., or 'default', stand for."),
    PY_METHOD(uses, METH_NOARGS, "What text has asked for so far, and the fonts that it got."),
    {NULL, NULL, 0, NULL}};
static PyType_Slot fonts_slots[] = {{Py_tp_doc,
                                     "Fonts(*, system=True, max_bytes=2**28, max_faces=4096, "
                                     "max_memory=2**28)\n--\n\nThe fonts that text is drawn with: "
                                     "those that are added, then the system's."},
                                    {Py_tp_new, (void *)create_fonts},
                                    {Py_tp_dealloc, (void *)destroy_fonts},
                                    {Py_tp_methods, fonts_methods},
                                    {0, NULL}};
static PyType_Spec fonts_spec = {"stijl.Fonts", sizeof(py_fonts), 0, Py_TPFLAGS_DEFAULT, fonts_slots};

bool py_fonts_init(PyObject *module) { return py_add_type(module, &fonts_spec, &py_fonts_type); }

// --- text ---

static PyObject *create_text(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"fonts", NULL};
  py_fonts *fonts = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O&:Text", names, py_to_optional_fonts, &fonts)) return NULL;
  py_text *self = py_new(type);
  if (!self) return NULL;
  stijl_result result = stijl_text_create(py_context, fonts ? fonts->fonts : NULL, &self->text);
  if (result != STIJL_OK) {
    py_fail(result, NULL);
    Py_DECREF(self);
    return NULL;
  }
  Py_XINCREF((PyObject *)fonts);
  self->fonts = fonts;
  return (PyObject *)self;
}

static void destroy_text(PyObject *object) {
  py_text *self = (py_text *)object;
  stijl_text_destroy(self->text);
  Py_XDECREF((PyObject *)self->fonts);
  py_free(object);
}

static PyObject *method_append(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"text",     "families",       "size",         "weight",      "stretch",
                          "slant",    "letter_spacing", "word_spacing", "line_height", "language",
                          "features", "variations",     "palette",      NULL};
  py_text *self = (py_text *)object;
  const char *utf8;
  Py_ssize_t length;
  stijl_text_style s = STIJL_TEXT_STYLE_INIT;
  int palette = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "s#|$zfffO&fffzzzi:append", names, &utf8, &length, &s.families,
                                   &s.font_size, &s.weight, &s.stretch, py_to_slant, &s.slant, &s.letter_spacing,
                                   &s.word_spacing, &s.line_height, &s.language, &s.features, &s.variations, &palette))
    return NULL;
  s.palette = palette;
  if (!py_change(&self->use, "text")) return NULL;
  stijl_result result = stijl_text_append(self->text, utf8, (size_t)length, &s);
  self->laid_out = false;
  py_change_done(&self->use);
  if (result == STIJL_OK) {
    Py_INCREF(object);
    return object;
  }
  py_fail(result, NULL);
  return NULL;
}

static PyObject *method_layout(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"width", "align", "direction", "max_lines", "ellipsis", NULL};
  py_text *self = (py_text *)object;
  stijl_text_params p = STIJL_TEXT_PARAMS_INIT;
  unsigned int lines = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$fO&O&Iz:layout", names, &p.width, py_to_align, &p.align,
                                   py_to_direction, &p.direction, &lines, &p.ellipsis))
    return NULL;
  p.max_lines = lines;
  if (!py_change(&self->use, "text")) return NULL;
  bool good = read_fonts(self->fonts);
  if (good) {
    stijl_message message = {""};
    py_call call;
    py_call_begin(&call, NULL);
    stijl_result result = stijl_text_layout(self->text, &p, &message);
    good = py_call_end(&call, result, message.text);
    self->laid_out = result == STIJL_OK;
    read_fonts_done(self->fonts);
  }
  py_change_done(&self->use);
  if (!good) return NULL;
  Py_INCREF(object);
  return object;
}

// Reads a text that has a layout; NULL with an exception.
static stijl_text *begin(PyObject *object) {
  py_text *self = (py_text *)object;
  if (!self->laid_out) {
    py_fail(STIJL_ERROR_INVALID_STATE, "the text has no layout yet: layout() makes one");
    return NULL;
  }
  return py_read(&self->use, "text") ? self->text : NULL;
}

static void end(PyObject *object) { py_read_done(&((py_text *)object)->use); }

static PyObject *get_size(PyObject *self, void *none) {
  float width, height;
  stijl_text *text = begin(self);
  if (!text) return NULL;
  stijl_text_size(text, &width, &height);
  end(self);
  return Py_BuildValue("(ff)", (double)width, (double)height);
}

static PyObject *get_missing(PyObject *self, void *none) {
  stijl_text *text = begin(self);
  if (!text) return NULL;
  uint32_t missing = stijl_text_missing(text);
  end(self);
  if (missing) return PyUnicode_FromOrdinal((int)missing);
  Py_RETURN_NONE;
}

static bool append_item(PyObject **list, PyObject *item) {
  bool good = *list && item && PyList_Append(*list, item) == 0;
  Py_XDECREF(item);
  if (!good) Py_XDECREF(*list);
  if (!good) *list = NULL;
  return good;
}

static PyObject *method_lines(PyObject *self, PyObject *none) {
  stijl_text *text = begin(self);
  if (!text) return NULL;
  const stijl_text_line *lines;
  size_t count = stijl_text_lines(text, &lines);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; i < count; i++) {
    const stijl_text_line *l = &lines[i];
    if (!append_item(&list, Py_BuildValue("{s:n,s:n,s:f,s:f,s:f,s:f,s:f,s:n,s:n}", "start", l->start, "end", l->end,
                                          "x", (double)l->x, "baseline", (double)l->baseline, "width", (double)l->width,
                                          "ascent", (double)l->ascent, "descent", (double)l->descent, "first_glyph",
                                          l->first_glyph, "glyph_count", l->glyph_count)))
      break;
  }
  end(self);
  return list;
}

static PyObject *method_glyphs(PyObject *self, PyObject *none) {
  stijl_text *text = begin(self);
  if (!text) return NULL;
  const stijl_glyph *glyphs;
  size_t count = stijl_text_glyphs(text, &glyphs);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; i < count; i++) {
    const stijl_glyph *g = &glyphs[i];
    if (!append_item(&list,
                     Py_BuildValue("{s:I,s:s,s:n,s:f,s:f,s:f,s:f}", "id", g->id, "family",
                                   stijl_text_font_family(text, g->font), "cluster", g->cluster, "x", (double)g->x, "y",
                                   (double)g->y, "advance", (double)g->advance, "font_size", (double)g->font_size)))
      break;
  }
  end(self);
  return list;
}

static PyObject *method_caret(PyObject *self, PyObject *args) {
  Py_ssize_t offset;
  if (!PyArg_ParseTuple(args, "n:caret", &offset)) return NULL;
  stijl_text *text = begin(self);
  if (!text) return NULL;
  stijl_caret c;
  bool any = stijl_text_caret(text, offset < 0 ? 0 : (size_t)offset, &c);
  end(self);
  if (!any) Py_RETURN_NONE;
  return Py_BuildValue("{s:f,s:f,s:f,s:I,s:N}", "x", (double)c.x, "y0", (double)c.y0, "y1", (double)c.y1, "line",
                       c.line, "right_to_left", PyBool_FromLong(c.right_to_left));
}

static PyObject *method_hit(PyObject *self, PyObject *args) {
  float x, y;
  if (!PyArg_ParseTuple(args, "ff:hit", &x, &y)) return NULL;
  stijl_text *text = begin(self);
  if (!text) return NULL;
  size_t offset = stijl_text_hit(text, x, y);
  end(self);
  return PyLong_FromSize_t(offset);
}

static PyObject *method_outline(PyObject *self, PyObject *args) {
  py_matrix m = {false, STIJL_MATRIX_IDENTITY};
  if (!PyArg_ParseTuple(args, "|O&:outline", py_to_matrix, &m)) return NULL;
  PyObject *object = PyObject_CallNoArgs((PyObject *)py_path_type);
  stijl_text *text = object ? begin(self) : NULL;
  if (!text) {
    Py_XDECREF(object);
    return NULL;
  }
  py_call call;
  py_call_begin(&call, NULL);
  stijl_result result = stijl_text_outline(text, m.given ? &m.m : NULL, ((py_path *)object)->path);
  bool good = py_call_end(&call, result, NULL);
  end(self);
  if (good) return object;
  Py_DECREF(object);
  return NULL;
}

static PyMethodDef text_methods[] = {
    PY_METHOD(
        append, PY_KEYWORDS,
        "append($self, text, *, families=None, size=16, weight=400, stretch=100, slant='normal', letter_spacing=0, "
        "word_spacing=0, line_height=0, language=None, features=None, variations=None, palette=0)\n--\n\nAdds "
        "characters "
        "in a style. Returns the text."),
    PY_METHOD(layout, PY_KEYWORDS,
              "layout($self, *, width=0, align='start', direction='auto', max_lines=0, ellipsis=None)\n--\n\nShapes "
              "the text and "
              "breaks it into lines that fit into `width` (0: of any width). Returns the text."),
    PY_METHOD(lines, METH_NOARGS, "The lines; offsets are bytes of UTF-8."),
    PY_METHOD(glyphs, METH_NOARGS, "The glyphs, as they are placed."),
    PY_METHOD(caret, METH_VARARGS, "caret($self, offset)\n--\n\nWhere the caret stands before a byte's character."),
    PY_METHOD(hit, METH_VARARGS, "hit($self, x, y)\n--\n\nThe offset of the caret that is nearest to a point."),
    PY_METHOD(outline, METH_VARARGS, "outline($self, transform=None)\n--\n\nA path of all outlines."),
    {NULL, NULL, 0, NULL}};
static PyGetSetDef text_getters[] = {
    {"size", get_size, NULL, "(width, height) of the box of the lines.", NULL},
    {"missing", get_missing, NULL, "The first character that no font has; None.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot text_slots[] = {{Py_tp_doc,
                                    "Text(fonts=None)\n--\n\nCharacters with styles, to be shaped, broken into lines, "
                                    "measured and drawn. x goes to the "
                                    "right, y down,\nand the origin is the top left corner of the lines' box."},
                                   {Py_tp_new, (void *)create_text},
                                   {Py_tp_dealloc, (void *)destroy_text},
                                   {Py_tp_methods, text_methods},
                                   {Py_tp_getset, text_getters},
                                   {0, NULL}};
static PyType_Spec text_spec = {"stijl.Text", sizeof(py_text), 0, Py_TPFLAGS_DEFAULT, text_slots};

bool py_text_init(PyObject *module) { return py_add_type(module, &text_spec, &py_text_type); }
