#include "css/index.h"

#include <string.h>

#include "base/budget.h"
#include "base/sort.h"

// A list that may take more tests than this becomes a set: :is() within :is() would else multiply without bound.
#define MAX_WEIGHT 256
// A compound of more tests than this is not copied to where :is() or & stands for it: rules nested in one with a long
// selector would else take the product of both.
#define MAX_COPIED 64

// Steps of the budget.
#define WORK_A_LIST 100
#define WORK_A_COMPLEX 500

typedef SJ_ARRAY(uint32_t) u32_array;

// What testing a list of options may take: the sum of their weights, and the highest level of the sets that they need.
typedef struct option_info {
  uint64_t weight;
  uint32_t level;
} option_info;

typedef struct builder {
  sj_css_index *x;
  const sj_css_job *job;
  const sj_css_program *program;
  SJ_ARRAY(sj_css_simple) scratch;
  u32_array words;  // per number of a list: the number of its options, or SJ_CSS_NONE
  // Per list that a simple selector names: the weight of its compounds, NOT_SINGLE when some selector has several.
  uint64_t *list_weight;
  SJ_ARRAY(option_info) option_infos;  // of the index's options
} builder;

#define NOT_SINGLE UINT64_MAX

// --- compounds: their tests are sorted and each stands once, so that equal compounds are equal bytes ---

// The order of tests within a compound: those come first that are quick and that few elements pass.
static int cost(const sj_css_simple *s) {
  switch (s->kind) {
    case SJ_CSS_ID: return 0;
    case SJ_CSS_CLASS: return 1;
    case SJ_CSS_TYPE: return 2;
    case SJ_CSS_STATE: return 3;
    case SJ_CSS_ROOT: return 4;
    case SJ_CSS_NTH: return 5;
    case SJ_CSS_EMPTY: return 6;
    case SJ_CSS_SET: return 7;
    case SJ_CSS_NAMESPACE: return 8;
    case SJ_CSS_ATTRIBUTE: return 9;
    case SJ_CSS_IS: return 10;
    case SJ_CSS_NOT: return 11;
    default: return 12;
  }
}

static int compare(const void *first, const void *second) {
  const sj_css_simple *a = first, *b = second;
  int x = cost(a), y = cost(b);
  return x != y ? x - y : memcmp(a, b, sizeof *a);
}

// Most compounds have a few tests, for which insertion is quickest.
static bool sort(stijl_context *context, sj_css_simple *list, size_t count) {
  if (count > 16) return sj_sort(context, list, count, sizeof *list, compare);
  for (size_t i = 1; i < count; i++) {
    sj_css_simple s = list[i];
    size_t j = i;
    for (; j > 0 && compare(&list[j - 1], &s) > 0; j--) list[j] = list[j - 1];
    list[j] = s;
  }
  return true;
}

static bool is_list(const sj_css_simple *s) { return s->kind == SJ_CSS_IS || s->kind == SJ_CSS_NOT; }

static uint64_t weight_of(const builder *b, const sj_css_simple *s) {
  return is_list(s) ? 1 + b->option_infos.data[s->a].weight : 1;
}

// The highest level of the sets that the test depends on.
static uint32_t level_of(const builder *b, const sj_css_simple *s) {
  if (s->kind == SJ_CSS_SET) return b->x->sets.data[s->a].level;
  return is_list(s) ? b->option_infos.data[s->a].level : 0;
}

// Gives the compound whose tests lie in scratch from `first` on its number, the same to equal compounds. SJ_CSS_NONE
// when memory is short.
static uint32_t number_compound(builder *b, size_t first, bool never) {
  sj_css_index *x = b->x;
  sj_css_simple never_test = {.kind = SJ_CSS_NEVER}, *list = sj_array_at(&b->scratch, first);
  size_t count = b->scratch.count - first, kept = 0;
  if (never) {
    list = &never_test;
    kept = 1;
  } else if (count) {
    if (!sort(x->context, list, count)) return SJ_CSS_NONE;
    for (size_t i = 0; i < count; i++)
      if (kept == 0 || memcmp(&list[kept - 1], &list[i], sizeof *list) != 0) list[kept++] = list[i];
  }
  b->scratch.count = first;
  // Of the two atoms that every table has, SJ_ATOM_EMPTY serves for the compound without tests.
  sj_atom atom = kept ? sj_atoms_intern(&x->compounds, (const char *)list, kept * sizeof *list) : SJ_ATOM_EMPTY;
  if (!atom) return SJ_CSS_NONE;
  while (x->compound.count <= atom) {
    sj_css_tests made = {.first = (uint32_t)x->tests.count};
    if (!sj_array_push(x->context, &x->compound, made)) return SJ_CSS_NONE;
    if (x->compound.count - 1 != atom || kept == 0) continue;
    if (!sj_array_reserve(x->context, &x->tests, kept)) return SJ_CSS_NONE;
    memcpy(x->tests.data + x->tests.count, list, kept * sizeof *list);
    x->tests.count += kept;
    x->compound.data[atom].count = (uint32_t)kept;
    x->compound.data[atom].never = never;
    uint64_t weight = 0;
    uint32_t level = 0;
    for (size_t i = 0; i < kept; i++) {
      uint32_t inner = level_of(b, &list[i]);
      weight += weight_of(b, &list[i]);
      if (inner > level) level = inner;
    }
    x->compound.data[atom].weight = weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
    x->compound.data[atom].level = level;
  }
  return atom;
}

static uint32_t level_of_list(const builder *b, uint32_t list) {
  const sj_css_list *l = &b->program->lists.data[list];
  uint32_t level = 0;
  for (uint32_t i = 0; i < l->complex_count; i++) {
    const sj_css_complex *complex = &b->program->complexes.data[l->first_complex + i];
    for (uint32_t c = 0; c < complex->compound_count; c++) {
      uint32_t inner = b->x->compound.data[b->x->number[complex->first_compound + c]].level;
      if (inner > level) level = inner;
    }
  }
  return level;
}

static uint32_t number_set(builder *b, sj_css_set set) {
  sj_css_index *x = b->x;
  const uint32_t name[6] = {set.kind,
                            set.op,
                            (uint32_t)set.a,
                            (uint32_t)set.b,
                            x->list_number[set.list],
                            set.limits == SJ_CSS_NONE ? 0 : x->list_number[set.limits]};
  sj_atom atom = sj_atoms_intern(&x->set_names, (const char *)name, sizeof name);
  if (!atom) return SJ_CSS_NONE;
  if (atom - SJ_ATOM_FIRST < x->sets.count) return atom - SJ_ATOM_FIRST;
  set.level = level_of_list(b, set.list);
  if (set.limits != SJ_CSS_NONE) {
    uint32_t other = level_of_list(b, set.limits);
    if (other > set.level) set.level = other;
  }
  set.level++;
  return sj_array_push(x->context, &x->sets, set) ? atom - SJ_ATOM_FIRST : SJ_CSS_NONE;
}

// Stores the compounds of a list whose selectors are single compounds, as a range of the pool. Returns its number.
static uint32_t number_options(builder *b, const sj_css_list *l) {
  sj_css_index *x = b->x;
  sj_pool_range range = {(uint32_t)x->option_pool.count, 0};
  option_info info = {0};
  for (uint32_t i = 0; i < l->complex_count; i++) {
    const sj_css_complex *c = &b->program->complexes.data[l->first_complex + i];
    uint32_t compound = x->number[c->first_compound];
    if (x->compound.data[compound].never) continue;
    if (!sj_array_push(x->context, &x->option_pool, compound)) return SJ_CSS_NONE;
    range.count++;
    info.weight += x->compound.data[compound].weight;
    if (x->compound.data[compound].level > info.level) info.level = x->compound.data[compound].level;
  }
  if (!sj_array_push(x->context, &x->options, range) || !sj_array_push(x->context, &b->option_infos, info))
    return SJ_CSS_NONE;
  return (uint32_t)x->options.count - 1;
}

static bool push(builder *b, sj_css_simple s) { return sj_array_push(b->x->context, &b->scratch, s); }

static bool push_set(builder *b, sj_css_set set) {
  uint32_t number = number_set(b, set);
  return number != SJ_CSS_NONE && push(b, (sj_css_simple){.kind = SJ_CSS_SET, .a = number});
}

// Copies the tests of the compound to the one around it: :is(.a.b) is the same as .a.b.
static bool push_compound(builder *b, uint32_t compound, bool *never) {
  sj_css_tests t = b->x->compound.data[compound];
  *never |= t.never;
  for (uint32_t i = 0; i < t.count; i++)
    if (!push(b, b->x->tests.data[t.first + i])) return false;
  return true;
}

static bool push_list(builder *b, const sj_css_simple *s, bool *never) {
  const sj_css_list *l = &b->program->lists.data[s->a];
  bool negated = s->kind == SJ_CSS_NOT;
  if (!negated && l->complex_count == 1 && b->list_weight[s->a] != NOT_SINGLE) {
    uint32_t compound = b->x->number[b->program->complexes.data[l->first_complex].first_compound];
    if (b->x->compound.data[compound].count <= MAX_COPIED) return push_compound(b, compound, never);
  }
  if (b->list_weight[s->a] > MAX_WEIGHT) {
    uint32_t set = number_set(b, (sj_css_set){.kind = SJ_CSS_SET_LIST, .list = s->a, .limits = SJ_CSS_NONE});
    return set != SJ_CSS_NONE && push(b, (sj_css_simple){.kind = SJ_CSS_SET, .op = negated, .a = set});
  }
  if (l->complex_count == 0) {
    *never |= !negated;
    return true;
  }
  // Equal lists have one number and share their options.
  uint32_t number = b->x->list_number[s->a];
  if (b->words.data[number] == SJ_CSS_NONE) b->words.data[number] = number_options(b, l);
  uint32_t options = b->words.data[number];
  if (options == SJ_CSS_NONE) return false;
  if (b->x->options.data[options].count == 0) {
    *never |= !negated;
    return true;
  }
  return push(b, (sj_css_simple){.kind = s->kind, .a = options});
}

static bool push_simple(builder *b, const sj_css_simple *s, bool *never) {
  switch (s->kind) {
    case SJ_CSS_ALWAYS: return true;
    case SJ_CSS_NEVER: *never = true; return true;
    case SJ_CSS_IS:
    case SJ_CSS_NOT: return push_list(b, s, never);
    case SJ_CSS_HAS: return push_set(b, (sj_css_set){.kind = SJ_CSS_SET_HAS, .list = s->a, .limits = SJ_CSS_NONE});
    case SJ_CSS_SCOPE:
      return push_set(b, (sj_css_set){.kind = SJ_CSS_SET_SCOPE, .op = s->op, .list = s->a, .limits = s->b});
    case SJ_CSS_NTH:
      if (s->c == SJ_CSS_NONE) break;
      return push_set(b, (sj_css_set){SJ_CSS_SET_NTH, s->op, (int32_t)s->a, (int32_t)s->b, s->c, SJ_CSS_NONE, 0});
    default: break;
  }
  return push(b, *s);
}

static bool number_complex(builder *b, const sj_css_complex *complex) {
  for (uint32_t i = 0; i < complex->compound_count; i++) {
    uint32_t c = complex->first_compound + i;
    const sj_css_compound *compound = &b->program->compounds.data[c];
    bool never = false;
    size_t first = b->scratch.count;
    for (uint32_t k = 0; k < compound->simple_count; k++)
      if (!push_simple(b, &b->x->linked->simples[compound->first_simple + k], &never)) return false;
    b->x->number[c] = number_compound(b, first, never);
    if (b->x->number[c] == SJ_CSS_NONE) return false;
  }
  return true;
}

// Finds the lists that simple selectors name. Lists of rules need no number.
static void mark_lists(builder *b) {
  const sj_css_program *g = b->program;
  for (size_t i = 0; i < g->lists.count; i++) b->x->list_number[i] = SJ_ATOM_NONE;
  for (size_t i = 0; i < g->simples.count; i++) {
    const sj_css_simple *s = &g->simples.data[i];
    uint32_t list = sj_css_simple_list(s);
    if (list != SJ_CSS_NONE) b->x->list_number[list] = SJ_ATOM_EMPTY;
    if (s->kind == SJ_CSS_SCOPE && s->b != SJ_CSS_NONE) b->x->list_number[s->b] = SJ_ATOM_EMPTY;
  }
}

static uint64_t list_weight(const builder *b, const sj_css_list *l) {
  uint64_t weight = 0;
  for (uint32_t k = 0; k < l->complex_count; k++) {
    const sj_css_complex *c = &b->program->complexes.data[l->first_complex + k];
    if (c->compound_count != 1) return NOT_SINGLE;
    weight += b->x->compound.data[b->x->number[c->first_compound]].weight;
  }
  return weight;
}

// Gives the list a number, the same to equal lists. `name` is room for the bytes that tell lists apart.
static bool number_list(builder *b, size_t i, u32_array *name) {
  sj_css_index *x = b->x;
  const sj_css_program *g = b->program;
  const sj_css_list *l = &g->lists.data[i];
  name->count = 0;
  b->list_weight[i] = list_weight(b, l);
  for (uint32_t k = 0; k < l->complex_count; k++) {
    const sj_css_complex *complex = &g->complexes.data[l->first_complex + k];
    if (!sj_array_reserve(x->context, name, 2 * (size_t)complex->compound_count + 1)) return false;
    name->data[name->count++] = complex->compound_count;
    for (uint32_t c = 0; c < complex->compound_count; c++) {
      name->data[name->count++] = g->compounds.data[complex->first_compound + c].combinator;
      name->data[name->count++] = x->number[complex->first_compound + c];
    }
  }
  sj_atom atom = name->count ? sj_atoms_intern(&x->lists, (const char *)name->data, name->count * sizeof *name->data)
                             : SJ_ATOM_EMPTY;
  x->list_number[i] = atom;
  if (atom == SJ_ATOM_NONE) return false;
  while (b->words.count <= atom)
    if (!sj_array_push(x->context, &b->words, SJ_CSS_NONE)) return false;
  return true;
}

// Numbers all lists. They are in the order in which they were parsed, so that lists within a compound come before it.
static bool number_lists(builder *b) {
  const sj_css_program *g = b->program;
  u32_array name = {0};
  bool good = true;
  mark_lists(b);
  for (size_t i = 0; good && i < g->lists.count; i++) {
    const sj_css_list *l = &g->lists.data[i];
    good = sj_context_check(b->x->context, WORK_A_LIST + (uint64_t)l->complex_count * WORK_A_COMPLEX);
    for (uint32_t k = 0; good && k < l->complex_count; k++)
      good = number_complex(b, &g->complexes.data[l->first_complex + k]);
    if (good && b->x->list_number[i] != SJ_ATOM_NONE) good = number_list(b, i, &name);
  }
  sj_array_finish(b->x->context, &name);
  return good;
}

// --- the network ---

typedef struct raw_node {
  uint32_t parent;  // raw node or SJ_CSS_NONE
  uint32_t compound, bucket, key_test;
  uint32_t terminal;  // the highest rank of the selectors that end here, next_terminal leads to the others
  uint8_t combinator;
} raw_node;

typedef struct network {
  builder *b;
  sj_atoms names;
  SJ_ARRAY(raw_node) raw;
  uint32_t *next_terminal;  // by rank
  uint32_t *id_count, *class_count, *type_count, *attribute_count;
} network;

static bool count_keys(network *n) {
  const stijl_css_document *d = n->b->x->linked->document;
  stijl_context *context = n->b->x->context;
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

// HTML elements compare names in lower case, others as they are. True when the test means the same name on all elements
// of the document, which *name then is.
static bool one_name(const stijl_css_document *d, const sj_css_simple *s, sj_atom *name) {
  *name = d->html ? s->b : s->a;
  return s->a == s->b || !d->html || !d->has_foreign;
}

// Chooses the key of the compound that the fewest elements have, and the bucket of that key.
static bool choose_bucket(network *n, raw_node *node) {
  sj_css_index *x = n->b->x;
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
  if (n->b->x->compound.data[compound].never) return NEVER_NODE;
  const uint32_t name[3] = {parent, combinator, compound};
  sj_atom atom = sj_atoms_intern(&n->names, (const char *)name, sizeof name);
  if (!atom) return SJ_CSS_NONE;
  if (atom - SJ_ATOM_FIRST < n->raw.count) return atom - SJ_ATOM_FIRST;
  raw_node node = {.parent = parent, .combinator = combinator, .compound = compound, .terminal = SJ_CSS_NONE};
  if (!choose_bucket(n, &node) || !sj_array_push(n->b->x->context, &n->raw, node)) return SJ_CSS_NONE;
  return atom - SJ_ATOM_FIRST;
}

static bool add_selector(network *n, uint32_t rank) {
  sj_css_index *x = n->b->x;
  const sj_css_program *g = n->b->program;
  const sj_css_complex *complex = &g->complexes.data[g->selectors.data[n->b->job->order[rank]].complex];
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
  if (n->b->job->rules_only && last != SJ_CSS_NONE &&
      g->selectors.data[n->b->job->order[last]].rule == g->selectors.data[n->b->job->order[rank]].rule)
    return true;
  n->next_terminal[rank] = n->raw.data[node].terminal;
  n->raw.data[node].terminal = rank;
  return true;
}

// Numbers the nodes so that those of one bucket have neighbouring numbers; place[raw] is the number of a raw node.
static bool order_nodes(network *n, uint32_t *place) {
  sj_css_index *x = n->b->x;
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
  sj_css_index *x = n->b->x;
  sj_css_tests t = x->compound.data[raw->compound];
  node->first_test = (uint32_t)x->node_tests.count;
  if (!sj_array_reserve(x->context, &x->node_tests, t.count)) return false;
  for (uint32_t i = 0; i < t.count; i++)
    if (i != raw->key_test) x->node_tests.data[x->node_tests.count++] = x->tests.data[t.first + i];
  node->test_count = ((uint32_t)x->node_tests.count - node->first_test) & 0x7fffffff;
  for (uint32_t i = 0; i < t.count; i++) {
    const sj_css_simple *s = &x->tests.data[t.first + i];
    node->searches |= is_list(s) || (s->kind == SJ_CSS_ATTRIBUTE && s->op > SJ_CSS_EQUALS);
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
  sj_css_index *x = n->b->x;
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
  sj_css_index *x = n->b->x;
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

static bool build_network(builder *b) {
  sj_css_index *x = b->x;
  stijl_context *context = x->context;
  size_t selectors = b->program->selectors.count, atoms = x->linked->document->atoms.strings.count;
  network n = {.b = b};
  bool good = sj_atoms_init(&n.names, context);
  n.next_terminal = sj_alloc_array(context, selectors + 1, sizeof *n.next_terminal);
  uint32_t *keys = sj_alloc_array(context, atoms, 4 * sizeof *keys);
  if (keys) x->keys = (sj_css_keys){keys, keys + atoms, keys + 2 * atoms, keys + 3 * atoms, (uint32_t)atoms};
  good = good && n.next_terminal && keys && count_keys(&n) && sj_array_push(context, &x->buckets, (sj_css_bucket){0});
  if (good) memset(keys, 0xff, atoms * 4 * sizeof *keys);
  for (size_t rank = 0; good && rank < selectors; rank++)
    if (b->job->used[b->job->order[rank]]) good = add_selector(&n, (uint32_t)rank);
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
  const sj_css_program *g = job->linked->program;
  stijl_context *context = job->context;
  *index = (sj_css_index){.context = context, .linked = job->linked};
  index->set_words = ((size_t)job->linked->document->count + 63) / 64;
  builder b = {.x = index, .job = job, .program = g};
  index->number = sj_alloc_array(context, g->compounds.count + 1, sizeof *index->number);
  index->list_number = sj_alloc_array(context, g->lists.count + 1, sizeof *index->list_number);
  b.list_weight = sj_alloc_array(context, g->lists.count + 1, sizeof *b.list_weight);
  bool good = index->number && index->list_number && b.list_weight && sj_atoms_init(&index->compounds, context) &&
              sj_atoms_init(&index->lists, context) && sj_atoms_init(&index->set_names, context) && number_lists(&b);
  finish_tables(index);
  good = good && build_network(&b);
  sj_array_finish(context, &b.scratch);
  sj_array_finish(context, &b.words);
  sj_array_finish(context, &b.option_infos);
  sj_free(context, b.list_weight);
  if (!good) sj_css_index_finish(index);
  return good;
}

void sj_css_index_finish(sj_css_index *x) {
  stijl_context *context = x->context;
  finish_tables(x);
  sj_array_finish(context, &x->compound);
  sj_array_finish(context, &x->tests);
  sj_free(context, x->number);
  sj_free(context, x->list_number);
  sj_array_finish(context, &x->sets);
  sj_array_finish(context, &x->options);
  sj_array_finish(context, &x->option_pool);
  sj_array_finish(context, &x->nodes);
  sj_array_finish(context, &x->node_gates);
  sj_array_finish(context, &x->gates);
  sj_array_finish(context, &x->node_tests);
  sj_array_finish(context, &x->terminals);
  sj_array_finish(context, &x->buckets);
  sj_free(context, x->keys.id);
  sj_free(context, x->open);
  x->number = x->list_number = NULL;
  x->keys = (sj_css_keys){0};
  x->open = NULL;
}
