// Rays in place of triangles: the first place where each ray of a picture meets the isosurface of
// the samples as they are interpolated in their cells. Needs no mesh: a new isovalue costs nothing
// beyond the picture.
#pragma once

#include "compute/atlas.h"
#include "compute/casting/caster.h"
#include "compute/casting/masks.h"
#include "compute/casting/rays.h"
#include "compute/casting/skips.h"
#include "compute/gpu/run.h"

// What a ray has found, as the device stores it.
struct cast_hit {
    float t;       // of the ray; not a number without a hit
    uint32_t cell; // see CAST_BACK in shaders/shared/casting.h; CAST_NOTHING without a hit
};

// A rectangle of a picture's pixels to cast.
struct cast {
    const struct caster *caster;
    double iso;
    struct rays rays;
    uint32_t x, y, width, height; // width * height: at most the pixels that there is room for
};

enum casting_kernel {
    CASTING_SPANS,
    CASTING_LIST_SQUARES,
    CASTING_ARRANGE_SQUARES,
    CASTING_DDA,
    CASTING_ARRANGE,
    CASTING_POINTS,
    CASTING_KERNELS
};
enum casting_buffer {
    CASTING_CUBES,             // what rays skip
    CASTING_HITS,              // per pixel: struct cast_hit
    CASTING_LIST,              // pixels with a hit
    CASTING_COUNTS,            // struct list_counter
    CASTING_ARGUMENTS,         // to dispatch over the list
    CASTING_SPANS_OF,          // per square of pixels: where the surface may be
    CASTING_SQUARES,           // the squares that have a span
    CASTING_SQUARES_COUNT,     // struct list_counter
    CASTING_SQUARES_ARGUMENTS, // to dispatch over the squares
    CASTING_TILES,             // per tile: whether it has a hit
    CASTING_POINTS_OF,         // per pixel with a hit: position and normal, as vertices have them
    CASTING_COUNTED,           // the counts, for the host
    CASTING_BUFFERS
};

// Rays through one volume on one device. Zero-initialised means empty.
struct casting {
    struct gpu *gpu;
    const struct atlas *atlas;
    struct skips skips;
    struct masks masks;
    const struct caster *caster; // that the first kernel is of
    struct kernel kernels[CASTING_KERNELS];
    struct buffer buffers[CASTING_BUFFERS];
    uint32_t pixels; // that there is room for
};

// Device memory for a volume of so many samples along x, y, z, and so many pixels at a time.
// GPU_TOO_MUCH where it is more than a limit of the device.
uint64_t casting_bytes(const struct gpu *gpu, const uint32_t dim[3], uint32_t pixels);

// `atlas` holds the whole volume, of which these are the cubes; it must outlive the casting. The
// cubes are read here only. PROBLEM_LIMIT: the volume is so long that a ray's loops could meet
// their bound. On false `out` is empty.
bool casting_create(
    struct gpu *gpu, const struct atlas *atlas, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, struct casting *out, struct problem *problem);
void casting_destroy(struct casting *casting);

// Records a cast: hits, their list, positions and normals. No earlier cast of this casting may
// still be running.
void casting_record(struct casting *casting, struct run *run, const struct cast *cast);

// Tiles of CAST_TILE x CAST_TILE pixels that a cast has.
uint32_t casting_tiles(const struct cast *cast);

// After the command buffer's fence: the number of hits. The next casts then take the masks of this
// one, if they have its isovalue. PROBLEM_INTERNAL if a ray's loops met their
// bound, so that its pixel is not known.
bool casting_collect(struct casting *casting, uint32_t *hits, struct problem *problem);

// Records, submits, waits and collects.
bool casting_run(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem);

// Reads the last cast's results back, row by row.
bool casting_fetch(
    struct casting *casting, const struct cast *cast, struct cast_hit *out,
    struct problem *problem);
