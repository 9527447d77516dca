// The structures that the host writes and the shaders of matching read, or the other way round. They are declared once
// for C and GLSL, with members of 32 bits only, so that both lay them out equally (scalar block layout).
#ifndef SJ_CSS_LAYOUT_H
#define SJ_CSS_LAYOUT_H

#include "kernel/platform.h"

#define M_NONE 0xffffffffu

// Bindings. Each shader declares those that it uses.
#define M_ELEMENTS 0    // m_element
#define M_DETAILS 1     // m_detail, of each element
#define M_CLASSES 2     // atoms
#define M_ATTRIBUTES 3  // m_attribute
#define M_FILTERS 4     // M_FILTER words an element: keys of its ancestors, as bits of a Bloom filter
#define M_SETS 5        // a bit an element, set after set: what the host has tested
#define M_KEYS 6        // atom to bucket: of ids, classes, types, attributes
#define M_WORDS 7       // buckets (first candidate and one past the last), then selectors by rank
#define M_CANDIDATES 8  // m_candidate, bucket after bucket
#define M_NODES 9       // m_node
#define M_TESTS 10      // m_test
#define M_LISTS 11      // m_tests: the compounds of :is() and :not()
#define M_CONTROL 12    // m_control, then sums of counts, one a block of M_BLOCK units
#define M_UNITS 13      // m_unit
#define M_POOL 14       // matches, unit after unit as they come
#define M_OUT 15        // offsets, one a unit and the total, then selectors
#define M_BINDINGS 16

#define M_FILTER 4
#define M_FILTER_SHIFT 25  // of a hash of 32 bits, to a bit of the filter
#define M_KEYS_AT_ONCE 64  // keys of an element whose candidates are shared out at a time
#define M_GROUP 64         // largest workgroup of matching
#define M_WINDOW 2048      // words of the bit set of matched ranks: 8 KiB of shared memory
#define M_BLOCK 1024
#define M_SCAN_GROUP 256  // for sums of at most 2^22 blocks, as many as a storage buffer has: 150 rounds of 9 turns

// The part of an element that most tests need, also those of its ancestors and siblings. It has 32 bytes, which is what
// GPUs fetch from memory at a time.
K_STRUCT(m_element) { uint parent, previous, name, id, first_class, class_count, first_attribute, attribute_count; };

K_STRUCT(m_detail) {
  uint space;
  uint flags;  // M_HTML, M_EMPTY
  uint states_low, states_high;
  uint index, index_last, type_index, type_index_last;
};

#define M_HTML 1u
#define M_EMPTY 2u

K_STRUCT(m_attribute) { uint space, name, value; };

// A selector, by its rank in the cascade, and the node of its last compound.
K_STRUCT(m_candidate) { uint rank, node; };

// A node of the network of index.h. Its tests leave out the key, because candidates are found by it.
K_STRUCT(m_node) {
  uint first_test, test_count;
  uint key_kind, key;    // M_KEY_*
  uint parent;           // the node of the prefix one compound shorter, or M_NONE
  uint combinator;       // M_DESCENDANT ...
  uint above[M_FILTER];  // bits of the keys that ancestors must have: without them in M_FILTERS nothing can match
};

#define M_KEY_NONE 0u
#define M_KEY_ID 1u
#define M_KEY_CLASS 2u
#define M_KEY_TYPE 3u
#define M_KEY_ATTRIBUTE 4u

#define M_DESCENDANT 1u
#define M_CHILD 2u
#define M_NEXT 3u
#define M_SUBSEQUENT 4u

K_STRUCT(m_tests) { uint first, count; };

K_STRUCT(m_test) {
  uint kind;  // M_TEST_* and flags
  uint a, b, c, d;
};

#define M_TEST_KIND 0xffu
#define M_TEST_TYPE 0u       // a: name, b: of HTML elements
#define M_TEST_NAMESPACE 1u  // a
#define M_TEST_ID 2u         // a
#define M_TEST_CLASS 3u      // a
#define M_TEST_ATTRIBUTE 4u  // a: name, b: of HTML elements, c: value, d: namespace
#define M_TEST_STATE 5u      // a, b: bits, the low ones first
#define M_TEST_ROOT 6u
#define M_TEST_EMPTY 7u
#define M_TEST_NTH 8u    // a, b: least and largest position, c, d: position % c == d
#define M_TEST_SET 9u    // a: number
#define M_TEST_LIST 10u  // a, b: first and count of the compounds, whose tests are not lists
#define M_TEST_NEVER 11u
#define M_TEST_NOT 0x100u   // SET, LIST
#define M_TEST_LAST 0x100u  // NTH
#define M_TEST_OF_TYPE 0x200u
#define M_TEST_EXISTS 0x100u  // ATTRIBUTE
#define M_TEST_ANY_SPACE 0x200u

// What one workgroup matches: an element, and the ranks of one window, a bit each in M_WINDOW words.
K_STRUCT(m_unit) {
  uint start, count;  // in the pool
  uint offset;        // the matches of the units before it in its block of M_BLOCK units
};

K_STRUCT(m_control) {
  uint total_low, total_high;  // matches found, also those that the pool had no room for
  uint exhausted;              // a lane took more than max_steps
  uint unused;
};

// Push constants.
K_STRUCT(m_params) {
  uint first_unit, end_unit, units;
  uint windows;  // units of each element
  uint ranks;
  uint atoms;        // length of each table of M_KEYS
  uint set_words;    // words of 32 bits that one set takes
  uint order_first;  // where in M_WORDS the selectors by rank begin
  uint capacity;     // matches that fit in M_POOL
  uint out_first;    // where in M_OUT the selectors begin
  uint max_steps;
  uint units_at_once;  // that a workgroup of css_gather copies, at most M_SCAN_GROUP
  uint sums;           // css_scan: how many blocks' sums it adds up; 0: it adds up the units within the blocks
};

#endif
