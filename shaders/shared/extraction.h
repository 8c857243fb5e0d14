// Shared by the kernels of extraction and the C side.
//
// A brick is 32 x 4 x 4 samples and the cells that start at them. A row is the 32 samples of a
// brick with the same y and z. Its row mask has one bit per sample: inside or not.
#ifndef SHADERS_SHARED_EXTRACTION_H
#define SHADERS_SHARED_EXTRACTION_H

#include "shaders/shared/bindings.h"
#include "shaders/shared/glue.h"

#define BRICK_X     32
#define BRICK_Y     4
#define BRICK_Z     4
#define BRICK_ROWS  16  // rows of a brick: row = z * 4 + y
#define BRICK_CELLS 512 // cell id = brick * 512 + row * 32 + x
#define HALO_Y      5   // rows per slice: those of a brick, and the next one at y + 4
#define HALO_ROWS   25  // rows of the HALO_Y x HALO_Y block, with z + 4: row = z * HALO_Y + y

// A vertex's edge id is ((brick * 16 + row) * 4 + axis) * 32 + x: 2^21 bricks fill 32 bits.
#define MAX_BRICKS 0x200000

// Sizes of a brick as powers of two, and parts of ids. Rows are numbered over all bricks here.
#define BRICK_X_BITS    5
#define BRICK_Y_BITS    2
#define BRICK_Z_BITS    2
#define AXIS_BITS       2
#define CELL_ROW(cell)  ((cell) >> BRICK_X_BITS)
#define EDGE_ROW(edge)  ((edge) >> (BRICK_X_BITS + AXIS_BITS))
#define EDGE_AXIS(edge) ((edge) >> BRICK_X_BITS & ((1 << AXIS_BITS) - 1))
#define ID_X(id)        ((id) & (BRICK_X - 1)) // x of a cell or an edge
#define ROW_Y(row)      ((row) & (BRICK_Y - 1))
#define ROW_Z(row)      ((row) >> BRICK_Y_BITS & (BRICK_Z - 1))
#define ROW_BRICK(row)  ((row) >> (BRICK_Y_BITS + BRICK_Z_BITS))

// A vertex on the device: six floats, its position and its normal.
#define VERTEX_BYTES 24

// For floats that are 0 or have magnitudes in this range, the differences and their squares fit a
// float. The least difference is 2^-51, and half of it squared is 2^-104.
#define MAGNITUDE_LEAST 0x1p-28f
#define MAGNITUDE_MOST  0x1p28f

// An interpolated gradient counts as 0 if it is shorter than this times the gradients that it was
// interpolated from.
#define GRADIENT_VANISHES 1e-3f

// Specialization constants, the same for every kernel.
#define CONSTANT_DIM_X       0
#define CONSTANT_DIM_Y       1
#define CONSTANT_DIM_Z       2
#define CONSTANT_TILE_WIDTH  3
#define CONSTANT_COLS        4
#define CONSTANT_ROWS        5
#define CONSTANT_LAYERS      6
#define CONSTANT_TYPE        7 // enum volume_type
#define CONSTANT_HAS_INVALID 8 // 1 if some sample is not finite
#define CONSTANT_IN_PLACE    9 // 1: the list of a word stream is its source
// The atlas's own slices, and the own rows of each (compute/atlas.h). To the atlas belong the edges
// that start in an own row of an own slice, and the cells between own rows of two own slices.
#define CONSTANT_OWN_FIRST   10
#define CONSTANT_OWN_LAST    11
#define CONSTANT_OWN_Y_FIRST 12
#define CONSTANT_OWN_Y_LAST  13
// 1 if some float is out of the range MAGNITUDE_LEAST to MAGNITUDE_MOST.
#define CONSTANT_EXTREMES 14
#define CONSTANT_METHOD   15 // a constant that each compaction method defines for its kernels
// How much work a lane has (compute/gpu/traits.h).
#define CONSTANT_CLASSIFY_ROWS   16
#define CONSTANT_VERTICES_EACH   17
#define CONSTANT_TRIANGLES_CELLS 18
#define CONSTANT_SHARED_FOURS    19
#define CONSTANT_EACH            20 // of a compaction: lanes of the stream, or outputs
#define CONSTANT_SHUFFLES        21 // 1: compute prefix sums by shuffles
// 1: a texel buffer does not reach all keys of the samples, but all blocks of keys.
#define CONSTANT_KEYS_IN_BLOCKS 22
#define CONSTANT_GROUP_APPENDS  23 // 1: allocate list space by one atomic per workgroup
// 1: lanes of a subgroup may run apart after a branch until a barrier brings them together.
#define CONSTANT_LANES_APART 24
#define CONSTANT_CUBE_SHIFT  25 // fine cubes of a cast have 2^CUBE_SHIFT cells a side
#define CONSTANT_LEAF_SHIFT  26 // leaves of a tree of a cast have 2^LEAF_SHIFT cells a side
#define CONSTANT_TREE_DEPTH  27 // depth of that tree, at least 1
#define CONSTANT_COUNTED     28 // 1: only the device knows the length of a word stream
#define CONSTANT_CAST_CELLS  29 // cells, or leaves, that a ray searches in a round of a cast
#define CONSTANT_SAMPLES     30 // samples of a pixel at an edge of a cast
// If a cast is of parts of a volume: the volume's rows and slices; otherwise 0.
#define CONSTANT_WHOLE_Y 31
#define CONSTANT_WHOLE_Z 32
#define CONSTANT_BOX_LANES 33 // lanes of a workgroup that makes the boxes of a cast
#define CONSTANT_CAST_TEXELS 34 // 1: hits and spans of a cast are read as texels
// 0: a cast has one contour and no planes. Otherwise 1 and the number of bits of a hit's contour.
#define CONSTANT_CAST_MANY 35
#define CONSTANT_FORM      36 // of a compaction: FORM_ in compaction.h
// Of a word stream in bench: the words of an element after its first one, and the rounds of a hash
// that the predicate computes.
#define CONSTANT_PAYLOAD    37
#define CONSTANT_WORK       38
#define CONSTANT_CAST_LANES 39 // lanes of a workgroup that casts the rays of squares, hits or samples
#define CONSTANT_LEAPS      40 // 1: computes the leaps of new masks of a cast
#define CONSTANT_FOLDS      41 // 1: passes of a cast are joined (compute/gpu/traits.h)

#define CONSTANTS 42

// The lists whose lengths only the device knows.
#define LIST_BRICKS    0
#define LIST_CELLS     1
#define LIST_VERTICES  2
#define LIST_TRIANGLES 3
#define LISTS          4

// Vertices that are drawn per list element: for a brick three of its sides, for a cell a triangle
// around a point.
#define BRICK_CORNERS 18
#define CELL_CORNERS  3

// The counter of a list. `count` also counts the elements beyond `capacity`: it says how many
// elements the list would need.
struct list_counter {
    uint count;
    uint capacity;
    uint wrapped; // not 0: the count passed 2^32
    uint spare;
};

// The counter of a list that one dispatch fills, with the arguments for two dispatches over its
// elements. The kernel that fills it raises x0 and x1 (RAISE in shaders/lib/append.glsl), so no
// dispatch is needed for that. A step of x, all y workgroups of it, has 2^shift elements.
struct raised_counter {
    uint count, capacity, wrapped, spare; // as in list_counter
    uint x0, y0, z0, shift0;
    uint x1, y1, z1, shift1;
};

// For each brick: the least and the greatest key of the samples of its cells, including a halo of
// one sample. Samples outside the atlas's own slices and rows count only if an edge that starts in
// the last own slice or row ends there.
struct ranges_push {
    uint bricks;
};

// For each row: masks of the x, y and z edges, and of the cells, that touch only finite samples.
struct valid_masks_push {
    uint rows;
};

// Writes the dispatch arguments for a complete list: min(count, capacity) * lanes / each lanes.
struct arrange_push {
    uint lanes;
    uint each; // 0 means 1
};

// Writes the row masks of the active bricks, including the halo; each brick's index in the list
// (its slot); and dispatch arguments: a lane per row, a lane per four rows, and a workgroup per
// SHARED_FOURS groups of four rows.
struct classify_push {
    uint key;
};

// An isovalue (compute/atlas_keys.h). Integer samples: iso_key is floor(isovalue) as a key, `high`
// is isovalue - floor(isovalue). Floats: the isovalue is (high + low) * 2^exponent; `high` is 0, or
// its magnitude is between 1/2 and 1.
struct atlas_iso {
    uint key; // a sample with key >= this is inside; 0 if all samples are on one side
    uint iso_key;
    float high, low;
    int exponent;
};

// The push constants of the kernels `edges` and `vertices`. base_y, base_z: the volume's row and
// slice where the atlas begins.
//
// `edges` writes the crossing edges of the active bricks: row prefixes and the list of vertices.
// `vertices` writes the vertices of edges that are already listed.
struct vertices_push {
    STRUCT atlas_iso iso;
    uint base_y;
    uint base_z;
    uint capacity; // capacity of the list of vertices
};

struct triangles_push {
    uint capacity; // capacity of the list of triangles
};

struct finish_push {
    uint has_previous;
};

#endif
