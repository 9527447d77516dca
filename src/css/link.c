#include "css/link.h"

#include <string.h>

#include "css/bloom.h"
#include "css/tokens.h"

static sj_atom move(sj_css_linked *l, sj_atom string, bool *good) {
  const sj_atoms *strings = &l->program->strings;
  if (string == SJ_ATOM_NONE) return SJ_ATOM_NONE;
  sj_atom atom = sj_atoms_intern(&l->document->atoms, sj_atoms_text(strings, string), sj_atoms_length(strings, string));
  if (!atom) *good = false;
  return atom;
}

static void link_simple(sj_css_linked *l, sj_css_simple *s, const stijl_css_params *params, bool *good) {
  switch (s->kind) {
    case SJ_CSS_NAMESPACE: s->a = move(l, s->a, good); break;
    case SJ_CSS_TYPE:
      s->a = move(l, s->a, good);
      s->b = move(l, s->b, good);
      break;
    case SJ_CSS_ID:
    case SJ_CSS_CLASS:
      s->a = move(l, l->document->quirks ? s->b : s->a, good);
      s->b = 0;
      break;
    case SJ_CSS_ATTRIBUTE:
      s->a = move(l, s->a, good);
      s->b = move(l, s->b, good);
      s->c = move(l, s->c, good);
      s->d = move(l, s->d, good);
      if (s->op == SJ_CSS_SUBSTRING && (s->flags & (SJ_CSS_IGNORE_CASE | SJ_CSS_HTML_CASE)))
        l->document->folding = true;
      break;
    case SJ_CSS_STATE:
      if (params->may_match && (s->flags & SJ_CSS_DYNAMIC))
        *s = (sj_css_simple){.kind = s->flags & SJ_CSS_NEGATED ? SJ_CSS_NEVER : SJ_CSS_ALWAYS};
      s->flags = 0;
      break;
    case SJ_CSS_PSEUDO_ELEMENT:
      *s = (sj_css_simple){.kind = params->may_match || params->pseudo_elements ? SJ_CSS_ALWAYS : SJ_CSS_NEVER};
      break;
    default: break;
  }
}

// Interns the values of the attributes that some selector compares: those become atoms that were loose.
static bool intern_values(sj_css_linked *l) {
  stijl_css_document *d = l->document;
  size_t names = d->atoms.strings.count;
  if (!d->loose.count) return true;
  uint8_t *compared = NULL;
  for (size_t i = 0; i < l->program->simples.count; i++) {
    const sj_css_simple *s = &l->simples[i];
    if (s->kind != SJ_CSS_ATTRIBUTE || s->op == SJ_CSS_EXISTS) continue;
    if (!compared && !(compared = sj_alloc_zero(d->context, names))) return false;
    compared[s->a] = compared[s->b] = 1;
  }
  bool good = true;
  for (size_t i = 0; good && compared && i < d->attribute_pool.count; i++) {
    sj_node_attribute *a = &d->attribute_pool.data[i];
    if (!(a->value & SJ_LOOSE) || !compared[a->name]) continue;
    const sj_string *value = sj_dom_string(d, a->value);
    sj_atom atom = sj_atoms_intern_kept(&d->atoms, value->text, value->length);
    good = atom != SJ_ATOM_NONE;
    if (good) a->value = atom;
  }
  sj_free(d->context, compared);
  return good;
}

bool sj_css_link(sj_css_linked *l, const sj_css_program *program, stijl_css_document *document,
                 const stijl_css_params *params) {
  stijl_context *context = document->context;
  size_t simples = program->simples.count, ranges = program->ranges.count;
  *l = (sj_css_linked){.program = program, .document = document};
  l->simples = sj_alloc_array(context, simples + 1, sizeof *l->simples);
  l->ranges = sj_alloc_array(context, ranges + 1, sizeof *l->ranges);
  bool good = l->simples && l->ranges;
  if (good && simples) memcpy(l->simples, program->simples.data, simples * sizeof *l->simples);
  for (size_t i = 0; good && i < simples; i++) link_simple(l, &l->simples[i], params, &good);
  for (size_t i = 0; good && i < ranges; i++) l->ranges[i] = move(l, program->ranges.data[i], &good);
  if (good) good = intern_values(l) && sj_css_document_bloom(document);
  if (!good) sj_css_linked_finish(l);
  return good;
}

void sj_css_linked_finish(sj_css_linked *l) {
  if (!l->document) return;
  sj_free(l->document->context, l->simples);
  sj_free(l->document->context, l->ranges);
  l->simples = NULL;
  l->ranges = NULL;
}

// --- attributes ---

static bool equal(const char *a, const char *b, size_t length, bool ignore_case) {
  return ignore_case ? sj_equal_ignoring_case(a, b, length) : memcmp(a, b, length) == 0;
}

static bool includes(const char *text, size_t length, const char *word, size_t word_length, bool ignore_case) {
  for (size_t i = 0; i < length;) {
    while (i < length && sj_is_css_space(text[i])) i++;
    size_t start = i;
    while (i < length && !sj_is_css_space(text[i])) i++;
    if (i > start && i - start == word_length && equal(text + start, word, word_length, ignore_case)) return true;
  }
  return false;
}

static bool has_space(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (sj_is_css_space(text[i])) return true;
  return false;
}

// Searching this many bytes of a value takes about as long as a plain test.
#define BYTES_PER_STEP 32

static bool value_matches(const stijl_css_document *d, const sj_css_simple *s, sj_atom value, bool ignore_case,
                          uint64_t *work) {
  if (s->op == SJ_CSS_EXISTS) return true;
  if (s->op == SJ_CSS_EQUALS && !ignore_case) return value == s->c;
  uint64_t wanted = d->blooms.data[s->c];
  size_t length = sj_atoms_length(&d->atoms, value), part = sj_atoms_length(&d->atoms, s->c);
  if (part > length || (part <= SJ_BLOOM_MAX_LENGTH && (wanted & ~d->blooms.data[value]))) return false;
  *work += length / BYTES_PER_STEP;
  const char *text = sj_atoms_text(&d->atoms, value), *wanted_text = sj_atoms_text(&d->atoms, s->c);
  switch (s->op) {
    case SJ_CSS_EQUALS: return length == part && equal(text, wanted_text, part, ignore_case);
    case SJ_CSS_INCLUDES:
      return part && !has_space(wanted_text, part) && includes(text, length, wanted_text, part, ignore_case);
    case SJ_CSS_DASH: return equal(text, wanted_text, part, ignore_case) && (length == part || text[part] == '-');
    case SJ_CSS_PREFIX: return part && equal(text, wanted_text, part, ignore_case);
    case SJ_CSS_SUFFIX: return part && equal(text + length - part, wanted_text, part, ignore_case);
    default:
      if (ignore_case) {  // in lower case both: searching without regard to case would take their product
        text = sj_atoms_text(&d->atoms, d->folded.data[value]);
        wanted_text = sj_atoms_text(&d->atoms, d->folded.data[s->c]);
      }
      return part && memmem(text, length, wanted_text, part) != NULL;
  }
}

bool sj_css_test_attribute(const stijl_css_document *d, const sj_css_simple *s, uint32_t e, uint64_t *work) {
  bool html = d->flags.data[e] & SJ_NODE_HTML;
  bool ignore_case =
      (s->flags & SJ_CSS_IGNORE_CASE) || (html && (s->flags & SJ_CSS_HTML_CASE) && !(s->flags & SJ_CSS_KEEP_CASE));
  sj_atom name = html ? s->b : s->a;
  sj_pool_range range = sj_dom_named(d, e, name);
  const sj_node_attribute *a = sj_array_at(&d->attribute_pool, range.first);
  for (uint32_t i = 0; i < range.count; i++)
    if (a[i].name == name && ((s->flags & SJ_CSS_ANY_NAMESPACE) || a[i].space == s->d) &&
        value_matches(d, s, a[i].value, ignore_case, work))
      return true;
  return false;
}

// --- :lang() and :nth-*() ---

// Returns the end of the subtag at `at`.
static size_t subtag_end(const char *text, size_t length, size_t at) {
  while (at < length && text[at] != '-') at++;
  return at;
}

// Returns whether a range matches a tag by extended filtering (RFC 4647, section 3.3.2); both are in lower case.
static bool range_matches(const char *range, size_t range_length, const char *tag, size_t tag_length) {
  if (range_length == 0 || tag_length == 0) return range_length == 0 && tag_length == 0;
  size_t re = subtag_end(range, range_length, 0), te = subtag_end(tag, tag_length, 0);
  bool any = re == 1 && range[0] == '*';
  if (!any && (re != te || memcmp(range, tag, re) != 0)) return false;
  size_t r = re + 1, t = te + 1;
  while (r <= range_length) {
    re = subtag_end(range, range_length, r);
    if (re - r == 1 && range[r] == '*') {
      r = re + 1;
      continue;
    }
    if (t > tag_length) return false;
    te = subtag_end(tag, tag_length, t);
    if (re - r == te - t && memcmp(range + r, tag + t, re - r) == 0)
      r = re + 1;
    else if (te - t == 1)
      return false;
    t = te + 1;
  }
  return true;
}

bool sj_css_test_language(const stijl_css_document *d, const uint32_t *ranges, const sj_css_simple *s, uint32_t e) {
  sj_atom language = d->language.data[e];
  if (!language) return false;
  for (uint32_t i = 0; i < s->b; i++) {
    sj_atom range = ranges[s->a + i];
    if (range_matches(sj_atoms_text(&d->atoms, range), sj_atoms_length(&d->atoms, range),
                      sj_atoms_text(&d->atoms, language), sj_atoms_length(&d->atoms, language)))
      return true;
  }
  return false;
}

bool sj_css_nth_holds(int32_t a, int32_t b, uint32_t index) {
  int64_t difference = (int64_t)index - b;
  if (a == 0) return difference == 0;
  return difference % a == 0 && difference / a >= 0;
}
