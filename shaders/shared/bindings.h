// What kernels read and write, by the numbers of its bindings in descriptor set 0. A kernel has
// those that its shader uses; shaders/reflect.c finds them in the SPIR-V.
//
// A list is written through a storage buffer, and read by later passes as texels: on llvmpipe a
// step that reads its lists through storage buffers takes 1.3 times as long.
#ifndef SHADERS_SHARED_BINDINGS_H
#define SHADERS_SHARED_BINDINGS_H

// The number under which a buffer is read as texels.
#define TEXELS(binding) (128 + (binding))

// A volume on the device (compute/atlas.h).
#define BINDING_SAMPLES     0 // keys, in an image (2D array)
#define BINDING_KEYS8       1 // or in a storage texel buffer of a fixed format: bytes,
#define BINDING_KEYS16      2 // halves,
#define BINDING_KEYS32      3 // or words
#define BINDING_KEY_BLOCKS  4 // the same in 16-byte blocks, only as texels
#define BINDING_RANGES      5 // per brick: least and greatest key
#define BINDING_VALID_MASKS 6 // per row: valid x, y and z edges, and valid cells

// A step (compute/extraction). Each list has a counter, and each pass dispatch arguments.
#define BINDING_CASES             7  // packed marching-cubes cases
#define BINDING_BRICKS            8  // ids of the active bricks
#define BINDING_SLOTS             9  // per brick: its index in that list
#define BINDING_ROW_MASKS         10 // 25 per active brick: (mask, the bit at x + 32)
#define BINDING_ROW_PREFIXES      11 // 16 per brick: (first vertex, mask of x crossings, of y, of z)
#define BINDING_CELLS             12 // ids of the active cells
#define BINDING_EDGES             13 // edge ids of the vertices
#define BINDING_VERTICES          14 // position, normal, position ...
#define BINDING_INDICES           15
#define BINDING_BRICKS_COUNTER    16
#define BINDING_CELLS_COUNTER     17
#define BINDING_VERTICES_COUNTER  18
#define BINDING_TRIANGLES_COUNTER 19
#define BINDING_HALO_ARGUMENTS    20 // of classify
#define BINDING_ROWS_ARGUMENTS    21 // a lane per row of the active bricks
#define BINDING_FOURS_ARGUMENTS   22 // a lane per four rows
#define BINDING_SHARED_ARGUMENTS  23 // a workgroup per SHARED_FOURS times four rows
#define BINDING_CELLS_ARGUMENTS   24
#define BINDING_DRAW              25 // two draw commands
#define BINDING_PREVIOUS_DRAW     26

// A compaction (compute/compaction): a stream, the list that a method makes of it, and scratch.
#define BINDING_WORDS     27 // the source of a stream of plain words
#define BINDING_LIST      28
#define BINDING_COUNTER   29 // of the list
#define BINDING_ARGUMENTS 30 // of a method's own pass
#define BINDING_EVENTS    31
#define BINDING_MASKS     32 // a mask per lane, or per texel of a pyramid's base
#define BINDING_BLOCKS    33 // a few words per block of the stream
#define BINDING_LEVELS    34
#define BINDING_PARTIALS  35 // the levels with four words per texel

// Redzone: a removal list, and lists that are kept from run to run.
#define BINDING_REMOVALS          36
#define BINDING_REMOVALS_COUNTER  37
#define BINDING_REMOVAL_ARGUMENTS 38
#define BINDING_LIST_ARGUMENTS    39
#define BINDING_KEPT              40 // one word: the length of the kept list before elements join
#define BINDING_WORK              41 // REDZONE_WORK words
#define BINDING_ORPHANS           42
#define BINDING_NOW               43 // what the lanes of the stream keep now
#define BINDING_BEFORE            44 // the same for the previous run

// What a picture of the lists draws: see finish.
#define BINDING_LISTS_DRAW 45 // two draw commands without indices: bricks, cells

// A cast (compute/casting).
#define BINDING_CUBES           46 // the levels of cubes, as words in a storage texel buffer
#define BINDING_HITS            47 // per pixel: t, cell and side
#define BINDING_HIT_LIST        48 // the pixels that have a hit
#define BINDING_HIT_COUNTS      49 // the list's counter
#define BINDING_POINTS          50 // per hit: position and normal, see CAST_BY_PIXEL
#define BINDING_TILES           51 // per tile of pixels: 1 if one of them has a hit, else 0
#define BINDING_TREE            52 // a kd-tree's levels and nodes, as words in a storage texel buffer
#define BINDING_BVH             53 // boxes over a tree's leaves: four words a node
#define BINDING_STACKS          54 // of rays in rounds: a word by height, then by pixel
#define BINDING_ROUNDS          55 // a word per round: the rays that go into it
#define BINDING_WORDS_COUNTER   56 // of a stream of words whose length only the device knows

// Of casters that skip by them.
#define BINDING_SPANS 57 // per square of pixels: where the surface may be

// Pixels at edges, whose samples have rays of their own.
#define BINDING_EDGES_LIST    58 // the pixels
#define BINDING_EDGES_COUNTER 59
#define BINDING_EDGE_POINTS   60 // per sample of each: see edge_cast.comp

// What the isovalue meets, and the squares of pixels that may see it.
#define BINDING_CELL_MASKS 61 // per cube: a bit per cell or fine cube; see shaders/lib/cell_masks.glsl
#define BINDING_MASK_WORDS 62 // the same buffer as words
#define BINDING_SQUARES         63 // the squares
#define BINDING_SQUARES_COUNTER 64

// Rays in rounds, by the lane of the kernel that has stored them (shaders/lib/working.glsl).
#define BINDING_RAYS      65 // of the last kernel, as texels
#define BINDING_NEXT_RAYS 66 // of this one

// The shadow.
#define BINDING_SHADES 67 // per pixel with a hit: which of its rays reach the key light, as bits

// A cast over the parts of a volume.
#define BINDING_NEAREST        68 // per pixel: the nearest hit of the parts so far
#define BINDING_NEAREST_LIST   69 // the pixels that have one
#define BINDING_NEAREST_COUNTS 70 // the list's counter
#define BINDING_EDGE_NEAREST   71 // the nearest hit per sample at edges

// What a picture of hits is drawn from: see shade.comp.
#define BINDING_COLOURS      72 // per pixel with a hit, or at an edge: what is drawn of it
#define BINDING_EDGE_COLOURS 73 // per sample at edges
// The light that the surroundings leave: see occlusion.glsl.
#define BINDING_SOLID 74
#define BINDING_LIGHT 75

// Images that drawings read.
#define BINDING_DRAWN  76 // a picture, or its samples, as bytes
#define BINDING_DEPTHS 77 // of the samples
#define BINDING_PACKED 78 // the samples of one number, packed: see composite_push
#define BINDING_GLYPHS 79

#define BINDING_PICTURE  80 // the picture_block of shaders/shared/picture.h, a uniform buffer
#define BINDING_CONTOURS 81 // the contours_block of shaders/shared/casting.h

#define BINDINGS 82

#endif
