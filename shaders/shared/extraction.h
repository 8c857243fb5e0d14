// Shared by the kernels of extraction and the C side.
//
// A brick is 32 x 4 x 4 samples and the cells that start at them. A row is the 32 samples of a
// brick with the same y and z. Its row mask has one bit per sample: inside or not.
#ifndef SHADERS_SHARED_EXTRACTION_H
#define SHADERS_SHARED_EXTRACTION_H

#include "shaders/shared/glue.h"

#define BRICK_X     32
#define BRICK_Y     4
#define BRICK_Z     4
#define BRICK_ROWS  16  // rows of a brick: row = z * 4 + y
#define BRICK_CELLS 512 // cell id = brick * 512 + row * 32 + x
#define HALO_ROWS   25  // rows of a brick and its neighbours at y + 4 and z + 4: row = z * 5 + y

// A vertex's edge id is ((brick * 16 + row) * 4 + axis) * 32 + x: 2^21 bricks fill 32 bits.
#define MAX_BRICKS 0x200000

// Work per lane: halo rows, rows, vertices, cells. On llvmpipe each lane has a fixed cost.
#define CLASSIFY_ROWS   4
#define EDGES_ROWS      4
#define VERTICES_EACH   4
#define TRIANGLES_CELLS 8

// A vertex on the device: six floats, its position and its normal.
#define VERTEX_BYTES 24

// Between floats that are 0 or have magnitudes in this range, differences and their squares fit a
// float: the least difference is 2^-51, and half of it squared is 2^-104.
#define MAGNITUDE_LEAST 0x1p-28f
#define MAGNITUDE_MOST  0x1p28f

// A gradient has vanished if it is shorter than this times the gradients that it was interpolated
// from.
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
#define CONSTANT_BOUND       9 // 1: results are written through the descriptors below
// The atlas's own slices, and the own rows of each (compute/atlas.h). Edges that start in an own
// row of an own slice belong to the atlas; so do cells between own rows of two own slices.
#define CONSTANT_OWN_FIRST   10
#define CONSTANT_OWN_LAST    11
#define CONSTANT_OWN_Y_FIRST 12
#define CONSTANT_OWN_Y_LAST  13
// 1 if some float is out of the range MAGNITUDE_LEAST to MAGNITUDE_MOST.
#define CONSTANT_EXTREMES 14
#define CONSTANT_METHOD   15 // a compaction method's own constant, for its kernels
#define CONSTANTS         16

// Descriptor set 0: data that kernels read so often that a descriptor pays off.
#define BINDING_SAMPLES   0 // keys, in an image (2D array)
#define BINDING_KEYS8     1 // or in a storage texel buffer of a fixed format: bytes,
#define BINDING_KEYS16    2 // halves,
#define BINDING_KEYS32    3 // or words
#define BINDING_BLOCKS    4 // the same as a uniform texel buffer of 16-byte blocks
#define BINDING_ROW_MASKS 5 // row masks, 25 per active brick: (mask, the bit at x + 32)
// Row prefixes, 16 per brick: (first vertex, mask of x crossings, of y, of z).
#define BINDING_ROW_PREFIXES 6
#define BINDING_CASES        7 // packed marching-cubes cases
// Lists and scratch are read through descriptors for the same reason: on llvmpipe a read by address
// costs 1.7 ns per lane, even if all lanes read the same word; a texel costs 0.2 ns.
#define BINDING_COUNTERS 8  // one list_counter per texel: LIST_BRICKS ...
#define BINDING_BRICKS   9  // ids of the active bricks
#define BINDING_SLOTS    10 // per brick: its index in that list
#define BINDING_CELLS    11 // ids of the active cells
#define BINDING_EDGES    12 // edge ids of the vertices
#define BINDING_RANGES   13 // per brick: least and greatest key
#define BINDING_MASKS    14 // compaction scratch: a mask per lane, or per texel of a pyramid's base
#define BINDING_LEVELS   15 // compaction scratch: the HistoPyramid's levels
#define BINDING_PARTIALS 16 // the same with four words per texel: its vec4 form has partial sums
#define BINDING_WORDS    17 // the source of a stream of plain words
// The same buffers, or a surface's, as storage buffers for writes. On llvmpipe storing a vector
// through a descriptor costs a quarter of storing it by address. They are used only if each buffer
// fits a storage buffer descriptor; otherwise CONSTANT_BOUND is 0 and kernels write by address.
#define BINDING_OUT_ROW_MASKS    18
#define BINDING_OUT_ROW_PREFIXES 19
#define BINDING_OUT_EDGES        20
#define BINDING_OUT_VERTICES     21
#define BINDING_OUT_INDICES      22
#define BINDING_OUT_MASKS        23
#define BINDING_OUT_BRICKS       24
#define BINDING_OUT_CELLS        25
#define BINDING_OUT_WORDS        26
#define BINDING_OUT_PARTIALS     27
#define BINDINGS                 28

// The lists whose lengths only the device knows.
#define LIST_BRICKS    0
#define LIST_CELLS     1
#define LIST_VERTICES  2
#define LIST_TRIANGLES 3
#define LISTS          4

// The only list of a stream of plain words.
#define LIST_WORDS 0

// The counter of a list. `count` grows even beyond `capacity`: then it says how many elements the
// list would need.
struct list_counter {
    uint count;
    uint capacity;
    uint wrapped; // not 0: the count passed 2^32
    uint spare;
};

// For each brick: the least and the greatest key of the samples of its cells, including a halo of
// one sample. Of samples before or after the atlas's own slices and rows, only the ends of edges
// count that start in the last ones.
struct ranges_push {
    ADDRESS(WriteUvec2s) ranges;
    uint bricks;
};

// For each row: four masks of the x, y and z edges and of the cells that touch only finite samples.
struct valid_masks_push {
    ADDRESS(WriteUvec4s) valid_masks;
    uint rows;
};

// Writes the dispatch arguments for a complete list: for min(count, capacity) * lanes / each lanes.
struct arrange_push {
    ADDRESS(ListCounter) counter;
    ADDRESS(WriteUints) arguments;
    uint lanes;
    uint each; // 0: 1
};

// Writes the row masks of the active bricks, including the halo; each brick's slot in the list; and
// the dispatch arguments for their rows: for one lane per row, and for one per four rows.
struct classify_push {
    ADDRESS(ListCounter) bricks_counter;
    ADDRESS(ReadUints) bricks;
    ADDRESS(WriteUvec2s) row_masks;
    ADDRESS(WriteUints) slots;
    ADDRESS(WriteUints) rows_arguments;
    ADDRESS(WriteUints) fours_arguments;
    uint key;
};

// Writes the crossing edges of the active bricks: row prefixes, the list of vertices, and its
// dispatch arguments, which are 0 at first.
struct edges_push {
    ADDRESS(ListCounter) bricks_counter;
    ADDRESS(ReadUints) bricks;
    ADDRESS(ReadUvec2s) row_masks; // read through BINDING_ROW_MASKS
    ADDRESS(ReadUvec4s) valid_masks;
    ADDRESS(WriteUvec4s) row_prefixes;
    ADDRESS(ListCounter) vertices_counter;
    ADDRESS(WriteUints) edges;
    ADDRESS(WriteVec3s) vertices; // position, normal, position ...
    ADDRESS(Uints) vertices_arguments;
    // Also writes the dispatch arguments for the active cells, whose list is complete by now.
    ADDRESS(ListCounter) cells_counter;
    ADDRESS(WriteUints) cells_arguments;
    // Integer samples: iso_key is floor(isovalue) as a key, iso_high is the rest. Floats: the
    // isovalue is (iso_high + iso_low) * 2^iso_exponent; iso_high is 0, or its magnitude is between
    // 1/2 and 1.
    uint iso_key;
    float iso_high;
    float iso_low;
    int iso_exponent;
    uint base_y; // the volume's row that is the atlas's first one
    uint base_z; // the same for slices
};

// Writes the vertices of edges that are already listed.
struct vertices_push {
    ADDRESS(ListCounter) vertices_counter;
    ADDRESS(ReadUints) edges;
    ADDRESS(WriteVec3s) vertices; // position, normal, position ...
    uint iso_key;                 // as above
    float iso_high;
    float iso_low;
    int iso_exponent;
    uint base_y;
    uint base_z;
};

struct triangles_push {
    ADDRESS(ListCounter) cells_counter;
    ADDRESS(ReadUints) cells;
    ADDRESS(ReadUints) slots;
    ADDRESS(ReadUvec2s) row_masks;    // read through BINDING_ROW_MASKS
    ADDRESS(ReadUvec4s) row_prefixes; // read through BINDING_ROW_PREFIXES
    ADDRESS(ListCounter) triangles_counter;
    ADDRESS(WriteUvec3s) indices;
};

// The counts of a step, for the host.
struct step_counts {
    uint bricks, cells, vertices, triangles;
    uint whole;
    uint wrapped;
};

struct finish_push {
    ADDRESS(ListCounter) bricks_counter;
    ADDRESS(ListCounter) cells_counter;
    ADDRESS(ListCounter) vertices_counter;
    ADDRESS(ListCounter) triangles_counter;
    ADDRESS(WriteUints) draw;     // two draw commands
    ADDRESS(Uints) previous_draw; // may be 0
    ADDRESS(StepCounts) counts;
    uint has_previous;
};

#endif
