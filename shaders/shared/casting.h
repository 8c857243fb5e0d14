// Shared by the kernels of casting and the C side.
#ifndef SHADERS_SHARED_CASTING_H
#define SHADERS_SHARED_CASTING_H

#include "shaders/shared/bindings.h"
#include "shaders/shared/glue.h"

// Two levels of cubes tell where rays need not look: fine ones, of 2^CUBE_SHIFT cells a side, and
// coarse ones, of four fine ones a side.
#define COARSE_SHIFT 2

// A level of a tree: its nodes have 2^s leaves along an axis. The shifts s for x, y and z are 8 bits each,
// and from bit TREE_AXIS on stands the axis along which the level above is halved.
#define TREE_AXIS 24

// An axis is halved so many times, at most.
#define TREE_HALVINGS 10

// A workgroup casts a tile of so many pixels a side.
#define CAST_TILE 16

// Turns of all loops of a ray, at most. llvmpipe ends an invocation's loops after 65,535.
#define CAST_TURNS 60000

// The result of a ray: t as the bits of a float, then the cell, (z * (DIM_Y - 1) + y) * (DIM_X - 1)
// + x, and CAST_BACK if the ray comes from the side of greater values. Without a hit: CAST_MISS and
// CAST_NOTHING.
#define CAST_BACK    0x80000000u
#define CAST_MISS    0x7f800000u // infinity; t may be negative
#define CAST_NOTHING 0xffffffffu

// Rounds of a cast in several kernels, at most.
#define CAST_ROUNDS_MOST 64

// A list of rays is read in the next round.
struct turn_push {
    uint round; // the number of that round, from 0
};

// Boxes over a tree's leaves that the isovalue meets. A node is four words: the first and the last leaf of
// its box, 10 bits each for x, y and z; and its two children. A leaf is its own first and last one. A node
// with no such leaf is four times 0xffffffff.
//
// A workgroup makes BVH_STEPS levels from the one below them: those above level `bottom`, from `top` on.
#define BVH_STEPS 8

struct bvh_push {
    uint top, bottom;
    uint levels; // of the tree
    uint most, least; // cubes_most and cubes_least
};

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
    uint x, y; // the first pixel
    uint width, height;
    // A cube has something to find if its least number is at most cubes_most and its greatest one
    // is at least cubes_least.
    uint cubes_most, cubes_least;
    // The isovalue as in vertices_push, and the key that inside samples reach.
    uint key;
    uint iso_key;
    float iso_high;
    float iso_low;
    int iso_exponent;
};

#endif
