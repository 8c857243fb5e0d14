// Shared by the kernels of casting and the C side.
#ifndef SHADERS_SHARED_CASTING_H
#define SHADERS_SHARED_CASTING_H

#include "shaders/shared/extraction.h"

// Rays skip the cubes that the isovalue misses. There are two levels: fine cubes with 2^CUBE_SHIFT
// cells a side, and coarse cubes with four fine cubes a side.
#define COARSE_SHIFT 2

// The shifts of a level of a tree: its nodes have 2^s leaves along an axis. The shifts s for x, y
// and z have 8 bits each. The bits from TREE_AXIS on are the axis along which the level above is
// halved.
#define TREE_AXIS 24

// The most times that an axis is halved.
#define TREE_HALVINGS 10

// The side of a tile in pixels. A picture draws only tiles that have a hit.
#define CAST_TILE 16

// The most iterations of all loops of a ray together. llvmpipe ends an invocation's loops after
// 65,535.
#define CAST_TURNS 60000

// A hit is two words. The first one is t, as the bits of a float. The second one is the number of
// the cell, (z * (DIM_Y - 1) + y) * (DIM_X - 1) + x, with CAST_BACK added if the ray comes from the
// side of greater values. If a cast has several contours, the bits below CAST_BACK are the number
// of the hit's contour; see CAST_MANY. Without a hit both are CAST_NOTHING; t then is not a number.
// If a cast has caps, the first of these bits is CAST_CAP: the hit is the cap that closes the
// contour's solid.
#define CAST_BACK    0x80000000u
#define CAST_CAP     0x40000000u
#define CAST_NOTHING 0xffffffffu
// A pixel at an edge has other words. The second one is CAST_EDGE, the bits of the samples that
// have a ray of their own, and what the pixel's centre has hit. The first one is the index of the
// pixel's first sample in the list of samples; only tests read it.
#define CAST_EDGE         0xffffc000u
#define CAST_EDGE_HIT     0x100u // the pixel's centre has a hit
#define CAST_EDGE_BACK    0x200u // that hit has CAST_BACK
#define CAST_EDGE_CONTOUR 10     // from this bit on, 3 bits: the contour of that hit
#define CAST_EDGE_CAP     0x2000u // that hit has CAST_CAP

// A sample in the list is two words. The first one is the number of its pixel. The second one has
// - from bit 0 on, a bit for each sample of the pixel that gets a ray;
// - from EDGE_SAMPLE on, 3 bits: the number of this sample; from EDGE_REACH on, 3 bits: n; the ray
// is
//   EDGE_BEFORE * 2^n cells long, or has no limit if n is EDGE_TO_END;
// - in the bits EDGE_BEGIN, the upper bits of a float: the t where the ray begins.
#define EDGE_SAMPLES 0xff
#define EDGE_SAMPLE  8
#define EDGE_REACH   11
#define EDGE_TO_END  7u
#define EDGE_BEGIN   0xffffc000u

// The most rounds of a cast in several kernels, and the most cells with samples on both sides that
// a ray searches in a round of wavefront-dda. Measured on llvmpipe, bonsai at 36.5, with 8 rounds
// by ink-collate: with 1, 2, 3, 4 and 6 cells a frame takes 2.2, 2.0, 1.9, 1.8 and 1.8 times the
// CPU time of dda. With 1 cell 2.1 % of the rays are left for the tail, with 2 0.3 %, with 4 0.01
// %.
#define CAST_ROUNDS_MOST 64
#define CAST_CELLS_EACH  4

// A ray through layers ends when less than this share of the light comes through them.
#define LAYERS_LEAST (1.0f / 512.0f)
// What a ray through layers has seen: the sum of the colours, the share of the light that they
// take, and a word that stands for the contours met, one after the other, and their sides. In its
// two lowest bits is the number of the last crossing (lib/crossings.glsl) less 1.
#define LAYERS_WORDS 5
#define LAYERS_MET   4 // the index of that word

// For turn.comp, which prepares the list of rays for the next round.
struct turn_push {
    uint round; // number of the next round, from 0
};

// Boxes over a tree's leaves that the isovalue meets. A node is four words: the first and the last
// leaf of its box, 10 bits each for x, y and z, and its two children. A child is the number of its
// node, or BVH_LEAF and the position of a leaf. Such a leaf has no node. A node that has become a
// leaf has the same first and last leaf. A dead node has no leaf and begins with 0xffffffff.
#define BVH_LEAF 0x80000000u

// The most levels that a dispatch makes: a workgroup of GROUP lanes has a lane for each node of its
// lowest level.
#define BVH_LEVELS 9

struct bvh_push {
    uint first, last; // the levels to make
    uint levels;      // number of levels of the tree
    uint contour;     // index in the contours_block
};

// What a cast looks for. The surface may be in a cube if the cube's least number is at most
// cubes_most and its greatest number is at least cubes_least.
struct cast_contour {
    STRUCT atlas_iso iso;
    uint cubes_most, cubes_least;
};

#define CONTOURS_MOST 8
#define PLANES_MOST   3

// How samples are shown in grey.
struct grey_range {
    STRUCT atlas_iso black; // the sample that is black
    float white;            // 1 / (the sample that is white - black); scaled like differences of
    int exponent;           // samples: times 2^-exponent
    uint nearest;           // 1: the nearest sample; 0: interpolated samples
};

#define CAST_MANY_CAPS 8 // added to CONSTANT_CAST_MANY if a cast has caps
#define CAPS_SOLID     1 // in the colour of the contour
#define CAPS_VALUES    2 // show the samples in grey

// The contours of a cast, as its kernels read them from a storage buffer.
struct contours_block {
    STRUCT cast_contour list[CONTOURS_MOST];
    float opacity[CONTOURS_MOST];
    uint count; // number of contours
    // Planes cut the contours whose bit in `clipped` is 1. A plane keeps a place p of the grid if
    // dot(plane, (p, 1)) >= 0. Places stay that all planes keep; with clip_all, that any plane keeps.
    uint clipped;
    uint clip_all;
    uint plane_count;
    float planes[PLANES_MOST][4];
    uint caps;                   // of the clipped contours: 0, CAPS_SOLID or CAPS_VALUES
    STRUCT grey_range grey;      // of CAPS_VALUES
    uint section_count;          // layers end at sections
    float sections[PLANES_MOST][4];
};

// With this bit the point of a hit is stored at its pixel's number: the shadow reads the points of
// neighbours, and later parts replace points. Without it the point is stored at the index of the
// hit in the list of hits, so that neighbouring lanes access neighbouring points.
#define CAST_BY_PIXEL 0x80000000u
// With this bit the numbers of rays are those of the list of samples at edges, not those of pixels.
#define CAST_BY_SAMPLE 0x40000000u

// A ray starts at start = anchor + x * across + y * down; (x, y) is the centre of its pixel. Its
// direction is start * perspective - eye. `perspective` is 1, or 0 for an orthographic camera; then
// `eye` is minus the direction. All are in grid units. The points of the ray are t * direction +
// start, for t from `begin` on.
struct cast_push {
    float anchor[3];
    float across[3];
    float down[3];
    float eye[3];
    float perspective;
    float begin;
    int x, y; // the first pixel; may be outside of the picture
    uint width, height;
    // The width in pixels of the border around the picture; the top bits are CAST_BY_PIXEL and
    // CAST_BY_SAMPLE. Pixels of the border only serve as neighbours: they get no samples at edges.
    uint border;
    uint contour; // index in the contours_block
    // If the cast is of a part: the part's own rows and own slices (compute/atlas.h). The lower
    // half is the first one, the upper half the last one.
    uint own_y, own_z;
};

// The soft shadow of the key light. Each hit sends SHADOW_RAYS rays to points on a disc of light.
// In a square of SHADOW_SIDE x SHADOW_SIDE pixels all hits use different points. The shadow is the
// mean over the square.
#define SHADOW_SIDE   5
#define SHADOW_RAYS   2
#define SHADOW_INSIDE 1.0f  // so many cells from its begin, a ray may be inside of the surface
#define SHADOW_ABOVE  0.25f // how many cells above its hit a ray begins: a power of two
#define SHADOW_NONE   0xffffffffu // stands for the bits of the rays if the pixel has no hit

// The directions to a light that is fixed to the view, in grid units. `towards` has length 1 in
// view space. The rays towards + a * across + b * down, for (a, b) in the unit disc, reach all of
// the light. A ray ends where it leaves the volume, or at t = reach, which is after about
// RAYS_LIGHT_CELLS cells (compute/casting/rays.h).
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
    uint contour, own_y, own_z; // see cast_push
};

#define SECTION_PLANES 6 // caps and sections, at most

// What section.comp puts into a picture: planes through the samples of a volume. A plane keeps the
// points (x, y, z) where at[0] * x + at[1] * y + at[2] * z + at[3] >= 0. The first planes are caps:
// they show where planes cut through a solid.
struct section_block {
    float planes[SECTION_PLANES][4];
    uint count, caps;
    uint all;      // 1: only what no cap keeps is removed
    uint values;   // 1: caps show the samples
    uint samples;  // samples of a pixel: 1, 2, 4 or 8
    uint contours; // number of contours, from the greatest isovalue on
    uint cut;      // bits of the contours, in this order, that have caps
    uint lines;    // bits of the contours that have lines: the type can have their isovalues
    STRUCT atlas_iso isos[CONTOURS_MOST];
    uint colours[CONTOURS_MOST]; // indices in picture_block.front
    STRUCT grey_range grey;
};

// Fine cubes per brick. They have 4 cells a side and form a row along x.
#define MASK_CUBES (BRICK_X / 4)

// For the kernels that find the bricks, cubes and cells that the isovalue meets.
struct masks_push {
    uint contour; // as in cast_push
    uint bricks;  // number of all bricks
    uint last;    // the atlas's last slice
};

// Neighbouring hits are on the same surface if they are in line with the next hit on the other
// side, up to so many cells.
#define EDGE_APART 2.0f
// The rays of samples at edges begin at least so many cells before the nearest hit of the pixel and
// its neighbours. If one of these pixels has no hit, they end at least so many cells behind the
// farthest hit.
#define EDGE_BEFORE 8.0f

// A span tells where the surface may be along the rays of a square of SPAN_SIDE x SPAN_SIDE pixels.
// It is two words in the order of floats: the least t, and the complement of the greatest t.
// Without a surface both are SPAN_NONE. After the last square comes one span for all squares. It
// covers the cubes that many squares see, and those that are nearer to the eye than SPAN_NEAREST of
// the distance to the plane where rays start.
#define SPAN_SIDE    8
#define SPAN_NEAREST 0.001f
#define SPAN_MOST    256
#define SPAN_NONE    0xffffffffu

// A point p of the grid is seen at pixel x / s, y / s of the cast, and is at t of that ray. s is
// perspective
// * t + 1. x, y and t are the members of that name times (p, 1).
struct spans_push {
    float x[4];
    float y[4];
    float t[4];
    float perspective;
    float margin;      // by how much a span is longer at each end, in t
    uint across, down; // squares
};

// Lists the squares of a cast that have a span, and computes the leaps from all strips of new masks. The
// cast has across * down squares.
struct squares_push {
    uint across, down;
    uint strips; // 0: the leaps are computed
};

#endif
