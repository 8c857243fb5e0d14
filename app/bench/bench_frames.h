// The frames that bench cast times: casts of one volume at one isovalue, from several sides.
//
// A frame is a whole cast: the boxes are made for the isovalue, the rays find their hits, and these
// get positions and normals. Nothing is drawn.
#pragma once

#include "app/bench/bench_ways.h"
#include "app/cli/session.h"
#include "compute/casting/casting.h"

#define FRAMES_VIEWS 12 // at most

struct frame_view {
    const char *name;
    double azimuth, elevation; // degrees: to the right of the front, above the horizon
};

// Eight around the volume, from above, from below, and two tilted ones.
extern const struct frame_view frame_views[FRAMES_VIEWS];

// One volume. Zero-initialised means empty.
struct frames {
    struct gpu *gpu;
    const struct volume *volume;
    struct cubes cubes;
    struct atlas atlas;
    struct casting casting;
    struct stopwatch timer;
    struct cast cast; // of the frame that was cast last
    struct cast_hit *hits, *first;
};

// What a frame took.
struct frame {
    double ms;     // from the cast's begin until its results may be read
    double cpu_ms; // of all threads of the process
    uint32_t hits;
    bool staged;                // `stages` were timed
    double stages[STAGE_KINDS]; // ms; 0: the cast has no such stage
    struct cast_rounds rounds;  // of casters in rounds
    uint64_t lost, misplaced;   // pixels, by another test of cells
};

// Brings a volume to the device, for pictures of width x height pixels. On false `out` is empty.
bool frames_open(
    struct session *session, const struct options *options, const struct caster *caster,
    uint32_t width, uint32_t height, struct frames *out, struct problem *problem);
void frames_close(struct frames *frames);

// The camera that sees the surface of an isovalue from a side, and its rays.
void frames_look(
    struct frames *frames, uint32_t view, double iso, uint32_t rounds, struct placement *placement,
    struct view *out);

// Casts a frame after frames_look; the way's kernels are made first, which is not timed. `stages`:
// also times its stages, which makes it slower. Not for casts whose host waits for each round.
bool frames_cast(
    struct frames *frames, const struct way *way, bool stages, struct frame *out,
    struct problem *problem);

// Reads the hits of the last frame, and how many differ from those of the frame that was kept.
// `keep`: they are kept instead. `damage`: for tests, the first hit is lost before.
bool frames_compare(
    struct frames *frames, bool keep, bool damage, uint64_t *differ, struct problem *problem);

// Draws the last frame, and writes it as a PNG file.
bool frames_save(
    struct frames *frames, const struct view *view, const char *path, struct problem *problem);
