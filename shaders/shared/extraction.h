// What the kernels of extraction and the C side agree on.
//
// A brick is 32 x 4 x 4 samples and the cells that start at them. A row is the 32 samples of a
// brick with the same y and z, one bit each: inside or not.
#ifndef SHADERS_SHARED_EXTRACTION_H
#define SHADERS_SHARED_EXTRACTION_H

#include "shaders/shared/glue.h"

#define BRICK_X     32
#define BRICK_Y     4
#define BRICK_Z     4
#define BRICK_ROWS  16  // rows of a brick's own samples: row = z * 4 + y
#define BRICK_CELLS 512 // cell id = brick * 512 + row * 32 + x
#define HALO_ROWS   25  // with the neighbours at y + 4 and z + 4: row = z * 5 + y

// A vertex's edge id is ((brick * 16 + row) * 4 + axis) * 32 + x: 2^21 bricks fill 32 bits.
#define MAX_BRICKS 0x200000

// What a lane takes: halo rows, rows, vertices, cells. On llvmpipe a lane costs before it does
// anything.
#define CLASSIFY_ROWS   4
#define EDGES_ROWS      4
#define VERTICES_EACH   4
#define TRIANGLES_CELLS 8

// A vertex on the device: six floats, its position and its normal.
#define VERTEX_BYTES 24

// Between floats that are 0 or of these magnitudes, differences and their squares are neither too
// large nor too small for a float: least difference 2^-51, its half squared 2^-104.
#define MAGNITUDE_LEAST 0x1p-28f
#define MAGNITUDE_MOST  0x1p28f

// A gradient this much shorter than those it was interpolated from has vanished.
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
#define CONSTANT_HAS_INVALID 8 // 1 where some sample is not finite
#define CONSTANT_BOUND       9 // 1: results are written through the bindings below
// The atlas's own slices, and the own rows of each, see compute/atlas.h: edges that start in an own
// row of an own slice are its edges, cells between own rows of two own slices its cells.
#define CONSTANT_OWN_FIRST   10
#define CONSTANT_OWN_LAST    11
#define CONSTANT_OWN_Y_FIRST 12
#define CONSTANT_OWN_Y_LAST  13
#define CONSTANT_EXTREMES    14 // 1 where some float is beyond MAGNITUDE_LEAST or MAGNITUDE_MOST
#define CONSTANT_METHOD      15 // of a compaction method's kernels: its own
#define CONSTANTS            16

// Descriptor set 0: what is read often enough to deserve more than an address.
#define BINDING_SAMPLES      0 // keys: an image (2D array)
#define BINDING_KEYS8        1 // or a storage texel buffer, which has to say its format: bytes,
#define BINDING_KEYS16       2 // halves,
#define BINDING_KEYS32       3 // or words
#define BINDING_BLOCKS       4 // and the same as a uniform texel buffer of 16-byte blocks
#define BINDING_ROW_MASKS    5 // inside bits, 25 rows per active brick: (bits, the bit at x + 32)
#define BINDING_ROW_PREFIXES 6 // 16 rows per brick: (first vertex, x crossings, y, z)
#define BINDING_CASES        7 // packed marching-cubes cases
// Lists and scratch, for the same reason: by address, llvmpipe pays 1.7 ns a lane for a word, even
// for the same word for all; as a texel 0.2.
#define BINDING_COUNTERS 8  // one list_counter per texel: LIST_BRICKS ...
#define BINDING_BRICKS   9  // ids of the active bricks
#define BINDING_SLOTS    10 // per brick: its place among them
#define BINDING_CELLS    11 // ids of the active cells
#define BINDING_EDGES    12 // edge ids of the vertices
#define BINDING_RANGES   13 // per brick: least and greatest key
#define BINDING_MASKS    14 // compaction scratch: a mask per lane, or per texel of the pyramid's base
#define BINDING_LEVELS   15 // compaction scratch: the HistoPyramid's levels
#define BINDING_PARTIALS 16 // the same, four words per texel: the partial sums of its vec4 form
#define BINDING_WORDS    17 // the source of a stream of plain words
// The same buffers, or a surface's, as storage buffers to write to: on llvmpipe a vector stored
// through a binding costs a quarter of one stored by address. Only while each fits a storage buffer
// binding; else CONSTANT_BOUND is 0 and kernels write by address.
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

// The lists whose length only the device knows.
#define LIST_BRICKS    0
#define LIST_CELLS     1
#define LIST_VERTICES  2
#define LIST_TRIANGLES 3
#define LISTS          4

// The only list of a stream of plain words.
#define LIST_WORDS 0

// A list under construction. `count` goes on counting past `capacity`: it then says the need.
struct list_counter {
    uint count;
    uint capacity;
    uint wrapped; // not 0: the count passed 2^32
    uint spare;
};

// Per brick, the least and greatest key over the samples of its cells (a halo of one included);
// nothing of what lies before or behind the atlas's own slices and rows, but the ends of the edges
// that start in the last ones.
struct ranges_push {
    ADDRESS(WriteUvec2s) ranges;
    uint bricks;
};

// Per brick row, the x, y and z edges and the cells that touch no gap (a sample not finite).
struct valid_masks_push {
    ADDRESS(WriteUvec4s) valid_masks;
    uint rows;
};

// Groups for a list that is complete: fold(min(count, capacity) * lanes per element / those that a
// lane of the kernel takes).
struct arrange_push {
    ADDRESS(ListCounter) counter;
    ADDRESS(WriteUints) arguments;
    uint lanes;
    uint each; // 0: 1
};

// Inside bits of the active bricks, halo included; notes each brick's slot in the list, and how
// many groups their rows take: a row per lane, and four.
struct classify_push {
    ADDRESS(ListCounter) bricks_counter;
    ADDRESS(ReadUints) bricks;
    ADDRESS(WriteUvec2s) row_masks;
    ADDRESS(WriteUints) slots;
    ADDRESS(WriteUints) rows_arguments;
    ADDRESS(WriteUints) fours_arguments;
    uint key;
};

// Crossing edges of the active bricks: records, and the list of vertices and the groups that they
// take, which are 0 at first.
struct edges_push {
    ADDRESS(ListCounter) bricks_counter;
    ADDRESS(ReadUints) bricks;
    ADDRESS(ReadUvec2s) row_masks; // read through BINDING_ROW_MASKS
    ADDRESS(ReadUvec4s) valid_masks;
    ADDRESS(WriteUvec4s) row_prefixes;
    ADDRESS(ListCounter) vertices_counter;
    ADDRESS(WriteUints) edges;
    ADDRESS(WriteVec3s) vertices; // position and normal by turns
    ADDRESS(Uints) vertices_arguments;
    // Beside: how many groups the active cells take, whose list is complete by now.
    ADDRESS(ListCounter) cells_counter;
    ADDRESS(WriteUints) cells_arguments;
    // Integers: iso_key is floor(isovalue) as a key, iso_high the rest. Floats: the isovalue is
    // (iso_high + iso_low) * 2^iso_exponent, iso_high's magnitude between 1/2 and 1, or 0.
    uint iso_key;
    float iso_high;
    float iso_low;
    int iso_exponent;
    uint base_y; // the volume's row that is the atlas's first
    uint base_z; // so for slices
};

// The vertices of edges that are listed already.
struct vertices_push {
    ADDRESS(ListCounter) vertices_counter;
    ADDRESS(ReadUints) edges;
    ADDRESS(WriteVec3s) vertices; // position and normal by turns
    uint iso_key;                 // and so on: as above
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

// What the host learns of a step.
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
