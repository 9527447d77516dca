#include <ctype.h>
#include <string.h>

#include "lab/ablate.h"

enum { MAX_NAMES = 64, NAME = 40 };

typedef struct names {
  char all[MAX_NAMES][NAME];
  uint32_t count;
} names;

typedef struct span {
  const char *at, *end;
} span;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Returns the next identifier, or an empty span at the end, and moves *at behind it.
static span next_name(const char **at, const char *end) {
  const char *p = *at;
  while (p < end && !(isalpha((unsigned char)*p) || *p == '_')) {
    if (isdigit((unsigned char)*p))
      while (p < end && is_word(*p)) p++;
    else
      p++;
  }
  span s = {p, p};
  while (s.end < end && is_word(*s.end)) s.end++;
  *at = s.end;
  return s;
}

static bool is(span s, const char *word) {
  return (size_t)(s.end - s.at) == strlen(word) && memcmp(s.at, word, strlen(word)) == 0;
}

static bool has(const names *n, span s) {
  for (uint32_t i = 0; i < n->count; i++)
    if (is(s, n->all[i])) return true;
  return false;
}

// Collects the names that stand in the heads of loops.
static void collect(const char *text, size_t bytes, names *out) {
  const char *at = text, *end = text + bytes;
  while (at < end) {
    span word = next_name(&at, end);
    if (!is(word, "for") && !is(word, "while")) continue;
    int depth = 0;
    const char *close = at;
    for (; close < end; close++) {
      depth += *close == '(';
      if (*close == ')' && --depth == 0) break;
    }
    while (at < close && out->count < MAX_NAMES) {
      span name = next_name(&at, close);
      size_t length = (size_t)(name.end - name.at);
      if (!length || length >= NAME || has(out, name)) continue;
      memcpy(out->all[out->count], name.at, length);
      out->all[out->count++][length] = 0;
    }
  }
}

// Returns whether leaving a statement out might keep a loop from ending, or let the result depend on timing.
static bool is_risky(span s, const names *loops) {
  const char *at = s.at;
  span first = next_name(&at, s.end);
  bool whole_loop = is(first, "for") || is(first, "while") || is(first, "do");
  if (whole_loop) return false;
  for (at = s.at; at < s.end;) {
    span word = next_name(&at, s.end);
    // Without the barrier the result may still be right by luck.
    if (is(word, "barrier") || is(word, "memoryBarrierShared") || is(word, "groupMemoryBarrier")) return true;
    if (is(word, "break") || is(word, "return") || is(word, "continue") || is(word, "discard")) return true;
    if (word.at < word.end && has(loops, word)) {
      const char *p = at;
      while (p < s.end && (isspace((unsigned char)*p) || *p == '.' || *p == '[' || *p == ']' || is_word(*p))) p++;
      bool assigned =
          p < s.end && ((*p == '=' && p[1] != '=') || (strchr("+-*/%&|^", *p) && (p[1] == '=' || p[1] == *p)) ||
                        (strchr("<>", *p) && p[1] == *p && p[2] == '='));
      bool before = word.at - s.at >= 2 && (memcmp(word.at - 2, "++", 2) == 0 || memcmp(word.at - 2, "--", 2) == 0);
      if (assigned || before) return true;
    }
  }
  return false;
}

// Returns how many more brackets open than close.
static int balance(span s, char open, char close) {
  int n = 0;
  for (const char *p = s.at; p < s.end; p++) n += (*p == open) - (*p == close);
  return n;
}

static span trim(span s) {
  const char *comment = NULL;
  for (const char *p = s.at; p + 1 < s.end && !comment; p++)
    if (p[0] == '/' && p[1] == '/') comment = p;
  if (comment) s.end = comment;
  while (s.at < s.end && isspace((unsigned char)*s.at)) s.at++;
  while (s.end > s.at && isspace((unsigned char)s.end[-1])) s.end--;
  return s;
}

static span line_at(const char *at, const char *end) {
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  return (span){at, stop ? stop : end};
}

uint32_t sj_lab_find_cuts(const char *text, size_t bytes, sj_lab_cut *out, uint32_t most) {
  names loops = {.count = 0};
  collect(text, bytes, &loops);
  const char *end = text + bytes;
  uint32_t count = 0, number = 1;
  int depth = 0;
  for (const char *at = text; at < end && count < most; number++) {
    span whole = line_at(at, end), line = trim(whole);
    at = whole.end < end ? whole.end + 1 : end;
    int before = depth;
    depth += balance(line, '{', '}');
    if (before < 1 || line.at == line.end || *line.at == '#' || *line.at == '}' || *line.at == '{') continue;
    span unit = line;
    uint32_t last = number;
    int braces = balance(line, '{', '}'), round = balance(line, '(', ')');
    const char *p = at;
    // Goes on to the end of the statement or of its block.
    while ((braces > 0 || round > 0 || (unit.end > unit.at && unit.end[-1] != ';' && unit.end[-1] != '}')) && p < end &&
           last < number + 200) {
      span next = line_at(p, end), cut = trim(next);
      braces += balance(cut, '{', '}');
      round += balance(cut, '(', ')');
      if (cut.end > cut.at) unit.end = cut.end;
      p = next.end < end ? next.end + 1 : end;
      last++;
    }
    if (braces || round || is_risky(unit, &loops)) continue;
    out[count++] = (sj_lab_cut){number, last};
  }
  return count;
}

void sj_lab_cut_out(char *text, size_t bytes, sj_lab_cut cut) {
  uint32_t number = 1;
  for (size_t i = 0; i < bytes && number <= cut.last; i++) {
    if (text[i] == '\n')
      number++;
    else if (number >= cut.first)
      text[i] = ' ';
  }
}

// --- Loops that end ---

// Returns the place behind the bracket that closes the one at p; NULL if none does.
static const char *skip_round(const char *p, const char *end) {
  int depth = 0;
  for (; p < end; p++) {
    depth += (*p == '(') - (*p == ')');
    if (depth == 0) return p + 1;
  }
  return NULL;
}

// Returns the condition in a loop's head: all of a while's, the part between a for's semicolons.
static span condition_of(span head, bool is_for) {
  if (!is_for) return head;
  int depth = 0, parts = 0;
  span found = {head.at, head.at};
  for (const char *p = head.at; p < head.end; p++) {
    depth += (*p == '(') - (*p == ')');
    if (*p != ';' || depth) continue;
    if (parts++ == 0)
      found.at = p + 1;
    else
      found.end = p;
  }
  return parts == 2 ? found : (span){NULL, NULL};
}

// Returns the end of the last line for the preprocessor alone, outside of #if. Declarations may be inserted there: only
// GLSL stands behind it.
static const char *end_of_directives(const char *text, const char *end) {
  const char *found = text;
  int depth = 0;
  for (const char *at = text; at < end;) {
    span whole = line_at(at, end), line = trim(whole);
    at = whole.end < end ? whole.end + 1 : end;
    if (line.at == line.end || *line.at != '#') continue;
    const char *p = line.at + 1;
    span word = next_name(&p, line.end);
    if (is(word, "if") || is(word, "ifdef") || is(word, "ifndef")) depth++;
    if (is(word, "endif")) depth--;
    if (!depth && !is(word, "define") && !is(word, "undef")) found = at;
  }
  return found;
}

bool sj_lab_guard_loops(sj_lab_text *out, const char *text, size_t bytes, uint32_t turns) {
  const char *end = text + bytes, *done = end_of_directives(text, end);
  sj_lab_add_bytes(out, text, (size_t)(done - text));
  sj_lab_add_all(out, "uint sj_turns = 0u;\n");
  for (const char *p = done; p < end;) {
    if (p + 1 < end && p[0] == '/' && p[1] == '/') {
      while (p < end && *p != '\n') p++;
    } else if (!is_word(*p)) {
      p++;
    } else {
      span word = {p, p};
      while (word.end < end && is_word(*word.end)) word.end++;
      for (p = word.end; p < end && isspace((unsigned char)*p);) p++;
      if (!(is(word, "for") || is(word, "while")) || p == end || *p != '(') continue;
      const char *close = skip_round(p, end);
      if (!close) continue;
      span condition = condition_of((span){p + 1, close - 1}, is(word, "for"));
      if (!condition.at) continue;
      span all = trim(condition);
      sj_lab_add_bytes(out, done, (size_t)(condition.at - done));
      sj_lab_add(out, "sj_turns++ < %uu && (", turns);
      if (all.at == all.end) sj_lab_add_all(out, "true");
      sj_lab_add_bytes(out, condition.at, (size_t)(condition.end - condition.at));
      sj_lab_add_all(out, ")");
      done = p = condition.end;
    }
  }
  sj_lab_add_bytes(out, done, (size_t)(end - done));
  return !out->failed;
}

bool sj_lab_count_groups(sj_lab_text *out, const char *text, size_t bytes, uint32_t binding) {
  const char *begin = end_of_directives(text, text + bytes);
  sj_lab_add_bytes(out, text, (size_t)(begin - text));
  sj_lab_add_all(out, "#define main sj_main\n");
  sj_lab_add_bytes(out, begin, (size_t)(text + bytes - begin));
  sj_lab_add(out,
             "\n#undef main\n"
             "layout(set = 0, binding = %u) coherent buffer sj_counters { uint sj_now, sj_most, sj_all; };\n"
             "void main() {\n"
             "  if (gl_LocalInvocationIndex == 0u) atomicMax(sj_most, atomicAdd(sj_now, 1u) + 1u);\n"
             "  barrier();\n"
             "  sj_main();\n"
             "  barrier();\n"
             "  if (gl_LocalInvocationIndex == 0u) atomicAdd(sj_all, 1u);\n"
             "  if (gl_LocalInvocationIndex == 0u) atomicAdd(sj_now, 0xffffffffu);\n"
             "}\n",
             binding);
  return !out->failed;
}
