// Draws with rays instead of triangles: finds the first point where each ray of a picture meets the
// isosurface. Samples are interpolated within their cells. There is no mesh, so a new isovalue
// costs no more than the next picture.
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
    float t;       // parameter along the ray; NaN without a hit
    uint32_t cell; // see CAST_BACK in shaders/shared/casting.h; CAST_NOTHING without a hit
};

// A rectangle of a picture's pixels to cast.
struct cast {
    const struct caster *caster;
    const struct method *method; // for casters in rounds; NULL: the default
    uint32_t rounds;             // for casters in rounds, see CAST_ROUNDS_DEFAULT
    // The contours: their isovalues, and their number up to CONTOURS_MOST; 0 means 1. Planes cut
    // those whose bit in `clipped` is 1; contours_block tells what they leave.
    double isos[CONTOURS_MOST];
    uint8_t numbers[CONTOURS_MOST];      // the caller's numbers of the contours
    float transparencies[CONTOURS_MOST]; // 1 - opacity; for casting_record_layer
    uint32_t contours, clipped;
    float planes[PLANES_MOST][4]; // in grid units
    uint32_t plane_count;
    bool clip_all;
    uint32_t caps;                  // the clipped contours have caps: 0, CAPS_SOLID or CAPS_VALUES
    struct greys greys;             // of CAPS_VALUES
    float sections[PLANES_MOST][4]; // planes that hide layers behind them
    uint32_t section_count;
    struct rays rays;
    // The first pixel; it may be outside of the picture. width * height is at most casting.pixels.
    int32_t x, y;
    uint32_t width, height;
    // edges: pixels at edges have a ray for each sample, except in the border of the cast. border:
    // its width in pixels: CAST_BORDER if there is a shadow; 0: one pixel if `edges`.
    bool edges;
    uint32_t border;
    // shadow: hits get the shadow of the key light. light: the way to this light. Without a border
    // the shadow is less smooth at the rim of the cast.
    bool shadow;
    struct rays_light light;
};

// The shadow of a pixel depends on the pixels up to this far away.
#define CAST_BORDER (SHADOW_SIDE / 2)

// Number of pixels of a cast of width x height pixels and the widest border around them.
static inline uint32_t cast_bordered(uint32_t width, uint32_t height)
{
    return (width + 2 * CAST_BORDER) * (height + 2 * CAST_BORDER);
}

// Values of cast.rounds: a number up to CAST_ROUNDS_MOST, or one of these. One more kernel finishes
// the rays that are left. With CAST_ROUNDS_HOST the host waits for each round until no ray is left.
#define CAST_ROUNDS_DEFAULT 0u // CAST_ROUNDS
#define CAST_ROUNDS_NONE    0xffffffffu
#define CAST_ROUNDS_HOST    0xfffffffeu

// What a cast through layers has recorded last.
enum casting_layers {
    LAYERS_NONE,
    LAYERS_OF_PIXELS,
    LAYERS_FOUND, // the list of samples at edges
    LAYERS_OF_SAMPLES,
    LAYERS_ENDED
};

enum casting_kernel {
    CASTING_SPANS,
    CASTING_ARRANGE,
    CASTING_CAPS,
    CASTING_POINTS,
    CASTING_KERNELS
};
enum casting_buffer {
    CASTING_CUBES,         // cubes that rays may skip (skips.h)
    CASTING_HITS,          // per pixel: struct cast_hit
    CASTING_LIST,          // pixels with a hit
    CASTING_COUNTS,        // struct raised_counter of CASTING_LIST
    CASTING_SPANS_OF,      // per square of pixels: where along its rays the surface may be
    CASTING_SQUARES,       // the squares that have a span
    CASTING_SQUARES_COUNT, // struct raised_counter of CASTING_SQUARES: SPAN_SIDE^2 lanes each
    CASTING_TILES,         // per tile: whether it has a hit
    CASTING_POINTS_OF, // per hit: position and normal, laid out like a vertex; see casting_by_pixel
    CASTING_COLOURS,   // per pixel that is drawn: its colour, see shaders/lib/light.glsl
    CASTING_COUNTED,   // copy of the counts that the host reads
    CASTING_CONTOURS,  // struct contours_block: the isovalue that all kernels look for
    CASTING_NEAREST,   // in parts, per pixel: the nearest hit of the parts so far
    CASTING_NEAREST_LIST,   // in parts: the pixels with a nearest hit
    CASTING_NEAREST_COUNTS, // in parts: the list's struct list_counter
    CASTING_BUFFERS
};

// Rays through one volume on one device. Zero-initialised means empty.
struct casting {
    struct gpu *gpu;
    const struct atlas *atlas; // of the volume or the current part; NULL: no part yet
    // The shape that the kernels are specialised for: the atlas, or for parts the thickest part's.
    // Its buffers are not used.
    struct atlas frame;
    const struct cubes *cubes; // in parts: the cubes of the volume
    bool in_parts;
    struct atlas part; // atlas of the last casting_turn; `atlas` points to it
    struct skips skips;
    uint32_t constants[CONSTANTS]; // specialization constants for `frame`
    uint32_t many;                 // CONSTANT_CAST_MANY of the kernels; see casting_set_many
    struct masks masks;
    const struct caster *caster; // the caster given at creation
    struct kernel kernels[CASTING_KERNELS];
    struct buffer buffers[CASTING_BUFFERS];
    struct caster_state states[CASTERS_MOST]; // state_count of them are used
    uint32_t state_count;
    uint32_t pixels;    // capacity of the buffers
    struct edges edges; // empty where each pixel has one ray
    // About the last recorded cast:
    bool has_edges;
    bool has_masks; // it reads masks, and has made them if they were missing
    struct shadow shadow;
    bool has_shadow;         // casts may have a shadow
    struct wavefront layers; // lists of rays through layers; see casting_prepare_layers
    enum casting_layers at;  // which rays are cast through layers
    struct stopwatch *timer; // times functions that wait for the device; may be NULL
};

// Bytes of device memory of a casting with one caster. `dim`: the volume's samples along x, y and
// z. `method` compacts the rays of a caster in rounds. `pixels` are cast at a time, with `samples`
// samples each. `part`: samples along x, y and z of the largest part's atlas; NULL if the volume is
// not in parts. GPU_TOO_MUCH where it is more than a limit of the device.
uint64_t casting_bytes(
    const struct gpu *gpu, const uint32_t dim[3], const uint32_t part[3],
    const struct caster *caster, const struct method *method, uint32_t pixels, uint32_t samples);

// What casting_prepare_layers takes beside that, with this method or, if it refuses rays, the
// default one.
uint64_t casting_layers_bytes(
    const struct gpu *gpu, const struct method *method, uint32_t pixels, uint32_t samples);

// `atlas` holds the whole volume; it must outlive the casting. `cubes` are those of the volume, and
// only this call reads them. `samples`: per pixel; 1: no cast has edges. PROBLEM_LIMIT: the volume
// is so large that a ray's loops could reach their bound. On false `out` is empty.
bool casting_create(
    struct gpu *gpu, const struct atlas *atlas, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem);

// Does what casting_create does, for a volume in parts (cast_pass.h). `frame`: the largest part's
// atlas as atlas_describe describes it. The cubes of the volume must outlive the casting.
bool casting_create_parts(
    struct gpu *gpu, const struct atlas *frame, const struct cubes *cubes,
    const struct caster *caster, uint32_t pixels, uint32_t samples, struct casting *out,
    struct problem *problem);
void casting_destroy(struct casting *casting);

// Turns to a part: the casts that follow go through `atlas`, which must not change meanwhile. If it
// has another shape than the frame, or more slices, everything that depends on the shape is made
// again, such as kernels. After false only casting_destroy may follow.
bool casting_turn(struct casting *casting, const struct atlas *atlas, struct problem *problem);

// Makes all kernels again if they are for casts with another number of contours, or without planes
// where `cast` has some. PROBLEM_LIMIT: a hit has no bits for so many contours of such a large
// volume; then the casting is as before. After another failure only casting_destroy may follow.
// casting_suits: whether it has nothing to do.
bool casting_suits(const struct casting *casting, const struct cast *cast);
bool casting_set_many(struct casting *casting, const struct cast *cast, struct problem *problem);

// Makes the kernels and the tree of a caster, so that casts may use it. Does nothing if they exist.
// For a caster in rounds, also makes the kernels and the scratch memory of `method` for the casts
// that follow. A casting has at most CASTERS_MOST casters. PROBLEM_UNSUPPORTED: the method cannot
// compact rays. On false the casting is as before.
bool casting_prepare(
    struct casting *casting, const struct caster *caster, const struct method *method,
    struct problem *problem);

// Makes the kernels and the memory for layers, and for `method`, which compacts the list of the
// rays that go on; NULL: the default. Call it after casting_set_many. PROBLEM_UNSUPPORTED: the
// method cannot compact rays. On false the casting is as before.
// casting_has_layers: whether they are there, also after casting_again.
bool casting_prepare_layers(
    struct casting *casting, const struct method *method, struct problem *problem);
bool casting_has_layers(const struct casting *casting);

// Makes the kernels and the memory that casts with a shadow need. Does nothing if they exist. On
// false the casting is as before.
bool casting_prepare_shadow(struct casting *casting, struct problem *problem);

// Frees the device memory of the shadow. No cast may be running.
void casting_drop_shadow(struct casting *casting);

// The state of a prepared caster; NULL if it is not prepared. For a volume in parts, prepare all
// casters before casting_turn.
struct caster_state *casting_find(struct casting *casting, const struct caster *caster);

// Runs the rounds of a cast with CAST_ROUNDS_HOST, and waits for each. Call it before the cast is
// recorded. Does nothing for other casts.
bool casting_begin(struct casting *casting, const struct cast *cast, struct problem *problem);

// Records a cast: hits, their list, positions and normals. The last casting_prepare of the cast's
// caster must have had the cast's method, and the last casting_set_many such a cast. No earlier
// cast of this casting may still be running. Ends the stages of the run's timer.
void casting_record(struct casting *casting, struct run *run, const struct cast *cast);

// Whether a contour of the cast is transparent, so that it has layers.
bool cast_layered(const struct cast *cast);

// Records a layer of a cast with transparent contours: adds the colours that the caller has
// computed for the list of hits, and makes the list of the next hits, with their points. A ray that
// meets no other hit, or only one that too little light reaches, leaves the list; its colour
// (colour_of_layers in shaders/lib/light.glsl) is then that of its layers. Not in parts, and not
// with a shadow.
void casting_record_layer(struct casting *casting, struct run *run, const struct cast *cast);

// When all rays of pixels have ended, and the cast has edges: find records the list of the samples
// of pixels at an edge in any layer. After its fence call casting_again. samples records their
// first hits, which go through layers as those of pixels did. end binds the pixels again, for the
// mean.
void casting_find_samples(struct casting *casting, struct run *run, const struct cast *cast);
void casting_record_samples(struct casting *casting, struct run *run, const struct cast *cast);
void casting_end_samples(struct casting *casting);

// Records what casting_layers_left, after the fence, returns: the number of rays that go on.
void casting_record_left(struct casting *casting, struct run *run);
uint32_t casting_layers_left(const struct casting *casting);

// After that fence: whether rays go on, or the samples of a cast with edges have not ended yet.
bool casting_layers_go_on(const struct casting *casting, const struct cast *cast);

// Arguments to dispatch over the list of hits, in workgroups of GROUP lanes, and their offset.
const struct buffer *casting_arguments(const struct casting *casting, uint64_t *offset);

// Tiles of CAST_TILE x CAST_TILE pixels that a cast has.
uint32_t casting_tiles(const struct cast *cast);

// Whether the point of a hit is stored at its pixel's number (CAST_BY_PIXEL), not at its place in
// the list of hits.
bool casting_by_pixel(const struct casting *casting, const struct cast *cast);

// Bits of a hit's `cell` that are below its contour.
uint32_t casting_cell_bits(const struct casting *casting);

// Binds the results of a cast for the kernels that shade and draw it: its hits and samples at
// edges, the list of hits, the tiles, and the buffer for colours.
void casting_bind_hits(const struct casting *casting, struct binding table[BINDINGS]);

// After the command buffer's fence: sets *hits to the number of hits, without those in the border.
// From then on, casts with this isovalue reuse the masks. PROBLEM_INTERNAL if a ray's loops reached
// their bound, so that its pixel is not known.
bool casting_collect(struct casting *casting, uint32_t *hits, struct problem *problem);

// After the command buffer's fence: enlarges the list of samples at edges if it was too short. If
// so, *again is true: cast again. After casting_find_samples it may suffice to find them again:
// then *again is false, and casting_layers_go_on true. If memory is short, a casting in parts lets
// the budget give up held parts. If it stays short, *again is false, and pixels beyond the list
// keep their one ray.
bool casting_again(struct casting *casting, bool *again, struct problem *problem);

// After the command buffer's fence: the lengths of the lists of rays of `cast`. Its caster must
// work in rounds and must have cast nothing since.
void casting_rounds(struct casting *casting, const struct cast *cast, struct cast_rounds *out);

// Records, submits, waits and collects.
bool casting_run_recorded(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem);

// Calls casting_set_many, casting_prepare and casting_begin, then casting_run_recorded.
bool casting_run(
    struct casting *casting, const struct cast *cast, uint32_t *hits, struct problem *problem);

// Copies the hits of the last cast to host memory, row by row. If memory for the copy is short, a
// casting in parts asks the budget to release parts that it holds on the device.
bool casting_fetch(
    struct casting *casting, const struct cast *cast, struct cast_hit *out,
    struct problem *problem);
