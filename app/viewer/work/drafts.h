// How the window's rays are divided among frames: while something moves and a picture in full is
// too slow (schedule.h), a ray is for a square of pixels, so that a frame takes at most DRAFTS_MS;
// a slow picture in full is cast in bands, a frame each, so that the window answers meanwhile. It
// follows from what the last casts took, and knows neither window nor device.
#pragma once

#include <stdint.h>

#define DRAFTS_MS       33.0  // of a frame while something moves
#define DRAFTS_WHOLE_MS 100.0 // a picture in full that takes less is not divided
#define DRAFTS_BAND_MS  50.0  // of a band of a slower one
#define DRAFTS_AGAIN_MS 400.0 // one that takes less is drawn again at once, if nothing is cast
#define DRAFTS_FINER                                                                               \
    0.85 // a finer draft is expected to take at most this share of DRAFTS_MS, so
         // that drafts do not change to and fro
#define DRAFTS_SCALES_MOST 4 // side of the largest square

// Zero-initialised: nothing is known.
struct drafts {
    uint32_t scale;         // of the last draft, or 1 of the first picture in full; 0: neither
    double ray_ms, rest_ms; // of it: a ray, and all else in its frame
    uint32_t rows;          // of the last band
    double row_ms;          // of it: a row
    double picture_ms;      // the last picture in full
    double drawn_ms;        // of it: all but its casts
};

// The side of the squares of a draft with so many pixels: 1, 2 or 4.
uint32_t drafts_scale(const struct drafts *drafts, uint64_t pixels);

// The rows of the next band of a picture in full, of which `left` rows are still to be drawn:
// a multiple of `step`, or all.
uint32_t drafts_rows(const struct drafts *drafts, uint32_t left, uint32_t step);

// The rows that a frame draws again of a picture in full whose rays are known, at least: of its
// `rows` rows.
uint32_t drafts_rows_again(const struct drafts *drafts, uint32_t rows);

// A draft has taken `cast_ms` for so many rays, and `rest_ms` for all else in its frame: also for
// what is prepared, which takes as long for fewer rays.
void drafts_note(
    struct drafts *drafts, uint32_t scale, uint64_t rays, double cast_ms, double rest_ms);

// A band of so many rows was drawn; it took so long.
void drafts_note_band(struct drafts *drafts, uint32_t rows, double ms);

// A picture in full with so many rays is complete; all its bands took so long, and so long of it
// without their casts. Before the first draft it stands for one.
void drafts_note_picture(struct drafts *drafts, uint64_t rays, double ms, double drawn_ms);
