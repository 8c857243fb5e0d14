#version 460
// Finds where the surface may be along the rays of a square of pixels: from the nearest to the farthest
// fine cube that the square sees and the isovalue meets (cell_masks.glsl). Each cube is projected to a
// rectangle of pixels, as if it were drawn (Hadwiger et al. 2005). t depends on depth alone, so the
// least and the greatest t of a cube are at its corners. A lane projects one fine cube of a listed
// brick that the isovalue meets.
//
// Spans are longer than necessary, by a margin: they only decide what rays may skip, never a hit.

#include "bricks.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "masks_read.glsl"
#include "shaders/shared/casting.h"

layout(local_size_x = GROUP) in;
layout(push_constant, scalar) uniform Push
{
    spans_push pushed;
};

SHARES(spans, BINDING_SPANS, uint)

// A word for a float, so that words have the order of the floats.
uint ordered(float t)
{
    const uint bits = floatBitsToUint(t);
    return bits ^ (bits >> 31 != 0 ? 0xffffffffu : 0x80000000u);
}

void widen(uint square, float least, float greatest)
{
    atomicMin(spans[2 * square], ordered(least));
    atomicMin(spans[2 * square + 1], ~ordered(greatest));
}

float row_at(float row[4], vec3 p)
{
    return row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3];
}

void main()
{
    const spans_push push = pushed; // read before any branch, see shaders/README.md
    const uint lane = folded_lane(), listed = lane / MASK_CUBES;
    const uint squares = push.across * push.down;
    if (listed >= list_length(bricks_counter)) {
        return;
    }
    const uvec3 fine = brick_origin(bricks_at(listed)) / 4 + uvec3(lane % MASK_CUBES, 0, 0);
    if (any(greaterThanEqual(fine, uvec3(FINES_X, FINES_Y, FINES_Z)))) {
        return;
    }
    const uvec2 strip = MASK(strip_number(fine.x / STRIP, fine.y, fine.z));
    if (((fine.x % STRIP < 32 ? strip.x : strip.y) >> (fine.x & 31) & 1) == 0) {
        return;
    }
    const vec3 low = vec3(fine * 4);
    const vec3 high = min(low + 4.0, vec3(DIM_X - 1, DIM_Y - 1, DIM_Z - 1));
    vec3 least = vec3(1e30), greatest = vec3(-1e30); // xy: in pixels; z: t
    float scale = 1e30;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        const vec3 p = mix(low, high, bvec3(i & 1, i & 2, i & 4));
        const float t = row_at(push.t, p), s = push.perspective * t + 1.0;
        const vec3 at = vec3(row_at(push.x, p) / s, row_at(push.y, p) / s, t);
        least = min(least, at);
        greatest = max(greatest, at);
        scale = min(scale, s);
    }
    least.z -= push.margin;
    greatest.z += push.margin;
    // Adds a pixel on each side.
    const vec2 all = vec2(push.across, push.down);
    const vec2 from = floor((least.xy - 1.0) / float(SPAN_SIDE));
    const vec2 to = floor((greatest.xy + 1.0) / float(SPAN_SIDE));
    if (!(scale > SPAN_NEAREST)) {
        widen(squares, least.z, greatest.z); // near the eye, or behind it: all squares
        return;
    }
    if (any(lessThan(to, vec2(0.0))) || any(greaterThanEqual(from, all))) {
        return;
    }
    const uvec2 first = uvec2(max(from, 0.0)), last = uvec2(min(to, all - 1.0));
    const uvec2 count = last - first + 1;
    if (count.x > SPAN_MOST || count.x * count.y > SPAN_MOST) {
        widen(squares, least.z, greatest.z);
        return;
    }
    uvec2 at = first;
    do {
        widen(at.y * push.across + at.x, least.z, greatest.z);
        at.x++;
        if (at.x > last.x) {
            at = uvec2(first.x, at.y + 1);
        }
    } while (at.y <= last.y);
}
