// The parameters of the shaders in draw/ and of the light. Read by C and GLSL.
#ifndef SHARED_PICTURE_H
#define SHARED_PICTURE_H

#include "shaders/shared/casting.h"

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

// Ways to colour the surface; one pipeline for each.
#define SURFACE_LIT   0 // lit faces
#define SURFACE_LINES 1 // lit, but brighter, because lines are thin
#define SURFACE_EDGES 2 // dark lines over the lit surface

// Bits of picture_block.style.
#define SURFACE_MIRRORED   1 // the affine map of the volume mirrors
#define SURFACE_FLAT       2 // each triangle has one normal
#define SURFACE_SHADOWED   4 // normals of hits are longer than 1 by the hidden share of the key light
#define SURFACE_BY_PIXEL   8  // points of hits are stored as with CAST_BY_PIXEL
#define SURFACE_CUT_BY_ALL 16 // only what none of the planes keeps is removed

// The direction of the key light in view space, and how wide the light is: the tangent of the angle
// between the middle and the rim.
#define KEY_LIGHT_X     (-0.58f)
#define KEY_LIGHT_Y     0.72f
#define KEY_LIGHT_Z     0.42f
#define KEY_LIGHT_WIDTH 0.09f

// What all shaders of a picture see, in a uniform buffer (std140). All that one submission draws
// uses the same block; see renderer_fill in app/picture/renderer.c.
struct picture_block {
    MAT4(clip);       // grid units to clip space
    VEC4S(normal, 3); // xyz: columns of the matrix from grid normals to view space
    // xy: factors from clip x and y to view space. z: the size of a pixel in view space; for a
    // perspective camera, at distance 1. w: 1 for a perspective camera; for an orthographic one the
    // factor from clip z to view space, which is negative.
    VEC4(view);
    VEC4S(front, CONTOURS_MOST); // per contour: linear colour of the side that faces lower values
    VEC4(back);                  // colour of the side that faces greater values
    VEC4(sky_top);    // the background's colour as displayed (sRGB); w: noise, in steps of 8 bits
    VEC4(sky_bottom); // colour at the bottom; w: 0 for a gradient, else the side of squares
    VEC4(extent);     // xyz: size of the grid's box: dim - 1
    // For drawing the lists. Their grid units count from the origin of their part.
    MAT4(part_clip);     // grid units of the part to clip space
    VEC4(part_extent);   // xyz: size of the box that begins at the part's origin
    VEC4(eye);           // the eye; for an orthographic camera the direction towards it, and w is 0
    VEC4(high);          // brightness of the sides of a brick that face +x, +y, +z
    VEC4(low);           // brightness of the sides that face -x, -y, -z
    VEC4(point);         // half a cell's point in clip space. xy: wanted; zw: least, if w is 1
    VEC4S(planes, 3);    // that cut the surface, as in struct cuts of app/settings/plane.h
    VEC2(pixel);         // size of a pixel in clip space
    UINT(style);         // bits: SURFACE_MIRRORED to SURFACE_CUT_BY_ALL
    UINT(samples);       // samples of a pixel at an edge, for rays; 0: pixels have layers
    FLOAT(gloss);        // strength of the gloss
    FLOAT(rim);          // strength of the extra light at silhouettes
    FLOAT(ambient);      // factor of the ambient light; 1 for bone
    FLOAT(cell_samples); // samples per pixel; negative: colour cells by their order
    UINT(bricks_x);
    UINT(bricks_y);
    FLOAT(brick_edge); // width of the edges of bricks in pixels
    UINT(solid);       // bits of the contours that enclose what takes light, for rays
};

// How a surface is drawn, and in which rectangle.
struct picture_push {
    UINT(style);   // one of SURFACE_LIT to SURFACE_EDGES
    INT(centre_x); // centre of the viewport in half pixels; for rays, counted from the first pixel
                   // of the cast
    INT(centre_y);
    UINT(columns); // columns and rows of the cast, in rays
    UINT(rows);
    UINT(scale); // a ray is for a square of scale x scale pixels
    UINT(contour);
    UINT(cut); // 1: the planes cut the surface
};

// Draws the pixels that section.comp has found.
struct plane_push {
    INT(x); // the first one, in pixels of the picture
    INT(y);
    UINT(columns);
    UINT(samples);   // of a pixel
    UINT(by_sample); // 1: the picture has these samples
};

// For shade.comp.
struct shade_push {
    UINT(cell_bits); // bits of a hit's second word that are below its contour
    UINT(fronts);    // 4 bits for each contour of the cast: the index of its colour in `front`
    UINT(caps);      // of the contours_block
};

// Draws a level of the HistoPyramid of the cells as a square.
struct levels_push {
    VEC4(square);  // left, top, right, bottom in clip space
    UINT(level);   // number of the level; 0: the base
    UINT(side);    // side of the square, in pixels
    UINT(leaves);  // leaves that memory was allocated for
    UINT(pyramid); // enum pyramid of compute/compaction/method.h
};

// Draws one of three things: active cells at their texels in the slices, which are laid out as
// tiles; active cells row by row, in the order of the list; or a level of the pyramid over the
// tiles.
#define SLICES_LIST  1 // the list, not the tiles
#define SLICES_CELLS 2 // the cells, not the frame around them
#define SLICES_LEVEL 4 // a level, not the tiles
struct slices_push {
    INT(left); // the frame's inner corner, in pixels
    INT(top);
    UINT(side);  // most pixels within the frame, along either side
    UINT(what);  // bits: as above; none: the tiles and their frame
    UINT(cols);  // tiles side by side
    UINT(level); // number of the level; 0: the tiles
};

// Colours (sRGB) at equal distances along a ramp whose steps look equally large (viridis).
#define RAMP_STOPS 9
#define RAMP                                                                                       \
    0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725

struct overlay_push {
    VEC2(scale); // pixels to clip space: 2 / size
    VEC2(origin);
    UINT(linear); // 1 if the target encodes sRGB by itself
};

// A sample packed as a signed number of 64 bits. Of the samples of several ranks the least number
// is the nearest sample, and among equally near ones that of the first rank. The upper half is the
// depth as a float from 0 to 1. The lower half has, from the top, the rank's order, and blue, green
// and red as stored, in 8 bits each. Alpha is left out: all that is drawn is opaque.
#define COMPOSITE_ORDER 24 // how far the order is shifted left

struct composite_push {
    UINT(number); // number of the sample in each pixel
    UINT(order);  // order of the rank, below 256
    UINT(width);  // numbers per row of the buffer
};

#define LIGHT_LEVELS 4 // levels of the cubes that occlusion rays read

// Parameters of occlusion.glsl, which finds how much light reaches a vertex.
struct light_params {
    // Columns of the matrix from directions in the scene to cubes. w: number of cubes that are
    // stored along each axis, in the finest level.
    VEC4S(to_cubes, 3);
    VEC4S(normal, 3); // columns of the matrix from grid normals to the scene; w of [0]: the
                      // reciprocal of a cube's edge; w of [1]: the reach of a ray in the scene;
                      // w of [2]: the number of rays
    VEC4(extent); // xyz: size of the volume in cubes; w: 1 if only what all planes remove is gone
    VEC4S(planes, 3); // of a place in cubes: how far within what a plane keeps
};

#undef MAT4
#undef VEC4
#undef VEC4S
#undef VEC2
#undef UINT
#undef INT
#undef FLOAT

#endif
