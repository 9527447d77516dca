// Writes counters in the styles that documents define (CSS Counter Styles 3, 2).
#include <string.h>

#include "svg/html/html.h"
#include "svg/resolve/job.h"

// What would have more characters is written in the style to fall back to; so is what is padded to more.
#define MOST 120

void sj_html_append(sj_html *h, sj_html_text *out, const char *text, size_t length) {
  if (!length || !sj_resolve_spend(h->r, length * SJ_WORK_BYTE)) return;
  if (!sj_array_reserve(h->context, out, length)) {
    sj_resolve_fail_memory(h->r);
    return;
  }
  memcpy(out->data + out->count, text, length);
  out->count += length;
}

static void append(sj_html *h, sj_html_text *out, sj_value_text text) {
  sj_html_append(h, out, text.text, text.length);
}

static void append_known(sj_html *h, int list, int32_t number, sj_html_text *out) {
  char text[SJ_HTML_NUMBER_BYTES];
  sj_html_append(h, out, text, sj_html_number(list, number, text));
}

// --- finding styles ---

// Finds a counter style by its name. The last one of equal names counts.
static const sj_counter_style *find(sj_html *h, sj_value_text name) {
  const sj_counter_styles *styles = &h->counter_styles;
  if (!sj_resolve_spend(h->r, styles->list.count * SJ_WORK_BYTE)) return NULL;
  for (size_t i = styles->list.count; i > 0; i--) {
    const sj_counter_style *s = &styles->list.data[i - 1];
    if (s->name.length == name.length && memcmp(s->name.text, name.text, name.length) == 0) return s;
  }
  return NULL;
}

bool sj_html_find_list(sj_html *h, sj_value_text name, int *list) {
  if (!h->knows_counter_styles && sj_counter_styles_exist(h->r->document)) {
    if (!sj_counter_styles_load(h->r->document, &h->arena, &h->counter_styles)) sj_resolve_fail_memory(h->r);
  }
  h->knows_counter_styles = true;
  const sj_counter_style *s = h->counter_styles.list.count ? find(h, name) : NULL;
  if (!s) return sj_html_find_known_list(name, list);
  *list = SJ_LIST_CUSTOM + (int)(s - h->counter_styles.list.data);
  return true;
}

static void take(sj_value_text *out, sj_value_text other) {
  if (!out->text) *out = other;
}

// Adds what a style has of those that it extends. *known: it extends one that no rule defines, which is this.
static sj_counter_style complete(sj_html *h, const sj_counter_style *style, int *known) {
  sj_counter_style s = *style;
  size_t steps = 0;
  *known = SJ_LIST_DECIMAL;
  while (s.system == SJ_COUNTER_EXTENDS) {
    const sj_counter_style *base = steps++ <= h->counter_styles.list.count ? find(h, s.base) : NULL;
    if (!base) {
      if (steps <= h->counter_styles.list.count + 1) sj_html_find_known_list(s.base, known);
      break;
    }
    s.system = base->system;
    s.base = base->base;
    s.first = base->first;
    s.symbols = base->symbols;
    if (s.ranges.first == s.ranges.end) s.ranges = base->ranges;
    if (!s.negative[0].text) memcpy(s.negative, base->negative, sizeof s.negative);
    if (!s.pad.text) s.pad_to = base->pad_to;
    take(&s.pad, base->pad);
    take(&s.prefix, base->prefix);
    take(&s.suffix, base->suffix);
    take(&s.fallback, base->fallback);
  }
  return s;
}

// --- writing ---

static bool is_in_range(const sj_html *h, const sj_counter_style *s, int32_t value) {
  if (s->ranges.first == s->ranges.end)
    return (s->system != SJ_COUNTER_ALPHABETIC && s->system != SJ_COUNTER_SYMBOLIC) || value > 0
               ? s->system != SJ_COUNTER_ADDITIVE || value >= 0
               : false;
  for (uint32_t i = s->ranges.first; i < s->ranges.end; i++) {
    sj_counter_range range = h->counter_styles.ranges.data[i];
    if (value >= range.first && value <= range.last) return true;
  }
  return false;
}

// Writes a number above 0 in digits, or (`letters`) without a zero.
static void write_digits(sj_html *h, const sj_counter_symbol *symbols, int64_t count, int64_t n, bool letters,
                         sj_html_text *out) {
  uint32_t digits[32];
  int length = 0;
  for (; n > 0; n = (n - letters) / count) digits[length++] = (uint32_t)((n - letters) % count);
  while (length > 0) append(h, out, symbols[digits[--length]].text);
}

// Writes the symbols that add up to a number. Returns false when none do, or too many.
static bool write_sum(sj_html *h, const sj_counter_symbol *symbols, int64_t count, int64_t n, sj_html_text *out) {
  int64_t written = 0;
  if (n == 0 && symbols[count - 1].weight == 0) append(h, out, symbols[count - 1].text);
  if (n == 0) return symbols[count - 1].weight == 0;
  for (int64_t i = 0; i < count && n > 0 && sj_resolve_spend(h->r, SJ_WORK_BYTE); i++) {
    int64_t times = symbols[i].weight ? n / symbols[i].weight : 0;
    written += times;
    if (written > MOST) return false;
    for (; times > 0; times--, n -= symbols[i].weight) append(h, out, symbols[i].text);
  }
  return n == 0;
}

// Writes a number without its sign. Returns false where the style has none for it.
static bool represent(sj_html *h, const sj_counter_style *s, int known, int64_t n, sj_html_text *out) {
  const sj_counter_symbol *symbols = sj_array_at(&h->counter_styles.symbols, s->symbols.first);
  int64_t count = s->symbols.end - s->symbols.first;
  switch (s->system) {
    case SJ_COUNTER_CYCLIC: append(h, out, symbols[((n - 1) % count + count) % count].text); return true;
    case SJ_COUNTER_FIXED:
      if (n < s->first || n - s->first >= count) return false;
      append(h, out, symbols[n - s->first].text);
      return true;
    case SJ_COUNTER_SYMBOLIC: {
      int64_t times = (n - 1) / count + 1;
      if (n < 1 || times > MOST) return false;
      while (times-- > 0) append(h, out, symbols[(n - 1) % count].text);
      return true;
    }
    case SJ_COUNTER_ALPHABETIC: write_digits(h, symbols, count, n, true, out); return n > 0;
    case SJ_COUNTER_NUMERIC:
      if (n == 0) append(h, out, symbols[0].text);
      write_digits(h, symbols, count, n, false, out);
      return true;
    case SJ_COUNTER_ADDITIVE: return write_sum(h, symbols, count, n, out);
    default: append_known(h, known, n <= INT32_MAX ? (int32_t)n : INT32_MAX, out); return true;
  }
}

static size_t characters(const char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
  return count;
}

// Writes a number with its sign, padded. Returns false, with nothing written, where it is to be in another style.
static bool write_in(sj_html *h, const sj_counter_style *s, int known, int32_t value, sj_html_text *out) {
  static const sj_value_text minus = {"-", 1};
  bool has_sign = value < 0 && s->system != SJ_COUNTER_CYCLIC && s->system != SJ_COUNTER_FIXED;
  sj_value_text before = !has_sign ? (sj_value_text){0} : s->negative[0].text ? s->negative[0] : minus;
  sj_value_text behind = has_sign && s->negative[0].text ? s->negative[1] : (sj_value_text){0};
  sj_html_text digits = {0};
  bool good = is_in_range(h, s, value) && s->pad_to <= MOST &&
              represent(h, s, known, has_sign ? -(int64_t)value : (int64_t)value, &digits);
  if (good) {
    size_t count = characters(digits.data, digits.count) + characters(before.text, before.length) +
                   characters(behind.text, behind.length);
    append(h, out, before);
    for (; s->pad.text && count < (size_t)s->pad_to; count++) append(h, out, s->pad);
    sj_html_append(h, out, digits.data, digits.count);
    append(h, out, behind);
  }
  sj_array_finish(h->context, &digits);
  return good;
}

void sj_html_write_number(sj_html *h, int list, int32_t number, bool marker, sj_html_text *out) {
  static const sj_value_text full_stop = {". ", 2};
  if (list < SJ_LIST_CUSTOM) {
    append_known(h, list, number, out);
    if (marker) append(h, out, full_stop);
    return;
  }
  int known;
  sj_counter_style own = complete(h, &h->counter_styles.list.data[list - SJ_LIST_CUSTOM], &known), s = own;
  if (marker) append(h, out, own.prefix);
  // Styles that fall back to one another end at decimal.
  for (size_t steps = 0; !write_in(h, &s, known, number, out); steps++) {
    const sj_counter_style *next = steps < h->counter_styles.list.count ? find(h, s.fallback) : NULL;
    if (next && sj_resolving(h->r)) {
      s = complete(h, next, &known);
      continue;
    }
    int last = SJ_LIST_DECIMAL;
    sj_html_find_known_list(s.fallback, &last);
    append_known(h, last, number, out);
    break;
  }
  if (marker) append(h, out, own.suffix.text ? own.suffix : full_stop);
}
