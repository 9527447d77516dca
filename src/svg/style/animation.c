#include "svg/style/animation.h"

#include <math.h>

#include "base/budget.h"
#include "geometry/number.h"
#include "svg/parse/scan.h"
#include "svg/parse/values.h"
#include "svg/style/easing.h"

#define WORK_BYTE 100  // of an animation-* property, which is split and looked through

typedef enum part { NAME, DURATION, DELAY, ITERATIONS, DIRECTION, FILL, EASING, STATE, COMPOSITION, PART_COUNT } part;

static const sj_name part_names[PART_COUNT] = {SJ_PROPERTY_ANIMATION_NAME,
                                               SJ_PROPERTY_ANIMATION_DURATION,
                                               SJ_PROPERTY_ANIMATION_DELAY,
                                               SJ_PROPERTY_ANIMATION_ITERATION_COUNT,
                                               SJ_PROPERTY_ANIMATION_DIRECTION,
                                               SJ_PROPERTY_ANIMATION_FILL_MODE,
                                               SJ_PROPERTY_ANIMATION_TIMING_FUNCTION,
                                               SJ_PROPERTY_ANIMATION_PLAY_STATE,
                                               SJ_PROPERTY_ANIMATION_COMPOSITION};

// The values of one part, one for each animation of the element.
typedef struct part_list {
  sj_span items[SJ_MAX_ANIMATIONS];
  int count;
} part_list;

// Takes the next piece up to a separator, a comma or else white space, outside of parentheses and strings. Returns
// false at the end.
static bool next_piece(sj_span *left, bool comma, sj_span *piece) {
  const char *at = left->text, *end = at + left->length;
  while (at < end && sj_is_space(*at)) at++;
  if (at == end) return false;
  const char *start = at, *stop;
  int open = 0;
  for (char quote = 0; at < end; at++) {
    if (quote) {
      if (*at == quote) quote = 0;
    } else if (*at == '"' || *at == '\'') {
      quote = *at;
    } else if (!open && (comma ? *at == ',' : sj_is_space(*at))) {
      break;
    } else {
      open += (*at == '(') - (*at == ')');
    }
  }
  stop = at;
  if (comma && at < end) at++;
  while (stop > start && sj_is_space(stop[-1])) stop--;
  *piece = (sj_span){start, (size_t)(stop - start)};
  *left = (sj_span){at, (size_t)(end - at)};
  return true;
}

static bool parse_time(sj_span span, double *out) {
  sj_scan s = {span.text, span.text + span.length};
  const char *unit;
  size_t length;
  if (!sj_scan_dimension(&s, out, &unit, &length) || !sj_scan_done(&s)) return false;
  if (sj_is_keyword(unit, length, "ms")) *out *= 0.001;
  return sj_is_keyword(unit, length, "ms") || sj_is_keyword(unit, length, "s");
}

// Splits the shorthand `animation` into the parts of each animation.
static void split_shorthand(sj_span value, part_list *parts) {
  sj_span item, piece;
  int n = 0;
  for (; n < SJ_MAX_ANIMATIONS && next_piece(&value, true, &item); n++) {
    for (int i = 0; i < PART_COUNT; i++) parts[i].items[n] = (sj_span){0};
    while (next_piece(&item, false, &piece)) {
      double number;
      float count;
      part p = NAME;
      if (parse_time(piece, &number))
        p = parts[DURATION].items[n].text ? DELAY : DURATION;
      else if (!parts[EASING].items[n].text && sj_is_easing(piece))
        p = EASING;
      else if (sj_is_keyword(piece.text, piece.length, "infinite") || sj_parse_number(piece.text, piece.length, &count))
        p = ITERATIONS;
      else if (!parts[DIRECTION].items[n].text &&
               sj_is_among("normal reverse alternate alternate-reverse", piece.text, piece.length))
        p = DIRECTION;
      else if (!parts[FILL].items[n].text && sj_is_among("none forwards backwards both", piece.text, piece.length))
        p = FILL;
      else if (!parts[STATE].items[n].text && sj_is_among("running paused", piece.text, piece.length))
        p = STATE;
      parts[p].items[n] = piece;
    }
  }
  for (int i = 0; i < PART_COUNT; i++) parts[i].count = n;
}

static void split_list(sj_span value, part_list *list) {
  list->count = 0;
  while (list->count < SJ_MAX_ANIMATIONS && next_piece(&value, true, &list->items[list->count])) list->count++;
}

static bool is_valid_easing(sj_span list) {
  sj_span item;
  while (next_piece(&list, true, &item))
    if (!sj_is_easing(item)) return false;
  return true;
}

// Returns the n-th value of a list, which is repeated if it is too short.
static sj_span part_of(const part_list *parts, part p, int n) {
  return parts[p].count ? parts[p].items[n % parts[p].count] : (sj_span){0};
}

// --- the clock ---

// Computes how far an animation is. Returns false when it has no effect.
static bool progress_at(const part_list *parts, int n, sj_timeline *line, sj_animation *out) {
  double duration = 0.0, delay = 0.0, iterations = 1.0;
  sj_span span = part_of(parts, DURATION, n);
  if (span.text && (!parse_time(span, &duration) || duration < 0.0)) duration = 0.0;
  span = part_of(parts, DELAY, n);
  if (span.text && !parse_time(span, &delay)) delay = 0.0;
  span = part_of(parts, ITERATIONS, n);
  float count;
  if (sj_span_is(span, "infinite"))
    iterations = INFINITY;
  else if (span.text && sj_parse_number(span.text, span.length, &count) && count >= 0.0f)
    iterations = (double)count;
  sj_span fill = part_of(parts, FILL, n), direction = part_of(parts, DIRECTION, n);
  bool both = sj_span_is(fill, "both");
  bool backwards = both || sj_span_is(fill, "backwards"), forwards = both || sj_span_is(fill, "forwards");
  double active = duration > 0.0 ? duration * iterations : 0.0, iteration = 0.0, p = 0.0;
  // What is paused from the beginning stays there.
  bool paused = sj_span_is(part_of(parts, STATE, n), "paused");
  double time = (paused ? 0.0 : line->time) - delay;
  if (!paused && isfinite(active)) line->end = fmax(line->end, delay + active);
  if (!paused && !isfinite(active)) {
    bool alternates = sj_span_is(direction, "alternate") || sj_span_is(direction, "alternate-reverse");
    sj_timeline_repeats(line, delay, duration * (alternates ? 2.0 : 1.0));
  }
  if (!isfinite(time) && !isfinite(active)) time = -delay;  // it is asked again when the end is known
  bool before = time < 0.0, after = !before && time >= active;
  if (before) {
    if (!backwards) return false;
  } else if (!after) {
    iteration = floor(time / duration);
    p = fmin((time - iteration * duration) / duration, 1.0);
  } else {
    if (!forwards) return false;
    if (isfinite(iterations)) {
      iteration = floor(iterations);
      p = iterations - iteration;
      if (p == 0.0 && iteration > 0.0) iteration -= 1.0, p = 1.0;
    } else {
      p = 1.0;
    }
  }
  bool odd = fmod(iteration, 2.0) == 1.0;
  bool reverse = sj_span_is(direction, "reverse") || (sj_span_is(direction, "alternate") && odd) ||
                 (sj_span_is(direction, "alternate-reverse") && !odd);
  out->progress = reverse ? 1.0 - p : p;
  out->before = reverse ? after : before;
  return true;
}

static bool is_animation(uint16_t name) {
  return name >= SJ_PROPERTY_ANIMATION && name <= SJ_PROPERTY_ANIMATION_TIMING_FUNCTION;
}

uint64_t sj_animations_work(const sj_declared *declared, size_t count) {
  uint64_t work = count;
  for (size_t i = 0; i < count; i++)
    if (is_animation(declared[i].name)) work += SJ_WORK_VALUE + declared[i].length * WORK_BYTE;
  return work;
}

int sj_animations_of(const sj_declared *declared, size_t count, sj_timeline *line, sj_animation *out) {
  bool any = false;
  for (size_t i = 0; i < count && !any; i++)
    any = declared[i].name == SJ_PROPERTY_ANIMATION || declared[i].name == SJ_PROPERTY_ANIMATION_NAME;
  if (!any) return 0;
  part_list parts[PART_COUNT];
  for (int p = 0; p < PART_COUNT; p++) parts[p].count = 0;
  for (size_t i = 0; i < count; i++) {
    sj_span value = {declared[i].value, declared[i].length};
    if (declared[i].name == SJ_PROPERTY_ANIMATION) split_shorthand(value, parts);
    for (int p = 0; p < PART_COUNT; p++)
      if (declared[i].name == part_names[p] && (p != EASING || is_valid_easing(value))) split_list(value, &parts[p]);
  }
  int found = 0;
  for (int n = 0; n < parts[NAME].count; n++) {
    sj_animation *a = &out[found];
    *a = (sj_animation){.name = part_of(parts, NAME, n),
                        .easing = part_of(parts, EASING, n),
                        .composition = part_of(parts, COMPOSITION, n)};
    if (a->name.text && progress_at(parts, n, line, a)) found++;
  }
  return found;
}
