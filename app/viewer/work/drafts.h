// How the window's rays are divided among frames. While something moves and a full picture is too
// slow (schedule.h), each ray is for a square of pixels, so that a frame takes at most DRAFTS_MS. A
// slow full picture is cast in bands, one per frame, so that the window answers meanwhile. All
// sizes follow from the times of the last casts. Nothing here depends on the window or the device.
#pragma once

#include <stdint.h>

#define DRAFTS_MS       33.0  // longest time of a frame while something moves
#define DRAFTS_WHOLE_MS 100.0 // a full picture that takes less is not divided into bands
#define DRAFTS_BAND_MS  50.0  // time of each band of a slower full picture
#define DRAFTS_AGAIN_MS 400.0 // if drawing all kept hits takes less, one frame draws them all
#define DRAFTS_FINER                                                                               \
    0.85 // drafts become finer only if the finer one will take at most this share of DRAFTS_MS.
         // Otherwise they would change to and fro
#define DRAFTS_SCALES_MOST 4 // side of the largest square of a ray, in pixels

// Zero-initialised: no draft has been timed.
struct drafts {
    uint32_t scale;         // of the last draft; before any draft: 1 after a full picture, else 0
    double ray_ms, rest_ms; // time of one ray of the last draft, and of the rest of its frame
    uint32_t rows;          // number of rows of the last band
    double row_ms;          // time of one row of the last band
    double picture_ms;      // time of the last full picture
    double drawn_ms;        // time of the last full picture without its casts
};

// The side of the squares in the next draft: 1, 2 or 4. `pixels`: number of the picture's pixels.
uint32_t drafts_scale(const struct drafts *drafts, uint64_t pixels);

// The number of rows in the next band of a full picture: a multiple of `step`, or all the `left`
// rows that are not drawn yet.
uint32_t drafts_rows(const struct drafts *drafts, uint32_t left, uint32_t step);

// How many rows at least one frame redraws of a full picture of `rows` rows whose hits are kept.
uint32_t drafts_rows_again(const struct drafts *drafts, uint32_t rows);

// Notes a draft: the time of its rays, and of the rest of its frame. The cast's preparation counts
// as rest, because it takes as long for fewer rays.
void drafts_note(
    struct drafts *drafts, uint32_t scale, uint64_t rays, double cast_ms, double rest_ms);

// Notes that a band of `rows` rows took `ms`.
void drafts_note_band(struct drafts *drafts, uint32_t rows, double ms);

// Notes a complete full picture. `ms`: time of all its bands. `drawn_ms`: the part of `ms` without
// their casts. Before the first draft it also counts as a draft.
void drafts_note_picture(struct drafts *drafts, uint64_t rays, double ms, double drawn_ms);
