// Resolves paints, and what paint servers share.
#ifndef SJ_SVG_RESOLVE_PAINT_H
#define SJ_SVG_RESOLVE_PAINT_H

#include "svg/resolve/attributes.h"
#include "svg/resolve/job.h"

typedef enum sj_server_result {
  SJ_SERVER_PAINTS,
  SJ_SERVER_NONE,    // it paints nothing
  SJ_SERVER_INVALID  // the reference counts as broken: the fallback is used
} sj_server_result;

// Resolves a paint. `frame` is the element's own; `node` is its node, whose box is computed where it is needed.
sj_tree_paint sj_resolve_paint(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                               const sj_paint_value *value);
// Keeps the paints and the box of the element for context-fill and context-stroke in what it shows.
void sj_add_context(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node);

// An element and those that its hrefs lead to, from which it takes the attributes that it lacks.
#define SJ_MAX_TEMPLATES 64
typedef struct sj_templates {
  uint32_t elements[SJ_MAX_TEMPLATES];
  int count;
} sj_templates;

// Collects them. Returns false when the references form a circle.
bool sj_templates_collect(sj_resolver *r, uint32_t element, unsigned kind, sj_templates *out);
// Charges the budget for looking for attributes in all of them. Returns false if resolving has to stop.
bool sj_templates_spend(sj_resolver *r, const sj_templates *templates);
// Returns the attribute of the first of them that has it, among elements of the kind `only` (0: all); NULL when none
// has.
const sj_string *sj_templates_attribute(const sj_document *document, const sj_templates *templates, sj_name name,
                                        sj_element only);
// Returns that attribute as a length in user units; 0 when none has it, or it is invalid, which is told.
float sj_templates_length(const sj_resolver *r, const sj_templates *templates, const sj_resolve_frame *frame,
                          sj_name name, sj_axis axis);
// Returns the first of them that has it; else `fallback`.
uint32_t sj_templates_with(const sj_document *document, const sj_templates *templates, sj_name name, uint32_t fallback);

#endif
