#include "lab/ablate.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

enum { MOST_CUTS = 1024, COLUMNS = 8, LINES = 160 };
// How many turns an invocation may take in all its guarded loops together; choose_turns tries numbers between these.
static const uint32_t LEAST_TURNS = 1u << 8, MOST_TURNS = 1u << 20;
static const double AS_MUCH = 0.8;  // of what a larger set saves; a smaller difference is noise
static const double SECONDS = 60;   // of a subject that names no time

// A version without one statement, or with one feature changed.
typedef struct single {
  char name[96], lines[24];
  sj_lab_outcome outcome;
  sj_lab_estimate without, with;  // timed in turns
} single;

typedef uint8_t set[MOST_CUTS];  // which cuts are left out

typedef struct engine {
  sj_lab *lab;
  const sj_lab_subject *subject;
  sj_lab_cut cuts[MOST_CUTS];
  uint32_t cut_count, tries, most_tries;
  single *singles;  // one for each feature, then one for each cut
  char *copy;
  uint32_t turns;  // loops end after so many turns while a version is tried; 0: they are not guarded
  sj_vk_shader shaders[SJ_LAB_MAX_SLOTS];
  double target;     // the share of time that a set has to save for bisection to go on with it
  double end_us;     // when trying ends
  uint32_t untried;  // statements that there was no time for
} engine;

static void clear(engine *e, uint32_t slot) {
  e->subject->clear(e->subject->user, slot);
  sj_free(e->lab->context, (void *)(uintptr_t)e->shaders[slot].words);
  e->shaders[slot] = (sj_vk_shader){0};
}

static void clear_all(engine *e) {
  for (uint32_t slot = 0; slot < e->subject->slots; slot++) clear(e, slot);
}

static void write_lines(sj_lab_cut cut, char *out, size_t bytes) {
  if (cut.first == cut.last)
    snprintf(out, bytes, "%u", cut.first);
  else
    snprintf(out, bytes, "%u-%u", cut.first, cut.last);
}

// Writes a set as "3, 7-9, 12".
static void write_set(const engine *e, const uint8_t *left_out, char *out, size_t bytes) {
  size_t at = 0;
  out[0] = 0;
  for (uint32_t i = 0; i < e->cut_count && at < bytes; i++) {
    char lines[24];
    if (!left_out[i]) continue;
    write_lines(e->cuts[i], lines, sizeof lines);
    at += (size_t)snprintf(out + at, bytes - at, "%s%s", at ? ", " : "", lines);
  }
  if (at >= bytes) memcpy(out + bytes - 4, "...", 4);
}

// Compiles a text and puts it into a slot. A text that does not compile is an outcome and no error.
static stijl_result put_text(engine *e, const char *text, size_t bytes, uint32_t slot, sj_lab_outcome *outcome) {
  const sj_lab_subject *s = e->subject;
  stijl_message unused, *message = e->lab->message;
  clear(e, slot);
  e->lab->message = &unused;
  stijl_result result = s->compile(s->user, text, bytes, &e->shaders[slot]);
  e->lab->message = message;
  *outcome = SJ_LAB_OUTCOME_REFUSED;
  if (result == STIJL_ERROR_MALFORMED) return STIJL_OK;
  if (result != STIJL_OK) {
    *message = unused;
    return result;
  }
  return s->put(s->user, slot, &e->shaders[slot], -1, outcome);
}

static stijl_result put_guarded(engine *e, const char *text, size_t bytes, uint32_t slot, sj_lab_outcome *outcome) {
  sj_lab_text guarded = {.context = e->lab->context};
  stijl_result result = sj_lab_guard_loops(&guarded, text, bytes, e->turns)
                            ? put_text(e, guarded.data, guarded.count, slot, outcome)
                            : sj_fail_memory(e->lab->message);
  sj_lab_text_finish(&guarded);
  return result;
}

// Puts the shader without a set of statements into a slot. Without one that it needs a loop may never end, and the
// device would be lost; so the version runs with guarded loops first, and without guards only if that left the same
// result.
static stijl_result put_without(engine *e, const uint8_t *left_out, uint32_t slot, sj_lab_outcome *outcome) {
  const sj_lab_subject *s = e->subject;
  stijl_result result = STIJL_OK;
  memcpy(e->copy, s->text, s->bytes);
  e->copy[s->bytes] = 0;
  for (uint32_t i = 0; i < e->cut_count; i++)
    if (left_out[i]) sj_lab_cut_out(e->copy, s->bytes, e->cuts[i]);
  *outcome = SJ_LAB_OUTCOME_SAME;
  if (e->turns) result = put_guarded(e, e->copy, s->bytes, slot, outcome);
  if (result == STIJL_OK && *outcome == SJ_LAB_OUTCOME_SAME) result = put_text(e, e->copy, s->bytes, slot, outcome);
  if (result != STIJL_ERROR_DEVICE) return result;
  char lines[LINES];
  stijl_message why = *e->lab->message;
  write_set(e, left_out, lines, sizeof lines);
  return sj_fail(e->lab->message, result, "without lines %s: %.160s", lines, why.text);
}

// --- One at a time ---

// Copies the beginning of a line of the text, without its indentation.
static void quote(const sj_lab_subject *s, uint32_t line, char *out, size_t bytes) {
  const char *at = s->text, *end = s->text + s->bytes;
  for (uint32_t n = 1; n < line && at < end; n++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop ? stop + 1 : end;
  }
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  snprintf(out, bytes, "%.*s", (int)((stop ? stop : end) - at), at);
}

static stijl_result put_single(engine *e, uint32_t i, uint32_t slot) {
  const sj_lab_subject *s = e->subject;
  single *one = &e->singles[i];
  if (i < s->feature_count) {
    snprintf(one->name, sizeof one->name, "%s", s->features[i]);
    clear(e, slot);
    return s->put(s->user, slot, NULL, (int)i, &one->outcome);
  }
  uint32_t cut = i - s->feature_count;
  set left_out = {0};
  left_out[cut] = 1;
  quote(s, e->cuts[cut].first, one->name, sizeof one->name);
  write_lines(e->cuts[cut], one->lines, sizeof one->lines);
  return put_without(e, left_out, slot, &one->outcome);
}

// Gives the next step a part of the subject's time.
static void begin(engine *e, double part) {
  e->tries = 0;
  e->end_us = sj_now_us() + (e->subject->seconds ? e->subject->seconds : SECONDS) * part * 1e6;
}

// Returns whether there is time to try the next one. Features are always tried, since they are few.
static bool has_time(const engine *e, uint32_t next) {
  return next < e->subject->feature_count || sj_now_us() < e->end_us;
}

// Tries all singles, as many at a time as there are slots.
static stijl_result try_singles(engine *e) {
  uint32_t total = e->subject->feature_count + e->cut_count, next = 0;
  stijl_result result = STIJL_OK;
  while (has_time(e, next) && next < total && result == STIJL_OK) {
    uint32_t in_slot[SJ_LAB_MAX_SLOTS], count = 1;
    sj_lab_estimate times[SJ_LAB_MAX_SLOTS];
    for (; has_time(e, next) && next < total && count < e->subject->slots && result == STIJL_OK; next++) {
      result = put_single(e, next, count);
      if (e->singles[next].outcome == SJ_LAB_OUTCOME_REFUSED || e->singles[next].outcome == SJ_LAB_OUTCOME_LOST)
        clear(e, count);
      else
        in_slot[count++] = next;
    }
    if (result == STIJL_OK) result = e->subject->time(e->subject->user, count, times);
    for (uint32_t slot = 1; slot < count && result == STIJL_OK; slot++) {
      e->singles[in_slot[slot]].without = times[slot];
      e->singles[in_slot[slot]].with = times[0];
    }
    for (uint32_t slot = 1; slot < count; slot++) clear(e, slot);
  }
  e->untried = total - next;
  e->cut_count -= e->untried;
  return result;
}

static double saved(sj_lab_estimate without, sj_lab_estimate with) { return 1 - without.us / with.us; }

static bool costs(const single *one) {
  return one->outcome == SJ_LAB_OUTCOME_SAME && sj_lab_changed(one->with, one->without) == SJ_LAB_FASTER;
}

// Measures each single that seems to cost time once more, in turns with nothing but the whole shader, since among a
// hundred lines some seem to cost time by chance.
static stijl_result confirm_singles(engine *e) {
  stijl_result result = STIJL_OK;
  for (uint32_t i = 0; i < e->subject->feature_count + e->cut_count && result == STIJL_OK; i++) {
    single *one = &e->singles[i];
    sj_lab_estimate times[2];
    if (!costs(one)) continue;
    result = put_single(e, i, 1);
    if (result == STIJL_OK && one->outcome == SJ_LAB_OUTCOME_SAME)
      result = e->subject->time(e->subject->user, 2, times);
    if (result == STIJL_OK && one->outcome == SJ_LAB_OUTCOME_SAME) one->with = times[0], one->without = times[1];
    clear(e, 1);
  }
  return result;
}

// --- Sets ---

static bool may_try(const engine *e) { return e->tries < e->most_tries && sj_now_us() < e->end_us; }

// Sets *same to whether the result is the same without a set; to false once too many have been tried.
static stijl_result is_same(engine *e, const uint8_t *left_out, bool *same) {
  sj_lab_outcome outcome = SJ_LAB_OUTCOME_REFUSED;
  stijl_result result = STIJL_OK;
  if (may_try(e)) {
    e->tries++;
    result = put_without(e, left_out, 1, &outcome);
  }
  *same = outcome == SJ_LAB_OUTCOME_SAME;
  return result;
}

// Adds to `left_out` those of the listed cuts that the result does not need: all at once if it stays the same,
// otherwise by halves.
static stijl_result add_needless(engine *e, uint8_t *left_out, const uint32_t *list, uint32_t count) {
  if (!count) return STIJL_OK;
  set more;
  memcpy(more, left_out, sizeof more);
  for (uint32_t i = 0; i < count; i++) more[list[i]] = 1;
  bool same;
  stijl_result result = is_same(e, more, &same);
  if (same) memcpy(left_out, more, sizeof more);
  if (result != STIJL_OK || same || count == 1) return result;
  result = add_needless(e, left_out, list, count / 2);
  return result == STIJL_OK ? add_needless(e, left_out, list + count / 2, count - count / 2) : result;
}

// Finds all that the result does not need. First come the statements that it does not need singly; then those that
// nothing needs once these are gone. Declarations stand before their uses, so that pass goes backwards.
static stijl_result find_needless(engine *e, uint8_t *left_out) {
  uint32_t list[MOST_CUTS], count = 0;
  const single *cuts = e->singles + e->subject->feature_count;
  for (uint32_t i = 0; i < e->cut_count; i++)
    if (cuts[i].outcome == SJ_LAB_OUTCOME_SAME) list[count++] = i;
  stijl_result result = add_needless(e, left_out, list, count);
  for (uint32_t i = e->cut_count; count && i-- > 0 && result == STIJL_OK;)
    if (!left_out[i]) result = add_needless(e, left_out, &i, 1);
  return result;
}

// Measures the share of time that leaving a set out saves; 0 where the result changes, or the time does not.
static stijl_result measure(engine *e, const uint8_t *left_out, sj_lab_estimate *times, double *share) {
  bool same;
  *share = 0;
  stijl_result result = is_same(e, left_out, &same);
  if (result != STIJL_OK || !same) return result;
  result = e->subject->time(e->subject->user, 2, times);
  if (result == STIJL_OK && sj_lab_changed(times[0], times[1]) == SJ_LAB_FASTER) *share = saved(times[1], times[0]);
  return result;
}

// Adds to `left_out` few of the listed cuts that together save as much as all of them.
static stijl_result isolate(engine *e, uint8_t *left_out, const uint32_t *list, uint32_t count) {
  if (count == 1) {
    left_out[list[0]] = 1;
    return STIJL_OK;
  }
  const uint32_t *halves[2] = {list, list + count / 2}, counts[2] = {count / 2, count - count / 2};
  set with[2];
  for (int h = 0; h < 2; h++) {
    sj_lab_estimate times[2];
    double share;
    memcpy(with[h], left_out, sizeof with[h]);
    for (uint32_t i = 0; i < counts[h]; i++) with[h][halves[h][i]] = 1;
    stijl_result result = measure(e, with[h], times, &share);
    if (result != STIJL_OK) return result;
    if (share >= e->target) return isolate(e, left_out, halves[h], counts[h]);
  }
  // Both halves are needed: each is searched with the other one left out.
  stijl_result result = isolate(e, with[1], halves[0], counts[0]);
  if (result != STIJL_OK) return result;
  for (uint32_t i = 0; i < counts[0]; i++) left_out[halves[0][i]] = with[1][halves[0][i]];
  return isolate(e, left_out, halves[1], counts[1]);
}

// Says what all that the result does not need takes together, by the same measure as the table's last column.
static void say_together(const engine *e, uint32_t count, const sj_lab_estimate *times) {
  sj_lab_change change = sj_lab_changed(times[0], times[1]);
  if (change == SJ_LAB_FASTER)
    sj_lab_say(e->lab->page, "Without all %u statements together that the result does not need it takes %.1f %% less.",
               count, saved(times[1], times[0]) * 100);
  else if (change == SJ_LAB_SLOWER)
    sj_lab_say(e->lab->page, "Without all %u statements together that the result does not need it takes %.1f %% more.",
               count, -saved(times[1], times[0]) * 100);
  else
    sj_lab_say(e->lab->page,
               "Without all %u statements together that the result does not need there is no difference beyond the "
               "noise (%.2f times the time).",
               count, times[1].us / times[0].us);
}

static stijl_result try_sets(engine *e) {
  enum { SETS = 2 };
  static const char *const names[SETS] = {"all that the result does not need", "the fewest that save as much"};
  set left_out[SETS] = {{0}};
  sj_lab_estimate times[SETS][2] = {0};
  double share[SETS] = {0};
  uint32_t list[MOST_CUTS], sizes[SETS] = {0}, found = 0;
  bool single_does = false;
  stijl_result result = find_needless(e, left_out[0]);
  for (uint32_t i = 0; i < e->cut_count; i++)
    if (left_out[0][i]) list[sizes[0]++] = i;
  if (result != STIJL_OK || sizes[0] < 2) return result;
  begin(e, 0.25);
  result = measure(e, left_out[0], times[0], &share[0]);
  if (result != STIJL_OK) return result;
  found = times[0][0].us > 0;
  e->target = share[0] * AS_MUCH;
  for (uint32_t i = 0; i < e->subject->feature_count + e->cut_count; i++)
    single_does |= costs(&e->singles[i]) && saved(e->singles[i].without, e->singles[i].with) >= e->target;
  if (found) say_together(e, sizes[0], times[0]);
  if (share[0] > 0 && !single_does) {
    result = isolate(e, left_out[1], list, sizes[0]);
    bool ended = may_try(e);
    begin(e, 0.25);
    if (result == STIJL_OK) result = measure(e, left_out[1], times[1], &share[1]);
    if (result != STIJL_OK) return result;
    for (uint32_t i = 0; i < e->cut_count; i++) sizes[1] += left_out[1][i];
    if (share[1] > 0) found = 2;
    if (!ended)
      sj_lab_say(e->lab->page, "The search for fewer lines ended after %u versions, its most.", e->most_tries);
  }
  enum { SET_COLUMNS = 11 };
  static const sj_lab_column columns[SET_COLUMNS] = {{"set", "left out together", SJ_LAB_NAME},
                                                     {"lines", "lines", SJ_LAB_NAME},
                                                     {"statements", "statements", SJ_LAB_COUNT},
                                                     SJ_LAB_TIME_COLUMNS("time"),
                                                     {"with", "with them", SJ_LAB_US},
                                                     {"with_low", "95 % from", SJ_LAB_US},
                                                     {"with_high", "to", SJ_LAB_US},
                                                     {"saved", "saved", SJ_LAB_SHARE},
                                                     {"counts", "without them", SJ_LAB_NAME}};
  sj_lab_cell cells[SETS * SET_COLUMNS];
  char lines[SETS][LINES];
  for (uint32_t i = 0; i < found; i++) {
    const sj_lab_estimate *t = times[i];
    write_set(e, left_out[i], lines[i], LINES);
    const sj_lab_cell row[SET_COLUMNS] = {SJ_LAB_TEXT(names[i]),
                                          SJ_LAB_TEXT(lines[i]),
                                          SJ_LAB_NUMBER(sizes[i]),
                                          SJ_LAB_TIME(t[1]),
                                          SJ_LAB_TIME(t[0]),
                                          SJ_LAB_NUMBER(saved(t[1], t[0])),
                                          SJ_LAB_TEXT(sj_lab_change_name(sj_lab_changed(t[0], t[1])))};
    memcpy(&cells[i * SET_COLUMNS], row, sizeof row);
  }
  if (found == 2)
    sj_lab_say(e->lab->page, "Lines %s cost %.0f %% together, and the result is the same without them.", lines[1],
               share[1] * 100);
  sj_lab_table(e->lab->page, "sets", "Left out together", columns, SET_COLUMNS, cells, found);
  return STIJL_OK;
}

// --- What it says ---

static void say(const engine *e, const sj_lab_estimate *whole) {
  const sj_lab_subject *s = e->subject;
  uint32_t refused = 0, named = 0;
  char time[32], lost[LINES];
  set left_out = {0};
  for (uint32_t i = 0; i < e->cut_count; i++)
    refused += e->singles[s->feature_count + i].outcome == SJ_LAB_OUTCOME_REFUSED;
  for (uint32_t i = 0; i < e->cut_count; i++)
    left_out[i] = e->singles[s->feature_count + i].outcome == SJ_LAB_OUTCOME_LOST;
  write_set(e, left_out, lost, sizeof lost);
  sj_lab_format(time, sizeof time, SJ_LAB_US, whole->us);
  sj_lab_say(e->lab->page, "%s takes %s; %u of its statements and %u of its constants were changed one at a time.",
             s->name, time, e->cut_count - refused, s->feature_count);
  if (s->describe) s->describe(s->user, whole);
  if (!s->text) sj_lab_say(e->lab->page, "SPIR-V has no lines; give GLSL to have them tried.");
  if (e->untried)
    sj_lab_say(e->lab->page, "There was no time for its last %u statements, those from line %u on.", e->untried,
               e->cuts[e->cut_count].first);
  if (*lost) sj_lab_say(e->lab->page, "Without lines %s the device was lost or did not answer in time.", lost);
  for (uint32_t i = 0; i < s->feature_count + e->cut_count; i++) {
    const single *one = &e->singles[i];
    if (!costs(one)) continue;
    named++;
    sj_lab_say(e->lab->page, "%s%s costs %.0f %% by its mere presence, and the result is the same without: %s",
               *one->lines ? "Line " : "", *one->lines ? one->lines : "A feature", saved(one->without, one->with) * 100,
               one->name);
  }
  if (!named) sj_lab_say(e->lab->page, "Nothing costs 3 %% or more by itself that the result does not need.");
}

static stijl_result write(const engine *e, const sj_lab_estimate *whole) {
  static const sj_lab_column columns[COLUMNS] = {{"lines", "lines", SJ_LAB_NAME},  {"name", "without", SJ_LAB_NAME},
                                                 SJ_LAB_TIME_COLUMNS("time"),      {"with", "with it", SJ_LAB_US},
                                                 {"saved", "saved", SJ_LAB_SHARE}, {"result", "result", SJ_LAB_NAME}};
  uint32_t total = e->subject->feature_count + e->cut_count, rows = 1;
  sj_lab_cell *cells = sj_alloc_array(e->lab->context, total + 1, COLUMNS * sizeof *cells);
  sj_lab_bar *bars = sj_alloc_array(e->lab->context, total + 1, sizeof *bars);
  if (!cells || !bars) {
    sj_free(e->lab->context, cells);
    sj_free(e->lab->context, bars);
    return sj_fail_memory(e->lab->message);
  }
  const sj_lab_cell first[COLUMNS] = {SJ_LAB_TEXT(""),     SJ_LAB_TEXT("nothing: the whole shader"),
                                      SJ_LAB_TIME(*whole), SJ_LAB_NUMBER(whole->us),
                                      SJ_LAB_NUMBER(0),    SJ_LAB_TEXT("the same")};
  memcpy(cells, first, sizeof first);
  bars[0] = (sj_lab_bar){"nothing: the whole shader", whole->us};
  for (uint32_t i = 0; i < total; i++) {
    const single *one = &e->singles[i];
    if (one->outcome == SJ_LAB_OUTCOME_REFUSED || one->outcome == SJ_LAB_OUTCOME_LOST) continue;
    const sj_lab_cell row[COLUMNS] = {SJ_LAB_TEXT(one->lines),
                                      SJ_LAB_TEXT(one->name),
                                      SJ_LAB_TIME(one->without),
                                      SJ_LAB_NUMBER(one->with.us),
                                      SJ_LAB_NUMBER(saved(one->without, one->with)),
                                      SJ_LAB_TEXT(one->outcome == SJ_LAB_OUTCOME_SAME ? "the same" : "another")};
    memcpy(cells + (size_t)rows * COLUMNS, row, sizeof row);
    bars[rows++] = (sj_lab_bar){one->name, one->without.us};
  }
  sj_lab_table(e->lab->page, "ablation", "Left out, one at a time", columns, COLUMNS, cells, rows);
  sj_lab_text plot = {.context = e->lab->context};
  const sj_lab_mark mark = {"the whole shader", whole->us};
  sj_lab_bars(&plot, SJ_LAB_US, bars, rows, &mark, 1);
  sj_lab_picture(e->lab->page, "Time without each", &plot);
  sj_lab_text_finish(&plot);
  sj_free(e->lab->context, cells);
  sj_free(e->lab->context, bars);
  return STIJL_OK;
}

// Chooses how many turns guarded loops may take: the least tried power of 4 with which the whole shader leaves its own
// result, times 4, since a version may take more. Loops stay unguarded where no number does: then the guard itself
// changes the result, as where the compiler contracts floats in another way.
static stijl_result choose_turns(engine *e) {
  const sj_lab_subject *s = e->subject;
  sj_lab_outcome outcome = SJ_LAB_OUTCOME_ANOTHER;
  stijl_result result = STIJL_OK;
  for (uint32_t turns = LEAST_TURNS; turns <= MOST_TURNS && result == STIJL_OK; turns *= 4) {
    e->turns = turns;
    result = put_guarded(e, s->text, s->bytes, 1, &outcome);
    if (outcome == SJ_LAB_OUTCOME_SAME) break;
  }
  e->turns = outcome == SJ_LAB_OUTCOME_SAME ? e->turns * 4 : 0;
  clear(e, 1);
  return result;
}

static stijl_result run(engine *e) {
  const sj_lab_subject *s = e->subject;
  sj_lab_outcome outcome;
  sj_lab_estimate whole;
  stijl_result result = s->put(s->user, 0, NULL, -1, &outcome);
  if (result == STIJL_OK && s->text) result = choose_turns(e);
  begin(e, 1);
  if (result == STIJL_OK) result = try_singles(e);
  if (result == STIJL_OK) result = confirm_singles(e);
  if (result == STIJL_OK) result = s->time(s->user, 1, &whole);
  if (result != STIJL_OK) return result;
  say(e, &whole);
  result = write(e, &whole);
  begin(e, 0.25);
  return result == STIJL_OK ? try_sets(e) : result;
}

static void find_cuts(engine *e) {
  const sj_lab_subject *s = e->subject;
  uint32_t count = sj_lab_find_cuts(s->text, s->bytes, e->cuts, MOST_CUTS);
  for (uint32_t i = 0; i < count; i++)
    if (!s->last || (e->cuts[i].first >= s->first && e->cuts[i].last <= s->last)) e->cuts[e->cut_count++] = e->cuts[i];
}

stijl_result sj_lab_ablate(sj_lab *lab, const sj_lab_subject *subject) {
  engine *e = sj_alloc_zero(lab->context, sizeof *e);
  if (!e) return sj_fail_memory(lab->message);
  *e = (engine){.lab = lab, .subject = subject, .most_tries = lab->software ? 8 : lab->quick ? 24 : 200};
  if (subject->text) find_cuts(e);
  e->singles = sj_alloc_zero(lab->context, (subject->feature_count + e->cut_count + 1) * sizeof *e->singles);
  e->copy = sj_alloc(lab->context, subject->bytes + 1);
  stijl_result result = e->singles && e->copy ? run(e) : sj_fail_memory(lab->message);
  clear_all(e);
  sj_free(lab->context, e->singles);
  sj_free(lab->context, e->copy);
  sj_free(lab->context, e);
  return result;
}
