#version 460
// The selectors that match an element: a workgroup looks at one element and one window of ranks. Its candidates are
// shared out over the lanes; each walks its selector from right to left. Matches are bits of a set in shared memory,
// which puts them into the order of the cascade and takes any number of them.
#include "css_common.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint WINDOW = M_WINDOW;

layout(set = 0, binding = M_ELEMENTS, scalar) readonly restrict buffer Elements { m_element elements[]; };
layout(set = 0, binding = M_DETAILS, scalar) readonly restrict buffer Details { m_detail details[]; };
layout(set = 0, binding = M_CLASSES, scalar) readonly restrict buffer Classes { uint classes[]; };
layout(set = 0, binding = M_ATTRIBUTES, scalar) readonly restrict buffer Attributes { m_attribute attributes[]; };
layout(set = 0, binding = M_FILTERS, scalar) readonly restrict buffer Filters { uvec4 filters[]; };
layout(set = 0, binding = M_SETS, scalar) readonly restrict buffer Sets { uint sets[]; };
layout(set = 0, binding = M_KEYS, scalar) readonly restrict buffer Keys { uint keys[]; };
layout(set = 0, binding = M_WORDS, scalar) readonly restrict buffer Words { uint words[]; };
layout(set = 0, binding = M_CANDIDATES, scalar) readonly restrict buffer Candidates { m_candidate candidates[]; };
layout(set = 0, binding = M_NODES, scalar) readonly restrict buffer Nodes { m_node nodes[]; };
layout(set = 0, binding = M_TESTS, scalar) readonly restrict buffer Tests { m_test tests[]; };
layout(set = 0, binding = M_LISTS, scalar) readonly restrict buffer Lists { m_tests lists[]; };
layout(set = 0, binding = M_CONTROL, scalar) restrict buffer Control { m_control control; };
layout(set = 0, binding = M_UNITS, scalar) writeonly restrict buffer Units { m_unit units[]; };
layout(set = 0, binding = M_POOL, scalar) writeonly restrict buffer Pool { uint pool[]; };

shared uint matched[WINDOW];
shared uint first[M_KEYS_AT_ONCE];  // per key: its first candidate
shared uint upto[M_KEYS_AT_ONCE];   // per key: how many candidates it and the keys before it have
shared uint counts[M_GROUP];
shared uint start;
shared bool stop;

// How many turns the lane's loops have taken, for all its candidates. Beyond P.max_steps the lane stops, and the CPU
// does the matching instead, because drivers may end loops that take some ten thousand turns (SJ_VK_MAX_TURNS of
// vulkan/commands.h).
uint steps = 0u;
bool is_exhausted() { return steps > P.max_steps; }

bool has_class(uint at, uint count, uint name) {
  while (count > 8u) {  // halves the sorted list
    uint middle = count >> 1;
    steps++;
    if (classes[at + middle] <= name) {
      at += middle;
      count -= middle;
    } else {
      count = middle;
    }
  }
  steps += count;
  for (uint i = 0u; i < count; i++)
    if (classes[at + i] == name) return true;
  return false;
}

bool has_attribute(m_test t, uint e) {
  uint name = t.a, at = elements[e].first_attribute, count = elements[e].attribute_count;
  if (t.a != t.b && (details[e].flags & M_HTML) != 0u) name = t.b;
  steps += count;
  if (is_exhausted()) return false;
  for (uint i = at; i < at + count; i++) {
    if (attributes[i].name != name) continue;
    if ((t.kind & M_TEST_ANY_SPACE) == 0u && attributes[i].space != t.d) continue;
    if ((t.kind & M_TEST_EXISTS) != 0u || attributes[i].value == t.c) return true;
  }
  return false;
}

bool in_range(m_test t, uint e) {
  bool last = (t.kind & M_TEST_LAST) != 0u;
  uint position;
  if ((t.kind & M_TEST_OF_TYPE) != 0u) position = last ? details[e].type_index_last : details[e].type_index;
  else position = last ? details[e].index_last : details[e].index;
  return position >= t.a && position <= t.b && position % t.c == t.d;
}

// Returns whether any test but LIST holds.
bool holds(m_test t, uint e) {
  steps++;
  switch (t.kind & M_TEST_KIND) {
    case M_TEST_TYPE: return elements[e].name == (t.a != t.b && (details[e].flags & M_HTML) != 0u ? t.b : t.a);
    case M_TEST_NAMESPACE: return details[e].space == t.a;
    case M_TEST_ID: return elements[e].id == t.a;
    case M_TEST_CLASS: return has_class(elements[e].first_class, elements[e].class_count, t.a);
    case M_TEST_ATTRIBUTE: return has_attribute(t, e);
    case M_TEST_STATE: return ((details[e].states_low & t.a) | (details[e].states_high & t.b)) != 0u;
    case M_TEST_ROOT: return e == 0u;
    case M_TEST_EMPTY: return (details[e].flags & M_EMPTY) != 0u;
    case M_TEST_NTH: return in_range(t, e);
    case M_TEST_SET: {
      bool member = (sets[t.a * P.set_words + (e >> 5)] >> (e & 31u) & 1u) != 0u;
      return member != ((t.kind & M_TEST_NOT) != 0u);
    }
    default: return false;
  }
}

bool list_holds(m_test t, uint e) {
  bool any = false;
  for (uint i = t.a; i < t.a + t.b && !any && !is_exhausted(); i++) {
    m_tests list = lists[i];
    steps++;
    any = true;
    for (uint k = list.first; k < list.first + list.count && any; k++) any = holds(tests[k], e);
  }
  return any != ((t.kind & M_TEST_NOT) != 0u);
}

bool tests_hold(uint at, uint count, uint e) {
  for (uint i = at; i < at + count; i++) {
    m_test t = tests[i];
    if (is_exhausted()) return false;
    if ((t.kind & M_TEST_KIND) == M_TEST_LIST ? !list_holds(t, e) : !holds(t, e)) return false;
  }
  return true;
}

bool key_holds(uint kind, uint key, uint e) {
  switch (kind) {
    case M_KEY_ID: return elements[e].id == key;
    case M_KEY_TYPE: return elements[e].name == key;
    case M_KEY_CLASS: return has_class(elements[e].first_class, elements[e].class_count, key);
    default: return true;  // a bucket of an attribute: the tests compare the value
  }
}

// Returns whether what is left of the node, whose compound matches e, holds. After a failure only two choices can help:
// of ~ another sibling, as long as the walk has not gone up since; and of the last descendant combinator another
// ancestor. For either the nearest element that matches leaves most to what is further left, so that earlier choices
// need no second look.
bool left_holds(uint n, uint e) {
  uint sibling_node = M_NONE, sibling = M_NONE, ancestor_node = M_NONE, ancestor = M_NONE;
  while (true) {
    uint p = nodes[n].parent;
    if (p == M_NONE) return true;
    uint combinator = nodes[n].combinator, y;
    if (combinator <= M_CHILD) {
      y = elements[e].parent;
      sibling_node = M_NONE;
      if (combinator == M_DESCENDANT) ancestor_node = p;
    } else {
      y = elements[e].previous;
      if (combinator == M_SUBSEQUENT) sibling_node = p;
    }
    while (true) {
      steps++;
      if (is_exhausted()) return false;
      if (y != M_NONE && key_holds(nodes[p].key_kind, nodes[p].key, y) &&
          tests_hold(nodes[p].first_test, nodes[p].test_count, y))
        break;
      if (sibling_node == p && y == M_NONE) sibling_node = M_NONE;
      if (sibling_node != M_NONE) {
        y = elements[sibling_node == p ? y : sibling].previous;
        p = sibling_node;
      } else if (ancestor_node != M_NONE) {
        if (ancestor_node == p && y == M_NONE) return false;
        y = elements[ancestor_node == p ? y : ancestor].parent;
        p = ancestor_node;
      } else {
        return false;
      }
    }
    if (p == sibling_node) sibling = y;
    if (p == ancestor_node) ancestor = y;
    n = p;
    e = y;
  }
}

bool matches(uint n, uint e, uvec4 filter_bits) {
  m_node node = nodes[n];
  uvec4 wanted = uvec4(node.above[0], node.above[1], node.above[2], node.above[3]);
  if (any(notEqual(wanted & ~filter_bits, uvec4(0u)))) return false;
  return tests_hold(node.first_test, node.test_count, e) && left_holds(n, e);
}

// Returns the bucket of the element's key number k.
uint bucket_of(uint k, m_element x) {
  if (k == 0u) return 0u;
  uint table, name;
  if (k == 1u) {
    table = 2u;
    name = x.name;
  } else if (k == 2u) {
    table = 0u;
    name = x.id;
  } else if (k < 3u + x.class_count) {
    table = 1u;
    name = classes[x.first_class + k - 3u];
  } else {
    table = 3u;
    name = attributes[x.first_attribute + k - 3u - x.class_count].name;
  }
  return name < P.atoms ? keys[table * P.atoms + name] : M_NONE;
}

void find_matches(uint e, uint base) {
  m_element x = elements[e];
  uvec4 filter_bits = filters[e];
  uint lane = gl_LocalInvocationIndex, total = 3u + x.class_count + x.attribute_count;
  if (total > P.max_steps) {
    steps = total;
    total = 0u;
  }
  for (uint k0 = 0u; k0 < total; k0 += M_KEYS_AT_ONCE) {
    uint some = min(total - k0, M_KEYS_AT_ONCE);
    barrier();
    for (uint k = lane; k < some; k += gl_WorkGroupSize.x) {
      uint bucket = bucket_of(k0 + k, x);
      first[k] = bucket == M_NONE ? 0u : words[2u * bucket];
      upto[k] = bucket == M_NONE ? 0u : words[2u * bucket + 1u] - first[k];
    }
    barrier();
    if (lane == 0u)
      for (uint k = 1u; k < some; k++) upto[k] += upto[k - 1u];
    barrier();
    uint number = upto[some - 1u], k = 0u;
    for (uint i = lane; i < number && !is_exhausted(); i += gl_WorkGroupSize.x) {
      steps++;
      while (i >= upto[k]) k++;
      m_candidate c = candidates[first[k] + i - (k == 0u ? 0u : upto[k - 1u])];
      uint bit = c.rank - base;  // for ranks before the window it wraps to a large number
      if (bit < 32u * WINDOW && matches(c.node, e, filter_bits)) atomicOr(matched[bit >> 5], 1u << (bit & 31u));
    }
  }
  if (is_exhausted()) control.exhausted = 1u;
  barrier();
}

void main() {
  uint unit = P.first_unit + group_number();
  if (unit >= P.end_unit) return;
  uint lane = gl_LocalInvocationIndex, group = gl_WorkGroupSize.x;
  uint base = unit % P.windows * (32u * WINDOW), e = unit / P.windows;
  uint in_use = min(WINDOW, (P.ranks - base + 31u) >> 5);
  for (uint i = lane; i < in_use; i += group) matched[i] = 0u;
  if (lane == 0u) stop = control.exhausted != 0u;
  barrier();
  if (stop) return;
  find_matches(e, base);

  // Each lane counts and writes the matches of a run of words.
  uint share = (in_use + group - 1u) / group, from = min(lane * share, in_use), end = min(from + share, in_use);
  uint mine = 0u;
  for (uint i = from; i < end; i++) mine += uint(bitCount(matched[i]));
  counts[lane] = mine;
  barrier();
  for (uint step = 1u; step < group; step <<= 1) {
    uint more = lane >= step ? counts[lane - step] : 0u;
    barrier();
    counts[lane] += more;
    barrier();
  }
  uint count = counts[group - 1u];
  if (lane == 0u) {
    uint at = count == 0u ? 0u : atomicAdd(control.total_low, count);
    if (at + count < at) atomicAdd(control.total_high, 1u);
    bool fits = at + count >= at && at + count <= P.capacity;
    start = fits ? at : M_NONE;
    units[unit] = m_unit(at, count, 0u);
  }
  barrier();
  if (start == M_NONE) return;
  uint at = start + counts[lane] - mine;
  for (uint i = from; i < end; i++)
    for (uint bits = matched[i]; bits != 0u; bits &= bits - 1u)
      pool[at++] = words[P.order_first + base + (i << 5) + uint(findLSB(bits))];
}
