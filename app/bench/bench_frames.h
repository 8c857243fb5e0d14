// The frames that bench cast times: casts of one volume at one isovalue, from several sides.
//
// A frame is a whole cast: the boxes are made for the isovalue, the rays find their hits, and hits
// get positions and normals. Nothing is drawn.
#pragma once

#include "app/bench/bench_ways.h"
#include "app/cli/session.h"
#include "compute/casting/casting.h"

#define FRAMES_VIEWS 12 // the largest number of views

struct frame_view {
    const char *name;
    double azimuth, elevation; // degrees: to the right of the front, above the horizon
};

// Eight views around the volume, one from above, one from below, and two tilted ones.
extern const struct frame_view frame_views[FRAMES_VIEWS];

// One volume. Zero-initialised means empty.
struct frames {
    struct gpu *gpu;
    const struct volume *volume;
    struct cubes cubes;
    struct atlas atlas;
    struct casting casting;
    struct stopwatch timer;
    struct cast cast; // the cast of the last frame
    struct cast_hit *hits, *first;
};

// The times of a frame, and what it found.
struct frame {
    double ms;     // from the start of the cast until its results can be read
    double cpu_ms; // CPU time of all threads of the process
    uint32_t hits;
    bool staged;                // `stages` were timed
    double stages[STAGE_KINDS]; // ms; 0: the cast has no such stage
    struct cast_rounds rounds;  // only for casters in rounds
    uint64_t lost, misplaced;   // pixels, see tests_count; only for other tests of cells
};

// Uploads a volume to the device, for pictures of width x height pixels. On false `out` is empty.
bool frames_open(
    struct session *session, const struct options *options, const struct caster *caster,
    uint32_t width, uint32_t height, struct frames *out, struct problem *problem);
void frames_close(struct frames *frames);

// Points the camera from frame_views[view] at the surface of `iso`, and sets the rays to cast.
void frames_look(
    struct frames *frames, uint32_t view, double iso, uint32_t rounds, struct placement *placement,
    struct view *out);

// Casts a frame. Call frames_look first. Creating kernels is not timed. `stages`: also times its
// stages, which makes it slower; not for casts whose host waits for each round.
bool frames_cast(
    struct frames *frames, const struct way *way, bool stages, struct frame *out,
    struct problem *problem);

// Reads the hits of the last frame. `keep`: stores them for later comparisons. Otherwise *differ is
// how many hits differ from the stored ones. `damage`, for tests: removes one hit before.
bool frames_compare(
    struct frames *frames, bool keep, bool damage, uint64_t *differ, struct problem *problem);

// Draws the last frame, and writes it as a PNG file.
bool frames_save(
    struct frames *frames, const struct view *view, const char *path, struct problem *problem);
