// Rays in place of triangles: the first place where each ray of a picture meets the isosurface of
// the samples as they are interpolated in their cells. Needs no mesh: a new isovalue costs nothing
// beyond the picture.
#pragma once

#include "compute/atlas.h"
#include "compute/casting/caster_state.h"
#include "compute/casting/edges.h"
#include "compute/casting/masks.h"
#include "compute/casting/rays.h"
#include "compute/casting/shadow.h"
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
    const struct method *method; // of casters in rounds, NULL: the default
    uint32_t rounds;             // of the same, see below
    double iso;
    struct rays rays;
    // The first pixel; it may be outside of the picture. width * height: at most `pixels` of the
    // casting.
    int32_t x, y;
    uint32_t width, height;
    // Pixels at edges have a ray for each sample, not those on the border of the cast, which is so
    // many pixels wide: CAST_BORDER if there is a shadow. 0: 1.
    bool edges;
    uint32_t border;
    // Hits have the shadow of the key light, to which this is the way. Without a border the shadow
    // is less smooth there.
    bool shadow;
    struct rays_light light;
};

// What a shadow takes of the pixels around.
#define CAST_BORDER (SHADOW_SIDE / 2)

// Pixels of a cast of so many with the widest border around them.
static inline uint32_t cast_bordered(uint32_t width, uint32_t height)
{
    return (width + 2 * CAST_BORDER) * (height + 2 * CAST_BORDER);
}

// Rounds: a number up to CAST_ROUNDS_MOST, or one of these. What is left after them is done in one
// kernel. With CAST_ROUNDS_HOST, the host waits for each round, and ends when none is left.
#define CAST_ROUNDS_DEFAULT 0u // CAST_ROUNDS
#define CAST_ROUNDS_NONE    0xffffffffu
#define CAST_ROUNDS_HOST    0xfffffffeu

enum casting_kernel {
    CASTING_SPANS,
    CASTING_LIST_SQUARES,
    CASTING_ARRANGE_SQUARES,
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
    CASTING_POINTS_OF, // per hit: position and normal, as vertices have them; see casting_by_pixel
    CASTING_COLOURS,   // per pixel that is drawn: for whoever does, see shaders/lib/light.glsl
    CASTING_COUNTED,   // the counts, for the host
    CASTING_CONTOURS,  // struct contours_block: what all kernels look for
    CASTING_NEAREST,   // in parts, per pixel: the nearest hit of the parts so far
    CASTING_NEAREST_LIST,   // in parts: the pixels that have one
    CASTING_NEAREST_COUNTS, // in parts: the list's struct list_counter
    CASTING_BUFFERS
};

// Rays through one volume on one device. Zero-initialised means empty.
struct casting {
    struct gpu *gpu;
    const struct atlas *atlas; // of the volume, or of the part that is cast; NULL: of none yet
    // The shape that the kernels are specialised for: the atlas, or for parts the thickest part's.
    // Its buffers are not used.
    struct atlas frame;
    const struct cubes *cubes; // in parts: of the volume
    bool in_parts;
    struct atlas part; // the part that was turned to last; `atlas` points to it
    struct skips skips;
    uint32_t constants[CONSTANTS]; // of the kernels for the frame
    struct masks masks;
    const struct caster *caster; // that it was created with
    struct kernel kernels[CASTING_KERNELS];
    struct buffer buffers[CASTING_BUFFERS];
    struct caster_state states[CASTERS_MOST]; // the first `state_count`
    uint32_t state_count;
    uint32_t pixels;    // that the buffers can hold
    struct edges edges; // empty where each pixel has one ray
    // Of the cast that was recorded last:
    bool has_edges;
    bool has_masks; // it takes them, and has made them if they were not there
    struct shadow shadow;
    bool has_shadow;         // casts may have one
    struct stopwatch *timer; // of functions that wait for the device, or NULL
};

// The device memory of a casting with one caster. `dim`: the volume's samples along x, y and z.
// `method` compacts the rays of a caster in rounds. `pixels` are cast at a time, of `samples` each.
// `part`: those of the largest part's atlas, if the volume is cast in parts; else NULL.
// GPU_TOO_MUCH where it is more than a limit of the device.
uint64_t casting_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const uint32_t part[3],
    const struct caster *caster, const struct method *method, uint32_t pixels, uint32_t samples);

// `atlas` holds the whole volume, of which these are the cubes; it must outlive the casting. The
// cubes are read here only. `samples`: of a pixel; 1: no cast has edges. PROBLEM_LIMIT: the volume
// is so long that a ray's loops could meet their bound. On false `out` is empty.
bool casting_create(
    struct gpu *gpu, const struct atlas *atlas, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem);

// The same for a volume in parts (cast_pass.h). `frame`: the largest part's atlas as
// atlas_describe describes it. The cubes of the volume must outlive the casting.
bool casting_create_parts(
    struct gpu *gpu, const struct atlas *frame, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem);
void casting_destroy(struct casting *casting);

// The casts that follow are of this part, whose atlas must not change meanwhile. If it has another
// shape than the frame, or more slices, kernels are made anew, and what depends on the shape. After
// false only casting_destroy may follow.
bool casting_turn(struct casting *casting, const struct atlas *atlas, struct problem *problem);

// Makes the kernels and the tree of another caster, so that casts may name it; does nothing if it
// has them. Of a caster in rounds also the kernels and the scratch of a method, for the casts that
// follow. At most CASTERS_MOST casters. PROBLEM_UNSUPPORTED: the method cannot compact rays. On
// false the casting is as before.
bool casting_prepare(
    struct casting *casting, const struct caster *caster, const struct method *method,
    struct problem *problem);

// Makes what casts with a shadow need, so that casts may have one; does nothing if it is there. On
// false the casting is as before.
bool casting_prepare_shadow(struct casting *casting, struct problem *problem);

// Frees the device memory of that. No cast may be running.
void casting_drop_shadow(struct casting *casting);

// What is prepared for a caster, or NULL. Of a volume in parts, all casters are prepared before
// casting_turn is called.
struct caster_state *casting_find(struct casting *casting, const struct caster *caster);

// Before a cast with CAST_ROUNDS_HOST is recorded: does its rounds, and waits for each. Otherwise
// does nothing.
bool casting_begin(struct casting *casting, const struct cast *cast, struct problem *problem);

// Records a cast: hits, their list, positions and normals. The last casting_prepare of its caster
// had its method. No earlier cast of this casting may still be running. Ends the stages of the
// run's timer.
void casting_record(struct casting *casting, struct run *run, const struct cast *cast);

// Tiles of CAST_TILE x CAST_TILE pixels that a cast has.
uint32_t casting_tiles(const struct cast *cast);

// Whether the point of a hit is stored at its pixel's number (CAST_BY_PIXEL), not at its place in
// the list of hits.
bool casting_by_pixel(const struct casting *casting, const struct cast *cast);

// Binds what a cast has left, for whoever shades and draws it: its hits and samples at edges, the
// list of hits, the tiles, and the buffer for colours.
void casting_bind_hits(const struct casting *casting, struct binding table[BINDINGS]);

// After the command buffer's fence: the number of hits, without those of a border. The next casts
// then take the masks of this one, if they have its isovalue. PROBLEM_INTERNAL if a ray's loops met
// their bound, so that its pixel is not known.
bool casting_collect(struct casting *casting, uint32_t *hits, struct problem *problem);

// After the same. *again: the list was too short for the pixels at edges. Now it is longer: cast
// again. For that a casting in parts lets the budget give up held parts. If the device has no
// memory, pixels beyond the list keep their one ray.
bool casting_again(struct casting *casting, bool *again, struct problem *problem);

// After the same: the lengths of the lists of this cast, the last one by its caster, which has
// rounds.
void casting_rounds(struct casting *casting, const struct cast *cast, struct cast_rounds *out);

// Records, submits, waits and collects.
bool casting_run_recorded(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem);

// Prepares and begins before that.
bool casting_run(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem);

// Copies the hits of the last cast to host memory, row by row. If memory for the copy lacks, a
// casting in parts asks the budget to release parts that it holds on the device.
bool casting_fetch(
    struct casting *casting, const struct cast *cast, struct cast_hit *out,
    struct problem *problem);
