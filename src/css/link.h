// Linking: the strings of a program become atoms of a document, so that testing a simple selector compares numbers.
#ifndef SJ_CSS_LINK_H
#define SJ_CSS_LINK_H

#include "css/document.h"
#include "css/program.h"

typedef struct sj_css_linked {
  const sj_css_program *program;
  stijl_css_document *document;
  sj_css_simple *simples;  // those of the program, strings replaced by atoms, states decided where may_match says so
  uint32_t *ranges;        // likewise
} sj_css_linked;

// Interns the program's strings into the document. Returns false when memory is short.
bool sj_css_link(sj_css_linked *linked, const sj_css_program *program, stijl_css_document *document,
                 const stijl_css_params *params);
void sj_css_linked_finish(sj_css_linked *linked);

// Tests simple selectors that depend on the element alone: all but IS, NOT, HAS, SCOPE and NTH with a list. A test that
// searches an attribute's value adds to *work in proportion to the length of the value: as many as the plain tests that
// take the same time.
bool sj_css_test_attribute(const stijl_css_document *d, const sj_css_simple *s, uint32_t e, uint64_t *work);
bool sj_css_test_language(const stijl_css_document *d, const uint32_t *ranges, const sj_css_simple *s, uint32_t e);
bool sj_css_nth_holds(int32_t a, int32_t b, uint32_t index);

static inline bool sj_css_has_class(const stijl_css_document *d, uint32_t e, sj_atom atom) {
  sj_pool_range range = d->classes.data[e];
  const sj_atom *list = sj_array_at(&d->class_pool, range.first);
  while (range.count > 8) {  // sorted
    uint32_t half = range.count / 2;
    if (list[half] <= atom)
      list += half, range.count -= half;
    else
      range.count = half;
  }
  for (uint32_t i = 0; i < range.count; i++)
    if (list[i] == atom) return true;
  return false;
}

static inline bool sj_css_test(const stijl_css_document *d, const uint32_t *ranges, const sj_css_simple *s, uint32_t e,
                               uint64_t *work) {
  switch (s->kind) {
    case SJ_CSS_ALWAYS: return true;
    case SJ_CSS_TYPE: return d->name.data[e] == (d->flags.data[e] & SJ_NODE_HTML ? s->b : s->a);
    case SJ_CSS_NAMESPACE: return d->space.data[e] == s->a;
    case SJ_CSS_ID: return d->id.data[e] == s->a;
    case SJ_CSS_CLASS: return sj_css_has_class(d, e, s->a);
    case SJ_CSS_ATTRIBUTE: return sj_css_test_attribute(d, s, e, work);
    case SJ_CSS_STATE: return d->states.data[e] >> s->a & 1;
    case SJ_CSS_ROOT: return e == 0;
    case SJ_CSS_EMPTY: return d->first_child.data[e] == SJ_NO_NODE && !(d->flags.data[e] & SJ_NODE_TEXT);
    case SJ_CSS_NTH: {
      bool last = s->op & SJ_CSS_NTH_LAST, type = s->op & SJ_CSS_NTH_OF_TYPE;
      uint32_t index = type ? (last ? d->type_index_last.data[e] : d->type_index.data[e])
                            : (last ? d->index_last.data[e] : d->index.data[e]);
      return sj_css_nth_holds((int32_t)s->a, (int32_t)s->b, index);
    }
    case SJ_CSS_LANG: return sj_css_test_language(d, ranges, s, e);
    default: return false;
  }
}

#endif
