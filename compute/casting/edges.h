// Pixels at edges of a cast: a neighbour does not hit the same surface from the same side. Samples
// on that side get a ray of their own, so edges are as smooth as with triangles.
#pragma once

#include "compute/atlas.h"
#include "compute/gpu/run.h"
#include "shaders/shared/casting.h"
#include "shaders/shared/extraction.h"

enum edges_kernel {
    EDGES_FIND,
    EDGES_CAST,
    EDGES_FIND_LAYERS, // the last two are made by edges_prepare_layers
    EDGES_CAST_LAYERS,
    EDGES_KERNELS
};
enum edges_buffer {
    EDGES_LIST,    // per sample two words, see EDGE_SAMPLE
    EDGES_COUNTS,  // struct raised_counter of EDGES_LIST
    EDGES_POINTS,  // per sample: position and normal
    EDGES_COLOURS, // per sample: its colour, see shaders/cast/shade.comp
    EDGES_COUNTED, // copy of EDGES_COUNTS that the host reads
    EDGES_NEAREST, // in parts, per sample: the nearest hit so far; with layers, its present hit
    EDGES_BUFFERS
};

// Zero-initialised means that there is one ray per pixel.
struct edges {
    uint32_t samples;  // per pixel
    uint32_t capacity; // samples that the buffers can hold
    bool in_parts;     // the volume is cast in parts
    bool layers;       // has EDGES_NEAREST for layers
    struct kernel kernels[EDGES_KERNELS];
    struct buffer buffers[EDGES_BUFFERS];
};

// Bytes of device memory for a cast of `pixels` pixels, if a sixteenth of the samples is at edges.
uint64_t edges_bytes(const struct gpu *gpu, uint32_t pixels, uint32_t samples, bool in_parts);

// `samples` per pixel: 1, 2, 4 or 8; for 1, nothing is made. `constants`: the specialization
// constants of a cast's kernels. On false `out` is empty.
bool edges_create(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    uint32_t pixels, uint32_t samples, bool in_parts, struct edges *out, struct problem *problem);

// Makes the kernels again, for parts of another shape. The buffers are kept.
bool edges_turn(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct edges *edges, struct problem *problem);
void edges_destroy(struct gpu *gpu, struct edges *edges);

// Makes what casts with layers need beside that, if it is not there; and the bytes of this memory.
// On false nothing has changed.
bool edges_prepare_layers(
    struct gpu *gpu, const struct atlas *atlas, const uint32_t constants[CONSTANTS],
    struct edges *edges, struct problem *problem);
uint64_t edges_layers_bytes(const struct gpu *gpu, uint32_t pixels, uint32_t samples);

// Binds the buffers of the edges in the table of a cast.
void edges_bind(const struct edges *edges, struct binding table[BINDINGS]);

// Records the list of samples at edges; after the hits and their points. Hits of pixels at edges
// become CAST_EDGE. Samples that the list cannot hold get the result of the pixel's centre.
// `squares`: arguments to dispatch over the squares that may see the surface. `layers`: the hits
// are the last ones of rays through layers, and the table has what these have seen.
void edges_record_find(
    struct edges *edges, struct run *run, const struct binding table[BINDINGS],
    const struct cast_push *push, const struct buffer *squares, bool layers);

// Only in parts: resets the samples before their rays go through the first part.
void edges_record_clear(const struct edges *edges, struct run *run);

// Records the rays of the samples through the volume or through a part. `layers`: stores their
// hits, and lists the samples that have one; the table has this list and its counter.
void edges_record_samples(
    struct edges *edges, struct run *run, const struct binding table[BINDINGS],
    const struct cast_push *push, bool layers);

// After the cast's fence: the number of samples at edges; it may exceed the capacity.
uint32_t edges_count(const struct edges *edges);

// After the cast's fence: whether the list was too short for the samples.
bool edges_overflowed(const struct edges *edges);

// Enlarges the buffers for all samples of the last cast. On false everything is as before.
bool edges_enlarge(struct gpu *gpu, struct edges *edges, struct problem *problem);
