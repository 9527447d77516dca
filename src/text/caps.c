#include "text/caps.h"

#include "base/search.h"

// Small letters, and their capitals.
typedef struct pairs {
  uint32_t first, last;  // the small letters
  int32_t up;            // is added to a small letter to get its capital
  uint32_t step;         // is added to a small letter to get the next
} pairs;

// The simple mappings of UnicodeData.txt, Unicode 15, which are the capitals of one letter by one letter.
static const pairs capitals[] = {
    {0x61, 0x7a, -32, 1},        {0xb5, 0xb5, 743, 1},        {0xe0, 0xf6, -32, 1},        {0xf8, 0xfe, -32, 1},
    {0xff, 0xff, 121, 1},        {0x101, 0x12f, -1, 2},       {0x131, 0x131, -232, 1},     {0x133, 0x137, -1, 2},
    {0x13a, 0x148, -1, 2},       {0x14b, 0x177, -1, 2},       {0x17a, 0x17e, -1, 2},       {0x17f, 0x17f, -300, 1},
    {0x180, 0x180, 195, 1},      {0x183, 0x185, -1, 2},       {0x188, 0x188, -1, 1},       {0x18c, 0x18c, -1, 1},
    {0x192, 0x192, -1, 1},       {0x195, 0x195, 97, 1},       {0x199, 0x199, -1, 1},       {0x19a, 0x19a, 163, 1},
    {0x19e, 0x19e, 130, 1},      {0x1a1, 0x1a5, -1, 2},       {0x1a8, 0x1a8, -1, 1},       {0x1ad, 0x1ad, -1, 1},
    {0x1b0, 0x1b0, -1, 1},       {0x1b4, 0x1b6, -1, 2},       {0x1b9, 0x1b9, -1, 1},       {0x1bd, 0x1bd, -1, 1},
    {0x1bf, 0x1bf, 56, 1},       {0x1c5, 0x1c5, -1, 1},       {0x1c6, 0x1c6, -2, 1},       {0x1c8, 0x1c8, -1, 1},
    {0x1c9, 0x1c9, -2, 1},       {0x1cb, 0x1cb, -1, 1},       {0x1cc, 0x1cc, -2, 1},       {0x1ce, 0x1dc, -1, 2},
    {0x1dd, 0x1dd, -79, 1},      {0x1df, 0x1ef, -1, 2},       {0x1f2, 0x1f2, -1, 1},       {0x1f3, 0x1f3, -2, 1},
    {0x1f5, 0x1f5, -1, 1},       {0x1f9, 0x21f, -1, 2},       {0x223, 0x233, -1, 2},       {0x23c, 0x23c, -1, 1},
    {0x23f, 0x240, 10815, 1},    {0x242, 0x242, -1, 1},       {0x247, 0x24f, -1, 2},       {0x250, 0x250, 10783, 1},
    {0x251, 0x251, 10780, 1},    {0x252, 0x252, 10782, 1},    {0x253, 0x253, -210, 1},     {0x254, 0x254, -206, 1},
    {0x256, 0x257, -205, 1},     {0x259, 0x259, -202, 1},     {0x25b, 0x25b, -203, 1},     {0x25c, 0x25c, 42319, 1},
    {0x260, 0x260, -205, 1},     {0x261, 0x261, 42315, 1},    {0x263, 0x263, -207, 1},     {0x265, 0x265, 42280, 1},
    {0x266, 0x266, 42308, 1},    {0x268, 0x268, -209, 1},     {0x269, 0x269, -211, 1},     {0x26a, 0x26a, 42308, 1},
    {0x26b, 0x26b, 10743, 1},    {0x26c, 0x26c, 42305, 1},    {0x26f, 0x26f, -211, 1},     {0x271, 0x271, 10749, 1},
    {0x272, 0x272, -213, 1},     {0x275, 0x275, -214, 1},     {0x27d, 0x27d, 10727, 1},    {0x280, 0x280, -218, 1},
    {0x282, 0x282, 42307, 1},    {0x283, 0x283, -218, 1},     {0x287, 0x287, 42282, 1},    {0x288, 0x288, -218, 1},
    {0x289, 0x289, -69, 1},      {0x28a, 0x28b, -217, 1},     {0x28c, 0x28c, -71, 1},      {0x292, 0x292, -219, 1},
    {0x29d, 0x29d, 42261, 1},    {0x29e, 0x29e, 42258, 1},    {0x345, 0x345, 84, 1},       {0x371, 0x373, -1, 2},
    {0x377, 0x377, -1, 1},       {0x37b, 0x37d, 130, 1},      {0x3ac, 0x3ac, -38, 1},      {0x3ad, 0x3af, -37, 1},
    {0x3b1, 0x3c1, -32, 1},      {0x3c2, 0x3c2, -31, 1},      {0x3c3, 0x3cb, -32, 1},      {0x3cc, 0x3cc, -64, 1},
    {0x3cd, 0x3ce, -63, 1},      {0x3d0, 0x3d0, -62, 1},      {0x3d1, 0x3d1, -57, 1},      {0x3d5, 0x3d5, -47, 1},
    {0x3d6, 0x3d6, -54, 1},      {0x3d7, 0x3d7, -8, 1},       {0x3d9, 0x3ef, -1, 2},       {0x3f0, 0x3f0, -86, 1},
    {0x3f1, 0x3f1, -80, 1},      {0x3f2, 0x3f2, 7, 1},        {0x3f3, 0x3f3, -116, 1},     {0x3f5, 0x3f5, -96, 1},
    {0x3f8, 0x3f8, -1, 1},       {0x3fb, 0x3fb, -1, 1},       {0x430, 0x44f, -32, 1},      {0x450, 0x45f, -80, 1},
    {0x461, 0x481, -1, 2},       {0x48b, 0x4bf, -1, 2},       {0x4c2, 0x4ce, -1, 2},       {0x4cf, 0x4cf, -15, 1},
    {0x4d1, 0x52f, -1, 2},       {0x561, 0x586, -48, 1},      {0x10d0, 0x10fa, 3008, 1},   {0x10fd, 0x10ff, 3008, 1},
    {0x13f8, 0x13fd, -8, 1},     {0x1c80, 0x1c80, -6254, 1},  {0x1c81, 0x1c81, -6253, 1},  {0x1c82, 0x1c82, -6244, 1},
    {0x1c83, 0x1c84, -6242, 1},  {0x1c85, 0x1c85, -6243, 1},  {0x1c86, 0x1c86, -6236, 1},  {0x1c87, 0x1c87, -6181, 1},
    {0x1c88, 0x1c88, 35266, 1},  {0x1d79, 0x1d79, 35332, 1},  {0x1d7d, 0x1d7d, 3814, 1},   {0x1d8e, 0x1d8e, 35384, 1},
    {0x1e01, 0x1e95, -1, 2},     {0x1e9b, 0x1e9b, -59, 1},    {0x1ea1, 0x1eff, -1, 2},     {0x1f00, 0x1f07, 8, 1},
    {0x1f10, 0x1f15, 8, 1},      {0x1f20, 0x1f27, 8, 1},      {0x1f30, 0x1f37, 8, 1},      {0x1f40, 0x1f45, 8, 1},
    {0x1f51, 0x1f57, 8, 2},      {0x1f60, 0x1f67, 8, 1},      {0x1f70, 0x1f71, 74, 1},     {0x1f72, 0x1f75, 86, 1},
    {0x1f76, 0x1f77, 100, 1},    {0x1f78, 0x1f79, 128, 1},    {0x1f7a, 0x1f7b, 112, 1},    {0x1f7c, 0x1f7d, 126, 1},
    {0x1f80, 0x1f87, 8, 1},      {0x1f90, 0x1f97, 8, 1},      {0x1fa0, 0x1fa7, 8, 1},      {0x1fb0, 0x1fb1, 8, 1},
    {0x1fb3, 0x1fb3, 9, 1},      {0x1fbe, 0x1fbe, -7205, 1},  {0x1fc3, 0x1fc3, 9, 1},      {0x1fd0, 0x1fd1, 8, 1},
    {0x1fe0, 0x1fe1, 8, 1},      {0x1fe5, 0x1fe5, 7, 1},      {0x1ff3, 0x1ff3, 9, 1},      {0x214e, 0x214e, -28, 1},
    {0x2170, 0x217f, -16, 1},    {0x2184, 0x2184, -1, 1},     {0x24d0, 0x24e9, -26, 1},    {0x2c30, 0x2c5f, -48, 1},
    {0x2c61, 0x2c61, -1, 1},     {0x2c65, 0x2c65, -10795, 1}, {0x2c66, 0x2c66, -10792, 1}, {0x2c68, 0x2c6c, -1, 2},
    {0x2c73, 0x2c73, -1, 1},     {0x2c76, 0x2c76, -1, 1},     {0x2c81, 0x2ce3, -1, 2},     {0x2cec, 0x2cee, -1, 2},
    {0x2cf3, 0x2cf3, -1, 1},     {0x2d00, 0x2d25, -7264, 1},  {0x2d27, 0x2d27, -7264, 1},  {0x2d2d, 0x2d2d, -7264, 1},
    {0xa641, 0xa66d, -1, 2},     {0xa681, 0xa69b, -1, 2},     {0xa723, 0xa72f, -1, 2},     {0xa733, 0xa76f, -1, 2},
    {0xa77a, 0xa77c, -1, 2},     {0xa77f, 0xa787, -1, 2},     {0xa78c, 0xa78c, -1, 1},     {0xa791, 0xa793, -1, 2},
    {0xa794, 0xa794, 48, 1},     {0xa797, 0xa7a9, -1, 2},     {0xa7b5, 0xa7c3, -1, 2},     {0xa7c8, 0xa7ca, -1, 2},
    {0xa7d1, 0xa7d1, -1, 1},     {0xa7d7, 0xa7d9, -1, 2},     {0xa7f6, 0xa7f6, -1, 1},     {0xab53, 0xab53, -928, 1},
    {0xab70, 0xabbf, -38864, 1}, {0xff41, 0xff5a, -32, 1},    {0x10428, 0x1044f, -40, 1},  {0x104d8, 0x104fb, -40, 1},
    {0x10597, 0x105a1, -39, 1},  {0x105a3, 0x105b1, -39, 1},  {0x105b3, 0x105b9, -39, 1},  {0x105bb, 0x105bc, -39, 1},
    {0x10cc0, 0x10cf2, -64, 1},  {0x118c0, 0x118df, -32, 1},  {0x16e60, 0x16e7f, -32, 1},  {0x1e922, 0x1e943, -34, 1},
};

// The letters with several capitals (SpecialCasing.txt, Unicode 15, those without a condition), except for U+1F80 to
// 1FAF.
static const struct {
  uint32_t letter, capitals[SJ_MAX_CAPITALS];
} several[] = {{0xdf, {'S', 'S'}},
               {0x149, {0x2bc, 'N'}},
               {0x1f0, {'J', 0x30c}},
               {0x390, {0x399, 0x308, 0x301}},
               {0x3b0, {0x3a5, 0x308, 0x301}},
               {0x587, {0x535, 0x552}},
               {0x1e96, {'H', 0x331}},
               {0x1e97, {'T', 0x308}},
               {0x1e98, {'W', 0x30a}},
               {0x1e99, {'Y', 0x30a}},
               {0x1e9a, {'A', 0x2be}},
               {0x1f50, {0x3a5, 0x313}},
               {0x1f52, {0x3a5, 0x313, 0x300}},
               {0x1f54, {0x3a5, 0x313, 0x301}},
               {0x1f56, {0x3a5, 0x313, 0x342}},
               {0x1fb2, {0x1fba, 0x399}},
               {0x1fb3, {0x391, 0x399}},
               {0x1fb4, {0x386, 0x399}},
               {0x1fb6, {0x391, 0x342}},
               {0x1fb7, {0x391, 0x342, 0x399}},
               {0x1fbc, {0x391, 0x399}},
               {0x1fc2, {0x1fca, 0x399}},
               {0x1fc3, {0x397, 0x399}},
               {0x1fc4, {0x389, 0x399}},
               {0x1fc6, {0x397, 0x342}},
               {0x1fc7, {0x397, 0x342, 0x399}},
               {0x1fcc, {0x397, 0x399}},
               {0x1fd2, {0x399, 0x308, 0x300}},
               {0x1fd3, {0x399, 0x308, 0x301}},
               {0x1fd6, {0x399, 0x342}},
               {0x1fd7, {0x399, 0x308, 0x342}},
               {0x1fe2, {0x3a5, 0x308, 0x300}},
               {0x1fe3, {0x3a5, 0x308, 0x301}},
               {0x1fe4, {0x3a1, 0x313}},
               {0x1fe6, {0x3a5, 0x342}},
               {0x1fe7, {0x3a5, 0x308, 0x342}},
               {0x1ff2, {0x1ffa, 0x399}},
               {0x1ff3, {0x3a9, 0x399}},
               {0x1ff4, {0x38f, 0x399}},
               {0x1ff6, {0x3a9, 0x342}},
               {0x1ff7, {0x3a9, 0x342, 0x399}},
               {0x1ffc, {0x3a9, 0x399}},
               {0xfb00, {'F', 'F'}},
               {0xfb01, {'F', 'I'}},
               {0xfb02, {'F', 'L'}},
               {0xfb03, {'F', 'F', 'I'}},
               {0xfb04, {'F', 'F', 'L'}},
               {0xfb05, {'S', 'T'}},
               {0xfb06, {'S', 'T'}},
               {0xfb13, {0x544, 0x546}},
               {0xfb14, {0x544, 0x535}},
               {0xfb15, {0x544, 0x53b}},
               {0xfb16, {0x54e, 0x546}},
               {0xfb17, {0x544, 0x53d}}};

// Returns the capital of a small letter by UnicodeData.txt; 0: it has none.
static uint32_t simple_capital(uint32_t letter) {
  size_t low = 0, high = sizeof capitals / sizeof *capitals;
  SJ_SEARCH(low, high, i, letter > capitals[i].last);
  const pairs *p = &capitals[low];
  if (low == sizeof capitals / sizeof *capitals || letter < p->first || (letter - p->first) % p->step) return 0;
  return (uint32_t)((int32_t)letter + p->up);
}

uint32_t sj_capitals_of(uint32_t letter, uint32_t out[SJ_MAX_CAPITALS]) {
  // Greek vowels with an iota below, whatever their accents.
  static const uint32_t vowels[] = {0x1f08, 0x1f28, 0x1f68};
  if (letter >= 0x1f80 && letter < 0x1fb0) {
    out[0] = vowels[(letter - 0x1f80) / 16] + (letter & 7);
    out[1] = 0x399;
    return 2;
  }
  for (size_t i = 0; letter >= several[0].letter && i < sizeof several / sizeof *several; i++) {
    if (several[i].letter != letter) continue;
    uint32_t count = 0;
    for (; count < SJ_MAX_CAPITALS && several[i].capitals[count]; count++) out[count] = several[i].capitals[count];
    return count;
  }
  out[0] = simple_capital(letter);
  return out[0] != 0;
}

// Returns whether a small letter is not what its capital becomes, since that becomes another one.
static bool is_variant(uint32_t small) {
  static const uint32_t variants[] = {0xb5,   0x131,  0x17f,  0x1c5,  0x1c8,  0x1cb,  0x1f2,  0x345,  0x3c2,
                                      0x3d0,  0x3d1,  0x3d5,  0x3d6,  0x3f0,  0x3f1,  0x3f5,  0x1c80, 0x1c81,
                                      0x1c82, 0x1c83, 0x1c84, 0x1c85, 0x1c86, 0x1c87, 0x1c88, 0x1e9b, 0x1fbe};
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (variants[i] == small) return true;
  return false;
}

uint32_t sj_small_of(uint32_t letter) {
  static const uint32_t others[][2] = {{0x1c5, 0x1c6}, {0x1c8, 0x1c9},  {0x1cb, 0x1cc}, {0x1f2, 0x1f3}, {0x3f4, 0x3b8},
                                       {0x1e9e, 0xdf}, {0x2126, 0x3c9}, {0x212a, 'k'},  {0x212b, 0xe5}};
  if (letter < 0x80) return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i][0] == letter) return others[i][1];
  for (size_t i = 0; i < sizeof capitals / sizeof *capitals; i++) {
    const pairs *p = &capitals[i];
    uint32_t small = (uint32_t)((int32_t)letter - p->up);
    if (small >= p->first && small <= p->last && (small - p->first) % p->step == 0 && !is_variant(small)) return small;
  }
  return letter;
}

uint32_t sj_title_of(uint32_t letter, uint32_t out[SJ_MAX_CAPITALS]) {
  // Digraphs, whose first half alone becomes a capital, and letters of Georgian, which has none at the head of words.
  if ((letter >= 0x1c4 && letter <= 0x1cc) || (letter >= 0x1f1 && letter <= 0x1f3)) {
    out[0] = letter >= 0x1f1 ? 0x1f2 : 0x1c5 + (letter - 0x1c4) / 3 * 3;
    return 1;
  }
  if (letter >= 0x10d0 && letter <= 0x10ff) return 0;
  uint32_t count = sj_capitals_of(letter, out);
  // With an iota below the letter keeps it, as one letter.
  if (count > 1 && letter >= 0x1f80 && letter <= 0x1ffc && out[count - 1] == 0x399) {
    uint32_t one = simple_capital(letter);
    if (one) return out[0] = one, 1;
    out[count - 1] = 0x345;
    return count;
  }
  for (uint32_t i = 1; i < count; i++) out[i] = sj_small_of(out[i]);
  return count;
}

// Returns whether the font has a feature that substitutes glyphs.
static bool has(const sj_face *face, hb_tag_t tag) {
  const hb_tag_t tags[] = {tag, HB_TAG_NONE};
  hb_codepoint_t lookup = HB_SET_VALUE_INVALID;
  hb_set_t *lookups = hb_set_create();
  hb_ot_layout_collect_lookups(face->hb_face, HB_OT_TAG_GSUB, NULL, NULL, tags, lookups);
  bool found = hb_set_next(lookups, &lookup);
  hb_set_destroy(lookups);
  return found;
}

sj_caps_plan sj_caps_of(const sj_face *face, sj_caps caps) {
  const hb_tag_t small = HB_TAG('s', 'm', 'c', 'p'), from_capitals = HB_TAG('c', '2', 's', 'c');
  sj_caps_plan plan = {{0}, false, false};
  switch (caps) {
    case SJ_CAPS_SMALL: plan.letters = !has(face, small); break;
    case SJ_CAPS_ALL_SMALL: plan.letters = plan.capitals = !has(face, small) || !has(face, from_capitals); break;
    case SJ_CAPS_PETITE:
      if (has(face, HB_TAG('p', 'c', 'a', 'p'))) break;
      plan.letters = !has(face, small);
      if (!plan.letters) plan.features[0] = small;
      break;
    case SJ_CAPS_ALL_PETITE:
      if (has(face, HB_TAG('p', 'c', 'a', 'p')) && has(face, HB_TAG('c', '2', 'p', 'c'))) break;
      plan.letters = plan.capitals = !has(face, small) || !has(face, from_capitals);
      if (plan.letters) break;
      plan.features[0] = small;
      plan.features[1] = from_capitals;
      break;
    case SJ_CAPS_UNICASE: plan.capitals = !has(face, HB_TAG('u', 'n', 'i', 'c')); break;
    default: break;
  }
  return plan;
}
