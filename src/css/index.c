// The network of index.h: prefixes of selectors become nodes, and nodes with one key a bucket.
#include "css/index.h"

#include <string.h>

typedef struct raw_node {
  uint32_t parent;  // raw node or SJ_CSS_NONE
  uint32_t compound, bucket, key_test;
  uint32_t terminal;  // the highest rank of the selectors that end here, next_terminal leads to the others
  uint8_t combinator;
} raw_node;

typedef struct network {
  sj_css_index *x;
  const sj_css_job *job;
  sj_atoms names;
  SJ_ARRAY(raw_node) raw;
  uint32_t *next_terminal;  // by rank
  uint32_t *id_count, *class_count, *type_count, *attribute_count;
} network;

static bool count_keys(network *n) {
  const stijl_css_document *d = n->x->linked->document;
  stijl_context *context = n->x->context;
  size_t atoms = d->atoms.strings.count;
  uint32_t *counts = sj_alloc_array(context, atoms, 4 * sizeof *counts);
  if (!counts) return false;
  memset(counts, 0, atoms * 4 * sizeof *counts);
  n->id_count = counts;
  n->class_count = counts + atoms;
  n->type_count = counts + 2 * atoms;
  n->attribute_count = counts + 3 * atoms;
  for (uint32_t e = 0; e < d->count; e++) {
    n->id_count[d->id.data[e]]++;
    n->type_count[d->name.data[e]]++;
  }
  for (uint32_t e = 0; e < d->count; e++) {
    sj_pool_range c = d->classes.data[e], a = d->attributes.data[e];
    for (uint32_t i = 0; i < c.count; i++) n->class_count[d->class_pool.data[c.first + i]]++;
    for (uint32_t i = 0; i < a.count; i++) n->attribute_count[d->attribute_pool.data[a.first + i].name]++;
  }
  return true;
}

static bool make_bucket(sj_css_index *x, uint32_t *slot) {
  if (*slot == SJ_CSS_NONE) {
    *slot = (uint32_t)x->buckets.count;
    return sj_array_push(x->context, &x->buckets, (sj_css_bucket){0});
  }
  return true;
}

// Returns whether the test means the same name on all elements of the document, which *name then is. HTML elements
// compare names in lower case, others as they are.
static bool one_name(const stijl_css_document *d, const sj_css_simple *s, sj_atom *name) {
  *name = d->html ? s->b : s->a;
  return s->a == s->b || !d->html || !d->has_foreign;
}

// Chooses the key of the compound that the fewest elements have, and the bucket of that key.
static bool choose_bucket(network *n, raw_node *node) {
  sj_css_index *x = n->x;
  const stijl_css_document *d = x->linked->document;
  sj_css_tests t = x->compound.data[node->compound];
  uint32_t best = UINT32_MAX, *slot = NULL;
  node->bucket = 0;
  node->key_test = SJ_CSS_NONE;
  for (uint32_t i = 0; i < t.count; i++) {
    const sj_css_simple *s = &x->tests.data[t.first + i];
    uint32_t count, *place;
    sj_atom name = s->a;
    bool exact = true;
    if (s->kind == SJ_CSS_ID) {
      count = n->id_count[name];
      place = &x->keys.id[name];
    } else if (s->kind == SJ_CSS_CLASS) {
      count = n->class_count[name];
      place = &x->keys.class_[name];
    } else if (s->kind == SJ_CSS_TYPE && one_name(d, s, &name)) {
      count = n->type_count[name];
      place = &x->keys.type[name];
    } else if (s->kind == SJ_CSS_ATTRIBUTE && one_name(d, s, &name)) {
      count = n->attribute_count[name];
      place = &x->keys.attribute[name];
      exact = false;
    } else {
      continue;
    }
    if (count >= best) continue;
    best = count;
    slot = place;
    node->key_test = exact ? i : SJ_CSS_NONE;
  }
  if (!slot) return true;
  if (!make_bucket(x, slot)) return false;
  node->bucket = *slot;
  return true;
}

// The raw node of a prefix, SJ_CSS_NONE - 1 when it can never match, SJ_CSS_NONE when memory is short.
#define NEVER_NODE (SJ_CSS_NONE - 1)

static uint32_t get_node(network *n, uint32_t parent, uint8_t combinator, uint32_t compound) {
  if (n->x->compound.data[compound].never) return NEVER_NODE;
  const uint32_t name[3] = {parent, combinator, compound};
  sj_atom atom = sj_atoms_intern(&n->names, (const char *)name, sizeof name);
  if (!atom) return SJ_CSS_NONE;
  if (atom - SJ_ATOM_FIRST < n->raw.count) return atom - SJ_ATOM_FIRST;
  raw_node node = {.parent = parent, .combinator = combinator, .compound = compound, .terminal = SJ_CSS_NONE};
  if (!choose_bucket(n, &node) || !sj_array_push(n->x->context, &n->raw, node)) return SJ_CSS_NONE;
  return atom - SJ_ATOM_FIRST;
}

static bool add_selector(network *n, uint32_t rank) {
  sj_css_index *x = n->x;
  const sj_css_program *g = n->x->linked->program;
  const sj_css_complex *complex = &g->complexes.data[g->selectors.data[n->job->order[rank]].complex];
  uint32_t node = SJ_CSS_NONE;
  for (uint32_t i = 0; i < complex->compound_count; i++) {
    uint32_t c = complex->first_compound + i;
    uint8_t combinator = i ? (uint8_t)g->compounds.data[c].combinator : SJ_CSS_LEFTMOST;
    node = get_node(n, node, combinator, x->number[c]);
    if (node == NEVER_NODE) return true;
    if (node == SJ_CSS_NONE) return false;
  }
  if (node == SJ_CSS_NONE) return true;
  // Equal selectors of one rule follow each other in rank, so that comparing with the last one is enough.
  uint32_t last = n->raw.data[node].terminal;
  if (n->job->rules_only && last != SJ_CSS_NONE &&
      g->selectors.data[n->job->order[last]].rule == g->selectors.data[n->job->order[rank]].rule)
    return true;
  n->next_terminal[rank] = n->raw.data[node].terminal;
  n->raw.data[node].terminal = rank;
  return true;
}

// Numbers the nodes so that those of one bucket have neighbouring numbers; place[raw] is the number of a raw node.
static bool order_nodes(network *n, uint32_t *place) {
  sj_css_index *x = n->x;
  size_t count = n->raw.count;
  for (size_t i = 0; i < count; i++) x->buckets.data[n->raw.data[i].bucket].end++;
  uint32_t at = 0;
  for (size_t i = 0; i < x->buckets.count; i++) {
    uint32_t members = x->buckets.data[i].end;
    x->buckets.data[i] = (sj_css_bucket){at, at};
    at += members;
  }
  for (size_t i = 0; i < count; i++) place[i] = x->buckets.data[n->raw.data[i].bucket].end++;
  return true;
}

static bool fill_node(network *n, const raw_node *raw, sj_css_node *node) {
  sj_css_index *x = n->x;
  sj_css_tests t = x->compound.data[raw->compound];
  node->first_test = (uint32_t)x->node_tests.count;
  if (!sj_array_reserve(x->context, &x->node_tests, t.count)) return false;
  for (uint32_t i = 0; i < t.count; i++)
    if (i != raw->key_test) x->node_tests.data[x->node_tests.count++] = x->tests.data[t.first + i];
  node->test_count = ((uint32_t)x->node_tests.count - node->first_test) & 0x7fffffff;
  for (uint32_t i = 0; i < t.count; i++) {
    const sj_css_simple *s = &x->tests.data[t.first + i];
    node->searches |= sj_css_names_options(s) || (s->kind == SJ_CSS_ATTRIBUTE && s->op > SJ_CSS_EQUALS);
  }
  node->first_terminal = (uint32_t)x->terminals.count;
  for (uint32_t rank = raw->terminal; rank != SJ_CSS_NONE; rank = n->next_terminal[rank])
    if (!sj_array_push(x->context, &x->terminals, rank)) return false;
  node->terminal_count = (uint32_t)x->terminals.count - node->first_terminal;
  // The chain runs from the highest rank to the lowest: turns them round.
  for (uint32_t low = node->first_terminal, high = low + node->terminal_count; low + 1 < high; low++) {
    uint32_t *terminals = x->terminals.data, rank = terminals[low];
    terminals[low] = terminals[--high];
    terminals[high] = rank;
  }
  return true;
}

static bool fill_gates(network *n, const uint32_t *place) {
  sj_css_index *x = n->x;
  size_t count = n->raw.count;
  for (size_t i = 0; i < count; i++) {
    const raw_node *raw = &n->raw.data[i];
    if (raw->parent == SJ_CSS_NONE) {
      x->open[place[i] >> 6] |= (uint64_t)1 << (place[i] & 63);
      continue;
    }
    uint32_t parent = place[raw->parent];
    x->nodes.data[parent].gates |= 1u << raw->combinator;
    x->node_gates.data[parent].from[raw->combinator]++;
  }
  uint32_t at = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t *from = x->node_gates.data[i].from;
    from[0] = at;
    for (int c = 1; c < 5; c++) {
      uint32_t members = from[c];
      from[c] = at;  // the start, which the next loop moves to the end
      at += members;
    }
  }
  if (at && !sj_array_reserve(x->context, &x->gates, at)) return false;
  x->gates.count = at;
  for (size_t i = 0; i < count; i++) {
    const raw_node *raw = &n->raw.data[i];
    if (raw->parent != SJ_CSS_NONE)
      x->gates.data[x->node_gates.data[place[raw->parent]].from[raw->combinator]++] = place[i];
  }
  return true;
}

static bool fill_nodes(network *n) {
  sj_css_index *x = n->x;
  size_t count = n->raw.count;
  stijl_context *context = x->context;
  x->words = (uint32_t)((count + 63) / 64 + 1);
  uint32_t *place = sj_alloc_array(context, count + 1, 2 * sizeof *place), *raw_of = place ? place + count + 1 : NULL;
  x->open = sj_alloc_zero(context, x->words * sizeof *x->open);
  bool good = place && x->open && sj_array_reserve(context, &x->nodes, count + 1) &&
              sj_array_reserve(context, &x->node_gates, count + 1) && order_nodes(n, place);
  if (good) {
    for (size_t i = 0; i < count; i++) raw_of[place[i]] = (uint32_t)i;
    x->nodes.count = x->node_gates.count = count;
    if (count) memset(x->node_gates.data, 0, count * sizeof *x->node_gates.data);
    for (size_t i = 0; good && i < count; i++) {
      x->nodes.data[i] = (sj_css_node){0};
      good = fill_node(n, &n->raw.data[raw_of[i]], &x->nodes.data[i]);
    }
  }
  good = good && fill_gates(n, place);
  sj_free(context, place);
  return good;
}

static bool build_network(sj_css_index *x, const sj_css_job *job) {
  stijl_context *context = x->context;
  size_t selectors = x->linked->program->selectors.count, atoms = x->linked->document->atoms.strings.count;
  network n = {.x = x, .job = job};
  bool good = sj_atoms_init(&n.names, context);
  n.next_terminal = sj_alloc_array(context, selectors + 1, sizeof *n.next_terminal);
  uint32_t *keys = sj_alloc_array(context, atoms, 4 * sizeof *keys);
  if (keys) x->keys = (sj_css_keys){keys, keys + atoms, keys + 2 * atoms, keys + 3 * atoms, (uint32_t)atoms};
  good = good && n.next_terminal && keys && count_keys(&n) && sj_array_push(context, &x->buckets, (sj_css_bucket){0});
  if (good) memset(keys, 0xff, atoms * 4 * sizeof *keys);
  for (size_t rank = 0; good && rank < selectors; rank++)
    if (job->used[job->order[rank]]) good = add_selector(&n, (uint32_t)rank);
  good = good && fill_nodes(&n);
  sj_atoms_finish(&n.names);
  sj_array_finish(context, &n.raw);
  sj_free(context, n.next_terminal);
  sj_free(context, n.id_count);
  return good;
}

static void finish_tables(sj_css_index *x) {
  sj_atoms_finish(&x->compounds);
  sj_atoms_finish(&x->lists);
  sj_atoms_finish(&x->set_names);
}

bool sj_css_index_create(sj_css_index *index, const sj_css_job *job) {
  *index = (sj_css_index){.context = job->context, .linked = job->linked};
  index->set_words = ((size_t)job->linked->document->count + 63) / 64;
  bool good = sj_css_index_number(index, job->linked->program);
  finish_tables(index);
  good = good && build_network(index, job);
  if (!good) sj_css_index_finish(index);
  return good;
}

void sj_css_index_finish(sj_css_index *x) {
  stijl_context *context = x->context;
  finish_tables(x);
  sj_arrays_finish(context, &x->compound, &x->tests);
  sj_free(context, x->number);
  sj_free(context, x->list_number);
  sj_arrays_finish(context, &x->sets, &x->options, &x->option_pool, &x->nodes, &x->node_gates, &x->gates,
                   &x->node_tests, &x->terminals, &x->buckets);
  sj_free(context, x->keys.id);
  sj_free(context, x->open);
  x->number = x->list_number = NULL;
  x->keys = (sj_css_keys){0};
  x->open = NULL;
}
