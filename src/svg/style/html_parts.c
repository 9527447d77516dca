// Gathers the declarations of ::before, ::after, ::marker and ::first-letter of HTML elements.
#include "svg/style/cascade_data.h"

stijl_result sj_gather_parts(sj_gatherer *c, const sj_gathering *of) {
  static const sj_css_part parts[SJ_PARTS] = {SJ_CSS_PART_BEFORE, SJ_CSS_PART_AFTER, SJ_CSS_PART_MARKER,
                                              SJ_CSS_PART_FIRST_LETTER};
  sj_document *document = c->document;
  uint32_t found = c->pseudo_elements, first = SJ_NO_COPY, copy;
  document->has_first_line |= (found >> SJ_CSS_PART_FIRST_LINE & 1) != 0;
  if (!(found & (1u << SJ_CSS_PART_BEFORE | 1u << SJ_CSS_PART_AFTER | 1u << SJ_CSS_PART_MARKER |
                 1u << SJ_CSS_PART_FIRST_LETTER)))
    return STIJL_OK;
  // Making copies may move the element's own node.
  bool copied = of->node != &document->nodes.data[of->element];
  size_t place = copied ? (size_t)(of->node - document->copy_nodes.data) : of->element;
  stijl_result result = STIJL_OK;
  for (int i = 0; i < SJ_PARTS && !result; i++) {
    if (!sj_begin_copy(document, of->element, 1, &copy)) return sj_fail_memory(c->message);
    if (i == 0) first = copy;
    sj_gathering g = *of;
    g.part = (uint16_t)parts[i];
    g.node = &document->copy_nodes.data[document->copies.data[copy].first_node];
    g.node->first_run = g.node->run_count = 0;
    if (!(found >> parts[i] & 1)) continue;
    result = sj_gather(c, &g);
    if (!result && !sj_context_check(document->context, SJ_WORK_ELEMENT + of->selector_count * SJ_WORK_VALUE))
      result = sj_budget_spent(c->message);
  }
  (copied ? document->copy_nodes.data : document->nodes.data)[place].copy = first;
  return result;
}
