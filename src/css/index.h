// Sheets made ready for a document: a network of nodes through which matching runs once over the document, top down.
//
// A node is a prefix of complex selectors: "A > B C" gives the nodes A, "A >" B and "A > B" C. Prefixes that are equal
// are one node, however many selectors begin with them. An element matches a node when it matches its compound and the
// element that the combinator leads to matches the node before. So each element needs to be looked at once, with only
// one question to its ancestors and preceding siblings: which nodes have they opened the gates of? Gates are bits, one
// for each node, those of nodes without a left side always open. Nodes are numbered by bucket, the key that an element
// must have (the rarest of the compound's id, classes, type and attributes): the candidates for an element are the set
// bits in a few short ranges, and everything with an unmatched left side costs a bit in a word that is zero.
//
// Arrays of plain values with indices, the same for the CPU and for a GPU.
#ifndef SJ_CSS_INDEX_H
#define SJ_CSS_INDEX_H

#include "css/engine.h"

// The tests of a compound. Equal compounds, wherever they stand, are stored once.
typedef struct sj_css_tests {
  uint32_t first, count;  // of `tests`
  uint32_t weight;        // how many tests one element may take, those of options counted
  uint32_t level;         // the highest of the sets that they need, 0 without
  bool never;
} sj_css_tests;

// A further kind of simple selector: a: number of the set that holds the elements.
#define SJ_CSS_SET 64

typedef enum sj_css_set_kind { SJ_CSS_SET_LIST, SJ_CSS_SET_HAS, SJ_CSS_SET_NTH, SJ_CSS_SET_SCOPE } sj_css_set_kind;

// What a compound asks of other elements (:has(), or :is() with combinators inside) is answered for all elements before
// matching: a set holds a bit for each element. Sets come after the sets that they depend on.
typedef struct sj_css_set {
  uint8_t kind, op;  // NTH: op, a, b; SCOPE: op
  int32_t a, b;
  uint32_t list;
  uint32_t limits;  // SCOPE: another list, or SJ_CSS_NONE
  uint32_t level;   // one more than the highest of the sets that it needs
} sj_css_set;

typedef struct sj_css_node {
  uint32_t first_test;
  uint32_t test_count : 31;
  uint32_t searches : 1;  // some test looks for a part of an attribute's value, or may do so within a list
  uint32_t gates;         // a bit per combinator (1 << SJ_CSS_CHILD ...): set if some node continues this one by it
  uint32_t first_terminal, terminal_count;
} sj_css_node;

// The nodes that continue a node by a combinator are `gates` from from[combinator - 1] to from[combinator].
typedef struct sj_css_gates {
  uint32_t from[5];
} sj_css_gates;

typedef struct sj_css_bucket {
  uint32_t first, end;  // nodes
} sj_css_bucket;

// Tables from atoms to buckets; SJ_CSS_NONE for names without a bucket.
typedef struct sj_css_keys {
  uint32_t *id, *class_, *type, *attribute;
  uint32_t count;  // atoms: those made later have no bucket
} sj_css_keys;

typedef struct sj_css_index {
  stijl_context *context;
  const sj_css_linked *linked;
  sj_atoms compounds;               // bytes of the tests to number; only while the index is made
  SJ_ARRAY(sj_css_tests) compound;  // by number
  SJ_ARRAY(sj_css_simple) tests;    // of compounds; IS and NOT hold numbers of lists of compounds (`options`)
  uint32_t *number;                 // of each compound of the program
  sj_atoms lists;                   // distinct lists; only while the index is made
  uint32_t *list_number;            // of each list of the program that a simple selector names
  SJ_ARRAY(sj_css_set) sets;
  size_t set_words;                 // a bit for each element of the document
  sj_atoms set_names;               // only while the index is made
  SJ_ARRAY(sj_pool_range) options;  // lists of single compounds: ranges of option_pool
  SJ_ARRAY(uint32_t) option_pool;   // compounds

  SJ_ARRAY(sj_css_node) nodes;
  SJ_ARRAY(sj_css_gates) node_gates;
  SJ_ARRAY(uint32_t) gates;
  SJ_ARRAY(sj_css_simple) node_tests;  // without the key
  SJ_ARRAY(uint32_t) terminals;        // ranks, ascending within a node
  SJ_ARRAY(sj_css_bucket) buckets;     // 0: nodes without a key
  sj_css_keys keys;
  uint64_t *open;  // gates that are always open
  uint32_t words;
} sj_css_index;

// Makes the index. Returns false when memory is short.
bool sj_css_index_create(sj_css_index *index, const sj_css_job *job);
void sj_css_index_finish(sj_css_index *index);

// Returns whether the simple selector of a compound names `options`.
static inline bool sj_css_names_options(const sj_css_simple *s) {
  return s->kind == SJ_CSS_IS || s->kind == SJ_CSS_NOT;
}

// Fills number, compounds, tests, list_number, sets and options (index_lists.c). Returns false when memory is short.
bool sj_css_index_number(sj_css_index *index, const sj_css_program *program);

// Returns whether all tests hold of the element. `sets` are the bits of all sets, one after the other. For *work see
// link.h.
bool sj_css_tests_hold(const sj_css_index *index, const uint64_t *sets, const sj_css_simple *tests, uint32_t count,
                       uint32_t e, uint64_t *work);

// Fills the bits of all sets. STIJL_ERROR_LIMIT when it takes too long, STIJL_ERROR_OUT_OF_MEMORY.
stijl_result sj_css_sets_fill(const sj_css_index *index, const sj_css_job *job, sj_pool *pool, uint64_t *sets);

#endif
