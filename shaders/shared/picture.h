// Push constants of the pictures: surface, box, background and panel. Read by C and GLSL.
#ifndef SHARED_PICTURE_H
#define SHARED_PICTURE_H

#ifdef VULKAN
#define MAT4(name)       mat4 name
#define VEC4(name)       vec4 name
#define VEC4S(name, n)   vec4 name[n]
#define VEC2(name)       vec2 name
#define UINT(name)       uint name
#else
#include <stdint.h>
#define MAT4(name)     float name[4][4]
#define VEC4(name)     float name[4]
#define VEC4S(name, n) float name[n][4]
#define VEC2(name)     float name[2]
#define UINT(name)     uint32_t name
#endif

// Colours of the surface; one pipeline for each.
#define SURFACE_LIT   0 // lit
#define SURFACE_LINES 1 // the same, but brighter, because lines are thin
#define SURFACE_EDGES 2 // dark lines over the lit surface

struct surface_push {
    MAT4(clip);       // grid units to clip space
    // xyz: columns of the matrix from grid normals to view space. w of [0] and [1]: factors from
    // clip x and y to view space. w of [2]: 1 for a perspective camera; for an orthographic one the
    // factor from clip z to view space, which is negative.
    VEC4S(normal, 3);
    // x: 1 + the look, negative if the affine mirrors; y: one of SURFACE_*; z: 1 for flat shading; w: the colour
    // of the front, 1 + (65536 red + 256 green + blue) as displayed; 0: that of the look.
    VEC4(flags);
};

struct background_push {
    VEC4(top);    // colour as displayed (sRGB); w: noise, in steps of 8 bits
    VEC4(bottom); // the same; w: 0 for a gradient, else the side of squares of the two colours
};

struct box_push {
    MAT4(clip);
    VEC4(extent); // of the grid's box: dim - 1
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
    VEC4S(normal, 3); // columns of the matrix from grid normals to view space; w of [0] and [1]: bricks
                      // along x and y; w of [2]: samples per pixel, negative for the order
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

#define LIGHT_LEVELS 4 // of the cubes that light goes through

// What short rays need to know, to find how much light the surroundings of a vertex leave.
struct light_params {
    // Columns of the matrix from directions in the scene to cubes. w: how many cubes are stored along
    // each axis, in the finest level.
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
