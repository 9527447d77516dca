#include "parse.h"

#include <stdint.h>
#include <string.h>

#include "report.h"
#include "stijl/stijl.h"

// --- values ---

bool cli_parse_whole(const char *text, double lo, double hi, unsigned long long *out) {
  uint64_t value = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    uint64_t digit = (uint64_t)(*text - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *out = value;
  return (double)value >= lo && (double)value <= hi;
}

// Parses digits with at most one point.
static bool parse_decimal(const char *text, double lo, double hi, double *out) {
  double value = 0, unit = 1;
  bool digits = false, point = false;
  for (; *text; text++) {
    if (*text == '.' && !point) {
      point = true;
    } else if (*text >= '0' && *text <= '9') {
      digits = true;
      value = value * 10 + (*text - '0');
      if (point) unit *= 10;
      if (value > 1e15 || unit > 1e15) return false;
    } else {
      return false;
    }
  }
  *out = value / unit;
  return digits && *out >= lo && *out <= hi;
}

// Returns the index of the word in a list separated by blanks, or -1.
static int find_word(const char *words, const char *text) {
  size_t length = strlen(text);
  for (int i = 0; *words; i++) {
    size_t word = strcspn(words, " ");
    if (word == length && memcmp(words, text, word) == 0) return i;
    words += word + (words[word] == ' ');
  }
  return -1;
}

// Parses numbers separated by commas; no more than there is room for.
static bool parse_numbers(const cli_option *o, const char *text, cli_numbers *out) {
  bool good = true;
  out->count = 0;
  while (good && out->count < CLI_NUMBERS_MAX) {
    char item[32];
    unsigned long long whole = 0;
    size_t length = strcspn(text, ",");
    if (length >= sizeof item) return false;
    memcpy(item, text, length);
    item[length] = 0;
    double *number = &out->items[out->count++];
    good =
        o->kind == CLI_WHOLES ? cli_parse_whole(item, o->lo, o->hi, &whole) : parse_decimal(item, o->lo, o->hi, number);
    if (o->kind == CLI_WHOLES) *number = (double)whole;
    if (!text[length]) return good;
    text += length + 1;
  }
  return false;
}

static bool set(const cli_option *o, const char *value, char *target, cli_failure *failure) {
  void *place = target + o->offset;
  unsigned long long whole = 0;
  double decimal = 0;
  int word;
  bool good = true;
  switch (o->kind) {
    case CLI_FLAG: *(bool *)place = true; return true;
    case CLI_TEXT:
      *(const char **)place = value;
      return *value || cli_fail(failure, "--%s takes something, not \"\"", o->name);
    case CLI_LIST: {
      cli_list *list = place;
      if (list->count == CLI_LIST_MAX)
        return cli_fail(failure, "--%s is given more than %d times", o->name, CLI_LIST_MAX);
      list->items[list->count++] = value;
      return *value || cli_fail(failure, "--%s takes something, not \"\"", o->name);
    }
    case CLI_WORD:
      word = find_word(o->words, value);
      if (word < 0) return cli_fail(failure, "--%s takes one of: %s; not \"%s\"", o->name, o->words, value);
      *(int *)place = word;
      return true;
    case CLI_INT:
      good = cli_parse_whole(value, o->lo, o->hi, &whole);
      if (good) *(int *)place = (int)whole;
      break;
    case CLI_U32:
      good = cli_parse_whole(value, o->lo, o->hi, &whole);
      if (good) *(uint32_t *)place = (uint32_t)whole;
      break;
    case CLI_U64:
      good = cli_parse_whole(value, o->lo, o->hi, &whole);
      if (good) *(uint64_t *)place = whole;
      break;
    case CLI_FLOAT:
      good = parse_decimal(value, o->lo, o->hi, &decimal);
      if (good) *(float *)place = (float)decimal;
      break;
    case CLI_DOUBLE:
      good = parse_decimal(value, o->lo, o->hi, &decimal);
      if (good) *(double *)place = decimal;
      break;
    case CLI_WHOLES:
    case CLI_NUMBERS:
      if (parse_numbers(o, value, place)) return true;
      return cli_fail(failure, "--%s takes %snumbers from %g to %.0f, at most %d with commas between, not \"%s\"",
                      o->name, o->kind == CLI_WHOLES ? "whole " : "", o->lo, o->hi, CLI_NUMBERS_MAX, value);
    case CLI_TIME:
      decimal = STIJL_SVG_END;
      if (strcmp(value, "end") != 0 && !parse_decimal(value, o->lo, o->hi, &decimal))
        return cli_fail(failure, "--%s takes seconds from %g to %.0f, or end, not \"%s\"", o->name, o->lo, o->hi,
                        value);
      *(double *)place = decimal;
      return true;
    default: break;
  }
  if (good) return true;
  bool is_whole = o->kind != CLI_FLOAT && o->kind != CLI_DOUBLE;
  return cli_fail(failure, "--%s takes a %snumber from %g to %.0f, not \"%s\"", o->name, is_whole ? "whole " : "",
                  o->lo, o->hi, value);
}

// --- options ---

static const cli_option *find_letter(const cli_option *options, char letter) {
  for (; options->kind != CLI_END; options++)
    if (options->letter == letter) return options;
  return NULL;
}

static const cli_option *find_kind(const cli_option *options, cli_kind kind) {
  while (options->kind != kind && options->kind != CLI_END) options++;
  return options;
}

// Finds an option by its name, or by the beginning of its name if no other begins so; *other is set to such another
// one.
static const cli_option *find_name(const cli_option *options, const char *name, size_t length,
                                   const cli_option **other) {
  const cli_option *found = NULL;
  for (*other = NULL; options->kind != CLI_END; options++) {
    if (!options->name || strncmp(options->name, name, length) != 0) continue;
    if (!options->name[length]) {
      *other = NULL;
      return options;
    }
    if (found)
      *other = options;
    else
      found = options;
  }
  return found;
}

// Returns how many letters have to be typed anew, left out or put in (Levenshtein); more than a few are all the same.
static unsigned distance(const char *a, size_t a_length, const char *b) {
  unsigned row[32];
  size_t b_length = strlen(b);
  if (a_length >= 32 || b_length >= 32) return 32;
  for (unsigned j = 0; j <= b_length; j++) row[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b_length; j++) {
      unsigned best = diagonal + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b_length];
}

static bool fail_unknown(const cli_command *command, const char *argument, cli_failure *failure) {
  if (argument[1] == '-') {
    size_t length = strcspn(argument + 2, "=");
    const cli_option *nearest = NULL;
    unsigned least = length < 5 ? 2 : 3;
    for (const cli_option *o = command->options; o->kind != CLI_END; o++) {
      unsigned d = o->name ? distance(argument + 2, length, o->name) : 32;
      if (d < least) least = d, nearest = o;
    }
    if (nearest) return cli_fail(failure, "unknown option %.60s (--%s?)", argument, nearest->name);
  }
  return cli_fail(failure, "unknown option %.60s (see stijl %s --help)", argument, command->name);
}

typedef struct parser {
  const cli_command *command;
  char **argv;
  int argc, at;  // at: the next argument
  void *target;
  const cli_option *stop;  // CLI_HELP or CLI_VERSION
} parser;

// Returns the value that follows as an argument of its own, or NULL when there is none.
static char *take_next(parser *p) { return p->at < p->argc ? p->argv[p->at++] : NULL; }

static bool take_long(parser *p, char *argument, cli_failure *failure) {
  size_t length = strcspn(argument + 2, "=");
  char *value = argument[2 + length] ? argument + 2 + length + 1 : NULL;
  const cli_option *other, *o = find_name(p->command->options, argument + 2, length, &other);
  if (other) return cli_fail(failure, "%.60s is not clear (--%s or --%s?)", argument, o->name, other->name);
  if (!o) return fail_unknown(p->command, argument, failure);
  if (o->kind == CLI_HELP || o->kind == CLI_VERSION) {
    p->stop = o;
    return true;
  }
  if (!o->value && value) return cli_fail(failure, "--%s takes no value", o->name);
  if (o->value && !value && !(value = take_next(p))) return cli_fail(failure, "--%s needs a value", o->name);
  return set(o, value, p->target, failure);
}

static bool take_letters(parser *p, char *argument, cli_failure *failure) {
  for (char *c = argument + 1; *c; c++) {
    const cli_option *o = find_letter(p->command->options, *c);
    if (!o) {
      char alone[] = {'-', *c, 0};
      return fail_unknown(p->command, alone, failure);
    }
    if (o->kind == CLI_HELP || o->kind == CLI_VERSION) {
      p->stop = o;
      return true;
    }
    if (!o->value) {
      if (!set(o, NULL, p->target, failure)) return false;
      continue;
    }
    char *value = c[1] ? c + 1 : NULL;
    // Where -h is a height, it stands for help when no value follows.
    if (!value && *c == 'h' && (p->at == p->argc || p->argv[p->at][0] == '-')) {
      p->stop = find_kind(p->command->options, CLI_HELP);
      return true;
    }
    if (!value && !(value = take_next(p))) return cli_fail(failure, "-%c (--%s) needs a value", *c, o->name);
    if (*c == 'h' && (*value < '0' || *value > '9'))
      return cli_fail(failure, "-h takes the height in pixels, not \"%.200s\" (--help tells the options)", value);
    return set(o, value, p->target, failure);
  }
  return true;
}

int cli_first_operand(const cli_command *command, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i];
    if (argument[0] != '-' || !argument[1]) return i;
    const cli_option *o, *other;
    if (argument[1] == '-') {
      size_t length = strcspn(argument + 2, "=");
      o = length ? find_name(command->options, argument + 2, length, &other) : NULL;
      if (!o) return argc;
      i += o->value && !argument[2 + length];
      continue;
    }
    for (const char *c = argument + 1; *c; c++) {
      if (!(o = find_letter(command->options, *c))) return argc;
      if (!o->value) continue;
      i += !c[1];
      break;
    }
  }
  return argc;
}

bool cli_parse(const cli_command *command, int argc, char **argv, void *target, int *operands, int *status) {
  parser p = {.command = command, .argv = argv, .argc = argc, .at = 1, .target = target};
  cli_failure failure;
  int count = 0;
  bool good = true, only_operands = false;
  while (good && p.at < argc && !p.stop) {
    char *argument = argv[p.at++];
    if (only_operands || argument[0] != '-' || !argument[1])
      argv[1 + count++] = argument;
    else if (strcmp(argument, "--") == 0)
      only_operands = true;
    else
      good = argument[1] == '-' ? take_long(&p, argument, &failure) : take_letters(&p, argument, &failure);
  }
  *operands = count;
  *status = 0;
  if (!good) {
    cli_report(NULL, "%s", failure.text);
    *status = command->wrong;
  } else if (p.stop && p.stop->kind == CLI_HELP) {
    cli_print_help(command, stdout);
  } else if (p.stop) {
    printf("stijl %s\n", stijl_version());
  }
  return good && !p.stop;
}
