// What the files of the cascade share: cascade.c gathers the declarations of the document's elements, copies.c those of
// the copies that use elements show.
#ifndef SJ_SVG_STYLE_CASCADE_DATA_H
#define SJ_SVG_STYLE_CASCADE_DATA_H

#include "base/budget.h"
#include "css/sheet.h"
#include "css/variables.h"
#include "svg/style/registered.h"

#define SJ_NO_RUN UINT32_MAX

// What a rule declares, either of importance or not: a run of properties, and a set of custom properties.
typedef struct sj_rule_part {
  uint32_t run, set;  // SJ_NO_RUN: nothing
} sj_rule_part;

// What the attributes of an element declare: its presentation attributes, and its style attribute as a rule does.
typedef struct sj_own_parts {
  uint32_t presentation;
  sj_rule_part style[2];
} sj_own_parts;

typedef struct sj_gatherer {
  sj_document *document;
  sj_spender spender;
  const stijl_css *css;
  stijl_message *message;
  sj_css_variables variables;
  uint32_t *scopes;     // for each element: its scope of variables
  sj_rule_part *parts;  // two for each rule, the second for important declarations
  uint8_t *known;       // for each rule: whether its parts have been made
  uint32_t *seen;       // for each rule: the last gathering that it was found for
  uint32_t gatherings;
  sj_own_parts *own_parts;               // for each element; NULL where no use element may show a copy
  SJ_ARRAY(uint32_t) rules, runs, sets;  // of the element at work
  size_t found;                          // how many selectors match the element at work
  uint32_t pseudo_elements;              // of which these are: a bit for each sj_css_part
  bool at_root;                          // that is the root, whose max-width and the like count
  SJ_ARRAY(uint8_t) has_variables;       // per run: 0 unknown, 1 no, 2 yes
  sj_atoms resolved;                     // run and scope, as bytes, of each run whose variables were replaced
  SJ_ARRAY(uint32_t) resolved_runs;
  sj_atoms lists;  // the lists of runs of elements without declarations of their own
  SJ_ARRAY(sj_declared_run) list_places;
  SJ_ARRAY(uint32_t) cascade;  // becomes the document's
  sj_keyframes keyframes;
  sj_registry registry;
  sj_pairs handed_scopes;  // by scope: the index of what use elements with it hand over
  sj_timeline *line;
  sj_declared_list own, animated;  // of the element at work: all its declarations, and those that animations add
} sj_gatherer;

// An element whose declarations are gathered, where it stands in the document or in a copy.
typedef struct sj_gathering {
  uint32_t element;
  const uint32_t *selectors;  // those that match it, in the order of the cascade
  size_t selector_count;
  uint16_t part;   // sj_css_part: the pseudo-element of it that is at work, whose parent it is
  uint32_t scope;  // of its parent; becomes its own
  sj_node *node;   // gets the runs. Of an element of a copy it has those of the original, and is left alone if they are
                   // the same.
} sj_gathering;

// Gathers the declarations of an element or a part into its node. Behind this call `gathering->node` is no longer
// valid, as there may be more copies.
stijl_result sj_gather(sj_gatherer *gatherer, sj_gathering *gathering);
// Gathers the declarations of the pseudo-elements of an HTML element or a foreignObject, which is gathered, by the
// selectors of the gatherer's `pseudo_elements` (html_parts.c).
stijl_result sj_gather_parts(sj_gatherer *gatherer, const sj_gathering *gathering);
// Makes a copy of `count` elements from `target` on, with the originals' nodes for now. Returns false when memory is
// short.
bool sj_begin_copy(sj_document *document, uint32_t target, uint32_t count, uint32_t *copy);

#endif
