// The hits of a picture's rays, band by band. With them the picture is drawn again in another light
// or colour without a cast. The band that was cast last stays in the casting's buffers. Before
// another band overwrites it, it is copied to a buffer of its own. If there is no memory for the
// copy, the band is forgotten. It is cast again when it is needed.
#pragma once

#include "app/picture/cast_show.h"
#include "app/viewer/work/cast_times.h"
#include "compute/casting/casting.h"

// Whether two casts have the same result.
bool cast_same(const struct cast *a, const struct cast *b);
// Whether two casts have the same result, caster and, in rounds, method and number of rounds.
bool cast_alike(const struct cast *a, const struct cast *b);

#define CAST_KEEP_MOST 256 // most bands that are kept

struct cast_band {
    struct cast cast;
    struct cast_place place;
    uint32_t begin, rows;    // its first row in the picture, and its number of rows
    uint32_t samples;        // number of samples at edges
    struct cast_times times; // of its cast
    struct buffer buffer;    // copy of its hits, or empty
};

// Zero-initialised means that no band is kept.
struct kept_hits {
    struct cast_band bands[CAST_KEEP_MOST]; // ordered by rows; they do not overlap
    uint32_t count;
    struct cast_band *here; // the band that is in the casting's buffers; NULL: none
};

// Forgets all bands. None may be read by a frame in flight.
void kept_hits_clear(struct gpu *gpu, struct kept_hits *keep);

// The band that begins at this row, or NULL.
struct cast_band *kept_hits_at(struct kept_hits *keep, uint32_t row);

// The first row of the first band that begins after `row`; `end` if there is none.
uint32_t kept_hits_next(const struct kept_hits *keep, uint32_t row, uint32_t end);

// The number of rows, from the top of the picture on, that bands cover without a gap.
uint32_t kept_hits_rows(struct kept_hits *keep);

// Call it before another cast is recorded. Copies the band `here` if it has no copy.
void kept_hits_leave(struct kept_hits *keep, struct run *run, const struct casting *casting);

// Adds the band of a cast that was just recorded, and sets `here` to it. No other band may have its
// rows. NULL: the list is full.
struct cast_band *kept_hits_add(
    struct kept_hits *keep, const struct cast *cast, const struct cast_place *place, uint32_t begin,
    uint32_t rows);

// Makes the band that begins at `row` the band `here`, so that it can be shaded: records a copy if
// necessary. NULL: there is no such band.
struct cast_band *kept_hits_bring(
    struct kept_hits *keep, struct run *run, const struct casting *casting, uint32_t row);

// Call it when the casting's buffers no longer hold the band `here`. Without a copy it is
// forgotten.
void kept_hits_lose(struct kept_hits *keep);
