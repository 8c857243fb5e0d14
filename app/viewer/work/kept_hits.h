// What the rays of a picture have hit, band by band, so that the picture is drawn again, in another
// light or colour, without a cast. The band that was cast last is where its cast has left it, in
// the casting's buffers. Before another one takes its place it is copied to a buffer of its own.
// If there is no memory for the copy, the band is forgotten. It is cast again when it is needed.
#pragma once

#include "app/picture/cast_show.h"
#include "app/viewer/work/cast_times.h"
#include "compute/casting/casting.h"

// Whether two casts have the same result.
bool cast_same(const struct cast *a, const struct cast *b);
// Whether they also have the same caster and, in rounds, the same method and number of rounds.
bool cast_alike(const struct cast *a, const struct cast *b);

#define CAST_KEEP_MOST 256 // bands; further ones are not kept

struct cast_band {
    struct cast cast;
    struct cast_place place;
    uint32_t begin, rows;    // of the picture
    uint32_t samples;        // at edges
    struct cast_times times; // of its cast
    struct buffer buffer;    // its copy, or empty
};

// Zero-initialised means that no band is kept.
struct kept_hits {
    struct cast_band bands[CAST_KEEP_MOST]; // by rows; they do not overlap
    uint32_t count;
    struct cast_band *here; // the one in the casting's buffers; NULL: none is
};

// Forgets all bands. None may be read by a frame in flight.
void kept_hits_clear(struct gpu *gpu, struct kept_hits *keep);

// The band that begins at this row, or NULL.
struct cast_band *kept_hits_at(struct kept_hits *keep, uint32_t row);

// The row at which the first band after this one begins; `end` if there is none.
uint32_t kept_hits_next(const struct kept_hits *keep, uint32_t row, uint32_t end);

// The rows, from the first one on, whose bands follow each other.
uint32_t kept_hits_rows(struct kept_hits *keep);

// Before another cast is recorded: copies the band that is here, if it has no copy.
void kept_hits_leave(struct kept_hits *keep, struct run *run, const struct casting *casting);

// Adds the band of a cast that was just recorded. It is the one that is here now. No other band has
// its rows. NULL: there is no room for a further band.
struct cast_band *kept_hits_add(
    struct kept_hits *keep, const struct cast *cast, const struct cast_place *place, uint32_t begin,
    uint32_t rows);

// Records that the band of this row is in the casting's buffers, and can be shaded. NULL: there is
// none.
struct cast_band *kept_hits_bring(
    struct kept_hits *keep, struct run *run, const struct casting *casting, uint32_t row);

// The casting's buffers have lost the band that is here. Without a copy it is forgotten.
void kept_hits_lose(struct kept_hits *keep);
