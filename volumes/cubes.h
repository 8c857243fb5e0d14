// The least and the greatest sample of each cube of a volume's cells. They tell, for every
// isovalue, which cubes a surface, a ray or the camera can skip. They always cover the whole
// volume, also where it is extracted in parts.
#pragma once

#include "volumes/volume.h"

#define CUBES_MOST (1u << 21) // the most cubes that one volume has

// Zero-initialised means empty. Owns `range`; release with cubes_destroy.
struct cubes {
    uint32_t edge;     // cells along each side of a cube: a power of two, 2 or more
    uint32_t dim[3];   // cubes along x, y, z: all cells are in one; the last may be smaller
    float (*range)[2]; // the least and the greatest finite sample at the corners of a cube's cells
                       // ((edge + 1)^3 samples in a full cube); cube (x, y, z) is at (z * dim[1] +
                       // y) * dim[0] + x. The least is rounded down to a float, the greatest up.
                       // INFINITY and -INFINITY where no sample is finite.
    float faces[6];    // the greatest finite sample of each face of the volume's box, rounded up:
                       // x = 0, the last x, y = 0, and so on; -INFINITY where none is finite
    bool gaps;         // some sample is not finite
};

// The smallest edge that gives at most CUBES_MOST cubes.
uint32_t cubes_edge(const uint32_t dim[3]);

// Sets only edge and dim, for a volume of these dims.
void cubes_shape(const uint32_t dim[3], struct cubes *out);

uint64_t cubes_count(const struct cubes *cubes);

// Reads all samples once. `progress` (may be NULL) is called every few MiB, always with the share
// 0. False: PROBLEM_INTERRUPTED, or PROBLEM_HOST_MEMORY; then `out` is empty.
bool volume_cubes(
    const struct volume *volume, const struct progress *progress, struct cubes *out,
    struct problem *problem);

void cubes_destroy(struct cubes *cubes);

// Begins cubes from slices that come in chunks, in order, from slice `from` on. NULL:
// PROBLEM_HOST_MEMORY.
struct cubes_making;
struct cubes_making *
cubes_begin(const uint32_t dim[3], enum volume_type type, uint32_t from, struct problem *problem);

void cubes_put(struct cubes_making *making, const void *slices, uint32_t count);

// Frees `making`, which may be NULL. `out` gets the cubes; NULL drops them. If slices are missing,
// `range` and `faces` are as if no missing sample were finite, and `gaps` ignores the missing
// samples.
void cubes_end(struct cubes_making *making, struct cubes *out);

// Points that enclose the outside of a surface, before the surface is extracted.
//
// Points are in units of samples; (0, 0, 0) is the first sample. They come from the first and the
// last cube that the isovalue crosses in each row of cubes along an axis. The ranges of the
// neighbours narrow the box in such a cube that holds the surface. Where samples change evenly the
// points are off by a fraction of a cube; they are never off by more than one.
//
// Returns their number: 0 where the surface is empty, or where memory is too short. The caller
// frees *points.
size_t
cubes_outline(const struct cubes *cubes, const uint32_t dim[3], double iso, float (**points)[3]);
