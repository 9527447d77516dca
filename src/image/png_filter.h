// PNG's filters (PNG, 9): each byte less what its neighbours let expect of it.
#ifndef SJ_IMAGE_PNG_FILTER_H
#define SJ_IMAGE_PNG_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SJ_FILTER_NONE, SJ_FILTER_SUB, SJ_FILTER_UP, SJ_FILTER_AVERAGE, SJ_FILTER_PAETH, SJ_FILTERS };

// So many bytes before each row are read, and are 0.
#define SJ_FILTER_MARGIN 4

// Filters the bytes of a row, and returns the sum of what is left, as signed bytes: the less that is, the better it
// will compress. `above` is zeros for the first row of a picture, and any row for the filters that do not look at it.
uint32_t sj_filter_row(int filter, uint8_t *to, const uint8_t *row, const uint8_t *above, size_t bytes,
                       size_t pixel_bytes);

// Returns the filter, but for SJ_FILTER_NONE, that leaves least of a part of the row's bytes. `above` NULL: there is no
// row. `to` takes what it needs.
int sj_filter_choose(uint8_t *to, const uint8_t *row, const uint8_t *above, size_t bytes, size_t pixel_bytes);

// Returns whether so few pixels of a row are new that it is drawn without colours that change. Found by trial.
static inline bool sj_is_flat(size_t new_pixels, size_t width) { return new_pixels * 32 < width && new_pixels < 32; }

// Returns whether a row of pixels of 4 bytes is to be filtered. Runs and pixels like those above need no filter, and
// pixels that repeat others, as edges do, suffer from one; but where colours change smoothly a filter saves most of
// each pixel. `above` NULL: there is no row.
bool sj_row_is_smooth(const unsigned char *row, const unsigned char *above, size_t width);

// Returns whether many pixels of a row repeat those above and not those to their left, as a gradient from left to right
// does. Without a filter such a row needs matches with the row above.
bool sj_row_follows(const unsigned char *row, const unsigned char *above, size_t width);

// What is known of a row already: that it equals the row above it, or that it does not, and then of how many runs of a
// pixel it is made.
typedef uint32_t sj_row_runs;
#define SJ_ROW_UNSEEN 0u
#define SJ_ROW_EQUALS UINT32_MAX

// Returns whether a row differs from the one above at so much fewer pixels than it changes along it that these are
// written in fewer bytes than its runs. `runs` as far as they are known.
bool sj_row_repeats_above(const unsigned char *row, const unsigned char *above, size_t width, sj_row_runs runs);

#endif
