// The index and the document as arrays for the device.
#include <stdatomic.h>
#include <string.h>

#include "css/vulkan.h"

_Static_assert(sizeof(m_attribute) == sizeof(sj_node_attribute), "attributes are copied as they are");

typedef struct packer {
  sj_css_vulkan *v;
  SJ_ARRAY(m_test) tests;
  SJ_ARRAY(m_tests) lists;
  uint32_t *list_at;  // per options of the index: where they begin in `lists`
  m_tests *compound;  // per compound of the index: its tests
  uint32_t *parent;   // per node
  uint8_t *combinator;
  uint8_t *key_kind;  // per bucket
  uint32_t *key;
} packer;

// --- tests ---

static void pack_nth(const sj_css_simple *s, m_test *t) {
  // Positions count from 1 and fit in 32 bits, a and b may be any: least, largest, period, remainder.
  int64_t a = (int32_t)s->a, b = (int32_t)s->b, period = a < 0 ? -a : a;
  t->kind =
      M_TEST_NTH | (s->op & SJ_CSS_NTH_LAST ? M_TEST_LAST : 0) | (s->op & SJ_CSS_NTH_OF_TYPE ? M_TEST_OF_TYPE : 0);
  if (a <= 0 && b < 1) {
    t->kind = M_TEST_NEVER;
    return;
  }
  t->a = a <= 0 ? 1 : b < 1 ? 1 : (uint32_t)b;
  t->b = a > 0 ? UINT32_MAX : (uint32_t)b;
  if (a == 0) t->a = t->b;
  t->c = period ? (uint32_t)period : 1;
  t->d = (uint32_t)(((b % t->c) + t->c) % t->c);
}

// Returns whether the host makes a test: what compares parts of values instead of atoms, and lists within lists.
static bool for_host(const sj_css_vulkan *v, const sj_css_simple *s) {
  const sj_css_index *x = &v->index;
  switch (s->kind) {
    case SJ_CSS_LANG: return true;
    case SJ_CSS_ATTRIBUTE: {
      bool exact =
          !(s->flags & SJ_CSS_IGNORE_CASE) && ((s->flags & SJ_CSS_KEEP_CASE) || !(s->flags & SJ_CSS_HTML_CASE));
      return s->op != SJ_CSS_EXISTS && !(s->op == SJ_CSS_EQUALS && exact);
    }
    case SJ_CSS_IS:
    case SJ_CSS_NOT: {
      sj_pool_range options = x->options.data[s->a];
      for (uint32_t i = 0; i < options.count; i++) {
        sj_css_tests c = x->compound.data[x->option_pool.data[options.first + i]];
        for (uint32_t k = 0; k < c.count; k++) {
          uint8_t kind = x->tests.data[c.first + k].kind;
          if (kind == SJ_CSS_IS || kind == SJ_CSS_NOT) return true;
        }
      }
      return false;
    }
    default: return false;
  }
}

// Returns the number of the set for a test that the host makes; SJ_CSS_NONE when memory is short.
static uint32_t number_extra(sj_css_vulkan *v, const sj_css_simple *s) {
  sj_atom atom = sj_atoms_intern(&v->extra_names, (const char *)s, sizeof *s);
  sj_css_extra extra = {*s, s->kind == SJ_CSS_IS || s->kind == SJ_CSS_NOT};
  if (!atom || (atom - 2 == v->extras.count && !sj_array_push(v->context, &v->extras, extra))) return SJ_CSS_NONE;
  return (uint32_t)v->index.sets.count + atom - 2;
}

static bool pack_test(packer *p, const sj_css_simple *s, uint32_t at);

// Packs a compound within a list, whose tests are no lists.
static bool pack_compound(packer *p, uint32_t number) {
  const sj_css_index *x = &p->v->index;
  sj_css_tests c = x->compound.data[number];
  if (p->compound[number].first != SJ_CSS_NONE) return true;
  uint32_t first = (uint32_t)p->tests.count;
  p->compound[number] = (m_tests){first, c.count};
  if (!sj_array_reserve(p->v->context, &p->tests, c.count)) return false;
  p->tests.count += c.count;
  for (uint32_t i = 0; i < c.count; i++)
    if (!pack_test(p, &x->tests.data[c.first + i], first + i)) return false;
  return true;
}

static bool pack_list(packer *p, const sj_css_simple *s, m_test *t) {
  const sj_css_index *x = &p->v->index;
  sj_pool_range options = x->options.data[s->a];
  if (p->list_at[s->a] == SJ_CSS_NONE) {
    p->list_at[s->a] = (uint32_t)p->lists.count;
    for (uint32_t i = 0; i < options.count; i++) {
      uint32_t number = x->option_pool.data[options.first + i];
      if (!pack_compound(p, number) || !sj_array_push(p->v->context, &p->lists, p->compound[number])) return false;
    }
  }
  *t = (m_test){M_TEST_LIST | (s->kind == SJ_CSS_NOT ? M_TEST_NOT : 0), p->list_at[s->a], options.count, 0, 0};
  return true;
}

// Writes the test to tests[at], for which there is room.
static bool pack_test(packer *p, const sj_css_simple *s, uint32_t at) {
  m_test t = {.kind = M_TEST_NEVER, .a = s->a, .b = s->b};
  if (for_host(p->v, s)) {
    t.kind = M_TEST_SET;
    t.a = number_extra(p->v, s);
    p->tests.data[at] = t;
    return t.a != SJ_CSS_NONE;
  }
  switch (s->kind) {
    case SJ_CSS_TYPE: t.kind = M_TEST_TYPE; break;
    case SJ_CSS_NAMESPACE: t.kind = M_TEST_NAMESPACE; break;
    case SJ_CSS_ID: t.kind = M_TEST_ID; break;
    case SJ_CSS_CLASS: t.kind = M_TEST_CLASS; break;
    case SJ_CSS_ATTRIBUTE:
      t.kind = M_TEST_ATTRIBUTE | (s->op == SJ_CSS_EXISTS ? M_TEST_EXISTS : 0) |
               (s->flags & SJ_CSS_ANY_NAMESPACE ? M_TEST_ANY_SPACE : 0);
      t.c = s->c;
      t.d = s->d;
      break;
    case SJ_CSS_STATE: {
      uint64_t bit = (uint64_t)1 << (s->a & 63);
      t = (m_test){M_TEST_STATE, (uint32_t)bit, (uint32_t)(bit >> 32), 0, 0};
      break;
    }
    case SJ_CSS_ROOT: t.kind = M_TEST_ROOT; break;
    case SJ_CSS_EMPTY: t.kind = M_TEST_EMPTY; break;
    case SJ_CSS_NTH: pack_nth(s, &t); break;
    case SJ_CSS_SET: t.kind = M_TEST_SET | (s->op ? M_TEST_NOT : 0); break;
    case SJ_CSS_IS:
    case SJ_CSS_NOT:
      if (!pack_list(p, s, &t)) return false;
      break;
    default: break;
  }
  p->tests.data[at] = t;
  return true;
}

// --- the filter of ancestors' keys ---

static inline void add_key(uint32_t *filter, uint32_t kind, sj_atom key) {
  uint32_t bit = ((key << 3 | kind) * 0x9e3779b1u) >> M_FILTER_SHIFT;
  filter[bit >> 5] |= 1u << (bit & 31);
}

static void add_node_keys(const packer *p, uint32_t n, uint32_t bucket, uint32_t *filter) {
  const sj_css_index *x = &p->v->index;
  if (p->key_kind[bucket] != M_KEY_NONE) add_key(filter, p->key_kind[bucket], p->key[bucket]);
  for (uint32_t i = 0; i < x->nodes.data[n].test_count; i++) {
    const sj_css_simple *s = &x->node_tests.data[x->nodes.data[n].first_test + i];
    if (s->kind == SJ_CSS_ID) add_key(filter, M_KEY_ID, s->a);
    if (s->kind == SJ_CSS_CLASS) add_key(filter, M_KEY_CLASS, s->a);
  }
}

static void add_element_keys(const stijl_css_document *d, uint32_t e, uint32_t *filter) {
  sj_pool_range classes = d->classes.data[e], attributes = d->attributes.data[e];
  add_key(filter, M_KEY_TYPE, d->name.data[e]);
  if (d->id.data[e]) add_key(filter, M_KEY_ID, d->id.data[e]);
  for (uint32_t i = 0; i < classes.count; i++) add_key(filter, M_KEY_CLASS, d->class_pool.data[classes.first + i]);
  for (uint32_t i = 0; i < attributes.count; i++)
    add_key(filter, M_KEY_ATTRIBUTE, d->attribute_pool.data[attributes.first + i].name);
}

// --- the index ---

static void find_links(packer *p) {
  const sj_css_index *x = &p->v->index;
  memset(p->parent, 0xff, x->nodes.count * sizeof *p->parent);
  for (uint32_t n = 0; n < x->nodes.count; n++)
    for (uint8_t c = SJ_CSS_DESCENDANT; c <= SJ_CSS_SUBSEQUENT; c++)
      for (uint32_t k = x->node_gates.data[n].from[c - 1]; k < x->node_gates.data[n].from[c]; k++) {
        p->parent[x->gates.data[k]] = n;
        p->combinator[x->gates.data[k]] = c;
      }
  const uint32_t *const tables[] = {x->keys.id, x->keys.class_, x->keys.type, x->keys.attribute};
  p->key_kind[0] = M_KEY_NONE;
  for (uint8_t kind = 0; kind < 4; kind++)
    for (uint32_t atom = 0; atom < x->keys.count; atom++) {
      uint32_t bucket = tables[kind][atom];
      if (bucket == SJ_CSS_NONE) continue;
      p->key_kind[bucket] = (uint8_t)(M_KEY_ID + kind);
      p->key[bucket] = atom;
    }
}

static stijl_result put(sj_css_vulkan *v, int buffer, const void *data, size_t bytes, stijl_message *message) {
  stijl_result result = sj_css_vulkan_reserve(v, buffer, bytes, message);
  if (result != STIJL_OK) return result;
  if (bytes) memcpy(v->buffers[buffer].mapped, data, bytes);
  sj_css_vulkan_touch(v, buffer, 0, bytes);
  return STIJL_OK;
}

static stijl_result put_nodes(packer *p, const sj_css_job *job) {
  sj_css_vulkan *v = p->v;
  const sj_css_index *x = &v->index;
  size_t count = x->nodes.count;
  m_node *nodes = sj_alloc_zero(v->context, (count + 1) * sizeof *nodes);
  uint32_t *bucket_of = sj_alloc_array(v->context, count + 1, sizeof *bucket_of);
  SJ_ARRAY(m_candidate) candidates = {0};
  SJ_ARRAY(uint32_t) words = {0};
  bool good = nodes && bucket_of;
  for (uint32_t b = 0; good && b < x->buckets.count; b++) {
    uint32_t first = (uint32_t)candidates.count;
    for (uint32_t n = x->buckets.data[b].first; good && n < x->buckets.data[b].end; n++) {
      const sj_css_node *node = &x->nodes.data[n];
      bucket_of[n] = b;
      nodes[n] =
          (m_node){node->first_test, node->test_count, p->key_kind[b], p->key[b], p->parent[n], p->combinator[n], {0}};
      for (uint32_t i = 0; good && i < node->terminal_count; i++)
        good = sj_array_push(v->context, &candidates, (m_candidate){x->terminals.data[node->first_terminal + i], n});
    }
    good = good && sj_array_push(v->context, &words, first) &&
           sj_array_push(v->context, &words, (uint32_t)candidates.count);
  }
  for (uint32_t n = 0; good && n < count; n++)
    for (uint32_t m = n; p->parent[m] != SJ_CSS_NONE; m = p->parent[m])
      if (p->combinator[m] <= SJ_CSS_CHILD) add_node_keys(p, p->parent[m], bucket_of[p->parent[m]], nodes[n].above);
  v->params.order_first = (uint32_t)words.count;
  size_t ranks = x->linked->program->selectors.count;
  good = good && sj_array_reserve(v->context, &words, ranks);
  if (good && ranks) memcpy(words.data + words.count, job->order, ranks * sizeof *words.data);
  if (good) words.count += ranks;
  stijl_result result = good ? STIJL_OK : sj_fail_memory(job->message);
  if (!result) result = put(v, M_NODES, nodes, count * sizeof *nodes, job->message);
  if (!result) result = put(v, M_CANDIDATES, candidates.data, candidates.count * sizeof *candidates.data, job->message);
  if (!result) result = put(v, M_WORDS, words.data, words.count * sizeof *words.data, job->message);
  sj_free(v->context, nodes);
  sj_free(v->context, bucket_of);
  sj_arrays_finish(v->context, &candidates, &words);
  return result;
}

static bool pack_tests(packer *p) {
  const sj_css_index *x = &p->v->index;
  memset(p->list_at, 0xff, (x->options.count + 1) * sizeof *p->list_at);
  memset(p->compound, 0xff, (x->compound.count + 1) * sizeof *p->compound);
  if (!sj_array_reserve(p->v->context, &p->tests, x->node_tests.count + 1)) return false;
  p->tests.count = x->node_tests.count;
  for (uint32_t i = 0; i < x->node_tests.count; i++)
    if (!pack_test(p, &x->node_tests.data[i], i)) return false;
  return true;
}

stijl_result sj_css_pack_index(sj_css_vulkan *v, const sj_css_job *job) {
  const sj_css_index *x = &v->index;
  stijl_context *context = v->context;
  packer p = {.v = v};
  p.list_at = sj_alloc_array(context, x->options.count + 1, sizeof *p.list_at);
  p.compound = sj_alloc_array(context, x->compound.count + 1, sizeof *p.compound);
  p.parent = sj_alloc_array(context, x->nodes.count + 1, sizeof *p.parent);
  p.combinator = sj_alloc_zero(context, x->nodes.count + 1);
  p.key_kind = sj_alloc_zero(context, x->buckets.count + 1);
  p.key = sj_alloc_zero(context, (x->buckets.count + 1) * sizeof *p.key);
  bool good = p.list_at && p.compound && p.parent && p.combinator && p.key_kind && p.key;
  if (good) find_links(&p);
  good = good && pack_tests(&p);
  stijl_result result = good ? put_nodes(&p, job) : sj_fail_memory(job->message);
  if (!result) result = put(v, M_TESTS, p.tests.data, p.tests.count * sizeof *p.tests.data, job->message);
  if (!result) result = put(v, M_LISTS, p.lists.data, p.lists.count * sizeof *p.lists.data, job->message);
  // One block holds all four tables.
  if (!result) result = put(v, M_KEYS, x->keys.id, (size_t)x->keys.count * 4 * sizeof(uint32_t), job->message);
  v->params.atoms = x->keys.count;
  v->asked = sj_alloc_zero(context, (size_t)x->keys.count + 1);
  if (!result && !v->asked) result = sj_fail_memory(job->message);
  for (size_t i = 0; !result && i < v->extras.count; i++)
    if (v->extras.data[i].simple.kind == SJ_CSS_ATTRIBUTE)
      v->asked[v->extras.data[i].simple.a] = v->asked[v->extras.data[i].simple.b] = 1;
  sj_free(context, p.list_at);
  sj_free(context, p.compound);
  sj_free(context, p.parent);
  sj_free(context, p.combinator);
  sj_free(context, p.key_kind);
  sj_free(context, p.key);
  sj_arrays_finish(context, &p.tests, &p.lists);
  return result;
}

// --- the document ---

static void pack_element(sj_css_vulkan *v, uint32_t e) {
  const stijl_css_document *d = v->index.linked->document;
  sj_pool_range classes = d->classes.data[e], attributes = d->attributes.data[e];
  uint8_t flags = d->flags.data[e];
  bool empty = d->first_child.data[e] == SJ_NO_NODE && !(flags & SJ_NODE_TEXT);
  ((m_element *)v->buffers[M_ELEMENTS].mapped)[e] =
      (m_element){d->parent.data[e], d->previous.data[e], d->name.data[e],  d->id.data[e],
                  classes.first,     classes.count,       attributes.first, attributes.count};
  ((m_detail *)v->buffers[M_DETAILS].mapped)[e] =
      (m_detail){d->space.data[e],
                 (flags & SJ_NODE_HTML ? M_HTML : 0) | (empty ? M_EMPTY : 0),
                 (uint32_t)d->states.data[e],
                 (uint32_t)(d->states.data[e] >> 32),
                 d->index.data[e],
                 d->index_last.data[e],
                 d->type_index.data[e],
                 d->type_index_last.data[e]};
}

static bool extra_holds(const sj_css_vulkan *v, size_t extra, uint32_t e, uint64_t *work) {
  return sj_css_tests_hold(&v->index, v->sets, &v->extras.data[extra].simple, 1, e, work);
}

static void set_extra(sj_css_vulkan *v, size_t extra, uint32_t e) {
  uint64_t *word = &v->sets[(v->index.sets.count + extra) * v->index.set_words + (e >> 6)],
           bit = (uint64_t)1 << (e & 63);
  uint64_t work = 0;
  *word = extra_holds(v, extra, e, &work) ? *word | bit : *word & ~bit;
}

static bool asked_about(const sj_css_vulkan *v, uint32_t e) {
  const stijl_css_document *d = v->index.linked->document;
  sj_pool_range range = d->attributes.data[e];
  for (uint32_t i = 0; i < range.count; i++) {
    sj_atom name = d->attribute_pool.data[range.first + i].name;
    if (name < v->index.keys.count && v->asked[name]) return true;
  }
  return false;
}

#define PIECE 4096u  // elements of a task: whole words of sets

typedef struct piecework {
  sj_css_vulkan *v;
  uint32_t *below;  // filters: the keys of each element
  bool deep_only;
  const sj_css_job *job;
  atomic_bool late;
} piecework;

// Tests between two looks at the clock.
#define TESTS_PER_LOOK ((uint64_t)1 << 18)

static void pack_piece(void *user, uint32_t number, int thread) {
  piecework *work = user;
  sj_css_vulkan *v = work->v;
  uint64_t tests = 0;
  const stijl_css_document *d = v->index.linked->document;
  uint32_t from = number * PIECE, end = d->count - from < PIECE ? d->count : from + PIECE;
  (void)thread;
  uint16_t named[PIECE];  // elements with attributes that extras ask about
  uint32_t named_count = 0;
  for (uint32_t e = from; e < end && !work->deep_only; e++)
    if (asked_about(v, e)) named[named_count++] = (uint16_t)(e - from);
  for (size_t i = 0; i < v->extras.count && !atomic_load_explicit(&work->late, memory_order_relaxed); i++) {
    const sj_css_extra *extra = &v->extras.data[i];
    if (work->deep_only && !extra->deep) continue;
    uint64_t *words = v->sets + (v->index.sets.count + i) * v->index.set_words;
    memset(words + (from >> 6), 0, (end - from + 63) / 64 * sizeof *words);
    bool attribute = extra->simple.kind == SJ_CSS_ATTRIBUTE;
    for (uint32_t k = 0; k < (attribute ? named_count : end - from); k++) {
      uint32_t e = from + (attribute ? named[k] : k);
      words[e >> 6] |= (uint64_t)extra_holds(v, i, e, &tests) << (e & 63);
      if (++tests < TESTS_PER_LOOK) continue;
      if (!sj_css_may_go_on(work->job, tests)) atomic_store(&work->late, true);
      tests = 0;
    }
  }
  if (work->deep_only) return;
  for (uint32_t e = from; e < end; e++) {
    pack_element(v, e);
    uint32_t *below = work->below + (size_t)e * M_FILTER;
    memset(below, 0, M_FILTER * sizeof *below);
    add_element_keys(d, e, below);
  }
}

static void run_pieces(piecework *work) {
  uint32_t count = work->v->index.linked->document->count;
  sj_pool_run(work->v->pool, (count + PIECE - 1) / PIECE, pack_piece, work);
}

static void put_filters(sj_css_vulkan *v, uint32_t from, uint32_t end) {
  size_t bytes = M_FILTER * sizeof *v->filters;
  memcpy((unsigned char *)v->buffers[M_FILTERS].mapped + from * bytes, v->filters + (size_t)from * M_FILTER,
         (end - from) * bytes);
  sj_css_vulkan_touch(v, M_FILTERS, from * bytes, end * bytes);
}

// Fills filters. At first `below` holds the keys of each element; those of its ancestors are added, parents first.
static void fill_filters(sj_css_vulkan *v, uint32_t *below) {
  const stijl_css_document *d = v->index.linked->document;
  memset(v->filters, 0, M_FILTER * sizeof *v->filters);
  for (uint32_t e = 1; e < d->count; e++) {
    const uint32_t *parent = below + (size_t)d->parent.data[e] * M_FILTER;
    uint32_t *own = below + (size_t)e * M_FILTER, *filter = v->filters + (size_t)e * M_FILTER;
    for (int i = 0; i < M_FILTER; i++) {
      filter[i] = parent[i];
      own[i] |= parent[i];
    }
  }
}

static stijl_result put_sets(sj_css_vulkan *v, const sj_css_job *job) {
  return put(v, M_SETS, v->sets, (v->index.sets.count + v->extras.count) * v->index.set_words * sizeof *v->sets,
             job->message);
}

// Uploads a pool, with some room behind it because pools grow when attributes change.
static stijl_result put_pool(sj_css_vulkan *v, int buffer, const void *data, size_t bytes, stijl_message *message) {
  stijl_result result = sj_css_vulkan_reserve(v, buffer, bytes + 4096, message);
  return result ? result : put(v, buffer, data, bytes, message);
}

stijl_result sj_css_pack_document(sj_css_vulkan *v, const sj_css_job *job) {
  const stijl_css_document *d = v->index.linked->document;
  stijl_message *message = job->message;
  stijl_result result = sj_css_sets_fill(&v->index, job, v->pool, v->sets);
  if (!result) result = sj_css_vulkan_reserve(v, M_ELEMENTS, (uint64_t)d->count * sizeof(m_element), message);
  if (!result) result = sj_css_vulkan_reserve(v, M_DETAILS, (uint64_t)d->count * sizeof(m_detail), message);
  size_t filter_bytes = (size_t)d->count * M_FILTER * sizeof *v->filters;
  if (!result) result = sj_css_vulkan_reserve(v, M_FILTERS, filter_bytes, message);
  if (result) return result;
  piecework work = {.v = v, .job = job, .below = sj_alloc_array(v->context, d->count, M_FILTER * sizeof *work.below)};
  if (!work.below) return sj_fail_memory(message);
  run_pieces(&work);
  fill_filters(v, work.below);
  sj_free(v->context, work.below);
  if (atomic_load(&work.late)) return sj_css_fail_time(job);
  sj_css_vulkan_touch(v, M_ELEMENTS, 0, d->count * sizeof(m_element));
  sj_css_vulkan_touch(v, M_DETAILS, 0, d->count * sizeof(m_detail));
  put_filters(v, 0, d->count);
  result = put_sets(v, job);
  if (!result)
    result = put_pool(v, M_CLASSES, d->class_pool.data, d->class_pool.count * sizeof *d->class_pool.data, message);
  if (!result)
    result = put_pool(v, M_ATTRIBUTES, d->attribute_pool.data, d->attribute_pool.count * sizeof *d->attribute_pool.data,
                      message);
  return result;
}

// Uploads a range of a pool, or all of it when it has outgrown its buffer.
static stijl_result put_range(sj_css_vulkan *v, int buffer, const void *data, size_t count, size_t size,
                              sj_pool_range range, stijl_message *message) {
  if (count * size > v->buffers[buffer].bytes) {
    stijl_result result = sj_css_vulkan_reserve(v, buffer, count * size + count * size / 4, message);
    return result ? result : put(v, buffer, data, count * size, message);
  }
  size_t from = range.first * size, bytes = range.count * size;
  if (bytes) memcpy((unsigned char *)v->buffers[buffer].mapped + from, (const unsigned char *)data + from, bytes);
  sj_css_vulkan_touch(v, buffer, from, from + bytes);
  return STIJL_OK;
}

// Adds the element's new keys to the filters below it. Keys that it lost may stay, because a filter with too many bits
// only lets more candidates through, which the tests then reject.
static void add_to_filters(sj_css_vulkan *v, uint32_t e) {
  const stijl_css_document *d = v->index.linked->document;
  uint32_t own[M_FILTER] = {0}, end = d->end.data[e];
  add_element_keys(d, e, own);
  if (end == e + 1) return;
  for (size_t i = (size_t)(e + 1) * M_FILTER; i < (size_t)end * M_FILTER; i++) v->filters[i] |= own[i % M_FILTER];
  put_filters(v, e + 1, end);
}

#define MOST_CHANGES 64  // beyond these everything is packed again

stijl_result sj_css_pack_changes(sj_css_vulkan *v, const sj_css_job *job, const uint32_t *changes, size_t count) {
  const stijl_css_document *d = v->index.linked->document;
  if (count > MOST_CHANGES) return sj_css_pack_document(v, job);
  stijl_result result = sj_css_sets_fill(&v->index, job, v->pool, v->sets);
  bool deep = false;
  for (size_t i = 0; i < count && !result; i++) {
    uint32_t e = changes[i];
    pack_element(v, e);
    sj_css_vulkan_touch(v, M_ELEMENTS, e * sizeof(m_element), (e + 1) * sizeof(m_element));
    sj_css_vulkan_touch(v, M_DETAILS, e * sizeof(m_detail), (e + 1) * sizeof(m_detail));
    result = put_range(v, M_CLASSES, d->class_pool.data, d->class_pool.count, sizeof *d->class_pool.data,
                       d->classes.data[e], job->message);
    if (!result)
      result = put_range(v, M_ATTRIBUTES, d->attribute_pool.data, d->attribute_pool.count,
                         sizeof *d->attribute_pool.data, d->attributes.data[e], job->message);
    add_to_filters(v, e);
    for (size_t k = 0; k < v->extras.count; k++) {
      deep |= v->extras.data[k].deep;
      if (!v->extras.data[k].deep) set_extra(v, k, e);
    }
  }
  if (deep) {
    piecework work = {.v = v, .job = job, .deep_only = true};
    run_pieces(&work);
    if (atomic_load(&work.late)) return sj_css_fail_time(job);
  }
  if (!result && v->index.sets.count + v->extras.count) result = put_sets(v, job);
  return result;
}
