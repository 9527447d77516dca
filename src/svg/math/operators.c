// The dictionary of operators (MathML Core, appendix B): the space around them, and how they grow.
#include <string.h>

#include "base/search.h"
#include "svg/math/formula.h"
#include "svg/parse/values.h"

// What operators of a category are: spaces in eighteenths of an em, and flags.
enum { STRETCHY = 1, SYMMETRIC = 2, LARGE = 4, MOVABLE = 8 };
static const struct {
  uint8_t leading, trailing, flags;
} categories[] = {['A'] = {5, 5, STRETCHY},
                  ['B'] = {4, 4, 0},
                  ['C'] = {3, 3, 0},
                  ['D'] = {0, 0, 0},
                  ['F'] = {0, 0, STRETCHY | SYMMETRIC},
                  ['H'] = {3, 3, SYMMETRIC | LARGE},
                  ['I'] = {0, 0, STRETCHY},
                  ['J'] = {3, 3, SYMMETRIC | LARGE | MOVABLE},
                  ['K'] = {3, 0, 0},
                  ['M'] = {0, 3, 0},
                  ['N'] = {5, 5, 0}};  // of those that are in no other

typedef struct range {
  uint16_t first, last;
  char category;
} range;

// Operators of two characters of ASCII have numbers from this on.
#define PAIRS 0x320
static const char pairs[][3] = {
    "!!", "!=", "&&", "**", "*=", "++", "+=", "--", "-=", "->", "//", "/=", ":=", "<=", "<>", "==", ">=", "||"};

static const range infix[] = {
    {0x25, 0x25, 'C'},     {0x2a, 0x2a, 'C'},     {0x2b, 0x2b, 'B'},     {0x2c, 0x2c, 'M'},     {0x2d, 0x2d, 'B'},
    {0x2e, 0x2e, 'C'},     {0x2f, 0x2f, 'B'},     {0x3a, 0x3b, 'M'},     {0x3f, 0x40, 'C'},     {0x5c, 0x5c, 'D'},
    {0x5e, 0x5e, 'C'},     {0x5f, 0x5f, 'D'},     {0x7c, 0x7c, 'N'},     {0xb1, 0xb1, 'B'},     {0xb7, 0xb7, 'C'},
    {0xd7, 0xd7, 'C'},     {0xf7, 0xf7, 'B'},     {0x322, 0x322, 'B'},   {0x323, 0x323, 'C'},   {0x32e, 0x32e, 'C'},
    {0x2022, 0x2022, 'C'}, {0x2043, 0x2043, 'C'}, {0x2044, 0x2044, 'B'}, {0x2061, 0x2064, 'D'}, {0x2190, 0x2195, 'A'},
    {0x219a, 0x21ae, 'A'}, {0x21b0, 0x21b5, 'A'}, {0x21b9, 0x21b9, 'A'}, {0x21bc, 0x21d5, 'A'}, {0x21da, 0x21f0, 'A'},
    {0x21f3, 0x21ff, 'A'}, {0x2206, 0x2206, 'D'}, {0x2212, 0x2216, 'B'}, {0x2217, 0x2219, 'C'}, {0x2227, 0x222a, 'B'},
    {0x2236, 0x2236, 'B'}, {0x2238, 0x2238, 'B'}, {0x223c, 0x223c, 'N'}, {0x2240, 0x2240, 'C'}, {0x228c, 0x228e, 'B'},
    {0x2293, 0x2296, 'B'}, {0x2297, 0x2297, 'C'}, {0x2298, 0x2298, 'B'}, {0x2299, 0x229b, 'C'}, {0x229d, 0x229f, 'B'},
    {0x22a0, 0x22a1, 'C'}, {0x22ba, 0x22ba, 'C'}, {0x22bb, 0x22bd, 'B'}, {0x22c4, 0x22c7, 'C'}, {0x22c9, 0x22cc, 'C'},
    {0x22ce, 0x22cf, 'B'}, {0x22d2, 0x22d3, 'B'}, {0x2305, 0x2306, 'C'}, {0x2794, 0x2794, 'A'}, {0x2795, 0x2797, 'B'},
    {0x2799, 0x2799, 'A'}, {0x279b, 0x27a1, 'A'}, {0x27a5, 0x27a6, 'A'}, {0x27a8, 0x27af, 'A'}, {0x27b1, 0x27b1, 'A'},
    {0x27b3, 0x27b3, 'A'}, {0x27b5, 0x27b5, 'A'}, {0x27b8, 0x27b8, 'A'}, {0x27ba, 0x27be, 'A'}, {0x27cb, 0x27cb, 'C'},
    {0x27cd, 0x27cd, 'C'}, {0x27f0, 0x27f1, 'A'}, {0x27f4, 0x27ff, 'A'}, {0x2900, 0x2920, 'A'}, {0x2934, 0x2937, 'A'},
    {0x2942, 0x2975, 'A'}, {0x297c, 0x297f, 'A'}, {0x29b8, 0x29b8, 'B'}, {0x29bc, 0x29bc, 'B'}, {0x29c4, 0x29c5, 'B'},
    {0x29c6, 0x29c8, 'C'}, {0x29d4, 0x29d7, 'C'}, {0x29e2, 0x29e2, 'C'}, {0x29f5, 0x29fb, 'B'}, {0x2a1d, 0x2a1e, 'C'},
    {0x2a1f, 0x2a2e, 'B'}, {0x2a2f, 0x2a37, 'C'}, {0x2a38, 0x2a3a, 'B'}, {0x2a3b, 0x2a3d, 'C'}, {0x2a3e, 0x2a3e, 'B'},
    {0x2a3f, 0x2a3f, 'C'}, {0x2a40, 0x2a4f, 'B'}, {0x2a50, 0x2a50, 'C'}, {0x2a51, 0x2a63, 'B'}, {0x2a64, 0x2a65, 'C'},
    {0x2adb, 0x2adb, 'B'}, {0x2adc, 0x2add, 'C'}, {0x2af6, 0x2af6, 'B'}, {0x2afb, 0x2afb, 'B'}, {0x2afd, 0x2afd, 'B'},
    {0x2afe, 0x2afe, 'C'}, {0x2b04, 0x2b07, 'A'}, {0x2b0c, 0x2b11, 'A'}, {0x2b30, 0x2b3e, 'A'}, {0x2b40, 0x2b4c, 'A'},
    {0x2b60, 0x2b65, 'A'}, {0x2b6a, 0x2b6d, 'A'}, {0x2b70, 0x2b73, 'A'}, {0x2b7a, 0x2b7d, 'A'}, {0x2b80, 0x2b87, 'A'},
    {0x2b95, 0x2b95, 'A'}, {0x2ba0, 0x2baf, 'A'}, {0x2bb8, 0x2bb8, 'A'}};

static const range prefix[] = {
    {0x21, 0x21, 'D'},     {0x28, 0x28, 'F'},     {0x2b, 0x2b, 'D'},     {0x2d, 0x2d, 'D'},     {0x5b, 0x5b, 'F'},
    {0x7b, 0x7c, 'F'},     {0xac, 0xac, 'D'},     {0xb1, 0xb1, 'D'},     {0x331, 0x331, 'D'},   {0x2016, 0x2016, 'F'},
    {0x2018, 0x2018, 'D'}, {0x201c, 0x201c, 'D'}, {0x2145, 0x2146, 'K'}, {0x2200, 0x2201, 'D'}, {0x2202, 0x2202, 'K'},
    {0x2203, 0x2204, 'D'}, {0x2207, 0x2207, 'D'}, {0x220f, 0x2211, 'J'}, {0x2212, 0x2213, 'D'}, {0x221a, 0x221c, 'K'},
    {0x221f, 0x2222, 'D'}, {0x222b, 0x2233, 'H'}, {0x2234, 0x2235, 'D'}, {0x223c, 0x223c, 'D'}, {0x22be, 0x22bf, 'D'},
    {0x22c0, 0x22c3, 'J'}, {0x2308, 0x2308, 'F'}, {0x230a, 0x230a, 'F'}, {0x2310, 0x2310, 'D'}, {0x2319, 0x2319, 'D'},
    {0x2329, 0x2329, 'F'}, {0x2772, 0x2772, 'F'}, {0x2795, 0x2796, 'D'}, {0x27c0, 0x27c0, 'D'}, {0x27e6, 0x27e6, 'F'},
    {0x27e8, 0x27e8, 'F'}, {0x27ea, 0x27ea, 'F'}, {0x27ec, 0x27ec, 'F'}, {0x27ee, 0x27ee, 'F'}, {0x2980, 0x2980, 'F'},
    {0x2983, 0x2983, 'F'}, {0x2985, 0x2985, 'F'}, {0x2987, 0x2987, 'F'}, {0x2989, 0x2989, 'F'}, {0x298b, 0x298b, 'F'},
    {0x298d, 0x298d, 'F'}, {0x298f, 0x298f, 'F'}, {0x2991, 0x2991, 'F'}, {0x2993, 0x2993, 'F'}, {0x2995, 0x2995, 'F'},
    {0x2997, 0x2997, 'F'}, {0x2999, 0x2999, 'F'}, {0x299b, 0x29af, 'D'}, {0x29d8, 0x29d8, 'F'}, {0x29da, 0x29da, 'F'},
    {0x29fc, 0x29fc, 'F'}, {0x2a00, 0x2a0a, 'J'}, {0x2a0b, 0x2a1c, 'H'}, {0x2a1d, 0x2a1e, 'J'}, {0x2aec, 0x2aed, 'D'},
    {0x2afc, 0x2afc, 'J'}, {0x2aff, 0x2aff, 'J'}};

static const range postfix[] = {
    {0x21, 0x22, 'D'},     {0x25, 0x27, 'D'},     {0x29, 0x29, 'F'},     {0x5d, 0x5d, 'F'},     {0x5e, 0x5f, 'I'},
    {0x60, 0x60, 'D'},     {0x7c, 0x7d, 'F'},     {0x7e, 0x7e, 'I'},     {0xa8, 0xa8, 'D'},     {0xaf, 0xaf, 'I'},
    {0xb0, 0xb0, 'D'},     {0xb2, 0xb4, 'D'},     {0xb8, 0xb9, 'D'},     {0x2c6, 0x2c7, 'I'},   {0x2c9, 0x2c9, 'I'},
    {0x2ca, 0x2cb, 'D'},   {0x2cd, 0x2cd, 'I'},   {0x2d8, 0x2da, 'D'},   {0x2dc, 0x2dc, 'I'},   {0x2dd, 0x2dd, 'D'},
    {0x2f7, 0x2f7, 'I'},   {0x302, 0x302, 'I'},   {0x311, 0x311, 'D'},   {0x320, 0x320, 'D'},   {0x325, 0x325, 'D'},
    {0x327, 0x327, 'D'},   {0x331, 0x331, 'D'},   {0x2016, 0x2016, 'F'}, {0x2019, 0x201b, 'D'}, {0x201d, 0x201f, 'D'},
    {0x2032, 0x2037, 'D'}, {0x203e, 0x203e, 'I'}, {0x2057, 0x2057, 'D'}, {0x20db, 0x20dc, 'D'}, {0x2309, 0x2309, 'F'},
    {0x230b, 0x230b, 'F'}, {0x2322, 0x2323, 'I'}, {0x232a, 0x232a, 'F'}, {0x23b4, 0x23b5, 'I'}, {0x23cd, 0x23cd, 'D'},
    {0x23dc, 0x23e1, 'I'}, {0x2773, 0x2773, 'F'}, {0x27e7, 0x27e7, 'F'}, {0x27e9, 0x27e9, 'F'}, {0x27eb, 0x27eb, 'F'},
    {0x27ed, 0x27ed, 'F'}, {0x27ef, 0x27ef, 'F'}, {0x2980, 0x2980, 'F'}, {0x2984, 0x2984, 'F'}, {0x2986, 0x2986, 'F'},
    {0x2988, 0x2988, 'F'}, {0x298a, 0x298a, 'F'}, {0x298c, 0x298c, 'F'}, {0x298e, 0x298e, 'F'}, {0x2990, 0x2990, 'F'},
    {0x2992, 0x2992, 'F'}, {0x2994, 0x2994, 'F'}, {0x2996, 0x2996, 'F'}, {0x2998, 0x2999, 'F'}, {0x29d9, 0x29d9, 'F'},
    {0x29db, 0x29db, 'F'}, {0x29fd, 0x29fd, 'F'}};

// Operators that grow along the text (MathML Core, appendix B, "stretch axis"); all others do so across.
static const uint16_t along[][2] = {
    {0x3d, 0x3d},     {0x5e, 0x5f},     {0x7e, 0x7e},     {0xaf, 0xaf},     {0x2c6, 0x2c7},   {0x2c9, 0x2c9},
    {0x2cd, 0x2cd},   {0x2dc, 0x2dc},   {0x2f7, 0x2f7},   {0x302, 0x302},   {0x332, 0x332},   {0x203e, 0x203e},
    {0x20d0, 0x20d1}, {0x20d6, 0x20d7}, {0x20e1, 0x20e1}, {0x2190, 0x2190}, {0x2192, 0x2192}, {0x2194, 0x2194},
    {0x2198, 0x2199}, {0x219c, 0x219e}, {0x21a0, 0x21a0}, {0x21a2, 0x21a4}, {0x21a6, 0x21a6}, {0x21a9, 0x21ad},
    {0x21b4, 0x21b4}, {0x21b9, 0x21b9}, {0x21bc, 0x21bd}, {0x21c0, 0x21c1}, {0x21c4, 0x21c4}, {0x21c6, 0x21c7},
    {0x21c9, 0x21c9}, {0x21cb, 0x21cc}, {0x21d0, 0x21d0}, {0x21d2, 0x21d2}, {0x21d4, 0x21d4}, {0x21da, 0x21dd},
    {0x21e0, 0x21e0}, {0x21e2, 0x21e2}, {0x21e4, 0x21e6}, {0x21e8, 0x21e8}, {0x21f0, 0x21f0}, {0x21f6, 0x21f6},
    {0x21fd, 0x21ff}, {0x23b4, 0x23b5}, {0x23dc, 0x23e1}, {0x2500, 0x2500}, {0x27f5, 0x27ff}, {0x290c, 0x2910},
    {0x294e, 0x294e}, {0x2950, 0x2950}, {0x2952, 0x2953}, {0x2956, 0x2957}, {0x295a, 0x295b}, {0x295e, 0x295f},
    {0x2b45, 0x2b46}, {0xfe35, 0xfe38}};

static char find(const range *ranges, size_t count, uint32_t key) {
  size_t low = 0, high = count;
  SJ_SEARCH(low, high, i, ranges[i].last < key);
  return low < count && ranges[low].first <= key ? ranges[low].category : 0;
}

enum { INFIX, PREFIX, POSTFIX, FORMS };  // forms

static char category_of(uint32_t key, int form) {
  switch (form) {
    case PREFIX: return find(prefix, sizeof prefix / sizeof *prefix, key);
    case POSTFIX: return find(postfix, sizeof postfix / sizeof *postfix, key);
    default: return find(infix, sizeof infix / sizeof *infix, key);
  }
}

// Returns what the dictionary knows the characters by; 0: it does not.
static uint32_t key_of(const uint32_t *c, uint32_t count) {
  if (count == 1) return c[0] < PAIRS || c[0] > 0x3ff ? c[0] : c[0] == 0x332 ? 0x332 : 0;
  if (count != 2) return 0;
  if (c[1] == 0x338 || c[1] == 0x20d2) return c[0];
  for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (c[0] == (uint32_t)pairs[i][0] && c[1] == (uint32_t)pairs[i][1]) return PAIRS + i;
  return 0;
}

// Returns the form of an operator. It follows from where the operator stands among its siblings, unless it is given.
static int form_of(const sj_math *m, uint32_t element, bool *given) {
  const sj_dom *dom = m->r->document->dom;
  const sj_string *value = sj_dom_get(dom, element, "form");
  *given = true;
  if (value && sj_is_keyword(value->text, value->length, "prefix")) return PREFIX;
  if (value && sj_is_keyword(value->text, value->length, "infix")) return INFIX;
  if (value && sj_is_keyword(value->text, value->length, "postfix")) return POSTFIX;
  *given = false;
  bool first = dom->first_child.data[dom->parent.data[element]] == element;
  bool last = dom->next.data[element] == SJ_NO_ELEMENT;
  return first && !last ? PREFIX : last && !first ? POSTFIX : INFIX;
}

float sj_math_length(const sj_math *m, const sj_math_node *node, const char *name, float whole, float initial) {
  const sj_string *value = sj_dom_get(m->r->document->dom, node->element, name);
  sj_length length;
  if (!value || !sj_parse_length(value->text, value->length, &length)) return initial;
  sj_length_base base = sj_style_base(&m->r->styles, &node->style->svg);
  return sj_length_pixels(length, &base, whole);
}

void sj_math_find_operator(const sj_math *m, const sj_math_node *node, const uint32_t *characters, uint32_t count,
                           sj_math_operator *out) {
  bool given;
  int form = form_of(m, node->element, &given);
  uint32_t key = key_of(characters, count);
  char category = key ? category_of(key, form) : 0;
  for (int other = INFIX; key && !category && !given && other < FORMS; other++) category = category_of(key, other);
  if (!category) category = 'N';
  int flags = categories[(int)category].flags;
  float unit = node->style->svg.font_size / 18.0f;
  *out = (sj_math_operator){.character = count == 1 ? characters[0] : 0, .vertical = true};
  for (size_t i = 0; i < sizeof along / sizeof *along && count == 1; i++)
    if (characters[0] >= along[i][0] && characters[0] <= along[i][1]) out->vertical = false;
  out->stretchy = sj_math_flag(m, node->element, "stretchy", flags & STRETCHY);
  out->symmetric = sj_math_flag(m, node->element, "symmetric", flags & SYMMETRIC);
  out->large = sj_math_flag(m, node->element, "largeop", flags & LARGE);
  out->movable = sj_math_flag(m, node->element, "movablelimits", flags & MOVABLE);
  float leading = (float)categories[(int)category].leading * unit;
  float trailing = (float)categories[(int)category].trailing * unit;
  out->leading = sj_math_length(m, node, "lspace", leading, leading);
  out->trailing = sj_math_length(m, node, "rspace", trailing, trailing);
  if (!(out->leading > 0.0f)) out->leading = 0.0f;
  if (!(out->trailing > 0.0f)) out->trailing = 0.0f;
}
