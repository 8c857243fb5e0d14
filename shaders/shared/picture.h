// Push constants of the pictures: surface, box, background and panel. Read by C and GLSL.
#ifndef SHARED_PICTURE_H
#define SHARED_PICTURE_H

#ifdef VULKAN
#define MAT4(name)     mat4 name
#define VEC4(name)     vec4 name
#define VEC4S(name, n) vec4 name[n]
#define VEC2(name)     vec2 name
#define UINT(name)     uint name
#define FLOAT(name)    float name
#else
#include <stdint.h>
#define MAT4(name)     float name[4][4]
#define VEC4(name)     float name[4]
#define VEC4S(name, n) float name[n][4]
#define VEC2(name)     float name[2]
#define UINT(name)     uint32_t name
#define FLOAT(name)    float name
#endif

// Colours of the surface; one pipeline for each.
#define SURFACE_LIT   0 // lit
#define SURFACE_LINES 1 // the same, but brighter, because lines are thin
#define SURFACE_EDGES 2 // dark lines over the lit surface

#define SURFACE_STYLES       3  // the bits of the above
#define SURFACE_MIRRORED     4  // the affine mirrors
#define SURFACE_FLAT         8  // each triangle has one normal
#define SURFACE_LOOK         4  // a shift
#define SURFACE_LOOK_MASK    15 // the bits of the look after it, where rays are drawn
#define SURFACE_SCALE        8 // a shift: where rays are drawn, the side of the square that one is for
#define SURFACE_SCALE_MASK   7
#define SURFACE_COLUMNS      11 // a shift: rays in a row of the cast
#define SURFACE_COLUMNS_MASK 0xffff
#define SURFACE_SAMPLES      27 // a shift: samples of a pixel at an edge, minus 1
#define SURFACE_CHOSEN       (1u << 30)

#define SURFACE_SHADOWED                                                                           \
    (1u << 30) // where rays are drawn: a normal is longer than 1 by the hidden share of
               // the key light
#define SURFACE_BY_PIXEL (1u << 31) // where rays are drawn: as CAST_BY_PIXEL

// The direction of the key light in view space, and how wide the light is: the tangent of the angle
// between the middle and the rim.
#define KEY_LIGHT_X     (-0.58f)
#define KEY_LIGHT_Y     0.72f
#define KEY_LIGHT_Z     0.42f
#define KEY_LIGHT_WIDTH 0.09f

struct surface_push {
    MAT4(clip); // grid units to clip space
    // xyz: columns of the matrix from grid normals to view space. w of [0] and [1]: factors from
    // clip x and y to view space. w of [2]: 1 for a perspective camera; for an orthographic one the
    // factor from clip z to view space, which is negative.
    VEC4S(normal, 3);
    UINT(style); // one of SURFACE_LIT to SURFACE_EDGES; bits SURFACE_MIRRORED and SURFACE_FLAT; and
                 // from SURFACE_LOOK on enum look of app/settings/view.h; for rays,
                 // the rest from SURFACE_SCALE on
    UINT(centre); // of the viewport: x and, from bit 16 on, y, signed, in half pixels; for rays,
                  // counted from the first pixel of the cast
    FLOAT(pixel); // the size of a pixel in view space; of a perspective camera, at distance 1
    UINT(colour); // of the front: 0 is that of the look, else SURFACE_CHOSEN and, from bit 20, 10,
                  // 0 on, the square roots of red, green, blue in linear light, of 1023; where rays
                  // are drawn, the rows of the cast
};

struct background_push {
    VEC4(top);    // colour as displayed (sRGB); w: noise, in steps of 8 bits
    VEC4(bottom); // the same; w: 0 for a gradient, else the side of squares of the two colours
};

struct box_push {
    MAT4(clip);
    VEC4(extent); // of the grid's box: dim - 1
    VEC2(pixel);  // its size in clip space
};

// Active bricks as boxes. Grid units are those of the part that the lists are of.
struct bricks_push {
    MAT4(clip);   // grid units to clip space
    VEC4(eye);    // in grid units; w: 0 for a direction towards it, at an orthographic camera
    VEC4(extent); // of the grid's box: dim - 1; w: bricks along x
    VEC4(high);   // how bright the sides are that face +x, +y, +z; w: bricks along y
    VEC4(low);    // the same for -x, -y, -z; w: width of the edges in pixels
};

// Active cells as points. The point's size is that of a cell, or the least one if that is larger.
struct cells_push {
    MAT4(clip);       // grid units to clip space
    VEC4S(normal, 3); // columns of the matrix from grid normals to view space; w of [0] and [1]:
                      // bricks along x and y; w of [2]: samples per pixel, negative for the order
    VEC4(point);      // xy: half the point's size, in clip space; zw: half a pixel, if w is 1
};

// A level of the HistoPyramid of the cells as a square.
struct levels_push {
    VEC4(square);  // left, top, right, bottom in clip space
    UINT(level);   // 0: the base
    UINT(side);    // of the square, in pixels
    UINT(leaves);  // that there is room for
    UINT(pyramid); // enum pyramid of compute/compaction/method.h
};

// Colours as displayed at equal distances of a ramp whose steps look equally large (viridis).
#define RAMP_STOPS 9
#define RAMP                                                                                       \
    0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725

struct overlay_push {
    VEC2(scale); // pixels to clip space: 2 / size
    VEC2(origin);
    UINT(linear); // 1 if the target encodes sRGB by itself
};

// A sample packed as a signed number of 64 bits, so that of several ranks' samples the least number
// is that of the nearest one, and of equally near ones that of the first rank. The upper half is
// the depth as a float from 0 to 1. The lower half is, from the top, the order among ranks, blue,
// green and red as stored, of 8 bits each. Alpha is left out: what has been drawn is opaque.
#define COMPOSITE_ORDER 24 // a shift

struct composite_push {
    UINT(number); // of the sample in each pixel
    UINT(order);  // below 256
    UINT(width);  // of a row of numbers
};

#define LIGHT_LEVELS 4 // of the cubes that light goes through

// What short rays need to know, to find how much light the surroundings of a vertex leave.
struct light_params {
    // Columns of the matrix from directions in the scene to cubes. w: how many cubes are stored
    // along each axis, in the finest level.
    VEC4S(to_cubes, 3);
    VEC4S(normal, 3); // columns of the matrix from grid normals to the scene; w of [0]: the
                      // reciprocal of a cube's edge; w of [1]: the reach of a ray in the scene;
                      // w of [2]: the number of rays
    VEC4(extent);     // of the volume, in cubes
};

#undef MAT4
#undef VEC4
#undef VEC4S
#undef VEC2
#undef UINT

#endif
