// Pixels at edges of a cast: where the surface ends, or another part of it begins. Their samples on
// that side get a ray of their own, so that edges are as smooth as those of triangles.
#pragma once

#include "compute/atlas.h"
#include "compute/gpu/run.h"
#include "shaders/shared/casting.h"
#include "shaders/shared/extraction.h"

enum edges_kernel { EDGES_FIND, EDGES_ARRANGE, EDGES_CAST, EDGES_KERNELS };
enum edges_buffer {
    EDGES_LIST,      // per sample two words, see EDGE_SAMPLE
    EDGES_COUNTS,    // struct list_counter
    EDGES_ARGUMENTS, // to dispatch over the samples
    EDGES_POINTS,    // per sample: position and normal
    EDGES_COLOURS,   // per sample: for whoever draws it, see shaders/cast/shade.comp
    EDGES_COUNTED,   // the counts, for the host
    EDGES_NEAREST,   // in parts, per sample: the nearest hit so far
    EDGES_BUFFERS
};

// Zero-initialised means that there is one ray per pixel.
struct edges {
    uint32_t samples;  // of a pixel
    uint32_t capacity; // samples that the buffers can hold
    bool in_parts;     // of the volume
    struct kernel kernels[EDGES_KERNELS];
    struct buffer buffers[EDGES_BUFFERS];
};

// Device memory for a cast of so many pixels, of whose samples a sixteenth is at edges.
uint64_t edges_bytes(const struct gpu *gpu, uint32_t pixels, uint32_t samples, bool in_parts);

// `samples`: 1, which needs nothing, 2, 4 or 8. `constants`: all CONSTANTS that the kernels of a
// cast need. On false `out` is empty.
bool edges_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, uint32_t samples, bool in_parts, struct edges *out, struct problem *problem);

// Makes the kernels anew, for parts of another shape. The buffers stay.
bool edges_turn(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct edges *edges, struct problem *problem);
void edges_destroy(struct gpu *gpu, struct edges *edges);

// Adds what the kernels below access to the table of a cast.
void edges_bind(const struct edges *edges, struct binding table[BINDINGS]);

// Records, after the hits and their points: the list of samples at edges. The pixels' hits become
// CAST_EDGE; samples that the list cannot hold are as the centre. `squares`: arguments to dispatch
// over the squares that may see the surface.
void edges_record_find(
    struct edges *edges, struct run *run, const struct binding table[BINDINGS],
    const struct cast_push *push, const struct buffer *squares);

// In parts, before the first part: no sample has a hit yet.
void edges_record_clear(const struct edges *edges, struct run *run);

// The rays of the samples, through the volume or a part of it.
void edges_record_samples(
    struct edges *edges, struct run *run, const struct binding table[BINDINGS],
    const struct cast_push *push);

// After the cast's fence: the samples at edges that have a ray.
uint32_t edges_count(const struct edges *edges);

// The same: whether the list was too short for the samples.
bool edges_overflowed(const struct edges *edges);

// Enlarges the buffers for all samples of the last cast. On false everything is as before.
bool edges_enlarge(struct gpu *gpu, struct edges *edges, struct problem *problem);
