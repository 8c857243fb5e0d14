// What shaders of the pictures get: of surface, box, background and panel. Read by C and GLSL.
#ifndef SHARED_PICTURE_H
#define SHARED_PICTURE_H

#ifdef VULKAN
#define MAT4(name)     mat4 name
#define VEC4(name)     vec4 name
#define VEC4S(name, n) vec4 name[n]
#define VEC2(name)     vec2 name
#define UINT(name)     uint name
#define INT(name)      int name
#define FLOAT(name)    float name
#else
#include <stdint.h>
#define MAT4(name)     float name[4][4]
#define VEC4(name)     float name[4]
#define VEC4S(name, n) float name[n][4]
#define VEC2(name)     float name[2]
#define UINT(name)     uint32_t name
#define INT(name)      int32_t name
#define FLOAT(name)    float name
#endif

// Colours of the surface; one pipeline for each.
#define SURFACE_LIT   0 // lit
#define SURFACE_LINES 1 // the same, but brighter, because lines are thin
#define SURFACE_EDGES 2 // dark lines over the lit surface

// Bits of picture_block.style.
#define SURFACE_MIRRORED 1 // the affine mirrors
#define SURFACE_FLAT     2 // each triangle has one normal
#define SURFACE_SHADOWED 4 // a normal of rays is longer than 1 by the hidden share of the key light
#define SURFACE_BY_PIXEL 8 // of rays: as CAST_BY_PIXEL

// The direction of the key light in view space, and how wide the light is: the tangent of the angle
// between the middle and the rim.
#define KEY_LIGHT_X     (-0.58f)
#define KEY_LIGHT_Y     0.72f
#define KEY_LIGHT_Z     0.42f
#define KEY_LIGHT_WIDTH 0.09f

// What all shaders of a picture see, in a uniform buffer (std140). The same for all that one
// submission draws; see renderer_fill in app/picture/renderer.c.
struct picture_block {
    MAT4(clip);       // grid units to clip space
    VEC4S(normal, 3); // xyz: columns of the matrix from grid normals to view space
    // xy: factors from clip x and y to view space. z: the size of a pixel in view space; of a
    // perspective camera, at distance 1. w: 1 for a perspective camera; for an orthographic one the
    // factor from clip z to view space, which is negative.
    VEC4(view);
    VEC4(front);      // colour of the side that faces lower values, linear light
    VEC4(back);       // of the other side
    VEC4(sky_top);    // the background's colour as displayed (sRGB); w: noise, in steps of 8 bits
    VEC4(sky_bottom); // the same; w: 0 for a gradient, else the side of squares of the two colours
    VEC4(extent);     // of the grid's box: dim - 1
    // Of the lists, whose grid units are those of the part that they are of.
    MAT4(part_clip);     // to clip space
    VEC4(part_extent);   // of the box from the part's origin on
    VEC4(eye);           // w: 0 for a direction towards it, at an orthographic camera
    VEC4(high);          // how bright the sides of a brick are that face +x, +y, +z
    VEC4(low);           // the same for -x, -y, -z
    VEC4(point);         // xy: half a cell's point, in clip space; zw: at least, if w is 1
    VEC2(pixel);         // its size in clip space
    UINT(style);         // SURFACE_MIRRORED and so on
    UINT(samples);       // of a pixel at an edge of rays
    FLOAT(gloss);        // how strong
    FLOAT(rim);          // how much more light silhouettes have
    FLOAT(ambient);      // 1: as dark in the shade as bone
    FLOAT(cell_samples); // per pixel of cells; negative for the order
    UINT(bricks_x);
    UINT(bricks_y);
    FLOAT(brick_edge); // width of the edges in pixels
    FLOAT(unused);
};

// How a surface is drawn, and in which rectangle.
struct picture_push {
    UINT(style);   // one of SURFACE_LIT to SURFACE_EDGES
    INT(centre_x); // of the viewport in half pixels; of rays, counted from the first pixel of the
                   // cast
    INT(centre_y);
    UINT(columns); // of the cast, in rays
    UINT(rows);
    UINT(scale); // the side of the square of pixels that a ray is for
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
#undef INT
#undef FLOAT

#endif
