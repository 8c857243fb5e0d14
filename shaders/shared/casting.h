// Shared by the kernels of casting and the C side.
#ifndef SHADERS_SHARED_CASTING_H
#define SHADERS_SHARED_CASTING_H

#include "shaders/shared/extraction.h"

// Two levels of cubes tell where rays need not look: fine ones, of 2^CUBE_SHIFT cells a side, and
// coarse ones, of four fine ones a side.
#define COARSE_SHIFT 2

// A level of a tree: its nodes have 2^s leaves along an axis. The shifts s for x, y and z are 8
// bits each, and from bit TREE_AXIS on stands the axis along which the level above is halved.
#define TREE_AXIS 24

// An axis is halved so many times, at most.
#define TREE_HALVINGS 10

// A picture draws the tiles of so many pixels a side that have a hit.
#define CAST_TILE 16

// Turns of all loops of a ray, at most. llvmpipe ends an invocation's loops after 65,535.
#define CAST_TURNS 60000

// The result of a ray: t as the bits of a float, then the cell, (z * (DIM_Y - 1) + y) * (DIM_X - 1)
// + x, and CAST_BACK if the ray comes from the side of greater values. Without a hit both are
// CAST_NOTHING, so t is no number.
#define CAST_BACK    0x80000000u
#define CAST_NOTHING 0xffffffffu
// In place of the cell, of a pixel at an edge: the samples with a ray of their own, as bits, and
// what the pixel's centre has hit. In place of t stands the number of the
// pixel's first sample in the list of samples; only tests read it.
#define CAST_EDGE      0xfffff000u
#define CAST_EDGE_HIT  0x100u // the centre has a hit
#define CAST_EDGE_BACK 0x200u // and it is CAST_BACK

// A sample in the list is two words. The first one is the number of its pixel. The second one has, from
// bit 0 on, a bit for each sample of the pixel that gets a ray; from EDGE_SAMPLE on, three bits: the
// sample's number; from EDGE_REACH on, three bits: the ray's length is EDGE_BEFORE cells times 2 to this
// power, EDGE_TO_END: no limit. EDGE_BEGIN are the upper bits of a float: the t where the ray begins.
#define EDGE_SAMPLES 0xff
#define EDGE_SAMPLE  8
#define EDGE_REACH   11
#define EDGE_TO_END  7u
#define EDGE_BEGIN   0xffffc000u

// Rounds of a cast in several kernels, at most. In a round of wavefront-dda a ray searches up to
// CAST_CELLS_EACH cells that have samples on both sides. Measured on llvmpipe, bonsai at 36.5, with 8
// rounds by ink-collate: with 1, 2, 3, 4 and 6 cells a frame takes 2.2, 2.0, 1.9, 1.8 and 1.8 times
// the CPU time of dda. With 1 cell 2.1 % of the rays are left for the tail, with 2 0.3 %, with 4 0.01 %.
#define CAST_ROUNDS_MOST 64
#define CAST_CELLS_EACH  4

// A list of rays is read in the next round.
struct turn_push {
    uint round; // the number of that round, from 0
};

// Boxes over a tree's leaves that the isovalue meets. A node is four words: the first and the last
// leaf of its box, 10 bits each for x, y and z; and its two children. A child is the number of its
// node, or BVH_LEAF and the place of a leaf, which has no node of its own. A node that has become a
// leaf has the same first and last one; one without a leaf begins with 0xffffffff.
#define BVH_LEAF 0x80000000u

// A dispatch makes so many levels, at most: a workgroup of GROUP lanes has a lane for each node of
// the last one.
#define BVH_LEVELS 9

struct bvh_push {
    uint first, last; // levels that are made
    uint levels;      // of the tree
    uint contour;     // as in cast_push
};

// What a cast looks for. A cube has something to find if its least number is at most cubes_most and
// its greatest one is at least cubes_least.
struct cast_contour {
    STRUCT atlas_iso iso;
    uint cubes_most, cubes_least;
};

#define CONTOURS_MOST 8

// What the kernels of a cast read of its contours, in a storage buffer.
struct contours_block {
    STRUCT cast_contour list[CONTOURS_MOST];
    uint count;         // of contours: 1
    float planes[6][4]; // reserved for planes that cut the volume
};

// The point of a hit is stored at its pixel's number: the shadow looks at those around, and parts replace
// them. Without this bit it is stored at its place in the list of hits, so that points are written and read
// in a row.
#define CAST_BY_PIXEL 0x80000000u

// A ray starts at `anchor + x * across + y * down`, of which x and y are the centre of its pixel.
// Its direction is start * perspective - eye: `perspective` is 1, or 0 for an orthographic camera,
// whose `eye` is minus the direction. All are in grid units. The ray is what t * direction + start
// reaches from `begin` on.
struct cast_push {
    float anchor[3];
    float across[3];
    float down[3];
    float eye[3];
    float perspective;
    float begin;
    int x, y; // the first pixel; it may be outside of the picture
    uint width, height;
    // The width in pixels of the border around the picture, and in the top bit CAST_BY_PIXEL. Pixels of the
    // border are neighbours only: they get no samples at edges.
    uint border;
    uint contour; // its place in the contours_block
    // Of a cast of a part: the first and, in the upper half, the last of its own rows, and of its
    // own slices (compute/atlas.h).
    uint own_y, own_z;
};

// The soft shadow of the key light. SHADOW_RAYS rays go from each hit to places on a disc of light. All
// hits in a square of SHADOW_SIDE x SHADOW_SIDE pixels have other places, and the shadow is their mean.
#define SHADOW_SIDE   5
#define SHADOW_RAYS   2
#define SHADOW_INSIDE 1.0f // how far, in cells, a ray may go inside of the surface before it is outside
#define SHADOW_ABOVE  0.25f // how far above its hit, in cells, a ray begins: a power of two
#define SHADOW_NONE 0xffffffffu // of a pixel without a hit, in place of the bits of its rays

// The way to a light that is fixed to the view, in grid units: t * towards goes 1 in view space.
// Rays go along towards + a * across + b * down, of which (a, b) is in the unit disc: to all of the
// light. At t = reach they end, after about RAYS_LIGHT_CELLS cells (compute/casting/rays.h), if
// they have not left the volume.
struct rays_light {
    float towards[3];
    float across[3];
    float down[3];
    float reach;
};

struct shadow_push {
    STRUCT rays_light light;
    int x, y; // the first pixel of the cast
    uint width, height;
    uint contour, own_y, own_z; // as in cast_push
};

// The number of fine cubes of a brick. They have 4 cells a side and form a row along x.
#define MASK_CUBES (BRICK_X / 4)

// What the isovalue meets of an atlas.
struct masks_push {
    uint contour; // as in cast_push
    uint bricks;
    uint last; // slice
};

// Neighbouring hits are of one surface if they are in a row with the next one on the other side, up
// to so many cells.
#define EDGE_APART 2.0f
// The rays of samples at edges begin at least so many cells before the nearest hit around. If a pixel around has
// no hit, they end at least as many behind the farthest one.
#define EDGE_BEFORE 8.0f

// Where the surface may be along the rays of each square of SPAN_SIDE x SPAN_SIDE pixels, as two
// words: the least t, and the complement of the greatest one, both in the order of floats. Without
// a surface they are SPAN_NONE. The last square is all of them: it has the cubes that are nearer to
// the eye than SPAN_NEAREST of the plane where rays start, and those that many squares see.
#define SPAN_SIDE    8
#define SPAN_NEAREST 0.001f
#define SPAN_MOST    256
#define SPAN_NONE    0xffffffffu

// A point of the grid is at pixel x / s, y / s of the cast, and at t of its ray: s is perspective *
// t
// + 1, and x, y and t are rows to multiply with the point.
struct spans_push {
    float x[4];
    float y[4];
    float t[4];
    float perspective;
    float margin;      // of t
    uint across, down; // squares
};

// Lists the squares of a cast that have a span, of so many.
struct squares_push {
    uint across, down;
};

#endif
