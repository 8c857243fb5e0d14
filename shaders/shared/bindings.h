// Numbers of the bindings in descriptor set 0: the buffers and images that kernels read and write.
// A kernel has the bindings that its shader uses: shaders/reflect.c finds them in the SPIR-V.
//
// A list is written through a storage buffer, and read by later passes as texels: on llvmpipe a
// step that reads its lists through storage buffers takes 1.3 times as long.
#ifndef SHADERS_SHARED_BINDINGS_H
#define SHADERS_SHARED_BINDINGS_H

// The number of the binding that reads the buffer of `binding` as texels.
#define TEXELS(binding) (128 + (binding))

// A volume on the device (compute/atlas.h).
#define BINDING_SAMPLES     0 // keys of the samples, in an image (2D array)
#define BINDING_KEYS8       1 // keys in a storage texel buffer of 8-bit elements
#define BINDING_KEYS16      2 // keys in one of 16-bit elements
#define BINDING_KEYS32      3 // keys in one of 32-bit elements
#define BINDING_KEY_BLOCKS  4 // keys in 16-byte blocks, read only as texels
#define BINDING_RANGES      5 // per brick: least and greatest key
#define BINDING_VALID_MASKS 6 // per row: masks of the valid x, y and z edges and of the valid cells

// An extraction step (compute/extraction). Each list has a counter. Each pass has dispatch
// arguments.
#define BINDING_CASES             7 // packed marching-cubes cases
#define BINDING_BRICKS            8 // ids of the active bricks
#define BINDING_SLOTS             9 // per brick: its index in the list of active bricks
#define BINDING_ROW_MASKS         10 // 25 per active brick: mask of 32 samples, and the bit at x + 32
#define BINDING_ROW_PREFIXES      11 // 16 per brick: first vertex, masks of the crossing x, y, z edges
#define BINDING_CELLS             12 // ids of the active cells
#define BINDING_EDGES             13 // edge ids of the vertices
#define BINDING_VERTICES          14 // per vertex: position, normal
#define BINDING_INDICES           15
#define BINDING_BRICKS_COUNTER    16
#define BINDING_CELLS_COUNTER     17
#define BINDING_VERTICES_COUNTER  18
#define BINDING_TRIANGLES_COUNTER 19
#define BINDING_HALO_ARGUMENTS    20 // dispatch arguments of classify
#define BINDING_ROWS_ARGUMENTS    21 // for a lane per row of the active bricks
#define BINDING_FOURS_ARGUMENTS   22 // for a lane per four rows
#define BINDING_SHARED_ARGUMENTS  23 // for a workgroup per SHARED_FOURS groups of four rows
#define BINDING_CELLS_ARGUMENTS   24
#define BINDING_DRAW              25 // two draw commands
#define BINDING_PREVIOUS_DRAW     26

// A compaction (compute/compaction): a stream, the list that a method makes of it, and scratch.
#define BINDING_WORDS     27 // the source of a stream of plain words
#define BINDING_LIST      28
#define BINDING_COUNTER   29 // counter of the list
#define BINDING_ARGUMENTS 30 // dispatch arguments of a method's own pass
#define BINDING_EVENTS    31
#define BINDING_MASKS     32 // a mask per lane, or per texel of a pyramid's base
#define BINDING_BLOCKS    33 // a few words per block of the stream
#define BINDING_LEVELS    34
#define BINDING_PARTIALS  35 // levels of a pyramid, four words per texel

// Redzone: a removal list, and lists that are kept from run to run.
#define BINDING_REMOVALS          36
#define BINDING_REMOVALS_COUNTER  37
#define BINDING_REMOVAL_ARGUMENTS 38
#define BINDING_LIST_ARGUMENTS    39
#define BINDING_KEPT              40 // one word: the length of the kept list before elements join
#define BINDING_WORK              41 // REDZONE_WORK words
#define BINDING_ORPHANS           42 // of redzone-2:in-place: how many each batch of removals has
#define BINDING_NOW               43 // masks of what the stream's lanes keep in this run
#define BINDING_BEFORE            44 // masks of the previous run

// Arguments for drawing the lists: see finish.comp.
#define BINDING_LISTS_DRAW 45 // two draw commands without indices: for bricks, for cells

// A cast (compute/casting).
#define BINDING_CUBES         46 // fine and coarse cubes, as words in a storage texel buffer
#define BINDING_HITS          47 // per pixel: t, cell and side
#define BINDING_HIT_LIST      48 // the pixels that have a hit
#define BINDING_HIT_COUNTS    49 // counter of the list of hits
#define BINDING_POINTS        50 // per hit: position and normal, see CAST_BY_PIXEL
#define BINDING_TILES         51 // per tile of pixels: 1 if one of them has a hit, else 0
#define BINDING_TREE          52 // a kd-tree's levels and nodes, as words in a storage texel buffer
#define BINDING_BVH           53 // boxes over a tree's leaves: four words a node
#define BINDING_STACKS        54 // stacks of rays in rounds: entry at height * pixels + pixel
#define BINDING_ROUNDS        55 // per round: the number of rays that enter it
#define BINDING_WORDS_COUNTER 56 // length of a stream of words, where only the device knows it

// Spans, for the casters that skip space by them.
#define BINDING_SPANS 57 // per square of pixels: the range of t in which the surface may be

// Pixels at edges, whose samples have rays of their own.
#define BINDING_EDGES_LIST    58 // the samples that get a ray, see EDGE_SAMPLES
#define BINDING_EDGES_COUNTER 59
#define BINDING_EDGE_POINTS   60 // per such sample: position and normal, see edge_cast.comp

// Cells and cubes that the isovalue meets, and squares of pixels that may see the surface.
#define BINDING_CELL_MASKS      61 // masks of cells and of fine cubes, see shaders/lib/cell_masks.glsl
#define BINDING_MASK_WORDS      62 // the buffer of BINDING_CELL_MASKS as words
#define BINDING_SQUARES         63 // list of the squares
#define BINDING_SQUARES_COUNTER 64

// States of rays in rounds, each at the number of the lane that stored it (lib/working.glsl).
#define BINDING_RAYS      65 // stored by the kernel before, read as texels
#define BINDING_NEXT_RAYS 66 // stored by this kernel

// The shadow of the key light.
#define BINDING_SHADES 67 // per pixel with a hit: which of its rays reach the key light, as bits

// A cast over the parts of a volume.
#define BINDING_NEAREST        68 // per pixel: the nearest hit of the parts so far
#define BINDING_NEAREST_LIST   69 // list of the pixels that have a nearest hit
#define BINDING_NEAREST_COUNTS 70 // counter of that list
#define BINDING_EDGE_NEAREST   71 // per sample at edges: the nearest hit of the parts so far

// What a picture of hits is drawn from: see shade.comp.
#define BINDING_COLOURS      72 // per pixel with a hit or at an edge: colour and depth, see light.glsl
#define BINDING_EDGE_COLOURS 73 // per sample at edges: colour and depth
// Ambient occlusion: see occlusion.glsl.
#define BINDING_SOLID 74
#define BINDING_LIGHT 75

// Images that drawings read.
#define BINDING_DRAWN  76 // a picture, or its samples, 8 bits per channel
#define BINDING_DEPTHS 77 // depths of the samples
#define BINDING_PACKED 78 // one sample of each pixel, packed: see composite_push
#define BINDING_GLYPHS 79

#define BINDING_PICTURE  80 // the picture_block of shaders/shared/picture.h, a uniform buffer
#define BINDING_CONTOURS 81 // the contours_block of shaders/shared/casting.h

#define BINDING_SECTION 82 // the section_block of shaders/shared/casting.h

#define BINDINGS 83

#endif
