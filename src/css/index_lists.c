// Numbers the compounds and lists of a program, so that equal ones have one number and are tested once.
#include <string.h>

#include "base/budget.h"
#include "base/sort.h"
#include "css/index.h"

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
  const sj_css_program *program;
  SJ_ARRAY(sj_css_simple) scratch;
  u32_array words;  // per number of a list: the number of its options, or SJ_CSS_NONE
  // Per list that a simple selector names: the weight of its compounds, NOT_SINGLE when some selector has several.
  uint64_t *list_weight;
  SJ_ARRAY(option_info) option_infos;  // of the index's options
} builder;

#define NOT_SINGLE UINT64_MAX

// --- compounds: their tests are sorted and each stands once, so that equal compounds are equal bytes ---

// Returns the order of tests within a compound: those come first that are quick and that few elements pass.
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

// Sorts tests. Most compounds have a few of them, for which insertion is quickest. Returns false when memory is short.
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

static uint64_t weight_of(const builder *b, const sj_css_simple *s) {
  return sj_css_names_options(s) ? 1 + b->option_infos.data[s->a].weight : 1;
}

// Returns the highest level of the sets that the test depends on.
static uint32_t level_of(const builder *b, const sj_css_simple *s) {
  if (s->kind == SJ_CSS_SET) return b->x->sets.data[s->a].level;
  return sj_css_names_options(s) ? b->option_infos.data[s->a].level : 0;
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

bool sj_css_index_number(sj_css_index *index, const sj_css_program *program) {
  stijl_context *context = index->context;
  builder b = {.x = index, .program = program};
  index->number = sj_alloc_array(context, program->compounds.count + 1, sizeof *index->number);
  index->list_number = sj_alloc_array(context, program->lists.count + 1, sizeof *index->list_number);
  b.list_weight = sj_alloc_array(context, program->lists.count + 1, sizeof *b.list_weight);
  bool good = index->number && index->list_number && b.list_weight && sj_atoms_init(&index->compounds, context) &&
              sj_atoms_init(&index->lists, context) && sj_atoms_init(&index->set_names, context) && number_lists(&b);
  sj_arrays_finish(context, &b.scratch, &b.words, &b.option_infos);
  sj_free(context, b.list_weight);
  return good;
}
