// Shared by the kernels of casting and the C side.
#ifndef SHADERS_SHARED_CASTING_H
#define SHADERS_SHARED_CASTING_H

#include "shaders/shared/bindings.h"
#include "shaders/shared/glue.h"

// Two levels of cubes tell where rays need not look: fine ones, of 2^CUBE_SHIFT cells a side, and
// coarse ones, of four fine ones a side.
#define COARSE_SHIFT 2

// A picture draws the tiles of so many pixels a side that have a hit.
#define CAST_TILE 16

// Turns of all loops of a ray, at most. llvmpipe ends an invocation's loops after 65,535.
#define CAST_TURNS 60000

// The result of a ray: t as the bits of a float, then the cell, (z * (DIM_Y - 1) + y) * (DIM_X - 1)
// + x, and CAST_BACK if the ray comes from the side of greater values. Without a hit both
// are CAST_NOTHING, so t is no number.
#define CAST_BACK    0x80000000u
#define CAST_NOTHING 0xffffffffu

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

// What the isovalue meets: its key, and the number of bricks.
struct masks_push {
    uint key;
    uint bricks;
};

// Where the surface may be along the rays of each square of SPAN_SIDE x SPAN_SIDE pixels, as two
// words: the least t, and the complement of the greatest one, both in the order of floats. Without a
// surface they are SPAN_NONE. The last square is all of them: it has the cubes that are nearer to
// the eye than SPAN_NEAREST of the plane where rays start, and those that many squares see.
#define SPAN_SIDE    8
#define SPAN_NEAREST 0.001f
#define SPAN_MOST    256
#define SPAN_NONE    0xffffffffu

// A point of the grid is at pixel x / s, y / s of the cast, and at t of its ray: s is perspective * t
// + 1, and x, y and t are rows to multiply with the point.
struct spans_push {
    float x[4];
    float y[4];
    float t[4];
    float perspective;
    float margin; // of t
    uint across, down; // squares
    uint most, least;  // as cubes_most and cubes_least
};

// Lists the squares of a cast that have a span.
struct squares_push {
    uint squares;
};

#endif
