#include "lab/tell.h"

#include <math.h>
#include <stdio.h>

#include "lab/cases.h"
#include "lab/plot.h"

#define NAME(key, name, ...) name,

static double rate(double amount, sj_lab_estimate time) { return time.us > 0 ? amount / time.us * 1e6 : 0; }

// --- Loads ---

static sj_lab_estimate times(sj_lab_estimate e, double factor) {
  return (sj_lab_estimate){e.us * factor, e.low * factor, e.high * factor};
}

void sj_lab_tell_loads(sj_lab_page *page, const sj_lab_estimate *o, const sj_lab_estimate *w,
                       const sj_lab_estimate *l) {
  sj_lab_say(page,
             "Order: the same words take %.1f times the time when 32 lanes take every 8th (a sector for each), %.1f "
             "times for every 32nd (a line for each), %.1f times at random.",
             o[7].us / o[0].us, o[9].us / o[0].us, o[12].us / o[0].us);
  if (sj_lab_changed(o[0], o[1]) == SJ_LAB_SLOWER)
    sj_lab_say(page, "Being off by a word costs %.0f %%.", (o[1].us / o[0].us - 1) * 100);
  else
    sj_lab_say(page, "Being off by a word costs nothing beyond the noise.");
  // Four single words beside one vector; four bytes beside one word.
  sj_lab_estimate words = times(w[2], 4), bytes = times(w[0], 4);
  sj_lab_say_effect(page, "Width: vectors of 4 against single words", words, w[4], "so load wide where you can");
  if (sj_lab_changed(w[2], bytes) == SJ_LAB_SLOWER)
    sj_lab_say(page, "Bytes loaded one by one move %.2f of what words do: pack them.", w[2].us / bytes.us);
  else if (isfinite(bytes.us))
    sj_lab_say(page, "Bytes loaded one by one move as much as words do, within the noise.");
  sj_lab_say(page,
             "Structures of three words: an array for each word takes %.2f, padding to four words %.2f of the time of "
             "an array of structures; one word of each structure still takes %.2f of the time of all three.",
             l[2].us / l[0].us, l[1].us / l[0].us, l[3].us / l[0].us);
  if (sj_lab_changed(o[0], o[9]) == SJ_LAB_SLOWER && o[9].us / o[0].us > 1.5) {
    sj_lab_like(page, "lanes that load side by side (every 32nd word: %.1f times the time)", o[9].us / o[0].us);
    sj_lab_card(page, SJ_LAB_US,
                (const sj_lab_bar[]){{"side by side", o[0].us},
                                     {"every 8th word", o[7].us},
                                     {"every 32nd word", o[9].us},
                                     {"at random", o[12].us}},
                4);
  }
  if (sj_lab_changed(words, w[4]) == SJ_LAB_FASTER && words.us / w[4].us > 1.1) {
    sj_lab_like(page, "vectors of 4 (%.1f times the bytes)", words.us / w[4].us);
    sj_lab_card(page, SJ_LAB_US, (const sj_lab_bar[]){{"four words, one by one", words.us}, {"a vector of 4", w[4].us}},
                2);
  }
  if (sj_lab_changed(w[2], bytes) == SJ_LAB_SLOWER && bytes.us / w[2].us > 1.25) {
    sj_lab_like(page, "words and not bytes (%.1f times as fast)", bytes.us / w[2].us);
    sj_lab_card(page, SJ_LAB_US, (const sj_lab_bar[]){{"four bytes, one by one", bytes.us}, {"a word", w[2].us}}, 2);
  }
  if (sj_lab_changed(l[0], l[1]) == SJ_LAB_SLOWER && l[1].us / l[0].us > 1.1) {
    sj_lab_like(page, "structures without padding (%.1f times the time with it)", l[1].us / l[0].us);
    sj_lab_card(page, SJ_LAB_US, (const sj_lab_bar[]){{"three words", l[0].us}, {"padded to four", l[1].us}}, 2);
  }
}

void sj_lab_tell_loop(sj_lab_page *page, sj_lab_estimate written_out, sj_lab_estimate loop) {
  sj_lab_say(
      page,
      "In a loop, where the compiler counts the turns so that it ends, loads side by side take %.2f times as long "
      "as where four turns are written out, as kernels here have them.",
      loop.us / written_out.us);
}

// --- Transposes ---

enum { COPY, READ_ROWS, WRITE_ROWS, SAME_LANES, TILED, PADDED };

static const char *const transposes[] = {SJ_LAB_TRANSPOSES(NAME)};
enum { TRANSPOSES = sizeof transposes / sizeof *transposes, REGISTERS = TRANSPOSES - 2 };

// Returns the name of what makes the way of this row fast.
static const char *kind_of(uint32_t row) { return row == REGISTERS ? "blocks in registers" : "tiles in shared memory"; }

void sj_lab_tell_transposes(sj_lab_page *page, const sj_lab_estimate *t, uint32_t count, double bytes,
                            const double *copy_share) {
  uint32_t best = PADDED, naive = t[READ_ROWS].us < t[WRITE_ROWS].us ? READ_ROWS : WRITE_ROWS;
  for (uint32_t i = PADDED; i < count; i++)
    if (t[i].us < t[best].us) best = i;
  double gain = t[naive].us / t[best].us;
  sj_lab_change change = sj_lab_changed(t[naive], t[best]);
  if (change == SJ_LAB_FASTER) {
    sj_lab_say(page, "The best transpose here is \"%s\": %.0f %% of a copy's speed, %.1f times the better naive one.",
               transposes[best], copy_share[best] * 100, gain);
    sj_lab_like(page, "%s for a transpose (%.1f times as fast)", kind_of(best), gain);
    sj_lab_card(
        page, SJ_LAB_RATE,
        (const sj_lab_bar[]){{transposes[naive], rate(bytes, t[naive])}, {transposes[best], rate(bytes, t[best])}}, 2);
  } else {
    sj_lab_say(page, "No tile pays here: the best, \"%s\", takes %.2f times the time of the better naive transpose%s.",
               transposes[best], 1 / gain, change == SJ_LAB_SLOWER ? "" : ", which is no difference beyond the noise");
  }
  if (sj_lab_changed(t[TILED], t[PADDED]) == SJ_LAB_FASTER) {
    sj_lab_like(page, "tiles with rows of 33 words (%.2f times as fast as of 32)", t[TILED].us / t[PADDED].us);
    sj_lab_card(
        page, SJ_LAB_RATE,
        (const sj_lab_bar[]){{transposes[TILED], rate(bytes, t[TILED])}, {transposes[PADDED], rate(bytes, t[PADDED])}},
        2);
  }
  sj_lab_say(page,
             "A tile that is stored by the lanes that loaded it, as often published, transposes nothing about the "
             "accesses: its stores touch as many rows as those of the naive one that reads rows; it takes %.2f times "
             "the time of that%s.",
             t[SAME_LANES].us / t[READ_ROWS].us,
             sj_lab_changed(t[READ_ROWS], t[SAME_LANES]) == SJ_LAB_FASTER
                 ? ", so something else than the order of accesses counts here"
                 : "");
  sj_lab_say_effect(page, "Rows of 33 words instead of 32 in the tile", t[TILED], t[PADDED],
                    "since its columns are spread over banks");
}

// --- Products ---

enum { NAIVE, PRODUCT_TILED, PRODUCT_PADDED, WIDE, BLOCKED };

static const char *const products[] = {SJ_LAB_PRODUCTS(NAME)};

void sj_lab_tell_products(sj_lab_page *page, const sj_lab_estimate *t, double operations, double fma) {
  sj_lab_say(page, "Blocks in registers reach %.0f %% of the multiply-adds that the device did by themselves.",
             rate(operations, t[BLOCKED]) / fma * 100);
  sj_lab_say_effect(page, "Blocks in registers against the naive product", t[NAIVE], t[BLOCKED],
                    "since a lane makes 64 multiply-adds of 16 numbers loaded, and not one of two");
  sj_lab_say_effect(page, "Tiles in shared memory alone against the naive product", t[NAIVE], t[PRODUCT_TILED],
                    "since a number is loaded once for all lanes of a row or column");
  sj_lab_say_effect(page, "Padding these tiles", t[PRODUCT_TILED], t[PRODUCT_PADDED],
                    "since their columns are spread over banks");
  if (sj_lab_changed(t[NAIVE], t[BLOCKED]) == SJ_LAB_FASTER) {
    sj_lab_like(page, "products by blocks in registers (%.1f times as fast)", t[NAIVE].us / t[BLOCKED].us);
    sj_lab_card(page, SJ_LAB_WORK,
                (const sj_lab_bar[]){{products[NAIVE], rate(operations, t[NAIVE])},
                                     {products[BLOCKED], rate(operations, t[BLOCKED])}},
                2);
  }
}

// --- Workgroups ---

void sj_lab_tell_shapes(sj_lab_page *page, const sj_lab_estimate *t, const uint32_t *sides, uint32_t count,
                        double bytes) {
  uint32_t best = 0, worst = 0, near = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (t[i].us < t[best].us) best = i;
    if (t[i].us > t[worst].us) worst = i;
  }
  char names[2][32];
  snprintf(names[0], sizeof *names, "%u x %u", sides[2 * worst], sides[2 * worst + 1]);
  snprintf(names[1], sizeof *names, "%u x %u", sides[2 * best], sides[2 * best + 1]);
  if (sj_lab_changed(t[worst], t[best]) == SJ_LAB_FASTER) {
    sj_lab_say(page, "A sum of 3x3 words is fastest by workgroups of %s, and takes %.1f times as long by %s%s.",
               names[1], t[worst].us / t[best].us, names[0],
               sides[2 * worst] < sides[2 * best] ? ": lanes side by side in x load words side by side" : "");
    sj_lab_like(page, "workgroups of %s", names[1]);
    sj_lab_card(page, SJ_LAB_RATE,
                (const sj_lab_bar[]){{names[0], rate(bytes, t[worst])}, {names[1], rate(bytes, t[best])}}, 2);
  } else {
    sj_lab_say(page, "A sum of 3x3 words takes the same time by workgroups of every shape, within the noise.");
  }
  for (uint32_t i = 0; i < count; i++) near += t[i].us < t[best].us * 1.05;
  sj_lab_say(page, "%u of %u shapes are within 5 %% of the best.", near, count);
}

// --- Contraction ---

void sj_lab_tell_contraction(sj_lab_page *page, const uint32_t differ[4], uint32_t count) {
  if (differ[1] + differ[3])
    sj_lab_wrong(page, "%u guarded results are not what IEEE 754 says: stijl does not draw with this device",
                 differ[1] + differ[3]);
  if (differ[0] + differ[2])
    sj_lab_say(page,
               "Left alone, this device's compiler changes %u of %u products with a sum and %u of as many differences; "
               "guarded, as in the shaders that draw, none.",
               differ[0], count, differ[2]);
  else
    sj_lab_say(page, "This device computes floats as they are written, guarded or not.");
}
